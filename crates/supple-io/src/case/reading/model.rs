//! The member `model`.

use supple::{ElasticRotation, HingeKind, InertiaConvention};

use super::geometry::{IDENTITY, check_symmetric, direction, rotation};
use super::loops;
use super::order::parents_first;
use super::tensor;
use super::value::{Members, Value, read_all};
use crate::case::error::Rule;
use crate::case::schema::{CaseBody, CaseModel, CaseNode, MAX_MODES};
use crate::case::words;

const MODEL: &[&str] = &["tip_rotation", "inertia", "gravity", "bodies", "loops"];
const BODY: &[&str] = &[
    "name",
    "parent",
    "parent_node",
    "inboard_node",
    "hinge_pos",
    "hinge_rot",
    "joint",
    "nm",
    "Km",
    "Dm",
    "K3",
    "K4",
    "nodes",
];
const NODE: &[&str] = &["m", "p", "J", "l0", "Pi"];
const JOINT: &[&str] = &["type", "axis", "axes"];

/// The model, and its bodies with parents first. Only a `closed` one may have loops.
pub(super) fn read(value: Value<'_, '_>, closed: bool) -> Option<(CaseModel, Vec<usize>)> {
    let model = value.members(MODEL)?;
    let tip_rotation =
        model.or("tip_rotation", ElasticRotation::Integrated, |v| choice(v, words::TIP_ROTATIONS, words::tip_rotation));
    let inertia = model.or("inertia", InertiaConvention::NewtonEuler, |v| choice(v, words::INERTIAS, words::inertia));
    let gravity = model.need("gravity").and_then(|v| v.array("axis"));
    let list = model.need("bodies")?.items()?;
    let count = list.len();
    let bodies = read_all(&list, |v| read_body(v, count))?;
    let parts = list.iter().zip(&bodies).map(|(value, body)| check_parent_node(*value, body, &bodies));
    // All of them, not up to the first that fails.
    if parts.filter(|kept| !kept).count() > 0 {
        return None;
    }
    let loops = model.or("loops", Vec::new(), |v| {
        let because = "only cases of kind `closed` have loops";
        let kept = closed || v.items()?.is_empty();
        v.check(kept, || Rule::UselessMember { member: "loops", because }).then(|| loops::read(v, &bodies))?
    });
    let parents: Vec<_> = bodies.iter().map(|body| body.parent).collect();
    match parents_first(&parents) {
        Ok(order) => {
            let (tip_rotation, inertia, gravity, loops) = (tip_rotation?, inertia?, gravity?, loops?);
            Some((CaseModel { tip_rotation, inertia, gravity, bodies, loops }, order))
        }
        Err(circle) => {
            if let Some(parent) = list[circle[0]].object().and_then(|body| body.get("parent")) {
                parent.broken(Rule::ParentCycle { bodies: circle });
            }
            None
        }
    }
}

/// A word and what it stands for.
pub(super) fn choice<T>(
    value: Value<'_, '_>,
    known: &'static [&'static str],
    meaning: impl FnOnce(&str) -> Option<T>,
) -> Option<T> {
    let word = value.word()?;
    let found = meaning(&word);
    let told = || super::place::shorten(&word, 40);
    value.check(found.is_some(), || Rule::UnknownWord { found: told(), known });
    found
}

fn read_body(value: Value<'_, '_>, count: usize) -> Option<CaseBody> {
    let body = value.members(BODY)?;
    let name = body.or("name", None, |v| v.word().map(Some));
    let parent = body.need("parent").and_then(|v| v.index(-1, count, "body"));
    let parent_node = match parent {
        // Inertial space has one node; what the file says about it has no meaning.
        Some(-1) => body.or("parent_node", 0, |v| v.whole_number()).map(|_| 0),
        _ => body.need("parent_node").and_then(|v| v.place_in(usize::MAX, "node of the parent")),
    };
    let hinge_pos = body.or("hinge_pos", [0.0; 3], |v| v.array("axis"));
    let hinge_rot = body.or("hinge_rot", IDENTITY, rotation);
    let joint = body.need("joint").and_then(read_joint);
    let list = body.need("nodes").and_then(|v| v.items());
    let inboard_node = body.need("inboard_node").and_then(|v| match &list {
        Some(nodes) => v.place_in(nodes.len(), "node"),
        None => None,
    });
    // The sizes of all the rest follow from the number of modes.
    let nm = body.or("nm", 0, read_mode_count)?;
    let stiffness = read_modal_matrix(&body, "Km", nm);
    let damping = read_modal_matrix(&body, "Dm", nm);
    let cubic = body.or("K3", Vec::new(), |v| tensor::read::<3>(v, nm));
    let quartic = body.or("K4", Vec::new(), |v| tensor::read::<4>(v, nm));
    let nodes = read_all(&list?, |v| read_node(v, nm));
    Some(CaseBody {
        name: name?,
        parent: usize::try_from(parent?).ok(),
        parent_node: parent_node?,
        inboard_node: inboard_node?,
        hinge_pos: hinge_pos?,
        hinge_rot: hinge_rot?,
        joint: joint?,
        nm,
        stiffness: stiffness?,
        damping: damping?,
        cubic: cubic?,
        quartic: quartic?,
        nodes: nodes?,
    })
}

fn read_mode_count(value: Value<'_, '_>) -> Option<usize> {
    let found = value.whole_number()?;
    let count = usize::try_from(found).ok().filter(|&count| count <= MAX_MODES);
    value.check(count.is_some(), || Rule::TooMany { found, limit: MAX_MODES, what: "modes" });
    count
}

fn read_modal_matrix(body: &Members<'_, '_>, name: &str, nm: usize) -> Option<Option<Vec<Vec<f64>>>> {
    body.or(name, None, |value| {
        let matrix = value.matrix((nm, "mode"), (nm, "mode"))?;
        check_symmetric(value, &matrix).then_some(Some(matrix).filter(|_| nm > 0))
    })
}

fn read_joint(value: Value<'_, '_>) -> Option<HingeKind> {
    let joint = value.members(JOINT)?;
    let word = joint.need("type")?.word()?;
    let refuse = |member: &'static str, because: &'static str| {
        let given = joint.get(member);
        given.is_none_or(|v| v.check(false, || Rule::UselessMember { member, because }))
    };
    let one_axis = || {
        let kept = refuse("axes", "this joint has one axis, the member `axis`");
        joint.need("axis").and_then(direction).filter(|_| kept)
    };
    let no_axis = |kind: HingeKind| {
        let because = "this joint has no axis of its own";
        (refuse("axis", because) & refuse("axes", because)).then_some(kind)
    };
    match word.as_str() {
        "fixed" => no_axis(HingeKind::Fixed),
        "spherical" => no_axis(HingeKind::Spherical),
        "free" => no_axis(HingeKind::Free),
        "revolute" => one_axis().map(|axis| HingeKind::Revolute { axis }),
        "prismatic" => one_axis().map(|axis| HingeKind::Prismatic { axis }),
        "universal" => {
            let kept = refuse("axis", "this joint has two axes, the member `axes`");
            let axes = joint.need("axes")?.items_per(2, "axis of the universal joint")?;
            let [first, second] = [direction(axes[0]), direction(axes[1])];
            let axes = [first?, second?];
            kept.then_some(HingeKind::Universal { axes })
        }
        _ => joint.get("type").and_then(|v| choice(v, words::JOINTS, |_| None)),
    }
}

fn read_node(value: Value<'_, '_>, nm: usize) -> Option<CaseNode> {
    let node = value.members(NODE)?;
    let mass = node.need("m").and_then(|v| v.number());
    let mass_centre = node.or("p", [0.0; 3], |v| v.array("axis"));
    let inertia = node.or("J", [[0.0; 3]; 3], |v| {
        let inertia = v.matrix3()?;
        check_symmetric(v, &inertia).then_some(inertia)
    });
    let position = node.need("l0").and_then(|v| v.array("axis"));
    let influence = node.or("Pi", None, |v| {
        v.matrix((6, "rotation and translation"), (nm, "mode")).map(|rows| Some(rows).filter(|_| nm > 0))
    });
    Some(CaseNode {
        mass: mass?,
        mass_centre: mass_centre?,
        inertia: inertia?,
        position: position?,
        influence: influence?,
    })
}

/// The node of the parent can be checked only when all bodies are known.
fn check_parent_node(value: Value<'_, '_>, body: &CaseBody, bodies: &[CaseBody]) -> bool {
    let Some(parent) = body.parent else { return true };
    let end = bodies[parent].nodes.len();
    let member = value.object().and_then(|body| body.get("parent_node"));
    member.is_some_and(|v| v.place_in(end, "node of the parent").is_some())
}
