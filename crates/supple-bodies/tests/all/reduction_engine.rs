//! A reduced mesh in the engine: the nodes carry what the mesh has.

use supple::{
    Body, DenseWorkspace, Hinge, HingeKind, Inputs, ModelBuilder, Modes, Parent, State, Workspace, forward_dynamics,
    mass_matrix,
};
use supple_bodies::fe::{BeamMesh, Condition, FeBody};
use supple_bodies::reduction::{Reduction, Solver, SparseSymmetric, eigenpairs};
use supple_bodies::section::BeamProperties;

/// A beam that bends in the x-y plane, with or without the inertia of its sections.
fn beam(modes: usize, rotary: bool) -> (FeBody, Vec<f64>, BeamMesh) {
    let p = BeamProperties {
        mass: 3.0,
        axial: 8.0e8,
        bending_y: 5.0e3,
        bending_z: 5.0e8,
        torsion: 6.0e8,
        shear: f64::INFINITY,
        rotary: if rotary { [0.02, 0.01, 0.01] } else { [0.0; 3] },
    };
    let mesh = BeamMesh::uniform(2.0, 24, p).unwrap().with_rotary_inertia(rotary);
    let reduced = Reduction::eigenmodes(mesh.held(&[Condition::clamped(0)]), modes).reduce(&mesh.structure()).unwrap();
    (mesh.body(&reduced), reduced.frequencies, mesh)
}

fn body(hinge: HingeKind, fe: &FeBody, count: usize) -> Body {
    let modes = Modes { count, stiffness: fe.stiffness.clone(), ..Modes::default() };
    let mut body = Body::new("beam", Parent::Ground, Hinge::new(hinge)).with_modes(modes);
    body.nodes.clone_from(&fe.nodes);
    body
}

/// Clamped to the ground: `η̈ = -ω² η`.
#[test]
fn clamped_beam_swings_at_its_frequencies() {
    let (fe, frequencies, _) = beam(6, true);
    let mut builder = ModelBuilder::new();
    builder.body(body(HingeKind::Fixed, &fe, 6));
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    (0..6).for_each(|i| state.coordinates[i] = 1e-3 / (i + 1) as f64);
    let mut workspace = Workspace::new(&model);
    let solution = forward_dynamics(&model, &state, &Inputs::new(&model), &mut workspace).unwrap();
    for i in 0..6 {
        let expected = -frequencies[i].powi(2) * state.coordinates[i];
        assert!((solution.accelerations()[i] / expected - 1.0).abs() < 1e-9);
    }
}

/// Cantilever modes on a hinge make up the modes of a pinned beam, from above as modes are added.
#[test]
fn hinged_beam_has_pinned_frequencies() {
    let axis = [0.0, 0.0, 1.0];
    for rotary in [false, true] {
        // Free to turn about z alone.
        let mesh = beam(1, rotary).2;
        let hinge = Condition { station: 0, held: [true, true, false, true, true, true] };
        let pinned = Reduction::eigenmodes(mesh.held(&[hinge]), 1).reduce(&mesh.structure()).unwrap();
        assert_eq!(pinned.rigid, 1);
        let error = |modes: usize| {
            let (fe, frequencies, _) = beam(modes, rotary);
            let mut builder = ModelBuilder::new();
            builder.body(body(HingeKind::Revolute { axis }, &fe, modes));
            let model = builder.build().unwrap();
            let n = modes + 1;
            let mut mass = vec![0.0; n * n];
            let (mut workspace, mut dense) = (Workspace::new(&model), DenseWorkspace::new(&model));
            mass_matrix(&model, &State::new(&model), &mut workspace, &mut dense, &mut mass).unwrap();
            let entries: Vec<_> = (0..n * n).map(|p| (p / n, p % n, mass[p])).collect();
            let stiffness: Vec<_> = (0..modes).map(|i| (i, i, frequencies[i].powi(2))).collect();
            let mut turn = vec![0.0; n];
            turn[modes] = 1.0;
            let (k, m) = (SparseSymmetric::from_triplets(n, &stiffness), SparseSymmetric::from_triplets(n, &entries));
            let square = eigenpairs(&k, &m, &[turn], 1, Solver::Dense).unwrap().squares[0];
            square.sqrt() / pinned.frequencies[0] - 1.0
        };
        let errors = [2, 4, 8].map(error);
        println!("pinned from clamped modes, rotary {rotary}: {errors:?}");
        assert!(errors[0] > errors[1] && errors[1] > errors[2] && errors[2] > 0.0 && errors[2] < 1e-4, "{errors:?}");
    }
}
