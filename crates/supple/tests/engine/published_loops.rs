//! Closed chains of the literature.

use crate::motions::{free, tolerance};
use supple::force::{ForceElement, Port, SpringDamper};
use supple::integrate::{Scheme, Simulation};
use supple::{
    Body, BodyIndex, Closure, ClosureKind, Hinge, HingeKind, Inputs, Model, ModelBuilder, Mount, Node, NodeIndex,
    Parent, State, Workspace, assemble, closure_deviations, forward_dynamics,
};

const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// A body that turns about z: hinge at `at` on its parent, mass centre and moment of inertia about it.
fn planar(name: &str, parent: Parent, at: [f64; 2], mass: f64, centre: [f64; 2], inertia: f64) -> Body {
    let hinge = Hinge::new(HingeKind::Revolute { axis: Z }).at([at[0], at[1], 0.0]);
    let square = |x: f64| mass * x * x;
    let [x, y] = centre;
    let half = 0.5 * inertia;
    let about = [
        [half + square(y), -mass * x * y, 0.0],
        [-mass * x * y, half + square(x), 0.0],
        [0.0, 0.0, inertia + square(x) + square(y)],
    ];
    Body::rigid(name, parent, hinge, mass, [x, y, 0.0], about)
}

fn on(body: BodyIndex) -> Parent {
    Parent::Body(body, NodeIndex(0))
}

fn pin(a: BodyIndex, at_a: [f64; 2], b: BodyIndex, at_b: [f64; 2]) -> Closure {
    let mount = |body, [x, y]: [f64; 2]| Mount::node(body, NodeIndex(0)).at([x, y, 0.0]);
    Closure::joint(ClosureKind::PointOnLine { axis: Z }, mount(a, at_a), mount(b, at_b))
}

fn deviations(model: &Model, state: &State) -> f64 {
    let n = model.equation_count();
    let (mut positions, mut speeds) = (vec![0.0; n], vec![0.0; n]);
    closure_deviations(model, state, &Inputs::new(model), &mut Workspace::new(model), &mut positions, &mut speeds)
        .unwrap();
    positions.iter().chain(&speeds).fold(0.0, |m, x| m.max(x.abs()))
}

/// Andrews' squeezing mechanism: seven bodies, three loops. IVP test set (Mazzia, Magherini), problem `andrews`; reference by PSIDE with
/// tolerances of 1e-14.
fn andrews() -> (Model, State) {
    let (rr, ra, d, da, e, ea) = (0.007, 0.00092, 0.028, 0.0115, 0.02, 0.01421);
    let (ss, sa, sb, sc, sd) = (0.035, 0.01874, 0.01043, 0.018, 0.02);
    let (ta, tb, u, ua, ub, zf, zt, fa) = (0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421);
    let (a, b, c) = ([-0.06934, -0.00227], [-0.03635, 0.03273], [0.014, 0.072, 0.0]);
    let mut builder = ModelBuilder::new();
    let ground = Parent::Ground;
    let k1 = builder.body(planar("K1", ground, [0.0; 2], 0.04325, [ra, 0.0], 2.194e-6));
    let k2 = builder.body(planar("K2", on(k1), [rr, 0.0], 0.00365, [-da, 0.0], 4.410e-7));
    let k3 = builder.body({
        let mut body = planar("K3", ground, b, 0.02373, [sb, -sa], 5.255e-6);
        body.nodes.push(Node { position: [sd, -sc, 0.0], ..Node::default() });
        body
    });
    let k5 = builder.body(planar("K5", ground, a, 0.07050, [ta, tb], 1.169e-5));
    let k4 = builder.body(planar("K4", on(k5), [zt, 0.0], 0.00706, [0.0, -(e - ea)], 5.667e-7));
    let k7 = builder.body(planar("K7", ground, a, 0.05498, [-ub, -ua], 1.912e-5));
    let k6 = builder.body(planar("K6", on(k7), [0.0, -u], 0.00706, [zf - fa, 0.0], 5.667e-7));
    for (body, at) in [(k3, [0.0, -ss]), (k4, [0.0, -e]), (k6, [zf, 0.0])] {
        builder.closure(pin(k2, [-d, 0.0], body, at));
    }
    let spring = SpringDamper { length: 0.07785, stiffness: 4530.0, damping: 0.0, preload: 0.0 };
    builder.force(ForceElement::new(spring, [Port::Ground { position: c }, Port::node(k3, NodeIndex(1))]));
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    // β, Θ, γ, δ, Φ, ε, Ω
    state.coordinates.copy_from_slice(&[
        -0.0617138900142764,
        0.0,
        0.455279819163070,
        0.487364979543843,
        0.222668390165886,
        1.23054744454982,
        -0.222668390165886,
    ]);
    (model, state)
}

fn drive(_: &State, inputs: &mut Inputs) {
    inputs.forces[0] = 0.033;
}

#[test]
fn andrews_mechanism_ends_where_the_reference_does() {
    let (model, mut state) = andrews();
    assert!(deviations(&model, &state) < 1e-14);
    assemble(&model, &mut state, &Inputs::new(&model)).unwrap();
    let mut inputs = Inputs::new(&model);
    drive(&state, &mut inputs);
    let mut workspace = Workspace::new(&model);
    let first = forward_dynamics(&model, &state, &inputs, &mut workspace).unwrap();
    assert!((first.accelerations()[0] / 14222.4439199541 - 1.0).abs() < 1e-10);
    assert!((first.accelerations()[1] / -10666.8329399656 - 1.0).abs() < 1e-10);

    let mut run = Simulation::new(&model, state, drive, Scheme::PrinceDormand8, tolerance(1e-13)).unwrap();
    run.advance(0.03).unwrap();
    let (end, ledger) = (run.state().clone(), run.ledger().unwrap());
    assert!(deviations(&model, &end) < 1e-9, "{}", deviations(&model, &end));
    let peak = ledger.energy.kinetic;
    assert!(ledger.balance_error().abs() < 1e-8 * peak, "{ledger:?}");
    // Published, and by an integration of the planar equations with multipliers in another program (order 8, tolerance 3e-14), which differs
    // from the published end by up to 1.4e-9: angle, rate, acceleration; angle, rate.
    let expected = [
        [15.81077119629904, 1139.920302151208, -24631.76316945196, 15.81077119515377, 1139.9203022591153],
        [-15.75637105984298, -1424.379294994111, 51850.37701610329, -15.756371058411945, -1424.3792951775513],
        [0.04082224013073101, 11.03291221937134, 324102.5686413781, 0.040822240119629066, 11.032911910640474],
        [0.5244099658805304, 0.5735699284790808, 16743.62929479361, 0.5244099658799539, 0.5735699148308316],
        [-0.5347301163226948, 19.29337464421385, 566749.3645176213, -0.5347301163421116, 19.293374105069958],
        [1.048080741042263, 0.3231791658026955, 9826.520791458422, 1.0480807410419353, 0.32317914924883473],
        [0.5347301163226948, -19.29337464421385, -566749.3645176222, 0.5347301163421129, -19.29337410506983],
    ];
    let last = forward_dynamics(&model, &end, &inputs, &mut workspace).unwrap();
    for (i, [angle, rate, acceleration, own_angle, own_rate]) in expected.into_iter().enumerate() {
        let (q, u, a) = (end.coordinates[i], end.speeds[i], last.accelerations()[i]);
        assert!((q - angle).abs() < 1e-10 * 15.81, "angle {i}: {q} {angle}");
        assert!((u - rate).abs() < 1e-9 * 1424.4, "rate {i}: {u} {rate}");
        assert!((a - acceleration).abs() < 2e-7 * 566749.4, "acceleration {i}: {a} {acceleration}");
        assert!((q - own_angle).abs() < 1e-11, "angle {i}: {q} {own_angle}");
        assert!((u - own_rate).abs() < 1e-11 * 1424.4, "rate {i}: {u} {own_rate}");
    }
}

/// N four-bar linkages in a row, IFToMM A02: rods of 1 m and 1 kg. Lying flat, they may move in N + 1 ways instead of one.
fn rods(n: usize) -> (Model, State) {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, -9.81, 0.0]);
    let rod = |name: String, parent, at| planar(&name, parent, at, 1.0, [0.5, 0.0], 1.0 / 12.0);
    let mut uprights = Vec::new();
    for i in 0..=n {
        uprights.push(builder.body(rod(format!("upright {i}"), Parent::Ground, [i as f64, 0.0])));
    }
    for i in 0..n {
        let coupler = builder.body(rod(format!("coupler {i}"), on(uprights[i]), [1.0, 0.0]));
        builder.closure(pin(coupler, [1.0, 0.0], uprights[i + 1], [1.0, 0.0]));
    }
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    let quarter = std::f64::consts::FRAC_PI_2;
    for k in 0..=n {
        (state.coordinates[k], state.speeds[k]) = (quarter, -1.0);
    }
    for k in n + 1..=2 * n {
        (state.coordinates[k], state.speeds[k]) = (-quarter, 1.0);
    }
    (model, state)
}

#[test]
fn four_bars_pass_through_their_singular_pose() {
    let (model, state) = rods(2);
    assert!(deviations(&model, &state) < 1e-14);
    for scheme in [Scheme::Automatic, Scheme::DormandPrince] {
        let mut run = Simulation::new(&model, state.clone(), free, scheme, tolerance(1e-10)).unwrap();
        let exact = [
            (1.0, [-0.195020302, -0.980799206]),
            (5.0, [-0.811310461, -0.584615545]),
            (10.0, [0.328458112, 0.944518538]),
            (20.0, [0.839746574, 0.542978536]),
        ];
        for (time, [x, y]) in exact {
            run.advance(time).unwrap();
            let angle = run.state().coordinates[0];
            let error = (angle.cos() - x).abs().max((angle.sin() - y).abs());
            let open = deviations(&model, run.state());
            assert!(error < 1e-6, "{scheme:?} {time}: {error:e}");
            assert!(open < 1e-9, "{scheme:?} {time}: {open:e}");
            // Uprights stay parallel: no other branch was taken.
            for k in 1..3 {
                assert!((run.state().coordinates[k] - angle).abs() < 1e-7, "{scheme:?} {time}");
            }
        }
    }
}
