//! A body as its nodes: modal mass matrix, gyroscopic forces and nodal forces from their definitions, and their orders in the deformation.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::Dense;
use supple::Body;
use supple::spatial::{Force, Matrix3, Motion, Vector3};

/// A node in the axes of its body, or in others after [`NodalBody::turned`].
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub m: f64,
    pub p: Vector3<f64>,
    pub J: Matrix3<f64>,
    pub l0: Vector3<f64>,
    /// `Π(j)`, one column for each mode: slope `λ`, then translation `γ`.
    pub Pi: Vec<Motion<f64>>,
}

/// The nodes of a body; every sum runs over them, none is an integral computed before.
#[derive(Clone, Debug)]
pub struct NodalBody {
    pub(super) modes: usize,
    pub(super) nodes: Vec<Node>,
}

/// How a body deforms and turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Deformation {
    /// Modal coordinates.
    pub eta: Vec<f64>,
    /// Their rates.
    pub eta_dot: Vec<f64>,
    /// Angular velocity of the body frame.
    pub omega: Vector3<f64>,
}

impl Deformation {
    /// The same motion with `scale` times the deformation and its rate.
    fn scaled(&self, scale: f64) -> Self {
        let times = |x: &[f64]| x.iter().map(|x| scale * x).collect();
        Self { eta: times(&self.eta), eta_dot: times(&self.eta_dot), omega: self.omega }
    }
}

impl Node {
    fn sum(&self, amplitudes: &[f64]) -> Motion<f64> {
        self.Pi.iter().zip(amplitudes).fold(Motion::ZERO, |sum, (column, x)| sum + *column * *x)
    }

    /// `l = l0 + γη`.
    fn lever(&self, eta: &[f64]) -> Vector3<f64> {
        self.l0 + self.sum(eta).linear
    }

    /// `M_s V`.
    fn inertia_times(&self, v: Motion<f64>) -> Force<f64> {
        let Self { m, p, J, .. } = self;
        Force::new(*J * v.angular + p.cross(v.linear) * *m, (v.linear - p.cross(v.angular)) * *m)
    }

    /// `a(j) = [ω × δω; ω × (ω × l + 2δv)]` [JR92 (28)].
    fn coriolis(&self, at: &Deformation) -> Motion<f64> {
        let (w, rate, l) = (at.omega, self.sum(&at.eta_dot), self.lever(&at.eta));
        Motion::new(w.cross(rate.angular), w.cross(w.cross(l) + rate.linear * 2.0))
    }

    /// `b(j) = [ω_j × J ω_j; m ω_j × (ω_j × p)]` [JR92 (31)].
    fn gyroscopic(&self, at: &Deformation) -> Force<f64> {
        let w = at.omega + self.sum(&at.eta_dot).angular;
        Force::new(w.cross(self.J * w), w.cross(w.cross(self.p)) * self.m)
    }
}

impl NodalBody {
    /// The nodes of a description, in body axes.
    pub fn new(body: &Body) -> Self {
        let node = |node: &supple::Node| Node {
            m: node.mass,
            p: Vector3(node.mass_centre),
            J: Matrix3(node.inertia),
            l0: Vector3(node.position),
            Pi: (0..body.modes.count)
                .map(|r| node.influence.get(r).map_or(Motion::ZERO, |column| Motion::from_array(*column)))
                .collect(),
        };
        Self { modes: body.modes.count, nodes: body.nodes.iter().map(node).collect() }
    }

    /// In axes into which `rotation` turns vectors.
    pub fn turned(&self, rotation: &Matrix3<f64>) -> Self {
        let node = |node: &Node| Node {
            m: node.m,
            p: *rotation * node.p,
            J: *rotation * node.J * rotation.transpose(),
            l0: *rotation * node.l0,
            Pi: node.Pi.iter().map(|column| column.rotate(rotation)).collect(),
        };
        Self { modes: self.modes, nodes: self.nodes.iter().map(node).collect() }
    }

    /// `Π(j)*f` and `φ(k,j) f`, added over nodes with one force each [JR92 (34), (35)].
    pub fn modal_force(&self, eta: &[f64], forces: &[Force<f64>]) -> Vec<f64> {
        let mut out = vec![0.0; self.modes + 6];
        for (node, f) in self.nodes.iter().zip(forces) {
            for (r, column) in node.Pi.iter().enumerate() {
                out[r] += column.dot(*f);
            }
            let at_frame = f.shift(node.lever(eta)).to_array();
            out[self.modes..].iter_mut().zip(at_frame).for_each(|(out, f)| *out += f);
        }
        out
    }

    /// `V(j) = φ*(k,j) V(k) + Π(j) η̇` for each node [JR92 (21)].
    pub fn velocities(&self, eta: &[f64], modal: &[f64]) -> Vec<Motion<f64>> {
        let (eta_dot, v) = modal.split_at(self.modes);
        let v = Motion::from_array(std::array::from_fn(|i| v[i]));
        self.nodes.iter().map(|node| v.shift(node.lever(eta)) + node.sum(eta_dot)).collect()
    }

    /// `M_m = [Π*; B] M_s [Π, B*]` [JR92 (23)].
    pub fn modal_mass(&self, eta: &[f64]) -> Dense {
        let size = self.modes + 6;
        let column = |j: usize| {
            let unit: Vec<f64> = (0..size).map(|i| f64::from(i == j)).collect();
            let momenta = self.nodes.iter().zip(self.velocities(eta, &unit)).map(|(node, v)| node.inertia_times(v));
            self.modal_force(eta, &momenta.collect::<Vec<_>>())
        };
        let columns: Vec<Vec<f64>> = (0..size).map(column).collect();
        Dense::from_fn(size, size, |i, j| columns[j][i])
    }

    /// `b_m = [Π*; B] (b + M_s a)` [JR92 (37)].
    pub fn bias(&self, at: &Deformation) -> Vec<f64> {
        let force = |node: &Node| node.gyroscopic(at) + node.inertia_times(node.coriolis(at));
        let forces: Vec<Force<f64>> = self.nodes.iter().map(force).collect();
        self.modal_force(&at.eta, &forces)
    }

    /// What accelerates each node, `M_s α_s + b` with `α_s = [Π, B*] α_m + a` [JR92 (27), (30)]: the nodal force `f_s` less elastic forces and those of
    /// hinges and loads.
    pub fn inertial_forces(&self, at: &Deformation, modal_acceleration: &[f64]) -> Vec<Force<f64>> {
        let carried = self.velocities(&at.eta, modal_acceleration);
        let force = |(node, carried): (&Node, Motion<f64>)| {
            node.inertia_times(carried + node.coriolis(at)) + node.gyroscopic(at)
        };
        self.nodes.iter().zip(carried).map(force).collect()
    }

    /// Acceleration of the frame from that of a node, modes without acceleration: [JR92 (27)] the other way round.
    pub(super) fn frame_acceleration(&self, node: usize, at: &Deformation, alpha: Motion<f64>) -> Motion<f64> {
        let node = &self.nodes[node];
        (alpha - node.coriolis(at)).shift(-node.lever(&at.eta))
    }

    /// `M⁰`, `M¹`, `M²`, by the order in the deformation [US508 (86)].
    pub fn mass_orders(&self, eta: &[f64]) -> [Dense; 3] {
        let size = self.modes + 6;
        let at = |scale: f64| {
            let mass = self.modal_mass(&eta.iter().map(|x| scale * x).collect::<Vec<_>>());
            (0..size * size).map(|i| mass.at(i / size, i % size)).collect()
        };
        let matrix = |order: Vec<f64>| Dense::from_fn(size, size, |i, j| order[i * size + j]);
        let [zero, first, second, _] = orders(at);
        [zero, first, second].map(matrix)
    }

    /// `b⁰` to `b³`, by the order in the deformation and its rate [US508 (130)].
    pub fn bias_orders(&self, at: &Deformation) -> [Vec<f64>; 4] {
        orders(|scale| self.bias(&at.scaled(scale)))
    }
}

/// Coefficients of a cubic polynomial from its values at 0, 1, -1 and 2.
pub(super) fn orders(value: impl Fn(f64) -> Vec<f64>) -> [Vec<f64>; 4] {
    let [zero, one, back, two] = [0.0, 1.0, -1.0, 2.0].map(value);
    let coefficient = |order: usize| {
        let of = |i: usize| {
            let (c, even, odd) = (zero[i], (one[i] + back[i]) / 2.0 - zero[i], (one[i] - back[i]) / 2.0);
            let third = ((two[i] - c - 4.0 * even) / 2.0 - odd) / 3.0;
            [c, odd - third, even, third][order]
        };
        (0..zero.len()).map(of).collect()
    };
    [0, 1, 2, 3].map(coefficient)
}
