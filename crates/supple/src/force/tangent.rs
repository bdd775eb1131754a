//! How the forces of elements change with the motion of their ports, by dual numbers.
//!
//! With `f` the forces at the ports of an element and `x`, `v` their displacements and velocities, `K = -∂f/∂x` and `C = -∂f/∂v`. On the
//! whole system they act as `U K U*` and `U C U*`, with the generalized force of a unit force at a port in each column of `U`. How the
//! columns themselves turn under a force that acts is not in `U K U*`.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::element::{Elements, PortPlace};
use super::port::{Effect, Energies, Measured, PortForce, PortState};
use crate::check;
use crate::error::DynamicsError;
use crate::kinematics::carry_inward;
use crate::model::Model;
use crate::state::State;
use crate::sweep::newton_euler::add_nodal_force;
use crate::sweep::port::{body_inertia, measure, port_node};
use crate::workspace::Workspace;
use supple_spatial::{Dual, Force, Matrix3, Motion, Scalar, Symmetric3, Vector3};

/// Tangents of the force elements of a model, with the memory to evaluate them.
///
/// ```
/// # use supple::{Body, Hinge, HingeKind, ModelBuilder, Parent, State, Workspace};
/// use supple::force::{ElementTangents, ForceElement, HingeSpring, Port};
/// # let mut builder = ModelBuilder::new();
/// # let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
/// # let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
/// # let door = builder.body(Body::rigid("door", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], inertia));
/// builder.force(ForceElement::new(HingeSpring { stiffness: 3.0, rest: 0.0 }, [Port::hinge(door)]));
/// let model = builder.build()?;
/// let mut tangents = ElementTangents::new(&model);
/// tangents.update(&model, &State::new(&model), &mut Workspace::new(&model))?;
/// let mut matrix = [0.0];
/// tangents.add_to([0.0, 1.0], &mut matrix);
/// assert_eq!(matrix, [3.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ElementTangents {
    stamp: u64,
    speeds: usize,
    /// The elements in dual numbers; those left out of implicit schemes too.
    elements: Elements<Dual<f64>>,
    blocks: Vec<Block>,
    /// `K` and `C` of each element, by rows.
    stiffness: Vec<f64>,
    damping: Vec<f64>,
    /// Columns of `U`, one after the other.
    columns: Vec<f64>,
    ports: Vec<PortState<f64>>,
    moved: Vec<PortState<Dual<f64>>>,
    effects: Vec<PortForce<Dual<f64>>>,
    /// Inputs of the elements.
    inputs: Vec<Dual<f64>>,
    /// Per element and port: what its law does to it at the state itself.
    acting: Vec<PortForce<f64>>,
}

/// Where the numbers of an element lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// Its place among the elements of the model.
    pub element: usize,
    /// First of its directions.
    pub start: usize,
    /// Number of its directions.
    pub size: usize,
    /// Start of its matrices.
    pub at: usize,
    /// The first of its ports among those of all elements.
    pub port: usize,
}

/// Directions of a rigid motion: angular before linear.
const RIGID: usize = 6;
/// Those, three of the first moment and six of the inertia.
const DEFORMED: usize = 15;

impl Model {
    /// Whether it has force elements whose stiffness and damping implicit schemes solve for.
    pub fn has_stiff_elements(&self) -> bool {
        self.elements.list.iter().any(|element| element.law.is_stiff())
    }
}

impl ElementTangents {
    /// Memory for all elements of `model`.
    pub fn new(model: &Model) -> Self {
        Self::of(model, |_| true)
    }

    /// Memory for the elements that implicit schemes take.
    pub(crate) fn stiff(model: &Model) -> Self {
        Self::of(model, |element| model.elements.list[element].law.is_stiff())
    }

    fn of(model: &Model, takes: impl Fn(usize) -> bool) -> Self {
        // The macro lists dual numbers for every law.
        let elements = model.elements.cast().unwrap_or_else(|_| Elements::new(Vec::new()));
        let (mut blocks, mut start, mut at, mut port) = (Vec::new(), 0, 0, 0);
        for (element, data) in model.elements.list.iter().enumerate().take(elements.list.len()) {
            let size = data.ports.iter().map(|port| directions(model, port)).sum();
            if size > 0 && takes(element) {
                blocks.push(Block { element, start, size, at, port });
                start += size;
                at += size * size;
            }
            port += data.ports.len();
        }
        let (most, speeds) = (elements.most_ports, model.speed_count());
        Self {
            stamp: model.topology.stamp,
            speeds,
            elements,
            blocks,
            stiffness: vec![0.0; at],
            damping: vec![0.0; at],
            columns: vec![0.0; start * speeds],
            ports: vec![PortState::ZERO; most],
            moved: vec![PortState::ZERO; most],
            effects: vec![PortForce::ZERO; most],
            inputs: vec![Dual::ZERO; model.elements.inputs()],
            acting: vec![PortForce::ZERO; port],
        }
    }

    /// Evaluates the tangents at a state. No allocation.
    ///
    /// # Errors
    /// Another model, sizes that do not fit or numbers that are not finite.
    pub fn update(&mut self, model: &Model, state: &State, workspace: &mut Workspace) -> Result<(), DynamicsError> {
        if self.stamp != model.topology.stamp {
            return Err(DynamicsError::WrongModel);
        }
        crate::energy::place_and_move(model, state, workspace)?;
        self.evaluate(model, state, workspace);
        check::result("tangents", &self.stiffness, None)?;
        check::result("tangents", &self.damping, None)
    }

    /// Adds `c U C U* + k U K U*` to a square matrix by rows, one for each speed.
    ///
    /// # Panics
    /// Where `matrix` has not the square of the number of speeds.
    #[track_caller]
    pub fn add_to(&self, [c, k]: [f64; 2], matrix: &mut [f64]) {
        let n = self.speeds;
        assert_eq!(matrix.len(), n * n, "entries of the matrix");
        for block in &self.blocks {
            for i in 0..block.size {
                for j in 0..block.size {
                    let s = self.entry(block, [c, k], i, j);
                    let (left, right) = (self.column(block.start + i), self.column(block.start + j));
                    for (row, x) in matrix.chunks_exact_mut(n).zip(left).filter(|(_, x)| **x != 0.0) {
                        row.iter_mut().zip(right).for_each(|(entry, y)| *entry += s * x * y);
                    }
                }
            }
        }
    }

    /// Entry of `c C + k K` of an element.
    pub(crate) fn entry(&self, block: &Block, [c, k]: [f64; 2], i: usize, j: usize) -> f64 {
        let at = block.at + i * block.size + j;
        c * self.damping[at] + k * self.stiffness[at]
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// A column of `U`.
    pub(crate) fn column(&self, j: usize) -> &[f64] {
        &self.columns[j * self.speeds..(j + 1) * self.speeds]
    }

    /// Sets the inputs of the elements, which are zero before.
    pub(crate) fn set_inputs(&mut self, inputs: &[f64]) {
        self.inputs.iter_mut().zip(inputs).for_each(|(to, from)| *to = Dual::constant(*from));
    }

    /// What the law of an element does to its ports.
    pub(crate) fn acting(&self, block: &Block) -> &[PortForce<f64>] {
        &self.acting[block.port..]
    }

    /// Number of columns.
    pub(crate) fn size(&self) -> usize {
        self.columns.len() / self.speeds.max(1)
    }

    /// [`update`](Self::update), where poses and velocities are there.
    pub(crate) fn evaluate(&mut self, model: &Model, state: &State, ws: &mut Workspace) {
        self.columns.fill(0.0);
        for b in 0..self.blocks.len() {
            let block = self.blocks[b];
            let ports = &model.elements.list[block.element].ports;
            for (i, port) in ports.iter().enumerate() {
                self.ports[i] = measure(model, state, port, &ws.configuration, &ws.velocity, &mut ws.applied);
            }
            let mut j = 0;
            for (p, port) in ports.iter().enumerate() {
                for direction in 0..directions(model, port) {
                    let at = (block.start + j) * self.speeds;
                    write_column(model, state, port, direction, ws, &mut self.columns[at..at + self.speeds]);
                    self.differentiate(model, state, block, (p, port, direction), j);
                    j += 1;
                }
            }
            for (acting, effect) in self.acting[block.port..].iter_mut().zip(&self.effects[..ports.len()]) {
                *acting = values(effect);
            }
        }
    }

    /// Column `j` of `K` and `C` of an element: its port `p` moves along one direction.
    fn differentiate(
        &mut self,
        model: &Model,
        state: &State,
        block: Block,
        (p, port, direction): (usize, &PortPlace<f64>, usize),
        j: usize,
    ) {
        let (element, data) = (&self.elements.list[block.element], &model.elements.list[block.element]);
        let n = data.ports.len();
        for velocity in [false, true] {
            for (moved, at) in self.moved[..n].iter_mut().zip(&self.ports) {
                *moved = constant(at);
            }
            match velocity {
                false => displace(&mut self.moved[p], port, direction),
                true => accelerate(&mut self.moved[p], port, direction),
            }
            self.effects[..n].fill(PortForce::ZERO);
            let measured = Measured { time: Dual::constant(state.time), ports: &self.moved[..n] };
            let mut effect = Effect { ports: &mut self.effects[..n], energy: Energies::ZERO };
            if element.acts(&state.closed) {
                element.act(Some(&self.inputs), &measured, &mut effect);
            }
            let out = if velocity { &mut self.damping } else { &mut self.stiffness };
            let mut i = 0;
            for (port, effect) in data.ports.iter().zip(&self.effects) {
                for force in &forces(port, effect)[..directions(model, port)] {
                    out[block.at + i * block.size + j] = -force.derivative;
                    i += 1;
                }
            }
        }
    }
}

/// Number of directions in which a port moves.
pub(crate) fn directions(model: &Model, port: &PortPlace<f64>) -> usize {
    match port {
        PortPlace::Hinge { .. } => 1,
        PortPlace::Node { .. } => RIGID,
        PortPlace::Ground(_) => 0,
        PortPlace::Body(body) if model.topology.bodies[*body].modes > 0 => DEFORMED,
        PortPlace::Body(_) => RIGID,
    }
}

/// A state that does not move.
fn constant(at: &PortState<f64>) -> PortState<Dual<f64>> {
    let vector = |v: Vector3<f64>| Vector3(v.0.map(Dual::constant));
    PortState {
        coordinate: Dual::constant(at.coordinate),
        speed: Dual::constant(at.speed),
        position: vector(at.position),
        attitude: Matrix3(at.attitude.0.map(|row| row.map(Dual::constant))),
        velocity: Motion::new(vector(at.velocity.angular), vector(at.velocity.linear)),
        inertia: supple_spatial::RigidInertia {
            mass: Dual::constant(at.inertia.mass),
            moment: vector(at.inertia.moment),
            inertia: Symmetric3(at.inertia.inertia.0.map(Dual::constant)),
        },
    }
}

/// The values of forces.
fn values(effect: &PortForce<Dual<f64>>) -> PortForce<f64> {
    PortForce {
        hinge: effect.hinge.value,
        wrench: Force::from_array(effect.wrench.to_array().map(|x| x.value)),
        on_moment: Vector3(effect.on_moment.0.map(|x| x.value)),
        on_inertia: Symmetric3(effect.on_inertia.0.map(|x| x.value)),
    }
}

/// Displaces a port by a unit, in inertial axes.
fn displace(at: &mut PortState<Dual<f64>>, port: &PortPlace<f64>, direction: usize) {
    match (port, direction) {
        (PortPlace::Hinge { .. }, _) => at.coordinate.derivative = 1.0,
        (_, 0..3) => {
            let axis = Matrix3::<f64>::IDENTITY.row(direction);
            for j in 0..3 {
                let column = Vector3(std::array::from_fn(|i| at.attitude.0[i][j].value));
                let turned = axis.cross(column);
                (0..3).for_each(|i| at.attitude.0[i][j].derivative = turned[i]);
            }
        }
        (_, 3..6) => at.position[direction - 3].derivative = 1.0,
        (_, 6..9) => at.inertia.moment[direction - 6].derivative = 1.0,
        _ => at.inertia.inertia.0[direction - 9].derivative = 1.0,
    }
}

/// Changes the velocity of a port by a unit, in inertial axes.
fn accelerate(at: &mut PortState<Dual<f64>>, port: &PortPlace<f64>, direction: usize) {
    match (port, direction) {
        (PortPlace::Hinge { .. }, _) => at.speed.derivative = 1.0,
        (_, 0..3) => at.velocity.angular[direction].derivative = 1.0,
        (_, 3..6) => at.velocity.linear[direction - 3].derivative = 1.0,
        _ => {}
    }
}

/// Forces in the directions of a port.
fn forces(port: &PortPlace<f64>, effect: &PortForce<Dual<f64>>) -> [Dual<f64>; DEFORMED] {
    let mut out = [Dual::ZERO; DEFORMED];
    if let PortPlace::Hinge { .. } = port {
        out[0] = effect.hinge;
        return out;
    }
    out[..RIGID].copy_from_slice(&effect.wrench.to_array());
    out[RIGID..9].copy_from_slice(&effect.on_moment.0);
    for (i, x) in effect.on_inertia.0.into_iter().enumerate() {
        // An off-diagonal entry of the inertia stands for two.
        out[9 + i] = if i < 3 { x } else { x + x };
    }
    out
}

/// The generalized force of a unit force in one direction of a port.
fn write_column(
    model: &Model,
    state: &State,
    port: &PortPlace<f64>,
    direction: usize,
    ws: &mut Workspace,
    column: &mut [f64],
) {
    let unit = || {
        let mut unit = [0.0; RIGID];
        unit[direction] = 1.0;
        Force::from_array(unit)
    };
    match *port {
        PortPlace::Hinge { speed, .. } => column[speed] = 1.0,
        PortPlace::Ground(_) => {}
        PortPlace::Node { body, node, attitude } => {
            let top = &model.topology.bodies[body];
            let f = unit().rotate_back(&ws.configuration.world_rotation[body]);
            let place = port_node(model, state, (body, node, attitude), &ws.configuration);
            let (data, second) = (&model.bodies[body].nodes[node], ws.configuration.slaves(top));
            add_nodal_force(data, &place, second, f, &mut column[top.eta_dot()]);
            carry_inward(model, body, f.shift(place.position), ws, column);
        }
        PortPlace::Body(body) if direction < RIGID => {
            let f = unit().rotate_back(&ws.configuration.world_rotation[body]);
            carry_inward(model, body, f, ws, column);
        }
        PortPlace::Body(body) => {
            let (top, data) = (&model.topology.bodies[body], &model.bodies[body]);
            let Some(flexible) = &data.flexible else { return };
            body_inertia(model, state, body, &ws.configuration, &mut ws.applied);
            let rate = |r: usize| match direction {
                RIGID..9 => flexible.integrals.moment[r][direction - RIGID],
                _ => ws.applied.inertia_rate[r].0[direction - 9],
            };
            let rows = &mut column[top.eta_dot()];
            rows.iter_mut().enumerate().for_each(|(r, row)| *row = rate(r));
            for a in 0..top.slaves {
                let load = rate(top.modes + a);
                let gains = ws.configuration.slaves(top);
                rows.iter_mut().zip(gains.gains(a)).for_each(|(row, gain)| *row += gain * load);
            }
        }
    }
}

#[cfg(all(test, feature = "testkit"))]
mod tests;
