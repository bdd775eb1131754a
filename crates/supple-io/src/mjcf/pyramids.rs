//! Volume and inertia of what a mesh encloses: pyramids from a point to every triangle.

use std::collections::HashMap;

use super::pose::{add, subtract};
use super::solid::Solid;

/// Corners of a triangle.
type Triangle = [[f64; 3]; 3];

/// How far a corner may stand out of the plane of another triangle, in sizes of the mesh, before it counts.
const FLAT: f64 = 1e-6;

/// What a mesh encloses, with density 1, where every point of it is seen from the middle; otherwise the volume counts differently for
/// different programs, and nothing is given.
pub(super) fn solid(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Option<Solid> {
    let corners = corners(vertices, triangles)?;
    let found = enclosed(&corners, middle(&corners))?;
    // MuJoCo looks from the middle of the surface, then from the mass centre.
    let seen = |from: [f64; 3]| corners.iter().all(|triangle| volume(triangle, from) >= -FLAT * found.mass);
    (seen(middle(&corners)) && seen(found.centre)).then_some(found)
}

/// What a closed mesh encloses, with density 1, whatever its form.
pub(super) fn exact(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Option<Solid> {
    let corners = corners(vertices, triangles)?;
    is_closed(&corners).then(|| enclosed(&corners, middle(&corners)))?
}

/// Whether a closed mesh is convex: no corner stands out of the plane of a neighbour.
pub(super) fn is_convex(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> bool {
    let Some(corners) = corners(vertices, triangles) else { return false };
    let centre = middle(&corners);
    let size = corners.iter().flatten().map(|v| length(subtract(*v, centre))).fold(0.0, f64::max);
    let mut opposite: HashMap<[Key; 2], [f64; 3]> = HashMap::new();
    for triangle in &corners {
        for k in 0..3 {
            opposite.insert([key(triangle[k]), key(triangle[(k + 1) % 3])], triangle[(k + 2) % 3]);
        }
    }
    let below = |triangle: &Triangle| {
        let normal = normal(triangle);
        let area = length(normal);
        (0..3).all(|k| {
            let edge = [key(triangle[(k + 1) % 3]), key(triangle[k])];
            let height = opposite.get(&edge).map_or(0.0, |corner| dot(normal, subtract(*corner, triangle[k])));
            height <= FLAT * size * area
        })
    };
    is_closed(&corners) && corners.iter().all(below)
}

/// Triangles with some area; none where a mesh has no such triangle, or names a corner that does not exist.
fn corners(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Option<Vec<Triangle>> {
    let corner = |index: u32| vertices.get(index as usize).copied();
    let triangle = |[a, b, c]: &[u32; 3]| Some([corner(*a)?, corner(*b)?, corner(*c)?]);
    let all: Option<Vec<Triangle>> = triangles.iter().map(triangle).collect();
    all.filter(|all| all.iter().any(|triangle| length(normal(triangle)) > 0.0))
}

/// Places are compared as they are written: corners of a closed mesh are equal, not close.
type Key = [u64; 3];

fn key(v: [f64; 3]) -> Key {
    // Zero has two signs.
    v.map(|x| (x + 0.0).to_bits())
}

/// Whether every edge belongs to two triangles that run along it in opposite directions.
fn is_closed(corners: &[Triangle]) -> bool {
    let mut edges: HashMap<[Key; 2], i64> = HashMap::new();
    for triangle in corners {
        let keys = triangle.map(key);
        for k in 0..3 {
            let (from, to) = (keys[k], keys[(k + 1) % 3]);
            if from != to {
                *edges.entry([from, to]).or_default() += 1;
                *edges.entry([to, from]).or_default() -= 1;
            }
        }
    }
    edges.values().all(|count| *count == 0)
}

/// The centroid of the surface.
fn middle(corners: &[Triangle]) -> [f64; 3] {
    let (mut sum, mut area) = ([0.0; 3], 0.0);
    for triangle in corners {
        let part = length(normal(triangle));
        area += part;
        let centre = triangle.iter().fold([0.0; 3], |sum, v| add(sum, *v));
        sum = add(sum, centre.map(|x| x * part / 3.0));
    }
    sum.map(|x| x / area)
}

/// Signed volume of the pyramid from a point to a triangle.
fn volume(triangle: &Triangle, from: [f64; 3]) -> f64 {
    dot(normal(triangle), subtract(triangle[0], from)) / 6.0
}

/// The sum of the pyramids from a point.
fn enclosed(corners: &[Triangle], from: [f64; 3]) -> Option<Solid> {
    let (mut mass, mut moment) = (0.0, [0.0; 3]);
    // Integrals of x x* about the point, then about the mass centre.
    let mut second = [[0.0; 3]; 3];
    for triangle in corners {
        let part = volume(triangle, from);
        let v = triangle.map(|v| subtract(v, from));
        let sum = v.iter().fold([0.0; 3], |sum, v| add(sum, *v));
        mass += part;
        moment = add(moment, sum.map(|x| part * x / 4.0));
        for (i, row) in second.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry += part / 20.0 * (v.iter().map(|v| v[i] * v[j]).sum::<f64>() + sum[i] * sum[j]);
            }
        }
    }
    let centre = moment.map(|x| x / mass);
    if !(mass > 0.0 && mass.is_finite()) {
        return None;
    }
    for (i, row) in second.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry -= mass * centre[i] * centre[j];
        }
    }
    let trace = second[0][0] + second[1][1] + second[2][2];
    let inertia =
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { trace - second[i][j] } else { -second[i][j] }));
    Some(Solid { mass, centre: add(from, centre), inertia })
}

/// Across a triangle, as long as twice its area.
fn normal([a, b, c]: &Triangle) -> [f64; 3] {
    let (u, v) = (subtract(*b, *a), subtract(*c, *a));
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

fn length(v: [f64; 3]) -> f64 {
    dot(v, v).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mjcf::solid;
    use crate::visual::Shape;

    /// A brick with a corner at the origin.
    fn brick([a, b, c]: [f64; 3]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let corner = |k: u32| [f64::from(k & 1) * a, f64::from(k >> 1 & 1) * b, f64::from(k >> 2 & 1) * c];
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
        ((0..8).map(corner).collect(), triangles)
    }

    #[test]
    fn a_brick_of_triangles_is_a_box() {
        let (vertices, triangles) = brick([1.0, 2.0, 3.0]);
        let expected = solid::of(&Shape::Box { sides: [1.0, 2.0, 3.0] });
        for found in [super::solid(&vertices, &triangles), exact(&vertices, &triangles)] {
            let found = found.unwrap();
            assert!((found.mass - expected.mass).abs() < 1e-14);
            assert!((0..3).all(|i| (found.centre[i] - [0.5, 1.0, 1.5][i]).abs() < 1e-14));
            let close = |k: usize| (found.inertia[k / 3][k % 3] - expected.inertia[k / 3][k % 3]).abs() < 1e-13;
            assert!((0..9).all(close), "{found:?}");
        }
        assert!(is_convex(&vertices, &triangles));
    }

    #[test]
    fn dents_and_holes_are_seen() {
        let (mut vertices, mut triangles) = brick([1.0, 1.0, 1.0]);
        vertices[7] = [0.3, 0.3, 0.3];
        assert!(!is_convex(&vertices, &triangles) && exact(&vertices, &triangles).is_some());
        triangles.pop();
        assert!(exact(&vertices, &triangles).is_none() && !is_convex(&vertices, &triangles));
        assert!(super::solid(&vertices, &[[0, 1, 9]]).is_none() && super::solid(&vertices, &[]).is_none());
        // Turned inside out.
        let (vertices, mut triangles) = brick([1.0, 1.0, 1.0]);
        triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
        assert!(exact(&vertices, &triangles).is_none());
    }
}
