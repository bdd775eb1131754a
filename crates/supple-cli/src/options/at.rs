//! Values of the state on the command line: `HINGE=VALUE,…`.

use supple::model::{Role, Variable, VariableKind};
use supple::{HingeHandle, Model, State, nearest};

/// How far the length of a quaternion may be from one; it is scaled to one.
const UNIT_TOLERANCE: f64 = 1e-6;
/// Names that a message lists.
const MOST_LISTED: usize = 12;

/// A name with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The name.
    pub name: String,
    /// The value, finite.
    pub value: f64,
}

impl Setting {
    /// From `NAME=VALUE`; the last `=` ends the name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let Some((name, value)) = text.rsplit_once('=') else {
            return Err("must be HINGE=VALUE, such as elbow=0.5".to_owned());
        };
        let name = name.trim();
        if name.is_empty() {
            return Err("must begin with the name of a hinge".to_owned());
        }
        match value.trim().parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Self { name: name.to_owned(), value }),
            Ok(value) => Err(format!("{value} must be finite")),
            Err(_) => Err(format!("`{}` is not a number", value.trim())),
        }
    }
}

/// Where the system is looked at.
#[derive(clap::Args, Default)]
pub struct AtOptions {
    /// Hinge coordinates, in rad or m, e.g. shoulder=0.5,elbow=-1; for hinges with several coordinates HINGE.PART, e.g. base.x=2. Other parts
    /// of the state have their names in the results, e.g. speed.elbow=0.2 or mode.boom.1=0.01. The default is zero, or the start of a scenario.
    /// May be repeated.
    #[arg(long, value_name = "HINGE=VALUE", value_delimiter = ',', value_parser = Setting::parse)]
    pub at: Vec<Setting>,
}

impl AtOptions {
    /// Sets the values in a state. Per body, whether its hinge was placed.
    pub fn apply(&self, model: &Model, state: &mut State) -> Result<Vec<bool>, String> {
        let variables = model.variables();
        let mut placed = vec![false; model.body_count()];
        for Setting { name, value } in &self.at {
            let variable = find(name, &variables).map_err(|why| format!("--at: {why}"))?;
            match variable.kind {
                VariableKind::Time => state.time = *value,
                VariableKind::HingeSpeed | VariableKind::ModalSpeed => state.speeds[variable.index] = *value,
                _ => state.coordinates[variable.index] = *value,
            }
            if let (VariableKind::HingeCoordinate, Some(body)) = (variable.kind, variable.body) {
                placed[body.0] = true;
            }
        }
        for hinge in model.hinges().filter(|hinge| placed[hinge.body().0]) {
            normalise(model, hinge, state)?;
        }
        if self.at.iter().any(|setting| setting.name.starts_with("mode.")) {
            state.turn_nodes(model);
        }
        Ok(placed)
    }
}

/// The part of the state that a name stands for: a coordinate of a hinge, or anything by its full name.
fn find<'v>(name: &str, variables: &'v [Variable]) -> Result<&'v Variable, String> {
    // Attitudes follow the modes.
    let settable = |v: &&Variable| v.kind.role() == Role::State && v.kind != VariableKind::Attitude;
    let named = |full: &str| variables.iter().filter(settable).find(|v| v.name == full);
    if let Some(found) = named(&format!("hinge.{name}")).or_else(|| named(name)) {
        return Ok(found);
    }
    let coordinates: Vec<&str> = variables.iter().filter_map(coordinate).collect();
    let stem = format!("{name}.");
    let parts: Vec<&str> = coordinates.iter().copied().filter(|known| known.starts_with(&stem)).collect();
    if !parts.is_empty() {
        return Err(format!("the hinge '{name}' has several coordinates; name one of {}", parts.join(", ")));
    }
    let full = variables.iter().filter(settable).map(|v| v.name.as_str());
    let near = nearest(name, coordinates.iter().copied()).or_else(|| nearest(name, full));
    let remedy = match (near, &coordinates[..]) {
        (Some(near), _) => format!("did you mean '{near}'?"),
        (None, []) => "no hinge of this system moves".to_owned(),
        (None, known) => {
            let more = if known.len() > MOST_LISTED { ", …" } else { "" };
            let first: Vec<String> = known.iter().take(MOST_LISTED).map(|name| format!("'{name}'")).collect();
            format!("there are {}{more}", first.join(", "))
        }
    };
    Err(format!("no hinge that moves is called '{name}'; {remedy}"))
}

/// What `--at` calls a coordinate of a hinge.
fn coordinate(variable: &Variable) -> Option<&str> {
    if variable.kind == VariableKind::HingeCoordinate { variable.name.strip_prefix("hinge.") } else { None }
}

/// The quaternion of a hinge, where it has one, gets length one.
fn normalise(model: &Model, hinge: HingeHandle, state: &mut State) -> Result<(), String> {
    let name = model.hinge_name(hinge).unwrap_or_default().to_owned();
    let (coordinates, speeds) = (hinge.coordinates(), hinge.speeds());
    // Only a quaternion has more coordinates than speeds.
    if coordinates.len() == speeds.len() {
        return Ok(());
    }
    let quaternion = &mut state.coordinates[coordinates.start..coordinates.start + 4];
    let norm = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
    if (norm - 1.0).abs() > UNIT_TOLERANCE {
        return Err(format!(
            "--at: the quaternion of the hinge '{name}' has length {norm:.6}, not 1; give all of {name}.qx, {name}.qy, {name}.qz, {name}.qw"
        ));
    }
    quaternion.iter_mut().for_each(|x| *x /= norm);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::{Body, Hinge, HingeKind, ModelBuilder, Parent};

    fn setting(text: &str) -> Setting {
        Setting::parse(text).unwrap()
    }

    fn model() -> Model {
        let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut builder = ModelBuilder::new();
        let hub = Hinge { name: Some("base".into()), ..Hinge::new(HingeKind::Free) };
        let hub = builder.body(Body::rigid("hub", Parent::Ground, hub, 1.0, [0.0; 3], inertia));
        let elbow = Hinge { name: Some("elbow".into()), ..Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] }) };
        builder.body(Body::rigid("arm", Parent::Body(hub, supple::NodeIndex(0)), elbow, 1.0, [0.0; 3], inertia));
        builder.build().unwrap()
    }

    fn applied(texts: &[&str]) -> Result<State, String> {
        let model = model();
        let mut state = State::new(&model);
        AtOptions { at: texts.iter().map(|text| setting(text)).collect() }.apply(&model, &mut state)?;
        Ok(state)
    }

    #[test]
    fn values_are_numbers_after_the_last_sign() {
        assert_eq!(setting("a=b = -1e-3"), Setting { name: "a=b".into(), value: -1e-3 });
        for (text, told) in [
            ("elbow", "must be HINGE=VALUE"),
            ("=1", "name of a hinge"),
            ("a=x", "`x` is not a number"),
            ("a=inf", "finite"),
        ] {
            assert!(Setting::parse(text).unwrap_err().contains(told), "{text}");
        }
    }

    #[test]
    fn coordinates_speeds_and_parts_go_to_their_places() {
        let state = applied(&["elbow=0.5", "base.x=2", "speed.elbow=-1"]).unwrap();
        assert_eq!(state.coordinates, [0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.5]);
        assert_eq!(state.speeds, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0]);
        let turned = applied(&["base.qw=0.6", "base.qz=0.8"]).unwrap();
        assert_eq!(turned.coordinates[..4], [0.0, 0.0, 0.8, 0.6]);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, told) in [
            ("elbwo=1", "did you mean 'elbow'?"),
            ("base=1", "several coordinates; name one of base.qx"),
            ("base.qz=0.8", "has length 1.280625, not 1"),
            ("speed.elbo=1", "did you mean 'speed.elbow'?"),
            ("nothing at all=1", "there are 'base.qx'"),
            ("energy.kinetic=1", "no hinge that moves is called"),
        ] {
            let error = applied(&[text]).unwrap_err();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
