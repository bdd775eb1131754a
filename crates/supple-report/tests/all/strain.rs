//! Strains along beams are those of the exact shapes.

use supple::{Body, ElasticRotation, Hinge, HingeKind, Model, Parent, System};
use supple_bodies::beam::bending::{EndLoad, bending_modes};
use supple_bodies::beam::{ModalBeam, ModeCounts, Support};
use supple_bodies::section::{BeamProperties, Material, Section};
use supple_io::model_file;
use supple_report::Scene;
use supple_report::scene::{Fibres, SceneBody};

const STEEL: Material = Material { young: 2.1e11, poisson: 0.3, density: 7850.0 };
const LENGTH: f64 = 3.0;

fn scene(beam: &ModalBeam) -> Scene {
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
    let system = System {
        bodies: vec![beam.body("boom", Parent::Ground, hinge)],
        elastic_rotation: ElasticRotation::RotationVector,
        ..System::default()
    };
    let model = Model::build(&system).unwrap();
    Scene::new("beam", &system, &model, &|_| Vec::new())
}

fn beam(modes: ModeCounts, support: Support, rotary_inertia: bool) -> ModalBeam {
    let section = Section::Tube { outer: 0.05, inner: 0.04 };
    let own = ModalBeam::cantilever(LENGTH, BeamProperties::new(section, STEEL), modes);
    ModalBeam { support, rotary_inertia, ..own }
}

/// Place along x of a node of the line.
fn place(body: &SceneBody, n: usize) -> f64 {
    f64::from(body.positions.0[3 * body.line.as_ref().unwrap()[n]])
}

/// Greatest difference between curvatures of mode `r` and those of the exact shape, over the greatest of the latter. The scale of a mode is
/// that of its displacements.
fn error(body: &SceneBody, r: usize, shape: &dyn Fn(i32, f64) -> f64, axis: usize) -> f64 {
    let (strain, line) = (body.strain.as_ref().unwrap(), body.line.as_ref().unwrap());
    let columns = body.modes + body.second_order.len();
    let tip = *line.last().unwrap();
    // Displacement along y bends about z, along z about −y.
    let told = f64::from(body.influence.0[6 * (tip * columns + r) + if axis == 2 { 4 } else { 5 }]);
    let scale = told / shape(0, LENGTH);
    let mut eta = vec![0.0; body.modes];
    eta[r] = 1.0;
    let (mut most, mut away) = (0.0_f64, 0.0_f64);
    for n in 0..line.len() {
        let exact = scale * shape(2, place(body, n)) * if axis == 2 { 1.0 } else { -1.0 };
        most = most.max(exact.abs());
        away = away.max((strain.at(n, &eta)[axis] - exact).abs());
    }
    away / most
}

/// Whether nodes tell rotations (with rotary inertia) or not, curvatures are those of the exact modes at every node, also at the root, where a
/// cantilever feels most. What five nodes make of a mode of highest order among `m` on `12 + 4 m` points was computed beforehand.
#[test]
fn curvatures_of_cantilever_modes_are_exact_but_for_their_interpolation() {
    for rotary_inertia in [false, true] {
        for (count, allowed) in [(1, 5e-4), (2, 2e-3), (4, 6e-3)] {
            let modes = ModeCounts { bending_y: count, bending_z: count, ..ModeCounts::default() };
            let own = scene(&beam(modes, Support::ClampedFree, rotary_inertia));
            let exact = bending_modes(Support::ClampedFree, EndLoad { mass: 0.0, inertia: 0.0 }, LENGTH, count);
            for (r, mode) in exact.iter().enumerate() {
                let shape = |order: i32, x: f64| mode.derivative(order, x);
                for (first, axis) in [(0, 2), (count, 1)] {
                    let away = error(&own.bodies[0], first + r, &shape, axis);
                    assert!(away < allowed, "{count} modes, mode {r}, axis {axis}, turning {rotary_inertia}: {away:e}");
                    assert!(away > 0.0, "curvatures are not those of the shapes by accident");
                }
            }
        }
    }
}

/// Stretch `sin(π x / 2 L)` per unit tip: `ε = π / 2 L cos(π x / 2 L)`, and no curvature. Twist strains nothing here.
#[test]
fn stretch_is_the_slope_and_twist_is_none() {
    let modes = ModeCounts { stretch: 1, twist: 1, ..ModeCounts::default() };
    let own = scene(&beam(modes, Support::ClampedFree, false));
    let body = &own.bodies[0];
    let (strain, line) = (body.strain.as_ref().unwrap(), body.line.as_ref().unwrap());
    let columns = body.modes + body.second_order.len();
    let tip = f64::from(body.influence.0[6 * (line.last().unwrap() * columns) + 3]);
    let wave = std::f64::consts::PI / (2.0 * LENGTH);
    for n in 0..line.len() {
        let exact = tip * wave * (wave * place(body, n)).cos();
        let [stretch, y, z] = strain.at(n, &[1.0, 0.0]);
        assert!((stretch - exact).abs() < 1e-4 * tip * wave, "node {n}: {stretch} {exact}");
        assert_eq!([y, z], [0.0; 2]);
        assert_eq!(strain.at(n, &[0.0, 1.0]), [0.0; 3]);
    }
}

/// A cantilever with a force at its tip as one Ritz mode: `v = (3 L x² − x³) / 2 L³`, `κ = 3 (L − x) / L³`. Polynomials are met exactly.
#[test]
fn a_static_shape_is_met_exactly() {
    for turning in [false, true] {
        let node = |i: u32| {
            let x = LENGTH * f64::from(i) / 10.0;
            let v = (3.0 * LENGTH * x * x - x.powi(3)) / (2.0 * LENGTH.powi(3));
            let slope = if turning { (6.0 * LENGTH * x - 3.0 * x * x) / (2.0 * LENGTH.powi(3)) } else { 0.0 };
            supple::Node {
                position: [x, 0.0, 0.0],
                mass: 1.0,
                inertia: [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]],
                influence: vec![[0.0, 0.0, slope, 0.0, v, 0.0]],
                ..supple::Node::default()
            }
        };
        let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
        let mut body = Body { nodes: (0..=10).map(node).collect(), ..Body::new("ritz", Parent::Ground, hinge) };
        body.modes.count = 1;
        body.modes.stiffness = supple::ModalMatrix::Diagonal(vec![100.0]);
        let system = System { bodies: vec![body], ..System::default() };
        let model = Model::build(&system).unwrap();
        let own = Scene::new("ritz", &system, &model, &|_| Vec::new());
        let strain = own.bodies[0].strain.as_ref().unwrap();
        assert_eq!(strain.fibres, None, "no section is known");
        for n in 0..=10 {
            let exact = 3.0 * (LENGTH - place(&own.bodies[0], n)) / LENGTH.powi(3);
            let found = strain.at(n, &[1.0])[2];
            assert!((found - exact).abs() < 1e-6, "node {n}, turning {turning}: {found} {exact}");
        }
    }
}

/// Sections of files reach the scene, turned as the beam is; pieces beside the beam have no strain.
#[test]
fn sections_of_files_are_known() {
    let text = r#"
format = "supple-model-1"
[[body]]
name = "boom"
hinge = { kind = "revolute", axis = [0, 0, 1] }
[body.beam]
length = 2.0
start = [0, 0, 0.5]
direction = [0, 0, 1]
section = { rectangle = { width = 0.02, height = 0.06 } }
material = { E = 7e10, nu = 0.33, density = 2700 }
modes = { basis = "cantilever", bending_y = 1, bending_z = 1 }

[[body]]
name = "rope"
hinge = { kind = "revolute", axis = [0, 0, 1] }
[body.beam]
length = 1.0
properties = { mass_per_length = 1, EA = 1e6, EI_y = 100, EI_z = 100, GJ = 100, rotary_inertia = [0.1, 0.05, 0.05] }
modes = { bending_y = 1 }
"#;
    let file = model_file::from_text("model.toml", text, None).unwrap();
    let own = Scene::with_looks("two", &file.system, &file.model, &|_| Vec::new(), (&file).into());
    let (boom, rope) = (own.bodies[0].strain.as_ref().unwrap(), own.bodies[1].strain.as_ref().unwrap());
    assert_eq!(boom.fibres, Some(Fibres::Corners { y: 0.01, z: 0.03 }));
    assert_eq!(rope.fibres, None);
    // The node at the origin is half a metre before the beam, in line with it.
    assert_eq!(own.bodies[0].node_names[own.bodies[0].line.as_ref().unwrap()[0]], "origin");
    assert_eq!(boom.at(0, &[1.0, 1.0]), [0.0; 3]);
    // The root of a cantilever in its first mode: κ L² = 3.516 times the tip's deflection (β² L² with the shape's norm 2 at the tip).
    for (r, axis) in [(0, 2), (1, 1)] {
        let mut eta = [0.0; 2];
        eta[r] = 1.0;
        let body = &own.bodies[0];
        let tip = body.tip();
        let columns = body.modes + body.second_order.len();
        let moved =
            (0..3).map(|i| f64::from(body.influence.0[6 * (tip * columns + r) + 3 + i]).powi(2)).sum::<f64>().sqrt();
        let root = boom.at(1, &eta)[axis].abs();
        assert!((root * 4.0 / moved - 3.5160).abs() < 2e-3, "mode {r}: {}", root * 4.0 / moved);
        assert!(boom.at(1, &eta)[3 - axis].abs() < 1e-6 * root);
    }
}

/// What was recorded before strains were is still read, without them.
#[test]
fn recordings_without_strains_are_read() {
    let modes = ModeCounts { bending_y: 1, ..ModeCounts::default() };
    let own = scene(&beam(modes, Support::ClampedFree, false));
    let mut json = serde_json::to_value(&own).unwrap();
    json["bodies"][0].as_object_mut().unwrap().remove("strain").unwrap();
    let read: Scene = serde_json::from_value(json).unwrap();
    assert_eq!(read.bodies[0].strain, None);
    assert_eq!(read.bodies[0].line, own.bodies[0].line);
}
