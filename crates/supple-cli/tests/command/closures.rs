//! Closures as a user meets them: in check and import.

use crate::run_support::{Folder, runs};

/// A rod between two arms, and a hinge geared to another: in text and in JSON.
#[test]
fn check_lists_closures() {
    let arm = |name: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nhinge = {{ kind = \"revolute\", axis = [0, 1, 0] }}\n\
             rigid = {{ mass = 1, mass_centre = [1, 0, 0], inertia = [1, 1, 1] }}\n"
        )
    };
    let closures = "[[closure]]\nkind = \"distance\"\nname = \"rod\"\nlength = 2\na = { body = \"left\" }\nb = { ground = [0, 0, 2] }\n\
                    [[closure]]\nkind = \"coupling\"\nhinges = [{ hinge = \"left\" }, { hinge = \"right\", factor = -1 }]\n";
    let model = format!("format = \"supple-model-1\"\n{}{}{closures}", arm("left"), arm("right"));
    let folder = Folder::new();
    folder.write("closed.toml", &model);
    let told = runs(&folder, &["check", "closed.toml"]);
    let lines = "\n2 closures, 2 equations\n  distance \"rod\": left at node 0, ground; 1 equation\n  coupling: left, right; 1 equation\n";
    assert!(told.contains(lines), "{told}");
    let facts: serde_json::Value = serde_json::from_str(&runs(&folder, &["check", "--json", "closed.toml"])).unwrap();
    assert_eq!(facts["closures"][0]["name"], "rod");
    assert_eq!(facts["closures"][1]["joins"], serde_json::json!(["left", "right"]));
}

/// A joint that mimics another is written as a closure.
#[test]
fn an_imported_mimic_is_a_closure() {
    let link = |name: &str| {
        format!(
            "<link name=\"{name}\"><inertial><mass value=\"1\"/>\
             <inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
        )
    };
    let joint = |name: &str, child: &str, more: &str| {
        format!(
            "<joint name=\"{name}\" type=\"continuous\"><parent link=\"palm\"/><child link=\"{child}\"/><axis xyz=\"0 1 0\"/>{more}</joint>"
        )
    };
    let fingers = [link("left"), link("right")].concat();
    let follows = joint("follower", "right", "<mimic joint=\"leader\" multiplier=\"-1\"/>");
    let robot =
        format!("<robot name=\"r\"><link name=\"palm\"/>{fingers}{}{follows}</robot>", joint("leader", "left", ""));
    let folder = Folder::new();
    folder.write("gripper.urdf", &robot);
    let told = runs(&folder, &["import", "gripper.urdf"]);
    let closure = "[[closure]]\nkind = \"coupling\"\nname = \"follower\"\nhinges = [{ hinge = \"follower\" }, { hinge = \"leader\" }]\n";
    assert!(told.contains(closure), "{told}");
}
