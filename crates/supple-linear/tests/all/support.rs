//! What several tests take: beams, roots, dense eigenproblems.

use faer::Mat;
use faer::linalg::solvers::Solve;
use supple::{Body, Hinge, HingeKind, Inputs, Model, Parent, State};
use supple_bodies::section::BeamProperties;
use supple_linear::{SystemModes, system_modes};

/// A beam without rotary inertia: Euler and Bernoulli's.
pub fn slender(mass: f64, bending: f64) -> BeamProperties {
    BeamProperties {
        mass,
        axial: 1e8,
        bending_y: bending,
        bending_z: bending,
        torsion: 1e4,
        shear: f64::INFINITY,
        rotary: [1e-3 * mass, 0.0, 0.0],
    }
}

/// A hinge with a name.
pub fn hinge(name: &str, kind: HingeKind) -> Hinge {
    Hinge { name: Some(name.into()), ..Hinge::new(kind) }
}

/// A rigid body of inertia `J` about all axes of the hinge.
pub fn lump(name: &str, parent: Parent, hinge: Hinge, mass: f64, inertia: f64) -> Body {
    let j = [[inertia, 0.0, 0.0], [0.0, inertia, 0.0], [0.0, 0.0, inertia]];
    Body::rigid(name, parent, hinge, mass, [0.0; 3], j)
}

/// Modes at rest in the reference configuration.
pub fn modes(model: &Model, inputs: &Inputs) -> SystemModes {
    system_modes(model, &State::new(model), inputs).unwrap()
}

/// Angular frequencies of all modes.
pub fn rates(modes: &SystemModes) -> Vec<f64> {
    modes.modes.iter().map(|mode| mode.eigenvalue.abs()).collect()
}

/// The first `count` positive roots, each bracketed by steps of `step` and then halved down to rounding.
pub fn roots(f: impl Fn(f64) -> f64, step: f64, count: usize) -> Vec<f64> {
    let mut found = Vec::new();
    let mut x = 1e-3 * step;
    while found.len() < count {
        let (mut low, mut high) = (x, x + step);
        if f(low) * f(high) < 0.0 {
            for _ in 0..200 {
                let middle = 0.5 * (low + high);
                if f(low) * f(middle) <= 0.0 { high = middle } else { low = middle }
            }
            found.push(0.5 * (low + high));
        }
        x += step;
        assert!(x < 1e5 * step, "{} roots of {count}", found.len());
    }
    found
}

/// Determinant of a small matrix by elimination with pivots.
pub fn determinant<const N: usize>(mut a: [[f64; N]; N]) -> f64 {
    let mut product = 1.0;
    for k in 0..N {
        let pivot = (k..N).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs())).unwrap();
        if pivot != k {
            a.swap(pivot, k);
            product = -product;
        }
        product *= a[k][k];
        for i in k + 1..N {
            let factor = a[i][k] / a[k][k];
            for j in k..N {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    product
}

/// Solutions of `w'''' = β⁴ w` at `x` and their derivatives up to the third: `cos`, `sin`, and `cosh`, `sinh` scaled to stay small.
pub fn bending(beta: f64, x: f64, length: f64) -> [[f64; 4]; 4] {
    let (s, c) = (beta * x).sin_cos();
    let (rise, fall) = ((beta * (x - length)).exp(), (-beta * x).exp());
    let b = [1.0, beta, beta * beta, beta.powi(3)];
    // Rows: functions cos, sin, exp(β (x - L)), exp(-β x).
    [
        [c, -b[1] * s, -b[2] * c, b[3] * s],
        [s, b[1] * c, -b[2] * s, -b[3] * c],
        [rise, b[1] * rise, b[2] * rise, b[3] * rise],
        [fall, -b[1] * fall, b[2] * fall, -b[3] * fall],
    ]
}

/// The determinant of four conditions, each a combination of the derivatives at both ends: `condition(root, tip)` of one function.
pub fn conditions(beta: f64, length: f64, condition: impl Fn(usize, &[f64; 4], &[f64; 4]) -> f64) -> f64 {
    let (root, tip) = (bending(beta, 0.0, length), bending(beta, length, length));
    let row = |i: usize| std::array::from_fn(|k| condition(i, &root[k], &tip[k]));
    determinant::<4>(std::array::from_fn(row))
}

/// `ω²` of `K x = ω² M x`, ascending.
pub fn squares(stiffness: &Mat<f64>, mass: &Mat<f64>) -> Vec<f64> {
    let answer = mass.partial_piv_lu().solve(stiffness);
    let mut all: Vec<f64> = answer.eigenvalues().unwrap().iter().map(|z| z.re).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// Compares two lists of frequencies.
#[track_caller]
pub fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    for (found, expected) in found.iter().zip(expected) {
        let error = (found / expected - 1.0).abs();
        assert!(error <= tolerance, "{found} for {expected}: off by {error:.1e}");
    }
}

/// Greatest relative difference of two lists.
pub fn greatest_error(found: &[f64], expected: &[f64]) -> f64 {
    found.iter().zip(expected).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max)
}
