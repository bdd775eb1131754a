//! Values of polynomials.

use supple::spatial::Scalar;

/// `Σ cₖ xᵏ`, by Horner's rule.
pub(super) fn value<T: Scalar>(coefficients: &[f64], x: T) -> T {
    coefficients.iter().rev().fold(T::ZERO, |sum, c| sum.mul_add(x, T::from_f64(*c)))
}

/// Coefficients of the derivative.
pub(super) fn derivative<const N: usize, const M: usize>(coefficients: &[f64; N]) -> [f64; M] {
    std::array::from_fn(|k| (k + 1) as f64 * coefficients[k + 1])
}
