//! The theory defines what it writes.

use std::collections::BTreeSet;

use supple_docs::block::blocks;
use supple_docs::page::page;

/// Names in a formula: letters with subscripts, without marks above them, primes and what is behind them.
fn symbols(formula: &str) -> BTreeSet<String> {
    let bare = |c: char| match c {
        'ä' | 'ȧ' => Some('a'),
        'ḃ' => Some('b'),
        '\u{300}'..='\u{36f}' => None,
        c => Some(c),
    };
    let plain: String = formula.chars().filter_map(bare).collect();
    let parts = plain.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let names = parts.map(|part| part.trim_end_matches(['⁺', '⁻', '¹', '²', '₁', '₂', '³']).to_owned());
    names.filter(|name| name.chars().next().is_some_and(char::is_alphabetic)).collect()
}

/// Whether a name, the name without its index, or every letter of a product is in the table.
fn is_defined(name: &str, defined: &BTreeSet<String>) -> bool {
    let base = match name.split_once('_') {
        Some((base, index)) if index.chars().count() == 1 => base,
        _ => name,
    };
    defined.contains(name) || defined.contains(base) || base.chars().all(|letter| defined.contains(&letter.to_string()))
}

/// Words between formulas, unlike symbols, have four letters or more and no subscript.
fn is_word(name: &str) -> bool {
    name.len() >= 4 && name.bytes().all(|b| b.is_ascii_lowercase())
}

#[test]
fn every_symbol_of_a_formula_is_in_the_table() {
    let text = page("docs/theory.md").text;
    let (_, table) = text.split_once("\n## Symbols\n").expect("the table of symbols");
    let (table, _) = table.split_once("\n## ").unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let defined: BTreeSet<String> = rows.flat_map(|row| symbols(row.split('|').nth(1).unwrap())).collect();
    // Functions and words of two or three letters between formulas.
    let known = [
        "diag", "ln", "det", "exp", "at", "the", "min", "as", "per", "and", "of", "to", "in", "by", "for", "is", "on",
        "Σ",
    ];
    let mut lost = BTreeSet::new();
    for block in blocks(&text).iter().filter(|block| block.language == "text") {
        let used = symbols(&block.text);
        let unknown = used
            .into_iter()
            .filter(|name| !is_defined(name, &defined) && !is_word(name) && !known.contains(&name.as_str()));
        lost.extend(unknown.map(|name| format!("line {}: {name}", block.line)));
    }
    assert!(lost.is_empty(), "docs/theory.md uses what its table of symbols does not define: {lost:#?}");
}
