//! The Shuttle arm with any payload, as a plant and as its controller knows it.

use supple::force::{ForceElement, HingeDamping, HingeSpring, Port};
use supple::{
    Body, BodyIndex, BuildError, ElasticRotation, Hinge, HingeKind, Model, ModelBuilder, Node, NodeIndex, Parent, State,
};
use supple_bodies::beam::{Fitting, ModalBeam, ModeCounts, Support};
use supple_bodies::catalogue::shuttle_arm::{Boom, LINKS, TABLE};

/// The drum that the paper's arm carries, kg.
pub const NOMINAL_PAYLOAD: f64 = 15_000.0;
/// From the point where the drum is held to its mass centre, m.
const CENTRE: f64 = 5.0;
/// Inertia of the drum about its axis, and across it about its mass centre, for each kg.
const ROLL: f64 = 2.0;
const ACROSS: f64 = 28.0 / 3.0;

/// Modes of a boom: two in each plane, one of stretch and one of twist, as `examples/shuttle-arm/stiffened.toml` has them.
pub const PLANT_MODES: ModeCounts = ModeCounts { bending_y: 2, bending_z: 2, stretch: 1, twist: 1 };
/// What the controller knows of them.
pub const KNOWN_MODES: ModeCounts = ModeCounts { bending_y: 2, bending_z: 2, stretch: 0, twist: 1 };
/// No modes: the rigid arm.
pub const NO_MODES: ModeCounts = ModeCounts { bending_y: 0, bending_z: 0, stretch: 0, twist: 0 };

/// Stiffness and damping of a joint servo, N m/rad and N m s/rad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    pub p: f64,
    pub d: f64,
}

/// An arm.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// Payload, kg.
    pub payload: f64,
    /// Factor of all stiffnesses.
    pub stiffness: f64,
    /// Modes of each boom, and their damping ratio.
    pub modes: ModeCounts,
    pub damping: f64,
    /// Joint servos, as springs and dampers in the hinges: what they hold is added as a force.
    pub servos: Option<[Gains; LINKS]>,
}

impl Arm {
    /// The model: six links, straight along x, with the payload at the tip of the last.
    pub fn build(&self) -> Result<Model, BuildError> {
        let mut builder = ModelBuilder::new();
        builder.elastic_rotation(ElasticRotation::Integrated);
        let mut parent = Parent::Ground;
        let mut bodies = Vec::new();
        for (i, link) in TABLE.iter().enumerate() {
            let name = format!("link {}", i + 1);
            let hinge =
                Hinge { name: Some(format!("hinge {}", i + 1)), ..Hinge::new(HingeKind::Revolute { axis: link.axis }) };
            let boom = [None, Some(Boom::Lower), Some(Boom::Upper)].get(i).copied().flatten();
            let (body, tip) = match boom {
                Some(boom) if self.modes.total() > 0 => {
                    let beam = self.beam(boom, i);
                    (beam.body(name, parent, hinge), beam.tip_node())
                }
                _ => (self.rigid(i, Body::new(name, parent, hinge)), NodeIndex(1)),
            };
            let body = builder.body(body);
            bodies.push(body);
            parent = Parent::Body(body, tip);
        }
        for (body, gains) in bodies.iter().zip(self.servos.iter().flatten()) {
            let spring = HingeSpring { stiffness: gains.p, rest: 0.0 };
            builder.force(ForceElement::new(spring, [Port::hinge(*body)]));
            builder.force(ForceElement::new(HingeDamping { damping: gains.d }, [Port::hinge(*body)]));
        }
        builder.build()
    }

    /// A boom with modes for all that it carries when the arm is straight.
    fn beam(&self, boom: Boom, link: usize) -> ModalBeam {
        let beam = boom.beam(supple::Fidelity::Stiffened);
        let beyond = &TABLE[link + 1..];
        let reach: f64 = beyond.iter().map(|link| link.length).sum::<f64>() + CENTRE;
        let mass = beyond.iter().map(|link| link.mass).sum::<f64>() + self.payload;
        let (roll, across) = (ROLL * self.payload, self.payload * (ACROSS + reach * reach));
        let inertia = [[roll, 0.0, 0.0], [0.0, across, 0.0], [0.0, 0.0, across]];
        let p = beam.properties;
        let k = self.stiffness;
        let properties = supple_bodies::section::BeamProperties {
            axial: k * p.axial,
            bending_y: k * p.bending_y,
            bending_z: k * p.bending_z,
            torsion: k * p.torsion,
            ..p
        };
        let carried = Fitting { mass, mass_centre: [0.0; 3], inertia };
        ModalBeam {
            support: Support::ClampedLoaded,
            carried,
            properties,
            modes: self.modes,
            damping_ratio: self.damping,
            ..beam
        }
    }

    /// A rod with its inertia at the inboard end and a marker at the other; the last one with the payload.
    fn rigid(&self, i: usize, body: Body) -> Body {
        let link = &TABLE[i];
        let (mut mass, mut moment) = (link.mass, 0.5 * link.mass * link.length);
        let (mut roll, mut pitch) = (link.roll_inertia, link.pitch_inertia());
        if i + 1 == LINKS {
            let arm = link.length + CENTRE;
            mass += self.payload;
            moment += self.payload * arm;
            roll += ROLL * self.payload;
            pitch += self.payload * (ACROSS + arm * arm);
        }
        let inertia = [[roll, 0.0, 0.0], [0.0, pitch, 0.0], [0.0, 0.0, pitch]];
        let end = Node { name: Some("tip".into()), position: [link.length, 0.0, 0.0], ..Node::default() };
        body.with_node(Node { mass, mass_centre: [moment / mass, 0.0, 0.0], inertia, ..Node::default() }).with_node(end)
    }
}

/// Places of the hinges among coordinates and speeds.
pub fn places(model: &Model) -> [[usize; 2]; LINKS] {
    std::array::from_fn(|i| [model.hinge_coordinates(BodyIndex(i)).start, model.hinge_speeds(BodyIndex(i)).start])
}

/// At rest and undeformed, with these hinge angles.
pub fn posed(model: &Model, pose: &[f64; LINKS]) -> State {
    let mut state = State::new(model);
    for (place, angle) in places(model).iter().zip(pose) {
        state.coordinates[place[0]] = *angle;
    }
    state
}

/// The tip node of a link.
pub fn tip(model: &Model, link: usize) -> (BodyIndex, NodeIndex) {
    let body = BodyIndex(link);
    let last = model.nodes_of(body).last().map_or(NodeIndex(0), |node| node.node());
    (body, last)
}
