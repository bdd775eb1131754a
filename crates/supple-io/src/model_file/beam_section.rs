//! Section and material of a beam, as its table has them.

use supple_bodies::section::{BeamProperties, Material, Section};

use super::beam::Reader;
use crate::document::Table;
use crate::source::{Rule, written};

impl Reader<'_> {
    /// What it is made of, and its section where there is one: `table` has the section or properties, `beam` the material.
    pub(super) fn properties(
        &mut self,
        table: Table<'_>,
        beam: Table<'_>,
    ) -> Option<(BeamProperties, Option<Section>)> {
        if let Some(told) = table.table("properties") {
            return Some((self.stiffness(told)?, None));
        }
        let section = self.section(table);
        let material = self.material(beam)?;
        Some((BeamProperties::new(section?, material), section))
    }

    /// The material of a beam.
    pub(super) fn material(&mut self, table: Table<'_>) -> Option<Material> {
        let Some(material) = table.table("material") else {
            let shaped = |table: &Table<'_>| table.get("section").is_some();
            if table.get("material").is_none() && (shaped(&table) || table.tables("sections").iter().any(shaped)) {
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
            self.mismatch(
                material,
                key,
                format!("Poisson's ratio is {}", written(poisson)),
                "above -1 and at most 0.5",
            );
            return None;
        }
        Some(Material { young, poisson, density })
    }

    fn section(&mut self, table: Table<'_>) -> Option<Section> {
        let told = table.table("section")?;
        if let Some(tube) = told.table("tube") {
            let (outer, thickness) = (tube.number("outer_radius")?, tube.number("thickness")?);
            if thickness > outer {
                let what = format!("the wall, {}, is thicker than the radius, {}", written(thickness), written(outer));
                self.mismatch(tube, "thickness", what, "at most the outer radius");
                return None;
            }
            return Some(Section::Tube { outer, inner: outer - thickness });
        }
        if let Some(told) = told.table("box") {
            let (width, height, wall) = (told.number("width")?, told.number("height")?, told.number("thickness")?);
            if 2.0 * wall >= width.min(height) {
                let what =
                    format!("walls of {} fill a box of {} by {}", written(wall), written(width), written(height));
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
}
