//! Invariant zeros: frequencies at which inputs other than zero leave all outputs at zero, by the reduction of Emami-Naeini and Van Dooren
//! (1982).
//!
//! States that outputs see through a singular `D` are removed, step by step, from the rows and then from the columns, until `D` is
//! invertible; the zeros are the eigenvalues of `A − B D⁻¹ C`. Any number of inputs and outputs.

use faer::Mat;
use faer::linalg::solvers::Solve;

use crate::parts::Parts;
use crate::poles::eigenvalues;
use crate::{AnalysisError, Complex, StateSpace};

/// Singular values below this part of the greatest size are taken as zero.
const RANK: f64 = 1e-11;

/// The finite invariant zeros of a model, ordered by absolute value. Zeros of a model with one input and one output are those of its transfer
/// function, and poles that the input does not reach or the output does not see.
///
/// # Errors
/// [`AnalysisError`], where the matrices do not fit or are not finite.
pub fn zeros(system: &StateSpace) -> Result<Vec<Complex>, AnalysisError> {
    let mut parts = Parts::balanced(system)?;
    let rate = scale(&mut parts);
    let parts = transposed(&without_infinite(parts)?);
    let parts = without_infinite(parts)?;
    let (n, m) = (parts.a.nrows(), parts.d.nrows().min(parts.d.ncols()));
    if n == 0 || m == 0 {
        return Ok(eigenvalues(&parts.a)?.into_iter().map(|z| Complex::new(rate * z.re, rate * z.im)).collect());
    }
    let feedback = parts.d.partial_piv_lu().solve(&parts.c);
    let found = eigenvalues(&(&parts.a - &parts.b * &feedback))?;
    Ok(found.into_iter().map(|z| Complex::new(rate * z.re, rate * z.im)).collect())
}

/// Time in units that make `A` of size one, inputs and outputs scaled to columns of `[B; D]` and rows of `[C D]` of size one: zeros but for the
/// unit of time do not change. That unit's rate.
fn scale(parts: &mut Parts) -> f64 {
    let size = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0_f64, |most, x| most.max(x.abs()));
    let (n, m, p) = (parts.a.nrows(), parts.b.ncols(), parts.c.nrows());
    let rate = size(&mut (0..n * n).map(|k| parts.a[(k / n, k % n)]));
    let rate = if rate > 0.0 { rate } else { 1.0 };
    parts.a = Mat::from_fn(n, n, |i, j| parts.a[(i, j)] / rate);
    // Held inputs act rate times faster; with D they keep their ratio.
    for j in 0..m {
        (0..n).for_each(|i| parts.b[(i, j)] /= rate);
        let of_b = size(&mut (0..n).map(|i| parts.b[(i, j)]));
        let most = of_b.max(size(&mut (0..p).map(|i| parts.d[(i, j)])));
        if most > 0.0 {
            (0..n).for_each(|i| parts.b[(i, j)] /= most);
            (0..p).for_each(|i| parts.d[(i, j)] /= most);
        }
    }
    for i in 0..p {
        let of_c = size(&mut (0..n).map(|j| parts.c[(i, j)]));
        let most = of_c.max(size(&mut (0..m).map(|j| parts.d[(i, j)])));
        if most > 0.0 {
            (0..n).for_each(|j| parts.c[(i, j)] /= most);
            (0..m).for_each(|j| parts.d[(i, j)] /= most);
        }
    }
    rate
}

fn transposed(parts: &Parts) -> Parts {
    let turned = |m: &Mat<f64>| m.transpose().to_owned();
    Parts { a: turned(&parts.a), b: turned(&parts.c), c: turned(&parts.b), d: turned(&parts.d) }
}

/// Takes states away until `D` has full row rank.
fn without_infinite(mut parts: Parts) -> Result<Parts, AnalysisError> {
    loop {
        let Parts { a, b, c, d } = &parts;
        let (n, m) = (a.nrows(), b.ncols());
        // D = [D₁; 0], C = [C₁; C₂].
        let (turn, rank) = compression(d)?;
        let (c, d) = (turn.transpose() * c, turn.transpose() * d);
        let (c1, c2) = (c.subrows(0, rank), c.subrows(rank, c.nrows() - rank));
        let d1 = d.subrows(0, rank);
        // The states that C₂ sees come last.
        let (turn, seen) = compression(&c2.transpose().to_owned())?;
        if seen == 0 {
            return Ok(Parts { a: a.clone(), b: b.clone(), c: c1.to_owned(), d: d1.to_owned() });
        }
        let kept = n - seen;
        let order = |j: usize| if j < kept { seen + j } else { j - kept };
        let turn = Mat::from_fn(n, n, |i, j| turn[(i, order(j))]);
        let (a, b, c1) = (turn.transpose() * a * &turn, turn.transpose() * b, c1 * &turn);
        parts = Parts {
            a: a.submatrix(0, 0, kept, kept).to_owned(),
            b: b.subrows(0, kept).to_owned(),
            c: Mat::from_fn(rank + seen, kept, |i, j| if i < rank { c1[(i, j)] } else { a[(kept + i - rank, j)] }),
            d: Mat::from_fn(rank + seen, m, |i, j| if i < rank { d1[(i, j)] } else { b[(kept + i - rank, j)] }),
        };
    }
}

/// An orthogonal matrix whose first columns span the columns of `x`, and their number.
fn compression(x: &Mat<f64>) -> Result<(Mat<f64>, usize), AnalysisError> {
    if x.nrows() == 0 || x.ncols() == 0 {
        return Ok((Mat::identity(x.nrows(), x.nrows()), 0));
    }
    let svd = x.svd().map_err(|_| AnalysisError::NoConvergence)?;
    let values = svd.S().column_vector();
    let rank = (0..values.nrows()).filter(|i| values[*i] > RANK).count();
    Ok((svd.U().to_owned(), rank))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;
    use crate::examples::{model, two_masses};

    /// One output of a model.
    fn seen_at(system: &StateSpace, output: usize) -> StateSpace {
        let n = system.a.rows();
        let c = Matrix::from_fn(1, n, |_, j| system.c[(output, j)]);
        StateSpace { c, d: Matrix::zeros(1, 1), outputs: vec![system.outputs[output].clone()], ..system.clone() }
    }

    #[test]
    fn collocated_masses_have_the_zeros_of_the_other_mass_held_and_far_ones_none() {
        let (k, m2) = (7e6, 3.0);
        let system = two_masses([2.0, m2], k, 0.0);
        let found = zeros(&seen_at(&system, 0)).unwrap();
        let w = (k / m2).sqrt();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().all(|z| (z.im.abs() - w).abs() < 1e-9 * w && z.re.abs() < 1e-9 * w), "{found:?}");
        assert_eq!(zeros(&seen_at(&system, 1)).unwrap(), []);
        // Damping in the spring gives the far mass one zero, at -k / c.
        let damped = two_masses([2.0, m2], k, 1e4);
        let found = zeros(&seen_at(&damped, 1)).unwrap();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0].re + 700.0).abs() < 1e-5 && found[0].im == 0.0, "{found:?}");
    }

    #[test]
    fn a_right_half_plane_zero_with_direct_passage_and_hidden_states() {
        // (s - 1) / (s + 2) = 1 - 3 / (s + 2), and a state at -5 that the output does not see.
        let system = model(&[&[-2.0, 0.0], &[0.0, -5.0]], &[&[1.0], &[1.0]], &[&[-3.0, 0.0]], &[&[1.0]]);
        let found: Vec<f64> = zeros(&system).unwrap().iter().map(|z| z.re).collect();
        assert!(found.len() == 2 && (found[0] - 1.0).abs() < 1e-12 && (found[1] + 5.0).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn systems_with_several_inputs() {
        // G = [1/(s+1), 2/(s+3); 1/(s+1), 1/(s+1)]: det = (1 - s) / ((s+1)² (s+3)), by the states x₁', x₂' with poles -1, -3, -1.
        let a: [&[f64]; 3] = [&[-1.0, 0.0, 0.0], &[0.0, -3.0, 0.0], &[0.0, 0.0, -1.0]];
        let b: [&[f64]; 3] = [&[1.0, 0.0], &[0.0, 2.0], &[0.0, 1.0]];
        let system = model(&a, &b, &[&[1.0, 1.0, 0.0], &[1.0, 0.0, 1.0]], &[&[0.0; 2], &[0.0; 2]]);
        let found = zeros(&system).unwrap();
        assert!(found.len() == 1 && (found[0].re - 1.0).abs() < 1e-12, "{found:?}");
        // Three outputs for two inputs: none in general.
        let more =
            model(&a, &b, &[&[1.0, 1.0, 0.0], &[1.0, 0.0, 1.0], &[0.0, 1.0, 2.0]], &[&[0.0; 2], &[0.0; 2], &[0.0; 2]]);
        assert_eq!(zeros(&more).unwrap(), []);
    }
}
