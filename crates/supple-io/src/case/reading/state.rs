//! The members `state` and `wrenches`, measured against the model.

use std::collections::{BTreeMap, BTreeSet};

use supple::{ElasticRotation, HingeKind};

use super::geometry::{TOLERANCE, check_unit};
use super::model::choice;
use super::value::{Members, Value, read_all};
use crate::case::error::Rule;
use crate::case::schema::{BodyState, CaseBody, CaseFrame, CaseModel, CaseState, CaseWrench, NodeAttitude};
use crate::case::words;

const STATE: &[&str] = &["bodies", "node_attitudes"];
const BODY: &[&str] = &["eta", "etad", "theta", "beta"];
const ATTITUDE: &[&str] = &["body", "node", "quat"];
const WRENCH: &[&str] = &["body", "node", "frame", "wrench"];

pub(super) fn read(value: Value<'_, '_>, model: &CaseModel) -> Option<CaseState> {
    let state = value.members(STATE)?;
    let bodies = state.need("bodies").and_then(|v| {
        let list = v.items_per(model.bodies.len(), "body of the model")?;
        let mut bodies = model.bodies.iter();
        read_all(&list, |v| read_body(v, bodies.next()?))
    });
    let attitudes = state.get("node_attitudes");
    let node_attitudes = match attitudes {
        Some(v) => read_attitudes(v, model),
        None => Some(Vec::new()),
    }?;
    let listed: BTreeSet<_> = node_attitudes.iter().map(|a| (a.body, a.node)).collect();
    let mut complete = true;
    for (body, node) in needed_attitudes(model) {
        complete &=
            attitudes.unwrap_or(value).check(listed.contains(&(body, node)), || Rule::MissingAttitude { body, node });
    }
    let bodies = bodies?;
    complete.then_some(CaseState { bodies, node_attitudes })
}

fn read_body(value: Value<'_, '_>, body: &CaseBody) -> Option<BodyState> {
    let state = value.members(BODY)?;
    let (coordinates, speeds) = body.joint.sizes();
    let eta = read_list(&state, "eta", body.nm, "mode");
    let etad = read_list(&state, "etad", body.nm, "mode");
    let theta = read_list(&state, "theta", coordinates, "hinge coordinate");
    let beta = read_list(&state, "beta", speeds, "hinge speed");
    let theta = theta?;
    if let (HingeKind::Spherical | HingeKind::Free, Some(value)) = (&body.joint, state.get("theta"))
        && !check_unit(value, &theta[..4])
    {
        return None;
    }
    Some(BodyState { eta: eta?, etad: etad?, theta, beta: beta? })
}

/// A list that may be absent only where it would be empty.
fn read_list(state: &Members<'_, '_>, name: &'static str, count: usize, one_per: &'static str) -> Option<Vec<f64>> {
    match (state.get(name), count) {
        (None, 0) => Some(Vec::new()),
        _ => state.need(name)?.numbers(count, one_per),
    }
}

/// Nodes that carry a hinge or a frame of a loop and that modes turn: their attitudes are states when integrated.
fn needed_attitudes(model: &CaseModel) -> Vec<(usize, usize)> {
    if model.tip_rotation != ElasticRotation::Integrated {
        return Vec::new();
    }
    let mut nodes = hinge_nodes(model);
    nodes.retain(|&(body, node)| model.bodies[body].nodes[node].has_slope());
    nodes
}

/// Nodes at either side of a hinge or loop, sorted, each once.
fn hinge_nodes(model: &CaseModel) -> Vec<(usize, usize)> {
    let inboard = model.bodies.iter().enumerate().map(|(k, body)| (k, body.inboard_node));
    let outboard = model.bodies.iter().filter_map(|body| body.parent.map(|parent| (parent, body.parent_node)));
    let sides = model.loops.iter().flat_map(|told| [&told.a, &told.b]);
    let closed = sides.filter_map(|side| side.body.map(|body| (body, side.node)));
    let mut nodes: Vec<_> = inboard.chain(outboard).chain(closed).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

fn read_attitudes(value: Value<'_, '_>, model: &CaseModel) -> Option<Vec<NodeAttitude>> {
    let items = value.items()?;
    let hinge_nodes = hinge_nodes(model);
    let mut first = BTreeMap::new();
    let mut attitudes = Vec::with_capacity(items.len());
    let mut kept = true;
    for (i, item) in items.iter().enumerate() {
        let Some(attitude) = read_attitude(*item, model, &hinge_nodes) else {
            kept = false;
            continue;
        };
        let earlier = *first.entry((attitude.body, attitude.node)).or_insert(i);
        kept &= item.check(earlier == i, || Rule::RepeatedEntry { what: "the attitude of this node", first: earlier });
        attitudes.push(attitude);
    }
    kept.then_some(attitudes)
}

fn read_attitude(item: Value<'_, '_>, model: &CaseModel, hinge_nodes: &[(usize, usize)]) -> Option<NodeAttitude> {
    let attitude = item.members(ATTITUDE)?;
    let place = read_node_place(&attitude, model);
    let quaternion = attitude.need("quat")?;
    let quat: [f64; 4] = quaternion.array("component w, x, y, z")?;
    let (body, node) = place?;
    if !check_unit(quaternion, &quat) {
        return None;
    }
    let turned = quat[1..].iter().any(|x| x.abs() > TOLERANCE);
    let refuse = |because| item.check(false, || Rule::UselessAttitude { because });
    let kept = if model.tip_rotation != ElasticRotation::Integrated {
        refuse("attitudes are states only with tip_rotation `integrated`")
    } else if hinge_nodes.binary_search(&(body, node)).is_err() {
        refuse("no hinge and no loop is at this node")
    } else if turned && !model.bodies[body].nodes[node].has_slope() {
        refuse("no mode turns this node, so it keeps the attitude [1, 0, 0, 0]")
    } else {
        true
    };
    kept.then_some(NodeAttitude { body, node, quat })
}

/// The members `body` and `node`.
fn read_node_place(members: &Members<'_, '_>, model: &CaseModel) -> Option<(usize, usize)> {
    let node = members.need("node");
    let body = members.need("body")?.place_in(model.bodies.len(), "body")?;
    Some((body, node?.place_in(model.bodies[body].nodes.len(), "node")?))
}

pub(super) fn read_wrenches(value: Value<'_, '_>, model: &CaseModel) -> Option<Vec<CaseWrench>> {
    read_all(&value.items()?, |item| read_wrench(item, model))
}

fn read_wrench(item: Value<'_, '_>, model: &CaseModel) -> Option<CaseWrench> {
    let members = item.members(WRENCH)?;
    let place = read_node_place(&members, model);
    let frame = members.need("frame").and_then(|v| {
        choice(v, words::FRAMES, |word| match word {
            "body" => Some(CaseFrame::Body),
            "inertial" => Some(CaseFrame::Inertial),
            _ => None,
        })
    });
    let wrench = members.need("wrench").and_then(|v| v.array("component of moment and force"));
    let (body, node) = place?;
    Some(CaseWrench { body, node, frame: frame?, wrench: wrench? })
}
