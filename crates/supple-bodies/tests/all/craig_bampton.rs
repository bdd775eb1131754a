//! Craig-Bampton reductions converge, and the page about it shows the numbers of today.

use std::path::Path;
use supple_bodies::catalogue::interface_beam::{Errors, FREQUENCIES, InterfaceBeam, NAMES};

/// Below this an error is rounding.
const ROUNDING: f64 = 1e-9;
const MOST: usize = 20;

fn convergence() -> Vec<Errors> {
    InterfaceBeam::new().unwrap().convergence(MOST).unwrap()
}

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/studies").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Frequencies, bare and loaded, never get worse with one more mode; the static deflection is exact with none.
#[test]
fn errors_fall_with_every_mode() {
    let all = convergence();
    assert_eq!(all.len(), MOST + 1);
    for pair in all.windows(2) {
        for i in 0..=FREQUENCIES {
            let (before, now) = (pair[0].all[i], pair[1].all[i]);
            assert!(now <= before + ROUNDING, "{} with {} modes: {now:e} after {before:e}", NAMES[i], pair[1].modes);
        }
    }
    assert!(all.iter().all(|errors| errors.all[FREQUENCIES + 2] < ROUNDING), "static deflection");
    let (none, last) = (all[0].all, all[MOST].all);
    println!("without modes {none:?}\nwith {MOST} {last:?}");
    let bounds = [1e-6, 1e-6, 1e-4, 1e-4, 1e-8, 1e-4];
    for (i, bound) in bounds.into_iter().enumerate() {
        assert!(last[i] < bound && last[i] < 0.01 * none[i], "{}: {:e} of {:e}", NAMES[i], last[i], none[i]);
    }
}

/// What a paper says must be what comes out, to three digits.
#[track_caller]
fn assert_same(told: f64, ours: f64, what: &str) {
    let same = (told - ours).abs() <= 0.005 * ours.abs() + ROUNDING;
    assert!(same, "{what}: {told:e} in docs/studies, {ours:e} now; run the command of docs/studies/craig-bampton.md");
}

#[test]
fn table_of_the_page_is_up_to_date() {
    let page = read("craig-bampton.md");
    let (_, block) = page.split_once("```text\ncase,discretisation,model,tip,quantity,paper,ours\n").expect("a table");
    let rows: Vec<&str> = block.lines().take_while(|line| *line != "```").collect();
    let all = convergence();
    assert_eq!(rows.len(), all.len() * NAMES.len());
    let expected = all.iter().flat_map(|e| NAMES.into_iter().zip(e.all).map(|(name, x)| (name, e.modes, x)));
    for (row, (name, modes, ours)) in rows.into_iter().zip(expected) {
        let start = format!("interface-beam,CB,linear,none,{}_at_{modes},,", name.replace(' ', "_"));
        let told = row.strip_prefix(&start).unwrap_or_else(|| panic!("`{row}` should start with `{start}`"));
        assert_same(told.parse().unwrap(), ours, &start);
    }
}

/// Every point of the picture tells its value; the static deflection is not drawn.
#[test]
fn picture_of_the_page_is_up_to_date() {
    let picture = read("craig-bampton.svg");
    let told: Vec<&str> = picture.split("<title>").skip(1).filter_map(|part| part.split("</title>").next()).collect();
    let all = convergence();
    let drawn = NAMES.len() - 1;
    assert_eq!(told.len(), all.len() * drawn);
    for (point, (i, errors)) in told.into_iter().zip((0..drawn).flat_map(|i| all.iter().map(move |e| (i, e)))) {
        let start = format!("{}, {} modes: ", NAMES[i], errors.modes);
        let value = point.strip_prefix(&start).unwrap_or_else(|| panic!("`{point}` should start with `{start}`"));
        assert_same(value.parse().unwrap(), errors.all[i], &start);
    }
}
