//! Links that carry links: few shapes give the frequencies of the arm, with its hinges locked or free, straight or bent.
//!
//! The reference is a plane frame of finite elements that shares nothing with the library but the eigenvalue solver: cubics and linear
//! functions on twelve elements per link, a point mass at the end.

use supple::{
    Body, DenseWorkspace, Hinge, HingeKind, Model, ModelBuilder, Node, Parent, State, System, Workspace, mass_matrix,
};
use supple_bodies::beam::{Fitting, ModalBeam, ModeCounts, Support};
use supple_bodies::section::{BeamProperties, Material, Section};
use supple_bodies::{eigen, frequencies};

const LENGTH: f64 = 1.0;
const PAYLOAD: f64 = 0.5;

/// A strip of aluminium, 3 mm by 40 mm: 6.3 N m² and 0.324 kg/m.
fn strip() -> BeamProperties {
    let aluminium = Material { young: 7e10, poisson: 0.33, density: 2700.0 };
    BeamProperties::new(Section::Rectangle { width: 0.003, height: 0.04 }, aluminium)
}

fn bending(count: usize) -> ModeCounts {
    ModeCounts { bending_y: count, ..ModeCounts::default() }
}

fn arm(link: &ModalBeam, locked: bool) -> System {
    let kind = || if locked { HingeKind::Fixed } else { HingeKind::Revolute { axis: [0.0, 0.0, 1.0] } };
    let mut builder = ModelBuilder::new();
    let upper = builder.body(link.body("upper", Parent::Ground, Hinge::new(kind())));
    let lower = builder.body(link.body("lower", Parent::Body(upper, link.tip_node()), Hinge::new(kind())));
    let end = Parent::Body(lower, link.tip_node());
    let payload = Body::new("payload", end, Hinge::new(HingeKind::Fixed));
    builder.body(Body { nodes: vec![Node { mass: PAYLOAD, ..Node::default() }], ..payload });
    builder.system().clone()
}

/// Frequencies in Hz at an angle of the elbow, hinges free; rigid motions are left out.
fn free(link: &ModalBeam, elbow: f64) -> Vec<f64> {
    let system = arm(link, false);
    let model = Model::build(&system).unwrap();
    let n = model.speed_count();
    let (mut workspace, mut dense, mut mass) = (Workspace::new(&model), DenseWorkspace::new(&model), vec![0.0; n * n]);
    let mut state = State::new(&model);
    state.coordinates[model.hinge_coordinates(supple::BodyIndex(1)).start] = elbow;
    mass_matrix(&model, &state, &mut workspace, &mut dense, &mut mass).unwrap();
    let mass: Vec<Vec<f64>> = mass.chunks(n).map(<[f64]>::to_vec).collect();
    let mut stiffness = vec![vec![0.0; n]; n];
    for (body, told) in model.body_indices().zip(&system.bodies) {
        let supple::ModalMatrix::Diagonal(k) = &told.modes.stiffness else { continue };
        model.modal_speeds(body).zip(k).for_each(|(at, k)| stiffness[at][at] = *k);
    }
    hertz(&eigen::generalised(&stiffness, &mass).unwrap().0[2..])
}

fn hertz(squares: &[f64]) -> Vec<f64> {
    squares.iter().map(|square| square.sqrt() / std::f64::consts::TAU).collect()
}

/// The first two frequencies of the arm of finite elements in Hz.
fn frame(locked: bool, elbow: f64) -> [f64; 2] {
    const ELEMENTS: usize = 12;
    let p = strip();
    let h = LENGTH / ELEMENTS as f64;
    // Three unknowns per station; one more rotation at a free elbow.
    let count = 3 * (2 * ELEMENTS + 1) + 1;
    let (mut k, mut m) = (vec![vec![0.0; count]; count], vec![vec![0.0; count]; count]);
    for link in 0..2 {
        let angle = if link == 0 { 0.0 } else { elbow };
        for e in 0..ELEMENTS {
            let first = 3 * (link * ELEMENTS + e);
            let mut at: [usize; 6] = std::array::from_fn(|i| first + i);
            if !locked && link == 1 && e == 0 {
                at[2] = count - 1;
            }
            let (ke, me) = element(&p, h, angle);
            for i in 0..6 {
                for j in 0..6 {
                    k[at[i]][at[j]] += ke[i][j];
                    m[at[i]][at[j]] += me[i][j];
                }
            }
        }
    }
    let end = 3 * 2 * ELEMENTS;
    m[end][end] += PAYLOAD;
    m[end + 1][end + 1] += PAYLOAD;
    // The root is held; its rotation is free with the hinge. A locked elbow has no rotation of its own.
    let kept: Vec<usize> = (if locked { 3 } else { 2 }..if locked { count - 1 } else { count }).collect();
    let part =
        |a: &[Vec<f64>]| -> Vec<Vec<f64>> { kept.iter().map(|&i| kept.iter().map(|&j| a[i][j]).collect()).collect() };
    let (squares, _) = eigen::generalised(&part(&k), &part(&m)).unwrap();
    let found = hertz(&squares[if locked { 0 } else { 2 }..]);
    [found[0], found[1]]
}

/// Stiffness and mass of an element of a plane frame, unknowns `u, v, θ` at both ends, rotated by `angle`.
fn element(p: &BeamProperties, h: f64, angle: f64) -> ([[f64; 6]; 6], [[f64; 6]; 6]) {
    let (mut k, mut m) = ([[0.0; 6]; 6], [[0.0; 6]; 6]);
    let (rod, pairs) = ([0, 3], [[1.0, -1.0], [-1.0, 1.0]]);
    for i in 0..2 {
        for j in 0..2 {
            k[rod[i]][rod[j]] = p.axial / h * pairs[i][j];
            m[rod[i]][rod[j]] = p.mass * h / 6.0 * if i == j { 2.0 } else { 1.0 };
        }
    }
    let bend = [1, 2, 4, 5];
    let stiff = [
        [12.0, 6.0 * h, -12.0, 6.0 * h],
        [6.0 * h, 4.0 * h * h, -6.0 * h, 2.0 * h * h],
        [-12.0, -6.0 * h, 12.0, -6.0 * h],
        [6.0 * h, 2.0 * h * h, -6.0 * h, 4.0 * h * h],
    ];
    let heavy = [
        [156.0, 22.0 * h, 54.0, -13.0 * h],
        [22.0 * h, 4.0 * h * h, 13.0 * h, -3.0 * h * h],
        [54.0, 13.0 * h, 156.0, -22.0 * h],
        [-13.0 * h, -3.0 * h * h, -22.0 * h, 4.0 * h * h],
    ];
    for i in 0..4 {
        for j in 0..4 {
            k[bend[i]][bend[j]] = p.bending_y / h.powi(3) * stiff[i][j];
            m[bend[i]][bend[j]] = p.mass * h / 420.0 * heavy[i][j];
        }
    }
    let (s, c) = angle.sin_cos();
    let turned = |a: [[f64; 6]; 6]| {
        let t = |i: usize, j: usize| match (i % 3, j % 3) {
            _ if i / 3 != j / 3 => 0.0,
            (0, 0) | (1, 1) => c,
            (0, 1) => s,
            (1, 0) => -s,
            (2, 2) => 1.0,
            _ => 0.0,
        };
        let entry = |r: usize, q: usize| -> f64 { (0..36).map(|n| t(n / 6, r) * a[n / 6][n % 6] * t(n % 6, q)).sum() };
        std::array::from_fn(|r| std::array::from_fn(|q| entry(r, q)))
    };
    (turned(k), turned(m))
}

/// How far two frequencies are off, the worse of them.
fn off(found: &[f64], exact: [f64; 2]) -> f64 {
    (0..2).map(|i| (found[i] / exact[i] - 1.0).abs()).fold(0.0, f64::max)
}

/// Held straight, the arm is one cantilever of 2 m with a mass at its end: 0.302544 and 2.88775 Hz. Within 0.1 % of them with one mode
/// per link beyond the tip shapes; cantilever modes of as many unknowns are off by more than 1 %.
#[test]
fn held_arm_has_its_frequencies() {
    let exact = [0.302544, 2.88775];
    assert!(off(&frame(true, 0.0), exact) < 3e-6, "{:?}", frame(true, 0.0));
    let of = |link: &ModalBeam| {
        let system = arm(link, true);
        let found = frequencies::of_system(&Model::build(&system).unwrap(), &system).unwrap();
        off(&found.iter().map(|w| w / std::f64::consts::TAU).collect::<Vec<_>>(), exact)
    };
    for (count, bound) in [(1, 1e-3), (2, 1e-3)] {
        let error = of(&ModalBeam::carrying(LENGTH, strip(), bending(count)));
        println!("held straight, {count} modes: {error:.1e}");
        assert!(error < bound, "{count} modes: {error}");
    }
    assert!(of(&ModalBeam::cantilever(LENGTH, strip(), bending(3))) > 1e-2);
}

/// With both hinges free, straight and with the elbow at a right angle: within 1 % of finite elements.
#[test]
fn free_arm_has_its_frequencies() {
    for elbow in [0.0, std::f64::consts::FRAC_PI_2] {
        let exact = frame(false, elbow);
        for count in [1, 2] {
            let found = free(&ModalBeam::carrying(LENGTH, strip(), bending(count)), elbow);
            println!("free, elbow at {elbow:.2}, {count} modes: {:.1e} off {exact:?}", off(&found, exact));
            assert!(off(&found, exact) < 1e-2, "{count} modes, elbow at {elbow}: {found:?}, not {exact:?}");
        }
    }
}

/// A cantilever that carries nothing: two frequencies within 0.5 % with one mode beyond the tip shapes, from above.
#[test]
fn lone_cantilever_has_its_frequencies() {
    let p = strip();
    let exact = [1.875_104_068_711_961_f64, 4.694_091_132_974_175].map(|x| x * x * (p.bending_y / p.mass).sqrt());
    for (count, bound) in [(1, 5e-3), (2, 1.2e-3), (4, 3e-4)] {
        let body =
            ModalBeam::carrying(LENGTH, p, bending(count)).body("beam", Parent::Ground, Hinge::new(HingeKind::Fixed));
        let found = frequencies::of_body(&body).unwrap();
        println!("alone, {count} modes: {:.1e}", off(&found, exact));
        assert!(off(&found, exact) < bound && found[0] > exact[0] && found[1] > exact[1], "{found:?} {exact:?}");
    }
}

/// Whatever is at the tip, a force and a moment there bend, stretch and twist the beam as in statics, and the shapes are orthonormal with
/// the load: stiffness is diagonal, mass is one.
#[test]
fn tip_shapes_are_exact_in_statics_and_orthonormal_with_the_load() {
    let p = BeamProperties { bending_z: 9.0, ..strip() };
    let modes = ModeCounts { bending_y: 2, bending_z: 1, stretch: 1, twist: 2 };
    let inertia = [[0.2, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.4]];
    let load = Fitting { mass: 2.0, mass_centre: [0.1, 0.0, 0.0], inertia };
    let beam = ModalBeam { carried: load, ..ModalBeam::carrying(1.5, p, modes) };
    assert_eq!(beam.shape_counts(), ModeCounts { bending_y: 4, bending_z: 3, stretch: 2, twist: 3 });
    let (nodes, data) = (beam.nodes(), beam.modal_data());
    let supple::ModalMatrix::Diagonal(k) = &data.stiffness else { panic!("coupled: {:?}", data.stiffness) };
    // Compliance of the tip, Σ ϕ ϕ* / k, against that of a cantilever.
    let tip = &nodes[beam.tip_node().0].influence;
    let compliance = |i: usize, j: usize| -> f64 { tip.iter().zip(k).map(|(c, k)| c[i] * c[j] / k).sum() };
    let l = 1.5_f64;
    let known = [
        (4, 4, l.powi(3) / (3.0 * p.bending_y)),
        (4, 2, l * l / (2.0 * p.bending_y)),
        (2, 2, l / p.bending_y),
        (5, 5, l.powi(3) / (3.0 * p.bending_z)),
        (5, 1, -l * l / (2.0 * p.bending_z)),
        (1, 1, l / p.bending_z),
        (3, 3, l / p.axial),
        (0, 0, l / p.torsion),
    ];
    for (i, j, exact) in known {
        assert!((compliance(i, j) / exact - 1.0).abs() < 1e-9, "{i} {j} {} {exact}", compliance(i, j));
    }
    // The mass of the body with the load as part of it.
    let whole = ModalBeam { tip: load, carried: Fitting::default(), ..beam };
    let whole = whole.body("beam", Parent::Ground, Hinge::new(HingeKind::Fixed));
    assert_eq!(whole.modes.stiffness, data.stiffness);
    let system = System { bodies: vec![whole], ..System::default() };
    let model = Model::build(&system).unwrap();
    let n = model.speed_count();
    let mut mass = vec![0.0; n * n];
    let (mut workspace, mut dense) = (Workspace::new(&model), DenseWorkspace::new(&model));
    mass_matrix(&model, &State::new(&model), &mut workspace, &mut dense, &mut mass).unwrap();
    for i in 0..n {
        for j in 0..n {
            let expected = f64::from(i == j);
            assert!((mass[i * n + j] - expected).abs() < 1e-9, "{i} {j} {}", mass[i * n + j]);
        }
    }
}

/// What a mode of second order shortens is the same sum in both planes: a bent tube comes out the same in y and in z.
#[test]
fn both_planes_shorten_alike() {
    let tube = Section::Tube { outer: 0.02, inner: 0.018 };
    let p = BeamProperties::new(tube, Material { young: 7e10, poisson: 0.33, density: 2700.0 });
    let modes = ModeCounts { bending_y: 2, bending_z: 2, ..ModeCounts::default() };
    for support in [Support::ClampedFree, Support::ClampedInterface] {
        // In this range of lengths slope and deflection of the tip, added, change their sign from mode to mode.
        for length in [2.0, 0.5, 8.0] {
            let beam = ModalBeam { support, ..ModalBeam::cantilever(length, p, modes) };
            let counts = beam.shape_counts();
            let data = beam.modal_data();
            let tip: &Node = &beam.nodes()[beam.tip_node().0];
            let shortened = |first: usize, component: usize| -> (f64, f64) {
                // Deflected by one unit of each mode, signs as they are.
                let mut eta = vec![0.0; counts.total()];
                (0..counts.bending_y).for_each(|r| eta[first + r] = 1.0 / (1.0 + r as f64));
                let second = data.second_order.iter().zip(&tip.influence[counts.total()..]);
                let along = second.map(|(shape, column)| {
                    let amount: f64 = shape.quadratic.iter().map(|([r, s], v)| v * eta[*r] * eta[*s]).sum();
                    amount * column[3]
                });
                let across = tip.influence.iter().zip(&eta).map(|(column, x)| column[component] * x).sum();
                (along.sum(), across)
            };
            let (y, z) = (shortened(0, 4), shortened(counts.bending_y, 5));
            assert!((y.0 - z.0).abs() < 1e-9 * y.0.abs(), "{support:?} {length}: shortening {y:?} {z:?}");
            assert!((y.1 - z.1).abs() < 1e-9 * y.1.abs(), "{support:?} {length}: deflections {y:?} {z:?}");
        }
    }
}
