//! Shapes for whatever the tip of a beam does: Craig and Bampton's for a beam that is clamped at its root.
//!
//! A bending family has the two static shapes of a unit displacement and of a unit rotation of the tip, cubics, and the exact modes of the
//! beam with both ends clamped; stretch and twist have one static shape, linear in x, and the modes with both ends fixed. Together they
//! meet any force and moment at the tip exactly in statics, and converge quickly in dynamics: modes of a free tip have no moment there, so
//! that a link that carries another is too stiff.
//!
//! The shapes of a family are combined to the modes of the beam with its load: `ϕ* M ϕ = 1` and `ϕ* K ϕ` diagonal. The combination
//! changes no span, only the coordinates.

use super::Support;
use super::bending::{EndLoad, bending_modes};
use super::modal_beam::ModalBeam;
use super::rod::rod_modes;
use super::shape::{Family, Profile, Shape, Term};
use crate::eigen;

/// Static tip shapes of a family.
pub(super) fn tip_shapes(family: Family) -> usize {
    match family {
        Family::BendingY | Family::BendingZ => 2,
        Family::Stretch | Family::Twist => 1,
    }
}

/// The shapes of a family with `count` modes of the held tip, as the modes of the beam with what is at its tip; none for a count of zero.
pub(super) fn shapes(beam: &ModalBeam, family: Family, count: usize, points: &[(f64, f64)]) -> Vec<Shape> {
    if count == 0 {
        return Vec::new();
    }
    let raw: Vec<Shape> =
        terms(family, beam.length, count).map(|term| Shape { family, profile: Profile(vec![(1.0, term)]) }).collect();
    let columns = |x: f64| -> Vec<[f64; 6]> { raw.iter().map(|shape| shape.influence(x)).collect() };
    let inside: Vec<(Vec<[f64; 6]>, f64)> =
        points.iter().map(|(x, w)| (columns(*x).into_iter().map(|column| beam.felt(column)).collect(), *w)).collect();
    let tip = columns(beam.length);
    let mass = |r: usize, s: usize| -> f64 {
        inside.iter().map(|(c, w)| w * beam.kinetic(&c[r], &c[s])).sum::<f64>() + beam.loaded(&tip[r], &tip[s])
    };
    // Of a unit modulus: equal sections in both planes then have equal shapes.
    let strains: Vec<(Vec<f64>, f64)> =
        points.iter().map(|(x, w)| (raw.iter().map(|shape| shape.strains(*x).iter().sum()).collect(), *w)).collect();
    let stiffness = |r: usize, s: usize| -> f64 { strains.iter().map(|(e, w)| w * e[r] * e[s]).sum() };
    let n = raw.len();
    let matrix = |entry: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
        (0..n).map(|r| (0..n).map(|s| entry(r, s)).collect()).collect()
    };
    // Without mass there are no modes: not a number, which `build` refuses.
    let (_, vectors) = eigen::generalised(&matrix(&stiffness), &matrix(&mass))
        .unwrap_or_else(|| (Vec::new(), vec![vec![f64::NAN; n]; n]));
    let combined = |v: Vec<f64>| {
        let terms = v.into_iter().zip(&raw).flat_map(|(factor, shape)| shape.profile.clone().times(factor).0);
        Shape { family, profile: Profile(terms.collect()) }.with_positive_tip(beam.length)
    };
    vectors.into_iter().map(combined).collect()
}

/// The static shapes, then the modes of the held tip.
fn terms(family: Family, length: f64, count: usize) -> impl Iterator<Item = Term> {
    let (l, held) = (length, Support::ClampedInterface);
    let (tips, modes): (Vec<Term>, Vec<Term>) = match family {
        Family::BendingY | Family::BendingZ => {
            let none = EndLoad { mass: 0.0, inertia: 0.0 };
            let displacement = Term::Polynomial([0.0, 0.0, 3.0 / (l * l), -2.0 / (l * l * l)]);
            let rotation = Term::Polynomial([0.0, 0.0, -1.0 / l, 1.0 / (l * l)]);
            let modes = bending_modes(held, none, l, count);
            (vec![displacement, rotation], modes.into_iter().map(Term::Bending).collect())
        }
        Family::Stretch | Family::Twist => {
            let modes = rod_modes(held, 0.0, l, count);
            (vec![Term::Polynomial([0.0, 1.0 / l, 0.0, 0.0])], modes.into_iter().map(Term::Rod).collect())
        }
    };
    tips.into_iter().chain(modes)
}
