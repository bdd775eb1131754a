//! One Euler-Bernoulli element, clamped at its root, as a flexible body.
//!
//! Coordinates are the nodal ones of the free end: deflection `v`, slope `v'` and axial displacement `u`, and out of the plane
//! `w`, `w'` and the twist `φ`. Deflections are cubic, the axial displacement and the twist are linear [DS95 3.2]. With these
//! shapes as assumed modes, not normalised, every integral of the element comes from nodal sums at Gauss points that are exact for
//! polynomials. They are also the static shapes of any load on the free end.

use crate::beam::strain::{self, StrainSample};
use crate::quadrature::gauss_legendre;
use crate::section::BeamProperties;
use supple::{Body, Fidelity, Hinge, ModalMatrix, Modes, Node, NodeIndex, Parent, SecondOrderShape};

/// Coordinates of the free end in the plane.
const PLANE: usize = 3;
/// All coordinates of the free end.
const SPACE: usize = 6;
/// Exact to degree 19; the highest in use is that of two foreshortenings, 10.
const POINTS: usize = 10;
/// Pairs of deflection and slope whose product shortens the beam.
const PAIRS: [[usize; 2]; 3] = [[0, 0], [0, 1], [1, 1]];

/// A uniform beam along x made of a single element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementBeam {
    /// Length.
    pub length: f64,
    /// Section and material. Bending does not feel `rotary`; in the plane `bending_z` and `torsion` are not read.
    pub properties: BeamProperties,
    /// Which terms of the dynamics the body carries.
    pub fidelity: Fidelity,
    /// Whether it bends in the x-z plane as well.
    pub spatial: bool,
    /// Whether it twists, where it bends in both planes.
    pub twist: bool,
}

/// Derivatives of the shapes at one place: `v`, `v'`, `u`, `w`, `w'`, `φ`.
struct Place {
    /// `[v, w]`.
    deflection: [[f64; 2]; SPACE],
    /// `[v', w']`.
    slope: [[f64; 2]; SPACE],
    /// `[v'', w'']`.
    curvature: [[f64; 2]; SPACE],
    /// `[u, φ]`.
    rod: [[f64; 2]; SPACE],
    /// `[u', φ']`.
    strain: [[f64; 2]; SPACE],
}

impl ElementBeam {
    /// Number of coordinates.
    pub fn modes(&self) -> usize {
        if !self.spatial { PLANE } else { SPACE - usize::from(!self.twist) }
    }

    fn at(&self, x: f64) -> Place {
        let l = self.length;
        let s = x / l;
        // v = (3 s² - 2 s³) v₁ + L (s³ - s²) v'₁,  u = s u₁; the same for w and φ.
        let bent = |[a, b]: [f64; 2]| [[a, 0.0], [b, 0.0], [0.0; 2], [0.0, a], [0.0, b], [0.0; 2]];
        let drawn = |a: f64| [[0.0; 2], [0.0; 2], [a, 0.0], [0.0; 2], [0.0; 2], [0.0, a]];
        Place {
            deflection: bent([s * s * (3.0 - 2.0 * s), l * s * s * (s - 1.0)]),
            slope: bent([6.0 * s * (1.0 - s) / l, s * (3.0 * s - 2.0)]),
            curvature: bent([(6.0 - 12.0 * s) / (l * l), (6.0 * s - 2.0) / l]),
            rod: drawn(s),
            strain: drawn(1.0 / l),
        }
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
        let pairs: &[[usize; 2]] = if self.fidelity == Fidelity::Stiffened { &PAIRS } else { &[] };
        let shortening = |[r, s]: [usize; 2]| -> f64 {
            let product = |x: f64| {
                let slope = self.at(x).slope;
                slope[r][0] * slope[s][0]
            };
            gauss_legendre(POINTS, x).iter().map(|(x, w)| -w * product(*x)).sum()
        };
        own.chain(pairs.iter().map(|pair| [0.0, 0.0, 0.0, shortening(*pair), 0.0, 0.0])).collect()
    }

    /// Index of the tip node in [`nodes`](Self::nodes).
    pub fn tip_node(&self) -> NodeIndex {
        NodeIndex(POINTS + 1)
    }

    /// Nodes of the body: root, Gauss points that carry the mass, tip.
    pub fn nodes(&self) -> Vec<Node> {
        let [x, y, z] = self.properties.rotary;
        let root = Node { name: Some("root".into()), ..Node::default() };
        let inner = gauss_legendre(POINTS, self.length).into_iter().map(|(at, w)| Node {
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

    /// Stiffness and nonlinear elastic force of the element.
    pub fn modal_data(&self) -> Modes {
        let p = &self.properties;
        let count = self.modes();
        let points = gauss_legendre(POINTS, self.length);
        let mut stiffness = vec![vec![0.0; count]; count];
        let mut samples = Vec::with_capacity(POINTS);
        for (x, weight) in points {
            let here = self.at(x);
            let ([c, e], moduli) = ([&here.curvature, &here.strain], [p.bending_y, p.bending_z, p.axial, p.torsion]);
            for i in 0..count {
                for j in 0..count {
                    let products = [c[i][0] * c[j][0], c[i][1] * c[j][1], e[i][0] * e[j][0], e[i][1] * e[j][1]];
                    stiffness[i][j] += weight * moduli.iter().zip(products).map(|(k, x)| k * x).sum::<f64>();
                }
            }
            let stretch = here.strain[..count].iter().map(|s| s[0]).collect();
            samples.push(StrainSample { weight, axial: p.axial, stretch, slope: here.slope[..count].to_vec() });
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
            second_order: if self.fidelity == Fidelity::Stiffened { PAIRS.iter().map(shape).collect() } else { vec![] },
        }
    }

    /// The body, carried at its root.
    pub fn body(&self, name: impl Into<String>, parent: Parent, hinge: Hinge) -> Body {
        Body { nodes: self.nodes(), modes: self.modal_data(), ..Body::new(name, parent, hinge) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stiffness and mass of textbooks: EI/L³ [12, -6L; -6L, 4L²], EA/L; ρAL/420 [156, -22L; -22L, 4L²], ρAL/3.
    #[test]
    fn textbook_matrices() {
        let properties = BeamProperties {
            mass: 1.3,
            axial: 7.0,
            bending_y: 5.0,
            bending_z: 5.0,
            torsion: 1.0,
            shear: f64::INFINITY,
            rotary: [0.0; 3],
        };
        let beam = ElementBeam { length: 2.5, properties, fidelity: Fidelity::Exact, spatial: false, twist: false };
        let l = beam.length;
        let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-13 * b.abs().max(1.0), "{a} {b}");
        let ModalMatrix::Full(k) = beam.modal_data().stiffness else { panic!("a full matrix") };
        let bending = 5.0 / l.powi(3);
        for (value, exact) in [
            (k[0][0], 12.0 * bending),
            (k[0][1], -6.0 * l * bending),
            (k[1][1], 4.0 * l * l * bending),
            (k[2][2], 7.0 / l),
            (k[0][2], 0.0),
        ] {
            close(value, exact);
        }
        let nodes = beam.nodes();
        let mass = |i: usize, j: usize| -> f64 {
            let dot = |n: &Node| (3..6).map(|e| n.influence[i][e] * n.influence[j][e]).sum::<f64>();
            nodes.iter().filter(|n| n.mass > 0.0).map(|n| n.mass * dot(n)).sum()
        };
        let unit = 1.3 * l / 420.0;
        for (value, exact) in [
            (mass(0, 0), 156.0 * unit),
            (mass(0, 1), -22.0 * l * unit),
            (mass(1, 1), 4.0 * l * l * unit),
            (mass(2, 2), 140.0 * unit),
        ] {
            close(value, exact);
        }
    }

    /// The element in space is the plane one twice, and a shaft.
    #[test]
    fn space_is_two_planes_and_a_shaft() {
        let properties = BeamProperties {
            mass: 1.3,
            axial: 7.0,
            bending_y: 5.0,
            bending_z: 3.0,
            torsion: 2.0,
            shear: f64::INFINITY,
            rotary: [0.1, 0.0, 0.0],
        };
        let plane =
            ElementBeam { length: 2.5, properties, fidelity: Fidelity::Stiffened, spatial: false, twist: false };
        let space = ElementBeam { spatial: true, twist: true, ..plane };
        let stiffness = |beam: &ElementBeam| match beam.modal_data().stiffness {
            ModalMatrix::Full(k) => k,
            _ => panic!("a full matrix"),
        };
        let (k, own) = (stiffness(&space), stiffness(&plane));
        for i in 0..3 {
            for j in 0..3 {
                assert_eq!(k[i][j], own[i][j]);
                assert_eq!(k[i][j + 3], 0.0);
            }
        }
        for i in 0..2 {
            assert!((0..2).all(|j| (k[i + 3][j + 3] / own[i][j] - 0.6).abs() < 1e-14));
        }
        assert!((k[5][5] - 2.0 / 2.5).abs() < 1e-14);
        let tip = &space.nodes()[space.tip_node().0].influence;
        assert_eq!(
            (tip[3], tip[4], tip[5]),
            ([0.0, 0.0, 0.0, 0.0, 0.0, 1.0], [0.0, -1.0, 0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        );
        assert_eq!(space.modal_data().second_order.len(), 3);
    }
}
