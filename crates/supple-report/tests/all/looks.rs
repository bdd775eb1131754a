//! Bodies look like their file says: in the scene, on the page and in pictures.

use std::sync::Arc;

use serde_json::Value;
use supple::State;
use supple_io::drawing::{Colour, Drawing, Item, Shape};
use supple_io::model_file::{self, ModelFile};
use supple_io::visual::{self, Mesh, Visual};
use supple_report::foxglove::Feed;
use supple_report::live::{Broadcast, Server, Source};
use supple_report::mode_shapes::ShownModes;
use supple_report::picture::{FramePicture, View, frame, png};
use supple_report::scene::{Form, ShapeForm};
use supple_report::{MotionRecorder, Origin, Recording, Scene, page, still};
use tiny_skia::Pixmap;

use crate::foxglove_support::{Client, Said};

/// A red box of a metre on the ground, a beam that carries a blue ball at its tip, and a plate that is bent with it.
const MODEL: &str = r#"
format = "supple-model-1"
name = "looks"
gravity = [0, 0, 0]

[[body]]
name = "foot"
hinge = { kind = "fixed" }
rigid = { mass = 2, inertia = [1, 1, 1] }
nodes = [{ name = "top", position = [3, 0, 0] }]
[[body.visual]]
box = [1, 1, 1]
colour = [1, 0, 0]

[[body]]
name = "boom"
parent = "foot"
at = "top"
hinge = { kind = "revolute", axis = [0, 0, 1] }
[body.beam]
length = 4
section = { rectangle = { width = 0.1, height = 0.2 } }
material = { E = 7e10, nu = 0.3, density = 2700 }
modes = { basis = "cantilever", bending_y = 1 }
[[body.visual]]
box = [4, 0.2, 0.4]
position = [2, 0, 0]
[[body.visual]]
ball = 0.3
node = "tip"
colour = [0, 0, 1]
"#;

fn read(text: &str) -> ModelFile {
    model_file::from_text("model.toml", text, None).unwrap_or_else(|error| panic!("{error}"))
}

fn scene(file: &ModelFile) -> Scene {
    Scene::with_looks("looks", &file.system, &file.model, &|_| Vec::new(), file.into())
}

/// A recording of one frame, with the first mode of the body `k` at an amplitude.
fn posed(file: &ModelFile, k: usize, amplitude: f64) -> Recording {
    let (scene, mut state) = (scene(file), State::new(&file.model));
    if amplitude != 0.0 {
        state.coordinates[file.model.modal_coordinates(supple::BodyIndex(k))][0] = amplitude;
    }
    let mut recorder = MotionRecorder::new(&scene, &file.model);
    recorder.take(&scene, &file.model, &state).unwrap();
    Recording::new(scene, recorder.motion().clone(), Origin::default())
}

/// What a drawing shows as pixels, and their colours by place.
fn pixels(drawing: &Drawing) -> impl Fn([f64; 2]) -> [u8; 3] + use<> {
    let map = Pixmap::decode_png(&png(drawing, 1.0).unwrap()).unwrap();
    move |[x, y]| {
        let pixel = map.pixel(x.round() as u32, y.round() as u32).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()]
    }
}

/// Least and greatest coordinates on the page of what items are painted, along x and y.
fn extent<'i>(items: impl Iterator<Item = &'i Item>) -> [[f64; 2]; 2] {
    let mut out = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for item in items {
        let Shape::Polygon(points) = &item.shape else { continue };
        for point in points {
            (0..2).for_each(|i| out[i] = [out[i][0].min(point[i]), out[i][1].max(point[i])]);
        }
    }
    out
}

fn view_along_z() -> FramePicture {
    FramePicture { view: View::Z, bare: true, still: true, size: [800.0, 400.0], ..FramePicture::default() }
}

#[test]
fn shapes_are_in_the_scene() {
    let own = scene(&read(MODEL));
    let [foot, boom] = &own.bodies[..] else { panic!() };
    assert_eq!(foot.shapes.len(), 1);
    assert_eq!(foot.shapes[0].form, ShapeForm::Box { sides: [1.0; 3] });
    assert_eq!(foot.shapes[0].colour, Some([1.0, 0.0, 0.0, 1.0]));
    assert_eq!(boom.shapes[0].node, None);
    assert_eq!(boom.node_names[boom.shapes[1].node.unwrap()], "tip");
    assert_eq!(boom.shapes[1].position, [4.0, 0.0, 0.0]);
    let json = serde_json::to_string(&own).unwrap();
    assert_eq!(serde_json::from_str::<Scene>(&json).unwrap(), own);
}

#[test]
fn a_red_box_is_red_where_it_is() {
    let file = read(MODEL);
    let drawing = frame(&posed(&file, 1, 0.0), &view_along_z()).unwrap();
    let at = pixels(&drawing);
    // Of the foot, seen from above, from -0.5 to 0.5 m; the ball ends at 7.3 m.
    let [x, y] = extent(drawing.items.iter().filter(|item| item.class.ends_with("body-0")));
    let [bx, _] = extent(drawing.items.iter().filter(|item| item.class.ends_with("body-1")));
    let scale = x[1] - x[0];
    assert!((y[1] - y[0] - scale).abs() < 1e-6 * scale, "a square: {x:?} {y:?}");
    assert!(((bx[1] - x[0]) / scale - 7.8).abs() < 0.01, "{bx:?} {x:?}");
    let middle = [0.5 * (x[0] + x[1]), 0.5 * (y[0] + y[1])];
    let is_red = |[r, g, b]: [u8; 3]| r > 150 && g < 60 && b < 60;
    for (dx, dy) in [(0.0, 0.0), (0.45, 0.45), (-0.45, 0.45), (-0.45, -0.45), (0.45, -0.45)] {
        let place = [middle[0] + dx * scale, middle[1] + dy * scale];
        assert!(is_red(at(place)), "{place:?}: {:?}", at(place));
    }
    assert_eq!(at([middle[0], middle[1] - 0.6 * scale]), [255; 3], "nothing beside it");
    let ball = at([middle[0] + 7.0 * scale, middle[1]]);
    assert!(ball[2] > 120 && ball[0] < 90, "the ball at the tip: {ball:?}");
}

#[test]
fn shapes_bend_with_a_line_and_move_with_a_node() {
    let file = read(MODEL);
    let own = posed(&file, 1, 0.5);
    let drawing = frame(&own, &view_along_z()).unwrap();
    let straight = frame(&posed(&file, 1, 0.0), &view_along_z()).unwrap();
    let of = |drawing: &Drawing, blue: bool| {
        let is_blue = |item: &Item| item.fill.is_some_and(|Colour([r, _, b])| b > 100 && r < 60);
        extent(drawing.items.iter().filter(|item| item.class.ends_with("body-1") && is_blue(item) == blue))
    };
    let scale = |drawing: &Drawing| {
        let [x, _] = extent(drawing.items.iter().filter(|item| item.class.ends_with("body-0")));
        x[1] - x[0]
    };
    // The mode has its greatest displacement at the tip.
    let body = &own.scene.bodies[1];
    let tip = body.tip();
    let moved = 0.5 * f64::from(body.influence.0[6 * tip * (body.modes + body.second_order.len()) + 4]).abs();
    assert!(moved > 0.05, "{moved}");
    let height =
        |drawing: &Drawing, blue: bool| of(drawing, blue)[1].iter().map(|y| y / scale(drawing)).collect::<Vec<_>>();
    let (ball, flat) = (height(&drawing, true), height(&straight, true));
    assert!((ball[1] - ball[0] - 0.6).abs() < 0.02, "still a ball: {ball:?}");
    assert!((flat[1] - flat[0] - 0.6).abs() < 0.02, "{flat:?}");
    let [plate, board] = [height(&drawing, false), height(&straight, false)];
    assert!((board[1] - board[0] - 0.2).abs() < 0.01, "{board:?}");
    // The root stays where it is, the end goes as far as the tip.
    let grown = plate[1] - plate[0] - 0.2;
    assert!((grown - moved).abs() < 0.03 * moved.max(1.0), "{grown} {moved}");
}

#[test]
fn beams_have_their_section_and_rods_lead_to_hinges() {
    let text = r#"
format = "supple-model-1"
gravity = [0, 0, 0]
[[body]]
name = "mast"
hinge = { kind = "revolute", axis = [0, 0, 1] }
[body.beam]
length = 2
start = [0.5, 0.3, 0]
sections = [{ x = 0, section = { rectangle = { width = 0.4, height = 0.2 } } }, { x = 2, section = { rectangle = { width = 0.2, height = 0.1 } } }]
material = { E = 7e10, nu = 0.3, density = 2700 }
modes = { bending_y = 1 }
[[body]]
name = "lamp"
parent = "mast"
at = "tip"
hinge = { kind = "revolute", axis = [0, 0, 1], position = [0, 0.25, 0] }
rigid = { mass = 1, inertia = [0.01, 0.01, 0.01] }
"#;
    let file = read(text);
    let own = scene(&file);
    let mast = &own.bodies[0];
    let (section, line) = (mast.section.as_ref().unwrap(), mast.line.as_ref().unwrap());
    assert!(!section.round && section.sizes.0.len() == 3 * line.len());
    for (n, size) in line.iter().zip(section.sizes.0.chunks(3)) {
        let x = mast.positions.0[3 * n] - 0.5;
        assert!(
            (size[0] - (0.2 - 0.05 * x)).abs() < 1e-6 && (size[1] - (0.1 - 0.025 * x)).abs() < 1e-6,
            "{x}: {size:?}"
        );
    }
    // From the tip to the lamp, and from the hinge at the origin to the root of the beam.
    let names: Vec<&str> = mast.connectors.iter().map(|rod| mast.node_names[rod.node].as_str()).collect();
    assert_eq!(names, ["tip", "origin"]);
    assert_eq!(mast.connectors[0].to, [0.0, 0.25, 0.0]);
    assert!((0..3).all(|i| (mast.connectors[1].to[i] - [0.5, 0.3, 0.0][i]).abs() < 1e-6));
    let drawing = frame(&posed(&file, 0, 0.0), &view_along_z()).unwrap();
    let [x, y] = extent(drawing.items.iter().filter(|item| item.class.ends_with("body-0")));
    assert!(((y[1] - y[0]) / (x[1] - x[0]) - 0.4 / 2.0).abs() < 1e-3, "{x:?} {y:?}");
}

/// A square of nodes that may move across itself.
fn plate(nodes: &str) -> String {
    format!(
        "format = \"supple-model-1\"\ngravity = [0, 0, 0]\n[[body]]\nname = \"plate\"\nhinge = {{ kind = \"fixed\" }}\nnodes = [{nodes}]\n\
         modes = {{ count = 1, stiffness = [100] }}\n"
    )
}

#[test]
fn nodes_in_a_plane_are_a_panel() {
    let node = |i: i32, j: i32| {
        format!("{{ position = [{i}, {j}, 0], mass = 0.1, influence = [[0, 0, 0, 0, 0, {}]] }}", f64::from(i * i) * 0.1)
    };
    let nodes: Vec<String> = (0..4).flat_map(|i| (0..3).map(move |j| node(i, j))).collect();
    let own = posed(&read(&plate(&nodes.join(", "))), 0, 0.2);
    let body = &own.scene.bodies[0];
    assert_eq!(body.panel.len(), 2 * 3 * 2);
    let drawing = frame(&own, &view_along_z()).unwrap();
    let own = || drawing.items.iter().filter(|item| item.class.ends_with("body-0"));
    assert_eq!(own().filter(|item| matches!(item.shape, Shape::Polygon(_))).count(), body.panel.len());
    let [x, y] = extent(own());
    assert!(((x[1] - x[0]) / (y[1] - y[0]) - 1.5).abs() < 1e-6);
}

/// A tetrahedron shown twice on the foot.
fn with_meshes() -> ModelFile {
    let mut file = read(MODEL);
    let mesh = Arc::new(Mesh {
        file: "cad/<tetrahedron>.stl".into(),
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]],
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
        colours: vec![[0.0, 1.0, 0.0, 1.0]; 4],
    });
    let shown = |x: f64| Visual {
        body: 0,
        node: None,
        position: [x, 0.0, 1.0],
        attitude: [0.0, 0.0, 0.0, 1.0],
        shape: visual::Shape::Mesh(mesh.clone()),
        colour: None,
    };
    file.visuals.extend([shown(-2.0), shown(1.0)]);
    file
}

#[test]
fn meshes_are_shared_and_reach_page_and_picture() {
    let file = with_meshes();
    let own = scene(&file);
    assert_eq!(own.meshes.len(), 1);
    assert_eq!((own.meshes[0].vertices.0.len(), own.meshes[0].triangle_count()), (12, 4));
    assert_eq!(own.bodies[0].shapes[2].form, ShapeForm::Mesh { mesh: 0 });
    let run =
        still::still(own, (&file.model, &State::new(&file.model)), ShownModes::default(), Origin::default()).unwrap();
    let html = page::of_model(&run);
    if page::IS_COMPLETE {
        assert!(html.contains("\"kind\":\"model\"") && html.contains("cad/\\u003ctetrahedron>.stl"));
        // Vertices as 16-bit steps: the last one at the top of its box.
        assert!(html.contains("\"step\":[0.00001525902") && html.contains("\"kind\":\"mesh\",\"mesh\":0"));
    }
    let at = pixels(&frame(&run.recording, &view_along_z()).unwrap());
    let green = (0..800).flat_map(|x| (0..400).map(move |y| [f64::from(x), f64::from(y)]));
    let green = green.filter(|place| matches!(at(*place), [r, g, b] if g > 100 && r < 90 && b < 90)).count();
    assert!(green > 500, "{green} green pixels");
}

/// Foxglove gets shapes as primitives, what bends as triangles, and meshes once, in frames that move.
#[test]
fn panels_get_shapes_and_meshes() {
    let file = with_meshes();
    let own = posed(&file, 1, 0.5);
    let run = still::still(
        own.scene.clone(),
        (&file.model, &State::new(&file.model)),
        ShownModes::default(),
        Origin::default(),
    );
    let broadcast = Arc::new(Broadcast::new(own.scene.clone(), Origin::default(), run.unwrap().summary));
    let feed = Feed::live(broadcast.clone()).unwrap();
    let server = Server::start(0, Source::Live(broadcast.clone()), Some(feed)).unwrap();
    let (mut client, channels) = Client::open(server.address(), "foxglove.sdk.v1");
    let number = |topic: &str| channels.iter().position(|channel| channel["topic"] == topic).unwrap();
    client.subscribe(&[number("/bodies"), number("/scene")]);
    let mut row = |time: f64| {
        broadcast.tell(&[time], &own.motion.frames.0);
        assert!(matches!(client.next(), Said::Time(_)));
        [0, 1].map(|_| match client.next() {
            Said::Message(_, _, message) => serde_json::from_slice::<Value>(&message).unwrap(),
            other => panic!("{other:?}"),
        })
    };
    let [bodies, scene] = row(0.0);
    let entities = scene["entities"].as_array().unwrap();
    let [foot, boom] = [&entities[0], &entities[1]];
    assert_eq!(foot["cubes"][0]["size"], serde_json::json!({"x": 1.0, "y": 1.0, "z": 1.0}));
    assert_eq!(foot["cubes"][0]["color"], serde_json::json!({"r": 1.0, "g": 0.0, "b": 0.0, "a": 1.0}));
    // The ball is where the tip is, the plate as far aside at its end.
    let aside = boom["spheres"][0]["pose"]["position"]["y"].as_f64().unwrap();
    assert!(aside.abs() > 0.05, "{boom}");
    let corners = boom["triangles"][0]["points"].as_array().unwrap();
    let ends = corners.iter().filter(|point| (point["x"].as_f64().unwrap() - 7.0).abs() < 0.2);
    let (count, sum) = ends.fold((0.0, 0.0), |(n, sum), point| (n + 1.0, sum + point["y"].as_f64().unwrap()));
    assert!(
        corners.len().is_multiple_of(3) && (sum / count - aside).abs() < 0.1 * aside.abs(),
        "{sum} {count} {aside}"
    );
    for i in [2, 3] {
        let (entity, frame) = (&entities[i], format!("foot: mesh {i}"));
        let told = (&entity["frame_id"], &entity["frame_locked"], &entity["models"][0]["media_type"]);
        assert_eq!(told, (&frame.as_str().into(), &true.into(), &"model/gltf-binary".into()));
        assert!(entity["models"][0]["data"].as_str().unwrap().starts_with("Z2xURg"), "glTF in base64");
        let place = bodies["transforms"].as_array().unwrap().iter().find(|one| one["child_frame_id"] == *frame);
        assert_eq!(place.unwrap()["translation"]["x"], if i == 2 { -2.0 } else { 1.0 });
    }
    let [bodies, scene] = row(0.1);
    assert_eq!(scene["entities"].as_array().unwrap().len(), 2, "models are told once");
    assert_eq!(bodies["transforms"].as_array().unwrap().len(), 4, "and move with every row");
}

/// Two bodies without extent about one axis: bars in front of each other, with their inertia, not one ball in the other.
#[test]
fn points_that_turn_are_seen_to_turn() {
    let body = |name: &str, parent: &str, inertia: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\n{parent}\nhinge = {{ kind = \"revolute\", axis = [0, 0, 1] }}\n\
             rigid = {{ mass = 2, inertia = [{inertia}, {inertia}, {inertia}] }}\n"
        )
    };
    let text =
        |second: &str| format!("format = \"supple-model-1\"\ngravity = [0, 0, 0]\n{}{second}", body("hub", "", 0.06));
    let file = read(&text(&body("load", "parent = \"hub\"", 0.17)));
    let mut recording = posed(&file, 0, 0.0);
    for (body, inertia) in recording.scene.bodies.iter().zip([0.06, 0.17]) {
        let Some(solid) = &body.solid else { panic!("{body:?}") };
        let Form::Box { sides: [long, wide, _] } = solid.form else { panic!("{solid:?}") };
        // I = m (l² + w²) / 12
        assert!((2.0 * (long * long + wide * wide) / 12.0 - inertia).abs() < 1e-12 && wide < 0.2 * long);
    }
    let centre = |k: usize| recording.scene.bodies[k].solid.as_ref().unwrap().centre;
    assert!(centre(0) == [0.0; 3] && centre(1)[2] > 0.0);
    let seen = |recording: &Recording| frame(recording, &view_along_z()).unwrap();
    let before = seen(&recording);
    let half = (0.25 * std::f64::consts::PI).sin() as f32;
    // The load turns by a right angle.
    recording.motion.frames.0[7 + 5..7 + 7].copy_from_slice(&[half, half]);
    assert_ne!(extent(before.items.iter()), extent(seen(&recording).items.iter()));
    // A ball that would be larger than all else is a mark.
    let arm = "[[body]]\nname = \"tip\"\nparent = \"hub\"\nhinge = { kind = \"spherical\", position = [0.3, 0, 0] }\n\
               rigid = { mass = 0.1, inertia = [1, 1, 1] }\n";
    let own = posed(&read(&text(arm)), 0, 0.0);
    assert_eq!(own.scene.bodies[1].solid, None);
    let [x, _] = extent(seen(&own).items.iter());
    assert!(x[1] - x[0] > 0.0);
}

#[test]
fn damaged_looks_are_refused() {
    let file = with_meshes();
    let folder = std::env::temp_dir().join(format!("supple-looks-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let whole = posed(&file, 1, 0.0);
    whole.write(&folder).unwrap();
    assert_eq!(Recording::read(&folder).unwrap(), whole);
    let damages: [&dyn Fn(&mut Recording); 5] = [
        &|own| own.scene.meshes.clear(),
        &|own| own.scene.meshes[0].triangles.0[3] = 4,
        &|own| own.scene.bodies[1].shapes[1].node = Some(1000),
        &|own| {
            own.scene.bodies[1].section.as_mut().unwrap().sizes.0.pop();
        },
        &|own| own.scene.bodies[1].panel.push([0, 1, 1000]),
    ];
    for (i, damage) in damages.iter().enumerate() {
        let mut own = whole.clone();
        damage(&mut own);
        own.write(&folder).unwrap();
        assert!(Recording::read(&folder).unwrap_err().to_string().contains("does not match"), "damage {i}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
