//! The state that a command looks at, and what acts there.

use crate::status::Status;

use supple::{Inputs, State};
use supple_io::load::Loaded;
use supple_io::mesh::MeshFolders;
use supple_io::urdf::Root;
use supple_run::{Start, close_pose};

use crate::options::{AtOptions, FileOptions};
use crate::output::{UNSUPPORTED, fail, refuse};

/// A system in a state.
pub struct Operating {
    /// What the file describes.
    pub loaded: Loaded,
    /// Its name in messages.
    pub source: String,
    /// A model or robot undeformed and at rest at zero coordinates, a scenario at its start; then what `--at` says. Closures are closed.
    pub state: State,
    /// What the scenario does there.
    pub inputs: Inputs,
    /// The state before `--at`.
    before: State,
}

impl Operating {
    /// Reads a file and takes the state asked for, or says on standard error why that cannot be.
    pub fn read(file: &FileOptions, at: &AtOptions) -> Result<Self, Status> {
        Self::read_with_meshes(file, at, MeshFolders::default())
    }

    /// The same with meshes.
    pub fn read_with_meshes(file: &FileOptions, at: &AtOptions, meshes: MeshFolders) -> Result<Self, Status> {
        let loaded = file.load_with_meshes(Root::Fixed, meshes).map_err(|refusal| refuse(&refusal, &file.file))?;
        let source = file.file.display().to_string();
        let model = &loaded.model;
        let Start { state: before, inputs, .. } = match &loaded.scenario {
            Some(scenario) => Start::of(scenario).map_err(|error| fail(1, &source, &error))?,
            None => Start::undriven(model),
        };
        let mut out = Self { state: before.clone(), before, inputs, source, loaded };
        out.state = out.placed(at).map_err(|error| fail(error.status, &out.source, &error.told))?;
        Ok(out)
    }

    /// The state with what `at` says, its closures closed: hinges that are placed move last.
    pub fn placed(&self, at: &AtOptions) -> Result<State, CannotPlace> {
        let (model, mut state) = (&self.loaded.model, self.before.clone());
        let asked = |told| CannotPlace { status: UNSUPPORTED, told };
        let mut placed = at.apply(model, &mut state).map_err(asked)?;
        if let Some(scenario) = &self.loaded.scenario {
            placed.iter_mut().zip(&scenario.placed).for_each(|(placed, told)| *placed |= *told);
        }
        if state.closed.contains(&true) {
            let open = |error: supple::DynamicsError| CannotPlace { status: 1, told: error.to_string() };
            close_pose(model, &mut state, &self.inputs, &placed).map_err(open)?;
        }
        Ok(state)
    }
}

/// Why a state cannot be taken.
pub struct CannotPlace {
    /// Status that the command ends with.
    pub status: u8,
    /// What to say.
    pub told: String,
}
