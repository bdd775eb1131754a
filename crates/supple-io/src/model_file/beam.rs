//! Beams of files, made into nodes and modes.

use supple::{Fidelity, Node, SHAPE_LIMIT};
use supple_bodies::beam::{Fitting, ModalBeam, ModeCounts, Support};
use supple_bodies::section::Section;

use super::geometry::{IDENTITY, mass_properties, rotation, rotation_to, turn, turn_inertia};
use super::modal::FlexibleParts;
use super::pieces;
use super::sections::Varying;
use super::shapes::MAX_MODES;
use super::words::{BASES, FIDELITIES, SUPPORTS, meaning};
use crate::document::{Table, Value};
use crate::source::{Report, Rule, Source, written};

/// Most numbers that are integrated for all beams of a file together: 60 beams of 24 modes, 300 of 10.
const MAX_ENTRIES: usize = 4_000_000;
/// Most stations of a beam.
const MAX_STATIONS: usize = 1000;

/// Where the beam of a body lies, and what its cross-section is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BeamLine {
    /// The body.
    pub body: usize,
    /// Its root in the body frame.
    pub start: [f64; 3],
    /// Its axes as columns in the body frame: along it, then y and z of its section.
    pub axes: [[f64; 3]; 3],
    /// Its length.
    pub length: f64,
    /// Its cross-section, if given.
    pub section: Option<Section>,
    /// The beam that it was cut from, where it is a piece.
    pub piece_of: Option<CutBeam>,
    /// What it was made of.
    pub(crate) spec: BeamSpec,
}

/// A beam that was cut into pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CutBeam {
    /// Its body in the file, whose name the last piece keeps.
    pub body: String,
    /// How many pieces there are.
    pub pieces: usize,
}

impl BeamLine {
    /// Its `damping_ratio`: that of every mode of the beam alone, with what it carries.
    pub fn damping_ratio(&self) -> f64 {
        self.spec.beam.damping_ratio
    }

    /// Cross-section and its rotation about the line at a distance from the root; none where only stiffness and mass are known.
    pub fn section_at(&self, x: f64) -> Option<(Section, f64)> {
        match &self.spec.varying {
            Some(varying) => varying.shape(x),
            None => Some((self.section?, 0.0)),
        }
    }

    /// The same as a piece of a beam that was cut.
    pub(super) fn of_pieces(self, body: &str, pieces: usize) -> Self {
        Self { piece_of: (pieces > 1).then(|| CutBeam { body: body.to_owned(), pieces }), ..self }
    }
}

/// A beam, where it lies in its body, and its stations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BeamSpec {
    pub(super) beam: ModalBeam,
    section: Option<Section>,
    start: [f64; 3],
    /// Axes of the beam as columns in the body frame.
    rotation: [[f64; 3]; 3],
    pub(super) stations: Vec<(String, f64)>,
    /// Its sections, where it is not uniform, or not straight, or shears.
    pub(super) varying: Option<Varying>,
}

impl BeamSpec {
    /// The nodes and modes of the body: root, integration points, tip, stations; before them a node at the origin where the beam
    /// does not start there.
    pub(super) fn parts(&self) -> FlexibleParts {
        let positions: Vec<f64> = self.stations.iter().map(|(_, x)| *x).collect();
        let (mut nodes, modes) = match &self.varying {
            Some(varying) => varying.beam(&self.beam).parts(&positions),
            None => {
                let (nodes, stations) = (self.beam.nodes(), self.beam.stations(&positions));
                (nodes.into_iter().chain(stations).collect(), self.beam.modal_data())
            }
        };
        let first = nodes.len() - self.stations.len();
        for (node, (name, _)) in nodes[first..].iter_mut().zip(&self.stations) {
            node.name = Some(name.clone());
        }
        if self.rotation != IDENTITY || self.start != [0.0; 3] {
            nodes.iter_mut().for_each(|node| self.place(node));
        }
        if self.start != [0.0; 3] {
            // The root is at rest in the body, so the origin is as well.
            nodes.insert(0, Node { name: Some("origin".into()), ..Node::default() });
        }
        let (start, axes, length, section) = (self.start, self.rotation, self.beam.length, self.section);
        let line = BeamLine { body: 0, start, axes, length, section, piece_of: None, spec: self.clone() };
        // What is not straight is drawn by its nodes.
        let is_straight = self.varying.as_ref().is_none_or(Varying::is_straight);
        FlexibleParts { line: is_straight.then_some(line), ..FlexibleParts::new(nodes, modes) }
    }

    /// How many numbers it is made of: shapes at its nodes, or the nonlinear stiffness where the fidelity reads it.
    fn entries(&self) -> usize {
        if let Some(varying) = &self.varying {
            let beam = varying.beam(&self.beam);
            let n = beam.shape_count();
            return 6 * beam.node_count() * (1 + n + n * (n + 1) / 2);
        }
        let counts = self.beam.shape_counts();
        let pairs = |n: usize| n * (n + 1) / 2;
        let nodes = self.beam.tip_node().0 + 1;
        match self.beam.fidelity {
            Fidelity::Exact | Fidelity::Consistent => counts.total().pow(4),
            Fidelity::Stiffened => 6 * nodes * (1 + counts.total() + pairs(counts.bending_y) + pairs(counts.bending_z)),
            _ => 6 * nodes * (1 + counts.total()),
        }
    }

    /// From the axes of the beam to those of the body.
    fn place(&self, node: &mut Node) {
        let r = &self.rotation;
        let turned = turn(r, node.position);
        node.position = std::array::from_fn(|i| self.start[i] + turned[i]);
        node.mass_centre = turn(r, node.mass_centre);
        node.inertia = turn_inertia(r, &node.inertia);
        for column in &mut node.influence {
            let [a, b, c, d, e, f] = *column;
            let (lambda, gamma) = (turn(r, [a, b, c]), turn(r, [d, e, f]));
            *column = [lambda[0], lambda[1], lambda[2], gamma[0], gamma[1], gamma[2]];
        }
    }
}

/// Beams of one file, which share a bound on the work they make.
#[derive(Default)]
pub(crate) struct BeamBudget {
    entries: usize,
}

impl BeamBudget {
    /// The nodes and modes of a beam; problems are reported.
    pub(crate) fn parts(&mut self, table: Table<'_>, source: &Source, report: &mut Report) -> Option<FlexibleParts> {
        let spec = read(table, source, report)?;
        self.entries = self.entries.saturating_add(spec.entries().saturating_mul(pieces::count(table)));
        if self.entries > MAX_ENTRIES {
            let what = "entries in the tables of all beams of the file; they grow with the third power of the modes, or with the fourth if the fidelity uses the nonlinear stiffness; use fewer modes";
            report.add(source, table.span(), Rule::TooMany { what, found: self.entries, limit: MAX_ENTRIES });
            return None;
        }
        let mut pieces: Vec<FlexibleParts> = cut(&spec, pieces::count(table)).iter().map(BeamSpec::parts).collect();
        let last = pieces.pop()?;
        Some(FlexibleParts { before: pieces, ..last })
    }
}

/// Equal pieces of a beam, from its root on. Axes are the same in all of them; what is at the tip is on the last.
fn cut(spec: &BeamSpec, pieces: usize) -> Vec<BeamSpec> {
    let length = spec.beam.length / pieces as f64;
    let piece = |k: usize| {
        let (first, last) = (k == 0, k + 1 == pieces);
        let load = |fitting: Fitting| if last { fitting } else { Fitting::default() };
        let (tip, carried) = (load(spec.beam.tip), load(spec.beam.carried));
        // Where two pieces meet, a station is on the nearer one to the root.
        let inside = |x: f64| (k as f64 * length < x || first) && (x <= (k + 1) as f64 * length || last);
        let stations = spec.stations.iter().filter(|(_, x)| inside(*x));
        BeamSpec {
            beam: ModalBeam { length, tip, carried, ..spec.beam.clone() },
            start: if first { spec.start } else { [0.0; 3] },
            stations: stations.map(|(name, x)| (name.clone(), x - k as f64 * length)).collect(),
            varying: spec.varying.clone().map(|varying| varying.from(k as f64 * length)),
            ..spec.clone()
        }
    };
    (0..pieces).map(piece).collect()
}

/// Reads a beam; problems are reported.
fn read(table: Table<'_>, source: &Source, report: &mut Report) -> Option<BeamSpec> {
    let before = report.count();
    let mut reader = Reader { source, report };
    let rotation = reader.axes(table);
    let first = table.tables("sections").first().copied();
    if first.is_none() && table.get("sections").is_some() {
        reader.mismatch(table, "sections", "a beam without sections".to_owned(), "one section or more");
        return None;
    }
    let properties = reader.properties(first.unwrap_or(table), table);
    let counts = reader.counts(table);
    let support = reader.support(table);
    let length = table.number("length");
    let properties = properties?;
    let fitting = |key: &str| {
        let told = table.table(key).map_or(Some((0.0, [0.0; 3], [[0.0; 3]; 3])), mass_properties);
        told.map(|(mass, mass_centre, inertia)| Fitting { mass, mass_centre, inertia })
    };
    let beam = ModalBeam {
        length: length?,
        properties: properties.0,
        support: support?,
        modes: counts?,
        rotary_inertia: false,
        tip: fitting("tip")?,
        carried: fitting("carried")?,
        fidelity: match table.get("fidelity") {
            Some(word) => meaning(FIDELITIES, word.text())?,
            None => Fidelity::Stiffened,
        },
        // A negative one is told already.
        damping_ratio: table.number("damping_ratio").filter(|ratio| *ratio >= 0.0).unwrap_or(0.0),
    };
    let told = table.get("rotary_inertia").and_then(Value::flag);
    let beam = ModalBeam { rotary_inertia: told.unwrap_or_else(|| rotates(&beam)), ..beam };
    let varying = reader.varying(table, &beam)?;
    reader.bounds(table, &beam);
    reader.doubts(table, &beam, properties.1);
    reader.pieces(table, &beam);
    let stations = reader.stations(table, beam.length);
    let start = table.get("start").map_or(Some([0.0; 3]), Value::array)?;
    reader.start(table, start, beam.support);
    let found = varying.as_ref().map_or(beam.shapes_and_pairs(), |varying| varying.beam(&beam).shapes_and_pairs());
    if found > SHAPE_LIMIT {
        let what = "modes and pairs of bending modes of a beam; for more, cut it by `pieces`";
        reader.report.add(source, table.span_of("modes"), Rule::TooMany { what, found, limit: SHAPE_LIMIT });
    }
    let section = properties.1.filter(|_| first.is_none());
    (report.count() == before).then_some(BeamSpec { beam, section, start, rotation: rotation?, stations, varying })
}

/// Whether rotary inertia lowers the second frequency by more than 0.5 %: by `½ (r k)²` with `k` the wave number of a cantilever.
fn rotates(beam: &ModalBeam) -> bool {
    const SECOND: f64 = 4.694;
    const MUCH: f64 = 0.005;
    let p = &beam.properties;
    let lowers =
        |count: usize, inertia: f64| count > 0 && 0.5 * inertia / p.mass * (SECOND / beam.length).powi(2) > MUCH;
    lowers(beam.modes.bending_y, p.rotary[2]) || lowers(beam.modes.bending_z, p.rotary[1])
}

pub(super) struct Reader<'r> {
    pub(super) source: &'r Source,
    pub(super) report: &'r mut Report,
}

impl Reader<'_> {
    pub(super) fn mismatch(&mut self, table: Table<'_>, key: &str, what: String, expected: &str) {
        self.report.add(self.source, table.span_of(key), Rule::Mismatch { what, expected: expected.into() });
    }

    fn axes(&mut self, table: Table<'_>) -> Option<[[f64; 3]; 3]> {
        if let Some(told) = table.table("rotation") {
            let r = rotation(told, self.source, self.report)?;
            // As the engine demands of hinges.
            let gram = turn_inertia(&r, &IDENTITY);
            let error = (0..9).fold(0.0_f64, |m, k| m.max((gram[k / 3][k % 3] - IDENTITY[k / 3][k % 3]).abs()));
            let determinant = (0..3)
                .map(|i| {
                    let (a, b, c) = (r[0][i], r[1][(i + 1) % 3], r[2][(i + 2) % 3]);
                    a * b * c - r[0][i] * r[1][(i + 2) % 3] * r[2][(i + 1) % 3]
                })
                .sum::<f64>();
            if error > 1e-9 || determinant <= 0.0 {
                let what = format!("the axes of the beam deviate from a rotation by {error:.2e}");
                self.mismatch(table, "rotation", what, "right-handed orthonormal axes as columns");
                return None;
            }
            return Some(r);
        }
        let Some(direction) = table.get("direction") else { return Some(IDENTITY) };
        let rotation = rotation_to(direction.array()?);
        if rotation.is_none() {
            self.report.add(self.source, direction.span(), Rule::ZeroAxis);
        }
        rotation
    }

    /// How the modes are found: by the basis of `modes`, or by the boundary conditions of exact modes.
    fn support(&mut self, table: Table<'_>) -> Option<Support> {
        let basis = table.table("modes").and_then(|modes| modes.get("basis"));
        let told = |words, value: Option<Value<'_>>| value.map(|word| meaning(words, word.text()));
        match (told(BASES, basis), told(SUPPORTS, table.get("support"))) {
            (None, None) => Some(Support::ClampedInterface),
            (Some(one), None) | (None, Some(one)) => one,
            (Some(basis), Some(support)) if basis == support => support,
            (Some(_), Some(_)) => {
                let what = "`support` and `basis` of `modes` ask for different modes".to_owned();
                self.mismatch(table, "support", what, "one of them");
                None
            }
        }
    }

    fn counts(&mut self, table: Table<'_>) -> Option<ModeCounts> {
        let told = table.table("modes")?;
        // A count above the limit is told already.
        let count = |key: &str| told.get(key).map_or(Some(0), Value::whole).filter(|n| *n <= MAX_MODES);
        Some(ModeCounts {
            bending_y: count("bending_y")?,
            bending_z: count("bending_z")?,
            stretch: count("stretch")?,
            twist: count("twist")?,
        })
    }

    fn stations(&mut self, table: Table<'_>, length: f64) -> Vec<(String, f64)> {
        let told = table.tables("stations");
        if told.len() > MAX_STATIONS {
            let rule = Rule::TooMany { what: "stations of a beam", found: told.len(), limit: MAX_STATIONS };
            self.report.add(self.source, table.span_of("stations"), rule);
            return Vec::new();
        }
        let mut stations = Vec::new();
        for station in told {
            let (Some(name), Some(x)) = (station.text("name"), station.number("x")) else { continue };
            if x > length {
                self.mismatch(
                    station,
                    "x",
                    format!("station `{name}` is at {}, the beam ends at {}", written(x), written(length)),
                    "0 < x ≤ length",
                );
            }
            stations.push((name.to_owned(), x));
        }
        stations
    }

    fn pieces(&mut self, table: Table<'_>, beam: &ModalBeam) {
        if table.get("pieces").is_none() {
            return;
        }
        if pieces::count(table) == 0 {
            self.mismatch(table, "pieces", "a beam has at least one piece".to_owned(), "1 or more");
        }
        if beam.support != Support::ClampedInterface {
            let what = "the modes of a piece must support the moment that the next one exerts".to_owned();
            self.mismatch(table, "pieces", what, "neither `support` nor `basis = \"cantilever\"` for a beam in pieces");
        }
    }

    fn start(&mut self, table: Table<'_>, start: [f64; 3], support: Support) {
        if start != [0.0; 3] && !support.holds_the_root() {
            let what = "the beam starts away from the origin and its root moves".to_owned();
            self.mismatch(table, "start", what, "a clamped support, or a start at the origin");
        }
    }
}
