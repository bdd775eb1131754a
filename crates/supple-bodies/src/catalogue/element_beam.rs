//! Euler-Bernoulli elements in a row, clamped at their root, as one flexible body.
//!
//! Coordinates are the nodal ones of every station behind the root: deflection `v`, slope `v'` and axial displacement `u`, and out of the plane
//! `w`, `w'` and the twist `φ`. Deflections are cubic, the axial displacement and the twist are linear in each element [DS95 3.2]. With these
//! shapes as assumed modes, not normalised, every integral comes from nodal sums at Gauss points that are exact for
//! polynomials. Those of a single element are also the static shapes of any load on the free end.

use crate::beam::strain::{self, StrainSample};
use crate::quadrature::gauss_legendre;
use crate::section::BeamProperties;
use supple::{Body, Fidelity, Hinge, ModalMatrix, Modes, Node, NodeIndex, Parent, SecondOrderShape};

/// Coordinates of a station in the plane.
const PLANE: usize = 3;
/// All coordinates of a station.
const SPACE: usize = 6;
/// Of each element. Exact to degree 19; the highest in use is that of two foreshortenings, 10.
const POINTS: usize = 10;

/// A uniform beam along x made of elements of the same length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementBeam {
    /// Length of all elements together.
    pub length: f64,
    /// Number of elements.
    pub elements: usize,
    /// Section and material. Bending does not feel `rotary`; in the plane `bending_z` and `torsion` are not read.
    pub properties: BeamProperties,
    /// Which terms of the dynamics the body carries.
    pub fidelity: Fidelity,
    /// Whether it bends in the x-z plane as well.
    pub spatial: bool,
    /// Whether it twists, where it bends in both planes.
    pub twist: bool,
}

/// Derivatives of the shapes at one place, for every coordinate.
struct Place {
    /// `[v, w]`.
    deflection: Vec<[f64; 2]>,
    /// `[v', w']`.
    slope: Vec<[f64; 2]>,
    /// `[v'', w'']`.
    curvature: Vec<[f64; 2]>,
    /// `[u, φ]`.
    rod: Vec<[f64; 2]>,
    /// `[u', φ']`.
    strain: Vec<[f64; 2]>,
}

/// Shapes of one end of an element and their derivatives: of its deflection and slope, and of its displacement or twist.
struct End {
    deflection: [f64; 2],
    slope: [f64; 2],
    curvature: [f64; 2],
    rod: f64,
    strain: f64,
}

/// Shapes of both ends of an element of length `l` at `s` of its length.
fn ends(l: f64, s: f64) -> [End; 2] {
    [
        // v = (1 - 3 s² + 2 s³) v₀ + L (s - 2 s² + s³) v'₀,  u = (1 - s) u₀
        End {
            deflection: [1.0 - s * s * (3.0 - 2.0 * s), l * s * (1.0 - s) * (1.0 - s)],
            slope: [-6.0 * s * (1.0 - s) / l, 1.0 - s * (4.0 - 3.0 * s)],
            curvature: [(12.0 * s - 6.0) / (l * l), (6.0 * s - 4.0) / l],
            rod: 1.0 - s,
            strain: -1.0 / l,
        },
        // v = (3 s² - 2 s³) v₁ + L (s³ - s²) v'₁,  u = s u₁
        End {
            deflection: [s * s * (3.0 - 2.0 * s), l * s * s * (s - 1.0)],
            slope: [6.0 * s * (1.0 - s) / l, s * (3.0 * s - 2.0)],
            curvature: [(6.0 - 12.0 * s) / (l * l), (6.0 * s - 2.0) / l],
            rod: s,
            strain: 1.0 / l,
        },
    ]
}

impl ElementBeam {
    /// Number of coordinates of a station.
    fn per_station(&self) -> usize {
        if !self.spatial { PLANE } else { SPACE - usize::from(!self.twist) }
    }

    /// Number of coordinates.
    pub fn modes(&self) -> usize {
        self.elements * self.per_station()
    }

    fn at(&self, x: f64) -> Place {
        let (count, per, l) = (self.modes(), self.per_station(), self.length / self.elements as f64);
        let zero = || vec![[0.0; 2]; count];
        let mut place = Place { deflection: zero(), slope: zero(), curvature: zero(), rod: zero(), strain: zero() };
        let element = ((x / l) as usize).min(self.elements - 1);
        for (station, end) in (element..).zip(ends(l, x / l - element as f64)) {
            // The root does not move.
            let Some(first) = station.checked_sub(1).map(|s| s * per) else { continue };
            for (plane, of_plane) in
                [first, first + PLANE].into_iter().enumerate().take(if self.spatial { 2 } else { 1 })
            {
                for i in 0..2 {
                    place.deflection[of_plane + i][plane] = end.deflection[i];
                    place.slope[of_plane + i][plane] = end.slope[i];
                    place.curvature[of_plane + i][plane] = end.curvature[i];
                }
                // `u` behind the slope of the first plane, `φ` behind that of the second.
                if of_plane + 2 < first + per {
                    place.rod[of_plane + 2][plane] = end.rod;
                    place.strain[of_plane + 2][plane] = end.strain;
                }
            }
        }
        place
    }

    /// Places and weights that integrate over the beam from its root to `x`, element by element.
    fn points(&self, x: f64) -> impl Iterator<Item = (f64, f64)> {
        let l = self.length / self.elements as f64;
        (0..self.elements)
            .map(move |e| (e as f64 * l, (x - e as f64 * l).min(l)))
            .filter(|(_, part)| *part > 0.0)
            .flat_map(|(start, part)| {
                gauss_legendre(POINTS, part).into_iter().map(move |(at, weight)| (start + at, weight))
            })
    }

    /// Pairs of coordinates of the first plane whose product shortens the beam; none where the fidelity has no such shapes.
    fn pairs(&self) -> Vec<[usize; 2]> {
        if self.fidelity != Fidelity::Stiffened {
            return Vec::new();
        }
        let per = self.per_station();
        let bending: Vec<usize> = (0..self.elements).flat_map(|station| [station * per, station * per + 1]).collect();
        // Stations that share no element have no product.
        let near = |r: usize, s: usize| r <= s && s / per <= r / per + 1;
        let with = |&r: &usize| bending.iter().filter(move |s| near(r, **s)).map(move |s| [r, *s]);
        bending.iter().flat_map(with).collect()
    }

    /// Columns `[λ; γ]` of the coordinates at `x`, then those of the foreshortening `-∫ v_r' v_s' dx`.
    fn influence(&self, x: f64, turns: bool) -> Vec<[f64; 6]> {
        let p = self.at(x);
        let own = (0..self.modes()).map(|r| {
            let [v, w] = p.deflection[r];
            let [about_z, about_y] = if turns { p.slope[r] } else { [0.0; 2] };
            let [u, twist] = p.rod[r];
            [twist, -about_y, about_z, u, v, w]
        });
        let shortening = |[r, s]: [usize; 2]| -> f64 {
            let product = |x: f64| {
                let slope = self.at(x).slope;
                slope[r][0] * slope[s][0]
            };
            self.points(x).map(|(x, w)| -w * product(x)).sum()
        };
        own.chain(self.pairs().into_iter().map(|pair| [0.0, 0.0, 0.0, shortening(pair), 0.0, 0.0])).collect()
    }

    /// Index of the tip node in [`nodes`](Self::nodes).
    pub fn tip_node(&self) -> NodeIndex {
        NodeIndex(self.elements * POINTS + 1)
    }

    /// Nodes of the body: root, Gauss points that carry the mass, tip.
    pub fn nodes(&self) -> Vec<Node> {
        let [x, y, z] = self.properties.rotary;
        let root = Node { name: Some("root".into()), ..Node::default() };
        let inner = self.points(self.length).map(|(at, w)| Node {
            position: [at, 0.0, 0.0],
            mass: self.properties.mass * w,
            inertia: [[x * w, 0.0, 0.0], [0.0, y * w, 0.0], [0.0, 0.0, z * w]],
            influence: self.influence(at, false),
            ..Node::default()
        });
        let tip = Node {
            name: Some("tip".into()),
            position: [self.length, 0.0, 0.0],
            influence: self.influence(self.length, true),
            ..Node::default()
        };
        std::iter::once(root).chain(inner).chain([tip]).collect()
    }

    /// Stiffness and nonlinear elastic force of the beam.
    pub fn modal_data(&self) -> Modes {
        let p = &self.properties;
        let count = self.modes();
        let mut stiffness = vec![vec![0.0; count]; count];
        let mut samples = Vec::with_capacity(POINTS * self.elements);
        for (x, weight) in self.points(self.length) {
            let Place { curvature: c, strain: e, slope, .. } = self.at(x);
            let moduli = [p.bending_y, p.bending_z, p.axial, p.torsion];
            for i in 0..count {
                for j in 0..count {
                    let products = [c[i][0] * c[j][0], c[i][1] * c[j][1], e[i][0] * e[j][0], e[i][1] * e[j][1]];
                    stiffness[i][j] += weight * moduli.iter().zip(products).map(|(k, x)| k * x).sum::<f64>();
                }
            }
            let stretch = e.iter().map(|s| s[0]).collect();
            samples.push(StrainSample { weight, axial: p.axial, stretch, slope });
        }
        // The amplitude ½ Σ B η η counts a mixed pair twice, as it should.
        let shape = |[r, s]: &[usize; 2]| {
            let planes: &[usize] = if self.spatial { &[0, PLANE] } else { &[0] };
            SecondOrderShape { quadratic: planes.iter().map(|first| ([first + r, first + s], 1.0)).collect() }
        };
        Modes {
            count,
            stiffness: ModalMatrix::Full(stiffness),
            damping: ModalMatrix::Zero,
            nonlinear: strain::nonlinear(&samples),
            fidelity: self.fidelity,
            second_order: self.pairs().iter().map(shape).collect(),
        }
    }

    /// The body, carried at its root.
    pub fn body(&self, name: impl Into<String>, parent: Parent, hinge: Hinge) -> Body {
        Body { nodes: self.nodes(), modes: self.modal_data(), ..Body::new(name, parent, hinge) }
    }
}

#[cfg(test)]
mod tests;
