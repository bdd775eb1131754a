//! Sweeps.

use supple_run::sweep::{Runner, Study};

#[test]
fn timing() {
    let study =
        Study::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shuttle-slew/study.toml"))
            .unwrap_or_else(|e| panic!("{e}"));
    let mut runner = Runner::new(&study);
    let start = std::time::Instant::now();
    for run in 0..10 {
        println!("{:?}", runner.run(run));
    }
    println!("{:?} each", start.elapsed() / 10);
    let start = std::time::Instant::now();
    for run in 0..10 {
        let _ = study.scenario(run).unwrap();
    }
    println!("{:?} to read each", start.elapsed() / 10);
}
