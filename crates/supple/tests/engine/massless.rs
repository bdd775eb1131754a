//! A hinge or mode that moves no mass is refused: `build` judges as the rank of the dense mass matrix does.

use supple::testkit::{Generator, Layout, RandomOptions, cholesky, condition_number, random_system};
use supple::{Model, Problem, System};

/// A random tree with the mass taken from some nodes or all nodes of some bodies, and the condition number of its mass
/// matrix; infinite where it has no Cholesky factor. The deformation is zero: that is where a model is judged.
fn thinned(seed: u64) -> (System, f64) {
    let options = RandomOptions { bodies: 1..=5, modes: 4, mass_ratio: 10.0, ..RandomOptions::default() };
    let (mut system, mut random) = random_system(seed, &options);
    let mut rng = Generator::new(seed);
    for body in &mut system.bodies {
        let share = [0.0, 0.0, 0.4, 1.0][rng.below(4)];
        for node in &mut body.nodes {
            if rng.chance(share) {
                (node.mass, node.inertia, node.mass_centre) = (0.0, [[0.0; 3]; 3], [0.0; 3]);
            } else if rng.chance(0.3) {
                (node.inertia, node.mass_centre) = ([[0.0; 3]; 3], [0.0; 3]);
            }
        }
    }
    let layout = Layout::new(&system);
    for k in 0..system.bodies.len() {
        random.coordinates[layout.deformation(k)].fill(0.0);
    }
    random.attitudes.fill([0.0, 0.0, 0.0, 1.0]);
    let mass = random.answer(&system).mass;
    let condition = cholesky(&mass).map_or(f64::INFINITY, |_| condition_number(&mass));
    (system, condition)
}

#[test]
fn full_rank_is_accepted() {
    let mut accepted = 0;
    for seed in 0..2000 {
        let (system, condition) = thinned(seed);
        if condition < 1e9 {
            accepted += 1;
            if let Err(error) = Model::build(&system) {
                panic!("seed {seed}: condition {condition:.1e}, but {error}");
            }
        }
    }
    assert!(accepted > 500, "{accepted}");
}

/// A tree whose mass matrix is singular to rounding is refused, and nothing but massless hinges or modes is named.
#[test]
fn rank_deficiency_is_refused() {
    let (mut refused, mut missed) = (0, Vec::new());
    for seed in 0..2000 {
        let (system, condition) = thinned(seed);
        if condition > 1e14 {
            match Model::build(&system) {
                Ok(_) => missed.push((seed, condition)),
                Err(error) => {
                    let massless =
                        |p: &Problem| matches!(p, Problem::MasslessMode { .. } | Problem::MasslessHinge { .. });
                    assert!(error.problems().iter().all(massless), "seed {seed}: {error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(missed.is_empty() && refused > 500, "{refused} refused, missed {missed:?}");
}
