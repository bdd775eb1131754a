//! Closed chains against a dense solution of the equations of motion with constraints.

use supple::testkit::{Prepared, RandomOptions, RandomState, Worst, constraints, random_system, relative_difference};
use supple::{Method, System, closure_jacobian, forward_dynamics, forward_dynamics_by};

fn seeds(default: usize) -> usize {
    let asked = std::env::var("SUPPLE_SEEDS").ok();
    asked.and_then(|s| s.parse().ok()).unwrap_or(default)
}

/// Closed systems, states of them whose speeds obey the closures, and the condition number of `A Λ A*`.
fn closed(count: usize, options: &RandomOptions) -> impl Iterator<Item = (u64, System, RandomState, f64)> {
    let each = move |seed: u64| {
        let (system, mut state) = random_system(seed, options);
        let condition = constraints(&system, &state).condition(&state.answer(&system));
        if system.closures.is_empty() || condition > 1e8 {
            return None;
        }
        for _ in 0..2 {
            state.speeds = constraints(&system, &state).project(&state.answer(&system), &state.speeds);
        }
        Some((seed, system, state, condition))
    };
    (0..).filter_map(each).take(count)
}

#[test]
fn accelerations_are_those_of_a_dense_solution() {
    let mut worst = Worst::default();
    let options =
        RandomOptions { closures: 4, mass_ratio: 10.0, modes: 6, singular: false, ..RandomOptions::default() };
    for (seed, system, state, condition) in closed(seeds(300), &options) {
        let at = Prepared::new(&system, &state);
        let answer = state.answer(&system);
        let equations = constraints(&system, &state);
        let (expected, forces) = equations.solve(&answer, &state.forces);
        let mut wrenches = vec![[0.0; 6]; system.closures.len()];
        for (force, (closure, wrench)) in forces.iter().zip(&equations.wrench_on_a) {
            wrenches[*closure].iter_mut().zip(wrench).for_each(|(sum, x)| *sum += force * x);
        }
        for method in [Method::Auto, Method::Explicit, Method::Condensed] {
            let mut workspace = at.workspace();
            let solution = forward_dynamics_by(method, &at.model, &at.state, &at.inputs, &mut workspace).unwrap();
            let error = relative_difference(solution.accelerations(), &expected);
            worst.record(
                &format!("{method:?} {:?}", system.elastic_rotation),
                seed,
                error,
                f64::max(1e-10, condition * 1e-16),
            );
        }
    }
    worst.assert_within();
}

/// The Jacobian spans the equations of the definition, and forces of closures do no work on speeds that obey them.
#[test]
fn equations_are_those_of_the_definition() {
    let mut worst = Worst::default();
    let options =
        RandomOptions { closures: 4, mass_ratio: 10.0, modes: 6, singular: false, ..RandomOptions::default() };
    for (seed, system, state, condition) in closed(seeds(100), &options) {
        let at = Prepared::new(&system, &state);
        let mut workspace = at.workspace();
        let (n, m) = (at.model.speed_count(), at.model.equation_count());
        let mut jacobian = vec![0.0; n * m];
        closure_jacobian(&at.model, &at.state, &mut workspace, &mut jacobian).unwrap();
        let equations = constraints(&system, &state);
        assert_eq!(equations.jacobian.len(), m);
        let allowed = f64::max(1e-10, condition * 1e-16);
        // Speeds that obey the definition obey the Jacobian.
        for row in jacobian.chunks_exact(n) {
            let (sum, size) = row
                .iter()
                .zip(&state.speeds)
                .fold((0.0, 1e-300_f64), |(s, m), (a, u)| (s + a * u, m.max((a * u).abs())));
            worst.record("speeds", seed, sum.abs() / size.max(1.0), allowed);
        }
        let solution = forward_dynamics(&at.model, &at.state, &at.inputs, &mut workspace).unwrap();
        let forces: Vec<f64> =
            at.model.closure_handles().flat_map(|closure| solution.closure_forces(closure).unwrap().to_vec()).collect();
        let found = solution.accelerations().to_vec();
        // 𝓜 u̇ + 𝓒 = T + A* λ
        let answer = state.answer(&system);
        let needed = answer.forces(&found);
        for i in 0..n {
            let constraint: f64 = (0..m).map(|row| jacobian[row * n + i] * forces[row]).sum();
            let size = needed.iter().chain(&state.forces).fold(constraint.abs(), |m, x| m.max(x.abs()));
            worst.record("balance", seed, (needed[i] - state.forces[i] - constraint).abs() / size, allowed);
        }
        // A u̇ + Ȧ u = 0, to the sum of the absolute terms; u̇ is what the tree would do and what the closures change.
        let free = answer.accelerations(&state.forces).unwrap();
        for (row, drift) in equations.jacobian.iter().zip(&equations.drift) {
            let sum = row.iter().zip(&found).map(|(a, x)| a * x).sum::<f64>() + drift;
            let terms = row.iter().zip(free.iter().zip(&found)).map(|(a, (x, y))| a.abs() * (x.abs() + (y - x).abs()));
            let size = terms.sum::<f64>() + drift.abs();
            worst.record("accelerations", seed, sum.abs() / size.max(1e-300), 1e-12_f64.max(condition * 1e-16));
        }
        let fastest = state.speeds.iter().fold(0.0_f64, |m, u| m.max(u.abs()));
        let (mut power, mut size) = (0.0, 1e-300);
        for (row, force) in jacobian.chunks_exact(n).zip(&forces) {
            power += force * row.iter().zip(&state.speeds).map(|(a, u)| a * u).sum::<f64>();
            size += force.abs() * row.iter().map(|a| a.abs() * fastest).sum::<f64>();
        }
        worst.record("power", seed, power.abs() / size, allowed);
    }
    worst.assert_within();
}
