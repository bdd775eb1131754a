//! Displacements of nodes as functions of the modal coordinates, and their rates by dual numbers.

use super::attitude::moving;
use crate::model::{Body, Fidelity, Node, SecondOrderShape};
use supple_spatial::{Dual, Motion, Scalar};

/// The second-order shapes that the body uses.
fn shapes(body: &Body) -> &[SecondOrderShape] {
    if body.modes.fidelity == Fidelity::Stiffened { &body.modes.second_order } else { &[] }
}

/// `½ η* B η`, entry by entry; one off the diagonal stands for two.
fn amplitude<T: Scalar>(shape: &SecondOrderShape, eta: &[T]) -> T {
    let entry = |&([r, s], b): &([usize; 2], f64)| {
        let half = if r == s { 0.5 } else { 1.0 };
        eta[r] * eta[s] * T::from_f64(half * b)
    };
    shape.quadratic.iter().map(entry).fold(T::ZERO, |sum, x| sum + x)
}

/// The columns of a node by these amplitudes of modes and shapes.
fn combine<T: Scalar>(node: &Node, amplitudes: impl Iterator<Item = T>) -> Motion<T> {
    let mut sum = Motion::ZERO;
    for (column, x) in node.influence.iter().zip(amplitudes) {
        sum += Motion::from_f64(*column) * x;
    }
    sum
}

/// Slopes and displacement `[θ; u]` of a node under the deformation `eta`.
pub(super) fn displacement<T: Scalar>(body: &Body, node: &Node, eta: &[T]) -> Motion<T> {
    let second = shapes(body).iter().map(|shape| amplitude(shape, eta));
    combine(node, eta.iter().copied().chain(second))
}

/// Rates of slopes and displacement while `eta` changes at `eta_dot`.
pub(super) fn displacement_rate<T: Scalar>(body: &Body, node: &Node, eta: &[T], eta_dot: &[T]) -> Motion<T> {
    let along: Vec<Dual<T>> = match shapes(body) {
        [] => Vec::new(),
        _ => eta.iter().zip(eta_dot).map(|(&x, &rate)| moving(x, rate)).collect(),
    };
    let second = shapes(body).iter().map(|shape| amplitude(shape, &along).derivative);
    combine(node, eta_dot.iter().copied().chain(second))
}
