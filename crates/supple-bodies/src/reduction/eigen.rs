//! The lowest pairs of `K φ = ω² M φ`.
//!
//! With `K + σ M = L L*` the pairs are those of `L⁻¹ M L⁻* y = θ y`, `φ = L⁻* y`, `ω² = 1/θ - σ`: the factor of the stiffness
//! symmetrises the problem, so that the mass may be singular (lumped, without rotary inertia), and the lowest frequencies are the
//! largest, best found `θ`. A free structure gets a shift `σ` near its first elastic `ω²`; its rigid motions are the pairs at
//! `θ = 1/σ`, known beforehand, and are taken out.

use super::aligned::align;
use super::factor::Factor;
use super::structure::mass_orthonormal;
use super::{ReductionError, SparseSymmetric, add_scaled, dense, dot, krylov};

/// Which way the eigenproblem is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// Dense up to [`DENSE_LIMIT`] degrees of freedom, Krylov-Schur above.
    #[default]
    BySize,
    /// All pairs by a dense decomposition.
    Dense,
    /// The lowest pairs by a restarted Krylov space.
    Krylov,
}

/// Degrees of freedom up to which [`Solver::BySize`] is dense.
pub const DENSE_LIMIT: usize = 400;

/// Pairs with `φ* M φ = 1`, in ascending order of `ω²`.
#[derive(Clone, Debug, PartialEq)]
pub struct EigenPairs {
    /// `ω²` of each pair.
    pub squares: Vec<f64>,
    /// `φ` of each pair.
    pub vectors: Vec<Vec<f64>>,
}

/// `L⁻¹ M L⁻*` with the factor of the shifted stiffness.
#[derive(Debug)]
pub(super) struct ShiftedInverse<'a> {
    pub factor: Factor,
    pub mass: &'a SparseSymmetric,
}

impl ShiftedInverse<'_> {
    pub fn apply(&self, y: &[f64]) -> Vec<f64> {
        self.factor.half_solve(&self.mass.mul(&self.factor.half_solve_transposed(y)))
    }
}

/// The lowest `count` elastic pairs; `rigid` are the motions without strain, which are left out. Vectors of equal `ω²` are
/// turned to the sparsest choice.
///
/// `K` of a fine mesh is known only to rounding: expect errors of `1e-16` times the ratio of the highest to the lowest `ω²` of the
/// mesh (for a beam the fourth power of the number of elements, 1e-6 at 1000 of them).
///
/// # Errors
/// [`ReductionError::Mechanism`] if the stiffness is singular beyond `rigid`, [`ReductionError::TooManyModes`],
/// [`ReductionError::NotConverged`].
pub fn eigenpairs(
    stiffness: &SparseSymmetric,
    mass: &SparseSymmetric,
    rigid: &[Vec<f64>],
    count: usize,
    solver: Solver,
) -> Result<EigenPairs, ReductionError> {
    if !stiffness.is_finite() || !mass.is_finite() {
        return Err(ReductionError::NotFinite);
    }
    let n = stiffness.size();
    let rigid = mass_orthonormal(mass, rigid);
    let wanted = count + rigid.len();
    // A row of zeros in the mass is a pair at infinity.
    let massive = (0..n).filter(|&j| mass.column(j).any(|e| e.1 != 0.0)).count();
    if wanted > massive {
        return Err(ReductionError::TooManyModes { asked: count, available: massive.saturating_sub(rigid.len()) });
    }
    if count == 0 {
        return Ok(EigenPairs { squares: Vec::new(), vectors: Vec::new() });
    }
    let shift = if rigid.is_empty() { 0.0 } else { free_shift(stiffness, mass, &rigid)? };
    let operator = ShiftedInverse { factor: definite(stiffness, mass, shift)?, mass };
    // A Krylov space must be smaller than the space that the mass spans.
    let room = krylov::dimension(wanted) < massive;
    let use_dense = !room || solver == Solver::Dense || (solver == Solver::BySize && n <= DENSE_LIMIT);
    let pairs = if use_dense {
        dense::largest(&operator, wanted)?
    } else {
        krylov::largest(&operator, wanted, |theta| below(stiffness, mass, 1.0 / theta - shift))?
    };
    let mut elastic = EigenPairs { squares: Vec::new(), vectors: Vec::new() };
    for (theta, y) in pairs.into_iter().skip(rigid.len()) {
        if theta <= 0.0 {
            return Err(ReductionError::TooManyModes { asked: count, available: elastic.squares.len() });
        }
        let mut v = operator.factor.half_solve_transposed(&y);
        project_out(&mut v, mass, &rigid);
        let square = dot(&v, &mass.mul(&v));
        v.iter_mut().for_each(|x| *x /= square.sqrt());
        elastic.squares.push(1.0 / theta - shift);
        elastic.vectors.push(v);
    }
    align(&elastic.squares, &mut elastic.vectors);
    Ok(elastic)
}

/// Pairs of the pencil with `ω²` below `square`.
fn below(stiffness: &SparseSymmetric, mass: &SparseSymmetric, square: f64) -> Option<usize> {
    Factor::new(&stiffness.plus(-square, mass)).map(|f| f.negative())
}

/// Factor of `K + σ M`, which must be positive definite.
fn definite(stiffness: &SparseSymmetric, mass: &SparseSymmetric, shift: f64) -> Result<Factor, ReductionError> {
    if shift == 0.0 { definite_factor(stiffness) } else { definite_factor(&stiffness.plus(shift, mass)) }
}

/// Factor of a matrix that must be positive definite well above rounding.
pub(super) fn definite_factor(a: &SparseSymmetric) -> Result<Factor, ReductionError> {
    let factor = Factor::new(a).ok_or(ReductionError::Mechanism { dof: 0 })?;
    let rounding = f64::EPSILON * a.size().max(100) as f64;
    match factor.weakest(a) {
        Some((dof, ratio)) if ratio < rounding => Err(ReductionError::Mechanism { dof }),
        _ => Ok(factor),
    }
}

/// A shift near the first elastic `ω²` of a free structure, by inverse iteration across the rigid motions.
fn free_shift(stiffness: &SparseSymmetric, mass: &SparseSymmetric, rigid: &[Vec<f64>]) -> Result<f64, ReductionError> {
    let (k, m) = (stiffness.diagonal(), mass.diagonal());
    let fastest = (0..k.len()).filter(|&i| m[i] > 0.0).map(|i| k[i] / m[i]).fold(0.0, f64::max);
    let first = 1e-9 * fastest;
    let factor = definite(stiffness, mass, first)?;
    let mut v = krylov::start_vector(k.len());
    let mut square = fastest;
    for _ in 0..8 {
        project_out(&mut v, mass, rigid);
        let mv = mass.mul(&v);
        let size = dot(&v, &mv).sqrt();
        if size == 0.0 {
            return Err(ReductionError::NotFinite);
        }
        let load: Vec<f64> = mv.iter().map(|x| x / size).collect();
        let next = factor.solve(&load);
        // θ = v* M A⁻¹ M v for a unit v.
        square = 1.0 / dot(&next, &load) - first;
        v = next;
    }
    Ok(square.max(first))
}

/// Removes what lies along mass-orthonormal vectors.
pub(super) fn project_out(v: &mut [f64], mass: &SparseSymmetric, rigid: &[Vec<f64>]) {
    for _ in 0..2 {
        for r in rigid {
            let along = dot(r, &mass.mul(v));
            add_scaled(v, -along, r);
        }
    }
}
