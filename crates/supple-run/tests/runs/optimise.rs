//! Moves that are optimised, against what is known of them and against runs of finer models.

use std::fs;
use std::path::{Path, PathBuf};

use supple_io::optimisation_file::{HingeMove, Objective, Optimisation, ResidualLimit};
use supple_run::{Change, OptimiseOptions, Options, optimise, run, write_optimum};

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("optimise-{name}"));
    fs::create_dir_all(&folder).unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());
    folder
}

const WHEEL: &str = r#"
format = "supple-model-1"
[[body]]
name = "wheel"
hinge = { name = "axle", kind = "revolute", axis = [0, 0, 1] }
rigid = { mass = 1, inertia = [2, 2, 2] }
"#;

const STILL: &str = "format = \"supple-scenario-1\"\nmodel = \"wheel.toml\"\nduration = 1\noutput_interval = 0.1\n";

fn wheel(name: &str, objective: Objective, duration: f64) -> Optimisation {
    let folder = folder(name, &[("wheel.toml", WHEEL), ("still.toml", STILL)]);
    let mut problem = Optimisation::new(folder.join("still.toml"), objective, duration);
    problem.knots = 40;
    problem.moves.push(HingeMove::new("axle", 0.9));
    problem
}

/// An inertia `J` moved by `d` in `T`: the least mean square of the torque is `12 (J d / T²)²`, by a torque that falls linearly.
#[test]
fn least_effort_of_an_inertia() {
    let mut problem = wheel("effort", Objective::Effort, 1.5);
    problem.moves[0].effort = 10.0;
    let found = optimise(&problem, &OptimiseOptions::default(), &mut |_| ()).unwrap();
    let least = 12.0 * (2.0 * 0.9 / 2.25_f64).powi(2) / 100.0;
    assert!(found.feasible && found.effort > least && found.effort < 1.06 * least, "{} {least}", found.effort);
    let hinge = &found.hinges[0];
    // Half way the torque passes zero, and the speed is about 1.5 d / T: the torque of the plan starts from zero.
    assert!(hinge.efforts[20].abs() < 1e-3 && (hinge.speeds[20] - 1.5 * 0.9 / 1.5).abs() < 0.02);
    assert!((hinge.positions[40] - 0.9).abs() < 1e-9 && hinge.speeds[40].abs() < 1e-9);
}

/// With the torque limited to `τ` the least time is `2 √(J d / τ)`, full torque one way and then the other; a rate of the torque makes it longer.
#[test]
fn least_time_of_an_inertia() {
    let mut problem = wheel("time", Objective::Time, 1.5);
    problem.moves[0].effort = 4.0;
    let found = optimise(&problem, &OptimiseOptions::default(), &mut |_| ()).unwrap();
    let least = 2.0 * (2.0 * 0.9 / 4.0_f64).sqrt();
    assert!(found.feasible && found.duration > least && found.duration < 1.07 * least, "{} {least}", found.duration);
    assert!(found.hinges[0].greatest_effort <= 4.0 * 1.001);
    problem.moves[0].effort_rate = 20.0;
    let slower = optimise(&problem, &OptimiseOptions::default(), &mut |_| ()).unwrap();
    let rates = slower.hinges[0].efforts.windows(2).map(|pair| (pair[1] - pair[0]).abs() / slower.times[1]);
    assert!(slower.feasible && slower.duration > 1.05 * found.duration, "{}", slower.duration);
    assert!(rates.fold(0.0, f64::max) <= 20.0 * 1.001);
}

/// The two-link arm of the examples, optimised with two modes per link: with six the tip is as still as promised, where a smooth move of the same time leaves it
/// vibrating more than ten times as far.
#[test]
fn a_flexible_arm_comes_to_rest() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/two-link-arm");
    let model = fs::read_to_string(examples.join("arm.toml")).unwrap();
    let start = "format = \"supple-scenario-1\"\nmodel = \"arm.toml\"\nduration = 3\noutput_interval = 0.005\n\
                 [integrator]\nkind = \"exponential-adams\"\nrelative_tolerance = 1e-6\nabsolute_tolerance = 1e-8\n\
                 [results]\ncolumns = [\"hinges\", \"hinge_forces\"]\nnodes = [{ body = \"lower\", node = \"tip\" }]\n";
    let folder = folder("arm", &[("arm.toml", &model), ("start.toml", start)]);
    let mut problem = Optimisation::new(folder.join("start.toml"), Objective::Effort, 0.9);
    problem.knots = 12;
    for (hinge, to, effort) in [("shoulder", 0.8, 4.0), ("elbow", -0.6, 1.5)] {
        let mut told = HingeMove::new(hinge, to);
        told.effort = effort;
        problem.moves.push(told);
    }
    problem.residuals.push(ResidualLimit::new("lower", "tip", 2e-4));
    let modes = |count: usize| -> Vec<Change> {
        let change = |body: &str| Change::parse(&format!("model.body.{body}.beam.modes.bending_y={count}")).unwrap();
        ["upper", "lower"].map(change).to_vec()
    };
    let options = OptimiseOptions { changes: modes(2), ..OptimiseOptions::default() };
    let found = optimise(&problem, &options, &mut |_| ()).unwrap();
    assert!(found.feasible && found.residuals[0] <= 2e-4 * 1.001, "{found:?}");
    write_optimum(&found, &folder).unwrap();
    let motions = fs::read_to_string(folder.join("motions.toml")).unwrap();
    let amplitude = |name: &str, motions: &str| -> f64 {
        fs::write(folder.join(name), format!("{start}{motions}")).unwrap();
        let results = run(folder.join(name), &Options { changes: modes(6), ..Options::default() }).unwrap();
        let time = results.column("time").unwrap();
        let from = time.iter().position(|t| *t >= found.duration).unwrap();
        let tip = ["x", "y"].map(|axis| results.column(&format!("node.lower.tip.{axis}")).unwrap());
        let end = [0.5 * (0.8_f64.cos() + 0.2_f64.cos()), 0.5 * (0.8_f64.sin() + 0.2_f64.sin())];
        (from..time.len()).map(|i| (tip[0][i] - end[0]).hypot(tip[1][i] - end[1])).fold(0.0, f64::max)
    };
    let still = amplitude("optimised.toml", &motions);
    let smooth = |hinge: &str, to: f64| {
        format!("[[motion]]\nhinge = \"{hinge}\"\nquintic = {{ to = {to}, duration = {} }}\n", found.duration)
    };
    let plain = amplitude("smooth.toml", &(smooth("shoulder", 0.8) + &smooth("elbow", -0.6)));
    assert!(still < 2.5e-4 && plain > 10.0 * still, "{still:e} {plain:e}");
}

/// Mistakes are refused with a remedy; a move that cannot keep its limits says so.
#[test]
fn mistakes_have_remedies() {
    let refused = |change: &dyn Fn(&mut Optimisation)| {
        let mut problem = wheel("mistakes", Objective::Effort, 1.5);
        change(&mut problem);
        let error = optimise(&problem, &OptimiseOptions::default(), &mut |_| ()).unwrap_err();
        format!("{error} {}", error.remedy.as_deref().unwrap_or_default())
    };
    let hinge = refused(&|problem| problem.moves[0].hinge = "axel".into());
    assert!(hinge.contains("there are axle"), "{hinge}");
    let node = refused(&|problem| problem.residuals.push(ResidualLimit::new("wheel", "tip", 1e-3)));
    assert!(node.contains("there is no node `tip`"), "{node}");
    let twice = refused(&|problem| problem.moves.push(HingeMove::new("axle", 1.0)));
    assert!(twice.contains("moves or is driven already"), "{twice}");
    let mut weak = wheel("weak", Objective::Effort, 1.5);
    weak.moves[0].effort = 0.5;
    let found = optimise(&weak, &OptimiseOptions::default(), &mut |_| ()).unwrap();
    assert!(!found.feasible && found.violation > 0.5, "{found:?}");
}
