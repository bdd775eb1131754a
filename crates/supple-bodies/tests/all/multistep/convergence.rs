//! Errors of multistep methods follow the tolerance, and they arrive where other integrators do.

use crate::motions;
use supple::integrate::{Drive, Scheme, Simulation, Tolerance};
use supple::{Fidelity, Model, State};
use supple_bodies::catalogue::spin_up_beam::{Discretisation, SpinUpBeam};

const METHODS: [Scheme; 2] = [Scheme::Adams, Scheme::Bdf];
const BEAM: Discretisation = Discretisation::NaturalModes { bending: 2, stretch: 1 };

fn both(value: f64) -> Tolerance {
    Tolerance { relative: value, absolute: value }
}

fn arrive<D: Drive + Send + 'static>(
    start: (&Model, &State),
    drive: D,
    method: Scheme,
    tolerance: f64,
    end: f64,
) -> (State, u64) {
    let mut run = Simulation::new(start.0, start.1.clone(), drive, method, both(tolerance)).unwrap();
    run.advance(end).unwrap();
    (run.state().clone(), run.statistics().evaluations)
}

fn arrive_by_eighth_order<D: Drive + Send + 'static>(
    start: (&Model, &State),
    drive: D,
    tolerance: f64,
    end: f64,
) -> State {
    let scheme = Scheme::PrinceDormand8;
    let mut run = Simulation::new(start.0, start.1.clone(), drive, scheme, both(tolerance)).unwrap();
    run.advance(end).unwrap();
    run.state().clone()
}

/// Slope of the least squares line through the logarithms of tolerances 1e-4, 10^-4.5, … 1e-9 and of errors.
fn slope(name: &str, error: impl Fn(f64) -> (f64, u64)) -> f64 {
    let mut points = Vec::new();
    for i in 8..=18 {
        let exponent = -0.5 * f64::from(i);
        let (error, evaluations) = error(10_f64.powf(exponent));
        println!("{name}: tolerance 1e{exponent:.1}, error {error:.2e}, {evaluations} evaluations");
        points.push((exponent, error.log10()));
    }
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let across: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let along: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
    println!("{name}: slope {:.3}", across / along);
    across / along
}

/// The heavy top, which turns twelve times about its axis.
#[test]
fn errors_follow_the_tolerance_on_the_heavy_top() {
    let (model, start) = motions::heavy_top();
    let exact = arrive_by_eighth_order((&model, &start), motions::free, 1e-13, 0.5);
    for method in METHODS {
        let slope = slope(&format!("{method:?}"), |tolerance| {
            let (found, evaluations) = arrive((&model, &start), motions::free, method, tolerance, 0.5);
            (motions::distance(&found, &exact, 150.0), evaluations)
        });
        assert!((0.8..1.2).contains(&slope), "{method:?}: {slope}");
    }
}

/// The spin-up beam, turning and bent: its modes are at 16, 102 and 808 rad/s.
#[test]
fn errors_follow_the_tolerance_on_the_spin_up_beam() {
    let built = SpinUpBeam::damaren_sharf(BEAM, Fidelity::Exact).build().unwrap();
    let mut start = State::new(&built.model);
    start.time = 5.0;
    start.coordinates[..2].copy_from_slice(&[0.2, 0.02]);
    start.speeds[3] = 1.5;
    let exact = arrive_by_eighth_order((&built.model, &start), built.torque(400.0), 1e-13, 5.5);
    for method in METHODS {
        let slope = slope(&format!("{method:?}"), |tolerance| {
            let (found, evaluations) = arrive((&built.model, &start), built.torque(400.0), method, tolerance, 5.5);
            (motions::distance(&found, &exact, 100.0), evaluations)
        });
        assert!((0.8..1.2).contains(&slope), "{method:?}: {slope}");
    }
}

/// The whole spin-up from rest, with the break of its torque at 15 s.
#[test]
fn the_spin_up_agrees_with_the_eighth_order() {
    let built = SpinUpBeam::damaren_sharf(BEAM, Fidelity::Stiffened).build().unwrap();
    let start = State::new(&built.model);
    let exact = arrive_by_eighth_order((&built.model, &start), built.torque(400.0), 1e-11, 20.0);
    for method in METHODS {
        let (found, evaluations) = arrive((&built.model, &start), built.torque(400.0), method, 1e-8, 20.0);
        let difference = motions::distance(&found, &exact, 100.0);
        println!("{method:?}: {difference:.2e} with {evaluations} evaluations");
        assert!(difference < 2e-6, "{method:?}: {difference:e}");
    }
}
