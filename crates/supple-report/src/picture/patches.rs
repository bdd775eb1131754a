//! Shapes of bodies as small flat pieces, so that what is farther from the eye can be painted first.

use supple::spatial::{Matrix3, Quaternion, Vector3};
use supple_io::drawing::Colour;

use crate::pose::Pose;
use crate::scene::{SceneMesh, SceneShape, ShapeForm};

/// Pieces around what is round.
const ROUND: usize = 32;
/// Most pieces along a straight side.
const MOST_PIECES: usize = 80;
/// Shapes with less opacity are left out: pictures paint all others whole.
const SEEN: f32 = 0.1;

/// A flat piece in the body frame.
#[derive(Debug)]
pub struct Patch {
    /// Its corners in order.
    pub points: Vec<Vector3<f64>>,
    /// Its own colour, where it has one.
    pub colour: Option<Colour>,
}

/// Flat pieces of a shape and the edges that are seen, both in the body frame.
#[derive(Debug, Default)]
pub struct Patches {
    /// Pieces of its surface.
    pub patches: Vec<Patch>,
    /// Pieces of its edges.
    pub edges: Vec<[Vector3<f64>; 2]>,
}

/// A colour of a file as a colour of a drawing.
fn shade(colour: [f32; 4]) -> Colour {
    Colour([0, 1, 2].map(|i| (255.0 * colour[i]).round() as u8))
}

/// Of a shape; pieces of straight sides are at most as long as `piece`.
pub fn patches(shape: &SceneShape, meshes: &[SceneMesh], piece: f64) -> Patches {
    if shape.colour.is_some_and(|colour| colour[3] < SEEN) {
        return Patches::default();
    }
    let attitude: Matrix3<f64> = Quaternion(shape.attitude).normalized().to_matrix();
    let own = Pose { position: Vector3(shape.position), attitude };
    let mut maker = Maker { own, piece, colour: shape.colour.map(shade), out: Patches::default() };
    match &shape.form {
        ShapeForm::Box { sides } => maker.cuboid(sides.map(|x| 0.5 * x)),
        ShapeForm::Cylinder { radius, length } => maker.cylinder(*radius, *length),
        ShapeForm::Capsule { radius, length } => {
            maker.lathe(&capsule(*radius, *length, maker.pieces(*length)), [1.0; 2])
        }
        ShapeForm::Ellipsoid { radii: [x, y, z] } => maker.lathe(&ball(*z), [*x, *y]),
        ShapeForm::Mesh { mesh } => meshes.get(*mesh).into_iter().for_each(|mesh| maker.mesh(mesh)),
    }
    maker.out
}

struct Maker {
    own: Pose,
    piece: f64,
    colour: Option<Colour>,
    out: Patches,
}

impl Maker {
    fn place(&self, p: [f64; 3]) -> Vector3<f64> {
        self.own.attitude * Vector3(p) + self.own.position
    }

    fn pieces(&self, length: f64) -> usize {
        ((length / self.piece).ceil() as usize).clamp(1, MOST_PIECES)
    }

    fn patch(&mut self, points: &[[f64; 3]]) {
        let points = points.iter().map(|p| self.place(*p)).collect();
        self.out.patches.push(Patch { points, colour: self.colour });
    }

    fn edge(&mut self, a: [f64; 3], b: [f64; 3]) {
        let at = |i: usize, count: usize| -> [f64; 3] {
            let part = i as f64 / count as f64;
            std::array::from_fn(|c| a[c] + part * (b[c] - a[c]))
        };
        let count = self.pieces((0..3).map(|i| (b[i] - a[i]).powi(2)).sum::<f64>().sqrt());
        for i in 0..count {
            let piece = [self.place(at(i, count)), self.place(at(i + 1, count))];
            self.out.edges.push(piece);
        }
    }

    fn cuboid(&mut self, half: [f64; 3]) {
        for face in 0..6 {
            let (axis, end) = (face / 2, if face % 2 == 0 { -1.0 } else { 1.0 });
            let (p, q) = ((axis + 1) % 3, (axis + 2) % 3);
            let counts = [self.pieces(2.0 * half[p]), self.pieces(2.0 * half[q])];
            let corner = |i: usize, j: usize| {
                let mut out = [0.0; 3];
                out[axis] = end * half[axis];
                out[p] = half[p] * (2.0 * i as f64 / counts[0] as f64 - 1.0);
                out[q] = half[q] * (2.0 * j as f64 / counts[1] as f64 - 1.0);
                out
            };
            for (i, j) in (0..counts[0]).flat_map(|i| (0..counts[1]).map(move |j| (i, j))) {
                self.patch(&[corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)]);
            }
            // Each of the twelve edges once: those of this face along one of its directions.
            for j in [0, counts[1]] {
                self.edge(corner(0, j), corner(counts[0], j));
            }
        }
    }

    fn cylinder(&mut self, radius: f64, length: f64) {
        let count = self.pieces(length);
        let profile: Vec<[f64; 2]> = (0..=count).map(|i| [radius, length * (i as f64 / count as f64 - 0.5)]).collect();
        self.lathe(&profile, [1.0; 2]);
        for z in [-0.5 * length, 0.5 * length] {
            let rings = self.pieces(radius);
            let disc: Vec<[f64; 2]> = (0..=rings).map(|i| [radius * i as f64 / rings as f64, z]).collect();
            self.lathe(&disc, [1.0; 2]);
            (0..ROUND).for_each(|i| self.edge(around(i, radius, z), around(i + 1, radius, z)));
        }
    }

    /// A profile of radii and heights turned about the third axis, then stretched along the first two.
    fn lathe(&mut self, profile: &[[f64; 2]], [x, y]: [f64; 2]) {
        let at = |i: usize, [radius, height]: [f64; 2]| {
            let [a, b, c] = around(i, radius, height);
            [x * a, y * b, c]
        };
        for pair in profile.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            for i in 0..ROUND {
                match () {
                    () if a[0] == 0.0 => self.patch(&[at(i, a), at(i + 1, b), at(i, b)]),
                    () if b[0] == 0.0 => self.patch(&[at(i, a), at(i + 1, a), at(i, b)]),
                    () => self.patch(&[at(i, a), at(i + 1, a), at(i + 1, b), at(i, b)]),
                }
            }
        }
    }

    fn mesh(&mut self, mesh: &SceneMesh) {
        let own = self.colour;
        for triangle in mesh.triangles.0.as_chunks::<3>().0 {
            let corners = triangle.map(usize::from);
            let painted = || {
                let at = |i: &usize, c: usize| mesh.colours.0.get(4 * i + c).copied().map(u32::from);
                let mean = |c: usize| Some((corners.iter().map(|i| at(i, c)).sum::<Option<u32>>()? / 3) as u8);
                Some(Colour([mean(0)?, mean(1)?, mean(2)?]))
            };
            self.colour = own.or_else(painted);
            self.patch(&corners.map(|i| mesh.vertex(i)));
        }
        self.colour = own;
    }
}

fn around(i: usize, radius: f64, height: f64) -> [f64; 3] {
    let (sin, cos) = (std::f64::consts::TAU * (i % ROUND) as f64 / ROUND as f64).sin_cos();
    [radius * cos, radius * sin, height]
}

/// Radii and heights of half a circle of unit radius in its middle, stretched along the axis.
fn ball(height: f64) -> Vec<[f64; 2]> {
    let at = |i: usize| (std::f64::consts::PI * (i as f64 / (ROUND / 2) as f64 - 0.5)).sin_cos();
    let ring = |i: usize| if i == 0 || i == ROUND / 2 { [0.0, height * at(i).0] } else { [at(i).1, height * at(i).0] };
    (0..=ROUND / 2).map(ring).collect()
}

fn capsule(radius: f64, length: f64, pieces: usize) -> Vec<[f64; 2]> {
    let half: Vec<[f64; 2]> = ball(1.0).iter().map(|[r, z]| [radius * r, radius * z]).collect();
    let (lower, upper) = half.split_at(ROUND / 4);
    let below = lower.iter().map(|[r, z]| [*r, z - 0.5 * length]);
    let side = (0..pieces).map(|i| [radius, length * (i as f64 / pieces as f64 - 0.5)]);
    let above = upper.iter().map(|[r, z]| [*r, z + 0.5 * length]);
    below.chain(side).chain(above).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(form: ShapeForm) -> f64 {
        let shape =
            SceneShape { form, node: None, position: [1.0, 2.0, 3.0], attitude: [0.5, 0.5, 0.5, 0.5], colour: None };
        let one = |patch: &Patch| {
            let first = patch.points[0];
            let pairs = patch.points[1..].windows(2).map(|pair| (pair[0] - first).cross(pair[1] - first));
            let normal = pairs.fold(Vector3::ZERO, |sum, n| sum + n);
            0.5 * normal.norm_squared().sqrt()
        };
        patches(&shape, &[], 0.3).patches.iter().map(one).sum()
    }

    #[test]
    fn pieces_cover_the_surface() {
        use std::f64::consts::PI;
        let near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 0.01;
        assert!((area(ShapeForm::Box { sides: [1.0, 2.0, 3.0] }) - 22.0).abs() < 1e-9);
        assert!(near(area(ShapeForm::Cylinder { radius: 0.5, length: 2.0 }), 2.0 * PI + 0.5 * PI));
        assert!(near(area(ShapeForm::Capsule { radius: 0.5, length: 2.0 }), 2.0 * PI + PI));
        assert!(near(area(ShapeForm::Ellipsoid { radii: [2.0; 3] }), 16.0 * PI));
    }

    #[test]
    fn a_box_has_its_twelve_edges_once() {
        let shape = SceneShape {
            form: ShapeForm::Box { sides: [1.0, 2.0, 3.0] },
            node: None,
            position: [0.0; 3],
            attitude: [0.0, 0.0, 0.0, 1.0],
            colour: Some([1.0, 0.0, 0.0, 1.0]),
        };
        let told = patches(&shape, &[], 10.0);
        assert_eq!((told.patches.len(), told.edges.len()), (6, 12));
        let length: f64 = told.edges.iter().map(|[a, b]| (*b - *a).norm_squared().sqrt()).sum();
        assert!((length - 24.0).abs() < 1e-12);
        assert_eq!(told.patches[0].colour, Some(Colour([255, 0, 0])));
        let clear = SceneShape { colour: Some([1.0, 0.0, 0.0, 0.0]), ..shape };
        assert!(patches(&clear, &[], 10.0).patches.is_empty());
    }
}
