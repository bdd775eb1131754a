//! A system in one state that was not run, as a run of one frame.

use supple::{Model, State};
use supple_io::results::{Column, IntegratorSummary, Outcome, ResultsError, Summary, Table};

use crate::columns::ColumnRecorder;
use crate::mode_shapes::{AnimationError, ShownModes};
use crate::motion::MotionRecorder;
use crate::recording::{Origin, Recording};
use crate::report::Run;
use crate::scene::Scene;

/// A run whose only frame is a state; with modes of the whole system about it to show.
///
/// # Errors
/// A state that cannot be placed.
pub fn still(
    scene: Scene,
    (model, state): (&Model, &State),
    shown: ShownModes,
    origin: Origin,
) -> Result<Run, AnimationError> {
    let columns = [Column::new("time", "s", "time of the state")];
    let mut summary = summary("no run", &scene, model, &columns)?;
    (summary.start_time, summary.end_time) = (state.time, state.time);
    let (mut recorder, mut rows) = (MotionRecorder::new(&scene, model), ColumnRecorder::new(&columns));
    recorder.take(&scene, model, state)?;
    rows.take(&[state.time]);
    let label = scene.name.clone();
    let ShownModes { modes, about: modes_about } = shown;
    let recording = Recording { modes, modes_about, ..Recording::new(scene, recorder.motion().clone(), origin) };
    Ok(Run { label, summary, recording, table: rows.columns() })
}

/// The summary of something that no integrator made.
pub(crate) fn summary(what: &str, scene: &Scene, model: &Model, columns: &[Column]) -> Result<Summary, ResultsError> {
    let table = Table::new(&scene.name, columns.to_vec())?;
    let integrator =
        IntegratorSummary { name: "none".into(), relative_tolerance: None, absolute_tolerance: None, step: None };
    let mut summary = Summary::new(what, &table, integrator);
    summary.set_physics(model);
    summary.outcome = Outcome::Finished;
    Ok(summary)
}
