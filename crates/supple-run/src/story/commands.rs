//! When the motion ends: the last change of anything that is commanded.

use supple::{BodyIndex, HingeKind};
use supple_control::{Signal, Trajectory};
use supple_io::results::quantity;
use supple_io::scenario_file::{Connection, ControlBlock, Scenario};

use super::tracking::references;

/// A hinge that turns steadily until the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Turning {
    /// The hinge.
    pub hinge: String,
    /// Its speed, rad/s.
    pub rate: f64,
}

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
    /// Whether hinges go on moving steadily, and those of them that turn.
    steady: bool,
    turning: Vec<Turning>,
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
            turning: Vec::new(),
            references: scenario.blocks.iter().any(|block| !block.acts.is_empty()),
        };
        let prescribed = scenario.motions.iter().map(|motion| (motion, "the prescribed motion"));
        let fed = scenario.feedforward.iter().map(|motion| (motion, "the feedforward motion"));
        for (motion, what) in prescribed.chain(fed) {
            let Ok(trajectory) = scenario.trajectory(motion) else { continue };
            own.follow(&trajectory, span, what);
            own.turn(about_one_axis(scenario, motion.body), &trajectory, span[1]);
        }
        for motion in scenario.closure_motions.iter().filter_map(|motion| scenario.closure_trajectory(motion).ok()) {
            own.follow(&motion, span, "the prescribed motion of a closure");
        }
        for (place, block) in scenario.blocks.iter().enumerate() {
            let Some(trajectory) = &block.setting.trajectory else { continue };
            own.follow(trajectory, span, "the trajectory of the controllers");
            own.turn(followed_hinge(scenario, place), trajectory, span[1]);
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

    /// Takes note of a hinge that turns on.
    fn turn(&mut self, hinge: Option<String>, motion: &Trajectory, until: f64) {
        let rate = motion.at(until.next_down()).speed;
        self.turning.extend(hinge.filter(|_| rate != 0.0).map(|hinge| Turning { hinge, rate }));
    }

    /// What turns steadily until the end: that with the longest period, if those of all others are parts of it.
    pub fn turning(&self) -> Option<&Turning> {
        let slowest = self.turning.iter().min_by(|a, b| a.rate.abs().total_cmp(&b.rate.abs()))?;
        let whole = |one: &Turning| {
            let times = (one.rate / slowest.rate).abs();
            (times - times.round()).abs() <= ROUNDED * times
        };
        self.turning.iter().all(whole).then_some(slowest)
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
        let at = format!("t = {}", quantity(end, "s"));
        let [changed, disturbed] = seen;
        let basis = if disturbed == Some(end) {
            format!("the last event that changes the system is at {at}")
        } else if changed == Some(end) && end > self.start {
            format!("the references of the controllers are constant from {at}")
        } else if end > self.start && self.steady {
            format!("{} is steady from {at}", self.what)
        } else if end > self.start {
            format!("{} ends at {at}", self.what)
        } else if self.steady {
            "what is commanded moves steadily from the start".to_owned()
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

/// The name of the hinge of a body, where it turns about one axis.
fn about_one_axis(scenario: &Scenario, body: BodyIndex) -> Option<String> {
    let body = &scenario.model.system.bodies[body.0];
    let turns = matches!(body.hinge.kind, HingeKind::Revolute { .. } | HingeKind::Screw { .. });
    turns.then(|| body.hinge.name.clone().unwrap_or_else(|| body.name.clone()))
}

/// The first hinge that turns about one axis whose controller follows a block.
fn followed_hinge(scenario: &Scenario, trajectory: usize) -> Option<String> {
    let model = &scenario.model.model;
    let follows = |block: &ControlBlock| {
        let from = |from: &Connection| matches!(from, Connection::Output { block, .. } if *block == trajectory);
        references(scenario, block).into_iter().find(|(_, connection)| from(connection)).map(|(place, _)| place)
    };
    let place = scenario.blocks.iter().find_map(follows)?;
    let body = model.body_indices().find(|body| model.hinge_coordinates(*body).contains(&place))?;
    about_one_axis(scenario, body)
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
