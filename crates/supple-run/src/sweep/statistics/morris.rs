//! Elementary effects: M. D. Morris, Technometrics 33 (1991) 161-174; mean of magnitudes: F. Campolongo, J. Cariboni and A. Saltelli, Environ. Model.
//! Softw. 22 (2007) 1509-1518.

use serde::Serialize;

use super::Estimate;
use super::bootstrap::bounds;

/// Effects of one value: the change of the output per range of the value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MorrisEffect {
    /// Mean of the effects.
    pub mu: f64,
    /// Mean of their magnitudes: how much the value matters.
    pub mu_star: Estimate,
    /// Their standard deviation: whether the effect depends on where it is, by curvature or by other values.
    pub sigma: f64,
    /// How many effects there are.
    pub count: usize,
}

/// Effects of each of `values` values. `positions` has the values of each run in units of their ranges, in trajectories of one run more than values;
/// `outputs` what came of it, NaN where nothing did.
pub fn morris_effects(values: usize, positions: &[Vec<f64>], outputs: &[f64]) -> Vec<MorrisEffect> {
    let mut effects = vec![Vec::new(); values];
    for (points, outputs) in positions.chunks_exact(values + 1).zip(outputs.chunks_exact(values + 1)) {
        for (ends, y) in points.windows(2).zip(outputs.windows(2)) {
            let Some(moved) = (0..values).find(|i| ends[0][*i] != ends[1][*i]) else { continue };
            let effect = (y[1] - y[0]) / (ends[1][moved] - ends[0][moved]);
            if effect.is_finite() {
                effects[moved].push(effect);
            }
        }
    }
    effects.iter().map(|effects| summary(effects)).collect()
}

fn summary(effects: &[f64]) -> MorrisEffect {
    let count = effects.len() as f64;
    let mu = effects.iter().sum::<f64>() / count;
    let sigma = (effects.iter().map(|e| (e - mu) * (e - mu)).sum::<f64>() / (count - 1.0)).sqrt();
    let magnitude = |chosen: &[usize]| [chosen.iter().map(|i| effects[*i].abs()).sum::<f64>() / count];
    let [[low, high]] = bounds(effects.len(), magnitude);
    let value = effects.iter().map(|e| e.abs()).sum::<f64>() / count;
    MorrisEffect { mu, mu_star: Estimate { value, low, high }, sigma, count: effects.len() }
}

#[cfg(test)]
mod tests {
    use super::super::close;
    use super::*;

    /// `SALib.analyze.morris.analyze` of SALib 1.6.0 on trajectories of `SALib.sample.morris.sample(problem, 4, num_levels=4, seed=1)`, of
    /// `x² + 3 x y`.
    #[test]
    fn effects_are_those_of_salib() {
        let (third, two) = (0.33333333333333337, 0.6666666666666666);
        let positions: Vec<Vec<f64>> = [
            [third, 0.0],
            [1.0, 0.0],
            [1.0, two],
            [0.0, 0.0],
            [0.0, two],
            [two, two],
            [1.0, two],
            [1.0, 0.0],
            [third, 0.0],
            [0.0, 0.0],
            [0.0, two],
            [two, two],
        ]
        .map(|point| point.to_vec())
        .to_vec();
        let outputs: Vec<f64> = positions.iter().map(|p| p[0] * p[0] + 3.0 * p[0] * p[1]).collect();
        let found = morris_effects(2, &positions, &outputs);
        for (found, [mu, mu_star, sigma]) in
            found.iter().zip([[2.0, 2.0, 0.769800358919501], [1.5, 1.5, 1.7320508075688772]])
        {
            close(found.mu, mu, 1e-14);
            close(found.mu_star.value, mu_star, 1e-14);
            close(found.sigma, sigma, 1e-14);
        }
        // A run that failed takes its effects with it and no others.
        let mut holed = outputs;
        holed[1] = f64::NAN;
        let found = morris_effects(2, &positions, &holed);
        assert_eq!((found[0].count, found[1].count), (3, 3));
    }
}
