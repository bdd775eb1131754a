//! Inputs and outputs by name; what linear models say of a simple system.

use crate::support::{hinge, slender};
use supple::{Actuator, HingeKind, Inputs, Model, ModelBuilder, Parent, State};
use supple_bodies::beam::{ModalBeam, ModeCounts};
use supple_linear::{LinearError, Selection, hold, input_signals, linearize, lock, output_signals};

fn arm() -> Model {
    let link = ModalBeam::cantilever(1.0, slender(0.5, 40.0), ModeCounts { bending_y: 2, ..ModeCounts::default() });
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, -9.81, 0.0]);
    let axis = [0.0, 0.0, 1.0];
    let upper = builder.body(link.body("upper", Parent::Ground, hinge("shoulder", HingeKind::Revolute { axis })));
    let tip = Parent::Body(upper, link.tip_node());
    builder.body(link.body("lower", tip, hinge("elbow", HingeKind::Revolute { axis })));
    builder.actuator(Actuator { gear_ratio: 20.0, rotor_inertia: 1e-5, ..Actuator::new("drive", upper) });
    builder.build().unwrap()
}

fn hanging(model: &Model) -> State {
    let mut state = State::new(model);
    state.set(model.hinge("shoulder").unwrap(), -std::f64::consts::FRAC_PI_2).unwrap();
    state
}

#[test]
fn slips_are_told_with_the_nearest_name() {
    let model = arm();
    let (state, inputs) = (hanging(&model), Inputs::new(&model));
    let ask = |i: &str, o: &str| linearize(&model, &state, &inputs, &Selection::new([i], [o])).unwrap_err();
    let error = ask("force.sholder", "hinge.elbow");
    assert_eq!(error.to_string(), "the model has no input 'force.sholder'; did you mean 'force.shoulder'?");
    let error = ask("input.force.elbow", "node.lower.tipp.y");
    assert_eq!(error.to_string(), "the model has no output 'node.lower.tipp.y'; did you mean 'node.lower.tip.y'?");
    assert!(matches!(ask("wheel.*", "hinge.elbow"), LinearError::UnknownSignal { list: "input", .. }));
    let twice = Selection::new(["force.elbow", "force.elbow"], ["hinge.elbow"]);
    assert!(matches!(linearize(&model, &state, &inputs, &twice), Err(LinearError::RepeatedSignal { .. })));
    let mut locked = inputs.clone();
    lock(&model, &mut locked, &["elb*"]).unwrap();
    let selection = Selection::new(["force.elbow"], ["hinge.elbow"]);
    let error = linearize(&model, &state, &locked, &selection).unwrap_err();
    assert!(matches!(&error, LinearError::LockedInput { name } if name == "input.force.elbow"), "{error}");
    let error = lock(&model, &mut locked, &["shoulders"]).unwrap_err();
    assert!(error.to_string().contains("did you mean 'shoulder'?"), "{error}");
}

/// Names decide before patterns and longer patterns before shorter ones, whatever is usual; what both lists say alike is refused.
#[test]
fn hinges_are_locked_and_freed_by_the_same_rules() {
    let model = arm();
    let held = |lists: (&[&str], &[&str]), otherwise: bool| {
        let mut inputs = Inputs::new(&model);
        hold(&model, &mut inputs, lists, otherwise).map(|()| inputs.prescribed)
    };
    for otherwise in [false, true] {
        assert_eq!(held((&["*"], &["elbow"]), otherwise).unwrap(), [true, false]);
        assert_eq!(held((&["elbow"], &["*"]), otherwise).unwrap(), [false, true]);
        assert_eq!(held((&["*"], &["should*"]), otherwise).unwrap(), [false, true]);
        assert_eq!(held((&["elbow"], &[]), otherwise).unwrap(), [otherwise, true]);
        for (lock, free) in [("elbow", "elbow"), ("*", "*")] {
            let error = held((&[lock], &[free]), otherwise).unwrap_err();
            assert!(matches!(&error, LinearError::LockedAndFree { .. }), "{error}");
        }
        assert!(held((&["elbo"], &[]), otherwise).unwrap_err().to_string().contains("did you mean 'elbow'?"));
    }
}

#[test]
fn every_signal_can_be_asked_for() {
    let model = arm();
    let (state, inputs) = (hanging(&model), Inputs::new(&model));
    let all = Selection::new(["*"], ["*"]);
    let linear = linearize(&model, &state, &inputs, &all).unwrap();
    assert_eq!(linear.outputs, output_signals(&model));
    // Patterns leave out accelerations, which would make their hinges move as prescribed.
    let forces = input_signals(&model).into_iter().filter(|signal| !signal.name.starts_with("acceleration."));
    assert_eq!(linear.inputs.len(), forces.count());
    assert_eq!(linear.states.len(), 2 * model.speed_count());
    for matrix in [&linear.a, &linear.b, &linear.c, &linear.d] {
        assert!(matrix.as_slice().iter().all(|x| x.is_finite()));
    }
    assert_eq!(linear.operating_point.y.len(), linear.outputs.len());
}

/// What the matrices say of outputs is what the outputs do: rows against differences of the whole model in time would be slow, so rates are compared:
/// `ẏ` of a position is the velocity, `ẏ` of that the acceleration, at rest and for states and inputs alike.
#[test]
fn outputs_are_rates_of_each_other() {
    let model = arm();
    let (state, inputs) = (hanging(&model), Inputs::new(&model));
    let of = |ending: &str| ["x", "y", "z"].map(|axis| format!("node.lower.tip.{ending}{axis}"));
    let outputs = [of(""), of("r"), of("v"), of("w"), of("a"), of("alpha")].concat();
    let selection = Selection::new(["force.*", "wrench.lower.tip.force.y"].map(String::from), outputs);
    let linear = linearize(&model, &state, &inputs, &selection).unwrap();
    let (n, m) = (linear.states.len(), linear.inputs.len());
    for i in 0..12 {
        for j in 0..n {
            let rate: f64 = (0..n).map(|k| linear.c[(i, k)] * linear.a[(k, j)]).sum();
            let found = linear.c[(i + 6, j)];
            assert!((rate - found).abs() < 1e-7 * (1.0 + rate.abs()), "{}: {rate} {found}", linear.outputs[i].name);
        }
        for j in 0..m {
            let rate: f64 = (0..n).map(|k| linear.c[(i, k)] * linear.b[(k, j)]).sum::<f64>();
            assert!((rate - linear.d[(i + 6, j)]).abs() < 1e-9 * (1.0 + rate.abs()));
        }
    }
}

/// A hinge whose acceleration is the input moves by that alone, and the rest as a force that gives it this acceleration would make it.
#[test]
fn accelerations_drive_hinges() {
    let model = arm();
    let (state, inputs) = (hanging(&model), Inputs::new(&model));
    let selection =
        Selection::new(["acceleration.shoulder"], ["hinge.shoulder", "force.shoulder", "acceleration.elbow"]);
    let driven = linearize(&model, &state, &inputs, &selection).unwrap();
    let at = driven.states.iter().position(|signal| signal.name == "speed.shoulder").unwrap();
    for j in 0..driven.states.len() {
        assert_eq!(driven.a[(at, j)], 0.0);
    }
    assert_eq!(driven.b[(at, 0)], 1.0);
    let forced = linearize(
        &model,
        &state,
        &inputs,
        &Selection::new(["force.shoulder"], ["acceleration.shoulder", "acceleration.elbow"]),
    )
    .unwrap();
    // One unit of acceleration takes 1 / D of force, and the elbow answers in proportion.
    let force = 1.0 / forced.d[(0, 0)];
    assert!((driven.d[(1, 0)] / force - 1.0).abs() < 1e-9, "{} for {force}", driven.d[(1, 0)]);
    assert!((driven.d[(2, 0)] - force * forced.d[(1, 0)]).abs() < 1e-9 * force.abs());
}

/// What holds a locked hinge, and the reaction of the ground: the static force of a displaced pendulum.
#[test]
fn reactions_of_a_locked_arm() {
    let model = arm();
    let state = hanging(&model);
    let mut inputs = Inputs::new(&model);
    lock(&model, &mut inputs, &["shoulder"]).unwrap();
    let outputs = ["force.shoulder", "reaction.shoulder.moment.z", "hinge.elbow"];
    let linear = linearize(&model, &state, &inputs, &Selection::new(["force.elbow"], outputs)).unwrap();
    // The drive and the hinge's wrench along its axis are the same.
    for j in 0..linear.states.len() {
        assert!((linear.c[(0, j)] - linear.c[(1, j)]).abs() < 1e-7 * (1.0 + linear.c[(0, j)].abs()));
    }
    assert!(linear.states.iter().all(|signal| signal.name != "hinge.shoulder"));
}
