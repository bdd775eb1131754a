//! The mode report of beams whose effective masses are known.

use supple::{Body, Hinge, HingeKind, ModalInertia, ModalMatrix, Modes, Node, Parent, SecondOrderShape};
use supple_bodies::fe::{BeamMesh, Condition};
use supple_bodies::reduction::Reduction;
use supple_bodies::report::{ModeReport, ModeWarning};
use supple_bodies::section::BeamProperties;

fn boom() -> BeamProperties {
    BeamProperties {
        mass: 138.0 / 6.4,
        axial: 2.790e9,
        bending_y: 4.046e6,
        bending_z: 4.046e6,
        torsion: 2.040e6,
        shear: f64::INFINITY,
        rotary: [0.4 / 6.4, 0.0, 0.0],
    }
}

fn report(conditions: &[Condition], modes: usize) -> ModeReport {
    let mesh = BeamMesh::uniform(6.4, 20, boom()).unwrap();
    let modes = Reduction::eigenmodes(mesh.held(conditions), modes).reduce(&mesh.structure()).unwrap();
    let body = mesh.body(&modes);
    ModeReport::new(&body.nodes, &body.stiffness)
}

/// A uniform cantilever: 61.31 and 18.83 % of the mass across, and 97.07 % of the inertia in the first bending mode.
#[test]
fn cantilever_has_its_known_effective_masses() {
    let report = report(&[Condition::clamped(0)], 16);
    let text = report.to_string();
    println!("{text}");
    assert!((report.rigid[3] - 138.0).abs() < 1e-9 && (report.rigid[1] - 138.0 * 6.4 * 6.4 / 3.0).abs() < 1e-8);
    assert!((report.modes[0].frequency - 37.1838 / std::f64::consts::TAU).abs() < 1e-4);
    // Equal bending planes: the two first modes share the direction in some way, their sum is known.
    let across = |i: usize| report.modes[i].percent[4] + report.modes[i].percent[5];
    assert!((across(0) - 61.31).abs() < 0.01 && (across(1) - 61.31).abs() < 0.01, "{}", across(0));
    assert!((across(2) - 18.83).abs() < 0.01);
    let turn = report.modes[0].percent[1] + report.modes[0].percent[2];
    assert!((turn - 97.07).abs() < 0.01, "{turn}");
    // Lowest stretch mode: 8/π² of the mass; twist the same of the inertia about x.
    let share = 800.0 / std::f64::consts::PI.powi(2);
    assert!(report.modes.iter().any(|m| (m.percent[3] - share).abs() < 0.1));
    assert!(report.modes.iter().any(|m| (m.percent[0] - share).abs() < 0.1));
    assert!(report.modes.iter().all(|m| m.running.iter().all(|&p| p < 100.0 + 1e-9)));
    let duplicate = |w: &ModeWarning| matches!(w, ModeWarning::NearDuplicate { modes: [0, 1], .. });
    assert!(report.warnings.iter().any(duplicate), "{:?}", report.warnings);
    assert!(text.contains("modes 1 and 2") && !report.free && !report.turned);
}

/// Two bending modes leave 39 % of the mass across and everything along the beam unseen.
#[test]
fn too_few_modes_are_told() {
    let report = report(&[Condition::clamped(0)], 2);
    let told = |d: usize| {
        report.warnings.iter().any(|w| matches!(w, ModeWarning::TooFewModes { direction, .. } if *direction == d))
    };
    assert!(!told(3) && told(4) && told(5) && !told(0) && !told(1) && !told(2), "{:?}", report.warnings);
    assert_eq!(report.unmoved, [3, 0]);
    assert_eq!(report.modes[0].sketch.axis, 0);
    assert!(report.modes[0].sketch.direction >= 4);
    // Nothing stretches or twists: one line says so, and asks for no modes there.
    let text = report.to_string();
    assert!(text.contains("note: no mode moves along x, about x: the body is rigid there"), "{text}");
    assert!(!text.contains("effective mass along x:") && text.contains("effective mass along y:"), "{text}");
}

/// Free modes: rigid motion carries the mass, nothing is warned of but equal frequencies.
#[test]
fn free_modes_are_recognised() {
    let report = report(&[], 6);
    assert!(report.free, "{:?}", report.modes[0].percent);
    assert!(report.warnings.iter().all(|w| matches!(w, ModeWarning::NearDuplicate { .. })));
    assert!(report.to_string().contains("free-free modes"));
}

/// Two coupled coordinates of two masses on springs are reported as their eigenmodes.
#[test]
fn coupled_modes_are_turned() {
    // Masses 1 at x = 0 and 1; coordinates: both together along y, and the second alone.
    let node = |x: f64, a: f64, b: f64| Node {
        position: [x, 0.0, 0.0],
        mass: 1.0,
        influence: vec![[0.0, 0.0, 0.0, 0.0, a, 0.0], [0.0, 0.0, 0.0, 0.0, b, 0.0]],
        ..Node::default()
    };
    let nodes = [node(0.0, 1.0, 0.0), node(1.0, 1.0, 1.0)];
    // Springs of stiffness 1 from ground to the first and between the two.
    let report = ModeReport::new(&nodes, &ModalMatrix::Full(vec![vec![1.0, 0.0], vec![0.0, 1.0]]));
    assert!(report.turned);
    let golden = [(3.0 - 5.0_f64.sqrt()) / 2.0, (3.0 + 5.0_f64.sqrt()) / 2.0];
    for (mode, square) in report.modes.iter().zip(golden) {
        assert!((mode.angular_frequency.powi(2) - square).abs() < 1e-12);
    }
    assert!((report.modes[1].running[4] - 100.0).abs() < 1e-9);
    let same = ModeReport::from_frequencies(&nodes[..1], &[2.0, 2.0 + 1e-9]);
    assert_eq!(same.modes.len(), 2);
}

/// The coupled pair of masses as a body with damping, and a second-order shape that is none of its modes.
fn pair() -> Body {
    let along_y = |c: f64| [0.0, 0.0, 0.0, 0.0, c, 0.0];
    let node = |x: f64, a: f64, b: f64| Node {
        position: [x, 0.0, 0.0],
        mass: 1.0,
        influence: vec![along_y(a), along_y(b), [0.0, 0.0, 0.0, -x, 0.0, 0.0]],
        ..Node::default()
    };
    let unit = ModalMatrix::Diagonal(vec![1.0, 1.0]);
    let second_order = vec![SecondOrderShape { quadratic: vec![([0, 0], 1.0)] }];
    let modes = Modes { count: 2, stiffness: unit.clone(), damping: unit, second_order, ..Modes::default() };
    let body = Body::new("pair", Parent::Ground, Hinge::new(HingeKind::Fixed)).with_modes(modes);
    body.with_node(node(0.0, 1.0, 0.0)).with_node(node(1.0, 1.0, 1.0))
}

/// The inertia of a body may be at its nodes or in tables: the report is the same, but for where the mass is.
#[test]
fn tables_of_inertia_are_reported_like_nodes() {
    let body = pair();
    let mut tables = body.clone().with_modal_inertia(ModalInertia::of(&body));
    tables.nodes = body.nodes.iter().cloned().map(Node::without_mass).collect();
    let (a, b) = (ModeReport::of_body(&body), ModeReport::of_body(&tables));
    assert_eq!((a.modes.len(), a.rigid, a.reachable), (2, b.rigid, b.reachable));
    for (x, y) in a.modes.iter().zip(&b.modes) {
        assert!((x.frequency - y.frequency).abs() < 1e-14 && (x.modal_mass, y.modal_mass) == (1.0, 1.0));
        // Damping in proportion to stiffness: ζ = ω / 2.
        for mode in [x, y] {
            assert!((mode.damping_ratio.unwrap() - mode.angular_frequency / 2.0).abs() < 1e-13);
        }
        for d in 0..6 {
            assert!((x.percent[d] - y.percent[d]).abs() < 1e-12, "{d}");
        }
        assert_eq!((x.sketch.direction, x.sketch.axis), (4, 0));
        assert_eq!(x.sketch, y.sketch);
    }
}

/// Modes that move no mass are told; nothing becomes NaN.
#[test]
fn modes_without_mass_are_told() {
    let mut body = pair();
    body.nodes[1].mass = 0.0;
    let report = ModeReport::of_body(&body);
    assert!(report.warnings.contains(&ModeWarning::SingularMass), "{:?}", report.warnings);
    assert!(report.modes[1].frequency.is_infinite() && report.modes[1].damping_ratio.is_none());
    assert!(report.modes.iter().all(|m| m.running.iter().chain(&m.participation).all(|x| x.is_finite())));
    assert!(report.to_string().contains("inf"));
}
