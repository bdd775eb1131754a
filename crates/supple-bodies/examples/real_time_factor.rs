//! How much faster than real time the Shuttle arm's manoeuvre I-f runs, by integrator, with exact booms and integrated rotations.
//!
//! `cargo run --release -p supple-bodies --no-default-features --example real_time_factor`
//!
//! The solution vibrates at 20 to 900 rad/s, and the phase of these vibrations counts: damped implicit schemes lose it, the exponential ones
//! and Gauss' implicit collocation, whose iteration ends at 1e-5 here, keep it. Hinge angles are compared at every tenth of a second with a run of `PrinceDormand8` at tolerance 1e-12.

use std::error::Error;
use std::time::Instant;
use supple::integrate::{Scheme, Simulation, Statistics, Stepping, Tolerance};
use supple::{ElasticRotation, Fidelity, Model, State};
use supple_bodies::catalogue::manoeuvre::Manoeuvre;
use supple_bodies::catalogue::shuttle_arm::{LINKS, ShuttleArm, angles};

const MANOEUVRE: Manoeuvre = Manoeuvre::PlannedFast;
const SAMPLES: u32 = 200;
const REPEATS: usize = 5;

/// Angles at the sample times, work, and time on the clock.
struct Run {
    angles: Vec<[f64; LINKS]>,
    statistics: Statistics,
    seconds: f64,
    energy_error: f64,
}

fn run(model: &Model, scheme: Scheme, stepping: Stepping, stop_at_samples: bool) -> Result<Run, Box<dyn Error>> {
    let duration = MANOEUVRE.duration();
    let times: Vec<f64> = (1..=SAMPLES).map(|i| duration * f64::from(i) / f64::from(SAMPLES)).collect();
    let mut simulation = Simulation::new(model, State::new(model), MANOEUVRE.drive(model)?, scheme, stepping)?;
    let mut found = Vec::with_capacity(times.len());
    let start = Instant::now();
    if stop_at_samples {
        for time in &times {
            simulation.advance(*time)?;
            found.push(angles(model, simulation.state()));
        }
    } else {
        simulation.advance_observing(duration, &times, |state| found.push(angles(model, state)))?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let energy_error = simulation.ledger()?.balance_error();
    Ok(Run { angles: found, statistics: simulation.statistics(), seconds, energy_error })
}

fn main() -> Result<(), Box<dyn Error>> {
    let model = ShuttleArm::flexible(Fidelity::Exact, ElasticRotation::Integrated).build()?;
    let adaptive = |relative: f64| Stepping::Adaptive(Tolerance { relative, absolute: 0.01 * relative });
    let reference = run(&model, Scheme::PrinceDormand8, adaptive(1e-12), true)?;
    let alpha = Scheme::generalized_alpha;
    let gauss = |stages: u32| Scheme::Gauss { stages, tolerance: 1e-5 };
    let rows = [
        ("PrinceDormand8", Scheme::PrinceDormand8, adaptive(1e-7)),
        ("DormandPrince", Scheme::DormandPrince, adaptive(1e-7)),
        ("RungeKutta4", Scheme::RungeKutta4, Stepping::Fixed(8e-4)),
        ("LinearlyImplicit", Scheme::LinearlyImplicit, adaptive(1e-5)),
        ("LinearlyImplicit", Scheme::LinearlyImplicit, Stepping::Fixed(5e-3)),
        ("GeneralizedAlpha 0.8", alpha(0.8), Stepping::Fixed(2.5e-3)),
        ("Gauss 3", gauss(3), Stepping::Fixed(2.5e-3)),
        ("Gauss 3", gauss(3), Stepping::Fixed(3.125e-3)),
        ("Gauss 4", gauss(4), Stepping::Fixed(4e-3)),
        ("Exponential", Scheme::Exponential, Stepping::Fixed(1e-3)),
        ("ExponentialAdams", Scheme::ExponentialAdams, adaptive(1e-7)),
        ("ExponentialAdams", Scheme::ExponentialAdams, adaptive(1e-6)),
        ("ExponentialAdams", Scheme::ExponentialAdams, Stepping::Fixed(8e-4)),
        ("ExponentialAdams", Scheme::ExponentialAdams, Stepping::Fixed(9e-4)),
    ];
    println!("I-f, exact booms with 12 modes, integrated rotations: {} s", MANOEUVRE.duration());
    println!(
        "{:22} {:>10} {:>8} {:>8} {:>12} {:>9} {:>10} {:>12} {:>12}",
        "scheme", "rel. tol.", "step s", "steps", "evaluations", "wall s", "real time", "angles rad", "energy J"
    );
    print("PrinceDormand8", adaptive(1e-12), &reference, &reference);
    for (name, scheme, stepping) in rows {
        // The shortest of several times, for a machine that has other things to do.
        let runs = || (0..REPEATS).map(|_| run(&model, scheme, stepping, false));
        let best = runs().reduce(|best, next| match (&best, &next) {
            (Ok(a), Ok(b)) if b.seconds < a.seconds => next,
            _ => best,
        });
        match best.unwrap_or_else(|| Err("no run".into())) {
            Ok(found) => print(name, stepping, &found, &reference),
            Err(error) => println!("{name:22} {stepping:?}: {error}"),
        }
    }
    Ok(())
}

fn print(name: &str, stepping: Stepping, found: &Run, reference: &Run) {
    let difference = found.angles.iter().flatten().zip(reference.angles.iter().flatten());
    let worst = difference.fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs()));
    let (tolerance, step) = match stepping {
        Stepping::Adaptive(tolerance) => (format!("{:.0e}", tolerance.relative), String::new()),
        Stepping::Fixed(step) => (String::new(), step.to_string()),
    };
    println!(
        "{name:22} {tolerance:>10} {step:>8} {:>8} {:>12} {:>9.4} {:>9.1}x {worst:>12.2e} {:>12.2e}",
        found.statistics.accepted + found.statistics.rejected,
        found.statistics.evaluations,
        found.seconds,
        MANOEUVRE.duration() / found.seconds,
        found.energy_error
    );
}
