//! `<equality>` and fixed tendons: closures between bodies, couplings of joints.

use std::collections::BTreeMap;

use supple::ClosureKind;

use super::attributes::{cannot, flag, number, numbers, some_numbers};
use super::bodies::Body;
use super::defaults::{Defaults, Tag};
use super::document::{Attribute, Element};
use super::joint::Joint;
use super::names::Names;
use super::omitted::left_out;
use super::pose::{self, Pose};
use crate::robot::{MAX_SHOWN, Reading, Tie, TieEnd, TieKind};
use crate::source::{Rule, shorten};

/// What closures are between: bodies and sites by name, in their frames and in space as the model is drawn.
pub(super) struct Things<'t, 'd> {
    pub(super) bodies: &'t [Body<'d>],
    pub(super) joints: &'t [Joint],
    /// Sites by name: the body, and the frame in it.
    pub(super) sites: BTreeMap<&'d str, (usize, Pose)>,
}

/// `Σ factor · joint`, the value of a fixed tendon less that where the model is drawn.
type Sum = Vec<(usize, f64)>;

/// Reads all equalities of a document. Frames of the ties are those of the bodies in the file.
pub(super) fn read<'d>(
    root: &'d Element,
    defaults: &'d Defaults<'d>,
    things: &Things<'_, 'd>,
    reading: &mut Reading<'_>,
) -> Vec<Tie> {
    let bodies = things.bodies.iter().enumerate().map(|(k, body)| (body.name.as_str(), k)).collect();
    let joints: BTreeMap<&str, usize> =
        things.joints.iter().enumerate().map(|(k, joint)| (joint.name.as_str(), k)).collect();
    let drawn = drawn(things.bodies);
    let mut reader = Reader { things, bodies, joints, tendons: BTreeMap::new(), drawn };
    reader.tendons = reader.tendons(root, defaults, reading);
    let mut names = Names::new("equality", std::iter::empty());
    let mut ties = Vec::new();
    for element in root.all("equality").flat_map(|list| &list.children) {
        let name = names.own(element, reading);
        let subject = if name.is_empty() { "equality".to_owned() } else { format!("equality '{name}'") };
        let Some(tag) = defaults.tag(element, defaults.main(), reading) else { continue };
        let tag = tag.of_kind("equality");
        match flag(&tag, "active", true, &subject, reading) {
            Some(true) => {}
            Some(false) => {
                left_out(
                    element.span.clone(),
                    &subject,
                    "the constraint is not active, and is left out".into(),
                    reading,
                );
                continue;
            }
            None => continue,
        }
        let kind = reader.kind(&tag, &subject, reading);
        let name = (!name.is_empty()).then_some(name);
        ties.extend(kind.map(|kind| Tie { name, span: element.span.clone(), kind }));
    }
    ties
}

/// Frames of all bodies in space, as the model is drawn.
fn drawn(bodies: &[Body<'_>]) -> Vec<Pose> {
    let mut drawn: Vec<Pose> = Vec::with_capacity(bodies.len());
    for (k, body) in bodies.iter().enumerate() {
        let outer = if k == 0 { Pose::IDENTITY } else { drawn[body.parent] };
        drawn.push(outer.then(&body.pose));
    }
    drawn
}

struct Reader<'r, 'd> {
    things: &'r Things<'r, 'd>,
    bodies: BTreeMap<&'r str, usize>,
    joints: BTreeMap<&'r str, usize>,
    tendons: BTreeMap<&'d str, Sum>,
    drawn: Vec<Pose>,
}

impl<'d> Reader<'_, 'd> {
    fn kind(&self, tag: &Tag<'d>, subject: &str, reading: &mut Reading<'_>) -> Option<TieKind> {
        match tag.element.tag.as_str() {
            "connect" => self.connect(tag, subject, reading),
            "weld" => self.weld(tag, subject, reading),
            "joint" => {
                let one = |name: &'static str, reading: &mut Reading<'_>| {
                    let told = tag.get(name)?;
                    Some(vec![(self.joint(told, subject, reading)?, 1.0)])
                };
                self.coupling(tag, ["joint1", "joint2"], &one, subject, reading)
            }
            "tendon" => {
                let sum = |name: &'static str, reading: &mut Reading<'_>| {
                    let told = tag.get(name)?;
                    let found = self.tendons.get(told.value.as_str()).cloned();
                    if found.is_none() {
                        let known = reading.report.names(self.tendons.keys().copied());
                        let name = shorten(&told.value, MAX_SHOWN);
                        reading.error(
                            told.span.clone(),
                            subject,
                            Rule::UnknownName { kind: "fixed tendon", name, known },
                        );
                    }
                    found
                };
                self.coupling(tag, ["tendon1", "tendon2"], &sum, subject, reading)
            }
            _ => {
                cannot(tag, "", "this constraint is not supported", subject, reading);
                None
            }
        }
    }

    /// `first - a₁ second = a₀`, both counted from where the model is drawn.
    fn coupling(
        &self,
        tag: &Tag<'d>,
        [first, second]: [&'static str; 2],
        sum: &dyn Fn(&'static str, &mut Reading<'_>) -> Option<Sum>,
        subject: &str,
        reading: &mut Reading<'_>,
    ) -> Option<TieKind> {
        if tag.get(first).is_none() {
            let rule = Rule::MissingAttribute { attribute: first, element: tag.element.tag.clone() };
            reading.error(tag.element.span.clone(), subject, rule);
            return None;
        }
        let polynomial = some_numbers(tag, "polycoef", [0.0, 1.0, 0.0, 0.0, 0.0], subject, reading)?;
        let [offset, slope, curved @ ..] = polynomial;
        let mut joints = sum(first, reading)?;
        if tag.get(second).is_some() {
            if curved.iter().any(|coefficient| *coefficient != 0.0) {
                cannot(tag, "polycoef", "couplings are linear", subject, reading);
                return None;
            }
            joints.extend(sum(second, reading)?.into_iter().map(|(joint, factor)| (joint, -slope * factor)));
        }
        joints.retain(|(_, factor)| *factor != 0.0);
        Some(TieKind::Coupling { joints, offset })
    }

    /// A joint of one coordinate.
    fn joint(&self, told: &Attribute, subject: &str, reading: &mut Reading<'_>) -> Option<usize> {
        let Some(found) = self.joints.get(told.value.as_str()).copied() else {
            let known = reading.report.names(self.joints.keys().copied());
            let rule = Rule::UnknownName { kind: "joint", name: shorten(&told.value, MAX_SHOWN), known };
            reading.error(told.span.clone(), subject, rule);
            return None;
        };
        if !self.things.joints[found].is_scalar() {
            let what = format!("the joint '{}' has more than one coordinate", self.things.joints[found].name);
            let rule = Rule::Mismatch { what, expected: "a hinge or slide joint".into() };
            reading.error(told.span.clone(), subject, rule);
            return None;
        }
        Some(found)
    }

    fn connect(&self, tag: &Tag<'d>, subject: &str, reading: &mut Reading<'_>) -> Option<TieKind> {
        if let Some(ends) = self.sites(tag, subject, reading) {
            return Some(TieKind::Joint { kind: ClosureKind::Ball, ends: ends? });
        }
        let (a, b) = (self.body(tag, "body1", subject, reading)?, self.body(tag, "body2", subject, reading)?);
        if tag.get("anchor").is_none() {
            let rule = Rule::MissingAttribute { attribute: "anchor", element: "connect".into() };
            reading.error(tag.element.span.clone(), subject, rule);
            return None;
        }
        let position = numbers(tag, "anchor", [0.0; 3], subject, reading)?;
        let place = Pose { position, ..Pose::IDENTITY };
        let of_b = self.drawn[b].inverse().then(&self.drawn[a]).then(&place);
        Some(TieKind::Joint { kind: ClosureKind::Ball, ends: [end(a, &place), end(b, &of_b)] })
    }

    fn weld(&self, tag: &Tag<'d>, subject: &str, reading: &mut Reading<'_>) -> Option<TieKind> {
        // Without a scale of the turn, only points are held together.
        let kind = match number(tag, "torquescale", 1.0, subject, reading)? {
            0.0 => ClosureKind::Ball,
            _ => ClosureKind::Weld,
        };
        if let Some(ends) = self.sites(tag, subject, reading) {
            return Some(TieKind::Joint { kind, ends: ends? });
        }
        let (a, b) = (self.body(tag, "body1", subject, reading)?, self.body(tag, "body2", subject, reading)?);
        let position = numbers(tag, "anchor", [0.0; 3], subject, reading)?;
        let place = Pose { position, ..Pose::IDENTITY };
        let [x, y, z, q @ ..] = some_numbers(tag, "relpose", [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0], subject, reading)?;
        let of_a = match pose::of_quaternion(q) {
            Some(rotation) => Pose { position: [x, y, z], rotation },
            None => self.drawn[a].inverse().then(&self.drawn[b]).then(&place),
        };
        Some(TieKind::Joint { kind, ends: [end(a, &of_a), end(b, &place)] })
    }

    /// The frames of two sites, where the constraint is between sites.
    #[allow(clippy::option_option)] // No sites, and sites that there are not, are different.
    fn sites(&self, tag: &Tag<'d>, subject: &str, reading: &mut Reading<'_>) -> Option<Option<[TieEnd; 2]>> {
        if tag.get("site1").is_none() && tag.get("site2").is_none() {
            return None;
        }
        let mut site = |name: &'static str| {
            let Some(told) = tag.get(name) else {
                let rule = Rule::MissingAttribute { attribute: name, element: tag.element.tag.clone() };
                reading.error(tag.element.span.clone(), subject, rule);
                return None;
            };
            let Some((body, pose)) = self.things.sites.get(told.value.as_str()) else {
                let known = reading.report.names(self.things.sites.keys().copied());
                let rule = Rule::UnknownName { kind: "site", name: shorten(&told.value, MAX_SHOWN), known };
                reading.error(told.span.clone(), subject, rule);
                return None;
            };
            Some(end(*body, pose))
        };
        let (a, b) = (site("site1"), site("site2"));
        Some(a.zip(b).map(|(a, b)| [a, b]))
    }

    /// A body by its name; the second one is the world where it is not named.
    fn body(&self, tag: &Tag<'d>, name: &'static str, subject: &str, reading: &mut Reading<'_>) -> Option<usize> {
        let Some(told) = tag.get(name) else {
            if name == "body2" {
                return Some(0);
            }
            let rule = Rule::MissingAttribute { attribute: name, element: tag.element.tag.clone() };
            reading.error(tag.element.span.clone(), subject, rule);
            return None;
        };
        let found = self.bodies.get(told.value.as_str()).copied();
        if found.is_none() {
            let known = reading.report.names(self.bodies.keys().copied());
            let rule = Rule::UnknownName { kind: "body", name: shorten(&told.value, MAX_SHOWN), known };
            reading.error(told.span.clone(), subject, rule);
        }
        found
    }

    /// Fixed tendons by name. What acts in a tendon itself is not converted.
    fn tendons(
        &self,
        root: &'d Element,
        defaults: &'d Defaults<'d>,
        reading: &mut Reading<'_>,
    ) -> BTreeMap<&'d str, Sum> {
        let mut tendons = BTreeMap::new();
        let mut names = Names::new("tendon", std::iter::empty());
        for element in root.all("tendon").flat_map(|list| &list.children) {
            let subject = format!("tendon '{}'", names.own(element, reading));
            let Some(tag) = defaults.tag(element, defaults.main(), reading) else { continue };
            for name in ["stiffness", "damping", "frictionloss", "armature"] {
                let told = some_numbers(&tag, name, [0.0; 3], &subject, reading);
                if told.is_some_and(|told| told.iter().any(|x| *x != 0.0)) {
                    cannot(&tag, name, "tendons have no forces of their own", &subject, reading);
                }
            }
            if element.tag == "spatial" {
                left_out(element.span.clone(), &subject, "spatial tendons are left out".into(), reading);
            }
            if tag.get("range").is_some() {
                left_out(element.span.clone(), &subject, "the limit of a tendon is not converted".into(), reading);
            }
            let joints: Vec<Option<(usize, f64)>> = element
                .all("joint")
                .map(|part| {
                    let Some(told) = part.own("joint") else {
                        let rule = Rule::MissingAttribute { attribute: "joint", element: "joint".into() };
                        reading.error(part.span.clone(), &subject, rule);
                        return None;
                    };
                    let factor = number(&part, "coef", 1.0, &subject, reading)?;
                    Some((self.joint(told, &subject, reading)?, factor))
                })
                .collect();
            if let (Some(name), Some(sum), "fixed") =
                (element.own("name"), joints.into_iter().collect(), element.tag.as_str())
            {
                tendons.insert(name.value.as_str(), sum);
            }
        }
        tendons
    }
}

fn end(link: usize, pose: &Pose) -> TieEnd {
    TieEnd { link, position: pose.position, rotation: pose.rotation }
}
