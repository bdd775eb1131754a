//! `J z̈ = R`: accelerations of what is free, forces of what is prescribed [B83 (82)].

#![allow(non_snake_case)] // symbols as printed

use super::inertia_coefficients::packed;
use supple::spatial::block::cholesky;
use supple::spatial::{Mask, Scalar};
use supple::{BodyIndex, DynamicsError, Inputs, Model};

/// The matrix with its factor, and both sides of the equation.
#[derive(Clone, Debug)]
pub(super) struct Equation<T> {
    /// Packed lower triangle of `J`.
    pub J: Vec<T>,
    factor: Vec<T>,
    /// Right-hand side.
    pub R: Vec<T>,
    pub accelerations: Vec<T>,
    pub forces: Vec<T>,
}

impl<T: Scalar> Equation<T> {
    pub fn new(size: usize) -> Self {
        let triangle = vec![T::ZERO; cholesky::packed_len(size)];
        let zeros = vec![T::ZERO; size];
        Self { J: triangle.clone(), factor: triangle, R: zeros.clone(), accelerations: zeros.clone(), forces: zeros }
    }

    /// Starts the right-hand side with the generalized forces; those of prescribed hinges are not known yet.
    pub fn start(&mut self, model: &Model<T>, inputs: &Inputs<T>) {
        self.R.copy_from_slice(&inputs.forces);
        for p in prescribed(model, inputs) {
            self.R[p] = T::ZERO;
        }
    }

    /// Solves, with prescribed accelerations on the other side.
    ///
    /// # Errors
    /// [`DynamicsError::Singular`] names the body of the first pivot that is not positive.
    pub fn solve(&mut self, model: &Model<T>, inputs: &Inputs<T>) -> Result<(), DynamicsError> {
        let n = self.R.len();
        self.factor.copy_from_slice(&self.J);
        self.accelerations.copy_from_slice(&self.R);
        for p in prescribed(model, inputs) {
            for i in 0..n {
                self.accelerations[i] -= self.J[packed(i, p)] * inputs.accelerations[p];
                self.factor[packed(i, p)] = if i == p { T::ONE } else { T::ZERO };
            }
        }
        for p in prescribed(model, inputs) {
            self.accelerations[p] = inputs.accelerations[p];
        }
        if !cholesky::factor_in_place(&mut self.factor, n).all() {
            return Err(self.singular(model));
        }
        cholesky::solve(&self.factor, &mut self.accelerations);
        self.forces.copy_from_slice(&inputs.forces);
        for p in prescribed(model, inputs) {
            let mut force = -self.R[p];
            for i in 0..n {
                force = self.J[packed(i, p)].mul_add(self.accelerations[i], force);
            }
            self.forces[p] = force;
        }
        Ok(())
    }

    #[cold]
    fn singular(&self, model: &Model<T>) -> DynamicsError {
        let bad = |i: usize| !cholesky::is_sound(&self.factor, i).all();
        let speed = (0..self.R.len()).find(|&i| bad(i)).unwrap_or(0);
        let of =
            |body: &BodyIndex| model.modal_speeds(*body).contains(&speed) || model.hinge_speeds(*body).contains(&speed);
        let body = model.body_indices().find(of).unwrap_or(BodyIndex(0));
        DynamicsError::Singular { body, name: model.name(body).into() }
    }
}

/// Places of the speeds of prescribed hinges.
fn prescribed<'a, T>(model: &'a Model<T>, inputs: &'a Inputs<T>) -> impl Iterator<Item = usize> + 'a {
    let bodies = model.body_indices().zip(&inputs.prescribed);
    bodies.filter(|(_, flag)| **flag).map(|(body, _)| model.hinge_speeds(body).start)
}
