//! Closures of a system: what they hold together, and where.

use serde::{Deserialize, Serialize};
use supple::{ClosureKind, Constraint, Mount, Parent, System};
use supple_io::model_file::closure_word;

/// A closure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneClosure {
    /// Its name, or its place among the closures.
    pub name: String,
    /// Its kind, in a word.
    pub kind: String,
    /// Number of its equations.
    pub equations: usize,
    /// Its two frames, or the hinges that it couples, in words.
    pub joins: Vec<String>,
    /// Where its two frames are; none where it couples hinges.
    pub frames: Option<[SceneFrame; 2]>,
    /// Whether the origins of its frames coincide where it is closed.
    pub meets: bool,
}

/// Where a frame of a closure is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneFrame {
    /// Its body; none on the ground.
    pub body: Option<usize>,
    /// The node that carries it, among the nodes drawn.
    pub node: usize,
    /// Its origin from the node, in the axes of the node.
    pub position: [f64; 3],
}

impl SceneClosure {
    /// The closures of a system, bodies of which are drawn by the nodes `chosen`.
    pub(super) fn all(system: &System, chosen: &[Vec<usize>]) -> Vec<Self> {
        let of = |i: usize| {
            let closure = &system.closures[i];
            let (frames, joins, meets) = match &closure.constraint {
                Constraint::Joint { kind, a, b } => {
                    let mounts = [a, b];
                    let words = mounts.map(|mount| words(system, mount)).to_vec();
                    (Some(mounts.map(|mount| SceneFrame::of(mount, chosen))), words, meets(kind))
                }
                Constraint::Coupling { hinges, .. } => {
                    let bodies = hinges.iter().map(|hinge| &system.bodies[hinge.body.0]);
                    let names = bodies.map(|body| body.hinge.name.as_ref().unwrap_or(&body.name).clone());
                    (None, names.collect(), false)
                }
            };
            Self {
                name: closure.name.clone().unwrap_or_else(|| i.to_string()),
                kind: closure_word(&closure.constraint).to_owned(),
                equations: closure.equations(),
                joins,
                frames,
                meets,
            }
        };
        (0..system.closures.len()).map(of).collect()
    }
}

/// Nodes of body `k` that carry frames of closures.
pub(super) fn nodes_of(system: &System, k: usize) -> Vec<usize> {
    let mounts = system.closures.iter().flat_map(|closure| match &closure.constraint {
        Constraint::Joint { a, b, .. } => vec![a, b],
        Constraint::Coupling { .. } => Vec::new(),
    });
    let node = |mount: &Mount| match mount.parent {
        Parent::Body(body, node) if body.0 == k => Some(node.0),
        _ => None,
    };
    mounts.filter_map(node).collect()
}

impl SceneFrame {
    fn of(mount: &Mount, chosen: &[Vec<usize>]) -> Self {
        let (body, node) = match mount.parent {
            Parent::Ground => (None, 0),
            Parent::Body(body, node) => (Some(body.0), chosen[body.0].binary_search(&node.0).unwrap_or(0)),
        };
        Self { body, node, position: mount.position }
    }
}

fn meets(kind: &ClosureKind) -> bool {
    matches!(kind, ClosureKind::Weld | ClosureKind::Ball | ClosureKind::Revolute { .. } | ClosureKind::Universal { .. })
}

fn words(system: &System, mount: &Mount) -> String {
    match mount.parent {
        Parent::Ground => "ground".to_owned(),
        Parent::Body(body, node) => {
            let body = &system.bodies[body.0];
            let named = body.nodes.get(node.0).and_then(|node| node.name.as_ref());
            named.map_or_else(|| body.name.clone(), |node| format!("{} at {node}", body.name))
        }
    }
}
