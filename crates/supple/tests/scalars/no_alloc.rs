//! No verb allocates after the workspace is made.

use crate::counting_allocator::allocations;
use supple::spatial::{Dual, Lanes, Scalar};
use supple::testkit::{ChainOptions, EveryVerb, Prepared, RandomOptions, random_system, serial_chain};
use supple::{
    Derivatives, Regressor, Workspace, forward_dynamics_derivatives, hybrid_dynamics_derivatives,
    inverse_dynamics_derivatives, inverse_dynamics_regressor,
};

/// Runs every verb `calls` times and asserts that none asks for memory.
#[track_caller]
fn assert_none<T: Scalar>(at: Prepared<T>, calls: usize) {
    let mut verbs = EveryVerb::new(at);
    for (name, verb) in EveryVerb::list() {
        let count = allocations(|| (0..calls).for_each(|_| verb(&mut verbs).unwrap()));
        assert_eq!(count, 0, "{name}: {count} allocations in {calls} calls");
    }
}

#[test]
fn the_allocator_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1, 2, 3]))), 1);
    assert_eq!(allocations(|| {}), 0);
}

#[test]
fn a_hundred_thousand_calls_of_every_verb_allocate_nothing() {
    let (system, random) = serial_chain(2, 2, &ChainOptions::default());
    assert_none(Prepared::new(&system, &random), 100_000);
}

#[test]
fn trees_of_every_kind_allocate_nothing() {
    for seed in 0_u64..300 {
        let options = RandomOptions {
            constant_terms: seed % 4 == 1,
            orthogonal_modes: seed.is_multiple_of(3),
            second_order: seed % 5 > 2,
            closures: if seed % 6 == 5 { 3 } else { 0 },
            ..RandomOptions::default()
        };
        let (system, random) = random_system(seed, &options);
        assert_none(Prepared::new(&system, &random), 2);
    }
}

#[test]
fn other_scalars_allocate_nothing() {
    for seed in 0_u64..40 {
        let (system, random) = random_system(seed, &RandomOptions::default());
        let at = Prepared::new(&system, &random);
        assert_none(at.map(Lanes::<f64, 4>::splat), 2);
        assert_none(at.map(Dual::constant), 2);
        assert_none(at.map(f32::from_f64), 2);
    }
}

/// Derivatives and the regressor, which are of double precision alone.
#[test]
fn derivatives_allocate_nothing() {
    for seed in 0_u64..60 {
        let options = RandomOptions {
            second_order: seed % 5 > 2,
            elements: seed.is_multiple_of(2),
            closures: if seed % 6 == 5 { 3 } else { 0 },
            ..RandomOptions::default()
        };
        let (system, random) = random_system(seed, &options);
        let Prepared { model, state, inputs } = Prepared::new(&system, &random);
        let (mut ws, mut out, mut regressor) =
            (Workspace::new(&model), Derivatives::new(&model), Regressor::new(&model));
        // Dual numbers, where they are used, keep the wrenches in memory of their own from the first call on.
        forward_dynamics_derivatives(&model, &state, &inputs, &mut ws, &mut out).unwrap();
        let count = allocations(|| {
            forward_dynamics_derivatives(&model, &state, &inputs, &mut ws, &mut out).unwrap();
            inverse_dynamics_derivatives(&model, &state, &inputs, &mut ws, &mut out).unwrap();
            hybrid_dynamics_derivatives(&model, &state, &inputs, &mut ws, &mut out).unwrap();
            inverse_dynamics_regressor(&model, &state, &inputs, &mut ws, &mut regressor).unwrap();
        });
        assert_eq!(count, 0, "seed {seed}");
    }
}
