//! The loss factor of a model, and what comes with it.

use std::io::{self, Write};

use serde::Serialize;
use supple_io::load::Loaded;

use super::text::number;

/// A loss factor in numbers.
#[derive(Serialize)]
pub struct LossFacts {
    pub loss_factor: f64,
    /// Lowest and highest frequency at which it holds, Hz.
    pub band: [f64; 2],
    /// Coordinates for each mode that has stiffness.
    pub branches: usize,
    /// Stiffness at both ends of the band, in units of that at rest, which is the one of the file.
    pub stiffness: [f64; 2],
}

impl LossFacts {
    /// Of a system whose file asks for one.
    pub fn new(loaded: &Loaded) -> Option<Self> {
        let loss = loaded.damping.as_ref()?.loss?;
        let relaxation = loss.relaxation()?;
        let stiffness = loss.band.map(|hz| relaxation.stiffness(hz)[0]);
        Some(Self { loss_factor: loss.factor, band: loss.band, branches: relaxation.branches(), stiffness })
    }

    /// In words.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { loss_factor, band: [low, high], branches, stiffness: [first, last] } = self;
        writeln!(
            out,
            "loss factor {loss_factor} from {} to {} Hz by {branches} coordinates for each mode; stiffness is as given at rest, and {first:.3} to \
             {last:.3} times that in the band",
            number(*low),
            number(*high)
        )
    }
}
