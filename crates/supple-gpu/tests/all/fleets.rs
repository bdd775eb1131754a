//! Fleets: the same on a device and on the processor, and what the engine gives step by step.

use crate::stand_in::runs_here;
use crate::verbs::{difference, places};
use supple::batch::{States, StatesMut};
use supple::spatial::{Scalar, Traced};
use supple::{Body, Hinge, HingeKind, Inputs, Model, ModelBuilder, Parent, State, StepWorkspace, Workspace, generic};
use supple_compile::{Parameter, Verb};
use supple_gpu::{Acts, Draws, Failure, Fleet, GpuError, Law, LawError, LawSizes, Place, Plan, Tracked};

const STEP: f64 = 1e-2;

/// Two hinges with a load of its own body at the end.
fn arm() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let inertia = [[0.1, 0.0, 0.0], [0.0, 0.8, 0.0], [0.0, 0.0, 0.8]]; // about the hinge
    let hinge =
        |name: &str| Hinge { name: Some(name.into()), ..Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] }) };
    let mut parent = Parent::Ground;
    for name in ["shoulder", "elbow"] {
        let link = Body::rigid(format!("{name} link"), parent, hinge(name), 2.0, [0.5, 0.0, 0.0], inertia);
        let tip = supple::Node { name: Some("tip".into()), position: [1.0, 0.0, 0.0], ..supple::Node::default() };
        parent = Parent::Body(builder.body(link.with_node(tip)), supple::NodeIndex(1));
    }
    let fixed = Hinge::new(HingeKind::Fixed);
    builder.body(Body::rigid(
        "load",
        parent,
        fixed,
        1.0,
        [0.0; 3],
        [[0.01, 0.0, 0.0], [0.0, 0.01, 0.0], [0.0, 0.0, 0.01]],
    ));
    builder.build().unwrap()
}

fn hinges() -> Vec<Tracked> {
    ["shoulder", "elbow"].map(|hinge| Tracked { hinge: hinge.into(), stiffness: 200.0, damping: 20.0 }).into()
}

/// Angle, speed and force of both hinges over updates.
fn table(updates: usize) -> Vec<f64> {
    let wave = |i: usize| 0.1 * (0.05 * i as f64).sin();
    (0..updates).flat_map(|i| [wave(i), 0.5, 3.0, -wave(i), -0.5, 1.0]).collect()
}

/// The states after the steps of a fleet, row after row.
fn states(fleet: &mut Fleet, model: &Model) -> Vec<f64> {
    let count = fleet.count();
    let (mut coordinates, mut speeds) = (vec![0.0; count * 2], vec![0.0; count * 2]);
    assert_eq!((model.coordinate_count(), model.speed_count()), (2, 2));
    fleet.states(StatesMut { coordinates: &mut coordinates, speeds: &mut speeds, attitudes: &mut [] }).unwrap();
    [coordinates, speeds].concat()
}

const COUNT: usize = 11;

/// Masses, start angles and offsets of each instance.
fn set(fleet: &mut Fleet) {
    let masses: Vec<f64> = (0..COUNT).map(|k| 0.5 + 0.2 * k as f64).collect();
    let angles: Vec<f64> = (0..2 * COUNT).map(|i| 0.05 * i as f64).collect();
    let numbers: Vec<f64> = (0..COUNT).flat_map(|k| [0.1 * k as f64, 1.0, 0.2, 0.5]).collect();
    fleet.set_parameters(&masses).unwrap();
    fleet.set_states(States { coordinates: &angles, speeds: &[0.0; 2 * COUNT], attitudes: &[] }).unwrap();
    fleet.set_numbers(&numbers).unwrap();
    fleet.set_table(&table(30)).unwrap();
}

/// What the engine gives: its model of each mass, its own step, and the law in plain numbers, held over two steps.
fn by_engine(model: &Model, steps: usize) -> Vec<f64> {
    let (mut coordinates, mut speeds) = (Vec::new(), Vec::new());
    let rows = table(30);
    for k in 0..COUNT {
        let load = model.body("load").unwrap();
        let mut inertia = model.rigid_inertia(load).unwrap();
        inertia.mass = 0.5 + 0.2 * k as f64;
        let model = model.clone().with_rigid_inertia(load, inertia).unwrap();
        let (mut state, mut inputs) = (State::new(&model), Inputs::new(&model));
        state.coordinates = [0, 1].map(|i| 0.05 * (2 * k + i) as f64).into();
        let (mut workspace, mut memory) = (Workspace::new(&model), StepWorkspace::new(&model));
        for step in 0..steps {
            if step % 2 == 0 {
                let row = &rows[6 * (step / 2).min(29)..];
                for i in 0..2 {
                    let [offset, scale] = [[0.1 * k as f64, 1.0], [0.2, 0.5]][i];
                    let lag = offset + scale * row[3 * i] - state.coordinates[i];
                    inputs.forces[i] = row[3 * i + 2] + 200.0 * lag + 20.0 * (scale * row[3 * i + 1] - state.speeds[i]);
                }
            }
            let held = generic::StageInputs::held(&inputs);
            generic::runge_kutta_step(&model, (&mut state, STEP), held, &mut workspace, &mut memory).unwrap();
        }
        coordinates.extend(state.coordinates);
        speeds.extend(state.speeds);
    }
    [coordinates, speeds].concat()
}

#[test]
fn a_table_with_servos_is_followed_as_by_the_engine() {
    if !runs_here("fleets::a_table_with_servos_is_followed_as_by_the_engine") {
        return;
    }
    let model = arm();
    let law = Law::tracking(&model, &hinges()).unwrap().every(2).unwrap();
    let parameters: [Parameter; 1] = ["body.load.mass".parse().unwrap()];
    let plan = Plan { model: &model, state: None, step: &Verb::Rk4Step, parameters: &parameters, law: Some(&law) };
    let expected = by_engine(&model, 71);
    for place in places().into_iter().chain([Place::Processor { threads: 2 }]) {
        let mut fleet = plan.on(&place).unwrap().fleet(COUNT).unwrap();
        set(&mut fleet);
        // Launches of any length are the same motion, between updates too; the last row holds beyond the table.
        for steps in [1, 4, 0, 33, 33] {
            fleet.advance(STEP, steps).unwrap();
        }
        let error = difference(&states(&mut fleet, &model), &expected);
        assert!(error < 1e-10, "{place:?}: {error:e}");
        assert!(fleet.outcomes().unwrap().iter().all(|outcome| outcome.failed.is_none() && outcome.steps == 71));
        // From the start again.
        fleet.restart().unwrap();
        set(&mut fleet);
        fleet.advance(STEP, 71).unwrap();
        let error = difference(&states(&mut fleet, &model), &expected);
        assert!(error < 1e-10, "{place:?} again: {error:e}");
    }
}

/// A load without mass and inertia in a straight arm of its own: the instance stops and tells, the others go on.
#[test]
fn an_instance_that_fails_stops_alone() {
    if !runs_here("fleets::an_instance_that_fails_stops_alone") {
        return;
    }
    let model = arm();
    let parameters: [Parameter; 1] = ["body.load.mass".parse().unwrap()];
    let plan = Plan { model: &model, state: None, step: &Verb::Rk4Step, parameters: &parameters, law: None };
    for place in places().into_iter().chain([Place::Processor { threads: 1 }]) {
        let mut fleet = plan.on(&place).unwrap().fleet(10).unwrap();
        // A mass so far below zero that a pivot is not positive.
        let masses: Vec<f64> = (0..10).map(|k| if k == 3 { -50.0 } else { 1.0 }).collect();
        fleet.set_parameters(&masses).unwrap();
        fleet.set_forces(&[1.0, 0.5]).unwrap();
        fleet.advance(STEP, 5).unwrap();
        fleet.advance(STEP, 5).unwrap();
        let outcomes = fleet.outcomes().unwrap();
        for (k, outcome) in outcomes.iter().enumerate() {
            match (k, outcome.failed) {
                (3, Some(Failure::Step(_))) => assert_eq!(outcome.steps, 0),
                (3, other) => panic!("{other:?}"),
                (_, failed) => assert!(failed.is_none() && outcome.steps == 10, "{k}: {outcome:?}"),
            }
        }
        let found = states(&mut fleet, &model);
        assert_eq!(found[6..8], [0.0; 2], "where its last step left it");
        assert!(found[0] != 0.0 && found[..2] == found[8..10], "{found:?}");
    }
}

/// A law that remembers and draws numbers: the same in every place and by hand.
#[test]
fn laws_remember_and_draw() {
    if !runs_here("fleets::laws_remember_and_draw") {
        return;
    }
    let model = arm();
    let sizes = LawSizes { columns: 1, numbers: 1, noise: 2 };
    let law = Law::record(&model, sizes, &[1.0, 0.0], |seen| {
        let sum = seen.memory[0] + seen.noise[0] * seen.row[0];
        let most = Traced::select(seen.memory[1].less_than(seen.noise[1]), seen.noise[1], seen.memory[1]);
        Acts { forces: vec![seen.numbers[0], Traced::ZERO], memory: vec![sum, most] }
    });
    let law = law.unwrap();
    let plan = Plan { model: &model, state: None, step: &Verb::Rk4Step, parameters: &[], law: Some(&law) };
    let mut all = Vec::new();
    for place in places().into_iter().take(1).chain([Place::Processor { threads: 1 }]) {
        let mut fleet = plan.on(&place).unwrap().fleet(3).unwrap();
        fleet.set_seeds(Draws { seed: 9 }).unwrap();
        fleet.set_table(&[2.0]).unwrap();
        fleet.set_numbers(&[1.0, 2.0, 3.0]).unwrap();
        fleet.advance(STEP, 4).unwrap();
        let memory = fleet.memory().unwrap();
        assert!(
            (0..3).all(|k| (1.0..9.0).contains(&memory[2 * k]) && (0.0..1.0).contains(&memory[2 * k + 1])),
            "{memory:?}"
        );
        assert!(memory[0] != memory[2] && memory[1] > 0.0);
        assert_eq!(fleet.forces().unwrap(), [1.0, 0.0, 2.0, 0.0, 3.0, 0.0]);
        all.push(memory);
    }
    assert!(difference(&all[0], &all[1]) < 1e-15);
}

#[test]
fn laws_that_do_not_fit_are_refused() {
    let model = arm();
    let told = |result: Result<Law, GpuError>| result.unwrap_err().to_string();
    let gone = Tracked { hinge: "wrist".into(), stiffness: 1.0, damping: 1.0 };
    assert!(told(Law::tracking(&model, &[gone])).contains("hinge `wrist`: the model has no hinge of this name"));
    let short = Law::record(&model, LawSizes::default(), &[], |_| Acts::default());
    assert!(told(short).contains("the law of control gives 0 numbers where the program has 2"));
    let never = Law::tracking(&model, &hinges()).unwrap().every(0);
    assert!(matches!(never, Err(GpuError::Law(LawError::NeverUpdated))));
}
