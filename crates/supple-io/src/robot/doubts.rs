//! Flexible links that are sound and yet hardly what was meant: noted, not refused.

use super::assemble::carrying_node;
use super::reading::Reading;
use super::side_file::{FlexibleLink, SideFile};
use super::text::{Link, RobotText};
use super::tree::Order;
use crate::source::Rule;

/// How far a joint may be from the node that carries it, in lengths of the link. Elbows that stand beside their arm are closer.
const FAR: f64 = 0.5;
/// By which factor the mass of the link may differ from that of the robot file.
const MASS_RATIO: f64 = 2.0;

/// Notes of joints that end up far from every node of the flexible link that carries them, and of masses that have changed much.
pub(crate) fn note(robot: &RobotText, order: &Order, side: &SideFile, reading: &mut Reading<'_>) {
    for (link, _) in order {
        let Some(flexible) = side.flexible.get(link) else { continue };
        let link = &robot.links[*link];
        mass(robot, link, flexible, reading);
        if !link.markers.is_empty() {
            let names: Vec<&str> = link.markers.iter().filter_map(|node| node.name.as_deref()).collect();
            let what =
                format!("its sites {} are left out: a flexible link has the nodes of the side file", names.join(", "));
            let expected = "`stations` of the beam, or `nodes`".into();
            reading.note(link.span.clone(), &robot.subject(link), Rule::Mismatch { what, expected });
        }
        for (k, joint) in robot.joints.iter().enumerate().filter(|(_, joint)| joint.parent.0 == link.name) {
            let chosen = flexible.attach.contains_key(&k);
            let (node, offset) = carrying_node(flexible, Some(k), joint.position);
            let away = norm(offset);
            if chosen || away <= FAR * length(flexible) {
                continue;
            }
            let name = flexible.parts.nodes.get(node.0).and_then(|node| node.name.clone());
            let name = name.unwrap_or_else(|| node.0.to_string());
            let [x, y, z] = joint.position;
            let what = format!(
                "the joint, at ({x}, {y}, {z}), is {away:.3} m from node `{name}` of the flexible link '{}', the nearest",
                link.name
            );
            let expected = "a node near the joint: is the `direction` of the beam right, and its `length`? URDF links often run along z; \
                            `attach` in the side file names a node for the joint";
            let subject = format!("joint '{}'", joint.name);
            reading.note(joint.span.clone(), &subject, Rule::Mismatch { what, expected: expected.into() });
        }
    }
}

fn mass(robot: &RobotText, link: &Link, flexible: &FlexibleLink, reading: &mut Reading<'_>) {
    let parts = &flexible.parts;
    let tables = parts.modal_inertia.as_ref().map_or(0.0, |tables| tables.mass);
    let own = tables + parts.nodes.iter().map(|node| node.mass).sum::<f64>();
    let ratio = own / link.mass;
    if !(ratio.is_finite() && ratio > 0.0) || (1.0 / MASS_RATIO..=MASS_RATIO).contains(&ratio) {
        return;
    }
    let format = robot.format_word();
    let what = format!(
        "the {format} gives {:.4} kg, the flexible link of the side file, which is used, {own:.4} kg",
        link.mass
    );
    let expected = if ratio < 1.0 {
        "about the same mass; model motors and housings as `tip` of the beam, or as links on its `stations`"
    } else {
        "about the same mass; check that all units are m, kg and Pa"
    };
    let span = link.inertial_span.clone().unwrap_or(link.span.clone());
    let subject = robot.subject(link);
    reading.note(span, &subject, Rule::Mismatch { what, expected: expected.into() });
}

/// From the node at the hinge to the farthest one.
fn length(flexible: &FlexibleLink) -> f64 {
    let nodes = &flexible.parts.nodes;
    let Some(root) = nodes.get(flexible.parts.inboard.0) else { return 0.0 };
    let from_root = |place: [f64; 3]| norm(std::array::from_fn(|i| place[i] - root.position[i]));
    nodes.iter().fold(0.0, |most, node| f64::max(most, from_root(node.position)))
}

fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}
