//! Trajectories as functions of time: ends, continuity, derivatives, published figures, refusals.

use std::f64::consts::TAU;
use supple_control::{Mode, MotionLimits, ProfileError, Sample, Shaper, ShaperKind, SplineEnds, Trajectory};

/// One of each kind, and a sequence of all with a pause.
fn all() -> Vec<(&'static str, Trajectory)> {
    let cycloidal = Trajectory::cycloidal([1.0, 3.0], [0.2, -0.7]).unwrap();
    let ends = [
        Sample { position: -0.7, speed: 0.0, acceleration: 0.0 },
        Sample { position: 1.0, speed: 0.5, acceleration: 0.3 },
    ];
    let quintic = Trajectory::quintic([3.5, 5.0], ends).unwrap();
    let rate = Trajectory::constant_rate([5.0, 7.0], 1.0, 0.5).unwrap();
    let clamped = SplineEnds::Clamped { start: 0.5, end: -0.25 };
    let table = Trajectory::table(&[7.0, 7.3, 8.0, 9.5], &[2.0, 2.1, 1.5, 1.8], clamped).unwrap();
    let natural = Trajectory::table(&[0.0, 1.0, 2.5, 3.0], &[0.0, 2.0, -1.0, 0.5], SplineEnds::Natural).unwrap();
    let parts = vec![cycloidal.clone(), quintic.clone(), rate.clone(), table.clone()];
    let sequence = Trajectory::sequence(parts).unwrap();
    let limits = MotionLimits { speed: 0.6, acceleration: 0.9, jerk: 4.0 };
    let jerk = Trajectory::jerk_limited(0.5, [0.2, -0.9], limits).unwrap();
    let shaper = Shaper::design(ShaperKind::Zvd, Mode { frequency: 1.1, damping: 0.05 }).unwrap();
    vec![
        ("jerk limited", jerk.clone()),
        ("shaped", jerk.shaped(&shaper)),
        ("cycloidal", cycloidal),
        ("quintic", quintic),
        ("constant rate", rate),
        ("clamped table", table),
        ("natural table", natural),
        ("sequence", sequence),
    ]
}

/// Times inside, away from breaks by `margin`.
fn inside(trajectory: &Trajectory, margin: f64) -> Vec<f64> {
    let (start, length) = (trajectory.start(), trajectory.end() - trajectory.start());
    let grid = (1..400).map(|i| start + length * f64::from(i) / 400.0);
    grid.filter(|t| trajectory.breaks().iter().all(|b| (b - t).abs() > margin)).collect()
}

#[test]
fn speed_and_acceleration_are_the_derivatives() {
    for (name, trajectory) in all() {
        // Central differences: error h² x‴/6 plus rounding eps x/h; the third and fourth derivatives are below 100.
        let h = 1e-5;
        for t in inside(&trajectory, h) {
            let [before, now, after] = [t - h, t, t + h].map(|t| trajectory.at(t));
            let speed = (after.position - before.position) / (2.0 * h);
            let acceleration = (after.speed - before.speed) / (2.0 * h);
            assert!((now.speed - speed).abs() < 1e-8, "{name} at {t}: {} {speed}", now.speed);
            assert!(
                (now.acceleration - acceleration).abs() < 1e-8,
                "{name} at {t}: {} {acceleration}",
                now.acceleration
            );
        }
    }
}

#[test]
fn positions_and_speeds_are_continuous_between_the_ends() {
    for (name, trajectory) in all() {
        for b in trajectory.breaks().iter().copied().filter(|b| *b > trajectory.start() && *b < trajectory.end()) {
            let (before, after) = (trajectory.at(b.next_down()), trajectory.at(b));
            assert!((before.position - after.position).abs() < 1e-13, "{name} at {b}");
            assert!((before.speed - after.speed).abs() < 1e-13, "{name} at {b}: {before:?} {after:?}");
        }
    }
}

#[test]
fn accelerations_of_a_table_are_continuous() {
    let natural = SplineEnds::Natural;
    let table = Trajectory::table(&[0.0, 1.0, 2.5, 3.0, 3.1], &[0.0, 2.0, -1.0, 0.5, 9.0], natural).unwrap();
    for b in &table.breaks()[1..4] {
        let (before, after) = (table.at(b.next_down()).acceleration, table.at(*b).acceleration);
        assert!((before - after).abs() < 1e-10 * after.abs().max(1.0), "at {b}: {before} {after}");
    }
    assert_eq!((table.first().acceleration, table.last().acceleration), (0.0, 0.0));
}

#[test]
fn at_rest_outside() {
    for (name, trajectory) in all() {
        let (start, end) = (trajectory.start(), trajectory.end());
        for t in [f64::NEG_INFINITY, start - 1.0, start.next_down()] {
            assert_eq!(trajectory.at(t), Sample::at_rest(trajectory.first().position), "{name}");
        }
        for t in [end, end + 1.0, f64::INFINITY] {
            assert_eq!(trajectory.at(t), Sample::at_rest(trajectory.last().position), "{name}");
        }
        assert!(trajectory.at(f64::NAN).position.is_nan());
        assert_eq!((trajectory.breaks()[0], *trajectory.breaks().last().unwrap()), (start, end));
    }
}

#[test]
fn ends_are_exact() {
    let cycloidal = Trajectory::cycloidal([0.1, 0.7], [0.3, 0.9]).unwrap();
    assert_eq!((cycloidal.first(), cycloidal.last()), (Sample::at_rest(0.3), Sample::at_rest(0.9)));
    let ends = [
        Sample { position: 0.1, speed: -0.7, acceleration: 1.3 },
        Sample { position: 0.9, speed: 0.2, acceleration: -0.6 },
    ];
    let quintic = Trajectory::quintic([1.0, 3.0], ends).unwrap();
    assert_eq!((quintic.first(), quintic.last()), (ends[0], ends[1]));
    let (times, positions) = ([0.0, 0.1, 0.3, 1.0, 1.7], [0.1, 0.2, -0.3, 0.7, 0.35]);
    let table = Trajectory::table(&times, &positions, SplineEnds::Clamped { start: 0.4, end: -1.0 }).unwrap();
    for (t, x) in times.into_iter().zip(positions) {
        assert_eq!(table.at(t).position, x);
    }
    assert!((table.first().speed - 0.4).abs() < 1e-14 && (table.last().speed + 1.0).abs() < 1e-14);
}

/// Largest speed `2 h/T` in the middle, largest acceleration `2π h/T²` at a quarter, as books on cams print them.
#[test]
fn peaks_of_the_cycloidal_motion() {
    let (h, duration) = (0.4, 20.0);
    let motion = Trajectory::cycloidal([5.0, 25.0], [1.0, 1.4]).unwrap();
    let eps = 8.0 * f64::EPSILON;
    assert!((motion.at(15.0).speed / (2.0 * h / duration) - 1.0).abs() < eps);
    let peak = TAU * h / (duration * duration);
    assert!((motion.at(10.0).acceleration / peak - 1.0).abs() < eps);
    assert!((motion.at(20.0).acceleration / -peak - 1.0).abs() < eps);
    assert!(inside(&motion, 0.0).into_iter().all(|t| motion.at(t).acceleration.abs() <= peak * (1.0 + eps)));
    assert!((motion.at(15.0).position - 1.2).abs() < eps);
}

/// Rest to rest, the polynomial is `10τ³ - 15τ⁴ + 6τ⁵`: largest speed 15/8, largest acceleration `10/√3`.
#[test]
fn peaks_of_the_quintic_from_rest_to_rest() {
    let motion = Trajectory::quintic([0.0, 1.0], [Sample::at_rest(0.0), Sample::at_rest(1.0)]).unwrap();
    assert!((motion.at(0.5).speed - 1.875).abs() < 1e-14);
    let tau = 0.5 - 3.0_f64.sqrt() / 6.0;
    assert!((motion.at(tau).acceleration - 10.0 / 3.0_f64.sqrt()).abs() < 1e-13);
}

/// A spline with the end speeds of a cubic through points of it is that cubic.
#[test]
fn a_clamped_table_reproduces_a_cubic() {
    let x = |t: f64| 0.3 - t + 0.7 * t * t - 0.2 * t * t * t;
    let v = |t: f64| -1.0 + 1.4 * t - 0.6 * t * t;
    let times = [0.0, 0.4, 1.1, 1.3, 2.9, 4.0];
    let ends = SplineEnds::Clamped { start: v(0.0), end: v(4.0) };
    let table = Trajectory::table(&times, &times.map(x), ends).unwrap();
    for t in inside(&table, 0.0) {
        assert!((table.at(t).position - x(t)).abs() < 1e-13, "{t}");
        assert!((table.at(t).speed - v(t)).abs() < 1e-12, "{t}");
        assert!((table.at(t).acceleration - (1.4 - 1.2 * t)).abs() < 1e-11, "{t}");
    }
}

/// The error of a clamped cubic spline falls with the fourth power of the spacing.
#[test]
fn a_table_converges_with_order_four() {
    let error = |n: i32| {
        let times: Vec<f64> = (0..=n).map(|i| f64::from(i) / f64::from(n)).collect();
        let positions: Vec<f64> = times.iter().map(|t| (3.0 * t).sin()).collect();
        let ends = SplineEnds::Clamped { start: 3.0, end: 3.0 * 3.0_f64.cos() };
        let table = Trajectory::table(&times, &positions, ends).unwrap();
        inside(&table, 0.0).iter().map(|t| (table.at(*t).position - (3.0 * t).sin()).abs()).fold(0.0, f64::max)
    };
    let order = (error(20) / error(80)).log2() / 2.0;
    assert!((order - 4.0).abs() < 0.2, "{order}");
}

#[test]
fn a_sequence_names_each_break_once() {
    let (_, sequence) = all().pop().unwrap();
    assert_eq!(sequence.breaks(), [1.0, 3.0, 3.5, 5.0, 7.0, 7.3, 8.0, 9.5]);
    assert_eq!(sequence.at(3.2), Sample::at_rest(-0.7));
    // Ends that differ by rounding only still meet: 0.1 + 0.2 is not 0.3.
    let first = Trajectory::cycloidal([0.0, 0.1 + 0.2], [0.0, 0.1 + 0.2]).unwrap();
    let second = Trajectory::cycloidal([0.3, 1.0], [0.3, 0.0]).unwrap();
    let both = Trajectory::sequence(vec![first, second]).unwrap();
    assert_eq!(both.breaks(), [0.0, 0.3, 1.0]);
}

#[test]
fn jumps_between_segments_are_refused_with_the_values() {
    let rate = |times, position, speed| Trajectory::constant_rate(times, position, speed).unwrap();
    let join = |a, b| Trajectory::sequence(vec![a, b]);
    let jump = |time, quantity, before, after| Err(ProfileError::Jump { segment: 1, time, quantity, before, after });
    let first = rate([0.0, 1.0], 0.0, 1.0);
    assert_eq!(join(first.clone(), rate([1.0, 2.0], 1.5, 1.0)), jump(1.0, "position", 1.0, 1.5));
    assert_eq!(join(first.clone(), rate([1.0, 2.0], 1.0, 1.25)), jump(1.0, "speed", 1.0, 1.25));
    // A pause is at rest, so the speed must be zero on both sides of it.
    assert_eq!(join(first.clone(), rate([1.5, 2.0], 1.0, 1.0)), jump(1.0, "speed", 1.0, 0.0));
    assert_eq!(join(rate([0.0, 1.0], 1.0, 0.0), rate([1.5, 2.0], 1.0, 1.0)), jump(1.5, "speed", 0.0, 1.0));
    assert_eq!(
        join(first.clone(), rate([0.5, 2.0], 1.0, 1.0)),
        Err(ProfileError::NotIncreasing { index: 1, previous: 1.0, time: 0.5 })
    );
    // A jump of a millionth is still a jump.
    assert!(join(first, rate([1.0, 2.0], 1.000_001, 1.0)).is_err());
    assert_eq!(
        Trajectory::sequence(Vec::new()),
        Err(ProfileError::TooFew { quantity: "segments", found: 0, least: 1 })
    );
}

#[test]
fn senseless_numbers_are_refused() {
    type E = ProfileError;
    let cycloidal = Trajectory::cycloidal;
    assert_eq!(cycloidal([1.0, 1.0], [0.0, 1.0]), Err(E::NotIncreasing { index: 1, previous: 1.0, time: 1.0 }));
    assert_eq!(cycloidal([2.0, 1.0], [0.0, 1.0]), Err(E::NotIncreasing { index: 1, previous: 2.0, time: 1.0 }));
    assert!(matches!(cycloidal([0.0, f64::NAN], [0.0, 1.0]), Err(E::NotFinite { quantity: "time", index: 1, .. })));
    assert!(matches!(cycloidal([0.0, 1.0], [f64::INFINITY, 1.0]), Err(E::NotFinite { quantity: "position", .. })));
    assert!(matches!(cycloidal([1e9, 1e9 + 1e-7], [0.0, 1.0]), Err(E::TooShort { .. })));
    assert!(matches!(cycloidal([0.0, 1e-200], [0.0, 1.0]), Err(E::Overflow { quantity: "acceleration", .. })));
    assert!(matches!(cycloidal([-1e308, 1e308], [0.0, 1.0]), Err(E::Overflow { quantity: "duration", .. })));
    let fast = Sample { position: 0.0, speed: 1e200, acceleration: 1e200 };
    assert!(matches!(Trajectory::quintic([0.0, 1e200], [fast, fast]), Err(E::Overflow { .. })));
    assert!(matches!(Trajectory::constant_rate([0.0, 1e200], 0.0, 1e200), Err(E::Overflow { .. })));
    let table = |times: &[f64], positions: &[f64]| Trajectory::table(times, positions, SplineEnds::AtRest);
    assert_eq!(table(&[0.0], &[1.0]), Err(E::TooFew { quantity: "positions", found: 1, least: 2 }));
    assert_eq!(table(&[0.0, 1.0], &[1.0]), Err(E::Lengths { times: 2, quantity: "positions", found: 1 }));
    assert!(matches!(table(&[0.0, 1e-300], &[0.0, 1.0]), Err(E::Overflow { .. })));
    let ends = SplineEnds::Clamped { start: f64::NAN, end: 0.0 };
    assert!(matches!(Trajectory::table(&[0.0, 1.0], &[0.0, 1.0], ends), Err(E::NotFinite { quantity: "speed", .. })));
}

/// Whatever is accepted is finite everywhere, at the edge of the range too.
#[test]
fn what_is_accepted_is_finite() {
    let extremes = [0.0, 1e-300, 1e-150, 1e-3, 1.0, 1e3, 1e150, 1e300];
    let mut accepted = 0;
    for duration in extremes {
        for x in extremes {
            for v in extremes {
                let times = [0.0, duration];
                let end = Sample { position: x, speed: v, acceleration: v };
                let rest = Sample::at_rest(0.0);
                for made in [
                    Trajectory::cycloidal(times, [0.0, x]),
                    Trajectory::quintic(times, [rest, end]),
                    Trajectory::quintic(times, [end, rest]),
                    Trajectory::constant_rate(times, x, v),
                    Trajectory::table(&times, &[0.0, x], SplineEnds::Clamped { start: v, end: 0.0 }),
                ] {
                    let Ok(trajectory) = made else { continue };
                    accepted += 1;
                    for share in [0.0, 0.1, 0.5, 0.9, 1.0] {
                        let s = trajectory.at(share * duration);
                        let finite = s.position.is_finite() && s.speed.is_finite() && s.acceleration.is_finite();
                        assert!(finite, "{trajectory:?} {s:?}");
                    }
                }
            }
        }
    }
    assert!(accepted > 500, "{accepted}");
}

#[test]
fn errors_say_what_to_do() {
    for (error, words) in [
        (Trajectory::cycloidal([1.0, 1.0], [0.0, 1.0]).unwrap_err(), "times must increase"),
        (Trajectory::cycloidal([1e9, 1e9 + 1e-7], [0.0, 1.0]).unwrap_err(), "longer interval"),
        (Trajectory::cycloidal([0.0, 1e-200], [0.0, 1.0]).unwrap_err(), "longer duration"),
        (Trajectory::table(&[0.0], &[1.0], SplineEnds::Natural).unwrap_err(), "at least 2"),
    ] {
        assert!(error.to_string().contains(words), "{error}");
    }
}

/// Bounds are kept, the one that binds is met, and no faster motion of the same shape exists: all four cases.
#[test]
fn jerk_limited_motion_meets_its_bounds() {
    for (way, [speed, acceleration, jerk], binds) in [
        (4.0, [0.5, 0.8, 3.0], [true, true]),
        (4.0, [0.2, 5.0, 1.0], [true, false]),
        (-0.4, [5.0, 0.5, 3.0], [false, true]),
        (0.001, [5.0, 5.0, 1.0], [false, false]),
    ] {
        let limits = MotionLimits { speed, acceleration, jerk };
        let motion = Trajectory::jerk_limited(1.0, [0.3, 0.3 + way], limits).unwrap();
        let (start, length) = (motion.start(), motion.end() - motion.start());
        let samples = || (0..=4000).map(|i| motion.at(start + length * f64::from(i) / 4000.0));
        let peak = |of: fn(&Sample) -> f64| samples().map(|s| of(&s).abs()).fold(0.0, f64::max);
        let (fastest, hardest) = (peak(|s| s.speed), peak(|s| s.acceleration));
        assert!(fastest <= speed * (1.0 + 1e-12) && hardest <= acceleration * (1.0 + 1e-12), "{way}");
        assert_eq!([fastest > 0.999 * speed, hardest > 0.999 * acceleration], binds, "{way}: {fastest} {hardest}");
        // The acceleration changes by the jerk while the speed begins to rise.
        let first = motion.breaks()[1] - start;
        let found = motion.at(start + 0.5 * first).acceleration / (0.5 * first);
        assert!((found - jerk.copysign(way)).abs() < 1e-9 * jerk, "{way}: {found}");
        assert_eq!((motion.first().position, motion.last().position), (0.3, 0.3 + way));
        // Continuous acceleration at every break.
        for b in motion.breaks() {
            let (before, after) = (motion.at(b.next_down()), motion.at(*b));
            assert!((before.acceleration - after.acceleration).abs() < 1e-9, "{way} at {b}");
        }
    }
    let bad = MotionLimits { speed: 0.0, acceleration: 1.0, jerk: 1.0 };
    assert!(matches!(
        Trajectory::jerk_limited(0.0, [0.0, 1.0], bad),
        Err(ProfileError::Bound { quantity: "speed", .. })
    ));
    let good = MotionLimits { speed: 1.0, acceleration: 1.0, jerk: 1.0 };
    assert!(Trajectory::jerk_limited(0.0, [1.0, 1.0], good).is_err());
}

/// A shaped motion is the sum of its copies, and ends where the motion ends.
#[test]
fn a_shaped_motion_is_the_sum_of_its_copies() {
    let motion = Trajectory::cycloidal([1.0, 3.0], [0.2, -0.7]).unwrap();
    let shaper = Shaper::design(ShaperKind::Ei3 { tolerance: 0.05 }, Mode { frequency: 0.7, damping: 0.1 }).unwrap();
    let shaped = motion.clone().shaped(&shaper);
    assert!((shaped.end() - motion.end() - shaper.duration()).abs() < 1e-15);
    assert!((shaped.last().position + 0.7).abs() < 1e-15 && shaped.first().position == 0.2);
    for i in 0..=100 {
        let t = 0.5 + 0.07 * f64::from(i);
        let sum: f64 = shaper.impulses().map(|(u, a)| a * motion.at(t - u).position).sum();
        assert!((shaped.at(t).position - sum).abs() < 1e-15, "{t}");
    }
}
