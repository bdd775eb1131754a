//! Damping ratios in runs: what rings down is what was asked for, and what is not so is warned of.

use super::Arm;
use std::f64::consts::TAU;
use std::fs;
use supple::{Inputs, State};
use supple_io::model_file;
use supple_io::results::{DampingSummary, ModeSummary};
use supple_linear::{free, system_modes};
use supple_run::{Options, run};

/// Two strips of 1 m, 6.3 N m², 0.324 kg/m, with 0.5 kg at the end.
fn model(damping: &str, in_beam: &str) -> String {
    let link = |name: &str, parent: &str, hinge: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\n{parent}\nhinge = {{ name = \"{hinge}\", kind = \"revolute\", axis = [0, 0, 1] }}\n[body.beam]\n\
             length = 1.0\nsection = {{ rectangle = {{ width = 0.003, height = 0.04 }} }}\n\
             material = {{ E = 7e10, nu = 0.33, density = 2700 }}\nmodes = {{ bending_y = 1 }}\n{in_beam}\n"
        )
    };
    format!(
        "format = \"supple-model-1\"\n{damping}\n{}{}[[body]]\nname = \"load\"\nparent = \"lower\"\nat = \"tip\"\n\
         hinge = {{ kind = \"fixed\" }}\nrigid = {{ mass = 0.5 }}\n",
        link("upper", "", "shoulder"),
        link("lower", "parent = \"upper\"\nat = \"tip\"", "elbow")
    )
}

/// Periods that a run lasts.
const PERIODS: f64 = 4.0;

/// The ratio by which a mode rings down that a run starts in, held or free, by the energies at its first and last row: all of it is lost to
/// damping, `E = E₀ exp(-2 ζ ω t)` over whole periods.
fn rings_down(model: &str, mode: usize, hinges: &[&str]) -> (f64, f64) {
    let file = model_file::from_text("arm.toml", model, None).unwrap_or_else(|error| panic!("{error}"));
    let mut inputs = Inputs::new(&file.model);
    free(&file.model, &mut inputs, hinges).unwrap();
    let found = system_modes(&file.model, &State::new(&file.model), &inputs).unwrap();
    let vibration = found.modes.iter().filter(|found| found.eigenvalue.im > 1e-6).nth(mode).unwrap();
    let (value, told) = (vibration.eigenvalue, vibration.damping_ratio);
    let omega = value.im;
    // Small: the deflection is linear. It moves as `Re (x exp λt)`.
    let at = |k: usize| vibration.shape[k].re * 1e-3;
    let speed = |k: usize| (value.re * vibration.shape[k].re - value.im * vibration.shape[k].im) * 1e-3;
    let of_body = |body: usize, what: &dyn Fn(usize) -> f64| -> String {
        let range = file.model.modal_speeds(supple::BodyIndex(body));
        format!("{:?}", range.map(what).collect::<Vec<f64>>())
    };
    let of_hinge = |name: &str, what: &dyn Fn(usize) -> f64| what(file.model.hinge(name).unwrap().speeds().start);
    let locked: Vec<&str> = ["shoulder", "elbow"].into_iter().filter(|name| !hinges.contains(name)).collect();
    let period = TAU / omega;
    let duration = PERIODS * period;
    let scenario = format!(
        "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = {duration}\noutput_interval = {duration}\n[initial]\nlocked = {locked:?}\n\
         hinges = {{ shoulder = {}, elbow = {} }}\nmodes = {{ upper = {}, lower = {} }}\n\
         hinge_speeds = {{ shoulder = {}, elbow = {} }}\nmode_speeds = {{ upper = {}, lower = {} }}\n\
         [results]\ncolumns = [\"energy\", \"modes\"]\n",
        of_hinge("shoulder", &at),
        of_hinge("elbow", &at),
        of_body(0, &at),
        of_body(1, &at),
        of_hinge("shoulder", &speed),
        of_hinge("elbow", &speed),
        of_body(0, &speed),
        of_body(1, &speed),
    );
    let arm = Arm::new("");
    fs::write(arm.0.join("model.toml"), model).unwrap();
    fs::write(arm.scenario(), scenario).unwrap();
    let results = run(arm.scenario(), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let column = |name: &str| results.column(name).unwrap();
    let energy = column("energy.total");
    let [first, last] = [energy[0], energy[energy.len() - 1]];
    let dissipated = column("dissipated.modes");
    let balance = (dissipated[dissipated.len() - 1] / (first - last) - 1.0).abs();
    assert!(balance < 1e-4, "the ledger misses {balance} of what is lost");
    assert_stated(&results.summary().damping, hinges, (vibration.frequency, told));
    let lost = (first / last).ln();
    let decay = lost / (2.0 * duration);
    (decay / decay.hypot(omega), told)
}

/// The summary of the run, and so the text of `check`, states frequency and ratio of the mode.
fn assert_stated(cases: &[DampingSummary], hinges: &[&str], (frequency, ratio): (f64, f64)) {
    let title = if hinges.is_empty() { "all hinges locked" } else { "all hinges free" };
    let case = cases.iter().find(|case| case.hinges == title).unwrap_or_else(|| panic!("no case of {title}"));
    let has = |mode: &&ModeSummary| (mode.frequency / frequency - 1.0).abs() < 1e-6;
    let stated = case.modes.iter().find(has).unwrap_or_else(|| panic!("{frequency} Hz is not stated: {case}"));
    assert!((stated.damping_ratio - ratio).abs() < 1e-6, "{ratio}, not as in: {case}");
    assert!(case.to_string().contains(&format!("{ratio:.4} at {frequency:.4} Hz")), "{case}");
}

/// The held arm has the ratio in its first two modes.
#[test]
fn held_links_ring_down_as_asked() {
    let model = model("damping = { ratio = 0.01 }", "");
    for mode in 0..2 {
        let (ratio, _) = rings_down(&model, mode, &[]);
        assert!((ratio - 0.01).abs() < 3e-4, "mode {mode}: {ratio}");
    }
}

/// With free hinges the ratio is another one, which is known beforehand.
#[test]
fn free_links_ring_down_as_told() {
    let model = model("damping = { ratio = 0.01 }", "");
    for mode in 0..2 {
        let (ratio, told) = rings_down(&model, mode, &["shoulder", "elbow"]);
        assert!((ratio / told - 1.0).abs() < 0.03, "mode {mode}: {ratio} {told}");
    }
}

/// A loss factor of the material is twice the ratio of every mode, however hinges are held.
#[test]
fn a_loss_factor_holds_however_hinges_are_held() {
    let model = model("damping = { loss_factor = 0.02 }", "");
    for hinges in [&[][..], &["shoulder", "elbow"]] {
        for mode in 0..2 {
            let (ratio, told) = rings_down(&model, mode, hinges);
            println!("loss factor, {hinges:?}, mode {mode}: {ratio:.5}, stated {told:.5}");
            assert!((ratio - 0.01).abs() < 3e-4, "{hinges:?}, mode {mode}: {ratio}");
            assert!((ratio / told - 1.0).abs() < 0.03, "{hinges:?}, mode {mode}: {ratio} {told}");
        }
    }
}

/// Measured ratios of the modes one by one.
#[test]
fn measured_ratios_ring_down_one_by_one() {
    let model = model("damping = { ratio = [0.02, 0.005], up_to_hz = 5 }", "");
    for (mode, asked) in [(0, 0.02), (1, 0.005)] {
        let (ratio, _) = rings_down(&model, mode, &[]);
        println!("measured, mode {mode}: {ratio:.5}");
        assert!((ratio / asked - 1.0).abs() < 0.03, "mode {mode}: {ratio}");
    }
}

/// A pose that does not stay is called so, with the time in which what moves doubles, and no ratio is negative. A pendulum of length L with a point mass
/// falls from its upper rest as `exp(t √(g/L))`.
#[test]
fn what_grows_has_no_damping_ratio() {
    let model = "format = \"supple-model-1\"\ngravity = [9.81, 0, 0]\ndamping = { ratio = 0.01 }\n[[body]]\nname = \"rod\"\n\
                 hinge = { name = \"pivot\", kind = \"revolute\", axis = [0, 0, 1], position = [0, 0, 0] }\n[body.beam]\nlength = 2.0\n\
                 direction = [-1, 0, 0]\nsection = { tube = { outer_radius = 0.02, thickness = 0.002 } }\n\
                 material = { E = 7e12, nu = 0.33, density = 5 }\nmodes = { bending_y = 1 }\n[[body]]\nname = \"bob\"\nparent = \"rod\"\n\
                 at = \"tip\"\nhinge = { kind = \"fixed\" }\nrigid = { mass = 5 }\n";
    let arm = Arm::new("");
    let scenario = "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 0.01\noutput_interval = 0.01\n";
    fs::write(arm.0.join("model.toml"), model).unwrap();
    fs::write(arm.scenario(), scenario).unwrap();
    let results = run(arm.scenario(), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let free = results.summary().damping.iter().find(|case| case.hinges == "all hinges free").unwrap();
    assert_eq!(free.growing.len(), 1, "{free}");
    let expected = std::f64::consts::LN_2 / (9.81_f64 / 2.0).sqrt();
    assert!((free.growing[0].doubling_time / expected - 1.0).abs() < 5e-3, "{free}, not {expected}");
    assert!(free.modes.iter().all(|mode| mode.damping_ratio > 0.0), "{free}");
    assert!(free.to_string().contains("unstable there: it diverges with a time constant of 0.45"), "{free}");
    assert!(!results.summary().warnings.join("\n").contains("-0."), "{:?}", results.summary().warnings);
}

/// A hinge that nothing resists has no ratio, and pendulums are no vibrations: neither is warned of.
#[test]
fn motions_of_rigid_bodies_have_no_ratio() {
    let scenario =
        "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 0.001\noutput_interval = 0.001\n";
    let case = |gravity: &str| {
        let arm = Arm::new("");
        fs::write(arm.scenario(), scenario).unwrap();
        let text = model("damping = { ratio = 0.01, free = [\"all\"] }", "");
        fs::write(arm.0.join("model.toml"), text.replacen("\n", &format!("\ngravity = {gravity}\n"), 1)).unwrap();
        let results = run(arm.scenario(), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(results.summary().warnings, [""; 0]);
        results.summary().damping.iter().find(|case| case.hinges == "all hinges free").unwrap().clone()
    };
    let turning = case("[0, 0, 0]");
    assert_eq!((turning.rigid, turning.growing.len()), (2, 0), "{turning}");
    assert!(turning.modes.iter().all(|mode| mode.is_vibration()), "{turning}");
    assert!(turning.to_string().contains("2 rigid-body motions that nothing resists"), "{turning}");
    // Hanging along gravity.
    let hanging = case("[9.81, 0, 0]");
    let swings = hanging.modes.iter().filter(|mode| !mode.is_vibration()).count();
    assert!(hanging.rigid == 0 && hanging.growing.is_empty() && swings >= 1, "{hanging}");
    assert!(hanging.to_string().contains("of swinging with links nearly rigid: 0.0"), "{hanging}");
}

/// A link that a controller holds: "as driven" has what the controller does, as it is sampled. With `J` of the link about its hinge, and a link that is almost rigid, `p` and `d` make an
/// oscillator of `ω² = p/J`, `2 ζ ω = d/J`, to which a delay of half a period `T` adds `-ω T/4` of the ratio, and the held force as much phase.
#[test]
fn controllers_are_part_of_what_is_driven() {
    let (mass, length, p, d, period) = (3.0_f64, 1.0_f64, 40.0_f64, 4.0_f64, 1e-3_f64);
    let model = format!(
        "format = \"supple-model-1\"\ndamping = {{ ratio = 0.01, free = [\"all\"] }}\n[[body]]\nname = \"rod\"\n\
         hinge = {{ name = \"pivot\", kind = \"revolute\", axis = [0, 0, 1] }}\n[body.beam]\nlength = {length}\n\
         section = {{ tube = {{ outer_radius = 0.03, thickness = 0.002 }} }}\nmaterial = {{ E = 4e12, nu = 0.33, density = 8000 }}\n\
         modes = {{ bending_y = 1 }}\n[[body]]\nname = \"bob\"\nparent = \"rod\"\nat = \"tip\"\nhinge = {{ kind = \"fixed\" }}\n\
         rigid = {{ mass = {mass} }}\n"
    );
    let controller = |more: &str| {
        format!(
            "[[controller]]\nname = \"hold\"\nkind = \"pid\"\nhinge = \"pivot\"\nupdate_rate = 1000\np = {p}\nd = {d}\n{more}"
        )
    };
    let case = |rest: &str| {
        let arm = Arm::new("");
        let scenario = format!(
            "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 0.002\noutput_interval = 0.001\n{rest}"
        );
        fs::write(arm.0.join("model.toml"), &model).unwrap();
        fs::write(arm.scenario(), scenario).unwrap();
        let results = run(arm.scenario(), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
        results.summary().damping.last().unwrap().clone()
    };
    let held = case(&controller(""));
    assert_eq!(held.hinges, "as driven and controlled at the start");
    let per_length = 8000.0 * std::f64::consts::PI * (0.03_f64.powi(2) - 0.028_f64.powi(2));
    let inertia = (mass + per_length * length / 3.0) * length * length;
    let omega = (p / inertia).sqrt();
    // The force of an instant is held: on average it is half a period old.
    let expected = d / inertia / (2.0 * omega) - omega * period / 4.0;
    let found = held.modes.iter().find(|mode| !mode.is_vibration()).unwrap_or_else(|| panic!("{held}"));
    assert!((found.frequency / (omega / TAU) - 1.0).abs() < 0.01, "{held}");
    assert!((found.damping_ratio / expected - 1.0).abs() < 0.01, "{held}, not {expected}");
    // The link still bends as fast as without, faster than half the rate of sampling: with its hinge nearly free.
    let bends = held.modes.iter().find(|mode| mode.is_vibration()).unwrap_or_else(|| panic!("{held}"));
    let alone = case("");
    let free = alone.modes.iter().find(|mode| mode.is_vibration()).unwrap();
    assert!(free.frequency > 0.5 / period, "{}", free.frequency);
    assert!((bends.frequency / free.frequency - 1.0).abs() < 0.02, "{held}, {alone}");
    assert_eq!((alone.hinges.as_str(), alone.rigid), ("as driven at the start", 1));
    // A delay that is too long makes it unstable, at about the frequency at which the loop has no phase left.
    let late = case(&controller("delay = 0.2\n").replace("1000", "100"));
    assert!(late.growing.first().is_some_and(|growth| growth.frequency > 0.1), "{late}");
    // Too many outputs on their way are not computed, and that is said.
    let much = case(&controller("delay = 0.4\n"));
    assert!(much.modes.is_empty() && much.to_string().contains("not computed, the blocks remember"), "{much}");
    // A sensor with steps is taken without them.
    let sensed = "[[sensor]]\nname = \"encoder\"\nquantity = \"hinge.pivot\"\nupdate_rate = 1000\nquantum = 1e-3\nnoise = 1e-3\n";
    let coarse = case(&format!("{sensed}{}", controller("measured = \"encoder\"\n")));
    let same = coarse.modes.iter().find(|mode| !mode.is_vibration()).unwrap_or_else(|| panic!("{coarse}"));
    assert!((same.damping_ratio / found.damping_ratio - 1.0).abs() < 1e-3, "{coarse}");
}

/// A hinge with a prescribed motion is locked.
#[test]
fn prescribed_hinges_are_locked_as_driven() {
    let arm = Arm::new("");
    let scenario = "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 0.001\noutput_interval = 0.001\n\
                    [[motion]]\nhinge = \"shoulder\"\nquintic = { to = 1, start = 5, duration = 8 }\n\
                    [[motion]]\nhinge = \"elbow\"\nquintic = { to = 1, start = 5, duration = 8 }\n";
    fs::write(arm.0.join("model.toml"), model("damping = { ratio = 0.01 }", "")).unwrap();
    fs::write(arm.scenario(), scenario).unwrap();
    let results = run(arm.scenario(), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let [locked, _, driven] = &results.summary().damping[..] else { panic!("{:?}", results.summary().damping) };
    assert_eq!(driven.hinges, "as driven at the start");
    for (a, b) in locked.modes.iter().zip(&driven.modes) {
        assert!((a.frequency / b.frequency - 1.0).abs() < 1e-9 && (a.damping_ratio - b.damping_ratio).abs() < 1e-9);
    }
    assert_eq!((locked.modes.len(), driven.rigid), (driven.modes.len(), 0));
}

/// A start in modal coordinates needs no numbers for what relaxes: it has come to rest, so that nothing moves that is held where it is.
#[test]
fn what_relaxes_starts_at_rest() {
    let (lossy, plain) = (model("damping = { loss_factor = 0.02 }", ""), model("", ""));
    let energies = |modes: &str| {
        let arm = Arm::new("");
        let scenario = format!(
            "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 0.001\noutput_interval = 0.001\n[initial]\n\
             locked = [\"shoulder\", \"elbow\"]\nmodes = {{ lower = {modes} }}\n[results]\ncolumns = [\"energy\"]\n"
        );
        fs::write(arm.0.join("model.toml"), &lossy).unwrap();
        fs::write(arm.scenario(), scenario).unwrap();
        run(arm.scenario(), &Options::default()).map(|results| results.column("energy.elastic").unwrap()[0])
    };
    let [file, elastic] = [&lossy, &plain].map(|text| model_file::from_text("arm.toml", text, None).unwrap());
    let supple::ModalMatrix::Diagonal(k) = &elastic.system.bodies[1].modes.stiffness else { panic!("not diagonal") };
    let found = energies("[1e-3, 0, 0]").unwrap_or_else(|error| panic!("{error}"));
    assert!((found / (0.5e-6 * k[0]) - 1.0).abs() < 1e-9, "{found} {}", 0.5e-6 * k[0]);
    // All of them may be given as well; any other number of them may not.
    let all = file.system.bodies[1].modes.count;
    let unrelaxed =
        energies(&format!("{:?}", [vec![1e-3], vec![0.0; all - 1]].concat())).unwrap_or_else(|error| panic!("{error}"));
    assert!(unrelaxed > 1.01 * found, "{unrelaxed} {found}");
    let error = energies("[1e-3, 0]").expect_err("too few").to_string();
    assert!(error.contains('3'), "{error}");
}

/// What a body asks for itself comes out as something else, and so does what was made for other hinges.
#[test]
fn other_ratios_are_warned_of() {
    let warnings = |model: &str, initial: &str| {
        let arm = Arm::new("");
        let scenario = format!(
            "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 0.01\noutput_interval = 0.01\n[initial]\n{initial}"
        );
        fs::write(arm.0.join("model.toml"), model).unwrap();
        fs::write(arm.scenario(), scenario).unwrap();
        let results = run(arm.scenario(), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
        let told: Vec<String> = results.summary().damping.iter().map(|case| case.hinges.clone()).collect();
        assert_eq!(told, ["all hinges locked", "all hinges free", "as driven at the start"]);
        results.summary().warnings.join("\n")
    };
    let locked = "locked = [\"shoulder\", \"elbow\"]";
    let own = warnings(&model("", "damping_ratio = 0.01"), locked);
    assert!(own.contains("damping ratio of 0.0010, not 0.01") && own.contains("damping = { ratio = 0.01 }"), "{own}");
    assert_eq!(warnings(&model("damping = { ratio = 0.01 }", ""), locked), "");
    let freed = warnings(&model("damping = { ratio = 0.01 }", ""), "");
    assert!(freed.contains("as driven at the start, mode 1") && freed.contains("`free`"), "{freed}");
    assert_eq!(warnings(&model("damping = { ratio = 0.01, free = [\"all\"] }", ""), ""), "");
}
