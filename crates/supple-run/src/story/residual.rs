//! What a deflection does after the motion: along the direction in which it moves most. Where a hinge turns on, what repeats with every turn is its doing; only the rest can be a
//! free vibration.

use std::f64::consts::TAU;
use supple_io::results::{PeriodicStory, Residual, VibrationStory};
use supple_linear::{Harmonics, NoHarmonics, NoRinging, Ringing, harmonics, is_harmonic, ringing};

use super::commands::Turning;

/// Part of the peak deflection within which it has settled.
const BAND: f64 = 0.05;
/// Part of the greatest deflection of the run below which motion is rounding.
const STILL: f64 = 1e-9;
/// Damping ratio beyond which an oscillation is over within a swing.
const OVERDAMPED: f64 = 0.3;
/// Vibrations that are told, with at least this part of the energy of the first.
const MOST_TOLD: usize = 4;
const LEAST_ENERGY: f64 = 1e-3;

/// What repeats with a turn counts from this part of the deflection after the motion on, and of its mean square at the end; below the third part of the deflection the rest is no vibration.
const REPEATS: f64 = 0.05;
const EXPLAINED: f64 = 0.5;
const LEFT: f64 = 0.02;
/// Decay over the record, as exponent, below which a line lasts, and its distance from a harmonic in parts of a period per record.
const LASTING: f64 = 3.0;
const WIDTH: f64 = 0.25;
/// Turns from which on lines are compared with harmonics that the rows do not resolve.
const MANY_TURNS: f64 = 10.0;
/// Harmonics of the turning within which a response may be forced, where there are too few turns to tell.
const FORCED: f64 = 10.0;

/// Rows after the end of the motion, at equal intervals.
pub struct After<'r> {
    /// Deflections.
    pub rows: &'r [[f64; 3]],
    /// From the first to the last time.
    pub span: [f64; 2],
    pub interval: f64,
    /// When the motion ended.
    pub end: f64,
    /// What turns on.
    pub turning: Option<&'r Turning>,
}

/// What they tell, in a run whose greatest deflection is `peak`.
pub fn of(after: &After<'_>, peak: f64) -> Residual {
    let After { rows, span, interval, end, turning } = *after;
    let along = direction(rows);
    let signal: Vec<f64> = rows.iter().map(|u| (0..3).map(|i| u[i] * along[i]).sum()).collect();
    let amplitude = half_range(&signal);
    let still = amplitude <= STILL * peak;
    let turning = turning.filter(|_| !still).map(|turning| (turning, harmonics(&signal, interval, turning.rate)));
    let (repeats, unresolved) = match turning {
        Some((turning, Ok(found))) => {
            let forced = found.half_range > REPEATS * amplitude && found.explained > EXPLAINED;
            (forced.then_some((turning, found)), None)
        }
        Some((turning, Err(why))) => (None, Some((turning, why))),
        None => (None, None),
    };
    let (free, rest, periodic) = match repeats {
        Some((turning, found)) => {
            let periodic = periodic(turning, &found, interval);
            (found.rest, 0.0, Some(periodic))
        }
        None => {
            let last = signal.len() - (signal.len() / 4).max(1);
            let rest = signal[last..].iter().sum::<f64>() / (signal.len() - last) as f64;
            (signal, rest, None)
        }
    };
    let last = free.len() - (free.len() / 4).max(1);
    let outside = free.iter().rposition(|x| (x - rest).abs() > BAND * peak);
    // Whoever leaves the band in the last quarter has not settled.
    let settling_time = match outside {
        None => Some(0.0),
        Some(i) if i >= last => None,
        Some(i) => Some((span[0] + interval * (i + 1) as f64 - end).max(0.0)),
    };
    let nothing_left = periodic.is_some() && half_range(&free) <= LEFT * amplitude;
    let found = if still || nothing_left { Ok(Vec::new()) } else { ringing(&free, interval) };
    let (mut vibrations, mut not_told) = told(found);
    // What turns with the hinge and lasts is forced as well, where the rows do not resolve it.
    let seconds = span[1] - span[0];
    let lasts = |one: &VibrationStory| (one.damping_ratio * one.frequency).abs() * TAU * seconds < LASTING;
    let turns = |one: &VibrationStory, rate: f64, resolved| {
        is_harmonic(one.frequency, interval, (rate, resolved), WIDTH / seconds)
    };
    match (&periodic, unresolved) {
        // In few turns harmonics are so close that any line would be near one.
        (Some(periodic), _) if seconds * periodic.rate.abs() > MANY_TURNS * TAU => {
            vibrations.retain(|one| !(lasts(one) && turns(one, periodic.rate, periodic.harmonics.len())));
        }
        (_, Some((Turning { hinge, rate }, NoHarmonics::TooFewTurns))) => {
            vibrations.retain(|one| one.frequency * TAU > FORCED * rate.abs());
            if vibrations.is_empty() {
                let why = "and these rows have too few turns to tell what it forces from a free vibration";
                not_told = Some(format!("{hinge} goes on turning, {why}"));
            }
        }
        _ => {}
    }
    Residual { span, amplitude, vibrations, not_told, periodic, settling_time }
}

/// The oscillations that are told, or why there are none.
fn told(found: Result<Vec<Ringing>, NoRinging>) -> (Vec<VibrationStory>, Option<String>) {
    let all = match found {
        Ok(all) => all,
        Err(why) => return (Vec::new(), Some(why.to_string())),
    };
    let least = all.first().map_or(0.0, |first| LEAST_ENERGY * first.energy);
    let mut told: Vec<_> = all.iter().filter(|one| one.energy >= least).collect();
    // What is over within a swing is settling: it comes last.
    told.sort_by_key(|one| one.damping_ratio > OVERDAMPED);
    let story = |one: &Ringing| VibrationStory {
        frequency: one.frequency,
        damping_ratio: one.damping_ratio,
        amplitude: one.amplitude,
    };
    (told.into_iter().take(MOST_TOLD).map(story).collect(), None)
}

fn periodic(turning: &Turning, found: &Harmonics, interval: f64) -> PeriodicStory {
    let turn = (TAU / (turning.rate.abs() * interval)).ceil() as usize;
    let from = found.rest.len().saturating_sub(turn);
    PeriodicStory {
        hinge: turning.hinge.clone(),
        rate: turning.rate,
        amplitude: found.half_range,
        harmonics: found.amplitudes.clone(),
        rest: half_range(&found.rest[from..]),
    }
}

/// Half of the way from one extreme to the other.
fn half_range(signal: &[f64]) -> f64 {
    let (least, most) = signal.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
    0.5 * (most - least)
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

    fn free(rows: &[[f64; 3]], span: [f64; 2], interval: f64, peak: f64) -> Residual {
        of(&After { rows, span, interval, end: span[0], turning: None }, peak)
    }

    /// A crank that turns on bends a rod along with it: harmonics of the turning, without damping; only what decays besides is a vibration.
    #[test]
    fn a_turning_crank_forces_what_repeats() {
        let (rate, hertz, zeta) = (25.0, 17.3, 0.02);
        let ring = |t: f64| 4e-4 * (-zeta * TAU * hertz * t).exp() * (TAU * hertz * t).cos();
        let forced = |t: f64| 1e-3 * (rate * t).sin() + 3e-4 * (2.0 * rate * t).cos();
        let rows: Vec<[f64; 3]> =
            (0..2500).map(|i| 0.004 * f64::from(i)).map(|t| [0.0, forced(t) + ring(t), 0.0]).collect();
        let turning = Turning { hinge: "motor".into(), rate };
        let after = After { rows: &rows, span: [2.0, 11.996], interval: 0.004, end: 2.0, turning: Some(&turning) };
        let found = of(&after, 1.7e-3);
        let periodic = found.periodic.as_ref().unwrap();
        assert!(
            (periodic.harmonics[0] - 1e-3).abs() < 1e-6 && (periodic.harmonics[1] - 3e-4).abs() < 1e-6,
            "{periodic:?}"
        );
        assert!(periodic.rest < 1e-6 && periodic.harmonics[2..].iter().all(|size| *size < 1e-6), "{periodic:?}");
        let [only] = found.vibrations[..] else { panic!("{found:?}") };
        assert!((only.frequency / hertz - 1.0).abs() < 1e-3 && (only.damping_ratio - zeta).abs() < 1e-3, "{only:?}");
        assert!(found.settling_time.is_some_and(|time| time > 0.5 && time < 2.0), "{found:?}");
        // Something that turns does not make a free vibration its own.
        let rows: Vec<[f64; 3]> = (0..2500).map(|i| [0.0, ring(0.001 * f64::from(i)), 0.0]).collect();
        let after = After { rows: &rows, span: [0.0, 2.499], interval: 0.001, end: 0.0, turning: Some(&turning) };
        let found = of(&after, 4e-4);
        assert!(found.periodic.is_none() && (found.vibrations[0].damping_ratio - zeta).abs() < 1e-3, "{found:?}");
    }

    /// A wheel that turns faster than the rows resolve does not hide a free vibration.
    #[test]
    fn a_fast_wheel_hides_no_vibration() {
        let (hertz, zeta) = (0.5, 0.01);
        let ring = |t: f64| 4e-3 * (-zeta * TAU * hertz * t).exp() * (TAU * hertz * t).cos();
        let rows: Vec<[f64; 3]> = (0..1500).map(|i| [0.0, ring(0.02 * f64::from(i)), 0.0]).collect();
        let turning = Turning { hinge: "wheel".into(), rate: 314.0 };
        let after = After { rows: &rows, span: [5.0, 34.98], interval: 0.02, end: 5.0, turning: Some(&turning) };
        let found = of(&after, 5e-3);
        let [only] = found.vibrations[..] else { panic!("{found:?}") };
        assert!((only.frequency / hertz - 1.0).abs() < 1e-3 && (only.damping_ratio - zeta).abs() < 1e-3, "{only:?}");
    }

    /// In one turn, what the turning forces cannot be told from a slow vibration; a fast one can.
    #[test]
    fn a_single_turn_is_no_vibration() {
        let (rate, hertz, zeta) = (1.2, 9.0, 0.02);
        let forced = |t: f64| 1e-3 * (rate * t).sin() + 3e-4 * (2.0 * rate * t).cos();
        let turning = Turning { hinge: "motor".into(), rate };
        let told = |signal: &dyn Fn(f64) -> f64| {
            let rows: Vec<[f64; 3]> = (0..600).map(|i| [0.0, signal(0.01 * f64::from(i)), 0.0]).collect();
            of(&After { rows: &rows, span: [1.0, 6.99], interval: 0.01, end: 1.0, turning: Some(&turning) }, 1.3e-3)
        };
        let found = told(&forced);
        assert!(found.vibrations.is_empty() && found.periodic.is_none(), "{found:?}");
        assert!(found.not_told.as_deref().is_some_and(|why| why.contains("motor goes on turning")), "{found:?}");
        let ring = |t: f64| 4e-4 * (-zeta * TAU * hertz * t).exp() * (TAU * hertz * t).cos();
        let found = told(&|t| forced(t) + ring(t));
        let [only] = found.vibrations[..] else { panic!("{found:?}") };
        assert!((only.frequency / hertz - 1.0).abs() < 1e-3 && (only.damping_ratio - zeta).abs() < 1e-3, "{only:?}");
    }

    /// A vibration along a slanted line about a sagging place, signed: its frequency is not doubled, its damping and settling time are those of the curve.
    #[test]
    fn a_vibration_about_a_sagging_place() {
        let (hertz, zeta, amplitude) = (2.0, 0.02, 3e-3);
        let value = |t: f64| amplitude * (-zeta * TAU * hertz * t).exp() * (TAU * hertz * t).cos();
        let rows: Vec<[f64; 3]> =
            (0..2000).map(|i| value(0.01 * f64::from(i))).map(|x| [0.0, 0.6 * x - 0.1, 0.8 * x]).collect();
        let found = free(&rows, [5.0, 24.99], 0.01, 6e-3);
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
        assert_eq!(free(&swinging, [0.0, 39.9], 0.1, 1.0).settling_time, None);
        let still = vec![[0.1, 0.0, 0.0]; 400];
        let found = free(&still, [0.0, 39.9], 0.1, 1.0);
        assert!(found.vibrations.is_empty() && found.not_told.is_none() && found.settling_time == Some(0.0));
        let few = vec![[0.1, 0.0, 0.0], [0.2, 0.0, 0.0]];
        assert_eq!(free(&few, [0.0, 0.1], 0.1, 1.0).not_told.as_deref(), Some("too few rows"));
    }
}
