//! Poses of bodies in relation to what carries them, which do not change when the deformation is drawn larger than it is.
//!
//! With `X(k)` the pose of frame `k`, `D(j, η)` the deformation at node `j` (displacement `γ η`, rotation `exp(λ η)`, both with the
//! second-order shapes), `t` the node that carries body `k` and `d` its own node at the hinge:
//!
//! ```text
//! X(k) = X(p) D(t, η_p) H(k) D(d, η_k)⁻¹        H(k) = (X(p) D(t, η_p))⁻¹ X(k) D(d, η_k)
//! ```
//!
//! `H(k)` is recorded. A page puts `s η` in place of `η`: with `s = 1` bodies are where the engine has them, with `s = 0` they follow the
//! hinges alone. What an integrated elastic rotation differs from `exp(λ η)` stays in `H(k)`.

use supple::spatial::{Matrix3, Quaternion, Vector3};

use crate::scene::{Scene, SceneBody};

/// A frame: where it is and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position of its origin.
    pub position: Vector3<f64>,
    /// Its axes as columns.
    pub attitude: Matrix3<f64>,
}

impl Pose {
    /// At the origin, not turned.
    pub const IDENTITY: Self = Self { position: Vector3::ZERO, attitude: Matrix3::IDENTITY };

    /// This pose, then another one in its axes.
    pub fn then(&self, next: &Self) -> Self {
        Self { position: self.attitude.mul_add(next.position, self.position), attitude: self.attitude * next.attitude }
    }

    /// The way back.
    pub fn inverse(&self) -> Self {
        let attitude = self.attitude.transpose();
        Self { position: -(attitude * self.position), attitude }
    }
}

/// Amplitudes of all shapes of a body: modal coordinates, then `½ Σ B η_r η_s` of second-order shapes.
pub fn amplitudes(body: &SceneBody, eta: &[f64]) -> Vec<f64> {
    let second = body.second_order.iter().map(|entries| {
        let term =
            |&(r, s, b): &(usize, usize, f64)| if r == s { 0.5 * b * eta[r] * eta[r] } else { b * eta[r] * eta[s] };
        entries.iter().map(term).sum()
    });
    eta.iter().copied().chain(second).collect()
}

/// Where the deformation puts a node of a body, in the body frame.
pub fn deformed(body: &SceneBody, node: usize, amplitudes: &[f64]) -> Pose {
    let columns = amplitudes.len();
    let mut u = [0.0; 6];
    for (r, amplitude) in amplitudes.iter().enumerate() {
        let at = 6 * (node * columns + r);
        (0..6).for_each(|i| u[i] += f64::from(body.influence.0.get(at + i).copied().unwrap_or(0.0)) * amplitude);
    }
    let place = |i: usize| f64::from(body.positions.0.get(3 * node + i).copied().unwrap_or(0.0)) + u[3 + i];
    let theta = Vector3([u[0], u[1], u[2]]);
    Pose {
        position: Vector3(std::array::from_fn(place)),
        attitude: supple::spatial::rotation::rotation_vector(theta).rotation,
    }
}

/// The frame of what carries body `k`, from the poses of bodies and the amplitudes of their shapes.
pub fn carrier(scene: &Scene, k: usize, poses: &[Pose], all: &[Vec<f64>]) -> Pose {
    match (scene.bodies[k].parent, scene.bodies[k].carrier) {
        (Some(parent), Some(node)) => {
            let still = vec![0.0; all[parent].len()];
            let amplitudes = if scene.carried_by_deformation { &all[parent] } else { &still };
            poses[parent].then(&deformed(&scene.bodies[parent], node, amplitudes))
        }
        (Some(parent), None) => poses[parent],
        _ => Pose::IDENTITY,
    }
}

/// The node of body `k` at its hinge, in the body frame.
pub fn inboard(scene: &Scene, k: usize, amplitudes: &[f64]) -> Pose {
    let body = &scene.bodies[k];
    let still = vec![0.0; amplitudes.len()];
    deformed(body, body.inboard, if scene.carried_by_deformation { amplitudes } else { &still })
}

/// Poses of all bodies in a frame, and the amplitudes of their shapes, with the deformation `scale` times as large as it is.
///
/// # Panics
/// If the frame has not the length of the scene.
#[track_caller]
pub fn place(scene: &Scene, frame: &[f32], scale: f64) -> (Vec<Pose>, Vec<Vec<f64>>) {
    assert_eq!(frame.len(), scene.frame_length(), "numbers of a frame");
    let (mut poses, mut all, mut at): (Vec<Pose>, Vec<Vec<f64>>, usize) = (Vec::new(), Vec::new(), 0);
    for (k, body) in scene.bodies.iter().enumerate() {
        let own: Vec<f64> = frame[at..at + 7 + body.modes].iter().map(|x| f64::from(*x)).collect();
        at += own.len();
        let turned = Quaternion([own[3], own[4], own[5], own[6]]).normalized().to_matrix();
        let hinge = Pose { position: Vector3([own[0], own[1], own[2]]), attitude: turned };
        let eta: Vec<f64> = own[7..].iter().map(|x| scale * x).collect();
        let drawn = amplitudes(body, &eta);
        // X(k) = X(p) D(t, s η_p) H(k) D(d, s η_k)⁻¹
        let pose = carrier(scene, k, &poses, &all).then(&hinge).then(&inboard(scene, k, &drawn).inverse());
        poses.push(pose);
        all.push(drawn);
    }
    (poses, all)
}
