//! An arm of two beams in a bent pose against finite elements of the whole arm, hinges locked and free.

use crate::support::{greatest_error, hinge, rates, squares};
use faer::Mat;
use supple::{Body, HingeKind, Inputs, Model, ModelBuilder, Modes, NodeIndex, Parent, State};
use supple_bodies::fe::{BeamMesh, Condition};
use supple_bodies::reduction::{Reduction, SparseSymmetric};
use supple_bodies::section::{BeamProperties, Material, Section};
use supple_linear::{lock, system_modes};

const ELEMENTS: usize = 3;
/// Degrees of freedom of a link, root included.
const DOFS: usize = 6 * (ELEMENTS + 1);
const ELBOW: f64 = 1.1;

fn mesh(length: f64, section: Section) -> BeamMesh {
    let aluminium = Material { young: 7e10, poisson: 0.33, density: 2700.0 };
    BeamMesh::uniform(length, ELEMENTS, BeamProperties::new(section, aluminium)).unwrap()
}

fn links() -> [BeamMesh; 2] {
    [
        mesh(1.2, Section::Rectangle { width: 0.02, height: 0.05 }),
        mesh(0.8, Section::Rectangle { width: 0.015, height: 0.03 }),
    ]
}

/// The arm of all modes of both meshes: the same displacements as the elements have.
fn arm() -> Model {
    let mut builder = ModelBuilder::new();
    let mut parent = Parent::Ground;
    for (mesh, [body, joint]) in links().iter().zip([["upper", "shoulder"], ["lower", "elbow"]]) {
        let reduction = Reduction::eigenmodes(mesh.held(&[Condition::clamped(0)]), DOFS - 6);
        let fe = mesh.body(&reduction.reduce(&mesh.structure()).unwrap());
        let modes = Modes { count: DOFS - 6, stiffness: fe.stiffness, ..Modes::default() };
        let turn = hinge(joint, HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
        let mut body = Body::new(body, parent, turn).with_modes(modes);
        body.nodes = fe.nodes;
        parent = Parent::Body(builder.body(body), NodeIndex(ELEMENTS));
    }
    builder.build().unwrap()
}

/// Frequencies of the elements, assembled here: the root of the second link is the tip of the first, turned by the elbow; hinges that are free turn about z.
fn assembled(shoulder: bool, elbow: bool) -> Vec<f64> {
    let held = DOFS + DOFS - 12; // unknowns of both links without their roots
    let count = held + usize::from(shoulder) + usize::from(elbow);
    // Columns of unknowns for each link's own degrees of freedom.
    let mut maps = [Mat::<f64>::zeros(DOFS, count), Mat::zeros(DOFS, count)];
    let free = DOFS - 6;
    for i in 0..free {
        maps[0][(6 + i, i)] = 1.0;
        maps[1][(6 + i, free + i)] = 1.0;
    }
    if shoulder {
        maps[0][(2, held)] = 1.0;
    }
    // The tip's rotation and displacement in the axes of the second link.
    let (s, c) = ELBOW.sin_cos();
    let back = [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]];
    for (half, i, j) in (0..18).map(|k| (k / 9, k / 3 % 3, k % 3)) {
        maps[1][(3 * half + i, free - 6 + 3 * half + j)] = back[i][j];
    }
    if elbow {
        maps[1][(2, count - 1)] = 1.0;
    }
    let [k, m] = [BeamMesh::stiffness_matrix, BeamMesh::mass_matrix].map(|matrix| {
        let mut sum = Mat::<f64>::zeros(count, count);
        for (mesh, map) in links().iter().zip(&maps) {
            let sparse: SparseSymmetric = matrix(mesh);
            let dense = Mat::from_fn(DOFS, DOFS, |i, j| sparse.get(i, j));
            sum += map.transpose() * dense * map;
        }
        sum
    });
    squares(&k, &m).into_iter().map(|square| square.max(0.0).sqrt()).collect()
}

#[test]
fn bent_arm_has_the_frequencies_of_its_elements() {
    let model = arm();
    let mut state = State::new(&model);
    state.set(model.hinge("shoulder").unwrap(), 0.4).unwrap();
    state.set(model.hinge("elbow").unwrap(), ELBOW).unwrap();
    for (locked, shoulder, elbow) in [
        (&["shoulder", "elbow"][..], false, false),
        (&["shoulder"], false, true),
        (&["elbow"], true, false),
        (&[], true, true),
    ] {
        let mut inputs = Inputs::new(&model);
        lock(&model, &mut inputs, locked).unwrap();
        let found = rates(&system_modes(&model, &state, &inputs).unwrap());
        let expected = assembled(shoulder, elbow);
        let rigid = 2 - locked.len();
        assert_eq!(found.len(), expected.len());
        assert!(found[..rigid].iter().all(|rate| *rate == 0.0) && found[rigid] > 1.0, "{:?}", &found[..4]);
        let error = greatest_error(&found[rigid..rigid + 12], &expected[rigid..rigid + 12]);
        println!("locked {locked:?}: {error:.1e}");
        assert!(error < 1e-8, "{locked:?}: {error:.1e}");
        // Another pose has other frequencies: the comparison is of the pose.
        assert!(
            locked.len() == 2 || {
                let mut straight = state.clone();
                straight.set(model.hinge("elbow").unwrap(), 0.0).unwrap();
                let other = rates(&system_modes(&model, &straight, &inputs).unwrap());
                (other[rigid] / found[rigid] - 1.0).abs() > 1e-2
            }
        );
    }
}
