//! Frequencies of analytical beams through the engine, against the roots of their characteristic equations.
//!
//! The equations and their solution here share nothing with the library: plain `cos`, `cosh` and bisection. Finite elements are in
//! `fe_convergence.rs`.

use supple::testkit::eigenvalues;
use supple::{
    Body, DenseWorkspace, Fidelity, Hinge, HingeKind, Model, ModelBuilder, Parent, State, Terms, Workspace,
    bias_forces, mass_matrix,
};
use supple_bodies::beam::{Fitting, ModalBeam, ModeCounts, Support};
use supple_bodies::section::BeamProperties;

const LENGTH: f64 = 2.5;
const BENDING: f64 = 7.0e3;
const MASS: f64 = 3.2;

/// A characteristic equation of `x = βL`, to be zero.
type Equation = fn(f64) -> f64;

fn beam(support: Support, tip: Fitting, bending: usize) -> ModalBeam {
    let properties = BeamProperties {
        mass: MASS,
        axial: 4.0e6,
        bending_y: BENDING,
        bending_z: BENDING,
        torsion: 5.0e3,
        shear: f64::INFINITY,
        rotary: [0.03, 0.0, 0.0],
    };
    let modes = ModeCounts { bending_y: bending, ..ModeCounts::default() };
    ModalBeam { support, tip, fidelity: Fidelity::Inconsistent, ..ModalBeam::cantilever(LENGTH, properties, modes) }
}

fn model(body: Body) -> Model {
    let mut builder = ModelBuilder::new();
    builder.body(body);
    builder.build().unwrap()
}

/// `ω L² √(ρA/EI)` of the first modes at rest, from the engine's own mass matrix and elastic forces; rigid motions are left out.
fn through_the_engine(model: &Model, rigid: usize) -> Vec<f64> {
    let n = model.speed_count();
    let (mut ws, mut dense) = (Workspace::new(model), DenseWorkspace::new(model));
    let mut mass = vec![0.0; n * n];
    mass_matrix(model, &State::new(model), &mut ws, &mut dense, &mut mass).unwrap();
    let mut stiffness = vec![vec![0.0; n]; n];
    let elastic = Terms { elastic: true, ..Terms::NONE };
    // Modes stand first in coordinates and speeds; a hinge has no stiffness.
    for j in 0..model.modes(supple::BodyIndex(0)) {
        let mut state = State::new(model);
        state.coordinates[j] = 1.0;
        let forces = bias_forces(model, &state, &supple::Inputs::new(model), elastic, &mut ws).unwrap();
        (0..n).for_each(|i| stiffness[i][j] = forces.forces()[i]);
    }
    // L⁻¹ K L⁻* of the Cholesky factor of the mass has the squares as eigenvalues.
    let rows: Vec<Vec<f64>> = mass.chunks(n).map(<[f64]>::to_vec).collect();
    let l = supple::testkit::cholesky(&rows).unwrap();
    let forward = |mut x: Vec<f64>| {
        for i in 0..n {
            let known: f64 = (0..i).map(|k| l[i][k] * x[k]).sum();
            x[i] = (x[i] - known) / l[i][i];
        }
        x
    };
    let columns: Vec<Vec<f64>> = (0..n).map(|j| forward((0..n).map(|i| stiffness[i][j]).collect())).collect();
    let both: Vec<Vec<f64>> = (0..n).map(|i| forward((0..n).map(|j| columns[j][i]).collect())).collect();
    let symmetric: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| 0.5 * (both[i][j] + both[j][i])).collect()).collect();
    let scale = LENGTH.powi(4) * MASS / BENDING;
    eigenvalues(&symmetric).into_iter().skip(rigid).map(|square| (square * scale).sqrt()).collect()
}

/// The first roots of `f` above zero.
fn roots(f: impl Fn(f64) -> f64, count: usize) -> Vec<f64> {
    let mut found = Vec::new();
    let step = 0.01;
    let mut left = step;
    while found.len() < count {
        let right = left + step;
        if f(left) * f(right) < 0.0 {
            let (mut a, mut b) = (left, right);
            for _ in 0..100 {
                let middle = 0.5 * (a + b);
                if f(a) * f(middle) <= 0.0 { b = middle } else { a = middle }
            }
            found.push(0.5 * (a + b));
        }
        left = right;
    }
    found
}

/// Clamped-free `1 + cos x cosh x`, free-free `1 - cos x cosh x`, pinned-free and clamped-pinned `tan x - tanh x`, pinned-pinned `sin x`:
/// the first five frequencies to 1e-8. Clamped ones go through the engine; modes that move their root are known by their modal data.
#[test]
fn uniform_beams_have_their_exact_frequencies() {
    let cases: [(Support, Equation); 5] = [
        (Support::ClampedFree, |x| 1.0 / x.cosh() + x.cos()),
        (Support::FreeFree, |x| 1.0 / x.cosh() - x.cos()),
        (Support::PinnedFree, |x| x.sin() - x.cos() * x.tanh()),
        (Support::ClampedPinned, |x| x.sin() - x.cos() * x.tanh()),
        (Support::PinnedPinned, f64::sin),
    ];
    for (support, equation) in cases {
        let beam = beam(support, Fitting::default(), 5);
        let found = match support {
            Support::ClampedFree | Support::ClampedPinned => {
                through_the_engine(&model(beam.body("beam", Parent::Ground, Hinge::new(HingeKind::Fixed))), 0)
            }
            _ => by_modes(&beam),
        };
        let mut worst = 0.0_f64;
        for (ours, root) in found.iter().zip(roots(equation, 5)) {
            worst = worst.max((ours / (root * root) - 1.0).abs());
        }
        println!("{support:?}: {worst:.1e}");
        assert!(worst < 1e-8, "{support:?} {found:?}");
    }
}

/// The same from modal data: modes are mass-normalised, so that the stiffness is `ω²`.
fn by_modes(beam: &ModalBeam) -> Vec<f64> {
    let scale = LENGTH.powi(4) * MASS / BENDING;
    match beam.modal_data().stiffness {
        supple::ModalMatrix::Diagonal(k) => k.iter().map(|square| (square * scale).sqrt()).collect(),
        other => panic!("modes are coupled: {other:?}"),
    }
}

/// A tip mass of `μ` times the beam: `1 + cos x cosh x + μ x (cos x sinh x - sin x cosh x) = 0`, light to heavy, to 1e-8.
#[test]
fn loaded_cantilevers_have_their_exact_frequencies() {
    for ratio in [0.1, 1.0, 5.0] {
        let tip = Fitting { mass: ratio * MASS * LENGTH, ..Fitting::default() };
        let body = beam(Support::ClampedLoaded, tip, 4).body("beam", Parent::Ground, Hinge::new(HingeKind::Fixed));
        let equation = |x: f64| 1.0 / x.cosh() + x.cos() + ratio * x * (x.cos() * x.tanh() - x.sin());
        let found = through_the_engine(&model(body), 0);
        let mut worst = 0.0_f64;
        for (ours, root) in found.iter().zip(roots(equation, 4)) {
            worst = worst.max((ours / (root * root) - 1.0).abs());
        }
        println!("tip mass {ratio} of the beam: {worst:.1e}");
        assert!(worst < 1e-8, "{ratio} {found:?}");
    }
}

/// Cantilever modes on a free revolute hinge make up a pinned beam: the first frequency from above, better with every mode.
#[test]
fn hinged_cantilever_modes_approach_the_pinned_beam() {
    let exact = roots(|x| x.sin() - x.cos() * x.tanh(), 1)[0].powi(2);
    let error = |modes: usize| {
        let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
        let body = beam(Support::ClampedFree, Fitting::default(), modes).body("beam", Parent::Ground, hinge);
        through_the_engine(&model(body), 1)[0] / exact - 1.0
    };
    let errors = [2, 4, 8, 12].map(error);
    println!("pinned beam from 2, 4, 8, 12 cantilever modes: {errors:?}");
    assert!(errors.windows(2).all(|e| e[1] < e[0]) && errors[3] > 0.0 && errors[3] < 1e-5, "{errors:?}");
}
