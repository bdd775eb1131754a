//! Which nodes of a body are drawn, and what joins them.

use supple::Node;

/// How far from a plane or a line nodes may be that lie in it, as a part of their greatest distance.
const FLAT: f64 = 1e-6;

/// Nodes that have to be there, then others spread as widely as possible, up to a number: indices in ascending order.
pub fn chosen(nodes: &[Node], needed: &[usize], most: usize) -> Vec<usize> {
    if nodes.len() <= most {
        return (0..nodes.len()).collect();
    }
    let mut taken: Vec<usize> = needed.iter().copied().filter(|n| *n < nodes.len()).collect();
    taken.sort_unstable();
    taken.dedup();
    if taken.is_empty() {
        taken.push(0);
    }
    // Each further node is the one farthest from all that are taken.
    let mut away: Vec<f64> = (0..nodes.len())
        .map(|i| taken.iter().map(|t| square_distance(&nodes[i], &nodes[*t])).fold(f64::INFINITY, f64::min))
        .collect();
    while taken.len() < most {
        let Some(next) = (0..nodes.len()).max_by(|a, b| away[*a].total_cmp(&away[*b])).filter(|i| away[*i] > 0.0)
        else {
            break;
        };
        taken.push(next);
        (0..nodes.len()).for_each(|i| away[i] = away[i].min(square_distance(&nodes[i], &nodes[next])));
    }
    taken.sort_unstable();
    taken
}

fn square_distance(a: &Node, b: &Node) -> f64 {
    (0..3).map(|i| (a.position[i] - b.position[i]).powi(2)).sum()
}

/// The order along a line of nodes that lie on one; none where they do not, or where all are in one place.
pub fn along_a_line(positions: &[[f64; 3]]) -> Option<Vec<usize>> {
    let distance = |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
    let first = *positions.first()?;
    // One end is the farthest from the first node, the other the farthest from that end: a beam starts where its nodes do.
    let farthest =
        |from: [f64; 3]| positions.iter().copied().max_by(|a, b| distance(from, *a).total_cmp(&distance(from, *b)));
    let end = farthest(first)?;
    let start = farthest(end)?;
    let length = distance(start, end);
    if !(length > 0.0 && length.is_finite()) {
        return None;
    }
    let along = |p: [f64; 3]| (0..3).map(|i| (p[i] - start[i]) * (end[i] - start[i])).sum::<f64>() / length;
    let off = |p: [f64; 3]| {
        let s = along(p) / length;
        distance(p, std::array::from_fn(|i| start[i] + s * (end[i] - start[i])))
    };
    if positions.iter().any(|p| off(*p) > 1e-6 * length) {
        return None;
    }
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by(|a, b| along(positions[*a]).total_cmp(&along(positions[*b])));
    // Nodes in one place would make a tube without direction.
    order.dedup_by(|a, b| distance(positions[*a], positions[*b]) <= 1e-9 * length);
    Some(order)
}

/// Coordinates in their plane of nodes that lie in one; none where they do not, or on a line.
pub fn plane_of(positions: &[[f64; 3]]) -> Option<Vec<[f64; 2]>> {
    let origin = *positions.first()?;
    let from = |p: &[f64; 3]| -> [f64; 3] { std::array::from_fn(|i| p[i] - origin[i]) };
    let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| a[i] * b[i]).sum::<f64>();
    let unit = |a: [f64; 3]| {
        let size = dot(a, a).sqrt();
        (size > 0.0 && size.is_finite()).then(|| a.map(|x| x / size))
    };
    // One axis to the farthest node, the other to the one farthest from that line.
    let all = || positions.iter().map(from);
    let far = all().max_by(|a, b| dot(*a, *a).total_cmp(&dot(*b, *b)))?;
    let size = dot(far, far).sqrt();
    let x = unit(far)?;
    let off = |p: [f64; 3]| -> [f64; 3] { std::array::from_fn(|i| p[i] - dot(p, x) * x[i]) };
    let side = all().map(off).max_by(|a, b| dot(*a, *a).total_cmp(&dot(*b, *b)))?;
    let y = unit(side).filter(|_| dot(side, side).sqrt() > FLAT * size)?;
    let lies = |p: [f64; 3]| {
        let rest = off(p);
        let rest: [f64; 3] = std::array::from_fn(|i| rest[i] - dot(p, y) * y[i]);
        dot(rest, rest).sqrt() <= FLAT * size
    };
    all().all(lies).then(|| all().map(|p| [dot(p, x), dot(p, y)]).collect())
}

/// Pairs of nodes with no third one in the ball between them (Gabriel's graph): the lines of a grid, and always connected.
pub fn neighbours(positions: &[[f64; 3]]) -> Vec<[usize; 2]> {
    let square = |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>();
    let mut found = Vec::new();
    for i in 0..positions.len() {
        for j in i + 1..positions.len() {
            let own = square(positions[i], positions[j]);
            // On the ball counts as in it, so that squares have no diagonals.
            let between = |k: usize| {
                let sum = square(positions[i], positions[k]) + square(positions[j], positions[k]);
                k != i && k != j && sum <= own * (1.0 + 1e-9) && sum > 0.0
            };
            if own > 0.0 && !(0..positions.len()).any(between) {
                found.push([i, j]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_a_beam_are_ordered_along_it() {
        let at = |x: f64| [1.0 + x, 2.0 * x, 0.0];
        let positions = [at(0.0), at(0.3), at(0.1), at(1.0), at(0.5), at(0.5)];
        let order = along_a_line(&positions).unwrap();
        assert_eq!(order, [0, 2, 1, 4, 3]);
        assert_eq!(along_a_line(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), None);
        assert_eq!(along_a_line(&[[1.0; 3]]), None);
        assert_eq!(along_a_line(&[]), None);
    }

    #[test]
    fn a_grid_is_joined_by_its_lines() {
        let positions: Vec<[f64; 3]> = (0..9).map(|k| [f64::from(k % 3), f64::from(k / 3), 0.0]).collect();
        let edges = neighbours(&positions);
        assert_eq!(edges.len(), 12, "{edges:?}");
        assert!(edges.contains(&[0, 1]) && edges.contains(&[4, 7]) && !edges.contains(&[0, 4]));
    }

    #[test]
    fn many_nodes_become_few_and_the_needed_ones_stay() {
        let nodes: Vec<Node> =
            (0..1000).map(|k| Node { position: [f64::from(k), 0.0, 0.0], ..Node::default() }).collect();
        let taken = chosen(&nodes, &[17, 400], 21);
        assert_eq!(taken.len(), 21);
        assert!(taken.contains(&17) && taken.contains(&400) && taken.contains(&999));
        assert!(taken.windows(2).all(|pair| pair[1] - pair[0] < 110), "{taken:?}");
    }
}
