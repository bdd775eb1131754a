//! Which elimination of the modes is cheapest for a body, by counted operations.
//!
//! Multiplications and additions of one forward dynamics, as the sweeps do them; only what differs
//! between the ways. `n` modes, `c` carriers, compliance of rank `r`.

use super::body::{Elimination, Flexible, ModalMass};

/// Chooses for a body with `modes` modes and `carriers` carriers.
pub(crate) fn cheapest<T>(flexible: &Flexible<T>, modes: usize, carriers: usize) -> Elimination {
    if !flexible.condensable() {
        return Elimination::Explicit;
    }
    let (n, c, r) = (modes as f64, carriers as f64, flexible.rank as f64);
    let triangle = |n: f64| n * (n + 1.0) / 2.0;
    let factor = |n: f64| n * n * n / 3.0 + n * n / 2.0;
    let mass_solve = match flexible.mass {
        _ if flexible.free_free => 2.0 * n * n,
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

    // Γ C, I + C*ΓC, its factor, X, S, E S E*; S and E once or twice in each sweep.
    let core = c * (66.0 * r + 12.0 * triangle(r) + 6.0 * r * r) + factor(r) + 42.0 * r;
    let mut condensed = core + c * (648.0 + 330.0) + mass_solve + (24.0 + 24.0 * c) * n;
    if carriers > 1 {
        condensed += c * (66.0 * r + 24.0 * r + 12.0 * n);
    }
    // Deformation-dependent coupling: W and Z are refreshed.
    if !flexible.constant {
        condensed += (42.0 + 72.0 * c) * n + 6.0 * mass_solve;
    }
    // Free-free modes also factor their modal mass in every call.
    if flexible.free_free {
        condensed += factor(n) + 6.0 * c * n * n;
    }
    if condensed < explicit { Elimination::Condensed } else { Elimination::Explicit }
}
