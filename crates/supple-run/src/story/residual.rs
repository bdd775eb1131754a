//! What a deflection does after the motion: along the direction in which it moves most.

use supple_io::results::{Residual, VibrationStory};
use supple_linear::ringing;

/// Part of the peak deflection within which it has settled.
const BAND: f64 = 0.05;
/// Part of the greatest deflection of the run below which motion is rounding.
const STILL: f64 = 1e-9;
/// Damping ratio beyond which an oscillation is over within a swing.
const OVERDAMPED: f64 = 0.3;
/// Vibrations that are told, with at least this part of the energy of the first.
const MOST_TOLD: usize = 4;
const LEAST_ENERGY: f64 = 1e-3;

/// Of the rows after the end of the motion, at equal intervals, from the first to the last time.
pub fn of(rows: &[[f64; 3]], (span, interval): ([f64; 2], f64), end: f64, peak: f64) -> Residual {
    let along = direction(rows);
    let signal: Vec<f64> = rows.iter().map(|u| (0..3).map(|i| u[i] * along[i]).sum()).collect();
    let (least, most) = signal.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
    let amplitude = 0.5 * (most - least);
    let last = signal.len() - (signal.len() / 4).max(1);
    let rest = signal[last..].iter().sum::<f64>() / (signal.len() - last) as f64;
    let outside = signal.iter().rposition(|x| (x - rest).abs() > BAND * peak);
    // Whoever leaves the band in the last quarter has not settled.
    let settling_time = match outside {
        None => Some(0.0),
        Some(i) if i >= last => None,
        Some(i) => Some((span[0] + interval * (i + 1) as f64 - end).max(0.0)),
    };
    let found = if amplitude <= STILL * peak { Ok(Vec::new()) } else { ringing(&signal, interval) };
    let mut residual = Residual { span, amplitude, vibrations: Vec::new(), not_told: None, settling_time };
    match found {
        Ok(all) => {
            let least = all.first().map_or(0.0, |first| LEAST_ENERGY * first.energy);
            let mut told: Vec<_> = all.iter().filter(|one| one.energy >= least).collect();
            // What is over within a swing is settling: it comes last.
            told.sort_by_key(|one| one.damping_ratio > OVERDAMPED);
            residual.vibrations = told
                .into_iter()
                .take(MOST_TOLD)
                .map(|one| VibrationStory {
                    frequency: one.frequency,
                    damping_ratio: one.damping_ratio,
                    amplitude: one.amplitude,
                })
                .collect();
        }
        Err(why) => residual.not_told = Some(why.to_string()),
    }
    residual
}

/// The direction of the greatest variance: the eigenvector of the covariance, by powers.
fn direction(rows: &[[f64; 3]]) -> [f64; 3] {
    let mean: [f64; 3] = std::array::from_fn(|i| rows.iter().map(|u| u[i]).sum::<f64>() / rows.len() as f64);
    let covariance = |i: usize, j: usize| rows.iter().map(|u| (u[i] - mean[i]) * (u[j] - mean[j])).sum::<f64>();
    let c: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| covariance(i, j)));
    let greatest = (0..3).max_by(|a, b| c[*a][*a].total_cmp(&c[*b][*b])).unwrap_or(0);
    let mut v: [f64; 3] = std::array::from_fn(|i| c[i][greatest]);
    for _ in 0..200 {
        let next: [f64; 3] = std::array::from_fn(|i| (0..3).map(|j| c[i][j] * v[j]).sum());
        let size = next.iter().map(|x| x * x).sum::<f64>().sqrt();
        if size == 0.0 || !size.is_finite() {
            return std::array::from_fn(|i| if i == greatest { 1.0 } else { 0.0 });
        }
        v = next.map(|x| x / size);
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// A vibration along a slanted line about a sagging place, signed: its frequency is not doubled, its damping and settling time are those of the curve.
    #[test]
    fn a_vibration_about_a_sagging_place() {
        let (hertz, zeta, amplitude) = (2.0, 0.02, 3e-3);
        let value = |t: f64| amplitude * (-zeta * TAU * hertz * t).exp() * (TAU * hertz * t).cos();
        let rows: Vec<[f64; 3]> =
            (0..2000).map(|i| value(0.01 * f64::from(i))).map(|x| [0.0, 0.6 * x - 0.1, 0.8 * x]).collect();
        let found = of(&rows, ([5.0, 24.99], 0.01), 5.0, 6e-3);
        let first = found.vibrations[0];
        assert!(
            (first.frequency - hertz).abs() < 1e-3 * hertz && (first.damping_ratio - zeta).abs() < 1e-4,
            "{first:?}"
        );
        assert!((first.amplitude / amplitude - 1.0).abs() < 1e-2 && (found.amplitude / amplitude - 1.0).abs() < 0.1);
        // e^{-ζωt} = 0.05 · 6/3 at t = ln 10/(ζω); within a period of it.
        let settled = 10.0_f64.ln() / (zeta * TAU * hertz);
        assert!((found.settling_time.unwrap() - settled).abs() < 1.0 / hertz, "{:?}", found.settling_time);
    }

    #[test]
    fn what_does_not_settle_or_swing_is_said() {
        let swinging: Vec<[f64; 3]> = (0..400).map(|i| [0.0, (0.1 * f64::from(i)).sin(), 0.0]).collect();
        assert_eq!(of(&swinging, ([0.0, 39.9], 0.1), 0.0, 1.0).settling_time, None);
        let still = vec![[0.1, 0.0, 0.0]; 400];
        let found = of(&still, ([0.0, 39.9], 0.1), 0.0, 1.0);
        assert!(found.vibrations.is_empty() && found.not_told.is_none() && found.settling_time == Some(0.0));
        let few = vec![[0.1, 0.0, 0.0], [0.2, 0.0, 0.0]];
        assert_eq!(of(&few, ([0.0, 0.1], 0.1), 0.0, 1.0).not_told.as_deref(), Some("too few rows"));
    }
}
