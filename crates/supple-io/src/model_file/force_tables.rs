//! Tables `[[force]]` of a model file: elements between bodies, and whatever has no place in the table of a hinge.
//!
//! One row of [`KINDS`] for each kind: its keys in the order of the parameters of its law.

use std::fmt::Write;

use supple::force::{
    Bushing, ConstantForce, FollowerForce, ForceElement, ForceLaw, HingeCoupling, HingeDamping, HingeFriction,
    HingeSpring, HingeStops, Motor, PointMassField, Port, PortKind, SpringDamper,
};
use supple::{Body, BodyIndex, NodeIndex, System};

use super::forces::{FRICTION_SPEED, STOP_DAMPING, STOP_STIFFNESS};
use super::modal::find_node;
use super::shapes::NODE_REFERENCE;
use super::write::{Numbers, quoted, reference};
use crate::document::shape::{NUMBER, NUMBER_OR_NUMBERS, Shape, TEXT, TableShape, Unit, VECTOR, key, need, table};
use crate::document::{Table, Value};
use crate::source::{Report, Rule, Source};

static FORCE_KINDS: Shape = Shape::Word(&[
    ("hinge-spring", "spring of a hinge: `stiffness`, `rest`"),
    ("hinge-damping", "viscous damping of a hinge: `damping`"),
    ("hinge-friction", "dry friction of a hinge: `level`, `transition_speed`"),
    ("hinge-stops", "stops of a hinge: `lower`, `upper`, `stiffness`, `damping`"),
    ("motor", "a motor whose force a scenario gives"),
    ("coupling", "spring and damper on `from - ratio · to - offset` of two hinges: `stiffness`, `damping`"),
    ("spring-damper", "along the line between two nodes: `length`, `stiffness`, `damping`, `preload`"),
    (
        "bushing",
        "along and about the axes of the node `from`: `stiffness`, `angular_stiffness`, `damping`, `angular_damping`",
    ),
    ("constant", "`force` and `moment` on a node, in inertial axes"),
    ("follower", "`force` and `moment` on a node, in its axes"),
    ("point-mass-field", "gravity of a point mass with parameter `mu` at `position`, on all bodies or the one of `at`"),
]);
static PORT: TableShape = table(
    "port",
    "Where a force element acts: a direction of a hinge, a coordinate of a closure, a node, or a point of the ground.",
    &[
        key("body", &TEXT, "name of the body"),
        key("node", &NODE_REFERENCE, "node of the body, by name or index; required if it has several"),
        key("speed", &Shape::Whole(5), "direction of the hinge of the body; default: 0, the first"),
        key(
            "closure",
            &TEXT,
            "name of a closure instead of a body with its hinge; the element acts while it is closed",
        ),
        key("coordinate", &Shape::Whole(2), "coordinate of the closure; default: 0, the first"),
        key("ground", &VECTOR, "a point of the ground instead of a body, m").unit("m"),
    ],
);
static PORT_SHAPE: Shape = Shape::Table(&PORT);
static FORCE: TableShape = table(
    "force",
    "A force element. Which keys it takes depends on its kind.",
    &[
        need("kind", &FORCE_KINDS, "what it is"),
        key("name", &TEXT, "name, unique among the force elements"),
        key("at", &PORT_SHAPE, "where it acts, if at one place"),
        key("from", &PORT_SHAPE, "the first of two places"),
        key("to", &PORT_SHAPE, "the second of two places"),
        key(
            "stiffness",
            &NUMBER_OR_NUMBERS,
            "N m/rad or N/m; of a bushing along its three axes, or one number for all",
        )
        .unit("N m/rad or N/m"),
        key("damping", &NUMBER_OR_NUMBERS, "N m s/rad or N s/m, of stops s/rad or s/m; default: 0, of stops 1")
            .with(Unit::ForceDamping),
        key("angular_stiffness", &NUMBER_OR_NUMBERS, "of a bushing about its axes, N m/rad; default: 0")
            .unit("N m/rad"),
        key("angular_damping", &NUMBER_OR_NUMBERS, "of a bushing about its axes, N m s/rad; default: 0")
            .unit("N m s/rad"),
        key("rest", &NUMBER, "coordinate at which a spring is relaxed, rad or m; default: 0").unit("rad or m"),
        key("level", &NUMBER, "friction, N m or N").unit("N m or N"),
        key("transition_speed", &NUMBER, "speed over which the friction is smoothed, rad/s or m/s; default: 1e-3")
            .unit("rad/s or m/s"),
        key("lower", &NUMBER, "coordinate of the lower stop, rad or m; default: none").unit("rad or m"),
        key("upper", &NUMBER, "coordinate of the upper stop, rad or m; default: none").unit("rad or m"),
        key("ratio", &NUMBER, "ratio of a coupling, in the unit of `from` per that of `to`; default: 1")
            .with(Unit::Ratio),
        key("offset", &NUMBER, "offset of a coupling in the unit of `from`, rad or m; default: 0").unit("rad or m"),
        key("length", &NUMBER, "free length of a spring-damper, m").unit("m"),
        key("preload", &NUMBER, "tension of a spring-damper at its free length, N; default: 0"),
        key("force", &VECTOR, "force, N; default: zero"),
        key("moment", &VECTOR, "moment, N m; default: zero").unit("N m"),
        key("mu", &NUMBER, "gravitational parameter of a point mass, m³/s²").unit("m³/s²"),
        key("position", &VECTOR, "where a point mass is, in inertial axes, m; default: the origin").unit("m"),
    ],
);

pub(super) static FORCES: Shape = Shape::List { of: &Shape::Table(&FORCE), length: None };

/// Some parameters of a law, by their key.
struct Field {
    key: &'static str,
    /// How many numbers.
    size: usize,
    /// What holds where the key is left out.
    otherwise: Option<f64>,
}

/// A kind of force element.
struct Kind {
    word: &'static str,
    /// Keys of its ports.
    ports: &'static [&'static str],
    kinds: &'static [PortKind],
    fields: &'static [Field],
    make: fn(&[f64], Vec<Port>) -> ForceElement,
    is: fn(&ForceElement) -> bool,
}

const fn one(key: &'static str) -> Field {
    Field { key, size: 1, otherwise: None }
}

const fn or(key: &'static str, otherwise: f64) -> Field {
    Field { key, size: 1, otherwise: Some(otherwise) }
}

const fn axes(key: &'static str, otherwise: Option<f64>) -> Field {
    Field { key, size: 3, otherwise }
}

/// A row of the table; the law from its parameters in order.
macro_rules! kind {
    ($word:literal, $law:ident, $ports:expr, [$($field:expr),*], |$p:ident| $make:expr) => {
        Kind {
            word: $word,
            ports: &$ports,
            kinds: <$law as ForceLaw>::PORTS,
            fields: &[$($field),*],
            make: |$p, ports| ForceElement::new($make, ports),
            is: |element| element.law::<$law>().is_some(),
        }
    };
}

static KINDS: &[Kind] = &[
    kind!("hinge-spring", HingeSpring, ["at"], [one("stiffness"), or("rest", 0.0)], |p| HingeSpring {
        stiffness: p[0],
        rest: p[1]
    }),
    kind!("hinge-damping", HingeDamping, ["at"], [one("damping")], |p| HingeDamping { damping: p[0] }),
    kind!("hinge-friction", HingeFriction, ["at"], [one("level"), or("transition_speed", FRICTION_SPEED)], |p| {
        HingeFriction { force: p[0], speed: p[1] }
    }),
    kind!(
        "hinge-stops",
        HingeStops,
        ["at"],
        [
            or("lower", f64::NEG_INFINITY),
            or("upper", f64::INFINITY),
            or("stiffness", STOP_STIFFNESS),
            or("damping", STOP_DAMPING)
        ],
        |p| HingeStops { lower: p[0], upper: p[1], stiffness: p[2], damping: p[3] }
    ),
    kind!("motor", Motor, ["at"], [], |_p| Motor),
    kind!(
        "coupling",
        HingeCoupling,
        ["from", "to"],
        [or("ratio", 1.0), or("offset", 0.0), one("stiffness"), or("damping", 0.0)],
        |p| HingeCoupling { ratio: p[0], offset: p[1], stiffness: p[2], damping: p[3] }
    ),
    kind!(
        "spring-damper",
        SpringDamper,
        ["from", "to"],
        [one("length"), one("stiffness"), or("damping", 0.0), or("preload", 0.0)],
        |p| SpringDamper { length: p[0], stiffness: p[1], damping: p[2], preload: p[3] }
    ),
    kind!(
        "bushing",
        Bushing,
        ["from", "to"],
        [
            axes("stiffness", None),
            axes("angular_stiffness", Some(0.0)),
            axes("damping", Some(0.0)),
            axes("angular_damping", Some(0.0))
        ],
        |p| Bushing {
            stiffness: [p[0], p[1], p[2]],
            angular_stiffness: [p[3], p[4], p[5]],
            damping: [p[6], p[7], p[8]],
            angular_damping: [p[9], p[10], p[11]],
        }
    ),
    kind!("constant", ConstantForce, ["at"], [axes("force", Some(0.0)), axes("moment", Some(0.0))], |p| {
        ConstantForce { force: [p[0], p[1], p[2]], moment: [p[3], p[4], p[5]] }
    }),
    kind!("follower", FollowerForce, ["at"], [axes("force", Some(0.0)), axes("moment", Some(0.0))], |p| {
        FollowerForce { force: [p[0], p[1], p[2]], moment: [p[3], p[4], p[5]] }
    }),
    kind!("point-mass-field", PointMassField, ["at"], [one("mu"), axes("position", Some(0.0))], |p| PointMassField {
        mu: p[0],
        position: [p[1], p[2], p[3]]
    }),
];

/// Reads the force elements of a document; what is wrong is reported.
pub(super) fn read(
    tables: &[Table<'_>],
    (bodies, closures): (&[Body], &[Option<String>]),
    source: &Source,
    report: &mut Report,
) -> Vec<ForceElement> {
    let mut reader = Reader { bodies, closures, source, report };
    tables.iter().filter_map(|table| reader.element(*table)).collect()
}

struct Reader<'r> {
    bodies: &'r [Body],
    /// Names of the closures.
    closures: &'r [Option<String>],
    source: &'r Source,
    report: &'r mut Report,
}

impl Reader<'_> {
    fn element(&mut self, table: Table<'_>) -> Option<ForceElement> {
        let kind = KINDS.iter().find(|kind| Some(kind.word) == table.text("kind"))?;
        for (word, _, value) in table.entries() {
            let known = ["kind", "name"].contains(&word)
                || kind.ports.contains(&word)
                || kind.fields.iter().any(|field| field.key == word);
            if !known {
                let because = format!("a force of kind {} has none", kind.word);
                self.report.add(self.source, value.span(), Rule::Useless { key: word.into(), because });
            }
        }
        let numbers: Vec<Option<Vec<f64>>> = kind.fields.iter().map(|field| self.numbers(table, field)).collect();
        let ports: Vec<Option<Port>> =
            kind.ports.iter().zip(kind.kinds).map(|(word, kind)| self.port(table, word, *kind)).collect();
        let numbers: Vec<Vec<f64>> = numbers.into_iter().collect::<Option<_>>()?;
        let mut element = (kind.make)(&numbers.concat(), ports.into_iter().collect::<Option<_>>()?);
        element.name = table.text("name").map(str::to_owned);
        Some(element)
    }

    fn numbers(&mut self, table: Table<'_>, field: &Field) -> Option<Vec<f64>> {
        let Some(value) = table.get(field.key) else {
            if field.otherwise.is_none() {
                let meaning = "a number that this kind of force needs";
                self.report.add(self.source, table.span(), Rule::MissingKey { key: field.key, meaning });
            }
            return field.otherwise.map(|x| vec![x; field.size]);
        };
        if let Some(number) = value.number() {
            return Some(vec![number; field.size]);
        }
        let numbers = value.numbers()?;
        if numbers.len() == field.size {
            return Some(numbers);
        }
        let (found, expected) = (numbers.len(), field.size);
        let rule = Rule::Length { quantity: field.key.into(), found, expected, one_per: "axis" };
        self.report.add(self.source, value.span(), rule);
        None
    }

    fn port(&mut self, force: Table<'_>, word: &'static str, kind: PortKind) -> Option<Port> {
        let Some(table) = force.table(word) else {
            if kind == PortKind::Body {
                return Some(Port::EveryBody);
            }
            let meaning = "where this kind of force acts";
            self.report.add(self.source, force.span(), Rule::MissingKey { key: word, meaning });
            return None;
        };
        let useful: &[&str] = match kind {
            PortKind::Coordinate | PortKind::Speed if table.get("closure").is_some() => &["closure", "coordinate"],
            PortKind::Coordinate | PortKind::Speed => &["body", "speed"],
            PortKind::Node if table.get("ground").is_some() => &["ground"],
            PortKind::Node => &["body", "node"],
            PortKind::Body => &["body"],
        };
        for (key, _, value) in table.entries().filter(|(key, ..)| !useful.contains(key)) {
            let because = format!("this end takes {}", useful.join(" and "));
            self.report.add(self.source, value.span(), Rule::Useless { key: key.into(), because });
        }
        if let Some(position) = table.vector("ground").filter(|_| kind == PortKind::Node) {
            return Some(Port::Ground { position });
        }
        if let Some(name) = table.text("closure").filter(|_| useful.contains(&"closure")) {
            return self.closure(table, name);
        }
        let Some(name) = table.text("body") else {
            let meaning = "the body on which the force acts";
            self.report.add(self.source, table.span(), Rule::MissingKey { key: "body", meaning });
            return None;
        };
        let Some(at) = self.bodies.iter().position(|body| body.name == name) else {
            let known = self.report.names(self.bodies.iter().map(|body| body.name.as_str()));
            let rule = Rule::UnknownName { kind: "body", name: name.into(), known };
            self.report.add(self.source, table.span_of("body"), rule);
            return None;
        };
        let body = BodyIndex(at);
        match kind {
            PortKind::Coordinate | PortKind::Speed => {
                Some(Port::Hinge { body, speed: table.get("speed").and_then(Value::whole).unwrap_or(0) })
            }
            PortKind::Node => self.node(table, at).map(|node| Port::Node { body, node }),
            PortKind::Body => Some(Port::Body { body }),
        }
    }

    fn closure(&mut self, table: Table<'_>, name: &str) -> Option<Port> {
        let coordinate = table.get("coordinate").and_then(Value::whole).unwrap_or(0);
        let found = self.closures.iter().position(|closure| closure.as_deref() == Some(name));
        if found.is_none() {
            let known = self.report.names(self.closures.iter().flatten().map(String::as_str));
            let rule = Rule::UnknownName { kind: "closure", name: name.into(), known };
            self.report.add(self.source, table.span_of("closure"), rule);
        }
        found.map(|closure| Port::Closure { closure, coordinate })
    }

    fn node(&mut self, table: Table<'_>, body: usize) -> Option<NodeIndex> {
        let nodes = &self.bodies[body].nodes;
        if let Some(node) = table.get("node") {
            return find_node(node, nodes, self.source, self.report);
        }
        if nodes.len() < 2 {
            return Some(NodeIndex(0));
        }
        let known = self.report.names(nodes.iter().filter_map(|node| node.name.as_deref()));
        let parent = self.bodies[body].name.clone();
        self.report.add(self.source, table.span_of("body"), Rule::MissingNode { parent, known });
        None
    }
}

/// Writes an element as a table; false where no kind of table holds it.
pub(super) fn write(out: &mut String, system: &System, element: &ForceElement, numbers: &mut Numbers) -> bool {
    let Some(kind) = KINDS.iter().find(|kind| (kind.is)(element)) else { return false };
    let _ = write!(out, "\n[[force]]\nkind = {}\n", quoted(kind.word));
    if let Some(name) = &element.name {
        let _ = writeln!(out, "name = {}", quoted(name));
    }
    for (word, port) in kind.ports.iter().zip(&element.ports) {
        let Some(text) = port_text(system, port, numbers) else { return false };
        if !text.is_empty() {
            let _ = writeln!(out, "{word} = {{ {text} }}");
        }
    }
    let parameters = element.as_law().parameters();
    let mut rest = &parameters[..];
    for field in kind.fields {
        let (own, others) = rest.split_at(field.size);
        rest = others;
        // What is left out reads as its default; some of these no file can hold.
        if field.otherwise.is_some_and(|otherwise| own.iter().all(|x| x.to_bits() == otherwise.to_bits())) {
            continue;
        }
        let text = if let [x] = own { numbers.one(*x) } else { numbers.list(own) };
        let _ = writeln!(out, "{} = {text}", field.key);
    }
    true
}

/// A port in a table; empty for every body, nothing for one that does not exist.
fn port_text(system: &System, port: &Port, numbers: &mut Numbers) -> Option<String> {
    let name = |body: &BodyIndex| system.bodies.get(body.0).map(|body| quoted(&body.name));
    Some(match port {
        Port::Hinge { body, speed: 0 } => format!("body = {}", name(body)?),
        Port::Hinge { body, speed } => format!("body = {}, speed = {speed}", name(body)?),
        Port::Node { body, node } => {
            let nodes = &system.bodies.get(body.0)?.nodes;
            format!("body = {}, node = {}", name(body)?, reference(nodes, node.0)?)
        }
        Port::Ground { position } => format!("ground = {}", numbers.list(position)),
        Port::Body { body } => format!("body = {}", name(body)?),
        Port::EveryBody => String::new(),
        Port::Closure { closure, coordinate } => {
            let name = quoted(system.closures.get(*closure)?.name.as_deref()?);
            if *coordinate == 0 {
                format!("closure = {name}")
            } else {
                format!("closure = {name}, coordinate = {coordinate}")
            }
        }
        _ => return None,
    })
}
