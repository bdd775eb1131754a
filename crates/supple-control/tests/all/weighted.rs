//! Correction of hinges and node deformations with weights, against the dense solution.

use supple::{
    BodyIndex, DenseWorkspace, Inputs, Model, NodeIndex, State, Workspace, composite_forward_dynamics, mass_matrix,
};
use supple_control::{CorrectionLaw, Target, TargetError, Weighted, WeightedCorrection};

use crate::counting_allocator::allocations;
use crate::plants::{arm, link, moving};

const MODES: usize = 2;
/// Displacement across the beam, in the plane of the arm.
const ACROSS: usize = 4;

/// Solves `a x = b` by elimination with pivots.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|p, q| a[*p][i].abs().total_cmp(&a[*q][i].abs())).unwrap();
        a.swap(i, pivot);
        b.swap(i, pivot);
        for k in i + 1..n {
            let factor = a[k][i] / a[i][i];
            for j in i..n {
                a[k][j] -= factor * a[i][j];
            }
            b[k] -= factor * b[i];
        }
    }
    for i in (0..n).rev() {
        let rest: f64 = (i + 1..n).map(|j| a[i][j] * b[j]).sum();
        b[i] = (b[i] - rest) / a[i][i];
    }
    b
}

struct Case {
    model: Model,
    state: State,
    actuators: Vec<usize>,
    targets: Vec<Weighted>,
    desired: Vec<f64>,
}

/// Both hinges and the tips of both links.
fn case(node_weight: f64) -> Case {
    let model = arm(MODES);
    let actuators: Vec<usize> = model.body_indices().map(|body| model.hinge_speeds(body).start).collect();
    let hinge = |speed: &usize| Weighted { target: Target::Hinge { speed: *speed }, weight: 1.0 };
    let tip = |body: BodyIndex| Weighted {
        target: Target::Node { body, node: link(MODES).tip_node(), component: ACROSS },
        weight: node_weight,
    };
    let targets = actuators.iter().map(hinge).chain(model.body_indices().map(tip)).collect();
    Case { state: moving(&model), model, actuators, targets, desired: vec![2.0, -3.0, 0.5, -0.25] }
}

/// Forces and what they leave, by dense matrices: `min |W (y_d - C a_0 - C 𝓜⁻¹ B T)|`.
fn dense(case: &Case) -> (Vec<f64>, Vec<f64>) {
    let Case { model, state, actuators, targets, desired } = case;
    let n = model.speed_count();
    let (mut workspace, mut memory) = (Workspace::new(model), DenseWorkspace::new(model));
    let mut mass = vec![0.0; n * n];
    mass_matrix(model, state, &mut workspace, &mut memory, &mut mass).unwrap();
    let mass: Vec<Vec<f64>> = mass.chunks_exact(n).map(<[f64]>::to_vec).collect();
    let free = composite_forward_dynamics(model, state, &Inputs::new(model), &mut workspace, &mut memory).unwrap();
    let tip = &link(MODES).nodes()[link(MODES).tip_node().0];
    let measure = |accelerations: &[f64], target: &Target| match *target {
        Target::Hinge { speed } => accelerations[speed],
        Target::Node { body, .. } => {
            let modes = &accelerations[model.modal_speeds(body)];
            modes.iter().zip(&tip.influence).map(|(x, column)| x * column[ACROSS]).sum()
        }
    };
    let column = |speed: &usize| {
        let unit: Vec<f64> = (0..n).map(|i| f64::from(i == *speed)).collect();
        let moved = solve(mass.clone(), unit);
        targets.iter().map(|of| of.weight * measure(&moved, &of.target)).collect::<Vec<f64>>()
    };
    let columns: Vec<Vec<f64>> = actuators.iter().map(column).collect();
    let wanted: Vec<f64> = targets
        .iter()
        .zip(desired)
        .map(|(of, d)| of.weight * (d - measure(free.accelerations(), &of.target)))
        .collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let normal = columns.iter().map(|a| columns.iter().map(|b| dot(a, b)).collect()).collect();
    let forces = solve(normal, columns.iter().map(|a| dot(a, &wanted)).collect());
    let left = (0..targets.len())
        .map(|i| (wanted[i] - columns.iter().zip(&forces).map(|(a, x)| a[i] * x).sum::<f64>()) / targets[i].weight)
        .collect();
    (forces, left)
}

fn corrected(case: &Case, law: CorrectionLaw, most: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let Case { model, state, actuators, targets, desired } = case;
    let (mut inputs, mut workspace) = (Inputs::new(model), Workspace::new(model));
    let mut correction = WeightedCorrection::new(model, actuators, targets, law, (most, 1e-10)).unwrap();
    let result = correction.correct(model, state, desired, &mut inputs, &mut workspace).unwrap();
    let left: Vec<f64> = correction.left().collect();
    assert_eq!(result.left, left.iter().fold(0.0_f64, |most, x| most.max(x.abs())));
    (actuators.iter().map(|speed| inputs.forces[*speed]).collect(), left, correction.errors().to_vec())
}

#[track_caller]
fn close(found: &[f64], expected: &[f64], allowed: f64) {
    let size = expected.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= allowed * size, "{found} {expected}");
    }
}

#[test]
fn every_law_finds_the_dense_solution() {
    for node_weight in [1e-3, 0.3, 1.0, 30.0] {
        let case = case(node_weight);
        let (forces, left) = dense(&case);
        for (law, most) in [(CorrectionLaw::Exact, 0), (CorrectionLaw::Gradient, 20), (CorrectionLaw::Iteration, 5000)]
        {
            let (found, rest, errors) = corrected(&case, law, most);
            println!("{node_weight} {law:?}: {} steps, left {rest:?}", errors.len() - 1);
            close(&found, &forces, 1e-8);
            close(&rest, &left, 1e-8);
            assert!(errors.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-9) + 1e-9), "{errors:?}");
        }
    }
}

/// Weights decide who gives way: hinges that count for much are met, and so are nodes; both never.
#[test]
fn weights_trade_hinges_for_nodes() {
    let left = |weight: f64| corrected(&case(weight), CorrectionLaw::Exact, 0).1;
    let greatest = |all: &[f64]| all.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let (hinges_first, nodes_first) = (left(1e-6), left(1e6));
    assert!(greatest(&hinges_first[..2]) < 1e-6 && greatest(&hinges_first[2..]) > 0.1, "{hinges_first:?}");
    assert!(greatest(&nodes_first[2..]) < 1e-6 && greatest(&nodes_first[..2]) > 0.1, "{nodes_first:?}");
}

#[test]
fn a_correction_allocates_nothing_and_refuses_what_is_not_there() {
    let Case { model, state, actuators, targets, desired } = case(1.0);
    let (mut inputs, mut workspace) = (Inputs::new(&model), Workspace::new(&model));
    for law in [CorrectionLaw::Exact, CorrectionLaw::Gradient, CorrectionLaw::Iteration] {
        let mut correction = WeightedCorrection::new(&model, &actuators, &targets, law, (10, 1e-9)).unwrap();
        let requests = allocations(|| {
            correction.correct(&model, &state, &desired, &mut inputs, &mut workspace).unwrap();
        });
        assert_eq!(requests, 0, "{law:?}");
        assert!(correction.correct(&model, &state, &desired[1..], &mut inputs, &mut workspace).is_err());
    }
    let refused = |actuators: &[usize], target: Target, weight: f64| {
        let targets = [Weighted { target, weight }];
        WeightedCorrection::new(&model, actuators, &targets, CorrectionLaw::Exact, (1, 1.0)).err()
    };
    let hinge = Target::Hinge { speed: actuators[0] };
    let node = |node, component| Target::Node { body: BodyIndex(0), node: NodeIndex(node), component };
    assert_eq!(refused(&[], hinge, 1.0), Some(TargetError::Empty { what: "actuator" }));
    assert_eq!(refused(&[99], hinge, 1.0), Some(TargetError::NoSuchSpeed { speed: 99, speeds: 6 }));
    assert_eq!(refused(&actuators, hinge, -1.0), Some(TargetError::Weight { value: -1.0 }));
    assert_eq!(refused(&actuators, node(99, 0), 1.0), Some(TargetError::NoSuchNode { target: node(99, 0) }));
    assert_eq!(refused(&actuators, node(1, 6), 1.0), Some(TargetError::NoSuchNode { target: node(1, 6) }));
    let rigid = arm(0);
    let targets = [Weighted { target: node(1, 4), weight: 1.0 }];
    let error = WeightedCorrection::new(&rigid, &[0], &targets, CorrectionLaw::Exact, (1, 1.0)).err();
    assert_eq!(error, Some(TargetError::Rigid { name: "upper".into() }));
}
