//! Everything that can be wrong with a description is reported by type, by name and with a remedy, all at once.

use crate::damaged_systems::{double_mode, many_modes, too_many_bodies, too_many_shapes};
use std::collections::BTreeSet;
use supple::force::{ForceElement, HingeSpring, Port};
use supple::testkit::{RandomOptions, random_system};
use supple::{
    Body, BodyIndex, Closure, Hinge, HingeKind, Inputs, ModalInertia, ModalMatrix, Model, Modes, Node, NodeIndex,
    Parent, Problem, State, System, Workspace, forward_dynamics,
};

/// A flexible beam that carries a rigid tip, both well described.
pub fn sound() -> System {
    let axis = [0.0, 0.0, 1.0];
    let mut beam = Body::new("beam", Parent::Ground, Hinge::new(HingeKind::Revolute { axis }));
    beam.hinge.name = Some("shoulder".into());
    let node = |name: &str, x: f64, influence| Node {
        name: Some(name.into()),
        position: [x, 0.0, 0.0],
        mass: 1.0,
        inertia: [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]],
        influence,
        ..Node::default()
    };
    beam.nodes.push(node("root", 0.0, Vec::new()));
    beam.nodes.push(node("middle", 0.5, vec![[0.0, 0.0, 0.5, 0.0, 0.3, 0.0], [0.0, -0.5, 0.0, 0.0, 0.0, 0.3]]));
    beam.nodes.push(node("end", 1.0, vec![[0.0, 0.0, 1.0, 0.0, 1.0, 0.0], [0.0, -1.0, 0.0, 0.0, 0.0, 1.0]]));
    beam.modes = Modes {
        count: 2,
        stiffness: ModalMatrix::Full(vec![vec![10.0, 1.0], vec![1.0, 20.0]]),
        damping: ModalMatrix::Diagonal(vec![0.1, 0.2]),
        ..Modes::default()
    };
    let on = Parent::Body(BodyIndex(0), NodeIndex(2));
    let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut tip = Body::rigid(
        "tip",
        on,
        Hinge::new(HingeKind::Universal { axes: [axis, [0.0, 1.0, 0.0]] }),
        1.0,
        [0.0; 3],
        inertia,
    );
    tip.hinge.name = Some("wrist".into());
    System { gravity: [0.0, 0.0, -9.81], bodies: vec![beam, tip], ..System::default() }
}

fn problems(system: &System) -> Vec<Problem> {
    Model::build(system).map_or_else(|error| error.problems().to_vec(), |_| Vec::new())
}
/// The name of a variant.
fn variant(problem: &Problem) -> String {
    let text = format!("{problem:?}");
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().into()
}

type Change = fn(&mut System);

/// One change to the sound system, the variant that it must give, and what the message must say.
const TABLE: &[(&str, Change, &[&str])] = &[
    ("NoBodies", |s| s.bodies.clear(), &["no body", "add at least one"]),
    ("EmptyName", |s| s.bodies[1].name.clear(), &["body number 1", "empty name"]),
    ("DuplicateName", |s| s.bodies[1].name = "beam".into(), &["body name 'beam'", "rename"]),
    ("DuplicateName", |s| s.bodies[1].hinge.name = Some("shoulder".into()), &["hinge name 'shoulder'", "rename"]),
    ("DuplicateName", |s| s.bodies[0].nodes[2].name = Some("root".into()), &["'beam'", "'root'", "rename"]),
    ("NotFinite", |s| s.gravity[2] = f64::NAN, &["system", "gravity is NaN", "must be finite"]),
    ("NotFinite", |s| s.bodies[0].hinge.position[0] = f64::INFINITY, &["beam", "hinge position is inf"]),
    ("NotFinite", |s| s.bodies[0].hinge.rotation[1][1] = f64::NAN, &["beam", "hinge rotation"]),
    (
        "NotFinite",
        |s| s.bodies[0].hinge.kind = HingeKind::Revolute { axis: [0.0, f64::NAN, 1.0] },
        &["beam", "hinge axis"],
    ),
    (
        "NotFinite",
        |s| s.bodies[1].hinge.kind = HingeKind::Screw { axis: [0.0, 0.0, 1.0], pitch: f64::NAN },
        &["tip", "pitch"],
    ),
    (
        "NotFinite",
        |s| s.bodies[0].nodes[1].position[2] = f64::NEG_INFINITY,
        &["beam", "position of node 1 'middle' is -inf"],
    ),
    ("NotFinite", |s| s.bodies[1].nodes[0].mass = f64::NAN, &["tip", "mass of node 0"]),
    ("NotFinite", |s| s.bodies[1].nodes[0].mass_centre[0] = f64::NAN, &["tip", "mass centre of node 0"]),
    ("NotFinite", |s| s.bodies[1].nodes[0].inertia[0][1] = f64::NAN, &["tip", "inertia of node 0"]),
    ("NotFinite", |s| s.bodies[0].nodes[2].influence[1][4] = f64::NAN, &["beam", "modal influence of node 2"]),
    (
        "NotFinite",
        |s| s.bodies[0].modes.damping = ModalMatrix::Diagonal(vec![0.1, f64::NAN]),
        &["beam", "modal damping"],
    ),
    (
        "UnknownParent",
        |s| s.bodies[1].parent = Parent::Body(BodyIndex(1), NodeIndex(0)),
        &["'tip'", "number 1", "parents first"],
    ),
    (
        "UnknownParent",
        |s| s.bodies[0].parent = Parent::Body(BodyIndex(7), NodeIndex(0)),
        &["'beam'", "number 7", "parents first"],
    ),
    (
        "UnknownNode",
        |s| s.bodies[1].parent = Parent::Body(BodyIndex(0), NodeIndex(3)),
        &["'tip'", "node 3 of body 'beam'", "0 to 2"],
    ),
    ("UnknownNode", |s| s.bodies[1].inboard_node = NodeIndex(1), &["'tip'", "node 1 of body 'tip'", "0 to 0"]),
    ("UnknownNode", |s| s.bodies[1].nodes.clear(), &["'tip'", "has none", "add one"]),
    (
        "ZeroAxis",
        |s| s.bodies[0].hinge.kind = HingeKind::Prismatic { axis: [0.0; 3] },
        &["'beam'", "axis is zero", "direction"],
    ),
    ("ZeroAxis", |s| s.bodies[0].hinge.kind = HingeKind::Planar { normal: [1e-200; 3] }, &["'beam'", "axis is zero"]),
    (
        "ParallelAxes",
        |s| s.bodies[1].hinge.kind = HingeKind::Universal { axes: [[0.0, 1.0, 0.0], [0.0, -3.0, 0.0]] },
        &["'tip'", "parallel", "turn one"],
    ),
    ("NotARotation", |s| s.bodies[1].hinge.rotation[0][0] = 1.001, &["'tip'", "mount", "orthonormal"]),
    ("NotARotation", |s| s.bodies[1].hinge.rotation[0][0] = -1.0, &["'tip'", "right-handed"]),
    ("NegativeMass", |s| s.bodies[0].nodes[1].mass = -1.0, &["'beam', node 1", "mass -1", "positive"]),
    ("AsymmetricInertia", |s| s.bodies[1].nodes[0].inertia[0][1] = 0.1, &["'tip', node 0", "not symmetric"]),
    (
        "NegativeInertia",
        |s| s.bodies[1].nodes[0].inertia[0][0] = -0.1,
        &["'tip', node 0", "principal moment", "must not be negative"],
    ),
    (
        "NegativeInertia",
        |s| s.bodies[1].nodes[0].mass_centre = [2.0, 0.0, 0.0],
        &["'tip', node 0", "mass-centre offset"],
    ),
    (
        "TriangleRule",
        |s| s.bodies[1].nodes[0].inertia[0][0] = 2.1,
        &["'tip', node 0", "triangle inequality", "2.1", "must not exceed"],
    ),
    (
        "BodyTriangleRule",
        |s| s.bodies[0].nodes[0].inertia[0][0] = 2.0,
        &["'beam'", "all its nodes together", "triangle inequality", "2.2", "check the inertias"],
    ),
    (
        "NonlinearEntry",
        |s| s.bodies[0].modes.nonlinear.axial_load.push(([0, 0, 7], 1.0)),
        &["'beam'", "[0, 0, 7]", "out of range"],
    ),
    (
        "WrongSize",
        |s| {
            s.bodies[0].modes.second_order.push(supple::SecondOrderShape::default());
            s.bodies[0].nodes[2].influence.push([0.0; 6]);
        },
        &["'beam'", "modal influence of node 1", "size 2, expected 3"],
    ),
    (
        "ForcePort",
        |s| s.forces.push(ForceElement::new(HingeSpring { stiffness: 1.0, rest: 0.0 }, [Port::hinge(BodyIndex(9))])),
        &["hinge spring", "9"],
    ),
    (
        "ForceParameter",
        |s| s.forces.push(ForceElement::new(HingeSpring { stiffness: -1.0, rest: 0.0 }, [Port::hinge(BodyIndex(0))])),
        &["hinge spring", "-1", "not be negative"],
    ),
    ("Closure", |s| s.closures.push(Closure::coupling([], 0.0)), &["couples no hinge"]),
    ("TooManyBodies", too_many_bodies, &["100001 bodies", "limit is 100000"]),
    ("TooManyShapes", too_many_shapes, &["'beam'", "2 modes and 999 shapes of second order", "together is 1000"]),
    ("TooManyModes", |s| many_modes(s, 1_000_000_000), &["'beam'", "1000000000 modes", "limit is 1000"]),
    (
        "WrongSize",
        |s| drop(s.bodies[0].nodes[1].influence.drain(1..)),
        &["'beam'", "modal influence of node 1", "size 1, expected 2"],
    ),
    (
        "WrongSize",
        |s| s.bodies[0].modes.stiffness = ModalMatrix::Diagonal(vec![1.0; 3]),
        &["'beam'", "stiffness", "size 3, expected 2"],
    ),
    (
        "WrongSize",
        |s| s.bodies[0].modes.damping = ModalMatrix::Full(vec![vec![1.0, 0.0], vec![0.0]]),
        &["'beam'", "damping (a row)", "size 1, expected 2"],
    ),
    (
        "AsymmetricMatrix",
        |s| s.bodies[0].modes.stiffness = ModalMatrix::Full(vec![vec![1.0, 0.2], vec![0.3, 1.0]]),
        &["'beam'", "stiffness is not symmetric", "0.2", "0.3"],
    ),
    (
        "Indefinite",
        |s| s.bodies[0].modes.stiffness = ModalMatrix::Diagonal(vec![1.0, -1.0]),
        &["'beam'", "stiffness is indefinite", "mode 1", "negative eigenvalues"],
    ),
    (
        "Indefinite",
        |s| s.bodies[0].modes.damping = ModalMatrix::Full(vec![vec![1.0, 2.0], vec![2.0, 1.0]]),
        &["'beam'", "damping is indefinite"],
    ),
    (
        "NonlinearEntry",
        |s| s.bodies[0].modes.nonlinear.cubic.push(([0, 0, 2], 1.0)),
        &["'beam'", "[0, 0, 2]", "out of range"],
    ),
    (
        "NonlinearEntry",
        |s| s.bodies[0].modes.nonlinear.quartic.push(([1; 4], f64::NAN)),
        &["'beam'", "[1, 1, 1, 1]", "not finite"],
    ),
    (
        "NonlinearEntry",
        |s| s.bodies[0].modes.nonlinear.cubic.extend([([0; 3], 1.0), ([0; 3], 1.0)]),
        &["'beam'", "listed twice"],
    ),
    (
        "NonlinearEntry",
        |s| s.bodies[0].modes.nonlinear.cubic.push(([0, 0, 1], 1.0)),
        &["'beam'", "[0, 0, 1]", "permuted", "list every"],
    ),
    ("DependentModes", |s| double_mode(s), &["'beam'", "mode 1", "orthonormalise"]),
    ("DependentModes", |s| still_mode(s), &["'beam'", "mode 0", "remove it"]),
    ("NegativeRotor", |s| s.bodies[1].hinge.rotor_inertia = vec![1.0, -2.5], &["'tip'", "-2.5", "gear ratio"]),
    ("ModalInertiaRule", negative_table, &["'beam'", "mass must not be negative", "-1", "check the program"]),
    ("MasslessMode", |s| massless_mode(s), &["'beam'", "moves no mass", "remove the mode"]),
    ("MasslessHinge", |s| massless_tip(s), &["'tip'", "hinge moves no mass", "fix the hinge"]),
];

/// The first mode moves no node.
fn still_mode(s: &mut System) {
    let moved = s.bodies[0].nodes.iter_mut().filter(|node| !node.influence.is_empty());
    moved.for_each(|node| node.influence[0] = [0.0; 6]);
}

/// Modes that move markers only, on a body that carries nothing.
fn massless_mode(s: &mut System) {
    s.bodies.truncate(1);
    for node in &mut s.bodies[0].nodes[1..] {
        (node.mass, node.inertia) = (0.0, [[0.0; 3]; 3]);
    }
}

fn negative_table(s: &mut System) {
    let mut tables = ModalInertia::zero(s.bodies[0].modes.count);
    tables.mass = -1.0;
    s.bodies[0].modal_inertia = Some(tables);
}

fn massless_tip(s: &mut System) {
    let node = &mut s.bodies[1].nodes[0];
    (node.mass, node.inertia) = (0.0, [[0.0; 3]; 3]);
}

#[test]
fn the_sound_system_is_sound() {
    assert_eq!(problems(&sound()), []);
}

#[test]
fn every_problem_is_found_alone_and_explained() {
    for (name, change, fragments) in TABLE {
        let mut system = sound();
        change(&mut system);
        let error = Model::build(&system).expect_err(name);
        let found = error.problems();
        assert_eq!(found.iter().map(variant).collect::<Vec<_>>(), [*name], "{error}");
        for fragment in *fragments {
            let message = found[0].to_string();
            let remedy = found[0].remedy().expect("every problem has a remedy");
            assert_eq!(message, format!("{}; {remedy}", found[0].what()));
            assert!(message.contains(fragment), "'{message}' does not say '{fragment}'");
            assert!(error.to_string().contains(&message));
        }
    }
}

/// The table has every variant that the source declares.
#[test]
fn the_table_is_complete() {
    let source = include_str!("../../src/model/problem.rs");
    let start = source.find("enum Problem {").unwrap();
    let end = start + source[start..].find("\n}\n").unwrap();
    let variants = source[start..end].lines().filter_map(|line| {
        let name = line.strip_prefix("    ")?.trim_end_matches([' ', '{', ',']);
        name.chars().all(char::is_alphanumeric).then_some(name).filter(|name| !name.is_empty())
    });
    let declared: BTreeSet<&str> = variants.collect();
    let tested: BTreeSet<&str> = TABLE.iter().map(|(name, _, _)| *name).collect();
    assert!(declared.len() > 15, "{declared:?}");
    assert_eq!(declared, tested);
}

#[test]
fn all_problems_are_reported_at_once() {
    let mut system = sound();
    system.gravity[0] = f64::INFINITY;
    system.bodies[1].name = "beam".into();
    system.bodies[0].hinge.kind = HingeKind::Revolute { axis: [0.0; 3] };
    system.bodies[0].nodes[1].mass = -2.0;
    system.bodies[0].modes.stiffness = ModalMatrix::Diagonal(vec![-1.0, 1.0]);
    system.bodies[1].nodes[0].inertia[2][2] = 5.0;
    system.bodies[1].parent = Parent::Body(BodyIndex(0), NodeIndex(9));
    let error = Model::build(&system).unwrap_err();
    let mut found: Vec<_> = error.problems().iter().map(variant).collect();
    found.sort();
    let mut expected =
        ["NotFinite", "DuplicateName", "ZeroAxis", "NegativeMass", "Indefinite", "TriangleRule", "UnknownNode"];
    expected.sort_unstable();
    assert_eq!(found, expected);
    let text = error.to_string();
    assert!(text.starts_with("the model has 7 problem(s):"), "{text}");
    assert_eq!(text.lines().count(), 8);
}

/// Every number of a description.
fn numbers(system: &mut System) -> Vec<&mut f64> {
    let mut list: Vec<&mut f64> = system.gravity.iter_mut().collect();
    for body in &mut system.bodies {
        list.extend(body.hinge.position.iter_mut().chain(body.hinge.rotation.iter_mut().flatten()));
        match &mut body.hinge.kind {
            HingeKind::Fixed | HingeKind::Spherical | HingeKind::Free => {}
            HingeKind::Revolute { axis } | HingeKind::Prismatic { axis } | HingeKind::Cylindrical { axis } => {
                list.extend(axis);
            }
            HingeKind::Screw { axis, pitch } => list.extend(axis.iter_mut().chain([pitch])),
            HingeKind::Universal { axes } => list.extend(axes.iter_mut().flatten()),
            HingeKind::Planar { normal } => list.extend(normal),
        }
        for node in &mut body.nodes {
            list.push(&mut node.mass);
            list.extend(node.position.iter_mut().chain(&mut node.mass_centre));
            list.extend(node.inertia.iter_mut().flatten().chain(node.influence.iter_mut().flatten()));
        }
        for matrix in [&mut body.modes.stiffness, &mut body.modes.damping] {
            match matrix {
                ModalMatrix::Zero => {}
                ModalMatrix::Diagonal(entries) => list.extend(entries),
                ModalMatrix::Full(rows) => list.extend(rows.iter_mut().flatten()),
            }
        }
        list.extend(body.modes.nonlinear.cubic.iter_mut().map(|(_, value)| value));
        list.extend(body.modes.nonlinear.quartic.iter_mut().map(|(_, value)| value));
    }
    list
}

#[test]
fn every_number_must_be_finite() {
    for seed in 0..12 {
        let options = RandomOptions { modes: 3, bodies: 1..=4, ..RandomOptions::default() };
        let (mut system, _) = random_system(seed, &options);
        for i in 0..numbers(&mut system).len() {
            for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let mut system = system.clone();
                *numbers(&mut system)[i] = value;
                let found = problems(&system);
                let named = |problem: &Problem| match problem {
                    Problem::NotFinite { .. } => true,
                    Problem::NonlinearEntry { rule, .. } => rule.contains("not finite"),
                    _ => false,
                };
                assert!(found.iter().any(named), "seed {seed}, number {i} = {value}: {found:?}");
            }
        }
    }
}

/// Absurd numbers in any place: refused, or evaluated to finite numbers or an error, and never a panic.
#[test]
fn absurd_numbers_never_panic() {
    let (mut built, mut refused) = (0, 0);
    for seed in 0..30 {
        let options = RandomOptions { modes: 3, bodies: 1..=4, ..RandomOptions::default() };
        let (mut system, _) = random_system(seed, &options);
        for i in 0..numbers(&mut system).len() {
            for value in [0.0, -1.0, 1e-310, 1e155, -1e308] {
                let mut system = system.clone();
                *numbers(&mut system)[i] = value;
                let Ok(model) = Model::build(&system) else {
                    refused += 1;
                    continue;
                };
                built += 1;
                let mut ws = Workspace::new(&model);
                let found = forward_dynamics(&model, &State::new(&model), &Inputs::new(&model), &mut ws);
                if let Ok(solution) = found {
                    assert!(
                        solution.accelerations().iter().all(|x| x.is_finite()),
                        "seed {seed}, number {i} = {value:e}"
                    );
                }
            }
        }
    }
    println!("{built} built, {refused} refused");
    assert!(built > 1000 && refused > 1000);
}

/// A huge number of modes or bodies that do not exist must not be allocated for.
#[test]
fn sizes_beyond_memory_are_refused() {
    for count in [1001, usize::MAX / 8, usize::MAX] {
        let mut system = sound();
        many_modes(&mut system, count);
        assert_eq!(problems(&system).iter().map(variant).collect::<Vec<_>>(), ["TooManyModes"]);
    }
    let mut system = sound();
    system.bodies[1].parent = Parent::Body(BodyIndex(usize::MAX), NodeIndex(usize::MAX));
    system.bodies[1].inboard_node = NodeIndex(usize::MAX);
    assert_eq!(problems(&system).len(), 2);
}

/// Modes that are not mass-normalised are no problem, but noted.
#[test]
fn unnormalised_modes_are_noted() {
    let model = Model::build(&sound()).unwrap();
    assert_eq!(model.notes().len(), 1, "{:?}", model.notes());
    assert!(model.notes()[0].contains("'beam'") && model.notes()[0].contains("mass-normalised"));
}
