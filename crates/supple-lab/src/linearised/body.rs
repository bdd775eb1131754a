//! Mass and forces of one body on the coordinates of the chain.
//!
//! ```text
//! M_rr [v̇; ω̇] + M_re q̈ = f_I,r          M_reᵀ [v̇; ω̇] + M_ee q̈ + S = f_I,e               [DS95 (3)]
//! f_I,r = [-m ω×v - ω×(ω×c) - 2 ω×ΣP q̇ ;  -c×(ω×v) - ω×Jω - 2 Σ ∫ r̂×(ω×ψ) q̇]             [DS95 (5), (8)]
//! f_I,e = -P·(ω×v) - ∫ ψ·(ω×(ω×r̂)) - 2 ω·Σ ∫ ψ_β×ψ_α q̇_β                                  [DS95 (5), (8), (10)]
//! ```

use super::chain::Frame;
use super::link::Link;
use super::{Moments, Terms};
use supple::spatial::block::cholesky::row_start;
use supple::spatial::{Matrix3, Motion, Vector3};

/// Moments of the deformed body.
pub(super) struct Deformed {
    /// `ĉ`, `Ĵ`.
    moment: Vector3<f64>,
    inertia: Matrix3<f64>,
}

impl Deformed {
    pub fn new(link: &Link, q: &[f64]) -> Self {
        let n = link.mode_count();
        let (mut moment, mut inertia) = (link.moment, link.inertia);
        for (r, (mode, x)) in link.modes.iter().zip(q).enumerate() {
            moment = mode.momentum.scale_add(*x, moment);
            inertia += (both(&mode.first) + both(&mode.first).transpose()) * *x;
            for (s, y) in q.iter().enumerate() {
                inertia += link.pairs[r * n + s].0 * (x * y);
            }
        }
        Self { moment, inertia }
    }
}

/// `∫ (r·ψ 1 - ψ rᵀ)` from `∫ r ψᵀ`.
fn both(first: &Matrix3<f64>) -> Matrix3<f64> {
    Matrix3::IDENTITY * trace(first) - first.transpose()
}

fn trace(m: &Matrix3<f64>) -> f64 {
    m.0[0][0] + m.0[1][1] + m.0[2][2]
}

/// Moments as the mass matrix has them.
fn moments<'a>(link: &'a Link, deformed: &'a Deformed, terms: Terms) -> (Vector3<f64>, &'a Matrix3<f64>) {
    match terms.deformed_mass {
        true => (deformed.moment, &deformed.inertia),
        false => (link.moment, &link.inertia),
    }
}

/// `M_rr [v̇; ω̇]`.
fn momentum(link: &Link, (moment, inertia): (Vector3<f64>, &Matrix3<f64>), a: Motion<f64>) -> Motion<f64> {
    Motion {
        angular: moment.cross_add(a.linear, *inertia * a.angular),
        linear: a.linear * link.mass - moment.cross(a.angular),
    }
}

/// `[H; P]` of a mode.
fn coupling(link: &Link, r: usize, terms: Terms, q: &[f64]) -> Motion<f64> {
    let (mode, n) = (&link.modes[r], link.mode_count());
    let mut angular = mode.angular_momentum;
    if terms.deformed_mass {
        for (s, x) in q.iter().enumerate() {
            angular = link.pairs[s * n + r].1.scale_add(*x, angular);
        }
    }
    Motion { angular, linear: mode.momentum }
}

fn dot(a: Motion<f64>, b: Motion<f64>) -> f64 {
    a.angular.dot(b.angular) + a.linear.dot(b.linear)
}

/// Adds mass and forces of a body to those of the chain.
pub(super) fn add(
    link: &Link,
    deformed: &Deformed,
    terms: Terms,
    (q, q_dot): (&[f64], &[f64]),
    frame: &Frame,
    (matrix, right): (&mut [f64], &mut [f64]),
) {
    let moments = moments(link, deformed, terms);
    let own = || link.elastic.clone().enumerate();
    let mut enter = |i: usize, j: usize, value: f64| matrix[row_start(i.max(j)) + i.min(j)] += value;
    for (at, &i) in frame.moved_by.iter().enumerate() {
        let carried = momentum(link, moments, frame.columns[i]);
        for &j in &frame.moved_by[..=at] {
            enter(i, j, dot(carried, frame.columns[j]));
        }
    }
    let mut force = rigid_force(link, deformed, terms, (q, q_dot), frame);
    let biased = momentum(link, moments, frame.bias);
    force = Motion { angular: force.angular - biased.angular, linear: force.linear - biased.linear };
    for &i in &frame.moved_by {
        right[i] += dot(frame.columns[i], force);
    }
    for (r, i) in own() {
        let coupling = coupling(link, r, terms, q);
        for &j in &frame.moved_by {
            enter(i, j, dot(coupling, frame.columns[j]));
        }
        for (s, j) in own().take(r + 1) {
            enter(i, j, link.modal_mass[r * link.mode_count() + s]);
        }
        right[i] += modal_force(link, r, terms, (q, q_dot), frame.velocity)
            - dot(coupling, frame.bias)
            - link.elastic_force(r, q, terms.elastic);
    }
}

/// `f_I,r`.
fn rigid_force(
    link: &Link,
    deformed: &Deformed,
    terms: Terms,
    (q, q_dot): (&[f64], &[f64]),
    frame: &Frame,
) -> Motion<f64> {
    let Motion { angular: w, linear: v } = frame.velocity;
    let (moved, inertia) = match terms.moments {
        Moments::Undeformed if !terms.deformed_mass => (link.moment, &link.inertia),
        _ => (deformed.moment, &deformed.inertia),
    };
    let with_v = match terms.moments {
        Moments::DeformedThroughout => deformed.moment,
        _ => moments(link, deformed, terms).0,
    };
    let along = w.cross(v);
    let mut force = Motion {
        angular: -with_v.cross(along) - w.cross(*inertia * w),
        linear: -(along * link.mass) - w.cross(w.cross(moved)),
    };
    if terms.hybrid_forces {
        let n = link.mode_count();
        for (r, (mode, rate)) in link.modes.iter().zip(q_dot).enumerate() {
            let mut arm = both(&mode.first);
            for (s, x) in q.iter().enumerate() {
                arm += link.pairs[s * n + r].0 * *x;
            }
            force.angular -= ((arm * w) * 2.0 + w.cross(mode.turning)) * *rate;
            force.linear -= w.cross(mode.momentum) * (2.0 * rate);
        }
    }
    force
}

/// `f_I,e` of a mode.
fn modal_force(link: &Link, r: usize, terms: Terms, (q, q_dot): (&[f64], &[f64]), motion: Motion<f64>) -> f64 {
    let Motion { angular: w, linear: v } = motion;
    let (mode, n) = (&link.modes[r], link.mode_count());
    let mut centrifugal = w.dot(mode.first * w) - w.norm_squared() * trace(&mode.first);
    let mut gyroscopic = 0.0;
    if terms.hybrid_forces {
        for s in 0..n {
            let (second, cross) = &link.pairs[s * n + r];
            centrifugal -= w.dot(*second * w) * q[s];
            gyroscopic += 2.0 * w.dot(*cross) * q_dot[s];
        }
    }
    -mode.momentum.dot(w.cross(v)) - centrifugal - gyroscopic
}

/// `½ [v; q̇]ᵀ M [v; q̇]`.
pub(super) fn kinetic(
    link: &Link,
    deformed: &Deformed,
    terms: Terms,
    (q, q_dot): (&[f64], &[f64]),
    frame: &Frame,
) -> f64 {
    let n = link.mode_count();
    let mut twice = dot(frame.velocity, momentum(link, moments(link, deformed, terms), frame.velocity));
    for (r, x) in q_dot.iter().enumerate() {
        twice += 2.0 * x * dot(coupling(link, r, terms, q), frame.velocity);
        twice += (0..n).map(|s| link.modal_mass[r * n + s] * x * q_dot[s]).sum::<f64>();
    }
    0.5 * twice
}
