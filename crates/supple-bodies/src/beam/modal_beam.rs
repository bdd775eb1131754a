//! A uniform beam as a flexible body: exact modes on nodes whose sums are integrals.
//!
//! The beam runs along x from its root at `F_k`. Nodes: the root, Gauss points that carry the mass, the tip. With enough points
//! every modal integral is that of the continuous beam to rounding.

use super::Support;
use super::bending::{EndLoad, bending_modes};
use super::interface;
use super::rod::rod_modes;
use super::shape::{Family, Profile, Shape, Term};
use super::strain::{self, StrainSample};
use crate::quadrature::gauss_legendre;
use crate::report;
use crate::section::BeamProperties;
use supple::{
    Body, Fidelity, Hinge, ModalMatrix, Modes, Node, NodeIndex, NonlinearStiffness, Parent, SecondOrderShape,
};

/// Numbers of modes by family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModeCounts {
    /// Bending in the x-y plane.
    pub bending_y: usize,
    /// Bending in the x-z plane.
    pub bending_z: usize,
    /// Stretch.
    pub stretch: usize,
    /// Twist.
    pub twist: usize,
}

impl ModeCounts {
    /// All modes together.
    pub fn total(&self) -> usize {
        self.bending_y + self.bending_z + self.stretch + self.twist
    }
}

/// A rigid mass at an end of a beam.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fitting {
    /// Mass.
    pub mass: f64,
    /// Mass centre from the end of the beam.
    pub mass_centre: [f64; 3],
    /// Inertia about the end of the beam.
    pub inertia: [[f64; 3]; 3],
}

/// A uniform beam and the modes it is given.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalBeam {
    /// Length.
    pub length: f64,
    /// Section and material.
    pub properties: BeamProperties,
    /// How the beam is held while its modes are found.
    pub support: Support,
    /// Numbers of modes.
    pub modes: ModeCounts,
    /// Whether bending turns the sections and so carries their rotary inertia. Without it sections keep their inertia
    /// in the motion of the whole body and in twist.
    pub rotary_inertia: bool,
    /// Mass at the tip; with [`Support::ClampedLoaded`] the modes know of it.
    pub tip: Fitting,
    /// What other bodies will put on the tip, for the modes only: with [`Support::ClampedLoaded`] they are found as if it were there, and
    /// are exact where it is. It adds no mass. Where the load is heavy, modes of the free tip, which has no moment, converge slowly.
    pub carried: Fitting,
    /// Which terms of the dynamics the body carries. It has the tables that this fidelity reads and no others: set it here, not on the body.
    pub fidelity: Fidelity,
    /// Damping ratio of every mode, with what is carried.
    pub damping_ratio: f64,
}

/// The shapes of a beam, and the points at which integrals sample them.
pub(super) struct Sampled {
    pub shapes: Vec<Shape>,
    pub points: Vec<(f64, f64)>,
}

impl ModalBeam {
    /// A cantilever without tip mass, rotary inertia or damping, with the recommended fidelity.
    pub fn cantilever(length: f64, properties: BeamProperties, modes: ModeCounts) -> Self {
        Self {
            length,
            properties,
            support: Support::ClampedFree,
            modes,
            rotary_inertia: false,
            tip: Fitting::default(),
            carried: Fitting::default(),
            fidelity: Fidelity::Stiffened,
            damping_ratio: 0.0,
        }
    }

    /// A beam for whatever hangs on its tip: two static tip shapes per bending family and one for stretch and twist, then the numbers of
    /// modes of the held tip that `modes` says ([`Support::ClampedInterface`]). No tip mass, rotary inertia or damping, with the
    /// recommended fidelity.
    pub fn carrying(length: f64, properties: BeamProperties, modes: ModeCounts) -> Self {
        Self { support: Support::ClampedInterface, ..Self::cantilever(length, properties, modes) }
    }

    /// Numbers of shapes by family: the modes, and with [`Support::ClampedInterface`] the static tip shapes of families that have any.
    pub fn shape_counts(&self) -> ModeCounts {
        let with_tip = |modes: usize, family: Family| match self.support {
            Support::ClampedInterface if modes > 0 => modes + interface::tip_shapes(family),
            _ => modes,
        };
        ModeCounts {
            bending_y: with_tip(self.modes.bending_y, Family::BendingY),
            bending_z: with_tip(self.modes.bending_z, Family::BendingZ),
            stretch: with_tip(self.modes.stretch, Family::Stretch),
            twist: with_tip(self.modes.twist, Family::Twist),
        }
    }

    /// Number of modes with their pairs in bending, which [`supple::SHAPE_LIMIT`] bounds where the fidelity is nonlinear.
    pub fn shapes_and_pairs(&self) -> usize {
        let counts = self.shape_counts();
        let pairs = |n: usize| n.saturating_mul(n + 1) / 2;
        match self.fidelity {
            Fidelity::Stiffened | Fidelity::Exact | Fidelity::Consistent => {
                counts.total().saturating_add(pairs(counts.bending_y)).saturating_add(pairs(counts.bending_z))
            }
            _ => counts.total(),
        }
    }

    /// Whether it has more modes than a body may have. Such a beam has no shapes: building a model of it fails, and says why.
    fn is_too_large(&self) -> bool {
        self.shapes_and_pairs() > supple::SHAPE_LIMIT
    }

    /// Index of the tip node in [`nodes`](Self::nodes).
    pub fn tip_node(&self) -> NodeIndex {
        NodeIndex(if self.is_too_large() { 1 } else { self.points() + 1 })
    }

    /// Gauss points: enough for products of four of the highest shapes.
    fn points(&self) -> usize {
        let m = self.shape_counts();
        12 + 4 * m.bending_y.max(m.bending_z).max(m.stretch).max(m.twist)
    }

    /// Mass and inertia at the tip while the modes are found.
    fn end_load(&self) -> (f64, [f64; 3]) {
        (
            self.tip.mass + self.carried.mass,
            std::array::from_fn(|i| self.tip.inertia[i][i] + self.carried.inertia[i][i]),
        )
    }

    pub(super) fn sample(&self) -> Sampled {
        let points = gauss_legendre(self.points(), self.length);
        let m = self.modes;
        let families = [
            (Family::BendingY, m.bending_y),
            (Family::BendingZ, m.bending_z),
            (Family::Stretch, m.stretch),
            (Family::Twist, m.twist),
        ];
        let shapes = families.into_iter().flat_map(|(family, count)| match self.support {
            Support::ClampedInterface => interface::shapes(self, family, count, &points),
            _ => self.exact_modes(family, count, &points),
        });
        Sampled { shapes: shapes.collect(), points }
    }

    /// Modes of the continuous beam for its support, of unit modal mass with what is at the tip.
    fn exact_modes(&self, family: Family, count: usize, points: &[(f64, f64)]) -> Vec<Shape> {
        let p = &self.properties;
        let (mass, j) = self.end_load();
        let bending = |inertia: f64| -> Vec<Term> {
            let load = EndLoad { mass: mass / p.mass, inertia: inertia / p.mass };
            bending_modes(self.support, load, self.length, count).into_iter().map(Term::Bending).collect()
        };
        let rod = |load: f64| -> Vec<Term> {
            rod_modes(self.support, load, self.length, count).into_iter().map(Term::Rod).collect()
        };
        let terms = match family {
            Family::BendingY => bending(j[2]),
            Family::BendingZ => bending(j[1]),
            Family::Stretch => rod(mass / p.mass),
            Family::Twist => rod(j[0] / p.rotary[0].max(f64::MIN_POSITIVE)),
        };
        let scaled = |term: Term| {
            let shape = Shape { family, profile: Profile(vec![(1.0, term)]) };
            let at = |x: f64| self.felt(shape.influence(x));
            let own: f64 = points.iter().map(|(x, w)| self.kinetic(&at(*x), &at(*x)) * w).sum();
            let tip = shape.influence(self.length);
            let fitted = mass * (tip[3] * tip[3] + tip[4] * tip[4] + tip[5] * tip[5])
                + (0..3).map(|i| j[i] * tip[i] * tip[i]).sum::<f64>();
            let profile = shape.profile.times((own + fitted).sqrt().recip());
            Shape { family, profile }.with_positive_tip(self.length)
        };
        terms.into_iter().map(scaled).collect()
    }

    /// `a* M b` per length of two columns.
    pub(super) fn kinetic(&self, a: &[f64; 6], b: &[f64; 6]) -> f64 {
        let translation = a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
        let rotary = self.properties.rotary;
        self.properties.mass * translation + (0..3).map(|i| rotary[i] * a[i] * b[i]).sum::<f64>()
    }

    /// `a* M b` of two columns at the tip, of the mass there and of what is carried.
    pub(super) fn loaded(&self, a: &[f64; 6], b: &[f64; 6]) -> f64 {
        let of = |fitting: &Fitting| {
            let node = Node {
                mass: fitting.mass,
                mass_centre: fitting.mass_centre,
                inertia: fitting.inertia,
                ..Node::default()
            };
            report::bilinear(&node, a, b)
        };
        of(&self.tip) + of(&self.carried)
    }

    /// The column of a shape as the mass of a section feels it: without rotary inertia, bending does not turn the sections.
    pub(super) fn felt(&self, mut column: [f64; 6]) -> [f64; 6] {
        if !self.rotary_inertia {
            (column[1], column[2]) = (0.0, 0.0);
        }
        column
    }

    /// The nonlinear elastic force that the fidelity reads: with many modes it would be most of the body.
    fn nonlinear(&self, sampled: &Sampled) -> NonlinearStiffness {
        let samples = || self.strain_samples(sampled);
        match self.fidelity {
            Fidelity::Exact => strain::greens_strain(&samples()),
            Fidelity::Consistent => {
                NonlinearStiffness { axial_load: strain::axial_load(&samples()), ..NonlinearStiffness::default() }
            }
            _ => NonlinearStiffness::default(),
        }
    }

    /// Strains and slopes per mode at the Gauss points.
    fn strain_samples(&self, sampled: &Sampled) -> Vec<StrainSample> {
        let shapes = &sampled.shapes;
        let at = |x: f64, weight: f64| StrainSample {
            weight,
            axial: self.properties.axial,
            stretch: shapes.iter().map(|shape| shape.stretch(x)).collect(),
            slope: shapes.iter().map(|shape| shape.slope(x)).collect(),
        };
        sampled.points.iter().map(|(x, w)| at(*x, *w)).collect()
    }

    /// Pairs of bending modes whose product shortens the beam; the two planes share pairs where their modes are alike.
    fn foreshortening_pairs(&self) -> Vec<Vec<[usize; 2]>> {
        if self.fidelity != Fidelity::Stiffened {
            return Vec::new();
        }
        let ModeCounts { bending_y: y, bending_z: z, .. } = self.shape_counts();
        let j = self.end_load().1;
        // Combinations of a family depend on how many there are.
        let counted = self.support != Support::ClampedInterface || y == z;
        let alike = counted && j[1] == j[2] && self.properties.rotary[1] == self.properties.rotary[2];
        let pairs = |n: usize| (0..n).flat_map(move |r| (r..n).map(move |s| [r, s]));
        let in_y: Vec<_> = pairs(y).collect();
        let in_z: Vec<_> = pairs(z).collect();
        let mut out: Vec<Vec<[usize; 2]>> = in_y.iter().map(|pair| vec![*pair]).collect();
        for [r, s] in in_z {
            let place = in_y.iter().position(|p| alike && *p == [r, s]);
            match place {
                Some(at) => out[at].push([y + r, y + s]),
                None => out.push(vec![[y + r, y + s]]),
            }
        }
        out
    }

    /// Columns of the second-order shapes at `x`: `-∫ (v_r' v_s' + w_r' w_s') dx` up to there, along x.
    fn foreshortening(&self, sampled: &Sampled, x: f64) -> Vec<[f64; 6]> {
        let points = gauss_legendre(self.points(), x);
        // Each slope once: there are far more pairs than shapes.
        let slopes: Vec<Vec<[f64; 2]>> =
            sampled.shapes.iter().map(|shape| points.iter().map(|(x, _)| shape.slope(*x)).collect()).collect();
        let integral = |[r, s]: [usize; 2]| -> f64 {
            let both = slopes[r].iter().zip(&slopes[s]);
            points.iter().zip(both).map(|((_, w), (a, b))| -w * strain::dot(*a, *b)).sum()
        };
        self.foreshortening_pairs().iter().map(|pairs| [0.0, 0.0, 0.0, integral(pairs[0]), 0.0, 0.0]).collect()
    }

    /// Nodes of the body: root, Gauss points, tip.
    pub fn nodes(&self) -> Vec<Node> {
        if self.is_too_large() {
            let named = |name: &str| Node { name: Some(name.into()), ..Node::default() };
            return vec![named("root"), named("tip")];
        }
        let sampled = self.sample();
        let influence = |x: f64| -> Vec<[f64; 6]> {
            let modes = sampled.shapes.iter().map(|shape| shape.influence(x));
            modes.chain(self.foreshortening(&sampled, x)).collect()
        };
        let strain = |x: f64| sampled.shapes.iter().map(|shape| shape.node_strain(x)).collect();
        let diagonal = |d: [f64; 3]| [[d[0], 0.0, 0.0], [0.0, d[1], 0.0], [0.0, 0.0, d[2]]];
        let mut nodes =
            vec![Node { name: Some("root".into()), influence: influence(0.0), strain: strain(0.0), ..Node::default() }];
        if self.support.holds_the_root() {
            // Exactly at rest, whatever the rounding of the shapes.
            nodes[0].influence = Vec::new();
        }
        for (x, w) in &sampled.points {
            nodes.push(Node {
                position: [*x, 0.0, 0.0],
                mass: self.properties.mass * w,
                inertia: diagonal(self.properties.rotary.map(|r| r * w)),
                influence: influence(*x).into_iter().map(|c| self.felt(c)).collect(),
                strain: strain(*x),
                ..Node::default()
            });
        }
        let mut tip = Node {
            name: Some("tip".into()),
            position: [self.length, 0.0, 0.0],
            mass: self.tip.mass,
            mass_centre: self.tip.mass_centre,
            inertia: self.tip.inertia,
            influence: influence(self.length),
            strain: strain(self.length),
        };
        if self.tip.mass_centre != [0.0; 3] {
            nodes.push(tip.at_mass_centre());
            tip = tip.without_mass();
        }
        nodes.push(tip);
        nodes
    }

    /// Massless nodes at positions along the beam, for hinges and loads between root and tip.
    pub fn stations(&self, positions: &[f64]) -> Vec<Node> {
        if self.is_too_large() {
            return vec![Node::default(); positions.len()];
        }
        let sampled = self.sample();
        let influence = |x: f64| -> Vec<[f64; 6]> {
            let modes = sampled.shapes.iter().map(|shape| shape.influence(x));
            modes.chain(self.foreshortening(&sampled, x)).collect()
        };
        let strain = |x: f64| sampled.shapes.iter().map(|shape| shape.node_strain(x)).collect();
        let node = |x: &f64| Node {
            position: [*x, 0.0, 0.0],
            influence: influence(*x),
            strain: strain(*x),
            ..Node::default()
        };
        positions.iter().map(node).collect()
    }

    /// The body, carried at its root.
    pub fn body(&self, name: impl Into<String>, parent: Parent, hinge: Hinge) -> Body {
        Body { nodes: self.nodes(), modes: self.modal_data(), ..Body::new(name, parent, hinge) }
    }

    /// Stiffness, damping and nonlinear elastic force of the modes, by the fidelity.
    pub fn modal_data(&self) -> Modes {
        if self.is_too_large() {
            let count = self.shape_counts().total();
            return super::too_many(count, self.shapes_and_pairs().saturating_sub(count));
        }
        let sampled = self.sample();
        let count = sampled.shapes.len();
        let stiffness = strain::stiffness(self, &sampled);
        let damping = (0..count).map(|r| 2.0 * self.damping_ratio * stiffness[r][r].sqrt()).collect();
        Modes {
            count,
            damping: if self.damping_ratio == 0.0 { ModalMatrix::Zero } else { ModalMatrix::Diagonal(damping) },
            stiffness: diagonal_if_possible(stiffness),
            nonlinear: self.nonlinear(&sampled),
            fidelity: self.fidelity,
            second_order: self
                .foreshortening_pairs()
                .into_iter()
                .map(|pairs| SecondOrderShape { quadratic: pairs.into_iter().map(|pair| (pair, 1.0)).collect() })
                .collect(),
        }
    }
}

/// Drops entries off the diagonal that are rounding.
fn diagonal_if_possible(full: Vec<Vec<f64>>) -> ModalMatrix {
    let n = full.len();
    let coupled = (0..n).any(|i| (0..i).any(|j| full[i][j].abs() > 1e-10 * (full[i][i] * full[j][j]).sqrt()));
    if coupled { ModalMatrix::Full(full) } else { ModalMatrix::Diagonal((0..n).map(|i| full[i][i]).collect()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::section::{Material, Section};

    /// Modes with a load that is carried are those with the same load as part of the beam, whose mass alone differs; and a load in
    /// both places counts twice.
    #[test]
    fn what_is_carried_shapes_the_modes_only() {
        let material = Material { young: 7e10, poisson: 0.3, density: 2700.0 };
        let properties = BeamProperties::new(Section::Tube { outer: 0.05, inner: 0.04 }, material);
        let modes = ModeCounts { bending_y: 2, bending_z: 1, stretch: 1, twist: 1 };
        let load = |times: f64| {
            let j = [0.3, 0.4, 0.5].map(|x| x * times);
            Fitting {
                mass: 20.0 * times,
                inertia: [[j[0], 0.0, 0.0], [0.0, j[1], 0.0], [0.0, 0.0, j[2]]],
                ..Fitting::default()
            }
        };
        let beam = ModalBeam {
            support: Support::ClampedLoaded,
            damping_ratio: 0.01,
            ..ModalBeam::cantilever(2.0, properties, modes)
        };
        let own = ModalBeam { tip: load(1.0), ..beam.clone() };
        let carrying = ModalBeam { carried: load(1.0), ..beam.clone() };
        assert_eq!(own.modal_data(), carrying.modal_data());
        for (a, b) in own.nodes().iter().zip(&carrying.nodes()) {
            assert_eq!((&a.influence, a.position), (&b.influence, b.position));
        }
        let mass = |beam: &ModalBeam| beam.nodes().iter().map(|node| node.mass).sum::<f64>();
        assert!((mass(&own) - mass(&carrying) - 20.0).abs() < 1e-12);
        assert!((mass(&carrying) - mass(&beam)).abs() < 1e-12);
        let both = ModalBeam { tip: load(1.0), carried: load(1.0), ..beam.clone() };
        assert_eq!(both.modal_data(), ModalBeam { tip: load(2.0), ..beam }.modal_data());
    }

    /// Stations at the ends are the end nodes, and one at a Gauss point moves like it.
    #[test]
    fn stations_move_with_the_beam() {
        let material = Material { young: 7e10, poisson: 0.3, density: 2700.0 };
        let properties = BeamProperties::new(Section::Tube { outer: 0.05, inner: 0.04 }, material);
        let modes = ModeCounts { bending_y: 2, bending_z: 2, stretch: 1, twist: 1 };
        let beam = ModalBeam { rotary_inertia: true, ..ModalBeam::cantilever(2.0, properties, modes) };
        let nodes = beam.nodes();
        let (tip, middle) = (&nodes[beam.tip_node().0], &nodes[7]);
        let stations = beam.stations(&[2.0, middle.position[0], 0.0]);
        assert_eq!(stations[0].influence, tip.influence);
        assert_eq!(stations[1].influence, middle.influence);
        assert_eq!((stations[1].position, stations[1].mass), (middle.position, 0.0));
        assert!(stations[2].influence.as_flattened().iter().all(|x| x.abs() < 1e-9));
    }
}
