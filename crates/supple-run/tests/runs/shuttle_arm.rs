//! The fast planned manoeuvre of the Shuttle arm, I-f, with the beams that a file gets by default: the arm is driven without feedback, so that small
//! errors of its booms become large ones of where it ends.

use super::Arm;
use std::fs;
use std::path::Path;
use supple_run::{Options, run};

/// Where the far end of the payload is after the manoeuvre, with booms in so many pieces.
fn far_end(pieces: usize, modes: &str) -> [f64; 3] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shuttle-arm");
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    // What the example says about shapes goes: the defaults are tip shapes and `stiffened`.
    let told = |line: &str| ["support", "carried", "fidelity"].iter().any(|key| line.starts_with(&format!("{key} = ")));
    let cut = if pieces > 1 { format!("pieces = {pieces}\n") } else { String::new() };
    let changed = |line: &str| match line.starts_with("modes = ") {
        true => format!("{cut}modes = {{ {modes} }}\n"),
        false => format!("{line}\n"),
    };
    let model: String = text("stiffened.toml").lines().filter(|line| !told(line)).map(changed).collect();
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

/// Booms cut into more and more pieces bring the payload ever closer to one place, by half with every doubling: what one body leaves out, such as twist by
/// bending in two planes, goes with the square of its slopes. By default it ends within 1.5 % of that place, as a part of its distance from the shoulder,
/// in two pieces within 1 %. More modes in each boom change nothing.
#[test]
fn default_booms_end_where_booms_of_many_elements_do() {
    let few = "bending_y = 1, bending_z = 1, stretch = 1, twist = 1";
    let [one, two, four] = [1, 2, 4].map(|pieces| far_end(pieces, few));
    let limit: [f64; 3] = std::array::from_fn(|i| 2.0 * four[i] - two[i]);
    let reach = distance(limit, [0.0; 3]);
    let [of_one, of_two, of_four] = [one, two, four].map(|end| distance(end, limit) / reach);
    println!(
        "ends {one:?}, {two:?}, {four:?}; off the limit by {of_one:.4}, {of_two:.4}, {of_four:.4} of {reach:.3} m"
    );
    let halved = distance(two, four) / distance(one, two);
    assert!((0.35..0.6).contains(&halved), "{halved}");
    assert!(of_one < 0.015 && of_two < 0.01 && of_four < 0.005, "{of_one} {of_two} {of_four}");
    let more = far_end(1, "bending_y = 2, bending_z = 2, stretch = 1, twist = 1");
    assert!(distance(more, one) < 1e-4 * reach, "{more:?} {one:?}");
    // Modes of a cantilever without its load end elsewhere.
    let cantilever = far_end(1, "basis = \"cantilever\", bending_y = 2, bending_z = 2, stretch = 1, twist = 1");
    assert!(distance(cantilever, limit) > 0.1 * reach, "{cantilever:?}");
}
