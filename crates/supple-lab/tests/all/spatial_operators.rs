//! The spatial operators of Jain and Rodriguez: the lemmas of the paper and the identities of its Appendix A, and the recursions that follow from them
//! against those of the engine.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use supple::testkit::{Prepared, RandomOptions, condition_number, random_system, tolerance};
use supple::{
    BodyIndex, ElasticRotation, InertiaConvention, System, WrenchFrame, forward_dynamics, kinematics, mass_matrix,
    mass_operator, reactions,
};
use supple_lab::operators::{Articulated, Deformation, Dense, NodalBody, SpatialOperators};

/// A random system of the papers' kind, in motion.
pub struct Case {
    pub seed: u64,
    pub system: System,
    pub at: Prepared,
    pub operators: SpatialOperators,
    pub articulated: Articulated,
    /// Relative error that may be left.
    pub allowed: f64,
}

pub fn cases(count: u64, serial: bool) -> impl Iterator<Item = Case> {
    let options = RandomOptions {
        bodies: 1..=6,
        modes: 5,
        serial,
        elastic_rotation: Some(ElasticRotation::Integrated),
        inertia: Some(InertiaConvention::NewtonEuler),
        mass_ratio: 100.0,
        singular: false,
        ..RandomOptions::default()
    };
    (0..count).map(move |seed| {
        let (mut system, random) = random_system(seed, &options);
        system.gravity = [0.0; 3];
        for body in &mut system.bodies {
            body.hinge.rotor_inertia.clear();
            body.modes.nonlinear = Default::default();
        }
        let mut at = Prepared::new(&system, &random);
        at.inputs.wrenches.clear();
        let operators = SpatialOperators::new(&system, &at.model, &at.state).unwrap();
        let articulated = Articulated::new(&operators).unwrap();
        let mass = operators.mass_matrix();
        let scale = |i: usize| mass.at(i, i).sqrt().recip();
        let scaled: Vec<Vec<f64>> =
            (0..mass.rows()).map(|i| (0..mass.rows()).map(|j| mass.at(i, j) * scale(i) * scale(j)).collect()).collect();
        Case { seed, system, at, operators, articulated, allowed: tolerance(condition_number(&scaled)) }
    })
}

#[track_caller]
pub fn same(what: &str, seed: u64, a: &Dense, b: &Dense, allowed: f64) {
    let error = (a - b).size() / a.size().max(b.size()).max(f64::MIN_POSITIVE);
    assert!(error <= allowed, "{what}, seed {seed}: {error:e}, {allowed:e} allowed");
}

/// A vector as a matrix of one column.
pub fn column(x: &[f64]) -> Dense {
    Dense::from_fn(x.len(), 1, |i, _| x[i])
}

#[test]
fn velocities_are_a_product_of_operators() {
    for Case { seed, at, operators, .. } in cases(60, false) {
        let (model, mut workspace) = (&at.model, at.workspace());
        let found = operators.velocities(&at.state.speeds);
        let dense = &(&operators.Phi().transpose() * &operators.H.transpose()) * &column(&at.state.speeds);
        same("product and recursion", seed, &column(&found), &dense, 1e-13);
        let engine = kinematics(model, &at.state, &mut workspace).unwrap();
        for (place, body) in operators.places.iter().zip(model.body_indices()) {
            let mut expected = at.state.speeds[model.modal_speeds(body)].to_vec();
            expected.extend(engine.body_velocity(body).to_array());
            same("V_m", seed, &column(&found[place.spatial.clone()]), &column(&expected), 1e-11);
        }
        // Forces the other way, and the sum of powers is the inverse.
        let Phi = operators.Phi();
        same("Φ y", seed, &column(&operators.inward(&operators.b)), &(&Phi * &column(&operators.b)), 1e-13);
        let I = Dense::identity(Phi.rows());
        same("Φ⁻¹", seed, &(&(&I - &operators.E_Phi) * &Phi), &I, 1e-12);
    }
}

/// Elements of `Φ` from a body to one inboard of it pass through every body between, and their rigid part is `φ` of the definition, `[[1, l̃], [0, 1]]` with
/// `l` from one frame to the other. `E_Φ` is nilpotent: its power is zero as soon as it reaches past all bodies, and not before.
#[test]
fn transitions_compose() {
    for Case { seed, at, operators, .. } in cases(40, true) {
        let (Phi, places) = (operators.Phi(), &operators.places);
        let mut workspace = at.workspace();
        let poses = kinematics(&at.model, &at.state, &mut workspace).unwrap();
        let block = |i: usize, j: usize| Phi.block(places[i].spatial.clone(), places[j].spatial.clone());
        for j in 0..places.len() {
            for k in 0..=j {
                for i in 0..k {
                    same("Φ(i,j)", seed, &block(i, j), &(&block(i, k) * &block(k, j)), 1e-12);
                }
                let [x, y, z] = (poses.body_position(BodyIndex(j)) - poses.body_position(BodyIndex(k))).0;
                let tilde = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
                let phi = Dense::from_fn(6, 6, |r, c| match (r < 3, c < 3) {
                    (true, false) => tilde[r][c - 3],
                    _ => f64::from(r == c),
                });
                let rigid = |i: usize| places[i].spatial.start + places[i].modes..places[i].spatial.end;
                same("φ(k,j)", seed, &Phi.block(rigid(k), rigid(j)), &phi, 1e-12);
            }
        }
        let power = |n: usize| (0..n).fold(Dense::identity(Phi.rows()), |power, _| &power * &operators.E_Phi);
        assert!(power(places.len() - 1).size() > 0.0 && power(places.len()).size() == 0.0, "seed {seed}");
    }
}

#[test]
fn composite_inertias_decompose_the_mass() {
    for Case { seed, at, operators, .. } in cases(60, false) {
        let (Phi, R) = (operators.Phi(), operators.composite());
        let strict = &Phi - &Dense::identity(Phi.rows());
        let Rs = &R * &strict.transpose();
        let left = &(&Phi * &operators.M) * &Phi.transpose();
        same("lemma 5.1", seed, &left, &(&(&R + &(&strict * &R)) + &Rs), 1e-12);
        let carried = &(&operators.E_Phi * &R) * &operators.E_Phi.transpose();
        same("(65)", seed, &operators.M, &(&R - &carried), 1e-12);
        let n = at.model.speed_count();
        let (mut out, mut workspace, mut dense) = (vec![0.0; n * n], at.workspace(), at.dense_workspace());
        mass_matrix(&at.model, &at.state, &mut workspace, &mut dense, &mut out).unwrap();
        same("(43)", seed, &operators.mass_matrix(), &Dense::from_fn(n, n, |i, j| out[i * n + j]), 1e-11);
    }
}

#[test]
fn identities_of_the_proofs_hold() {
    for Case { seed, operators, articulated, allowed, .. } in cases(80, false) {
        let (Phi, H, M, E) = (operators.Phi(), &operators.H, &operators.M, &operators.E_Phi);
        let Articulated { P, D, D_inverse, G, K, tau, E_psi, psi } = &articulated;
        let (I, unit) = (Dense::identity(M.rows()), Dense::identity(H.rows()));
        let check = |what: &str, a: &Dense, b: &Dense| same(what, seed, a, b, allowed);
        let t = Dense::transpose;
        // A hinge with all freedoms leaves nothing of P.
        check("τ̄P = τ̄Pτ̄*", &(P + &(tau * P)), &(P + &(&(tau * P) * &t(tau))));
        check("GD = PH*", &(G * D), &(P * &t(H)));
        check("(66) ψ", M, &(P - &(&(E_psi * P) * &t(E_psi))));
        check("(66) mixed", M, &(P - &(&(E_psi * P) * &t(E))));
        check("(66) Φ", M, &(&(P - &(&(E * P) * &t(E))) + &(&(K * D) * &t(K))));
        let factor = &unit + &(&(H * &Phi) * K);
        let inverse = &unit - &(&(H * psi) * K);
        check("(54)", &operators.mass_matrix(), &(&(&factor * D) * &t(&factor)));
        let bracket = (&I + &(&(K * H) * &Phi)).inverse().unwrap();
        check("(67)", &inverse, &(&unit - &(&(&(H * &Phi) * &bracket) * K)));
        check("(68)", &(&I - E_psi), &(&(&I - E) + &(K * H)));
        check("ψ⁻¹Φ", &(&(&I - E_psi) * &Phi), &(&I + &(&(K * H) * &Phi)));
        check("(55)", &(&factor * &inverse), &unit);
        check("(56)", &(&(&(&t(&inverse) * D_inverse) * &inverse) * &operators.mass_matrix()), &unit);
        check("(70)", &(&inverse * &(H * &Phi)), &(H * psi));
        let strict = t(&(&Phi - &I));
        check("(72)", &(&(psi * M) * &t(&Phi)), &(&(psi * P) + &(P * &strict)));
        let left = &(&t(&inverse) * D_inverse) * &(&(H * P) * &strict);
        check("(74)", &left, &(&t(K) * &t(psi)));
    }
}

/// Equations (57), (58) and (69), (71), (73) give what the engine gives by (63) and (64).
#[test]
fn unsplit_forward_dynamics_is_that_of_the_engine() {
    for Case { seed, at, operators, articulated, allowed, .. } in cases(80, false) {
        let engine =
            forward_dynamics(&at.model, &at.state, &at.inputs, &mut at.workspace()).unwrap().accelerations().to_vec();
        let unsplit = articulated.forward_dynamics(&operators, &at.inputs.forces);
        same("(58)", seed, &column(&unsplit.accelerations), &column(&engine), allowed);
        let Articulated { P, D_inverse, K, psi, .. } = &articulated;
        let (Phi, H) = (operators.Phi(), &operators.H);
        let inverse = &Dense::identity(H.rows()) - &(&(H * psi) * K);
        let left = &inverse.transpose() * D_inverse;
        let [T, a, b] = [&at.inputs.forces, &operators.a, &operators.b].map(|x| column(x));
        let Hpsi = H * psi;
        let moved = &(&operators.M * &Phi.transpose()) * &a;
        let whole = &T - &(&(H * &Phi) * &(&moved + &b));
        same("(69)", seed, &(&left * &(&inverse * &whole)), &column(&engine), allowed);
        let brace = &(&(K * &T) + &moved) + &b;
        same("(71)", seed, &(&left * &(&T - &(&Hpsi * &brace))), &column(&engine), allowed);
        let brace = &(&(K * &T) + &(P * &a)) + &b;
        let behind = &(&(H * P) * &(&Phi - &Dense::identity(Phi.rows())).transpose()) * &a;
        same("(73)", seed, &(&left * &(&(&T - &(&Hpsi * &brace)) - &behind)), &column(&engine), allowed);
        let back = &(&K.transpose() * &psi.transpose()) * &a;
        same("(57)", seed, &(&(&left * &(&T - &(&Hpsi * &brace))) - &back), &column(&engine), allowed);
        let innovations = &T - &(&Hpsi * &brace);
        same("ε", seed, &column(&unsplit.epsilon), &innovations, allowed);
    }
}

/// (62): hinge and modes of each body apart, before anything is simplified.
#[test]
fn split_recursion_has_the_quantities_of_the_engine() {
    for Case { seed, at, operators, allowed, .. } in cases(60, false) {
        let split = operators.split();
        let articulated = Articulated::new(&split).unwrap();
        let engine =
            forward_dynamics(&at.model, &at.state, &at.inputs, &mut at.workspace()).unwrap().accelerations().to_vec();
        let found = articulated.forward_dynamics(&split, &operators.parted(&at.inputs.forces)).accelerations;
        same("accelerations", seed, &column(&operators.joined(&found)), &column(&engine), allowed);
        let attitudes: Vec<_> = {
            let mut workspace = at.workspace();
            let poses = kinematics(&at.model, &at.state, &mut workspace).unwrap();
            at.model.body_indices().map(|body| poses.body_attitude(body)).collect()
        };
        let mut workspace = at.workspace();
        let factors = mass_operator(&at.model, &at.state, &mut workspace).unwrap();
        for (k, place) in operators.places.iter().enumerate() {
            let body = factors.body(BodyIndex(k)).unwrap();
            let square = |n: usize, write: &dyn Fn(&mut [f64])| {
                let mut out = vec![0.0; n * n];
                write(&mut out);
                Dense::from_fn(n, n, |i, j| out[i * n + j])
            };
            let [hinge, modes] = [&split.places[2 * k], &split.places[2 * k + 1]];
            let own = |matrix: &Dense, at: &std::ops::Range<usize>| matrix.block(at.clone(), at.clone());
            let D_R = square(hinge.speeds.len(), &|out| body.hinge_inertia(out).unwrap());
            same("D_R", seed, &own(&articulated.D, &hinge.speeds), &D_R, allowed);
            let D_f = square(place.modes, &|out| body.modal_inertia(out).unwrap());
            same("D_f", seed, &own(&articulated.D, &modes.speeds), &D_f, allowed);
            // What arrives at the fictitious body is P_R: modes free, hinge not yet.
            let rigid = hinge.spatial.start + place.modes..hinge.spatial.end;
            let P_R = body.inertia().rotate(&attitudes[k]).to_matrix().0;
            same("P_R", seed, &own(&articulated.P, &rigid), &Dense::from_fn(6, 6, |i, j| P_R[i][j]), allowed);
        }
    }
}

/// With the order of (61) as printed, modes inboard of the hinge, forward dynamics is the same, but `D_f` is not that of (62): modes are eliminated last.
#[test]
fn the_printed_order_of_the_two_bodies_is_another_elimination() {
    let mut differs = 0;
    for Case { seed, at, operators, allowed, .. } in cases(40, false) {
        let split = operators.split();
        let mut printed = split.clone();
        for pair in printed.places.chunks_exact_mut(2) {
            let [hinge, modes] = pair else { unreachable!("two of each body") };
            for (own, from, to) in
                [(&hinge.speeds, &hinge.spatial, &modes.spatial), (&modes.speeds, &modes.spatial, &hinge.spatial)]
            {
                printed.H.put(own.start, to.start, &split.H.block(own.clone(), from.clone()));
                printed.H.put(own.start, from.start, &Dense::zeros(own.len(), from.len()));
            }
            std::mem::swap(&mut hinge.speeds, &mut modes.speeds);
        }
        let articulated = Articulated::new(&printed).unwrap();
        let found = articulated.forward_dynamics(&printed, &operators.parted(&at.inputs.forces)).accelerations;
        let engine =
            forward_dynamics(&at.model, &at.state, &at.inputs, &mut at.workspace()).unwrap().accelerations().to_vec();
        same("accelerations", seed, &column(&operators.joined(&found)), &column(&engine), allowed);
        let paper = Articulated::new(&split).unwrap();
        for (k, body) in
            operators.places.iter().enumerate().filter(|(_, place)| 0 < place.modes && place.modes < place.speeds.len())
        {
            let own = split.places[2 * k + 1].speeds.clone();
            let [D_f, other] = [&paper.D, &articulated.D].map(|D| D.block(own.clone(), own.clone()));
            assert_eq!(D_f.rows(), body.modes);
            differs += usize::from((&D_f - &other).size() > 1e-3 * D_f.size());
        }
    }
    assert!(differs > 40, "{differs}");
}

/// (29) to (36): nodal forces, added up from the tips, are the wrenches of hinges that the engine gives.
#[test]
fn nodal_forces_add_up_to_the_wrenches_of_hinges() {
    for Case { seed, system, at, operators, articulated, allowed } in cases(40, false) {
        let unsplit = articulated.forward_dynamics(&operators, &at.inputs.forces);
        let mut workspace = at.workspace();
        let model = &at.model;
        let poses = kinematics(model, &at.state, &mut workspace).unwrap();
        let mut f_m = vec![0.0; operators.a.len()];
        for (k, body) in system.bodies.iter().enumerate() {
            let (index, place) = (BodyIndex(k), &operators.places[k]);
            let nodes = NodalBody::new(body).turned(&poses.body_attitude(index));
            let deformation = Deformation {
                eta: at.state.coordinates[model.modal_coordinates(index)].to_vec(),
                eta_dot: at.state.speeds[model.modal_speeds(index)].to_vec(),
                omega: poses.body_velocity(index).angular,
            };
            let forces = nodes.inertial_forces(&deformation, &unsplit.alpha[place.spatial.clone()]);
            f_m[place.spatial.clone()].copy_from_slice(&nodes.modal_force(&deformation.eta, &forces));
        }
        // C f(k-1): hinges act on the nodes that carry them.
        let f_m = operators.inward(&f_m);
        let arms: Vec<_> = (system.bodies.iter().enumerate())
            .map(|(k, body)| poses.node_position(BodyIndex(k), body.inboard_node) - poses.body_position(BodyIndex(k)))
            .collect();
        let mut workspace = at.workspace();
        let engine = reactions(model, &at.state, &at.inputs, &mut workspace).unwrap();
        for (k, place) in operators.places.iter().enumerate() {
            let hinge = model.hinge_of(BodyIndex(k)).unwrap();
            let wrench = engine.hinge_wrench(hinge, WrenchFrame::Inertial).unwrap();
            let at_frame = wrench.shift(arms[k]).to_array();
            let found = &f_m[place.spatial.start + place.modes..place.spatial.end];
            let size = f_m.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            for (x, y) in found.iter().zip(at_frame) {
                assert!((x - y).abs() <= 10.0 * allowed * size, "seed {seed}, body {k}: {x} and {y}");
            }
        }
    }
}

#[test]
fn what_the_papers_do_not_have_is_refused() {
    let Case { mut system, at, .. } = cases(1, true).next().unwrap();
    system.gravity = [0.0, 0.0, -9.81];
    let error = SpatialOperators::new(&system, &at.model, &at.state).unwrap_err();
    assert!(error.to_string().contains("no gravity"), "{error}");
}
