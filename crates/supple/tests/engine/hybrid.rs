//! Hybrid dynamics returns what forward dynamics gives, whichever hinges are prescribed.

use supple::testkit::{Generator, Prepared, RandomOptions, Worst, random_system, relative_difference, tolerance};
use supple::{BodyIndex, Inputs, Terms, bias_forces, forward_dynamics, hybrid_dynamics, inverse_dynamics};

struct Case {
    seed: u64,
    at: Prepared,
    allowed: f64,
    /// Accelerations by forward dynamics.
    accelerations: Vec<f64>,
    rng: Generator,
}

fn cases(count: u64) -> impl Iterator<Item = Case> {
    (0..count).map(|seed| {
        let options = RandomOptions {
            constant_terms: seed % 4 == 1,
            orthogonal_modes: seed.is_multiple_of(3),
            second_order: seed % 5 > 2,
            ..RandomOptions::default()
        };
        let (system, random) = random_system(seed, &options);
        let at = Prepared::new(&system, &random);
        let allowed = tolerance(random.answer(&system).condition());
        let mut ws = at.workspace();
        let solution = forward_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
        Case { seed, allowed, accelerations: solution.accelerations().to_vec(), at, rng: Generator::new(seed) }
    })
}

/// Inputs that hold the accelerations of prescribed hinges and the forces of all else; what hybrid dynamics must not
/// read is far off.
fn mixed(at: &Prepared, accelerations: &[f64], prescribed: &[bool]) -> Inputs {
    let mut inputs = at.inputs.clone();
    inputs.prescribed.copy_from_slice(prescribed);
    inputs.accelerations.fill(1e6);
    for (k, flag) in prescribed.iter().enumerate() {
        let hinge = at.model.hinge_speeds(BodyIndex(k));
        if *flag {
            inputs.accelerations[hinge.clone()].copy_from_slice(&accelerations[hinge.clone()]);
            inputs.forces[hinge].fill(1e6);
        }
    }
    inputs
}

fn largest(list: &[f64]) -> f64 {
    list.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// The size of generalized forces: those applied and those of the velocities and the loads.
fn force_size(at: &Prepared) -> f64 {
    let mut ws = at.workspace();
    let bias = bias_forces(&at.model, &at.state, &at.inputs, Terms::ALL, &mut ws).unwrap();
    largest(bias.forces()).max(largest(&at.inputs.forces))
}

#[test]
fn prescribed_accelerations_give_the_forces_back() {
    let mut worst = Worst::new();
    for Case { seed, at, allowed, accelerations, mut rng } in cases(300) {
        let mut ws = at.workspace();
        let subsets = (0..4).map(|i| {
            let share = [0.2, 0.5, 0.8, 1.0][i];
            (0..at.model.body_count()).map(|_| rng.chance(share)).collect::<Vec<_>>()
        });
        for prescribed in subsets {
            let inputs = mixed(&at, &accelerations, &prescribed);
            let solution = hybrid_dynamics(&at.model, &at.state, &inputs, &mut ws).unwrap();
            let error = relative_difference(solution.accelerations(), &accelerations);
            worst.record("accelerations", seed, error, allowed);
            let differences = solution.forces().iter().zip(&at.inputs.forces).map(|(x, y)| (x - y).abs());
            let error = differences.fold(0.0, f64::max) / force_size(&at);
            worst.record("forces", seed, error, allowed);
        }
    }
    worst.assert_within();
}

/// For accelerations that no forward dynamics gave, the answer obeys the equations of motion.
#[test]
fn any_prescribed_acceleration_obeys_the_equations_of_motion() {
    let mut worst = Worst::new();
    for Case { seed, at, allowed, mut rng, .. } in cases(500) {
        let mut ws = at.workspace();
        let prescribed: Vec<_> = (0..at.model.body_count()).map(|_| rng.chance(0.5)).collect();
        let wanted = at.inputs.accelerations.clone();
        let inputs = mixed(&at, &wanted, &prescribed);
        let solution = hybrid_dynamics(&at.model, &at.state, &inputs, &mut ws).unwrap();
        let (found, forces) = (solution.accelerations().to_vec(), solution.forces().to_vec());
        for (k, flag) in prescribed.iter().enumerate() {
            let (hinge, modes) = (at.model.hinge_speeds(BodyIndex(k)), at.model.modal_speeds(BodyIndex(k)));
            assert_eq!(forces[modes.clone()], at.inputs.forces[modes], "forces of the modes are given");
            match flag {
                true => assert_eq!(found[hinge.clone()], wanted[hinge], "prescribed accelerations"),
                false => assert_eq!(forces[hinge.clone()], at.inputs.forces[hinge], "given forces"),
            }
        }
        let inverse = Inputs { accelerations: found, ..inputs };
        let solution = inverse_dynamics(&at.model, &at.state, &inverse, &mut ws).unwrap();
        let error = solution.forces().iter().zip(&forces).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        worst.record("T = 𝓜 χ̇ + 𝓒", seed, error / force_size(&at).max(largest(&forces)), allowed);
    }
    worst.assert_within();
}

#[test]
fn nothing_prescribed_is_forward_dynamics() {
    for Case { at, accelerations, .. } in cases(200) {
        let mut ws = at.workspace();
        let solution = hybrid_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
        assert_eq!((solution.accelerations(), solution.forces()), (&accelerations[..], &at.inputs.forces[..]));
    }
}

/// With every hinge prescribed in a system without modes it is inverse dynamics.
#[test]
fn everything_prescribed_is_inverse_dynamics() {
    let mut worst = Worst::new();
    for seed in 0..200 {
        let (system, random) = random_system(seed, &RandomOptions { modes: 0, ..RandomOptions::default() });
        let mut at = Prepared::new(&system, &random);
        at.inputs.prescribed.fill(true);
        let mut ws = at.workspace();
        let hybrid = hybrid_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap().forces().to_vec();
        let inverse = inverse_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
        worst.record("forces", seed, relative_difference(&hybrid, inverse.forces()), 1000.0 * f64::EPSILON);
    }
    worst.assert_within();
}
