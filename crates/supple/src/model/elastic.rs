//! Elastic and damping forces of the modes, local to a body.

use super::cast::Cast;
use super::description::{Fidelity, ModalMatrix, Modes};
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
    /// `K3` entries.
    pub cubic: Box<[([u32; 3], T)]>,
    /// `K4` entries.
    pub quartic: Box<[([u32; 4], T)]>,
    /// Entries of the force of the axial load.
    pub axial_load: Box<[([u32; 3], T)]>,
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
                for i in 0..x.len() {
                    out[i] = d[i].mul_add(x[i], out[i]);
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

    /// Entry `(i, j)`.
    pub fn entry(&self, i: usize, j: usize) -> T {
        match self {
            Self::Zero => T::ZERO,
            Self::Diagonal(d) if i == j => d[i],
            Self::Diagonal(_) => T::ZERO,
            Self::Packed(a) => symmetric::entry(a, i, j),
        }
    }

    /// `xᵀ A x`.
    pub fn quadratic(&self, x: &[T]) -> T {
        let mut sum = T::ZERO;
        for i in 0..x.len() {
            match self {
                Self::Zero => {}
                Self::Diagonal(d) => sum = (d[i] * x[i]).mul_add(x[i], sum),
                Self::Packed(_) => {
                    for j in 0..x.len() {
                        sum = (self.entry(i, j) * x[j]).mul_add(x[i], sum);
                    }
                }
            }
        }
        sum
    }
}

impl Elastic<f64> {
    /// From modes whose description has been checked.
    pub fn new(modes: &Modes) -> Self {
        let narrow = |i: usize| i as u32;
        let (exact, consistent) = (modes.fidelity == Fidelity::Exact, modes.fidelity == Fidelity::Consistent);
        let nonlinear = &modes.nonlinear;
        Self {
            stiffness: ModalOperator::new(&modes.stiffness, modes.count),
            damping: ModalOperator::new(&modes.damping, modes.count),
            cubic: nonlinear.cubic.iter().filter(|_| exact).map(|(i, v)| (i.map(narrow), *v)).collect(),
            quartic: nonlinear.quartic.iter().filter(|_| exact).map(|(i, v)| (i.map(narrow), *v)).collect(),
            axial_load: nonlinear.axial_load.iter().filter(|_| consistent).map(|(i, v)| (i.map(narrow), *v)).collect(),
        }
    }
}

impl<T: Scalar> Elastic<T> {
    /// `out ← out + K η + ½ K3 η η + ⅙ K4 η η η`.
    #[inline]
    pub fn add_force(&self, eta: &[T], out: &mut [T]) {
        self.stiffness.add_mul(eta, out);
        let (half, sixth) = (T::from_f64(0.5), T::from_f64(1.0 / 6.0));
        for &([i, j, k], value) in &self.cubic {
            let product = value * half * eta[j as usize];
            out[i as usize] = product.mul_add(eta[k as usize], out[i as usize]);
        }
        for &([i, j, k, l], value) in &self.quartic {
            let product = value * sixth * eta[j as usize] * eta[k as usize];
            out[i as usize] = product.mul_add(eta[l as usize], out[i as usize]);
        }
        // CL: K₁ from the present axial load, on the rows it is given for               [DS95 (20)]
        for &([i, j, k], value) in &self.axial_load {
            let product = value * eta[j as usize];
            out[i as usize] = product.mul_add(eta[k as usize], out[i as usize]);
        }
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
        let (half, sixth) = (T::from_f64(0.5), T::from_f64(1.0 / 6.0));
        for &([i, j, k], value) in &self.cubic {
            add(i, j, value * half * eta[k as usize]);
            add(i, k, value * half * eta[j as usize]);
        }
        for &([i, j, k, l], value) in &self.quartic {
            let [x, y, z] = [j, k, l].map(|m| eta[m as usize]);
            add(i, j, value * sixth * y * z);
            add(i, k, value * sixth * x * z);
            add(i, l, value * sixth * x * y);
        }
        for &([i, j, k], value) in &self.axial_load {
            add(i, j, value * eta[k as usize]);
            add(i, k, value * eta[j as usize]);
        }
    }

    /// `½ η K η + ⅙ K3 η η η + 1/24 K4 η η η η`.
    pub fn energy(&self, eta: &[T]) -> T {
        let mut sum = self.stiffness.quadratic(eta) * T::from_f64(0.5);
        for &([i, j, k], value) in &self.cubic {
            sum += value * T::from_f64(1.0 / 6.0) * eta[i as usize] * eta[j as usize] * eta[k as usize];
        }
        for &([i, j, k, l], value) in &self.quartic {
            let pair = eta[i as usize] * eta[j as usize];
            sum += value * T::from_f64(1.0 / 24.0) * pair * eta[k as usize] * eta[l as usize];
        }
        sum
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
