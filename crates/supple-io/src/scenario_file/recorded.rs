//! What is recorded, and where.

use std::collections::HashSet;

use supple::{BodyIndex, NodeIndex};

use super::Results;
use super::names::Names;
use super::read::Reader;
use super::shapes::FORMATS;
use crate::document::{Table, Value};
use crate::model_file::ModelFile;
use crate::source::folder::check_name;
use crate::source::{Rule, shorten};

/// Most bytes of results where a scenario does not say.
const MOST_BYTES: f64 = 1e10;

impl Reader<'_> {
    /// The table `results`, without its nodes.
    pub(super) fn results(&mut self, table: Option<Table<'_>>) -> Option<Results> {
        let words = |key: &str, default: &[&str]| -> Vec<String> {
            let told = table.and_then(|table| table.get(key)).and_then(Value::items);
            match told {
                Some(items) => items.filter_map(|item| item.text()).map(str::to_owned).collect(),
                None => default.iter().map(|word| (*word).to_owned()).collect(),
            }
        };
        let formats = words("formats", &[FORMATS[0].0]);
        let columns = words("columns", &["hinges", "hinge_speeds", "modes", "energy", "signals"]);
        let folder = table.and_then(|table| table.get("folder"));
        let name = folder.and_then(Value::text).unwrap_or("results");
        if let (Some(value), Err(fault)) = (folder, check_name(name)) {
            self.add(value.span(), Rule::ResultsFolder { name: shorten(name, 60), fault });
            return None;
        }
        for key in ["formats", "columns"] {
            let mut told = HashSet::new();
            for item in table.and_then(|table| table.get(key)).and_then(Value::items).into_iter().flatten() {
                if let Some(word) = item.text().filter(|word| !told.insert(*word)) {
                    let what = format!("`{word}` is given twice");
                    self.add(item.span(), Rule::Mismatch { what, expected: "each value once".into() });
                }
            }
        }
        let asked = table.and_then(|table| table.get("columns")).and_then(Value::items).into_iter().flatten();
        let unlisted = table.is_none_or(|table| table.tables("nodes").is_empty());
        for item in asked.filter(|_| unlisted) {
            let Some(word @ ("deflections" | "strains" | "node_wrenches")) = item.text() else { continue };
            let what = format!("`{word}` needs a list of nodes, and none is given");
            let expected =
                "`nodes` in addition to `columns`, e.g. `nodes = [{ body = \"boom\", node = \"tip\" }]`".to_owned();
            self.add(item.span(), Rule::Mismatch { what, expected });
        }
        let most_bytes = table.and_then(|table| table.number("most_bytes")).unwrap_or(MOST_BYTES);
        let place = folder.map(|value| self.source.place(value.span()));
        let folder_line = place.filter(|place| place.file == self.source.name).map(|place| place.line);
        Some(Results { folder: name.to_owned(), folder_line, formats, columns, nodes: Vec::new(), most_bytes })
    }

    /// The nodes of the table `results`.
    pub(super) fn result_nodes(
        &mut self,
        document: Table<'_>,
        file: &ModelFile,
        names: &Names<'_>,
    ) -> Vec<(BodyIndex, NodeIndex)> {
        let tables = document.table("results").map_or(Vec::new(), |results| results.tables("nodes"));
        let mut nodes = Vec::new();
        for table in tables {
            let Some(place) = self.node(table, file, names, false) else { continue };
            if nodes.contains(&place) {
                let what = "this node is given twice".to_owned();
                self.add(table.span_of("body"), Rule::Mismatch { what, expected: "each node once".into() });
            } else {
                nodes.push(place);
            }
        }
        nodes
    }
}
