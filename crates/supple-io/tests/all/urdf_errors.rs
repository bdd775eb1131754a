//! Every defect of a robot description has its own error, with file, line, link or joint, rule, value and remedy.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use supple::{HingeKind, Problem};
use supple_io::source::{FileError, Finding, NumberFault, Rule};
use supple_io::urdf::{self, Options, Robot, Root};

const SOUND: &str = r#"<robot name="two">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.5" rpy="0 0 0"/>
      <mass value="2"/>
      <inertia ixx="0.2" iyy="0.2" izz="0.1" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="lower">
    <inertial>
      <mass value="1"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 1" rpy="0 0 0"/>
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
  <joint name="elbow" type="continuous">
    <origin xyz="0 0 1"/>
    <parent link="upper"/>
    <child link="lower"/>
    <axis xyz="0 1 0"/>
  </joint>
</robot>
"#;

fn read(text: &str) -> Result<Robot, FileError> {
    urdf::from_text("two.urdf", text, None, &Options::default())
}

fn lenient(text: &str) -> Result<Robot, FileError> {
    urdf::from_text("two.urdf", text, None, &Options { lenient: true, ..Options::default() })
}

#[track_caller]
fn the_one(part: &str, by: &str) -> Finding {
    assert!(SOUND.contains(part), "{part}");
    let error = read(&SOUND.replacen(part, by, 1)).expect_err("the text is broken");
    assert_eq!(error.findings().len(), 1, "{error}");
    error.findings()[0].clone()
}

#[test]
fn the_sound_one_is_read() {
    for text in [SOUND.to_owned(), SOUND.replace('\n', "\r\n"), format!("<?xml version=\"1.0\"?>\n{SOUND}")] {
        let robot = read(&text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(robot.file.model.speed_count(), 2);
        assert!(robot.notes.is_empty());
        let shoulder = &robot.file.system.forces;
        let [damping, friction, stops] = std::array::from_fn(|i| shoulder[i].as_law().parameters());
        assert_eq!((damping[0], friction[0], stops[1]), (0.1, 0.2, 1.0));
    }
    // A root that floats needs mass of its own: otherwise it can turn about the shoulder and nothing moves.
    let float =
        |text: &str| urdf::from_text("two.urdf", text, None, &Options { root: Root::Free, ..Options::default() });
    let error = float(SOUND).unwrap_err();
    assert!(matches!(error.findings()[0].rule, Rule::Model(Problem::MasslessHinge { .. })), "{error}");
    let mass = &SOUND[SOUND.find("<inertial>").unwrap()..SOUND.find("</inertial>").unwrap() + 11];
    let floating = float(&SOUND.replace("<link name=\"base\"/>", &format!("<link name=\"base\">{mass}</link>")));
    assert_eq!(floating.unwrap().file.model.speed_count(), 8);
}

#[test]
fn a_message_names_everything() {
    let error = read(&SOUND.replace(
        "izz=\"0.1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>\n    </inertial>\n  </link>\n  <link",
        "izz=\"0.9\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>\n    </inertial>\n  </link>\n  <link",
    ))
    .unwrap_err();
    let told = error.to_string();
    println!("{told}");
    for part in ["link 'upper'", "two.urdf:4:5", "triangle inequality", "9e-1", "<inertial>", "^^^^^^^^^", "help: "] {
        assert!(told.contains(part), "{part} is missing in\n{told}");
    }
}

/// All that is told, for defects that come with others.
#[track_caller]
fn rules(text: &str) -> Vec<(usize, String, Rule)> {
    let error = read(text).expect_err("the text is broken");
    error.findings().iter().map(|f| (f.place.line, f.subject.clone(), f.rule.clone())).collect()
}

#[test]
fn trees_that_are_none() {
    let has = |text: &str, kind: fn(&Rule) -> bool| {
        let found = rules(text);
        assert!(found.iter().any(|(_, _, rule)| kind(rule)), "{found:#?}");
    };
    has(&SOUND.replace("<link name=\"lower\">", "<link name=\"upper\">"), |r| {
        matches!(r, Rule::DuplicateName { kind: "link", first_line: 3, .. })
    });
    has(&SOUND.replace("name=\"elbow\"", "name=\"shoulder\""), |r| {
        matches!(r, Rule::DuplicateName { kind: "joint", first_line: 16, .. })
    });
    has(&SOUND.replace("<parent link=\"upper\"/>", "<parent link=\"uper\"/>"), |r| {
        matches!(r, Rule::UnknownName { kind: "link", .. })
    });
    has(&SOUND.replace("<child link=\"lower\"/>", ""), |r| matches!(r, Rule::MissingElement { element: "child", .. }));
    has(&SOUND.replace("<child link=\"lower\"/>", "<child/>"), |r| {
        matches!(r, Rule::MissingAttribute { attribute: "link", .. })
    });
    has(&SOUND.replace("<child link=\"lower\"/>", "<child link=\"upper\"/>"), |r| matches!(r, Rule::SelfLoop { .. }));
    has(
        &SOUND.replace(
            "<parent link=\"upper\"/>\n    <child link=\"lower\"/>",
            "<parent link=\"base\"/>\n    <child link=\"upper\"/>",
        ),
        |r| matches!(r, Rule::TwoParents { .. }),
    );
    has(
        &SOUND.replace("<parent link=\"base\"/>", "<parent link=\"lower\"/>"),
        |r| matches!(r, Rule::Cycle { kind: "links", names } if names.len() == 2),
    );
    has(
        &SOUND.replace("</robot>", "<link name=\"stray\"/></robot>"),
        |r| matches!(r, Rule::SeveralRoots { roots } if roots.len() == 2),
    );
    has("<robot name=\"x\"></robot>", |r| matches!(r, Rule::MissingElement { element: "link", .. }));
    has("<robot><link name=\"a\"/></robot>", |r| matches!(r, Rule::MissingAttribute { attribute: "name", .. }));
    has("<model/>", |r| matches!(r, Rule::UnknownElement { .. }));
    has(&SOUND.replace("type=\"continuous\"", "type=\"continous\""), |r| matches!(r, Rule::UnknownWord { .. }));
    has(&SOUND.replace("name=\"lower\">", "name=\"\">"), |r| matches!(r, Rule::EmptyName { .. }));
    let follows = |joint: &str| format!("<mimic joint=\"{joint}\"/>\n  </joint>\n  <joint name=\"elbow\"");
    has(&SOUND.replacen("</joint>\n  <joint name=\"elbow\"", &follows("wrist"), 1), |r| {
        matches!(r, Rule::UnknownName { kind: "joint", .. })
    });
    has(&SOUND.replacen("</joint>\n  <joint name=\"elbow\"", &follows("shoulder"), 1), |r| {
        matches!(r, Rule::Cycle { kind: "mimic joints", .. })
    });
}

#[test]
fn masses_and_axes() {
    let found = the_one("<mass value=\"2\"/>", "<mass value=\"-2\"/>");
    assert!(matches!(found.rule, Rule::Mass { mass } if mass == -2.0) && found.subject == "link 'upper'");
    let found = the_one("<mass value=\"2\"/>\n", "");
    assert!(matches!(found.rule, Rule::MissingElement { element: "mass", .. }));
    let found = the_one("ixx=\"0.2\"", "ixx=\"-0.2\"");
    assert!(matches!(found.rule, Rule::NegativeMoment { moment } if (moment + 0.2).abs() < 1e-12), "{found:?}");
    let found = the_one("ixx=\"0.2\"", "ixx=\"0.4\"");
    assert!(matches!(found.rule, Rule::Triangle { .. }) && found.place.line == 4, "{found:?}");
    let found = the_one("<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 0 0\"/>");
    assert!(matches!(found.rule, Rule::ZeroAxis) && found.place.line == 20, "{found:?}");
    assert_eq!(found.subject, "joint 'shoulder' of link 'upper'");
    // A tip without mass on a moving joint: the engine's rank test.
    let tail = SOUND.find("  <link name=\"lower\">").unwrap();
    let end = SOUND.find("  <joint name=\"shoulder\"").unwrap();
    let bare = format!("{}  <link name=\"lower\"/>\n{}", &SOUND[..tail], &SOUND[end..]);
    let error = read(&bare).unwrap_err();
    let found = &error.findings()[0];
    assert!(matches!(&found.rule, Rule::Model(Problem::MasslessHinge { body, .. }) if body == "lower"), "{found:?}");
    assert_eq!(found.subject, "joint 'elbow' of link 'lower'");
    assert!(lenient(&bare).is_err(), "no mass is no mass");
    // The same link in the middle of the arm is no obstacle, and is named in a note.
    let middle = SOUND.replacen(
        "<mass value=\"2\"/>\n      <inertia ixx=\"0.2\" iyy=\"0.2\" izz=\"0.1\"",
        "<mass value=\"0\"/>\n      <inertia ixx=\"0\" iyy=\"0\" izz=\"0\"",
        1,
    );
    let robot = read(&middle).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(robot.notes[0].rule, Rule::Mass { mass: 0.0 }) && robot.notes[0].subject == "link 'upper'");
}

/// Numbers in every numeric attribute of the sound robot.
#[test]
fn numbers() {
    let attributes = [
        "xyz", "rpy", "value", "ixx", "iyy", "izz", "ixy", "ixz", "iyz", "lower", "upper", "effort", "velocity",
        "damping", "friction",
    ];
    let mut tried = 0;
    for attribute in attributes {
        let start = SOUND.find(&format!(" {attribute}=\"")).unwrap() + attribute.len() + 3;
        let end = start + SOUND[start..].find('"').unwrap();
        for (bad, fault) in [
            ("nan", NumberFault::NotANumber),
            ("inf", NumberFault::Infinite),
            ("-inf", NumberFault::Infinite),
            ("1e400", NumberFault::Overflow),
            ("1e-400", NumberFault::Underflow),
            ("0x1p3", NumberFault::NotDecimal),
            ("1,5", NumberFault::NotDecimal),
            ("1.0abc", NumberFault::NotDecimal),
        ] {
            let value = if ["xyz", "rpy"].contains(&attribute) { format!("0 {bad} 0") } else { bad.to_owned() };
            let text = format!("{}{value}{}", &SOUND[..start], &SOUND[end..]);
            let found = rules(&text);
            let told = found.iter().any(|(_, subject, rule)| {
                matches!(rule, Rule::Number { quantity, fault: f, .. } if quantity == attribute && *f == fault)
                    && !subject.is_empty()
            });
            assert!(told, "{attribute} = {bad}: {found:?}");
            tried += 1;
        }
        let empty = format!("{}{}", &SOUND[..start], &SOUND[end..]);
        assert!(read(&empty).is_err(), "{attribute} empty");
        let long = format!("{}{}{}", &SOUND[..start], "1".repeat(10_000), &SOUND[end..]);
        assert!(read(&long).is_err(), "{attribute} long");
    }
    println!("{tried} numbers refused");
    assert!(read(&SOUND.replace("damping=\"0.1\"", "damping=\"5e-324\"")).is_ok());
    assert!(matches!(the_one("xyz=\"0 0 0.5\"", "xyz=\"0 0\"").rule, Rule::Length { found: 2, .. }));
    assert!(matches!(the_one("damping=\"0.1\"", "damping=\"-1\"").rule, Rule::Range { .. }));
    assert!(matches!(the_one("lower=\"-1\"", "lower=\"2\"").rule, Rule::Mismatch { .. }));
}

#[test]
fn strict_and_lenient() {
    for (part, by, kind) in [
        ("<dynamics damping=\"0.1\"", "<dynamics K=\"7\" damping=\"0.1\"", "attribute"),
        ("<mass value=\"2\"/>", "<mass value=\"2\"/><density value=\"3\"/>", "element"),
        ("<link name=\"base\"/>", "<link name=\"base\"><mass value=\"3\"/></link>", "misplaced mass"),
        ("<limit lower=\"-1\" upper=\"1\" effort=\"10\" velocity=\"2\"/>", "", "limits"),
        ("lower=\"-1\" upper=\"1\"", "lower=\"1\" upper=\"-1\"", "inverted limits"),
        ("name=\"two\"", "", "name"),
    ] {
        let text = SOUND.replacen(part, by, 1);
        assert!(read(&text).is_err(), "{kind}");
        let robot = lenient(&text).unwrap_or_else(|error| panic!("{kind}: {error}"));
        assert_eq!(robot.notes.len(), 1, "{kind}");
    }
    let other =
        SOUND.replace("</robot>", "<gazebo reference=\"x\"><mass>3</mass></gazebo><x:y xmlns:x=\"urn:x\"/></robot>");
    assert!(read(&other).unwrap().notes.is_empty());
    let finding = the_one("<dynamics damping=", "<dynamics dampin=");
    assert!(finding.to_string().contains("did you mean `damping`?"), "{finding}");
}

#[test]
fn every_kind_of_joint() {
    let kind = |word: &str| {
        let text = SOUND.replace("type=\"continuous\"", &format!("type=\"{word}\""));
        let robot = lenient(&text).unwrap_or_else(|error| panic!("{error}"));
        robot.file.system.bodies[2].hinge.kind.clone()
    };
    let axis = [0.0, 1.0, 0.0];
    assert_eq!(kind("fixed"), HingeKind::Fixed);
    assert_eq!(kind("revolute"), HingeKind::Revolute { axis });
    assert_eq!(kind("continuous"), HingeKind::Revolute { axis });
    assert_eq!(kind("prismatic"), HingeKind::Prismatic { axis });
    assert_eq!(kind("planar"), HingeKind::Planar { normal: axis });
    assert_eq!(kind("floating"), HingeKind::Free);
    let planar = SOUND.replace("type=\"revolute\"", "type=\"planar\"");
    let found = rules(&planar);
    assert!(found.len() == 2 && found.iter().all(|(_, _, rule)| matches!(rule, Rule::Useless { .. })), "{found:?}");
}

/// An impossible inertia on a fixed joint counts to the link that carries it: the motion is the same.
#[test]
fn a_fixed_link_hands_its_inertia_inboard() {
    let fixed = SOUND.replace("type=\"continuous\"", "type=\"fixed\"");
    let broken = fixed.replace("ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\"", "ixx=\"0.01\" iyy=\"0.01\" izz=\"0.03\"");
    assert!(matches!(read(&broken).unwrap_err().findings()[0].rule, Rule::Triangle { .. }));
    let robot = lenient(&broken).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(robot.notes[0].rule, Rule::Triangle { .. }));
    let upper = robot.file.system.bodies.iter().find(|body| body.name == "upper").unwrap();
    assert_eq!(upper.nodes[0].mass, 3.0);
    // 0.2 + 2 · 0.5² at the joint, and 0.01 + 1 · 1² of the other link.
    assert!((upper.nodes[0].inertia[1][1] - (0.2 + 0.5 + 0.01 + 1.0)).abs() < 1e-15);
    assert!((upper.nodes[0].mass_centre[2] - 2.0 / 3.0).abs() < 1e-15);
}

#[test]
fn texts() {
    let rule = |text: &str| read(text).unwrap_err().findings()[0].rule.clone();
    assert_eq!(rule(""), Rule::Empty);
    assert!(matches!(rule("\u{feff}<robot/>"), Rule::MissingAttribute { .. }));
    assert!(matches!(rule("<robot name='x'>"), Rule::Syntax { language: "XML", .. }));
    assert!(matches!(rule("robot"), Rule::Syntax { .. }));
    assert!(matches!(rule("<robot name='x' name='y'/>"), Rule::Syntax { .. }));
    assert!(matches!(rule("<robot name='&lol;'/>"), Rule::Syntax { .. }));
    let error = read("<robot name='x'>\n  <link nam></link>\n</robot>").unwrap_err();
    assert_eq!(error.findings()[0].place.line, 2);
}

/// Document types, entities and depth end in an error at once, on a small stack.
#[test]
fn bombs() {
    let mut entities = String::from("<!DOCTYPE robot [<!ENTITY a0 \"x\">");
    for i in 1..10 {
        entities += &format!("<!ENTITY a{i} \"{}\">", format!("&a{};", i - 1).repeat(10));
    }
    let bombs = [
        format!("{entities}]><robot name=\"&a9;\"/>"),
        "<!DOCTYPE robot SYSTEM \"file:///etc/passwd\"><robot name='x'/>".into(),
        "<?xml version='1.0'?><!DOCTYPE robot [<!ENTITY x SYSTEM 'http://example.org/'>]><robot name='&x;'/>".into(),
    ];
    let work = move || {
        for bomb in &bombs {
            let start = Instant::now();
            assert_eq!(read(bomb).unwrap_err().findings()[0].rule, Rule::DocumentType);
            assert!(start.elapsed() < Duration::from_millis(200));
        }
        for depth in [257, 30_000, 1_000_000] {
            for text in ["<a>".repeat(depth), format!("{}{}", "<link name='x'>".repeat(depth), "</link>".repeat(depth))]
            {
                let rule = read(&text).unwrap_err().findings()[0].rule.clone();
                assert!(matches!(rule, Rule::TooDeep { .. }), "{rule:?}");
            }
        }
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
}

/// Wide and long robots are read on a small stack.
#[test]
fn wide_and_long() {
    let inertial = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>";
    let robot = |n: usize, parent: &dyn Fn(usize) -> usize| {
        let mut text = String::from("<robot name='x'><link name='l0'/>");
        for i in 1..=n {
            text += &format!(
                "<link name='l{i}'>{inertial}</link><joint name='j{i}' type='continuous'><parent link='l{}'/><child link='l{i}'/></joint>",
                parent(i)
            );
        }
        text + "</robot>"
    };
    let (wide, long) = (robot(99_999, &|_| 0), robot(5_000, &|i| i - 1));
    let work = move || {
        let start = Instant::now();
        assert_eq!(read(&wide).unwrap().file.model.speed_count(), 99_999);
        println!("100 000 links side by side: {:?}", start.elapsed());
        let start = Instant::now();
        assert_eq!(read(&long).unwrap().file.model.speed_count(), 5_000);
        println!("5 000 links in a row: {:?}", start.elapsed());
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
}

#[test]
fn side_files() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../references/urdf");
    let robot = std::fs::read_to_string(folder.join("arm.urdf")).unwrap();
    let sound = std::fs::read_to_string(folder.join("arm.flexible.toml")).unwrap();
    let one = |part: &str, by: &str| {
        assert!(sound.contains(part), "{part}");
        let side = sound.replacen(part, by, 1);
        let error = urdf::from_text("arm.urdf", &robot, Some(("side.toml", &side)), &Options::default()).unwrap_err();
        assert_eq!(error.findings().len(), 1, "{error}");
        assert_eq!(error.findings()[0].place.file, "side.toml");
        error.findings()[0].rule.clone()
    };
    assert!(matches!(one("link = \"boom_link\"", "link = \"bom_link\""), Rule::UnknownName { kind: "link", .. }));
    assert!(matches!(one("link = \"forearm_link\"\nattach", "link = \"boom_link\"\n#"), Rule::DuplicateName { .. }));
    assert!(matches!(one("tool_joint = \"tip\"", "tool_joint = \"top\""), Rule::UnknownName { kind: "node", .. }));
    assert!(matches!(one("tool_joint = \"tip\"", "elbow_joint = \"tip\""), Rule::UnknownName { .. }));
    assert!(matches!(one("name = \"luff_joint\"", "name = \"luf_joint\""), Rule::UnknownName { kind: "joint", .. }));
    assert!(matches!(one("spring = 20.0", "sprung = 20.0"), Rule::UnknownKey { .. }));
    assert!(matches!(one("supple-flexible-1", "supple-flexible-2"), Rule::Format { .. }));
    assert!(matches!(one("length = 3.0", "length = 1e400"), Rule::Number { .. }));
}

/// A beam that runs the wrong way leaves a joint far from all its nodes, and most of the link's mass behind: sound, and noted.
#[test]
fn doubts_about_flexible_links() {
    let link = |name: &str, mass: f64| {
        format!(
            "<link name='{name}'><inertial><mass value='{mass}'/>\
             <inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        )
    };
    let joint = |name: &str, parent: &str, child: &str, xyz: &str| {
        format!(
            "<joint name='{name}' type='continuous'><parent link='{parent}'/><child link='{child}'/>\
             <origin xyz='{xyz}'/><axis xyz='0 1 0'/></joint>"
        )
    };
    let robot = format!(
        "<robot name='two'><link name='base'/>{}{}{}{}</robot>",
        link("upper", 8.393),
        link("fore", 2.0),
        joint("shoulder", "base", "upper", "0 0 0"),
        joint("elbow", "upper", "fore", "0 -0.12 0.425")
    );
    let side = |direction: &str, density: f64| {
        format!(
            "format = 'supple-flexible-1'\n[[flexible]]\nlink = 'upper'\n[flexible.beam]\nlength = 0.425\nshear_flexible = false\n{direction}\
             section = {{ tube = {{ outer_radius = 0.05, thickness = 0.002 }} }}\n\
             material = {{ E = 7e10, nu = 0.33, density = {density} }}\nmodes = {{ bending_y = 1 }}\n"
        )
    };
    let notes = |side: &str| -> Vec<String> {
        let read = urdf::from_text("two.urdf", &robot, Some(("side.toml", side)), &Options::default()).unwrap();
        read.notes.iter().map(|note| format!("{}: {}", note.subject, note.what())).collect()
    };
    let wrong = notes(&side("", 2700.0));
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    assert!(
        wrong.iter().any(|note| note.contains("joint 'elbow'") && note.contains("0.442 m from node `root`")),
        "{wrong:?}"
    );
    // 0.425 m of 2 π 0.049 · 0.002 m² of aluminium.
    assert!(wrong.iter().any(|note| note.contains("8.3930 kg") && note.contains("0.7066 kg")), "{wrong:?}");
    // Along the link the elbow stands beside the tip, which is no matter; and with its motor the link weighs what it did.
    assert_eq!(notes(&side("direction = [0, 0, 1]\n", 2700.0 * 8.393 / 0.7066)), [""; 0]);
}

/// Whatever is cut out of real text or put into it, there is an answer and no panic.
#[test]
fn mutations_never_panic() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../references/urdf");
    let arm = std::fs::read_to_string(folder.join("arm.urdf")).unwrap();
    let side = std::fs::read_to_string(folder.join("arm.flexible.toml")).unwrap();
    let mut seed = 11_u64;
    let mut next = |end: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % end
    };
    let pieces = [
        "",
        "<",
        ">",
        "/>",
        "\"",
        "-",
        "0",
        "1e999",
        "nan",
        "<link name=\"x\"/>",
        "&amp;",
        "<!--",
        "e",
        " ",
        "\u{0}",
        "é",
    ];
    let (mut refused, rounds) = (0, 4000);
    for _ in 0..rounds {
        let mutate = |text: &str, next: &mut dyn FnMut(usize) -> usize| -> String {
            let mut text: Vec<char> = text.chars().collect();
            for _ in 0..1 + next(3) {
                let start = next(text.len());
                let end = (start + next(8)).min(text.len());
                text.splice(start..end, pieces[next(pieces.len())].chars());
            }
            text.into_iter().collect()
        };
        let (robot, side) = match next(3) {
            0 => (arm.clone(), Some(mutate(&side, &mut next))),
            _ => (mutate(&arm, &mut next), None),
        };
        let options = Options { lenient: next(2) == 0, ..Options::default() };
        let side = side.as_deref().map(|text| ("side.toml", text));
        match urdf::from_text("arm.urdf", &robot, side, &options) {
            Ok(_) => {}
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    println!("{refused} of {rounds} refused");
    assert!(refused > rounds / 3 && refused < rounds);
}
