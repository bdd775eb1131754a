//! A rigid body that spins freely about a principal axis, whose displacements turn with it: Euler's equations of first order.

use crate::support::hinge;
use supple::{Body, HingeKind, Inputs, Model, ModelBuilder, Parent, State};
use supple_linear::{Complex, system_modes};

const SPIN: f64 = 3.0;

fn top([a, b, c]: [f64; 3]) -> (Model, State) {
    let mut builder = ModelBuilder::new();
    let inertia = [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]];
    builder.body(Body::rigid("top", Parent::Ground, hinge("ball", HingeKind::Spherical), 2.0, [0.0; 3], inertia));
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    state.speeds_of_mut(model.hinge("ball").unwrap()).unwrap()[2] = SPIN;
    (model, state)
}

fn eigenvalues(moments: [f64; 3]) -> Vec<Complex> {
    let (model, state) = top(moments);
    let modes = system_modes(&model, &state, &Inputs::new(&model)).unwrap();
    modes.modes.iter().map(|mode| mode.eigenvalue).collect()
}

/// `λ² = -Ω² (C - A)(C - B) / A B` of the wobble; axes that stay in space turn back at `Ω` as the body sees them; the angle of the spin stays.
#[test]
fn wobble_of_a_free_body() {
    let [a, b, c] = [1.3, 1.7, 2.2_f64];
    let wobble = SPIN * ((c - a) * (c - b) / (a * b)).sqrt();
    let found = eigenvalues([a, b, c]);
    let mut expected = [0.0, wobble, SPIN];
    expected.sort_by(f64::total_cmp);
    assert_eq!(found.len(), 3);
    assert_eq!(found[0], Complex::default());
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.re.abs() < 1e-12 && (found.im - expected).abs() < 1e-12, "{found:?} for {expected}");
    }
}

/// About the axis of the middle moment of inertia it tumbles.
#[test]
fn tumbling_about_the_middle_axis() {
    let [a, b, c] = [1.3, 2.2, 1.7_f64];
    let growth = SPIN * ((c - a) * (b - c) / (a * b)).sqrt();
    let found = eigenvalues([a, b, c]);
    for expected in [growth, -growth] {
        let near = |z: &&Complex| (z.re - expected).abs() < 1e-12 && z.im == 0.0;
        assert!(found.iter().any(|z| near(&z)), "{found:?} for {expected}");
    }
}
