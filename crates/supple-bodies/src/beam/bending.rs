//! Exact bending modes of a uniform Euler-Bernoulli beam.
//!
//! `v(x) = a₁ sin βx + a₂ cos βx + a₃ e^{-βx} + a₄ e^{-β(L-x)}` with `ω² = EI β⁴ / ρA`. The two exponentials replace the
//! hyperbolic functions, so that high modes neither overflow nor cancel. Four end conditions make a 4 × 4 system whose determinant
//! vanishes at the roots `β`.

use super::Support;
use super::root::sign_changes;

/// One bending mode. Its scale is arbitrary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BendingMode {
    /// Wave number `β`.
    pub beta: f64,
    /// Length of the beam.
    pub length: f64,
    /// `a₁` to `a₄`.
    pub coefficients: [f64; 4],
}

/// What is at the end of a beam, in units of the beam: mass over mass per length, inertia over mass per length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndLoad {
    /// `m / ρA`.
    pub mass: f64,
    /// `J / ρA`.
    pub inertia: f64,
}

/// The first `count` elastic modes for a way of support; rigid motions are left out.
pub fn bending_modes(support: Support, load: EndLoad, length: f64, count: usize) -> Vec<BendingMode> {
    let determinant = |x: f64| determinant(conditions(support, load, length, x / length));
    sign_changes(determinant, count)
        .into_iter()
        .map(|x| {
            let beta = x / length;
            BendingMode { beta, length, coefficients: null_vector(conditions(support, load, length, beta)) }
        })
        .collect()
}

impl BendingMode {
    /// Angular frequency for `EI / ρA`.
    pub fn frequency(&self, stiffness_over_mass: f64) -> f64 {
        self.beta * self.beta * stiffness_over_mass.sqrt()
    }

    /// Derivative of order `order` of the shape at `x`.
    pub fn derivative(&self, order: i32, x: f64) -> f64 {
        let row = basis(order, self.beta, x, self.length);
        let sum: f64 = row.iter().zip(self.coefficients).map(|(f, a)| f * a).sum();
        sum * self.beta.powi(order)
    }
}

/// Derivatives of the four functions over `β^order`.
fn basis(order: i32, beta: f64, x: f64, length: f64) -> [f64; 4] {
    let (s, c) = (beta * x).sin_cos();
    let (near, far) = ((-beta * x).exp(), (-beta * (length - x)).exp());
    let (sine, cosine) = match order % 4 {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    };
    [sine, cosine, if order % 2 == 0 { near } else { -near }, far]
}

/// Rows of the end conditions at the wave number `beta`.
fn conditions(support: Support, load: EndLoad, length: f64, beta: f64) -> [[f64; 4]; 4] {
    let at = |order: i32, x: f64| basis(order, beta, x, length);
    let (root, tip) = support.bending_ends();
    let end = |x: f64, held: super::End| match held {
        super::End::Clamped => [at(0, x), at(1, x)],
        super::End::Pinned => [at(0, x), at(2, x)],
        super::End::Free => [at(2, x), at(3, x)],
        // v'' = β⁴ (J/ρA) v',  v''' = -β⁴ (m/ρA) v, each over its power of β
        super::End::Loaded => {
            let (moment, force) = (beta.powi(3) * load.inertia, beta * load.mass);
            let mix = |a: [f64; 4], b: [f64; 4], s: f64| std::array::from_fn(|i| a[i] + s * b[i]);
            [mix(at(2, x), at(1, x), -moment), mix(at(3, x), at(0, x), force)]
        }
    };
    let ([a, b], [c, d]) = (end(0.0, root), end(length, tip));
    [a, b, c, d].map(|row: [f64; 4]| {
        let size = row.iter().fold(0.0_f64, |m, x| m.max(x.abs())).max(f64::MIN_POSITIVE);
        row.map(|x| x / size)
    })
}

/// Determinant by elimination with partial pivoting.
fn determinant(mut a: [[f64; 4]; 4]) -> f64 {
    let mut product = 1.0;
    for k in 0..4 {
        let pivot = (k..4).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap_or(k);
        if pivot != k {
            a.swap(pivot, k);
            product = -product;
        }
        product *= a[k][k];
        if a[k][k] == 0.0 {
            return 0.0;
        }
        for i in k + 1..4 {
            let factor = a[i][k] / a[k][k];
            for j in k..4 {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    product
}

/// The vector that a singular matrix maps to zero, by elimination with full pivoting.
fn null_vector(mut a: [[f64; 4]; 4]) -> [f64; 4] {
    let mut order = [0, 1, 2, 3];
    for k in 0..3 {
        let places = (k..4).flat_map(|i| (k..4).map(move |j| (i, j)));
        let (i, j) = places.max_by(|p, q| a[p.0][p.1].abs().total_cmp(&a[q.0][q.1].abs())).unwrap_or((k, k));
        a.swap(i, k);
        a.iter_mut().for_each(|row| row.swap(j, k));
        order.swap(j, k);
        for i in k + 1..4 {
            let factor = a[i][k] / a[k][k];
            for j in k..4 {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    let mut x = [0.0, 0.0, 0.0, 1.0];
    for i in (0..3).rev() {
        let sum: f64 = (i + 1..4).map(|j| a[i][j] * x[j]).sum();
        x[i] = -sum / a[i][i];
    }
    let mut out = [0.0; 4];
    for (place, value) in order.into_iter().zip(x) {
        out[place] = value;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roots `βL` of the classical frequency equations.
    #[test]
    fn classical_roots() {
        let none = EndLoad { mass: 0.0, inertia: 0.0 };
        let cases = [
            (Support::ClampedFree, [1.875_104_068_711_961, 4.694_091_132_974_175, 7.854_757_438_237_613]),
            (Support::FreeFree, [4.730_040_744_862_704, 7.853_204_624_095_838, 10.995_607_838_001_67]),
            (Support::PinnedFree, [3.926_602_312_047_919, 7.068_582_745_628_732, 10.210_176_122_813_03]),
            (Support::ClampedPinned, [3.926_602_312_047_919, 7.068_582_745_628_732, 10.210_176_122_813_03]),
        ];
        for (support, roots) in cases {
            let modes = bending_modes(support, none, 2.5, 3);
            for (mode, root) in modes.iter().zip(roots) {
                assert!((mode.beta * 2.5 / root - 1.0).abs() < 1e-12, "{support:?} {} {root}", mode.beta * 2.5);
            }
        }
        let modes = bending_modes(Support::PinnedPinned, none, 1.0, 30);
        assert!((modes[29].beta / (30.0 * std::f64::consts::PI) - 1.0).abs() < 1e-12);
    }

    /// A massless beam with a tip mass is a spring of stiffness 3 EI / L³.
    #[test]
    fn heavy_tip_is_a_spring() {
        let mode = bending_modes(Support::ClampedLoaded, EndLoad { mass: 1e6, inertia: 0.0 }, 1.0, 1)[0];
        assert!((mode.frequency(1.0).powi(2) * 1e6 / 3.0 - 1.0).abs() < 1e-6);
    }
}
