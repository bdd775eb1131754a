//! Positions that stay what they are though the model moves: an encoder that is frozen.
//!
//! As long as a position changes, the model follows it. From the cycle on in which it stays the same to the last bit, the model of the arm moves on by itself, under the
//! efforts that were sent. If it leaves the position by more than the stated motion within the stated time, the position is frozen. An arm at rest
//! stays where it is in the model too. After that time the model starts again from rest there.
//!
//! ```text
//! u ← u + T u̇(q, u, efforts)      q ← q + T u
//! ```

use supple::{Inputs, Model, State, Workspace, forward_dynamics};

/// A drive in the model: the coordinate and the speed of its hinge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrivePlace {
    /// Its coordinate.
    pub coordinate: usize,
    /// Its speed.
    pub speed: usize,
}

/// Watches the positions of all drives of an arm without flexibility. Allocates nothing after it is made.
pub struct FrozenWatch {
    model: Model,
    state: State,
    inputs: Inputs,
    workspace: Workspace,
    drives: Vec<DrivePlace>,
    /// Positions of the last cycle, and for how many cycles each has been the same.
    last: Vec<f64>,
    still: Vec<u32>,
    begun: bool,
    period: f64,
    /// Cycles after which a position that stays the same is judged, and by how far the model has to be away.
    cycles: u32,
    motion: f64,
}

impl std::fmt::Debug for FrozenWatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FrozenWatch").field("drives", &self.drives).field("still", &self.still).finish_non_exhaustive()
    }
}

impl FrozenWatch {
    /// The arm in a state, which coordinates of the `drives` are measured every `period` seconds. It is frozen where it stays the same for `after` seconds while the model moves by `motion`.
    pub fn new(model: Model, state: State, drives: Vec<DrivePlace>, period: f64, [after, motion]: [f64; 2]) -> Self {
        let (inputs, workspace) = (Inputs::new(&model), Workspace::new(&model));
        let cycles = (after / period).round().clamp(1.0, 1e9) as u32;
        let (last, still) = (vec![0.0; drives.len()], vec![0; drives.len()]);
        Self { model, state, inputs, workspace, drives, last, still, begun: false, period, cycles, motion }
    }

    /// Forgets the past: other efforts act than those that are sent.
    pub fn restart(&mut self) {
        self.begun = false;
        self.still.fill(0);
        self.drives.iter().for_each(|place| self.state.speeds[place.speed] = 0.0);
    }

    /// The drive whose position is frozen, and how far the model is away from it. `efforts` are those that act from now on.
    pub fn observe(&mut self, positions: &[f64], efforts: &[f64]) -> Option<(usize, f64)> {
        let mut found = None;
        // A tenth of the time: speeds are old enough not to be noise, and new enough to be those of now.
        let part = (10.0 / f64::from(self.cycles)).min(1.0);
        for (i, place) in self.drives.iter().enumerate() {
            let (q, u) = (&mut self.state.coordinates[place.coordinate], &mut self.state.speeds[place.speed]);
            if !self.begun || positions[i] != self.last[i] {
                if self.begun {
                    *u += part * ((positions[i] - self.last[i]) / self.period - *u);
                }
                (*q, self.still[i]) = (positions[i], 0);
            } else {
                self.still[i] += 1;
                let moved = (*q - positions[i]).abs();
                if self.still[i] >= self.cycles {
                    // What is not finite is no motion.
                    if moved > self.motion && found.is_none() {
                        found = Some((i, moved));
                    }
                    (*q, *u, self.still[i]) = (positions[i], 0.0, 0);
                }
            }
            self.last[i] = positions[i];
            self.inputs.forces[place.speed] = efforts[i];
        }
        self.begun = true;
        let Ok(solution) = forward_dynamics(&self.model, &self.state, &self.inputs, &mut self.workspace) else {
            return found;
        };
        for place in &self.drives {
            let (q, u) = (&mut self.state.coordinates[place.coordinate], &mut self.state.speeds[place.speed]);
            *u += self.period * solution.accelerations()[place.speed];
            *q += self.period * *u;
        }
        found
    }
}
