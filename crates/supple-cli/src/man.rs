//! `supple man`: manual pages, one of each command.

use std::io;
use std::path::{Path, PathBuf};

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use supple_io::results::{Existing, create_folder, write_whole};
use supple_io::source::nearest;

use crate::output::{UNSUPPORTED, fail, fail_plain, print};
use crate::status::Status;

/// Options.
#[derive(clap::Args)]
pub struct Options {
    /// Print the page of this command, e.g. run, or design shaper [default: that of supple].
    command: Vec<String>,
    /// Write the pages of all commands into this folder; existing pages are replaced.
    #[arg(short, long, value_name = "FOLDER", conflicts_with = "command")]
    output: Option<PathBuf>,
}

/// A page and what it is of, e.g. `design shaper`; empty for the program itself.
struct Page {
    of: String,
    file: String,
    text: Vec<u8>,
}

/// Prints a page of `command`, or writes all of them.
pub fn run(options: &Options, command: Command) -> Status {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    // Into memory, which does not fail.
    if let Err(error) = collect(&command, &[], &mut pages) {
        return fail(1, "man", &error);
    }
    match &options.output {
        Some(folder) => match write_all(&pages, folder) {
            Ok(()) => print(|out| writeln!(out, "{}: {} pages", folder.display(), pages.len())),
            Err(error) => fail_plain(1, &format!("supple: {error}")),
        },
        None => {
            let asked = options.command.join(" ");
            match pages.iter().find(|page| page.of == asked) {
                Some(page) => print(|out| out.write_all(&page.text)),
                None => fail(UNSUPPORTED, "man", &unknown(&asked, &pages)),
            }
        }
    }
}

fn unknown(asked: &str, pages: &[Page]) -> String {
    let known = || pages.iter().map(|page| page.of.as_str()).filter(|name| !name.is_empty());
    let meant = nearest(asked, known()).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    format!("there is no command `{asked}`; {meant}commands are: {}", known().collect::<Vec<_>>().join(", "))
}

fn write_all(pages: &[Page], folder: &Path) -> Result<(), supple_io::results::ResultsError> {
    create_folder(folder, Existing::Replace)?;
    pages.iter().try_for_each(|page| write_whole(&folder.join(&page.file), Existing::Replace, &page.text))
}

/// The page of a command below `above`, and those of the commands below it.
fn collect(command: &Command, above: &[&str], pages: &mut Vec<Page>) -> io::Result<()> {
    let names: Vec<&str> = above.iter().copied().chain([command.get_name()]).collect();
    let source = concat!("supple ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(source).manual("Supple");
    let mut text = Vec::new();
    man.render(&mut text)?;
    let mut text = mended(&text);
    if !above.is_empty() {
        let mut foot = Roff::new();
        foot.control("SH", ["SEE ALSO"]).text([bold(above.join("-")), roman("(1)")]);
        foot.to_writer(&mut text)?;
    }
    pages.push(Page { of: names[1..].join(" "), file: man.get_filename(), text });
    command.get_subcommands().filter(|below| !below.is_hide_set()).try_for_each(|below| collect(below, &names, pages))
}

/// A page is of a version, not of a day: its head has an empty date, which the generator leaves out. It also has breaks around empty lines, which end a
/// line as well.
fn mended(page: &[u8]) -> Vec<u8> {
    let page = String::from_utf8_lossy(page).replacen(" 1  \"supple ", " 1 \"\" \"supple ", 1);
    page.replace(".br\n\n.br\n", "\n").into_bytes()
}
