//! Commands and files in the book and in the papers at the root do what the pages say.
//!
//! Every page has a folder of its own, with the examples and references that it names. Its blocks are taken in their order, so that what
//! a page tells the reader to write is what its commands find.

use std::sync::Mutex;
use std::thread;

use crate::pages_support::folder::Folder;
use crate::pages_support::output::{agrees, same_picture};
use supple_docs::block::{Block, Use, blocks};
use supple_docs::page::{Page, all, page};

/// Pictures that the commands of a page draw: page, what is drawn, what the page shows.
const PICTURES: [[&str; 3]; 1] = [["docs/tutorial.md", "results/flexible/plot.svg", "docs/tutorial.svg"]];

/// What is wrong with a page: place and problem.
fn problems(page: &Page) -> Vec<String> {
    let folder = Folder::new(page);
    let blocks = blocks(&page.text);
    let told = blocks.iter().filter_map(|block| run(&folder, block).err().map(|problem| (block.line, problem)));
    let mut problems: Vec<String> = told.map(|(line, problem)| format!("{}:{line}: {problem}", page.path)).collect();
    for [_, drawn, shown] in PICTURES.iter().filter(|[path, ..]| *path == page.path) {
        let kept = supple_docs::page::page(shown).text;
        match folder.read(drawn) {
            Ok(drawn) if same_picture(&kept, &drawn) => {}
            Ok(_) => problems.push(format!("{shown} is not {drawn} of {}: copy it", page.path)),
            Err(problem) => problems.push(problem),
        }
    }
    problems
}

fn run(folder: &Folder, block: &Block) -> Result<(), String> {
    match block.used()? {
        Use::Commands => commands(folder, &block.text),
        Use::Session => session(folder, &block.text),
        Use::Output(arguments) => {
            let shown: Vec<&str> = block.text.lines().collect();
            expect(folder, &format!("supple {arguments}"), &shown)
        }
        Use::File(name) => {
            folder.write(&name, &block.text)?;
            if name.ends_with(".toml") { folder.check(&name) } else { Ok(()) }
        }
        Use::Change { file, base, without } => {
            let text = crate::pages_support::change::changed(&folder.read(&base)?, &block.text, without.as_deref())?;
            folder.write(&file, &text)?;
            folder.check(&file)
        }
        Use::Python => folder.python(&block.text),
        // Examples are run by `supple-docs`, whose tests also look whether those that are named exist.
        Use::Example | Use::Drawing | Use::Tested { .. } | Use::NotRun(_) => Ok(()),
    }
}

/// Every line is a command that succeeds.
fn commands(folder: &Folder, text: &str) -> Result<(), String> {
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let answer = folder.run(line)?;
        if answer.status != Some(0) {
            return Err(format!("`{line}` ends with {:?}:\n{}", answer.status, answer.printed));
        }
    }
    Ok(())
}

/// Commands behind `$ `, each with what is shown below it.
fn session(folder: &Folder, text: &str) -> Result<(), String> {
    let mut rest = text.lines().peekable();
    while let Some(line) = rest.next() {
        let command = line.strip_prefix("$ ").ok_or("a block `console` starts with `$ `")?;
        let mut shown = Vec::new();
        while let Some(line) = rest.next_if(|line| !line.starts_with("$ ")) {
            shown.push(line);
        }
        expect(folder, command, &shown)?;
    }
    Ok(())
}

fn expect(folder: &Folder, command: &str, shown: &[&str]) -> Result<(), String> {
    let answer = folder.run(command)?;
    let lines: Vec<&str> = answer.printed.lines().map(str::trim_end).collect();
    // Motions end with the rounding of the machine; everything else is the same everywhere.
    let moves = ["supple run ", "supple study "].iter().any(|start| command.starts_with(start));
    if !agrees(shown, &lines, moves) {
        return Err(format!("`{command}` prints\n{}", answer.printed));
    }
    let warning = |line: &str| line.starts_with("supple: warning: ");
    let refused =
        lines.iter().any(|line| line.starts_with("error: ") || line.starts_with("supple: ") && !warning(line));
    if refused == (answer.status == Some(0)) {
        return Err(format!("`{command}` ends with {:?}:\n{}", answer.status, answer.printed));
    }
    Ok(())
}

#[test]
fn pages_do_what_they_say() {
    let only = std::env::var("SUPPLE_PAGE").ok();
    let wanted = |page: &Page| only.as_ref().is_none_or(|only| page.path.contains(only.as_str()));
    let waiting = Mutex::new(all().into_iter().filter(wanted).collect::<Vec<_>>());
    let found = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(page) = waiting.lock().unwrap().pop() else { break };
                    let problems = problems(&page);
                    found.lock().unwrap().extend(problems);
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    assert!(found.is_empty(), "{} problems:\n{}", found.len(), found.join("\n\n"));
}

#[test]
fn every_command_is_shown() {
    let text = page("docs/commands.md").text;
    for command in [
        "check",
        "modes",
        "import",
        "schema",
        "completions",
        "report",
        "compare",
        "view",
        "eval",
        "cost",
        "bench",
        "study",
        "run",
    ] {
        assert!(text.contains(&format!("\n$ supple {command} ")), "docs/commands.md does not show `supple {command}`");
    }
}

/// Forward dynamics of ten beams with six modes, multiplications and additions.
fn operations(folder: &Folder, model: &str) -> u32 {
    let command = format!("supple cost --bodies 10 --modes 6 --model {model} --format csv");
    let rows = folder.run(&command).unwrap().printed;
    let rows = rows.lines().filter(|row| row.starts_with("articulated-auto,"));
    rows.flat_map(|row| row.split(',').skip(4).take(2).map(|number| number.parse::<u32>().unwrap()).collect::<Vec<_>>())
        .sum()
}

#[test]
fn costs_of_fidelities_are_those_of_the_command() {
    let page = page("docs/how-to/fidelity.md");
    let folder = Folder::new(&Page { path: "costs".into(), text: String::new() });
    let best = operations(&folder, "stiffened");
    let readme = supple_docs::page::page("README.md").text;
    for (fidelity, model) in
        [("ruthless", "rl"), ("inconsistent", "i"), ("consistent", "cl"), ("exact", "ee"), ("stiffened", "stiffened")]
    {
        let count = operations(&folder, model);
        let shown = format!(" {},{:03} ", count / 1000, count % 1000);
        let row = page.text.lines().find(|line| line.starts_with(&format!("| `{fidelity}` ")) && line.contains(&shown));
        assert!(row.is_some(), "{}: `{fidelity}` takes{shown}operations", page.path);
        // What the table of choices and the README say of the two that are cheaper.
        if ["ruthless", "inconsistent"].contains(&fidelity) {
            let ratio = f64::from(best) / f64::from(count);
            assert!(page.text.contains(&format!("{ratio:.1} times cheaper")), "`{fidelity}` is {ratio} times cheaper");
            assert!(readme.contains(&format!("{:.2}", 1.0 / ratio)), "README.md: `{fidelity}` costs {}", 1.0 / ratio);
        }
    }
}
