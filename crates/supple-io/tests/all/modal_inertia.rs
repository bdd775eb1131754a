//! Tables of modal integrals in files: mistakes in them are told at their place.

use supple::{Fidelity, ModalInertia, Node, Problem};
use supple_bodies::catalogue::beam_chain::beam_chain;
use supple_io::model_file;
use supple_io::source::{FileError, Rule};
use supple_io::urdf;

/// A beam of two modes, all inertia in tables.
fn sound() -> String {
    let mut system = beam_chain(1, 2, Fidelity::Inconsistent);
    let body = &mut system.bodies[0];
    body.modal_inertia = Some(ModalInertia::of(body));
    body.nodes = body.nodes.iter().cloned().map(Node::without_mass).collect();
    model_file::write(&system).unwrap()
}

fn read(text: &str) -> Result<model_file::ModelFile, FileError> {
    model_file::from_text("x.toml", text, None)
}

/// The text with another value for a key of the tables, and the line of the key.
#[track_caller]
fn with(key: &str, value: &str) -> (String, usize) {
    let text = sound();
    let tables = text.find("[body.modal_inertia]").unwrap();
    let start = tables + text[tables..].find(&format!("\n{key} = ")).unwrap() + 1;
    let end = start + text[start..].find('\n').unwrap();
    let value = if value.is_empty() { String::new() } else { format!("{key} = {value}") };
    (format!("{}{value}{}", &text[..start], &text[end..]), text[..start].matches('\n').count() + 1)
}

#[track_caller]
fn the_one(key: &str, value: &str) -> Rule {
    let (text, line) = with(key, value);
    let error = read(&text).expect_err("the text is broken");
    let [finding] = error.findings() else { panic!("{error}") };
    // Keys that are not there are told at the head of the table.
    assert!(value.is_empty() || finding.place.line == line, "line {line}: {error}");
    assert!(!error.to_string().is_empty());
    finding.rule.clone()
}

#[test]
fn each_mistake_has_its_rule_and_place() {
    assert!(read(&sound()).is_ok());
    let zero = "[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]";
    let wrong_size = |rule: &Rule| matches!(rule, Rule::Model(Problem::WrongSize { .. }));
    let broken = |rule: &Rule| matches!(rule, Rule::Model(Problem::ModalInertiaRule { .. }));
    assert!(matches!(the_one("mass", "-1"), Rule::Range { .. }));
    assert!(matches!(the_one("mass", ""), Rule::MissingKey { key: "mass", .. }));
    assert!(matches!(the_one("mass_moment", "[0, 1]"), Rule::Length { .. }));
    assert!(broken(&the_one("inertia", "[[1, 2, 0], [0, 1, 0], [0, 0, 1]]")));
    assert!(wrong_size(&the_one("moment_change", "[[0, 1, 2]]")));
    assert!(wrong_size(&the_one("moment_change", "")));
    assert!(matches!(the_one("coupling", "[[0, 1, 2], [0, 1, 2, 0, 0, 0]]"), Rule::Length { expected: 6, .. }));
    assert!(wrong_size(&the_one("coupling_change", "[[[0, 1, 2]], [[0, 1, 2], [0, 0, 0]]]")));
    assert!(matches!(the_one("coupling_change", "[[0]]"), Rule::Type { .. }));
    assert!(broken(&the_one("inertia_first", &format!("[{zero}, [[0, 1, 0], [0, 0, 0], [0, 0, 0]]]"))));
    assert!(wrong_size(&the_one("inertia_second", &format!("[[{zero}, {zero}], [{zero}]]"))));
    assert!(broken(&the_one("modal_mass", "[[1, 0.5], [0, 1]]")));
    assert!(matches!(the_one("modal_mass", "[[1, nan], [0, 1]]"), Rule::Number { .. }));
    // All together: told at the head of the tables.
    let (text, _) = with("modal_mass", "[[-1, 0], [0, -1]]");
    let error = read(&text).unwrap_err();
    println!("{error}");
    assert_eq!(error.findings()[0].place.source, "[body.modal_inertia]");
}

#[test]
fn tables_do_not_stand_beside_a_beam() {
    let text = r#"format = "supple-model-1"
[[body]]
name = "a"
hinge = { kind = "fixed" }
modal = { file = "x.toml" }
modal_inertia = { mass = 1 }
"#;
    let error = read(text).unwrap_err();
    assert!(error.findings().iter().any(|f| matches!(f.rule, Rule::Together { .. }) && f.place.line == 6), "{error}");
}

/// A rigid body by its tables alone, in a model and as a flexible link without modes.
#[test]
fn a_rigid_body_by_tables() {
    let text = r#"format = "supple-model-1"
[[body]]
name = "a"
hinge = { kind = "free" }
nodes = [{ name = "o" }]
modal_inertia = { mass = 2, mass_moment = [0, 0, 1], inertia = [[3, 0, 0], [0, 3, 0], [0, 0, 2]] }
"#;
    let file = read(text).unwrap_or_else(|error| panic!("{error}"));
    let tables = file.system.bodies[0].modal_inertia.as_ref().unwrap();
    assert_eq!((tables.mass, tables.mass_moment, tables.inertia[2][2]), (2.0, [0.0, 0.0, 1.0], 2.0));
    let robot = r#"<robot name="r"><link name="a"/><link name="b"/>
        <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint></robot>"#;
    let side = r#"format = "supple-flexible-1"
[[flexible]]
link = "b"
nodes = [{ name = "o" }]
modes = { count = 0 }
modal_inertia = { mass = 2, mass_moment = [0, 0, 1], inertia = [[3, 0, 0], [0, 3, 0], [0, 0, 2]] }
"#;
    let robot = urdf::from_text("r.urdf", robot, Some(("r.toml", side)), &urdf::Options::default());
    let robot = robot.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(robot.file.system.bodies[1].modal_inertia.as_ref(), Some(tables));
}
