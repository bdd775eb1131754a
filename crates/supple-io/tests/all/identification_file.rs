//! Identification and optimisation files: what they say, recordings in both formats, mistakes with place and remedy.

use std::fs;
use std::path::{Path, PathBuf};

use supple_io::identification_file::{self, Identification};
use supple_io::optimisation_file::{self, Objective};
use supple_io::results::{Channel, Column, Existing, McapWriter, RowSink, Table, TopicLayout};
use supple_io::source::FileError;

const FILE: &str = r#"
format = "supple-identify-1"
scenario = "swing.toml"
recording = "data.csv"
time = "t"
time_zero = "first"
to = 0.3
[[parameter]]
key = ["model.body.a.rigid.mass", "model.body.b.rigid.mass"]
name = "masses"
start = 2
lower = 0
prior = { value = 2.1, deviation = 0.5 }
[[measured]]
column = "hinge.a"
from = "enc"
unit = "deg"
noise = 1e-3
offset = true
[[input]]
hinge = "a"
from = "torque"
factor = 2
"#;
const DATA: &str = "t,enc[deg],torque\n10.0,0,1\n10.1,90,2\n10.2,,3\n10.3,180,4\n10.4,7,5\n";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("identification-{name}"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("swing.toml"), "").unwrap();
    folder
}

fn read(name: &str, text: &str, data: &str) -> Result<Identification, FileError> {
    let folder = folder(name);
    fs::write(folder.join("data.csv"), data).unwrap();
    fs::write(folder.join("identify.toml"), text).unwrap();
    identification_file::read(&folder.join("identify.toml"))
}

#[test]
fn a_file_with_its_recording() {
    let found = read("sound", FILE, DATA).unwrap();
    let [parameter] = &found.parameters[..] else { panic!("{found:?}") };
    assert_eq!((parameter.name.as_str(), parameter.start, parameter.bounds[0]), ("masses", 2.0, 0.0));
    assert_eq!((parameter.keys.len(), parameter.prior, parameter.line), (2, Some([2.1, 0.5]), 9));
    let lines: Vec<String> = parameter.changes(0.25).iter().map(ToString::to_string).collect();
    assert_eq!(lines, ["model.body.a.rigid.mass=2.5e-1", "model.body.b.rigid.mass=2.5e-1"]);
    // The empty cell is missing, what comes after `to` does not count, degrees are radians.
    let measured = &found.measured[0];
    assert_eq!(measured.values, [0.0, std::f64::consts::FRAC_PI_2, std::f64::consts::PI]);
    assert!(measured.times.iter().zip([0.0, 0.1, 0.3]).all(|(a, b)| (a - b).abs() < 1e-9) && measured.offset);
    assert_eq!(found.inputs[0].values, [2.0, 4.0, 6.0, 8.0, 10.0]);
}

#[test]
fn mistakes_have_places_and_remedies() {
    for (text, data, told) in [
        (FILE.replace("\"enc\"", "\"encoder\""), DATA.into(), "column of the recording"),
        (FILE.replace("time = \"t\"", "time = \"time\""), DATA.into(), "column of times"),
        (FILE.into(), DATA.replace("10.3,", "10.1,"), "times that increase"),
        (FILE.into(), DATA.replace("180", "x"), "not a decimal number"),
        (FILE.into(), DATA.replace(",180,4", ",180"), "row"),
        (FILE.replace("data.csv", "none.csv"), DATA.into(), "no such file"),
        (FILE.replace("start = 2", "start = -2"), DATA.into(), "start between them"),
        (FILE.replace("to = 0.3", "from = 9"), DATA.into(), "no samples"),
        (FILE.replace("noise = 1e-3", "noise = 0"), DATA.into(), "above zero"),
        (FILE.replace("supple-identify-1", "supple-identify-2"), DATA.into(), "supple-identify-1"),
        (FILE.replace("factor = 2", "factor = 2\nunit = \"deg\""), DATA.into(), "factor"),
    ] {
        let error = read("mistakes", &text, &data).unwrap_err().to_string();
        assert!(error.contains(told), "{told}:\n{error}");
    }
}

#[test]
fn a_log_of_messages() {
    let folder = folder("log");
    let columns = vec![Column::new("time", "s", "time"), Column::new("hinge.a", "rad", "angle")];
    let table = Table::new("model", columns).unwrap();
    let channel = Channel { topic: "/hinges".into(), columns: vec![1] };
    let layout = TopicLayout { channels: vec![channel], frames: Vec::new() };
    let mut log = McapWriter::create(&folder.join("data.mcap"), &table, &layout, Existing::Replace).unwrap();
    for i in 0..5 {
        log.append(&[0.1 * f64::from(i), f64::from(i * i)]).unwrap();
    }
    Box::new(log).finish().unwrap();
    let text = "format = \"supple-identify-1\"\nscenario = \"swing.toml\"\nrecording = \"data.mcap\"\n[[parameter]]\nkey = \"duration\"\nstart = 1\n\
                [[measured]]\ncolumn = \"hinge.a\"\n[[measured]]\ncolumn = \"speed.a\"\nfrom = \"/hinges.hinge.a\"\n";
    fs::write(folder.join("identify.toml"), text).unwrap();
    let found = identification_file::read(&folder.join("identify.toml")).unwrap();
    assert_eq!(found.measured[0].values, [0.0, 1.0, 4.0, 9.0, 16.0]);
    assert_eq!(found.measured[1].values, found.measured[0].values);
    // What a killed program left is read up to where it was cut: here within the last row.
    let mut live = McapWriter::live(&folder.join("data.mcap"), &table, &layout, Existing::Replace).unwrap();
    for i in 0..5 {
        live.append(&[0.1 * f64::from(i), f64::from(i * i)]).unwrap();
        live.flush().unwrap();
    }
    let cut = fs::read(folder.join("data.mcap")).unwrap();
    drop(live);
    fs::write(folder.join("data.mcap"), &cut[..cut.len() - 3]).unwrap();
    let found = identification_file::read(&folder.join("identify.toml")).unwrap();
    assert_eq!(found.measured[0].values, [0.0, 1.0, 4.0, 9.0]);
    fs::write(folder.join("data.mcap"), b"nothing").unwrap();
    let error = identification_file::read(&folder.join("identify.toml")).unwrap_err().to_string();
    assert!(error.contains("an MCAP file with JSON messages"), "{error}");
}

#[test]
fn an_optimisation() {
    let folder = folder("optimisation");
    let text = "format = \"supple-optimise-1\"\nscenario = \"swing.toml\"\nobjective = \"time\"\nduration = 2\n[[move]]\nhinge = \"a\"\nto = 1\neffort = 3\n\
                [[residual]]\nbody = \"a\"\nnode = \"tip\"\namplitude = 1e-3\n";
    let read = |text: &str| {
        fs::write(folder.join("move.toml"), text).unwrap();
        optimisation_file::read(&folder.join("move.toml"))
    };
    let found = read(text).unwrap();
    assert_eq!((found.objective, found.duration, found.knots), (Objective::Time, 2.0, 24));
    assert!(found.moves[0].effort == 3.0 && found.moves[0].speed.is_infinite() && found.residuals[0].time == 1.0);
    for (wrong, told) in [
        (text.replace("duration = 2", "duration = 2\nknots = 2"), "from 4 to 400"),
        (text.replace("swing.toml", "none.toml"), "no such file"),
        (text.replace("effort = 3", "effort = -3"), "above zero"),
        (text.replace("\"time\"", "\"speed\""), "speed"),
        (text.replace("-optimise-1", "-optimise-3"), "supple-optimise-1"),
    ] {
        let error = read(&wrong).unwrap_err().to_string();
        assert!(error.contains(told), "{told}:\n{error}");
    }
}
