use super::*;
use supple::integrate::{Scheme, Simulation, Tolerance};
use supple::{ElasticRotation, Fidelity, Workspace, forward_dynamics};
use supple_bodies::catalogue::manoeuvre::Manoeuvre;
use supple_bodies::catalogue::shuttle_arm::ShuttleArm;

/// The arm bent and moving, with every number different.
fn moving(model: &Model) -> (State, Inputs) {
    let (mut state, mut inputs) = (State::new(model), Inputs::new(model));
    for (i, x) in state.coordinates.iter_mut().enumerate() {
        *x = 0.03 * (1.0 + 0.7 * i as f64).sin();
    }
    for (i, x) in state.speeds.iter_mut().enumerate() {
        *x = 0.2 * (2.0 + 1.3 * i as f64).cos();
    }
    for (i, x) in inputs.forces.iter_mut().enumerate() {
        *x = 100.0 * (0.5 + i as f64).sin();
    }
    (state, inputs)
}

/// Where the sweeps carry a set of terms, both give the same accelerations and energies.
#[test]
fn terms_are_those_of_the_sweeps() {
    for (fidelity, rotation, terms) in [
        (Fidelity::Ruthless, ElasticRotation::None, Terms::RUTHLESS_WITH_RATES),
        (Fidelity::Consistent, ElasticRotation::FirstOrder, Terms::CONSISTENT),
        (Fidelity::Inconsistent, ElasticRotation::FirstOrder, Terms::INCONSISTENT),
        (Fidelity::Exact, ElasticRotation::FirstOrder, Terms::EXACT),
    ] {
        // Natural modes, one element, and two assembled in one body.
        for elements in 0..=2 {
            compare(ShuttleArm::flexible(fidelity, rotation).with_elements(elements), terms);
        }
    }
}

fn compare(arm: ShuttleArm, terms: Terms) {
    let model = arm.build().unwrap();
    let (state, inputs) = moving(&model);
    let mut workspace = Workspace::new(&model);
    let expected = forward_dynamics(&model, &state, &inputs, &mut workspace).unwrap().accelerations().to_vec();
    let energy = supple::energy(&model, &state, &mut workspace).unwrap();
    let mut ours = LinearisedDynamics::new(&arm.system(), &model, terms).unwrap();
    let (mut found, mut forces) = (vec![0.0; expected.len()], vec![0.0; expected.len()]);
    ours.accelerations(&state, &inputs, &mut found, &mut forces).unwrap();
    let size = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    // Nodal coordinates of short elements are nearly dependent; those of one element and of modes are not.
    let allowed = if arm.elements < 2 { 1e-9 } else { solution_tolerance(&model, &state) };
    for (a, b) in expected.iter().zip(&found) {
        assert!((a - b).abs() < allowed * size, "{arm:?}, {allowed:e}: {expected:?} {found:?}");
    }
    let again = ours.energy(&state).unwrap();
    assert!((energy.kinetic / again.kinetic - 1.0).abs() < 1e-10, "{arm:?} {energy:?} {again:?}");
    assert!((energy.elastic / again.elastic - 1.0).abs() < 1e-10, "{arm:?} {energy:?} {again:?}");
}

/// What rounding may leave in accelerations, by the condition number of the mass matrix scaled to unit diagonal.
fn solution_tolerance(model: &Model, state: &State) -> f64 {
    let n = model.speed_count();
    let (mut mass, mut dense) = (vec![0.0; n * n], supple::DenseWorkspace::new(model));
    supple::mass_matrix(model, state, &mut Workspace::new(model), &mut dense, &mut mass).unwrap();
    let scaled = |i: usize, j: usize| mass[i * n + j] / (mass[i * n + i] * mass[j * n + j]).sqrt();
    let rows: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| scaled(i, j)).collect()).collect();
    supple::testkit::tolerance(supple::testkit::condition_number(&rows))
}

/// Each switch changes the accelerations of a bent and moving arm: none is without effect.
#[test]
fn every_term_counts() {
    let arm = ShuttleArm::flexible(Fidelity::Exact, ElasticRotation::FirstOrder);
    let model = arm.build().unwrap();
    let mut system = arm.system();
    for body in &mut system.bodies {
        // The tables that CL reads, beside those of EE.
        body.modes.nonlinear.axial_load = body.modes.nonlinear.cubic.clone();
    }
    let (state, inputs) = moving(&model);
    let answer = |terms| {
        let mut dynamics = LinearisedDynamics::new(&system, &model, terms).unwrap();
        let (mut out, mut forces) = (vec![0.0; model.speed_count()], vec![0.0; model.speed_count()]);
        dynamics.accelerations(&state, &inputs, &mut out, &mut forces).unwrap();
        out
    };
    let base = Terms { deformed_mass: false, ..Terms::EXACT };
    let changes = [
        Terms { deformed_mass: true, ..base },
        Terms { moments: Moments::Undeformed, ..base },
        Terms { moments: Moments::DeformedThroughout, ..base },
        Terms { hybrid_forces: false, ..base },
        Terms { elastic: ElasticForce::Linear, ..base },
        Terms { elastic: ElasticForce::AxialLoad, ..base },
        Terms { elastic: ElasticForce::ThirdOrder, ..base },
        Terms { tip: Tip::None, ..base },
        Terms { elastic_rates_across_joints: false, ..base },
    ];
    let from = answer(base);
    for terms in changes {
        let to = answer(terms);
        let change = from.iter().zip(&to).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        assert!(change > 1e-6, "{terms:?} {change}");
    }
}

/// A body that is no link of such a chain is named.
#[test]
fn other_systems_are_refused() {
    let arm = ShuttleArm::rigid();
    let (mut system, model) = (arm.system(), arm.build().unwrap());
    system.bodies[2].hinge.kind = supple::HingeKind::Prismatic { axis: [1.0, 0.0, 0.0] };
    let error = LinearisedDynamics::new(&system, &model, Terms::RUTHLESS).unwrap_err();
    assert!(error.to_string().contains("'link 3': its hinge must be revolute"), "{error}");
}

/// RL without elastic rates across joints is unstable: in the first seconds of II-f its energy leaves the work behind, with them it does not as soon.
#[test]
fn rates_across_joints_decide_on_the_energy() {
    let manoeuvre = Manoeuvre::SteppedFast;
    let arm = ShuttleArm::flexible(Fidelity::Ruthless, ElasticRotation::None);
    let drift = [Terms::RUTHLESS, Terms::RUTHLESS_WITH_RATES].map(|terms| {
        let model = arm.build().unwrap();
        let drive = manoeuvre.drive(&model).unwrap();
        let tolerance = Tolerance { relative: 1e-7, absolute: 1e-9 };
        let mut run = Simulation::new(&model, State::new(&model), drive, Scheme::PrinceDormand8, tolerance).unwrap();
        run.set_formulation(Box::new(LinearisedDynamics::new(&arm.system(), &model, terms).unwrap())).unwrap();
        run.advance(2.0).unwrap();
        let ledger = run.ledger().unwrap();
        ledger.balance_error().abs() / ledger.energy.total()
    });
    assert!(drift[0] > 3.0 * drift[1], "{drift:?}");
}
