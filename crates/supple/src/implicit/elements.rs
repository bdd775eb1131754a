//! Force elements in the shifted mass matrix, by Woodbury's identity.
//!
//! With `A = 𝓜 + c C + k K` of the modes and `S = c C + k K` of the elements at their ports,
//!
//! ```text
//! (A + U S U*)⁻¹ = A⁻¹ - A⁻¹ U (I + S W)⁻¹ S U* A⁻¹,    W = U* A⁻¹ U.
//! ```
//!
//! Each column of `A⁻¹ U` is one O(bodies) solution; what is dense has the size of the ports.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::force::ElementTangents;
use crate::model::Model;

/// The elements of a model at one state.
#[derive(Clone, Debug)]
pub(super) struct ShiftedElements {
    pub tangents: ElementTangents,
    /// Columns of `A⁻¹ U`, one after the other.
    pub solved: Vec<f64>,
    /// Factors of `I + S W`, by rows, and the rows they were taken from.
    factor: Vec<f64>,
    pivots: Vec<usize>,
    /// Numbers at the ports.
    ports: [Vec<f64>; 2],
    /// Whether the factors are sound; elements are left out of the matrix otherwise.
    pub active: bool,
    shift: [f64; 2],
}

impl ShiftedElements {
    /// For a model with elements that implicit schemes take.
    pub fn new(model: &Model) -> Option<Self> {
        let tangents = ElementTangents::stiff(model);
        let (m, n) = (tangents.size(), model.speed_count());
        (m > 0).then(|| Self {
            tangents,
            solved: vec![0.0; m * n],
            factor: vec![0.0; m * m],
            pivots: vec![0; m],
            ports: std::array::from_fn(|_| vec![0.0; m]),
            active: false,
            shift: [0.0; 2],
        })
    }

    /// Factors `I + S W`, after the columns of `A⁻¹ U`.
    pub fn factor(&mut self, shift: [f64; 2]) {
        let (m, n) = (self.tangents.size(), self.solved.len() / self.tangents.size());
        self.shift = shift;
        self.factor.fill(0.0);
        for block in self.tangents.blocks() {
            for j in 0..m {
                let solved = &self.solved[j * n..(j + 1) * n];
                for k in 0..block.size {
                    // W(k, j), and what it adds to the rows of the element.
                    let w: f64 = self.tangents.column(block.start + k).iter().zip(solved).map(|(u, y)| u * y).sum();
                    for i in 0..block.size {
                        self.factor[(block.start + i) * m + j] += self.tangents.entry(block, shift, i, k) * w;
                    }
                }
            }
        }
        (0..m).for_each(|i| self.factor[i * m + i] += 1.0);
        self.active = eliminate(&mut self.factor, &mut self.pivots);
    }

    /// `x ← x - A⁻¹ U (I + S W)⁻¹ S U* x`: from a solution with `A` to one with `A + U S U*`.
    pub fn complete(&mut self, x: &mut [f64]) {
        if !self.active {
            return;
        }
        let (n, [right, product]) = (x.len(), &mut self.ports);
        project(&self.tangents, x, right);
        multiply(&self.tangents, self.shift, right, product);
        substitute(&self.factor, &self.pivots, product);
        for (y, column) in product.iter().zip(self.solved.chunks_exact(n)) {
            x.iter_mut().zip(column).for_each(|(x, a)| *x -= y * a);
        }
    }

    /// Subtracts `U (k K U* x + c C U* u)` from generalized forces: elements for a displacement `x`, and for speeds `u`.
    pub fn resist(&mut self, x: &[f64], u: &[f64], c: f64, forces: &mut [f64]) {
        if !self.active {
            return;
        }
        for (displacement, shift) in [(x, [0.0, 1.0]), (u, [c, 0.0])] {
            let [right, product] = &mut self.ports;
            project(&self.tangents, displacement, right);
            multiply(&self.tangents, shift, right, product);
            for (j, f) in product.iter().enumerate() {
                forces.iter_mut().zip(self.tangents.column(j)).for_each(|(force, u)| *force -= f * u);
            }
        }
    }
}

/// `out = U* x`.
fn project(tangents: &ElementTangents, x: &[f64], out: &mut [f64]) {
    for (j, out) in out.iter_mut().enumerate() {
        *out = tangents.column(j).iter().zip(x).map(|(u, x)| u * x).sum();
    }
}

/// `out = S x` at the ports.
fn multiply(tangents: &ElementTangents, shift: [f64; 2], x: &[f64], out: &mut [f64]) {
    for block in tangents.blocks() {
        for i in 0..block.size {
            out[block.start + i] =
                (0..block.size).map(|j| tangents.entry(block, shift, i, j) * x[block.start + j]).sum();
        }
    }
}

/// LU factors of a square matrix by rows, in place, with partial pivoting; false where it is singular or not finite.
fn eliminate(a: &mut [f64], pivots: &mut [usize]) -> bool {
    let m = pivots.len();
    for k in 0..m {
        let p = (k..m).fold(k, |best, i| if a[i * m + k].abs() > a[best * m + k].abs() { i } else { best });
        pivots[k] = p;
        let pivot = a[p * m + k];
        if !pivot.is_normal() {
            return false;
        }
        if p != k {
            (0..m).for_each(|j| a.swap(p * m + j, k * m + j));
        }
        for i in k + 1..m {
            let factor = a[i * m + k] / pivot;
            a[i * m + k] = factor;
            for j in k + 1..m {
                a[i * m + j] -= factor * a[k * m + j];
            }
        }
    }
    true
}

/// Solves with the factors of [`eliminate`], in place.
fn substitute(a: &[f64], pivots: &[usize], x: &mut [f64]) {
    let m = pivots.len();
    // Whole rows were exchanged, so all exchanges come first.
    (0..m).for_each(|k| x.swap(k, pivots[k]));
    for k in 0..m {
        for i in k + 1..m {
            x[i] -= a[i * m + k] * x[k];
        }
    }
    for k in (0..m).rev() {
        x[k] = (x[k] - (k + 1..m).map(|j| a[k * m + j] * x[j]).sum::<f64>()) / a[k * m + k];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_that_needs_pivoting_is_solved() {
        let a = [0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 4.0, -1.0, 3.0];
        let x = [1.0, -2.0, 0.5];
        let mut right: Vec<f64> = a.chunks(3).map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum()).collect();
        let (mut factor, mut pivots) = (a, [0; 3]);
        assert!(eliminate(&mut factor, &mut pivots));
        substitute(&factor, &pivots, &mut right);
        assert!(right.iter().zip(x).all(|(found, x)| (found - x).abs() < 1e-15), "{right:?}");
        assert!(!eliminate(&mut [1.0, 2.0, 2.0, 4.0], &mut [0; 2]));
    }
}
