//! System modes as a page with animated shapes.

use supple::{BodyIndex, DynamicsError, Model, State};
use supple_io::load::Loaded;
use supple_io::model_file::hinge_words;
use supple_linear::{SystemMode, SystemModes};
use supple_report::mode_shapes::{AnimationError, ModeShape, animation};
use supple_report::{MotionRecorder, Origin, OriginFile, Scene, page};

/// What a file looks like.
pub fn scene(source: &str, loaded: &Loaded) -> Scene {
    let name = loaded.name.clone().unwrap_or_else(|| source.to_owned());
    let elements = |k: usize| hinge_words(&loaded.system, BodyIndex(k)).into_iter().map(str::to_owned).collect();
    Scene::with_looks(&name, &loaded.system, &loaded.model, &elements, loaded.into())
}

/// The page.
pub fn html(source: &str, loaded: &Loaded, state: &State, found: &SystemModes) -> Result<String, AnimationError> {
    let (model, scene): (&Model, Scene) = (&loaded.model, scene(source, loaded));
    let modes: Vec<ModeShape> = found.modes.iter().map(shape).collect();
    let command = format!("supple modes {source} --system --format html");
    let origin = Origin { command, files: vec![OriginFile::new(source, source.as_ref())] };
    Ok(page::of_run(&animation(scene, (model, state), &modes, origin)?))
}

/// The frame of a state.
pub fn at_rest(scene: &Scene, (model, state): (&Model, &State)) -> Result<Vec<f32>, DynamicsError> {
    let mut recorder = MotionRecorder::new(scene, model);
    recorder.take(scene, model, state)?;
    Ok(recorder.frame().to_vec())
}

/// A mode as it is shown.
pub fn shape(mode: &SystemMode) -> ModeShape {
    let (speeds, nodes) = (mode.shape.iter().map(|x| [x.re, x.im]), mode.node_shapes.iter());
    ModeShape::new([mode.frequency, mode.damping_ratio], speeds.collect(), nodes.map(|u| u.map(|x| x.abs())))
}
