//! The rigid system is the flexible one with its modes held: the same torques for the same motion of the hinges.

use supple::testkit::{RandomOptions, random_system};
use supple::{Inputs, ModalInertia, Model, Node, State, System, Workspace, inverse_dynamics};
use supple_bodies::rigid::rigid_system;

/// Hinge forces of a motion that names hinges alone; modes are at rest.
fn torques(model: &Model, motion: &[[Vec<f64>; 3]]) -> Vec<f64> {
    let (mut state, mut inputs) = (State::new(model), Inputs::new(model));
    for (body, [coordinates, speeds, accelerations]) in model.body_indices().zip(motion) {
        state.coordinates[model.hinge_coordinates(body)].copy_from_slice(coordinates);
        state.speeds[model.hinge_speeds(body)].copy_from_slice(speeds);
        inputs.accelerations[model.hinge_speeds(body)].copy_from_slice(accelerations);
    }
    let mut workspace = Workspace::new(model);
    let solution = inverse_dynamics(model, &state, &inputs, &mut workspace).unwrap();
    model.body_indices().flat_map(|body| solution.hinge_forces(model, body).to_vec()).collect()
}

/// Largest difference of the torques of the flexible and of the rigid system, over the largest torque.
fn difference(system: &System, motion: &[[Vec<f64>; 3]]) -> f64 {
    let [flexible, rigid] =
        [system.clone(), rigid_system(system)].map(|system| torques(&Model::build(&system).unwrap(), motion));
    assert_eq!(flexible.len(), rigid.len());
    let largest = flexible.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let worst = flexible.iter().zip(&rigid).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    if largest > 0.0 { worst / largest } else { worst }
}

#[test]
fn torques_of_a_motion_without_deformation() {
    let (mut worst, mut modes, mut tables) = (0.0_f64, 0, 0);
    for seed in 0..200 {
        let options = RandomOptions { modes: 6, constant_terms: seed % 2 == 0, ..RandomOptions::default() };
        let (mut system, random) = random_system(seed, &options);
        let model = Model::build(&system).unwrap();
        let motion: Vec<[Vec<f64>; 3]> = model
            .body_indices()
            .map(|body| {
                let (coordinates, speeds) = (model.hinge_coordinates(body), model.hinge_speeds(body));
                [
                    random.coordinates[coordinates].to_vec(),
                    random.speeds[speeds.clone()].to_vec(),
                    random.accelerations[speeds].to_vec(),
                ]
            })
            .collect();
        modes += system.bodies.iter().map(|body| body.modes.count).sum::<usize>();
        worst = worst.max(difference(&system, &motion));
        // The same with inertia in tables.
        for body in &mut system.bodies {
            body.modal_inertia = Some(ModalInertia::of(body));
            body.nodes = body.nodes.iter().cloned().map(Node::without_mass).collect();
            tables += 1;
        }
        worst = worst.max(difference(&system, &motion));
    }
    println!("{modes} modes removed, {tables} tables reduced, largest difference {worst:.1e}");
    assert!(modes > 500 && tables > 500);
    // c · eps: sums over up to 8 bodies with some ten nodes each.
    assert!(worst < 1e-13, "{worst:.1e}");
}

#[test]
fn names_and_indices_stay() {
    let (system, _) = random_system(5, &RandomOptions::default());
    let rigid = rigid_system(&system);
    assert_eq!((rigid.gravity, rigid.bodies.len()), (system.gravity, system.bodies.len()));
    for (a, b) in system.bodies.iter().zip(&rigid.bodies) {
        assert_eq!((&a.name, a.parent, &a.hinge, a.inboard_node), (&b.name, b.parent, &b.hinge, b.inboard_node));
        assert_eq!(a.nodes.len(), b.nodes.len());
        assert!(b.nodes.iter().all(|node| node.influence.is_empty()) && b.modes.count == 0);
    }
    // A rigid system is its own.
    assert_eq!(rigid_system(&rigid), rigid);
}
