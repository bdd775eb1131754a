//! Derivatives of forward dynamics: by the analytic recursion, or by dual numbers.

use super::Differentiation;
use crate::program::Signal;
use crate::recorder::{RecordError, Recorder};
use supple::spatial::{Dual, Quaternion, Scalar, Traced};
use supple::{Hold, Inputs, Model, State, TreeDerivatives, Workspace, generic};

type D = Dual<Traced>;

/// Accelerations, then matrices by rows: per displacement, speed and force.
struct Answer {
    accelerations: Vec<Traced>,
    matrices: [Vec<Traced>; 3],
}

pub(super) fn derivatives(
    model: &Model<Traced>,
    by: Differentiation,
    recorder: &mut Recorder<'_>,
) -> Result<(), RecordError> {
    let (state, inputs) = (recorder.motion(model), recorder.loads(model));
    let answer = match by {
        Differentiation::Recursion => recursion(model, &state, &inputs)?.ok_or(RecordError::NoRecursion)?,
        Differentiation::Dual | Differentiation::Fewest => dual(model, &state, &inputs, recorder)?,
    };
    write(answer, recorder);
    Ok(())
}

fn recursion(
    model: &Model<Traced>,
    state: &State<Traced>,
    inputs: &Inputs<Traced>,
) -> Result<Option<Answer>, RecordError> {
    let Some(mut derivatives) = TreeDerivatives::new(model) else { return Ok(None) };
    let mut workspace = Workspace::new(model);
    let solution = generic::tree_derivatives(model, state, inputs, &mut workspace, &mut derivatives)?;
    Ok(Some(Answer {
        accelerations: solution.accelerations().to_vec(),
        matrices: [derivatives.displacement(), derivatives.speed(), derivatives.force()].map(<[_]>::to_vec),
    }))
}

/// One evaluation for each column; what columns share is recorded once.
fn dual(
    model: &Model<Traced>,
    state: &State<Traced>,
    inputs: &Inputs<Traced>,
    recorder: &Recorder<'_>,
) -> Result<Answer, RecordError> {
    let symbols: Vec<D> = recorder.symbols().iter().map(|symbol| Dual::constant(*symbol)).collect();
    let moving = recorder.model_of::<D>(&symbols)?;
    let n = model.speed_count();
    let mut matrices = [0, 1, 2].map(|_| vec![Traced::ZERO; n * n]);
    let mut workspace = Workspace::new(&moving);
    let mut column = |state: &State<D>, inputs: &Inputs<D>, j: usize, out: &mut [Traced]| {
        let solution = generic::forward_dynamics(&moving, state, inputs, &mut workspace)?;
        let answer: Vec<D> = solution.accelerations().to_vec();
        answer.iter().enumerate().for_each(|(i, x)| out[i * n + j] = x.derivative);
        Ok::<_, RecordError>(answer)
    };
    let (still, loads) = (constant_state(&moving, state), constant_inputs(&moving, inputs));
    let mut accelerations = Vec::new();
    for j in 0..n {
        accelerations = column(&displaced(model, &still, state, j), &loads, j, &mut matrices[0])?;
        let mut faster = still.clone();
        faster.speeds[j].derivative = Traced::ONE;
        column(&faster, &loads, j, &mut matrices[1])?;
        let mut pushed = loads.clone();
        pushed.forces[j].derivative = Traced::ONE;
        column(&still, &pushed, j, &mut matrices[2])?;
    }
    Ok(Answer { accelerations: accelerations.iter().map(|x| x.value).collect(), matrices })
}

fn constant_state(model: &Model<D>, of: &State<Traced>) -> State<D> {
    let mut state = State::new(model);
    let still = |to: &mut [D], from: &[Traced]| to.iter_mut().zip(from).for_each(|(x, y)| *x = Dual::constant(*y));
    still(&mut state.coordinates, &of.coordinates);
    still(&mut state.speeds, &of.speeds);
    state.attitudes.iter_mut().zip(&of.attitudes).for_each(|(q, of)| *q = Quaternion(of.0.map(Dual::constant)));
    state.closed.copy_from_slice(&of.closed);
    for (held, of) in state.held.iter_mut().zip(&of.held) {
        *held = of.map(|hold| Hold::from_array(hold.to_array().map(Dual::constant)));
    }
    state
}

fn constant_inputs(model: &Model<D>, of: &Inputs<Traced>) -> Inputs<D> {
    let mut inputs = Inputs::new(model);
    let still = |to: &mut [D], from: &[Traced]| to.iter_mut().zip(from).for_each(|(x, y)| *x = Dual::constant(*y));
    still(&mut inputs.forces, &of.forces);
    still(&mut inputs.element_forces, &of.element_forces);
    inputs
}

/// The state with coordinates and attitudes that move along one speed.
fn displaced(model: &Model<Traced>, still: &State<D>, of: &State<Traced>, j: usize) -> State<D> {
    let mut along = of.clone();
    along.speeds.fill(Traced::ZERO);
    along.speeds[j] = Traced::ONE;
    let mut rates = vec![Traced::ZERO; of.coordinates.len()];
    let mut turns = vec![Quaternion::IDENTITY; of.attitudes.len()];
    along.coordinate_rates(model, &mut rates, &mut turns);
    let mut state = still.clone();
    state.coordinates.iter_mut().zip(rates).for_each(|(x, rate)| x.derivative = rate);
    for (q, turn) in state.attitudes.iter_mut().zip(turns) {
        q.0.iter_mut().zip(turn.0).for_each(|(x, rate)| x.derivative = rate);
    }
    state
}

fn write(answer: Answer, recorder: &mut Recorder<'_>) {
    let (accelerations, speeds, forces) = (recorder.accelerations(), recorder.speeds(), recorder.forces());
    let displacement =
        |speed: &Signal| Signal::new(speed.name.replacen("speed", "displacement", 1), &format!("{} s", speed.unit));
    let displacements: Vec<_> = speeds.iter().map(displacement).collect();
    for (columns, matrix) in [&displacements, &speeds, &forces].into_iter().zip(&answer.matrices) {
        let entries = accelerations.iter().flat_map(|row| columns.iter().map(|column| row.per(column))).collect();
        if std::ptr::eq(columns, &displacements) {
            recorder.list(accelerations.clone(), &answer.accelerations);
        }
        recorder.list(entries, matrix);
    }
}
