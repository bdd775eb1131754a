//! The side file of a robot: which links are flexible, and what its description cannot say.

use std::collections::HashMap;
use std::ops::Range;

use supple::{Closure, ElasticRotation, InertiaConvention, Node, NodeIndex};

use super::text::RobotText;
use super::tree::Order;
use super::{Options, Root};
use crate::document::convert::{Directions, HingeSenses, convert};
use crate::document::shape::{FLAG, NOT_NEGATIVE_OR_LIST, Shape, TEXT, TableShape, VECTOR, key, need, table};
use crate::document::units::Units;
use crate::document::units::{UNITS, UNITS_DOC};
use crate::document::{Table, Value, check_document};
use crate::model_file::accepted::{self, ACCEPTED, ACCEPTED_DOC};
use crate::model_file::beam::BeamBudget;
use crate::model_file::beam_shapes::BEAM_SHAPE;
use crate::model_file::closure_tables::{self, CLOSURES, Named, Places};
use crate::model_file::damping::{DAMPING_DOC, DAMPING_SHAPE, DampingTable};
use crate::model_file::elements::{self, Acting};
use crate::model_file::hinge_shapes::{FRICTION_SHAPE, MOTOR_SHAPE, ROTOR_INERTIA, SPRING_SHAPE, STOPS_SHAPE};
use crate::model_file::modal::{self, FlexibleParts};
use crate::model_file::shapes::{
    CONVENTIONS, ELASTIC_ROTATIONS, MODAL_INERTIA_DOC, MODAL_INERTIA_SHAPE, MODAL_SHAPE, MODES_SHAPE, NODE_REFERENCE,
    NODES,
};
use crate::model_file::words;
use crate::source::folder::Folder;
use crate::source::{Report, Rule, Source};

/// The format of side files.
pub const SIDE_FORMAT: &str = "supple-flexible-1";

static ROOTS: Shape = Shape::Word(&[("fixed", "the root link is the ground"), ("free", "the root link floats")]);

static FLEXIBLE: TableShape = TableShape {
    one_of: &[&["beam", "modal", "modes"]],
    at_most_one: &[
        &["beam", "modal", "nodes"],
        &["beam", "modal", "modal_inertia"],
        &["beam", "modal", "inboard_node"],
    ],
    ..table(
        "flexible",
        "A link that is flexible; its inertia in the robot file is replaced, unless it is kept. Data are in the link frame.",
        &[
            need("link", &TEXT, "name of the link"),
            key(
                "keep_inertia",
                &FLAG,
                "keep mass, mass centre and inertia of the robot file: the part that the beam does not account for is rigid at the root; default: false",
            ),
            key("beam", &BEAM_SHAPE, "a beam, with its start and direction in the link frame"),
            key("modal", &MODAL_SHAPE, "nodes and modes from a file"),
            key("nodes", &NODES, "nodes"),
            key("modes", &MODES_SHAPE, "modes"),
            key("modal_inertia", &MODAL_INERTIA_SHAPE, MODAL_INERTIA_DOC),
            key("inboard_node", &NODE_REFERENCE, "node at the joint that carries the link; default: the first"),
            key(
                "attach",
                &Shape::Map(&NODE_REFERENCE),
                "for joints on this link: the node they are attached to; default: the nearest node with a name",
            ),
        ],
    )
};
static JOINT: TableShape = table(
    "joint",
    "Springs, damping, friction, stops and motor of a joint, instead of those of the robot file.",
    &[
        need("name", &TEXT, "name of the joint"),
        key("spring", &SPRING_SHAPE, "spring: its stiffness, N m/rad or N/m, or a table").unit("N m/rad or N/m"),
        key("damping", &NOT_NEGATIVE_OR_LIST, "viscous damping, N m s/rad or N s/m").unit("N m s/rad or N s/m"),
        key("friction", &FRICTION_SHAPE, "dry friction: its level, N m or N, or a table").unit("N m or N"),
        key("stops", &STOPS_SHAPE, "limits of the coordinates"),
        key("motor", &MOTOR_SHAPE, "motor and gear"),
        key("rotor_inertia", &NOT_NEGATIVE_OR_LIST, ROTOR_INERTIA).unit("kg m² or kg"),
    ],
);
pub(crate) static SIDE: TableShape = table(
    "side-file",
    "What a robot file cannot describe: flexible links, drives, gravity. SI units, radians.",
    &[
        need("format", &TEXT, "supple-flexible-1"),
        key("description", &TEXT, "remark"),
        key("units", &UNITS, UNITS_DOC),
        key("gravity", &VECTOR, "gravitational acceleration, m/s²; default: that of the robot file, or (0, 0, -9.81)")
            .unit("m/s²"),
        key("root", &ROOTS, "hinge of the root link of a URDF; default: fixed"),
        key(
            "elastic_rotation",
            &ELASTIC_ROTATIONS,
            "elastic rotation of nodes that carry joints; default: rotation-vector",
        ),
        key("inertia_convention", &CONVENTIONS, "equations of nodal inertias; default: lagrange"),
        key("damping", &DAMPING_SHAPE, DAMPING_DOC),
        key("accept_inertia", &ACCEPTED, ACCEPTED_DOC),
        key("flexible", &Shape::List { of: &Shape::Table(&FLEXIBLE), length: None }, "flexible links"),
        key("joint", &Shape::List { of: &Shape::Table(&JOINT), length: None }, "joints"),
        key(
            "closure",
            &CLOSURES,
            "closures: joints that close loops, between links as bodies, and couplings of joints as hinges",
        ),
    ],
);

/// A flexible link.
pub(crate) struct FlexibleLink {
    pub(crate) parts: FlexibleParts,
    /// Whether mass, mass centre and inertia are those of the robot file.
    pub(crate) keeps_inertia: bool,
    /// Node for each joint with an `attach`, by index of the joint.
    pub(crate) attach: HashMap<usize, NodeIndex>,
    pub(crate) span: Range<usize>,
}

/// What a side file says, by indices of links and joints.
#[derive(Default)]
pub(crate) struct SideFile {
    pub(crate) gravity: Option<[f64; 3]>,
    pub(crate) root: Option<Root>,
    pub(crate) elastic_rotation: ElasticRotation,
    pub(crate) convention: InertiaConvention,
    pub(crate) flexible: HashMap<usize, FlexibleLink>,
    pub(crate) elements: HashMap<usize, Acting>,
    /// Links whose inertia is taken as it is.
    pub(crate) accepted: Vec<String>,
    /// Damping of the whole system.
    pub(crate) damping: Option<DampingTable>,
    /// Closures, in terms of the system.
    pub(crate) closures: Vec<(Closure, Places)>,
    /// Units of angles and lengths.
    pub(crate) units: Units,
    /// The text, where there is one.
    pub(crate) source: Option<Source>,
}

impl SideFile {
    pub(crate) fn root(&self, options: &Options) -> Root {
        self.root.unwrap_or(options.root)
    }
}

/// Reads a side file for a robot; names that the robot does not have are reported.
pub(crate) fn read(
    source: Source,
    folder: &Folder,
    robot: &RobotText,
    order: Option<&Order>,
    report: &mut Report,
) -> Option<SideFile> {
    let side = check_document(&source, &SIDE, report, |document, report| {
        let source = &source;
        modal::check_format(document, SIDE_FORMAT, source, report)?;
        let units = convert(document, &SIDE, &directions(document, robot), source, report);
        let links = robot.links.iter().enumerate().map(|(k, link)| (link.name.as_str(), k)).collect();
        let joints = robot.joints.iter().enumerate().map(|(k, joint)| (joint.name.as_str(), k)).collect();
        let mut reader = Reader { source, folder, robot, links, joints, report, beams: BeamBudget::default() };
        let side = reader.side_file(document)?;
        // Without a tree there is no system to close.
        let closures = order.map_or(Vec::new(), |order| reader.closures(document, order, &side.flexible));
        Some(SideFile { closures, units, ..side })
    })?;
    Some(SideFile { source: Some(source), ..side })
}

/// What joints and closures do, by name: the units of their numbers depend on it.
fn directions(document: Table<'_>, robot: &RobotText) -> Directions {
    let mut directions = Directions::default();
    for joint in &robot.joints {
        let senses = HingeSenses::of(&joint.kind);
        // A closure calls a hinge by its joint or by its link.
        directions.hinges.insert(joint.child.0.clone(), senses.clone());
        directions.hinges.insert(joint.name.clone(), senses);
    }
    directions.add_closures(document);
    directions
}

struct Reader<'r> {
    source: &'r Source,
    folder: &'r Folder,
    robot: &'r RobotText,
    links: HashMap<&'r str, usize>,
    joints: HashMap<&'r str, usize>,
    report: &'r mut Report,
    beams: BeamBudget,
}

impl Reader<'_> {
    fn side_file(&mut self, document: Table<'_>) -> Option<SideFile> {
        let word = |key: &str| document.get(key).map(|value| value.text());
        let mut side = SideFile {
            gravity: document.vector("gravity"),
            damping: document.table("damping").and_then(DampingTable::new),
            accepted: accepted::names(
                document,
                self.robot.links.iter().map(|link| link.name.as_str()),
                self.source,
                self.report,
            ),
            root: self.root(document),
            elastic_rotation: word("elastic_rotation")
                .map_or(Some(Default::default()), |w| words::meaning(words::ELASTIC_ROTATIONS, w))?,
            convention: word("inertia_convention")
                .map_or(Some(Default::default()), |w| words::meaning(words::CONVENTIONS, w))?,
            ..SideFile::default()
        };
        for table in document.tables("flexible") {
            let link = self.find(table.get("link"), "link");
            let content = self.content(table);
            let (Some(link), Some(parts)) = (link, content) else { continue };
            let attach = self.attach(table, link, &parts);
            let keeps_inertia = table.get("keep_inertia").and_then(Value::flag).unwrap_or(false);
            let flexible = FlexibleLink { parts, keeps_inertia, attach, span: table.span_of("link") };
            if let Some(first) = side.flexible.insert(link, flexible) {
                self.twice("link", table.get("link"), first.span);
            }
        }
        let mut spans: HashMap<usize, Range<usize>> = HashMap::new();
        for table in document.tables("joint") {
            let Some(joint) = self.find(table.get("name"), "joint") else { continue };
            if let Some(first) = spans.insert(joint, table.span_of("name")) {
                self.twice("joint", table.get("name"), first);
            }
            let kind = &self.robot.joints[joint].kind;
            if let Some(acting) = elements::read(table, kind, self.source, self.report) {
                side.elements.insert(joint, acting);
            }
        }
        Some(side)
    }

    /// What holds the root link, unless the robot says itself which bodies are free.
    fn root(&mut self, document: Table<'_>) -> Option<Root> {
        let told = document.get("root")?;
        if self.robot.has_world {
            let because = "the robot file itself defines which bodies are free, by `<freejoint>`".into();
            self.report.add(self.source, told.span(), Rule::Useless { key: "root".into(), because });
        }
        told.text().map(|word| if word == "free" { Root::Free } else { Root::Fixed })
    }

    /// Links as bodies, joints as hinges.
    fn closures(
        &mut self,
        document: Table<'_>,
        order: &Order,
        flexible: &HashMap<usize, FlexibleLink>,
    ) -> Vec<(Closure, Places)> {
        let rigid = [Node::default()];
        let named = |(link, joint): &(usize, Option<usize>)| Named {
            body: &self.robot.links[*link].name,
            hinge: joint.map(|joint| self.robot.joints[joint].name.as_str()),
            nodes: flexible.get(link).map_or(&rigid[..], |flexible| &flexible.parts.nodes),
        };
        let bodies: Vec<Named<'_>> = order.iter().map(named).collect();
        closure_tables::read(document, &bodies, self.source, self.report)
    }

    fn twice(&mut self, kind: &'static str, name: Option<Value<'_>>, first: Range<usize>) {
        let Some(value) = name else { return };
        let first_line = self.source.place(first).line;
        let name = value.text().unwrap_or_default().to_owned();
        self.report.add(self.source, value.span(), Rule::DuplicateName { kind, name, first_line });
    }

    /// The link or joint of a name.
    fn find(&mut self, value: Option<Value<'_>>, kind: &'static str) -> Option<usize> {
        let value = value?;
        let name = value.text()?;
        let found = if kind == "link" { self.links.get(name) } else { self.joints.get(name) }.copied();
        if found.is_none() {
            let known = match kind {
                "link" => self.report.names(self.robot.links.iter().map(|link| link.name.as_str())),
                _ => self.report.names(self.robot.joints.iter().map(|joint| joint.name.as_str())),
            };
            self.report.add(self.source, value.span(), Rule::UnknownName { kind, name: name.to_owned(), known });
        }
        found
    }

    fn content(&mut self, table: Table<'_>) -> Option<FlexibleParts> {
        if let Some(told) = table.table("beam") {
            let parts = self.beams.parts(told, self.source, self.report)?;
            if !parts.before.is_empty() {
                let because = "a link of a robot is one body; write the robot as a model to cut it".into();
                self.report.add(self.source, told.span_of("pieces"), Rule::Useless { key: "pieces".into(), because });
                return None;
            }
            return Some(parts);
        }
        if let Some(told) = table.table("modal") {
            return modal::from_file(told, self.source, self.folder, self.report);
        }
        let nodes = modal::nodes(&table.tables("nodes"))?;
        let modes = modal::modes(table.table("modes")?, self.source, self.report)?;
        let inboard = match table.get("inboard_node") {
            Some(reference) => modal::find_node(reference, &nodes, self.source, self.report)?,
            None => NodeIndex(0),
        };
        let modal_inertia = modal::modal_inertia(table.get("modal_inertia"))?;
        Some(FlexibleParts { inboard, modal_inertia, ..FlexibleParts::new(nodes, modes) })
    }

    fn attach(&mut self, table: Table<'_>, link: usize, parts: &FlexibleParts) -> HashMap<usize, NodeIndex> {
        let mut attach = HashMap::new();
        let here = &self.robot.links[link].name;
        let on_link = |joint: &&super::text::Joint| joint.parent.0 == *here;
        for (name, span, reference) in table.table("attach").into_iter().flat_map(Table::entries) {
            let found = self.joints.get(name).copied().filter(|joint| on_link(&&self.robot.joints[*joint]));
            let Some(joint) = found else {
                let known =
                    self.report.names(self.robot.joints.iter().filter(on_link).map(|joint| joint.name.as_str()));
                let rule = Rule::UnknownName { kind: "joint on this link", name: name.to_owned(), known };
                self.report.add(self.source, span, rule);
                continue;
            };
            if let Some(node) = modal::find_node(reference, &parts.nodes, self.source, self.report) {
                attach.insert(joint, node);
            }
        }
        attach
    }
}
