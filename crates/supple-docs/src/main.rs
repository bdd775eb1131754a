//! `cargo site`: the book as a site.
#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;

use supple_docs::page::root;
use supple_docs::site;

const USAGE: &str = "\
Builds the book of this version as a site; books of other versions in the folder stay.

usage: cargo site [FOLDER] [--api]

  FOLDER  where the site goes [default: target/site]
  --api   pages of the libraries too, which takes minutes";

fn main() -> ExitCode {
    let (mut folder, mut api) = (None, false);
    for argument in std::env::args_os().skip(1) {
        match argument.to_str() {
            Some("--api") => api = true,
            Some("--help" | "-h") => {
                println!("{USAGE}");
                return ExitCode::SUCCESS;
            }
            Some(other) if other.starts_with('-') => return wrong(&format!("there is no option {other}")),
            _ if folder.is_some() => return wrong("one folder only"),
            _ => folder = Some(PathBuf::from(argument)),
        }
    }
    match site::build(&folder.unwrap_or_else(|| root().join("target/site")), api) {
        Ok(site) => {
            let index = site.index.canonicalize().unwrap_or(site.index);
            println!("{}: {} pages; versions: {}", index.display(), site.pages, site.versions.join(", "));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("site: {error}");
            ExitCode::FAILURE
        }
    }
}

fn wrong(what: &str) -> ExitCode {
    eprintln!("site: {what}\n\n{USAGE}");
    ExitCode::from(2)
}
