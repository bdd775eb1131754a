//! Versions of the book in a site.

use std::fmt;
use std::fs;
use std::path::Path;

use serde_json::json;

use super::folder;

/// A version whose interface is one, e.g. `0.1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    major: u64,
    minor: u64,
}

impl Version {
    /// Of the source that this program was built from.
    pub fn of_this_source() -> Self {
        let [major, minor] = [env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR")];
        // Cargo has made sure that they are numbers.
        Self { major: major.parse().unwrap_or(0), minor: minor.parse().unwrap_or(0) }
    }

    /// From the name of a folder.
    fn parse(name: &str) -> Option<Self> {
        let (major, minor) = name.split_once('.')?;
        let found = Self { major: major.parse().ok()?, minor: minor.parse().ok()? };
        (found.to_string() == name).then_some(found)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The book of a version.
#[derive(Debug)]
pub struct Book {
    /// Of which version.
    pub version: Version,
    /// Its pages, from its root, with `/`.
    pub pages: Vec<String>,
    /// Whether the pages of the libraries are there.
    api: bool,
}

/// The books of a site, the latest first: folders that are named like a version and have a first page.
pub fn found(site: &Path) -> Result<Vec<Book>, String> {
    let entries = fs::read_dir(site).map_err(|error| format!("{}: {error}", site.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let versions = names.filter_map(|name| Version::parse(&name));
    let mut versions: Vec<Version> =
        versions.filter(|version| site.join(version.to_string()).join("index.html").is_file()).collect();
    versions.sort_by(|a, b| b.cmp(a));
    let book = |version: Version| {
        let files = folder::files(&site.join(version.to_string()))?;
        let names = files.iter().map(|path| path.to_string_lossy().replace('\\', "/"));
        let pages = names.filter(|name| name.ends_with(".html") && !name.starts_with("api/")).collect();
        let api = files.iter().any(|path| path == Path::new("api/index.html"));
        Ok(Book { version, pages, api })
    };
    versions.into_iter().map(book).collect()
}

/// The list that pages read.
pub fn script(books: &[Book]) -> String {
    let entry = |book: &Book| json!({ "version": book.version.to_string(), "pages": book.pages, "api": book.api });
    let list: Vec<_> = books.iter().map(entry).collect();
    format!("window.suppleVersions = {:#};\n", json!(list))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_their_numbers() {
        let parsed = ["0.9", "0.10", "1.0"].map(|name| Version::parse(name).unwrap());
        assert!(parsed.is_sorted());
        for name in ["latest", "0.1.partial", "0", "01.2", "0.1 ", "", "-1.0", ".0.1.partial"] {
            assert_eq!(Version::parse(name), None, "{name}");
        }
    }
}
