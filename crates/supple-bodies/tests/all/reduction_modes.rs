//! Eigenmodes, Craig-Bampton and what the engine's nodes sum up to.

use supple::{ModalMatrix, Node};
use supple_bodies::beam::Fitting;
use supple_bodies::fe::{BeamMesh, Condition, MassModel, Theory};
use supple_bodies::reduction::{
    ModeSource, ReducedModes, Reduction, ReductionError, Solver, SparseSymmetric, StaticLoad, Structure, eigenpairs,
};
use supple_bodies::section::BeamProperties;

fn properties() -> BeamProperties {
    BeamProperties {
        mass: 3.0,
        axial: 8.0e5,
        bending_y: 5.0e3,
        bending_z: 5.0e3,
        torsion: 6.0e3,
        shear: 2.0e5,
        rotary: [0.02, 0.01, 0.01],
    }
}

fn fitting() -> Fitting {
    let inertia = [[0.3, 0.02, -0.01], [0.02, 0.4, 0.03], [-0.01, 0.03, 0.5]];
    Fitting { mass: 1.7, mass_centre: [0.1, -0.2, 0.05], inertia }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Kinetic energy of two modes together: `Σ_j Π_r* M(j) Π_s`.
fn nodal_sum(nodes: &[Node], r: usize, s: usize) -> f64 {
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let term = |n: &Node| {
        let (Some(a), Some(b)) = (n.influence.get(r), n.influence.get(s)) else { return 0.0 };
        let (la, ga) = ([a[0], a[1], a[2]], [a[3], a[4], a[5]]);
        let (lb, gb) = ([b[0], b[1], b[2]], [b[3], b[4], b[5]]);
        let rotary: f64 = (0..3).map(|i| la[i] * dot(&n.inertia[i], &lb)).sum();
        let p = n.mass_centre;
        rotary + n.mass * (dot(&ga, &gb) + dot(&ga, &cross(lb, p)) + dot(&gb, &cross(la, p)))
    };
    nodes.iter().map(term).sum()
}

/// Every mass model and theory, with offsets, rotary inertia and fittings: `Σ_j Π* M(j) Π = Φ* M Φ = I`.
#[test]
fn nodal_sums_are_the_mass_matrix() {
    let taper = |x: f64| {
        let d = 1.0 - 0.2 * x;
        BeamProperties {
            mass: 3.0 * d,
            bending_y: 5.0e3 * d.powi(3),
            rotary: [0.02 * d, 0.01 * d, 0.01 * d],
            ..properties()
        }
    };
    let mut worst = 0.0_f64;
    let flat = |x: f64| BeamProperties { rotary: [0.02, 0.003, 0.004], ..taper(x) };
    let section: [&dyn Fn(f64) -> BeamProperties; 2] = [&taper, &flat];
    for (theory, section) in
        [Theory::EulerBernoulli, Theory::Timoshenko].into_iter().flat_map(|t| section.map(|s| (t, s)))
    {
        for mass in [MassModel::Consistent, MassModel::Lumped] {
            for rotary in [true, false] {
                let mesh = BeamMesh::tapered(2.0, 6, section).unwrap();
                let mesh =
                    mesh.with_theory(theory).with_mass(mass).with_rotary_inertia(rotary).with_origin([0.3, 0.1, -0.2]);
                let mesh = mesh.with_offsets(2, [[0.05, 0.1, -0.07], [0.0, 0.1, -0.07]]).unwrap();
                let mesh = mesh.with_fitting(6, fitting()).unwrap().with_fitting(3, fitting()).unwrap();
                let structure = mesh.structure();
                let modes = Reduction::eigenmodes(mesh.held(&[Condition::clamped(0)]), 10).reduce(&structure).unwrap();
                let body = mesh.body(&modes);
                for r in 0..10 {
                    let image = structure.mass.mul(&modes.vectors[r]);
                    for s in 0..10 {
                        let exact = dot(&image, &modes.vectors[s]);
                        worst = worst.max((nodal_sum(&body.nodes, r, s) - exact).abs());
                        let unit = if r == s { 1.0 } else { 0.0 };
                        assert!((exact - unit).abs() < 1e-12, "{r} {s} {exact}");
                    }
                }
                assert!(body.nodes[0].influence.is_empty() && body.nodes[6].name.as_deref() == Some("tip"));
                // Strain samples: Σ w EA u'_r u'_s and curvature make up the stiffness, so the stretch part stays below it.
                let stretch: f64 = body.strain.iter().map(|s| s.weight * s.axial * s.stretch[9] * s.stretch[9]).sum();
                assert!(stretch <= modes.frequencies[9].powi(2) * (1.0 + 1e-9));
            }
        }
    }
    println!("nodal sums: {worst:e}");
    assert!(worst < 1e-12, "{worst}");
}

/// Rigid motions: the total mass and inertia of nodes are those of the mesh, and the mesh strains for none of them.
#[test]
fn rigid_motions_strain_nothing() {
    let mesh = BeamMesh::uniform(2.0, 8, properties()).unwrap().with_theory(Theory::Timoshenko);
    let structure = mesh.structure();
    for r in &structure.rigid {
        assert!(structure.stiffness.mul(r).iter().all(|f| f.abs() < 1e-13 * 12.0 * 5.0e3 / 0.25_f64.powi(3)));
    }
    let shift = &structure.rigid[3];
    assert!((dot(shift, &structure.mass.mul(shift)) - 6.0).abs() < 1e-12);
}

/// A load at the tip of a cantilever, as a static shape: elastic forces are the load at the tip, its reaction at the root and nothing between; they have no
/// resultant, and their modal forces are those of the modal stiffness.
#[test]
fn elastic_forces_of_nodes_balance_the_load() {
    let n = 10;
    let mesh = BeamMesh::uniform(2.0, n, properties()).unwrap();
    let structure = mesh.structure();
    let loaded = mesh.dofs(n).start + 4;
    let reduction =
        Reduction::eigenmodes(mesh.held(&[Condition::clamped(0)]), 3).with_loads([StaticLoad::unit(loaded)]);
    let modes = reduction.reduce(&structure).unwrap();
    // K η = Φ* f for a unit load f.
    let ModalMatrix::Diagonal(stiffness) = &modes.stiffness else { panic!("eigenmodes are diagonal") };
    let eta: Vec<f64> = modes.vectors.iter().zip(stiffness).map(|(v, k)| v[loaded] / k).collect();
    let forces = modes.elastic_forces(&structure, &eta);
    for (r, (v, k)) in modes.vectors.iter().zip(stiffness).enumerate() {
        assert!((dot(v, &forces) - k * eta[r]).abs() < 1e-9 * (k * eta[r]).abs().max(1e-3), "mode {r}");
    }
    for motion in &structure.rigid {
        assert!(dot(motion, &forces).abs() < 1e-8, "{}", dot(motion, &forces));
    }
    let root = mesh.dofs(0);
    for (i, f) in forces.iter().enumerate() {
        let expected = match i {
            _ if i == loaded => 1.0,
            _ if i == root.start + 4 => -1.0,
            // The load at 2 m turns the root about -z.
            _ if i == root.start + 2 => -2.0,
            _ => 0.0,
        };
        assert!((f - expected).abs() < 1e-8, "{i}: {f}, {expected} expected");
    }
}

/// A free beam: six rigid motions found and left out, the rest orthogonal to them.
#[test]
fn free_beam_has_no_rigid_modes() {
    for solver in [Solver::Dense, Solver::Krylov] {
        let mesh = BeamMesh::uniform(2.0, 40, properties()).unwrap();
        let structure = mesh.structure();
        let modes = Reduction::eigenmodes(vec![], 10).with_solver(solver).reduce(&structure).unwrap();
        assert_eq!(modes.rigid, 6);
        let first = (4.730_040_744_862_704_f64 / 2.0).powi(2) * (5.0e3_f64 / 3.0).sqrt();
        println!("free {solver:?} {:e} {:e}", modes.frequencies[0] / first - 1.0, modes.frequencies[1] / first - 1.0);
        assert!((modes.frequencies[0] / first - 1.0).abs() < 1e-6);
        assert!((modes.frequencies[1] / first - 1.0).abs() < 1e-6);
        for v in &modes.vectors {
            for r in &structure.rigid {
                assert!(dot(&structure.mass.mul(r), v).abs() < 1e-11);
            }
        }
        // The modal mass is the identity: no mode moves another.
        for (i, v) in modes.vectors.iter().enumerate() {
            for (j, w) in modes.vectors.iter().enumerate() {
                let expected = f64::from(u8::from(i == j));
                assert!((dot(&structure.mass.mul(v), w) - expected).abs() < 1e-9, "{solver:?}: modes {i} and {j}");
            }
        }
    }
}

/// Dense and Krylov paths agree to 1e-9 in frequency and in the space they span, double pairs included.
#[test]
fn dense_and_krylov_agree() {
    let mesh = BeamMesh::uniform(2.0, 70, properties()).unwrap().with_fitting(35, fitting()).unwrap();
    let round = BeamMesh::uniform(2.0, 70, properties()).unwrap();
    for (mesh, conditions) in
        [(&mesh, vec![Condition::clamped(0)]), (&round, vec![Condition::clamped(0)]), (&round, vec![])]
    {
        let structure = mesh.structure();
        let held = mesh.held(&conditions);
        let with = |solver| Reduction::eigenmodes(held.clone(), 20).with_solver(solver).reduce(&structure).unwrap();
        let (dense, krylov) = (with(Solver::Dense), with(Solver::Krylov));
        let worst = (0..20).map(|i| (dense.frequencies[i] / krylov.frequencies[i] - 1.0).abs()).fold(0.0, f64::max);
        println!("dense against Krylov {worst:e}");
        assert!(worst < 1e-9, "{worst}");
        // Every Krylov vector lies in the space of the dense ones.
        let images: Vec<Vec<f64>> = dense.vectors.iter().map(|v| structure.mass.mul(v)).collect();
        for v in krylov.vectors.iter().take(16) {
            let inside: f64 = images.iter().map(|m| dot(m, v).powi(2)).sum();
            assert!((inside - 1.0).abs() < 1e-9, "{inside}");
        }
    }
}

/// Equal stiffness in both planes: every mode stays in one of them, whichever way it was found.
#[test]
fn equal_modes_keep_to_the_planes() {
    let mesh = BeamMesh::uniform(2.0, 70, properties()).unwrap();
    for solver in [Solver::Dense, Solver::Krylov] {
        let reduction = Reduction::eigenmodes(mesh.held(&[Condition::clamped(0)]), 8).with_solver(solver);
        for v in reduction.reduce(&mesh.structure()).unwrap().vectors {
            let size = |i: usize| v.iter().skip(i).step_by(6).fold(0.0_f64, |m, x| m.max(x.abs()));
            let (y, z) = (size(4), size(5));
            assert!(y.min(z) < 1e-9 * y.max(z).max(0.01), "{solver:?} {y} {z}");
        }
    }
}

/// A large mesh by the sparse path alone: 6000 degrees of freedom.
#[test]
fn large_mesh() {
    let mesh = BeamMesh::uniform(2.0, 1000, properties()).unwrap();
    let modes = Reduction::eigenmodes(mesh.held(&[Condition::clamped(0)]), 8).reduce(&mesh.structure()).unwrap();
    let first = (1.875_104_068_711_961_f64 / 2.0).powi(2) * (5.0e3_f64 / 3.0).sqrt();
    println!("large {:e} {:e}", modes.frequencies[0] / first - 1.0, modes.frequencies[1] / first - 1.0);
    assert!((modes.frequencies[0] / first - 1.0).abs() < 1e-5 && (modes.frequencies[1] / first - 1.0).abs() < 1e-5);
}

/// Craig-Bampton falls to the full model from above as modes are added.
#[test]
fn craig_bampton_converges_from_above() {
    let n = 20;
    let mesh = BeamMesh::uniform(2.0, n, properties()).unwrap().with_fitting(n, fitting()).unwrap();
    let structure = mesh.structure();
    let held = mesh.held(&[Condition::clamped(0)]);
    let full = Reduction::eigenmodes(held.clone(), 8).reduce(&structure).unwrap().frequencies;
    let interface: Vec<usize> = mesh.dofs(n / 2).chain(mesh.dofs(n)).collect();
    let mut before = vec![f64::INFINITY; 8];
    for modes in [0, 2, 4, 8, 16, 32, 60] {
        let reduction = Reduction::craig_bampton(held.clone(), interface.clone(), modes);
        let now = reduction.reduce(&structure).unwrap().frequencies;
        let errors: Vec<f64> = (0..8).map(|i| now[i] / full[i] - 1.0).collect();
        println!("Craig-Bampton {modes}: {errors:?}");
        for i in 0..8 {
            assert!(now[i] >= full[i] * (1.0 - 1e-9), "{modes} {i}");
            assert!(now[i] <= before[i] * (1.0 + 1e-9), "{modes} {i}");
        }
        before = now[..8].to_vec();
    }
    assert!((0..8).all(|i| before[i] / full[i] - 1.0 < 1e-5));
}

/// The reduced stiffness left full has the same frequencies as the diagonal one, and unit mass.
#[test]
fn full_or_diagonal_stiffness() {
    let n = 10;
    let mesh = BeamMesh::uniform(2.0, n, properties()).unwrap();
    let structure = mesh.structure();
    let reduction = Reduction::craig_bampton(mesh.held(&[Condition::clamped(0)]), mesh.dofs(n).collect(), 6);
    let tip = StaticLoad::unit(mesh.dofs(n).start + 4);
    let check = |modes: &ReducedModes| {
        for (i, a) in modes.vectors.iter().enumerate() {
            for (j, b) in modes.vectors.iter().enumerate() {
                let unit = if i == j { 1.0 } else { 0.0 };
                assert!((dot(&structure.mass.mul(a), b) - unit).abs() < 1e-11);
            }
        }
    };
    let diagonal = reduction.clone().reduce(&structure).unwrap();
    let full = reduction.clone().with_diagonal(false).with_loads([tip]).reduce(&structure).unwrap();
    check(&diagonal);
    check(&full);
    // The static shape of a load at the interface is in the constraint modes already.
    assert_eq!(full.dropped.len(), 1);
    assert_eq!(full.dropped[0].source, ModeSource::Static);
    assert!(matches!(full.stiffness, ModalMatrix::Full(_)) && matches!(diagonal.stiffness, ModalMatrix::Diagonal(_)));
    assert!(diagonal.frequencies.iter().zip(&full.frequencies).all(|(a, b)| (a / b - 1.0).abs() < 1e-9));
    // Nothing held: twelve constraint modes, of which six are rigid motions.
    let free =
        Reduction::craig_bampton(vec![], mesh.dofs(0).chain(mesh.dofs(n)).collect(), 4).reduce(&structure).unwrap();
    assert_eq!((free.rigid, free.vectors.len(), free.dropped.len()), (6, 10, 6));
}

/// Modes with a payload at the tip: one loaded mode does what needs many unloaded ones.
#[test]
fn loaded_modes_know_their_load() {
    let n = 12;
    let bare = BeamMesh::uniform(2.0, n, properties()).unwrap();
    let payload =
        Fitting { mass: 50.0, inertia: [[5.0, 0.0, 0.0], [0.0, 5.0, 0.0], [0.0, 0.0, 5.0]], ..Fitting::default() };
    let heavy = bare.clone().with_fitting(n, payload).unwrap();
    let held = bare.held(&[Condition::clamped(0)]);
    let exact = Reduction::eigenmodes(held.clone(), 1).reduce(&heavy.structure()).unwrap().frequencies[0];
    let full_mass: SparseSymmetric = heavy.structure().mass;
    let error = |reduction: Reduction| {
        let modes = reduction.reduce(&bare.structure()).unwrap();
        // Frequencies of the reduced modes under the payload.
        let images: Vec<Vec<f64>> = modes.vectors.iter().map(|v| full_mass.mul(v)).collect();
        let k = bare.stiffness_matrix();
        let entry = |a: usize, b: usize| dot(&images[b], &modes.vectors[a]);
        let stiff = |a: usize, b: usize| dot(&k.mul(&modes.vectors[b]), &modes.vectors[a]);
        let size = modes.vectors.len();
        let sparse = |f: &dyn Fn(usize, usize) -> f64| {
            let all: Vec<_> = (0..size * size).map(|p| (p / size, p % size, f(p / size, p % size))).collect();
            SparseSymmetric::from_triplets(size, &all)
        };
        let pairs = eigenpairs(&sparse(&stiff), &sparse(&entry), &[], 1, Solver::Dense).unwrap();
        pairs.squares[0].sqrt() / exact - 1.0
    };
    let loaded = error(Reduction::eigenmodes(held.clone(), 2).with_added_mass(n, payload));
    let unloaded = error(Reduction::eigenmodes(held, 2));
    println!("loaded {loaded:e}, unloaded {unloaded:e}");
    assert!(loaded.abs() < 1e-9 && unloaded > 1e-3);
}

#[test]
fn errors_are_named() {
    let mesh = BeamMesh::uniform(2.0, 2, properties()).unwrap();
    let structure = mesh.structure();
    let held = mesh.held(&[Condition::clamped(0)]);
    let many = Reduction::eigenmodes(held.clone(), 13).reduce(&structure).unwrap_err();
    assert_eq!(many, ReductionError::TooManyModes { asked: 13, available: 12 });
    let both = Reduction::craig_bampton(held.clone(), vec![3], 1).reduce(&structure).unwrap_err();
    assert_eq!(both, ReductionError::HeldInterface { dof: 3 });
    assert!(matches!(
        Reduction::eigenmodes(vec![99], 1).reduce(&structure),
        Err(ReductionError::NoDof { dof: 99, dofs: 18 })
    ));
    // Free, with rigid motions that nobody knows.
    let unknown = Structure { rigid: Vec::new(), ..structure };
    assert!(matches!(Reduction::eigenmodes(vec![], 1).reduce(&unknown), Err(ReductionError::Mechanism { .. })));
}
