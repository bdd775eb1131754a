//! Force elements from their definitions: stretches of springs as functions of configuration, differentiated by dual numbers.
//!
//! Along a motion of the system every port moves as its body does; a stretch `s`, its rate `ṡ` and its change per unit speed come from one
//! function of moving ports. A spring and damper on `s` then has the generalized forces `-(P + k s + c ṡ) ∂s/∂u`. No law of the engine is
//! called, and no Jacobian of it.

use super::attitude::{self, moving};
use super::deformation::displacement;
use super::inertia::BodyMotion;
use super::kinematics::{Kinematics, Moving};
use crate::force::{
    Bushing, ConstantForce, FollowerForce, ForceElement, HingeCoupling, HingeDamping, HingeFriction, HingeSpring,
    HingeStops, PointMassField, Port, SpringDamper,
};
use crate::model::{Body, ClosureCoordinate, Constraint, ElasticRotation, HingeKind, Mount, Parent};
use supple_spatial::{Dual, Matrix3, Motion, Quaternion, Scalar, Vector3};

type Moved = Dual<f64>;

/// What elements do to a system.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Elements {
    /// Generalized forces.
    pub forces: Vec<f64>,
    pub stored: f64,
    pub dissipated: f64,
    pub supplied: f64,
}

/// The system in one state: how bodies move at each unit speed, and as they do.
pub(super) struct Scene<'a> {
    pub kinematics: &'a Kinematics<'a>,
    pub at: &'a Moving<f64>,
    pub poses: &'a [(Matrix3<f64>, Vector3<f64>)],
    /// Velocities of the bodies at unit speeds: speed, body.
    pub units: &'a [Vec<Motion<f64>>],
    /// Velocities of the bodies.
    pub velocities: &'a [Motion<f64>],
}

/// A port that moves.
#[derive(Clone, Copy)]
struct MovingPort {
    coordinate: Moved,
    position: Vector3<Moved>,
    attitude: Matrix3<Moved>,
    /// Speed of a hinge along the motion: the derivative of what need not be a coordinate.
    speed: f64,
}

/// A spring and damper on one stretch.
struct Spring {
    preload: f64,
    stiffness: f64,
    damping: f64,
}

impl Scene<'_> {
    /// All elements together.
    pub fn elements(&self) -> Elements {
        let n = self.at.speeds.len();
        let mut out = Elements { forces: vec![0.0; n], stored: 0.0, dissipated: 0.0, supplied: 0.0 };
        for element in &self.kinematics.system.forces {
            self.add(element, &mut out);
        }
        out
    }

    fn add(&self, element: &ForceElement, out: &mut Elements) {
        let ports = &element.ports;
        let spring = |preload, stiffness, damping| Spring { preload, stiffness, damping };
        if let Some(HingeSpring { stiffness, rest }) = element.law() {
            let stretch = |p: &[MovingPort]| vec![p[0].coordinate - constant(*rest)];
            self.springs(ports, &[spring(0.0, *stiffness, 0.0)], stretch, out);
        } else if let Some(HingeDamping { damping }) = element.law() {
            self.resistance(ports, |speed| damping * speed, out);
        } else if let Some(HingeFriction { force, speed: smooth }) = element.law() {
            self.resistance(ports, |speed| force * (speed / smooth).tanh(), out);
        } else if let Some(stops) = element.law() {
            self.stops(ports, stops, out);
        } else if let Some(HingeCoupling { ratio, offset, stiffness, damping }) = element.law() {
            let stretch =
                |p: &[MovingPort]| vec![p[0].coordinate - p[1].coordinate * constant(*ratio) - constant(*offset)];
            self.springs(ports, &[spring(0.0, *stiffness, *damping)], stretch, out);
        } else if let Some(SpringDamper { length, stiffness, damping, preload }) = element.law() {
            let stretch = |p: &[MovingPort]| {
                let r = p[1].position - p[0].position;
                vec![r.dot(r).sqrt() - constant(*length)]
            };
            self.springs(ports, &[spring(*preload, *stiffness, *damping)], stretch, out);
        } else if let Some(bushing) = element.law::<Bushing>() {
            let springs: Vec<Spring> = (0..6)
                .map(|i| match i {
                    0..3 => spring(0.0, bushing.stiffness[i], bushing.damping[i]),
                    _ => spring(0.0, bushing.angular_stiffness[i - 3], bushing.angular_damping[i - 3]),
                })
                .collect();
            self.springs(ports, &springs, relative, out);
        } else if let Some(ConstantForce { force, moment }) = element.law() {
            // -F·x is the stretch of a preload.
            let stretch = |p: &[MovingPort]| vec![-Vector3(force.map(constant)).dot(p[0].position)];
            self.springs(ports, &[spring(1.0, 0.0, 0.0)], stretch, out);
            self.load(ports, |_| (Vector3(*moment), Vector3::ZERO), out);
        } else if let Some(FollowerForce { force, moment }) = element.law() {
            self.load(ports, |r| (*r * Vector3(*moment), *r * Vector3(*force)), out);
        } else if let Some(field) = element.law::<PointMassField>() {
            self.field(ports, field, out);
        } else {
            panic!("the oracle knows no {}", element.as_law().name());
        }
    }

    /// Springs and dampers on the stretches of ports.
    fn springs(
        &self,
        ports: &[Port],
        springs: &[Spring],
        stretches: impl Fn(&[MovingPort]) -> Vec<Moved>,
        out: &mut Elements,
    ) {
        let along = |unit: Option<usize>| stretches(&self.ports(ports, unit));
        let actual = along(None);
        let tensions: Vec<f64> = springs
            .iter()
            .zip(&actual)
            .map(|(spring, s)| {
                out.stored += spring.preload * s.value + 0.5 * spring.stiffness * s.value * s.value;
                out.dissipated += spring.damping * s.derivative * s.derivative;
                spring.preload + spring.stiffness * s.value + spring.damping * s.derivative
            })
            .collect();
        for (i, force) in out.forces.iter_mut().enumerate() {
            let change = along(Some(i));
            *force -= tensions.iter().zip(change).map(|(tension, s)| tension * s.derivative).sum::<f64>();
        }
    }

    /// A force against the speed of a hinge.
    fn resistance(&self, ports: &[Port], force: impl Fn(f64) -> f64, out: &mut Elements) {
        let speed = self.ports(ports, None)[0].speed;
        out.dissipated += force(speed) * speed;
        for i in 0..out.forces.len() {
            out.forces[i] -= force(speed) * self.ports(ports, Some(i))[0].speed;
        }
    }

    fn stops(&self, ports: &[Port], stops: &HingeStops, out: &mut Elements) {
        let theta = self.ports(ports, None)[0].coordinate;
        for (depth, rate, sign) in
            [(stops.lower - theta.value, -theta.derivative, 1.0), (theta.value - stops.upper, theta.derivative, -1.0)]
        {
            if depth <= 0.0 {
                continue;
            }
            let elastic = stops.stiffness * depth;
            let push = f64::max(0.0, elastic + elastic * stops.damping * rate);
            out.stored += 0.5 * stops.stiffness * depth.powi(2);
            out.dissipated += (push - elastic) * rate;
            for i in 0..out.forces.len() {
                out.forces[i] += sign * push * self.ports(ports, Some(i))[0].coordinate.derivative;
            }
        }
    }

    /// A moment and a force on a node, in inertial axes, that no energy is stored for.
    fn load(&self, ports: &[Port], wrench: impl Fn(&Matrix3<f64>) -> (Vector3<f64>, Vector3<f64>), out: &mut Elements) {
        let power = |unit: Option<usize>| {
            let port = self.ports(ports, unit)[0];
            let (moment, force) = wrench(&attitude::value(&port.attitude));
            let velocity = Vector3(port.position.0.map(|x| x.derivative));
            moment.dot(attitude::spin_fixed(&port.attitude)) + force.dot(velocity)
        };
        out.supplied += power(None);
        for i in 0..out.forces.len() {
            out.forces[i] += power(Some(i));
        }
    }

    /// The potential of a point mass over the nodes of every body.
    fn field(&self, ports: &[Port], field: &PointMassField, out: &mut Elements) {
        let bodies: Vec<usize> = match ports {
            [Port::Body { body }] => vec![body.0],
            _ => (0..self.kinematics.system.bodies.len()).collect(),
        };
        for k in bodies {
            let body = &self.kinematics.system.bodies[k];
            if body.nodes.iter().map(|node| node.mass).sum::<f64>() > 0.0 {
                out.stored += self.potential(k, body, field, None).value;
                for i in 0..out.forces.len() {
                    out.forces[i] -= self.potential(k, body, field, Some(i)).derivative;
                }
            }
        }
    }

    fn potential(&self, k: usize, body: &Body, field: &PointMassField, unit: Option<usize>) -> Moved {
        let (r, x, eta) = self.body(k, unit);
        // Mass centre and inertia about it, node by node, in inertial axes; offsets and inertias of nodes are fixed in the body.
        let (mut mass, mut moment) = (constant(0.0), Vector3::ZERO);
        let place =
            |node: &crate::model::Node| Vector3::from_f64(node.position) + displacement(body, node, &eta).linear;
        for node in &body.nodes {
            mass += constant(node.mass);
            moment += (place(node) + Vector3::from_f64(node.mass_centre)) * constant(node.mass);
        }
        let centre = moment * mass.recip();
        let mut inertia = Matrix3::IDENTITY * constant(0.0);
        for node in &body.nodes {
            let (m, p) = (constant(node.mass), Vector3::from_f64(node.mass_centre));
            let own = Matrix3::from_f64(node.inertia) - steiner(p) * m;
            inertia = inertia + own + steiner(place(node) + p - centre) * m;
        }
        let from = x + r * centre - Vector3::from_f64(field.position);
        let distance = from.dot(from).sqrt();
        let n = r.transpose() * (from * distance.recip());
        let trace = inertia.0[0][0] + inertia.0[1][1] + inertia.0[2][2];
        let mu = constant(field.mu);
        let quadrupole = (trace - constant(3.0) * n.dot(inertia * n)) / (distance * distance * distance);
        -(mu * mass / distance) - mu * quadrupole * constant(0.5)
    }

    /// How ports move at a unit speed, or as they do.
    fn ports(&self, ports: &[Port], unit: Option<usize>) -> Vec<MovingPort> {
        ports.iter().map(|port| self.port(*port, unit)).collect()
    }

    fn port(&self, port: Port, unit: Option<usize>) -> MovingPort {
        let still =
            MovingPort { coordinate: constant(0.0), position: Vector3::ZERO, attitude: Matrix3::IDENTITY, speed: 0.0 };
        match port {
            Port::Hinge { body, speed } => {
                let at = self.kinematics.layout.hinge_speeds(body.0).start + speed;
                let rate = unit.map_or(self.at.speeds[at], |i| f64::from(u8::from(i == at)));
                let theta = &self.at.coordinates[self.kinematics.layout.hinge(body.0)];
                MovingPort { coordinate: moving(theta[speed], rate), speed: rate, ..still }
            }
            Port::Ground { position } => MovingPort { position: Vector3::from_f64(position), ..still },
            Port::Node { body, node } => {
                let (r, x, eta) = self.body(body.0, unit);
                let owner = &self.kinematics.system.bodies[body.0];
                let told = &owner.nodes[node.0];
                let shift = displacement(owner, told, &eta);
                let position = x + r * (Vector3::from_f64(told.position) + shift.linear);
                MovingPort { position, attitude: r * self.elastic(body.0, node.0, shift.angular), ..still }
            }
            Port::Closure { closure, coordinate } => self.joint(closure, coordinate, unit),
            Port::Body { .. } | Port::EveryBody => still,
        }
    }

    /// A coordinate of a closure, from the poses of its frames; its speed is the rate of that.
    fn joint(&self, closure: usize, coordinate: usize, unit: Option<usize>) -> MovingPort {
        let Constraint::Joint { kind, a, b } = &self.kinematics.system.closures[closure].constraint else {
            unreachable!("checked")
        };
        let frame = |mount: &Mount| {
            let (at, axes) = match mount.parent {
                Parent::Ground => (Vector3::ZERO, Matrix3::IDENTITY),
                Parent::Body(body, node) => {
                    let node = self.port(Port::Node { body, node }, unit);
                    (node.position, node.attitude)
                }
            };
            (at + axes * Vector3::from_f64(mount.position), axes * Matrix3::from_f64(mount.rotation))
        };
        let ((x_a, a), (x_b, b)) = (frame(a), frame(b));
        let axis = kind.axis().expect("coordinates need an axis");
        let [x, y] = HingeKind::plane_axes(axis);
        let [in_a, in_b] = [a, b].map(|r| [x, y, axis].map(|axis| r * Vector3::<Moved>::from_f64(axis)));
        let value = match kind.coordinates()[coordinate] {
            ClosureCoordinate::Translation(i) => in_a[i].dot(x_b - x_a),
            ClosureCoordinate::Angle => {
                let sine = in_a[1].dot(in_b[0]) - in_a[0].dot(in_b[1]);
                let cosine = in_a[0].dot(in_b[0]) + in_a[1].dot(in_b[1]);
                sine.atan2(cosine)
            }
        };
        MovingPort { coordinate: value, speed: value.derivative, position: Vector3::ZERO, attitude: Matrix3::IDENTITY }
    }

    /// Elastic rotation of a node: by the option where that is a rotation, by the attitude where it is a state, else by `exp(λ η)`.
    fn elastic(&self, k: usize, node: usize, slope: Vector3<Moved>) -> Matrix3<Moved> {
        let option = self.kinematics.system.elastic_rotation;
        let state = self.kinematics.layout.attitude(k, node);
        if let (ElasticRotation::Integrated, Some(index)) = (option, state) {
            let q = Quaternion(self.at.attitudes[index]);
            let rate = q.rate_fixed(Vector3(slope.0.map(|x| x.derivative)));
            return Quaternion(std::array::from_fn(|i| moving(q.0[i], rate.0[i]))).to_matrix();
        }
        let turned = option.is_orthogonal().then(|| attitude::elastic(option, slope)).flatten();
        turned.unwrap_or_else(|| attitude::exponential(slope))
    }

    /// Pose and deformation of a body, moving.
    fn body(&self, k: usize, unit: Option<usize>) -> (Matrix3<Moved>, Vector3<Moved>, Vec<Moved>) {
        let motion = self.motion(k, unit);
        let (r, x) = self.poses[k];
        let (turn, slide) = (r * Matrix3::skew(motion.velocity.angular), r * motion.velocity.linear);
        let matrix = Matrix3(std::array::from_fn(|i| std::array::from_fn(|j| moving(r.0[i][j], turn.0[i][j]))));
        let origin = Vector3(std::array::from_fn(|i| moving(x[i], slide[i])));
        let eta = motion.eta.iter().zip(&motion.eta_dot).map(|(&x, &rate)| moving(x, rate)).collect();
        (matrix, origin, eta)
    }

    fn motion(&self, k: usize, unit: Option<usize>) -> BodyMotion<f64> {
        let own = self.kinematics.layout.deformation_speeds(k);
        let (velocity, eta_dot) = match unit {
            None => (self.velocities[k], self.at.speeds[own].to_vec()),
            Some(i) => (self.units[i][k], own.map(|r| f64::from(u8::from(r == i))).collect()),
        };
        BodyMotion { eta: self.kinematics.deformation(self.at, k).to_vec(), eta_dot, velocity }
    }
}

fn constant(x: f64) -> Moved {
    Dual::constant(x)
}

/// `|x|² I - x xᵀ`.
fn steiner<T: Scalar>(x: Vector3<T>) -> Matrix3<T> {
    Matrix3::IDENTITY * x.dot(x) - Matrix3::outer(x, x)
}

/// Displacement and rotation vector of the second port in the axes of the first, by the angle of the rotation and its axis.
fn relative(p: &[MovingPort]) -> Vec<Moved> {
    let back = p[0].attitude.transpose();
    let d = back * (p[1].position - p[0].position);
    let r = (back * p[1].attitude).0;
    let half = constant(0.5);
    let axial = Vector3([r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]]) * half;
    let cosine = (r[0][0] + r[1][1] + r[2][2] - constant(1.0)) * half;
    let sine = axial.dot(axial).sqrt();
    // φ / sin φ, whose series begins with 1 + φ²/6
    let scale = if sine.value < 1e-8 { constant(1.0) } else { sine.atan2(cosine) / sine };
    let theta = axial * scale;
    [d.0, theta.0].concat()
}
