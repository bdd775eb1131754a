//! A controlled run in a process of its own that is killed: another process goes on from the file that it left, to the same bytes.

use crate::motions::{SCHEMES, free};
use crate::sampled_blocks::{Log, blocks, stepping, wheel};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use supple::integrate::{AtEvent, Checkpoint, Crossing, Simulation, SimulationCheckpoint, Statistics};

const TASK: &str = "SUPPLE_TEST_RUN";
/// Length of the run, s: a hundred instants of the controller and its arrivals.
const LENGTH: f64 = 0.5;

/// All numbers of a checkpoint, bit by bit, and the rows that were written before it.
fn write(checkpoint: &SimulationCheckpoint, rows: usize, to: &Path) {
    let SimulationCheckpoint { integrator, start_energy, prescribed, signs, blocks, .. } = checkpoint;
    let Statistics { accepted, rejected, evaluations, solves, factorisations } = integrator.statistics;
    let mut words = vec![rows as u64, accepted, rejected, evaluations, solves, factorisations];
    words.push(u64::from(integrator.fresh));
    words.extend([integrator.time, integrator.step, *start_energy].map(f64::to_bits));
    for list in [&integrator.y, &integrator.rates, &integrator.scheme, blocks] {
        words.push(list.len() as u64);
        words.extend(list.iter().map(|x| x.to_bits()));
    }
    words.extend(prescribed.iter().map(|flag| u64::from(*flag)));
    words.extend(signs.iter().map(|sign| *sign as u64));
    let text: Vec<String> = words.iter().map(|word| format!("{word:016x}\n")).collect();
    let beside = to.with_extension("new");
    fs::write(&beside, text.concat()).unwrap();
    fs::rename(beside, to).unwrap();
}

/// What [`write`] wrote: of one body and one event.
fn read(from: &Path) -> (SimulationCheckpoint, usize) {
    let text = fs::read_to_string(from).unwrap();
    let mut words = text.lines().map(|line| u64::from_str_radix(line, 16).unwrap());
    let mut next = || words.next().unwrap();
    let rows = next() as usize;
    let [accepted, rejected, evaluations, solves, factorisations] = std::array::from_fn(|_| next());
    let fresh = next() == 1;
    let [time, step, start_energy] = std::array::from_fn(|_| f64::from_bits(next()));
    let [y, rates, scheme, blocks] = std::array::from_fn(|_| {
        let count = next();
        (0..count).map(|_| f64::from_bits(next())).collect()
    });
    let statistics = Statistics { accepted, rejected, evaluations, solves, factorisations };
    let integrator = Checkpoint { time, step, fresh, y, rates, scheme, statistics };
    let (prescribed, signs) = (vec![next() == 1], vec![next() as i8]);
    let (departures, closed, held) = (Vec::new(), Vec::new(), Vec::new());
    (SimulationCheckpoint { integrator, start_energy, prescribed, signs, departures, blocks, closed, held }, rows)
}

/// Runs scheme `number` in `folder` to the end, from its checkpoint where there is one: a row and a checkpoint after every step.
fn run(folder: &Path, number: usize, pause: Duration) {
    let scheme = SCHEMES[number];
    let (model, start) = wheel();
    let end = start.time + LENGTH;
    let mut simulation = Simulation::new(&model, start, free, scheme, stepping(scheme, 1e-8)).unwrap();
    simulation.watch(Crossing::Either, AtEvent::Record, |state| state.coordinates[0] - 0.9);
    simulation.set_blocks(blocks(&Log::default())).unwrap();
    let (checkpoint, table) = (folder.join("checkpoint"), folder.join("rows"));
    let mut rows = 0;
    if checkpoint.exists() {
        let (saved, before) = read(&checkpoint);
        simulation.restore(&saved).unwrap();
        // Rows after the checkpoint come again.
        let text = fs::read_to_string(&table).unwrap();
        rows = before;
        fs::write(&table, text.split_inclusive('\n').take(rows).collect::<String>()).unwrap();
    }
    let mut file = OpenOptions::new().create(true).append(true).open(&table).unwrap();
    while simulation.state().time < end {
        simulation.advance_step(end).unwrap();
        let (time, state) = (simulation.state().time, simulation.state());
        writeln!(file, "{time:?},{:?},{:?}", state.coordinates[0], state.speeds[0]).unwrap();
        rows += 1;
        write(&simulation.checkpoint(), rows, &checkpoint);
        std::thread::sleep(pause);
    }
}

/// What a child process does; nothing where no test asked for it.
#[test]
fn a_run_in_a_process_of_its_own() {
    let Ok(task) = std::env::var(TASK) else { return };
    let (number, rest) = task.split_once(' ').unwrap();
    let (pause, folder) = rest.split_once(' ').unwrap();
    run(Path::new(folder), number.parse().unwrap(), Duration::from_millis(pause.parse().unwrap()));
}

/// A process that runs scheme `number` in `folder`.
fn child(folder: &Path, number: usize, pause: u64) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "killed_runs::a_run_in_a_process_of_its_own", "--nocapture"]);
    command.env(TASK, format!("{number} {pause} {}", folder.display())).stdout(Stdio::null());
    command
}

/// A folder that goes with its owner.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("supple-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_default()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The sampled controller with two and a half samples of delay, with every scheme.
#[test]
fn killed_runs_go_on_to_the_same_bytes() {
    for number in 0..SCHEMES.len() {
        let (whole, killed) = (Folder::new(&format!("whole-{number}")), Folder::new(&format!("killed-{number}")));
        assert!(child(&whole.0, number, 0).status().unwrap().success());
        let mut running = child(&killed.0, number, 4).spawn().unwrap();
        let since = Instant::now();
        // Where outputs are on their way, at no instant in particular.
        while killed.text("rows").lines().count() < 8 + 3 * number {
            assert!(since.elapsed() < Duration::from_secs(60) && running.try_wait().unwrap().is_none());
            std::thread::sleep(Duration::from_millis(1));
        }
        running.kill().unwrap();
        assert!(!running.wait().unwrap().success(), "{:?} was not killed", SCHEMES[number]);
        let (before, all) = (killed.text("rows").lines().count(), whole.text("rows").lines().count());
        assert!(before < all && read(&killed.0.join("checkpoint")).0.blocks.len() > 4, "{before} of {all} rows");
        assert!(child(&killed.0, number, 0).status().unwrap().success());
        for name in ["rows", "checkpoint"] {
            assert!(whole.text(name) == killed.text(name), "{:?}: {name} differ", SCHEMES[number]);
        }
    }
}
