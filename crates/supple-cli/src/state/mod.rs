//! `supple state`: everything about a system in one state.

mod facts;
mod text;

use crate::status::Status;

use supple_io::case::MAX_SPEEDS;

use crate::operating::Operating;
use crate::options::{AtOptions, FileOptions, FormatOptions, TextOrJson};
use crate::output::{UNSUPPORTED, fail, print};
use facts::StateFacts;

/// Options.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    file: FileOptions,
    #[command(flatten)]
    at: AtOptions,
    #[command(flatten)]
    format: FormatOptions<TextOrJson>,
}

/// Prints the state and what the engine says about it.
pub fn run(options: &Options) -> Status {
    let Operating { loaded, source, state, inputs, .. } = match Operating::read(&options.file, &options.at) {
        Ok(operating) => operating,
        Err(status) => return status,
    };
    let speeds = loaded.model.speed_count();
    if speeds > MAX_SPEEDS {
        let told = format!("{speeds} speeds; the answer holds the full mass matrix, of at most {MAX_SPEEDS}");
        return fail(UNSUPPORTED, &source, &told);
    }
    let facts = match StateFacts::new(&source, &loaded.model, &state, &inputs) {
        Ok(facts) => facts,
        Err(error) => return fail(1, &source, &error),
    };
    print(|out| {
        if options.format.is_json() {
            serde_json::to_writer(&mut *out, &facts)?;
            writeln!(out)
        } else {
            text::write(out, &facts)
        }
    })
}
