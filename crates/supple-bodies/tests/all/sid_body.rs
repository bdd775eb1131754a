//! Standard input data and bodies of the engine: one becomes the other and moves alike.

use crate::seeded::Seeded;
use supple::testkit::{Prepared, RandomOptions, RandomState, Worst, eigenvalues, random_system, relative_difference};
use supple::{
    Body, Fidelity, Hinge, HingeKind, InertiaConvention, Inputs, ModalInertia, ModalMatrix, ModelBuilder, Modes, Node,
    NonlinearStiffness, Parent, State, System, Workspace, forward_dynamics, inverse_dynamics,
};
use supple_bodies::beam::{ModalBeam, ModeCounts};
use supple_bodies::section::BeamProperties;
use supple_bodies::sid::{Loss, Sid, SidBodyError, Taylor};
use supple_bodies::stiffening::{GeometricStiffness, NodalStiffness, StiffeningError, stiffen};

/// Through the text: what another program would see.
fn through_text(body: &Body) -> Sid {
    Sid::read(&Sid::from_body(body).0.write()).unwrap()
}

/// A floating body of point masses with full stiffness and damping; node 0 is at `F_k` and stays there.
fn point_masses(g: &mut Seeded, modes: usize) -> Body {
    let mut matrix = |scale: f64| {
        let half: Vec<Vec<f64>> = (0..modes).map(|_| (0..modes).map(|_| scale * g.unit()).collect()).collect();
        let entry = |r: usize, s: usize| (0..modes).map(|k| half[r][k] * half[s][k]).sum();
        ModalMatrix::Full((0..modes).map(|r| (0..modes).map(|s| entry(r, s)).collect()).collect())
    };
    let (stiffness, damping) = (matrix(3.0), matrix(0.3));
    let modes_ = Modes { count: modes, stiffness, damping, fidelity: Fidelity::Inconsistent, ..Modes::default() };
    let mut body =
        Body::new("cloud", Parent::Ground, Hinge::new(HingeKind::Free)).with_node(Node::default()).with_modes(modes_);
    for _ in 0..modes + 6 {
        let influence = (0..modes).map(|_| g.vector()).collect();
        body.nodes.push(Node { position: g.vector(), mass: 1.5 + g.unit(), influence, ..Node::default() });
    }
    body
}

fn skew_mul(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The equations of motion as the format states them, from the tables alone: modal forces, moment, force about the frame.
/// Nothing of the engine or of the conversion is used here.
fn stated_equations(
    sid: &Sid,
    q: &[f64],
    q_dot: &[f64],
    w: [f64; 3],
    q_ddot: &[f64],
    w_dot: [f64; 3],
    a: [f64; 3],
) -> Vec<f64> {
    let n = q.len();
    let value = |t: &Taylor, i: usize, j: usize| t.at(i, j) + (0..n).map(|k| t.change(i, k, j) * q[k]).sum::<f64>();
    let md: [f64; 3] = std::array::from_fn(|i| value(&sid.mass_moment, i, 0));
    let j6: [f64; 6] = std::array::from_fn(|i| value(&sid.inertia, i, 0));
    let mut j = [[j6[0], j6[3], j6[4]], [j6[3], j6[1], j6[5]], [j6[4], j6[5], j6[2]]];
    let gr = sid.angular_gyroscopic.as_ref().unwrap();
    // The format stops at the first order of J; the second is half the rate of its rate.
    for (i, row) in j.iter_mut().enumerate() {
        for (k, x) in row.iter_mut().enumerate() {
            for (r, s) in (0..n * n).map(|p| (p / n, p % n)) {
                let half = 0.25 * (gr.change(i, s, 3 * r + k) + gr.change(k, s, 3 * r + i));
                *x += half * q[r] * q[s];
            }
        }
    }
    let times =
        |m: &[[f64; 3]; 3], x: [f64; 3]| -> [f64; 3] { std::array::from_fn(|i| (0..3).map(|k| m[i][k] * x[k]).sum()) };
    let ct = |r: usize| -> [f64; 3] { std::array::from_fn(|i| value(&sid.linear_coupling, r, i)) };
    let cr = |r: usize| -> [f64; 3] { std::array::from_fn(|i| value(&sid.angular_coupling, r, i)) };
    let sum = |f: &dyn Fn(usize) -> [f64; 3], x: &[f64]| -> [f64; 3] {
        std::array::from_fn(|i| (0..n).map(|r| f(r)[i] * x[r]).sum())
    };
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (momentum, whirl) = (sum(&ct, q_dot), skew_mul(w, skew_mul(w, md)));
    let (coriolis, turned) = (skew_mul(w, momentum), skew_mul(w_dot, md));
    let linear = sum(&ct, q_ddot);
    let force: [f64; 3] =
        std::array::from_fn(|i| sid.mass * a[i] + turned[i] + linear[i] + 2.0 * coriolis[i] + whirl[i]);
    let (jw, jw_dot, ma, angular) = (times(&j, w), times(&j, w_dot), skew_mul(md, a), sum(&cr, q_ddot));
    let gyro: [f64; 3] = std::array::from_fn(|i| {
        (0..n).map(|l| (0..3).map(|k| value(gr, i, 3 * l + k) * q_dot[l] * w[k]).sum::<f64>()).sum()
    });
    let spin = skew_mul(w, jw);
    let moment: [f64; 3] = std::array::from_fn(|i| ma[i] + jw_dot[i] + angular[i] + gyro[i] + spin[i]);
    let products = [w[0] * w[0], w[1] * w[1], w[2] * w[2], w[0] * w[1], w[1] * w[2], w[0] * w[2]];
    let (ge, oe) = (sid.modal_gyroscopic.as_ref().unwrap(), sid.centrifugal.as_ref().unwrap());
    let modal = |r: usize| {
        let inertia: f64 = (0..n).map(|s| sid.modal_mass.at(r, s) * q_ddot[s]).sum();
        let elastic: f64 =
            (0..n).map(|s| sid.stiffness.at(r, s) * q[s] + sid.damping.as_ref().unwrap().at(r, s) * q_dot[s]).sum();
        let gyro: f64 = (0..n).map(|l| (0..3).map(|k| ge.at(r, 3 * l + k) * q_dot[l] * w[k]).sum::<f64>()).sum();
        let spin: f64 = (0..6).map(|i| value(oe, r, i) * products[i]).sum();
        dot(ct(r), a) + dot(cr(r), w_dot) + inertia + gyro + spin + elastic
    };
    (0..n).map(modal).chain(moment).chain(force).collect()
}

#[test]
fn written_tables_are_the_equations_of_motion() {
    let mut g = Seeded(3);
    let mut worst = 0.0_f64;
    for round in 0..40 {
        let n = 1 + round % 6;
        let body = point_masses(&mut g, n);
        let sid = through_text(&body);
        let mut builder = ModelBuilder::new();
        builder.body(body);
        let model = builder.build().unwrap();
        let mut state = State::new(&model);
        let (q, q_dot, q_ddot): (Vec<f64>, Vec<f64>, Vec<f64>) = (
            (0..n).map(|_| g.unit()).collect(),
            (0..n).map(|_| g.unit()).collect(),
            (0..n).map(|_| g.unit()).collect(),
        );
        let [w, v, w_dot, v_dot]: [[f64; 3]; 4] = std::array::from_fn(|_| g.vector());
        state.coordinates[..n].copy_from_slice(&q);
        state.speeds.copy_from_slice(&[q_dot.as_slice(), &w, &v].concat());
        let mut inputs = Inputs::new(&model);
        inputs.accelerations.copy_from_slice(&[q_ddot.as_slice(), &w_dot, &v_dot].concat());
        let mut workspace = Workspace::new(&model);
        let forces = inverse_dynamics(&model, &state, &inputs, &mut workspace).unwrap().forces().to_vec();
        let turned = skew_mul(w, v);
        let a = std::array::from_fn(|i| v_dot[i] + turned[i]);
        let stated = stated_equations(&sid, &q, &q_dot, w, &q_ddot, w_dot, a);
        worst = worst.max(relative_difference(&forces, &stated));
    }
    println!("equations of the format against inverse dynamics: {worst:.1e}");
    assert!(worst < 1e-12, "{worst:e}");
}

fn converted(system: &System) -> System {
    let mut other = system.clone();
    for body in &mut other.bodies {
        let sid = through_text(body);
        let mut made = sid.body(body.name.clone(), body.parent, body.hinge.clone(), body.modes.fidelity).unwrap();
        made.inboard_node = body.inboard_node;
        *body = made;
    }
    other
}

fn forward(system: &System, random: &RandomState) -> Vec<f64> {
    let at = Prepared::new(system, random);
    forward_dynamics(&at.model, &at.state, &at.inputs, &mut at.workspace()).unwrap().accelerations().to_vec()
}

/// Trees of bodies with offsets and rotary inertia, every body through the text and back.
#[test]
fn bodies_come_back_exactly() {
    let (mut worst, mut flexible) = (Worst::new(), 0);
    for seed in 0..200 {
        let (mut system, random) =
            random_system(seed, &RandomOptions { modes: 8, bodies: 1..=5, ..RandomOptions::default() });
        system.inertia = InertiaConvention::Lagrange;
        system.bodies.iter_mut().for_each(|b| b.modes.nonlinear = NonlinearStiffness::default());
        let other = converted(&system);
        flexible += other.bodies.iter().filter(|b| b.modes.count > 0).count();
        let condition = random.answer(&system).condition();
        let allowed = (100.0 * f64::EPSILON * condition).max(1e-12);
        worst.record(
            "accelerations",
            seed,
            relative_difference(&forward(&other, &random), &forward(&system, &random)),
            allowed,
        );
    }
    assert!(flexible > 150, "{flexible}");
    worst.assert_within();
}

fn beam_of(modes: ModeCounts, fidelity: Fidelity) -> Body {
    let properties = BeamProperties {
        mass: 2.0,
        axial: 1e6,
        bending_y: 30.0,
        bending_z: 20.0,
        torsion: 15.0,
        shear: f64::INFINITY,
        rotary: [0.01, 0.005, 0.005],
    };
    let beam = ModalBeam { fidelity, ..ModalBeam::cantilever(1.5, properties, modes) };
    beam.body("beam", Parent::Ground, Hinge::new(HingeKind::Free))
}

/// Forces of a body for a spin, an acceleration, and a load on its last node, at a deformation of a given size.
fn forces_at(body: &Body, size: f64, speed: f64) -> Vec<f64> {
    let n = body.modes.count;
    let mut builder = ModelBuilder::new();
    let last = supple::NodeIndex(body.nodes.len() - 1);
    builder.body(body.clone());
    // What hangs at the tip pulls there.
    let mut tip = Body::rigid(
        "tip",
        Parent::Body(supple::BodyIndex(0), last),
        Hinge::new(HingeKind::Fixed),
        0.7,
        [0.0; 3],
        [[0.02, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]],
    );
    tip.nodes[0].name = None;
    builder.body(tip);
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    let mut g = Seeded(5);
    for r in 0..n {
        state.coordinates[r] = size * g.unit();
        state.speeds[r] = speed * g.unit();
    }
    for i in 0..6 {
        state.speeds[n + i] = [0.4, -1.3, 2.1, 0.5, 0.2, -0.3][i];
    }
    let mut inputs = Inputs::new(&model);
    inputs.accelerations.iter_mut().for_each(|x| *x = g.unit());
    let mut workspace = Workspace::new(&model);
    inverse_dynamics(&model, &state, &inputs, &mut workspace).unwrap().forces().to_vec()
}

/// A stiffened beam that went through the format has the same forces up to terms of second order in the deformation.
#[test]
fn stiffening_survives_to_first_order() {
    let counts = ModeCounts { bending_y: 3, bending_z: 3, twist: 1, stretch: 0 };
    let original = beam_of(counts, Fidelity::Stiffened);
    let sid = through_text(&original);
    let back = sid.body("beam", Parent::Ground, Hinge::new(HingeKind::Free), Fidelity::Stiffened).unwrap();
    println!("shapes: {} of the beam, {} read back", original.modes.second_order.len(), back.modes.second_order.len());
    assert!(!back.modes.second_order.is_empty() && back.modes.second_order.len() <= 12 + 6 * back.nodes.len());
    let unstiffened = sid.body("beam", Parent::Ground, Hinge::new(HingeKind::Free), Fidelity::Inconsistent).unwrap();
    let difference = |other: &Body, size: f64| {
        let (a, b) = (forces_at(&original, size, size), forces_at(other, size, size));
        a.iter().zip(&b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()))
    };
    let errors = [1e-2, 5e-3, 2.5e-3].map(|size| difference(&back, size));
    let without = [1e-2, 5e-3].map(|size| difference(&unstiffened, size));
    println!("read back: {errors:?}, without stiffening: {without:?}");
    assert!(errors[0] / errors[1] > 3.5 && errors[1] / errors[2] > 3.5, "{errors:?}");
    assert!(without[0] / without[1] < 2.5 && errors[0] < 0.05 * without[0], "{without:?}");
}

/// Other programs write no change of `Gr`, or count its columns by axis: the body is the same, in the first case to first order.
#[test]
fn other_ways_to_write_gr() {
    let original = beam_of(ModeCounts { bending_y: 2, bending_z: 2, twist: 1, stretch: 0 }, Fidelity::Stiffened);
    let sid = through_text(&original);
    let made = |sid: &Sid| sid.body("b", Parent::Ground, Hinge::new(HingeKind::Free), Fidelity::Stiffened).unwrap();
    let (n, gr) = (sid.modes.len(), sid.angular_gyroscopic.clone().unwrap());
    let by_mode = |c: usize| 3 * (c % n) + c / n;
    let turned = Taylor::linear(3, 3 * n, n, |i, c| gr.at(i, by_mode(c)), |i, k, c| gr.change(i, k, by_mode(c)));
    assert_ne!(turned, gr);
    assert_eq!(made(&Sid { angular_gyroscopic: Some(turned), ..sid.clone() }), made(&sid));
    let constant = Taylor::constant(3, 3 * n, n, |i, c| gr.at(i, c));
    let without = made(&Sid { angular_gyroscopic: Some(constant), ..sid.clone() });
    assert_eq!(made(&Sid { angular_gyroscopic: None, ..sid.clone() }), without);
    let errors = [1e-2, 5e-3, 2.5e-3].map(|size| {
        let (a, b) = (forces_at(&original, size, size), forces_at(&without, size, size));
        a.iter().zip(&b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()))
    });
    println!("without a change of Gr: {errors:?}");
    assert!(errors[0] / errors[1] > 3.5 && errors[1] / errors[2] > 3.5, "{errors:?}");
}

/// Least eigenvalue of a mass matrix scaled to a unit diagonal.
fn least(body: &Body) -> f64 {
    let m = ModalInertia::of(body).mass_matrix();
    let unit = |i: usize| if m[i][i] > 0.0 { m[i][i].sqrt() } else { 1.0 };
    let scaled: Vec<Vec<f64>> =
        (0..m.len()).map(|i| (0..m.len()).map(|j| m[i][j] / (unit(i) * unit(j))).collect()).collect();
    eigenvalues(&scaled).into_iter().fold(f64::INFINITY, f64::min)
}

/// Whatever the matrices and the body, the shapes leave the mass matrix positive semidefinite, and the tables are what was asked for.
#[test]
fn completed_masses_are_never_negative() {
    let (mut g, mut worst) = (Seeded(17), 0.0_f64);
    for seed in 0..120 {
        let (system, _) = random_system(
            seed,
            &RandomOptions { modes: 6, bodies: 1..=3, singular: false, mass_ratio: 10.0, ..RandomOptions::default() },
        );
        for mut body in system.bodies {
            let n = body.modes.count;
            if n == 0 || !body.modes.second_order.is_empty() {
                continue;
            }
            body.modes.fidelity = Fidelity::Stiffened;
            let marker = body.nodes.len();
            body.nodes.push(Node::default());
            let mut matrix = || -> Vec<Vec<f64>> {
                let half: Vec<f64> = (0..n * n).map(|_| g.unit()).collect();
                (0..n).map(|r| (0..n).map(|s| half[r * n + s] + half[s * n + r]).collect()).collect()
            };
            let stiffness = GeometricStiffness {
                linear: std::array::from_fn(|_| matrix()),
                angular: std::array::from_fn(|_| matrix()),
                centrifugal: std::array::from_fn(|_| matrix()),
                nodal: vec![NodalStiffness { node: marker, component: 4, matrix: matrix() }],
            };
            let massive = GeometricStiffness {
                nodal: vec![NodalStiffness { node: 1, ..stiffness.nodal[0].clone() }],
                ..GeometricStiffness::default()
            };
            if body.nodes[1].mass > 0.0 {
                assert!(matches!(stiffen(&mut body, &massive), Err(StiffeningError::NodeMass { node: 1, .. })));
            }
            let before = Sid::from_body(&body).0;
            stiffen(&mut body, &stiffness).unwrap();
            worst = worst.min(least(&body));
            let after = Sid::from_body(&body).0;
            // The changes of the tables grew by the matrices.
            for (r, s) in (0..n * n).map(|p| (p / n, p % n)) {
                for i in 0..3 {
                    let linear = after.linear_coupling.change(r, s, i) - stiffness.linear[i][r][s];
                    let angular = after.angular_coupling.change(r, s, i) - before.angular_coupling.change(r, s, i);
                    let angular = angular - stiffness.angular[i][r][s];
                    assert!(linear.abs() < 1e-10 && angular.abs() < 1e-10, "seed {seed}: {linear:e} {angular:e}");
                }
                for i in 0..6 {
                    let spin = after.centrifugal.as_ref().unwrap().change(r, s, i)
                        - before.centrifugal.as_ref().unwrap().change(r, s, i);
                    assert!(
                        (spin - stiffness.centrifugal[i][r][s]).abs() < 1e-7,
                        "{spin} {}",
                        stiffness.centrifugal[i][r][s]
                    );
                }
                let node = after.nodes[marker].translation.change(1, s, r);
                assert!((node + stiffness.nodal[0].matrix[r][s]).abs() < 1e-12);
            }
        }
    }
    println!("least eigenvalue of the scaled mass: {worst:.1e}");
    assert!(worst > -1e-10, "{worst:e}");
}

#[test]
fn losses_are_told() {
    let modes = ModeCounts { bending_y: 1, bending_z: 0, twist: 0, stretch: 1 };
    let body = beam_of(modes, Fidelity::Stiffened);
    assert_eq!(
        Sid::from_body(&body).1,
        [Loss::SecondOrderMass { shapes: body.modes.second_order.len() }, Loss::NodeNames { nodes: 2 }]
    );
    let names = Loss::NodeNames { nodes: 2 };
    let body = beam_of(modes, Fidelity::Exact);
    let entries = body.modes.nonlinear.cubic.len() + body.modes.nonlinear.quartic.len();
    assert_eq!(Sid::from_body(&body).1, [Loss::NonlinearStiffness { entries }, names.clone()]);
    let lost = |fidelity: Fidelity| Sid::from_body(&beam_of(modes, fidelity)).1;
    assert_eq!(lost(Fidelity::Consistent), [Loss::AxialLoad { entries: 1 }, names.clone()]);
    assert_eq!(lost(Fidelity::Inconsistent), [names]);
}

#[test]
fn data_without_a_body_are_refused() {
    let sid = Sid::from_body(&beam_of(ModeCounts { bending_y: 2, ..ModeCounts::default() }, Fidelity::Stiffened)).0;
    let made = |sid: &Sid| sid.body("b", Parent::Ground, Hinge::new(HingeKind::Free), Fidelity::Stiffened);
    assert!(made(&sid).is_ok());
    let short = Sid { linear_coupling: Taylor::constant(1, 3, 2, |_, _| 1.0), ..sid.clone() };
    assert_eq!(made(&short).unwrap_err(), SidBodyError::Size { block: "Ct".into(), found: [1, 3], expected: [2, 3] });
    let stressed = Sid { rest_force: Some(Taylor::constant(2, 1, 2, |r, _| r as f64)), ..sid.clone() };
    assert_eq!(made(&stressed).unwrap_err(), SidBodyError::RestForce { mode: 1, value: 1.0 });
    assert_eq!(
        made(&Sid::default()).unwrap_err(),
        SidBodyError::Size { block: "mdCM".into(), found: [0, 0], expected: [3, 1] }
    );
    // A rod on a line has no moments across it.
    let mut rod = sid.body("b", Parent::Ground, Hinge::new(HingeKind::Free), Fidelity::Stiffened).unwrap();
    rod.modes.second_order.clear();
    let line = Node {
        position: [1.0, 0.0, 0.0],
        mass: 1.0,
        influence: vec![[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]; 2],
        ..Node::default()
    };
    (rod.nodes, rod.modal_inertia) = (vec![Node { mass: 1.0, ..Node::default() }, line], None);
    let identity = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
    let spin = |i: usize| GeometricStiffness {
        centrifugal: std::array::from_fn(|j| if i == j { identity.clone() } else { Vec::new() }),
        ..GeometricStiffness::default()
    };
    assert!(matches!(stiffen(&mut rod.clone(), &spin(0)), Err(StiffeningError::Moment { .. })));
    let both = GeometricStiffness {
        centrifugal: std::array::from_fn(|j| if j == 1 || j == 2 { identity.clone() } else { Vec::new() }),
        ..GeometricStiffness::default()
    };
    assert_eq!(stiffen(&mut rod.clone(), &both), Ok(()));
    let wrong =
        GeometricStiffness { linear: [vec![vec![1.0]], Vec::new(), Vec::new()], ..GeometricStiffness::default() };
    assert!(matches!(stiffen(&mut rod, &wrong), Err(StiffeningError::Size { found: 1, expected: 2, .. })));
}

/// The beam of `references/sid/cantilever.sid`: a tube of 1.5 m, its inertia as tables, nodes at root and tip.
fn reference_beam() -> Body {
    let whole = beam_of(ModeCounts { bending_y: 2, bending_z: 1, twist: 1, stretch: 0 }, Fidelity::Stiffened);
    let mut body = Body { modal_inertia: Some(ModalInertia::of(&whole)), ..whole.clone() };
    let massless = |n: &Node| Node { mass: 0.0, mass_centre: [0.0; 3], inertia: [[0.0; 3]; 3], ..n.clone() };
    body.nodes = [whole.nodes.first(), whole.nodes.last()].into_iter().flatten().map(massless).collect();
    body
}

#[test]
fn the_reference_file_is_the_beam() {
    let text = include_str!("../../../../references/sid/cantilever.sid");
    let sid = Sid::read(text).unwrap();
    assert_eq!(sid.write(), text, "what is written is read, and written again the same");
    // The numbers are those of the beam, to the rounding of mathematical functions.
    let fresh = Sid { title: sid.title.clone(), modes: sid.modes.clone(), ..Sid::from_body(&reference_beam()).0 };
    let numbers = |s: &Sid| -> Vec<f64> {
        let nodes = s.nodes.iter().flat_map(|n| [&n.origin, &n.translation, &n.rotation, &n.axes]);
        let own = [&s.mass_moment, &s.inertia, &s.linear_coupling, &s.angular_coupling, &s.modal_mass, &s.stiffness];
        let more = [&s.angular_gyroscopic, &s.modal_gyroscopic, &s.centrifugal, &s.damping];
        let all = nodes.chain(own).chain(more.into_iter().flatten());
        std::iter::once(s.mass).chain(all.flat_map(|t| [t.m0.clone(), t.m1.clone()].concat())).collect()
    };
    let (a, b) = (numbers(&sid), numbers(&fresh));
    assert_eq!(a.len(), b.len());
    let error = relative_difference(&a, &b);
    assert!(error < 1e-10, "{error:e}");
    assert!((sid.mass - 3.0).abs() < 1e-12 && (sid.mass_moment.at(0, 0) - 2.25).abs() < 1e-12);
}
