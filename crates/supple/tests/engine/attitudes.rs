//! Motions in time of random trees whose second-order shapes turn the nodes that carry hinges, against the dense calculation.
//!
//! An attitude that is a state shows in time alone: the verbs take it as it is. Where its rate is not the angular velocity that the sweeps
//! use, energy and momentum drift.

use crate::motions::{SCHEMES, distance, tolerance};
use supple::integrate::{Scheme, Simulation, Stepping};
use supple::testkit::{Prepared, RandomOptions, RandomState, random_system, trajectory};
use supple::{
    BodyIndex, ElasticRotation, Fidelity, HingeKind, InertiaConvention, Inputs, ModalMatrix, Model, NodeIndex, Parent,
    State, System, Workspace, kinematics, momentum,
};

const ROTATIONS: [ElasticRotation; 6] = [
    ElasticRotation::None,
    ElasticRotation::FirstOrder,
    ElasticRotation::Euler321,
    ElasticRotation::Euler123,
    ElasticRotation::RotationVector,
    ElasticRotation::Integrated,
];

/// Whether the slope of a second-order shape turns a node that carries another body.
fn shapes_turn_a_carrier(system: &System) -> bool {
    system.bodies.iter().any(|child| {
        let Parent::Body(p, node) = child.parent else { return false };
        let body = &system.bodies[p.0];
        let shapes = body.nodes[node.0].influence.iter().skip(body.modes.count);
        body.modes.fidelity == Fidelity::Stiffened && shapes.into_iter().any(|column| column[..3] != [0.0; 3])
    })
}

/// Small trees that move; each has such a carrier.
fn trees(rotation: ElasticRotation, inertia: InertiaConvention) -> impl Iterator<Item = (System, RandomState)> {
    let options = RandomOptions {
        bodies: 2..=3,
        modes: 2,
        elastic_rotation: Some(rotation),
        inertia: Some(inertia),
        mass_ratio: 10.0,
        singular: false,
        second_order: true,
        ..RandomOptions::default()
    };
    let moves = |(system, state): &(System, RandomState)| {
        shapes_turn_a_carrier(system) && state.speeds.iter().any(|x| *x != 0.0)
    };
    (0..).map(move |seed| random_system(seed, &options)).filter(moves)
}

/// Trees that float, without gravity, loads or damping.
fn floating(rotation: ElasticRotation) -> impl Iterator<Item = (System, RandomState)> {
    let floats = |(system, _): &(System, RandomState)| {
        let grounded = system.bodies.iter().filter(|body| body.parent == Parent::Ground).count();
        grounded == 1 && system.bodies[0].hinge.kind == HingeKind::Free
    };
    trees(rotation, InertiaConvention::Lagrange).filter(floats).map(|(mut system, mut random)| {
        system.gravity = [0.0; 3];
        system.bodies.iter_mut().for_each(|body| body.modes.damping = ModalMatrix::Zero);
        random.wrenches.clear();
        random.forces.fill(0.0);
        (system, random)
    })
}

/// A motion under constant inputs.
fn simulation(at: &Prepared, scheme: Scheme, stepping: Stepping) -> Simulation {
    let inputs = at.inputs.clone();
    let drive = move |_: &State, out: &mut Inputs| out.clone_from(&inputs);
    Simulation::new(&at.model, at.state.clone(), drive, scheme, stepping).unwrap()
}

fn size(state: &State) -> f64 {
    state.coordinates.iter().chain(&state.speeds).fold(1.0, |most, x| most.max(x.abs()))
}

/// Every elastic rotation and inertia convention, with gravity, damping, forces and wrenches; where these equations derive from an energy the
/// ledger balances.
#[test]
fn motions_in_time_are_those_of_the_dense_calculation() {
    for rotation in ROTATIONS {
        for (inertia, count) in [(InertiaConvention::Lagrange, 3), (InertiaConvention::NewtonEuler, 1)] {
            for (i, (system, random)) in trees(rotation, inertia).take(count).enumerate() {
                let at = Prepared::new(&system, &random);
                let mut run = simulation(&at, Scheme::PrinceDormand8, tolerance(1e-13));
                run.advance(0.5).unwrap();
                let expected = Prepared::new(&system, &trajectory(&system, &random, 0.5, 25)).state;
                let error = distance(run.state(), &expected, 1.0) / size(&expected);
                let ledger = run.ledger().unwrap();
                let turnover = ledger.energy.kinetic + ledger.energy.elastic + ledger.start.abs();
                let balance = ledger.balance_error().abs() / turnover;
                println!("{rotation:?} {inertia:?} {i}: {error:.1e}, ledger {balance:.1e}");
                assert!(error < 1e-9, "{rotation:?} {inertia:?} {i}: {error:e}");
                let derived = rotation.is_orthogonal() && inertia == InertiaConvention::Lagrange;
                assert!(!derived || balance < 1e-10, "{rotation:?} {i}: {balance:e}");
            }
        }
    }
}

/// Energy is conserved whatever the elastic rotation, momentum by those that are rotations; the others lose angular momentum.
#[test]
fn floating_trees_conserve_energy_and_momentum() {
    for rotation in ROTATIONS {
        let mut worst = [0.0_f64; 3];
        for (system, random) in floating(rotation).take(5) {
            let at = Prepared::new(&system, &random);
            let mut ws = Workspace::new(&at.model);
            let start = momentum(&at.model, &at.state, &mut ws).unwrap();
            let mut run = simulation(&at, Scheme::PrinceDormand8, tolerance(1e-13));
            run.advance(2.0).unwrap();
            let end = momentum(&at.model, run.state(), &mut ws).unwrap();
            let ledger = run.ledger().unwrap();
            let drifts = [
                (ledger.total() - ledger.start).abs() / ledger.start,
                ((end.linear - start.linear).norm_squared() / start.linear.norm_squared()).sqrt(),
                ((end.angular - start.angular).norm_squared() / start.angular.norm_squared()).sqrt(),
            ];
            worst = std::array::from_fn(|i| worst[i].max(drifts[i]));
        }
        let [energy, linear, angular] = worst;
        println!("{rotation:?}: energy {energy:.1e}, momentum {linear:.1e}, angular momentum {angular:.1e}");
        assert!(energy < 1e-10, "{rotation:?}: energy {energy:e}");
        match rotation.is_orthogonal() {
            true => assert!(linear < 1e-10 && angular < 1e-10, "{rotation:?}: momenta {linear:e} {angular:e}"),
            false => assert!(angular > 1e-6, "{rotation:?}: angular momentum {angular:e}"),
        }
    }
}

/// Implicit schemes and those on the manifold turn the nodes by the slopes of the deformed body as well.
#[test]
fn every_scheme_has_its_order_with_integrated_attitudes() {
    let (system, random) = floating(ElasticRotation::Integrated).next().unwrap();
    let at = Prepared::new(&system, &random);
    let end = 0.25;
    let arrive = |scheme, stepping| {
        let mut run = simulation(&at, scheme, stepping);
        run.advance(end).unwrap();
        run.state().clone()
    };
    let exact = arrive(Scheme::PrinceDormand8, tolerance(1e-14));
    for scheme in SCHEMES.into_iter().filter(|scheme| scheme.takes_fixed_steps()) {
        let steps = match scheme.order() {
            2 => 1000.0,
            4 => 200.0,
            5 => 80.0,
            _ => 15.0,
        };
        let error = |steps: f64| distance(&arrive(scheme, Stepping::Fixed(end / steps)), &exact, size(&exact));
        let (coarse, fine) = (error(steps), error(2.0 * steps));
        let order = (coarse / fine).log2();
        println!("{scheme:?}: {coarse:.2e} {fine:.2e}, order {order:.2}");
        assert!(order > f64::from(scheme.order()) - 0.3, "{scheme:?}: {order} from {coarse:e} {fine:e}");
    }
}

/// Nodes with an attitude of their own start where the rotation vector of their slopes puts them, as all other nodes do.
#[test]
fn attitudes_start_at_the_slopes_of_the_deformed_body() {
    let mut turned = 0;
    for (mut system, random) in trees(ElasticRotation::RotationVector, InertiaConvention::Lagrange).take(50) {
        let by_vector = Prepared::new(&system, &random);
        system.elastic_rotation = ElasticRotation::Integrated;
        let model = Model::build(&system).unwrap();
        let mut state = State::new(&model);
        state.coordinates.copy_from_slice(&random.coordinates);
        state.turn_nodes(&model);
        turned += state.attitudes.len();
        let (mut first, mut second) = (Workspace::new(&by_vector.model), Workspace::new(&model));
        let expected = kinematics(&by_vector.model, &by_vector.state, &mut first).unwrap();
        let found = kinematics(&model, &state, &mut second).unwrap();
        for (k, body) in system.bodies.iter().enumerate() {
            for j in 0..body.nodes.len() {
                let at = (BodyIndex(k), NodeIndex(j));
                let error = found.node_attitude(at.0, at.1) - expected.node_attitude(at.0, at.1);
                assert!(error.0.iter().flatten().all(|x| x.abs() < 1e-14), "{at:?}: {error:?}");
            }
        }
    }
    assert!(turned > 50, "{turned}");
}
