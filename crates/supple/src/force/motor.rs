//! A motor at a coordinate of a closure, or in a hinge: its force is an input.

use super::law::ForceLaw;
use super::port::{Effect, Measured, PortKind};
use supple_spatial::Scalar;

/// The force of [`Inputs::element_forces`](crate::Inputs::element_forces); supplies its power. For hinges
/// [`Inputs::forces`](crate::Inputs::forces) do the same; coordinates of closures have no others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motor;

impl ForceLaw for Motor {
    const NAME: &'static str = "motor";
    const PORTS: &'static [PortKind] = &[PortKind::Speed];
    const STIFF: bool = false;
    const HAS_INPUT: bool = true;

    fn parameters(&self) -> Vec<f64> {
        Vec::new()
    }

    fn evaluate<T: Scalar>(input: &[T], at: &Measured<'_, T>, out: &mut Effect<'_, T>) {
        out.push(0, input[0]);
        out.supply(input[0] * at.speed(0));
    }
}
