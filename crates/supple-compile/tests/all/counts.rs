//! Operations of programs, and how long their numbers live.

use std::fs;
use std::path::Path;
use std::process::Command;
use supple::{Fidelity, Model};
use supple_bodies::catalogue::beam_chain::{beam_chain, usual_rotation};
use supple_bodies::catalogue::shuttle_arm::ShuttleArm;
use supple_compile::text::Style;
use supple_compile::{Language, Program, Verb, record};

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

/// The table of sizes in docs/compile.md: processor seconds of the compiler, as Linux tells them, and kB of code.
#[test]
#[ignore = "prints the table of docs/compile.md: cargo test -p supple-compile --test all the_table_of_sizes -- --ignored --nocapture"]
fn the_table_of_sizes() {
    let folder = std::env::temp_dir().join(format!("supple-sizes-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for (beams, modes) in [(2, 5), (10, 2), (5, 5), (10, 5), (20, 5), (10, 10)] {
        let model = Model::build(&beam_chain(beams, modes, Fidelity::Stiffened)).unwrap();
        let program = record(&model, Verb::ForwardDynamics).unwrap().scheduled();
        let operations = program.counts().total();
        let mut row = format!("| {beams} | {modes} | {operations} |");
        for part in [1000, 4000, 8000, usize::MAX] {
            // In one function the time grows faster than the length.
            let asked = part < usize::MAX || operations < 40_000;
            row += &if asked { compiled(&folder, &program, part) } else { " |".into() };
        }
        println!("{row}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Seconds and kB.
fn compiled(folder: &Path, program: &Program, part: usize) -> String {
    let code = program.write_as(Language::C, Style { part, ..Style::default() });
    fs::write(folder.join(code.header_name.unwrap()), code.header).unwrap();
    fs::write(folder.join(&code.source_name), code.source).unwrap();
    let before = of_children();
    let flags = ["-O2", "-mavx2", "-mfma", "-std=c99", "-c", &code.source_name, "-o", "code.o"];
    assert!(Command::new("gcc").args(flags).current_dir(folder).status().unwrap().success());
    let seconds = of_children() - before;
    let told = Command::new("size").arg("code.o").current_dir(folder).output().unwrap();
    let text = String::from_utf8(told.stdout).unwrap();
    let bytes: f64 = text.lines().nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap();
    format!(" {seconds:.1} s, {:.0} kB |", bytes / 1000.0)
}

/// Processor time of processes that have ended, s.
fn of_children() -> f64 {
    let told = fs::read_to_string("/proc/self/stat").unwrap();
    let numbers = told.rsplit(')').next().unwrap().split_whitespace().skip(13).take(2);
    numbers.map(|ticks| ticks.parse::<f64>().unwrap() / 100.0).sum()
}
