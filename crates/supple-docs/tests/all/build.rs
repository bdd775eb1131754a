//! The site builds: in what comes out every link has its target, words are found, and versions stay.

use std::fs;
use std::path::Path;

use serde_json::Value;
use supple_docs::site;

/// The value that a script gives to a name.
fn assigned(script: &str, start: &str, end: &str) -> Value {
    let inner = script.trim().strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
    serde_json::from_str(inner.unwrap_or_else(|| panic!("{}", &script[..80.min(script.len())]))).unwrap()
}

/// A text of JavaScript without its escapes.
fn unescaped(text: &str) -> String {
    let (mut out, mut letters) = (String::with_capacity(text.len()), text.chars());
    while let Some(letter) = letters.next() {
        out.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    out
}

/// The index that pages search in.
fn index(book: &Path) -> Value {
    let files = fs::read_dir(book).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let path = files.into_iter().find(|path| name(path).starts_with("searchindex") && name(path).ends_with(".js"));
    let script =
        fs::read_to_string(path.expect("a script with the index: pages without a server read no other file")).unwrap();
    assigned(&unescaped(&script), "window.search = Object.assign(window.search, JSON.parse('", "'));")
}

/// Pages of a search index with a word in their text, by their addresses.
fn pages_with(index: &Value, word: &str) -> Vec<String> {
    // A tree of letters, with the documents at the end of the word.
    let mut node = &index["index"]["index"]["body"]["root"];
    for letter in word.chars() {
        node = &node[letter.to_string()];
    }
    let documents = node["docs"].as_object().into_iter().flatten().map(|(number, _)| number.parse::<usize>().unwrap());
    documents.map(|number| index["doc_urls"][number].as_str().unwrap().to_owned()).collect()
}

#[test]
fn site_builds_without_a_broken_link_and_keeps_other_versions() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("site");
    let _ = fs::remove_dir_all(&folder);
    // Books of an earlier version and a later one are there already.
    for version in ["0.0", "7.10"] {
        fs::create_dir_all(folder.join(version)).unwrap();
        fs::write(folder.join(version).join("index.html"), version).unwrap();
    }
    fs::create_dir_all(folder.join("0.1")).unwrap();
    fs::write(folder.join("0.1/gone.html"), "a page that is no more").unwrap();

    // It fails where a link leads nowhere.
    let built = site::build(&folder, false).unwrap();
    assert_eq!(built.versions, ["7.10", "0.1", "0.0"]);
    assert!(built.pages > 40, "only {} pages came out", built.pages);
    assert!(!folder.join("0.1/gone.html").exists());
    assert_eq!(fs::read_to_string(folder.join("0.0/index.html")).unwrap(), "0.0");
    assert_eq!(fs::read_to_string(folder.join("latest/index.html")).unwrap(), "7.10");
    assert!(fs::read_to_string(&built.index).unwrap().contains("url=latest/index.html"));
    let list = assigned(&fs::read_to_string(folder.join("versions.js")).unwrap(), "window.suppleVersions = ", ";");
    assert_eq!(list[0]["version"], "7.10");
    assert_eq!(list[1]["api"], false);
    assert!(list[1]["pages"].as_array().unwrap().iter().any(|page| page == "how-to/pictures.html"));

    let page = fs::read_to_string(folder.join("0.1/how-to/pictures.html")).unwrap();
    assert!(page.contains("versions-") && page.contains("mdbook-searchbar"), "the choice of a version, and the search");
    let index = index(&folder.join("0.1"));
    for (word, page) in [("overlaid", "how-to/pictures.html"), ("urdf", "gallery.html"), ("casadi", "compile.html")] {
        let found = pages_with(&index, word);
        assert!(found.iter().any(|address| address.starts_with(page)), "{word}: {found:?}");
    }
    assert_eq!(pages_with(&index, "xylophon"), [""; 0]);

    // Without the later version this one is the latest.
    fs::remove_dir_all(folder.join("7.10")).unwrap();
    assert_eq!(site::build(&folder, false).unwrap().versions, ["0.1", "0.0"]);
    let copied = fs::read_to_string(folder.join("latest/how-to/pictures.html")).unwrap();
    assert_eq!(copied, page);
}

#[test]
fn lost_links_are_found() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lost");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("sub")).unwrap();
    fs::write(
        folder.join("a.html"),
        r##"<p id="top"><a href="sub/b.html#here"></a><a href="sub/b.html#there"></a><a href="#top"></a><a href="c.html"></a>"##,
    )
    .unwrap();
    fs::write(
        folder.join("sub/b.html"),
        r#"<p id="here"><a href="../a.html"></a><img src="no.png"><a href="https://x.org">"#,
    )
    .unwrap();
    let lost = site::lost_links(&folder).unwrap();
    let slash: Vec<String> = lost.iter().map(|line| line.replace('\\', "/")).collect();
    assert_eq!(slash, ["a.html: sub/b.html#there: no such heading", "a.html: c.html", "sub/b.html: no.png"]);
}
