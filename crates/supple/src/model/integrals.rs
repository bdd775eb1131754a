//! Modal integrals: the constants from which mass matrix and bias of a flexible body follow
//! without a loop over its nodes [US508 C.2].
//!
//! Sums are over nodes `j` with mass `m`, mass-centre offset `p`, inertia `J` about the node,
//! undeformed lever arm `l0`, slopes `λ_r` and translations `γ_r` of mode `r`.
//!
//! | field             | symbol      | definition                                                   |
//! |-------------------|-------------|--------------------------------------------------------------|
//! | `moment`          | `c1(r)`     | `Σ m γ_r`                                                    |
//! | `coupling`        | `F0, E`     | `Σ [J λ_r + m p×γ_r + m l0×x_r; m x_r]`, `x_r = γ_r + λ_r×p` |
//! | `coupling_change` | `F1(r,s)`   | `Σ m γ_s × x_r`                                              |
//! | `inertia_first`   | `A(r)`      | `Σ 2 m L(γ_r, l0 + p)`, `L(x,y) = x·y I - ½(x yᵀ + y xᵀ)`    |
//! | `inertia_second`  | `2 J2(r,s)` | `Σ 2 m L(γ_r, γ_s)`                                          |
//!
//!
//! Shapes of second order count as modes here: the tables are those of `[η; a]`, and the sweeps project them on `η` [S5].
//!
//! `J(η) = J0 + ½ Σ (A(r) + D(r)) η_r` with `D(r) = ∂J/∂η_r = A(r) + Σ 2 J2(r,s) η_s`.
//!
//! The two inertia conventions share one shape of bias and differ in constants:
//!
//! ```text
//! b_ω = ω×(J ω + F η̇) + Σ B(r) η̇_r ω + Σ R2(r,s) η̇_r η̇_s + Σ R3(q,r,s) η_q η̇_r η̇_s + v×(Σ o(r) η̇_r)
//! b_v = ω×(ω×c + Σ G(r) η̇_r) + Σ U(r,s) η̇_r η̇_s
//! b_r = -½ ω·B(r) ω + ω·Σ Q(r,s) η̇_s + Σ T3(r,s,q) η̇_s η̇_q + o(r)·(g - ω×v)
//! ```
//!
//! | symbol    | Lagrange              | Newton-Euler                                                      |
//! |-----------|-----------------------|-------------------------------------------------------------------|
//! | `B(r)`    | `D(r)`                | `D(r) + Σ (λ̃_r J - J λ̃_r) + 2 m L(l, λ_r×p)`: inertia turns with the node |
//! | `G(r)`    | `E + c1`              | `2 E`                                                             |
//! | `Q(r,s)`  | `F1(r,s) - F1(s,r)`   | as derived from nodal moments and forces                          |
//! | `R2(r,s)` | `F1(r,s)`             | `Σ λ_r×J λ_s + m l0×(λ_r×(λ_s×p))`                                |
//! | `R3`      | 0                     | `Σ m γ_q×(λ_r×(λ_s×p))`                                           |
//! | `U(r,s)`  | 0                     | `Σ m λ_r×(λ_s×p)`                                                 |
//! | `T3`      | 0                     | `Σ λ_r·(λ_s×J λ_q) + m γ_r·(λ_s×(λ_q×p))`                         |
//! | `o(r)`    | `E - c1`              | 0                                                                 |

use super::builder::used_shapes;
use super::cast::Cast;
use super::description::{Body, InertiaConvention};
use super::modal_inertia::{ModalInertia, NodeTerms};
use super::sparse::{SparseMatrices, SparseNumbers, SparseRows, SparseVectors};
use supple_spatial::{Force, Matrix3, RigidInertia, Scalar, Symmetric3, Vector3};

/// Constants of a flexible body.
#[derive(Clone, Debug)]
pub(crate) struct ModalIntegrals<T> {
    /// `c1`.
    pub moment: Box<[Vector3<T>]>,
    /// `[F0; E]`.
    pub coupling: Box<[Force<T>]>,
    /// `F1`.
    pub coupling_change: SparseVectors<T>,
    /// `A`.
    pub inertia_first: Box<[Symmetric3<T>]>,
    /// `2 J2`.
    pub inertia_second: SparseMatrices<T>,
    /// `B - D` at `η = 0`, where the convention turns inertias with the node.
    pub turning_first: Option<Box<[Symmetric3<T>]>>,
    /// Part of `B - D` that is linear in `η`.
    pub turning_second: SparseMatrices<T>,
    /// `G`.
    pub linear_rate: Box<[Vector3<T>]>,
    /// `Q`.
    pub gyroscopic: SparseVectors<T>,
    /// `R2`.
    pub angular_rates: SparseVectors<T>,
    /// `R3`, row `q nm + r`, column `s`.
    pub angular_rates_change: SparseVectors<T>,
    /// `U`.
    pub linear_rates: SparseVectors<T>,
    /// `T3`, row `r nm + s`, column `q`.
    pub modal_rates: SparseNumbers<T>,
    /// `o`, where some entry is not zero.
    pub offset: Option<Box<[Vector3<T>]>>,
}

/// Mass, first moment and inertia of the undeformed body about `F_k`.
pub(crate) fn undeformed_inertia(body: &Body) -> RigidInertia<f64> {
    let tables = ModalInertia::of_shapes(body, 0);
    RigidInertia {
        mass: tables.mass,
        moment: Vector3(tables.mass_moment),
        inertia: Symmetric3::from_f64(tables.inertia),
    }
}

/// Modes and shapes of second order that the body uses.
fn augmented_count(body: &Body) -> usize {
    body.modes.count + used_shapes(&body.modes).len()
}

/// `M_ff(r,s)` of the first `nm` modes and shapes, packed by rows of the lower triangle.
pub(crate) fn packed_modal_mass(tables: &ModalInertia, nm: usize) -> Vec<f64> {
    (0..nm).flat_map(|r| (0..=r).map(move |s| tables.modal_mass[r][s])).collect()
}

/// The tables of the modes and second-order shapes that the body uses.
pub(crate) fn used_tables(body: &Body) -> ModalInertia {
    ModalInertia::of_shapes(body, augmented_count(body))
}

/// What is less than this beside the largest of its kind is rounding noise: integrals of products of orthogonal shapes.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Drops blocks that are rounding noise beside the largest of their matrix.
fn sparse<R: Copy + PartialEq>(
    rows: usize,
    columns: usize,
    entry: impl Fn(usize, usize) -> R,
    size: impl Fn(&R) -> f64,
) -> SparseRows<R, R> {
    let mut largest = 0.0_f64;
    for r in 0..rows {
        for c in 0..columns {
            largest = largest.max(size(&entry(r, c)));
        }
    }
    SparseRows::new(rows, columns, entry, |b| size(b) <= ROUNDING * largest)
}

fn size3(v: &Vector3<f64>) -> f64 {
    v.0.iter().fold(0.0, |a, x| a.max(x.abs()))
}

fn size6(v: &Symmetric3<f64>) -> f64 {
    v.0.iter().fold(0.0, |a, x| a.max(x.abs()))
}

/// `E - c1`, where it is more than rounding.
fn offset(tables: &ModalInertia, nm: usize) -> Option<Box<[Vector3<f64>]>> {
    let linear = |r: usize| Force::from_array(tables.coupling[r]).linear;
    let moment = |r: usize| Vector3(tables.moment_change[r]);
    let rounding = |r: usize| ROUNDING * size3(&linear(r)).max(size3(&moment(r)));
    let offset: Box<[_]> = (0..nm).map(|r| linear(r) - moment(r)).collect();
    (0..nm).any(|r| size3(&offset[r]) > rounding(r)).then_some(offset)
}

/// The symmetric part of `F1`, where it is more than rounding: products of displacements alone are antisymmetric.
fn symmetric_change(tables: &ModalInertia, nm: usize) -> SparseVectors<f64> {
    let f1 = |r: usize, s: usize| Vector3(tables.coupling_change[r][s]);
    let largest = tables.coupling_change.iter().flatten().fold(0.0_f64, |a, v| a.max(size3(&Vector3(*v))));
    let entry = |r: usize, s: usize| (f1(r, s) + f1(s, r)) * 0.5;
    SparseRows::new(nm, nm, entry, |b| size3(b) <= ROUNDING * largest)
}

impl ModalIntegrals<f64> {
    /// From the `tables` that `body` uses, once.
    pub fn new(body: &Body, tables: &ModalInertia, convention: InertiaConvention) -> Self {
        let nm = tables.modal_mass.len();
        let moment: Box<[_]> = tables.moment_change.iter().map(|m| Vector3(*m)).collect();
        let coupling: Box<[_]> = tables.coupling.iter().map(|c| Force::from_array(*c)).collect();
        let f1 = |r: usize, s: usize| Vector3(tables.coupling_change[r][s]);
        let j2 = |r: usize, s: usize| Symmetric3::from_f64(tables.inertia_second[r][s]);
        let mut out = Self {
            linear_rate: coupling.iter().zip(&moment).map(|(c, m)| c.linear + *m).collect(),
            offset: offset(tables, nm),
            coupling_change: sparse(nm, nm, f1, size3),
            inertia_first: tables.inertia_first.iter().map(|a| Symmetric3::from_f64(*a)).collect(),
            inertia_second: sparse(nm, nm, j2, size6),
            turning_first: None,
            turning_second: SparseRows::new(nm, 0, |_, _| Symmetric3::ZERO, |_| true),
            gyroscopic: sparse(nm, nm, |r, s| f1(r, s) - f1(s, r), size3),
            angular_rates: symmetric_change(tables, nm),
            angular_rates_change: SparseRows::new(nm * nm, 0, |_, _| Vector3::ZERO, |_| true),
            linear_rates: SparseRows::new(nm, 0, |_, _| Vector3::ZERO, |_| true),
            modal_rates: SparseRows::new(nm * nm, 0, |_, _| 0.0, |_| true),
            moment,
            coupling,
        };
        // With point masses at the turning nodes both conventions are the same equations.
        let nodes = NodeTerms::of(&body.nodes, nm);
        let turning: Vec<&NodeTerms> = nodes.iter().filter(|n| n.turns()).collect();
        let massive = |n: &&NodeTerms| (n.m != 0.0 && n.p != Vector3::ZERO) || n.j != Symmetric3::ZERO;
        if convention == InertiaConvention::NewtonEuler && turning.iter().any(massive) {
            out.turn_with_nodes(nm, &nodes, &turning, body.modal_inertia.as_ref());
        }
        out
    }

    /// Constants of the Newton-Euler convention, whose nodal inertias turn with their nodes; `given` tables stay Lagrange's.
    fn turn_with_nodes(
        &mut self,
        nm: usize,
        nodes: &[NodeTerms],
        turning: &[&NodeTerms],
        given: Option<&ModalInertia>,
    ) {
        let none = ModalInertia::zero(nm);
        let given = given.unwrap_or(&none);
        let f1 = |r: usize, s: usize| Vector3(given.coupling_change[r][s]);
        let sum3 = |f: &dyn Fn(&NodeTerms) -> Vector3<f64>| turning.iter().fold(Vector3::ZERO, |a, n| a + f(n));
        self.offset = offset(given, nm);
        self.linear_rate = self.coupling.iter().map(|c| c.linear * 2.0).collect();
        if let Some(offset) = &self.offset {
            self.linear_rate.iter_mut().zip(offset).for_each(|(g, o)| *g -= *o);
        }
        // λ̃ J - J λ̃ + 2 m L(l, λ×p)
        let first = |r: usize| {
            turning.iter().fold(Symmetric3::ZERO, |a, n| {
                let spin = Matrix3::skew(n.lambda[r]) * n.j.to_matrix();
                let lever = Symmetric3::lever(n.l0, n.lambda[r].cross(n.p)) * (2.0 * n.m);
                a + spin.symmetric_part() * 2.0 + lever
            })
        };
        self.turning_first = Some((0..nm).map(first).collect());
        let second = table(nm, |r, s| {
            turning
                .iter()
                .fold(Symmetric3::ZERO, |a, n| a + Symmetric3::lever(n.gamma[s], n.lambda[r].cross(n.p)) * (2.0 * n.m))
        });
        self.turning_second = sparse(nm, nm, |r, s| second[r * nm + s], size6);
        // Q(r,s): coefficient of ω in λ_r·(moment) + γ_r·(force) of first order in η̇_s
        let q = table(nm, |r, s| {
            nodes.iter().fold(Vector3::ZERO, |a, n| {
                let (lr, ls, gr, gs) = (n.lambda[r], n.lambda[s], n.gamma[r], n.gamma[s]);
                let turn = ls.cross(n.j * lr) + (n.j * ls).cross(lr) + n.j * lr.cross(ls);
                a + turn + (gs.cross(lr.cross(n.p)) + n.x(s).cross(gr)) * (2.0 * n.m)
            })
        });
        self.gyroscopic = sparse(nm, nm, |r, s| q[r * nm + s] + f1(r, s) - f1(s, r), size3);
        let twice = |n: &NodeTerms, r: usize, s: usize| {
            (n.lambda[r].cross(n.lambda[s].cross(n.p)) + n.lambda[s].cross(n.lambda[r].cross(n.p))) * (0.5 * n.m)
        };
        let spin = |n: &NodeTerms, r: usize, s: usize| {
            (n.lambda[r].cross(n.j * n.lambda[s]) + n.lambda[s].cross(n.j * n.lambda[r])) * 0.5
        };
        let u = table(nm, |r, s| sum3(&|n| twice(n, r, s)));
        self.linear_rates = sparse(nm, nm, |r, s| u[r * nm + s], size3);
        let r2 = table(nm, |r, s| sum3(&|n| spin(n, r, s) + n.l0.cross(twice(n, r, s))));
        self.angular_rates = sparse(nm, nm, |r, s| r2[r * nm + s] + (f1(r, s) + f1(s, r)) * 0.5, size3);
        let r3 = |qr: usize, s: usize| sum3(&|n| n.gamma[qr / nm].cross(twice(n, qr % nm, s)));
        self.angular_rates_change = sparse(nm * nm, nm, r3, size3);
        let t3 = |rs: usize, q: usize| {
            let (r, s) = (rs / nm, rs % nm);
            turning.iter().map(|n| n.lambda[r].dot(spin(n, s, q)) + n.gamma[r].dot(twice(n, s, q))).sum::<f64>()
        };
        self.modal_rates = sparse(nm * nm, nm, t3, |x| x.abs());
    }
}

fn table<R>(nm: usize, entry: impl Fn(usize, usize) -> R) -> Vec<R> {
    (0..nm * nm).map(|rs| entry(rs / nm, rs % nm)).collect()
}

impl<U: Scalar> Cast<U> for ModalIntegrals<f64> {
    type Output = ModalIntegrals<U>;
    fn cast(&self) -> ModalIntegrals<U> {
        ModalIntegrals {
            moment: self.moment.cast(),
            coupling: self.coupling.cast(),
            coupling_change: self.coupling_change.cast(),
            inertia_first: self.inertia_first.cast(),
            inertia_second: self.inertia_second.cast(),
            turning_first: self.turning_first.cast(),
            turning_second: self.turning_second.cast(),
            linear_rate: self.linear_rate.cast(),
            gyroscopic: self.gyroscopic.cast(),
            angular_rates: self.angular_rates.cast(),
            angular_rates_change: self.angular_rates_change.cast(),
            linear_rates: self.linear_rates.cast(),
            modal_rates: self.modal_rates.cast(),
            offset: self.offset.cast(),
        }
    }
}
