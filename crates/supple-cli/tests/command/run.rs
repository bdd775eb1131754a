//! `supple run` from files to results, as a user does it.

use crate::run_support::{Folder, repository, run, runs};
use std::fs;
use std::path::{Path, PathBuf};
use supple::integrate::{Scheme, Simulation, Tolerance};
use supple::{ElasticRotation, Fidelity, Inputs, Model, State, Workspace, forward_dynamics, inverse_dynamics};
use supple_bodies::catalogue::shuttle_arm::{self, ShuttleArm};
use supple_control::Trajectory;
use supple_io::results::read_csv;

/// The Shuttle arm example in a folder of its own, `replace` done to its scenario.
fn shuttle_arm_example(replace: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    let mut scenario = fs::read_to_string(repository("examples/shuttle-arm/fast.toml")).unwrap();
    for (old, new) in replace {
        assert!(scenario.contains(old), "the example has no `{old}`");
        scenario = scenario.replacen(old, new, 1);
    }
    folder.write("arm.toml", fs::read(repository("examples/shuttle-arm/arm.toml")).unwrap());
    folder.write("fast.toml", scenario);
    folder
}

fn short() -> Folder {
    shuttle_arm_example(&[("\nduration = 20\n", "\nduration = 0.5\n")])
}

/// A pendulum-like model of one body on one hinge: `hinge` are further keys of the hinge, inertia 2 kg m² about its axis.
fn one_hinge(hinge: &str, scenario: &str) -> Folder {
    let folder = Folder::new();
    let model = format!(
        "format = \"supple-model-1\"\nname = \"one hinge\"\n[[body]]\nname = \"wheel\"\n\
         hinge = {{ name = \"axle\", kind = \"revolute\", axis = [0, 0, 1], {hinge} }}\n\
         rigid = {{ mass = 3, inertia = [1.5, 1.5, 2] }}\n"
    );
    let scenario = format!("format = \"supple-scenario-1\"\nmodel = \"model.toml\"\n{scenario}");
    folder.write("model.toml", model).write("scenario.toml", scenario);
    folder
}

const TIGHT: &str =
    "[integrator]\nkind = \"prince-dormand8\"\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-12\n";

/// Times and one column of the results.
fn column(folder: &Folder, name: &str) -> Vec<(f64, f64)> {
    let data = read_csv(&folder.path("results/results.csv")).unwrap();
    let at = data.heads.iter().position(|(head, _)| head == name);
    let at = at.unwrap_or_else(|| panic!("no column {name} in {:?}", data.heads));
    data.rows.iter().map(|row| (row[0], row[at])).collect()
}

/// How many rows a Parquet file says it has.
fn parquet_rows(path: &Path) -> i64 {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap().metadata().file_metadata().num_rows()
}

/// Every scenario of the examples is sound.
#[test]
fn examples_are_sound() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut checked = 0;
    for folder in std::fs::read_dir(examples).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        // Side files and tables of motions are checked with their scenarios, pictures and `example.toml` by the test of the gallery.
        let is_input = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy();
            let beside = [".svg", ".csv", ".py", ".flexible.toml"].iter().any(|end| name.ends_with(end));
            path.is_file() && name != "example.toml" && !beside
        };
        for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(is_input) {
            let mut command = std::process::Command::new(crate::program());
            match std::fs::read_to_string(&file).unwrap().contains("\"supple-study-1\"") {
                true => command.arg("sweep").arg(&file).arg("--dry-run"),
                false => command.arg("check").arg(&file),
            };
            let output = command.output().unwrap();
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {told}", file.display());
            checked += 1;
        }
    }
    assert!(checked >= 25, "{checked}");
}

/// The example runs and its results are whole: rows, balance, and the final state of a simulation made by hand.
#[test]
fn the_shuttle_arm_example() {
    let folder = short();
    let told = runs(&folder, &["run", "fast.toml"]);
    for words in
        ["I-f of Shuttle arm: 0.000000 to 0.500000 s", "balance error", "results.csv (11 rows)", "summary.json"]
    {
        assert!(told.contains(words), "`{words}` is missing in: {told}");
    }
    let results = folder.path("results/fast");
    let data = read_csv(&results.join("results.csv")).unwrap();
    assert!(!data.cut);
    let times: Vec<f64> = data.rows.iter().map(|row| row[0]).collect();
    let expected: Vec<f64> = (0..=10).map(|i| if i == 10 { 0.5 } else { f64::from(i) * 0.05 }).collect();
    assert_eq!(times, expected);
    assert_eq!(parquet_rows(&results.join("results.parquet")), 11);

    let summary = folder.json("results/fast/summary.json");
    assert_eq!(summary["outcome"]["state"], "finished");
    assert_eq!(summary["end_time"], 0.5);
    assert_eq!(summary["columns"].as_array().unwrap().len(), data.heads.len());
    assert_eq!(summary["files"][0]["rows"], 11);
    let balance = summary["ledger"]["balance_error"].as_f64().unwrap();
    assert!(balance.abs() < 1e-6, "{balance} J");
    assert!(summary["ledger"]["work"].as_f64().unwrap() > 1e-6, "nothing was driven");

    // The same by hand: torques of the rigid arm on the flexible one, stopping at each row.
    let scenario = supple_io::scenario_file::read(&folder.path("fast.toml")).unwrap();
    let model = scenario.model.model.clone();
    let rigid = Model::build(&supple_bodies::rigid::rigid_system(&scenario.model.system)).unwrap();
    let turn = Trajectory::cycloidal([0.0, 20.0], [0.0, 0.4]).unwrap();
    let (mut state, mut inputs, mut workspace) = (State::new(&rigid), Inputs::new(&rigid), Workspace::new(&rigid));
    let hinges: Vec<_> =
        model.body_indices().map(|body| (model.hinge_speeds(body), rigid.hinge_speeds(body))).collect();
    let drive = move |now: &State, out: &mut Inputs| {
        let at = turn.at(now.time);
        state.coordinates.fill(at.position);
        state.speeds.fill(at.speed);
        inputs.accelerations.fill(at.acceleration);
        let torques = inverse_dynamics(&rigid, &state, &inputs, &mut workspace).unwrap();
        for (own, told) in &hinges {
            out.forces[own.clone()].copy_from_slice(&torques.forces()[told.clone()]);
        }
    };
    let tolerance = Tolerance { relative: 1e-7, absolute: 1e-9 };
    let mut simulation =
        Simulation::new(&model, scenario.initial.clone(), drive, Scheme::PrinceDormand8, tolerance).unwrap();
    times.iter().skip(1).for_each(|time| {
        simulation.advance(*time).unwrap();
    });
    let last = data.rows.last().unwrap();
    let mut compared = 0;
    for (group, range) in [("hinge.", true), ("mode.", false)] {
        let at = data.heads.iter().position(|(head, _)| head.starts_with(group)).unwrap();
        let values = model.body_indices().flat_map(|b| {
            let range = if range { model.hinge_coordinates(b) } else { model.modal_coordinates(b) };
            simulation.state().coordinates[range].to_vec()
        });
        for (i, value) in values.enumerate() {
            assert_eq!(last[at + i], value, "{:?}", data.heads[at + i]);
            compared += 1;
        }
    }
    assert_eq!(compared, 6 + 12);
}

/// The model file is the arm of the catalogue: equal accelerations in random states. In the file the payload is a body of its own.
#[test]
fn the_shuttle_arm_file_is_the_arm_of_the_catalogue() {
    let file = supple_io::model_file::read(&repository("examples/shuttle-arm/arm.toml")).unwrap().model;
    let arm = ShuttleArm::flexible(Fidelity::Exact, ElasticRotation::Integrated).build().unwrap();
    let mut seed = 7_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    for _ in 0..5 {
        let (mut a, mut b) = (State::new(&file), State::new(&arm));
        let (mut inputs_a, mut inputs_b) = (Inputs::new(&file), Inputs::new(&arm));
        for name in (1..=shuttle_arm::LINKS).map(|i| format!("link {i}")) {
            let (k, l) = (file.find(&name).unwrap(), arm.find(&name).unwrap());
            let mut both = |from: std::ops::Range<usize>, to: std::ops::Range<usize>, size: f64, which: usize| {
                assert_eq!(from.len(), to.len());
                for (i, j) in from.zip(to) {
                    let value = size * random();
                    let (x, y) = match which {
                        0 => (&mut a.coordinates, &mut b.coordinates),
                        1 => (&mut a.speeds, &mut b.speeds),
                        _ => (&mut inputs_a.forces, &mut inputs_b.forces),
                    };
                    (x[i], y[j]) = (value, value);
                }
            };
            both(file.hinge_coordinates(k), arm.hinge_coordinates(l), 2.0, 0);
            both(file.modal_coordinates(k), arm.modal_coordinates(l), 0.02, 0);
            both(file.hinge_speeds(k), arm.hinge_speeds(l), 0.5, 1);
            both(file.modal_speeds(k), arm.modal_speeds(l), 0.2, 1);
            both(file.hinge_speeds(k), arm.hinge_speeds(l), 100.0, 2);
        }
        let (mut work_a, mut work_b) = (Workspace::new(&file), Workspace::new(&arm));
        let found = forward_dynamics(&file, &a, &inputs_a, &mut work_a).unwrap().accelerations().to_vec();
        let expected = forward_dynamics(&arm, &b, &inputs_b, &mut work_b).unwrap().accelerations().to_vec();
        let size = expected.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        for name in (1..=shuttle_arm::LINKS).map(|i| format!("link {i}")) {
            let (k, l) = (file.find(&name).unwrap(), arm.find(&name).unwrap());
            let own = file.hinge_speeds(k).chain(file.modal_speeds(k));
            for (i, j) in own.zip(arm.hinge_speeds(l).chain(arm.modal_speeds(l))) {
                let (x, y) = (found[i], expected[j]);
                assert!((x - y).abs() <= 1e-12 * size, "{name}: {x} and {y}, largest {size}");
            }
        }
    }
}

#[test]
fn words_on_standard_output() {
    let folder = short();
    let told = runs(&folder, &["run", "fast.toml", "--json", "--output", "as-json"]);
    let summary: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(summary, folder.json("as-json/summary.json"));
    assert_eq!(summary["scenario"], "I-f");
    let output = run(&folder, &["run", "fast.toml", "--quiet", "--output", "silent"]);
    assert!(output.status.success());
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    assert_eq!(folder.text("silent/results.csv"), folder.text("as-json/results.csv"));
}

/// Tags of an XML text close in the order in which they open; gives how many there are.
fn elements(text: &str) -> usize {
    let (mut open, mut count) = (Vec::new(), 0);
    for tag in text.split('<').skip(1).filter(|tag| !tag.starts_with(['?', '!'])) {
        let inside = tag.split_once('>').expect("a tag that does not end").0;
        let name = inside.trim_start_matches('/').split_whitespace().next().unwrap().trim_end_matches('/');
        assert_eq!(inside.matches('"').count() % 2, 0, "{inside}");
        if inside.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{inside}");
        } else {
            count += 1;
            if !inside.ends_with('/') {
                open.push(name);
            }
        }
    }
    assert!(open.is_empty(), "{open:?} are never closed");
    count
}

#[test]
fn plots() {
    let folder = short();
    let told = runs(&folder, &["run", "fast.toml", "--plot", "hinge.shoulder yaw,energy.total"]);
    assert!(told.contains("\nplot: results/fast/plot.svg\n"), "{told}");
    let svg = folder.text("results/fast/plot.svg");
    assert!(svg.starts_with("<svg") || svg.starts_with("<?xml"), "{}", &svg[..40]);
    assert!(elements(&svg) > 10);
    assert!(svg.contains("hinge.shoulder yaw") && svg.contains("energy.total"));

    // A column that is not there is told with those that are, before anything is written.
    let output = run(&folder, &["run", "fast.toml", "--plot", "hinge.shoulder", "--output", "none"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    for words in ["no column `hinge.shoulder`", "hinge.shoulder yaw, ", "energy.balance_error", "mode.link 2.6"] {
        assert!(told.contains(words), "`{words}` is missing in: {told}");
    }
    assert!(!folder.path("none").exists());
}

#[test]
fn results_are_not_overwritten_unasked() {
    let folder = one_hinge("damping = 0.1", "duration = 1\noutput_interval = 0.1\n");
    runs(&folder, &["run", "scenario.toml"]);
    folder.write("results/results.csv", "precious\n");
    let output = run(&folder, &["run", "scenario.toml"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(told.contains("results: results already exist") && told.contains("--force"), "{told}");
    assert_eq!(folder.text("results/results.csv"), "precious\n");
    runs(&folder, &["run", "scenario.toml", "--force"]);
    assert_eq!(read_csv(&folder.path("results/results.csv")).unwrap().rows.len(), 11);
}

/// Places that cannot be written end with a message and status 1.
#[test]
fn results_that_cannot_be_written() {
    let scenario = "duration = 1\noutput_interval = 0.1\n";
    let folder = one_hinge("damping = 0.1", scenario);
    folder.write("results", "a file in the place of the folder");
    let output = run(&folder, &["run", "scenario.toml"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("results: "), "{told}");
    assert!(!told.contains("panicked"));
    assert_eq!(folder.text("results"), "a file in the place of the folder");
}

/// A hinge that moves as told is where its cycloid is.
#[test]
fn a_hinge_follows_its_cycloid() {
    let motion = "duration = 3\noutput_interval = 0.1\n[initial.hinges]\naxle = 0.2\n[[motion]]\nhinge = \"axle\"\n\
                  cycloid = { to = 1.4, start = 0.5, duration = 2 }\n";
    let folder = one_hinge("damping = 0.3", &format!("{motion}{TIGHT}"));
    runs(&folder, &["run", "scenario.toml", "-q"]);
    let rows = column(&folder, "hinge.axle");
    assert_eq!(rows.len(), 31);
    for (time, angle) in rows {
        let s = ((time - 0.5) / 2.0).clamp(0.0, 1.0);
        let expected = 0.2 + 1.2 * (s - (std::f64::consts::TAU * s).sin() / std::f64::consts::TAU);
        assert!((angle - expected).abs() < 1e-8, "{angle} instead of {expected} at {time}");
    }
    // The drive pays for what the damper takes; the wheel rests at both ends.
    let summary = folder.json("results/summary.json");
    let (work, taken) =
        (summary["ledger"]["work"].as_f64().unwrap(), summary["ledger"]["hinge_dissipated"].as_f64().unwrap());
    // ∫ d θ̇² dt with θ̇ = (h / T) (1 - cos 2πs): 3/2 d h² / T.
    let expected = 1.5 * 0.3 * 1.2 * 1.2 / 2.0;
    assert!((work - expected).abs() < 1e-8 && (taken - expected).abs() < 1e-8, "{work} {taken} {expected}");
}

/// A hinge that follows a table passes through its samples, whatever speed the curve starts with.
#[test]
fn a_hinge_hits_the_knots_of_its_table() {
    let (times, values) = ([0.0, 0.5, 1.25, 2.0], [0.1, 0.6, -0.3, 0.4]);
    let motion = format!(
        "duration = 2\noutput_interval = 0.25\n[[motion]]\nhinge = \"axle\"\ntable = {{ times = {times:?}, values = {values:?} }}\n"
    );
    let folder = one_hinge("damping = 0.3", &format!("{motion}{TIGHT}"));
    runs(&folder, &["run", "scenario.toml", "-q"]);
    let rows = column(&folder, "hinge.axle");
    for (time, value) in times.iter().zip(values) {
        let (_, angle) = rows.iter().find(|row| row.0 == *time).unwrap();
        assert!((angle - value).abs() < 1e-8, "{angle} instead of {value} at {time}");
    }
    // It starts and ends at rest, and stays where it ends.
    let folder = one_hinge("damping = 0.3", &format!("{motion}{TIGHT}").replace("duration = 2\n", "duration = 3\n"));
    runs(&folder, &["run", "scenario.toml", "-q"]);
    let rows = column(&folder, "hinge.axle");
    assert!(rows.iter().filter(|row| row.0 >= 2.0).all(|row| (row.1 - 0.4).abs() < 1e-8), "{rows:?}");
    assert_eq!(rows.len(), 13);
}

/// The motor gives no more than its limit: half the torque asked for here, so half the acceleration.
#[test]
fn the_effort_limit_clamps() {
    let scenario = "duration = 1\noutput_interval = 0.5\n[[torque]]\nhinge = \"axle\"\nconstant = -8.0\n\
                    [results]\ncolumns = [\"hinges\", \"hinge_forces\"]\n";
    let folder = one_hinge("motor = { effort_limit = 4.0 }", scenario);
    runs(&folder, &["run", "scenario.toml", "-q"]);
    assert!(column(&folder, "force.axle").iter().all(|(_, torque)| *torque == -4.0));
    let (_, angle) = column(&folder, "hinge.axle")[2];
    assert!((angle + 0.5 * 4.0 / 2.0).abs() < 1e-9, "{angle}");
}

/// Springs, damping, friction and stops of the model act as their closed forms say.
#[test]
fn elements_of_hinges_act() {
    let scenario = |angle: f64, speed: f64| {
        format!(
            "duration = 2\noutput_interval = 0.1\n[initial.hinges]\naxle = {angle:?}\n[initial.hinge_speeds]\naxle = {speed:?}\n{TIGHT}"
        )
    };
    // Damped oscillation about the rest angle 0.1: inertia 2, stiffness 50, damping 0.8.
    let folder = one_hinge("spring = { stiffness = 50, rest = 0.1 }, damping = 0.8", &scenario(0.6, 0.0));
    runs(&folder, &["run", "scenario.toml", "-q"]);
    let decay = 0.8 / (2.0 * 2.0);
    let frequency = (50.0 / 2.0_f64 - decay * decay).sqrt();
    for (time, angle) in column(&folder, "hinge.axle") {
        let (s, c) = (frequency * time).sin_cos();
        let expected = 0.1 + 0.5 * (-decay * time).exp() * (c + decay / frequency * s);
        assert!((angle - expected).abs() < 1e-8, "{angle} instead of {expected} at {time}");
    }
    assert!(folder.json("results/summary.json")["ledger"]["balance_error"].as_f64().unwrap().abs() < 1e-8);

    // Dry friction of 0.5 N m far above its transition speed: constant deceleration.
    let friction = "friction = { level = 0.5, transition_speed = 1e-3 }";
    let folder = one_hinge(friction, &scenario(0.0, 3.0));
    runs(&folder, &["run", "scenario.toml", "-q"]);
    for (time, angle) in column(&folder, "hinge.axle") {
        let expected = 3.0 * time - 0.5 * 0.25 * time * time;
        assert!((angle - expected).abs() < 1e-8, "{angle} instead of {expected} at {time}");
    }

    // A stop without damping gives back what it takes: half an oscillation in it, then back at the same speed.
    let stops = "stops = { lower = -9, upper = 0.5, stiffness = 2e4, damping = 0 }";
    let folder = one_hinge(stops, &scenario(0.0, 1.0));
    runs(&folder, &["run", "scenario.toml", "-q"]);
    let contact = std::f64::consts::PI / (2e4 / 2.0_f64).sqrt();
    for (time, angle) in column(&folder, "hinge.axle") {
        if (0.5..0.5 + contact).contains(&time) {
            continue;
        }
        let expected = if time < 0.5 { time } else { 0.5 - (time - 0.5 - contact) };
        assert!((angle - expected).abs() < 1e-7, "{angle} instead of {expected} at {time}");
    }
}

/// The works of the drives add up to the work of all.
#[test]
fn bodies_have_works_of_their_own() {
    let folder = short();
    runs(&folder, &["run", "fast.toml", "-q"]);
    let data = read_csv(&folder.path("results/fast/results.csv")).unwrap();
    let at = |name: &str| data.heads.iter().position(|(head, _)| head == name).unwrap();
    let last = data.rows.last().unwrap();
    let names = ["shoulder yaw", "shoulder pitch", "elbow pitch", "wrist pitch", "wrist yaw", "wrist roll"];
    let sum: f64 = names.iter().map(|name| last[at(&format!("work.{name}"))]).sum();
    let total = last[at("work.drives")];
    assert!(total > 0.0 && (sum - total).abs() <= 1e-12 * total.abs(), "{sum} {total}");
}

/// A value that is set is that of a file which says it; what is wrong with it is told with its place.
#[test]
fn values_are_set_from_outside() {
    let told = "duration = 1\noutput_interval = 0.1\n[[torque]]\nhinge = \"axle\"\nconstant = 2\n";
    let folder = one_hinge("damping = 0.1", told);
    let edited = one_hinge("damping = 0.7", &told.replace("constant = 2", "constant = 3").replace("= 1\n", "= 0.5\n"));
    runs(&edited, &["run", "scenario.toml", "-q"]);
    let set = ["model.body.wheel.hinge.damping=0.7", "torque.axle.constant=3", "duration=0.5"];
    let set: Vec<&str> = set.iter().flat_map(|change| ["--set", change]).collect();
    runs(&folder, &[&["run", "scenario.toml", "-q"], &set[..]].concat());
    assert_eq!(folder.text("results/results.csv"), edited.text("results/results.csv"));
    assert!(folder.text("results/motion.json").contains("--set duration=0.5"));
    // Keys are left out, before others are set, and the record says so.
    let free = one_hinge("rotor_inertia = 0", &told.replace("constant = 2", "constant = 3"));
    runs(&free, &["run", "scenario.toml", "-q"]);
    let less = ["--set", "torque.axle.constant=3", "--unset", "model.body.wheel.hinge.damping"];
    runs(&folder, &[&["run", "scenario.toml", "-q", "-o", "less"], &less[..]].concat());
    assert_eq!(folder.text("less/results.csv"), free.text("results/results.csv"));
    assert!(folder.text("less/motion.json").contains("--unset model.body.wheel.hinge.damping"));
    let checked = runs(&folder, &["check", "model.toml", "--set", "body.wheel.rigid.mass=4"]);
    assert!(checked.contains("4 kg"), "{checked}");
    for (change, status, says) in [
        ("duration=-1", 1, "--set:1:12"),
        ("durations=1", 1, "did you mean `duration`?"),
        ("model.body.weel.rigid.mass=4", 1, "did you mean `wheel`?"),
        ("integrator.kind=rk5", 1, "--set:1:19"),
        ("duration", 2, "write KEY=VALUE"),
    ] {
        let output = run(&folder, &["run", "scenario.toml", "--force", "--set", change]);
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(status) && words.contains(says), "{change}: {words}");
    }
}
