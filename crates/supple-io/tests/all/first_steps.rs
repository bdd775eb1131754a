//! What newcomers write and mean: files from other editors, robots in the place of scenarios, absurd numbers.

use supple_io::{model_file, scenario_file, urdf};

const BODY: &str = "format = \"supple-model-1\"\n[[body]]\nname = \"b\"\nhinge = { kind = \"free\" }\n";

/// A byte order mark in front means nothing, and moves no place of an error.
#[test]
fn byte_order_marks_are_passed_over() {
    let text = format!("{BODY}rigid = {{ mass = 1, inertia = [1, 1, 1] }}\n");
    let plain = model_file::from_text("x.toml", &text, None).unwrap();
    let marked = model_file::from_text("x.toml", &format!("\u{feff}{text}"), None).unwrap();
    assert_eq!(plain.system, marked.system);
    let wrong =
        |mark: &str| model_file::from_text("x.toml", &format!("{mark}frmat = 1\n"), None).unwrap_err().to_string();
    assert_eq!(wrong(""), wrong("\u{feff}"));
    assert!(wrong("\u{feff}").contains("x.toml:1:1"), "{}", wrong("\u{feff}"));
}

/// A robot in the place of a scenario is called one.
#[test]
fn robots_are_no_scenarios() {
    let robot = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../references/urdf/arm.urdf");
    let error = scenario_file::read(&robot).expect_err("a robot is no scenario").to_string();
    assert!(error.contains("this is a robot, not a scenario") && error.contains("model = "), "{error}");
    assert!(!error.contains("TOML"), "{error}");
}

/// Robots have the same limit as models; the error comes before anything is built.
#[test]
fn robots_have_the_limit_of_models() {
    let robot = |links: usize| format!("<robot name='r'>{}</robot>", "<link name='l'/>".repeat(links));
    let error = urdf::from_text("r.urdf", &robot(100_001), None, &urdf::Options::default()).unwrap_err().to_string();
    assert!(error.contains("100001 links") && error.contains("at most 100000"), "{error}");
}

/// Numbers are written as a person would, not with three hundred digits.
#[test]
fn large_numbers_are_written_short() {
    let material = "material = { E = 7e10, nu = 0.33, density = 2700 }\nmodes = { bending_y = 1 }";
    for beam in [
        format!("length = 1\nsection = {{ tube = {{ outer_radius = 1e-3, thickness = 1e300 }} }}\n{material}"),
        format!("length = 1e300\nsection = {{ tube = {{ outer_radius = 0.1, thickness = 0.01 }} }}\n{material}"),
        format!(
            "length = 1\nsection = {{ tube = {{ outer_radius = 0.1, thickness = 0.01 }} }}\nstations = [{{ name = \"s\", x = 1e300 }}]\n{material}"
        ),
        "length = 1\nsection = { tube = { outer_radius = 0.1, thickness = 0.01 } }\n\
         material = { E = 7e10, nu = 1e300, density = 2700 }\nmodes = { bending_y = 1 }"
            .to_owned(),
    ] {
        let error =
            model_file::from_text("x.toml", &format!("{BODY}[body.beam]\n{beam}\n"), None).unwrap_err().to_string();
        assert!(error.contains("1e300") && !error.contains("00000000000000000000"), "{error}");
    }
}

/// A motion that starts when the run is over is noted, at its start; one that starts before is not.
#[test]
fn motions_that_never_start_are_noted() {
    let folder = std::env::temp_dir().join(format!("supple-late-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let model = BODY.replace("\"free\"", "\"revolute\", axis = [0, 0, 1], name = \"pivot\"");
    std::fs::write(folder.join("m.toml"), format!("{model}rigid = {{ mass = 1, inertia = [1, 1, 1] }}\n")).unwrap();
    let notes = |start: f64| {
        let text = format!(
            "format = \"supple-scenario-1\"\nmodel = \"m.toml\"\nduration = 3\noutput_interval = 1\n[[motion]]\nhinge = \"pivot\"\n\
             quintic = {{ to = 1, start = {start}, duration = 1 }}\n"
        );
        std::fs::write(folder.join("s.toml"), text).unwrap();
        let read = scenario_file::read(&folder.join("s.toml")).unwrap_or_else(|error| panic!("{error}"));
        read.notes.iter().map(|note| note.as_note().to_string()).collect::<Vec<_>>().join("\n")
    };
    let told = notes(5.0);
    assert!(told.contains("starts at 5 s, when the run is over, at 3 s") && told.contains("s.toml:"), "{told}");
    assert_eq!(notes(1.0), "");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Who reads leniently is not told to.
#[test]
fn lenient_notes_do_not_advise_leniency() {
    let robot = "<robot name='r'><link name='l' colour='red'/></robot>";
    let lenient = urdf::Options { lenient: true, ..urdf::Options::default() };
    let read = urdf::from_text("r.urdf", robot, None, &lenient).unwrap_or_else(|error| panic!("{error}"));
    let notes: Vec<String> = read.notes.iter().map(|note| note.as_note().to_string()).collect();
    assert!(notes.iter().any(|note| note.contains("colour")), "{notes:?}");
    assert!(notes.iter().all(|note| !note.contains("--lenient")), "{notes:?}");
    let strict = urdf::from_text("r.urdf", robot, None, &urdf::Options::default()).unwrap_err().to_string();
    assert!(strict.contains("--lenient"), "{strict}");
}

/// A file in the place of a folder is called one: no force helps.
#[test]
fn files_are_no_folders() {
    let file = std::env::temp_dir().join(format!("supple-file-{}", std::process::id()));
    std::fs::write(&file, "mine").unwrap();
    for existing in [supple_io::results::Existing::Replace, supple_io::results::Existing::Refuse] {
        let error = supple_io::results::create_folder(&file, existing).unwrap_err().to_string();
        assert!(error.contains("it is a file, not a folder"), "{error}");
    }
    std::fs::remove_file(&file).unwrap();
}

/// A ratio below zero is told once, not as an indefinite matrix as well.
#[test]
fn negative_damping_is_told_once() {
    let beam = "[body.beam]\nlength = 1\nsection = { rectangle = { width = 0.01, height = 0.01 } }\n\
                material = { E = 7e10, nu = 0.33, density = 2700 }\nmodes = { bending_y = 1 }\ndamping_ratio = -0.1\n";
    let error = model_file::from_text("x.toml", &format!("{BODY}{beam}"), None).unwrap_err();
    assert_eq!(error.findings().len(), 1, "{error}");
}
