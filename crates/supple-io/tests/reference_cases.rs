//! Every reference case of kind tree against its answers; the other kinds are refused by type.

mod support;

use serde_json::Value;
use supple_io::case::{Answer, Case, ReadError, evaluate};
use support::{field_error, references, trees};

const TOLERANCE: f64 = 1e-9;

fn answer_json(answer: &Answer) -> Value {
    serde_json::from_str(&answer.to_json()).unwrap()
}

#[test]
fn every_field_of_every_tree() {
    let mut failures = Vec::new();
    let mut worst = (0.0, String::new());
    for reference in trees() {
        let case = Case::from_json(&reference.text).unwrap_or_else(|e| panic!("{}: {e}", reference.name));
        let answer = evaluate(&case).unwrap_or_else(|e| panic!("{}: {e}", reference.name));
        let answer = answer_json(&answer);
        let expected = case.expected().unwrap().as_object().unwrap();
        assert_eq!(expected.len(), 11, "{}", reference.name);
        for (field, value) in expected {
            let error = field_error(&answer[field], value, field);
            let told = format!("{}: {field}: {error:.2e}", reference.name);
            if error > worst.0 {
                worst = (error, told.clone());
            }
            if error.is_nan() || error > TOLERANCE {
                failures.push(told);
            }
        }
    }
    println!("worst: {}", worst.1);
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn answers_do_not_depend_on_what_the_file_expects() {
    for reference in trees().iter().take(3) {
        let mut bare = reference.json();
        for member in ["expected", "name", "features", "cond_M"] {
            bare.as_object_mut().unwrap().remove(member);
        }
        let with = evaluate(&Case::from_json(&reference.text).unwrap()).unwrap();
        let without = evaluate(&Case::from_json(&bare.to_string()).unwrap()).unwrap();
        assert_eq!(with, without);
    }
}

#[test]
fn other_kinds_are_refused_by_type() {
    let mut refused = 0;
    for reference in references() {
        let kind = reference.kind();
        if kind != "tree" {
            assert_eq!(Case::from_json(&reference.text), Err(ReadError::Unsupported { kind }), "{}", reference.name);
            refused += 1;
        }
    }
    assert_eq!(refused, 5);
}

#[test]
fn numbers_survive_the_text() {
    for reference in trees() {
        let answer = evaluate(&Case::from_json(&reference.text).unwrap()).unwrap();
        let json = answer_json(&answer);
        let written: Vec<u64> = answer.accelerations.iter().map(|x| x.to_bits()).collect();
        let read: Vec<u64> = json["udot"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap().to_bits()).collect();
        assert_eq!(written, read);
    }
}
