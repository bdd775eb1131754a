//! Systems whose motion is known, for the tests of the integrators.

#![allow(dead_code)] // not every test uses every system

use supple::force::ForceElement;
use supple::integrate::{Scheme, Simulation, Stepping, Tolerance};
use supple::{Body, BodyIndex, Hinge, HingeKind, Inputs, Model, ModelBuilder, Node, NodeIndex, Parent, State};

/// Every integrator.
pub const SCHEMES: [Scheme; 11] = [
    Scheme::Automatic,
    Scheme::DormandPrince,
    Scheme::PrinceDormand8,
    Scheme::RungeKutta4,
    Scheme::LinearlyImplicit,
    Scheme::Exponential,
    Scheme::ExponentialAdams,
    Scheme::Gauss { stages: 3, tolerance: 1e-12 },
    Scheme::generalized_alpha(0.8),
    Scheme::Adams,
    Scheme::Bdf,
];

/// Relative and absolute tolerance alike.
pub fn tolerance(value: f64) -> Stepping {
    Stepping::Adaptive(Tolerance { relative: value, absolute: value })
}

/// Nothing acts but gravity.
pub fn free(_: &State, _: &mut Inputs) {}

/// The inertia about the hinge of a body with inertia `diagonal` about its mass centre.
fn about_hinge(mass: f64, centre: [f64; 3], diagonal: [f64; 3]) -> [[f64; 3]; 3] {
    let square: f64 = centre.iter().map(|x| x * x).sum();
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let own = if i == j { diagonal[i] + mass * square } else { 0.0 };
            own - mass * centre[i] * centre[j]
        })
    })
}

/// The heavy top of Brüls, Cardona and Arnold: it turns about a fixed point, spinning at 150 rad/s.
pub fn heavy_top() -> (Model, State) {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let arm = [0.0, 1.0, 0.0];
    let inertia = about_hinge(15.0, arm, [0.234375, 0.46875, 0.234375]);
    builder.body(Body::rigid("top", Parent::Ground, Hinge::new(HingeKind::Spherical), 15.0, arm, inertia));
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    state.speeds.copy_from_slice(&[0.0, 150.0, -4.61538]);
    (model, state)
}

/// The mass centre of the top.
pub fn top_centre(state: &State) -> [f64; 3] {
    let q = &state.coordinates;
    let rotation = supple::spatial::Quaternion([q[0], q[1], q[2], q[3]]).to_matrix();
    std::array::from_fn(|i| rotation.0[i][1])
}

/// The simple pendulum of the IFToMM library, A01, let go from the horizontal.
pub fn pendulum() -> (Model, State) {
    pendulum_with([])
}

/// The same with force elements.
pub fn pendulum_with(elements: impl IntoIterator<Item = ForceElement>) -> (Model, State) {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
    let inertia = about_hinge(1.0, [0.0, 0.0, -1.0], [0.0; 3]);
    builder.body(Body::rigid("bob", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], inertia));
    elements.into_iter().for_each(|element| {
        builder.force(element);
    });
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    state.coordinates[0] = std::f64::consts::FRAC_PI_2;
    (model, state)
}

/// Number of panels of the spacecraft, four in a row on one side and three on the other.
pub const PANELS: usize = 7;
/// Stiffness of the springs at their hinges, N m.
pub const SPRING: f64 = 500.0;

/// A free hub with seven hinged panels on springs, one of them turned by five degrees, tumbling.
pub fn spacecraft() -> (Model, State) {
    spacecraft_with([])
}

/// The same with force elements; the hub is body 0, the panels follow.
pub fn spacecraft_with(elements: impl IntoIterator<Item = ForceElement>) -> (Model, State) {
    let mut builder = ModelBuilder::new();
    let free = Hinge::new(HingeKind::Free);
    let mut hub =
        Body::rigid("hub", Parent::Ground, free, 750.0, [0.0; 3], about_hinge(0.0, [0.0; 3], [900.0, 800.0, 600.0]));
    for side in [0.5, -0.5] {
        hub = hub.with_node(Node { position: [side, 0.0, 1.0], ..Node::default() });
    }
    let hub = builder.body(hub);
    for (side, count) in [(1.0, 4), (-1.0, 3)] {
        let mut parent = Parent::Body(hub, NodeIndex(if side > 0.0 { 1 } else { 2 }));
        for i in 0..count {
            let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
            let centre = [0.75 * side, 0.0, 0.0];
            let inertia = about_hinge(50.0, centre, [50.0, 25.0, 25.0]);
            let panel = Body::rigid(format!("panel {side} {i}"), parent, hinge, 50.0, centre, inertia);
            let panel = panel.with_node(Node { position: [1.5 * side, 0.0, 0.0], ..Node::default() });
            parent = Parent::Body(builder.body(panel), NodeIndex(1));
        }
    }
    elements.into_iter().for_each(|element| {
        builder.force(element);
    });
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    state.coordinates[model.hinge_coordinates(BodyIndex(1)).start] = 5.0_f64.to_radians();
    state.speeds[..3].copy_from_slice(&[0.1, -0.1, 0.1]);
    (model, state)
}

/// The springs of the panels.
pub fn springs(model: &Model) -> impl FnMut(&State, &mut Inputs) + use<> {
    let places: Vec<(usize, usize)> = (1..=PANELS)
        .map(|k| (model.hinge_coordinates(BodyIndex(k)).start, model.hinge_speeds(BodyIndex(k)).start))
        .collect();
    move |state, inputs| {
        for (q, u) in &places {
            inputs.forces[*u] = -SPRING * state.coordinates[*q];
        }
    }
}

/// The state at `end`.
pub fn arrive(model: &Model, state: &State, scheme: Scheme, stepping: Stepping, end: f64) -> State {
    let mut run = Simulation::new(model, state.clone(), free, scheme, stepping).unwrap();
    run.advance(end).unwrap();
    run.state().clone()
}

/// Largest difference of coordinates, attitudes and scaled speeds.
pub fn distance(a: &State, b: &State, speed: f64) -> f64 {
    let positions = a.coordinates.iter().zip(&b.coordinates).map(|(a, b)| (a - b).abs());
    let attitudes = a.attitudes.iter().zip(&b.attitudes).flat_map(|(a, b)| (0..4).map(|i| (a.0[i] - b.0[i]).abs()));
    let speeds = a.speeds.iter().zip(&b.speeds).map(|(a, b)| (a - b).abs() / speed);
    positions.chain(attitudes).chain(speeds).fold(0.0, f64::max)
}
