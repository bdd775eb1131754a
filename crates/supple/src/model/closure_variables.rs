//! Variables of closures.

use super::Model;
use super::closing::ClosureData;
use super::closure::Constraint;
use super::joint::Turn;
use super::variables::{List, VariableKind, speed_names};

/// Adds the variables of all closures, closure by closure within each kind.
pub(super) fn add<T>(model: &Model<T>, list: &mut List) {
    let name = |i: usize| model.closures()[i].name.clone().unwrap_or_else(|| i.to_string());
    let count = model.closures().len();
    for i in 0..count {
        let what = ("1", "whether the closure acts: 1 or 0");
        list.add(format!("closure.{}.closed", name(i)), what, (VariableKind::ClosureState, i), None);
    }
    let is_joint = |i: &usize| matches!(model.closures()[*i].constraint, Constraint::Joint { .. });
    for i in (0..count).filter(is_joint) {
        let quantities =
            [("distance", "m", "distance of the frames' origins"), ("angle", "rad", "angle between the frames")];
        for (part, (word, unit, what)) in quantities.into_iter().enumerate() {
            let at = (VariableKind::ClosureSeparation, 2 * i + part);
            list.add(format!("closure.{}.{word}", name(i)), (unit, what), at, None);
        }
    }
    let mut equation = 0;
    for i in 0..count {
        for row in 0..model.topology.closures[i].rows.len() {
            let (what, at) = ("deviation of an equation", (VariableKind::ClosureDeviation, equation));
            list.add(format!("closure.{}.deviation.{}", name(i), row + 1), (unit(model, i, row), what), at, None);
            equation += 1;
        }
    }
    for i in (0..count).filter(is_joint) {
        let what = "wrench of the closure on its frame b, about its origin, in inertial axes";
        list.add_wrench(&format!("closure.{}", name(i)), what, (VariableKind::ClosureWrench, 6 * i), None);
    }
    for i in (0..count).filter(|i| !is_joint(i)) {
        let what = (if turns(model, i) { "N m" } else { "N" }, "force of the coupling at a factor of one");
        list.add(format!("closure.{}.force", name(i)), what, (VariableKind::ClosureForce, i), None);
    }
}

/// Unit of the deviation of an equation.
fn unit<T>(model: &Model<T>, closure: usize, row: usize) -> &'static str {
    match &model.closing[closure] {
        ClosureData::Coupling(..) if turns(model, closure) => "rad",
        ClosureData::Joint(joint, _) if joint.turns.get(row) == Some(&Turn::Between) => "1",
        data if row < data.turning_rows() => "rad",
        _ => "m",
    }
}

/// Whether the first hinge of a coupling turns.
fn turns<T>(model: &Model<T>, closure: usize) -> bool {
    let Constraint::Coupling { hinges, .. } = &model.closures()[closure].constraint else { return false };
    let first = hinges.first();
    let direction = first.and_then(|hinge| speed_names(model.names.kinds.get(hinge.body.0)?).get(hinge.speed));
    direction.is_some_and(|(_, turns)| *turns)
}
