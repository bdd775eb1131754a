//! US patent 5,546,508, (86), (89) and (130): modal mass, Coriolis acceleration and gyroscopic forces up to an order in the deformation, and what is left out.

use std::error::Error;

use super::row::Value;
use super::svg::{Curve, Plot};
use super::{Case, Run};
use crate::operators::{Crossing, Deformation, ModalIntegrals, NodalBody};
use supple::spatial::{Motion, Vector3};
use supple::{ElasticRotation, Fidelity};
use supple_bodies::catalogue::standard_chain::free_free_chain;

/// The name of the case.
pub const NAME: &str = "one-body";
const MODES: usize = 6;
/// Greatest displacement of a node over the length of the body.
const DEFLECTIONS: [f64; 4] = [1e-3, 1e-2, 1e-1, 2e-1];
const OMEGA: Vector3<f64> = Vector3([0.3, -0.8, 1.1]);
/// What is cut off.
const QUANTITIES: [(&str, usize); 3] = [("mass", 3), ("coriolis", 4), ("gyroscopic", 4)];

/// The one run.
pub fn runs() -> Vec<Run> {
    vec![Run { case: Case::Orders, fidelity: Fidelity::Inconsistent, tip: ElasticRotation::Integrated }]
}

/// Relative errors of each quantity, by the highest order kept: what the orders above leave out, over the whole.
fn errors(deflection: f64) -> [Vec<f64>; 3] {
    let mut body = free_free_chain(1, MODES).bodies.remove(0);
    // Offsets of mass centres: without them many integrals vanish.
    body.nodes.iter_mut().for_each(|node| node.mass_centre = [0.01, 0.03, -0.02]);
    let nodes = NodalBody::new(&body);
    let shape: Vec<f64> = (0..MODES).map(|r| (1.0 + 1.7 * r as f64).sin() / (1.0 + r as f64)).collect();
    let moved = |node: &supple::Node, x: &[f64]| {
        (node.influence.iter().zip(x)).fold(Motion::ZERO, |sum, (column, x)| sum + Motion::from_array(*column) * *x)
    };
    let greatest =
        body.nodes.iter().map(|node| moved(node, &shape).linear).map(|u| u.dot(u).sqrt()).fold(0.0, f64::max);
    let eta: Vec<f64> = shape.iter().map(|x| x * deflection / greatest).collect();
    // The deformation changes about as fast as the body turns.
    let eta_dot: Vec<f64> = eta.iter().rev().copied().collect();
    let integrals = ModalIntegrals::new(&nodes);
    let mass = integrals.mass_orders(&eta).map(|order| order.size());
    let whole = nodes.modal_mass(&eta).size();
    let at = Deformation { eta: eta.clone(), eta_dot: eta_dot.clone(), omega: OMEGA };
    let bias = integrals.bias_orders(&at);
    let [first, last] = [&body.nodes[0], &body.nodes[body.nodes.len() - 1]];
    let crossing = Crossing {
        omega: OMEGA,
        l0: Vector3(last.position),
        arm: Vector3([0.1, 0.0, 0.0]),
        y0: Vector3(first.position),
        hinge: Motion::new(Vector3([0.0, 0.0, 0.9]), Vector3::ZERO),
        outboard: (moved(last, &eta).linear, moved(last, &eta_dot)),
        inboard: (moved(first, &eta).linear, moved(first, &eta_dot)),
    };
    let coriolis = crossing.orders().map(|order| order.to_array().to_vec());
    [left_out(&mass.map(|size| vec![size]), whole), left_out(&coriolis, 0.0), left_out(&bias, 0.0)]
}

/// Sizes of the sums of the orders above each, over that of all of them or over `whole`.
fn left_out(orders: &[Vec<f64>], whole: f64) -> Vec<f64> {
    let size = |from: usize| {
        let sum = |i: usize| orders[from..].iter().map(|order| order[i]).sum::<f64>();
        (0..orders[0].len()).map(|i| sum(i).abs()).fold(0.0, f64::max)
    };
    let whole = if whole > 0.0 { whole } else { size(0) };
    (1..=orders.len()).map(|from| if from == orders.len() { 0.0 } else { size(from) / whole }).collect()
}

/// Errors by deflection and highest order kept, and how they fall.
pub fn values() -> Result<Vec<Value>, Box<dyn Error>> {
    let mut out = Vec::new();
    for deflection in DEFLECTIONS {
        for ((name, orders), errors) in QUANTITIES.iter().zip(errors(deflection)) {
            for (kept, error) in errors.iter().take(orders - 1).enumerate() {
                out.push(Value::new(format!("{name}_to_order_{kept}_at_{deflection}"), None, *error));
            }
        }
    }
    // Small ones: errors of the power are as large as the deflection.
    let [small, large] = [errors(1e-4), errors(1e-3)];
    for (i, (name, orders)) in QUANTITIES.iter().enumerate() {
        for kept in 0..orders - 1 {
            let power = (large[i][kept] / small[i][kept]).log10();
            out.push(Value::new(format!("{name}_to_order_{kept}_falls_by"), Some(kept as f64 + 1.0), power));
        }
    }
    Ok(out)
}

/// Errors by the highest order kept, a fifth of the length deflected and a thousandth.
pub fn picture() -> Result<String, Box<dyn Error>> {
    let curves = [DEFLECTIONS[0], DEFLECTIONS[3]].into_iter().flat_map(|deflection| {
        let named = QUANTITIES.iter().zip(errors(deflection));
        named.map(move |((name, _), values)| Curve {
            name: format!("{}, {deflection}", name.replace("coriolis", "Coriolis")),
            values,
        })
    });
    Ok(Plot {
        title: "Error of leaving out higher orders, at deflections of 0.001 and 0.2 of the length".into(),
        across: "highest order kept in the deformation",
        up: "relative error",
        unit: "order",
        label: |order| order.to_string(),
        curves: curves.collect(),
    }
    .to_string())
}
