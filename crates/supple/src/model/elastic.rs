//! Elastic and damping forces of the modes, local to a body.

use super::cast::Cast;
use super::description::{Fidelity, ModalMatrix, Modes};
use std::collections::BTreeMap;
use supple_spatial::Scalar;
use supple_spatial::block::{cholesky, symmetric};

/// A symmetric operator on modal coordinates.
#[derive(Clone, Debug)]
pub(crate) enum ModalOperator<T> {
    Zero,
    Diagonal(Box<[T]>),
    Packed(Box<[T]>),
}

/// Stiffness, damping and nonlinear elastic force.
#[derive(Clone, Debug)]
pub(crate) struct Elastic<T> {
    /// `K`.
    pub stiffness: ModalOperator<T>,
    /// `C`.
    pub damping: ModalOperator<T>,
    /// Force of `½ K3 η η`.
    pub cubic: Monomials<T, 3>,
    /// Force of `⅙ K4 η η η`.
    pub quartic: Monomials<T, 4>,
    /// Force of the axial load.
    pub axial_load: Monomials<T, 3>,
}

/// Terms of a force that is a polynomial: `[i, j, k]` with `value` adds `value η_j η_k` to row `i`. Sorted by rows, none twice.
pub(crate) type Monomials<T, const N: usize> = Box<[([u32; N], T)]>;

/// The terms of a tensor whose entries are given one by one, times `factor`: entries that differ in the order of their last indices are one.
fn monomials<const N: usize>(entries: &[([usize; N], f64)], factor: f64) -> Monomials<f64, N> {
    let mut sums = BTreeMap::new();
    for (indices, value) in entries {
        let mut indices = indices.map(|i| i as u32);
        indices[1..].sort_unstable();
        *sums.entry(indices).or_insert(0.0) += factor * value;
    }
    sums.into_iter().collect()
}

/// `out ← out +` the force of the terms.
#[inline(always)]
fn add_polynomial<T: Scalar, const N: usize>(terms: &[([u32; N], T)], eta: &[T], out: &mut [T]) {
    let Some((first, _)) = terms.first() else { return };
    let mut row = first[0] as usize;
    let mut sum = out[row];
    for (indices, value) in terms {
        // A row stays in a register until its last term.
        if indices[0] as usize != row {
            out[row] = sum;
            row = indices[0] as usize;
            sum = out[row];
        }
        let product = indices[1..N - 1].iter().fold(*value, |product, j| product * eta[*j as usize]);
        sum = product.mul_add(eta[indices[N - 1] as usize], sum);
    }
    out[row] = sum;
}

/// Calls `add` with each derivative of the force of the terms: row, column, value.
fn differentiate<T: Scalar, const N: usize>(terms: &[([u32; N], T)], eta: &[T], mut add: impl FnMut(u32, u32, T)) {
    for (indices, value) in terms {
        for m in 1..N {
            let others = indices.iter().enumerate().skip(1).filter(|(n, _)| *n != m);
            add(indices[0], indices[m], others.fold(*value, |product, (_, j)| product * eta[*j as usize]));
        }
    }
}

/// `Σ η_i force_i` of the terms.
fn virial<T: Scalar, const N: usize>(terms: &[([u32; N], T)], eta: &[T]) -> T {
    let product = |indices: &[u32; N], value: T| indices.iter().fold(value, |product, j| product * eta[*j as usize]);
    terms.iter().fold(T::ZERO, |sum, (indices, value)| sum + product(indices, *value))
}

impl ModalOperator<f64> {
    fn new(matrix: &ModalMatrix, n: usize) -> Self {
        match matrix {
            ModalMatrix::Zero => Self::Zero,
            ModalMatrix::Diagonal(d) => Self::Diagonal(d.clone().into()),
            ModalMatrix::Full(rows) => {
                let off = (0..n).any(|i| (0..i).any(|j| rows[i][j] != 0.0 || rows[j][i] != 0.0));
                if !off {
                    return Self::Diagonal((0..n).map(|i| rows[i][i]).collect());
                }
                let packed = (0..n).flat_map(|i| (0..=i).map(move |j| 0.5 * (rows[i][j] + rows[j][i])));
                Self::Packed(packed.collect())
            }
        }
    }
}

impl<T: Scalar> ModalOperator<T> {
    /// `out ← out + A x`.
    #[inline]
    pub fn add_mul(&self, x: &[T], out: &mut [T]) {
        match self {
            Self::Zero => {}
            Self::Diagonal(d) => {
                for ((out, d), x) in out.iter_mut().zip(d).zip(x) {
                    *out = d.mul_add(*x, *out);
                }
            }
            Self::Packed(a) => {
                for i in 0..x.len() {
                    let row = &a[cholesky::row_start(i)..=cholesky::row_start(i) + i];
                    let mut s = row[i].mul_add(x[i], out[i]);
                    for k in 0..i {
                        s = row[k].mul_add(x[k], s);
                        out[k] = row[k].mul_add(x[i], out[k]);
                    }
                    out[i] = s;
                }
            }
        }
    }

    /// Multiplies it by a number.
    pub fn scale(&mut self, factor: T) {
        match self {
            Self::Zero => {}
            Self::Diagonal(entries) | Self::Packed(entries) => entries.iter_mut().for_each(|x| *x *= factor),
        }
    }

    /// Entry `(i, j)`.
    pub fn entry(&self, i: usize, j: usize) -> T {
        match self {
            Self::Zero => T::ZERO,
            Self::Diagonal(d) if i == j => d[i],
            Self::Diagonal(_) => T::ZERO,
            Self::Packed(a) => symmetric::entry(a, i, j),
        }
    }

    /// Adds it to a matrix by rows of length `width`, for `n` modes.
    pub fn add_to(&self, n: usize, width: usize, out: &mut [T]) {
        match self {
            Self::Zero => {}
            Self::Diagonal(d) => d.iter().enumerate().for_each(|(i, d)| out[i * width + i] += *d),
            Self::Packed(a) => {
                for i in 0..n {
                    for j in 0..n {
                        out[i * width + j] += symmetric::entry(a, i, j);
                    }
                }
            }
        }
    }

    /// `xᵀ A x`.
    pub fn quadratic(&self, x: &[T]) -> T {
        match self {
            Self::Zero => T::ZERO,
            Self::Diagonal(d) => d.iter().zip(x).fold(T::ZERO, |sum, (d, x)| (*d * *x).mul_add(*x, sum)),
            Self::Packed(a) => packed_quadratic(a, x),
        }
    }
}

/// `xᵀ A x` of a packed matrix.
#[inline(never)]
fn packed_quadratic<T: Scalar>(a: &[T], x: &[T]) -> T {
    let mut sum = T::ZERO;
    for i in 0..x.len() {
        for j in 0..x.len() {
            sum = (symmetric::entry(a, i, j) * x[j]).mul_add(x[i], sum);
        }
    }
    sum
}

impl Elastic<f64> {
    /// From modes whose description has been checked.
    pub fn new(modes: &Modes) -> Self {
        let (exact, consistent) = (modes.fidelity == Fidelity::Exact, modes.fidelity == Fidelity::Consistent);
        let nonlinear = &modes.nonlinear;
        Self {
            stiffness: ModalOperator::new(&modes.stiffness, modes.count),
            damping: ModalOperator::new(&modes.damping, modes.count),
            cubic: if exact { monomials(&nonlinear.cubic, 0.5) } else { Box::default() },
            quartic: if exact { monomials(&nonlinear.quartic, 1.0 / 6.0) } else { Box::default() },
            axial_load: if consistent { monomials(&nonlinear.axial_load, 1.0) } else { Box::default() },
        }
    }
}

impl<T: Scalar> Elastic<T> {
    /// `out ← out + K η + ½ K3 η η + ⅙ K4 η η η`.
    #[inline]
    pub fn add_force(&self, eta: &[T], out: &mut [T]) {
        self.stiffness.add_mul(eta, out);
        add_polynomial(&self.cubic, eta, out);
        add_polynomial(&self.quartic, eta, out);
        // CL: K₁ from the present axial load, on the rows it is given for               [DS95 (20)]
        add_polynomial(&self.axial_load, eta, out);
    }

    /// Writes the packed symmetric part of the tangent stiffness `∂/∂η` of [`add_force`](Self::add_force).
    pub fn tangent(&self, eta: &[T], out: &mut [T]) {
        for i in 0..eta.len() {
            for j in 0..=i {
                out[cholesky::row_start(i) + j] = self.stiffness.entry(i, j);
            }
        }
        // Half of an entry off the diagonal of the packed triangle, for the symmetric part.
        let mut add = |i: u32, j: u32, value: T| {
            let (i, j) = (i.max(j) as usize, i.min(j) as usize);
            let share = if i == j { T::ONE } else { T::from_f64(0.5) };
            out[cholesky::row_start(i) + j] = value.mul_add(share, out[cholesky::row_start(i) + j]);
        };
        differentiate(&self.cubic, eta, &mut add);
        differentiate(&self.quartic, eta, &mut add);
        differentiate(&self.axial_load, eta, &mut add);
    }

    /// Adds the tangent stiffness `∂/∂η` of [`add_force`](Self::add_force) to a matrix by rows of length `width`.
    pub fn add_tangent(&self, eta: &[T], width: usize, out: &mut [T]) {
        self.stiffness.add_to(eta.len(), width, out);
        let mut add = |i: u32, j: u32, value: T| out[i as usize * width + j as usize] += value;
        differentiate(&self.cubic, eta, &mut add);
        differentiate(&self.quartic, eta, &mut add);
        differentiate(&self.axial_load, eta, &mut add);
    }

    /// `½ η K η + ⅙ K3 η η η + 1/24 K4 η η η η`.
    pub fn energy(&self, eta: &[T]) -> T {
        // The force of a homogeneous polynomial energy, times η, is its degree times the energy.
        let quadratic = self.stiffness.quadratic(eta) * T::from_f64(0.5);
        let cubic = virial(&self.cubic, eta) * T::from_f64(1.0 / 3.0);
        quadratic + cubic + virial(&self.quartic, eta) * T::from_f64(0.25)
    }
}

impl<U: Scalar> Cast<U> for ModalOperator<f64> {
    type Output = ModalOperator<U>;
    fn cast(&self) -> ModalOperator<U> {
        match self {
            Self::Zero => ModalOperator::Zero,
            Self::Diagonal(d) => ModalOperator::Diagonal(d.cast()),
            Self::Packed(a) => ModalOperator::Packed(a.cast()),
        }
    }
}

impl<U: Scalar> Cast<U> for Elastic<f64> {
    type Output = Elastic<U>;
    fn cast(&self) -> Elastic<U> {
        Elastic {
            stiffness: self.stiffness.cast(),
            damping: self.damping.cast(),
            cubic: self.cubic.iter().map(|(i, v)| (*i, v.cast())).collect(),
            quartic: self.quartic.iter().map(|(i, v)| (*i, v.cast())).collect(),
            axial_load: self.axial_load.iter().map(|(i, v)| (*i, v.cast())).collect(),
        }
    }
}
