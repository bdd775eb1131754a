//! The calls of [`supple::batch::Batch`], on the processor or on a GPU.
//!
//! Rules are those of the other: slices of the wrong length are refused before anything is computed, and an instance that fails does not touch its
//! neighbours. On a GPU results equal those of the scalar run but for the last digits.

use crate::device::Device;
use crate::error::GpuError;
use crate::evaluation::Evaluation;
use crate::plan::{Place, Plan, Ready};
use std::collections::HashMap;
use supple::batch::{BatchError, InstanceError, States, StatesMut, StepScheme, Steps};
use supple::spatial::Quaternion;
use supple::{BodyIndex, DynamicsError, Inputs, Model, NodeIndex, State};
use supple_compile::{Engine, Point, RecordError, Recording, Verb};

/// Instances of one model, evaluated and stepped by the verbs.
#[derive(Debug)]
pub struct Batch(Kind);

#[derive(Debug)]
enum Kind {
    Processor(Box<supple::batch::Batch>),
    Cuda(Box<OnDevice>),
}

#[derive(Debug)]
struct OnDevice {
    model: Model,
    place: Place,
    device: Device,
    verbs: HashMap<Verb, Evaluation>,
    steps: HashMap<Verb, Ready>,
}

impl Batch {
    /// For any number of instances of `model` at a place.
    ///
    /// # Errors
    /// Too many threads.
    pub fn new(model: &Model, place: &Place) -> Result<Self, GpuError> {
        Ok(Self(match place {
            Place::Processor { threads } => Kind::Processor(Box::new(supple::batch::Batch::new(model, *threads)?)),
            Place::Cuda { device, .. } => Kind::Cuda(Box::new(OnDevice {
                model: model.clone(),
                place: place.clone(),
                device: device.clone(),
                verbs: HashMap::new(),
                steps: HashMap::new(),
            })),
        }))
    }

    /// As [`supple::batch::Batch::forward_dynamics`].
    ///
    /// # Errors
    /// As there, and what the device says.
    pub fn forward_dynamics(
        &mut self,
        states: States<'_>,
        forces: &[f64],
        accelerations: &mut [f64],
    ) -> Result<(), GpuError> {
        match &mut self.0 {
            Kind::Processor(batch) => Ok(batch.forward_dynamics(states, forces, accelerations)?),
            Kind::Cuda(batch) => batch.results(Verb::ForwardDynamics, states, Some(forces), accelerations),
        }
    }

    /// As [`supple::batch::Batch::inverse_dynamics`].
    ///
    /// # Errors
    /// As there, and what the device says.
    pub fn inverse_dynamics(
        &mut self,
        states: States<'_>,
        accelerations: &[f64],
        forces: &mut [f64],
    ) -> Result<(), GpuError> {
        match &mut self.0 {
            Kind::Processor(batch) => Ok(batch.inverse_dynamics(states, accelerations, forces)?),
            Kind::Cuda(batch) => batch.results(Verb::InverseDynamics, states, Some(accelerations), forces),
        }
    }

    /// As [`supple::batch::Batch::mass_matrix`].
    ///
    /// # Errors
    /// As there, and what the device says.
    pub fn mass_matrix(&mut self, states: States<'_>, matrices: &mut [f64]) -> Result<(), GpuError> {
        match &mut self.0 {
            Kind::Processor(batch) => Ok(batch.mass_matrix(states, matrices)?),
            Kind::Cuda(batch) => batch.results(Verb::MassMatrix, states, None, matrices),
        }
    }

    /// As [`supple::batch::Batch::steps`]. On a GPU they are one launch.
    ///
    /// # Errors
    /// As there, and what the device says.
    pub fn steps(&mut self, states: StatesMut<'_>, forces: &[f64], steps: Steps) -> Result<(), GpuError> {
        match &mut self.0 {
            Kind::Processor(batch) => Ok(batch.steps(states, forces, steps)?),
            Kind::Cuda(batch) => batch.steps(states, forces, steps),
        }
    }

    /// As [`supple::batch::Batch::node_motions`], wherever the instances are: on the processor.
    ///
    /// # Errors
    /// As there.
    pub fn node_motions(
        &mut self,
        states: States<'_>,
        nodes: &[(BodyIndex, NodeIndex)],
        motions: &mut [f64],
    ) -> Result<(), GpuError> {
        match &mut self.0 {
            Kind::Processor(batch) => Ok(batch.node_motions(states, nodes, motions)?),
            Kind::Cuda(batch) => Ok(supple::batch::Batch::new(&batch.model, 0)?.node_motions(states, nodes, motions)?),
        }
    }
}

fn check(quantity: &'static str, found: usize, expected: usize) -> Result<(), GpuError> {
    if found == expected { Ok(()) } else { Err(BatchError::WrongSize { quantity, found, expected }.into()) }
}

impl OnDevice {
    /// Checks `states` and counts its rows.
    fn instances(&self, states: States<'_>) -> Result<usize, GpuError> {
        let (model, [q, u]) = (&self.model, [self.model.coordinate_count(), self.model.speed_count()]);
        let count = match q {
            0 => states.speeds.len().div_ceil(u.max(1)),
            q => states.coordinates.len().div_ceil(q),
        };
        check("coordinates", states.coordinates.len(), count * q)?;
        check("speeds", states.speeds.len(), count * u)?;
        check("attitudes", states.attitudes.len(), count * model.attitude_nodes().len())?;
        Ok(count)
    }

    /// State and inputs of an instance.
    fn point(&self, states: States<'_>, drive: Option<&[f64]>, instance: usize) -> Point {
        let model = &self.model;
        let (mut state, mut inputs) = (State::new(model), Inputs::new(model));
        let (q, u, a) = (state.coordinates.len(), state.speeds.len(), state.attitudes.len());
        state.coordinates.copy_from_slice(&states.coordinates[instance * q..(instance + 1) * q]);
        state.speeds.copy_from_slice(&states.speeds[instance * u..(instance + 1) * u]);
        for (to, from) in state.attitudes.iter_mut().zip(&states.attitudes[instance * a..]) {
            *to = Quaternion(*from);
        }
        if let Some(drive) = drive {
            inputs.forces.copy_from_slice(&drive[instance * u..(instance + 1) * u]);
            inputs.accelerations.copy_from_slice(&drive[instance * u..(instance + 1) * u]);
        }
        Point { state, inputs, step: 0.0 }
    }

    /// What the scalar run says of an instance that failed.
    fn why(&self, verb: &Verb, point: &Point) -> DynamicsError {
        match (Engine { model: &self.model, verb }).answer(point) {
            Err(RecordError::Dynamics(error)) => error,
            // The engine bears what rounding on the device did not.
            _ => DynamicsError::NotFinite { quantity: "numbers on the device", index: 0 },
        }
    }

    fn results(
        &mut self,
        verb: Verb,
        states: States<'_>,
        drive: Option<&[f64]>,
        out: &mut [f64],
    ) -> Result<(), GpuError> {
        let (count, u) = (self.instances(states)?, self.model.speed_count());
        let width = if verb == Verb::MassMatrix { u * u } else { u };
        if let Some(drive) = drive {
            check("forces or accelerations", drive.len(), count * u)?;
        }
        check("results", out.len(), count * width)?;
        if !self.verbs.contains_key(&verb) {
            let Place::Cuda { precision, shape, .. } = self.place else { return Ok(()) };
            let program = Recording { model: &self.model, state: None, verb: &verb, parameters: &[] }.program()?;
            self.verbs.insert(verb.clone(), Evaluation::new(&self.device, &program.scheduled(), precision, shape)?);
        }
        let engine = Engine { model: &self.model, verb: &verb };
        let mut rows = Vec::new();
        for instance in 0..count {
            rows.extend(engine.numbers(&self.point(states, drive, instance))?);
        }
        let Some(evaluation) = self.verbs.get_mut(&verb) else { return Ok(()) };
        evaluation.set_inputs(&rows, count)?;
        evaluation.run(1)?;
        let (found, status) = evaluation.results()?;
        out.copy_from_slice(&found);
        let failed: Vec<usize> = (0..count).filter(|instance| status[*instance] != 0).collect();
        failed.iter().for_each(|instance| out[instance * width..(instance + 1) * width].fill(f64::NAN));
        self.told(&verb, states, drive, &failed)
    }

    fn told(&self, verb: &Verb, states: States<'_>, drive: Option<&[f64]>, failed: &[usize]) -> Result<(), GpuError> {
        let of =
            |instance: usize| InstanceError { instance, error: self.why(verb, &self.point(states, drive, instance)) };
        match failed {
            [] => Ok(()),
            list => Err(BatchError::Instances(list.iter().map(|instance| of(*instance)).collect()).into()),
        }
    }

    fn steps(&mut self, states: StatesMut<'_>, forces: &[f64], steps: Steps) -> Result<(), GpuError> {
        let verb = &match steps.scheme {
            StepScheme::RungeKutta => Verb::Rk4Step,
            StepScheme::LinearlyImplicit => Verb::LinearlyImplicitStep,
        };
        let (instances, u) = (self.instances(states.as_states())?, self.model.speed_count());
        check("forces", forces.len(), instances * u)?;
        if !self.steps.contains_key(verb) {
            let plan = Plan { model: &self.model, state: None, step: verb, parameters: &[], law: None };
            self.steps.insert(verb.clone(), plan.on(&self.place)?);
        }
        let Some(ready) = self.steps.get(verb) else { return Ok(()) };
        let mut fleet = ready.fleet(instances)?;
        fleet.set_states(states.as_states())?;
        // Motors among the force elements exert nothing, as in the other batch.
        let motors = crate::law::force_count(&self.model) - u;
        let mut rows = Vec::with_capacity(instances * (u + motors));
        for row in forces.chunks(u.max(1)) {
            rows.extend(row);
            rows.resize(rows.len() + motors, 0.0);
        }
        fleet.set_forces(&rows)?;
        fleet.advance(steps.length, steps.count)?;
        // What an instance that fails keeps: its state before the first step.
        let before = (states.coordinates.to_vec(), states.speeds.to_vec(), states.attitudes.to_vec());
        let StatesMut { coordinates, speeds, attitudes } = states;
        fleet.states(StatesMut { coordinates: &mut *coordinates, speeds: &mut *speeds, attitudes: &mut *attitudes })?;
        let outcomes = fleet.outcomes()?;
        let mut told = Vec::new();
        for instance in (0..instances).filter(|k| outcomes[*k].failed.is_some()) {
            let now = States { coordinates, speeds, attitudes };
            let at = Point { step: steps.length, ..self.point(now, Some(forces), instance) };
            told.push(InstanceError { instance, error: self.why(verb, &at) });
            restore(coordinates, &before.0, instances, instance);
            restore(speeds, &before.1, instances, instance);
            restore(attitudes, &before.2, instances, instance);
        }
        if told.is_empty() { Ok(()) } else { Err(BatchError::Instances(told).into()) }
    }
}

/// Puts the row of an instance back.
fn restore<T: Copy>(rows: &mut [T], before: &[T], instances: usize, instance: usize) {
    let width = rows.len() / instances;
    let row = instance * width..(instance + 1) * width;
    rows[row.clone()].copy_from_slice(&before[row]);
}
