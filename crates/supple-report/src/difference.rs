//! How far two runs are apart, quantity by quantity: those that mean the same in both.
//!
//! Modal coordinates are compared only where the shapes of the body are the same in both runs. Deflections of the far ends of bodies, which the scenes of both
//! have, are compared in any case.

use std::collections::{BTreeMap, BTreeSet};

use crate::columns::Columns;
use crate::pose;
use crate::report::Run;
use crate::scene::{Scene, SceneBody};

/// Curves below this part of the greatest of their unit are rounding.
const ROUNDING: f64 = 1e-12;

/// Two curves of one name.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Their name.
    pub name: String,
    /// Their unit.
    pub unit: String,
    /// The greatest difference.
    pub greatest: f64,
    /// When it is first.
    pub time: f64,
    /// Root of the mean square of the differences over the points.
    pub root_mean_square: f64,
    /// The greatest difference as a part of the range of both curves, or of their size where they are constant; zero where both are rounding.
    pub relative: f64,
}

/// Differences of two runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Differences {
    /// The largest first, relative to the curves.
    pub found: Vec<Difference>,
    /// Bodies whose modal coordinates are not compared: their shapes differ.
    pub other_shapes: Vec<String>,
}

/// A curve by name.
struct Curve<'c> {
    name: String,
    unit: String,
    times: &'c [f64],
    values: Vec<f64>,
}

/// Differences of what both runs have, at the times of the first within those of the second, which is interpolated.
pub fn differences(one: &Run, other: &Run) -> Differences {
    let same = same_shapes(&one.recording.scene, &other.recording.scene);
    let (own, theirs) = (curves(one), curves(other));
    let mut sizes: BTreeMap<&str, f64> = BTreeMap::new();
    for curve in own.iter().chain(&theirs) {
        let size = sizes.entry(&curve.unit).or_default();
        *size = curve.values.iter().filter(|x| x.is_finite()).fold(*size, |most, x| most.max(x.abs()));
    }
    let (mut out, mut others) = (Differences::default(), BTreeSet::new());
    for curve in &own {
        if let Some(body) = modal_body(&curve.name)
            && !same.contains(body)
        {
            others.insert(body.to_owned());
            continue;
        }
        let Some(match_) = theirs.iter().find(|c| c.name == curve.name && c.unit == curve.unit) else { continue };
        out.found.extend(difference(curve, match_, ROUNDING * sizes[curve.unit.as_str()]));
    }
    out.found.sort_by(|a, b| b.relative.total_cmp(&a.relative));
    out.other_shapes = others.into_iter().collect();
    out
}

fn difference(one: &Curve<'_>, other: &Curve<'_>, rounding: f64) -> Option<Difference> {
    let (mut greatest, mut time, mut squares, mut points) = (0.0_f64, f64::NAN, 0.0, 0_u64);
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for (t, x) in one.times.iter().zip(&one.values) {
        let Some(y) = interpolated(other.times, &other.values, *t) else { continue };
        let apart = (y - x).abs();
        if !apart.is_finite() {
            continue;
        }
        if apart > greatest || time.is_nan() {
            (greatest, time) = (apart, *t);
        }
        (least, most) = (least.min(*x).min(y), most.max(*x).max(y));
        squares += apart * apart;
        points += 1;
    }
    let size = least.abs().max(most.abs());
    let own = if most - least > ROUNDING * size { most - least } else { size };
    // Errors of the computation are compared with what they are errors of.
    let scale = if is_error(&one.name) { rounding / ROUNDING } else { own };
    (points > 0).then(|| Difference {
        name: one.name.clone(),
        unit: one.unit.clone(),
        greatest,
        time,
        root_mean_square: (squares / points as f64).sqrt(),
        relative: if size > rounding && scale > 0.0 { greatest / scale } else { 0.0 },
    })
}

/// The recorded columns of a run, and the deflections of the far ends of its flexible bodies where these are not among them.
fn curves(run: &Run) -> Vec<Curve<'_>> {
    let table: &Columns = &run.table;
    let points = table.times.0.len();
    let column = |(i, column): (usize, &supple_io::results::Column)| Curve {
        name: column.name.clone(),
        unit: column.unit.clone(),
        times: &table.times.0,
        values: table.values.0.get(i * points..(i + 1) * points).unwrap_or(&[]).iter().map(|x| f64::from(*x)).collect(),
    };
    let mut out: Vec<Curve<'_>> = table.columns.iter().enumerate().map(column).collect();
    let recorded: BTreeSet<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    out.extend(deflections(run).into_iter().filter(|curve| !recorded.contains(curve.name.as_str())));
    out
}

/// Deflections of the far ends of bodies in body axes, frame by frame.
fn deflections(run: &Run) -> Vec<Curve<'_>> {
    let (scene, motion) = (&run.recording.scene, &run.recording.motion);
    let (length, mut at, mut out) = (scene.frame_length(), 0, Vec::new());
    for body in &scene.bodies {
        let start = at + 7;
        at += 7 + body.modes;
        if body.modes == 0 {
            continue;
        }
        let tip = body.tip();
        let deflection = |frame: &[f32]| {
            let eta: Vec<f64> = frame[start..start + body.modes].iter().map(|x| f64::from(*x)).collect();
            let amplitudes = pose::amplitudes(body, &eta);
            let still = vec![0.0; amplitudes.len()];
            (pose::deformed(body, tip, &amplitudes).position - pose::deformed(body, tip, &still).position).0
        };
        let rows: Vec<[f64; 3]> = motion.frames.0.chunks_exact(length).map(deflection).collect();
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            out.push(Curve {
                name: format!("deflection.{}.{}.{name}", body.name, node_name(body, tip)),
                unit: "m".to_owned(),
                times: &motion.times.0,
                values: rows.iter().map(|u| u[axis]).collect(),
            });
        }
    }
    out
}

fn node_name(body: &SceneBody, node: usize) -> &str {
    body.node_names.get(node).map(String::as_str).filter(|name| !name.is_empty()).unwrap_or("far end")
}

/// Bodies of both scenes with the same modes at the same nodes.
fn same_shapes<'s>(one: &'s Scene, other: &Scene) -> BTreeSet<&'s str> {
    let same = |a: &&SceneBody| {
        let b = other.bodies.iter().find(|b| b.name == a.name);
        b.is_some_and(|b| a.modes == b.modes && a.influence == b.influence && a.positions == b.positions)
    };
    one.bodies.iter().filter(same).map(|body| body.name.as_str()).collect()
}

/// Whether a column is an error of the computation.
fn is_error(name: &str) -> bool {
    name == "energy.balance_error" || (name.starts_with("closure.") && name.contains(".deviation"))
}

/// The body of a column of modal coordinates, speeds or accelerations.
fn modal_body(name: &str) -> Option<&str> {
    let (kind, rest) = name.split_once('.')?;
    if !matches!(kind, "mode" | "mode_speed" | "mode_acceleration" | "mode_force") {
        return None;
    }
    rest.rsplit_once('.').map(|(body, _)| body)
}

/// The value at a time between those of the points; none outside of them.
fn interpolated(times: &[f64], values: &[f64], time: f64) -> Option<f64> {
    let after = times.partition_point(|t| *t < time);
    let at = *values.get(after)?;
    if times[after] == time {
        return Some(at);
    }
    let before = after.checked_sub(1)?;
    let share = (time - times[before]) / (times[after] - times[before]);
    let from = *values.get(before)?;
    Some(from + share * (at - from))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(times: &[f64], value: impl Fn(f64) -> f64) -> Curve<'_> {
        Curve { name: "a".into(), unit: "1".into(), times, values: times.iter().map(|t| value(*t)).collect() }
    }

    #[test]
    fn curves_on_other_times_are_interpolated_and_differences_told_in_parts_of_them() {
        let times: Vec<f64> = (0..11).map(|i| 0.1 * f64::from(i)).collect();
        let few = [0.0, 0.25, 0.5, 0.75];
        let (one, other) = (curve(&times, |t| 2.0 * t), curve(&few, |t| 2.0 * t + 0.5));
        let found = difference(&one, &other, 0.0).unwrap();
        // Up to 0.75 s, where the other ends: there they are within 0 and 1.9.
        assert!((found.greatest - 0.5).abs() < 1e-12 && found.time <= 0.75, "{found:?}");
        assert!((found.root_mean_square - 0.5).abs() < 1e-12 && (found.relative - 0.5 / 1.9).abs() < 1e-12);
        assert_eq!(difference(&one, &curve(&[], |t| t), 0.0), None);
        // An offset does not hide a difference, and rounding is none.
        let (one, other) = (curve(&times, |t| 100.0 + t), curve(&times, |t| 100.0 + 1.1 * t));
        assert!((difference(&one, &other, 0.0).unwrap().relative - 0.1 / 1.1).abs() < 1e-9);
        let (one, other) = (curve(&times, |t| 1e-17 * t), curve(&times, |t| -1e-17 * t));
        assert_eq!(difference(&one, &other, 1e-12).unwrap().relative, 0.0);
    }

    #[test]
    fn modal_coordinates_belong_to_bodies() {
        assert_eq!(modal_body("mode.link 2.3"), Some("link 2"));
        assert_eq!(modal_body("mode_speed.a.b.1"), Some("a.b"));
        assert_eq!(modal_body("hinge.mode.1"), None);
    }
}
