//! Frequencies of a system with its hinges locked, and whether its modes are enough for the first of them.

use std::f64::consts::TAU;
use std::io::{self, Write};

use serde::Serialize;
use supple::Model;
use supple_bodies::frequencies;
use supple_io::load::Loaded;
use supple_io::model_file::with_one_more_mode;

use super::text::number;

/// Frequencies that are listed, and compared with those of one more mode.
const FIRST: usize = 4;
/// Of these, those that a model should have right: the last of few modes never are.
const LOWEST: usize = 2;
/// Relative change of one of them by one more mode from which on more modes are advised.
const MUCH: f64 = 0.01;

/// Frequencies of a system as a whole.
#[derive(Serialize)]
pub struct FrequencyFacts {
    /// All frequencies with all hinges locked at zero coordinates, undeformed, in Hz, lowest first.
    pub locked: Vec<f64>,
    /// By which part of itself each of the first falls when every family of modes of every beam gets one more; none without beams.
    pub fall_with_one_more_mode: Option<Vec<f64>>,
}

impl FrequencyFacts {
    /// Frequencies of a flexible system that is small enough for a dense calculation.
    pub fn new(loaded: &Loaded) -> Option<Self> {
        let locked = hertz(&loaded.model, &loaded.system).filter(|all| !all.is_empty())?;
        let more = with_one_more_mode(&loaded.system, &loaded.beams);
        let more = more.and_then(|system| hertz(&Model::build(&system).ok()?, &system));
        let fall = more.map(|more| locked.iter().zip(&more).take(FIRST).map(|(few, more)| 1.0 - more / few).collect());
        Some(Self { locked, fall_with_one_more_mode: fall })
    }

    /// In words.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let first: Vec<String> = self.locked.iter().take(FIRST).map(|hz| number(*hz)).collect();
        let highest = self.locked.last().filter(|_| self.locked.len() > FIRST);
        let highest = highest.map_or(String::new(), |hz| format!(", …, highest {}", number(*hz)));
        writeln!(out, "\nsystem, all hinges locked: {}{highest} Hz", first.join(", "))?;
        let Some(fall) = &self.fall_with_one_more_mode else { return Ok(()) };
        let percent: Vec<String> = fall.iter().map(|part| format!("{:.2}", 100.0 * part.max(0.0))).collect();
        let advice = if fall.iter().take(LOWEST).any(|part| *part > MUCH) { ": try more modes" } else { "" };
        writeln!(out, "  one more mode in every family of the beams lowers these by {} %{advice}", percent.join(", "))
    }
}

fn hertz(model: &Model, system: &supple::System) -> Option<Vec<f64>> {
    Some(frequencies::of_system(model, system).ok()?.into_iter().map(|w| w / TAU).collect())
}
