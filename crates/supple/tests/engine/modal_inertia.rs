//! Inertia given as tables of modal integrals moves a body like the nodes that the tables were summed over.

use supple::testkit::{Generator, Prepared, RandomOptions, RandomState, Worst, random_system, relative_difference};
use supple::{
    Body, Hinge, HingeKind, InertiaConvention, ModalInertia, ModalMatrix, Model, ModelBuilder, Modes, Node, Parent,
    Problem, System, energy, forward_dynamics, inverse_dynamics, momentum,
};

/// Moves the inertia of about half of the nodes of every other body into tables.
fn tabulated(system: &System, seed: u64) -> (System, usize) {
    let (mut other, mut rng, mut moved) = (system.clone(), Generator::new(seed), 0);
    for body in &mut other.bodies {
        let mut emptied = body.clone();
        for (node, left) in emptied.nodes.iter_mut().zip(&mut body.nodes) {
            let away = if rng.chance(0.6) { left } else { node };
            (away.mass, away.mass_centre, away.inertia) = (0.0, [0.0; 3], [[0.0; 3]; 3]);
        }
        body.modal_inertia = Some(ModalInertia::of(&emptied));
        moved += usize::from(emptied.nodes.iter().any(|n| n.mass > 0.0) && body.modes.count > 0);
    }
    (other, moved)
}

fn forward(system: &System, random: &RandomState) -> Vec<f64> {
    let at = Prepared::new(system, random);
    forward_dynamics(&at.model, &at.state, &at.inputs, &mut at.workspace()).unwrap().accelerations().to_vec()
}

fn inverse(system: &System, random: &RandomState) -> Vec<f64> {
    let at = Prepared::new(system, random);
    inverse_dynamics(&at.model, &at.state, &at.inputs, &mut at.workspace()).unwrap().forces().to_vec()
}

#[test]
fn tables_move_a_body_like_its_nodes() {
    let (mut worst, mut moved) = (Worst::new(), 0);
    for seed in 0..600 {
        let (mut system, random) = random_system(seed, &RandomOptions { modes: 8, ..RandomOptions::default() });
        system.inertia = InertiaConvention::Lagrange;
        let (other, count) = tabulated(&system, seed);
        moved += count;
        let error = relative_difference(&inverse(&other, &random), &inverse(&system, &random));
        worst.record("forces", seed, error, 1e-12);
        let condition = random.answer(&system).condition();
        let allowed = (100.0 * f64::EPSILON * condition).max(1e-12);
        let error = relative_difference(&forward(&other, &random), &forward(&system, &random));
        worst.record("accelerations", seed, error, allowed);
        let (a, b) = (Prepared::new(&system, &random), Prepared::new(&other, &random));
        let energies = |at: &Prepared| {
            let e = energy(&at.model, &at.state, &mut at.workspace()).unwrap();
            let p = momentum(&at.model, &at.state, &mut at.workspace()).unwrap();
            [vec![e.kinetic, e.gravitational], p.linear.0.to_vec(), p.angular.0.to_vec()].concat()
        };
        worst.record("energy and momentum", seed, relative_difference(&energies(&b), &energies(&a)), 1e-12);
    }
    assert!(moved > 300, "{moved}");
    worst.assert_within();
}

/// Beside turning nodes, whose equations are Newton and Euler's, tables keep to Lagrange's: where only point masses are tabulated, the two agree.
#[test]
fn tables_of_point_masses_fit_both_conventions() {
    let (mut worst, mut turned) = (Worst::new(), 0);
    for seed in 0..300 {
        let (mut system, random) = random_system(seed, &RandomOptions { modes: 6, ..RandomOptions::default() });
        system.inertia = InertiaConvention::NewtonEuler;
        let mut other = system.clone();
        for (a, b) in system.bodies.iter_mut().zip(&mut other.bodies) {
            let mut points = a.clone();
            for i in 0..a.nodes.len() {
                if i % 2 == 0 {
                    for node in [&mut a.nodes[i], &mut b.nodes[i], &mut points.nodes[i]] {
                        (node.mass_centre, node.inertia) = ([0.0; 3], [[0.0; 3]; 3]);
                    }
                    b.nodes[i].mass = 0.0;
                } else {
                    points.nodes[i].mass = 0.0;
                    (points.nodes[i].mass_centre, points.nodes[i].inertia) = ([0.0; 3], [[0.0; 3]; 3]);
                }
            }
            turned += usize::from(b.nodes.iter().any(|n| n.inertia != [[0.0; 3]; 3] && !n.influence.is_empty()));
            b.modal_inertia = Some(ModalInertia::of(&points));
        }
        let massive = |s: &System| Model::build(s).is_ok();
        if massive(&system) {
            let error = relative_difference(&inverse(&other, &random), &inverse(&system, &random));
            worst.record("forces", seed, error, 1e-12);
        }
    }
    assert!(turned > 100, "{turned}");
    worst.assert_within();
}

/// A beam-like body with one mode, as tables.
fn sound() -> Body {
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
    let node = |x: f64, y: f64| Node {
        position: [x, 0.0, 0.0],
        mass: 1.0,
        influence: vec![[0.0, 0.0, y, 0.0, y, 0.0]],
        ..Node::default()
    };
    let root = Node { mass: 0.5, ..Node::default() };
    let modes = Modes { count: 1, stiffness: ModalMatrix::Diagonal(vec![10.0]), ..Modes::default() };
    let body =
        Body::new("panel", Parent::Ground, hinge).with_node(root).with_node(node(1.0, 0.3)).with_node(node(2.0, 1.0));
    let mut body = body.with_modes(modes);
    let tables = ModalInertia::of(&body);
    body.nodes.iter_mut().for_each(|n| n.mass = 0.0);
    body.with_modal_inertia(tables)
}

fn problems(change: impl Fn(&mut ModalInertia)) -> Vec<Problem> {
    let mut body = sound();
    change(body.modal_inertia.as_mut().unwrap());
    let mut builder = ModelBuilder::new();
    builder.body(body);
    builder.build().err().map(|e| e.problems().to_vec()).unwrap_or_default()
}

#[test]
fn bad_tables_are_refused_by_name() {
    assert_eq!(problems(|_| {}), []);
    let one = |change: &dyn Fn(&mut ModalInertia)| problems(change)[0].to_string();
    for (change, words) in [
        (&(|t: &mut ModalInertia| t.mass = -1.0) as &dyn Fn(&mut ModalInertia), "mass must not be negative -1"),
        (&|t| t.coupling[0][4] = f64::NAN, "modal inertia, coupling"),
        (&|t| t.coupling.clear(), "modal inertia, coupling has size 0, expected 1"),
        (&|t| t.inertia_second[0].push([[0.0; 3]; 3]), "row of inertia_second has size 2, expected 1"),
        (&|t| t.inertia[0][1] = 1.0, "inertia must be symmetric"),
        (&|t| t.inertia_first[0][0][1] += 1.0, "inertia_first must be symmetric"),
        (&|t| t.inertia_second[0][0][0][1] += 1.0, "inertia_second must be symmetric"),
        (&|t| t.coupling[0][4] *= 10.0, "kinetic energy that is negative"),
        (&|t| t.inertia[2][2] *= 3.0, "triangle"),
    ] {
        let text = one(change);
        assert!(text.contains(words) && text.contains("panel"), "{text}");
    }
}
