//! How the rows of each call reach the lanes and come back.

use super::memory::Memory;
use super::rows::{States, StatesMut, Widths, gather, gather_states, scatter};
use super::run::Exchange;
use std::ops::Range;
use supple_spatial::{Lanes, Scalar};

/// What a verb reads beside the state, a row of speeds per instance.
#[derive(Clone, Copy, Debug)]
pub(super) enum Drive<'a> {
    None,
    Forces(&'a [f64]),
    Accelerations(&'a [f64]),
}

impl Drive<'_> {
    fn gather<const W: usize>(&self, width: usize, from: Range<usize>, memory: &mut Memory<Lanes<f64, W>>) {
        let inputs = &mut memory.inputs;
        // What is not read is zero, whatever an earlier call left.
        inputs.forces.fill(Lanes::ZERO);
        inputs.accelerations.fill(Lanes::ZERO);
        match *self {
            Self::None => {}
            Self::Forces(rows) => gather(rows, width, from, &mut inputs.forces),
            Self::Accelerations(rows) => gather(rows, width, from, &mut inputs.accelerations),
        }
    }
}

/// Results of states that stay as they are, `width` numbers each.
pub(super) struct Results<'a> {
    pub states: States<'a>,
    pub drive: Drive<'a>,
    pub widths: Widths,
    pub width: usize,
}

impl<'a> Exchange for Results<'a> {
    type Rows = &'a mut [f64];

    fn load<const W: usize>(&self, _: &Self::Rows, _: usize, from: Range<usize>, memory: &mut Memory<Lanes<f64, W>>) {
        gather_states(self.states, from.clone(), self.widths, memory);
        self.drive.gather(self.widths.speeds, from, memory);
    }

    fn store<const W: usize>(&self, memory: &Memory<Lanes<f64, W>>, lane: usize, rows: &mut Self::Rows, row: usize) {
        scatter(&memory.result, lane, &mut rows[row * self.width..(row + 1) * self.width]);
    }

    fn spoil(&self, rows: &mut Self::Rows, row: usize) {
        rows[row * self.width..(row + 1) * self.width].fill(f64::NAN);
    }
}

/// States that a step replaces; those of an instance without a result stay.
pub(super) struct Replaced<'a> {
    pub forces: &'a [f64],
    pub widths: Widths,
}

impl<'a> Exchange for Replaced<'a> {
    type Rows = StatesMut<'a>;

    fn load<const W: usize>(
        &self,
        rows: &Self::Rows,
        block: usize,
        from: Range<usize>,
        memory: &mut Memory<Lanes<f64, W>>,
    ) {
        gather_states(rows.as_states(), from.start - block..from.end - block, self.widths, memory);
        Drive::Forces(self.forces).gather(self.widths.speeds, from, memory);
    }

    fn store<const W: usize>(&self, memory: &Memory<Lanes<f64, W>>, lane: usize, rows: &mut Self::Rows, row: usize) {
        let Widths { coordinates, speeds, attitudes } = self.widths;
        let state = &memory.state;
        scatter(&state.coordinates, lane, &mut rows.coordinates[row * coordinates..(row + 1) * coordinates]);
        scatter(&state.speeds, lane, &mut rows.speeds[row * speeds..(row + 1) * speeds]);
        let turned = &mut rows.attitudes[row * attitudes..(row + 1) * attitudes];
        for (to, q) in turned.iter_mut().zip(&state.attitudes) {
            scatter(&q.0, lane, to);
        }
    }

    fn spoil(&self, _: &mut Self::Rows, _: usize) {}
}
