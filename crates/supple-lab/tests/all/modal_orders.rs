//! Modal integrals of the patent's Appendix C: mass and gyroscopic forces by orders are those of sums over the nodes.

use crate::spatial_operators::{Case, cases, column, same};
use supple::spatial::{Motion, Vector3};
use supple::{BodyIndex, HingeKind, Parent, kinematics};
use supple_lab::operators::{Crossing, Deformation, Dense, ModalIntegrals, NodalBody};

fn bodies(mut check: impl FnMut(u64, &NodalBody, &Deformation)) {
    for Case { seed, system, at, .. } in cases(60, false) {
        for (k, body) in system.bodies.iter().enumerate().filter(|(_, body)| body.modes.count > 0) {
            let index = BodyIndex(k);
            let deformation = Deformation {
                eta: at.state.coordinates[at.model.modal_coordinates(index)].to_vec(),
                eta_dot: (0..body.modes.count).map(|r| (r as f64 + seed as f64).sin()).collect(),
                omega: Vector3([0.7, -1.1, 0.4 + k as f64]),
            };
            check(seed, &NodalBody::new(body), &deformation);
        }
    }
}

#[test]
fn orders_of_the_mass_are_those_of_the_nodes() {
    bodies(|seed, nodes, at| {
        let [tables, sums] = [ModalIntegrals::new(nodes).mass_orders(&at.eta), nodes.mass_orders(&at.eta)];
        let whole = nodes.modal_mass(&at.eta);
        for (order, (a, b)) in tables.iter().zip(&sums).enumerate() {
            assert!((a - b).size() <= 1e-13 * whole.size(), "seed {seed}, order {order}");
        }
        same("sum", seed, &(&(&tables[0] + &tables[1]) + &tables[2]), &whole, 1e-13);
    });
}

#[test]
fn orders_of_the_bias_are_those_of_the_nodes() {
    bodies(|seed, nodes, at| {
        let [tables, sums] = [ModalIntegrals::new(nodes).bias_orders(at), nodes.bias_orders(at)];
        let whole = nodes.bias(at);
        let size = sums.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
        for (order, (a, b)) in tables.iter().zip(&sums).enumerate() {
            let error = (&column(a) - &column(b)).size();
            assert!(error <= 1e-12 * size, "seed {seed}, order {order}: {error:e} of {size:e}");
        }
        let sum: Vec<f64> = (0..whole.len()).map(|i| tables.iter().map(|order| order[i]).sum()).collect();
        assert!((&column(&sum) - &column(&whole)).size() <= 1e-12 * size, "seed {seed}");
    });
}

/// (89) in the form that holds is the acceleration of the engine across every hinge whose axes are fixed in its frame, free-free modes included, and its
/// orders add up to it.
#[test]
fn orders_of_the_coriolis_acceleration_add_up() {
    let mut crossings = 0;
    for Case { seed, system, at, operators, allowed, .. } in cases(80, false) {
        let (model, mut workspace) = (&at.model, at.workspace());
        let poses = kinematics(model, &at.state, &mut workspace).unwrap();
        for (k, body) in system.bodies.iter().enumerate() {
            let Parent::Body(parent, t) = body.parent else { continue };
            if matches!(body.hinge.kind, HingeKind::Universal { .. } | HingeKind::Planar { .. } | HingeKind::Free) {
                continue;
            }
            let (own, d) = (BodyIndex(k), body.inboard_node);
            let place = &operators.places[k];
            let u = model.hinge_speeds(own);
            let rigid = place.spatial.start + place.modes..place.spatial.end;
            let map = operators.H.block(u.clone(), rigid.clone()).transpose();
            let moved = map.times(&at.state.speeds[u]);
            let back = poses.node_position(own, d) - poses.body_position(own);
            let deflected = |body: BodyIndex, node| poses.body_attitude(body) * poses.node_deflection(body, node);
            let rate =
                |body: BodyIndex, node| poses.node_deformation_rate(body, node).rotate(&poses.body_attitude(body));
            let crossing = Crossing {
                omega: poses.body_velocity(parent).angular,
                l0: poses.node_position(parent, t) - poses.body_position(parent) - deflected(parent, t),
                arm: poses.node_position(own, d) - poses.node_position(parent, t),
                y0: deflected(own, d) - back,
                hinge: Motion::from_array(std::array::from_fn(|i| moved[i])).shift(back),
                outboard: (deflected(parent, t), rate(parent, t)),
                inboard: (deflected(own, d), rate(own, d)),
            };
            let whole = crossing.acceleration();
            let sum = crossing.orders().into_iter().fold(Motion::ZERO, |sum, order| sum + order);
            let size = column(&operators.a).size();
            let error = (&column(&whole.to_array()) - &column(&operators.a[rigid])).size();
            assert!(error <= 10.0 * allowed * size, "seed {seed}, body {k}: {error:e} of {size:e}");
            assert!((&column(&whole.to_array()) - &column(&sum.to_array())).size() <= 1e-12 * size, "seed {seed}");
            crossings += 1;
        }
    }
    assert!(crossings > 50, "{crossings}");
}

/// The inertia of a body that is bent far stays that of masses only with the square of the deformation [DS95 (15)]: without it a turn at right angles would have
/// energy below zero.
#[test]
fn the_square_of_the_deformation_keeps_the_inertia_positive() {
    let mut lost = 0;
    bodies(|seed, nodes, at| {
        let n = at.eta.len();
        for size in [1.0, 10.0, 100.0] {
            let eta: Vec<f64> = at.eta.iter().map(|x| -size * x).collect();
            let [order_0, order_1, order_2] = ModalIntegrals::new(nodes).mass_orders(&eta);
            let first = &order_0 + &order_1;
            let rotation = n..n + 3;
            let block = |m: &Dense| m.block(rotation.clone(), rotation.clone());
            // Leading minors, over the greatest element.
            let positive = |m: &Dense| {
                let at = |i: usize, j: usize| m.at(i, j) / m.size();
                let two = at(0, 0) * at(1, 1) - at(0, 1) * at(1, 0);
                let last = at(2, 0) * (at(0, 1) * at(1, 2) - at(0, 2) * at(1, 1))
                    - at(2, 1) * (at(0, 0) * at(1, 2) - at(0, 2) * at(1, 0));
                at(0, 0) > 0.0 && two > 0.0 && last + at(2, 2) * two > 0.0
            };
            assert!(positive(&block(&(&first + &order_2))), "seed {seed}, {size}");
            lost += usize::from(!positive(&block(&first)));
        }
    });
    assert!(lost > 50, "{lost}");
}
