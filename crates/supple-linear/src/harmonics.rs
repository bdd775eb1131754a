//! The part of a recorded curve that repeats with every turn of something that turns steadily: forced, so that it has harmonics and no damping.
//!
//! ```text
//! y(t) = a₀ + Σ_k a_k cos kωt + b_k sin kωt + rest(t)
//! ```
//!
//! by least squares over the end of the record, where free vibrations have decayed most; the rest is known over all of it. Any curve can be fitted over a few turns: what repeats must
//! then also be found in as many turns before.

use faer::Mat;
use faer::linalg::solvers::SolveLstsq;
use std::f64::consts::TAU;

/// Most harmonics, and fewest samples per period of the highest.
const MOST: usize = 24;
const PER_PERIOD: f64 = 2.05;
/// Fewest turns that are fitted, and again that are compared with them; fewest samples per unknown.
const FEWEST_TURNS: f64 = 2.0;
const PER_UNKNOWN: usize = 2;
/// Turns from which on the last half is fitted, which no other curve than one that repeats can then pass for.
const MANY_TURNS: f64 = 40.0;

/// A curve as what repeats with every turn, and what does not.
#[derive(Clone, Debug, PartialEq)]
pub struct Harmonics {
    /// Mean of the turns that were fitted.
    pub mean: f64,
    /// Amplitude of each harmonic, the first that of once per turn.
    pub amplitudes: Vec<f64>,
    /// Half of the way from one extreme to the other within a turn.
    pub half_range: f64,
    /// Part of the mean square about the mean, that repeats: of few turns, in those before the ones that were fitted.
    pub explained: f64,
    /// The curve less mean and harmonics, sample by sample.
    pub rest: Vec<f64>,
}

/// Why a curve cannot be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoHarmonics {
    /// Fewer than four turns, two to fit and two to compare with, or a rate of zero.
    TooFewTurns,
    /// About two samples in a turn or fewer: even the first harmonic is folded.
    TooFewSamples,
}

/// Splits equally spaced samples by turns at a constant rate, rad/s.
///
/// # Errors
/// Too few turns, or too few samples in each.
pub fn harmonics(samples: &[f64], interval: f64, rate: f64) -> Result<Harmonics, NoHarmonics> {
    let per_turn = TAU / (rate.abs() * interval);
    let turns = samples.len() as f64 / per_turn;
    // Whole turns, so that mean and harmonics do not mix.
    let many = turns >= MANY_TURNS;
    let fitted = if many { turns / 2.0 } else { (turns / 3.0).max(FEWEST_TURNS) };
    let window = (fitted.floor() * per_turn).round() as usize;
    if !(per_turn.is_finite() && turns >= 2.0 * FEWEST_TURNS && 2 * window <= samples.len()) {
        return Err(NoHarmonics::TooFewTurns);
    }
    let highest = (per_turn / PER_PERIOD).min(MOST as f64).min((window / (2 * PER_UNKNOWN)) as f64).floor();
    if highest < 1.0 {
        return Err(NoHarmonics::TooFewSamples);
    }
    let count = highest as usize;
    let first = samples.len() - window;
    let shape = |n: usize, j: usize| {
        let angle = |k: usize| (k as f64 * rate.abs() * interval * n as f64) % TAU;
        match j {
            0 => 1.0,
            j if j % 2 == 1 => angle(j.div_ceil(2)).cos(),
            j => angle(j / 2).sin(),
        }
    };
    let unknowns = 2 * count + 1;
    let basis = Mat::from_fn(window, unknowns, |i, j| shape(first + i, j));
    let right = Mat::from_fn(window, 1, |i, _| samples[first + i]);
    let x = basis.col_piv_qr().solve_lstsq(&right);
    let repeats = |n: usize| (1..unknowns).map(|j| x[(j, 0)] * shape(n, j)).sum::<f64>();
    let turn = (per_turn.ceil() as usize).min(samples.len());
    let (least, most) =
        (0..turn).map(repeats).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
    // Of few turns those before: whole ones, so that what repeats has no mean there.
    let compared = if many { first..samples.len() } else { first - window..first };
    let mean = compared.clone().map(|n| samples[n]).sum::<f64>() / window as f64;
    let squares = |of: &dyn Fn(usize) -> f64| compared.clone().map(|n| of(n).powi(2)).sum::<f64>();
    let left = squares(&|n| samples[n] - mean - repeats(n)) / squares(&|n| samples[n] - mean);
    let finite = (0..unknowns).all(|j| x[(j, 0)].is_finite());
    if !finite {
        return Err(NoHarmonics::TooFewSamples);
    }
    Ok(Harmonics {
        mean: x[(0, 0)],
        amplitudes: (1..=count).map(|k| x[(2 * k - 1, 0)].hypot(x[(2 * k, 0)])).collect(),
        half_range: 0.5 * (most - least),
        explained: if left.is_finite() { (1.0 - left).max(0.0) } else { 0.0 },
        rest: samples.iter().enumerate().map(|(n, y)| y - x[(0, 0)] - repeats(n)).collect(),
    })
}

/// Whether a frequency is that of a harmonic above the `resolved` first ones, of turns at a constant rate, rad/s, within `width`, Hz; samples show those beyond half of their own
/// frequency folded below it.
pub fn is_harmonic(frequency: f64, interval: f64, (rate, resolved): (f64, usize), width: f64) -> bool {
    let (turn, sampled) = (rate.abs() / TAU, 1.0 / interval);
    // Higher ones are folded twice.
    let highest = (2.0 * sampled / turn).min(1e4) as usize;
    (resolved + 1..=highest.max(resolved + 1)).any(|k| {
        let seen = (k as f64 * turn) % sampled;
        (seen.min(sampled - seen) - frequency).abs() <= width
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 25 rad/s sampled at 100 Hz: the twelfth harmonic is at 47.7 Hz, the thirteenth, at 51.7 Hz, is seen at 48.3 Hz.
    #[test]
    fn harmonics_are_known_when_they_are_folded() {
        for (frequency, expected) in [(3.979, true), (47.746, true), (48.275, true), (5.5, false), (46.0, false)] {
            assert_eq!(is_harmonic(frequency, 0.01, (25.0, 0), 0.01), expected, "{frequency}");
        }
    }

    /// A free vibration that few turns could be fitted to does not repeat in those before.
    #[test]
    fn free_vibrations_are_not_forced() {
        let ring = |hertz: f64, t: f64| (-0.005 * TAU * hertz * t).exp() * (TAU * hertz * t).sin();
        for hertz in [0.76, 0.83, 0.85, 0.9, 0.93] {
            let samples: Vec<f64> = (0..300).map(|n| ring(hertz, 0.1 * f64::from(n))).collect();
            let found = harmonics(&samples, 0.1, 1.0).unwrap();
            assert!(found.explained < 0.5, "{hertz} Hz: {}", found.explained);
        }
    }

    /// Two harmonics of a turn and a free vibration that decays: each is found in its own part.
    #[test]
    fn what_repeats_and_what_rings() {
        let (rate, interval) = (25.0, 0.004);
        let ring = |t: f64| 0.3 * (-2.0 * t).exp() * (70.0 * t).sin();
        let curve = |t: f64| 0.2 + 1.5 * (rate * t).cos() + 0.4 * (3.0 * rate * t + 1.0).sin() + ring(t);
        let samples: Vec<f64> = (0..2500).map(|n| curve(interval * f64::from(n))).collect();
        let found = harmonics(&samples, interval, rate).unwrap();
        let [one, two, three] = [0, 1, 2].map(|k| found.amplitudes[k]);
        assert!((one - 1.5).abs() < 1e-4 && two < 1e-4 && (three - 0.4).abs() < 1e-4, "{:?}", found.amplitudes);
        assert!(found.explained > 0.999_999, "{}", found.explained);
        assert!((found.mean - 0.2).abs() < 1e-4 && found.half_range > 1.5 && found.half_range < 1.9);
        for (n, rest) in found.rest.iter().enumerate() {
            assert!((rest - ring(interval * n as f64)).abs() < 1e-3, "{n}: {rest}");
        }
    }

    #[test]
    fn a_turn_needs_samples_and_company() {
        let samples: Vec<f64> = (0..400).map(|n| (0.1 * f64::from(n)).sin()).collect();
        assert!(harmonics(&samples, 0.1, 1.0).is_ok());
        assert_eq!(harmonics(&samples[..240], 0.1, 1.0), Err(NoHarmonics::TooFewTurns), "less than four turns");
        assert_eq!(harmonics(&samples, 0.1, 31.0), Err(NoHarmonics::TooFewSamples), "two samples per turn");
        assert_eq!(harmonics(&samples, 0.1, 0.0), Err(NoHarmonics::TooFewTurns));
        assert_eq!(harmonics(&[], 0.1, 1.0), Err(NoHarmonics::TooFewTurns));
    }
}
