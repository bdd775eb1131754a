//! Operations of programs, and how long their numbers live.

use std::fs;
use std::path::Path;
use supple::{Fidelity, Model};
use supple_bodies::catalogue::beam_chain::{beam_chain, usual_rotation};
use supple_bodies::catalogue::shuttle_arm::ShuttleArm;
use supple_compile::{Verb, record};

/// The Shuttle arm at every fidelity, and chains.
fn models() -> Vec<(&'static str, Model)> {
    let arm = |fidelity| ShuttleArm::flexible(fidelity, usual_rotation(fidelity)).build().unwrap();
    let chain = |bodies, modes| Model::build(&beam_chain(bodies, modes, Fidelity::Stiffened)).unwrap();
    vec![
        ("arm rigid", ShuttleArm::rigid().build().unwrap()),
        ("arm rl", arm(Fidelity::Ruthless)),
        ("arm exact", arm(Fidelity::Exact)),
        ("arm stiffened", arm(Fidelity::Stiffened)),
        ("chain 10 of 5", chain(10, 5)),
        ("chain 10 of 10", chain(10, 10)),
    ]
}

/// Facts of the page docs/compile.md; the order must not be worse than that of the recording.
#[test]
fn schedules_shorten_lives() {
    println!(
        "{:<15} {:>8} {:>7} {:>14} {:>14} {:>14}",
        "", "asked", "done", "most alive", "reloads, 30", "reloads, 100"
    );
    for (name, model) in models() {
        let program = record(&model, Verb::ForwardDynamics).unwrap();
        let scheduled = program.scheduled();
        assert_eq!(program.counts(), scheduled.counts());
        let [before, after] = [&program, &scheduled].map(|p| [p.pressure().most, p.reloads(30), p.reloads(100)]);
        let pairs: Vec<String> = (0..3).map(|i| format!("{:>6} → {:>5}", before[i], after[i])).collect();
        println!("{name:<15} {:>8} {:>7} {}", program.asked, program.counts().total(), pairs.join(" "));
        assert!((0..3).all(|i| after[i] <= before[i]), "{name}: {before:?} {after:?}");
        assert!(program.counts().total() as u64 * 5 < program.asked * 4, "{name}");
    }
}

/// Verbs of the Shuttle arm before and after, and how long numbers live: the tables of docs/compile.md.
#[test]
fn the_page_tells_the_operations_of_the_shuttle_arm() {
    let verbs =
        ["forward_dynamics", "inverse_dynamics", "mass_matrix", "rk4_step", "linearly_implicit_step", "linearization"];
    let mut rows: Vec<String> = Vec::new();
    for verb in verbs {
        let counts = models().into_iter().take(4).map(|(_, model)| {
            let program = record(&model, verb.parse::<Verb>().unwrap()).unwrap();
            format!("{} / {}", program.asked, program.counts().total())
        });
        rows.push(format!("| `{verb}` | {} |", counts.collect::<Vec<_>>().join(" | ")));
    }
    for (name, model) in models() {
        let program = record(&model, Verb::ForwardDynamics).unwrap();
        let facts = [&program, &program.scheduled()].map(|p| format!("{} | {}", p.pressure().most, p.reloads(100)));
        rows.push(format!("| {name} | {} |", facts.join(" | ")));
    }
    rows.iter().for_each(|row| println!("{row}"));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/compile.md");
    let page = fs::read_to_string(page).unwrap();
    let missing: Vec<_> = rows.iter().filter(|row| !page.contains(*row)).collect();
    assert!(missing.is_empty(), "the page does not have these rows: {missing:#?}");
}
