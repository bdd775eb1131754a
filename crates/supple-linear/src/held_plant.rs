//! A system between the instants of sampled blocks, whose forces are held.

use faer::Mat;

use crate::LinearError;
use crate::exponential::exponential;
use crate::spectrum::{Basis, basis};
use crate::vibrations::Pose;

/// The system between instants, in coordinates `(s p, v)` of its undamped modes, `s` their rates: entries are frequencies.
pub(crate) struct HeldPlant {
    /// Displacements of the independent coordinates by `p`.
    pub basis: Mat<f64>,
    /// Displacements of all speeds by `p`.
    pub motion: Mat<f64>,
    pub rates: Vec<f64>,
    pub a: Mat<f64>,
    /// By the forces of blocks at the driven speeds.
    pub b: Mat<f64>,
}

impl HeldPlant {
    pub fn new(pose: &Pose<'_>, driven: &[usize]) -> Result<Self, LinearError> {
        let [mass, damping, stiffness] = pose.reduced.in_displacements();
        let Basis { vectors, stiffness: kappa } = basis(&mass, &stiffness, &pose.reduced.loads(&pose.tangent))?;
        let n = kappa.len();
        let rates: Vec<f64> = kappa.iter().map(|k| if *k == 0.0 { 1.0 } else { k.abs().sqrt() }).collect();
        let skew = Mat::from_fn(n, n, |i, j| 0.5 * (stiffness[(i, j)] - stiffness[(j, i)]));
        let [damping, skew] = [&damping, &skew].map(|a| vectors.transpose() * a * &vectors);
        let a = Mat::from_fn(2 * n, 2 * n, |i, j| match (i < n, j < n) {
            (true, true) => 0.0,
            (true, false) => rates[i] * f64::from(i + n == j),
            (false, true) => -(kappa[j] * f64::from(i - n == j) + skew[(i - n, j)]) / rates[j],
            (false, false) => -damping[(i - n, j - n)],
        });
        let motion = &pose.reduced.reduction.shape * &vectors;
        let b = Mat::from_fn(2 * n, driven.len(), |i, j| if i < n { 0.0 } else { motion[(driven[j], i - n)] });
        Ok(Self { basis: vectors, motion, rates, a, b })
    }

    /// `exp(A t)`, beside `∫ exp(A s) ds B`.
    pub fn held(&self, t: f64) -> Mat<f64> {
        let (n, m) = (self.a.nrows(), self.b.ncols());
        let block = Mat::from_fn(n + m, n + m, |i, j| match (i < n, j < n) {
            (true, true) => t * self.a[(i, j)],
            (true, false) => t * self.b[(i, j - n)],
            _ => 0.0,
        });
        exponential(&block).submatrix(0, 0, n, n + m).to_owned()
    }
}
