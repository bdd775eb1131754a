//! From a system to a document that reads back equal, bit for bit.

use std::collections::HashSet;
use std::fmt::Write;

use supple::{Body, HingeKind, ModalInertia, ModalMatrix, Node, Parent, System};

use super::elements::HingeTable;
use super::geometry::IDENTITY;
use super::words::{CONVENTIONS, ELASTIC_ROTATIONS, FIDELITIES, word};
use super::{WriteError, closure_tables, force_tables, forces};

/// Writes a system as the text of a model file.
///
/// Reading it gives an equal system. (A full modal matrix without rows comes back as a diagonal one without entries.)
///
/// # Errors
/// [`WriteError`] where the system is not one that a model could be built from.
pub fn write(system: &System) -> Result<String, WriteError> {
    write_named(None, system)
}

/// As [`write()`], with the name of the model.
///
/// # Errors
/// As [`write()`].
pub fn write_named(name: Option<&str>, system: &System) -> Result<String, WriteError> {
    let mut names = HashSet::new();
    for (k, body) in system.bodies.iter().enumerate() {
        if body.name.is_empty() || !names.insert(&body.name) {
            return Err(WriteError::Name { body: k, name: body.name.clone() });
        }
    }
    let motors = forces::motors_of(system)?;
    let (tables, in_hinges) = forces::tables_of(system);
    let mut out = format!("format = {}\n", quoted(super::FORMAT));
    if let Some(name) = name {
        let _ = writeln!(out, "name = {}", quoted(name));
    }
    let mut numbers = Numbers { finite: true };
    let _ = writeln!(out, "gravity = {}", numbers.list(&system.gravity));
    let _ = writeln!(out, "elastic_rotation = {}", quoted(word(ELASTIC_ROTATIONS, &system.elastic_rotation)));
    let _ = writeln!(out, "inertia_convention = {}", quoted(word(CONVENTIONS, &system.inertia)));
    if system.bodies.is_empty() {
        out.push_str("body = []\n");
    }
    numbers.check("system")?;
    for (k, body) in system.bodies.iter().enumerate() {
        let motor = motors[k].map(|actuator| forces::motor_of(system, actuator));
        write_body(&mut out, system, k, &HingeTable { motor, ..tables[k].clone() })?;
        numbers.check(&body.name)?;
    }
    for (i, element) in system.forces.iter().enumerate().skip(in_hinges) {
        let kind = element.as_law().name();
        let force = |reason, remedy| WriteError::Force { element: i, kind, reason, remedy };
        if !force_tables::write(&mut out, system, element, &mut numbers) {
            return Err(force("a model file has no table for it, or it acts on what does not exist", "remove it"));
        }
        if !numbers.finite {
            return Err(force("a number is not finite", "a file holds finite numbers only"));
        }
    }
    for (i, closure) in system.closures.iter().enumerate() {
        let wrong = |reason, remedy| WriteError::Closure { closure: i, reason, remedy };
        closure_tables::write(&mut out, system, closure, &mut numbers).ok_or_else(|| {
            let reason = "it is on a node or hinge that does not exist, or on a hinge without a name of its own";
            wrong(reason, "build the model to see why, and give the hinge a name")
        })?;
        if !numbers.finite {
            return Err(wrong("a number is not finite", "a file holds finite numbers only"));
        }
    }
    Ok(out)
}

/// Writes numbers, and keeps in mind whether all were finite.
pub(super) struct Numbers {
    pub(super) finite: bool,
}

impl Numbers {
    fn check(&self, body: &str) -> Result<(), WriteError> {
        if self.finite { Ok(()) } else { Err(WriteError::NotFinite { body: body.into() }) }
    }

    /// The shortest text that reads back equal.
    pub(super) fn one(&mut self, value: f64) -> String {
        self.finite &= value.is_finite();
        format!("{value:?}")
    }

    /// `key = value`, where there is one.
    fn optional(&mut self, key: &str, value: Option<f64>) -> Option<String> {
        value.map(|value| format!("{key} = {}", self.one(value)))
    }

    pub(super) fn list(&mut self, values: &[f64]) -> String {
        let texts: Vec<String> = values.iter().map(|value| self.one(*value)).collect();
        format!("[{}]", texts.join(", "))
    }

    fn rows<'v>(&mut self, rows: impl IntoIterator<Item = &'v [f64]>) -> String {
        let texts: Vec<String> = rows.into_iter().map(|row| self.list(row)).collect();
        format!("[{}]", texts.join(", "))
    }

    fn entries<const N: usize>(&mut self, entries: &[([usize; N], f64)]) -> String {
        let entry = |(indices, value): &([usize; N], f64)| {
            let indices: Vec<String> = indices.iter().map(usize::to_string).collect();
            format!("[{}, {}]", indices.join(", "), self.one(*value))
        };
        format!("[{}]", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
    }
}

/// A string of TOML.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(out, "\\U{:08X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn write_body(out: &mut String, system: &System, k: usize, elements: &HingeTable) -> Result<(), WriteError> {
    let body = &system.bodies[k];
    let mut numbers = Numbers { finite: true };
    let _ = write!(out, "\n[[body]]\nname = {}\n", quoted(&body.name));
    if let Parent::Body(parent, node) = body.parent {
        let broken = || WriteError::Parent { body: body.name.clone() };
        let carrier = system.bodies.get(parent.0).filter(|_| parent.0 < k).ok_or_else(broken)?;
        let _ = writeln!(out, "parent = {}", quoted(&carrier.name));
        let _ = writeln!(out, "at = {}", reference(&carrier.nodes, node.0).ok_or_else(broken)?);
    }
    if body.inboard_node.0 != 0 {
        let broken = || WriteError::InboardNode { body: body.name.clone() };
        let _ = writeln!(out, "inboard_node = {}", reference(&body.nodes, body.inboard_node.0).ok_or_else(broken)?);
    }
    write_nodes(out, body, &mut numbers);
    write_hinge(out, body, elements, &mut numbers);
    write_modes(out, body, &mut numbers);
    if let Some(tables) = &body.modal_inertia {
        write_modal_inertia(out, tables, &mut numbers);
    }
    numbers.check(&body.name)
}

/// A node by its name where that is its own, else by its index.
pub(super) fn reference(nodes: &[Node], index: usize) -> Option<String> {
    let name = nodes.get(index)?.name.as_deref().filter(|name| !name.is_empty());
    let own = |name: &&str| nodes.iter().filter(|node| node.name.as_deref() == Some(*name)).count() == 1;
    Some(name.filter(own).map_or_else(|| index.to_string(), quoted))
}

fn write_nodes(out: &mut String, body: &Body, numbers: &mut Numbers) {
    let mut rest = &body.nodes[..];
    if let [first, others @ ..] = rest
        && first.name.is_none()
        && first.influence.is_empty()
        && first.position.iter().all(|x| x.to_bits() == 0)
    {
        let _ = writeln!(out, "rigid = {{ {} }}", mass(first, numbers));
        rest = others;
    }
    if rest.is_empty() {
        return;
    }
    out.push_str("nodes = [\n");
    for node in rest {
        let mut parts = Vec::new();
        if let Some(name) = node.name.as_deref() {
            parts.push(format!("name = {}", quoted(name)));
        }
        parts.push(format!("position = {}", numbers.list(&node.position)));
        parts.push(mass(node, numbers));
        if !node.influence.is_empty() {
            parts.push(format!("influence = {}", numbers.rows(node.influence.iter().map(|column| &column[..]))));
        }
        if !node.strain.is_empty() {
            parts.push(format!("strain = {}", numbers.rows(node.strain.iter().map(|strain| &strain[..]))));
        }
        let _ = writeln!(out, "  {{ {} }},", parts.join(", "));
    }
    out.push_str("]\n");
}

fn mass(node: &Node, numbers: &mut Numbers) -> String {
    format!(
        "mass = {}, mass_centre = {}, inertia = {}, inertia_about = \"origin\"",
        numbers.one(node.mass),
        numbers.list(&node.mass_centre),
        numbers.rows(node.inertia.iter().map(|row| &row[..]))
    )
}

fn write_hinge(out: &mut String, body: &Body, elements: &HingeTable, numbers: &mut Numbers) {
    let hinge = &body.hinge;
    out.push_str("[body.hinge]\n");
    if let Some(name) = hinge.name.as_deref() {
        let _ = writeln!(out, "name = {}", quoted(name));
    }
    let (kind, direction) = match &hinge.kind {
        HingeKind::Fixed => ("fixed", String::new()),
        HingeKind::Revolute { axis } => ("revolute", format!("axis = {}\n", numbers.list(axis))),
        HingeKind::Prismatic { axis } => ("prismatic", format!("axis = {}\n", numbers.list(axis))),
        HingeKind::Cylindrical { axis } => ("cylindrical", format!("axis = {}\n", numbers.list(axis))),
        HingeKind::Screw { axis, pitch } => {
            ("screw", format!("axis = {}\npitch = {}\n", numbers.list(axis), numbers.one(*pitch)))
        }
        HingeKind::Universal { axes } => {
            ("universal", format!("axes = {}\n", numbers.rows(axes.iter().map(|axis| &axis[..]))))
        }
        HingeKind::Planar { normal } => ("planar", format!("normal = {}\n", numbers.list(normal))),
        HingeKind::Spherical => ("spherical", String::new()),
        HingeKind::Free => ("free", String::new()),
    };
    let _ = write!(out, "kind = \"{kind}\"\n{direction}");
    for line in mounting(&hinge.position, &hinge.rotation, numbers) {
        let _ = writeln!(out, "{line}");
    }
    if !hinge.rotor_inertia.is_empty() {
        let _ = writeln!(out, "rotor_inertia = {}", numbers.list(&hinge.rotor_inertia));
    }
    write_elements(out, elements, numbers);
}

/// `position` and `rotation`, where they are not those of the node.
pub(super) fn mounting(position: &[f64; 3], rotation: &[[f64; 3]; 3], numbers: &mut Numbers) -> Vec<String> {
    let mut parts = Vec::new();
    if position.iter().any(|x| x.to_bits() != 0) {
        parts.push(format!("position = {}", numbers.list(position)));
    }
    let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
    if !rotation.as_flattened().iter().zip(IDENTITY.as_flattened()).all(same) {
        let rows = numbers.rows(rotation.iter().map(|row| &row[..]));
        parts.push(format!("rotation = {{ matrix = {rows} }}"));
    }
    parts
}

fn write_elements(out: &mut String, elements: &HingeTable, numbers: &mut Numbers) {
    if let Some(spring) = &elements.spring {
        let (stiffness, rest) = (numbers.list(&spring.stiffness), numbers.list(&spring.rest));
        let _ = writeln!(out, "spring = {{ stiffness = {stiffness}, rest = {rest} }}");
    }
    if !elements.damping.is_empty() {
        let _ = writeln!(out, "damping = {}", numbers.list(&elements.damping));
    }
    if let Some(friction) = &elements.friction {
        let mut parts = vec![format!("level = {}", numbers.list(&friction.level))];
        parts.extend(numbers.optional("transition_speed", friction.transition_speed));
        let _ = writeln!(out, "friction = {{ {} }}", parts.join(", "));
    }
    if let Some(stops) = &elements.stops {
        let mut parts =
            vec![format!("lower = {}", numbers.list(&stops.lower)), format!("upper = {}", numbers.list(&stops.upper))];
        parts.extend(numbers.optional("stiffness", stops.stiffness));
        parts.extend(numbers.optional("damping", stops.damping));
        let _ = writeln!(out, "stops = {{ {} }}", parts.join(", "));
    }
    if let Some(motor) = &elements.motor {
        let mut parts: Vec<String> = motor.name.iter().map(|name| format!("name = {}", quoted(name))).collect();
        parts.push(format!("gear_ratio = {}", numbers.one(motor.gear_ratio)));
        let inertia = Some(motor.rotor_inertia).filter(|inertia| inertia.to_bits() != 0);
        parts.extend(numbers.optional("rotor_inertia", inertia));
        parts.extend(numbers.optional("effort_limit", motor.effort_limit));
        parts.extend(numbers.optional("speed_limit", motor.speed_limit));
        let _ = writeln!(out, "motor = {{ {} }}", parts.join(", "));
    }
}

fn write_modes(out: &mut String, body: &Body, numbers: &mut Numbers) {
    let modes = &body.modes;
    if *modes == supple::Modes::default() {
        return;
    }
    let _ = write!(out, "[body.modes]\ncount = {}\n", modes.count);
    let _ = writeln!(out, "fidelity = {}", quoted(word(FIDELITIES, &modes.fidelity)));
    for (key, matrix) in [("stiffness", &modes.stiffness), ("damping", &modes.damping)] {
        let text = match matrix {
            ModalMatrix::Zero => continue,
            ModalMatrix::Diagonal(entries) => numbers.list(entries),
            ModalMatrix::Full(rows) => numbers.rows(rows.iter().map(|row| &row[..])),
        };
        let _ = writeln!(out, "{key} = {text}");
    }
    if !modes.second_order.is_empty() {
        let shapes: Vec<String> = modes.second_order.iter().map(|shape| numbers.entries(&shape.quadratic)).collect();
        let _ = writeln!(out, "second_order = [{}]", shapes.join(", "));
    }
    let nonlinear = &modes.nonlinear;
    if nonlinear.cubic.len() + nonlinear.quartic.len() + nonlinear.axial_load.len() > 0 {
        out.push_str("[body.modes.nonlinear]\n");
        let _ = writeln!(out, "cubic = {}", numbers.entries(&nonlinear.cubic));
        let _ = writeln!(out, "quartic = {}", numbers.entries(&nonlinear.quartic));
        let _ = writeln!(out, "axial_load = {}", numbers.entries(&nonlinear.axial_load));
    }
}

fn write_modal_inertia(out: &mut String, tables: &ModalInertia, numbers: &mut Numbers) {
    let _ = writeln!(out, "[body.modal_inertia]\nmass = {}", numbers.one(tables.mass));
    let _ = writeln!(out, "mass_moment = {}", numbers.list(&tables.mass_moment));
    let _ = writeln!(out, "inertia = {}", numbers.rows(tables.inertia.iter().map(|row| &row[..])));
    let mut vectors = |list: &[[f64; 3]]| numbers.rows(list.iter().map(|entry| &entry[..]));
    let lists = [
        ("moment_change", vectors(&tables.moment_change)),
        ("coupling_change", listed(&tables.coupling_change, |row| vectors(row))),
        ("inertia_first", listed(&tables.inertia_first, |block| vectors(block))),
        ("inertia_second", listed(&tables.inertia_second, |row| listed(row, |block| vectors(block)))),
        ("coupling", numbers.rows(tables.coupling.iter().map(|column| &column[..]))),
        ("modal_mass", numbers.rows(tables.modal_mass.iter().map(|row| &row[..]))),
    ];
    for (key, text) in lists {
        if text != "[]" {
            let _ = writeln!(out, "{key} = {text}");
        }
    }
}

/// A list of things that know their own text.
fn listed<T>(items: &[T], text: impl FnMut(&T) -> String) -> String {
    format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(", "))
}
