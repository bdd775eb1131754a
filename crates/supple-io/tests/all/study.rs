//! Studies: what they say, and what is wrong with those that say nothing.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use supple_io::change::Change;
use supple_io::source::FileError;
use supple_io::study_file::{Law, Measure, Sampling, StudyFile, read};

/// A folder with a study and a scenario of whatever content, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(study: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("supple-study-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("slew.toml"), "").unwrap();
        fs::write(folder.join("study.toml"), study).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const HEAD: &str = "format = \"supple-study-1\"\nscenario = \"slew.toml\"\n";
const EXTRACT: &str = "[[extract]]\ncolumn = \"hinge.elbow\"\n";

fn study(top: &str, tables: &str) -> Result<StudyFile, FileError> {
    let folder = Folder::new(&format!("{HEAD}{top}\n{tables}\n{EXTRACT}"));
    read(&folder.0.join("study.toml"), &[])
}

#[test]
fn every_law_is_read() {
    let tables = r#"
        [[vary]]
        key = "a.mass"
        uniform = [1, 2]
        [[vary]]
        key = ["b.x", "b.y"]
        name = "b"
        normal = { mean = 5, deviation = 0.5, to = 6 }
        [[vary]]
        key = "c"
        lognormal = { median = 0.01, deviation = 0.2 }
        [[vary]]
        key = "d"
        triangular = { from = 0, peak = 1, to = 3 }
        [[vary]]
        key = "e"
        list = ["one.csv", 2, [1,
            2, 3]] # any value
        weights = [1, 1, 2]
        [[vary]]
        key = "f"
        with = "e"
        linspace = { from = 0, to = 1, count = 3 }
        [[vary]]
        key = "g"
        logspace = { from = 1, to = 100, count = 3 }"#;
    let found = study("samples = 10", tables).unwrap();
    assert_eq!(
        (found.sampling, found.samples, found.dimensions, found.own_noise),
        (Sampling::Random, Some(10), 6, true)
    );
    assert_eq!(found.varied[0].law, Law::Uniform { from: 1.0, to: 2.0 });
    assert_eq!(found.varied[1].keys, ["b.x", "b.y"]);
    assert_eq!(found.varied[1].law, Law::Normal { mean: 5.0, deviation: 0.5, bounds: [f64::NEG_INFINITY, 6.0] });
    assert_eq!(found.varied[5].dimension, found.varied[4].dimension);
    let texts = |i: usize| match &found.varied[i].law {
        Law::List { items, .. } => items.iter().map(|item| item.text.as_str()).collect::<Vec<_>>(),
        law => panic!("{law:?}"),
    };
    assert_eq!(texts(4), ["\"one.csv\"", "2", "[1, 2, 3]"]);
    assert_eq!(texts(5), ["0.0", "0.5", "1.0"]);
    assert_eq!(texts(6), ["1.0", "10.0", "100.0"]);
    let Law::List { weights, .. } = &found.varied[4].law else { panic!() };
    assert_eq!(weights.as_deref(), Some(&[0.25, 0.25, 0.5][..]));
    assert_eq!((found.extracted[0].name.as_str(), found.extracted[0].measure), ("hinge.elbow last", Measure::Last));
    assert_eq!(found.folder, "results/study");
}

#[test]
fn values_are_set_from_outside() {
    let folder = Folder::new(&format!("{HEAD}samples = 10\nset = [\"duration=5\"]\n{EXTRACT}"));
    let changes = ["study.samples=20", "output_interval=0.5"].map(|text| Change::parse(text).unwrap());
    let found = read(&folder.0.join("study.toml"), &changes).unwrap();
    assert_eq!(found.samples, Some(20));
    let set: Vec<String> = found.changes.iter().map(Change::to_string).collect();
    assert_eq!(set, ["duration=5", "output_interval=0.5"]);
    let wrong = read(&folder.0.join("study.toml"), &[Change::parse("study.smaples=20").unwrap()]).unwrap_err();
    assert!(wrong.to_string().contains("--set") && wrong.to_string().contains("did you mean `samples`?"), "{wrong}");
}

/// Each mistake is told with its line, its value, and what to write instead.
#[test]
fn mistakes_are_told() {
    let vary = |text: &str| format!("[[vary]]\nkey = \"a\"\n{text}");
    for (top, tables, line, expected) in [
        ("", String::new(), 1, "samples"),
        ("samples = 0", String::new(), 3, "1 or more"),
        ("sampling = \"grid\"\nsamples = 3", vary("list = [1]"), 4, "every combination"),
        ("sampling = \"grid\"", vary("uniform = [0, 1]"), 4, "a grid needs values"),
        ("samples = 3\nlevels = 4", vary("uniform = [0, 1]"), 4, "morris"),
        ("samples = 3\nsampling = \"morris\"\nlevels = 3", vary("uniform = [0, 1]"), 5, "an even number"),
        ("samples = 3\nsampling = \"sobol-indices\"", String::new(), 4, "nothing varies"),
        ("samples = 3", vary("uniform = [1, 0]"), 6, "ascending order"),
        ("samples = 3", vary("uniform = [1, 2]\nlist = [1]"), 6, "exactly one"),
        ("samples = 3", vary("list = []"), 6, "one value or more"),
        ("samples = 3", vary("list = [1, 2]\nweights = [1]"), 7, "2"),
        ("samples = 3", vary("list = [1, 2]\nweights = [0, 0]"), 7, "a sum above zero"),
        ("samples = 3", vary("uniform = [1, 2]\nweights = [1]"), 7, "only values of a `list`"),
        ("samples = 3", vary("linspace = { from = 0, to = 1, count = 1 }"), 6, "2 or more"),
        ("samples = 3", vary("logspace = { from = 0, to = 1, count = 3 }"), 6, "ends above zero"),
        ("samples = 3", vary("triangular = { from = 0, peak = 2, to = 1 }"), 6, "a peak between"),
        ("samples = 3", vary("uniform = [1, 2]\nwith = \"b\""), 7, "value above"),
        ("samples = 3", vary("uniform = [1, 2]\nname = \"status\""), 7, "another column"),
        ("samples = 3", vary("uniform = [1, 2]") + "\n" + &vary("uniform = [1, 2]"), 8, "varies twice"),
        ("samples = 3", "[[vary]]\nkey = \"a b\"\nuniform = [1, 2]".into(), 5, "key"),
        ("samples = 3\nset = [\"duration\"]", String::new(), 4, "KEY=VALUE"),
        ("samples = 3", "[[extract]]\ncolumn = \"x\"\nmeasure = \"at\"".into(), 4, "time"),
        ("samples = 3", "[[extract]]\ncolumn = \"x\"\nband = 1".into(), 6, "settling-time"),
        ("samples = 3", "[[extract]]\ncolumn = \"x\"\nfrom = 2\nto = 1".into(), 7, "ascending order"),
        ("samples = 3\nfolder = \"../out\"", String::new(), 4, "`..`"),
    ] {
        let error = study(top, &tables).expect_err(&format!("{top}\n{tables}"));
        let text = error.to_string();
        assert!(text.contains(expected), "{top}\n{tables}\n{text}");
        assert!(error.findings().iter().any(|finding| finding.place.line == line), "{top}\n{tables}\n{text}");
    }
}

#[test]
fn links_fit_each_other() {
    let linked = |first: &str, second: &str| {
        study("samples = 3", &format!("[[vary]]\nkey = \"a\"\n{first}\n[[vary]]\nkey = \"b\"\nwith = \"a\"\n{second}"))
    };
    assert_eq!(linked("list = [1, 2]", "list = [3, 4]").unwrap().dimensions, 1);
    assert_eq!(linked("uniform = [0, 1]", "normal = { mean = 0, deviation = 1 }").unwrap().dimensions, 1);
    assert!(linked("list = [1, 2]", "list = [3]").unwrap_err().to_string().contains("lists of one length"));
}
