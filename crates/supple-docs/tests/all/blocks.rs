//! Every block of code in the book and in the papers at the root is one that a test knows what to do with.

use std::fs;

use supple_docs::block::{Use, blocks};
use supple_docs::page::{all, root};

#[test]
fn every_block_has_a_known_use() {
    let mut unknown = Vec::new();
    let mut not_run = Vec::new();
    for page in all() {
        for block in blocks(&page.text) {
            let place = format!("{}:{}", page.path, block.line);
            match block.used() {
                Err(what) => unknown.push(format!("{place}: {what}")),
                Ok(Use::NotRun(why)) => not_run.push(format!("{place}: {why}")),
                Ok(Use::Tested { file, test }) => {
                    let head =
                        if file.ends_with(".py") { format!("\ndef {test}(") } else { format!("#[test]\nfn {test}()") };
                    let found = fs::read_to_string(root().join(&file)).is_ok_and(|text| text.contains(&head));
                    if !found {
                        unknown.push(format!("{place}: {file} has no test {test}"));
                    }
                }
                Ok(_) => {}
            }
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
    println!("not run: {not_run:#?}");
}

#[test]
fn programs_of_the_pages_are_examples() {
    let examples = fs::read_to_string(root().join("crates/supple-docs/src/examples.rs")).unwrap();
    for page in all() {
        let has_programs = blocks(&page.text).iter().any(|block| block.used() == Ok(Use::Example));
        let included = examples.contains(&format!("\"../../../{}\"", page.path));
        assert_eq!(has_programs, included, "{}: programs in it, included in src/examples.rs", page.path);
    }
}
