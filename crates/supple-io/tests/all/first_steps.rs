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
