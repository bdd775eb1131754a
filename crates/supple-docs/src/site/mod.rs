//! The site: a folder of the book for every version, the latest one under a name that stays, and a list of them for the choice in the pages.
//!
//! ```text
//! index.html     leads to latest/
//! versions.js    which versions there are, and their pages
//! latest/        the book of the highest version
//! 0.1/           the book of a version; 0.1/api/ pages of its libraries, if asked for
//! ```
//!
//! Books of other versions in the folder stay. Pages read `versions.js` as a script, so that the choice works without a server too.

mod api;
mod check;
mod folder;
mod versions;

use std::fs;
use std::path::{Path, PathBuf};

use mdbook_driver::MDBook;

use crate::page::root;
pub use check::lost_links;
use versions::Version;

/// The name that the latest version always has.
const LATEST: &str = "latest";
/// Leads from the root to the latest version.
const INDEX: &str = r#"<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=latest/index.html">
<title>Supple</title>
<p><a href="latest/index.html">The book of Supple</a></p>
</html>
"#;

/// What a site was made of.
#[derive(Debug)]
pub struct Site {
    /// Its first page.
    pub index: PathBuf,
    /// Its versions, the latest first.
    pub versions: Vec<String>,
    /// Pages of the book of this version.
    pub pages: usize,
}

/// Builds the book of this version into a site, with the pages of the libraries if `api`.
///
/// # Errors
/// A book that does not build, links that lead nowhere, places that cannot be written.
pub fn build(site: &Path, api: bool) -> Result<Site, String> {
    let version = Version::of_this_source();
    let place = site.join(version.to_string());
    let partial = site.join(format!(".{version}.partial"));
    folder::remove(&partial)?;
    let mut book = MDBook::load(root().join("docs")).map_err(|error| format!("{error:#}"))?;
    book.config.build.build_dir.clone_from(&partial);
    book.build().map_err(|error| format!("{error:#}"))?;
    let lost = lost_links(&partial)?;
    if !lost.is_empty() {
        return Err(format!("links that lead nowhere:\n{}", lost.join("\n")));
    }
    if api {
        api::build(&partial.join("api"))?;
    }
    folder::remove(&place)?;
    fs::rename(&partial, &place).map_err(|error| format!("{}: {error}", place.display()))?;
    let found = versions::found(site)?;
    let latest = found.first().ok_or("no version was written")?;
    let stays = site.join(LATEST);
    folder::remove(&stays)?;
    folder::copy(&site.join(latest.version.to_string()), &stays, &|path| path != Path::new("api"))?;
    let write = |name: &str, text: &str| {
        let path = site.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    write("versions.js", &versions::script(&found))?;
    write("index.html", INDEX)?;
    let pages = found.iter().find(|one| one.version == version).map_or(0, |one| one.pages.len());
    let versions = found.iter().map(|one| one.version.to_string()).collect();
    Ok(Site { index: site.join("index.html"), versions, pages })
}
