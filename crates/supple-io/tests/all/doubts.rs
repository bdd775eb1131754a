//! What is sound and yet hardly meant is noted, with its line and a remedy; what is usual is not.

use std::path::Path;

use supple_io::model_file;

const LINK: &str = r#"format = "supple-model-1"
[[body]]
name = "link"
hinge = { name = "root", kind = "revolute", axis = [0, 0, 1] }
[body.beam]
length = 1.2
section = { tube = { outer_radius = 0.02, thickness = 0.002 } }
material = { E = 7e10, nu = 0.33, density = 2700 }
support = "clamped-free"
modes = { bending_y = 2 }
"#;

/// The notes of the link with one text in place of another.
fn notes(old: &str, new: &str) -> Vec<String> {
    assert_eq!(LINK.matches(old).count(), 1, "{old}");
    let file = model_file::from_text("link.toml", &LINK.replace(old, new), None).unwrap();
    file.notes.iter().map(|note| note.as_note().to_string()).collect()
}

#[test]
fn what_is_hardly_meant_is_noted() {
    for (old, new, line, says) in [
        ("E = 7e10", "E = 70", 8, "is it in Pa?"),
        ("E = 7e10", "E = 7e13", 8, "Young's modulus is 70000000000000.0 Pa"),
        ("density = 2700", "density = 2.7", 8, "is it in kg/m^3?"),
        ("outer_radius = 0.02, thickness = 0.002", "outer_radius = 20, thickness = 2", 7, "40.0 m across"),
        (
            "{ tube = { outer_radius = 0.02, thickness = 0.002 } }",
            "{ box = { width = 20, height = 40, thickness = 2 } }",
            7,
            "mm?",
        ),
        ("bending_y = 2", "bending_y = 0", 10, "the body is rigid"),
        ("clamped-free", "clamped-loaded", 9, "nothing is carried"),
    ] {
        let notes = notes(old, new);
        assert_eq!(notes.len(), 1, "{new}: {notes:#?}");
        assert!(notes[0].contains(says) && notes[0].contains(&format!("link.toml:{line}:")), "{new}: {}", notes[0]);
    }
}

/// A stubby beam shears, unless it is said that it does or is meant not to; one whose shapes cannot shear is not noted.
#[test]
fn shear_that_is_left_out_is_noted() {
    let stubby = |more: &str| {
        let text = LINK.replace("support = \"clamped-free\"\n", more).replace("length = 1.2", "length = 0.4");
        let file = model_file::from_text("link.toml", &text, None).unwrap();
        file.notes.iter().map(|note| note.as_note().to_string()).collect::<Vec<String>>()
    };
    let noted = stubby("");
    assert_eq!(noted.len(), 1, "{noted:?}");
    let says = ["shear lowers the second frequency", "by about 6 %", "shear_flexible = true", "link.toml:7:"];
    says.iter().for_each(|says| assert!(noted[0].contains(says), "{says}: {}", noted[0]));
    for more in ["shear_flexible = true\n", "shear_flexible = false\n", "support = \"clamped-free\"\n"] {
        assert_eq!(stubby(more), Vec::<String>::new(), "{more}");
    }
}

#[test]
fn what_is_usual_is_not_noted() {
    let none: [String; 0] = [];
    for (old, new) in [
        ("E = 7e10", "E = 1e6"),
        ("bending_y = 2", ""),
        ("\"clamped-free\"", "\"clamped-loaded\"\ncarried = { mass = 2.0 }"),
        ("\"clamped-free\"", "\"clamped-loaded\"\ntip = { mass = 2.0 }"),
    ] {
        assert_eq!(notes(old, new), none, "{new}");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for model in [
        "examples/crane/crane.toml",
        "examples/double-pendulum/pendulum.toml",
        "examples/laboratory-link/link.toml",
        "examples/shuttle-arm/arm.toml",
        "examples/spacecraft/spacecraft.toml",
        "examples/spin-up-beam/stiffened.model.toml",
        "references/models/arm.toml",
    ] {
        let notes = model_file::read(&root.join(model)).unwrap().notes;
        assert!(notes.is_empty(), "{model}: {notes:#?}");
    }
}

/// Keys and entries of lists are left out; what is not there is told with what is.
#[test]
fn keys_are_left_out() {
    use supple_io::change::Change;
    let folder = std::env::temp_dir().join(format!("supple-unset-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("link.toml");
    let damped = LINK.replace("support", "damping_ratio = 0.02\nsupport");
    std::fs::write(
        &path,
        format!("{damped}[[body]]\nname = \"bob\"\nhinge = {{ kind = \"fixed\" }}\nrigid = {{ mass = 1 }}\n"),
    )
    .unwrap();
    let read = |keys: &[&str]| {
        let changes: Vec<Change> = keys.iter().map(|key| Change::parse_dropped(key).unwrap()).collect();
        model_file::read_changed(&path, &changes)
    };
    let is_damped = |file: &model_file::ModelFile| file.system.bodies[0].modes.damping != supple::ModalMatrix::Zero;
    let whole = read(&[]).unwrap();
    assert!(is_damped(&whole) && whole.system.bodies.len() == 2);
    let dropped = read(&["body.link.beam.damping_ratio", "body.bob"]).unwrap();
    assert!(!is_damped(&dropped) && dropped.system.bodies.len() == 1);
    for (key, says) in [
        ("body.link.beam.damping", "there is no key to drop `damping`"),
        ("body.lnk.beam", "`lnk`"),
        ("body.link.beam.length", "length"),
        ("gravity", "`gravity`"),
    ] {
        let error = read(&[key]).unwrap_err().to_string();
        assert!(error.contains(says), "{key}: {error}");
    }
    let error = read(&["gravity"]).unwrap_err().to_string();
    assert!(error.contains("--unset:1:7") && error.contains("unset gravity"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A value that makes no beam is one finding: nothing is built from it.
#[test]
fn a_value_that_is_refused_is_told_alone() {
    for (old, new, says) in [
        ("length = 1.2", "length = -1.2", "`length` is -1.2"),
        ("length = 1.2", "length = 0", "`length` is 0"),
        ("thickness = 0.002", "thickness = 0", "`thickness` is 0"),
        ("E = 7e10", "E = -7e10", "`E` is -7"),
    ] {
        let error = model_file::from_text("link.toml", &LINK.replace(old, new), None).unwrap_err();
        assert_eq!(error.findings().len(), 1, "{new}: {error}");
        assert!(error.to_string().contains(says), "{new}: {error}");
    }
}
