//! One planar Euler-Bernoulli element, clamped at its root, as a flexible body.
//!
//! Coordinates are the nodal ones of the free end: deflection `v`, slope `v'` and axial displacement `u`. Deflections are
//! cubic, the axial displacement is linear [DS95 3.2]. With these shapes as assumed modes, not normalised, every integral
//! of the element comes from nodal sums at Gauss points that are exact for polynomials.

use crate::beam::strain::{self, StrainSample};
use crate::quadrature::gauss_legendre;
use crate::section::BeamProperties;
use supple::{Body, Fidelity, Hinge, ModalMatrix, Modes, Node, NodeIndex, Parent, SecondOrderShape};

/// Coordinates of the free end.
const MODES: usize = 3;
/// Exact to degree 19; the highest in use is that of two foreshortenings, 10.
const POINTS: usize = 10;
/// Pairs of bending coordinates whose product shortens the beam.
const PAIRS: [[usize; 2]; 3] = [[0, 0], [0, 1], [1, 1]];

/// A uniform beam along x that bends in the x-y plane and stretches, made of a single element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementBeam {
    /// Length.
    pub length: f64,
    /// Section and material; only `mass`, `axial`, `bending_y` and `rotary` are read, and bending does not feel `rotary`.
    pub properties: BeamProperties,
    /// Which terms of the dynamics the body carries.
    pub fidelity: Fidelity,
}

/// Derivatives of the three shapes at one place.
struct Place {
    deflection: [f64; MODES],
    slope: [f64; MODES],
    curvature: [f64; MODES],
    axial: [f64; MODES],
    stretch: [f64; MODES],
}

impl ElementBeam {
    fn at(&self, x: f64) -> Place {
        let l = self.length;
        let s = x / l;
        Place {
            // v = (3 s² - 2 s³) v₁ + L (s³ - s²) v'₁,  u = s u₁
            deflection: [s * s * (3.0 - 2.0 * s), l * s * s * (s - 1.0), 0.0],
            slope: [6.0 * s * (1.0 - s) / l, s * (3.0 * s - 2.0), 0.0],
            curvature: [(6.0 - 12.0 * s) / (l * l), (6.0 * s - 2.0) / l, 0.0],
            axial: [0.0, 0.0, s],
            stretch: [0.0, 0.0, 1.0 / l],
        }
    }

    /// Columns `[λ; γ]` of the coordinates at `x`, then those of the foreshortening `-∫ v_r' v_s' dx`.
    fn influence(&self, x: f64, turns: bool) -> Vec<[f64; 6]> {
        let p = self.at(x);
        let own =
            (0..MODES).map(|r| [0.0, 0.0, if turns { p.slope[r] } else { 0.0 }, p.axial[r], p.deflection[r], 0.0]);
        let pairs: &[[usize; 2]] = if self.fidelity == Fidelity::Stiffened { &PAIRS } else { &[] };
        let shortening = |[r, s]: [usize; 2]| -> f64 {
            let product = |x: f64| {
                let slope = self.at(x).slope;
                slope[r] * slope[s]
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
        let points = gauss_legendre(POINTS, self.length);
        let mut stiffness = vec![vec![0.0; MODES]; MODES];
        let mut samples = Vec::with_capacity(POINTS);
        for (x, weight) in points {
            let here = self.at(x);
            for i in 0..MODES {
                for j in 0..MODES {
                    let bending = p.bending_y * here.curvature[i] * here.curvature[j];
                    stiffness[i][j] += weight * (bending + p.axial * here.stretch[i] * here.stretch[j]);
                }
            }
            let slope = here.slope.iter().map(|v| [*v, 0.0]).collect();
            samples.push(StrainSample { weight, axial: p.axial, stretch: here.stretch.to_vec(), slope });
        }
        // The amplitude ½ Σ B η η counts a mixed pair twice, as it should.
        let shape = |pair: &[usize; 2]| SecondOrderShape { quadratic: vec![(*pair, 1.0)] };
        Modes {
            count: MODES,
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
        let beam = ElementBeam { length: 2.5, properties, fidelity: Fidelity::Exact };
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
}
