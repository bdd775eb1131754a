//! The spin-up beam leaves the range of its model: who is told, and when.

use supple::integrate::{Scheme, Simulation, Tolerance};
use supple::{Departure, Fidelity, Sign, State, ValidityLimits};
use supple_bodies::catalogue::spin_up_beam::{Discretisation, SpinUpBeam};

fn departures(fidelity: Fidelity, end: f64) -> Vec<(Departure, String)> {
    let discretisation = Discretisation::NaturalModes { bending: 2, stretch: 1 };
    let beam = SpinUpBeam::damaren_sharf(discretisation, fidelity);
    let built = beam.build().unwrap();
    let tolerance = Tolerance { relative: 1e-7, absolute: 1e-9 };
    let drive = built.torque(beam.inertia());
    let mut simulation =
        Simulation::new(&built.model, State::new(&built.model), drive, Scheme::DormandPrince, tolerance).unwrap();
    simulation.watch_validity(ValidityLimits::default());
    simulation.advance(end).unwrap();
    simulation.departures().iter().map(|d| (*d, d.describe(&built.model))).collect()
}

/// Without stiffening the spin is told long before the beam runs away, each sign once.
#[test]
fn a_linear_beam_is_told_of() {
    let told = departures(Fidelity::Inconsistent, 15.0);
    let [(spin, text), (deflection, far), (slope, turned)] = &told[..] else { panic!("{told:?}") };
    // Half of 3.80 rad/s, on the way to 6 rad/s.
    let Sign::Spin { value, frequency } = spin.sign else { panic!("{text}") };
    assert!((frequency - 3.5160153 * (1.4004e4_f64 / 1.2e4).sqrt()).abs() < 1e-5 * frequency, "{frequency}");
    assert!(value > 0.5 * frequency && value < 0.55 * frequency, "{text}");
    assert!(text.contains("'beam'") && text.contains("'inconsistent'") && text.contains("use 'stiffened'"), "{text}");
    let Sign::Deflection { value, length, .. } = deflection.sign else { panic!("{far}") };
    assert!(value > 1.0 && value < 1.2 && (length - 10.0).abs() < 1e-12, "{far}");
    assert!(far.contains("cut the body into several"), "{far}");
    let Sign::Slope { value, .. } = slope.sign else { panic!("{turned}") };
    assert!(value > 0.2 && value < 0.25, "{turned}");
    assert!(spin.time < deflection.time && deflection.time <= slope.time, "{told:?}");
}

/// The stiffened beam stays within a tenth of its length, and spin is no sign for it.
#[test]
fn a_stiffened_beam_is_not() {
    assert_eq!(departures(Fidelity::Stiffened, 20.0), []);
}

/// What was told before a checkpoint is not told again by a simulation that goes on from it.
#[test]
fn departures_are_in_the_checkpoint() {
    let beam =
        SpinUpBeam::damaren_sharf(Discretisation::NaturalModes { bending: 2, stretch: 1 }, Fidelity::Inconsistent);
    let built = beam.build().unwrap();
    let tolerance = Tolerance { relative: 1e-7, absolute: 1e-9 };
    let new = || {
        let (start, drive) = (State::new(&built.model), built.torque(beam.inertia()));
        let mut simulation = Simulation::new(&built.model, start, drive, Scheme::DormandPrince, tolerance).unwrap();
        simulation.watch_validity(ValidityLimits::default());
        simulation
    };
    let mut whole = new();
    whole.advance(15.0).unwrap();
    // Between the first departure and the second.
    let [first, second, _] = whole.departures() else { panic!("{:?}", whole.departures()) };
    let mut early = new();
    early.advance(0.5 * (first.time + second.time)).unwrap();
    let checkpoint = early.checkpoint();
    assert_eq!(checkpoint.departures.len(), 1);
    early.advance(15.0).unwrap();
    let mut late = new();
    late.restore(&checkpoint).unwrap();
    assert_eq!(late.departures(), checkpoint.departures);
    late.advance(15.0).unwrap();
    assert_eq!(early.departures(), late.departures());
    assert_eq!(late.departures().len(), 3);
}
