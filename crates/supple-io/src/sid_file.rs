//! Standard input data (SID) of a flexible body as a model of its own.

use std::path::Path;

use supple::{Body, BuildError, Fidelity, Hinge, HingeKind, Model, Parent, System};
use supple_bodies::sid::{Sid, SidBodyError};

use crate::model_file::{ModelFile, Units, open, standard_input};
use crate::source::folder::Files;
use crate::source::{FileError, Report, Rule, Source};

/// A model of one body, and what it does not keep of its data.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SidModel {
    /// The body on the ground, without gravity; the name is the title of the data.
    pub file: ModelFile,
    /// What is left out, in words.
    pub losses: Vec<String>,
}

/// Reads a file of standard input data as a body on the ground, held by a hinge at its first node.
///
/// # Errors
/// [`FileError`] with what is wrong.
pub fn read(path: &Path, hinge: HingeKind) -> Result<SidModel, FileError> {
    let name = path.to_string_lossy();
    let mut report = Report::default();
    let source = open(path, &name, &Files::default(), &mut report);
    let nothing = Source::nothing(&name);
    let Some(source) = source else { return report.finish(&nothing, None) };
    let model = model(&source, hinge, &mut report);
    report.finish(&source, model)
}

fn model(source: &Source, hinge: HingeKind, report: &mut Report) -> Option<SidModel> {
    let sid = standard_input::parse(source, report)?;
    let mut losses = losses(&sid);
    let name = Some(sid.name.trim()).filter(|name| !name.is_empty()).unwrap_or("body");
    let parts = match standard_input::parts(&sid, None) {
        Err(SidBodyError::Stiffening(error)) => {
            losses.push(format!("the geometric stiffness is not converted: {error}"));
            standard_input::parts(&sid, Some(Fidelity::Exact))
        }
        parts => parts,
    };
    let parts = match parts {
        Ok(parts) => parts,
        Err(error) => {
            let span = standard_input::span(&source.text, &error).unwrap_or(0..0);
            report.add(source, span, Rule::StandardInputBody(error));
            return None;
        }
    };
    let body = Body {
        nodes: parts.nodes,
        modes: parts.modes,
        modal_inertia: parts.modal_inertia,
        ..Body::new(name, Parent::Ground, Hinge::new(hinge))
    };
    let system = System { bodies: vec![body], ..System::default() };
    let model = Model::build(&system).map_err(|error: BuildError| {
        for problem in error.problems() {
            report.add(source, 0..0, Rule::Model(problem.clone()));
        }
    });
    let title = Some(sid.title).filter(|title| !title.is_empty());
    Some(SidModel {
        file: ModelFile {
            name: title,
            system,
            beams: Vec::new(),
            model: model.ok()?,
            damping: None,
            units: Units::default(),
            visuals: Vec::new(),
            notes: Vec::new(),
        },
        losses,
    })
}

fn losses(sid: &Sid) -> Vec<String> {
    let mut losses = Vec::new();
    let identity = |i: usize| f64::from(i / 3 == i % 3);
    let turned = sid.nodes.iter().filter(|node| (0..9).any(|i| node.axes.at(i / 3, i % 3) != identity(i))).count();
    if turned > 0 {
        losses.push(format!("the axes of {turned} nodes are not converted: nodes have the axes of the body frame"));
    }
    let stressed = sid.nodes.iter().filter(|node| node.stress.is_some()).count();
    if stressed > 0 {
        losses.push(format!("the stresses of {stressed} nodes are not converted"));
    }
    if let Some(first) = sid.nodes.first().filter(|_| sid.nodes.len() > 1) {
        losses.push(format!("the hinge is at the first node, number {}", first.number));
    }
    losses
}
