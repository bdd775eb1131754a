//! The member `model.loops`.

use supple::ClosureKind;

use super::geometry::{IDENTITY, direction, rotation};
use super::model::choice;
use super::value::{Members, Value, read_all};
use crate::case::error::Rule;
use crate::case::schema::{CaseBody, CaseLoop, CaseSide, MAX_LOOPS};
use crate::case::words;

const LOOP: &[&str] = &["type", "a", "b", "axis"];
const SIDE: &[&str] = &["body", "node", "pos", "rot"];

/// The loops that close a tree of `bodies`.
pub(super) fn read(value: Value<'_, '_>, bodies: &[CaseBody]) -> Option<Vec<CaseLoop>> {
    let list = value.items()?;
    let found = list.len() as i64;
    let kept = value.check(list.len() <= MAX_LOOPS, || Rule::TooMany { found, limit: MAX_LOOPS, what: "loops" });
    kept.then(|| read_all(&list, |item| read_loop(item, bodies)))?
}

fn read_loop(value: Value<'_, '_>, bodies: &[CaseBody]) -> Option<CaseLoop> {
    let members = value.members(LOOP)?;
    let a = members.need("a").and_then(|v| read_side(v, bodies));
    let b = members.need("b").and_then(|v| read_side(v, bodies));
    let kind = read_kind(&members);
    Some(CaseLoop { kind: kind?, a: a?, b: b? })
}

fn read_kind(members: &Members<'_, '_>) -> Option<ClosureKind> {
    let known = |word: &str| words::LOOPS.iter().position(|known| *known == word);
    let kind = match choice(members.need("type")?, words::LOOPS, known)? {
        0 => ClosureKind::Weld,
        1 => return Some(ClosureKind::Revolute { axis: members.need("axis").and_then(direction)? }),
        _ => ClosureKind::Ball,
    };
    let rule = || Rule::UselessMember { member: "axis", because: "only a revolute loop has an axis" };
    members.get("axis").is_none_or(|v| v.check(false, rule)).then_some(kind)
}

fn read_side(value: Value<'_, '_>, bodies: &[CaseBody]) -> Option<CaseSide> {
    let side = value.members(SIDE)?;
    let body = side.need("body").and_then(|v| v.index(-1, bodies.len(), "body"));
    let node = match body.map(usize::try_from) {
        None => None,
        // Inertial space has one node; what the file says about it has no meaning.
        Some(Err(_)) => side.or("node", 0, |v| v.whole_number()).map(|_| 0),
        Some(Ok(body)) => side.need("node").and_then(|v| v.place_in(bodies[body].nodes.len(), "node")),
    };
    let pos = side.or("pos", [0.0; 3], |v| v.array("axis"));
    let rot = side.or("rot", IDENTITY, rotation);
    Some(CaseSide { body: usize::try_from(body?).ok(), node: node?, pos: pos?, rot: rot? })
}
