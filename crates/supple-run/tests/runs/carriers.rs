//! Flexible bodies that carry others.

use super::Arm;
use std::fs;
use std::path::PathBuf;
use supple_run::{Options, run};

/// Standard input data whose geometric stiffness of nodal moments turns the node that carries a load: a deformed start keeps its energy and
/// its momentum with the elastic rotation as a state, as it does with the rotation vector.
#[test]
fn shapes_that_turn_a_carrier_keep_energy_and_momentum() {
    let arm = Arm::new("kind = \"prince-dormand8\"\nrelative_tolerance = 1e-12\nabsolute_tolerance = 1e-13");
    let reference = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../references/models/panel.sid");
    let panel = fs::read_to_string(reference).unwrap();
    // The moment about the axis of the panel works on the twist of bending in two planes.
    let (before, node) = panel.split_at(panel.rfind("end psi").unwrap());
    let (before, psi) = before.split_at(before.rfind("order").unwrap());
    let psi = psi.replacen("= 0", "= 1", 1) + "m1( 1, 1, 3) = 1.5\nm1( 1, 3, 1) = 1.5\n";
    fs::write(arm.0.join("panel.sid"), [before, &psi, node].concat()).unwrap();
    let model = r#"
        format = "supple-model-1"
        elastic_rotation = "@"
        [[body]]
        name = "hub"
        hinge = { kind = "free" }
        rigid = { mass = 5, inertia = [0.5, 0.6, 0.7] }
        [[body]]
        name = "panel"
        parent = "hub"
        hinge = { kind = "fixed" }
        modal = { file = "panel.sid" }
        [[body]]
        name = "load"
        parent = "panel"
        at = "2"
        hinge = { name = "wrist", kind = "revolute", axis = [0, 1, 0] }
        rigid = { mass = 1, mass_centre = [0.3, 0.1, 0.2], inertia = [0.1, 0.2, 0.2] }
    "#;
    let scenario = fs::read_to_string(arm.scenario()).unwrap();
    let start = "[initial]\nhinge_speeds = { wrist = 2 }\nmodes = { panel = [0.05, 0, 0.05, 0.01] }\n";
    fs::write(arm.scenario(), scenario + start).unwrap();
    let mut starts = Vec::new();
    for rotation in ["integrated", "rotation-vector"] {
        fs::write(arm.0.join("model.toml"), model.replace('@', rotation)).unwrap();
        let results = run(arm.scenario(), &Options::default()).unwrap();
        let energy = results.column("energy.total").unwrap();
        let drift = energy.iter().fold(0.0_f64, |most, x| most.max((x / energy[0] - 1.0).abs()));
        let momentum = results.summary().momentum.clone().unwrap();
        assert!(drift < 1e-10, "{rotation}: energy {drift:e}");
        assert!(momentum.linear_drift < 1e-10 && momentum.angular_drift < 1e-10, "{rotation}: {momentum:?}");
        starts.push(momentum.angular);
    }
    // Both start with the same attitude of the load.
    assert!((0..3).all(|i| (starts[0][i] - starts[1][i]).abs() < 1e-13), "{starts:?}");
}
