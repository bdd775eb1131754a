//! Roots of a frequency equation.

/// The first `count` sign changes of `f` on the positive axis, to full precision. `f` must not have two roots closer than 0.02.
///
/// Roots of beams and rods lie about π apart. What is not found there, as with loads that are negative or not numbers, is NaN, which
/// `build` refuses.
pub(super) fn sign_changes(f: impl Fn(f64) -> f64, count: usize) -> Vec<f64> {
    let mut roots = Vec::with_capacity(count);
    let mut left = 1e-3;
    let mut at_left = f(left);
    while roots.len() < count {
        // Small steps near zero, where a heavy end load puts its root.
        let right = left + (0.02 * left).clamp(1e-4, 0.02);
        let at_right = f(right);
        if at_left * at_right < 0.0 {
            roots.push(bisect(&f, left, right, at_left));
        }
        (left, at_left) = (right, at_right);
        if left > std::f64::consts::PI * (count + 3) as f64 {
            roots.resize(count, f64::NAN);
        }
    }
    roots
}

fn bisect(f: impl Fn(f64) -> f64, mut left: f64, mut right: f64, at_left: f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (left + right);
        if middle <= left || middle >= right {
            break;
        }
        if at_left * f(middle) > 0.0 { left = middle } else { right = middle }
    }
    0.5 * (left + right)
}
