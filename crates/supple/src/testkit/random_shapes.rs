//! Second-order shapes on the bodies of a random system.

use super::Generator;
use crate::model::{Body, Fidelity, SecondOrderShape, System};

/// Gives most flexible bodies shapes of second order, most of them with slopes, also at nodes that no mode moves.
pub(super) fn add_shapes(rng: &mut Generator, system: &mut System) {
    for body in &mut system.bodies {
        if body.modes.count > 0 && body.modes.fidelity != Fidelity::RuthlessConstant && rng.chance(0.7) {
            stiffen(rng, body);
        }
    }
}

fn stiffen(rng: &mut Generator, body: &mut Body) {
    let sizes = sizes(body);
    let count = 1 + rng.below(3);
    let quadratic = |rng: &mut Generator| {
        let pairs = (0..sizes.len()).flat_map(|r| (r..sizes.len()).map(move |s| [r, s]));
        let drawn = pairs.map(|[r, s]| (rng.chance(0.7), [r, s], rng.between(-1.0, 1.0) * sizes[r] * sizes[s]));
        drawn.filter(|(kept, ..)| *kept).map(|(_, at, value)| (at, value)).collect()
    };
    body.modes.second_order = (0..count).map(|_| SecondOrderShape { quadratic: quadratic(rng) }).collect();
    body.modes.fidelity = Fidelity::Stiffened;
    // A beam has none.
    let slopes = rng.chance(0.85);
    for node in &mut body.nodes {
        let still = node.influence.iter().flatten().all(|&x| x == 0.0);
        let moves = !still || rng.chance(0.15);
        if node.influence.is_empty() && moves {
            node.influence = vec![[0.0; 6]; body.modes.count];
        }
        if !node.influence.is_empty() {
            let entry =
                |rng: &mut Generator, i: usize| if moves && (i > 2 || slopes) { rng.between(-1.0, 1.0) } else { 0.0 };
            node.influence.extend((0..count).map(|_| std::array::from_fn::<f64, 6, _>(|i| entry(rng, i))));
        }
    }
}

/// For every mode the size of its largest influence.
fn sizes(body: &Body) -> Vec<f64> {
    let largest = |r: usize| {
        let columns = body.nodes.iter().filter_map(|node| node.influence.get(r));
        columns.flatten().fold(0.0_f64, |most, x| most.max(x.abs()))
    };
    (0..body.modes.count).map(largest).collect()
}
