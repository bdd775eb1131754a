//! The motion of a run in a bounded number of frames.

use serde::{Deserialize, Serialize};
use supple::spatial::Quaternion;
use supple::{BodyIndex, DynamicsError, Model, State, Workspace, kinematics};

use crate::numbers::{Doubles, Singles};
use crate::pose::{self, Pose};
use crate::scene::Scene;

/// Most frames that are kept.
const MOST_FRAMES: usize = 2000;
/// Most numbers that are kept, as long as that leaves [`FEWEST_FRAMES`].
const MOST_NUMBERS: usize = 500_000;
const FEWEST_FRAMES: usize = 50;

/// Frames of a motion: every `stride`-th row of the results, and the last one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Motion {
    /// How many rows there are from one frame to the next.
    pub stride: u64,
    /// The row of the last frame, where it is beyond the stride.
    pub last: Option<u64>,
    /// Times.
    pub times: Doubles,
    /// Per frame and body: position and quaternion `(x, y, z, w)` of the hinge in relation to what carries it, modal coordinates.
    pub frames: Singles,
}

/// Keeps frames of a motion of any length.
#[derive(Clone, Debug)]
pub struct FrameStore {
    motion: Motion,
    length: usize,
    most: usize,
    rows: u64,
}

impl FrameStore {
    /// Nothing yet.
    pub fn new(scene: &Scene) -> Self {
        let length = scene.frame_length();
        let most = (MOST_NUMBERS / length.max(1)).clamp(FEWEST_FRAMES, MOST_FRAMES);
        Self { motion: Motion { stride: 1, ..Motion::default() }, length, most, rows: 0 }
    }

    /// Goes on from the first `rows` rows of an earlier motion. Frames that do not fit the scene are left out.
    fn restore(&mut self, earlier: &Motion, rows: u64) {
        let frames = earlier.times.0.len();
        self.rows = rows;
        if earlier.stride == 0 || earlier.frames.0.len() != frames * self.length || frames > self.most + 1 {
            return;
        }
        let regular = frames - usize::from(earlier.last.is_some() && frames > 0);
        let kept = regular.min(rows.div_ceil(earlier.stride) as usize);
        self.motion = Motion {
            stride: earlier.stride,
            last: None,
            times: Doubles(earlier.times.0[..kept].to_vec()),
            frames: Singles(earlier.frames.0[..kept * self.length].to_vec()),
        };
    }

    /// Takes the frame of the next row.
    pub fn take(&mut self, time: f64, frame: &[f32]) {
        let (length, row) = (self.length, self.rows);
        self.rows += 1;
        let motion = &mut self.motion;
        if motion.last.take().is_some() {
            motion.times.0.pop();
            motion.frames.0.truncate(motion.times.0.len() * length);
        }
        if row.is_multiple_of(motion.stride) && motion.times.0.len() == self.most {
            motion.halve(length);
        }
        if !row.is_multiple_of(motion.stride) {
            motion.last = Some(row);
        }
        motion.times.0.push(time);
        motion.frames.0.extend_from_slice(frame);
    }

    /// The motion so far.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }
}

/// Takes states and keeps frames of them.
#[derive(Debug)]
pub struct MotionRecorder {
    store: FrameStore,
    frame: Vec<f32>,
    workspace: Workspace,
}

impl MotionRecorder {
    /// Nothing yet.
    pub fn new(scene: &Scene, model: &Model) -> Self {
        let frame = Vec::with_capacity(scene.frame_length());
        Self { store: FrameStore::new(scene), frame, workspace: Workspace::new(model) }
    }

    /// Goes on from the first `rows` rows of an earlier motion. Frames that do not fit the scene are left out.
    pub fn restore(&mut self, earlier: &Motion, rows: u64) {
        self.store.restore(earlier, rows);
    }

    /// Takes the state of the next row.
    ///
    /// # Errors
    /// Numbers that are not finite.
    pub fn take(&mut self, scene: &Scene, model: &Model, state: &State) -> Result<(), DynamicsError> {
        self.fill(scene, model, state)?;
        self.store.take(state.time, &self.frame);
        Ok(())
    }

    /// The motion so far.
    pub fn motion(&self) -> &Motion {
        self.store.motion()
    }

    /// The last frame, as it is recorded.
    pub fn frame(&self) -> &[f32] {
        &self.frame
    }

    fn fill(&mut self, scene: &Scene, model: &Model, state: &State) -> Result<(), DynamicsError> {
        let motion = kinematics(model, state, &mut self.workspace)?;
        let bodies = 0..scene.bodies.len();
        let pose =
            |k| Pose { position: motion.body_position(BodyIndex(k)), attitude: motion.body_attitude(BodyIndex(k)) };
        let poses: Vec<Pose> = bodies.clone().map(pose).collect();
        let amplitudes = |k| pose::amplitudes(&scene.bodies[k], state.modal_coordinates(model, BodyIndex(k)));
        let all: Vec<Vec<f64>> = bodies.clone().map(amplitudes).collect();
        self.frame.clear();
        for k in bodies {
            // H(k) = (X(p) D(t, η_p))⁻¹ X(k) D(d, η_k)
            let own = poses[k].then(&pose::inboard(scene, k, &all[k]));
            let hinge = pose::carrier(scene, k, &poses, &all).inverse().then(&own);
            let modes = &all[k][..scene.bodies[k].modes];
            let turned = Quaternion::from_matrix(&hinge.attitude).0;
            self.frame.extend(hinge.position.0.iter().chain(&turned).chain(modes).map(|x| *x as f32));
        }
        Ok(())
    }
}

impl Motion {
    /// Keeps every second frame.
    fn halve(&mut self, length: usize) {
        self.stride *= 2;
        self.times.0 = self.times.0.iter().copied().step_by(2).collect();
        self.frames.0 = self.frames.0.chunks(length.max(1)).step_by(2).flatten().copied().collect();
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.times.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.times.0.is_empty()
    }
}
