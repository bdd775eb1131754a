//! Backward differentiation of order 1 to 5 on backward differences, the step changed rarely.
//!
//! The formulas are those of Klopfenstein and Shampine, `(1 - κ_k) γ_k (y - y_p) + Σ_{j≤k} γ_j ∇ʲ = h f(t, y)` with `y_p = Σ_{j≤k} ∇ʲ`; choice
//! of order and step as in Shampine and Reichelt (SIAM J. Sci. Comput. 18, 1997). `y` is found by a modified Newton iteration with the whole
//! Jacobian of the rates, drives included, which is kept as long as the iteration converges.

use super::bdf_coefficients::{KEPT, ORDERS, alpha, gamma, missing, stretching, strictness};
use super::equations::Equations;
use super::error::Failure;
use super::last_step::LastStep;
use super::lu::Lu;
use super::stepper::{Attempt, Reached, Stepper};

const ITERATIONS: u32 = 4;
/// Numbers of a checkpoint before vectors.
const HEAD: usize = 7;

/// Backward differences of the states, and the linear system of the iteration.
pub(super) struct Bdf {
    /// `∇ʲ y` for steps of size `h`, the state first.
    differences: Vec<Vec<f64>>,
    h: f64,
    order: usize,
    /// Steps of this size and order.
    equal: usize,
    /// Iterations of the step tried last, and the order of the step accepted last.
    iterations: u32,
    used: usize,
    /// Jacobian of the rates, row by row, and where it is from; none before the first step.
    jacobian: Vec<f64>,
    jacobian_at: Option<f64>,
    jacobian_state: Vec<f64>,
    /// Whether the numbers are there, not only their place.
    ready: bool,
    /// `I - cJ` of the motion and its `c`; zero before it is factored.
    system: Lu,
    c: f64,
    /// Whether the factor is there, not only its `c`.
    factored: bool,
    /// Change from the predicted state, and a right-hand side.
    change: Vec<f64>,
    right: Vec<f64>,
    stage: Vec<f64>,
    rates: Vec<f64>,
    scaled: [f64; 3],
    before: Before,
}

/// What a step changes, to take it back.
#[derive(Clone)]
struct Before {
    differences: Vec<Vec<f64>>,
    h: f64,
    order: usize,
    equal: usize,
    jacobian_at: Option<f64>,
    jacobian_state: Vec<f64>,
    c: f64,
}

impl Bdf {
    pub fn new(n: usize) -> Self {
        let zeros = |count: usize| vec![0.0; count];
        let differences = vec![zeros(n); KEPT];
        Self {
            before: Before {
                differences: differences.clone(),
                h: 0.0,
                order: 1,
                equal: 0,
                jacobian_at: None,
                jacobian_state: zeros(n),
                c: 0.0,
            },
            differences,
            h: 0.0,
            order: 1,
            equal: 0,
            iterations: 0,
            used: 1,
            jacobian: zeros(n * n),
            jacobian_at: None,
            jacobian_state: zeros(n),
            ready: false,
            system: Lu::new(n),
            c: 0.0,
            factored: false,
            change: zeros(n),
            right: zeros(n),
            stage: zeros(n),
            rates: zeros(n),
            scaled: [0.0; 3],
        }
    }

    /// Differences for steps `factor` times as long: those of the polynomial that goes through the states.
    fn stretch(&mut self, factor: f64) {
        let (k, change) = (self.order, stretching(self.order, factor));
        for index in 0..self.change.len() {
            let mut old = [0.0; ORDERS + 1];
            for (i, old) in old.iter_mut().enumerate().take(k + 1) {
                *old = self.differences[i][index];
            }
            for j in 1..=k {
                self.differences[j][index] = (0..=k).map(|i| change[i][j] * old[i]).sum();
            }
        }
        self.h *= factor;
        self.equal = 0;
    }

    /// Computes the Jacobian at `y`.
    fn linearise(&mut self, t: f64, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<(), Failure> {
        self.jacobian_state.copy_from_slice(&self.stage);
        (self.jacobian_at, self.c) = (Some(t), 0.0);
        step.statistics.evaluations += step.scale.motion as u64;
        self.restore_jacobian(equations)
    }

    /// The numbers of the Jacobian, where only its place is known.
    fn restore_jacobian(&mut self, equations: &mut dyn Equations) -> Result<(), Failure> {
        let Some(t) = self.jacobian_at else { return Ok(()) };
        (self.ready, self.factored) = (false, false);
        equations.jacobian(t, &self.jacobian_state, &mut self.jacobian)?;
        self.ready = true;
        Ok(())
    }

    /// Solves `(I - cJ) x = right`.
    fn solve(&mut self, c: f64, step: &mut Attempt<'_>) -> Result<(), Failure> {
        let (n, motion) = (self.change.len(), step.scale.motion);
        if self.c != c || !self.factored {
            step.statistics.factorisations += u64::from(self.c != c);
            let jacobian = &self.jacobian;
            let entry = |i: usize, j: usize| f64::from(u8::from(i == j)) - c * jacobian[i * n + j];
            if !self.system.factor(motion, entry) {
                return Err(Failure::NoConvergence(f64::INFINITY));
            }
            (self.c, self.factored) = (c, true);
        }
        step.statistics.solves += 1;
        let (x, integrals) = self.right.split_at_mut(motion);
        self.system.solve(x);
        // Nothing depends on the integrals.
        for (i, integral) in integrals.iter_mut().enumerate() {
            let row = &self.jacobian[(motion + i) * n..(motion + i) * n + motion];
            *integral += c * row.iter().zip(x.iter()).map(|(j, x)| j * x).sum::<f64>();
        }
        Ok(())
    }

    /// The iteration for the state at the end of the step, from the predicted one in `step.trial`.
    fn iterate(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<(), Failure> {
        let (n, k, reached) = (self.change.len(), self.order, step.time + step.h);
        let c = step.h / alpha(k);
        let weights: [f64; ORDERS + 1] = std::array::from_fn(|j| gamma(j) / alpha(k));
        let relative = step.scale.tolerance.map_or(1e-6, |tolerance| tolerance.relative);
        let enough = (10.0 * f64::EPSILON / relative).max(relative.sqrt().min(0.03) / strictness(step.scale.tolerance));
        self.change.fill(0.0);
        let mut last = f64::INFINITY;
        for iteration in 1..=ITERATIONS {
            self.stage.copy_from_slice(step.trial);
            equations.project(&mut self.stage);
            match step.rates(equations, reached, &self.stage, &mut self.rates) {
                Err(Failure::Dynamics(_)) if last < f64::INFINITY => return Err(Failure::NoConvergence(last)),
                done => done?,
            }
            // c f - ψ - d
            for i in 0..n {
                let psi: f64 = (1..=k).map(|j| weights[j] * self.differences[j][i]).sum();
                self.right[i] = c * self.rates[i] - psi - self.change[i];
            }
            self.solve(c, step)?;
            let size = step.scaled(&self.right);
            let rate = size / last;
            let hopeless = last < f64::INFINITY
                && (rate >= 1.0 || rate.powi((ITERATIONS - iteration) as i32) / (1.0 - rate) * size > enough);
            if !size.is_finite() || hopeless {
                return Err(Failure::NoConvergence(size));
            }
            for i in 0..n {
                self.change[i] += self.right[i];
                step.trial[i] += self.right[i];
            }
            if size == 0.0 || (last < f64::INFINITY && rate / (1.0 - rate) * size < enough) {
                self.iterations = iteration;
                return Ok(());
            }
            last = size;
        }
        Err(Failure::NoConvergence(last))
    }

    /// Keeps what the step will change.
    fn remember(&mut self) {
        let before = &mut self.before;
        before.differences.iter_mut().zip(&self.differences).for_each(|(to, from)| to.copy_from_slice(from));
        (before.h, before.order, before.equal) = (self.h, self.order, self.equal);
        before.jacobian_state.copy_from_slice(&self.jacobian_state);
        (before.jacobian_at, before.c) = (self.jacobian_at, self.c);
    }

    /// Writes the predicted state `Σ ∇ʲ`.
    fn predict(&self, to: &mut [f64]) {
        for (i, to) in to.iter_mut().enumerate() {
            *to = (0..=self.order).map(|j| self.differences[j][i]).sum();
        }
    }

    /// Less is asked of steps whose iteration was long.
    fn safety(&self) -> f64 {
        let most = f64::from(2 * ITERATIONS + 1);
        0.9 * most / (most - 1.0 + f64::from(self.iterations))
    }
}

impl Stepper for Bdf {
    fn attempt(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<f64, Failure> {
        self.remember();
        let first = self.h == 0.0;
        if first {
            step.begin(equations)?;
            (self.order, self.equal, self.h) = (1, 0, step.h);
            self.differences.iter_mut().for_each(|d| d.fill(0.0));
            self.differences[0].copy_from_slice(step.y);
            self.differences[1].iter_mut().zip(&step.start.rates).for_each(|(d, rate)| *d = step.h * rate);
        }
        if self.h != step.h {
            self.stretch(step.h / self.h);
            self.h = step.h;
        }
        let mut current = false;
        if self.jacobian_at.is_none() || first {
            self.stage.copy_from_slice(step.y);
            self.linearise(step.time, step, equations)?;
            current = true;
        } else if !self.ready {
            self.restore_jacobian(equations)?;
        }
        self.predict(step.trial);
        match self.iterate(step, equations) {
            Err(Failure::NoConvergence(_)) if !current => {
                self.predict(step.trial);
                self.stage.copy_from_slice(step.trial);
                equations.project(&mut self.stage);
                self.linearise(step.time + step.h, step, equations)?;
                self.predict(step.trial);
                self.iterate(step, equations)?;
            }
            done => done?,
        }
        let k = self.order;
        self.right.iter_mut().zip(&self.change).for_each(|(e, d)| *e = missing(k) * d);
        let strict = strictness(step.scale.tolerance);
        let error = strict * step.scaled(&self.right);
        // What formulas one order lower and higher would have missed.
        let lower = if k > 1 {
            let d = self.differences[k].iter().zip(&self.change);
            self.right.iter_mut().zip(d).for_each(|(e, (old, new))| *e = missing(k - 1) * (old + new));
            strict * step.scaled(&self.right)
        } else {
            f64::INFINITY
        };
        let higher = if k < ORDERS {
            let d = self.differences[k + 1].iter().zip(&self.change);
            self.right.iter_mut().zip(d).for_each(|(e, (old, new))| *e = missing(k + 1) * (new - old));
            strict * step.scaled(&self.right)
        } else {
            f64::INFINITY
        };
        self.scaled = [lower, error, higher];
        Ok(error)
    }

    fn accept(&mut self, _: &LastStep, reached: &Reached<'_>) -> Option<&[f64]> {
        let Self { differences, change, order, .. } = self;
        let k = *order;
        self.used = k;
        for i in 0..change.len() {
            differences[k + 2][i] = change[i] - differences[k + 1][i];
            differences[k + 1][i] = change[i];
            for j in (0..=k).rev() {
                differences[j][i] += differences[j + 1][i];
            }
        }
        // Brought back onto the manifold.
        differences[0].copy_from_slice(reached.y);
        self.equal += 1;
        // The rates are those before the last correction.
        None
    }

    fn take_back(&mut self) {
        let before = &self.before;
        self.differences.iter_mut().zip(&before.differences).for_each(|(to, from)| to.copy_from_slice(from));
        (self.h, self.order, self.equal) = (before.h, before.order, before.equal);
        if self.jacobian_at != before.jacobian_at {
            self.jacobian_at = before.jacobian_at;
            self.jacobian_state.copy_from_slice(&before.jacobian_state);
            self.ready = false;
        }
        self.factored &= self.c == before.c;
        self.c = before.c;
    }

    fn restart(&mut self) {
        self.h = 0.0;
    }

    fn estimate_order(&self) -> f64 {
        self.order as f64 + 1.0
    }

    fn next_step(&mut self, h: f64, _: f64, _: f64) -> f64 {
        let k = self.order;
        if self.equal < k + 1 {
            return h;
        }
        let factors: [f64; 3] = std::array::from_fn(|i| self.scaled[i].powf(-1.0 / (k + i) as f64));
        let best = (0..3).max_by(|a, b| factors[*a].total_cmp(&factors[*b])).unwrap_or(1);
        let factor = (self.safety() * factors[best]).min(10.0);
        self.order = k + best - 1;
        self.equal = 0;
        // Small changes are not worth another factorisation.
        if (1.0..1.2).contains(&factor) { h } else { h * factor.max(0.2) }
    }

    fn shrink(&mut self, failure: &Failure) -> f64 {
        self.equal = 0;
        match failure {
            Failure::ErrorTooLarge(error) => (self.safety() * error.powf(-1.0 / self.estimate_order())).clamp(0.2, 0.9),
            _ => 0.5,
        }
    }

    fn longest(&self) -> f64 {
        if self.h > 0.0 { 10.0 * self.h } else { f64::INFINITY }
    }

    fn within(&mut self, x: f64, _: &LastStep, end: &[f64], _: &mut dyn Equations, out: &mut [f64]) -> bool {
        // ∇ʲ Π_{m<j} (t - t_{n-m}) / (h (m + 1)), of the differences for the last step.
        out.copy_from_slice(end);
        let mut weight = 1.0;
        for j in 1..=self.used {
            weight *= (x - 1.0 + (j - 1) as f64) / j as f64;
            out.iter_mut().zip(&self.differences[j]).for_each(|(out, d)| *out += weight * d);
        }
        true
    }

    fn extends_by_rates(&self) -> bool {
        false
    }

    fn save(&self) -> Vec<f64> {
        let at = self.jacobian_at;
        let mut out = vec![
            self.order as f64,
            self.equal as f64,
            self.h,
            f64::from(self.iterations),
            f64::from(u8::from(at.is_some())),
            at.unwrap_or(0.0),
            self.c,
        ];
        out.extend(&self.jacobian_state);
        out.extend(self.differences.iter().flatten());
        out
    }

    fn accepts(&self, from: &[f64]) -> bool {
        let whole = |x: f64, least: f64, most: f64| x.fract() == 0.0 && (least..=most).contains(&x);
        match from {
            [order, equal, h, iterations, known, _, _, rest @ ..] => {
                rest.len() == (1 + KEPT) * self.change.len()
                    && whole(*order, 1.0, ORDERS as f64)
                    && whole(*equal, 0.0, f64::from(u32::MAX))
                    && whole(*iterations, 0.0, f64::from(ITERATIONS))
                    && whole(*known, 0.0, 1.0)
                    && *h >= 0.0
            }
            _ => false,
        }
    }

    fn load(&mut self, from: &[f64]) {
        let n = self.change.len();
        (self.order, self.equal, self.h) = (from[0] as usize, from[1] as usize, from[2]);
        self.iterations = from[3] as u32;
        self.jacobian_at = (from[4] != 0.0).then_some(from[5]);
        self.c = from[6];
        (self.ready, self.factored) = (false, false);
        self.jacobian_state.copy_from_slice(&from[HEAD..HEAD + n]);
        let rows = from[HEAD + n..].chunks_exact(n.max(1));
        self.differences.iter_mut().zip(rows).for_each(|(to, from)| to.copy_from_slice(from));
    }
}

#[cfg(test)]
mod tests {
    use crate::error::DynamicsError;
    use crate::integrate::{Equations, Integrator, Limits, Scheme, Tolerance};

    /// An oscillator, and a number that follows the cosine within a hundred-thousandth of a second.
    struct Stiff;
    impl Equations for Stiff {
        fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), DynamicsError> {
            rates.copy_from_slice(&[y[1], -y[0], -1e5 * (y[2] - t.cos())]);
            Ok(())
        }
    }

    #[test]
    fn errors_follow_the_tolerance_and_steps_do_not_follow_the_stiffness() {
        let error = |relative: f64| {
            let tolerance = Tolerance { relative, absolute: relative };
            let mut run = Integrator::new(Scheme::Bdf, tolerance, Limits::default(), 0.0, vec![1.0, 0.0, 1.0]).unwrap();
            run.advance(&mut Stiff, 20.0).unwrap();
            println!("{relative:e}: {:?}", run.statistics());
            assert!(run.statistics().accepted < 2_000);
            let (sine, cosine) = 20.0_f64.sin_cos();
            let follower = (cosine + 1e-5 * sine) / (1.0 + 1e-10);
            (run.state()[0] - cosine).abs().max((run.state()[2] - follower).abs())
        };
        let errors = [1e-4, 1e-6, 1e-8, 1e-10].map(error);
        println!("{errors:?}");
        let slope = (errors[0] / errors[3]).log10() / 6.0;
        assert!((0.7..1.2).contains(&slope), "{slope}: {errors:?}");
    }
}
