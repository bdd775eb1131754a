//! Book's formulation against a dense Lagrangian of particles, and against the other algorithms on rigid arms.

mod book_arm;

use book_arm::{Acting, ArmOptions, difference, lagrangian, random_arm, random_vector, random_wrenches};
use supple::book::BookDynamics;
use supple::testkit::Generator;
use supple::{
    DenseWorkspace, Inputs, Model, State, Workspace, composite_forward_dynamics, forward_dynamics, hybrid_dynamics,
};

/// Model, state and inputs of a random arm.
fn drawn(rng: &mut Generator, options: ArmOptions) -> (supple::System, book_arm::Clouds, Model, State, Inputs) {
    let (system, clouds) = random_arm(rng, options);
    let model = Model::build(&system).unwrap();
    let mut state = State::new(&model);
    state.coordinates = random_vector(rng, &system, 0.3, 3.0);
    state.speeds = random_vector(rng, &system, 1.0, 2.0);
    let mut inputs = Inputs::new(&model);
    inputs.forces = random_vector(rng, &system, 2.0, 5.0);
    inputs.wrenches = random_wrenches(rng, &system, 3);
    (system, clouds, model, state, inputs)
}

/// A hundred arms with large deflections, so that a transformation that is taken for a rotation would show.
#[test]
fn accelerations_are_those_of_a_dense_lagrangian() {
    let mut worst = 0.0_f64;
    let mut flexible = 0;
    for seed in 0..100 {
        let mut rng = Generator::new(seed);
        let options = ArmOptions { bodies: 6, modes: 4, clouds: seed % 2 == 0 };
        let (system, clouds, model, state, inputs) = drawn(&mut rng, options);
        flexible += system.bodies.iter().filter(|b| b.modes.count > 0).count();
        let acting = Acting { forces: &inputs.forces, wrenches: &inputs.wrenches };
        let dense = lagrangian(&system, &clouds, &state.coordinates, &state.speeds, &acting);
        let mut book = BookDynamics::<f64>::new(&model).unwrap();
        let packed = book.inertia_matrix(&state).unwrap().to_vec();
        let n = model.speed_count();
        let rows: Vec<f64> = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))).map(|(i, j)| dense.matrix[i][j]).collect();
        let error = difference(&packed, &rows);
        assert!(error < 1e-13, "seed {seed}: matrix {error:.1e}");
        let solution = book.accelerations(&state, &inputs).unwrap();
        let error = difference(solution.accelerations(), &dense.accelerations);
        assert!(error < 1e-10, "seed {seed}: accelerations {error:.1e}");
        worst = worst.max(error);
    }
    println!("worst {worst:.1e}, {flexible} flexible links");
    assert!(flexible > 150);
}
