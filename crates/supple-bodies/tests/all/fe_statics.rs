//! Static answers of beam elements are exact at the stations.

use supple_bodies::beam::Fitting;
use supple_bodies::fe::{BeamMesh, Condition, MeshError, Theory};
use supple_bodies::quadrature::gauss_legendre;
use supple_bodies::reduction::{ModeSource, ReducedModes, Reduction, StaticLoad, Structure};
use supple_bodies::section::BeamProperties;

fn properties() -> BeamProperties {
    BeamProperties {
        mass: 3.0,
        axial: 8.0e5,
        bending_y: 5.0e3,
        bending_z: 4.0e3,
        torsion: 6.0e3,
        shear: 2.0e4,
        rotary: [0.02, 0.01, 0.01],
    }
}

/// Displacement under a load, from the one static mode that it gives: `x = φ (φ* f) / k`.
fn deflection(structure: &Structure, held: Vec<usize>, load: StaticLoad) -> Vec<f64> {
    let modes: ReducedModes = Reduction::eigenmodes(held, 0).with_loads([load.clone()]).reduce(structure).unwrap();
    let phi = &modes.vectors[0];
    let work: f64 = load.forces.iter().map(|&(dof, f)| phi[dof] * f).sum();
    phi.iter().map(|x| x * work / modes.frequencies[0].powi(2)).collect()
}

/// Tip force and moment on a cantilever, both theories, at every station.
#[test]
fn cantilever_is_exact_at_the_stations() {
    let (length, n, p) = (2.0, 5, properties());
    for theory in [Theory::EulerBernoulli, Theory::Timoshenko] {
        let mesh = BeamMesh::uniform(length, n, p).unwrap().with_theory(theory);
        let structure = mesh.structure();
        let held = mesh.held(&[Condition::clamped(0)]);
        let tip = mesh.dofs(n).start;
        let shear = if theory == Theory::Timoshenko { 1.0 / p.shear } else { 0.0 };
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-11 * b.abs().max(1e-9), "{theory:?} {a} {b}");
        for (dof, stiffness, sign) in [(4, p.bending_y, 1.0), (5, p.bending_z, -1.0)] {
            let x = deflection(&structure, held.clone(), StaticLoad::unit(tip + dof));
            for s in 1..=n {
                let at = length * s as f64 / n as f64;
                close(x[6 * s + dof], at * at * (3.0 * length - at) / (6.0 * stiffness) + shear * at);
                // θ_z = v', θ_y = -w'
                close(x[6 * s + 6 - dof], sign * (length * at - 0.5 * at * at) / stiffness);
            }
            let x = deflection(&structure, held.clone(), StaticLoad::unit(tip + 6 - dof));
            close(x[tip + dof], sign * length * length / (2.0 * stiffness));
        }
        close(deflection(&structure, held.clone(), StaticLoad::unit(tip + 3))[tip + 3], length / p.axial);
        close(deflection(&structure, held.clone(), StaticLoad::unit(tip))[tip], length / p.torsion);
    }
}

/// A tapered cantilever under a tip force, both theories: few elements give the integrals of the compliance.
#[test]
fn tapered_cantilever_is_exact() {
    let (length, p) = (2.0, properties());
    let at = |x: f64| {
        let d = 1.0 - 0.3 * x;
        BeamProperties { bending_y: p.bending_y * d.powi(3), shear: p.shear * d, axial: p.axial * d, ..p }
    };
    let integral = |f: &dyn Fn(f64) -> f64| gauss_legendre(60, length).iter().map(|(x, w)| w * f(*x)).sum::<f64>();
    for theory in [Theory::EulerBernoulli, Theory::Timoshenko] {
        let mesh = BeamMesh::tapered(length, 8, at).unwrap().with_theory(theory);
        let (structure, held) = (mesh.structure(), mesh.held(&[Condition::clamped(0)]));
        let tip = mesh.dofs(8).start;
        let shear = if theory == Theory::Timoshenko { 1.0 } else { 0.0 };
        let across = integral(&|x| (length - x).powi(2) / at(x).bending_y + shear / at(x).shear);
        let found = deflection(&structure, held.clone(), StaticLoad::unit(tip + 4))[tip + 4];
        println!("tapered {theory:?} {:e}", found / across - 1.0);
        assert!((found / across - 1.0).abs() < 2e-9, "{found} {across}");
        let along = integral(&|x| 1.0 / at(x).axial);
        let found = deflection(&structure, held, StaticLoad::unit(tip + 3))[tip + 3];
        assert!((found / along - 1.0).abs() < 1e-9, "{found} {along}");
    }
}

/// A force along an offset axis bends; an offset element is the same beam carried by a rigid arm.
#[test]
fn offsets_are_rigid_arms() {
    let (length, p) = (2.0, properties());
    let arm = [0.1, 0.3, -0.2];
    let end = [-0.1, 0.3, -0.2];
    let mesh = BeamMesh::uniform(length, 1, p).unwrap().with_offsets(0, [arm, end]).unwrap();
    let structure = mesh.structure();
    let held = mesh.held(&[Condition::clamped(0)]);
    // Unit axial force at the station: force and moments -o × f at the element's end.
    let x = deflection(&structure, held, StaticLoad::unit(9));
    let l = length - 0.2;
    let expected = l / p.axial + l * (0.3 * 0.3 / p.bending_y + 0.2 * 0.2 / p.bending_z);
    assert!((x[9] / expected - 1.0).abs() < 1e-12, "{} {expected}", x[9]);
    assert!(structure.rigid.iter().all(|r| structure.stiffness.mul(r).iter().all(|f| f.abs() < 1e-9 * p.axial)));
    let inclined = BeamMesh::uniform(length, 1, p).unwrap().with_offsets(0, [arm, [0.0; 3]]);
    assert_eq!(inclined.unwrap_err(), MeshError::Inclined { element: 0 });
}

/// Buckling of a pinned column by the geometric stiffness: `N = -π² EI / L²`, order 4.
#[test]
fn euler_column() {
    let (length, p) = (2.0, BeamProperties { bending_z: 5.0e5, ..properties() });
    let exact = std::f64::consts::PI.powi(2) * p.bending_y / (length * length);
    let error = |n: usize| {
        let mesh = BeamMesh::uniform(length, n, p).unwrap();
        let mut structure = mesh.structure();
        // K φ = P G φ with G for a unit compression: the lowest eigenvalue is the critical load.
        structure.mass = mesh.geometric_stiffness_matrix(&vec![1.0; n]);
        let held = mesh.held(&[Condition::pinned(0), Condition::sliding(n)]);
        Reduction::eigenmodes(held, 1).reduce(&structure).unwrap().frequencies[0].powi(2) / exact - 1.0
    };
    let (coarse, fine) = (error(4), error(8));
    println!("column {coarse} {fine}");
    assert!(coarse > 0.0 && ((coarse / fine).log2() - 4.0).abs() < 0.05);
}

/// A free beam under a force in its middle: inertia relief gives a shape, and rigid motions are not in it.
#[test]
fn free_beam_is_balanced_by_inertia() {
    let n = 4;
    let mesh = BeamMesh::uniform(2.0, n, properties()).unwrap();
    let structure = mesh.structure();
    let load = StaticLoad::unit(mesh.dofs(n / 2).start + 4);
    let modes = Reduction::eigenmodes(vec![], 0).with_loads([load.clone(), load]).reduce(&structure).unwrap();
    assert_eq!(modes.rigid, 6);
    assert_eq!(modes.vectors.len(), 1);
    assert_eq!((modes.dropped[0].source, modes.dropped[0].index), (ModeSource::Static, 1));
    for r in &structure.rigid {
        let along: f64 = structure.mass.mul(r).iter().zip(&modes.vectors[0]).map(|(a, b)| a * b).sum();
        assert!(along.abs() < 1e-12, "{along}");
    }
}

#[test]
fn wrong_meshes_are_named() {
    let p = properties();
    assert_eq!(BeamMesh::new(&[0.0], |_, _| p).unwrap_err(), MeshError::TooFewStations { stations: 1 });
    assert!(matches!(BeamMesh::new(&[0.0, 1.0, 1.0], |_, _| p).unwrap_err(), MeshError::NoLength { element: 1, .. }));
    let bad = BeamProperties { torsion: 0.0, ..p };
    let error = BeamMesh::uniform(1.0, 2, bad).unwrap_err();
    assert!(error.to_string().contains("torsional stiffness"), "{error}");
    let error = BeamMesh::uniform(1.0, 2, p).unwrap().with_fitting(3, Fitting::default()).unwrap_err();
    assert_eq!(error, MeshError::NoStation { station: 3, stations: 3 });
}
