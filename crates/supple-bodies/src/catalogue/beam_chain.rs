//! A serial chain of equal beams, for comparing what the fidelities cost.

use crate::beam::{ModalBeam, ModeCounts};
use crate::section::{BeamProperties, Material, Section};
use supple::{BodyIndex, ElasticRotation, Fidelity, Hinge, HingeKind, Parent, System};

/// Most modes of a beam of the chain: the nonlinear stiffness of more takes too long to integrate.
pub const MOST_MODES: usize = 24;

/// How `modes` modes are shared: bending in both planes first, a sixth each for stretch and twist.
pub fn shared(modes: usize) -> ModeCounts {
    let (stretch, twist) = ((modes + 2) / 6, modes / 6);
    let bending = modes - stretch - twist;
    ModeCounts { bending_y: bending.div_ceil(2), bending_z: bending / 2, stretch, twist }
}

/// The treatment of hinge-carrying nodes that goes with a fidelity.
pub fn usual_rotation(fidelity: Fidelity) -> ElasticRotation {
    match fidelity {
        Fidelity::RuthlessConstant | Fidelity::Ruthless => ElasticRotation::None,
        Fidelity::Consistent => ElasticRotation::FirstOrder,
        _ => ElasticRotation::Integrated,
    }
}

/// Aluminium tubes of two metres with rotary hinges in gravity.
pub fn beam_chain(bodies: usize, modes: usize, fidelity: Fidelity) -> System {
    let aluminium = Material { young: 7e10, poisson: 0.33, density: 2700.0 };
    let tube = BeamProperties::new(Section::Tube { outer: 0.05, inner: 0.045 }, aluminium);
    let beam = ModalBeam { fidelity, damping_ratio: 0.01, ..ModalBeam::cantilever(2.0, tube, shared(modes)) };
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
    let prototype = beam.body("beam", Parent::Ground, hinge);
    let body = |k: usize| {
        let mut body = prototype.clone();
        body.name = format!("beam {k}");
        if k > 0 {
            body.parent = Parent::Body(BodyIndex(k - 1), beam.tip_node());
        }
        body
    };
    System {
        gravity: [0.0, 0.0, -9.81],
        elastic_rotation: usual_rotation(fidelity),
        bodies: (0..bodies).map(body).collect(),
        ..System::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_modes_are_four_of_bending_one_of_stretch_one_of_twist() {
        assert_eq!(shared(6), ModeCounts { bending_y: 2, bending_z: 2, stretch: 1, twist: 1 });
        assert!((0..40).all(|n| shared(n).total() == n));
    }
}
