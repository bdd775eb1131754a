//! Commands about files as a user meets them: check, modes, import, schema, completions.

use std::collections::BTreeSet;
use std::f64::consts::{PI, TAU};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use supple_io::urdf::Root;
use supple_io::{model_file, urdf};

fn run(arguments: &[&str]) -> Output {
    Command::new(crate::program()).args(arguments).output().unwrap()
}

fn reference(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../references").join(name).to_string_lossy().into_owned()
}

/// An empty folder for one test.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

#[track_caller]
fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&text(&run(arguments))).unwrap()
}

#[track_caller]
fn assert_fails(arguments: &[&str], status: i32, says: &[&str]) {
    let output = run(arguments);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{told}");
    for says in says {
        assert!(told.contains(says), "`{says}` is missing in: {told}");
    }
    assert!(!told.contains("panicked") && output.stdout.is_empty(), "{told}");
}

/// A cantilever of 1 m with 2 kg at its tip, cut: cantilever modes get stiffer with every piece, others keep the exact 10.50543 Hz.
#[test]
fn beams_are_cut_with_modes_that_carry() {
    let folder = folder("cut");
    let first = |pieces: usize, modes: &str| -> f64 {
        let mut model = "format = \"supple-model-1\"\n".to_owned();
        for k in 0..=pieces {
            let on = if k > 0 { format!("parent = \"b{}\"\nat = \"tip\"\n", k - 1) } else { String::new() };
            model += &format!("[[body]]\nname = \"b{k}\"\n{on}hinge = {{ kind = \"fixed\" }}\n");
            model += &if k == pieces {
                "rigid = { mass = 2, inertia = [1e-5, 1e-5, 1e-5] }\n".to_owned()
            } else {
                format!(
                    "[body.beam]\nlength = {}\nsection = {{ box = {{ width = 0.04, height = 0.02, thickness = 0.002 }} }}\n\
                     material = {{ E = 7e10, nu = 0.33, density = 2700 }}\n{modes}\n",
                    1.0 / pieces as f64
                )
            };
        }
        let path = write(&folder, "model.toml", &model);
        text(&run(&["modes", &path, "--system"]))
            .lines()
            .find_map(|line| line.strip_prefix("   1")?.split_whitespace().next()?.parse().ok())
            .unwrap()
    };
    let free = "modes = { basis = \"cantilever\", bending_y = 2 }";
    let load = "support = \"clamped-loaded\"\ncarried = { mass = 2.3, inertia = [0.001, 0.5, 0.5] }\nmodes = { bending_y = 2 }";
    let tip = "modes = { bending_y = 1 }";
    let [free, loaded, tip] = [free, load, tip].map(|modes| [1, 2, 4].map(|pieces| first(pieces, modes)));
    assert!(free[1] > 1.03 * free[0] && free[2] > 1.02 * free[1], "{free:?}");
    assert!(loaded.iter().chain(&tip).all(|f| (f / 10.50543 - 1.0).abs() < 1e-4), "{loaded:?} {tip:?}");
}

/// The name of `exact` promises more than it keeps with few modes: a check says so, and not of a body without nonlinear tables.
#[test]
fn exact_bodies_are_noted() {
    let folder = folder("exact");
    let beam = |fidelity: &str| {
        format!(
            "format = \"supple-model-1\"\n[[body]]\nname = \"boom\"\nhinge = {{ kind = \"revolute\", axis = [0, 0, 1] }}\n[body.beam]\n\
             length = 1\nsection = {{ tube = {{ outer_radius = 0.02, thickness = 0.002 }} }}\n\
             material = {{ E = 7e10, nu = 0.33, density = 2700 }}\nmodes = {{ bending_y = 2, stretch = 1 }}\nfidelity = \"{fidelity}\"\n"
        )
    };
    let told = text(&run(&["check", &write(&folder, "exact.toml", &beam("exact"))]));
    assert!(told.contains("note: body 'boom' is `exact`, which locks in bending"), "{told}");
    let told = text(&run(&["check", &write(&folder, "stiffened.toml", &beam("stiffened"))]));
    assert!(!told.contains("note"), "{told}");
    let told = text(&run(&["check", &reference("models/arm.toml")]));
    assert!(told.contains("modes, exact") && !told.contains("locks"), "{told}");
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[track_caller]
fn assert_near(found: f64, expected: f64, relative: f64) {
    assert!((found - expected).abs() <= relative * expected.abs(), "{found} is not {expected}");
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

/// The keys that the help of a command lists after a mark, up to the end of the list.
fn documented(command: &str, mark: &str) -> BTreeSet<String> {
    let help = text(&run(&[command, "--help"]));
    let (_, list) = help.split_once(mark).unwrap();
    let list = list.split([';', '.', '(', ')']).next().unwrap();
    list.split(',').map(|key| key.trim().to_owned()).collect()
}

/// A boom with `modes` bending modes and what hangs at its tip.
fn boom(modes: usize, tip: &str) -> String {
    format!(
        r#"format = "supple-model-1"
[[body]]
name = "boom"
hinge = {{ kind = "fixed" }}
[body.beam]
length = 2.0
properties = {{ mass_per_length = 1.5, EA = 1e8, EI_y = 300.0, EI_z = 300.0, GJ = 1e4, rotary_inertia = [1e-3, 0, 0] }}
modes = {{ basis = "cantilever", bending_y = {modes} }}
{tip}"#
    )
}

#[test]
fn check_tells_facts_of_every_kind_of_file() {
    let (urdf, side) = (reference("urdf/arm.urdf"), reference("urdf/arm.flexible.toml"));
    let all =
        ["models/arm.toml", "models/slew.scenario.toml", "models/crane.toml", "sid/cantilever.sid"].map(reference);
    let [arm, slew, crane, sid] = all.each_ref().map(|file| json(&["check", "--json", file]));
    let robot = json(&["check", "--json", &urdf, "--side", &side]);
    let listed = documented("check", "JSON keys: ");
    for facts in [&arm, &slew, &crane, &sid, &robot] {
        assert_eq!(keys(facts), listed);
        assert_eq!(facts["sound"], true);
    }
    assert_eq!(
        [&arm, &slew, &robot, &sid].map(|f| f["kind"].as_str().unwrap()),
        ["model", "scenario", "robot", "standard input data"]
    );
    assert_eq!((arm["speeds"].as_u64(), arm["coordinates"].as_u64()), (Some(20), Some(21)));
    let tube = 2750.0 * PI * (0.06_f64.powi(2) - 0.057_f64.powi(2)) * 3.0;
    assert_near(arm["total_mass"].as_f64().unwrap(), 250.0 + tube + (2.4 * 2.5 + 1.2) + 4.0 + 8.0, 1e-12);
    // First bending of a clamped tube: 1.8751² √(EI / (μ L⁴)).
    let second_moment = PI / 4.0 * (0.06_f64.powi(4) - 0.057_f64.powi(4));
    let expected = 1.875_104_068_711_961_f64.powi(2) * (7.1e10 * second_moment * 3.0 / tube).sqrt() / 9.0 / TAU;
    assert_near(numbers(&arm["bodies"][1]["locked_frequencies"])[0], expected, 1e-9);
    assert_eq!(arm["bodies"][3]["parent"], "forearm");
    assert_eq!(arm["bodies"][1]["hinge"]["elements"], serde_json::json!(["damping", "friction", "stops", "motor"]));
    assert_eq!(slew["bodies"], arm["bodies"]);
    assert_eq!(slew["scenario"]["motions"], 2);
    assert_eq!(slew["scenario"]["integrator"], "prince-dormand8");
    // The crane is told twice; the URDF has one more link, without mass.
    assert_near(robot["total_mass"].as_f64().unwrap(), crane["total_mass"].as_f64().unwrap(), 1e-14);
    assert_near(robot["condition"].as_f64().unwrap(), crane["condition"].as_f64().unwrap(), 1e-6);
    let flexible = |facts: &Value| -> Vec<f64> {
        let bodies = facts["bodies"].as_array().unwrap().iter();
        bodies
            .filter(|body| !body["locked_frequencies"].is_null())
            .flat_map(|b| numbers(&b["locked_frequencies"]))
            .collect()
    };
    assert_eq!(flexible(&robot), flexible(&crane));
    assert_near(sid["total_mass"].as_f64().unwrap(), 3.0, 1e-14);
}

#[test]
fn check_draws_the_tree() {
    let told = text(&run(&["check", &reference("models/arm.toml")]));
    for line in [
        "5 bodies, 278.3 kg, 21 coordinates, 20 speeds, 2 node attitudes",
        "│     └─ gripper  universal \"wrist\" (damping) at node tip, 4 kg at (0, 0, 0.2)",
        "└─ panel          fixed \"panel root\" at node 0, 8 kg at (1.5, 0, 0), 2 modes",
        "forearm: 2 modes, inconsistent: deforming modal mass, deformed velocity terms, linear stiffness",
        "note: body 'panel': its modes are not mass-normalised; the modal coordinates stay as given, at a higher cost",
        "valid",
    ] {
        assert!(told.lines().any(|found| found == line), "`{line}` is missing in\n{told}");
    }
}

#[test]
fn a_long_chain_is_drawn_in_bounded_space() {
    let mut model = String::from("format = \"supple-model-1\"\n");
    for k in 0..2000 {
        let parent = if k > 0 { format!("parent = \"b{}\"\n", k - 1) } else { String::new() };
        model += &format!("[[body]]\nname = \"b{k}\"\n{parent}hinge = {{ kind = \"revolute\", axis = [0, 1, 0] }}\n");
        model += "rigid = { mass = 1, mass_centre = [1, 0, 0], inertia = [1, 1, 1] }\n";
    }
    let folder = folder("chain");
    let told = text(&run(&["check", &write(&folder, "chain.toml", &model)]));
    assert!(told.lines().all(|line| line.chars().count() < 200));
    assert_eq!(told.lines().filter(|line| line.contains("revolute")).count(), 2000);
}

#[test]
fn check_tells_every_problem_with_its_place() {
    let folder = folder("problems");
    std::fs::copy(reference("models/panel.modes.toml"), folder.join("panel.modes.toml")).unwrap();
    let arm = std::fs::read_to_string(reference("models/arm.toml")).unwrap();
    let bad =
        write(&folder, "arm.toml", &arm.replace("mass_centre", "mas_centre").replace("\"elbow\"", "\"shoulder\""));
    let says = [
        "arm.toml:10:25",
        "         ^^^^^^^^^^",
        "expected: one of mass, mass_centre",
        "help: did you mean `mass_centre`?",
        "arm.toml:56:23",
    ];
    assert_fails(&["check", &bad], 1, &says);
    assert_fails(&["modes", &bad], 1, &says);
    let output = run(&["check", "--json", &bad]);
    assert_eq!(output.status.code(), Some(1));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(keys(&told), documented("check", "of an invalid file: "));
    assert_eq!(told["sound"], false);
    let places: Vec<_> =
        told["problems"].as_array().unwrap().iter().map(|p| (p["line"].as_u64(), p["column"].as_u64())).collect();
    assert!(places.contains(&(Some(10), Some(25))) && places.contains(&(Some(56), Some(23))), "{told}");
    assert_eq!(told["problems"][0]["remedy"], "did you mean `mass_centre`?");
    // A scenario tells the problems of its model, in the model's file.
    std::fs::copy(reference("models/elbow.csv"), folder.join("elbow.csv")).unwrap();
    let slew = std::fs::read_to_string(reference("models/slew.scenario.toml")).unwrap();
    assert_fails(&["check", &write(&folder, "slew.toml", &slew)], 1, &["arm.toml:10:25"]);
    // What only the engine sees: a hinge that moves no mass.
    let massless = "format = \"supple-model-1\"\n[[body]]\nname = \"b\"\nhinge = { kind = \"prismatic\", axis = [1, 0, 0] }\nrigid = { mass = 0 }\n";
    assert_fails(&["check", &write(&folder, "massless.toml", massless)], 1, &["massless.toml:", "moves no mass"]);
    let sid = std::fs::read_to_string(reference("sid/cantilever.sid")).unwrap();
    let cut = write(&folder, "cut.SID_FEM", &sid[..3000]);
    assert_fails(&["check", &cut], 1, &["cut.SID_FEM:63:", "frame node 2, phi", "= help: "]);
    let heavy = sid.replacen("= 3e0", "= -3", 1);
    assert_ne!(heavy, sid);
    assert_fails(&["check", &write(&folder, "heavy.sid", &heavy)], 1, &["heavy.sid:1:1", "mass must not be negative"]);
}

#[test]
fn lenient_readers_turn_defects_into_notes() {
    let robot = std::fs::read_to_string(reference("urdf/arm.urdf")).unwrap().replace("</robot>", "<whatsit/></robot>");
    let folder = folder("lenient");
    let file = write(&folder, "arm.urdf", &robot);
    assert_fails(&["check", &file], 1, &["error: robot: unknown element `<whatsit>`", "arm.urdf:"]);
    let told = text(&run(&["check", "--lenient", &file]));
    assert!(told.contains("note: robot: unknown element `<whatsit>`") && !told.contains("error"), "{told}");
    let notes = json(&["check", "--lenient", "--json", &file])["notes"].clone();
    assert!(notes[0].as_str().unwrap().contains("arm.urdf:"), "{notes}");
    let target = folder.join("arm.toml");
    let output = run(&["import", "--lenient", &file, "-o", target.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("note: robot: unknown element `<whatsit>`"));
    assert!(text(&output).contains("6 bodies, 4 speeds, 1 note"), "{}", text(&output));
}

#[test]
fn files_of_other_commands_are_sent_there() {
    assert_fails(&["check", "no/such.toml"], 1, &["no/such.toml: the file cannot be read: there is no such file"]);
    let output = run(&["check", "--json", "no/such.toml"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["problems"][0]["what"], "the file cannot be read: there is no such file");
    assert_eq!(told["problems"][0]["remedy"], "check its name");
    assert_fails(&["check", &reference("models")], 1, &["it is not a regular file"]);
    assert_fails(&["check", &reference("models/panel.modes.toml")], 2, &["give the model that uses it"]);
    assert_fails(&["check", &reference("urdf/arm.flexible.toml")], 2, &["give the robot and this file with --side"]);
    assert_fails(&["modes", &reference("cases/serial_2_flex.json")], 2, &["evaluate it with `supple eval`"]);
    assert_fails(&["check", "--lenient", &reference("models/arm.toml")], 2, &["--lenient applies to robots"]);
    assert_fails(
        &["modes", &reference("models/arm.toml"), "--body", "bus"],
        2,
        &["there is no flexible body `bus`", "panel"],
    );
    assert_fails(&["check"], 2, &["Usage: supple check"]);
}

/// Two hinges on one axis, the first body all but massless: the mass matrix is nearly singular, and it is said.
#[test]
fn bad_condition_is_hinted_at() {
    let body = |name: &str, parent: &str, moment: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\n{parent}hinge = {{ kind = \"revolute\", axis = [0, 0, 1] }}\n\
             rigid = {{ mass = 1e-9, inertia = [{moment:e}, {moment:e}, {moment:e}] }}\n"
        )
    };
    let model = |light: f64| {
        format!("format = \"supple-model-1\"\n{}{}", body("a", "", light), body("b", "parent = \"a\"\n", 1.0))
    };
    let folder = folder("condition");
    let file = write(&folder, "light.toml", &model(1e-11));
    // Scaled, the matrix is [[1, c], [c, 1]] with c² = 1 / (1 + light): its condition number is about 4 / light.
    assert_near(json(&["check", "--json", &file])["condition"].as_f64().unwrap(), 4e11, 1e-3);
    let told = text(&run(&["check", &file]));
    assert!(told.contains("hint: accelerations lose up to 12 of 16 digits"), "{told}");
    let sound = write(&folder, "sound.toml", &model(1.0));
    let root = 0.5_f64.sqrt();
    assert_near(json(&["check", "--json", &sound])["condition"].as_f64().unwrap(), (1.0 + root) / (1.0 - root), 1e-12);
    assert!(!text(&run(&["check", &sound])).contains("hint"));
}

#[test]
fn modes_of_a_beam_have_their_known_effective_masses() {
    let tables = json(&["modes", "--json", &reference("models/arm.toml")]);
    assert_eq!(
        keys(&tables),
        documented("modes", "JSON keys: ").into_iter().chain(["bodies".into()]).filter(|k| !k.contains(' ')).collect()
    );
    assert_eq!(tables["directions"][4], "along y");
    let bodies = tables["bodies"].as_array().unwrap();
    assert_eq!(keys(&bodies[0]), documented("modes", "bodies ("));
    assert_eq!(bodies.iter().map(|b| b["modes"].as_array().unwrap().len()).collect::<Vec<_>>(), [6, 2, 2]);
    let first = &bodies[0]["modes"][0];
    assert_near(numbers(&first["percent"])[4], 61.31, 1e-4);
    assert_near(numbers(&bodies[0]["modes"][1]["running_percent"])[4], 61.31 + 18.83, 1e-4);
    assert_near(first["damping_ratio"].as_f64().unwrap(), 0.005, 1e-12);
    assert_near(first["rad_per_s"].as_f64().unwrap(), first["hz"].as_f64().unwrap() * TAU, 1e-15);
    assert_eq!(first["sketch"]["motion"], "along y");
    // The panel by hand: m = Σ (J λ² + m γ²), k = 9, c = 0.03.
    let mass = 0.4 * (0.35_f64.powi(2) + 0.45_f64.powi(2)) + 4.0 * (0.18_f64.powi(2) + 0.6_f64.powi(2));
    let panel = &bodies[2]["modes"][0];
    assert_near(panel["modal_mass"].as_f64().unwrap(), mass, 1e-14);
    assert_near(panel["rad_per_s"].as_f64().unwrap(), (9.0 / mass).sqrt(), 1e-14);
    assert_near(panel["damping_ratio"].as_f64().unwrap(), 0.03 / (2.0 * (9.0 * mass).sqrt()), 1e-14);
    let only = json(&["modes", "--json", &reference("models/arm.toml"), "--body", "panel"]);
    assert_eq!(only["bodies"], serde_json::json!([bodies[2]]));
    // Standard input data have no masses at nodes; the same beam, the same percentages.
    let sid = json(&["modes", "--json", &reference("sid/cantilever.sid")]);
    assert_near(numbers(&sid["bodies"][0]["modes"][0]["percent"])[4], 61.31, 1e-4);
    let drawn = text(&run(&["modes", &reference("models/arm.toml"), "--body", "panel"]));
    assert!(drawn.contains("mode 1: along z, drawn along x\n") && drawn.contains("******"), "{drawn}");
}

/// A mode that moves the hinge: two unit masses at the ends of a spring. Free they swing at √2, held at one end at 1.
#[test]
fn modes_that_move_the_hinge_are_told_with_it_locked() {
    let model = r#"format = "supple-model-1"
[[body]]
name = "pair"
hinge = { kind = "fixed" }
nodes = [
  { position = [0, 0, 0], mass = 1, influence = [[0, 0, 0, 0, 1, 0]] },
  { position = [1, 0, 0], mass = 1, influence = [[0, 0, 0, 0, -1, 0]] },
]
modes = { count = 1, stiffness = [4.0] }
"#;
    let file = write(&folder("pair"), "pair.toml", model);
    let table = json(&["modes", "--json", &file])["bodies"][0].clone();
    assert_near(table["modes"][0]["rad_per_s"].as_f64().unwrap(), 2.0_f64.sqrt(), 1e-14);
    assert_near(numbers(&table["locked_frequencies"])[0] * TAU, 1.0, 1e-14);
    assert!(text(&run(&["modes", &file])).contains("note: the modes move the hinge; with it locked"));
    let system = json(&["modes", "--json", "--system", &file]);
    assert_near(system["modes"][0]["frequency_hz"].as_f64().unwrap() * TAU, 1.0, 1e-9);
}

/// A cantilever with its own mass at the tip: `1 + cos x cosh x = x (sin x cosh x - cos x sinh x)` at x = 1.24792.
#[test]
fn frequencies_of_a_system_are_those_of_a_loaded_beam() {
    let folder = folder("system");
    let tip = "[[body]]\nname = \"load\"\nparent = \"boom\"\nat = \"tip\"\nhinge = { kind = \"fixed\" }\nrigid = { mass = 3.0 }\n";
    let file = write(&folder, "loaded.toml", &boom(8, tip));
    let told = json(&["modes", "--system", "--json", &file]);
    assert_eq!(keys(&told), documented("modes", "with --system: "));
    let residual = |x: f64| 1.0 + x.cos() * x.cosh() - x * (x.sin() * x.cosh() - x.cos() * x.sinh());
    let (mut low, mut high) = (1.0, 1.5);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if residual(middle) > 0.0 { low = middle } else { high = middle }
    }
    let exact = low * low * (300.0_f64 / (1.5 * 16.0)).sqrt();
    let found = told["modes"][0]["frequency_hz"].as_f64().unwrap() * TAU;
    // Assumed modes are stiffer than the beam: from above, within what eight clamped modes leave.
    assert!(found >= exact && found < exact * 1.001, "{found} {exact}");
    assert_eq!(told["modes"].as_array().unwrap().len(), 8);
    // Alone, the system is its body.
    let alone = write(&folder, "alone.toml", &boom(3, ""));
    let system = json(&["modes", "--system", "--json", &alone]);
    let body = json(&["modes", "--json", &alone]);
    for k in 0..3 {
        let (a, b) = (&system["modes"][k]["frequency_hz"], &body["bodies"][0]["modes"][k]["hz"]);
        assert_near(a.as_f64().unwrap(), b.as_f64().unwrap(), 1e-9);
    }
    let rigid = "format = \"supple-model-1\"\n[[body]]\nname = \"b\"\nhinge = { kind = \"free\" }\nrigid = { mass = 1, inertia = [1, 1, 1] }\n";
    let rigid = write(&folder, "rigid.toml", rigid);
    assert_eq!(json(&["modes", "--system", "--json", &rigid])["modes"], serde_json::json!([]));
    assert!(text(&run(&["modes", &rigid])).contains("no flexible bodies"));
}

#[test]
fn an_imported_robot_is_the_same_system() {
    let folder = folder("import");
    let target = folder.join("crane.toml");
    let target = target.to_str().unwrap();
    let (robot, side) = (reference("urdf/arm.urdf"), reference("urdf/arm.flexible.toml"));
    let told = text(&run(&["import", &robot, "--side", &side, "-o", target]));
    assert!(told.contains("crane.toml: 6 bodies, 12 speeds, 1 note"), "{told}");
    let read = urdf::read(robot.as_ref(), Some(side.as_ref()), &urdf::Options::default()).unwrap().file;
    let back = model_file::read(target.as_ref()).unwrap();
    assert_eq!(back.system, read.system);
    assert_eq!(back.name.as_deref(), Some("crane"));
    // What stands there stays, unless told otherwise.
    let before = std::fs::read(target).unwrap();
    let again = ["import", &robot, "-o", target, "--name", "rigid crane"];
    assert_fails(&again, 2, &["crane.toml: the file already exists; use --force to overwrite it"]);
    assert_eq!(std::fs::read(target).unwrap(), before);
    text(&run(&[&again[..], &["--force"]].concat()));
    let rigid = model_file::read(target.as_ref()).unwrap();
    assert_eq!((rigid.name.as_deref(), rigid.model.speed_count()), (Some("rigid crane"), 4));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    // A free root: the base of this robot has no mass to move, a bare link with mass has.
    assert_fails(&["import", &robot, "-o", target, "--force", "--hinge", "free"], 1, &["moves no mass", "arm.urdf:4"]);
    let link = r#"<robot name="r"><link name="l"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"#;
    let link = write(&folder, "link.urdf", link);
    text(&run(&["import", &link, "-o", target, "--force", "--hinge", "free"]));
    let options = urdf::Options { root: Root::Free, ..urdf::Options::default() };
    assert_eq!(
        model_file::read(target.as_ref()).unwrap().system,
        urdf::read(link.as_ref(), None, &options).unwrap().file.system
    );
    assert_fails(&["import", &reference("models/arm.toml"), "-o", target, "--force"], 2, &["nothing to import"]);
    assert_fails(&["import", &link, "-o", folder.join("no/such.toml").to_str().unwrap()], 1, &["such.toml: "]);
}

#[test]
fn imported_standard_input_data_are_the_same_system() {
    let folder = folder("import_sid");
    let (source, target) = (reference("sid/cantilever.sid"), folder.join("beam.toml"));
    let output = run(&["import", &source, "-o", target.to_str().unwrap(), "--hinge", "free"]);
    assert!(text(&output).contains("1 body, 10 speeds, 1 note"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("note: the hinge is at the first node, number 1"));
    let sid = supple_bodies::sid::Sid::read(&std::fs::read_to_string(&source).unwrap()).unwrap();
    let hinge = supple::Hinge::new(supple::HingeKind::Free);
    let body = sid.body("beam", supple::Parent::Ground, hinge, supple::Fidelity::Stiffened).unwrap();
    assert_eq!(model_file::read(&target).unwrap().system.bodies, [body]);
    let modes = |file: &str| json(&["modes", "--json", file])["bodies"].clone();
    assert_eq!(modes(&source), modes(target.to_str().unwrap()));
}

#[test]
fn schemas_are_those_of_the_papers() {
    let folder = folder("schema");
    let kinds = ["model", "scenario", "study", "modes", "flexible", "identify", "optimise"];
    for kind in kinds {
        let paper = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/schema/{kind}.schema.json"));
        let paper = std::fs::read_to_string(paper).unwrap();
        assert_eq!(text(&run(&["schema", kind])), paper);
        assert!(text(&run(&["schema", kind, "-o", folder.join(kind).to_str().unwrap()])).is_empty());
        assert_eq!(std::fs::read_to_string(folder.join(kind)).unwrap(), paper);
    }
    assert_fails(&["schema", "robot"], 2, &["possible values", &kinds.join(", ")]);
}

#[test]
fn every_shell_completes_every_command() {
    let help = text(&run(&["--help"]));
    let (_, listed) = help.split_once("Commands:\n").unwrap();
    let (listed, _) = listed.split_once("\n\n").unwrap();
    let commands: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 7);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = text(&run(&["completions", shell]));
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    assert_fails(&["completions", "csh"], 2, &["possible values"]);
}
