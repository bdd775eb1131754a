#![cfg(feature = "fe")]
//! Matrices in files: what is read, what is refused, and that nothing changes on the way.

use crate::seeded::Seeded;
use supple_bodies::matrix_file::{MatrixRule, Place, matrix_market, npy};
use supple_bodies::reduction::SparseSymmetric;

fn random_matrix(g: &mut Seeded) -> SparseSymmetric {
    let n = 1 + g.below(9);
    let mut entries = Vec::new();
    for i in 0..n {
        for j in 0..=i {
            if g.below(2) == 0 {
                // Halves of sums stay in range.
                let x = g.unit() * 10_f64.powi(g.below(300) as i32 - 150);
                entries.push((i, j, x));
                if i != j {
                    entries.push((j, i, x));
                }
            }
        }
    }
    SparseSymmetric::from_triplets(n, &entries)
}

fn same(a: &SparseSymmetric, b: &SparseSymmetric) -> bool {
    let bits = |m: &SparseSymmetric| -> Vec<(usize, usize, u64)> {
        m.entries().filter(|e| e.2 != 0.0).map(|(i, j, x)| (i, j, x.to_bits())).collect()
    };
    a.size() == b.size() && bits(a) == bits(b)
}

#[test]
fn what_is_written_is_read() {
    let mut g = Seeded(2);
    for _ in 0..200 {
        let m = random_matrix(&mut g);
        assert!(same(&matrix_market::read(&matrix_market::write(&m)).unwrap().symmetric().unwrap(), &m));
        assert!(same(&npy::read(&npy::write(&m)).unwrap().symmetric().unwrap(), &m));
    }
}

#[test]
fn every_kind_of_matrix_market() {
    let expected = vec![(0, 0, 2.0), (1, 0, -1.0), (0, 1, -1.0), (1, 1, 3.0)];
    let sorted = |text: &str| {
        let mut e = matrix_market::read(text).unwrap().entries;
        e.sort_by_key(|e| (e.1, e.0));
        e
    };
    let mut expected_sorted = expected;
    expected_sorted.sort_by_key(|e| (e.1, e.0));
    for text in [
        "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 2.0\n2 1 -1\n1 2 -1.0D0\n2 2 3e0\n",
        "%%matrixmarket MATRIX Coordinate Integer Symmetric\r\n% a comment\r\n\r\n2 2 3\r\n1 1 2\r\n2 1 -1\r\n2 2 3\r\n",
        "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n1 2 -1\n2 2 3",
        "%%MatrixMarket matrix array real general\n2 2\n2\n-1\n-1\n3\n",
        "%%MatrixMarket matrix array integer symmetric\n2 2\n2\n-1\n3\n",
    ] {
        assert_eq!(sorted(text), expected_sorted, "{text}");
    }
    // Rectangular by columns.
    let r = matrix_market::read("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n").unwrap();
    assert_eq!((r.rows, r.columns, r.entries[3]), (2, 3, (1, 1, 4.0)));
    assert_eq!(r.symmetric().unwrap_err().rule, MatrixRule::Square);
}

#[test]
fn faults_of_matrix_market_are_named() {
    use MatrixRule::*;
    let head = "%%MatrixMarket matrix coordinate real general\n";
    let cases: &[(String, usize, MatrixRule)] = &[
        (String::new(), 1, Signature),
        ("1 1 1\n".into(), 1, Signature),
        ("%%MatrixMarket vector coordinate real general\n".into(), 1, Kind),
        ("%%MatrixMarket matrix coordinate complex general\n".into(), 1, Kind),
        ("%%MatrixMarket matrix coordinate pattern general\n".into(), 1, Kind),
        ("%%MatrixMarket matrix coordinate real hermitian\n".into(), 1, Kind),
        (head.into(), 1, Sizes),
        (format!("{head}2 2\n1 1 1\n"), 2, Sizes),
        (format!("{head}2 -2 1\n1 1 1\n"), 2, Sizes),
        (format!("{head}99999999999 2 1\n"), 2, Limit),
        (format!("{head}2 2 18446744073709551615\n1 1 1\n"), 3, Count),
        (format!("{head}2 2 1\n1 1 1\n2 2 2\n"), 4, Count),
        (format!("{head}2 2 2\n1 1 1\n"), 3, Count),
        (format!("{head}2 2 1\n3 1 1\n"), 3, IndexRange),
        (format!("{head}2 2 1\n1 0 1\n"), 3, IndexRange),
        (format!("{head}2 2 1\n1 1\n"), 3, Entry),
        (format!("{head}2 2 1\n1 x 1\n"), 3, Entry),
        (format!("{head}2 2 1\n1 1 one\n"), 3, Entry),
        (format!("{head}2 2 1\n1 1 nan\n"), 3, FiniteNumber),
        (format!("{head}2 2 1\n1 1 1e999\n"), 3, FiniteNumber),
        (format!("{head}2 2 2\n1 1 1\n1 1 1\n"), 4, Once),
        ("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 2 1\n2 1 1\n".into(), 4, Once),
        ("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 2 1\n".into(), 2, Square),
        ("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n".into(), 5, Count),
        ("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n".into(), 3, Entry),
    ];
    for (text, line, rule) in cases {
        let error = matrix_market::read(text).unwrap_err();
        assert_eq!((error.place, error.rule), (Place::Line(*line), *rule), "{text}: {error}");
        assert!(error.to_string().contains(rule.remedy()));
    }
    let skew = matrix_market::read(&format!("{head}2 2 4\n1 1 2\n1 2 1\n2 1 1.001\n2 2 2\n")).unwrap().symmetric();
    let error = skew.unwrap_err();
    assert_eq!(error.rule, Symmetric);
    assert!(error.to_string().contains("1.001"), "{error}");
}

/// A file as NumPy writes it.
fn file(header: &str, data: &[u8]) -> Vec<u8> {
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(data);
    out
}

#[test]
fn every_kind_of_array() {
    let f8: Vec<u8> = [1.0_f64, 2.0, 3.0, 4.0, 5.0, 6.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let c = npy::read(&file("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n", &f8)).unwrap();
    assert_eq!((c.rows, c.columns, c.entries[3]), (2, 3, (1, 0, 4.0)));
    let f = npy::read(&file("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }\n", &f8)).unwrap();
    assert_eq!(f.entries[3], (1, 1, 4.0));
    let vector = npy::read(&file("{'shape': (6,), 'fortran_order': False, 'descr': '<f8'}", &f8)).unwrap();
    assert_eq!((vector.rows, vector.columns, vector.entries[5]), (6, 1, (5, 0, 6.0)));
    let f4: Vec<u8> = [1.5_f32, -2.0].iter().flat_map(|x| x.to_be_bytes()).collect();
    let big = npy::read(&file("{'descr': '>f4', 'fortran_order': False, 'shape': (1, 2), }", &f4)).unwrap();
    assert_eq!(big.entries, [(0, 0, 1.5), (0, 1, -2.0)]);
    let i2: Vec<u8> = [-7_i16, 300].iter().flat_map(|x| x.to_le_bytes()).collect();
    let whole = npy::read(&file("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1), }", &i2)).unwrap();
    assert_eq!(whole.entries, [(0, 0, -7.0), (1, 0, 300.0)]);
}

#[test]
fn faults_of_arrays_are_named() {
    use MatrixRule::*;
    let ok = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }";
    let nan = f64::NAN.to_le_bytes();
    let cases: &[(Vec<u8>, &str, MatrixRule)] = &[
        (Vec::new(), "signature", Signature),
        (b"PK\x03\x04".to_vec(), "signature", Signature),
        (b"\x93NUMPY".to_vec(), "header", Count),
        (b"\x93NUMPY\x09\x00\x01\x00{".to_vec(), "version", Kind),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}".to_vec(), "header", Count),
        (file("{}", &[]), "descr", Kind),
        (file("\u{e9}\u{e9}", &[]), "descr", Kind),
        (file("{'descr': '<c16', 'fortran_order': False, 'shape': (1, 1), }", &[0; 16]), "descr", Kind),
        (file("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", &[0; 8]), "descr", Kind),
        (file("{'descr': '|O', 'fortran_order': False, 'shape': (1, 1), }", &[0; 8]), "descr", Kind),
        (file("{'descr': '<f8', 'fortran_order': 1, 'shape': (1, 1), }", &[0; 8]), "fortran_order", Kind),
        (file("{'descr': '<f8', 'fortran_order': False}", &[0; 8]), "shape", Kind),
        (file("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1, 1), }", &[0; 8]), "shape", Kind),
        (file("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", &[0; 8]), "shape", Kind),
        (file("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 1), }", &[0; 8]), "shape", Sizes),
        (file("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1", &[0; 8]), "shape", Sizes),
        (
            file("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", &[0; 8]),
            "shape",
            Limit,
        ),
        (file(ok, &[0; 7]), "numbers", Count),
        (file(ok, &[0; 9]), "numbers", Count),
        (file(ok, &nan), "number", FiniteNumber),
    ];
    for (i, (bytes, field, rule)) in cases.iter().enumerate() {
        let error = npy::read(bytes).unwrap_err();
        assert_eq!((error.field, error.rule), (*field, *rule), "case {i}: {error}");
        assert!(matches!(error.place, Place::Byte(_)));
    }
}

/// No bytes make a reader panic or hang.
#[test]
fn damaged_files_are_answered() {
    let mut g = Seeded(23);
    let m = random_matrix(&mut g);
    let (text, bytes) = (matrix_market::write(&m), npy::write(&m));
    let mut read = 0;
    for round in 0..20_000 {
        let mut damaged = if round % 2 == 0 { text.as_bytes().to_vec() } else { bytes.clone() };
        for _ in 0..=g.below(3) {
            let at = g.below(damaged.len().min(200));
            match g.below(3) {
                0 => damaged[at] = (g.next() & 0xff) as u8,
                1 => damaged[at] = b"0123456789()'<>,:f-\n "[g.below(21)],
                _ => damaged.truncate(1 + at),
            }
        }
        let answer = if round % 2 == 0 {
            matrix_market::read(&String::from_utf8_lossy(&damaged)).is_ok()
        } else {
            npy::read(&damaged).is_ok()
        };
        read += usize::from(answer);
    }
    println!("{read} of 20000 damaged files still read");
    assert!(read > 0 && read < 20_000);
}
