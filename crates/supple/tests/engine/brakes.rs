//! Brakes that sampled blocks work: a pendulum that falls from the horizontal is stopped, held, let go, or slips.

use crate::motions::{SCHEMES, free};
use crate::sampled_blocks::stepping;
use supple::integrate::{
    Block, BlockError, Blocks, Brake, IntegrationError, Measured, Role, Sampled, Scheme, Simulation, Stepping,
};
use supple::{Body, BodyIndex, Hinge, HingeKind, Model, ModelBuilder, Parent, State};

const GRAVITY: f64 = 9.81;
const INERTIA: f64 = 1.1;
const PERIOD: f64 = 0.01;
/// When the brake is engaged and let go.
const BRAKED: [f64; 2] = [0.1, 1.2];

fn pendulum(speed: f64) -> (Model, State) {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -GRAVITY]);
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
    let inertia = [[0.1, 0.0, 0.0], [0.0, INERTIA, 0.0], [0.0, 0.0, INERTIA]];
    builder.body(Body::rigid("bob", Parent::Ground, hinge, 1.0, [1.0, 0.0, 0.0], inertia));
    let model = builder.build().unwrap();
    let mut start = State::new(&model);
    start.speeds[0] = speed;
    (model, start)
}

/// Asks for a rate of decay for a time.
struct Lever;

impl Sampled for Lever {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let [from, to] = BRAKED;
        outputs[0] = if (from - 1e-9..to - 1e-9).contains(&measured.time) { 50.0 } else { 0.0 };
    }
}

fn blocks(body: usize, most: f64) -> Blocks {
    let mut blocks = Blocks::new();
    let brake = Brake { body: BodyIndex(body), most, slow: 1e-3 };
    blocks.add(Block::new("lever", Role::Controller, PERIOD, 1, Lever).brakes(0, brake));
    blocks
}

fn run(scheme: Scheme, speed: f64, most: f64) -> Simulation {
    let (model, start) = pendulum(speed);
    let stepping = match scheme {
        // Of second order.
        Scheme::GeneralizedAlpha { .. } => Stepping::Fixed(2e-4),
        _ => stepping(scheme, 1e-9),
    };
    let mut run = Simulation::new(&model, start, free, scheme, stepping).unwrap();
    run.set_blocks(blocks(0, most)).unwrap();
    run
}

/// Falling or rising, the pendulum stops, stays where it is, and falls on when it is let go; what the brake takes is in the ledger.
#[test]
fn a_brake_stops_a_pendulum_and_bears_it() {
    for scheme in SCHEMES {
        for speed in [0.0, -3.0] {
            let mut run = run(scheme, speed, 20.0);
            run.advance(1.0).unwrap();
            let held = run.state().coordinates[0];
            assert!(run.state().speeds[0].abs() < 1e-9, "{scheme:?}: {:e}", run.state().speeds[0]);
            let effort = run.dynamics().unwrap().1[0];
            assert!((effort + GRAVITY * held.cos()).abs() < 1e-6, "{scheme:?}: {effort} at {held}");
            run.advance(1.2).unwrap();
            assert!((run.state().coordinates[0] - held).abs() < 1e-10, "{scheme:?}");
            let ledger = run.ledger().unwrap();
            assert!(ledger.work < 0.0 && ledger.balance_error().abs() < 1e-5, "{scheme:?}: {ledger:?}");
            run.advance(1.4).unwrap();
            let fallen = run.state().coordinates[0] - held;
            // Half of (g cos θ / 1.1) t², a little less as it turns down.
            assert!((fallen / (0.02 * GRAVITY * held.cos() / INERTIA) - 1.0).abs() < 0.15, "{scheme:?}: {fallen}");
            assert_eq!(run.inputs().prescribed, [false]);
        }
    }
}

/// A brake that is too weak slips: it gives what it has against the motion, all the time, and no more.
#[test]
fn a_brake_that_is_too_weak_slips() {
    const MOST: f64 = 5.0;
    for scheme in SCHEMES {
        let mut run = run(scheme, 0.0, MOST);
        run.advance(BRAKED[0]).unwrap();
        let [from, work] = [run.state().coordinates[0], run.body_works()[0]];
        let mut last = run.state().speeds[0];
        for instant in 1..=30 {
            run.advance(BRAKED[0] + f64::from(instant) * PERIOD).unwrap();
            assert!(run.state().speeds[0] > last, "{scheme:?}: it falls");
            last = run.state().speeds[0];
            assert_eq!(run.inputs().prescribed, [false]);
        }
        let (turned, work) = (run.state().coordinates[0] - from, run.body_works()[0] - work);
        assert!(turned > 0.2 && (work + MOST * turned).abs() < 1e-5, "{scheme:?}: {work} over {turned}");
    }
}

/// A brake does not push: a pendulum that rises slows down by its weight at least.
#[test]
fn a_brake_does_not_push() {
    let mut run = run(Scheme::DormandPrince, -1.5, 1e3);
    let mut before = 0.0;
    while run.state().time < 1.0 {
        let (time, speed) = (run.state().time, run.state().speeds[0]);
        run.advance(time + PERIOD).unwrap();
        let work = run.body_works()[0];
        if speed.abs() > 0.02 {
            assert!(work <= before + 1e-12, "at {time} s: {work} after {before}");
        }
        before = work;
    }
    assert!(before < -0.1 && run.state().speeds[0].abs() < 1e-9);
}

/// A run that is interrupted while it holds or slips goes on to the bit.
#[test]
fn interrupted_runs_with_brakes_are_identical() {
    for most in [5.0, 20.0] {
        for scheme in SCHEMES {
            let mut whole = run(scheme, 0.0, most);
            whole.advance(0.3).unwrap();
            let mut again = run(scheme, 0.0, most);
            again.advance_step(0.3).unwrap();
            while again.state().time < 0.155 {
                again.advance_step(0.3).unwrap();
            }
            let saved = again.checkpoint();
            let mut resumed = run(scheme, 0.0, most);
            resumed.restore(&saved).unwrap();
            resumed.advance(0.3).unwrap();
            assert_eq!(resumed.state(), whole.state(), "{scheme:?} with {most} N m");
            assert_eq!(resumed.body_works(), whole.body_works(), "{scheme:?} with {most} N m");
        }
    }
}

#[test]
fn brakes_that_make_no_sense_are_refused() {
    let (model, start) = pendulum(0.0);
    for (body, most) in [(1, 1.0), (0, -1.0), (0, f64::NAN)] {
        let mut run =
            Simulation::new(&model, start.clone(), free, Scheme::DormandPrince, stepping(Scheme::DormandPrince, 1e-8))
                .unwrap();
        let error = run.set_blocks(blocks(body, most)).unwrap_err();
        assert_eq!(error, IntegrationError::Blocks(BlockError::BadBrake { block: "lever".into(), body }));
    }
}
