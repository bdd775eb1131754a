//! Adams and BDF through `supple run`.

use crate::run_support::{Folder, run, runs};
use supple_io::results::read_csv;

/// A beam on a driven hinge beside one on a spring and a damper, with everything recorded.
fn beams(integrator: &str) -> Folder {
    let folder = Folder::new();
    let model = "format = \"supple-model-1\"\ngravity = [0, -9.81, 0]\n[[body]]\nname = \"first\"\n\
                 hinge = { name = \"shoulder\", kind = \"revolute\", axis = [0, 0, 1] }\n[body.beam]\nlength = 2\n\
                 section = { tube = { outer_radius = 0.05, thickness = 0.005 } }\n\
                 material = { E = 7e10, nu = 0.33, density = 2700 }\nmodes = { basis = \"cantilever\", bending_y = 2 }\nfidelity = \"exact\"\n\
                 [[body]]\nname = \"second\"\nparent = \"first\"\nat = \"tip\"\n\
                 hinge = { name = \"elbow\", kind = \"revolute\", axis = [0, 0, 1], spring = { stiffness = 90 }, damping = 4 }\n\
                 rigid = { mass = 3, mass_centre = [0.5, 0, 0], inertia = [0.1, 0.4, 0.4] }\n";
    let scenario = format!(
        "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 1.5\noutput_interval = 0.1\n\
         [integrator]\n{integrator}\n\
         [[motion]]\nhinge = \"shoulder\"\ncycloid = {{ to = 1, start = 0.2, duration = 1 }}\n\
         [[torque]]\nhinge = \"elbow\"\nsteps = {{ times = [0.33, 0.77], values = [20, -5] }}\n\
         [results]\ncolumns = [\"hinges\", \"hinge_speeds\", \"hinge_accelerations\", \"hinge_forces\", \"modes\", \"energy\"]\n"
    );
    folder.write("model.toml", model).write("scenario.toml", scenario);
    folder
}

/// The same rows as those of a scheme of one step, accelerations, forces and works included.
#[test]
fn the_same_motion_as_by_one_step() {
    let tight = |kind: &str, tolerance: f64| {
        let absolute = 1e-2 * tolerance;
        let folder =
            beams(&format!("kind = \"{kind}\"\nrelative_tolerance = {tolerance:e}\nabsolute_tolerance = {absolute:e}"));
        runs(&folder, &["run", "scenario.toml", "-q"]);
        let data = read_csv(&folder.path("results/results.csv")).unwrap();
        (data, folder.json("results/summary.json"))
    };
    let (exact, _) = tight("prince-dormand8", 1e-12);
    for (kind, tolerance, bound) in [("adams", 1e-10, 1e-6), ("bdf", 1e-8, 5e-5), ("automatic", 1e-10, 1e-6)] {
        let (data, summary) = tight(kind, tolerance);
        assert_eq!(summary["integrator"]["name"], kind);
        assert_eq!(data.heads, exact.heads);
        assert_eq!(data.rows.len(), 16);
        let mut worst = (0.0, String::new());
        for (row, other) in data.rows.iter().zip(&exact.rows) {
            assert_eq!(row[0], other[0]);
            for (i, (head, _)) in data.heads.iter().enumerate().skip(1) {
                let size = exact.rows.iter().fold(1e-3_f64, |size, row| size.max(row[i].abs()));
                let error = (row[i] - other[i]).abs() / size;
                worst = if error > worst.0 { (error, head.clone()) } else { worst };
            }
        }
        println!("{kind}: {worst:?}, {}", summary["statistics"]);
        assert!(worst.0 < bound, "{kind}: {worst:?}");
        assert!(summary["ledger"]["balance_error"].as_f64().unwrap().abs() < bound, "{kind}");
    }
}

/// Limits of the scenario hold for them, too.
#[test]
fn limits() {
    for kind in ["adams", "bdf"] {
        for (limit, says) in [
            ("max_steps = 5", "limit of 5 steps reached"),
            ("wall_seconds = 1e-6", "limit `wall_seconds`"),
            ("least_step = 0.05", "below the `least_step`"),
        ] {
            let folder = beams(&format!("kind = \"{kind}\"\n{limit}"));
            let output = run(&folder, &["run", "scenario.toml"]);
            let told = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{kind}, {limit}: {told}");
            assert!(told.contains(says), "{kind}: `{says}` is missing in: {told}");
            assert_eq!(folder.json("results/summary.json")["outcome"]["state"], "failed");
        }
    }
}
