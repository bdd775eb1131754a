//! A four-bar linkage with a flexible coupler: its frequencies against the eigenproblem with multipliers, its stiffness against the energy on the closed
//! configurations.

use crate::support::rates;
use faer::Mat;
use faer::linalg::solvers::Solve;
use std::path::Path;
use supple::{DenseWorkspace, Inputs, ModalMatrix, Model, State, System, Workspace};
use supple_io::load::{LoadOptions, load};
use supple_linear::{equilibrium, lock, second_order, system_modes};

/// The linkage of the gallery, without or with gravity.
pub fn linkage(gravity: [f64; 3]) -> (System, Model, State) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/four-bar/linkage.toml");
    let loaded = load(&file, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let system = System { gravity, ..loaded.system };
    let (model, state) = closed(&system);
    (system, model, state)
}

/// Built and closed, with the crank along the ground.
fn closed(system: &System) -> (Model, State) {
    let model = Model::build(system).unwrap();
    let mut state = State::new(&model);
    state.coordinates_of_mut(model.hinge("crank pin").unwrap()).unwrap()[0] = 1.243;
    state.set(model.hinge("pivot").unwrap(), 1.78).unwrap();
    let mut inputs = Inputs::new(&model);
    lock(&model, &mut inputs, &["motor"]).unwrap();
    supple::assemble(&model, &mut state, &inputs).unwrap();
    (model, state)
}

/// `ω²` of `[K A*; A 0] (x, λ) = ω² [M 0; 0 0] (x, λ)` in the speeds given, by the operator that `K + σ M` and the multipliers make.
fn with_multipliers(system: &System, model: &Model, state: &State, speeds: &[usize]) -> Vec<f64> {
    const SHIFT: f64 = 1e4;
    let all = model.speed_count();
    let mut workspace = Workspace::new(model);
    let mut mass = vec![0.0; all * all];
    supple::mass_matrix(model, state, &mut workspace, &mut DenseWorkspace::new(model), &mut mass).unwrap();
    let mut jacobian = vec![0.0; model.equation_count() * all];
    supple::closure_jacobian(model, state, &mut workspace, &mut jacobian).unwrap();
    let mut stiffness = vec![0.0; all];
    for (body, described) in model.body_indices().zip(&system.bodies) {
        match &described.modes.stiffness {
            ModalMatrix::Diagonal(k) => stiffness[model.modal_speeds(body)].copy_from_slice(k),
            ModalMatrix::Zero => {}
            ModalMatrix::Full(_) => panic!("a diagonal stiffness"),
        }
    }
    let (n, m) = (speeds.len(), model.equation_count());
    let mass = Mat::from_fn(n, n, |i, j| mass[speeds[i] * all + speeds[j]]);
    let bordered = Mat::from_fn(n + m, n + m, |i, j| match (i < n, j < n) {
        (true, true) => SHIFT * mass[(i, j)] + if i == j { stiffness[speeds[i]] } else { 0.0 },
        (true, false) => jacobian[(j - n) * all + speeds[i]],
        (false, true) => jacobian[(i - n) * all + speeds[j]],
        (false, false) => 0.0,
    });
    // P of the inverse, as L* P L with M = L L*: symmetric, with eigenvalues 1 / (ω² + σ).
    let factor = mass.llt(faer::Side::Lower).unwrap();
    let l = factor.L();
    let right = Mat::from_fn(n + m, n, |i, j| if i < n { l[(i, j)] } else { 0.0 });
    let answer = bordered.partial_piv_lu().solve(&right);
    let operator = l.transpose() * answer.as_ref().subrows(0, n);
    let mut squares = operator.self_adjoint_eigenvalues(faer::Side::Lower).unwrap();
    squares.sort_by(|a, b| b.total_cmp(a));
    // Constrained directions answer nothing.
    squares.into_iter().take(n - m).map(|x| 1.0 / x - SHIFT).collect()
}

#[test]
fn frequencies_are_those_with_multipliers() {
    let (mut system, _, _) = linkage([0.0; 3]);
    // The eigenproblem is that of the undamped linkage.
    system.bodies.iter_mut().for_each(|body| body.modes.damping = ModalMatrix::Zero);
    let (model, state) = closed(&system);
    // Closed roughly, it is strained a little.
    let mut held = Inputs::new(&model);
    lock(&model, &mut held, &["motor"]).unwrap();
    let state = equilibrium(&model, &state, &held).unwrap().state;
    for locked in [&["motor"][..], &[]] {
        let mut inputs = Inputs::new(&model);
        lock(&model, &mut inputs, locked).unwrap();
        let motor = model.hinge("motor").unwrap().speeds().start;
        let speeds: Vec<usize> = (0..model.speed_count()).filter(|i| locked.is_empty() || *i != motor).collect();
        let expected = with_multipliers(&system, &model, &state, &speeds);
        let found = rates(&system_modes(&model, &state, &inputs).unwrap());
        assert_eq!(found.len(), expected.len());
        let rigid = found.iter().take_while(|rate| **rate == 0.0).count();
        assert_eq!(rigid, 1 - locked.len(), "{found:?}");
        assert!(expected[..rigid].iter().all(|square| square.abs() < 1e-3), "{expected:?}");
        for (found, square) in found.iter().zip(&expected).skip(rigid) {
            println!("locked {locked:?}: {found:.6} rad/s, {:.1e}", found * found / square - 1.0);
            assert!((found * found / square - 1.0).abs() < 1e-8, "{found} for {}", square.sqrt());
        }
    }
}

/// In a closed chain coordinates carry each other, so that some contribute more than all of the kinetic energy and others less than nothing; bodies share it.
#[test]
fn bodies_share_the_kinetic_energy_of_a_closed_chain() {
    let (_, model, state) = linkage([0.0; 3]);
    let mut inputs = Inputs::new(&model);
    lock(&model, &mut inputs, &["motor"]).unwrap();
    let found = system_modes(&model, &state, &inputs).unwrap();
    let least = found.modes.iter().flat_map(|mode| &mode.participation).fold(f64::INFINITY, |a, b| a.min(*b));
    assert!(least < -0.1, "contributions of coordinates are all positive: {least}");
    for mode in &found.modes {
        let shares = &mode.body_participation;
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{shares:?}");
        assert!(shares.iter().all(|share| (0.0..=1.0 + 1e-12).contains(share)), "{shares:?}");
        // The crank is locked.
        assert!(shares[0] < 1e-12 && !found.members(mode).contains("crank"), "{shares:?}");
        let strained: f64 = mode.strain_energy.iter().sum::<f64>() + mode.element_energy;
        assert!((strained - 1.0).abs() < 1e-9 && found.strained(mode) == "coupler 100 %", "{}", found.strained(mode));
    }
}

/// At an equilibrium of the closed linkage `v* K v` is the second derivative of the energy along any closed motion that starts along `v`: the geometric
/// stiffness of the forces in the closure is in it.
#[test]
fn stiffness_is_the_curvature_of_the_energy() {
    let (_, model, start) = linkage([0.0, -9.81, 0.0]);
    let still = equilibrium(&model, &start, &Inputs::new(&model)).unwrap();
    assert!(still.stable && still.residual < 1e-10, "{}", still.residual);
    let linear = second_order(&model, &still.state, &Inputs::new(&model)).unwrap();
    let mut workspace = Workspace::new(&model);
    let mut energy = |v: &[f64], h: f64| {
        let mut state = still.state.clone();
        state.displace(&model, &v.iter().map(|x| h * x).collect::<Vec<_>>());
        supple::assemble(&model, &mut state, &Inputs::new(&model)).unwrap();
        let energy = supple::energy(&model, &state, &mut workspace).unwrap();
        energy.elastic + energy.gravitational
    };
    let n = linear.coordinates.len();
    let greatest = (0..n).map(|i| linear.stiffness[(i, i)].abs()).fold(0.0, f64::max);
    for i in 0..n {
        let v: Vec<f64> = (0..model.speed_count()).map(|row| linear.motion[(row, i)]).collect();
        let h = if linear.coordinates[i].name.starts_with("mode.") { 1e-4 } else { 2e-3 };
        let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|k| energy(&v, k * h));
        let middle = energy(&v, 0.0);
        let curvature = (-a + 16.0 * b - 30.0 * middle + 16.0 * c - d) / (12.0 * h * h);
        let found = linear.stiffness[(i, i)];
        println!("{}: {found:.6e} {curvature:.6e}", linear.coordinates[i].name);
        assert!((found - curvature).abs() < 1e-5 * (found.abs() + 1e-4 * greatest), "{found} for {curvature}");
        for j in 0..n {
            assert!((linear.stiffness[(i, j)] - linear.stiffness[(j, i)]).abs() < 1e-10 * greatest);
        }
    }
}
