//! Who carries whom, and where the numbers of each body sit in the flat arenas.

use super::hinge::HingeAxis;
use super::{BodyIndex, NodeIndex};
use crate::model::description::{ElasticRotation, InertiaConvention};
use std::ops::Range;

/// Places of one body. Arenas are flat vectors shared by all bodies.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BodyTopology {
    /// Name as told.
    pub name: String,
    /// Parent body; `None` on the ground.
    pub parent: Option<usize>,
    /// The parent's node that this body's hinge sits on.
    pub parent_node: usize,
    /// The parent's carrier that holds this body's hinge.
    pub carrier: usize,
    /// Whether this body is the first, in an inward sweep, to reach its carrier.
    pub first_on_carrier: bool,
    /// Number of modes.
    pub modes: usize,
    /// Coordinates `[η, θ]` in a state.
    pub coordinates: Range<usize>,
    /// Speeds `[η̇, β]` in a state.
    pub speeds: Range<usize>,
    /// Modes in an arena with one entry per mode.
    pub modal: Range<usize>,
    /// Hinge speeds in an arena with one entry per hinge speed.
    pub hinge: Range<usize>,
    /// Distinct nodes that carry children, in an arena with one entry per carrier.
    pub carriers: Range<usize>,
    /// Modes of every carrier, in an arena with one entry per carrier and mode.
    pub carried_modes: Range<usize>,
    /// Nodes in an arena with one entry per node.
    pub nodes: Range<usize>,
    /// Packed triangle of size `modes`.
    pub modal_triangle: Range<usize>,
    /// Packed triangle of the size of the hinge.
    pub hinge_triangle: Range<usize>,
    /// Number of second-order shapes that the body uses.
    pub slaves: usize,
    /// Second-order shapes, in an arena with one entry per shape.
    pub slave: Range<usize>,
    /// Their gains, in an arena with one number per shape and mode.
    pub slave_gain: Range<usize>,
    /// Modes and second-order shapes, in an arena with one entry for each.
    pub augmented: Range<usize>,
    /// Number of tip modes: rank of the compliance of all carriers together.
    pub rank: usize,
    /// Tip modes, in an arena with one entry per tip mode.
    pub tip: Range<usize>,
    /// Tip modes of every carrier, in an arena with one entry per carrier and tip mode.
    pub carried_tip: Range<usize>,
    /// Shapes of the tip modes, in an arena with one number per mode and tip mode.
    pub tip_shapes: Range<usize>,
    /// Packed triangle of size `rank`.
    pub tip_triangle: Range<usize>,
    /// Node at the hinge.
    pub inboard_node: usize,
    /// Attitude state of the inboard node, where it has one.
    pub inboard_attitude: Option<usize>,
    /// Axis of the hinge, where its joint map is an axis of `F_k` whatever the deformation; `F_k` is at `O` then.
    pub axis: HingeAxis,
    /// The inboard node moves with the modes.
    pub free_free: bool,
    /// Its modes move a node that carries a child or sits at the hinge, or it has second-order shapes.
    pub moves_nodes: bool,
    /// Neither side of the hinge moves with modes, and `F_k` is at `O`.
    pub rigid_link: bool,
    /// No modes, and a rigid link of one axis to a parent.
    pub plain: bool,
}

impl BodyTopology {
    /// Number of hinge speeds.
    #[inline(always)]
    pub fn hinge_speeds(&self) -> usize {
        self.hinge.len()
    }

    /// Modal coordinates in a state.
    #[inline(always)]
    pub fn eta(&self) -> Range<usize> {
        self.coordinates.start..self.coordinates.start + self.modes
    }

    /// Hinge coordinates in a state.
    #[inline(always)]
    pub fn theta(&self) -> Range<usize> {
        self.coordinates.start + self.modes..self.coordinates.end
    }

    /// Modal speeds in a state.
    #[inline(always)]
    pub fn eta_dot(&self) -> Range<usize> {
        self.speeds.start..self.speeds.start + self.modes
    }

    /// Hinge speeds in a state.
    #[inline(always)]
    pub fn beta(&self) -> Range<usize> {
        self.speeds.start + self.modes..self.speeds.end
    }

    /// Modes of carrier `c` (an arena index) in the arena of carried modes.
    #[inline(always)]
    pub fn modes_of_carrier(&self, c: usize) -> Range<usize> {
        let at = self.carried_modes.start + (c - self.carriers.start) * self.modes;
        at..at + self.modes
    }

    /// Tip modes of carrier `c` (an arena index) in the arena of carried tip modes.
    #[inline(always)]
    pub fn tip_of_carrier(&self, c: usize) -> Range<usize> {
        let at = self.carried_tip.start + (c - self.carriers.start) * self.rank;
        at..at + self.rank
    }
}

/// A node that carries children. Nodes that no mode moves share one carrier of their body, at `F_k`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CarrierTopology {
    /// The node, or the first that no mode moves.
    pub node: usize,
    /// Its attitude state, where it has one.
    pub attitude: Option<usize>,
}

/// A row of bodies without modes, each the parent of the next and numbered after it; or one body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Run {
    /// Hinge speeds in an arena with one entry per hinge speed.
    pub hinge: Range<usize>,
    /// The first of them in a state.
    pub speed: usize,
    /// Number of modes, of one body.
    pub modes: usize,
    /// Parent of the first body.
    pub parent: Option<usize>,
    /// The parent's carrier that holds the first body.
    pub carrier: usize,
}

/// A body between a closure and the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PathBody {
    /// The body.
    pub body: usize,
    /// The first of its places among the slots of the closure, one for each of its speeds: modes, then hinge.
    pub slot: usize,
    /// The first of its places among the unknowns of secondary systems, where it belongs to one.
    pub unknown: Option<usize>,
}

/// Where a frame of a closure is fixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Side {
    pub body: usize,
    pub carrier: usize,
    pub node: usize,
}

/// Places of one closure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ClosureTopology {
    /// Equations, in an arena with one entry for each.
    pub rows: Range<usize>,
    /// Where the two frames of a joint are fixed; none on the ground.
    pub sides: [Option<Side>; 2],
    /// Coordinate and speed of the hinges of a coupling.
    pub hinges: Vec<(usize, usize)>,
    /// The bodies that it moves, outboard ones first.
    pub path: Vec<PathBody>,
    /// Number of speeds of these bodies.
    pub slots: usize,
    /// Rows and slots, in an arena with one number for each pair.
    pub innovations: Range<usize>,
    /// Rows and bodies of the path, in an arena with one force for each pair.
    pub residuals: Range<usize>,
}

/// Closures that move a body in common, directly or by others between them: their forces follow from one matrix.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ClosureGroup {
    /// The closures.
    pub closures: Vec<usize>,
    /// Their equations.
    pub rows: Range<usize>,
    /// Packed triangle of the size of the rows.
    pub triangle: Range<usize>,
    /// A tree without which the closures fall apart, where the forces follow from its speeds with less work.
    pub secondary: Option<Secondary>,
}

/// The secondary system of a group: a tree, such as a payload, that joins closures which have nothing else that moves in common.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Secondary {
    /// Its bodies between closures and the ground.
    pub bodies: Vec<usize>,
    /// Their speeds, in an arena with one entry for each.
    pub unknowns: Range<usize>,
    /// Closures that have a body of the primary system that moves in common.
    pub parts: Vec<Part>,
    /// Equations and unknowns, in an arena with one number for each pair.
    pub couplings: Range<usize>,
    /// Packed triangle of the size of the unknowns.
    pub triangle: Range<usize>,
}

/// Closures of a group that the primary system couples.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// The closures.
    pub closures: Vec<usize>,
    /// Their equations.
    pub rows: Range<usize>,
    /// Packed triangle of the size of the rows, in an arena of its own.
    pub triangle: Range<usize>,
}

/// The shape of a system: no numbers of its physics.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Topology {
    /// Distinguishes models, so that a workspace of another one is refused.
    pub stamp: u64,
    /// Elastic rotation of hinge-carrying nodes.
    pub elastic_rotation: ElasticRotation,
    /// Equations of nodal inertias.
    pub inertia: InertiaConvention,
    /// Bodies, parents first.
    pub bodies: Vec<BodyTopology>,
    /// Per body: the longest run that ends with it.
    pub runs: Vec<Run>,
    /// All carriers.
    pub carriers: Vec<CarrierTopology>,
    /// Every body is the parent of the next: all speeds share one path.
    pub serial: bool,
    /// Coordinates at which the unit quaternion of a hinge starts.
    pub quaternions: Vec<usize>,
    /// Bodies with modes.
    pub flexible: Vec<usize>,
    /// Some body needs gravity in its own axes, for masses whose offset its modes turn.
    pub weighs_offsets: bool,
    /// Nodes with an attitude state, in the order of the state.
    pub attitude_nodes: Vec<(BodyIndex, NodeIndex)>,
    /// Closures.
    pub closures: Vec<ClosureTopology>,
    /// The same in groups that share nothing that moves.
    pub closure_groups: Vec<ClosureGroup>,
    /// Carriers that carry no body: nodes of closures alone.
    pub bare_carriers: Vec<usize>,
    /// Sizes of the arenas.
    pub sizes: Sizes,
}

/// Lengths of the flat arenas.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sizes {
    /// Coordinates of a state.
    pub coordinates: usize,
    /// Speeds of a state.
    pub speeds: usize,
    /// Modes of all bodies.
    pub modal: usize,
    /// Hinge speeds of all bodies.
    pub hinge: usize,
    /// Nodes of all bodies.
    pub nodes: usize,
    /// Carriers and modes.
    pub carried_modes: usize,
    /// Packed modal triangles.
    pub modal_triangle: usize,
    /// Packed hinge triangles.
    pub hinge_triangle: usize,
    /// Second-order shapes of all bodies.
    pub slave: usize,
    /// Second-order shapes and modes.
    pub slave_gain: usize,
    /// Modes and second-order shapes of all bodies.
    pub augmented: usize,
    /// Largest number of modes and second-order shapes of a body.
    pub most_augmented: usize,
    /// Tip modes of all bodies.
    pub tip: usize,
    /// Carriers and tip modes.
    pub carried_tip: usize,
    /// Modes and tip modes.
    pub tip_shapes: usize,
    /// Packed triangles of tip modes.
    pub tip_triangle: usize,
    /// Largest number of modes of a body.
    pub most_modes: usize,
}
