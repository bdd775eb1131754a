//! What files say bodies look like: `<visual>` of robots, `[[body.visual]]` of models.

use crate::meshes::Scratch;
use crate::meshes::files::stl_text;
use supple_io::load::{LoadOptions, Loaded, load};
use supple_io::mesh::MeshFolders;
use supple_io::visual::{Shape, Visual};
use supple_io::{model_file, urdf};

/// A robot whose arm, behind a fixed joint on the base, has these elements.
fn robot(materials: &str, visuals: &str) -> String {
    format!(
        r#"<robot name="r">
{materials}
<link name="base"><visual><geometry><box size="1 2 3"/></geometry></visual></link>
<link name="arm">
{visuals}
</link>
<joint name="weld" type="fixed"><origin xyz="1 0 0"/><parent link="base"/><child link="arm"/></joint>
</robot>"#
    )
}

fn looks(materials: &str, visuals: &str) -> Vec<Visual> {
    let read = urdf::from_text("r.urdf", &robot(materials, visuals), None, &urdf::Options::default());
    read.unwrap_or_else(|error| panic!("{error}")).file.visuals
}

#[test]
fn robots_have_shapes_places_and_colours() {
    let materials = r#"<material name="red"><color rgba="1 0 0 0.5"/></material>
        <material name="wood"><texture filename="wood.png"/></material>"#;
    let all = looks(
        materials,
        r#"<visual name="a"><origin xyz="0 0 0.5" rpy="0 0 1.5707963267948966"/><geometry><cylinder radius="0.1" length="2"/></geometry>
             <material name="red"/></visual>
           <visual><geometry><sphere radius="0.2"/></geometry><material name="blue"><color rgba="0 0 1 1"/></material></visual>
           <visual><geometry><capsule radius="0.2" length="1"/></geometry><material name=""><color rgba="0 1 0 1"/></material></visual>
           <visual><geometry><box size="1 1 1"/></geometry><material name="wood"/></visual>
           <visual><geometry><box size="1 1 1"/></geometry><material name="blue"/></visual>"#,
    );
    let shapes: Vec<&Shape> = all.iter().map(|visual| &visual.shape).collect();
    let cube = Shape::Box { sides: [1.0; 3] };
    assert_eq!(
        shapes,
        [
            &Shape::Box { sides: [1.0, 2.0, 3.0] },
            &Shape::Cylinder { radius: 0.1, length: 2.0 },
            &Shape::Ellipsoid { radii: [0.2; 3] },
            &Shape::Capsule { radius: 0.2, length: 1.0 },
            &cube,
            &cube,
        ]
    );
    let bodies: Vec<usize> = all.iter().map(|visual| visual.body).collect();
    assert_eq!(bodies, [0, 1, 1, 1, 1, 1], "links on fixed joints are bodies of their own");
    let colours: Vec<Option<[f32; 4]>> = all.iter().map(|visual| visual.colour).collect();
    let blue = Some([0.0, 0.0, 1.0, 1.0]);
    assert_eq!(colours, [None, Some([1.0, 0.0, 0.0, 0.5]), blue, Some([0.0, 1.0, 0.0, 1.0]), None, blue]);
    assert_eq!((all[1].position, all[1].node), ([0.0, 0.0, 0.5], None));
    let half = 0.5_f64.sqrt();
    let turned = all[1].attitude.iter().zip([0.0, 0.0, half, half]).all(|(a, b)| (a - b).abs() < 1e-15);
    assert!(turned, "{:?}", all[1].attitude);
}

#[test]
fn what_is_wrong_with_a_visual_is_refused_or_passed_over() {
    let shape = |geometry: &str| format!("<visual><geometry>{geometry}</geometry></visual>");
    for (visuals, told) in [
        (shape(r#"<box size="1 1"/>"#), "`size` has 2 entries"),
        (shape(r#"<box size="1 -1 1"/>"#), "`size` is -1"),
        (shape("<box/>"), "the attribute `size` of `<box>` is missing"),
        (shape(r#"<cylinder radius="0" length="1"/>"#), "`radius` is 0"),
        (shape(r#"<cylinder radius="1" lenght="1"/>"#), "unknown attribute `lenght` of `<cylinder>`"),
        (shape(r#"<sphere radius="x"/>"#), "`radius`: `x`"),
        (shape("<mesh/>"), "the attribute `filename` of `<mesh>` is missing"),
        (shape(r#"<mesh filename="a.stl" scale="1"/>"#), "`scale` has 1 entries"),
        (shape("<cone/>"), "unknown element `<cone>` in `<geometry>`"),
        ("<visual/>".to_owned(), "`<geometry>` is missing"),
        (
            r#"<visual><geometry><sphere radius="1"/></geometry><material name="gren"/></visual>"#.to_owned(),
            "there is no material `gren`",
        ),
        (
            r#"<visual><geometry><sphere radius="1"/></geometry><material name="m"><color rgba="255 0 0 1"/></material></visual>"#
                .to_owned(),
            "`rgba` is 255",
        ),
    ] {
        let text = robot("<material name=\"green\"><color rgba=\"0 1 0 1\"/></material>", &visuals);
        let error = urdf::from_text("r.urdf", &text, None, &urdf::Options::default()).expect_err(told);
        let finding = error.findings().iter().find(|finding| finding.what().contains(told));
        assert_eq!(finding.map(|finding| finding.place.line), Some(5), "{told}: {error}");
        let lenient = urdf::Options { lenient: true, ..urdf::Options::default() };
        let read = urdf::from_text("r.urdf", &text, None, &lenient).unwrap_or_else(|error| panic!("{error}"));
        assert!(read.notes.iter().any(|note| note.what().contains(told)), "{told}");
        assert!(read.file.visuals.len() <= 2);
    }
}

fn loaded(scratch: &Scratch, file: &str, options: LoadOptions) -> Result<Loaded, String> {
    load(&scratch.path().join(file), &options).map_err(|error| error.to_string())
}

fn with_meshes(scratch: &Scratch) -> LoadOptions {
    LoadOptions { meshes: MeshFolders::at(scratch.path()).unwrap(), ..LoadOptions::default() }
}

#[test]
fn meshes_of_robots_are_read_below_named_folders_only() {
    let scratch = Scratch::new("robot");
    let mesh = |file: &str| {
        format!(r#"<visual><geometry><mesh filename="{file}" scale="0.001 0.001 0.002"/></geometry></visual>"#)
    };
    scratch.put("r/r.urdf", robot("", &(mesh("package://r/a.stl") + &mesh("a.stl"))));
    scratch.put("r/a.stl", stl_text());
    let bare = loaded(&scratch, "r/r.urdf", LoadOptions::default()).unwrap();
    assert_eq!(bare.visuals.len(), 1);
    let note = &bare.notes[0].full;
    assert!(note.contains("2 meshes are not read, the first is `package://r/a.stl`"), "{note}");
    assert!(note.contains("r.urdf:5:") && note.contains("--meshes FOLDER"), "{note}");
    let whole = loaded(&scratch, "r/r.urdf", with_meshes(&scratch)).unwrap();
    assert!(whole.notes.is_empty());
    let [_, a, b] = &whole.visuals[..] else { panic!("{}", whole.visuals.len()) };
    let (Shape::Mesh(a), Shape::Mesh(b)) = (&a.shape, &b.shape) else { panic!("no meshes") };
    assert!(std::sync::Arc::ptr_eq(a, b), "one file is read once");
    let far = |axis: usize| a.vertices.iter().map(|v| v[axis]).fold(0.0, f32::max);
    assert_eq!([far(0), far(1), far(2)], [0.001, 0.002, 0.006]);
    // A mesh that cannot be read is an error, and a note for who reads leniently.
    scratch.put("r/r.urdf", robot("", &mesh("gone.stl")));
    let error = loaded(&scratch, "r/r.urdf", with_meshes(&scratch)).map(|_| ()).unwrap_err();
    assert!(
        error.contains("link 'arm': the mesh `gone.stl`: there is no such file") && error.contains("r.urdf:5:"),
        "{error}"
    );
    let lenient = loaded(&scratch, "r/r.urdf", LoadOptions { lenient: true, ..with_meshes(&scratch) }).unwrap();
    assert!(lenient.notes[0].full.contains("there is no such file"));
}

/// A model of a beam and a load, whose tables get these lines.
fn model(head: &str, beam: &str, load: &str) -> String {
    format!(
        r#"format = "supple-model-1"
{head}
[[body]]
name = "boom"
hinge = {{ kind = "revolute", axis = [0, 1, 0] }}
[body.beam]
length = 2.0
pieces = 2
section = {{ tube = {{ outer_radius = 0.05, thickness = 0.005 }} }}
material = {{ E = 7e10, nu = 0.33, density = 2700 }}
modes = {{ bending_y = 1, bending_z = 1 }}
{beam}
[[body]]
name = "load"
parent = "boom"
at = "tip"
hinge = {{ kind = "fixed" }}
rigid = {{ mass = 1.5, inertia = [0.01, 0.01, 0.01] }}
{load}
"#
    )
}

#[test]
fn models_have_shapes_on_bodies_and_nodes() {
    let beam =
        "[[body.visual]]\nball = 0.1\n[[body.visual]]\nnode = \"tip\"\nposition = [0, 0, 0.2]\nbox = [0.1, 0.2, 0.3]\n";
    let load = "[[body.visual]]\ncylinder = { radius = 0.1, length = 0.4 }\ncolour = [1, 0.5, 0]\nrotation = { quaternion = [0, 0, 1, 0] }\n\
                [[body.visual]]\ncapsule = { radius = 0.1, length = 0.4 }\ncolour = [1, 0.5, 0, 0.25]\n\
                [[body.visual]]\nellipsoid = [1, 2, 3]\n";
    let read = model_file::from_text("m.toml", &model("", beam, load), None).unwrap_or_else(|error| panic!("{error}"));
    let [ball, side, cylinder, capsule, ellipsoid] = &read.visuals[..] else { panic!("{:?}", read.visuals) };
    // The beam is cut into two bodies: its frame is that of the first, its tip on the second.
    assert_eq!((ball.body, ball.node, &ball.shape), (0, None, &Shape::Ellipsoid { radii: [0.1; 3] }));
    let tip = read.system.bodies[1].nodes.iter().position(|node| node.name.as_deref() == Some("tip")).unwrap();
    let at = read.system.bodies[1].nodes[tip].position;
    assert_eq!((side.body, side.node, side.position), (1, Some(tip), [at[0], at[1], at[2] + 0.2]));
    assert_eq!(side.shape, Shape::Box { sides: [0.1, 0.2, 0.3] });
    assert_eq!((cylinder.body, cylinder.attitude), (2, [0.0, 0.0, 1.0, 0.0]));
    assert_eq!(cylinder.shape, Shape::Cylinder { radius: 0.1, length: 0.4 });
    assert_eq!(capsule.shape, Shape::Capsule { radius: 0.1, length: 0.4 });
    assert_eq!((cylinder.colour, capsule.colour), (Some([1.0, 0.5, 0.0, 1.0]), Some([1.0, 0.5, 0.0, 0.25])));
    assert_eq!((&ellipsoid.shape, ellipsoid.colour), (&Shape::Ellipsoid { radii: [1.0, 2.0, 3.0] }, None));
}

#[test]
fn lengths_of_shapes_have_the_units_of_the_file() {
    let text = r#"format = "supple-model-1"
units = { length = "mm" }
body = [{ name = "a", hinge = { kind = "fixed" }, rigid = { mass = 1 }, visual = [{ box = [100, 200, 300], position = [1, 0, 0] }, { capsule = { radius = 5, length = 10 } }] }]
"#;
    let read = model_file::from_text("m.toml", text, None).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read.visuals[0].shape, Shape::Box { sides: [0.1, 0.2, 0.3] });
    assert_eq!(read.visuals[0].position, [0.001, 0.0, 0.0]);
    assert_eq!(read.visuals[1].shape, Shape::Capsule { radius: 0.005, length: 0.01 });
}

#[test]
fn mistakes_in_shapes_of_models_have_their_line() {
    for (visual, line, told) in [
        ("ball = 0", 20, "`ball` is 0"),
        ("box = [1, 2]", 20, "`box` has 2 entries"),
        ("ball = 1\nbox = [1, 1, 1]", 20, "box, ball are given together"),
        ("colour = [1, 0, 0]", 20, "one of the keys is missing"),
        ("bal = 1", 20, "unknown key `bal`"),
        ("ball = 1\ncolour = [1, 0]", 21, "`colour` has 2 entries"),
        ("ball = 1\ncolour = [1, 0, 2]", 21, "`colour` is 2"),
        ("ball = 1\nnode = \"tpi\"", 21, "there is no node `tpi`"),
        ("ball = 1\nrotation = { quaternion = [1, 1, 0, 0] }", 21, "a quaternion of length"),
        ("cylinder = { radius = 1 }", 20, "the key `length` is missing"),
        ("mesh = { scale = 2 }", 20, "the key `file` is missing"),
    ] {
        let text = model("", "", &format!("[[body.visual]]\n{visual}"));
        let error = model_file::from_text("m.toml", &text, None).expect_err(told);
        let finding = error.findings().iter().find(|finding| finding.what().contains(told));
        let finding = finding.unwrap_or_else(|| panic!("{told}: {error}"));
        assert!((line - 1..=line).contains(&finding.place.line), "{told}: {error}");
        assert!(finding.expected().is_some() || finding.remedy().is_some(), "{error}");
    }
}

#[test]
fn meshes_of_models_are_read_below_named_folders_only() {
    let scratch = Scratch::new("model");
    let visual = "[[body.visual]]\nmesh = { file = \"parts/a.obj\", scale = 0.001 }\n\
                  [[body.visual]]\nmesh = { file = \"parts/a.obj\", scale = [1, 1, 2] }\ncolour = [0, 0, 1]\n";
    scratch.put("m.toml", model("", "", visual));
    scratch.put("parts/a.obj", "v 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 1 1 0 0\nf 1 2 3\n");
    let bare = loaded(&scratch, "m.toml", LoadOptions::default()).unwrap();
    assert!(bare.visuals.is_empty());
    let notes: Vec<&str> = bare.notes.iter().map(|note| note.full.as_str()).collect();
    let note = notes.iter().find(|note| note.contains("the mesh `parts/a.obj` is not read"));
    let note = note.unwrap_or_else(|| panic!("{notes:?}"));
    assert!(note.contains("m.toml:20:") && note.contains("--meshes FOLDER"), "{note}");
    let whole = loaded(&scratch, "m.toml", with_meshes(&scratch)).unwrap();
    let meshes: Vec<_> = whole
        .visuals
        .iter()
        .map(|visual| match &visual.shape {
            Shape::Mesh(mesh) => mesh.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!((meshes[0].vertices[2], meshes[1].vertices[2]), ([0.0, 0.001, 0.001], [0.0, 1.0, 2.0]));
    // The file's own colours, unless the model has another.
    assert_eq!((meshes[0].colours.len(), meshes[1].colours.len()), (3, 0));
    assert_eq!(whole.visuals[1].colour, Some([0.0, 0.0, 1.0, 1.0]));
    // A scenario reads its model with the same folders.
    let scenario = "format = \"supple-scenario-1\"\nmodel = \"m.toml\"\nduration = 1\noutput_interval = 0.1\n";
    scratch.put("s.toml", scenario);
    assert_eq!(loaded(&scratch, "s.toml", with_meshes(&scratch)).unwrap().visuals.len(), 2);
    std::fs::remove_file(scratch.path().join("parts/a.obj")).unwrap();
    let error = loaded(&scratch, "m.toml", with_meshes(&scratch)).map(|_| ()).unwrap_err();
    assert!(error.contains("the mesh `parts/a.obj`: there is no such file") && error.contains("m.toml:20:"), "{error}");
}
