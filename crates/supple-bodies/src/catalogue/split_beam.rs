//! A clamped beam cut into flexible bodies fixed to each other.
//!
//! Each body is bent a little against its own frame, and the frames follow: deflections of the whole may be as large as they like.
//! A curved beam is cut into straight bodies between points of its arc.

use super::element_beam::ElementBeam;
use crate::beam::{ModalBeam, ModeCounts};
use crate::section::BeamProperties;
use supple::{
    BodyIndex, BuildError, ElasticRotation, Fidelity, Hinge, HingeKind, Model, ModelBuilder, NodeIndex, Parent,
};

/// What the deformation of each body is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shapes {
    /// Modes of the free cantilever.
    Natural(ModeCounts),
    /// One element in the x-y plane.
    PlaneElement,
    /// One element in space.
    SpaceElement,
}

/// The beam and how it is modelled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitBeam {
    /// Length along the axis.
    pub length: f64,
    /// Angle about z by which the axis turns from root to tip; 0 for a straight beam.
    pub arc: f64,
    /// Section and material.
    pub properties: BeamProperties,
    /// Number of bodies; at least one is made.
    pub bodies: usize,
    /// Shapes of each.
    pub shapes: Shapes,
    /// Which terms of the dynamics each carries.
    pub fidelity: Fidelity,
    /// How the tip of each turns the next.
    pub elastic_rotation: ElasticRotation,
}

/// A beam ready to be loaded.
#[derive(Clone, Debug)]
pub struct SplitModel {
    /// The model.
    pub model: Model,
    /// Body and node at the tip of the beam.
    pub tip: (BodyIndex, NodeIndex),
}

impl SplitBeam {
    /// A straight beam of the recommended fidelity, one body.
    pub fn straight(length: f64, properties: BeamProperties, shapes: Shapes) -> Self {
        let (fidelity, elastic_rotation) = (Fidelity::Stiffened, ElasticRotation::RotationVector);
        Self { length, arc: 0.0, properties, bodies: 1, shapes, fidelity, elastic_rotation }
    }

    /// The model.
    ///
    /// # Errors
    /// Properties that make no sense.
    pub fn build(&self) -> Result<SplitModel, BuildError> {
        let count = self.bodies.max(1);
        let turn = self.arc / count as f64;
        // Chord of an arc of length L/n that turns by `turn`: sin(t/2) / (t/2).
        let half = 0.5 * turn;
        let length = self.length / count as f64 * if half == 0.0 { 1.0 } else { half.sin() / half };
        let (fidelity, properties) = (self.fidelity, self.properties);
        let element = |spatial| ElementBeam { length, elements: 1, properties, fidelity, spatial, twist: spatial };
        let mut builder = ModelBuilder::new();
        builder.elastic_rotation(self.elastic_rotation);
        let (mut parent, mut tip) = (Parent::Ground, (BodyIndex(0), NodeIndex(0)));
        for i in 0..count {
            // The first chord lies between the tangents of its ends.
            let hinge = Hinge::new(HingeKind::Fixed).turned(about_z(if i == 0 { half } else { turn }));
            let name = format!("part {}", i + 1);
            let (body, node) = match self.shapes {
                Shapes::Natural(modes) => {
                    let beam = ModalBeam { fidelity, ..ModalBeam::cantilever(length, properties, modes) };
                    (beam.body(name, parent, hinge), beam.tip_node())
                }
                Shapes::PlaneElement => (element(false).body(name, parent, hinge), element(false).tip_node()),
                Shapes::SpaceElement => (element(true).body(name, parent, hinge), element(true).tip_node()),
            };
            tip = (builder.body(body), node);
            parent = Parent::Body(tip.0, tip.1);
        }
        Ok(SplitModel { model: builder.build()?, tip })
    }
}

fn about_z(angle: f64) -> [[f64; 3]; 3] {
    let (s, c) = angle.sin_cos();
    [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::{State, Workspace, kinematics};

    /// The tip of a quarter circle, and its tangent less half the last turn.
    #[test]
    fn undeformed_arc() {
        let properties = BeamProperties {
            mass: 1.0,
            axial: 1e3,
            bending_y: 1.0,
            bending_z: 1.0,
            torsion: 1.0,
            shear: f64::INFINITY,
            rotary: [1e-3; 3],
        };
        let arc = -std::f64::consts::FRAC_PI_2;
        for bodies in [1, 2, 5] {
            let straight = SplitBeam::straight(-3.0 * arc, properties, Shapes::SpaceElement);
            let built = SplitBeam { arc, bodies, ..straight }.build().unwrap();
            let (state, mut workspace) = (State::new(&built.model), Workspace::new(&built.model));
            let place = kinematics(&built.model, &state, &mut workspace).unwrap();
            let tip = place.node_position(built.tip.0, built.tip.1).0;
            assert!((tip[0] - 3.0).abs() < 1e-12 && (tip[1] + 3.0).abs() < 1e-12 && tip[2] == 0.0, "{tip:?}");
            let axis = place.node_attitude(built.tip.0, built.tip.1).0;
            let angle = arc * (1.0 - 0.5 / bodies as f64);
            assert!((axis[0][0] - angle.cos()).abs() < 1e-12 && (axis[1][0] - angle.sin()).abs() < 1e-12);
        }
    }
}
