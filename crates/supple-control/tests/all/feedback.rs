//! Controllers that feed back what a node does: strain, acceleration, deformation; and inversion as a controller.

use supple::integrate::{Block, Blocks, Measured, Role, Sampled, Scheme, Simulation, Stepping, Tolerance};
use supple::{Hinge, HingeKind, Inputs, Model, ModelBuilder, Parent, State, Workspace, energy, kinematics};
use supple_control::block::{HingePlace, PlantModel, Setting, Value, kind};
use supple_control::{HingeModes, RestToRest};

use crate::plants::{link, moving, plant_setting};

const MODES: usize = 2;

/// The setting of a block with the tip of the lower link as its node.
fn setting(hinges: usize) -> (Setting, Model) {
    let mut setting = plant_setting(MODES, 1e-3);
    let plant = setting.plant.as_mut().unwrap();
    plant.node = plant.node.map(|(body, _)| (body, link(MODES).tip_node()));
    let model = plant.model.clone();
    if hinges == 1 {
        setting.hinges.remove(0);
    }
    (setting, model)
}

fn outputs(name: &str, setting: &Setting, state: &State, count: usize) -> Vec<f64> {
    let places = setting.hinges.iter().map(|place| place.own);
    let signals: Vec<f64> =
        places.clone().map(|own| state.coordinates[own[0]]).chain(places.map(|own| state.speeds[own[1]])).collect();
    let mut out = vec![0.0; count];
    let measured = Measured { time: 0.0, instant: 0, state, accelerations: &[], signals: &signals };
    kind(name).unwrap().law(setting).unwrap().sample(&measured, &mut out);
    out
}

/// The strain is that of the curvature from root to tip: the slope over the length, times the height of the gauge.
#[test]
fn strain_is_the_mean_curvature() {
    let (setting, model) = setting(1);
    let state = moving(&model);
    let body = model.body_indices().last().unwrap();
    let tip = &link(MODES).nodes()[link(MODES).tip_node().0];
    let slope = |modal: &[f64]| modal.iter().zip(&tip.influence).map(|(x, column)| x * column[2]).sum::<f64>();
    let (bent, rate) =
        (slope(&state.coordinates[model.modal_coordinates(body)]), slope(&state.speeds[model.modal_speeds(body)]));
    let setting = setting.with("height", 0.005).with("gain", 3e4).with("rate_gain", 2e3);
    let found = outputs("strain-feedback", &setting, &state, 2);
    assert!((found[1] - 0.005 * bent).abs() < 1e-15, "{found:?}");
    assert!((found[0] - 0.005 * (3e4 * bent + 2e3 * rate)).abs() < 1e-9, "{found:?}");
    // A rigid link has no strain.
    let rigid = Setting { plant: plant_setting(0, 1e-3).plant, ..setting.clone() };
    let error = kind("strain-feedback").unwrap().law(&rigid).err().unwrap();
    assert!(error.to_string().contains("does not deform"), "{error}");
}

/// A link on a heavy rotor, and a setting for controllers of it.
fn one_link() -> (Setting, Model) {
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] }).driven([2.0]);
    let mut builder = ModelBuilder::new();
    let body = builder.body(link(MODES).body("link", Parent::Ground, hinge));
    let model = builder.build().unwrap();
    let place = [model.hinge_coordinates(body).start, model.hinge_speeds(body).start];
    let all = |count: usize| (0..count).map(|i| [i, i]).collect();
    let (coordinates, speeds) = (all(model.coordinate_count()), all(model.speed_count()));
    let node = Some((body, link(MODES).tip_node()));
    let plant = Some(PlantModel { model: model.clone(), coordinates, speeds, node });
    (Setting { hinges: vec![HingePlace { plant: place, own: place }], plant, ..Setting::every(1e-3) }, model)
}

/// The hinge under PD and strain feedback, the link bent at the start: the greatest elastic energy between 0.4 and 0.5 s, over that at the start.
fn energy_left(rate_gain: f64) -> f64 {
    let (setting, model) = one_link();
    let [coordinate, speed] = setting.hinges[0].own;
    let mut blocks = Blocks::new();
    let measured = [(coordinate, false), (speed, true)]
        .map(|(place, is_speed)| blocks.add(Block::new("state", Role::Sensor, 1e-3, 1, Ideal { place, is_speed })));
    let strain = kind("strain-feedback").unwrap();
    let strain = strain.law(&setting.with("height", 0.005).with("rate_gain", rate_gain)).unwrap();
    let pd = Block::new("pd", Role::Controller, 1e-3, 1, Pd { p: 2000.0, d: 10.0 });
    for block in [pd, Block::new("strain", Role::Controller, 1e-3, 2, strain)] {
        blocks.add(block.reads(measured[0], 0).reads(measured[1], 0).acts(0, speed));
    }
    let mut state = State::new(&model);
    state.coordinates[0] = 0.005;
    state.turn_nodes(&model);
    let stepping = Stepping::Adaptive(Tolerance { relative: 1e-7, absolute: 1e-9 });
    let free = |_: &State, _: &mut Inputs| {};
    let mut run = Simulation::new(&model, state, free, Scheme::DormandPrince, stepping).unwrap();
    run.set_blocks(blocks).unwrap();
    let mut workspace = Workspace::new(&model);
    let mut elastic = |run: &Simulation| energy(&model, run.state(), &mut workspace).unwrap().elastic;
    let (start, mut most) = (elastic(&run), 0.0_f64);
    for i in 0..50 {
        run.advance(0.4 + 0.002 * f64::from(i)).unwrap();
        most = most.max(elastic(&run));
    }
    most / start
}

struct Ideal {
    place: usize,
    is_speed: bool,
}

impl Sampled for Ideal {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let from = if self.is_speed { &measured.state.speeds } else { &measured.state.coordinates };
        outputs[0] = from[self.place];
    }
}

struct Pd {
    p: f64,
    d: f64,
}

impl Sampled for Pd {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        outputs[0] = -self.p * measured.signals[0] - self.d * measured.signals[1];
    }
}

/// Strain rate damps the vibration of a link on a heavy rotor, and of the wrong sign it drives it.
#[test]
fn strain_feedback_damps() {
    let [plain, damped, driven] = [0.0, 3000.0, -3000.0].map(energy_left);
    println!("elastic energy that is left: {plain:.3}, {damped:.3}, wrong sign {driven:.3}");
    assert!(damped < 0.3 * plain && driven > 2.0 * plain, "{plain} {damped} {driven}");
}

/// Two readings of the node's velocity give the mean acceleration between them, and the efforts are those of a mass there, by virtual work.
#[test]
fn acceleration_feedback_is_a_mass_at_the_tip() {
    let (mut setting, model) = setting(2);
    setting.values.insert("mass", Value::Number(2.0));
    let mut law = kind("acceleration-feedback").unwrap().law(&setting).unwrap();
    let (mut state, mut out) = (moving(&model), vec![0.0; 2]);
    let node = setting.plant.as_ref().unwrap().node.unwrap();
    let mut sample = |state: &State, out: &mut [f64]| {
        let places = setting.hinges.iter().map(|place| place.own);
        let known: Vec<f64> =
            places.clone().map(|own| state.coordinates[own[0]]).chain(places.map(|own| state.speeds[own[1]])).collect();
        law.sample(&Measured { time: 0.0, instant: 0, state, accelerations: &[], signals: &known }, out);
    };
    sample(&state, &mut out);
    assert_eq!(out, [0.0, 0.0]);
    let mut workspace = Workspace::new(&model);
    let mut velocity = |state: &State| kinematics(&model, state, &mut workspace).unwrap().node_velocity(node.0, node.1);
    let before = velocity(&state).linear;
    state.speeds.iter_mut().enumerate().for_each(|(i, speed)| *speed += 1e-3 * (1.0 + i as f64));
    let force = (velocity(&state).linear - before) * (-2.0 / 1e-3);
    sample(&state, &mut out);
    for (j, hinge) in setting.hinges.iter().enumerate() {
        let mut moved = state.clone();
        moved.speeds[hinge.own[1]] += 1.0;
        let per_speed = velocity(&moved).linear - velocity(&state).linear;
        assert!((out[j] - per_speed.dot(force)).abs() < 1e-9, "{out:?}");
    }
}

/// The controller plays what the inversion gives, after what holds the arm against gravity.
#[test]
fn rest_to_rest_plays_the_inversion() {
    let (mut setting, model) = setting(1);
    let start = State::new(&model);
    setting.start = Some(start.clone());
    let setting = setting.with("to", 0.3).with("duration", 0.8).with("start", 0.1).with("modes", 2.0);
    let speed = setting.hinges[0].own[1];
    let modes = HingeModes::new(&model, &start, speed, &[], 2).unwrap();
    let motion = RestToRest::new(&modes.free, [0.1, 0.9], [0.0, 0.3]).unwrap();
    let mut law = kind("rest-to-rest").unwrap().law(&setting).unwrap();
    let mut at = |time: f64| {
        let mut out = [0.0; 4];
        law.sample(&Measured { time, instant: 0, state: &start, accelerations: &[], signals: &[] }, &mut out);
        out
    };
    let hold = at(0.0)[0];
    // Half the weight of the lower link at half its length, and less.
    assert!((hold - 2.7 * 9.81 * 0.5).abs() < 1e-6, "{hold}");
    for time in [0.2, 0.5, 0.77] {
        let (found, expected) = (at(time), motion.at(time));
        assert!((found[0] - hold - expected.effort).abs() < 1e-12);
        assert_eq!(found[1..], [expected.position, expected.speed, expected.acceleration]);
    }
    assert_eq!(at(5.0)[1], 0.3);
    let too_many = setting.clone().with("modes", 50.0);
    let error = kind("rest-to-rest").unwrap().law(&too_many).err().unwrap();
    assert!(error.to_string().contains("at most 4"), "{error}");
}
