//! What a fit is worth: covariance, bounds, combinations that the measurements do not determine, whiteness of what is left over.
//!
//! With residuals `r` in units of their noise, their Jacobian `J` and `n - p` degrees of freedom, the residual variance is `s² = |r|² / (n - p)` and the
//! covariance of the parameters `C = s² (J* J)⁻¹`. A bound is `t √C_ii`, with Student's `t` of the probability asked for.

use faer::Mat;
use statrs::distribution::{ChiSquared, ContinuousCDF, Normal, StudentsT};

/// Singular values of the Jacobian with columns of unit length, relative to the greatest, below which a combination of parameters counts as not determined:
/// derivatives of motions are known to about eight digits.
const UNDETERMINED: f64 = 1e-7;
/// Part of a combination from which on a parameter is named in it.
const NAMED: f64 = 0.05;
/// Degrees of freedom from which on Student's distribution is nearly normal.
const LARGE: f64 = 1e4;
/// Most lags of the test for whiteness.
const LAGS: usize = 20;

/// Covariance and what goes with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// Residual variance, in units of the noise.
    pub variance: f64,
    /// Degrees of freedom: residuals less parameters.
    pub freedom: usize,
    /// Standard deviation of each parameter; infinite where it is not determined, zero where it is held.
    pub deviations: Vec<f64>,
    /// Correlation of the parameters, by rows; zero for those that are held or not determined.
    pub correlation: Vec<Vec<f64>>,
    /// Ratio of the greatest and the least singular value of the Jacobian with columns of unit length.
    pub condition: f64,
    /// Combinations that nothing determines: weights of the parameters that are part of each.
    pub undetermined: Vec<Vec<(usize, f64)>>,
}

/// Student's `t`: a number within `± t` standard deviations with probability `confidence`.
pub fn students_t(confidence: f64, freedom: usize) -> f64 {
    let (share, freedom) = (0.5 + 0.5 * confidence, freedom.max(1) as f64);
    if freedom > LARGE {
        // The inverse of the distribution loses digits there; its expansion about the normal one does not.
        let z = Normal::standard().inverse_cdf(share);
        return z + (z.powi(3) + z) / (4.0 * freedom);
    }
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::NAN, |t| t.inverse_cdf(share))
}

/// The spread of parameters with the Jacobian and residuals at a minimum; those `held` at a bound count as known.
pub fn spread(jacobian: &Mat<f64>, residuals: &[f64], held: &[bool]) -> Spread {
    let count = held.len();
    let free: Vec<usize> = (0..count).filter(|j| !held[*j]).collect();
    let norm = |j: usize| (0..jacobian.nrows()).map(|i| jacobian[(i, j)].powi(2)).sum::<f64>().sqrt();
    let norms: Vec<f64> = free.iter().map(|j| norm(*j)).collect();
    let largest = norms.iter().copied().fold(0.0, f64::max);
    // A column that is zero, or as good as, has no effect at all.
    let acts = |k: usize| norms[k] > 0.0 && norms[k] > 1e-14 * largest;
    let unit =
        Mat::from_fn(
            jacobian.nrows(),
            free.len(),
            |i, k| {
                if acts(k) { jacobian[(i, free[k])] / norms[k] } else { 0.0 }
            },
        );
    let freedom = residuals.len().saturating_sub(free.len());
    let variance = residuals.iter().map(|r| r * r).sum::<f64>() / freedom.max(1) as f64;
    let mut own = Spread {
        variance,
        freedom,
        deviations: vec![0.0; count],
        correlation: vec![vec![0.0; count]; count],
        condition: f64::INFINITY,
        undetermined: Vec::new(),
    };
    let Ok(svd) = unit.qr().thin_R().to_owned().svd() else { return own };
    let (values, vectors) = (svd.S().column_vector(), svd.V());
    let greatest = if free.is_empty() { 1.0 } else { values[0] };
    let determined = |k: usize| values[k] > UNDETERMINED * greatest;
    own.condition = if free.is_empty() { 1.0 } else { greatest / values[free.len() - 1] };
    let mut lost = vec![false; free.len()];
    for k in (0..free.len()).filter(|k| !determined(*k)) {
        let weights: Vec<(usize, f64)> =
            (0..free.len()).map(|j| (j, vectors[(j, k)])).filter(|(_, w)| w.abs() > NAMED).collect();
        weights.iter().for_each(|(j, _)| lost[*j] = true);
        own.undetermined.push(weights.into_iter().map(|(j, w)| (free[j], w)).collect());
    }
    let covariance = |a: usize, b: usize| -> f64 {
        let sum: f64 = (0..free.len())
            .filter(|k| determined(*k))
            .map(|k| vectors[(a, k)] * vectors[(b, k)] / values[k].powi(2))
            .sum();
        variance * sum / (norms[a] * norms[b])
    };
    for a in 0..free.len() {
        own.deviations[free[a]] = if lost[a] || !acts(a) { f64::INFINITY } else { covariance(a, a).sqrt() };
    }
    for (a, b) in (0..free.len()).flat_map(|a| (0..free.len()).map(move |b| (a, b))) {
        if !lost[a] && !lost[b] && acts(a) && acts(b) {
            let both = own.deviations[free[a]] * own.deviations[free[b]];
            own.correlation[free[a]][free[b]] = if both > 0.0 { covariance(a, b) / both } else { f64::from(a == b) };
        }
    }
    own
}

/// How far a series is from white noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Whiteness {
    /// Correlation of neighbours.
    pub neighbours: f64,
    /// Probability that white noise is at least as correlated, by the test of Ljung and Box.
    pub probability: f64,
}

/// Tests a series for whiteness; none where it is too short.
pub fn whiteness(series: &[f64]) -> Option<Whiteness> {
    let n = series.len();
    let lags = LAGS.min(n / 5);
    let mean = series.iter().sum::<f64>() / n as f64;
    let square: f64 = series.iter().map(|x| (x - mean).powi(2)).sum();
    if lags == 0 || square <= 0.0 {
        return None;
    }
    let correlation = |lag: usize| -> f64 {
        series.iter().zip(&series[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>() / square
    };
    let count = n as f64;
    let sum: f64 = (1..=lags).map(|lag| correlation(lag).powi(2) / (count - lag as f64)).sum();
    let chi = ChiSquared::new(lags as f64).ok()?;
    Some(Whiteness { neighbours: correlation(1), probability: 1.0 - chi.cdf(count * (count + 2.0) * sum) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of Student's distribution: 2.776 for four degrees of freedom, 1.960 for many.
    #[test]
    fn students_numbers() {
        assert!((students_t(0.95, 4) - 2.776_445).abs() < 1e-6);
        for (freedom, t) in [(30, 2.042_272), (195, 1.972_204), (1000, 1.962_339), (1_000_000, 1.959_966)] {
            assert!((students_t(0.95, freedom) - t).abs() < 2e-6, "{freedom}: {}", students_t(0.95, freedom));
        }
        assert!((students_t(0.99, 10) - 3.169_273).abs() < 1e-6);
    }

    /// A line through points: the closed forms of slope and intercept.
    #[test]
    fn the_spread_of_a_line() {
        let times = [0.0, 1.0, 2.0, 3.0, 5.0];
        let jacobian = Mat::from_fn(5, 2, |i, j| if j == 0 { 1.0 } else { times[i] });
        let residuals = [0.2, -0.1, 0.3, -0.4, 0.1];
        let found = spread(&jacobian, &residuals, &[false, false]);
        let variance = residuals.iter().map(|r| r * r).sum::<f64>() / 3.0;
        let mean = times.iter().sum::<f64>() / 5.0;
        let stt: f64 = times.iter().map(|t| (t - mean).powi(2)).sum();
        assert!((found.variance - variance).abs() < 1e-14);
        assert!((found.deviations[1] - (variance / stt).sqrt()).abs() < 1e-12);
        assert!((found.deviations[0] - (variance * (0.2 + mean * mean / stt)).sqrt()).abs() < 1e-12);
        let expected = -mean * variance / stt / (found.deviations[0] * found.deviations[1]);
        assert!((found.correlation[0][1] - expected).abs() < 1e-12);
        assert!(found.undetermined.is_empty() && found.freedom == 3);
        // With the intercept held, the slope of a line through a point.
        let held = spread(&jacobian, &residuals, &[true, false]);
        let square: f64 = times.iter().map(|t| t * t).sum();
        let variance = residuals.iter().map(|r| r * r).sum::<f64>() / 4.0;
        assert!((held.deviations[1] - (variance / square).sqrt()).abs() < 1e-12 && held.deviations[0] == 0.0);
    }

    /// Two columns in proportion, one that is zero, one that stands alone.
    #[test]
    fn combinations_that_nothing_determines_are_named() {
        let jacobian = Mat::from_fn(20, 4, |i, j| match j {
            0 => (i as f64).sin(),
            1 => 3.0 * (i as f64).sin(),
            2 => 0.0,
            _ => (2.0 * i as f64).cos(),
        });
        let found = spread(&jacobian, &[0.1; 20], &[false; 4]);
        assert_eq!(found.undetermined.len(), 2);
        assert!((0..3).all(|j| found.deviations[j].is_infinite()) && found.deviations[3].is_finite());
        let pair = found.undetermined.iter().find(|list| list.len() == 2).unwrap();
        assert!(pair.iter().all(|(j, w)| *j < 2 && (w.abs() - 0.5_f64.sqrt()).abs() < 1e-9));
        assert!(found.undetermined.iter().any(|list| list.len() == 1 && list[0].0 == 2));
    }

    #[test]
    fn noise_is_white_and_a_wave_is_not() {
        let mut seed = 1_u64;
        let noise: Vec<f64> = (0..500)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (seed >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
            })
            .collect();
        assert!(whiteness(&noise).unwrap().probability > 0.01);
        let wave: Vec<f64> = noise.iter().enumerate().map(|(i, x)| x + 0.3 * (0.1 * i as f64).sin()).collect();
        let found = whiteness(&wave).unwrap();
        assert!(found.probability < 1e-6 && found.neighbours > 0.1);
        assert_eq!(whiteness(&[1.0, 1.0, 1.0]), None);
    }
}
