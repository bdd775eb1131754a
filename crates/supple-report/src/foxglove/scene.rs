//! A frame of the motion as messages for 3D panels: where the bodies are, and what they look like, bent as they are.

use supple::spatial::{Matrix3, Quaternion, Vector3};
use supple_io::results::foxglove::{
    Block, Color, Cylinder, Entity, LINE_LIST, LINE_STRIP, Line, Placement, Point, write_scene, write_transforms,
};

use crate::pose::{self, Pose};
use crate::scene::{Form, Scene, SceneBody, Solid};

/// The reference frame.
const WORLD: &str = "world";
/// Thickness of lines, in pixels.
const THICKNESS: f64 = 4.0;
const FLEXIBLE: Color = Color { r: 0.13, g: 0.42, b: 0.71, a: 1.0 };
const RIGID: Color = Color { r: 0.62, g: 0.63, b: 0.65, a: 1.0 };

/// Appends `foxglove.FrameTransforms` of all bodies.
pub fn write_bodies(message: &mut Vec<u8>, scene: &Scene, frame: &[f32], time: u64) {
    let (poses, _) = pose::place(scene, frame, 1.0);
    let told = scene.bodies.iter().zip(&poses).map(|(body, pose)| {
        // A body of this name would be its own parent.
        let name = if body.name == WORLD { "world (body)" } else { &body.name };
        let ([x, y, z], [i, j, k, w]) = (pose.position.0, Quaternion::from_matrix(&pose.attitude).0);
        (WORLD, name, [x, y, z, i, j, k, w])
    });
    write_transforms(message, told, time);
}

/// Appends `foxglove.SceneUpdate`: lines through the deformed nodes of bodies that have any to show, solids of the others.
pub fn write_entities(message: &mut Vec<u8>, scene: &Scene, frame: &[f32], time: u64) {
    let (poses, amplitudes) = pose::place(scene, frame, 1.0);
    let entities: Vec<Entity> = scene
        .bodies
        .iter()
        .zip(poses.iter().zip(&amplitudes))
        .map(|(body, (pose, amplitudes))| {
            let mut entity = Entity::new(&body.name, time);
            match &body.solid {
                Some(solid) => add_solid(&mut entity, solid, pose),
                None => entity.lines.extend(line(body, pose, amplitudes)),
            }
            entity
        })
        .collect();
    write_scene(message, &entities);
}

/// The line, or the net, through the nodes of a body; none where it has but one.
fn line(body: &SceneBody, pose: &Pose, amplitudes: &[f64]) -> Option<Line> {
    let node = |i: usize| Point::from(pose.then(&pose::deformed(body, i, amplitudes)).position.0);
    let count = body.node_names.len();
    let (kind, points, indices): (u8, Vec<Point>, Vec<u32>) = match &body.line {
        Some(order) => (LINE_STRIP, order.iter().map(|i| node(*i)).collect(), Vec::new()),
        None => {
            (LINE_LIST, (0..count).map(node).collect(), body.edges.as_flattened().iter().map(|i| *i as u32).collect())
        }
    };
    let is_there = if kind == LINE_STRIP { points.len() > 1 } else { !indices.is_empty() };
    let color = if body.modes > 0 { FLEXIBLE } else { RIGID };
    is_there.then(|| Line {
        kind,
        pose: Placement::ORIGIN,
        thickness: THICKNESS,
        scale_invariant: true,
        points,
        color,
        colors: Vec::new(),
        indices,
    })
}

fn add_solid(entity: &mut Entity, solid: &Solid, pose: &Pose) {
    let own = pose.then(&Pose { position: Vector3(solid.centre), attitude: Matrix3(solid.axes) });
    let pose = Placement::new(own.position.0, Quaternion::from_matrix(&own.attitude).0);
    let block = |size: [f64; 3]| Block { pose, size: size.into(), color: RIGID };
    match solid.form {
        Form::Cylinder { radius, length } => entity.cylinders.push(Cylinder {
            pose,
            size: [2.0 * radius, 2.0 * radius, length].into(),
            bottom_scale: 1.0,
            top_scale: 1.0,
            color: RIGID,
        }),
        Form::Box { sides } => entity.cubes.push(block(sides)),
        Form::Ball { radius } => entity.spheres.push(block([2.0 * radius; 3])),
    }
}
