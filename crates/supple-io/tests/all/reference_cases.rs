//! Every reference case against its answers; unknown kinds are refused by type.

use crate::support::{case, field_error, in_one_state, references, trees};
use serde_json::Value;
use supple_io::case::{Answer, AnyCase, Case, ReadError, evaluate};

const TOLERANCE: f64 = 1e-9;

fn answer_json(answer: &Answer) -> Value {
    serde_json::from_str(&answer.to_json()).unwrap()
}

#[test]
fn every_field_of_every_case_in_one_state() {
    let mut failures = Vec::new();
    let mut worst = (0.0, String::new());
    for reference in in_one_state() {
        let case = Case::from_json(&reference.text).unwrap_or_else(|e| panic!("{}: {e}", reference.name));
        let answer = evaluate(&case).unwrap_or_else(|e| panic!("{}: {e}", reference.name));
        let answer = answer_json(&answer);
        let mut expected = case.expected().unwrap().as_object().unwrap().clone();
        // How well the speeds of a closed case obey its loops: not an answer.
        let closed = expected.remove("closure_velocity_residual").is_some();
        assert_eq!(expected.len(), if closed { 12 } else { 11 }, "{}", reference.name);
        for (field, value) in &expected {
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
    let unsupported = |kind: &str| ReadError::Unsupported { kind: kind.into() };
    for reference in references().iter().filter(|reference| reference.kind() == "trajectory") {
        assert_eq!(Case::from_json(&reference.text), Err(unsupported("trajectory")), "{}", reference.name);
    }
    let mut unknown = case("loop_flex_ball_to_ground");
    unknown["kind"] = "network".into();
    let error = AnyCase::from_json(&unknown.to_string()).unwrap_err();
    assert_eq!(error, unsupported("network"));
    assert!(error.to_string().contains("`tree`, `closed` and `trajectory`"), "{error}");
}

/// Loops of length zero, or none at all, leave a tree.
#[test]
fn without_loops_a_closed_case_is_a_tree() {
    let mut open = case("loop_flex_ball_to_ground");
    open["model"]["loops"] = serde_json::json!([]);
    open["state"]["node_attitudes"].as_array_mut().unwrap().pop();
    let closed = Case::from_json(&open.to_string()).unwrap();
    open["kind"] = "tree".into();
    let tree = Case::from_json(&open.to_string()).unwrap();
    assert_eq!(closed, tree);
    assert!(evaluate(&tree).unwrap().closure_wrench_on_a.is_empty());
}

/// Every channel of every trajectory, relative to its largest value, to the tolerance that the file states.
#[test]
fn every_channel_of_every_trajectory() {
    let mut channels = 0;
    for reference in references().iter().filter(|r| r.kind() == "trajectory") {
        let AnyCase::Trajectory(case) = AnyCase::from_json(&reference.text).unwrap() else { panic!() };
        let answer = serde_json::to_value(case.evaluate().unwrap()).unwrap();
        let expected = case.start().expected().unwrap()["samples"].as_object().unwrap();
        assert_eq!(expected.len(), answer["samples"].as_object().unwrap().len(), "{}", reference.name);
        for (channel, value) in expected {
            let error = field_error(&answer["samples"][channel], value, channel);
            let tolerance = case.channel_tolerances()[channel];
            println!("{}: {channel}: {error:.2e} of {tolerance:.0e}", reference.name);
            assert!(error <= tolerance, "{}: {channel}: {error:.2e} > {tolerance:.0e}", reference.name);
            channels += 1;
        }
    }
    assert!(channels > 20, "{channels}");
}

#[test]
fn bad_drives_are_refused_with_their_place() {
    let sound = case("traj_srms_If_IE");
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut bad = sound.clone();
        change(&mut bad);
        AnyCase::from_json(&bad.to_string()).unwrap_err().to_string()
    };
    for (text, place, words) in [
        (refused(&|c| c["torque"]["type"] = "steps".into()), "torque.type", "unknown value `steps`"),
        (refused(&|c| c["torque"]["T"] = 0.0.into()), "torque.T", "must be positive"),
        (refused(&|c| c["torque"]["index"] = serde_json::json!([0])), "torque.index", "expected 6"),
        (refused(&|c| c["torque"]["index"][2] = 400.into()), "torque.index[2]", "does not exist"),
        (refused(&|c| c["torque"]["rigid_model"]["bodies"][1]["nodes"][0]["m"] = "x".into()), "rigid_model", "number"),
        (refused(&|c| c["torque"]["speed"] = 1.into()), "torque.speed", "unknown member"),
        (refused(&|c| c["sample_times"][3] = 0.1.into()), "sample_times[3]", "not fall"),
        (refused(&|c| c["sample_times"][0] = (-1.0).into()), "sample_times[0]", "start at 0"),
        (refused(&|c| c["T"] = serde_json::json!([])), "T", "unknown member"),
    ] {
        assert!(text.contains(place) && text.contains(words), "{text}");
    }
    let missing = refused(&|c| {
        c.as_object_mut().unwrap().remove("torque");
    });
    assert!(missing.contains("`torque` is missing"), "{missing}");
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
