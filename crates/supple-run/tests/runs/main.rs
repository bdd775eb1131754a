//! Runs through the library: results in memory and in folders, observers, interruption, errors.

#[path = "../../../supple/tests/counting_allocator/mod.rs"]
mod counting_allocator;
#[path = "../../examples/identification_coverage.rs"]
mod identification_coverage;
#[path = "../../examples/run_scenario.rs"]
mod run_scenario;
#[path = "../../../supple-gpu/tests/all/stand_in.rs"]
mod stand_in;

mod braking;
mod carriers;
mod closures;
mod compiled;
mod control;
mod damping;
mod endings;
mod gpu;
mod identify;
mod long_steps;
mod optimise;
mod realtime;
mod servo;
mod shuttle_arm;
mod slider_crank;
mod story;
mod sweep;
mod switching;
mod warnings;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use supple::integrate::{Scheme, Simulation, Tolerance};
use supple::{Inputs, State};
use supple_io::results::read_csv;
use supple_run::{
    Existing, Interrupt, Observer, Options, Outcome, Output, Progress, Row, Run, RunErrorKind, Summary, Warning, read,
    run,
};

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A folder with a scenario of an arm of two links, removed at its end.
struct Arm(PathBuf);

impl Arm {
    /// The arm swings for a second, integrated as told.
    fn new(integrator: &str) -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("supple-library-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let model = r#"
            format = "supple-model-1"
            gravity = [0, -9.81, 0]
            [[body]]
            name = "boom"
            hinge = { name = "shoulder", kind = "revolute", axis = [0, 0, 1] }
            [body.beam]
            length = 2
            section = { tube = { outer_radius = 0.05, thickness = 0.005 } }
            material = { E = 7e10, nu = 0.33, density = 2700 }
            modes = { basis = "cantilever", bending_y = 2 }
            [[body]]
            name = "jib"
            parent = "boom"
            at = "tip"
            hinge = { name = "elbow", kind = "revolute", axis = [0, 0, 1], damping = 4 }
            rigid = { mass = 3, mass_centre = [0.5, 0, 0], inertia = [0.1, 0.4, 0.4] }
        "#;
        let scenario = format!(
            r#"
            format = "supple-scenario-1"
            model = "model.toml"
            duration = 1
            output_interval = 0.05
            checkpoint_interval = 0.3
            [integrator]
            {integrator}
            [results]
            columns = ["hinges", "modes", "energy"]
            "#
        );
        fs::write(folder.join("model.toml"), model).unwrap();
        fs::write(folder.join("scenario.toml"), scenario).unwrap();
        Self(folder)
    }

    fn scenario(&self) -> PathBuf {
        self.0.join("scenario.toml")
    }
}

impl Drop for Arm {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const DORMAND_PRINCE: &str = "kind = \"dormand-prince\"\nrelative_tolerance = 1e-7\nabsolute_tolerance = 1e-9";

#[test]
fn the_example_runs() {
    run_scenario::main().unwrap();
}

/// What stays in memory is what is written, to the bit, also by methods of many steps.
#[test]
fn memory_and_files_hold_the_same() {
    for integrator in [DORMAND_PRINCE.to_owned(), DORMAND_PRINCE.replace("dormand-prince", "bdf")] {
        let arm = Arm::new(&integrator);
        let memory = run(arm.scenario(), &Options::default()).unwrap();
        assert!(memory.folder().is_none() && memory.is_complete());
        assert_eq!(fs::read_dir(&arm.0).unwrap().count(), 2, "files were written");
        let folder = arm.0.join("out");
        let written = run(arm.scenario(), &Options::into_folder(&folder)).unwrap();
        assert_eq!(written.folder(), Some(folder.as_path()));
        let csv = read_csv(&folder.join("results.csv")).unwrap();
        assert_eq!(csv.rows.len(), 21);
        for (i, (name, _)) in csv.heads.iter().enumerate() {
            let column: Vec<f64> = csv.rows.iter().map(|row| row[i]).collect();
            assert_eq!(memory.column(name).unwrap(), column, "{name}");
            assert_eq!(written.column(name).unwrap(), column, "{name}");
            assert_eq!(memory.last(name).unwrap(), column[20], "{name}");
        }
        assert_eq!(memory.summary().ledger, written.summary().ledger);
        assert_eq!(memory.works(), written.works());
    }
}

/// Every kind of force element that a model file can hold.
const FORCES: &str = r#"
    [[force]]
    kind = "coupling"
    from = { body = "boom" }
    to = { body = "jib" }
    ratio = 2
    stiffness = 5
    damping = 0.5
    [[force]]
    kind = "spring-damper"
    from = { ground = [1, 2, 0] }
    to = { body = "boom", node = "tip" }
    length = 1.5
    stiffness = 200
    damping = 3
    [[force]]
    kind = "bushing"
    from = { body = "boom", node = "tip" }
    to = { body = "jib" }
    stiffness = 50
    angular_stiffness = [1, 2, 3]
    angular_damping = 0.2
    [[force]]
    kind = "constant"
    at = { body = "jib" }
    force = [0, 3, 0]
    moment = [0, 0, 0.4]
    [[force]]
    kind = "follower"
    at = { body = "jib" }
    force = [0.5, 1, 0]
    [[force]]
    kind = "point-mass-field"
    mu = 3.986e14
    position = [0, -2e7, 0]
    [[force]]
    kind = "hinge-spring"
    at = { body = "boom" }
    stiffness = 20
    rest = 0.3
    [[force]]
    kind = "hinge-damping"
    at = { body = "boom" }
    damping = 1
    [[force]]
    kind = "hinge-friction"
    at = { body = "jib" }
    level = 0.5
    transition_speed = 0.1
    [[force]]
    kind = "hinge-stops"
    at = { body = "boom" }
    lower = -0.2
    upper = 0.5
    stiffness = 1e4
"#;

/// Force elements of a file act in a run as they do in a simulation of a program, and the energy balances.
#[test]
fn force_elements_of_a_file_act_as_in_a_program() {
    let arm = Arm::new(&DORMAND_PRINCE.replace("1e-7", "1e-9"));
    let model = fs::read_to_string(arm.0.join("model.toml")).unwrap();
    let free = run(arm.scenario(), &Options::default()).unwrap();
    fs::write(arm.0.join("model.toml"), model + FORCES).unwrap();
    let results = run(arm.scenario(), &Options::default()).unwrap();

    let model = supple_io::model_file::read(&arm.0.join("model.toml")).unwrap().model;
    assert_eq!(model.forces().len(), 11, "ten tables and the damping of the elbow");
    let tolerance = Tolerance { relative: 1e-9, absolute: 1e-9 };
    let drive = |_: &State, _: &mut Inputs| {};
    let mut program = Simulation::new(&model, State::new(&model), drive, Scheme::DormandPrince, tolerance).unwrap();
    program.advance(1.0).unwrap();

    let ledger = program.ledger().unwrap();
    for (column, found) in [
        ("hinge.shoulder", program.state().get(model.hinge("shoulder").unwrap()).unwrap()),
        ("hinge.elbow", program.state().get(model.hinge("elbow").unwrap()).unwrap()),
        ("mode.boom.1", program.state().get(model.mode("boom", 1).unwrap()).unwrap()),
        ("energy.total", ledger.total()),
        ("energy.hinges", ledger.energy.stored),
        ("dissipated.hinges", ledger.hinge_dissipated),
        ("work.wrenches", ledger.wrench_work),
    ] {
        let recorded = results.last(column).unwrap();
        assert!((recorded - found).abs() < 1e-6 * found.abs().max(1.0), "{column}: {recorded} {found}");
    }
    assert!(results.last("energy.balance_error").unwrap().abs() < 1e-5);
    assert!((results.last("hinge.shoulder").unwrap() - free.last("hinge.shoulder").unwrap()).abs() > 0.1);
}

/// Wrenches of hinges and nodes, and modal accelerations, are columns.
#[test]
fn reactions_and_modal_accelerations_are_columns() {
    let arm = Arm::new(DORMAND_PRINCE);
    let columns = r#"["hinges", "hinge_speeds", "mode_accelerations", "reactions", "node_wrenches"]
            nodes = [{ body = "boom", node = "tip" }]"#;
    let scenario = fs::read_to_string(arm.scenario()).unwrap().replace(r#"["hinges", "modes", "energy"]"#, columns);
    fs::write(arm.scenario(), scenario).unwrap();
    let results = run(arm.scenario(), &Options::default()).unwrap();
    let column = |name: &str| results.column(name).unwrap().to_vec();
    let force = |name: &str| ["x", "y", "z"].map(|axis| column(&format!("{name}.force.{axis}")));
    let (elbow, tip, angle) = (force("reaction.elbow"), force("wrench.boom.tip"), column("hinge.elbow"));
    let (moment, speed) = (column("reaction.elbow.moment.z"), column("speed.elbow"));
    let carried = column("wrench.boom.tip.moment.z");
    let free = column("reaction.shoulder.moment.z");
    let accelerations = column("mode_acceleration.boom.1");
    for i in 0..angle.len() {
        // In the hinge acts the damper alone; what the jib feels, the tip feels the other way round.
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "row {i}: {a} and {b}");
        close(moment[i], -4.0 * speed[i]);
        close(carried[i], -moment[i]);
        close(free[i], 0.0);
        let size = |f: &[Vec<f64>; 3]| f.iter().map(|part| part[i] * part[i]).sum::<f64>().sqrt();
        close(size(&tip), size(&elbow));
        assert!(accelerations[i].is_finite());
    }
    assert!(angle.iter().any(|x| x.abs() > 0.1) && accelerations.iter().any(|x| x.abs() > 1.0));
    let units: Vec<_> = results.table().columns().iter().map(|c| (c.name.as_str(), c.unit.as_str())).collect();
    assert!(
        units.contains(&("reaction.elbow.moment.x", "N m")) && units.contains(&("mode_acceleration.boom.2", "1/s²"))
    );
}

/// Counts what it is told.
#[derive(Default)]
struct Witness {
    steps: u64,
    rows: Vec<f64>,
    warnings: Vec<String>,
    ended: Option<Outcome>,
    /// Interrupts the run at this row.
    patience: Option<(usize, Interrupt)>,
}

impl Observer for Witness {
    fn progress(&mut self, progress: Progress) {
        assert!(progress.start <= progress.time && progress.time <= progress.end);
        self.steps += 1;
    }

    fn row(&mut self, row: Row<'_>) {
        self.rows.push(row.values[0]);
        if let Some((rows, interrupt)) = &self.patience
            && self.rows.len() == *rows
        {
            interrupt.interrupt();
        }
    }

    fn warning(&mut self, warning: &Warning) {
        self.warnings.push(warning.text.clone());
    }

    fn finished(&mut self, summary: &Summary) {
        assert!(self.ended.is_none());
        self.ended = Some(summary.outcome.clone());
    }
}

#[test]
fn observers_see_every_step_row_and_warning() {
    let arm = Arm::new(DORMAND_PRINCE);
    let scenario = read(arm.scenario()).unwrap();
    let mut witness = Witness::default();
    let mut run = Run::new(&scenario, &arm.scenario(), &Options::default()).unwrap();
    let mut rows = 0;
    while run.advance(&mut witness) {
        rows += 1;
        assert_eq!(witness.rows.len(), rows);
        assert_eq!(run.state().time, witness.rows[rows - 1]);
    }
    assert!(!run.advance(&mut witness), "a run that has ended goes on");
    let results = run.finish(&mut witness);
    assert_eq!(results.column("time").unwrap(), witness.rows);
    assert_eq!(witness.steps, results.summary().statistics.accepted_steps);
    assert_eq!(witness.warnings, results.summary().warnings);
    assert_eq!(witness.ended, Some(Outcome::Finished));
}

/// An interrupted run keeps what it has, and goes on from its checkpoint to the rows of one that was left alone.
#[test]
fn interrupted_runs_are_resumed() {
    let arm = Arm::new(DORMAND_PRINCE);
    let scenario = read(arm.scenario()).unwrap();
    let alone = run(arm.scenario(), &Options::default()).unwrap();
    let mut options = Options { output: Output::Scenario, ..Options::default() };
    let mut witness = Witness { patience: Some((9, options.interrupt.clone())), ..Witness::default() };
    let results = Run::new(&scenario, &arm.scenario(), &options).unwrap().go(&mut witness);
    assert_eq!(results.outcome(), &Outcome::Interrupted);
    assert_eq!(results.column("time").unwrap().len(), 9);
    assert_eq!(results.folder(), Some(arm.0.join("results").as_path()));

    let early = run(arm.scenario(), &Options { interrupt: options.interrupt.clone(), ..Options::default() });
    let early = early.unwrap_err();
    assert_eq!(early.kind, RunErrorKind::EndedEarly);
    assert!(early.results().is_some(), "what was computed is lost");

    options.interrupt = Interrupt::default();
    options.existing = Existing::Resume;
    let resumed = run(arm.scenario(), &options).unwrap();
    for column in alone.table().columns() {
        assert_eq!(resumed.column(&column.name).unwrap(), alone.column(&column.name).unwrap(), "{}", column.name);
    }
}

#[test]
fn errors_have_kind_file_message_and_remedy() {
    let arm = Arm::new(DORMAND_PRINCE);
    let path = arm.scenario();
    let folder = arm.0.join("out");

    let missing = run(arm.0.join("nothing.toml"), &Options::default()).unwrap_err();
    assert_eq!(missing.kind, RunErrorKind::Unsound);
    assert_eq!(missing.findings().unwrap().findings().len(), 1);

    let options = Options { existing: Existing::Resume, ..Options::into_folder(&folder) };
    let none = run(&path, &options).unwrap_err();
    assert_eq!((none.kind, none.file), (RunErrorKind::NoCheckpoint, Some(folder.join("checkpoint.json"))));
    let memory = run(&path, &Options { output: Output::Memory, ..options }).unwrap_err();
    assert_eq!(memory.kind, RunErrorKind::Unsupported);

    let results = run(&path, &Options { keep_rows: false, ..Options::into_folder(&folder) }).unwrap();
    assert_eq!(results.column("time").unwrap_err().kind, RunErrorKind::NotKept);
    assert_eq!(results.last("time").unwrap(), 1.0);
    let misspelt = results.last("energy.totl").unwrap_err();
    assert_eq!(misspelt.kind, RunErrorKind::NoColumn);
    assert!(misspelt.remedy.unwrap().starts_with("did you mean `energy.total`?"));

    let again = run(&path, &Options::into_folder(&folder)).unwrap_err();
    assert_eq!((again.kind, again.file.as_deref()), (RunErrorKind::Exists, Some(folder.as_path())));
    let plot = Options { plot: vec!["elbow".into()], ..Options::default() };
    assert_eq!(run(&path, &plot).unwrap_err().kind, RunErrorKind::NoColumn);
}
