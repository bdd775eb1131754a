//! Sampled blocks: instants, order, delays, checkpoints.

use crate::motions::{SCHEMES, free};
use std::sync::{Arc, Mutex};
use supple::integrate::{
    AtEvent, Block, BlockError, BlockIndex, Blocks, Crossing, IntegrationError, Measured, Request, Role, Sampled,
    Scheme, Simulation, Stepping, Tolerance,
};
use supple::{
    Body, BodyIndex, Closure, ClosureHandle, ClosureKind, Hinge, HingeKind, Model, ModelBuilder, Mount, NodeIndex,
    Parent, State,
};

const INERTIA: f64 = 2.0;
const PERIOD: f64 = 0.01;
const DELAY: f64 = 2.5;
const GAINS: [f64; 3] = [40.0, 9.0, 25.0];

pub fn wheel() -> (Model, State) {
    let mut builder = ModelBuilder::new();
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
    let inertia = [[INERTIA, 0.0, 0.0], [0.0, INERTIA, 0.0], [0.0, 0.0, INERTIA]];
    builder.body(Body::rigid("wheel", Parent::Ground, hinge, 1.0, [0.0; 3], inertia));
    let model = builder.build().unwrap();
    let mut start = State::new(&model);
    start.time = 0.3;
    start.coordinates[0] = 1.0;
    (model, start)
}

pub type Log = Arc<Mutex<Vec<(&'static str, f64)>>>;

struct Encoder(Log);

impl Sampled for Encoder {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        self.0.lock().unwrap().push(("encoder", measured.time));
        outputs.copy_from_slice(&[measured.state.coordinates[0], measured.state.speeds[0]]);
    }
}

/// Torque against angle, speed and the sum of angles.
struct Pi {
    sum: f64,
    log: Log,
}

impl Sampled for Pi {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        self.log.lock().unwrap().push(("pi", measured.time));
        self.sum += PERIOD * measured.signals[0];
        outputs[0] = -GAINS[0] * measured.signals[0] - GAINS[1] * measured.signals[1] - GAINS[2] * self.sum;
    }

    fn save(&self) -> Vec<f64> {
        vec![self.sum]
    }

    fn load(&mut self, from: &[f64]) -> bool {
        let [sum] = from else { return false };
        self.sum = *sum;
        true
    }
}

/// The controller is added before the sensor that it reads.
pub fn blocks(log: &Log) -> Blocks {
    let mut blocks = Blocks::new();
    let pi = Pi { sum: 0.0, log: Arc::clone(log) };
    let pi = Block::new("pi", Role::Controller, PERIOD, 1, pi).delayed(DELAY);
    blocks.add(pi.reads(BlockIndex(1), 0).reads(BlockIndex(1), 1).acts(0, 0));
    blocks.add(Block::new("encoder", Role::Sensor, PERIOD, 2, Encoder(Arc::clone(log))));
    blocks
}

pub fn stepping(scheme: Scheme, tolerance: f64) -> Stepping {
    match scheme.estimates_error() {
        true => Stepping::Adaptive(Tolerance { relative: tolerance, absolute: tolerance }),
        false => Stepping::Fixed(2e-3),
    }
}

/// Between instants and arrivals the torque is constant, and the motion a parabola.
fn by_hand(end_samples: u64) -> [f64; 2] {
    let ([mut angle, mut speed], mut sum, mut torque) = ([1.0, 0.0], 0.0, 0.0);
    let mut outputs = Vec::new();
    let drift = |torque: f64, [angle, speed]: [f64; 2]| {
        let h = 0.5 * PERIOD;
        [angle + h * speed + 0.5 * h * h * torque / INERTIA, speed + h * torque / INERTIA]
    };
    for k in 0..end_samples {
        sum += PERIOD * angle;
        outputs.push(-GAINS[0] * angle - GAINS[1] * speed - GAINS[2] * sum);
        [angle, speed] = drift(torque, [angle, speed]);
        // Half-way: outputs of two and a half samples before.
        if k >= 2 {
            torque = outputs[k as usize - 2];
        }
        [angle, speed] = drift(torque, [angle, speed]);
    }
    [angle, speed]
}

#[test]
fn a_delayed_controller_is_that_of_the_hand() {
    let (model, start) = wheel();
    let expected = by_hand(100);
    for scheme in SCHEMES {
        let log = Log::default();
        let mut run = Simulation::new(&model, start.clone(), free, scheme, stepping(scheme, 1e-11)).unwrap();
        run.set_blocks(blocks(&log)).unwrap();
        run.advance(start.time + 100.0 * PERIOD).unwrap();
        let found = [run.state().coordinates[0], run.state().speeds[0]];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-7, "{scheme:?}: {found} {expected}");
        }
        assert!(run.ledger().unwrap().balance_error().abs() < 1e-7, "{scheme:?}");
    }
}

/// Each block is called once at each instant, sensors first, whatever steps the integrator takes and whatever it looks for.
#[test]
fn blocks_are_called_at_their_instants_alone() {
    let (model, start) = wheel();
    let instants: Vec<f64> = (0..=50).map(|k| start.time + f64::from(k) * PERIOD).collect();
    for scheme in SCHEMES {
        for tolerance in [1e-8, 5e-9] {
            let log = Log::default();
            let mut run = Simulation::new(&model, start.clone(), free, scheme, stepping(scheme, tolerance)).unwrap();
            run.watch(Crossing::Either, AtEvent::Record, |state| state.coordinates[0]);
            run.set_blocks(blocks(&log)).unwrap();
            run.advance(*instants.last().unwrap()).unwrap();
            let expected: Vec<_> = instants.iter().flat_map(|t| [("encoder", *t), ("pi", *t)]).collect();
            assert_eq!(*log.lock().unwrap(), expected, "{scheme:?} {tolerance:e}");
            assert!(!run.occurrences().is_empty(), "{scheme:?}: the wheel passes zero");
        }
    }
}

/// A run that is interrupted after any of its first steps, with outputs on their way, goes on to the bit.
#[test]
fn interrupted_runs_are_identical() {
    let (model, start) = wheel();
    let end = start.time + 0.2;
    for scheme in SCHEMES {
        let new = || {
            let mut run = Simulation::new(&model, start.clone(), free, scheme, stepping(scheme, 1e-8)).unwrap();
            run.watch(Crossing::Either, AtEvent::Record, |state| state.coordinates[0] - 0.9);
            run.set_blocks(blocks(&Log::default())).unwrap();
            run
        };
        let mut whole = new();
        whole.advance(end).unwrap();
        for steps in [1, 2, 5, 9, 14, 20] {
            let mut first = new();
            for _ in 0..steps {
                first.advance_step(end).unwrap();
            }
            let checkpoint = first.checkpoint();
            let mut second = new();
            second.restore(&checkpoint).unwrap();
            second.advance(end).unwrap();
            assert_eq!(second.checkpoint(), whole.checkpoint(), "{scheme:?} after {steps} steps");
        }
        let mut broken = whole.checkpoint();
        broken.blocks.pop();
        assert!(matches!(whole.restore(&broken), Err(IntegrationError::BadRequest { .. })));
        // Blocks that fit an integrator that does not: nothing is changed.
        let (kept, mut broken) = (whole.checkpoint(), second_start(&new));
        broken.integrator.rates.push(f64::NAN);
        broken.integrator.y.pop();
        assert!(matches!(whole.restore(&broken), Err(IntegrationError::BadRequest { .. })));
        assert_eq!(whole.checkpoint(), kept, "{scheme:?}");
        let mut without = Simulation::new(&model, start.clone(), free, scheme, stepping(scheme, 1e-8)).unwrap();
        assert!(without.restore(&whole.checkpoint()).is_err());
    }
}

/// A checkpoint after one step.
fn second_start(new: &dyn Fn() -> Simulation) -> supple::integrate::SimulationCheckpoint {
    let mut run = new();
    run.advance_step(f64::from(f32::MAX)).unwrap();
    run.checkpoint()
}

struct Nothing;

impl Sampled for Nothing {
    fn sample(&mut self, _: &Measured<'_>, _: &mut [f64]) {}
}

struct NotANumber;

impl Sampled for NotANumber {
    fn sample(&mut self, _: &Measured<'_>, outputs: &mut [f64]) {
        outputs.fill(f64::NAN);
    }
}

#[test]
fn what_cannot_be_connected_is_refused() {
    let (model, start) = wheel();
    let refused = |list: Vec<Block>| {
        let mut run =
            Simulation::new(&model, start.clone(), free, Scheme::DormandPrince, stepping(Scheme::Adams, 1e-6));
        let mut blocks = Blocks::new();
        for block in list {
            blocks.add(block);
        }
        run.as_mut().unwrap().set_blocks(blocks).unwrap_err()
    };
    let block = |name: &str| Block::new(name, Role::Controller, 0.1, 1, Nothing);
    let error = refused(vec![
        block("a").reads(BlockIndex(1), 0),
        block("b").reads(BlockIndex(2), 0),
        block("c").reads(BlockIndex(1), 0),
    ]);
    assert_eq!(error, IntegrationError::Blocks(BlockError::AlgebraicLoop { blocks: vec!["c".into(), "b".into()] }));
    assert!(error.to_string().contains("delay one of them"), "{error}");
    let itself = refused(vec![block("a").reads(BlockIndex(0), 0)]);
    assert!(matches!(itself, IntegrationError::Blocks(BlockError::AlgebraicLoop { .. })));
    // A delay opens the loop.
    let mut run =
        Simulation::new(&model, start.clone(), free, Scheme::DormandPrince, stepping(Scheme::Adams, 1e-6)).unwrap();
    let mut blocks = Blocks::new();
    blocks.add(block("a").reads(BlockIndex(1), 0));
    blocks.add(block("b").reads(BlockIndex(0), 0).delayed(0.5));
    run.set_blocks(blocks).unwrap();
    for period in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let bad = Block::new("bad", Role::Sensor, period, 1, Nothing);
        assert!(matches!(refused(vec![bad]), IntegrationError::Blocks(BlockError::BadTime { quantity: "period", .. })));
    }
    assert!(matches!(refused(vec![block("a").phase(-0.1)]), IntegrationError::Blocks(BlockError::BadTime { .. })));
    assert!(matches!(
        refused(vec![block("a").delayed(f64::NAN)]),
        IntegrationError::Blocks(BlockError::BadTime { .. })
    ));
    assert!(matches!(refused(vec![block("a").acts(0, 7)]), IntegrationError::Blocks(BlockError::NoSuchSpeed { .. })));
    assert!(matches!(
        refused(vec![block("a").reads(BlockIndex(3), 0)]),
        IntegrationError::Blocks(BlockError::NoSuchOutput { .. })
    ));
    let broken = refused(vec![Block::new("broken", Role::Controller, 0.1, 1, NotANumber)]);
    assert!(matches!(broken, IntegrationError::BlockOutput { .. }), "{broken}");
}

/// Asks for a grip to close where two carts have met, and for it to open 0.2 s later; each request once.
struct Gripper {
    grip: ClosureHandle,
    asked: f64,
}

impl Sampled for Gripper {
    fn sample(&mut self, _: &Measured<'_>, _: &mut [f64]) {}

    fn ask(&mut self, measured: &Measured<'_>, requests: &mut Vec<Request>) {
        let met = measured.state.coordinates[1] - measured.state.coordinates[0] <= 1e-9;
        if self.asked == 0.0 && met {
            self.asked = measured.time;
            requests.push(Request::Close { closure: self.grip, restitution: 0.0 });
        } else if self.asked > 0.0 && measured.time > self.asked + 0.195 {
            requests.push(Request::Open { closure: self.grip });
        }
    }

    fn save(&self) -> Vec<f64> {
        vec![self.asked]
    }

    fn load(&mut self, from: &[f64]) -> bool {
        let [asked] = from else { return false };
        self.asked = *asked;
        true
    }
}

/// Two carts on a rail, 0.1 m apart, that meet at 0.1 s.
fn carts() -> (Model, State) {
    let mut builder = ModelBuilder::new();
    for (name, mass) in [("first", 2.0), ("second", 3.0)] {
        let hinge = Hinge::new(HingeKind::Prismatic { axis: [1.0, 0.0, 0.0] });
        let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        builder.body(Body::rigid(name, Parent::Ground, hinge, mass, [0.0; 3], inertia));
    }
    let mount = |body: usize| Mount::node(BodyIndex(body), NodeIndex(0));
    let kind = ClosureKind::PointOnPlane { normal: [1.0, 0.0, 0.0] };
    builder.closure(Closure::joint(kind, mount(0), mount(1)).named("grip"));
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    (state.coordinates[1], state.speeds[0], state.closed[0]) = (0.1, 1.0, false);
    (model, state)
}

/// A controller closes and opens a closure at its instants, or after its delay; a checkpoint keeps requests that are on their way.
#[test]
fn blocks_close_and_open_closures() {
    let (model, start) = carts();
    let grip = model.closure("grip").unwrap();
    for (scheme, delay) in SCHEMES.into_iter().flat_map(|scheme| [(scheme, 0.0), (scheme, 1.5)]) {
        let make = || {
            let mut run = Simulation::new(&model, start.clone(), free, scheme, stepping(scheme, 1e-10)).unwrap();
            let mut blocks = Blocks::new();
            let law = Gripper { grip, asked: 0.0 };
            blocks.add(Block::new("gripper", Role::Controller, 0.05, 0, law).delayed(delay));
            run.set_blocks(blocks).unwrap();
            run
        };
        let mut run = make();
        // Between the instant of the request and its arrival.
        run.advance(0.12).unwrap();
        assert_eq!(run.state().closed[0], delay == 0.0, "{scheme:?}");
        let saved = run.checkpoint();
        run.advance(0.6).unwrap();
        let times: Vec<f64> = run.switched().iter().map(|done| done.time).collect();
        let expected = [0.1, 0.3].map(|time| time + 0.05 * delay);
        assert!(times.len() == 2 && times.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{times:?}");
        let impact = run.switched()[0].impact.unwrap();
        assert!((impact.closing_speed - 1.0).abs() < 1e-9 && (impact.lost - 0.6).abs() < 1e-9, "{impact:?}");
        assert_eq!(run.switched()[1].impact, None);
        assert!(run.state().speeds.iter().all(|speed| (speed - 0.4).abs() < 1e-9), "{scheme:?}");
        assert!(!run.state().closed[0]);
        assert!(run.ledger().unwrap().balance_error().abs() < 1e-9, "{scheme:?}");
        let mut again = make();
        again.restore(&saved).unwrap();
        again.advance(0.6).unwrap();
        assert_eq!(again.state(), run.state(), "{scheme:?}");
        assert_eq!(again.checkpoint(), run.checkpoint(), "{scheme:?}");
    }
}

/// Requests for closures of another model, and restitutions out of range, are refused.
#[test]
fn bad_requests_are_refused() {
    let ((model, start), (other, _)) = (carts(), carts());
    let mut run =
        Simulation::new(&model, start, free, Scheme::DormandPrince, stepping(Scheme::DormandPrince, 1e-8)).unwrap();
    let closure = model.closure("grip").unwrap();
    for request in
        [Request::Open { closure: other.closure("grip").unwrap() }, Request::Close { closure, restitution: 1.5 }]
    {
        let before = run.checkpoint();
        let error = run.switch(&[Request::Close { closure, restitution: 0.0 }, request]).unwrap_err();
        assert!(matches!(error, IntegrationError::Dynamics { .. }), "{error}");
        assert_eq!(run.checkpoint(), before);
    }
}
