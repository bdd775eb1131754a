//! Eigenvalues and vectors of `M q̈ + C q̇ + K q = 0`, slow ones as exact as fast ones.
//!
//! Coordinates first become those of the undamped, symmetric problem, `q = Φ p` with `Φ* M Φ = 1` and `½ Φ* (K + K*) Φ = κ`, made exact by Jacobi's
//! rotations: these keep small `κ` beside large ones. Where nothing couples them, `λ = ±√-κ`. Otherwise the eigenvalues are those of
//!
//! ```text
//! y = (s p, v), s = √|κ|:   ẏ = [ 0, s; -sign(κ) s - Φ* K_a Φ s⁻¹, -Φ* C Φ ] y
//! ```
//!
//! whose entries are frequencies, not their squares. Coordinates that no force depends on, `κ = 0`, are left out of `y`: they are rigid-body motions, and
//! their eigenvalue is exactly zero.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side, c64};

use crate::LinearError;

/// Stiffnesses below this part of the greatest, frequencies below 1e-10 of the fastest, are not told from zero.
const UNRESOLVED: f64 = 1e-20;

/// An eigenvalue that is not the conjugate of another, with its vector in the coordinates of the problem.
#[derive(Clone, Debug)]
pub(crate) struct Eigenpair {
    pub value: c64,
    pub vector: Vec<c64>,
}

/// The undamped, symmetric problem in coordinates of unit mass.
pub(crate) struct Basis {
    /// Columns `Φ`.
    pub vectors: Mat<f64>,
    /// `κ`, exactly zero where it cannot be told from zero.
    pub stiffness: Vec<f64>,
}

/// Solves the undamped, symmetric problem. `loads` are the sizes of the forces whose derivative `K` is: what they round off is no stiffness.
pub(crate) fn basis(mass: &Mat<f64>, stiffness: &Mat<f64>, loads: &[f64]) -> Result<Basis, LinearError> {
    let n = mass.nrows();
    let symmetric = Mat::from_fn(n, n, |i, j| 0.5 * (stiffness[(i, j)] + stiffness[(j, i)]));
    let factor = mass.llt(Side::Lower).map_err(|_| LinearError::NoEigenvalues)?;
    let l = factor.L();
    let mut scaled = symmetric.clone();
    l.solve_lower_triangular_in_place(scaled.as_mut());
    l.solve_lower_triangular_in_place(scaled.as_mut().transpose_mut());
    let eigen = scaled.self_adjoint_eigen(Side::Lower).map_err(|_| LinearError::NoEigenvalues)?;
    let mut vectors = eigen.U().to_owned();
    l.transpose().solve_upper_triangular_in_place(vectors.as_mut());
    let mut diagonal = vectors.transpose() * &symmetric * &vectors;
    rotate(&mut diagonal, &mut vectors);
    let blur = blur(&vectors, &symmetric, loads);
    let stiffest = (0..n).map(|k| diagonal[(k, k)].abs()).fold(0.0, f64::max);
    let least = |k: usize| blur[(k, k)].max(UNRESOLVED * stiffest);
    let kappa = |k: usize| if diagonal[(k, k)].abs() <= least(k) { 0.0 } else { diagonal[(k, k)] };
    let stiffness = (0..n).map(kappa).collect();
    Ok(Basis { vectors, stiffness })
}

/// What rounding may leave of `Φ* A Φ`, for an `A` that is the derivative of forces of these sizes.
fn blur(vectors: &Mat<f64>, matrix: &Mat<f64>, loads: &[f64]) -> Mat<f64> {
    let n = vectors.nrows();
    let sizes = absolute(vectors);
    let added = sizes.transpose() * absolute(matrix) * &sizes;
    let pulls = sizes.transpose() * Mat::from_fn(n, n, |i, j| sizes[(i, j)] * loads[i]);
    Mat::from_fn(n, n, |i, j| f64::EPSILON * (1e4 * pulls[(i, j)] + 16.0 * n as f64 * added[(i, j)]))
}

fn absolute(matrix: &Mat<f64>) -> Mat<f64> {
    Mat::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)].abs())
}

/// Jacobi's rotations of a symmetric matrix that is nearly diagonal, and of the vectors it belongs to.
fn rotate(a: &mut Mat<f64>, vectors: &mut Mat<f64>) {
    let n = a.nrows();
    for _ in 0..6 {
        let mut turned = false;
        for (p, q) in (0..n).flat_map(|p| (p + 1..n).map(move |q| (p, q))) {
            let off = 0.5 * (a[(p, q)] + a[(q, p)]);
            if off.abs() <= f64::EPSILON * (a[(p, p)] * a[(q, q)]).abs().sqrt() {
                continue;
            }
            turned = true;
            let theta = (a[(q, q)] - a[(p, p)]) / (2.0 * off);
            let t = if theta == 0.0 { 1.0 } else { theta.signum() / (theta.abs() + theta.hypot(1.0)) };
            let c = 1.0 / t.hypot(1.0);
            let s = t * c;
            for i in 0..n {
                (a[(i, p)], a[(i, q)]) = (c * a[(i, p)] - s * a[(i, q)], s * a[(i, p)] + c * a[(i, q)]);
                let (x, y) = (vectors[(i, p)], vectors[(i, q)]);
                (vectors[(i, p)], vectors[(i, q)]) = (c * x - s * y, s * x + c * y);
            }
            for j in 0..n {
                (a[(p, j)], a[(q, j)]) = (c * a[(p, j)] - s * a[(q, j)], s * a[(p, j)] + c * a[(q, j)]);
            }
        }
        if !turned {
            break;
        }
    }
}

/// All eigenvalues, one of each conjugate pair, ordered by absolute value.
pub(crate) fn spectrum(
    mass: &Mat<f64>,
    damping: &Mat<f64>,
    stiffness: &Mat<f64>,
    loads: &[f64],
) -> Result<Vec<Eigenpair>, LinearError> {
    let Basis { vectors, stiffness: kappa } = basis(mass, stiffness, loads)?;
    let n = kappa.len();
    let stiffest = kappa.iter().fold(0.0_f64, |m, k| m.max(k.abs()));
    // In the basis, without what rounding leaves.
    let in_basis = |matrix: &Mat<f64>, of: &Mat<f64>, loads: &[f64], least: f64| {
        let (product, blur) = (vectors.transpose() * matrix * &vectors, blur(&vectors, of, loads));
        let least = least.max(100.0 * f64::EPSILON * product.norm_max());
        Mat::from_fn(n, n, |i, j| if product[(i, j)].abs() <= blur[(i, j)].max(least) { 0.0 } else { product[(i, j)] })
    };
    let skew = Mat::from_fn(n, n, |i, j| 0.5 * (stiffness[(i, j)] - stiffness[(j, i)]));
    let (damping, skew) =
        (in_basis(damping, damping, &vec![0.0; n], 0.0), in_basis(&skew, stiffness, loads, UNRESOLVED * stiffest));
    let rates: Vec<f64> = kappa.iter().map(|k| k.abs().sqrt()).collect();
    let couples = |i: usize, j: usize| damping[(i, j)] != 0.0 || skew[(i, j)] != 0.0;
    let coupled = |i: usize| (0..n).any(|j| couples(i, j) || couples(j, i));
    let apart: Vec<usize> = (0..n).filter(|i| !coupled(*i)).collect();
    let together: Vec<usize> = (0..n).filter(|i| coupled(*i)).collect();
    let column = |k: usize| (0..n).map(|i| c64::new(vectors[(i, k)], 0.0)).collect::<Vec<_>>();
    let mut pairs = Vec::new();
    for &k in &apart {
        let rate = rates[k];
        let values =
            if kappa[k] < 0.0 { vec![c64::new(rate, 0.0), c64::new(-rate, 0.0)] } else { vec![c64::new(0.0, rate)] };
        pairs.extend(values.into_iter().map(|value| Eigenpair { value, vector: column(k) }));
    }
    if !together.is_empty() {
        let block = Block { kappa: &kappa, rates: &rates, damping: &damping, skew: &skew, members: &together };
        for (value, modal) in block.eigenpairs()? {
            let sum = |i: usize| {
                together.iter().zip(&modal).fold(c64::new(0.0, 0.0), |sum, (k, x)| sum + *x * vectors[(i, *k)])
            };
            pairs.push(Eigenpair { value, vector: (0..n).map(sum).collect() });
        }
    }
    pairs.sort_by(|a, b| a.value.norm().total_cmp(&b.value.norm()).then(b.value.re.total_cmp(&a.value.re)));
    Ok(pairs)
}

/// Modal coordinates that damping, gyroscopic or circulatory terms couple.
struct Block<'b> {
    kappa: &'b [f64],
    rates: &'b [f64],
    damping: &'b Mat<f64>,
    skew: &'b Mat<f64>,
    members: &'b [usize],
}

impl Block<'_> {
    /// Eigenvalues with the modal speeds of their vectors.
    fn eigenpairs(&self) -> Result<Vec<(c64, Vec<c64>)>, LinearError> {
        let Self { kappa, rates, damping, skew, members } = *self;
        let n = members.len();
        let circulates = |k: usize| members.iter().any(|i| skew[(*i, k)] != 0.0);
        // Places of the coordinates in y, before the speeds.
        let kept: Vec<usize> = (0..n).filter(|k| kappa[members[*k]] != 0.0 || circulates(members[*k])).collect();
        let scale: Vec<f64> =
            kept.iter().map(|k| if rates[members[*k]] > 0.0 { rates[members[*k]] } else { 1.0 }).collect();
        let m = kept.len();
        let a = Mat::from_fn(m + n, m + n, |i, j| match (i < m, j < m) {
            (true, true) => 0.0,
            (true, false) => {
                if kept[i] == j - m {
                    scale[i]
                } else {
                    0.0
                }
            }
            (false, true) => {
                let (row, column) = (members[i - m], members[kept[j]]);
                let own = if row == column { kappa[row] } else { 0.0 };
                -(own + skew[(row, column)]) / scale[j]
            }
            (false, false) => -damping[(members[i - m], members[j - m])],
        });
        let eigen = a.eigen().map_err(|_| LinearError::NoEigenvalues)?;
        let zero = 1e-13 * (m + n) as f64 * a.norm_max();
        let unit = |k: usize| (0..n).map(|i| c64::new(f64::from(i == k), 0.0)).collect::<Vec<_>>();
        let mut rigid: Vec<Vec<c64>> = (0..n).filter(|k| !kept.contains(k)).map(unit).collect();
        let left_out = rigid.len();
        let mut pairs = Vec::new();
        let mut still = 0;
        for k in 0..m + n {
            let value = eigen.S()[k];
            let speeds = (0..n).map(|i| eigen.U()[(m + i, k)]).collect::<Vec<_>>();
            if value.norm() <= zero {
                // The first ones belong to coordinates that were left out, each the second zero of a rigid-body motion; others come in pairs.
                still += 1;
                if still > left_out && (still - left_out) % 2 == 1 {
                    let mut displacements = vec![c64::new(0.0, 0.0); n];
                    (0..m).for_each(|i| displacements[kept[i]] = eigen.U()[(i, k)] / scale[i]);
                    let moves = displacements.iter().any(|x| x.norm() > 0.0);
                    rigid.push(if moves { displacements } else { speeds });
                }
            } else if value.im >= 0.0 {
                let value = if value.im <= zero { c64::new(value.re, 0.0) } else { value };
                pairs.push((value, speeds));
            }
        }
        pairs.extend(rigid.into_iter().map(|vector| (c64::new(0.0, 0.0), vector)));
        Ok(pairs)
    }
}

/// Coordinates `M⁻¹ x` in which forces are measured: `√(f* M⁻¹ f)`.
pub(crate) fn force_norm(mass: &Mat<f64>, force: &[f64]) -> Result<f64, LinearError> {
    let factor = mass.llt(Side::Lower).map_err(|_| LinearError::NoEigenvalues)?;
    let column = Mat::from_fn(force.len(), 1, |i, _| force[i]);
    let answer = factor.solve(&column);
    Ok((0..force.len()).map(|i| force[i] * answer[(i, 0)]).sum::<f64>().max(0.0).sqrt())
}
