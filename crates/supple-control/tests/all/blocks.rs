//! Blocks of the library: laws against formulas, memory, refusals.

use crate::counting_allocator::allocations;
use std::f64::consts::TAU;
use supple::State;
use supple::integrate::{Measured, Sampled};
use supple_control::block::{Hinges, Input, KINDS, Kind, Law, Needs, Otherwise, Setting, Takes, Value, kind};
use supple_control::linear::{LinearDesign, Schedule, Sizes};
use supple_control::{Mode, Shaper, ShaperKind, Trajectory};

use crate::plants::{arm, plant_setting};

fn law(name: &str, setting: &Setting) -> Law {
    kind(name).unwrap().law(setting).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Calls a law with signals at an instant.
fn call(law: &mut Law, state: &State, instant: u64, signals: &[f64], outputs: &mut [f64]) {
    let measured = Measured { time: state.time, instant, state, accelerations: &[], signals };
    law.sample(&measured, outputs);
}

/// The first output of a law to a list of signals, from one instant to the next.
fn respond(law: &mut Law, period: f64, inputs: &[Vec<f64>]) -> Vec<f64> {
    let mut state = State::new(&arm(0));
    let mut out = Vec::new();
    for (k, signals) in inputs.iter().enumerate() {
        state.time = period * k as f64;
        // Shapers give as many signals as they take, all others here one.
        let mut outputs = vec![0.0; if signals.len() == 3 { 3 } else { 1 }];
        call(law, &state, k as u64, signals, &mut outputs);
        out.push(outputs[0]);
    }
    out
}

#[test]
fn pid_is_that_of_the_formula() {
    let (period, p, i, d) = (0.01, 3.0, 7.0, 0.4);
    let setting =
        Setting { connected: vec!["measured_speed"], ..Setting::every(period).with("p", p).with("i", i).with("d", d) };
    let mut sum = 0.0;
    let signals: Vec<Vec<f64>> = (0..50)
        .map(|k| {
            let t = 0.1 * f64::from(k);
            vec![t.sin(), t.cos(), 0.3, t, 0.2]
        })
        .collect();
    let found = respond(&mut law("pid", &setting), period, &signals);
    for (s, u) in signals.iter().zip(found) {
        sum += period * (s[0] - s[1]);
        let expected = s[4] + p * (s[0] - s[1]) + i * sum + d * (s[2] - s[3]);
        assert!((u - expected).abs() < 1e-13, "{u} {expected}");
    }
    // Without a speed: the difference of errors.
    let found = respond(&mut law("pid", &Setting::every(period).with("d", d)), period, &signals);
    for k in 1..50 {
        let error = |k: usize| signals[k][0] - signals[k][1];
        let expected = signals[k][4] + d * (error(k) - error(k - 1)) / period;
        assert!((found[k] - expected).abs() < 1e-12);
    }
}

/// A large step with a small limit of effort: with anti-windup the integrator recovers when the error changes sign, without it does not.
#[test]
fn antiwindup_lets_the_effort_come_back() {
    let period = 0.1;
    let signals: Vec<Vec<f64>> = (0..60).map(|k| vec![if k < 40 { 1.0 } else { -1.0 }, 0.0, 0.0, 0.0, 0.0]).collect();
    let with = |word: &str| {
        let setting = Setting::every(period).with("p", 1.0).with("i", 5.0).with("u_clamp", 2.0);
        respond(&mut law("pid", &setting.with_word("antiwindup", word).with("tracking_time", 0.1)), period, &signals)
    };
    let [conditional, back, none] = ["conditional", "back-calculation", "none"].map(with);
    for efforts in [&conditional, &back, &none] {
        assert!(efforts.iter().all(|u| u.abs() <= 2.0) && efforts[39] == 2.0);
    }
    assert!(conditional[44] < 0.0 && back[44] < 0.0, "{conditional:?} {back:?}");
    assert_eq!(none[44], 2.0);
    // The slew limit.
    let slow = Setting::every(period).with("p", 10.0).with("slew", 3.0);
    let found = respond(&mut law("pid", &slow), period, &signals);
    assert!((found[0] - 0.3).abs() < 1e-15 && (found[5] - 1.8).abs() < 1e-12);
}

/// Amplitude and phase of the response to a sine, from its last periods.
fn response(name: &str, setting: &Setting, hertz: f64) -> [f64; 2] {
    let (period, mut law) = (setting.period, law(name, setting));
    let (n, per) = ((400.0 / hertz / period) as usize, 1.0 / (hertz * period));
    assert!(per.fract() == 0.0, "whole instants in a period");
    let inputs: Vec<Vec<f64>> = (0..n).map(|k| vec![(TAU * hertz * period * k as f64).sin()]).collect();
    let found = respond(&mut law, period, &inputs);
    let (mut re, mut im) = (0.0, 0.0);
    let last = n - per as usize * 10;
    for (k, y) in found.iter().enumerate().skip(last) {
        let phase = TAU * hertz * period * k as f64;
        re += y * phase.sin();
        im += y * phase.cos();
    }
    [re, im].map(|x| 2.0 * x / (n - last) as f64)
}

/// Filters have the response of the continuous ones at their own frequency, exactly, and pass what does not change.
#[test]
fn filters_respond_as_continuous_ones() {
    let period = 1e-3;
    let low = Setting::every(period).with("frequency", 50.0).with("damping", 0.4);
    let [re, im] = response("low-pass", &low, 50.0);
    assert!(re.abs() < 1e-9 && (im + 1.0 / 0.8).abs() < 1e-9, "{re} {im}");
    let first = Setting::every(period).with("frequency", 50.0).with("order", 1.0);
    let [re, im] = response("low-pass", &first, 50.0);
    assert!((re - 0.5).abs() < 1e-9 && (im + 0.5).abs() < 1e-9, "{re} {im}");
    let notch = Setting::every(period).with("frequency", 50.0).with("width", 0.3).with("depth", 0.1);
    let [re, im] = response("notch", &notch, 50.0);
    assert!((re - 0.1).abs() < 1e-9 && im.abs() < 1e-9, "{re} {im}");
    // Exact at √(40 · 62.5) = 50 Hz: gain (1 + i ω/ω₀)/(1 + i ω/ω₁).
    let lead = Setting::every(period).with("zero", 40.0).with("pole", 62.5).with("gain", 2.0);
    let ([a, b], [c, d]) = ([1.0, 50.0 / 40.0], [1.0, 50.0 / 62.5]);
    let size = c * c + d * d;
    let [re, im] = response("lead-lag", &lead, 50.0);
    assert!((re - 2.0 * (a * c + b * d) / size).abs() < 1e-9 && (im - 2.0 * (b * c - a * d) / size).abs() < 1e-9);
    for (name, setting, gain) in [("low-pass", &low, 1.0), ("notch", &notch, 1.0), ("lead-lag", &lead, 2.0)] {
        let found = respond(&mut law(name, setting), period, &vec![vec![0.7]; 20]);
        assert!(found.iter().all(|y| (y - 0.7 * gain).abs() < 1e-13), "{name}: starts at rest, {found:?}");
    }
    let too_high = Setting::every(period).with("frequency", 500.0);
    assert!(kind("notch").unwrap().law(&too_high).is_err_and(|error| error.key == "frequency"));
}

/// A sampled shaper is the shaper of the function, up to the interpolation between instants.
#[test]
fn a_sampled_shaper_is_that_of_the_trajectory() {
    let shaper = Shaper::design(ShaperKind::Ei2 { tolerance: 0.05 }, Mode { frequency: 1.3, damping: 0.03 }).unwrap();
    let motion = Trajectory::cycloidal([0.2, 1.7], [0.4, 1.4]).unwrap();
    let exact = motion.clone().shaped(&shaper);
    for (period, error) in [(1e-2, 3e-4), (1e-3, 3e-6)] {
        let mut block = law("shaper", &Setting { shaper: Some(shaper.clone()), ..Setting::every(period) });
        let at = |k: usize| motion.at(period * k as f64);
        let inputs: Vec<Vec<f64>> =
            (0..(4.0 / period) as usize).map(|k| vec![at(k).position, at(k).speed, at(k).acceleration]).collect();
        for (k, found) in respond(&mut block, period, &inputs).into_iter().enumerate() {
            assert!((found - exact.at(period * k as f64).position).abs() < error, "{period}, {k}");
        }
    }
}

#[test]
fn sensors_have_the_faults_they_are_told() {
    let signals: Vec<Vec<f64>> = (0..200).map(|k| vec![0.37 * f64::from(k)]).collect();
    let plain = Setting::every(0.1).with("bias", 2.0).with("quantum", 0.5);
    for (s, found) in signals.iter().zip(respond(&mut law("sensor", &plain), 0.1, &signals)) {
        assert!((found - (s[0] + 2.0)).abs() <= 0.25 + 1e-12 && (found / 0.5).fract() == 0.0);
    }
    let noisy = |seed: f64| {
        respond(&mut law("sensor", &Setting::every(0.1).with("noise", 0.2).with("seed", seed)), 0.1, &signals)
    };
    assert_eq!(noisy(4.0), noisy(4.0));
    assert_ne!(noisy(4.0), noisy(5.0));
    let spread = noisy(4.0).iter().zip(&signals).map(|(x, s)| (x - s[0]).powi(2)).sum::<f64>() / 200.0;
    assert!((spread.sqrt() - 0.2).abs() < 0.05, "{spread}");
    let frozen = Setting::every(0.1).with("freeze_from", 5.0).with("freeze_to", 10.0);
    let found = respond(&mut law("sensor", &frozen), 0.1, &signals);
    assert!(found[51..99].iter().all(|x| *x == found[49]) && found[101] == signals[101][0]);
    let lossy = respond(&mut law("sensor", &Setting::every(0.1).with("dropout", 0.3)), 0.1, &signals);
    let lost = lossy.iter().zip(&signals).filter(|(x, s)| **x != s[0]).count();
    assert!((30..90).contains(&lost), "{lost}");
}

#[test]
fn servos_convert_limit_and_round() {
    let setting = Setting::every(0.01).with("torque_constant", 0.1).with("gear_ratio", 100.0).with("efficiency", 0.8);
    let setting = setting.with("current_limit", 2.0).with("current_rate", 50.0).with("current_per_count", 0.01);
    let mut servo = law("servo", &setting);
    let state = State::new(&arm(0));
    let mut out = [0.0; 3];
    // 4 N m are 0.5 A; 0.5 A in one period are allowed.
    call(&mut servo, &state, 0, &[4.0], &mut out);
    assert!((out[0] - 4.0).abs() < 1e-12 && (out[1] - 0.5).abs() < 1e-15 && out[2] == 50.0);
    for k in 1..8 {
        call(&mut servo, &state, k, &[1e3], &mut out);
    }
    assert!((out[0] - 16.0).abs() < 1e-12 && out[2] == 200.0, "{out:?}");
    // A rate of less than a count for each period adds up.
    let slow = Setting::every(0.01).with("current_rate", 0.3).with("current_per_count", 0.01);
    let mut servo = law("servo", &slow);
    (0..100).for_each(|k| call(&mut servo, &state, k, &[1.0], &mut out));
    assert!((out[1] - 0.3).abs() < 0.006, "{out:?}");
}

/// A motor that is held: its current follows `L di/dt = k_p (i* - i) - R i` exactly, and gives the effort of the gear.
#[test]
fn a_held_motor_follows_its_electrical_equation() {
    let (r, l, kp, k, n) = (2.0, 1e-3, 3.0, 0.05, 50.0);
    let period = 1e-3;
    let setting = Setting::every(period).with("resistance", r).with("inductance", l).with("current_p", kp);
    let mut servo = law("joint-servo", &setting.with("torque_constant", k).with("gear_ratio", n));
    let state = State::new(&arm(0));
    let asked = 5.0;
    let rest = kp * (asked / (n * k)) / (kp + r);
    for step in 1..20 {
        let mut out = [0.0; 3];
        call(&mut servo, &state, step, &[asked, 0.3, 0.0], &mut out);
        let t = period * step as f64;
        let expected = rest * (1.0 - (-(kp + r) * t / l).exp());
        assert!((out[1] - expected).abs() < 1e-4 * rest, "{} {expected}", out[1]);
    }
    // Turning takes voltage: at the speed where the back-EMF is the limit no current is left.
    let setting = Setting::every(period).with("resistance", r).with("inductance", l).with("current_p", 100.0);
    let setting = setting.with("torque_constant", k).with("gear_ratio", n).with("voltage_limit", 12.0);
    let mut servo = law("joint-servo", &setting);
    let mut out = [0.0; 3];
    for step in 0..200 {
        call(&mut servo, &state, step, &[1e3, 0.0, 12.0 / (k * n)], &mut out);
    }
    assert!(out[1].abs() < 1e-6, "{out:?}");
}

/// A gear with backlash gives nothing within it, and the twist of its spring beyond.
#[test]
fn a_gear_with_backlash_gives_nothing_within_it() {
    let setting = Setting::every(1e-3).with("resistance", 1.0).with("inductance", 1e-3).with("current_p", 10.0);
    let setting = setting.with("current_i", 2e3).with("gear_ratio", 10.0).with("rotor_inertia", 1e-3);
    let setting = setting.with("gear_stiffness", 500.0).with("gear_damping", 5.0).with("viscous", 1e-2);
    let (state, mut out) = (State::new(&arm(0)), [0.0; 3]);
    let mut servo = law("joint-servo", &setting.clone().with("backlash", 0.02));
    let mut first = f64::INFINITY;
    for k in 0..4000 {
        call(&mut servo, &state, k, &[3.0, 0.0, 0.0], &mut out);
        if out[0] != 0.0 && first.is_infinite() {
            first = k as f64 * 1e-3;
        }
    }
    assert!(first > 5e-3, "{first}");
    // At rest the motor presses with the effort asked for.
    assert!((out[0] - 3.0).abs() < 1e-6, "{out:?}");
    let mut stiff = law("joint-servo", &setting);
    call(&mut stiff, &state, 0, &[3.0, 0.0, 0.0], &mut out);
    assert!(out[0] != 0.0);
    assert!(kind("joint-servo").unwrap().law(&Setting::every(1.0).with("backlash", 0.1)).is_err());
}

/// A setting with which a kind can be made, and how many signals and outputs it then has.
fn sample_setting(of: &'static Kind) -> (Setting, usize, usize) {
    let mut setting = plant_setting(2, 1e-3);
    for parameter in of.parameters {
        let value = match parameter.takes {
            Takes::Numbers => Value::Number(3.0),
            Takes::Number(_) | Takes::Maybe(_) => Value::Number(match parameter.key {
                "inductance" => 1e-3,
                "rotor_inertia" => 1e-2,
                "freeze_from" => 5e-3,
                "freeze_to" => 8e-3,
                _ => 30.0,
            }),
            _ => continue,
        };
        setting.values.insert(parameter.key, value);
    }
    setting.values.extend([("noise", Value::Number(0.1)), ("dropout", Value::Number(0.3)), ("i", Value::Number(2.0))]);
    setting.trajectory = Some(Trajectory::cycloidal([0.0, 0.01], [0.0, 1.0]).unwrap());
    setting.shaper = Shaper::design(ShaperKind::Zvd, Mode { frequency: 150.0, damping: 0.1 }).ok();
    let hinges = if of.hinges == Hinges::Several { 2 } else { 1 };
    setting.hinges.truncate(hinges);
    setting.start = setting.plant.as_ref().map(|plant| State::new(&plant.model));
    let states = 12;
    if of.inputs.iter().any(|input| input.otherwise == Otherwise::Measurements) {
        setting.measured = ["hinge.upper", "hinge.lower"].map(String::from).into();
        setting.sensor_noise = vec![0.1; 2];
    }
    if of.needs == Needs::Linear {
        setting.schedule = Some(schedule(states, setting.measured.len()));
    }
    let count = |input: &Input| match input.otherwise {
        Otherwise::States => states,
        _ => input.count(hinges).unwrap_or(setting.measured.len()),
    };
    let inputs = of.inputs.iter().map(count).sum();
    let outputs = if of.gives_states { states } else { of.outputs.len() * hinges };
    (setting, inputs, outputs)
}

/// Designs of small stable numbers at two poses.
fn schedule(states: usize, outputs: usize) -> Schedule {
    let small = |count: usize| (0..count).map(|k| 0.1 * (k as f64).sin() / states as f64).collect::<Vec<f64>>();
    let design = |u: f64| LinearDesign {
        sizes: Sizes { states, inputs: 2, outputs },
        a: small(states * states),
        b: small(states * 2),
        c: small(outputs * states),
        d: small(outputs * 2),
        feedback: small(2 * states),
        correction: small(states * outputs),
        x: small(states),
        u: vec![u; 2],
        y: small(outputs),
    };
    Schedule::new(vec![(vec![0.0; 2], design(0.3)), (vec![0.4, -0.2], design(-0.1))]).unwrap()
}

/// Whatever a block remembers is in what it saves: one that takes over half-way goes on to the bit. Numbers of another length are refused, and
/// nothing is allocated at an instant.
#[test]
fn every_kind_goes_on_to_the_bit_and_allocates_nothing() {
    let model = arm(2);
    let lagged = kind("acceleration-correction").unwrap();
    for (of, flag) in KINDS.iter().map(|of| (*of, false)).chain([(lagged, true)]) {
        let (mut setting, inputs, outputs) = sample_setting(of);
        setting.values.insert("lagged", Value::Flag(flag));
        let make = || of.law(&setting).unwrap_or_else(|error| panic!("{}: {error}", of.name));
        let signal = |k: u64, i: usize| (0.3 * k as f64 + i as f64).sin();
        let mut state = State::new(&model);
        let mut step = |law: &mut Law, k: u64, out: &mut [f64]| {
            state.time = 1e-3 * k as f64;
            state.coordinates.iter_mut().enumerate().for_each(|(i, x)| *x = 0.1 * signal(k, i));
            let signals: Vec<f64> = (0..inputs).map(|i| signal(k, i)).collect();
            let measured =
                Measured { time: state.time, instant: k, state: &state, accelerations: &[], signals: &signals };
            assert_eq!(allocations(|| law.sample(&measured, out)), 0, "{}", of.name);
            assert!(out.iter().all(|x| x.is_finite()), "{}: {out:?}", of.name);
        };
        let (mut whole, mut out, mut again) = (make(), vec![0.0; outputs], vec![0.0; outputs]);
        (0..10).for_each(|k| step(&mut whole, k, &mut out));
        let mut resumed = make();
        let saved = whole.save();
        assert!(resumed.load(&saved), "{}", of.name);
        assert!(!resumed.load(&[saved.as_slice(), &[0.0]].concat()), "{}: too many numbers", of.name);
        assert!(resumed.load(&saved));
        for k in 10..30 {
            step(&mut whole, k, &mut out);
            step(&mut resumed, k, &mut again);
            assert_eq!(out, again, "{} at {k}", of.name);
        }
    }
}

/// Kinds, keys and outputs have names that differ, and say what they mean.
#[test]
fn kinds_are_described() {
    for of in KINDS {
        assert!(std::ptr::eq(kind(of.name).unwrap(), of) && !of.about.is_empty());
        let mut keys: Vec<&str> = of.parameters.iter().map(|p| p.key).chain(of.inputs.iter().map(|i| i.key)).collect();
        keys.sort_unstable();
        assert!(keys.windows(2).all(|pair| pair[0] != pair[1]), "{}: {keys:?}", of.name);
        for input in of.inputs {
            let of_hinge = matches!(input.otherwise, Otherwise::Coordinate | Otherwise::Speed);
            assert!(!of_hinge || of.hinges != Hinges::None, "{}", of.name);
        }
    }
    assert!(kind("nothing").is_none());
}
