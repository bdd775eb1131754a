//! Book's formulation with integrals from tables, with the terms of the report, and with orthogonal shapes.

use crate::book_arm::{ArmOptions, difference, random_arm, random_vector};
use supple::testkit::Generator;
use supple::{Inputs, ModalInertia, Model, State, System};
use supple_bodies::catalogue::book_arm::{BookArm, FLEXIBLE, JOINTS, MODES, Shapes, book_arm};
use supple_lab::book::{BookDynamics, BookOperations, BookTerms, CountedArm};

/// A state of an arm with deflections of this size.
fn bent(system: &System, model: &Model, deflection: f64) -> State {
    let mut state = State::new(model);
    let mut rng = Generator::new(5);
    state.coordinates = random_vector(&mut rng, system, deflection, 1.0);
    state.speeds = random_vector(&mut rng, system, deflection, 1.0);
    state
}

fn accelerations(system: &System, model: &Model, state: &State, terms: BookTerms) -> Vec<f64> {
    let mut book = BookDynamics::<f64>::new(system, model).unwrap().with_terms(terms);
    book.accelerations(state, &Inputs::new(model)).unwrap().accelerations().to_vec()
}

/// Arms whose links have their inertia as tables of a finite-element code move like those with masses at nodes, whatever the deflection.
#[test]
fn tables_of_inertia_give_the_same_as_nodes() {
    let mut flexible = 0;
    for seed in 0..20 {
        let mut rng = Generator::new(300 + seed);
        let (system, _) = random_arm(&mut rng, ArmOptions { bodies: 5, modes: 4, clouds: false });
        let mut tabled = system.clone();
        for body in tabled.bodies.iter_mut().filter(|body| body.modes.count > 0) {
            flexible += 1;
            body.modal_inertia = Some(ModalInertia::of(body));
            for node in &mut body.nodes {
                (node.mass, node.mass_centre, node.inertia) = (0.0, [0.0; 3], [[0.0; 3]; 3]);
            }
        }
        let [nodal, from_tables] = [&system, &tabled].map(|system| {
            let model = Model::build(system).unwrap();
            let state = bent(system, &model, 0.3);
            accelerations(system, &model, &state, BookTerms::default())
        });
        let error = difference(&nodal, &from_tables);
        assert!(error < 1e-9, "seed {seed}: {error:.1e}");
    }
    assert!(flexible > 20);
}

/// What the report drops is of second order: a tenth of the deflection, a hundredth of the error, from either term.
#[test]
fn terms_that_the_report_drops_are_of_second_order() {
    let system = book_arm();
    let model = Model::build(&system).unwrap();
    for terms in [
        BookTerms { squares: false, ..BookTerms::default() },
        BookTerms { bent_axes: false, ..BookTerms::default() },
        BookTerms::PRINTED,
    ] {
        let error = |deflection: f64| {
            let state = bent(&system, &model, deflection);
            let matrix = |terms| {
                let mut book = BookDynamics::<f64>::new(&system, &model).unwrap().with_terms(terms);
                book.inertia_matrix(&state).unwrap().to_vec()
            };
            difference(&matrix(terms), &matrix(BookTerms::default()))
        };
        let (large, small) = (error(1e-1), error(1e-2));
        assert!(large > 1e-6, "{terms:?}: {large:.1e}");
        assert!((large / small / 100.0 - 1.0).abs() < 0.2, "{terms:?}: {large:.1e} {small:.1e}");
    }
}

/// Orthogonal shapes leave one integral for each mode, and work falls; the arm moves as it does when all pairs are computed.
#[test]
fn orthogonal_shapes_cost_less_and_move_the_same() {
    let arm = BookArm { joints: JOINTS, flexible: FLEXIBLE, modes: MODES, shapes: Shapes::Orthogonal };
    let system = arm.system();
    let model = Model::build(&system).unwrap();
    let general = book_arm();
    let count =
        |system: &System| BookOperations::of(system, &Model::build(system).unwrap()).unwrap().counted().multiplications;
    let (many, few) = (count(&general), count(&system));
    // A pair of modes costs nine multiplications in D, six in the matrix (half of the pairs) and nine in the rest.
    assert!(many - few >= (FLEXIBLE * MODES * (MODES - 1) * 20) as u64, "{many} {few}");
    // A tiny mass that moves along z with one mode and along y with the other couples all pairs again.
    let mut coupled = system.clone();
    for body in &mut coupled.bodies[..FLEXIBLE] {
        let mut dust = body.nodes[3].clone();
        (dust.mass, dust.inertia) = (1e-9, [[0.0; 3]; 3]);
        body.nodes.insert(1, dust);
    }
    let shifted = coupled.bodies.iter_mut().skip(1).take(FLEXIBLE);
    for body in shifted {
        if let supple::Parent::Body(_, node) = &mut body.parent {
            node.0 += 1;
        }
    }
    let other = Model::build(&coupled).unwrap();
    assert!(count(&coupled) > few);
    let a = accelerations(&system, &model, &bent(&system, &model, 0.1), BookTerms::default());
    let b = accelerations(&coupled, &other, &bent(&coupled, &other, 0.1), BookTerms::default());
    assert!(difference(&a, &b) < 1e-6, "{a:?} {b:?}");
}

/// Counts grow as the polynomial of the report does, and stay below it from three joints on.
#[test]
fn counts_grow_like_the_polynomial() {
    let book = |joints, flexible, modes| {
        let system = BookArm { joints, flexible, modes, shapes: Shapes::General }.system();
        let ours =
            BookOperations::of(&system, &Model::build(&system).unwrap()).unwrap().counted().multiplications as f64;
        (ours, CountedArm { joints, flexible, modes }.paper_multiplications())
    };
    // Third differences of a quadratic vanish: in joints the count is one, as printed.
    let by_joints: Vec<f64> = (4..=9).map(|n| book(n, 2, 3).0).collect();
    let third = |v: &[f64]| v[3] - 3.0 * v[2] + 3.0 * v[1] - v[0];
    // Joints alternate between two kinds, whose frames cost the same.
    for window in by_joints.windows(4) {
        assert_eq!(third(window), 0.0, "{by_joints:?}");
    }
    let by_modes: Vec<f64> = (2..=6).map(|m| book(6, 2, m).0).collect();
    for window in by_modes.windows(4) {
        assert_eq!(third(window), 0.0, "{by_modes:?}");
    }
    for (n, f, m) in [(3, 1, 1), (6, 2, 3), (6, 5, 3), (12, 2, 3), (6, 2, 6)] {
        let (ours, paper) = book(n, f, m);
        assert!((0.4..1.0).contains(&(ours / paper)), "{n} {f} {m}: {ours} {paper}");
    }
}
