//! A period of motion of a plant by the classical Runge-Kutta method, and its derivatives.
//!
//! | symbol | here      | size        | meaning                                                          |
//! |--------|-----------|-------------|------------------------------------------------------------------|
//! | `x`    | `x`       | n           | coordinates, then speeds                                         |
//! | `X`    | `along`   | n × (n + m) | derivatives of `x` by the first state, then by forces that hold  |
//! | `k_s`  | `rates`   | n           | rates at a stage                                                 |
//! | `K_s`  | `changes` | n × (n + m) | their derivatives                                                |
//!
//! ```text
//! K_s = [U; ∂u̇/∂q Q + ∂u̇/∂u U + ∂u̇/∂T [0 1]]          with X_s = [Q; U] of the stage
//! ```

use super::plant::Plant;
use supple::{Derivatives, forward_dynamics_derivatives};

/// Memory of the method.
pub(super) struct Flow {
    derivatives: Derivatives,
    rates: Vec<f64>,
    changes: Vec<f64>,
    /// State and derivatives at a stage.
    at: Vec<f64>,
    at_along: Vec<f64>,
    /// Where the step leads so far.
    next: Vec<f64>,
    next_along: Vec<f64>,
    /// Derivatives of the state at the end of the period.
    pub along: Vec<f64>,
}

/// Part of the step at which a stage stands, and weight of its rates.
const STAGES: [(f64, f64); 4] = [(0.0, 1.0 / 6.0), (0.5, 1.0 / 3.0), (0.5, 1.0 / 3.0), (1.0, 1.0 / 6.0)];

impl Flow {
    pub fn new(plant: &Plant) -> Self {
        let m = plant.own.model.speed_count();
        let (n, all) = (2 * m, 3 * m);
        let zeros = |count: usize| vec![0.0; count];
        Self {
            derivatives: Derivatives::new(&plant.own.model),
            rates: zeros(n),
            changes: zeros(n * all),
            at: zeros(n),
            at_along: zeros(n * all),
            next: zeros(n),
            next_along: zeros(n * all),
            along: zeros(n * all),
        }
    }

    /// Moves `x` by a period in `steps` steps, under the forces that the plant has.
    pub fn advance(&mut self, plant: &mut Plant, x: &mut [f64], period: f64, steps: usize) {
        let all = 3 * x.len() / 2;
        self.along.fill(0.0);
        (0..x.len()).for_each(|i| self.along[i * all + i] = 1.0);
        let h = period / steps as f64;
        for _ in 0..steps {
            self.next.copy_from_slice(x);
            self.next_along.copy_from_slice(&self.along);
            for (part, weight) in STAGES {
                // Rates are those of the stage before; at the first stage they do not count.
                combine(&mut self.at, x, part * h, &self.rates);
                combine(&mut self.at_along, &self.along, part * h, &self.changes);
                self.evaluate(plant);
                add(&mut self.next, weight * h, &self.rates);
                add(&mut self.next_along, weight * h, &self.changes);
            }
            x.copy_from_slice(&self.next);
            self.along.copy_from_slice(&self.next_along);
        }
    }

    /// Rates at the stage and their derivatives; NaN where there are none, which the network reports with the name of the block.
    fn evaluate(&mut self, plant: &mut Plant) {
        let m = self.at.len() / 2;
        let all = 3 * m;
        plant.place(&self.at);
        let (rates, accelerations) = self.rates.split_at_mut(m);
        rates.copy_from_slice(&self.at[m..]);
        let Plant { own, state, inputs, workspace, .. } = plant;
        let found = forward_dynamics_derivatives(&own.model, state, inputs, workspace, &mut self.derivatives);
        match found {
            Ok(solution) => accelerations.copy_from_slice(solution.accelerations()),
            Err(_) => accelerations.fill(f64::NAN),
        }
        let (q, u) = self.at_along.split_at(m * all);
        let (top, bottom) = self.changes.split_at_mut(m * all);
        top.copy_from_slice(u);
        bottom.fill(0.0);
        for i in 0..m {
            let own = &mut bottom[i * all..(i + 1) * all];
            for l in 0..m {
                let (by_q, by_u) = (self.derivatives.displacement()[i * m + l], self.derivatives.speed()[i * m + l]);
                let (q, u) = (&q[l * all..(l + 1) * all], &u[l * all..(l + 1) * all]);
                for (own, (q, u)) in own.iter_mut().zip(q.iter().zip(u)) {
                    *own += by_q * q + by_u * u;
                }
                own[2 * m + l] += self.derivatives.force()[i * m + l];
            }
        }
    }
}

/// `out = x + h k`; `k` does not count where `h` is zero.
fn combine(out: &mut [f64], x: &[f64], h: f64, k: &[f64]) {
    out.copy_from_slice(x);
    if h != 0.0 {
        add(out, h, k);
    }
}

fn add(out: &mut [f64], h: f64, k: &[f64]) {
    out.iter_mut().zip(k).for_each(|(out, k)| *out += h * k);
}
