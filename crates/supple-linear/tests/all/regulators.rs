//! Regulators and filters on the Quanser flexible link (`docs/how-to/control.md`): published poles and gains, and those of SciPy 1.15 and
//! python-control 0.10 on the same matrices.

use crate::support::{hinge, lump};
use supple::force::{ForceElement, HingeDamping, HingeSpring, Port};
use supple::{HingeKind, Inputs, Model, ModelBuilder, NodeIndex, Parent, State};
use supple_linear::{
    KalmanFilter, Matrix, Regulator, Selection, StateSpace, close_loops, kalman, kalman_of_inputs, linearize, lqg, lqr,
    margins, open_loop, poles, state_feedback_loop, zero_order_hold,
};

/// Torque at the shaft per current, N m/A.
const TORQUE: f64 = 8.925;

/// Hub and load on a spring, as the lumped model of the rig.
fn rig() -> Model {
    let spring = 2.068427e11 * 0.0762 * 0.00127_f64.powi(3) / (4.0 * 0.202);
    let turn = || HingeKind::Revolute { axis: [0.0, 0.0, 1.0] };
    let mut builder = ModelBuilder::new();
    let hub = builder.body(lump("hub", Parent::Ground, hinge("hub", turn()), 1.0, 0.06353616));
    let load = lump("load", Parent::Body(hub, NodeIndex(0)), hinge("spring", turn()), 1.0, 0.17043427);
    let load = builder.body(load);
    builder.force(ForceElement::new(HingeDamping { damping: 4.0 }, [Port::hinge(hub)]));
    builder.force(ForceElement::new(HingeSpring { stiffness: spring, rest: 0.0 }, [Port::hinge(load)]));
    builder.build().unwrap()
}

/// Its linear model with a current as input.
fn link() -> StateSpace {
    let model = rig();
    let selection = Selection::new(["force.hub"], ["hinge.hub", "hinge.spring"]);
    let mut system = linearize(&model, &State::new(&model), &Inputs::new(&model), &selection).unwrap();
    system.b = Matrix::from_fn(4, 1, |i, j| TORQUE * system.b[(i, j)]);
    system
}

fn diagonal(entries: &[f64]) -> Matrix {
    Matrix::from_fn(entries.len(), entries.len(), |i, j| if i == j { entries[i] } else { 0.0 })
}

fn assert_digits(found: f64, printed: f64, half_digit: f64) {
    assert!((found - printed).abs() <= half_digit, "{found}, printed {printed}");
}

#[test]
fn poles_and_gains_of_the_rig_are_those_in_print() {
    let system = link();
    let open = poles(&system).unwrap();
    assert!(open[0].abs() < 1e-9);
    assert_digits(open[1].re, -5.5836, 5e-5);
    assert_digits(open[2].im.abs(), 15.9317, 5e-5);
    assert_digits(open[3].re, -51.789, 5e-4);
    let regulator = lqr(&system, &diagonal(&[2500.0, 1.0, 1.0, 100.0]), &diagonal(&[10.0])).unwrap();
    let printed = [(15.8114, 5e-5), (-42.9313, 5e-5), (2.18253, 5e-6), (-0.706541, 5e-7)];
    for (j, (gain, digit)) in printed.into_iter().enumerate() {
        assert_digits(regulator.gain[(0, j)], gain, digit);
    }
    let closed = &regulator.poles;
    assert_digits(closed[0].re, -3.90666, 5e-6);
    assert_digits(closed[1].im.abs(), 8.99227, 5e-6);
    assert_digits(closed[2].re, -12.0674, 5e-5);
    assert_digits(closed[3].re, -448.907, 5e-4);
}

/// State feedback of a regulator in continuous time: gain may fall to a half and grow without end, 60° of phase, |1 + L| ≥ 1 (Kalman, 1964).
#[test]
fn state_feedback_has_the_margins_that_kalman_proved() {
    let system = link();
    let regulator = lqr(&system, &diagonal(&[2500.0, 1.0, 1.0, 100.0]), &diagonal(&[10.0])).unwrap();
    let found = &margins(&state_feedback_loop(&system, &regulator).unwrap()).unwrap()[0];
    assert!(found.stable && found.gain == f64::INFINITY && found.gain_reduction <= 0.5, "{found:?}");
    assert!(found.phase >= 60.0_f64.to_radians() && found.modulus >= 1.0 - 1e-9, "{found:?}");
}

/// The sampled regulator and filter of the rig.
fn sampled() -> (StateSpace, Regulator, KalmanFilter) {
    let system = zero_order_hold(&link(), 0.01, 0.0).unwrap();
    let tip = |i: usize, j: usize| if i < 2 && j < 2 { 50.0 } else { 0.0 };
    let q = Matrix::from_fn(4, 4, |i, j| tip(i, j) + if i == j { 1e-3 } else { 0.0 });
    let regulator = lqr(&system, &q, &diagonal(&[0.5])).unwrap();
    let w = Matrix::from_fn(4, 4, |i, j| 10.0 * system.b[(i, 0)] * system.b[(j, 0)]);
    let filter = kalman(&system, &w, &diagonal(&[1e-6, 1e-6])).unwrap();
    (system, regulator, filter)
}

#[test]
fn sampled_gains_are_those_of_scipy() {
    let (_, regulator, filter) = sampled();
    let expected = [9.07846018, -0.07013991, 0.73128994, 0.60129318];
    for (j, expected) in expected.into_iter().enumerate() {
        assert_digits(regulator.gain[(0, j)], expected, 1e-8);
    }
    let expected =
        [[0.54714503, -0.452338], [-0.452338, 0.54521654], [88.10034487, -88.43127695], [-87.22374993, 88.47768543]];
    for (i, row) in expected.iter().enumerate() {
        for (j, expected) in row.iter().enumerate() {
            assert_digits(filter.gain[(i, j)], *expected, 2e-8 * expected.abs().max(1.0));
        }
    }
}

/// Separation: the closed loop has the poles of the regulator and those of the filter, and no others.
#[test]
fn regulator_and_filter_keep_their_poles_together() {
    let continuous = link();
    let regulator = lqr(&continuous, &diagonal(&[2500.0, 1.0, 1.0, 100.0]), &diagonal(&[10.0])).unwrap();
    let filter = kalman(&continuous, &diagonal(&[1e-3, 1e-3, 1.0, 1.0]), &diagonal(&[1e-4, 1e-4])).unwrap();
    for (system, regulator, filter) in [(continuous, regulator, filter), sampled()] {
        let controller = lqg(&system, &regulator, &filter).unwrap();
        let closed = poles(&close_loops(&open_loop(&system, &controller).unwrap(), &[]).unwrap()).unwrap();
        let mut left = closed.clone();
        for pole in regulator.poles.iter().chain(&filter.poles) {
            let distance = |z: &supple_linear::Complex| (z.re - pole.re).hypot(z.im - pole.im);
            let near = (0..left.len()).min_by(|i, j| distance(&left[*i]).total_cmp(&distance(&left[*j]))).unwrap();
            assert!(distance(&left.remove(near)) < 1e-6 * pole.abs().max(1.0), "{pole:?} of {closed:?}");
        }
        assert!(left.is_empty());
    }
}

/// The step of 20° in print, sampled, with a limit of 0.6 A: rise 0.30 s, overshoot 1.5 %, deflection 3.56°; unstable near 50 ms of delay.
#[test]
fn the_step_of_the_rig_is_that_in_print() {
    let (system, regulator, filter) = sampled();
    let times = |matrix: &Matrix, x: &[f64]| -> Vec<f64> {
        (0..matrix.rows()).map(|i| matrix.row(i).iter().zip(x).map(|(a, b)| a * b).sum()).collect()
    };
    let (mut x, mut ahead) = (vec![0.0; 4], vec![0.0; 4]);
    let (mut hub, mut tip, mut bent, mut peak) = (Vec::new(), 0.0_f64, 0.0_f64, 0.0_f64);
    for _ in 0..300 {
        let missed: Vec<f64> = times(&system.c, &x).iter().zip(times(&system.c, &ahead)).map(|(y, c)| y - c).collect();
        let mut estimate: Vec<f64> = times(&filter.gain, &missed).iter().zip(&ahead).map(|(l, x)| l + x).collect();
        hub.push(x[0].to_degrees());
        (tip, bent) = (tip.max((x[0] + x[1]).to_degrees()), bent.max(x[1].to_degrees().abs()));
        let here = estimate.clone();
        estimate[0] -= 20.0_f64.to_radians();
        let u = (-times(&regulator.gain, &estimate)[0]).clamp(-0.6, 0.6);
        peak = peak.max(u.abs());
        let step = |x: &[f64]| -> Vec<f64> {
            times(&system.a, x).iter().zip(times(&system.b, &[u])).map(|(a, b)| a + b).collect()
        };
        (x, ahead) = (step(&x), step(&here));
    }
    let when = |level: f64| 0.01 * hub.iter().position(|y| *y >= level).unwrap() as f64;
    let near = |found: f64, printed: f64| assert!((found / printed - 1.0).abs() < 0.1, "{found}, printed {printed}");
    near(when(18.0) - when(2.0), 0.30);
    near(100.0 * (tip / 20.0 - 1.0), 1.5);
    near(peak, 0.60);
    near(bent, 3.56);
    let delay = |delay: f64| {
        let late = zero_order_hold(&link(), 0.01, delay).unwrap();
        let controller = lqg(&system, &regulator, &filter).unwrap();
        margins(&open_loop(&late, &controller).unwrap()).unwrap()[0].stable
    };
    assert!(delay(0.0) && delay(0.03) && !delay(0.06));
}

/// Noise that enters with the inputs: without direct influence on the outputs the gain is that of noise on the states; with an accelerometer it is
/// what the covariances of states and noise together tend to, step by step.
#[test]
fn filters_of_input_noise_are_limits_of_the_joint_recursion() {
    let (system, _, filter) = sampled();
    let same = kalman_of_inputs(&system, &diagonal(&[10.0]), &diagonal(&[1e-6, 1e-6])).unwrap();
    for i in 0..4 {
        for j in 0..2 {
            let (found, expected) = (same.gain[(i, j)], filter.gain[(i, j)]);
            assert!((found - expected).abs() < 1e-8 * expected.abs().max(1.0), "{found} {expected}");
        }
    }
    let model = rig();
    let selection = Selection::new(["force.hub"], ["hinge.hub", "acceleration.spring"]);
    let felt = linearize(&model, &State::new(&model), &Inputs::new(&model), &selection).unwrap();
    let felt = zero_order_hold(&felt, 0.01, 0.0).unwrap();
    assert!(felt.d[(1, 0)].abs() > 1.0);
    let (w, v) = (4.0, [1e-6, 1e-2]);
    let found = kalman_of_inputs(&felt, &diagonal(&[w]), &diagonal(&v)).unwrap();
    let gain = limit_of_the_joint_recursion(&felt, w, &v);
    for i in 0..4 {
        for j in 0..2 {
            let (found, expected) = (found.gain[(i, j)], gain[i][j]);
            assert!((found - expected).abs() < 1e-7 * expected.abs().max(1e-3), "{found} {expected}");
        }
    }
    assert!(kalman_of_inputs(&link(), &diagonal(&[1.0]), &diagonal(&[1.0, 1.0])).is_err());
}

/// Gain after many steps of prediction and update of `[x; w]`, by the formulas of a Gaussian with two outputs.
fn limit_of_the_joint_recursion(system: &StateSpace, w: f64, v: &[f64; 2]) -> [[f64; 2]; 4] {
    let (a, b, c, d) = (&system.a, &system.b, &system.c, &system.d);
    let mut p = [[0.0; 4]; 4];
    let mut gain = [[0.0; 2]; 4];
    for _ in 0..20_000 {
        // Covariance of states and noise after the prediction.
        let mut joint = [[0.0; 5]; 5];
        for i in 0..4 {
            for j in 0..4 {
                let carried: f64 = (0..4)
                    .flat_map(|k| (0..4).map(move |l| (k, l)))
                    .map(|(k, l)| a[(i, k)] * p[k][l] * a[(j, l)])
                    .sum();
                joint[i][j] = carried + b[(i, 0)] * w * b[(j, 0)];
            }
            joint[i][4] = b[(i, 0)] * w;
            joint[4][i] = joint[i][4];
        }
        joint[4][4] = w;
        let row = |k: usize, i: usize| if i < 4 { c[(k, i)] } else { d[(k, 0)] };
        let seen: [[f64; 2]; 5] =
            std::array::from_fn(|i| std::array::from_fn(|k| (0..5).map(|j| joint[i][j] * row(k, j)).sum()));
        let mut s = [[0.0; 2]; 2];
        for k in 0..2 {
            for l in 0..2 {
                s[k][l] = (0..5).map(|i| row(k, i) * seen[i][l]).sum::<f64>() + if k == l { v[k] } else { 0.0 };
            }
        }
        let det = s[0][0] * s[1][1] - s[0][1] * s[1][0];
        let inverse = [[s[1][1] / det, -s[0][1] / det], [-s[1][0] / det, s[0][0] / det]];
        for i in 0..4 {
            for k in 0..2 {
                gain[i][k] = (0..2).map(|l| seen[i][l] * inverse[l][k]).sum();
            }
        }
        for i in 0..4 {
            for j in 0..4 {
                p[i][j] = joint[i][j] - (0..2).map(|k| gain[i][k] * seen[j][k]).sum::<f64>();
            }
        }
    }
    gain
}
