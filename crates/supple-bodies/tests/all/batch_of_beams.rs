//! Many arms whose beams differ in length and mass run in one batch: rounding in their integrals is no difference of structure.

use supple::batch::{Batch, States};
use supple::{
    Fidelity, Hinge, HingeKind, Inputs, Model, Parent, State, System, Workspace, forward_dynamics, testkit::Generator,
};
use supple_bodies::beam::{ModalBeam, ModeCounts};
use supple_bodies::catalogue::beam_chain::usual_rotation;
use supple_bodies::section::BeamProperties;

const ARMS: usize = 33;

fn beam(length: f64, density: f64, modes: ModeCounts, fidelity: Fidelity) -> ModalBeam {
    let properties = BeamProperties {
        mass: density,
        axial: 3.1724e7,
        bending_y: 1.4e4,
        bending_z: 1.1e4,
        torsion: 1.1e4,
        shear: f64::INFINITY,
        rotary: [2e-3, 1e-3, 1e-3],
    };
    ModalBeam { fidelity, ..ModalBeam::cantilever(length, properties, modes) }
}

/// Two beams in a row, longer and lighter from arm to arm.
fn arm(i: usize, modes: ModeCounts, fidelity: Fidelity) -> Model {
    let stretch = 1.0 + 0.017 * i as f64;
    let hinge = |axis| Hinge::new(HingeKind::Revolute { axis });
    let upper = beam(2.0 * stretch, 1.2 / stretch, modes, fidelity);
    let lower = beam(1.7, 1.1 * stretch, modes, fidelity);
    let bodies = vec![
        upper.body("upper", Parent::Ground, hinge([0.0, 0.0, 1.0])),
        lower.body("lower", Parent::Body(supple::BodyIndex(0), upper.tip_node()), hinge([0.0, 1.0, 0.0])),
    ];
    Model::build(&System { elastic_rotation: usual_rotation(fidelity), bodies, ..System::default() }).unwrap()
}

#[test]
fn beams_of_different_length_share_a_batch() {
    let few = ModeCounts { bending_y: 2, bending_z: 2, stretch: 0, twist: 1 };
    let more = ModeCounts { bending_y: 4, bending_z: 3, stretch: 1, twist: 2 };
    let fidelities = [Fidelity::Exact, Fidelity::Inconsistent, Fidelity::Stiffened, Fidelity::Consistent];
    for (fidelity, modes) in fidelities.into_iter().flat_map(|f| [(f, few), (f, more)]) {
        let models: Vec<Model> = (0..ARMS).map(|i| arm(i, modes, fidelity)).collect();
        let (nq, nv) = (models[0].coordinate_count(), models[0].speed_count());
        let mut rng = Generator::new(11);
        let mut draw = |count: usize, size: f64| (0..count).map(|_| rng.between(-size, size)).collect::<Vec<f64>>();
        let (coordinates, speeds, forces) = (draw(ARMS * nq, 0.02), draw(ARMS * nv, 1.0), draw(ARMS * nv, 10.0));
        let attitudes = vec![[0.0, 0.0, 0.0, 1.0]; ARMS * models[0].attitude_nodes().len()];
        let states = States { coordinates: &coordinates, speeds: &speeds, attitudes: &attitudes };
        let mut found = vec![f64::NAN; ARMS * nv];
        let mut batch = Batch::of_models(&models, 2).unwrap_or_else(|error| panic!("{fidelity}: {error}"));
        batch.forward_dynamics(states, &forces, &mut found).unwrap();

        for (i, model) in models.iter().enumerate() {
            let (mut state, mut inputs) = (State::new(model), Inputs::new(model));
            state.coordinates.copy_from_slice(&coordinates[i * nq..(i + 1) * nq]);
            state.speeds.copy_from_slice(&speeds[i * nv..(i + 1) * nv]);
            inputs.forces.copy_from_slice(&forces[i * nv..(i + 1) * nv]);
            let mut workspace = Workspace::new(model);
            let alone = forward_dynamics(model, &state, &inputs, &mut workspace).unwrap();
            assert_eq!(alone.accelerations(), &found[i * nv..(i + 1) * nv], "{fidelity}, arm {i}");
        }
    }
}
