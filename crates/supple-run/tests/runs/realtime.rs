//! Plant and controllers as two programs, here as two threads, over UDP on the loopback address.

use std::fs;
use std::net::UdpSocket;
use std::path::Path;
use std::thread;
use std::time::Duration;

use supple::integrate::{Scheme, Simulation, Stepping};
use supple::{Inputs, State};
use supple_io::results::read_csv;
use supple_run::realtime::{
    Acknowledgement, Addresses, ControlOptions, ControlSummary, Injection, Key, Laws, LinkSummary, Pace, PlantOptions,
    Rehearsal, control, plant,
};
use supple_run::{Interrupt, Options, Outcome, Results, RunError, RunErrorKind, Start, blocks_of, read, run};

use crate::control::Rig;
use crate::counting_allocator::allocations;

/// The arm with all its controllers, to be integrated with fixed steps.
pub fn rig(name: &str, duration: f64) -> Rig {
    let rig = Rig::new(name, duration);
    rig.change("relative_tolerance = 1e-7\nabsolute_tolerance = 1e-9", "step = 2.5e-3");
    rig.change("checkpoint_interval = 0.05\n", "");
    rig.change("[results]", "[results]\nformats = [\"csv\", \"mcap\"]");
    let drives = ["shoulder", "elbow"].map(|hinge| {
        let limits = "position = [-3, 3]\nspeed = 20\neffort = 50\nbrake = 1.3";
        format!("[[real_time.drive]]\nhinge = \"{hinge}\"\n{limits}\n")
    });
    // A machine that is busy with other tests may let a program wait for long.
    rig.change("[results]", &format!("[real_time]\nlosses = 400\n{}\n[results]", drives.concat()));
    rig
}

/// Two ports that are free.
fn ports() -> [u16; 2] {
    let sockets = [0; 2].map(|port: u16| UdpSocket::bind(("127.0.0.1", port)).unwrap());
    sockets.map(|socket| socket.local_addr().unwrap().port())
}

/// What goes wrong on purpose, and who ends the controller.
#[derive(Default)]
pub struct Trouble {
    pub of_plant: Vec<Injection>,
    pub of_controller: Vec<Injection>,
    pub end_of_controller: Option<Duration>,
    /// When the fault is acknowledged.
    pub acknowledged: Option<Duration>,
    pub keys: [Key; 2],
    pub laws: Laws,
}

fn later(after: Duration, action: impl FnOnce() + Send + 'static) {
    thread::spawn(move || {
        thread::sleep(after);
        action();
    });
}

pub type Both = (Result<(Results, LinkSummary), RunError>, Result<ControlSummary, RunError>);

pub fn both(rig: &Rig, name: &str, pace: Pace, trouble: Trouble) -> Both {
    let [own, peer] = ports();
    let folder = |side: &str| rig.0.join(format!("{name}-{side}"));
    let (interrupt, path) = (Interrupt::default(), rig.scenario());
    let acknowledgement = Acknowledgement::default();
    let own_acknowledgement = acknowledgement.clone();
    if let Some(after) = trouble.acknowledged {
        later(after, move || acknowledgement.acknowledge());
    }
    let controller = {
        let (path, folder, interrupt) = (path.clone(), folder("control"), interrupt.clone());
        thread::spawn(move || {
            let options = Options { interrupt, ..Options::into_folder(folder) };
            let link = ControlOptions {
                addresses: Addresses::loopback(peer, own),
                key: trouble.keys[1],
                injections: trouble.of_controller,
                patience: Duration::from_secs(30),
                acknowledgement: own_acknowledgement,
                laws: trouble.laws,
                heard: None,
            };
            control(&read(&path)?, &path, (&options, &link))
        })
    };
    let ended = Interrupt::default();
    if let Some(after) = trouble.end_of_controller {
        later(after, move || interrupt.interrupt());
    } else {
        // A controller that gives up leaves its plant waiting.
        let ended = ended.clone();
        later(Duration::from_secs(60), move || ended.interrupt());
    }
    let options = Options { interrupt: ended.clone(), ..Options::into_folder(folder("plant")) };
    let link = PlantOptions {
        addresses: Addresses::loopback(own, peer),
        pace,
        key: trouble.keys[0],
        laws: trouble.laws,
        injections: trouble.of_plant,
        waiting: |_| {},
    };
    let plant = thread::spawn(move || plant(&read(&path)?, &path, (&options, &link), &mut ()));
    let controlled = controller.join().unwrap();
    if controlled.is_err() {
        ended.interrupt();
    }
    (plant.join().unwrap(), controlled)
}

/// In lock step both logs are the same in every run, and that of the plant is the log of one program, to the byte: with noise, dropouts, latency, delays, shapers and
/// two rates.
#[test]
fn lock_step_gives_the_bytes_of_one_program() {
    let rig = rig("lock-step", 0.6);
    run(rig.scenario(), &Options::into_folder(rig.0.join("one"))).unwrap();
    let bytes = |folder: &str, file: &str| fs::read(rig.0.join(folder).join(file)).unwrap();
    for name in ["first", "second"] {
        let (plant, controller) = both(&rig, name, Pace::LockStep, Trouble::default());
        let ((results, link), controller) = (plant.unwrap(), controller.unwrap());
        assert_eq!(results.outcome(), &Outcome::Finished);
        // At the start, and 0.6 s of 200 Hz.
        assert_eq!((link.cycles, controller.link.cycles, link.is_safe), (121, 121, false));
        assert!(controller.has_ended && controller.lines.is_empty(), "{:?}", controller.lines);
        assert!(bytes(&format!("{name}-plant"), "results.csv") == bytes("one", "results.csv"), "rows differ");
        assert!(bytes(&format!("{name}-plant"), "results.mcap") == bytes("one", "results.mcap"), "logs differ");
    }
    let [first, second] = ["first-control", "second-control"].map(|folder| bytes(folder, "results.mcap"));
    assert!(first == second && first.len() > 10_000);
}

/// Where faults were logged, what the logs say, and whether the hinges have stopped.
fn faults(rig: &Rig, name: &str, trouble: Trouble) -> (bool, String) {
    let (plant, controller) = both(rig, name, Pace::Clock(1.0), trouble);
    let ((results, link), controller) = (plant.unwrap(), controller.unwrap());
    assert_eq!(results.outcome(), &Outcome::Finished, "{name}");
    let lines = results.summary().warnings.iter().filter(|line| line.starts_with("plant: "));
    let lines: Vec<String> = lines.cloned().chain(controller.lines.iter().map(|(_, line)| line.clone())).collect();
    assert_eq!(
        (controller.rows_lost, fs::metadata(rig.0.join(format!("{name}-plant/results.mcap"))).is_ok()),
        (0, true)
    );
    if link.is_safe {
        for hinge in ["shoulder", "elbow"] {
            let speed = |row: usize| results.column(&format!("speed.{hinge}")).unwrap()[row].abs();
            let last = results.column("time").unwrap().len() - 1;
            assert!(speed(last) < 1e-9, "{name}: {hinge} still turns, {} rad/s", speed(last));
        }
    }
    (link.is_safe, lines.join("\n"))
}

/// Against the clock: the move is made; lost frames are ridden out; forged, replayed and senseless ones, and a controller that ends, stop the hinges, with a line each.
#[test]
fn faults_end_safely_against_the_clock() {
    let rig = rig("faults", 1.5);
    rig.change("columns = [\"hinges\", \"modes\", \"signals\"]", "columns = [\"hinges\", \"hinge_speeds\"]");
    let (safe, lines) = faults(&rig, "sound", Trouble::default());
    assert_eq!((safe, lines.as_str()), (false, ""));
    let lost = vec![Injection::Drop(0.05)];
    let lossy = Trouble { of_plant: lost.clone(), of_controller: lost, ..Trouble::default() };
    assert_eq!(faults(&rig, "lossy", lossy), (false, String::new()));
    for (name, of_plant, of_controller, expected) in [
        ("nan", None, Some(Injection::Nan(0.2)), "plant: cycle "),
        ("forged", Some(Injection::Forge(0.2)), None, "controller: cycle "),
        ("replayed", None, Some(Injection::Replay(0.2)), "plant: cycle "),
    ] {
        let of = |injection: Option<Injection>| injection.into_iter().collect();
        let trouble = Trouble { of_plant: of(of_plant), of_controller: of(of_controller), ..Trouble::default() };
        let (safe, lines) = faults(&rig, name, trouble);
        // One line of the side that saw it, one of the other; in cycle 40, two before it or some after it on a busy machine.
        let in_time = |cycle: u64| lines.contains(&format!("{expected}{cycle}: "));
        assert!(safe && lines.lines().count() == 2 && (38..50).any(in_time), "{name}: {lines}");
        assert!(lines.contains("the other side is in its safe state"), "{name}: {lines}");
    }
    rig.change("losses = 400", "losses = 30");
    let gone = Trouble { end_of_controller: Some(Duration::from_millis(400)), ..Trouble::default() };
    let (safe, lines) = faults(&rig, "gone", gone);
    assert!(safe && lines.contains("no frame came for too many cycles (30 in a row)"), "{lines}");
}

/// What cannot run as two programs is refused before anything moves, with the remedy.
#[test]
fn what_cannot_keep_time_is_refused() {
    let refusal = |rig: &Rig, pace: Pace| {
        let (path, [own, peer]) = (rig.scenario(), ports());
        let interrupt = Interrupt::default();
        interrupt.interrupt();
        let options = Options { interrupt, ..Options::default() };
        let link = PlantOptions {
            addresses: Addresses::loopback(own, peer),
            pace,
            key: Key::default(),
            laws: Laws::Plain,
            injections: vec![],
            waiting: |_| {},
        };
        let error = plant(&read(&path).unwrap(), &path, (&options, &link), &mut ()).unwrap_err();
        (error.kind, error.to_string())
    };
    let clock = Pace::Clock(1.0);
    let slow = rig("adams", 0.1);
    slow.change("kind = \"exponential\"", "kind = \"exponential-adams\"");
    let (kind, text) = refusal(&slow, clock);
    assert_eq!(kind, RunErrorKind::Unsupported);
    assert!(text.contains("not suitable for real time") && text.contains("linearly-implicit"), "{text}");
    // In lock step any will do: it goes on to wait for its controller.
    assert_eq!(refusal(&slow, Pace::LockStep).0, RunErrorKind::EndedEarly);
    slow.change("kind = \"exponential-adams\"", "kind = \"generalized-alpha\"");
    let (_, text) = refusal(&slow, clock);
    assert!(text.contains("generalized-alpha with `corrections`"), "{text}");
    slow.change("kind = \"generalized-alpha\"", "kind = \"generalized-alpha\"\ncorrections = 3");
    assert_eq!(refusal(&slow, clock).0, RunErrorKind::EndedEarly);
    let adaptive = rig("adaptive", 0.1);
    adaptive.change("step = 2.5e-3", "relative_tolerance = 1e-6");
    assert!(refusal(&adaptive, clock).1.contains("needs a fixed step"));
    let strong = rig("strong", 0.1);
    strong.change("brake = 1.3", "brake = 1e4");
    let (_, text) = refusal(&strong, clock);
    assert!(text.contains("too strong for cycles of 0.005 s") && text.contains("divide their damping by"), "{text}");
    let odd = rig("odd", 0.1);
    odd.change(
        "name = \"slew\"\nkind = \"trajectory\"\nupdate_rate = 200",
        "name = \"slew\"\nkind = \"trajectory\"\nupdate_rate = 130",
    );
    let (_, text) = refusal(&odd, clock);
    assert!(text.contains("block `slew`") && text.contains("not a whole number of cycles"), "{text}");
}

/// Work of a step, evaluations of the equations: worst over median, with all controllers at work. Offered is what stays below 1.5.
#[test]
fn schemes_that_are_offered_have_even_steps() {
    let rig = rig("even", 0.5);
    let scenario = read(rig.scenario()).unwrap();
    let worst_over_median = |scheme: Scheme| {
        let (start, still) = (Start::of(&scenario).unwrap(), |_: &State, _: &mut Inputs| {});
        let model = &scenario.model.model;
        let mut run = Simulation::new(model, start.state.clone(), still, scheme, Stepping::Fixed(1e-4)).unwrap();
        run.set_blocks(blocks_of(&scenario, &start).unwrap()).unwrap();
        let mut work = Vec::new();
        while run.state().time < 0.1 {
            let before = run.statistics().evaluations;
            run.advance_step(0.1).unwrap();
            work.push(run.statistics().evaluations - before);
        }
        work.sort_unstable();
        work[work.len() - 1] as f64 / work[work.len() / 2] as f64
    };
    for scheme in [
        Scheme::RungeKutta4,
        Scheme::DormandPrince,
        Scheme::PrinceDormand8,
        Scheme::LinearlyImplicit,
        Scheme::Exponential,
        Scheme::GeneralizedAlpha { spectral_radius: 0.8, corrections: Some(3) },
    ] {
        let ratio = worst_over_median(scheme);
        assert!(scheme.has_even_steps() && ratio < 1.5, "{scheme:?}: {ratio}");
    }
    for scheme in [Scheme::ExponentialAdams, Scheme::generalized_alpha(0.8)] {
        let ratio = worst_over_median(scheme);
        assert!(!scheme.has_even_steps() && ratio >= 1.5, "{scheme:?}: {ratio}");
    }
}

/// A controller with another key hears nothing; one of another scenario is sent away.
#[test]
fn strangers_do_not_get_a_plant() {
    let own = rig("strangers", 0.1);
    let [own_port, peer_port] = ports();
    let greet = |rig: &Rig, key: Key| {
        let path = rig.scenario();
        let link = ControlOptions {
            addresses: Addresses::loopback(peer_port, own_port),
            key,
            injections: vec![],
            patience: Duration::from_millis(600),
            acknowledgement: Acknowledgement::default(),
            laws: Laws::Plain,
            heard: None,
        };
        control(&read(&path).unwrap(), &path, (&Options::default(), &link)).unwrap_err().to_string()
    };
    let interrupt = Interrupt::default();
    let plant = {
        let (path, interrupt) = (own.scenario(), interrupt.clone());
        thread::spawn(move || {
            let options = Options { interrupt, ..Options::default() };
            let link = PlantOptions {
                addresses: Addresses::loopback(own_port, peer_port),
                pace: Pace::LockStep,
                key: Key([1, 2]),
                laws: Laws::Plain,
                injections: vec![],
                waiting: |_| {},
            };
            plant(&read(&path).unwrap(), &path, (&options, &link), &mut ()).map(|_| ())
        })
    };
    let text = greet(&own, Key([1, 3]));
    assert!(text.contains("no answer from the address of the plant") && text.contains("--key"), "{text}");
    let other = rig("other", 0.1);
    other.change("p = 40", "p = 41");
    greet(&other, Key([1, 2]));
    let error = plant.join().unwrap().unwrap_err().to_string();
    assert!(error.contains("the other side runs another scenario"), "{error}");
    drop(interrupt);
}

/// Both sides of the Shuttle arm with twelve modes and a filter of all its states: ten thousand cycles ask for no memory, and nothing ends in the safe state.
#[test]
fn cycles_of_the_shuttle_arm_allocate_nothing() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shuttle-slew/real-time.toml");
    let mut rehearsal = Rehearsal::new(&read(path).unwrap(), Laws::Plain).unwrap();
    rehearsal.run(50).unwrap();
    let requests = allocations(|| rehearsal.run(10_000).unwrap());
    let times = rehearsal.finish();
    assert_eq!((requests, times.lines), (0, vec![]));
    assert_eq!((times.controller.steps.count(), times.plant.steps.count()), (10_051, 10_049));
}

/// Controllers, filter and steps of the Shuttle arm as generated code: the same motion within rounding, and no memory.
#[test]
fn generated_code_moves_the_arm_as_the_engine_does() {
    if std::process::Command::new("cc").arg("--version").output().is_err() {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shuttle-slew/real-time.toml");
    let scenario = read(path).unwrap();
    let [plain, code] = [Laws::Plain, Laws::Compiled].map(|laws| {
        let mut rehearsal = Rehearsal::new(&scenario, laws).unwrap();
        rehearsal.run(50).unwrap();
        assert_eq!(allocations(|| rehearsal.run(1000).unwrap()), 0, "{laws:?}");
        let state = rehearsal.state().clone();
        assert_eq!(rehearsal.finish().lines, Vec::<String>::new(), "{laws:?}");
        state
    });
    assert_eq!(plain.time, code.time);
    let numbers = |state: &State| [state.coordinates.clone(), state.speeds.clone()];
    for (one, other) in numbers(&plain).into_iter().zip(numbers(&code)) {
        let size = one.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let off = one.iter().zip(&other).fold(0.0_f64, |off, (a, b)| off.max((a - b).abs()));
        assert!(size > 1e-4 && off < 1e-9 * size, "{off:e} of {size:e}");
    }
}

/// A plant whose steps are generated code, in lock step: the rows of one program within rounding, no ledger, and no columns that need one.
#[test]
fn a_plant_of_generated_code_moves_as_one_program_does() {
    if std::process::Command::new("cc").arg("--version").output().is_err() {
        return;
    }
    let rig = rig("code", 0.3);
    rig.change("kind = \"exponential\"", "kind = \"linearly-implicit\"");
    // Rounding must not become another count of an encoder.
    rig.change("quantum = 1e-5\n", "");
    run(rig.scenario(), &Options::into_folder(rig.0.join("one"))).unwrap();
    let (plant, controller) =
        both(&rig, "code", Pace::LockStep, Trouble { laws: Laws::Compiled, ..Trouble::default() });
    let ((results, _), controller) = (plant.unwrap(), controller.unwrap());
    assert_eq!((results.outcome(), controller.has_ended), (&Outcome::Finished, true));
    assert!(results.summary().ledger.is_none() && results.works().is_empty());
    let [one, code] =
        ["one", "code-plant"].map(|folder| read_csv(&rig.0.join(folder).join("results.csv")).unwrap().rows);
    assert_eq!((one.len(), code.len()), (31, 31));
    for column in 0..one[0].len() {
        let size = one.iter().fold(0.0_f64, |size, row| size.max(row[column].abs()));
        let off = one.iter().zip(&code).fold(0.0_f64, |off, (a, b)| off.max((a[column] - b[column]).abs()));
        // Some signals are near rounding of the 0.1 rad that hinges turn.
        assert!(off <= 1e-8 * size.max(1e-6), "column {column}: {off:e} of {size:e}");
    }
    rig.change("columns = [\"hinges\"", "columns = [\"energy\", \"hinges\"");
    let refused = Rehearsal::new(&read(rig.scenario()).unwrap(), Laws::Compiled).err().unwrap().to_string();
    assert!(refused.contains("compute no energy balance"), "{refused}");
}

/// Steps of generalized-alpha with a given number of corrections are those with as many as it takes, but for what is left out; too few are warned of.
#[test]
fn corrections_left_out_are_warned_of() {
    let rig = rig("corrections", 0.3);
    let columns = |corrections: &str| {
        rig.change("kind = \"exponential\"", &format!("kind = \"generalized-alpha\"{corrections}"));
        let results = run(rig.scenario(), &Options::default()).unwrap();
        rig.change(&format!("kind = \"generalized-alpha\"{corrections}"), "kind = \"exponential\"");
        let warned = results.summary().warnings.iter().any(|line| line.contains("corrections"));
        (results.column("hinge.shoulder").unwrap().to_vec(), warned)
    };
    let (converged, warned) = columns("");
    assert!(!warned);
    let off = |found: &[f64]| found.iter().zip(&converged).fold(0.0_f64, |off, (a, b)| off.max((a - b).abs()));
    let size = off(&vec![0.0; converged.len()]);
    for (count, is_enough) in [(1, false), (2, true), (4, true)] {
        let (found, warned) = columns(&format!("\ncorrections = {count}"));
        println!("{count}: {:e} of {size:e}, warned {warned}", off(&found));
        // Both end at what iterations leave out: 1e-12 of the speeds in each step.
        assert!(warned != is_enough && (off(&found) < 1e-9 * size) == is_enough, "{count}: {:e}", off(&found));
    }
}
