//! Modal integrals of the patent's Appendix C: mass and gyroscopic forces by orders are those of sums over the nodes.

use crate::spatial_operators::{Case, cases, column, same};
use supple::spatial::Vector3;
use supple_lab::operators::{Deformation, ModalIntegrals, NodalBody};

fn bodies(mut check: impl FnMut(u64, &NodalBody, &Deformation)) {
    for Case { seed, system, at, .. } in cases(60, false) {
        for (k, body) in system.bodies.iter().enumerate().filter(|(_, body)| body.modes.count > 0) {
            let index = supple::BodyIndex(k);
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
