//! Modes orthonormal in the mass.

use super::dense::{combined, products, symmetric};
use super::eigen::project_out;
use super::reduce::ModeSource;
use super::structure::mass_orthonormal;
use super::{ReductionError, SparseSymmetric, add_scaled, dot};

/// A vector that was left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dropped {
    /// Where it came from.
    pub source: ModeSource,
    /// Which of that source.
    pub index: usize,
    /// What was left of it across rigid motions and the vectors before it, as a fraction of its size in the mass.
    pub remainder: f64,
}

/// A vector with its origin.
pub(super) type Sourced = (ModeSource, usize, Vec<f64>);

/// Gram-Schmidt in the mass, twice for rounding, across the rigid motions; dependent vectors are dropped and reported.
pub(super) fn orthonormalised(
    mass: &SparseSymmetric,
    rigid: &[Vec<f64>],
    candidates: Vec<Sourced>,
    tolerance: f64,
) -> (Vec<Vec<f64>>, Vec<Dropped>) {
    let rigid = mass_orthonormal(mass, rigid);
    let (mut kept, mut images) = (Vec::<Vec<f64>>::new(), Vec::<Vec<f64>>::new());
    let mut dropped = Vec::new();
    for (source, index, mut v) in candidates {
        let before = dot(&v, &mass.mul(&v)).sqrt();
        for _ in 0..2 {
            project_out(&mut v, mass, &rigid);
            for (q, mq) in kept.iter().zip(&images) {
                let along = dot(mq, &v);
                add_scaled(&mut v, -along, q);
            }
        }
        let mut mv = mass.mul(&v);
        let after = dot(&v, &mv).max(0.0).sqrt();
        let remainder = if before > 0.0 { after / before } else { 0.0 };
        // A vector that moves no mass has no size here either.
        if remainder <= tolerance || !remainder.is_finite() {
            dropped.push(Dropped { source, index, remainder });
            continue;
        }
        v.iter_mut().for_each(|x| *x /= after);
        mv.iter_mut().for_each(|x| *x /= after);
        kept.push(v);
        images.push(mv);
    }
    (kept, dropped)
}

/// `Φ* K Φ`.
pub(super) fn projected(stiffness: &SparseSymmetric, vectors: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let images: Vec<Vec<f64>> = vectors.iter().map(|v| stiffness.mul(v)).collect();
    let raw = products(vectors, &images);
    (0..raw.len()).map(|i| (0..raw.len()).map(|j| 0.5 * (raw[i][j] + raw[j][i])).collect()).collect()
}

/// Eigenvalues of the projected stiffness in ascending order, with the vectors turned to its eigenvectors.
pub(super) fn diagonalised(
    stiffness: &[Vec<f64>],
    vectors: &[Vec<f64>],
) -> Result<(Vec<f64>, Vec<Vec<f64>>), ReductionError> {
    let pairs = symmetric(stiffness.len(), |i, j| stiffness[i][j])?;
    Ok(pairs.into_iter().map(|(square, c)| (square, combined(vectors, &c))).unzip())
}
