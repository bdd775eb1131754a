//! The matrices of a model as faer takes them, checked, with the states balanced.

use faer::Mat;

use crate::balance::balance;
use crate::{AnalysisError, StateSpace};

/// `A`, `B`, `C`, `D` with states `x = T ξ` for a diagonal `T`.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub a: Mat<f64>,
    pub b: Mat<f64>,
    pub c: Mat<f64>,
    pub d: Mat<f64>,
}

impl Parts {
    /// The matrices as they are.
    pub fn of(system: &StateSpace) -> Result<Self, AnalysisError> {
        let StateSpace { a, b, c, d, .. } = system;
        let (n, m, p) = (a.rows(), b.columns(), c.rows());
        let sizes = [(a.columns(), n), (b.rows(), n), (c.columns(), n), (d.rows(), p), (d.columns(), m)];
        if sizes.iter().any(|(found, expected)| found != expected) {
            return Err(AnalysisError::Sizes);
        }
        if ![a, b, c, d].iter().all(|matrix| matrix.as_slice().iter().all(|x| x.is_finite())) {
            return Err(AnalysisError::NotFinite);
        }
        Ok(Self { a: a.to_faer(), b: b.to_faer(), c: c.to_faer(), d: d.to_faer() })
    }

    /// With balanced states.
    pub fn balanced(system: &StateSpace) -> Result<Self, AnalysisError> {
        let mut out = Self::of(system)?;
        let scales = balance(&mut out.a);
        for (i, scale) in scales.iter().enumerate() {
            (0..out.b.ncols()).for_each(|j| out.b[(i, j)] /= scale);
            (0..out.c.nrows()).for_each(|j| out.c[(j, i)] *= scale);
        }
        Ok(out)
    }
}
