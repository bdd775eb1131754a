//! Pages: one HTML file each, with everything in it.

use serde::Serialize;
use supple_io::results::Answer;

use crate::plain_page;
use crate::report::Run;

/// The page that `web/` was built into; empty where it could not be.
const TEMPLATE: &str = include_str!(concat!(env!("OUT_DIR"), "/page.html"));
/// Where the data go.
const DATA: &str = "<!--supple:data-->";
/// Where the title goes.
const TITLE: &str = "<!--supple:title-->";

/// Whether pages have the 3D view and linked plots; without Node.js at build time they have pictures and tables.
pub const IS_COMPLETE: bool = !TEMPLATE.is_empty();

/// What a page shows.
#[derive(Serialize)]
struct Data<'r> {
    format: &'static str,
    kind: &'static str,
    supple: &'static str,
    /// The row that a page of a run that goes on asks from.
    next: Option<u64>,
    runs: Vec<Shown<'r>>,
}

/// A run, and what happened in words; damping as it is driven.
#[derive(Serialize)]
struct Shown<'r> {
    #[serde(flatten)]
    run: &'r Run,
    answers: Vec<Answer>,
    damping: Vec<String>,
}

/// The page of one run.
pub fn of_run(run: &Run) -> String {
    of_runs("report", &run.label, &[run], None)
}

/// The page of a model that was not run: one frame, with the facts and the modes.
pub fn of_model(still: &Run) -> String {
    of_runs("model", &still.label, &[still], None)
}

/// The page of two runs side by side.
pub fn of_two(one: &Run, other: &Run) -> String {
    of_runs("compare", &format!("{} and {}", one.label, other.label), &[one, other], None)
}

/// The page of a run that goes on: it asks the server that it came from for the rows from number `next` on.
pub fn of_live(run: &Run, next: u64) -> String {
    of_runs("live", &run.label, &[run], Some(next))
}

fn of_runs<'r>(kind: &'static str, title: &str, runs: &[&'r Run], next: Option<u64>) -> String {
    let shown = |run: &&'r Run| {
        let damping = run.summary.own_damping().map(ToString::to_string);
        Shown { run, answers: run.summary.answers(), damping: damping.into_iter().collect() }
    };
    let data = Data {
        format: "supple-page-1",
        kind,
        supple: env!("CARGO_PKG_VERSION"),
        next,
        runs: runs.iter().map(shown).collect(),
    };
    match TEMPLATE.split_once(DATA) {
        Some((before, after)) => {
            let before = before.replacen(TITLE, &escaped(title), 1);
            format!("{before}{}{after}", script_data(&data))
        }
        None => plain_page::page(title, runs),
    }
}

/// JSON that can stand in a script element whatever the names in it are: without `<` no element can end or begin.
fn script_data(data: &impl Serialize) -> String {
    // Data of our own, with text for keys and numbers that are finite or null, always have a text.
    serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c")
}

/// A text as it stands between elements and in attributes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter => out.push(letter),
        }
    }
    out
}
