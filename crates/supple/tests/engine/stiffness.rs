//! Stiff hinges: steps follow the motion, not the stiffness.

use crate::motions;
use supple::force::{ForceElement, HingeDamping, Port};
use supple::integrate::{Scheme, Simulation, Stepping, Tolerance};
use supple::{Body, Hinge, HingeKind, Model, ModelBuilder, Parent, State};

/// A link of 10 g and 0.1 m on a damper of 1 N m s/rad: its speed follows gravity within 1e-4 s.
fn light_link() -> (Model, State) {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
    let inertia = [[1e-6, 0.0, 0.0], [0.0, 3.3e-5, 0.0], [0.0, 0.0, 3.3e-5]];
    let link = builder.body(Body::rigid("link", Parent::Ground, hinge, 0.01, [0.05, 0.0, 0.0], inertia));
    builder.force(ForceElement::new(HingeDamping { damping: 1.0 }, [Port::hinge(link)]));
    let model = builder.build().unwrap();
    let mut start = State::new(&model);
    start.speeds[0] = 1.0;
    (model, start)
}

/// Every scheme that is not explicit takes the damper with its tangent.
#[test]
fn a_light_link_on_a_strong_damper() {
    let (model, start) = light_link();
    let tolerance = Tolerance { relative: 1e-8, absolute: 1e-8 };
    let run = |scheme: Scheme, stepping: Stepping| {
        let mut run = Simulation::new(&model, start.clone(), motions::free, scheme, stepping).unwrap();
        run.advance(1.0).unwrap();
        println!("{scheme:?}: {:?}", run.statistics());
        (run.state().coordinates[0], run.statistics())
    };
    let (exact, _) = run(Scheme::Bdf, Stepping::Adaptive(Tolerance { relative: 1e-11, absolute: 1e-12 }));
    for scheme in motions::SCHEMES {
        let stepping = match scheme {
            Scheme::DormandPrince | Scheme::PrinceDormand8 | Scheme::RungeKutta4 | Scheme::Adams => continue,
            scheme if scheme.estimates_error() => Stepping::Adaptive(tolerance),
            _ => Stepping::Fixed(1e-3),
        };
        let (found, _) = run(scheme, stepping);
        println!("{scheme:?}: {:e}", found - exact);
    }
}
