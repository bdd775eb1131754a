//! Controllers with a model of the plant: what their efforts do to the plant.

use supple::integrate::{Measured, Sampled};
use supple::{Inputs, State, Workspace, energy, forward_dynamics, kinematics};
use supple_control::block::{Setting, Value, kind};
use supple_control::{Correction, CorrectionLaw};

use crate::plants::{arm, moving, plant_setting};

fn outputs(name: &str, setting: &Setting, state: &State, signals: &[f64], count: usize) -> Vec<f64> {
    let mut out = vec![0.0; count];
    let measured = Measured { time: 0.0, instant: 0, state, accelerations: &[], signals };
    kind(name).unwrap().law(setting).unwrap().sample(&measured, &mut out);
    out
}

/// On a rigid arm at rest, gravity compensation is the gradient of the potential energy.
#[test]
fn gravity_compensation_is_the_gradient_of_the_energy() {
    let model = arm(0);
    let mut state = State::new(&model);
    state.coordinates.copy_from_slice(&[0.4, -1.1]);
    let found = outputs("gravity-compensation", &plant_setting(0, 1e-3), &state, &[0.4, -1.1], 2);
    let mut workspace = Workspace::new(&model);
    let mut potential = |i: usize, change: f64| {
        let mut moved = state.clone();
        moved.coordinates[i] += change;
        energy(&model, &moved, &mut workspace).unwrap().gravitational
    };
    for i in 0..2 {
        let slope = (potential(i, 1e-5) - potential(i, -1e-5)) / 2e-5;
        assert!((found[i] - slope).abs() < 1e-6, "{i}: {} {slope}", found[i]);
    }
}

/// Hinge accelerations that efforts give to the arm.
fn accelerations(modes: usize, state: &State, efforts: &[f64]) -> [f64; 2] {
    let model = arm(modes);
    let mut inputs = Inputs::new(&model);
    let speeds: Vec<usize> = model.body_indices().map(|body| model.hinge_speeds(body).start).collect();
    for (speed, effort) in speeds.iter().zip(efforts) {
        inputs.forces[*speed] = *effort;
    }
    let mut workspace = Workspace::new(&model);
    let state = State { stamp: model.stamp(), ..state.clone() };
    let solution = forward_dynamics(&model, &state, &inputs, &mut workspace).unwrap();
    [0, 1].map(|i| solution.accelerations()[speeds[i]])
}

/// Computed torque and each law of correction give the hinges of a flexible arm the accelerations wanted.
#[test]
fn efforts_give_the_accelerations_wanted() {
    for modes in [0, 1, 3] {
        let model = arm(modes);
        let state = moving(&model);
        let place = |body| (model.hinge_coordinates(body).start, model.hinge_speeds(body).start);
        let hinges: Vec<(usize, usize)> = model.body_indices().map(place).collect();
        let at = |of: &dyn Fn((usize, usize)) -> f64| hinges.iter().map(|hinge| of(*hinge)).collect::<Vec<f64>>();
        let (theta, theta_dot) = (at(&|(c, _)| state.coordinates[c]), at(&|(_, s)| state.speeds[s]));
        let signals: Vec<f64> =
            [vec![0.5, 0.2], theta.clone(), vec![0.1, -0.3], theta_dot.clone(), vec![1.5, -2.5]].concat();
        let (p, d) = (9.0, 4.0);
        let wanted = |j: usize| signals[8 + j] + d * (signals[4 + j] - theta_dot[j]) + p * (signals[j] - theta[j]);
        let setting =
            plant_setting(modes, 1e-3).with("p", p).with("d", d).with("iterations", 200.0).with("tolerance", 1e-11);
        let by =
            |law: &str| outputs("acceleration-correction", &setting.clone().with_word("law", law), &state, &signals, 4);
        let computed = outputs("computed-torque", &setting, &state, &signals, 2);
        for (name, efforts) in [("computed", computed), ("exact", by("exact")), ("gradient", by("gradient"))] {
            for (j, found) in accelerations(modes, &state, &efforts).into_iter().enumerate() {
                assert!((found - wanted(j)).abs() < 1e-9, "{modes} modes, {name}: {found} {}", wanted(j));
            }
        }
    }
}

/// The configuration of the controller's model is what sensors say, not where the hinges are: efforts are those of a plant that stands where it is measured.
#[test]
fn the_configuration_is_that_of_the_sensors() {
    let model = arm(2);
    let there = moving(&model);
    let place = |body| (model.hinge_coordinates(body).start, model.hinge_speeds(body).start);
    let hinges: Vec<(usize, usize)> = model.body_indices().map(place).collect();
    let (angles, rates) = ([0.7, -1.9], [0.2, 0.5]);
    let mut measured = there.clone();
    for (j, (coordinate, speed)) in hinges.iter().enumerate() {
        (measured.coordinates[*coordinate], measured.speeds[*speed]) = (angles[j], rates[j]);
    }
    let signals = |angles: [f64; 2], rates: [f64; 2]| -> Vec<f64> {
        [vec![0.5, 0.2], angles.into(), vec![0.1, -0.3], rates.into(), vec![1.5, -2.5]].concat()
    };
    let setting =
        plant_setting(2, 1e-3).with("p", 9.0).with("d", 4.0).with("iterations", 200.0).with("tolerance", 1e-11);
    for (kind, count) in [("computed-torque", 2), ("acceleration-correction", 4)] {
        let setting = if count == 4 { setting.clone().with_word("law", "exact") } else { setting.clone() };
        let efforts = |state: &State, signals: &[f64]| outputs(kind, &setting, state, signals, count)[..2].to_vec();
        let found = efforts(&there, &signals(angles, rates));
        assert_eq!(found, efforts(&measured, &signals(angles, rates)), "{kind}");
        let true_ones = [0, 1].map(|j| there.coordinates[hinges[j].0]);
        let other = efforts(&there, &signals(true_ones, rates));
        assert!(found.iter().zip(&other).any(|(a, b)| (a - b).abs() > 1e-2), "{kind}: {found:?} {other:?}");
    }
}

/// The impedance's efforts are those of a spring and a damper at the tip, by virtual work.
#[test]
fn impedance_is_a_spring_at_the_tip() {
    let model = arm(1);
    let state = moving(&model);
    let mut workspace = Workspace::new(&model);
    let body = model.body_indices().last().unwrap();
    let node = (body, supple::NodeIndex(1));
    let mut setting = plant_setting(1, 1e-3);
    setting.values.insert("stiffness", Value::Numbers(vec![300.0, 500.0, 0.0]));
    setting.values.insert("damping", Value::Number(0.0));
    setting.connected = vec!["x", "y", "z"];
    let places: Vec<[usize; 2]> = setting.hinges.iter().map(|place| place.own).collect();
    let measured: Vec<f64> =
        places.iter().map(|p| state.coordinates[p[0]]).chain(places.iter().map(|p| state.speeds[p[1]])).collect();
    let signals = [vec![1.0, 1.2, 0.0], measured].concat();
    let found = outputs("impedance", &setting, &state, &signals, 2);
    let mut stored = |i: usize, change: f64| {
        let mut moved = state.clone();
        moved.coordinates[places[i][0]] += change;
        moved.turn_nodes(&model);
        let x = kinematics(&model, &moved, &mut workspace).unwrap().node_position(node.0, node.1).0;
        0.5 * (300.0 * (1.0 - x[0]).powi(2) + 500.0 * (1.2 - x[1]).powi(2))
    };
    for i in 0..2 {
        let slope = (stored(i, 1e-5) - stored(i, -1e-5)) / 2e-5;
        assert!((found[i] + slope).abs() < 1e-5, "{i}: {} {slope}", found[i]);
    }
}

/// The plain iteration converges to the answer of hybrid dynamics where hinges are weakly coupled, and not where they are not; conjugate
/// gradients reach it in as many steps as there are hinges.
#[test]
fn the_iteration_converges_to_the_exact_answer() {
    let model = arm(2);
    let speeds: Vec<usize> = model.body_indices().map(|body| model.hinge_speeds(body).start).collect();
    let solve = |law: CorrectionLaw, elbow: f64| {
        let mut state = moving(&model);
        state.coordinates[model.hinge_coordinates(supple::BodyIndex(1)).start] = elbow;
        let (mut inputs, mut workspace) = (Inputs::new(&model), Workspace::new(&model));
        inputs.accelerations[speeds[0]] = 2.0;
        inputs.accelerations[speeds[1]] = -3.0;
        let mut correction = Correction::new(&model, &speeds, law, (60, 1e-11));
        let corrected = correction.correct(&model, &state, &mut inputs, &mut workspace).unwrap();
        (corrected, speeds.iter().map(|s| inputs.forces[*s]).collect::<Vec<_>>(), correction.errors().to_vec())
    };
    for elbow in [1.2, 1.6, 2.4] {
        let (_, exact, _) = solve(CorrectionLaw::Exact, elbow);
        let (gradient, forces, errors) = solve(CorrectionLaw::Gradient, elbow);
        assert!(gradient.left < 1e-9 && errors.len() <= 5, "{elbow}: {errors:?}");
        assert!(forces.iter().zip(&exact).all(|(a, b)| (a - b).abs() < 1e-9), "{forces:?} {exact:?}");
    }
    let (found, forces, errors) = solve(CorrectionLaw::Iteration, 2.4);
    println!("error per iteration: {errors:?}");
    let (_, exact, _) = solve(CorrectionLaw::Exact, 2.4);
    assert!(found.left < 1e-9, "{errors:?}");
    assert!(forces.iter().zip(&exact).all(|(a, b)| (a - b).abs() < 1e-9));
}

/// With quantities of the last step the iteration comes to the same answer where the arm stands still: later, for each body hears of a force one step
/// after the other.
#[test]
fn the_lagged_iteration_converges_to_the_exact_answer() {
    let model = arm(2);
    let speeds: Vec<usize> = model.body_indices().map(|body| model.hinge_speeds(body).start).collect();
    let mut state = moving(&model);
    state.coordinates[model.hinge_coordinates(supple::BodyIndex(1)).start] = 2.4;
    let mut inputs = Inputs::new(&model);
    inputs.accelerations[speeds[0]] = 2.0;
    inputs.accelerations[speeds[1]] = -3.0;
    let solve = |lagged: bool| {
        let (mut inputs, mut workspace) = (inputs.clone(), Workspace::new(&model));
        let mut correction = Correction::new(&model, &speeds, CorrectionLaw::Iteration, (400, 1e-10));
        if lagged {
            correction = correction.lagged(&model).unwrap();
        }
        let corrected = correction.correct(&model, &state, &mut inputs, &mut workspace).unwrap();
        let found = forward_dynamics(&model, &state, &inputs, &mut workspace).unwrap();
        let left = speeds.iter().map(|s| (inputs.accelerations[*s] - found.accelerations()[*s]).abs());
        (corrected.evaluations, left.fold(0.0, f64::max))
    };
    let (plain, lagged) = (solve(false), solve(true));
    println!("evaluations and what is left: {plain:?}, lagged {lagged:?}");
    assert!(plain.1 < 1e-9 && lagged.1 < 1e-9, "{plain:?} {lagged:?}");
    assert!(lagged.0 > plain.0);
}
