//! The reference cases, and a deterministic source of choices.
#![allow(dead_code)] // Each test file uses a part.

use std::path::PathBuf;

use serde_json::Value;

/// A reference case.
pub struct Reference {
    /// File name without extension.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Reference {
    /// The text as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    /// The kind it says it has.
    pub fn kind(&self) -> String {
        self.json()["kind"].as_str().unwrap().to_owned()
    }
}

/// All reference cases, by name.
pub fn references() -> Vec<Reference> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../references/cases");
    let mut cases: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .map(|path| Reference {
            name: path.file_stem().unwrap().to_string_lossy().into_owned(),
            text: std::fs::read_to_string(&path).unwrap(),
        })
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(cases.len(), 24, "reference cases are missing");
    cases
}

/// The reference cases of kind `tree`.
pub fn trees() -> Vec<Reference> {
    let mut cases = references();
    cases.retain(|case| case.kind() == "tree");
    assert_eq!(cases.len(), 19);
    cases
}

/// The reference cases of kinds `tree` and `closed`: answers in one state.
pub fn in_one_state() -> Vec<Reference> {
    let mut cases = references();
    cases.retain(|case| case.kind() != "trajectory");
    assert_eq!(cases.len(), 22);
    cases
}

/// One reference case as JSON.
pub fn case(name: &str) -> Value {
    references().into_iter().find(|case| case.name == name).unwrap().json()
}

/// Repeatable choices (xorshift64*).
pub struct Choices(u64);

impl Choices {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`, which is not zero.
    pub fn below(&mut self, end: usize) -> usize {
        (self.number() % end as u64) as usize
    }

    /// One of the items.
    pub fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The error of check_cases: largest difference over largest expected entry, absolute where
/// that is zero. Panics where the answer lacks something.
pub fn field_error(answer: &Value, expected: &Value, place: &str) -> f64 {
    fn walk(answer: &Value, expected: &Value, place: &str, difference: &mut f64, size: &mut f64) {
        match expected {
            Value::Object(members) => {
                for (name, value) in members {
                    walk(&answer[name], value, &format!("{place}.{name}"), difference, size);
                }
            }
            Value::Array(items) => {
                let other = answer.as_array().unwrap_or_else(|| panic!("{place} is not a list"));
                assert_eq!(other.len(), items.len(), "length of {place}");
                for (i, (a, b)) in other.iter().zip(items).enumerate() {
                    walk(a, b, &format!("{place}[{i}]"), difference, size);
                }
            }
            _ => {
                let b = expected.as_f64().unwrap();
                let a = answer.as_f64().unwrap_or_else(|| panic!("{place} is not a number"));
                *difference = difference.max((a - b).abs());
                *size = size.max(b.abs());
            }
        }
    }
    let (mut difference, mut size) = (0.0, 0.0);
    walk(answer, expected, place, &mut difference, &mut size);
    if size > 0.0 { difference / size } else { difference }
}
