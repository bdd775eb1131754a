//! Mistakes in MuJoCo's format: file, line, value, rule and remedy; no panic, no hang, whatever a file holds.

use std::path::PathBuf;

use supple_io::load::{LoadOptions, load};
use supple_io::mjcf::{self, Options, Robot};
use supple_io::source::FileError;
use supple_io::urdf::Root;

use crate::meshes::Scratch;

fn reference(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../references").join(name)
}

fn read(text: &str, options: &Options) -> Result<Robot, FileError> {
    mjcf::from_text("robot.xml", text, None, options)
}

/// A robot of one body with this content, behind these sections.
fn robot(sections: &str, body: &str) -> String {
    format!(
        "<mujoco model=\"r\">\n{sections}\n<worldbody>\n<body name=\"arm\">\n{body}\n</body>\n</worldbody>\n</mujoco>"
    )
}

/// The message of a text, where it has not what is expected.
fn unexpected(text: &str, expected: &str) -> Option<String> {
    let error = read(text, &Options::default()).map_or_else(|error| error.to_string(), |_| "it was read".into());
    (!error.contains(expected)).then(|| format!("{error}\nhas no `{expected}`"))
}

#[track_caller]
fn assert_error(text: &str, expected: &str) {
    assert_eq!(unexpected(text, expected), None);
}

#[track_caller]
fn assert_notes(text: &str, lenient: bool, expected: &str) -> Robot {
    let options = Options { lenient, ..Options::default() };
    let robot = read(text, &options).unwrap_or_else(|error| panic!("{error}"));
    let notes: Vec<String> = robot.notes.iter().map(ToString::to_string).collect();
    assert!(notes.iter().any(|note| note.contains(expected)), "{notes:#?}\nhave no `{expected}`");
    robot
}

const ARM: &str = "<joint name=\"j\"/><geom size=\"0.1\"/>";

#[test]
fn mistakes_are_named_with_their_line() {
    let mut wrong = Vec::new();
    for (sections, body, expected) in [
        ("", "<joint class=\"none\"/><geom size=\"1\"/>", "there is no default class `none`\n --> robot.xml:5:15"),
        ("", "<joint axis=\"0 nan 1\"/><geom size=\"1\"/>", "`axis`: `nan` is not a number\n --> robot.xml:5:14"),
        ("", "<joint axis=\"0 0 0\"/><geom size=\"1\"/>", "the axis has length zero\n --> robot.xml:5:14"),
        ("", "<joint axis=\"0 1\"/><geom size=\"1\"/>", "`axis` has 2 entries"),
        ("", "<joint type=\"screw\"/><geom size=\"1\"/>", "unknown value `screw`"),
        ("", "<joint/><geom size=\"-1\"/>", "geom of body 'arm': `size` is -1"),
        ("", "<joint/><geom type=\"box\" size=\"1 1\"/>", "`size` has 2 entries\n --> robot.xml:5:32"),
        (
            "",
            "<joint/><geom type=\"capsule\" fromto=\"1 1 1 1 1 1\" size=\"1\"/>",
            "the end points of `fromto` are the same",
        ),
        ("", "<joint/><geom size=\"1\" quat=\"0 0 0 0\"/>", "`quat` gives no orientation"),
        ("", "<joint/><geom size=\"1\" quat=\"1 0 0 0\" euler=\"0 0 0\"/>", "quat, euler are given together"),
        ("", "<joint name=\"j\"/><joint name=\"j\"/><geom size=\"1\"/>", "the joint name `j` is used twice"),
        ("", "<joint/>", "moves no mass"),
        ("", "<joint range=\"2 1\"/><geom size=\"1\"/>", "the lower end 2 of `range` is above the upper end 1"),
        (
            "<compiler autolimits=\"false\"/>",
            "<joint range=\"1 2\"/><geom size=\"1\"/>",
            "`range` is given without `limited`",
        ),
        ("<compiler eulerseq=\"xya\"/>", ARM, "the sequence `xya` names no three axes\n --> robot.xml:2:21"),
        ("<compiler coordinate=\"global\"/>", ARM, "unknown value `global`"),
        ("<compiler inertiafromgeom=\"false\"/>", ARM, "`<inertial>` is missing"),
        ("<compiler colour=\"red\"/>", ARM, "unknown attribute `colour` of `<compiler>`"),
        ("<engine/>", ARM, "unknown element `<engine>` in `<mujoco>`"),
        ("", "<joints/><joint/><geom size=\"1\"/>", "unknown element `<joints>` in `<body>`"),
        ("", "<joint/><inertial mass=\"1\" diaginertia=\"1 1 1\"/>", "the attribute `pos` of `<inertial>` is missing"),
        ("", "<joint/><inertial pos=\"0 0 0\" mass=\"-1\" diaginertia=\"1 1 1\"/>", "`mass` is -1"),
        ("", "<joint/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 3\"/>", "violate the triangle inequality"),
        ("", "<joint/><geom type=\"mesh\" mesh=\"m\"/>", "there is no mesh `m`"),
        ("<asset><mesh file=\"m.stl\"/></asset>", "<joint/><geom type=\"mesh\" mesh=\"m\"/>", "by `--meshes FOLDER`"),
        ("<asset><mesh name=\"m\" vertex=\"0 0 0 1 1 1\" face=\"0 1 2\"/></asset>", ARM, "`face` is 2"),
        ("", "<joint/><geom size=\"1\" material=\"m\"/>", "there is no material `m`"),
        ("", "<body><freejoint/><geom size=\"1\"/></body>", "a free joint in body 'body2'"),
        ("<equality><joint joint1=\"k\"/></equality>", ARM, "there is no joint `k`"),
        ("<equality><connect body1=\"hand\" anchor=\"0 0 0\"/></equality>", ARM, "there is no body `hand`"),
        ("<equality><weld site1=\"a\" site2=\"b\"/></equality>", ARM, "there is no site `a`"),
        ("<actuator><motor joint=\"k\"/></actuator>", ARM, "there is no joint `k`"),
        ("<default><default><joint/></default></default>", ARM, "the attribute `class` of `<default>` is missing"),
        ("<default class=\"a\"><default class=\"a\"/></default>", ARM, "the default class `a` is defined twice"),
        ("<include file=\"other.xml\"/>", ARM, "the text was not read from a folder"),
        ("<!DOCTYPE mujoco>", ARM, "a document type or entity declaration"),
    ] {
        wrong.extend(unexpected(&robot(sections, body), expected));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert_error("<mujoco/>", "`<worldbody>` is missing");
    assert_error("<mujoco><worldbody></mujoco>", "invalid XML");
    assert_error("<mujoco><worldbody><joint/></worldbody></mujoco>", "the world does not move");
    assert_error("<html/>", "one of robot, mujoco");
    let nested = |depth: usize| format!("{}{}", "<body>".repeat(depth), "</body>".repeat(depth));
    assert_error(&robot("", &nested(300)), "elements are nested too deep");
    assert!(read(&robot("", &nested(250)), &Options::default()).is_ok());
}

/// What would change the motion in silence is an error, and a note for a lenient reader.
#[test]
fn what_acts_and_cannot_be_converted_is_refused() {
    for (sections, body, expected) in [
        ("<option density=\"1.2\"/>", ARM, "`density`: forces of a fluid are not computed"),
        (
            "",
            "<joint type=\"ball\" stiffness=\"1\"/><geom size=\"1\"/>",
            "`stiffness`: a ball or free joint has no spring",
        ),
        ("", "<joint damping=\"1 0.1\"/><geom size=\"1\"/>", "`damping`: only the linear term is used"),
        ("", "<joint springdamper=\"1 1\"/><geom size=\"1\"/>", "`springdamper`"),
        ("", "<joint/><geom size=\"1\"/><body gravcomp=\"1\"><geom size=\"1\"/></body>", "`gravcomp`"),
        (
            "<tendon><fixed name=\"t\" stiffness=\"1\"><joint joint=\"j\" coef=\"1\"/></fixed></tendon>",
            ARM,
            "`stiffness`: tendons",
        ),
        (
            "<equality><joint joint1=\"j\" joint2=\"j\" polycoef=\"0 1 2\"/></equality>",
            ARM,
            "`polycoef`: couplings are linear",
        ),
        ("", "<joint/><geom size=\"1\"/><replicate count=\"2\"><body/></replicate>", "save it with `mj_saveLastXML`"),
    ] {
        assert_error(&robot(sections, body), expected);
        assert_notes(&robot(sections, body), true, expected);
    }
}

#[test]
fn what_is_left_out_is_noted() {
    let motors =
        "<actuator><position name=\"p\" joint=\"j\" forcerange=\"-3 3\"/><motor name=\"m\" joint=\"j\"/></actuator>";
    for (sections, body, expected) in [
        ("", ARM, "contact is not simulated: geoms pass through each other"),
        ("<sensor><jointpos joint=\"j\"/></sensor>", ARM, "`<sensor>`"),
        ("<keyframe><key qpos=\"1\"/></keyframe>", ARM, "`<keyframe>`"),
        ("<option timestep=\"0.002\"/>", ARM, "`timestep`"),
        (motors, ARM, "the law of `<position>` is not converted"),
        (motors, ARM, "the joint 'j' has another motor"),
        ("<equality><joint joint1=\"j\" active=\"false\"/></equality>", ARM, "the constraint is not active"),
        ("", "<joint type=\"ball\" range=\"0 1\"/><geom size=\"1\"/>", "the limit of a ball joint is not converted"),
        ("", "<joint ref=\"1\"/><geom size=\"1\"/>", "coordinates count from where the joint is drawn"),
        (
            "<asset><mesh file=\"m.stl\"/></asset>",
            "<geom type=\"mesh\" mesh=\"m\" mass=\"0\"/>",
            "the mesh `m.stl` is not read",
        ),
    ] {
        assert_notes(&robot(sections, body), false, expected);
    }
}

/// The gripper has included files, a coupling and motors; geoms for the eye hide the others.
#[test]
fn couplings_motors_and_looks_are_converted() {
    let read = mjcf::read(&reference("mjcf/gripper.xml"), None, &Options::default());
    let robot = read.unwrap_or_else(|error| panic!("{error}")).file;
    let names: Vec<&str> = robot.system.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["world", "palm", "left finger", "right finger"]);
    let [closure] = &robot.system.closures[..] else { panic!("{:?}", robot.system.closures) };
    assert_eq!((closure.name.as_deref(), closure.equations()), (Some("together"), 1));
    let motors: Vec<(&str, Option<f64>)> =
        robot.system.actuators.iter().map(|motor| (motor.name.as_str(), motor.effort_limit)).collect();
    assert_eq!(motors, [("lift motor", Some(50.0)), ("grip", Some(36.0))], "in order of the bodies");
    assert_eq!(robot.system.bodies[2].hinge.rotor_inertia, [0.1 + 9.0 * 0.002]);
    assert_eq!(robot.visuals.len(), 3);
    assert_eq!(robot.visuals[0].colour, Some([0.2, 0.2, 0.3, 1.0]));
    assert_eq!(robot.system.bodies[2].nodes[1].name.as_deref(), Some("left tip"));
}

/// A loop of four bodies closed at a point, a body welded to the world by its sites: drawn closed, both are closed here.
#[test]
fn equalities_close_loops_as_they_are_drawn() {
    let text = r#"<mujoco><compiler angle="radian"/><worldbody>
        <site name="wall" pos="0 1 0.3" euler="0 0 0.4"/>
        <body name="a"><joint axis="0 1 0"/><geom type="box" size=".1 .1 .1"/>
          <body name="b" pos="0 0 1" euler="0 0.3 0"><joint name="b" axis="0 1 0" pos="0.1 0 0"/><geom size="0.1"/></body></body>
        <body name="c" pos="1 0 0"><joint axis="0 1 0"/><geom size="0.1"/></body>
        <body name="d" pos="0 1 0.2" euler="0 0 0.4"><freejoint/><geom size="0.1"/><site name="top" pos="0 0 0.1"/></body>
      </worldbody>
      <equality>
        <connect name="loop" body1="b" body2="c" anchor="0.9 0 0.1"/>
        <weld name="sites" site1="top" site2="wall"/>
        <weld name="relative" body1="a" body2="b" relpose="0 0 1 0.98877107793604224 0 0.14943813247359922 0" anchor="0 0 0"/>
      </equality></mujoco>"#;
    let robot = read(text, &Options::default()).unwrap_or_else(|error| panic!("{error}")).file;
    let drawn = supple::State::new(&robot.model);
    let (inputs, mut workspace) = (supple::Inputs::new(&robot.model), supple::Workspace::new(&robot.model));
    let mut errors = vec![0.0; 3 + 6 + 6];
    let mut rates = errors.clone();
    supple::closure_deviations(&robot.model, &drawn, &inputs, &mut workspace, &mut errors, &mut rates).unwrap();
    assert!(errors.iter().all(|error| error.abs() < 1e-15), "{errors:?}");
}

#[test]
fn included_files_lie_below_the_folder_and_are_read_once() {
    let scratch = Scratch::new("mjcf-includes");
    let main = scratch.put("robot.xml", b"<mujoco><include file=\"parts/a.xml\"/><worldbody/></mujoco>");
    let put = |name: &str, text: &str| scratch.put(name, text.as_bytes());
    let error = |main: &PathBuf| mjcf::read(main, None, &Options::default()).map(|_| ()).unwrap_err().to_string();
    put("parts/a.xml", "<x>\n<include file=\"robot.xml\"/></x>");
    assert!(error(&main).contains("included a second time"), "{}", error(&main));
    put("parts/a.xml", "<x>\n<include file=\"parts/a.xml\"/></x>");
    assert!(error(&main).contains("parts/a.xml:2:16"), "{}", error(&main));
    put("parts/a.xml", "<x>\n<include file=\"../secret.xml\"/></x>");
    assert!(error(&main).contains("the path leaves the folder by `..`"), "{}", error(&main));
    put("parts/a.xml", "<x>\n  <option gravity=\"0 0\"/></x>");
    assert!(error(&main).contains("parts/a.xml:2:20"), "{}", error(&main));
    put("parts/a.xml", "<x><option gravity=\"0 0 -1\"/></x>");
    let robot = mjcf::read(&main, None, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(robot.file.system.gravity, [0.0, 0.0, -1.0]);
}

/// Files are told apart by their root, not by their ending.
#[test]
fn every_command_takes_the_format() {
    let scratch = Scratch::new("mjcf-kinds");
    let arm = robot("", ARM);
    let options = LoadOptions::default();
    for name in ["robot.xml", "robot.mjcf", "robot.urdf"] {
        let loaded = load(&scratch.put(name, arm.as_bytes()), &options).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((loaded.kind, loaded.model.speed_count()), ("robot", 1));
    }
    let urdf = std::fs::read(reference("urdf/arm.urdf")).unwrap();
    assert!(load(&scratch.put("arm.xml", &urdf), &options).is_ok());
    let free = load(&scratch.put("robot.xml", arm.as_bytes()), &LoadOptions { root: Root::Free, ..options });
    assert!(free.map(|_| ()).unwrap_err().to_string().contains("`<freejoint/>`"));
    let scenario = "format = \"supple-scenario-1\"\nmodel = \"robot.xml\"\nduration = 1.0\noutput_interval = 0.1\n";
    let scenario = scratch.put("run.toml", scenario.as_bytes());
    let loaded = load(&scenario, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.model.speed_count(), 1);
    let side = "format = \"supple-flexible-1\"\nroot = \"free\"\n";
    let error = mjcf::from_text("r.xml", &arm, Some(("side.toml", side)), &Options::default()).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("side.toml:2:8"), "{error}");
}

/// Damaged files: an answer, whatever it is.
#[test]
fn damaged_files_are_answered() {
    let mut seed = 7_u64;
    let mut next = |end: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % end
    };
    let pieces =
        ["", "<", "/>", "\"", "-", "0", "1e308", "1e-308", "nan", "<body>", "</body>", "<joint/>", "class=\"a\" ", " "];
    let mut sound: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(reference("mjcf")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "xml") {
            sound.push(std::fs::read_to_string(path).unwrap());
        }
    }
    sound.sort();
    assert!(sound.len() >= 9);
    let mut read_all_the_same = 0;
    for text in &sound {
        for _ in 0..25 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..1 + next(4) {
                let start = next(bytes.len());
                let end = (start + next(6)).min(bytes.len());
                bytes.splice(start..end, pieces[next(pieces.len())].bytes());
            }
            let Ok(text) = String::from_utf8(bytes) else { continue };
            match read(&text, &Options { lenient: next(2) == 0, ..Options::default() }) {
                Ok(_) => read_all_the_same += 1,
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
    assert!(read_all_the_same > 0);
}

/// Many elements without names, and many that ask for the same default: without end if the time grew with their product.
#[test]
fn large_files_take_no_longer_than_their_length_asks_for() {
    let bodies = "<body><geom class=\"a\"/></body>".repeat(20_000);
    let defaults =
        format!("<default><default class=\"a\">{}</default></default>", "<geom size=\"0.1\"/>".repeat(20_000));
    let text = format!("<mujoco>{defaults}<worldbody>{bodies}</worldbody></mujoco>");
    let robot = read(&text, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(robot.file.system.bodies.len(), 20_001);
}
