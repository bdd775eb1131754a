//! Every link of the book and of the papers at the root has a target.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use supple_docs::link::{anchors, links};
use supple_docs::page::{all, book, root};

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[test]
fn links_have_targets() {
    let mut lost = Vec::new();
    let pages: BTreeSet<PathBuf> = book().iter().map(|page| PathBuf::from(&page.path)).collect();
    for page in all() {
        let in_the_book = page.path.starts_with("docs/");
        for link in links(&page.text).into_iter().filter(|link| !link.target.contains("://")) {
            let (file, anchor) =
                link.target.split_once('#').map_or((link.target.as_str(), None), |(file, anchor)| (file, Some(anchor)));
            let here = Path::new(&page.path);
            let target = if file.is_empty() { here.to_owned() } else { plain(&here.parent().unwrap().join(file)) };
            let mut tell = |what: &str| lost.push(format!("{}:{}: ({}): {what}", page.path, link.line, link.target));
            if !root().join(&target).exists() {
                tell("does not exist");
                continue;
            }
            // The book in a browser has its own pages and the other files of its folder.
            let is_page = target.extension().is_some_and(|ending| ending == "md");
            if in_the_book
                && !(pages.contains(&target)
                    || !is_page && target.starts_with("docs") && root().join(&target).is_file())
            {
                tell("is not in the book: name it as a path between backticks");
            }
            let known = |anchor: &str| {
                is_page
                    && anchors(&fs::read_to_string(root().join(&target)).unwrap()).iter().any(|known| known == anchor)
            };
            if anchor.is_some_and(|anchor| !known(anchor)) {
                tell("has no such heading");
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn every_page_is_in_the_table_of_contents_once() {
    let listed: Vec<String> = book().into_iter().map(|page| page.path).collect();
    let unique: BTreeSet<_> = listed.iter().cloned().collect();
    assert_eq!(listed.len(), unique.len(), "docs/SUMMARY.md names a page twice");
    let mut there = BTreeSet::new();
    let mut folders = vec![PathBuf::from("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).unwrap() {
            let path = folder.join(entry.unwrap().file_name());
            if root().join(&path).is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") && !path.ends_with("SUMMARY.md") {
                there.insert(path.to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    let forgotten: Vec<_> = there.difference(&unique).collect();
    assert!(forgotten.is_empty(), "not in docs/SUMMARY.md: {forgotten:#?}");
}
