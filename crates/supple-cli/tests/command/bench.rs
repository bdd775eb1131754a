//! `supple bench` as a user meets it. No time is judged.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// As short as it goes.
fn bench(arguments: &[&str]) -> Output {
    let mut command = Command::new(crate::program());
    command.args(["bench", "--batches", "1", "--min-time-ms", "0.001"]).args(arguments);
    command.output().unwrap()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The verbs that `--list` names.
fn verbs() -> Vec<String> {
    let list = printed(&bench(&["--list"]));
    let lines = list.lines().skip_while(|line| *line != "verbs:").skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
}

/// Every verb runs on every scalar, on rigid and flexible systems; a time is positive, a count empty or positive.
#[test]
fn every_verb_runs_on_every_scalar() {
    let verbs = verbs();
    assert!(verbs.len() > 15 && verbs.iter().any(|verb| verb == "forward_dynamics"));
    let text = printed(&bench(&["--system", "arm7,humanoid,beams2x5,shuttle-*"]));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("system,verb,scalar,ns_per_call,instructions_per_call"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    // Derivatives are in double precision alone.
    let scalars = |verb: &str| match verb.ends_with("derivatives") {
        true => vec!["f64"],
        false => vec!["f64", "f32", "f64x4", "f64x8"],
    };
    assert_eq!(rows.len(), verbs.iter().map(|verb| 10 * scalars(verb).len()).sum::<usize>());
    for row in &rows {
        assert_eq!(row.len(), 5, "{row:?}");
        assert!(row[3].parse::<f64>().unwrap() > 0.0, "{row:?}");
        assert!(row[4].is_empty() || row[4].parse::<f64>().unwrap() > 0.0, "{row:?}");
    }
    for verb in &verbs {
        for scalar in scalars(verb) {
            assert_eq!(rows.iter().filter(|row| row[1] == verb && row[2] == scalar).count(), 10, "{verb} {scalar}");
        }
    }
}

#[test]
fn json_holds_checks_and_rows() {
    let text = printed(&bench(&["--system", "chain?", "--verb", "energy,power", "--scalar", "f64,f64x8", "--json"]));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["rows"].as_array().unwrap().len(), 4);
    assert!(value["rows"][0]["ns_median"].as_f64() >= value["rows"][0]["ns_per_call"].as_f64());
    assert_eq!(
        (value["checks"][0]["system"].as_str(), value["checks"][0]["speeds"].as_u64()),
        (Some("chain6"), Some(6))
    );
    assert!(value["checks"][0]["forward_of_inverse"].as_f64().unwrap() < 1e-12);
}

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    files.iter().for_each(|(name, text)| fs::write(path.join(name), text).unwrap());
    path
}

const UNIT: &str = "1 0 0 0 1 0 0 0 1";

/// A pendulum on a floating body, as the models of other engines are written.
fn pair(name: &str) -> String {
    format!("{name} 2\n-1 FF {UNIT} 0 0 0 3 0 0 0 1 0 1 0 0 1 0\n0 RY {UNIT} 0 0 -1 1 0 0 -0.5 0.1 0 0.1 0 0 0.1 0\n")
}

#[test]
fn trees_are_timed_in_their_order_and_printed_for_peers() {
    let (a, b) = (pair("a"), pair("b"));
    let path = folder("trees", &[("a.tree", &a), ("b.tree", &b), ("order.txt", "b\na\n")]);
    let path = path.to_str().unwrap();
    let text = printed(&bench(&["--tree", path, "--format", "peers", "--verb", "forward_dynamics,mass_matrix"]));
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let names: Vec<[&str; 3]> = rows.iter().map(|row| [row[0], row[1], row[3]]).collect();
    let one = |name| {
        [
            [name, "nv", "dof"],
            [name, "check_fd_id", "rel"],
            [name, "forward_dynamics_min", "ns"],
            [name, "forward_dynamics_median", "ns"],
            [name, "mass_matrix_min", "ns"],
            [name, "mass_matrix_median", "ns"],
        ]
    };
    let counted = |row: &&[&str; 3]| !row[1].ends_with("_instructions");
    let names: Vec<_> = names.iter().filter(counted).copied().collect();
    assert_eq!(names, [one("supple/b"), one("supple/a")].concat());
    assert_eq!(rows[0][2], "7");
    assert!(rows[1][2].parse::<f64>().unwrap() < 1e-12);
}

/// The motions of flexible systems; the angle of the beam after a second is that of a rigid one within its vibrations, 40 N m on 400 kg m².
#[test]
fn motions_are_timed_for_peers() {
    let text = printed(&bench(&["--format", "peers", "--system", "beam10_nm2,chain2_nm1,srms_rigid"]));
    let value = |name: &str, metric: &str| -> f64 {
        let start = format!("{name},{metric},");
        let line = text.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{start} in {text}"));
        line.split(',').nth(2).unwrap().parse().unwrap()
    };
    let angle = value("supple/beam10_nm2_explicit", "check_angle_at_1s");
    assert!((0.03..0.08).contains(&angle), "{angle}");
    assert!((value("supple/beam10_nm2_genalpha_h1e-3", "check_angle_at_10s") - 5.0).abs() < 0.05);
    for (name, metric) in [
        ("supple/beam10_nm2_RK44", "per_rhs_min"),
        ("supple/beam10_nm2_DOPRI5_rtol1e-7", "per_simulated_s_median"),
        ("supple/chain2_nm1_RK44_bushing", "per_rhs_min"),
        ("supple/chain2_nm1_genalpha_h1e-3", "per_step_min"),
        ("supple/srms_rigid_genalpha_h0.0005", "per_step_median"),
    ] {
        assert!(value(name, metric) > 0.0, "{name} {metric}");
    }
    // Of second order: a quarter of the error with half the step.
    let [small, large] =
        ["0.001", "0.01"].map(|h| value(&format!("supple/srms_rigid_genalpha_h{h}"), "tip_error_vs_h5e-4"));
    assert!(small < 0.1 * large, "{small} {large}");
}

#[test]
fn mistakes_are_told() {
    let good = pair("a");
    let bad = good.replace("RY", "RQ");
    let path = folder("bad_trees", &[("a.tree", &bad), ("light.tree", &good.replace(" 3 0 0 0 1", " -3 0 0 0 1"))]);
    let tree = |name: &str| path.join(name).to_str().unwrap().to_owned();
    for (arguments, status, says) in [
        (vec!["--system", "nothing"], 2, "no system has that name"),
        (vec!["--verb", "nothing"], 2, "invalid value 'nothing'"),
        (vec!["--tree", &tree("a.tree")], 1, "a.tree: line 3: `RQ` is not a kind of joint"),
        (vec!["--tree", &tree("b.tree")], 1, "b.tree: cannot be read"),
        (vec!["--tree", &tree("light.tree")], 1, "light.tree: "),
        (vec!["--urdf", &tree("none.urdf")], 1, "none.urdf"),
    ] {
        let output = bench(&arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {told}");
        assert!(told.contains(says), "{arguments:?}: {told}");
    }
    let output = Command::new(crate::program()).args(["bench"]).env("BATCHES", "many").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("environment variable BATCHES: `many`"));
}

#[test]
fn a_robot_is_timed() {
    let robot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../references/urdf/arm.urdf");
    let arguments = ["--system", "none", "--urdf", robot.to_str().unwrap(), "--verb", "momentum"];
    let text = printed(&bench(&arguments));
    assert_eq!(text.lines().filter(|line| line.starts_with("arm,momentum,")).count(), 4);
}

/// Compiled code has rows beside the engine's, with its part of that time; verbs that do not become code are named.
#[test]
fn compiled_code_stands_beside_the_engine() {
    if Command::new("cc").arg("--version").output().is_err() {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "there is no compiler `cc`");
        eprintln!("skipped: there is no compiler `cc`");
        return;
    }
    let cache = std::env::temp_dir().join(format!("supple-bench-{}", std::process::id()));
    let run = |verb: &str| {
        let mut command = Command::new(crate::program());
        command.args([
            "bench",
            "--batches",
            "1",
            "--min-time-ms",
            "0.001",
            "--system",
            "arm7",
            "--compiled",
            "--verb",
            verb,
        ]);
        command.env("SUPPLE_CACHE", &cache).output().unwrap()
    };
    let text = printed(&run("forward_dynamics"));
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["system", "verb", "scalar", "ns_per_call", "instructions_per_call", "of_engine"]);
    let scalars: Vec<&str> = rows[1..].iter().map(|row| row[2]).collect();
    assert_eq!(scalars, ["f64", "compiled", "compiled-x4", "compiled-x8"]);
    assert!(rows[1][5].is_empty() && rows[2..].iter().all(|row| row[5].parse::<f64>().unwrap() > 0.0), "{text}");
    let refused = run("power");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("power: does not become code"), "{refused:?}");
    let _ = fs::remove_dir_all(&cache);
}

/// Without a GPU it says what is missing; with one it prints rows.
#[test]
fn a_gpu_that_is_missing_is_named() {
    let told = Command::new(crate::program())
        .args(["bench", "--gpu", "--system", "arm7", "--instances", "100"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&told.stderr);
    let known = ["no CUDA driver", "finds no GPU", "no CUDA compiler"];
    assert!(told.status.success() || known.iter().any(|words| said.contains(words)), "{said}");
    let both = Command::new(crate::program()).args(["bench", "--gpu", "--compiled"]).output().unwrap();
    assert!(String::from_utf8_lossy(&both.stderr).contains("cannot be used with"), "{both:?}");
}
