//! Every algorithm gives the same answer on random flexible trees, and that of an independent dense calculation.

use supple::spatial::{Force, Quaternion};
use supple::testkit::{Answer, RandomOptions, RandomState, random_system};
use supple::{
    BodyIndex, DenseWorkspace, Inputs, Method, Model, NodeIndex, State, System, Workspace, Wrench, WrenchFrame,
    composite_forward_dynamics, forward_dynamics_by, inverse_dynamics, mass_matrix,
};

fn prepared(system: &System, random: &RandomState) -> (Model, State, Inputs) {
    let model = Model::build(system).unwrap();
    let mut state = State::new(&model);
    state.coordinates.copy_from_slice(&random.coordinates);
    state.speeds.copy_from_slice(&random.speeds);
    assert_eq!(state.attitudes.len(), random.attitudes.len());
    state.attitudes = random.attitudes.iter().map(|q| Quaternion(*q)).collect();
    let mut inputs = Inputs::new(&model);
    inputs.forces.copy_from_slice(&random.forces);
    inputs.accelerations.copy_from_slice(&random.accelerations);
    inputs.wrenches = random
        .wrenches
        .iter()
        .map(|(body, node, inertial, w)| Wrench {
            body: BodyIndex(*body),
            node: NodeIndex(*node),
            frame: if *inertial { WrenchFrame::Inertial } else { WrenchFrame::Body },
            force: Force::from_array(*w),
        })
        .collect();
    (model, state, inputs)
}

fn relative(a: &[f64], b: &[f64]) -> f64 {
    let scale = b.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let worst = a.iter().zip(b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
    if scale > 0.0 { worst / scale } else { worst }
}

#[test]
fn all_algorithms_agree() {
    let mut worst = [0.0_f64; 8];
    let seeds: u64 = std::env::var("SUPPLE_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(300);
    for seed in 0..seeds {
        let (system, random) = random_system(seed, &RandomOptions::default());
        let (model, state, inputs) = prepared(&system, &random);
        let answer: Answer = random.answer(&system);
        let kappa = answer.condition();
        let tolerance = (1000.0 * f64::EPSILON * kappa).max(1e-10);
        let mut ws = Workspace::new(&model);
        let mut dense = DenseWorkspace::new(&model);
        let n = model.speed_count();
        let mut errors = Vec::new();
        let mut matrix = vec![0.0; n * n];
        mass_matrix(&model, &state, &mut ws, &mut dense, &mut matrix).unwrap();
        errors.push(("mass matrix", relative(&matrix, &answer.mass.concat())));
        let forces = inverse_dynamics(&model, &state, &inputs, &mut ws).unwrap().forces().to_vec();
        errors.push(("inverse", relative(&forces, &answer.forces(&random.accelerations))));
        let expected = answer.accelerations(&random.forces).unwrap();
        for method in [Method::Explicit, Method::Condensed, Method::Indirect, Method::Auto] {
            match forward_dynamics_by(method, &model, &state, &inputs, &mut ws) {
                Ok(s) => errors.push(("forward", relative(s.accelerations(), &expected))),
                Err(e) => { println!("seed {seed} {method:?} {e}"); errors.push(("forward", f64::INFINITY)) }
            }
        }
        let s = composite_forward_dynamics(&model, &state, &inputs, &mut ws, &mut dense).unwrap();
        errors.push(("composite", relative(s.accelerations(), &expected)));
        for (i, (what, e)) in errors.iter().enumerate() {
            worst[i] = worst[i].max(e / tolerance);
            if *e > tolerance {
                println!("seed {seed} {:?} {:?} n {n} modes {:?} free-free: {what}[{i}] {e:.2e} > {tolerance:.2e}", system.elastic_rotation, system.inertia, system.bodies.iter().map(|b| b.modes.count).collect::<Vec<_>>());
            }
        }
    }
    println!("worst ratios {worst:?}");
    assert!(worst.iter().all(|w| *w <= 1.0));
}
