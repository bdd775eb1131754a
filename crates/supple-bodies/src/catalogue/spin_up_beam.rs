//! A beam brought to spin about its root: Damaren and Sharf's, driven by a torque, and Kane's, driven by a motion.
//!
//! The beam lies along x, its root turns about z, and it bends in the x-y plane. The rate wanted is
//! `6 (t/T - sin(2πt/T)/2π)` rad/s up to `T = 15 s` and 6 rad/s afterwards. There is neither gravity nor damping.

use super::element_beam::ElementBeam;
use crate::beam::{ModalBeam, ModeCounts};
use crate::section::BeamProperties;
use std::f64::consts::PI;
use supple::integrate::Drive;
use supple::{
    BodyIndex, BuildError, ElasticRotation, Fidelity, Hinge, HingeKind, Inputs, Model, ModelBuilder, Parent, State,
    System,
};

/// Duration of the spin-up, s.
pub const DURATION: f64 = 15.0;
/// Rate at its end, rad/s.
pub const FINAL_RATE: f64 = 6.0;

/// Acceleration of the root that is wanted at `time`.
pub fn wanted_acceleration(time: f64) -> f64 {
    if time < DURATION { FINAL_RATE / DURATION * (1.0 - (2.0 * PI * time / DURATION).cos()) } else { 0.0 }
}

/// What the deformation of the beam is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discretisation {
    /// Cantilever modes.
    NaturalModes {
        /// Number of bending modes.
        bending: usize,
        /// Number of stretch modes.
        stretch: usize,
    },
    /// One planar Euler-Bernoulli element: deflection, slope and axial displacement of the tip.
    Element,
}

/// The beam and how it is modelled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpinUpBeam {
    /// Length.
    pub length: f64,
    /// Section and material.
    pub properties: BeamProperties,
    /// Shapes.
    pub discretisation: Discretisation,
    /// Whether bending carries the rotary inertia of the sections; natural modes only.
    pub rotary_inertia: bool,
    /// Which terms of the dynamics the beam carries.
    pub fidelity: Fidelity,
    /// How tips turn what they carry. The beam carries nothing, so that it changes no motion.
    pub elastic_rotation: ElasticRotation,
}

/// A beam ready to move.
#[derive(Clone, Debug)]
pub struct SpinUpModel {
    /// The model: one body.
    pub model: Model,
    /// Columns of the modes at the tip.
    tip: Vec<[f64; 6]>,
}

impl SpinUpBeam {
    /// The beam of Damaren and Sharf: 12 kg, 10 m, `EI` 1.4004e4 N m², `EA` 3.1724e7 N; its sections have no inertia.
    pub fn damaren_sharf(discretisation: Discretisation, fidelity: Fidelity) -> Self {
        let length = 10.0;
        let properties = BeamProperties {
            mass: 12.0 / length,
            axial: 3.1724e7,
            bending_y: 1.4004e4,
            bending_z: 1.4004e4,
            // Not in the paper, and of no effect in the plane.
            torsion: 1.4004e4,
            shear: f64::INFINITY,
            rotary: [0.0; 3],
        };
        let elastic_rotation = ElasticRotation::None;
        Self { length, properties, discretisation, rotary_inertia: false, fidelity, elastic_rotation }
    }

    /// The beam of Kane, Ryan and Banerjee as others state it: 1.2 kg/m, 10 m, `EI` 1.4e4 N m², `EA` 2.8e7 N, rotary inertia
    /// 6e-4 kg m. Its shear stiffness, `GA` 1e7 N, has no part in Euler-Bernoulli modes.
    pub fn kane(bending: usize, stretch: usize, fidelity: Fidelity) -> Self {
        let properties = BeamProperties {
            mass: 1.2,
            axial: 2.8e7,
            bending_y: 1.4e4,
            bending_z: 1.4e4,
            torsion: 1.4e4,
            shear: 1e7,
            rotary: [0.0, 6e-4, 6e-4],
        };
        Self {
            length: 10.0,
            properties,
            discretisation: Discretisation::NaturalModes { bending, stretch },
            rotary_inertia: true,
            fidelity,
            elastic_rotation: ElasticRotation::None,
        }
    }

    /// Inertia of the undeformed beam about its root as a thin rod, `m L² / 3`.
    pub fn inertia(&self) -> f64 {
        self.properties.mass * self.length.powi(3) / 3.0
    }

    /// The model.
    ///
    /// # Errors
    /// Properties that make no sense.
    pub fn build(&self) -> Result<SpinUpModel, BuildError> {
        let (builder, tip) = self.describe();
        Ok(SpinUpModel { model: builder.build()?, tip })
    }

    /// What the model is built from.
    pub fn system(&self) -> System {
        self.describe().0.system().clone()
    }

    /// The description, and the columns of the modes at the tip.
    fn describe(&self) -> (ModelBuilder, Vec<[f64; 6]>) {
        let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
        let (body, tip) = match self.discretisation {
            Discretisation::NaturalModes { bending, stretch } => {
                let modes = ModeCounts { bending_y: bending, stretch, ..ModeCounts::default() };
                let beam = ModalBeam {
                    fidelity: self.fidelity,
                    rotary_inertia: self.rotary_inertia,
                    ..ModalBeam::cantilever(self.length, self.properties, modes)
                };
                (beam.body("beam", Parent::Ground, hinge), beam.tip_node())
            }
            Discretisation::Element => {
                let (length, properties, fidelity) = (self.length, self.properties, self.fidelity);
                let beam = ElementBeam { length, elements: 1, properties, fidelity, spatial: false, twist: false };
                (beam.body("beam", Parent::Ground, hinge), beam.tip_node())
            }
        };
        let tip = body.nodes[tip.0].influence[..body.modes.count].to_vec();
        let mut builder = ModelBuilder::new();
        builder.elastic_rotation(self.elastic_rotation);
        builder.body(body);
        (builder, tip)
    }
}

impl SpinUpModel {
    /// Displacement of the tip along y.
    pub fn deflection(&self, state: &State) -> f64 {
        self.along(4, state)
    }

    /// Displacement of the tip along x that the axial coordinates give, without the foreshortening of second-order shapes.
    pub fn stretch(&self, state: &State) -> f64 {
        self.along(3, state)
    }

    fn along(&self, row: usize, state: &State) -> f64 {
        let eta = state.modal_coordinates(&self.model, BodyIndex(0));
        self.tip.iter().zip(eta).map(|(column, eta)| column[row] * eta).sum()
    }

    /// Rate of the root.
    pub fn rate(&self, state: &State) -> f64 {
        state.speeds[self.hinge()]
    }

    fn hinge(&self) -> usize {
        self.model.hinge_speeds(BodyIndex(0)).start
    }

    /// Drives the root with the torque that would give the wanted rate to a rigid beam of `inertia`.
    pub fn torque(&self, inertia: f64) -> SpinUpDrive {
        SpinUpDrive { inertia, hinge: self.hinge() }
    }

    /// Drives the root with the wanted rate itself; the hinge is to be [prescribed](supple::integrate::Simulation::prescribe).
    pub fn motion(&self) -> SpinUpDrive {
        self.torque(0.0)
    }
}

/// Sets the torque, and the acceleration for a prescribed hinge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpinUpDrive {
    inertia: f64,
    hinge: usize,
}

impl Drive for SpinUpDrive {
    fn drive(&mut self, state: &State, inputs: &mut Inputs) {
        let acceleration = wanted_acceleration(state.time);
        inputs.forces[self.hinge] = self.inertia * acceleration;
        inputs.accelerations[self.hinge] = acceleration;
    }

    fn breaks(&self) -> &[f64] {
        &[DURATION]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The wanted acceleration leads to the final rate, and both discretisations have three coordinates.
    #[test]
    fn rate_and_sizes() {
        let beam = SpinUpBeam::damaren_sharf(Discretisation::Element, Fidelity::Stiffened);
        assert!((beam.inertia() - 400.0).abs() < 1e-12);
        let sum: f64 = (0..1500).map(|i| wanted_acceleration(0.01 * f64::from(i) + 0.005) * 0.01).sum();
        assert!((sum - FINAL_RATE).abs() < 1e-6);
        for discretisation in [Discretisation::Element, Discretisation::NaturalModes { bending: 2, stretch: 1 }] {
            let built = SpinUpBeam { discretisation, ..beam }.build().unwrap();
            assert_eq!(built.model.modes(BodyIndex(0)), 3);
            assert_eq!(built.model.speed_count(), 4);
        }
    }
}
