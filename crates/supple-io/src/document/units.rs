//! Units of angles and lengths that a file may have instead of radians and metres: `units = { angle = "deg", length = "mm" }`.
//!
//! Wherever the unit of a key has metres or radians in it, the file's unit stands instead: kg m² becomes kg mm², N m/rad becomes
//! N mm/deg. Units with names of their own, N, Pa, Hz, stay. Each key says its unit once, in its [`Key`](super::shape::Key);
//! [`convert`](super::convert::convert) goes by that.

use std::cell::RefCell;
use std::collections::HashMap;
use std::f64::consts::PI;
use std::fmt;

use super::shape::{Shape, TableShape, key, table};
use super::value::Table;

static UNITS_TABLE: TableShape = table(
    "units",
    "Units of angles and lengths in this file. They stand for rad and m in the unit of every key: kg m² becomes kg mm², rad/s becomes deg/s, N m/rad \
     becomes N mm/deg, and gravity is in mm/s². Units with names of their own (N, Pa, Hz) stay, and so do defaults. Signals and gains of controllers are in SI.",
    &[
        key("angle", &Shape::Word(&[("rad", "radian"), ("deg", "degree")]), "unit of angles; default: rad"),
        key(
            "length",
            &Shape::Word(&[("m", "metre"), ("cm", "centimetre"), ("mm", "millimetre")]),
            "unit of lengths; default: m",
        ),
    ],
);
/// The table `units`.
pub(crate) static UNITS: Shape = Shape::Table(&UNITS_TABLE);
/// What it is.
pub(crate) const UNITS_DOC: &str = "units of angles and lengths in this file; default: rad, m. Results are in SI units";

/// Units of angles and lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// Unit of angles.
    pub angle: AngleUnit,
    /// Unit of lengths.
    pub length: LengthUnit,
}

/// A unit of angles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AngleUnit {
    /// rad.
    #[default]
    Radian,
    /// deg.
    Degree,
}

/// A unit of lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LengthUnit {
    /// m.
    #[default]
    Metre,
    /// cm.
    Centimetre,
    /// mm.
    Millimetre,
}

impl Units {
    /// Those of a document.
    pub(crate) fn of(document: Table<'_>) -> Self {
        let told = document.table("units");
        let word = |key: &str| told.and_then(|told| told.text(key));
        Self {
            angle: if word("angle") == Some("deg") { AngleUnit::Degree } else { AngleUnit::Radian },
            length: match word("length") {
                Some("mm") => LengthUnit::Millimetre,
                Some("cm") => LengthUnit::Centimetre,
                _ => LengthUnit::Metre,
            },
        }
    }

    /// Whether angles are in radians and lengths in metres.
    pub fn is_si(self) -> bool {
        self == Self::default()
    }

    /// A number in SI units.
    pub(super) fn in_si(self, number: f64, powers: Powers) -> f64 {
        let per_metre: f64 = match self.length {
            LengthUnit::Metre => 1.0,
            LengthUnit::Centimetre => 100.0,
            LengthUnit::Millimetre => 1000.0,
        };
        // Divided by whole numbers, so that 300 mm are the same as 0.3 m.
        let scaled = match powers.length {
            0 => number,
            1.. => number / per_metre.powi(powers.length),
            _ => number * per_metre.powi(-powers.length),
        };
        if self.angle == AngleUnit::Degree { scaled * (PI / 180.0).powi(powers.angle) } else { scaled }
    }
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let angle = if self.angle == AngleUnit::Degree { "deg" } else { "rad" };
        let length = match self.length {
            LengthUnit::Metre => "m",
            LengthUnit::Centimetre => "cm",
            LengthUnit::Millimetre => "mm",
        };
        write!(f, "angles in {angle}, lengths in {length}")
    }
}

/// Powers of length and angle in a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Powers {
    pub(crate) length: i32,
    pub(crate) angle: i32,
}

impl Powers {
    /// Those of a unit such as "N m s/rad"; every symbol after a stroke is below it.
    pub(crate) fn of(unit: &str) -> Self {
        let mut powers = Self::default();
        for (k, part) in unit.split('/').enumerate() {
            let sign = if k == 0 { 1 } else { -1 };
            for symbol in part.split(' ') {
                let base = symbol.trim_end_matches(['²', '³', '⁴']);
                let power = match &symbol[base.len()..] {
                    "²" => 2,
                    "³" => 3,
                    "⁴" => 4,
                    _ => 1,
                };
                match base {
                    "m" => powers.length += sign * power,
                    "rad" => powers.angle += sign * power,
                    _ => {}
                }
            }
        }
        powers
    }

    /// Those of the ratio of two units.
    pub(crate) fn per(self, other: Self) -> Self {
        Self { length: self.length - other.length, angle: self.angle - other.angle }
    }

    /// Whether there is neither length nor angle in it.
    pub(crate) fn is_plain(self) -> bool {
        self == Self::default()
    }
}

/// Numbers of a document in SI units, by their places in the text; those that are written in SI are not in it.
#[derive(Debug, Default)]
pub(crate) struct InSi(RefCell<HashMap<usize, f64>>);

impl InSi {
    pub(super) fn get(&self, start: usize) -> Option<f64> {
        self.0.borrow().get(&start).copied()
    }

    pub(super) fn put(&self, start: usize, number: f64) {
        self.0.borrow_mut().insert(start, number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_units() {
        for (unit, length, angle) in [
            ("kg m²", 2, 0),
            ("N m s/rad", 1, -1),
            ("1/m", -1, 0),
            ("rad/s²", 0, 1),
            ("kg/m³", -3, 0),
            ("m³/s²", 3, 0),
            ("Pa", 0, 0),
            ("m/rad", 1, -1),
            ("s/m", -1, 0),
        ] {
            assert_eq!(Powers::of(unit), Powers { length, angle }, "{unit}");
        }
    }

    #[test]
    fn numbers_in_si() {
        let units = Units { angle: AngleUnit::Degree, length: LengthUnit::Millimetre };
        assert_eq!(units.in_si(300.0, Powers::of("m")), 0.3);
        assert_eq!(units.in_si(180.0, Powers::of("rad")), PI);
        assert_eq!(units.in_si(2.7e-6, Powers::of("kg/m³")), 2700.0);
        assert!((units.in_si(1.0, Powers::of("N m/rad")) - 0.18 / PI).abs() < 1e-17);
    }
}
