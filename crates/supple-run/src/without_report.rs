//! In the place of the motion and the page of a run where the library is built without them.

use std::path::{Path, PathBuf};

use supple::{DynamicsError, State};
use supple_io::scenario_file::Scenario;

use crate::Options;

/// No motion is recorded.
pub struct Film;

impl Film {
    pub fn new(_: &Path, _: &Options, _: &Scenario) -> Self {
        Self
    }

    pub fn restore(&mut self, _: &Path, _: u64) {}

    pub fn frame(&self) -> &[f32] {
        &[]
    }

    pub fn take(&mut self, _: &Scenario, _: &State, _: Option<&Path>) -> Result<(), DynamicsError> {
        Ok(())
    }

    pub fn finish(&mut self, _: &Scenario, _: &State) {}

    pub fn write(&mut self, _: &Path) -> Result<(), String> {
        Ok(())
    }
}

/// There is no page.
pub fn report(_: &Path) -> Result<PathBuf, String> {
    Err("the library was built without the feature `report`".to_owned())
}
