//! Constants of a body as the sweeps use them.

use super::cast::Cast;
use super::elastic::Elastic;
use super::hinge::HingeData;
use super::integrals::ModalIntegrals;
use supple_spatial::block::{Linear, cholesky, symmetric};
use supple_spatial::{Motion, RigidInertia, Scalar, Vector3};

/// A node: where it is and how the modes move it.
#[derive(Clone, Debug)]
pub(crate) struct NodeData<T> {
    /// Undeformed position `l0`.
    pub position: Vector3<T>,
    /// Modal influence `Π`, a motion `[λ_r; γ_r]` per mode; empty where no mode moves the node.
    pub influence: Box<[Motion<T>]>,
    /// Whether some slope `λ_r` is not zero.
    pub turns: bool,
}

/// How the modes of a body are taken out of the articulated inertia.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elimination {
    /// No modes.
    Rigid,
    /// By a factor of `D_f`.
    Explicit,
    /// By `D_f⁻¹` from a rank-six update, eq. 77.
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
    /// Constant inertial terms.
    pub constant: bool,
    /// The inboard node moves with the modes.
    pub free_free: bool,
    /// Rank of the tip compliance `Θ = C C*`.
    pub rank: usize,
    /// `C` of all carriers at unit rate matrices: `rank` motions per carrier. Empty for free-free modes,
    /// whose factor follows from that of their modal mass.
    pub compliance_factor: Box<[Motion<T>]>,
    /// The cheapest elimination.
    pub cheapest: Elimination,
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
        let off = |i: usize, j: usize| packed[cholesky::row_start(i) + j].abs() > rounding * (diagonal[i] * diagonal[j]).sqrt();
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

/// `C` with `C C* = Θ = Π N Π*` over all carriers: `rank` motions for each of them in turn.
///
/// Where the modes are fewer than the rows, `C = Π L⁻*`; otherwise a Cholesky factor with pivoting
/// of `Θ` scaled to unit diagonal, which stops at its rank.
pub(crate) fn compliance_factor(mass: &ModalMass<f64>, influences: &[&[Motion<f64>]], modes: usize) -> (usize, Vec<Motion<f64>>) {
    let rows = 6 * influences.len();
    // B = L⁻¹ Π*: a row per mode, six columns per carrier.
    let mut b = vec![vec![0.0; rows]; modes];
    for (c, influence) in influences.iter().enumerate() {
        let mut columns = influence.to_vec();
        columns.resize(modes, Motion::ZERO);
        match mass {
            ModalMass::Identity | ModalMass::Singular(_) => {}
            ModalMass::Diagonal(_, inverse) => {
                columns.iter_mut().zip(inverse).for_each(|(x, n)| *x = *x * n.sqrt());
            }
            ModalMass::Dense(_, factor) => cholesky::solve_lower(factor, &mut columns),
        }
        for (row, column) in b.iter_mut().zip(&columns) {
            row[6 * c..6 * c + 6].copy_from_slice(&column.to_array());
        }
    }
    let factor = if modes <= rows { b } else { pivoted_factor(&b, rows) };
    let rank = factor.len();
    let at = |c: usize, r: usize| Motion::from_array(std::array::from_fn(|i| factor[r][6 * c + i]));
    (rank, (0..influences.len()).flat_map(|c| (0..rank).map(move |r| (c, r))).map(|(c, r)| at(c, r)).collect())
}

/// Rows `C*` of a factor of `Θ = B* B`, as many as its rank.
fn pivoted_factor(b: &[Vec<f64>], n: usize) -> Vec<Vec<f64>> {
    let mut theta = vec![vec![0.0; n]; n];
    for row in b {
        for i in 0..n {
            for j in 0..n {
                theta[i][j] += row[i] * row[j];
            }
        }
    }
    let scale: Vec<f64> = (0..n).map(|i| theta[i][i].sqrt()).collect();
    for i in 0..n {
        for j in 0..n {
            let s = scale[i] * scale[j];
            theta[i][j] = if s > 0.0 { theta[i][j] / s } else { 0.0 };
        }
    }
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for _ in 0..n {
        let pivot = (0..n).max_by(|&i, &j| theta[i][i].total_cmp(&theta[j][j])).unwrap_or(0);
        if theta[pivot][pivot] <= 4.0 * n as f64 * f64::EPSILON {
            break;
        }
        let root = theta[pivot][pivot].sqrt();
        let row: Vec<f64> = (0..n).map(|j| theta[pivot][j] / root).collect();
        for i in 0..n {
            for j in 0..n {
                theta[i][j] -= row[i] * row[j];
            }
        }
        rows.push(row.iter().zip(&scale).map(|(x, s)| x * s).collect());
    }
    rows
}

impl<T> Flexible<T> {
    /// Whether `N` exists, so that modes can be condensed.
    pub fn condensable(&self) -> bool {
        !matches!(self.mass, ModalMass::Singular(_))
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

impl<U: Scalar> Cast<U> for NodeData<f64> {
    type Output = NodeData<U>;
    fn cast(&self) -> NodeData<U> {
        NodeData { position: self.position.cast(), influence: self.influence.cast(), turns: self.turns }
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
                    free_free: f.free_free,
                    rank: f.rank,
                    compliance_factor: f.compliance_factor.cast(),
                    cheapest: f.cheapest,
                })
            }),
            hinge_at_origin: self.hinge_at_origin,
        }
    }
}
