//! Shapers by their definitions: what vibration is left where, published widths, refusals.

use supple_control::{Mode, Shaper, ShaperError, ShaperKind};

const DAMPINGS: [f64; 7] = [0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5];

/// Damping ratios at which a kind exists: humps of a tolerance need vibration that is still there when the last impulse comes.
fn dampings(kind: ShaperKind) -> impl Iterator<Item = f64> {
    let most = match kind {
        ShaperKind::Ei { tolerance } => 0.65 - 2.5 * tolerance,
        ShaperKind::Ei2 { tolerance } => 0.43 - 2.0 * tolerance,
        ShaperKind::Ei3 { tolerance } => 0.32 - 1.8 * tolerance,
        _ => 0.99,
    };
    DAMPINGS.into_iter().filter(move |damping| *damping < most)
}

fn mode(damping: f64) -> Mode {
    Mode { frequency: 1.7, damping }
}

fn design(kind: ShaperKind, damping: f64) -> Shaper {
    Shaper::design(kind, mode(damping)).unwrap_or_else(|error| panic!("{kind:?}, {damping}: {error}"))
}

/// The residual at a small error of frequency, in proportion to a power of it.
fn flatness(shaper: &Shaper, mode: Mode, power: i32) -> f64 {
    let h: f64 = 1e-3;
    shaper.residual_at(mode, 1.0 + h).max(shaper.residual_at(mode, 1.0 - h)) / h.powi(power)
}

#[test]
fn amplitudes_sum_to_one_and_times_increase() {
    for kind in ShaperKind::ALL {
        for damping in dampings(kind) {
            let shaper = design(kind, damping);
            let sum: f64 = shaper.amplitudes().iter().sum();
            assert!((sum - 1.0).abs() < 4.0 * f64::EPSILON, "{kind:?}, {damping}: {sum}");
            assert!(shaper.times()[0] == 0.0 && shaper.times().windows(2).all(|pair| pair[0] < pair[1]));
            assert_eq!(Shaper::from_impulses(shaper.times(), shaper.amplitudes()).as_ref(), Ok(&shaper));
        }
    }
}

#[test]
fn nothing_is_left_at_the_mode() {
    let zero =
        [ShaperKind::Zv, ShaperKind::Zvd, ShaperKind::Zvdd, ShaperKind::Ei2 { tolerance: 0.05 }, ShaperKind::UmZv];
    for kind in zero {
        for damping in dampings(kind) {
            let left = design(kind, damping).residual(mode(damping));
            assert!(left < 1e-14, "{kind:?}, {damping}: {left:e}");
        }
    }
}

/// The residual grows like the first, second and third power of the error of frequency, so derivatives vanish as they should, and no more.
#[test]
fn derivatives_vanish_at_the_mode() {
    for damping in DAMPINGS {
        for (kind, power) in [(ShaperKind::Zv, 1), (ShaperKind::Zvd, 2), (ShaperKind::Zvdd, 3)] {
            let found = flatness(&design(kind, damping), mode(damping), power);
            assert!(found > 0.01 && found < 5.0, "{kind:?}, {damping}: {found}");
        }
    }
}

/// Zeros and tops of the residual over the ratio, by looking at it closely.
fn extremes(shaper: &Shaper, mode: Mode, [from, to]: [f64; 2]) -> (Vec<f64>, Vec<(f64, f64)>) {
    let step = 1e-4;
    let at = |i: usize| from + step * i as f64;
    let (mut zeros, mut tops) = (Vec::new(), Vec::new());
    for i in 1..((to - from) / step) as usize {
        let [before, here, after] = [i - 1, i, i + 1].map(|i| shaper.residual_at(mode, at(i)));
        if here < before && here <= after {
            zeros.push(at(i));
        }
        if here > before && here >= after {
            // The top of the parabola through three points.
            tops.push((at(i), here + (after - before).powi(2) / (8.0 * (2.0 * here - before - after))));
        }
    }
    (zeros, tops)
}

#[test]
fn extra_insensitive_shapers_ripple_at_their_tolerance() {
    for tolerance in [0.02, 0.05, 0.1] {
        let kinds = [ShaperKind::Ei { tolerance }, ShaperKind::Ei2 { tolerance }, ShaperKind::Ei3 { tolerance }];
        for (humps, kind) in (1..).zip(kinds) {
            for damping in dampings(kind) {
                let (shaper, mode) = (design(kind, damping), mode(damping));
                let middle = shaper.residual(mode);
                let expected = if humps == 2 { 0.0 } else { tolerance };
                assert!((middle - expected).abs() < 1e-14, "{kind:?}, {damping}: {middle} at the mode");
                let band = shaper.band(mode, tolerance).unwrap();
                let (zeros, tops) = extremes(&shaper, mode, [band.low, band.high.min(2.4)]);
                assert_eq!((zeros.len(), tops.len()), (humps + 1, humps), "{kind:?}, {damping}: {zeros:?} {tops:?}");
                for zero in zeros {
                    // Within a step of a zero of the first order.
                    assert!(shaper.residual_at(mode, zero) < 1e-3, "{kind:?}, {damping}: {zero}");
                }
                for (at, top) in tops {
                    assert!((top - tolerance).abs() < 1e-8, "{kind:?}, {damping}: {top} at {at}");
                }
            }
        }
    }
}

/// Times between impulses and the widths of the 5 % bands without damping, as published.
#[test]
fn published_widths() {
    let published = [
        (ShaperKind::Zv, 0.5, [0.9682, 1.0318], 0.0637),
        (ShaperKind::Zvd, 1.0, [0.8564, 1.1436], 0.2871),
        (ShaperKind::Ei { tolerance: 0.05 }, 1.0, [0.8003, 1.1997], 0.3995),
        (ShaperKind::Ei2 { tolerance: 0.05 }, 1.5, [0.6377, 1.3623], 0.7245),
    ];
    for (kind, duration, [low, high], width) in published {
        let shaper = design(kind, 0.0);
        let band = shaper.band(mode(0.0), 0.05).unwrap();
        assert!((shaper.duration() * 1.7 - duration).abs() < 1e-12, "{kind:?}");
        for (found, expected) in [(band.low, low), (band.high, high), (band.width(), width)] {
            assert!((found - expected).abs() < 1e-4, "{kind:?}: {found} {expected}");
        }
    }
}

/// Unity magnitudes without damping: a sixth and a third of the period.
#[test]
fn unity_magnitudes() {
    let shaper = design(ShaperKind::UmZv, 0.0);
    assert_eq!(shaper.amplitudes(), [1.0, -1.0, 1.0]);
    for (t, sixths) in shaper.times().iter().zip([0.0, 1.0, 2.0]) {
        assert!((t - sixths / 6.0 / 1.7).abs() < 1e-15);
    }
}

#[test]
fn several_modes_at_once() {
    let modes = [Mode { frequency: 0.8, damping: 0.02 }, Mode { frequency: 2.9, damping: 0.1 }];
    for kind in ShaperKind::ALL {
        let shaper = Shaper::for_modes(kind, &modes).unwrap();
        let alone: Vec<Shaper> = modes.iter().map(|mode| Shaper::design(kind, *mode).unwrap()).collect();
        assert!((shaper.duration() - alone[0].duration() - alone[1].duration()).abs() < 1e-14);
        for mode in modes {
            // Convolution multiplies phasors.
            let product = alone[0].residual(mode) * alone[1].residual(mode);
            assert!((shaper.residual(mode) - product).abs() < 1e-14, "{kind:?}");
        }
    }
    // Twice the same mode: times that fall together are one impulse.
    let mode = Mode { frequency: 1.0, damping: 0.05 };
    let twice = Shaper::for_modes(ShaperKind::Zv, &[mode, mode]).unwrap();
    let zvd = Shaper::design(ShaperKind::Zvd, mode).unwrap();
    for (a, b) in twice.impulses().zip(zvd.impulses()) {
        assert!((a.0 - b.0).abs() < 1e-15 && (a.1 - b.1).abs() < 1e-15);
    }
    assert_eq!(twice.times().len(), 3);
}

#[test]
fn what_makes_no_sense_is_refused() {
    type E = ShaperError;
    for frequency in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-310] {
        let bad = Mode { frequency, damping: 0.0 };
        assert!(matches!(Shaper::design(ShaperKind::Zv, bad), Err(E::Frequency { .. })), "{frequency}");
    }
    for damping in [-0.1, 1.0, 2.0, f64::NAN] {
        assert!(matches!(Shaper::design(ShaperKind::Zv, mode(damping)), Err(E::Damping { .. })), "{damping}");
    }
    for tolerance in [0.0, -0.1, 1.0, f64::NAN] {
        let kind = ShaperKind::Ei { tolerance };
        assert!(matches!(Shaper::design(kind, mode(0.0)), Err(E::Tolerance { .. })), "{tolerance}");
    }
    assert_eq!(Shaper::from_impulses(&[], &[]), Err(E::Times));
    assert_eq!(Shaper::from_impulses(&[0.0, 0.0], &[0.5, 0.5]), Err(E::Times));
    assert_eq!(Shaper::from_impulses(&[0.1, 0.2], &[0.5, 0.5]), Err(E::Times));
    assert!(matches!(Shaper::from_impulses(&[0.0, 0.2], &[0.5, 0.6]), Err(E::Sum { .. })));
    // Near critical damping every kind either has a solution that keeps its promise or says that there is none.
    for kind in ShaperKind::ALL {
        for damping in [0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999] {
            match Shaper::design(kind, mode(damping)) {
                Ok(shaper) => assert!(shaper.residual(mode(damping)) < kind.tolerance().unwrap_or(0.0) + 1e-9),
                Err(error) => assert!(matches!(error, E::NoSolution { .. }), "{error}"),
            }
        }
    }
}
