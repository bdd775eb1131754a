#![cfg(feature = "fe")]
//! General bodies: the same as bodies that know how their matrices were made.

use supple::generic::{energy, forward_dynamics, hybrid_dynamics};
use supple::spatial::Dual;
use supple::testkit::{eigenvalues, relative_difference};
use supple::{
    Body, BodyIndex, Fidelity, Hinge, HingeKind, Inputs, ModalInertia, Model, ModelBuilder, Node, NodeIndex, Parent,
    State, Workspace,
};
use supple_bodies::beam::Fitting;
use supple_bodies::fe::{BeamMesh, Condition, MassModel};
use supple_bodies::general::{
    GeneralError, GeneralModel, GeneralNode, GeometricMatrices, NodeDofs, RigidMotion, read_nodes,
};
use supple_bodies::matrix_file::{matrix_market, npy};
use supple_bodies::reduction::{ReducedModes, Reduction, SparseSymmetric};
use supple_bodies::section::BeamProperties;

fn mesh(mass: MassModel) -> BeamMesh {
    let p = BeamProperties {
        mass: 3.0,
        axial: 8.0e5,
        bending_y: 5.0e2,
        bending_z: 7.0e2,
        torsion: 6.0e2,
        shear: f64::INFINITY,
        rotary: [0.02, 0.01, 0.01],
    };
    let fitting = Fitting {
        mass: 0.8,
        mass_centre: [0.05, 0.1, -0.07],
        inertia: [[0.03, 0.001, 0.0], [0.001, 0.04, 0.002], [0.0, 0.002, 0.05]],
    };
    let mesh = BeamMesh::uniform(2.0, 10, p).unwrap().with_rotary_inertia(true).with_mass(mass);
    mesh.with_origin([0.2, -0.1, 0.3]).with_fitting(10, fitting).unwrap()
}

fn nodes(mesh: &BeamMesh) -> Vec<GeneralNode> {
    let lines = (0..mesh.station_count()).map(|s| {
        let [x, y, z] = mesh.position(s);
        format!("station {s},{x},{y},{z}\n")
    });
    read_nodes(&("name,x,y,z\n".to_owned() + &lines.collect::<String>())).unwrap()
}

/// The mesh as another program would get it: nodes and matrices from files.
fn from_files(mesh: &BeamMesh) -> GeneralModel {
    let market = matrix_market::read(&matrix_market::write(&mesh.mass_matrix())).unwrap().symmetric().unwrap();
    let array = npy::read(&npy::write(&mesh.stiffness_matrix())).unwrap().symmetric().unwrap();
    let model = GeneralModel::new(nodes(mesh), NodeDofs::RotationsDisplacements, market, array).unwrap();
    println!("work of rigid motions: {:?}", model.rigid_work());
    assert!(model.rigid_work().iter().all(|w| *w < 1e-12));
    model
}

fn accelerations(body: &Body, size: f64) -> Vec<f64> {
    let n = body.modes.count;
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, -9.0, 2.0]);
    builder.body(body.clone());
    // Something hangs at the last station.
    let inertia = [[0.2, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.45]];
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 1.0] });
    builder.body(Body::rigid("load", Parent::Body(BodyIndex(0), NodeIndex(10)), hinge, 1.3, [0.4, 0.0, 0.0], inertia));
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    for r in 0..n {
        state.coordinates[r] = size * (1.0 + r as f64).sin();
        state.speeds[r] = 10.0 * size * (2.0 + r as f64).cos();
    }
    for i in 0..7 {
        state.speeds[n + i] = [1.1, -0.7, 1.9, 0.3, 0.2, -0.4, 0.8][i];
    }
    let mut workspace = Workspace::new(&model);
    let inputs = Inputs::new(&model);
    forward_dynamics(&model, &state, &inputs, &mut workspace).unwrap().accelerations().to_vec()
}

#[test]
fn a_mesh_from_files_is_the_mesh() {
    for mass in [MassModel::Lumped, MassModel::Consistent] {
        let mesh = mesh(mass);
        let model = from_files(&mesh);
        let reduction = Reduction::eigenmodes(mesh.held(&[Condition::clamped(0)]), 6);
        let (own, other) = (reduction.reduce(&mesh.structure()).unwrap(), reduction.reduce(model.structure()).unwrap());
        assert!(relative_difference(&other.frequencies, &own.frequencies) < 1e-10);
        if mass == MassModel::Consistent {
            continue;
        }
        let hinge = || Hinge::new(HingeKind::Free);
        let general = model.body("beam", Parent::Ground, hinge(), &other, Fidelity::Inconsistent).unwrap();
        let expected = Body { nodes: mesh.body(&own).nodes, modal_inertia: None, ..general.clone() };
        let error = |size: f64| relative_difference(&accelerations(&general, size), &accelerations(&expected, size));
        let errors = [0.0, 0.02].map(error);
        println!("{mass:?}: accelerations differ by {errors:?}");
        assert!(errors[0] < 1e-10 && errors[1] < 1e-10, "{errors:?}");
    }
}

/// Tables of a consistent mass: exact where the body is undeformed, and with the square of the size of elements where it is deformed.
#[test]
fn consistent_masses_converge() {
    let errors = |elements: usize| {
        let p = *mesh(MassModel::Consistent).elements()[0].points().first().map(|p| &p.properties).unwrap();
        let mesh = BeamMesh::uniform(2.0, elements, p).unwrap().with_origin([0.2, -0.1, 0.3]);
        let model = from_files(&mesh);
        let reduced = Reduction::eigenmodes(mesh.held(&[Condition::clamped(0)]), 4).reduce(&mesh.structure()).unwrap();
        let general = model.body("b", Parent::Ground, Hinge::new(HingeKind::Free), &reduced, Fidelity::Exact).unwrap();
        let expected = Body { nodes: mesh.body(&reduced).nodes, modal_inertia: None, ..general.clone() };
        let (a, b) = (ModalInertia::of(&general), ModalInertia::of(&expected));
        let exact = relative_difference(&a.mass_matrix().concat(), &b.mass_matrix().concat())
            .max(relative_difference(a.moment_change.as_flattened(), b.moment_change.as_flattened()));
        assert!(exact < 1e-12, "{exact:e}");
        let flat = |t: &[[[f64; 3]; 3]]| t.concat().concat();
        [
            relative_difference(&flat(&a.inertia_first), &flat(&b.inertia_first)),
            relative_difference(&a.coupling_change.concat().concat(), &b.coupling_change.concat().concat()),
            relative_difference(&flat(&a.inertia_second.concat()), &flat(&b.inertia_second.concat())),
        ]
    };
    let all = [10, 20, 40].map(errors);
    println!("A, F1, 2J2 of consistent masses with 10, 20, 40 elements: {all:?}");
    for i in 0..3 {
        assert!(all[0][i] / all[1][i] > 3.5 && all[1][i] / all[2][i] > 3.5 && all[2][i] < 2e-3, "{all:?}");
    }
}

/// Displacements first, as most codes have it: the same body.
#[test]
fn the_order_of_freedoms_does_not_matter() {
    let mesh = mesh(MassModel::Lumped);
    let swapped = |m: &SparseSymmetric| {
        let place = |i: usize| i / 6 * 6 + (i + 3) % 6;
        let entries: Vec<_> = m.entries().map(|(i, j, x)| (place(i), place(j), x)).collect();
        SparseSymmetric::from_triplets(m.size(), &entries)
    };
    let (m, k) = (swapped(&mesh.mass_matrix()), swapped(&mesh.stiffness_matrix()));
    let other = GeneralModel::new(nodes(&mesh), NodeDofs::DisplacementsRotations, m.clone(), k.clone()).unwrap();
    let model = from_files(&mesh);
    let reduced = Reduction::eigenmodes(model.rows(0).collect(), 5).reduce(model.structure()).unwrap();
    let again = Reduction::eigenmodes(other.rows(0).collect(), 5).reduce(other.structure()).unwrap();
    assert!(relative_difference(&again.frequencies, &reduced.frequencies) < 1e-9);
    // The same modes, signs included.
    let turned = |v: &Vec<f64>| (0..v.len()).map(|i| v[i / 6 * 6 + (i + 3) % 6]).collect();
    let vectors = reduced.vectors.iter().map(turned).collect();
    let permuted = ReducedModes { vectors, ..reduced.clone() };
    let body = |model: &GeneralModel, modes: &ReducedModes| {
        model.body("b", Parent::Ground, Hinge::new(HingeKind::Free), modes, Fidelity::Inconsistent).unwrap()
    };
    let (a, b) = (body(&other, &permuted), body(&model, &reduced));
    let error = relative_difference(&accelerations(&a, 0.02), &accelerations(&b, 0.02));
    println!("order of freedoms: {error:.1e}");
    assert!(error < 1e-12, "{error:e}");
    // The wrong order is noticed.
    let wrong = GeneralModel::new(nodes(&mesh), NodeDofs::RotationsDisplacements, m, k).unwrap_err();
    assert!(matches!(wrong, GeneralError::RigidStrain { .. } | GeneralError::RigidMass { .. }), "{wrong}");
}

/// Point masses and bars in space: three freedoms per node.
fn truss() -> (Vec<GeneralNode>, SparseSymmetric, SparseSymmetric, Vec<f64>) {
    let places = [[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.2, 1.1, 0.0], [0.3, 0.2, 0.9], [1.2, 1.0, 1.1]];
    let masses = vec![1.0, 2.0, 0.5, 1.5, 0.7];
    let mut k = Vec::new();
    for a in 0..5 {
        for b in 0..a {
            let d: [f64; 3] = std::array::from_fn(|i| places[a][i] - places[b][i]);
            let square: f64 = d.iter().map(|x| x * x).sum();
            for (p, q, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
                for i in 0..3 {
                    for j in 0..3 {
                        k.push((3 * p + i, 3 * q + j, sign * 200.0 * d[i] * d[j] / square));
                    }
                }
            }
        }
    }
    let m: Vec<_> = (0..15).map(|i| (i, i, masses[i / 3])).collect();
    let nodes = places.map(|position| GeneralNode { name: None, position }).to_vec();
    (nodes, SparseSymmetric::from_triplets(15, &m), SparseSymmetric::from_triplets(15, &k), masses)
}

#[test]
fn three_freedoms_per_node() {
    let (nodes, m, k, masses) = truss();
    let model = GeneralModel::new(nodes.clone(), NodeDofs::Displacements, m, k).unwrap();
    let reduced = Reduction::eigenmodes(Vec::new(), 4).reduce(model.structure()).unwrap();
    assert_eq!(reduced.rigid, 6);
    let general =
        model.body("truss", Parent::Ground, Hinge::new(HingeKind::Free), &reduced, Fidelity::Inconsistent).unwrap();
    let mut expected = Body { modal_inertia: None, ..general.clone() };
    expected.nodes = (0..5)
        .map(|i| {
            let column = |v: &Vec<f64>| [0.0, 0.0, 0.0, v[3 * i], v[3 * i + 1], v[3 * i + 2]];
            let influence = reduced.vectors.iter().map(column).collect();
            Node { position: nodes[i].position, mass: masses[i], influence, ..Node::default() }
        })
        .collect();
    let solve = |body: &Body| {
        let mut builder = ModelBuilder::new();
        builder.body(body.clone());
        let model = builder.build().unwrap();
        let mut state = State::new(&model);
        (0..4).for_each(|r| state.coordinates[r] = 0.1 * (r as f64 + 1.0).sin());
        state.speeds.iter_mut().enumerate().for_each(|(i, x)| *x = (1.3 * i as f64).cos());
        let mut workspace = Workspace::new(&model);
        forward_dynamics(&model, &state, &Inputs::new(&model), &mut workspace).unwrap().accelerations().to_vec()
    };
    let error = relative_difference(&solve(&general), &solve(&expected));
    println!("truss: {error:.1e}");
    assert!(error < 1e-10, "{error:e}");
}

#[test]
fn faults_are_named() {
    let (nodes, m, k, _) = truss();
    let of = |nodes: &[GeneralNode], m: &SparseSymmetric, k: &SparseSymmetric| {
        GeneralModel::new(nodes.to_vec(), NodeDofs::Displacements, m.clone(), k.clone()).unwrap_err()
    };
    let plus = |a: &SparseSymmetric, entries: &[(usize, usize, f64)]| {
        SparseSymmetric::from_triplets(15, &a.entries().chain(entries.iter().copied()).collect::<Vec<_>>())
    };
    let six = GeneralModel::new(nodes.clone(), NodeDofs::DisplacementsRotations, m.clone(), k.clone()).unwrap_err();
    assert_eq!(six, GeneralError::Size { matrix: "mass", found: 15, expected: 30 });
    let nan = of(&nodes, &m, &plus(&k, &[(4, 4, f64::NAN)]));
    assert!(nan.to_string().starts_with("stiffness matrix, node 1, uy (row 4): NaN"), "{nan}");
    let negative = of(&nodes, &plus(&m, &[(7, 7, -5.0)]), &k);
    assert!(negative.to_string().starts_with("mass matrix, node 2, uy (row 7): -4.5 on the diagonal"), "{negative}");
    let skew = of(&nodes, &m, &plus(&k, &[(0, 5, 3.0)]));
    assert!(matches!(skew, GeneralError::NotSymmetric { matrix: "stiffness", .. }), "{skew}");
    // A support that was left in.
    let held = of(&nodes, &m, &plus(&k, &[(3, 3, 1e3)]));
    let GeneralError::RigidStrain { motion, value, dof, .. } = &held else { panic!("{held}") };
    // Node 1 is off the x axis: a turn about z moves it along x.
    assert!(*motion == RigidMotion::Turn(2) && *value > 1e-3 && dof.row == 3, "{held}");
    // Positions that are not those of the matrices.
    let mut moved = nodes.clone();
    moved[2].position = [0.2, 1.6, 0.0];
    assert!(matches!(of(&moved, &m, &k), GeneralError::RigidStrain { motion: RigidMotion::Turn(_), .. }));
    // No mass along z, or less than none in some direction.
    let flat: Vec<_> = (0..5).map(|i| (3 * i + 2, 3 * i + 2, -m.get(3 * i, 3 * i))).collect();
    assert_eq!(of(&nodes, &plus(&m, &flat), &k), GeneralError::RigidMass { motion: RigidMotion::Shift(2), value: 0.0 });
    let crossed = of(&nodes, &plus(&m, &[(3, 4, 20.0), (4, 3, 20.0)]), &k);
    assert!(matches!(crossed, GeneralError::RigidMass { .. }), "{crossed}");
    let mut far = nodes.clone();
    far[0].position[1] = f64::INFINITY;
    assert!(matches!(of(&far, &m, &k), GeneralError::Position { .. }));
    let mut twins = nodes.clone();
    (twins[0].name, twins[4].name) = (Some("a".into()), Some("a".into()));
    assert_eq!(of(&twins, &m, &k), GeneralError::SameName { name: "a".into() });
    assert_eq!(
        of(&[], &SparseSymmetric::from_triplets(0, &[]), &SparseSymmetric::from_triplets(0, &[])),
        GeneralError::RigidMass { motion: RigidMotion::Shift(0), value: 0.0 }
    );
    // Modes of another model.
    let mesh = mesh(MassModel::Lumped);
    let reduced = Reduction::eigenmodes(mesh.held(&[Condition::clamped(0)]), 2).reduce(&mesh.structure()).unwrap();
    let model = GeneralModel::new(nodes, NodeDofs::Displacements, m, k).unwrap();
    let wrong = model.body("b", Parent::Ground, Hinge::new(HingeKind::Free), &reduced, Fidelity::Exact);
    assert_eq!(wrong.unwrap_err(), GeneralError::Modes { found: 66, expected: 15 });
}

/// First and second frequency out of the plane of rotation of a uniform beam with `EI = m = L = 1`, by spin (as in `rotating_beam.rs`).
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

/// Squares of the frequencies of a body that spins about z at its root, undeformed.
fn squares(model: &Model, spin: f64) -> Vec<f64> {
    let (dual, n) = (model.cast::<Dual<f64>>(), model.modes(BodyIndex(0)));
    let mut matrix = vec![vec![0.0; n]; n];
    for j in 0..n {
        let mut state = State::new(&dual);
        state.coordinates[j] = Dual { value: 0.0, derivative: 1.0 };
        state.speeds[n] = Dual::constant(spin);
        let mut inputs = Inputs::new(&dual);
        inputs.prescribed[0] = true;
        let mut workspace = Workspace::new(&dual);
        let solution = hybrid_dynamics(&dual, &state, &inputs, &mut workspace).unwrap();
        let rates = solution.modal_accelerations(&dual, BodyIndex(0));
        (0..n).for_each(|i| matrix[i][j] = -rates[i].derivative);
    }
    let mut values = eigenvalues(&matrix);
    values.sort_by(f64::total_cmp);
    values
}

/// Geometric stiffness of element matrices, one per unit of spin and acceleration, gives the frequencies of a spinning beam.
#[test]
fn spinning_beam_of_element_matrices() {
    let p = BeamProperties {
        mass: 1.0,
        axial: 1e6,
        bending_y: 1.0,
        bending_z: 1.0,
        torsion: 1.0,
        shear: f64::INFINITY,
        rotary: [1e-6, 0.0, 0.0],
    };
    let count = 40;
    for mass in [MassModel::Consistent, MassModel::Lumped] {
        let mesh = BeamMesh::uniform(1.0, count, p).unwrap().with_mass(mass);
        let model = GeneralModel::new(
            nodes(&mesh),
            NodeDofs::RotationsDisplacements,
            mesh.mass_matrix(),
            mesh.stiffness_matrix(),
        )
        .unwrap();
        // Axial force at the middle of the elements, from the mass outboard of it: ∫ m x dx per unit Ω², -∫ m dx per unit acceleration.
        let middle = |e: usize| (e as f64 + 0.5) / count as f64;
        let spin: Vec<f64> = (0..count).map(|e| 0.5 * (1.0 - middle(e).powi(2))).collect();
        let push: Vec<f64> = (0..count).map(|e| middle(e) - 1.0).collect();
        let spun = mesh.geometric_stiffness_matrix(&spin);
        let pull = mesh.geometric_stiffness_matrix(&vec![1.0; count]);
        let geometric = GeometricMatrices {
            linear: [Some(mesh.geometric_stiffness_matrix(&push)), None, None],
            centrifugal: [None, Some(spun.clone()), Some(spun), None, None, None],
            nodal: vec![(count, 3, pull)],
            ..GeometricMatrices::default()
        };
        let reduced = Reduction::eigenmodes(mesh.held(&[Condition::clamped(0)]), 12).reduce(model.structure()).unwrap();
        let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
        let body = model.stiffened_body("beam", Parent::Ground, hinge, &reduced, &geometric).unwrap();
        println!("{mass:?}: {} second-order shapes", body.modes.second_order.len());
        let mut builder = ModelBuilder::new();
        builder.body(body);
        let engine = builder.build().unwrap();
        // The shapes have mass enough: nothing becomes singular however far the beam bends.
        for deflection in [0.05, 0.2, 0.5] {
            let mut state = State::new(&engine);
            let n = engine.modes(BodyIndex(0));
            let last = mesh.dofs(count).start;
            let tip = |r: usize| reduced.vectors[r][last + 4].hypot(reduced.vectors[r][last + 5]);
            (0..n)
                .filter(|&r| tip(r) > 0.1)
                .for_each(|r| state.coordinates[r] = deflection / tip(r) / (1.0 + r as f64));
            state.speeds[n] = 3.0;
            let mut workspace = Workspace::new(&engine);
            let inputs = Inputs::new(&engine);
            let kinetic = energy(&engine, &state, &mut workspace).unwrap().kinetic;
            assert!(kinetic > 0.0);
            forward_dynamics(&engine, &state, &inputs, &mut workspace).unwrap_or_else(|e| panic!("{deflection}: {e}"));
        }
        let mut worst = [0.0_f64; 2];
        for (rate, flap) in FLAP {
            let found: Vec<f64> = squares(&engine, rate);
            for frequency in flap {
                // Out of the plane, and in it less by the square of the spin.
                for (i, square) in [frequency * frequency, frequency * frequency - rate * rate].into_iter().enumerate()
                {
                    let near = found.iter().fold(f64::INFINITY, |a, x| a.min((x / square - 1.0).abs()));
                    worst[i] = worst[i].max(0.5 * near);
                }
            }
        }
        println!("{mass:?}: flap frequencies off by {:.1e}, lag by {:.1e}", worst[0], worst[1]);
        assert!(worst[0] < 5e-3 && worst[1] < 5e-3, "{worst:?}");
    }
}
