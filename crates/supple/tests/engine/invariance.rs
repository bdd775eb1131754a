//! Descriptions of the same system give the same motion.

use supple::testkit::{
    Generator, Layout, Prepared, RandomOptions, RandomState, Worst, random_system, relative_difference, tolerance,
};
use supple::{
    Body, BodyIndex, Fidelity, HingeKind, ModalMatrix, Modes, NodeIndex, NonlinearStiffness, Parent, SecondOrderShape,
    System, forward_dynamics, inverse_dynamics, mass_matrix,
};

fn sample(seed: u64) -> (System, RandomState) {
    random_system(
        seed,
        &RandomOptions {
            orthogonal_modes: seed.is_multiple_of(3),
            modes: 12,
            second_order: seed % 5 > 2,
            ..RandomOptions::default()
        },
    )
}

fn forward(system: &System, random: &RandomState) -> Vec<f64> {
    let at = Prepared::new(system, random);
    let mut ws = at.workspace();
    forward_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap().accelerations().to_vec()
}

fn inverse(system: &System, random: &RandomState) -> Vec<f64> {
    let at = Prepared::new(system, random);
    let mut ws = at.workspace();
    inverse_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap().forces().to_vec()
}

/// Compares two descriptions with the same speeds: forces to 1e-12, accelerations to that or what the condition
/// number makes of rounding.
fn compare(seed: u64, one: (&System, &RandomState), other: (&System, &RandomState), worst: &mut Worst) {
    let error = relative_difference(&inverse(other.0, other.1), &inverse(one.0, one.1));
    worst.record("forces", seed, error, 1e-12);
    let error = relative_difference(&forward(other.0, other.1), &forward(one.0, one.1));
    let allowed = (100.0 * f64::EPSILON * one.1.answer(one.0).condition()).max(1e-12);
    worst.record("accelerations", seed, error, allowed);
}

/// The numbers of every body in another order: `order[i]` is the body that comes at place `i`.
fn reordered(system: &System, random: &RandomState, order: &[usize]) -> (System, RandomState) {
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
    let mut other = system.clone();
    other.bodies = order.iter().map(|&old| system.bodies[old].clone()).collect();
    for body in &mut other.bodies {
        if let Parent::Body(p, _) = &mut body.parent {
            *p = BodyIndex(place[p.0]);
        }
    }
    let (layout, new_layout) = (Layout::new(system), Layout::new(&other));
    let speeds = |list: &[f64]| -> Vec<f64> {
        let range = |old: usize| layout.deformation_speeds(old).start..layout.hinge_speeds(old).end;
        order.iter().flat_map(|&old| list[range(old)].to_vec()).collect()
    };
    let coordinates = order.iter().flat_map(|&old| {
        let range = layout.deformation(old).start..layout.hinge(old).end;
        random.coordinates[range].to_vec()
    });
    let attitude = |&(k, j): &(usize, usize)| random.attitudes[layout.attitude(order[k], j).unwrap()];
    let state = RandomState {
        coordinates: coordinates.collect(),
        speeds: speeds(&random.speeds),
        attitudes: new_layout.attitudes.iter().map(attitude).collect(),
        wrenches: random.wrenches.iter().map(|&(k, j, frame, w)| (place[k], j, frame, w)).collect(),
        forces: speeds(&random.forces),
        accelerations: speeds(&random.accelerations),
    };
    (other, state)
}

/// A random order with parents before their children.
fn parents_first(system: &System, rng: &mut Generator) -> Vec<usize> {
    let mut left: Vec<usize> = (0..system.bodies.len()).collect();
    let mut order: Vec<usize> = Vec::new();
    while !left.is_empty() {
        let at = rng.below(left.len());
        let ready = match system.bodies[left[at]].parent {
            Parent::Ground => true,
            Parent::Body(p, _) => order.contains(&p.0),
        };
        if ready {
            order.push(left.remove(at));
        }
    }
    order
}

#[test]
fn the_order_of_declaration_does_not_matter() {
    let mut worst = Worst::new();
    let mut changed = 0;
    for seed in 0..400 {
        let (system, random) = sample(seed);
        let order = parents_first(&system, &mut Generator::new(seed));
        changed += usize::from(!order.is_sorted());
        let (other, mut state) = reordered(&system, &random, &order);
        // Results back in the first order.
        let mut back = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| back[old] = new);
        let restore = |list: Vec<f64>, state: &mut RandomState| {
            state.forces = list;
            reordered(&other, state, &back).1.forces
        };
        let found = restore(inverse(&other, &state), &mut state.clone());
        worst.record("forces", seed, relative_difference(&found, &inverse(&system, &random)), 1e-12);
        let found = restore(forward(&other, &state), &mut state);
        let allowed = (100.0 * f64::EPSILON * random.answer(&system).condition()).max(1e-12);
        worst.record("accelerations", seed, relative_difference(&found, &forward(&system, &random)), allowed);
    }
    assert!(changed > 100, "{changed}");
    worst.assert_within();
}

/// Every hinge with one axis about or along the opposite of it.
fn opposite(system: &System, random: &RandomState) -> (System, RandomState) {
    let (mut other, mut state) = (system.clone(), random.clone());
    let layout = Layout::new(system);
    for (k, body) in other.bodies.iter_mut().enumerate() {
        if let HingeKind::Revolute { axis } | HingeKind::Prismatic { axis } = &mut body.hinge.kind {
            *axis = axis.map(|x| -x);
            state.coordinates[layout.hinge(k)].iter_mut().for_each(|x| *x = -*x);
            for list in [&mut state.speeds, &mut state.forces, &mut state.accelerations] {
                list[layout.hinge_speeds(k)].iter_mut().for_each(|x| *x = -*x);
            }
        }
    }
    (other, state)
}

/// Hinges about coordinate axes take a shorter way than those about their opposites; modes may move the nodes that carry them, and the
/// bias of bodies with constant inertial terms leaves their rates out.
#[test]
fn the_sense_of_an_axis_does_not_matter() {
    let mut worst = Worst::new();
    for seed in 0..400 {
        let options = RandomOptions {
            constant_terms: seed % 2 == 1,
            modes: 12,
            second_order: seed % 5 > 2,
            ..RandomOptions::default()
        };
        let (system, mut random) = random_system(seed, &options);
        // The mass matrix does not depend on speeds: the condition number is that of modes with constant terms at rest.
        let allowed = (100.0 * f64::EPSILON * random.answer(&system).condition()).max(1e-12);
        let mut rng = Generator::new(seed);
        random.speeds.iter_mut().filter(|speed| **speed == 0.0).for_each(|speed| *speed = rng.between(-1.0, 1.0));
        let (other, state) = opposite(&system, &random);
        let back = |list: Vec<f64>| opposite(&system, &RandomState { forces: list, ..random.clone() }).1.forces;
        let found = back(inverse(&other, &state));
        worst.record("forces", seed, relative_difference(&found, &inverse(&system, &random)), 1e-12);
        let found = back(forward(&other, &state));
        worst.record("accelerations", seed, relative_difference(&found, &forward(&system, &random)), allowed);
    }
    worst.assert_within();
}

/// Where a node has been doubled, both halves have its attitude.
fn with_attitudes(system: &System, random: &RandomState, other: &System, origin: &[Vec<usize>]) -> RandomState {
    let layout = Layout::new(system);
    let attitude = |&(k, j): &(usize, usize)| random.attitudes[layout.attitude(k, origin[k][j]).unwrap()];
    RandomState { attitudes: Layout::new(other).attitudes.iter().map(attitude).collect(), ..random.clone() }
}

/// Every hinge moves to a marker of its own at the same place, and half of each mass to another node there.
#[test]
fn splitting_a_node_changes_nothing() {
    let mut worst = Worst::new();
    for seed in 0..400 {
        let (system, random) = sample(seed);
        let mut other = system.clone();
        let mut origin: Vec<Vec<usize>> = system.bodies.iter().map(|body| (0..body.nodes.len()).collect()).collect();
        let mut double = |body: &mut Body, k: usize, j: usize| {
            let mut twin = body.nodes[j].clone();
            (twin.mass, twin.inertia, twin.mass_centre) = (0.0, [[0.0; 3]; 3], [0.0; 3]);
            body.nodes.push(twin);
            origin[k].push(j);
            body.nodes.len() - 1
        };
        for k in 0..other.bodies.len() {
            if let Parent::Body(p, node) = other.bodies[k].parent {
                let twin = double(&mut other.bodies[p.0], p.0, node.0);
                other.bodies[k].parent = Parent::Body(p, NodeIndex(twin));
            }
        }
        for (k, body) in other.bodies.iter_mut().enumerate() {
            body.inboard_node = NodeIndex(double(body, k, body.inboard_node.0));
            for j in 0..system.bodies[k].nodes.len() {
                let twin = double(body, k, j);
                body.nodes[j].mass *= 0.5;
                body.nodes[j].inertia = body.nodes[j].inertia.map(|row| row.map(|x| 0.5 * x));
                body.nodes[twin].mass = body.nodes[j].mass;
                body.nodes[twin].inertia = body.nodes[j].inertia;
                body.nodes[twin].mass_centre = body.nodes[j].mass_centre;
            }
        }
        let state = with_attitudes(&system, &random, &other, &origin);
        compare(seed, (&system, &random), (&other, &state), &mut worst);
    }
    worst.assert_within();
}

/// The reference point of a body, rigid or flexible, is no part of its physics.
#[test]
fn moving_the_frame_of_a_body_changes_nothing() {
    let mut worst = Worst::new();
    for seed in 0..400 {
        let (system, random) = sample(seed);
        let mut rng = Generator::new(seed);
        let mut other = system.clone();
        for body in &mut other.bodies {
            let shift = rng.vector(1.0);
            for node in &mut body.nodes {
                node.position = std::array::from_fn(|i| node.position[i] + shift[i]);
            }
        }
        compare(seed, (&system, &random), (&other, &random), &mut worst);
    }
    worst.assert_within();
}

/// The same body without its modes.
fn stiff(body: &Body) -> Body {
    let mut body = Body { modes: Modes::default(), ..body.clone() };
    body.nodes.iter_mut().for_each(|node| node.influence.clear());
    body
}

/// Hinge rows of a list with one number per speed.
fn hinge_rows(system: &System, list: &[f64]) -> Vec<f64> {
    let layout = Layout::new(system);
    (0..system.bodies.len()).flat_map(|k| list[layout.hinge_speeds(k)].to_vec()).collect()
}

#[test]
fn modes_at_rest_are_a_rigid_body() {
    let mut worst = Worst::new();
    for seed in 0..400 {
        let (mut system, mut random) = sample(seed);
        let layout = Layout::new(&system);
        for k in 0..system.bodies.len() {
            random.coordinates[layout.deformation(k)].fill(0.0);
            random.speeds[layout.deformation_speeds(k)].fill(0.0);
            random.accelerations[layout.deformation_speeds(k)].fill(0.0);
            if seed.is_multiple_of(2) && system.bodies[k].modes.count > 0 {
                system.bodies[k].modes.fidelity = Fidelity::RuthlessConstant;
            }
        }
        random.attitudes.fill([0.0, 0.0, 0.0, 1.0]);
        let rigid = System { bodies: system.bodies.iter().map(stiff).collect(), ..system.clone() };
        if Layout::new(&rigid).speed_count == 0 {
            continue;
        }
        let coordinates = (0..system.bodies.len()).flat_map(|k| random.coordinates[layout.hinge(k)].to_vec());
        let state = RandomState {
            coordinates: coordinates.collect(),
            speeds: hinge_rows(&system, &random.speeds),
            accelerations: hinge_rows(&system, &random.accelerations),
            forces: hinge_rows(&system, &random.forces),
            attitudes: Vec::new(),
            wrenches: random.wrenches.clone(),
        };
        let found = hinge_rows(&system, &inverse(&system, &random));
        worst.record("forces", seed, relative_difference(&found, &inverse(&rigid, &state)), 1e-13);

        let matrix = |system: &System, random: &RandomState| -> Vec<Vec<f64>> {
            let at = Prepared::new(system, random);
            let n = at.model.speed_count();
            let mut out = vec![0.0; n * n];
            mass_matrix(&at.model, &at.state, &mut at.workspace(), &mut at.dense_workspace(), &mut out).unwrap();
            let rows: Vec<f64> = hinge_rows(system, &(0..n).map(|i| i as f64).collect::<Vec<_>>());
            rows.iter().map(|&i| hinge_rows(system, &out[i as usize * n..][..n])).collect()
        };
        let error = relative_difference(&matrix(&system, &random), &matrix(&rigid, &state));
        worst.record("mass matrix", seed, error, 1e-13);
    }
    worst.assert_within();
}

/// A lower triangle with its diagonal between 1/3 and 3.
fn triangle(n: usize, rng: &mut Generator) -> Vec<Vec<f64>> {
    let entry = |i: usize, j: usize, rng: &mut Generator| match i.cmp(&j) {
        std::cmp::Ordering::Less => 0.0,
        std::cmp::Ordering::Equal => rng.decades(-0.5, 0.5),
        std::cmp::Ordering::Greater => rng.between(-0.5, 0.5) / n as f64,
    };
    (0..n).map(|i| (0..n).map(|j| entry(i, j, rng)).collect()).collect()
}

fn product(s: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    s.iter().map(|row| row.iter().zip(x).map(|(s, x)| s * x).sum()).collect()
}

fn solve_lower(s: &[Vec<f64>], x: &mut [f64]) {
    for i in 0..x.len() {
        let sum: f64 = (0..i).map(|j| s[i][j] * x[j]).sum();
        x[i] = (x[i] - sum) / s[i][i];
    }
}

/// `S* A S`.
fn congruence(a: &ModalMatrix, s: &[Vec<f64>]) -> ModalMatrix {
    let n = s.len();
    let entry = |i: usize, j: usize| match a {
        ModalMatrix::Zero => 0.0,
        ModalMatrix::Diagonal(d) => (0..n).map(|k| s[k][i] * d[k] * s[k][j]).sum::<f64>(),
        ModalMatrix::Full(rows) => (0..n * n).map(|kl| s[kl / n][i] * rows[kl / n][kl % n] * s[kl % n][j]).sum(),
    };
    ModalMatrix::Full((0..n).map(|i| (0..n).map(|j| entry(i.max(j), i.min(j))).collect()).collect())
}

/// `S* B S` in place of `B`.
fn combine(shape: &mut SecondOrderShape, s: &[Vec<f64>]) {
    let n = s.len();
    let mut rows = vec![vec![0.0; n]; n];
    for &([r, q], value) in &shape.quadratic {
        (rows[r][q], rows[q][r]) = (value, value);
    }
    if let ModalMatrix::Full(rows) = congruence(&ModalMatrix::Full(rows), s) {
        shape.quadratic = (0..n).flat_map(|r| (r..n).map(move |q| [r, q])).map(|at| (at, rows[at[0]][at[1]])).collect();
    }
}

/// With `η = S η'` the modes are combined, normalised or not, and the motion is the same.
#[test]
fn the_basis_of_the_modes_does_not_matter() {
    let mut worst = Worst::new();
    for seed in 0..400 {
        let (mut system, random) = sample(seed);
        system.bodies.iter_mut().for_each(|body| body.modes.nonlinear = NonlinearStiffness::default());
        let (layout, mut rng) = (Layout::new(&system), Generator::new(seed));
        let (mut other, mut state) = (system.clone(), random.clone());
        let bases: Vec<_> = system.bodies.iter().map(|body| triangle(body.modes.count, &mut rng)).collect();
        for (k, (body, s)) in other.bodies.iter_mut().zip(&bases).enumerate() {
            let n = s.len();
            for node in body.nodes.iter_mut().filter(|node| !node.influence.is_empty()) {
                let column = |r: usize| std::array::from_fn(|i| (r..n).map(|q| node.influence[q][i] * s[q][r]).sum());
                let modes: Vec<_> = (0..n).map(column).collect();
                node.influence[..n].copy_from_slice(&modes);
            }
            body.modes.second_order.iter_mut().for_each(|shape| combine(shape, s));
            if n > 0 {
                body.modes.stiffness = congruence(&body.modes.stiffness, s);
                body.modes.damping = congruence(&body.modes.damping, s);
            }
            let own = layout.deformation_speeds(k);
            solve_lower(s, &mut state.coordinates[layout.deformation(k)]);
            solve_lower(s, &mut state.speeds[own.clone()]);
            let forces = (0..n).map(|r| (r..n).map(|q| s[q][r] * random.forces[own.start + q]).sum());
            state.forces[own.clone()].copy_from_slice(&forces.collect::<Vec<f64>>());
        }
        let mut found = forward(&other, &state);
        for (k, s) in bases.iter().enumerate() {
            let own = layout.deformation_speeds(k);
            let mapped = product(s, &found[own.clone()]);
            found[own].copy_from_slice(&mapped);
        }
        let condition = random.answer(&system).condition().max(state.answer(&other).condition());
        let error = relative_difference(&found, &forward(&system, &random));
        worst.record("accelerations", seed, error, tolerance(condition));
    }
    worst.assert_within();
}
