//! Rest-to-rest motion by inversion: a published rig, simulated with more modes than the inversion knows.

use std::f64::consts::PI;

use supple::force::{ForceElement, HingeSpring, Port};
use supple::integrate::{Scheme, Simulation, Stepping, Tolerance};
use supple::{
    Body, BodyIndex, Fidelity, Hinge, HingeKind, Inputs, Model, ModelBuilder, NodeIndex, Parent, State, Workspace,
    kinematics,
};
use supple_bodies::beam::{Fitting, ModalBeam, ModeCounts, Support};
use supple_bodies::section::BeamProperties;
use supple_control::{HingeMode, HingeModes, InversionError, RestToRest};

const LENGTH: f64 = 0.7;
/// Places of the speeds of rotor and joint: no body before the beam has modes.
const ROTOR: usize = 0;
const JOINT: usize = 1;
const LINK: BodyIndex = BodyIndex(2);

/// A rotor, an elastic joint, a hub and a flexible link with a mass at its tip (cybernetic-m/r2r_flexible-link_elastic-joint).
fn rig(modes: usize, fidelity: Fidelity) -> (Model, NodeIndex) {
    let beam = ModalBeam {
        support: Support::ClampedLoaded,
        tip: Fitting { mass: 0.117, ..Fitting::default() },
        fidelity,
        ..ModalBeam::cantilever(
            LENGTH,
            BeamProperties {
                mass: 2.975,
                axial: 1e7,
                bending_y: 2.4507,
                bending_z: 2.4507,
                torsion: 1.0,
                shear: f64::INFINITY,
                rotary: [0.0; 3],
            },
            ModeCounts { bending_y: modes, ..ModeCounts::default() },
        )
    };
    let about_z = || Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
    let inertia = |j: f64| [[j, 0.0, 0.0], [0.0, j, 0.0], [0.0, 0.0, j]];
    let mut builder = ModelBuilder::new();
    let rotor = builder.body(Body::rigid("rotor", Parent::Ground, about_z(), 1.0, [0.0; 3], inertia(1.0)));
    let on_rotor = Parent::Body(rotor, NodeIndex(0));
    let hub = builder.body(Body::rigid("hub", on_rotor, about_z(), 1.0, [0.0; 3], inertia(1.95e-3)));
    builder.body(beam.body("link", Parent::Body(hub, NodeIndex(0)), Hinge::new(HingeKind::Fixed)));
    builder.force(ForceElement::new(HingeSpring { stiffness: 1000.0, rest: 0.0 }, [Port::hinge(hub)]));
    (builder.build().unwrap(), beam.tip_node())
}

fn inverted(modes: usize) -> HingeModes {
    let (model, _) = rig(12, Fidelity::Ruthless);
    HingeModes::new(&model, &State::new(&model), ROTOR, &[JOINT], modes).unwrap()
}

#[track_caller]
fn near(found: f64, expected: f64, allowed: f64) {
    assert!((found - expected).abs() <= allowed, "{found} {expected}");
}

/// Frequencies, inertia and couplings that were computed from the published data by others.
#[test]
fn the_linear_model_is_the_published_one() {
    let modes = inverted(3);
    for (found, square) in modes.held.iter().zip([34.1394, 1383.2375, 11084.4892]) {
        near(found * found, square, 1e-5 * square);
    }
    near(modes.inertia, 1.39942, 1e-5);
    for (found, expected) in modes.coupling.iter().zip([0.62162_f64, 0.09747, 0.03486]) {
        near(found.abs(), expected, 1.5e-5);
    }
    for (found, expected) in modes.free.iter().zip([0.0, 6.86712, 37.36922, 105.34685]) {
        near(found.frequency, expected, 2e-5 * expected.max(1.0));
    }
}

/// Greatest torque in the first half, and when.
fn peak(motion: &RestToRest) -> (f64, f64) {
    let instants = (0..=10_000).map(|i| 1e-4 * f64::from(i));
    instants.map(|time| (motion.at(time).effort, time)).fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a })
}

#[test]
fn torque_has_the_published_peak() {
    let motion = RestToRest::new(&inverted(3).free, [0.0, 2.0], [0.0, PI / 2.0]).unwrap();
    let (torque, time) = peak(&motion);
    println!("peak torque {torque:.5} N m at {time} s");
    near(torque, 4.7348, 1e-4);
    near(1e3 * time, 523.5, 0.2);
    // Symmetric in time, and at rest at both ends.
    for time in [0.1, 0.5, 0.9] {
        near(motion.at(time).effort, -motion.at(2.0 - time).effort, 1e-9);
    }
    assert_eq!((motion.at(-1.0).position, motion.at(-1.0).effort), (0.0, 0.0));
    near(motion.at(2.5).position, PI / 2.0, 1e-15);
    for time in [0.0, 2.0] {
        let at = motion.at(time);
        // The torque jumps where the eighth derivative of the polynomial does.
        assert!(at.speed.abs() < 1e-9 && at.effort.abs() < 4e-3, "{at:?}");
    }
}

/// Greatest deflection of the tip from the axis of the rotor during the motion, and the oscillation of its angle in the two seconds after it.
fn moved(fidelity: Fidelity, torque: impl Fn(f64) -> f64 + Send + 'static) -> (f64, f64) {
    let (model, tip) = rig(8, fidelity);
    let stepping = Stepping::Adaptive(Tolerance { relative: 1e-11, absolute: 1e-13 });
    let drive = move |state: &State, inputs: &mut Inputs| inputs.forces[ROTOR] = torque(state.time);
    let mut run = Simulation::new(&model, State::new(&model), drive, Scheme::PrinceDormand8, stepping).unwrap();
    let mut workspace = Workspace::new(&model);
    let (mut deflection, mut angles) = (0.0_f64, Vec::new());
    for i in 1..=400 {
        run.advance(0.01 * f64::from(i)).unwrap();
        let found = kinematics(&model, run.state(), &mut workspace).unwrap();
        let at = found.node_position(LINK, tip);
        if i <= 200 {
            // As seen from the rotor.
            let joint = LENGTH * run.state().coordinates[JOINT];
            deflection = deflection.max((joint + found.node_deflection(LINK, tip)[1]).abs());
        } else {
            angles.push(at[1].atan2(at[0]));
        }
    }
    let (low, high) = angles.iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
    (deflection, 0.5 * (high - low))
}

/// The plant has more modes than the inversion: next to nothing is left. The torque that would move a rigid arm leaves a thousandfold.
#[test]
fn a_plant_with_more_modes_comes_to_rest() {
    let motion = RestToRest::new(&inverted(3).free, [0.0, 2.0], [0.0, PI / 2.0]).unwrap();
    let (deflection, left) = moved(Fidelity::Ruthless, move |time| motion.at(time).effort);
    println!("deflection {deflection:.4} m, left {left:.1e} rad");
    near(deflection, 0.1324, 2e-4);
    assert!(left < 2e-7, "{left}");
    let rigid = [HingeMode { frequency: 0.0, damping: 0.0, hinge: inverted(0).inertia.powf(-0.5) }];
    let rigid = RestToRest::new(&rigid, [0.0, 2.0], [0.0, PI / 2.0]).unwrap();
    let (_, shaken) = moved(Fidelity::Ruthless, move |time| rigid.at(time).effort);
    println!("rigid arm's torque leaves {shaken:.1e} rad");
    assert!(shaken > 1e4 * left, "{shaken}");
}

#[test]
fn damped_modes_come_to_rest_too() {
    let modes = [
        HingeMode { frequency: 0.0, damping: 0.0, hinge: 0.8 },
        HingeMode { frequency: 6.0, damping: 0.05, hinge: -0.5 },
        HingeMode { frequency: 31.0, damping: 0.02, hinge: 0.3 },
    ];
    let motion = RestToRest::new(&modes, [0.0, 1.5], [0.2, -0.7]).unwrap();
    // The oscillators under the torque, by small steps of Runge and Kutta.
    let mut q = [[0.25, 0.0], [0.0; 2], [0.0; 2]];
    let (steps, end) = (20_000, 1.5);
    let h = end / f64::from(steps);
    let rate = |q: &[[f64; 2]; 3], time: f64| -> [[f64; 2]; 3] {
        let effort = motion.at(time).effort;
        std::array::from_fn(|i| {
            let HingeMode { frequency: w, damping, hinge } = modes[i];
            [q[i][1], hinge * effort - w * w * q[i][0] - 2.0 * damping * w * q[i][1]]
        })
    };
    let along = |q: &[[f64; 2]; 3], k: &[[f64; 2]; 3], h: f64| -> [[f64; 2]; 3] {
        std::array::from_fn(|i| [q[i][0] + h * k[i][0], q[i][1] + h * k[i][1]])
    };
    for step in 0..steps {
        let time = h * f64::from(step);
        let a = rate(&q, time);
        let b = rate(&along(&q, &a, 0.5 * h), time + 0.5 * h);
        let c = rate(&along(&q, &b, 0.5 * h), time + 0.5 * h);
        let d = rate(&along(&q, &c, h), time + h);
        for (part, weight) in [(a, 1.0), (b, 2.0), (c, 2.0), (d, 1.0)] {
            q = along(&q, &part, weight * h / 6.0);
        }
        let hinge: f64 = modes.iter().zip(&q).map(|(mode, q)| mode.hinge * q[0]).sum();
        near(hinge, motion.at(time + h).position, 1e-9);
    }
    near(q[0][0] * 0.8, -0.7, 1e-9);
    assert!(q[1..].iter().flatten().chain([&q[0][1]]).all(|x| x.abs() < 1e-8), "{q:?}");
}

#[test]
fn what_cannot_be_inverted_is_refused() {
    let (model, _) = rig(3, Fidelity::Ruthless);
    let at_rest = State::new(&model);
    let modes = |state: &State, speed, free: &[usize], count| HingeModes::new(&model, state, speed, free, count).err();
    assert_eq!(modes(&at_rest, ROTOR, &[JOINT], 9), Some(InversionError::TooManyModes { asked: 9, found: 4 }));
    assert_eq!(modes(&at_rest, 99, &[], 1), Some(InversionError::NoSuchSpeed { speed: 99 }));
    // Held at the joint, the rotor turns without stiffness.
    assert_eq!(modes(&at_rest, JOINT, &[ROTOR], 1), Some(InversionError::Drifting));
    let mut moving = at_rest.clone();
    moving.speeds[0] = 1.0;
    assert_eq!(modes(&moving, ROTOR, &[], 1), Some(InversionError::Moving));
    let free = inverted(1).free;
    let motion = |times, ends| RestToRest::new(&free, times, ends).err();
    assert!(matches!(motion([1.0, 1.0], [0.0, 1.0]), Some(InversionError::Motion { .. })));
    assert!(matches!(motion([0.0, 1.0], [0.0, f64::NAN]), Some(InversionError::Motion { .. })));
    assert!(RestToRest::new(&[], [0.0, 1.0], [0.0, 1.0]).is_err());
}
