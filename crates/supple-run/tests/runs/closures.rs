//! Runs of models with closures: their start is closed, and what is redundant or impossible is reported.

use super::Arm;
use std::fs;
use supple_run::{Observer, Options, Outcome, Run, Warning, read};

/// A planar four-bar linkage in space, whose last revolute is a closure.
fn linkage(bearing: f64, initial: &str) -> Arm {
    let arm = Arm::new("");
    let bar = |name: &str, at: &str, mass: f64, length: f64| {
        let half = 0.5 * length;
        format!(
            r#"
            [[body]]
            name = "{name}"
            {at}
            rigid = {{ mass = {mass}, mass_centre = [{half}, 0, 0], inertia = [1e-4, 1e-2, 1e-2] }}
            "#
        )
    };
    let hinge = |at: f64| format!("hinge = {{ kind = \"revolute\", axis = [0, 1, 0], position = [{at}, 0, 0] }}");
    let on = |parent: &str, at: f64| format!("parent = \"{parent}\"\n{}", hinge(at));
    let model = format!(
        r#"
        format = "supple-model-1"
        gravity = [0, 0, -9.81]
        {}{}{}
        [[closure]]
        name = "bearing"
        kind = "revolute"
        axis = [0, 1, 0]
        a = {{ ground = [{bearing}, 0, 0] }}
        b = {{ body = "rocker", position = [0.8, 0, 0] }}
        "#,
        bar("crank", &hinge(0.0), 0.3, 0.5),
        bar("coupler", &on("crank", 0.5), 0.5, 1.0),
        bar("rocker", &on("coupler", 1.0), 0.4, 0.8),
    );
    let scenario = format!(
        r#"
        format = "supple-scenario-1"
        model = "model.toml"
        duration = 1
        output_interval = 0.05
        checkpoint_interval = 0.3
        [initial.hinges]
        {initial}
        "#
    );
    fs::write(arm.0.join("model.toml"), model).unwrap();
    fs::write(arm.scenario(), scenario).unwrap();
    arm
}

#[derive(Default)]
struct Told(Vec<Warning>);

impl Observer for Told {
    fn warning(&mut self, warning: &Warning) {
        self.0.push(warning.clone());
    }
}

const OPEN: &str = "crank = -1.2\ncoupler = 1.0\nrocker = 1.8";

#[test]
fn a_linkage_in_space_tells_its_redundant_equations() {
    let arm = linkage(1.0, OPEN);
    let mut told = Told::default();
    let scenario = read(arm.scenario()).unwrap();
    let results = Run::new(&scenario, &arm.scenario(), &Options::default()).unwrap().go(&mut told);
    assert_eq!(results.summary().outcome, Outcome::Finished);
    let texts: Vec<&str> = told.0.iter().map(|warning| warning.text.as_str()).collect();
    let moved = texts.iter().find(|text| text.contains("was moved")).unwrap();
    assert!(moved.contains("hinge 'crank'") && moved.contains("hinge 'rocker'"), "{moved}");
    let redundant = texts.iter().find(|text| text.contains("depend on others")).unwrap();
    let words = ["3 of 5", "1 degrees of freedom", "rotation about", "translation along", "closure 'bearing'"];
    assert!(words.iter().all(|word| redundant.contains(word)), "{redundant}");
    let ledger = results.summary().ledger.clone().unwrap();
    assert!(ledger.balance_error.abs() < 1e-6 * ledger.kinetic.max(1.0), "{ledger:?}");
    let closures = results.summary().closures.unwrap();
    assert!(closures.deviation < 1e-9 && closures.speed < 1e-9, "{closures:?}");
}

/// The same linkage is refused where the scenario asks for that; otherwise its reactions are finite and balance its weight.
#[test]
fn redundant_equations_are_refused_or_share_forces() {
    let arm = linkage(1.0, OPEN);
    let text = fs::read_to_string(arm.scenario()).unwrap();
    let columns = "results.columns = [\"hinges\", \"closures\", \"closure_forces\", \"reactions\"]\n";
    let more = |more: &str| text.replace("[initial.hinges]", &format!("{more}\n[initial.hinges]"));
    fs::write(arm.scenario(), more("initial.redundant_equations = \"error\"")).unwrap();
    let scenario = read(arm.scenario()).unwrap();
    let Err(error) = Run::new(&scenario, &arm.scenario(), &Options::default()) else { panic!("it runs") };
    let text = error.to_string();
    assert!(text.contains("closure 'bearing'") && text.contains("depends on others"), "{text}");
    fs::write(arm.scenario(), more(columns)).unwrap();
    let scenario = read(arm.scenario()).unwrap();
    let results = Run::new(&scenario, &arm.scenario(), &Options::default()).unwrap().go(&mut Told::default());
    assert_eq!(results.summary().outcome, Outcome::Finished);
    let table = results.table();
    let forces = table.columns().iter().filter(|column| column.name.starts_with("closure.bearing."));
    assert!(forces.clone().count() > 10);
    for column in forces {
        let rows = results.column(&column.name).unwrap();
        assert!(rows.iter().all(|x| x.is_finite() && x.abs() < 1e3), "{}: {rows:?}", column.name);
        // Nothing acts across the plane.
        if column.name.ends_with("force.y") || column.name.ends_with("moment.x") || column.name.ends_with("moment.z") {
            assert!(rows.iter().all(|x| x.abs() < 1e-9), "{}: {rows:?}", column.name);
        }
    }
}

#[test]
fn an_impossible_assembly_names_the_closure_and_its_miss() {
    let arm = linkage(4.0, OPEN);
    let scenario = read(arm.scenario()).unwrap();
    let Err(error) = Run::new(&scenario, &arm.scenario(), &Options::default()) else { panic!("it can be closed") };
    let text = error.to_string();
    assert!(text.contains("closure 'bearing' cannot be closed") && text.contains("1.7"), "{text}");
}

/// A distance that grows as the scenario says moves a block, and a motor at a bearing that is a closure turns a wheel.
#[test]
fn scenarios_drive_closures_and_motors() {
    let arm = Arm::new("");
    let model = r#"
        format = "supple-model-1"
        [[body]]
        name = "block"
        hinge = { kind = "prismatic", axis = [1, 0, 0] }
        rigid = { mass = 2, mass_centre = [0, 0, 0], inertia = [0.1, 0.1, 0.1] }
        [[body]]
        name = "wheel"
        hinge = { kind = "planar", normal = [0, 1, 0] }
        rigid = { mass = 1, mass_centre = [0, 0, 0], inertia = [0.5, 1, 0.5] }
        [[closure]]
        name = "rope"
        kind = "distance"
        length = 1
        a = { ground = [-1, 0, 0] }
        b = { body = "block" }
        [[closure]]
        name = "bearing"
        kind = "revolute"
        axis = [0, 1, 0]
        a = { ground = [0, 0, 0] }
        b = { body = "wheel" }
        [[force]]
        kind = "motor"
        name = "drive"
        at = { closure = "bearing" }
        "#;
    let scenario = r#"
        format = "supple-scenario-1"
        model = "model.toml"
        duration = 1
        output_interval = 0.1
        [[closure_motion]]
        closure = "rope"
        cycloid = { to = 0.5, duration = 1 }
        [[motor_force]]
        motor = "drive"
        constant = 3
        "#;
    fs::write(arm.0.join("model.toml"), model).unwrap();
    fs::write(arm.scenario(), scenario).unwrap();
    let scenario = read(arm.scenario()).unwrap();
    let results = Run::new(&scenario, &arm.scenario(), &Options::default()).unwrap().go(&mut Told::default());
    let summary = results.summary();
    assert_eq!(summary.outcome, Outcome::Finished);
    let closures = summary.closures.unwrap();
    assert!(closures.deviation < 1e-12 && closures.speed < 1e-12, "{closures:?}");
    let last = |name: &str| *results.column(name).unwrap().last().unwrap();
    assert!((last("hinge.block") - 0.5).abs() < 1e-12);
    // ½ (M / I) t², and the energy that the motor fed in.
    assert!((last("hinge.wheel.angle") - 1.5).abs() < 1e-9);
    let ledger = summary.ledger.clone().unwrap();
    assert!((ledger.wrench_work - 4.5).abs() < 1e-8 && ledger.balance_error.abs() < 1e-9, "{ledger:?}");
}
