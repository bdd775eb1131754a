//! Bad inputs and what the command says to them: `docs/bad-inputs.md` is made and checked here.
//!
//! Every input goes through the command as a user would start it. None may crash, hang, or go through in silence. With
//! `SUPPLE_WRITE_DOCS=1` the table is written anew. It is that of the program with all its usual features.

use crate::run_support::{Folder, repository, run_within, runs};
use crate::sound_files::{MODEL, ROBOT, SCENARIO, WHIP};
use std::fmt::Write;
use std::fs;
use std::process::Output;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(20);

/// What is expected of an input.
#[derive(Clone, Copy, PartialEq)]
pub enum Ends {
    /// Refused, with file, line and column.
    At(&'static str),
    /// Refused or ended early, with words that say where.
    With(&'static str),
    /// Done, with a warning.
    Warning(&'static str),
    /// Done: it only looks bad.
    Well,
}

pub struct Case {
    group: &'static str,
    input: &'static str,
    files: Vec<(&'static str, Vec<u8>)>,
    command: Vec<&'static str>,
    ends: Ends,
}

pub struct Cases(Vec<Case>);

#[track_caller]
fn changed(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "`{old}` is not there");
    text.replacen(old, new, 1)
}

impl Cases {
    pub fn files(&mut self, group: &'static str, input: &'static str, files: &[(&'static str, &[u8])], ends: Ends) {
        let mut all = vec![("model.toml", MODEL.as_bytes().to_vec()), ("scenario.toml", SCENARIO.as_bytes().to_vec())];
        for (name, content) in files {
            all.retain(|(other, _)| other != name);
            all.push((name, content.to_vec()));
        }
        self.0.push(Case { group, input, files: all, command: vec!["run", "scenario.toml"], ends });
    }

    /// A change of the model.
    #[track_caller]
    fn model(&mut self, input: &'static str, old: &str, new: &str, ends: Ends) {
        self.files("Models", input, &[("model.toml", changed(MODEL, old, new).as_bytes())], ends);
    }

    /// A change of the scenario.
    #[track_caller]
    fn scenario(&mut self, input: &'static str, old: &str, new: &str, ends: Ends) {
        self.files("Scenarios", input, &[("scenario.toml", changed(SCENARIO, old, new).as_bytes())], ends);
    }

    /// Something more in the scenario.
    fn more(&mut self, input: &'static str, more: &str, ends: Ends) {
        self.files("Scenarios", input, &[("scenario.toml", format!("{SCENARIO}{more}").as_bytes())], ends);
    }

    /// A robot instead of the model.
    fn robot(&mut self, input: &'static str, robot: &str, ends: Ends) {
        let scenario = changed(SCENARIO, "model.toml", "robot.urdf");
        self.files("Robots", input, &[("robot.urdf", robot.as_bytes()), ("scenario.toml", scenario.as_bytes())], ends);
    }

    /// A case for `supple eval`.
    fn eval(&mut self, input: &'static str, text: &[u8], ends: Ends) {
        let files = vec![("case.json", text.to_vec())];
        self.0.push(Case { group: "Reference cases", input, files, command: vec!["eval", "case.json"], ends });
    }
}

fn cases() -> Vec<Case> {
    use Ends::{At, Warning, Well, With};
    let mut c = Cases(Vec::new());

    let text = "Texts";
    c.files(text, "empty scenario", &[("scenario.toml", b"")], At("the file is empty"));
    c.files(text, "empty model", &[("model.toml", b"  \n\n")], At("the file is empty"));
    let marked = [b"\xef\xbb\xbf", SCENARIO.as_bytes()].concat();
    c.files(text, "byte order mark", &[("scenario.toml", &marked)], Well);
    let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(SCENARIO.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    c.files(text, "UTF-16", &[("scenario.toml", &wide)], At("not UTF-8"));
    c.files(text, "Latin-1 letter", &[("model.toml", b"name = \"\xfcber\"\n")], At("byte 8 is not UTF-8"));
    let (model, scenario) = (MODEL.replace('\n', "\r\n"), SCENARIO.replace('\n', "\r\n"));
    let crlf: [(&str, &[u8]); 2] = [("model.toml", model.as_bytes()), ("scenario.toml", scenario.as_bytes())];
    c.files(text, "lines that end in CR LF", &crlf, Well);
    c.files(text, "bytes that are no text", &[("scenario.toml", &[0, 1, 2, 3])], At("invalid TOML"));
    let deep = format!("{SCENARIO}x = {}1{}\n", "[".repeat(20_000), "]".repeat(20_000));
    c.files(text, "20 000 lists in each other", &[("scenario.toml", deep.as_bytes())], At("invalid TOML"));
    c.scenario("unclosed string", "\"model.toml\"", "\"model.toml", At("invalid TOML"));
    c.scenario("a key given twice", "duration = 1\n", "duration = 1\nduration = 2\n", At("invalid TOML"));
    c.files(
        text,
        "a model in the place of the scenario",
        &[("scenario.toml", MODEL.as_bytes())],
        At("this is a model, not a scenario"),
    );
    c.0.push(Case {
        group: text,
        input: "no such scenario",
        files: Vec::new(),
        command: vec!["run", "scenario.toml"],
        ends: With("the file cannot be read"),
    });
    c.0.push(Case {
        group: text,
        input: "a folder in the place of the scenario",
        files: vec![("scenario.toml/x", b"x".to_vec())],
        command: vec!["run", "scenario.toml"],
        ends: With("the file cannot be read"),
    });

    c.model("unknown key", "mass_centre", "mas_centre", At("unknown key `mas_centre`"));
    c.model(
        "key of a table beside it",
        "[[body]]\nname = \"arm\"",
        "[[body]]\nmass = 2\nname = \"arm\"",
        At("unknown key `mass`"),
    );
    c.model("text for a number", "mass = 2", "mass = \"2\"", At("unexpected value"));
    c.model("unknown word", "\"revolute\"", "\"rotary\"", At("unknown value `rotary`"));
    let closed = |closure: &str| format!("{MODEL}[[closure]]\n{closure}\n");
    for (input, closure, says) in [
        (
            "closure on a body that is not there",
            "kind = \"ball\"\na = { body = \"foot\" }\nb = { ground = [1, 0, 0] }",
            "foot",
        ),
        (
            "closure without its axis",
            "kind = \"revolute\"\na = { body = \"hand\" }\nb = { ground = [1, 0, 0] }",
            "axis",
        ),
        (
            "closure of a body with itself",
            "kind = \"ball\"\na = { body = \"hand\" }\nb = { body = \"hand\" }",
            "fixed to each other",
        ),
        ("coupling of a hinge that is not there", "kind = \"coupling\"\nhinges = [{ hinge = \"knee\" }]", "knee"),
        (
            "coupling with factor 0",
            "kind = \"coupling\"\nhinges = [{ hinge = \"wrist\", factor = 0 }]",
            "a factor is 0",
        ),
    ] {
        c.files("Models", input, &[("model.toml", closed(closure).as_bytes())], At(says));
    }
    c.model("newer format", "supple-model-1", "supple-model-9", At("unknown format `supple-model-9`"));
    c.model("missing key", ", axis = [0, 1, 0]", "", At("axis"));
    c.model("number beyond doubles", "mass = 2", "mass = 1e400", At("1e400"));
    c.model("nan", "mass = 2", "mass = nan", At("nan"));
    c.model("inf", "position = [1, 0, 0]", "position = [inf, 0, 0]", At("inf"));
    c.model("decimal comma", "mass = 2,", "mass = 2,5,", At("invalid TOML"));
    c.model("negative mass", "mass = 2", "mass = -2", At("-2"));
    c.model("negative moment of inertia", "[0.01, 0.1, 0.1]", "[0.01, -0.1, 0.1]", At("arm"));
    c.model("inertia against the triangle rule", "[0.01, 0.1, 0.1]", "[0.01, 0.5, 0.1]", At("triangle"));
    c.model("axis of length zero", "axis = [0, 1, 0]", "axis = [0, 0, 0]", At("axis"));
    c.model(
        "hinge that moves no mass",
        "rigid = { mass = 1, mass_centre = [0.1, 0, 0], inertia = [0.01, 0.02, 0.02] }",
        "rigid = { mass = 0 }",
        At("hand"),
    );
    c.model("axis of two numbers", "axis = [0, 1, 0]", "axis = [0, 1]", At("2 entries"));
    c.model("two bodies of one name", "name = \"hand\"", "name = \"arm\"", At("used twice"));
    c.model("two hinges of one name", "name = \"wrist\"", "name = \"shoulder\"", At("used twice"));
    c.model(
        "hinge with the name of a total",
        "name = \"wrist\"",
        "name = \"drives\"",
        With("rename the body, hinge or node"),
    );
    c.model("line end in a name", "name = \"wrist\"", "name = \"wri\\nst\"", With("control characters"));
    c.model("parent that is not there", "parent = \"arm\"", "parent = \"torso\"", At("there is no body `torso`"));
    c.model("node that is not there", "at = \"tip\"", "at = \"top\"", At("there is no node `top`"));
    c.model("no word which node carries", "at = \"tip\"\n", "", At("`at` is missing"));
    c.model("body that carries itself", "parent = \"arm\"", "parent = \"hand\"", At("hand"));
    c.model(
        "bodies that carry each other",
        "name = \"arm\"\n",
        "name = \"arm\"\nparent = \"hand\"\nat = 0\n",
        At("form a cycle"),
    );
    c.model(
        "stops in the wrong order",
        "name = \"wrist\"",
        "name = \"wrist\", stops = { lower = 1, upper = -1 }",
        At("stops"),
    );
    let stopped = changed(MODEL, "name = \"wrist\"", "name = \"wrist\", stops = { lower = -1, upper = 1 }");
    let beyond = format!("{SCENARIO}[initial.hinges]\nwrist = 90\n");
    let files = [("model.toml", stopped.as_bytes()), ("scenario.toml", beyond.as_bytes())];
    c.files("Scenarios", "start beyond a stop", &files, At("beyond its upper stop at 1 rad"));
    c.model("spring that pushes", "name = \"wrist\"", "name = \"wrist\", spring = -5", At("-5"));
    let modes = changed(
        MODEL,
        "nodes = [{ name = \"tip\", position = [1, 0, 0] }]",
        "nodes = [{ name = \"tip\", position = [1, 0, 0] }]\nmodes = { count = 1000000000 }",
    );
    c.files("Models", "1e9 modes", &[("model.toml", modes.as_bytes())], At("count"));
    let beams = WHIP.replace("bending_y = 2", "bending_y = 1000000000");
    let whip = changed(SCENARIO, "model.toml", "whip.toml");
    let both: [(&str, &[u8]); 2] = [("whip.toml", beams.as_bytes()), ("scenario.toml", whip.as_bytes())];
    c.files("Models", "1e9 modes of a beam", &both, At("bending_y"));
    let carrying = WHIP.replace("modes = {", "carried = { mass = 3 }\nmodes = {");
    let both: [(&str, &[u8]); 2] = [("whip.toml", carrying.as_bytes()), ("scenario.toml", whip.as_bytes())];
    c.files("Models", "load for modes that know of none", &both, At("clamped-loaded"));
    let soft = WHIP.replace("E = 7e10", "E = -7e10");
    let both: [(&str, &[u8]); 2] = [("whip.toml", soft.as_bytes()), ("scenario.toml", whip.as_bytes())];
    c.files("Models", "negative Young's modulus", &both, At("`E` is -7e10"));
    let thick = WHIP.replace("thickness = 0.001", "thickness = 0.02");
    let both: [(&str, &[u8]); 2] = [("whip.toml", thick.as_bytes()), ("scenario.toml", whip.as_bytes())];
    c.files("Models", "wall thicker than the tube", &both, At("thickness"));

    // The hand as a body from a file.
    let hand = |file: &str| {
        let rigid = "rigid = { mass = 1, mass_centre = [0.1, 0, 0], inertia = [0.01, 0.02, 0.02] }";
        changed(MODEL, rigid, &format!("modal = {{ file = \"{file}\" }}"))
    };
    c.files("Files of files", "file above the folder", &[("model.toml", hand("../x.toml").as_bytes())], At("`..`"));
    c.files("Files of files", "absolute name", &[("model.toml", hand("/etc/passwd").as_bytes())], At("absolute"));
    c.files("Files of files", "address", &[("model.toml", hand("file:///x.toml").as_bytes())], At("the path is a URL"));
    c.files("Files of files", "coded name", &[("model.toml", hand("%2e%2e/x.toml").as_bytes())], At("coded"));
    c.files("Files of files", "missing file", &[("model.toml", hand("x.toml").as_bytes())], At("no such file"));
    let sid = fs::read(repository("references/models/panel.sid")).unwrap();
    let broken = String::from_utf8(sid.clone()).unwrap().replacen(
        "mass                            = 3e0",
        "mass                            = heavy",
        1,
    );
    let files: [(&str, &[u8]); 2] = [("model.toml", &hand("hand.sid").into_bytes()), ("hand.sid", broken.as_bytes())];
    c.files("Files of files", "standard input data with a word for a mass", &files, At("heavy"));
    let files: [(&str, &[u8]); 2] =
        [("model.toml", &hand("hand.sid").into_bytes()), ("hand.sid", &sid[..sid.len() / 2])];
    c.files("Files of files", "standard input data cut in the middle", &files, At("standard input data"));
    c.scenario("model above the folder", "\"model.toml\"", "\"../model.toml\"", At("`..`"));
    c.scenario("absolute model", "\"model.toml\"", "\"/tmp/model.toml\"", At("absolute"));
    c.scenario("model that is not there", "\"model.toml\"", "\"modell.toml\"", At("no such file"));
    c.scenario("model that is a folder", "\"model.toml\"", "\".\"", At("scenario.toml:2:9"));

    c.scenario("duration 0", "duration = 1", "duration = 0", At("duration"));
    c.scenario("negative duration", "duration = 1", "duration = -1", At("duration"));
    c.scenario("duration nan", "duration = 1", "duration = nan", At("nan"));
    c.scenario("output interval 0", "output_interval = 0.1", "output_interval = 0", At("output_interval"));
    c.scenario("1e12 results", "output_interval = 0.1", "output_interval = 1e-12", At("results"));
    c.scenario("output interval longer than the run", "output_interval = 0.1", "output_interval = 5", Well);
    let kind = "kind = \"dormand-prince\"";
    let with = |more: &str| format!("{kind}, {more}");
    c.scenario("tolerance 0", kind, &with("relative_tolerance = 0"), At("relative_tolerance"));
    c.scenario("negative tolerance", kind, &with("absolute_tolerance = -1e-9"), At("absolute_tolerance"));
    c.scenario("tolerance below rounding", kind, &with("relative_tolerance = 1e-300"), At("relative_tolerance"));
    c.scenario("tolerance nan", kind, &with("relative_tolerance = nan"), At("nan"));
    c.scenario("unknown integrator", kind, "kind = \"euler\"", At("unknown value `euler`"));
    c.scenario("fixed step for a method that chooses it", kind, "kind = \"bdf\", step = 0.01", At("chooses its steps"));
    c.scenario("fixed-step scheme without a step", kind, "kind = \"rk4\"", At("step"));
    c.scenario("step and tolerance", kind, &with("step = 0.01, relative_tolerance = 1e-6"), At("together"));
    c.scenario(
        "spectral radius 2",
        kind,
        "kind = \"generalized-alpha\", step = 0.01, spectral_radius = 2",
        At("spectral_radius"),
    );
    c.scenario("greatest step of 1e-300 s", kind, &with("greatest_step = 1e-300"), At("1.000e300 steps"));
    c.scenario("step of 1e-300 s", kind, &with("step = 1e-300"), At("1.000e300 steps"));
    c.scenario(
        "step that needs more steps than allowed",
        kind,
        &with("step = 1e-3, max_steps = 100"),
        At("1.000e3 steps"),
    );
    c.scenario("budget of steps too small", kind, &with("max_steps = 3"), With("limit of 3 steps reached"));
    c.scenario("budget of the clock too small", kind, &with("wall_seconds = 1e-6"), With("wall_seconds"));
    c.scenario("budget of the clock beyond all time", kind, &with("wall_seconds = 1e300"), Well);
    c.more("unknown hinge of a torque", "[[torque]]\nhinge = \"elbow\"\nconstant = 1\n", At("no hinge `elbow`"));
    c.more(
        "spin-up in no time",
        "[[motion]]\nhinge = \"wrist\"\nspin_up = { rate = 6, duration = 0 }\n",
        At("duration"),
    );
    c.more("unknown hinge of a motion", "[[motion]]\nhinge = \"elbow\"\nrate = 1\n", At("no hinge `elbow`"));
    c.more(
        "unknown hinge of a feedforward",
        "[feedforward]\nmotion = [{ hinge = \"elbow\", cycloid = { to = 1, duration = 1 } }]\n",
        At("no hinge `elbow`"),
    );
    c.more(
        "unknown body of a wrench",
        "[[wrench]]\nbody = \"leg\"\nconstant = { force = [1, 0, 0] }\n",
        At("no body `leg`"),
    );
    let event = |more: &str| format!("[[events]]\nname = \"up\"\nquantity = \"hinge.wrist\"\nvalue = 0\n{more}");
    c.more("event of an unknown quantity", &event("").replace("hinge.wrist", "hinge.wirst"), At("hinge.wrist"));
    c.more("event without a value", &event("").replace("value = 0\n", ""), At("value"));
    c.more("event at a value that is none", &event("").replace("value = 0", "value = nan"), At("nan"));
    c.more("event in an unknown direction", &event("direction = \"up\"\n"), At("unknown value `up`"));
    c.more("event with an unknown action", &event("action = \"pause\"\n"), At("unknown value `pause`"));
    c.more("two events of one name", &(event("") + &event("action = \"stop\"\n")), At("`up`"));
    crate::bad_events::events_that_act(&mut c);
    c.more("torque without a curve", "[[torque]]\nhinge = \"wrist\"\n", At("one of the keys is missing"));
    c.more(
        "two motions of a hinge",
        "[[motion]]\nhinge = \"wrist\"\nrate = 1\n[[motion]]\nhinge = \"wrist\"\nrate = 2\n",
        At("already has a prescribed motion"),
    );
    c.more(
        "motion and torque in a hinge",
        "[[motion]]\nhinge = \"wrist\"\nrate = 1\n[[torque]]\nhinge = \"wrist\"\nconstant = 1\n",
        At("has a prescribed motion"),
    );
    let table = |times: &str, values: &str| {
        format!("[[motion]]\nhinge = \"wrist\"\ntable = {{ times = {times}, values = {values} }}\n")
    };
    c.more("motion of one sample", &table("[0]", "[1]"), At("a single sample"));
    c.more("motion that begins late", &table("[0.5, 1]", "[0, 1]"), At("starts at 0.5 s"));
    c.more("times that go back", &table("[0, 2, 1]", "[0, 1, 2]"), At("comes before time 1"));
    c.more("more values than times", &table("[0, 1]", "[0, 1, 2]"), At("3 entries"));
    c.more(
        "move that ends before it starts",
        "[[motion]]\nhinge = \"wrist\"\ncycloid = { to = 1, start = 0.5, duration = -0.3 }\n",
        At("duration"),
    );
    c.more(
        "move of 1e300 rad",
        "[[motion]]\nhinge = \"wrist\"\ncycloid = { to = 1e300, duration = 1e-10 }\n",
        With("exceeds double precision"),
    );
    let csv = |name: &str| {
        format!("[[torque]]\nhinge = \"wrist\"\ncsv = {{ file = \"{name}\", time = \"t\", value = \"m\" }}\n")
    };
    let with_csv = |name: &str| format!("{SCENARIO}{}", csv(name)).into_bytes();
    c.files(
        "Scenarios",
        "column that is not there",
        &[("scenario.toml", &with_csv("m.csv")), ("m.csv", b"t,x\n0,1\n1,2\n")],
        At("no column `m`"),
    );
    c.files(
        "Scenarios",
        "word in a column of numbers",
        &[("scenario.toml", &with_csv("m.csv")), ("m.csv", b"t,m\n0,1\n1,two\n")],
        At("two"),
    );
    c.files(
        "Scenarios",
        "row that is too short",
        &[("scenario.toml", &with_csv("m.csv")), ("m.csv", b"t,m\n0,1\n1\n")],
        At("`row` has 1 entries"),
    );
    c.more("initial coordinate of an unknown hinge", "[initial.hinges]\nelbow = 1\n", At("no hinge `elbow`"));
    c.more("two initial numbers for one", "[initial.hinges]\nwrist = [1, 2]\n", At("2 entries"));
    c.more("initial deformation of a rigid body", "[initial.modes]\nhand = [0.1]\n", At("1 entries"));
    let free = changed(MODEL, "kind = \"revolute\", axis = [0, 1, 0]", "kind = \"free\"");
    let turned = |q: &str| format!("{SCENARIO}[initial.hinges]\nshoulder = {q}\n").into_bytes();
    let of = |q: &str| [("model.toml", free.clone().into_bytes()), ("scenario.toml", turned(q))];
    for (input, q, says) in [
        ("quaternion zero", "[0, 0, 0, 0, 0, 0, 0]", "length 0"),
        ("quaternion of length 2", "[0, 0, 0, 2, 0, 0, 0]", "length 2"),
        ("coordinates without the position", "[0, 0, 0, 1]", "4 entries"),
    ] {
        let files = of(q);
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_slice())).collect();
        c.files("Scenarios", input, &files, At(says));
    }
    c.more("initial speed of 1e300 rad/s", "[initial.hinge_speeds]\nwrist = 1e300\n", With("the run cannot begin"));
    c.more("results above the folder", "[results]\nfolder = \"../elsewhere\"\n", At("`..`"));
    c.more("results at an absolute place", "[results]\nfolder = \"/tmp/elsewhere\"\n", At("absolute"));
    c.more("unknown format", "[results]\nformats = [\"xlsx\"]\n", At("unknown value `xlsx`"));
    c.more("unknown columns", "[results]\ncolumns = [\"hinge\"]\n", At("unknown value `hinge`"));
    c.more("columns given twice", "[results]\ncolumns = [\"hinges\", \"hinges\"]\n", At("given twice"));
    c.more("deflections of no nodes", "[results]\ncolumns = [\"deflections\"]\n", At("none is"));
    c.more("format given twice", "[results]\nformats = [\"mcap\", \"mcap\"]\n", At("given twice"));
    c.more(
        "node given twice",
        "[results]\nnodes = [{ body = \"arm\", node = \"tip\" }, { body = \"arm\", node = 1 }]\n",
        At("given twice"),
    );
    c.more("unknown node", "[results]\nnodes = [{ body = \"arm\", node = \"top\" }]\n", At("no node `top`"));
    c.more("side file of a model", "side_file = \"x.toml\"\n", At("side_file"));

    c.robot("document type", &format!("<!DOCTYPE robot>\n{ROBOT}"), At("document type"));
    let bomb: String = (1..=8).map(|i| format!("<!ENTITY e{i} \"{}\">", format!("&e{};", i - 1).repeat(10))).collect();
    let bomb = format!("<!DOCTYPE robot [<!ENTITY e0 \"boom\">{bomb}]>\n{}", ROBOT.replace("upper\">", "&e8;\">"));
    c.robot("entity bomb of eight levels", &bomb, At("document type"));
    let file = format!("<!DOCTYPE robot [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n{ROBOT}");
    c.robot("entity from a file", &file, At("document type"));
    let deep = format!("<robot name=\"x\">{}{}</robot>", "<a>".repeat(30_000), "</a>".repeat(30_000));
    c.robot("30 000 elements in each other", &deep, At("nested too deep"));
    c.robot("element that is not closed", &changed(ROBOT, "</robot>", ""), At("invalid XML"));
    c.robot(
        "joint from a link to itself",
        &changed(ROBOT, "parent link=\"base\"", "parent link=\"upper\""),
        At("to itself"),
    );
    c.robot("child that is not there", &changed(ROBOT, "child link=\"upper\"", "child link=\"lower\""), At("lower"));
    c.robot("two roots", &changed(ROBOT, "</robot>", "<link name=\"other\"/></robot>"), At("root"));
    c.robot("two links of one name", &changed(ROBOT, "</robot>", "<link name=\"upper\"/></robot>"), At("used twice"));
    c.robot("mass nan", &changed(ROBOT, "mass value=\"2\"", "mass value=\"nan\""), At("nan"));
    c.robot("mass -1", &changed(ROBOT, "mass value=\"2\"", "mass value=\"-1\""), At("-1"));
    c.robot("mass with a comma", &changed(ROBOT, "mass value=\"2\"", "mass value=\"1,5\""), At("1,5"));
    c.robot("hexadecimal mass", &changed(ROBOT, "mass value=\"2\"", "mass value=\"0x2\""), At("0x2"));
    c.robot("axis 0 0 0", &changed(ROBOT, "0 1 0", "0 0 0"), At("length zero"));
    c.robot("inertia against the triangle rule", &changed(ROBOT, "iyy=\"0.2\"", "iyy=\"0.9\""), At("triangle"));
    c.robot(
        "moving link without inertia",
        &changed(ROBOT, &ROBOT[ROBOT.find("<inertial>").unwrap()..ROBOT.find("</inertial>").unwrap() + 11], ""),
        At("no mass"),
    );
    c.robot("unknown element", &changed(ROBOT, "<axis", "<colour/><axis"), At("unknown element `<colour>`"));
    c.robot("mimic of a joint that is not there", &changed(ROBOT, "<axis", "<mimic joint=\"x\"/><axis"), At("x"));
    c.robot("HTML page", "<html><body>404</body></html>", At("html"));
    let scenario = changed(SCENARIO, "\"model.toml\"", "\"robot.urdf\"\nside_file = \"side.toml\"");
    let side = |text: &'static [u8]| -> [(&'static str, Vec<u8>); 3] {
        [("robot.urdf", ROBOT.into()), ("scenario.toml", scenario.clone().into_bytes()), ("side.toml", text.to_vec())]
    };
    for (input, text, says) in [
        ("side file of an unknown link", &b"format = \"supple-flexible-1\"\n[[flexible]]\nlink = \"leg\"\nbeam = { length = 1, section = { rectangle = { width = 1, height = 1 } }, material = { E = 1, nu = 0.3, density = 1 }, modes = { twist = 1 } }\n"[..], "leg"),
        ("side file of another format", b"format = \"supple-model-1\"\n", "format"),
        ("side file that is no TOML", b"<robot/>", "invalid TOML"),
    ] {
        let files = side(text);
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_slice())).collect();
        c.files("Robots", input, &files, At(says));
    }

    let spin = |speed: f64, duration: f64, integrator: &str| {
        let text = changed(
            &whip,
            "duration = 1\noutput_interval = 0.1",
            &format!("duration = {duration}\noutput_interval = 0.1"),
        );
        let text = changed(&text, "kind = \"dormand-prince\"", integrator);
        format!("{text}[initial.hinge_speeds]\nroot = {speed:?}\n[initial.modes]\nwhip = [1e-3, 0]\n").into_bytes()
    };
    let prince = "kind = \"dormand-prince\"";
    let whips: [(&str, &[u8]); 2] = [("whip.toml", WHIP.as_bytes()), ("scenario.toml", &spin(60.0, 0.2, prince))];
    let strong = changed(MODEL, "name = \"wrist\",", "name = \"wrist\", motor = { effort_limit = 2 },");
    for (input, more, says) in [
        (
            "motion beyond its motor",
            "motion = [{ hinge = \"wrist\", cycloid = { to = 3, start = 0, duration = 0.5 } }]\n",
            "does not limit a prescribed motion",
        ),
        (
            "torque beyond its motor",
            "torque = [{ hinge = \"wrist\", constant = 3 }]\n",
            "is limited to its effort_limit of 2 N m",
        ),
    ] {
        let scenario = format!("{SCENARIO}{more}");
        c.files(
            "Motions",
            input,
            &[("model.toml", strong.as_bytes()), ("scenario.toml", scenario.as_bytes())],
            Warning(says),
        );
    }
    let pid = |more: &str| format!("controller = [{{ name = \"pid\", kind = \"pid\", {more} }}]\n");
    let turn = "motion = [{ hinge = \"wrist\", cycloid = { to = 3, start = 0, duration = 0.5 } }]\n";
    let on_moved = format!("{turn}{}", pid("update_rate = 100, hinge = \"wrist\", p = 1"));
    let fast = pid("update_rate = 1e9, hinge = \"wrist\", p = 1");
    let idle = pid("update_rate = 100, measured = \"hinge.wrist\", p = 1");
    let without_gains = pid("update_rate = 100, hinge = \"wrist\"");
    let strong_pid = pid("update_rate = 100, hinge = \"wrist\", reference = 1, p = 30");
    for (input, more, outcome) in [
        ("controller on a hinge that moves as told", &on_moved, With("so the pid has no effect")),
        ("controller called too often", &fast, With("calls in")),
        ("controller that nothing uses", &idle, Warning("nothing uses the controller `pid`")),
        ("controller without gains", &without_gains, Warning("its output is always 0")),
        ("controller beyond its motor", &strong_pid, Warning("is limited to its effort_limit of 2 N m")),
    ] {
        let scenario = format!("{SCENARIO}{more}");
        let files: [(&str, &[u8]); 2] = [("model.toml", strong.as_bytes()), ("scenario.toml", scenario.as_bytes())];
        c.files("Motions", input, &files, outcome);
    }
    c.files("Motions", "soft beam in a fast spin", &whips, Warning("warning"));
    let turned = [&spin(600.0, 10.0, prince)[..], b"[[motion]]\nhinge = \"root\"\nrate = 600\n"].concat();
    let whips: [(&str, &[u8]); 2] = [("whip.toml", WHIP.as_bytes()), ("scenario.toml", &turned)];
    c.files("Motions", "motion that runs away", &whips, With("the run ended early"));
    let least = "kind = \"dormand-prince\", least_step = 0.02";
    let whips: [(&str, &[u8]); 2] = [("whip.toml", WHIP.as_bytes()), ("scenario.toml", &spin(60.0, 1.0, least))];
    c.files("Motions", "least step above what the motion needs", &whips, With("below the `least_step`"));
    let coarse = "kind = \"rk4\", step = 0.1";
    let whips: [(&str, &[u8]); 2] = [("whip.toml", WHIP.as_bytes()), ("scenario.toml", &spin(60.0, 10.0, coarse))];
    c.files("Motions", "step far too large for the modes", &whips, With("is too long for mode"));
    for (input, kind) in [
        ("step too large for `exponential-adams`", "kind = \"exponential-adams\", step = 0.1"),
        ("step too large for `gauss`", "kind = \"gauss\", step = 0.1"),
        ("step too large for `generalized-alpha`", "kind = \"generalized-alpha\", step = 0.1"),
    ] {
        let whips: [(&str, &[u8]); 2] = [("whip.toml", WHIP.as_bytes()), ("scenario.toml", &spin(60.0, 10.0, kind))];
        c.files("Motions", input, &whips, With("the longest that works"));
    }
    let torque = format!("{SCENARIO}[[torque]]\nhinge = \"wrist\"\nconstant = 1e308\n");
    c.files("Motions", "torque of 1e308 N m", &[("scenario.toml", torque.as_bytes())], With("the run ended early"));

    c.eval("empty case", b"", With("the case is empty"));
    c.eval("case that is no JSON", b"{\n \"schema\": oops}", With("line 2, column 12"));
    c.eval("case that is no text", b"\xff\xfe{", With("not UTF-8"));
    let deep = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    c.eval("20 000 lists in each other", deep.as_bytes(), With("case.json: "));
    let case = fs::read_to_string(repository("references/cases/serial_2_flex.json")).unwrap();
    let at = case.find("\"m\": ").unwrap() + 5;
    let end = at + case[at..].find(',').unwrap();
    c.eval("mass 1e999", format!("{}1e999{}", &case[..at], &case[end..]).as_bytes(), With("nodes[0].m"));
    c.eval("negative mass", case.replacen("\"m\": ", "\"m\": -", 1).as_bytes(), With("serial_2_flex_0"));
    let closed = fs::read_to_string(repository("references/cases/loop_flex_ball_to_ground.json")).unwrap();
    let unknown = closed.replacen("\"closed\"", "\"network\"", 1);
    c.eval("case of a kind that is not supported", unknown.as_bytes(), With("not supported"));
    let unclosed = closed.replacen("\"body\": -1", "\"body\": 9", 1);
    c.eval("loop on a body that is not there", unclosed.as_bytes(), With("model.loops[0].b.body"));
    c.0
}

/// The words that an output has for its user: the first line, where, what was expected, what to do.
fn message(output: &Output) -> String {
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    // Where a run ended early, that counts, whatever warnings there were before.
    let early = told.lines().position(|line| line.contains("the run ended early"));
    let mut lines = told.lines().skip(early.unwrap_or(0));
    let Some(first) = lines.next() else { return "—".to_owned() };
    let mut words = first.trim_start_matches("supple: ").to_owned();
    if words.ends_with(':') {
        words += lines.next().unwrap_or_default().trim_start_matches("supple: case.json:");
    }
    // The rest of the first problem.
    for line in lines.take_while(|line| !line.is_empty()) {
        let line = line.trim_start();
        if let Some(place) = line.strip_prefix("--> ") {
            let _ = write!(words, " ({place})");
        } else if let Some(more) = line.strip_prefix("= ") {
            let _ = write!(words, "; {more}");
        }
    }
    steady(&words)
}

/// Numbers that depend on the machine, and texts too long for a table, made the same everywhere.
fn steady(text: &str) -> String {
    let mut text = text.replace(|c: char| c.is_control(), " ");
    for mark in ["t = ", "shrank to ", "step of ", "correction was "] {
        let mut parts = text.split(mark).map(str::to_owned).collect::<Vec<_>>().into_iter();
        let mut whole = parts.next().unwrap_or_default();
        for part in parts {
            let digits = part.find(|c: char| !(c.is_ascii_digit() || ".e-+".contains(c))).unwrap_or(part.len());
            let _ = write!(whole, "{mark}{}{}", if digits > 0 { "…" } else { "" }, &part[digits..]);
        }
        text = whole;
    }
    let text = text.replace('|', "\\|").replace('<', "&lt;");
    if text.chars().count() > 400 { text.chars().take(400).chain(['…']).collect() } else { text }
}

/// What an input must not do, and what it must.
fn check(case: &Case, output: &Output) -> Result<(), String> {
    let told = String::from_utf8_lossy(&output.stderr);
    let status = output.status.code();
    let fail = |why: &str| Err(format!("{}: {why}: status {status:?}: {told}", case.input));
    let needle = match case.ends {
        Ends::At(words) | Ends::With(words) | Ends::Warning(words) => words,
        Ends::Well => "",
    };
    if told.contains("panicked") || told.contains("RUST_BACKTRACE") || status.is_none() {
        return fail("it crashed or took too long");
    }
    if !told.contains(needle) {
        return fail(&format!("`{needle}` is missing"));
    }
    match case.ends {
        Ends::Warning(_) if status != Some(0) => fail("it failed"),
        Ends::Well if status != Some(0) || !told.is_empty() => fail("it failed or complained"),
        Ends::At(_) | Ends::With(_) if !matches!(status, Some(1 | 2)) => fail("it went through"),
        Ends::At(_) => {
            let place = told.lines().find_map(|line| line.trim_start().strip_prefix("--> "));
            let numbers = place.map(|place| place.rsplit(':').take(2).filter(|n| n.parse::<u32>().is_ok()).count());
            if numbers == Some(2) { Ok(()) } else { fail("no file:line:column") }
        }
        _ => Ok(()),
    }
}

/// Checkpoints need a run before they can be bad.
fn checkpoints() -> Vec<(&'static str, &'static str, Output)> {
    let folder = Folder::new();
    folder.write("model.toml", MODEL).write("scenario.toml", format!("checkpoint_interval = 0.5\n{SCENARIO}"));
    let mut outputs = Vec::new();
    let mut add = |input: &'static str, command: &'static str| {
        let arguments: Vec<&str> = command.split(' ').collect();
        outputs.push((input, command, run_within(&folder, &arguments, LIMIT)));
    };
    let resume = "run scenario.toml --resume";
    add("no checkpoint", resume);
    runs(&folder, &["run", "scenario.toml"]);
    add("results that are there already", "run scenario.toml");
    add("unknown column of a plot", "run scenario.toml --force --plot hinge");
    let (checkpoint, rows) = (folder.text("results/checkpoint.json"), folder.text("results/results.csv"));
    folder.write("results/checkpoint.json", changed(&checkpoint, "\"time\":1.0", "\"time\":2.0"));
    add("checkpoint with another number", resume);
    folder.write("results/checkpoint.json", &checkpoint[..40]);
    add("checkpoint cut off", resume);
    folder.write("results/checkpoint.json", changed(&checkpoint, "supple-checkpoint-5", "supple-checkpoint-9"));
    add("checkpoint of another version", resume);
    folder.write("results/checkpoint.json", &checkpoint);
    folder.write("model.toml", changed(MODEL, "mass = 2", "mass = 3"));
    add("checkpoint of another model", resume);
    folder.write("model.toml", MODEL);
    folder.write("results/results.csv", rows.lines().take(6).map(|line| format!("{line}\n")).collect::<String>());
    add("fewer rows than the checkpoint has", resume);
    folder.write("results/results.csv", changed(&rows, "hinge.wrist", "hinge.elbow"));
    add("rows of other columns", resume);
    assert_eq!(folder.text("results/checkpoint.json"), checkpoint, "a refused run has changed the checkpoint");
    outputs
}

#[test]
fn bad_inputs_are_told() {
    let cases = cases();
    let mut rows = String::new();
    let mut findings = Vec::new();
    let (mut group, mut count) = ("", 0);
    let head = |rows: &mut String, group: &str| {
        let _ = writeln!(rows, "\n## {group}\n\n| input | command | exit | message |\n|---|---|---|---|");
    };
    let row = |rows: &mut String, input: &str, command: &str, output: &Output| {
        let status = output.status.code().map_or("none".to_owned(), |status| status.to_string());
        let _ = writeln!(rows, "| {input} | `supple {command}` | {status} | {} |", message(output));
    };
    let mut groups: Vec<&str> = Vec::new();
    cases.iter().for_each(|case| {
        if !groups.contains(&case.group) {
            groups.push(case.group);
        }
    });
    for wanted in groups {
        for case in cases.iter().filter(|case| case.group == wanted) {
            if group != case.group {
                group = case.group;
                head(&mut rows, group);
            }
            let folder = Folder::new();
            case.files.iter().for_each(|(name, content)| {
                folder.write(name, content);
            });
            let output = run_within(&folder, &case.command, LIMIT);
            findings.extend(check(case, &output).err());
            row(&mut rows, case.input, &case.command.join(" "), &output);
            count += 1;
        }
    }
    head(&mut rows, "Runs that go on, results that are there");
    for (input, command, output) in checkpoints() {
        let told = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(1) || told.contains("panicked") || told.is_empty() {
            findings.push(format!("{input}: status {:?}: {told}", output.status.code()));
        }
        row(&mut rows, input, command, &output);
        count += 1;
    }
    assert!(findings.is_empty(), "{} of {count}:\n\n{}", findings.len(), findings.join("\n\n"));
    assert!(count >= 40);
    let page = format!(
        "# Bad inputs\n\n{count} invalid or suspicious inputs and the message of the command: its first line, the place in the file, \
         the expected input and the remedy. Each is run by `crates/supple-cli/tests/command/bad_inputs.rs`, which writes \
         this page (`SUPPLE_WRITE_DOCS=1`) and fails when it is out of date; none may crash, or take more than 20 s. Exit status 1: \
         invalid or ended early; 2: not supported; 0: done, perhaps with a warning. A `—` is a run without messages.\n{rows}"
    );
    let path = repository("docs/bad-inputs.md");
    if std::env::var_os("SUPPLE_WRITE_DOCS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    for (i, (a, b)) in there.lines().zip(page.lines()).enumerate() {
        assert_eq!(a, b, "docs/bad-inputs.md, line {}: write it again with SUPPLE_WRITE_DOCS=1", i + 1);
    }
    assert!(there == page, "docs/bad-inputs.md is out of date: write it again with SUPPLE_WRITE_DOCS=1");
}
