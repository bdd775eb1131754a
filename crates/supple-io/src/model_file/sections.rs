//! Beams of files that are not uniform, not straight, or shear: their sections.

use supple::Fidelity;
use supple_bodies::beam::ModalBeam;
use supple_bodies::beam::Support;
use supple_bodies::beam::varying::{
    SectionKind, SectionLaw, SectionMatrix, Sections, Station, VaryingBeam, VaryingModes, compliance_of,
};
use supple_bodies::section::{BeamProperties, Section};

use super::beam::Reader;
use super::pieces;
use super::shapes::MAX_MODES;
use crate::document::{Table, Value};
use crate::source::{Rule, written};

/// Most sections along a beam.
const MAX_SECTIONS: usize = 1000;
/// How far a beam may be bent without load, in full circles along its length.
const MOST_BENT: f64 = 1.0;

/// The sections of a beam, and how many modes they have together; none for modes by family.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Varying {
    sections: Sections,
    pub(super) coupled: Option<usize>,
    from: f64,
}

impl Varying {
    /// The same from a place on.
    pub(super) fn from(self, x: f64) -> Self {
        Self { from: x, ..self }
    }

    /// Cross-section and twist at a place of the piece; none where only stiffness and mass are known.
    pub(super) fn shape(&self, x: f64) -> Option<(Section, f64)> {
        self.sections.shape(self.from + x)
    }

    pub(super) fn is_straight(&self) -> bool {
        self.sections.is_straight()
    }

    /// The beam, with everything else as told for a uniform one.
    pub(super) fn beam(&self, told: &ModalBeam) -> VaryingBeam {
        let modes = self.coupled.map_or(VaryingModes::Families(told.modes), VaryingModes::Coupled);
        VaryingBeam {
            from: self.from,
            tip: told.tip,
            carried: told.carried,
            fidelity: told.fidelity,
            damping_ratio: told.damping_ratio,
            ..VaryingBeam::new(told.length, self.sections.clone(), modes)
        }
    }
}

impl Reader<'_> {
    /// The sections of a beam; nothing in it for one that is uniform, straight and does not shear. Problems are reported.
    pub(super) fn varying(&mut self, table: Table<'_>, beam: &ModalBeam) -> Option<Option<Varying>> {
        let before = self.report.count();
        let coupled = table.table("modes")?.get("coupled").and_then(Value::whole).filter(|n| *n <= MAX_MODES);
        let shear = table.get("shear_flexible").and_then(Value::flag) == Some(true);
        let full =
            |told: Table<'_>| ["stiffness", "GA_y", "GA_z", "mass_centre"].iter().any(|key| told.get(key).is_some());
        let is_plain = ["sections", "twist", "curvature"].iter().all(|key| table.get(key).is_none())
            && !shear
            && coupled.is_none()
            && !table.table("properties").is_some_and(full);
        if is_plain {
            return Some(None);
        }
        let sections = match table.get("sections") {
            Some(_) => self.along(table, beam.length, shear)?,
            None => self.uniform(table, beam.length, shear)?,
        };
        self.limits(table, beam, &sections, coupled);
        (self.report.count() == before).then_some(Some(Varying { sections, coupled, from: 0.0 }))
    }

    /// What such a beam cannot be.
    fn limits(&mut self, table: Table<'_>, beam: &ModalBeam, sections: &Sections, coupled: Option<usize>) {
        if beam.support != Support::ClampedInterface {
            let key = if table.get("support").is_some() { "support" } else { "modes" };
            let what = "a beam that is not uniform, not straight, or shears has tip shapes".to_owned();
            self.mismatch(table, key, what, "neither `support` nor `basis = \"cantilever\"`");
        }
        if matches!(beam.fidelity, Fidelity::Exact | Fidelity::Consistent) {
            let what = "such a beam has no nonlinear stiffness".to_owned();
            self.mismatch(table, "fidelity", what, "`stiffened`, which is recommended, or a linear one");
        }
        match coupled {
            None if !sections.is_uncoupled() => {
                let what = "stretch, twist and bending are coupled in this beam".to_owned();
                self.mismatch(table, "modes", what, "`modes = { coupled = 4 }`, all of them together");
            }
            Some(0) => self.mismatch(table, "modes", "no modes".to_owned(), "a count above 0"),
            Some(_) if beam.modes.total() > 0 => {
                let what = "`coupled` counts all families together".to_owned();
                self.mismatch(table, "modes", what, "`coupled` alone, or counts by family");
            }
            _ => {}
        }
        let bent = sections.0.iter().map(|s| s.curvature[0].hypot(s.curvature[1])).fold(0.0, f64::max) * beam.length;
        if bent > MOST_BENT * std::f64::consts::TAU {
            let what = format!("the line bends by up to {} rad along its length", written(bent));
            self.mismatch(table, "curvature", what, "at most a full circle; 1/m is the inverse of the radius");
        }
        if !sections.is_straight() && pieces::count(table) > 1 {
            let what = "a curved beam is not cut".to_owned();
            self.mismatch(table, "pieces", what, "a straight beam, or curved ones one after the other");
        }
    }

    /// One section from root to tip, twisted and curved evenly.
    fn uniform(&mut self, table: Table<'_>, length: f64, shear: bool) -> Option<Sections> {
        let kind = self.kind(table, table, shear)?;
        let twist = table.number("twist").unwrap_or(0.0);
        let curvature = table.get("curvature").map_or(Some([0.0; 2]), Value::array)?;
        let at = |x: f64, twist: f64| Station { x, kind, twist, curvature };
        Some(Sections(vec![at(0.0, 0.0), at(length, twist)]))
    }

    /// Sections at places.
    fn along(&mut self, table: Table<'_>, length: f64, shear: bool) -> Option<Sections> {
        let told = table.tables("sections");
        if told.len() > MAX_SECTIONS {
            let rule = Rule::TooMany { what: "sections of a beam", found: told.len(), limit: MAX_SECTIONS };
            self.report.add(self.source, table.span_of("sections"), rule);
            return None;
        }
        let mut out: Vec<Station> = Vec::new();
        for station in told {
            let kind = self.kind(station, table, shear);
            let (Some(kind), Some(x)) = (kind, station.number("x")) else { return None };
            if x > length || out.last().is_some_and(|last| x <= last.x) {
                let what = format!("the section at {} does not follow the one before it on the beam", written(x));
                self.mismatch(station, "x", what, "rising places from 0 to the length");
                return None;
            }
            if out.last().is_some_and(|last| !last.kind.is_like(&kind)) {
                let what = "sections of different kinds cannot be interpolated".to_owned();
                self.mismatch(station, "section", what, "one kind of section along the beam");
                return None;
            }
            let curvature = station.get("curvature").map_or(Some([0.0; 2]), Value::array)?;
            out.push(Station { x, kind, twist: station.number("twist").unwrap_or(0.0), curvature });
        }
        Some(Sections(out))
    }

    /// The section that a table has; the material is that of the beam.
    fn kind(&mut self, table: Table<'_>, beam: Table<'_>, shear: bool) -> Option<SectionKind> {
        if let Some(told) = table.table("properties") {
            return Some(SectionKind::Law(self.law(told)?));
        }
        let (_, section) = self.properties(table, beam)?;
        let material = self.material(beam)?;
        Some(SectionKind::Shape { section: section?, material, shear })
    }

    /// Mass and stiffness per length, in full.
    fn law(&mut self, told: Table<'_>) -> Option<SectionLaw> {
        let properties = self.stiffness(told)?;
        let mut law = SectionLaw::symmetric(&properties, false);
        match told.get("stiffness") {
            Some(value) => law.compliance = self.full(told, value)?,
            None => {
                for (key, i) in [("GA_y", 1), ("GA_z", 2)] {
                    law.compliance[i][i] = told.number(key).map_or(0.0, f64::recip);
                }
            }
        }
        let [y, z]: [f64; 2] = told.get("mass_centre").map_or(Some([0.0; 2]), Value::array)?;
        law.mass_centre = [y, z];
        // From the mass centre to the line.
        let m = law.mass;
        let steiner = [[y * y + z * z, 0.0, 0.0], [0.0, z * z, -y * z], [0.0, -y * z, y * y]];
        for (row, add) in law.inertia.iter_mut().zip(steiner) {
            row.iter_mut().zip(add).for_each(|(entry, add)| *entry += m * add);
        }
        Some(law)
    }

    fn full(&mut self, told: Table<'_>, value: Value<'_>) -> Option<SectionMatrix> {
        let rows: Vec<[f64; 6]> = value.items()?.map(Value::array).collect::<Option<_>>()?;
        let found = compliance_of(&rows.try_into().ok()?);
        if found.is_none() {
            let what = "the stiffness of the section is not symmetric and positive definite".to_owned();
            self.mismatch(
                told,
                "stiffness",
                what,
                "rows N, Qy, Qz, Mx, My, Mz by columns εx, γy, γz, κx, κy, κz, all in N, N m and N m²",
            );
        }
        found
    }

    /// Mass and the stiffness of each direction alone.
    pub(super) fn stiffness(&mut self, told: Table<'_>) -> Option<BeamProperties> {
        let (mass, rotary) = (told.number("mass_per_length")?, told.vector("rotary_inertia")?);
        if let Some(value) = told.get("stiffness") {
            let rows: Vec<[f64; 6]> = value.items()?.map(Value::array).collect::<Option<_>>()?;
            let [axial, shear, _, torsion, bending_z, bending_y] = std::array::from_fn(|i| rows[i][i]);
            return Some(BeamProperties { mass, axial, bending_y, bending_z, torsion, shear, rotary });
        }
        let mut numbers = [0.0; 4];
        for (number, key) in numbers.iter_mut().zip(["EA", "EI_z", "EI_y", "GJ"]) {
            let Some(value) = told.number(key) else {
                if told.get(key).is_none() && told.get("EA").is_some() {
                    let meaning = "stiffness of the section, where no full `stiffness` is given";
                    self.report.add(self.source, told.span(), Rule::MissingKey { key, meaning });
                }
                return None;
            };
            *number = value;
        }
        let [axial, bending_y, bending_z, torsion] = numbers;
        Some(BeamProperties { mass, axial, bending_y, bending_z, torsion, shear: f64::INFINITY, rotary })
    }
}
