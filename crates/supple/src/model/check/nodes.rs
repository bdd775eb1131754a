//! What the nodes of a body must be.

use super::{finite, principal_moments};
use crate::model::description::{Body, Node};
use crate::model::label::NodeLabel;
use crate::model::problem::Problem;
use supple_spatial::{Matrix3, Symmetric3, Vector3};

pub(super) fn nodes(body: &Body, found: &mut Vec<Problem>) {
    for (index, node) in body.nodes.iter().enumerate() {
        let label = NodeLabel::of(index, node);
        let quantity = |what: &str| format!("{what} of node {label}");
        let numbers = [
            finite(&body.name, &quantity("position"), &node.position, found),
            finite(&body.name, &quantity("mass"), &[node.mass], found),
            finite(&body.name, &quantity("mass centre"), &node.mass_centre, found),
            finite(&body.name, &quantity("inertia"), node.inertia.as_flattened(), found),
            finite(&body.name, &quantity("modal influence"), node.influence.as_flattened(), found),
        ];
        if node.mass < 0.0 {
            found.push(Problem::NegativeMass { body: body.name.clone(), node: label.clone(), mass: node.mass });
        } else if numbers.iter().all(|ok| *ok) {
            inertia(&body.name, &label, node, body.modes.count == 0, found);
        }
        let expected = body.modes.count + body.modes.second_order.len();
        if !node.influence.is_empty() && node.influence.len() != expected {
            found.push(Problem::WrongSize {
                body: body.name.clone(),
                quantity: quantity("modal influence"),
                found: node.influence.len(),
                expected,
            });
        }
        finite(&body.name, &quantity("strain"), node.strain.as_flattened(), found);
        if !node.strain.is_empty() && node.strain.len() != body.modes.count {
            found.push(Problem::WrongSize {
                body: body.name.clone(),
                quantity: quantity("strain"),
                found: node.strain.len(),
                expected: body.modes.count,
            });
        }
    }
}

/// A node of a rigid body must obey the triangle rule itself. Those of a flexible body may stand for slices that carry only
/// twist, so there the rule holds for the body as a whole.
fn inertia(body: &str, label: &NodeLabel, node: &Node, rigid: bool, found: &mut Vec<Problem>) {
    let j = Matrix3(node.inertia);
    let size = j.0.as_flattened().iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    let difference = (j - j.transpose()).0.as_flattened().iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    if difference > 1e-9 * size {
        found.push(Problem::AsymmetricInertia { body: body.into(), node: label.clone(), difference });
        return;
    }
    let p = Vector3(node.mass_centre);
    let shift = Symmetric3::lever(p, p) * node.mass;
    let moments = principal_moments(j.symmetric_part() - shift);
    // Rounding of the shift to the mass centre sets the finest distinction that can be made.
    let noise = 1e-12 * (size + shift.0.iter().fold(0.0_f64, |a, x| a.max(x.abs())));
    if moments[0] < -noise {
        found.push(Problem::NegativeInertia { body: body.into(), node: label.clone(), moment: moments[0] });
    } else if rigid && moments[2] > moments[0] + moments[1] + noise {
        found.push(Problem::TriangleRule { body: body.into(), node: label.clone(), moments });
    }
}
