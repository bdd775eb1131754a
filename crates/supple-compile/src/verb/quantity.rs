//! Mass matrix and energy.

use crate::program::Signal;
use crate::recorder::{RecordError, Recorder};
use supple::spatial::{Scalar, Traced};
use supple::{DenseWorkspace, Model, Workspace, generic};

pub(super) fn mass_matrix(model: &Model<Traced>, recorder: &mut Recorder<'_>) -> Result<(), RecordError> {
    let state = recorder.configuration(model);
    let mut matrix = vec![Traced::ZERO; model.speed_count() * model.speed_count()];
    generic::mass_matrix(model, &state, &mut Workspace::new(model), &mut DenseWorkspace::new(model), &mut matrix)?;
    let speeds = recorder.speeds();
    let entry = |row: &Signal, column: &Signal| Signal::new(format!("mass[{}, {}]", row.name, column.name), "J s²");
    let signals = speeds.iter().flat_map(|row| speeds.iter().map(move |column| entry(row, column))).collect();
    recorder.list(signals, &matrix);
    Ok(())
}

pub(super) fn energy(model: &Model<Traced>, recorder: &mut Recorder<'_>) -> Result<(), RecordError> {
    let state = recorder.motion(model);
    let energy = generic::energy(model, &state, &mut Workspace::new(model))?;
    let parts = [energy.kinetic, energy.elastic, energy.gravitational, energy.stored];
    let names = ["kinetic", "elastic", "gravitational", "stored"];
    recorder.list(names.map(|name| Signal::new(format!("energy.{name}"), "J")).into(), &parts);
    Ok(())
}
