//! Many instances that move step by step, each with its own state, parameters and seed, where they are: on a GPU or on the processor.
//!
//! An instance that fails stops where its last step left it and does not touch its neighbours: [`Fleet::outcomes`] tells which condition did not hold
//! and how many steps it made.

use crate::error::GpuError;
use crate::kernel::Sizes;
use crate::noise::Draws;
use supple::batch::{BatchError, States, StatesMut};

/// Arrays of a fleet with numbers of each instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Array {
    State,
    Memory,
    Forces,
    Parameters,
    Numbers,
}

/// Steps to make.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Advance {
    pub first: i64,
    pub steps: i64,
    pub every: i64,
    pub length: f64,
}

/// What became of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Steps that it made.
    pub steps: u64,
    /// What did not hold in the step after them.
    pub failed: Option<Failure>,
}

/// A condition that does not hold, by its place in [`Program::conditions`](supple_compile::Program::conditions): a number that is not finite, a singular configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Of the step.
    Step(usize),
    /// Of the law.
    Law(usize),
}

impl Outcome {
    pub(crate) fn new(told: i32, steps: i64) -> Self {
        let place = told.unsigned_abs() as usize;
        let failed = match told {
            0 => None,
            1.. => Some(Failure::Step(place - 1)),
            _ => Some(Failure::Law(place - 1)),
        };
        Self { steps: steps.unsigned_abs(), failed }
    }
}

/// Memory and code of a place. Number `i` of instance `k` is at `i * count + k`.
pub(crate) trait Backend: Send + std::fmt::Debug {
    fn write(&mut self, array: Array, numbers: &[f64]) -> Result<(), GpuError>;
    fn read(&mut self, array: Array, numbers: &mut [f64]) -> Result<(), GpuError>;
    fn set_table(&mut self, rows: usize, table: &[f64]) -> Result<(), GpuError>;
    fn set_seeds(&mut self, seeds: &[u64]) -> Result<(), GpuError>;
    fn restart(&mut self) -> Result<(), GpuError>;
    fn advance(&mut self, by: Advance) -> Result<(), GpuError>;
    fn outcomes(&mut self) -> Result<Vec<Outcome>, GpuError>;
}

/// Instances of a model on the way. States stay where they are until they are asked for.
#[derive(Debug)]
pub struct Fleet {
    pub(crate) backend: Box<dyn Backend>,
    pub(crate) sizes: Sizes,
    /// Coordinates, attitudes and speeds of an instance.
    pub(crate) widths: [usize; 3],
    pub(crate) every: usize,
    pub(crate) count: usize,
    pub(crate) made: i64,
    /// What the memory of the law is at first.
    pub(crate) memory: Vec<f64>,
}

pub(crate) fn wrong_size(quantity: &'static str, found: usize, expected: usize) -> GpuError {
    BatchError::WrongSize { quantity, found, expected }.into()
}

impl Fleet {
    /// Number of instances.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Copies the same numbers to all instances.
    pub(crate) fn fill(&mut self, array: Array, width: usize, row: &[f64]) -> Result<(), GpuError> {
        let table: Vec<f64> = row.iter().flat_map(|x| std::iter::repeat_n(*x, self.count)).collect();
        if width == 0 { Ok(()) } else { self.backend.write(array, &table) }
    }

    /// Copies rows, one for each instance or one for all, to where the instances are.
    fn put(&mut self, array: Array, width: usize, (quantity, rows): (&'static str, &[f64])) -> Result<(), GpuError> {
        if rows.len() == width && self.count != 1 {
            return self.fill(array, width, rows);
        }
        if rows.len() != width * self.count {
            return Err(wrong_size(quantity, rows.len(), width * self.count));
        }
        if width == 0 { Ok(()) } else { self.backend.write(array, &columns(rows, width, self.count)) }
    }

    /// Copies numbers of each instance back, a row each.
    fn take(&mut self, array: Array, width: usize) -> Result<Vec<f64>, GpuError> {
        let mut table = vec![0.0; width * self.count];
        if width > 0 {
            self.backend.read(array, &mut table)?;
        }
        Ok(rows(&table, width, self.count))
    }

    /// Sets the states of all instances.
    ///
    /// # Errors
    /// Slices of the wrong size.
    pub fn set_states(&mut self, states: States<'_>) -> Result<(), GpuError> {
        let [q, a, u] = self.widths;
        for (quantity, found, width) in [
            ("coordinates", states.coordinates.len(), q),
            ("attitudes", states.attitudes.len(), a),
            ("speeds", states.speeds.len(), u),
        ] {
            if found != width * self.count {
                return Err(wrong_size(quantity, found, width * self.count));
            }
        }
        let mut rows = Vec::with_capacity(self.count * self.sizes.state);
        for k in 0..self.count {
            rows.extend(&states.coordinates[k * q..(k + 1) * q]);
            rows.extend(states.attitudes[k * a..(k + 1) * a].as_flattened());
            rows.extend(&states.speeds[k * u..(k + 1) * u]);
        }
        self.backend.write(Array::State, &columns(&rows, self.sizes.state, self.count))
    }

    /// Copies the states of all instances back.
    ///
    /// # Errors
    /// Slices of the wrong size.
    pub fn states(&mut self, into: StatesMut<'_>) -> Result<(), GpuError> {
        let [q, a, u] = self.widths;
        let rows = self.take(Array::State, self.sizes.state)?;
        for (quantity, found, width) in [
            ("coordinates", into.coordinates.len(), q),
            ("attitudes", into.attitudes.len(), a),
            ("speeds", into.speeds.len(), u),
        ] {
            if found != width * self.count {
                return Err(wrong_size(quantity, found, width * self.count));
            }
        }
        for (k, row) in rows.chunks(self.sizes.state.max(1)).enumerate() {
            let (coordinates, rest) = row.split_at(q);
            let (attitudes, speeds) = rest.split_at(4 * a);
            into.coordinates[k * q..(k + 1) * q].copy_from_slice(coordinates);
            into.attitudes[k * a..(k + 1) * a].as_flattened_mut().copy_from_slice(attitudes);
            into.speeds[k * u..(k + 1) * u].copy_from_slice(speeds);
        }
        Ok(())
    }

    /// Sets forces that are held, one for each speed and each motor, for each instance or for all. A law overwrites them.
    ///
    /// # Errors
    /// A slice of the wrong size.
    pub fn set_forces(&mut self, rows: &[f64]) -> Result<(), GpuError> {
        self.put(Array::Forces, self.sizes.forces, ("forces", rows))
    }

    /// Sets the parameters of the plan, for each instance or for all.
    ///
    /// # Errors
    /// A slice of the wrong size.
    pub fn set_parameters(&mut self, rows: &[f64]) -> Result<(), GpuError> {
        self.put(Array::Parameters, self.sizes.parameters, ("parameters", rows))
    }

    /// Sets the numbers of the law, for each instance or for all.
    ///
    /// # Errors
    /// A slice of the wrong size.
    pub fn set_numbers(&mut self, rows: &[f64]) -> Result<(), GpuError> {
        self.put(Array::Numbers, self.sizes.numbers, ("numbers of the law", rows))
    }

    /// Sets the table that the law reads, the same for all: a row for each update. Beyond its end the last row holds.
    ///
    /// # Errors
    /// A table without whole rows.
    pub fn set_table(&mut self, table: &[f64]) -> Result<(), GpuError> {
        let columns = self.sizes.columns;
        let rows = table.len().checked_div(columns).unwrap_or(0);
        if rows == 0 || rows * columns != table.len() {
            return Err(wrong_size("table of the law", table.len(), columns * rows.max(1)));
        }
        self.backend.set_table(rows, table)
    }

    /// Gives instances the seeds of a study.
    ///
    /// # Errors
    /// What the device says.
    pub fn set_seeds(&mut self, draws: Draws) -> Result<(), GpuError> {
        let seeds: Vec<u64> = (0..self.count).map(|k| draws.seed_of(k)).collect();
        self.backend.set_seeds(&seeds)
    }

    /// Starts again: no steps made, no failures, the memory of the law as at first. States and all else stay.
    ///
    /// # Errors
    /// What the device says.
    pub fn restart(&mut self) -> Result<(), GpuError> {
        let memory = std::mem::take(&mut self.memory);
        self.fill(Array::Memory, memory.len(), &memory)?;
        (self.memory, self.made) = (memory, 0);
        self.backend.restart()
    }

    /// Makes so many steps of `length` seconds in one launch. Instances that failed earlier stay where they are.
    ///
    /// # Errors
    /// What the device says; failures of instances are outcomes.
    pub fn advance(&mut self, length: f64, steps: usize) -> Result<(), GpuError> {
        let by = Advance { first: self.made, steps: steps as i64, every: self.every as i64, length };
        self.made += by.steps;
        if self.count == 0 || steps == 0 { Ok(()) } else { self.backend.advance(by) }
    }

    /// What the law of each instance remembers, a row each.
    ///
    /// # Errors
    /// What the device says.
    pub fn memory(&mut self) -> Result<Vec<f64>, GpuError> {
        self.take(Array::Memory, self.sizes.memory)
    }

    /// The forces that acted last, a row for each instance.
    ///
    /// # Errors
    /// What the device says.
    pub fn forces(&mut self) -> Result<Vec<f64>, GpuError> {
        self.take(Array::Forces, self.sizes.forces)
    }

    /// What became of each instance.
    ///
    /// # Errors
    /// What the device says.
    pub fn outcomes(&mut self) -> Result<Vec<Outcome>, GpuError> {
        self.backend.outcomes()
    }
}

/// Rows one after the other as columns, number `i` of row `k` at `i * count + k`.
pub(crate) fn columns(rows: &[f64], width: usize, count: usize) -> Vec<f64> {
    let mut table = vec![0.0; rows.len()];
    turned(rows, width, count, |from, to| table[to] = rows[from]);
    table
}

/// The other way round.
pub(crate) fn rows(table: &[f64], width: usize, count: usize) -> Vec<f64> {
    let mut rows = vec![0.0; table.len()];
    turned(table, width, count, |to, from| rows[to] = table[from]);
    rows
}

/// Places of numbers by rows and by columns.
fn turned(of: &[f64], width: usize, count: usize, mut put: impl FnMut(usize, usize)) {
    debug_assert_eq!(of.len(), width * count);
    for k in 0..count {
        (0..width).for_each(|i| put(k * width + i, i * count + k));
    }
}
