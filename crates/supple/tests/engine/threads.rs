//! One model shared by many threads gives bit-identical results.

use std::sync::Barrier;
use supple::testkit::{EveryVerb, Generator, Prepared, RandomOptions, random_system};
use supple::{DenseWorkspace, Inputs, Model, State, Workspace};

const THREADS: usize = 8;

/// Bits of the results of every verb.
fn bits(at: Prepared) -> Vec<(&'static str, Vec<u64>)> {
    let mut verbs = EveryVerb::new(at);
    let run = |(name, verb): (&'static str, supple::testkit::Verb<f64>)| {
        verb(&mut verbs).unwrap();
        (name, verbs.results().iter().map(|x| x.to_bits()).collect())
    };
    EveryVerb::list().into_iter().map(run).collect()
}

/// Several states of one model: the speeds and forces of the first, scaled.
fn states(first: &Prepared, count: usize) -> Vec<Prepared> {
    let mut rng = Generator::new(1);
    (0..count)
        .map(|_| {
            // A clone of a model shares its constants.
            let mut at = first.clone();
            at.state.speeds.iter_mut().chain(&mut at.inputs.forces).for_each(|x| *x *= rng.between(-1.0, 1.0));
            at
        })
        .collect()
}

#[test]
fn eight_threads_on_one_model_give_the_bits_of_one() {
    for seed in 0_u64..24 {
        let options = RandomOptions {
            orthogonal_modes: seed.is_multiple_of(3),
            second_order: seed % 5 > 2,
            ..RandomOptions::default()
        };
        let (system, random) = random_system(seed, &options);
        let states = states(&Prepared::new(&system, &random), 6);
        let serial: Vec<_> = states.iter().cloned().map(bits).collect();
        let barrier = Barrier::new(THREADS);
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (states, serial, barrier) = (&states, &serial, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    // Every thread takes the states in another order.
                    for i in 0..states.len() {
                        let i = (i + thread) % states.len();
                        for (found, expected) in bits(states[i].clone()).iter().zip(&serial[i]) {
                            assert_eq!(found, expected, "seed {seed}, state {i}, thread {thread}: {}", found.0);
                        }
                    }
                });
            }
        });
    }
}

#[test]
fn models_and_workspaces_may_go_to_other_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Model>();
    shared::<State>();
    shared::<Inputs>();
    shared::<Workspace>();
    shared::<DenseWorkspace>();
}
