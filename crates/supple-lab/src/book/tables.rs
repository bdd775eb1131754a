//! Integrals of a link from tables of modal inertia, as finite-element codes give them [B83 3].
//!
//! Tables have moments of momentum and of inertia; the report asks for all products of positions and shapes. For mass at points both hold the same:
//!
//! ```text
//! ∫ x uᵀ   = (x·u) 1 - ½ A - ½ F0~           with x·u = ¼ tr A        A  = ∂J/∂δ,   F0 = ∫ x × u
//! ∫ u_k u_lᵀ = (u_k·u_l) 1 - J2 + ½ F1~(k,l)  with u_k·u_l = ½ tr J2   2 J2 = ∂²J/∂δ∂δ, F1 = ∫ u_l × u_k
//! ```

use super::transformation::Rows;
use supple::ModalInertia;
use supple::spatial::{Matrix3, Vector3};

/// Whether tables are those of mass at points: sections that turn carry momentum that these integrals cannot tell apart.
pub(super) fn of_points(tables: &ModalInertia) -> bool {
    let close = |a: f64, b: f64, size: f64| (a - b).abs() <= 1e-9 * size;
    let n = tables.modal_mass.len();
    let size = |r: usize| tables.modal_mass[r][r].abs();
    let straight = (0..n).all(|r| {
        let (change, coupling) = (&tables.moment_change[r], &tables.coupling[r]);
        let scale = (tables.mass * size(r)).sqrt();
        (0..3).all(|i| close(change[i], coupling[i + 3], scale))
    });
    let pairs = (0..n).flat_map(|r| (0..n).map(move |s| (r, s)));
    let of_masses = |(r, s): (usize, usize)| {
        let scale = (size(r) * size(s)).sqrt();
        close(0.25 * trace(&Matrix3(tables.inertia_second[r][s])), tables.modal_mass[r][s], scale)
    };
    straight && pairs.into_iter().all(of_masses)
}

fn trace(m: &Matrix3<f64>) -> f64 {
    m.0[0][0] + m.0[1][1] + m.0[2][2]
}

/// `C_k` about `origin`, in the axes of the link.
pub(super) fn coupling(tables: &ModalInertia, k: usize, origin: Vector3<f64>, to_link: &Matrix3<f64>) -> Rows<f64> {
    let [a, b, c, x, y, z] = tables.coupling[k];
    let (turning, momentum) = (Vector3([a, b, c]), Vector3([x, y, z]));
    let first = Matrix3(tables.inertia_first[k]);
    let along = Matrix3::IDENTITY * (0.25 * trace(&first)) - first * 0.5 - Matrix3::skew(turning) * 0.5;
    let lower = (along - Matrix3::outer(origin, momentum)).congruence(to_link);
    [*to_link * momentum, lower.row(0), lower.row(1), lower.row(2)]
}

/// `C_kl` in the axes of the link.
pub(super) fn modal(tables: &ModalInertia, k: usize, l: usize, to_link: &Matrix3<f64>) -> Matrix3<f64> {
    let second = Matrix3(tables.inertia_second[k][l]) * 0.5;
    let crossed = Vector3(tables.coupling_change[k][l]);
    (Matrix3::IDENTITY * (0.5 * trace(&second)) - second + Matrix3::skew(crossed) * 0.5).congruence(to_link)
}
