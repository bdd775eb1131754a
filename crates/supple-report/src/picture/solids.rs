//! Solids as flat faces.

use supple::spatial::Vector3;

use crate::pose::Pose;
use crate::scene::{Form, Solid};

/// Faces around a cylinder.
const SIDES: usize = 32;

/// Faces of a solid in space, outlines with their corners in order; none of a ball. Parts thinner than `least` are drawn that thick.
pub fn faces(solid: &Solid, pose: &Pose, least: f64) -> Vec<Vec<Vector3<f64>>> {
    let place = |p: [f64; 3]| {
        let own = |row: usize| solid.centre[row] + (0..3).map(|c| solid.axes[row][c] * p[c]).sum::<f64>();
        pose.then(&Pose { position: Vector3(std::array::from_fn(own)), ..Pose::IDENTITY }).position
    };
    match solid.form {
        Form::Cylinder { radius, length } => {
            let (radius, half) = (radius.max(least), 0.5 * length.max(least));
            let rim = |i: usize, z: f64| {
                let (s, c) = (2.0 * std::f64::consts::PI * (i % SIDES) as f64 / SIDES as f64).sin_cos();
                place([radius * c, radius * s, z])
            };
            let side = |i: usize| vec![rim(i, -half), rim(i + 1, -half), rim(i + 1, half), rim(i, half)];
            let cap = |z: f64| (0..SIDES).map(|i| rim(i, z)).collect();
            (0..SIDES).map(side).chain([cap(-half), cap(half)]).collect()
        }
        Form::Box { sides } => {
            let half = sides.map(|x| 0.5 * x.max(least));
            let face = |axis: usize, end: f64| {
                let corner = |(a, b): &(f64, f64)| {
                    let mut p = [0.0; 3];
                    p[axis] = end * half[axis];
                    p[(axis + 1) % 3] = a * half[(axis + 1) % 3];
                    p[(axis + 2) % 3] = b * half[(axis + 2) % 3];
                    place(p)
                };
                [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].iter().map(corner).collect()
            };
            (0..6).map(|i| face(i / 2, if i % 2 == 0 { -1.0 } else { 1.0 })).collect()
        }
        Form::Ball { .. } => Vec::new(),
    }
}

/// Whether a point of the body frame is inside a solid.
pub fn contains(solid: &Solid, point: [f64; 3]) -> bool {
    let away: [f64; 3] = std::array::from_fn(|i| point[i] - solid.centre[i]);
    let own: [f64; 3] = std::array::from_fn(|c| (0..3).map(|row| solid.axes[row][c] * away[row]).sum());
    match solid.form {
        Form::Cylinder { radius, length } => own[0].hypot(own[1]) <= radius && own[2].abs() <= 0.5 * length,
        Form::Box { sides } => (0..3).all(|i| own[i].abs() <= 0.5 * sides[i]),
        Form::Ball { radius } => away.iter().map(|x| x * x).sum::<f64>() <= radius * radius,
    }
}

/// The outline of points in the plane: the smallest convex polygon around them (Andrew's chains).
pub fn outline(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut sorted: Vec<[f64; 2]> = points.iter().copied().filter(|p| p.iter().all(|x| x.is_finite())).collect();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let turn = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let chain = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut own: Vec<[f64; 2]> = Vec::new();
        for p in points {
            while own.len() > 1 && turn(own[own.len() - 2], own[own.len() - 1], p) <= 0.0 {
                own.pop();
            }
            own.push(p);
        }
        own.pop();
        own
    };
    let mut out = chain(&mut sorted.iter().copied());
    out.extend(chain(&mut sorted.iter().rev().copied()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_six_faces_and_a_square_outline_from_its_front() {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let solid = Solid { form: Form::Box { sides: [2.0, 4.0, 6.0] }, centre: [1.0, 0.0, 0.0], axes };
        let faces = faces(&solid, &Pose::IDENTITY, 0.0);
        assert_eq!(faces.len(), 6);
        let flat: Vec<[f64; 2]> = faces.iter().flatten().map(|p| [p.0[1], p.0[2]]).collect();
        assert_eq!(outline(&flat), [[-2.0, -3.0], [2.0, -3.0], [2.0, 3.0], [-2.0, 3.0]]);
        assert_eq!(outline(&[]), Vec::<[f64; 2]>::new());
        assert!(contains(&solid, [1.9, 1.9, -2.9]) && !contains(&solid, [-0.1, 0.0, 0.0]));
        let round = Solid { form: Form::Cylinder { radius: 1.0, length: 2.0 }, ..solid };
        assert!(super::faces(&round, &Pose::IDENTITY, 0.0).iter().flatten().all(|p| {
            let r = (p.0[0] - 1.0).hypot(p.0[1]);
            (r - 1.0).abs() < 1e-12 && (p.0[2].abs() - 1.0).abs() < 1e-12
        }));
    }
}
