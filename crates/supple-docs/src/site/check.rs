//! Links of pages of HTML.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::folder;

/// What is not looked for in the folder.
const ELSEWHERE: [&str; 4] = ["http://", "https://", "data:", "mailto:"];

/// Links in the pages of a folder that lead nowhere, each with its page.
///
/// # Errors
/// A folder that cannot be read.
pub fn lost_links(folder: &Path) -> Result<Vec<String>, String> {
    let mut pages: BTreeMap<PathBuf, String> = BTreeMap::new();
    for path in folder::files(folder)?.iter().filter(|path| path.extension().is_some_and(|ending| ending == "html")) {
        let place = folder.join(path);
        let text = fs::read_to_string(&place).map_err(|error| format!("{}: {error}", place.display()))?;
        pages.insert(place.canonicalize().unwrap_or(place), text);
    }
    let root = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    // The page for what is not found stands outside: its links start at the address of the site.
    let inside = pages.iter().filter(|(path, _)| !path.ends_with("404.html"));
    let lost = inside.flat_map(|(path, html)| {
        let name = path.strip_prefix(&root).unwrap_or(path).display().to_string();
        let targets = attributes(html, "href").chain(attributes(html, "src"));
        let targets = targets.filter(|target| !ELSEWHERE.iter().any(|start| target.starts_with(start)));
        targets
            .filter_map(|target| problem(path, target, &pages))
            .map(move |what| format!("{name}: {what}"))
            .collect::<Vec<_>>()
    });
    Ok(lost.collect())
}

/// What is wrong with a link of a page.
fn problem(page: &Path, target: &str, pages: &BTreeMap<PathBuf, String>) -> Option<String> {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let folder = page.parent().unwrap_or(page);
    let Ok(there) = (if file.is_empty() { Ok(page.to_path_buf()) } else { folder.join(file).canonicalize() }) else {
        return Some(target.to_owned());
    };
    let has = |html: &String| attributes(html, "id").any(|id| id == anchor);
    let found = anchor.is_empty() || pages.get(&there).is_some_and(has);
    (!found).then(|| format!("{target}: no such heading"))
}

/// Values of an attribute in a text of HTML.
fn attributes<'a>(html: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let start = format!(" {name}=\"");
    let places: Vec<usize> = html.match_indices(&start).map(|(at, _)| at + start.len()).collect();
    places.into_iter().map(move |at| {
        let rest = &html[at..];
        &rest[..rest.find('"').unwrap_or(0)]
    })
}
