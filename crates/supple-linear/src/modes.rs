//! System modes: how the whole system vibrates about a configuration or a steady motion.

use faer::{Mat, c64};
use supple::{Inputs, Model, NodeHandle, State, Terms, Workspace};

use crate::coordinates::Coordinates;
use crate::differences::{Direction, derivative, reach, step_for};
use crate::measure::node_jacobian;
use crate::second_order::{Reduced, free_speeds};
use crate::signals::nodes;
use crate::spectrum::{Eigenpair, spectrum};
use crate::steady::require_steady;
use crate::tangent::tangent;
use crate::{Complex, LinearError, Signal};

/// The modes of a system, slowest first.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemModes {
    /// One for each pair of conjugate eigenvalues, and for each real one; ordered by `|λ|`. A rigid-body motion, which has a double zero, is one.
    pub modes: Vec<SystemMode>,
    /// What the entries of [`SystemMode::shape`] and [`SystemMode::participation`] are: all displacements of the model, in the order of its speeds.
    pub coordinates: Vec<Signal>,
    /// Names of the bodies.
    pub bodies: Vec<String>,
    /// Names of the nodes, as `body.node`.
    pub nodes: Vec<String>,
}

/// One mode.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemMode {
    /// `λ`, with an imaginary part that is not negative, 1/s.
    pub eigenvalue: Complex,
    /// `|λ| / 2π`, Hz; exactly zero for a rigid-body motion.
    pub frequency: f64,
    /// `-Re λ / |λ|`; zero for a rigid-body motion.
    pub damping_ratio: f64,
    /// Displacements of all coordinates, of unit modal mass `x* M x = 1`, the one with the most kinetic energy real and positive.
    pub shape: Vec<Complex>,
    /// Displacements of all nodes in inertial axes: rotation, then translation.
    pub node_shapes: Vec<[Complex; 6]>,
    /// `Re x̄_i (M x)_i` of each coordinate, which add up to one. Where coordinates carry each other, as in chains and closures, some are negative and others above one: no shares of an
    /// energy, but a measure of which coordinates take part. Shares are `body_participation`.
    pub participation: Vec<f64>,
    /// Share of each body, with the rotors of its hinge, in the kinetic energy: between zero and one, with a sum of one.
    pub body_participation: Vec<f64>,
    /// Share of each body in the strain energy of bodies and force elements; zero where nothing is strained.
    pub strain_energy: Vec<f64>,
    /// Share of the force elements in it.
    pub element_energy: f64,
    /// Effective masses, kg, for motions of the ground along the inertial axes, and effective moments of inertia, kg m², about them.
    pub effective_mass: [f64; 6],
}

/// Bodies that words about a mode name.
const MOST_NAMED: usize = 3;
/// Shares below this are not named.
const LEAST_NAMED: f64 = 0.01;

impl SystemModes {
    /// The bodies with the greatest shares in the kinetic energy of a mode, in words.
    pub fn members(&self, mode: &SystemMode) -> String {
        named(self.bodies.iter().map(String::as_str).zip(mode.body_participation.iter().copied()))
    }

    /// What is strained most in a mode, bodies and `springs`, in words; empty for a rigid-body motion.
    pub fn strained(&self, mode: &SystemMode) -> String {
        let bodies = self.bodies.iter().map(String::as_str).zip(mode.strain_energy.iter().copied());
        named(bodies.chain([("springs", mode.element_energy)]))
    }
}

/// The greatest shares with their names.
fn named<'n>(shares: impl Iterator<Item = (&'n str, f64)>) -> String {
    let mut all: Vec<(&str, f64)> = shares.filter(|(_, share)| *share >= LEAST_NAMED).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let told = all.iter().take(MOST_NAMED);
    told.map(|(name, share)| format!("{name} {:.0} %", 100.0 * share)).collect::<Vec<_>>().join(", ")
}

/// System modes about a state. Hinges that `inputs` prescribe are locked, all others are free. Where the state has speeds, hinges turn steadily at them.
///
/// ```
/// use supple::force::{ForceElement, HingeSpring, Port};
/// use supple::{Body, Hinge, HingeKind, Inputs, ModelBuilder, Parent, State};
/// use supple_linear::system_modes;
///
/// let mut builder = ModelBuilder::new();
/// let hinge = Hinge::new(HingeKind::Prismatic { axis: [1.0, 0.0, 0.0] });
/// let cart = builder.body(Body::rigid("cart", Parent::Ground, hinge, 2.0, [0.0; 3], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]));
/// builder.force(ForceElement::new(HingeSpring { stiffness: 50.0, rest: 0.0 }, [Port::hinge(cart)]));
/// let model = builder.build()?;
///
/// let modes = system_modes(&model, &State::new(&model), &Inputs::new(&model))?;
/// assert!((modes.modes[0].eigenvalue.im - 5.0).abs() < 1e-9); // √(k/m)
/// assert!((modes.modes[0].effective_mass[0] - 2.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LinearError::NotSteady`] where the coefficients depend on the angle of a hinge that turns, [`LinearError::NoFreedom`], or what the engine says about
/// the state.
pub fn system_modes(model: &Model, state: &State, inputs: &Inputs) -> Result<SystemModes, LinearError> {
    state.check(model)?;
    inputs.check(model)?;
    require_steady(model, state, inputs)?;
    let tangent = tangent(model, state, inputs)?;
    let reduced = Reduced::new(model, &tangent, &free_speeds(model, inputs), &[])?;
    let [mass, damping, stiffness] = reduced.in_displacements();
    let pairs = spectrum(&mass, &damping, &stiffness, &reduced.loads(&tangent))?;
    let names = Coordinates::of(model);
    let shapes = Shapes {
        names: &names,
        model,
        state,
        inputs,
        mass: &tangent.mass,
        jacobians: node_jacobians(model, state)?,
        reach: reach(model, state)?,
    };
    let motion = &reduced.reduction.shape;
    let whole = |pair: &Eigenpair| -> Vec<c64> {
        let sum =
            |i: usize| pair.vector.iter().enumerate().fold(c64::new(0.0, 0.0), |sum, (j, x)| sum + *x * motion[(i, j)]);
        (0..motion.nrows()).map(sum).collect()
    };
    let modes = pairs.iter().map(|pair| shapes.mode(pair.value, whole(pair))).collect::<Result<_, _>>()?;
    Ok(SystemModes {
        modes,
        coordinates: names.displacements,
        bodies: model.body_indices().map(|body| model.name(body).to_owned()).collect(),
        nodes: nodes(model).into_iter().map(|(_, name)| name).collect(),
    })
}

fn node_jacobians(model: &Model, state: &State) -> Result<Vec<Mat<f64>>, LinearError> {
    let place = |node: NodeHandle| (node.body(), node.node());
    nodes(model).into_iter().map(|(node, _)| node_jacobian(model, state, place(node))).collect()
}

/// What modes are described with.
struct Shapes<'s> {
    model: &'s Model,
    state: &'s State,
    inputs: &'s Inputs,
    names: &'s Coordinates,
    mass: &'s Mat<f64>,
    jacobians: Vec<Mat<f64>>,
    reach: Vec<f64>,
}

impl Shapes<'_> {
    fn mode(&self, value: c64, shape: Vec<c64>) -> Result<SystemMode, LinearError> {
        let shape = self.normalised(&shape);
        let by_body = |shares: &[f64]| {
            let mut sums = vec![0.0; self.model.body_count()];
            shares.iter().zip(&self.names.bodies).for_each(|(share, body)| sums[*body] += share);
            sums
        };
        let elastic = self.work_of(Terms { elastic: true, ..Terms::NONE }, &shape)?;
        let elements: f64 = self.work_of(Terms { elements: true, ..Terms::NONE }, &shape)?.iter().sum();
        let bodies = by_body(&elastic);
        let total = bodies.iter().sum::<f64>() + elements;
        // What rounding leaves of a rigid-body motion is no strain.
        let strained = value.norm() > 0.0 && total > 1e-9 * value.norm_sqr();
        let share = |energy: f64| if strained { energy / total } else { 0.0 };
        let size = value.norm();
        Ok(SystemMode {
            eigenvalue: value.into(),
            frequency: size / std::f64::consts::TAU,
            damping_ratio: if size > 0.0 { -value.re / size } else { 0.0 },
            node_shapes: self.jacobians.iter().map(|jacobian| node_shape(jacobian, &shape)).collect(),
            body_participation: self.kinetic_of_bodies(&shape)?,
            participation: self.kinetic(&shape),
            strain_energy: bodies.into_iter().map(share).collect(),
            element_energy: share(elements),
            effective_mass: self.effective_mass(&shape)?,
            shape: shape.into_iter().map(Complex::from).collect(),
        })
    }

    /// Of unit modal mass, the coordinate with the most kinetic energy real and positive.
    fn normalised(&self, shape: &[c64]) -> Vec<c64> {
        let shares = self.kinetic(shape);
        let largest = (0..shape.len()).max_by(|i, j| shares[*i].total_cmp(&shares[*j])).unwrap_or(0);
        let size = self.modal_mass(shape).sqrt();
        let turn = if shape[largest].norm() > 0.0 {
            shape[largest].conj() / shape[largest].norm()
        } else {
            c64::new(1.0, 0.0)
        };
        shape.iter().map(|x| *x * turn / size).collect()
    }

    fn momenta(&self, shape: &[c64]) -> Vec<c64> {
        let row =
            |i: usize| shape.iter().enumerate().fold(c64::new(0.0, 0.0), |sum, (j, x)| sum + *x * self.mass[(i, j)]);
        (0..shape.len()).map(row).collect()
    }

    fn modal_mass(&self, shape: &[c64]) -> f64 {
        let momenta = self.momenta(shape);
        shape.iter().zip(&momenta).map(|(x, p)| (x.conj() * *p).re).sum::<f64>()
    }

    /// Shares of the bodies in the kinetic energy.
    fn kinetic_of_bodies(&self, shape: &[c64]) -> Result<Vec<f64>, LinearError> {
        let mut moving = self.state.clone();
        let mut workspace = Workspace::new(self.model);
        let bodies = self.model.body_count();
        let (mut sums, mut own) = (vec![0.0; bodies], vec![0.0; bodies]);
        for part in [|x: &c64| x.re, |x: &c64| x.im] {
            moving.speeds.iter_mut().zip(shape).for_each(|(u, x)| *u = part(x));
            supple::kinetic_energies(self.model, &moving, &mut workspace, &mut own)?;
            sums.iter_mut().zip(&own).for_each(|(sum, own)| *sum += own.max(0.0));
        }
        let total: f64 = sums.iter().sum();
        Ok(sums.into_iter().map(|sum| if total > 0.0 { sum / total } else { 0.0 }).collect())
    }

    /// What each coordinate contributes to the kinetic energy, `Re x̄_i (M x)_i`.
    fn kinetic(&self, shape: &[c64]) -> Vec<f64> {
        let (momenta, total) = (self.momenta(shape), self.modal_mass(shape));
        shape.iter().zip(&momenta).map(|(x, p)| (x.conj() * *p).re / total).collect()
    }

    /// Work that forces of a kind do against a shape, at each speed.
    fn work_of(&self, terms: Terms, shape: &[c64]) -> Result<Vec<f64>, LinearError> {
        let n = shape.len();
        let still = vec![0.0; n];
        let mut sum = vec![0.0; n];
        let mut workspace = Workspace::new(self.model);
        let parts = [shape.iter().map(|x| x.re).collect::<Vec<f64>>(), shape.iter().map(|x| x.im).collect()];
        for part in parts.iter().filter(|part| part.iter().any(|x| *x != 0.0)) {
            let size = part.iter().zip(&self.reach).fold(0.0_f64, |m, (x, reach)| m.max(x.abs() * reach.max(1.0)));
            let direction = Direction { displacement: part, speeds: &still };
            let forces = derivative(step_for(size), |h| {
                let moved = direction.from(self.model, self.state, h);
                Ok(supple::bias_forces(self.model, &moved, self.inputs, terms, &mut workspace)?.forces().to_vec())
            })?;
            sum.iter_mut().zip(part.iter().zip(&forces)).for_each(|(sum, (x, force))| *sum += x * force);
        }
        Ok(sum)
    }

    /// `|P|²` of the momenta of a shape of unit modal mass.
    fn effective_mass(&self, shape: &[c64]) -> Result<[f64; 6], LinearError> {
        let mut moving = self.state.clone();
        let mut workspace = Workspace::new(self.model);
        let mut out = [0.0; 6];
        for part in [|x: &c64| x.re, |x: &c64| x.im] {
            moving.speeds.iter_mut().zip(shape).for_each(|(u, x)| *u = part(x));
            let momentum = supple::momentum(self.model, &moving, &mut workspace)?;
            let numbers = momentum.linear.0.into_iter().chain(momentum.angular.0);
            out.iter_mut().zip(numbers).for_each(|(out, p)| *out += p * p);
        }
        Ok(out)
    }
}

/// Rotation and translation of a node.
fn node_shape(jacobian: &Mat<f64>, shape: &[c64]) -> [Complex; 6] {
    std::array::from_fn(|i| {
        shape.iter().enumerate().fold(c64::new(0.0, 0.0), |sum, (j, x)| sum + *x * jacobian[(i, j)]).into()
    })
}
