//! What is refused before a run starts, and who may write into a folder.

use super::{Arm, DORMAND_PRINCE};
use supple_run::{Existing, Options, Output, Run, RunErrorKind, read};

/// One run at a time in a folder, also in one process; the next one starts when it has ended or was given up.
#[test]
fn one_run_at_a_time_in_a_folder() {
    let arm = Arm::new(DORMAND_PRINCE);
    let (scenario, path) = (read(arm.scenario()).unwrap(), arm.scenario());
    for existing in [Existing::Refuse, Existing::Replace, Existing::Resume] {
        let options = Options { existing, output: Output::Scenario, ..Options::default() };
        let mut first = Run::new(&scenario, &path, &options).unwrap();
        assert!(first.advance(&mut ()));
        let other = Options { existing: Existing::Replace, ..options.clone() };
        for options in [&other, &Options { existing: Existing::Resume, ..other.clone() }] {
            let error = Run::new(&scenario, &path, options).err().unwrap();
            assert_eq!(error.kind, RunErrorKind::Busy, "{error}");
            assert_eq!(error.file.as_deref(), Some(arm.0.join("results").as_path()));
            assert!(error.message.contains(&format!("process {}", std::process::id())), "{error}");
            assert!(error.remedy.is_some());
        }
        assert!(first.advance(&mut ()), "the second run has taken something from the first");
        drop(first);
    }
    let last = Options { existing: Existing::Resume, output: Output::Scenario, ..Options::default() };
    assert!(Run::new(&scenario, &path, &last).unwrap().go(&mut ()).is_complete());
}

/// Times that are no times are refused, whoever has set them.
#[test]
fn output_times_are_finite_and_positive() {
    let arm = Arm::new(DORMAND_PRINCE);
    let refused = |change: &dyn Fn(&mut supple_run::Scenario), name: &str| {
        let mut scenario = read(arm.scenario()).unwrap();
        change(&mut scenario);
        let error = Run::new(&scenario, &arm.scenario(), &Options::default()).err().unwrap();
        assert_eq!(error.kind, RunErrorKind::CannotBegin, "{error}");
        assert!(error.message.contains(name) && error.remedy.is_some(), "{error}");
    };
    for time in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        refused(&|scenario| scenario.output_interval = time, "`output_interval`");
        refused(&|scenario| scenario.duration = time, "`duration`");
        refused(&|scenario| scenario.checkpoint_interval = Some(time), "`checkpoint_interval`");
    }
    refused(&|scenario| scenario.initial.time = f64::NAN, "initial time");
}

/// Results that are too large are refused before anything is written.
#[test]
fn results_beyond_their_limit_are_refused() {
    let arm = Arm::new(DORMAND_PRINCE);
    let mut scenario = read(arm.scenario()).unwrap();
    let options = Options { output: Output::Scenario, ..Options::default() };
    let size = Run::new(&scenario, &arm.scenario(), &Options::default()).unwrap().size();
    assert_eq!(size.rows, 21);
    let results = Run::new(&scenario, &arm.scenario(), &options).unwrap().go(&mut ());
    let bytes = std::fs::metadata(arm.0.join("results/results.csv")).unwrap().len() as f64;
    println!("{size}, {bytes} bytes in the end");
    assert!(results.is_complete() && bytes < 1.2 * size.bytes && bytes > 0.5 * size.bytes, "{bytes} of {size}");
    assert_eq!(results.last_row(), Some((21, 1.0)));

    std::fs::remove_dir_all(arm.0.join("results")).unwrap();
    scenario.results.most_bytes = size.bytes - 1.0;
    let error = Run::new(&scenario, &arm.scenario(), &options).err().unwrap();
    assert_eq!(error.kind, RunErrorKind::TooLarge, "{error}");
    assert!(!arm.0.join("results").exists());
    scenario.results.most_bytes = f64::INFINITY;
    scenario.output_interval = 1e-18;
    let error = Run::new(&scenario, &arm.scenario(), &options).err().unwrap();
    assert_eq!(error.kind, RunErrorKind::TooLarge, "{error}");
    assert!(error.message.contains("has room for"), "{error}");
}
