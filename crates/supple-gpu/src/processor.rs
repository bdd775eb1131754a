//! The same on this processor: programs compiled by its C compiler, eight instances at once, groups of them on all cores.

use crate::error::GpuError;
use crate::fleet::{Advance, Array, Backend, Outcome};
use crate::kernel::Sizes;
use crate::law::Law;
use crate::noise;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use supple_compile::native::{Build, Native};
use supple_compile::{Lanes, Program};

/// Instances at once.
const LANES: usize = 8;

/// Step and law as functions of this process.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    step: Native,
    law: Option<Native>,
}

impl Compiled {
    pub fn new(step: &Program, law: Option<&Law>) -> Result<Self, GpuError> {
        let build = Build { lanes: Some(Lanes::Eight), ..Build::default() };
        let law = law.map(|law| build.native(&law.program)).transpose()?;
        Ok(Self { step: build.native(step)?, law })
    }
}

/// Eight instances, numbers of each beside each other; the last instance stands in lanes left over.
#[derive(Clone, Debug)]
struct Group {
    first: usize,
    used: usize,
    /// What goes into the step and the law.
    step: Vec<f64>,
    law: Vec<f64>,
    seeds: [u64; LANES],
    status: [i32; LANES],
    reached: [i64; LANES],
}

/// All groups of a fleet.
#[derive(Debug)]
pub(crate) struct Gathered {
    compiled: Compiled,
    sizes: Sizes,
    count: usize,
    threads: usize,
    groups: Vec<Mutex<Group>>,
    table: Vec<f64>,
}

impl Gathered {
    pub fn new(compiled: &Compiled, sizes: &Sizes, count: usize, threads: usize) -> Self {
        let Sizes { state, forces, parameters, memory, columns, numbers, noise } = *sizes;
        let group = |first: usize| Group {
            first,
            used: LANES.min(count - first),
            step: vec![0.0; LANES * (state + forces + 1 + parameters)],
            law: vec![0.0; LANES * (state + memory + columns + numbers + noise)],
            seeds: [0; LANES],
            status: [0; LANES],
            reached: [0; LANES],
        };
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            compiled: compiled.clone(),
            sizes: *sizes,
            count,
            threads: if threads == 0 { cores() } else { threads },
            groups: (0..count).step_by(LANES).map(|first| Mutex::new(group(first))).collect(),
            table: vec![0.0; columns],
        }
    }

    /// Numbers of an array in a group: in the step or in the law, from where, how many.
    fn place(&self, array: Array) -> (bool, usize, usize) {
        let Sizes { state, forces, parameters, memory, columns, numbers, .. } = self.sizes;
        match array {
            Array::State => (true, 0, state),
            Array::Forces => (true, state, forces),
            Array::Parameters => (true, state + forces + 1, parameters),
            Array::Memory => (false, state, memory),
            Array::Numbers => (false, state + memory + columns, numbers),
        }
    }

    fn each(&mut self, mut act: impl FnMut(&mut Group)) {
        self.groups.iter_mut().for_each(|group| act(group.get_mut().unwrap_or_else(PoisonError::into_inner)));
    }
}

impl Group {
    fn list(&mut self, of_step: bool) -> &mut [f64] {
        if of_step { &mut self.step } else { &mut self.law }
    }

    /// Copies lanes whose status is zero.
    fn keep(to: &mut [f64], from: &[f64], status: &[i32; LANES]) {
        for (to, from) in to.chunks_exact_mut(LANES).zip(from.chunks_exact(LANES)) {
            for lane in 0..LANES {
                if status[lane] == 0 {
                    to[lane] = from[lane];
                }
            }
        }
    }

    /// Marks lanes that failed now.
    fn fail(&mut self, told: &[i32; LANES], sign: i32) {
        for lane in 0..LANES {
            if self.status[lane] == 0 {
                self.status[lane] = sign * told[lane];
            }
        }
    }

    fn update(&mut self, law: &Native, sizes: &Sizes, table: &[f64], update: i64, out: &mut [f64]) {
        let Sizes { state, forces, memory, columns, numbers, noise, .. } = *sizes;
        self.law[..LANES * state].copy_from_slice(&self.step[..LANES * state]);
        let rows = table.len().checked_div(columns).unwrap_or(0);
        let row = (update.unsigned_abs() as usize).min(rows.saturating_sub(1));
        let at = LANES * (state + memory);
        for (i, x) in table[row * columns..].iter().take(columns).enumerate() {
            self.law[at + LANES * i..at + LANES * (i + 1)].fill(*x);
        }
        let at = LANES * (state + memory + columns + numbers);
        for i in 0..noise {
            for lane in 0..LANES {
                let place = update.unsigned_abs() * noise as u64 + i as u64;
                self.law[at + LANES * i + lane] = noise::at(self.seeds[lane], place);
            }
        }
        let mut told = [0; LANES];
        // Sizes are those that the function was recorded with.
        if law.run_lanes(&self.law, out, &mut told).is_err() {
            told.fill(1);
        }
        self.fail(&told, -1);
        let (acts, left) = out.split_at(LANES * forces);
        Self::keep(&mut self.step[LANES * state..LANES * (state + forces)], acts, &self.status);
        Self::keep(&mut self.law[LANES * state..LANES * (state + memory)], left, &self.status);
    }

    fn advance(&mut self, compiled: &Compiled, sizes: &Sizes, table: &[f64], by: Advance) {
        let Sizes { state, forces, memory, .. } = *sizes;
        let at = LANES * (state + forces);
        self.step[at..at + LANES].fill(by.length);
        let (mut next, mut acts) = (vec![0.0; LANES * state], vec![0.0; LANES * (forces + memory)]);
        for done in by.first..by.first + by.steps {
            if let Some(law) = compiled.law.as_ref().filter(|_| done % by.every == 0) {
                self.update(law, sizes, table, done / by.every, &mut acts);
            }
            let mut told = [0; LANES];
            if compiled.step.run_lanes(&self.step, &mut next, &mut told).is_err() {
                told.fill(1);
            }
            self.fail(&told, 1);
            Self::keep(&mut self.step[..LANES * state], &next, &self.status);
            for lane in 0..LANES {
                self.reached[lane] += i64::from(self.status[lane] == 0);
            }
            if self.status.iter().all(|told| *told != 0) {
                break;
            }
        }
    }
}

impl Backend for Gathered {
    fn write(&mut self, array: Array, numbers: &[f64]) -> Result<(), GpuError> {
        let ((of_step, at, width), count) = (self.place(array), self.count);
        self.each(|group| {
            let (first, used) = (group.first, group.used);
            let list = group.list(of_step);
            for i in 0..width {
                for lane in 0..LANES {
                    list[LANES * (at + i) + lane] = numbers[i * count + first + lane.min(used - 1)];
                }
            }
        });
        Ok(())
    }

    fn read(&mut self, array: Array, numbers: &mut [f64]) -> Result<(), GpuError> {
        let ((of_step, at, width), count) = (self.place(array), self.count);
        self.each(|group| {
            let (first, used) = (group.first, group.used);
            let list = group.list(of_step);
            for i in 0..width {
                let from = LANES * (at + i);
                numbers[i * count + first..][..used].copy_from_slice(&list[from..from + used]);
            }
        });
        Ok(())
    }

    fn set_table(&mut self, _rows: usize, table: &[f64]) -> Result<(), GpuError> {
        self.table = table.to_vec();
        Ok(())
    }

    fn set_seeds(&mut self, seeds: &[u64]) -> Result<(), GpuError> {
        self.each(|group| {
            for lane in 0..LANES {
                group.seeds[lane] = seeds[group.first + lane.min(group.used - 1)];
            }
        });
        Ok(())
    }

    fn restart(&mut self) -> Result<(), GpuError> {
        self.each(|group| (group.status, group.reached) = ([0; LANES], [0; LANES]));
        Ok(())
    }

    fn advance(&mut self, by: Advance) -> Result<(), GpuError> {
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(group) = self.groups.get(next.fetch_add(1, Ordering::Relaxed)) {
                let mut group = group.lock().unwrap_or_else(PoisonError::into_inner);
                group.advance(&self.compiled, &self.sizes, &self.table, by);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads.min(self.groups.len()) {
                scope.spawn(work);
            }
            work();
        });
        Ok(())
    }

    fn outcomes(&mut self) -> Result<Vec<Outcome>, GpuError> {
        let mut list = Vec::with_capacity(self.count);
        self.each(|group| {
            list.extend((0..group.used).map(|lane| Outcome::new(group.status[lane], group.reached[lane])));
        });
        Ok(list)
    }
}
