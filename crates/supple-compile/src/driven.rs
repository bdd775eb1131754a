//! A step of the models of a family that is given what acts at the instants of its stages: motions, torques and wrenches that follow the time.

use crate::family::{Family, Setup, given};
use crate::program::{Program, Signal};
use crate::recorder::{RecordError, Recorder};
use crate::verb::step::give;
use supple::batch::StepScheme;
use supple::generic::{self, LINEARLY_IMPLICIT_PLACES, RUNGE_KUTTA_PLACES, StageInputs};
use supple::spatial::Traced;
use supple::{Inputs, Model, State, StepWorkspace, Workspace};

/// What a step is given: its length, then what acts at each of its places.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivenStep {
    scheme: StepScheme,
    setup: Setup,
    /// Per speed, whether its acceleration is given.
    given: Vec<bool>,
    /// Per speed, whether a force acts on it or its acceleration is given.
    acting: Vec<bool>,
    motors: usize,
}

impl DrivenStep {
    /// A step by a scheme with what acts in a state: kinds and places, not numbers. Where `acting` has a speed not marked, no force acts on it.
    pub fn new(scheme: StepScheme, model: &Model, (state, inputs): (&State, &Inputs), acting: &[bool]) -> Self {
        let given = given(model, &inputs.prescribed);
        let acting = given.iter().enumerate().map(|(i, given)| *given || acting.get(i) == Some(&true)).collect();
        Self { scheme, setup: Setup::of(state, inputs), given, acting, motors: inputs.element_forces.len() }
    }

    /// Where in a step, from 0 to 1, it is given what acts, in ascending order or not.
    pub fn places(&self) -> Vec<f64> {
        let mut places = self.stages().to_vec();
        places.dedup();
        places
    }

    fn stages(&self) -> &'static [f64] {
        match self.scheme {
            StepScheme::RungeKutta => &RUNGE_KUTTA_PLACES,
            StepScheme::LinearlyImplicit => &LINEARLY_IMPLICIT_PLACES,
        }
    }

    /// How many numbers it is given.
    pub fn width(&self) -> usize {
        let acting = self.acting.iter().filter(|acts| **acts).count();
        1 + self.places().len() * (acting + self.motors + 6 * self.setup.wrenches.len())
    }

    /// Appends what acts at a place.
    pub fn write(&self, inputs: &Inputs, out: &mut Vec<f64>) {
        let lists = self.given.iter().zip(inputs.accelerations.iter().zip(&inputs.forces));
        let numbers = lists.map(|(given, (acceleration, force))| if *given { *acceleration } else { *force });
        out.extend(self.acting.iter().zip(numbers).filter(|(acts, _)| **acts).map(|(_, number)| number));
        out.extend(&inputs.element_forces);
        out.extend(inputs.wrenches.iter().flat_map(|wrench| wrench.force.to_array()));
    }
}

impl Family {
    /// A step. Coordinates, components of attitudes and speeds go in, then what the step is given, then the numbers that differ among the models; the
    /// state after it comes out. `sample` is a state and the length of a step, at which decisions are taken.
    ///
    /// # Errors
    /// A state that the equations refuse; force elements that cannot be recorded.
    pub fn step(&self, driven: &DrivenStep, (sample, length): (&State, f64)) -> Result<Program, RecordError> {
        Recorder::new(self.model(), sample, &[]).record("driven_step", |recorder| {
            let model = self.symbolic(recorder)?;
            trace(&model, driven, length, recorder)?;
            recorder.suppose_finite();
            Ok(())
        })
    }
}

fn trace(
    model: &Model<Traced>,
    driven: &DrivenStep,
    length: f64,
    recorder: &mut Recorder<'_>,
) -> Result<(), RecordError> {
    let mut state = recorder.motion(model);
    let length = recorder.input(Signal::new("step", "s"), length);
    let DrivenStep { scheme, setup, acting, .. } = driven;
    let mut stages: Vec<Inputs<Traced>> = Vec::new();
    for (i, place) in driven.stages().iter().enumerate() {
        // Stages at one instant, one behind the other, see the same.
        let again = i.checked_sub(1).filter(|before| driven.stages()[*before] == *place);
        let inputs = again.map(|before| stages[before].clone());
        stages.push(inputs.unwrap_or_else(|| setup.inputs(model, acting, recorder)));
    }
    let inputs = StageInputs::each(&stages[0], &stages[1..]);
    let (mut workspace, mut memory) = (Workspace::new(model), StepWorkspace::new(model));
    let moved = (&mut state, length);
    match scheme {
        StepScheme::RungeKutta => generic::runge_kutta_step(model, moved, inputs, &mut workspace, &mut memory)?,
        StepScheme::LinearlyImplicit => {
            generic::linearly_implicit_step(model, moved, inputs, &mut workspace, &mut memory)?;
        }
    }
    give(&state, recorder);
    Ok(())
}
