//! Closed chains in motion: they stay closed, and energy and momentum balance.

use crate::counting_allocator::allocations;
use crate::motions::{SCHEMES, free, tolerance};
use supple::integrate::{Scheme, Simulation, Stepping};
use supple::{
    Body, BodyIndex, Closure, ClosureKind, DynamicsError, Hinge, HingeKind, Inputs, ModalMatrix, Model, ModelBuilder,
    Modes, Mount, Node, NodeIndex, Parent, State, Workspace, assemble, closure_deviations, energy, momentum, strike,
};

pub const Y: [f64; 3] = [0.0, 1.0, 0.0];

pub fn turning(axis: [f64; 3]) -> Hinge {
    Hinge::new(HingeKind::Revolute { axis })
}

/// A bar along x with a node at its end; two modes, of bending across y, where it is flexible.
pub fn bar(name: &str, parent: Parent, length: f64, mass: f64, flexible: bool) -> Body {
    let column =
        |x: f64| vec![[0.0, -2.0 * x / length, 0.0, 0.0, 0.0, x * x / length], [0.0, 0.0, 0.0, 0.1 * x, 0.0, 0.0]];
    let node = |x: f64| Node {
        position: [x, 0.0, 0.0],
        mass: mass / 3.0,
        inertia: [[1e-3 * mass, 0.0, 0.0], [0.0, 1e-2 * mass, 0.0], [0.0, 0.0, 1e-2 * mass]],
        influence: if flexible { column(x) } else { Vec::new() },
        ..Node::default()
    };
    let modes = Modes { count: 2, stiffness: ModalMatrix::Diagonal(vec![400.0, 900.0]), ..Modes::default() };
    let body =
        Body::new(name, parent, turning(Y)).with_node(node(0.0)).with_node(node(0.5 * length)).with_node(node(length));
    if flexible { body.with_modes(modes) } else { body }
}

pub fn end(body: BodyIndex) -> Parent {
    Parent::Body(body, NodeIndex(2))
}

/// A planar four-bar linkage in space: crank, coupler and rocker between two bearings, closed by a revolute joint.
pub fn four_bar(flexible: bool, last: f64) -> Model {
    four_bar_of(flexible, last, 1.0)
}

/// The same with stiffer modes.
fn four_bar_of(flexible: bool, last: f64, stiffness: f64) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let crank = builder.body(bar("crank", Parent::Ground, 0.5, 1.0, false));
    let mut flexed = bar("coupler", end(crank), 1.0, 1.0, flexible);
    if flexible {
        flexed.modes.stiffness = ModalMatrix::Diagonal(vec![400.0 * stiffness, 900.0 * stiffness]);
        flexed.modes.damping = ModalMatrix::Diagonal(vec![(stiffness - 1.0).sqrt(); 2]);
    }
    let coupler = builder.body(flexed);
    let rocker = builder.body(bar("rocker", end(coupler), 0.8, 1.0, false));
    let bearing = Mount::ground().at([last, 0.0, 0.0]);
    let tip = Mount::node(rocker, NodeIndex(2));
    builder.closure(Closure::joint(ClosureKind::Revolute { axis: Y }, bearing, tip).named("bearing"));
    builder.build().unwrap()
}

pub fn deviations(model: &Model, state: &State) -> f64 {
    let n = model.equation_count();
    let (mut positions, mut speeds) = (vec![0.0; n], vec![0.0; n]);
    closure_deviations(model, state, &Inputs::new(model), &mut Workspace::new(model), &mut positions, &mut speeds)
        .unwrap();
    positions.iter().chain(&speeds).fold(0.0, |m, x| m.max(x.abs()))
}

/// An assembled linkage whose crank stands up.
pub fn start(model: &Model) -> State {
    let mut state = State::new(model);
    let turn = |state: &mut State, body: usize, angle: f64| {
        state.coordinates[model.hinge_coordinates(BodyIndex(body)).start] = angle;
    };
    turn(&mut state, 0, -1.2);
    turn(&mut state, 1, 1.0);
    turn(&mut state, 2, 1.8);
    assemble(model, &mut state, &Inputs::new(model)).unwrap();
    state
}

#[test]
fn a_linkage_is_assembled_and_says_how_far_it_moved() {
    let model = four_bar(true, 1.0);
    let mut state = State::new(&model);
    state.coordinates[0] = -1.2;
    let mut inputs = Inputs::new(&model);
    inputs.prescribed[0] = true;
    let report = assemble(&model, &mut state, &inputs).unwrap();
    assert!(deviations(&model, &state) < 1e-11, "{report:?}");
    assert_eq!(state.coordinates[0], -1.2);
    assert!(report.opened[0] > 0.1 && report.moved.iter().any(|x| x.abs() > 0.1), "{report:?}");
}

#[test]
fn a_linkage_too_short_is_refused_with_its_miss() {
    let model = four_bar(false, 5.0);
    let mut state = State::new(&model);
    let before = state.clone();
    let error = assemble(&model, &mut state, &Inputs::new(&model)).unwrap_err();
    let DynamicsError::CannotClose { name, miss, .. } = &error else { panic!("{error}") };
    assert_eq!(name.as_deref(), Some("bearing"));
    // Stretched bars reach 2.3 m.
    assert!((miss - 2.7).abs() < 0.01, "{error}");
    assert_eq!(state, before);
}

#[test]
fn linkages_stay_closed_and_balance_with_every_scheme() {
    for flexible in [false, true] {
        let model = four_bar(flexible, 1.0);
        let state = start(&model);
        let reference = {
            let mut run =
                Simulation::new(&model, state.clone(), free, Scheme::PrinceDormand8, tolerance(1e-12)).unwrap();
            run.advance(0.5).unwrap();
            run.state().clone()
        };
        for scheme in SCHEMES {
            let (stepping, allowed) = match scheme {
                Scheme::RungeKutta4 => (Stepping::Fixed(2e-4), 1e-6),
                Scheme::Gauss { .. } => (Stepping::Fixed(1e-3), 1e-8),
                Scheme::GeneralizedAlpha { .. } => (Stepping::Fixed(5e-5), 1e-4),
                _ => (tolerance(1e-9), 1e-6),
            };
            let mut run = Simulation::new(&model, state.clone(), free, scheme, stepping).unwrap();
            run.advance(0.5).unwrap();
            let (found, ledger) = (run.state().clone(), run.ledger().unwrap());
            let error = found.speeds.iter().zip(&reference.speeds).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
            let open = deviations(&model, &found);
            assert!(open < 1e-9, "{scheme:?} {open:e}");
            assert!(error < allowed, "{scheme:?} {error:e}");
            let balance = ledger.balance_error();
            assert!(
                balance.abs() < 1e-6
                    && (ledger.total() - ledger.start - ledger.projection_work - balance).abs() < 1e-12
            );
        }
    }
}

/// Constraints take part in the solutions of implicit steps: a mode of 20,000 rad/s asks for no shorter ones.
#[test]
fn stiff_linkages_take_long_steps() {
    let model = four_bar_of(true, 1.0, 1e6);
    let state = start(&model);
    for (scheme, stepping, most) in [
        (Scheme::LinearlyImplicit, tolerance(1e-6), 3000),
        (Scheme::generalized_alpha(0.8), Stepping::Fixed(1e-3), 500),
    ] {
        let mut run = Simulation::new(&model, state.clone(), free, scheme, stepping).unwrap();
        run.advance(0.5).unwrap();
        let (open, statistics) = (deviations(&model, run.state()), run.statistics());
        assert!(open < 1e-9, "{scheme:?} {open:e}");
        assert!(statistics.accepted + statistics.rejected <= most, "{scheme:?} {statistics:?}");
    }
}

/// Two free-flying systems, each of a hub and a flexible arm: frames at the ends of the arms can be joined.
pub fn two_flyers() -> (Model, State) {
    let mut builder = ModelBuilder::new();
    for name in ["left", "right"] {
        let hub = builder.body(Body::rigid(
            format!("{name} hub"),
            Parent::Ground,
            Hinge::new(HingeKind::Free),
            5.0,
            [0.1, 0.0, 0.05],
            [[1.0, 0.0, 0.0], [0.0, 1.2, 0.0], [0.0, 0.0, 0.8]],
        ));
        builder.body(bar(&format!("{name} arm"), Parent::Body(hub, NodeIndex(0)), 1.0, 1.0, true));
    }
    let about = [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]];
    let grip = |arm: usize| Mount::node(BodyIndex(arm), NodeIndex(2)).at([0.05, 0.0, 0.0]);
    builder.closure(Closure::joint(ClosureKind::Weld, grip(1), grip(3).turned(about)).named("grip"));
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    state.closed[0] = false;
    let right = model.hinge_coordinates(BodyIndex(2)).start;
    // Head to head, the second one turned about z.
    state.coordinates[right..right + 7].copy_from_slice(&[0.0, 0.0, 1.0, 0.0, 2.1, 0.0, 0.0]);
    for (i, u) in state.speeds.iter_mut().enumerate() {
        *u = 0.3 * ((3 * i + 1) as f64).sin();
    }
    state.turn_nodes(&model);
    (model, state)
}

#[test]
fn an_impact_keeps_momentum_and_loses_the_energy_of_the_closing_speed() {
    let (model, state) = two_flyers();
    let (mut ws, inputs) = (Workspace::new(&model), Inputs::new(&model));
    let grip = model.closure("grip").unwrap();
    for restitution in [0.0, 0.4, 1.0] {
        let mut after = state.clone();
        let before = momentum(&model, &state, &mut ws).unwrap();
        let lost = energy(&model, &state, &mut ws).unwrap().kinetic;
        let n = model.equation_count();
        let [mut positions, mut speeds, mut rebound] = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
        closure_deviations(&model, &state, &inputs, &mut ws, &mut positions, &mut speeds).unwrap();
        let impact = strike(&model, &mut after, grip, restitution, &inputs, &mut ws).unwrap();
        assert_eq!(after.closed[0], restitution == 0.0);
        let now = momentum(&model, &after, &mut ws).unwrap();
        for i in 0..3 {
            // Masses of some kilograms at some decimetres per second, some metres apart.
            assert!((now.linear[i] - before.linear[i]).abs() < 1e-12, "{restitution}");
            assert!((now.angular[i] - before.angular[i]).abs() < 1e-12, "{restitution}");
        }
        let lost = lost - energy(&model, &after, &mut ws).unwrap().kinetic;
        assert!((lost - impact.lost).abs() < 1e-10 * lost.abs().max(1e-3), "{restitution} {lost} {}", impact.lost);
        assert!(lost > -1e-14 && (restitution == 1.0) == (lost < 1e-12), "{restitution} {lost}");
        closure_deviations(&model, &after, &inputs, &mut ws, &mut positions, &mut rebound).unwrap();
        for (before, after) in speeds.iter().zip(&rebound) {
            assert!((after + restitution * before).abs() < 1e-12, "{restitution} {before} {after}");
        }
    }
    let mut after = state.clone();
    assert!(matches!(
        strike(&model, &mut after, grip, 1.5, &inputs, &mut ws),
        Err(DynamicsError::Restitution { value }) if value == 1.5
    ));
    assert_eq!(after, state);
}

/// A satellite is grappled and released: the joined motion keeps both momenta, and what the grip exerts does no work.
#[test]
fn grappled_systems_keep_their_momenta() {
    let (model, mut state) = two_flyers();
    let mut ws = Workspace::new(&model);
    state.closed[0] = true;
    let opened = assemble(&model, &mut state, &Inputs::new(&model)).unwrap().opened;
    assert!(opened[0] < 0.2, "{opened:?}");
    let before = momentum(&model, &state, &mut ws).unwrap();
    let mut run = Simulation::new(&model, state, free, Scheme::PrinceDormand8, tolerance(1e-11)).unwrap();
    run.advance(1.0).unwrap();
    let ledger = run.ledger().unwrap();
    assert!(ledger.balance_error().abs() < 1e-9, "{ledger:?}");
    let end = run.state().clone();
    assert!(deviations(&model, &end) < 1e-10);
    let now = momentum(&model, &end, &mut ws).unwrap();
    for i in 0..3 {
        assert!((now.linear[i] - before.linear[i]).abs() < 1e-10, "{now:?} {before:?}");
        assert!((now.angular[i] - before.angular[i]).abs() < 1e-10, "{now:?} {before:?}");
    }
}

/// The free flyers meet, are joined and let go: momentum stays, and the ledger has what the impact took. Nothing allocates.
#[test]
fn a_simulation_grapples_and_releases() {
    let (model, mut state) = two_flyers();
    let grip = model.closure("grip").unwrap();
    let mut ws = Workspace::new(&model);
    // Where the grips meet, but not as fast as each other.
    let speeds = state.speeds.clone();
    state.closed[0] = true;
    assemble(&model, &mut state, &Inputs::new(&model)).unwrap();
    (state.closed[0], state.speeds) = (false, speeds);
    let before = momentum(&model, &state, &mut ws).unwrap();
    for scheme in [Scheme::PrinceDormand8, Scheme::LinearlyImplicit, Scheme::Adams, Scheme::Bdf] {
        let mut run = Simulation::new(&model, state.clone(), free, scheme, tolerance(1e-10)).unwrap();
        let mut lost = 0.0;
        let count = allocations(|| lost = run.close(grip, 0.0).unwrap().lost);
        assert_eq!(count, 0, "{scheme:?}");
        assert!(lost > 1e-3, "{lost}");
        assert_eq!(run.ledger().unwrap().impact_loss, lost);
        let saved = run.checkpoint();
        let count = allocations(|| assert!(run.advance(0.1).is_ok()));
        assert_eq!(count, 0, "{scheme:?}");
        assert!(deviations(&model, run.state()) < 1e-9, "{scheme:?}");
        let there = run.state().clone();
        run.restore(&saved).unwrap();
        run.advance(0.1).unwrap();
        assert_eq!(run.state(), &there, "{scheme:?}");
        run.open(grip).unwrap();
        run.advance(0.2).unwrap();
        assert!(deviations(&model, run.state()) > 1e-6, "{scheme:?}");
        let (ledger, end) = (run.ledger().unwrap(), run.state().clone());
        assert!(ledger.balance_error().abs() < 1e-7, "{scheme:?} {ledger:?}");
        let now = momentum(&model, &end, &mut ws).unwrap();
        for i in 0..3 {
            assert!((now.linear[i] - before.linear[i]).abs() < 1e-8, "{scheme:?} {now:?} {before:?}");
            assert!((now.angular[i] - before.angular[i]).abs() < 1e-8, "{scheme:?} {now:?} {before:?}");
        }
    }
}
