//! Arms to be controlled.

use supple::{Hinge, HingeKind, Model, ModelBuilder, Parent, State};
use supple_bodies::beam::{ModalBeam, ModeCounts};
use supple_bodies::section::{BeamProperties, Material, Section};
use supple_control::block::{HingePlace, PlantModel, Setting};

/// A link of aluminium with some modes.
pub fn link(modes: usize) -> ModalBeam {
    let aluminium = Material { young: 7e10, poisson: 0.33, density: 2700.0 };
    let strip = BeamProperties::new(Section::Rectangle { width: 0.01, height: 0.1 }, aluminium);
    ModalBeam::cantilever(1.0, strip, ModeCounts { bending_y: modes, ..ModeCounts::default() })
}

/// Two of them in a vertical plane.
pub fn arm(modes: usize) -> Model {
    let link = link(modes);
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, -9.81, 0.0]);
    let upper = builder.body(link.body("upper", Parent::Ground, hinge.clone()));
    builder.body(link.body("lower", Parent::Body(upper, link.tip_node()), hinge));
    builder.build().unwrap()
}

/// A state of it, bent and moving.
pub fn moving(model: &Model) -> State {
    let mut state = State::new(model);
    for (i, x) in state.coordinates.iter_mut().enumerate() {
        *x = 0.02 * (1.0 + i as f64).sin();
    }
    for (i, v) in state.speeds.iter_mut().enumerate() {
        *v = 0.3 * (2.0 + i as f64).cos();
    }
    for body in model.body_indices() {
        state.coordinates[model.hinge_coordinates(body).start] = 0.4 + 0.5 * body.0 as f64;
    }
    state.turn_nodes(model);
    state
}

/// A setting with the arm as the controller's own model, and its two hinges.
pub fn plant_setting(modes: usize, period: f64) -> Setting {
    let model = arm(modes);
    let place = |body| [model.hinge_coordinates(body).start, model.hinge_speeds(body).start];
    let hinges = model.body_indices().map(|body| HingePlace { plant: place(body), own: place(body) }).collect();
    let node = model.body_indices().last().map(|body| (body, supple::NodeIndex(1)));
    let coordinates = (0..model.coordinate_count()).map(|i| [i, i]).collect();
    let speeds = (0..model.speed_count()).map(|i| [i, i]).collect();
    Setting { hinges, plant: Some(PlantModel { model, coordinates, speeds, node }), ..Setting::every(period) }
}
