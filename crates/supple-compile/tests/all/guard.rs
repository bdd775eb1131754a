//! Programs say where their outputs mean nothing.

use crate::agreement::{inputs, prepared, run, verbs};
use supple::{Body, Hinge, HingeKind, Model, ModelBuilder, Parent};
use supple_compile::{Parameter, Recording, Refused, Verb, record};

/// Inputs that no verb can answer: not numbers, infinite, too large, a quaternion of no length.
#[test]
fn no_output_is_silently_not_finite() {
    let mut refused = 0;
    for seed in 0..6 {
        let at = prepared(seed);
        for verb in verbs(&at.model) {
            if matches!(verb, Verb::Linearization(_)) && at.model.speed_count() > 12 {
                continue;
            }
            let program = record(&at.model, &verb).unwrap().guarded();
            let x = inputs(&at, &verb);
            let (mut out, n) = (vec![0.0; program.outputs.len()], program.outputs.len() - 2);
            assert_eq!(program.interpreter().run(&x, &mut out), Ok(()), "seed {seed}, {verb}");
            assert_eq!(out[n], 0.0);
            assert!(out[n + 1] > 0.0, "seed {seed}, {verb}: {}", out[n + 1]);
            for i in 0..x.len() {
                for bad in [f64::NAN, f64::INFINITY, 1e200] {
                    let mut x = x.clone();
                    x[i] = bad;
                    let status = program.interpreter().run(&x, &mut out);
                    refused += usize::from(status.is_err());
                    let expected = if let Err(Refused::Condition(i)) = status { (i + 1) as f64 } else { 0.0 };
                    assert_eq!(out[n], expected, "seed {seed}, {verb}, input {i}: {bad}");
                    let sound = out[..n].iter().all(|x| x.is_finite());
                    assert!(
                        sound || status.is_err(),
                        "seed {seed}, {verb}, input {i} ({}): {bad}",
                        program.inputs[i].name
                    );
                }
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}

/// A bob whose mass goes to zero.
#[test]
fn the_smallest_pivot_tells_how_near_a_singular_configuration_is() {
    let mut builder = ModelBuilder::new();
    let hinge = Hinge::new(HingeKind::Prismatic { axis: [0.0, 0.0, 1.0] });
    builder.body(Body::rigid("bob", Parent::Ground, hinge, 2.0, [0.0; 3], [[0.0; 3]; 3]));
    let model: Model = builder.build().unwrap();
    let parameters: [Parameter; 1] = ["body.bob.mass".parse().unwrap()];
    let recording = Recording { model: &model, state: None, verb: &Verb::ForwardDynamics, parameters: &parameters };
    let program = recording.program().unwrap().guarded();
    for mass in [2.0, 1e-3] {
        assert_eq!(run(&program, &[0.1, 0.2, 3.0, mass]), [3.0 / mass, 0.0, mass]);
    }
    let mut out = [0.0; 3];
    assert!(program.interpreter().run(&[0.1, 0.2, 3.0, 0.0], &mut out).is_err());
    assert!(out[1] > 0.0 && out[2] == 0.0, "{out:?}");
}
