//! The equations of motion of a whole system as a dense matrix and a vector.

use super::deformation::displacement;
use super::elements::Scene;
use super::inertia::{BodyMotion, inertial_force, node_acceleration, node_momentum, node_velocity};
use super::kinematics::{Kinematics, Moving, along};
use super::{Answer, Bias, Energy, Layout, NodalWrench, attitude, constant, elasticity};
use crate::model::{Body, InertiaConvention, Node, System};
use supple_spatial::{Dual, Force, Matrix3, Motion, Vector3};

/// The dense answer for a system in the state given by slices (see the [module](super)).
///
/// # Panics
/// Where the slices do not fit the system, or a body with constant inertial terms has a nonzero
/// rate of deformation.
pub fn answer(
    system: &System,
    coordinates: &[f64],
    speeds: &[f64],
    attitudes: &[[f64; 4]],
    wrenches: &[NodalWrench],
) -> Answer {
    let layout = Layout::new(system);
    assert_eq!(coordinates.len(), layout.coordinate_count, "number of coordinates");
    assert_eq!(speeds.len(), layout.speed_count, "number of speeds");
    assert_eq!(attitudes.len(), layout.attitudes.len(), "number of attitudes");
    let kinematics = Kinematics { system, layout: &layout };
    let at = Moving { coordinates: coordinates.to_vec(), attitudes: attitudes.to_vec(), speeds: speeds.to_vec() };
    let mut sum = Sum::new(&kinematics, &at);
    for k in 0..system.bodies.len() {
        sum.add_kinematics(k);
        sum.add_inertia(k);
        sum.add_rotor(k);
        sum.add_gravity(k);
        sum.add_elasticity(k);
    }
    for wrench in wrenches {
        sum.add_wrench(wrench);
    }
    sum.add_elements();
    sum.finish()
}

/// The answer in the making.
struct Sum<'a> {
    kinematics: &'a Kinematics<'a>,
    at: &'a Moving<f64>,
    poses: Vec<(Matrix3<f64>, Vector3<f64>)>,
    velocities: Vec<Motion<f64>>,
    /// Inertial derivatives of the bodies' velocities at zero rates of the speeds.
    accelerations: Vec<Motion<f64>>,
    /// Velocities of the bodies at unit speeds: speed, body.
    units: Vec<Vec<Motion<f64>>>,
    total_mass: f64,
    answer: Answer,
}

impl<'a> Sum<'a> {
    fn new(kinematics: &'a Kinematics<'a>, at: &'a Moving<f64>) -> Self {
        let n = at.speeds.len();
        let velocities = kinematics.velocities(at);
        let (accelerations, units) = (drifts(kinematics, at), frame_velocities(kinematics, at));
        let answer = Answer {
            mass: vec![vec![0.0; n]; n],
            bias: Bias::zeros(n),
            energy: Energy::default(),
            element_supplied: 0.0,
            element_dissipated: 0.0,
            linear_momentum: [0.0; 3],
            angular_momentum: [0.0; 3],
            centre_of_mass: [0.0; 3],
            node_positions: Vec::new(),
            node_velocities: Vec::new(),
            node_jacobians: Vec::new(),
            node_drifts: Vec::new(),
        };
        let poses = kinematics.poses(at);
        Self { kinematics, at, poses, velocities, accelerations, units, total_mass: 0.0, answer }
    }
    fn body(&self, k: usize) -> &'a Body {
        &self.kinematics.system.bodies[k]
    }

    /// How body `k` moves.
    fn motion(&self, k: usize) -> BodyMotion<f64> {
        BodyMotion {
            eta: self.kinematics.deformation(self.at, k).to_vec(),
            eta_dot: self.kinematics.deformation_speeds(self.at, k).to_vec(),
            velocity: self.velocities[k],
        }
    }

    /// Deformation with which the inertia of body `k` is taken.
    fn inertial_deformation(&self, k: usize) -> Vec<f64> {
        let eta = self.kinematics.deformation(self.at, k);
        if self.kinematics.is_constant(k) { vec![0.0; eta.len()] } else { eta.to_vec() }
    }

    /// Rates of the components of the velocity of body `k`.
    fn component_rate(&self, k: usize) -> Motion<f64> {
        let (v, a) = (self.velocities[k], self.accelerations[k]);
        Motion { linear: a.linear - v.angular.cross(v.linear), ..a }
    }

    /// How body `k`, deformed by `eta`, moves at each unit speed.
    fn unit_motions(&self, k: usize, eta: &[f64]) -> Vec<BodyMotion<f64>> {
        let own = self.kinematics.layout.deformation_speeds(k);
        let unit = |i: usize| BodyMotion {
            eta: eta.to_vec(),
            eta_dot: own.clone().map(|r| if r == i { 1.0 } else { 0.0 }).collect(),
            velocity: self.units[i][k],
        };
        (0..self.units.len()).map(unit).collect()
    }

    /// Positions, velocities, Jacobians and drifts of the nodes of body `k`.
    fn add_kinematics(&mut self, k: usize) {
        let (body, (r, x), motion) = (self.body(k), self.poses[k], self.motion(k));
        let units = self.unit_motions(k, &motion.eta);
        let positions = body.nodes.iter().map(|node| (x + r * arm(body, node, &motion.eta)).0);
        self.answer.node_positions.push(positions.collect());
        let velocities = body.nodes.iter().map(|node| node_velocity(body, node, &motion).rotate(&r));
        self.answer.node_velocities.push(velocities.map(Motion::to_array).collect());
        let jacobian = |node: &Node| units.iter().map(|unit| node_velocity(body, node, unit).to_array()).collect();
        let jacobians = body.nodes.iter().map(jacobian);
        self.answer.node_jacobians.push(jacobians.collect());

        let inertial = self.inertial_deformation(k);
        let (v, rate) = (motion.velocity.to_array(), self.component_rate(k).to_array());
        let moving = BodyMotion {
            eta: inertial.iter().zip(&motion.eta_dot).map(|(&x, &r)| attitude::moving(x, r)).collect(),
            eta_dot: motion.eta_dot.iter().map(|&x| Dual::constant(x)).collect(),
            velocity: Motion::from_array(std::array::from_fn(|i| attitude::moving(v[i], rate[i]))),
        };
        let drift = |node: &Node| {
            let mut a = node_acceleration(body, node, &moving);
            // The acceleration of the frame is carried by the deformed lever arm in any case.
            let missing = arm(body, node, &motion.eta) - arm(body, node, &inertial);
            a.linear += self.accelerations[k].angular.cross(missing);
            a.to_array()
        };
        self.answer.node_drifts.push(body.nodes.iter().map(drift).collect());
    }

    /// Mass matrix, velocity bias, kinetic energy and momenta.
    fn add_inertia(&mut self, k: usize) {
        let (body, (r, x), eta) = (self.body(k), self.poses[k], self.inertial_deformation(k));
        let units = self.unit_motions(k, &eta);
        let motion = BodyMotion { eta, ..self.motion(k) };

        let convention = self.kinematics.system.inertia;
        let force = inertial_force(convention, body, &motion, self.component_rate(k));
        let (modal, rigid) = force.split_at(body.modes.count);
        let rigid = Force::from_array(std::array::from_fn(|i| rigid[i]));
        for (unit, row) in units.iter().zip(&mut self.answer.bias.velocity) {
            let elastic: f64 = unit.eta_dot.iter().zip(modal).map(|(u, f)| u * f).sum();
            *row += elastic + unit.velocity.dot(rigid);
        }

        let (mut linear, mut angular) = (Vector3::ZERO, Vector3::ZERO);
        for node in &body.nodes {
            // Σ Jᵀ M_s J over the speeds that move the node.
            let columns: Vec<_> = units.iter().map(|at| node_velocity(body, node, at)).collect();
            let active: Vec<usize> = (0..columns.len()).filter(|&i| columns[i] != Motion::ZERO).collect();
            for &j in &active {
                let momentum = node_momentum(node, columns[j]);
                for &i in active.iter().filter(|&&i| i >= j) {
                    let entry = columns[i].dot(momentum);
                    self.answer.mass[i][j] += entry;
                    if i > j {
                        self.answer.mass[j][i] += entry;
                    }
                }
            }
            let velocity = node_velocity(body, node, &motion);
            let momentum = node_momentum(node, velocity);
            self.answer.energy.kinetic += velocity.dot(momentum) / 2.0;
            linear += momentum.linear;
            angular += momentum.angular + arm(body, node, &motion.eta).cross(momentum.linear);
        }
        // About the body's frame first: components in it turn by R even where R is no rotation.
        let linear = r * linear;
        let angular = r * angular + x.cross(linear);
        add(&mut self.answer.linear_momentum, linear);
        add(&mut self.answer.angular_momentum, angular);
    }

    /// Drives: inertia of the relative motion.
    fn add_rotor(&mut self, k: usize) {
        let speeds = self.kinematics.layout.hinge_speeds(k);
        for (i, rotor) in speeds.zip(&self.body(k).hinge.rotor_inertia) {
            self.answer.mass[i][i] += rotor;
            self.answer.energy.kinetic += rotor * self.at.speeds[i].powi(2) / 2.0;
        }
        let start = self.kinematics.layout.hinge_speeds(k).start;
        for motor in self.kinematics.system.actuators.iter().filter(|motor| motor.body.0 == k) {
            let (i, inertia) = (start + motor.speed, motor.rotor_inertia * motor.gear_ratio.powi(2));
            self.answer.mass[i][i] += inertia;
            self.answer.energy.kinetic += inertia * self.at.speeds[i].powi(2) / 2.0;
        }
    }

    /// Force elements.
    fn add_elements(&mut self) {
        let Self { kinematics, at, poses, units, velocities, .. } = self;
        let elements = Scene { kinematics, at, poses, units, velocities }.elements();
        self.answer.bias.elements = elements.forces.iter().map(|force| -force).collect();
        self.answer.energy.stored = elements.stored;
        self.answer.element_supplied = elements.supplied;
        self.answer.element_dissipated = elements.dissipated;
    }

    /// Weights, their potential and the mass centre.
    fn add_gravity(&mut self, k: usize) {
        let (body, (r, x)) = (self.body(k), self.poses[k]);
        let units = self.unit_motions(k, &self.inertial_deformation(k));
        let gravity = Vector3(self.kinematics.system.gravity);
        let g = r.transpose() * gravity;
        let eta = self.motion(k).eta;
        for node in &body.nodes {
            let (p, weight) = (Vector3(node.mass_centre), g * node.mass);
            for (unit, row) in units.iter().zip(&mut self.answer.bias.gravity) {
                let v = node_velocity(body, node, unit);
                // The angular velocity that moves p: of the node, or of the frame it is fixed in.
                let omega = match self.kinematics.system.inertia {
                    InertiaConvention::NewtonEuler => v.angular,
                    InertiaConvention::Lagrange => unit.velocity.angular,
                };
                *row -= weight.dot(v.linear + omega.cross(p));
            }
            let moment = (x + r * (arm(body, node, &eta) + p)) * node.mass;
            self.answer.energy.gravity -= gravity.dot(moment);
            self.total_mass += node.mass;
            add(&mut self.answer.centre_of_mass, moment);
        }
    }

    /// Elastic and damping forces in the rows of the modes.
    fn add_elasticity(&mut self, k: usize) {
        let (modes, motion) = (&self.body(k).modes, self.motion(k));
        let own = self.kinematics.layout.deformation_speeds(k);
        let elastic = elasticity::elastic_force(modes, &motion.eta);
        let damping = elasticity::damping_force(modes, &motion.eta_dot);
        self.answer.bias.elastic[own.clone()].copy_from_slice(&elastic);
        self.answer.bias.damping[own].copy_from_slice(&damping);
        self.answer.energy.elastic += elasticity::elastic_energy(modes, &motion.eta);
    }

    /// A wrench on the velocity of a node.
    fn add_wrench(&mut self, &(k, node, inertial, wrench): &NodalWrench) {
        let mut force = Force::from_array(wrench);
        if inertial {
            force = force.rotate_back(&self.poses[k].0);
        }
        let jacobian = &self.answer.node_jacobians[k][node];
        for (column, row) in jacobian.iter().zip(&mut self.answer.bias.external) {
            *row -= Motion::from_array(*column).dot(force);
        }
    }

    fn finish(self) -> Answer {
        let mut answer = self.answer;
        answer.centre_of_mass = answer.centre_of_mass.map(|x| x / self.total_mass);
        answer
    }
}

/// Inertial derivatives of all body velocities at zero rates of the speeds.
fn drifts(kinematics: &Kinematics, at: &Moving<f64>) -> Vec<Motion<f64>> {
    let constant = (0..kinematics.system.bodies.len()).any(|k| kinematics.is_constant(k));
    if constant { constant::accelerations(kinematics, at) } else { accelerations(kinematics, at) }
}

/// Velocities of all bodies at unit speeds: speed, body.
pub(super) fn frame_velocities(kinematics: &Kinematics, at: &Moving<f64>) -> Vec<Vec<Motion<f64>>> {
    let n = at.speeds.len();
    let unit = |i: usize| {
        let mut speeds = vec![0.0; n];
        speeds[i] = 1.0;
        kinematics.velocities(&Moving { speeds, ..at.clone() })
    };
    (0..n).map(unit).collect()
}

/// Inertial derivatives of all body velocities while the speeds change at `rates`.
pub(super) fn frame_accelerations(kinematics: &Kinematics, at: &Moving<f64>, rates: &[f64]) -> Vec<Motion<f64>> {
    let mut sum = drifts(kinematics, at);
    for (velocities, &rate) in frame_velocities(kinematics, at).iter().zip(rates) {
        sum.iter_mut().zip(velocities).for_each(|(a, v)| *a += *v * rate);
    }
    sum
}

/// Inertial derivatives of all body velocities at zero rates of the speeds: the rates of the
/// components, and `ω × v` added to the linear part.
pub(super) fn accelerations(kinematics: &Kinematics, at: &Moving<f64>) -> Vec<Motion<f64>> {
    let moving = kinematics.velocities(&along(at, &kinematics.rates(at)));
    let inertial = |v: Motion<Dual<f64>>| {
        let value = Motion::from_array(v.to_array().map(|x| x.value));
        let mut rate = Motion::from_array(v.to_array().map(|x| x.derivative));
        rate.linear += value.angular.cross(value.linear);
        rate
    };
    moving.into_iter().map(inertial).collect()
}

/// Lever arm of a node under the deformation `eta`.
fn arm(body: &Body, node: &Node, eta: &[f64]) -> Vector3<f64> {
    Vector3(node.position) + displacement(body, node, eta).linear
}

fn add(sum: &mut [f64; 3], v: Vector3<f64>) {
    *sum = (Vector3(*sum) + v).0;
}
