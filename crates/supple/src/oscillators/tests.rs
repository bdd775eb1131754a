use super::*;
use crate::force::{Bushing, ForceElement, HingeDamping, Port};
use crate::model::{BodyIndex, HingeKind, ModalMatrix, NodeIndex, System};
use crate::testkit::{Prepared, RandomOptions, random_system};
use crate::workspace::Workspace;
use crate::{mass_matrix, mass_operator};
use supple_spatial::block::symmetric;

/// What acts in a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Acting {
    Modes,
    /// Bodies have drives, which make the mass matrix less even.
    DrivenModes,
    /// Springs between the ground and the last node of every other body, and some prescribed hinges.
    Springs,
    /// Dampers there and at hinges, on rigid bodies.
    Dampers,
}

fn arrange(system: &mut System, acting: Acting) {
    if acting != Acting::DrivenModes {
        system.bodies.iter_mut().for_each(|body| body.hinge.rotor_inertia.clear());
    }
    system.bodies.iter_mut().for_each(|body| body.modes.damping = ModalMatrix::Zero);
    if let Acting::Modes | Acting::DrivenModes = acting {
        return;
    }
    let springs = acting == Acting::Springs;
    let law = Bushing {
        stiffness: if springs { [30.0, 20.0, 10.0] } else { [0.0; 3] },
        angular_stiffness: if springs { [2.0, 3.0, 4.0] } else { [0.0; 3] },
        damping: if springs { [0.0; 3] } else { [1.0, 2.0, 0.5] },
        angular_damping: if springs { [0.0; 3] } else { [0.1, 0.2, 0.3] },
    };
    for (k, body) in system.bodies.iter_mut().enumerate() {
        if k % 2 == 0 {
            let ports = [
                Port::Ground { position: [0.1, 0.2, -0.1] },
                Port::node(BodyIndex(k), NodeIndex(body.nodes.len() - 1)),
            ];
            system.forces.push(ForceElement::new(law, ports));
        }
        if let (false, HingeKind::Revolute { .. }) = (springs, &body.hinge.kind) {
            system.forces.push(ForceElement::new(HingeDamping { damping: 0.7 }, [Port::hinge(BodyIndex(k))]));
        }
    }
}

/// Back and forth is nothing, and in between `A` is the kinematics and `-𝓜⁻¹ (K x + C u)` where either of both acts alone.
#[test]
fn oscillators_are_the_motion_under_the_tangents() {
    for acting in [Acting::Modes, Acting::DrivenModes, Acting::Springs, Acting::Dampers] {
        let (mut tried, mut turned, mut held) = (0, 0, 0);
        for seed in 0..150 {
            let modes = if acting == Acting::Dampers { 0 } else { 40 };
            let (mut system, random) = random_system(seed, &RandomOptions { modes, ..Default::default() });
            arrange(&mut system, acting);
            let mut at = Prepared::new(&system, &random);
            if acting == Acting::Dampers {
                // At rest: forces of dampers turn with what moves.
                at.state.speeds.fill(0.0);
            }
            let model = &at.model;
            let (nq, nu) = (model.coordinate_count(), model.speed_count());
            let positions = nq + 4 * at.state.attitudes.len();
            let mut oscillators = Oscillators::new(model);
            *oscillators.state_mut() = at.state.clone();
            let mut workspace = Workspace::new(model);
            let prescribed: Vec<bool> = (0..model.body_count())
                .map(|k| acting == Acting::Springs && (k as u64 + seed).is_multiple_of(4))
                .collect();
            if oscillators.find(model, &prescribed, 1e-3, &mut workspace).is_err() {
                continue;
            }
            // Unstable directions are left out of `A`.
            let n = oscillators.directions.len();
            if oscillators.squares[..n].contains(&0.0) && acting != Acting::Dampers {
                continue;
            }
            let mut given: Vec<f64> =
                (0..positions + nu).map(|i| ((i * i + 3 * i) as f64 + seed as f64).sin()).collect();
            // Nothing answers to prescribed hinges.
            for (body, _) in model.topology.bodies.iter().zip(&prescribed).filter(|(_, held)| **held) {
                given[body.theta()].fill(0.0);
            }
            let mut x = given.clone();
            oscillators.split(model, &mut x);
            // Rounding may be that of the numbers on the way, which may be larger than those at its ends.
            let between = x.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            let mut ax = vec![0.0; x.len()];
            oscillators.oscillate(model, &x, &mut ax);
            oscillators.join(&mut x);
            oscillators.join(&mut ax);
            let most = x.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            let error = given.iter().zip(&x).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            let condition = random.answer(&system).condition();
            let allowed = if acting == Acting::Modes { 1e-13 * most } else { 1e-14 * between.max(most) };
            assert!(error < allowed * condition, "{acting:?} {seed}: {error:e} {condition:e}");

            // Prescribed hinges are held: their rows are not asked for.
            let forces = tangent_forces(&at, &given, &mut workspace);
            let free: Vec<usize> = (0..nu)
                .filter(|u| {
                    let mut bodies = model.topology.bodies.iter().zip(&prescribed);
                    !bodies.any(|(body, held)| *held && body.beta().contains(u))
                })
                .collect();
            if free.len() < nu {
                let mut mass = vec![0.0; nu * nu];
                let mut dense = DenseWorkspace::new(model);
                mass_matrix(model, &at.state, &mut workspace, &mut dense, &mut mass).unwrap();
                for i in &free {
                    let terms = || mass[i * nu..(i + 1) * nu].iter().zip(&ax[positions..]).map(|(m, a)| m * a);
                    let size = terms().fold(forces[*i].abs().max(1.0), |m, x| m.max(x.abs()));
                    let left: f64 = terms().sum();
                    assert!((left - forces[*i]).abs() < 1e-12 * condition * size, "{seed} {i}: {left} {}", forces[*i]);
                }
                held += 1;
            } else {
                let mut expected = vec![0.0; nu];
                mass_operator(model, &at.state, &mut workspace).unwrap().solve(&forces, &mut expected).unwrap();
                let size = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
                for (a, b) in ax[positions..].iter().zip(&expected) {
                    assert!((a - b).abs() < 1e-12 * condition * size, "{acting:?} {seed}: {a} {b} {condition:e}");
                }
            }
            for u in (0..nu).filter(|u| !free.contains(u)) {
                assert_eq!(ax[positions + u], 0.0, "{seed}");
            }
            let mut state = at.state.clone();
            state.speeds.copy_from_slice(&given[positions..]);
            let mut rates = vec![0.0; nq];
            state.coordinate_rates(model, &mut rates, &mut vec![Quaternion::IDENTITY; state.attitudes.len()]);
            for (a, b) in ax[..nq].iter().zip(&rates) {
                assert!((a - b).abs() < 1e-12 * condition * most, "{acting:?} {seed}: {a} {b}");
            }
            tried += 1;
            turned += oscillators.directions.turned.len();
        }
        println!("{acting:?}: {tried} {turned} {held}");
        assert!(tried > 100, "{acting:?}: {tried}");
        assert!(acting != Acting::Springs || (turned > 20 && held > 20), "{turned} {held}");
    }
}

/// `-K x - C u` at a change `given` of the state, of modes and elements.
fn tangent_forces(at: &Prepared, given: &[f64], workspace: &mut Workspace) -> Vec<f64> {
    let (model, nu) = (&at.model, at.model.speed_count());
    let speeds = &given[given.len() - nu..];
    let (mut forces, mut displacement) = (vec![0.0; nu], vec![0.0; nu]);
    for (body, data) in model.topology.bodies.iter().zip(model.bodies.iter()) {
        displacement[body.eta_dot()].copy_from_slice(&given[body.eta()]);
        let theta = body.theta();
        data.hinge.motion.displacement(
            &at.state.coordinates[theta.clone()],
            &given[theta],
            &mut displacement[body.beta()],
        );
        if let Some(flexible) = &data.flexible {
            let mut K = vec![0.0; cholesky::packed_len(body.modes)];
            flexible.elastic.tangent(&at.state.coordinates[body.eta()], &mut K);
            symmetric::assign_mul(&K, &given[body.eta()], &mut forces[body.eta_dot()]);
        }
    }
    let mut elements = ElementTangents::new(model);
    elements.update(model, &at.state, workspace).unwrap();
    for (weights, x) in [([0.0, 1.0], &displacement[..]), ([1.0, 0.0], speeds)] {
        let mut matrix = vec![0.0; nu * nu];
        elements.add_to(weights, &mut matrix);
        for i in 0..nu {
            forces[i] += (0..nu).map(|j| 0.5 * (matrix[i * nu + j] + matrix[j * nu + i]) * x[j]).sum::<f64>();
        }
    }
    forces.iter().map(|f| -f).collect()
}
