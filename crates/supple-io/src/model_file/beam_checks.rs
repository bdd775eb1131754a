//! Beams that cannot be computed, and those that are hardly meant.

use supple_bodies::beam::{ModalBeam, Support};
use supple_bodies::section::Section;

use super::beam::Reader;
use crate::document::Table;
use crate::source::written;

/// How heavy a tip may be, in masses of the beam: beyond it the frequency equation loses its first root.
const MAX_TIP_RATIO: f64 = 1e9;
/// Bounds of lengths and of masses per length, far beyond anything that is built.
const SIZES: std::ops::RangeInclusive<f64> = 1e-9..=1e9;
/// Young's moduli from soft rubber to diamond, Pa.
const MODULI: std::ops::RangeInclusive<f64> = 1e5..=2e12;
/// Densities from foam to metals with motors and cables spread over them, kg/m³.
const DENSITIES: std::ops::RangeInclusive<f64> = 5.0..=1e5;
/// Largest size of a section that is no mistake of units, m.
const LARGE_SECTION: f64 = 10.0;

/// Part of the second frequency by which shear may lower it unnoticed.
const MUCH_SHEAR: f64 = 0.01;

/// By which part of itself shear lowers the second bending frequency, `1 - (1 + EI k² / κGA)^-½` with `k` the wave number of a cantilever.
fn shear_lowers(beam: &ModalBeam) -> Option<f64> {
    const SECOND: f64 = 4.694;
    let p = &beam.properties;
    let stiffness = [(beam.modes.bending_y, p.bending_y), (beam.modes.bending_z, p.bending_z)];
    let most = stiffness.iter().filter(|(count, _)| *count > 0).map(|(_, stiffness)| *stiffness).reduce(f64::max)?;
    Some(1.0 - (1.0 + most / p.shear * (SECOND / beam.length).powi(2)).sqrt().recip())
}

impl Reader<'_> {
    /// Sizes for which the exact modes can be computed.
    pub(super) fn bounds(&mut self, table: Table<'_>, beam: &ModalBeam) {
        let p = &beam.properties;
        if !SIZES.contains(&beam.length) {
            self.mismatch(table, "length", format!("the length is {}", written(beam.length)), "from 1e-9 to 1e9 m");
            return;
        }
        let key = if table.get("properties").is_some() { "properties" } else { "section" };
        let stiff = [p.axial, p.bending_y, p.bending_z, p.torsion];
        if !SIZES.contains(&p.mass) || stiff.iter().any(|x| !(x.is_finite() && *x > 0.0)) {
            let what = format!("mass per length {:?} or stiffness {stiff:?} cannot be used", p.mass);
            self.mismatch(table, key, what, "a mass per length from 1e-9 to 1e9 kg/m and finite, positive stiffness");
            return;
        }
        if beam.modes.twist > 0 && p.rotary[0] <= 0.0 {
            let what = "twist without inertia about x".to_owned();
            let place = table.table("properties").unwrap_or(table);
            let key = if place.get("rotary_inertia").is_some() { "rotary_inertia" } else { key };
            self.mismatch(place, key, what, "a positive inertia per length about x where there are twist modes");
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
        if table.get("carried").is_some() && !matches!(beam.support, Support::ClampedLoaded | Support::ClampedInterface)
        {
            let what = "these modes do not include a load".to_owned();
            let expected =
                "neither `support` nor `basis`, or `support = \"clamped-loaded\"`, where something is carried";
            self.mismatch(table, "carried", what, expected);
        }
    }

    /// What can be computed and is hardly meant.
    pub(super) fn doubts(&mut self, table: Table<'_>, beam: &ModalBeam, section: Option<Section>) {
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
        // Only tip shapes know of shear; a section in the wrong unit is told already.
        let told = table.get("shear_flexible").is_some() || table.get("sections").is_some();
        let able = beam.support == Support::ClampedInterface && size <= LARGE_SECTION;
        if let Some(part) = shear_lowers(beam).filter(|part| *part > MUCH_SHEAR && able && !told) {
            let key = if table.get("properties").is_some() { "properties" } else { "section" };
            let percent = 100.0 * part;
            let what = format!("shear lowers the second frequency of a cantilever like this by about {percent:.0} %");
            doubt(table, key, what, "`shear_flexible = true` of the beam; `false` where it is meant not to shear");
        }
        let loaded = beam.support == Support::ClampedLoaded;
        if loaded && table.get("carried").is_none() && table.get("tip").is_none() {
            let what = "nothing is carried: these are the modes of `clamped-free`".to_owned();
            doubt(table, "support", what, "`carried` with about the mass and inertia of what hangs at the tip");
        }
    }
}
