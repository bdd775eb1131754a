//! Which elimination of the modes is cheapest for a body, by counted operations.
//!
//! Multiplications and additions of one forward dynamics, as the sweeps do them; only what differs
//! between the ways. `n` modes, `c` carriers, compliance of rank `r`.

use super::body::{Elimination, Flexible};
use super::modal_mass::ModalMass;

/// What condensation costs beside its operations, told in operations: its blocks are written and read once more.
const DETOUR: f64 = 200.0;
/// The same where the modal mass follows the deformation, and those blocks with it. Measured on beams in a row: at the end of a tree explicit
/// elimination is faster up to six modes, and as fast with seven and eight.
const VARYING_DETOUR: f64 = 600.0;

/// Chooses for a body with `modes` modes and `carriers` carriers.
pub(crate) fn cheapest<T>(flexible: &Flexible<T>, modes: usize, carriers: usize) -> Elimination {
    let Some(tip) = &flexible.tip_modes else { return Elimination::Explicit };
    let (n, c, r) = (modes as f64, carriers as f64, tip.rank as f64);
    let triangle = |n: f64| n * (n + 1.0) / 2.0;
    let factor = |n: f64| n * n * n / 3.0 + n * n / 2.0;
    let mass_solve = match flexible.hinge_mass {
        ModalMass::Identity => 0.0,
        ModalMass::Diagonal(..) => n,
        _ => 2.0 * n * n,
    };

    // D_f, its factor, μ, X = L⁻¹ μ*, φ Γ φ*, P_R; two triangular solves in the sweeps.
    let explicit = c * (66.0 * n + 12.0 * triangle(n) + 18.0 * n + 105.0)
        + factor(n)
        + 6.0 * n * n
        + 48.0 * n
        + 2.0 * n * n
        + (12.0 * c + 24.0) * n;

    // The same with r tip modes, and four products with all modes in the sweeps: M_rf e, Q* ε, N M_fr α, Q w.
    let detour = if flexible.constant { DETOUR } else { VARYING_DETOUR };
    let mut condensed = detour
        + c * (66.0 * r + 12.0 * triangle(r) + 18.0 * r + 105.0)
        + factor(r)
        + 6.0 * r * r
        + 48.0 * r
        + 2.0 * r * r
        + (24.0 * c + 48.0) * r
        + mass_solve
        + (24.0 + 4.0 * r) * n;
    // Deformation-dependent coupling: W, N M_fr and M_rf Q are refreshed.
    if !flexible.constant {
        condensed += (42.0 + 12.0 * r) * n + 42.0 * r + 6.0 * mass_solve;
    }
    if condensed < explicit { Elimination::Condensed } else { Elimination::Explicit }
}
