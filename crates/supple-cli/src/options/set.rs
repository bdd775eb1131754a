//! Overrides of values in files.

use supple_io::change::Change;

/// Overrides of values in a model or scenario.
#[derive(clap::Args)]
pub struct SetOptions {
    /// Override a value of the file, e.g. integrator.step=1e-3 or body.boom.beam.length=3; in a scenario, the prefix model. selects
    /// its model. May be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = Change::parse)]
    changes: Vec<Change>,
    /// Override the values of a text file with lines KEY=VALUE, such as changes.txt of `supple identify`. Before any --set.
    #[arg(long = "set-from", value_name = "FILE", value_parser = ChangeList::read)]
    listed: Vec<ChangeList>,
    /// Remove a key of the file, or an entry of a list by its name, e.g. body.boom.beam.damping_ratio or controller.pid. Before any
    /// --set. May be repeated.
    #[arg(long = "unset", value_name = "KEY", value_parser = Change::parse_dropped)]
    dropped: Vec<Change>,
}

/// The changes of a text file.
#[derive(Clone)]
struct ChangeList(Vec<Change>);

impl ChangeList {
    /// Reads lines `KEY=VALUE`; empty ones and those that start with `#` say nothing.
    fn read(path: &str) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
        let told = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        told.map(|(i, line)| Change::parse(line).map_err(|what| format!("line {i}: {what}")))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl SetOptions {
    /// With these changes alone.
    pub fn of(changes: Vec<Change>) -> Self {
        Self { changes, listed: Vec::new(), dropped: Vec::new() }
    }

    /// All changes in the order in which they are made.
    pub fn all(&self) -> Vec<Change> {
        let listed = self.listed.iter().flat_map(|list| &list.0);
        self.dropped.iter().chain(listed).chain(&self.changes).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_line_by_line() {
        let path = std::env::temp_dir().join(format!("supple-changes-{}.txt", std::process::id()));
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            ChangeList::read(path.to_str().unwrap()).map(|list| list.0.len())
        };
        assert_eq!(read("# found\na.b=1\n\nc=2e3\n"), Ok(2));
        assert!(read("a=1\nnothing\n").unwrap_err().starts_with("line 2: `nothing` has no value"));
        std::fs::remove_file(&path).unwrap();
    }
}
