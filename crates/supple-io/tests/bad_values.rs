//! One broken rule at a time: a good case is edited, and the reader must name rule and place.

mod support;

use serde_json::{Value, json};
use supple_io::case::{Case, ReadError, Rule};
use support::case;

/// A rule without its numbers.
fn kind(rule: &Rule) -> String {
    let told = format!("{rule:?}");
    told.split([' ', '{']).next().unwrap().to_owned()
}

/// The edited case must break exactly this rule at this place, and say this about it.
#[track_caller]
fn refused(name: &str, edit: impl FnOnce(&mut Value), rule: &str, path: &str, says: &str) {
    let mut case = case(name);
    edit(&mut case);
    refused_text(&serde_json::to_string_pretty(&case).unwrap(), rule, path, says);
}

#[track_caller]
fn refused_text(text: &str, rule: &str, path: &str, says: &str) {
    let error = Case::from_json(text).expect_err("the case was accepted");
    let ReadError::Invalid { problems, .. } = &error else { panic!("not a broken rule: {error}") };
    let found = problems.iter().find(|p| kind(&p.rule) == rule && p.place.path == path);
    let found = found.unwrap_or_else(|| panic!("no {rule} at {path}, but:\n{error}"));
    let told = found.to_string();
    assert!(told.contains(says), "`{says}` is missing in: {told}");
    assert!(told.starts_with(if path.is_empty() { "case" } else { path }), "{told}");
    assert!(found.place.line > 1 || path.is_empty(), "the line is missing in: {told}");
}

fn set(pointer: &'static str, value: Value) -> impl FnOnce(&mut Value) {
    move |case| *case.pointer_mut(pointer).unwrap() = value
}

fn remove(object: &'static str, member: &'static str) -> impl FnOnce(&mut Value) {
    move |case| drop(case.pointer_mut(object).unwrap().as_object_mut().unwrap().remove(member).unwrap())
}

fn add(object: &'static str, member: &'static str, value: Value) -> impl FnOnce(&mut Value) {
    move |case| drop(case.pointer_mut(object).unwrap().as_object_mut().unwrap().insert(member.into(), value))
}

const TREE: &str = "tree_5_flex";
const FLOATING: &str = "floating_flex_hub_three_branches";
const NONLINEAR: &str = "nonlinear_stiffness_serial";

#[test]
fn members() {
    refused(TREE, add("", "gravity", json!(0)), "UnknownMember", "gravity", "`gravity` is not known; remove it");
    refused(TREE, add("/model", "Loops", json!([])), "UnknownMember", "model.Loops", "one of: tip_rotation");
    refused(TREE, add("/model/bodies/2", "mass", json!(1)), "UnknownMember", "model.bodies[2].mass", "hinge_pos");
    refused(TREE, add("/model/bodies/2/nodes/1", "I", json!(1)), "UnknownMember", "model.bodies[2].nodes[1].I", "m, p, J");
    refused(TREE, add("/model/bodies/2/joint", "pitch", json!(1)), "UnknownMember", "model.bodies[2].joint.pitch", "");
    refused(TREE, add("/state", "time", json!(1)), "UnknownMember", "state.time", "node_attitudes");
    refused(TREE, add("/state/bodies/0", "q", json!([])), "UnknownMember", "state.bodies[0].q", "eta, etad");
    refused(TREE, add("/wrenches/0", "point", json!([])), "UnknownMember", "wrenches[0].point", "frame");
    refused(TREE, remove("", "schema"), "MissingMember", "", "member `schema` is missing");
    refused(TREE, remove("", "kind"), "MissingMember", "", "member `kind` is missing");
    refused(TREE, remove("", "model"), "MissingMember", "", "member `model` is missing");
    refused(TREE, remove("", "state"), "MissingMember", "", "member `state` is missing");
    refused(TREE, remove("", "T"), "MissingMember", "", "member `T` is missing");
    refused(TREE, remove("", "udot_in"), "MissingMember", "", "member `udot_in` is missing");
    refused(TREE, remove("/model", "gravity"), "MissingMember", "model", "member `gravity`");
    refused(TREE, remove("/model", "bodies"), "MissingMember", "model", "member `bodies`");
    refused(TREE, remove("/model/bodies/1", "parent"), "MissingMember", "model.bodies[1]", "member `parent`");
    refused(TREE, remove("/model/bodies/1", "parent_node"), "MissingMember", "model.bodies[1]", "member `parent_node`");
    refused(TREE, remove("/model/bodies/1", "joint"), "MissingMember", "model.bodies[1]", "member `joint`");
    refused(TREE, remove("/model/bodies/1", "nodes"), "MissingMember", "model.bodies[1]", "member `nodes`");
    refused(TREE, remove("/model/bodies/1/nodes/0", "m"), "MissingMember", "model.bodies[1].nodes[0]", "member `m`");
    refused(TREE, remove("/model/bodies/1/joint", "axis"), "MissingMember", "model.bodies[1].joint", "member `axis`");
    refused(TREE, remove("/model/bodies/2/joint", "axes"), "MissingMember", "model.bodies[2].joint", "member `axes`");
    refused(TREE, remove("/state/bodies/1", "eta"), "MissingMember", "state.bodies[1]", "member `eta`");
    refused(TREE, remove("/wrenches/0", "frame"), "MissingMember", "wrenches[0]", "member `frame`");
    let axis = json!([1, 0, 0]);
    refused(TREE, add("/model/bodies/2/joint", "axis", axis.clone()), "UselessMember", "model.bodies[2].joint.axis", "two axes");
    refused(TREE, add("/model/bodies/1/joint", "axes", axis.clone()), "UselessMember", "model.bodies[1].joint.axes", "one axis");
    refused(FLOATING, add("/model/bodies/0/joint", "axis", axis), "UselessMember", "model.bodies[0].joint.axis", "no axis");
    let twice = serde_json::to_string_pretty(&case(TREE)).unwrap().replacen("\"nm\": 3", "\"nm\": 3,\n\"nm\": 3", 1);
    refused_text(&twice, "RepeatedMember", "model.bodies[0].nm", "`nm` is given twice");
}

#[test]
fn types_and_words() {
    refused(TREE, set("/model", json!([])), "Type", "model", "expected an object, found []");
    refused(TREE, set("/model/bodies", json!({})), "Type", "model.bodies", "expected a list, found {}");
    refused(TREE, set("/model/bodies/0", Value::Null), "Type", "model.bodies[0]", "expected an object, found null");
    refused(TREE, set("/model/bodies/0/nodes/0/m", json!("1,5")), "Type", "model.bodies[0].nodes[0].m", "expected a number, found \"1,5\"");
    refused(TREE, set("/model/bodies/0/nodes/0/m", json!("")), "Type", "model.bodies[0].nodes[0].m", "expected a number, found \"\"");
    refused(TREE, set("/model/bodies/0/nodes/0/m", json!(true)), "Type", "model.bodies[0].nodes[0].m", "found true");
    refused(TREE, set("/model/bodies/0/nodes/0/m", json!([1])), "Type", "model.bodies[0].nodes[0].m", "expected a number");
    refused(TREE, set("/model/bodies/0/nodes/0/p/2", Value::Null), "Type", "model.bodies[0].nodes[0].p[2]", "found null");
    refused(TREE, set("/model/bodies/0/nm", json!(3.0)), "Type", "model.bodies[0].nm", "expected a whole number, found 3.0");
    refused(TREE, set("/model/bodies/1/parent", json!("0")), "Type", "model.bodies[1].parent", "expected a whole number");
    refused(TREE, set("/model/bodies/1/name", json!(5)), "Type", "model.bodies[1].name", "expected a string, found 5");
    refused(TREE, set("/features", json!("tree")), "Type", "features", "expected a list");
    refused(TREE, set("/features", json!([1])), "Type", "features[0]", "expected a string");
    refused(TREE, set("/cond_M", json!("large")), "Type", "cond_M", "expected a number");
    refused(TREE, add("/model", "loops", json!({})), "Type", "model.loops", "expected a list");
    refused(TREE, set("/model/tip_rotation", json!("exact")), "UnknownWord", "model.tip_rotation", "one of: integrated, euler321");
    refused(TREE, set("/model/inertia", json!("newton")), "UnknownWord", "model.inertia", "newton_euler, lagrange");
    refused(TREE, set("/model/bodies/0/joint/type", json!("hinge")), "UnknownWord", "model.bodies[0].joint.type", "`hinge` is not known; use one of: fixed");
    refused(TREE, set("/wrenches/0/frame", json!("world")), "UnknownWord", "wrenches[0].frame", "body, inertial");
}

#[test]
fn numbers() {
    let good = serde_json::to_string_pretty(&case(TREE)).unwrap();
    let mass = case(TREE)["model"]["bodies"][0]["nodes"][0]["m"].to_string();
    let with = |number: &str| good.replacen(&format!("\"m\": {mass}"), &format!("\"m\": {number}"), 1);
    let place = "model.bodies[0].nodes[0].m";
    for number in ["1e400", "-1e400", "1e99999999999999999999"] {
        refused_text(&with(number), "Overflow", place, number);
    }
    refused_text(&with("1e-400"), "Underflow", place, "1e-400 is below the smallest number");
    refused_text(&with("-0.0001e-330"), "Underflow", place, "write 0");
    refused_text(&with(&"1".repeat(10_000)), "LongNumber", place, "10000 characters, the limit is 100");
    for fine in ["5e-324", "2.2250738585072014e-309", "0e-999", "0.0", "-0", "1.7976931348623157e308", "1e2", "1E+2"] {
        let case = Case::from_json(&with(fine)).unwrap_or_else(|e| panic!("{fine}: {e}"));
        assert_eq!(case.model().bodies[0].nodes[0].mass.to_bits(), fine.parse::<f64>().unwrap().to_bits(), "{fine}");
    }
    for (number, says) in [("NaN", "JSON has no NaN"), ("-Infinity", "JSON has no NaN or infinity"), ("nan", "write a finite number"), ("0x10", ""), ("1.0abc", ""), ("+1", ""), (".5", ""), ("", ""), ("1.", ""), ("inf", "finite")] {
        let error = Case::from_json(&with(number)).expect_err(number);
        let ReadError::Syntax { place: found, message } = &error else { panic!("{number}: {error}") };
        assert_eq!(found.path, place, "{number}: {error}");
        assert!(found.line > 1 && message.contains(says), "{number}: {error}");
    }
}

#[test]
fn sizes() {
    refused(TREE, set("/model/gravity", json!([0, 0])), "Length", "model.gravity", "2 entries, expected 3");
    refused(TREE, set("/model/bodies/0/nodes/1/Pi", json!([[1, 2, 3]])), "Length", "model.bodies[0].nodes[1].Pi", "1 entries, expected 6");
    refused(TREE, set("/model/bodies/0/nodes/1/Pi/4", json!([1, 2])), "Length", "model.bodies[0].nodes[1].Pi[4]", "2 entries, expected 3, one per mode");
    refused(TREE, set("/model/bodies/0/Km", json!([])), "Length", "model.bodies[0].Km", "0 entries, expected 3");
    refused(TREE, set("/model/bodies/0/Km/2", json!([1])), "Length", "model.bodies[0].Km[2]", "1 entries, expected 3");
    refused(TREE, set("/model/bodies/0/Dm/1", json!([1, 2, 3, 4])), "Length", "model.bodies[0].Dm[1]", "4 entries, expected 3");
    refused(TREE, set("/model/bodies/0/hinge_pos", json!([1, 2, 3, 4])), "Length", "model.bodies[0].hinge_pos", "4 entries");
    refused(TREE, set("/model/bodies/0/hinge_rot/0", json!([])), "Length", "model.bodies[0].hinge_rot[0]", "0 entries");
    refused(TREE, set("/model/bodies/0/joint/axis", json!([1])), "Length", "model.bodies[0].joint.axis", "expected 3");
    refused(TREE, set("/model/bodies/2/joint/axes", json!([[1, 0, 0]])), "Length", "model.bodies[2].joint.axes", "expected 2");
    refused(TREE, set("/model/bodies/0/nodes/0/J", json!([[1, 0, 0]])), "Length", "model.bodies[0].nodes[0].J", "expected 3");
    refused(TREE, set("/model/bodies/0/nm", json!(2)), "Length", "model.bodies[0].Km", "3 entries, expected 2");
    refused(TREE, set("/state/bodies", json!([])), "Length", "state.bodies", "0 entries, expected 5, one per body");
    refused(TREE, set("/state/bodies/0/eta", json!([1])), "Length", "state.bodies[0].eta", "1 entries, expected 3, one per mode");
    refused(TREE, set("/state/bodies/0/etad", json!([1, 2, 3, 4])), "Length", "state.bodies[0].etad", "4 entries");
    refused(TREE, set("/state/bodies/0/theta", json!([])), "Length", "state.bodies[0].theta", "0 entries, expected 1, one per hinge coordinate");
    refused(FLOATING, set("/state/bodies/0/beta", json!([0, 0, 0])), "Length", "state.bodies[0].beta", "3 entries, expected 6");
    refused(TREE, set("/T", json!([1])), "Length", "T", "1 entries, expected 16, one per generalized speed");
    refused(TREE, set("/udot_in", json!([])), "Length", "udot_in", "0 entries");
    refused(TREE, set("/wrenches/0/wrench", json!([0, 0, 0])), "Length", "wrenches[0].wrench", "expected 6");
    refused(TREE, set("/state/node_attitudes/0/quat", json!([1, 0, 0])), "Length", "state.node_attitudes[0].quat", "expected 4");
    refused(NONLINEAR, set("/model/bodies/0/K3/0", json!([0, 0, 1.0])), "Length", "model.bodies[0].K3[0]", "3 entries, expected 4");
    for absurd in [json!(1_000_000_000), json!(1001), json!(-1), json!(i64::MAX)] {
        refused(TREE, set("/model/bodies/0/nm", absurd.clone()), "TooMany", "model.bodies[0].nm", &format!("{absurd} modes, expected 0 to 1000"));
    }
    refused(TREE, set("/model/bodies/0/nm", json!(u64::MAX)), "Type", "model.bodies[0].nm", "expected a whole number");
}

#[test]
fn indices() {
    refused(TREE, set("/model/bodies/1/parent", json!(5)), "Index", "model.bodies[1].parent", "body 5 does not exist; use -1 to 4");
    refused(TREE, set("/model/bodies/1/parent", json!(-2)), "Index", "model.bodies[1].parent", "body -2 does not exist");
    refused(TREE, set("/model/bodies/1/parent_node", json!(3)), "Index", "model.bodies[1].parent_node", "node of the parent 3 does not exist; use 0 to 2");
    refused(TREE, set("/model/bodies/1/parent_node", json!(-1)), "Index", "model.bodies[1].parent_node", "-1 does not exist");
    refused(TREE, set("/model/bodies/1/inboard_node", json!(3)), "Index", "model.bodies[1].inboard_node", "node 3 does not exist");
    refused(TREE, set("/model/bodies/4/nodes", json!([])), "Index", "model.bodies[4].inboard_node", "there is none; add one");
    refused(TREE, set("/wrenches/0/body", json!(5)), "Index", "wrenches[0].body", "use 0 to 4");
    refused(TREE, set("/wrenches/0/body", json!(-1)), "Index", "wrenches[0].body", "use 0 to 4");
    refused(TREE, set("/wrenches/0/node", json!(9)), "Index", "wrenches[0].node", "node 9 does not exist");
    refused(TREE, set("/state/node_attitudes/0/body", json!(7)), "Index", "state.node_attitudes[0].body", "body 7");
    refused(TREE, set("/state/node_attitudes/0/node", json!(7)), "Index", "state.node_attitudes[0].node", "node 7");
    refused(NONLINEAR, set("/model/bodies/0/K3/0/1", json!(3)), "Index", "model.bodies[0].K3[0][1]", "mode 3 does not exist; use 0 to 2");
    refused(NONLINEAR, set("/model/bodies/0/K4/0/3", json!(-1)), "Index", "model.bodies[0].K4[0][3]", "mode -1");
    refused(TREE, set("/model/bodies/0/parent", json!(0)), "ParentCycle", "model.bodies[0].parent", "0 on 0; hang one");
    refused(TREE, set("/model/bodies/0/parent", json!(2)), "ParentCycle", "model.bodies[0].parent", "0 on 2 on 0");
}

#[test]
fn geometry() {
    refused(TREE, set("/model/bodies/0/hinge_rot/0/0", json!(0.5)), "NotRotation", "model.bodies[0].hinge_rot", "no rotation matrix");
    let mirror = json!([[1, 0, 0], [0, 1, 0], [0, 0, -1]]);
    refused(TREE, set("/model/bodies/0/hinge_rot", mirror), "NotRotation", "model.bodies[0].hinge_rot", "det R = -1");
    let huge = json!([[1e200, 0, 0], [0, 1e200, 0], [0, 0, 1e200]]);
    refused(TREE, set("/model/bodies/0/hinge_rot", huge), "NotRotation", "model.bodies[0].hinge_rot", "inf");
    refused(TREE, set("/model/bodies/0/joint/axis", json!([0, 0, 0])), "ZeroAxis", "model.bodies[0].joint.axis", "length zero");
    refused(TREE, set("/model/bodies/2/joint/axes/1", json!([0, 0, 0])), "ZeroAxis", "model.bodies[2].joint.axes[1]", "length zero");
    refused(FLOATING, set("/state/bodies/0/theta/0", json!(2)), "NotUnit", "state.bodies[0].theta", "divide it by its length");
    refused(FLOATING, set("/state/bodies/3/theta", json!([0, 0, 0, 0])), "NotUnit", "state.bodies[3].theta", "length 0, expected 1");
    refused(TREE, set("/state/node_attitudes/1/quat", json!([1, 0, 0, 1])), "NotUnit", "state.node_attitudes[1].quat", "1.414");
    refused(TREE, set("/model/bodies/0/Km/0/1", json!(1e3)), "NotSymmetric", "model.bodies[0].Km", "[1, 0]");
    refused(TREE, set("/model/bodies/0/Dm/0/2", json!(1e3)), "NotSymmetric", "model.bodies[0].Dm", "[2, 0]");
    refused(TREE, set("/model/bodies/0/nodes/1/J/0/2", json!(9)), "NotSymmetric", "model.bodies[0].nodes[1].J", "mirror image");
    refused(NONLINEAR, set("/model/bodies/0/K3/1/3", json!(1)), "NotSymmetric", "model.bodies[0].K3", "[0, 0, 1]");
    refused(NONLINEAR, set("/model/bodies/0/K3/1/3", json!(0)), "NotSymmetric", "model.bodies[0].K3", "list both");
    let drop_one = |case: &mut Value| drop(case["model"]["bodies"][0]["K4"].as_array_mut().unwrap().remove(1));
    refused(NONLINEAR, drop_one, "NotSymmetric", "model.bodies[0].K4", "[0, 0, 0, 1]");
    let repeat = |case: &mut Value| {
        let list = case["model"]["bodies"][0]["K3"].as_array_mut().unwrap();
        list.push(list[0].clone());
    };
    refused(NONLINEAR, repeat, "RepeatedEntry", "model.bodies[0].K3[27]", "listed before, at index 0");
}

#[test]
fn attitudes() {
    let attitude = |body: usize, node: usize| json!({"body": body, "node": node, "quat": [0.6, 0.8, 0.0, 0.0]});
    let append = |entry: Value| move |case: &mut Value| case["state"]["node_attitudes"].as_array_mut().unwrap().push(entry);
    refused(TREE, set("/state/node_attitudes", json!([])), "MissingAttitude", "state.node_attitudes", "node 2 of body 0 is missing");
    refused(TREE, remove("/state", "node_attitudes"), "MissingAttitude", "state", "add {\"body\": 0, \"node\": 2, \"quat\"");
    refused(TREE, append(attitude(0, 2)), "RepeatedEntry", "state.node_attitudes[6]", "at index 1");
    refused(TREE, append(attitude(0, 1)), "UselessAttitude", "state.node_attitudes[6]", "no hinge sits at this node");
    refused(TREE, append(attitude(4, 0)), "UselessAttitude", "state.node_attitudes[6]", "no mode turns this node");
    refused("tip_none_tree", append(attitude(0, 0)), "UselessAttitude", "state.node_attitudes[0]", "only with tip_rotation `integrated`");
    refused(TREE, set("/state/node_attitudes/0/quat", json!([0, 1, 0, 0])), "UselessAttitude", "state.node_attitudes[0]", "no mode turns");
    // A node that no mode turns may be left out or told to be unturned.
    let mut case = case(TREE);
    let list = case["state"]["node_attitudes"].as_array_mut().unwrap();
    assert_eq!(list[0], json!({"body": 0, "node": 0, "quat": [1.0, 0.0, 0.0, 0.0]}));
    list.remove(0);
    list.push(json!({"body": 4, "node": 0, "quat": [-1, 0, 0, 0]}));
    Case::from_json(&case.to_string()).unwrap();
}

#[test]
fn several_problems_are_told_at_once() {
    let mut broken = case(TREE);
    broken["model"]["bodies"][0]["nodes"][0]["m"] = json!("x");
    broken["model"]["bodies"][1]["joint"]["axis"] = json!([0, 0, 0]);
    broken["model"]["inertia"] = json!("?");
    let error = Case::from_json(&broken.to_string()).unwrap_err();
    let ReadError::Invalid { problems, omitted } = &error else { panic!("{error}") };
    assert_eq!((problems.len(), *omitted), (3, 0), "{error}");
    assert_eq!(error.to_string().lines().count(), 3);
    broken["T"] = vec![json!("x"); 16].into();
    broken["model"] = case(TREE)["model"].clone();
    broken["udot_in"] = vec![Value::Null; 16].into();
    let error = Case::from_json(&broken.to_string()).unwrap_err();
    let ReadError::Invalid { problems, omitted } = &error else { panic!("{error}") };
    assert_eq!((problems.len(), *omitted), (20, 12), "{error}");
    assert!(error.to_string().ends_with("and 12 more"));
}
