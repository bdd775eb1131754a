//! Inverse dynamics of closed chains, and the projection of speeds onto closures.

use crate::counting_allocator::allocations;
use supple::testkit::{Prepared, RandomOptions, Worst, constraints, random_system, relative_difference};
use supple::{
    ActuationWorkspace, DynamicsError, Inputs, Method, State, actuator_forces, close_speeds, closure_jacobian,
    forward_dynamics, forward_dynamics_by, mass_operator, operational_compliance, operational_inertia, reclose,
};

fn options() -> RandomOptions {
    RandomOptions {
        bodies: 3..=9,
        closures: 3,
        driven: true,
        mass_ratio: 10.0,
        singular: false,
        ..RandomOptions::default()
    }
}

/// Closed systems with speeds that obey the closures.
fn closed(options: &RandomOptions) -> impl Iterator<Item = (u64, Prepared, f64)> {
    (0..300).filter_map(move |seed| {
        let (system, mut state) = random_system(seed, options);
        let equations = constraints(&system, &state);
        let condition = equations.condition(&state.answer(&system));
        if system.closures.is_empty() || condition > 1e6 {
            return None;
        }
        state.speeds = equations.project(&state.answer(&system), &state.speeds);
        Some((seed, Prepared::new(&system, &state), condition))
    })
}

/// Least pivot, as part of the largest, of the columns of a Jacobian that no actuator moves, its rows of unit length.
fn least_pivot(jacobian: &[f64], actuated: &[bool]) -> f64 {
    let n = actuated.len();
    let passive = |row: &[f64]| {
        let size = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        row.iter().zip(actuated).filter(|(_, a)| !**a).map(|(x, _)| x / size).collect::<Vec<f64>>()
    };
    let mut rows: Vec<Vec<f64>> = jacobian.chunks_exact(n).map(passive).collect();
    let mut least = 1.0_f64;
    while let Some(longest) = (0..rows.len()).max_by(|a, b| norm(&rows[*a]).total_cmp(&norm(&rows[*b]))) {
        let row = rows.swap_remove(longest);
        let size = norm(&row);
        least = least.min(size);
        for other in &mut rows {
            let along = other.iter().zip(&row).map(|(x, y)| x * y).sum::<f64>() / (size * size);
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= along * y);
        }
    }
    least
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Forces on some speeds give accelerations; these give the forces back where there are no more of them than degrees of freedom. With more,
/// the forces are less, and give the same accelerations.
#[test]
fn forces_come_back_from_the_accelerations_that_they_give() {
    let (mut worst, mut unique, mut redundant) = (Worst::default(), 0, 0);
    for modes in [0, 4] {
        let options = RandomOptions { modes, ..options() };
        for (seed, mut at, condition) in closed(&options) {
            let (n, m) = (at.model.speed_count(), at.model.equation_count());
            let mut workspace = at.workspace();
            let mut memory = ActuationWorkspace::new(&at.model);
            let mut jacobian = vec![0.0; n * m];
            for actuators in [n - m, n] {
                // Spread over the speeds.
                let mut actuated = vec![false; n];
                (0..actuators).for_each(|i| actuated[(i * 7 + seed as usize) % n] = true);
                if actuated.iter().filter(|x| **x).count() < actuators {
                    actuated.iter_mut().enumerate().for_each(|(i, x)| *x = i < actuators);
                }
                let solution = forward_dynamics(&at.model, &at.state, &at.inputs, &mut workspace).unwrap();
                at.inputs.accelerations.copy_from_slice(solution.accelerations());
                let mut given = at.inputs.clone();
                given.forces.iter_mut().zip(&actuated).filter(|(_, a)| **a).for_each(|(force, _)| *force = 0.0);
                let found = actuator_forces(&at.model, &at.state, &given, &actuated, &mut workspace, &mut memory);
                let found = found.unwrap();
                let size = at.inputs.forces.iter().chain(found.closure_forces).fold(1.0_f64, |m, x| m.max(x.abs()));
                // Actuators that cannot move the chain apart from each other leave some of the accelerations to others.
                let allowed = f64::max(1e-9, condition * 1e-14);
                worst.record("missing", seed, found.missing / size, allowed);
                let forces = found.forces.to_vec();
                let square =
                    |forces: &[f64]| forces.iter().zip(&actuated).filter(|(_, a)| **a).map(|(x, _)| x * x).sum::<f64>();
                assert!(
                    square(&forces) <= square(&at.inputs.forces) * (1.0 + 1e-6),
                    "seed {seed} {} {}",
                    square(&forces),
                    square(&at.inputs.forces)
                );
                let again = Inputs { forces: forces.clone(), ..at.inputs.clone() };
                let expected = at.inputs.accelerations.clone();
                let solution = forward_dynamics(&at.model, &at.state, &again, &mut workspace).unwrap();
                worst.record("again", seed, relative_difference(solution.accelerations(), &expected), allowed);
                let same = relative_difference(&forces, &at.inputs.forces);
                if actuators == n - m {
                    closure_jacobian(&at.model, &at.state, &mut workspace, &mut jacobian).unwrap();
                    // The closures determine the speeds without actuators: there is one solution.
                    let least = least_pivot(&jacobian, &actuated);
                    if least > 1e-4 {
                        worst.record("returned", seed, same, allowed / least);
                        unique += 1;
                    }
                } else if same > 1e-3 {
                    redundant += 1;
                }
            }
        }
    }
    assert!(unique > 50 && redundant > 200, "{unique} {redundant}");
    worst.assert_within();
}

/// `1 - 𝓜⁻¹ A* (A Λ A*)⁻¹ A` of [SOA 0.37]: what it leaves it leaves again, and what it takes is across that in the metric of the mass.
#[test]
fn the_projection_onto_closures_is_idempotent() {
    let mut worst = Worst::default();
    for (seed, at, condition) in closed(&RandomOptions { modes: 4, ..options() }) {
        let (mut workspace, inputs) = (at.workspace(), Inputs::new(&at.model));
        let mut project = |speeds: &[f64]| {
            let mut state = State { speeds: speeds.to_vec(), ..at.state.clone() };
            close_speeds(&at.model, &mut state, &inputs, &mut workspace).unwrap();
            state.speeds
        };
        let n = at.model.speed_count();
        let any: Vec<f64> = (0..n).map(|i| ((i as f64 + seed as f64) * 1.7).sin()).collect();
        let once = project(&any);
        let twice = project(&once);
        worst.record("idempotent", seed, relative_difference(&twice, &once), f64::max(1e-12, condition * 1e-15));
        let mut product = vec![0.0; n];
        let mut other = at.workspace();
        mass_operator(&at.model, &at.state, &mut other).unwrap().apply(&once, &mut product).unwrap();
        let taken: Vec<f64> = any.iter().zip(&once).map(|(a, b)| a - b).collect();
        let sum: f64 = taken.iter().zip(&product).map(|(a, b)| a * b).sum();
        let size: f64 = any.iter().zip(&product).map(|(a, b)| (a * b).abs()).sum();
        worst.record("across", seed, sum.abs() / size, f64::max(1e-11, condition * 1e-15));
    }
    worst.assert_within();
}

/// Closures that are opened and closed again between solutions: only they are solved again, with the answer of all.
#[test]
fn closures_solved_again_are_those_of_a_fresh_solution() {
    let mut worst = Worst::default();
    for (seed, at, condition) in closed(&RandomOptions { modes: 4, ..options() }) {
        let (mut workspace, mut fresh, mut state) = (at.workspace(), at.workspace(), at.state.clone());
        assert!(matches!(reclose(&at.model, &state, &at.inputs, &mut workspace), Err(DynamicsError::NotSolved)));
        state.closed[0] = false;
        let _ = forward_dynamics(&at.model, &state, &at.inputs, &mut workspace).unwrap();
        for change in 0..4 {
            state.closed.iter_mut().enumerate().for_each(|(i, closed)| *closed = (change + i) % 3 != 1);
            let expected = forward_dynamics(&at.model, &state, &at.inputs, &mut fresh).unwrap();
            let mut found = None;
            let count = allocations(|| found = reclose(&at.model, &state, &at.inputs, &mut workspace).ok());
            let found = found.unwrap();
            assert_eq!(count, 0);
            let error = relative_difference(found.accelerations(), expected.accelerations());
            worst.record("accelerations", seed, error, f64::max(1e-10, condition * 1e-15));
        }
        // Another verb leaves nothing to go on from.
        let _ = mass_operator(&at.model, &state, &mut workspace).unwrap();
        assert!(matches!(reclose(&at.model, &state, &at.inputs, &mut workspace), Err(DynamicsError::NotSolved)));
    }
    worst.assert_within();
}

/// `Λ⁻¹ Λ` is the identity; a node that cannot move in all directions has no inertia.
#[test]
fn the_inertia_of_nodes_is_the_inverse_of_their_compliance() {
    let (mut worst, mut refused) = (Worst::default(), 0);
    for (seed, at, _) in closed(&RandomOptions { modes: 4, ..options() }) {
        let mut workspace = at.workspace();
        let body = supple::BodyIndex(at.model.body_count() - 1);
        let nodes = [(body, supple::NodeIndex(0))];
        let (mut compliance, mut inertia) = (vec![0.0; 36], vec![0.0; 36]);
        operational_compliance(&at.model, &at.state, &nodes, &mut workspace, &mut compliance).unwrap();
        if let Err(error) = operational_inertia(&at.model, &at.state, &nodes, &mut workspace, &mut inertia) {
            assert!(matches!(error, DynamicsError::Immovable { .. }), "{error}");
            refused += 1;
            continue;
        }
        let size = |a: &[f64]| a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let scale = size(&compliance) * size(&inertia);
        for i in 0..6 {
            for j in 0..6 {
                let product: f64 = (0..6).map(|k| inertia[6 * i + k] * compliance[6 * k + j]).sum();
                let unit = f64::from(u8::from(i == j));
                worst.record("identity", seed, (product - unit).abs() / scale.max(1.0), 1e-11);
            }
        }
    }
    assert!(refused > 5, "{refused}");
    worst.assert_within();
}

/// No allocation, and a workspace of another model is refused.
#[test]
fn nothing_is_allocated() {
    let (_, at, _) = closed(&RandomOptions { modes: 4, ..options() }).next().unwrap();
    let (mut workspace, mut memory) = (at.workspace(), ActuationWorkspace::new(&at.model));
    let actuated = vec![true; at.model.speed_count()];
    let _ = forward_dynamics_by(Method::Auto, &at.model, &at.state, &at.inputs, &mut workspace).unwrap();
    let count = allocations(|| {
        let found = actuator_forces(&at.model, &at.state, &at.inputs, &actuated, &mut workspace, &mut memory);
        assert!(found.is_ok());
    });
    assert_eq!(count, 0);
    let (_, other, _) = closed(&RandomOptions { modes: 4, ..options() }).nth(1).unwrap();
    let mut foreign = ActuationWorkspace::new(&other.model);
    let error = actuator_forces(&at.model, &at.state, &at.inputs, &actuated, &mut workspace, &mut foreign);
    assert!(error.is_err());
    let error = actuator_forces(&at.model, &at.state, &at.inputs, &[true], &mut workspace, &mut memory);
    assert!(error.is_err());
}
