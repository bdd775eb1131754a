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
        (&["zv", "--frequency", "-1"][..], 2, "--frequency"),
        (&["zv", "--frequency=-1"], 1, "positive"),
        (&["zv", "--frequency", "nan"], 1, "positive"),
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
