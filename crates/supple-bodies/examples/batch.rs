//! Forward dynamics of many states of the Shuttle arm: one by one, in lanes, on two threads.
//!
//! `cargo run --release -p supple-bodies --no-default-features --example batch`
//!
//! Times are the shortest of many, for a machine that has other things to do; the rows with lanes include putting states into lanes and
//! taking accelerations out. Two threads need two idle cores to show what they can.

use std::error::Error;
use std::time::Instant;
use supple::batch::{Batch, States};
use supple::{ElasticRotation, Fidelity, Inputs, Model, State, Workspace, forward_dynamics};
use supple_bodies::catalogue::shuttle_arm::ShuttleArm;

const INSTANCES: usize = 1024;
const REPEATS: usize = 200;

/// States and forces of all instances, row after row.
struct Rows {
    coordinates: Vec<f64>,
    speeds: Vec<f64>,
    attitudes: Vec<[f64; 4]>,
    forces: Vec<f64>,
}

impl Rows {
    /// Hinges turned and booms bent a little, differently in each instance.
    fn new(model: &Model) -> Self {
        let (nq, nv) = (model.coordinate_count(), model.speed_count());
        let wave = |count: usize, size: f64, pace: f64| (0..count).map(|i| size * (pace * i as f64).sin()).collect();
        Self {
            coordinates: wave(INSTANCES * nq, 0.05, 0.7),
            speeds: wave(INSTANCES * nv, 0.02, 0.9),
            attitudes: vec![[0.0, 0.0, 0.0, 1.0]; INSTANCES * model.attitude_nodes().len()],
            forces: wave(INSTANCES * nv, 10.0, 1.1),
        }
    }

    fn states(&self) -> States<'_> {
        States { coordinates: &self.coordinates, speeds: &self.speeds, attitudes: &self.attitudes }
    }
}

/// Nanoseconds per instance of the shortest of many calls.
fn shortest(mut call: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let mut best = f64::INFINITY;
    for _ in 0..REPEATS {
        let start = Instant::now();
        call()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(1e9 * best / INSTANCES as f64)
}

/// One state after the other with a plain `f64`.
fn one_by_one(model: &Model, rows: &Rows, out: &mut [f64]) -> Result<f64, Box<dyn Error>> {
    let (nq, nv) = (model.coordinate_count(), model.speed_count());
    let (mut state, mut inputs, mut workspace) = (State::new(model), Inputs::new(model), Workspace::new(model));
    shortest(|| {
        for (i, out) in out.chunks_mut(nv).enumerate() {
            state.coordinates.copy_from_slice(&rows.coordinates[i * nq..(i + 1) * nq]);
            state.speeds.copy_from_slice(&rows.speeds[i * nv..(i + 1) * nv]);
            inputs.forces.copy_from_slice(&rows.forces[i * nv..(i + 1) * nv]);
            out.copy_from_slice(forward_dynamics(model, &state, &inputs, &mut workspace)?.accelerations());
        }
        Ok(())
    })
}

fn batch<const W: usize>(model: &Model, threads: usize, rows: &Rows, out: &mut [f64]) -> Result<f64, Box<dyn Error>> {
    let mut batch = Batch::<W>::with_lanes(model, threads)?;
    shortest(|| Ok(batch.forward_dynamics(rows.states(), &rows.forces, out)?))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{INSTANCES} states of the Shuttle arm, forward dynamics");
    println!("{:28} {:>14} {:>10}", "", "ns / instance", "ratio");
    for fidelity in [Fidelity::Exact, Fidelity::Ruthless] {
        let model = ShuttleArm::flexible(fidelity, ElasticRotation::Integrated).build()?;
        let rows = Rows::new(&model);
        let mut expected = vec![0.0; INSTANCES * model.speed_count()];
        let scalar = one_by_one(&model, &rows, &mut expected)?;
        println!("{:28} {scalar:>14.0} {:>10.2}", format!("{fidelity}, one by one"), 1.0);
        type Run = fn(&Model, usize, &Rows, &mut [f64]) -> Result<f64, Box<dyn Error>>;
        let runs: [(&str, usize, Run); 4] = [
            ("4 lanes", 1, batch::<4>),
            ("8 lanes", 1, batch::<8>),
            ("4 lanes, 2 threads", 2, batch::<4>),
            ("8 lanes, 2 threads", 2, batch::<8>),
        ];
        for (name, threads, run) in runs {
            let mut found = vec![0.0; expected.len()];
            let time = run(&model, threads, &rows, &mut found)?;
            println!("{:28} {time:>14.0} {:>10.2}", format!("{fidelity}, {name}"), scalar / time);
            if found.iter().zip(&expected).any(|(a, b)| a.to_bits() != b.to_bits()) {
                return Err(format!("{fidelity}, {name}: not the numbers of the scalar run").into());
            }
        }
    }
    Ok(())
}
