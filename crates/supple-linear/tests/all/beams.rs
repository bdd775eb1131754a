//! Systems of beams against their exact characteristic equations. With `β⁴ = ω² ρA / EI`, bending is a combination of four functions; conditions at both
//! ends give four equations whose determinant vanishes at the frequencies of the system.

use crate::support::{assert_close, conditions, greatest_error, hinge, lump, modes, rates, roots, slender};
use supple::{HingeKind, Inputs, ModelBuilder, Parent, State};
use supple_bodies::beam::{Fitting, ModalBeam, ModeCounts, Support};
use supple_linear::{FrequencyResponse, Selection, linearize, lock};

const LENGTH: f64 = 2.0;
const DENSITY: f64 = 1.5;
const STIFFNESS: f64 = 40.0;

/// `ω` of `β`.
fn rate(beta: f64) -> f64 {
    beta * beta * (STIFFNESS / DENSITY).sqrt()
}

fn beam(modes: ModeCounts, payload: [f64; 2]) -> ModalBeam {
    let [mass, j] = payload;
    let carried = Fitting { mass, inertia: [[j, 0.0, 0.0], [0.0, j, 0.0], [0.0, 0.0, j]], ..Fitting::default() };
    let support = if mass > 0.0 { Support::ClampedLoaded } else { Support::ClampedFree };
    ModalBeam { support, carried, ..ModalBeam::cantilever(LENGTH, slender(DENSITY, STIFFNESS), modes) }
}

/// A cantilever with a body of mass `m` and inertia `J` on its tip:
/// `w(0) = w'(0) = 0`, `EI w''(L) = ω² J w'(L)`, `EI w'''(L) = -ω² m w(L)`.
#[test]
fn cantilever_with_tip_mass_and_inertia() {
    let (m, j) = (2.3, 0.4);
    let strip = beam(ModeCounts { bending_y: 5, ..ModeCounts::default() }, [m, j]);
    let mut builder = ModelBuilder::new();
    let body = builder.body(strip.body("beam", Parent::Ground, hinge("root", HingeKind::Fixed)));
    builder.body(lump("payload", Parent::Body(body, strip.tip_node()), hinge("grip", HingeKind::Fixed), m, j));
    let model = builder.build().unwrap();
    let found = modes(&model, &Inputs::new(&model));
    // ω²/EI = β⁴/ρA
    let exact = roots(
        |beta| {
            let b4 = beta.powi(4) / DENSITY;
            conditions(beta, LENGTH, |i, root, tip| match i {
                0 => root[0],
                1 => root[1],
                2 => tip[2] - b4 * j * tip[1],
                _ => tip[3] + b4 * m * tip[0],
            })
        },
        0.05,
        5,
    );
    let exact: Vec<f64> = exact.into_iter().map(rate).collect();
    println!("cantilever with tip mass: {:.1e}", greatest_error(&rates(&found), &exact));
    assert_close(&rates(&found), &exact, 1e-9);
    // What the ground feels of all modes together is less than all mass, and nearly all of it.
    let effective: f64 = found.modes.iter().map(|mode| mode.effective_mass[1]).sum();
    let total = m + DENSITY * LENGTH;
    assert!(effective < total && effective > 0.9 * total, "{effective} of {total}");
    for mode in &found.modes {
        assert!((mode.strain_energy.iter().sum::<f64>() - 1.0).abs() < 1e-9 && mode.damping_ratio == 0.0);
        assert!((mode.participation.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

/// A link pinned to the ground with hub inertia `J_h` and a payload `m`, `J`:
/// `w(0) = 0`, `EI w''(0) = -ω² J_h w'(0)`, and at the tip as above. Clamped modes converge to it from above.
#[test]
fn pinned_link_with_hub_inertia_and_payload() {
    let (hub, m, j) = (0.7, 1.1, 0.2);
    let exact = roots(
        |beta| {
            let b4 = beta.powi(4) / DENSITY;
            conditions(beta, LENGTH, |i, root, tip| match i {
                0 => root[0],
                1 => root[2] + b4 * hub * root[1],
                2 => tip[2] - b4 * j * tip[1],
                _ => tip[3] + b4 * m * tip[0],
            })
        },
        0.05,
        3,
    );
    let exact: Vec<f64> = exact.into_iter().map(rate).collect();
    let mut before = f64::INFINITY;
    for count in [3, 6, 12] {
        let strip = beam(ModeCounts { bending_y: count, ..ModeCounts::default() }, [m, j]);
        let mut builder = ModelBuilder::new();
        let pin = hinge("shoulder", HingeKind::Revolute { axis: [0.0, 0.0, 1.0] }).driven([hub]);
        let body = builder.body(strip.body("link", Parent::Ground, pin));
        builder.body(lump("payload", Parent::Body(body, strip.tip_node()), hinge("grip", HingeKind::Fixed), m, j));
        let model = builder.build().unwrap();
        let found = modes(&model, &Inputs::new(&model));
        let rigid = &found.modes[0];
        assert!(rigid.frequency == 0.0 && rigid.eigenvalue.abs() == 0.0 && rigid.strain_energy == [0.0, 0.0]);
        let elastic = &rates(&found)[1..4];
        let error = greatest_error(elastic, &exact);
        println!("pinned link, {count} modes: {error:.1e}");
        assert!(elastic.iter().zip(&exact).all(|(found, exact)| *found > exact * (1.0 - 1e-10)));
        assert!(error < 0.5 * before);
        before = error;
        // Locked, the link is the cantilever of its modes.
        let mut locked = Inputs::new(&model);
        lock(&model, &mut locked, &["shoulder"]).unwrap();
        assert_eq!(modes(&model, &locked).modes.len(), count);
    }
    assert!(before < 1e-6, "{before:.1e}");
}

/// A rigid hub that floats, with a panel on either side that bends out of plane. Symmetric: the hub moves, `w'(0) = 0`,
/// `2 EI w'''(0) = ω² m w(0)`. Antisymmetric: it turns, `w(0) = a w'(0)`, `2 EI (w''(0) - a w'''(0)) = -ω² J w'(0)`. Tips are free.
#[test]
fn free_spacecraft_with_two_panels() {
    let (m, j, a) = (6.0, 1.7, 0.5);
    let free_tip = |i: usize, tip: &[f64; 4]| if i == 2 { tip[2] } else { tip[3] };
    let symmetric = |beta: f64| {
        let b4 = beta.powi(4) / DENSITY;
        conditions(beta, LENGTH, |i, root, tip| match i {
            0 => root[1],
            1 => 2.0 * root[3] - b4 * m * root[0],
            _ => free_tip(i, tip),
        })
    };
    let antisymmetric = |beta: f64| {
        let b4 = beta.powi(4) / DENSITY;
        conditions(beta, LENGTH, |i, root, tip| match i {
            0 => root[0] - a * root[1],
            1 => 2.0 * (root[2] - a * root[3]) + b4 * j * root[1],
            _ => free_tip(i, tip),
        })
    };
    let mut exact: Vec<f64> =
        roots(symmetric, 0.05, 3).into_iter().chain(roots(antisymmetric, 0.05, 3)).map(rate).collect();
    exact.sort_by(f64::total_cmp);
    let mut before = f64::INFINITY;
    for count in [4, 8, 16] {
        let panel = beam(ModeCounts { bending_z: count, ..ModeCounts::default() }, [0.0; 2]);
        let mut builder = ModelBuilder::new();
        let inertia = [[2.0, 0.0, 0.0], [0.0, j, 0.0], [0.0, 0.0, 3.0]];
        let mut hub = supple::Body::rigid("hub", Parent::Ground, hinge("base", HingeKind::Free), m, [0.0; 3], inertia);
        let sides = [[a, 0.0, 0.0], [-a, 0.0, 0.0]].map(|position| {
            hub.nodes.push(supple::Node { position, ..supple::Node::default() });
            supple::NodeIndex(hub.nodes.len() - 1)
        });
        let hub = builder.body(hub);
        let back = [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]];
        builder.body(panel.body("east", Parent::Body(hub, sides[0]), hinge("east", HingeKind::Fixed)));
        builder.body(panel.body("west", Parent::Body(hub, sides[1]), hinge("west", HingeKind::Fixed).turned(back)));
        let model = builder.build().unwrap();
        let found = modes(&model, &Inputs::new(&model));
        let all = rates(&found);
        assert!(all[..6].iter().all(|rate| *rate == 0.0) && all[6] > 0.0, "{all:?}");
        let error = greatest_error(&all[6..12], &exact);
        println!("spacecraft, {count} modes per panel: {error:.1e}");
        assert!(error < 0.5 * before);
        before = error;
    }
    assert!(before < 1e-6, "{before:.1e}");
}

/// Forces on the tip of a cantilever bend it by `M(x)/EI`, stretch it by `P/EA` and twist it by `M/GJ`, slowly enough: at every node that tells
/// strains.
#[test]
fn strains_are_those_of_the_loads() {
    let modes = ModeCounts { bending_y: 2, bending_z: 1, stretch: 1, twist: 1 };
    let strip = ModalBeam { support: Support::ClampedInterface, ..beam(modes, [0.0; 2]) };
    let section = strip.properties;
    let mut builder = ModelBuilder::new();
    builder.body(strip.body("beam", Parent::Ground, hinge("root", HingeKind::Fixed)));
    let model = builder.build().unwrap();
    let forces = ["force.x", "force.y", "force.z", "moment.x"].map(|part| format!("wrench.beam.tip.{part}"));
    let parts = ["stretch", "curvature_z", "curvature_y", "twist"];
    for (node, x) in [("root", 0.0), ("5", strip.nodes()[5].position[0]), ("tip", LENGTH)] {
        let outputs = parts.map(|part| format!("strain.beam.{node}.{part}"));
        let selection = Selection::new(forces.clone(), outputs);
        let linear = linearize(&model, &State::new(&model), &Inputs::new(&model), &selection).unwrap();
        let gains = FrequencyResponse::new(&linear).unwrap().at(0.0).unwrap();
        let arm = LENGTH - x;
        let expected = [1.0 / section.axial, arm / section.bending_y, -arm / section.bending_z, 1.0 / section.torsion];
        for i in 0..4 {
            for j in 0..4 {
                let (found, expected) = (gains.gain(i, j).re, if i == j { expected[i] } else { 0.0 });
                let size = 1.0 / [section.axial, section.bending_y, section.bending_z, section.torsion][i];
                assert!(
                    (found - expected).abs() < 1e-9 * size,
                    "{node} {} per {}: {found} for {expected}",
                    parts[i],
                    forces[j]
                );
            }
        }
    }
}
