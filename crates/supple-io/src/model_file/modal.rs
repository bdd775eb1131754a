//! Nodes and modes as they stand in files, inline or in a file of their own.

use supple::{Fidelity, ModalInertia, ModalMatrix, Modes, Node, NodeIndex, NonlinearStiffness, SecondOrderShape};

use super::beam::BeamLine;
use super::geometry::mass_properties;
use super::shapes::MODES_FILE;
use super::standard_input;
use super::words::{FIDELITIES, meaning};
use crate::document::convert::{Directions, convert};
use crate::document::{Table, Value, check_document};
use crate::source::folder::Folder;
use crate::source::{Report, Rule, Source, shorten};

/// The format of files of modes.
pub(crate) const FORMAT: &str = "supple-modes-1";

/// A flexible body without its hinge.
#[derive(Clone, Debug)]
pub(crate) struct FlexibleParts {
    /// Nodes.
    pub(crate) nodes: Vec<Node>,
    /// Modes.
    pub(crate) modes: Modes,
    /// The node at the hinge.
    pub(crate) inboard: NodeIndex,
    /// Inertia in addition to that of the nodes.
    pub(crate) modal_inertia: Option<ModalInertia>,
    /// Where it lies, where it is a beam; the body is not known yet.
    pub(crate) line: Option<BeamLine>,
    /// What it hangs on where it is the last piece of a beam that was cut: the other pieces, from the root on.
    pub(crate) before: Vec<FlexibleParts>,
}

impl FlexibleParts {
    /// With the hinge at the first node and no tables.
    pub(crate) fn new(nodes: Vec<Node>, modes: Modes) -> Self {
        Self { nodes, modes, inboard: NodeIndex(0), modal_inertia: None, line: None, before: Vec::new() }
    }
}

/// A node or a reference to it: name or index.
pub(crate) fn find_node(
    reference: Value<'_>,
    nodes: &[Node],
    source: &Source,
    report: &mut Report,
) -> Option<NodeIndex> {
    let found = match reference.text() {
        Some(name) => nodes.iter().position(|node| node.name.as_deref() == Some(name)),
        // Beams have nodes without names along them, which nobody means.
        None => {
            let has = |name: &str| nodes.iter().any(|node| node.name.as_deref() == Some(name));
            let is_beam = has("root") && has("tip");
            let index = reference.whole().filter(|index| *index < nodes.len());
            index.filter(|index| nodes[*index].name.is_some() || !is_beam)
        }
    };
    if found.is_none() {
        let name = reference.text().map_or_else(|| reference.whole().unwrap_or_default().to_string(), str::to_owned);
        let mut known = report.names(nodes.iter().filter_map(|node| node.name.as_deref()));
        if known.is_empty() {
            known = (0..nodes.len().min(100)).map(|index| index.to_string()).collect();
        }
        report.add(source, reference.span(), Rule::UnknownName { kind: "node", name, known });
    }
    found.map(NodeIndex)
}

/// A list of nodes.
pub(crate) fn nodes(tables: &[Table<'_>]) -> Option<Vec<Node>> {
    tables.iter().map(|table| node(*table)).collect()
}

fn node(table: Table<'_>) -> Option<Node> {
    let (mass, mass_centre, inertia) = mass_properties(table)?;
    let columns = |value: Value<'_>| value.items()?.map(Value::array).collect();
    let strains = |value: Value<'_>| value.items()?.map(Value::array).collect();
    Some(Node {
        name: table.text("name").map(str::to_owned),
        position: table.get("position").map_or(Some([0.0; 3]), Value::array)?,
        mass,
        mass_centre,
        inertia,
        influence: table.get("influence").map_or(Some(Vec::new()), columns)?,
        strain: table.get("strain").map_or(Some(Vec::new()), strains)?,
    })
}

/// The modes of a table.
pub(crate) fn modes(table: Table<'_>, source: &Source, report: &mut Report) -> Option<Modes> {
    let nonlinear = match table.table("nonlinear") {
        Some(told) => NonlinearStiffness {
            cubic: entries(told.get("cubic"), source, report)?,
            quartic: entries(told.get("quartic"), source, report)?,
            axial_load: entries(told.get("axial_load"), source, report)?,
        },
        None => NonlinearStiffness::default(),
    };
    let mut second_order = Vec::new();
    for shape in table.get("second_order").and_then(Value::items).into_iter().flatten() {
        second_order.push(SecondOrderShape { quadratic: entries(Some(shape), source, report)? });
    }
    Some(Modes {
        count: table.get("count")?.whole()?,
        stiffness: matrix(table.get("stiffness"))?,
        damping: matrix(table.get("damping"))?,
        nonlinear,
        fidelity: table.get("fidelity").map_or(Some(Fidelity::default()), |word| meaning(FIDELITIES, word.text()))?,
        second_order,
    })
}

/// One number per mode, or rows.
fn matrix(value: Option<Value<'_>>) -> Option<ModalMatrix> {
    let Some(value) = value else { return Some(ModalMatrix::Zero) };
    value.numbers().map(ModalMatrix::Diagonal).or_else(|| value.rows().map(ModalMatrix::Full))
}

/// Tables of modal integrals, where there are some; a table that is absent has no rows.
pub(crate) fn modal_inertia(value: Option<Value<'_>>) -> Option<Option<ModalInertia>> {
    let Some(told) = value else { return Some(None) };
    let table = told.table()?;
    Some(Some(ModalInertia {
        mass: table.number("mass")?,
        mass_moment: table.get("mass_moment").map_or(Some([0.0; 3]), Value::array)?,
        inertia: table.get("inertia").map_or(Some([[0.0; 3]; 3]), Value::matrix3)?,
        moment_change: each(table.get("moment_change"), Value::array)?,
        coupling: each(table.get("coupling"), Value::array)?,
        coupling_change: each(table.get("coupling_change"), |row| each(Some(row), Value::array))?,
        inertia_first: each(table.get("inertia_first"), Value::matrix3)?,
        inertia_second: each(table.get("inertia_second"), |row| each(Some(row), Value::matrix3))?,
        modal_mass: each(table.get("modal_mass"), Value::numbers)?,
    }))
}

/// Every entry of a list.
fn each<'d, T>(list: Option<Value<'d>>, read: impl Fn(Value<'d>) -> Option<T>) -> Option<Vec<T>> {
    list.map_or(Some(Vec::new()), |list| list.items()?.map(read).collect())
}

/// Entries `[i, …, value]` of a tensor.
fn entries<const N: usize>(
    value: Option<Value<'_>>,
    source: &Source,
    report: &mut Report,
) -> Option<Vec<([usize; N], f64)>> {
    let Some(list) = value else { return Some(Vec::new()) };
    let before = report.count();
    let mut out = Vec::with_capacity(list.items()?.len());
    for entry in list.items()? {
        let numbers: Vec<Value<'_>> = entry.items()?.collect();
        let (indices, last) = numbers.split_at_checked(N)?;
        let mut at = [0; N];
        for (index, told) in at.iter_mut().zip(indices) {
            match told.whole() {
                Some(whole) => *index = whole,
                None => {
                    let found = source.text.get(told.span()).unwrap_or_default().to_owned();
                    report.add(source, told.span(), Rule::Type { expected: "index of a mode, from 0".into(), found });
                }
            }
        }
        out.push((at, last.first()?.number()?));
    }
    (report.count() == before).then_some(out)
}

/// Nodes and modes of the file that a table `modal` names, at the node that it says.
pub(crate) fn from_file(
    table: Table<'_>,
    source: &Source,
    folder: &Folder,
    report: &mut Report,
) -> Option<FlexibleParts> {
    let mut parts = content_of_file(table, source, folder, report)?;
    if let Some(reference) = table.get("inboard_node") {
        parts.inboard = find_node(reference, &parts.nodes, source, report)?;
    }
    Some(parts)
}

fn content_of_file(table: Table<'_>, source: &Source, folder: &Folder, report: &mut Report) -> Option<FlexibleParts> {
    let name = table.get("file")?;
    let told = name.text()?;
    let bytes = match folder.read(told) {
        Ok(bytes) => bytes,
        Err(fault) => {
            report.add(source, name.span(), Rule::Path { name: shorten(told, 60), fault });
            return None;
        }
    };
    let file = Source::from_bytes(told, bytes, report)?;
    let lower = told.to_ascii_lowercase();
    if lower.ends_with(".sid") || lower.ends_with(".sid_fem") {
        return standard_input::read(&file, table, source, report);
    }
    if let Some(fidelity) = table.get("fidelity") {
        let because = "a file of format supple-modes-1 defines it in its table `modes`".into();
        report.add(source, fidelity.span(), Rule::Useless { key: "fidelity".into(), because });
    }
    check_document(&file, &MODES_FILE, report, |table, report| {
        check_format(table, FORMAT, &file, report)?;
        convert(table, &MODES_FILE, &Directions::default(), &file, report);
        let nodes = nodes(&table.tables("nodes"))?;
        let modes = modes(table.table("modes")?, &file, report)?;
        let modal_inertia = modal_inertia(table.get("modal_inertia"))?;
        let inboard = match table.get("inboard_node") {
            Some(reference) => find_node(reference, &nodes, &file, report)?,
            None => NodeIndex(0),
        };
        Some(FlexibleParts { inboard, modal_inertia, ..FlexibleParts::new(nodes, modes) })
    })
}

/// The format that a file names must be the one that is read.
pub(crate) fn check_format(
    table: Table<'_>,
    expected: &'static str,
    source: &Source,
    report: &mut Report,
) -> Option<()> {
    let found = table.text("format")?;
    if found == expected {
        return Some(());
    }
    let rule = Rule::Format { found: shorten(found, 60), expected };
    report.add(source, table.span_of("format"), rule);
    None
}
