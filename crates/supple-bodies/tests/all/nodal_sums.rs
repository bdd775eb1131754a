//! The engine adds up nodes once, into modal integrals; here they are added up again, node by node, in every state.
//!
//! Beams of every kind in a row of two, the first one free: with both inertia conventions the engine must agree with the dense
//! calculation of the testkit, which sums over nodes, and with sums over node velocities made here.

use supple::testkit::{Generator, Layout, Prepared, RandomState, relative_difference};
use supple::{
    Body, BodyIndex, DenseWorkspace, ElasticRotation, Fidelity, Hinge, HingeKind, InertiaConvention, Modes, NodeIndex,
    Parent, System, Workspace, energy, forward_dynamics, inverse_dynamics, kinematics, mass_matrix, momentum,
};
use supple_bodies::beam::{Fitting, ModalBeam, ModeCounts, Support};
use supple_bodies::fe::{BeamMesh, Condition, MassModel, Theory};
use supple_bodies::reduction::Reduction;
use supple_bodies::section::BeamProperties;

const CONVENTIONS: [InertiaConvention; 2] = [InertiaConvention::Lagrange, InertiaConvention::NewtonEuler];

fn properties() -> BeamProperties {
    BeamProperties {
        mass: 3.0,
        axial: 8.0e5,
        bending_y: 5.0e3,
        bending_z: 4.0e3,
        torsion: 6.0e3,
        shear: 2.0e5,
        rotary: [0.02, 0.008, 0.012],
    }
}

/// A fitting whose mass centre is off the axis in every direction.
fn fitting() -> Fitting {
    let inertia = [[0.3, 0.02, -0.01], [0.02, 0.4, 0.03], [-0.01, 0.03, 0.5]];
    Fitting { mass: 1.7, mass_centre: [0.1, -0.2, 0.05], inertia }
}

/// A body and its tip.
type Part = (Body, NodeIndex);

/// The exact modes of a uniform beam with a fitting at its tip.
fn modal_beam(fidelity: Fidelity, support: Support) -> Part {
    let modes = ModeCounts { bending_y: 3, bending_z: 2, stretch: 1, twist: 2 };
    let beam = ModalBeam {
        fidelity,
        support,
        rotary_inertia: true,
        tip: fitting(),
        ..ModalBeam::cantilever(2.0, properties(), modes)
    };
    (beam.body("", Parent::Ground, Hinge::new(HingeKind::Free)), beam.tip_node())
}

/// A mesh with an offset element, rotary inertia and fittings at both ends and in the middle.
fn mesh(theory: Theory, mass: MassModel) -> Part {
    let mesh = BeamMesh::uniform(2.0, 6, properties()).unwrap().with_theory(theory).with_mass(mass);
    let mesh = mesh.with_rotary_inertia(true).with_origin([0.3, 0.1, -0.2]);
    let mesh = mesh.with_offsets(2, [[0.05, 0.1, -0.07], [0.0, 0.1, -0.07]]).unwrap();
    let mesh = [0, 3, 6].into_iter().fold(mesh, |mesh, at| mesh.with_fitting(at, fitting()).unwrap());
    let modes = Reduction::eigenmodes(mesh.held(&[Condition::clamped(0)]), 8).reduce(&mesh.structure()).unwrap();
    let fe = mesh.body(&modes);
    let own = Modes { count: 8, stiffness: fe.stiffness.clone(), fidelity: Fidelity::Inconsistent, ..Modes::default() };
    let mut body = Body::new("", Parent::Ground, Hinge::new(HingeKind::Free)).with_modes(own);
    body.nodes = fe.nodes;
    (body, NodeIndex(6))
}

/// Two of them, the second on a universal hinge at the tip of the first, askew.
fn row((body, tip): &Part, inertia: InertiaConvention) -> System {
    let axes = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let first = Body { name: "first".into(), ..body.clone() };
    let mount = Hinge::new(HingeKind::Universal { axes }).at([0.05, -0.02, 0.03]);
    let second = Body { name: "second".into(), parent: Parent::Body(BodyIndex(0), *tip), hinge: mount, ..body.clone() };
    System {
        gravity: [0.3, -0.2, -9.81],
        inertia,
        elastic_rotation: ElasticRotation::RotationVector,
        bodies: vec![first, second],
        ..System::default()
    }
}

/// A state with deflections of some centimetres and everything in motion.
fn state(system: &System, rng: &mut Generator) -> RandomState {
    let layout = Layout::new(system);
    let mut coordinates = rng.list(layout.coordinate_count, 0.05);
    coordinates[layout.hinge(0)][..4].copy_from_slice(&rng.quaternion());
    RandomState {
        coordinates,
        speeds: rng.list(layout.speed_count, 1.5),
        attitudes: Vec::new(),
        wrenches: vec![(0, 3, false, std::array::from_fn(|_| rng.between(-5.0, 5.0))), (1, 2, true, [2.0; 6])],
        forces: rng.list(layout.speed_count, 10.0),
        accelerations: rng.list(layout.speed_count, 1.0),
    }
}

/// The largest relative differences from the dense calculation: accelerations, forces, mass matrix, kinetic energy, momenta.
///
/// Accelerations count by the forces they need: `𝓜 χ̇ + 𝓒 - T`, summed over nodes, against the largest of its terms. They themselves
/// know no more than rounding times the condition of `𝓜`, and that is asserted here.
fn differences(system: &System, random: &RandomState) -> [f64; 6] {
    let at = Prepared::new(system, random);
    let answer = random.answer(system);
    let mut ws = at.workspace();
    let forward = forward_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap().accelerations().to_vec();
    let inverse = inverse_dynamics(&at.model, &at.state, &at.inputs, &mut ws).unwrap().forces().to_vec();
    let mut matrix = vec![0.0; at.model.speed_count().pow(2)];
    mass_matrix(&at.model, &at.state, &mut ws, &mut DenseWorkspace::new(&at.model), &mut matrix).unwrap();
    let kinetic = energy(&at.model, &at.state, &mut ws).unwrap().kinetic;
    let moved = momentum(&at.model, &at.state, &mut ws).unwrap();
    let direct = relative_difference(&forward, &answer.accelerations(&random.forces).unwrap());
    let rounding = 20.0 * f64::EPSILON * answer.condition();
    assert!(direct < rounding, "accelerations differ by {direct:e}, rounding is {rounding:e}");
    let bias = answer.bias.total();
    let largest = |row: &Vec<f64>| row.iter().zip(&forward).map(|(m, x)| (m * x).abs()).sum::<f64>();
    let size = answer.mass.iter().map(largest).chain(bias.iter().map(|x| x.abs())).fold(0.0, f64::max);
    let missing = answer.forces(&forward).iter().zip(&random.forces).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    [
        missing / size,
        relative_difference(&inverse, &answer.forces(&random.accelerations)),
        relative_difference(&matrix, &answer.mass),
        relative_difference(&kinetic, &answer.energy.kinetic),
        relative_difference(&moved.linear.0, &answer.linear_momentum),
        relative_difference(&moved.angular.0, &answer.angular_momentum),
    ]
}

/// Analytical beams, with modes that know of the fitting and modes that do not, linear and with Green's strain; meshes with consistent
/// and lumped mass, both theories.
#[test]
fn dynamics_are_those_of_the_nodes() {
    let mut parts = Vec::new();
    for fidelity in [Fidelity::Inconsistent, Fidelity::Exact] {
        for support in [Support::ClampedLoaded, Support::ClampedFree, Support::FreeFree] {
            parts.push((format!("modal beam, {fidelity:?}, {support:?}"), modal_beam(fidelity, support)));
        }
    }
    for theory in [Theory::EulerBernoulli, Theory::Timoshenko] {
        for mass in [MassModel::Consistent, MassModel::Lumped] {
            parts.push((format!("mesh, {theory:?}, {mass:?}"), mesh(theory, mass)));
        }
    }
    let mut rng = Generator::new(7);
    for (name, part) in &parts {
        for convention in CONVENTIONS {
            let system = row(part, convention);
            let mut worst = [0.0_f64; 6];
            for _ in 0..20 {
                let found = differences(&system, &state(&system, &mut rng));
                worst = std::array::from_fn(|i| worst[i].max(found[i]));
            }
            let [forward, inverse, mass, kinetic, linear, angular] = worst;
            println!(
                "{name}, {convention:?}: forward {forward:.1e}, inverse {inverse:.1e}, mass {mass:.1e}, kinetic {kinetic:.1e}, \
                 momenta {linear:.1e} {angular:.1e}"
            );
            // Written so that what is not a number fails too.
            assert!(worst.iter().all(|x| *x < 1e-12), "{name} {convention:?} {worst:?}");
        }
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn plus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + b[i])
}

/// Second-order shapes too: kinetic energy and momenta are sums of `½ V* M V` and `M V` over the nodes where they are and as they move.
#[test]
fn second_order_momenta_are_those_of_the_nodes() {
    let mut rng = Generator::new(8);
    for fidelity in [Fidelity::Inconsistent, Fidelity::Stiffened] {
        for convention in CONVENTIONS {
            let system = row(&modal_beam(fidelity, Support::ClampedLoaded), convention);
            let mut worst = [0.0_f64; 3];
            for _ in 0..20 {
                let at = Prepared::new(&system, &state(&system, &mut rng));
                let mut ws = Workspace::new(&at.model);
                let (mut twice, mut linear, mut angular) = (0.0, [0.0; 3], [0.0; 3]);
                let moving = kinematics(&at.model, &at.state, &mut ws).unwrap();
                for (k, body) in system.bodies.iter().enumerate() {
                    let attitude = moving.body_attitude(BodyIndex(k));
                    for (j, node) in body.nodes.iter().enumerate() {
                        let v = moving.node_velocity(BodyIndex(k), NodeIndex(j));
                        // Nodal inertias keep the axes of the body.
                        let (w, u) = (attitude.transpose_mul(v.angular).0, attitude.transpose_mul(v.linear).0);
                        let p = node.mass_centre;
                        let force = plus(u, cross(w, p)).map(|x| node.mass * x);
                        let moment = plus(node.inertia.map(|row| dot(row, w)), cross(p, u).map(|x| node.mass * x));
                        twice += dot(u, force) + dot(w, moment);
                        let (force, moment) = (
                            (attitude * supple::spatial::Vector3(force)).0,
                            attitude * supple::spatial::Vector3(moment),
                        );
                        linear = plus(linear, force);
                        let place = moving.node_position(BodyIndex(k), NodeIndex(j)).0;
                        angular = plus(angular, plus(moment.0, cross(place, force)));
                    }
                }
                let kinetic = energy(&at.model, &at.state, &mut ws).unwrap().kinetic;
                let moved = momentum(&at.model, &at.state, &mut ws).unwrap();
                let found = [
                    relative_difference(&kinetic, &(0.5 * twice)),
                    relative_difference(&moved.linear.0, &linear),
                    relative_difference(&moved.angular.0, &angular),
                ];
                worst = std::array::from_fn(|i| worst[i].max(found[i]));
            }
            println!(
                "{fidelity:?}, {convention:?}: kinetic {:.1e}, momenta {:.1e} {:.1e}",
                worst[0], worst[1], worst[2]
            );
            assert!(worst.iter().all(|x| *x < 1e-12), "{fidelity:?} {convention:?} {worst:?}");
        }
    }
}
