//! Every state, input and output of a model by name, with unit and place: the source of all that names numbers.
//!
//! | prefix                                  | kind                                       |
//! |-----------------------------------------|--------------------------------------------|
//! | `time`                                  | time                                       |
//! | `hinge.`, `speed.`, `acceleration.`     | coordinates, speeds, accelerations of hinges |
//! | `mode.`, `mode_speed.`, `mode_acceleration.` | of modes, numbered from 1             |
//! | `attitude.`                             | integrated attitudes of nodes              |
//! | `force.`, `work.`                       | what drives of hinges exert and do         |
//! | `reaction.`                             | wrenches of hinges                         |
//! | `closure.`                              | closures: whether they act, distances, deviations, forces |
//! | `energy.`, `dissipated.`                | the energy ledger                          |
//! | `momentum.`, `angular_momentum.`, `centre_of_mass.` | momenta                        |
//! | `input.force.`, `input.mode_force.`, `input.acceleration.` | inputs                  |

use super::closure_variables;
use super::handle::NodeHandle;
use super::{BodyIndex, HingeKind, Model};

/// What a variable is, and which list its [`index`](Variable::index) counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum VariableKind {
    /// Time: [`State::time`](crate::State::time).
    Time,
    /// Coordinate of a hinge, in [`State::coordinates`](crate::State::coordinates).
    HingeCoordinate,
    /// Coordinate of a mode, in [`State::coordinates`](crate::State::coordinates).
    ModalCoordinate,
    /// Component of an integrated attitude, in [`State::attitudes`](crate::State::attitudes) end to end.
    Attitude,
    /// Speed of a hinge, in [`State::speeds`](crate::State::speeds).
    HingeSpeed,
    /// Speed of a mode, in [`State::speeds`](crate::State::speeds).
    ModalSpeed,
    /// Force in a hinge, in [`Inputs::forces`](crate::Inputs::forces).
    HingeForceInput,
    /// Force on a mode, in [`Inputs::forces`](crate::Inputs::forces).
    ModalForceInput,
    /// Acceleration of a hinge where it is prescribed, in [`Inputs::accelerations`](crate::Inputs::accelerations).
    HingeAccelerationInput,
    /// Acceleration of a hinge, in [`Solution::accelerations`](crate::Solution::accelerations).
    HingeAcceleration,
    /// Acceleration of a mode, in [`Solution::accelerations`](crate::Solution::accelerations).
    ModalAcceleration,
    /// Force of the drive in a hinge, in [`Solution::forces`](crate::Solution::forces).
    DriveForce,
    /// Component of the wrench of a hinge in body axes, six per body: [`Solution::hinge_wrench`](crate::Solution::hinge_wrench).
    Reaction,
    /// Whether a closure acts, 1 or 0, in [`State::closed`](crate::State::closed).
    ClosureState,
    /// Distance of the origins of the frames of a closure and angle between its frames, two per closure:
    /// [`closure_separation`](crate::closure_separation).
    ClosureSeparation,
    /// Deviation of an equation of a closure, in the order of [`closure_deviations`](crate::closure_deviations).
    ClosureDeviation,
    /// Component of the wrench of a closure on its frame `b` in inertial axes, six per closure:
    /// [`Solution::closure_wrenches`](crate::Solution::closure_wrenches).
    ClosureWrench,
    /// Force of a coupling of hinges, by closure: [`Solution::closure_forces`](crate::Solution::closure_forces).
    ClosureForce,
    /// Entry of the energy ledger, numbered as listed.
    Energy,
    /// Work of the drive of a hinge, by body.
    DriveWork,
    /// Component of momentum, angular momentum and mass centre, numbered as listed.
    Momentum,
    /// Position, attitude, velocity and angular velocity of a node, thirteen numbers.
    NodeMotion,
    /// Displacement of a node by deformation, three numbers.
    Deflection,
    /// Strain of a beam at a node, four numbers: [`Kinematics::node_strain`](crate::Kinematics::node_strain).
    Strain,
    /// Reading of a gyroscope on a node, three numbers: [`Kinematics::node_gyro`](crate::Kinematics::node_gyro).
    Gyro,
    /// Reading of an accelerometer on a node, three numbers: [`Kinematics::node_specific_force`](crate::Kinematics::node_specific_force).
    Accelerometer,
    /// Component of the wrench on a node in body axes, six numbers: [`Solution::node_wrench`](crate::Solution::node_wrench).
    NodeWrench,
}

/// What a variable is to the equations of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Part of the state, time included.
    State,
    /// Given from outside.
    Input,
    /// Computed.
    Output,
}

impl VariableKind {
    /// What it is to the equations of motion.
    pub fn role(self) -> Role {
        match self {
            Self::Time
            | Self::HingeCoordinate
            | Self::ModalCoordinate
            | Self::Attitude
            | Self::HingeSpeed
            | Self::ModalSpeed => Role::State,
            Self::HingeForceInput | Self::ModalForceInput | Self::HingeAccelerationInput => Role::Input,
            _ => Role::Output,
        }
    }
}

/// A number of a model by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name, unique among the variables of a model; columns of results have the same.
    pub name: String,
    /// Its unit in SI, "1" for pure numbers. Modal coordinates are pure numbers: shapes carry the dimension.
    pub unit: &'static str,
    /// What it is.
    pub description: &'static str,
    /// Its kind.
    pub kind: VariableKind,
    /// Its place in the list of its kind.
    pub index: usize,
    /// The body it belongs to.
    pub body: Option<BodyIndex>,
}

/// Axes of vectors.
const AXES: [&str; 3] = ["x", "y", "z"];
/// Components of quaternions.
const QUATERNION: [&str; 4] = ["qx", "qy", "qz", "qw"];

/// Endings and units of the names of the coordinates of a hinge.
pub fn coordinate_names(kind: &HingeKind) -> &'static [(&'static str, &'static str)] {
    const BALL: [(&str, &str); 4] = [(".qx", "1"), (".qy", "1"), (".qz", "1"), (".qw", "1")];
    const POSE: [(&str, &str); 7] =
        [(".qx", "1"), (".qy", "1"), (".qz", "1"), (".qw", "1"), (".x", "m"), (".y", "m"), (".z", "m")];
    match kind {
        HingeKind::Fixed => &[],
        HingeKind::Revolute { .. } | HingeKind::Screw { .. } => &[("", "rad")],
        HingeKind::Prismatic { .. } => &[("", "m")],
        HingeKind::Universal { .. } => &[(".1", "rad"), (".2", "rad")],
        HingeKind::Cylindrical { .. } => &[(".angle", "rad"), (".displacement", "m")],
        HingeKind::Planar { .. } => &[(".x", "m"), (".y", "m"), (".angle", "rad")],
        HingeKind::Spherical => &BALL,
        HingeKind::Free => &POSE,
    }
}

/// Endings of the names of the speeds of a hinge, and whether they turn.
pub fn speed_names(kind: &HingeKind) -> &'static [(&'static str, bool)] {
    match kind {
        HingeKind::Fixed => &[],
        HingeKind::Revolute { .. } | HingeKind::Screw { .. } => &[("", true)],
        HingeKind::Prismatic { .. } => &[("", false)],
        HingeKind::Universal { .. } => &[(".1", true), (".2", true)],
        HingeKind::Cylindrical { .. } => &[(".angle", true), (".displacement", false)],
        HingeKind::Planar { .. } => &[(".x", false), (".y", false), (".angle", true)],
        HingeKind::Spherical => &[(".wx", true), (".wy", true), (".wz", true)],
        HingeKind::Free => {
            &[(".wx", true), (".wy", true), (".wz", true), (".vx", false), (".vy", false), (".vz", false)]
        }
    }
}

/// Quantities at the speeds of a hinge: prefix, units where it turns and where it slides, description, kind.
const AT_SPEEDS: [(&str, [&str; 2], &str, VariableKind); 5] = [
    ("speed", ["rad/s", "m/s"], "hinge speed", VariableKind::HingeSpeed),
    ("input.force", ["N m", "N"], "force in the hinge", VariableKind::HingeForceInput),
    ("input.acceleration", ["rad/s²", "m/s²"], "prescribed hinge acceleration", VariableKind::HingeAccelerationInput),
    ("acceleration", ["rad/s²", "m/s²"], "hinge acceleration", VariableKind::HingeAcceleration),
    ("force", ["N m", "N"], "force of the drive in the hinge", VariableKind::DriveForce),
];

/// Quantities of a mode.
const AT_MODES: [(&str, &str, &str, VariableKind); 4] = [
    ("mode", "1", "modal coordinate", VariableKind::ModalCoordinate),
    ("mode_speed", "1/s", "modal speed", VariableKind::ModalSpeed),
    ("input.mode_force", "J", "force on the mode", VariableKind::ModalForceInput),
    ("mode_acceleration", "1/s²", "modal acceleration", VariableKind::ModalAcceleration),
];

/// The energy ledger, as [`Ledger`](crate::integrate::Ledger) keeps it.
const LEDGER: [(&str, &str); 10] = [
    ("energy.kinetic", "kinetic energy"),
    ("energy.elastic", "elastic energy"),
    ("energy.gravitational", "gravitational energy"),
    ("energy.hinges", "energy stored in springs and stops of hinges"),
    ("energy.total", "total energy"),
    ("work.drives", "work of all drives since the start"),
    ("work.wrenches", "work of external wrenches"),
    ("dissipated.modes", "energy dissipated by modal damping"),
    ("dissipated.hinges", "energy dissipated by damping, friction and stops of hinges"),
    ("energy.balance_error", "error of the energy balance"),
];

/// What closures add to it.
const CLOSED_LEDGER: [(&str, &str); 2] = [
    ("dissipated.impacts", "energy lost where closures closed while their frames moved"),
    ("work.projection", "energy that came with bringing the state back onto the closures"),
];

/// Momenta, by [`momentum`](crate::momentum).
const MOMENTA: [(&str, &str, &str); 3] = [
    ("momentum", "kg m/s", "linear momentum"),
    ("angular_momentum", "kg m²/s", "angular momentum about the inertial origin"),
    ("centre_of_mass", "m", "mass centre of the system"),
];

/// Variables in the making.
pub(super) struct List(Vec<Variable>);

impl List {
    pub(super) fn add(
        &mut self,
        name: String,
        (unit, description): (&'static str, &'static str),
        (kind, index): (VariableKind, usize),
        body: Option<usize>,
    ) {
        self.0.push(Variable { name, unit, description, kind, index, body: body.map(BodyIndex) });
    }

    /// Moment and force, numbered from `first`.
    pub(super) fn add_wrench(
        &mut self,
        name: &str,
        description: &'static str,
        (kind, first): (VariableKind, usize),
        body: Option<usize>,
    ) {
        for (part, (half, unit)) in [("moment", "N m"), ("force", "N")].into_iter().enumerate() {
            for (i, axis) in AXES.iter().enumerate() {
                let at = (kind, first + 3 * part + i);
                self.add(format!("{name}.{half}.{axis}"), (unit, description), at, body);
            }
        }
    }
}

/// Strains of a beam, by [`Kinematics::node_strain`](crate::Kinematics::node_strain).
const STRAINS: [(&str, &str, &str); 4] = [
    ("stretch", "1", "stretch of the beam"),
    ("curvature_y", "1/m", "curvature about y of the beam"),
    ("curvature_z", "1/m", "curvature about z of the beam"),
    ("twist", "rad/m", "twist of the beam"),
];

/// Prefix, unit, meaning and kind of what inertial sensors on a node read.
const SENSED: [(&str, &str, &str, VariableKind); 2] = [
    ("gyro", "rad/s", "angular velocity in node axes", VariableKind::Gyro),
    ("accelerometer", "m/s²", "acceleration less gravity, in node axes", VariableKind::Accelerometer),
];

impl<T> Model<T> {
    /// Whether the strain of a beam is known at a node.
    pub fn strains_are_known(&self, node: NodeHandle) -> bool {
        let of_body = self.node_name(node).and_then(|_| self.names.strains.get(node.body().0));
        of_body.and_then(|nodes| nodes.get(node.node().0)).is_some_and(|strain| !strain.is_empty())
    }

    /// Every state, input and output by name, unit and place; those of nodes are apart, see [`node_variables`](Self::node_variables).
    ///
    /// In the order of bodies within each kind, which is that of the columns of results.
    ///
    /// ```
    /// use supple::model::VariableKind;
    /// use supple::{Body, Hinge, HingeKind, ModelBuilder, Parent};
    ///
    /// let mut builder = ModelBuilder::new();
    /// let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
    /// let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
    /// builder.body(Body::rigid("bob", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], inertia));
    /// let variables = builder.build()?.variables();
    ///
    /// let speed = variables.iter().find(|v| v.kind == VariableKind::HingeSpeed).unwrap();
    /// assert_eq!((speed.name.as_str(), speed.unit, speed.index), ("speed.bob", "rad/s", 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn variables(&self) -> Vec<Variable> {
        let mut list = List(Vec::new());
        list.add("time".into(), ("s", "simulated time"), (VariableKind::Time, 0), None);
        let bodies = || self.topology.bodies.iter().zip(&self.names.hinges).zip(&self.names.kinds).enumerate();
        for (k, ((body, hinge), kind)) in bodies() {
            for ((part, unit), i) in coordinate_names(kind).iter().zip(body.theta()) {
                let (what, at) = ((*unit, "hinge coordinate"), (VariableKind::HingeCoordinate, i));
                list.add(format!("hinge.{hinge}{part}"), what, at, Some(k));
            }
        }
        for (prefix, units, what, variable) in AT_SPEEDS {
            for (k, ((body, hinge), kind)) in bodies() {
                for ((part, turns), i) in speed_names(kind).iter().zip(body.beta()) {
                    let unit = units[usize::from(!turns)];
                    list.add(format!("{prefix}.{hinge}{part}"), (unit, what), (variable, i), Some(k));
                }
            }
        }
        for (prefix, unit, what, variable) in AT_MODES {
            for (k, ((body, _), _)) in bodies() {
                let places = if variable == VariableKind::ModalCoordinate { body.eta() } else { body.eta_dot() };
                for (r, i) in places.enumerate() {
                    list.add(format!("{prefix}.{}.{}", body.name, r + 1), (unit, what), (variable, i), Some(k));
                }
            }
        }
        for (i, (body, node)) in self.topology.attitude_nodes.iter().enumerate() {
            let (body_name, node) = (&self.topology.bodies[body.0].name, &self.names.nodes[body.0][node.0]);
            for (j, part) in QUATERNION.iter().enumerate() {
                let (name, at) = (format!("attitude.{body_name}.{node}.{part}"), (VariableKind::Attitude, 4 * i + j));
                list.add(name, ("1", "elastic rotation of the node"), at, Some(body.0));
            }
        }
        for (k, hinge) in self.names.hinges.iter().enumerate() {
            let what = "wrench of the hinge on its body, about the hinge, in body axes";
            list.add_wrench(&format!("reaction.{hinge}"), what, (VariableKind::Reaction, 6 * k), Some(k));
        }
        closure_variables::add(self, &mut list);
        let of_closures = CLOSED_LEDGER.into_iter().filter(|_| !self.closures().is_empty());
        for (i, (name, what)) in LEDGER.into_iter().chain(of_closures).enumerate() {
            list.add(name.into(), ("J", what), (VariableKind::Energy, i), None);
        }
        for (k, ((_, hinge), _)) in bodies().filter(|(_, ((body, _), _))| !body.hinge.is_empty()) {
            let what = ("J", "work of this drive since the start");
            list.add(format!("work.{hinge}"), what, (VariableKind::DriveWork, k), Some(k));
        }
        for (i, (name, unit, what)) in MOMENTA.into_iter().enumerate() {
            for (j, axis) in AXES.iter().enumerate() {
                list.add(format!("{name}.{axis}"), (unit, what), (VariableKind::Momentum, 3 * i + j), None);
            }
        }
        list.0
    }

    /// Motion, deflection, strain where it is known, readings of inertial sensors and wrench of a node by name; none for a node of another model.
    pub fn node_variables(&self, node: NodeHandle) -> Vec<Variable> {
        let mut list = List(Vec::new());
        let Some(node_name) = self.node_name(node) else { return list.0 };
        let k = node.body().0;
        let name = format!("{}.{node_name}", self.topology.bodies[k].name);
        let motion = AXES.iter().map(|axis| ((*axis).to_string(), "m", "position"));
        let motion = motion.chain(QUATERNION.iter().map(|q| ((*q).to_string(), "1", "attitude")));
        let motion = motion.chain(AXES.iter().map(|axis| (format!("v{axis}"), "m/s", "velocity")));
        let motion = motion.chain(AXES.iter().map(|axis| (format!("w{axis}"), "rad/s", "angular velocity")));
        for (i, (part, unit, what)) in motion.enumerate() {
            list.add(format!("node.{name}.{part}"), (unit, what), (VariableKind::NodeMotion, i), Some(k));
        }
        for (i, axis) in AXES.iter().enumerate() {
            let (what, at) = (("m", "displacement by deformation"), (VariableKind::Deflection, i));
            list.add(format!("deflection.{name}.{axis}"), what, at, Some(k));
        }
        if self.strains_are_known(node) {
            for (i, (part, unit, what)) in STRAINS.into_iter().enumerate() {
                list.add(format!("strain.{name}.{part}"), (unit, what), (VariableKind::Strain, i), Some(k));
            }
        }
        for (prefix, unit, what, kind) in SENSED {
            for (i, axis) in AXES.iter().enumerate() {
                list.add(format!("{prefix}.{name}.{axis}"), (unit, what), (kind, i), Some(k));
            }
        }
        let what = "wrench of children and loads on the node, in body axes";
        list.add_wrench(&format!("wrench.{name}"), what, (VariableKind::NodeWrench, 0), Some(k));
        list.0
    }
}
