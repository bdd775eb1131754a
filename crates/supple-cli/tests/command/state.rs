//! `supple state` as a user meets it.

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
fn refused(folder: &Folder, arguments: &[&str], status: i32, says: &str) {
    let output = run(folder, arguments);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {told}");
    assert!(told.contains(says) && !told.contains("panicked"), "`{says}` is missing in: {told}");
}

/// A bob of 2 kg at 1.5 m on a hinge about y that also has inertia, and a cart below it.
const PENDULUM: &str = r#"format = "supple-model-1"
gravity = [0, 0, -10]
[[body]]
name = "cart"
hinge = { name = "rail", kind = "prismatic", axis = [1, 0, 0], spring = { stiffness = 50 } }
rigid = { mass = 3, inertia = [1, 1, 1] }
[[body]]
name = "bob"
parent = "cart"
hinge = { name = "pivot", kind = "revolute", axis = [0, 1, 0] }
rigid = { mass = 2, mass_centre = [0, 0, -1.5], inertia = [0.5, 0.5, 0.5] }
nodes = [{ name = "end", position = [0, 0, -1.5] }]
"#;

#[test]
fn a_pendulum_on_a_cart_in_closed_form() {
    let folder = Folder::new();
    folder.write("pendulum.toml", PENDULUM);
    let at = ["state", "pendulum.toml", "--at", "pivot=0.6,rail=0.2,speed.pivot=1.5", "--format", "json"];
    let told = json(&folder, &at);
    let (m, cart, l, j, g, angle, rate, x) = (2.0, 3.0, 1.5, 0.5, 10.0, 0.6_f64, 1.5_f64, 0.2);
    let (sin, cos) = angle.sin_cos();
    // The bob is at x - l sin θ, -l cos θ.
    let mass = [[m + cart, -m * l * cos], [-m * l * cos, m * l * l + j]];
    for (i, row) in mass.iter().enumerate() {
        numbers(&told["M"][i]).iter().zip(row).for_each(|(found, expected)| near(*found, *expected, 1e-13));
    }
    let bias = [m * l * sin * rate * rate + 50.0 * x, m * g * l * sin];
    numbers(&told["C"]).iter().zip(bias).for_each(|(found, expected)| near(*found, expected, 1e-13));
    numbers(&told["inverse_T"]).iter().zip(bias).for_each(|(found, expected)| near(*found, expected, 1e-13));
    let determinant = mass[0][0] * mass[1][1] - mass[0][1] * mass[1][0];
    let slide = (-bias[0] * mass[1][1] + bias[1] * mass[0][1]) / determinant;
    near(numbers(&told["udot"])[0], slide, 1e-13);
    near(told["energy"]["kinetic"].as_f64().unwrap(), 0.5 * mass[1][1] * rate * rate, 1e-13);
    near(told["energy"]["stored"].as_f64().unwrap(), 0.5 * 50.0 * x * x, 1e-13);
    near(told["energy"]["gravity"].as_f64().unwrap(), -m * g * l * cos, 1e-13);
    assert_eq!(told["bodies"][1]["name"], "bob");
    let end = told["bodies"][1]["nodes"].as_array().unwrap().iter().position(|name| name == "end").unwrap();
    near(numbers(&told["node_positions"][1][end])[0], x - l * sin, 1e-14);
    near(numbers(&told["node_velocities"][1][end])[3], -l * cos * rate, 1e-14);
    assert_eq!(told["speeds"][1], serde_json::json!({ "name": "speed.pivot", "unit": "rad/s", "force_unit": "N m" }));
    let named = |list: &Value, name: &str| {
        list.as_array().unwrap().iter().find(|q| q["name"] == name).unwrap()["value"].as_f64().unwrap()
    };
    near(named(&told["state"], "hinge.rail"), x, 0.0);
    // The rail carries the weight of both, less what falls.
    let vertical = -m * l * (-sin * numbers(&told["udot"])[1] - cos * rate * rate);
    near(named(&told["reactions"], "reaction.rail.force.z"), (m + cart) * g + vertical, 1e-12);
}

/// What `supple eval` says about a case holds for the same system in a file: mass matrix and bias at zero.
#[test]
fn robots_models_and_scenarios_have_states() {
    let folder = Folder::new();
    let path = |name: &str| repository(name).to_string_lossy().into_owned();
    let (robot, side) = (path("references/urdf/arm.urdf"), path("references/urdf/arm.flexible.toml"));
    let told = json(&folder, &["state", &robot, "--side", &side, "--json"]);
    let size = told["speeds"].as_array().unwrap().len();
    assert_eq!((size, told["M"].as_array().unwrap().len()), (12, 12));
    // The same robot, imported, is the same in the same state.
    runs(&folder, &["import", &robot, "--side", &side, "-o", "crane.toml"]);
    let at = ["--at", "elbow_joint=0.3,luff_joint=0.2,mode.boom_link.1=0.01", "--json"];
    let one = json(&folder, &[&["state", robot.as_str(), "--side", side.as_str()], &at[..]].concat());
    let other = json(&folder, &[&["state", "crane.toml"], &at[..]].concat());
    for member in ["M", "C", "udot", "node_positions", "reactions", "energy"] {
        assert_eq!(one[member], other[member], "{member}");
    }
    // A scenario starts with its torques, and where its motions do.
    let slew = json(&folder, &["state", &path("references/models/slew.scenario.toml"), "--json"]);
    assert!(numbers(&slew["T"]).iter().any(|force| *force != 0.0));
    let text = runs(&folder, &["state", &robot]);
    assert!(text.contains("M udot + C = T") && text.contains("nodes: position"), "{text}");
}

#[test]
fn loops_are_closed_where_at_puts_them() {
    let folder = Folder::new();
    let file = repository("examples/four-bar/linkage.toml").to_string_lossy().into_owned();
    let check = runs(&folder, &["check", &file]);
    let crank = check.lines().find_map(|line| line.split('"').nth(1).filter(|_| line.contains("revolute \""))).unwrap();
    let told = json(&folder, &["state", &file, "--at", &format!("{crank}=0.4"), "--json"]);
    let first = told["state"].as_array().unwrap().iter().find(|q| q["name"] == format!("hinge.{crank}")).unwrap();
    near(first["value"].as_f64().unwrap(), 0.4, 1e-12);
    assert!(told["reactions"].as_array().unwrap().iter().any(|q| q["name"].as_str().unwrap().starts_with("closure.")));
}

#[test]
fn mistakes_are_named_with_the_nearest_name() {
    let folder = Folder::new();
    folder
        .write("pendulum.toml", PENDULUM)
        .write("notes.md", "# no model")
        .write("broken.toml", "format = \"supple-model-1\"\n[[body");
    let state = |at: &str, says: &str| refused(&folder, &["state", "pendulum.toml", "--at", at], 2, says);
    state("pivto=1", "no hinge that moves is called 'pivto'; did you mean 'pivot'?");
    state("speed.pivto=1", "did you mean 'speed.pivot'?");
    state("pivot=x", "`x` is not a number");
    state("pivot=inf", "must be finite");
    state("pivot", "must be HINGE=VALUE");
    refused(&folder, &["state", "none.toml"], 1, "none.toml");
    refused(&folder, &["state", "notes.md"], 1, "error");
    refused(&folder, &["state", "broken.toml"], 1, "broken.toml");
    let case = repository("references/cases/serial_2_flex.json").to_string_lossy().into_owned();
    refused(&folder, &["state", &case], 2, "evaluate it with `supple eval`");
    refused(&folder, &["state", "pendulum.toml", "--at", "pivot=1e300,speed.pivot=1e300"], 1, "pendulum.toml");
}
