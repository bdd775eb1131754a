//! Compiled code beside the engine that it was recorded from.

use super::clock::InstructionCounter;
use super::row::{Printer, Row};
use super::timing::{Effort, Timing, time};
use super::verb::{ScalarKind, Verb};
use std::hint::black_box;
use std::io;
use supple::{BodyIndex, Inputs, Model, State, assemble};
use supple_compile::native::{Build, Native};
use supple_compile::verb::{Differentiation, NodeName, Verb as Code};
use supple_compile::{Lanes, Recording, Reference};

/// States that calls cycle through.
const STATES: usize = 32;
/// What is compiled, by the name in rows.
const VARIANTS: [(&str, Option<Lanes>); 3] =
    [("compiled", None), ("compiled-x4", Some(Lanes::Four)), ("compiled-x8", Some(Lanes::Eight))];

/// What a verb is called where it becomes code, if it does.
fn code(verb: Verb, model: &Model) -> Option<Code> {
    Some(match verb {
        Verb::ForwardDynamics => Code::ForwardDynamics,
        Verb::InverseDynamics => Code::InverseDynamics,
        Verb::BiasForces => Code::BiasForces,
        Verb::HybridDynamics => {
            let every_other = model.body_indices().filter(|body| body.0 % 2 == 1);
            let names = every_other.filter_map(|body| model.hinge_name(model.hinge_of(body)?));
            Code::HybridDynamics { prescribed: names.map(Into::into).collect() }
        }
        Verb::MassMatrix => Code::MassMatrix,
        Verb::Energy => Code::Energy,
        Verb::ForwardDynamicsDerivatives => Code::Linearization(Differentiation::Fewest),
        Verb::NodeJacobian => {
            let body = BodyIndex(model.body_count().checked_sub(1)?);
            let node = model.node_name(model.nodes_of(body).last()?)?;
            Code::NodeJacobian(NodeName { body: model.name(body).into(), node: node.into() })
        }
        _ => return None,
    })
}

/// Rows of one system: the engine in double precision, then compiled code with its part of that time. The inner error says what is wrong.
pub fn time_compiled(
    (name, model): (&str, &Model),
    verbs: &[Verb],
    effort: Effort,
    mut counter: Option<&mut InstructionCounter>,
    printer: &mut Printer<'_>,
) -> io::Result<Result<(), String>> {
    for verb in verbs {
        let told = |what: String| format!("{name}: {}: {what}", verb.name());
        let Some(code) = code(*verb, model) else { return Ok(Err(told("does not become code".into()))) };
        let mut engine = None;
        ScalarKind::F64.time_all(model, &[*verb], effort, counter.as_deref_mut(), |_, timing| {
            engine = Some(timing);
            true
        });
        let engine = match engine {
            Some(Ok(timing)) => timing,
            Some(Err(error)) => return Ok(Err(told(error.to_string()))),
            None => continue,
        };
        let of_engine = engine.least_ns;
        printer.row(Row::new(name, verb.name(), "f64", engine))?;
        for (scalar, lanes) in VARIANTS {
            match time_code(model, &code, lanes, effort, counter.as_deref_mut()) {
                Ok(timing) => {
                    let row = Row::new(name, verb.name(), scalar, timing);
                    printer.row(Row { of_engine: Some(row.ns_per_call / of_engine), ..row })?;
                }
                Err(error) => return Ok(Err(told(error))),
            }
        }
    }
    Ok(Ok(()))
}

fn time_code(
    model: &Model,
    verb: &Code,
    lanes: Option<Lanes>,
    effort: Effort,
    counter: Option<&mut InstructionCounter>,
) -> Result<Timing, String> {
    let mut state = State::new(model);
    let closed = !model.closures().is_empty();
    if closed {
        assemble(model, &mut state, &Inputs::new(model)).map_err(|error| error.to_string())?;
    }
    let recording = Recording { model, state: closed.then_some(&state), verb, parameters: &[] };
    let program = recording.program().map_err(|error| error.to_string())?.scheduled();
    let reference = recording.reference(&program, STATES).map_err(|error| error.to_string())?;
    let native = Build { lanes, ..Build::default() }.native(&program).map_err(|error| error.to_string())?;
    agrees(&native, &reference)?;
    let count = lanes.map_or(1, |lanes| lanes.count());
    let points: Vec<Vec<f64>> = (0..STATES).map(|first| woven(&reference, first, count)).collect();
    let mut out = vec![0.0; native.outputs().len() * count];
    let mut status = vec![0; count];
    let timing = time(effort, counter, |i| {
        let point = &points[i % STATES];
        let _ = match lanes {
            None => black_box(native.run(point, black_box(&mut out))),
            Some(_) => black_box(native.run_lanes(point, black_box(&mut out), &mut status)),
        };
        Ok(())
    });
    timing.map(|timing| timing.per_instance(count)).map_err(|error| error.to_string())
}

/// What is timed is what the engine gives.
fn agrees(native: &Native, reference: &Reference) -> Result<(), String> {
    let mut out = vec![0.0; native.outputs().len()];
    for vector in &reference.vectors {
        native.run(&vector.inputs, &mut out).map_err(|error| error.to_string())?;
        let difference = reference.difference(&out, vector);
        if difference.is_nan() || difference > reference.allowed {
            return Err(format!("compiled code differs from the engine by {difference:.3e}"));
        }
    }
    Ok(())
}

/// Numbers of some vectors, those with the same place beside each other.
fn woven(reference: &Reference, first: usize, count: usize) -> Vec<f64> {
    let vectors: Vec<&[f64]> = (0..count).map(|k| &reference.vectors[(first + k) % STATES].inputs[..]).collect();
    (0..vectors[0].len()).flat_map(|i| vectors.iter().map(move |vector| vector[i])).collect()
}
