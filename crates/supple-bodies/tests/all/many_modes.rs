//! Beams with many modes: what they cost, and where they end.

use std::time::{Duration, Instant};

use supple::{Fidelity, Hinge, HingeKind, ModalInertia, Model, Node, Parent, Problem, SHAPE_LIMIT, System};
use supple_bodies::beam::varying::{SectionKind, Sections, Station, VaryingBeam, VaryingModes};
use supple_bodies::beam::{ModalBeam, ModeCounts, Support};
use supple_bodies::section::{BeamProperties, Material, Section};

fn properties() -> BeamProperties {
    let material = Material { young: 7e10, poisson: 0.3, density: 2700.0 };
    BeamProperties::new(Section::Tube { outer: 0.05, inner: 0.04 }, material)
}

fn beam(modes: usize, fidelity: Fidelity) -> ModalBeam {
    let modes = ModeCounts { bending_y: modes, ..ModeCounts::default() };
    ModalBeam { fidelity, ..ModalBeam::cantilever(2.0, properties(), modes) }
}

fn build(beam: &ModalBeam) -> Result<Model, Vec<Problem>> {
    let body = beam.body("beam", Parent::Ground, Hinge::new(HingeKind::Fixed));
    Model::build(&System { bodies: vec![body], ..System::default() }).map_err(|error| error.problems().to_vec())
}

/// The tables of a beam are the sums over its nodes that define them, also for the shapes of second order, most of which take another way.
#[test]
fn tables_are_sums_over_nodes() {
    let beam = ModalBeam { rotary_inertia: true, ..beam(4, Fidelity::Stiffened) };
    let body = beam.body("beam", Parent::Ground, Hinge::new(HingeKind::Fixed));
    let tables = ModalInertia::of(&body);
    let shapes = 4 + 10;
    assert_eq!(tables.modal_mass.len(), shapes);
    let column = |node: &Node, r: usize| node.influence.get(r).copied().unwrap_or([0.0; 6]);
    let sum = |term: &dyn Fn(&Node) -> f64| body.nodes.iter().map(term).sum::<f64>();
    for r in 0..shapes {
        for s in 0..shapes {
            let mass = sum(&|node| {
                let (a, b) = (column(node, r), column(node, s));
                let turning: f64 = (0..3).map(|i| a[i] * node.inertia[i][i] * b[i]).sum();
                turning + node.mass * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5])
            });
            assert!((tables.modal_mass[r][s] - mass).abs() <= 1e-14 * mass.abs().max(1e-3), "{r} {s}");
            // d²J/dη² about z: 2 Σ m (x x' + y y').
            let about_z = sum(&|node| {
                let (a, b) = (column(node, r), column(node, s));
                2.0 * node.mass * (a[3] * b[3] + a[4] * b[4])
            });
            let found = tables.inertia_second[r][s];
            assert!((found[2][2] - about_z).abs() <= 1e-14 * about_z.abs().max(1e-3), "{r} {s}");
            let xy = sum(&|node| {
                let (a, b) = (column(node, r), column(node, s));
                -node.mass * (a[3] * b[4] + a[4] * b[3])
            });
            assert!((found[0][1] - xy).abs() <= 1e-14 * xy.abs().max(1e-3), "{r} {s}");
        }
    }
}

/// The most modes that a beam may have are built within seconds even where nothing is optimised; more are refused at once, in every fidelity
/// that has numbers for pairs of them, with the same limit.
#[test]
fn most_modes_are_built_and_more_are_refused_at_once() {
    let start = Instant::now();
    let most = build(&beam(43, Fidelity::Stiffened)).unwrap();
    assert_eq!((most.speed_count(), 43 + 43 * 44 / 2), (43, 989));
    for (modes, fidelity) in
        [(44, Fidelity::Stiffened), (300, Fidelity::Stiffened), (300, Fidelity::Exact), (300, Fidelity::Consistent)]
    {
        let found = build(&beam(modes, fidelity)).unwrap_err();
        let expected = Problem::TooManyShapes {
            body: "beam".into(),
            modes,
            second_order: modes * (modes + 1) / 2,
            limit: SHAPE_LIMIT,
        };
        assert_eq!(found, [expected], "{fidelity:?}");
        assert!(found[0].to_string().contains("cut a beam into several bodies"));
    }
    assert!(matches!(
        build(&beam(1_000_000_000, Fidelity::Stiffened)).unwrap_err()[..],
        [Problem::TooManyModes { .. }]
    ));
    let carrying = ModalBeam { support: Support::ClampedInterface, ..beam(42, Fidelity::Stiffened) };
    assert!(matches!(build(&carrying).unwrap_err()[..], [Problem::TooManyShapes { modes: 44, .. }]));
    assert!(build(&beam(60, Fidelity::Inconsistent)).is_ok());
    assert!(start.elapsed() < Duration::from_secs(120), "{:?}", start.elapsed());
}

#[test]
fn beams_of_any_section_have_the_same_limit() {
    let material = Material { young: 7e10, poisson: 0.3, density: 2700.0 };
    let section = Section::Tube { outer: 0.05, inner: 0.04 };
    let kind = SectionKind::Shape { section, material, shear: false };
    let sections = Sections(vec![Station { x: 0.0, kind, twist: 0.0, curvature: [0.0; 2] }]);
    let beam = VaryingBeam::new(2.0, sections, VaryingModes::Coupled(38));
    let body = beam.body("beam", Parent::Ground, Hinge::new(HingeKind::Fixed));
    let found = Model::build(&System { bodies: vec![body], ..System::default() }).unwrap_err();
    assert!(matches!(found.problems(), [Problem::TooManyShapes { modes: 44, second_order: 990, .. }]), "{found}");
}
