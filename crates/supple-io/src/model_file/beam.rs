//! Beams of files, made into nodes and modes.

use supple::{Fidelity, Node};
use supple_bodies::beam::{Fitting, ModalBeam, ModeCounts, Support};
use supple_bodies::section::{BeamProperties, Material, Section};

use super::geometry::{IDENTITY, mass_properties, rotation, rotation_to, turn, turn_inertia};
use super::modal::FlexibleParts;
use super::shapes::MAX_BEAM_MODES;
use super::words::{FIDELITIES, SUPPORTS, meaning};
use crate::document::{Table, Value};
use crate::source::{Report, Rule, Source};

/// How heavy a tip may be, in masses of the beam: beyond it the frequency equation loses its first root.
const MAX_TIP_RATIO: f64 = 1e9;
/// Bounds of lengths and of masses per length, far beyond anything that is built.
const SIZES: std::ops::RangeInclusive<f64> = 1e-9..=1e9;
/// Most entries of nonlinear stiffness that are integrated for all beams of a file together: 12 beams of 24 modes, 400 of 10.
const MAX_ENTRIES: usize = 4_000_000;
/// Young's moduli from soft rubber to diamond, Pa.
const MODULI: std::ops::RangeInclusive<f64> = 1e5..=2e12;
/// Densities from foam to metals with motors and cables spread over them, kg/m³.
const DENSITIES: std::ops::RangeInclusive<f64> = 5.0..=1e5;
/// Largest size of a section that is no mistake of units, m.
const LARGE_SECTION: f64 = 10.0;
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
}

/// A beam, where it lies in its body, and its stations.
#[derive(Clone, Debug)]
struct BeamSpec {
    beam: ModalBeam,
    section: Option<Section>,
    start: [f64; 3],
    /// Axes of the beam as columns in the body frame.
    rotation: [[f64; 3]; 3],
    stations: Vec<(String, f64)>,
}

impl BeamSpec {
    /// The nodes and modes of the body: root, integration points, tip, stations; before them a node at the origin where the beam
    /// does not start there.
    fn parts(&self) -> FlexibleParts {
        let mut nodes = self.beam.nodes();
        let positions: Vec<f64> = self.stations.iter().map(|(_, x)| *x).collect();
        let mut stations = self.beam.stations(&positions);
        for (node, (name, _)) in stations.iter_mut().zip(&self.stations) {
            node.name = Some(name.clone());
        }
        nodes.append(&mut stations);
        if self.rotation != IDENTITY || self.start != [0.0; 3] {
            nodes.iter_mut().for_each(|node| self.place(node));
        }
        if self.start != [0.0; 3] {
            // The root is at rest in the body, so the origin is as well.
            nodes.insert(0, Node { name: Some("origin".into()), ..Node::default() });
        }
        let mut modes = self.beam.modal_data();
        // What the fidelity does not read is not kept: with many modes it is most of the body.
        let told = &mut modes.nonlinear;
        if modes.fidelity != Fidelity::Exact {
            (told.cubic, told.quartic) = (Vec::new(), Vec::new());
        }
        if modes.fidelity != Fidelity::Consistent {
            told.axial_load = Vec::new();
        }
        let (start, axes, length, section) = (self.start, self.rotation, self.beam.length, self.section);
        let line = BeamLine { body: 0, start, axes, length, section };
        FlexibleParts { line: Some(line), ..FlexibleParts::new(nodes, modes) }
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
        self.entries = self.entries.saturating_add(spec.beam.modes.total().pow(4));
        if self.entries > MAX_ENTRIES {
            let what = "entries of nonlinear stiffness of all beams (modes to the fourth power)";
            report.add(source, table.span(), Rule::TooMany { what, found: self.entries, limit: MAX_ENTRIES });
            return None;
        }
        Some(spec.parts())
    }
}

/// Reads a beam; problems are reported.
fn read(table: Table<'_>, source: &Source, report: &mut Report) -> Option<BeamSpec> {
    let before = report.count();
    let mut reader = Reader { source, report };
    let rotation = reader.axes(table);
    let properties = reader.properties(table);
    let counts = reader.counts(table);
    let support = match table.get("support") {
        Some(word) => meaning(SUPPORTS, word.text()),
        None => Some(Support::ClampedFree),
    };
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
        rotary_inertia: table.get("rotary_inertia").and_then(Value::flag).unwrap_or(false),
        tip: fitting("tip")?,
        carried: fitting("carried")?,
        fidelity: match table.get("fidelity") {
            Some(word) => meaning(FIDELITIES, word.text())?,
            None => Fidelity::Stiffened,
        },
        damping_ratio: table.number("damping_ratio").unwrap_or(0.0),
    };
    reader.bounds(table, &beam);
    reader.doubts(table, &beam, properties.1);
    let stations = reader.stations(table, beam.length);
    let start = table.get("start").map_or(Some([0.0; 3]), Value::array)?;
    reader.start(table, start, beam.support);
    let section = properties.1;
    (report.count() == before).then_some(BeamSpec { beam, section, start, rotation: rotation?, stations })
}

struct Reader<'r> {
    source: &'r Source,
    report: &'r mut Report,
}

impl Reader<'_> {
    fn mismatch(&mut self, table: Table<'_>, key: &str, what: String, expected: &str) {
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
                let what = format!("the axes of the beam are off a rotation by {error:.2e}");
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

    /// What it is made of, and its section where there is one.
    fn properties(&mut self, table: Table<'_>) -> Option<(BeamProperties, Option<Section>)> {
        if let Some(told) = table.table("properties") {
            let told = BeamProperties {
                mass: told.number("mass_per_length")?,
                axial: told.number("EA")?,
                bending_y: told.number("EI_z")?,
                bending_z: told.number("EI_y")?,
                torsion: told.number("GJ")?,
                shear: f64::INFINITY,
                rotary: told.vector("rotary_inertia")?,
            };
            return Some((told, None));
        }
        let section = self.section(table);
        let Some(material) = table.table("material") else {
            if table.get("material").is_none() && table.get("section").is_some() {
                let rule = Rule::MissingKey { key: "material", meaning: "material of the section" };
                self.report.add(self.source, table.span(), rule);
            }
            return None;
        };
        let (young, density) = (material.number("E")?, material.number("density")?);
        let poisson = match (material.number("nu"), material.number("G")) {
            (Some(nu), _) => nu,
            (None, Some(shear)) => young / (2.0 * shear) - 1.0,
            (None, None) => return None,
        };
        // Told already, at the number itself; what follows from it would be told at a place that is innocent.
        if !(young > 0.0 && density > 0.0) {
            return None;
        }
        if !(poisson > -1.0 && poisson <= 0.5) {
            let key = if material.get("nu").is_some() { "nu" } else { "G" };
            self.mismatch(material, key, format!("Poisson's ratio is {poisson}"), "above -1 and at most 0.5");
            return None;
        }
        Some((BeamProperties::new(section?, Material { young, poisson, density }), section))
    }

    fn section(&mut self, table: Table<'_>) -> Option<Section> {
        let told = table.table("section")?;
        if let Some(tube) = told.table("tube") {
            let (outer, thickness) = (tube.number("outer_radius")?, tube.number("thickness")?);
            if thickness > outer {
                let what = format!("the wall, {thickness}, is thicker than the radius, {outer}");
                self.mismatch(tube, "thickness", what, "at most the outer radius");
                return None;
            }
            return Some(Section::Tube { outer, inner: outer - thickness });
        }
        if let Some(told) = told.table("box") {
            let (width, height, wall) = (told.number("width")?, told.number("height")?, told.number("thickness")?);
            if 2.0 * wall >= width.min(height) {
                let what = format!("walls of {wall} fill a box of {width} by {height}");
                self.mismatch(
                    told,
                    "thickness",
                    what,
                    "less than half of width and height; use `rectangle` for a solid one",
                );
                return None;
            }
            return Some(Section::Box { width, height, wall });
        }
        let told = told.table("rectangle")?;
        Some(Section::Rectangle { width: told.number("width")?, height: told.number("height")? })
    }

    fn counts(&mut self, table: Table<'_>) -> Option<ModeCounts> {
        let told = table.table("modes")?;
        // A count above the limit is told already.
        let count = |key: &str| told.get(key).map_or(Some(0), Value::whole).filter(|n| *n <= MAX_BEAM_MODES);
        let modes = ModeCounts {
            bending_y: count("bending_y")?,
            bending_z: count("bending_z")?,
            stretch: count("stretch")?,
            twist: count("twist")?,
        };
        let found = modes.total();
        if found > MAX_BEAM_MODES {
            let rule = Rule::TooMany { what: "modes of a beam", found, limit: MAX_BEAM_MODES };
            self.report.add(self.source, told.span(), rule);
            return None;
        }
        Some(modes)
    }

    /// Sizes for which the exact modes can be computed.
    fn bounds(&mut self, table: Table<'_>, beam: &ModalBeam) {
        let p = &beam.properties;
        if !SIZES.contains(&beam.length) {
            self.mismatch(table, "length", format!("the length is {}", beam.length), "from 1e-9 to 1e9 m");
        }
        let key = if table.get("properties").is_some() { "properties" } else { "section" };
        let stiff = [p.axial, p.bending_y, p.bending_z, p.torsion];
        if !SIZES.contains(&p.mass) || stiff.iter().any(|x| !(x.is_finite() && *x > 0.0)) {
            let what = format!("mass per length {} or stiffness {stiff:?} cannot be used", p.mass);
            self.mismatch(table, key, what, "a mass per length from 1e-9 to 1e9 kg/m and finite, positive stiffness");
        }
        if beam.modes.twist > 0 && p.rotary[0] <= 0.0 {
            let what = "twist without inertia about x".to_owned();
            self.mismatch(table, key, what, "a positive inertia per length about x where there are twist modes");
        }
        let length = beam.length;
        let mass = p.mass * length;
        for (key, load) in [("tip", &beam.tip), ("carried", &beam.carried)] {
            let j = load.inertia;
            let ratios = [
                load.mass / mass,
                j[1][1] / (mass * length * length),
                j[2][2] / (mass * length * length),
                if beam.modes.twist > 0 { j[0][0] / (p.rotary[0] * length).max(f64::MIN_POSITIVE) } else { 0.0 },
            ];
            if ratios.iter().any(|ratio| !(0.0..=MAX_TIP_RATIO).contains(ratio)) {
                let what = format!("mass and inertia of `{key}` are {ratios:?} times those of the beam");
                self.mismatch(table, key, what, "from 0 to 1e9; use a body of its own for a heavier load");
            }
        }
        if table.get("carried").is_some() && beam.support != Support::ClampedLoaded {
            let what = "modes of this support know of no load".to_owned();
            self.mismatch(table, "carried", what, "`support = \"clamped-loaded\"` where something is carried");
        }
    }

    /// What can be computed and is hardly meant.
    fn doubts(&mut self, table: Table<'_>, beam: &ModalBeam, section: Option<Section>) {
        let mut doubt = |table: Table<'_>, key: &str, what: String, expected: &str| {
            self.report.doubt(self.source, table.span_of(key), what, expected);
        };
        if let Some(material) = table.table("material") {
            if let Some(young) = material.number("E").filter(|young| !MODULI.contains(young)) {
                let what = format!("Young's modulus is {young:?} Pa");
                doubt(material, "E", what, "1e5 (rubber) to 2e12 Pa (diamond), steel 2.1e11: is it in Pa?");
            }
            if let Some(density) = material.number("density").filter(|density| !DENSITIES.contains(density)) {
                let what = format!("the density is {density:?} kg/m^3");
                doubt(material, "density", what, "5 (foam) to 1e5 kg/m^3, steel 7850: is it in kg/m^3?");
            }
        }
        let size = match section {
            Some(Section::Tube { outer, .. }) => 2.0 * outer,
            Some(Section::Box { width, height, .. } | Section::Rectangle { width, height }) => width.max(height),
            _ => 0.0,
        };
        if size > LARGE_SECTION {
            doubt(table, "section", format!("the section is {size:?} m across"), "lengths in m: is it in mm?");
        }
        if beam.modes.total() == 0 && table.table("modes").is_some_and(|modes| modes.entries().next().is_some()) {
            let what = "all counts of modes are 0: the body is rigid".to_owned();
            doubt(table, "modes", what, "a count above 0 for a body that bends; `modes = {}` for a rigid one says so");
        }
        let loaded = beam.support == Support::ClampedLoaded;
        if loaded && table.get("carried").is_none() && table.get("tip").is_none() {
            let what = "nothing is carried: these are the modes of `clamped-free`".to_owned();
            doubt(table, "support", what, "`carried` with about the mass and inertia of what hangs at the tip");
        }
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
                    format!("station `{name}` is at {x}, the beam ends at {length}"),
                    "0 < x ≤ length",
                );
            }
            stations.push((name.to_owned(), x));
        }
        stations
    }

    fn start(&mut self, table: Table<'_>, start: [f64; 3], support: Support) {
        let clamped = matches!(support, Support::ClampedFree | Support::ClampedLoaded | Support::ClampedPinned);
        if start != [0.0; 3] && !clamped {
            let what = "the beam starts away from the origin and its root moves".to_owned();
            self.mismatch(table, "start", what, "a clamped support, or a start at the origin");
        }
    }
}
