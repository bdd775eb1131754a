//! Beams with varying sections against closed formulas, their equations integrated along the line, and a transfer matrix.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use supple::{Body, BodyIndex, Fidelity, Hinge, HingeKind, Model, Parent, System};
use supple_bodies::beam::varying::{
    SectionKind, SectionLaw, Sections, Station, VaryingBeam, VaryingModes, compliance_of,
};
use supple_bodies::beam::{ModalBeam, ModeCounts};
use supple_bodies::frequencies;
use supple_bodies::section::{BeamProperties, Material, Section};

const ALUMINIUM: Material = Material { young: 7e10, poisson: 0.33, density: 2700.0 };

fn station(x: f64, section: Section) -> Station {
    let kind = SectionKind::Shape { section, material: ALUMINIUM, shear: false };
    Station { x, kind, twist: 0.0, curvature: [0.0; 2] }
}

/// A cantilever of one set of sections.
fn held(beam: &VaryingBeam) -> Body {
    beam.body("beam", Parent::Ground, Hinge::new(HingeKind::Fixed))
}

/// Deflection `[θ; u]` of the tip under a load `[moment; force]` there, by the shapes.
fn deflection(beam: &VaryingBeam, load: [f64; 6]) -> [f64; 6] {
    let body = held(beam);
    let tip = body.nodes.iter().find(|node| node.name.as_deref() == Some("tip")).unwrap();
    let supple::ModalMatrix::Diagonal(stiffness) = &body.modes.stiffness else { panic!("not diagonal") };
    let mut out = [0.0; 6];
    for (column, k) in tip.influence.iter().zip(stiffness) {
        let force: f64 = column.iter().zip(load).map(|(x, f)| x * f).sum();
        out.iter_mut().zip(column).for_each(|(u, x)| *u += x * force / k);
    }
    out
}

/// A uniform beam is the one with exact modes.
#[test]
fn uniform_beams_are_those_with_exact_modes() {
    let section = Section::Tube { outer: 0.05, inner: 0.045 };
    let modes = ModeCounts { bending_y: 3, bending_z: 2, stretch: 1, twist: 1 };
    let sections = Sections(vec![station(0.0, section)]);
    let varying = VaryingBeam::new(2.0, sections, VaryingModes::Families(modes));
    let exact =
        ModalBeam { rotary_inertia: true, ..ModalBeam::carrying(2.0, BeamProperties::new(section, ALUMINIUM), modes) };
    assert_eq!(varying.shape_count(), exact.shape_counts().total());
    let [a, b] = [held(&varying), exact.body("beam", Parent::Ground, Hinge::new(HingeKind::Fixed))];
    let (a, b) = (frequencies::of_body(&a).unwrap(), frequencies::of_body(&b).unwrap());
    assert_eq!(a.len(), b.len());
    // The held modes of the exact beam do not know of rotary inertia, so that the highest differ a little.
    for (a, b) in a.iter().zip(&b).take(8) {
        assert!((a / b - 1.0).abs() < 1e-4, "{a} {b}");
    }
    assert!((a[0] / b[0] - 1.0).abs() < 1e-6, "{} {}", a[0], b[0]);
}

/// Wedges and cones whose tip is half as thick as the root, against the equations of their bending, `w' = θ`, `EI θ' = M`, `M' = Q`, `Q' = ρA ω² w`,
/// integrated from the clamp: the determinant of the conditions at the free end, `M = Q = 0`, changes its sign within 2e-5 of each of the first three
/// frequencies, and nowhere else below the last.
#[test]
fn tapered_cantilevers_obey_the_equations_of_bending() {
    let wedge = |h: f64| Section::Rectangle { width: h, height: 0.02 };
    let cone = |d: f64| Section::Tube { outer: d / 2.0, inner: 0.0 };
    let thick = 2e-3;
    type Of = fn(f64) -> Section;
    for of in [wedge as Of, cone as Of] {
        let sections = Sections(vec![station(0.0, of(thick)), station(1.0, of(thick / 2.0))]);
        let modes = ModeCounts { bending_y: 12, ..ModeCounts::default() };
        let beam = VaryingBeam::new(1.0, sections, VaryingModes::Families(modes));
        let found = frequencies::of_body(&held(&beam)).unwrap();
        let free_end = |omega: f64| free_end(omega, &|x| BeamProperties::new(of(thick * (1.0 - x / 2.0)), ALUMINIUM));
        for omega in &found[..3] {
            let (below, above) = (free_end(omega * (1.0 - 2e-5)), free_end(omega * (1.0 + 2e-5)));
            assert!(below * above < 0.0, "{omega}: {below:.3e} {above:.3e}");
        }
        let signs: Vec<bool> = (1..=100).map(|k| free_end(found[2] * 1.001 * f64::from(k) / 100.0) > 0.0).collect();
        assert_eq!(signs.windows(2).filter(|pair| pair[0] != pair[1]).count(), 3);
    }
}

/// The determinant of moment and shear force at the free end of a cantilever of length one, for the two motions that its clamp allows, by Runge and
/// Kutta's steps of order four.
fn free_end(omega: f64, at: &dyn Fn(f64) -> BeamProperties) -> f64 {
    const STEPS: usize = 400;
    let h = 1.0 / STEPS as f64;
    let slope = |x: f64, [w, theta, m, q]: [f64; 4]| {
        let p = at(x);
        [theta, m / p.bending_y, q, p.mass * omega * omega * w]
    };
    let plus = |y: [f64; 4], k: [f64; 4], by: f64| -> [f64; 4] { std::array::from_fn(|i| y[i] + by * k[i]) };
    let ends = [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]].map(|clamp| {
        (0..STEPS).fold(clamp, |y, step| {
            let x = step as f64 * h;
            let k1 = slope(x, y);
            let k2 = slope(x + h / 2.0, plus(y, k1, h / 2.0));
            let k3 = slope(x + h / 2.0, plus(y, k2, h / 2.0));
            let k4 = slope(x + h, plus(y, k3, h));
            std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
        })
    });
    ends[0][2] * ends[1][3] - ends[0][3] * ends[1][2]
}

/// `u = ∫ (L - x)² / EI dx` under a force at the tip, exact with a single mode: of a taper, a twist, and both ends of a clamp of Timoshenko.
#[test]
fn tips_deflect_as_integrals_say() {
    let length = 1.5;
    let (wide, narrow) = (0.04, 0.02);
    let of = |width: f64| Section::Rectangle { width, height: 0.03 };
    let one = ModeCounts { bending_y: 1, ..ModeCounts::default() };
    let taper = Sections(vec![station(0.0, of(wide)), station(length, of(narrow))]);
    let integral = |f: &dyn Fn(f64) -> f64| -> f64 {
        let points = supple_bodies::quadrature::gauss_legendre(60, length);
        points.iter().map(|(x, w)| w * f(*x)).sum()
    };
    let stiffness = |x: f64| BeamProperties::new(of(wide + (narrow - wide) * x / length), ALUMINIUM);
    let exact = integral(&|x| (length - x).powi(2) / stiffness(x).bending_y);
    let found =
        deflection(&VaryingBeam::new(length, taper, VaryingModes::Families(one)), [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    assert!((found[4] / exact - 1.0).abs() < 1e-9, "{} {exact}", found[4]);
    // Twisted by 2 rad: both planes, and what one does to the other.
    let end = Station { twist: 2.0, ..station(length, of(wide)) };
    let twisted = Sections(vec![station(0.0, of(wide)), end]);
    let p = BeamProperties::new(of(wide), ALUMINIUM);
    let (y, z) = (p.bending_y.recip(), p.bending_z.recip());
    let angle = |x: f64| 2.0 * x / length;
    let own = integral(&|x| (length - x).powi(2) * (y * angle(x).cos().powi(2) + z * angle(x).sin().powi(2)));
    let other = integral(&|x| (length - x).powi(2) * (y - z) * angle(x).sin() * angle(x).cos());
    let found =
        deflection(&VaryingBeam::new(length, twisted, VaryingModes::Coupled(1)), [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    assert!((found[4] / own - 1.0).abs() < 1e-9 && (found[5] / other - 1.0).abs() < 1e-9, "{found:?} {own} {other}");
    // Shear adds L / κGA.
    let kind = SectionKind::Shape { section: of(wide), material: ALUMINIUM, shear: true };
    let sheared = Sections(vec![Station { kind, ..station(0.0, of(wide)) }]);
    let found =
        deflection(&VaryingBeam::new(length, sheared, VaryingModes::Families(one)), [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let exact = length.powi(3) / (3.0 * p.bending_y) + length / p.shear;
    assert!((found[4] / exact - 1.0).abs() < 1e-9, "{} {exact}", found[4]);
}

/// A quarter of a circle under a force at its tip, in its plane and across it (Castigliano).
#[test]
fn arcs_deflect_as_castigliano_says() {
    let radius = 0.8;
    let section = Section::Tube { outer: 0.01, inner: 0.0 };
    let p = BeamProperties::new(section, ALUMINIUM);
    let curved = Station { curvature: [0.0, 1.0 / radius], ..station(0.0, section) };
    let beam = VaryingBeam::new(FRAC_PI_2 * radius, Sections(vec![curved]), VaryingModes::Coupled(1));
    let (nodes, _) = beam.parts(&[]);
    let tip = nodes.iter().find(|node| node.name.as_deref() == Some("tip")).unwrap().position;
    assert!((tip[0] - radius).abs() < 1e-9 && (tip[1] - radius).abs() < 1e-9, "{tip:?}");
    // Along y, the tangent at the tip: M = F r (1 - sin φ); along x: M = F r cos φ, φ from the root; stretch by F² / 2 EA beside it.
    let (ei, ea, gj) = (p.bending_y, p.axial, p.torsion);
    let x = deflection(&beam, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let along_x = radius.powi(3) * PI / 4.0 / ei + radius * PI / 4.0 / ea;
    assert!((x[3] / along_x - 1.0).abs() < 1e-8, "{} {along_x}", x[3]);
    let y = deflection(&beam, [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let along_y = radius.powi(3) * (0.75 * PI - 2.0) / ei + radius * PI / 4.0 / ea;
    assert!((y[4] / along_y - 1.0).abs() < 1e-8, "{} {along_y}", y[4]);
    let z = deflection(&beam, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    let across = radius.powi(3) * (PI / 4.0 / ei + (0.75 * PI - 2.0) / gj);
    assert!((z[5] / across - 1.0).abs() < 1e-8, "{} {across}", z[5]);
}

/// A composite beam whose bending and twist are coupled by its layers: frequencies by the transfer matrix of its equations, whose determinant of the
/// clamped and the free end vanishes.
#[test]
fn full_stiffness_couples_bending_and_twist() {
    let (ei, gj, coupling) = (0.2865, 0.1891, 0.1143);
    let (mass, polar, length) = (0.0544, 7.77e-7, 0.1905);
    let mut stiffness = [[0.0; 6]; 6];
    let diagonal = [1e9, 1e9, 1e9, gj, ei, 1e3];
    (0..6).for_each(|i| stiffness[i][i] = diagonal[i]);
    (stiffness[3][4], stiffness[4][3]) = (coupling, coupling);
    let mut inertia = [[0.0; 3]; 3];
    inertia[0][0] = polar;
    let law = SectionLaw { compliance: compliance_of(&stiffness).unwrap(), mass, mass_centre: [0.0; 2], inertia };
    let station = Station { x: 0.0, kind: SectionKind::Law(law), twist: 0.0, curvature: [0.0; 2] };
    let beam = VaryingBeam {
        fidelity: Fidelity::Inconsistent,
        ..VaryingBeam::new(length, Sections(vec![station]), VaryingModes::Coupled(24))
    };
    let found = frequencies::of_body(&held(&beam)).unwrap();
    // y' = A y, y = [w, θ, M, Q, φ, T]: θ = -w', M = EI θ' + K φ', T = K θ' + GJ φ', M' = Q, Q' = -mω² w, T' = -Iω² φ.
    let determinant = |omega: f64| -> f64 {
        let d = ei * gj - coupling * coupling;
        let w2 = omega * omega;
        let mut a = [[0.0; 6]; 6];
        a[0][1] = -1.0;
        (a[1][2], a[1][5]) = (gj / d, -coupling / d);
        a[2][3] = 1.0;
        a[3][0] = -mass * w2;
        (a[4][2], a[4][5]) = (-coupling / d, ei / d);
        a[5][4] = -polar * w2;
        let e = exponential(&a.map(|row| row.map(|x| x * length)));
        // From M, Q, T at the clamp to the same at the free end.
        let pick = [2, 3, 5];
        let m: Vec<Vec<f64>> = pick.iter().map(|i| pick.iter().map(|j| e[*i][*j]).collect()).collect();
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    // A sign on both sides of each: shear and stretch, which these equations do not have, are far stiffer.
    for omega in &found[..4] {
        let (below, above) = (determinant(omega * (1.0 - 1e-4)), determinant(omega * (1.0 + 1e-4)));
        assert!(below * above < 0.0, "{} Hz: {below:.3e} {above:.3e}", omega / TAU);
    }
    // And not one less.
    let steps = 4000;
    let at = |k: usize| determinant(found[3] * 1.001 * k as f64 / steps as f64);
    let crossings = (1..steps).filter(|k| at(*k) * at(k + 1) < 0.0).count();
    assert_eq!(crossings, 4);
}

fn exponential(a: &[[f64; 6]; 6]) -> [[f64; 6]; 6] {
    let times = |a: &[[f64; 6]; 6], b: &[[f64; 6]; 6]| -> [[f64; 6]; 6] {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..6).map(|k| a[i][k] * b[k][j]).sum()))
    };
    let halvings = 12;
    let small = a.map(|row| row.map(|x| x / f64::from(1 << halvings)));
    let identity: [[f64; 6]; 6] = std::array::from_fn(|i| std::array::from_fn(|j| f64::from(i == j)));
    let (mut out, mut term) = (identity, identity);
    for k in 1..16 {
        term = times(&term, &small).map(|row| row.map(|x| x / f64::from(k)));
        (0..36).for_each(|e| out[e / 6][e % 6] += term[e / 6][e % 6]);
    }
    (0..halvings).for_each(|_| out = times(&out, &out));
    out
}

/// Frequencies of a chain of short straight beams, each turned a little.
fn chain(pieces: usize, (length, twist): (f64, f64), section: Section) -> Vec<f64> {
    let modes = ModeCounts { bending_y: 1, bending_z: 1, stretch: 1, twist: 1 };
    let piece = ModalBeam {
        rotary_inertia: true,
        ..ModalBeam::carrying(length / pieces as f64, BeamProperties::new(section, ALUMINIUM), modes)
    };
    let turn = |angle: f64| {
        let (s, c) = f64::sin_cos(angle);
        [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]
    };
    let step = twist / pieces as f64;
    let body = |k: usize| {
        let parent = k.checked_sub(1).map_or(Parent::Ground, |k| Parent::Body(BodyIndex(k), piece.tip_node()));
        // Each has the twist of its middle.
        let hinge = Hinge::new(HingeKind::Fixed).turned(turn(if k == 0 { 0.5 * step } else { step }));
        piece.body(format!("piece {k}"), parent, hinge)
    };
    let system = System { bodies: (0..pieces).map(body).collect(), ..System::default() };
    frequencies::of_system(&Model::build(&system).unwrap(), &system).unwrap()
}

/// A twisted cantilever is the limit of such chains, which they approach with the square of the number of pieces.
#[test]
fn twisted_cantilevers_are_chains_of_turned_pieces() {
    let section = Section::Rectangle { width: 0.01, height: 0.04 };
    let end = Station { twist: 1.2, ..station(1.0, section) };
    let whole = VaryingBeam::new(1.0, Sections(vec![station(0.0, section), end]), VaryingModes::Coupled(10));
    let found = frequencies::of_body(&held(&whole)).unwrap();
    let [few, many] = [6, 12].map(|pieces| chain(pieces, (1.0, 1.2), section));
    for i in 0..4 {
        let limit = many[i] + (many[i] - few[i]) / 3.0;
        assert!((found[i] / limit - 1.0).abs() < 5e-4, "{} {limit}", found[i]);
    }
}
