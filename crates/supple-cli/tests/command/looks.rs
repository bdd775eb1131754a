//! Models and robots without a run: `supple picture` and `supple view` of a file, and shapes and meshes in them.

use crate::run_support::{Folder, repository, run, runs, signal, supple};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

const MODEL: &str = r#"
format = "supple-model-1"
name = "mast"
gravity = [0, 0, -9.81]

[[body]]
name = "mast"
hinge = { name = "foot", kind = "revolute", axis = [0, 1, 0], spring = 200 }
[body.beam]
length = 2
direction = [0, 0, 1]
section = { tube = { outer_radius = 0.05, thickness = 0.005 } }
material = { E = 7e10, nu = 0.3, density = 2700 }
modes = { bending_y = 1, bending_z = 1 }

[[body]]
name = "lamp"
parent = "mast"
at = "tip"
hinge = { name = "neck", kind = "revolute", axis = [0, 1, 0] }
rigid = { mass = 2, inertia = [0.1, 0.1, 0.1] }
[[body.visual]]
box = [0.5, 0.3, 0.2]
colour = [0.9, 0.1, 0.1]
[[body.visual]]
mesh = { file = "bulb.stl", scale = 0.001 }
"#;

/// A tetrahedron of 200 mm.
const BULB: &str = "solid bulb
facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 200 0\nvertex 200 0 0\nendloop\nendfacet
facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 200 0 0\nvertex 0 0 200\nendloop\nendfacet
facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 200\nvertex 0 200 0\nendloop\nendfacet
facet normal 0 0 0\nouter loop\nvertex 200 0 0\nvertex 0 200 0\nvertex 0 0 200\nendloop\nendfacet
endsolid bulb\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("mast.toml", MODEL);
    fs::create_dir(folder.path("cad")).unwrap();
    folder.write("cad/bulb.stl", BULB);
    fs::copy(repository("examples/ur10/ur10.urdf"), folder.path("ur10.urdf")).unwrap();
    folder
}

/// How many faces of a class have much blue in their colour.
fn bluish(svg: &str, class: &str) -> usize {
    let start = format!("<polygon class=\"frame-0 {class}\" fill=\"#");
    let faces = svg.split(&start).skip(1);
    faces.filter(|rest| u8::from_str_radix(&rest[4..6], 16).unwrap() > 100).count()
}

/// How often a class is painted.
fn painted(svg: &str, class: &str) -> usize {
    svg.matches(&format!("class=\"frame-0 {class}\"")).count()
}

/// What the command says to a mistake, and its status.
fn refused(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(folder, arguments);
    assert!(output.stdout.is_empty(), "{arguments:?}");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn models_and_robots_are_drawn_without_a_run() {
    let folder = folder();
    let told = runs(&folder, &["picture", "mast.toml", "-o", "mast.svg", "--view", "y"]);
    assert_eq!(told.trim(), "mast.svg");
    let svg = folder.text("mast.svg");
    assert!(painted(&svg, "body-0") > 40 && painted(&svg, "body-1") > 10, "beam and lamp");
    assert!(!svg.contains("t = 0 s"), "a pose has no time");
    // The box is red; the bulb, which is only read where its folder is named, has the colour of a body without one.
    let whole = runs(&folder, &["picture", "mast.toml", "-o", "-", "--format", "svg", "--meshes", "cad"]);
    assert_eq!((bluish(&svg, "body-1"), bluish(&whole, "body-1")), (0, 4));
    // Another pose, another picture; a bent one too.
    for at in ["foot=0.5", "mode.mast.1=0.1", "neck=-1"] {
        let other = runs(&folder, &["picture", "mast.toml", "-o", "-", "--format", "svg", "--view", "y", "--at", at]);
        assert_ne!(other, svg, "{at}");
    }
    runs(&folder, &["picture", "ur10.urdf", "-o", "robot.png", "--at", "elbow_joint=1.5,shoulder_lift_joint=-1"]);
    let png = fs::read(folder.path("robot.png")).unwrap();
    assert_eq!(png[1..4], *b"PNG");
    let listed = runs(&folder, &["picture", "ur10.urdf"]);
    assert!(listed.contains("8 bodies") && listed.contains("-o picture.svg"), "{listed}");
}

#[test]
fn mistakes_have_a_place_and_a_remedy() {
    let folder = folder();
    let broken = MODEL.replace("colour = [0.9, 0.1, 0.1]", "colour = [9, 0.1, 0.1]");
    folder.write("broken.toml", broken);
    folder.write("words.toml", "hello = \n");
    folder.write("study.toml", "format = \"supple-study-1\"\n");
    let cases: [(&[&str], i32, &[&str]); 9] = [
        (&["picture", "mast.toml", "--frame", "1", "-o", "a.svg"], 2, &["--frame needs the results folder of a run"]),
        (&["picture", "mast.toml", "--plot", "energy", "-o", "a.svg"], 2, &["--plot needs the results folder"]),
        (&["picture", "mast.toml", "--at", "fot=1", "-o", "a.svg"], 2, &["fot", "did you mean 'foot'?"]),
        (&["picture", "broken.toml", "-o", "a.svg"], 1, &["broken.toml:", "colour", "numbers from 0 to 1"]),
        (&["picture", "words.toml", "-o", "a.svg"], 1, &["words.toml:1:"]),
        (&["picture", "study.toml", "-o", "a.svg"], 2, &["this is a study"]),
        (&["picture", "mast.toml", "--meshes", "nowhere", "-o", "a.svg"], 2, &["there is no folder `nowhere`"]),
        (&["view", "mast.toml", "-o", "out"], 2, &["--output, --force and --foxglove are for scenarios"]),
        (&["view", "broken.toml"], 1, &["broken.toml:", "colour"]),
    ];
    for (arguments, status, told) in cases {
        let (found, error) = refused(&folder, arguments);
        assert_eq!(found, Some(status), "{arguments:?}: {error}");
        for words in told {
            assert!(error.contains(words), "{arguments:?}: {words}: {error}");
        }
    }
    fs::remove_file(folder.path("cad/bulb.stl")).unwrap();
    let (status, error) = refused(&folder, &["picture", "mast.toml", "--meshes", "cad", "-o", "a.svg"]);
    assert_eq!(status, Some(1));
    assert!(error.contains("mast.toml:26:") && error.contains("bulb.stl") && error.contains("--meshes"), "{error}");
    assert!(!folder.path("a.svg").exists());
}

#[test]
fn a_model_is_viewed_without_a_run() {
    let folder = folder();
    let arguments = ["view", "mast.toml", "--port", "0", "--at", "foot=0.25", "--meshes", "cad"];
    let mut child = supple(&folder, &arguments).spawn().unwrap();
    let first = BufReader::new(child.stdout.take().unwrap()).lines().next().unwrap().unwrap();
    let address = first.split("http://").nth(1).unwrap_or_else(|| panic!("{first}")).trim_end_matches('/').to_owned();
    let mut stream = TcpStream::connect(&address).unwrap();
    stream.write_all(format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.contains("supple view mast.toml --meshes") && page.contains("--at foot=0.25"), "the command");
    if supple_report::page::IS_COMPLETE {
        assert!(page.contains("\"kind\":\"model\"") && page.contains("\"file\":\"bulb.stl\""), "its data");
        // The spring of the foot lets the mast swing; the neck is locked.
        assert!(page.contains("\"modes\":[{\"frequency\":"), "system modes");
    }
    signal(child.id(), "INT");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(!folder.path("results").exists(), "nothing was run");
}
