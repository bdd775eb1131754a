use super::*;

/// Every number different.
const PROPERTIES: BeamProperties = BeamProperties {
    mass: 1.3,
    axial: 7.0,
    bending_y: 5.0,
    bending_z: 3.0,
    torsion: 2.0,
    shear: f64::INFINITY,
    rotary: [0.1, 0.0, 0.0],
};

/// The stiffness and mass of textbooks: EI/L³ [12, -6L; -6L, 4L²], EA/L; ρAL/420 [156, -22L; -22L, 4L²], ρAL/3.
#[test]
fn textbook_matrices() {
    let beam = ElementBeam {
        length: 2.5,
        elements: 1,
        properties: PROPERTIES,
        fidelity: Fidelity::Exact,
        spatial: false,
        twist: false,
    };
    let l = beam.length;
    let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-13 * b.abs().max(1.0), "{a} {b}");
    let ModalMatrix::Full(k) = beam.modal_data().stiffness else { panic!("a full matrix") };
    let bending = 5.0 / l.powi(3);
    for (value, exact) in [
        (k[0][0], 12.0 * bending),
        (k[0][1], -6.0 * l * bending),
        (k[1][1], 4.0 * l * l * bending),
        (k[2][2], 7.0 / l),
        (k[0][2], 0.0),
    ] {
        close(value, exact);
    }
    let nodes = beam.nodes();
    let mass = |i: usize, j: usize| -> f64 {
        let dot = |n: &Node| (3..6).map(|e| n.influence[i][e] * n.influence[j][e]).sum::<f64>();
        nodes.iter().filter(|n| n.mass > 0.0).map(|n| n.mass * dot(n)).sum()
    };
    let unit = 1.3 * l / 420.0;
    for (value, exact) in [
        (mass(0, 0), 156.0 * unit),
        (mass(0, 1), -22.0 * l * unit),
        (mass(1, 1), 4.0 * l * l * unit),
        (mass(2, 2), 140.0 * unit),
    ] {
        close(value, exact);
    }
}

/// The element in space is the plane one twice, and a shaft.
#[test]
fn space_is_two_planes_and_a_shaft() {
    let plane = ElementBeam {
        length: 2.5,
        elements: 1,
        properties: PROPERTIES,
        fidelity: Fidelity::Stiffened,
        spatial: false,
        twist: false,
    };
    let space = ElementBeam { spatial: true, twist: true, ..plane };
    let stiffness = |beam: &ElementBeam| match beam.modal_data().stiffness {
        ModalMatrix::Full(k) => k,
        _ => panic!("a full matrix"),
    };
    let (k, own) = (stiffness(&space), stiffness(&plane));
    for i in 0..3 {
        for j in 0..3 {
            assert_eq!(k[i][j], own[i][j]);
            assert_eq!(k[i][j + 3], 0.0);
        }
    }
    for i in 0..2 {
        assert!((0..2).all(|j| (k[i + 3][j + 3] / own[i][j] - 0.6).abs() < 1e-14));
    }
    assert!((k[5][5] - 2.0 / 2.5).abs() < 1e-14);
    let tip = &space.nodes()[space.tip_node().0].influence;
    assert_eq!(
        (tip[3], tip[4], tip[5]),
        ([0.0, 0.0, 0.0, 0.0, 0.0, 1.0], [0.0, -1.0, 0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    );
    assert_eq!(space.modal_data().second_order.len(), 3);
}

/// Two elements in one body: their matrices are those of one element assembled, and a deflection that one element can have has the same energies.
#[test]
fn several_elements_are_assembled() {
    let (l, spatial, twist) = (2.5, true, true);
    let one = ElementBeam { length: l, elements: 1, properties: PROPERTIES, fidelity: Fidelity::Exact, spatial, twist };
    let two = ElementBeam { elements: 2, ..one };
    let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{a} {b}");
    let ModalMatrix::Full(k) = two.modal_data().stiffness else { panic!("a full matrix") };
    let bending = 5.0 / (0.5 * l).powi(3);
    for (value, exact) in [
        (k[0][0], 24.0 * bending),
        (k[0][1], 0.0),
        (k[1][1], 2.0 * 4.0 * (0.5 * l) * (0.5 * l) * bending),
        (k[0][6], -12.0 * bending),
        (k[0][7], 6.0 * (0.5 * l) * bending),
        (k[2][2], 2.0 * 7.0 / (0.5 * l)),
        (k[2][8], -7.0 / (0.5 * l)),
        (k[11][11], 2.0 / (0.5 * l)),
    ] {
        close(value, exact);
    }
    // What one element does in the middle are the coordinates of the station there.
    let q = [0.3, -0.2, 0.05, -0.1, 0.4, 0.6];
    let half = one.at(0.5 * l);
    let sum = |of: &[[f64; 2]], plane: usize| of.iter().zip(q).map(|(shape, q)| shape[plane] * q).sum::<f64>();
    let [v, w] = [0, 1].map(|plane| [sum(&half.deflection, plane), sum(&half.slope, plane)]);
    let middle = [v[0], v[1], sum(&half.rod, 0), w[0], w[1], sum(&half.rod, 1)];
    let same = [middle, q].concat();
    close(strain_energy(&two.modal_data(), &same), strain_energy(&one.modal_data(), &q));
    assert!(strain_energy(&two.modal_data(), &same) > 0.1);
    for x in [0.3, 1.25, 1.9] {
        let (a, b) = (one.influence(x, true), two.influence(x, true));
        for row in 0..6 {
            let at = |columns: &[[f64; 6]], q: &[f64]| columns.iter().zip(q).map(|(c, q)| c[row] * q).sum::<f64>();
            close(at(&b, &same), at(&a, &q));
        }
    }
    let mass = |beam: &ElementBeam| beam.nodes().iter().map(|node| node.mass).sum::<f64>();
    close(mass(&two), mass(&one));
    // Stations next to each other and their own pairs: three each, and four between.
    let stiffened = ElementBeam { elements: 3, fidelity: Fidelity::Stiffened, ..one };
    assert_eq!(stiffened.modal_data().second_order.len(), 3 * 3 + 2 * 4);
}

/// `½ K0 q q + K3 q q q / 6 + K4 q q q q / 24`.
fn strain_energy(modes: &Modes, q: &[f64]) -> f64 {
    let ModalMatrix::Full(k) = &modes.stiffness else { panic!("a full matrix") };
    let linear: f64 =
        (0..q.len()).flat_map(|i| (0..q.len()).map(move |j| (i, j))).map(|(i, j)| k[i][j] * q[i] * q[j]).sum();
    let cubic: f64 = modes.nonlinear.cubic.iter().map(|([i, j, k], g)| g * q[*i] * q[*j] * q[*k]).sum();
    let quartic: f64 = modes.nonlinear.quartic.iter().map(|([i, j, k, l], g)| g * q[*i] * q[*j] * q[*k] * q[*l]).sum();
    0.5 * linear + cubic / 6.0 + quartic / 24.0
}

/// The tables are those of Green's strain: the energy of a bent and stretched beam is `½ ∫ EA ε² + EI v''² dx` with `ε = u' + ½ (v'² + w'²)`.
#[test]
fn energy_is_that_of_greens_strain() {
    let (spatial, twist) = (true, true);
    for elements in [1, 2] {
        let beam =
            ElementBeam { length: 2.5, elements, properties: PROPERTIES, fidelity: Fidelity::Exact, spatial, twist };
        let q: Vec<f64> = (0..beam.modes()).map(|i| 0.4 * (1.0 + 1.7 * i as f64).sin()).collect();
        // Simpson's rule knows nothing of Gauss points.
        let n = 2000 * elements;
        let density = |x: f64| {
            let p = beam.at(x);
            let sum = |of: &[[f64; 2]], i: usize| of.iter().zip(&q).map(|(shape, q)| shape[i] * q).sum::<f64>();
            let strain = sum(&p.strain, 0) + 0.5 * (sum(&p.slope, 0).powi(2) + sum(&p.slope, 1).powi(2));
            let bent = 5.0 * sum(&p.curvature, 0).powi(2) + 3.0 * sum(&p.curvature, 1).powi(2);
            0.5 * (7.0 * strain * strain + bent + 2.0 * sum(&p.strain, 1).powi(2))
        };
        let h = beam.length / n as f64;
        // Ends of a panel from within: strains jump between elements.
        let panel = |i: usize| {
            let (a, b) = (2.0 * i as f64 * h, 2.0 * (i + 1) as f64 * h);
            h / 3.0 * (density(a + 1e-9 * h) + 4.0 * density(0.5 * (a + b)) + density(b - 1e-9 * h))
        };
        let exact: f64 = (0..n / 2).map(panel).sum();
        let found = strain_energy(&beam.modal_data(), &q);
        assert!((found / exact - 1.0).abs() < 1e-8, "{elements}: {found} {exact}");
    }
}
