//! Linear models as NumPy archives: a ZIP file, stored without compression, of arrays in NumPy's format 1.0. No member needs `allow_pickle`.

use super::{Array, LinearModel, MATRICES, POINT, SIGNALS};

impl LinearModel<'_> {
    /// The model as the bytes of a `.npz` file: `A`, `B`, `C`, `D`, `dt`, names in `states`, `inputs`, `outputs`, units in `state_units`,
    /// `input_units`, `output_units`, and `operating_point_x`, `_u`, `_y`.
    pub fn to_npz(&self) -> Vec<u8> {
        let mut archive = Archive::default();
        for (name, matrix) in MATRICES.iter().zip(&self.matrices) {
            archive.add(name, &numbers(&[matrix.rows, matrix.columns], matrix.numbers));
        }
        archive.add("dt", &numbers(&[], &[self.dt]));
        for ([name, units], list) in SIGNALS.iter().zip(&self.signals) {
            archive.add(name, &texts(list.iter().map(|signal| signal.name)));
            archive.add(units, &texts(list.iter().map(|signal| signal.unit)));
        }
        for (name, values) in POINT.iter().zip(self.operating_point) {
            let Array { rows, numbers: values, .. } = Array::column(values);
            archive.add(&format!("operating_point_{name}"), &numbers(&[rows], values));
        }
        archive.finish()
    }
}

/// An array of doubles, row after row.
fn numbers(shape: &[usize], values: &[f64]) -> Vec<u8> {
    array("<f8", shape, values.iter().flat_map(|x| x.to_le_bytes()))
}

/// A list of texts, all as long as the longest: four bytes per letter.
fn texts<'t>(list: impl ExactSizeIterator<Item = &'t str> + Clone) -> Vec<u8> {
    let longest = list.clone().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
    let letters = |text: &'t str| text.chars().map(u32::from).chain(std::iter::repeat(0)).take(longest);
    array(&format!("<U{longest}"), &[list.len()], list.flat_map(letters).flat_map(u32::to_le_bytes))
}

fn array(kind: &str, shape: &[usize], data: impl Iterator<Item = u8>) -> Vec<u8> {
    let sizes: Vec<String> = shape.iter().map(|size| format!("{size},")).collect();
    let mut header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}", sizes.join(" "));
    // Magic, version and length take ten bytes; all together, with the line end, a multiple of 64.
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.bytes());
    out.extend(data);
    out
}

/// A ZIP file in the making.
#[derive(Default)]
struct Archive {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    files: u16,
}

/// The first of January 1980: files of the same model are the same.
const DATE: u16 = 0x0021;
/// Version of the format that a reader needs.
const VERSION: u16 = 20;

impl Archive {
    fn add(&mut self, name: &str, content: &[u8]) {
        let (name, start) = (format!("{name}.npy"), self.bytes.len() as u32);
        let size = content.len() as u32;
        let mut common = Vec::new();
        // Flags, method (stored), time, date, checksum, sizes, length of the name, of extra fields.
        for word in [VERSION, 0, 0, 0, DATE] {
            common.extend(word.to_le_bytes());
        }
        for word in [crc32fast::hash(content), size, size] {
            common.extend(word.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend(0_u16.to_le_bytes());
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&common);
        self.bytes.extend(name.bytes());
        self.bytes.extend(content);
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(VERSION.to_le_bytes());
        self.directory.extend(&common);
        // Comment, disk, attributes inside and outside.
        self.directory.extend([0; 10]);
        self.directory.extend(start.to_le_bytes());
        self.directory.extend(name.bytes());
        self.files += 1;
    }

    fn finish(mut self) -> Vec<u8> {
        let (start, size) = (self.bytes.len() as u32, self.directory.len() as u32);
        self.bytes.append(&mut self.directory);
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend([self.files, self.files].map(u16::to_le_bytes).as_flattened());
        self.bytes.extend([size, start].map(u32::to_le_bytes).as_flattened());
        self.bytes.extend([0; 2]);
        self.bytes
    }
}
