//! When the motion ends: the last change of anything that is commanded.

use supple_control::{Signal, Trajectory};
use supple_io::results::quantity;
use supple_io::scenario_file::{Motion, Scenario};

/// Looks within an interval between breaks.
const LOOKS: [f64; 5] = [0.02, 0.26, 0.5, 0.74, 0.98];
/// Changes that count as rounding, relative to the greatest value.
const ROUNDED: f64 = 1e-6;

/// What is commanded as a function of time.
pub struct Commands {
    start: f64,
    /// When the last of it becomes constant, and what that is; none where it changes until the end.
    end: Option<f64>,
    what: &'static str,
    /// Whether anything is commanded at all.
    any: bool,
    /// Whether hinges go on turning steadily.
    steady: bool,
    /// Whether there are references that are only known as they come.
    references: bool,
}

impl Commands {
    /// Of a scenario.
    pub fn new(scenario: &Scenario) -> Self {
        let span = [scenario.initial.time, scenario.duration];
        let mut own = Self {
            start: span[0],
            end: Some(span[0]),
            what: "",
            any: false,
            steady: false,
            references: scenario.blocks.iter().any(|block| !block.acts.is_empty()),
        };
        let trajectory = |motion: &Motion| scenario.trajectory(motion).ok();
        for motion in scenario.motions.iter().filter_map(trajectory) {
            own.follow(&motion, span, "the prescribed motion");
        }
        for motion in scenario.feedforward.iter().filter_map(trajectory) {
            own.follow(&motion, span, "the feedforward motion");
        }
        for motion in scenario.closure_motions.iter().filter_map(|motion| scenario.closure_trajectory(motion).ok()) {
            own.follow(&motion, span, "the prescribed motion of a closure");
        }
        for motion in scenario.blocks.iter().filter_map(|block| block.setting.trajectory.as_ref()) {
            own.follow(motion, span, "the trajectory of the controllers");
        }
        for torque in scenario.torques.iter().filter_map(|torque| torque.curve.signal().ok()) {
            own.act(&torque, span, "the torque");
        }
        for force in scenario.motor_forces.iter().filter_map(|force| force.curve.signal().ok()) {
            own.act(&force, span, "the motor force");
        }
        for signals in scenario.wrenches.iter().filter_map(|wrench| wrench.curve.signals().ok()) {
            signals.iter().flatten().for_each(|signal| own.act(signal, span, "the external wrench"));
        }
        own
    }

    fn follow(&mut self, motion: &Trajectory, span: [f64; 2], what: &'static str) {
        let moves = motion.breaks().windows(2).any(|pair| motion.at(0.5 * (pair[0] + pair[1])).speed != 0.0);
        if moves {
            self.any = true;
            self.steady |= motion.at(span[1].next_down()).speed != 0.0;
            self.add(last_change(&|t| motion.at(t).speed, motion.breaks(), span), what);
        }
    }

    fn act(&mut self, signal: &Signal, span: [f64; 2], what: &'static str) {
        let acts = signal.value(span[1]) != 0.0 || signal.breaks().iter().any(|t| signal.value(*t) != 0.0);
        if acts {
            self.any = true;
            self.add(last_change(&|t| signal.value(t), signal.breaks(), span), what);
        }
    }

    fn add(&mut self, end: Option<f64>, what: &'static str) {
        match (self.end, end) {
            (Some(own), Some(new)) if new > own => (self.end, self.what) = (Some(new), what),
            (Some(_), None) => (self.end, self.what) = (None, what),
            _ => {}
        }
    }

    /// When the motion ends, as far as is known: changes of references and events before may still be followed by others.
    pub fn end_now(&self, seen: [Option<f64>; 2]) -> Option<f64> {
        seen.into_iter().flatten().fold(self.end, |end, time| end.map(|end| end.max(time)))
    }

    /// When the motion ended, in a run that lasted until a time, and where that comes from.
    pub fn told(&self, seen: [Option<f64>; 2], until: f64) -> (Option<f64>, String) {
        let Some(end) = self.end_now(seen).filter(|end| *end < until) else {
            let what = if self.what.is_empty() { "a reference" } else { self.what };
            return (None, format!("{what} changes until the end of the run"));
        };
        let at = quantity(end, "s");
        let [changed, disturbed] = seen;
        let basis = if disturbed == Some(end) {
            format!("the last event that changes the system is at {at}")
        } else if changed == Some(end) && end > self.start {
            format!("the references of the controllers are constant from {at}")
        } else if end > self.start && self.steady {
            format!("{} is steady from {at}", self.what)
        } else if end > self.start {
            format!("{} ends at {at}", self.what)
        } else if self.references {
            "the references of the controllers are constant from the start".to_owned()
        } else if self.any {
            "what is commanded is constant from the start".to_owned()
        } else {
            "nothing drives the system: it moves freely from the start".to_owned()
        };
        (Some(end), basis)
    }
}

/// The last time at which a function with breaks changes; none where it does so until the end of the span.
fn last_change(value: &dyn Fn(f64) -> f64, breaks: &[f64], span: [f64; 2]) -> Option<f64> {
    let inside = breaks.iter().copied().filter(|t| *t > span[0] && *t < span[1]);
    let edges: Vec<f64> = [span[0]].into_iter().chain(inside).chain([span[1]]).collect();
    let looks = |pair: &[f64]| LOOKS.map(|share| value(pair[0] + share * (pair[1] - pair[0])));
    let size = edges.windows(2).flat_map(looks).fold(0.0, |most: f64, x| most.max(x.abs()));
    let last = value(span[1].next_down());
    let is_constant = |pair: &[f64]| looks(pair).iter().all(|x| (x - last).abs() <= ROUNDED * size);
    let changing = edges.windows(2).rposition(|pair| !is_constant(pair));
    match changing {
        None => Some(span[0]),
        Some(i) if i + 2 == edges.len() => None,
        Some(i) => Some(edges[i + 1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_end_where_they_change_last() {
        let span = [0.0, 10.0];
        let of = |signal: &Signal| last_change(&|t| signal.value(t), signal.breaks(), span);
        assert_eq!(of(&Signal::constant(3.0).unwrap()), Some(0.0));
        assert_eq!(of(&Signal::steps(&[1.0, 2.0, 5.0], &[3.0, -4.0, 0.0]).unwrap()), Some(5.0));
        assert_eq!(of(&Signal::steps(&[1.0, 2.0, 5.0], &[3.0, -4.0, -4.0]).unwrap()), Some(2.0));
        assert_eq!(of(&Signal::table(&[0.0, 4.0, 20.0], &[0.0, 1.0, 2.0]).unwrap()), None);
        let speed = |motion: &Trajectory| last_change(&|t| motion.at(t).speed, motion.breaks(), span);
        assert_eq!(speed(&Trajectory::cycloidal([1.0, 3.0], [0.0, 0.4]).unwrap()), Some(3.0));
        assert_eq!(speed(&Trajectory::constant_rate([0.0, 100.0], 0.0, 0.0).unwrap()), Some(0.0));
    }
}
