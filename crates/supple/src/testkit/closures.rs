//! Closures from their definitions: speeds of their equations as functions of configuration and speeds, differentiated by dual numbers,
//! and the dense solution of the equations of motion with them.

use super::attitude::moving;
use super::kinematics::{Kinematics, Moving, along};
use super::{Answer, Layout, RandomState, condition_number, solve};
use crate::model::{ClosureCoordinate, ClosureKind, Constraint, HingeKind, Mount, Parent, System};
use supple_spatial::{Dual, Matrix3, Motion, Scalar, Vector3};

/// The equations of all closures: `jacobian · u̇ + drift = 0`.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraints {
    /// One row per equation, one column per speed.
    pub jacobian: Vec<Vec<f64>>,
    /// What the rates of the equations keep at zero rates of the speeds.
    pub drift: Vec<f64>,
    /// How fast the equations are violated.
    pub speed: Vec<f64>,
    /// Per equation: which coordinate of its closure it drives, if any; a distance and a coupling count as one.
    pub coordinate: Vec<Option<usize>>,
    /// Per equation: its closure, and moment and force on frame `a` per unit force, about its origin in inertial axes.
    pub wrench_on_a: Vec<(usize, [f64; 6])>,
}

/// The equations of all closures of a system in a state. No body may have constant inertial terms.
///
/// # Panics
/// Where the state does not fit the system.
pub fn constraints(system: &System, state: &RandomState) -> Constraints {
    let layout = Layout::new(system);
    let kinematics = Kinematics { system, layout: &layout };
    let at = Moving {
        coordinates: state.coordinates.clone(),
        attitudes: state.attitudes.clone(),
        speeds: state.speeds.clone(),
    };
    let n = layout.speed_count;
    let rows = equations(&kinematics, &along(&at, &kinematics.rates(&at)));
    let mut jacobian = vec![vec![0.0; n]; rows.len()];
    for i in 0..n {
        let mut speeds = vec![0.0; n];
        speeds[i] = 1.0;
        let column = equations(&kinematics, &Moving { speeds, ..at.clone() });
        jacobian.iter_mut().zip(&column).for_each(|(row, equation)| row[i] = equation.speed);
    }
    Constraints {
        jacobian,
        drift: rows.iter().map(|row| row.speed.derivative).collect(),
        speed: rows.iter().map(|row| row.speed.value).collect(),
        coordinate: rows.iter().map(|row| row.coordinate).collect(),
        wrench_on_a: rows.iter().map(|row| (row.closure, row.wrench_on_a.map(|x| x.value))).collect(),
    }
}

impl Constraints {
    /// Accelerations and forces of the equations, from `M u̇ = r + Φ* λ` and `Φ u̇ + drift = 0` at once.
    ///
    /// # Panics
    /// Where they are singular.
    pub fn solve(&self, answer: &Answer, forces: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let zero = vec![0.0; forces.len()];
        let bias = answer.forces(&zero);
        let right: Vec<f64> = forces.iter().zip(&bias).map(|(t, c)| t - c).collect();
        let drift: Vec<f64> = self.drift.iter().map(|d| -d).collect();
        self.closed(&answer.mass, &right, &drift)
    }

    /// Condition number of `Φ M⁻¹ Φ*`, scaled to unit diagonal: infinite where equations depend on each other or vanish.
    ///
    /// # Panics
    /// Where the mass matrix is not positive definite.
    pub fn condition(&self, answer: &Answer) -> f64 {
        let moved: Vec<Vec<f64>> = self.jacobian.iter().map(|row| solve(&answer.mass, row).expect("mass")).collect();
        let entry = |row: &Vec<f64>, x: &Vec<f64>| row.iter().zip(x).map(|(a, b)| a * b).sum();
        let matrix: Vec<Vec<f64>> =
            self.jacobian.iter().map(|row| moved.iter().map(|x| entry(row, x)).collect()).collect();
        let diagonal = || matrix.iter().enumerate().map(|(i, row)| row[i]);
        let light = moved_most(&answer.mass);
        if diagonal().all(|x| x > 1e-20 * light) { condition_number(&matrix) } else { f64::INFINITY }
    }

    /// The speeds nearest to those given, in the norm of kinetic energy, that obey the equations.
    ///
    /// # Panics
    /// Where they are singular.
    pub fn project(&self, answer: &Answer, speeds: &[f64]) -> Vec<f64> {
        let right: Vec<f64> = self.speed.iter().map(|s| -s).collect();
        let change = self.closed(&answer.mass, &vec![0.0; speeds.len()], &right).0;
        speeds.iter().zip(change).map(|(u, du)| u + du).collect()
    }

    /// `[M, -Φ*; Φ, 0] [x; λ] = [right; closing]`, by elimination with pivots.
    fn closed(&self, mass: &[Vec<f64>], right: &[f64], closing: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (n, m) = (right.len(), closing.len());
        let mut a = vec![vec![0.0; n + m]; n + m];
        for i in 0..n {
            a[i][..n].copy_from_slice(&mass[i]);
            for j in 0..m {
                a[i][n + j] = -self.jacobian[j][i];
                a[n + j][i] = self.jacobian[j][i];
            }
        }
        let mut b = [right, closing].concat();
        let mut x = eliminate(a.clone(), b.clone());
        for (b, row) in b.iter_mut().zip(&a) {
            *b = row.iter().zip(&x).fold(*b, |s, (a, x)| (-a).mul_add(*x, s));
        }
        x.iter_mut().zip(eliminate(a, b)).for_each(|(x, dx)| *x += dx);
        let forces = x.split_off(n);
        (x, forces)
    }
}

/// How much the lightest of the speeds answers a unit force.
fn moved_most(mass: &[Vec<f64>]) -> f64 {
    mass.iter().enumerate().fold(0.0, |m, (i, row)| m.max(row[i].recip()))
}

/// Solves by elimination with scaled row pivots.
fn eliminate(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for (row, b) in a.iter_mut().zip(&mut b) {
        let scale = row.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        row.iter_mut().for_each(|x| *x /= scale);
        *b /= scale;
    }
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap_or(k);
        a.swap(k, pivot);
        b.swap(k, pivot);
        assert!(a[k][k] != 0.0, "singular");
        for i in k + 1..n {
            let l = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] = (-l).mul_add(a[k][j], a[i][j]);
            }
            b[i] = (-l).mul_add(b[k], b[i]);
        }
    }
    for k in (0..n).rev() {
        let sum = (k + 1..n).fold(b[k], |s, j| (-a[k][j]).mul_add(b[j], s));
        b[k] = sum / a[k][k];
    }
    b
}

/// One equation of a closure.
struct Equation<T> {
    closure: usize,
    coordinate: Option<usize>,
    speed: T,
    wrench_on_a: [T; 6],
}

/// A frame of a closure, in inertial axes.
struct Frame<T> {
    attitude: Matrix3<T>,
    position: Vector3<T>,
    velocity: Motion<T>,
}

/// Poses and velocities of all bodies.
type Bodies<'a, T> = (&'a [(Matrix3<T>, Vector3<T>)], &'a [Motion<T>]);

fn frame<T: Scalar>(
    kinematics: &Kinematics,
    at: &Moving<T>,
    (poses, velocities): Bodies<'_, T>,
    mount: &Mount,
) -> Frame<T> {
    let (position, rotation) = (Vector3::from_f64(mount.position), Matrix3::from_f64(mount.rotation));
    match mount.parent {
        Parent::Ground => Frame { attitude: rotation, position, velocity: Motion::ZERO },
        Parent::Body(k, node) => {
            let ((r, x), v) = (poses[k.0], velocities[k.0]);
            let (turned, arm, own) = kinematics.node(at, (k.0, node.0));
            let reach = turned * position;
            let angular = v.angular + own.angular;
            let linear = v.linear + v.angular.cross(arm) + own.linear + angular.cross(reach);
            Frame {
                attitude: r * turned * rotation,
                position: x + r * (arm + reach),
                velocity: Motion { angular: r * angular, linear: r * linear },
            }
        }
    }
}

/// Values of a number and of its rate, whatever the scalar.
trait Rated: Scalar {
    /// `self` with the rate of `other`'s value, where it has one.
    fn with_rate_of(self, other: Self) -> Self;
}

impl Rated for f64 {
    fn with_rate_of(self, _: Self) -> Self {
        self
    }
}

impl Rated for Dual<f64> {
    fn with_rate_of(self, other: Self) -> Self {
        moving(self.value, other.value)
    }
}

fn equations<T: Rated>(kinematics: &Kinematics, at: &Moving<T>) -> Vec<Equation<T>> {
    let (poses, velocities) = (kinematics.poses(at), kinematics.velocities(at));
    let mut list = Vec::new();
    for (closure, described) in kinematics.system.closures.iter().enumerate() {
        match &described.constraint {
            Constraint::Coupling { hinges, .. } => {
                let speed = |body: usize, i: usize| at.speeds[kinematics.layout.hinge_speeds(body).start + i];
                let terms = hinges.iter().map(|h| speed(h.body.0, h.speed) * T::from_f64(h.factor));
                let speed = terms.fold(T::ZERO, |s, x| s + x);
                list.push(Equation { closure, coordinate: Some(0), speed, wrench_on_a: [T::ZERO; 6] });
            }
            Constraint::Joint { kind, a, b } => {
                let [a, b] = [a, b].map(|mount| frame(kinematics, at, (&poses, &velocities), mount));
                let relative = b.velocity - a.velocity;
                let mut d = b.position - a.position;
                if !kinematics.system.elastic_rotation.is_orthogonal() {
                    // Velocities are not the rates of positions: the frames part with their velocities.
                    d = Vector3(std::array::from_fn(|i| d[i].with_rate_of(relative.linear[i])));
                }
                let slide = relative.linear - a.velocity.angular.cross(d);
                let held = directions(kind, &a, &b, d).into_iter().map(|row| (None, row));
                let driven = if described.driven { kind.coordinates() } else { &[] };
                let driven = driven.iter().map(|coordinate| driven_direction(kind, *coordinate, &a)).enumerate();
                for (coordinate, (n, m)) in held.chain(driven.map(|(i, row)| (Some(i), row))) {
                    let coordinate = if matches!(kind, ClosureKind::Distance { .. }) { Some(0) } else { coordinate };
                    let speed = n.dot(relative.angular) + m.dot(slide);
                    let moment = -(n + d.cross(m));
                    let wrench_on_a = [moment[0], moment[1], moment[2], -m[0], -m[1], -m[2]];
                    list.push(Equation { closure, coordinate, speed, wrench_on_a });
                }
            }
        }
    }
    list
}

/// Direction of turning and sliding along a coordinate.
fn driven_direction<T: Scalar>(
    kind: &ClosureKind,
    coordinate: ClosureCoordinate,
    a: &Frame<T>,
) -> (Vector3<T>, Vector3<T>) {
    let axis = kind.axis().expect("coordinates need an axis");
    let [x, y] = HingeKind::plane_axes(axis);
    let along = |axis: [f64; 3]| a.attitude * Vector3::from_f64(axis);
    match coordinate {
        ClosureCoordinate::Angle => (along(axis), Vector3::ZERO),
        ClosureCoordinate::Translation(i) => (Vector3::ZERO, along([x, y, axis][i])),
    }
}

/// Directions of turning and sliding that each equation holds.
fn directions<T: Scalar>(
    kind: &ClosureKind,
    a: &Frame<T>,
    b: &Frame<T>,
    d: Vector3<T>,
) -> Vec<(Vector3<T>, Vector3<T>)> {
    let along = |frame: &Frame<T>, axis: [f64; 3]| {
        let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        frame.attitude * Vector3::from_f64(axis.map(|x| x / length))
    };
    let turn = |n: &Vector3<T>| (*n, Vector3::ZERO);
    let slide = |m: &Vector3<T>| (Vector3::ZERO, *m);
    let all: [Vector3<T>; 3] = std::array::from_fn(|i| {
        let mut axis = [0.0; 3];
        axis[i] = 1.0;
        Vector3::from_f64(axis)
    });
    // Two directions across an axis.
    let across = |axis: Vector3<T>| {
        let first = axis.cross(Vector3::from_f64([0.36, 0.48, 0.8]));
        [first, axis.cross(first)]
    };
    let list = |turns: &[Vector3<T>], slides: &[Vector3<T>]| {
        turns.iter().map(turn).chain(slides.iter().map(slide)).collect::<Vec<_>>()
    };
    match *kind {
        ClosureKind::Weld => list(&all, &all),
        ClosureKind::Ball => list(&[], &all),
        ClosureKind::Revolute { axis } => list(&across(along(a, axis)), &all),
        ClosureKind::Prismatic { axis } => list(&all, &across(along(a, axis))),
        ClosureKind::Cylindrical { axis } => list(&across(along(a, axis)), &across(along(a, axis))),
        ClosureKind::Screw { axis, pitch } => {
            let axis = along(a, axis);
            let mut rows = list(&across(axis), &across(axis));
            rows.push((axis * T::from_f64(-pitch), axis));
            rows
        }
        ClosureKind::Universal { axes } => list(&[along(a, axes[0]).cross(along(b, axes[1]))], &all),
        ClosureKind::Planar { normal } => list(&across(along(a, normal)), &[along(a, normal)]),
        ClosureKind::PointOnLine { axis } => list(&[], &across(along(a, axis))),
        ClosureKind::PointOnPlane { normal } => list(&[], &[along(a, normal)]),
        ClosureKind::Distance { .. } => list(&[], &[d * d.dot(d).sqrt().recip()]),
    }
}
