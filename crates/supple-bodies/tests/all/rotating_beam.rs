//! Frequencies of a uniform cantilever that spins about its root, against the classical values.
//!
//! With `EI = m = L = 1` spin and frequencies are the usual dimensionless ones. The spin is prescribed; the modes are linearised
//! about their steady state by dual numbers.

use supple::generic::hybrid_dynamics;
use supple::spatial::Dual;
use supple::testkit::{eigenvalues, solve};
use supple::{BodyIndex, Fidelity, Hinge, HingeKind, Inputs, Model, ModelBuilder, Parent, State, Workspace};
use supple_bodies::beam::{ModalBeam, ModeCounts};
use supple_bodies::section::BeamProperties;

/// First and second frequency out of the plane of rotation, by spin; hub radius zero.
const FLAP: [(f64, [f64; 2]); 8] = [
    (0.0, [3.5160, 22.0345]),
    (1.0, [3.6816, 22.1810]),
    (2.0, [4.1373, 22.6149]),
    (3.0, [4.7973, 23.3203]),
    (5.0, [6.4495, 25.4461]),
    (8.0, [9.2568, 29.9954]),
    (10.0, [11.2023, 33.6404]),
    (12.0, [13.1702, 37.6031]),
];

fn model(fidelity: Fidelity, modes: ModeCounts) -> Model {
    // Stretch far stiffer than bending.
    let properties = BeamProperties {
        mass: 1.0,
        axial: 1e6,
        bending_y: 1.0,
        bending_z: 1.0,
        torsion: 1.0,
        shear: f64::INFINITY,
        rotary: [0.0; 3],
    };
    let beam = ModalBeam { fidelity, ..ModalBeam::cantilever(1.0, properties, modes) };
    let mut builder = ModelBuilder::new();
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
    builder.body(beam.body("beam", Parent::Ground, hinge));
    builder.build().unwrap()
}

/// `η̈` and its derivatives with respect to `η` at rest in the rotating frame.
fn linearised(model: &Model, spin: f64, eta: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let dual = model.cast::<Dual<f64>>();
    let n = eta.len();
    let mut rate = vec![0.0; n];
    let mut columns = Vec::new();
    for j in 0..n {
        let mut state = State::new(&dual);
        for (i, x) in eta.iter().enumerate() {
            state.coordinates[i] = Dual { value: *x, derivative: if i == j { 1.0 } else { 0.0 } };
        }
        state.speeds[n] = Dual::constant(spin);
        let mut inputs = Inputs::new(&dual);
        inputs.prescribed[0] = true;
        let mut workspace = Workspace::new(&dual);
        let solution = hybrid_dynamics(&dual, &state, &inputs, &mut workspace).unwrap();
        let eta_ddot = solution.modal_accelerations(&dual, BodyIndex(0));
        rate = eta_ddot.iter().map(|x| x.value).collect();
        columns.push(eta_ddot.iter().map(|x| -x.derivative).collect::<Vec<f64>>());
    }
    let matrix = (0..n).map(|i| (0..n).map(|j| columns[j][i]).collect()).collect();
    (rate, matrix)
}

/// Squares of the frequencies about the steady state, least first.
fn squares(model: &Model, spin: f64) -> Vec<f64> {
    let n = model.modes(BodyIndex(0));
    let mut eta = vec![0.0; n];
    for _ in 0..20 {
        let (rate, matrix) = linearised(model, spin, &eta);
        let step = solve(&matrix, &rate).expect("stable before the steady state is found");
        eta.iter_mut().zip(step).for_each(|(x, s)| *x += s);
    }
    let mut values = eigenvalues(&linearised(model, spin, &eta).1);
    values.sort_by(f64::total_cmp);
    values
}

#[test]
fn stiffened_beams_have_the_classical_frequencies() {
    let flap = model(Fidelity::Stiffened, ModeCounts { bending_z: 5, ..ModeCounts::default() });
    let lag = model(Fidelity::Stiffened, ModeCounts { bending_y: 5, ..ModeCounts::default() });
    for (spin, expected) in FLAP {
        let (out_of_plane, in_plane) = (squares(&flap, spin), squares(&lag, spin));
        for (i, frequency) in expected.into_iter().enumerate() {
            let error = out_of_plane[i].sqrt() / frequency - 1.0;
            assert!(error.abs() < 5e-3, "spin {spin}, mode {i}: {error:.1e}");
            // In the plane the square is less by that of the spin.
            let in_plane_error = in_plane[i] / (frequency * frequency - spin * spin) - 1.0;
            assert!(in_plane_error.abs() < 1e-2, "spin {spin}, mode {i} in plane: {in_plane_error:.1e}");
        }
    }
}

/// Without stiffening, spin softens bending in the plane, ω² = ω₀² - Ω², and takes all stiffness at Ω = ω₀.
#[test]
fn inconsistent_beams_soften() {
    let lag = model(Fidelity::Inconsistent, ModeCounts { bending_y: 5, ..ModeCounts::default() });
    for (spin, _) in FLAP.into_iter().filter(|(spin, _)| *spin < 3.5) {
        let expected = 3.516_015_f64.powi(2) - spin * spin;
        assert!((linearised(&lag, spin, &[0.0; 5]).1[0][0] - expected).abs() < 1e-4);
    }
    assert!(linearised(&lag, 4.0, &[0.0; 5]).1[0][0] < 0.0);
}

/// The axial load of CL and EE stiffens as well; three stretch modes carry it closely enough.
#[test]
fn axial_loads_stiffen() {
    for fidelity in [Fidelity::Exact, Fidelity::Consistent] {
        let flap = model(fidelity, ModeCounts { bending_z: 3, stretch: 3, ..ModeCounts::default() });
        for (spin, [first, _]) in FLAP {
            let values = squares(&flap, spin);
            let error = values[0].sqrt() / first - 1.0;
            println!("{fidelity:?} spin {spin}: first flap frequency off by {error:.2e}");
            assert!(error.abs() < 2e-2, "{fidelity:?} spin {spin}: {error:.1e}");
        }
    }
}
