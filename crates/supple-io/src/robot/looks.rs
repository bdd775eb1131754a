//! What links look like.

use std::ops::Range;

use supple::spatial::{Matrix3, Quaternion};

use super::reading::Reading;
use super::text::RobotText;
use super::tree::Order;
use crate::mesh::Meshes;
use crate::source::Rule;
use crate::visual::{Shape, Visual};

/// Red, green, blue, opacity.
pub(crate) type Colour = [f32; 4];

/// A shape of a link.
pub(crate) struct Look {
    pub(crate) position: [f64; 3],
    pub(crate) rotation: [[f64; 3]; 3],
    pub(crate) form: Form,
    pub(crate) colour: Option<Colour>,
}

/// What the shape is.
pub(crate) enum Form {
    /// Given by numbers.
    Shape(Shape),
    /// To be read from a file.
    Mesh {
        /// The file as its user names it.
        file: String,
        /// Where that stands.
        span: Range<usize>,
        /// Along its axes.
        scale: [f64; 3],
    },
}

/// The shapes of all links, bodies in the order of the system. Meshes that cannot be read are reported.
pub(crate) fn visuals(robot: &RobotText, order: &Order, meshes: &mut Meshes, reading: &mut Reading<'_>) -> Vec<Visual> {
    let mut visuals = Vec::new();
    let mut unread = None;
    for (body, (link, _)) in order.iter().enumerate() {
        let link = &robot.links[*link];
        for look in &link.looks {
            let shape = match &look.form {
                Form::Shape(shape) => shape.clone(),
                Form::Mesh { file, span, scale } => match meshes.read(file, *scale) {
                    Ok(Some(mesh)) => Shape::Mesh(mesh),
                    Ok(None) => {
                        unread.get_or_insert(span.clone());
                        continue;
                    }
                    Err(error) => {
                        reading.defect(span.clone(), &robot.subject(link), Rule::Mesh(error));
                        continue;
                    }
                },
            };
            let attitude = Quaternion::from_matrix(&Matrix3(look.rotation)).0;
            visuals.push(Visual { body, node: None, position: look.position, attitude, shape, colour: look.colour });
        }
    }
    if let (Some(span), Some((what, expected))) = (unread, meshes.unread()) {
        reading.note(span, "", Rule::Mismatch { what, expected: expected.to_owned() });
    }
    visuals
}
