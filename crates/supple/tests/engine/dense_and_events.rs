//! The state within a step, and times at which something happens.

use crate::motions::{SCHEMES, free, pendulum, tolerance};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use supple::DynamicsError;
use supple::integrate::{AtEvent, Crossing, Equations, Integrator, Limits, Scheme, Simulation, Stepping, Stop};

/// `ÿ = -y (1 + y²)`, with speeds as mechanics has them.
struct Duffing;

impl Equations for Duffing {
    fn rates(&mut self, _: f64, y: &[f64], rates: &mut [f64]) -> Result<(), DynamicsError> {
        (rates[0], rates[1]) = (y[1], -y[0] * (1.0 + y[0] * y[0]));
        Ok(())
    }

    fn speeds(&self) -> std::ops::Range<usize> {
        1..2
    }

    fn transport(&self, from: &[f64], h: f64, speeds: &[f64], to: &mut [f64]) {
        to[0] = from[0] + h * speeds[0];
    }
}

/// Samples within steps are of the order of the extension, or of the scheme where that is lower.
#[test]
fn order_of_the_dense_output() {
    let start = vec![1.0, 0.0];
    let mut exact =
        Integrator::new(Scheme::PrinceDormand8, Stepping::Fixed(2e-3), Limits::default(), 0.0, start.clone()).unwrap();
    let times: Vec<f64> = (1..40).map(|i| 0.0771 * f64::from(i)).collect();
    let mut reference = Vec::new();
    for time in &times {
        exact.advance(&mut Duffing, *time).unwrap();
        reference.push(exact.state().to_vec());
    }
    for scheme in SCHEMES.into_iter().filter(|scheme| scheme.takes_fixed_steps()) {
        let error = |steps: f64| {
            let h = 4.0 / steps;
            let mut run = Integrator::new(scheme, Stepping::Fixed(h), Limits::default(), 0.0, start.clone()).unwrap();
            let (mut worst, mut y) = (0.0_f64, [0.0; 2]);
            for (time, expected) in times.iter().zip(&reference) {
                while run.time() < *time {
                    run.advance_step(&mut Duffing, 4.0).unwrap();
                }
                run.sample(&mut Duffing, *time, &mut y).unwrap();
                worst = worst.max((y[0] - expected[0]).abs()).max((y[1] - expected[1]).abs());
            }
            worst
        };
        let (coarse, fine) = (error(100.0), error(200.0));
        let order = (coarse / fine).log2();
        let expected = match scheme {
            Scheme::GeneralizedAlpha { .. } => 2.0,
            Scheme::DormandPrince => 5.0,
            _ => 4.0,
        };
        println!("{scheme:?}: {coarse:.2e} {fine:.2e}, order {order:.2}");
        assert!((order - expected).abs() < 0.35, "{scheme:?}: {order} from {coarse:e} {fine:e}");
    }
    let mut y = [0.0; 2];
    assert!(exact.sample(&mut Duffing, 0.1, &mut y).is_err(), "long gone");
}

/// Observed states do not shorten the steps and agree with those of a run that stops there.
#[test]
fn observing_leaves_the_steps_alone() {
    let (model, start) = pendulum();
    let times: Vec<f64> = (0..=100).map(|i| 0.05 * f64::from(i)).collect();
    for scheme in [Scheme::DormandPrince, Scheme::LinearlyImplicit] {
        let mut plain = Simulation::new(&model, start.clone(), free, scheme, tolerance(1e-7)).unwrap();
        plain.advance(5.0).unwrap();
        let mut observed = Simulation::new(&model, start.clone(), free, scheme, tolerance(1e-7)).unwrap();
        let mut exact = Simulation::new(&model, start.clone(), free, Scheme::PrinceDormand8, tolerance(1e-12)).unwrap();
        let mut count = 0;
        observed
            .advance_observing(5.0, &times, |state| {
                exact.advance(state.time).unwrap();
                assert!(
                    (state.coordinates[0] - exact.state().coordinates[0]).abs() < 1e-5,
                    "{scheme:?} {}",
                    state.time
                );
                count += 1;
            })
            .unwrap();
        assert_eq!(count, times.len());
        assert_eq!(plain.state(), observed.state());
        assert_eq!(plain.statistics().accepted, observed.statistics().accepted);
    }
}

const PERIOD: f64 = 2.36784194757624;

/// The pendulum passes the vertical at odd quarters of its period, falling first.
#[test]
fn the_pendulum_passes_the_vertical() {
    let (model, start) = pendulum();
    for scheme in SCHEMES {
        let (stepping, allowed) = match scheme {
            Scheme::GeneralizedAlpha { .. } => (Stepping::Fixed(2e-4), 2e-6),
            Scheme::Bdf => (tolerance(1e-13), 1e-10),
            scheme if scheme.estimates_error() => (tolerance(1e-12), 1e-10),
            _ => (Stepping::Fixed(1e-3), 1e-10),
        };
        let mut run = Simulation::new(&model, start.clone(), free, scheme, stepping).unwrap();
        let angle = |state: &supple::State| state.coordinates[0];
        let every = run.watch(Crossing::Either, AtEvent::Record, angle);
        let rising = run.watch(Crossing::Rising, AtEvent::Record, angle);
        let turning = run.watch(Crossing::Rising, AtEvent::Record, |state| state.speeds[0]);
        assert_eq!(run.advance(10.0).unwrap(), Stop::End);
        assert_eq!(run.state().time, 10.0);
        let times = |event: usize| -> Vec<f64> {
            run.occurrences().iter().filter(|o| o.event == event).map(|o| o.state.time).collect()
        };
        let expected: Vec<f64> = (0..8).map(|k| 0.25 * PERIOD * f64::from(2 * k + 1)).collect();
        assert_eq!(times(every).len(), 8, "{scheme:?}");
        for (found, expected) in times(every).iter().zip(&expected) {
            assert!((found - expected).abs() < allowed, "{scheme:?}: {found} {expected} {:e}", found - expected);
        }
        let second: Vec<f64> = expected.iter().copied().skip(1).step_by(2).collect();
        assert_eq!(times(rising).len(), second.len());
        for (found, expected) in times(rising).iter().zip(&second) {
            assert!((found - expected).abs() < allowed, "{scheme:?}: {found} {expected}");
        }
        for (found, k) in times(turning).iter().zip(0..) {
            assert!((found - PERIOD * (f64::from(k) + 0.5)).abs() < allowed, "{scheme:?}: {found}");
        }
        // In order of time.
        assert!(run.occurrences().windows(2).all(|w| w[0].state.time <= w[1].state.time));
    }
}

/// A terminal event stops there, and the motion goes on from there without meeting it again.
#[test]
fn a_terminal_event_stops() {
    let (model, start) = pendulum();
    for scheme in SCHEMES {
        let stepping = if scheme.estimates_error() { tolerance(1e-10) } else { Stepping::Fixed(1e-3) };
        let calls = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&calls);
        let mut run = Simulation::new(&model, start.clone(), free, scheme, stepping).unwrap();
        run.watch(Crossing::Either, AtEvent::Stop, move |state| {
            counted.fetch_add(1, Ordering::Relaxed);
            state.coordinates[0]
        });
        for k in 0..4 {
            assert_eq!(run.advance(10.0).unwrap(), Stop::Event(0), "{scheme:?}");
            let expected = 0.25 * PERIOD * f64::from(2 * k + 1);
            let allowed = if scheme.order() == 2 { 2e-5 } else { 1e-7 };
            assert!((run.state().time - expected).abs() < allowed, "{scheme:?} {k}: {}", run.state().time);
            assert!(run.state().coordinates[0].abs() < 1e-11, "{scheme:?}: {:e}", run.state().coordinates[0]);
        }
        assert_eq!(run.occurrences().len(), 4);
        assert!(calls.load(Ordering::Relaxed) > 0);
    }
}

/// Recorded events change nothing in the motion.
#[test]
fn recording_leaves_the_motion_alone() {
    let (model, start) = pendulum();
    for scheme in SCHEMES {
        let stepping = if scheme.estimates_error() { tolerance(1e-8) } else { Stepping::Fixed(1e-3) };
        let mut plain = Simulation::new(&model, start.clone(), free, scheme, stepping).unwrap();
        plain.advance(3.0).unwrap();
        let mut watched = Simulation::new(&model, start.clone(), free, scheme, stepping).unwrap();
        watched.watch(Crossing::Either, AtEvent::Record, |state| state.coordinates[0]);
        watched.advance(3.0).unwrap();
        assert!(!watched.occurrences().is_empty());
        assert_eq!(plain.state(), watched.state(), "{scheme:?}");
    }
}
