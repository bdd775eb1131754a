//! How far the frames of a closure are apart.

use supple::model::VariableKind;
use supple::{
    Body, BodyIndex, Closure, ClosureKind, CoupledHinge, DynamicsError, Hinge, HingeKind, Inputs, Model, ModelBuilder,
    Mount, NodeIndex, Parent, State, Workspace, closure_separation,
};

/// A body that floats, welded to a point of the ground, and a slider with a coupling.
fn model() -> Model {
    let mut builder = ModelBuilder::new();
    let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    builder.body(Body::rigid("flyer", Parent::Ground, Hinge::new(HingeKind::Free), 1.0, [0.0; 3], inertia));
    let slider = Hinge::new(HingeKind::Prismatic { axis: [1.0, 0.0, 0.0] });
    builder.body(Body::rigid("slider", Parent::Ground, slider, 1.0, [0.0; 3], inertia));
    let weld =
        Closure::joint(ClosureKind::Weld, Mount::ground().at([1.0, 2.0, 3.0]), Mount::node(BodyIndex(0), NodeIndex(0)));
    builder.closure(weld.named("berth"));
    let hinge = CoupledHinge { body: BodyIndex(1), speed: 0, factor: 2.0 };
    builder.closure(Closure::coupling([hinge], 0.5).named("brake"));
    builder.build().unwrap()
}

#[test]
fn frames_are_as_far_apart_as_they_are_placed() {
    let model = model();
    let (inputs, mut workspace) = (Inputs::new(&model), Workspace::new(&model));
    let mut state = State::new(&model);
    let half: f64 = 0.35;
    // Turned by 0.7 rad about y, 2 m, 3 m and 6 m away, moving along its own z.
    state.coordinates[..7].copy_from_slice(&[0.0, half.sin(), 0.0, half.cos(), 3.0, 5.0, 9.0]);
    state.speeds[5] = 0.25;
    (state.coordinates[7], state.speeds[6]) = (0.1, -0.4);
    for closed in [true, false] {
        state.closed.fill(closed);
        let [berth, brake] = ["berth", "brake"].map(|name| {
            closure_separation(&model, &state, &inputs, model.closure(name).unwrap(), &mut workspace).unwrap()
        });
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-14 * (1.0 + b.abs()), "{a}, expected {b}");
        close(berth.distance, 7.0);
        close(berth.angle, 0.7);
        close(berth.deviation, 6.0);
        close(berth.speed, 0.25 * 0.7_f64.cos());
        assert_eq!([brake.distance, brake.angle], [0.0; 2]);
        close(brake.deviation, 0.3);
        close(brake.speed, 0.8);
    }
    let other = self::model().closure("berth").unwrap();
    let refused = closure_separation(&model, &state, &inputs, other, &mut workspace);
    assert!(matches!(refused, Err(DynamicsError::OtherModel { .. })), "{refused:?}");
}

/// Variables of closures by name, unit and place.
#[test]
fn closures_have_variables() {
    let variables = model().variables();
    let find = |name: &str| {
        let found = variables.iter().find(|v| v.name == name).unwrap_or_else(|| panic!("{name}"));
        (found.kind, found.index, found.unit)
    };
    assert_eq!(find("closure.brake.closed"), (VariableKind::ClosureState, 1, "1"));
    assert_eq!(find("closure.berth.distance"), (VariableKind::ClosureSeparation, 0, "m"));
    assert_eq!(find("closure.berth.angle"), (VariableKind::ClosureSeparation, 1, "rad"));
    assert_eq!(find("closure.berth.deviation.1"), (VariableKind::ClosureDeviation, 0, "rad"));
    assert_eq!(find("closure.berth.deviation.6"), (VariableKind::ClosureDeviation, 5, "m"));
    assert_eq!(find("closure.brake.deviation.1"), (VariableKind::ClosureDeviation, 6, "m"));
    assert_eq!(find("closure.berth.force.z"), (VariableKind::ClosureWrench, 5, "N"));
    assert_eq!(find("closure.brake.force"), (VariableKind::ClosureForce, 1, "N"));
    assert_eq!(find("dissipated.impacts"), (VariableKind::Energy, 10, "J"));
    assert!(!variables.iter().any(|v| v.name == "closure.brake.distance"));
}
