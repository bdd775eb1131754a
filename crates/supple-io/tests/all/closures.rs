//! Closures in model files, side files and robots: read as written, and every mistake with its place.

use supple::{
    BodyIndex, Closure, ClosureKind, CoupledHinge, Inputs, Mount, NodeIndex, State, System, Workspace, forward_dynamics,
};
use supple_io::model_file::{self, WriteError};
use supple_io::source::{FileError, Finding, Rule};
use supple_io::urdf::{self, Options, Robot};

/// A four-bar linkage: crank and rocker on the ground, the coupler on the crank.
const BARS: &str = r#"format = "supple-model-1"
gravity = [0, 0, -9.81]

[[body]]
name = "crank"
hinge = { kind = "revolute", axis = [0, 1, 0] }
rigid = { mass = 0.2, mass_centre = [0, 0, 0.1], inertia = [1e-3, 1e-3, 1e-4] }

[[body]]
name = "coupler"
parent = "crank"
hinge = { name = "knee", kind = "revolute", axis = [0, 1, 0], position = [0, 0, 0.2] }
rigid = { mass = 0.5, mass_centre = [0.25, 0, 0.1], inertia = [1e-4, 1e-2, 1e-2] }
nodes = [{ name = "end", position = [0.5, 0, 0.2] }]

[[body]]
name = "rocker"
hinge = { kind = "revolute", axis = [0, 1, 0], position = [0.6, 0, 0] }
rigid = { mass = 0.4, mass_centre = [0, 0, 0.2], inertia = [5e-3, 5e-3, 1e-4] }
"#;

const PIN: &str = r#"
[[closure]]
name = "pin"
kind = "revolute"
axis = [0, 1, 0]
a = { body = "coupler", node = "end" }
b = { body = "rocker", position = [-0.1, 0, 0.4] }
"#;

fn read(closures: &str) -> Result<System, FileError> {
    model_file::from_text("bars.toml", &format!("{BARS}{closures}"), None).map(|file| file.system)
}

/// The one thing that is wrong.
#[track_caller]
fn the_one(closures: &str) -> Finding {
    let error = read(closures).expect_err("the text is broken");
    assert_eq!(error.findings().len(), 1, "{error}");
    error.findings()[0].clone()
}

/// What is wrong with the pin after a change, at the text given.
#[track_caller]
fn broken(part: &str, by: &str, at: &str, says: &str) {
    assert!(PIN.contains(part), "{part}");
    let closures = PIN.replacen(part, by, 1);
    let found = the_one(&closures);
    let line = BARS.lines().count() + closures.lines().position(|line| line.contains(at)).unwrap() + 1;
    let told = format!("{} | {:?} | {:?}", found.what(), found.expected(), found.remedy());
    assert_eq!(found.place.line, line, "{told}");
    assert!(told.contains(says), "{told}");
    assert!(found.expected().is_some() || found.remedy().is_some(), "{told}");
}

fn coupler() -> Mount {
    Mount::node(BodyIndex(1), NodeIndex(1))
}

fn rocker() -> Mount {
    Mount::node(BodyIndex(2), NodeIndex(0)).at([-0.1, 0.0, 0.4])
}

#[test]
fn a_four_bar_linkage() {
    let system = read(PIN).unwrap_or_else(|error| panic!("{error}"));
    let axis = [0.0, 1.0, 0.0];
    assert_eq!(system.closures, [Closure::joint(ClosureKind::Revolute { axis }, coupler(), rocker()).named("pin")]);
    // The end of the coupler, (0.5, 0.4) from the crank and (0.5, 0.2) from the knee, is that of the rocker, (-0.1, 0.4) from its hinge.
    let model = supple::Model::build(&system).unwrap();
    let (state, inputs, mut workspace) = (State::new(&model), Inputs::new(&model), Workspace::new(&model));
    let solution = forward_dynamics(&model, &state, &inputs, &mut workspace).unwrap();
    let [crank, knee, rocker] = solution.accelerations() else { panic!() };
    let (x, z) = (0.4 * crank + 0.2 * knee, -0.5 * crank - 0.5 * knee);
    assert!(
        (x - 0.4 * rocker).abs() < 1e-12 && (z - 0.1 * rocker).abs() < 1e-12 && crank.abs() > 1.0,
        "{crank} {knee} {rocker}"
    );
}

#[test]
fn every_kind() {
    let (axis, normal) = ([0.0, 1.0, 0.0], [0.0, 0.0, 2.0]);
    let axes = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
    for (told, kind) in [
        ("kind = \"weld\"", ClosureKind::Weld),
        ("kind = \"ball\"", ClosureKind::Ball),
        ("kind = \"prismatic\"\naxis = [0, 1, 0]", ClosureKind::Prismatic { axis }),
        ("kind = \"screw\"\naxis = [0, 1, 0]\npitch = 0.1", ClosureKind::Screw { axis, pitch: 0.1 }),
        ("kind = \"cylindrical\"\naxis = [0, 1, 0]", ClosureKind::Cylindrical { axis }),
        ("kind = \"universal\"\naxes = [[0, 1, 0], [1, 0, 0]]", ClosureKind::Universal { axes }),
        ("kind = \"planar\"\nnormal = [0, 0, 2]", ClosureKind::Planar { normal }),
        ("kind = \"point-on-line\"\naxis = [0, 1, 0]", ClosureKind::PointOnLine { axis }),
        ("kind = \"point-on-plane\"\nnormal = [0, 0, 2]", ClosureKind::PointOnPlane { normal }),
        ("kind = \"distance\"\nlength = 0.3", ClosureKind::Distance { length: 0.3 }),
    ] {
        let system = read(&PIN.replacen("kind = \"revolute\"\naxis = [0, 1, 0]", told, 1));
        let system = system.unwrap_or_else(|error| panic!("{told}: {error}"));
        assert_eq!(system.closures, [Closure::joint(kind, coupler(), rocker()).named("pin")]);
    }
    let hung = "a = { ground = [0.5, 0, 0.4], rotation = { rpy = [0, 0, 1.5] } }";
    let system = read(&PIN.replacen("a = { body = \"coupler\", node = \"end\" }", hung, 1)).unwrap();
    let supple::Constraint::Joint { a, .. } = &system.closures[0].constraint else { panic!() };
    assert_eq!((a.parent, a.position), (supple::Parent::Ground, [0.5, 0.0, 0.4]));
    assert!((a.rotation[1][0] - 1.5_f64.sin()).abs() < 1e-15);
    let geared = "[[closure]]\nkind = \"coupling\"\nhinges = [{ hinge = \"knee\" }, { hinge = \"crank\", factor = -2 }]\noffset = 0.5";
    let hinges = [(1, 1.0), (0, -2.0)].map(|(k, factor)| CoupledHinge { body: BodyIndex(k), speed: 0, factor });
    assert_eq!(read(geared).unwrap().closures, [Closure::coupling(hinges, 0.5)]);
}

#[test]
fn mistakes_have_their_places() {
    broken("kind = \"revolute\"", "kind = \"hinge\"", "kind = \"hinge\"", "universal");
    broken("axis = [0, 1, 0]\n", "", "kind", "`axis`");
    broken("axis = [0, 1, 0]", "axis = [0, 0, 0]", "axis", "no direction");
    broken("axis = [0, 1, 0]\n", "axis = [0, 1, 0]\npitch = 1\n", "pitch", "a closure of kind revolute has none");
    broken("body = \"rocker\"", "body = \"roker\"", "b =", "there is no body `roker`");
    broken("node = \"end\"", "node = \"tip\"", "a =", "there is no node `tip`");
    broken(", node = \"end\"", "", "a =", "end");
    broken("body = \"rocker\", ", "", "b =", "ground");
    broken("body = \"rocker\", position", "ground = [0, 0, 1], position", "b =", "`ground` is the origin");
    let stretched = "rotation = { matrix = [[1, 0, 0], [0, 2, 0], [0, 0, 1]] }, node = \"end\"";
    broken("node = \"end\"", stretched, "a =", "deviate from a rotation matrix");
    broken(
        "body = \"rocker\", position = [-0.1, 0, 0.4]",
        "body = \"coupler\", node = 0",
        "kind",
        "fixed to each other",
    );
    broken("kind = \"revolute\"\naxis = [0, 1, 0]", "kind = \"distance\"\nlength = 0", "length", "above zero");
    let found = the_one(&format!("{PIN}{PIN}"));
    let first = BARS.lines().count() + 3;
    assert!(matches!(found.rule, Rule::DuplicateName { kind: "closure", first_line, .. } if first_line == first));
    let coupling = |hinges: &str| the_one(&format!("[[closure]]\nkind = \"coupling\"\nhinges = [{hinges}]"));
    for (hinges, says) in [
        ("", "couples no hinge"),
        ("{ hinge = \"kne\" }", "there is no hinge `kne`"),
        ("{ hinge = \"knee\", factor = 0 }", "a factor is 0"),
        ("{ hinge = \"knee\", speed = 1 }", "coupler"),
        ("{ hinge = \"knee\" }, { hinge = \"coupler\" }", "twice"),
    ] {
        let found = coupling(hinges);
        assert_eq!(found.place.line, BARS.lines().count() + 3, "{hinges}: {}", found.what());
        assert!(found.what().contains(says), "{}", found.what());
    }
    let many = read(&"[[closure]]\nkind = \"weld\"\n".repeat(1001)).unwrap_err();
    assert!(many.to_string().contains("1001"), "{many}");
}

#[test]
fn what_no_file_can_hold_is_refused() {
    let mut system = read(PIN).unwrap();
    let hinge = |factor| CoupledHinge { body: BodyIndex(0), speed: 0, factor };
    system.closures = vec![Closure::coupling([hinge(f64::NAN)], 0.0)];
    assert!(matches!(model_file::write(&system), Err(WriteError::Closure { closure: 0, .. })));
    system.closures = vec![Closure::joint(ClosureKind::Ball, Mount::node(BodyIndex(7), NodeIndex(0)), rocker())];
    assert!(matches!(model_file::write(&system), Err(WriteError::Closure { closure: 0, .. })));
    // A hinge that could only be named by the name of its body, which another hinge has.
    system.closures = vec![Closure::coupling([hinge(1.0)], 0.0)];
    assert!(model_file::write(&system).is_ok());
    system.bodies[1].hinge.name = Some("crank".into());
    assert!(matches!(model_file::write(&system), Err(WriteError::Closure { closure: 0, .. })));
}

const GRIPPER: &str = r#"<robot name="gripper">
  <link name="palm"/>
  <link name="left"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="right"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="leader" type="continuous"><parent link="palm"/><child link="left"/><axis xyz="0 1 0"/></joint>
  <joint name="follower" type="continuous"><parent link="palm"/><child link="right"/><axis xyz="0 1 0"/>
    <mimic joint="leader" multiplier="-2" offset="0.1"/>
  </joint>
</robot>
"#;

fn robot(text: &str, side: Option<&str>, lenient: bool) -> Result<Robot, FileError> {
    let options = Options { lenient, ..Options::default() };
    urdf::from_text("gripper.urdf", text, side.map(|side| ("side.toml", side)), &options)
}

/// Bodies are palm, right (follower) and left (leader): children in the order of the names of their joints.
#[test]
fn a_joint_that_mimics_another_is_coupled_to_it() {
    let hinge = |k, factor| CoupledHinge { body: BodyIndex(k), speed: 0, factor };
    for lenient in [false, true] {
        let read = robot(GRIPPER, None, lenient).unwrap_or_else(|error| panic!("{error}"));
        let coupling = Closure::coupling([hinge(1, 1.0), hinge(2, 2.0)], 0.1).named("follower");
        assert_eq!(read.file.system.closures, [coupling]);
        assert!(read.notes.is_empty());
        let text = model_file::write(&read.file.system).unwrap();
        assert!(text.contains("hinges = [{ hinge = \"follower\" }, { hinge = \"leader\", factor = 2.0 }]"), "{text}");
        assert_eq!(model_file::from_text("x.toml", &text, None).unwrap().system, read.file.system);
    }
    // A multiplier of zero locks the joint.
    let locked = robot(&GRIPPER.replace("\"-2\"", "\"0\""), None, false).unwrap();
    assert_eq!(locked.file.system.closures, [Closure::coupling([hinge(1, 1.0)], 0.1).named("follower")]);
}

#[test]
fn a_joint_that_cannot_follow_is_told() {
    let fixed = GRIPPER.replacen("name=\"leader\" type=\"continuous\"", "name=\"leader\" type=\"fixed\"", 1);
    let error = robot(&fixed, None, false).unwrap_err();
    let found = &error.findings()[0];
    assert_eq!((found.place.line, found.subject.as_str()), (7, "joint 'follower'"), "{error}");
    assert!(found.what().contains("joint 'leader' of a `<mimic>` has 0 coordinates"), "{error}");
    let free = robot(&fixed, None, true).unwrap();
    assert!(free.file.system.closures.is_empty() && free.notes.len() == 1);
}

#[test]
fn side_files_close_loops_between_links() {
    let side = r#"format = "supple-flexible-1"
[[closure]]
kind = "distance"
length = 0.5
a = { body = "left", position = [0, 0, 0.5] }
b = { body = "palm", position = [0.3, 0, 0.1] }
"#;
    let read = robot(GRIPPER, Some(side), false).unwrap_or_else(|error| panic!("{error}"));
    let at = |k| Mount::node(BodyIndex(k), NodeIndex(0));
    let rod =
        Closure::joint(ClosureKind::Distance { length: 0.5 }, at(2).at([0.0, 0.0, 0.5]), at(0).at([0.3, 0.0, 0.1]));
    assert_eq!(read.file.system.closures[1..], [rod]);
    for (part, by, line, says) in [
        ("\"left\"", "\"lefft\"", 5, "there is no body `lefft`"),
        ("a = { body = \"left\"", "a = { body = \"palm\"", 3, "fixed to each other"),
        ("position = [0, 0, 0.5]", "rotation = { matrix = [[1, 0, 0], [0, 2, 0], [0, 0, 1]] }", 5, "rotation matrix"),
    ] {
        let error = robot(GRIPPER, Some(&side.replacen(part, by, 1)), false).unwrap_err();
        let found = &error.findings()[0];
        assert_eq!((found.place.file.as_str(), found.place.line), ("side.toml", line), "{error}");
        assert!(found.what().contains(says), "{error}");
    }
}
