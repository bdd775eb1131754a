//! Beams of files: tip shapes by default, and beams that are cut into pieces.

use supple::{Inputs, Model, NodeIndex, Parent, State, Workspace, inverse_dynamics, kinematics};
use supple_io::model_file::{self, ModelFile};
use supple_io::urdf;

/// A strip of aluminium with 6.3 N m² in the x-y plane, 1 m long, and what else its beam says.
fn strip(beam: &str, rest: &str) -> String {
    format!(
        "format = \"supple-model-1\"\n[[body]]\nname = \"arm\"\nhinge = {{ kind = \"revolute\", axis = [0, 0, 1] }}\n[body.beam]\nlength = 1.0\n\
         section = {{ rectangle = {{ width = 0.003, height = 0.04 }} }}\nmaterial = {{ E = 7e10, nu = 0.33, density = 2700 }}\n{beam}\n{rest}"
    )
}

#[track_caller]
fn read(text: &str) -> ModelFile {
    model_file::from_text("x.toml", text, None).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn assert_refused(text: &str, says: &[&str]) {
    let error = model_file::from_text("x.toml", text, None).expect_err("it is refused").to_string();
    for says in says {
        assert!(error.contains(says), "`{says}` is missing in: {error}");
    }
}

/// A family has its tip shapes besides the modes that are counted; a basis of cantilever modes, or a support, has the modes alone.
#[test]
fn tip_shapes_are_the_default() {
    let count = |beam: &str| read(&strip(beam, "")).system.bodies[0].modes.count;
    assert_eq!(count("modes = { bending_y = 2 }"), 4);
    assert_eq!(count("modes = { basis = \"tip\", bending_y = 2, stretch = 1, twist = 2 }"), 4 + 2 + 3);
    assert_eq!(count("modes = { basis = \"cantilever\", bending_y = 2 }"), 2);
    assert_eq!(count("support = \"clamped-free\"\nmodes = { bending_y = 2 }"), 2);
    assert_eq!(count("support = \"clamped-free\"\nmodes = { basis = \"cantilever\", bending_y = 2 }"), 2);
    assert_eq!(count("modes = {}"), 0);
    assert_refused(
        &strip("support = \"pinned-free\"\nmodes = { basis = \"tip\", bending_y = 2 }", ""),
        &["`support` and `basis` of `modes` ask for different modes", "one of them"],
    );
    assert_refused(&strip("modes = { basis = \"free\", bending_y = 2 }", ""), &["tip", "cantilever"]);
    assert_refused(
        &strip("carried = { mass = 1 }\nmodes = { basis = \"cantilever\", bending_y = 2 }", ""),
        &["these modes do not include a load"],
    );
    read(&strip("carried = { mass = 1 }\nmodes = { bending_y = 2 }", ""));
}

/// The pieces of a beam have its mass, its tip and its stations; the last keeps its name, its hinge can be called by it, and bodies find
/// the nodes of all pieces.
#[test]
fn pieces_are_the_beam() {
    let rest = "[[body]]\nname = \"load\"\nparent = \"arm\"\nat = \"tip\"\nhinge = { kind = \"fixed\" }\nrigid = { mass = 1 }\n\
                [[body]]\nname = \"camera\"\nparent = \"arm\"\nat = \"mount\"\nhinge = { kind = \"fixed\" }\nrigid = { mass = 1 }\n\
                [[body]]\nname = \"motor\"\nparent = \"arm\"\nat = \"root\"\nhinge = { kind = \"fixed\" }\nrigid = { mass = 1 }\n";
    let beam = |pieces: usize| {
        format!(
            "start = [0.1, 0, 0]\ndirection = [0, 1, 0]\npieces = {pieces}\nmodes = {{ bending_y = 1 }}\ntip = {{ mass = 2 }}\n\
             stations = [{{ name = \"mount\", x = 0.3 }}]"
        )
    };
    let (whole, cut) = (read(&strip(&beam(1), rest)), read(&strip(&beam(4), rest)));
    let names: Vec<&str> = cut.system.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["arm piece 1", "arm piece 2", "arm piece 3", "arm", "load", "camera", "motor"]);
    assert_eq!(cut.system.bodies[0].hinge.name.as_deref(), Some("arm"));
    assert_eq!(cut.beams.iter().map(|beam| beam.body).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(cut.beams[1].piece_of.as_ref().map(|cut| (cut.body.as_str(), cut.pieces)), Some(("arm", 4)));
    let parent = |name: &str| match cut.system.bodies.iter().find(|body| body.name == name).unwrap().parent {
        Parent::Body(body, node) => (body.0, cut.system.bodies[body.0].nodes[node.0].name.clone().unwrap()),
        Parent::Ground => panic!("{name} is on the ground"),
    };
    assert_eq!(
        [parent("load"), parent("camera"), parent("motor")],
        [(3, "tip".to_owned()), (1, "mount".to_owned()), (0, "root".to_owned())]
    );
    let mass = |file: &ModelFile| -> f64 {
        file.system.bodies.iter().flat_map(|body| &body.nodes).map(|node| node.mass).sum()
    };
    assert!((mass(&whole) - mass(&cut)).abs() < 1e-12);
    for name in ["load", "camera", "motor"] {
        let [a, b] = [&whole, &cut].map(|file| place(&file.model, name));
        assert!((0..3).all(|i| (a[i] - b[i]).abs() < 1e-12), "{name}: {a:?} {b:?}");
    }
}

/// Where a body is, undeformed.
fn place(model: &Model, name: &str) -> [f64; 3] {
    let (state, mut workspace) = (State::new(model), Workspace::new(model));
    let kinematics = kinematics(model, &state, &mut workspace).unwrap();
    kinematics.node_position(model.body(name).unwrap(), NodeIndex(0)).0
}

#[test]
fn pieces_are_refused_where_they_cannot_be() {
    let beam = "pieces = 3\nmodes = { bending_y = 1 }";
    assert_refused(
        &strip("pieces = 0\nmodes = { bending_y = 1 }", ""),
        &["a beam has at least one piece", "1 or more"],
    );
    assert_refused(&strip("pieces = 1001\nmodes = { bending_y = 1 }", ""), &["from 0 to 1000"]);
    assert_refused(
        &strip("pieces = 3\nmodes = { basis = \"cantilever\", bending_y = 1 }", ""),
        &["the modes of a piece must support the moment that the next one exerts"],
    );
    let other = |name: &str, hinge: &str| {
        let hinge = format!("hinge = {{ kind = \"revolute\", axis = [0, 0, 1]{hinge} }}");
        format!("[[body]]\nname = \"{name}\"\n{hinge}\nrigid = {{ mass = 1, inertia = [1, 1, 1] }}\n")
    };
    assert_refused(&strip(beam, &other("arm piece 2", "")), &["arm piece 2"]);
    assert_refused(&strip(beam, &other("other", ", name = \"arm\"")), &["hinge", "arm"]);
    assert_refused(
        &strip(
            beam,
            "[[body]]\nname = \"b\"\nparent = \"arm\"\nat = \"end\"\nhinge = { kind = \"fixed\" }\nrigid = { mass = 1 }\n",
        ),
        &["end", "tip"],
    );
    let robot = r#"<robot name="r"><link name="base"/><link name="rod"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="j" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint></robot>"#;
    let side = "format = \"supple-flexible-1\"\n[[flexible]]\nlink = \"rod\"\n[flexible.beam]\nlength = 1\npieces = 2\n\
                section = { rectangle = { width = 0.003, height = 0.04 } }\nmaterial = { E = 7e10, nu = 0.33, density = 2700 }\nmodes = { bending_y = 1 }\n";
    let refused = urdf::from_text("r.urdf", robot, Some(("side.toml", side)), &urdf::Options::default());
    let error = refused.expect_err("a link is one body").to_string();
    assert!(error.contains("side.toml:6") && error.contains("a link of a robot is one body"), "{error}");
}

/// A cantilever at P L² / EI = 3 drops by 0.60325 of its length and shortens by 0.25442 (elliptic integrals; Mattiasson, Int. J. Numer.
/// Methods Eng. 17, 1981): within 0.2 % in eight pieces with the least modes. One piece is far off.
#[test]
fn pieces_bend_like_the_elastica() {
    let force = "[[force]]\nkind = \"constant\"\nat = { body = \"arm\", node = \"tip\" }\nforce = [0, -18.9, 0]\n";
    let bent = |pieces: usize| {
        let text = strip(&format!("pieces = {pieces}\nmodes = {{ bending_y = 1 }}"), force)
            .replace("kind = \"revolute\", axis = [0, 0, 1]", "kind = \"fixed\"");
        let tip = equilibrium(&read(&text).model);
        [-tip[1] / 0.60325 - 1.0, (1.0 - tip[0]) / 0.25442 - 1.0]
    };
    let (one, eight) = (bent(1), bent(8));
    println!("drop and shortening off by {one:?} in one piece, {eight:?} in eight");
    assert!(eight.iter().all(|error| error.abs() < 2e-3), "{eight:?}");
    assert!(one.iter().any(|error| error.abs() > 2e-2), "{one:?}");
}

/// Where the tip of the body `arm` comes to rest: Newton's method on the forces that hold it, with slopes by differences.
fn equilibrium(model: &Model) -> [f64; 3] {
    let n = model.coordinate_count();
    let mut workspace = Workspace::new(model);
    let inputs = Inputs::new(model);
    let mut at = |q: &[f64]| -> Vec<f64> {
        let mut state = State::new(model);
        state.coordinates.copy_from_slice(q);
        state.turn_nodes(model);
        inverse_dynamics(model, &state, &inputs, &mut workspace).unwrap().forces().to_vec()
    };
    let mut q = vec![0.0; n];
    let size: f64 = at(&q).iter().map(|a| a * a).sum::<f64>().sqrt();
    for _ in 0..200 {
        let rest = at(&q);
        if rest.iter().map(|a| a * a).sum::<f64>().sqrt() < 1e-9 * size {
            break;
        }
        let step = 1e-6;
        let columns: Vec<Vec<f64>> = (0..n)
            .map(|j| {
                let moved =
                    |by: f64| q.iter().enumerate().map(|(i, x)| if i == j { x + by } else { *x }).collect::<Vec<_>>();
                let (up, down) = (at(&moved(step)), at(&moved(-step)));
                up.iter().zip(&down).map(|(a, b)| (a - b) / (2.0 * step)).collect()
            })
            .collect();
        let change = solve((0..n).map(|i| (0..n).map(|j| columns[j][i]).collect()).collect(), rest);
        // Short steps far away: the tip moves by no more than a few centimetres at a time.
        let longest = change.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let part = (0.02 / longest).min(1.0);
        q.iter_mut().zip(&change).for_each(|(q, dq)| *q -= part * dq);
    }
    let mut state = State::new(model);
    state.coordinates.copy_from_slice(&q);
    state.turn_nodes(model);
    let tip = model.node("arm", "tip").unwrap();
    let mut workspace = Workspace::new(model);
    kinematics(model, &state, &mut workspace).unwrap().node_position(tip.body(), tip.node()).0
}

/// Elimination with partial pivoting.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| a[i][j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}
