//! One broken rule at a time: a good case is edited, and the reader must name rule and place.

use crate::support::case;
use serde_json::{Value, json};
use supple_io::case::{Case, ReadError, Rule};

/// A rule without its numbers.
fn kind(rule: &Rule) -> String {
    let told = format!("{rule:?}");
    told.split([' ', '{']).next().unwrap().to_owned()
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

/// A good case to be edited, by name. The place of a problem is that of the edit, unless told.
struct Good(&'static str);

const TREE: Good = Good("tree_5_flex");
const FLOATING: Good = Good("floating_flex_hub_three_branches");
const LOOP: Good = Good("loop_flex_revolute_closure");
const NONLINEAR: Good = Good("nonlinear_stiffness_serial");

/// `model.bodies[0].nm` of `/model/bodies/0/nm`.
fn path_of(pointer: &str) -> String {
    let mut path = String::new();
    for step in pointer.split('/').skip(1) {
        if step.parse::<usize>().is_ok() {
            path += &format!("[{step}]");
        } else {
            path += if path.is_empty() { "" } else { "." };
            path += step;
        }
    }
    path
}

impl Good {
    /// The edited case must break this rule at this place, and say this about it.
    #[track_caller]
    fn edit(&self, edit: impl FnOnce(&mut Value), rule: &str, path: &str, says: &str) {
        let mut case = case(self.0);
        edit(&mut case);
        refused_text(&serde_json::to_string_pretty(&case).unwrap(), rule, path, says);
    }

    /// Another value for a member or entry.
    #[track_caller]
    fn set(&self, pointer: &str, value: Value, rule: &str, says: &str) {
        self.set_at(pointer, value, rule, &path_of(pointer), says);
    }

    /// The same, with a problem at another place.
    #[track_caller]
    fn set_at(&self, pointer: &str, value: Value, rule: &str, path: &str, says: &str) {
        self.edit(|case| *case.pointer_mut(pointer).unwrap() = value, rule, path, says);
    }

    /// One member more.
    #[track_caller]
    fn add(&self, pointer: &str, value: Value, rule: &str, says: &str) {
        let (object, member) = pointer.rsplit_once('/').unwrap();
        let edit = |case: &mut Value| case.pointer_mut(object).unwrap()[member] = value;
        self.edit(edit, rule, &path_of(pointer), says);
    }

    /// One member less, which must be missed.
    #[track_caller]
    fn remove(&self, pointer: &str) {
        let (object, member) = pointer.rsplit_once('/').unwrap();
        let says = format!("member `{member}` is missing; add it");
        self.edit(|case| remove(case, pointer), "MissingMember", &path_of(object), &says);
    }
}

fn remove(case: &mut Value, pointer: &str) {
    let (object, member) = pointer.rsplit_once('/').unwrap();
    case.pointer_mut(object).unwrap().as_object_mut().unwrap().remove(member).unwrap();
}

fn remove_last(case: &mut Value, list: &str) {
    case.pointer_mut(list).unwrap().as_array_mut().unwrap().pop().unwrap();
}

#[test]
fn members() {
    TREE.add("/gravity", json!(0), "UnknownMember", "unknown member `gravity`; remove it");
    TREE.add("/model/Loops", json!([]), "UnknownMember", "one of: tip_rotation");
    TREE.add("/model/bodies/2/mass", json!(1), "UnknownMember", "hinge_pos");
    TREE.add("/model/bodies/2/nodes/1/I", json!(1), "UnknownMember", "m, p, J");
    TREE.add("/model/bodies/2/joint/pitch", json!(1), "UnknownMember", "");
    TREE.add("/state/time", json!(1), "UnknownMember", "node_attitudes");
    TREE.add("/state/bodies/0/q", json!([]), "UnknownMember", "eta, etad");
    TREE.add("/wrenches/0/point", json!([]), "UnknownMember", "frame");
    TREE.remove("/schema");
    TREE.remove("/kind");
    TREE.remove("/model");
    TREE.remove("/state");
    TREE.remove("/T");
    TREE.remove("/udot_in");
    TREE.remove("/model/gravity");
    TREE.remove("/model/bodies");
    TREE.remove("/model/bodies/1/parent");
    TREE.remove("/model/bodies/1/parent_node");
    TREE.remove("/model/bodies/1/joint");
    TREE.remove("/model/bodies/1/nodes");
    TREE.remove("/model/bodies/1/nodes/0/m");
    TREE.remove("/model/bodies/1/joint/axis");
    TREE.remove("/model/bodies/2/joint/axes");
    TREE.remove("/state/bodies/1/eta");
    TREE.remove("/wrenches/0/frame");
    let axis = json!([1, 0, 0]);
    TREE.add("/model/bodies/2/joint/axis", axis.clone(), "UselessMember", "two axes");
    TREE.add("/model/bodies/1/joint/axes", axis.clone(), "UselessMember", "one axis");
    FLOATING.add("/model/bodies/0/joint/axis", axis, "UselessMember", "no axis");
    let twice = serde_json::to_string_pretty(&case(TREE.0)).unwrap().replacen("\"nm\": 3", "\"nm\": 3,\n\"nm\": 3", 1);
    refused_text(&twice, "RepeatedMember", "model.bodies[0].nm", "`nm` is given twice");
}

#[test]
fn loops() {
    LOOP.set_at("/kind", json!("tree"), "UselessMember", "model.loops", "only cases of kind `closed`");
    LOOP.set("/model/loops", json!(5), "Type", "expected a list");
    LOOP.set("/model/loops", json!(vec![0; 1001]), "TooMany", "1001 loops, expected 0 to 1000");
    LOOP.add("/model/loops/0/pitch", json!(1), "UnknownMember", "one of: type, a, b, axis");
    LOOP.add("/model/loops/0/a/frame", json!(1), "UnknownMember", "one of: body, node, pos, rot");
    for member in ["type", "a", "b", "axis", "a/body", "b/node"] {
        LOOP.remove(&format!("/model/loops/0/{member}"));
    }
    LOOP.set("/model/loops/0/type", json!("ball"), "UnknownWord", "use one of: weld, revolute, spherical");
    LOOP.set_at("/model/loops/0/type", json!("weld"), "UselessMember", "model.loops[0].axis", "only a revolute loop");
    LOOP.set("/model/loops/0/axis", json!([0, 0, 0]), "ZeroAxis", "length zero");
    LOOP.set("/model/loops/0/a/body", json!(4), "Index", "body 4 does not exist; use -1 to 3");
    LOOP.set("/model/loops/0/b/node", json!(-1), "Index", "node -1 does not exist");
    LOOP.set("/model/loops/0/a/pos", json!([0, 0]), "Length", "2 entries, expected 3");
    let rot = json!([[1, 0, 0], [0, 1, 0], [0, 0, -1]]);
    LOOP.set("/model/loops/0/b/rot", rot, "NotRotation", "det R = -1");
    LOOP.edit(
        |case| remove_last(case, "/state/node_attitudes"),
        "MissingAttitude",
        "state.node_attitudes",
        "node 3 of body 3",
    );
}

#[test]
fn types_and_words() {
    TREE.set("/model", json!([]), "Type", "expected an object, found []");
    TREE.set("/model/bodies", json!({}), "Type", "expected a list, found {}");
    TREE.set("/model/bodies/0", Value::Null, "Type", "expected an object, found null");
    TREE.set("/model/bodies/0/nodes/0/m", json!("1,5"), "Type", "expected a number, found \"1,5\"");
    TREE.set("/model/bodies/0/nodes/0/m", json!(""), "Type", "expected a number, found \"\"");
    TREE.set("/model/bodies/0/nodes/0/m", json!(true), "Type", "found true");
    TREE.set("/model/bodies/0/nodes/0/m", json!([1]), "Type", "expected a number");
    TREE.set("/model/bodies/0/nodes/0/p/2", Value::Null, "Type", "found null");
    TREE.set("/model/bodies/0/nm", json!(3.0), "Type", "expected a whole number, found 3.0");
    TREE.set("/model/bodies/1/parent", json!("0"), "Type", "expected a whole number");
    TREE.set("/model/bodies/1/name", json!(5), "Type", "expected a string, found 5");
    TREE.set("/features", json!("tree"), "Type", "expected a list");
    TREE.set_at("/features", json!([1]), "Type", "features[0]", "expected a string");
    TREE.set("/cond_M", json!("large"), "Type", "expected a number");
    TREE.add("/model/loops", json!({}), "Type", "expected a list");
    TREE.set("/model/tip_rotation", json!("exact"), "UnknownWord", "one of: integrated, euler321");
    TREE.set("/model/inertia", json!("newton"), "UnknownWord", "newton_euler, lagrange");
    TREE.set("/model/bodies/0/joint/type", json!("hinge"), "UnknownWord", "unknown value `hinge`; use one of: fixed");
    TREE.set("/wrenches/0/frame", json!("world"), "UnknownWord", "body, inertial");
}

#[test]
fn numbers() {
    let good = serde_json::to_string_pretty(&case(TREE.0)).unwrap();
    let mass = case(TREE.0)["model"]["bodies"][0]["nodes"][0]["m"].to_string();
    let with = |number: &str| good.replacen(&format!("\"m\": {mass}"), &format!("\"m\": {number}"), 1);
    let place = "model.bodies[0].nodes[0].m";
    for number in ["1e400", "-1e400", "1e99999999999999999999"] {
        refused_text(&with(number), "Overflow", place, number);
    }
    refused_text(&with("1e-400"), "Underflow", place, "1e-400 is below the smallest double");
    refused_text(&with("-0.0001e-330"), "Underflow", place, "write 0");
    refused_text(&with(&"1".repeat(10_000)), "LongNumber", place, "10000 characters, the limit is 100");
    for fine in ["5e-324", "2.2250738585072014e-309", "0e-999", "0.0", "-0", "1.7976931348623157e308", "1e2", "1E+2"] {
        let case = Case::from_json(&with(fine)).unwrap_or_else(|e| panic!("{fine}: {e}"));
        assert_eq!(case.model().bodies[0].nodes[0].mass.to_bits(), fine.parse::<f64>().unwrap().to_bits(), "{fine}");
    }
    let words =
        ["NaN", "-Infinity", "nan", "inf"].map(|word| (word, "JSON has no NaN or infinity, write a finite number"));
    let marks = ["0x10", "1.0abc", "+1", ".5", "", "1.", "01"].map(|text| (text, ""));
    for (number, says) in words.into_iter().chain(marks) {
        let error = Case::from_json(&with(number)).expect_err(number);
        let ReadError::Syntax { place: found, message } = &error else { panic!("{number}: {error}") };
        assert_eq!(found.path, place, "{number}: {error}");
        assert!(found.line > 1 && message.contains(says), "{number}: {error}");
    }
}

#[test]
fn sizes() {
    TREE.set("/model/gravity", json!([0, 0]), "Length", "2 entries, expected 3");
    TREE.set("/model/bodies/0/nodes/1/Pi", json!([[1, 2, 3]]), "Length", "1 entries, expected 6");
    TREE.set("/model/bodies/0/nodes/1/Pi/4", json!([1, 2]), "Length", "2 entries, expected 3, one per mode");
    TREE.set("/model/bodies/0/Km", json!([]), "Length", "0 entries, expected 3");
    TREE.set("/model/bodies/0/Km/2", json!([1]), "Length", "1 entries, expected 3");
    TREE.set("/model/bodies/0/Dm/1", json!([1, 2, 3, 4]), "Length", "4 entries, expected 3");
    TREE.set("/model/bodies/0/hinge_pos", json!([1, 2, 3, 4]), "Length", "4 entries");
    TREE.set("/model/bodies/0/hinge_rot/0", json!([]), "Length", "0 entries");
    TREE.set("/model/bodies/0/joint/axis", json!([1]), "Length", "expected 3");
    TREE.set("/model/bodies/2/joint/axes", json!([[1, 0, 0]]), "Length", "expected 2");
    TREE.set("/model/bodies/0/nodes/0/J", json!([[1, 0, 0]]), "Length", "expected 3");
    TREE.set_at("/model/bodies/0/nm", json!(2), "Length", "model.bodies[0].Km", "3 entries, expected 2");
    TREE.set("/state/bodies", json!([]), "Length", "0 entries, expected 5, one per body");
    TREE.set("/state/bodies/0/eta", json!([1]), "Length", "1 entries, expected 3, one per mode");
    TREE.set("/state/bodies/0/etad", json!([1, 2, 3, 4]), "Length", "4 entries");
    TREE.set("/state/bodies/0/theta", json!([]), "Length", "0 entries, expected 1, one per hinge coordinate");
    FLOATING.set("/state/bodies/0/beta", json!([0, 0, 0]), "Length", "3 entries, expected 6");
    TREE.set("/T", json!([1]), "Length", "1 entries, expected 16, one per generalized speed");
    TREE.set("/udot_in", json!([]), "Length", "0 entries");
    TREE.set("/wrenches/0/wrench", json!([0, 0, 0]), "Length", "expected 6");
    TREE.set("/state/node_attitudes/0/quat", json!([1, 0, 0]), "Length", "expected 4");
    NONLINEAR.set("/model/bodies/0/K3/0", json!([0, 0, 1.0]), "Length", "3 entries, expected 4");
    for absurd in [json!(1_000_000_000), json!(1001), json!(-1), json!(i64::MAX)] {
        let says = format!("{absurd} modes, expected 0 to 1000");
        TREE.set("/model/bodies/0/nm", absurd, "TooMany", &says);
    }
    TREE.set("/model/bodies/0/nm", json!(u64::MAX), "Type", "expected a whole number");
}

#[test]
fn indices() {
    TREE.set("/model/bodies/1/parent", json!(5), "Index", "body 5 does not exist; use -1 to 4");
    TREE.set("/model/bodies/1/parent", json!(-2), "Index", "body -2 does not exist");
    TREE.set("/model/bodies/1/parent_node", json!(3), "Index", "node of the parent 3 does not exist; use 0 to 2");
    TREE.set("/model/bodies/1/parent_node", json!(-1), "Index", "-1 does not exist");
    TREE.set("/model/bodies/1/inboard_node", json!(3), "Index", "node 3 does not exist");
    TREE.set_at("/model/bodies/4/nodes", json!([]), "Index", "model.bodies[4].inboard_node", "there is none; add one");
    TREE.set("/wrenches/0/body", json!(5), "Index", "use 0 to 4");
    TREE.set("/wrenches/0/body", json!(-1), "Index", "use 0 to 4");
    TREE.set("/wrenches/0/node", json!(9), "Index", "node 9 does not exist");
    TREE.set("/state/node_attitudes/0/body", json!(7), "Index", "body 7");
    TREE.set("/state/node_attitudes/0/node", json!(7), "Index", "node 7");
    NONLINEAR.set("/model/bodies/0/K3/0/1", json!(3), "Index", "mode 3 does not exist; use 0 to 2");
    NONLINEAR.set("/model/bodies/0/K4/0/3", json!(-1), "Index", "mode -1");
    TREE.set("/model/bodies/0/parent", json!(0), "ParentCycle", "0 on 0; attach one");
    TREE.set("/model/bodies/0/parent", json!(2), "ParentCycle", "0 on 2 on 0");
}

#[test]
fn geometry() {
    TREE.set_at(
        "/model/bodies/0/hinge_rot/0/0",
        json!(0.5),
        "NotRotation",
        "model.bodies[0].hinge_rot",
        "not a rotation matrix",
    );
    let mirror = json!([[1, 0, 0], [0, 1, 0], [0, 0, -1]]);
    TREE.set("/model/bodies/0/hinge_rot", mirror, "NotRotation", "det R = -1");
    let huge = json!([[1e200, 0, 0], [0, 1e200, 0], [0, 0, 1e200]]);
    TREE.set("/model/bodies/0/hinge_rot", huge, "NotRotation", "inf");
    TREE.set("/model/bodies/0/joint/axis", json!([0, 0, 0]), "ZeroAxis", "length zero");
    TREE.set("/model/bodies/2/joint/axes/1", json!([0, 0, 0]), "ZeroAxis", "length zero");
    FLOATING.set_at("/state/bodies/0/theta/0", json!(2), "NotUnit", "state.bodies[0].theta", "divide it by its length");
    FLOATING.set("/state/bodies/3/theta", json!([0, 0, 0, 0]), "NotUnit", "length 0, expected 1");
    TREE.set("/state/node_attitudes/1/quat", json!([1, 0, 0, 1]), "NotUnit", "1.414");
    TREE.set_at("/model/bodies/0/Km/0/1", json!(1e3), "NotSymmetric", "model.bodies[0].Km", "[1, 0]");
    TREE.set_at("/model/bodies/0/Dm/0/2", json!(1e3), "NotSymmetric", "model.bodies[0].Dm", "[2, 0]");
    TREE.set_at(
        "/model/bodies/0/nodes/1/J/0/2",
        json!(9),
        "NotSymmetric",
        "model.bodies[0].nodes[1].J",
        "mirror image",
    );
    NONLINEAR.set_at("/model/bodies/0/K3/1/3", json!(1), "NotSymmetric", "model.bodies[0].K3", "[0, 0, 1]");
    NONLINEAR.set_at("/model/bodies/0/K3/1/3", json!(0), "NotSymmetric", "model.bodies[0].K3", "list both");
    let drop_one = |case: &mut Value| drop(case["model"]["bodies"][0]["K4"].as_array_mut().unwrap().remove(1));
    NONLINEAR.edit(drop_one, "NotSymmetric", "model.bodies[0].K4", "[0, 0, 0, 1]");
    let repeat = |case: &mut Value| {
        let list = case["model"]["bodies"][0]["K3"].as_array_mut().unwrap();
        list.push(list[0].clone());
    };
    NONLINEAR.edit(repeat, "RepeatedEntry", "model.bodies[0].K3[27]", "already listed, at index 0");
}

#[test]
fn attitudes() {
    let attitude = |body: usize, node: usize| json!({"body": body, "node": node, "quat": [0.6, 0.8, 0.0, 0.0]});
    let append =
        |entry: Value| move |case: &mut Value| case["state"]["node_attitudes"].as_array_mut().unwrap().push(entry);
    TREE.set("/state/node_attitudes", json!([]), "MissingAttitude", "node 2 of body 0 is missing");
    let none = |case: &mut Value| remove(case, "/state/node_attitudes");
    TREE.edit(none, "MissingAttitude", "state", "add {\"body\": 0, \"node\": 2, \"quat\"");
    TREE.edit(append(attitude(0, 2)), "RepeatedEntry", "state.node_attitudes[6]", "at index 1");
    TREE.edit(
        append(attitude(0, 1)),
        "UselessAttitude",
        "state.node_attitudes[6]",
        "no hinge and no loop is at this node",
    );
    TREE.edit(append(attitude(4, 0)), "UselessAttitude", "state.node_attitudes[6]", "no mode turns this node");
    Good("tip_none_tree").edit(
        append(attitude(0, 0)),
        "UselessAttitude",
        "state.node_attitudes[0]",
        "only with tip_rotation `integrated`",
    );
    TREE.set_at(
        "/state/node_attitudes/0/quat",
        json!([0, 1, 0, 0]),
        "UselessAttitude",
        "state.node_attitudes[0]",
        "no mode turns",
    );
    // A node that no mode turns may be left out or told to be unturned.
    let mut case = case(TREE.0);
    let list = case["state"]["node_attitudes"].as_array_mut().unwrap();
    assert_eq!(list[0], json!({"body": 0, "node": 0, "quat": [1.0, 0.0, 0.0, 0.0]}));
    list.remove(0);
    list.push(json!({"body": 4, "node": 0, "quat": [-1, 0, 0, 0]}));
    Case::from_json(&case.to_string()).unwrap();
}

#[test]
fn several_problems_are_told_at_once() {
    let mut broken = case(TREE.0);
    broken["model"]["bodies"][0]["nodes"][0]["m"] = json!("x");
    broken["model"]["bodies"][1]["joint"]["axis"] = json!([0, 0, 0]);
    broken["model"]["inertia"] = json!("?");
    let error = Case::from_json(&broken.to_string()).unwrap_err();
    let ReadError::Invalid { problems, omitted } = &error else { panic!("{error}") };
    assert_eq!((problems.len(), *omitted), (3, 0), "{error}");
    assert_eq!(error.to_string().lines().count(), 3);
    broken["T"] = vec![json!("x"); 16].into();
    broken["model"] = case(TREE.0)["model"].clone();
    broken["udot_in"] = vec![Value::Null; 16].into();
    let error = Case::from_json(&broken.to_string()).unwrap_err();
    let ReadError::Invalid { problems, omitted } = &error else { panic!("{error}") };
    assert_eq!((problems.len(), *omitted), (20, 12), "{error}");
    assert!(error.to_string().ends_with("and 12 more"));
}
