//! Bodies with a loss factor: their dynamic stiffness is that of the elastic body times one complex number, whose loss is what was asked for.

use std::f64::consts::TAU;

use supple::{Body, Hinge, HingeKind, ModalMatrix, Model, Parent, System};
use supple_bodies::beam::varying::{SectionKind, Sections, Station, VaryingBeam, VaryingModes};
use supple_bodies::beam::{ModalBeam, ModeCounts};
use supple_bodies::damping::{LossFactor, relaxing};
use supple_bodies::frequencies;
use supple_bodies::section::{BeamProperties, Material, Section};

const ALUMINIUM: Material = Material { young: 7e10, poisson: 0.33, density: 2700.0 };
const STRIP: Section = Section::Rectangle { width: 0.003, height: 0.04 };

fn strip() -> Body {
    let modes = ModeCounts { bending_y: 2, twist: 1, ..ModeCounts::default() };
    ModalBeam::carrying(1.0, BeamProperties::new(STRIP, ALUMINIUM), modes).body(
        "strip",
        Parent::Ground,
        Hinge::new(HingeKind::Fixed),
    )
}

/// With a stiffness that is not diagonal, and second-order shapes.
fn coupled() -> Body {
    let kind = SectionKind::Shape { section: STRIP, material: ALUMINIUM, shear: false };
    let station = |x: f64, twist: f64| Station { x, kind, twist, curvature: [0.0; 2] };
    let beam = VaryingBeam::new(1.0, Sections(vec![station(0.0, 0.0), station(1.0, 0.5)]), VaryingModes::Coupled(2));
    let mut body = beam.body("blade", Parent::Ground, Hinge::new(HingeKind::Fixed));
    // The same body in other coordinates: each mode with a part of the one before.
    let n = body.modes.count;
    let rows = full(&body.modes.stiffness, n);
    let mixed = |r: usize, s: usize| f64::from(r == s) + if r + 1 == s { 0.3 } else { 0.0 };
    let product = |i: usize, j: usize| -> f64 {
        (0..n * n).map(|k| mixed(k / n, i) * rows[k / n][k % n] * mixed(k % n, j)).sum()
    };
    body.modes.stiffness = ModalMatrix::Full((0..n).map(|i| (0..n).map(|j| product(i, j)).collect()).collect());
    for node in body.nodes.iter_mut().filter(|node| !node.influence.is_empty()) {
        let old = node.influence.clone();
        for s in 1..n {
            (0..6).for_each(|c| node.influence[s][c] += 0.3 * old[s - 1][c]);
        }
    }
    body.modes.second_order.clear();
    body.nodes.iter_mut().for_each(|node| node.influence.truncate(n));
    body
}

fn full(matrix: &ModalMatrix, n: usize) -> Vec<Vec<f64>> {
    match matrix {
        ModalMatrix::Zero => vec![vec![0.0; n]; n],
        ModalMatrix::Diagonal(d) => (0..n).map(|i| (0..n).map(|j| if i == j { d[i] } else { 0.0 }).collect()).collect(),
        ModalMatrix::Full(rows) => rows.clone(),
    }
}

/// Force per deflection of the modes that move mass, real and imaginary part: what the others do at a frequency is eliminated.
fn dynamic_stiffness(body: &Body, elastic: usize, omega: f64) -> Vec<Vec<[f64; 2]>> {
    let n = body.modes.count;
    let [k, c] = [&body.modes.stiffness, &body.modes.damping].map(|matrix| full(matrix, n));
    let mass = &body.modal_inertia.as_ref().unwrap().modal_mass;
    let mut z: Vec<Vec<[f64; 2]>> =
        (0..n).map(|i| (0..n).map(|j| [k[i][j] - omega * omega * mass[i][j], omega * c[i][j]]).collect()).collect();
    let times = |a: [f64; 2], b: [f64; 2]| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    for p in (elastic..n).rev() {
        let [re, im] = z[p][p];
        let size = re * re + im * im;
        for i in 0..p {
            let factor = times(z[i][p], [re / size, -im / size]);
            for j in 0..p {
                let less = times(factor, z[p][j]);
                z[i][j] = [z[i][j][0] - less[0], z[i][j][1] - less[1]];
            }
        }
    }
    z[..elastic].iter().map(|row| row[..elastic].to_vec()).collect()
}

/// At rest the stiffness is that of the elastic body; in the band its loss factor is what was asked for within 5 %, and 1 % on average over octaves; it
/// rises with the frequency as Kramers and Kronig's relations say, by `2χ/π` per factor e.
#[test]
fn stiffness_has_the_loss_factor_in_its_band() {
    for (body, factor, band) in [
        (strip(), 0.02, [0.1, 10.0]),
        (coupled(), 0.02, [0.1, 10.0]),
        (strip(), 0.2, [0.5, 8.0]),
        (strip(), 1e-4, [0.01, 50.0]),
    ] {
        let n = body.modes.count;
        let stiffness = full(&body.modes.stiffness, n);
        let relaxation = LossFactor { factor, band }.relaxation().unwrap();
        let mut lossy = body.clone();
        relaxation.add_to(&mut lossy);
        assert_eq!(lossy.modes.count, n * (1 + relaxation.branches()));
        assert_eq!(relaxing::count(&lossy), n * relaxation.branches());
        let largest = stiffness.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
        let ratio = |hz: f64| {
            let dynamic = dynamic_stiffness(&lossy, n, TAU * hz);
            // One complex number for all entries.
            let number = dynamic[0][0].map(|x| x / stiffness[0][0]);
            for (row, told) in dynamic.iter().zip(&stiffness) {
                for (found, told) in row.iter().zip(told) {
                    assert!((0..2).all(|part| (found[part] - number[part] * told).abs() < 1e-9 * largest), "{hz} Hz");
                }
            }
            number
        };
        let rest = ratio(0.0);
        assert!((rest[0] - 1.0).abs() < 1e-9 && rest[1] == 0.0, "{rest:?}");
        let [low, high] = band;
        let samples: Vec<f64> = (0..=60).map(|k| low * (high / low).powf(f64::from(k) / 60.0)).collect();
        let losses: Vec<f64> = samples.iter().map(|hz| ratio(*hz)).map(|[re, im]| im / re).collect();
        for (hz, loss) in samples.iter().zip(&losses) {
            assert!((loss / factor - 1.0).abs() < 0.05, "{loss} at {hz} Hz, not {factor}");
        }
        let mean = losses.iter().sum::<f64>() / losses.len() as f64;
        assert!((mean / factor - 1.0).abs() < 0.01, "{mean}");
        // Between the middle halves of the band, where the ends have no part.
        let [a, b] = [0.25, 0.75].map(|part| low * (high / low).powf(part));
        let rise = (ratio(b)[0] / ratio(a)[0]).ln() / (b / a).ln();
        let expected = 2.0 * (factor.atan()) / std::f64::consts::PI;
        assert!((rise / expected - 1.0).abs() < 0.06, "{rise} {expected}");
    }
}

/// Frequencies are those of the stiffness at rest, of a body and of a system; the body without what relaxes is the one that was.
#[test]
fn frequencies_are_those_at_rest() {
    for body in [strip(), coupled()] {
        let relaxation = LossFactor { factor: 0.05, band: [0.2, 40.0] }.relaxation().unwrap();
        let mut lossy = body.clone();
        relaxation.add_to(&mut lossy);
        let (before, after) = (frequencies::of_body(&body).unwrap(), frequencies::of_body(&lossy).unwrap());
        assert_eq!(before.len(), after.len());
        before.iter().zip(&after).for_each(|(a, b)| assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}"));
        let rest = relaxing::body_at_rest(&lossy).unwrap();
        assert_eq!((rest.modes.count, &rest.nodes), (body.modes.count, &body.nodes));
        // Deflected, what relaxes follows: no force is left on it.
        let mut eta = vec![0.0; lossy.modes.count];
        (0..body.modes.count).for_each(|i| eta[i] = 1.0 + i as f64);
        relaxing::relax(&lossy, &mut eta);
        let stiffness = full(&lossy.modes.stiffness, lossy.modes.count);
        for row in &stiffness[body.modes.count..] {
            let (force, size) = row.iter().zip(&eta).fold((0.0, 0.0), |(f, s), (k, x)| (f + k * x, s + (k * x).abs()));
            assert!(f64::abs(force) < 1e-12 * size, "{force} {size}");
        }
        assert!(relaxing::at_rest(&System { bodies: vec![body.clone()], ..System::default() }).is_none());
        assert!(Model::build(&System { bodies: vec![lossy], ..System::default() }).is_ok());
    }
}

/// What has no branches: none or too much loss, an empty band, one that is too wide.
#[test]
fn what_cannot_be_had_is_refused() {
    for (factor, band) in [
        (0.0, [1.0, 10.0]),
        (0.31, [1.0, 10.0]),
        (0.02, [10.0, 10.0]),
        (0.02, [10.0, 1.0]),
        (0.02, [0.0, 1.0]),
        (0.02, [1.0, 2e6]),
        (f64::NAN, [1.0, 10.0]),
        (0.02, [1.0, f64::INFINITY]),
    ] {
        assert_eq!(LossFactor { factor, band }.relaxation(), None, "{factor} {band:?}");
    }
}
