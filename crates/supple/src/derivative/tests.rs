//! The recursion against dual numbers through the whole of inverse dynamics.

use super::{Derivatives, by_dual, inward, memory::Recursion, outward};
use crate::testkit::{Prepared, RandomOptions, random_system};
use crate::{ElasticRotation, generic};

#[test]
fn probe() {
    let mut worst = [0.0_f64; 3];
    for seed in 0..400_u64 {
        let options = RandomOptions {
            modes: if seed < 100 { 0 } else { 4 },
            elements: false,
            second_order: seed % 5 > 2,
            elastic_rotation: Some(
                [
                    ElasticRotation::Integrated,
                    ElasticRotation::Euler321,
                    ElasticRotation::Euler123,
                    ElasticRotation::RotationVector,
                ][seed as usize % 4],
            ),
            ..RandomOptions::default()
        };
        let (system, mut random) = random_system(seed, &options);
        random.wrenches.clear();
        let at = Prepared::new(&system, &random);
        let mut ws = at.workspace();
        let mut found = Recursion::new(&at.model);
        generic::inverse_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
        outward::columns(&at.model, &at.state, &at.inputs.accelerations, &ws, &mut found);
        inward::entries(&at.model, &at.state, &at.inputs.accelerations, &mut ws, &mut found);
        let mut expected = Derivatives::new(&at.model);
        by_dual::differentiate(by_dual::Verb::Inverse, &at.model, &at.state, &at.inputs, &mut expected).unwrap();
        let pairs = [
            (&found.mass, expected.input()),
            (&found.speed, expected.speed()),
            (&found.displacement, expected.displacement()),
        ];
        let n = at.model.speed_count();
        for (m, (x, y)) in pairs.into_iter().enumerate() {
            let size = y.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
            let mut bad = (0.0, 0, 0);
            for i in 0..n * n {
                let e = (x[i] - y[i]).abs() / size;
                if e > bad.0 || e.is_nan() {
                    bad = (e, i / n, i % n);
                }
            }
            if bad.0 > 1e-9 || bad.0.is_nan() {
                let of = |s: usize| {
                    at.model.topology.bodies.iter().position(|b| b.speeds.contains(&s)).map(|k| {
                        let b = &at.model.topology.bodies[k];
                        (
                            k,
                            s - b.speeds.start,
                            b.modes,
                            b.free_free,
                            b.slaves,
                            b.parent,
                            format!("{:?}", at.model.bodies[k].hinge.motion).split('(').next().unwrap().to_string(),
                            at.model.bodies[k].flexible.as_ref().map(|f| {
                                (f.fidelity, f.integrals.offset.is_some(), f.integrals.turning_first.is_some())
                            }),
                        )
                    })
                };
                println!(
                    "seed {seed} {:?} matrix {m}: {:.1e} at {:?} {:?}",
                    at.model.topology.elastic_rotation,
                    bad.0,
                    of(bad.1),
                    of(bad.2)
                );
            }
            worst[m] = worst[m].max(bad.0);
        }
    }
    println!("{worst:?}");
    assert!(worst.iter().all(|x| *x < 1e-9));
}
