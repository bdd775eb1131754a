//! The spatial operators of Rodriguez, Jain and Kreutz-Delgado on trees, and why the articulated recursion is a Kalman filter.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::spatial_operators::{Case, cases, same};
use supple_lab::operators::{Articulated, Dense};

/// `H* D⁻¹ H`.
fn admittance(H: &Dense, D_inverse: &Dense) -> Dense {
    &(&H.transpose() * D_inverse) * H
}

/// (0.33) and (.45) to (.50).
#[test]
fn identities_of_appendix_b_hold() {
    for Case { seed, operators, articulated, allowed, .. } in cases(80, false) {
        let (phi, H, M, E) = (operators.Phi(), &operators.H, &operators.M, &operators.E_Phi);
        let Articulated { P, D, K, tau, E_psi, psi, G, D_inverse } = &articulated;
        let (I, unit) = (Dense::identity(M.rows()), Dense::identity(H.rows()));
        let check = |what: &str, a: &Dense, b: &Dense| same(what, seed, a, b, allowed);
        let t = Dense::transpose;
        let strict = psi - &I;
        let released = P - &(&(&(P * &t(H)) * D_inverse) * &(H * P));
        check("(0.25)", M, &(P - &(&(E * &released) * &t(E))));
        check("(0.26)", tau, &(&I - &(G * H)));
        check("(.45)", M, &(P - &(&(E_psi * P) * &t(E_psi))));
        check("(.46) left", &strict, &(psi * E_psi));
        check("(.46) right", &strict, &(E_psi * psi));
        check("(.47)", &(&(psi * M) * &t(psi)), &(&(P + &(&strict * P)) + &(P * &t(&strict))));
        check("(.48) left", &(&(&I - E_psi) * &phi), &(&I + &(&(K * H) * &phi)));
        check("(.48) right", &(&phi * &(&I - E_psi)), &(&I + &(&phi * &(K * H))));
        check("(.49)", &(&(&(H * psi) * M) * &(&t(psi) * &t(H))), D);
        check("(.50)", &(&I - E_psi), &(&(&I - E) + &(K * H)));
        check("(0.33)", &(&(&unit - &(&(H * psi) * K)) * &(H * &phi)), &(H * psi));
        // Step C: Ω = ψ* H* D⁻¹ H ψ is Φ* H* 𝓜⁻¹ H Φ.
        let Omega = &(&t(psi) * &admittance(H, D_inverse)) * psi;
        let inverse = operators.mass_matrix().inverse().unwrap();
        check("(0.34)", &Omega, &(&(&(&t(&phi) * &t(H)) * &inverse) * &(H * &phi)));
    }
}

/// `Υ`, block diagonal, by the recursion from base to tips.
fn upsilon(case: &Case) -> Dense {
    let (operators, articulated) = (&case.operators, &case.articulated);
    let mut out = admittance(&operators.H, &articulated.D_inverse);
    for place in &operators.places {
        let Some(parent) = place.parent.map(|p| operators.places[p].spatial.clone()) else { continue };
        let own = place.spatial.clone();
        let psi = articulated.E_psi.block(parent.clone(), own.clone());
        let arrived = &(&psi.transpose() * &out.block(parent.clone(), parent)) * &psi;
        out.put(own.start, own.start, &(&out.block(own.clone(), own) + &arrived));
    }
    out
}

fn Omega(case: &Case) -> Dense {
    let psi = &case.articulated.psi;
    &(&psi.transpose() * &admittance(&case.operators.H, &case.articulated.D_inverse)) * psi
}

/// (.41), (.42) hold for serial chains.
#[test]
fn compliance_of_chains_decomposes() {
    for case in cases(40, true) {
        let (Y, E) = (upsilon(&case), &case.articulated.E_psi);
        let strict = &case.articulated.psi - &Dense::identity(E.rows());
        let right = &admittance(&case.operators.H, &case.articulated.D_inverse) + &(&(&E.transpose() * &Y) * E);
        same("(.41)", case.seed, &Y, &right, case.allowed);
        let sum = &(&Y + &(&strict.transpose() * &Y)) + &(&Y * &strict);
        same("(.42)", case.seed, &Omega(&case), &sum, case.allowed);
    }
}

/// (.43) for trees: the block of two bodies follows from `Υ` of their nearest common ancestor, and is zero only where that is the ground. Printed is zero
/// whenever neither carries the other.
#[test]
fn compliance_of_siblings_is_that_of_their_ancestor() {
    let (mut siblings, mut apart) = (0, 0);
    for case in cases(80, false) {
        let (Y, Omega, psi) = (upsilon(&case), Omega(&case), &case.articulated.psi);
        let places = &case.operators.places;
        let path = |mut k: usize| {
            let mut path = vec![k];
            while let Some(parent) = places[k].parent {
                path.push(parent);
                k = parent;
            }
            path
        };
        let block = |of: &Dense, i: usize, j: usize| of.block(places[i].spatial.clone(), places[j].spatial.clone());
        for j in 0..places.len() {
            for l in 0..places.len() {
                let common = path(j).into_iter().find(|c| path(l).contains(c));
                let found = block(&Omega, j, l);
                let Some(c) = common else {
                    assert_eq!(found.size(), 0.0);
                    apart += 1;
                    continue;
                };
                let expected = &(&block(psi, c, j).transpose() * &block(&Y, c, c)) * &block(psi, c, l);
                assert!((&found - &expected).size() <= case.allowed * Omega.size(), "seed {}", case.seed);
                siblings += usize::from(c != j && c != l && expected.size() > 1e-6 * Omega.size());
            }
        }
    }
    assert!(siblings > 20 && apart > 20, "{siblings} pairs of siblings, {apart} apart");
}

/// Let white noises of covariance `M_m` act on the bodies, carried inward by `Φ`, and let each hinge read `y = H x`. The mass matrix is the covariance
/// of these readings; `P(k)` is the covariance of `x(k)` given the readings of all bodies outboard, and `D(k)` that of the reading's innovation.
/// Conditional covariances are Schur complements of the dense covariance, which knows no recursion.
#[test]
fn articulated_inertias_are_conditional_covariances() {
    for Case { seed, operators, articulated, allowed, .. } in cases(60, false) {
        let (Phi, H, places) = (operators.Phi(), &operators.H, &operators.places);
        let states = &(&Phi * &operators.M) * &Phi.transpose();
        let readings = operators.mass_matrix();
        let cross = &states * &H.transpose();
        for (k, place) in places.iter().enumerate() {
            let outboard: Vec<usize> = (k + 1..places.len())
                .filter(|i| {
                    let mut at = places[*i].parent;
                    while at.is_some_and(|p| p > k) {
                        at = places[at.unwrap()].parent;
                    }
                    at == Some(k)
                })
                .flat_map(|i| places[i].speeds.clone())
                .collect();
            let own = place.spatial.clone();
            let prior = states.block(own.clone(), own.clone());
            let n = outboard.len();
            let known = Dense::from_fn(n, n, |i, j| readings.at(outboard[i], outboard[j]));
            let coupling = Dense::from_fn(own.len(), n, |i, j| cross.at(own.start + i, outboard[j]));
            let gained = &(&coupling * &known.inverse().unwrap()) * &coupling.transpose();
            let P = articulated.P.block(own.clone(), own.clone());
            let error = (&(&prior - &gained) - &P).size();
            assert!(error <= allowed * prior.size(), "seed {seed}, body {k}: {error:e} of {:e}", prior.size());
            let u = place.speeds.clone();
            let H_k = H.block(u.clone(), own);
            let D = &(&H_k * &P) * &H_k.transpose();
            same("D", seed, &articulated.D.block(u.clone(), u), &D, allowed);
        }
        // Innovations are uncorrelated: [I - HψK] 𝓜 [I - HψK]* = D.
        let whiten = &Dense::identity(H.rows()) - &(&(H * &articulated.psi) * &articulated.K);
        same("innovations", seed, &(&(&whiten * &readings) * &whiten.transpose()), &articulated.D, allowed);
    }
}
