//! Events: times at which a function of the state changes its sign.

use crate::state::State;

/// Which changes of sign count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Crossing {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// Both.
    #[default]
    Either,
}

/// Whether the motion goes on after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum AtEvent {
    /// It is recorded, and the motion goes on.
    #[default]
    Record,
    /// It is recorded, and the motion stops there.
    Stop,
}

/// An event that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Occurrence {
    /// Which one, in the order in which events were added.
    pub event: usize,
    /// The state at that time.
    pub state: State,
}

/// Why [`advance`](super::Simulation::advance) came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The end was reached.
    End,
    /// An event that stops the motion, in the order in which events were added.
    Event(usize),
}

/// A function whose sign is watched.
pub(super) struct Event {
    pub function: Box<dyn FnMut(&State) -> f64 + Send>,
    pub crossing: Crossing,
    pub action: AtEvent,
    /// Sign after the last step or event: -1, 0 or 1; zero as long as there was none.
    pub sign: i8,
    /// Where it happened in the present step.
    pub time: Option<f64>,
}

/// -1, 0 or 1; a value that is not a number has no sign.
pub(super) fn sign(value: f64) -> i8 {
    i8::from(value > 0.0) - i8::from(value < 0.0)
}

impl Event {
    pub fn value(&mut self, state: &State) -> f64 {
        (self.function)(state)
    }

    /// Whether a sign `after` the step is an event.
    pub fn happened(&self, after: i8) -> bool {
        match self.crossing {
            _ if self.sign * after >= 0 => false,
            Crossing::Rising => after > 0,
            Crossing::Falling => after < 0,
            Crossing::Either => true,
        }
    }
}

/// A bracket of a root that shrinks by the Illinois rule: false position, with the value at an end that stays put halved.
pub(super) struct Bracket {
    left: [f64; 2],
    right: [f64; 2],
    side: i8,
}

impl Bracket {
    /// Between two places with values of opposite sign.
    pub fn new(left: [f64; 2], right: [f64; 2]) -> Self {
        Self { left, right, side: 0 }
    }

    /// The next place to look at.
    pub fn guess(&self) -> f64 {
        let ([a, f], [b, g]) = (self.left, self.right);
        let x = b - g * (b - a) / (g - f);
        if x > a && x < b { x } else { 0.5 * (a + b) }
    }

    /// Takes the value there. A root found exactly counts as the right end.
    pub fn narrow(&mut self, x: f64, value: f64) {
        if value != 0.0 && sign(value) == sign(self.left[1]) {
            self.left = [x, value];
            self.right[1] *= if self.side < 0 { 0.5 } else { 1.0 };
            self.side = -1;
        } else {
            self.right = [x, value];
            self.left[1] *= if self.side > 0 { 0.5 } else { 1.0 };
            self.side = 1;
        }
    }

    pub fn right(&self) -> f64 {
        self.right[0]
    }

    /// Whether it cannot usefully shrink any more.
    pub fn is_closed(&self, resolution: f64) -> bool {
        self.right[1] == 0.0 || self.right[0] - self.left[0] <= resolution
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_close_on_roots() {
        type Case = (fn(f64) -> f64, f64);
        let functions: [Case; 4] = [
            (|x| x * x - 2.0, 2.0_f64.sqrt()),
            (|x| (x - 1.0).powi(9), 1.0),
            (|x| x.exp() - 1e3, 1e3_f64.ln()),
            (|x| if x < 3.3 { -1e-9 } else { 1e6 }, 3.3),
        ];
        for (i, (f, root)) in functions.iter().enumerate() {
            let mut bracket = Bracket::new([0.0, f(0.0)], [8.0, f(8.0)]);
            let mut calls = 0;
            while !bracket.is_closed(1e-12) && calls < 500 {
                let x = bracket.guess();
                bracket.narrow(x, f(x));
                calls += 1;
            }
            assert!(calls < 500, "{i}: {calls}");
            assert!((bracket.right() - root).abs() < 1e-12 || i == 1, "{i}: {} {calls}", bracket.right());
        }
    }
}
