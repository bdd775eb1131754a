//! What a file of a user is, before a reader is chosen for it.

use std::path::Path;

use toml::de::DeTable;

use crate::source::PathFault;
use crate::source::folder::read_file;
use crate::{identification_file, model_file, optimisation_file, robot, scenario_file, study_file};

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A model in TOML; also any text that is nothing else, whose reader then reports what is wrong.
    Model,
    /// A scenario in TOML.
    Scenario,
    /// A study in TOML: many runs of a scenario.
    Study,
    /// Nodes and modes of one body in TOML.
    Modes,
    /// A side file of a robot in TOML.
    SideFile,
    /// A robot in URDF or MuJoCo's format.
    Robot,
    /// Standard input data of a flexible body.
    StandardInput,
    /// A reference case in JSON.
    Case,
    /// An identification in TOML.
    Identification,
    /// An optimisation in TOML.
    Optimisation,
}

/// Endings of the names of robots: URDF, and MuJoCo's format.
const ROBOTS: [&str; 3] = ["urdf", "xml", "mjcf"];

/// Whether the name of a file is that of a robot.
pub fn is_robot(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ROBOTS.iter().any(|robot| ending.eq_ignore_ascii_case(robot)))
}

/// What the file at a path is: by the ending of its name, and for TOML by its `format`.
///
/// # Errors
/// [`PathFault`] where it cannot be read.
pub fn kind_of(path: &Path) -> Result<Kind, PathFault> {
    let bytes = read_file(path)?;
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    Ok(match ending.as_deref() {
        _ if is_robot(path) => Kind::Robot,
        Some("sid" | "sid_fem") => Kind::StandardInput,
        Some("json") => Kind::Case,
        _ => String::from_utf8(bytes).map_or(Kind::Model, |text| of_toml(&text)),
    })
}

fn of_toml(text: &str) -> Kind {
    // Mistakes are for the reader to tell.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Ok(document) = DeTable::parse(text) else { return Kind::Model };
    let document = document.get_ref();
    let format = document.get("format").and_then(|value| value.get_ref().as_str());
    match format {
        Some(model_file::FORMAT) => Kind::Model,
        Some(scenario_file::FORMAT) => Kind::Scenario,
        Some(study_file::FORMAT) => Kind::Study,
        Some(model_file::modal::FORMAT) => Kind::Modes,
        Some(robot::SIDE_FORMAT) => Kind::SideFile,
        Some(identification_file::FORMAT) => Kind::Identification,
        Some(optimisation_file::FORMAT) => Kind::Optimisation,
        // A format that is missing or misspelt: scenarios alone name a model.
        _ if document.contains_key("model") => Kind::Scenario,
        _ => Kind::Model,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart() {
        let references = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../references");
        for (name, kind) in [
            ("models/arm.toml", Kind::Model),
            ("models/slew.scenario.toml", Kind::Scenario),
            ("models/panel.modes.toml", Kind::Modes),
            ("urdf/arm.flexible.toml", Kind::SideFile),
            ("urdf/arm.urdf", Kind::Robot),
            ("sid/cantilever.sid", Kind::StandardInput),
            ("cases/serial_2_flex.json", Kind::Case),
        ] {
            assert_eq!(kind_of(&references.join(name)), Ok(kind), "{name}");
        }
        assert_eq!(kind_of(&references.join("models/none.toml")), Err(PathFault::NotFound));
        assert_eq!(kind_of(&references), Err(PathFault::NotAFile));
        assert_eq!(of_toml("model = \"arm.toml\"\nformat = \"supple-scenari-1\""), Kind::Scenario);
        assert_eq!(of_toml("format = \"supple-identify-1\""), Kind::Identification);
        assert_eq!(of_toml("format = \"supple-optimise-1\""), Kind::Optimisation);
        assert_eq!(of_toml("not TOML"), Kind::Model);
    }
}
