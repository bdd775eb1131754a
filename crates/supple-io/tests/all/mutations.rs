//! Random damage to the reference cases: the reader returns, whatever the text.
//!
//! `SUPPLE_MUTATIONS` sets the number of damaged texts of each kind, `SUPPLE_SEED` which ones.

use crate::support::{Choices, in_one_state, references};
use serde_json::{Value, json};
use supple_io::case::{Case, ReadError, evaluate};

fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A damaged text is refused with a short message, or is a sound case that can be written.
fn must_return(text: &str) -> bool {
    match Case::from_json(text) {
        Ok(case) => {
            assert_eq!(Case::from_json(&case.to_json()), Ok(case));
            true
        }
        Err(error) => {
            let told = error.to_string();
            assert!(!told.is_empty() && told.len() < 20_000, "{} bytes", told.len());
            if let ReadError::Invalid { problems, .. } = error {
                assert!(!problems.is_empty());
            }
            false
        }
    }
}

#[test]
fn damaged_bytes() {
    let texts: Vec<String> = references().into_iter().map(|reference| reference.text).collect();
    let mut choices = Choices::new(setting("SUPPLE_SEED", 11) as u64);
    let interesting = b"\"{}[],:-+.eE0159 \n\\ntfNu\x00\x7f\xc3\xff";
    let mut accepted = 0;
    let rounds = setting("SUPPLE_MUTATIONS", 4000);
    for _ in 0..rounds {
        let mut bytes = choices.of(&texts).clone().into_bytes();
        for _ in 0..1 + choices.below(4) {
            let at = choices.below(bytes.len());
            match choices.below(6) {
                0 => bytes[at] = *choices.of(interesting),
                1 => bytes[at] ^= 1 << choices.below(8),
                2 => drop(bytes.remove(at)),
                3 => bytes.insert(at, *choices.of(interesting)),
                4 => bytes.truncate(at.max(1)),
                _ => {
                    let end = (at + choices.below(200)).min(bytes.len());
                    let piece = bytes[at..end].to_vec();
                    let to = choices.below(bytes.len());
                    bytes.splice(to..to, piece);
                }
            }
        }
        match String::from_utf8(bytes) {
            Ok(text) => accepted += usize::from(must_return(&text)),
            Err(error) => assert!(Case::from_bytes(error.as_bytes()).is_err()),
        }
    }
    // Digits of numbers may change: some damage is harmless, most is not.
    assert!((rounds / 40..rounds).contains(&accepted), "{accepted}");
}

/// All values in a case, as JSON pointers.
fn pointers(value: &Value, here: &str, found: &mut Vec<String>) {
    found.push(here.to_owned());
    match value {
        Value::Object(members) => members.iter().for_each(|(name, v)| pointers(v, &format!("{here}/{name}"), found)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, v)| pointers(v, &format!("{here}/{i}"), found));
        }
        _ => {}
    }
}

#[test]
fn damaged_structure() {
    let mut choices = Choices::new(setting("SUPPLE_SEED", 5) as u64);
    let cases: Vec<(Value, Vec<String>)> = in_one_state()
        .iter()
        .map(|reference| {
            let mut case = reference.json();
            case.as_object_mut().unwrap().remove("expected");
            let mut found = Vec::new();
            pointers(&case, "", &mut found);
            (case, found)
        })
        .collect();
    let values = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(2),
        json!(1_000_000_000),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e308),
        json!(-1e308),
        json!(5e-324),
        json!(0.5),
        json!(""),
        json!("tree"),
        json!("free"),
        json!("none"),
        json!([]),
        json!({}),
        json!([[]]),
        json!([0, 0, 0]),
        json!([1, 0, 0, 0]),
        json!([[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        json!({"type": "free"}),
    ];
    let mut evaluated = 0;
    let rounds = setting("SUPPLE_MUTATIONS", 4000);
    for _ in 0..rounds {
        let (case, found) = choices.of(&cases);
        let mut damaged = case.clone();
        for _ in 0..1 + choices.below(2) {
            let (at, other) = (choices.of(found).clone(), choices.of(found).clone());
            match choices.below(4) {
                0 => {
                    // Another part of the same case.
                    let piece = case.pointer(&other).unwrap().clone();
                    if let Some(place) = damaged.pointer_mut(&at) {
                        *place = piece;
                    }
                }
                1 => remove(&mut damaged, &at),
                _ => {
                    if let Some(place) = damaged.pointer_mut(&at) {
                        *place = choices.of(&values).clone();
                    }
                }
            }
        }
        let text = damaged.to_string();
        if must_return(&text) {
            // Whatever the reader lets through, the engine answers with finite numbers or an error.
            match evaluate(&Case::from_json(&text).unwrap()) {
                Ok(answer) => assert!(!answer.to_json().contains("null")),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
            evaluated += 1;
        }
    }
    assert!(evaluated > rounds / 40, "{evaluated}");
}

fn remove(case: &mut Value, pointer: &str) {
    let Some((parent, last)) = pointer.rsplit_once('/') else { return };
    match case.pointer_mut(parent) {
        Some(Value::Object(members)) => drop(members.remove(last)),
        Some(Value::Array(items)) => {
            if let Ok(i) = last.parse::<usize>()
                && i < items.len()
            {
                items.remove(i);
            }
        }
        _ => {}
    }
}

#[test]
fn cut_at_every_length() {
    let text = in_one_state().iter().map(|reference| reference.text.clone()).min_by_key(String::len).unwrap();
    for length in 0..text.len() {
        assert!(Case::from_json(&text[..length]).is_err(), "{length}");
    }
}
