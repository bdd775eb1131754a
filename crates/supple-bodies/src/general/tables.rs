//! Modal integrals of a mass matrix.
//!
//! A body that deforms by `Φ η` and moves with `ω`, `v` has at its degrees of freedom the velocities
//!
//! ```text
//! Ψ(η) [ω; v; η̇]        ψ_k(η) = [e_k × (x_i + γ_i η); e_k]   turn about axis k: displacement and rotation of node i
//!                        τ_k    = [e_k; 0]                     shift along axis k
//! ```
//!
//! and the kinetic energy `½ V* Ψ(η)* M Ψ(η) V`. With `ψ_k(η) = ψ0_k + Σ ψ1_k,r η_r`, `ψ1_k,r = [e_k × γ_i,r; 0]`, the tables are products
//! of these fields with `M`.
//!
//! Of a lumped mass matrix, whose nodes do not couple, they are the sums over its nodes, exactly. Of a consistent one all that belongs
//! to the undeformed body (mass, inertia, couplings, modal mass) is exact, and so is the load of gravity: there the change of the first moment
//! is the momentum `E` of the mode, as in the load vectors of finite-element codes, which turn masses off their nodes with the node. (Of a
//! lumped matrix it is that of the engine's nodes in Lagrange's convention, which do not.) The changes `F1`, `A` and `2J2` have the error of a
//! field between nodes that the matrix does not tell, the square of the size of an element; and as the inertia of sections is not told
//! apart from the mass, it enters these changes too, though sections do not turn faster for being displaced.

use super::NodeDofs;
use crate::reduction::{SparseSymmetric, dot};
use supple::ModalInertia;

/// The fields `ψ1_k,r` of a mode: its displacements turned about each axis.
fn turned(vector: &[f64], dofs: NodeDofs) -> [Vec<f64>; 3] {
    let (count, at) = (dofs.count(), dofs.displacement());
    std::array::from_fn(|axis| {
        let mut out = vec![0.0; vector.len()];
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        for (o, v) in out.chunks_exact_mut(count).zip(vector.chunks_exact(count)) {
            // e_i × γ = -γ_k e_j + γ_j e_k
            o[at + j] = -v[at + k];
            o[at + k] = v[at + j];
        }
        out
    })
}

/// Tables of `mass` for `modes`; `rigid` are the turns and shifts of the undeformed body.
pub(super) fn modal_inertia(
    mass: &SparseSymmetric,
    rigid: &[Vec<f64>],
    modes: &[Vec<f64>],
    dofs: NodeDofs,
) -> ModalInertia {
    let n = modes.len();
    let mut t = ModalInertia::zero(n);
    let lumped = mass.entries().all(|(i, j, x)| x == 0.0 || i / dofs.count() == j / dofs.count());
    let rigid_images: Vec<Vec<f64>> = rigid.iter().map(|r| mass.mul(r)).collect();
    let images: Vec<Vec<f64>> = modes.iter().map(|m| mass.mul(m)).collect();
    let fields: Vec<[Vec<f64>; 3]> = modes.iter().map(|m| turned(m, dofs)).collect();
    t.mass = (0..3).map(|i| dot(&rigid[3 + i], &rigid_images[3 + i])).sum::<f64>() / 3.0;
    t.mass_moment = axial(|k, l| dot(&rigid[k], &rigid_images[3 + l]));
    t.inertia = square(|k, l| 0.5 * (dot(&rigid[k], &rigid_images[l]) + dot(&rigid[l], &rigid_images[k])));
    for r in 0..n {
        t.coupling[r] = std::array::from_fn(|i| dot(&rigid[i], &images[r]));
        t.moment_change[r] = match lumped {
            true => axial(|k, l| dot(&fields[r][k], &rigid_images[3 + l])),
            false => std::array::from_fn(|i| t.coupling[r][3 + i]),
        };
        t.inertia_first[r] = square(|k, l| dot(&fields[r][k], &rigid_images[l]) + dot(&fields[r][l], &rigid_images[k]));
        for s in 0..n {
            t.coupling_change[r][s] = std::array::from_fn(|k| dot(&fields[s][k], &images[r]));
            t.modal_mass[r][s] = 0.5 * (dot(&modes[r], &images[s]) + dot(&modes[s], &images[r]));
        }
    }
    for r in 0..n {
        let turned: [Vec<f64>; 3] = std::array::from_fn(|k| mass.mul(&fields[r][k]));
        for s in 0..=r {
            let product = square(|k, l| dot(&turned[k], &fields[s][l]) + dot(&turned[l], &fields[s][k]));
            (t.inertia_second[r][s], t.inertia_second[s][r]) = (product, product);
        }
    }
    t
}

fn square(entry: impl Fn(usize, usize) -> f64) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}

/// `c` of the cross matrix `c̃` in the antisymmetric part.
fn axial(entry: impl Fn(usize, usize) -> f64) -> [f64; 3] {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        0.5 * (entry(k, j) - entry(j, k))
    })
}
