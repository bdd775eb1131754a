//! Wrenches of hinges and nodes: against the dense equations of the system with every hinge cut, and by virtual work.

use supple::spatial::{Force, Matrix3};
use supple::testkit::{
    Census, Generator, Prepared, RandomOptions, RandomState, Worst, Wrenches, random_system, relative_difference,
    tolerance, wrenches,
};
use supple::{
    AccessError, Inputs, Model, Solution, System, WrenchFrame, forward_dynamics, hybrid_dynamics, inverse_dynamics,
    reactions,
};

fn sample(seed: u64) -> (System, RandomState) {
    let options = RandomOptions {
        constant_terms: seed % 4 == 1,
        orthogonal_modes: seed.is_multiple_of(3),
        modes: 12,
        second_order: seed % 5 > 2,
        ..RandomOptions::default()
    };
    random_system(seed, &options)
}

/// Wrenches of all hinges and nodes.
fn all(model: &Model, solution: &Solution<'_>, frame: WrenchFrame) -> (Vec<[f64; 6]>, Vec<[f64; 6]>) {
    let hinges = model.hinges().map(|hinge| solution.hinge_wrench(hinge, frame).unwrap().to_array());
    let nodes = model.body_indices().flat_map(|body| model.nodes_of(body));
    (hinges.collect(), nodes.map(|node| solution.node_wrench(node, frame).unwrap().to_array()).collect())
}

/// The largest component of the wrenches of hinges.
fn size(found: &Wrenches) -> f64 {
    found.hinges.as_flattened().iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// Records differences relative to `size`.
fn compare(
    what: &str,
    seed: u64,
    (at, solution): (&Prepared, &Solution<'_>),
    (expected, size): (&Wrenches, f64),
    worst: &mut Worst,
) {
    for frame in [WrenchFrame::Body, WrenchFrame::Inertial] {
        let (hinges, nodes) = all(&at.model, solution, frame);
        let wanted = |k: usize, f: &[f64; 6]| match frame {
            WrenchFrame::Body => *f,
            WrenchFrame::Inertial => Force::from_array(*f).rotate(&Matrix3(expected.attitudes[k])).to_array(),
        };
        let expected_hinges: Vec<_> = expected.hinges.iter().enumerate().map(|(k, f)| wanted(k, f)).collect();
        let on_body = |(k, list): (usize, &Vec<[f64; 6]>)| list.iter().map(|f| wanted(k, f)).collect::<Vec<_>>();
        let expected_nodes: Vec<_> = expected.nodes.iter().enumerate().flat_map(on_body).collect();
        for (parts, found, expected) in [("hinges", hinges, expected_hinges), ("nodes", nodes, expected_nodes)] {
            assert_eq!(found.len(), expected.len());
            let pairs = found.as_flattened().iter().zip(expected.as_flattened());
            let error = pairs.fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
            worst.record(&format!("{what}, {parts}, {frame:?}"), seed, error / size, 1e-10);
        }
    }
}

/// Where accelerations come from forces, inertial forces and loads may cancel: their size is that of the wrenches at zero accelerations.
#[test]
fn wrenches_are_those_of_the_dense_equations_with_every_hinge_cut() {
    let (mut worst, mut census) = (Worst::new(), Census::default());
    for seed in 0..300 {
        let (system, random) = sample(seed);
        census.add(&system);
        let mut at = Prepared::new(&system, &random);
        let mut ws = at.workspace();
        let answer = random.answer(&system);
        let at_rest = size(&wrenches(&system, &random, &vec![0.0; random.speeds.len()]));

        let solution = inverse_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
        let expected = wrenches(&system, &random, &random.accelerations);
        compare("inverse", seed, (&at, &solution), (&expected, size(&expected)), &mut worst);

        let udot = answer.accelerations(&random.forces).unwrap();
        let solution = reactions(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
        let error = relative_difference(solution.accelerations(), &udot);
        worst.record("accelerations", seed, error, tolerance(answer.condition()));
        let expected = wrenches(&system, &random, &udot);
        compare("forward", seed, (&at, &solution), (&expected, size(&expected).max(at_rest)), &mut worst);

        let mut rng = Generator::new(seed);
        at.inputs.prescribed.iter_mut().for_each(|flag| *flag = rng.chance(0.5));
        let solution = reactions(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
        let expected = wrenches(&system, &random, solution.accelerations());
        compare("prescribed", seed, (&at, &solution), (&expected, size(&expected).max(at_rest)), &mut worst);
    }
    let kinds = (census.hinges.len(), census.rotations.len(), census.conventions.len());
    assert_eq!(kinds, (9, 6, 2), "hinges, elastic rotations, conventions");
    assert!(census.free_free > 100 && census.cantilever > 100, "{census:?}");
    worst.assert_within();
}

/// Along the free directions of a hinge the wrench of the cut does the work of the generalized force, less that of the rotor.
#[test]
fn wrenches_do_the_work_of_the_generalized_forces() {
    let mut worst = Worst::new();
    for seed in 0..100 {
        let (system, random) = sample(seed);
        let at = Prepared::new(&system, &random);
        let mut ws = at.workspace();
        let forces = inverse_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap().forces().to_vec();
        let expected = wrenches(&system, &random, &random.accelerations);
        for (hinge, powers) in at.model.hinges().zip(&expected.powers) {
            let rotor = &system.bodies[hinge.body().0].hinge.rotor_inertia;
            for (i, (speed, power)) in hinge.speeds().zip(powers).enumerate() {
                let drive = rotor.get(i).map_or(0.0, |rotor| rotor * random.accelerations[speed]);
                worst.record("power", seed, (forces[speed] - drive - power).abs() / size(&expected), 1e-10);
            }
        }
    }
    worst.assert_within();
}

/// The sweeps of `reactions` are those of inverse dynamics, whatever forward dynamics left in the workspace.
#[test]
fn wrenches_equal_those_of_inverse_dynamics_bit_for_bit() {
    for seed in 0..200 {
        let (system, random) = sample(seed);
        let mut at = Prepared::new(&system, &random);
        at.inputs.prescribed.iter_mut().step_by(2).for_each(|flag| *flag = seed % 2 == 0);
        let mut ws = at.workspace();
        let solution = reactions(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
        let (found, udot) = (all(&at.model, &solution, WrenchFrame::Body), solution.accelerations().to_vec());
        let given = Inputs { accelerations: udot, ..at.inputs.clone() };
        let mut fresh = at.workspace();
        let solution = inverse_dynamics(&at.model, &at.state, &given, &mut fresh).unwrap();
        assert_eq!(found, all(&at.model, &solution, WrenchFrame::Body), "seed {seed}");
        let solution = hybrid_dynamics(&at.model, &at.state, &at.inputs, &mut fresh).unwrap();
        assert_eq!(solution.accelerations(), given.accelerations, "seed {seed}");
    }
}

#[test]
fn other_verbs_and_other_models_say_so() {
    let (system, random) = sample(7);
    let at = Prepared::new(&system, &random);
    let other = Prepared::new(&system, &random);
    let (mut ws, body) = (at.workspace(), WrenchFrame::Body);
    let (hinge, node) = (at.model.hinges().next().unwrap(), at.model.nodes_of(supple::BodyIndex(0)).next().unwrap());
    let solution = forward_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
    assert!(matches!(solution.hinge_wrench(hinge, body), Err(AccessError::NotComputed { .. })));
    assert!(matches!(solution.node_wrench(node, body), Err(AccessError::NotComputed { .. })));
    let solution = reactions(&at.model, &at.state, &at.inputs, &mut ws).unwrap();
    assert!(solution.hinge_wrench(hinge, body).is_ok() && solution.node_wrench(node, body).is_ok());
    let foreign = other.model.hinges().next().unwrap();
    let error = AccessError::WrongModel { used_with: "solution" };
    assert_eq!(solution.hinge_wrench(foreign, body), Err(error));
    let foreign = other.model.nodes_of(supple::BodyIndex(0)).next().unwrap();
    assert_eq!(solution.node_wrench(foreign, body), Err(error));
}
