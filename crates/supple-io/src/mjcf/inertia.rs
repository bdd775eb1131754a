//! Mass and inertia of bodies: from `<inertial>` or from geoms, then as `<compiler>` corrects them.

use supple_bodies::eigen;

use super::attributes::{not_negative, numbers};
use super::bodies::{Body, Part};
use super::geom::{Geom, Geoms};
use super::pose;
use super::settings::{FromGeoms, Settings};
use super::solid::Solid;
use crate::mesh::Meshes;
use crate::model_file::geometry::{inertia_at_origin, turn_inertia};
use crate::robot::Reading;
use crate::source::Rule;

/// Mass, mass centre and inertia about it of a body, in the frame of the body.
pub(super) fn of_body<'d>(
    (body, geoms): (&Body<'d>, &[Geom<'d>]),
    of: &Geoms<'_, 'd>,
    meshes: &mut Meshes,
    reading: &mut Reading<'_>,
) -> Option<Solid> {
    let subject = body.subject();
    let own = match &body.inertial {
        Some(part) => Some(inertial(part, of.settings, &subject, reading)?),
        None => None,
    };
    let told = match (own, of.settings.from_geoms) {
        (Some(own), FromGeoms::Missing | FromGeoms::Never) => own,
        (None, FromGeoms::Never) if !body.joints.is_empty() => {
            let because = "a body that moves has mass, and inertiafromgeom=\"false\" takes none from geoms";
            let rule = Rule::MissingElement { element: "inertial", because };
            reading.error(body.element.span.clone(), &subject, rule);
            return None;
        }
        (None, FromGeoms::Never) => Solid::default(),
        (own, _) => {
            let parts: Vec<Option<Solid>> =
                geoms.iter().map(|geom| of.solid(geom, &subject, meshes, reading)).collect();
            let of_geoms = sum(&parts.into_iter().collect::<Option<Vec<Solid>>>()?);
            own.filter(|_| of_geoms.mass == 0.0).unwrap_or(of_geoms)
        }
    };
    Some(corrected(told, of.settings))
}

/// An `<inertial>`.
fn inertial(part: &Part<'_>, settings: &Settings, subject: &str, reading: &mut Reading<'_>) -> Option<Solid> {
    let tag = &part.tag;
    let need = |name: &'static str, reading: &mut Reading<'_>| {
        if tag.get(name).is_none() {
            let rule = Rule::MissingAttribute { attribute: name, element: "inertial".into() };
            reading.error(tag.element.span.clone(), subject, rule);
        }
        tag.get(name)
    };
    let (place, mass) = (need("pos", reading), need("mass", reading));
    let (_, _) = (place?, mass?);
    let frame = part.frame.then(&pose::read(tag, settings, subject, reading)?);
    let mass = not_negative(tag, "mass", 0.0, subject, reading)?;
    let inertia = match (tag.get("fullinertia"), tag.get("diaginertia")) {
        (Some(_), Some(told)) => {
            let rule = Rule::Together { keys: vec!["diaginertia", "fullinertia"] };
            reading.error(told.span.clone(), subject, rule);
            return None;
        }
        (Some(told), None) => {
            let [xx, yy, zz, xy, xz, yz]: [f64; 6] = reading.numbers(told, "entry", subject)?;
            [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
        }
        (None, _) => {
            need("diaginertia", reading)?;
            let [a, b, c] = numbers(tag, "diaginertia", [0.0; 3], subject, reading)?;
            [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]]
        }
    };
    Some(Solid { mass, centre: frame.position, inertia: turn_inertia(&frame.rotation, &inertia) })
}

/// Several solids as one.
fn sum(parts: &[Solid]) -> Solid {
    let mass: f64 = parts.iter().map(|part| part.mass).sum();
    if mass <= 0.0 {
        return Solid::default();
    }
    let centre = std::array::from_fn(|i| parts.iter().map(|part| part.mass * part.centre[i]).sum::<f64>() / mass);
    let mut inertia = [[0.0; 3]; 3];
    for part in parts {
        let from_centre = std::array::from_fn(|i| part.centre[i] - centre[i]);
        let own = inertia_at_origin(part.mass, from_centre, part.inertia);
        inertia.as_flattened_mut().iter_mut().zip(own.as_flattened()).for_each(|(sum, x)| *sum += x);
    }
    Solid { mass, centre, inertia }
}

/// Lower bounds of mass and moments, and moments that break the triangle rule made equal, where the file asks for it.
fn corrected(told: Solid, settings: &Settings) -> Solid {
    let mass = told.mass.max(settings.least_mass);
    if settings.least_inertia <= 0.0 && !settings.balance {
        return Solid { mass, ..told };
    }
    let (mut moments, axes) = eigen::symmetric(told.inertia.iter().map(|row| row.to_vec()).collect());
    moments.iter_mut().for_each(|moment| *moment = moment.max(settings.least_inertia));
    let sum: f64 = moments.iter().sum();
    if settings.balance && moments.iter().any(|moment| 2.0 * moment > sum) {
        moments.fill(sum / 3.0);
    }
    let entry = |i: usize, j: usize| (0..3).map(|k| moments[k] * axes[k][i] * axes[k][j]).sum();
    let inertia = std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)));
    Solid { mass, inertia, ..told }
}

/// Scales all masses to the total that the file asks for.
pub(super) fn scale_to_total(solids: &mut [Solid], settings: &Settings) {
    let total: f64 = solids.iter().map(|solid| solid.mass).sum();
    if let Some(wanted) = settings.total_mass.filter(|_| total > 0.0) {
        solids.iter_mut().for_each(|solid| *solid = solid.with_mass(solid.mass * wanted / total));
    }
}
