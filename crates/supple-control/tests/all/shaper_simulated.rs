//! What a shaper leaves, on an oscillator that the engine integrates.

use supple::force::{ForceElement, HingeDamping, HingeSpring, Port};
use supple::integrate::{Drive, Scheme, Simulation, Tolerance};
use supple::{Body, Hinge, HingeKind, Inputs, Model, ModelBuilder, Parent, State};
use supple_control::{Mode, Shaper, ShaperKind, Signal};

const MASS: f64 = 2.0;

fn oscillator(mode: Mode) -> Model {
    let omega = std::f64::consts::TAU * mode.frequency;
    let mut builder = ModelBuilder::new();
    let hinge = Hinge::new(HingeKind::Prismatic { axis: [1.0, 0.0, 0.0] });
    let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let cart = builder.body(Body::rigid("cart", Parent::Ground, hinge, MASS, [0.0; 3], inertia));
    let (stiffness, damping) = (MASS * omega * omega, 2.0 * mode.damping * omega * MASS);
    builder.force(ForceElement::new(HingeSpring { stiffness, rest: 0.0 }, [Port::hinge(cart)]));
    builder.force(ForceElement::new(HingeDamping { damping }, [Port::hinge(cart)]));
    builder.build().unwrap()
}

struct Push(Signal);

impl Drive for Push {
    fn drive(&mut self, state: &State, inputs: &mut Inputs) {
        inputs.forces[0] = self.0.value(state.time);
    }

    fn breaks(&self) -> &[f64] {
        self.0.breaks()
    }
}

/// Vibration after a unit step of force that is shaped, in proportion to what the step gives at once: both as deflections and speeds about the
/// final rest, with the energy of a damped oscillator.
fn simulated(shaper: &Shaper, mode: Mode) -> f64 {
    let omega = std::f64::consts::TAU * mode.frequency;
    let mut sum = 0.0;
    let levels: Vec<f64> = shaper
        .amplitudes()
        .iter()
        .map(|a| {
            sum += a;
            sum
        })
        .collect();
    let push = Push(Signal::steps(shaper.times(), &levels).unwrap());
    let model = oscillator(mode);
    let tolerance = Tolerance { relative: 1e-12, absolute: 1e-14 };
    let start = State::new(&model);
    let mut run = Simulation::new(&model, start, push, Scheme::PrinceDormand8, tolerance).unwrap();
    run.advance(shaper.duration()).unwrap();
    let rest = 1.0 / (MASS * omega * omega);
    let (x, v) = (run.state().coordinates[0] - rest, run.state().speeds[0]);
    // The amplitude of x = r exp(-ζωt) cos(ω_d t + φ) at this instant.
    let damped = (1.0 - mode.damping * mode.damping).sqrt();
    let amplitude = |x: f64, v: f64| x.hypot((v / omega + mode.damping * x) / damped);
    amplitude(x, v) / amplitude(-rest, 0.0)
}

#[test]
fn the_residual_is_that_of_a_simulated_oscillator() {
    for kind in ShaperKind::ALL {
        for damping in [0.0, 0.03, 0.2] {
            let design = Mode { frequency: 1.3, damping };
            let shaper = Shaper::design(kind, design).unwrap();
            for ratio in [0.8, 1.0, 1.15] {
                let mode = Mode { frequency: ratio * design.frequency, damping };
                let (found, expected) = (simulated(&shaper, mode), shaper.residual(mode));
                assert!((found - expected).abs() < 1e-9, "{kind:?}, {damping}, {ratio}: {found} {expected}");
            }
        }
    }
}
