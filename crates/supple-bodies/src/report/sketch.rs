//! A mode drawn in characters: the motion that dominates, along the longest axis of the body.

use super::DIRECTIONS;
use supple::Node;

/// Columns and rows of a sketch.
const SIZE: (usize, usize) = (49, 7);

/// The shape of a mode in characters.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// The motion drawn, an index into [`DIRECTIONS`].
    pub direction: usize,
    /// The axis of the body along which it is drawn: 0, 1 or 2.
    pub axis: usize,
    /// Rows of characters, top first.
    pub rows: Vec<String>,
}

impl Sketch {
    /// Draws the motions `[λ; γ]` of nodes.
    pub(super) fn new(nodes: &[Node], motion: &[[f64; 6]]) -> Self {
        let direction = dominant(nodes, motion);
        let span = |axis: usize| {
            let along = nodes.iter().map(|n| n.position[axis]);
            along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min)
        };
        let axis = (0..3).fold(0, |best, axis| if span(axis) > span(best) { axis } else { best });
        let mut points: Vec<(f64, f64)> =
            nodes.iter().zip(motion).map(|(n, m)| (n.position[axis], m[direction])).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { direction, axis, rows: drawn(&points) }
    }

    /// Name of the motion drawn.
    pub fn label(&self) -> &'static str {
        DIRECTIONS[self.direction]
    }
}

/// The direction with most kinetic energy. Without mass at the nodes: the largest shift, or turn where nothing shifts.
fn dominant(nodes: &[Node], motion: &[[f64; 6]]) -> usize {
    let energy = |d: usize| -> f64 {
        let weight = |n: &Node| if d < 3 { n.inertia[d][d] } else { n.mass };
        nodes.iter().zip(motion).map(|(n, m)| weight(n) * m[d] * m[d]).sum()
    };
    let square = |d: usize| -> f64 { motion.iter().map(|m| m[d] * m[d]).sum() };
    let largest = |measure: &dyn Fn(usize) -> f64, range: std::ops::Range<usize>| {
        range.fold(3, |best, d| if measure(d) > measure(best) { d } else { best })
    };
    match () {
        () if (0..6).any(|d| energy(d) > 0.0) => largest(&energy, 0..6),
        () if (3..6).any(|d| square(d) > 0.0) => largest(&square, 3..6),
        () => largest(&square, 0..6),
    }
}

fn drawn(points: &[(f64, f64)]) -> Vec<String> {
    let (columns, rows) = SIZE;
    let middle = (rows - 1) / 2;
    let mut grid = vec![vec![' '; columns]; rows];
    grid[middle] = vec!['-'; columns];
    let largest = points.iter().fold(0.0_f64, |m, p| m.max(p.1.abs()));
    if let (Some(first), Some(last)) = (points.first(), points.last())
        && last.0 > first.0
        && largest > 0.0
    {
        for c in 0..columns {
            let x = first.0 + (last.0 - first.0) * c as f64 / (columns - 1) as f64;
            let height = between(points, x) / largest * middle as f64;
            let row = (middle as f64 - height).round().clamp(0.0, (rows - 1) as f64);
            grid[row as usize][c] = '*';
        }
    }
    let mut lines: Vec<String> =
        grid.into_iter().map(|row| row.into_iter().collect::<String>().trim_end().to_string()).collect();
    // A shape to one side needs only that side.
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let blank = lines.iter().take_while(|line| line.is_empty()).count();
    lines.split_off(blank)
}

/// Linear between sorted points.
fn between(points: &[(f64, f64)], x: f64) -> f64 {
    let next = points.partition_point(|p| p.0 < x).min(points.len() - 1);
    let (a, b) = (points[next.saturating_sub(1)], points[next]);
    if b.0 > a.0 { a.1 + (b.1 - a.1) * ((x - a.0) / (b.0 - a.0)).clamp(0.0, 1.0) } else { b.1 }
}
