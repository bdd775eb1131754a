//! The reference of files is made from their schemas.

use std::fs;

use supple_docs::page::root;
use supple_docs::reference;

#[test]
fn reference_is_that_of_the_schemas() {
    for kind in ["model", "scenario", "modes", "flexible", "study", "identify", "optimise"] {
        let schema = fs::read_to_string(root().join(format!("docs/schema/{kind}.schema.json"))).unwrap();
        let page = reference::page(kind, &serde_json::from_str(&schema).unwrap());
        assert!(!page.contains("|  |"), "{kind}: a key without kind or meaning:\n{page}");
        let path = root().join(format!("docs/reference/{kind}.md"));
        if std::env::var_os("SUPPLE_WRITE_DOCS").is_some() {
            fs::write(&path, &page).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found == page,
            "{} is not what its schema says: SUPPLE_WRITE_DOCS=1 cargo test -p supple-docs --test all reference",
            path.display()
        );
    }
}
