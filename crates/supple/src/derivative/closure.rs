//! Closures: their forces `λ`, held, as loads on what their nodes carry, and how their equations and directions follow the motion of their frames.
//!
//! ```text
//! 𝓜 δu̇ - A* δλ = δT - ∂T/∂δ δ        A δu̇ = -∂(A u̇ + Ȧ u)/∂δ δ
//! ```
//!
//! Frames are carried like bodies; one joint's own terms come from dual numbers on the pose and velocity of its two frames.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::memory::Recursion;
use super::path::for_path;
use super::spatial::{Column, Composite};
use crate::closure::rows::for_equations;
use crate::model::Model;
use crate::model::cast::Cast;
use crate::model::closing::ClosureData;
use crate::model::joint::Joint;
use crate::model::topology::{ClosureTopology, Side};
use crate::workspace::{Closing, SidePlace, Workspace};
use supple_spatial::{Dual, Force, Matrix3, Motion, Vector3};

/// Ways in which a frame moves: rotation, translation, and their rates.
const WAYS: usize = 12;

/// Memory of the closures of a model, and their equations.
#[derive(Debug)]
pub(super) struct Closures {
    /// Per equation and speed: `A`, and `∂(A u̇ + Ȧ u)` by displacements and speeds.
    pub jacobian: Vec<f64>,
    pub per_displacement: Vec<f64>,
    pub per_speed: Vec<f64>,
    /// Per speed: motion of the frames of one closure.
    motions: [Vec<Motion<f64>>; 2],
    /// Per equation and speed: `A 𝓜⁻¹`; forces per column that is solved for.
    pub solved: Vec<f64>,
    pub forces: Vec<f64>,
}

/// What the equations of closures depend on, beside accelerations.
#[derive(Clone, Copy)]
pub(super) enum Equations {
    PerDisplacement,
    PerSpeed,
    /// Nothing else.
    Still,
}

/// How the equations of a joint follow its frames.
struct JointTangent {
    /// Per frame and way, per equation: acceleration.
    rate: [[[f64; 6]; WAYS]; 2],
    /// Per frame and way, per frame: wrench.
    wrench: [[[Force<f64>; 2]; 6]; 2],
}

/// A frame of a closure as seen from the root of its tree.
struct Frame {
    side: Side,
    x: Vector3<f64>,
    velocity: Motion<f64>,
    /// With the ground accelerated, and without.
    acceleration: Motion<f64>,
    true_acceleration: Motion<f64>,
}

impl Closures {
    pub fn new(model: &Model) -> Self {
        let (n, rows) = (model.speed_count(), model.equation_count());
        let matrix = || vec![0.0; rows * n];
        let motions = || vec![Motion::ZERO; if rows > 0 { n } else { 0 }];
        Self {
            jacobian: matrix(),
            per_displacement: matrix(),
            per_speed: matrix(),
            motions: [motions(), motions()],
            solved: matrix(),
            forces: matrix(),
        }
    }

    /// Loads what the nodes of closed closures carry with their forces; between the outward and the inward sweep.
    pub fn load(model: &Model, closed: &[bool], ws: &Workspace, out: &mut Recursion<f64>) {
        let closures = model.topology.closures.iter().enumerate().filter(|(i, _)| closed[*i]);
        for (i, top) in closures {
            for s in 0..2 {
                if let Some(frame) = frame(model, (i, s), ws, out) {
                    let f = force(top, s, &ws.closing);
                    let carried = &mut out.arrived[frame.side.carrier];
                    *carried = carried.add(&Composite::load(f, frame.x));
                }
            }
        }
    }

    /// Fills the equations, and adds how the directions of forces turn to the derivatives of inverse dynamics.
    pub fn differentiate(&mut self, model: &Model, closed: &[bool], ws: &Workspace, out: &mut Recursion<f64>) {
        let n = model.speed_count();
        for matrix in [&mut self.jacobian, &mut self.per_displacement, &mut self.per_speed] {
            matrix.fill(0.0);
        }
        for (i, top) in model.topology.closures.iter().enumerate().filter(|(i, _)| closed[*i]) {
            match &model.closing[i] {
                ClosureData::Coupling(factors, _) => {
                    for (factor, (_, speed)) in factors.iter().zip(&top.hinges) {
                        self.jacobian[top.rows.start * n + speed] += factor;
                    }
                }
                ClosureData::Joint(joint, _) => self.joint(model, (i, joint), ws, out),
            }
        }
    }

    /// `A 𝓜⁻¹`.
    pub fn solve_jacobian(&mut self, n: usize, inverse: &[f64]) {
        for (jacobian, solved) in self.jacobian.chunks_exact(n.max(1)).zip(self.solved.chunks_exact_mut(n.max(1))) {
            solved.fill(0.0);
            for (a, row) in jacobian.iter().zip(inverse.chunks_exact(n.max(1))).filter(|(a, _)| **a != 0.0) {
                solved.iter_mut().zip(row).for_each(|(solved, x)| *solved += a * x);
            }
        }
    }

    fn joint(&mut self, model: &Model, (i, joint): (usize, &Joint<f64>), ws: &Workspace, out: &mut Recursion<f64>) {
        let (n, top) = (model.speed_count(), &model.topology.closures[i]);
        let frames = [0, 1].map(|s| frame(model, (i, s), ws, out));
        let tangent = differentiate(joint, top, &frames, &ws.closing.sides[i], &ws.closing.force);
        for (s, frame) in frames.iter().enumerate() {
            self.motions[s].fill(Motion::ZERO);
            let Some(frame) = frame else { continue };
            let Self { jacobian, per_displacement, per_speed, motions, .. } = self;
            for_path(model, frame.side.body, Some(frame.side.carrier), out, |speed, column| {
                let moved = frame.moved(column);
                motions[s][speed] += moved.displacement;
                for (e, row) in top.rows.clone().enumerate() {
                    let along = |ways: &[[f64; 6]], m: Motion<f64>| {
                        m.to_array().iter().zip(ways).fold(0.0, |sum, (x, way)| sum + x * way[e])
                    };
                    let (wrench, [pose, rate]) = (ws.closing.wrench[row][s], tangent.ways(s));
                    let at = row * n + speed;
                    jacobian[at] += moved.displacement.dot(wrench);
                    per_displacement[at] += along(pose, moved.displacement)
                        + along(rate, moved.velocity_d)
                        + moved.acceleration_d.dot(wrench);
                    per_speed[at] += along(rate, moved.displacement) + moved.acceleration_u.dot(wrench);
                }
            });
        }
        // Wrenches turn with the frames.
        for (s, motions) in self.motions.iter().enumerate() {
            for (j, motion) in motions.iter().enumerate() {
                let turned = |on: usize| {
                    let ways = motion.to_array().into_iter().zip(&tangent.wrench[s]);
                    ways.fold(Force::ZERO, |f, (x, way)| way[on].scale_add(x, f))
                };
                let turned = [turned(0), turned(1)];
                for row in 0..n {
                    let power = self.motions[0][row].dot(turned[0]) + self.motions[1][row].dot(turned[1]);
                    out.displacement[row * n + j] -= power;
                }
            }
        }
    }
}

/// The force of a closure on one of its frames, in inertial axes.
fn force(top: &ClosureTopology, s: usize, closing: &Closing<f64>) -> Force<f64> {
    top.rows.clone().fold(Force::ZERO, |f, row| closing.wrench[row][s].scale_add(closing.force[row], f))
}

fn frame(model: &Model, (i, s): (usize, usize), ws: &Workspace, from: &Recursion<f64>) -> Option<Frame> {
    let side = model.topology.closures[i].sides[s]?;
    let (place, at, seen) = (&ws.closing.sides[i][s], &ws.configuration, &from.seen[side.body]);
    let carried = ws.acceleration.carrier[side.carrier].shift(place.offset).rotate(&seen.attitude);
    let true_acceleration = carried + place.drift;
    let falling = Motion::new(Vector3::ZERO, model.gravity);
    Some(Frame {
        side,
        x: seen.attitude.mul_add(at.carrier[side.carrier].position + place.offset, seen.position),
        velocity: place.velocity,
        acceleration: true_acceleration - falling,
        true_acceleration,
    })
}

/// What a column does to a frame, in inertial axes.
struct Moved {
    displacement: Motion<f64>,
    velocity_d: Motion<f64>,
    acceleration_d: Motion<f64>,
    acceleration_u: Motion<f64>,
}

impl Frame {
    fn moved(&self, column: &Column<f64>) -> Moved {
        let turn = column.S.angular;
        let along = |m: Motion<f64>| Motion::new(turn.cross(m.angular), turn.cross(m.linear));
        // From ã back to accelerations.
        let accelerated = |A: Motion<f64>, omega: Vector3<f64>| {
            let A = A.shift(self.x);
            let linear = (omega + omega).cross_add(self.velocity.linear, A.linear);
            Motion::new(A.angular - self.velocity.angular.cross(omega), linear)
        };
        Moved {
            displacement: column.S.shift(self.x),
            velocity_d: column.V_d.shift(self.x) + along(self.velocity),
            acceleration_d: accelerated(column.A_d, column.V_d.angular) + along(self.acceleration),
            acceleration_u: accelerated(column.A_u, turn),
        }
    }
}

impl JointTangent {
    /// Rows of poses and of velocities of a frame.
    fn ways(&self, s: usize) -> [&[[f64; 6]]; 2] {
        let (pose, rate) = self.rate[s].split_at(6);
        [pose, rate]
    }
}

/// Dual numbers on the frames of a joint.
fn differentiate(
    joint: &Joint<f64>,
    top: &ClosureTopology,
    frames: &[Option<Frame>; 2],
    sides: &[SidePlace<f64>; 2],
    forces: &[f64],
) -> JointTangent {
    let joint: Joint<Dual<f64>> = joint.cast();
    let mut out = JointTangent { rate: [[[0.0; 6]; WAYS]; 2], wrench: [[[Force::ZERO; 2]; 6]; 2] };
    let still = [0, 1].map(|s| constant(&sides[s], frames[s].as_ref()));
    for s in 0..2 {
        if frames[s].is_none() {
            continue;
        }
        for way in 0..WAYS {
            let mut moved = still;
            moved[s] = along(&still[s], way);
            let mut e = 0;
            for_equations(&joint, &moved, |(wrench, _, drift)| {
                out.rate[s][way][e] = drift.derivative;
                if way < 6 {
                    for on in 0..2 {
                        let turned = Force::from_array(wrench[on].to_array().map(|x| x.derivative));
                        let f = &mut out.wrench[s][way][on];
                        *f = turned.scale_add(forces[top.rows.start + e], *f);
                    }
                }
                e += 1;
            });
        }
    }
    out
}

/// A frame that stands as it is, with its whole acceleration.
fn constant(side: &SidePlace<f64>, frame: Option<&Frame>) -> SidePlace<Dual<f64>> {
    let vector = |v: Vector3<f64>| Vector3(v.0.map(Dual::constant));
    let motion = |m: Motion<f64>| Motion::new(vector(m.angular), vector(m.linear));
    let matrix = |m: &Matrix3<f64>| Matrix3(m.0.map(|row| row.map(Dual::constant)));
    SidePlace {
        offset: vector(side.offset),
        attitude: matrix(&side.attitude),
        attitude_rate: matrix(&side.attitude_rate),
        position: vector(side.position),
        velocity: motion(side.velocity),
        drift: frame.map_or(Motion::ZERO, |frame| motion(frame.true_acceleration)),
    }
}

/// The frame moved along one way.
fn along(side: &SidePlace<Dual<f64>>, way: usize) -> SidePlace<Dual<f64>> {
    let unit = Vector3(std::array::from_fn(|i| Dual { value: 0.0, derivative: if i == way % 3 { 1.0 } else { 0.0 } }));
    let mut moved = *side;
    match way / 3 {
        0 => moved.attitude += Matrix3::skew(unit) * side.attitude,
        1 => moved.position += unit,
        2 => moved.velocity.angular += unit,
        _ => moved.velocity.linear += unit,
    }
    moved.attitude_rate = Matrix3::skew(moved.velocity.angular) * moved.attitude;
    moved
}
