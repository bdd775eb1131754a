//! Limits are the same whatever describes a system, and nodes are called by name.

use supple::SHAPE_LIMIT;
use supple_io::source::{FileError, Rule};
use supple_io::{model_file, urdf};

fn refused(text: &str) -> FileError {
    model_file::from_text("m.toml", text, None).unwrap_err()
}

/// Before anything is parsed: one finding, although each body lacks everything.
#[test]
fn too_many_bodies_are_counted_first() {
    let text = format!("format = \"supple-model-1\"\n{}", "[[body]]\n".repeat(100_001));
    let error = refused(&text);
    let [finding] = error.findings() else { panic!("{error}") };
    assert_eq!(finding.rule, Rule::TooMany { what: "bodies", found: 100_001, limit: supple::BODY_LIMIT });
}

#[test]
fn too_many_links_are_refused_alike() {
    let links: String = (0..100_001).map(|k| format!("<link name=\"l{k}\"/>")).collect();
    let error =
        urdf::from_text("r.urdf", &format!("<robot name=\"r\">{links}</robot>"), None, &urdf::Options::default());
    let rule = &error.unwrap_err().findings()[0].rule.clone();
    assert_eq!(*rule, Rule::TooMany { what: "links", found: 100_001, limit: supple::BODY_LIMIT });
}

const BEAM: &str = r#"format = "supple-model-1"
[[body]]
name = "boom"
hinge = { kind = "fixed" }
[body.beam]
length = 1.2
section = { tube = { outer_radius = 0.02, thickness = 0.002 } }
material = { E = 7e10, nu = 0.33, density = 2700 }
modes = { bending_y = 2 }
"#;

/// As in programs: modes with their pairs in bending, two tip shapes included.
#[test]
fn beams_have_the_limit_of_programs() {
    let with = |modes: &str| BEAM.replace("bending_y = 2", modes);
    assert!(model_file::from_text("m.toml", &with("bending_y = 41"), None).is_ok());
    for (modes, found) in
        [("bending_y = 42", 44 + 990), ("bending_y = 1000", 1002 + 502_503), ("coupled = 38", 44 + 990)]
    {
        let error = refused(&with(modes));
        let [finding] = error.findings() else { panic!("{error}") };
        let Rule::TooMany { found: counted, limit, .. } = finding.rule else { panic!("{error}") };
        assert_eq!((counted, limit, finding.place.line), (found, SHAPE_LIMIT, 9), "{modes}");
        assert!(error.to_string().contains("`pieces`"), "{error}");
    }
}

/// Index 1 of a beam is a point of its integration: names are asked for. Bodies whose nodes have no names are called by index.
#[test]
fn nodes_of_beams_are_called_by_name() {
    let child = |at: &str| {
        format!(
            "{BEAM}[[body]]\nname = \"tool\"\nparent = \"boom\"\nat = {at}\nrigid = {{ mass = 1 }}\nhinge = {{ kind = \"fixed\" }}\n"
        )
    };
    assert!(model_file::from_text("m.toml", &child("\"tip\""), None).is_ok());
    let error = refused(&child("1")).to_string();
    assert!(error.contains("there is no node `1`") && error.contains("one of root, tip"), "{error}");
    let plain = "format = \"supple-model-1\"\n[[body]]\nname = \"a\"\nhinge = { kind = \"fixed\" }\nnodes = [{ mass = 1 }, { position = [1, 0, 0] }]\n\
                 [[body]]\nname = \"b\"\nparent = \"a\"\nat = 1\nrigid = { mass = 1 }\nhinge = { kind = \"fixed\" }\n";
    assert!(model_file::from_text("m.toml", plain, None).is_ok());
}

/// Messages of the engine call nodes by name, or say where they are.
#[test]
fn messages_name_nodes() {
    let body = |node: &str| {
        format!(
            "format = \"supple-model-1\"\n[[body]]\nname = \"b\"\nhinge = {{ kind = \"fixed\" }}\nnodes = [{{ mass = 1 }}, {node}]\n"
        )
    };
    let named = refused(&body("{ name = \"grip\", position = [1, 0, 0], mass = 1, inertia = [1, 1, 5] }")).to_string();
    assert!(named.contains("node 1 'grip': principal moments"), "{named}");
    let unnamed = refused(&body("{ position = [0.5, 0, 0], mass = 1, inertia = [1, 1, 5] }")).to_string();
    assert!(unnamed.contains("node 1 at (0.5, 0.0, 0.0) m: principal moments"), "{unnamed}");
}

/// What has no stiffness is noted.
#[test]
fn zero_stiffness_is_noted() {
    let modes = |stiffness: &str| {
        let text = format!(
            "format = \"supple-model-1\"\n[[body]]\nname = \"b\"\nhinge = {{ kind = \"fixed\" }}\n\
             nodes = [{{ mass = 1 }}, {{ mass = 1, influence = [[0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0]] }}]\nmodes = {{ count = 2{stiffness} }}\n"
        );
        model_file::from_text("m.toml", &text, None).unwrap().model.notes().join("; ")
    };
    assert!(modes("").contains("every mode is without stiffness"), "{}", modes(""));
    assert!(modes(", stiffness = [1.0, 0.0]").contains("mode 2 is without stiffness"));
    assert!(!modes(", stiffness = [1.0, 2.0]").contains("stiffness"));
    let spring = |stiffness: &str| {
        let text = format!(
            "format = \"supple-model-1\"\n[[body]]\nname = \"b\"\nrigid = {{ mass = 1, inertia = [1, 1, 1] }}\n\
             hinge = {{ kind = \"revolute\", axis = [0, 0, 1], spring = {stiffness} }}\n"
        );
        let file = model_file::from_text("m.toml", &text, None).unwrap();
        file.notes.iter().map(|note| note.to_string()).collect::<Vec<_>>()
    };
    assert!(spring("0")[0].contains("the spring has no stiffness"));
    assert!(spring("{ stiffness = 0.0, rest = 1 }")[0].contains("the spring has no stiffness"));
    assert!(spring("1").is_empty());
}

/// Numbers of any size are written shortly.
#[test]
fn messages_have_no_rows_of_digits() {
    let all = [
        BEAM.replace("1.2", "-1e300"),
        BEAM.replace("1.2", "1e300"),
        BEAM.replace("0.02,", "1e300,"),
        BEAM.replace("0.002", "1e300"),
        BEAM.replace("7e10", "1e300"),
        BEAM.replace("2700", "1e300"),
        BEAM.replace("bending_y = 2 }", "bending_y = 2 }\ntip = { mass = 1e300 }"),
        BEAM.replace("bending_y = 2 }", "bending_y = 2 }\nstations = [{ name = \"s\", x = 1e300 }]"),
        BEAM.replace("[body.beam]", "nodes = [{ mass = 1, inertia = [1e300, 1, 1] }]\n[body.beam]"),
        "format = \"supple-model-1\"\n[[body]]\nname = \"b\"\nrigid = { mass = 1e300, inertia = [1, 1, 1e300] }\n\
         hinge = { kind = \"revolute\", axis = [0, 0, 1], stops = { lower = 1e300, upper = -1e300 } }\n"
            .to_owned(),
        "format = \"supple-model-1\"\n[[body]]\nname = \"b\"\nnodes = [{ mass = 1, inertia = [1, 1, 1] }]\n\
         hinge = { kind = \"revolute\", axis = [0, 0, 1] }\nforce = [{ kind = \"hinge-spring\", at = { body = \"b\" }, stiffness = -1e300 }]\n"
            .to_owned(),
    ];
    for text in all {
        let said = match model_file::from_text("m.toml", &text, None) {
            Ok(file) => {
                file.notes.iter().map(|note| note.as_note().to_string()).collect::<String>()
                    + &file.model.notes().join(" ")
            }
            Err(error) => error.to_string(),
        };
        let longest = said.split(|c: char| !c.is_ascii_digit()).map(str::len).max().unwrap_or(0);
        assert!(longest < 20, "{said}");
    }
}

/// The place of a rotary inertia that cannot be is its own.
#[test]
fn rotary_inertia_is_refused_where_it_stands() {
    let beam = |rotary: &str, modes: &str| {
        format!(
            "format = \"supple-model-1\"\n[[body]]\nname = \"b\"\nhinge = {{ kind = \"fixed\" }}\n[body.beam]\nlength = 1\nmodes = {{ {modes} = 1 }}\n\
             [body.beam.properties]\nmass_per_length = 1\nEA = 1e6\nEI_y = 10\nEI_z = 10\nGJ = 10\nrotary_inertia = {rotary}\n"
        )
    };
    for (rotary, modes) in [("[0, 1e-4, 1e-4]", "twist"), ("[1e3, 1e-4, 1e-4]", "bending_y")] {
        let error = refused(&beam(rotary, modes));
        let [finding] = error.findings() else { panic!("{error}") };
        assert_eq!(finding.place.line, 14, "{error}");
    }
}
