//! One step of an integrator: the state goes in, with forces that are held and the length of the step, and comes out.

use crate::program::Signal;
use crate::recorder::{RecordError, Recorder};
use supple::generic::{RungeKuttaPoints, StageInputs};
use supple::model::VariableKind as Kind;
use supple::spatial::Traced;
use supple::{DynamicsError, Inputs, Model, State, StepWorkspace, Workspace, generic};

/// Turns of Newton's method that bring a state back onto closures after a step: one for positions, and one for the speeds there.
pub(crate) const TURNS: usize = 2;

/// Length of the step at which decisions are taken, s.
const SAMPLE: f64 = 1e-3;

/// A step of one of the schemes.
type Scheme = fn(
    &Model<Traced>,
    (&mut State<Traced>, Traced),
    StageInputs<'_, Traced>,
    &mut Workspace<Traced>,
    &mut StepWorkspace<Traced>,
) -> Result<(), DynamicsError>;

pub(super) fn step(model: &Model<Traced>, scheme: Scheme, recorder: &mut Recorder<'_>) -> Result<(), RecordError> {
    let (mut state, inputs) = (recorder.motion(model), recorder.loads(model));
    let length = recorder.input(Signal::new("step", "s"), SAMPLE);
    let (mut workspace, mut memory) = (Workspace::new(model), StepWorkspace::new(model));
    scheme(model, (&mut state, length), StageInputs::held(&inputs), &mut workspace, &mut memory)?;
    if state.closed.contains(&true) {
        generic::settle(model, &mut state, &inputs, TURNS, &mut workspace)?;
    }
    give(&state, recorder);
    Ok(())
}

/// Coordinates, attitudes and speeds come out.
pub(crate) fn give(state: &State<Traced>, recorder: &mut Recorder<'_>) {
    recorder.list(recorder.signals(&[Kind::HingeCoordinate, Kind::ModalCoordinate]), &state.coordinates);
    let attitudes: Vec<Traced> = state.attitudes.iter().flat_map(|q| q.0).collect();
    recorder.list(recorder.signals(&[Kind::Attitude]), &attitudes);
    recorder.list(recorder.speeds(), &state.speeds);
}

/// Forces, the two weights of a stage.
fn drive(model: &Model<Traced>, recorder: &mut Recorder<'_>) -> (Inputs<Traced>, [Traced; 2]) {
    let inputs = recorder.loads(model);
    (inputs, ["share", "next"].map(|name| recorder.input(Signal::new(name, "s"), SAMPLE)))
}

/// A stage of the classical Runge-Kutta scheme. In: where it is, the start, room for the next point, the sum, forces, weights. Out: the next
/// point, the sum.
pub(crate) fn stage(model: &Model<Traced>, recorder: &mut Recorder<'_>) -> Result<(), RecordError> {
    let (mut state, start) = (recorder.motion(model), recorder.motion(model));
    recorder.motion(model);
    let mut sum = recorder.motion(model);
    let (inputs, weights) = drive(model, recorder);
    let (mut workspace, mut memory) = (Workspace::new(model), StepWorkspace::new(model));
    let points = RungeKuttaPoints { start: &start, state: &mut state, sum: &mut sum };
    generic::runge_kutta_stage(model, points, weights, &inputs, &mut workspace, &mut memory)?;
    give(&state, recorder);
    give(&sum, recorder);
    Ok(())
}

/// What follows the last stage. In: the sum, forces, weights. Out: the state.
pub(crate) fn end(model: &Model<Traced>, recorder: &mut Recorder<'_>) -> Result<(), RecordError> {
    let mut state = recorder.motion(model);
    let (inputs, _) = drive(model, recorder);
    let mut workspace = Workspace::new(model);
    generic::runge_kutta_end(model, &mut state, &workspace)?;
    if state.closed.contains(&true) {
        generic::settle(model, &mut state, &inputs, TURNS, &mut workspace)?;
    }
    give(&state, recorder);
    Ok(())
}
