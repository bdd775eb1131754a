//! Flexible bodies whose nodes lie in a plane, as panels: triangles between their nodes.

use super::nodes::plane_of;

/// A triangle is left out where its longest side exceeds its shortest this many times: frames and strips of few nodes are no panels.
const MOST_SLENDER: f64 = 8.0;
/// Twice the area over the square of the longest side: below it the corners are on a line, as those on the rim of a grid that rounding bends.
const FLATTEST: f64 = 1e-3;
/// A triangle whose sides are not all lines of the net is left out where its longest side exceeds the middle one of the net this many times.
const MOST_LONG: f64 = 2.0;

/// Triangles between nodes in a plane, joined by `edges`; none where they do not lie in one.
pub fn triangles(positions: &[[f64; 3]], edges: &[[usize; 2]]) -> Vec<[usize; 3]> {
    let Some(flat) = plane_of(positions) else { return Vec::new() };
    let points: Vec<delaunator::Point> = flat.iter().map(|[x, y]| delaunator::Point { x: *x, y: *y }).collect();
    let length = |a: usize, b: usize| (flat[a][0] - flat[b][0]).hypot(flat[a][1] - flat[b][1]);
    let mut lengths: Vec<f64> = edges.iter().map(|[a, b]| length(*a, *b)).collect();
    lengths.sort_by(f64::total_cmp);
    let Some(middle) = lengths.get(lengths.len() / 2) else { return Vec::new() };
    let is_edge = |a: usize, b: usize| edges.contains(&[a.min(b), a.max(b)]);
    let found = delaunator::triangulate(&points).triangles;
    let filled = |t: &[usize; 3]| {
        let sides = [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        let sizes = sides.map(|[a, b]| length(a, b));
        let (short, long) = (sizes.into_iter().fold(f64::INFINITY, f64::min), sizes.into_iter().fold(0.0, f64::max));
        let joined = sides.into_iter().filter(|[a, b]| is_edge(*a, *b)).count();
        let [a, b, c] = t.map(|n| flat[n]);
        let doubled = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs();
        doubled > FLATTEST * long * long && long <= MOST_SLENDER * short && (joined >= 2 || long <= MOST_LONG * middle)
    };
    found.as_chunks::<3>().0.iter().copied().filter(filled).collect()
}

#[cfg(test)]
mod tests {
    use super::super::nodes::neighbours;
    use super::*;

    fn panel(positions: &[[f64; 3]]) -> Vec<[usize; 3]> {
        triangles(positions, &neighbours(positions))
    }

    fn area(positions: &[[f64; 3]], found: &[[usize; 3]]) -> f64 {
        let one = |t: &[usize; 3]| {
            let [a, b, c] = t.map(|n| positions[n]);
            let (p, q): ([f64; 3], [f64; 3]) =
                (std::array::from_fn(|i| b[i] - a[i]), std::array::from_fn(|i| c[i] - a[i]));
            let n = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
            0.5 * n.iter().map(|x| x * x).sum::<f64>().sqrt()
        };
        found.iter().map(one).sum()
    }

    #[test]
    fn a_grid_in_any_plane_is_a_panel() {
        let at = |i: u32, j: u32| [0.3 * f64::from(i), 0.5 * f64::from(j), 1.0 - 0.5 * f64::from(j)];
        let grid: Vec<[f64; 3]> = (0..4).flat_map(|j| (0..6).map(move |i| at(i, j))).collect();
        let found = panel(&grid);
        assert_eq!(found.len(), 2 * 5 * 3);
        let expected = 1.5 * 1.5 * 2.0_f64.sqrt();
        assert!((area(&grid, &found) - expected).abs() < 1e-12, "{}", area(&grid, &found));
    }

    #[test]
    fn a_frame_and_nodes_in_space_are_no_panel() {
        // A portal: two posts of 2 m and a beam of 2 m between them, a node every 0.1 m.
        let post = |x: f64| (0..20).map(move |i| [x, 0.1 * f64::from(i), 0.0]);
        let beam = (0..=20).map(|i| [0.1 * f64::from(i), 2.0, 0.0]);
        let portal: Vec<[f64; 3]> = post(0.0).chain(post(2.0)).chain(beam).collect();
        let found = panel(&portal);
        assert!(area(&portal, &found) < 0.05 * 4.0, "{}", area(&portal, &found));
        let corner = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert!(panel(&corner).is_empty());
        assert!(panel(&[]).is_empty() && panel(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]).is_empty());
    }
}
