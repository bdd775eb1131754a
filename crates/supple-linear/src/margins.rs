//! Margins of a loop: how far gain, phase and delay may be off before it is no longer stable.

use std::f64::consts::{PI, TAU};

use crate::loops::close_loops;
use crate::{AnalysisError, Complex, FrequencyResponse, StateSpace, frequency_grid, natural_range, poles};

/// Frequencies at which a loop is looked at, before crossings are located between them.
const GRID: usize = 2000;
/// Bisections of a crossing.
const BISECTIONS: usize = 80;

/// Margins of one loop, all others closed. What is infinite, or does not exist, is `f64::INFINITY`.
#[derive(Clone, Debug, PartialEq)]
pub struct Margins {
    /// Name of the input at which the loop is broken.
    pub input: String,
    /// Whether the closed loop is stable; the margins of one that is not say nothing.
    pub stable: bool,
    /// Factor by which the gain may grow.
    pub gain: f64,
    /// Factor to which the gain may fall, below one; zero where it may vanish.
    pub gain_reduction: f64,
    /// Phase that may be lost, rad.
    pub phase: f64,
    /// Delay that may be added, s.
    pub delay: f64,
    /// Least distance of the loop from -1: the reciprocal of the peak of the sensitivity.
    pub modulus: f64,
    /// Frequencies at which the gain is one, rad/s.
    pub crossovers: Vec<f64>,
}

/// Margins at each input of a loop with negative feedback, as [`open_loop`](crate::open_loop) gives it.
///
/// # Errors
/// A loop that has not as many outputs as inputs, or matrices that are not finite.
pub fn margins(system: &StateSpace) -> Result<Vec<Margins>, AnalysisError> {
    let closed = poles(&close_loops(system, &[])?)?;
    let stable = closed.iter().all(|pole| if system.dt.is_some() { pole.abs() < 1.0 } else { pole.re < 0.0 });
    (0..system.inputs.len()).map(|i| of_one(&close_loops(system, &[i])?, &closed, stable)).collect()
}

fn of_one(one: &StateSpace, closed: &[Complex], stable: bool) -> Result<Margins, AnalysisError> {
    let own = poles(one)?;
    let around: Vec<Complex> = own.iter().chain(closed).copied().collect();
    let [low, high] = natural_range(&around, one.dt);
    let mut grid = frequency_grid(&around, one.dt, [1e-2 * low, high], GRID)?;
    if one.dt.is_none() {
        grid.push(10.0 * high);
    }
    let response = FrequencyResponse::new(one)?;
    let at = |omega: f64| response.at(omega).ok().map(|found| found.gain(0, 0));
    let points: Vec<(f64, Complex)> = grid.iter().filter_map(|omega| Some((*omega, at(*omega)?))).collect();
    let mut out = Margins {
        input: one.inputs.first().map(|signal| signal.name.clone()).unwrap_or_default(),
        stable,
        gain: f64::INFINITY,
        gain_reduction: 0.0,
        phase: f64::INFINITY,
        delay: f64::INFINITY,
        modulus: points.iter().map(|(_, g)| (g.re + 1.0).hypot(g.im)).fold(f64::INFINITY, f64::min),
        crossovers: Vec::new(),
    };
    for pair in points.windows(2) {
        let [(w1, g1), (w2, g2)] = [pair[0], pair[1]];
        if let Some((omega, g)) = crossing([w1, w2], [g1, g2], &at, |g| g.abs() - 1.0) {
            // Phase above -π, as a loss that a delay brings.
            let lag = (g.arg() + PI).rem_euclid(TAU);
            out.phase = out.phase.min(lag.min(TAU - lag));
            out.delay = out.delay.min(lag / omega);
            out.crossovers.push(omega);
        }
        if g1.re.min(g2.re) < 0.0
            && let Some((_, g)) = crossing([w1, w2], [g1, g2], &at, |g| g.im)
            && g.re < 0.0
        {
            let factor = -1.0 / g.re;
            if factor > 1.0 {
                out.gain = out.gain.min(factor);
            } else {
                out.gain_reduction = out.gain_reduction.max(factor);
            }
        }
    }
    // The end of a sampled loop, where the response is real.
    if let (Some(dt), Some(g)) = (one.dt, one.dt.and_then(|dt| at(PI / dt))) {
        debug_assert!(dt > 0.0);
        if g.re < -1e-300 && -1.0 / g.re > 1.0 {
            out.gain = out.gain.min(-1.0 / g.re);
        }
    }
    Ok(out)
}

/// Where a function of the response changes its sign between two frequencies.
fn crossing(
    [mut low, mut high]: [f64; 2],
    [first, last]: [Complex; 2],
    at: &impl Fn(f64) -> Option<Complex>,
    value: impl Fn(Complex) -> f64,
) -> Option<(f64, Complex)> {
    let sign = value(first) > 0.0;
    if sign == (value(last) > 0.0) {
        return None;
    }
    for _ in 0..BISECTIONS {
        let middle = (low * high).sqrt();
        if middle <= low || middle >= high {
            break;
        }
        let Some(g) = at(middle) else { break };
        if (value(g) > 0.0) == sign { low = middle } else { high = middle }
    }
    let (a, b) = (at(low)?, at(high)?);
    // A jump through a pole is no crossing.
    let near = |a: Complex, b: Complex| (a.re - b.re).hypot(a.im - b.im) < 1e-3 * a.abs().max(b.abs());
    near(a, b).then_some((high, b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::model;

    /// `k / (s (s + 1) (s + 2))`: the gain may grow to 6 / k, at √2 rad/s.
    #[test]
    fn a_textbook_loop_has_its_margins() {
        let third = |k: f64| {
            model(
                &[&[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0], &[0.0, -2.0, -3.0]],
                &[&[0.0], &[0.0], &[1.0]],
                &[&[k, 0.0, 0.0]],
                &[&[0.0]],
            )
        };
        let found = &margins(&third(2.0)).unwrap()[0];
        assert!(found.stable && (found.gain - 3.0).abs() < 1e-9, "{found:?}");
        assert_eq!(found.gain_reduction, 0.0);
        // |G| = 1 at ω² (ω² + 1) (ω² + 4) = 4; its phase by the arguments of the factors.
        let w = found.crossovers[0];
        assert!((w * w * (w * w + 1.0) * (w * w + 4.0) - 4.0).abs() < 1e-9);
        let phase = PI - 0.5 * PI - w.atan() - (0.5 * w).atan();
        assert!((found.phase - phase).abs() < 1e-9 && (found.delay - phase / w).abs() < 1e-9);
        assert!(!margins(&third(7.0)).unwrap()[0].stable);
    }

    /// Each of two loops without coupling has its own margins; -1 is a least distance away.
    #[test]
    fn loops_are_broken_one_at_a_time() {
        let two = model(
            &[&[-1.0, 0.0], &[0.0, 1.0]],
            &[&[1.0, 0.0], &[0.0, 1.0]],
            &[&[5.0, 0.0], &[0.0, 4.0]],
            &[&[0.0; 2], &[0.0; 2]],
        );
        let found = margins(&two).unwrap();
        assert_eq!(found[0].gain, f64::INFINITY);
        assert!((found[0].crossovers[0] - 24.0_f64.sqrt()).abs() < 1e-9);
        // 4 / (s - 1) must not fall below one; it meets the real axis at ω = 0 only.
        assert!(found[1].stable && (found[1].crossovers[0] - 15.0_f64.sqrt()).abs() < 1e-9);
        assert!((found[1].modulus - 1.0).abs() < 1e-3);
    }
}
