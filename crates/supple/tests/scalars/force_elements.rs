//! Force elements on other scalars: power as the rate of energy, lanes, batches, tangents as derivatives.

use supple::batch::{Batch, States, StatesMut};
use supple::force::{
    ElementTangents, ForceElement, HingeDamping, HingeFriction, HingeSpring, HingeStops, Law, Port, SpringDamper,
    UnlistedScalar,
};
use supple::generic::{bias_forces, energy, forward_dynamics, power};
use supple::integrate::{Scheme, Simulation, Stepping};
use supple::spatial::{Dual, Lanes};
use supple::testkit::{
    EveryVerb, Prepared, RandomOptions, RandomState, Worst, moving, random_system, relative_difference,
};
use supple::{
    Body, BodyIndex, BuildError, ElasticRotation, Hinge, HingeKind, InertiaConvention, Inputs, Model, ModelBuilder,
    Parent, State, System, Terms, Workspace,
};

const UNIT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const DAMPING: HingeDamping = HingeDamping { damping: 0.3 };
const FRICTION: HingeFriction = HingeFriction { force: 1.5, speed: 0.05 };
const SPRING: HingeSpring = HingeSpring { stiffness: 7.0, rest: 0.2 };
const STOPS: HingeStops = HingeStops { lower: -1.0, upper: 0.8, stiffness: 400.0, damping: 0.6 };

/// A body of unit inertia on one hinge, with these elements in its first direction.
fn model(kind: HingeKind, elements: impl IntoIterator<Item = ForceElement>) -> Result<Model, BuildError> {
    let mut builder = ModelBuilder::new();
    builder.body(Body::rigid("door", Parent::Ground, Hinge::new(kind), 1.0, [0.0; 3], UNIT));
    elements.into_iter().for_each(|element| {
        builder.force(element);
    });
    builder.build()
}

fn revolute() -> HingeKind {
    HingeKind::Revolute { axis: [0.0, 0.0, 1.0] }
}

fn at_door(law: impl Law + 'static) -> ForceElement {
    ForceElement::new(law, [Port::hinge(BodyIndex(0))])
}

/// A door with everything that acts in hinges.
fn door() -> Model {
    model(revolute(), [at_door(DAMPING), at_door(FRICTION), at_door(SPRING), at_door(STOPS)]).unwrap()
}

fn at(model: &Model, coordinate: f64, speed: f64) -> State {
    let mut state = State::new(model);
    (state.coordinates[0], state.speeds[0]) = (coordinate, speed);
    state
}

const ELEMENTS: Terms = Terms { elements: true, ..Terms::NONE };
const ORTHOGONAL: [ElasticRotation; 4] = [
    ElasticRotation::Euler321,
    ElasticRotation::Euler123,
    ElasticRotation::RotationVector,
    ElasticRotation::Integrated,
];

/// A random tree with elements of every kind and motors.
fn laden(seed: u64, rotation: Option<ElasticRotation>) -> (System, RandomState) {
    let options = RandomOptions {
        bodies: 1..=5,
        modes: 4,
        elements: true,
        elastic_rotation: rotation,
        inertia: rotation.map(|_| InertiaConvention::Lagrange),
        mass_ratio: 1e3,
        second_order: seed % 5 > 2,
        ..RandomOptions::default()
    };
    random_system(seed, &options)
}

/// The power of the forces is what elements supply less what they take and store, by dual numbers; and the whole energy changes at the net power.
#[test]
fn power_is_the_rate_of_energy() {
    let mut worst = Worst::new();
    for seed in 0..200 {
        let (system, random) = laden(seed, Some(ORTHOGONAL[seed as usize % 4]));
        let at = Prepared::new(&system, &random);
        let mut ws = at.workspace();
        let found = forward_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
        let state = moving(&at.model, &at.state, found.accelerations());
        let dual = at.map(Dual::constant);
        let rate = energy(&dual.model, &state, &mut dual.workspace()).unwrap();
        let flow = power(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
        let forces = bias_forces(&at.model, &at.state, &at.inputs, ELEMENTS, &mut ws).unwrap();
        let pairs = || forces.forces().iter().zip(&at.state.speeds);
        let (work, size) = pairs().fold((0.0, 1e-3), |(w, s), (f, u)| (w - f * u, s + (f * u).abs()));
        let balance = work - flow.element_supplied + flow.element_dissipated + rate.stored.derivative;
        worst.record("elements", seed, balance.abs() / size, 1e-11);
        let size = size + flow.forces.abs() + flow.wrenches.abs() + flow.dissipated + rate.kinetic.derivative.abs();
        let size = size + rate.gravitational.derivative.abs() + rate.elastic.derivative.abs();
        worst.record("all", seed, (rate.total().derivative - flow.net()).abs() / size, 1e-9);
    }
    worst.assert_within();
}

/// Lanes of different states and lanes of models with different parameters, bit for bit; batches; steps in lanes.
#[test]
fn lanes_and_batches_are_scalar_runs() {
    for seed in 0..60 {
        let (system, random) = laden(seed, None);
        let at = Prepared::new(&system, &random);
        let mut lanes = EveryVerb::new(at.map(Lanes::<f64, 4>::splat));
        let mut alone = EveryVerb::new(at.clone());
        for ((name, verb), (_, single)) in EveryVerb::list().into_iter().zip(EveryVerb::list()) {
            verb(&mut lanes).unwrap();
            single(&mut alone).unwrap();
            let same = |(a, b): (&Lanes<f64, 4>, &f64)| (0..4).all(|lane| a.lane(lane).to_bits() == b.to_bits());
            assert!(lanes.results().iter().zip(alone.results()).all(same), "seed {seed}, {name}");
        }

        // Softer and harder springs in the lanes of one model.
        let models: Vec<Model> = [1.0, 0.5, 2.0]
            .iter()
            .map(|scale| {
                let mut other = system.clone();
                for element in &mut other.forces {
                    let ports = element.ports.clone();
                    if let Some(law) = element.law::<SpringDamper>().copied() {
                        *element = ForceElement::new(SpringDamper { stiffness: scale * law.stiffness, ..law }, ports);
                    }
                }
                Model::build(&other).unwrap()
            })
            .collect();
        let n = models.len();
        let repeat = |list: &[f64]| list.repeat(n);
        let attitudes: Vec<[f64; 4]> = random.attitudes.repeat(n);
        let (coordinates, speeds) = (repeat(&at.state.coordinates), repeat(&at.state.speeds));
        let states = States { coordinates: &coordinates, speeds: &speeds, attitudes: &attitudes };
        let mut batch = Batch::of_models(&models, 1).unwrap();
        let mut found = vec![0.0; speeds.len()];
        batch.forward_dynamics(states, &repeat(&at.inputs.forces), &mut found).unwrap();
        let inputs = Inputs { wrenches: Vec::new(), ..at.inputs.clone() };
        let expected: Vec<f64> = models
            .iter()
            .flat_map(|model| {
                let mut ws = Workspace::new(model);
                forward_dynamics(model, &at.state, &inputs, &mut ws).unwrap().accelerations().to_vec()
            })
            .collect();
        assert_eq!(found, expected, "seed {seed}");
    }
}

/// Steps of a batch are those of the classical scheme.
#[test]
fn a_batch_steps_with_elements() {
    let model = door();
    let free = |_: &State, _: &mut Inputs| {};
    let (mut coordinates, mut speeds) = (vec![-0.9, 0.1, 0.75], vec![-1.0, 2.0, 3.0]);
    let starts: Vec<State> = coordinates.iter().zip(&speeds).map(|(q, u)| at(&model, *q, *u)).collect();
    let mut batch = Batch::new(&model, 1).unwrap();
    for _ in 0..50 {
        let states = StatesMut { coordinates: &mut coordinates, speeds: &mut speeds, attitudes: &mut [] };
        batch.step(states, &[0.0; 3], 1e-3).unwrap();
    }
    for (i, start) in starts.into_iter().enumerate() {
        let mut run = Simulation::new(&model, start, free, Scheme::RungeKutta4, Stepping::Fixed(1e-3)).unwrap();
        run.advance(0.05).unwrap();
        assert!((run.state().coordinates[0] - coordinates[i]).abs() < 1e-12);
        assert!((run.state().speeds[0] - speeds[i]).abs() < 1e-10);
    }
}

#[test]
fn models_that_differ_in_elements_share_no_sweep() {
    let soft = model(revolute(), [at_door(SPRING)]).unwrap();
    let hard = model(revolute(), [at_door(HingeSpring { stiffness: 9.0, ..SPRING })]).unwrap();
    let damped = model(revolute(), [at_door(DAMPING)]).unwrap();
    let both = model(revolute(), [at_door(SPRING), at_door(DAMPING)]).unwrap();
    assert!(Model::gather([&soft, &hard]).is_ok());
    assert_eq!(Model::gather([&soft, &damped]).unwrap_err().difference, "the law of a force element is");
    assert_eq!(Model::gather([&soft, &both]).unwrap_err().difference, "the number of force elements is");
    // A scalar that the macro does not list.
    let unlisted = soft.try_cast::<Dual<Dual<Dual<f64>>>>().unwrap_err();
    assert!(matches!(unlisted, UnlistedScalar { element: "hinge spring", .. }), "{unlisted}");
    assert!(soft.try_cast::<Dual<Lanes<f64, 4>>>().is_ok());
    assert!(model(revolute(), []).unwrap().try_cast::<Dual<Dual<Dual<f64>>>>().is_ok());
}

/// `-∂g/∂u = U C U*` exactly, at any state.
#[test]
fn damping_tangents_are_derivatives_by_speeds() {
    let mut worst = Worst::new();
    for seed in 0..60 {
        let (system, random) = laden(seed, None);
        let at = Prepared::new(&system, &random);
        let n = at.model.speed_count();
        let mut tangents = ElementTangents::new(&at.model);
        tangents.update(&at.model, &at.state, &mut at.workspace()).unwrap();
        let mut found = vec![0.0; n * n];
        tangents.add_to([1.0, 0.0], &mut found);
        let dual = at.map(Dual::constant);
        let mut ws = dual.workspace();
        let mut expected = vec![0.0; n * n];
        for j in 0..n {
            let mut state = dual.state.clone();
            state.speeds[j].derivative = 1.0;
            let forces = bias_forces(&dual.model, &state, &dual.inputs, ELEMENTS, &mut ws).unwrap();
            forces.forces().iter().enumerate().for_each(|(i, f)| expected[i * n + j] = f.derivative);
        }
        worst.record("U C U*", seed, relative_difference(&found, &expected), 1e-9);
    }
    worst.assert_within();
}
