//! Where a node is in its parent.

use roxmltree::Node;

use super::{here, text};
use crate::mesh::affine::Affine;
use crate::mesh::error::Fault;
use crate::mesh::text::numbers;

/// All its transformations, one after the other.
pub(super) fn of_node(node: Node<'_, '_>) -> Result<Affine, Fault> {
    let mut place = Affine::IDENTITY;
    for step in node.children().filter(Node::is_element) {
        let own = of_step(step).map_err(here(step))?;
        if let Some(own) = own {
            place = place.after(&own);
        }
    }
    Ok(place)
}

fn of_step(step: Node<'_, '_>) -> Result<Option<Affine>, Fault> {
    Ok(Some(match step.tag_name().name() {
        "translate" => Affine::translation(numbers(&text(step))?),
        "scale" => Affine::scale(numbers(&text(step))?),
        "rotate" => {
            let [x, y, z, degrees] = numbers(&text(step))?;
            let length = (x * x + y * y + z * z).sqrt();
            let (sin, cos) = (0.5 * degrees.to_radians()).sin_cos();
            let part = |axis: f64| if length > 0.0 { axis / length * sin } else { 0.0 };
            Affine::rotation([part(x), part(y), part(z), cos])
        }
        "matrix" => {
            let rows: [f64; 16] = numbers(&text(step))?;
            Affine(std::array::from_fn(|i| std::array::from_fn(|j| rows[4 * i + j])))
        }
        kind @ ("lookat" | "skew") => {
            let remedy = "export the mesh with its nodes as matrices";
            return Err(Fault::unread(format!("the transformation `{kind}`"), remedy));
        }
        _ => return Ok(None),
    }))
}
