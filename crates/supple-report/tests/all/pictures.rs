//! Pictures of frames show the bodies, where kinematics puts them.

use std::collections::BTreeSet;

use supple::{Closure, ClosureKind, ElasticRotation, Hinge, HingeKind, Model, Mount, Parent, State, System};
use supple_bodies::beam::{ModalBeam, ModeCounts};
use supple_bodies::section::{BeamProperties, Material, Section};
use supple_io::drawing::{Drawing, Shape};
use supple_report::picture::{FramePicture, Ghost, PictureError, Quantity, View, frame, png};
use supple_report::{MotionRecorder, Origin, Recording, Scene, pose};

const LENGTH: f64 = 2.0;

/// A beam that turns about z and bends in the x-y plane, with a block at its tip, for two seconds.
fn recording() -> Recording {
    let steel = Material { young: 2.1e11, poisson: 0.3, density: 7850.0 };
    let section = Section::Tube { outer: 0.02, inner: 0.018 };
    let modes = ModeCounts { bending_y: 1, ..ModeCounts::default() };
    let beam = ModalBeam::cantilever(LENGTH, BeamProperties::new(section, steel), modes);
    let turning = || Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
    let boom = beam.body("boom", Parent::Ground, turning());
    // About the hinge: 0.02, 0.03 and 0.04 about the mass centre.
    let inertia = [[0.02, 0.0, 0.0], [0.0, 0.07, 0.0], [0.0, 0.0, 0.08]];
    let load = Parent::Body(supple::BodyIndex(0), beam.tip_node());
    let block = supple::Body::rigid("block", load, turning(), 1.0, [0.2, 0.0, 0.0], inertia);
    let system =
        System { bodies: vec![boom, block], elastic_rotation: ElasticRotation::RotationVector, ..System::default() };
    let model = Model::build(&system).unwrap();
    let scene = Scene::new("turning beam", &system, &model, &|_| Vec::new());
    let mut recorder = MotionRecorder::new(&scene, &model);
    for row in 0..=20 {
        let mut state = State::new(&model);
        state.time = 0.1 * f64::from(row);
        state.coordinates[model.hinge_coordinates(supple::BodyIndex(0))][0] = 0.05 * f64::from(row);
        state.coordinates[model.modal_coordinates(supple::BodyIndex(0))][0] = 0.01 * f64::from(row);
        recorder.take(&scene, &model, &state).unwrap();
    }
    Recording::new(scene.clone(), recorder.motion().clone(), Origin::default())
}

/// Classes of what is drawn, word by word.
fn classes(drawing: &Drawing) -> BTreeSet<&str> {
    drawing.items.iter().flat_map(|item| item.class.split(' ')).filter(|class| !class.is_empty()).collect()
}

/// Ends of the rods of a class.
fn points(drawing: &Drawing, class: &str) -> Vec<[f64; 2]> {
    let own = drawing.items.iter().filter(|item| item.class == class);
    own.filter_map(|item| if let Shape::Polyline(points) = &item.shape { Some(points.clone()) } else { None })
        .flatten()
        .collect()
}

#[test]
fn all_bodies_are_there_and_what_was_asked_for() {
    let own = recording();
    let plain = frame(&own, &FramePicture::default()).unwrap();
    let all = classes(&plain);
    for class in
        ["body-0", "body-1", "hinge-0", "hinge-1", "base-0", "axis-x", "axis-y", "axis-z", "scale-bar", "caption"]
    {
        assert!(all.contains(class), "{class}: {all:?}");
    }
    for class in ["body-2", "base-1", "ghost-0", "path-0", "name-0", "legend", "frame-1"] {
        assert!(!all.contains(class), "{class}");
    }
    let asked = FramePicture {
        times: vec![0.0, 1.0, 2.0],
        ghost: Ghost::Undeformed,
        paths: true,
        names: true,
        colours: Some(Quantity::Curvature),
        ..FramePicture::default()
    };
    let rich = frame(&own, &asked).unwrap();
    let all = classes(&rich);
    for class in ["frame-0", "frame-2", "ghost-0", "ghost-1", "path-0", "name-1", "legend"] {
        assert!(all.contains(class), "{class}: {all:?}");
    }
    let bare = frame(&own, &FramePicture { bare: true, ..asked }).unwrap();
    let all = classes(&bare);
    assert!(
        all.contains("frame-2") && !all.contains("caption") && !all.contains("scale-bar") && !all.contains("axis-x")
    );
}

/// Seen along z the picture is the x-y plane: the tip of the beam is where the engine's kinematics has it, in units of the scale bar.
#[test]
fn the_tip_is_where_kinematics_puts_it() {
    let own = recording();
    for (time, exaggeration) in [(0.0, 1.0), (2.0, 1.0), (1.0, 3.0), (2.0, 0.0)] {
        let asked = FramePicture { times: vec![time], exaggeration, view: View::Z, ..FramePicture::default() };
        let drawing = frame(&own, &asked).unwrap();
        let rods = points(&drawing, "frame-0 body-0");
        // The centre line is drawn before its sides, root first; sides are thinner.
        let line: Vec<&supple_io::drawing::Item> = drawing
            .items
            .iter()
            .filter(|item| item.class == "frame-0 body-0" && item.stroke.is_some_and(|stroke| stroke.width > 1.0))
            .collect();
        assert!(line.len() >= 48 && rods.len() > 100, "{} pieces", line.len());
        let bar = points(&drawing, "scale-bar");
        let label = drawing.items.iter().find_map(|item| match &item.shape {
            Shape::Text { text, .. } if text.ends_with(" cm") => Some(text.clone()),
            _ => None,
        });
        let metres: f64 = label.unwrap().trim_end_matches(" cm").parse::<f64>().unwrap() / 100.0;
        let per_metre = (bar[2][0] - bar[1][0]) / metres;
        // From the base, which is at the origin.
        let base: Vec<[f64; 2]> = drawing
            .items
            .iter()
            .filter(|item| item.class == "frame-0 base-0")
            .filter_map(|item| if let Shape::Polygon(points) = &item.shape { Some(points.clone()) } else { None })
            .flatten()
            .collect();
        let origin: [f64; 2] = std::array::from_fn(|i| base.iter().map(|p| p[i]).sum::<f64>() / base.len() as f64);
        let sample = own.motion.sample(&own.scene, time).unwrap();
        let (poses, amplitudes) = pose::place(&own.scene, &sample, exaggeration);
        let body = &own.scene.bodies[0];
        let tip = poses[0].then(&pose::deformed(body, body.tip(), &amplitudes[0])).position;
        let ends =
            line.iter().filter_map(|item| if let Shape::Polyline(points) = &item.shape { points.last() } else { None });
        let away = ends
            .map(|p| {
                let seen = [(p[0] - origin[0]) / per_metre, -(p[1] - origin[1]) / per_metre];
                (seen[0] - tip.0[0]).hypot(seen[1] - tip.0[1])
            })
            .fold(f64::INFINITY, f64::min);
        assert!(away < 1e-3, "t = {time}, {exaggeration} times: {away}");
        if exaggeration == 0.0 {
            assert!(
                (tip.0[0] - LENGTH * 1.0_f64.cos()).abs() < 1e-5 && (tip.0[1] - LENGTH * 1.0_f64.sin()).abs() < 1e-5
            );
        }
    }
}

/// Everything that belongs to the system is on the page, whatever the view, the size and the exaggeration.
#[test]
fn nothing_is_cut_off() {
    let own = recording();
    for view in
        [View::Page, View::Isometric, View::X, View::Y, View::Z, View::Angles { azimuth: 20.0, elevation: -70.0 }]
    {
        for (size, bare) in
            [([1000.0, 700.0], false), ([300.0, 900.0], false), ([64.0, 48.0], true), ([280.0, 200.0], false)]
        {
            for exaggeration in [0.0, 1.0, 50.0] {
                let (times, ghost) = (vec![0.0, 0.7, 2.0], Ghost::Undeformed);
                let asked = FramePicture {
                    times,
                    exaggeration,
                    size,
                    view,
                    bare,
                    ghost,
                    paths: true,
                    ..FramePicture::default()
                };
                let drawing = frame(&own, &asked).unwrap();
                for item in &drawing.items {
                    let places = match &item.shape {
                        Shape::Polyline(points) | Shape::Polygon(points) => points.clone(),
                        Shape::Circle(centre, _) => vec![*centre],
                        _ => continue,
                    };
                    let room = 1.0;
                    let inside = |p: &[f64; 2]| (0..2).all(|i| p[i] >= -room && p[i] <= size[i] + room);
                    assert!(places.iter().all(inside), "{view:?} {size:?} {exaggeration}: {item:?}");
                }
            }
        }
    }
}

/// The root of the bent beam has the last colour of curvature, its tip the first; of deflection it is the other way round.
#[test]
fn colours_tell_what_they_should() {
    let own = recording();
    let ends = |quantity: Quantity| {
        let asked =
            FramePicture { times: vec![2.0], view: View::Z, colours: Some(quantity), ..FramePicture::default() };
        let drawing = frame(&own, &asked).unwrap();
        let mut rods: Vec<(f64, [u8; 3])> = drawing
            .items
            .iter()
            .filter(|item| item.class == "frame-0 body-0")
            .filter_map(|item| match (&item.shape, item.stroke) {
                (Shape::Polyline(points), Some(stroke)) if stroke.width > 1.0 => Some((points[0][0], stroke.colour.0)),
                _ => None,
            })
            .collect();
        rods.sort_by(|a, b| a.0.total_cmp(&b.0));
        (rods[0].1, rods[rods.len() - 1].1)
    };
    let near = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).all(|(x, y)| x.abs_diff(y) < 24);
    let (low, high) = ([0x5b, 0x4f, 0xc7], [0xfd, 0xe7, 0x25]);
    let (root, tip) = ends(Quantity::Curvature);
    assert!(near(root, high) && near(tip, low), "{root:?} {tip:?}");
    let (root, tip) = ends(Quantity::Deflection);
    assert!(near(root, low) && near(tip, high), "{root:?} {tip:?}");
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let own = recording();
    let told = |asked: FramePicture| frame(&own, &asked).unwrap_err();
    let outside = told(FramePicture { times: vec![1.0, 2.5], ..FramePicture::default() });
    assert_eq!(outside, PictureError::Outside { time: 2.5, span: [0.0, 2.0] });
    assert!(outside.to_string().contains("from 0 to 2 s"), "{outside}");
    assert!(matches!(
        told(FramePicture { times: vec![f64::NAN], ..FramePicture::default() }),
        PictureError::Outside { .. }
    ));
    // The scene was made without sections.
    let without = told(FramePicture { colours: Some(Quantity::Strain), ..FramePicture::default() });
    assert!(without.to_string().contains("show the curvature"), "{without}");
    let small = told(FramePicture { size: [100.0, 100.0], ..FramePicture::default() });
    assert!(small.to_string().contains("at least 280 by 200"), "{small}");
    let mut empty = own.clone();
    (empty.motion.times.0, empty.motion.frames.0) = (Vec::new(), Vec::new());
    assert_eq!(frame(&empty, &FramePicture::default()), Err(PictureError::NoFrame));
}

#[test]
fn pixels_are_as_many_as_asked_and_the_system_is_among_them() {
    let own = recording();
    let drawing = frame(
        &own,
        &FramePicture { size: [400.0, 300.0], colours: Some(Quantity::Deflection), ..FramePicture::default() },
    )
    .unwrap();
    for zoom in [1.0, 2.5] {
        let map = tiny_skia::Pixmap::decode_png(&png(&drawing, zoom).unwrap()).unwrap();
        assert_eq!([f64::from(map.width()), f64::from(map.height())], [400.0 * zoom, 300.0 * zoom]);
        let colours: BTreeSet<[u8; 3]> = map.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]).collect();
        assert!(colours.len() > 50, "{} colours", colours.len());
        let painted = map.pixels().iter().filter(|p| p.red() < 250 || p.green() < 250).count();
        let share = painted as f64 / map.pixels().len() as f64;
        assert!((0.01..0.5).contains(&share), "{share}");
    }
    let dark = frame(&own, &FramePicture { dark: true, ..FramePicture::default() }).unwrap();
    let map = tiny_skia::Pixmap::decode_png(&png(&dark, 1.0).unwrap()).unwrap();
    let corner = map.pixel(0, 0).unwrap();
    assert_eq!([corner.red(), corner.green(), corner.blue()], [16, 21, 29]);
}

/// Two arms side by side on the ground whose ends are closed; the first has turned by `angle`.
fn closed_arms(kind: ClosureKind, angle: f64) -> Recording {
    let inertia = [[0.1, 0.0, 0.0], [0.0, 0.4, 0.0], [0.0, 0.0, 0.4]];
    let arm = |name: &str, at: [f64; 3]| {
        let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] }).at(at);
        supple::Body::rigid(name, Parent::Ground, hinge, 1.0, [0.5, 0.0, 0.0], inertia)
    };
    let [a, b] = [0, 1].map(|k| Mount::node(supple::BodyIndex(k), supple::NodeIndex(0)).at([1.0, 0.0, 0.0]));
    let b = b.at([1.0, -0.5, 0.0]);
    let bodies = vec![arm("first", [0.0; 3]), arm("second", [0.0, 0.5, 0.0])];
    let system = System { bodies, closures: vec![Closure::joint(kind, a, b).named("pin")], ..System::default() };
    let model = Model::build(&system).unwrap();
    let scene = Scene::new("arms", &system, &model, &|_| Vec::new());
    let mut recorder = MotionRecorder::new(&scene, &model);
    let mut state = State::new(&model);
    state.coordinates[0] = angle;
    recorder.take(&scene, &model, &state).unwrap();
    Recording::new(scene.clone(), recorder.motion().clone(), Origin::default())
}

/// A closure has a mark on both frames; between them is a line where they are apart, with gaps if they should not be.
#[test]
fn closures_are_marked_and_open_ones_dashed() {
    let drawn = |kind: ClosureKind, angle: f64| {
        let drawing = frame(&closed_arms(kind, angle), &FramePicture::default()).unwrap();
        let of_it = |item: &&supple_io::drawing::Item| item.class == "frame-0 closure-0";
        let balls = drawing.items.iter().filter(of_it).filter(|item| matches!(item.shape, Shape::Circle(..))).count();
        (balls, points(&drawing, "frame-0 closure-0").len())
    };
    assert_eq!(drawn(ClosureKind::Ball, 0.0), (2, 0));
    let (balls, dashed) = drawn(ClosureKind::Ball, 0.5);
    let (_, whole) = drawn(ClosureKind::Distance { length: 0.1 }, 0.5);
    assert_eq!(balls, 2);
    assert!(dashed > 0 && 13 * dashed == 7 * whole, "{dashed} {whole}");
}

/// What a page lists of a closure.
#[test]
fn scenes_know_closures() {
    let scene = closed_arms(ClosureKind::Revolute { axis: [0.0, 0.0, 1.0] }, 0.0).scene;
    let closure = &scene.closures[0];
    assert_eq!((closure.name.as_str(), closure.kind.as_str(), closure.equations), ("pin", "revolute", 5));
    assert_eq!(closure.joins, ["first", "second"]);
    let frames = closure.frames.as_ref().unwrap();
    assert_eq!(frames.each_ref().map(|frame| frame.body), [Some(0), Some(1)]);
}
