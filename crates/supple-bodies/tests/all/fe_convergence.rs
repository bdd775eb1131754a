//! Frequencies of finite-element beams converge to the exact ones with the right order.

use crate::exact::{CLAMPED, FREE, PINNED, Plane, frequencies};
use supple_bodies::fe::{BeamMesh, Condition, MassModel, Theory};
use supple_bodies::reduction::Reduction;
use supple_bodies::section::BeamProperties;

const LENGTH: f64 = 2.0;

/// Conditions by the index of the tip.
type Supports = fn(usize) -> Vec<Condition>;

/// Stiff in every way but bending in the x-y plane, unless told otherwise.
fn properties() -> BeamProperties {
    BeamProperties {
        mass: 3.0,
        axial: 8.0e7,
        bending_y: 5.0e3,
        bending_z: 4.0e6,
        torsion: 6.0e6,
        shear: 1.2e6,
        rotary: [0.02, 0.01, 0.01],
    }
}

fn lowest(mesh: &BeamMesh, conditions: &[Condition], count: usize) -> Vec<f64> {
    let modes = Reduction::eigenmodes(mesh.held(conditions), count).reduce(&mesh.structure()).unwrap();
    modes.frequencies
}

/// The same with only bending in the x-y plane free.
fn lowest_in_plane(mesh: &BeamMesh, conditions: &[Condition], count: usize) -> Vec<f64> {
    let other = [true, true, false, true, false, true];
    let mut all = conditions.to_vec();
    all.extend((0..mesh.station_count()).map(|station| Condition { station, held: other }));
    lowest(mesh, &all, count)
}

/// Errors of one frequency with growing numbers of elements, and the orders between them.
fn orders(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|e| (e[0] / e[1]).log2()).collect()
}

/// Euler-Bernoulli: the three lowest bending frequencies converge with order 4, from above.
#[test]
fn euler_bernoulli_bending_is_of_order_four() {
    let p = properties();
    let cases: [(&str, Supports, [f64; 3]); 4] = [
        (
            "clamped-free",
            |_| vec![Condition::clamped(0)],
            [1.875_104_068_711_961, 4.694_091_132_974_175, 7.854_757_438_237_613],
        ),
        ("free-free", |_| vec![], [4.730_040_744_862_704, 7.853_204_624_095_838, 10.995_607_838_001_67]),
        (
            "pinned-free",
            |_| vec![Condition::pinned(0)],
            [3.926_602_312_047_919, 7.068_582_745_628_732, 10.210_176_122_813_03],
        ),
        (
            "pinned-pinned",
            |tip| vec![Condition::pinned(0), Condition::sliding(tip)],
            [std::f64::consts::PI, 2.0 * std::f64::consts::PI, 3.0 * std::f64::consts::PI],
        ),
    ];
    for (name, conditions, roots) in cases {
        for mode in 0..3 {
            let omega = (roots[mode] / LENGTH).powi(2) * (p.bending_y / p.mass).sqrt();
            let error = |n: usize| {
                let mesh = BeamMesh::uniform(LENGTH, n, p).unwrap();
                lowest(&mesh, &conditions(n), 3)[mode] / omega - 1.0
            };
            let errors = [4, 8, 16, 32].map(error);
            println!("{name} mode {mode}: {errors:?} {:?}", orders(&errors));
            assert!(errors.iter().all(|&e| e > 0.0), "{name} {mode} {errors:?}");
            let last = orders(&errors)[2];
            assert!((last - 4.0).abs() < 0.05, "{name} {mode} order {last}");
        }
    }
}

/// Stretch and twist converge with order 2: from above with consistent mass, from below with lumped mass.
#[test]
fn rods_are_of_order_two() {
    let soft = BeamProperties { axial: 900.0, ..properties() };
    let twisting = BeamProperties { torsion: 7.0, ..properties() };
    let stiff = BeamProperties { bending_y: 4.0e6, ..properties() };
    for (p, stiffness, inertia) in [(soft, soft.axial, soft.mass), (twisting, twisting.torsion, twisting.rotary[0])] {
        let p = BeamProperties { bending_y: stiff.bending_y, ..p };
        for mode in 0..3 {
            let omega = std::f64::consts::PI * (mode as f64 + 0.5) / LENGTH * (stiffness / inertia).sqrt();
            for mass in [MassModel::Consistent, MassModel::Lumped] {
                let error = |n: usize| {
                    let mesh = BeamMesh::uniform(LENGTH, n, p).unwrap().with_mass(mass);
                    lowest(&mesh, &[Condition::clamped(0)], 3)[mode] / omega - 1.0
                };
                let errors = [16, 32, 64].map(error);
                println!("rod {mass:?} mode {mode}: {errors:?} {:?}", orders(&errors));
                let above = mass == MassModel::Consistent;
                assert!(errors.iter().all(|&e| (e > 0.0) == above), "{mass:?} {errors:?}");
                assert!((orders(&errors)[1] - 2.0).abs() < 0.02, "{:?}", orders(&errors));
            }
        }
    }
}

/// Lumped mass without rotary inertia: a singular mass matrix, order 2 or better in bending.
#[test]
fn lumped_bending_converges() {
    let p = properties();
    let omega = (1.875_104_068_711_961_f64 / LENGTH).powi(2) * (p.bending_y / p.mass).sqrt();
    let error = |n: usize| {
        let mesh = BeamMesh::uniform(LENGTH, n, p).unwrap().with_mass(MassModel::Lumped);
        lowest(&mesh, &[Condition::clamped(0)], 1)[0] / omega - 1.0
    };
    let errors = [8, 16, 32].map(error);
    println!("lumped bending {errors:?} {:?}", orders(&errors));
    assert!(errors.iter().all(|e| *e < 0.0));
    assert!((orders(&errors)[1] - 2.0).abs() < 0.05);
}

/// Timoshenko beams, slender and stubby, against their differential equations.
#[test]
fn timoshenko_converges_to_the_exact_frequencies() {
    let p = properties();
    let ends = [
        ("clamped-free", [CLAMPED, FREE]),
        ("free-free", [FREE, FREE]),
        ("pinned-pinned", [PINNED, PINNED]),
        ("pinned-free", [PINNED, FREE]),
    ];
    for (label, p) in [("slender", p), ("stubby", BeamProperties { bending_y: 1.0e5, rotary: [0.02, 0.5, 0.5], ..p })] {
        let plane = Plane { bending: p.bending_y, shear_compliance: 1.0 / p.shear, mass: p.mass, rotary: p.rotary[2] };
        for (name, ends) in ends {
            let reference = frequencies(|_| plane, LENGTH, ends, 3, 4.0);
            for mode in 0..3 {
                let error = |n: usize| {
                    let mesh = BeamMesh::uniform(LENGTH, n, p).unwrap().with_theory(Theory::Timoshenko);
                    let mesh = mesh.with_rotary_inertia(true);
                    let conditions = match name {
                        "clamped-free" => vec![Condition::clamped(0)],
                        "pinned-pinned" => vec![Condition::pinned(0), Condition::sliding(n)],
                        "pinned-free" => vec![Condition::pinned(0)],
                        _ => vec![],
                    };
                    lowest_in_plane(&mesh, &conditions, 3)[mode] / reference[mode] - 1.0
                };
                let errors = [8, 16, 32, 64].map(error);
                println!("{label} {name} mode {mode} {}: {errors:?} {:?}", reference[mode], orders(&errors));
                assert!(errors.iter().all(|&e| e > -1e-10), "{label} {name} {errors:?}");
                let last = orders(&errors)[2];
                assert!(last > 1.9, "{label} {name} {mode} {last}");
            }
        }
    }
}

/// Kirchhoff's wedge: a cantilever whose depth falls to zero at the tip. From there on, `(x³ w'')'' = β² x w` has the solutions `J₁(2√(βx))/√x` and `I₁(2√(βx))/√x` that stay
/// finite; both vanish with their slopes at the clamp where `J₁(z) I₂(z) + I₁(z) J₂(z) = 0`, `β = z²/4 = ω L² √(ρA/EI)` of the root.
#[test]
fn wedge_of_kirchhoff() {
    // The power series, alternating for J and not for I.
    let series = |order: i32, z: f64, sign: f64| -> f64 {
        let start = (1..=order).fold((z / 2.0).powi(order), |term, k| term / f64::from(k));
        let next = |(sum, term): (f64, f64), k: i32| {
            let term = term * sign * z * z / (4.0 * f64::from(k) * f64::from(k + order));
            (sum + term, term)
        };
        (1..80).fold((start, start), next).0
    };
    let clamp = |z: f64| {
        let [[j1, j2], [i1, i2]] = [-1.0, 1.0].map(|sign| [series(1, z, sign), series(2, z, sign)]);
        j1 * i2 + i1 * j2
    };
    let root = |mut low: f64, mut high: f64| {
        assert!(clamp(low) * clamp(high) < 0.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if clamp(low) * clamp(middle) < 0.0 { high = middle } else { low = middle }
        }
        low * low / 4.0
    };
    // No other sign changes below the second root.
    let signs: Vec<bool> = (1..=85).map(|k| clamp(0.1 * f64::from(k)) > 0.0).collect();
    assert_eq!(signs.windows(2).filter(|pair| pair[0] != pair[1]).count(), 2);
    let exact = [root(4.0, 5.0), root(7.0, 8.5)];
    let p = properties();
    let depth = |x: f64| 1.0 - x / LENGTH;
    let at = |x: f64| BeamProperties { bending_y: p.bending_y * depth(x).powi(3), mass: p.mass * depth(x), ..p };
    let mesh = BeamMesh::tapered(LENGTH, 60, at).unwrap();
    let scale = (p.bending_y / p.mass).sqrt() / (LENGTH * LENGTH);
    let found = lowest(&mesh, &[Condition::clamped(0)], 2);
    for (found, exact) in found.iter().zip(exact) {
        println!("wedge {}, exact {exact}", found / scale);
        assert!((found / scale / exact - 1.0).abs() < 1e-4, "{} {exact}", found / scale);
    }
}

/// Double-tapered cantilevers of Mabie and Rogers (J. Acoust. Soc. Am. 51, 1972; test SDLL09 of the French VPCS guide): four times as deep
/// and four or five times as wide at the clamp as at the tip, `ω = λ h₁/L² √(E/12ρ)` with the depth `h₁` of the tip. The equations
/// integrated here give 23.2923 where 23.289 is printed, and elements follow the equations.
#[test]
fn double_tapered_cantilevers_of_mabie_and_rogers() {
    for (width, printed) in [(4.0, [23.289, 73.9, 165.23, 299.7, 478.1]), (5.0, [24.308, 75.56, 167.21, 301.9, 480.4])]
    {
        // E = 12, ρ = 1, and one at the tip.
        let at = |x: f64| {
            let (h, b) = (4.0 - 3.0 * x / LENGTH, width - (width - 1.0) * x / LENGTH);
            BeamProperties { bending_y: b * h.powi(3), mass: b * h, ..properties() }
        };
        let plane = |x: f64| Plane { bending: at(x).bending_y, shear_compliance: 0.0, mass: at(x).mass, rotary: 0.0 };
        let exact = frequencies(plane, LENGTH, [CLAMPED, FREE], 5, 2.0);
        let found = lowest_in_plane(&BeamMesh::tapered(LENGTH, 40, at).unwrap(), &[Condition::clamped(0)], 5);
        for i in 0..5 {
            let (ours, exact) = (found[i] * LENGTH * LENGTH, exact[i] * LENGTH * LENGTH);
            println!("width {width}: {ours:.4}, equations {exact:.4}, printed {}", printed[i]);
            assert!((ours / exact - 1.0).abs() < 2e-5, "{ours} {exact}");
            assert!((ours / printed[i] - 1.0).abs() < 4e-4, "{ours} {}", printed[i]);
        }
    }
}

/// Linear tapers of depth and width `1 - τ x/L`, in units of the root, as tabulated for blades at rest
/// (Int. J. Mech. Mater. Eng. 10:21, 2015, table 1), and as their equations have them.
#[test]
fn tapered_blades_at_rest() {
    let p = properties();
    for (depth, width, printed) in [
        (0.2, 0.0, [3.60828, 20.6210, 56.1923]),
        (0.4, 0.4, [4.31878, 20.0500, 51.3346]),
        (0.6, 0.0, [3.93428, 17.4879, 44.0248]),
        (0.6, 0.8, [5.82882, 20.3952, 47.3051]),
    ] {
        let at = |x: f64| {
            let (h, b) = (1.0 - depth * x / LENGTH, 1.0 - width * x / LENGTH);
            BeamProperties { bending_y: p.bending_y * b * h.powi(3), mass: p.mass * b * h, ..p }
        };
        let mesh = BeamMesh::tapered(LENGTH, 40, at).unwrap();
        let scale = (p.bending_y / p.mass).sqrt() / (LENGTH * LENGTH);
        let plane = |x: f64| Plane { bending: at(x).bending_y, shear_compliance: 0.0, mass: at(x).mass, rotary: 0.0 };
        let exact = frequencies(plane, LENGTH, [CLAMPED, FREE], 3, 2.0);
        let found = lowest_in_plane(&mesh, &[Condition::clamped(0)], 3);
        for ((frequency, exact), printed) in found.iter().zip(exact).zip(printed) {
            let ours = frequency / scale;
            println!("taper {depth} {width}: {ours:.5}, equations {:.5}, printed {printed}", exact / scale);
            assert!((frequency / exact - 1.0).abs() < 1e-5, "{frequency} {exact}");
            assert!((ours / printed - 1.0).abs() < 1e-5, "{ours} {printed}");
        }
    }
}

/// A beam tapered to half its depth, both theories, against the integrated equations: order 4 without shear, 2 with it.
#[test]
fn tapered_beam_against_its_equations() {
    let p = properties();
    let depth = |x: f64| 1.0 - 0.5 * x / LENGTH;
    let at = |x: f64| {
        let d = depth(x);
        BeamProperties {
            bending_y: p.bending_y * d.powi(3),
            mass: p.mass * d,
            shear: p.shear * d,
            rotary: p.rotary.map(|r| r * d.powi(3)),
            ..p
        }
    };
    let plane = |x: f64| {
        let q = at(x);
        Plane { bending: q.bending_y, shear_compliance: 0.0, mass: q.mass, rotary: 0.0 }
    };
    let sheared = |x: f64| {
        let q = at(x);
        Plane { bending: q.bending_y, shear_compliance: 1.0 / q.shear, mass: q.mass, rotary: q.rotary[2] }
    };
    let reference = frequencies(plane, LENGTH, [CLAMPED, FREE], 2, 4.0);
    for mode in 0..2 {
        let error = |n: usize| {
            let mesh = BeamMesh::tapered(LENGTH, n, at).unwrap();
            lowest_in_plane(&mesh, &[Condition::clamped(0)], 2)[mode] / reference[mode] - 1.0
        };
        let errors = [8, 16, 32].map(error);
        println!("tapered {mode}: {} {errors:?} {:?}", reference[mode], orders(&errors));
        assert!((orders(&errors)[1] - 4.0).abs() < 0.1 && errors[2] < 1e-6);
    }
    let reference = frequencies(sheared, LENGTH, [CLAMPED, FREE], 2, 4.0);
    for mode in 0..2 {
        let error = |n: usize| {
            let mesh =
                BeamMesh::tapered(LENGTH, n, at).unwrap().with_theory(Theory::Timoshenko).with_rotary_inertia(true);
            lowest_in_plane(&mesh, &[Condition::clamped(0)], 2)[mode] / reference[mode] - 1.0
        };
        let errors = [16, 32, 64].map(error);
        println!("tapered Timoshenko {mode}: {} {errors:?} {:?}", reference[mode], orders(&errors));
        assert!((orders(&errors)[1] - 2.0).abs() < 0.1 && errors[2] < 1e-4);
    }
}

/// The booms of the Shuttle arm: 37.2 and 34.5 rad/s.
#[test]
fn shuttle_booms() {
    for (length, mass, bending, axial, torsion, exact) in [
        (6.4, 138.0, 4.046e6, 2.790e9, 2.040e6, [37.1838, 233.03, 2791.9]),
        (7.0, 85.0, 2.812e6, 1.194e9, 1.417e6, [34.5304, 216.40, 2225.2]),
    ] {
        let p = BeamProperties {
            mass: mass / length,
            axial,
            bending_y: bending,
            bending_z: bending,
            torsion,
            shear: f64::INFINITY,
            rotary: [0.4 / length, 0.0, 0.0],
        };
        let mesh = BeamMesh::uniform(length, 24, p).unwrap();
        let found = lowest(&mesh, &[Condition::clamped(0)], 12);
        println!("boom {found:?}");
        assert!((found[0] - exact[0]).abs() < 1e-3 && (found[1] - exact[0]).abs() < 1e-3);
        assert!((found[2] / exact[1] - 1.0).abs() < 1e-4);
        assert!(found.iter().any(|f| (f / exact[2] - 1.0).abs() < 5e-4), "{found:?}");
    }
}
