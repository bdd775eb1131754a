//! Strain of bodies whose nodes lie on a line.
//!
//! A beam along x with stretch `ε = u′`, curvatures `κ_y = θ_y′` and `κ_z = θ_z′` has the normal strain
//!
//! ```text
//! ε_x(y, z) = ε + z κ_y − y κ_z
//! ```
//!
//! Shapes are known at nodes. Derivatives along the line are those of the polynomial through the five nearest nodes. Where the nodes tell no
//! rotations (sections without rotary inertia do not feel them), `θ_y = −w′` and `θ_z = v′`, as of a beam without shear. Shapes of second order
//! are left out: what shortens a beam as it bends does not strain it.

use serde::{Deserialize, Serialize};
use supple::Node;
use supple_bodies::section::Section;
use supple_io::model_file::BeamLine;

use crate::numbers::Singles;

/// Nodes that make a derivative.
const STENCIL: usize = 5;
/// Nodes closer than this part of the line count as one: their differences would be rounding.
const CLOSEST: f64 = 1e-3;
/// Numbers per node and mode.
const NUMBERS: usize = 3;

/// Stretch and curvature along a line of nodes per unit modal coordinate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineStrain {
    /// Per node of the line and per mode: stretch, curvature about y and about z of the section, 1/m.
    pub shapes: Singles,
    /// Where the farthest fibres are, where the section is known.
    pub fibres: Option<Fibres>,
}

/// Where the fibres of a section are that are farthest from its axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Fibres {
    /// On a circle.
    Round {
        /// Its radius.
        radius: f64,
    },
    /// In the corners of a rectangle.
    Corners {
        /// Half its width along y.
        y: f64,
        /// Half its height along z.
        z: f64,
    },
}

impl Fibres {
    /// Of a section.
    pub fn of(section: &Section) -> Self {
        match *section {
            Section::Tube { outer, .. } => Self::Round { radius: outer },
            Section::Box { width, height, .. } | Section::Rectangle { width, height } => {
                Self::Corners { y: 0.5 * width, z: 0.5 * height }
            }
        }
    }

    /// The greatest normal strain in the section, without sign: `max |ε + z κ_y − y κ_z|`.
    pub fn greatest(&self, [stretch, kappa_y, kappa_z]: [f64; 3]) -> f64 {
        match self {
            Self::Round { radius } => stretch.abs() + radius * kappa_y.hypot(kappa_z),
            Self::Corners { y, z } => stretch.abs() + z * kappa_y.abs() + y * kappa_z.abs(),
        }
    }
}

impl LineStrain {
    /// Of nodes in their order along a line, `modes` modes, on the beam where it is known. None where there are too few nodes.
    pub(super) fn of(nodes: &[&Node], modes: usize, beam: Option<&BeamLine>) -> Option<Self> {
        let line = Line::of(nodes, modes, beam)?;
        let mut shapes = vec![0.0; NUMBERS * nodes.len() * modes];
        for n in line.first..=line.last {
            for (r, out) in shapes[NUMBERS * n * modes..][..NUMBERS * modes].chunks_mut(NUMBERS).enumerate() {
                line.differentiate(nodes, n, r).iter().zip(out).for_each(|(x, out)| *out = *x as f32);
            }
        }
        let fibres = beam.and_then(|beam| beam.section.as_ref()).map(Fibres::of);
        Some(Self { shapes: Singles(shapes), fibres })
    }

    /// Stretch and curvatures at a node of the line.
    pub fn at(&self, node: usize, eta: &[f64]) -> [f64; 3] {
        let own = &self.shapes.0[NUMBERS * node * eta.len()..][..NUMBERS * eta.len()];
        let mut out = [0.0; 3];
        for (shape, eta) in own.chunks(NUMBERS).zip(eta) {
            shape.iter().zip(&mut out).for_each(|(x, out)| *out += f64::from(*x) * eta);
        }
        out
    }
}

/// Where nodes are along a beam, and which of them derivatives are made of.
struct Line {
    /// Along, then y and z.
    axes: [[f64; 3]; 3],
    places: Vec<f64>,
    /// The first and last node that are on the beam.
    first: usize,
    last: usize,
    /// Nodes on the beam, without those too close to others.
    chosen: Vec<usize>,
    /// Whether nodes tell how their sections turn.
    turning: bool,
}

impl Line {
    fn of(nodes: &[&Node], modes: usize, beam: Option<&BeamLine>) -> Option<Self> {
        let (start, end) = (nodes.first()?.position, nodes.last()?.position);
        let axes = match beam {
            Some(beam) => std::array::from_fn(|j| std::array::from_fn(|i| beam.axes[i][j])),
            None => axes_along(std::array::from_fn(|i| end[i] - start[i]))?,
        };
        let origin = beam.map_or(start, |beam| beam.start);
        let places: Vec<f64> =
            nodes.iter().map(|node| (0..3).map(|i| (node.position[i] - origin[i]) * axes[0][i]).sum()).collect();
        let (first, last) = match beam {
            Some(beam) => {
                let room = 1e-9 * beam.length;
                let on = |s: &f64| *s >= -room && *s <= beam.length + room;
                (places.iter().position(on)?, places.iter().rposition(on)?)
            }
            None => moving(nodes, modes)?,
        };
        let least = CLOSEST * (places[last] - places[first]).abs();
        let mut chosen = vec![first];
        for n in first + 1..last {
            let after = chosen.last().is_none_or(|m| (places[n] - places[*m]).abs() >= least);
            if after && (places[last] - places[n]).abs() >= least {
                chosen.push(n);
            }
        }
        chosen.push(last);
        let own = Self { axes, places, first, last, chosen, turning: false };
        let turning = own.are_turning(nodes, modes);
        (own.chosen.len() > 2).then_some(Self { turning, ..own })
    }

    /// A component of the rotation (`part` 0) or displacement (`part` 1) of a node in a mode.
    fn component(&self, node: &Node, r: usize, part: usize, axis: usize) -> f64 {
        let own = node.influence.get(r).copied().unwrap_or([0.0; 6]);
        (0..3).map(|i| self.axes[axis][i] * own[3 * part + i]).sum()
    }

    /// Whether most nodes that move across the line turn as well, in whatever mode.
    fn are_turning(&self, nodes: &[&Node], modes: usize) -> bool {
        let any = |n: usize, part: usize| {
            (0..modes).any(|r| (1..3).any(|axis| self.component(nodes[n], r, part, axis) != 0.0))
        };
        let inner = &self.chosen[1..self.chosen.len() - 1];
        let moves = inner.iter().filter(|n| any(**n, 1)).count();
        let turns = inner.iter().filter(|n| any(**n, 1) && any(**n, 0)).count();
        2 * turns > moves
    }

    /// Stretch and curvatures of mode `r` at node `n`.
    fn differentiate(&self, nodes: &[&Node], n: usize, r: usize) -> [f64; 3] {
        let near = self.nearest(self.places[n]);
        let weights = weights(near.iter().map(|m| self.places[*m] - self.places[n]));
        let derivative = |order: usize, part: usize, axis: usize| -> f64 {
            let term = |(m, w): (&usize, &[f64; 3])| w[order] * self.component(nodes[*m], r, part, axis);
            near.iter().zip(&weights).map(term).sum()
        };
        let stretch = derivative(1, 1, 0);
        if self.turning {
            [stretch, derivative(1, 0, 1), derivative(1, 0, 2)]
        } else {
            [stretch, -derivative(2, 1, 2), derivative(2, 1, 1)]
        }
    }

    /// The chosen nodes nearest to a place.
    fn nearest(&self, place: f64) -> &[usize] {
        let count = STENCIL.min(self.chosen.len());
        let away = |window: &[usize]| window.iter().map(|m| (self.places[*m] - place).abs()).fold(0.0, f64::max);
        let windows = self.chosen.windows(count);
        windows.min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(&self.chosen)
    }
}

/// The part of a line of nodes whose ends move, or are the last ones that do not.
fn moving(nodes: &[&Node], modes: usize) -> Option<(usize, usize)> {
    let moves = |node: &&Node| node.influence.iter().take(modes).flatten().any(|x| *x != 0.0);
    let (first, last) = (nodes.iter().position(moves)?, nodes.iter().rposition(moves)?);
    Some((first.saturating_sub(1), (last + 1).min(nodes.len() - 1)))
}

/// Three axes, the first along a direction.
fn axes_along(direction: [f64; 3]) -> Option<[[f64; 3]; 3]> {
    let unit = |a: [f64; 3]| {
        let length = a.iter().map(|x| x * x).sum::<f64>().sqrt();
        (length > 0.0).then(|| a.map(|x| x / length))
    };
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let x = unit(direction)?;
    let other = if x[2].abs() < 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
    let y = unit(cross(other, x))?;
    Some([x, y, cross(x, y)])
}

/// Weights of values at some places for the value and the first two derivatives at zero of the polynomial through them (Fornberg's
/// recursion over the places).
fn weights(places: impl Iterator<Item = f64>) -> Vec<[f64; 3]> {
    let mut own: Vec<[f64; 3]> = Vec::new();
    let (mut before, mut product) = (Vec::new(), 1.0);
    for x in places {
        if before.is_empty() {
            own.push([1.0, 0.0, 0.0]);
            before.push(x);
            continue;
        }
        let last = before[before.len() - 1];
        let newest = own[own.len() - 1];
        let next: f64 = before.iter().map(|other| x - other).product();
        let order = |w: &[f64; 3], k: usize| if k > 0 { k as f64 * w[k - 1] } else { 0.0 };
        let added = std::array::from_fn(|k| product / next * (order(&newest, k) - last * newest[k]));
        for (w, other) in own.iter_mut().zip(&before) {
            *w = std::array::from_fn(|k| (x * w[k] - order(w, k)) / (x - other));
        }
        own.push(added);
        before.push(x);
        product = next;
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_exact_for_polynomials() {
        let places = [-0.7, -0.2, 0.1, 0.5, 1.3];
        let weights = weights(places.into_iter());
        for power in 0..5 {
            let found: [f64; 3] = std::array::from_fn(|order| {
                weights.iter().zip(places).map(|(w, x): (_, f64)| w[order] * x.powi(power)).sum()
            });
            let expected = match power {
                0 => [1.0, 0.0, 0.0],
                1 => [0.0, 1.0, 0.0],
                2 => [0.0, 0.0, 2.0],
                _ => [0.0; 3],
            };
            for (a, b) in found.iter().zip(expected) {
                assert!((a - b).abs() < 1e-12, "{power}: {found:?}");
            }
        }
    }

    #[test]
    fn the_farthest_fibre_feels_most() {
        let tube = Fibres::Round { radius: 0.1 };
        assert!((tube.greatest([-0.001, 0.3, 0.4]) - 0.051).abs() < 1e-15);
        let bar = Fibres::of(&Section::Rectangle { width: 0.2, height: 0.4 });
        assert!((bar.greatest([0.001, -0.3, 0.4]) - (0.001 + 0.06 + 0.04)).abs() < 1e-15);
    }

    #[test]
    fn a_line_without_three_nodes_has_no_strain() {
        let node =
            |x: f64| Node { position: [x, 0.0, 0.0], influence: vec![[0.0, 0.0, x, 0.0, x, 0.0]], ..Node::default() };
        let (a, b) = (node(0.0), node(1.0));
        assert_eq!(LineStrain::of(&[&a, &b], 1, None), None);
        assert_eq!(LineStrain::of(&[], 1, None), None);
    }
}
