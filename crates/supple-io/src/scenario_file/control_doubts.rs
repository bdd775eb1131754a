//! Blocks that can have no effect: refused where nothing else could be meant, noted elsewhere.

use supple::BodyIndex;
use supple_control::block::{Hinges, Needs};

use super::Motion;
use super::control::{Connection, ControlBlock, Draft};
use super::control_table::ControlTable;
use super::read::Reader;
use crate::document::{Table, Value};
use crate::model_file::ModelFile;
use crate::source::Rule;

impl Reader<'_> {
    /// A hinge that moves as told knows no effort, and no linear model has it.
    pub(super) fn check_motions(&mut self, draft: &Draft<'_>, file: &ModelFile, motions: &[Motion]) {
        let (table, kind) = (draft.table, draft.block.kind);
        let span = ["hinge", "hinges"].iter().find_map(|key| table.get(key)).map_or(table.span(), Value::span);
        let name = |body: BodyIndex| {
            let body = &file.system.bodies[body.0];
            body.hinge.name.clone().unwrap_or_else(|| body.name.clone())
        };
        let moved = |body: &&BodyIndex| motions.iter().any(|motion| motion.body == **body);
        if let Some(body) = draft.hinges.iter().find(moved).filter(|_| !draft.block.acts.is_empty()) {
            let what =
                format!("hinge `{}` has a prescribed motion, so the {} has no effect on it", name(*body), kind.name);
            let expected = "a motion or a controller: give the motion to a `trajectory` that the controller reads, or leave the controller out".into();
            self.add(span, Rule::Mismatch { what, expected });
        } else if let Some(motion) = motions.first().filter(|_| kind.needs == Needs::Linear) {
            let what = format!(
                "a design by a linear model, which lacks hinge `{}`: it has a prescribed motion",
                name(motion.body)
            );
            let expected = "no prescribed motions: fix the hinge in the model, or hold it by a controller".into();
            self.add(span, Rule::Mismatch { what, expected });
        }
    }

    /// Doubts about blocks that nothing uses, and controllers that give nothing.
    pub(super) fn doubt_idle(&mut self, drafts: &[Draft<'_>], document: Table<'_>) {
        let columns = document.table("results").and_then(|table| table.get("columns")).and_then(Value::items);
        let recorded = columns.is_none_or(|mut columns| columns.any(|word| word.text() == Some("signals")));
        for (place, draft) in drafts.iter().enumerate() {
            let ControlBlock { name, kind, acts, setting, table: of, .. } = &draft.block;
            let reads = |connection: &Connection| match connection {
                Connection::Output { block, .. } | Connection::Before { block, .. } => *block == place,
                _ => false,
            };
            let is_read = drafts.iter().any(|other| other.block.inputs.iter().any(reads));
            // Readings and estimates are of use among the results.
            let shown = recorded && matches!(of, ControlTable::Sensor | ControlTable::Observer);
            if acts.is_empty() && !is_read && !shown {
                let what =
                    format!("nothing uses the {} `{name}`: no block reads it, and it acts on no hinge", of.word());
                let expected = match kind.hinges {
                    Hinges::None => "its name as an input of another block",
                    _ => "`hinge` for one that acts, or its name as an input of another block",
                };
                self.report.doubt(self.source, draft.table.span(), what, expected);
            }
            let zero = |key: &&'static str| setting.number_or(key, 0.0) == Ok(0.0);
            if kind.name == "pid" && ["p", "i", "d"].iter().all(zero) && !setting.is_connected("feed_forward") {
                let what = format!("the gains of the pid `{name}` are all 0: its output is always 0");
                self.report.doubt(self.source, draft.table.span(), what, "`p`, `i` or `d`, or a `feed_forward`");
            }
        }
    }
}
