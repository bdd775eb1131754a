//! The fast planned manoeuvre of the Shuttle arm, I-f, with the beams that a file gets by default: the arm is driven without feedback, so that small
//! errors of its booms become large ones of where it ends.

use super::Arm;
use std::fs;
use std::path::Path;
use supple_run::{Options, run};

/// Where the far end of the payload is after the manoeuvre, with booms in so many pieces and, where one is named, another elastic rotation than the default.
fn far_end(pieces: usize, modes: &str, rotation: Option<&str>) -> [f64; 3] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shuttle-arm");
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    // What the example says about shapes and rotations goes: the defaults are tip shapes, `stiffened` and rotation vectors.
    let said = |line: &str| {
        ["support", "carried", "fidelity", "elastic_rotation"].iter().any(|key| line.starts_with(&format!("{key} = ")))
    };
    let cut = if pieces > 1 { format!("pieces = {pieces}\n") } else { String::new() };
    let changed = |line: &str| match line {
        _ if line.starts_with("modes = ") => format!("{cut}modes = {{ {modes} }}\n"),
        _ if line.starts_with("format = ") => {
            let rotation = rotation.map_or(String::new(), |word| format!("elastic_rotation = \"{word}\"\n"));
            format!("{line}\n{rotation}")
        }
        _ => format!("{line}\n"),
    };
    let model: String = text("stiffened.toml").lines().filter(|line| !said(line)).map(changed).collect();
    assert_eq!(model.matches(&format!("modes = {{ {modes} }}")).count(), 2);
    let fast = text("fast.toml");
    let drive = fast.split_once("[feedforward]").unwrap().1.split_once("[results]").unwrap().0;
    let scenario = format!(
        "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 20\noutput_interval = 20\n[integrator]\nkind = \"generalized-alpha\"\nstep = 0.005\n[feedforward]\n{drive}\n\
         [results]\ncolumns = [\"energy\"]\nnodes = [{{ body = \"payload\", node = \"far end\" }}]\n"
    );
    let arm = Arm::new("");
    fs::write(arm.0.join("model.toml"), model).unwrap();
    fs::write(arm.scenario(), scenario).unwrap();
    let results = run(arm.scenario(), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    ["x", "y", "z"].map(|axis| results.last(&format!("node.payload.far end.{axis}")).unwrap())
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

/// By default the payload ends within 0.1 % of where booms of ever more pieces bring it, as a part of its distance from the shoulder. The limit is found with
/// another elastic rotation than the default, the integrated one. That one leaves out half the product of slopes and their rates in each piece: it starts 1.3 % off, and
/// every doubling halves the distance. More modes in each boom change nothing.
#[test]
fn default_booms_end_where_booms_of_many_elements_do() {
    let few = "bending_y = 1, bending_z = 1, stretch = 1, twist = 1";
    let [one, two, four] = [1, 2, 4].map(|pieces| far_end(pieces, few, Some("integrated")));
    let limit: [f64; 3] = std::array::from_fn(|i| 2.0 * four[i] - two[i]);
    let reach = distance(limit, [0.0; 3]);
    let halved = distance(two, four) / distance(one, two);
    assert!((0.35..0.6).contains(&halved), "{halved}");
    let default = far_end(1, few, None);
    let [of_default, of_integrated] = [default, one].map(|end| distance(end, limit) / reach);
    println!(
        "ends {default:?}, limit {limit:?}; off by {of_default:.5}, integrated {of_integrated:.5} of {reach:.3} m"
    );
    assert!(of_default < 0.001 && (0.005..0.02).contains(&of_integrated), "{of_default} {of_integrated}");
    let more = far_end(1, "bending_y = 2, bending_z = 2, stretch = 1, twist = 1", None);
    assert!(distance(more, default) < 1e-4 * reach, "{more:?} {default:?}");
    // Modes of a cantilever without its load end elsewhere: 5 % off.
    let cantilever = far_end(1, "basis = \"cantilever\", bending_y = 2, bending_z = 2, stretch = 1, twist = 1", None);
    assert!(distance(cantilever, limit) > 0.04 * reach, "{cantilever:?}");
}
