//! What of a model can become code.

use std::io::{self, Write};

use supple::Model;
use supple_compile::Parameter;
use supple_compile::verb::Verb;

/// Verbs with the hinges and nodes of the model, and its parameters with their values.
pub fn write(out: &mut dyn Write, model: &Model) -> io::Result<()> {
    writeln!(out, "verbs:")?;
    for verb in Verb::NAMES {
        writeln!(out, "  {verb}")?;
    }
    writeln!(out, "  {}    (of a scenario)", super::CONTROLLER)?;
    writeln!(out, "hinges that move:")?;
    for hinge in model.hinges().filter(|hinge| !hinge.speeds().is_empty()) {
        writeln!(out, "  {}", model.hinge_name(hinge).unwrap_or_default())?;
    }
    writeln!(out, "nodes:")?;
    for body in model.body_indices() {
        for name in model.nodes_of(body).filter_map(|node| model.node_name(node)) {
            writeln!(out, "  {}.{name}", model.name(body))?;
        }
    }
    writeln!(out, "parameters:")?;
    for parameter in Parameter::all(model) {
        // Those that a model does not have are not listed.
        if let Ok((signal, value)) = parameter.signal(model) {
            writeln!(out, "  {} = {value} [{}]", signal.name, signal.unit)?;
        }
    }
    Ok(())
}
