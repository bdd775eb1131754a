//! Pages: whole, harmless whatever the names in them are, and not too large.

use supple::{Body, BodyIndex, Closure, ClosureKind, Hinge, HingeKind, Model, Mount, NodeIndex, Parent, State, System};
use supple_io::results::{Column, IntegratorSummary, Outcome, Summary, Table};
use supple_report::columns::ColumnRecorder;
use supple_report::{MotionRecorder, Origin, OriginFile, Recording, Run, Scene, page};

const HOSTILE: &str = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>\"' & \u{2028}";

/// A run whose every name is hostile.
fn run(rows: u64) -> Run {
    let inertia = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.5]];
    let hinge = Hinge { name: Some(HOSTILE.into()), ..Hinge::new(HingeKind::Free) };
    let body = Body::rigid(HOSTILE, Parent::Ground, hinge, 1.0, [0.1, 0.0, 0.0], inertia);
    let held = Mount::node(BodyIndex(0), NodeIndex(0));
    let ball = Closure::joint(ClosureKind::Ball, held, Mount::ground()).named(HOSTILE);
    let system = System { bodies: vec![body], closures: vec![ball], ..System::default() };
    let model = Model::build(&system).unwrap();
    let scene = Scene::new(HOSTILE, &system, &model, &|_| vec![HOSTILE.to_owned()]);
    let mut recorder = MotionRecorder::new(&scene, &model);
    let columns = vec![Column::new("time", "s", ""), Column::new(format!("hinge.{HOSTILE}"), "rad", HOSTILE)];
    let mut table = ColumnRecorder::new(&columns);
    for row in 0..rows {
        let state = State { time: row as f64, ..State::new(&model) };
        recorder.take(&scene, &model, &state).unwrap();
        table.take(&[row as f64, (row as f64).sin()]);
    }
    let integrator =
        IntegratorSummary { name: HOSTILE.into(), relative_tolerance: None, absolute_tolerance: None, step: None };
    let columns = Table::new(HOSTILE, columns.into_iter().take(1).collect()).unwrap();
    let mut summary = Summary::new(HOSTILE, &columns, integrator);
    summary.outcome = Outcome::Failed(HOSTILE.into());
    summary.warnings = vec![HOSTILE.into()];
    let files = vec![OriginFile { name: HOSTILE.into(), text: Some(HOSTILE.into()) }];
    let origin = Origin { command: HOSTILE.into(), files };
    let recording = Recording::new(scene, recorder.motion().clone(), origin);
    Run { label: HOSTILE.into(), summary, recording, table: table.columns() }
}

/// How often a text occurs.
fn count(page: &str, text: &str) -> usize {
    page.matches(text).count()
}

#[test]
fn hostile_names_do_no_harm() {
    let plain = Run { label: "plain".into(), ..run(3) };
    for html in [page::of_run(&run(3)), page::of_two(&run(3), &plain), page::of_live(&run(2), 2)] {
        // Their letters are there, escaped; their elements are not.
        assert!(html.contains("alert(1)"));
        assert_eq!(count(&html, "<script>alert"), 0);
        assert_eq!(count(&html, "<img src=x"), 0);
        assert_eq!(count(&html, "</script><script>"), 0);
        let scripts = if page::IS_COMPLETE { 2 } else { 0 };
        assert_eq!(count(&html, "</script>"), scripts, "as many scripts as the page has of its own");
        let (head, _) = html.split_once("</head>").unwrap();
        assert_eq!(count(head, "<title>"), 1);
    }
}

#[test]
fn the_page_is_whole() {
    let html = page::of_run(&run(100));
    assert!(html.starts_with("<!doctype html>") && html.trim_end().ends_with("</html>"));
    assert!(!html.contains("<!--supple:"), "all places are filled");
    if page::IS_COMPLETE {
        let (_, rest) = html.split_once("id=\"supple-data\">").unwrap();
        let (json, _) = rest.split_once("</script>").unwrap();
        let data: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(data["runs"][0]["label"], HOSTILE);
        assert_eq!(data["kind"], "report");
    } else {
        assert!(html.contains("built without Node.js") && html.contains("<svg"));
    }
    let other_hosts =
        html.split("src=\"").chain(html.split("href=\"")).skip(1).filter(|rest| rest.starts_with("http")).count();
    assert_eq!(other_hosts, 0, "nothing is fetched");
}

/// However long a run, its page stays small.
#[test]
fn pages_of_long_runs_are_small() {
    let few = page::of_run(&run(10)).len();
    let many = page::of_run(&run(50_000)).len();
    assert!(many - few < 500_000, "{few} {many}");
}

/// `SUPPLE_WITHOUT_PAGE=1 cargo test` tests the page of a build without Node.js.
#[test]
fn the_build_does_as_it_is_told() {
    if std::env::var_os("SUPPLE_WITHOUT_PAGE").is_some_and(|value| value == "1") {
        assert!(page::of_run(&run(5)).contains("built without Node.js"));
    }
}
