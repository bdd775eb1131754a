//! Frequencies at which a response is worth looking at: evenly on a logarithmic axis, and closely around lightly damped poles, whose peaks
//! would be missed otherwise.

use std::f64::consts::PI;

use crate::{AnalysisError, Complex};

/// Half widths of a resonance at which it is sampled; the peak itself is left out where it is infinite.
const AROUND: [f64; 8] = [0.0, 0.3, 0.7, 1.5, 3.0, 6.0, 12.0, 25.0];
/// Least half width relative to the frequency: an undamped resonance is approached so far.
const LEAST_WIDTH: f64 = 1e-4;
/// Poles slower than this part of the fastest are taken as drift.
const DRIFT: f64 = 1e-7;

/// The range that shows all poles: from a tenth of the lowest frequency to ten times the highest, of a sampled model up to half the sampling
/// rate. One decade on either side of 1 rad/s where there is none.
pub fn natural_range(poles: &[Complex], dt: Option<f64>) -> [f64; 2] {
    let rates: Vec<f64> = poles.iter().map(|pole| rate(*pole, dt)).filter(|rate| rate.is_finite()).collect();
    let fastest = rates.iter().copied().fold(0.0, f64::max);
    let moving = rates.iter().copied().filter(|rate| *rate > DRIFT * fastest);
    let slowest = moving.fold(f64::INFINITY, f64::min);
    let [low, high] = if fastest > 0.0 { [0.1 * slowest, 10.0 * fastest] } else { [0.1, 10.0] };
    match dt {
        Some(dt) => [low.min(0.01 * PI / dt), PI / dt],
        None => [low, high],
    }
}

/// About `count` frequencies over a range, rad/s.
///
/// # Errors
/// [`AnalysisError::Frequencies`] for a range that is empty, not positive or not finite.
pub fn frequency_grid(
    poles: &[Complex],
    dt: Option<f64>,
    range: [f64; 2],
    count: usize,
) -> Result<Vec<f64>, AnalysisError> {
    let [from, to] = range;
    if !(from > 0.0 && to > from && to.is_finite()) {
        return Err(AnalysisError::Frequencies { range });
    }
    let steps = count.max(2) - 1;
    let mut all: Vec<f64> = (0..=steps).map(|i| from * (to / from).powf(i as f64 / steps as f64)).collect();
    all[steps] = to;
    for pole in poles.iter().filter(|pole| pole.im > 0.0) {
        let s = continuous(*pole, dt);
        let (omega, width) = (s.im, s.re.abs().max(LEAST_WIDTH * s.im));
        let damped = s.re.abs() > LEAST_WIDTH * s.im;
        for around in AROUND.iter().filter(|around| damped || **around > 0.0) {
            all.extend([omega - around * width, omega + around * width]);
        }
    }
    all.retain(|omega| *omega >= from && *omega <= to);
    all.sort_by(f64::total_cmp);
    all.dedup();
    Ok(all)
}

/// A pole of a sampled model in continuous time.
fn continuous(pole: Complex, dt: Option<f64>) -> Complex {
    match dt {
        Some(dt) => Complex::new(pole.abs().ln() / dt, pole.arg() / dt),
        None => pole,
    }
}

fn rate(pole: Complex, dt: Option<f64>) -> f64 {
    continuous(pole, dt).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_are_sampled_and_ranges_obeyed() {
        let poles = [Complex::new(0.0, 0.0), Complex::new(-0.01, 7.0), Complex::new(-0.01, -7.0)];
        let range = natural_range(&poles, None);
        assert!((range[0] - 0.7).abs() < 1e-3 && (range[1] - 70.0).abs() < 1e-3, "{range:?}");
        let grid = frequency_grid(&poles, None, range, 50).unwrap();
        assert_eq!((grid[0], grid[grid.len() - 1]), (range[0], range[1]));
        assert!(grid.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(grid.contains(&7.0) && grid.iter().filter(|w| (**w - 7.0).abs() < 0.05).count() > 8);
        for range in [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [1.0, f64::INFINITY], [f64::NAN, 1.0]] {
            assert!(frequency_grid(&poles, None, range, 50).is_err());
        }
        // z = exp(s dt).
        let (dt, s) = (0.1, Complex::new(-0.01, 7.0));
        let z = Complex::new((s.re * dt).exp() * (s.im * dt).cos(), (s.re * dt).exp() * (s.im * dt).sin());
        let sampled = frequency_grid(&[z], Some(dt), natural_range(&[z], Some(dt)), 20).unwrap();
        assert!(sampled.iter().any(|omega| (omega - 7.0).abs() < 1e-12));
        assert_eq!(sampled[sampled.len() - 1], PI / dt);
    }
}
