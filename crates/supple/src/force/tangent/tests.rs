//! Tangents are the derivatives of the generalized forces.

use super::*;
use crate::force::{ConstantForce, ForceElement, ForceLaw, Port, PortKind};
use crate::generic::bias_forces;
use crate::model::System;
use crate::testkit::{Prepared, RandomOptions, RandomState, Worst, moving, random_system};
use crate::{BodyIndex, Terms};

/// What a law does to a body at one state, whatever the body does.
#[derive(Clone, Debug, PartialEq)]
struct Frozen(PortForce<f64>);

impl PartialEq for PortForce<f64> {
    fn eq(&self, other: &Self) -> bool {
        format!("{self:?}") == format!("{other:?}")
    }
}

impl ForceLaw for Frozen {
    const NAME: &'static str = "frozen";
    const PORTS: &'static [PortKind] = &[PortKind::Body];

    fn parameters(&self) -> Vec<f64> {
        let PortForce { wrench, on_moment, on_inertia, .. } = self.0;
        [&wrench.to_array()[..], &on_moment.0, &on_inertia.0].concat()
    }

    fn evaluate<T: Scalar>(p: &[T], _: &Measured<'_, T>, out: &mut Effect<'_, T>) {
        let wrench = Force::from_array(std::array::from_fn(|i| p[i]));
        let on_moment = Vector3([p[6], p[7], p[8]]);
        out.apply_to_body(0, wrench, on_moment, Symmetric3(std::array::from_fn(|i| p[9 + i])));
    }
}

crate::force_element!(Frozen);

/// Derivatives of the generalized forces of the elements of `system` along the motion of one unit speed, from rest.
fn derivatives(system: &System, random: &RandomState, speed: usize) -> Vec<f64> {
    let mut at = Prepared::new(system, random);
    at.state.speeds.fill(0.0);
    at.state.speeds[speed] = 1.0;
    let mut state = moving(&at.model, &at.state, &vec![0.0; at.state.speeds.len()]);
    state.speeds.fill(Dual::ZERO);
    let dual = at.map(Dual::constant);
    let terms = Terms { elements: true, ..Terms::NONE };
    let mut workspace = dual.workspace();
    let forces = bias_forces(&dual.model, &state, &dual.inputs, terms, &mut workspace).unwrap();
    forces.forces().iter().map(|force| force.derivative).collect()
}

/// Elements that do to their nodes and bodies what `effects` say, for ever.
fn frozen(element: &ForceElement, body: usize, effects: &[PortForce<f64>]) -> Vec<ForceElement> {
    let ports = element.ports.iter().zip(effects);
    ports
        .filter_map(|(port, effect)| {
            let (effect, port) = (*effect, *port);
            Some(match port {
                Port::Node { .. } => {
                    let law = ConstantForce { force: effect.wrench.linear.0, moment: effect.wrench.angular.0 };
                    ForceElement::new(law, [port])
                }
                Port::Body { .. } | Port::EveryBody => {
                    ForceElement::new(Frozen(effect), [Port::Body { body: BodyIndex(body) }])
                }
                _ => return None,
            })
        })
        .collect()
}

/// From rest, the generalized forces change by `-U K U*` and by what the same forces, frozen, change as they turn.
#[test]
fn stiffness_is_the_derivative_by_coordinates() {
    let (mut worst, mut kinds) = (Worst::new(), std::collections::BTreeMap::new());
    for seed in 0..40 {
        let options = RandomOptions {
            bodies: 1..=4,
            modes: 3,
            elements: true,
            second_order: seed % 5 > 2,
            ..RandomOptions::default()
        };
        let rotation = [crate::ElasticRotation::RotationVector, crate::ElasticRotation::Euler321][seed as usize % 2];
        let options = RandomOptions { elastic_rotation: Some(rotation), mass_ratio: 1e2, ..options };
        let (mut system, mut random) = random_system(seed, &options);
        random.speeds.fill(0.0);
        let forces = std::mem::take(&mut system.forces);
        for element in forces {
            let kind = element.as_law().name();
            let of_body = element.ports.contains(&Port::EveryBody);
            let body = (0..system.bodies.len()).rev().find(|k| system.bodies[*k].nodes.iter().any(|n| n.mass > 0.0));
            let ports =
                if of_body { vec![Port::Body { body: BodyIndex(body.unwrap()) }] } else { element.ports.clone() };
            let element = element.at(ports);
            let body = match element.ports[..] {
                [Port::Body { body }] => body.0,
                _ => 0,
            };
            let alone = System { forces: vec![element.clone()], ..system.clone() };
            let at = Prepared::new(&alone, &random);
            let (mut tangents, mut ws) = (ElementTangents::new(&at.model), at.workspace());
            tangents.update(&at.model, &at.state, &mut ws).unwrap();
            crate::sweep::applied::energies(&at.model, &at.state, None, &mut ws);
            let held = System { forces: frozen(&element, body, &ws.applied.effects), ..system.clone() };
            let n = at.model.speed_count();
            let mut found = vec![0.0; n * n];
            tangents.add_to([0.0, 1.0], &mut found);
            let mut expected = vec![0.0; n * n];
            // Terms of U K U* cancel where an element cannot be strained: what is left is rounding of their size.
            let largest = |list: &[f64]| list.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let mut size = largest(&tangents.stiffness) * largest(&tangents.columns).powi(2);
            for j in 0..n {
                let (all, turning) = (derivatives(&alone, &random, j), derivatives(&held, &random, j));
                (0..n).for_each(|i| expected[i * n + j] = all[i] - turning[i]);
                size = all.iter().chain(&turning).fold(size, |m, x| m.max(x.abs()));
            }
            if size > 0.0 {
                let error = found.iter().zip(&expected).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
                worst.record(kind, seed, error / size, 1e-9);
                *kinds.entry(kind).or_insert(0) += 1;
            }
        }
    }
    assert!(kinds.len() >= 6 && kinds.values().all(|count| *count >= 5), "{kinds:?}");
    worst.assert_within();
}
