//! The members of a trajectory: what drives it, and when it is sampled.

use std::collections::BTreeMap;

use super::model;
use super::value::{Members, Value, read_all};
use crate::case::Case;
use crate::case::error::Rule;
use crate::case::schema::{BodyState, CaseModel, CaseState};
use crate::case::trajectory::CaseTorque;

const CONSTANT: &[&str] = &["type", "T"];
const SPIN_UP: &[&str] = &["type", "index", "J", "omega", "T"];
const RIGID_INVERSE: &[&str] = &["type", "rigid_model", "theta_d", "T", "index"];
const TYPES: &[&str] = &["constant", "spin_up", "rigid_inverse"];

/// The drive of a system with a number of `speeds`.
pub(super) fn read_torque(value: Value<'_, '_>, speeds: usize) -> Option<CaseTorque> {
    let torque = value.object()?;
    let kind = torque.need("type")?;
    model::choice(kind, TYPES, |word| TYPES.iter().position(|known| *known == word)).and_then(|at| match at {
        0 => {
            torque.check_names(CONSTANT);
            Some(CaseTorque::Constant { forces: torque.need("T")?.numbers(speeds, "generalized speed")? })
        }
        1 => {
            torque.check_names(SPIN_UP);
            let index = torque.need("index").and_then(|v| v.place_in(speeds, "generalized speed"));
            let inertia = torque.need("J").and_then(|v| v.number());
            let rate = torque.need("omega").and_then(|v| v.number());
            let duration = duration(&torque);
            Some(CaseTorque::SpinUp { index: index?, inertia: inertia?, rate: rate?, duration: duration? })
        }
        _ => {
            torque.check_names(RIGID_INVERSE);
            let rigid = torque.need("rigid_model").and_then(read_rigid);
            let angle = torque.need("theta_d").and_then(|v| v.number());
            let duration = duration(&torque);
            let list = torque.need("index");
            let rigid = rigid?;
            let list = list?.items_per(rigid.model.bodies.len(), "hinge of the rigid model")?;
            let indices = read_all(&list, |v| v.place_in(speeds, "generalized speed"))?;
            Some(CaseTorque::RigidInverse { rigid: Box::new(rigid), angle: angle?, duration: duration?, indices })
        }
    })
}

fn duration(torque: &Members<'_, '_>) -> Option<f64> {
    let value = torque.need("T")?;
    let found = value.number()?;
    let rule = || Rule::Range { found, rule: "a duration must be positive" };
    value.check(found > 0.0, rule).then_some(found)
}

/// A model of rigid bodies on hinges of one coordinate, at rest.
fn read_rigid(value: Value<'_, '_>) -> Option<Case> {
    let (model, order) = model::read(value, false)?;
    let single = model.bodies.iter().all(|body| body.joint.sizes() == (1, 1) && body.nm == 0);
    let rule = || Rule::UselessMember {
        member: "rigid_model",
        because: "inverse dynamics on one angle needs rigid bodies with revolute or prismatic joints",
    };
    value.check(single, rule).then(|| at_rest(model, order))
}

fn at_rest(model: CaseModel, order: Vec<usize>) -> Case {
    let speeds = model.bodies.len();
    let body = BodyState { theta: vec![0.0], beta: vec![0.0], ..BodyState::default() };
    Case {
        name: None,
        features: Vec::new(),
        note: None,
        condition: None,
        state: CaseState { bodies: vec![body; speeds], node_attitudes: Vec::new() },
        model,
        order,
        wrenches: Vec::new(),
        forces: vec![0.0; speeds],
        accelerations: vec![0.0; speeds],
        expected: None,
    }
}

/// Times from zero on, in order.
pub(super) fn read_times(value: Value<'_, '_>) -> Option<Vec<f64>> {
    let mut last = 0.0;
    read_all(&value.items()?, |item| {
        let found = item.number()?;
        let kept =
            item.check(found >= last, || Rule::Range { found, rule: "times must start at 0 or later and not fall" });
        last = found;
        kept.then_some(found)
    })
}

/// Tolerances by channel.
pub(super) fn read_tolerances(value: Value<'_, '_>) -> Option<BTreeMap<String, f64>> {
    let members = value.object()?;
    members.all().map(|(name, value)| Some((name.to_owned(), value.number()?))).collect()
}
