//! Places of frames: positions and the five ways to write an orientation.

use super::attributes::{Attributes, numbers};
use super::settings::Settings;
use crate::model_file::geometry::{IDENTITY, product, turn};
use crate::robot::Reading;
use crate::source::Rule;

const ORIENTATIONS: [&str; 5] = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];

/// Origin and axes of a frame in another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pose {
    pub(super) position: [f64; 3],
    pub(super) rotation: [[f64; 3]; 3],
}

impl Pose {
    pub(super) const IDENTITY: Self = Self { position: [0.0; 3], rotation: IDENTITY };

    /// A frame in this one, seen from where this one is seen.
    pub(super) fn then(&self, inner: &Self) -> Self {
        Self { position: self.point(inner.position), rotation: product(&self.rotation, &inner.rotation) }
    }

    /// A point of this frame.
    pub(super) fn point(&self, point: [f64; 3]) -> [f64; 3] {
        add(self.position, turn(&self.rotation, point))
    }

    /// The outer frame, seen from this one.
    pub(super) fn inverse(&self) -> Self {
        let rotation = transpose(&self.rotation);
        Self { position: turn(&rotation, self.position).map(|x| -x), rotation }
    }

    /// With a shift of the frame that it is seen from.
    pub(super) fn from(&self, origin: [f64; 3]) -> Self {
        Self { position: subtract(self.position, origin), ..*self }
    }
}

pub(super) fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + b[i])
}

pub(super) fn subtract(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

pub(super) fn transpose(r: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|j| r[j][i]))
}

/// The frame of an element.
pub(super) fn read<'d>(
    of: &impl Attributes<'d>,
    settings: &Settings,
    subject: &str,
    reading: &mut Reading<'_>,
) -> Option<Pose> {
    let position = numbers(of, "pos", [0.0; 3], subject, reading);
    let rotation = orientation(of, settings, subject, reading);
    Some(Pose { position: position?, rotation: rotation? })
}

fn orientation<'d>(
    of: &impl Attributes<'d>,
    settings: &Settings,
    subject: &str,
    reading: &mut Reading<'_>,
) -> Option<[[f64; 3]; 3]> {
    let own = ORIENTATIONS.into_iter().filter(|name| of.element().own(name).is_some());
    let keys: Vec<&'static str> = own.collect();
    if let [_, second, ..] = keys[..] {
        let span = of.find(second).map_or(of.element().span.clone(), |attribute| attribute.span.clone());
        reading.error(span, subject, Rule::Together { keys });
        return None;
    }
    // What the element says goes before what its class says.
    let name = keys.first().copied().or_else(|| ORIENTATIONS.into_iter().rev().find(|name| of.find(name).is_some()));
    let Some(attribute) = name.and_then(|name| of.find(name)) else { return Some(IDENTITY) };
    let rotation = match attribute.name.as_str() {
        "quat" => of_quaternion(reading.numbers(attribute, "component", subject)?),
        "axisangle" => {
            let [x, y, z, angle]: [f64; 4] = reading.numbers(attribute, "component", subject)?;
            unit([x, y, z]).map(|axis| about(axis, settings.angle(angle)))
        }
        "euler" => {
            let angles: [f64; 3] = reading.numbers(attribute, "angle", subject)?;
            Some(of_euler(angles.map(|angle| settings.angle(angle)), &settings.euler))
        }
        "xyaxes" => {
            let [a, b, c, d, e, f]: [f64; 6] = reading.numbers(attribute, "component", subject)?;
            of_axes([a, b, c], [d, e, f])
        }
        _ => of_z(reading.numbers(attribute, "component", subject)?),
    };
    if rotation.is_none() {
        let what = format!("`{}` gives no orientation: a vector in it has length zero", attribute.name);
        let rule = Rule::Mismatch { what, expected: "directions of some length".into() };
        reading.error(attribute.span.clone(), subject, rule);
    }
    rotation
}

/// The rotation of a quaternion `(w, x, y, z)` of any length but zero.
pub(super) fn of_quaternion(q: [f64; 4]) -> Option<[[f64; 3]; 3]> {
    let [w, x, y, z] = unit(q)?;
    Some([
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ])
}

/// The shortest rotation of `(0, 0, 1)` to a direction.
pub(super) fn of_z(direction: [f64; 3]) -> Option<[[f64; 3]; 3]> {
    let [x, y, z] = unit(direction)?;
    let sine = x.hypot(y);
    if sine < 1e-10 {
        return Some(if z > 0.0 { IDENTITY } else { about([1.0, 0.0, 0.0], std::f64::consts::PI) });
    }
    Some(about([-y / sine, x / sine, 0.0], sine.atan2(z)))
}

/// Rotation about a unit axis.
fn about([x, y, z]: [f64; 3], angle: f64) -> [[f64; 3]; 3] {
    let (s, c) = angle.sin_cos();
    let k = 1.0 - c;
    [
        [c + k * x * x, k * x * y - s * z, k * x * z + s * y],
        [k * x * y + s * z, c + k * y * y, k * y * z - s * x],
        [k * x * z - s * y, k * y * z + s * x, c + k * z * z],
    ]
}

/// Rotations one after the other: about axes that turn (lower case), or about axes that stay.
fn of_euler(angles: [f64; 3], sequence: &[u8; 3]) -> [[f64; 3]; 3] {
    let mut rotation = IDENTITY;
    for (angle, letter) in angles.into_iter().zip(sequence) {
        let mut axis = [0.0; 3];
        axis[usize::from(letter.to_ascii_lowercase().saturating_sub(b'x')).min(2)] = 1.0;
        let one = about(axis, angle);
        rotation = if letter.is_ascii_lowercase() { product(&rotation, &one) } else { product(&one, &rotation) };
    }
    rotation
}

fn of_axes(x: [f64; 3], y: [f64; 3]) -> Option<[[f64; 3]; 3]> {
    let x = unit(x)?;
    let along: f64 = (0..3).map(|i| x[i] * y[i]).sum();
    let y = unit(std::array::from_fn::<f64, 3, _>(|i| y[i] - along * x[i]))?;
    let z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    Some(std::array::from_fn(|i| [x[i], y[i], z[i]]))
}

/// The same direction with length one; none for zero.
fn unit<const N: usize>(v: [f64; N]) -> Option<[f64; N]> {
    let scale = v.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let scaled = v.map(|x| x / scale);
    let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    let unit = scaled.map(|x| x / length);
    unit.iter().all(|x| x.is_finite()).then_some(unit)
}
