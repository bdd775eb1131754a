//! `supple design`: numbers with full precision, and refusals.

use std::process::{Command, Output};

fn design(arguments: &[&str]) -> Output {
    Command::new(crate::program()).args(["design", "shaper"]).args(arguments).output().unwrap()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = design(&[arguments, &["--format", "json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn impulses_of_every_kind_have_full_precision() {
    for kind in ["zv", "zvd", "zvdd", "ei", "ei2", "ei3", "um-zv"] {
        let answer = json(&[kind, "--frequency", "1.25", "--damping", "0.1"]);
        let (times, amplitudes) = (numbers(&answer["times"]), numbers(&answer["amplitudes"]));
        assert!((amplitudes.iter().sum::<f64>() - 1.0).abs() < 1e-15, "{kind}");
        assert_eq!((answer["kind"].as_str(), times[0]), (Some(kind), 0.0));
        let mode = supple_control::Mode { frequency: 1.25, damping: 0.1 };
        let shaper = supple_control::Shaper::from_impulses(&times, &amplitudes).unwrap();
        let residual = shaper.residual(mode);
        let expected = if ["ei", "ei3"].contains(&kind) { 0.05 } else { 0.0 };
        assert!((residual - expected).abs() < 1e-14, "{kind}: {residual:e}");
    }
}

#[test]
fn shapers_are_listed_beside_each_other() {
    let output = design(&["--frequency", "2", "--format", "csv"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines.len()), ("kind,impulses,duration,delay,low,high,width", 8));
    assert!(lines[1].starts_with("zv,2,0.25,0.125,0.968"), "{}", lines[1]);
    assert_eq!(json(&["--frequency", "2"])["shapers"].as_array().unwrap().len(), 7);
}

#[test]
fn what_makes_no_shaper_is_refused() {
    for (arguments, status, says) in [
        (&["zv", "--frequency", "-1"][..], 1, "positive"),
        (&["zv", "--frequency=-1"], 1, "positive"),
        (&["zv", "--frequency", "nan"], 1, "positive"),
        (&["--frequency=-1"], 1, "the frequency is -1 Hz; it must be positive"),
        (&["--frequency=0"], 1, "positive"),
        (&["--frequency=nan", "--format", "json"], 1, "positive"),
        (&["--frequency=1", "--damping=1"], 1, "below 1"),
        (&["--frequency=1", "--damping=-0.1", "--format", "csv"], 1, "at least 0"),
        (&["zv", "--frequency", "1", "--damping", "1"], 1, "below 1"),
        (&["ei", "--frequency", "1", "--tolerance", "2"], 1, "between 0 and 1"),
        (&["ei3", "--frequency", "1", "--damping", "0.6"], 1, "zvd"),
        (&["zv", "--frequency", "1,2,3", "--damping", "0.1,0.2"], 2, "one ratio for each frequency"),
        (&["zzv", "--frequency", "1"], 2, "zvdd"),
        (&["zv"], 2, "--frequency"),
    ] {
        let output = design(arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {told}");
        assert!(told.contains(says) && !told.contains("panicked"), "{arguments:?}: {told}");
    }
}

fn designed(arguments: &[&str]) -> Output {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    Command::new(crate::program()).current_dir(root).arg("design").args(arguments).output().unwrap()
}

fn answer(arguments: &[&str]) -> serde_json::Value {
    let output = designed(&[arguments, &["--format", "json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

const LINK: &str = "examples/quanser-link/link.toml";

/// Poles in print, gains of a torque, and margins of the flexible link.
#[test]
fn regulators_of_files_have_gains_poles_and_margins() {
    // R = 10 for a current, one ampere is 8.925 N m.
    let found = answer(&["lqr", LINK, "--inputs", "force.hub", "--q", "2500,1,1,100", "--r", "0.1255404"]);
    let gain = numbers(&found["gain"][0]);
    assert!((gain[0] / 8.925 - 15.8114).abs() < 5e-5 && (gain[3] / 8.925 + 0.706541).abs() < 1e-5, "{gain:?}");
    assert!((found["poles"][0][0].as_f64().unwrap() + 3.90666).abs() < 1e-4);
    assert_eq!(found["margins"][0]["stable"], true);
    let outputs = ["--outputs", "hinge.hub,hinge.spring", "--dt", "0.01"];
    let found = answer(&[&["lqg", LINK, "--inputs", "force.hub"][..], &outputs].concat());
    assert_eq!((found["poles"].as_array().unwrap().len(), found["filter_gain"].as_array().unwrap().len()), (8, 4));
    let found = answer(&["pid", LINK, "--hinge", "hub", "--bandwidth", "2", "--integral"]);
    let (inertia, p) = (found["inertia"].as_f64().unwrap(), found["p"].as_f64().unwrap());
    assert!((inertia - 0.06353616 - 0.17043427).abs() < 1e-9);
    assert!((p / (inertia * (2.0 * std::f64::consts::TAU).powi(2)) - 1.0).abs() < 1e-12);
}

/// What remains of an arm's vibration is least for the shaper that bears the most.
#[test]
fn shapers_of_an_arm_are_compared_over_its_workspace() {
    let found = answer(&["shaper", "examples/two-link-arm/arm.toml", "--map", "elbow=-1:1:5"]);
    let worst = |kind: &str| {
        let all = found["shapers"].as_array().unwrap();
        all.iter().find(|shaper| shaper["kind"] == kind).unwrap()["worst_percent"].as_f64().unwrap()
    };
    assert!(worst("zv") > worst("zvd") && worst("zvd") > worst("zvdd"));
    assert_eq!((found["places"].as_u64(), found["modes"].as_array().unwrap().len()), (Some(5), 2));
    assert!(found["recommended"].is_string());
}

#[test]
fn designs_that_cannot_be_are_refused() {
    for (arguments, status, says) in [
        (&["lqr", LINK, "--inputs", "force.hub", "--q", "1,2"][..], 2, "one for each state"),
        (&["lqr", LINK, "--inputs", "force.hub", "--r", "0"], 1, "R is no weight"),
        (&["lqr", LINK, "--inputs", "force.hub", "--q", "0"], 1, "no stabilising gain"),
        (&["lqr", LINK, "--inputs", "force.hubb"], 2, "force.hub"),
        (&["pid", LINK, "--hinge", "hubb", "--bandwidth", "1"], 2, "hub"),
        (&["pid", LINK, "--hinge", "hub", "--bandwidth", "nan"], 2, "--bandwidth"),
        (&["shaper", LINK, "--frequency", "1"], 2, "--frequency"),
        (&["shaper", "nothing.toml"], 1, "nothing.toml"),
    ] {
        let output = designed(arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {told}");
        assert!(told.contains(says) && !told.contains("panicked"), "{arguments:?}: {told}");
    }
}

/// A page has the poles and one Bode plot for each loop, with the margins in its title; an existing one is kept.
#[test]
fn designs_are_drawn_on_pages() {
    let folder = std::env::temp_dir().join(format!("supple-design-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let page = folder.join("design.html");
    let path = page.to_str().unwrap();
    let link = "examples/quanser-link/link.toml";
    let lqr = ["lqr", link, "--inputs", "force.hub", "--q", "2500,1,1,100", "--r", "0.12554", "--page", path];
    let lqg =
        ["lqg", link, "--inputs", "force.hub", "--outputs", "hinge.hub,hinge.spring", "--dt", "0.01", "--page", path];
    let pid = ["pid", "examples/two-link-arm/arm.toml", "--hinge", "shoulder", "--bandwidth", "1", "--page", path];
    for (arguments, title) in [(&lqr[..], "LQR for"), (&lqg[..], "LQG for"), (&pid[..], "PID at shoulder")] {
        let output = designed(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text.contains(&format!("</span>{title}")) && text.contains("phase margin"), "{title}");
        assert_eq!(text.matches("<svg").count(), 2);
        assert!(text.contains(&String::from_utf8_lossy(&output.stdout).replace('>', "&gt;")), "{title}");
        let again = designed(arguments);
        assert!(!again.status.success() && String::from_utf8_lossy(&again.stderr).contains("--force"));
        std::fs::remove_file(&page).unwrap();
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
