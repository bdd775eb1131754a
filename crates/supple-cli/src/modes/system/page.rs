//! System modes as a page with animated shapes.

use supple::{BodyIndex, Model, State};
use supple_io::load::Loaded;
use supple_io::model_file::hinge_words;
use supple_linear::{Complex, SystemMode, SystemModes};
use supple_report::mode_shapes::{AnimationError, ModeShape, animation};
use supple_report::{Origin, OriginFile, Scene, page};

/// The page.
pub fn html(source: &str, loaded: &Loaded, state: &State, found: &SystemModes) -> Result<String, AnimationError> {
    let model: &Model = &loaded.model;
    let name = loaded.name.clone().unwrap_or_else(|| source.to_owned());
    let elements = |k: usize| hinge_words(&loaded.system, BodyIndex(k)).into_iter().map(str::to_owned).collect();
    let scene = Scene::with_looks(&name, &loaded.system, model, &elements, loaded.into());
    let modes: Vec<ModeShape> = found.modes.iter().map(shape).collect();
    let command = format!("supple modes {source} --system --format html");
    let origin = Origin { command, files: vec![OriginFile::new(source, source.as_ref())] };
    Ok(page::of_run(&animation(scene, (model, state), &modes, origin)?))
}

fn shape(mode: &SystemMode) -> ModeShape {
    let reach = mode.node_shapes.iter().flatten().map(|x| x.abs()).fold(0.0, f64::max);
    let pair = |x: &Complex| [x.re, x.im];
    ModeShape {
        frequency: mode.frequency,
        damping_ratio: mode.damping_ratio,
        shape: mode.shape.iter().map(pair).collect(),
        reach,
    }
}
