//! Equal frequencies leave their vectors free to turn into each other: here they are turned to the sparsest choice.
//!
//! A beam that is as stiff in one plane as in the other has every bending mode twice, in any two planes. Each vector in turn takes the
//! largest motion of its group to itself, which leaves the planes of the degrees of freedom.

/// Relative distance of `ω²` within which pairs count as equal.
const EQUAL: f64 = 1e-9;

/// Turns the vectors of every group of equal `ω²`, given in ascending order.
pub(super) fn align(squares: &[f64], vectors: &mut [Vec<f64>]) {
    let mut start = 0;
    while start < squares.len() {
        let mut end = start + 1;
        while end < squares.len() && squares[end] - squares[end - 1] <= EQUAL * squares[end] {
            end += 1;
        }
        turn(&mut vectors[start..end]);
        start = end;
    }
}

fn turn(group: &mut [Vec<f64>]) {
    for first in 0..group.len().saturating_sub(1) {
        let rest = &mut group[first..];
        let size = |dof: usize| rest.iter().map(|v| v[dof] * v[dof]).sum::<f64>();
        let largest = (0..rest[0].len()).map(size).fold(0.0, f64::max);
        // The first of those that rounding cannot tell apart.
        let Some(dof) = (0..rest[0].len()).find(|&dof| size(dof) >= (1.0 - 1e-6) * largest) else { return };
        for other in 1..rest.len() {
            let (head, tail) = rest.split_at_mut(other);
            let (a, b) = (&mut head[0], &mut tail[0]);
            let length = a[dof].hypot(b[dof]);
            if length == 0.0 {
                continue;
            }
            let (c, s) = (a[dof] / length, b[dof] / length);
            for (x, y) in a.iter_mut().zip(b.iter_mut()) {
                (*x, *y) = (c * *x + s * *y, c * *y - s * *x);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_come_apart() {
        let (c, s) = (0.8, 0.6);
        let mut vectors = vec![vec![3.0, 0.0, 0.0], vec![0.0, 2.0 * c, 2.0 * s], vec![0.0, -2.0 * s, 2.0 * c]];
        align(&[1.0, 4.0, 4.0 + 1e-12], &mut vectors);
        let expected = [[3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
        for (v, e) in vectors.iter().zip(expected) {
            assert!(v.iter().zip(e).all(|(a, b)| (a - b).abs() < 1e-14), "{v:?}");
        }
    }
}
