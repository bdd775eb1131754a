//! Primary and secondary systems, equations that depend on others, and equations chosen beforehand.

use crate::closed_motion::{bar, four_bar, start};
use crate::counting_allocator::allocations;
use supple::testkit::{Prepared, RandomOptions, Worst, constraints, random_system, relative_difference};
use supple::{
    Body, BodyIndex, Closure, ClosureKind, DenseWorkspace, DynamicsError, ElasticRotation, Hinge, HingeKind, Inputs,
    Model, ModelBuilder, Mount, NodeIndex, Parent, State, Workspace, WrenchFrame, closure_rank,
    composite_forward_dynamics, forward_dynamics, reactions,
};

/// A number that looks random, in ±1.
fn number(seed: usize, i: usize) -> f64 {
    ((seed as f64 + 1.0) * 12.9898 + i as f64 * 78.233).sin()
}

/// So many arms of `links` links each on the ground, whose hands hold one floating payload; every second link bends.
fn arms(count: usize, links: usize, kind: &dyn Fn() -> ClosureKind, flexible_payload: bool) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let mut hands = Vec::new();
    for arm in 0..count {
        let mut parent = Parent::Ground;
        for link in 0..links {
            let mut body = bar(&format!("arm {arm} link {link}"), parent, 0.5, 1.0, link % 2 == 1);
            let axis = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]][link % 3];
            body.hinge = Hinge::new(HingeKind::Revolute { axis });
            if link == 0 {
                body.hinge = body.hinge.at([(2.0 * arm as f64).cos(), (2.0 * arm as f64).sin(), 0.0]);
            }
            let body = builder.body(body);
            parent = Parent::Body(body, NodeIndex(2));
            if link + 1 == links {
                hands.push(Mount::node(body, NodeIndex(2)));
            }
        }
    }
    let mut payload = bar("payload", Parent::Ground, 1.0, 5.0, flexible_payload);
    payload.hinge = Hinge::new(HingeKind::Free);
    let payload = builder.body(payload);
    for (i, hand) in hands.into_iter().enumerate() {
        builder.closure(Closure::joint(kind(), hand, Mount::node(payload, NodeIndex(i % 3)).at([0.0, 0.1, 0.0])));
    }
    builder.build().unwrap()
}

/// A state like no other, loads on every speed.
fn anywhere(model: &Model, seed: usize) -> (State, Inputs) {
    let (mut state, mut inputs) = (State::new(model), Inputs::new(model));
    for k in model.body_indices().filter(|k| model.hinge_coordinates(*k).len() == 1) {
        state.coordinates[model.hinge_coordinates(k).start] = 1.5 * number(seed, k.0);
    }
    state.speeds.iter_mut().enumerate().for_each(|(i, u)| *u = number(seed + 7, i));
    inputs.forces.iter_mut().enumerate().for_each(|(i, force)| *force = number(seed + 3, i));
    state.turn_nodes(model);
    (state, inputs)
}

/// Forces by the speeds of the payload are those of the dense solution and of the matrix of all equations; also where the arms cannot move their hands in every
/// sense, and with some of them open.
#[test]
fn forces_follow_from_the_speeds_of_a_payload() {
    let mut worst = Worst::default();
    let weld = || ClosureKind::Weld;
    let ball = || ClosureKind::Ball;
    for (name, model) in [
        ("five welds", arms(5, 7, &weld, false)),
        ("four welds, flexible", arms(4, 7, &weld, true)),
        ("short arms", arms(5, 3, &weld, false)),
        ("six balls", arms(6, 3, &ball, true)),
    ] {
        let payload = model.body("payload").unwrap();
        assert_eq!(model.secondary_bodies().collect::<Vec<_>>(), [payload], "{name}");
        let (mut workspace, mut dense) = (Workspace::new(&model), DenseWorkspace::new(&model));
        for seed in 0..20 {
            let (mut state, inputs) = anywhere(&model, seed);
            state.closed.iter_mut().enumerate().for_each(|(i, closed)| *closed = (i + seed) % 7 > 0);
            let expected = composite_forward_dynamics(&model, &state, &inputs, &mut workspace, &mut dense).unwrap();
            let expected = expected.accelerations().to_vec();
            let mut found = Vec::new();
            let mut solve = |inputs: &Inputs| {
                let mut solved = Err(DynamicsError::NotSolved);
                let count = allocations(|| {
                    solved = forward_dynamics(&model, &state, inputs, &mut workspace).map(|_| ());
                });
                assert_eq!((solved, count), (Ok(()), 0));
                let solution = forward_dynamics(&model, &state, inputs, &mut workspace).unwrap();
                let forces = model.closure_handles().flat_map(|closure| solution.closure_forces(closure).unwrap());
                found.push((solution.accelerations().to_vec(), forces.copied().collect::<Vec<f64>>()));
            };
            solve(&inputs);
            // With the rows chosen, the matrix of all equations is factored.
            let rank = closure_rank(&model, &state, &inputs, &mut Workspace::new(&model)).unwrap();
            solve(&Inputs { closure_rows: rank.independent, ..inputs.clone() });
            let [(by_speeds, forces), (by_matrix, others)] = &found[..] else { panic!() };
            worst.record(name, seed as u64, relative_difference(by_speeds, &expected), 1e-9);
            worst.record(&format!("{name}, matrix"), seed as u64, relative_difference(by_matrix, &expected), 1e-9);
            worst.record(&format!("{name}, forces"), seed as u64, relative_difference(forces, others), 1e-7);
        }
    }
    worst.assert_within();
}

/// Every closure twice: both hold half, and the hinges carry what they carry with one.
#[test]
fn closures_that_hold_the_same_share_it() {
    let (mut worst, mut shared) = (Worst::default(), 0);
    for seed in 0..120 {
        let options = RandomOptions {
            closures: 2,
            mass_ratio: 10.0,
            modes: 4,
            singular: false,
            elastic_rotation: Some(ElasticRotation::Integrated),
            ..RandomOptions::default()
        };
        let (mut system, mut state) = random_system(seed, &options);
        let condition = constraints(&system, &state).condition(&state.answer(&system));
        if system.closures.is_empty() || condition > 1e5 {
            continue;
        }
        state.speeds = constraints(&system, &state).project(&state.answer(&system), &state.speeds);
        let once = Prepared::new(&system, &state);
        let own = system.closures.clone();
        system.closures.extend(own.iter().cloned().map(|closure| Closure { name: None, ..closure }));
        let twice = Prepared::new(&system, &state);
        let (mut workspace, mut other) = (once.workspace(), twice.workspace());
        let rank = closure_rank(&twice.model, &twice.state, &twice.inputs, &mut other).unwrap();
        assert_eq!(rank.redundant.len(), once.model.equation_count(), "seed {seed}");
        assert!(matches!(rank.require_independent(&twice.model), Err(DynamicsError::Redundant { .. })));
        let expected = reactions(&once.model, &once.state, &once.inputs, &mut workspace).unwrap();
        let found = reactions(&twice.model, &twice.state, &twice.inputs, &mut other).unwrap();
        let allowed = f64::max(1e-9, condition * 1e-14);
        let error = relative_difference(found.accelerations(), expected.accelerations());
        worst.record("accelerations", seed, error, allowed);
        let half = |closure| expected.closure_forces(closure).unwrap().iter().map(|force| 0.5 * force);
        let halves: Vec<f64> = once.model.closure_handles().flat_map(half).collect();
        let handles: Vec<_> = twice.model.closure_handles().collect();
        for copy in handles.chunks(own.len()) {
            let forces = copy.iter().flat_map(|closure| found.closure_forces(*closure).unwrap()).copied();
            worst.record("halves", seed, relative_difference(&forces.collect::<Vec<f64>>(), &halves), allowed);
            shared += 1;
        }
        let [mut size, mut error] = [1e-300_f64, 0.0];
        for (hinge, same) in once.model.hinges().zip(twice.model.hinges()) {
            let [x, y] = [expected.hinge_wrench(hinge, WrenchFrame::Body), found.hinge_wrench(same, WrenchFrame::Body)];
            for (x, y) in x.unwrap().to_array().iter().zip(y.unwrap().to_array()) {
                (size, error) = (size.max(x.abs()), error.max((x - y).abs()));
            }
        }
        worst.record("hinges", seed, error / size, allowed);
    }
    assert!(shared > 60, "{shared}");
    worst.assert_within();
}

/// Rows chosen beforehand give the same solution as those that each evaluation chooses; a list of another length is refused.
#[test]
fn rows_may_be_chosen_beforehand() {
    let model = four_bar(true, 1.0);
    let (state, mut inputs, mut workspace) = (start(&model), Inputs::new(&model), Workspace::new(&model));
    let expected = forward_dynamics(&model, &state, &inputs, &mut workspace).unwrap().accelerations().to_vec();
    let rank = closure_rank(&model, &state, &inputs, &mut workspace).unwrap();
    assert_eq!(rank.independent.iter().filter(|row| !**row).count(), 3);
    let error = rank.require_independent(&model).unwrap_err().to_string();
    let words = ["closure 'bearing'", "equation", "depends on others", "3 equations"];
    assert!(words.iter().all(|word| error.contains(word)), "{error}");
    inputs.closure_rows = rank.independent;
    let found = forward_dynamics(&model, &state, &inputs, &mut workspace).unwrap();
    assert_eq!(found.accelerations(), expected);
    inputs.closure_rows.pop();
    let refused = forward_dynamics(&model, &state, &inputs, &mut workspace).unwrap_err();
    assert!(matches!(refused, DynamicsError::WrongSize { .. }), "{refused}");
}

/// A table on four legs: how rigid bodies share its weight is not determined. Symmetric legs share it alike, and nothing is done across.
#[test]
fn four_legs_share_a_weight() {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let plate = Body::rigid("plate", Parent::Ground, Hinge::new(HingeKind::Free), 8.0, [0.0; 3], inertia);
    builder.body(plate);
    for [x, y] in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
        let foot = Mount::node(BodyIndex(0), NodeIndex(0)).at([x, y, 0.0]);
        let kind = ClosureKind::PointOnPlane { normal: [0.0, 0.0, 1.0] };
        builder.closure(Closure::joint(kind, Mount::ground(), foot));
    }
    let model = builder.build().unwrap();
    let mut workspace = Workspace::new(&model);
    let (state, inputs) = (State::new(&model), Inputs::new(&model));
    let solution = reactions(&model, &state, &inputs, &mut workspace).unwrap();
    for closure in model.closure_handles() {
        let [force] = solution.closure_forces(closure).unwrap() else { panic!() };
        assert!((force - 8.0 * 9.81 / 4.0).abs() < 1e-12, "{force}");
    }
}
