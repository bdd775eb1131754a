//! Linear models as files that other programs read.

use supple_io::linear_file::{Array, LinearModel, Named};

/// Two states, one input, three outputs.
fn model() -> LinearModel<'static> {
    let named = |name, unit| Named { name, unit };
    LinearModel {
        matrices: [
            Array { rows: 2, columns: 2, numbers: &[0.0, 1.0, -4.0, -0.1] },
            Array { rows: 2, columns: 1, numbers: &[0.0, 0.5] },
            Array { rows: 3, columns: 2, numbers: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] },
            Array { rows: 3, columns: 1, numbers: &[0.0, 0.0, 1e-300] },
        ],
        dt: 0.02,
        signals: [
            vec![named("hinge.elbow", "rad"), named("speed.elbow", "rad/s")],
            vec![named("force.elbow", "N m")],
            vec![named("hinge.elbow", "rad"), named("hinge.größe", "m"), named("acceleration.elbow", "rad/s²")],
        ],
        operating_point: [&[0.25, 0.0], &[1.5], &[0.25, 0.0, -0.125]],
    }
}

#[test]
fn json_has_the_members_by_name() {
    let value: serde_json::Value = serde_json::from_str(&model().to_json()).unwrap();
    assert_eq!(value["A"], serde_json::json!([[0.0, 1.0], [-4.0, -0.1]]));
    assert_eq!(value["C"][2], serde_json::json!([5.0, 6.0]));
    assert_eq!(value["dt"], 0.02);
    assert_eq!(value["states"][1], serde_json::json!({ "name": "speed.elbow", "unit": "rad/s" }));
    assert_eq!(value["operating_point"], serde_json::json!({ "x": [0.25, 0.0], "u": [1.5], "y": [0.25, 0.0, -0.125] }));
    let keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys.len(), 9, "{keys:?}");
}

/// Members of an archive that stores them: names and contents, from the local headers.
fn members(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let word = |at: usize| u32::from_le_bytes(archive[at..at + 4].try_into().unwrap()) as usize;
    let half = |at: usize| usize::from(u16::from_le_bytes(archive[at..at + 2].try_into().unwrap()));
    let (mut at, mut out) = (0, Vec::new());
    while archive[at..].starts_with(b"PK\x03\x04") {
        let (size, name) = (word(at + 22), half(at + 26));
        assert_eq!(word(at + 18), size, "stored");
        let start = at + 30 + name + half(at + 28);
        let content = archive[start..start + size].to_vec();
        assert_eq!(crc32fast::hash(&content) as usize, word(at + 14));
        out.push((String::from_utf8(archive[at + 30..at + 30 + name].to_vec()).unwrap(), content));
        at = start + size;
    }
    // The directory lists them all, and the end says where it is.
    let end = archive.len() - 22;
    assert!(archive[end..].starts_with(b"PK\x05\x06"));
    assert_eq!((half(end + 10), word(end + 16)), (out.len(), at));
    out
}

#[test]
fn numpy_archives_hold_arrays_row_by_row() {
    let found = members(&model().to_npz());
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..6], ["A.npy", "B.npy", "C.npy", "D.npy", "dt.npy", "states.npy"]);
    for ((name, content), matrix) in found.iter().zip(model().matrices) {
        let header = String::from_utf8_lossy(&content[10..]);
        assert!(
            content.starts_with(b"\x93NUMPY\x01\x00") && header.starts_with("{'descr': '<f8', 'fortran_order': False"),
            "{name}"
        );
        assert!(header.contains(&format!("'shape': ({}, {},)", matrix.rows, matrix.columns)), "{name}: {header}");
        let start = 10 + usize::from(u16::from_le_bytes([content[8], content[9]]));
        assert_eq!((start % 64, content[start - 1]), (0, b'\n'));
        let numbers: Vec<f64> =
            content[start..].chunks_exact(8).map(|x| f64::from_le_bytes(x.try_into().unwrap())).collect();
        assert_eq!(numbers, matrix.numbers, "{name}");
    }
    let (_, outputs) = found.iter().find(|(name, _)| name == "outputs.npy").unwrap();
    let header = String::from_utf8_lossy(&outputs[..128]);
    assert!(header.contains("'<U18'") && header.contains("'shape': (3,)"), "{header}");
    assert_eq!(outputs.len(), 128 + 3 * 18 * 4);
}

/// An element of a MATLAB file: type, data, and where the next one begins.
fn element(bytes: &[u8], at: usize) -> (u32, &[u8], usize) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    if word(at) >> 16 != 0 {
        // Type and size in one word.
        let size = (word(at) >> 16) as usize;
        return (word(at) & 0xffff, &bytes[at + 4..at + 4 + size], at + 8);
    }
    let size = word(at + 4) as usize;
    (word(at), &bytes[at + 8..at + 8 + size], at + 8 + size.next_multiple_of(8))
}

/// Class, size, name and the rest of an array.
fn array(data: &[u8]) -> (u32, [i32; 2], String, &[u8]) {
    let (_, flags, at) = element(data, 0);
    let (_, size, at) = element(data, at);
    let (_, name, at) = element(data, at);
    let number = |k: usize| i32::from_le_bytes(size[4 * k..4 * k + 4].try_into().unwrap());
    (u32::from(flags[0]), [number(0), number(1)], String::from_utf8(name.to_vec()).unwrap(), &data[at..])
}

#[test]
fn matlab_files_are_made_of_elements_column_by_column() {
    let bytes = model().to_mat();
    assert_eq!((&bytes[..10], &bytes[124..128]), (&b"MATLAB 5.0"[..], &b"\x00\x01IM"[..]));
    let (mut at, mut found) = (128, Vec::new());
    while at < bytes.len() {
        let (kind, data, next) = element(&bytes, at);
        assert_eq!(kind, 14);
        found.push(array(data));
        at = next;
    }
    let names: Vec<&str> = found.iter().map(|(_, _, name, _)| name.as_str()).collect();
    let expected = [
        "A",
        "B",
        "C",
        "D",
        "dt",
        "states",
        "state_units",
        "inputs",
        "input_units",
        "outputs",
        "output_units",
        "operating_point",
    ];
    assert_eq!(names, expected);
    let (class, size, _, rest) = &found[2];
    assert_eq!((*class, *size), (6, [3, 2]));
    let (kind, data, _) = element(rest, 0);
    let numbers: Vec<f64> = data.chunks_exact(8).map(|x| f64::from_le_bytes(x.try_into().unwrap())).collect();
    assert_eq!((kind, numbers), (9, vec![1.0, 3.0, 5.0, 2.0, 4.0, 6.0]));
    let (class, size, _, rest) = &found[9];
    assert_eq!((*class, *size), (1, [3, 1]));
    let (_, second, _) = element(rest, element(rest, 0).2);
    let (class, size, _, letters) = array(second);
    let letters: Vec<u16> =
        element(letters, 0).1.chunks_exact(2).map(|x| u16::from_le_bytes(x.try_into().unwrap())).collect();
    assert_eq!((class, size, String::from_utf16(&letters).unwrap()), (4, [1, 11], "hinge.größe".to_owned()));
}
