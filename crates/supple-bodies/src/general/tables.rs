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
//! A lumped mass matrix, whose nodes do not couple, gives the positions of its masses: there the tables are the sums over nodes at the mass
//! centres, exactly. Of a consistent one all that belongs to the undeformed body (mass, inertia, couplings, modal mass) is exact, and so is
//! the load of gravity: the change of the first moment is the momentum `E` of the mode, as in the load vectors of finite-element codes.
//! The changes `F1`, `A` and `2J2` have the error of a field between nodes that the matrix does not tell, the square of the size of an
//! element; and as the inertia of sections is not distinguished from the mass, it enters these changes too, though sections do not turn
//! faster for being displaced.

use super::NodeDofs;
use crate::reduction::{SparseSymmetric, dot};
use supple::{ModalInertia, Node};

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
    let rigid_images: Vec<Vec<f64>> = rigid.iter().map(|r| mass.mul(r)).collect();
    let images: Vec<Vec<f64>> = modes.iter().map(|m| mass.mul(m)).collect();
    let fields: Vec<[Vec<f64>; 3]> = modes.iter().map(|m| turned(m, dofs)).collect();
    t.mass = (0..3).map(|i| dot(&rigid[3 + i], &rigid_images[3 + i])).sum::<f64>() / 3.0;
    t.mass_moment = axial(|k, l| dot(&rigid[k], &rigid_images[3 + l]));
    t.inertia = square(|k, l| 0.5 * (dot(&rigid[k], &rigid_images[l]) + dot(&rigid[l], &rigid_images[k])));
    for r in 0..n {
        t.coupling[r] = std::array::from_fn(|i| dot(&rigid[i], &images[r]));
        t.moment_change[r] = std::array::from_fn(|i| t.coupling[r][3 + i]);
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

/// Mass, mass centre and inertia of each node of a lumped mass matrix, or `None` where nodes couple or a mass depends on the direction.
pub(super) fn lumped_masses(mass: &SparseSymmetric, dofs: NodeDofs) -> Option<Vec<Node>> {
    let (count, shift) = (dofs.count(), dofs.displacement());
    if mass.entries().any(|(i, j, x)| x != 0.0 && i / count != j / count) {
        return None;
    }
    let node = |first: usize| {
        let entry = |i: usize, j: usize| mass.get(first + i, first + j);
        let m = entry(shift, shift);
        let rounding = 1e-12 * m.abs();
        let directed = (0..3).any(|i| {
            (entry(shift + i, shift + i) - m).abs() > rounding
                || (0..i).any(|j| entry(shift + i, shift + j).abs() > rounding)
        });
        if directed {
            return None;
        }
        let mut node = Node { mass: m, ..Node::default() };
        if let Some(turn) = dofs.rotation() {
            // [ J, m p̃ ; -m p̃, m I ]
            node.inertia = square(|i, j| entry(turn + i, turn + j));
            let moment = axial(|i, j| entry(turn + i, shift + j));
            let odd = (0..3).any(|i| {
                (0..=i).any(|j| {
                    (entry(turn + i, shift + j) + entry(turn + j, shift + i)).abs()
                        > 1e-12 * moment.iter().fold(0.0, |a: f64, x| a.max(x.abs()))
                })
            });
            if odd || (m == 0.0 && moment != [0.0; 3]) {
                return None;
            }
            node.mass_centre = if m == 0.0 { [0.0; 3] } else { moment.map(|x| x / m) };
        }
        Some(node)
    };
    (0..mass.size()).step_by(count).map(node).collect()
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
