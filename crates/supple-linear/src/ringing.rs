//! Decaying oscillations in a recorded curve: frequencies, damping ratios and amplitudes by the matrix pencil.
//!
//! Equally spaced samples of a sum of exponentials, `y_n = Σ c_k z_k^n`, fill a Hankel matrix whose rows are shifted by one sample from its columns. Its leading
//! right singular vectors `V` span the exponentials, so `V` without its last row, times a small matrix, is `V` without its first row, and the eigenvalues
//! of that matrix are the `z_k` (Hua and Sarkar 1990). Amplitudes follow by least squares. Damping needs no peaks to be picked, and frequencies closer than the
//! inverse of the record are told apart; a spectrum does neither.
//!
//! Curves with many samples per period are thinned first. The samples are smoothed by a filter of finite length, which keeps the `z_k` and multiplies each
//! `c_k` by a number that is known.

use std::f64::consts::{PI, TAU};
use std::fmt;

use faer::Mat;
use faer::linalg::solvers::SolveLstsq;

use crate::poles::eigenvalues;

/// Fewest samples.
pub const FEWEST_SAMPLES: usize = 16;
/// Samples that the pencil takes.
const MOST_SAMPLES: usize = 240;
/// Most exponentials.
const MOST_PARTS: usize = 16;
/// Singular values below this part of the greatest are rounding.
const RANK: f64 = 1e-7;
/// Share of the power below the band that thinning keeps.
const KEPT_POWER: f64 = 0.999;
/// Samples that thinning leaves per period of the top of the band.
const PER_PERIOD: f64 = 5.0;
/// Samples on each side that smoothing uses, per step of thinning.
const REACH: usize = 6;
/// Part of the curve that its oscillations may leave unexplained, as root of a mean square.
const UNEXPLAINED: f64 = 0.1;
/// Part of the energy of the curve below which an oscillation is rounding.
const LEAST_ENERGY: f64 = 1e-7;
/// Fewest periods from which a frequency can be told.
const FEWEST_PERIODS: f64 = 1.5;

/// One decaying oscillation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ringing {
    /// Frequency, Hz: the absolute value of the eigenvalue over 2π, as system modes have it.
    pub frequency: f64,
    /// Damping ratio; negative where it grows.
    pub damping_ratio: f64,
    /// Amplitude at the first sample.
    pub amplitude: f64,
    /// Sum of its squares over the record.
    pub energy: f64,
}

/// Why no oscillation can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoRinging {
    /// Fewer than [`FEWEST_SAMPLES`] samples, or some that are not finite.
    TooFewSamples,
    /// All samples are the same.
    Still,
    /// It does not swing, or less than one and a half periods were recorded.
    NoPeriod,
    /// It is not a sum of a few decaying oscillations.
    Irregular,
}

impl fmt::Display for NoRinging {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooFewSamples => "too few rows",
            Self::Still => "it is still",
            Self::NoPeriod => "it does not swing, or less than one and a half periods were recorded",
            Self::Irregular => "it is not a sum of a few decaying oscillations",
        })
    }
}

/// The oscillations of a curve that is sampled every `interval` seconds, the one with the greatest energy first. A constant and parts that decay without
/// swinging are left out.
///
/// # Errors
/// [`NoRinging`] says why there is none.
pub fn ringing(samples: &[f64], interval: f64) -> Result<Vec<Ringing>, NoRinging> {
    if samples.len() < FEWEST_SAMPLES || samples.iter().any(|x| !x.is_finite()) {
        return Err(NoRinging::TooFewSamples);
    }
    let mean = samples.iter().sum::<f64>() / samples.len() as f64;
    let size = samples.iter().fold(0.0_f64, |most, x| most.max((x - mean).abs()));
    if size <= 8.0 * f64::EPSILON * mean.abs() || size == 0.0 {
        return Err(NoRinging::Still);
    }
    let scaled: Vec<f64> = samples.iter().map(|x| (x - mean) / size).collect();
    let thin = Thinned::of(&scaled);
    let signal = &thin.samples[..thin.samples.len().min(MOST_SAMPLES)];
    let rates = exponents(signal).ok_or(NoRinging::Irregular)?;
    let (parts, unexplained) = amplitudes(signal, &rates);
    if unexplained > UNEXPLAINED {
        return Err(NoRinging::Irregular);
    }
    let step = interval * thin.stride as f64;
    let mut found: Vec<Ringing> = Vec::new();
    for ([rate, angle], part) in rates.iter().zip(&parts) {
        let periods = angle * signal.len() as f64 / TAU;
        // Half a turn per sample is where frequencies fold.
        if periods >= FEWEST_PERIODS && *angle < 0.97 * PI {
            let omega = rate.hypot(*angle) / step;
            found.push(Ringing {
                frequency: omega / TAU,
                damping_ratio: -rate / rate.hypot(*angle),
                amplitude: size * part.amplitude / thin.gain(*rate, *angle),
                energy: size * size * part.energy,
            });
        }
    }
    found.sort_by(|a, b| b.energy.total_cmp(&a.energy));
    let all: f64 = signal.iter().map(|x| x * x).sum();
    match found.first() {
        Some(first) if first.energy > LEAST_ENERGY * size * size * all => Ok(found),
        _ => Err(NoRinging::NoPeriod),
    }
}

/// Samples of which there are not more than the band of the curve needs.
struct Thinned {
    samples: Vec<f64>,
    stride: usize,
    weights: Vec<f64>,
}

impl Thinned {
    fn of(samples: &[f64]) -> Self {
        // At least two thirds of the record are left by smoothing.
        let most = (samples.len() / (6 * REACH)).max(1);
        let stride = ((1.0 / (PER_PERIOD * band(samples))) as usize).clamp(1, most);
        if stride == 1 {
            return Self { samples: samples.to_vec(), stride, weights: vec![1.0] };
        }
        // A sinc that ends half way to where frequencies fold, with Hann's window.
        let half = (REACH * stride) as f64;
        let weight = |j: usize| {
            let t = j as f64 - half;
            let x = PI * 0.7 * t / stride as f64;
            let sinc = if t == 0.0 { 1.0 } else { x.sin() / x };
            sinc * (0.5 + 0.5 * (PI * t / (half + 1.0)).cos())
        };
        let raw: Vec<f64> = (0..=2 * REACH * stride).map(weight).collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|w| w / sum).collect();
        let smooth = |at: &[f64]| at.iter().zip(&weights).map(|(x, w)| x * w).sum();
        let samples = samples.windows(weights.len()).step_by(stride).map(smooth).collect();
        Self { samples, stride, weights }
    }

    /// What smoothing makes of an exponential of these rates per thinned sample: `|Σ w_j z^j|`, from its first raw sample on.
    fn gain(&self, rate: f64, angle: f64) -> f64 {
        let step = 1.0 / self.stride as f64;
        let (mut re, mut im) = (0.0, 0.0);
        for (j, w) in self.weights.iter().enumerate() {
            let t = j as f64 * step;
            re += w * (rate * t).exp() * (angle * t).cos();
            im += w * (rate * t).exp() * (angle * t).sin();
        }
        re.hypot(im)
    }
}

/// The frequency, in periods per sample, below which nearly all of the power is.
fn band(samples: &[f64]) -> f64 {
    // Of the differences: a slow settling of large amplitude must not hide a vibration.
    let differences: Vec<f64> = samples.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let power = power_spectrum(&differences);
    let all: f64 = power.iter().sum();
    let mut below = 0.0;
    let top = power.iter().position(|p| {
        below += p;
        below >= KEPT_POWER * all
    });
    // One line more: a line has a width.
    (top.unwrap_or(power.len()) + 2) as f64 / samples.len() as f64
}

/// Power at `k` periods per record, `k` from zero to half the number of samples, with Hann's window.
pub fn power_spectrum(samples: &[f64]) -> Vec<f64> {
    let n = samples.len();
    let mean = samples.iter().sum::<f64>() / n.max(1) as f64;
    let window = |i: usize| 0.5 - 0.5 * (TAU * (i as f64 + 0.5) / n as f64).cos();
    let windowed: Vec<f64> = samples.iter().enumerate().map(|(i, x)| (x - mean) * window(i)).collect();
    let at = |k: usize| {
        // Goertzel's recursion.
        let twice = 2.0 * (TAU * k as f64 / n as f64).cos();
        let (mut last, mut before) = (0.0, 0.0);
        for x in &windowed {
            (last, before) = (x + twice * last - before, last);
        }
        last * last + before * before - twice * last * before
    };
    (0..=n / 2).map(at).collect()
}

/// Growth and angle per sample of the exponentials of a signal, one of each conjugate pair.
fn exponents(signal: &[f64]) -> Option<Vec<[f64; 2]>> {
    let columns = signal.len() / 2;
    let hankel = Mat::from_fn(signal.len() - columns, columns + 1, |i, j| signal[i + j]);
    let svd = hankel.thin_svd().ok()?;
    let (values, v) = (svd.S().column_vector(), svd.V());
    let greatest = values[0];
    let rank = (0..values.nrows()).take_while(|k| values[*k] > RANK * greatest).count().min(MOST_PARTS);
    let rank = rank.min(columns / 2);
    // V has orthonormal columns, so that V₁* V₁ = 1 - w w*, with w* its last row, and has the inverse 1 + w w*/(1 - w* w).
    let shifted = Mat::from_fn(rank, rank, |i, j| (0..columns).map(|r| v[(r, i)] * v[(r + 1, j)]).sum::<f64>());
    let w: Vec<f64> = (0..rank).map(|k| v[(columns, k)]).collect();
    let left = 1.0 - w.iter().map(|x| x * x).sum::<f64>();
    if left <= f64::EPSILON {
        return None;
    }
    let along: Vec<f64> = (0..rank).map(|j| (0..rank).map(|i| w[i] * shifted[(i, j)]).sum::<f64>() / left).collect();
    let pencil = Mat::from_fn(rank, rank, |i, j| shifted[(i, j)] + w[i] * along[j]);
    let all = eigenvalues(&pencil).ok()?;
    // Those that vanish at once or outgrow the record are none of its motion.
    let lasting = |z: &crate::Complex| z.im >= 0.0 && (z.abs().ln() * signal.len() as f64).abs() < 60.0;
    Some(all.iter().filter(|z| lasting(z)).map(|z| [z.abs().ln(), z.arg()]).collect())
}

/// What an exponential contributes.
struct Part {
    amplitude: f64,
    energy: f64,
}

/// Contributions of exponentials by least squares, and what they leave of the signal as root of a mean square, relative to the signal.
fn amplitudes(signal: &[f64], rates: &[[f64; 2]]) -> (Vec<Part>, f64) {
    // Columns grow or decay from a value of one at most.
    let last = (signal.len() - 1) as f64;
    let shape = |k: usize, i: usize, quarter: f64| {
        let ([rate, angle], t) = (rates[k], i as f64);
        (rate * t - rate.max(0.0) * last).exp() * (angle * t - quarter).cos()
    };
    let swings = |k: usize| rates[k][1] > 0.0 && rates[k][1] < PI;
    let columns: Vec<(usize, f64)> =
        (0..rates.len()).flat_map(|k| [(k, 0.0), (k, 0.5 * PI)]).filter(|(k, q)| *q == 0.0 || swings(*k)).collect();
    let basis = Mat::from_fn(signal.len(), columns.len(), |i, j| shape(columns[j].0, i, columns[j].1));
    let right = Mat::from_fn(signal.len(), 1, |i, _| signal[i]);
    let x = basis.col_piv_qr().solve_lstsq(&right);
    let fit = &basis * &x;
    let squares = |of: &dyn Fn(usize) -> f64| (0..signal.len()).map(|i| of(i) * of(i)).sum::<f64>();
    let left = squares(&|i| signal[i] - fit[(i, 0)]);
    let part = |k: usize| {
        let own: Vec<usize> = (0..columns.len()).filter(|j| columns[*j].0 == k).collect();
        let size = own.iter().map(|j| x[(*j, 0)] * x[(*j, 0)]).sum::<f64>().sqrt();
        let amplitude = size * (-rates[k][0].max(0.0) * last).exp();
        let energy = squares(&|i| own.iter().map(|j| basis[(i, *j)] * x[(*j, 0)]).sum());
        Part { amplitude, energy }
    };
    let parts = (0..rates.len()).map(part).collect();
    (parts, (left / squares(&|i| signal[i])).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(count: usize, interval: f64, value: impl Fn(f64) -> f64) -> Vec<f64> {
        (0..count).map(|i| value(interval * i as f64)).collect()
    }

    /// `a e^{-ζωt} cos(ω√(1-ζ²) t - 0.4)`.
    fn decay(hertz: f64, zeta: f64, amplitude: f64) -> impl Fn(f64) -> f64 {
        let omega = TAU * hertz;
        move |t| amplitude * (-zeta * omega * t).exp() * (omega * (1.0 - zeta * zeta).sqrt() * t - 0.4).cos()
    }

    fn close(found: &Ringing, [hertz, zeta, amplitude]: [f64; 3], tolerance: f64) {
        let good = (found.frequency / hertz - 1.0).abs() < tolerance
            && (found.damping_ratio - zeta).abs() < tolerance
            && (found.amplitude / amplitude - 1.0).abs() < 10.0 * tolerance;
        assert!(good, "{found:?} for {hertz} Hz, {zeta}, {amplitude}");
    }

    /// Exact curves give back what they were made from, whether there are four samples per period or four hundred.
    #[test]
    fn one_decay_about_an_offset() {
        for (count, interval) in [(200, 0.1), (500, 0.01), (4096, 0.001)] {
            for zeta in [0.0, 0.005, 0.1, -0.01] {
                let one = decay(2.0, zeta, 0.03);
                let found = ringing(&sampled(count, interval, |t| 0.2 + one(t)), interval).unwrap();
                close(&found[0], [2.0, zeta, 0.03], 1e-5);
            }
        }
    }

    /// Two vibrations a twelfth apart over half a beat: a spectrum has one line for both.
    #[test]
    fn close_frequencies_are_told_apart() {
        let (one, other) = (decay(0.04486, 0.0, 0.08), decay(0.04878, 0.01, 0.05));
        let found = ringing(&sampled(520, 0.25, |t| one(t) + other(t)), 0.25).unwrap();
        close(&found[0], [0.04486, 0.0, 0.08], 1e-4);
        close(&found[1], [0.04878, 0.01, 0.05], 1e-4);
    }

    /// Slow settling, fast vibration and rounding beside it.
    #[test]
    fn parts_that_do_not_swing_are_left_out() {
        let one = decay(3.0, 0.02, 1e-3);
        let settling = |t: f64| 0.1 * (-2.0 * t).exp() + 0.4 + one(t) + 1e-8 * (1e5 * t * t).sin();
        let found = ringing(&sampled(1000, 0.005, settling), 0.005).unwrap();
        close(&found[0], [3.0, 0.02, 1e-3], 1e-3);
    }

    #[test]
    fn what_cannot_be_told_is_said_plainly() {
        let of = |count, value: &dyn Fn(f64) -> f64| ringing(&sampled(count, 0.01, value), 0.01).unwrap_err();
        assert_eq!(of(10, &|t| t.sin()), NoRinging::TooFewSamples);
        assert_eq!(of(100, &|_| f64::NAN), NoRinging::TooFewSamples);
        assert_eq!(of(100, &|_| 3.0), NoRinging::Still);
        assert_eq!(of(300, &|t| (-t).exp()), NoRinging::NoPeriod);
        assert_eq!(of(100, &|t| (2.0 * t).cos()), NoRinging::NoPeriod);
        // Noise: numbers of a linear congruential generator.
        let mut seed = 7_u64;
        let noise: Vec<f64> = (0..400)
            .map(|_| {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
            })
            .collect();
        assert_eq!(ringing(&noise, 0.01).unwrap_err(), NoRinging::Irregular);
    }

    /// Parseval: a line of amplitude `a` has the power `(n a/4)²` at its own frequency.
    #[test]
    fn power_is_at_the_frequency() {
        let power = power_spectrum(&sampled(128, 1.0 / 128.0, |t| 3.0 * (TAU * 9.0 * t).cos()));
        assert!((power[9].sqrt() - 128.0 * 3.0 / 4.0).abs() < 1e-9, "{}", power[9]);
        assert!(power.iter().enumerate().all(|(k, p)| (8..=10).contains(&k) || *p < 1e-18 * power[9]));
    }
}
