//! The book builds, and in what comes out every link has its target.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use mdbook_driver::MDBook;
use supple_docs::page::root;

/// Values of an attribute in a text of HTML.
fn attributes<'a>(html: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let start = format!(" {name}=\"");
    let length = start.len();
    html.match_indices(&start).map(|(at, _)| at).collect::<Vec<_>>().into_iter().map(move |at| {
        let rest = &html[at + length..];
        &rest[..rest.find('"').unwrap_or(0)]
    })
}

/// Pages below a folder, by their paths in it.
fn pages(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(&inner).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "html") {
                found.insert(path.clone(), fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn book_builds_without_a_broken_link() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book");
    let _ = fs::remove_dir_all(&folder);
    let mut book = MDBook::load(root().join("docs")).unwrap();
    book.config.build.build_dir.clone_from(&folder);
    book.build().unwrap();
    let pages = pages(&folder);
    assert!(pages.len() > 40, "only {} pages came out", pages.len());
    let mut lost = Vec::new();
    // The page for what is not found stands outside: its links start at the address of the site.
    for (path, html) in pages.iter().filter(|(path, _)| !path.ends_with("404.html")) {
        for target in attributes(html, "href").chain(attributes(html, "src")) {
            if ["http://", "https://", "data:", "mailto:"].iter().any(|start| target.starts_with(start)) {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let there = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let Ok(there) = there.canonicalize() else {
                lost.push(format!("{}: {target}", path.strip_prefix(&folder).unwrap().display()));
                continue;
            };
            let page = pages
                .iter()
                .find(|(page, _)| page.canonicalize().is_ok_and(|page| page == there))
                .map(|(_, html)| html);
            if !anchor.is_empty() && !page.is_some_and(|html| attributes(html, "id").any(|id| id == anchor)) {
                lost.push(format!("{}: {target}: no such heading", path.strip_prefix(&folder).unwrap().display()));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}
