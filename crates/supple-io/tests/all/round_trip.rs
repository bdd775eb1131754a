//! Reading, writing and reading again gives an equal case.

use crate::support::{Choices, in_one_state, references};
use serde_json::{Value, json};
use supple_io::case::Case;

#[test]
fn every_reference_case() {
    for reference in in_one_state() {
        let case = Case::from_json(&reference.text).unwrap_or_else(|e| panic!("{}: {e}", reference.name));
        let text = case.to_json();
        assert_eq!(Case::from_json(&text).as_ref(), Ok(&case), "{}", reference.name);
        // What was in the file is in the new one, number by number.
        let (old, new) = (reference.json(), serde_json::from_str::<Value>(&text).unwrap());
        for member in
            ["schema", "kind", "name", "features", "cond_M", "model", "state", "wrenches", "T", "udot_in", "expected"]
        {
            assert_contains(&new[member], &old[member], &format!("{}.{member}", reference.name));
        }
    }
}

/// Everything in `part` is in `whole`; `whole` may also tell defaults.
fn assert_contains(whole: &Value, part: &Value, place: &str) {
    match part {
        Value::Object(members) => {
            for (name, value) in members {
                assert_contains(&whole[name], value, &format!("{place}.{name}"));
            }
        }
        Value::Array(items) => {
            assert_eq!(whole.as_array().map(Vec::len), Some(items.len()), "{place}");
            for (i, item) in items.iter().enumerate() {
                assert_contains(&whole[i], item, &format!("{place}[{i}]"));
            }
        }
        Value::Number(number) => {
            assert_eq!(whole.as_f64().map(f64::to_bits), number.as_f64().map(f64::to_bits), "{place}");
        }
        _ => assert_eq!(whole, part, "{place}"),
    }
}

/// Sound variations of sound cases: optional members dropped or spelled out, extreme numbers.
#[test]
fn random_sound_cases() {
    let mut choices = Choices::new(3);
    let cases: Vec<Value> = in_one_state().iter().map(|reference| reference.json()).collect();
    for round in 0..400 {
        let mut case = choices.of(&cases).clone();
        let root = case.as_object_mut().unwrap();
        for member in ["name", "features", "cond_M", "expected", "note"] {
            match choices.below(3) {
                0 => drop(root.remove(member)),
                1 if member == "note" => drop(root.insert(member.into(), json!("löse \"x\" \\ \u{1f600}\n"))),
                _ => {}
            }
        }
        let extreme = [5e-324, 1.7976931348623157e308, -0.0, 1.0 / 3.0, 1e22, 123456789012345680.0];
        for body in case["model"]["bodies"].as_array_mut().unwrap() {
            let body = body.as_object_mut().unwrap();
            for member in ["name", "hinge_pos", "hinge_rot", "Dm", "K3", "K4", "Km"] {
                if choices.below(5) == 0 {
                    body.remove(member);
                }
            }
            for node in body["nodes"].as_array_mut().unwrap() {
                let node = node.as_object_mut().unwrap();
                for member in ["p", "J"] {
                    if choices.below(5) == 0 {
                        node.remove(member);
                    }
                }
                node["m"] = json!(*choices.of(&extreme));
            }
        }
        let text = case.to_string();
        let first = Case::from_json(&text).unwrap_or_else(|e| panic!("round {round}: {e}"));
        let second = Case::from_json(&first.to_json()).unwrap_or_else(|e| panic!("round {round}: {e}"));
        assert_eq!(first, second, "round {round}");
        assert_eq!(first.to_json(), second.to_json(), "round {round}");
    }
}

#[test]
fn line_ends_and_layout_do_not_matter() {
    for reference in references().iter().filter(|reference| reference.kind() == "tree").take(4) {
        let pretty = serde_json::to_string_pretty(&reference.json()).unwrap();
        let case = Case::from_json(&reference.text);
        assert_eq!(Case::from_json(&pretty), case);
        assert_eq!(Case::from_json(&pretty.replace('\n', "\r\n")), case);
    }
}
