//! `P`, `D` and `G` of single bodies against their definitions, on random trees.
//!
//! `D` is what is left of the dense mass matrix of a subtree once everything outboard is free. `P` is the same of a body that is cut from its
//! parent: its hinge replaced by one that lets it move freely.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::counting_allocator::allocations;
use supple::spatial::{Force, Matrix3, Matrix6};
use supple::testkit::{
    Answer, Generator, Prepared, RandomOptions, RandomState, Worst, random_system, relative_difference, solve,
    tolerance,
};
use supple::{BodyIndex, DynamicsError, HingeKind, Model, NodeIndex, Parent, System, kinematics, mass_operator};

fn cases(count: u64, singular: bool) -> impl Iterator<Item = (u64, System, RandomState)> {
    (0..count).map(move |seed| {
        let options = RandomOptions {
            modes: 6,
            singular,
            constant_terms: seed % 4 == 1,
            orthogonal_modes: seed.is_multiple_of(3),
            second_order: seed % 5 > 2,
            ..RandomOptions::default()
        };
        let (system, random) = random_system(seed, &options);
        (seed, system, random)
    })
}

/// Speeds of all bodies outboard of body `k`.
fn outboard(system: &System, model: &Model, k: usize) -> Vec<usize> {
    let mut inside = vec![false; system.bodies.len()];
    for (j, body) in system.bodies.iter().enumerate() {
        inside[j] = matches!(body.parent, Parent::Body(parent, _) if parent.0 == k || inside[parent.0]);
    }
    let bodies = (0..inside.len()).filter(|&j| inside[j]).map(BodyIndex);
    bodies.flat_map(|body| model.modal_speeds(body).chain(model.hinge_speeds(body))).collect()
}

/// `𝓜_kk - 𝓜_ko 𝓜_oo⁻¹ 𝓜_ok`.
fn with_free(answer: &Answer, kept: &[usize], free: &[usize]) -> Vec<Vec<f64>> {
    let block = |rows: &[usize], columns: &[usize]| -> Vec<Vec<f64>> {
        rows.iter().map(|&i| columns.iter().map(|&j| answer.mass[i][j]).collect()).collect()
    };
    let (mut left, coupling) = (block(kept, kept), block(kept, free));
    if free.is_empty() {
        return left;
    }
    let all = block(free, free);
    let moved: Vec<Vec<f64>> = coupling.iter().map(|row| solve(&all, row).unwrap()).collect();
    for (row, of_row) in left.iter_mut().zip(&coupling) {
        for (entry, x) in row.iter_mut().zip(&moved) {
            *entry -= of_row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
        }
    }
    left
}

fn rows(numbers: &[f64]) -> Vec<Vec<f64>> {
    let n = numbers.len().isqrt();
    numbers.chunks_exact(n.max(1)).map(<[f64]>::to_vec).collect()
}

#[test]
fn hinge_and_modal_inertias_are_schur_complements_of_the_dense_matrix() {
    let mut worst = Worst::new();
    for (seed, system, random) in cases(300, true) {
        let (at, answer) = (Prepared::new(&system, &random), random.answer(&system));
        let allowed = tolerance(answer.condition());
        let mut ws = at.workspace();
        let operator = mass_operator(&at.model, &at.state, &mut ws).unwrap();
        for body in at.model.body_indices() {
            let view = operator.body(body).unwrap();
            let outboard = outboard(&system, &at.model, body.0);
            let (modes, hinge) = (at.model.modal_speeds(body), at.model.hinge_speeds(body));
            let mut D_f = vec![0.0; modes.len() * modes.len()];
            view.modal_inertia(&mut D_f).unwrap();
            let modes: Vec<usize> = modes.collect();
            let expected = with_free(&answer, &modes, &outboard);
            worst.record("D_f", seed, relative_difference(&rows(&D_f), &expected), allowed);
            let mut D_R = vec![0.0; hinge.len() * hinge.len()];
            view.hinge_inertia(&mut D_R).unwrap();
            let expected = with_free(&answer, &hinge.collect::<Vec<_>>(), &[modes, outboard].concat());
            worst.record("D_R", seed, relative_difference(&rows(&D_R), &expected), allowed);
        }
    }
    worst.assert_within();
}

/// The same system in the same state, with body `k` free to move where it is.
fn cut(system: &System, random: &RandomState, k: usize) -> (System, RandomState) {
    let (mut system, mut random) = (system.clone(), random.clone());
    let model = Model::build(&system).unwrap();
    let (coordinates, speeds) = (model.hinge_coordinates(BodyIndex(k)), model.hinge_speeds(BodyIndex(k)));
    system.bodies[k].hinge.kind = HingeKind::Free;
    system.bodies[k].hinge.rotor_inertia.clear();
    random.coordinates.splice(coordinates, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    random.speeds.splice(speeds.clone(), [0.0; 6]);
    random.forces.splice(speeds.clone(), [0.0; 6]);
    random.accelerations.splice(speeds, [0.0; 6]);
    random.wrenches.clear();
    (system, random)
}

/// `H* P H` for the axes of the inboard node.
fn seen_from(axes: &Matrix3<f64>, P: &Matrix6<f64>) -> Vec<Vec<f64>> {
    let H = |i: usize, j: usize| if i / 3 == j / 3 { axes.column(j % 3)[i % 3] } else { 0.0 };
    let entry = |i: usize, j: usize| (0..36).map(|rs| H(rs / 6, i) * P.0[rs / 6][rs % 6] * H(rs % 6, j)).sum::<f64>();
    (0..6).map(|i| (0..6).map(|j| entry(i, j)).collect()).collect()
}

#[test]
fn the_articulated_inertia_is_that_of_the_body_cut_from_its_parent() {
    let mut worst = Worst::new();
    for (seed, system, random) in cases(400, false) {
        let k = Generator::new(seed).below(system.bodies.len());
        // Elsewhere axes are no rotations, and what is seen from them is not what is seen from the body.
        if !system.elastic_rotation.is_orthogonal() {
            continue;
        }
        let at = Prepared::new(&system, &random);
        let mut ws = at.workspace();
        let P_R = mass_operator(&at.model, &at.state, &mut ws).unwrap().body(BodyIndex(k)).unwrap().inertia();
        let poses = kinematics(&at.model, &at.state, &mut ws).unwrap();
        let (body, node) = (BodyIndex(k), NodeIndex(system.bodies[k].inboard_node.0));
        let own = poses.body_attitude(body).transpose();
        let lever = own * (poses.node_position(body, node) - poses.body_position(body));
        let axes = own * poses.node_attitude(body, node);

        let (system, random) = cut(&system, &random, k);
        let (model, answer) = (Model::build(&system).unwrap(), random.answer(&system));
        let free: Vec<usize> = model.modal_speeds(body).chain(outboard(&system, &model, k)).collect();
        let expected = with_free(&answer, &model.hinge_speeds(body).collect::<Vec<_>>(), &free);
        let found = seen_from(&axes, &P_R.shift(-lever).to_matrix());
        worst.record("P_R", seed, relative_difference(&found, &expected), tolerance(answer.condition()));
    }
    worst.assert_within();
}

#[test]
fn gains_and_released_inertias_obey_their_equations() {
    let mut worst = Worst::new();
    for (seed, system, random) in cases(300, true) {
        let at = Prepared::new(&system, &random);
        let allowed = tolerance(random.answer(&system).condition());
        let mut ws = at.workspace();
        let operator = mass_operator(&at.model, &at.state, &mut ws).unwrap();
        for body in at.model.body_indices() {
            let view = operator.body(body).unwrap();
            let n = at.model.modal_speeds(body).len();
            let (mut D, mut g) = (vec![0.0; n * n], vec![Force::ZERO; n]);
            view.modal_inertia(&mut D).unwrap();
            view.modal_gain(&mut g).unwrap();
            // P_R = P_rr - g D_f g*
            let mut P = view.rigid_inertia();
            for (i, row) in rows(&D).iter().enumerate() {
                row.iter().zip(&g).for_each(|(d, of_column)| P.sub_outer(g[i], *of_column * *d));
            }
            let expected = view.inertia().to_matrix().0;
            worst.record("P_rr - g D_f g*", seed, relative_difference(&P.to_matrix().0, &expected), allowed);

            // P⁺ + G D_R G* is P_R at O: of the same linear part, for it is only shifted
            let r = at.model.hinge_speeds(body).len();
            let mut D = vec![0.0; r * r];
            view.hinge_inertia(&mut D).unwrap();
            let (mut P, mut G) = (view.released_inertia(), vec![Force::ZERO; r]);
            view.hinge_gain(&mut G).unwrap();
            for (i, row) in rows(&D).iter().enumerate() {
                row.iter().zip(&G).for_each(|(d, of_column)| P.sub_outer(G[i], *of_column * -*d));
            }
            let linear = |m: [[f64; 6]; 6]| [3, 4, 5].map(|i| [m[i][3], m[i][4], m[i][5]]);
            let error = relative_difference(&linear(P.to_matrix().0), &linear(expected));
            worst.record("P⁺ + G D_R G*", seed, error, allowed);
        }
    }
    worst.assert_within();
}

#[test]
fn reading_allocates_nothing_and_refuses_what_is_not_there() {
    for (_, system, random) in cases(20, true) {
        let at = Prepared::new(&system, &random);
        let mut ws = at.workspace();
        let operator = mass_operator(&at.model, &at.state, &mut ws).unwrap();
        for body in at.model.body_indices() {
            let (n, r) = (at.model.modal_speeds(body).len(), at.model.hinge_speeds(body).len());
            let (mut D_f, mut g) = (vec![0.0; n * n], vec![Force::ZERO; n]);
            let (mut D_R, mut G) = (vec![0.0; r * r], vec![Force::ZERO; r]);
            let requests = allocations(|| {
                let view = operator.body(body).unwrap();
                view.modal_inertia(&mut D_f).unwrap();
                view.modal_gain(&mut g).unwrap();
                view.hinge_inertia(&mut D_R).unwrap();
                view.hinge_gain(&mut G).unwrap();
                assert!(view.released_inertia().linear.0.iter().all(|x| x.is_finite()));
            });
            assert_eq!(requests, 0);
            let view = operator.body(body).unwrap();
            assert!(matches!(view.hinge_inertia(&mut [0.0; 50]), Err(DynamicsError::WrongSize { found: 50, .. })));
            assert!(matches!(view.modal_inertia(&mut [0.0; 50]), Err(DynamicsError::WrongSize { found: 50, .. })));
            assert!(
                view.modal_gain(&mut [Force::ZERO; 50]).is_err() && view.hinge_gain(&mut [Force::ZERO; 50]).is_err()
            );
        }
        let (body, bodies) = (BodyIndex(99), at.model.body_count());
        assert_eq!(operator.body(body).err(), Some(DynamicsError::NoSuchBody { body, bodies }));
    }
}
