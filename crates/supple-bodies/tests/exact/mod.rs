//! Frequencies of Timoshenko and Euler-Bernoulli beams straight from the differential equations: an independent reference.
//!
//! `v' = θ + Q/κGA, θ' = M/EI, M' = -Q - ρI ω² θ, Q' = -ρA ω² v`, integrated along the beam; the end conditions leave a 2 × 2
//! determinant whose sign changes are the frequencies.

#![allow(dead_code)]

/// A section as the equations need it.
#[derive(Clone, Copy)]
pub struct Plane {
    pub bending: f64,
    /// `1 / κGA`; 0 for Euler-Bernoulli.
    pub shear_compliance: f64,
    pub mass: f64,
    pub rotary: f64,
}

/// Which of `[v, θ, M, Q]` vanish at an end.
pub const CLAMPED: [usize; 2] = [0, 1];
pub const PINNED: [usize; 2] = [0, 2];
pub const FREE: [usize; 2] = [2, 3];

fn rate(p: &Plane, square: f64, y: &[f64; 4]) -> [f64; 4] {
    [y[1] + y[3] * p.shear_compliance, y[2] / p.bending, -y[3] - p.rotary * square * y[1], -p.mass * square * y[0]]
}

/// State at the far end, by Runge and Kutta's fourth-order rule.
fn far_end(at: &dyn Fn(f64) -> Plane, length: f64, square: f64, mut y: [f64; 4]) -> [f64; 4] {
    let steps = 1600;
    let h = length / steps as f64;
    let shifted = |y: &[f64; 4], k: &[f64; 4], s: f64| -> [f64; 4] { std::array::from_fn(|i| y[i] + s * k[i]) };
    for step in 0..steps {
        let x = step as f64 * h;
        let (a, b, c) = (at(x), at(x + 0.5 * h), at(x + h));
        let k1 = rate(&a, square, &y);
        let k2 = rate(&b, square, &shifted(&y, &k1, 0.5 * h));
        let k3 = rate(&b, square, &shifted(&y, &k2, 0.5 * h));
        let k4 = rate(&c, square, &shifted(&y, &k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    y
}

fn determinant(at: &dyn Fn(f64) -> Plane, length: f64, ends: [[usize; 2]; 2], frequency: f64) -> f64 {
    let free: Vec<usize> = (0..4).filter(|i| !ends[0].contains(i)).collect();
    let column = |i: usize| {
        let mut y = [0.0; 4];
        y[i] = 1.0;
        far_end(at, length, frequency * frequency, y)
    };
    let (a, b) = (column(free[0]), column(free[1]));
    let [i, j] = ends[1];
    a[i] * b[j] - a[j] * b[i]
}

/// The first `count` frequencies; `step` must be below their distances.
pub fn frequencies(at: impl Fn(f64) -> Plane, length: f64, ends: [[usize; 2]; 2], count: usize, step: f64) -> Vec<f64> {
    let f = |frequency: f64| determinant(&at, length, ends, frequency);
    let (mut left, mut found) = (step, Vec::new());
    let mut at_left = f(left);
    while found.len() < count {
        let right = left + step;
        let at_right = f(right);
        if at_left * at_right < 0.0 {
            let (mut a, mut b) = (left, right);
            while b - a > 1e-13 * b {
                let middle = 0.5 * (a + b);
                if middle <= a || middle >= b {
                    break;
                }
                if f(middle) * at_left > 0.0 { a = middle } else { b = middle }
            }
            found.push(0.5 * (a + b));
        }
        (left, at_left) = (right, at_right);
    }
    found
}
