//! Independent coordinates: what is left when closures hold and hinges are locked.
//!
//! The columns of `A` that belong to free speeds are ordered by pivots of a QR factorisation, each scaled to unit kinetic energy: `A = Q [R₁ R₂]`. The
//! first speeds, as many as the rank, follow from the others, so that what remains are coordinates of the model:
//!
//! ```text
//! δ = S z                S = [-R₁⁻¹ R₂; 1]
//! δu = S w + P z         of a system that moves, P = -[R₁⁻¹ Q*; 0] (∂(A u)/∂δ) S
//! δu̇ = S ẇ + Q z + R w
//! ```

use faer::Mat;
use faer::linalg::solvers::{Solve, SolveLstsq};

use crate::tangent::Tangent;

/// Equations that depend on others to this part of the largest pivot are left out.
const DEPENDENT: f64 = 1e-11;

/// How all coordinates follow from the independent ones.
#[derive(Clone, Debug)]
pub(crate) struct Reduction {
    /// Independent speeds in their order, those that are free first, then those that inputs accelerate.
    pub kept: Vec<usize>,
    /// How many of them are free.
    pub free: usize,
    /// `S`.
    pub shape: Mat<f64>,
    /// `P`.
    pub speed_by_displacement: Mat<f64>,
    /// `Q` and `R`.
    pub acceleration_by: [Mat<f64>; 2],
}

/// Reduces the `free` speeds by the closures; `driven` ones move as inputs say, all others are locked. `Err` has the driven speed that closures hold.
pub(crate) fn reduce(tangent: &Tangent, free: &[usize], driven: &[usize]) -> Result<Reduction, usize> {
    let n = tangent.mass.nrows();
    let (dependent, solve) = dependent_speeds(tangent, free);
    let independent: Vec<usize> = free.iter().copied().filter(|i| !dependent.contains(i)).collect();
    let kept: Vec<usize> = independent.iter().chain(driven).copied().collect();
    // What the dependent ones do about a violation of the equations.
    let answer = |violation: &Mat<f64>| -> Mat<f64> {
        let mut out = Mat::zeros(n, violation.ncols());
        if !dependent.is_empty() {
            let x = solve.solve_lstsq(violation);
            for (row, &i) in dependent.iter().enumerate() {
                (0..x.ncols()).for_each(|j| out[(i, j)] = -x[(row, j)]);
            }
        }
        out
    };
    let mut unit = Mat::zeros(n, kept.len());
    kept.iter().enumerate().for_each(|(j, i)| unit[(*i, j)] = 1.0);
    let violation = &tangent.jacobian * &unit;
    let shape = &unit + answer(&violation);
    let left = &tangent.jacobian * &shape;
    let size = tangent.jacobian.norm_max();
    for (j, &speed) in driven.iter().enumerate() {
        let column = independent.len() + j;
        if (0..left.nrows()).any(|i| left[(i, column)].abs() > 1e-8 * size) {
            return Err(speed);
        }
    }
    let speed_by_displacement = answer(&(&tangent.speed_change * &shape));
    let [by_displacement, by_speed] = &tangent.acceleration_change;
    let acceleration_by =
        [answer(&(by_displacement * &shape + by_speed * &speed_by_displacement)), answer(&(by_speed * &shape))];
    Ok(Reduction { free: independent.len(), kept, shape, speed_by_displacement, acceleration_by })
}

/// Speeds that follow from others by the closures, and the factors that say how.
fn dependent_speeds(tangent: &Tangent, free: &[usize]) -> (Vec<usize>, faer::linalg::solvers::Qr<f64>) {
    let a = &tangent.jacobian;
    let scaled = Mat::from_fn(a.nrows(), free.len(), |i, j| {
        a[(i, free[j])] / tangent.mass[(free[j], free[j])].max(f64::MIN_POSITIVE).sqrt()
    });
    let mut dependent = Vec::new();
    if a.nrows() > 0 && !free.is_empty() {
        let factors = scaled.col_piv_qr();
        let r = factors.thin_R();
        let order = factors.P().arrays().0.to_vec();
        let size = r[(0, 0)].abs();
        let rank = (0..r.nrows().min(r.ncols())).take_while(|k| r[(*k, *k)].abs() > DEPENDENT * size).count();
        dependent = order[..rank].iter().map(|j| free[*j]).collect();
        dependent.sort_unstable();
    }
    let columns = Mat::from_fn(a.nrows(), dependent.len(), |i, j| a[(i, dependent[j])]);
    let factors = columns.qr();
    (dependent, factors)
}

/// `M⁻¹ X` for a mass matrix, which is symmetric and definite.
pub(crate) fn solve_mass(mass: &Mat<f64>, x: &Mat<f64>) -> Option<Mat<f64>> {
    Some(mass.llt(faer::Side::Lower).ok()?.solve(x))
}
