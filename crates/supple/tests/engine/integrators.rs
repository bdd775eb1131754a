//! Integrators against motions that are known: orders of convergence, published positions, conservation.

use crate::motions::{
    PANELS, SCHEMES, SPRING, arrive, distance, free, heavy_top, pendulum, spacecraft, springs, tolerance, top_centre,
};
use supple::integrate::{IntegrationError, Scheme, Simulation, Stepping};
use supple::testkit::{ChainOptions, serial_chain};
use supple::{BodyIndex, Model, State, Workspace, energy, momentum};

/// Each scheme at fixed steps converges with its order on the heavy top.
#[test]
fn orders_on_the_heavy_top() {
    let (model, start) = heavy_top();
    let end = 0.4;
    let exact = arrive(&model, &start, Scheme::PrinceDormand8, Stepping::Fixed(end / 3200.0), end);
    let gauss = [1, 2, 4, 5].map(Scheme::gauss);
    for scheme in SCHEMES.into_iter().filter(|scheme| scheme.takes_fixed_steps()).chain(gauss) {
        let steps = match scheme {
            Scheme::PrinceDormand8 | Scheme::Gauss { stages: 3, .. } => 80.0,
            Scheme::Gauss { stages: 4, .. } => 40.0,
            Scheme::Gauss { stages: 5, .. } => 30.0,
            Scheme::ExponentialAdams => 3200.0,
            Scheme::GeneralizedAlpha { .. } | Scheme::Gauss { stages: 1, .. } => 1600.0,
            _ => 800.0,
        };
        let error = |steps: f64| {
            let found = arrive(&model, &start, scheme, Stepping::Fixed(end / steps), end);
            distance(&found, &exact, 150.0)
        };
        let (coarse, fine) = (error(steps), error(2.0 * steps));
        let order = (coarse / fine).log2();
        println!("{scheme:?}: {coarse:.2e} {fine:.2e}, order {order:.2}");
        assert!((order - f64::from(scheme.order())).abs() < 0.2, "{scheme:?}: {order} from {coarse:e} {fine:e}");
    }
}

/// With a given number of corrections every step takes the same work, converges with the same order, and says where corrections were left out; one that would run away is
/// an error, and what rests needs none.
#[test]
fn a_given_number_of_corrections() {
    let (model, start) = heavy_top();
    let end = 0.4;
    let alpha = |corrections: Option<u32>| Scheme::GeneralizedAlpha { spectral_radius: 0.8, corrections };
    let exact = arrive(&model, &start, Scheme::PrinceDormand8, Stepping::Fixed(end / 3200.0), end);
    let error = |scheme: Scheme, steps: f64| {
        let mut run = Simulation::new(&model, start.clone(), free, scheme, Stepping::Fixed(end / steps)).unwrap();
        let mut evaluations = Vec::new();
        while run.state().time < end {
            let before = run.statistics().evaluations;
            run.advance_step(end).unwrap();
            evaluations.push(run.statistics().evaluations - before);
        }
        (distance(run.state(), &exact, 150.0), evaluations, run.shortfall())
    };
    let converged = error(alpha(None), 3200.0);
    assert!(converged.2.is_none());
    for count in [2, 3, 4] {
        let (coarse, fine) = (error(alpha(Some(count)), 1600.0), error(alpha(Some(count)), 3200.0));
        println!("{count}: {:.3e} {:.3e}, iterated {:.3e}; {:?}", coarse.0, fine.0, converged.0, fine.2);
        assert!(fine.1[1..].iter().all(|n| *n == u64::from(count)), "{:?}", &fine.1[..5]);
        assert!(((coarse.0 / fine.0).log2() - 2.0).abs() < 0.2, "{count}: {:e} {:e}", coarse.0, fine.0);
        assert!((fine.0 / converged.0 - 1.0).abs() < 0.05, "{count}: {:e} {:e}", fine.0, converged.0);
    }
    let one = error(alpha(Some(1)), 3200.0).2.unwrap();
    assert!(one.steps > 0 && one.greatest > 1e-6 && one.first > 0.0, "{one:?}");
    // Steps as long as a third of a turn: corrections grow.
    let mut wild = Simulation::new(&model, start.clone(), free, alpha(Some(6)), Stepping::Fixed(0.2)).unwrap();
    assert!(matches!(wild.advance(2.0), Err(IntegrationError::NoConvergence { .. })));
    let model = links_at_rest();
    for scheme in [alpha(None), alpha(Some(3))] {
        let mut still = Simulation::new(&model, State::new(&model), free, scheme, Stepping::Fixed(1e-3)).unwrap();
        still.advance(0.1).unwrap();
        assert!(still.state().coordinates.iter().chain(&still.state().speeds).all(|x| *x == 0.0));
        assert!(still.shortfall().is_none());
    }
}

/// Two flexible links without gravity: nothing moves.
fn links_at_rest() -> Model {
    let options = ChainOptions { gravity: [0.0; 3], ..ChainOptions::default() };
    Model::build(&serial_chain(2, 2, &options).0).unwrap()
}

#[test]
fn the_heavy_top_is_where_it_should_be() {
    let (model, start) = heavy_top();
    let mut run = Simulation::new(&model, start, free, Scheme::PrinceDormand8, tolerance(1e-12)).unwrap();
    for (time, printed) in [
        (1.0, [0.17334396, 0.64008859, -0.74849079]),
        (2.0, [-0.150416985652933, -0.724164450779749, -0.673023460701136]),
    ] {
        run.advance(time).unwrap();
        let found = top_centre(run.state());
        // The digits at 2 s are of a computation at 1e-5.
        let allowed = if time == 1.0 { 1e-7 } else { 1e-5 };
        for i in 0..3 {
            assert!((found[i] - printed[i]).abs() < allowed, "{time}: {found:?} {printed:?}");
        }
        assert!((run.state().speeds[1] - 150.0).abs() < 1e-9, "{:?}", run.state().speeds);
    }
}

/// IFToMM A01: positions at the times of the library, energy to 1e-8, with every scheme at its own accuracy.
#[test]
fn the_simple_pendulum_is_where_it_should_be() {
    let (model, start) = pendulum();
    let library = [
        (1.0, [0.986291751, -0.165010853]),
        (2.0, [-0.793566195, -0.608483930]),
        (5.0, [-0.942305435, -0.334754338]),
        (10.0, [-0.275087463, -0.961419205]),
    ];
    for scheme in SCHEMES {
        let (stepping, allowed) = match scheme {
            Scheme::GeneralizedAlpha { .. } => (Stepping::Fixed(1e-4), 1e-5),
            scheme if scheme.estimates_error() => (tolerance(1e-12), 2e-9),
            _ => (Stepping::Fixed(1e-3), 2e-9),
        };
        let mut run = Simulation::new(&model, start.clone(), free, scheme, stepping).unwrap();
        for (time, [x, z]) in library {
            run.advance(time).unwrap();
            let angle = run.state().coordinates[0];
            let error = (-angle.sin() - x).abs().max((-angle.cos() - z).abs());
            assert!(error < allowed, "{scheme:?} {time}: {error:e}");
            let drift = run.ledger().unwrap().balance_error().abs();
            assert!(drift < 10.0 * allowed.max(1e-9), "{scheme:?} {time}: {drift:e}");
        }
    }
}

/// Total energy, and both momenta about the mass centre, which float freely.
fn invariants(model: &Model, state: &State, workspace: &mut Workspace) -> [f64; 4] {
    let springs = (1..=PANELS).map(|k| state.coordinates[model.hinge_coordinates(BodyIndex(k)).start].powi(2));
    let total = energy(model, state, workspace).unwrap().total() + 0.5 * SPRING * springs.sum::<f64>();
    let found = momentum(model, state, workspace).unwrap();
    [total, found.angular[0], found.angular[1], found.angular[2]]
}

/// How far energy, angular momentum and linear momentum drift, relative to what they are.
fn drift(scheme: Scheme, stepping: Stepping, end: f64) -> [f64; 3] {
    let (model, start) = spacecraft();
    let mut ws = Workspace::new(&model);
    let before = invariants(&model, &start, &mut ws);
    let linear = momentum(&model, &start, &mut ws).unwrap().linear;
    let mut run = Simulation::new(&model, start, springs(&model), scheme, stepping).unwrap();
    let size = before[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut worst = [0.0_f64; 3];
    for i in 1..=10 {
        run.advance(0.1 * f64::from(i) * end).unwrap();
        let after = invariants(&model, run.state(), &mut ws);
        worst[0] = worst[0].max(((after[0] - before[0]) / before[0]).abs());
        for k in 1..4 {
            worst[1] = worst[1].max((after[k] - before[k]).abs() / size);
        }
        let now = momentum(&model, run.state(), &mut ws).unwrap().linear;
        for k in 0..3 {
            worst[2] = worst[2].max((now[k] - linear[k]).abs() / linear.norm_squared().sqrt());
        }
    }
    println!(
        "{scheme:?} to {end} s: energy {:.1e}, angular {:.1e}, linear {:.1e}; {:?}",
        worst[0],
        worst[1],
        worst[2],
        run.statistics()
    );
    worst
}

/// The tumbling spacecraft for a second, at the steps of the published scene.
#[test]
fn seven_panels_conserve_energy_and_momentum_over_a_second() {
    for (name, value) in
        ["energy", "angular", "linear"].iter().zip(drift(Scheme::RungeKutta4, Stepping::Fixed(1e-4), 1.0))
    {
        assert!(value < 1e-10, "{name}: {value:e}");
    }
}

/// And for a thousand seconds at a tolerance of 1e-12.
#[test]
fn seven_panels_conserve_energy_and_momentum_over_a_thousand_seconds() {
    for (name, value) in
        ["energy", "angular", "linear"].iter().zip(drift(Scheme::PrinceDormand8, tolerance(1e-12), 1000.0))
    {
        assert!(value < 1e-8, "{name}: {value:e}");
    }
}
