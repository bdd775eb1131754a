//! Batches of closed chains.

use crate::many::Rows;
use supple::batch::Batch;
use supple::integrate::{Scheme, Simulation, Stepping};
use supple::testkit::{Prepared, relative_difference};
use supple::{
    Body, BodyIndex, Closure, ClosureKind, Hinge, HingeKind, Inputs, Model, ModelBuilder, Mount, Node, NodeIndex,
    Parent, State, Workspace, assemble, closure_deviations,
};

/// A linkage of three bars in space, its last bearing a closure of which one equation depends on others.
fn linkage() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let mut parent = Parent::Ground;
    for (name, length, mass) in [("crank", 0.5, 0.3), ("coupler", 1.0, 0.5), ("rocker", 0.8, 0.4)] {
        let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
        let across = 0.4 * mass * length * length;
        let inertia = [[1e-3, 0.0, 0.0], [0.0, across, 0.0], [0.0, 0.0, across]];
        let node = Node { position: [length, 0.0, 0.0], ..Node::default() };
        let body = Body::rigid(name, parent, hinge, mass, [0.5 * length, 0.0, 0.0], inertia).with_node(node);
        parent = Parent::Body(builder.body(body), NodeIndex(1));
    }
    let bearing = Mount::ground().at([1.0, 0.0, 0.0]);
    builder.closure(Closure::joint(ClosureKind::Ball, bearing, Mount::node(BodyIndex(2), NodeIndex(1))));
    builder.build().unwrap()
}

/// Steps of a batch end on the closures, with the bits of an instance alone and the motion of a simulation.
#[test]
fn steps_stay_closed() {
    let model = linkage();
    let mut start = Rows::default();
    for i in 0..9 {
        let (mut state, mut inputs) = (State::new(&model), Inputs::new(&model));
        state.coordinates.copy_from_slice(&[-1.2 + 0.1 * f64::from(i), 1.0, 1.8]);
        state.speeds[0] = 0.2 * f64::from(i);
        inputs.prescribed[0] = true;
        assemble(&model, &mut state, &inputs).unwrap();
        start.push(&Prepared { model: model.clone(), state, inputs: Inputs::new(&model) });
    }
    let (h, count) = (2e-3, 150);
    let (mut rows, mut batch) = (start.clone(), Batch::new(&model, 2).unwrap());
    let mut singles: Vec<Rows> = (0..9).map(|i| start.only(&model, i)).collect();
    let mut alone = Batch::new(&model, 1).unwrap();
    for _ in 0..count {
        let (states, forces) = rows.step_in_place();
        batch.step(states, forces, h).unwrap();
        for one in &mut singles {
            let (states, forces) = one.step_in_place();
            alone.step(states, forces, h).unwrap();
        }
    }
    for (i, one) in singles.iter().enumerate() {
        assert_eq!(rows.only(&model, i).bits(), one.bits(), "instance {i}");
        let (mut open, mut fast) = (vec![0.0; 3], vec![0.0; 3]);
        let state = one.instance(&model, 0).state;
        let inputs = Inputs::new(&model);
        closure_deviations(&model, &state, &inputs, &mut Workspace::new(&model), &mut open, &mut fast).unwrap();
        let worst = open.iter().chain(&fast).fold(0.0_f64, |m, x| m.max(x.abs()));
        assert!(worst < 1e-12, "instance {i}: {worst:e}");
        let first = start.instance(&model, i).state;
        let free = |_: &State, _: &mut Inputs| {};
        let mut run = Simulation::new(&model, first, free, Scheme::RungeKutta4, Stepping::Fixed(h)).unwrap();
        run.advance(h * f64::from(count)).unwrap();
        let difference = relative_difference(&state.speeds, &run.state().speeds);
        assert!(difference < 1e-9, "instance {i}: {difference:e}");
    }
}
