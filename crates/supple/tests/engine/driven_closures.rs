//! Closures whose equations move as prescribed, that carry force elements, or hold what they find.

use crate::closed_motion::{Y, bar, end, four_bar, start, two_flyers};
use crate::motions::{SCHEMES, free, tolerance};
use supple::force::{ForceElement, HingeCoupling, HingeDamping, HingeSpring, HingeStops, Port};
use supple::integrate::{IntegrationError, Scheme, Simulation, Stepping};
use supple::testkit::{Prepared, RandomOptions, Worst, constraints, random_system, relative_difference};
use supple::{
    Body, BodyIndex, Closure, ClosureKind, Constraint, CoupledHinge, DynamicsError, ElasticRotation, EquationMotion,
    Hinge, HingeKind, Inputs, Model, ModelBuilder, Mount, NodeIndex, Parent, State, System, Workspace, assemble,
    closure_deviations, energy, forward_dynamics, hold, kinematics,
};

fn options() -> RandomOptions {
    RandomOptions { closures: 3, driven: true, mass_ratio: 10.0, modes: 5, singular: false, ..RandomOptions::default() }
}

/// A number that looks random.
fn number(seed: u64, i: usize) -> f64 {
    ((seed as f64 + 1.0) * 12.9898 + i as f64 * 78.233).sin() * 3.0
}

/// Random closed systems whose distances, couplings and driven coordinates move as prescribed, against the dense solution.
#[test]
fn prescribed_closures_have_the_accelerations_of_a_dense_solution() {
    let (mut worst, mut moving) = (Worst::default(), 0);
    for seed in 0..400 {
        let (system, mut state) = random_system(seed, &options());
        let mut equations = constraints(&system, &state);
        let condition = equations.condition(&state.answer(&system));
        if system.closures.is_empty() || condition > 1e8 {
            continue;
        }
        let speeds: Vec<f64> =
            equations.coordinate.iter().enumerate().map(|(i, of)| of.map_or(0.0, |_| number(seed, i))).collect();
        equations.speed.iter_mut().zip(&speeds).for_each(|(s, u)| *s -= u);
        state.speeds = equations.project(&state.answer(&system), &state.speeds);
        let mut at = Prepared::new(&system, &state);
        let mut equations = constraints(&system, &state);
        for (i, (closure, _)) in equations.wrench_on_a.iter().enumerate() {
            let Some(coordinate) = equations.coordinate[i] else { continue };
            let handle = at.model.closure_handles().nth(*closure).unwrap();
            let row = at.model.driven_equation(handle, coordinate).unwrap();
            let (speed, acceleration) = (speeds[i], number(seed, i + 50));
            at.inputs.closure_motions[row] = EquationMotion { displacement: 0.0, speed, acceleration };
            equations.drift[i] -= acceleration;
            moving += 1;
        }
        let (expected, forces) = equations.solve(&state.answer(&system), &state.forces);
        let mut workspace = at.workspace();
        let solution = forward_dynamics(&at.model, &at.state, &at.inputs, &mut workspace).unwrap();
        let allowed = f64::max(1e-10, condition * 1e-15);
        worst.record("accelerations", seed, relative_difference(solution.accelerations(), &expected), allowed);
        // Forces of the closures have the power λ·U.
        let powers = forces.iter().zip(&speeds).map(|(force, speed)| force * speed);
        let (power, size) = powers.fold((0.0, 1.0), |(sum, size), x| (sum + x, size + x.abs()));
        let found: f64 = (at.model.closure_handles())
            .flat_map(|closure| closure.rows().zip(solution.closure_forces(closure).unwrap()))
            .map(|(row, force)| force * at.inputs.closure_motions[row].speed)
            .sum();
        worst.record("power", seed, (found - power).abs() / size, allowed);
    }
    assert!(moving > 200, "{moving}");
    worst.assert_within();
}

/// Springs, dampers, stops and couplings at coordinates of closures, against laws at coordinates that are differentiated.
#[test]
fn elements_at_closures_have_the_forces_of_the_oracle() {
    let (mut worst, mut found) = (Worst::default(), 0);
    for seed in 0..400 {
        let (mut system, mut state) = random_system(seed, &RandomOptions { driven: false, ..options() });
        let mut last = None;
        for (i, closure) in system.closures.clone().iter().enumerate() {
            let Constraint::Joint { kind, .. } = &closure.constraint else { continue };
            for coordinate in 0..kind.coordinates().len() {
                let port = Port::Closure { closure: i, coordinate };
                let n = |k: usize| number(seed, 10 * i + 3 * coordinate + k);
                system.forces.push(ForceElement::new(HingeSpring { stiffness: 40.0, rest: n(0) }, [port]));
                system.forces.push(ForceElement::new(HingeDamping { damping: n(1).abs() }, [port]));
                let stops = HingeStops { lower: -0.1, upper: 0.1, stiffness: 300.0, damping: 0.1 };
                system.forces.push(ForceElement::new(stops, [port]));
                if let Some(other) = last.replace(port) {
                    let law = HingeCoupling { ratio: 1.5, offset: 0.1, stiffness: 30.0, damping: 0.3 };
                    system.forces.push(ForceElement::new(law, [other, port]));
                }
                found += 1;
            }
        }
        let equations = constraints(&system, &state);
        let condition = equations.condition(&state.answer(&system));
        // Attitudes of first order are no rotations: velocities of frames off their nodes are not the rates of their positions.
        let first_order = system.elastic_rotation == ElasticRotation::FirstOrder;
        if system.forces.is_empty() || condition > 1e8 || first_order {
            continue;
        }
        // Equations of other directions agree where none of them is violated.
        state.speeds = equations.project(&state.answer(&system), &state.speeds);
        let at = Prepared::new(&system, &state);
        let (expected, _) = constraints(&system, &state).solve(&state.answer(&system), &state.forces);
        let mut workspace = at.workspace();
        let solution = forward_dynamics(&at.model, &at.state, &at.inputs, &mut workspace).unwrap();
        let error = relative_difference(solution.accelerations(), &expected);
        worst.record("accelerations", seed, error, f64::max(1e-10, condition * 1e-15));
        // Nothing acts at a closure that is open.
        let mut open = at.state.clone();
        open.closed.fill(false);
        let bare = Model::build(&System { forces: Vec::new(), ..system.clone() }).unwrap();
        let mut alone = State::new(&bare);
        (alone.coordinates, alone.speeds, alone.attitudes) =
            (open.coordinates.clone(), open.speeds.clone(), open.attitudes.clone());
        alone.closed.fill(false);
        let mut other = Workspace::new(&bare);
        let inputs = Inputs { stamp: bare.stamp(), ..at.inputs.clone() };
        let expected = forward_dynamics(&bare, &alone, &inputs, &mut other).unwrap();
        let solution = forward_dynamics(&at.model, &open, &at.inputs, &mut workspace).unwrap();
        worst.record("open", seed, relative_difference(solution.accelerations(), expected.accelerations()), 1e-12);
    }
    assert!(found > 100, "{found}");
    worst.assert_within();
}

/// The angle of the crank, prescribed.
fn swing(time: f64) -> EquationMotion {
    EquationMotion {
        displacement: 0.1 * (1.0 - (2.0 * time).cos()),
        speed: 0.2 * (2.0 * time).sin(),
        acceleration: 0.4 * (2.0 * time).cos(),
    }
}

/// A four-bar linkage cut at the bearing of its crank, which is driven, moves as the one whose tree starts with that crank.
#[test]
fn the_joint_that_is_cut_may_be_the_driven_one() {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let crank = builder.body(bar("crank", Parent::Ground, 0.5, 1.0, false));
    let coupler = builder.body(bar("coupler", end(crank), 1.0, 1.0, true));
    let rocker = builder.body(bar("rocker", end(coupler), 0.8, 1.0, false));
    let bearing = Mount::ground().at([1.0, 0.0, 0.0]);
    let revolute = || ClosureKind::Revolute { axis: Y };
    builder.closure(Closure::joint(revolute(), bearing, Mount::node(rocker, NodeIndex(2))).driven());
    let driven = builder.build().unwrap();
    let mut first = State::new(&driven);
    first.coordinates[0] = -1.5;
    let mut inputs = Inputs::new(&driven);
    let handle = driven.closure_handles().next().unwrap();
    let row = driven.driven_equation(handle, 0).unwrap();
    let angle = |state: &State| {
        let turned = [BodyIndex(0), BodyIndex(1), BodyIndex(2)].map(|k| state.hinge_coordinates(&driven, k)[0]);
        turned.iter().sum::<f64>() + state.modal_coordinates(&driven, coupler)[0] * -2.0
    };
    // The free assembly finds an angle; the motion starts there.
    let free_bearing = four_bar(true, 1.0);
    let closed = start(&free_bearing);
    first.coordinates.clone_from(&closed.coordinates);
    let zero = angle(&first);
    let at = move |time: f64| EquationMotion { displacement: zero + swing(time).displacement, ..swing(time) };
    inputs.closure_motions[row] = at(0.0);
    assemble(&driven, &mut first, &inputs).unwrap();
    for scheme in SCHEMES {
        let drive = move |state: &State, inputs: &mut Inputs| inputs.closure_motions[row] = at(state.time);
        let (stepping, allowed) = match scheme {
            Scheme::RungeKutta4 => (Stepping::Fixed(5e-4), 1e-6),
            Scheme::Gauss { .. } => (Stepping::Fixed(1e-3), 1e-6),
            Scheme::GeneralizedAlpha { .. } => (Stepping::Fixed(2e-4), 1e-3),
            _ => (tolerance(1e-9), 1e-5),
        };
        let mut run = Simulation::new(&driven, first.clone(), drive, scheme, stepping).unwrap();
        run.advance(1.0).unwrap_or_else(|error| panic!("{scheme:?}: {error}"));
        inputs.closure_motions[row] = at(1.0);
        let (mut open, mut fast) = (vec![0.0; 6], vec![0.0; 6]);
        let state = run.state().clone();
        closure_deviations(&driven, &state, &inputs, &mut Workspace::new(&driven), &mut open, &mut fast).unwrap();
        let worst = open.iter().chain(&fast).fold(0.0_f64, |m, x| m.max(x.abs()));
        assert!(worst < 1e-9, "{scheme:?}: {worst:e}");
        let ledger = run.ledger().unwrap();
        assert!(ledger.work.abs() > 0.1, "{scheme:?}: {:e}", ledger.work);
        assert!(ledger.balance_error().abs() < allowed, "{scheme:?}: {:e}", ledger.balance_error());
        assert!((angle(&state) - zero - swing(1.0).displacement).abs() < 1e-8);
    }
}

/// Asked to move what holds a rotation, every verb says so.
#[test]
fn rotations_that_are_held_cannot_be_moved() {
    let model = four_bar(false, 1.0);
    let mut inputs = Inputs::new(&model);
    inputs.closure_motions[0].acceleration = 1.0;
    let error = forward_dynamics(&model, &State::new(&model), &inputs, &mut Workspace::new(&model)).unwrap_err();
    assert_eq!(error, DynamicsError::FixedEquation { closure: 0, equation: 0 });
    assert!(error.to_string().contains("driven"), "{error}");
    let handle = model.closure_handles().next().unwrap();
    assert_eq!(model.driven_equation(handle, 0), None);
    inputs.closure_motions[2].acceleration = 1.0;
    inputs.closure_motions[0] = EquationMotion::STILL;
    forward_dynamics(&model, &start(&model), &inputs, &mut Workspace::new(&model)).unwrap();
}

/// Closures of every kind hold what they find.
#[test]
fn a_closure_holds_its_frames_where_they_are() {
    for seed in 0..200 {
        let options = RandomOptions { elastic_rotation: Some(ElasticRotation::RotationVector), ..options() };
        let (system, state) = random_system(seed, &options);
        let at = Prepared::new(&system, &state);
        let (mut state, mut workspace, inputs) = (at.state.clone(), at.workspace(), Inputs::new(&at.model));
        for closure in at.model.closure_handles() {
            hold(&at.model, &mut state, closure, &inputs, &mut workspace).unwrap();
        }
        let m = at.model.equation_count();
        let (mut open, mut fast) = (vec![0.0; m], vec![0.0; m]);
        closure_deviations(&at.model, &state, &inputs, &mut workspace, &mut open, &mut fast).unwrap();
        // Driven coordinates keep their value.
        let held = open.iter().zip(at.model.closures().iter().flat_map(|c| vec![c.driven; c.equations()]));
        let worst = held.filter(|(_, driven)| !driven).fold(0.0_f64, |m, (x, _)| m.max(x.abs()));
        assert!(worst < 1e-12, "seed {seed}: {worst:e}");
    }
}

/// A brake stops a hinge where it is, and a checkpoint knows where.
#[test]
fn a_brake_holds_the_angle_that_it_finds() {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let upper = builder.body(bar("upper", Parent::Ground, 0.5, 1.0, false));
    builder.body(bar("lower", end(upper), 0.5, 1.0, true));
    let hinge = CoupledHinge { body: upper, speed: 0, factor: 1.0 };
    builder.closure(Closure::coupling([hinge], 0.0).named("brake"));
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    state.closed[0] = false;
    let mut run = Simulation::new(&model, state.clone(), free, Scheme::PrinceDormand8, tolerance(1e-11)).unwrap();
    run.advance(0.3).unwrap();
    let brake = model.closure("brake").unwrap();
    let impact = run.hold(brake).unwrap();
    assert!(impact.lost > 0.0 && impact.closing_speed > 0.1);
    let angle = run.state().coordinates[0];
    let saved = run.checkpoint();
    run.advance(1.0).unwrap();
    assert!((run.state().coordinates[0] - angle).abs() < 1e-12);
    assert!(run.ledger().unwrap().balance_error().abs() < 1e-8);
    let mut again = Simulation::new(&model, state, free, Scheme::PrinceDormand8, tolerance(1e-11)).unwrap();
    again.restore(&saved).unwrap();
    again.advance(1.0).unwrap();
    assert_eq!(again.state(), run.state());
    run.open(brake).unwrap();
    run.advance(1.3).unwrap();
    assert!((run.state().coordinates[0] - angle).abs() > 1e-3);
}

/// Two bodies that drift are held in the pose in which they meet.
#[test]
fn a_grip_keeps_the_pose_in_which_frames_meet() {
    let (model, mut state) = two_flyers();
    state.closed[0] = false;
    let closure = model.closure_handles().next().unwrap();
    let mut run = Simulation::new(&model, state, free, Scheme::PrinceDormand8, tolerance(1e-11)).unwrap();
    run.advance(0.2).unwrap();
    run.hold(closure).unwrap();
    let Constraint::Joint { a, b, .. } = &model.closures()[0].constraint else { panic!() };
    let (Parent::Body(body_a, node_a), Parent::Body(body_b, node_b)) = (a.parent, b.parent) else { panic!() };
    let relative = |state: &State| {
        let mut workspace = Workspace::new(&model);
        let motion = kinematics(&model, state, &mut workspace).unwrap();
        let (r_a, r_b) = (motion.node_attitude(body_a, node_a), motion.node_attitude(body_b, node_b));
        let d = motion.node_position(body_b, node_b) - motion.node_position(body_a, node_a);
        (r_a.transpose() * r_b, r_a.transpose_mul(d))
    };
    let before = relative(run.state());
    let mut energy_before = energy(&model, run.state(), &mut Workspace::new(&model)).unwrap().total();
    energy_before = energy_before.abs().max(1.0);
    run.advance(2.0).unwrap();
    let after = relative(run.state());
    let parted = (0..9).map(|i| (before.0.0[i / 3][i % 3] - after.0.0[i / 3][i % 3]).abs()).fold(0.0, f64::max);
    assert!(parted < 1e-9, "{parted:e}");
    assert!((before.1 - after.1).norm_squared().sqrt() < 1e-9);
    assert!(run.ledger().unwrap().balance_error().abs() < 1e-9 * energy_before);
}

/// Two rods that hold one slider, one of which grows: the run says which closure cannot be met and by how much it is missed.
#[test]
fn motions_that_contradict_each_other_are_named() {
    let mut builder = ModelBuilder::new();
    let slider = Hinge::new(HingeKind::Prismatic { axis: [1.0, 0.0, 0.0] });
    let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let body = builder.body(Body::rigid("slider", Parent::Ground, slider, 1.0, [0.0; 3], inertia));
    for (name, x) in [("still", 1.0), ("growing", -1.0)] {
        let rod = ClosureKind::Distance { length: 1.0 };
        let end = Mount::node(body, NodeIndex(0));
        builder.closure(Closure::joint(rod, Mount::ground().at([x, 0.0, 0.0]), end).named(name));
    }
    let model = builder.build().unwrap();
    let row = model.driven_equation(model.closure("growing").unwrap(), 0).unwrap();
    let drive = move |state: &State, inputs: &mut Inputs| {
        let t = state.time;
        inputs.closure_motions[row] = EquationMotion { displacement: 0.1 * t * t, speed: 0.2 * t, acceleration: 0.2 };
    };
    for scheme in [Scheme::PrinceDormand8, Scheme::LinearlyImplicit, Scheme::Bdf] {
        let mut run = Simulation::new(&model, State::new(&model), drive, scheme, tolerance(1e-8)).unwrap();
        let error = run.advance(1.0).unwrap_err();
        let IntegrationError::Dynamics { source: DynamicsError::CannotClose { name, miss, .. }, .. } = &error else {
            panic!("{scheme:?}: {error}")
        };
        assert!(name.is_some() && *miss > 1e-7, "{scheme:?}: {error}");
    }
}
