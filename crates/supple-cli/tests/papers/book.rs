//! Book's formulation as a user meets it: `eval`, `run` and the studies with their pages.

use crate::run_support::{Folder, repository, run, runs};
use std::fs;
use supple_io::results::read_csv;

const MODEL: &str = r#"format = "supple-model-1"
name = "two links"
gravity = [0, 0, -9.81]
elastic_rotation = "first-order"

[[body]]
name = "upper"
hinge = { name = "shoulder", kind = "revolute", axis = [0, 1, 0], damping = 0.1 }
[body.beam]
length = 1.5
section = { tube = { outer_radius = 0.02, thickness = 0.002 } }
material = { E = 7.1e10, nu = 0.33, density = 2750 }
modes = { basis = "cantilever", bending_y = 1, bending_z = 2 }
fidelity = "inconsistent"
damping_ratio = 0.01

[[body]]
name = "fore"
parent = "upper"
at = "tip"
hinge = { name = "elbow", kind = "revolute", axis = [0, 1, 0], spring = { stiffness = 5.0, rest = 0.0 } }
rigid = { mass = 1.0, mass_centre = [0.4, 0.0, 0.0], inertia = [0.01, 0.25, 0.25] }
nodes = [{ name = "hand", position = [0.8, 0.0, 0.0] }]
"#;

const SCENARIO: &str = r#"format = "supple-scenario-1"
name = "swing"
model = "model.toml"
duration = 0.5
output_interval = 0.1
checkpoint_interval = 0.1

[initial.hinges]
shoulder = 0.3

[integrator]
kind = "prince-dormand8"
relative_tolerance = 1e-9
absolute_tolerance = 1e-11

[[torque]]
hinge = "elbow"
steps = { times = [0.0], values = [2.0] }

[[wrench]]
body = "fore"
node = "hand"
frame = "inertial"
table = { times = [0, 1], force = [[3, 1, 0], [3, 1, 0]] }

[results]
columns = ["hinges", "modes", "energy"]
"#;

fn folder(model: &str, scenario: &str) -> Folder {
    let folder = Folder::new();
    folder.write("model.toml", model).write("swing.toml", scenario);
    folder
}

/// The ledger balances, the summary says whose equations they were, and the motion is that of the sweeps to the square of the deflection.
#[test]
fn runs_by_both_formulations_go_the_same_way() {
    let folder = folder(MODEL, SCENARIO);
    let told = runs(&folder, &["run", "swing.toml", "--formulation", "book", "--output", "book"]);
    assert!(told.contains("equations of motion by Book's formulation"), "{told}");
    runs(&folder, &["run", "swing.toml", "--output", "sweeps"]);
    let [book, sweeps] = ["book", "sweeps"].map(|name| folder.json(&format!("{name}/summary.json")));
    assert_eq!(
        (book["physics"]["formulation"].as_str(), sweeps["physics"]["formulation"].as_str()),
        (Some("book"), Some("spatial-operators"))
    );
    let number = |summary: &serde_json::Value, name: &str| summary["ledger"][name].as_f64().unwrap();
    assert!(number(&book, "work").abs() > 0.01 && number(&book, "wrench_work").abs() > 0.01);
    assert!(number(&book, "balance_error").abs() < 1e-7, "{}", number(&book, "balance_error"));
    let [book, sweeps] = ["book", "sweeps"].map(|name| read_csv(&folder.path(&format!("{name}/results.csv"))).unwrap());
    let column = |name: &str| book.heads.iter().position(|(head, _)| head == name).unwrap();
    let (shoulder, elbow) = (column("hinge.shoulder"), column("hinge.elbow"));
    let (last, other) = (book.rows.last().unwrap(), sweeps.rows.last().unwrap());
    for at in [shoulder, elbow] {
        let difference = (last[at] - other[at]).abs();
        assert!(difference > 0.0 && difference < 2e-3, "{difference}");
    }
}

/// A run goes on from its checkpoint with the equations it began with, and not with others.
#[test]
fn checkpoints_belong_to_a_formulation() {
    let folder = folder(MODEL, SCENARIO);
    runs(&folder, &["run", "swing.toml", "--formulation", "book"]);
    let output = run(&folder, &["run", "swing.toml", "--resume"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    runs(&folder, &["run", "swing.toml", "--resume", "--formulation", "book"]);
}

/// What the formulation cannot carry is refused before anything is written.
#[test]
fn what_it_cannot_carry_is_refused_by_name() {
    for (model, scenario, says) in [
        (
            MODEL.replace("\"first-order\"", "\"integrated\""),
            SCENARIO.into(),
            "body 'upper': its modes turn the next hinge by the option 'integrated'",
        ),
        (MODEL.replace("\"inconsistent\"", "\"ruthless\""), SCENARIO.into(), "body 'upper': the fidelity 'ruthless'"),
        (
            MODEL.into(),
            SCENARIO.replace("prince-dormand8", "exponential"),
            "this integrator needs mass, damping and stiffness",
        ),
    ] as [(String, String, &str); 3]
    {
        let folder = folder(&model, &scenario);
        let output = run(&folder, &["run", "swing.toml", "--formulation", "book"]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(says), "`{says}` is missing in: {told}");
        assert!(!folder.path("results").exists());
    }
}

/// `eval` gives what the equations of motion are made of; they hold among each other.
#[test]
fn eval_by_book_obeys_the_equations_of_motion() {
    let folder = Folder::new();
    let case = repository("references/cases/tip_linear_serial.json");
    let case = case.to_str().unwrap();
    let told = runs(&folder, &["eval", case, "--formulation", "book"]);
    let answer: serde_json::Value = serde_json::from_str(&told).unwrap();
    let list = |value: &serde_json::Value| -> Vec<f64> {
        value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    let told: serde_json::Value = serde_json::from_slice(&fs::read(case).unwrap()).unwrap();
    let rows: Vec<Vec<f64>> = answer["M"].as_array().unwrap().iter().map(list).collect();
    let [bias, free, inverse] = ["C", "udot", "inverse_T"].map(|name| list(&answer[name]));
    let [forces, wanted] = ["T", "udot_in"].map(|name| list(&told[name]));
    let size = inverse.iter().chain(&forces).fold(0.0_f64, |m, x| m.max(x.abs()));
    for (i, row) in rows.iter().enumerate() {
        let times = |x: &[f64]| row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
        assert!((times(&free) + bias[i] - forces[i]).abs() < 1e-11 * size);
        assert!((times(&wanted) + bias[i] - inverse[i]).abs() < 1e-11 * size);
        assert_eq!(row[0], rows[0][i]);
    }
    assert!(answer["energy"]["total"].as_f64().unwrap().is_finite());
    for (name, status, says) in [
        ("tree_5_flex", 2, "Book's formulation does not carry body"),
        ("traj_flexible_double_pendulum", 2, "evaluates trees in one state"),
    ] {
        let case = repository(&format!("references/cases/{name}.json"));
        let output = run(&folder, &["eval", case.to_str().unwrap(), "--formulation", "book"]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{told}");
        assert!(told.contains(says), "{told}");
    }
}

/// The first code block after the mark of a command in a page.
fn block(page: &str, command: &str) -> String {
    let text = fs::read_to_string(repository(page)).unwrap();
    let (_, rest) =
        text.split_once(&format!("<!-- supple {command} -->")).unwrap_or_else(|| panic!("{page}: {command}"));
    let lines = rest.lines().skip_while(|line| *line != "```text").skip(1);
    lines.take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect()
}

/// The page of the counts shows what the study prints, and its table the same numbers.
#[test]
fn page_of_the_counts_is_that_of_the_study() {
    let command = "study book-count --format csv";
    let arguments: Vec<&str> = command.split(' ').collect();
    let told = runs(&Folder::new(), &arguments);
    let page = "docs/studies/book-count.md";
    assert_eq!(told, block(page, command), "{page} is not what `supple {command}` prints");
    let value = |tip: &str, quantity: &str| -> u64 {
        let key = format!(",{tip},{quantity},");
        let row = told.lines().find(|line| line.contains(&key)).unwrap_or_else(|| panic!("{key}"));
        row.rsplit(',').next().unwrap().parse::<f64>().unwrap() as u64
    };
    // Below the paper, above the recursive algorithm; the polynomial is not the number of the text.
    assert!(value("linear", "book_multiplications") < 12_009);
    assert!(value("linear", "articulated_multiplications") < value("linear", "book_multiplications"));
    assert_eq!(value("linear", "book_polynomial"), 11_361);
    let text = fs::read_to_string(repository(page)).unwrap();
    for (tip, quantity) in [
        ("linear", "book_multiplications"),
        ("linear", "articulated_multiplications"),
        ("linear", "composite_multiplications"),
        ("linear", "inverse_multiplications"),
        ("integrated", "articulated_multiplications"),
    ] {
        let number = value(tip, quantity);
        let shown = format!("{},{:03}", number / 1000, number % 1000);
        assert!(text.contains(&format!("| {shown} |")), "{quantity} with {tip} is {shown}");
    }
}

/// The page of the growth shows what the study prints; fifteen imaginary joints are nearer than six, and cost what the report says they would.
#[test]
fn page_of_the_growth_is_that_of_the_study() {
    let command = "study book-growth --format csv";
    let arguments: Vec<&str> = command.split(' ').collect();
    let told = runs(&Folder::new(), &arguments);
    let page = "docs/studies/book-growth.md";
    let shown = block(page, command);
    assert_eq!(told.lines().count(), shown.lines().count(), "{page}");
    for (now, then) in told.lines().zip(shown.lines()).skip(1) {
        let [(name, now), (same, then)] = [now, then].map(|line| line.rsplit_once(',').unwrap());
        assert_eq!(name, same);
        let [now, then] = [now, then].map(|x| x.parse::<f64>().unwrap());
        assert!((now - then).abs() <= 1e-4 * then.abs(), "{name}: {now:e}, in the page {then:e}");
    }
    let value = |quantity: &str| -> f64 {
        let row =
            told.lines().find(|line| line.contains(&format!(",{quantity},"))).unwrap_or_else(|| panic!("{quantity}"));
        row.rsplit(',').next().unwrap().parse().unwrap()
    };
    assert_eq!(value("n6_f2_m3_book"), 6_645.0);
    // The report's own ratio is that of its two numbers, and stands beside ours.
    let printed = |quantity: &str| -> f64 {
        let row = told.lines().find(|line| line.contains(&format!(",{quantity},"))).unwrap();
        row.split(',').nth(5).unwrap().parse().unwrap()
    };
    assert_eq!(printed("rigid_12_composite"), 4_491.0);
    assert!((12_009.0 / 4_491.0 - printed("book_to_rigid_12_composite")).abs() < 0.005);
    // Twenty-one rigid joints by the cheapest method cost about what the report's arm costs.
    assert!((0.8..1.2).contains(&value("book_to_rigid_21_articulated")));
    for i in 1..=4 {
        let error = |name: &str| value(&format!("{name}_frequency_{i}_error_percent")).abs();
        assert!(error("joints_15") < error("joints_6") && error("joints_15") < 3.0, "{i}");
    }
}

/// The page of the convergence shows what the study prints, but for rounding, and slopes are those of the theory.
#[test]
fn page_of_the_convergence_is_that_of_the_study() {
    let command = "study book-convergence --format csv";
    let mut arguments: Vec<&str> = command.split(' ').collect();
    let folder = Folder::new();
    arguments.extend(["--svg", "picture.svg"]);
    let told = runs(&folder, &arguments);
    let shown = block("docs/studies/book-convergence.md", command);
    assert_eq!(told.lines().count(), shown.lines().count());
    for (now, then) in told.lines().zip(shown.lines()).skip(1) {
        let [(name, now), (same, then)] = [now, then].map(|line| line.rsplit_once(',').unwrap());
        assert_eq!(name, same);
        let [now, then] = [now, then].map(|x| x.parse::<f64>().unwrap());
        let printed = now < 1e-10 || name.contains("_last_slope");
        assert!(printed || (now / then - 1.0).abs() < 1e-3, "{name}: {now:e}, in the page {then:e}");
        let slope = if name.contains("_same_loads_last") && name.contains("accelerations") { 1.0 } else { 2.0 };
        assert!(!name.contains("_last_slope") || (now - slope).abs() < 0.1, "{name}: {now}");
    }
    let picture = fs::read_to_string(folder.path("picture.svg")).unwrap();
    crate::pictures::assert_is_kept(&picture, "book-convergence.svg");
    assert_eq!(picture.matches("<circle").count(), 18);
}
