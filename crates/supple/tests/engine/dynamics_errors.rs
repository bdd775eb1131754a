//! A verb that cannot give a result says why, by type, and leaves the workspace fit for the next call.

use supple::spatial::{Force, Matrix6, Quaternion};
use supple::testkit::{EveryVerb, Prepared, RandomOptions, Verb, random_system};
use supple::{
    Body, BodyIndex, DenseWorkspace, DynamicsError, ElasticRotation, Hinge, HingeKind, Inputs, Model, Node, NodeIndex,
    Parent, State, System, Workspace, Wrench, WrenchFrame, composite_forward_dynamics, energy, forward_dynamics,
    hybrid_dynamics, inverse_dynamics, kinematics_with, mass_matrix, mass_operator, node_compliances, node_jacobian,
    operational_compliance,
};

/// Verbs that return errors; the rates of coordinates are a plain function of numbers.
fn verbs() -> impl Iterator<Item = (&'static str, Verb<f64>)> {
    EveryVerb::list().into_iter().filter(|(name, _)| *name != "coordinate_rates")
}

/// A number of the state or the inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Coordinate(usize),
    Speed(usize),
    Attitude(usize),
    Force(usize),
    Acceleration(usize),
    Wrench(usize),
}

impl Place {
    fn all(at: &Prepared) -> Vec<Self> {
        let (state, inputs) = (&at.state, &at.inputs);
        let mut list: Vec<Self> = (0..state.coordinates.len()).map(Self::Coordinate).collect();
        list.extend((0..state.speeds.len()).map(Self::Speed));
        list.extend((0..state.attitudes.len()).map(Self::Attitude));
        list.extend((0..inputs.forces.len()).map(Self::Force));
        list.extend((0..inputs.accelerations.len()).map(Self::Acceleration));
        list.extend((0..inputs.wrenches.len()).map(Self::Wrench));
        list
    }

    fn set(self, at: &mut Prepared, value: f64) {
        match self {
            Self::Coordinate(i) => at.state.coordinates[i] = value,
            Self::Speed(i) => at.state.speeds[i] = value,
            Self::Attitude(i) => at.state.attitudes[i].0[i % 4] = value,
            Self::Force(i) => at.inputs.forces[i] = value,
            Self::Acceleration(i) => at.inputs.accelerations[i] = value,
            Self::Wrench(i) => at.inputs.wrenches[i].force.linear[i % 3] = value,
        }
    }

    /// What a verb must say where this number is not finite, or nothing where it does not read it.
    fn expected(self, verb: &str, at: &Prepared) -> Option<DynamicsError> {
        let is = |starts: &[&str]| starts.iter().any(|start| verb.starts_with(start));
        let prescribed = |speed: usize| {
            let body = at.model.body_indices().find(|body| at.model.hinge_speeds(*body).contains(&speed));
            body.is_some_and(|body| at.inputs.prescribed[body.0])
        };
        let products = verb.starts_with("MassOperator::") && !verb.ends_with("log_det") && !verb.ends_with("inverse");
        let (quantity, index) = match self {
            Self::Coordinate(i) => ("coordinates", i),
            Self::Speed(i) => ("speeds", i),
            Self::Attitude(i) => ("attitude", i),
            Self::Force(i) if is(&["forward", "composite", "power"]) => ("forces", i),
            Self::Force(i) if is(&["hybrid", "reactions"]) && !prescribed(i) => ("forces", i),
            Self::Acceleration(i) if is(&["inverse_dynamics", "kinematics_with"]) => ("accelerations", i),
            Self::Acceleration(i) if is(&["hybrid", "reactions"]) && prescribed(i) => ("accelerations", i),
            Self::Acceleration(i) if products => ("operand", i),
            Self::Wrench(i)
                if is(&["forward", "composite", "inverse_dynamics", "bias", "hybrid", "reactions", "power"]) =>
            {
                ("wrenches", i)
            }
            _ => return None,
        };
        Some(DynamicsError::NotFinite { quantity, index })
    }
}

fn bits(results: &[f64]) -> Vec<u64> {
    results.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn numbers_that_are_not_finite_are_named_and_leave_no_trace() {
    let mut wrenches = 0;
    for seed in 0..40 {
        let options = RandomOptions { modes: 3, bodies: 1..=4, ..RandomOptions::default() };
        let (system, random) = random_system(seed, &options);
        let mut every = EveryVerb::new(Prepared::new(&system, &random));
        let good = every.at.clone();
        wrenches += good.inputs.wrenches.len();
        let clean: Vec<_> = verbs()
            .map(|(_, verb)| {
                verb(&mut every).unwrap();
                bits(every.results())
            })
            .collect();
        for place in Place::all(&good) {
            for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                for ((name, verb), clean) in verbs().zip(&clean) {
                    place.set(&mut every.at, value);
                    let outcome = verb(&mut every);
                    match place.expected(name, &good) {
                        Some(error) => assert_eq!(outcome, Err(error), "seed {seed}: {name}, {place:?} = {value}"),
                        None => {
                            assert_eq!(outcome, Ok(()), "seed {seed}: {name}, {place:?} = {value}");
                            // The forces given are part of a solution whether they were read or not.
                            let unread = matches!(place, Place::Force(_) | Place::Acceleration(_));
                            assert!(unread || bits(every.results()) == *clean, "seed {seed}: {name}, {place:?}");
                        }
                    }
                    every.at.state.clone_from(&good.state);
                    every.at.inputs.clone_from(&good.inputs);
                    verb(&mut every).unwrap();
                    assert_eq!(bits(every.results()), *clean, "seed {seed}: {name} after {place:?} = {value}");
                }
            }
        }
    }
    assert!(wrenches > 10);
}

/// Numbers too large for the scalar: a finite result or an error, never a panic and never a silent NaN.
#[test]
fn overflow_is_an_error_or_does_not_happen() {
    let (mut errors, mut results) = (0, 0);
    for seed in 0..40 {
        let options = RandomOptions { modes: 3, bodies: 1..=4, ..RandomOptions::default() };
        let (system, random) = random_system(seed, &options);
        let mut every = EveryVerb::new(Prepared::new(&system, &random));
        let good = every.at.clone();
        for place in Place::all(&good) {
            for value in [1e154, -1e200, 1e308] {
                place.set(&mut every.at, value);
                for (name, verb) in verbs() {
                    match verb(&mut every) {
                        Ok(()) => {
                            // Sums of what was checked, and readers of single nodes, are the caller's arithmetic.
                            let checked = match name {
                                "kinematics" | "kinematics_with" | "MassOperator::log_det" => &[],
                                "energy" | "power" => &every.results()[..3],
                                _ => every.results(),
                            };
                            let finite = checked.iter().all(|x| x.is_finite());
                            assert!(finite, "seed {seed}: {name}, {place:?} = {value:e} gives {checked:?}");
                            results += 1;
                        }
                        Err(DynamicsError::NotFinite { .. }) => panic!("seed {seed}: {name}, {place:?} is finite"),
                        Err(_) => errors += 1,
                    }
                }
                every.at.state.clone_from(&good.state);
                every.at.inputs.clone_from(&good.inputs);
            }
        }
    }
    println!("{errors} errors, {results} results");
    assert!(errors > 1000 && results > 1000);
}

/// Two bodies with a quaternion each, one mode and an attitude.
fn model() -> Model {
    let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut system = System { elastic_rotation: ElasticRotation::Integrated, ..System::default() };
    let mut base = Body::rigid("base", Parent::Ground, Hinge::new(HingeKind::Free), 1.0, [0.1, 0.0, 0.0], inertia);
    base.nodes[0].inertia = [[1.0, 0.0, 0.0], [0.0, 1.5, 0.0], [0.0, 0.0, 1.5]];
    base.modes = supple::Modes { count: 1, ..Default::default() };
    base.nodes[0].influence = vec![[0.0; 6]];
    let influence = vec![[0.2, 0.0, 0.1, 0.0, 1.0, 0.0]];
    base.nodes.push(Node { mass: 1.0, position: [1.0, 0.0, 0.0], influence, ..Node::default() });
    system.bodies.push(base);
    let on = Parent::Body(BodyIndex(0), NodeIndex(1));
    system.bodies.push(Body::rigid("arm", on, Hinge::new(HingeKind::Spherical), 1.0, [0.0, 0.5, 0.0], inertia));
    Model::build(&system).unwrap()
}

#[test]
fn slices_of_the_wrong_length_are_refused() {
    let model = model();
    let (mut ws, mut dense) = (Workspace::new(&model), DenseWorkspace::new(&model));
    let (state, inputs) = (State::new(&model), Inputs::new(&model));
    let n = model.speed_count();
    let wrong = |quantity, found, expected| Some(DynamicsError::WrongSize { quantity, found, expected });

    type Change = fn(&mut State, &mut Inputs);
    let changes: [(Change, _); 8] = [
        (|s, _| s.coordinates.push(0.0), wrong("coordinates", 13, 12)),
        (|s, _| s.coordinates.clear(), wrong("coordinates", 0, 12)),
        (|s, _| s.speeds.truncate(s.speeds.len() - 1), wrong("speeds", n - 1, n)),
        (|s, _| s.attitudes.clear(), wrong("attitudes", 0, 1)),
        (|_, i| i.forces.push(0.0), wrong("forces", n + 1, n)),
        (|_, i| i.accelerations.clear(), wrong("accelerations", 0, n)),
        (|_, i| i.prescribed.push(true), wrong("prescribed", 3, 2)),
        (|s, i| (s.speeds, i.forces) = (vec![0.0; 3], vec![0.0; 3]), None),
    ];
    for (change, error) in changes {
        let (mut state, mut inputs) = (state.clone(), inputs.clone());
        change(&mut state, &mut inputs);
        let outcomes = [
            forward_dynamics(&model, &state, &inputs, &mut ws).err(),
            inverse_dynamics(&model, &state, &inputs, &mut ws).err(),
            hybrid_dynamics(&model, &state, &inputs, &mut ws).err(),
            composite_forward_dynamics(&model, &state, &inputs, &mut ws, &mut dense).err(),
        ];
        for outcome in outcomes {
            match &error {
                Some(_) => assert_eq!(outcome, error),
                None => assert!(matches!(outcome, Some(DynamicsError::WrongSize { found: 3, .. }))),
            }
        }
    }

    let node = (BodyIndex(1), NodeIndex(0));
    let mut short = vec![0.0; 3];
    let outcomes = [
        (mass_matrix(&model, &state, &mut ws, &mut dense, &mut short), wrong("mass matrix", 3, n * n)),
        (node_jacobian(&model, &state, node, &mut ws, &mut short), wrong("Jacobian", 3, 6 * n)),
        (operational_compliance(&model, &state, &[node], &mut ws, &mut short), wrong("compliance", 3, 36)),
        (node_compliances(&model, &state, &[node], &mut ws, &mut [Matrix6::ZERO; 2]), wrong("compliances", 2, 1)),
        (kinematics_with(&model, &state, &short, &mut ws).map(drop), wrong("accelerations", 3, n)),
    ];
    for (outcome, error) in outcomes {
        assert_eq!(outcome.err(), error);
    }
    let mut operator = mass_operator(&model, &state, &mut ws).unwrap();
    let (long, mut out) = (vec![0.0; n + 1], vec![0.0; n]);
    assert_eq!(operator.apply(&long, &mut out).err(), wrong("operand", n + 1, n));
    assert_eq!(operator.solve(&inputs.forces, &mut short).err(), wrong("result", 3, n));
    assert_eq!(operator.inverse(&mut out).err(), wrong("inverse", n, n * n));
}

#[test]
fn workspaces_of_another_model_are_refused() {
    let (model, other) = (model(), model());
    let (state, inputs) = (State::new(&model), Inputs::new(&model));
    let (mut ws, mut dense) = (Workspace::new(&other), DenseWorkspace::new(&other));
    assert_eq!(forward_dynamics(&model, &state, &inputs, &mut ws).err(), Some(DynamicsError::WrongModel));
    assert_eq!(inverse_dynamics(&model, &state, &inputs, &mut ws).err(), Some(DynamicsError::WrongModel));
    assert_eq!(hybrid_dynamics(&model, &state, &inputs, &mut ws).err(), Some(DynamicsError::WrongModel));
    assert_eq!(energy(&model, &state, &mut ws).err(), Some(DynamicsError::WrongModel));
    assert!(mass_operator(&model, &state, &mut ws).is_err());
    let mut ws = Workspace::new(&model);
    let mut matrix = vec![0.0; model.speed_count().pow(2)];
    let refused = mass_matrix(&model, &state, &mut ws, &mut dense, &mut matrix);
    assert_eq!(refused, Err(DynamicsError::WrongModel));
    // A clone is the same model.
    let mut ws = Workspace::new(&model.clone());
    assert!(forward_dynamics(&model, &state, &inputs, &mut ws).is_ok());
}

#[test]
fn quaternions_must_be_of_unit_length() {
    let model = model();
    let (mut ws, inputs) = (Workspace::new(&model), Inputs::new(&model));
    let refused = |state: &State, ws: &mut Workspace| forward_dynamics(&model, state, &inputs, ws).err();
    for (body, start) in [(BodyIndex(0), 1), (BodyIndex(1), 8)] {
        assert_eq!(model.hinge_coordinates(body).start, start);
        for (quaternion, valid) in [
            ([0.0, 0.0, 0.0, 0.0], false),
            ([0.0, 0.0, 0.0, 1.01], false),
            ([1.0, 0.0, 0.0, 1.0], false),
            ([0.0, 0.0, 0.0, -1.0], true),
            ([0.0, 0.6, 0.0, 0.8 + 1e-7], true),
        ] {
            let mut state = State::new(&model);
            state.coordinates[start..start + 4].copy_from_slice(&quaternion);
            let error = DynamicsError::NotUnit { quantity: "hinge coordinate", index: start };
            assert_eq!(refused(&state, &mut ws), (!valid).then_some(error), "{quaternion:?}");
        }
    }
    let mut state = State::new(&model);
    state.attitudes[0] = Quaternion([0.5, 0.0, 0.0, 0.5]);
    let error = DynamicsError::NotUnit { quantity: "attitude", index: 0 };
    assert!(error.to_string().contains("normalise"), "{error}");
    assert_eq!(refused(&state, &mut ws), Some(error));
}

#[test]
fn nodes_must_exist() {
    let model = model();
    let (mut ws, state) = (Workspace::new(&model), State::new(&model));
    let n = model.speed_count();
    for (body, node) in [(0, 2), (1, 1), (2, 0), (usize::MAX, usize::MAX)] {
        let (body, node) = (BodyIndex(body), NodeIndex(node));
        let expected = Err(DynamicsError::NoSuchNode { body, node });
        let mut inputs = Inputs::new(&model);
        inputs.wrenches.push(Wrench { body, node, frame: WrenchFrame::Body, force: Force::ZERO });
        assert_eq!(forward_dynamics(&model, &state, &inputs, &mut ws).map(drop), expected);
        assert_eq!(inverse_dynamics(&model, &state, &inputs, &mut ws).map(drop), expected);
        let at = (body, node);
        assert_eq!(node_jacobian(&model, &state, at, &mut ws, &mut vec![0.0; 6 * n]), expected);
        assert_eq!(operational_compliance(&model, &state, &[at], &mut ws, &mut [0.0; 36]), expected);
        assert_eq!(node_compliances(&model, &state, &[at], &mut ws, &mut [Matrix6::ZERO]), expected);
    }
}

/// An elbow of a body without mass and a point mass, folded so that the mass lies on the first axis.
#[test]
fn a_singular_configuration_is_named_and_can_be_left() {
    let turned = [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]];
    let axis = [0.0, 0.0, 1.0];
    let mut system = System { elastic_rotation: ElasticRotation::Integrated, ..System::default() };
    let arm = Body::new("upper arm", Parent::Ground, Hinge::new(HingeKind::Revolute { axis }));
    let elbow = Node { position: [1.0, 0.0, 0.0], ..Node::default() };
    system.bodies.push(arm.with_node(Node::default()).with_node(elbow.clone()));
    let on = Parent::Body(BodyIndex(0), NodeIndex(1));
    let forearm = Body::new("forearm", on, Hinge::new(HingeKind::Revolute { axis }).turned(turned));
    system.bodies.push(forearm.with_node(Node::default()).with_node(Node { mass: 1.0, ..elbow }));
    let model = Model::build(&system).unwrap();
    let (mut ws, mut dense) = (Workspace::new(&model), DenseWorkspace::new(&model));
    let mut inputs = Inputs::new(&model);
    inputs.forces.fill(1.0);
    let folded = State::new(&model);
    let mut bent = folded.clone();
    bent.coordinates[1] = 1.0;
    let expected = forward_dynamics(&model, &bent, &inputs, &mut ws).unwrap().accelerations().to_vec();

    let error = DynamicsError::Singular { body: BodyIndex(0), name: "upper arm".into() };
    assert!(error.to_string().contains("'upper arm'"), "{error}");
    assert_eq!(forward_dynamics(&model, &folded, &inputs, &mut ws).err(), Some(error.clone()));
    assert_eq!(mass_operator(&model, &folded, &mut ws).err(), Some(error.clone()));
    assert_eq!(composite_forward_dynamics(&model, &folded, &inputs, &mut ws, &mut dense).err(), Some(error));
    // With the first hinge prescribed nothing is singular, and inverse dynamics never is.
    inputs.prescribed[0] = true;
    assert!(hybrid_dynamics(&model, &folded, &inputs, &mut ws).is_ok());
    assert!(inverse_dynamics(&model, &folded, &inputs, &mut ws).is_ok());
    let again = forward_dynamics(&model, &bent, &inputs, &mut ws).unwrap().accelerations().to_vec();
    assert_eq!(again, expected);
}
