//! What a system looks like and what it is: everything of a model that a page shows, at rest.

mod closure;
mod connector;
mod extent;
mod mass;
mod mesh;
mod mode_table;
mod nodes;
mod panel;
mod section;
mod shape;
mod strain;

pub use closure::{SceneClosure, SceneFrame};
pub use connector::Connector;
pub use mass::{Form, MassProperties, Solid};
pub use mesh::SceneMesh;
pub use mode_table::{ModeRow, ModeTable};
pub use section::LineSection;
pub use shape::{SceneShape, ShapeForm};
pub use strain::{Fibres, LineStrain};

use serde::{Deserialize, Serialize};
use supple::{Body, ElasticRotation, HingeKind, Model, Node, Parent, System};

use supple_io::load::Loaded;
use supple_io::model_file::{BeamLine, ModelFile};
use supple_io::visual::Visual;

use crate::numbers::Singles;

use shape::Shapes;

/// Most nodes of a body that are drawn.
const MOST_NODES: usize = 400;
/// Most numbers of mode shapes of a body.
const MOST_NUMBERS: usize = 120_000;
/// Most numbers of mode shapes of a system; bodies share them evenly beyond that.
const MOST_NUMBERS_IN_ALL: usize = 400_000;

/// A system at rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// Name of the model.
    pub name: String,
    /// Gravity, m/s².
    pub gravity: [f64; 3],
    /// How elastic rotations turn what nodes carry, in a word.
    pub elastic_rotation: String,
    /// Which equations nodal inertias obey, in a word.
    pub inertia_convention: String,
    /// Whether bodies move with the deformation of the nodes that carry them.
    pub carried_by_deformation: bool,
    /// Bodies, parents first.
    pub bodies: Vec<SceneBody>,
    /// Closures; older recordings have none.
    #[serde(default)]
    pub closures: Vec<SceneClosure>,
    /// Meshes that shapes of bodies show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<SceneMesh>,
    /// Remarks of the model.
    pub notes: Vec<String>,
}

/// A body at rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneBody {
    /// Its name.
    pub name: String,
    /// The body that carries it; none on the ground.
    pub parent: Option<usize>,
    /// The node of the parent that carries it, among the nodes drawn there.
    pub carrier: Option<usize>,
    /// Its own node at the hinge, among the nodes drawn.
    pub inboard: usize,
    /// Its hinge.
    pub hinge: SceneHinge,
    /// Mass, mass centre, inertia.
    pub mass: MassProperties,
    /// A solid with these mass properties, where there is one.
    pub solid: Option<Solid>,
    /// What the file says that it looks like, instead of the solid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<SceneShape>,
    /// How many nodes the model has; fewer may be drawn.
    pub node_count: usize,
    /// Names of the nodes drawn, empty where they have none.
    pub node_names: Vec<String>,
    /// Positions of the nodes drawn, three numbers each.
    pub positions: Singles,
    /// Number of modes.
    pub modes: usize,
    /// Shapes of second order: entries `(r, s, B)` of `½ Σ B η_r η_s`, with `B` symmetric and `r ≤ s`.
    pub second_order: Vec<Vec<(usize, usize, f64)>>,
    /// Per node, per mode and then per second-order shape: rotation and displacement per unit amplitude.
    pub influence: Singles,
    /// The nodes drawn in the order along a line, where they lie on one.
    pub line: Option<Vec<usize>>,
    /// Stretch and curvature along the line, where it bends.
    #[serde(default)]
    pub strain: Option<LineStrain>,
    /// Cross-sections along the line, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<LineSection>,
    /// Pairs of nodes that are joined, where they do not lie on a line.
    pub edges: Vec<[usize; 2]>,
    /// Triangles between nodes that lie in a plane, where they make a panel.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub panel: Vec<[usize; 3]>,
    /// Rods from nodes to what is fixed to them at a distance.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connectors: Vec<Connector>,
    /// Which terms of the dynamics it carries, in words; empty where it is rigid.
    pub terms: String,
    /// Its modes, if they are few enough for a table.
    pub mode_table: Option<ModeTable>,
}

/// A hinge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneHinge {
    /// Its name, or that of its body.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Axes that it turns about or moves along, in the axes of the carrying node.
    pub axes: Vec<[f64; 3]>,
    /// Where it sits from the carrying node, in the axes of the node.
    pub position: [f64; 3],
    /// What acts in it, in words.
    pub elements: Vec<String>,
}

/// What a file says of how bodies look.
#[derive(Clone, Copy, Default)]
pub struct Looks<'f> {
    /// Where beams lie.
    pub beams: &'f [BeamLine],
    /// Shapes of bodies.
    pub visuals: &'f [Visual],
}

impl<'f> From<&'f ModelFile> for Looks<'f> {
    fn from(file: &'f ModelFile) -> Self {
        Self { beams: &file.beams, visuals: &file.visuals }
    }
}

impl<'f> From<&'f Loaded> for Looks<'f> {
    fn from(file: &'f Loaded) -> Self {
        Self { beams: &file.beams, visuals: &file.visuals }
    }
}

impl Scene {
    /// What is shown of a system that was built. `elements` says in words what acts in the hinge of each body.
    pub fn new(name: &str, system: &System, model: &Model, elements: &dyn Fn(usize) -> Vec<String>) -> Self {
        Self::with_looks(name, system, model, elements, Looks::default())
    }

    /// The same where it is known which bodies are beams, and what bodies look like.
    pub fn with_looks(
        name: &str,
        system: &System,
        model: &Model,
        elements: &dyn Fn(usize) -> Vec<String>,
        looks: Looks<'_>,
    ) -> Self {
        let physics = model.physics();
        let terms = |k: usize| physics.iter().find(|p| p.body.0 == k).map(ToString::to_string).unwrap_or_default();
        let numbers: usize = system.bodies.iter().map(|body| 6 * body.nodes.len().min(MOST_NODES) * shapes(body)).sum();
        let share = if numbers > MOST_NUMBERS_IN_ALL { MOST_NUMBERS_IN_ALL as f64 / numbers as f64 } else { 1.0 };
        let chosen: Vec<Vec<usize>> =
            (0..system.bodies.len()).map(|k| chosen_nodes(system, k, looks.visuals, share)).collect();
        let drawn = Shapes::of(looks.visuals, &chosen);
        let body = |k: usize| {
            let told = &system.bodies[k];
            let (parent, carrier) = match told.parent {
                Parent::Ground => (None, None),
                Parent::Body(p, node) => (Some(p.0), chosen[p.0].binary_search(&node.0).ok()),
            };
            let hinge = SceneHinge { elements: elements(k), ..SceneHinge::of(told) };
            let beam = looks.beams.iter().find(|beam| beam.body == k);
            let own = SceneBody::of(told, &chosen[k], beam);
            let connectors = Connector::all(system, k, &chosen[k], &own);
            SceneBody { parent, carrier, hinge, connectors, terms: terms(k), shapes: drawn.of_body(k), ..own }
        };
        let mut bodies: Vec<SceneBody> = (0..system.bodies.len()).map(body).collect();
        extent::mark_points(system, &mut bodies);
        Self {
            name: name.to_owned(),
            gravity: system.gravity,
            elastic_rotation: model.elastic_rotation().to_string(),
            inertia_convention: model.inertia_convention().to_string(),
            carried_by_deformation: system.elastic_rotation != ElasticRotation::None,
            bodies,
            closures: SceneClosure::all(system, &chosen),
            notes: model.notes().iter().chain(&drawn.notes).cloned().collect(),
            meshes: drawn.meshes,
        }
    }

    /// Numbers of a frame: per body position, quaternion and modal coordinates.
    pub fn frame_length(&self) -> usize {
        self.bodies.iter().map(|body| 7 + body.modes).sum()
    }
}

/// Columns of the influence that the motion reads.
fn shapes(body: &Body) -> usize {
    body.modes.count + second_order_in_use(body)
}

fn second_order_in_use(body: &Body) -> usize {
    if body.modes.fidelity == supple::Fidelity::Stiffened { body.modes.second_order.len() } else { 0 }
}

/// Nodes of body `k` that are drawn: those at hinges and closures, those that carry shapes, those with names, and others as there is room.
fn chosen_nodes(system: &System, k: usize, visuals: &[Visual], share: f64) -> Vec<usize> {
    let body = &system.bodies[k];
    let carriers = system.bodies.iter().filter_map(|child| match child.parent {
        Parent::Body(parent, node) if parent.0 == k => Some(node.0),
        _ => None,
    });
    let mut needed: Vec<usize> = carriers.chain([body.inboard_node.0]).chain(closure::nodes_of(system, k)).collect();
    needed.extend(visuals.iter().filter(|visual| visual.body == k).filter_map(|visual| visual.node));
    let named = body.nodes.iter().enumerate().filter(|(_, node)| node.name.is_some()).map(|(i, _)| i);
    needed.extend(named.take(MOST_NODES / 2));
    let room = (MOST_NUMBERS as f64 * share / (6 * shapes(body).max(1)) as f64) as usize;
    nodes::chosen(&body.nodes, &needed, room.clamp(2, MOST_NODES))
}

impl SceneBody {
    /// The node farthest from the hinge, for deflections.
    pub fn tip(&self) -> usize {
        let at = |n: usize, i: usize| self.positions.0.get(3 * n + i).copied().unwrap_or(0.0);
        let away = |n: &usize| (0..3).map(|i| (at(*n, i) - at(self.inboard, i)).powi(2)).sum::<f32>();
        // The first of those that are equally far, as pages have it.
        (0..self.node_names.len()).rev().max_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(self.inboard)
    }

    /// Whether what it looks like refers to its own nodes and to meshes that are there.
    pub(crate) fn looks_are_sound(&self, meshes: usize) -> bool {
        let nodes = self.node_names.len();
        let line = self.line.as_ref().map_or(0, Vec::len);
        let shape = |shape: &SceneShape| {
            let known = !matches!(shape.form, ShapeForm::Mesh { mesh } if mesh >= meshes);
            known && shape.node.is_none_or(|node| node < nodes)
        };
        self.shapes.iter().all(shape)
            && self.section.as_ref().is_none_or(|section| line > 1 && section.is_sound(line))
            && self.panel.as_flattened().iter().all(|n| *n < nodes)
            && self.connectors.iter().all(|rod| rod.node < nodes)
    }

    /// Without its place in the tree.
    fn of(body: &Body, chosen: &[usize], beam: Option<&BeamLine>) -> Self {
        let drawn: Vec<&Node> = chosen.iter().filter_map(|i| body.nodes.get(*i)).collect();
        let positions: Vec<[f64; 3]> = drawn.iter().map(|node| node.position).collect();
        let count = shapes(body);
        let influence = drawn.iter().flat_map(|node| {
            let column = move |r: usize| node.influence.get(r).copied().unwrap_or([0.0; 6]);
            (0..count).flat_map(column).map(|x| x as f32)
        });
        let line = nodes::along_a_line(&positions).or_else(|| beam.and_then(|beam| on_beam(&positions, beam)));
        let along = |line: &Vec<usize>| {
            let nodes: Vec<&Node> = line.iter().map(|n| drawn[*n]).collect();
            LineStrain::of(&nodes, body.modes.count, beam)
        };
        let strain = line.as_ref().filter(|_| body.modes.count > 0).and_then(along);
        let section = line
            .as_ref()
            .zip(beam)
            .and_then(|(line, beam)| LineSection::of(&line.iter().map(|n| drawn[*n]).collect::<Vec<_>>(), beam));
        let edges = if line.is_none() { nodes::neighbours(&positions) } else { Vec::new() };
        let panel = if body.modes.count > 0 { panel::triangles(&positions, &edges) } else { Vec::new() };
        let mass = MassProperties::of(body);
        Self {
            name: body.name.clone(),
            parent: None,
            carrier: None,
            inboard: chosen.binary_search(&body.inboard_node.0).unwrap_or(0),
            hinge: SceneHinge::of(body),
            solid: if body.modes.count == 0 { Solid::of(&mass) } else { None },
            mass,
            shapes: Vec::new(),
            node_count: body.nodes.len(),
            node_names: drawn.iter().map(|node| node.name.clone().unwrap_or_default()).collect(),
            modes: body.modes.count,
            second_order: body.modes.second_order[..second_order_in_use(body)]
                .iter()
                .map(|shape| shape.quadratic.iter().map(|([r, s], b)| (*r, *s, *b)).collect())
                .collect(),
            influence: Singles(influence.collect()),
            edges,
            panel,
            connectors: Vec::new(),
            section,
            line,
            strain,
            positions: Singles(positions.as_flattened().iter().map(|x| *x as f32).collect()),
            terms: String::new(),
            mode_table: ModeTable::of(body),
        }
    }
}

/// The nodes on a beam in their order, where other nodes of its body are off its line.
fn on_beam(positions: &[[f64; 3]], beam: &BeamLine) -> Option<Vec<usize>> {
    let away = |p: &[f64; 3]| -> [f64; 3] { std::array::from_fn(|i| p[i] - beam.start[i]) };
    let along = |p: &[f64; 3]| (0..3).map(|i| away(p)[i] * beam.axes[i][0]).sum::<f64>();
    let room = 1e-6 * beam.length;
    let is_on = |p: &[f64; 3]| {
        let (s, off) = (along(p), away(p));
        let aside: f64 = (0..3).map(|i| (off[i] - s * beam.axes[i][0]).powi(2)).sum::<f64>().sqrt();
        aside <= room && s >= -room && s <= beam.length + room
    };
    let on: Vec<usize> = (0..positions.len()).filter(|n| is_on(&positions[*n])).collect();
    let order = nodes::along_a_line(&on.iter().map(|n| positions[*n]).collect::<Vec<_>>())?;
    let order: Vec<usize> = order.into_iter().map(|i| on[i]).collect();
    // From the root on.
    let (first, last) = (order.first()?, order.last()?);
    Some(if along(&positions[*first]) <= along(&positions[*last]) { order } else { order.into_iter().rev().collect() })
}

impl SceneHinge {
    fn of(body: &Body) -> Self {
        let hinge = &body.hinge;
        let turned = |axis: &[f64; 3]| std::array::from_fn(|i| (0..3).map(|j| hinge.rotation[i][j] * axis[j]).sum());
        let (kind, axes) = match &hinge.kind {
            HingeKind::Fixed => ("fixed", vec![]),
            HingeKind::Revolute { axis } => ("revolute", vec![*axis]),
            HingeKind::Prismatic { axis } => ("prismatic", vec![*axis]),
            HingeKind::Screw { axis, .. } => ("screw", vec![*axis]),
            HingeKind::Universal { axes } => ("universal", axes.to_vec()),
            HingeKind::Cylindrical { axis } => ("cylindrical", vec![*axis]),
            HingeKind::Planar { normal } => ("planar", vec![*normal]),
            HingeKind::Spherical => ("spherical", vec![]),
            HingeKind::Free => ("free", vec![]),
        };
        Self {
            name: hinge.name.clone().unwrap_or_else(|| body.name.clone()),
            kind: kind.to_owned(),
            axes: axes.iter().map(turned).collect(),
            position: hinge.position,
            elements: Vec::new(),
        }
    }
}
