//! Book's formulation allocates nothing once it is made.

use crate::book_arm::{ArmOptions, random_arm, random_vector, random_wrenches};
use crate::counting_allocator::allocations;
use supple::integrate::{Scheme, Simulation, Tolerance};
use supple::testkit::Generator;
use supple::{Inputs, Model, State};
use supple_lab::book::{BookDynamics, formulation};

#[test]
fn nothing_is_allocated() {
    for seed in 0..20 {
        let mut rng = Generator::new(seed);
        let (system, _) = random_arm(&mut rng, ArmOptions { bodies: 6, modes: 4, clouds: true });
        let model = Model::build(&system).unwrap();
        let mut state = State::new(&model);
        state.coordinates = random_vector(&mut rng, &system, 0.1, 2.0);
        let mut inputs = Inputs::new(&model);
        inputs.wrenches = random_wrenches(&mut rng, &system, 3);
        inputs.prescribed[0] = true;
        let mut book = BookDynamics::new(&system, &model).unwrap();
        let count = allocations(|| {
            for _ in 0..100 {
                book.accelerations(&state, &inputs).unwrap();
                book.inertia_matrix(&state).unwrap();
                book.energy(&state).unwrap();
            }
        });
        assert_eq!(count, 0, "seed {seed}");
    }
}

#[test]
fn steps_of_a_simulation_allocate_nothing() {
    let mut rng = Generator::new(3);
    let (system, _) = random_arm(&mut rng, ArmOptions { bodies: 4, modes: 3, clouds: true });
    let model = Model::build(&system).unwrap();
    let free = |_: &State, _: &mut Inputs| {};
    let tolerance = Tolerance { relative: 1e-8, absolute: 1e-10 };
    let mut run = Simulation::new(&model, State::new(&model), free, Scheme::DormandPrince, tolerance).unwrap();
    run.set_formulation(formulation(&system, &model).unwrap()).unwrap();
    run.advance(0.1).unwrap();
    assert_eq!(allocations(|| assert!(run.advance(1.0).is_ok())), 0);
}
