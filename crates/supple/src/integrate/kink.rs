//! Kinks of the equations on the way of a step: where a hinge meets its stop, and where it leaves it.
//!
//! A step across a kink is of low order: error control shrinks it until what is wrong within the kink is below the tolerance, and lets it grow
//! again behind. Explicit steps go to the kink instead, by position, speed and acceleration at their start: almost up to it in one step, which
//! is smooth and keeps its order, and beyond it in a second one that is too short to err.

use super::equations::Kink;

/// Kinks that a step meets within this part of it are crossed by a short step of their own.
const NEAR: f64 = 1e-2;
/// The state is at a kink that a step meets within this part of it.
const HERE: f64 = 1e-7;
/// What is left of the way to a kink, and how far a short step goes beyond it, as parts of the way.
const SHORT: f64 = 1e-3;
const BEYOND: f64 = 1e-6;

/// The length of a step of at most `h` that ends before or behind the first kink ahead of it; none where there is none.
pub(super) fn cut(kinks: &[Kink], y: &[f64], rates: &[f64], h: f64) -> Option<f64> {
    let way = |kink: &Kink| first_root(y[kink.place] - kink.value, rates[kink.place], rates[kink.speed], HERE * h);
    let way = kinks.iter().map(way).fold(f64::INFINITY, f64::min);
    let cut = if way <= NEAR * h { (1.0 + BEYOND) * way } else { (1.0 - SHORT) * way };
    (way <= h).then_some(cut)
}

/// The first time after `least` at which `g + v t + a t²/2` is zero; infinite where there is none.
fn first_root(g: f64, v: f64, a: f64, least: f64) -> f64 {
    let square = v * v - 2.0 * a * g;
    if square.is_nan() || square < 0.0 {
        return f64::INFINITY;
    }
    // Without cancellation.
    let sum = -(v + square.sqrt().copysign(v));
    [sum / a, 2.0 * g / sum].into_iter().filter(|t| *t > least).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_those_of_the_parabola() {
        // Falling from 0.2 at -1, thrown up at 1 from 0.3, uniformly, and never.
        assert!((first_root(0.2, -1.0, -10.0, 0.0) - (5.0_f64.sqrt() - 1.0) / 10.0).abs() < 1e-15);
        assert!((first_root(0.3, 1.0, -10.0, 0.0) - (7.0_f64.sqrt() + 1.0) / 10.0).abs() < 1e-15);
        assert_eq!(first_root(0.5, -2.0, 0.0, 0.0), 0.25);
        for (g, v, a) in [(0.2, 1.0, 0.0), (0.2, -1.0, 10.0), (f64::INFINITY, -1.0, 1.0), (0.0, 0.0, 0.0)] {
            assert_eq!(first_root(g, v, a, 0.0), f64::INFINITY, "{g} {v} {a}");
        }
        // From the kink itself: the return.
        assert!((first_root(0.0, 1.0, -10.0, 0.0) - 0.2).abs() < 1e-15);
        assert!((first_root(1e-14, 1.0, -10.0, 1e-9) - 0.2).abs() < 1e-12);
    }

    #[test]
    fn steps_end_before_a_kink_and_then_behind_it() {
        let kinks = [Kink { place: 0, speed: 1, value: 1.0 }, Kink { place: 0, speed: 1, value: f64::INFINITY }];
        let at = |q: f64, h: f64| cut(&kinks, &[q, 2.0], &[2.0, 0.0], h);
        assert_eq!(at(0.0, 1.0), Some(0.5 * (1.0 - SHORT)));
        assert_eq!(at(0.0, 0.4), None, "too far");
        let near = at(1.0 - 1e-3, 1.0).unwrap();
        assert!(near > 5e-4 && near < 5.0001e-4, "{near}");
        assert_eq!(at(1.0 - 1e-12, 1.0), None, "at the kink");
    }
}
