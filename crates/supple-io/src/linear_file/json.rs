//! Linear models as JSON. Numbers have the digits that give the same bits again.

use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

use super::{Array, LinearModel, MATRICES, Named, POINT, SIGNALS};

impl Serialize for Array<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut list = out.serialize_seq(Some(self.rows))?;
        self.rows().try_for_each(|row| list.serialize_element(row))?;
        list.end()
    }
}

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(Some(2))?;
        map.serialize_entry("name", self.name)?;
        map.serialize_entry("unit", self.unit)?;
        map.end()
    }
}

/// The operating point.
struct Point<'m>([&'m [f64]; 3]);

impl Serialize for Point<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(POINT.iter().zip(self.0))
    }
}

impl Serialize for LinearModel<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        for (name, matrix) in MATRICES.iter().zip(&self.matrices) {
            map.serialize_entry(name, matrix)?;
        }
        map.serialize_entry("dt", &self.dt)?;
        for ([name, _], list) in SIGNALS.iter().zip(&self.signals) {
            map.serialize_entry(name, list)?;
        }
        map.serialize_entry("operating_point", &Point(self.operating_point))?;
        map.end()
    }
}

impl LinearModel<'_> {
    /// The model as one JSON object: `A`, `B`, `C`, `D` as lists of rows, `dt`, `states`, `inputs`, `outputs` with `name` and `unit`,
    /// `operating_point` with `x`, `u`, `y`.
    pub fn to_json(&self) -> String {
        // Lists, numbers and texts: nothing here can fail to be written.
        let mut text = serde_json::to_string(self).unwrap_or_default();
        text.push('\n');
        text
    }
}
