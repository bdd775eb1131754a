//! Programs of the reference cases, recorded away from their states.

use crate::agreement::{condition, difference, engine, inputs, verbs};
use std::fs;
use std::path::Path;
use supple::testkit::{Prepared, Worst, tolerance};
use supple_compile::{record, record_at};
use supple_io::case::AnyCase;

#[test]
fn programs_of_the_reference_cases_are_the_engine() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../references/cases");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let (mut worst, mut cases) = (Worst::new(), 0);
    for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "json")) {
        let case = match AnyCase::from_bytes(&fs::read(path).unwrap()).unwrap() {
            AnyCase::Tree(case) => case,
            AnyCase::Trajectory(case) => case.start().clone(),
            other => panic!("{path:?}: a kind of case that this test does not know: {other:?}"),
        };
        let case = case.prepare().unwrap();
        let at = Prepared { model: case.model, state: case.state, inputs: case.inputs };
        let allowed = tolerance(condition(&at));
        cases += 1;
        for verb in verbs(&at.model) {
            let program = match at.model.closures().is_empty() {
                true => record(&at.model, &verb),
                false => record_at(&at.model, &at.state, &verb),
            };
            let program = program.unwrap_or_else(|error| panic!("{path:?}, {verb}: {error}"));
            let mut found = vec![0.0; program.outputs.len()];
            let done = program.interpreter().run(&inputs(&at, &verb), &mut found);
            done.unwrap_or_else(|error| panic!("{path:?}, {verb}: {error}"));
            let error = difference(&found, &engine(&at, &verb));
            assert!(error <= allowed, "{path:?}, {verb}: {error:e}, allowed {allowed:e}");
            worst.record(verb.name(), cases, error, allowed);
        }
    }
    worst.assert_within();
    assert_eq!(cases, 24);
}
