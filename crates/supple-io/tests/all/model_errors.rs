//! Every mistake in a model file is told with its place, what was expected and what to do, all at once.

use std::fs;
use std::path::{Path, PathBuf};

use supple_io::model_file;
use supple_io::source::{FileError, NumberFault, PathFault, Rule};

const SOUND: &str = r#"format = "supple-model-1"
gravity = [0, 0, -9.81]

[[body]]
name = "boom"
hinge = { kind = "revolute", axis = [0, 1, 0], damping = 0.2 }
beam = { length = 2.0, section = { tube = { outer_radius = 0.05, thickness = 0.005 } }, material = { E = 7e10, nu = 0.33, density = 2700 }, modes = { bending_y = 1 } }

[[body]]
name = "load"
parent = "boom"
at = "tip"
hinge = { kind = "revolute", axis = [1, 0, 0] }
rigid = { mass = 1.5, mass_centre = [0, 0, 0], inertia = [0.01, 0.01, 0.01] }
"#;

fn read(text: &str) -> Result<model_file::ModelFile, FileError> {
    model_file::from_text("arm.toml", text, None)
}

#[track_caller]
fn errors(text: &str) -> FileError {
    read(text).expect_err("the text is broken")
}

/// The rules broken by `SOUND` with a part replaced.
#[track_caller]
fn broken(part: &str, by: &str) -> Vec<Rule> {
    assert!(SOUND.contains(part), "{part}");
    errors(&SOUND.replacen(part, by, 1)).findings().iter().map(|finding| finding.rule.clone()).collect()
}

#[track_caller]
fn the_one(part: &str, by: &str) -> Rule {
    let rules = broken(part, by);
    assert_eq!(rules.len(), 1, "{rules:#?}");
    rules[0].clone()
}

#[test]
fn the_sound_one_is_read() {
    let file = read(SOUND).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(file.model.speed_count(), 5);
    assert!(read(&SOUND.replace('\n', "\r\n")).is_ok());
}

#[test]
fn a_message_has_place_underline_expectation_and_remedy() {
    let text = SOUND.replace("mass_centre = [0, 0, 0]", "mas_centre = [0, 0, 0]");
    let told = errors(&text).to_string();
    println!("{told}");
    assert!(told.starts_with("error: unknown key `mas_centre`\n  --> arm.toml:14:23\n   |\n14 | rigid = {"), "{told}");
    assert!(told.contains("\n   |                       ^^^^^^^^^^\n"), "{told}");
    assert!(told.contains("= expected: one of mass, mass_centre, inertia, inertia_about\n"), "{told}");
    assert!(told.contains("= help: did you mean `mass_centre`?"), "{told}");
}

/// A modulus below zero is told at the modulus, and not again at the section that it makes impossible.
#[test]
fn a_wrong_number_is_told_once() {
    for (part, by, what) in [
        ("E = 7e10", "E = -7e10", "E"),
        ("density = 2700", "density = 0", "density"),
        ("mass = 1.5,", "mass = -1.5,", "mass"),
    ] {
        let rule = the_one(part, by);
        assert!(matches!(&rule, Rule::Range { quantity, .. } if quantity == what), "{rule:?}");
    }
}

/// A key in the wrong table is told where it belongs, a node that is not chosen which nodes there are.
#[test]
fn remedies_name_what_is_there() {
    let told = errors(&SOUND.replace("beam = {", "fidelity = \"stiffened\"\nbeam = {")).to_string();
    assert!(told.contains("unknown key `fidelity`") && told.contains("help: it belongs in the table `beam`"), "{told}");
    let told = errors(&SOUND.replace("name = \"load\"", "name = \"load\"\nfidelity = \"exact\"")).to_string();
    assert!(told.contains("help: remove it"), "{told}");
    let told = errors(&SOUND.replace("at = \"tip\"\n", "")).to_string();
    assert!(told.contains("`at`: a node of `boom`, which has more than one: root, tip\n"), "{told}");
    assert!(told.contains("help: add for instance `at = \"tip\"`"), "{told}");
}

#[test]
fn all_problems_at_once_in_the_order_of_the_text() {
    let text = SOUND
        .replace("gravity = [0, 0, -9.81]", "gravity = [0, 0]\ngravitation = 1")
        .replace("kind = \"revolute\", axis = [0, 1, 0]", "kind = \"revolut\", axis = [0, 1, 0]")
        .replace("length = 2.0", "length = -2.0")
        .replace("parent = \"boom\"", "parent = \"bom\"")
        .replace("mass = 1.5", "mass = nan");
    let error = errors(&text);
    println!("{error}");
    let lines: Vec<usize> = error.findings().iter().map(|finding| finding.place.line).collect();
    assert_eq!(lines, [2, 3, 7, 8, 12, 15]);
    assert!(error.findings().iter().all(|finding| finding.place.file == "arm.toml"));
    assert!(error.to_string().contains("did you mean `revolute`?"));
    assert!(error.to_string().contains("did you mean `boom`?"));
}

#[test]
fn each_mistake_has_its_rule() {
    let is = |rule: Rule, kind: fn(&Rule) -> bool| assert!(kind(&rule), "{rule:?}");
    is(the_one("supple-model-1", "supple-model-9"), |r| matches!(r, Rule::Format { .. }));
    is(the_one("name = \"load\"\n", ""), |r| matches!(r, Rule::MissingKey { key: "name", .. }));
    is(the_one("name = \"load\"", "name = \"boom\""), |r| matches!(r, Rule::DuplicateName { first_line: 5, .. }));
    is(the_one("name = \"load\"", "name = \"\""), |r| matches!(r, Rule::Type { .. }));
    is(the_one("name = \"load\"", "name = 3"), |r| matches!(r, Rule::Type { .. }));
    is(the_one("at = \"tip\"", "at = \"top\""), |r| matches!(r, Rule::UnknownName { kind: "node", .. }));
    is(the_one("at = \"tip\"", "at = 99"), |r| matches!(r, Rule::UnknownName { kind: "node", .. }));
    is(the_one("at = \"tip\"\n", ""), |r| matches!(r, Rule::MissingNode { .. }));
    is(the_one("name = \"boom\"", "name = \"boom\"\nparent = \"load\"\nat = 0"), |r| matches!(r, Rule::Cycle { .. }));
    is(the_one("name = \"boom\"", "name = \"boom\"\nat = 0"), |r| matches!(r, Rule::Useless { .. }));
    is(the_one(", axis = [1, 0, 0]", ""), |r| matches!(r, Rule::MissingKey { key: "axis", .. }));
    is(the_one("axis = [1, 0, 0]", "axis = [1, 0, 0], pitch = 1"), |r| matches!(r, Rule::Useless { .. }));
    is(the_one("axis = [1, 0, 0]", "axis = [1, 0, 0, 0]"), |r| matches!(r, Rule::Length { found: 4, expected: 3, .. }));
    is(the_one("damping = 0.2", "damping = [0.2, 0.3]"), |r| matches!(r, Rule::Length { .. }));
    is(the_one("damping = 0.2", "damping = -0.2"), |r| matches!(r, Rule::Range { .. }));
    is(the_one("damping = 0.2", "stops = { lower = 1, upper = 0 }"), |r| matches!(r, Rule::Mismatch { .. }));
    is(the_one("damping = 0.2", "rotation = { rpy = [0, 0, 0], matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }"), |r| {
        matches!(r, Rule::OneOf { .. })
    });
    is(the_one("damping = 0.2", "rotation = {}"), |r| matches!(r, Rule::OneOf { .. }));
    is(the_one("damping = 0.2", "rotation = { quaternion = [1, 1, 0, 0] }"), |r| matches!(r, Rule::NotUnit { .. }));
    is(the_one("kind = \"revolute\", axis = [0, 1, 0]", "kind = \"fixed\""), |r| matches!(r, Rule::Useless { .. }));
    is(the_one("thickness = 0.005", "thickness = 0.5"), |r| matches!(r, Rule::Mismatch { .. }));
    is(the_one("nu = 0.33", "nu = 0.6"), |r| matches!(r, Rule::Mismatch { .. }));
    is(the_one("nu = 0.33", "nu = 0.3, G = 1e10"), |r| matches!(r, Rule::OneOf { .. }));
    is(the_one("bending_y = 1", "bending_y = 30, bending_z = 30"), |r| matches!(r, Rule::TooMany { .. }));
    is(the_one("bending_y = 1", "bending_y = 1000000000"), |r| matches!(r, Rule::Range { .. }));
    is(the_one("bending_y = 1", "bending_y = 1.5"), |r| matches!(r, Rule::Type { .. }));
    let both = broken("rigid = {", "beam = { length = 1 }\nrigid = {");
    assert!(both.iter().any(|rule| matches!(rule, Rule::Together { .. })), "{both:?}");
}

#[test]
fn numbers() {
    for (text, fault) in [
        ("nan", NumberFault::NotANumber),
        ("inf", NumberFault::Infinite),
        ("-inf", NumberFault::Infinite),
        ("1e400", NumberFault::Overflow),
        ("1e-400", NumberFault::Underflow),
    ] {
        let rule = the_one("mass = 1.5", &format!("mass = {text}"));
        assert!(matches!(&rule, Rule::Number { fault: found, .. } if *found == fault), "{text}: {rule:?}");
    }
    for text in ["1,5", "", "1.0abc", "0x1p3", "."] {
        let rules = broken("mass = 1.5", &format!("mass = {text}"));
        assert!(matches!(rules[0], Rule::Syntax { .. }), "{text}: {rules:?}");
    }
    let long = "1".repeat(10_000);
    assert!(matches!(the_one("mass = 1.5", &format!("mass = {long}.0")), Rule::Number { .. }));
    assert!(matches!(the_one("mass = 1.5", &format!("mass = {long}")), Rule::Number { .. }));
    assert!(read(&SOUND.replace("mass = 1.5", "mass = 4.9e-324")).is_ok());
    assert!(read(&SOUND.replace("mass = 1.5", "mass = 0x10")).is_ok());
}

#[test]
fn problems_of_the_engine_are_told_at_the_body() {
    let told = |part: &str, by: &str| -> (usize, Rule) {
        let text = SOUND.replacen(part, by, 1);
        let error = errors(&text);
        assert_eq!(error.findings().len(), 1, "{error}");
        (error.findings()[0].place.line, error.findings()[0].rule.clone())
    };
    let (line, rule) = told("axis = [1, 0, 0]", "axis = [0, 0, 0]");
    assert!(line == 13 && matches!(rule, Rule::Model(supple::Problem::ZeroAxis { .. })), "{line} {rule:?}");
    let (line, rule) = told("inertia = [0.01, 0.01, 0.01]", "inertia = [0.01, 0.01, 0.05]");
    assert!(line == 14 && matches!(rule, Rule::Model(supple::Problem::TriangleRule { .. })), "{line} {rule:?}");
    let (line, rule) = told("inertia = [0.01, 0.01, 0.01]", "inertia = [0.01, -0.01, 0.01]");
    assert!(line == 14 && matches!(rule, Rule::Model(supple::Problem::NegativeInertia { .. })), "{line} {rule:?}");
    let (line, rule) = told("inertia = [0.01, 0.01, 0.01]", "inertia = [0, 0, 0]");
    assert!(line == 13 && matches!(rule, Rule::Model(supple::Problem::MasslessHinge { .. })), "{line} {rule:?}");
    let skewed = "rotation = { matrix = [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]] }";
    let (line, rule) = told("damping = 0.2", skewed);
    assert!(line == 6 && matches!(rule, Rule::Model(supple::Problem::NotARotation { .. })), "{line} {rule:?}");
    println!("{}", errors(&SOUND.replace("inertia = [0.01, 0.01, 0.01]", "inertia = [0.01, 0.01, 0.05]")));
}

#[test]
fn texts() {
    let rule = |bytes: &[u8]| {
        let folder = std::env::temp_dir().join(format!("supple-texts-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("x.toml");
        fs::write(&path, bytes).unwrap();
        let error = model_file::read(&path).unwrap_err();
        fs::remove_file(&path).unwrap();
        error.findings()[0].rule.clone()
    };
    assert_eq!(rule(b""), Rule::Empty);
    assert_eq!(rule(b" \n\t\n"), Rule::Empty);
    assert_eq!(rule(b"format = \"\xff\""), Rule::NotUtf8 { offset: 10 });
    assert_eq!(rule(b"\xff\xfef\0o\0"), Rule::NotUtf8 { offset: 0 });
    assert!(matches!(rule(b"format = \"x"), Rule::Syntax { .. }));
    assert!(matches!(rule(b"a = 1\na = 2"), Rule::Syntax { .. }));
    let deep = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(matches!(rule(deep.as_bytes()), Rule::Syntax { .. }));
    let missing = model_file::read(Path::new("no/such/file.toml")).unwrap_err();
    assert!(matches!(missing.findings()[0].rule, Rule::Open { fault: PathFault::NotFound }));
}

/// Nothing outside of the folder is opened, whatever the name.
#[test]
fn files_stay_in_the_folder() {
    let root = std::env::temp_dir().join(format!("supple-folder-{}", std::process::id()));
    let folder = root.join("model");
    fs::create_dir_all(folder.join("parts")).unwrap();
    let modes =
        fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../references/models/panel.modes.toml"))
            .unwrap();
    fs::write(root.join("secret.toml"), &modes).unwrap();
    fs::write(folder.join("parts/panel.toml"), &modes).unwrap();
    let fault = |name: &str| {
        let name = name.replace('\0', "\\u0000").replace('\\', "\\\\").replace("\\\\u0000", "\\u0000");
        let text = format!(
            "format = \"supple-model-1\"\n[[body]]\nname = \"p\"\nhinge = {{ kind = \"free\" }}\nmodal = {{ file = \"{name}\" }}\n"
        );
        model_file::from_text("m.toml", &text, Some(&folder)).map_err(|error| error.findings()[0].rule.clone())
    };
    assert!(fault("parts/panel.toml").is_ok());
    assert!(fault("./parts/panel.toml").is_ok());
    let long = "x".repeat(65_536);
    let absolute = root.join("secret.toml");
    for (name, expected) in [
        ("../secret.toml", PathFault::Upward),
        ("parts/../../secret.toml", PathFault::Upward),
        (absolute.to_str().unwrap(), PathFault::Absolute),
        ("file:///etc/passwd", PathFault::Address),
        ("file:secret.toml", PathFault::Address),
        ("http://example.org/x", PathFault::Address),
        ("\\\\server\\share\\x", PathFault::Absolute),
        ("C:\\x.toml", PathFault::Absolute),
        ("..\\secret.toml", PathFault::Coded),
        ("%2e%2e/secret.toml", PathFault::Coded),
        ("a\0b", PathFault::ZeroByte),
        (&long, PathFault::TooLong { bytes: 65_536 }),
        ("parts", PathFault::NotAFile),
        ("nothing.toml", PathFault::NotFound),
    ] {
        match fault(name) {
            Err(Rule::Path { fault, .. }) => assert_eq!(fault, expected, "{name}"),
            other => panic!("{name}: {:?}", other.map(|_| ())),
        }
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(root.join("secret.toml"), folder.join("link.toml")).unwrap();
        assert!(matches!(fault("link.toml"), Err(Rule::Path { fault: PathFault::Outside, .. })));
    }
    let alone =
        "format = \"supple-model-1\"\n[[body]]\nname = \"p\"\nhinge = { kind = \"free\" }\nmodal = { file = \"x\" }\n";
    assert!(matches!(errors(alone).findings()[0].rule, Rule::Path { fault: PathFault::NoFolder, .. }));
    fs::remove_dir_all(&root).unwrap();
}

/// Whatever is cut out of a sound text or put into it, there is an answer and no panic.
#[test]
fn mutations_never_panic() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../references/models");
    let arm = fs::read_to_string(folder.join("arm.toml")).unwrap();
    let mut seed = 7_u64;
    let mut next = |end: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % end
    };
    let pieces = [
        "",
        "-",
        "1e999",
        "nan",
        "\"",
        "[",
        "]",
        "{",
        "}",
        "0",
        "-0.0",
        "1e-300",
        "1e300",
        "[[body]]\n",
        "= ",
        "true",
        ",",
    ];
    let mut refused = 0;
    for _ in 0..2000 {
        let mut text: Vec<char> = (if next(3) == 0 { SOUND } else { arm.as_str() }).chars().collect();
        for _ in 0..1 + next(3) {
            let start = next(text.len());
            let end = (start + next(12)).min(text.len());
            text.splice(start..end, pieces[next(pieces.len())].chars());
        }
        let text: String = text.into_iter().collect();
        match model_file::from_text("arm.toml", &text, Some(&folder)) {
            Ok(file) => assert!(model_file::write(&file.system).is_ok()),
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    println!("{refused} of 2000 refused");
    assert!(refused > 500 && refused < 1990);
}

/// Beams of any size and any load are built or refused, and none takes forever.
#[test]
fn extreme_beams_are_answered() {
    let mut seed = 3_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let supports = ["clamped-free", "clamped-loaded", "clamped-pinned", "pinned-free", "pinned-pinned", "free-free"]
        .map(|support| format!("support = \"{support}\""));
    // None: tip shapes.
    let supports = [&supports[..], &[String::new()]].concat();
    let (mut built, mut slowest) = (0, std::time::Duration::ZERO);
    for round in 0..300 {
        let mut size = |decades: f64| 10.0_f64.powf(decades * (2.0 * next() - 1.0));
        let (length, mass, stiffness) = (size(10.0), size(10.0), [(); 4].map(|()| size(12.0)));
        let (rotary, tip, inertia) = ([(); 3].map(|()| size(12.0)), size(20.0), [(); 3].map(|()| size(20.0)));
        let text = format!(
            "format = \"supple-model-1\"\n[[body]]\nname = \"b\"\nhinge = {{ kind = \"fixed\" }}\n[body.beam]\nlength = {length:e}\n{}\n\
             properties = {{ mass_per_length = {mass:e}, EA = {:e}, EI_y = {:e}, EI_z = {:e}, GJ = {:e}, rotary_inertia = [{:e}, {:e}, {:e}] }}\n\
             modes = {{ bending_y = 2, bending_z = 1, stretch = 1, twist = 1 }}\ntip = {{ mass = {tip:e}, inertia = [{:e}, {:e}, {:e}] }}\n",
            supports[round % 7],
            stiffness[0],
            stiffness[1],
            stiffness[2],
            stiffness[3],
            rotary[0],
            rotary[1],
            rotary[2],
            inertia[0],
            inertia[1],
            inertia[2],
        );
        let clock = std::time::Instant::now();
        match read(&text) {
            Ok(_) => built += 1,
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        slowest = slowest.max(clock.elapsed());
    }
    println!("{built} of 300 beams built, slowest {slowest:?}");
    assert!(built > 10);
}

/// A file of a later version has keys and words that this one does not know.
#[test]
fn later_versions_are_thought_of() {
    let text = "format = \"supple-model-1\"\nquaternionic = 1\n[[body]]\nname = \"b\"\nrigid = { mass = 1 }\nhinge = { kind = \"magnetic\" }\n";
    let told = supple_io::model_file::from_text("m.toml", text, None).unwrap_err().to_string();
    assert_eq!(told.matches("the version of Supple that the file is for").count(), 2, "{told}");
}
