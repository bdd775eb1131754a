//! Linear models, system modes, frequency response and equilibria as a user meets them.

use std::f64::consts::TAU;
use std::process::Command;

use serde_json::Value;

use crate::run_support::{Folder, repository, run, runs};

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    serde_json::from_str(&runs(folder, arguments)).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1.0), "{found}, not {expected}");
}

#[track_caller]
fn refused(folder: &Folder, arguments: &[&str], status: i32, says: &[&str]) {
    let output = run(folder, arguments);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {told}");
    assert!(output.stdout.is_empty() && !told.contains("panicked"), "{told}");
    says.iter().for_each(|says| assert!(told.contains(says), "`{says}` is missing in: {told}"));
}

/// A cart of 3 kg on a spring of 50 N/m, a bob of 2 kg at 1.5 m below it.
const CART: &str = r#"format = "supple-model-1"
name = "cart"
gravity = [0, 0, -10]
[[body]]
name = "cart"
hinge = { name = "rail", kind = "prismatic", axis = [1, 0, 0], spring = { stiffness = 50 }, damping = 0.4 }
rigid = { mass = 3, inertia = [1, 1, 1] }
[[body]]
name = "bob"
parent = "cart"
hinge = { name = "pivot", kind = "revolute", axis = [0, 1, 0] }
rigid = { mass = 2, mass_centre = [0, 0, -1.5], inertia = [0.5, 0.5, 0.5] }
nodes = [{ name = "end", position = [0, 0, -1.5] }]
"#;

/// A strip of 0.9 m on a hub that turns freely, in the vertical plane.
const STRIP: &str = r#"format = "supple-model-1"
gravity = [0, 0, -9.81]
[[body]]
name = "strip"
hinge = { name = "hub", kind = "revolute", axis = [0, 1, 0], rotor_inertia = 5.8598e-4 }
[body.beam]
length = 0.9
section = { rectangle = { width = 0.0032004, height = 0.019008 } }
material = { E = 7.1e10, nu = 0.33, density = 2710 }
modes = { basis = "cantilever", bending_y = 2, bending_z = 2 }
damping_ratio = 0.01
"#;

#[test]
fn a_cart_with_a_pendulum_in_closed_form() {
    let folder = Folder::new();
    folder.write("cart.toml", CART);
    let signals = ["--inputs", "force.rail", "--outputs", "hinge.rail,node.bob.end.x,acceleration.rail"];
    let told = json(&folder, &[&["linearize", "cart.toml"], &signals[..], &["--format", "json"]].concat());
    // M [ẍ; θ̈] + [0.4 ẋ; 0] + [50 x; 30 θ] = [u; 0] with M = [5, -3; -3, 5], M⁻¹ = [5, 3; 3, 5] / 16.
    let a = [[-15.625, -5.625, -0.125, 0.0], [-9.375, -9.375, -0.075, 0.0]];
    for (i, row) in a.iter().enumerate() {
        numbers(&told["A"][2 + i]).iter().zip(row).for_each(|(found, expected)| near(*found, *expected, 1e-8));
        near(told["A"][i][2 + i].as_f64().unwrap(), 1.0, 1e-14);
    }
    near(told["B"][2][0].as_f64().unwrap(), 5.0 / 16.0, 1e-12);
    near(told["B"][3][0].as_f64().unwrap(), 3.0 / 16.0, 1e-12);
    numbers(&told["C"][1]).iter().zip([1.0, -1.5, 0.0, 0.0]).for_each(|(x, y)| near(*x, y, 1e-9));
    near(told["D"][2][0].as_f64().unwrap(), 5.0 / 16.0, 1e-9);
    assert_eq!((told["dt"].as_f64(), told["states"][0]["name"].as_str()), (Some(0.0), Some("hinge.rail")));
    assert_eq!(told["inputs"][0]["unit"], "N");
    assert_eq!(told["operating_point"]["x"].as_array().unwrap().len(), 4);
    // With the rail locked only the pendulum is left; a force there would do nothing.
    let only = ["linearize", "cart.toml", "--inputs", "force.pivot", "--outputs", "hinge.*", "--lock", "rail"];
    let locked = json(&folder, &only);
    near(locked["A"][1][0].as_f64().unwrap(), -6.0, 1e-9);
    assert_eq!(json(&folder, &[&only[..6], &["--lock", "all", "--free", "pivot"]].concat())["A"], locked["A"]);
    refused(&folder, &[&["linearize", "cart.toml"], &signals[..], &["--lock", "rail"]].concat(), 2, &["locked"]);
}

/// `--lock all --free HINGE` means the same wherever it stands.
#[test]
fn a_name_decides_before_all_in_every_command() {
    let folder = Folder::new();
    folder.write("cart.toml", CART);
    let modes = ["modes", "cart.toml", "--system", "--json"];
    let frequencies = |hinges: &[&str]| json(&folder, &[&modes, hinges].concat())["modes"].as_array().unwrap().len();
    assert_eq!(frequencies(&["--free", "pivot"]), frequencies(&["--lock", "all", "--free", "pivot"]));
    assert_eq!(frequencies(&["--lock", "rail", "--free", "all"]), frequencies(&["--free", "pivot"]));
    assert!(frequencies(&["--free", "pivot"]) < frequencies(&["--free", "all"]));
}

/// Poles of the sampled model are those of the continuous one, mapped; a delay adds states.
#[test]
fn sampled_models_have_the_mapped_poles() {
    let folder = Folder::new();
    folder.write("cart.toml", CART);
    let base = ["linearize", "cart.toml", "--inputs", "force.rail", "--outputs", "hinge.rail", "--dt", "0.05"];
    let table = runs(&folder, &[&base[..], &["--format", "table"]].concat());
    let modes = json(&folder, &["modes", "cart.toml", "--system", "--free", "all", "--json"]);
    for mode in modes["modes"].as_array().unwrap() {
        let hz = format!("{:.6}", mode["frequency_hz"].as_f64().unwrap());
        assert_eq!(table.matches(&hz).count(), 2, "{hz} in {table}");
    }
    let delayed = json(&folder, &[&base[..], &["--delay", "0.12"]].concat());
    assert_eq!(delayed["states"].as_array().unwrap().len(), 4 + 3);
    assert_eq!(delayed["states"][6]["name"], "delay.input.force.rail.3");
    let reduced = json(&folder, &[&base[..], &["--order", "2"]].concat());
    assert_eq!(reduced["A"].as_array().unwrap().len(), 2);
    refused(&folder, &[&base[..7], &["0"]].concat(), 1, &["sampling period is 0 s"]);
    refused(&folder, &[&base[..], &["--delay=-1"]].concat(), 1, &["a delay of -1 s"]);
    refused(&folder, &[&base[..], &["--order", "9"]].concat(), 1, &["it may have 0 to 4"]);
}

#[test]
fn modes_of_the_system_are_ordered_and_rigid_ones_are_zero() {
    let folder = Folder::new();
    folder.write("strip.toml", STRIP);
    let locked = json(&folder, &["modes", "strip.toml", "--system", "--format", "json"]);
    let free =
        json(&folder, &["modes", "strip.toml", "--system", "--free", "hub", "--set", "gravity=[0,0,0]", "--json"]);
    let hertz = |told: &Value| -> Vec<f64> {
        told["modes"].as_array().unwrap().iter().map(|mode| mode["frequency_hz"].as_f64().unwrap()).collect()
    };
    for told in [&locked, &free] {
        assert!(hertz(told).windows(2).all(|pair| pair[0] <= pair[1]));
        for mode in told["modes"].as_array().unwrap() {
            let [re, im] = [0, 1].map(|k| mode["eigenvalue"][k].as_f64().unwrap());
            near(mode["frequency_hz"].as_f64().unwrap(), re.hypot(im) / TAU, 1e-14);
            let size = told["coordinates"].as_array().unwrap().len();
            assert_eq!(
                (mode["shape"]["re"].as_array().unwrap().len(), mode["participation"].as_array().unwrap().len()),
                (size, size)
            );
            near(numbers(&mode["participation"]).iter().sum(), 1.0, 1e-9);
        }
    }
    assert_eq!(hertz(&free)[0], 0.0);
    assert_eq!(hertz(&locked).len(), 4);
    // A strip on a free hub has 13.31 Hz where it is thin, and is as much faster as it is wider where it turns here.
    let turning = 13.31 * 0.019008 / 0.0032004;
    assert!(hertz(&free).iter().any(|hz| (hz / turning - 1.0).abs() < 0.005), "{:?}", hertz(&free));
    // A page with animated shapes.
    runs(&folder, &["modes", "strip.toml", "--system", "-o", "modes.html"]);
    let page = folder.text("modes.html");
    assert!(page.contains("system modes of strip.toml") && page.contains("mode 2: "));
    refused(&folder, &["modes", "strip.toml", "--format", "html"], 2, &["add --system or --map"]);
    let text = runs(&folder, &["modes", "strip.toml", "--system"]);
    assert!(text.contains("strip.toml: 4 modes\n") && text.contains("strip 100 %; strip 100 %\n"), "{text}");
}

/// A strip that turns about the vertical is stiffened by the centrifugal force: flap² = ω² + about 1.2 Ω².
#[test]
fn spin_stiffens_and_unsteady_spins_are_refused() {
    let folder = Folder::new();
    let rotor = STRIP.replace("gravity = [0, 0, -9.81]\n", "").replace("axis = [0, 1, 0]", "axis = [0, 0, 1]");
    folder.write("rotor.toml", &rotor).write("strip.toml", STRIP);
    let first = |spin: &str| {
        let told = json(&folder, &["modes", "rotor.toml", "--system", "--spin", spin, "--json"]);
        let squares: Vec<f64> = told["modes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mode| (TAU * mode["frequency_hz"].as_f64().unwrap()).powi(2))
            .collect();
        squares
    };
    let (still, turning) = (first("hub=0"), first("hub=20"));
    // Lag is 1 Ω² softer than flap.
    let gains: Vec<f64> = still.iter().zip(&turning).take(2).map(|(a, b)| (b - a) / 400.0).collect();
    let (lag, flap) = (gains[0].min(gains[1]), gains[0].max(gains[1]));
    assert!((flap - 1.19).abs() < 0.02 && (lag - 0.19).abs() < 0.02, "{gains:?}");
    refused(&folder, &["modes", "strip.toml", "--system", "--spin", "hub=3"], 1, &["not steady", "%"]);
    refused(&folder, &["modes", "rotor.toml", "--system", "--spin", "hbu=3"], 2, &["did you mean 'hub'?"]);
    let campbell = runs(&folder, &["modes", "rotor.toml", "--system", "--map", "spin:hub=0:20:3", "--format", "csv"]);
    let last: Vec<f64> = campbell.lines().last().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
    near((TAU * last[1]).powi(2), turning[0], 1e-10);
}

#[test]
fn maps_agree_with_single_configurations() {
    let folder = Folder::new();
    let arm = repository("examples/shuttle-arm/stiffened.toml").to_string_lossy().into_owned();
    let map =
        ["modes", &arm, "--system", "--map", "shoulder pitch=-1:1:3", "--map", "elbow pitch=-2:0:3", "--count", "2"];
    let told = json(&folder, &[&map[..], &["--json"]].concat());
    assert_eq!(told["axes"][1]["values"], serde_json::json!([-2.0, -1.0, 0.0]));
    // Row 5: shoulder 0, elbow 0.
    let single = json(&folder, &["modes", &arm, "--system", "--at", "shoulder pitch=0,elbow pitch=0", "--json"]);
    for k in 0..2 {
        let [a, b] = [&told["frequency_hz"][5][k], &single["modes"][k]["frequency_hz"]].map(|x| x.as_f64().unwrap());
        near(a, b, 1e-12);
    }
    // The shoulder turns all about its own hinge: frequencies with locked hinges stay.
    let row = |k: usize| told["frequency_hz"][k][0].as_f64().unwrap();
    near(row(0), row(6), 1e-9);
    assert!((row(0) - row(2)).abs() > 1e-3 * row(2));
    for (ending, start) in [("svg", "<svg"), ("png", "\u{89}PNG")] {
        let name = format!("map.{ending}");
        runs(&folder, &[&map[..], &["-o", &name]].concat());
        let bytes = std::fs::read(folder.path(&name)).unwrap();
        assert_eq!(bytes[0], start.chars().next().map(|c| c as u32 as u8).unwrap());
    }
    // Over a value of the file: a lighter payload is faster.
    let masses = ["modes", &arm, "--system", "--map", "set:body.payload.rigid.mass=5000:15000:3", "--format", "csv"];
    let text = runs(&folder, &masses);
    let first: Vec<f64> = text.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert!(first.len() == 3 && first[0] > first[1] && first[1] > first[2], "{text}");
    refused(&folder, &[&map[..4], &["shoulder pich=0:1:2"]].concat(), 2, &["did you mean 'shoulder pitch'?"]);
    refused(&folder, &[&map[..4], &["shoulder pitch=0:1"]].concat(), 2, &["NAME=FROM:TO:COUNT"]);
    refused(&folder, &["modes", &arm, "--at", "elbow pitch=1"], 2, &["--system only"]);
    refused(&folder, &["modes", &arm, "--system", "--format", "svg"], 2, &["are for maps"]);
}

#[test]
fn responses_show_the_resonance() {
    let folder = Folder::new();
    folder.write("cart.toml", CART);
    let base = ["bode", "cart.toml", "--input", "force.rail", "--output", "hinge.rail", "--lock", "pivot"];
    let told = json(&folder, &[&base[..], &["--from", "0.1", "--to", "2", "--points", "50", "--json"]].concat());
    let (hertz, magnitude) = (numbers(&told["frequency_hz"]), numbers(&told["responses"][0]["magnitude"]));
    let phase = numbers(&told["responses"][0]["phase_deg"]);
    // 1 / (50 - 5 ω² + 0.4 j ω).
    for k in 0..hertz.len() {
        let omega = TAU * hertz[k];
        near(magnitude[k], 1.0 / (50.0 - 5.0 * omega * omega).hypot(0.4 * omega), 1e-8);
    }
    assert!(phase[0] > -20.0 && phase[phase.len() - 1] < -170.0);
    let peak = magnitude.iter().copied().fold(0.0, f64::max);
    near(peak, 1.0 / (0.4 * 10.0_f64.sqrt()), 1e-3);
    let csv = runs(&folder, &[&base[..], &["--format", "csv"]].concat());
    assert!(csv.starts_with("frequency[Hz],\"magnitude input.force.rail to hinge.rail[m/N]\""), "{csv}");
    for plot in ["bode", "nyquist", "singular-values"] {
        let name = format!("{plot}.svg");
        runs(&folder, &[&base[..], &["--plot", plot, "-o", &name]].concat());
        assert!(folder.text(&name).contains("<polyline"), "{plot}");
    }
    refused(&folder, &[&base[..], &["--plot", "bode", "-o", "bode.svg"]].concat(), 1, &["already exists"]);
    refused(&folder, &[&base[..], &["--from", "3", "--to", "2"]].concat(), 1, &["the lower one first"]);
    refused(
        &folder,
        &["bode", "cart.toml", "--input", "force.rial", "--output", "hinge.rail"],
        2,
        &["did you mean", "force.rail"],
    );
    refused(&folder, &["bode", "cart.toml", "--input", "force.rail", "--output", "hinge.rial"], 2, &["hinge.rail"]);
}

#[test]
fn equilibria_are_found_written_and_started_from() {
    let folder = Folder::new();
    folder.write("strip.toml", STRIP);
    // Locked, the strip sags by q l⁴ / 8 E I.
    let told = json(&folder, &["equilibrium", "strip.toml", "--lock", "hub", "--json"]);
    assert_eq!(told["stable"], true);
    assert!(told["residual"].as_f64().unwrap() < 1e-10);
    let weight = 2710.0 * 0.0032004 * 0.019008 * 9.81 * 0.9;
    let forces = told["forces"].as_array().unwrap();
    let moment = forces.iter().find(|q| q["name"] == "force.hub").unwrap()["value"].as_f64().unwrap();
    assert!((moment.abs() / (weight * 0.45) - 1.0).abs() < 1e-2, "{moment}");
    // Free, it hangs.
    let hanging = json(&folder, &["equilibrium", "strip.toml", "--at", "hub=0.3", "--json"]);
    let angle = hanging["state"].as_array().unwrap().iter().find(|q| q["name"] == "hinge.hub").unwrap()["value"]
        .as_f64()
        .unwrap();
    assert!((angle.sin() - 1.0).abs() < 1e-9, "{angle}");
    runs(&folder, &["equilibrium", "strip.toml", "--lock", "hub", "-o", "start.toml"]);
    let scenario = "format = \"supple-scenario-1\"\nmodel = \"strip.toml\"\nduration = 2\noutput_interval = 0.1\n\
                    [[motion]]\nhinge = \"hub\"\nrate = 0\n[results]\ncolumns = [\"modes\"]\n";
    folder.write("written.toml", format!("{scenario}folder = \"written\"\n{}", folder.text("start.toml")));
    let started = scenario.replace("duration", "start = \"equilibrium\"\nduration");
    folder.write("started.toml", format!("{started}folder = \"started\"\n"));
    for name in ["written", "started"] {
        runs(&folder, &["run", &format!("{name}.toml"), "--quiet"]);
        let rows = folder.text(&format!("{name}/results.csv"));
        let rows: Vec<Vec<f64>> =
            rows.lines().skip(1).map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect();
        assert!(rows.len() == 21 && rows[0][1..].iter().any(|x| x.abs() > 1e-4), "{:?}", rows[0]);
        for row in &rows {
            row[1..]
                .iter()
                .zip(&rows[0][1..])
                .for_each(|(now, first)| assert!((now - first).abs() < 1e-9, "{name}: {row:?}"));
        }
    }
    // Nothing holds a hinge that slides down.
    let falling = CART.replace("axis = [1, 0, 0], spring = { stiffness = 50 }, damping = 0.4", "axis = [0, 0, 1]");
    folder.write("falling.toml", falling);
    refused(&folder, &["equilibrium", "falling.toml"], 1, &["no equilibrium", "rail"]);
    folder.write("never.toml", started.replace("strip.toml", "falling.toml").replace("\"hub\"", "\"pivot\""));
    refused(&folder, &["run", "never.toml"], 1, &["cannot start at an equilibrium", "rail"]);
    let bad = started.replace("\"equilibrium\"", "\"equilibrum\"");
    folder.write("bad.toml", bad);
    refused(&folder, &["run", "bad.toml"], 1, &["equilibrium", "bad.toml"]);
}

#[test]
fn mistakes_are_named() {
    let folder = Folder::new();
    folder.write("cart.toml", CART).write("text.toml", "not a model");
    let rigid = "format = \"supple-model-1\"\n[[body]]\nname = \"b\"\nhinge = { kind = \"fixed\" }\nrigid = { mass = 1, inertia = [1, 1, 1] }\n";
    folder.write("rigid.toml", rigid);
    let signals = ["--inputs", "force.rail", "--outputs", "hinge.rail"];
    let with = |file: &'static str, more: &[&'static str]| [&["linearize", file], &signals[..], more].concat();
    refused(&folder, &with("text.toml", &[]), 1, &["text.toml"]);
    refused(&folder, &with("none.toml", &[]), 1, &["none.toml"]);
    refused(&folder, &with("cart.toml", &["--lock", "pivto"]), 2, &["did you mean 'pivot'?"]);
    let both = ["--lock", "pivot", "--free", "pivot"];
    refused(&folder, &with("cart.toml", &both), 2, &["'pivot'", "both locked and free"]);
    refused(&folder, &[&["modes", "cart.toml", "--system"], &both[..]].concat(), 2, &["both locked and free"]);
    refused(&folder, &with("cart.toml", &["--at", "pivto=1"]), 2, &["did you mean 'pivot'?"]);
    refused(&folder, &with("cart.toml", &["--dt", "x"]), 2, &["invalid"]);
    refused(&folder, &["linearize", "cart.toml", "--inputs", "force.rail"], 2, &["--outputs"]);
    refused(&folder, &["linearize", "rigid.toml", "--inputs", "*", "--outputs", "*"], 2, &["rigid.toml"]);
    let all = runs(&folder, &["linearize", "cart.toml", "--list"]);
    assert!(all.contains("inputs:\n  force.rail [N]\n") && all.contains("  node.bob.end.x [m]\n"), "{all}");
    let empty = json(&folder, &["modes", "rigid.toml", "--system", "--json"]);
    assert_eq!(empty["modes"], serde_json::json!([]));
}

/// A Python with NumPy and SciPy: the one of `SUPPLE_PYTHON`, or `python3`.
fn python(needs: &str) -> Option<String> {
    let program = std::env::var("SUPPLE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&program).args(["-c", &format!("import {needs}")]).output();
    found.ok().filter(|output| output.status.success()).map(|_| program)
}

const READ: &str = r#"
import json, sys
import numpy, scipy.io
told = json.load(open("model.json"))
arrays, mat = numpy.load("model.npz"), scipy.io.loadmat("model.mat")
for name in "ABCD":
    assert numpy.array_equal(arrays[name], numpy.array(told[name])), name
    assert numpy.array_equal(mat[name], numpy.array(told[name])), name
assert arrays["dt"] == told["dt"] == mat["dt"][0, 0]
for name, units in [("states", "state_units"), ("inputs", "input_units"), ("outputs", "output_units")]:
    names, measures = [s["name"] for s in told[name]], [s["unit"] for s in told[name]]
    assert list(arrays[name]) == names and list(arrays[units]) == measures
    assert [str(cell[0][0]) for cell in mat[name]] == names and [str(cell[0][0]) for cell in mat[units]] == measures
for name in "xuy":
    assert numpy.array_equal(arrays["operating_point_" + name], told["operating_point"][name])
    assert numpy.array_equal(mat["operating_point"][name][0, 0][:, 0], told["operating_point"][name])
"#;

const POLES: &str = r#"
import json
import control, numpy
told, modes = json.load(open("model.json")), json.load(open("modes.json"))["modes"]
system = control.ss(told["A"], told["B"], told["C"], told["D"])
poles = sorted(system.poles()[system.poles().imag >= 0], key=abs)
assert len(poles) == len(modes), (poles, modes)
for pole, mode in zip(poles, modes):
    value = complex(*mode["eigenvalue"])
    assert abs(pole - value) < 1e-7 * abs(value), (pole, value)
"#;

/// SciPy and NumPy read the files, python-control builds the system with the eigenvalues of the modes.
#[test]
fn other_programs_read_the_files() {
    let Some(program) = python("numpy, scipy.io") else {
        return println!("skipped: no Python with NumPy and SciPy; name one in SUPPLE_PYTHON");
    };
    let folder = Folder::new();
    folder.write("strip.toml", STRIP);
    let base = [
        "linearize",
        "strip.toml",
        "--inputs",
        "force.hub",
        "--outputs",
        "hinge.hub,node.strip.tip.z",
        "--at",
        "hub=1.2",
    ];
    for ending in ["json", "npz", "mat"] {
        let name = format!("model.{ending}");
        runs(&folder, &[&base[..], &["--format", ending, "-o", &name]].concat());
    }
    let check = |script: &str| {
        let output = Command::new(&program).args(["-c", script]).current_dir(folder.root()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    check(READ);
    let modes = runs(&folder, &["modes", "strip.toml", "--system", "--free", "all", "--at", "hub=1.2", "--json"]);
    folder.write("modes.json", modes);
    match python("control") {
        Some(_) => check(POLES),
        None => println!("skipped in part: no python-control; name a Python that has it in SUPPLE_PYTHON"),
    }
}
