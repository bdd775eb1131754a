//! Files in degrees and millimetres are the same systems and scenarios as in radians and metres.
//!
//! Numbers are written with their units, `<1.5 m>`, and put into the file in SI or in other units, by factors that are written down here.

use std::path::PathBuf;

use serde_json::Value;
use supple::{ModalMatrix, Modes, System};
use supple_io::model_file::{self, Units};
use supple_io::scenario_file::{self, Scenario};
use supple_io::urdf;

use crate::unit_templates::{MODEL, ROBOT, SCENARIO, SIDE};

/// A degree in radians.
const DEG: f64 = std::f64::consts::PI / 180.0;

/// How many of a unit with degrees and millimetres one with radians and metres is.
fn in_other_units(unit: &str) -> f64 {
    match unit {
        "m" | "m/s" | "m/s²" | "kg m" | "N m" => 1e3,
        "kg m²" | "N m²" => 1e6,
        "m³/s²" => 1e9,
        "kg/m" | "N/m" | "N s/m" | "s/m" | "1/m" => 1e-3,
        "kg/m³" => 1e-9,
        "N" | "kg" => 1.0,
        "rad" | "rad/s" | "rad/s²" | "rad/s³" => 1.0 / DEG,
        "s/rad" => DEG,
        "N m/rad" | "N m s/rad" | "m/rad" => 1e3 * DEG,
        "rad/m" => 1e-3 / DEG,
        _ => panic!("{unit}"),
    }
}

/// A file of a format with its numbers in SI, or in degrees and millimetres.
fn rendered(format: &str, template: &str, other: bool) -> String {
    let units = if other { "units = { angle = \"deg\", length = \"mm\" }\n" } else { "" };
    let mut text = format!("format = \"{format}\"\n{units}");
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('<') {
        let (quantity, after) = after.split_once('>').unwrap();
        let (number, unit) = quantity.split_once(' ').unwrap();
        let factor = if other { in_other_units(unit) } else { 1.0 };
        text += before;
        text += &format!("{:?}", number.parse::<f64>().unwrap() * factor);
        rest = after;
    }
    text + rest
}

/// The greatest relative difference of two things, number by number of all that they say of themselves.
fn difference(a: &impl std::fmt::Debug, b: &impl std::fmt::Debug) -> f64 {
    let words = |text: String| -> Vec<String> {
        text.split(|c: char| !(c.is_ascii_alphanumeric() || "+-._".contains(c))).map(str::to_owned).collect()
    };
    let (a, b) = (words(format!("{a:?}")), words(format!("{b:?}")));
    if a.len() != b.len() {
        return f64::INFINITY;
    }
    let mut most = 0.0_f64;
    for (a, b) in a.iter().zip(&b) {
        match (a.parse::<f64>(), b.parse::<f64>()) {
            // Modal shapes hold numbers that are rounding of zero, and shapes of eigenvectors may have either sign.
            (Ok(a), Ok(b)) if a.is_finite() => most = most.max((a.abs() - b.abs()).abs() / a.abs().max(1e-2)),
            _ => assert_eq!(a, b),
        }
    }
    most
}

/// Bodies whose coupled modes come from an eigenproblem that is solved to some digits only.
const COUPLED: [&str; 2] = ["blade", "post"];

/// A system without the modes of coupled beams, and the sums of their modal stiffnesses.
fn apart(mut system: System) -> (System, Vec<f64>) {
    let mut sums = Vec::new();
    for body in system.bodies.iter_mut().filter(|body| COUPLED.contains(&body.name.as_str())) {
        let sum = match &body.modes.stiffness {
            ModalMatrix::Zero => 0.0,
            ModalMatrix::Diagonal(all) => all.iter().sum(),
            ModalMatrix::Full(rows) => rows.iter().enumerate().map(|(i, row)| row[i]).sum(),
        };
        sums.push(sum);
        body.modes = Modes::default();
        for node in &mut body.nodes {
            node.influence.clear();
            node.strain.clear();
        }
    }
    (system, sums)
}

fn system(template: &str, other: bool) -> (System, Vec<f64>) {
    let text = rendered("supple-model-1", template, other);
    let file = model_file::from_text("model.toml", &text, None).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(file.units.is_si(), !other);
    apart(file.system)
}

#[test]
fn models_in_degrees_and_millimetres() {
    let ((si, stiff), (other, same)) = (system(MODEL, false), system(MODEL, true));
    let most = difference(&si, &other);
    assert!(most < 1e-6, "{most:e}");
    for (a, b) in stiff.iter().zip(&same) {
        assert!(*a > 0.0 && (a / b - 1.0).abs() < 1e-3, "{a} {b}");
    }
}

/// Every single number matters, those of coupled beams left aside: left in SI, each changes the system.
#[test]
fn each_number_is_converted() {
    let (whole, _) = system(MODEL, false);
    let coupled = MODEL.find("name = \"blade\"").unwrap()..MODEL.find("name = \"flap\"").unwrap();
    for (start, _) in MODEL.match_indices('<').filter(|(start, _)| !coupled.contains(start)) {
        let end = start + MODEL[start..].find('>').unwrap();
        let (number, unit) = MODEL[start + 1..end].split_once(' ').unwrap();
        if in_other_units(unit) == 1.0 {
            continue;
        }
        let changed = format!("{}{}{}", &MODEL[..start], number, &MODEL[end + 1..]);
        let text = rendered("supple-model-1", &changed, true);
        if let Ok(file) = model_file::from_text("model.toml", &text, None) {
            assert!(difference(&whole, &apart(file.system).0) > 1e-5, "{}", &MODEL[start..=end]);
        }
    }
}

/// Keys with numbers that have neither angles nor lengths in their units.
const PLAIN: &str = "mass EA GA_y GA_z E G nu axis axes normal direction quaternion matrix gear_ratio count index \
    speed coordinate damping_ratio ratio up_to_hz from_hz loss_factor restitution force preload start duration times time output_interval \
    relative_tolerance absolute_tolerance step spectral_radius stages iteration_tolerance least_step greatest_step max_steps \
    wall_seconds most_bytes checkpoint_interval update_rate phase latency delay frequency frozen_after tolerance damping node at inboard_node \
    pieces bending_y bending_z stretch coupled attach modes mode_speeds colour scale";

/// Whether a schema takes numbers that are not whole.
fn takes_numbers(schema: &Value) -> bool {
    let any = |key: &str| schema[key].as_array().is_some_and(|all| all.iter().any(takes_numbers));
    schema["type"] == "number"
        || any("anyOf")
        || (schema["items"].is_object() && takes_numbers(&schema["items"]))
        || (schema["additionalProperties"].is_object() && takes_numbers(&schema["additionalProperties"]))
}

/// Each key says its unit once: a unit with metres or radians in a description is the one that is converted, and a new key with numbers is
/// either declared or known to have no angles and lengths.
#[test]
fn every_key_with_an_angle_or_a_length_declares_it() {
    let units = [
        "kg m² or kg",
        "kg m²",
        "kg/m³",
        "kg/m",
        "kg m",
        "m/s²",
        "m³/s²",
        "N m²",
        "N m/rad or N/m",
        "N m s/rad or N s/m",
        "s/rad or s/m",
        "N m or N",
        "N m s/rad",
        "N m/rad",
        "N m",
        "rad/s or m/s",
        "rad/s² or m/s²",
        "rad/s³ or m/s³",
        "rad or m",
        "m or rad",
        "m/s or rad/s",
        "m/rad",
        "rad",
        "1/m",
        "m",
    ];
    let plain: Vec<&str> = PLAIN.split_whitespace().collect();
    let mut found = 0;
    for schema in [model_file::schema(), model_file::modes_schema(), scenario_file::schema(), urdf::side_schema()] {
        let schema: Value = serde_json::from_str(&schema).unwrap();
        let inner = schema["$defs"].as_object().unwrap().iter().map(|(name, shape)| (name.as_str(), shape));
        for (table, shape) in inner.chain([("file", &schema)]) {
            for (key, value) in shape["properties"].as_object().into_iter().flatten() {
                let (doc, unit) = (value["description"].as_str().unwrap(), value["x-unit"].as_str());
                let ends = |rest: &str| rest.chars().next().is_none_or(|c| ",;.:".contains(c));
                let told = units.iter().find(|unit| {
                    doc.match_indices(&format!(", {unit}")).any(|(at, text)| ends(&doc[at + text.len()..]))
                        || (doc.starts_with(*unit) && ends(&doc[unit.len()..]))
                });
                match (told, unit) {
                    (Some(told), Some(unit)) => {
                        let fixed = unit.starts_with("SI") || unit.contains(" one coordinate ");
                        assert!(fixed || unit.contains(told), "{table}.{key}: {doc} | {unit}");
                        found += 1;
                    }
                    (Some(_), None) if key == "units" => {}
                    (Some(told), None) => panic!("{table}.{key} is in {told} and does not declare it: {doc}"),
                    (None, Some(unit)) => assert!(!unit.starts_with("rad"), "{table}.{key} does not say {unit}: {doc}"),
                    (None, None) if takes_numbers(value) => {
                        assert!(
                            plain.contains(&key.as_str()),
                            "{table}.{key} has numbers: a unit, or a name in PLAIN: {doc}"
                        );
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(found > 100, "{found}");
}

/// A folder of files, gone at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn scenario(other: bool) -> Scenario {
    let folder = Folder(std::env::temp_dir().join(format!("supple-units-{}-{other}", std::process::id())));
    std::fs::create_dir_all(&folder.0).unwrap();
    let open = MODEL.split("[[closure]]").next().unwrap().split("[[force]]\nkind = \"motor\"").next().unwrap();
    std::fs::write(folder.0.join("model.toml"), rendered("supple-model-1", open, false)).unwrap();
    // A table that a scenario names has its units.
    let torque = if other { "t,f\n0,250\n1,750\n" } else { "t,f\n0,0.25\n1,0.75\n" };
    std::fs::write(folder.0.join("torque.csv"), torque).unwrap();
    let path = folder.0.join("scenario.toml");
    std::fs::write(&path, rendered("supple-scenario-1", SCENARIO, other)).unwrap();
    scenario_file::read(&path).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn scenarios_in_degrees_and_millimetres() {
    let (si, mut other) = (scenario(false), scenario(true));
    assert!(!other.units.is_si());
    other.units = Units::default();
    let numbers = |s: &Scenario| {
        let drives = format!("{:?}{:?}{:?}{:?}", s.motions, s.torques, s.wrenches, s.events);
        let plans: Vec<_> = s.blocks.iter().map(|block| block.setting.trajectory.clone()).collect();
        format!("{:?}{:?}{drives}{plans:?}{:?}", s.initial.coordinates, s.initial.speeds, s.model.system.gravity)
    };
    let most = difference(&numbers(&other), &numbers(&si));
    assert!(most < 1e-9, "{most:e}");
}

#[test]
fn side_files_in_degrees_and_millimetres() {
    let read = |other: bool| {
        let text = rendered("supple-flexible-1", SIDE, other);
        let read = urdf::from_text("r.urdf", ROBOT, Some(("side.toml", &text)), &urdf::Options::default());
        read.unwrap_or_else(|error| panic!("{error}")).file.system
    };
    let most = difference(&read(false), &read(true));
    assert!(most < 1e-9, "{most:e}");
}

/// Values in messages are those of the file where one number is meant, and said to be in SI units elsewhere.
#[test]
fn messages_show_what_is_written() {
    let head = "format = \"supple-model-1\"\nunits = { angle = \"deg\", length = \"mm\" }\n";
    let message = |body: &str| model_file::from_text("m.toml", &format!("{head}{body}"), None).unwrap_err().to_string();
    let beam = |length: &str| {
        format!(
            "[[body]]\nname = \"b\"\nhinge = {{ kind = \"fixed\" }}\nbeam = {{ length = {length}, modes = {{ bending_y = 1 }}, \
             section = {{ tube = {{ outer_radius = 40, thickness = 5 }} }}, material = {{ E = 7e10, nu = 0.3, density = 2.7e-6 }} }}\n"
        )
    };
    let negative = message(&beam("-300"));
    assert!(negative.contains("`length` is -300") && !negative.contains("SI units"), "{negative}");
    let long = message(&beam("1e15"));
    assert!(long.contains("the length is 1e12") && long.contains("numbers in this message are in SI units"), "{long}");
    let huge = message(&beam("1e-323"));
    assert!(huge.contains("in SI units") && huge.contains("is below the smallest double"), "{huge}");
    let stops = "[[body]]\nname = \"b\"\nrigid = { mass = 1, inertia = [1e6, 1e6, 1e6] }\n\
                 hinge = { kind = \"planar\", normal = [0, 0, 1], damping = 5 }\n";
    let mixed = message(stops);
    assert!(mixed.contains("`damping` is one number for angles and lengths"), "{mixed}");
    let modal = "[[body]]\nname = \"b\"\nhinge = { kind = \"fixed\" }\nnodes = [{ mass = 1, influence = [[0, 0, 0, 1, 0, 0]] }]\n\
                 modes = { count = 1, stiffness = [5.0] }\n";
    let modal = message(modal);
    assert!(modal.contains("`stiffness` is in SI units, the file has angles in deg, lengths in mm"), "{modal}");
    let word = model_file::from_text("m.toml", &head.replace("mm", "inch"), None).unwrap_err().to_string();
    assert!(word.contains("unknown value `inch`") && word.contains("m, cm, mm"), "{word}");
}

/// Gravity in metres in a file of millimetres is noted, as is a density in kg/m³.
#[test]
fn units_that_were_forgotten_are_noted() {
    let text = "format = \"supple-model-1\"\nunits = { length = \"mm\" }\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"b\"\n\
                hinge = { kind = \"fixed\" }\nbeam = { length = 3000, modes = { bending_y = 1 }, section = { tube = { outer_radius = 40, \
                thickness = 5 } }, material = { E = 7e10, nu = 0.3, density = 2700 } }\n";
    let notes = model_file::from_text("m.toml", text, None).unwrap_err();
    assert!(notes.to_string().contains("mass per length"), "{notes}");
    let light = text.replace("2700", "2.7e-6");
    let file = model_file::from_text("m.toml", &light, None).unwrap();
    let notes: Vec<String> = file.notes.iter().map(|note| note.as_note().to_string()).collect();
    assert!(notes.len() == 1 && notes[0].contains("9810 mm/s² on Earth"), "{notes:#?}");
}
