//! Dynamics of trees and closed systems.

use crate::recorder::{RecordError, Recorder};
use supple::spatial::{Scalar, Traced};
use supple::{Inputs, Model, Terms, Workspace, generic};

pub(super) fn forward(model: &Model<Traced>, recorder: &mut Recorder<'_>) -> Result<(), RecordError> {
    let (state, inputs) = (recorder.motion(model), recorder.loads(model));
    let mut workspace = Workspace::new(model);
    let solution = generic::forward_dynamics(model, &state, &inputs, &mut workspace)?;
    recorder.list(recorder.accelerations(), solution.accelerations());
    Ok(())
}

pub(super) fn inverse(model: &Model<Traced>, recorder: &mut Recorder<'_>) -> Result<(), RecordError> {
    let (state, inputs) = (recorder.motion(model), recorder.wanted(model));
    let mut workspace = Workspace::new(model);
    let solution = generic::inverse_dynamics(model, &state, &inputs, &mut workspace)?;
    recorder.list(recorder.forces(), solution.forces());
    Ok(())
}

/// One number per speed goes in, the acceleration of a prescribed hinge or a force, and the other one comes out.
pub(super) fn hybrid(
    model: &Model<Traced>,
    prescribed: &[String],
    recorder: &mut Recorder<'_>,
) -> Result<(), RecordError> {
    let state = recorder.motion(model);
    let mut inputs = Inputs::new(model);
    let mut given = vec![false; model.speed_count()];
    for name in prescribed {
        let hinge = recorder.model.hinge(name)?;
        inputs.prescribed[hinge.body().0] = true;
        given[hinge.speeds()].fill(true);
    }
    let (forces, accelerations) = (recorder.forces(), recorder.accelerations());
    for (i, given) in given.iter().enumerate() {
        match given {
            true => inputs.accelerations[i] = recorder.input(accelerations[i].clone().given(), 0.0),
            false => inputs.forces[i] = recorder.input(forces[i].clone(), 0.0),
        }
    }
    recorder.motors(&mut inputs);
    let mut workspace = Workspace::new(model);
    let solution = generic::hybrid_dynamics(model, &state, &inputs, &mut workspace)?;
    for (i, given) in given.iter().enumerate() {
        match given {
            true => recorder.output(forces[i].clone().found(), solution.forces()[i]),
            false => recorder.output(accelerations[i].clone(), solution.accelerations()[i]),
        }
    }
    Ok(())
}

pub(super) fn bias(model: &Model<Traced>, terms: Terms, recorder: &mut Recorder<'_>) -> Result<(), RecordError> {
    let moves = terms.velocity || terms.elastic;
    let mut inputs = Inputs::new(model);
    let state = if moves { recorder.motion(model) } else { recorder.configuration(model) };
    if moves {
        recorder.motors(&mut inputs);
    }
    inputs.accelerations.fill(Traced::ZERO);
    let mut workspace = Workspace::new(model);
    let solution = generic::bias_forces(model, &state, &inputs, terms, &mut workspace)?;
    let signals = recorder.forces().into_iter().map(crate::program::Signal::found).collect();
    recorder.list(signals, solution.forces());
    Ok(())
}
