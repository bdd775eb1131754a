//! A force element of one's own: a cubic spring with a dashpot between two nodes.
//!
//! The law is one function, generic over the scalar. The macro makes an element of it; forward dynamics, energies, the ledger and the
//! tangents of the implicit schemes follow from the function.
//!
//! `cargo run -p supple --example own_force_element`

use supple::force::{Effect, ForceElement, ForceLaw, Measured, Port, PortKind, Rule};
use supple::integrate::{Scheme, Simulation, Tolerance};
use supple::spatial::{Force, Scalar, Vector3};
use supple::{Body, Hinge, HingeKind, Inputs, ModelBuilder, NodeIndex, Parent, State};

/// Tension `k s³ + c ṡ` along the line between two nodes, with `s` what it is longer than its free length.
#[derive(Clone, Debug, PartialEq)]
struct CubicSpring {
    /// Free length, m.
    length: f64,
    /// `k`, N/m³.
    stiffness: f64,
    /// `c`, N s/m.
    damping: f64,
}

impl ForceLaw for CubicSpring {
    const NAME: &'static str = "cubic spring";
    const PORTS: &'static [PortKind] = &[PortKind::Node, PortKind::Node];

    fn parameters(&self) -> Vec<f64> {
        vec![self.length, self.stiffness, self.damping]
    }

    fn rules(&self) -> Vec<Rule> {
        vec![Rule::positive("free length", self.length), Rule::not_negative("damping", self.damping)]
    }

    fn evaluate<T: Scalar>(p: &[T], at: &Measured<'_, T>, out: &mut Effect<'_, T>) {
        let line = at.position(1) - at.position(0);
        let length = line.norm_squared().sqrt();
        let n = line * length.recip();
        let rate = n.dot(at.velocity(1).linear - at.velocity(0).linear);
        let s = length - p[0];
        let tension = p[1] * s * s * s + p[2] * rate;
        out.apply(0, Force::new(Vector3::ZERO, n * tension));
        out.apply(1, Force::new(Vector3::ZERO, -(n * tension)));
        out.store(p[1] * s * s * s * s * T::from_f64(0.25));
        out.dissipate(p[2] * rate * rate);
    }
}

supple::force_element!(CubicSpring);

/// A load on a cable, by an explicit and an implicit scheme.
///
/// # Errors
/// What keeps the model from being built or integrated.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let hinge = Hinge::new(HingeKind::Free);
    let inertia = [[0.01, 0.0, 0.0], [0.0, 0.01, 0.0], [0.0, 0.0, 0.01]];
    let load = builder.body(Body::rigid("load", Parent::Ground, hinge, 1.0, [0.0; 3], inertia));
    let law = CubicSpring { length: 0.5, stiffness: 1e7, damping: 2e3 };
    let hook = Port::Ground { position: [0.0, 0.0, 1.0] };
    builder.force(ForceElement::new(law, [hook, Port::node(load, NodeIndex(0))]).named("cable"));
    let model = builder.build()?;

    let mut state = State::new(&model);
    let height = model.hinge_coordinates(load).end - 1;
    state.coordinates[height] = 0.45;
    // Explicit schemes follow the dashpot, implicit ones step over it; both go to the same place.
    for scheme in [Scheme::DormandPrince, Scheme::LinearlyImplicit] {
        let tolerance = Tolerance { relative: 1e-7, absolute: 1e-9 };
        let free = |_: &State, _: &mut Inputs| {};
        let mut run = Simulation::new(&model, state.clone(), free, scheme, tolerance)?;
        run.advance(1.0)?;
        let (ledger, steps) = (run.ledger()?, run.statistics().accepted);
        let stretch = 1.0 - 0.5 - run.state().coordinates[height];
        println!(
            "{scheme:?}: {steps} steps, stretched by {:.6} m, {:.6} J dissipated, ledger off by {:.1e} J",
            stretch,
            ledger.hinge_dissipated,
            ledger.balance_error()
        );
        // k s³ = m g
        assert!((stretch - (9.81_f64 / 1e7).cbrt()).abs() < 1e-4);
        assert!(ledger.balance_error().abs() < 1e-5 && ledger.hinge_dissipated > 0.1);
        assert!(steps < 2000 || scheme == Scheme::DormandPrince);
    }
    Ok(())
}
