//! A workspace may be used for verb after verb: nothing of one call shows in the next, and the factors of any inward sweep serve every solve
//! after it. In debug builds what a verb has not written is NaN, so that a stale read fails here.

use supple::BodyIndex;
use supple::testkit::{
    EveryVerb, Generator, Prepared, RandomOptions, Worst, random_system, relative_difference, solve, tolerance,
};

fn options(seed: u64) -> RandomOptions {
    RandomOptions {
        bodies: 1..=5,
        modes: 6,
        constant_terms: seed % 4 == 1,
        orthogonal_modes: seed % 3 == 1,
        second_order: seed % 5 > 2,
        ..RandomOptions::default()
    }
}

/// Changes which hinges are prescribed, the speeds and the forces.
fn vary(at: &mut Prepared, rng: &mut Generator) {
    at.inputs.prescribed.iter_mut().for_each(|flag| *flag = rng.chance(0.4));
    for x in at.state.speeds.iter_mut().chain(&mut at.inputs.forces) {
        *x *= rng.between(0.5, 1.5);
    }
}

/// The numbers that a verb leaves, or its error.
fn outcome(verbs: &mut EveryVerb, index: usize) -> Result<Vec<u64>, String> {
    let (_, verb) = EveryVerb::list()[index];
    verb(verbs).map_err(|error| error.to_string())?;
    Ok(verbs.results().iter().map(|x| x.to_bits()).collect())
}

/// 1,000 sequences of verbs in random order, at states and with prescribed hinges that change: bit for bit what fresh workspaces give.
#[test]
fn verbs_in_any_order_equal_verbs_on_fresh_workspaces() {
    let count = EveryVerb::<f64>::list().len();
    let mut called = vec![0; count];
    for seed in 0..1000 {
        let closures = if seed % 6 == 5 { 2 } else { 0 };
        let (system, random) = random_system(seed, &RandomOptions { closures, ..options(seed) });
        let mut used = EveryVerb::new(Prepared::new(&system, &random));
        let mut rng = Generator::new(seed);
        for _ in 0..8 {
            vary(&mut used.at, &mut rng);
            let index = rng.below(count);
            called[index] += 1;
            let mut fresh = EveryVerb::new(used.at.clone());
            fresh.at.inputs.prescribed.clone_from(&used.at.inputs.prescribed);
            let name = EveryVerb::<f64>::list()[index].0;
            assert_eq!(outcome(&mut used, index), outcome(&mut fresh, index), "seed {seed}: {name}");
        }
    }
    assert!(called.iter().all(|calls| *calls > 150), "{called:?}");
}

/// After forward dynamics by each method, after hybrid dynamics and after the operators, the factors solve any other right-hand side.
#[test]
fn factors_of_every_inward_sweep_solve_what_follows() {
    let sweeps = [
        "forward_dynamics",
        "forward_dynamics, explicit",
        "forward_dynamics, indirect",
        "forward_dynamics, condensed",
        "hybrid_dynamics",
        "mass_operator",
        "operational_compliance",
        "node_compliances",
    ];
    let mut worst = Worst::new();
    for seed in 0..150 {
        let (system, random) = random_system(seed, &options(seed));
        let answer = random.answer(&system);
        let mut rng = Generator::new(seed);
        let mut verbs = EveryVerb::new(Prepared::new(&system, &random));
        let n = answer.mass.len();
        for name in sweeps {
            vary(&mut verbs.at, &mut rng);
            let index = EveryVerb::<f64>::list().iter().position(|(other, _)| *other == name).unwrap();
            outcome(&mut verbs, index).unwrap();
            let forces = rng.list(n, 1.0);
            let mut found = vec![0.0; n];
            verbs.solve_again(&forces, &mut found);

            // Rows and columns of what is free.
            let model = &verbs.at.model;
            let held = |i: &usize| {
                name == "hybrid_dynamics"
                    && (0..model.body_count())
                        .any(|k| verbs.at.inputs.prescribed[k] && model.hinge_speeds(BodyIndex(k)).contains(i))
            };
            let free: Vec<usize> = (0..n).filter(|i| !held(i)).collect();
            assert!((0..n).filter(held).all(|i| found[i] == 0.0), "{name}");
            if free.is_empty() {
                continue;
            }
            // Scaled to unit diagonal, so that a light body counts as much as a heavy one.
            let scale = |i: usize| answer.mass[i][i].sqrt();
            let mass: Vec<Vec<f64>> = free
                .iter()
                .map(|&i| free.iter().map(|&j| answer.mass[i][j] / (scale(i) * scale(j))).collect())
                .collect();
            let right: Vec<f64> = free.iter().map(|&i| forces[i] / scale(i)).collect();
            let wanted = solve(&mass, &right).unwrap();
            let found: Vec<f64> = free.iter().map(|&i| found[i] * scale(i)).collect();
            worst.record(name, seed, relative_difference(&found, &wanted), tolerance(answer.condition()));
        }
    }
    worst.assert_within();
}
