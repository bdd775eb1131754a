//! The verbs of the engine as calls that can be timed.

use super::clock::InstructionCounter;
use super::points::{Filled, Point, points, points_of};
use super::timing::{Effort, Timing, time};
use clap::ValueEnum;
use std::hint::black_box;
use supple::generic::{
    bias_forces, composite_forward_dynamics, energy, forward_dynamics, hybrid_dynamics, inverse_dynamics, kinematics,
    kinematics_with, mass_matrix, mass_operator, momentum, node_compliances, node_jacobian, operational_compliance,
    power,
};
use supple::spatial::{Lanes, Matrix6};
use supple::{
    BodyIndex, DenseWorkspace, Derivatives, DynamicsError, Model, NodeIndex, Terms, Workspace,
    forward_dynamics_derivatives, inverse_dynamics_derivatives,
};

/// Most speeds for which the dense verbs are timed unless they are asked for by name.
pub const MOST_DENSE: usize = 250;

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Verb {
    /// Accelerations from forces, articulated bodies.
    ForwardDynamics,
    /// The same by the dense mass matrix.
    CompositeForwardDynamics,
    /// Forces from accelerations.
    InverseDynamics,
    /// Forces at zero acceleration.
    BiasForces,
    /// Every other hinge prescribed.
    HybridDynamics,
    /// Accelerations and all their derivatives, in double precision alone.
    ForwardDynamicsDerivatives,
    /// Forces and all their derivatives, in double precision alone.
    InverseDynamicsDerivatives,
    /// The dense mass matrix.
    MassMatrix,
    /// Articulated inertias: what the products below need once.
    MassOperator,
    /// A product with the mass matrix.
    MassApply,
    /// A product with its inverse.
    MassSolve,
    /// Compliance at the last node of the last body.
    OperationalCompliance,
    /// Compliance blocks there, by the outward recursion.
    NodeCompliances,
    /// Poses and velocities.
    Kinematics,
    /// Poses, velocities and accelerations.
    KinematicsWith,
    /// Jacobian of the last node of the last body.
    NodeJacobian,
    /// Kinetic, elastic and gravitational energy.
    Energy,
    /// Momenta and mass centre.
    Momentum,
    /// Power of forces and damping.
    Power,
}

impl Verb {
    /// The name in rows.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether it forms a dense matrix of all speeds.
    pub fn is_dense(self) -> bool {
        matches!(self, Self::CompositeForwardDynamics | Self::MassMatrix) || self.is_derivative()
    }

    fn is_derivative(self) -> bool {
        matches!(self, Self::ForwardDynamicsDerivatives | Self::InverseDynamicsDerivatives)
    }
}

/// The numbers that a verb runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScalarKind {
    /// Double precision.
    F64,
    /// Single precision.
    F32,
    /// Four instances at once in double precision; costs are those of one.
    #[value(name = "f64x4")]
    Lanes4,
    /// Eight instances at once.
    #[value(name = "f64x8")]
    Lanes8,
}

impl ScalarKind {
    /// The name in rows.
    pub fn name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
            Self::Lanes4 => "f64x4",
            Self::Lanes8 => "f64x8",
        }
    }

    /// Times verbs of a model, one after the other; costs are those of one instance.
    pub fn time_all(
        self,
        model: &Model,
        verbs: &[Verb],
        effort: Effort,
        counter: Option<&mut InstructionCounter>,
        each: impl FnMut(Verb, Result<Timing, DynamicsError>) -> bool,
    ) {
        match self {
            Self::F64 => time_verbs::<f64>(model, verbs, effort, counter, each, Bench::time_derivatives),
            Self::F32 => time_verbs::<f32>(model, verbs, effort, counter, each, |_, _, _, _| None),
            Self::Lanes4 => time_verbs::<Lanes<f64, 4>>(model, verbs, effort, counter, each, |_, _, _, _| None),
            Self::Lanes8 => time_verbs::<Lanes<f64, 8>>(model, verbs, effort, counter, each, |_, _, _, _| None),
        }
    }
}

/// Times the derivatives of a model, where there are any for a scalar.
type TimeDerivatives<T> =
    fn(&Bench<T>, Verb, Effort, Option<&mut InstructionCounter>) -> Option<Result<Timing, DynamicsError>>;

/// Times each verb until `each` has had enough.
fn time_verbs<T: Filled>(
    model: &Model,
    verbs: &[Verb],
    effort: Effort,
    mut counter: Option<&mut InstructionCounter>,
    mut each: impl FnMut(Verb, Result<Timing, DynamicsError>) -> bool,
    derivatives: TimeDerivatives<T>,
) {
    let bench = Bench::<T>::new(model);
    for &verb in verbs {
        let timing = match verb.is_derivative() {
            false => bench.time(verb, effort, counter.as_deref_mut()),
            true => match derivatives(&bench, verb, effort, counter.as_deref_mut()) {
                Some(timing) => timing,
                None => continue,
            },
        };
        if !each(verb, timing.map(|timing| timing.per_instance(T::INSTANCES))) {
            return;
        }
    }
}

/// A model with its points.
struct Bench<T: Filled> {
    model: Model<T>,
    points: Vec<Point<T>>,
}

impl<T: Filled> Bench<T> {
    fn new(model: &Model) -> Self {
        let model = model.cast::<T>();
        let points = points(&model);
        Self { model, points }
    }

    /// The last node of the last body: the far end of a chain.
    fn tip(&self) -> (BodyIndex, NodeIndex) {
        let body = BodyIndex(self.model.body_count().saturating_sub(1));
        (body, NodeIndex(self.model.node_count(body).saturating_sub(1)))
    }

    fn time(
        &self,
        verb: Verb,
        effort: Effort,
        counter: Option<&mut InstructionCounter>,
    ) -> Result<Timing, DynamicsError> {
        let model = &self.model;
        let at = |i: usize| &self.points[i % points_of::<T>()];
        let mut ws = Workspace::new(model);
        match verb {
            Verb::ForwardDynamics => time(effort, counter, |i| {
                black_box(forward_dynamics(model, &at(i).state, &at(i).inputs, &mut ws)?);
                Ok(())
            }),
            Verb::InverseDynamics => time(effort, counter, |i| {
                black_box(inverse_dynamics(model, &at(i).state, &at(i).inputs, &mut ws)?);
                Ok(())
            }),
            Verb::BiasForces => time(effort, counter, |i| {
                black_box(bias_forces(model, &at(i).state, &at(i).inputs, Terms::ALL, &mut ws)?);
                Ok(())
            }),
            Verb::HybridDynamics => time(effort, counter, |i| {
                black_box(hybrid_dynamics(model, &at(i).state, &at(i).inputs, &mut ws)?);
                Ok(())
            }),
            Verb::Kinematics => time(effort, counter, |i| {
                black_box(kinematics(model, &at(i).state, &mut ws)?);
                Ok(())
            }),
            Verb::KinematicsWith => time(effort, counter, |i| {
                black_box(kinematics_with(model, &at(i).state, &at(i).inputs.accelerations, &mut ws)?);
                Ok(())
            }),
            Verb::Energy => time(effort, counter, |i| {
                black_box(energy(model, &at(i).state, &mut ws)?);
                Ok(())
            }),
            Verb::Momentum => time(effort, counter, |i| {
                black_box(momentum(model, &at(i).state, &mut ws)?);
                Ok(())
            }),
            Verb::Power => time(effort, counter, |i| {
                black_box(power(model, &at(i).state, &at(i).inputs, &mut ws)?);
                Ok(())
            }),
            _ => self.time_matrix(verb, effort, counter),
        }
    }

    /// Verbs that write matrices, and products with them.
    fn time_matrix(
        &self,
        verb: Verb,
        effort: Effort,
        counter: Option<&mut InstructionCounter>,
    ) -> Result<Timing, DynamicsError> {
        let (model, tip, n) = (&self.model, self.tip(), self.model.speed_count());
        let at = |i: usize| &self.points[i % points_of::<T>()];
        let mut ws = Workspace::new(model);
        match verb {
            Verb::MassOperator => time(effort, counter, |i| {
                black_box(mass_operator(model, &at(i).state, &mut ws)?);
                Ok(())
            }),
            Verb::MassApply | Verb::MassSolve => {
                let mut operator = mass_operator(model, &at(0).state, &mut ws)?;
                let mut out = vec![T::ZERO; n];
                time(effort, counter, |i| {
                    let x = &at(i).inputs.forces;
                    let done =
                        if verb == Verb::MassApply { operator.apply(x, &mut out) } else { operator.solve(x, &mut out) };
                    black_box(&out);
                    done
                })
            }
            Verb::OperationalCompliance => {
                let mut out = vec![T::ZERO; 36];
                time(effort, counter, |i| {
                    operational_compliance(model, &at(i).state, &[tip], &mut ws, black_box(&mut out))
                })
            }
            Verb::NodeCompliances => {
                let mut out = [Matrix6::ZERO];
                time(effort, counter, |i| node_compliances(model, &at(i).state, &[tip], &mut ws, black_box(&mut out)))
            }
            Verb::NodeJacobian => {
                let mut out = vec![T::ZERO; 6 * n];
                time(effort, counter, |i| node_jacobian(model, &at(i).state, tip, &mut ws, black_box(&mut out)))
            }
            Verb::MassMatrix => {
                let (mut dense, mut out) = (DenseWorkspace::new(model), vec![T::ZERO; n * n]);
                time(effort, counter, |i| mass_matrix(model, &at(i).state, &mut ws, &mut dense, black_box(&mut out)))
            }
            _ => {
                let mut dense = DenseWorkspace::new(model);
                time(effort, counter, |i| {
                    let point = at(i);
                    black_box(composite_forward_dynamics(model, &point.state, &point.inputs, &mut ws, &mut dense)?);
                    Ok(())
                })
            }
        }
    }
}

impl Bench<f64> {
    fn time_derivatives(
        &self,
        verb: Verb,
        effort: Effort,
        counter: Option<&mut InstructionCounter>,
    ) -> Option<Result<Timing, DynamicsError>> {
        let model = &self.model;
        let (mut ws, mut out) = (Workspace::new(model), Derivatives::new(model));
        Some(time(effort, counter, |i| {
            let Point { state, inputs } = &self.points[i % points_of::<f64>()];
            match verb {
                Verb::InverseDynamicsDerivatives => {
                    black_box(inverse_dynamics_derivatives(model, state, inputs, &mut ws, &mut out)?)
                }
                _ => black_box(forward_dynamics_derivatives(model, state, inputs, &mut ws, &mut out)?),
            };
            Ok(())
        }))
    }
}

/// `‖FD(ID(a)) - a‖ / ‖a‖` at the first point: that the verbs timed give the same dynamics. Accelerations of a closed system must obey its
/// closures: `a` is that by the mass matrix, under the same forces.
pub fn forward_of_inverse(model: &Model) -> Result<f64, DynamicsError> {
    let bench = Bench::<f64>::new(model);
    let point = &bench.points[0];
    let mut ws = Workspace::new(model);
    let mut inputs = point.inputs.clone();
    let wanted = if model.closures().is_empty() {
        inputs.forces.copy_from_slice(inverse_dynamics(model, &point.state, &point.inputs, &mut ws)?.forces());
        inputs.accelerations.clone()
    } else {
        let mut dense = DenseWorkspace::new(model);
        composite_forward_dynamics(model, &point.state, &inputs, &mut ws, &mut dense)?.accelerations().to_vec()
    };
    let found = forward_dynamics(model, &point.state, &inputs, &mut ws)?;
    let square = |x: f64| x * x;
    let error: f64 = found.accelerations().iter().zip(&wanted).map(|(a, b)| square(a - b)).sum();
    Ok((error / wanted.iter().map(|a| square(*a)).sum::<f64>()).sqrt())
}
