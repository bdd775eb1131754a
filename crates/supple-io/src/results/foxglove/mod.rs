//! Messages that the panels of Foxglove and Lichtblick know: `foxglove.FrameTransforms`, `foxglove.SceneUpdate` and `foxglove.Log`, as JSON.
//!
//! Names and fields are those of Foxglove's published schemas. Quaternions are `x, y, z, w`, times are seconds and nanoseconds since zero.

mod schema;

pub use schema::{log_topic, scene_topic, transforms_topic};

use serde::Serialize;
use serde_json::Value;
use std::io::Write;

/// A moment, or a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Time {
    /// Whole seconds.
    pub sec: u64,
    /// Nanoseconds beyond them.
    pub nsec: u64,
}

impl Time {
    /// Of nanoseconds.
    pub fn new(nanoseconds: u64) -> Self {
        Self { sec: nanoseconds / 1_000_000_000, nsec: nanoseconds % 1_000_000_000 }
    }
}

/// The level of warnings in `foxglove.Log`.
const WARNING: u8 = 3;
const INFO: u8 = 2;

/// A text as JSON.
pub(super) fn text(text: &str) -> String {
    Value::from(text).to_string()
}

/// A number as JSON. Writing to memory cannot fail.
pub(super) fn number(message: &mut Vec<u8>, value: f64) {
    let _ = if value.is_finite() { write!(message, "{value:?}") } else { message.write_all(b"null") };
}

/// Appends a message of `foxglove.FrameTransforms`: per frame its parent, its own name, and position and quaternion in the parent.
pub fn write_transforms<'f>(
    message: &mut Vec<u8>,
    frames: impl Iterator<Item = (&'f str, &'f str, [f64; 7])>,
    time: u64,
) {
    let Time { sec, nsec } = Time::new(time);
    message.extend_from_slice(b"{\"transforms\":[");
    for (i, (parent, child, pose)) in frames.enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(
            message,
            "{comma}{{\"timestamp\":{{\"sec\":{sec},\"nsec\":{nsec}}},\"parent_frame_id\":{},\"child_frame_id\":{}",
            text(parent),
            text(child)
        );
        let starts = [
            ",\"translation\":{\"x\":",
            ",\"y\":",
            ",\"z\":",
            "},\"rotation\":{\"x\":",
            ",\"y\":",
            ",\"z\":",
            ",\"w\":",
        ];
        for (start, value) in starts.into_iter().zip(pose) {
            message.extend_from_slice(start.as_bytes());
            number(message, value);
        }
        message.extend_from_slice(b"}}");
    }
    message.extend_from_slice(b"]}");
}

/// Appends a message of `foxglove.Log` that warns.
pub fn write_warning(message: &mut Vec<u8>, warning: &str, time: u64) {
    write_log(message, WARNING, warning, time);
}

/// Appends a message of `foxglove.Log` that informs.
pub fn write_note(message: &mut Vec<u8>, note: &str, time: u64) {
    write_log(message, INFO, note, time);
}

fn write_log(message: &mut Vec<u8>, level: u8, words: &str, time: u64) {
    let Time { sec, nsec } = Time::new(time);
    let _ = write!(
        message,
        "{{\"timestamp\":{{\"sec\":{sec},\"nsec\":{nsec}}},\"level\":{level},\"message\":{},\"name\":\"supple\",\"file\":\"\",\"line\":0}}",
        text(words)
    );
}

/// `x`, `y`, `z`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Along the first axis.
    pub x: f64,
    /// Along the second axis.
    pub y: f64,
    /// Along the third axis.
    pub z: f64,
}

impl From<[f64; 3]> for Point {
    fn from([x, y, z]: [f64; 3]) -> Self {
        Self { x, y, z }
    }
}

/// A quaternion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Orientation {
    /// First vector component.
    pub x: f64,
    /// Second vector component.
    pub y: f64,
    /// Third vector component.
    pub z: f64,
    /// Scalar part.
    pub w: f64,
}

/// Where something is and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Placement {
    /// Its origin.
    pub position: Point,
    /// Its attitude.
    pub orientation: Orientation,
}

impl Placement {
    /// At the origin, not turned.
    pub const ORIGIN: Self = Self {
        position: Point { x: 0.0, y: 0.0, z: 0.0 },
        orientation: Orientation { x: 0.0, y: 0.0, z: 0.0, w: 1.0 },
    };

    /// From a position and a quaternion `x, y, z, w`.
    pub fn new(position: [f64; 3], [x, y, z, w]: [f64; 4]) -> Self {
        Self { position: position.into(), orientation: Orientation { x, y, z, w } }
    }
}

/// Parts of red, green and blue, and opacity, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Color {
    /// Red.
    pub r: f64,
    /// Green.
    pub g: f64,
    /// Blue.
    pub b: f64,
    /// Opacity.
    pub a: f64,
}

/// A cuboid, or the ellipsoid in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Block {
    /// Its centre and axes.
    pub pose: Placement,
    /// Its sizes along its axes.
    pub size: Point,
    /// Its colour.
    pub color: Color,
}

/// A cylinder along its third axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cylinder {
    /// Its centre and axes.
    pub pose: Placement,
    /// Diameters, and length.
    pub size: Point,
    /// Radius at the bottom over that of the size.
    pub bottom_scale: f64,
    /// Radius at the top over that of the size.
    pub top_scale: f64,
    /// Its colour.
    pub color: Color,
}

/// Points joined one after the other.
pub const LINE_STRIP: u8 = 0;
/// Points joined in pairs.
pub const LINE_LIST: u8 = 2;

/// Lines through points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// [`LINE_STRIP`] or [`LINE_LIST`].
    #[serde(rename = "type")]
    pub kind: u8,
    /// Where the origin of the points is.
    pub pose: Placement,
    /// Thickness, in pixels where it is independent of the distance, in metres elsewhere.
    pub thickness: f64,
    /// Whether the thickness is in pixels.
    pub scale_invariant: bool,
    /// The points.
    pub points: Vec<Point>,
    /// Their colour.
    pub color: Color,
    /// A colour per point; none for one colour.
    pub colors: Vec<Color>,
    /// Which points are joined; none for all of them in order.
    pub indices: Vec<u32>,
}

/// Triangles in one colour.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Triangles {
    /// Where the origin of the points is.
    pub pose: Placement,
    /// Their corners, three for each.
    pub points: Vec<Point>,
    /// Their colour.
    pub color: Color,
    /// Never any.
    pub colors: [Value; 0],
    /// Never any: corners are taken in their order.
    pub indices: [Value; 0],
}

/// A model with all of its data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Model {
    /// Where its origin is.
    pub pose: Placement,
    /// How much larger it is along its axes.
    pub scale: Point,
    /// Its colour, where that is to be another one than its own.
    pub color: Color,
    /// Whether it is.
    pub override_color: bool,
    /// Never any.
    pub url: &'static str,
    /// What the data are.
    pub media_type: &'static str,
    /// The data in base64.
    pub data: String,
}

/// A thing in the scene, which replaces the one of the same name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entity {
    /// When it is there.
    pub timestamp: Time,
    /// Its reference frame.
    pub frame_id: String,
    /// Its name.
    pub id: String,
    /// How long it stays; zero for until it is replaced.
    pub lifetime: Time,
    /// Whether it moves with its frame.
    pub frame_locked: bool,
    /// Never any.
    pub metadata: [Value; 0],
    /// Never any.
    pub arrows: [Value; 0],
    /// Cuboids.
    pub cubes: Vec<Block>,
    /// Ellipsoids.
    pub spheres: Vec<Block>,
    /// Cylinders.
    pub cylinders: Vec<Cylinder>,
    /// Lines.
    pub lines: Vec<Line>,
    /// Surfaces.
    pub triangles: Vec<Triangles>,
    /// Never any.
    pub texts: [Value; 0],
    /// Models.
    pub models: Vec<Model>,
}

impl Entity {
    /// Nothing yet, in the frame `world`.
    pub fn new(id: &str, time: u64) -> Self {
        Self {
            timestamp: Time::new(time),
            frame_id: "world".to_owned(),
            id: id.to_owned(),
            lifetime: Time::new(0),
            frame_locked: false,
            metadata: [],
            arrows: [],
            cubes: Vec::new(),
            spheres: Vec::new(),
            cylinders: Vec::new(),
            lines: Vec::new(),
            triangles: Vec::new(),
            texts: [],
            models: Vec::new(),
        }
    }

    /// The same, moving with another frame from now on.
    #[must_use]
    pub fn moving_with(self, frame: &str) -> Self {
        Self { frame_id: frame.to_owned(), frame_locked: true, ..self }
    }
}

/// Appends a message of `foxglove.SceneUpdate`.
pub fn write_scene(message: &mut Vec<u8>, entities: &[Entity]) {
    #[derive(Serialize)]
    struct SceneUpdate<'e> {
        deletions: [Value; 0],
        entities: &'e [Entity],
    }
    // Our own data, with text for keys, always have a text.
    let _ = serde_json::to_writer(message, &SceneUpdate { deletions: [], entities });
}
