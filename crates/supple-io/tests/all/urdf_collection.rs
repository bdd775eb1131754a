//! Real robots: each loads, or is refused with body, rule and value; never a silent NaN.
//!
//! The files are those of the package `example-robot-data` 5.0.0, which is not part of this project. Point `SUPPLE_URDF_DIR` at the
//! folder that holds them; without it these tests say so and do nothing. `docs/studies/urdf-collection.md` is made and checked here; with
//! `SUPPLE_WRITE_DOCS=1` it is updated.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use supple::{
    DenseWorkspace, HingeKind, Inputs, Model, Problem, State, System, Workspace, forward_dynamics, inverse_dynamics,
    mass_matrix,
};
use supple_io::model_file;
use supple_io::source::{FileError, Rule};
use supple_io::urdf::{self, Options, Robot};

/// All URDF files below the folder of the environment, sorted.
fn collection() -> Option<Vec<PathBuf>> {
    let Some(root) = std::env::var_os("SUPPLE_URDF_DIR") else {
        println!("skipped: SUPPLE_URDF_DIR is not set to a folder with the URDF files of example-robot-data 5.0.0");
        return None;
    };
    let mut folders = vec![PathBuf::from(root)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            let path = entry.path();
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "urdf") {
                files.push(path);
            }
        }
    }
    files.sort();
    Some(files)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Coordinates of the moving hinges of one speed, in the order of the bodies: that of Pinocchio.
fn moved(system: &System, model: &Model) -> (State, Inputs) {
    let (mut state, mut inputs) = (State::new(model), Inputs::new(model));
    let mut i = 0;
    for (body, index) in system.bodies.iter().zip(model.body_indices()) {
        if body.hinge.kind == HingeKind::Fixed {
            continue;
        }
        let (q, v) = (model.hinge_coordinates(index).start, model.hinge_speeds(index).start);
        let at = f64::from(i);
        state.coordinates[q] = 0.3 * (2.0 * at + 1.0).sin();
        state.speeds[v] = 0.1 * (at + 1.0).sin();
        inputs.accelerations[v] = 0.1 * (at + 1.0).cos();
        i += 1;
    }
    (state, inputs)
}

/// Norm of the inverse-dynamics forces, trace of the mass matrix, mass of the bodies that move; without stops, damping and mimics, as there.
fn fingerprint(robot: &Robot) -> [f64; 3] {
    let system = &robot.file.system;
    let model = &Model::build(&System { forces: Vec::new(), closures: Vec::new(), ..system.clone() }).unwrap();
    let (state, inputs) = moved(system, model);
    let mut workspace = Workspace::new(model);
    let forces = inverse_dynamics(model, &state, &inputs, &mut workspace).unwrap().forces().to_vec();
    let n = model.speed_count();
    let mut dense = vec![0.0; n * n];
    mass_matrix(model, &state, &mut workspace, &mut DenseWorkspace::new(model), &mut dense).unwrap();
    let mut still = Vec::new();
    let mut mass = 0.0;
    for body in &system.bodies {
        let carried = match body.parent {
            supple::Parent::Ground => true,
            supple::Parent::Body(parent, _) => still[parent.0],
        };
        still.push(carried && body.hinge.kind == HingeKind::Fixed);
        if !still[still.len() - 1] {
            mass += body.nodes.iter().map(|node| node.mass).sum::<f64>();
        }
    }
    let norm = forces.iter().map(|x| x * x).sum::<f64>().sqrt();
    [norm, (0..n).map(|i| dense[i * n + i]).sum(), mass]
}

/// Where a robot is in the package, without folders that all have.
fn place(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let robots = parts.iter().position(|part| part == "robots").map_or(0, |at| at + 1);
    parts[robots..].iter().filter(|part| *part != "urdf").cloned().collect::<Vec<_>>().join("/")
}

/// A text with its numbers to four digits, and rounding errors as zero: the page is the same on every machine.
fn rounded(text: &str) -> String {
    let word = |word: &str| {
        let number = word.trim_end_matches([',', ';']);
        match number.parse::<f64>() {
            Ok(value) if number.contains(['.', 'e']) => {
                let value = if value.abs() < 1e-18 { 0.0 } else { value };
                format!("{value:.3e}{}", &word[number.len()..])
            }
            _ => word.to_owned(),
        }
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// One line on how a file was answered.
fn answer(result: &Result<Robot, FileError>) -> String {
    match result {
        Ok(robot) => {
            let speeds = robot.file.model.speed_count();
            let notes = match robot.notes.len() {
                0 => String::new(),
                1 => ", 1 note".to_owned(),
                notes => format!(", {notes} notes"),
            };
            format!("loads, {speeds} speeds{notes}")
        }
        Err(error) => {
            let (count, first) = (error.findings().len() + error.omitted(), &error.findings()[0]);
            let told = first.to_string();
            let what = told.lines().next().unwrap_or_default().trim_start_matches("error: ").replace('|', "\\|");
            let problems = if count == 1 { "1 problem".to_owned() } else { format!("{count} problems") };
            format!("refused, {problems}; line {}: {}", first.place.line, rounded(&what))
        }
    }
}

/// The page about the collection; it is checked against the one published.
fn check_page(rows: &[[String; 3]], (strict, lenient): (usize, usize), named: &[(&str, usize)]) {
    let mut page = format!(
        "# Real robots\n\nThis page lists how Supple reads the {} URDF files of the package `example-robot-data` 5.0.0, which is not part of this \
         project: {strict} load as they are, {lenient} with `lenient = true`. For a file that is refused, Supple prints every problem with line, rule \
         and remedy; the table shows the first. \
         64 of those that load are compared with Pinocchio 4.1.0 and agree in inverse dynamics, mass matrix and mass to 1e-9 \
         (`references/PROVENANCE.md`).\n\n`SUPPLE_URDF_DIR=FOLDER cargo test -p supple-io --test all urdf_collection` checks this page, with \
         `SUPPLE_WRITE_DOCS=1` it writes it. What strict and lenient readers accept is in [files.md](../files.md#robots).\n\n\
         | finding, in all files | how many |\n|---|---|\n",
        rows.len()
    );
    for (kind, count) in named {
        let _ = writeln!(page, "| {kind} | {count} |");
    }
    page.push_str("\n| file | strict | lenient |\n|---|---|---|\n");
    for [file, strict, lenient] in rows {
        let _ = writeln!(page, "| {file} | {strict} | {} |", if strict == lenient { "the same" } else { lenient });
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/studies/urdf-collection.md");
    if std::env::var_os("SUPPLE_WRITE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(published == page, "docs/studies/urdf-collection.md is out of date: update it with SUPPLE_WRITE_DOCS=1");
}

#[test]
fn every_robot_loads_or_is_refused_by_name() {
    let Some(files) = collection() else { return };
    let (mut strict, mut lenient) = (0, 0);
    let (mut named, mut rows) = (BTreeSet::new(), Vec::new());
    for path in &files {
        let refused = |options: &Options| match urdf::read(path, None, options) {
            Ok(robot) => {
                let (state, inputs) = moved(&robot.file.system, &robot.file.model);
                let mut workspace = Workspace::new(&robot.file.model);
                let solution = forward_dynamics(&robot.file.model, &state, &inputs, &mut workspace)
                    .unwrap_or_else(|error| panic!("{}: {error}", name(path)));
                assert!(solution.accelerations().iter().all(|x| x.is_finite()), "{}: silent NaN", name(path));
                Ok(robot)
            }
            Err(error) => {
                assert!(error.findings().iter().all(|finding| finding.place.line > 0));
                Err(error)
            }
        };
        let first = refused(&Options::default());
        let second = refused(&Options { lenient: true, ..Options::default() });
        for result in [&first, &second] {
            let told = result.as_ref().map_or_else(|error| error.findings(), |robot| &robot.notes);
            for finding in told {
                let kind = match finding.rule {
                    Rule::Triangle { .. } => "triangle rule",
                    Rule::NegativeMoment { .. } => "negative moment",
                    Rule::Mass { .. } | Rule::NoInertia => "moving link without mass",
                    Rule::Model(Problem::MasslessHinge { .. }) => "joint that moves no mass",
                    _ => continue,
                };
                named.insert((kind, path.clone(), finding.subject.clone()));
            }
        }
        strict += usize::from(first.is_ok());
        lenient += usize::from(second.is_ok());
        rows.push([place(path), answer(&first), answer(&second)]);
        println!("{}", rows[rows.len() - 1].join("\n  "));
    }
    println!("{} files: {strict} load strictly, {lenient} leniently", files.len());
    let count = |kind: &str| named.iter().filter(|(other, ..)| *other == kind).count();
    let kinds = ["triangle rule", "negative moment", "moving link without mass", "joint that moves no mass"];
    let counts = kinds.map(|kind| (kind, count(kind)));
    counts.iter().for_each(|(kind, count)| println!("{kind}: {count} named"));
    // All 51 links on moving joints without mass, as a plain scan of the files finds them: 19 in notes, the others refused.
    assert_eq!(count("moving link without mass") + count("joint that moves no mass"), 51);
    assert_eq!((files.len(), strict, lenient), (77, 47, 67));
    check_page(&rows, (strict, lenient), &counts);
}

/// Numbers of Pinocchio 4.1.0, see `references/PROVENANCE.md`, for every file that loads.
#[test]
fn fingerprints() {
    let Some(files) = collection() else { return };
    let table = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../references/urdf/fingerprints.csv");
    let table = std::fs::read_to_string(table).unwrap();
    let (mut compared, mut largest) = (0, 0.0_f64);
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let expected: Vec<f64> = fields[1..].iter().map(|field| field.parse().unwrap()).collect();
        let path = files.iter().find(|path| path.ends_with(fields[0])).unwrap_or_else(|| panic!("{line} is missing"));
        let Ok(robot) = urdf::read(path, None, &Options { lenient: true, ..Options::default() }) else { continue };
        assert_eq!(robot.file.model.speed_count() as f64, expected[0], "{line}");
        let found = fingerprint(&robot);
        let worst = found.iter().zip(&expected[1..]).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-9, "{line}: {found:?}, off by {worst:e}");
        largest = largest.max(worst);
        compared += 1;
    }
    println!("{compared} robots, largest relative difference {largest:.1e}");
    assert_eq!(compared, 64);
}

/// A robot written as a model file and read again is the same robot, bit for bit.
#[test]
fn every_robot_survives_a_round_trip() {
    let Some(files) = collection() else { return };
    let mut written = 0;
    for path in &files {
        let Ok(robot) = urdf::read(path, None, &Options { lenient: true, ..Options::default() }) else { continue };
        let text = model_file::write(&robot.file.system).unwrap();
        let again = model_file::from_text("x.toml", &text, None).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(format!("{:?}", again.system), format!("{:?}", robot.file.system), "{}", name(path));
        written += 1;
    }
    println!("{written} robots written and read again");
}

/// Damaged real files: no panic, an answer within a second. `SUPPLE_URDF_MUTATIONS` tells how many per file.
#[test]
fn damaged_robots_are_answered() {
    let Some(files) = collection() else { return };
    let rounds = std::env::var("SUPPLE_URDF_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let mut seed = 5_u64;
    let mut next = |end: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % end
    };
    let pieces: [&[u8]; 14] =
        [b"", b"<", b">", b"/>", b"\"", b"-", b"0", b"1e999", b"nan", b"\xff", b"\0", b"&#x0;", b"<!--", b"]]>"];
    let (mut read, mut slowest) = (0, std::time::Duration::ZERO);
    for path in &files {
        let sound = std::fs::read(path).unwrap();
        let numbers: Vec<usize> =
            (1..sound.len()).filter(|i| sound[*i].is_ascii_digit() && sound[*i - 1] == b'"').collect();
        for _ in 0..rounds {
            let mut bytes = sound.clone();
            for _ in 0..1 + next(4) {
                let in_number = next(2) == 0 && !numbers.is_empty();
                let start = if in_number { numbers[next(numbers.len())] } else { next(bytes.len()) }.min(bytes.len());
                let end = (start + next(6)).min(bytes.len());
                bytes.splice(start..end, pieces[next(pieces.len())].iter().copied());
            }
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let clock = std::time::Instant::now();
            let options = Options { lenient: next(2) == 0, ..Options::default() };
            match urdf::from_text("x.urdf", &text, None, &options) {
                Ok(_) => read += 1,
                Err(error) => assert!(!error.to_string().is_empty()),
            }
            slowest = slowest.max(clock.elapsed());
        }
    }
    println!("{} texts, {read} read all the same, slowest {slowest:?}", rounds * files.len());
    assert!(slowest < std::time::Duration::from_secs(1));
}
