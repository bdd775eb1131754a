//! Sensors, shapers and controllers in scenarios: what is read, and what is refused with place and remedy.

use std::path::PathBuf;

use supple::Measurement;
use supple_io::scenario_file::{self, Connection, ControlTable, Scenario};
use supple_io::source::FileError;

const HEAD: &str = "format = \"supple-scenario-1\"\nmodel = \"arm.toml\"\nduration = 1\noutput_interval = 0.1\n";
const SENSOR: &str = "[[sensor]]\nname = \"encoder\"\nupdate_rate = 500\nquantity = \"hinge.shoulder\"\nnoise = 1e-4\nseed = 3\nlatency = 1e-3\n";
const MOVE: &str = "[[controller]]\nname = \"slew\"\nkind = \"trajectory\"\nupdate_rate = 500\nhinge = \"shoulder\"\n\
                    jerk_limited = { to = 0.5, speed = 1, acceleration = 2, jerk = 20 }\n";
const SHAPER: &str = "[[shaper]]\nname = \"calm\"\nkind = \"ei\"\nupdate_rate = 500\nfrequency = [1.5, 4]\ndamping = 0.01\ninput = \"slew\"\n";
const PID: &str = "[[controller]]\nname = \"joint\"\nkind = \"pid\"\nupdate_rate = 500\nhinge = \"shoulder\"\np = 40\nd = 9\nu_clamp = 30\n\
                   antiwindup = \"back-calculation\"\ntracking_time = 0.2\nreference = \"calm\"\nmeasured = \"encoder\"\n";

fn read(text: &str) -> Result<Scenario, FileError> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/two-link-arm");
    scenario_file::from_text("scenario.toml", text, &folder)
}

fn all() -> String {
    [HEAD, SENSOR, MOVE, SHAPER, PID].concat()
}

#[test]
fn blocks_are_connected_by_name() {
    let scenario = read(&all()).unwrap_or_else(|error| panic!("{error}"));
    let model = &scenario.model.model;
    let [encoder, calm, slew, joint] = &scenario.blocks[..] else { panic!("{:?}", scenario.blocks) };
    assert_eq!(
        [encoder.table, calm.table, slew.table],
        [ControlTable::Sensor, ControlTable::Shaper, ControlTable::Controller]
    );
    assert_eq!((encoder.setting.period, encoder.delay), (1.0 / 500.0, 1e-3));
    let shoulder = model.find("upper").unwrap();
    let (coordinate, speed) = (model.hinge_coordinates(shoulder).start, model.hinge_speeds(shoulder).start);
    assert_eq!(encoder.inputs, [Connection::State(Measurement::Coordinate(coordinate))]);
    // Speed and acceleration follow the position.
    let output = |block: usize, output: usize| Connection::Output { block, output };
    assert_eq!(calm.inputs, [output(2, 0), output(2, 1), output(2, 2)]);
    let ideal = Connection::State(Measurement::Speed(speed));
    assert_eq!(joint.inputs, [output(1, 0), output(0, 0), output(1, 1), ideal, Connection::Constant(0.0)]);
    assert_eq!((joint.acts.as_slice(), slew.acts.len()), ([speed].as_slice(), 0));
    assert_eq!(joint.outputs[0][..2], ["effort", "N m"]);
    assert!(scenario.results.columns.iter().any(|word| word == "signals"));
}

/// Every mistake is named at its line, with what would be right.
#[test]
fn mistakes_are_named_with_place_and_remedy() {
    let shoulder = "hinge = \"shoulder\"\np = 40";
    for (part, by, says) in [
        ("input = \"slew\"", "input = \"slow\"", "slew"),
        ("reference = \"calm\"", "reference = \"calm.place\"", "calm.speed"),
        ("quantity = \"hinge.shoulder\"", "quantity = \"hinge.sholder\"", "hinge.shoulder"),
        (shoulder, "hinge = \"elbw\"\np = 40", "elbow"),
        ("name = \"calm\"", "name = \"encoder\"", "encoder"),
        ("u_clamp = 30", "u_clamp = -30", "above zero"),
        ("u_clamp = 30", "uclamp = 30", "u_clamp"),
        ("u_clamp = 30", "frequency = 30", "a pid has none"),
        ("update_rate = 500\nhinge = \"shoulder\"\np", "update_rate = 0\nhinge = \"shoulder\"\np", "above zero"),
        ("frequency = [1.5, 4]", "frequency = -1", "positive"),
        ("damping = 0.01", "damping = [0.1, 0.2, 0.3]", "frequency"),
        ("kind = \"ei\"", "kind = \"eii\"", "ei2"),
        ("kind = \"pid\"", "kind = \"pd\"", "pid"),
        ("antiwindup = \"back-calculation\"", "antiwindup = \"yes\"", "conditional"),
        ("jerk_limited = { to = 0.5, speed = 1, acceleration = 2, jerk = 20 }", "rate = 3", "jerk_limited"),
        ("jerk = 20", "jerk = 0", "above zero"),
    ] {
        let text = all();
        assert!(text.contains(part), "{part}");
        let error = read(&text.replacen(part, by, 1)).map(|_| ()).expect_err(by);
        let told = error.to_string();
        assert!(told.contains(says), "`{by}`: no `{says}` in\n{told}");
        assert!(error.findings().iter().all(|finding| finding.place.line > 0), "{told}");
    }
    let filter = "[[observer]]\nname = \"filter\"\nkind = \"kalman\"\nupdate_rate = 500\nhinges = [\"shoulder\"]\n";
    for (rest, says) in [
        ("", "measured"),
        ("measured = [\"hinge.shoulder\"]\n", "without noise"),
        ("measured = [\"slew\"]\nsensor_noise = 1\n", "which quantity"),
        ("measured = [\"encodr\"]\n", "encoder"),
    ] {
        let told = read(&(all() + filter + rest)).map(|_| ()).expect_err(rest).to_string();
        assert!(told.contains(says), "`{rest}`: no `{says}` in\n{told}");
    }
    let lqr =
        "[[controller]]\nname = \"lqr\"\nkind = \"lqr\"\nupdate_rate = 500\nhinges = [\"elbow\"]\nstate = \"fliter\"\n";
    let measured = "measured = [\"encoder\"]\n";
    let told = read(&(all() + filter + measured + lqr)).map(|_| ()).expect_err("observer").to_string();
    assert!(told.contains("filter"), "{told}");
    let alone = [HEAD, "[[controller]]\nname = \"c\"\nkind = \"pid\"\nupdate_rate = 100\np = 1\n"].concat();
    let told = read(&alone).map(|_| ()).expect_err("no hinge").to_string();
    assert!(told.contains("measured"), "{told}");
    let fast = "[[controller]]\nname = \"n\"\nkind = \"notch\"\nupdate_rate = 100\nfrequency = 60\ninput = \"hinge.shoulder\"\n";
    let told = read(&[HEAD, fast].concat()).map(|_| ()).expect_err("too fast").to_string();
    assert!(told.contains("half the `update_rate`"), "{told}");
}

/// Kinds with a model of the plant and several hinges.
#[test]
fn controllers_may_have_a_model() {
    for model in ["rigid", "flexible"] {
        let text = format!(
            "{HEAD}[[controller]]\nname = \"ct\"\nkind = \"computed-torque\"\nupdate_rate = 200\nhinges = [\"shoulder\", \"elbow\"]\n\
             model = \"{model}\"\np = 100\nd = 20\nreference = [0.3, \"hinge.elbow\"]\n\
             [[controller]]\nname = \"tip\"\nkind = \"impedance\"\nupdate_rate = 200\nhinges = [\"shoulder\", \"elbow\"]\nmodel = \"{model}\"\n\
             body = \"lower\"\nnode = \"tip\"\nstiffness = [100, 200, 0]\ndamping = 3\n"
        );
        let scenario = read(&text).unwrap_or_else(|error| panic!("{error}"));
        let [ct, tip] = &scenario.blocks[..] else { panic!() };
        assert_eq!((ct.inputs.len(), ct.acts.len(), tip.inputs.len()), (10, 2, 7));
        assert_eq!(ct.outputs[1][0], "effort.elbow");
        assert!(ct.law().is_ok() && tip.law().is_ok());
    }
}

/// An observer gives all states, and reads the effort of its hinge as it held before.
#[test]
fn observers_and_regulators_are_connected() {
    let text = "[[observer]]\nname = \"filter\"\nkind = \"kalman\"\nupdate_rate = 500\nhinges = [\"shoulder\"]\nmeasured = [\"encoder\"]\n\
                [[controller]]\nname = \"lqr\"\nkind = \"lqr\"\nupdate_rate = 500\nhinges = [\"shoulder\"]\nstate = \"filter\"\n";
    let scenario = read(&[HEAD, SENSOR, text].concat()).unwrap_or_else(|error| panic!("{error}"));
    let [_, filter, lqr] = &scenario.blocks[..] else { panic!("{:?}", scenario.blocks) };
    let states = scenario.model.model.coordinate_count() + scenario.model.model.speed_count();
    assert_eq!((filter.table, filter.outputs.len(), filter.acts.len()), (ControlTable::Observer, states, 0));
    assert_eq!(filter.setting.measured, ["hinge.shoulder"]);
    assert_eq!(filter.setting.sensor_noise, [1e-4]);
    let before = Connection::Before { block: 2, output: 0 };
    assert_eq!(filter.inputs, [Connection::Output { block: 0, output: 0 }, before]);
    assert_eq!((lqr.inputs.len(), lqr.inputs[2]), (2 + states, Connection::Output { block: 1, output: 0 }));
}
