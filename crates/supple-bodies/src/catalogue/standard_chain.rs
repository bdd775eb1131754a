//! A serial chain of flexible bodies with arbitrary modes: the system for which published operation counts hold [JR92 8].

use supple::{
    Body, BodyIndex, ElasticRotation, Fidelity, Hinge, HingeKind, InertiaConvention, ModalMatrix, Modes, Node,
    NodeIndex, Parent, System,
};

/// A serial chain of equal flexible bodies with `modes` mass-normalised cantilever modes each.
///
/// Nodes with mass and rotary inertia along the axis of the body move in all directions; the last one carries the next body.
pub fn standard_chain(bodies: usize, modes: usize) -> System {
    chain(bodies, modes, true)
}

/// The same with free-free modes: they move the node at the inboard hinge as well, as the paper counts.
pub fn free_free_chain(bodies: usize, modes: usize) -> System {
    chain(bodies, modes, false)
}

fn chain(bodies: usize, modes: usize, cantilever: bool) -> System {
    let nodes = body_nodes(modes, usize::from(cantilever));
    let tip = NodeIndex(nodes.len() - 1);
    let turned = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]];
    let body = |k: usize| {
        let parent = if k == 0 { Parent::Ground } else { Parent::Body(BodyIndex(k - 1), tip) };
        let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] }).turned(turned);
        Body {
            nodes: nodes.clone(),
            modes: Modes {
                count: modes,
                stiffness: ModalMatrix::Diagonal((0..modes).map(|r| 100.0 * (1 + r * r) as f64).collect()),
                damping: ModalMatrix::Diagonal(vec![0.1; modes]),
                fidelity: Fidelity::RuthlessConstant,
                ..Modes::default()
            },
            ..Body::new(format!("body {k}"), parent, hinge)
        }
    };
    System {
        gravity: [0.0, 0.0, -9.81],
        elastic_rotation: ElasticRotation::None,
        inertia: InertiaConvention::Lagrange,
        bodies: (0..bodies).map(body).collect(),
        ..System::default()
    }
}

/// A root node and as many others as the modes need to be independent. The first `still` nodes do not move.
fn body_nodes(modes: usize, still: usize) -> Vec<Node> {
    let count = modes / 3 + 3;
    let inertia = [[1e-3, 0.0, 0.0], [0.0, 1e-3, 0.0], [0.0, 0.0, 1e-3]];
    let mut nodes: Vec<Node> = (0..=count)
        .map(|j| Node {
            position: [j as f64 / count as f64, 0.0, 0.0],
            mass: 1.0 / count as f64,
            inertia,
            ..Node::default()
        })
        .collect();
    // Smooth but otherwise arbitrary shapes, no node that moves at a place where they vanish.
    for (j, node) in nodes.iter_mut().skip(still).enumerate().map(|(j, node)| (j + 1, node)) {
        node.influence = (0..modes)
            .map(|r| std::array::from_fn(|i| ((j * (r + 1) * (i + 2)) as f64 * 0.7 + (r * i) as f64).sin()))
            .collect();
    }
    normalise(&mut nodes[still..], modes);
    nodes
}

/// Orthonormalises the modes in the inner product of the nodal masses.
fn normalise(nodes: &mut [Node], modes: usize) {
    let weight = |node: &Node, i: usize| if i < 3 { node.inertia[i][i] } else { node.mass };
    let product = |nodes: &[Node], r: usize, s: usize| -> f64 {
        let at = |n: &Node| (0..6).map(|i| weight(n, i) * n.influence[r][i] * n.influence[s][i]).sum::<f64>();
        nodes.iter().map(at).sum()
    };
    for r in 0..modes {
        // Twice for full accuracy.
        for _ in 0..2 {
            for s in 0..r {
                let along = product(nodes, r, s);
                for node in nodes.iter_mut() {
                    let other = node.influence[s];
                    node.influence[r].iter_mut().zip(other).for_each(|(x, y)| *x -= along * y);
                }
            }
            let size = product(nodes, r, r).sqrt();
            for node in nodes.iter_mut() {
                node.influence[r].iter_mut().for_each(|x| *x /= size);
            }
        }
    }
}
