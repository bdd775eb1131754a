//! Numbers of many instances in flat slices, row after row, and their way into and out of lanes.

use super::error::BatchError;
use super::memory::Memory;
use crate::model::Model;
use std::ops::Range;
use supple_spatial::{Lanes, Quaternion};

/// States of many instances, one row each.
#[derive(Clone, Copy, Debug, Default)]
pub struct States<'a> {
    /// `instances × Model::coordinate_count`.
    pub coordinates: &'a [f64],
    /// `instances × Model::speed_count`.
    pub speeds: &'a [f64],
    /// `instances × Model::attitude_nodes`: unit quaternions, as [`State::attitudes`](crate::State::attitudes). Empty for models
    /// without integrated attitudes.
    pub attitudes: &'a [[f64; 4]],
}

/// States of many instances that a step changes.
#[derive(Debug, Default)]
pub struct StatesMut<'a> {
    /// As [`States::coordinates`].
    pub coordinates: &'a mut [f64],
    /// As [`States::speeds`].
    pub speeds: &'a mut [f64],
    /// As [`States::attitudes`].
    pub attitudes: &'a mut [[f64; 4]],
}

/// Numbers per instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widths {
    pub coordinates: usize,
    pub speeds: usize,
    pub attitudes: usize,
}

/// Checks the length of a slice.
pub(super) fn check(quantity: &'static str, found: usize, expected: usize) -> Result<(), BatchError> {
    if found == expected { Ok(()) } else { Err(BatchError::WrongSize { quantity, found, expected }) }
}

impl Widths {
    pub fn of<T>(model: &Model<T>) -> Self {
        Self {
            coordinates: model.coordinate_count(),
            speeds: model.speed_count(),
            attitudes: model.attitude_nodes().len(),
        }
    }

    /// Number of instances in rows of these lengths; a last row that is not complete counts, and is then refused.
    pub fn instances(&self, states: States<'_>) -> usize {
        match self.coordinates {
            0 => states.speeds.len().div_ceil(self.speeds.max(1)),
            width => states.coordinates.len().div_ceil(width),
        }
    }

    /// Checks that `states` has `instances` rows.
    pub fn check(&self, states: States<'_>, instances: usize) -> Result<(), BatchError> {
        check("coordinates", states.coordinates.len(), instances * self.coordinates)?;
        check("speeds", states.speeds.len(), instances * self.speeds)?;
        check("attitudes", states.attitudes.len(), instances * self.attitudes)
    }
}

/// The rows of a group: instance `from.start + l` for lane `l`, the last one again for lanes left over.
fn rows<X, const W: usize>(table: &[X], width: usize, from: Range<usize>) -> [&[X]; W] {
    std::array::from_fn(|lane| {
        let i = (from.start + lane).min(from.end - 1);
        &table[i * width..(i + 1) * width]
    })
}

/// Rows of `to.len()` numbers into lanes.
pub(super) fn gather<const W: usize>(table: &[f64], from: Range<usize>, to: &mut [Lanes<f64, W>]) {
    let width = to.len();
    let rows = rows::<_, W>(table, width, from);
    for j in 0..width {
        to[j] = Lanes(std::array::from_fn(|lane| rows[lane][j]));
    }
}

/// Lane `lane` into a row.
pub(super) fn scatter<const W: usize>(from: &[Lanes<f64, W>], lane: usize, row: &mut [f64]) {
    for (to, from) in row.iter_mut().zip(from) {
        *to = from.lane(lane);
    }
}

/// The states of the instances of a group.
pub(super) fn gather_states<const W: usize>(
    states: States<'_>,
    from: Range<usize>,
    memory: &mut Memory<Lanes<f64, W>>,
) {
    let state = &mut memory.state;
    gather(states.coordinates, from.clone(), &mut state.coordinates);
    gather(states.speeds, from.clone(), &mut state.speeds);
    let rows = rows::<_, W>(states.attitudes, state.attitudes.len(), from);
    for (j, q) in state.attitudes.iter_mut().enumerate() {
        *q = Quaternion(std::array::from_fn(|i| Lanes(std::array::from_fn(|lane| rows[lane][j][i]))));
    }
}

impl StatesMut<'_> {
    /// The same, to read.
    pub fn as_states(&self) -> States<'_> {
        States { coordinates: self.coordinates, speeds: self.speeds, attitudes: self.attitudes }
    }
}

/// Blocks of `length` instances.
pub(super) struct StateBlocks<'a> {
    pub rest: StatesMut<'a>,
    pub widths: Widths,
    pub length: usize,
}

/// Takes up to `length` off the front of `rest`.
fn take<'a, X>(rest: &mut &'a mut [X], length: usize) -> &'a mut [X] {
    let all = std::mem::take(rest);
    let (taken, left) = all.split_at_mut(length.min(all.len()));
    *rest = left;
    taken
}

impl<'a> Iterator for StateBlocks<'a> {
    type Item = StatesMut<'a>;

    fn next(&mut self) -> Option<StatesMut<'a>> {
        (!self.rest.coordinates.is_empty()).then(|| StatesMut {
            coordinates: take(&mut self.rest.coordinates, self.length * self.widths.coordinates),
            speeds: take(&mut self.rest.speeds, self.length * self.widths.speeds),
            attitudes: take(&mut self.rest.attitudes, self.length * self.widths.attitudes),
        })
    }
}
