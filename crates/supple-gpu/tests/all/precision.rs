//! What single precision costs: kernels of both precisions on the stand-in, compared with the engine.

use crate::stand_in::{elsewhere, runs_here};
use crate::verbs::difference;
use supple::batch::StatesMut;
use supple::{ElasticRotation, Fidelity, Model, State};
use supple_bodies::catalogue::shuttle_arm::ShuttleArm;
use supple_compile::{Recording, Verb};
use supple_gpu::{Evaluation, Place, Plan, Precision, Shape};

fn arm(fidelity: Option<Fidelity>) -> Model {
    match fidelity {
        None => ShuttleArm::rigid().build().unwrap(),
        Some(Fidelity::Ruthless) => ShuttleArm::flexible(Fidelity::Ruthless, ElasticRotation::None).build().unwrap(),
        Some(fidelity) => ShuttleArm::flexible(fidelity, ElasticRotation::Integrated).build().unwrap(),
    }
}

fn place(precision: Precision) -> Place {
    let Place::Cuda { device, shape, .. } = Place::cuda(0).unwrap() else { unreachable!() };
    Place::Cuda { device, precision, shape }
}

/// Largest relative difference of forward dynamics from the engine over some states.
fn of_verb(model: &Model, precision: Precision) -> f64 {
    let Place::Cuda { device, .. } = place(precision) else { unreachable!() };
    let recording = Recording { model, state: None, verb: &Verb::ForwardDynamics, parameters: &[] };
    let program = recording.program().unwrap().scheduled();
    let reference = recording.reference(&program, 20).unwrap();
    let mut evaluation = Evaluation::new(&device, &program, precision, Shape::default()).unwrap();
    let rows: Vec<f64> = reference.vectors.iter().flat_map(|vector| vector.inputs.clone()).collect();
    evaluation.set_inputs(&rows, reference.vectors.len()).unwrap();
    evaluation.run(1).unwrap();
    let (found, _) = evaluation.results().unwrap();
    let each = found.chunks(program.outputs.len()).zip(&reference.vectors);
    each.map(|(row, vector)| difference(row, &vector.outputs)).fold(0.0, f64::max)
}

/// Hinge angles after a second under constant forces from rest, in steps of `step`.
fn after_a_second(model: &Model, verb: &Verb, step: f64, precision: Precision) -> Vec<f64> {
    let plan = Plan { model, state: None, step: verb, parameters: &[], law: None };
    let mut fleet = plan.on(&place(precision)).unwrap().fleet(1).unwrap();
    let forces: Vec<f64> = (0..model.speed_count()).map(|i| if i % 7 == 0 { 500.0 } else { 0.0 }).collect();
    fleet.set_forces(&forces).unwrap();
    fleet.advance(step, (1.0 / step).round() as usize).unwrap();
    let mut state = State::new(model);
    let mut attitudes: Vec<[f64; 4]> = state.attitudes.iter().map(|q| q.0).collect();
    let into = StatesMut { coordinates: &mut state.coordinates, speeds: &mut state.speeds, attitudes: &mut attitudes };
    fleet.states(into).unwrap();
    assert!(fleet.outcomes().unwrap()[0].failed.is_none());
    state.coordinates
}

/// Double precision is the engine's but for rounding; single has seven digits at best, and stiff modes leave fewer.
#[test]
fn single_precision_loses_digits_where_modes_are_stiff() {
    if !runs_here("precision::single_precision_loses_digits_where_modes_are_stiff") {
        return;
    }
    let [rigid, stiff] = [None, Some(Fidelity::Exact)].map(|fidelity| of_verb(&arm(fidelity), Precision::Single));
    let double = of_verb(&arm(None), Precision::Double);
    println!("rigid {rigid:.1e}, exact {stiff:.1e} in f32, rigid {double:.1e} in f64");
    assert!(double < 1e-10 && rigid > 1e-9 && rigid < 1e-2 && stiff > rigid, "{double:e} {rigid:e} {stiff:e}");
}

/// The table of docs/gpu.md. Not part of the usual tests: compilers take a while for its kernels.
#[test]
#[ignore = "prints the table of docs/gpu.md: cargo test -p supple-gpu --test all the_table -- --ignored --nocapture"]
fn the_table() {
    if let Some(told) = elsewhere("precision::the_table", &[]) {
        println!("{}{}", String::from_utf8_lossy(&told.stdout), String::from_utf8_lossy(&told.stderr));
        return;
    }
    println!(
        "| arm | forward dynamics, f32 | f64 | rk4_step, 1 s of 0.2 ms, f32 | linearly_implicit_step, 1 s of 10 ms, f32 |"
    );
    for (name, fidelity) in [
        ("rigid", None),
        ("rl", Some(Fidelity::Ruthless)),
        ("exact", Some(Fidelity::Exact)),
        ("stiffened", Some(Fidelity::Stiffened)),
    ] {
        let model = arm(fidelity);
        let verb = [Precision::Single, Precision::Double].map(|precision| of_verb(&model, precision));
        // Short explicit steps: cantilever modes of stretch reach 4000 rad/s.
        let steps = [(Verb::Rk4Step, 2e-4), (Verb::LinearlyImplicitStep, 1e-2)].map(|(verb, step)| {
            let [short, long] =
                [Precision::Single, Precision::Double].map(|precision| after_a_second(&model, &verb, step, precision));
            difference(&short, &long)
        });
        println!("| {name} | {:.1e} | {:.1e} | {:.1e} | {:.1e} |", verb[0], verb[1], steps[0], steps[1]);
    }
}
