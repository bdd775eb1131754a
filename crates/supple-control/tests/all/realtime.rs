//! A controller and a plant that send each other frames, with everything that can go wrong in between.

mod endings;

use crate::counting_allocator::allocations;
use supple::integrate::{Block, BlockIndex, Blocks, Measured, Network, Role, Sampled};
use supple::{Body, Hinge, HingeKind, Model, ModelBuilder, Parent, State};
use supple_control::realtime::{
    Controller, DeadlinePolicy, DriveLimits, DrivePlace, DriveSignals, Drives, Fault, FrozenWatch, Key, LinkPlan,
    MOST_BYTES, Measurements, Places, Received, SignalWatch, decode,
};

const PERIOD: f64 = 2e-3;
const INERTIA: f64 = 3.0;
const KEY: Key = Key([5, 7]);

/// Turns the hinge: proportional and derivative towards a sine.
struct Follow {
    /// When its output is no number, and whether it was one so far.
    fails_at: f64,
    is_sound: bool,
}

impl Sampled for Follow {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let [position, speed] = measured.signals else { return };
        assert!(self.is_sound, "called again after it failed");
        self.is_sound = measured.time < self.fails_at;
        let (wanted, rate) = ((0.8 * measured.time).sin(), 0.8 * (0.8 * measured.time).cos());
        outputs[0] = 300.0 * (wanted - position) + 60.0 * (rate - speed);
        if !self.is_sound {
            outputs[0] = f64::NAN;
        }
    }
}

fn arm() -> Model {
    let mut builder = ModelBuilder::new();
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
    let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0 + INERTIA, 0.0], [0.0, 0.0, INERTIA]];
    builder.body(Body::rigid("link", Parent::Ground, hinge, 1.0, [0.1, 0.0, 0.0], inertia));
    builder.build().unwrap()
}

fn plan(policy: DeadlinePolicy) -> LinkPlan {
    let limits = DriveLimits { position: [-2.0, 2.0], speed: 2.0, acceleration: 60.0, effort: 60.0, effort_rate: 1e6 };
    LinkPlan {
        start: 0.0,
        period: PERIOD,
        measurements: vec![limits.position_bounds(true), limits.speed_bounds()],
        expected: vec![(0, 0.0)],
        warm_up: 0,
        commands: 1,
        drives: vec![DriveSignals { position: 0, speed: 1, efforts: vec![0], limits }],
        losses: 10,
        policy,
    }
}

/// Both sides, and the hinge between them.
struct Rig {
    controller: Controller,
    drives: Drives,
    position: f64,
    speed: f64,
    effort: f64,
    cycle: u64,
    up: [u8; MOST_BYTES],
    down: [u8; MOST_BYTES],
    /// The frame on its way to the plant.
    pending: usize,
    /// Frames that wait for the controller.
    waiting: Vec<Vec<u8>>,
}

/// What is done to a cycle.
#[derive(Default, Clone, Copy)]
struct Trouble<'a> {
    lose_up: bool,
    lose_down: bool,
    measured: Option<[f64; 2]>,
    extra_up: Option<&'a [u8]>,
    extra_down: Option<&'a [u8]>,
    late: bool,
    /// The controller does not run: what comes waits for it.
    asleep: bool,
}

impl Rig {
    fn new(policy: DeadlinePolicy) -> Self {
        Self::failing(policy, f64::INFINITY)
    }

    fn failing(policy: DeadlinePolicy, fails_at: f64) -> Self {
        let (model, plan) = (arm(), plan(policy));
        let mut blocks = Blocks::new();
        blocks.add(Block::new("measured", Role::Sensor, PERIOD, 2, Measurements));
        let law = Block::new("follow", Role::Controller, PERIOD, 1, Follow { fails_at, is_sound: true });
        blocks.add(law.reads(BlockIndex(0), 0).reads(BlockIndex(0), 1));
        let network = Network::new(blocks, &model, 0.0).unwrap();
        let places = Places {
            measurements: vec![(BlockIndex(0), 0), (BlockIndex(0), 1)],
            commands: vec![(BlockIndex(1), 0)],
            state: Default::default(),
        };
        let place = DrivePlace { coordinate: 0, speed: 0 };
        let frozen = FrozenWatch::new(model.clone(), State::new(&model), vec![place], PERIOD, [0.1, 1e-3]);
        let state = State::new(&model);
        Self {
            controller: Controller::new(plan.clone(), (network, places), state, Some(frozen), (KEY, 9)),
            drives: Drives::new(plan, KEY, 9),
            position: 0.0,
            speed: 0.0,
            effort: 0.0,
            cycle: 0,
            up: [0; MOST_BYTES],
            down: [0; MOST_BYTES],
            pending: 0,
            waiting: Vec::new(),
        }
    }

    /// A cycle of both; the command of the cycle before arrives first.
    fn cycle(&mut self, trouble: Trouble<'_>) {
        let k = self.cycle;
        if let Some(extra) = trouble.extra_down {
            self.drives.receive(extra, k);
        }
        if self.pending > 0 {
            self.drives.receive(&self.down[..self.pending], k);
        }
        self.effort = self.drives.settle(k, k > 0).map_or(-60.0 * self.speed, |commands| commands[0]);
        let measured = trouble.measured.unwrap_or([self.position, self.speed]);
        let length = self.drives.write(k, &measured, &mut self.up).unwrap();
        if trouble.asleep {
            self.waiting.push(self.up[..length].to_vec());
        } else if !trouble.lose_up {
            for frame in self.waiting.drain(..) {
                self.controller.receive(&frame);
            }
            self.controller.receive(&self.up[..length]);
        }
        if let Some(extra) = trouble.extra_up {
            self.controller.receive(extra);
        }
        let sends = !trouble.asleep && self.controller.compute() && (!trouble.late || self.controller.miss_deadline());
        self.pending = if sends { self.controller.write(&mut self.down).unwrap() } else { 0 };
        if trouble.lose_down {
            self.pending = 0;
        }
        self.speed += PERIOD * self.effort / INERTIA;
        self.position += PERIOD * self.speed;
        self.cycle += 1;
    }

    fn run(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.cycle(Trouble::default()));
    }

    fn faults(&self) -> [Vec<Fault>; 2] {
        let of = |log: &[supple_control::realtime::Entry]| log.iter().filter_map(|entry| entry.fault).collect();
        [of(self.controller.supervisor().log()), of(self.drives.supervisor().log())]
    }

    fn is_safe(&self) -> [bool; 2] {
        [self.controller.supervisor().is_safe(), self.drives.supervisor().is_safe()]
    }
}

/// Trouble in one cycle leads both sides into the safe state within two, with one line each, and the hinge stops.
fn ends_safely(trouble: impl Fn(&Rig) -> Trouble<'static>, expected: [Fault; 2]) {
    let mut rig = Rig::new(DeadlinePolicy::Hold);
    rig.run(1000);
    assert_eq!(rig.is_safe(), [false; 2]);
    assert!(rig.speed.abs() > 0.01, "{}", rig.speed);
    let trouble = trouble(&rig);
    rig.cycle(trouble);
    rig.run(2);
    assert_eq!((rig.is_safe(), rig.faults()), ([true; 2], expected.map(|fault| vec![fault])));
    rig.run(2000);
    assert_eq!(rig.faults(), expected.map(|fault| vec![fault]), "logged once");
    assert!(rig.speed.abs() < 1e-6, "{}", rig.speed);
    // Nothing but an acknowledgement leads back.
    assert_eq!(rig.is_safe(), [true; 2]);
    rig.controller.acknowledge();
    rig.run(100);
    assert_eq!(rig.is_safe(), [false; 2], "{:?}", rig.faults());
    assert_eq!(rig.controller.supervisor().log().len(), 2, "left, once");
    rig.run(2000);
    let wanted = (0.8 * rig.cycle as f64 * PERIOD).sin();
    assert!((rig.position - wanted).abs() < 0.05, "{} {wanted}", rig.position);
}

#[test]
fn values_that_cannot_be_end_safely() {
    let kinds = [
        (0, f64::NAN, Fault::NotFinite),
        (1, f64::INFINITY, Fault::NotFinite),
        (0, 3.0, Fault::OutOfRange),
        (1, -2.5, Fault::OutOfRange),
    ];
    for (signal, value, fault) in kinds {
        let trouble = move |rig: &Rig| {
            let mut measured = [rig.position, rig.speed];
            measured[signal] = value;
            Trouble { measured: Some(measured), ..Trouble::default() }
        };
        ends_safely(trouble, [fault, Fault::Peer]);
    }
    let jump = |rig: &Rig| Trouble { measured: Some([rig.position + 0.1, rig.speed]), ..Trouble::default() };
    ends_safely(jump, [Fault::TooFast, Fault::Peer]);
    let degrees = |rig: &Rig| Trouble { measured: Some([rig.position.to_degrees(), rig.speed]), ..Trouble::default() };
    ends_safely(degrees, [Fault::Degrees, Fault::Peer]);
}

/// Bytes that live as long as the test.
fn kept(bytes: &[u8]) -> &'static [u8] {
    bytes.to_vec().leak()
}

#[test]
fn forged_and_replayed_frames_end_safely() {
    let up = |rig: &Rig| rig.up[..48 + 16 + 8].to_vec();
    let down = |rig: &Rig| rig.down[..rig.pending].to_vec();
    let forged = |mut bytes: Vec<u8>| {
        bytes[50] ^= 1;
        kept(&bytes)
    };
    let trouble = |rig: &Rig| Trouble { extra_up: Some(forged(up(rig))), ..Trouble::default() };
    ends_safely(trouble, [Fault::Forged, Fault::Peer]);
    let trouble = |rig: &Rig| Trouble { extra_up: Some(kept(&up(rig))), ..Trouble::default() };
    ends_safely(trouble, [Fault::Replayed, Fault::Peer]);
    let trouble = |rig: &Rig| Trouble { extra_down: Some(forged(down(rig))), ..Trouble::default() };
    ends_safely(trouble, [Fault::Peer, Fault::Forged]);
    let trouble = |_: &Rig| Trouble { extra_up: Some(kept(b"nonsense")), ..Trouble::default() };
    ends_safely(trouble, [Fault::Forged, Fault::Peer]);
}

/// A controller that did not run for a while finds several frames: their values are compared with those before all of them, so that nothing has moved too fast.
#[test]
fn frames_that_come_together_are_no_jump() {
    let mut rig = Rig::new(DeadlinePolicy::Hold);
    rig.run(100);
    let before = rig.position;
    (0..8).for_each(|_| rig.cycle(Trouble { asleep: true, ..Trouble::default() }));
    rig.run(2);
    assert!((rig.position - before).abs() > 2.1 * PERIOD, "further than the limit of speed allows in a cycle");
    assert_eq!(rig.is_safe(), [false; 2], "{:?}", rig.faults());
    rig.run(1000);
    assert_eq!(rig.faults(), [vec![], vec![]]);
}

/// The same frame once more, after it was taken.
#[test]
fn a_replayed_command_is_refused() {
    let mut rig = Rig::new(DeadlinePolicy::Hold);
    rig.run(500);
    let old = rig.down[..rig.pending].to_vec();
    rig.run(1);
    rig.cycle(Trouble { extra_down: Some(&old), ..Trouble::default() });
    rig.run(1);
    assert_eq!((rig.is_safe(), rig.faults()), ([true; 2], [vec![Fault::Peer], vec![Fault::Replayed]]));
    // And one of another session.
    let mut rig = Rig::new(DeadlinePolicy::Hold);
    rig.run(5);
    let other = Drives::new(plan(DeadlinePolicy::Hold), KEY, 10).write(6, &[0.0; 2], &mut [0; MOST_BYTES]).unwrap();
    let mut bytes = [0; MOST_BYTES];
    Drives::new(plan(DeadlinePolicy::Hold), KEY, 10).write(6, &[0.0; 2], &mut bytes).unwrap();
    assert_eq!(rig.controller.receive(&bytes[..other]), Received::Refused);
    rig.run(1);
    assert_eq!(rig.faults()[0], [Fault::Foreign]);
}

/// One frame in twenty is lost in each direction, at random, for a minute: the sine is followed. Ten in a row are too many.
#[test]
fn losses_are_ridden_out_up_to_the_stated_number() {
    let mut rig = Rig::new(DeadlinePolicy::Hold);
    let mut seed = 4_u64;
    let mut lose = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33).is_multiple_of(20)
    };
    for _ in 0..30_000 {
        rig.cycle(Trouble { lose_up: lose(), lose_down: lose(), ..Trouble::default() });
        let wanted = (0.8 * rig.cycle as f64 * PERIOD).sin();
        assert!((rig.position - wanted).abs() < 0.05, "{} {wanted}", rig.position);
    }
    assert_eq!((rig.is_safe(), rig.faults()), ([false; 2], [vec![], vec![]]));
    let [lost, _] = rig.controller.supervisor().losses();
    assert!((1300..1700).contains(&lost), "{lost}");
    // Nine are borne, ten are not: by the plant where commands stay away, by the controller where measurements do.
    for (up, down) in [(true, false), (false, true)] {
        for (count, safe) in [(9, false), (10, true)] {
            let mut rig = Rig::new(DeadlinePolicy::Hold);
            rig.run(300);
            for _ in 0..count {
                rig.cycle(Trouble { lose_up: up, lose_down: down, ..Trouble::default() });
            }
            rig.run(3);
            assert_eq!(rig.is_safe(), [safe; 2], "{count} {up}");
            let own = if up { 0 } else { 1 };
            assert_eq!(rig.faults()[own].contains(&Fault::Lost), safe);
        }
    }
}

/// A moving encoder that freezes is found within the stated time; an arm at rest, held against nothing, is not frozen.
#[test]
fn a_frozen_encoder_is_not_an_arm_at_rest() {
    let mut rig = Rig::new(DeadlinePolicy::Hold);
    rig.run(500);
    let frozen = [rig.position, rig.speed];
    let stated = (0.1 / PERIOD) as u64;
    let mut cycles = 0;
    while !rig.is_safe()[0] {
        rig.cycle(Trouble { measured: Some([frozen[0], rig.speed]), ..Trouble::default() });
        cycles += 1;
        assert!(cycles <= stated + 2, "{cycles}");
    }
    assert_eq!(rig.faults()[0], [Fault::Frozen]);
    assert!(cycles + 5 > stated, "{cycles}");

    let model = arm();
    let place = DrivePlace { coordinate: 0, speed: 0 };
    let mut watch = FrozenWatch::new(model.clone(), State::new(&model), vec![place], PERIOD, [0.1, 1e-3]);
    for _ in 0..100_000 {
        assert_eq!(watch.observe(&[0.7], &[0.0]), None);
    }
    // A hinge that is pushed and does not move is stuck or frozen.
    assert!((0..200).any(|_| watch.observe(&[0.7], &[20.0]).is_some()));
}

#[test]
fn deadlines_are_dealt_with_as_the_policy_says() {
    let late = Trouble { late: true, ..Trouble::default() };
    let command = |rig: &Rig| {
        let frame = decode(&rig.down[..rig.pending], &KEY).unwrap();
        (frame.values().next().unwrap(), frame.header.flags.0)
    };
    let mut hold = Rig::new(DeadlinePolicy::Hold);
    hold.run(300);
    let before = command(&hold).0;
    hold.cycle(late);
    assert_eq!(command(&hold), (before, 2), "the same once more, and the flag in the same cycle");
    hold.run(1);
    assert!(command(&hold).0 != before && command(&hold).1 == 0);

    // The plant says so too, in the very frame.
    hold.drives.begin_late(true);
    hold.run(1);
    assert!(hold.controller.is_plant_late());
    hold.drives.begin_late(false);
    hold.run(1);
    assert!(!hold.controller.is_plant_late());

    let mut skip = Rig::new(DeadlinePolicy::Skip);
    skip.run(300);
    skip.cycle(late);
    assert_eq!(skip.pending, 0);
    skip.run(5);
    assert_eq!((skip.is_safe(), skip.drives.supervisor().losses()[0]), ([false; 2], 1));

    let mut stop = Rig::new(DeadlinePolicy::Stop);
    stop.run(300);
    stop.cycle(late);
    assert_eq!(command(&stop), (0.0, 1 | 2));
    stop.run(2);
    assert_eq!((stop.is_safe(), stop.faults()), ([true; 2], [vec![Fault::Overrun], vec![Fault::Peer]]));
}
