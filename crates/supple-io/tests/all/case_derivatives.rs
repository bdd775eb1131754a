//! Derivatives by dual numbers agree with central differences on every reference tree, and those by recursion with them.
//!
//! The direction is that of time: coordinates move with their rates, speeds with the accelerations of the case, forces and
//! accelerations in proportion to themselves. Differences with steps `h` and `h/2` are extrapolated to fourth order.

use crate::support::trees;
use supple::generic::{forward_dynamics, inverse_dynamics};
use supple::spatial::{Dual, Force, Quaternion, Scalar};
use supple::{
    Derivatives, Inputs, Model, State, Workspace, Wrench, forward_dynamics_derivatives, inverse_dynamics_derivatives,
};
use supple_io::case::{Case, Prepared};

/// Everything that the dynamics depend on, moved from a case by `step` times its rates.
fn moved<T: Scalar>(at: &Prepared, model: &Model<T>, step: T) -> (State<T>, Inputs<T>) {
    let mut rates = vec![0.0; at.state.coordinates.len()];
    let mut turns = vec![Quaternion::IDENTITY; at.state.attitudes.len()];
    at.state.coordinate_rates(&at.model, &mut rates, &mut turns);
    let along = |x: f64, rate: f64| step.mul_add(T::from_f64(rate), T::from_f64(x));
    let list = |x: &[f64], rate: &[f64]| -> Vec<T> { x.iter().zip(rate).map(|(x, r)| along(*x, *r)).collect() };
    let mut state = State::new(model);
    state.coordinates = list(&at.state.coordinates, &rates);
    state.speeds = list(&at.state.speeds, &at.inputs.accelerations);
    let turned =
        |(q, r): (&Quaternion<f64>, &Quaternion<f64>)| Quaternion(std::array::from_fn(|i| along(q.0[i], r.0[i])));
    state.attitudes = at.state.attitudes.iter().zip(&turns).map(turned).map(Quaternion::normalized).collect();
    // Hinges with more coordinates than speeds begin with a quaternion.
    for body in at.model.body_indices() {
        let theta = at.model.hinge_coordinates(body);
        if theta.len() > at.model.hinge_speeds(body).len() {
            let q = &mut state.coordinates[theta.start..theta.start + 4];
            q.copy_from_slice(&Quaternion([q[0], q[1], q[2], q[3]]).normalized().0);
        }
    }
    let mut inputs = Inputs::new(model);
    inputs.forces = list(&at.inputs.forces, &at.inputs.forces);
    inputs.accelerations = list(&at.inputs.accelerations, &at.inputs.accelerations);
    inputs.wrenches = at
        .inputs
        .wrenches
        .iter()
        .map(|w| Wrench {
            body: w.body,
            node: w.node,
            frame: w.frame,
            force: Force::from_array(w.force.to_array().map(|x| along(x, x))),
        })
        .collect();
    (state, inputs)
}

/// Accelerations and forces, one after the other.
fn dynamics<T: Scalar>(at: &Prepared, model: &Model<T>, step: T) -> Vec<T> {
    let (state, inputs) = moved(at, model, step);
    let mut workspace = Workspace::new(model);
    let mut all = forward_dynamics(model, &state, &inputs, &mut workspace).unwrap().accelerations().to_vec();
    all.extend(inverse_dynamics(model, &state, &inputs, &mut workspace).unwrap().forces());
    all
}

#[test]
fn dual_numbers_agree_with_central_differences() {
    for reference in trees() {
        let at = Case::from_json(&reference.text).unwrap().prepare().unwrap();
        let exact = dynamics(&at, &at.model.cast::<Dual<f64>>(), Dual { value: 0.0, derivative: 1.0 });
        let difference = |h: f64| -> Vec<f64> {
            let (ahead, behind) = (dynamics(&at, &at.model, h), dynamics(&at, &at.model, -h));
            ahead.iter().zip(behind).map(|(a, b)| (a - b) / (2.0 * h)).collect()
        };
        let (coarse, fine) = (difference(2e-4), difference(1e-4));
        let size = exact.iter().fold(0.0_f64, |m, x| m.max(x.derivative.abs()).max(x.value.abs()));
        for (i, x) in exact.iter().enumerate() {
            let extrapolated = (4.0 * fine[i] - coarse[i]) / 3.0;
            let error = (x.derivative - extrapolated).abs() / size;
            assert!(error < 1e-8, "{}: entry {i}: {error:.1e}", reference.name);
        }
    }
}

/// Derivatives by recursion, along the same direction but for wrenches, which stay: those of dual numbers.
#[test]
fn recursions_agree_with_dual_numbers() {
    for reference in trees() {
        let at = Case::from_json(&reference.text).unwrap().prepare().unwrap();
        let dual = at.model.cast::<Dual<f64>>();
        let (state, mut inputs) = moved(&at, &dual, Dual { value: 0.0, derivative: 1.0 });
        for wrench in &mut inputs.wrenches {
            wrench.force = Force::from_array(wrench.force.to_array().map(|x| Dual::constant(x.value)));
        }
        let mut workspace = Workspace::new(&dual);
        let accelerations = forward_dynamics(&dual, &state, &inputs, &mut workspace).unwrap().accelerations().to_vec();
        let forces = inverse_dynamics(&dual, &state, &inputs, &mut workspace).unwrap().forces().to_vec();

        let (mut workspace, mut derivatives) = (Workspace::new(&at.model), Derivatives::new(&at.model));
        let n = at.model.speed_count();
        let check = |verb: &str, derivatives: &Derivatives, given: &[f64], expected: &[Dual<f64>]| {
            let size = expected.iter().fold(0.0_f64, |m, x| m.max(x.derivative.abs()).max(x.value.abs()));
            for (i, x) in expected.iter().enumerate() {
                let row = |matrix: &[f64], along: &[f64]| -> f64 {
                    matrix[i * n..(i + 1) * n].iter().zip(along).map(|(a, b)| a * b).sum()
                };
                let found = row(derivatives.displacement(), &at.state.speeds)
                    + row(derivatives.speed(), &at.inputs.accelerations)
                    + row(derivatives.input(), given);
                let error = (x.derivative - found).abs() / size;
                assert!(error < 1e-10, "{}: {verb}, row {i}: {error:.1e}", reference.name);
            }
        };
        forward_dynamics_derivatives(&at.model, &at.state, &at.inputs, &mut workspace, &mut derivatives).unwrap();
        check("forward", &derivatives, &at.inputs.forces, &accelerations);
        inverse_dynamics_derivatives(&at.model, &at.state, &at.inputs, &mut workspace, &mut derivatives).unwrap();
        check("inverse", &derivatives, &at.inputs.accelerations, &forces);
    }
}
