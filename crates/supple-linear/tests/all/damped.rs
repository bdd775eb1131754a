//! Damped and gyroscopic systems: modes against the poles of the state-space model, which a solver for general matrices finds.

use crate::four_bar::linkage;
use std::path::Path;
use supple::force::{ForceElement, HingeDamping, HingeSpring, Port};
use supple::{Inputs, Model, ModelBuilder, Parent, State};
use supple_io::load::{LoadOptions, load};
use supple_linear::{Selection, equilibrium, linearize, lock, poles, system_modes};

/// Every eigenvalue of a mode is a pole, and as many as there are states.
#[track_caller]
fn assert_same(model: &Model, state: &State, inputs: &Inputs) {
    let none = Vec::<String>::new();
    let linear = linearize(model, state, inputs, &Selection::new(none.clone(), none)).unwrap();
    let poles = poles(&linear).unwrap();
    let modes = system_modes(model, state, inputs).unwrap().modes;
    let fastest = poles.last().unwrap().abs();
    let mut count = 0;
    for mode in &modes {
        let value = mode.eigenvalue;
        count += if value.im > 0.0 || value.abs() == 0.0 { 2 } else { 1 };
        let near =
            poles.iter().map(|pole| (pole.re - value.re).hypot(pole.im - value.im)).fold(f64::INFINITY, f64::min);
        // A double zero comes apart by the root of rounding.
        let allowed = if value.abs() == 0.0 { 1e-7 * fastest } else { 1e-9 * fastest };
        assert!(near < allowed, "{value:?}: {near:.1e}");
        assert!(value.abs() == 0.0 || (mode.damping_ratio + value.re / value.abs()).abs() < 1e-15);
    }
    assert_eq!(count, poles.len());
    assert!(modes.windows(2).all(|pair| pair[0].frequency <= pair[1].frequency));
}

/// `m s² + c s + k` below, at and above critical damping, and without a spring: a real eigenvalue and an exact zero.
#[test]
fn one_coordinate() {
    for (stiffness, damping) in [(8.0, 1.0), (8.0, 20.0), (0.0, 3.0)] {
        let mut builder = ModelBuilder::new();
        let slide = crate::support::hinge("slide", supple::HingeKind::Prismatic { axis: [1.0, 0.0, 0.0] });
        let cart = builder.body(crate::support::lump("cart", Parent::Ground, slide, 2.0, 1.0));
        builder.force(ForceElement::new(HingeDamping { damping }, [Port::hinge(cart)]));
        if stiffness > 0.0 {
            builder.force(ForceElement::new(HingeSpring { stiffness, rest: 0.0 }, [Port::hinge(cart)]));
        }
        let model = builder.build().unwrap();
        let modes = system_modes(&model, &State::new(&model), &Inputs::new(&model)).unwrap().modes;
        let (half, k) = (damping / 4.0, stiffness / 2.0);
        let inside = half * half - k;
        if inside < 0.0 {
            assert_eq!(modes.len(), 1);
            let value = modes[0].eigenvalue;
            assert!((value.re + half).abs() < 1e-12 && (value.im - (-inside).sqrt()).abs() < 1e-12);
            assert!((modes[0].damping_ratio - half / k.sqrt()).abs() < 1e-12);
        } else {
            let found: Vec<f64> = modes.iter().map(|mode| mode.eigenvalue.re).collect();
            let expected = [-half + inside.sqrt(), -half - inside.sqrt()];
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
            assert!(k > 0.0 || modes[0].frequency == 0.0);
        }
    }
}

#[test]
fn crane() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/crane/crane.toml");
    let model = load(&file, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).model;
    let mut inputs = Inputs::new(&model);
    lock(&model, &mut inputs, &["slew", "telescope"]).unwrap();
    let trim = equilibrium(&model, &State::new(&model), &inputs).unwrap();
    assert_same(&model, &trim.state, &inputs);
    // With the slew free as well, held by what held it: it turns as a whole.
    lock(&model, &mut inputs, &["telescope"]).unwrap();
    inputs.forces.copy_from_slice(&trim.forces);
    let modes = system_modes(&model, &trim.state, &inputs).unwrap().modes;
    assert!(modes[0].frequency == 0.0 && modes[1].frequency > 0.1, "{} {}", modes[0].frequency, modes[1].frequency);
    assert_same(&model, &trim.state, &inputs);
}

#[test]
fn closed_linkage() {
    let (_, model, start) = linkage([0.0, -9.81, 0.0]);
    let trim = equilibrium(&model, &start, &Inputs::new(&model)).unwrap();
    assert_same(&model, &trim.state, &Inputs::new(&model));
}
