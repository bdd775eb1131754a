//! Poles: eigenvalues of `A`.

use crate::parts::Parts;
use crate::{AnalysisError, Complex, StateSpace};

/// The poles of a model, ordered by absolute value.
///
/// # Errors
/// [`AnalysisError`], where the matrices do not fit or are not finite.
pub fn poles(system: &StateSpace) -> Result<Vec<Complex>, AnalysisError> {
    let parts = Parts::balanced(system)?;
    eigenvalues(&parts.a)
}

/// Eigenvalues ordered by absolute value, then by their imaginary parts.
pub(crate) fn eigenvalues(a: &faer::Mat<f64>) -> Result<Vec<Complex>, AnalysisError> {
    let mut all: Vec<Complex> =
        a.eigenvalues().map_err(|_| AnalysisError::NoConvergence)?.into_iter().map(Complex::from).collect();
    all.sort_by(|x, y| x.abs().total_cmp(&y.abs()).then(x.im.total_cmp(&y.im)));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{oscillator, two_masses};

    #[test]
    fn oscillators_and_drift() {
        let (w, zeta) = (1e4_f64, 1e-3);
        let found = poles(&oscillator(w, zeta)).unwrap();
        for (pole, sign) in found.iter().zip([-1.0, 1.0]) {
            assert!((pole.re + zeta * w).abs() < 1e-10 * w, "{pole:?}");
            assert!((pole.im - sign * w * (1.0 - zeta * zeta).sqrt()).abs() < 1e-12 * w, "{pole:?}");
        }
        let found = poles(&two_masses([1.0, 3.0], 5e6, 0.0)).unwrap();
        let w = (5e6_f64 * (1.0 + 1.0 / 3.0)).sqrt();
        // A double pole at zero is known to the root of what is rounded.
        assert!(found[1].abs() < 1e-7 * w, "{found:?}");
        assert!((found[3].im - w).abs() < 1e-12 * w);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut system = oscillator(1.0, 0.1);
        system.a[(0, 0)] = f64::NAN;
        assert_eq!(poles(&system), Err(AnalysisError::NotFinite));
        system.a = crate::Matrix::zeros(2, 3);
        assert_eq!(poles(&system), Err(AnalysisError::Sizes));
    }
}
