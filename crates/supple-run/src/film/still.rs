//! A system in a state, without a run, for its page and for pictures.

use supple::{BodyIndex, HingeKind, State};
use supple_io::load::Loaded;
use supple_io::model_file::hinge_words;
use supple_report::mode_shapes::{AnimationError, ShownModes};
use supple_report::{Origin, Run, Scene, still};

use super::modes;

/// What a file describes, in a state, as a run of one frame; with the modes of the whole system about it where they are asked for. Hinges that
/// no spring holds are locked there, as drives would lock them, unless they float or belong to closed chains.
///
/// # Errors
/// A state that cannot be placed.
pub fn pose(loaded: &Loaded, state: &State, origin: Origin, with_modes: bool) -> Result<Run, AnimationError> {
    let name = loaded.name.clone().unwrap_or_else(|| loaded.kind.to_owned());
    let elements = |k: usize| hinge_words(&loaded.system, BodyIndex(k)).into_iter().map(str::to_owned).collect();
    let scene = Scene::with_looks(&name, &loaded.system, &loaded.model, &elements, loaded.into());
    let held = |body: BodyIndex| {
        let words = hinge_words(&loaded.system, body);
        let sprung = words.contains(&"spring") || words.contains(&"coupling");
        let floats = loaded.system.bodies[body.0].hinge.kind == HingeKind::Free;
        !sprung && !floats && loaded.system.closures.is_empty()
    };
    let about = || modes::about((&loaded.system, &loaded.model), state, &scene, &held);
    let modes = if with_modes { about() } else { ShownModes::default() };
    let mut run = still::still(scene, (&loaded.model, state), modes, origin)?;
    run.summary.warnings.extend(loaded.notes.iter().map(|note| note.brief.clone()));
    Ok(run)
}
