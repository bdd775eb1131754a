//! Beams that are cut into bodies: the first has the hinge, each of the others a fixed hinge on the tip of the one before.
//!
//! The last keeps the name of the body, and with it the tip, so that what names the tip names the same point with any number of pieces. The
//! others are called `NAME piece 1`, `NAME piece 2`, … A body that hangs on a station finds the piece that has it.

use supple::{Body, BodyIndex, Hinge, HingeKind, NodeIndex, Parent};

use super::beam::BeamLine;
use super::elements::HingeTable;
use super::modal::{self, FlexibleParts};
use super::read::Draft;
use crate::document::{Table, Value};
use crate::source::{Report, Source};

/// A node of a body that may be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// How many pieces before the last.
    pub(super) before: usize,
    /// The node of this piece.
    pub(super) node: NodeIndex,
}

/// Into how many pieces a beam is cut.
pub(super) fn count(beam: Table<'_>) -> usize {
    beam.get("pieces").and_then(Value::whole).unwrap_or(1)
}

/// The name of a piece before the last, from 1.
pub(super) fn name(body: &str, piece: usize) -> String {
    format!("{body} piece {piece}")
}

/// The bodies of a draft, with what acts in their hinges and where they lie; `first` is the index of the first of them.
pub(super) fn bodies(
    draft: Draft<'_>,
    parent: Parent,
    first: usize,
) -> Option<Vec<(Body, HingeTable, Option<BeamLine>)>> {
    let name = draft.table.text("name")?;
    let FlexibleParts { before, .. } = &draft.parts;
    let (count, tips) = (before.len() + 1, before.iter().map(tip).collect::<Option<Vec<NodeIndex>>>()?);
    let mut hinge = draft.hinge;
    if count > 1 && hinge.name.is_none() && hinge.kind.sizes().1 > 0 {
        // What calls the hinge by the name of its body finds it still.
        hinge.name = Some(name.to_owned());
    }
    let mut own = Some((hinge, draft.elements));
    let mut parts = draft.parts;
    let pieces = std::mem::take(&mut parts.before).into_iter().chain([parts]);
    let body = |(k, piece): (usize, FlexibleParts)| {
        let (hinge, acting) = own.take().unwrap_or_else(|| (Hinge::new(HingeKind::Fixed), HingeTable::default()));
        let parent = if k == 0 { parent } else { Parent::Body(BodyIndex(first + k - 1), tips[k - 1]) };
        let body = Body {
            name: if k + 1 == count { name.to_owned() } else { self::name(name, k + 1) },
            parent,
            hinge,
            inboard_node: piece.inboard,
            nodes: piece.nodes,
            modes: piece.modes,
            modal_inertia: piece.modal_inertia,
        };
        let line = piece.line.map(|line| BeamLine { body: first + k, ..line.of_pieces(name, count) });
        (body, acting, line)
    };
    Some(pieces.enumerate().map(body).collect())
}

fn tip(piece: &FlexibleParts) -> Option<NodeIndex> {
    piece.nodes.iter().position(|node| node.name.as_deref() == Some("tip")).map(NodeIndex)
}

/// The node that a body hangs on: of all pieces by its name, the last of them first for the tip, the first of them for the root.
pub(super) fn find(at: Value<'_>, parts: &FlexibleParts, source: &Source, report: &mut Report) -> Option<Place> {
    let named = |piece: &FlexibleParts| piece.nodes.iter().position(|node| node.name.as_deref() == at.text());
    let count = parts.before.len();
    let inner = |(k, piece): (usize, &FlexibleParts)| {
        // Roots and tips between the pieces are no nodes of the beam.
        let is_end = matches!(at.text(), Some("tip")) || (k > 0 && at.text() == Some("root"));
        named(piece).filter(|_| !is_end).map(|node| Place { before: count - k, node: NodeIndex(node) })
    };
    let earlier = at.text().and_then(|_| parts.before.iter().enumerate().find_map(inner));
    earlier.or_else(|| modal::find_node(at, &parts.nodes, source, report).map(|node| Place { before: 0, node }))
}

/// Names of the nodes of all pieces, each once.
pub(super) fn names(parts: &FlexibleParts) -> impl Iterator<Item = &str> {
    let mut told = std::collections::HashSet::new();
    let nodes = parts.before.iter().chain([parts]).flat_map(|piece| &piece.nodes);
    nodes.filter_map(|node| node.name.as_deref()).filter(move |name| told.insert(*name))
}
