//! Where in a step events happen: first on the continuous extension, then on steps of the integrator itself.

use super::error::IntegrationError;
use super::event::{AtEvent, Bracket, Occurrence, sign};
use super::flat_state::unpack;
use super::simulation::Simulation;

/// Times of events are found to this, relative to the time or the step.
const EVENT_RESOLUTION: f64 = 1e-13;
/// Most trials to find the time of an event; each halves what is left at least every third time.
const EVENT_TRIALS: u32 = 200;

impl Simulation {
    /// Records the events of the last step; at one that stops the motion the step is taken again up to there.
    pub(super) fn look_for_events(&mut self) -> Result<Option<usize>, IntegrationError> {
        let (to, whole) = (self.integrator.time(), self.integrator.last_step());
        let mut stop: Option<(f64, usize)> = None;
        let mut any = false;
        for i in 0..self.events.len() {
            self.read(to);
            let value = self.events[i].value(&self.sampled);
            let after = sign(value);
            self.events[i].time = None;
            if self.events[i].happened(after) {
                let time = self.locate(i, value, to)?;
                self.integrator.redo(&mut self.equations, whole, to)?;
                self.events[i].time = Some(time);
                any = true;
                if self.events[i].action == AtEvent::Stop && stop.is_none_or(|(first, _)| time < first) {
                    stop = Some((time, i));
                }
            } else if after != 0 {
                self.events[i].sign = after;
            }
        }
        if !any {
            return Ok(None);
        }
        let horizon = stop.map_or(to, |(time, _)| time);
        // In order of time.
        while let Some((time, i)) = self.next_event(horizon) {
            self.redo_to(time)?;
            self.read(time);
            let event = &mut self.events[i];
            event.sign = -event.sign;
            event.time = None;
            self.occurrences.push(Occurrence { event: i, state: self.sampled.clone() });
            if time < to {
                // The step as a whole again, for the events that are left.
                self.integrator.redo(&mut self.equations, whole, to)?;
            }
        }
        if let Some((time, _)) = stop {
            self.redo_to(time)?;
        }
        Ok(stop.map(|(_, i)| i))
    }

    /// The earliest event of the step that has not been recorded yet.
    fn next_event(&self, horizon: f64) -> Option<(f64, usize)> {
        let times = self.events.iter().enumerate().filter_map(|(i, event)| Some((event.time?, i)));
        times.filter(|(time, _)| *time <= horizon).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The time at which event `i` happens in the last step, which ends at `to` with `value`: first on the continuous extension, then on
    /// steps of the integrator itself.
    fn locate(&mut self, i: usize, value: f64, to: f64) -> Result<f64, IntegrationError> {
        let [from, _] = self.integrator.covered();
        let resolution = EVENT_RESOLUTION * from.abs().max(to.abs()).max(to - from);
        let start = f64::from(self.events[i].sign) * value.abs();
        let mut rough = Bracket::new([from, start], [to, value]);
        for _ in 0..EVENT_TRIALS {
            if rough.is_closed(resolution) {
                break;
            }
            let time = rough.guess();
            self.sample(time)?;
            rough.narrow(time, self.events[i].value(&self.sampled));
        }
        // A bracket around it that the true steps confirm, widened until they do.
        let mut exact = Bracket::new([from, start], [to, value]);
        let mut guess = rough.right();
        for _ in 0..EVENT_TRIALS {
            if exact.is_closed(resolution) {
                break;
            }
            if guess > from && guess < exact.right() {
                self.redo_to(guess)?;
                self.read(guess);
                let value = self.events[i].value(&self.sampled);
                exact.narrow(guess, value);
            }
            guess = exact.guess();
        }
        Ok(exact.right())
    }

    /// Takes the last step again up to `time` within it.
    fn redo_to(&mut self, time: f64) -> Result<(), IntegrationError> {
        let [from, to] = self.integrator.covered();
        let h = if time == to { self.integrator.last_step() } else { time - from };
        self.integrator.redo(&mut self.equations, h, time)
    }

    /// Copies the state reached to `sampled`.
    fn read(&mut self, time: f64) {
        unpack(&mut self.sampled, self.integrator.state());
        self.sampled.time = time;
    }
}
