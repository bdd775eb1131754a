//! The response of linear models in time against that of the system itself: they differ by the square of the amplitude, or less.

use crate::four_bar::linkage;
use crate::support::{hinge, lump, slender};
use faer::Mat;
use faer::linalg::solvers::SolveLstsq;
use supple::force::{ForceElement, HingeSpring, Port};
use supple::integrate::{Scheme, Simulation, Tolerance};
use supple::{
    Body, Closure, ClosureKind, HingeKind, Inputs, Model, ModelBuilder, Mount, Node, NodeIndex, Parent, State,
    Workspace,
};
use supple_bodies::beam::{ModalBeam, ModeCounts};
use supple_linear::{Matrix, Selection, equilibrium, linearize, lock, second_order};

/// `exp(A t)` by a series after halving.
fn exponential(a: &Matrix, t: f64) -> Mat<f64> {
    let n = a.rows();
    let size = a.as_slice().iter().fold(0.0_f64, |m, x| m.max(x.abs())) * t * n as f64;
    let halvings = size.log2().ceil().max(0.0) as i32 + 4;
    let scaled = Mat::from_fn(n, n, |i, j| a[(i, j)] * t * 0.5_f64.powi(halvings));
    let mut sum = Mat::<f64>::identity(n, n);
    let mut term = sum.clone();
    for k in 1..16 {
        term = &term * &scaled * faer::Scale(1.0 / f64::from(k));
        sum += &term;
    }
    (0..halvings).fold(sum, |x, _| &x * &x)
}

/// A state displaced by `z` along the independent coordinates and with their speeds changed by `w`, closed.
fn disturbed(model: &Model, trim: &State, inputs: &Inputs, z: &[f64], w: &[f64]) -> State {
    let linear = second_order(model, trim, inputs).unwrap();
    let n = model.speed_count();
    let along =
        |x: &[f64]| -> Vec<f64> { (0..n).map(|i| (0..x.len()).map(|j| linear.motion[(i, j)] * x[j]).sum()).collect() };
    let mut state = trim.clone();
    state.displace(model, &along(z));
    if model.equation_count() > 0 {
        let speeds = state.speeds.clone();
        supple::assemble(model, &mut state, inputs).unwrap();
        state.speeds = speeds;
    }
    linear.speeds.iter().zip(w).for_each(|(i, w)| state.speeds[*i] += w);
    // The others follow from the closures.
    let held = |i: &usize| {
        let mut hinges = model.hinges().zip(&inputs.prescribed);
        hinges.any(|(hinge, flag)| *flag && hinge.speeds().contains(i))
    };
    let others: Vec<usize> = (0..n).filter(|i| !linear.speeds.contains(i) && !held(i)).collect();
    if !others.is_empty() {
        let mut jacobian = vec![0.0; model.equation_count() * n];
        supple::closure_jacobian(model, &state, &mut Workspace::new(model), &mut jacobian).unwrap();
        let m = model.equation_count();
        let left = Mat::from_fn(m, others.len(), |i, j| jacobian[i * n + others[j]]);
        let right = Mat::from_fn(m, 1, |i, _| {
            -(0..n).filter(|j| !others.contains(j)).map(|j| jacobian[i * n + j] * state.speeds[j]).sum::<f64>()
        });
        let answer = left.qr().solve_lstsq(&right);
        others.iter().enumerate().for_each(|(k, i)| state.speeds[*i] = answer[(k, 0)]);
    }
    state
}

/// Greatest difference of linear and nonlinear coordinates after `time`, for disturbances of sizes that halve, and the powers by which it falls.
fn powers(model: &Model, trim: &State, inputs: &Inputs, time: f64, first: f64) -> Vec<f64> {
    let names: Vec<String> = model.variables().into_iter().map(|v| v.name).collect();
    let is_coordinate = |name: &&String| name.starts_with("hinge.") || name.starts_with("mode.");
    let outputs: Vec<String> = names.iter().filter(is_coordinate).cloned().collect();
    let linear = linearize(model, trim, inputs, &Selection::new(Vec::<String>::new(), outputs.clone())).unwrap();
    let place: Vec<usize> =
        outputs.iter().map(|name| model.variables().into_iter().find(|v| v.name == *name).unwrap().index).collect();
    let n = linear.states.len() / 2;
    let pattern = |i: usize| 0.3 + 0.7 * ((i * i + 1) as f64).sin();
    let reach: Vec<f64> = (0..n).map(|i| if linear.states[i].name.starts_with("mode") { 0.2 } else { 1.0 }).collect();
    let answer = exponential(&linear.a, time);
    let differences: Vec<f64> = (0..5)
        .map(|k| {
            let size = first * 0.5_f64.powi(k);
            let z: Vec<f64> = (0..n).map(|i| size * reach[i] * pattern(i)).collect();
            let w: Vec<f64> = (0..n).map(|i| size * reach[i] * pattern(i + 7)).collect();
            let state = disturbed(model, trim, inputs, &z, &w);
            let given = inputs.clone();
            let drive = move |_: &State, to: &mut Inputs| {
                to.forces.copy_from_slice(&given.forces);
                to.accelerations.fill(0.0);
            };
            let tolerance = Tolerance { relative: 1e-12, absolute: 1e-14 };
            let mut run = Simulation::new(model, state, drive, Scheme::PrinceDormand8, tolerance).unwrap();
            run.prescribe(&inputs.prescribed).unwrap();
            run.advance(time).unwrap();
            let x = Mat::from_fn(2 * n, 1, |i, _| if i < n { z[i] } else { w[i - n] });
            let x = &answer * x;
            let deviation = |row: usize| -> f64 {
                let linear = (0..2 * n).map(|j| linear.c[(row, j)] * x[(j, 0)]).sum::<f64>();
                let drift = trim_motion(model, trim, place[row], time);
                run.state().coordinates[place[row]] - trim.coordinates[place[row]] - drift - linear
            };
            (0..place.len()).map(|row| deviation(row).abs()).fold(0.0, f64::max)
        })
        .collect();
    println!("{differences:?}");
    differences.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}

/// How far a hinge that turns steadily has come.
fn trim_motion(model: &Model, trim: &State, coordinate: usize, time: f64) -> f64 {
    let one = |hinge: &supple::HingeHandle| hinge.coordinates() == (coordinate..coordinate + 1);
    model.hinges().find(one).map_or(0.0, |hinge| time * trim.speeds[hinge.speeds().start])
}

#[track_caller]
fn assert_second_order(powers: &[f64]) {
    assert!(powers.iter().all(|power| *power > 1.97), "{powers:?}");
}

/// A flexible link hangs from a ball joint and carries another on a hinge.
#[test]
fn hanging_arm() {
    let link = ModalBeam::cantilever(
        1.0,
        slender(0.5, 4.0),
        ModeCounts { bending_y: 2, bending_z: 2, ..ModeCounts::default() },
    );
    let mut builder = ModelBuilder::new();
    builder.gravity([9.81, 0.0, 0.0]);
    let upper = builder.body(link.body("upper", Parent::Ground, hinge("shoulder", HingeKind::Spherical)));
    let at_tip = Parent::Body(upper, link.tip_node());
    let lower = builder.body(link.body("lower", at_tip, hinge("elbow", HingeKind::Revolute { axis: [0.0, 0.0, 1.0] })));
    builder.force(ForceElement::new(HingeSpring { stiffness: 3.0, rest: 0.6 }, [Port::hinge(lower)]));
    let model = builder.build().unwrap();
    let inputs = Inputs::new(&model);
    let trim = equilibrium(&model, &State::new(&model), &inputs).unwrap();
    assert!(trim.stable && trim.residual < 1e-10);
    assert_second_order(&powers(&model, &trim.state, &inputs, 0.7, 0.002));
}

#[test]
fn closed_linkage() {
    let (_, model, start) = linkage([0.0, -9.81, 0.0]);
    let inputs = Inputs::new(&model);
    let trim = equilibrium(&model, &start, &inputs).unwrap();
    assert!(trim.stable && trim.residual < 1e-10);
    assert_second_order(&powers(&model, &trim.state, &inputs, 0.3, 0.002));
}

/// A rotor whose blade flaps and lags, with a tip that is off its axis: it stands bent.
fn rotor() -> (Model, State, Inputs) {
    let mut blade = ModalBeam::cantilever(
        2.0,
        slender(0.8, 30.0),
        ModeCounts { bending_y: 2, bending_z: 2, ..ModeCounts::default() },
    );
    blade.tip = supple_bodies::beam::Fitting {
        mass: 0.2,
        mass_centre: [0.02, 0.05, 0.08],
        inertia: [[0.002, 0.0, 0.0], [0.0, 0.002, 0.0], [0.0, 0.0, 0.002]],
    };
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let axis = [0.0, 0.0, 1.0];
    let mut hub = lump("hub", Parent::Ground, hinge("spin", HingeKind::Revolute { axis }), 1.0, 0.1);
    hub.nodes.push(Node { position: [0.3, 0.0, 0.0], ..Node::default() });
    let node = NodeIndex(hub.nodes.len() - 1);
    let hub = builder.body(hub);
    builder.body(blade.body(
        "blade",
        Parent::Body(hub, node),
        hinge("flap", HingeKind::Revolute { axis: [0.0, 1.0, 0.0] }),
    ));
    spun(builder, 6.0)
}

/// A model with its hinge `spin` at a steady rate.
fn spun(builder: ModelBuilder, rate: f64) -> (Model, State, Inputs) {
    let model = builder.build().unwrap();
    let mut inputs = Inputs::new(&model);
    lock(&model, &mut inputs, &["spin"]).unwrap();
    let mut start = State::new(&model);
    start.set_speed(model.hinge("spin").unwrap(), rate).unwrap();
    let trim = equilibrium(&model, &start, &inputs).unwrap();
    assert!(trim.residual < 1e-10, "{}", trim.residual);
    (model, trim.state, inputs)
}

#[test]
fn spinning_blade() {
    let (model, trim, inputs) = rotor();
    assert!(trim.coordinates.iter().any(|x| x.abs() > 1e-2));
    assert_second_order(&powers(&model, &trim, &inputs, 0.5, 0.01));
    // With the spin free, the hub takes part.
    assert_second_order(&powers(&model, &trim, &Inputs::new(&model), 0.5, 0.01));
}

/// Two arms on a hub that turns, a rod of fixed length between their ends: a loop about a spinning state.
#[test]
fn spinning_loop() {
    let mut builder = ModelBuilder::new();
    let axis = [0.0, 0.0, 1.0];
    let mut hub = lump("hub", Parent::Ground, hinge("spin", HingeKind::Revolute { axis }), 1.0, 0.3);
    let nodes = [[0.3, 0.2, 0.0], [0.3, -0.25, 0.1]].map(|position| {
        hub.nodes.push(Node { position, ..Node::default() });
        NodeIndex(hub.nodes.len() - 1)
    });
    let hub = builder.body(hub);
    let arms =
        [("left", [0.1, 0.2, 1.0]), ("right", [0.0, -0.3, 1.0])].iter().zip(nodes).map(|((name, axis), node)| {
            let joint = hinge(name, HingeKind::Universal { axes: [*axis, [0.0, 1.0, 0.0]] });
            let inertia = [[0.01, 0.0, 0.0], [0.0, 0.12, 0.0], [0.0, 0.0, 0.13]];
            let mut arm = Body::rigid(*name, Parent::Body(hub, node), joint, 0.9, [0.3, 0.02, 0.0], inertia);
            arm.nodes.push(Node { position: [0.7, 0.0, 0.0], ..Node::default() });
            let tip = NodeIndex(arm.nodes.len() - 1);
            let arm = builder.body(arm);
            for speed in 0..2 {
                let rest = 0.2 - 0.3 * speed as f64;
                builder
                    .force(ForceElement::new(HingeSpring { stiffness: 9.0, rest }, [Port::Hinge { body: arm, speed }]));
            }
            Mount::node(arm, tip)
        });
    let arms: Vec<Mount> = arms.collect();
    builder.closure(Closure::joint(ClosureKind::Distance { length: 0.55 }, arms[0], arms[1]).named("rod"));
    let (model, trim, inputs) = spun(builder, 4.0);
    assert_second_order(&powers(&model, &trim, &inputs, 0.5, 0.02));
    assert_second_order(&powers(&model, &trim, &Inputs::new(&model), 0.5, 0.02));
}
