//! Controllers whose loops are unstable: told while their outputs grow, and as the cause where the run cannot go on.
//!
//! A loop that is sampled too slowly for its gains changes the sign of its output at every instant, each time larger; noise does not do that for long.

use supple::integrate::{BlockIndex, Simulation};
use supple::model::{Variable, VariableKind};
use supple_io::scenario_file::{ControlBlock, Scenario};

use crate::story::{coordinate_of, measured};

/// Outputs that are looked at together.
const WINDOW: usize = 24;
/// Growth of the output over the window that counts.
const GROWN: f64 = 10.0;

/// Outputs of the blocks that act.
#[derive(Default)]
pub struct LoopWatch {
    acting: Vec<Acting>,
}

/// An output that acts on a hinge.
struct Acting {
    block: usize,
    output: usize,
    told: bool,
    /// The last ones that differ, the latest at the end.
    last: Vec<f64>,
}

impl LoopWatch {
    /// Of a scenario.
    pub fn new(scenario: &Scenario) -> Self {
        let outputs = |(block, told): (usize, &ControlBlock)| {
            let acting = move |output| Acting { block, output, told: false, last: Vec::with_capacity(WINDOW + 1) };
            (0..told.acts.len()).map(acting).collect::<Vec<_>>()
        };
        Self { acting: scenario.blocks.iter().enumerate().flat_map(outputs).collect() }
    }

    /// Looks at the outputs that hold; what is new to tell.
    pub fn observe(&mut self, scenario: &Scenario, run: &Simulation) -> Vec<String> {
        let mut new = Vec::new();
        for acting in &mut self.acting {
            let held = run.block_outputs(BlockIndex(acting.block)).and_then(|outputs| outputs.get(acting.output));
            acting.see(held.copied().unwrap_or_default());
            if !acting.told && acting.swings() {
                acting.told = true;
                new.push(format!("at t = {:.6} s {}", run.state().time, acting.describe(scenario)));
            }
        }
        new
    }

    /// The controller that drives the motion away, in words, where one does: others that answer to it grow as well. One that does not measure the hinge that it drives comes first, then that whose
    /// effort has grown most.
    pub fn cause(&self, scenario: &Scenario) -> Option<String> {
        let growing = self.acting.iter().filter(|acting| acting.swings() || acting.grows());
        let suspect = |acting: &&Acting| acting.elsewhere(scenario).is_some();
        let order =
            |a: &&Acting, b: &&Acting| suspect(a).cmp(&suspect(b)).then(a.growth().abs().total_cmp(&b.growth().abs()));
        growing.max_by(order).map(|culprit| culprit.describe(scenario))
    }
}

impl Acting {
    fn see(&mut self, value: f64) {
        if self.last.last() != Some(&value) {
            self.last.push(value);
        }
        if self.last.len() > WINDOW {
            self.last.remove(0);
        }
    }

    fn growth(&self) -> f64 {
        let [first, .., last] = self.last.as_slice() else { return 0.0 };
        if self.last.len() < WINDOW { 0.0 } else { last.abs() / first.abs().max(f64::MIN_POSITIVE) }
    }

    /// The hinge that it drives and the one that it measures, where these are different.
    fn elsewhere(&self, scenario: &Scenario) -> Option<[String; 2]> {
        let block = &scenario.blocks[self.block];
        let own = coordinate_of(scenario, *block.acts.get(self.output)?)?;
        let other = measured(scenario, block, own).filter(|other| *other != own)?;
        let variables = scenario.model.model.variables();
        let name = |place: usize| {
            let own = |v: &&Variable| v.kind == VariableKind::HingeCoordinate && v.index == place;
            variables.iter().find(own).map(|v| v.name.trim_start_matches("hinge.").to_owned())
        };
        Some([name(own)?, name(other)?])
    }

    /// Whether it goes up and down from instant to instant, each time further.
    fn swings(&self) -> bool {
        let changes = || self.last.windows(2).map(|pair| pair[1] - pair[0]);
        let (Some(first), Some(last)) = (changes().next(), changes().next_back()) else { return false };
        self.last.len() == WINDOW
            && last.abs() > GROWN * first.abs()
            && changes().zip(changes().skip(1)).all(|(one, next)| one * next < 0.0 && next.abs() > one.abs())
    }

    /// Whether it grows by orders of magnitude.
    fn grows(&self) -> bool {
        self.growth() > GROWN * GROWN * GROWN
    }

    fn describe(&self, scenario: &Scenario) -> String {
        let block = &scenario.blocks[self.block];
        let ([first, .., last], name) = (self.last.as_slice(), &block.name) else { return String::new() };
        let rate = 1.0 / block.setting.period;
        if let Some([own, other]) = self.elsewhere(scenario) {
            return format!(
                "the effort of controller `{name}` grows from {first:.3e} to {last:.3e} within {WINDOW} instants: it drives hinge `{own}` and measures \
                 hinge `{other}`; let `measured` be `hinge.{own}`, or design the gains for both"
            );
        }
        match self.swings() {
            true => format!(
                "the effort of controller `{name}` alternates at every sample with growing amplitude, from {first:.3e} to {last:.3e} within {WINDOW} samples: its loop is unstable at `update_rate` {rate} Hz; raise the rate, or lower its gains, first that of the speed"
            ),
            false => format!(
                "the effort of controller `{name}` grows from {first:.3e} to {last:.3e} within {WINDOW} instants: its loop is unstable; \
                 lower its gains, check their signs, or raise its `update_rate` of {rate} Hz"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(value: impl Fn(i32) -> f64) -> Acting {
        let mut acting = Acting { block: 0, output: 0, told: false, last: Vec::new() };
        (0..60).for_each(|k| acting.see(value(k)));
        acting
    }

    /// Alternating growth is an unstable loop; noise, a decay and a slow rise are not.
    #[test]
    fn only_outputs_that_swing_and_grow_are_unstable() {
        assert!(seen(|k| 1e-9 * (-1.3_f64).powi(k)).swings());
        assert!(seen(|k| -132.0 + 1e-9 * (-1.3_f64).powi(k)).swings());
        assert!(!seen(|k| (-0.9_f64).powi(k)).swings());
        assert!(!seen(|k| (-1.0_f64).powi(k) * (1.0 + 0.1 * (7.0 * f64::from(k)).sin())).swings());
        assert!(!seen(|k| (-1.01_f64).powi(k)).swings());
        let rising = seen(|k| 1.4_f64.powi(k));
        assert!(!rising.swings() && rising.grows());
        assert!(!seen(f64::from).grows());
    }
}
