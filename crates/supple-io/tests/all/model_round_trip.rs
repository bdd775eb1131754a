//! A model written to a file and read again is the same model, bit for bit.

use std::collections::BTreeSet;
use std::path::PathBuf;

use supple::force::{
    ForceElement, HingeDamping, HingeFriction, HingeSpring, HingeStops, Law, Port, PortKind, SpringDamper,
};
use supple::testkit::{RandomOptions, random_system};
use supple::{Actuator, BodyIndex, Fidelity, HingeKind, ModalInertia, ModalMatrix, Node, System};
use supple_bodies::catalogue::beam_chain::beam_chain;
use supple_io::model_file::{self, WriteError};

/// Equal in every bit: `==` does not see the sign of a zero.
#[track_caller]
fn assert_identical(a: &System, b: &System) {
    assert_eq!(a, b);
    assert_eq!(format!("{a:?}"), format!("{b:?}"));
}

#[track_caller]
fn assert_round_trip(system: &System) {
    let text = model_file::write(system).unwrap();
    let file = model_file::from_text("x.toml", &text, None).unwrap_or_else(|error| panic!("{error}"));
    assert_identical(&file.system, system);
    assert_eq!(model_file::write(&file.system).unwrap(), text);
}

/// A chain of beams with everything that a beam has: nonlinear stiffness, shapes of second order, damping.
#[test]
fn every_fidelity_of_a_beam() {
    let fidelities = [
        Fidelity::RuthlessConstant,
        Fidelity::Ruthless,
        Fidelity::Inconsistent,
        Fidelity::InconsistentConstantMass,
        Fidelity::Consistent,
        Fidelity::Exact,
        Fidelity::Stiffened,
    ];
    for fidelity in fidelities {
        let system = beam_chain(2, 5, fidelity);
        let modes = &system.bodies[1].modes;
        assert_eq!(fidelity == Fidelity::Stiffened, !modes.second_order.is_empty());
        // A beam has what its fidelity reads.
        assert_eq!(fidelity == Fidelity::Exact, !modes.nonlinear.quartic.is_empty());
        assert_eq!(fidelity == Fidelity::Consistent, !modes.nonlinear.axial_load.is_empty());
        assert_round_trip(&system);
    }
}

#[test]
fn random_systems() {
    let (mut kinds, mut full, mut rotors, mut rotations) = (BTreeSet::new(), 0, 0, BTreeSet::new());
    let mut closures = BTreeSet::new();
    for seed in 0..300 {
        let options = RandomOptions {
            modes: 6,
            constant_terms: seed % 3 == 0,
            orthogonal_modes: seed % 2 == 0,
            closures: 4,
            ..RandomOptions::default()
        };
        let (mut system, _) = random_system(seed, &options);
        // Names that need care, and numbers at the ends of the range.
        system.bodies[0].name = "a \"b\"\\\n\u{1f600} é".into();
        system.gravity = [-0.0, 1.0 / 3.0, 5e-324];
        rotations.insert(format!("{:?}", system.elastic_rotation));
        for (i, closure) in system.closures.iter_mut().enumerate() {
            closures.insert(model_file::closure_word(&closure.constraint));
            closure.name = (i % 2 == 0).then(|| format!("closure {i}"));
        }
        for body in &system.bodies {
            kinds.insert(format!("{:?}", body.hinge.kind).split(' ').next().unwrap_or_default().to_owned());
            full += usize::from(matches!(body.modes.stiffness, ModalMatrix::Full(_)));
            rotors += usize::from(!body.hinge.rotor_inertia.is_empty());
        }
        assert_round_trip(&system);
    }
    println!("hinges {kinds:?}, full matrices {full}, rotors {rotors}, {rotations:?}");
    assert_eq!(kinds.len(), 9);
    assert_eq!(closures.len(), 12, "{closures:?}");
    assert_eq!(rotations.len(), 6);
    assert!(full > 50 && rotors > 50);
}

fn in_hinge(law: impl Law + 'static, body: usize, speed: usize) -> ForceElement {
    ForceElement::new(law, [Port::Hinge { body: BodyIndex(body), speed }])
}

#[test]
fn elements_of_hinges() {
    let (mut system, _) =
        random_system(3, &RandomOptions { bodies: 4..=4, singular: false, ..RandomOptions::default() });
    system.bodies[1].hinge.kind = HingeKind::Revolute { axis: [0.0, 1.0, 0.0] };
    system.bodies[2].hinge.kind = HingeKind::Planar { normal: [0.0, 1.0, 0.5] };
    system.bodies.iter_mut().for_each(|body| body.hinge.rotor_inertia.clear());
    system.bodies[2].hinge.rotor_inertia = vec![1.44; 3];
    system.forces = vec![
        in_hinge(HingeDamping { damping: 0.3 }, 1, 0),
        in_hinge(HingeFriction { force: 0.25, speed: 1e-3 }, 1, 0),
        in_hinge(HingeSpring { stiffness: 500.0, rest: -0.1 }, 1, 0),
        in_hinge(HingeStops { lower: -1.0, upper: 2.0, stiffness: 1e5, damping: 1.0 }, 1, 0),
        in_hinge(HingeDamping { damping: 0.1 }, 2, 0),
        in_hinge(HingeSpring { stiffness: 1.0, rest: 0.0 }, 2, 0),
        in_hinge(HingeSpring { stiffness: 2.0, rest: -0.5 }, 2, 1),
    ];
    let motor = Actuator::new(system.bodies[1].name.clone(), BodyIndex(1));
    system.actuators = vec![Actuator { gear_ratio: 120.0, rotor_inertia: 1e-4, effort_limit: Some(60.0), ..motor }];
    assert_round_trip(&system);
    let text = model_file::write(&system).unwrap();
    assert!(!text.contains("[[force]]") && text.contains("[0.1, 0.0, 0.0]"), "{text}");
    // In another order, or with a name, each has a table of its own.
    system.forces.swap(0, 1);
    assert_round_trip(&system);
    system.forces[2].name = Some("return spring".into());
    system.actuators[0].name = "elbow motor".into();
    assert_round_trip(&system);
    assert_eq!(model_file::write(&system).unwrap().matches("[[force]]").count(), 7);
    system.actuators[0].name = system.bodies[1].name.clone();
    let text = model_file::write(&system).unwrap();
    // Once by the motor, once by a hinge without one.
    assert_eq!(
        (text.matches("rotor_inertia = 0.0001").count(), text.matches("rotor_inertia").count()),
        (1, 2),
        "{text}"
    );
}

/// All inertia of a body in tables: nodes without mass, and some with.
#[test]
fn tables_of_modal_integrals() {
    let (mut flexible, mut shapes, mut largest) = (0, 0, 0);
    for seed in 0..200 {
        let (mut system, _) = random_system(seed, &RandomOptions { modes: 5, ..RandomOptions::default() });
        if seed % 5 == 0 {
            system = beam_chain(2, 1 + seed as usize % 4, Fidelity::Stiffened);
        }
        for (k, body) in system.bodies.iter_mut().enumerate() {
            // Every third body keeps its nodes: its tables are zero but for their signs.
            if (seed as usize + k).is_multiple_of(3) {
                let mut zero = ModalInertia::zero(body.modes.count + body.modes.second_order.len());
                zero.mass_moment = [-0.0; 3];
                body.modal_inertia = Some(zero);
                continue;
            }
            body.modal_inertia = Some(ModalInertia::of(body));
            body.nodes = body.nodes.iter().cloned().map(Node::without_mass).collect();
            flexible += usize::from(body.modes.count > 0);
            shapes += body.modes.second_order.len();
        }
        let text = model_file::write(&system).unwrap();
        largest = largest.max(text.len());
        assert_round_trip(&system);
    }
    println!("{flexible} flexible bodies, {shapes} shapes of second order, the longest text has {largest} bytes");
    assert!(flexible > 200 && shapes > 50);
}

/// A motor tells the inertia of its rotor where it can; what cannot be told is refused.
#[test]
fn rotors_of_motors_and_hinges() {
    let (mut system, _) =
        random_system(3, &RandomOptions { bodies: 1..=1, singular: false, ..RandomOptions::default() });
    system.bodies[0].hinge.kind = HingeKind::Revolute { axis: [0.0, 1.0, 0.0] };
    let name = system.bodies[0].name.clone();
    let motor = |rotor_inertia: f64| {
        vec![Actuator { gear_ratio: 3.0, rotor_inertia, speed_limit: Some(2.0), ..Actuator::new(&name, BodyIndex(0)) }]
    };
    for (hinge, inertia) in [(vec![], 0.0), (vec![0.0], 0.0), (vec![0.7], 0.0), (vec![], 0.1)] {
        system.bodies[0].hinge.rotor_inertia = hinge;
        system.actuators = motor(inertia);
        assert_round_trip(&system);
        system.actuators.clear();
        assert_round_trip(&system);
    }
    system.bodies[0].hinge.rotor_inertia = vec![0.7];
    system.actuators = motor(0.1);
    let error = model_file::write(&system).unwrap_err();
    assert!(
        matches!(&error, WriteError::Motor { reason, .. } if reason.contains("rotor inertia of its own")),
        "{error}"
    );
}

/// Elements of every kind, on random trees.
#[test]
fn force_elements() {
    let mut tables = 0;
    for seed in 0..100 {
        let options = RandomOptions { modes: 3, elements: true, ..RandomOptions::default() };
        let (mut system, _) = random_system(seed, &options);
        // A file holds a motor of a hinge that has no other rotor.
        system.actuators.retain(|motor| system.bodies[motor.body.0].hinge.kind.sizes() == (1, 1));
        system.actuators.iter().for_each(|motor| system.bodies[motor.body.0].hinge.rotor_inertia.clear());
        system.forces[0].name = Some("first \"one\"".into());
        assert_round_trip(&system);
        tables += model_file::write(&system).unwrap().matches("[[force]]").count();
    }
    assert!(tables > 500, "{tables}");
}

#[test]
fn the_arm_of_the_references() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../references/models/arm.toml");
    let file = model_file::read(&path).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(file.name.as_deref(), Some("free-flying arm"));
    assert_eq!(file.model.speed_count(), 6 + 1 + 6 + 1 + 2 + 2 + 2);
    assert_eq!((file.system.forces.len(), file.system.actuators.len()), (6, 1));
    let camera = file.system.bodies[1].nodes.iter().find(|node| node.name.as_deref() == Some("camera")).unwrap();
    assert_eq!(camera.position, [1.5, 0.0, 0.0]);
    // A beam along z ends on z, and its first mode moves the tip along the turned y.
    let tip = file.system.bodies[2].nodes.iter().find(|node| node.name.as_deref() == Some("tip")).unwrap();
    assert_eq!(tip.position, [0.0, 0.0, 2.5]);
    assert!(tip.influence[0][4] > 0.0 && tip.influence[1][3] < 0.0);
    assert_round_trip(&file.system);
}

/// A robot of the collection has a link called `ground`.
#[test]
fn a_body_called_ground() {
    let mut system = beam_chain(3, 2, Fidelity::Stiffened);
    system.bodies[1].name = "ground".into();
    assert_round_trip(&system);
    system.bodies.swap(0, 1);
    system.bodies[0].parent = supple::Parent::Ground;
    system.bodies[1].parent = system.bodies[2].parent;
    if let supple::Parent::Body(body, _) = &mut system.bodies[1].parent {
        *body = supple::BodyIndex(0);
    }
    assert_round_trip(&system);
}

#[test]
fn what_no_file_can_hold_is_refused() {
    let (system, _) = random_system(1, &RandomOptions { bodies: 3..=3, ..RandomOptions::default() });
    let broken = |change: &dyn Fn(&mut System)| {
        let mut system = system.clone();
        change(&mut system);
        model_file::write(&system).unwrap_err()
    };
    assert!(matches!(broken(&|s| s.gravity[1] = f64::NAN), WriteError::NotFinite { .. }));
    assert!(matches!(broken(&|s| s.bodies[1].nodes[0].mass = f64::INFINITY), WriteError::NotFinite { .. }));
    assert!(matches!(broken(&|s| s.bodies[1].name = s.bodies[0].name.clone()), WriteError::Name { body: 1, .. }));
    let later = |s: &mut System| s.bodies[0].parent = supple::Parent::Body(supple::BodyIndex(2), supple::NodeIndex(0));
    assert!(matches!(broken(&later), WriteError::Parent { .. }));
    assert!(matches!(broken(&|s| s.bodies[0].inboard_node = supple::NodeIndex(99)), WriteError::InboardNode { .. }));
    let lost = |s: &mut System| s.actuators.push(Actuator::new("lost", BodyIndex(7)));
    assert!(matches!(broken(&lost), WriteError::Motor { .. }));
    let own = |s: &mut System| s.forces.push(ForceElement::new(Own, [Port::hinge(BodyIndex(0))]));
    assert!(matches!(broken(&own), WriteError::Force { element: 0, kind: "own", .. }));
    let ends = [Port::node(BodyIndex(0), supple::NodeIndex(0)), Port::Ground { position: [0.0; 3] }];
    let law = SpringDamper { length: 1.0, stiffness: f64::NAN, damping: 0.0, preload: 0.0 };
    let endless = |s: &mut System| s.forces.push(ForceElement::new(law, ends));
    assert!(matches!(broken(&endless), WriteError::Force { kind: "spring-damper", .. }));
}

/// An element that no file knows.
#[derive(Clone, Debug, PartialEq)]
struct Own;

impl supple::force::ForceLaw for Own {
    const NAME: &'static str = "own";
    const PORTS: &'static [PortKind] = &[PortKind::Speed];

    fn parameters(&self) -> Vec<f64> {
        Vec::new()
    }

    fn evaluate<T: supple::spatial::Scalar>(
        _: &[T],
        _: &supple::force::Measured<'_, T>,
        _: &mut supple::force::Effect<'_, T>,
    ) {
    }
}

supple::force_element!(Own);
