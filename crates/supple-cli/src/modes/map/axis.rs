//! What a map goes over: a hinge coordinate, a spin, or a value of the file.

use supple::Model;
use supple_io::change::Change;

/// Most places along an axis.
const MOST_PLACES: usize = 2000;

/// What changes along an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A part of the state, as `--at` names it.
    Coordinate(String),
    /// The speed of a hinge, as `--spin` names it.
    Spin(String),
    /// A value of the file, as `--set` names it.
    Value(String),
}

/// An axis of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What changes.
    pub quantity: Quantity,
    /// The places, increasing.
    pub places: Vec<f64>,
    /// Unit of a coordinate, where the model is known.
    pub unit: Option<&'static str>,
}

impl Axis {
    /// From `NAME=FROM:TO:COUNT`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = "must be NAME=FROM:TO:COUNT, such as elbow=-1:1:21";
        let (name, range) = text.rsplit_once('=').ok_or(form)?;
        let parts: Vec<&str> = range.split(':').map(str::trim).collect();
        let [from, to, count] = parts[..] else { return Err(form.to_owned()) };
        let number = |text: &str| {
            let found: f64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
            if found.is_finite() { Ok(found) } else { Err(format!("{found} must be finite")) }
        };
        let (from, to) = (number(from)?, number(to)?);
        let count: usize = count.parse().map_err(|_| format!("`{count}` is not a whole number"))?;
        if !(2..=MOST_PLACES).contains(&count) {
            return Err(format!("{count} places; there must be 2 to {MOST_PLACES}"));
        }
        if from >= to {
            return Err(format!("from {from} to {to}: the first must be less"));
        }
        let quantity = match name.trim().split_once(':') {
            _ if name.trim().is_empty() => return Err(form.to_owned()),
            Some(("spin", hinge)) => Quantity::Spin(hinge.to_owned()),
            Some(("set", key)) => {
                // An invalid key is reported before the first place.
                Change::parse(&format!("{key}={from}")).map_err(|error| error.to_string())?;
                Quantity::Value(key.to_owned())
            }
            _ => Quantity::Coordinate(name.trim().to_owned()),
        };
        let place = |i: usize| from + (to - from) * i as f64 / (count - 1) as f64;
        Ok(Self { quantity, places: (0..count).map(place).collect(), unit: None })
    }

    /// The same, with the unit that a model gives it.
    pub fn measured(&self, model: &Model) -> Self {
        let name = self.name();
        let full = [format!("hinge.{name}"), name.to_owned()];
        let unit = model.variables().iter().find(|v| full.contains(&v.name)).map(|v| v.unit);
        Self { unit, ..self.clone() }
    }

    /// What it shows.
    pub fn label(&self) -> String {
        match &self.quantity {
            Quantity::Coordinate(name) => self.unit.map_or(name.clone(), |unit| format!("{name} [{unit}]")),
            Quantity::Spin(name) => format!("spin of {name} [rad/s]"),
            Quantity::Value(key) => key.clone(),
        }
    }

    /// Name of its column.
    pub fn name(&self) -> &str {
        match &self.quantity {
            Quantity::Coordinate(name) | Quantity::Spin(name) | Quantity::Value(name) => name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_evenly_filled_and_mistakes_named() {
        let axis = Axis::parse("elbow pitch=-1:1:5").unwrap();
        assert_eq!(axis.places, [-1.0, -0.5, 0.0, 0.5, 1.0]);
        assert_eq!(axis.quantity, Quantity::Coordinate("elbow pitch".into()));
        assert_eq!(Axis::parse("spin:hub=0:2:3").unwrap().quantity, Quantity::Spin("hub".into()));
        assert_eq!(
            Axis::parse("set:body.b.rigid.mass=1:2:3").unwrap().quantity,
            Quantity::Value("body.b.rigid.mass".into())
        );
        for (text, told) in [
            ("elbow", "must be NAME=FROM:TO:COUNT"),
            ("elbow=1", "must be NAME=FROM:TO:COUNT"),
            ("=0:1:3", "must be NAME=FROM:TO:COUNT"),
            ("elbow=x:1:3", "`x` is not a number"),
            ("elbow=0:inf:3", "must be finite"),
            ("elbow=0:1:1", "1 places"),
            ("elbow=0:1:2.5", "not a whole number"),
            ("elbow=1:1:3", "the first must be less"),
        ] {
            assert!(Axis::parse(text).unwrap_err().contains(told), "{text}");
        }
    }
}
