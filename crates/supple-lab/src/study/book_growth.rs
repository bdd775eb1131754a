//! Book: how the number of multiplications grows with joints, flexible links and modes, and what rigid joints in place of modes would cost and give.

use std::error::Error;

use supple::force::{ForceElement, HingeSpring, Port};
use supple::{
    Body, BodyIndex, ElasticRotation, Fidelity, Hinge, HingeKind, Inputs, Model, Node, NodeIndex, Parent, State, System,
};
use supple_bodies::beam::{ModalBeam, ModeCounts};
use supple_bodies::catalogue::book_arm::{BookArm, FLEXIBLE, JOINTS, LENGTH, MODES, Shapes, axis, tube};
use supple_linear::system_modes;

use super::row::Value;
use super::{Case as StudyCase, Run};
use crate::book::{BookOperations, BookTerms, CountedArm};
use crate::cost::cost_of;

/// Rigid joints that the report names: those of as many coordinates as its arm, and those for the same work.
const RIGID: [usize; 2] = [12, 21];
/// Multiplications of Walker and Orin's method 3 for twelve joints, and the report's ratio to it   [B83 6]
const WALKER: f64 = 4_491.0;
const RATIO: f64 = 2.67;
/// Frequencies that are compared.
const COMPARED: usize = 4;

/// What is varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    Joints,
    FlexibleLinks,
    Modes,
    Variants,
    RigidJoints,
}

impl Case {
    const ALL: [Self; 5] = [Self::Joints, Self::FlexibleLinks, Self::Modes, Self::Variants, Self::RigidJoints];

    /// The name in rows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Joints => "by-joints",
            Self::FlexibleLinks => "by-links",
            Self::Modes => "by-modes",
            Self::Variants => "variants",
            Self::RigidJoints => "rigid-joints",
        }
    }
}

/// One for each case.
pub fn runs() -> Vec<Run> {
    let run = |case| Run {
        case: StudyCase::BookGrowth(case),
        fidelity: Fidelity::Inconsistent,
        tip: ElasticRotation::FirstOrder,
    };
    Case::ALL.map(run).into()
}

const ARM: BookArm = BookArm { joints: JOINTS, flexible: FLEXIBLE, modes: MODES, shapes: Shapes::General };

/// The counts of a case.
pub fn values(case: Case) -> Result<Vec<Value>, Box<dyn Error>> {
    let arms: Vec<BookArm> = match case {
        Case::Joints => (3..=12).map(|joints| BookArm { joints, ..ARM }).collect(),
        Case::FlexibleLinks => (1..=5).map(|flexible| BookArm { flexible, ..ARM }).collect(),
        Case::Modes => (1..=6).map(|modes| BookArm { modes, ..ARM }).collect(),
        Case::Variants => return variants(),
        Case::RigidJoints => return rigid_joints(),
    };
    let mut out = Vec::new();
    for arm in arms {
        let system = arm.system();
        let BookArm { joints, flexible, modes, .. } = arm;
        let paper = CountedArm { joints, flexible, modes }.paper_multiplications();
        let name = format!("n{joints}_f{flexible}_m{modes}");
        let counted = BookOperations::of(&system, &Model::build(&system)?)?.counted().multiplications;
        out.push(Value::new(format!("{name}_book"), Some(paper), counted as f64));
        for (algorithm, value) in sweeps(&system, joints)? {
            out.push(Value::new(format!("{name}_{algorithm}"), None, value as f64));
        }
    }
    Ok(out)
}

/// Multiplications of forward dynamics by the sweeps and by the composite body with its dense solution.
fn sweeps(system: &System, bodies: usize) -> Result<[(&'static str, u64); 2], Box<dyn Error>> {
    let rows = cost_of(|_| system.clone(), bodies, 0)?;
    let sum = |name: &str| rows.iter().filter(|row| row.algorithm == name).map(|row| row.multiplications).sum();
    Ok([("articulated", sum("articulated-auto")), ("composite", sum("composite"))])
}

/// The arm of the report: as it holds, as it is printed, and with orthogonal shapes.
fn variants() -> Result<Vec<Value>, Box<dyn Error>> {
    let mut out = Vec::new();
    for (shapes, word) in [(Shapes::General, "general"), (Shapes::Orthogonal, "orthogonal")] {
        let system = BookArm { shapes, ..ARM }.system();
        let model = Model::build(&system)?;
        for (terms, kept) in [(BookTerms::default(), "as_it_holds"), (BookTerms::PRINTED, "as_printed")] {
            let count = BookOperations::with_terms(&system, &model, terms)?.counted();
            out.push(Value::new(format!("{word}_{kept}_multiplications"), None, count.multiplications as f64));
            out.push(Value::new(format!("{word}_{kept}_additions"), None, count.additions as f64));
        }
    }
    Ok(out)
}

/// Rigid joints: what they cost, and how well six and fifteen of them stand for six modes.
fn rigid_joints() -> Result<Vec<Value>, Box<dyn Error>> {
    let system = ARM.system();
    let book = BookOperations::of(&system, &Model::build(&system)?)?.counted().multiplications as f64;
    let mut out = Vec::new();
    for joints in RIGID {
        let rigid = BookArm { joints, flexible: 0, ..ARM }.system();
        let walker = (joints == RIGID[0]).then_some(WALKER);
        for (algorithm, value) in sweeps(&rigid, joints)? {
            let paper = walker.filter(|_| algorithm == "composite");
            out.push(Value::new(format!("rigid_{joints}_{algorithm}"), paper, value as f64));
            let ratio = walker.filter(|_| algorithm == "composite").map(|_| RATIO);
            out.push(Value::new(format!("book_to_rigid_{joints}_{algorithm}"), ratio, book / value as f64));
        }
    }
    let exact = frequencies(&reference())?;
    for (name, system) in [("modes_6", ARM.system()), ("joints_6", lumped([3, 3])), ("joints_15", lumped([8, 7]))] {
        for (i, (found, exact)) in (1..).zip(frequencies(&system)?.into_iter().zip(&exact)) {
            out.push(Value::new(format!("{name}_frequency_{i}_rad_s"), None, found));
            out.push(Value::new(format!("{name}_frequency_{i}_error_percent"), None, 100.0 * (found / exact - 1.0)));
        }
    }
    Ok(out)
}

/// The same arm with links that bend as beams do under any load at their tips: static tip shapes and four modes in each plane.
fn reference() -> System {
    let modes = ModeCounts { bending_y: 4, bending_z: 4, stretch: 0, twist: 0 };
    let beam = ModalBeam { fidelity: Fidelity::Inconsistent, ..ModalBeam::carrying(LENGTH, tube(), modes) };
    let mut out = ARM.system();
    for k in 0..FLEXIBLE {
        let link = &out.bodies[k];
        out.bodies[k] = beam.body(link.name.clone(), link.parent, link.hinge.clone());
        if let Parent::Body(_, node) = &mut out.bodies[k + 1].parent {
            *node = beam.tip_node();
        }
    }
    out
}

/// The lowest frequencies with all joints of the arm held, without gravity.
fn frequencies(system: &System) -> Result<Vec<f64>, Box<dyn Error>> {
    let model = Model::build(&System { gravity: [0.0; 3], ..system.clone() })?;
    let mut inputs = Inputs::new(&model);
    for (flag, body) in inputs.prescribed.iter_mut().zip(&system.bodies) {
        *flag = body.name.starts_with("link");
    }
    let modes = system_modes(&model, &State::new(&model), &inputs)?.modes;
    Ok(modes.iter().take(COMPARED).map(|mode| mode.eigenvalue.im).collect())
}

/// The same arm with rigid pieces and springs in place of modes: so many imaginary joints in each of its flexible links.
fn lumped(springs: [usize; FLEXIBLE]) -> System {
    let rigid = BookArm { flexible: 0, ..ARM }.system();
    let mut out = System { bodies: Vec::new(), ..rigid.clone() };
    let mut last = Parent::Ground;
    for (k, link) in rigid.bodies.into_iter().enumerate() {
        let hinge = Hinge::new(HingeKind::Revolute { axis: axis(k) });
        if let Some(count) = springs.get(k) {
            last = springy(&mut out, (&format!("link {}", k + 1), last, hinge), *count);
        } else {
            let end = NodeIndex(link.nodes.len() - 1);
            out.bodies.push(Body { parent: last, ..link });
            last = Parent::Body(BodyIndex(out.bodies.len() - 1), end);
        }
    }
    out
}

/// A tube of rigid pieces with so many springs between them, about y and z in turn; gives what carries the next link.
///
/// Springs of one axis stand in the middle of equal parts of the tube, each as stiff as its part.
fn springy(out: &mut System, (name, mut parent, hinge): (&str, Parent, Hinge), springs: usize) -> Parent {
    let tube = tube();
    let axes = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut places: Vec<(f64, usize, f64)> = Vec::new();
    for plane in 0..2 {
        let count = (springs + 1 - plane) / 2;
        let part = LENGTH / count as f64;
        places.extend((0..count).map(|i| (part * (i as f64 + 0.5), plane, tube.bending_y / part)));
    }
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut from = 0.0;
    for i in 0..=places.len() {
        let (to, own) = (places.get(i).map_or(LENGTH, |p| p.0), i.checked_sub(1).map(|before| places[before]));
        let length = to - from;
        let hinge = own.map_or(hinge.clone(), |(_, plane, _)| Hinge::new(HingeKind::Revolute { axis: axes[plane] }));
        let part = match i {
            0 => name.to_owned(),
            _ => format!("spring {i} of {name}"),
        };
        out.bodies.push(piece(part, parent, hinge, length));
        let index = BodyIndex(out.bodies.len() - 1);
        if let Some((_, _, stiffness)) = own {
            out.forces.push(ForceElement::new(HingeSpring { stiffness, rest: 0.0 }, [Port::hinge(index)]));
        }
        parent = Parent::Body(index, NodeIndex(1));
        from = to;
    }
    parent
}

/// A rigid piece of the tube.
fn piece(name: String, parent: Parent, hinge: Hinge, length: f64) -> Body {
    let tube = tube();
    let mass = tube.mass * length;
    let across = mass * length * length / 3.0;
    let [x, y, z] = tube.rotary.map(|r| r * length);
    let inertia = [[x, 0.0, 0.0], [0.0, across + y, 0.0], [0.0, 0.0, across + z]];
    let end = Node { position: [length, 0.0, 0.0], ..Node::default() };
    let root = Node { mass, mass_centre: [0.5 * length, 0.0, 0.0], inertia, ..Node::default() };
    Body::new(name, parent, hinge).with_node(root).with_node(end)
}
