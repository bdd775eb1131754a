//! Closures as a user meets them: in check and import.

use crate::run_support::{Folder, run, runs};

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

const FOUR_BAR: &str = r#"format = "supple-model-1"
[[body]]
name = "crank"
hinge = { kind = "revolute", axis = [0, 1, 0] }
rigid = { mass = 0.2, mass_centre = [0, 0, 0.1], inertia = [1e-3, 1e-3, 1e-4] }
[[body]]
name = "coupler"
parent = "crank"
hinge = { kind = "revolute", axis = [0, 1, 0], position = [0, 0, 0.2] }
rigid = { mass = 0.5, mass_centre = [0.25, 0, 0.1], inertia = [1e-4, 1e-2, 1e-2] }
[[body]]
name = "rocker"
hinge = { kind = "revolute", axis = [0, 1, 0], position = [0.6, 0, 0] }
rigid = { mass = 0.4, mass_centre = [-0.05, 0, 0.2], inertia = [5e-3, 5e-3, 1e-4] }
[[closure]]
name = "pin"
kind = "revolute"
axis = [0, 1, 0]
a = { body = "coupler", position = [0.5, 0, 0.2] }
b = { body = "rocker", position = [-0.1, 0, 0.4] }
"#;

/// Crank and coupler reach 0.25 m, but the rocker leaves 0.46 m between them.
fn too_short() -> String {
    FOUR_BAR.replace("[0.5, 0, 0.2]", "[0.05, 0, 0]").replace("[-0.1, 0, 0.4]", "[-0.1, 0, 0.1]")
}

/// Degrees of freedom, redundant equations by name, and how the loop closes: as it stands, with a motion, or not at all.
#[test]
fn check_counts_freedoms_and_closes() {
    let folder = Folder::new();
    folder.write("four-bar.toml", FOUR_BAR);
    let told = runs(&folder, &["check", "four-bar.toml"]);
    let lines = "degrees of freedom: 1 by rank, -2 as counted by Grübler (3 speeds, 5 equations)\n\
                 3 equations depend on others, with forces that are not determined:\n  pin: rotation about x\n  pin: rotation about y\n  \
                 pin: translation along z\nclosed at zero coordinates\n";
    assert!(told.contains(lines), "{told}");
    let json =
        |name: &str| -> serde_json::Value { serde_json::from_str(&runs(&folder, &["check", "--json", name])).unwrap() };
    let closing = &json("four-bar.toml")["closing"];
    assert_eq!([&closing["counted"], &closing["freedoms"]], [&serde_json::json!(-2), &serde_json::json!(1)]);
    assert_eq!(closing["redundant"][2], serde_json::json!({ "closure": "pin", "holds": "translation along z" }));
    assert_eq!(closing["moved"], serde_json::json!([]));

    folder.write("apart.toml", FOUR_BAR.replace("[0.5, 0, 0.2]", "[0.5, 0, 0.25]"));
    let told = runs(&folder, &["check", "apart.toml"]);
    assert!(told.contains("\ncloses from zero coordinates, moving hinge 'c"), "{told}");
    let moved = json("apart.toml")["closing"]["moved"].clone();
    assert!(moved[0]["by"].as_f64().unwrap().abs() > 0.01, "{moved}");

    folder.write("short.toml", too_short());
    let told = runs(&folder, &["check", "short.toml"]);
    let lines = "\ndegrees of freedom: -2 as counted by Grübler (3 speeds, 5 equations)\n\
                 from zero coordinates, closure 'pin' cannot be closed: it stays open by ";
    assert!(told.contains(lines) && told.contains("check the lengths"), "{told}");
    assert!(json("short.toml")["closing"]["open"]["by"].as_f64().unwrap() > 0.01);
}

/// A scenario whose closures cannot be closed cannot begin, which is found without a run.
#[test]
fn check_refuses_a_start_that_cannot_be_closed() {
    let folder = Folder::new();
    folder.write("short.toml", too_short());
    let scenario = "format = \"supple-scenario-1\"\nmodel = \"short.toml\"\nduration = 1\noutput_interval = 0.1\n";
    folder.write("fall.toml", scenario);
    let output = run(&folder, &["check", "fall.toml"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("the run cannot begin: closure 'pin' cannot be closed"), "{told}");
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
