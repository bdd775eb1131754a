//! Warnings come when their reason does, once each.

use super::Arm;
use std::fs;
use std::path::Path;
use supple_run::{Existing, Interrupt, Observer, Options, Outcome, Progress, Row, Run, Warning, read, run};

/// The Shuttle arm as its user meant it, but with angles in degrees: its steps collapse.
fn degrees(integrator: &str) -> Arm {
    let arm = Arm::new("");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shuttle-arm");
    fs::copy(examples.join("arm.toml"), arm.0.join("model.toml")).unwrap();
    let scenario = format!(
        r#"
        format = "supple-scenario-1"
        model = "model.toml"
        duration = 200
        output_interval = 0.2
        checkpoint_interval = 0.2
        [integrator]
        {integrator}
        [initial.hinges]
        "shoulder pitch" = 0.8
        "elbow pitch" = -1.4
        [[motion]]
        hinge = "shoulder yaw"
        quintic = {{ to = 30, duration = 10 }}
        [[motion]]
        hinge = "shoulder pitch"
        quintic = {{ to = 23, duration = 10 }}
        [[motion]]
        hinge = "elbow pitch"
        quintic = {{ to = -45, duration = 10 }}
        "#
    );
    fs::write(arm.scenario(), scenario).unwrap();
    arm
}

/// Remembers in which order things came.
#[derive(Default)]
struct Order {
    rows: Vec<f64>,
    /// Each with the time of the last row before it.
    warnings: Vec<(f64, Warning)>,
    /// Steps since the collapse was told, and what ends the run after some.
    patience: Option<(u32, Interrupt)>,
}

impl Observer for Order {
    fn progress(&mut self, _: Progress) {
        if let Some((left, interrupt)) = &mut self.patience
            && self.warnings.iter().any(|(_, warning)| warning.text.contains("collapsed"))
        {
            *left -= 1;
            if *left == 0 {
                interrupt.interrupt();
            }
        }
    }

    fn row(&mut self, row: Row<'_>) {
        self.rows.push(row.values[0]);
    }

    fn warning(&mut self, warning: &Warning) {
        self.warnings.push((self.rows.last().copied().unwrap_or(-1.0), warning.clone()));
    }
}

/// Degrees for radians: the run says within seconds that it will not end, and why.
#[test]
fn collapsed_steps_are_told_while_it_happens() {
    let arm = degrees("kind = \"exponential-adams\"\nmax_steps = 200000");
    let scenario = read(arm.scenario()).unwrap();
    let options = Options::default();
    let mut order = Order { patience: Some((20_000, options.interrupt.clone())), ..Order::default() };
    let results = Run::new(&scenario, &arm.scenario(), &options).unwrap().go(&mut order);
    assert_eq!(results.outcome(), &Outcome::Interrupted);
    let told: Vec<_> = order.warnings.iter().filter(|(_, warning)| warning.text.contains("collapsed")).collect();
    let [(row, warning)] = told[..] else { panic!("{told:?}") };
    println!("{}", warning.text);
    // The run went on for twenty thousand steps and told it no second time.
    assert!(warning.time < results.summary().end_time && results.summary().end_time < 20.0, "{warning:?}");
    assert!(*row <= warning.time && warning.time <= row + 0.2, "{row}: {warning:?}");
    for words in
        ["hinge 'elbow pitch' is prescribed to turn by 43.6", "were degrees written for radians?", "mode 'link "]
    {
        assert!(warning.text.contains(words), "{words}: {}", warning.text);
    }
    let listed = results.summary().warnings.iter().filter(|text| **text == warning.text).count();
    assert_eq!(listed, 1, "{:?}", results.summary().warnings);
}

/// Departures from the validity of the model are told between the rows before and after them, in the order of time.
#[test]
fn departures_are_told_when_they_happen() {
    let arm = degrees("kind = \"exponential-adams\"\nmax_steps = 12000");
    let scenario = read(arm.scenario()).unwrap();
    let mut order = Order::default();
    let results = Run::new(&scenario, &arm.scenario(), &Options::default()).unwrap().go(&mut order);
    assert!(order.warnings.len() >= 2, "{:?}", order.warnings);
    for (row, warning) in &order.warnings {
        assert!(*row <= warning.time && warning.time <= row + 0.2 + 1e-9, "{row}: {warning:?}");
        assert!(warning.time < results.summary().end_time);
    }
    assert!(order.warnings.is_sorted_by_key(|(_, warning)| warning.time));
    let texts: Vec<&String> = order.warnings.iter().map(|(_, warning)| &warning.text).collect();
    assert_eq!(texts, results.summary().warnings.iter().collect::<Vec<_>>());
}

/// A run that is interrupted, also while reversals are counted, tells the same at the same time.
#[test]
fn resumed_runs_have_the_same_warnings() {
    let arm = degrees("kind = \"exponential-adams\"\nmax_steps = 25000");
    let warnings = |options: &Options| {
        let error = run(arm.scenario(), options).unwrap_err();
        error.results().unwrap().summary().warnings.clone()
    };
    let alone = warnings(&Options::into_folder(arm.0.join("alone")));
    assert!(alone.iter().any(|text| text.contains("collapsed")), "{alone:?}");
    for rows in [8, 12, 13] {
        let mut options = Options::into_folder(arm.0.join(format!("resumed-{rows}")));
        let scenario = read(arm.scenario()).unwrap();
        let mut first = Run::new(&scenario, &arm.scenario(), &options).unwrap();
        (0..rows).for_each(|row| assert!(first.advance(&mut ()), "row {row}"));
        drop(first.finish(&mut ()));
        options.existing = Existing::Resume;
        assert_eq!(warnings(&options), alone, "{rows} rows");
    }
}

/// Runs of many steps, all along of the same size, and fixed steps are no collapse.
#[test]
fn steady_runs_are_not_warned_of() {
    for integrator in [
        "kind = \"rk4\"\nstep = 1e-5\n",
        "kind = \"dormand-prince\"\nrelative_tolerance = 1e-12\nabsolute_tolerance = 1e-13",
    ] {
        let results = run(Arm::new(integrator).scenario(), &Options::default()).unwrap();
        let told = &results.summary().warnings;
        assert!(!told.iter().any(|text| text.contains("collapsed")), "{told:?}");
    }
}

/// A strip that sags by more than modes are for: the run says how many pieces would do, and with so many it does not warn.
#[test]
fn as_many_pieces_as_a_run_asks_for_do() {
    let warnings = |pieces: &str| {
        let arm = Arm::new("");
        let model = format!(
            "format = \"supple-model-1\"\ngravity = [0, -9.81, 0]\n[[body]]\nname = \"strip\"\nhinge = {{ kind = \"fixed\" }}\n[body.beam]\n\
             length = 1.0\n{pieces}\nsection = {{ rectangle = {{ width = 0.002, height = 0.04 }} }}\n\
             material = {{ E = 7e10, nu = 0.33, density = 2700 }}\nmodes = {{ bending_y = 1 }}\n"
        );
        let scenario =
            "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 0.6\noutput_interval = 0.1\n";
        fs::write(arm.0.join("model.toml"), model).unwrap();
        fs::write(arm.scenario(), scenario).unwrap();
        let results = run(arm.scenario(), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
        results.summary().warnings.clone()
    };
    let whole = warnings("");
    let advice = whole.iter().find(|text| text.contains("would suffice")).unwrap_or_else(|| panic!("{whole:?}"));
    assert!(advice.contains("beam 'strip' has been bent beyond small deflections"), "{advice}");
    let pieces = advice.split('`').find(|part| part.starts_with("pieces = ")).unwrap_or_else(|| panic!("{advice}"));
    println!("{advice}");
    assert_eq!(warnings(pieces), Vec::<String>::new());
}
