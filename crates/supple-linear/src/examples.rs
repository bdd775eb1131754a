//! Models with known answers, for tests.

use crate::{Matrix, OperatingPoint, Signal, StateSpace};

/// A model of plain rows.
pub(crate) fn model(a: &[&[f64]], b: &[&[f64]], c: &[&[f64]], d: &[&[f64]]) -> StateSpace {
    let matrix = |rows: &[&[f64]], columns: usize| Matrix::from_fn(rows.len(), columns, |i, j| rows[i][j]);
    let (n, m) = (a.len(), d.first().map_or(0, |row| row.len()));
    let signals = |letter: &str, count: usize| {
        let named = |k| Signal { name: format!("{letter}{k}"), unit: "1".into() };
        (1..=count).map(named).collect::<Vec<_>>()
    };
    StateSpace {
        a: matrix(a, n),
        b: matrix(b, m),
        c: matrix(c, n),
        d: matrix(d, m),
        dt: None,
        states: signals("x", n),
        inputs: signals("u", m),
        outputs: signals("y", c.len()),
        operating_point: OperatingPoint { x: vec![0.0; n], u: vec![0.0; m], y: vec![0.0; c.len()] },
    }
}

/// `1 / (s² + 2 ζ ω s + ω²)`.
pub(crate) fn oscillator(w: f64, zeta: f64) -> StateSpace {
    model(&[&[0.0, 1.0], &[-w * w, -2.0 * zeta * w]], &[&[0.0], &[1.0]], &[&[1.0, 0.0]], &[&[0.0]])
}

/// Two masses joined by a spring and a damper, free to drift; a force on the first. Outputs: places of both.
pub(crate) fn two_masses([m1, m2]: [f64; 2], k: f64, c: f64) -> StateSpace {
    model(
        &[
            &[0.0, 0.0, 1.0, 0.0],
            &[0.0, 0.0, 0.0, 1.0],
            &[-k / m1, k / m1, -c / m1, c / m1],
            &[k / m2, -k / m2, c / m2, -c / m2],
        ],
        &[&[0.0], &[0.0], &[1.0 / m1], &[0.0]],
        &[&[1.0, 0.0, 0.0, 0.0], &[0.0, 1.0, 0.0, 0.0]],
        &[&[0.0], &[0.0]],
    )
}
