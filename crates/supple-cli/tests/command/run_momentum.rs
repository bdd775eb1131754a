//! Momentum in the summary of systems that float.

use crate::run_support::{Folder, runs};
use serde_json::Value;

/// A hub that tumbles and drifts, with an elastic boom on a driven hinge; more of the model and of the scenario.
fn spacecraft(fidelity: &str, model: &str, scenario: &str) -> Folder {
    let folder = Folder::new();
    let model = format!(
        "format = \"supple-model-1\"\nname = \"spacecraft\"\n{model}\n[[body]]\nname = \"hub\"\nhinge = {{ name = \"base\", kind = \"free\" }}\n\
         rigid = {{ mass = 40, mass_centre = [0.1, 0, 0], inertia = [6, 7, 8] }}\n\
         nodes = [{{ name = \"port\", position = [0.5, 0, 0] }}]\n\
         [[body]]\nname = \"boom\"\nparent = \"hub\"\nat = \"port\"\n\
         hinge = {{ name = \"root\", kind = \"revolute\", axis = [0, 0, 1], rotor_inertia = 0.2 }}\n[body.beam]\nlength = 4\n\
         section = {{ tube = {{ outer_radius = 0.02, thickness = 0.002 }} }}\n\
         material = {{ E = 7e10, nu = 0.33, density = 2700 }}\nmodes = {{ basis = \"cantilever\", bending_y = 2, bending_z = 1 }}\nfidelity = \"{fidelity}\"\n"
    );
    let scenario = format!(
        "format = \"supple-scenario-1\"\nmodel = \"model.toml\"\nduration = 3\noutput_interval = 0.1\n\
         [initial.hinge_speeds]\nbase = [0.2, -0.1, 0.3, 0.4, 0.5, -0.6]\n[initial.modes]\nboom = [0.05, 0, 0.02]\n\
         [integrator]\nkind = \"prince-dormand8\"\nrelative_tolerance = 1e-11\nabsolute_tolerance = 1e-13\n\
         [[torque]]\nhinge = \"root\"\nsteps = {{ times = [0, 1, 2], values = [5, -7, 1] }}\n{scenario}"
    );
    folder.write("model.toml", model).write("scenario.toml", scenario);
    folder
}

fn momentum(folder: &Folder) -> Value {
    folder.json("results/summary.json")["momentum"].clone()
}

fn drifts(momentum: &Value) -> [f64; 2] {
    ["linear_drift", "angular_drift"].map(|key| momentum[key].as_f64().unwrap())
}

/// Inner torques change no momentum: what the summary tells is an error of the integrator.
#[test]
fn what_floats_keeps_its_momentum() {
    let folder = spacecraft("exact", "", "");
    let told = runs(&folder, &["run", "scenario.toml"]);
    assert!(told.contains("momentum without external loads"), "{told}");
    let found = momentum(&folder);
    let drift = drifts(&found);
    // 40 kg of hub and 2.4 kg of boom at 0.9 m/s.
    let linear: Vec<f64> = found["linear"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert!(linear.iter().map(|x| x * x).sum::<f64>().sqrt() > 30.0, "{found}");
    println!("drift {drift:?}");
    assert!(drift.iter().all(|drift| *drift > 0.0 && *drift < 1e-8), "{drift:?}");
}

/// A model that leaves out terms does not keep it, in which it shows.
#[test]
fn models_that_leave_out_terms_lose_it() {
    let folder = spacecraft("ruthless", "", "");
    runs(&folder, &["run", "scenario.toml", "-q"]);
    let drift = drifts(&momentum(&folder));
    println!("drift {drift:?}");
    assert!(drift.iter().any(|drift| *drift > 1e-3), "{drift:?}");
}

/// Whatever acts from outside: no momentum is told, since it may change.
#[test]
fn what_does_not_float_has_none() {
    let outside = [
        ("gravity = [0, 0, -1.6]", ""),
        ("", "[[wrench]]\nbody = \"hub\"\nnode = \"port\"\nconstant = { force = [1, 0, 0] }\n"),
        ("", "[[torque]]\nhinge = \"base\"\nspeed = 4\nconstant = 2\n"),
    ];
    for (model, scenario) in outside {
        let folder = spacecraft("exact", model, scenario);
        let told = runs(&folder, &["run", "scenario.toml"]);
        assert!(momentum(&folder).is_null() && !told.contains("momentum"), "{model}{scenario}");
    }
    let folder = spacecraft("exact", "", "");
    for (old, new) in [("kind = \"free\"", "kind = \"spherical\""), ("kind = \"free\"", "kind = \"free\", damping = 1")]
    {
        let text = folder.text("model.toml");
        folder.write("model.toml", text.replace(old, new));
        let scenario = folder.text("scenario.toml");
        if new.contains("spherical") {
            folder.write("scenario.toml", scenario.replace("0.3, 0.4, 0.5, -0.6]", "0.3]"));
        }
        runs(&folder, &["run", "scenario.toml", "-q", "--force"]);
        assert!(momentum(&folder).is_null(), "{new}");
        folder.write("model.toml", text).write("scenario.toml", scenario);
    }
}
