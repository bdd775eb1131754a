//! Random serial arms, and their equations of motion by a dense Lagrangian that knows particles and 4 × 4 matrices only.
//!
//! Nothing of the engine but the description of a system is used: every node is a cloud of particles, the position of each is a
//! function of all coordinates, and its derivatives come from dual numbers.

#![allow(dead_code)] // not every test uses all of it

use supple::spatial::{Dual, Scalar};
use supple::testkit::Generator;
use supple::{
    Body, BodyIndex, ElasticRotation, Fidelity, Hinge, HingeKind, ModalMatrix, Modes, Node, NodeIndex, Parent, System,
    Wrench, WrenchFrame,
};

/// Particles of each node of each body: mass and position from the node.
pub type Clouds = Vec<Vec<Vec<(f64, [f64; 3])>>>;

/// What a random arm may have.
#[derive(Clone, Copy, Debug)]
pub struct ArmOptions {
    /// Most bodies.
    pub bodies: usize,
    /// Most modes of a body; 0 for rigid arms.
    pub modes: usize,
    /// Nodes are rigid clouds, not single particles.
    pub clouds: bool,
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Mass, mass centre and inertia of a cloud.
fn set_inertia(node: &mut Node, cloud: &[(f64, [f64; 3])]) {
    node.mass = cloud.iter().map(|(m, _)| m).sum();
    for (m, s) in cloud {
        let square: f64 = s.iter().map(|x| x * x).sum();
        for i in 0..3 {
            node.mass_centre[i] += m * s[i] / node.mass;
            for j in 0..3 {
                node.inertia[i][j] += m * (if i == j { square } else { 0.0 } - s[i] * s[j]);
            }
        }
    }
}

/// An arm and its particles.
pub fn random_arm(rng: &mut Generator, options: ArmOptions) -> (System, Clouds) {
    let count = 1 + rng.below(options.bodies);
    let (mut bodies, mut clouds) = (Vec::new(), Clouds::new());
    for k in 0..count {
        let modes = if options.modes > 0 && rng.chance(0.7) { 1 + rng.below(options.modes) } else { 0 };
        let mut nodes = Vec::new();
        let mut own = Vec::new();
        for j in 0..4 + rng.below(2) {
            let mut node = Node { position: rng.vector(0.3), ..Node::default() };
            node.position[0] += 0.4 * j as f64;
            // The first node is at the hinge and at rest.
            if j > 0 && modes > 0 {
                node.influence = (0..modes).map(|_| std::array::from_fn(|_| rng.between(-0.5, 0.5))).collect();
            }
            let particles = if options.clouds || modes == 0 { 5 } else { 1 };
            let size = if particles > 1 { 0.2 } else { 0.0 };
            let cloud: Vec<_> = (0..particles).map(|_| (rng.between(0.1, 0.5), rng.vector(size))).collect();
            set_inertia(&mut node, &cloud);
            nodes.push(node);
            own.push(cloud);
        }
        let parent = match k {
            0 => Parent::Ground,
            _ => {
                let before: &Body = &bodies[k - 1];
                Parent::Body(BodyIndex(k - 1), NodeIndex(1 + rng.below(before.nodes.len() - 1)))
            }
        };
        let mut hinge = Hinge::new(HingeKind::Revolute { axis: rng.direction() }).turned(rng.rotation());
        hinge.position = rng.vector(0.2);
        if rng.chance(0.3) {
            hinge.rotor_inertia = vec![rng.between(0.01, 1.0)];
        }
        let full = |rng: &mut Generator, low: f64, high: f64| {
            let mut rows = vec![vec![0.0; modes]; modes];
            for r in 0..modes {
                rows[r][r] = rng.between(low, high);
                for s in 0..r {
                    rows[r][s] = rng.between(-0.1, 0.1) * low;
                    rows[s][r] = rows[r][s];
                }
            }
            ModalMatrix::Full(rows)
        };
        let modes = Modes {
            count: modes,
            stiffness: full(rng, 5.0, 50.0),
            damping: if rng.chance(0.5) { full(rng, 0.1, 1.0) } else { ModalMatrix::Zero },
            fidelity: Fidelity::Inconsistent,
            ..Modes::default()
        };
        bodies.push(Body { nodes, modes, ..Body::new(format!("link {k}"), parent, hinge) });
        clouds.push(own);
    }
    let gravity = rng.vector(10.0);
    (System { gravity, elastic_rotation: ElasticRotation::FirstOrder, bodies, ..System::default() }, clouds)
}

/// Coordinates or speeds: `modal` in size for modes, `hinge` for hinges.
pub fn random_vector(rng: &mut Generator, system: &System, modal: f64, hinge: f64) -> Vec<f64> {
    let mut out = Vec::new();
    for body in &system.bodies {
        out.extend(rng.list(body.modes.count, modal));
        out.push(rng.between(-hinge, hinge));
    }
    out
}

/// Some wrenches at random nodes.
pub fn random_wrenches(rng: &mut Generator, system: &System, count: usize) -> Vec<Wrench> {
    (0..count)
        .map(|i| {
            let body = rng.below(system.bodies.len());
            let force = std::array::from_fn(|_| rng.between(-3.0, 3.0));
            Wrench {
                body: BodyIndex(body),
                node: NodeIndex(rng.below(system.bodies[body].nodes.len())),
                frame: if i % 2 == 0 { WrenchFrame::Body } else { WrenchFrame::Inertial },
                force: supple::spatial::Force::from_array(force),
            }
        })
        .collect()
}

type Matrix4<T> = [[T; 4]; 4];

fn product<T: Scalar>(a: &Matrix4<T>, b: &Matrix4<T>) -> Matrix4<T> {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..4).fold(T::ZERO, |s, k| s + a[i][k] * b[k][j])))
}

/// `[R x; 0 1]`, the usual order.
fn homogeneous<T: Scalar>(rotation: [[T; 3]; 3], x: [T; 3]) -> Matrix4<T> {
    let row = |i: usize| [rotation[i][0], rotation[i][1], rotation[i][2], x[i]];
    [row(0), row(1), row(2), [T::ZERO, T::ZERO, T::ZERO, T::ONE]]
}

fn constant<T: Scalar>(rotation: [[f64; 3]; 3], x: [f64; 3]) -> Matrix4<T> {
    homogeneous(rotation.map(|row| row.map(T::from_f64)), x.map(T::from_f64))
}

const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Rotation about an axis by Rodrigues' formula.
fn turn<T: Scalar>(axis: [f64; 3], angle: T) -> [[T; 3]; 3] {
    let size = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [x, y, z] = axis.map(|a| a / size);
    let skew = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
    let a = [x, y, z];
    let (sin, cos) = angle.sin_cos();
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let along = a[i] * a[j];
            T::from_f64(along) + cos * T::from_f64(IDENTITY[i][j] - along) + sin * T::from_f64(skew[i][j])
        })
    })
}

/// `Σ δ [λ; γ]` of a node.
fn deflection<T: Scalar>(node: &Node, delta: &[T]) -> [T; 6] {
    let mut sum = [T::ZERO; 6];
    for (column, delta) in node.influence.iter().zip(delta) {
        for i in 0..6 {
            sum[i] += T::from_f64(column[i]) * *delta;
        }
    }
    sum
}

/// `[I + skew(θ), x]` of a node in the frame of its body.
fn node_frame<T: Scalar>(node: &Node, delta: &[T]) -> Matrix4<T> {
    let [a, b, c, x, y, z] = deflection(node, delta);
    let one = T::ONE;
    let position = [x, y, z];
    let at = std::array::from_fn(|i| T::from_f64(node.position[i]) + position[i]);
    homogeneous([[one, -c, b], [c, one, -a], [-b, a, one]], at)
}

/// Coordinates `[δ, q]` of body `k`.
fn of_body<'z, T>(system: &System, z: &'z [T], k: usize) -> (&'z [T], &'z T) {
    let start: usize = system.bodies[..k].iter().map(|b| b.modes.count + 1).sum();
    let modes = system.bodies[k].modes.count;
    (&z[start..start + modes], &z[start + modes])
}

/// Frames of all bodies.
pub fn frames<T: Scalar>(system: &System, z: &[T]) -> Vec<Matrix4<T>> {
    let mut out: Vec<Matrix4<T>> = Vec::new();
    for (k, body) in system.bodies.iter().enumerate() {
        let carrier = match body.parent {
            Parent::Ground => constant(IDENTITY, [0.0; 3]),
            Parent::Body(p, t) => {
                product(&out[p.0], &node_frame(&system.bodies[p.0].nodes[t.0], of_body(system, z, p.0).0))
            }
        };
        let HingeKind::Revolute { axis } = body.hinge.kind else { panic!("an arm turns") };
        let mount = constant(body.hinge.rotation, body.hinge.position);
        let joint = homogeneous(turn(axis, *of_body(system, z, k).1), [T::ZERO; 3]);
        let back = body.nodes[body.inboard_node.0].position.map(|x| -x);
        out.push(product(&product(&product(&carrier, &mount), &joint), &constant(IDENTITY, back)));
    }
    out
}

/// A point `[s, weight]` of a node, in inertial axes.
fn place<T: Scalar>(system: &System, frames: &[Matrix4<T>], z: &[T], at: Place) -> [T; 3] {
    let node = node_frame(&system.bodies[at.body].nodes[at.node], of_body(system, z, at.body).0);
    let whole = product(&frames[at.body], &node);
    let point = [at.offset[0], at.offset[1], at.offset[2], at.weight].map(T::from_f64);
    std::array::from_fn(|i| (0..4).fold(T::ZERO, |s, c| s + whole[i][c] * point[c]))
}

/// A point or a direction of a node.
#[derive(Clone, Copy, Debug)]
struct Place {
    body: usize,
    node: usize,
    offset: [f64; 3],
    weight: f64,
}

/// Mass matrix and right-hand side of `M z̈ = r`.
pub struct Lagrangian {
    pub matrix: Vec<Vec<f64>>,
    pub rest: Vec<f64>,
    pub accelerations: Vec<f64>,
}

/// What acts.
pub struct Acting<'a> {
    pub forces: &'a [f64],
    pub wrenches: &'a [Wrench],
}

/// Lagrange's equations of all particles: `Σ m Jᵀ J z̈ = T + Σ m Jᵀ (g - J̇ ż) - K δ - C δ̇ + wrenches`.
pub fn lagrangian(system: &System, clouds: &Clouds, z: &[f64], rates: &[f64], acting: &Acting<'_>) -> Lagrangian {
    let n = z.len();
    let along: Vec<Vec<Dual<f64>>> = (0..n)
        .map(|i| (0..n).map(|j| Dual { value: z[j], derivative: if i == j { 1.0 } else { 0.0 } }).collect())
        .collect();
    let unit_frames: Vec<_> = along.iter().map(|z| frames(system, z)).collect();
    // z + ż t, twice: the derivative of the derivative is the acceleration at constant rates.
    let moving: Vec<Dual<Dual<f64>>> = (0..n)
        .map(|j| Dual {
            value: Dual { value: z[j], derivative: rates[j] },
            derivative: Dual { value: rates[j], derivative: 0.0 },
        })
        .collect();
    let moving_frames = frames(system, &moving);
    let jacobian = |at: Place| -> Vec<[f64; 3]> {
        let column = |i: usize| place(system, &unit_frames[i], &along[i], at).map(|x| x.derivative);
        (0..n).map(column).collect()
    };
    let value = |at: Place| place(system, &unit_frames[0], &along[0], at).map(|x| x.value);
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

    let (mut matrix, mut rest) = (vec![vec![0.0; n]; n], acting.forces.to_vec());
    for (body, nodes) in clouds.iter().enumerate() {
        for (node, cloud) in nodes.iter().enumerate() {
            for &(mass, offset) in cloud {
                let at = Place { body, node, offset, weight: 1.0 };
                let columns = jacobian(at);
                let second = place(system, &moving_frames, &moving, at).map(|x| x.derivative.derivative);
                let fall = std::array::from_fn(|i| system.gravity[i] - second[i]);
                for i in 0..n {
                    rest[i] += mass * dot(columns[i], fall);
                    for j in 0..n {
                        matrix[i][j] += mass * dot(columns[i], columns[j]);
                    }
                }
            }
        }
    }
    let mut start = 0;
    for body in &system.bodies {
        let modes = body.modes.count;
        for (modal, x) in [(&body.modes.stiffness, z), (&body.modes.damping, rates)] {
            let ModalMatrix::Full(rows) = modal else { continue };
            for r in 0..modes {
                rest[start + r] -= (0..modes).map(|s| rows[r][s] * x[start + s]).sum::<f64>();
            }
        }
        for rotor in &body.hinge.rotor_inertia {
            matrix[start + modes][start + modes] += rotor;
        }
        start += modes + 1;
    }
    for wrench in acting.wrenches {
        let (body, node) = (wrench.body.0, wrench.node.0);
        let frame = &unit_frames[0][body];
        let turned = |v: [f64; 3]| -> [f64; 3] {
            match wrench.frame {
                WrenchFrame::Inertial => v,
                WrenchFrame::Body => std::array::from_fn(|i| (0..3).map(|c| frame[i][c].value * v[c]).sum()),
            }
        };
        let [a, b, c, x, y, w] = wrench.force.to_array();
        let (moment, force) = (turned([a, b, c]), turned([x, y, w]));
        let mut add = |at: Place, force: [f64; 3]| {
            for (row, column) in rest.iter_mut().zip(jacobian(at)) {
                *row += dot(column, force);
            }
        };
        add(Place { body, node, offset: [0.0; 3], weight: 1.0 }, force);
        // A moment as couples on the axes of the node.
        for offset in IDENTITY {
            let arm = Place { body, node, offset, weight: 0.0 };
            add(arm, cross(moment, value(arm)).map(|x| 0.5 * x));
        }
    }
    let accelerations = solve(matrix.clone(), rest.clone());
    Lagrangian { matrix, rest, accelerations }
}

/// Gauss with partial pivoting.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| a[i][j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}

/// Largest difference over the largest entry.
pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let size = b.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs())) / size
}
