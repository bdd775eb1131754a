//! A law is what is in it.

use super::kind::Law;
use supple::integrate::{Measured, Request, Sampled};
use supple::spatial::Traced;

impl Sampled for Law {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        self.0.sample(measured, outputs);
    }

    fn ask(&mut self, measured: &Measured<'_>, requests: &mut Vec<Request>) {
        self.0.ask(measured, requests);
    }

    fn limited(&mut self, output: usize, excess: f64) {
        self.0.limited(output, excess);
    }

    fn integrated_error(&self) -> Option<f64> {
        self.0.integrated_error()
    }

    fn settle(&mut self, more: f64) -> bool {
        self.0.settle(more)
    }

    fn needs_accelerations(&self) -> bool {
        self.0.needs_accelerations()
    }

    fn record(&self, memory: &mut [Traced], signals: &[Traced], outputs: &mut [Traced]) -> bool {
        self.0.record(memory, signals, outputs)
    }

    fn save(&self) -> Vec<f64> {
        self.0.save()
    }

    fn load(&mut self, from: &[f64]) -> bool {
        self.0.load(from)
    }
}
