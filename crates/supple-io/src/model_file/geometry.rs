//! Rotations and inertias as they stand in files.

use crate::document::{Table, Value};
use crate::source::{Report, Rule, Source};

/// The identity.
pub(crate) const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// How far the length of a quaternion may be from one; it is scaled to one.
const UNIT_TOLERANCE: f64 = 1e-6;

/// Roll, pitch and yaw about fixed axes: `Rz(yaw) Ry(pitch) Rx(roll)`.
pub(crate) fn rotation_of_rpy([roll, pitch, yaw]: [f64; 3]) -> [[f64; 3]; 3] {
    let ((sr, cr), (sp, cp), (sy, cy)) = (roll.sin_cos(), pitch.sin_cos(), yaw.sin_cos());
    [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
}

/// Rotation of a quaternion `(x, y, z, w)` of unit length.
fn rotation_of_quaternion([x, y, z, w]: [f64; 4]) -> [[f64; 3]; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// The rotation that turns x into a direction: by the shortest way, and near -x after half a turn about z.
pub(crate) fn rotation_to(direction: [f64; 3]) -> Option<[[f64; 3]; 3]> {
    let scale = direction.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let scaled = direction.map(|x| x / scale);
    let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [c, y, z] = scaled.map(|x| x / length);
    if !(c.is_finite() && y.is_finite() && z.is_finite()) {
        return None;
    }
    if c < -0.9 {
        let half_turn = [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]];
        return rotation_to([-c, -y, z]).map(|rest| product(&half_turn, &rest));
    }
    // I + [v] + [v]² / (1 + c) with v = x × d = (0, -z, y)
    let k = 1.0 / (1.0 + c);
    Some([[c, -y, -z], [y, 1.0 - k * y * y, -k * y * z], [z, -k * y * z, 1.0 - k * z * z]])
}

/// `R v`.
pub(crate) fn turn(r: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| (0..3).map(|j| r[i][j] * v[j]).sum())
}

/// `R J R*`.
pub(crate) fn turn_inertia(r: &[[f64; 3]; 3], j: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let rj: [[f64; 3]; 3] = std::array::from_fn(|a| std::array::from_fn(|b| (0..3).map(|k| r[a][k] * j[k][b]).sum()));
    std::array::from_fn(|a| std::array::from_fn(|b| (0..3).map(|k| rj[a][k] * r[b][k]).sum()))
}

/// `R S`.
pub(crate) fn product(r: &[[f64; 3]; 3], s: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|a| std::array::from_fn(|b| (0..3).map(|k| r[a][k] * s[k][b]).sum()))
}

/// Inertia about the origin from that about the mass centre: `J + m (c·c I - c c*)`.
pub(crate) fn inertia_at_origin(mass: f64, c: [f64; 3], j: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let square: f64 = c.iter().map(|x| x * x).sum();
    std::array::from_fn(|a| {
        std::array::from_fn(|b| {
            let diagonal = if a == b { square } else { 0.0 };
            j[a][b] + mass * (diagonal - c[a] * c[b])
        })
    })
}

/// A rotation of a file.
pub(crate) fn rotation(table: Table<'_>, source: &Source, report: &mut Report) -> Option<[[f64; 3]; 3]> {
    if let Some(rpy) = table.vector("rpy") {
        return Some(rotation_of_rpy(rpy));
    }
    if let Some(matrix) = table.get("matrix").and_then(Value::matrix3) {
        return Some(matrix);
    }
    let value = table.get("quaternion")?;
    let q: [f64; 4] = value.array()?;
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if (norm - 1.0).abs() <= UNIT_TOLERANCE {
        return Some(rotation_of_quaternion(q.map(|x| x / norm)));
    }
    report.add(source, value.span(), Rule::NotUnit { norm });
    None
}

/// Mass, mass centre, inertia about the origin.
pub(crate) type MassProperties = (f64, [f64; 3], [[f64; 3]; 3]);

/// The mass properties of a table with the keys of a rigid body.
pub(crate) fn mass_properties(table: Table<'_>) -> Option<MassProperties> {
    let optional = |key: &str| table.get(key).map_or(Some([0.0; 3]), Value::array);
    let mass = table.get("mass").map_or(Some(0.0), Value::number)?;
    let centre = optional("mass_centre")?;
    let told = table.get("inertia").map_or(Some([[0.0; 3]; 3]), inertia)?;
    let about_origin = table.text("inertia_about") == Some("origin");
    Some((mass, centre, if about_origin { told } else { inertia_at_origin(mass, centre, told) }))
}

fn inertia(value: Value<'_>) -> Option<[[f64; 3]; 3]> {
    if let Some(table) = value.table() {
        let entry = |key: &str| table.get(key).map_or(Some(0.0), Value::number);
        let (xy, xz, yz) = (entry("xy")?, entry("xz")?, entry("yz")?);
        return Some([[entry("xx")?, xy, xz], [xy, entry("yy")?, yz], [xz, yz, entry("zz")?]]);
    }
    if let Some([a, b, c]) = value.array() {
        return Some([[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]]);
    }
    value.matrix3()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortest_turns_are_rotations_to_the_direction() {
        for d in [[1.0, 0.0, 0.0], [0.0, 0.0, 2.0], [-1.0, 0.0, 0.0], [0.3, -0.4, 0.5], [-1.0, 1e-7, 0.0]] {
            let r = rotation_to(d).unwrap();
            let length = d.iter().map(|x| x * x).sum::<f64>().sqrt();
            let x = turn(&r, [1.0, 0.0, 0.0]);
            assert!((0..3).all(|i| (x[i] - d[i] / length).abs() < 1e-15), "{d:?} {x:?}");
            let unit = turn_inertia(&r, &IDENTITY);
            assert!((0..9).all(|k| (unit[k / 3][k % 3] - IDENTITY[k / 3][k % 3]).abs() < 1e-15), "{d:?}");
        }
        assert!(rotation_to([0.0; 3]).is_none());
    }

    #[test]
    fn rpy_is_about_fixed_axes() {
        let half = std::f64::consts::FRAC_PI_2;
        // Roll about x takes y to z; yaw about the fixed z leaves it there.
        let y = turn(&rotation_of_rpy([half, 0.0, half]), [0.0, 1.0, 0.0]);
        assert!((y[2] - 1.0).abs() < 1e-15 && y[0].abs() < 1e-15);
        let q = rotation_of_quaternion([0.0, 0.0, 0.5_f64.sqrt(), 0.5_f64.sqrt()]);
        let x = turn(&q, [1.0, 0.0, 0.0]);
        assert!((x[1] - 1.0).abs() < 1e-15);
    }
}
