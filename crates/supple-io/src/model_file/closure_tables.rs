//! Tables `[[closure]]` of model files and side files: what closes the loops of a tree.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

use supple::{Body, BodyIndex, Closure, ClosureKind, Constraint, CoupledHinge, Mount, Node, NodeIndex, Parent, System};

use super::geometry::rotation;
use super::modal::find_node;
use super::shapes::{NODE_REFERENCE, ROTATION};
use super::write::{Numbers, mounting, quoted, reference};
use crate::document::shape::{
    FLAG, NOT_NEGATIVE, NUMBER, POSITIVE, Shape, TEXT, TableShape, Unit, VECTOR, key, need, table,
};
use crate::document::{Table, Value};
use crate::source::{Report, Rule, Source};

/// Most closures of a model.
const MAX_CLOSURES: usize = 1000;

/// Words of the kinds, with what each leaves free.
static CLOSURE_KINDS: Shape = Shape::Word(&[
    ("weld", "`b` does not move; 6 equations"),
    ("ball", "`b` turns about its origin; 3 equations"),
    ("revolute", "`b` turns about `axis`; 5 equations"),
    ("prismatic", "`b` slides along `axis`; 5 equations"),
    ("screw", "`b` turns about `axis` and advances by `pitch` along it; 5 equations"),
    ("cylindrical", "`b` turns about `axis` and slides along it; 4 equations"),
    ("universal", "`b` turns about `axes[0]` of `a` and about `axes[1]` of its own; 4 equations"),
    ("planar", "`b` slides across `normal` and turns about it; 3 equations"),
    ("point-on-line", "the origin of `b` stays on the line along `axis` through that of `a`; 2 equations"),
    ("point-on-plane", "the origin of `b` stays in the plane across `normal` through that of `a`; 1 equation"),
    ("distance", "the origins stay `length` apart; 1 equation"),
    ("coupling", "coordinates of `hinges`, each times its factor, add up to `offset`; 1 equation"),
]);
static FRAME: TableShape = TableShape {
    one_of: &[&["body", "ground"]],
    ..table(
        "frame",
        "A frame on a node of a body or on the ground.",
        &[
            key("body", &TEXT, "name of the body"),
            key("node", &NODE_REFERENCE, "node of the body, by name or index; required if it has several"),
            key("position", &VECTOR, "origin from the node, in its axes, m; default: zero").unit("m"),
            key("ground", &VECTOR, "origin as a point of the ground instead of a body, m").unit("m"),
            key("rotation", &ROTATION, "axes in those of the node or the ground; default: the same"),
        ],
    )
};
static FRAME_SHAPE: Shape = Shape::Table(&FRAME);
static COUPLED: TableShape = table(
    "coupled-hinge",
    "A hinge in a coupling.",
    &[
        need("hinge", &TEXT, "name of the hinge, or of its body"),
        key("speed", &Shape::Whole(5), "direction of the hinge; default: 0, the first"),
        key("factor", &NUMBER, "factor of the coordinate, unit of the first hinge per that of this one; default: 1")
            .with(Unit::Ratio),
    ],
);
static CLOSURE: TableShape = table(
    "closure",
    "A joint between two frames that closes a loop, or a coupling of hinges. Which keys it takes depends on its kind.",
    &[
        need("kind", &CLOSURE_KINDS, "what it leaves free"),
        key("name", &TEXT, "name, unique among the closures"),
        key("a", &FRAME_SHAPE, "one frame"),
        key("b", &FRAME_SHAPE, "the other frame"),
        key("axis", &VECTOR, "direction in `a`"),
        key("axes", &Shape::List { of: &VECTOR, length: Some((2, "frame")) }, "directions in `a` and in `b`"),
        key("normal", &VECTOR, "direction across the plane in `a`"),
        key("pitch", &NUMBER, "advance, m/rad").unit("m/rad"),
        key("length", &POSITIVE, "distance between the origins, m").unit("m"),
        key("driven", &FLAG, "whether a scenario prescribes its coordinates; default: false"),
        key(
            "restitution",
            &NOT_NEGATIVE,
            "default coefficient of restitution of events that close it, from 0 to 1; default: 0, it stays closed",
        ),
        key("hinges", &Shape::List { of: &Shape::Table(&COUPLED), length: None }, "hinges that are coupled"),
        key("offset", &NUMBER, "sum of the coordinates times their factors, rad or m; default: 0").unit("rad or m"),
    ],
);
pub(crate) static CLOSURES: Shape = Shape::List { of: &Shape::Table(&CLOSURE), length: None };

/// The word of model files for what a closure asks for.
pub fn closure_word(constraint: &Constraint) -> &'static str {
    let Constraint::Joint { kind, .. } = constraint else { return "coupling" };
    match kind {
        ClosureKind::Weld => "weld",
        ClosureKind::Ball => "ball",
        ClosureKind::Revolute { .. } => "revolute",
        ClosureKind::Prismatic { .. } => "prismatic",
        ClosureKind::Screw { .. } => "screw",
        ClosureKind::Cylindrical { .. } => "cylindrical",
        ClosureKind::Universal { .. } => "universal",
        ClosureKind::Planar { .. } => "planar",
        ClosureKind::PointOnLine { .. } => "point-on-line",
        ClosureKind::PointOnPlane { .. } => "point-on-plane",
        ClosureKind::Distance { .. } => "distance",
    }
}

/// Keys that a kind needs, and those that it may have; nothing for an unknown word.
fn keys(word: &str) -> Option<(&'static [&'static str], &'static [&'static str])> {
    Some(match word {
        "weld" | "ball" => (&["a", "b"], &[]),
        "revolute" | "prismatic" | "cylindrical" | "point-on-line" => (&["a", "b", "axis"], &["driven"]),
        "screw" => (&["a", "b", "axis", "pitch"], &["driven"]),
        "universal" => (&["a", "b", "axes"], &[]),
        "planar" | "point-on-plane" => (&["a", "b", "normal"], &["driven"]),
        "distance" => (&["a", "b", "length"], &[]),
        "coupling" => (&["hinges"], &["offset"]),
        _ => return None,
    })
}

/// The motion that a joint leaves free.
fn kind(word: &str, table: Table<'_>) -> Option<ClosureKind> {
    let axis = || table.vector("axis");
    let normal = || table.vector("normal");
    Some(match word {
        "weld" => ClosureKind::Weld,
        "ball" => ClosureKind::Ball,
        "revolute" => ClosureKind::Revolute { axis: axis()? },
        "prismatic" => ClosureKind::Prismatic { axis: axis()? },
        "screw" => ClosureKind::Screw { axis: axis()?, pitch: table.number("pitch")? },
        "cylindrical" => ClosureKind::Cylindrical { axis: axis()? },
        "universal" => {
            let axes: Vec<[f64; 3]> = table.get("axes")?.items()?.map(Value::array).collect::<Option<_>>()?;
            ClosureKind::Universal { axes: axes.try_into().ok()? }
        }
        "planar" => ClosureKind::Planar { normal: normal()? },
        "point-on-line" => ClosureKind::PointOnLine { axis: axis()? },
        "point-on-plane" => ClosureKind::PointOnPlane { normal: normal()? },
        // Another length is told already.
        "distance" => ClosureKind::Distance { length: table.number("length").filter(|length| *length > 0.0)? },
        _ => return None,
    })
}

/// What closures name of a body.
pub(crate) struct Named<'s> {
    pub(crate) body: &'s str,
    pub(crate) hinge: Option<&'s str>,
    pub(crate) nodes: &'s [Node],
}

impl<'s> Named<'s> {
    pub(super) fn new(body: &'s Body) -> Self {
        Self { body: &body.name, hinge: body.hinge.name.as_deref(), nodes: &body.nodes }
    }
}

/// Reads the closures of a document, each with its places; what is wrong is reported. `bodies` are those of the system, in order.
pub(crate) fn read(
    document: Table<'_>,
    bodies: &[Named<'_>],
    source: &Source,
    report: &mut Report,
) -> Vec<(Closure, Places)> {
    let tables = document.tables("closure");
    if tables.len() > MAX_CLOSURES {
        let rule = Rule::TooMany { what: "closures", found: tables.len(), limit: MAX_CLOSURES };
        report.add(source, document.span_of("closure"), rule);
        return Vec::new();
    }
    let all = || bodies.iter().enumerate();
    let by_body: HashMap<&str, usize> = all().map(|(k, named)| (named.body, k)).collect();
    let by_hinge = all().filter_map(|(k, named)| Some((named.hinge?, k))).collect();
    let mut reader = Reader { bodies, by_body, by_hinge, source, report };
    let mut first: HashMap<&str, Range<usize>> = HashMap::new();
    for table in &tables {
        let Some(name) = table.text("name") else { continue };
        if let Some(first) = first.insert(name, table.span_of("name")) {
            let first_line = source.place(first).line;
            let rule = Rule::DuplicateName { kind: "closure", name: name.into(), first_line };
            reader.add(table.span_of("name"), rule);
        }
    }
    tables.into_iter().filter_map(|table| Some((reader.closure(table)?, Places::new(table)))).collect()
}

struct Reader<'r> {
    bodies: &'r [Named<'r>],
    by_body: HashMap<&'r str, usize>,
    by_hinge: HashMap<&'r str, usize>,
    source: &'r Source,
    report: &'r mut Report,
}

impl Reader<'_> {
    fn add(&mut self, span: Range<usize>, rule: Rule) {
        self.report.add(self.source, span, rule);
    }

    fn closure(&mut self, table: Table<'_>) -> Option<Closure> {
        let word = table.text("kind")?;
        let (needed, optional) = keys(word)?;
        for key in needed.iter().filter(|key| table.get(key).is_none()) {
            let meaning = "what this kind of closure needs";
            self.add(table.span_of("kind"), Rule::MissingKey { key, meaning });
        }
        for (key, _, value) in table.entries() {
            if !["kind", "name", "restitution"].contains(&key) && !needed.contains(&key) && !optional.contains(&key) {
                let because = format!("a closure of kind {word} has none");
                self.add(value.span(), Rule::Useless { key: key.into(), because });
            }
        }
        let closure = if word == "coupling" {
            let hinges: Vec<Option<CoupledHinge>> =
                table.tables("hinges").into_iter().map(|told| self.hinge(told)).collect();
            let offset = table.number("offset").unwrap_or(0.0);
            Closure::coupling(hinges.into_iter().collect::<Option<Vec<_>>>()?, offset)
        } else {
            let frames = ["a", "b"].map(|key| table.table(key).and_then(|told| self.frame(told)));
            let [Some(a), Some(b)] = frames else { return None };
            Closure::joint(kind(word, table)?, a, b)
        };
        let driven = table.get("driven").and_then(Value::flag).unwrap_or(false);
        let restitution = table.number("restitution").unwrap_or(0.0);
        Some(Closure { name: table.text("name").map(str::to_owned), driven, restitution, ..closure })
    }

    fn frame(&mut self, table: Table<'_>) -> Option<Mount> {
        let turned = table.table("rotation").map(|told| rotation(told, self.source, self.report));
        let mount = match table.vector("ground") {
            Some(origin) => {
                for key in ["node", "position"] {
                    if let Some(value) = table.get(key) {
                        let because = "`ground` is the origin of this frame".into();
                        self.add(value.span(), Rule::Useless { key: key.into(), because });
                    }
                }
                Mount::ground().at(origin)
            }
            None => {
                let body = self.body(table)?;
                let node = self.node(table, body)?;
                let position = table.get("position").map_or(Some([0.0; 3]), Value::array)?;
                Mount::node(BodyIndex(body), node).at(position)
            }
        };
        match turned {
            Some(told) => Some(mount.turned(told?)),
            None => Some(mount),
        }
    }

    fn body(&mut self, table: Table<'_>) -> Option<usize> {
        let name = table.text("body")?;
        let found = self.by_body.get(name).copied();
        if found.is_none() {
            let known = self.report.names(self.bodies.iter().map(|named| named.body));
            self.add(table.span_of("body"), Rule::UnknownName { kind: "body", name: name.into(), known });
        }
        found
    }

    fn node(&mut self, table: Table<'_>, body: usize) -> Option<NodeIndex> {
        let Named { nodes, body: name, .. } = self.bodies[body];
        if let Some(node) = table.get("node") {
            return find_node(node, nodes, self.source, self.report);
        }
        if nodes.len() < 2 {
            return Some(NodeIndex(0));
        }
        let known = self.report.names(nodes.iter().filter_map(|node| node.name.as_deref()));
        self.add(table.span_of("body"), Rule::MissingNode { parent: name.into(), known });
        None
    }

    fn hinge(&mut self, table: Table<'_>) -> Option<CoupledHinge> {
        let name = table.text("hinge")?;
        let Some(body) = self.by_hinge.get(name).or(self.by_body.get(name)).copied() else {
            let known = self.report.names(self.bodies.iter().map(|named| named.hinge.unwrap_or(named.body)));
            self.add(table.span_of("hinge"), Rule::UnknownName { kind: "hinge", name: name.into(), known });
            return None;
        };
        let speed = table.get("speed").and_then(Value::whole).unwrap_or(0);
        Some(CoupledHinge { body: BodyIndex(body), speed, factor: table.number("factor").unwrap_or(1.0) })
    }
}

/// Where the parts of a closure are in its file.
pub(crate) struct Places {
    a: Range<usize>,
    b: Range<usize>,
    axis: Range<usize>,
    restitution: Range<usize>,
    rest: Range<usize>,
}

impl Places {
    fn new(table: Table<'_>) -> Self {
        let first = |keys: &[&str]| keys.iter().find_map(|key| table.get(key)).map_or(table.span(), Value::span);
        Self {
            a: first(&["a", "kind"]),
            b: first(&["b", "kind"]),
            axis: first(&["axis", "axes", "normal", "kind"]),
            restitution: first(&["restitution", "kind"]),
            rest: first(&["hinges", "kind"]),
        }
    }

    /// The part that a problem of the engine is about.
    pub(crate) fn of(&self, reason: &str) -> Range<usize> {
        let part = match reason {
            reason if reason.starts_with("frame a ") => &self.a,
            reason if reason.starts_with("frame b ") => &self.b,
            reason if reason.starts_with("its axis ") => &self.axis,
            reason if reason.starts_with("its restitution ") => &self.restitution,
            _ => &self.rest,
        };
        part.clone()
    }
}

/// Writes a closure as a table; nothing for one that a model could not be built with, or that names a hinge by a name that another has.
pub(super) fn write(out: &mut String, system: &System, closure: &Closure, numbers: &mut Numbers) -> Option<()> {
    let _ = write!(out, "\n[[closure]]\nkind = {}\n", quoted(closure_word(&closure.constraint)));
    if let Some(name) = &closure.name {
        let _ = writeln!(out, "name = {}", quoted(name));
    }
    if closure.restitution > 0.0 {
        let _ = writeln!(out, "restitution = {}", numbers.one(closure.restitution));
    }
    match &closure.constraint {
        Constraint::Joint { kind, a, b } => {
            let _ = write!(out, "{}", parameters(kind, numbers));
            if closure.driven {
                let _ = writeln!(out, "driven = true");
            }
            for (key, mount) in [("a", a), ("b", b)] {
                let _ = writeln!(out, "{key} = {{ {} }}", frame_text(system, mount, numbers)?);
            }
        }
        Constraint::Coupling { hinges, offset } => {
            let texts: Option<Vec<String>> = hinges.iter().map(|hinge| hinge_text(system, hinge, numbers)).collect();
            let _ = writeln!(out, "hinges = [{}]", texts?.join(", "));
            if offset.to_bits() != 0 {
                let _ = writeln!(out, "offset = {}", numbers.one(*offset));
            }
        }
    }
    Some(())
}

/// The lines of a kind beside its word.
fn parameters(kind: &ClosureKind, numbers: &mut Numbers) -> String {
    match kind {
        ClosureKind::Weld | ClosureKind::Ball => String::new(),
        ClosureKind::Revolute { axis }
        | ClosureKind::Prismatic { axis }
        | ClosureKind::Cylindrical { axis }
        | ClosureKind::PointOnLine { axis } => format!("axis = {}\n", numbers.list(axis)),
        ClosureKind::Screw { axis, pitch } => {
            format!("axis = {}\npitch = {}\n", numbers.list(axis), numbers.one(*pitch))
        }
        ClosureKind::Universal { axes: [a, b] } => format!("axes = [{}, {}]\n", numbers.list(a), numbers.list(b)),
        ClosureKind::Planar { normal } | ClosureKind::PointOnPlane { normal } => {
            format!("normal = {}\n", numbers.list(normal))
        }
        ClosureKind::Distance { length } => format!("length = {}\n", numbers.one(*length)),
    }
}

fn frame_text(system: &System, mount: &Mount, numbers: &mut Numbers) -> Option<String> {
    let mut parts = match mount.parent {
        Parent::Ground => vec![format!("ground = {}", numbers.list(&mount.position))],
        Parent::Body(body, node) => {
            let body = system.bodies.get(body.0)?;
            vec![format!("body = {}", quoted(&body.name)), format!("node = {}", reference(&body.nodes, node.0)?)]
        }
    };
    let on_ground = mount.parent == Parent::Ground;
    let mounted = mounting(&mount.position, &mount.rotation, numbers);
    parts.extend(mounted.into_iter().filter(|part| !(on_ground && part.starts_with("position"))));
    Some(parts.join(", "))
}

fn hinge_text(system: &System, hinge: &CoupledHinge, numbers: &mut Numbers) -> Option<String> {
    let body = system.bodies.get(hinge.body.0)?;
    let name = body.hinge.name.as_deref().unwrap_or(&body.name);
    let taken = |other: &Body| other.hinge.name.as_deref() == Some(name);
    if body.hinge.name.is_none() && system.bodies.iter().any(taken) {
        return None;
    }
    let mut parts = vec![format!("hinge = {}", quoted(name))];
    if hinge.speed != 0 {
        parts.push(format!("speed = {}", hinge.speed));
    }
    if hinge.factor.to_bits() != 1.0_f64.to_bits() {
        parts.push(format!("factor = {}", numbers.one(hinge.factor)));
    }
    Some(format!("{{ {} }}", parts.join(", ")))
}
