//! A program with parameters is the engine on a model that was built with other numbers.

use crate::agreement::{condition, difference, engine, inputs};
use supple::force::{ForceElement, HingeDamping, HingeSpring, Port, SpringDamper};
use supple::testkit::{Prepared, RandomOptions, RandomState, Worst, random_system, tolerance};
use supple::{Body, BodyIndex, Hinge, HingeKind, ModalMatrix, Model, ModelBuilder, Node, NodeIndex, Parent, System};
use supple_compile::parameter::{BodyQuantity, UnknownParameter};
use supple_compile::{Parameter, RecordError, Recording, Verb, record};

/// Mass, mass centre and inertia about it, of all nodes of a rigid body.
fn weight(body: &supple::Body) -> (f64, [f64; 3], [[f64; 3]; 3]) {
    let mass: f64 = body.nodes.iter().map(|node| node.mass).sum();
    let place = |node: &Node, i: usize| node.position[i] + node.mass_centre[i];
    let centre: [f64; 3] =
        std::array::from_fn(|i| body.nodes.iter().map(|node| node.mass * place(node, i)).sum::<f64>() / mass);
    let mut inertia = [[0.0; 3]; 3];
    for node in &body.nodes {
        let from_centre: [f64; 3] = std::array::from_fn(|i| place(node, i) - centre[i]);
        let [own, steiner] = [lever(node.mass, node.mass_centre), lever(node.mass, from_centre)];
        for i in 0..3 {
            for j in 0..3 {
                inertia[i][j] += node.inertia[i][j] - own[i][j] + steiner[i][j];
            }
        }
    }
    (mass, centre, inertia)
}

/// Inertia of a point mass.
fn lever(mass: f64, c: [f64; 3]) -> [[f64; 3]; 3] {
    let square: f64 = c.iter().map(|x| x * x).sum();
    std::array::from_fn(|i| std::array::from_fn(|j| mass * (if i == j { square } else { 0.0 } - c[i] * c[j])))
}

fn scaled(matrix: &ModalMatrix, factor: f64) -> ModalMatrix {
    let scale = |row: &Vec<f64>| row.iter().map(|x| x * factor).collect();
    match matrix {
        ModalMatrix::Zero => ModalMatrix::Zero,
        ModalMatrix::Diagonal(entries) => ModalMatrix::Diagonal(scale(entries)),
        ModalMatrix::Full(rows) => ModalMatrix::Full(rows.iter().map(scale).collect()),
    }
}

/// A system with springs and dampers, the state that goes with it, and whether all its parts can be named.
fn described(seed: u64) -> (System, RandomState) {
    let options =
        RandomOptions { bodies: 2..=5, modes: 3, mass_ratio: 10.0, singular: false, ..RandomOptions::default() };
    let (mut system, state) = random_system(seed, &options);
    for k in 0..system.bodies.len() {
        if matches!(system.bodies[k].hinge.kind, HingeKind::Revolute { .. } | HingeKind::Prismatic { .. }) {
            let at = || [Port::hinge(BodyIndex(k))];
            let spring = HingeSpring { stiffness: 20.0, rest: 0.1 };
            system.forces.push(ForceElement::new(spring, at()).named(format!("spring.{k}")));
            system.forces.push(ForceElement::new(HingeDamping { damping: 2.0 }, at()).named(format!("damper {k}")));
        }
    }
    let ports = [Port::Ground { position: [0.1, 2.0, 3.0] }, Port::Node { body: BodyIndex(0), node: NodeIndex(0) }];
    let line = SpringDamper { length: 0.5, stiffness: 30.0, damping: 1.0, preload: 0.2 };
    system.forces.push(ForceElement::new(line, ports).named("line"));
    (system, state)
}

/// Every parameter of a system, and the system with other values of them.
fn changed(system: &System) -> (Vec<(Parameter, f64)>, System) {
    let (mut list, mut other) = (Vec::new(), system.clone());
    for axis in 0..3 {
        other.gravity[axis] = system.gravity[axis] * 0.5 + 1.5;
        list.push((Parameter::Gravity(axis), other.gravity[axis]));
    }
    for (k, body) in system.bodies.iter().enumerate() {
        let out = &mut other.bodies[k];
        for axis in 0..3 {
            out.hinge.position[axis] += 0.1 * (1.0 + axis as f64);
            let hinge = body.hinge.name.clone().unwrap_or_else(|| body.name.clone());
            list.push((Parameter::HingePosition { hinge, axis }, out.hinge.position[axis]));
        }
        let mut push = |quantity, value| list.push((Parameter::Body { body: body.name.clone(), quantity }, value));
        if body.modes.count > 0 {
            out.modes.stiffness = scaled(&out.modes.stiffness, 1.4);
            out.modes.damping = scaled(&out.modes.damping, 0.6);
            out.modes.nonlinear.cubic.iter_mut().for_each(|(_, x)| *x *= 1.4);
            out.modes.nonlinear.quartic.iter_mut().for_each(|(_, x)| *x *= 1.4);
            out.modes.nonlinear.axial_load.iter_mut().for_each(|(_, x)| *x *= 1.4);
            push(BodyQuantity::Stiffness, 1.4);
            push(BodyQuantity::Damping, 0.6);
            continue;
        }
        let (mut mass, mut centre, mut inertia) = weight(body);
        mass *= 1.7;
        push(BodyQuantity::Mass, mass);
        for i in 0..3 {
            centre[i] += 0.05 * (i as f64 - 0.7);
            push(BodyQuantity::MassCentre(i), centre[i]);
        }
        for (entry, (i, j)) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
            let value = if i == j { 1.3 * inertia[i][j] } else { 0.9 * inertia[i][j] };
            (inertia[i][j], inertia[j][i]) = (value, value);
            push(BodyQuantity::Inertia(entry), value);
        }
        // All of it at the first node.
        for node in &mut out.nodes {
            *node = node.clone().without_mass();
        }
        let node = &mut out.nodes[0];
        let from_node: [f64; 3] = std::array::from_fn(|i| centre[i] - node.position[i]);
        (node.mass, node.mass_centre) = (mass, from_node);
        let moved = lever(mass, from_node);
        node.inertia = std::array::from_fn(|i| std::array::from_fn(|j| inertia[i][j] + moved[i][j]));
        other.accepted_inertia.push(body.name.clone());
    }
    for element in &mut other.forces {
        let name = element.name.clone().unwrap();
        let mut push = |quantity: &str, value: f64| {
            list.push((Parameter::Force { element: name.clone(), quantity: quantity.into() }, value));
        };
        let law = if element.law::<HingeSpring>().is_some() {
            push("stiffness", 33.0);
            push("2", 0.3);
            ForceElement::new(HingeSpring { stiffness: 33.0, rest: 0.3 }, element.ports.clone())
        } else if element.law::<HingeDamping>().is_some() {
            push("damping", 0.7);
            ForceElement::new(HingeDamping { damping: 0.7 }, element.ports.clone())
        } else {
            push("stiffness", 11.0);
            push("length", 0.8);
            let line = SpringDamper { length: 0.8, stiffness: 11.0, damping: 1.0, preload: 0.2 };
            ForceElement::new(line, element.ports.clone())
        };
        *element = law.named(name.clone());
    }
    (list, other)
}

#[test]
fn programs_with_parameters_are_the_engine_on_other_models() {
    let mut worst = Worst::new();
    let verbs = [
        Verb::ForwardDynamics,
        Verb::InverseDynamics,
        Verb::Energy,
        Verb::Rk4Step,
        "linearization:dual".parse().unwrap(),
    ];
    for seed in 0..20 {
        let (system, state) = described(seed);
        let (list, other) = changed(&system);
        let (at, other) = (Prepared::new(&system, &state), Prepared::new(&other, &state));
        let (parameters, values): (Vec<Parameter>, Vec<f64>) = list.into_iter().unzip();
        let allowed = tolerance(condition(&other));
        for verb in &verbs {
            let program = Recording { model: &at.model, state: None, verb, parameters: &parameters }.program().unwrap();
            let mut out = vec![0.0; program.outputs.len()];
            let x: Vec<f64> = inputs(&other, verb).into_iter().chain(values.iter().copied()).collect();
            program.interpreter().run(&x, &mut out).unwrap();
            worst.record(verb.name(), seed, difference(&out, &engine(&other, verb)), allowed);
            // With the values of the model it is the model.
            let own = parameters.iter().map(|parameter| parameter.signal(&at.model).unwrap().1);
            let x: Vec<f64> = inputs(&at, verb).into_iter().chain(own).collect();
            program.interpreter().run(&x, &mut out).unwrap();
            let name = format!("{} at the values of the model", verb.name());
            worst.record(&name, seed, difference(&out, &engine(&at, verb)), tolerance(condition(&at)));
        }
    }
    worst.assert_within();
}

#[test]
fn names_of_parameters_are_read_as_they_are_written() {
    let names = [
        "gravity.z",
        "body.payload.mass",
        "body.left.arm.mass_centre.y",
        "body.payload.inertia.xz",
        "body.boom.stiffness",
        "body.boom.damping",
        "hinge.elbow.position.x",
        "force.spring.stiffness",
        "force.spring.2",
    ];
    for name in names {
        assert_eq!(name.parse::<Parameter>().unwrap().to_string(), name);
    }
    for name in
        ["", "gravity", "gravity.w", "body.mass", "body..mass", "body.a.colour", "hinge.a.position.q", "force.x"]
    {
        assert_eq!(name.parse::<Parameter>(), Err(UnknownParameter(name.into())));
    }
    let mut verbs: Vec<String> = Verb::ALL.iter().map(ToString::to_string).collect();
    verbs.extend(["hybrid_dynamics:shoulder,elbow", "node_pose:boom.tip", "linearization:dual"].map(String::from));
    for name in verbs {
        assert_eq!(name.parse::<Verb>().unwrap().to_string(), name);
    }
    for (name, part) in [
        ("fly", "verbs are forward_dynamics"),
        ("node_pose", "write node_pose:BODY.NODE"),
        ("hybrid_dynamics", "write hybrid_dynamics:HINGE,HINGE"),
        ("energy:now", "there is no verb"),
    ] {
        let error = name.parse::<Verb>().unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

/// What the model does not have is refused by name.
#[test]
fn parts_that_are_not_there_are_refused() {
    let (system, _) = described(3);
    let model = Model::build(&system).unwrap();
    let flexible = model.body_indices().find(|body| model.modes(*body) > 0).unwrap();
    let flexible = model.name(flexible);
    for (name, part) in [
        ("body.nobody.mass", "the model has no body 'nobody'"),
        (&format!("body.{flexible}.mass"), "on a fixed hinge"),
        ("hinge.none.position.x", "the model has no hinge 'none'"),
        ("force.none.stiffness", "no force element of this name"),
        ("force.line.colour", "a spring-damper has length, stiffness, damping, preload"),
    ] {
        let parameters = [name.parse::<Parameter>().unwrap()];
        let recording = Recording { model: &model, state: None, verb: &Verb::Energy, parameters: &parameters };
        let error = recording.program().unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let verb: Verb = "node_pose:nobody.tip".parse().unwrap();
    assert!(matches!(record(&model, verb), Err(RecordError::Name(_))));
}

/// The example of docs/compile.md.
#[test]
fn the_example_of_the_page_runs() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
    let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
    builder.body(Body::rigid("bob", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], inertia));
    let model = builder.build()?;
    let parameters: [Parameter; 1] = ["body.bob.mass".parse()?];
    let verb: Verb = "forward_dynamics".parse()?;
    let program = Recording { model: &model, state: None, verb: &verb, parameters: &parameters }.program()?.guarded();

    // Angle, speed, torque, mass of a pendulum of 1 m; acceleration, status, smallest pivot.
    let mut out = [0.0; 3];
    program.interpreter().run(&[0.0, 0.0, 6.0, 3.0], &mut out)?;
    assert_eq!(out, [2.0, 0.0, 3.0]);
    Ok(())
}
