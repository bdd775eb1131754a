//! A frame of the motion as messages for 3D panels: where the bodies are, and what they look like, bent as they are.
//!
//! Shapes are primitives, meshes models with their data. A model is told once, in a frame of its own that moves; everything else with every row.

use supple::spatial::{Matrix3, Quaternion, Vector3};
use supple_io::results::foxglove::{
    Block, Color, Cylinder, Entity, LINE_LIST, LINE_STRIP, Line, Model, Placement, Point, Triangles, write_scene,
    write_transforms,
};

use super::glb::glb;
use crate::numbers::encode;
use crate::picture::{LineShape, Patches, patches};
use crate::pose::{self, Pose};
use crate::scene::{Form, Scene, SceneBody, SceneMesh, SceneShape, ShapeForm, Solid};

/// The reference frame.
const WORLD: &str = "world";
/// Thickness of lines, in pixels.
const THICKNESS: f64 = 4.0;
const FLEXIBLE: Color = Color { r: 0.13, g: 0.42, b: 0.71, a: 1.0 };
const RIGID: Color = Color { r: 0.62, g: 0.63, b: 0.65, a: 1.0 };
/// Pieces of a shape that bends, along a straight side as long as the system; most triangles of a mesh that bends, which is told with every row.
const PIECES: f64 = 24.0;
const MOST_BENT: usize = 1200;

/// A system as panels draw it.
#[derive(Debug)]
pub struct Stage {
    scene: Scene,
    /// Of each body and shape its pieces, where it bends.
    bent: Vec<Vec<Option<Patches>>>,
    /// Meshes that do not bend.
    models: Vec<ShownModel>,
}

/// A mesh in a frame of its own.
#[derive(Debug)]
struct ShownModel {
    frame: String,
    body: usize,
    shape: usize,
    data: String,
}

/// A body in a frame.
struct Placed<'p> {
    body: &'p SceneBody,
    pose: &'p Pose,
    amplitudes: &'p [f64],
}

impl Stage {
    /// Of a scene.
    pub fn new(scene: Scene) -> Self {
        let piece = scene.reach().max(f64::MIN_POSITIVE) / PIECES;
        let coarse: Vec<SceneMesh> = scene.meshes.iter().map(|mesh| mesh.coarser(MOST_BENT)).collect();
        let pieces = |body: &SceneBody| {
            let of = |shape: &SceneShape| bends(body, shape).then(|| patches(shape, &coarse, piece));
            body.shapes.iter().map(of).collect()
        };
        let bent = scene.bodies.iter().map(pieces).collect();
        let mut models = Vec::new();
        for (k, body) in scene.bodies.iter().enumerate() {
            for (i, shape) in body.shapes.iter().enumerate().filter(|(_, shape)| !bends(body, shape)) {
                let ShapeForm::Mesh { mesh } = shape.form else { continue };
                let Some(mesh) = scene.meshes.get(mesh) else { continue };
                // The colour of the shape, else those of the mesh, else the usual one.
                let plain = if mesh.colours.0.is_empty() { single(usual(body)) } else { [1.0; 4] };
                let uncoloured = SceneMesh { colours: Default::default(), ..mesh.clone() };
                let data = match shape.colour {
                    Some(colour) => glb(&uncoloured, colour),
                    None => glb(mesh, plain),
                };
                let frame = format!("{}: mesh {}", body.name, i + 1);
                models.push(ShownModel { frame, body: k, shape: i, data: encode(&data) });
            }
        }
        Self { scene, bent, models }
    }

    /// Numbers of a frame.
    pub fn frame_length(&self) -> usize {
        self.scene.frame_length()
    }

    /// Appends `foxglove.FrameTransforms` of all bodies and of the frames of models.
    pub fn write_bodies(&self, message: &mut Vec<u8>, frame: &[f32], time: u64) {
        let Scene { bodies, .. } = &self.scene;
        let (poses, amplitudes) = pose::place(&self.scene, frame, 1.0);
        let numbers = |pose: &Pose| {
            let ([x, y, z], [i, j, k, w]) = (pose.position.0, Quaternion::from_matrix(&pose.attitude).0);
            [x, y, z, i, j, k, w]
        };
        // A body of this name would be its own parent.
        let name = |body: &'_ SceneBody| if body.name == WORLD { "world (body)".to_owned() } else { body.name.clone() };
        let own = bodies.iter().zip(&poses).map(|(body, pose)| (name(body), numbers(pose)));
        let models = self.models.iter().map(|model| {
            let (body, pose, amplitudes) = (&bodies[model.body], &poses[model.body], &amplitudes[model.body]);
            let placed = Placed { body, pose, amplitudes };
            (model.frame.clone(), numbers(&placed.of_shape(&body.shapes[model.shape])))
        });
        let told: Vec<(String, [f64; 7])> = own.chain(models).collect();
        write_transforms(message, told.iter().map(|(name, pose)| (WORLD, name.as_str(), *pose)), time);
    }

    /// Appends `foxglove.SceneUpdate`: shapes of bodies that have any, solids and lines through the deformed nodes of the others; models the first time.
    pub fn write_entities(&self, message: &mut Vec<u8>, frame: &[f32], time: u64, first: bool) {
        let (poses, amplitudes) = pose::place(&self.scene, frame, 1.0);
        let entity = |(k, body): (usize, &SceneBody)| {
            let placed = Placed { body, pose: &poses[k], amplitudes: &amplitudes[k] };
            let mut entity = Entity::new(&body.name, time);
            match &body.solid {
                _ if !body.shapes.is_empty() => placed.add_shapes(&mut entity, &self.bent[k]),
                Some(solid) => add_solid(&mut entity, solid, placed.pose),
                None => entity.lines.extend(placed.line()),
            }
            entity
        };
        let mut entities: Vec<Entity> = self.scene.bodies.iter().enumerate().map(entity).collect();
        if first {
            entities.extend(self.models.iter().map(|model| {
                let mut entity = Entity::new(&model.frame, time).moving_with(&model.frame);
                entity.models.push(Model {
                    pose: Placement::ORIGIN,
                    scale: [1.0; 3].into(),
                    color: RIGID,
                    override_color: false,
                    url: "",
                    media_type: "model/gltf-binary",
                    data: model.data.clone(),
                });
                entity
            }));
        }
        write_scene(message, &entities);
    }
}

/// Whether a shape bends with the line of its body.
fn bends(body: &SceneBody, shape: &SceneShape) -> bool {
    body.modes > 0 && shape.node.is_none() && body.line.is_some()
}

/// The colour of a body where its file gives none.
fn usual(body: &SceneBody) -> Color {
    if body.modes > 0 { FLEXIBLE } else { RIGID }
}

fn single(Color { r, g, b, a }: Color) -> [f32; 4] {
    [r, g, b, a].map(|x| x as f32)
}

fn color([r, g, b, a]: [f32; 4]) -> Color {
    Color { r: r.into(), g: g.into(), b: b.into(), a: a.into() }
}

impl Placed<'_> {
    /// Where a shape is that does not bend.
    fn of_shape(&self, shape: &SceneShape) -> Pose {
        let attitude = Quaternion(shape.attitude).normalized().to_matrix();
        let own = Pose { position: Vector3(shape.position), attitude };
        let held = shape.node.map_or(Pose::IDENTITY, |node| {
            let rest = pose::deformed(self.body, node, &[]);
            pose::deformed(self.body, node, self.amplitudes).then(&rest.inverse())
        });
        self.pose.then(&held).then(&own)
    }

    fn add_shapes(&self, entity: &mut Entity, bent: &[Option<Patches>]) {
        let line = LineShape::new(self.body).filter(|_| bent.iter().any(Option::is_some));
        for (shape, bent) in self.body.shapes.iter().zip(bent) {
            let color = shape.colour.map_or(usual(self.body), color);
            match (bent, &line) {
                (Some(bent), Some(line)) => entity.triangles.push(self.surface(bent, line, color)),
                _ => add_shape(entity, &shape.form, &self.of_shape(shape), color),
            }
        }
    }

    /// A surface that bends with the sections of a line.
    fn surface(&self, bent: &Patches, line: &LineShape<'_>, color: Color) -> Triangles {
        let sections = line.sections(self.amplitudes);
        let place = |p: &Vector3<f64>| {
            let own = line.carry(*p, &sections);
            Point::from((self.pose.attitude * own + self.pose.position).0)
        };
        let mut points = Vec::new();
        for patch in &bent.patches {
            let corners: Vec<Point> = patch.points.iter().map(place).collect();
            for pair in corners.get(1..).unwrap_or_default().windows(2) {
                points.extend([corners[0], pair[0], pair[1]]);
            }
        }
        Triangles { pose: Placement::ORIGIN, points, color, colors: [], indices: [] }
    }

    /// The line, or the net, through the nodes of a body; none where it has but one.
    fn line(&self) -> Option<Line> {
        let Self { body, pose, amplitudes } = self;
        let node = |i: usize| Point::from(pose.then(&pose::deformed(body, i, amplitudes)).position.0);
        let count = body.node_names.len();
        let (kind, points, indices): (u8, Vec<Point>, Vec<u32>) = match &body.line {
            Some(order) => (LINE_STRIP, order.iter().map(|i| node(*i)).collect(), Vec::new()),
            None => {
                let indices = body.edges.as_flattened().iter().map(|i| *i as u32).collect();
                (LINE_LIST, (0..count).map(node).collect(), indices)
            }
        };
        let is_there = if kind == LINE_STRIP { points.len() > 1 } else { !indices.is_empty() };
        let color = usual(body);
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
}

fn placement(pose: &Pose) -> Placement {
    Placement::new(pose.position.0, Quaternion::from_matrix(&pose.attitude).0)
}

fn block(pose: &Pose, size: [f64; 3], color: Color) -> Block {
    Block { pose: placement(pose), size: size.into(), color }
}

fn cylinder(pose: &Pose, radius: f64, length: f64, color: Color) -> Cylinder {
    let size = [2.0 * radius, 2.0 * radius, length].into();
    Cylinder { pose: placement(pose), size, bottom_scale: 1.0, top_scale: 1.0, color }
}

/// A shape as primitives; meshes are models.
fn add_shape(entity: &mut Entity, form: &ShapeForm, pose: &Pose, color: Color) {
    match form {
        ShapeForm::Box { sides } => entity.cubes.push(block(pose, *sides, color)),
        ShapeForm::Cylinder { radius, length } => entity.cylinders.push(cylinder(pose, *radius, *length, color)),
        ShapeForm::Capsule { radius, length } => {
            entity.cylinders.push(cylinder(pose, *radius, *length, color));
            for end in [-0.5 * length, 0.5 * length] {
                let there = pose.then(&Pose { position: Vector3([0.0, 0.0, end]), ..Pose::IDENTITY });
                entity.spheres.push(block(&there, [2.0 * radius; 3], color));
            }
        }
        ShapeForm::Ellipsoid { radii } => entity.spheres.push(block(pose, radii.map(|r| 2.0 * r), color)),
        ShapeForm::Mesh { .. } => {}
    }
}

fn add_solid(entity: &mut Entity, solid: &Solid, pose: &Pose) {
    let own = pose.then(&Pose { position: Vector3(solid.centre), attitude: Matrix3(solid.axes) });
    match solid.form {
        Form::Cylinder { radius, length } => entity.cylinders.push(cylinder(&own, radius, length, RIGID)),
        Form::Box { sides } => entity.cubes.push(block(&own, sides, RIGID)),
        Form::Ball { radius } => entity.spheres.push(block(&own, [2.0 * radius; 3], RIGID)),
    }
}
