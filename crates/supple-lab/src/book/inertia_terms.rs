//! Inertia of each link as it is deformed.
//!
//! ```text
//! D_k = C_k + Σ δ_l C_lk                                             [B83 (36)]
//! G   = C + Σ δ_k (D_k + C_kᵀ)                                       [B83 (29), (37)]
//! ```
//!
//! Printed (37) leaves the squares of `δ` out of `G`, which (29) has. They are kept here unless [`BookTerms`] says otherwise, at no cost with `D_k` at
//! hand: without them the equations of motion are those of no kinetic energy.

use super::BookTerms;
use super::link::Link;
use super::transformation::{Moments, Rows};
use supple::State;
use supple::spatial::{Scalar, Symmetric3, Vector3};

/// Fills `D_k` of all modes and `G` of all links.
pub(super) fn inertia_terms<T: Scalar>(
    links: &[Link<T>],
    state: &State<T>,
    kept: BookTerms,
    d: &mut [Rows<T>],
    g: &mut [Moments<T>],
) {
    for (j, link) in links.iter().enumerate() {
        let (modes, (delta, _)) = (link.mode_count(), link.deflections(state));
        let d = &mut d[link.places.modal.clone()];
        g[j] = link.inertia;
        for k in 0..modes {
            let mut rows = link.coupling[k];
            for (l, delta) in delta.iter().enumerate().filter(|(l, _)| link.coupled[l * modes + k]) {
                let c = &link.modal[l * modes + k];
                for i in 0..3 {
                    rows[i + 1] = c.row(i).scale_add(*delta, rows[i + 1]);
                }
            }
            d[k] = rows;
            let half = if kept.squares { &rows } else { &link.coupling[k] };
            add_deflection(&mut g[j], delta[k], half, &link.coupling[k]);
        }
    }
}

/// `G ← G + δ (D + Cᵀ)`, the upper triangle: the sum over the modes is symmetric.
fn add_deflection<T: Scalar>(g: &mut Moments<T>, delta: T, d: &Rows<T>, c: &Rows<T>) {
    g.first = d[0].scale_add(delta, g.first);
    let entry = |i: usize, j: usize| d[i + 1][j] + c[j + 1][i];
    let change = Symmetric3([entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]);
    g.second = change.scale_add(delta, &g.second);
}

/// `Σ D_k x_k`.
pub(super) fn combined<T: Scalar>(d: &[Rows<T>], x: &[T], factor: T) -> Rows<T> {
    let mut sum = [Vector3::ZERO; 4];
    for (d, x) in d.iter().zip(x) {
        let x = *x * factor;
        for (sum, row) in sum.iter_mut().zip(d) {
            *sum = row.scale_add(x, *sum);
        }
    }
    sum
}
