//! Chains of flexible beams and the Shuttle arm.

use supple::{BodyIndex, BuildError, Fidelity, Hinge, HingeKind, Model, Parent, System};
use supple_bodies::beam::{ModalBeam, ModeCounts};
use supple_bodies::catalogue::beam_chain::usual_rotation;
use supple_bodies::catalogue::shuttle_arm::ShuttleArm;
use supple_bodies::section::BeamProperties;

/// The fidelities by name.
pub const FIDELITIES: [(&str, Fidelity); 6] = [
    ("ruthless-constant", Fidelity::RuthlessConstant),
    ("rl", Fidelity::Ruthless),
    ("i", Fidelity::Inconsistent),
    ("cl", Fidelity::Consistent),
    ("ee", Fidelity::Exact),
    ("stiffened", Fidelity::Stiffened),
];

/// How modes are shared among the families; 1, 2, 5, 6 and 10 as the peers do it.
fn shared(modes: usize) -> ModeCounts {
    let (bending_y, bending_z, stretch, twist) = match modes {
        5 => (2, 2, 0, 1),
        6 => (2, 2, 1, 1),
        _ => {
            let rods = if modes < 10 { 0 } else { modes / 10 };
            let bending = modes - 2 * rods;
            (bending.div_ceil(2), bending / 2, rods, rods)
        }
    };
    ModeCounts { bending_y, bending_z, stretch, twist }
}

/// A uniform beam with the stiffness of Damaren and Sharf's, `EI` 1.4004e4 N m² and `EA` 3.1724e7 N, and `GJ` 1.1e4 N m²; its sections
/// have the radius of gyration that these give.
fn beam(length: f64, mass: f64, modes: usize, fidelity: Fidelity) -> ModalBeam {
    let (bending, axial) = (1.4004e4, 3.1724e7);
    let mass = mass / length;
    let across = mass * bending / axial;
    let properties = BeamProperties {
        mass,
        axial,
        bending_y: bending,
        bending_z: bending,
        torsion: 1.1e4,
        shear: f64::INFINITY,
        rotary: [2.0 * across, across, across],
    };
    ModalBeam { fidelity, ..ModalBeam::cantilever(length, properties, shared(modes)) }
}

/// The beam of 10 m and 12 kg on a hinge about z, without gravity.
pub fn single_beam(modes: usize, fidelity: Fidelity) -> System {
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
    let body = beam(10.0, 12.0, modes, fidelity).body("beam", Parent::Ground, hinge);
    System { elastic_rotation: usual_rotation(fidelity), bodies: vec![body], ..System::default() }
}

/// Beams of 2 m and 2.4 kg that hang along x, hinges about z and y in turn.
pub fn chain(bodies: usize, modes: usize, fidelity: Fidelity) -> System {
    let beam = beam(2.0, 2.4, modes, fidelity);
    let prototype = beam.body("", Parent::Ground, Hinge::new(HingeKind::Fixed));
    let body = |k: usize| {
        let mut body = prototype.clone();
        body.name = format!("beam {k}");
        body.hinge.kind =
            HingeKind::Revolute { axis: if k.is_multiple_of(2) { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] } };
        if k > 0 {
            body.parent = Parent::Body(BodyIndex(k - 1), beam.tip_node());
        }
        body
    };
    System {
        gravity: [9.81, 0.0, 0.0],
        elastic_rotation: usual_rotation(fidelity),
        bodies: (0..bodies).map(body).collect(),
        ..System::default()
    }
}

/// The Shuttle arm, rigid or with the usual rotations of a fidelity.
pub fn shuttle_arm(fidelity: Option<Fidelity>) -> Result<Model, BuildError> {
    match fidelity {
        None => ShuttleArm::rigid().build(),
        Some(fidelity) => ShuttleArm::flexible(fidelity, usual_rotation(fidelity)).build(),
    }
}
