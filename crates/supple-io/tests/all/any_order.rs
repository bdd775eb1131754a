//! Bodies may come in any order: answers follow the file.

use crate::support::{Choices, field_error, in_one_state};
use serde_json::{Value, json};
use supple_io::case::{Case, evaluate};

/// The case with body `k` of the result being body `old[k]` of `case`, and all that refers to it.
fn reordered(case: &Value, old: &[usize]) -> Value {
    let mut new = vec![0; old.len()];
    for (k, &o) in old.iter().enumerate() {
        new[o] = k;
    }
    let mut result = case.clone();
    let speeds = speed_ranges(case);
    for list in ["/model/bodies", "/state/bodies", "/expected/node_positions", "/expected/node_velocities"] {
        let from = case.pointer(list).unwrap();
        *result.pointer_mut(list).unwrap() = old.iter().map(|&o| from[o].clone()).collect();
    }
    for body in result.pointer_mut("/model/bodies").unwrap().as_array_mut().unwrap() {
        let parent = body["parent"].as_i64().unwrap();
        if parent >= 0 {
            body["parent"] = json!(new[parent as usize]);
        }
    }
    for told in result.pointer_mut("/model/loops").and_then(Value::as_array_mut).into_iter().flatten() {
        for side in ["a", "b"] {
            let body = told[side]["body"].as_i64().unwrap();
            told[side]["body"] = json!(usize::try_from(body).map_or(-1, |body| new[body] as i64));
        }
    }
    for list in ["/state/node_attitudes", "/wrenches"] {
        for entry in result.pointer_mut(list).unwrap().as_array_mut().unwrap() {
            entry["body"] = json!(new[entry["body"].as_u64().unwrap() as usize]);
        }
    }
    let order: Vec<usize> = old.iter().flat_map(|&o| speeds[o].clone()).collect();
    let pick = |list: &Value| -> Value { order.iter().map(|&i| list[i].clone()).collect() };
    let parts =
        ["velocity", "elastic", "damping", "gravity", "external"].map(|part| format!("/expected/C_parts/{part}"));
    let lists = ["/T", "/udot_in", "/expected/C", "/expected/udot", "/expected/inverse_T"].map(str::to_owned);
    for list in lists.iter().chain(&parts) {
        *result.pointer_mut(list).unwrap() = pick(case.pointer(list).unwrap());
    }
    let matrix = &case["expected"]["M"];
    result["expected"]["M"] = order.iter().map(|&i| pick(&matrix[i])).collect();
    result
}

fn speed_ranges(case: &Value) -> Vec<std::ops::Range<usize>> {
    let mut start = 0;
    let bodies = case["state"]["bodies"].as_array().unwrap();
    let range = |body: &Value| {
        let count = body["etad"].as_array().unwrap().len() + body["beta"].as_array().unwrap().len();
        start += count;
        start - count..start
    };
    bodies.iter().map(range).collect()
}

#[test]
fn shuffled_bodies_give_the_same_answers() {
    let mut choices = Choices::new(7);
    let mut shuffled = 0;
    for reference in in_one_state() {
        let case = reference.json();
        let count = case["model"]["bodies"].as_array().unwrap().len();
        for _ in 0..6 {
            let mut old: Vec<usize> = (0..count).collect();
            for i in (1..count).rev() {
                old.swap(i, choices.below(i + 1));
            }
            let text = reordered(&case, &old).to_string();
            let read = Case::from_json(&text).unwrap_or_else(|e| panic!("{} {old:?}: {e}", reference.name));
            let answer = evaluate(&read).unwrap_or_else(|e| panic!("{} {old:?}: {e}", reference.name));
            let answer: Value = serde_json::from_str(&answer.to_json()).unwrap();
            let expected = read.expected().unwrap().as_object().unwrap().iter();
            for (field, value) in expected.filter(|(field, _)| *field != "closure_velocity_residual") {
                let error = field_error(&answer[field], value, field);
                assert!(error <= 1e-9, "{} {old:?}: {field}: {error:e}", reference.name);
            }
            assert_eq!(Case::from_json(&read.to_json()), Ok(read), "{}", reference.name);
            shuffled += 1;
        }
    }
    assert_eq!(shuffled, 22 * 6);
}
