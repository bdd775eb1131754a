//! Frames between those recorded.

use crate::motion::Motion;
use crate::scene::Scene;

impl Motion {
    /// First and last time; none where nothing was recorded.
    pub fn span(&self) -> Option<[f64; 2]> {
        Some([*self.times.0.first()?, *self.times.0.last()?])
    }

    /// The frame of a time, between those recorded: numbers in proportion, quaternions on the shorter way. Times outside have the nearest
    /// frame; none where nothing was recorded.
    pub fn sample(&self, scene: &Scene, time: f64) -> Option<Vec<f32>> {
        let (times, length) = (&self.times.0, scene.frame_length());
        let after = times.partition_point(|t| *t <= time).clamp(1, times.len().max(1));
        let (i, j) = (after - 1, after.min(times.len().checked_sub(1)?));
        let span = times[j] - times[i];
        let w = if span > 0.0 { ((time - times[i]) / span).clamp(0.0, 1.0) } else { 0.0 };
        let a = self.frames.0.get(i * length..(i + 1) * length)?;
        let b = self.frames.0.get(j * length..(j + 1) * length)?;
        let between = |x: f32, y: f32| (f64::from(x) + w * (f64::from(y) - f64::from(x))) as f32;
        let mut out: Vec<f32> = a.iter().zip(b).map(|(x, y)| between(*x, *y)).collect();
        let mut at = 0;
        for body in &scene.bodies {
            let (p, q) = (&a[at + 3..at + 7], &b[at + 3..at + 7]);
            let dot: f32 = p.iter().zip(q).map(|(x, y)| x * y).sum();
            let sign = if dot < 0.0 { -1.0 } else { 1.0 };
            // Not of unit length: whoever places bodies makes it so.
            (0..4).for_each(|k| out[at + 3 + k] = between(p[k], sign * q[k]));
            at += 7 + body.modes;
        }
        Some(out)
    }
}
