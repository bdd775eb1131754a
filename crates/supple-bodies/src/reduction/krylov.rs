//! The largest pairs of the shifted inverse by faer's Krylov-Schur iteration.
//!
//! A Krylov space from one vector sees each multiple eigenvalue once, and equal bending in two planes makes every pair double: the count of
//! pairs below the highest one found (Sylvester's law) says how many are missing, and the iteration is repeated across those found.

use super::dense::{combined, products, symmetric};
use super::eigen::ShiftedInverse;
use super::{ReductionError, add_scaled, dot};
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::matrix_free::LinOp;
use faer::matrix_free::eigen::{PartialEigenParams, partial_self_adjoint_eigen, partial_self_adjoint_eigen_scratch};
use faer::{Col, Mat, MatMut, MatRef, Par};

type Pair = (f64, Vec<f64>);

/// Largest dimension of the Krylov space for `wanted` pairs.
pub(super) fn dimension(wanted: usize) -> usize {
    (4 * wanted).max(80)
}

/// A fixed vector without symmetry.
pub(super) fn start_vector(n: usize) -> Vec<f64> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        // xorshift64
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    (0..n).map(|_| next()).collect()
}

/// The `wanted` largest pairs, largest first; `below(θ)` counts the pairs above `θ`, if it can.
pub(super) fn largest(
    operator: &ShiftedInverse<'_>,
    wanted: usize,
    above: impl Fn(f64) -> Option<usize>,
) -> Result<Vec<Pair>, ReductionError> {
    let mut found: Vec<Pair> = Vec::new();
    let mut missing = wanted;
    let mut limit = None;
    for attempt in 0..12 {
        let fresh = run(operator, &found, missing, attempt);
        if fresh.is_empty() {
            break;
        }
        found.extend(fresh);
        found = refined(operator, found)?;
        if found.len() < wanted {
            missing = wanted - found.len();
            continue;
        }
        // A little past the last pair wanted, so that its own copies count.
        let level = *limit.get_or_insert(found[wanted - 1].0 * (1.0 - 1e-6));
        let have = found.iter().filter(|p| p.0 > level).count();
        match above(level) {
            Some(all) if all > have => missing = all - have,
            _ => {
                found.truncate(wanted);
                return Ok(found);
            }
        }
    }
    Err(ReductionError::NotConverged { asked: wanted, found: found.len().min(wanted.saturating_sub(1)) })
}

/// One iteration across the pairs already found.
fn run(operator: &ShiftedInverse<'_>, found: &[Pair], count: usize, attempt: usize) -> Vec<Pair> {
    let n = operator.mass.size();
    let mut start = start_vector(n + attempt).split_off(attempt);
    for _ in 0..3 {
        // A few powers: the start leans to the low modes and gives the scale of the operator.
        start = across(&operator.apply(&across(&start, found)), found);
        let size = dot(&start, &start).sqrt();
        if size == 0.0 {
            return Vec::new();
        }
        start.iter_mut().for_each(|x| *x /= size);
    }
    let scale = dot(&start, &operator.apply(&start));
    let scaled = Deflated { operator, found, scale: 1.0 / scale };
    let params =
        PartialEigenParams { max_dim: dimension(count).min(n - 1), max_restarts: 300, ..PartialEigenParams::default() };
    let mut memory = MemBuffer::new(partial_self_adjoint_eigen_scratch::<f64>(&scaled, count, Par::Seq, params));
    let mut vectors = Mat::<f64>::zeros(n, count);
    let mut values = vec![0.0; count];
    let info = partial_self_adjoint_eigen(
        vectors.as_mut(),
        &mut values,
        &scaled,
        Col::from_fn(n, |i| start[i]).as_ref(),
        8.0 * f64::EPSILON,
        Par::Seq,
        MemStack::new(&mut memory),
        params,
    );
    let pair = |j: usize| (values[j] * scale, (0..n).map(|i| vectors[(i, j)]).collect());
    (0..info.n_converged_eigen.min(count)).map(pair).collect()
}

/// One step of subspace iteration with the Rayleigh-Ritz pairs of the space, largest first.
fn refined(operator: &ShiftedInverse<'_>, pairs: Vec<Pair>) -> Result<Vec<Pair>, ReductionError> {
    let mut space: Vec<Vec<f64>> = Vec::new();
    for (_, y) in pairs {
        let mut v = operator.apply(&y);
        let before = dot(&v, &v).sqrt();
        v.iter_mut().for_each(|x| *x /= before);
        for _ in 0..2 {
            for q in &space {
                let along = dot(q, &v);
                add_scaled(&mut v, -along, q);
            }
        }
        let size = dot(&v, &v).sqrt();
        // A copy of what is there already is no pair.
        if size > 1e-6 {
            v.iter_mut().for_each(|x| *x /= size);
            space.push(v);
        }
    }
    let images: Vec<Vec<f64>> = space.iter().map(|v| operator.apply(v)).collect();
    let h = products(&space, &images);
    let mut ritz = symmetric(space.len(), |i, j| 0.5 * (h[i][j] + h[j][i]))?;
    ritz.reverse();
    Ok(ritz.into_iter().map(|(theta, c)| (theta, combined(&space, &c))).collect())
}

/// `v` without what lies along the pairs found.
fn across(v: &[f64], found: &[Pair]) -> Vec<f64> {
    let mut v = v.to_vec();
    for (_, q) in found {
        let along = dot(q, &v);
        add_scaled(&mut v, -along, q);
    }
    v
}

/// The operator scaled to about 1, blind to the pairs found.
#[derive(Debug)]
struct Deflated<'a> {
    operator: &'a ShiftedInverse<'a>,
    found: &'a [Pair],
    scale: f64,
}

impl LinOp<f64> for Deflated<'_> {
    fn apply_scratch(&self, _columns: usize, _par: Par) -> StackReq {
        StackReq::EMPTY
    }

    fn nrows(&self) -> usize {
        self.operator.mass.size()
    }

    fn ncols(&self) -> usize {
        self.nrows()
    }

    fn apply(&self, mut out: MatMut<'_, f64>, rhs: MatRef<'_, f64>, _par: Par, _stack: &mut MemStack) {
        for j in 0..rhs.ncols() {
            let x: Vec<f64> = (0..rhs.nrows()).map(|i| rhs[(i, j)]).collect();
            let y = across(&self.operator.apply(&across(&x, self.found)), self.found);
            for i in 0..y.len() {
                out[(i, j)] = self.scale * y[i];
            }
        }
    }

    fn conj_apply(&self, out: MatMut<'_, f64>, rhs: MatRef<'_, f64>, par: Par, stack: &mut MemStack) {
        self.apply(out, rhs, par, stack);
    }
}
