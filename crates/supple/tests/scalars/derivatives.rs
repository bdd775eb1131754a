//! Derivatives of forward and inverse dynamics by dual numbers.
//!
//! Against central differences with steps `h` and `h/2`, extrapolated to fourth order: with `h = 1e-3` their error is
//! about `h⁴` in truncation and `ε/h` in rounding times the condition of the problem, so that they can confirm the
//! derivatives to 1e-8 of the larger of value and derivative. Identities that need no differences are held to
//! `max(1e-10, 1000 ε κ)`.

use supple::generic::{forward_dynamics, inverse_dynamics, mass_operator};
use supple::spatial::{Dual, Force, Quaternion, Scalar};
use supple::testkit::{Generator, Prepared, RandomOptions, Worst, random_system, relative_difference, tolerance};
use supple::{Inputs, State};

/// What is moved.
#[derive(Clone, Copy, Debug)]
enum Along {
    Coordinates,
    Speeds,
    Inputs,
    Everything,
}

/// Rates of all numbers that the dynamics depend on.
struct Direction {
    state: State,
    inputs: Inputs,
}

impl Direction {
    /// Moderate rates: deformations and their rates change in proportion, hinges by about one; quaternions stay of
    /// unit length to first order.
    fn random(at: &Prepared, rng: &mut Generator, along: Along) -> Self {
        let (mut state, mut inputs) = (at.state.clone(), at.inputs.clone());
        let mut turning = at.state.clone();
        for body in at.model.body_indices() {
            let (eta, eta_dot) = (at.model.modal_coordinates(body), at.model.modal_speeds(body));
            for (i, j) in eta.zip(eta_dot) {
                turning.speeds[j] = at.state.coordinates[i] * rng.between(-2.0, 2.0);
                state.speeds[j] = at.state.coordinates[i] * rng.between(-2.0, 2.0);
            }
            for j in at.model.hinge_speeds(body) {
                turning.speeds[j] = rng.between(-1.0, 1.0);
                state.speeds[j] = rng.between(-1.0, 1.0);
            }
        }
        let mut rates = state.coordinates.clone();
        let mut turns = state.attitudes.clone();
        turning.coordinate_rates(&at.model, &mut rates, &mut turns);
        (state.coordinates, state.attitudes, state.time) = (rates, turns, 0.0);
        for x in inputs.forces.iter_mut().chain(&mut inputs.accelerations) {
            *x *= rng.between(-1.0, 1.0);
        }
        for wrench in &mut inputs.wrenches {
            wrench.force = Force::from_array(wrench.force.to_array().map(|x| x * rng.between(-1.0, 1.0)));
        }
        let mut direction = Self { state, inputs };
        direction.keep(along);
        direction
    }

    /// Sets what does not move to zero.
    fn keep(&mut self, along: Along) {
        let Self { state, inputs } = self;
        if !matches!(along, Along::Coordinates | Along::Everything) {
            state.coordinates.fill(0.0);
            state.attitudes.fill(Quaternion([0.0; 4]));
        }
        if !matches!(along, Along::Speeds | Along::Everything) {
            state.speeds.fill(0.0);
        }
        if !matches!(along, Along::Inputs | Along::Everything) {
            inputs.forces.fill(0.0);
            inputs.accelerations.fill(0.0);
            inputs.wrenches.iter_mut().for_each(|wrench| wrench.force = Force::ZERO);
        }
    }

    /// `at + direction · s`, with `combine(x, rate)` for every number.
    fn apply<T: Scalar>(&self, at: &Prepared, combine: impl Fn(f64, f64) -> T) -> Prepared<T> {
        let mut moved = at.map(T::from_f64);
        let list = |out: &mut [T], x: &[f64], rate: &[f64]| {
            out.iter_mut().zip(x.iter().zip(rate)).for_each(|(out, (x, rate))| *out = combine(*x, *rate));
        };
        list(&mut moved.state.coordinates, &at.state.coordinates, &self.state.coordinates);
        list(&mut moved.state.speeds, &at.state.speeds, &self.state.speeds);
        list(&mut moved.inputs.forces, &at.inputs.forces, &self.inputs.forces);
        list(&mut moved.inputs.accelerations, &at.inputs.accelerations, &self.inputs.accelerations);
        for (i, q) in moved.state.attitudes.iter_mut().enumerate() {
            list(&mut q.0, &at.state.attitudes[i].0, &self.state.attitudes[i].0);
        }
        for (i, wrench) in moved.inputs.wrenches.iter_mut().enumerate() {
            let (x, rate) = (at.inputs.wrenches[i].force.to_array(), self.inputs.wrenches[i].force.to_array());
            wrench.force = Force::from_array(std::array::from_fn(|i| combine(x[i], rate[i])));
        }
        moved
    }

    /// The derivative along the direction, by dual numbers.
    fn dual(&self, at: &Prepared) -> Prepared<Dual<f64>> {
        self.apply(at, |value, derivative| Dual { value, derivative })
    }
}

fn forward<T: Scalar>(at: &Prepared<T>) -> Vec<T> {
    let mut ws = at.workspace();
    forward_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap().accelerations().to_vec()
}

fn inverse<T: Scalar>(at: &Prepared<T>) -> Vec<T> {
    let mut ws = at.workspace();
    inverse_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap().forces().to_vec()
}

fn derivatives(list: &[Dual<f64>]) -> Vec<f64> {
    list.iter().map(|x| x.derivative).collect()
}

/// `(4 Δ(h/2) - Δ(h)) / 3` of central differences `Δ`.
fn differences(at: &Prepared, direction: &Direction, f: fn(&Prepared) -> Vec<f64>) -> Vec<f64> {
    let h = 1e-3;
    let value = |s: f64| f(&direction.apply(at, |x, rate| x + s * rate));
    let central = |h: f64| -> Vec<f64> {
        let (after, before) = (value(h), value(-h));
        after.iter().zip(&before).map(|(x, y)| (x - y) / (2.0 * h)).collect()
    };
    let (coarse, fine) = (central(h), central(h / 2.0));
    fine.iter().zip(&coarse).map(|(fine, coarse)| (4.0 * fine - coarse) / 3.0).collect()
}

fn largest(list: &[f64]) -> f64 {
    list.iter().fold(0.0, |m, x| m.max(x.abs()))
}

fn cases(count: u64) -> impl Iterator<Item = (u64, Prepared, f64)> {
    (0..count).map(|seed| {
        let options = RandomOptions {
            modes: 10,
            mass_ratio: 100.0,
            constant_terms: seed % 4 == 1,
            orthogonal_modes: seed.is_multiple_of(3),
            second_order: seed % 5 > 2,
            ..RandomOptions::default()
        };
        let (system, random) = random_system(seed, &options);
        (seed, Prepared::new(&system, &random), random.answer(&system).condition())
    })
}

#[test]
fn dual_numbers_agree_with_central_differences() {
    let mut worst = Worst::new();
    for (seed, at, _) in cases(300) {
        let mut rng = Generator::new(seed);
        for along in [Along::Coordinates, Along::Speeds, Along::Inputs, Along::Everything] {
            let direction = Direction::random(&at, &mut rng, along);
            let dual = direction.dual(&at);
            let mut check = |what: &str, found: &[Dual<f64>], f: fn(&Prepared) -> Vec<f64>| {
                let expected = differences(&at, &direction, f);
                let size = largest(&f(&at)).max(largest(&expected));
                let error = found.iter().zip(&expected).map(|(x, y)| (x.derivative - y).abs()).fold(0.0, f64::max);
                worst.record(&format!("{what} by {along:?}"), seed, error / size, 1e-8);
            };
            check("forward", &forward(&dual), forward);
            check("inverse", &inverse(&dual), inverse);
        }
    }
    worst.assert_within();
}

#[test]
fn values_of_dual_numbers_are_those_of_plain_numbers() {
    for (seed, at, _) in cases(100) {
        let dual = Direction::random(&at, &mut Generator::new(seed), Along::Everything).dual(&at);
        let values = |list: Vec<Dual<f64>>| -> Vec<u64> { list.iter().map(|x| x.value.to_bits()).collect() };
        let bits = |list: Vec<f64>| -> Vec<u64> { list.iter().map(|x| x.to_bits()).collect() };
        assert_eq!(values(forward(&dual)), bits(forward(&at)), "seed {seed}");
        assert_eq!(values(inverse(&dual)), bits(inverse(&at)), "seed {seed}");
    }
}

/// `d(FD) = -𝓜⁻¹ d(ID)` along any change of the state, the inverse dynamics taken at the accelerations found.
#[test]
fn forward_and_inverse_derivatives_are_tied_by_the_mass_matrix() {
    let mut worst = Worst::new();
    for (seed, at, condition) in cases(300) {
        let mut rng = Generator::new(seed);
        for along in [Along::Coordinates, Along::Speeds] {
            let direction = Direction::random(&at, &mut rng, along);
            let mut dual = direction.dual(&at);
            let accelerations = forward(&dual);
            for (x, y) in dual.inputs.accelerations.iter_mut().zip(&accelerations) {
                *x = Dual::constant(y.value);
            }
            let forces = derivatives(&inverse(&dual));
            let mut expected = vec![0.0; forces.len()];
            let mut ws = at.workspace();
            let mut operator = mass_operator(&at.model, &at.state, &mut ws).unwrap();
            operator.solve(&forces, &mut expected).unwrap();
            let found: Vec<f64> = derivatives(&accelerations).iter().map(|x| -x).collect();
            // Derivatives of a solve carry its condition once more.
            let size = largest(&expected).max(accelerations.iter().fold(0.0, |m, x| m.max(x.value.abs())));
            let error = found.iter().zip(&expected).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            worst.record(&format!("by {along:?}"), seed, error / size, tolerance(condition));
        }
    }
    worst.assert_within();
}

/// `∂χ̇/∂T = 𝓜⁻¹` and `∂T/∂χ̇ = 𝓜`, column by column.
#[test]
fn derivatives_by_inputs_are_the_mass_matrix_and_its_inverse() {
    let mut worst = Worst::new();
    for (seed, at, condition) in cases(60) {
        let n = at.model.speed_count();
        let mut ws = at.workspace();
        let mut operator = mass_operator(&at.model, &at.state, &mut ws).unwrap();
        for i in 0..n {
            let mut dual = at.map(Dual::constant);
            let mut unit = vec![0.0; n];
            (unit[i], dual.inputs.forces[i].derivative, dual.inputs.accelerations[i].derivative) = (1.0, 1.0, 1.0);
            let (mut column, mut inverse_column) = (vec![0.0; n], vec![0.0; n]);
            operator.apply(&unit, &mut column).unwrap();
            operator.solve(&unit, &mut inverse_column).unwrap();
            let error = relative_difference(&derivatives(&inverse(&dual)), &column);
            worst.record("∂T/∂χ̇", seed, error, 1000.0 * f64::EPSILON);
            let error = relative_difference(&derivatives(&forward(&dual)), &inverse_column);
            worst.record("∂χ̇/∂T", seed, error, tolerance(condition));
        }
    }
    worst.assert_within();
}
