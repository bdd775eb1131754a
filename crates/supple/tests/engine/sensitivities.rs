//! Derivatives of motions by parameters, against differences of motions.

use supple::integrate::{Response, Scheme, Sensitivities, Simulation, Tolerance, Variation};
use supple::model::System;
use supple::testkit::{Prepared, RandomOptions, RandomState, random_system};
use supple::{HingeKind, Inputs, ModalMatrix, Model, State, Workspace, kinematics};

const END: f64 = 0.3;
const TIGHT: Tolerance = Tolerance { relative: 1e-11, absolute: 1e-12 };

/// The system with masses and stiffnesses of the last body times `1 + x`, its hinge moved by `x`, and gravity times `1 + x`.
fn changed(system: &System, x: f64) -> System {
    let mut system = system.clone();
    let k = system.bodies.len() - 1;
    let body = &mut system.bodies[k];
    for node in &mut body.nodes {
        node.mass *= 1.0 + x;
        node.inertia.iter_mut().flatten().for_each(|j| *j *= 1.0 + x);
    }
    match &mut body.modes.stiffness {
        ModalMatrix::Zero => {}
        ModalMatrix::Diagonal(list) => list.iter_mut().for_each(|k| *k *= 1.0 + x),
        ModalMatrix::Full(rows) => rows.iter_mut().flatten().for_each(|k| *k *= 1.0 + x),
    }
    body.hinge.position[1] += 0.3 * x;
    system.gravity.iter_mut().for_each(|g| *g *= 1.0 + x);
    system
}

/// What acts: forces that change with time and with the parameter.
fn drive(inputs: &Inputs, x: f64) -> impl FnMut(&State, &mut Inputs) + Send + use<> {
    let all = inputs.clone();
    move |state: &State, out: &mut Inputs| {
        let wave = (1.0 + x) * (3.0 * state.time).cos();
        out.forces.iter_mut().zip(&all.forces).for_each(|(to, from)| *to = wave * from);
        out.accelerations.iter_mut().zip(&all.accelerations).for_each(|(to, from)| *to = wave * from);
        out.wrenches.clone_from(&all.wrenches);
    }
}

/// Its derivative by the parameter.
fn drive_change(inputs: &Inputs) -> impl FnMut(&State, &mut Inputs) + Send + use<> {
    let all = inputs.clone();
    move |state: &State, out: &mut Inputs| {
        let wave = (3.0 * state.time).cos();
        out.forces.iter_mut().zip(&all.forces).for_each(|(to, from)| *to = wave * from);
        out.accelerations.iter_mut().zip(&all.accelerations).for_each(|(to, from)| *to = wave * from);
    }
}

/// A start that moves with the parameter: the first hinge speed by twice as much.
fn start(at: &Prepared, x: f64) -> State {
    let mut state = at.state.clone();
    if let Some(speed) = state.speeds.last_mut() {
        *speed += 2.0 * x;
    }
    state
}

/// The motion at the end with the parameter at `x`: numbers of the state, then positions of all nodes and forces of drives.
fn end(system: &System, random: &RandomState, flags: &[bool], x: f64) -> Option<Vec<f64>> {
    let at = Prepared::new(&changed(system, x), random);
    let mut run =
        Simulation::new(&at.model, start(&at, x), drive(&at.inputs, x), Scheme::PrinceDormand8, TIGHT).ok()?;
    run.prescribe(flags).ok()?;
    run.advance(END).ok()?;
    let mut out = run.state().coordinates.clone();
    out.extend(run.state().attitudes.iter().flat_map(|q| q.0));
    out.extend_from_slice(&run.state().speeds);
    let forces = run.dynamics().ok()?.1.to_vec();
    let state = run.state().clone();
    let mut workspace = Workspace::new(&at.model);
    let motion = kinematics(&at.model, &state, &mut workspace).ok()?;
    for body in at.model.body_indices() {
        for node in at.model.nodes_of(body) {
            out.extend(motion.node_position(body, node.node()).0);
        }
    }
    out.extend(forces);
    Some(out)
}

/// The same as a list of responses: positions of nodes, then forces.
fn responses(model: &Model) -> Vec<Response> {
    let mut list = Vec::new();
    for node in model.body_indices().flat_map(|body| model.nodes_of(body)) {
        for (index, _) in ["x", "y", "z"].iter().enumerate() {
            let variable = &model.node_variables(node)[index];
            list.extend(Response::find(model, &variable.name));
        }
    }
    list.extend((0..model.speed_count()).map(Response::DriveForce));
    list
}

/// Worst difference from central differences, relative to the greatest number.
fn worst(seed: u64, options: &RandomOptions, scheme: (Scheme, Tolerance)) -> Option<f64> {
    let (system, random) = random_system(seed, options);
    let at = Prepared::new(&system, &random);
    let flags: Vec<bool> = (system.bodies.iter().enumerate())
        .map(|(k, body)| k % 3 == 1 && !matches!(body.hinge.kind, HingeKind::Fixed))
        .collect();
    let step = 1e-4;
    let far = |h: f64| -> Option<Vec<f64>> {
        let (ahead, behind) = (end(&system, &random, &flags, h)?, end(&system, &random, &flags, -h)?);
        Some(ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * h)).collect())
    };
    let (coarse, fine) = (far(2.0 * step)?, far(step)?);
    let expected: Vec<f64> = coarse.iter().zip(&fine).map(|(c, f)| (4.0 * f - c) / 3.0).collect();
    let [ahead, behind] = [step, -step].map(|x| Model::build(&changed(&system, x)).unwrap());
    let none = Variation::none(&at.model);
    let mut from = none.start.clone();
    if let Some(speed) = from.speeds.last_mut() {
        *speed = 2.0;
    }
    let weights = [0.0, 0.5 / step, -0.5 / step];
    let model = Model::varied([&at.model, &ahead, &behind], weights).ok()?;
    let variation = Variation { model, start: from, drive: Some(Box::new(drive_change(&at.inputs))) };
    let mut run =
        Sensitivities::new(&at.model, at.state.clone(), drive(&at.inputs, 0.0), vec![variation], scheme).ok()?;
    run.prescribe(&flags).ok()?;
    run.advance(END).ok()?;
    let mut found = run.derivative(0).coordinates.clone();
    found.extend(run.derivative(0).attitudes.iter().flat_map(|q| q.0));
    found.extend_from_slice(&run.derivative(0).speeds);
    let responses = responses(&at.model);
    let (mut values, mut derivatives) = (vec![0.0; responses.len()], vec![0.0; responses.len()]);
    run.read(&responses, &mut values, &mut derivatives).ok()?;
    found.extend(derivatives);
    assert_eq!(found.len(), expected.len(), "{seed}");
    let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    Some(found.iter().zip(&expected).fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs() / size)))
}

/// Random trees with modes, force elements, prescribed hinges, a model, a start and drives that move with the parameter.
#[test]
fn derivatives_of_motions_are_limits_of_differences() {
    let mut compared = 0;
    for seed in 0..30 {
        let options = RandomOptions { bodies: 1..=4, modes: 3, elements: seed % 2 == 0, ..RandomOptions::default() };
        let Some(worst) = worst(seed, &options, (Scheme::PrinceDormand8, TIGHT)) else { continue };
        assert!(worst < 2e-6, "{seed}: {worst:e}");
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}

/// Implicit and exponential schemes, whose frozen matrices each derivative takes as well.
#[test]
fn all_schemes_agree() {
    let options = RandomOptions { bodies: 2..=3, modes: 2, ..RandomOptions::default() };
    let moderate = Tolerance { relative: 1e-9, absolute: 1e-10 };
    for scheme in [
        Scheme::Automatic,
        Scheme::DormandPrince,
        Scheme::LinearlyImplicit,
        Scheme::Exponential,
        Scheme::ExponentialAdams,
        Scheme::Adams,
        Scheme::Bdf,
    ] {
        let mut compared = 0;
        for seed in 40..44 {
            let Some(worst) = worst(seed, &options, (scheme, moderate)) else { continue };
            assert!(worst < 2e-5, "{scheme:?} {seed}: {worst:e}");
            compared += 1;
        }
        assert!(compared > 2, "{scheme:?}");
    }
}
