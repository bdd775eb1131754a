//! The Arrow schema of a table, for the key `ARROW:schema` of Parquet files: readers built on Arrow take metadata of
//! fields from there. It is a FlatBuffer in Base64. The Arrow crates would write it too, at three times the build time.
//!
//! A FlatBuffer table is a list of offsets of its fields (the *vtable*: its size, the size of the table, an offset per
//! field, zero for one that is left out), then the table: the distance back to the vtable and the fields. A field that is
//! itself a text, a vector or a table holds the distance forward to it. Everything is little-endian and aligned to its
//! size.

use super::table::{Column, Table};

/// Constants of the Arrow format.
const VERSION_5: u16 = 4;
const HEADER_SCHEMA: u8 = 1;
const TYPE_FLOATING_POINT: u8 = 3;
const PRECISION_DOUBLE: u16 = 2;

/// One field of a FlatBuffer table.
#[derive(Clone, Copy)]
enum Slot {
    LeftOut,
    Byte(u8),
    Short(u16),
    Long(u64),
    /// The distance to something that is written later.
    Distance,
}

impl Slot {
    fn size(self) -> usize {
        match self {
            Self::LeftOut => 0,
            Self::Byte(_) => 1,
            Self::Short(_) => 2,
            Self::Distance => 4,
            Self::Long(_) => 8,
        }
    }
}

/// A FlatBuffer, written from front to back. A *place* is where a distance is to be filled in.
struct Buffer(Vec<u8>);

impl Buffer {
    /// Pads so that what comes `ahead` bytes later is aligned.
    fn align(&mut self, size: usize, ahead: usize) {
        while !(self.0.len() + ahead).is_multiple_of(size) {
            self.0.push(0);
        }
    }

    fn short(&mut self, value: usize) {
        self.0.extend_from_slice(&(value as u16).to_le_bytes());
    }

    fn word(&mut self, value: usize) {
        self.0.extend_from_slice(&(value as u32).to_le_bytes());
    }

    /// What `place` means starts here.
    fn arrive(&mut self, place: usize) {
        let distance = (self.0.len() - place) as u32;
        self.0[place..place + 4].copy_from_slice(&distance.to_le_bytes());
    }

    /// Writes a table at which `place` arrives; the places of its distances.
    fn table(&mut self, place: usize, slots: &[Slot]) -> Vec<usize> {
        // The widest fields first, after the distance to the vtable: then all are aligned if the table is at 4 mod 8.
        let mut order: Vec<usize> = (0..slots.len()).collect();
        order.sort_by_key(|i| std::cmp::Reverse(slots[*i].size()));
        let mut offsets = vec![0; slots.len()];
        let mut size = 4;
        for i in &order {
            offsets[*i] = if slots[*i].size() == 0 { 0 } else { size };
            size += slots[*i].size();
        }
        let vtable = 4 + 2 * slots.len();
        self.align(8, vtable + 4);
        self.short(vtable);
        self.short(size);
        offsets.iter().for_each(|offset| self.short(*offset));
        self.arrive(place);
        self.word(vtable);
        let mut places = vec![0; slots.len()];
        for i in order {
            places[i] = self.0.len();
            match slots[i] {
                Slot::LeftOut => {}
                Slot::Byte(value) => self.0.push(value),
                Slot::Short(value) => self.0.extend_from_slice(&value.to_le_bytes()),
                Slot::Long(value) => self.0.extend_from_slice(&value.to_le_bytes()),
                Slot::Distance => self.word(0),
            }
        }
        places
    }

    /// Writes a vector of distances; their places.
    fn vector(&mut self, place: usize, length: usize) -> Vec<usize> {
        self.align(4, 0);
        self.arrive(place);
        self.word(length);
        let places = (0..length).map(|i| self.0.len() + 4 * i).collect();
        self.0.resize(self.0.len() + 4 * length, 0);
        places
    }

    fn text(&mut self, place: usize, text: &str) {
        self.align(4, 0);
        self.arrive(place);
        self.word(text.len());
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(0);
    }

    /// Writes a list of keys and values.
    fn metadata(&mut self, place: usize, entries: &[(&str, &str)]) {
        for (place, (key, value)) in self.vector(place, entries.len()).into_iter().zip(entries) {
            let places = self.table(place, &[Slot::Distance, Slot::Distance]);
            self.text(places[0], key);
            self.text(places[1], value);
        }
    }

    /// Writes a field: name, nullable, kind of type, type, dictionary, children, metadata.
    fn field(&mut self, place: usize, column: &Column) {
        let (kind, distance) = (Slot::Byte(TYPE_FLOATING_POINT), Slot::Distance);
        let places = self.table(place, &[distance, Slot::LeftOut, kind, distance, Slot::LeftOut, distance, distance]);
        self.text(places[0], &column.name);
        self.table(places[3], &[Slot::Short(PRECISION_DOUBLE)]);
        self.vector(places[5], 0);
        self.metadata(places[6], &[("unit", &column.unit), ("description", &column.description)]);
    }
}

/// The message with the schema, in Base64.
pub(super) fn encoded(table: &Table) -> String {
    let mut buffer = Buffer(vec![0; 4]);
    // Message: version, kind of header, header, length of the body.
    let header = Slot::Byte(HEADER_SCHEMA);
    let places = buffer.table(0, &[Slot::Short(VERSION_5), header, Slot::Distance, Slot::Long(0)]);
    // Schema: byte order (little, left out), fields, metadata.
    let places = buffer.table(places[2], &[Slot::LeftOut, Slot::Distance, Slot::Distance]);
    for (place, column) in buffer.vector(places[1], table.columns().len()).into_iter().zip(table.columns()) {
        buffer.field(place, column);
    }
    buffer.metadata(places[2], &[("supple.model", table.model()), ("supple.version", env!("CARGO_PKG_VERSION"))]);
    buffer.align(8, 0);
    let mut message = Buffer(vec![0xff; 4]);
    message.word(buffer.0.len());
    message.0.extend_from_slice(&buffer.0);
    base64(&message.0)
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let word = group.iter().fold(0, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for i in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= group.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_the_standard() {
        // RFC 4648, section 10.
        for (text, code) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(text.as_bytes()), code);
        }
    }
}
