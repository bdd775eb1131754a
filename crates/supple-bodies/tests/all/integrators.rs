//! Integrators on flexible bodies: orders on the spin-up beam, stiff steps, and the Shuttle arm.

use supple::integrate::{Scheme, Simulation, Stepping, Tolerance};
use supple::{ElasticRotation, Fidelity, State};
use supple_bodies::catalogue::manoeuvre::Manoeuvre;
use supple_bodies::catalogue::shuttle_arm::{ShuttleArm, angles};
use supple_bodies::catalogue::spin_up_beam::{Discretisation, SpinUpBeam, SpinUpModel};

const SCHEMES: [Scheme; 8] = [
    Scheme::DormandPrince,
    Scheme::PrinceDormand8,
    Scheme::RungeKutta4,
    Scheme::LinearlyImplicit,
    Scheme::Exponential,
    Scheme::ExponentialAdams,
    Scheme::Gauss { stages: 2, tolerance: 1e-12 },
    Scheme::generalized_alpha(0.8),
];

fn tolerance(value: f64) -> Stepping {
    Stepping::Adaptive(Tolerance { relative: value, absolute: value })
}

/// The beam of the spin-up, turning fast and bent: its modes are at 16, 102 and 808 rad/s.
fn bent_beam() -> (SpinUpModel, State) {
    let discretisation = Discretisation::NaturalModes { bending: 2, stretch: 1 };
    let built = SpinUpBeam::damaren_sharf(discretisation, Fidelity::Exact).build().unwrap();
    let mut state = State::new(&built.model);
    state.time = 5.0;
    state.coordinates[0] = 0.2;
    state.coordinates[1] = 0.02;
    state.speeds[0] = 10.0;
    state.speeds[3] = 1.5;
    (built, state)
}

fn arrive(built: &SpinUpModel, state: &State, scheme: Scheme, stepping: Stepping, end: f64) -> State {
    let mut run = Simulation::new(&built.model, state.clone(), built.torque(400.0), scheme, stepping).unwrap();
    run.advance(end).unwrap();
    run.state().clone()
}

fn distance(a: &State, b: &State) -> f64 {
    a.coordinates.iter().zip(&b.coordinates).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

/// Each scheme at fixed steps converges with its order.
///
/// Where the beam turns slowly those in which the modes oscillate exactly do better, because what is left for their error is so small.
#[test]
fn orders_on_the_spin_up_beam() {
    let (built, start) = bent_beam();
    let end = 5.5;
    let exact = arrive(&built, &start, Scheme::PrinceDormand8, Stepping::Fixed(2e-4), end);
    for scheme in SCHEMES {
        let steps = match scheme {
            Scheme::PrinceDormand8 => 400.0,
            Scheme::DormandPrince => 1600.0,
            Scheme::Exponential | Scheme::Gauss { .. } => 3200.0,
            // Finer steps come near the rounding of all these runs, 1e-12.
            Scheme::ExponentialAdams => 4800.0,
            _ => 6400.0,
        };
        let error = |steps: f64| {
            let found = arrive(&built, &start, scheme, Stepping::Fixed((end - start.time) / steps), end);
            distance(&found, &exact)
        };
        let (coarse, fine) = (error(steps), error(2.0 * steps));
        let order = (coarse / fine).log2();
        println!("{scheme:?}: {coarse:.2e} {fine:.2e}, order {order:.2}");
        assert!((order - f64::from(scheme.order())).abs() < 0.2, "{scheme:?}: {order} from {coarse:e} {fine:e}");
    }
}

/// Steps seven times longer than an explicit scheme bears: the others pass over the stretch mode without harm.
#[test]
fn stiff_steps() {
    let discretisation = Discretisation::NaturalModes { bending: 2, stretch: 1 };
    let built = SpinUpBeam::damaren_sharf(discretisation, Fidelity::Stiffened).build().unwrap();
    let start = State::new(&built.model);
    let exact = arrive(&built, &start, Scheme::PrinceDormand8, tolerance(1e-11), 15.0);
    let implicit = [
        (Scheme::LinearlyImplicit, 1e-4),
        (Scheme::Exponential, 1e-4),
        (Scheme::gauss(3), 1e-4),
        (Scheme::generalized_alpha(0.8), 1e-2),
    ];
    for (scheme, allowed) in implicit {
        let found = arrive(&built, &start, scheme, Stepping::Fixed(0.025), 15.0);
        let difference = distance(&found, &exact);
        println!("{scheme:?}: {difference:.2e}");
        assert!(difference < allowed, "{scheme:?}: {difference:e}");
    }
    let drive = built.torque(400.0);
    let mut run =
        Simulation::new(&built.model, start.clone(), drive, Scheme::RungeKutta4, Stepping::Fixed(0.025)).unwrap();
    run.advance(15.0).unwrap_err();
}

/// A prescribed root: every scheme gives it the motion that is wanted, and the beam bends alike.
#[test]
fn prescribed_hinges() {
    let built = SpinUpBeam::kane(2, 1, Fidelity::Stiffened).build().unwrap();
    let arrive = |scheme: Scheme, stepping: Stepping| {
        let mut run =
            Simulation::new(&built.model, State::new(&built.model), built.motion(), scheme, stepping).unwrap();
        run.prescribe(&[true]).unwrap();
        run.advance(2.0).unwrap();
        (run.state().clone(), run.ledger().unwrap().balance_error())
    };
    let (exact, _) = arrive(Scheme::PrinceDormand8, tolerance(1e-12));
    for scheme in SCHEMES {
        let (found, balance) = arrive(scheme, Stepping::Fixed(1e-3));
        let allowed = if scheme.order() == 2 { 1e-5 } else { 1e-8 };
        let difference = distance(&found, &exact);
        assert!(difference < allowed, "{scheme:?}: {difference:e}");
        assert!(balance.abs() < 10.0 * allowed, "{scheme:?}: {balance:e}");
    }
}

/// The Shuttle arm in manoeuvre I-f, exact booms: the exponential schemes need far fewer evaluations for hinge angles to 1e-6 rad than the
/// explicit ones, whose step is bound by the stretch of the booms.
#[test]
fn the_arm_with_few_evaluations() {
    let model = ShuttleArm::flexible(Fidelity::Exact, ElasticRotation::Integrated).build().unwrap();
    let manoeuvre = Manoeuvre::PlannedFast;
    let arrive = |scheme: Scheme, stepping: Stepping| {
        let drive = manoeuvre.drive(&model).unwrap();
        let mut run = Simulation::new(&model, State::new(&model), drive, scheme, stepping).unwrap();
        run.advance(4.0).unwrap();
        (angles(&model, run.state()), run.statistics().evaluations)
    };
    let (exact, explicit) = arrive(Scheme::PrinceDormand8, tolerance(1e-9));
    for (scheme, stepping, share) in [
        (Scheme::ExponentialAdams, Stepping::Fixed(1e-3), 12),
        (Scheme::ExponentialAdams, tolerance(1e-7), 6),
        (Scheme::Exponential, Stepping::Fixed(1e-3), 3),
        (Scheme::Gauss { stages: 3, tolerance: 1e-5 }, Stepping::Fixed(2.5e-3), 7),
    ] {
        let (found, evaluations) = arrive(scheme, stepping);
        let difference = found.iter().zip(&exact).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        println!("{scheme:?} {stepping:?}: {evaluations} of {explicit} evaluations, {difference:.1e} rad");
        assert!(difference < 2e-6, "{scheme:?}: {difference:e}");
        assert!(share * evaluations < explicit, "{scheme:?}: {evaluations} of {explicit}");
    }
}
