//! Batches: every instance has the bits of its scalar run, whatever the threads, the lanes and its neighbours.

use crate::counting_allocator::allocations;
use crate::many::{Rows, Scalar, bits};
use supple::batch::{Batch, BatchError, InstanceError, NODE_MOTION, States};
use supple::testkit::{ChainOptions, Prepared, RandomOptions, random_system, serial_chain};
use supple::{
    Body, BodyIndex, DynamicsError, ElasticRotation, Hinge, HingeKind, Inputs, Model, Node, NodeIndex, Parent, State,
    System,
};

const MOST: usize = 17;

/// Runs the three verbs on the first `count` instances and compares with their scalar runs, bit for bit.
fn compare<const W: usize>(batch: &mut Batch<W>, model: &Model, rows: &Rows, scalar: &[Scalar], what: &str) {
    let (count, n) = (scalar.len(), model.speed_count());
    let states = rows.states(model, count);
    let expect = |of: &dyn Fn(&Scalar) -> &Result<Vec<f64>, DynamicsError>| -> Vec<u64> {
        scalar.iter().flat_map(|run| bits(of(run).as_ref().unwrap())).collect()
    };
    let mut found = vec![f64::NAN; count * n];
    batch.forward_dynamics(states, &rows.forces[..count * n], &mut found).unwrap();
    assert_eq!(bits(&found), expect(&|run| &run.accelerations), "{what}: forward");
    batch.inverse_dynamics(states, &rows.accelerations[..count * n], &mut found).unwrap();
    assert_eq!(bits(&found), expect(&|run| &run.forces), "{what}: inverse");
    let mut matrices = vec![f64::NAN; count * n * n];
    batch.mass_matrix(states, &mut matrices).unwrap();
    assert_eq!(bits(&matrices), expect(&|run| &run.matrix), "{what}: mass matrix");
}

pub fn options(seed: u64) -> RandomOptions {
    RandomOptions {
        constant_terms: seed % 4 == 1,
        orthogonal_modes: seed.is_multiple_of(3),
        second_order: seed % 5 > 2,
        closures: if seed % 6 == 5 { 3 } else { 0 },
        ..RandomOptions::default()
    }
}

#[test]
fn every_instance_has_the_bits_of_its_scalar_run() {
    for seed in 0_u64..24 {
        let (system, random) = random_system(seed, &options(seed));
        let at = Prepared::new(&system, &random);
        let rows = Rows::new(&at, MOST, seed);
        let scalar: Vec<Scalar> = (0..MOST).map(|i| Scalar::run(&rows.instance(&at.model, i))).collect();
        for threads in 1..=3 {
            let mut batch = Batch::new(&at.model, threads).unwrap();
            assert_eq!(batch.threads(), threads);
            for count in 1..=MOST {
                let what = format!("seed {seed}, {threads} threads, {count} instances");
                compare(&mut batch, &at.model, &rows, &scalar[..count], &what);
            }
        }
    }
}

#[test]
fn any_number_of_lanes_gives_the_same_bits() {
    let (system, random) = random_system(7, &RandomOptions::default());
    let at = Prepared::new(&system, &random);
    let rows = Rows::new(&at, MOST, 7);
    let scalar: Vec<Scalar> = (0..MOST).map(|i| Scalar::run(&rows.instance(&at.model, i))).collect();
    compare(&mut Batch::<1>::with_lanes(&at.model, 2).unwrap(), &at.model, &rows, &scalar, "1 lane");
    compare(&mut Batch::<4>::with_lanes(&at.model, 2).unwrap(), &at.model, &rows, &scalar, "4 lanes");
}

/// Models that differ in gravity, masses, mounts of hinges, stiffness and damping.
fn models(system: &System, count: usize) -> Vec<Model> {
    let changed = |i: usize| {
        let factor = 1.0 + 0.03 * i as f64;
        let mut system = system.clone();
        system.gravity = system.gravity.map(|g| g * factor);
        for body in &mut system.bodies {
            body.hinge.position = body.hinge.position.map(|x| x * factor);
            // Modal masses that are the identity in one model must be so in all.
            let heavier = if body.modes.count == 0 { factor } else { [2.0, 4.0, 8.0][i % 3] };
            body.nodes.iter_mut().for_each(|node| {
                node.mass *= heavier;
                node.inertia = node.inertia.map(|row| row.map(|x| x * heavier));
            });
            for matrix in [&mut body.modes.stiffness, &mut body.modes.damping] {
                match matrix {
                    supple::ModalMatrix::Zero => {}
                    supple::ModalMatrix::Diagonal(d) => d.iter_mut().for_each(|x| *x *= factor),
                    supple::ModalMatrix::Full(rows) => rows.iter_mut().flatten().for_each(|x| *x *= factor),
                }
            }
        }
        Model::build(&system).unwrap()
    };
    (0..count).map(changed).collect()
}

#[test]
fn models_of_one_structure_share_sweeps_and_keep_their_bits() {
    let mut different = 0;
    for seed in 0_u64..24 {
        let (system, random) = random_system(seed, &options(seed));
        let at = Prepared::new(&system, &random);
        let rows = Rows::new(&at, MOST, seed);
        let models = models(&system, MOST);
        let scalar: Vec<Scalar> = (0..MOST).map(|i| Scalar::run(&rows.instance(&models[i], i))).collect();
        let shared = Scalar::run(&rows.instance(&models[0], MOST - 1));
        different += usize::from(shared.forces != scalar[MOST - 1].forces);
        for (count, threads) in [(1, 1), (3, 2), (4, 2), (9, 3), (MOST, 1), (MOST, 3)] {
            let mut batch = Batch::of_models(&models[..count], threads).unwrap();
            let what = format!("seed {seed}, {threads} threads, {count} models");
            compare(&mut batch, &at.model, &rows, &scalar[..count], &what);
        }
    }
    // The models must not all be the same.
    assert!(different > 20, "{different}");
}

#[test]
fn models_of_another_structure_are_refused_by_name() {
    let (system, _) = random_system(5, &RandomOptions { bodies: 4..=4, ..RandomOptions::default() });
    let refused = |change: &dyn Fn(&mut System)| {
        let mut other = system.clone();
        change(&mut other);
        let mut models = vec![Model::build(&system).unwrap(); 6];
        models.push(Model::build(&other).unwrap());
        let BatchError::Structure(error) = Batch::of_models(&models, 1).unwrap_err() else { panic!("another error") };
        assert_eq!(error.model, 6, "{error}");
        (error.body, error.to_string())
    };
    let (body, text) = refused(&|system| drop(system.bodies.pop()));
    assert_eq!(body, None);
    assert_eq!(text, "model 6: the number of bodies is not as in model 0; these models may differ in numbers alone");
    let (body, _) = refused(&|system| {
        let kind = &mut system.bodies[2].hinge.kind;
        let axis = [0.6, 0.0, 0.8];
        *kind = match kind {
            HingeKind::Revolute { .. } => HingeKind::Prismatic { axis },
            _ => HingeKind::Revolute { axis },
        };
    });
    assert!(body.is_some());
    let other = match system.elastic_rotation {
        ElasticRotation::Euler321 => ElasticRotation::Euler123,
        _ => ElasticRotation::Euler321,
    };
    let (_, text) = refused(&|system| system.elastic_rotation = other);
    assert!(text.contains("the elastic rotation is not as in model 0"), "{text}");
    assert!(Batch::of_models(&[], 2).unwrap().forward_dynamics(States::default(), &[], &mut []).is_ok());
}

/// An arm folded on its own axis, which cannot be accelerated: the error of a singular configuration.
fn folding_arm() -> Model {
    let axis = [0.0, 0.0, 1.0];
    let turned = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]];
    let arm = |name: &str, parent, hinge| Body::new(name, parent, hinge).with_node(Node::default());
    let elbow = Node { position: [1.0, 0.0, 0.0], ..Node::default() };
    let upper = arm("upper", Parent::Ground, Hinge::new(HingeKind::Revolute { axis: [1.0, 0.0, 0.0] }));
    let hinge = Hinge::new(HingeKind::Revolute { axis }).turned(turned);
    let forearm = arm("forearm", Parent::Body(BodyIndex(0), NodeIndex(1)), hinge);
    let mut system = System::default();
    system.bodies.push(upper.with_node(elbow.clone()));
    system.bodies.push(forearm.with_node(Node { mass: 1.0, ..elbow }));
    Model::build(&system).unwrap()
}

#[test]
fn a_singular_instance_is_named_and_its_neighbours_have_results() {
    let model = folding_arm();
    let (count, folded) = (11, [2, 9]);
    let coordinates: Vec<f64> =
        (0..count).flat_map(|i| [0.1, if folded.contains(&i) { 0.0 } else { 0.2 + 0.1 * i as f64 }]).collect();
    let (speeds, forces) = (vec![0.1; 2 * count], vec![1.0; 2 * count]);
    let states = States { coordinates: &coordinates, speeds: &speeds, attitudes: &[] };
    for threads in 1..=3 {
        let mut found = vec![7.0; 2 * count];
        let error = Batch::new(&model, threads).unwrap().forward_dynamics(states, &forces, &mut found).unwrap_err();
        let singular = DynamicsError::Singular { body: BodyIndex(0), name: "upper".into() };
        let expected = folded.map(|instance| InstanceError { instance, error: singular.clone() });
        assert_eq!(error, BatchError::Instances(expected.to_vec()));
        assert!(error.to_string().starts_with("instance 2: body 'upper'"), "{error}");
        assert!(error.to_string().ends_with("; 1 more without a result"), "{error}");
        for i in 0..count {
            let row = &found[2 * i..2 * i + 2];
            if folded.contains(&i) {
                assert!(row.iter().all(|x| x.is_nan()));
                continue;
            }
            let mut state = State::new(&model);
            state.coordinates.copy_from_slice(&coordinates[2 * i..2 * i + 2]);
            state.speeds.fill(0.1);
            let mut inputs = Inputs::new(&model);
            inputs.forces.fill(1.0);
            let run = Scalar::run(&Prepared { model: model.clone(), state, inputs });
            assert_eq!(bits(row), bits(&run.accelerations.unwrap()), "instance {i}");
        }
    }
}

#[test]
fn numbers_that_are_not_finite_stay_with_their_instance() {
    let (system, random) = random_system(11, &RandomOptions::default());
    let at = Prepared::new(&system, &random);
    let (model, n) = (&at.model, at.model.speed_count());
    let mut rows = Rows::new(&at, 10, 3);
    let sound: Vec<Scalar> = (0..10).map(|i| Scalar::run(&rows.instance(model, i))).collect();
    rows.speeds[3 * n] = f64::NAN;
    rows.forces[5 * n + n - 1] = f64::INFINITY;
    rows.accelerations[6 * n] = f64::NAN;
    let by_models = Batch::of_models(&vec![model.clone(); 10], 2).unwrap();
    for mut batch in [Batch::new(model, 1).unwrap(), Batch::new(model, 2).unwrap(), by_models] {
        let mut found = vec![0.0; 10 * n];
        for (culprits, forward) in [([3, 5], true), ([3, 6], false)] {
            let error = match forward {
                true => batch.forward_dynamics(rows.states(model, 10), &rows.forces, &mut found),
                false => batch.inverse_dynamics(rows.states(model, 10), &rows.accelerations, &mut found),
            };
            let mut expected = Vec::new();
            for i in 0..10 {
                let row = &found[i * n..(i + 1) * n];
                let pick = |run: &Scalar| if forward { run.accelerations.clone() } else { run.forces.clone() };
                if !culprits.contains(&i) {
                    assert_eq!(bits(row), bits(&pick(&sound[i]).unwrap()), "instance {i}");
                    continue;
                }
                assert!(row.iter().all(|x| x.is_nan()), "instance {i}");
                // What the verb does not read is zero in a batch.
                let mut alone = rows.instance(model, i);
                if forward {
                    alone.inputs.accelerations.fill(0.0)
                } else {
                    alone.inputs.forces.fill(0.0)
                }
                expected.push(InstanceError { instance: i, error: pick(&Scalar::run(&alone)).unwrap_err() });
            }
            assert_eq!(error, Err(BatchError::Instances(expected)));
        }
    }
}

#[test]
fn slices_of_wrong_length_are_refused_before_anything_is_computed() {
    let (system, random) = random_system(11, &RandomOptions::default());
    let at = Prepared::new(&system, &random);
    let (model, n) = (&at.model, at.model.speed_count());
    let mut rows = Rows::new(&at, 3, 3);
    let mut batch = Batch::new(model, 1).unwrap();
    let mut found = vec![7.0; 3 * n];
    let short = States { speeds: &rows.speeds[1..], ..rows.states(model, 3) };
    let error = batch.forward_dynamics(short, &rows.forces, &mut found).unwrap_err();
    assert_eq!(error, BatchError::WrongSize { quantity: "speeds", found: 3 * n - 1, expected: 3 * n });
    let error = batch.forward_dynamics(rows.states(model, 3), &rows.forces[1..], &mut found).unwrap_err();
    assert_eq!(error, BatchError::WrongSize { quantity: "forces", found: 3 * n - 1, expected: 3 * n });
    let error = batch.inverse_dynamics(rows.states(model, 3), &rows.accelerations, &mut found[1..]).unwrap_err();
    assert_eq!(error, BatchError::WrongSize { quantity: "forces", found: 3 * n - 1, expected: 3 * n });
    let error = batch.mass_matrix(rows.states(model, 3), &mut found).unwrap_err();
    assert_eq!(error, BatchError::WrongSize { quantity: "mass matrices", found: 3 * n, expected: 3 * n * n });
    assert!(found.iter().all(|x| *x == 7.0));
    let before = rows.clone();
    let (states, forces) = rows.step_in_place();
    assert!(matches!(batch.step(states, &forces[1..], 1e-3), Err(BatchError::WrongSize { quantity: "forces", .. })));
    assert_eq!(rows, before);
    let mut many = Batch::of_models(&vec![model.clone(); 4], 1).unwrap();
    let error = many.forward_dynamics(rows.states(model, 3), &rows.forces, &mut found).unwrap_err();
    assert!(matches!(error, BatchError::WrongSize { quantity: "coordinates", .. }), "{error}");
}

#[test]
fn calls_allocate_nothing() {
    let (system, random) = serial_chain(3, 2, &ChainOptions::default());
    let at = Prepared::new(&system, &random);
    let (count, n) = (37, at.model.speed_count());
    let mut rows = Rows::new(&at, count, 1);
    let (mut found, mut matrices) = (vec![0.0; count * n], vec![0.0; count * n * n]);
    let mut motions = vec![0.0; count * NODE_MOTION];
    let one_each = Batch::of_models(&models(&system, count), 2).unwrap();
    for mut batch in [Batch::new(&at.model, 1).unwrap(), Batch::new(&at.model, 3).unwrap(), one_each] {
        for first in [true, false] {
            let mut call = || {
                batch.forward_dynamics(rows.states(&at.model, count), &rows.forces, &mut found).unwrap();
                batch.inverse_dynamics(rows.states(&at.model, count), &rows.accelerations, &mut found).unwrap();
                batch.mass_matrix(rows.states(&at.model, count), &mut matrices).unwrap();
                let (states, forces) = rows.step_in_place();
                batch.step(states, forces, 1e-5).unwrap();
                batch
                    .node_motions(rows.states(&at.model, count), &[(BodyIndex(1), NodeIndex(0))], &mut motions)
                    .unwrap();
            };
            let counted = allocations(|| (0..20).for_each(|_| call()));
            assert!(first || counted == 0, "{counted} allocations");
        }
    }
}
