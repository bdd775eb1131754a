//! Modes, and hinges on which force elements act, as independent damped oscillators: mass and tangents of the forces frozen at one state.
//!
//! The directions `f` that the oscillators share are all modes and the hinges that force elements reach, as far as they are free. With the
//! mass matrix in blocks of these and of the other free hinges `β`, the latter follow by `Q = -𝓜_ββ⁻¹ 𝓜_βf` and leave the mass
//! `M_c = 𝓜_ff + 𝓜_fβ Q`. The eigenvectors of `(K + C/h) V = M_c V Λ`, `V* M_c V = I`, for steps near `h`, give
//!
//! ```text
//! x = V ξ,   u = V ξ̇,   β = γ + Q u:       ξ̈ = -Ω² ξ - D ξ̇,   γ̇ = 0
//! ```
//!
//! with the diagonals `Ω²` of `V* K V` and `D` of `V* C V`, none taken below zero. Without damping this is the whole motion under `-K x`,
//! without stiffness that under `-C u`; otherwise what is beside the diagonals is left out. `x` are displacements in the directions of the
//! speeds `u`: coordinates of modes and of hinges, and small turns of hinges with quaternions, whose length is left as it is.
//!
//! An oscillator moves everything: its shape has a part in every coordinate, attitude and speed. Dense in the directions: quadratic memory,
//! cubic work at each state.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::force::ElementTangents;
use crate::model::Model;
use crate::model::elastic::ModalOperator;
use crate::state::State;
use crate::workspace::DenseWorkspace;
use supple_spatial::Quaternion;
use supple_spatial::block::cholesky;

mod directions;
mod eigen;
mod find;

use directions::Directions;

/// The oscillators at one state. Vectors are flat: coordinates, attitudes, speeds.
#[derive(Clone, Debug)]
pub(crate) struct Oscillators {
    dense: DenseWorkspace,
    state: State,
    attitude_rates: Vec<Quaternion<f64>>,
    directions: Directions,
    /// Tangents of force elements, where there are any that implicit schemes take, and room for them in all speeds.
    elements: Option<Box<ElementTangents>>,
    element_tangent: Vec<f64>,
    /// Whether anything is damped.
    damped: bool,
    /// Number of coordinates and attitude numbers: where the speeds begin.
    positions: usize,
    /// Per oscillator: its shape.
    shapes: Vec<f64>,
    /// Per direction: its column of `V⁻¹ = V* M_c`.
    inverse: Vec<f64>,
    /// `Ω²` and `D`.
    squares: Vec<f64>,
    dampings: Vec<f64>,
    /// `Q` by rows of hinge speeds.
    follow: Vec<f64>,
    /// `V*`, `K` and `C` by rows, packed `M_c` and factors.
    vectors: Vec<f64>,
    stiffness: Vec<f64>,
    damping: Vec<f64>,
    hinge_factor: Vec<f64>,
    mass: Vec<f64>,
    mass_factor: Vec<f64>,
    /// Packed tangent stiffness of a body.
    modal_stiffness: Vec<f64>,
    column: Vec<f64>,
    /// Amplitudes of coordinates and speeds.
    amplitudes: [Vec<f64>; 2],
}

impl Oscillators {
    pub(crate) fn new(model: &Model) -> Self {
        let state = State::new(model);
        let positions = state.coordinates.len() + 4 * state.attitudes.len();
        let elements = Some(ElementTangents::stiff(model)).filter(|elements| elements.size() > 0).map(Box::new);
        let damped = elements.is_some()
            || model.bodies.iter().any(|data| {
                let flexible = data.flexible.as_ref();
                flexible.is_some_and(|flexible| !matches!(flexible.elastic.damping, ModalOperator::Zero))
            });
        let directions = Directions::new(model, elements.as_deref());
        let (n, r, speeds) = (directions.len(), directions.hinges.len(), state.speeds.len());
        let zeros = |count: usize| vec![0.0; count];
        Self {
            dense: DenseWorkspace::new(model),
            attitude_rates: vec![Quaternion::IDENTITY; state.attitudes.len()],
            state,
            directions,
            damped,
            element_tangent: zeros(if elements.is_some() { speeds * speeds } else { 0 }),
            elements,
            positions,
            shapes: zeros(n * (positions + speeds)),
            inverse: zeros(n * n),
            squares: zeros(n),
            dampings: zeros(n),
            follow: zeros(r * n),
            vectors: zeros(n * n),
            stiffness: zeros(n * n),
            damping: zeros(if damped { n * n } else { 0 }),
            hinge_factor: zeros(cholesky::packed_len(r)),
            mass: zeros(cholesky::packed_len(n)),
            mass_factor: zeros(cholesky::packed_len(n)),
            modal_stiffness: zeros(cholesky::packed_len(model.topology.sizes.most_modes)),
            column: zeros(n.max(r)),
            amplitudes: [zeros(n), zeros(n)],
        }
    }

    /// The state at which they are found.
    pub(crate) fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// Writes `Ω²` and `D` of every oscillator at the places of its coordinate and of its speed, and zero elsewhere.
    pub(crate) fn write(&self, squares: &mut [f64], dampings: &mut [f64]) {
        for (out, values) in [(squares, &self.squares), (dampings, &self.dampings)] {
            out.fill(0.0);
            for ([q, u], value) in self.directions.places.iter().zip(values) {
                (out[*q], out[*u]) = (*value, *value);
            }
        }
    }

    /// Replaces directions by oscillators in `x`, and the rest by what it does beside following them.
    pub(crate) fn split(&mut self, model: &Model, x: &mut [f64]) {
        let (n, positions) = (self.directions.len(), self.positions);
        let size = positions + self.state.speeds.len();
        let Self { amplitudes: [first, second], column: displacements, inverse, directions, shapes, state, .. } = self;
        let (first, second, displacements) = (&mut first[..n], &mut second[..n], &mut displacements[..n]);
        first.fill(0.0);
        second.fill(0.0);
        for (displacement, [q, _]) in displacements.iter_mut().zip(&directions.places) {
            *displacement = x[*q];
        }
        for turned in &directions.turned {
            turned.displacement(model, &state.coordinates, x, displacements);
        }
        for ((q, [_, u]), column) in displacements.iter().zip(&directions.places).zip(inverse.chunks_exact(n.max(1))) {
            let u = x[*u];
            for ((a, b), c) in first.iter_mut().zip(second.iter_mut()).zip(column) {
                *a = c.mul_add(*q, *a);
                *b = c.mul_add(u, *b);
            }
        }
        let (q, u) = x[..size].split_at_mut(positions);
        for ((a, b), shape) in first.iter().zip(second.iter()).zip(shapes.chunks_exact(size)) {
            let (s, t) = shape.split_at(positions);
            q.iter_mut().zip(s).for_each(|(x, s)| *x = s.mul_add(-*a, *x));
            u.iter_mut().zip(t).for_each(|(x, t)| *x = t.mul_add(-*b, *x));
        }
        for turned in &directions.turned {
            x[turned.spare()] = turned.stretch(&state.coordinates, x);
        }
        for ([q, u], (a, b)) in directions.places.iter().zip(first.iter().zip(second.iter())) {
            (x[*q], x[*u]) = (*a, *b);
        }
    }

    /// The inverse of [`split`](Self::split).
    pub(crate) fn join(&mut self, x: &mut [f64]) {
        let positions = self.positions;
        let size = positions + self.state.speeds.len();
        let Self { amplitudes: [first, second], directions, shapes, state, .. } = self;
        for ([q, u], (a, b)) in directions.places.iter().zip(first.iter_mut().zip(second.iter_mut())) {
            (*a, *b) = (x[*q], x[*u]);
            (x[*q], x[*u]) = (0.0, 0.0);
        }
        for turned in &directions.turned {
            let stretch = std::mem::take(&mut x[turned.spare()]);
            turned.add_stretch(&state.coordinates, stretch, x);
        }
        let (q, u) = x[..size].split_at_mut(positions);
        let amplitudes = first.iter().zip(second.iter()).take(directions.len());
        for ((a, b), shape) in amplitudes.zip(shapes.chunks_exact(size)) {
            let (s, t) = shape.split_at(positions);
            q.iter_mut().zip(s).for_each(|(x, s)| *x = s.mul_add(*a, *x));
            u.iter_mut().zip(t).for_each(|(x, t)| *x = t.mul_add(*b, *x));
        }
    }

    /// `out ← A x`: other hinge coordinates follow hinge speeds, oscillators oscillate and decay, nothing else has a rate.
    pub(crate) fn oscillate(&mut self, model: &Model, x: &[f64], out: &mut [f64]) {
        let nq = self.state.coordinates.len();
        out[nq..].fill(0.0);
        let speeds = self.positions..self.positions + self.state.speeds.len();
        self.state.speeds.copy_from_slice(&x[speeds]);
        self.state.hinge_coordinate_rates(model, &mut out[..nq]);
        for turned in &self.directions.turned {
            out[turned.spare()] = 0.0;
        }
        for ([q, u], (square, damping)) in self.directions.places.iter().zip(self.squares.iter().zip(&self.dampings)) {
            (out[*q], out[*u]) = (x[*u], -square * x[*q] - damping * x[*u]);
        }
    }
}

#[cfg(all(test, feature = "testkit"))]
mod tests;
