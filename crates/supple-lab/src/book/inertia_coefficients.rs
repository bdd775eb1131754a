//! Inward: the inertia matrix `J` of all coordinates.
//!
//! With `ʲW̃_h` the transformation from link `h` to link `j`, and the same before the deflection of `j` without the tilde,
//! `ʲF̃_h = Σ_{i ≥ max(j,h)} ʲW̃_i G_i ʰW̃_iᵀ` [B83 (67)]:
//!
//! ```text
//! ⁿF̃_n = G_n                                                         [B83 (77)]
//! X_h  = A_{j+1} ʲ⁺¹F̃_h,   ʲF̃_h = E_j X_h             for j < h      [B83 (78)]
//! ʲF̃_j = G_j + ʲF_j E_jᵀ                                            [B83 (79)]
//! ʲF_h = ʲF̃_{h+1} A_{h+1}ᵀ                            if h bends     [B83 (71), (80)]
//! ʲΦ_h = X_{h+1} A_{h+1}ᵀ                             if both bend   [B83 (76), (81)]
//! ```
//!
//! The coefficients are traces of them with `V_j = Ŵ_{j-1} U_j` and `W_j`:
//!
//! ```text
//! J(q_j, q_h)       = Tr{V_j ʲF̃_h V_hᵀ}                              [B83 (66)]
//! J(q_j, δ_hk)      = Tr{V_j (ʲF_h M_hkᵀ + ʲW̃_h D_hk) W_hᵀ}   h ≥ j  [B83 (68), (69)]
//! J(q_h, δ_jk)      = Tr{W_j M_jk X_h V_hᵀ}                   h > j  [B83 (70)]
//! J(δ_jf, δ_jk)     = Tr{W_j (M_jf ʲΦ_j M_jkᵀ + C_jkf) W_jᵀ}         [B83 (72), (73)]
//! J(δ_jf, δ_hk)     = Tr{W_j M_jf (ʲΦ_h M_hkᵀ + ʲW_h D_hk) W_hᵀ}     [B83 (74), (75)]
//! ```
//!
//! Printed (72), (73) and (75) take `W` out of the trace as orthogonal, which it is not where links bend: `I + skew` is a rotation
//! only to first order. Here it stays in, unless [`BookTerms`] says otherwise. Every trace is contracted from the side where it is least work; of `V_j` only the columns
//! `x` and `y` are not zero.

#![allow(non_snake_case)] // symbols as printed

use super::BookTerms;
use super::kinematics::LinkMotion;
use super::link::Link;
use super::transformation::{Lower, Matrix4, Moments, Rows, inner, inner3, times_transposed, transformed};
use supple::spatial::block::cholesky::row_start;
use supple::spatial::{Matrix3, Scalar, Vector3};

/// Where the recursion stands: quantities of the present link `j` with each link `h ≥ j` outboard.
#[derive(Clone, Debug)]
pub(super) struct Recursion<T> {
    /// `ʲF̃_h`.
    F: Vec<Matrix4<T>>,
    /// `X_h`.
    X: Vec<Matrix4<T>>,
    /// `ʲW̃_h`, and `ʲW_h`, where `h` bends.
    tilde: Vec<Lower<T>>,
    plain: Vec<Lower<T>>,
}

impl<T: Scalar> Recursion<T> {
    pub fn new(links: usize) -> Self {
        Self {
            F: vec![[[T::ZERO; 4]; 4]; links],
            X: vec![[[T::ZERO; 4]; 4]; links],
            tilde: vec![Lower::ZERO; links],
            plain: vec![Lower::ZERO; links],
        }
    }
}

/// What the coefficients are made of.
pub(super) struct Terms<'a, T> {
    pub gravity: Vector3<T>,
    pub links: &'a [Link<T>],
    pub motion: &'a [LinkMotion<T>],
    /// `D` of all modes.
    pub D: &'a [Rows<T>],
    pub G: &'a [Moments<T>],
    /// What is kept that the report drops.
    pub kept: BookTerms,
}

/// Writes the packed lower triangle `J`, in the order of the speeds of the model.
pub(super) fn inertia_coefficients<T: Scalar>(terms: &Terms<'_, T>, recursion: &mut Recursion<T>, J: &mut [T]) {
    let Terms { links, motion, G, .. } = *terms;
    let last = links.len() - 1;
    for j in (0..links.len()).rev() {
        let bends = links[j].mode_count() > 0;
        if j == last {
            recursion.F[j] = G[j].to_matrix();
        } else {
            step_inward(terms, j, recursion);
        }
        recursion.tilde[j] = Lower { position: Vector3::ZERO, axes: Matrix3::IDENTITY };
        for h in j..links.len() {
            let S = products(&motion[j], &motion[h], bends, links[h].mode_count() > 0);
            let [row, column] = [j, h].map(|i| links[i].places.hinge);
            // J(q_j, q_h) = Tr{V_j F̃ V_hᵀ}                                          [B83 (66)]
            let F = &recursion.F[h];
            let [[xx, xy, _], [yx, yy, _], _] = S;
            let value = xx.mul_add(F[2][2], yy.mul_add(F[1][1], -xy.mul_add(F[2][1], yx * F[1][2])));
            J[packed(row, column)] = value;
            if let Some(rotor) = links[j].rotor.filter(|_| j == h) {
                J[packed(row, row)] += rotor;
            }
            if links[h].mode_count() > 0 {
                modes_in_hinge_row(terms, (j, h), &S, recursion, J);
            }
            if bends && h > j {
                hinge_in_mode_rows(terms, (j, h), &S, recursion, J);
            }
            if bends && links[h].mode_count() > 0 {
                modes_in_mode_rows(terms, (j, h), &S, recursion, J);
            }
        }
    }
}

/// From link `j + 1` to link `j`.
fn step_inward<T: Scalar>(terms: &Terms<'_, T>, j: usize, at: &mut Recursion<T>) {
    let (A, E) = (terms.motion[j + 1].A, &terms.motion[j].E);
    for h in j + 1..terms.links.len() {
        // X_h = A F̃_h,  F̃_h ← E X_h                                               [B83 (78)]
        at.X[h] = A.of_matrix(&at.F[h]);
        if terms.links[h].mode_count() > 0 {
            at.plain[h] = A.of_lower(&at.tilde[h]);
            at.tilde[h] = E.then(&at.plain[h]);
        }
        at.F[h] = transformed(E, &at.X[h]);
    }
    // F̃_j = G + ʲF_j Eᵀ with ʲF_j = F̃_{j+1} Aᵀ                                     [B83 (79), (80)]
    at.F[j] = times_transposed(&A.of_transposed(&at.F[j + 1]), E);
    for (F, G) in at.F[j].iter_mut().zip(&terms.G[j].to_matrix()) {
        F.iter_mut().zip(G).for_each(|(F, G)| *F += *G);
    }
}

/// `R_jᵀ R_h`: of a link that does not bend only `x` and `y` are asked for.
#[inline]
fn products<T: Scalar>(j: &LinkMotion<T>, h: &LinkMotion<T>, j_bends: bool, h_bends: bool) -> [[T; 3]; 3] {
    let mut S = [[T::ZERO; 3]; 3];
    let (rows, columns) = (if j_bends { 3 } else { 2 }, if h_bends { 3 } else { 2 });
    for (a, row) in S.iter_mut().enumerate().take(rows) {
        for (b, entry) in row.iter_mut().enumerate().take(columns) {
            *entry = j.W.axes.column(a).dot(h.W.axes.column(b));
        }
    }
    S
}

/// Place of an entry in a packed lower triangle.
#[inline(always)]
pub(super) fn packed(i: usize, j: usize) -> usize {
    let (i, j) = if i < j { (j, i) } else { (i, j) };
    row_start(i) + j
}

/// `J(q_j, δ_hk)` for `h ≥ j`                                                        [B83 (68), (69)]
fn modes_in_hinge_row<T: Scalar>(
    terms: &Terms<'_, T>,
    (j, h): (usize, usize),
    S: &[[T; 3]; 3],
    at: &Recursion<T>,
    J: &mut [T],
) {
    let (link, row) = (&terms.links[h], terms.links[j].places.hinge);
    // V_jᵀ W_h: rows x and y
    let B = [Vector3(S[1]), -Vector3(S[0])];
    let tilde = &at.tilde[h];
    let on_D: Rows<T> = std::array::from_fn(|c| match (h == j, c) {
        (true, 1) => B[0],
        (true, 2) => B[1],
        (true, _) => Vector3::ZERO,
        (false, 0) => B[0].scale_add(tilde.position[0], B[1] * tilde.position[1]),
        (false, c) => B[0].scale_add(tilde.axes.0[0][c - 1], B[1] * tilde.axes.0[1][c - 1]),
    });
    let on_M = (h + 1 < terms.links.len()).then(|| {
        // ʲF_h = ʲF̃_{h+1} Aᵀ, rows x and y                                         [B83 (80)]
        let (A, F) = (terms.motion[h + 1].A, &at.F[h + 1]);
        let [x, y] = [A.row(&F[1]), A.row(&F[2])];
        let on_M: Rows<T> = std::array::from_fn(|c| B[0].scale_add(x[c], B[1] * y[c]));
        on_M
    });
    for (k, D) in terms.D[link.places.modal.clone()].iter().enumerate() {
        let mut value = if h == j { D[1].dot(B[0]) + D[2].dot(B[1]) } else { inner(D, &on_D) };
        if let (Some(on_M), Some(M)) = (&on_M, link.modes.get(k)) {
            value += M.trace(on_M);
        }
        J[packed(row, link.places.modes.start + k)] = value;
    }
}

/// `J(q_h, δ_jk)` for `h > j`                                                        [B83 (70)]
fn hinge_in_mode_rows<T: Scalar>(
    terms: &Terms<'_, T>,
    (j, h): (usize, usize),
    S: &[[T; 3]; 3],
    at: &Recursion<T>,
    J: &mut [T],
) {
    let (link, X) = (&terms.links[j], &at.X[h]);
    let row = terms.links[h].places.hinge;
    // V_hᵀ W_j: rows x and y
    let B = [Vector3(S.map(|s| s[1])), -Vector3(S.map(|s| s[0]))];
    let on_M: Rows<T> = std::array::from_fn(|c| B[0].scale_add(X[c][1], B[1] * X[c][2]));
    for k in 0..link.mode_count() {
        let value = link.modes.get(k).map_or(T::ZERO, |M| M.trace(&on_M));
        J[packed(row, link.places.modes.start + k)] = value;
    }
}

/// `J(δ_jf, δ_hk)` for `h ≥ j`                                                       [B83 (72) to (75)]
fn modes_in_mode_rows<T: Scalar>(
    terms: &Terms<'_, T>,
    (j, h): (usize, usize),
    S: &[[T; 3]; 3],
    at: &Recursion<T>,
    J: &mut [T],
) {
    let (link, other) = (&terms.links[j], &terms.links[h]);
    let [rows, columns] = [link, other].map(|link| link.places.modes.start);
    let D = &terms.D[other.places.modal.clone()];
    let Phi = (h + 1 < terms.links.len()).then(|| terms.motion[h + 1].A.of_transposed(&at.X[h + 1]));
    // Taken for a rotation, W_jᵀ W_h is the transformation between the two.                [B83 (72) to (75)]
    let S = if terms.kept.bent_axes { Matrix3(*S) } else { at.tilde[h].axes };
    let own = h == j && !terms.kept.bent_axes;
    for f in 0..link.mode_count() {
        let most = if h == j { f + 1 } else { other.mode_count() };
        // R_hᵀ R_j M_jf and its products with ʲΦ_h and ʲW_h, as they meet M_hk and D_hk
        let turned = link.modes.get(f).map(|M| {
            let columns: Rows<T> =
                std::array::from_fn(|c| if own { M.column(c) } else { S.transpose_mul(M.column(c)) });
            columns
        });
        let on_M: Option<Rows<T>> = turned.as_ref().zip(Phi.as_ref()).map(|(L, Phi)| {
            std::array::from_fn(|c| {
                L[3].scale_add(Phi[3][c], L[2].scale_add(Phi[2][c], L[1].scale_add(Phi[1][c], L[0] * Phi[0][c])))
            })
        });
        let on_D: Option<Rows<T>> = turned.as_ref().filter(|_| h > j).map(|L| {
            let W = &at.plain[h];
            let along = |c: usize| {
                let [x, y, z] = W.column(c).0;
                L[3].scale_add(z, L[2].scale_add(y, L[1] * x))
            };
            [L[0] + along(0), along(1), along(2), along(3)]
        });
        for k in 0..most {
            let pair = k * link.mode_count() + f;
            let mut value = match h == j && link.coupled[pair] {
                true if own => trace(&link.modal[pair]),
                true => inner3(&S, &link.modal[pair]),
                false => T::ZERO,
            };
            if let Some(on_D) = &on_D {
                value += inner(&D[k], on_D);
            }
            if let (Some(on_M), Some(M)) = (&on_M, other.modes.get(k)) {
                value += M.trace(on_M);
            }
            J[packed(rows + f, columns + k)] = value;
        }
    }
}

fn trace<T: Scalar>(m: &Matrix3<T>) -> T {
    m.0[0][0] + m.0[1][1] + m.0[2][2]
}
