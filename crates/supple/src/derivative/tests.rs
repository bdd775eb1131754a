//! The recursions against dual numbers through whole verbs.

use super::by_dual::{self, ByDual, Verb};
use super::{Derivatives, forward_dynamics_derivatives, hybrid_dynamics_derivatives, inverse_dynamics_derivatives};
use crate::testkit::{Prepared, RandomOptions, random_system};
use crate::ElasticRotation;

fn probe(options: impl Fn(u64) -> RandomOptions, seeds: std::ops::Range<u64>, verbs: &[Verb]) {
    let mut worst = [0.0_f64; 3];
    for seed in seeds {
        let (system, random) = random_system(seed, &options(seed));
        let mut at = Prepared::new(&system, &random);
        for (k, flag) in at.inputs.prescribed.iter_mut().enumerate() { *flag = (seed + k as u64) % 3 == 0; }
        let mut ws = at.workspace();
        let mut found = Derivatives::new(&at.model);
        let mut expected = Derivatives::new(&at.model);
        expected.by_dual = Some(Box::new(ByDual::new(&at.model)));
        for verb in verbs {
            match verb {
                Verb::Forward => forward_dynamics_derivatives(&at.model, &at.state, &at.inputs, &mut ws, &mut found).map(|_| ()).unwrap(),
                Verb::Inverse => inverse_dynamics_derivatives(&at.model, &at.state, &at.inputs, &mut ws, &mut found).map(|_| ()).unwrap(),
                Verb::Hybrid => hybrid_dynamics_derivatives(&at.model, &at.state, &at.inputs, &mut ws, &mut found).map(|_| ()).unwrap(),
            }
            by_dual::differentiate(*verb, &at.model, &at.state, &at.inputs, &mut expected).unwrap();
            let pairs = [(found.input(), expected.input()), (found.speed(), expected.speed()), (found.displacement(), expected.displacement())];
            let n = at.model.speed_count();
            for (m, (x, y)) in pairs.into_iter().enumerate() {
                let size = y.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
                let mut bad = (0.0, 0, 0);
                for i in 0..n * n {
                    let e = (x[i] - y[i]).abs() / size;
                    if e > bad.0 || e.is_nan() { bad = (e, i / n, i % n); }
                }
                if bad.0 > 1e-8 || bad.0.is_nan() {
                    println!("seed {seed} {} {:?} matrix {m}: {:.1e} at {} {} closures {}", *verb as usize, at.model.topology.elastic_rotation, bad.0, bad.1, bad.2, at.model.topology.closures.len());
                }
                worst[m] = worst[m].max(bad.0);
            }
        }
    }
    println!("{worst:?}");
}

const ORTHOGONAL: [ElasticRotation; 4] = [ElasticRotation::Integrated, ElasticRotation::Euler321, ElasticRotation::Euler123, ElasticRotation::RotationVector];

#[test]
fn trees() {
    probe(|seed| RandomOptions { modes: 4, elements: seed % 2 == 0, second_order: seed % 5 > 2, elastic_rotation: Some(ORTHOGONAL[seed as usize % 4]), ..RandomOptions::default() }, 0..60, &[Verb::Forward, Verb::Inverse, Verb::Hybrid]);
}

#[test]
fn loops() {
    probe(|seed| RandomOptions { modes: if seed % 2 == 0 { 0 } else { 3 }, elements: seed % 3 == 0, closures: 3, driven: seed % 4 == 0, elastic_rotation: Some(ORTHOGONAL[seed as usize % 4]), ..RandomOptions::default() }, 0..60, &[Verb::Forward, Verb::Hybrid]);
}
