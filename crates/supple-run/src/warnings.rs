//! The warnings of a run, each told once, when it comes.

use supple_io::results::Warning;

use crate::Observer;

/// What was told so far, in the order of time.
#[derive(Default)]
pub struct Warnings {
    told: Vec<Warning>,
}

impl Warnings {
    /// Tells a warning, unless it was told before.
    pub fn tell(&mut self, time: f64, text: String, observer: &mut dyn Observer) {
        if self.told.iter().any(|told| told.text == text) {
            return;
        }
        let warning = Warning { time, text };
        observer.warning(&warning);
        self.told.push(warning);
    }

    /// All of them.
    pub fn told(&self) -> &[Warning] {
        &self.told
    }

    /// Goes on from those of a checkpoint: none of them is told again.
    pub fn restore(&mut self, told: &[Warning]) {
        self.told = told.to_vec();
    }
}
