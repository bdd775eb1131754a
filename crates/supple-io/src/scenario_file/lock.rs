//! Hinges that a scenario locks and unlocks: closures of its model that hold them, open at the start.

use std::collections::HashSet;

use supple::model::speed_names;
use supple::{BodyIndex, Closure, ClosureKind, CoupledHinge, HingeKind, Model, Mount, System};

use super::names::Names;
use crate::document::{Table, Value};
use crate::model_file::ModelFile;
use crate::source::{Report, Rule, Source};

/// A hinge that can be locked.
#[derive(Clone, Debug, PartialEq)]
pub struct Lock {
    /// The body of the hinge.
    pub body: BodyIndex,
    /// The closures that hold it, by their places in the model.
    pub closures: Vec<usize>,
}

/// Gives a model the gravity of its scenario, and closures for the hinges that this locks; what cannot be locked is reported.
pub(super) fn change(
    file: &mut ModelFile,
    document: Table<'_>,
    source: &Source,
    report: &mut Report,
) -> Option<Vec<Lock>> {
    let gravity = document.vector("gravity");
    let names = Names::new(&file.system);
    let motions = document.tables("motion");
    let moved = motions.iter().filter_map(|table| names.hinge(table.text("hinge")?)).collect();
    let bodies = locked_hinges(document, &file.system, &moved, source, report);
    file.system.gravity = gravity.unwrap_or(file.system.gravity);
    let locks = add_locks(&mut file.system, &bodies);
    if gravity.is_none() && locks.is_empty() {
        return Some(locks);
    }
    match Model::build(&file.system) {
        Ok(model) => file.model = model,
        Err(_) if locks.is_empty() => return None,
        Err(_) => {
            let what = "closures of the model have the names of locks, `lock of HINGE`".into();
            let rule = Rule::Mismatch { what, expected: "other names there".into() };
            report.add(source, document.span_of("model"), rule);
            return None;
        }
    }
    Some(locks)
}

/// The texts of a list, with their values.
pub(super) fn texts<'d>(table: Table<'d>, key: &str) -> Vec<(&'d str, Value<'d>)> {
    let items = table.get(key).and_then(Value::items).into_iter().flatten();
    items.filter_map(|item| Some((item.text()?, item))).collect()
}

/// The hinges that a scenario locks or unlocks; `moved` have prescribed motions. What cannot be locked is reported.
fn locked_hinges(
    document: Table<'_>,
    system: &System,
    moved: &HashSet<BodyIndex>,
    source: &Source,
    report: &mut Report,
) -> Vec<BodyIndex> {
    let names = Names::new(system);
    let initial = document.table("initial").into_iter().flat_map(|table| texts(table, "locked"));
    let events = document.tables("events");
    let of_events = events.iter().flat_map(|table| ["lock", "unlock"].map(|key| texts(*table, key))).flatten();
    let mut bodies = Vec::new();
    for (name, value) in initial.chain(of_events) {
        let Some(body) = names.hinge(name) else {
            let moves = |name: &&str| names.hinge(name).is_some_and(|body| sizes(system, body).1 > 0);
            let known = report.names(names.hinges().filter(moves));
            report.add(source, value.span(), Rule::UnknownName { kind: "hinge", name: name.to_owned(), known });
            continue;
        };
        let fault = if sizes(system, body).1 == 0 {
            Some((format!("the hinge `{name}` is fixed"), "a hinge that can move"))
        } else if moved.contains(&body) {
            let what = format!("hinge `{name}` has a prescribed motion, so it cannot be locked");
            Some((what, "a hinge without a motion; a motion with `rate = 0` holds it for the whole run"))
        } else {
            None
        };
        if let Some((what, expected)) = fault {
            report.add(source, value.span(), Rule::Mismatch { what, expected: expected.into() });
        } else if !bodies.contains(&body) {
            bodies.push(body);
        }
    }
    bodies
}

fn sizes(system: &System, body: BodyIndex) -> (usize, usize) {
    system.bodies[body.0].hinge.kind.sizes()
}

/// Adds the closures that lock these hinges to a system.
fn add_locks(system: &mut System, bodies: &[BodyIndex]) -> Vec<Lock> {
    let mut locks = Vec::new();
    for &body in bodies {
        let owner = &system.bodies[body.0];
        let hinge = owner.hinge.name.as_ref().unwrap_or(&owner.name);
        let closures: Vec<Closure> = match owner.hinge.kind {
            // Turned by quaternions: directions have no coordinates.
            HingeKind::Spherical | HingeKind::Free => {
                let (centre, rotation) = (owner.hinge.position, owner.hinge.rotation);
                // A metre from the centre, where the hinge itself holds nothing: rank is judged by the size of equations.
                let position = std::array::from_fn(|i| centre[i] + rotation[i][0]);
                let a = Mount { parent: owner.parent, position, rotation };
                let b = Mount::node(body, owner.inboard_node);
                vec![Closure::joint(ClosureKind::Weld, a, b).named(format!("lock of {hinge}"))]
            }
            _ => {
                let coupling = |(speed, (part, _)): (usize, &(&str, bool))| {
                    Closure::coupling([CoupledHinge { body, speed, factor: 1.0 }], 0.0)
                        .named(format!("lock of {hinge}{part}"))
                };
                speed_names(&owner.hinge.kind).iter().enumerate().map(coupling).collect()
            }
        };
        let first = system.closures.len();
        locks.push(Lock { body, closures: (first..first + closures.len()).collect() });
        system.closures.extend(closures);
    }
    locks
}
