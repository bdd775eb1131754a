//! Bodies from standard input data: the same as the library makes of them, and mistakes told in their file.

use std::path::{Path, PathBuf};

use supple::{Fidelity, Hinge, HingeKind, NodeIndex, Parent, Problem};
use supple_bodies::catalogue::beam_chain::beam_chain;
use supple_bodies::sid::{Sid, SidBodyError, SidRule};
use supple_io::model_file::{self, ModelFile};
use supple_io::source::{FileError, PathFault, Rule};
use supple_io::urdf;

fn models() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../references/models")
}

fn model(modal: &str) -> String {
    format!(
        "format = \"supple-model-1\"\n[[body]]\nname = \"panel\"\nhinge = {{ kind = \"revolute\", axis = [0, 1, 0] }}\n\
         modal = {{ {modal} }}\n[[body]]\nname = \"load\"\nparent = \"panel\"\nat = \"2\"\nhinge = {{ kind = \"fixed\" }}\n\
         rigid = {{ mass = 1 }}\n"
    )
}

fn read(modal: &str, folder: &Path) -> Result<ModelFile, FileError> {
    model_file::from_text("arm.toml", &model(modal), Some(folder))
}

#[test]
fn the_body_is_that_of_the_library() {
    let text = std::fs::read_to_string(models().join("panel.sid")).unwrap();
    let sid = Sid::read(&text).unwrap();
    let hinge = || Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
    let made = |fidelity| sid.body("panel", Parent::Ground, hinge(), fidelity).unwrap();
    let file = read("file = \"panel.sid\"", &models()).unwrap_or_else(|error| panic!("{error}"));
    let body = &file.system.bodies[0];
    // Its geometric stiffness is used unless the model says otherwise.
    assert_eq!((body.modes.fidelity, body.modes.count), (Fidelity::Stiffened, 4));
    assert!(!body.modes.second_order.is_empty());
    assert_eq!(*body, made(Fidelity::Stiffened));
    assert_eq!(file.model.speed_count(), 5);
    let told = read("file = \"panel.sid\", fidelity = \"inconsistent\", inboard_node = \"2\"", &models()).unwrap();
    let wanted = supple::Body { inboard_node: NodeIndex(1), ..made(Fidelity::Inconsistent) };
    assert_eq!(told.system.bodies[0], wanted);
    // Written, it needs no file any more.
    let written = model_file::write(&file.system).unwrap();
    let again = model_file::from_text("x.toml", &written, None).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.system, file.system);
}

/// A folder of its own for changed files.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("supple-sid-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&root).unwrap();
        Self(root)
    }

    /// The reference with a part replaced, under a name.
    fn put(&self, name: &str, part: &str, by: &str) {
        let text = std::fs::read_to_string(models().join("panel.sid")).unwrap();
        assert!(text.contains(part), "{part}");
        std::fs::write(self.0.join(name), text.replacen(part, by, 1)).unwrap();
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_mistake_is_told_in_the_file_of_the_data() {
    let scratch = Scratch::new("text");
    scratch.put("bad.SID_FEM", "m0( 1, 1)             = 1.5e0", "m0( 1, 1)             = 1,5e0");
    let error = read("file = \"bad.SID_FEM\"", &scratch.0).unwrap_err();
    println!("{error}");
    let [finding] = error.findings() else { panic!("{error}") };
    assert!(matches!(&finding.rule, Rule::StandardInputData(error) if error.rule == SidRule::FiniteNumber), "{error}");
    assert_eq!((finding.place.file.as_str(), finding.place.line), ("bad.SID_FEM", 57));
    let Rule::StandardInputData(inner) = &finding.rule else { panic!("{error}") };
    assert_eq!(inner.line, 57);
    let marked = &finding.place.source[finding.place.underline.clone()];
    assert_eq!(marked, "m0( 1, 1)             = 1,5e0");
    for part in [&inner.field, inner.rule.text(), inner.rule.remedy(), "= expected: ", "= help: "] {
        assert!(error.to_string().contains(part), "{part}\n{error}");
    }
    // Cut in the middle: what is missing at the end.
    let text = std::fs::read_to_string(models().join("panel.sid")).unwrap();
    std::fs::write(scratch.0.join("cut.sid"), &text[..text.len() / 2]).unwrap();
    let error = read("file = \"cut.sid\"", &scratch.0).unwrap_err();
    assert!(matches!(error.findings()[0].rule, Rule::StandardInputData(_)), "{error}");
}

#[test]
fn data_that_make_no_body() {
    let scratch = Scratch::new("body");
    let stressed = "           ksigma\n                order = 0\n                nrow = 4\n                ncol = 1\n                \
                    nq = 4\n                nqn = 0\n                structure = 3\n                m0( 2, 1) = 7e0\n           \
                    end ksigma\n           Ke\n";
    scratch.put("stressed.sid", "           Ke\n", stressed);
    let error = read("file = \"stressed.sid\"", &scratch.0).unwrap_err();
    println!("{error}");
    let [finding] = error.findings() else { panic!("{error}") };
    let rest = matches!(finding.rule, Rule::StandardInputBody(SidBodyError::RestForce { mode: 1, value: 7.0 }));
    assert!(rest && finding.place.file == "stressed.sid" && finding.place.source.trim() == "ksigma", "{error}");
    // What stands in no block of its own is told where the file is named: of the stiffening, of the engine.
    scratch.put("light.sid", "mass                            = 3e0", "mass                            = 3e-9");
    for (modal, stiffened) in
        [("file = \"light.sid\"", true), ("file = \"light.sid\", fidelity = \"inconsistent\"", false)]
    {
        let error = read(modal, &scratch.0).unwrap_err();
        println!("{error}");
        let finding = &error.findings()[0];
        let rule = match finding.rule {
            Rule::StandardInputBody(SidBodyError::Stiffening(_)) => stiffened,
            Rule::Model(Problem::ModalInertiaRule { .. }) => !stiffened,
            _ => false,
        };
        assert!(rule && finding.place.line == 5 && finding.place.file == "arm.toml", "{error}");
    }
}

#[test]
fn mistakes_beside_the_file() {
    let only = |modal: &str| {
        let error = read(modal, &models()).expect_err("the text is broken");
        assert_eq!(error.findings().len(), 1, "{error}");
        assert_eq!(error.findings()[0].place.line, 5, "{error}");
        error.findings()[0].rule.clone()
    };
    assert!(matches!(only("file = \"pannel.sid\""), Rule::Path { fault: PathFault::NotFound, .. }));
    assert!(matches!(only("file = \"../sid/cantilever.sid\""), Rule::Path { fault: PathFault::Upward, .. }));
    assert!(matches!(only("file = \"panel.sid\", fidelity = \"stiff\""), Rule::UnknownWord { .. }));
    assert!(matches!(only("file = \"panel.sid\", inboard_node = \"7\""), Rule::UnknownName { kind: "node", .. }));
    // A file of modes tells its fidelity itself; its nodes have other names.
    let text = model("file = \"panel.modes.toml\", fidelity = \"exact\"").replace("at = \"2\"", "at = \"end\"");
    let error = model_file::from_text("arm.toml", &text, Some(&models())).unwrap_err();
    assert!(error.findings().len() == 1 && matches!(error.findings()[0].rule, Rule::Useless { .. }), "{error}");
}

/// Data without geometric stiffness.
#[test]
fn a_body_without_stiffening() {
    let scratch = Scratch::new("plain");
    let chain = beam_chain(1, 3, Fidelity::Inconsistent);
    let (mut sid, _) = Sid::from_body(&chain.bodies[0]);
    sid.nodes = vec![sid.nodes[0].clone(), sid.nodes[sid.nodes.len() - 1].clone()];
    (sid.nodes[0].number, sid.nodes[1].number) = (1, 2);
    std::fs::write(scratch.0.join("plain.sid"), sid.write()).unwrap();
    let file = read("file = \"plain.sid\"", &scratch.0).unwrap_or_else(|error| panic!("{error}"));
    let modes = &file.system.bodies[0].modes;
    assert_eq!((modes.fidelity, modes.count, modes.second_order.len()), (Fidelity::Exact, 3, 0));
}

/// A link of a robot from standard input data.
#[test]
fn a_flexible_link() {
    let scratch = Scratch::new("robot");
    std::fs::copy(models().join("panel.sid"), scratch.0.join("panel.sid")).unwrap();
    let robot = r#"<robot name="r"><link name="a"/><link name="b"/>
        <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint></robot>"#;
    let side = "format = \"supple-flexible-1\"\n[[flexible]]\nlink = \"b\"\nmodal = { file = \"panel.sid\" }\n";
    std::fs::write(scratch.0.join("r.urdf"), robot).unwrap();
    std::fs::write(scratch.0.join("r.toml"), side).unwrap();
    let read = urdf::read(&scratch.0.join("r.urdf"), Some(&scratch.0.join("r.toml")), &urdf::Options::default());
    let robot = read.unwrap_or_else(|error| panic!("{error}"));
    let alone = panel();
    assert_eq!(robot.file.system.bodies[1].modal_inertia, alone.modal_inertia);
    assert_eq!(robot.file.system.bodies[1].nodes, alone.nodes);
}

fn panel() -> supple::Body {
    read("file = \"panel.sid\"", &models()).unwrap().system.bodies[0].clone()
}
