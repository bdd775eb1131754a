//! One step of an integrator: the state goes in, with forces that are held and the length of the step, and comes out.

use crate::program::Signal;
use crate::recorder::{RecordError, Recorder};
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
    &Inputs<Traced>,
    &mut Workspace<Traced>,
    &mut StepWorkspace<Traced>,
) -> Result<(), DynamicsError>;

pub(super) fn step(model: &Model<Traced>, scheme: Scheme, recorder: &mut Recorder<'_>) -> Result<(), RecordError> {
    let (mut state, inputs) = (recorder.motion(model), recorder.loads(model));
    let length = recorder.input(Signal::new("step", "s"), SAMPLE);
    let (mut workspace, mut memory) = (Workspace::new(model), StepWorkspace::new(model));
    scheme(model, (&mut state, length), &inputs, &mut workspace, &mut memory)?;
    if state.closed.contains(&true) {
        generic::settle(model, &mut state, &inputs, TURNS, &mut workspace)?;
    }
    recorder.list(recorder.signals(&[Kind::HingeCoordinate, Kind::ModalCoordinate]), &state.coordinates);
    let attitudes: Vec<Traced> = state.attitudes.iter().flat_map(|q| q.0).collect();
    recorder.list(recorder.signals(&[Kind::Attitude]), &attitudes);
    recorder.list(recorder.speeds(), &state.speeds);
    Ok(())
}
