//! Integrations end with a reason, keep what they have, allocate nothing, and go on bit by bit.

use crate::counting_allocator::allocations;
use crate::motions::{SCHEMES, free, heavy_top, pendulum, tolerance};
use std::time::{Duration, Instant};
use supple::force::{ForceElement, HingeDamping, Port, SpringDamper};
use supple::integrate::{
    AtEvent, Crossing, Equations, IntegrationError, Integrator, Limits, Scheme, Simulation, Stepping, Tolerance,
};
use supple::testkit::{ChainOptions, Prepared, serial_chain};
use supple::{BodyIndex, DynamicsError, Inputs, NodeIndex, State};

fn stepping(scheme: Scheme) -> Stepping {
    if scheme.estimates_error() { tolerance(1e-8) } else { Stepping::Fixed(1e-3) }
}

/// A flexible chain with constant forces, a damper and a cable.
fn chain() -> (Prepared<f64>, impl FnMut(&State, &mut Inputs) + Clone) {
    let (mut system, random) = serial_chain(3, 2, &ChainOptions::default());
    let cable = SpringDamper { length: 1.0, stiffness: 20.0, damping: 0.5, preload: 1.0 };
    system.forces = vec![
        ForceElement::new(HingeDamping { damping: 0.2 }, [Port::hinge(BodyIndex(0))]),
        ForceElement::new(cable, [Port::Ground { position: [0.3, 1.0, 2.0] }, Port::node(BodyIndex(1), NodeIndex(1))]),
    ];
    let at = Prepared::new(&system, &random);
    let forces = at.inputs.forces.clone();
    (at, move |_: &State, inputs: &mut Inputs| inputs.forces.copy_from_slice(&forces))
}

#[test]
fn steps_allocate_nothing() {
    let (at, drive) = chain();
    for scheme in SCHEMES {
        let mut run = Simulation::new(&at.model, at.state.clone(), drive.clone(), scheme, stepping(scheme)).unwrap();
        run.watch(Crossing::Rising, AtEvent::Record, |state| state.time - 1e9);
        let start = at.state.time;
        run.advance(start + 0.01).unwrap();
        let before = run.statistics().accepted;
        let count = allocations(|| {
            run.advance(start + 0.1).unwrap();
            run.advance_observing(start + 0.12, &[start + 0.11, start + 0.115], |_| {}).unwrap();
            let _ = run.ledger().unwrap();
        });
        assert!(run.statistics().accepted > before + 10, "{scheme:?}");
        assert_eq!(count, 0, "{scheme:?}");
    }
}

/// Laid aside at any step and taken up in a new simulation, a motion is the same to the last bit.
#[test]
fn resumed_runs_are_identical() {
    let (at, drive) = chain();
    let end = at.state.time + 0.2;
    for scheme in SCHEMES {
        let new = || {
            let mut run =
                Simulation::new(&at.model, at.state.clone(), drive.clone(), scheme, stepping(scheme)).unwrap();
            run.watch(Crossing::Either, AtEvent::Record, |state| state.speeds[0]);
            run
        };
        let mut whole = new();
        whole.advance(end).unwrap();
        for steps in [0, 1, 4, 9, 23] {
            let mut first = new();
            for _ in 0..steps {
                first.advance_step(end).unwrap();
            }
            let aside = first.checkpoint();
            assert_eq!(aside, aside.clone());
            let mut second = new();
            second.advance(at.state.time + 0.017).unwrap();
            second.restore(&aside).unwrap();
            assert_eq!(second.state(), first.state());
            second.advance(end).unwrap();
            assert_eq!(second.state(), whole.state(), "{scheme:?} after {steps} steps");
            assert_eq!(second.ledger().unwrap(), whole.ledger().unwrap(), "{scheme:?}");
            assert_eq!(second.checkpoint().integrator.y, whole.checkpoint().integrator.y);
            assert_eq!(second.statistics(), whole.statistics(), "{scheme:?} after {steps} steps");
        }
    }
}

/// A budget of steps ends a run with everything kept, and a larger one lets it go on as if nothing had happened.
#[test]
fn budgets_interrupt_without_trace() {
    let (at, drive) = chain();
    let end = at.state.time + 0.2;
    for scheme in SCHEMES {
        let new = || Simulation::new(&at.model, at.state.clone(), drive.clone(), scheme, stepping(scheme)).unwrap();
        let mut whole = new();
        whole.advance(end).unwrap();
        let mut run = new();
        run.set_limits(Limits { steps: 12, ..Limits::default() }).unwrap();
        let error = run.advance(end).unwrap_err();
        assert!(matches!(error, IntegrationError::TooManySteps { steps: 12, .. }), "{error}");
        assert!(run.state().time > at.state.time && run.state().time < end && run.ledger().is_ok());
        run.set_limits(Limits::default()).unwrap();
        run.advance(end).unwrap();
        assert_eq!(run.state(), whole.state(), "{scheme:?}");

        // A busy machine may hold up one try, not all of them.
        let mut late = new();
        let mut elapsed = Duration::MAX;
        for _ in 0..10 {
            late = new();
            late.set_limits(Limits { wall: Some(Duration::from_millis(20)), ..Limits::default() }).unwrap();
            let clock = Instant::now();
            let error = late.advance(at.state.time + 1e6).unwrap_err();
            assert!(matches!(error, IntegrationError::OutOfTime { .. }), "{scheme:?}: {error}");
            elapsed = elapsed.min(clock.elapsed());
            if elapsed < Duration::from_millis(120) && late.state().time > at.state.time {
                break;
            }
        }
        assert!(elapsed < Duration::from_millis(120), "{scheme:?}: {elapsed:?}");
        assert!(late.state().time > at.state.time && late.state().speeds.iter().all(|x| x.is_finite()));
    }
}

#[test]
fn checkpoints_of_something_else_are_refused() {
    let (model, state) = pendulum();
    let (top, spinning) = heavy_top();
    let run = |scheme| Simulation::new(&model, state.clone(), free, scheme, stepping(scheme)).unwrap();
    let mut other = Simulation::new(&top, spinning, free, Scheme::RungeKutta4, Stepping::Fixed(1e-3)).unwrap();
    let mut adams = run(Scheme::ExponentialAdams);
    adams.advance(0.1).unwrap();
    for wrong in [adams.checkpoint(), run(Scheme::generalized_alpha(0.5)).checkpoint()] {
        assert!(matches!(other.restore(&wrong), Err(IntegrationError::BadRequest { .. })));
        assert!(matches!(run(Scheme::DormandPrince).restore(&wrong), Err(IntegrationError::BadRequest { .. })));
    }
    let mut longer = other.checkpoint();
    longer.integrator.y[..4].iter_mut().for_each(|x| *x *= 1.1);
    assert!(matches!(
        other.restore(&longer),
        Err(IntegrationError::Dynamics { source: DynamicsError::NotUnit { .. }, .. })
    ));
    let mut broken = adams.checkpoint();
    broken.integrator.y[0] = f64::NAN;
    assert!(matches!(adams.restore(&broken), Err(IntegrationError::BadRequest { .. })));
    let mut broken = adams.checkpoint();
    broken.integrator.scheme[0] = 1e9;
    assert!(matches!(adams.restore(&broken), Err(IntegrationError::BadRequest { .. })));
    adams.advance(0.2).unwrap();
}

/// Requests that make no sense are refused with what is wrong with them.
#[test]
fn nonsense_is_refused() {
    let (model, state) = pendulum();
    let new = |scheme, stepping: Stepping| Simulation::new(&model, state.clone(), free, scheme, stepping).map(|_| ());
    let adaptive = |relative, absolute| Stepping::Adaptive(Tolerance { relative, absolute });
    for stepping in [
        adaptive(0.0, 1e-9),
        adaptive(-1.0, 1e-9),
        adaptive(f64::NAN, 1e-9),
        adaptive(1e-9, f64::NAN),
        adaptive(1e-9, -1.0),
        Stepping::Fixed(0.0),
        Stepping::Fixed(-1e-3),
        Stepping::Fixed(f64::NAN),
        Stepping::Fixed(f64::INFINITY),
    ] {
        let error = new(Scheme::DormandPrince, stepping).unwrap_err();
        assert!(matches!(error, IntegrationError::BadRequest { .. }), "{stepping:?}: {error}");
    }
    for scheme in [Scheme::RungeKutta4, Scheme::generalized_alpha(0.9)] {
        assert!(matches!(new(scheme, tolerance(1e-8)), Err(IntegrationError::BadRequest { .. })), "{scheme:?}");
    }
    for spectral_radius in [-0.1, 1.1, f64::NAN] {
        let scheme = Scheme::generalized_alpha(spectral_radius);
        assert!(matches!(new(scheme, Stepping::Fixed(1e-3)), Err(IntegrationError::BadRequest { .. })));
    }
    let mut run = Simulation::new(&model, state.clone(), free, Scheme::DormandPrince, tolerance(1e-8)).unwrap();
    run.advance(1.0).unwrap();
    for end in [0.5, f64::NAN, f64::INFINITY] {
        assert!(matches!(run.advance(end), Err(IntegrationError::BadRequest { .. })), "{end}");
        assert!(matches!(run.advance_step(end), Err(IntegrationError::BadRequest { .. })), "{end}");
    }
    for limits in [
        Limits { greatest_step: 0.0, ..Limits::default() },
        Limits { greatest_step: f64::NAN, ..Limits::default() },
        Limits { least_step: f64::NAN, ..Limits::default() },
    ] {
        assert!(run.set_limits(limits).is_err(), "{limits:?}");
    }
    assert!(matches!(run.sample(0.0), Err(IntegrationError::BadRequest { .. })));
    assert_eq!(run.state().time, 1.0);
}

/// `ẏ = y²`: infinite at `t = 1`.
struct Runaway;

impl Equations for Runaway {
    fn rates(&mut self, _: f64, y: &[f64], rates: &mut [f64]) -> Result<(), DynamicsError> {
        rates[0] = y[0] * y[0];
        Ok(())
    }
}

#[test]
fn runaways_end_with_a_reason() {
    for scheme in SCHEMES {
        let mut run = Integrator::new(scheme, stepping(scheme), Limits::default(), 0.0, vec![1.0]).unwrap();
        let error = run.advance(&mut Runaway, 2.0).unwrap_err();
        match scheme {
            Scheme::GeneralizedAlpha { .. } => assert!(matches!(error, IntegrationError::BadRequest { .. }), "{error}"),
            Scheme::RungeKutta4 => assert!(matches!(error, IntegrationError::NotFinite { .. }), "{error}"),
            _ => assert!(
                matches!(error, IntegrationError::StepUnderflow { .. } | IntegrationError::NotFinite { .. }),
                "{scheme:?}: {error}"
            ),
        }
        assert!(run.state()[0].is_finite() && run.time() < 1.1, "{scheme:?} {}", run.time());
    }
}

/// A step far too long for the spinning top does not converge, and says so.
#[test]
fn no_convergence_is_reported() {
    let (model, state) = heavy_top();
    let scheme = Scheme::generalized_alpha(0.8);
    let mut run = Simulation::new(&model, state.clone(), free, scheme, Stepping::Fixed(0.5)).unwrap();
    let error = run.advance(1.0).unwrap_err();
    assert!(matches!(error, IntegrationError::NoConvergence { .. }), "{error}");
    assert_eq!(run.state(), &state);
}

/// The ledger balances with every scheme, to the accuracy of the scheme.
#[test]
fn ledgers_balance() {
    let (at, drive) = chain();
    for scheme in SCHEMES.into_iter().filter(|scheme| scheme.takes_fixed_steps()) {
        let error = |h: f64| {
            let mut run =
                Simulation::new(&at.model, at.state.clone(), drive.clone(), scheme, Stepping::Fixed(h)).unwrap();
            run.advance(at.state.time + 0.1).unwrap();
            let ledger = run.ledger().unwrap();
            (ledger.balance_error() / ledger.energy.total().abs().max(ledger.work.abs())).abs()
        };
        let (coarse, fine) = (error(4e-4), error(1e-4));
        println!("{scheme:?}: {coarse:.1e} {fine:.1e}");
        assert!(fine < 1e-10 || fine < 0.1 * coarse, "{scheme:?}: {coarse:e} {fine:e}");
        let allowed = if scheme.order() == 2 { 1e-4 } else { 1e-8 };
        assert!(fine < allowed, "{scheme:?}: {fine:e}");
    }
}
