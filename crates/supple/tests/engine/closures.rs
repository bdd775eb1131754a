//! Closed chains against a dense solution of the equations of motion with constraints.

use supple::testkit::{Prepared, RandomOptions, RandomState, Worst, constraints, random_system, relative_difference};
use supple::{Method, System, forward_dynamics_by};

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
