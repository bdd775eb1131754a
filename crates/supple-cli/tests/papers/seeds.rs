//! Every equation, figure, table and claim of the five source documents is accounted for, one row each: `docs/seeds/000.toml` to `004.toml`.
//!
//! A row says what it is and where it stands in its document, and either which files compute it and which tests would fail if it were wrong, or in
//! a sentence why it is not there. The page `docs/seeds.md` is made of these rows: `SUPPLE_WRITE_DOCS=1 cargo test -p supple-cli --test papers seeds`
//! writes it.

use crate::pictures::words;
use crate::project::{not_a_test, read, root};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

/// Number, authors and number of rows of each document.
const DOCUMENTS: [(&str, &str, usize); 5] = [
    ("000", "US patent 5,546,508, Jain and Rodriguez 1996", 94),
    ("001", "Jain and Rodriguez 1992", 58),
    ("002", "Rodriguez, Jain and Kreutz-Delgado 1989", 54),
    ("003", "Book 1983", 41),
    ("004", "Damaren and Sharf 1995", 62),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    item: Vec<Row>,
}

/// A row of the ledger.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// Where it stands in the document: an equation, a section, a figure, a claim.
    place: String,
    /// What it is.
    item: String,
    /// Files that compute or show it, from the root of the project.
    #[serde(default)]
    files: Vec<String>,
    /// Tests that would fail if it were wrong: `path/of/file.rs::name_of_test`.
    #[serde(default)]
    tests: Vec<String>,
    /// What a reader of the document should know: a misprint, another form of the same.
    #[serde(default)]
    note: String,
    /// A sentence that says why it is not there: superseded by which better form, misprinted, unreadable. Instead of files and tests, or beside
    /// those of the better form.
    #[serde(default)]
    why_not: String,
}

impl Row {
    /// What is wrong with the row, in words.
    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if [&self.place, &self.item, &self.note, &self.why_not].iter().any(|text| text.contains(['|', '\n'])) {
            problems.push("a cell of a table has one line and no vertical bar".to_owned());
        }
        if self.place.is_empty() || self.item.is_empty() {
            problems.push("it needs a place and an item".to_owned());
        }
        if self.why_not.is_empty() && (self.files.is_empty() || self.tests.is_empty()) {
            problems.push("it is open: give files and tests, or say in `why_not` why it is not there".to_owned());
        }
        for text in [&self.note, &self.why_not].into_iter().filter(|text| !text.is_empty()) {
            if text.split_whitespace().count() < 4 || !text.ends_with('.') {
                problems.push(format!("`{text}` is not a sentence"));
            }
        }
        let lost = self.files.iter().filter(|file| !root().join(file).exists());
        problems.extend(lost.map(|file| format!("{file} does not exist")));
        problems.extend(self.tests.iter().filter_map(|test| not_a_test(test)));
        problems
    }

    /// The row as one of the page.
    fn cells(&self) -> String {
        let spans = |of: &[String]| of.iter().map(|span| format!("`{span}`")).collect::<Vec<_>>().join(", ");
        let why = if self.why_not.is_empty() { String::new() } else { format!("**Not here.** {}", self.why_not) };
        let remarks =
            [self.note.clone(), why].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
        format!("| {} | {} | {} | {} | {remarks} |", self.place, self.item, spans(&self.files), spans(&self.tests))
    }
}

/// All documents with their rows.
fn documents() -> Vec<(&'static str, &'static str, usize, Vec<Row>)> {
    DOCUMENTS
        .into_iter()
        .map(|(number, authors, count)| {
            let path = format!("docs/seeds/{number}.toml");
            let rows: Rows = toml::from_str(&read(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
            (number, authors, count, rows.item)
        })
        .collect()
}

#[test]
fn every_item_of_the_documents_is_accounted_for() {
    let mut problems = Vec::new();
    for (number, _, count, rows) in documents() {
        if rows.len() != count {
            problems.push(format!("docs/seeds/{number}.toml has {} rows, not {count}", rows.len()));
        }
        let mut seen = BTreeSet::new();
        for row in &rows {
            let name = format!("docs/seeds/{number}.toml: {} {}", row.place, row.item);
            if !seen.insert((&row.place, &row.item)) {
                problems.push(format!("{name}: twice"));
            }
            problems.extend(row.problems().into_iter().map(|problem| format!("{name}: {problem}")));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

/// Every row of the errata of a document names the test that decides, or the page that shows what cannot be decided.
#[test]
fn errata_name_the_tests_that_decide() {
    let text = read("docs/errata.md");
    let (_, documents) = text.split_once("\n## 000").unwrap();
    let rows = documents.lines().filter(|line| line.starts_with('|') && !line.starts_with("|---"));
    let mut problems = Vec::new();
    for row in rows.filter(|row| !row.starts_with("| place")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [place, _, _, check] = cells[..] else { panic!("place, printed, holds, check: {row}") };
        let tests: Vec<&str> = check.split('`').filter(|part| part.contains("::")).collect();
        if tests.is_empty() && !check.contains("](") {
            problems.push(format!("{place}: no test"));
        }
        problems.extend(tests.into_iter().filter_map(not_a_test));
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

/// The drawing of the frames, which the copies of the documents lack, has every frame of the table of the notation, and the nodes between which a hinge is.
#[test]
fn the_drawing_has_every_frame() {
    let notation = read("docs/notation.md");
    let table = notation.split_once("\n| frame ").unwrap().1.lines().skip(2).take_while(|line| line.starts_with('|'));
    let names: Vec<&str> = table.map(|line| line.split('|').nth(1).unwrap().trim().trim_matches('`')).collect();
    assert!(names.len() == 5 && notation.contains("(pictures/frames.svg)"), "{names:?}");
    let drawing = read("docs/pictures/frames.svg");
    let words = words(&drawing);
    for name in names.into_iter().filter(|name| *name != "node").chain(["node d", "node t"]) {
        assert!(words.contains(&name), "{name} is not drawn: {words:?}");
    }
}

/// The page that shows the ledger.
fn page() -> String {
    let documents = documents();
    let total: usize = documents.iter().map(|(.., rows)| rows.len()).sum();
    let mut page = format!(
        "# Every equation, figure, table and claim\n\n\
         The five source documents ([theory.md](theory.md) lists them) item by item, {total} in all: the files that compute or show each one, and tests that \
         would fail if it were wrong. What is not here says why. [equations.md](equations.md) goes the other way, from tags in the code; \
         [errata.md](errata.md) has the forms that hold where a document is misprinted.\n\n\
         `crates/supple-cli/tests/papers/seeds.rs` makes this page from `docs/seeds` (`SUPPLE_WRITE_DOCS=1` writes it) and checks that every file and \
         test exists and no row is open.\n"
    );
    for (number, authors, _, rows) in documents {
        let absent = rows.iter().filter(|row| !row.why_not.is_empty()).count();
        let _ = write!(page, "\n## {number}: {authors}\n\n{} rows, {absent} of them not here.\n\n", rows.len());
        page.push_str("| place | item | files | tests | remarks |\n|---|---|---|---|---|\n");
        for row in rows {
            page.push_str(&row.cells());
            page.push('\n');
        }
    }
    page
}

#[test]
fn page_of_the_documents_is_that_of_the_ledger() {
    let page = page();
    if std::env::var_os("SUPPLE_WRITE_DOCS").is_some() {
        fs::write(root().join("docs/seeds.md"), &page).unwrap();
    }
    assert!(read("docs/seeds.md") == page, "docs/seeds.md is out of date: write it with SUPPLE_WRITE_DOCS=1");
}
