//! Motors that limit what controllers ask for, and loops that start at rest.

use super::Arm;
use std::fs;
use supple::integrate::{BlockIndex, Network};
use supple_run::{Existing, Options, Output, Results, Start, blocks_of, run};

/// A wheel of 2 kg m² on a motor.
fn wheel(motor: &str, scenario: &str) -> Arm {
    let rig = Arm::new("");
    let model = format!(
        "format = \"supple-model-1\"\ngravity = [0, 0, 0]\n[[body]]\nname = \"wheel\"\n\
         hinge = {{ name = \"axle\", kind = \"revolute\", axis = [0, 0, 1], {motor} }}\n\
         rigid = {{ mass = 1, mass_centre = [0, 0, 0], inertia = [1, 1, 2] }}\n"
    );
    fs::write(rig.0.join("model.toml"), model).unwrap();
    let scenario = format!(
        "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\noutput_interval = 0.01\n{scenario}\n\
         [results]\ncolumns = [\"hinges\", \"hinge_forces\", \"hinge_accelerations\", \"signals\"]\n"
    );
    fs::write(rig.scenario(), scenario).unwrap();
    rig
}

fn results(rig: &Arm) -> Results {
    run(rig.scenario(), &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn pid(more: &str) -> String {
    format!(
        "[[controller]]\nname = \"pid\"\nkind = \"pid\"\nupdate_rate = 100\nhinge = \"axle\"\nreference = 1\n{more}\n"
    )
}

fn told(results: &Results, part: &str) -> bool {
    results.summary().warnings.iter().any(|warning| warning.contains(part))
}

/// A P controller asks for 100 N m, a motor of 4 N m gives 4: the wheel turns by its closed form, and the run says since when and how long.
#[test]
fn controllers_are_limited_by_their_motors() {
    let rig = wheel("motor = { effort_limit = 4 }", &format!("duration = 0.5\n{}", pid("p = 100")));
    let limited = results(&rig);
    assert!(limited.column("force.axle").unwrap().iter().all(|force| *force == 4.0));
    let angle = limited.last("hinge.axle").unwrap();
    assert!((angle - 0.5 * 2.0 * 0.25).abs() < 1e-9, "{angle}");
    assert!(told(&limited, "at t = 0.000000 s hinge 'axle' requires 100.0000 N m and is limited"), "{limited:?}");
    let total = "was at its effort_limit of 4 N m for 0.5000 s in all, first at t = 0.000000 s; up to 100.0000 N m";
    assert!(told(&limited, total), "{:?}", limited.summary().warnings);
    let story = limited.summary().story.as_ref().unwrap();
    let (motor, axle) = (&story.motors[0], &story.tracking[0]);
    assert_eq!((motor.peak, motor.rms, motor.limit), (4.0, 4.0, Some(4.0)));
    assert!((motor.seconds_beyond - 0.5).abs() < 1e-9 && axle.greatest == 1.0 && (axle.at_end - 0.75).abs() < 1e-9);
    let answers = limited.summary().answers();
    assert!(answers.iter().any(|answer| answer.headline == "At the limit for 0.5 s"), "{answers:?}");

    // A study may switch limits off; it is told what they would have been.
    let rig =
        wheel("motor = { effort_limit = 4 }", &format!("effort_limits = false\nduration = 0.5\n{}", pid("p = 100")));
    let free = results(&rig);
    assert_eq!(free.column("force.axle").unwrap()[0], 100.0);
    assert!(told(&free, "`effort_limits = false`"), "{:?}", free.summary().warnings);
    assert!(!told(&free, "in all"), "{:?}", free.summary().warnings);
}

/// What a controller, another one and a torque ask for together is limited, not each alone.
#[test]
fn the_sum_of_efforts_is_limited() {
    let second = pid("p = 3").replace("\"pid\"\nkind", "\"other\"\nkind");
    let torque = "[[torque]]\nhinge = \"axle\"\nconstant = 2\n";
    let scenario = format!("duration = 0.02\n{}{second}{torque}", pid("p = 3"));
    let together = results(&wheel("motor = { effort_limit = 5 }", &scenario));
    assert_eq!(together.column("force.axle").unwrap()[0], 5.0);
    assert!(told(&together, "requires 8.0000 N m"), "{:?}", together.summary().warnings);
}

/// The integral does not grow while the motor is at its limit, whichever the rule; without one the wheel overshoots far.
#[test]
fn motors_at_their_limit_do_not_wind_integrals_up() {
    let overshoot = |rule: &str| {
        let scenario = format!("duration = 12\n{}", pid(&format!("p = 20\ni = 10\nd = 20\n{rule}")));
        let angles = results(&wheel("motor = { effort_limit = 1 }", &scenario)).column("hinge.axle").unwrap().to_vec();
        angles.into_iter().fold(0.0, f64::max) - 1.0
    };
    let [conditional, back, none] = ["", "antiwindup = \"back-calculation\"", "antiwindup = \"none\""].map(overshoot);
    assert!(none > 0.3 && conditional < 0.3 * none && back < 0.3 * none, "{conditional} {back} {none}");
}

/// Blocks in a program without the plant keep the limit of their motor themselves, and begin as the run does: here with an integral that holds 2 N m.
#[test]
fn blocks_alone_keep_limits_and_begin_at_rest() {
    let first = |motor: &str, scenario: &str| {
        let rig = wheel(motor, scenario);
        let scenario = supple_run::read(rig.scenario()).unwrap();
        let start = Start::of(&scenario).unwrap();
        let blocks = blocks_of(&scenario, &start).unwrap();
        let mut network = Network::new(blocks, &scenario.model.model, 0.0).unwrap();
        network.run(&start.state, &[0.0]).unwrap();
        network.outputs(BlockIndex(0)).unwrap()[0]
    };
    assert_eq!(first("motor = { effort_limit = 4 }", &format!("duration = 1\n{}", pid("p = 100"))), 4.0);
    assert_eq!(first("motor = { effort_limit = 4 }", &format!("duration = 1\n{}", pid("p = 100\nu_clamp = 3"))), 3.0);
    let torque = "[[torque]]\nhinge = \"axle\"\nconstant = 2\n";
    let held = format!("start = \"equilibrium\"\nduration = 1\n{}{torque}", pid("p = 100\ni = 50"));
    let effort = first("damping = 1", &held);
    assert!((effort + 2.0).abs() < 1e-9, "{effort}");
}

/// A run that is limited and interrupted tells the same as one that was left alone.
#[test]
fn the_time_at_the_limit_goes_on_from_a_checkpoint() {
    let scenario = format!("duration = 0.5\ncheckpoint_interval = 0.1\n{}", pid("p = 100\nd = 10"));
    let rig = wheel("motor = { effort_limit = 4 }", &scenario);
    let into = Options { output: Output::Scenario, ..Options::default() };
    let whole = run(rig.scenario(), &into).unwrap().summary().warnings.clone();
    fs::remove_dir_all(rig.0.join("results")).unwrap();
    let read = supple_run::read(rig.scenario()).unwrap();
    let mut cut = supple_run::Run::new(&read, &rig.scenario(), &into).unwrap();
    let mut witness = super::Witness::default();
    for _ in 0..24 {
        assert!(cut.advance(&mut witness));
    }
    cut.finish(&mut witness);
    // How long a run may compute is not what it computes.
    let told = fs::read_to_string(rig.scenario()).unwrap();
    fs::write(rig.scenario(), told + "[integrator]\nwall_seconds = 1000\n").unwrap();
    let resumed = run(rig.scenario(), &Options { existing: Existing::Resume, ..into }).unwrap();
    let last = |warnings: &[String]| warnings.iter().rfind(|text| text.contains("in all")).cloned().unwrap();
    assert_eq!(last(&whole), last(&resumed.summary().warnings));
}

/// Two flexible links that stand out from a wall under gravity, with a mass at the end.
fn vertical(scenario: &str) -> Arm {
    let rig = Arm::new("");
    let link = |name: &str, parent: &str, hinge: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\n{parent}hinge = {{ name = \"{hinge}\", kind = \"revolute\", axis = [0, 0, 1], rotor_inertia = 0.05, damping = 0.1 }}\n\
             [body.beam]\nlength = 0.5\nsection = {{ rectangle = {{ width = 0.006, height = 0.04 }} }}\n\
             material = {{ E = 7.1e10, nu = 0.33, density = 2710 }}\ndamping_ratio = 0.01\nmodes = {{ bending_y = 2 }}\n"
        )
    };
    let model = format!(
        "format = \"supple-model-1\"\ngravity = [0, -9.81, 0]\n{}{}[[body]]\nname = \"load\"\nparent = \"lower\"\nat = \"tip\"\n\
         hinge = {{ kind = \"fixed\" }}\nrigid = {{ mass = 0.2, mass_centre = [0, 0, 0], inertia = [1e-5, 1e-5, 1e-5] }}\n",
        link("upper", "", "shoulder"),
        link("lower", "parent = \"upper\"\nat = \"tip\"\n", "elbow")
    );
    fs::write(rig.0.join("model.toml"), model).unwrap();
    let scenario = format!(
        "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 0.5\noutput_interval = 0.01\nstart = \"equilibrium\"\n{scenario}\n\
         [results]\ncolumns = [\"hinges\", \"modes\", \"hinge_speeds\", \"hinge_accelerations\", \"mode_accelerations\", \"signals\"]\n"
    );
    fs::write(rig.scenario(), scenario).unwrap();
    rig
}

/// A PID, or what is told instead, on both hinges, with references 0.3 and -0.5.
fn both(more: &str) -> String {
    [("shoulder", 0.3), ("elbow", -0.5)]
        .map(|(hinge, reference)| {
            format!(
                "[[controller]]\nname = \"{hinge} pid\"\nkind = \"pid\"\nupdate_rate = 500\nhinge = \"{hinge}\"\nreference = {reference:?}\n{more}\n"
            )
        })
        .concat()
}

/// The largest acceleration at the start, and the farthest that a hinge or mode goes from there.
fn unrest(results: &Results) -> (f64, f64) {
    let (mut start, mut away) = (0.0_f64, 0.0_f64);
    for column in results.table().columns() {
        let Some(values) = results.column(&column.name).ok() else { continue };
        if column.name.starts_with("acceleration.") || column.name.starts_with("mode_acceleration.") {
            start = start.max(values[0].abs());
        } else if column.name.starts_with("hinge.") || column.name.starts_with("mode.") {
            away = values.iter().fold(away, |away, x| away.max((x - values[0]).abs()));
        }
    }
    (start, away)
}

/// An arm that PIDs hold starts at their references, sagged, and stays there: their integrals start as what holds it.
#[test]
fn an_arm_held_by_pids_starts_at_rest_and_stays() {
    let held = results(&vertical(&both("p = 300\ni = 200\nd = 5")));
    let (start, away) = unrest(&held);
    assert!(start < 1e-9 && away < 1e-10, "{start:e} {away:e}");
    assert!((held.column("hinge.shoulder").unwrap()[0] - 0.3).abs() < 1e-13);
    assert!((held.column("hinge.elbow").unwrap()[0] + 0.5).abs() < 1e-13);
    assert!(held.column("mode.upper.1").unwrap()[0].abs() > 1e-4);
    assert!(!told(&held, "hold") && !told(&held, "limit"), "{:?}", held.summary().warnings);
}

/// Without an integral it starts where the springs of the gains balance gravity.
#[test]
fn an_arm_held_by_pds_starts_where_they_balance_gravity() {
    let held = results(&vertical(&both("p = 300\nd = 5")));
    let (start, away) = unrest(&held);
    assert!(start < 1e-9 && away < 1e-10, "{start:e} {away:e}");
    for (hinge, reference) in [("shoulder", 0.3), ("elbow", -0.5)] {
        let [at, effort] = [format!("hinge.{hinge}"), format!("controller.{hinge} pid.effort")]
            .map(|column| held.column(&column).unwrap()[0]);
        assert!(effort > 0.5 && (300.0 * (reference - at) - effort).abs() < 1e-9, "{hinge}: {at} {effort}");
    }
}

/// Sensors, filters, delays and servos in the loop have been at rest, too; a hinge without a controller hangs.
#[test]
fn loops_with_delays_and_servos_start_at_rest() {
    let late = "[[sensor]]\nname = \"encoder\"\nupdate_rate = 500\nlatency = 3e-3\nquantity = \"hinge.shoulder\"\n\
                [[controller]]\nname = \"smooth\"\nkind = \"low-pass\"\nupdate_rate = 500\nfrequency = 100\ninput = \"encoder\"\n\
                [[controller]]\nname = \"pid\"\nkind = \"pid\"\nupdate_rate = 500\nmeasured = \"smooth\"\nmeasured_speed = \"speed.shoulder\"\n\
                reference = 0.2\np = 100\nd = 5\nslew = 50\n\
                [[controller]]\nname = \"drive\"\nkind = \"servo\"\nupdate_rate = 500\nhinge = \"shoulder\"\ninput = \"pid\"\ncurrent_rate = 20\ndelay = 1e-3\n";
    let held = results(&vertical(late));
    let (start, away) = unrest(&held);
    assert!(start < 1e-9 && away < 1e-9, "{start:e} {away:e}");
    let elbow = held.column("hinge.elbow").unwrap()[0] + held.column("hinge.shoulder").unwrap()[0];
    assert!((elbow + std::f64::consts::FRAC_PI_2).abs() < 0.1, "the lower link hangs: {elbow}");
}

/// A regulator holds the arm at its reference.
#[test]
fn an_arm_held_by_a_regulator_starts_at_rest() {
    let lqr = "[[controller]]\nname = \"lqr\"\nkind = \"lqr\"\nupdate_rate = 500\nhinges = [\"shoulder\", \"elbow\"]\nreference = [0.3, -0.5]\nq = 10\nr = 0.1\n";
    let held = results(&vertical(lqr));
    let (start, away) = unrest(&held);
    assert!(start < 1e-9 && away < 1e-10, "{start:e} {away:e}");
    assert_eq!(held.column("hinge.shoulder").unwrap()[0], 0.3);
}

/// A motor that is too weak to hold the arm is told at the start.
#[test]
fn an_arm_too_heavy_for_its_motor_is_told() {
    let rig = vertical(&both("p = 300\ni = 200\nd = 5"));
    let model = fs::read_to_string(rig.0.join("model.toml")).unwrap();
    fs::write(
        rig.0.join("model.toml"),
        model.replacen("damping = 0.1", "damping = 0.1, motor = { effort_limit = 0.5 }", 1),
    )
    .unwrap();
    let weak = results(&rig);
    assert!(told(&weak, "hinge 'shoulder' needs") && told(&weak, "more than its effort_limit of 0.5 N m"), "{weak:?}");
}

/// A loop that is sampled too slowly for its gains is told as what it is, whether the run ends or not.
#[test]
fn an_unstable_sampled_loop_is_told() {
    let unstable = results(&wheel("damping = 0", &format!("duration = 1\n{}", pid("p = 100\nd = 1000"))));
    assert!(told(&unstable, "controller `pid` alternates at every sample"), "{:?}", unstable.summary().warnings);
    assert!(told(&unstable, "unstable at `update_rate` 100 Hz"), "{:?}", unstable.summary().warnings);

    let rig = wheel("damping = 0", &format!("duration = 100\n{}", pid("p = 100\nd = 1000")));
    let error = run(rig.scenario(), &Options::default()).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("the likely cause: the effort of controller `pid`"), "{error}");
    // A sound loop is not.
    let sound = results(&wheel("damping = 0", &format!("duration = 1\n{}", pid("p = 100\nd = 20"))));
    assert!(sound.summary().warnings.is_empty(), "{:?}", sound.summary().warnings);
}

/// What is accepted and can have no effect is told, or refused in the file.
#[test]
fn blocks_without_effect_are_told() {
    let idle = "[[controller]]\nname = \"way\"\nkind = \"trajectory\"\nupdate_rate = 100\nhinge = \"axle\"\nquintic = { to = 1, duration = 1 }\n";
    let rig = wheel("damping = 0", &format!("duration = 0.1\n{}{idle}", pid("u_clamp = 3")));
    let warnings = results(&rig).summary().warnings.clone();
    let says = |part: &str| warnings.iter().any(|warning| warning.contains(part));
    assert!(says("nothing uses the controller `way`"), "{warnings:?}");
    assert!(says("the gains of the pid `pid` are all 0"), "{warnings:?}");
    let refused = |scenario: &str| {
        let rig = wheel("damping = 0", scenario);
        run(rig.scenario(), &Options::default()).map(|_| ()).unwrap_err().to_string()
    };
    let motion = "[[motion]]\nhinge = \"axle\"\nquintic = { to = 1, duration = 1 }\n";
    let error = refused(&format!("duration = 1\n{}{motion}", pid("p = 100")));
    assert!(error.contains("hinge `axle` has a prescribed motion, so the pid has no effect"), "{error}");
    assert!(error.contains("scenario.toml:9"), "{error}");
    let lqr = "[[controller]]\nname = \"lqr\"\nkind = \"lqr\"\nupdate_rate = 100\nhinges = [\"axle\"]\n";
    let error = refused(&format!("duration = 1\n{lqr}{motion}"));
    assert!(error.contains("scenario.toml:9") && error.contains("prescribed motion"), "{error}");
    let error = refused(&format!("duration = 1\n{}", pid("p = 100").replace("= 100\nh", "= 1e9\nh")));
    assert!(error.contains("1.000e9 calls in 1 s") && error.contains("update_rate"), "{error}");
}

/// Values in a wrong unit are told with what would be right, also by a run.
#[test]
fn a_run_tells_what_unit_is_meant() {
    let rig = vertical(&both("p = 300\nd = 5"));
    let model = fs::read_to_string(rig.0.join("model.toml")).unwrap();
    fs::write(rig.0.join("model.toml"), model.replace("density = 2710", "density = 2.71")).unwrap();
    let warnings = results(&rig).summary().warnings.clone();
    assert!(warnings.iter().any(|warning| warning.contains("is it in kg/m^3?")), "{warnings:?}");
    fs::write(rig.0.join("model.toml"), model.replace("E = 7.1e10", "E = 71")).unwrap();
    let scenario = fs::read_to_string(rig.scenario()).unwrap();
    let brief = scenario.replace("start = \"equilibrium\"\n", "").replace("duration = 0.5", "duration = 0.01");
    fs::write(rig.scenario(), brief).unwrap();
    let warnings = results(&rig).summary().warnings.clone();
    assert!(
        warnings.iter().any(|warning| warning.contains("71.0 Pa") && warning.contains("is it in Pa?")),
        "{warnings:?}"
    );
}

/// The forces that prescribed motions need are stored by one run; read from its results they move the free hinges of another one in the same way, and the
/// flexible boom with them.
#[test]
fn forces_stored_by_a_run_move_a_later_one() {
    let rig = Arm::new("");
    let scenario = |drive: &str| {
        let text = format!(
            "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 0.5\noutput_interval = 0.0002\n{drive}\n\
             [integrator]\nkind = \"prince-dormand8\"\nrelative_tolerance = 1e-9\nabsolute_tolerance = 1e-11\n\
             [results]\ncolumns = [\"hinges\", \"hinge_speeds\", \"hinge_forces\", \"modes\"]\n"
        );
        fs::write(rig.scenario(), text).unwrap();
        run(rig.scenario(), &Options::into_folder(rig.0.join("out"))).unwrap_or_else(|error| panic!("{error}"))
    };
    let motion =
        |hinge: &str, to: f64| format!("[[motion]]\nhinge = \"{hinge}\"\ncycloid = {{ to = {to}, duration = 0.4 }}\n");
    let planned = scenario(&[motion("shoulder", 0.5), motion("elbow", -0.8)].concat());
    fs::rename(rig.0.join("out/results.csv"), rig.0.join("stored.csv")).unwrap();
    fs::remove_dir_all(rig.0.join("out")).unwrap();
    let torque = |hinge: &str| {
        let value = format!("force.{hinge}[N m]");
        format!(
            "[[torque]]\nhinge = \"{hinge}\"\ncsv = {{ file = \"stored.csv\", time = \"time[s]\", value = \"{value}\" }}\n"
        )
    };
    let replayed = scenario(&["shoulder", "elbow"].map(torque).concat());
    for (name, most) in [("hinge.shoulder", 1e-4), ("hinge.elbow", 1e-4), ("mode.boom.1", 1e-4)] {
        let pairs = planned.column(name).unwrap().iter().zip(replayed.column(name).unwrap());
        let (size, apart) =
            pairs.fold((0.0_f64, 0.0_f64), |(size, apart), (a, b)| (size.max(a.abs()), apart.max((a - b).abs())));
        assert!(size > 1e-3 && apart < most * size, "{name}: {apart:e} of {size:e}");
    }
}
