//! A beam that turns steadily about one end of a hub, against Galerkin's method with polynomials and against published values.
//!
//! Across the plane of rotation (flap) `∫ EI w''² + Ω² ∫ ρA (R L + L²/2 - R x - x²/2) w'²` is the stiffness; within it (lag) `Ω² ∫ ρA w²` less.

use crate::support::{hinge, lump, slender, squares};
use faer::Mat;
use supple::{HingeKind, Inputs, Model, ModelBuilder, Node, NodeIndex, Parent, State};
use supple_bodies::beam::{ModalBeam, ModeCounts};
use supple_linear::{LinearError, equilibrium, lock, system_modes};

const LENGTH: f64 = 3.0;
const DENSITY: f64 = 0.8;
const STIFFNESS: f64 = 25.0;

/// Frequencies of flap and lag by polynomials `x^(k+2)`, orthogonalised by Gram and Schmidt so that many can be taken.
fn galerkin(spin: f64, radius: f64) -> [Vec<f64>; 2] {
    const TERMS: usize = 14;
    let points = supple_bodies::quadrature::gauss_legendre(40, 1.0);
    // On ξ = x / L: values and two derivatives at the points, of polynomials made orthonormal with the weight 1.
    let mut table: Vec<Vec<[f64; 3]>> = Vec::new();
    let (places, weights): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
    for k in 0..TERMS {
        let p = (k + 2) as i32;
        let power = |xi: &f64| [xi.powi(p), f64::from(p) * xi.powi(p - 1), f64::from(p * (p - 1)) * xi.powi(p - 2)];
        let mut column: Vec<[f64; 3]> = places.iter().map(power).collect();
        for _ in 0..2 {
            for other in &table {
                let along: f64 = (0..places.len()).map(|i| weights[i] * column[i][0] * other[i][0]).sum();
                for i in 0..places.len() {
                    (0..3).for_each(|d| column[i][d] -= along * other[i][d]);
                }
            }
        }
        let norm: f64 = (0..places.len()).map(|i| weights[i] * column[i][0].powi(2)).sum::<f64>().sqrt();
        column.iter_mut().flatten().for_each(|x| *x /= norm);
        table.push(column);
    }
    let integral = |a: usize, b: usize, d: usize, f: &dyn Fn(f64) -> f64| {
        (0..places.len()).map(|i| weights[i] * f(places[i]) * table[a][i][d] * table[b][i][d]).sum::<f64>()
    };
    let tension = |xi: f64| radius * LENGTH * (1.0 - xi) + 0.5 * LENGTH * LENGTH * (1.0 - xi * xi);
    let mass = Mat::from_fn(TERMS, TERMS, |a, b| DENSITY * LENGTH * integral(a, b, 0, &|_| 1.0));
    let flap = Mat::from_fn(TERMS, TERMS, |a, b| {
        STIFFNESS / LENGTH.powi(3) * integral(a, b, 2, &|_| 1.0)
            + DENSITY * spin * spin / LENGTH * integral(a, b, 1, &tension)
    });
    let lag = &flap - faer::Scale(spin * spin) * &mass;
    [&flap, &lag].map(|k| squares(k, &mass).into_iter().map(f64::sqrt).collect())
}

fn rotor(radius: f64, counts: ModeCounts, gravity: [f64; 3]) -> Model {
    let blade = ModalBeam::cantilever(LENGTH, slender(DENSITY, STIFFNESS), counts);
    let mut builder = ModelBuilder::new();
    builder.gravity(gravity);
    let mut hub = lump("hub", Parent::Ground, hinge("spin", HingeKind::Revolute { axis: [0.0, 0.0, 1.0] }), 1.0, 0.1);
    hub.nodes.push(Node { position: [radius, 0.0, 0.0], ..Node::default() });
    let node = NodeIndex(hub.nodes.len() - 1);
    let hub = builder.body(hub);
    builder.body(blade.body("blade", Parent::Body(hub, node), hinge("root", HingeKind::Fixed)));
    builder.build().unwrap()
}

/// Frequencies at a steady spin, hub held at its rate.
fn spun(model: &Model, spin: f64) -> Vec<f64> {
    let mut inputs = Inputs::new(model);
    lock(model, &mut inputs, &["spin"]).unwrap();
    let mut start = State::new(model);
    start.set_speed(model.hinge("spin").unwrap(), spin).unwrap();
    let steady = equilibrium(model, &start, &inputs).unwrap();
    assert!(steady.stable && steady.residual < 1e-10, "{}", steady.residual);
    let modes = system_modes(model, &steady.state, &inputs).unwrap();
    modes.modes.iter().map(|mode| mode.eigenvalue.abs()).collect()
}

/// Modes of the beam at rest converge to it from above.
#[test]
fn flap_and_lag_with_a_hub() {
    for (spin, radius) in [(0.0, 0.0), (2.0, 0.0), (5.0, 1.5), (8.0, 0.3)] {
        let [flap, lag] = galerkin(spin, radius);
        let mut before = f64::INFINITY;
        for count in [4, 8, 16] {
            let across = ModeCounts { bending_z: count, ..ModeCounts::default() };
            let within = ModeCounts { bending_y: count, ..ModeCounts::default() };
            let found = [across, within].map(|counts| spun(&rotor(radius, counts, [0.0; 3]), spin));
            let errors = [&flap, &lag]
                .into_iter()
                .zip(&found)
                .flat_map(|(exact, found)| (0..3).map(|i| found[i] / exact[i] - 1.0));
            let errors: Vec<f64> = errors.collect();
            println!("spin {spin}, radius {radius}, {count} modes: {errors:?}");
            let error = errors.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            assert!(errors.iter().all(|error| *error > -1e-9) && (error < 0.3 * before || error < 1e-9));
            before = error;
        }
        assert!(before < 2e-5, "{before:.1e}");
    }
}

/// First and second frequency of flap without hub radius over `√(EI/ρA L⁴)`, at spins in the same unit: Wright, Smith, Thresher and Wang, "Vibration modes
/// of centrifugally stiffened beams", Journal of Applied Mechanics 49 (1982).
#[test]
fn flap_as_published() {
    let unit = (STIFFNESS / DENSITY).sqrt() / (LENGTH * LENGTH);
    let published =
        [(1.0, [3.6816, 22.1810]), (3.0, [4.7973, 23.3203]), (6.0, [7.3604, 26.8091]), (12.0, [13.1702, 37.6031])];
    let model = rotor(0.0, ModeCounts { bending_z: 10, ..ModeCounts::default() }, [0.0; 3]);
    for (spin, expected) in published {
        let found = spun(&model, spin * unit);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found / unit / expected - 1.0).abs() < 3e-5, "{} for {expected}", found / unit);
        }
    }
}

/// A blade that gravity bends while it turns in a vertical plane sees loads that depend on the angle.
#[test]
fn what_depends_on_the_angle_is_refused() {
    let model = rotor(0.5, ModeCounts { bending_y: 3, ..ModeCounts::default() }, [0.0, -9.81, 0.0]);
    let mut inputs = Inputs::new(&model);
    lock(&model, &mut inputs, &["spin"]).unwrap();
    let mut state = State::new(&model);
    state.set_speed(model.hinge("spin").unwrap(), 4.0).unwrap();
    match system_modes(&model, &state, &inputs) {
        Err(LinearError::NotSteady { hinge, change, .. }) => assert!(hinge == "spin" && change > 0.01, "{change}"),
        other => panic!("{other:?}"),
    }
}
