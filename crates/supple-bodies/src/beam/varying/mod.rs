//! Beams whose sections vary: tapered, pre-twisted, curved, shear-flexible, or with a full 6 × 6 stiffness.
//!
//! ```
//! use supple_bodies::beam::varying::{SectionKind, Sections, Station, VaryingBeam, VaryingModes};
//! use supple_bodies::section::{Material, Section};
//! let material = Material { young: 7e10, poisson: 0.33, density: 2700.0 };
//! let at = |x: f64, width: f64| Station {
//!     x,
//!     kind: SectionKind::Shape { section: Section::Rectangle { width, height: 0.05 }, material, shear: true },
//!     twist: 0.3 * x,
//!     curvature: [0.0; 2],
//! };
//! let blade = VaryingBeam::new(2.0, Sections(vec![at(0.0, 0.02), at(2.0, 0.01)]), VaryingModes::Coupled(4));
//! let (nodes, modes) = blade.parts(&[]);
//! assert_eq!((modes.count, nodes.last().unwrap().name.as_deref()), (6 + 4, Some("tip"))); // 6 shapes of the tip, 4 modes
//! ```

mod law;
mod line;
mod shapes;

use super::modal_beam::{Fitting, ModeCounts};
use crate::quadrature::gauss_legendre;
pub use law::{SectionKind, SectionLaw, SectionMatrix, Sections, Station, compliance_of};
use line::{Line, Matrix3, out_of};
use shapes::{Group, VaryingShape, shapes};
use supple::{Body, Fidelity, Hinge, ModalMatrix, Modes, Node, Parent, SHAPE_LIMIT, SecondOrderShape};

/// Second-order shapes that move no place by more than this part of the largest are left out.
const NOTHING: f64 = 1e-12;

static FAMILIES: [Group; 4] = [
    Group { components: &[1, 5], tips: &[1, 5] },
    Group { components: &[2, 4], tips: &[2, 4] },
    Group { components: &[0], tips: &[0] },
    Group { components: &[3], tips: &[3] },
];
static ALL: Group = Group { components: &[0, 1, 2, 3, 4, 5], tips: &[0, 1, 2, 3, 4, 5] };

/// Numbers of modes with the tip held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VaryingModes {
    /// By family, for sections that couple none; a family with any has its static shapes of the tip besides.
    Families(ModeCounts),
    /// Of all families together, besides six static shapes of the tip.
    Coupled(usize),
}

/// A beam with any sections, clamped at its root, for whatever hangs on the tip. Sections carry their rotary inertia.
#[derive(Clone, Debug, PartialEq)]
pub struct VaryingBeam {
    /// Length along the line.
    pub length: f64,
    /// Sections along the line.
    pub sections: Sections,
    /// The place on the line of the sections where the beam begins; with a straight line it may be cut from a longer one.
    pub from: f64,
    /// Numbers of modes.
    pub modes: VaryingModes,
    /// Mass at the tip, in the axes of the root.
    pub tip: Fitting,
    /// What other bodies will put on the tip: the shapes are combined to the modes with it. It adds no mass.
    pub carried: Fitting,
    /// Which terms of the dynamics the body carries; it has no nonlinear stiffness.
    pub fidelity: Fidelity,
    /// Damping ratio of every mode, with what is carried.
    pub damping_ratio: f64,
}

/// The beam at its places.
struct Sampled {
    line: Line,
    shapes: Vec<VaryingShape>,
    /// Places and nodes with the mass.
    carrying: Vec<(usize, Node)>,
    second: Vec<([usize; 2], Vec<[f64; 3]>)>,
}

impl VaryingBeam {
    /// A beam without tip mass or damping, with the recommended fidelity.
    pub fn new(length: f64, sections: Sections, modes: VaryingModes) -> Self {
        Self {
            length,
            sections,
            from: 0.0,
            modes,
            tip: Fitting::default(),
            carried: Fitting::default(),
            fidelity: Fidelity::Stiffened,
            damping_ratio: 0.0,
        }
    }

    /// How many shapes there are, if no stress resultant is rigid.
    pub fn shape_count(&self) -> usize {
        let of_family = |count: usize, family: &Group| if count > 0 { count + family.tips.len() } else { 0 };
        match self.modes {
            VaryingModes::Families(m) => counts(&m).iter().zip(&FAMILIES).map(|(n, f)| of_family(*n, f)).sum(),
            VaryingModes::Coupled(count) => of_family(count, &ALL),
        }
    }

    /// Number of shapes with their pairs, which [`supple::SHAPE_LIMIT`] bounds where the fidelity is nonlinear.
    pub fn shapes_and_pairs(&self) -> usize {
        let n = self.shape_count();
        let pairs = if self.fidelity == Fidelity::Stiffened { n.saturating_mul(n + 1) / 2 } else { 0 };
        n.saturating_add(pairs)
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.quadrature().len() + 2
    }

    /// Places and weights of the nodes with mass: enough for products of shapes, none across a break.
    fn quadrature(&self) -> Vec<(f64, f64)> {
        let most = match self.modes {
            VaryingModes::Families(m) => counts(&m).into_iter().max().unwrap_or(0),
            VaryingModes::Coupled(count) => count,
        };
        let inner = self.sections.breaks().map(|x| x - self.from).filter(|x| *x > 0.0 && *x < self.length);
        let mut ends: Vec<f64> = [0.0, self.length].into_iter().chain(inner).collect();
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        let points = ((16 + 3 * most) / (ends.len() - 1)).max(4);
        let part = |pair: &[f64]| gauss_legendre(points, pair[1] - pair[0]);
        ends.windows(2).flat_map(|pair| part(pair).into_iter().map(|(x, w)| (pair[0] + x, w))).collect()
    }

    fn sample(&self, stations: &[f64]) -> Sampled {
        let points = self.quadrature();
        let mut places: Vec<f64> = [0.0, self.length].into_iter().chain(stations.iter().copied()).collect();
        places.extend(points.iter().map(|(x, _)| *x));
        places.sort_by(f64::total_cmp);
        let line = Line::new(&self.sections, self.from, &places);
        let carrying: Vec<(usize, Node)> = points.iter().map(|(x, w)| self.carrying(&line, *x, *w)).collect();
        let load = [fitting(&self.tip), fitting(&self.carried)];
        let of = |group: &Group, count: usize| match count {
            0 => Vec::new(),
            count => shapes(&line, group, count, &carrying, &load),
        };
        let shapes = match self.modes {
            VaryingModes::Families(m) => counts(&m).iter().zip(&FAMILIES).flat_map(|(n, f)| of(f, *n)).collect(),
            VaryingModes::Coupled(count) => of(&ALL, count),
        };
        let mut sampled = Sampled { line, shapes, carrying, second: Vec::new() };
        if self.fidelity == Fidelity::Stiffened {
            sampled.second = sampled.second_order();
        }
        sampled
    }

    /// The node with the mass of a piece of the line.
    fn carrying(&self, line: &Line, x: f64, weight: f64) -> (usize, Node) {
        let place = line.place(x);
        let point = line.point(place);
        let law = &point.law;
        let centre = out_of(&point.axes, [0.0, law.mass_centre[0], law.mass_centre[1]]);
        let node = Node {
            position: point.position,
            mass: law.mass * weight,
            mass_centre: centre,
            inertia: turned(&point.axes, &law.inertia).map(|row| row.map(|x| x * weight)),
            ..Node::default()
        };
        (place, node)
    }

    /// Nodes of the body (root, those with mass, tip, massless ones at `stations`), and its modes. Both belong together: equal frequencies leave
    /// shapes undetermined.
    pub fn parts(&self, stations: &[f64]) -> (Vec<Node>, Modes) {
        let (count, all) = (self.shape_count(), self.shapes_and_pairs());
        if all > SHAPE_LIMIT {
            let mut nodes = vec![Node::default(); 2 + stations.len()];
            (nodes[0].name, nodes[1].name) = (Some("root".into()), Some("tip".into()));
            return (nodes, super::too_many(count, all - count));
        }
        let sampled = self.sample(stations);
        (self.nodes(&sampled, stations), self.modal_data(&sampled))
    }

    fn nodes(&self, sampled: &Sampled, stations: &[f64]) -> Vec<Node> {
        // The root is at rest.
        let mut nodes = vec![Node { name: Some("root".into()), ..Node::default() }];
        for (place, node) in &sampled.carrying {
            nodes.push(Node { influence: sampled.influence(*place), ..node.clone() }.at_mass_centre());
        }
        let last = sampled.line.place(self.length);
        let mut tip = Node {
            name: Some("tip".into()),
            position: sampled.line.tip().position,
            influence: sampled.influence(last),
            ..fitting(&self.tip)
        };
        if tip.mass_centre != [0.0; 3] {
            nodes.push(tip.at_mass_centre());
            tip = tip.without_mass();
        }
        nodes.push(tip);
        for x in stations {
            let place = sampled.line.place(*x);
            let (position, influence) = (sampled.line.point(place).position, sampled.influence(place));
            nodes.push(Node { position, influence, ..Node::default() });
        }
        nodes
    }

    /// Stiffness, damping and second-order shapes.
    fn modal_data(&self, sampled: &Sampled) -> Modes {
        let stiffness: Vec<f64> = sampled.shapes.iter().map(|shape| shape.stiffness).collect();
        let damping = stiffness.iter().map(|k| 2.0 * self.damping_ratio * k.sqrt()).collect();
        Modes {
            count: stiffness.len(),
            damping: if self.damping_ratio == 0.0 { ModalMatrix::Zero } else { ModalMatrix::Diagonal(damping) },
            stiffness: ModalMatrix::Diagonal(stiffness),
            fidelity: self.fidelity,
            second_order: sampled
                .second
                .iter()
                .map(|(pair, _)| SecondOrderShape { quadratic: vec![(*pair, 1.0)] })
                .collect(),
            ..Modes::default()
        }
    }

    /// The body, carried at its root.
    pub fn body(&self, name: impl Into<String>, parent: Parent, hinge: Hinge) -> Body {
        let (nodes, modes) = self.parts(&[]);
        Body { nodes, modes, ..Body::new(name, parent, hinge) }
    }
}

impl Sampled {
    fn influence(&self, place: usize) -> Vec<[f64; 6]> {
        let first = self.shapes.iter().map(|shape| shape.motions[place].column);
        let second = self.second.iter().map(|(_, u)| [0.0, 0.0, 0.0, u[place][0], u[place][1], u[place][2]]);
        first.chain(second).collect()
    }

    /// Pairs of shapes whose product draws places in along the line.
    fn second_order(&self) -> Vec<([usize; 2], Vec<[f64; 3]>)> {
        let dot = |a: &[f64; 3], b: &[f64; 3]| -> f64 { a.iter().zip(b).map(|(x, y)| x * y).sum() };
        let places = self.shapes.first().map_or(0, |shape| shape.motions.len());
        let bends: Vec<Vec<[f64; 3]>> =
            self.shapes.iter().map(|shape| (0..places).map(|place| self.bend(shape, place)).collect()).collect();
        let slope = |r: usize, place: usize| self.shapes[r].motions[place].slope;
        let drawn = |[r, s]: [usize; 2]| {
            let inner = |k: usize| dot(&slope(r, k), &slope(s, k));
            let change = |k: usize| dot(&bends[r][k], &slope(s, k)) + dot(&slope(r, k), &bends[s][k]);
            self.line.drawn_in(inner, change)
        };
        let n = self.shapes.len();
        let pairs = (0..n).flat_map(|r| (r..n).map(move |s| [r, s]));
        let all: Vec<([usize; 2], Vec<[f64; 3]>)> = pairs.map(|pair| (pair, drawn(pair))).collect();
        let size = |u: &[[f64; 3]]| u.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
        let own: Vec<f64> =
            (0..n).map(|r| all.iter().find(|(p, _)| *p == [r, r]).map_or(0.0, |(_, u)| size(u))).collect();
        let most = own.iter().fold(0.0_f64, |m, x| m.max(*x));
        all.into_iter().filter(|([r, s], u)| size(u) > NOTHING * most.max((own[*r] * own[*s]).sqrt())).collect()
    }

    /// `d/dx` of the slope, but for that of shear.
    fn bend(&self, shape: &VaryingShape, place: usize) -> [f64; 3] {
        let mut out = self.line.carried_along(&shape.motions[place], place);
        for (field, weight) in &shape.fields {
            out.iter_mut().zip(self.line.bend(*field, place)).for_each(|(x, y)| *x += weight * y);
        }
        out
    }
}

fn counts(modes: &ModeCounts) -> [usize; 4] {
    [modes.bending_y, modes.bending_z, modes.stretch, modes.twist]
}

fn fitting(told: &Fitting) -> Node {
    Node { mass: told.mass, mass_centre: told.mass_centre, inertia: told.inertia, ..Node::default() }
}

/// `R J R*`.
fn turned(axes: &Matrix3, inertia: &Matrix3) -> Matrix3 {
    let entry = |i: usize, j: usize| (0..9).map(|k| axes[i][k / 3] * inertia[k / 3][k % 3] * axes[j][k % 3]).sum();
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}
