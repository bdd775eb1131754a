//! Displacement fields of least kinetic energy with given moments, and their modal integrals.

use super::{Matrix, StiffeningError};
use crate::eigen;
use supple::ModalInertia;

/// A matrix of the factors `1, x, y, z`.
type Square4 = [[f64; 4]; 4];

/// Moments `Σ m s [1, x, y, z]` of a displacement field `s`, or the coefficients `T` of an affine one; a column per factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moments(pub [[f64; 3]; 4]);

impl Moments {
    const ZERO: Self = Self([[0.0; 3]; 4]);

    /// From linear momentum `Σ m s`, angular momentum `Σ m x × s` and change of inertia `Σ 2 m L(s, x)`.
    pub fn from_tables(e: [f64; 3], f: [f64; 3], a: &[[f64; 3]; 3]) -> Self {
        let trace = a[0][0] + a[1][1] + a[2][2];
        let mut out = Self::ZERO;
        out.0[0] = e;
        for i in 0..3 {
            for j in 0..3 {
                // Symmetric part: ¼ tr A I - ½ A.
                out.0[1 + j][i] = if i == j { 0.25 * trace } else { 0.0 } - 0.5 * a[i][j];
            }
        }
        // Antisymmetric part: Σ m (s_k x_j - s_j x_k) = F_i for (i, j, k) in cyclic order.
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            out.0[1 + j][k] += 0.5 * f[i];
            out.0[1 + k][j] -= 0.5 * f[i];
        }
        out
    }

    /// The moments of mode or shape `r`.
    fn of(tables: &ModalInertia, r: usize) -> Self {
        let c = tables.coupling[r];
        Self::from_tables([c[3], c[4], c[5]], [c[0], c[1], c[2]], &tables.inertia_first[r])
    }

    fn angular(&self) -> [f64; 3] {
        std::array::from_fn(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            self.0[1 + j][k] - self.0[1 + k][j]
        })
    }

    /// `A : B`.
    fn dot(&self, other: &Self) -> f64 {
        self.0.as_flattened().iter().zip(other.0.as_flattened()).map(|(a, b)| a * b).sum()
    }

    /// `A P` with a symmetric `P`.
    fn times(&self, p: &Square4) -> Self {
        Self(std::array::from_fn(|j| std::array::from_fn(|i| (0..4).map(|l| self.0[l][i] * p[l][j]).sum())))
    }
}

/// `2 tr N I - N - N*`: what displacements with `N = Σ m u v*` do to the inertia.
fn lever(n: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let trace = n[0][0] + n[1][1] + n[2][2];
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 2.0 * trace } else { 0.0 } - n[i][j] - n[j][i]))
}

/// A shape: its gain `B`, its field and the moments of the field.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub gain: Matrix,
    coefficients: Moments,
    moments: Moments,
}

/// Second moments with a relative size below this are none.
const THIN: f64 = 1e-10;
/// Moments that no field has, as a fraction of the largest, up to which they are dropped.
const UNREACHED: f64 = 1e-6;
/// Gains, relative to the largest, below which a moment gets no shape.
const NOISE: f64 = 1e-14;

/// Shapes whose moments add up to `moments(r, s)` for each pair of modes.
pub(super) fn shapes(
    tables: &ModalInertia,
    modes: usize,
    moments: impl Fn(usize, usize) -> Moments,
) -> Result<Vec<Field>, StiffeningError> {
    let (second, inverse) = second_moments(tables)?;
    // Lengths compare with the first moments through the size of the body.
    let scale: [f64; 4] = std::array::from_fn(|j| if second[j][j] > 0.0 { second[j][j].sqrt() } else { 0.0 });
    let size = scale[1..].iter().fold(0.0_f64, |a, x| a.max(*x));
    let weight = |j: usize| if j == 0 { scale[0] } else { size };
    let pairs = || (0..modes).flat_map(|r| (0..modes).map(move |s| (r, s)));
    let weighted =
        |m: &Moments, j: usize, i: usize| if weight(j) > 0.0 { (m.0[j][i] / weight(j)).abs() } else { m.0[j][i].abs() };
    let mut largest = 0.0_f64;
    for (r, s) in pairs() {
        let m = moments(r, s);
        largest = (0..12).fold(largest, |a, p| a.max(weighted(&m, p / 3, p % 3)));
    }
    if largest == 0.0 {
        return Ok(Vec::new());
    }
    let mut out = Vec::new();
    for j in 0..4 {
        for i in 0..3 {
            let mut unit = Moments::ZERO;
            unit.0[j][i] = 1.0;
            let gain: Matrix = (0..modes).map(|r| (0..modes).map(|s| moments(r, s).0[j][i]).collect()).collect();
            let peak = gain.iter().flatten().fold(0.0_f64, |a, x| a.max(x.abs()));
            if peak <= NOISE * largest * weight(j) {
                continue;
            }
            let coefficients = unit.times(&inverse);
            out.push(Field { gain, coefficients, moments: coefficients.times(&second) });
        }
    }
    // What the fields do not reach.
    for (r, s) in pairs() {
        let mut rest = moments(r, s);
        for field in &out {
            for p in 0..12 {
                rest.0[p / 3][p % 3] -= field.gain[r][s] * field.moments.0[p / 3][p % 3];
            }
        }
        for p in 0..12 {
            let value = weighted(&rest, p / 3, p % 3) / largest;
            if value > UNREACHED {
                return Err(StiffeningError::Moment { along: p % 3, value });
            }
        }
    }
    Ok(out)
}

/// `P = Σ m [1; x][1; x]*` and its inverse, or pseudoinverse where the body is thin.
fn second_moments(tables: &ModalInertia) -> Result<(Square4, Square4), StiffeningError> {
    let (j, c) = (&tables.inertia, &tables.mass_moment);
    let trace = j[0][0] + j[1][1] + j[2][2];
    let mut p = [[0.0; 4]; 4];
    p[0][0] = tables.mass;
    for a in 0..3 {
        (p[0][1 + a], p[1 + a][0]) = (c[a], c[a]);
        for b in 0..3 {
            p[1 + a][1 + b] = if a == b { 0.5 * trace } else { 0.0 } - 0.5 * (j[a][b] + j[b][a]);
        }
    }
    let length = if tables.mass > 0.0 { (0.5 * trace / tables.mass).max(0.0).sqrt() } else { 0.0 };
    let length = if length > 0.0 { length } else { 1.0 };
    let units = [1.0, length, length, length];
    let scaled: Matrix = (0..4).map(|a| (0..4).map(|b| p[a][b] / (units[a] * units[b])).collect()).collect();
    let (values, _) = eigen::symmetric(scaled.clone());
    let cut = THIN * values.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    if let Some(value) = values.into_iter().find(|x| *x < -cut) {
        return Err(StiffeningError::Inertia { value: value * length * length });
    }
    let inverse = eigen::function(scaled, |x| if x > cut { 1.0 / x } else { 0.0 });
    Ok((p, std::array::from_fn(|a| std::array::from_fn(|b| inverse[a][b] / (units[a] * units[b])))))
}

/// Extends `given` by the integrals of `fields`, and by zeros up to `added` columns; `tables` are those of the whole body.
pub(super) fn extend(given: &mut ModalInertia, tables: &ModalInertia, fields: &[Field], added: usize) {
    let old = tables.modal_mass.len();
    let total = old + added;
    given.moment_change.resize(total, [0.0; 3]);
    given.coupling.resize(total, [0.0; 6]);
    given.inertia_first.resize(total, [[0.0; 3]; 3]);
    given.coupling_change.resize(total, Vec::new());
    given.inertia_second.resize(total, Vec::new());
    given.modal_mass.resize(total, Vec::new());
    for r in 0..total {
        given.coupling_change[r].resize(total, [0.0; 3]);
        given.inertia_second[r].resize(total, [[0.0; 3]; 3]);
        given.modal_mass[r].resize(total, 0.0);
    }
    let all: Vec<Moments> = (0..old).map(|r| Moments::of(tables, r)).chain(fields.iter().map(|f| f.moments)).collect();
    for (k, field) in fields.iter().enumerate() {
        let (k, t) = (old + k, &field.coefficients);
        let linear = field.moments.0[0];
        given.moment_change[k] = linear;
        given.coupling[k][..3].copy_from_slice(&field.moments.angular());
        given.coupling[k][3..].copy_from_slice(&linear);
        given.inertia_first[k] = lever(std::array::from_fn(|i| std::array::from_fn(|j| field.moments.0[1 + j][i])));
        for (r, moments) in all.iter().enumerate().take(k + 1) {
            let mass = t.dot(moments);
            // F1(r,k) = Σ m s_k × u_r, and the opposite for the other order.
            let mut change = [0.0; 3];
            for (a, b) in t.0.iter().zip(&moments.0) {
                change[0] += a[1] * b[2] - a[2] * b[1];
                change[1] += a[2] * b[0] - a[0] * b[2];
                change[2] += a[0] * b[1] - a[1] * b[0];
            }
            let products = |i: usize, j: usize| (0..4).map(|l| moments.0[l][i] * t.0[l][j]).sum();
            let second = lever(std::array::from_fn(|i| std::array::from_fn(|j| products(i, j))));
            (given.modal_mass[r][k], given.modal_mass[k][r]) = (mass, mass);
            (given.inertia_second[r][k], given.inertia_second[k][r]) = (second, second);
            given.coupling_change[r][k] = change;
            given.coupling_change[k][r] = change.map(|x| -x);
        }
    }
    complete(given, tables, fields.len());
}

/// Adds to the mass of the shapes what keeps the whole mass matrix from being negative: the positive part of `C* M⁻¹ C - M_ss`.
fn complete(given: &mut ModalInertia, tables: &ModalInertia, shapes: usize) {
    let old = tables.modal_mass.len();
    let rigid = tables.mass_matrix();
    let size = 6 + old;
    let units: Vec<f64> = (0..size).map(|i| if rigid[i][i] > 0.0 { 1.0 / rigid[i][i].sqrt() } else { 0.0 }).collect();
    let scaled: Matrix = (0..size).map(|i| (0..size).map(|j| units[i] * rigid[i][j] * units[j]).collect()).collect();
    let inverse = eigen::function(scaled, |x| if x > 1e-12 { 1.0 / x } else { 0.0 });
    let column = |k: usize| -> Vec<f64> {
        let modes = (0..old).map(|r| given.modal_mass[r][old + k]);
        given.coupling[old + k].iter().copied().chain(modes).zip(&units).map(|(x, u)| x * u).collect()
    };
    let columns: Vec<Vec<f64>> = (0..shapes).map(column).collect();
    let own: Vec<f64> = (0..shapes).map(|k| given.modal_mass[old + k][old + k]).collect();
    let unit = |k: usize| if own[k] > 0.0 { 1.0 / own[k].sqrt() } else { 0.0 };
    let lack: Matrix = (0..shapes)
        .map(|k| {
            let image: Vec<f64> =
                inverse.iter().map(|row| row.iter().zip(&columns[k]).map(|(a, b)| a * b).sum()).collect();
            let needed = |l: usize| columns[l].iter().zip(&image).map(|(a, b)| a * b).sum::<f64>();
            (0..shapes).map(|l| unit(k) * unit(l) * (needed(l) - given.modal_mass[old + k][old + l])).collect()
        })
        .collect();
    // Rounding of an exact completion is left alone.
    let more = eigen::function(lack, |x| if x > 1e-12 { x } else { 0.0 });
    for k in 0..shapes {
        for l in 0..shapes {
            if unit(k) > 0.0 && unit(l) > 0.0 {
                given.modal_mass[old + k][old + l] += 0.5 * (more[k][l] + more[l][k]) / (unit(k) * unit(l));
            }
        }
    }
}
