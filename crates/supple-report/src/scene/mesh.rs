//! Meshes as pages and pictures have them: places in whole steps, few enough triangles.
//!
//! Vertices that are in one cell of a grid become one, and triangles that lose a corner go (Rossignac and Borrel's clustering). The finest
//! grid has the steps that places are stored in; a mesh with too many triangles gets a coarser one.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use supple_io::visual::Mesh;

use crate::numbers::{Bytes, Shorts};

/// Most triangles of a mesh, and of all meshes of a scene.
pub const MOST_TRIANGLES: usize = 60_000;
pub const MOST_IN_ALL: usize = 200_000;
/// Steps along each side of a mesh, and most vertices.
const STEPS: f32 = 65_535.0;
const MOST_VERTICES: usize = 65_535;
/// Halvings that look for the finest grid with few enough triangles.
const HALVINGS: usize = 8;
/// Cells along the longest side of the finest grid that is coarser than the steps.
const MOST_CELLS: f32 = 4096.0;

/// Triangles that shapes share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SceneMesh {
    /// The file as its user named it.
    pub file: String,
    /// The lowest corner of the box around it, m.
    pub corner: [f32; 3],
    /// The step of places along each axis, m.
    pub step: [f32; 3],
    /// Places of vertices, three numbers each, in steps from the corner.
    pub vertices: Shorts,
    /// Corners of each triangle, counter-clockwise seen from outside.
    pub triangles: Shorts,
    /// Red, green, blue and opacity of each vertex, to 255; empty where the file has no colours.
    pub colours: Bytes,
}

impl SceneMesh {
    /// A mesh by at most so many triangles.
    pub fn of(mesh: &Mesh, most: usize) -> Self {
        let most = most.min(MOST_TRIANGLES);
        let [low, high] = bounds(&mesh.vertices);
        let size: [f32; 3] = std::array::from_fn(|i| high[i] - low[i]);
        let step = size.map(|x| x / STEPS);
        let build = |cell: [f32; 3]| Clusters::of(mesh, low, cell);
        let fits = |found: &Clusters| found.triangles.len() <= most && found.vertices.len() <= MOST_VERTICES;
        let mut best = build(step);
        if !fits(&best) {
            // The more cells, the more triangles.
            let longest = size.into_iter().fold(0.0, f32::max);
            let (mut few, mut many) = (1.0, MOST_CELLS);
            best = build([longest; 3]);
            for _ in 0..HALVINGS {
                let cells = f32::sqrt(few * many);
                let found = build([longest / cells; 3]);
                if fits(&found) {
                    (few, best) = (cells, found);
                } else {
                    many = cells;
                }
            }
        }
        best.mesh(mesh, low, step)
    }

    /// The same by at most so many triangles.
    pub fn coarser(&self, most: usize) -> Self {
        let corner = |t: &[u16; 3]| t.map(u32::from);
        let colour = |c: &[u8; 4]| c.map(|x| f32::from(x) / 255.0);
        let told = Mesh {
            file: self.file.clone(),
            vertices: (0..self.vertices.0.len() / 3).map(|i| self.vertex(i).map(|x| x as f32)).collect(),
            triangles: self.triangles.0.as_chunks::<3>().0.iter().map(corner).collect(),
            colours: self.colours.0.as_chunks::<4>().0.iter().map(colour).collect(),
        };
        Self::of(&told, most)
    }

    /// Number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.triangles.0.len() / 3
    }

    /// Where a vertex is.
    pub fn vertex(&self, i: usize) -> [f64; 3] {
        std::array::from_fn(|c| {
            f64::from(self.corner[c]) + f64::from(self.step[c]) * f64::from(self.vertices.0[3 * i + c])
        })
    }

    /// Whether its parts fit each other.
    pub(crate) fn is_sound(&self) -> bool {
        let count = self.vertices.0.len() / 3;
        self.vertices.0.len() == 3 * count
            && self.triangles.0.len().is_multiple_of(3)
            && self.triangles.0.iter().all(|i| usize::from(*i) < count)
            && (self.colours.0.is_empty() || self.colours.0.len() == 4 * count)
    }
}

fn bounds(vertices: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let Some(first) = vertices.first() else { return [[0.0; 3]; 2] };
    vertices.iter().fold([*first; 2], |[low, high], p| {
        [std::array::from_fn(|i| low[i].min(p[i])), std::array::from_fn(|i| high[i].max(p[i]))]
    })
}

/// Vertices in the cells of a grid.
struct Clusters {
    /// Sum of places and colours, and their number.
    vertices: Vec<([f64; 3], [f64; 4], f64)>,
    triangles: Vec<[u32; 3]>,
}

impl Clusters {
    /// Vertices of different colours are not joined.
    fn of(mesh: &Mesh, low: [f32; 3], cell: [f32; 3]) -> Self {
        let mut own = Self { vertices: Vec::new(), triangles: Vec::new() };
        let mut known: HashMap<([u32; 3], [u8; 4]), u32> = HashMap::new();
        let mut found: Vec<Option<u32>> = vec![None; mesh.vertices.len()];
        let mut place = |i: u32| -> u32 {
            if let Some(index) = found[i as usize] {
                return index;
            }
            let p = mesh.vertices[i as usize];
            let colour = mesh.colours.get(i as usize).copied().unwrap_or([1.0; 4]);
            let at = |c: usize| if cell[c] > 0.0 { ((p[c] - low[c]) / cell[c]).round() as u32 } else { 0 };
            let key = (std::array::from_fn(at), colour.map(|c| (8.0 * c) as u8));
            let index = *known.entry(key).or_insert_with(|| {
                own.vertices.push(([0.0; 3], [0.0; 4], 0.0));
                own.vertices.len() as u32 - 1
            });
            let (sum, colours, count) = &mut own.vertices[index as usize];
            (0..3).for_each(|c| sum[c] += f64::from(p[c]));
            (0..4).for_each(|c| colours[c] += f64::from(colour[c]));
            *count += 1.0;
            found[i as usize] = Some(index);
            index
        };
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(&mut place);
            if a != b && b != c && c != a {
                own.triangles.push([a, b, c]);
            }
        }
        own
    }

    fn mesh(&self, told: &Mesh, corner: [f32; 3], step: [f32; 3]) -> SceneMesh {
        let mut out = SceneMesh { file: told.file.clone(), corner, step, ..SceneMesh::default() };
        for (sum, colour, count) in &self.vertices {
            let steps = |c: usize| {
                let away = sum[c] / count - f64::from(corner[c]);
                if step[c] > 0.0 { (away / f64::from(step[c])).round().clamp(0.0, f64::from(STEPS)) as u16 } else { 0 }
            };
            out.vertices.0.extend((0..3).map(steps));
            if !told.colours.is_empty() {
                out.colours.0.extend(colour.map(|c| (255.0 * c / count).round() as u8));
            }
        }
        out.triangles.0 = self.triangles.as_flattened().iter().map(|i| *i as u16).collect();
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wavy sheet of `2 n²` triangles over a square of 2 m.
    fn sheet(n: u32) -> Mesh {
        let at = |i: u32| 2.0 * i as f32 / n as f32;
        let vertices = (0..=n).flat_map(|j| (0..=n).map(move |i| [at(i), at(j), 0.1 * (3.0 * at(i)).sin()])).collect();
        let quad = |i: u32, j: u32| {
            let a = j * (n + 1) + i;
            [[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]
        };
        let triangles = (0..n).flat_map(|j| (0..n).flat_map(move |i| quad(i, j))).collect();
        Mesh { file: "sheet.stl".into(), vertices, triangles, colours: Vec::new() }
    }

    fn area(mesh: &SceneMesh) -> f64 {
        let one = |t: &[u16]| {
            let [a, b, c] = [t[0], t[1], t[2]].map(|i| mesh.vertex(usize::from(i)));
            let (p, q): ([f64; 3], [f64; 3]) =
                (std::array::from_fn(|i| b[i] - a[i]), std::array::from_fn(|i| c[i] - a[i]));
            let n = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
            0.5 * n.iter().map(|x| x * x).sum::<f64>().sqrt()
        };
        mesh.triangles.0.chunks(3).map(one).sum()
    }

    #[test]
    fn small_meshes_keep_their_triangles_and_places() {
        let told = sheet(20);
        let mesh = SceneMesh::of(&told, 1000);
        assert!(mesh.is_sound());
        assert_eq!((mesh.triangle_count(), mesh.vertices.0.len()), (800, 3 * 441));
        // Vertices come in the order in which triangles name them.
        for (triangle, shorts) in told.triangles.iter().zip(mesh.triangles.0.chunks(3)) {
            for (i, k) in triangle.iter().zip(shorts) {
                let (p, q) = (told.vertices[*i as usize], mesh.vertex(usize::from(*k)));
                assert!((0..3).all(|c| (f64::from(p[c]) - q[c]).abs() < 2.0 / 65_535.0), "{p:?} {q:?}");
            }
        }
    }

    #[test]
    fn large_meshes_become_coarser_and_stay_where_they_are() {
        let told = sheet(400);
        let (fine, coarse) = (SceneMesh::of(&sheet(150), MOST_TRIANGLES), SceneMesh::of(&told, 5000));
        assert!(coarse.is_sound());
        assert!((2500..=5000).contains(&coarse.triangle_count()), "{}", coarse.triangle_count());
        assert!((area(&coarse) / area(&fine) - 1.0).abs() < 0.05, "{} {}", area(&coarse), area(&fine));
        assert!(SceneMesh::of(&told, usize::MAX).triangle_count() <= MOST_TRIANGLES);
    }

    #[test]
    fn colours_are_kept_apart() {
        let mut told = sheet(1);
        told.colours = vec![[1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.5], [0.0, 0.0, 1.0, 0.5]];
        let mesh = SceneMesh::of(&told, 10);
        assert_eq!(mesh.colours.0.len(), 16);
        assert_eq!(mesh.colours.0[..4], [255, 0, 0, 255]);
        assert!(SceneMesh::of(&Mesh::default(), 10).is_sound());
    }
}
