//! Generated code compiles without a warning, and its own check finds it equal to the engine.

use crate::agreement::{mixed, verbs};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use supple::testkit::Prepared;
use supple::{Fidelity, Inputs, Model, State, assemble};
use supple_bodies::catalogue::beam_chain::beam_chain;
use supple_compile::package::{Target, Unit, files};
use supple_compile::text::Style;
use supple_compile::verb::Differentiation;
use supple_compile::{Lanes, Recording, Verb};

/// A folder that goes with the test.
pub(crate) struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("supple-compile-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Whether a compiler can be called. Where it cannot, says so; continuous integration has all of them.
pub(crate) fn is_there(compiler: &str) -> bool {
    let found = Command::new(compiler).arg("--version").output().is_ok();
    assert!(found || std::env::var("CI").as_deref() != Ok("true"), "there is no compiler `{compiler}`");
    if !found {
        eprintln!("skipped: there is no compiler `{compiler}`");
    }
    found
}

/// Programs of verbs with their vectors; a closed system is recorded where its closures are closed.
fn units(at: &Prepared, verbs: &[Verb], count: usize) -> Vec<Unit> {
    let state = (!at.model.closures().is_empty()).then_some(&at.state);
    let unit = |verb: &Verb| {
        let recording = Recording { model: &at.model, state, verb, parameters: &[] };
        let program = recording.program().unwrap().scheduled();
        let reference = recording.reference(&program, count).unwrap();
        Unit { program, reference, memory: Vec::new() }
    };
    verbs.iter().map(unit).collect()
}

/// Writes a folder, builds its check by a command, runs it, and gives the worst difference that it prints last.
pub(crate) fn checked(
    folder: &Path,
    units: &[Unit],
    target: Target,
    style: Style,
    lanes: &[Lanes],
    build: &str,
) -> f64 {
    fs::create_dir_all(folder).unwrap();
    for file in files(units, target, style, lanes) {
        fs::write(folder.join(file.name), file.text).unwrap();
    }
    let built = Command::new("sh").args(["-c", build]).current_dir(folder).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(folder.join("check")).output().unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    assert!(ran.status.success(), "{}:\n{said}", folder.display());
    said.lines().last().unwrap().rsplit(' ').next().unwrap().parse().unwrap()
}

pub(crate) const C: &str = "cc -O1 -std=c99 -pedantic -Wall -Wextra -Werror *.c -lm -o check";

/// Most speeds of the systems here.
const MOST: usize = 14;

/// So many random systems: closed ones whose closures can be closed, then trees.
fn systems(closed: usize, trees: usize) -> Vec<(u64, Prepared)> {
    let of = |wanted: bool| {
        (0..)
            .map(|seed| (seed, mixed(seed)))
            .filter(move |(_, at)| at.model.closures().is_empty() != wanted && at.model.speed_count() <= MOST)
    };
    let fits = |(_, at): &mut (u64, Prepared)| {
        let still = Inputs::new(&at.model);
        assemble(&at.model, &mut at.state, &still).is_ok()
    };
    let assembled = of(true).filter_map(|mut system| fits(&mut system).then_some(system));
    assembled.take(closed).chain(of(false).take(trees)).collect()
}

/// Compilers take long for derivatives and steps of systems of some size.
fn is_long(verb: &Verb, at: &Prepared) -> bool {
    let long = matches!(verb, Verb::Linearization(_) | Verb::LinearlyImplicitStep | Verb::Rk4Step);
    long && at.model.speed_count() > 4
}

/// Twenty systems, five of them closed, each verb of some of them: in one function and in several, alone and in lanes.
#[test]
fn c_of_random_systems_is_the_engine() {
    if !is_there("cc") {
        return;
    }
    let folder = Folder::new("c");
    let (mut worst, mut closed, mut seen) = (0.0_f64, 0, std::collections::BTreeSet::new());
    for (n, (seed, at)) in systems(5, 15).into_iter().enumerate() {
        closed += usize::from(!at.model.closures().is_empty());
        let all = verbs(&at.model);
        let some = all.iter().enumerate().filter(|(i, verb)| (i + n) % 4 == 0 && !is_long(verb, &at));
        let some: Vec<Verb> = some.map(|(_, verb)| verb.clone()).collect();
        seen.extend(some.iter().map(Verb::name));
        let style = Style { part: [usize::MAX, 300][n % 2], ..Style::default() };
        let lanes = [&[][..], &[Lanes::Four], &[Lanes::Eight]][n % 3];
        let found = checked(&folder.0.join(seed.to_string()), &units(&at, &some, 3), Target::C, style, lanes, C);
        worst = worst.max(found);
    }
    println!("worst relative difference {worst:e}, {closed} closed systems, verbs {seen:?}");
    assert!(closed == 5 && worst > 0.0, "{closed} {worst}");
    assert_eq!(seen.len(), Verb::NAMES.len());
}

/// Every verb, in lanes and with fused operations too, is clean under all warnings; so are two verbs of one name.
#[test]
fn every_verb_is_clean_in_c() {
    if !is_there("cc") {
        return;
    }
    let model = Model::build(&beam_chain(1, 1, Fidelity::Stiffened)).unwrap();
    let at = Prepared { state: State::new(&model), inputs: Inputs::new(&model), model };
    let folder = Folder::new("clean");
    let mut all = verbs(&at.model);
    all.push(Verb::Linearization(Differentiation::Dual));
    all.push(all[all.len() - 2].clone());
    let style = Style { fma: true, part: 100 };
    let mut units = units(&at, &all, 2);
    let guarded = units[0].program.guarded();
    let recording = Recording { model: &at.model, state: None, verb: &all[0], parameters: &[] };
    units.push(Unit { reference: recording.reference(&guarded, 2).unwrap(), program: guarded, memory: Vec::new() });
    checked(&folder.0, &units, Target::C, style, &[Lanes::Four, Lanes::Eight], &C.replace("-O1", "-O0"));
}

/// Rust for five of them, without the standard library as a package, and with it as a check.
#[test]
fn rust_of_random_systems_is_the_engine() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    if !is_there(&rustc) {
        return;
    }
    let folder = Folder::new("rust");
    for (n, (seed, at)) in systems(1, 4).into_iter().enumerate() {
        let all = verbs(&at.model);
        let some = all.iter().enumerate().filter(|(i, verb)| (i + n) % 5 == 0 && !is_long(verb, &at));
        let some: Vec<Verb> = some.map(|(_, verb)| verb.clone()).collect();
        let style = Style { part: [usize::MAX, 300][n % 2], fma: n == 2 };
        let build = format!("{rustc} --edition 2021 -D warnings check.rs -o check");
        let own = folder.0.join(seed.to_string());
        checked(&own, &units(&at, &some, 3), Target::Rust, style, &[], &build);
        if n == 0 {
            // A crate that has the names of libm stands in for it.
            let of_one =
                ["sin", "cos", "sqrt", "exp", "log", "tanh"].map(|f| format!("pub fn {f}(x: f64) -> f64 {{ x }}"));
            let more = "pub fn atan2(y: f64, x: f64) -> f64 { y / x }\npub fn fma(a: f64, b: f64, c: f64) -> f64 { a * b + c }";
            fs::write(own.join("libm_names.rs"), format!("#![no_std]\n{}\n{more}\n", of_one.join("\n"))).unwrap();
            let library = "--edition 2021 -D warnings --crate-type rlib --emit metadata";
            let build = format!(
                "{rustc} {library} --crate-name libm libm_names.rs && {rustc} {library} --crate-name code --extern libm=liblibm.rmeta lib.rs"
            );
            let built = Command::new("sh").args(["-c", &build]).current_dir(&own).output().unwrap();
            assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        }
    }
}

/// CUDA for five of them, each verb of some, compiled as C++ by the header of stand-ins, a thousand instances at once.
#[test]
fn cuda_of_random_systems_is_the_engine() {
    if !is_there("c++") {
        return;
    }
    let (folder, mut seen) = (Folder::new("cuda"), std::collections::BTreeSet::new());
    for (n, (seed, at)) in systems(1, 4).into_iter().enumerate() {
        let all = verbs(&at.model);
        let some = all.iter().enumerate().filter(|(i, verb)| (i + n) % 4 == 0 && !is_long(verb, &at));
        let some: Vec<Verb> = some.map(|(_, verb)| verb.clone()).collect();
        seen.extend(some.iter().map(Verb::name));
        let style = Style { part: [usize::MAX, 500][n % 2], ..Style::default() };
        let build = "c++ -O0 -Wall -Wextra -Werror -x c++ check.cu -o check";
        checked(&folder.0.join(seed.to_string()), &units(&at, &some, 3), Target::Cuda, style, &[], build);
    }
    println!("verbs {seen:?}");
    assert!(seen.len() >= 10, "{seen:?}");
}
