//! Modal mass by structure, and the few modes that move the carriers.

use super::cast::Cast;
use supple_spatial::block::{Linear, cholesky, symmetric};
use supple_spatial::{Motion, Scalar};

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
        let pivot = cholesky::pivot_inverse(&factor, i).recip();
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
                ModalMass::Dense(_, factor) => {
                    cholesky::solve_lower(factor, &mut rows);
                    cholesky::solve_diagonal_root(factor, &mut rows);
                }
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
                ModalMass::Dense(_, factor) => {
                    cholesky::solve_diagonal_root(factor, q);
                    cholesky::solve_upper(factor, q);
                }
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

impl<U: Scalar> Cast<U> for TipModes<f64> {
    type Output = TipModes<U>;
    fn cast(&self) -> TipModes<U> {
        TipModes { rank: self.rank, shapes: self.shapes.cast(), motions: self.motions.cast() }
    }
}
