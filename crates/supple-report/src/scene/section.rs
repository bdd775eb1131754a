//! How thick a body on a line is along it: the cross-sections of its beam.

use serde::{Deserialize, Serialize};
use supple::Node;
use supple_bodies::section::Section;
use supple_io::model_file::BeamLine;

use crate::numbers::Singles;

/// Numbers per node.
const NUMBERS: usize = 3;

/// Cross-sections along a line of nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineSection {
    /// Round, or with four corners.
    pub round: bool,
    /// Its y and z axes in the body frame, without twist.
    pub across: [[f64; 3]; 2],
    /// Per node of the line: half its size along y and along z, and its rotation about the line, rad. The size is zero where there is no beam.
    pub sizes: Singles,
}

impl LineSection {
    /// Of nodes in their order along a line. None where the section is not known.
    pub(super) fn of(nodes: &[&Node], beam: &BeamLine) -> Option<Self> {
        let axis = |j: usize| std::array::from_fn(|i| beam.axes[i][j]);
        let (along, room): ([f64; 3], f64) = (axis(0), 1e-9 * beam.length);
        let (first, _) = beam.section_at(0.0)?;
        let mut sizes = Vec::with_capacity(NUMBERS * nodes.len());
        for node in nodes {
            let x: f64 = (0..3).map(|i| (node.position[i] - beam.start[i]) * along[i]).sum();
            if x < -room || x > beam.length + room {
                sizes.extend([0.0; NUMBERS]);
                continue;
            }
            let (section, twist) = beam.section_at(x.clamp(0.0, beam.length))?;
            let [y, z] = half(&section);
            sizes.extend([y as f32, z as f32, twist as f32]);
        }
        Some(Self { round: matches!(first, Section::Tube { .. }), across: [axis(1), axis(2)], sizes: Singles(sizes) })
    }

    /// Half its sizes along y and z and its rotation between two nodes of the line, at a part of the way; none where there is no beam.
    pub fn between(&self, k: usize, part: f64) -> Option<[f64; NUMBERS]> {
        let at = |n: usize, i: usize| f64::from(self.sizes.0[NUMBERS * n + i]);
        let is_there = at(k, 0) > 0.0 && at(k + 1, 0) > 0.0;
        is_there.then(|| std::array::from_fn(|i| (1.0 - part) * at(k, i) + part * at(k + 1, i)))
    }

    /// Whether it fits a line of so many nodes.
    pub(crate) fn is_sound(&self, line: usize) -> bool {
        self.sizes.0.len() == NUMBERS * line
    }
}

fn half(section: &Section) -> [f64; 2] {
    match *section {
        Section::Tube { outer, .. } => [outer; 2],
        Section::Box { width, height, .. } | Section::Rectangle { width, height } => [0.5 * width, 0.5 * height],
    }
}
