//! Beams of files with varying sections: what is read is what was written, and mistakes are named.

use supple_io::model_file::{self, ModelFile};

const MATERIAL: &str = "material = { E = 7e10, nu = 0.33, density = 2700 }";

fn text(beam: &str) -> String {
    format!(
        "format = \"supple-model-1\"\n[[body]]\nname = \"blade\"\nhinge = {{ kind = \"fixed\" }}\n[body.beam]\nlength = 2.0\n{beam}\n"
    )
}

#[track_caller]
fn read(beam: &str) -> ModelFile {
    model_file::from_text("x.toml", &text(beam), None).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn assert_refused(beam: &str, says: &[&str]) {
    let error = model_file::from_text("x.toml", &text(beam), None).expect_err("it is refused").to_string();
    for says in says {
        assert!(error.contains(says), "`{says}` is missing in: {error}");
    }
}

fn frequencies(beam: &str) -> Vec<f64> {
    let file = read(beam);
    supple_bodies::frequencies::of_system(&file.model, &file.system).unwrap()
}

fn rectangle(x: f64, width: f64, more: &str) -> String {
    format!("{{ x = {x}, section = {{ rectangle = {{ width = {width}, height = 0.05 }} }}{more} }}")
}

/// Sections that do not vary give the uniform beam; those that do are stiffer where they are thicker, in one piece or several.
#[test]
fn sections_along_a_beam() {
    let uniform = format!(
        "section = {{ rectangle = {{ width = 0.01, height = 0.05 }} }}\n{MATERIAL}\nmodes = {{ bending_y = 3 }}"
    );
    let along = |root: f64, tip: f64, more: &str| {
        format!(
            "sections = [{}, {}]\n{MATERIAL}\nmodes = {{ bending_y = 3 }}\n{more}",
            rectangle(0.0, root, ""),
            rectangle(2.0, tip, "")
        )
    };
    let (a, b) = (frequencies(&uniform), frequencies(&along(0.01, 0.01, "")));
    assert!((a[0] / b[0] - 1.0).abs() < 1e-4, "{} {}", a[0], b[0]);
    let tapered = frequencies(&along(0.012, 0.006, ""));
    assert!(tapered[0] > 1.1 * a[0], "{} {}", tapered[0], a[0]);
    let cut = frequencies(&along(0.012, 0.006, "pieces = 3"));
    assert!((cut[0] / tapered[0] - 1.0).abs() < 1e-4, "{} {}", cut[0], tapered[0]);
}

/// A twist turns what is stiff, a curve moves the tip, shear and a full stiffness soften; stations lie on the line.
#[test]
fn twisted_curved_and_composite_beams() {
    let section = "section = { rectangle = { width = 0.01, height = 0.05 } }";
    let coupled = |more: &str| frequencies(&format!("{section}\n{MATERIAL}\nmodes = {{ coupled = 6 }}\n{more}"));
    let straight = coupled("");
    let twisted = coupled("twist = 1.5708");
    assert!(twisted[1] < 0.95 * straight[1], "{} {}", twisted[1], straight[1]);
    let sheared = coupled("shear_flexible = true");
    assert!(sheared[3] < straight[3], "{} {}", sheared[3], straight[3]);
    let file = read(&format!(
        "{section}\n{MATERIAL}\nmodes = {{ coupled = 4 }}\ncurvature = [0, 0.8]\nstations = [{{ name = \"middle\", x = 1.0 }}]"
    ));
    let at = |name: &str| {
        let nodes = &file.system.bodies[0].nodes;
        nodes.iter().find(|node| node.name.as_deref() == Some(name)).unwrap().position
    };
    let radius = 1.0 / 0.8;
    let [x, y, _] = at("tip");
    let turned = 0.8 * 2.0_f64;
    assert!((x - radius * turned.sin()).abs() < 1e-9 && (y - radius * (1.0 - turned.cos())).abs() < 1e-9, "{x} {y}");
    let angle = 0.8_f64;
    assert!((at("middle")[0] - radius * angle.sin()).abs() < 1e-6, "{:?}", at("middle"));
    let properties = "mass_per_length = 1.35, rotary_inertia = [3e-4, 3e-4, 1e-5]";
    let plain = frequencies(&format!(
        "properties = {{ {properties}, EA = 3.5e7, EI_y = 7291.7, EI_z = 291.67, GJ = 380 }}\nmodes = {{ coupled = 6 }}"
    ));
    let full =
        "[[3.5e7,0,0,0,0,0],[0,1e9,0,0,0,0],[0,0,1e9,0,0,0],[0,0,0,380,0,100],[0,0,0,0,7291.7,0],[0,0,0,100,0,291.67]]";
    let full = frequencies(&format!("properties = {{ {properties}, stiffness = {full} }}\nmodes = {{ coupled = 6 }}"));
    // Twist gives way: (1 - K²/(EI GJ))^½.
    let softer = (1.0 - 1e4 / (291.67 * 380.0_f64)).sqrt();
    assert!((full[0] / plain[0] / softer - 1.0).abs() < 2e-3, "{} {} {softer}", full[0], plain[0]);
}

#[test]
fn mistakes_are_named() {
    let one = rectangle(0.0, 0.01, "");
    assert_refused(
        &format!(
            "sections = [{one}, {}]\n{MATERIAL}\nmodes = {{ bending_y = 1 }}",
            rectangle(2.0, 0.01, ", twist = 0.3")
        ),
        &["stretch, twist and bending are coupled", "coupled = 4"],
    );
    assert_refused(
        &format!("sections = [{one}, {}]\n{MATERIAL}\nmodes = {{ bending_y = 1 }}", rectangle(2.5, 0.01, "")),
        &["the section at 2.5", "rising places"],
    );
    assert_refused(
        &format!(
            "sections = [{one}, {{ x = 2, section = {{ tube = {{ outer_radius = 0.1, thickness = 0.01 }} }} }}]\n{MATERIAL}\nmodes = {{ bending_y = 1 }}"
        ),
        &["different kinds"],
    );
    assert_refused("sections = []\nmodes = { bending_y = 1 }", &["a beam without sections"]);
    assert_refused(&format!("sections = [{one}]\nmodes = {{ bending_y = 1 }}"), &["material"]);
    let section = format!("section = {{ rectangle = {{ width = 0.01, height = 0.05 }} }}\n{MATERIAL}");
    assert_refused(&format!("{section}\nmodes = {{ coupled = 2 }}\nfidelity = \"exact\""), &["no nonlinear stiffness"]);
    assert_refused(&format!("{section}\nmodes = {{ coupled = 2, bending_y = 1 }}"), &["`coupled` counts all"]);
    assert_refused(&format!("{section}\nmodes = {{ coupled = 2 }}\ncurvature = [0, 100]"), &["full circle"]);
    assert_refused(&format!("{section}\nmodes = {{ coupled = 2 }}\ncurvature = [0, 0.1]\npieces = 2"), &["not cut"]);
    assert_refused(
        &format!("{section}\nmodes = {{ basis = \"cantilever\", bending_y = 2 }}\nshear_flexible = true"),
        &["tip shapes"],
    );
    let rows = "[[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,2],[0,0,0,0,1,0],[0,0,0,2,0,1]]";
    assert_refused(
        &format!(
            "properties = {{ mass_per_length = 1, rotary_inertia = [1, 1, 1], stiffness = {rows} }}\nmodes = {{ coupled = 1 }}"
        ),
        &["symmetric and positive definite"],
    );
    assert_refused(
        "properties = { mass_per_length = 1, rotary_inertia = [1, 1, 1], EA = 1e6 }\nmodes = { bending_y = 1 }",
        &["EI_z"],
    );
}

/// Rotary inertia is on where it matters: a stubby beam has it, a slender one has not.
#[test]
fn rotary_inertia_where_it_matters() {
    let beam = |length: f64, more: &str| {
        let text = format!(
            "format = \"supple-model-1\"\n[[body]]\nname = \"b\"\nhinge = {{ kind = \"fixed\" }}\n[body.beam]\nlength = {length}\n\
             section = {{ rectangle = {{ width = 0.05, height = 0.05 }} }}\n{MATERIAL}\nmodes = {{ bending_y = 2 }}\n{more}"
        );
        model_file::from_text("x.toml", &text, None).unwrap().system
    };
    assert_eq!(beam(0.4, ""), beam(0.4, "rotary_inertia = true"));
    assert_eq!(beam(2.0, ""), beam(2.0, "rotary_inertia = false"));
    assert_ne!(beam(2.0, ""), beam(2.0, "rotary_inertia = true"));
}
