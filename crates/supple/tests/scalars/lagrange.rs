//! Inverse dynamics is Lagrange's equations of its own energies, for every fidelity that derives from them.
//!
//! `T_i = d/dt ∂T/∂q̇_i - ∂(T - V)/∂q_i` by nested dual numbers, on systems whose speeds are rates of coordinates.

use supple::generic::{composite_forward_dynamics, energy, forward_dynamics_by, inverse_dynamics};
use supple::spatial::{Dual, Scalar};
use supple::testkit::Generator;
use supple::{
    Body, BodyIndex, DenseWorkspace, ElasticRotation, Fidelity, Hinge, HingeKind, Inputs, Method, ModalMatrix, Model,
    Modes, Node, NodeIndex, Parent, SecondOrderShape, State, System, Workspace,
};

/// A serial chain of flexible bodies with nodes of mass and inertia, and second-order shapes.
fn chain(rng: &mut Generator, rotation: ElasticRotation, fidelity: Fidelity, free_free: bool) -> System {
    let hinges = [
        HingeKind::Revolute { axis: [0.2, 1.0, -0.3] },
        HingeKind::Prismatic { axis: [1.0, 0.4, 0.1] },
        HingeKind::Universal { axes: [[0.0, 0.0, 1.0], [0.3, 1.0, 0.0]] },
    ];
    let (modes, shapes) = (3, 2);
    let bodies = (0..3).map(|k| {
        let mut node = |j: usize| {
            let influence = (0..modes + shapes).map(|_| std::array::from_fn(|_| rng.between(-0.3, 0.3))).collect();
            let moves = j > 0 || free_free;
            Node {
                position: std::array::from_fn(|i| if i == 0 { 0.5 * j as f64 } else { rng.between(-0.1, 0.1) }),
                mass: rng.between(0.5, 1.5),
                mass_centre: std::array::from_fn(|_| rng.between(-0.02, 0.02)),
                inertia: [[0.03, 0.001, 0.0], [0.001, 0.04, 0.002], [0.0, 0.002, 0.035]],
                influence: if moves { influence } else { Vec::new() },
                ..Node::default()
            }
        };
        let nodes: Vec<Node> = (0..4).map(&mut node).collect();
        let quadratic = |rng: &mut Generator| {
            (0..modes).flat_map(|r| (r..modes).map(move |s| [r, s])).map(|at| (at, rng.between(-0.5, 0.5))).collect()
        };
        let second_order = (0..shapes).map(|_| SecondOrderShape { quadratic: quadratic(rng) }).collect();
        let parent = if k == 0 { Parent::Ground } else { Parent::Body(BodyIndex(k - 1), NodeIndex(3)) };
        let modes = Modes {
            count: modes,
            stiffness: ModalMatrix::Diagonal(vec![20.0, 30.0, 40.0]),
            fidelity,
            second_order,
            ..Modes::default()
        };
        Body {
            nodes,
            modes,
            ..Body::new(format!("body {k}"), parent, Hinge::new(hinges[k].clone()).at([0.1, 0.0, -0.05]))
        }
    });
    System { gravity: [0.3, -1.0, -9.0], elastic_rotation: rotation, bodies: bodies.collect(), ..System::default() }
}

type Inner = Dual<f64>;
type Outer = Dual<Inner>;

/// `Σ` of kinetic and potential energy in any scalar.
fn energies<T: Scalar>(model: &Model<T>, q: &[T], u: &[T]) -> (T, T) {
    let mut state = State::new(model);
    state.coordinates.copy_from_slice(q);
    state.speeds.copy_from_slice(u);
    let e = energy(model, &state, &mut Workspace::new(model)).unwrap();
    (e.kinetic, e.elastic + e.gravitational)
}

fn check(system: &System, rng: &mut Generator) -> f64 {
    let model = Model::build(system).unwrap();
    let n = model.speed_count();
    assert_eq!(n, model.coordinate_count());
    let mut draw = |size: f64| -> Vec<f64> { (0..n).map(|_| rng.between(-size, size)).collect() };
    let (q, u, a) = (draw(0.4), draw(1.0), draw(2.0));
    let mut state = State::new(&model);
    state.coordinates.copy_from_slice(&q);
    state.speeds.copy_from_slice(&u);
    let mut inputs = Inputs::new(&model);
    inputs.accelerations.copy_from_slice(&a);
    let forces = inverse_dynamics(&model, &state, &inputs, &mut Workspace::new(&model)).unwrap().forces().to_vec();

    // Every forward dynamics gives those accelerations back.
    inputs.forces.copy_from_slice(&forces);
    let mut workspace = Workspace::new(&model);
    let size = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let close = |x: &[f64]| x.iter().zip(&a).all(|(x, y)| (x - y).abs() < 1e-10 * size);
    for method in [Method::Auto, Method::Condensed, Method::Indirect, Method::Explicit] {
        assert!(close(forward_dynamics_by(method, &model, &state, &inputs, &mut workspace).unwrap().accelerations()));
    }
    let mut dense = DenseWorkspace::new(&model);
    assert!(close(
        composite_forward_dynamics(&model, &state, &inputs, &mut workspace, &mut dense).unwrap().accelerations()
    ));

    let (single, double) = (model.cast::<Inner>(), model.cast::<Outer>());
    let scale = forces.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    (0..n).fold(0.0_f64, |worst, i| {
        let unit = |j: usize| if i == j { 1.0 } else { 0.0 };
        // ∂(T - V)/∂q_i
        let along_q: Vec<Inner> = (0..n).map(|j| Dual { value: q[j], derivative: unit(j) }).collect();
        let speeds: Vec<Inner> = u.iter().map(|x| Dual::constant(*x)).collect();
        let (t, v) = energies(&single, &along_q, &speeds);
        // d/dt ∂T/∂q̇_i: the inner derivative is along q̇_i, the outer one along the motion
        let moving_q: Vec<Outer> =
            (0..n).map(|j| Dual { value: Dual::constant(q[j]), derivative: Dual::constant(u[j]) }).collect();
        let moving_u: Vec<Outer> = (0..n)
            .map(|j| Dual { value: Dual { value: u[j], derivative: unit(j) }, derivative: Dual::constant(a[j]) })
            .collect();
        let (kinetic, _) = energies(&double, &moving_q, &moving_u);
        let expected = kinetic.derivative.derivative - t.derivative + v.derivative;
        worst.max((forces[i] - expected).abs() / scale)
    })
}

#[test]
fn inverse_dynamics_is_lagranges_equations() {
    let mut rng = Generator::new(7);
    for rotation in [ElasticRotation::RotationVector, ElasticRotation::Euler321, ElasticRotation::Euler123] {
        for fidelity in [Fidelity::Inconsistent, Fidelity::Exact, Fidelity::Stiffened] {
            for free_free in [false, true] {
                let system = chain(&mut rng, rotation, fidelity, free_free);
                let error = check(&system, &mut rng);
                assert!(error < 1e-12, "{rotation:?} {fidelity:?} free-free {free_free}: {error:.1e}");
            }
        }
    }
}
