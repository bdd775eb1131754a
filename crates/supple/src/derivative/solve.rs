//! From the derivatives of inverse dynamics to those of forward and hybrid dynamics.
//!
//! With the accelerations found held, `𝓜 δu̇ = δT - ∂T/∂δ δ - ∂T/∂u δu`. Rows of prescribed hinges are solved for their forces instead.

use crate::model::Model;
use supple_spatial::Scalar;
use supple_spatial::block::cholesky::{self, row_start};

/// Packed factor of `𝓜` with the rows of `prescribed` speeds replaced by those of the identity.
pub(super) fn factor<T: Scalar>(n: usize, mass: &[T], prescribed: &[bool], out: &mut [T]) {
    for i in 0..n {
        for j in 0..=i {
            out[row_start(i) + j] = match prescribed[i] || prescribed[j] {
                false => mass[i * n + j],
                true if i == j => T::ONE,
                true => T::ZERO,
            };
        }
    }
    cholesky::factor_in_place(out, n);
}

/// Writes `𝓜⁻¹` of the free speeds, `n × n` by rows; zeros for those that are prescribed.
pub(super) fn inverse<T: Scalar>(n: usize, factor: &[T], prescribed: &[bool], out: &mut [T]) {
    for (i, row) in out.chunks_exact_mut(n.max(1)).enumerate() {
        row.fill(T::ZERO);
        if !prescribed[i] {
            row[i] = T::ONE;
            cholesky::solve(factor, row);
        }
    }
}

/// `out ← -A B`, square matrices by rows.
pub(super) fn negative_product<T: Scalar>(n: usize, a: &[T], b: &[T], out: &mut [T]) {
    for (row, out) in a.chunks_exact(n.max(1)).zip(out.chunks_exact_mut(n.max(1))) {
        out.fill(T::ZERO);
        for (a, b) in row.iter().zip(b.chunks_exact(n.max(1))) {
            let a = -*a;
            out.iter_mut().zip(b).for_each(|(out, b)| *out = a.mul_add(*b, *out));
        }
    }
}

/// Which speeds are prescribed.
pub(super) fn mark<T>(model: &Model<T>, prescribed: Option<&[bool]>, out: &mut [bool]) {
    out.fill(false);
    if let Some(prescribed) = prescribed {
        let bodies = model.topology.bodies.iter().zip(prescribed).filter(|(_, flag)| **flag);
        bodies.for_each(|(body, _)| out[body.beta()].fill(true));
    }
}
