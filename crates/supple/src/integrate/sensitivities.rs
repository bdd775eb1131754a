//! A motion with its derivatives by parameters, step by step.

use super::equations::Equations;
use super::error::IntegrationError;
use super::flat_state::unpack;
use super::integrator::Integrator;
use super::scheme::Scheme;
use super::sensitivity::{SensitivityEquations, Variation};
use super::settings::{Limits, Statistics, Stepping};
use super::simulation::Drive;
use crate::error::DynamicsError;
use crate::hybrid_dynamics::hybrid_dynamics;
use crate::measurement::Measurement;
use crate::model::{Model, VariableKind};
use crate::state::State;
use supple_spatial::Scalar;

/// What is read of a motion: a measurement, an acceleration, or the force of a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Response {
    /// What a sensor measures.
    Measured(Measurement),
    /// An acceleration, by the place of its speed.
    Acceleration(usize),
    /// The force of the drive in a hinge, by the place of its speed; what a prescribed hinge needs.
    DriveForce(usize),
}

impl Response {
    /// That of a column of results: what [`Measurement::find`] knows, `acceleration.NAME`, `mode_acceleration.BODY.1` and `force.NAME`.
    pub fn find(model: &Model, name: &str) -> Option<Self> {
        if let Some(measured) = Measurement::find(model, name) {
            return Some(Self::Measured(measured));
        }
        let found = model.variables().into_iter().find(|variable| variable.name == name)?;
        match found.kind {
            VariableKind::HingeAcceleration | VariableKind::ModalAcceleration => Some(Self::Acceleration(found.index)),
            VariableKind::DriveForce => Some(Self::DriveForce(found.index)),
            _ => None,
        }
    }

    fn needs_dynamics(self) -> bool {
        match self {
            Self::Measured(measured) => measured.needs_accelerations(),
            _ => true,
        }
    }
}

/// A motion in progress with its derivatives by parameters; step control watches all of them.
///
/// Sensors, controllers and events take no part: what acts depends on time and parameters alone.
///
/// ```
/// use supple::integrate::{Scheme, Sensitivities, Tolerance, Variation};
/// use supple::{Body, Hinge, HingeKind, Inputs, ModelBuilder, Parent, State};
///
/// // A flywheel under a constant torque T: by its inertia J, the derivative of its angle T t² / 2J is -T t² / 2J².
/// let built = |inertia: f64| {
///     let mut builder = ModelBuilder::new();
///     let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
///     builder.body(Body::rigid("wheel", Parent::Ground, hinge, 1.0, [0.0; 3], [[inertia, 0.0, 0.0], [0.0, inertia, 0.0], [0.0, 0.0, inertia]]));
///     builder.build()
/// };
/// let (model, ahead, behind) = (built(2.0)?, built(2.5)?, built(1.5)?);
/// let varied = supple::Model::varied([&model, &ahead, &behind], [0.0, 1.0, -1.0])?;
/// let torque = |_: &State, inputs: &mut Inputs| inputs.forces[0] = 3.0;
/// let variation = Variation { model: varied, ..Variation::none(&model) };
/// let tolerance = Tolerance { relative: 1e-10, absolute: 1e-12 };
/// let mut run = Sensitivities::new(&model, State::new(&model), torque, vec![variation], (Scheme::DormandPrince, tolerance))?;
/// run.advance(2.0)?;
/// assert!((run.state().coordinates[0] - 3.0).abs() < 1e-9);
/// assert!((run.derivative(0).coordinates[0] + 1.5).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sensitivities {
    equations: SensitivityEquations,
    integrator: Integrator,
    state: State,
    derivatives: Vec<State>,
}

impl Sensitivities {
    /// From the initial state of `model` under `drive`.
    ///
    /// # Errors
    /// Derivatives of another model; a state, tolerance or step that makes no sense; [`Scheme::GeneralizedAlpha`], which has no sensitivities.
    pub fn new(
        model: &Model,
        state: State,
        drive: impl Drive + Send + 'static,
        variations: Vec<Variation>,
        (scheme, stepping): (Scheme, impl Into<Stepping>),
    ) -> Result<Self, IntegrationError> {
        let time = state.time;
        state.check(model).map_err(|source| IntegrationError::Dynamics { time, source })?;
        let derivatives = variations.iter().map(|variation| variation.start.clone()).collect();
        let held = state.clone();
        let (equations, y) = SensitivityEquations::new(model, state, Box::new(drive), scheme, variations)?;
        let integrator = Integrator::new(scheme, stepping, Limits::default(), time, y)?;
        Ok(Self { equations, integrator, state: held, derivatives })
    }

    /// Hinges whose accelerations the drive prescribes, a flag per body.
    ///
    /// # Errors
    /// [`IntegrationError::BadRequest`] for another number of flags.
    pub fn prescribe(&mut self, flags: &[bool]) -> Result<(), IntegrationError> {
        self.equations.equations.prescribe(flags)
    }

    /// Limits what acts at some speeds, see [`Simulation::limit_efforts`](super::Simulation::limit_efforts).
    ///
    /// # Errors
    /// A speed that the model does not have, or a limit below zero.
    pub fn limit_efforts(&mut self, limits: &[(usize, f64)]) -> Result<(), IntegrationError> {
        self.equations.equations.limit(limits)
    }

    /// Changes when to give up.
    ///
    /// # Errors
    /// Limits that make no sense; the old ones stay.
    pub fn set_limits(&mut self, limits: Limits) -> Result<(), IntegrationError> {
        self.integrator.set_limits(limits)
    }

    /// Integrates to `end` exactly, through all times at which what acts is not smooth.
    ///
    /// # Errors
    /// Why it stopped earlier.
    pub fn advance(&mut self, end: f64) -> Result<(), IntegrationError> {
        while self.integrator.time() < end {
            let stop = self.equations.next_break(self.integrator.time()).filter(|stop| *stop <= end);
            self.equations.equations.next_break = stop;
            self.integrator.advance(&mut self.equations, stop.unwrap_or(end))?;
            if stop.is_some() {
                self.integrator.restart();
            }
        }
        self.equations.equations.next_break = None;
        let mut blocks = self.integrator.state().chunks_exact(self.equations.motion);
        if let Some(motion) = blocks.next() {
            unpack(&mut self.state, motion);
        }
        self.state.time = self.integrator.time();
        self.derivatives.iter_mut().zip(blocks).for_each(|(derivative, block)| unpack(derivative, block));
        Ok(())
    }

    /// The state reached.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Its derivative by a parameter: coordinates, attitudes and speeds.
    ///
    /// # Panics
    /// For a parameter that there is not.
    #[track_caller]
    pub fn derivative(&self, parameter: usize) -> &State {
        &self.derivatives[parameter]
    }

    /// Rates of the state reached, and of its derivatives: `[coordinates, attitudes, speeds]` of each.
    ///
    /// # Errors
    /// What keeps them from being computed.
    pub fn rates(&mut self, out: &mut Vec<f64>) -> Result<(), DynamicsError> {
        out.resize(self.integrator.state().len(), 0.0);
        self.equations.rates(self.integrator.time(), self.integrator.state(), out)
    }

    /// Work done so far.
    pub fn statistics(&self) -> Statistics {
        self.integrator.statistics()
    }

    /// Reads responses at the state reached: values, and row by row their derivatives by the parameters.
    ///
    /// # Errors
    /// What keeps them from being computed.
    ///
    /// # Panics
    /// Where `values` has not a place per response, or `derivatives` not one per response and parameter.
    #[track_caller]
    pub fn read(
        &mut self,
        responses: &[Response],
        values: &mut [f64],
        derivatives: &mut [f64],
    ) -> Result<(), DynamicsError> {
        let count = self.equations.varied.len();
        assert_eq!((values.len(), derivatives.len()), (responses.len(), responses.len() * count), "a place for each");
        let (time, m) = (self.integrator.time(), self.equations.motion);
        self.equations.place(time, self.integrator.state())?;
        let SensitivityEquations { equations, varied, .. } = &mut self.equations;
        let dynamic = responses.iter().any(|response| response.needs_dynamics());
        if dynamic {
            equations.evaluate()?;
        }
        let acting = (&*equations.accelerations, &*equations.forces);
        for (value, response) in values.iter_mut().zip(responses) {
            *value = read_one(*response, &equations.model, &equations.state, acting, &mut equations.workspace)?;
        }
        let blocks = self.integrator.state()[m..].chunks_exact(m);
        for (p, (varied, s)) in varied.iter_mut().zip(blocks).enumerate() {
            let tangent = &mut varied.tangent;
            tangent.load(&equations.state, s, 1.0);
            let (mut accelerations, mut forces) = (Vec::new(), Vec::new());
            if dynamic {
                let solution =
                    hybrid_dynamics(&tangent.model, &tangent.state, &tangent.inputs, &mut tangent.workspace)?;
                accelerations.extend_from_slice(solution.accelerations());
                forces.extend_from_slice(solution.forces());
            }
            for (r, response) in responses.iter().enumerate() {
                let acting = (&*accelerations, &*forces);
                let dual = read_one(*response, &tangent.model, &tangent.state, acting, &mut tangent.workspace)?;
                derivatives[r * count + p] = dual.derivative;
            }
        }
        Ok(())
    }
}

/// One response of a state under the accelerations and forces given.
fn read_one<T: Scalar>(
    response: Response,
    model: &Model<T>,
    state: &State<T>,
    (accelerations, forces): (&[T], &[T]),
    workspace: &mut crate::workspace::Workspace<T>,
) -> Result<T, DynamicsError> {
    match response {
        Response::Measured(measured) => measured.evaluate(model, state, accelerations, workspace),
        Response::Acceleration(speed) => Ok(accelerations[speed]),
        Response::DriveForce(speed) => Ok(forces[speed]),
    }
}
