//! A controller with its observer as code is the one in the process, bit for bit.

use crate::code::{Folder, is_there};
use supple::integrate::{Block, Blocks, Measured, Role, Sampled};
use supple::{Fidelity, Model, State};
use supple_bodies::catalogue::beam_chain::beam_chain;
use supple_compile::native::{Build, Cache};
use supple_compile::{Controller, ControllerError};
use supple_control::block::{HingePlace, Setting, kind};
use supple_control::linear::{LinearDesign, Schedule, Sizes};

const PERIOD: f64 = 1e-3;

/// A sensor is not part of the controller.
struct Sensor;

impl Sampled for Sensor {
    fn sample(&mut self, _: &Measured<'_>, outputs: &mut [f64]) {
        outputs.fill(0.0);
    }
}

/// A lightly damped oscillator beside a rigid hinge, with gains that hold it.
fn design() -> Schedule {
    let (c, s) = (0.99_f64, 0.12);
    let design = LinearDesign {
        sizes: Sizes { states: 4, inputs: 1, outputs: 2 },
        a: vec![1.0, 0.0, PERIOD, 0.0, 0.0, c, 0.0, PERIOD * s, 0.0, 0.0, 0.999, 0.0, 0.01, -s, 0.0, c],
        b: vec![5e-7, 1e-7, 1e-3, 2e-3],
        c: vec![1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.3, 0.0],
        d: vec![0.0, 0.01],
        feedback: vec![12.0, -3.0, 4.0, 0.7],
        correction: vec![0.2, 0.01, 0.03, 0.1, 0.3, 0.02, 0.001, 0.05],
        x: vec![0.1, 0.0, 0.0, 0.0],
        u: vec![0.4],
        y: vec![0.1, 0.0],
    };
    Schedule::new(vec![(vec![0.1], design)]).unwrap()
}

/// Sensors, a filter of the first, a regulator with its own observer, and a PID whose effort a Kalman filter knows of.
fn blocks() -> Blocks {
    let mut blocks = Blocks::new();
    let sensor = |name: &str| Block::new(name, Role::Sensor, PERIOD, 1, Sensor);
    let [angle, strain] = ["angle", "strain"].map(|name| blocks.add(sensor(name)));
    let law = |name: &str, setting: Setting| kind(name).unwrap().law(&setting).unwrap();
    let hinges = vec![HingePlace { plant: [0, 0], own: [0, 0] }];
    let linear = || Setting { hinges: hinges.clone(), schedule: Some(design()), ..Setting::every(PERIOD) };
    let notch = law("notch", Setting::every(PERIOD).with("frequency", 20.0));
    let notch = blocks.add(Block::new("notch", Role::Observer, PERIOD, 1, notch).reads(strain, 0));
    let regulator = Setting { connected: vec!["reference"], ..linear() }.with("u_clamp", 1.0);
    let regulator = Block::new("regulator", Role::Controller, PERIOD, 1, law("lqg", regulator));
    blocks.add(regulator.reads(angle, 0).reads(strain, 0).reads(angle, 0).reads(notch, 0).acts(0, 0));
    let pid = Setting::every(PERIOD)
        .with("p", 30.0)
        .with("i", 40.0)
        .with("d", 0.2)
        .with("u_clamp", 20.0)
        .with("slew", 1000.0);
    let pid = Block::new("servo", Role::Controller, PERIOD, 1, law("pid", pid));
    let pid =
        blocks.add(pid.reads(angle, 0).reads(notch, 0).reads(strain, 0).reads(angle, 0).reads(strain, 0).acts(0, 1));
    let observer = Block::new("observer", Role::Observer, PERIOD, 4, law("kalman", linear()));
    let observer = blocks.add(observer.reads(angle, 0).reads(notch, 0).reads_before(pid, 0));
    let feedback = Block::new("feedback", Role::Controller, PERIOD, 1, law("lqr", linear()));
    let feedback = feedback.reads(angle, 0).reads(strain, 0);
    blocks.add((0..4).fold(feedback, |block, i| block.reads(observer, i)).acts(0, 1));
    blocks
}

fn model() -> Model {
    Model::build(&beam_chain(2, 1, Fidelity::Exact)).unwrap()
}

/// Must show 4: 1e5 cycles of 1 kHz without contraction. The memory of each cycle goes into the next: a difference would stay.
#[test]
fn compiled_controllers_are_those_of_the_process_bit_for_bit() {
    if !is_there("cc") {
        return;
    }
    let (folder, model) = (Folder::new("controller"), model());
    let controller = Controller::record(&blocks(), &model).unwrap();
    let program = controller.program.scheduled();
    let build = Build { fma: false, lanes: None, cache: Some(Cache::at(&folder.0)) };
    let native = build.native(&program).unwrap();
    let reference = Controller::reference(blocks(), &model, 100_000).unwrap();
    let (mut memory, mut out) = (controller.memory.clone(), vec![0.0; program.outputs.len()]);
    let efforts = program.outputs.len() - memory.len();
    assert_eq!(efforts, 2);
    let mut limited = 0;
    for (k, vector) in reference.vectors.iter().enumerate() {
        let signals = program.inputs.len() - memory.len();
        let x: Vec<f64> = vector.inputs[..signals].iter().chain(&memory).copied().collect();
        native.run(&x, &mut out).unwrap();
        let same = out.iter().zip(&vector.outputs).all(|(a, b)| a.to_bits() == b.to_bits() || a == b);
        assert!(same, "cycle {k}: {out:?} {:?}", vector.outputs);
        memory.copy_from_slice(&out[efforts..]);
        limited += usize::from(out[0].abs() == 1.0);
    }
    // Limits were met and left.
    assert!(limited > 1000 && limited < 99_000, "{limited}");
}

/// Each law as code of its own, in the place of the law: the same bits, and the same memory at the end. What is no number gives none, and is forgotten.
#[test]
fn compiled_laws_are_those_of_the_process_bit_for_bit() {
    if !is_there("cc") {
        return;
    }
    let (folder, model) = (Folder::new("law"), model());
    let build = Build { fma: false, lanes: None, cache: Some(Cache::at(&folder.0)) };
    let (mut blocks, state, mut compiled) = (blocks(), State::new(&model), Vec::new());
    for block in blocks.all_mut() {
        let sizes = [block.sources().len(), block.output_count()];
        let Some(mut code) = build.law(block.law(), sizes).unwrap() else { continue };
        compiled.push(block.name().to_owned());
        let (mut expected, mut found) = (vec![0.0; sizes[1]], vec![0.0; sizes[1]]);
        for k in 0..5000_u64 {
            let wander = |i: usize| (0.013 * (1.0 + i as f64) * k as f64).sin() + 0.3 * (0.171 * k as f64).cos();
            let signals: Vec<f64> = (0..sizes[0]).map(wander).collect();
            let time = k as f64 * PERIOD;
            let measured = Measured { time, instant: k, state: &state, accelerations: &[], signals: &signals };
            block.law_mut().sample(&measured, &mut expected);
            code.sample(&measured, &mut found);
            assert_eq!(found, expected, "{} in cycle {k}", block.name());
        }
        let memory = code.save();
        assert_eq!(memory, block.law().save());
        let signals = vec![f64::NAN; sizes[0]];
        code.sample(
            &Measured { time: 0.0, instant: 0, state: &state, accelerations: &[], signals: &signals },
            &mut found,
        );
        assert!(found.iter().all(|x| x.is_nan()) && code.save() == memory, "{}", block.name());
        assert!(code.load(&memory) && !code.load(&[0.0; 99]));
    }
    assert_eq!(compiled, ["notch", "regulator", "servo", "observer", "feedback"]);
}

#[test]
fn blocks_that_do_not_become_code_are_named() {
    let model = model();
    assert_eq!(Controller::record(&Blocks::new(), &model).unwrap_err(), ControllerError::Nothing);
    let mut acting = blocks();
    acting.add(Block::new("own", Role::Controller, PERIOD, 1, Sensor).acts(0, 0));
    assert_eq!(Controller::record(&acting, &model).unwrap_err(), ControllerError::NotRecorded { block: "own".into() });
    let mut slow = blocks();
    let law = kind("notch").unwrap().law(&Setting::every(1e-2).with("frequency", 2.0)).unwrap();
    slow.add(Block::new("slow", Role::Observer, 1e-2, 1, law).reads(supple::integrate::BlockIndex(0), 0));
    assert_eq!(Controller::record(&slow, &model).unwrap_err(), ControllerError::OtherInstants { block: "slow".into() });
}
