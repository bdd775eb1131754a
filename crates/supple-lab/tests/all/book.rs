//! Book's formulation against a dense Lagrangian of particles, and against the other algorithms on rigid arms.

use crate::book_arm::{Acting, ArmOptions, Clouds, difference, lagrangian, random_arm, random_vector, random_wrenches};
use supple::integrate::{IntegrationError, Scheme, Simulation, Tolerance};
use supple::spatial::Dual;
use supple::testkit::{Generator, moving};
use supple::{
    Actuator, BodyIndex, Closure, ClosureKind, CoupledHinge, DenseWorkspace, DynamicsError, ElasticRotation, Fidelity,
    Hinge, HingeKind, Inputs, ModalInertia, ModalMatrix, Model, Mount, NodeIndex, Parent, SecondOrderShape, State,
    System, Workspace, composite_forward_dynamics, energy, forward_dynamics, hybrid_dynamics,
};
use supple_bodies::catalogue::book_arm::book_arm;
use supple_lab::book::{BookDynamics, BookError, BookRule, formulation};

/// Model, state and inputs of a random arm.
fn drawn(rng: &mut Generator, options: ArmOptions) -> (System, Clouds, Model, State, Inputs) {
    let (system, clouds) = random_arm(rng, options);
    let model = Model::build(&system).unwrap();
    let mut state = State::new(&model);
    state.coordinates = random_vector(rng, &system, 0.3, 3.0);
    state.speeds = random_vector(rng, &system, 1.0, 2.0);
    let mut inputs = Inputs::new(&model);
    inputs.forces = random_vector(rng, &system, 2.0, 5.0);
    inputs.wrenches = random_wrenches(rng, &system, 3);
    (system, clouds, model, state, inputs)
}

/// Whether the formulation carries a system.
fn carried(system: &System) -> Result<BookDynamics, BookError> {
    BookDynamics::new(system, &Model::build(system).unwrap())
}

/// A hundred arms with large deflections, so that a transformation that is taken for a rotation would show.
#[test]
fn accelerations_are_those_of_a_dense_lagrangian() {
    let mut worst = 0.0_f64;
    let mut flexible = 0;
    for seed in 0..100 {
        let mut rng = Generator::new(seed);
        let options = ArmOptions { bodies: 6, modes: 4, clouds: seed % 2 == 0 };
        let (system, clouds, model, state, inputs) = drawn(&mut rng, options);
        flexible += system.bodies.iter().filter(|b| b.modes.count > 0).count();
        let acting = Acting { forces: &inputs.forces, wrenches: &inputs.wrenches };
        let dense = lagrangian(&system, &clouds, &state.coordinates, &state.speeds, &acting);
        let mut book = BookDynamics::<f64>::new(&system, &model).unwrap();
        let packed = book.inertia_matrix(&state).unwrap().to_vec();
        let n = model.speed_count();
        let rows: Vec<f64> =
            (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))).map(|(i, j)| dense.matrix[i][j]).collect();
        let error = difference(&packed, &rows);
        assert!(error < 1e-13, "seed {seed}: matrix {error:.1e}");
        let solution = book.accelerations(&state, &inputs).unwrap();
        let error = difference(solution.accelerations(), &dense.accelerations);
        assert!(error < 1e-10, "seed {seed}: accelerations {error:.1e}");
        worst = worst.max(error);
    }
    println!("worst {worst:.1e}, {flexible} flexible links");
    assert!(flexible > 150);
}

/// For rigid links the articulated and the composite algorithm, the dense Lagrangian and Book's formulation are one.
#[test]
fn four_formulations_agree_on_rigid_arms() {
    for seed in 0..100 {
        let mut rng = Generator::new(1000 + seed);
        let (system, clouds, model, state, inputs) = drawn(&mut rng, ArmOptions { bodies: 7, modes: 0, clouds: true });
        let acting = Acting { forces: &inputs.forces, wrenches: &inputs.wrenches };
        let dense = lagrangian(&system, &clouds, &state.coordinates, &state.speeds, &acting).accelerations;
        let mut book = BookDynamics::new(&system, &model).unwrap();
        let ours = book.accelerations(&state, &inputs).unwrap().accelerations();
        let (mut workspace, mut scratch) = (Workspace::new(&model), DenseWorkspace::new(&model));
        let articulated = forward_dynamics(&model, &state, &inputs, &mut workspace).unwrap().accelerations().to_vec();
        let composite = composite_forward_dynamics(&model, &state, &inputs, &mut workspace, &mut scratch).unwrap();
        for (name, other) in
            [("dense", &dense[..]), ("articulated", &articulated), ("composite", composite.accelerations())]
        {
            let error = difference(ours, other);
            assert!(error < 1e-11, "seed {seed}: {name} {error:.1e}");
        }
    }
}

/// Rotors of hinges and of motors, and inertia tables of rigid bodies, are in the description as nodes are.
#[test]
fn drives_and_tables_of_rigid_arms_count() {
    for seed in 0..20 {
        let mut rng = Generator::new(6000 + seed);
        let (mut system, _) = random_arm(&mut rng, ArmOptions { bodies: 5, modes: 0, clouds: true });
        let last = BodyIndex(system.bodies.len() - 1);
        system.bodies[0].hinge.rotor_inertia = vec![0.7];
        for (name, body) in [("first", BodyIndex(0)), ("last", last)] {
            system.actuators.push(Actuator { rotor_inertia: 0.01, gear_ratio: 8.0, ..Actuator::new(name, body) });
        }
        system.bodies[last.0].modal_inertia = Some(ModalInertia::of(&system.bodies[last.0]));
        let model = Model::build(&system).unwrap();
        let mut state = State::new(&model);
        state.coordinates = random_vector(&mut rng, &system, 0.3, 3.0);
        state.speeds = random_vector(&mut rng, &system, 1.0, 2.0);
        let inputs = Inputs { forces: random_vector(&mut rng, &system, 2.0, 5.0), ..Inputs::new(&model) };
        let mut book = BookDynamics::new(&system, &model).unwrap();
        let ours = book.accelerations(&state, &inputs).unwrap().accelerations().to_vec();
        let mut workspace = Workspace::new(&model);
        let sweeps = forward_dynamics(&model, &state, &inputs, &mut workspace).unwrap();
        let error = difference(&ours, sweeps.accelerations());
        assert!(error < 1e-11, "seed {seed}: {error:.1e}");
        let (ours, sweeps) = (book.energy(&state).unwrap(), energy(&model, &state, &mut workspace).unwrap());
        assert!((ours.kinetic / sweeps.kinetic - 1.0).abs() < 1e-12, "seed {seed}");
    }
}

/// Prescribed hinges get the accelerations asked for, by the forces that come out; on rigid arms as in hybrid dynamics.
#[test]
fn prescribed_hinges_need_the_forces_that_come_out() {
    for seed in 0..60 {
        let mut rng = Generator::new(2000 + seed);
        let modes = if seed % 2 == 0 { 0 } else { 3 };
        let (system, _, model, state, mut inputs) = drawn(&mut rng, ArmOptions { bodies: 5, modes, clouds: true });
        inputs.accelerations = random_vector(&mut rng, &system, 1.0, 1.0);
        inputs.prescribed = system.bodies.iter().map(|_| rng.chance(0.5)).collect();
        let mut book = BookDynamics::new(&system, &model).unwrap();
        let solution = book.accelerations(&state, &inputs).unwrap();
        let (accelerations, forces) = (solution.accelerations().to_vec(), solution.forces().to_vec());
        for (body, flag) in model.body_indices().zip(&inputs.prescribed) {
            let at = model.hinge_speeds(body).start;
            if *flag {
                assert_eq!(accelerations[at], inputs.accelerations[at]);
            } else {
                assert_eq!(forces[at], inputs.forces[at]);
            }
        }
        if modes == 0 {
            let mut workspace = Workspace::new(&model);
            let other = hybrid_dynamics(&model, &state, &inputs, &mut workspace).unwrap();
            assert!(difference(&accelerations, other.accelerations()) < 1e-11);
            assert!(difference(&forces, other.forces()) < 1e-11);
        }
        let free = Inputs { forces, prescribed: vec![false; model.body_count()], ..inputs };
        let error = difference(book.accelerations(&state, &free).unwrap().accelerations(), &accelerations);
        assert!(error < 1e-10, "seed {seed}: {error:.1e}");
    }
}

/// The energy changes by the power of what acts, to rounding and at any deflection.
#[test]
fn energy_changes_by_the_power_of_what_acts() {
    for seed in 0..60 {
        let mut rng = Generator::new(3000 + seed);
        let (system, _, model, state, mut inputs) = drawn(&mut rng, ArmOptions { bodies: 5, modes: 4, clouds: true });
        inputs.wrenches.clear();
        let mut book = BookDynamics::new(&system, &model).unwrap();
        let accelerations = book.accelerations(&state, &inputs).unwrap().accelerations().to_vec();
        let mut dual = BookDynamics::<Dual<f64>>::new(&system, &model).unwrap();
        let rate = dual.energy(&moving(&model, &state, &accelerations)).unwrap();
        let power = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let mut taken = 0.0;
        for (body, told) in model.body_indices().zip(&system.bodies) {
            let speeds = &state.speeds[model.modal_speeds(body)];
            if let ModalMatrix::Full(rows) = &told.modes.damping {
                taken += rows.iter().zip(speeds).map(|(row, x)| power(row, speeds) * x).sum::<f64>();
            }
        }
        let supplied = power(&inputs.forces, &state.speeds) - taken;
        let size = [rate.kinetic, rate.elastic, rate.gravitational].iter().map(|x| x.derivative.abs()).sum::<f64>();
        let error = (rate.total().derivative - supplied).abs() / size;
        assert!(error < 1e-12, "seed {seed}: {error:.1e}");
    }
}

/// A motion that nothing drives keeps its energy; one that everything drives balances its ledger.
#[test]
fn motions_conserve_energy() {
    for (seed, driven) in [(1, false), (3, false), (5, true), (7, true)] {
        let mut rng = Generator::new(4000 + seed);
        let (mut system, _) = random_arm(&mut rng, ArmOptions { bodies: 4, modes: 3, clouds: true });
        if !driven {
            system.bodies.iter_mut().for_each(|b| b.modes.damping = ModalMatrix::Zero);
        }
        assert!(system.bodies.iter().any(|b| b.modes.count > 0));
        let model = Model::build(&system).unwrap();
        let mut state = State::new(&model);
        state.coordinates = random_vector(&mut rng, &system, 0.05, 1.0);
        state.speeds = random_vector(&mut rng, &system, 0.1, 1.0);
        let (forces, wrenches) = (random_vector(&mut rng, &system, 0.5, 2.0), random_wrenches(&mut rng, &system, 2));
        let drive = move |_: &State, inputs: &mut Inputs| {
            if driven {
                inputs.forces.copy_from_slice(&forces);
                inputs.wrenches.clone_from(&wrenches);
            }
        };
        let tolerance = Tolerance { relative: 1e-12, absolute: 1e-14 };
        let mut run = Simulation::new(&model, state, drive, Scheme::PrinceDormand8, tolerance).unwrap();
        run.set_formulation(formulation(&system, &model).unwrap()).unwrap();
        let size = run.ledger().unwrap().energy;
        let size = size.kinetic + size.elastic + size.gravitational.abs();
        run.advance(3.0).unwrap();
        let ledger = run.ledger().unwrap();
        assert_eq!(ledger.work != 0.0, driven);
        assert_eq!(ledger.wrench_work != 0.0, driven);
        let error = ledger.balance_error().abs() / size;
        assert!(error < 1e-9, "seed {seed}: {error:.1e}");
    }
}

/// Schemes that ask for more than accelerations are refused, and formulations of another model.
#[test]
fn integrators_that_need_more_are_refused() {
    let mut rng = Generator::new(5);
    let (system, _, model, state, _) = drawn(&mut rng, ArmOptions { bodies: 3, modes: 2, clouds: true });
    let (another, _) = random_arm(&mut rng, ArmOptions { bodies: 3, modes: 2, clouds: true });
    let other = Model::build(&another).unwrap();
    let free = |_: &State, _: &mut Inputs| {};
    let tolerance = Tolerance { relative: 1e-6, absolute: 1e-8 };
    for scheme in [Scheme::LinearlyImplicit, Scheme::Exponential, Scheme::ExponentialAdams] {
        let mut run = Simulation::new(&model, state.clone(), free, scheme, tolerance).unwrap();
        assert_eq!(run.set_formulation(formulation(&system, &model).unwrap()), Err(IntegrationError::NeedsSweeps));
    }
    let mut run = Simulation::new(&model, state, free, Scheme::DormandPrince, tolerance).unwrap();
    let refused = run.set_formulation(formulation(&another, &other).unwrap());
    assert!(matches!(refused, Err(IntegrationError::Dynamics { source: DynamicsError::WrongModel, .. })));
}

/// What the formulation cannot carry is told by the name of the body and the rule.
#[test]
fn models_it_cannot_carry_are_refused_by_name() {
    let arm = || {
        let mut rng = Generator::new(11);
        loop {
            let (system, _) = random_arm(&mut rng, ArmOptions { bodies: 4, modes: 3, clouds: true });
            if system.bodies.len() == 4 && system.bodies.iter().all(|b| b.modes.count > 1) {
                return system;
            }
        }
    };
    let refusal = |change: &dyn Fn(&mut System)| {
        let mut system = arm();
        change(&mut system);
        let error = carried(&system).unwrap_err();
        assert!(error.to_string().contains(&format!("'{}'", error.name)), "{error}");
        (error.body.0, error.rule)
    };
    let (axis, entry) = ([0.0, 0.0, 1.0], ([0, 0, 0], 1.0));
    let tip = Mount::node(BodyIndex(2), NodeIndex(1));
    let knee = CoupledHinge { body: BodyIndex(1), speed: 0, factor: 1.0 };
    assert!(carried(&arm()).is_ok());
    for (change, body, rule) in [
        (&|s: &mut System| s.bodies[2].parent = Parent::Ground, 2, BookRule::SerialChain),
        (&|s| s.bodies[3].parent = Parent::Body(BodyIndex(1), NodeIndex(2)), 3, BookRule::SerialChain),
        (&|s| s.closures = vec![Closure::joint(ClosureKind::Ball, Mount::ground(), tip)], 2, BookRule::OpenChain),
        (&|s| s.closures = vec![Closure::coupling([knee], 0.1)], 1, BookRule::OpenChain),
        (&|s| s.bodies[1].hinge = Hinge::new(HingeKind::Prismatic { axis }), 1, BookRule::RotaryHinge),
        (&|s| s.bodies[0].hinge = Hinge::new(HingeKind::Spherical), 0, BookRule::RotaryHinge),
        (&|s| s.bodies[2].inboard_node = NodeIndex(2), 2, BookRule::ClampedModes),
        (
            &|s| s.elastic_rotation = ElasticRotation::Integrated,
            0,
            BookRule::FirstOrderRotation(ElasticRotation::Integrated),
        ),
        (&|s| s.bodies[1].modes.fidelity = Fidelity::Ruthless, 1, BookRule::AllInertialTerms(Fidelity::Ruthless)),
        (
            &|s| {
                s.bodies[1].modes.fidelity = Fidelity::Exact;
                s.bodies[1].modes.nonlinear.cubic.push(entry);
            },
            1,
            BookRule::LinearElasticity,
        ),
        (
            &|s| {
                let body = &mut s.bodies[3];
                body.modes.fidelity = Fidelity::Stiffened;
                body.modes.second_order = vec![SecondOrderShape { quadratic: vec![([0, 1], 1.0)] }];
                body.nodes.iter_mut().skip(1).for_each(|n| n.influence.push([0.1; 6]));
            },
            3,
            BookRule::LinearDisplacements,
        ),
        (
            &|s| {
                let tables = ModalInertia::of(&s.bodies[2]);
                s.bodies[2].modal_inertia = Some(tables);
            },
            2,
            BookRule::PointMasses,
        ),
    ] as [(&dyn Fn(&mut System), usize, BookRule); 12]
    {
        assert_eq!(refusal(change), (body, rule));
    }
    // Fidelities whose further terms are not used are the same equations.
    let mut system = arm();
    system.bodies[0].modes.fidelity = Fidelity::Exact;
    system.bodies[1].modes.fidelity = Fidelity::Stiffened;
    assert!(carried(&system).is_ok());
}

/// The arm that Book counts is carried; a description that differs by a rounding error from that of the model, or cannot be built, is not.
#[test]
fn the_description_is_that_of_the_model() {
    let system = book_arm();
    let model = Model::build(&system).unwrap();
    assert!(BookDynamics::<f64>::new(&system, &model).is_ok());
    let mut heavier = system.clone();
    heavier.bodies[5].nodes[0].mass *= 1.0 + 1e-12;
    let mut unsound = system.clone();
    unsound.bodies[0].inboard_node = NodeIndex(99);
    let shorter = System { bodies: system.bodies[..2].to_vec(), ..system };
    for other in [heavier, unsound, shorter, System::default()] {
        let refused = BookDynamics::<f64>::new(&other, &model).err().unwrap();
        assert_eq!(refused.rule, BookRule::SameDescription);
        assert!(refused.to_string().contains("not built from this description"), "{refused}");
    }
}

/// States and inputs that make no sense are errors, as in every verb.
#[test]
fn unsound_states_and_inputs_are_errors() {
    let mut rng = Generator::new(17);
    let (system, _, model, state, inputs) = drawn(&mut rng, ArmOptions { bodies: 3, modes: 2, clouds: true });
    let mut book = BookDynamics::new(&system, &model).unwrap();
    let mut bad = state.clone();
    bad.speeds.pop();
    assert!(matches!(book.accelerations(&bad, &inputs), Err(DynamicsError::WrongSize { quantity: "speeds", .. })));
    let mut bad = state.clone();
    bad.coordinates[0] = f64::NAN;
    assert!(matches!(book.accelerations(&bad, &inputs), Err(DynamicsError::NotFinite { .. })));
    let mut bad = inputs.clone();
    bad.wrenches[0].body = BodyIndex(99);
    assert!(matches!(book.accelerations(&state, &bad), Err(DynamicsError::NoSuchNode { .. })));
    let mut bad = inputs.clone();
    bad.forces[0] = f64::INFINITY;
    assert!(matches!(book.accelerations(&state, &bad), Err(DynamicsError::NotFinite { quantity: "forces", .. })));
    assert!(book.accelerations(&state, &inputs).is_ok());
}
