//! The Shuttle Remote Manipulator System with a payload, as Damaren and Sharf model it [DS95 table 2].
//!
//! | link | length | mass   | hinge      | flexible                                        |
//! |------|--------|--------|------------|-------------------------------------------------|
//! | 1    | 0.9 m  | 95 kg  | yaw, y     |                                                 |
//! | 2    | 6.4 m  | 138 kg | pitch, z   | `EI` 4.046e6, `GJ` 2.040e6 N m², `EA` 2.790e9 N |
//! | 3    | 7.0 m  | 85 kg  | pitch, z   | `EI` 2.812e6, `GJ` 1.417e6 N m², `EA` 1.194e9 N |
//! | 4    | 0.5 m  | 8 kg   | pitch, z   |                                                 |
//! | 5    | 0.8 m  | 44 kg  | yaw, y     |                                                 |
//! | 6    | 0.6 m  | 41 kg  | roll, x    | carries the payload                             |
//!
//! The Shuttle does not move: it is the ground. What the paper does not say is assumed:
//!
//! - All links lie along x when all angles are zero, each with its hinge at its inboard end, without offsets. Axes as above.
//! - Each link is a uniform rod of circular section: with roll inertia `J` its inertia across the axis, about the inboard end, is
//!   `m l² / 3 + J / 2`. This gives the printed pitch and yaw inertias within one unit of their last digit.
//! - The payload is a drum 10 m long and 4 m across, 15 000 kg, held at the middle of one end, its axis along x. Its printed
//!   inertias, 30 000 and 515 000 kg m², are those of such a drum about that point.
//! - Each boom has two bending modes in each plane, one of stretch and one of twist, of a cantilever without tip load. Bending does
//!   not feel the rotary inertia of the sections; twist does.

use super::element_beam::ElementBeam;
use crate::beam::{ModalBeam, ModeCounts};
use crate::section::BeamProperties;
use supple::{
    Body, BodyIndex, BuildError, ElasticRotation, Fidelity, Hinge, HingeKind, Model, ModelBuilder, Node, NodeIndex,
    Parent, State, System,
};

/// Number of links, each with one hinge.
pub const LINKS: usize = 6;

/// A link of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Length.
    pub length: f64,
    /// Mass.
    pub mass: f64,
    /// Inertia about its own axis.
    pub roll_inertia: f64,
    /// Axis of its hinge.
    pub axis: [f64; 3],
}

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// The links from the Shuttle outward.
pub const TABLE: [Link; LINKS] = [
    Link { length: 0.9, mass: 95.0, roll_inertia: 0.2, axis: Y },
    Link { length: 6.4, mass: 138.0, roll_inertia: 0.4, axis: Z },
    Link { length: 7.0, mass: 85.0, roll_inertia: 0.4, axis: Z },
    Link { length: 0.5, mass: 8.0, roll_inertia: 0.2, axis: Z },
    Link { length: 0.8, mass: 44.0, roll_inertia: 0.2, axis: Y },
    Link { length: 0.6, mass: 41.0, roll_inertia: 0.2, axis: X },
];

impl Link {
    /// Inertia across the link about its inboard end.
    pub fn pitch_inertia(&self) -> f64 {
        self.mass * self.length * self.length / 3.0 + 0.5 * self.roll_inertia
    }
}

/// Modes of each boom in most of the paper's runs.
pub const MODES: ModeCounts = ModeCounts { bending_y: 2, bending_z: 2, stretch: 1, twist: 1 };

/// One of the two flexible links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boom {
    /// Link 2.
    Lower,
    /// Link 3.
    Upper,
}

impl Boom {
    fn of_link(link: usize) -> Option<Self> {
        [None, Some(Self::Lower), Some(Self::Upper)].get(link).copied().flatten()
    }

    /// The boom alone, clamped: with natural modes or elements, as [`ShuttleArm::elements`] says.
    ///
    /// # Errors
    /// None with these properties, unless the rules for models change.
    pub fn alone(self, elements: usize) -> Result<Model, BuildError> {
        let (beam, hinge) = (self.beam(Fidelity::Inconsistent), Hinge::new(HingeKind::Fixed));
        let mut builder = ModelBuilder::new();
        builder.body(match elements {
            0 => beam.body("boom", Parent::Ground, hinge),
            _ => of_elements(&beam, elements).body("boom", Parent::Ground, hinge),
        });
        builder.build()
    }

    /// The boom as a beam with the six modes of the paper.
    pub fn beam(self, fidelity: Fidelity) -> ModalBeam {
        self.beam_with(fidelity, MODES)
    }

    /// The same with other modes.
    pub fn beam_with(self, fidelity: Fidelity, modes: ModeCounts) -> ModalBeam {
        let (link, [bending, torsion, axial]) = match self {
            Self::Lower => (TABLE[1], [4.046e6, 2.040e6, 2.790e9]),
            Self::Upper => (TABLE[2], [2.812e6, 1.417e6, 1.194e9]),
        };
        let roll = link.roll_inertia / link.length;
        let properties = BeamProperties {
            mass: link.mass / link.length,
            axial,
            bending_y: bending,
            bending_z: bending,
            torsion,
            shear: f64::INFINITY,
            rotary: [roll, 0.5 * roll, 0.5 * roll],
        };
        ModalBeam { fidelity, ..ModalBeam::cantilever(link.length, properties, modes) }
    }
}

/// The drum at the end of link 6.
mod payload {
    pub const MASS: f64 = 15_000.0;
    /// From the point where it is held to its mass centre.
    pub const CENTRE: f64 = 5.0;
    pub const ROLL_INERTIA: f64 = 30_000.0;
    /// Across its axis, about the point where it is held.
    pub const PITCH_INERTIA: f64 = 515_000.0;
}

/// The arm and how it is modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShuttleArm {
    /// Terms that the flexible booms carry; rigid booms without.
    pub booms: Option<Fidelity>,
    /// How the tips of the booms turn the hinges they carry.
    pub elastic_rotation: ElasticRotation,
    /// Elements of each boom; 0 for natural modes.
    pub elements: usize,
    /// Natural modes of each boom; elements read from it only whether there is twist.
    pub modes: ModeCounts,
}

impl ShuttleArm {
    /// With rigid booms.
    pub fn rigid() -> Self {
        Self { booms: None, elastic_rotation: ElasticRotation::None, elements: 0, modes: MODES }
    }

    /// With flexible booms.
    pub fn flexible(fidelity: Fidelity, elastic_rotation: ElasticRotation) -> Self {
        Self { booms: Some(fidelity), elastic_rotation, elements: 0, modes: MODES }
    }

    /// The same arm with so many elements in each boom; 0 for natural modes.
    pub fn with_elements(self, elements: usize) -> Self {
        Self { elements, ..self }
    }

    /// The same arm with other natural modes of the booms.
    pub fn with_modes(self, modes: ModeCounts) -> Self {
        Self { modes, ..self }
    }

    /// The model: six links, straight along x.
    ///
    /// # Errors
    /// None with these properties, unless the rules for models change.
    pub fn build(&self) -> Result<Model, BuildError> {
        self.build_with_payload(1.0)
    }

    /// The same with a payload of so many times the mass and inertia; none for zero.
    ///
    /// # Errors
    /// As [`build`](Self::build); a payload below zero.
    pub fn build_with_payload(&self, payload: f64) -> Result<Model, BuildError> {
        self.describe(payload).build()
    }

    /// What the model is built from.
    pub fn system(&self) -> System {
        self.describe(1.0).system().clone()
    }

    fn describe(&self, payload: f64) -> ModelBuilder {
        let mut builder = ModelBuilder::new();
        builder.elastic_rotation(self.elastic_rotation);
        let mut parent = Parent::Ground;
        for (i, link) in TABLE.iter().enumerate() {
            let name = format!("link {}", i + 1);
            let hinge = Hinge::new(HingeKind::Revolute { axis: link.axis });
            let flexible =
                self.booms.and_then(|fidelity| Boom::of_link(i).map(|boom| boom.beam_with(fidelity, self.modes)));
            let (body, tip) = match flexible {
                Some(beam) if self.elements > 0 => {
                    let boom = of_elements(&beam, self.elements);
                    (boom.body(name, parent, hinge), boom.tip_node())
                }
                Some(beam) => (beam.body(name, parent, hinge), beam.tip_node()),
                None => {
                    let load = if i + 1 == LINKS { payload } else { 0.0 };
                    (rigid_link(link, Body::new(name, parent, hinge), load), NodeIndex(1))
                }
            };
            parent = Parent::Body(builder.body(body), tip);
        }
        builder
    }
}

/// A boom of elements in place of natural modes.
fn of_elements(beam: &ModalBeam, elements: usize) -> ElementBeam {
    let ModalBeam { length, properties, fidelity, .. } = *beam;
    ElementBeam { length, elements, properties, fidelity, spatial: true, twist: beam.modes.twist > 0 }
}

/// A rod with its inertia at the inboard end and a marker at the other; the last one with so many payloads.
fn rigid_link(link: &Link, body: Body, load: f64) -> Body {
    let (mut mass, mut moment) = (link.mass, 0.5 * link.mass * link.length);
    let (mut roll, mut pitch) = (link.roll_inertia, link.pitch_inertia());
    if load != 0.0 {
        let arm = link.length + payload::CENTRE;
        mass += load * payload::MASS;
        moment += load * payload::MASS * arm;
        roll += load * payload::ROLL_INERTIA;
        pitch += load * (payload::PITCH_INERTIA + payload::MASS * (arm * arm - payload::CENTRE * payload::CENTRE));
    }
    let inertia = [[roll, 0.0, 0.0], [0.0, pitch, 0.0], [0.0, 0.0, pitch]];
    let end = Node { name: Some("tip".into()), position: [link.length, 0.0, 0.0], ..Node::default() };
    body.with_node(Node { mass, mass_centre: [moment / mass, 0.0, 0.0], inertia, ..Node::default() }).with_node(end)
}

/// The bodies of the six hinges.
pub fn hinges(model: &Model) -> [BodyIndex; LINKS] {
    // A model of something else has hinges of its own order.
    std::array::from_fn(|i| model.find(&format!("link {}", i + 1)).unwrap_or(BodyIndex(i)))
}

/// The six hinge angles.
pub fn angles(model: &Model, state: &State) -> [f64; LINKS] {
    hinges(model).map(|body| state.coordinates[model.hinge_coordinates(body).start])
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::ModalMatrix;

    #[test]
    fn printed_inertias_and_frequencies() {
        for (link, printed) in TABLE.iter().zip([25.75, 1884.36, 1388.53, 0.76, 9.49, 5.02]) {
            assert!((link.pitch_inertia() - printed).abs() < 0.01, "{}", link.pitch_inertia());
        }
        // A drum of radius 2 m and length 10 m about the middle of its end.
        let drum = payload::MASS * (10.0_f64.powi(2) / 3.0 + 2.0_f64.powi(2) / 4.0);
        assert!((drum - payload::PITCH_INERTIA).abs() < 1e-9);
        for (boom, printed, computed) in [(Boom::Lower, 37.2, 37.1838), (Boom::Upper, 34.5, 34.5304)] {
            let modes = boom.beam(Fidelity::Exact).modal_data();
            assert_eq!(modes.count, 6);
            let ModalMatrix::Diagonal(k) = modes.stiffness else { panic!("modes are coupled") };
            assert!((k[0].sqrt() - printed).abs() < 0.05 && (k[0].sqrt() - computed).abs() < 5e-5, "{}", k[0].sqrt());
            assert!((k[2] / k[0] - 1.0).abs() < 1e-12);
        }
    }

    /// Rigid and flexible arms are the same thing while nothing bends: equal mass and inertia.
    #[test]
    fn booms_weigh_what_links_weigh() {
        let (rigid, flexible) =
            (ShuttleArm::rigid(), ShuttleArm::flexible(Fidelity::Exact, ElasticRotation::Integrated));
        let (rigid, flexible) = (rigid.build().unwrap(), flexible.build().unwrap());
        let turning = |model: &Model| {
            let mut state = State::new(model);
            for i in 0..LINKS {
                state.speeds[model.hinge_speeds(BodyIndex(i)).start] = 1.0 + i as f64;
            }
            supple::energy(model, &state, &mut supple::Workspace::new(model)).unwrap().kinetic
        };
        let (a, b) = (turning(&rigid), turning(&flexible));
        assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
    }
}
