//! Constants of a body as the sweeps use them.

use super::cast::Cast;
use super::elastic::Elastic;
use super::hinge::HingeData;
use super::integrals::ModalIntegrals;
use super::sparse::SparseRows;
use supple_spatial::block::linear::combination_add;
use supple_spatial::block::{Linear, cholesky, symmetric};
use supple_spatial::{Force, Motion, RigidInertia, Scalar, Vector3};

/// A node: where it is and how the modes move it.
#[derive(Clone, Debug)]
pub(crate) struct NodeData<T> {
    /// Undeformed position `l0`.
    pub position: Vector3<T>,
    /// Modal influence `Π`, a motion `[λ_r; γ_r]` per mode; empty where no mode moves the node.
    pub influence: Box<[Motion<T>]>,
    /// Columns of the second-order shapes.
    pub slaves: Box<[Motion<T>]>,
    /// Whether some slope `λ_r` is not zero.
    pub turns: bool,
}

/// Amplitudes `a = ½ η* B η` of the second-order shapes of a body and their gains `∂a/∂η = B η`; empty for most bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slaves<'a, T> {
    /// Per shape.
    pub value: &'a [T],
    /// Per shape and mode.
    pub gain: &'a [T],
}

impl<T: Scalar> Slaves<'_, T> {
    /// Gains of shape `k`.
    #[inline(always)]
    pub fn gains(&self, k: usize) -> &[T] {
        let n = self.gain.len() / self.value.len();
        &self.gain[k * n..(k + 1) * n]
    }

    /// Gain of shape `k` with mode `r`.
    #[inline(always)]
    pub fn at(&self, k: usize, r: usize) -> T {
        self.gains(k)[r]
    }

    /// `Σ (∂a_k/∂η_r) x_r`.
    #[inline(always)]
    pub fn along(&self, k: usize, x: &[T]) -> T {
        self.gains(k).iter().zip(x).fold(T::ZERO, |s, (g, x)| g.mul_add(*x, s))
    }
}

impl<T: Scalar> NodeData<T> {
    /// Column `Π_r + Σ Π_k ∂a_k/∂η_r` of the modal influence.
    #[inline(always)]
    pub fn column(&self, r: usize, second: Slaves<'_, T>) -> Motion<T> {
        let mut column = self.influence[r];
        for (k, slave) in self.slaves.iter().enumerate() {
            column = slave.scale_add(second.at(k, r), column);
        }
        column
    }

    /// `start + Π(η) x`.
    #[inline(always)]
    pub fn combine(&self, second: Slaves<'_, T>, x: &[T], start: Motion<T>) -> Motion<T> {
        let mut sum = combination_add(&self.influence, x, start);
        for (k, slave) in self.slaves.iter().enumerate() {
            sum = slave.scale_add(second.along(k, x), sum);
        }
        sum
    }

    /// `rows ← rows + Π(η)* f`.
    #[inline(always)]
    pub fn project(&self, second: Slaves<'_, T>, f: Force<T>, rows: &mut [T]) {
        for (row, column) in rows.iter_mut().zip(&self.influence) {
            *row += column.dot(f);
        }
        for (k, slave) in self.slaves.iter().enumerate() {
            let load = slave.dot(f);
            for (row, gain) in rows.iter_mut().zip(second.gains(k)) {
                *row = gain.mul_add(load, *row);
            }
        }
    }

    /// Slopes and displacement `Π η + Σ Π_k a_k`.
    #[inline(always)]
    pub fn displacement(&self, second: Slaves<'_, T>, eta: &[T]) -> Motion<T> {
        combination_add(&self.slaves, second.value, combination_add(&self.influence, eta, Motion::ZERO))
    }

    /// Deformed position.
    #[inline(always)]
    pub fn deformed(&self, second: Slaves<'_, T>, eta: &[T]) -> Vector3<T> {
        self.position + self.displacement(second, eta).linear
    }

    /// `Σ Π_k ä_k` for the rates `η̇* B η̇` that the shapes keep at `η̈ = 0`.
    #[inline(always)]
    pub fn change(&self, second_rates: &[T]) -> Motion<T> {
        combination_add(&self.slaves, second_rates, Motion::ZERO)
    }
}

/// How the modes of a body are taken out of the articulated inertia.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elimination {
    /// No modes.
    Rigid,
    /// By a factor of `D_f`.
    Explicit,
    /// By `D_f⁻¹` from a low-rank update, eq. 77.
    Indirect,
    /// By modal condensation.
    Condensed,
}

/// Constants of the modes of a body.
#[derive(Clone, Debug)]
pub(crate) struct Flexible<T> {
    /// Modal integrals.
    pub integrals: ModalIntegrals<T>,
    /// Elastic and damping forces.
    pub elastic: Elastic<T>,
    /// `M_ff`.
    pub mass: ModalMass<T>,
    /// Constant modal mass.
    pub constant: bool,
    /// Bias of the undeformed body.
    pub undeformed_bias: bool,
    /// No `η̇` terms in the acceleration across hinges.
    pub still: bool,
    /// The inboard node moves with the modes.
    pub free_free: bool,
    /// Shapes of second order, if any.
    pub second_order: Option<SecondOrder<T>>,
    /// Modal mass as the hinge sees it: `M_ff`, or `H_f M_m H_f*` of free-free modes where it is constant.
    pub hinge_mass: ModalMass<T>,
    /// The modes that move the carriers; `None` where they follow the deformation (free-free modes) or `N` does not exist.
    pub tip_modes: Option<TipModes<T>>,
    /// The cheapest elimination.
    pub cheapest: Elimination,
}

/// Shapes of second order.
#[derive(Clone, Debug)]
pub(crate) struct SecondOrder<T> {
    /// Rows of `B` of every shape.
    pub gains: Box<[SparseRows<T>]>,
    /// Packed modal mass of modes and shapes together.
    pub mass: Box<[T]>,
}

/// The few combinations of modes that move the carriers. With `M_ff = L L*`, `L⁻¹ ζ = Q C*` where `Q* Q = I`: only the
/// coordinates `a = Q* L* η` meet what is outboard.
#[derive(Clone, Debug)]
pub(crate) struct TipModes<T> {
    /// Their number, at most six per carrier.
    pub rank: usize,
    /// `L⁻* Q`, `rank` numbers for each mode.
    pub shapes: Box<[T]>,
    /// `C` at unit rate matrices: `rank` motions for each carrier.
    pub motions: Box<[Motion<T>]>,
}

/// Modal mass `M_ff` and its inverse `N`, by structure.
#[derive(Clone, Debug)]
pub(crate) enum ModalMass<T> {
    /// Mass-normalised modes.
    Identity,
    /// Orthogonal modes: masses and their reciprocals.
    Diagonal(Box<[T]>, Box<[T]>),
    /// Packed triangle and its Cholesky factor.
    Dense(Box<[T]>, Box<[T]>),
    /// Packed triangle of modes that need the mass outboard of the body to be independent.
    Singular(Box<[T]>),
}

/// A body.
#[derive(Clone, Debug)]
pub(crate) struct BodyData<T> {
    /// Its hinge.
    pub hinge: HingeData<T>,
    /// Undeformed inertia about `F_k`.
    pub inertia: RigidInertia<T>,
    /// Nodes.
    pub nodes: Box<[NodeData<T>]>,
    /// Modes, if any.
    pub flexible: Option<Box<Flexible<T>>>,
    /// Where the hinge sits at `F_k` whatever the deformation.
    pub hinge_at_origin: bool,
}

impl ModalMass<f64> {
    /// Classifies the packed `M_ff`; deviations from a structure within rounding are dropped.
    pub fn new(packed: Vec<f64>, n: usize) -> Self {
        let rounding = 256.0 * f64::EPSILON;
        let diagonal: Vec<f64> = (0..n).map(|i| symmetric::entry(&packed, i, i)).collect();
        let off = |i: usize, j: usize| {
            packed[cholesky::row_start(i) + j].abs() > rounding * (diagonal[i] * diagonal[j]).sqrt()
        };
        if !(0..n).any(|i| (0..i).any(|j| off(i, j))) && diagonal.iter().all(|d| *d > 0.0) {
            if diagonal.iter().all(|d| (d - 1.0).abs() <= rounding) {
                return Self::Identity;
            }
            let inverse = diagonal.iter().map(|d| 1.0 / d).collect();
            return Self::Diagonal(diagonal.into(), inverse);
        }
        match definite_factor(&packed, n) {
            Some(factor) => Self::Dense(packed.into(), factor.into()),
            None => Self::Singular(packed.into()),
        }
    }
}

/// The Cholesky factor of a packed matrix, or `None` where it is singular to rounding after
/// scaling to unit diagonal.
pub(crate) fn definite_factor(packed: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut factor = packed.to_vec();
    let definite = cholesky::factor_in_place(&mut factor, n);
    let sound = (0..n).all(|i| {
        let pivot = factor[cholesky::row_start(i) + i].powi(-2);
        pivot > 16.0 * n as f64 * f64::EPSILON * symmetric::entry(packed, i, i)
    });
    (definite && sound).then_some(factor)
}

impl<T: Scalar> ModalMass<T> {
    /// Entry `(i, j)` of `M_ff`.
    #[inline(always)]
    pub fn entry(&self, i: usize, j: usize) -> T {
        match self {
            Self::Identity if i == j => T::ONE,
            Self::Diagonal(d, _) if i == j => d[i],
            Self::Identity | Self::Diagonal(..) => T::ZERO,
            Self::Dense(a, _) | Self::Singular(a) => symmetric::entry(a, i, j),
        }
    }

    /// `out ← out + M_ff x`.
    #[inline]
    pub fn add_mul(&self, x: &[T], out: &mut [T]) {
        match self {
            Self::Identity => {
                for i in 0..x.len() {
                    out[i] += x[i];
                }
            }
            Self::Diagonal(d, _) => {
                for i in 0..x.len() {
                    out[i] = d[i].mul_add(x[i], out[i]);
                }
            }
            Self::Dense(a, _) | Self::Singular(a) => {
                for i in 0..x.len() {
                    for j in 0..x.len() {
                        out[i] = symmetric::entry(a, i, j).mul_add(x[j], out[i]);
                    }
                }
            }
        }
    }

    /// `x ← N x`. Singular masses have no inverse and leave `x` alone.
    #[inline]
    pub fn apply_inverse<R: Linear<T>>(&self, x: &mut [R]) {
        match self {
            Self::Identity | Self::Singular(_) => {}
            Self::Diagonal(_, inverse) => {
                for (x, &n) in x.iter_mut().zip(inverse) {
                    *x = x.scale(n);
                }
            }
            Self::Dense(_, factor) => cholesky::solve(factor, x),
        }
    }
}

impl TipModes<f64> {
    /// From the motions `ζ*` of every carrier per mode. `None` for a singular modal mass.
    ///
    /// Columns of `L⁻¹ ζ`, scaled to unit length, are orthonormalised greatest first, until what is left is rounding.
    pub fn new(mass: &ModalMass<f64>, influences: &[Vec<Motion<f64>>], modes: usize) -> Option<Self> {
        let mut columns: Vec<Vec<f64>> = Vec::new();
        for influence in influences {
            let mut rows = influence.clone();
            match mass {
                ModalMass::Identity => {}
                ModalMass::Diagonal(_, inverse) => rows.iter_mut().zip(inverse).for_each(|(x, n)| *x = *x * n.sqrt()),
                ModalMass::Dense(_, factor) => cholesky::solve_lower(factor, &mut rows),
                ModalMass::Singular(_) => return None,
            }
            columns.extend((0..6).map(|i| rows.iter().map(|r| r.to_array()[i]).collect()));
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let mut left: Vec<Vec<f64>> = Vec::new();
        for column in &columns {
            let size = dot(column, column).sqrt();
            if size > 0.0 {
                left.push(column.iter().map(|x| x / size).collect());
            }
        }
        let mut basis: Vec<Vec<f64>> = Vec::new();
        while basis.len() < modes {
            let greatest = (0..left.len()).max_by(|&i, &j| dot(&left[i], &left[i]).total_cmp(&dot(&left[j], &left[j])));
            let Some(greatest) = greatest else { break };
            let mut q = left.swap_remove(greatest);
            let size = dot(&q, &q).sqrt();
            if size <= 8.0 * f64::EPSILON {
                break;
            }
            q.iter_mut().for_each(|x| *x /= size);
            for b in &basis {
                let along = dot(b, &q);
                q.iter_mut().zip(b).for_each(|(x, y)| *x -= along * y);
            }
            let size = dot(&q, &q).sqrt();
            q.iter_mut().for_each(|x| *x /= size);
            for other in &mut left {
                let along = dot(&q, other);
                other.iter_mut().zip(&q).for_each(|(x, y)| *x -= along * y);
            }
            basis.push(q);
        }
        // C* = Q* L⁻¹ ζ, then the shapes L⁻* Q
        let rank = basis.len();
        let motion =
            |c: usize, a: usize| Motion::from_array(std::array::from_fn(|i| dot(&columns[6 * c + i], &basis[a])));
        let motions =
            (0..influences.len()).flat_map(|c| (0..rank).map(move |a| (c, a))).map(|(c, a)| motion(c, a)).collect();
        for q in &mut basis {
            match mass {
                ModalMass::Diagonal(_, inverse) => q.iter_mut().zip(inverse).for_each(|(x, n)| *x *= n.sqrt()),
                ModalMass::Dense(_, factor) => cholesky::solve_upper(factor, q),
                _ => {}
            }
        }
        let shapes = (0..modes).flat_map(|r| basis.iter().map(move |q| q[r])).collect();
        Some(Self { rank, shapes, motions })
    }
}

impl<U: Scalar> Cast<U> for ModalMass<f64> {
    type Output = ModalMass<U>;
    fn cast(&self) -> ModalMass<U> {
        match self {
            Self::Identity => ModalMass::Identity,
            Self::Diagonal(d, n) => ModalMass::Diagonal(d.cast(), n.cast()),
            Self::Dense(a, l) => ModalMass::Dense(a.cast(), l.cast()),
            Self::Singular(a) => ModalMass::Singular(a.cast()),
        }
    }
}

impl<U: Scalar> Cast<U> for SecondOrder<f64> {
    type Output = SecondOrder<U>;
    fn cast(&self) -> SecondOrder<U> {
        SecondOrder { gains: self.gains.cast(), mass: self.mass.cast() }
    }
}

impl<U: Scalar> Cast<U> for TipModes<f64> {
    type Output = TipModes<U>;
    fn cast(&self) -> TipModes<U> {
        TipModes { rank: self.rank, shapes: self.shapes.cast(), motions: self.motions.cast() }
    }
}

impl<U: Scalar> Cast<U> for NodeData<f64> {
    type Output = NodeData<U>;
    fn cast(&self) -> NodeData<U> {
        NodeData {
            position: self.position.cast(),
            influence: self.influence.cast(),
            slaves: self.slaves.cast(),
            turns: self.turns,
        }
    }
}

impl<U: Scalar> Cast<U> for BodyData<f64> {
    type Output = BodyData<U>;
    fn cast(&self) -> BodyData<U> {
        BodyData {
            hinge: self.hinge.cast(),
            inertia: self.inertia.cast(),
            nodes: self.nodes.cast(),
            flexible: self.flexible.as_ref().map(|f| {
                Box::new(Flexible {
                    integrals: f.integrals.cast(),
                    elastic: f.elastic.cast(),
                    mass: f.mass.cast(),
                    constant: f.constant,
                    undeformed_bias: f.undeformed_bias,
                    still: f.still,
                    free_free: f.free_free,
                    second_order: f.second_order.cast(),
                    hinge_mass: f.hinge_mass.cast(),
                    tip_modes: f.tip_modes.cast(),
                    cheapest: f.cheapest,
                })
            }),
            hinge_at_origin: self.hinge_at_origin,
        }
    }
}
