//! How the rows of each call reach the lanes and come back.

use super::memory::Memory;
use super::rows::{States, StatesMut, Widths, gather, gather_states, scatter};
use super::run::Exchange;
use crate::inputs::Inputs;
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
    /// What is not read is zero, whatever an earlier call left.
    fn gather<const W: usize>(&self, from: Range<usize>, memory: &mut Memory<Lanes<f64, W>>) {
        let Inputs { forces, accelerations, .. } = &mut memory.inputs;
        match *self {
            Self::None => {
                forces.fill(Lanes::ZERO);
                accelerations.fill(Lanes::ZERO);
            }
            Self::Forces(rows) => {
                gather(rows, from, forces);
                accelerations.fill(Lanes::ZERO);
            }
            Self::Accelerations(rows) => {
                gather(rows, from, accelerations);
                forces.fill(Lanes::ZERO);
            }
        }
    }
}

/// Results of states that stay as they are, `width` numbers each.
pub(super) struct Results<'a> {
    pub states: States<'a>,
    pub drive: Drive<'a>,
    pub width: usize,
}

impl<'a> Exchange for Results<'a> {
    type Rows = &'a mut [f64];

    fn load<const W: usize>(&self, _: &Self::Rows, _: usize, from: Range<usize>, memory: &mut Memory<Lanes<f64, W>>) {
        gather_states(self.states, from.clone(), memory);
        self.drive.gather(from, memory);
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
        gather_states(rows.as_states(), from.start - block..from.end - block, memory);
        Drive::Forces(self.forces).gather(from, memory);
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
