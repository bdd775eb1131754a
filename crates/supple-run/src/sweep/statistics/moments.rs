//! Mean and standard deviation.

use std::f64::consts::PI;

use super::bootstrap::bounds;
use super::{Estimate, TAIL};
use crate::sweep::sample::normal_quantile;

/// The mean; its interval by Student's distribution.
pub fn mean(numbers: &[f64]) -> Estimate {
    let count = numbers.len() as f64;
    let value = numbers.iter().sum::<f64>() / count;
    let half = match numbers.len() {
        0 | 1 => f64::NAN,
        n => student_quantile(1.0 - TAIL, n - 1) * spread(numbers) / count.sqrt(),
    };
    Estimate { value, low: value - half, high: value + half }
}

/// The standard deviation, with one less than the count below the root; its interval by resampling.
pub fn deviation(numbers: &[f64]) -> Estimate {
    let mut resampled = Vec::with_capacity(numbers.len());
    let [[low, high]] = bounds(numbers.len(), |chosen| {
        resampled.clear();
        resampled.extend(chosen.iter().map(|i| numbers[*i]));
        [spread(&resampled)]
    });
    Estimate { value: spread(numbers), low, high }
}

/// Root of the mean square about the mean, one less than the count below.
fn spread(numbers: &[f64]) -> f64 {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    (numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (count - 1.0)).sqrt()
}

/// Degrees of freedom up to which Student's distribution is summed.
const SUMMED: usize = 400;

/// Quantile of Student's distribution for `u` above a half: Abramowitz and Stegun 26.7.3 and 26.7.4 solved by bisection, for many degrees of freedom
/// the expansion 26.7.5.
fn student_quantile(u: f64, degrees: usize) -> f64 {
    let z = normal_quantile(u);
    if degrees > SUMMED {
        let n = degrees as f64;
        let z2 = z * z;
        let terms = [
            z * (z2 + 1.0) / 4.0,
            z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0,
            z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0,
        ];
        return z + terms[0] / n + terms[1] / (n * n) + terms[2] / (n * n * n);
    }
    // The angle whose tangent is the quantile over the root of the degrees of freedom.
    let (mut low, mut high) = (0.0, PI / 2.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if student_between(middle, degrees) < 2.0 * u - 1.0 { low = middle } else { high = middle }
    }
    (0.5 * (low + high)).tan() * (degrees as f64).sqrt()
}

/// Part of Student's distribution within a quantile of both signs, by the angle above.
fn student_between(angle: f64, degrees: usize) -> f64 {
    let (sine, cosine) = angle.sin_cos();
    let odd = degrees % 2 == 1;
    let (mut term, mut sum) = (if odd { cosine } else { 1.0 }, 0.0);
    let mut k = if odd { 1.0 } else { 0.0 };
    while k + 2.0 <= degrees as f64 {
        sum += term;
        term *= cosine * cosine * (k + 1.0) / (k + 2.0);
        k += 2.0;
    }
    if odd { 2.0 / PI * (angle + sine * sum) } else { sine * sum }
}

#[cfg(test)]
mod tests {
    use super::super::close;
    use super::*;

    pub const SAMPLE: [f64; 12] = [2.5, -1.0, 0.3, 7.2, 3.3, 3.3, -4.1, 0.9, 5.5, 1.7, 2.2, -0.6];

    /// `numpy.mean`, `numpy.std(ddof=1)` of NumPy 2.4.6 and `scipy.stats.t.interval(0.95, 11, …)` of SciPy 1.17.1.
    #[test]
    fn moments_are_those_of_numpy() {
        let found = mean(&SAMPLE);
        close(found.value, 1.7666666666666664, 1e-15);
        close(found.low, -0.14392962650009355, 1e-13);
        close(found.high, 3.6772629598334263, 1e-13);
        close(deviation(&SAMPLE).value, 3.0070623941688077, 1e-15);
    }

    /// `scipy.stats.t.ppf(0.975, degrees)` of SciPy 1.17.1.
    #[test]
    fn student_quantiles_are_those_of_scipy() {
        for (degrees, expected) in [
            (1, 12.706204736174694),
            (2, 4.302652729749462),
            (3, 3.1824463052837078),
            (4, 2.7764451051977934),
            (11, 2.200985160091639),
            (30, 2.0422724563012378),
            (199, 1.9719565442517533),
            (1000, 1.9623390808264083),
        ] {
            close(student_quantile(0.975, degrees), expected, 1e-12);
        }
    }

    /// Of normal samples of 100, the intervals hold the true values in about 95 of 100: of 60, fewer than 51 would be a chance of 3e-3 for
    /// intervals that hold in 93 of 100, as those by resampling do for so few.
    #[test]
    fn intervals_hold_what_they_say() {
        let stream = crate::sweep::sample::Stream::new(9, crate::sweep::sample::Purpose::Value);
        let held = |inside: &dyn Fn(&[f64]) -> bool| {
            let sample = |k: u64| (0..100).map(|i| normal_quantile(stream.uniform(k, i))).collect::<Vec<f64>>();
            (0..60).filter(|k| inside(&sample(*k))).count()
        };
        let within = |e: Estimate, truth: f64| e.low <= truth && truth <= e.high;
        assert!(held(&|sample| within(mean(sample), 0.0)) >= 51);
        assert!(held(&|sample| within(deviation(sample), 1.0)) >= 51);
        // And not always: an interval that is too wide says nothing.
        assert!(held(&|sample| within(mean(sample), 0.0)) < 60);
    }
}
