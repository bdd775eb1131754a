//! Flexible links that keep the mass, mass centre and inertia of the robot file.
//!
//! The beam has a part of the mass, all of its own where that fits; what remains is rigid, at the root of the link: motors, gears and housings, which the robot file counts
//! and the section does not. What remains must be the inertia of some body, which bounds the part.

use supple::{ModalMatrix, Node};
use supple_bodies::eigen;

use super::reading::Reading;
use super::side_file::{FlexibleLink, SideFile};
use super::text::{Link, RobotText};
use crate::source::Rule;

/// Least part of its mass that a beam keeps.
const LEAST: f64 = 0.05;
/// Halvings until the part is found.
const HALVINGS: usize = 40;

/// Mass, first moment and inertia about the origin of the link.
#[derive(Clone, Copy)]
struct Inertia {
    mass: f64,
    moment: [f64; 3],
    about_origin: [[f64; 3]; 3],
}

/// Gives links that keep their inertia what the beam does not have.
pub(crate) fn apply(robot: &RobotText, side: &mut SideFile, reading: &mut Reading<'_>) {
    for (k, flexible) in side.flexible.iter_mut().filter(|(_, flexible)| flexible.keeps_inertia) {
        let link = &robot.links[*k];
        let (span, subject) = (link.inertial_span.clone().unwrap_or(link.span.clone()), robot.subject(link));
        match keep(link, flexible) {
            Ok(part) => {
                let what = format!("{:.3} of the mass of its beam bends, the rest is rigid at the root", part);
                let expected = "all of it, if the mass of the link is more than that of the beam".into();
                if part < 1.0 {
                    reading.note(span, &subject, Rule::Mismatch { what, expected });
                }
            }
            Err(what) => {
                let expected = "a lighter beam, `tip` masses left out, or a link without `keep_inertia`".into();
                reading.error(span, &subject, Rule::Mismatch { what, expected });
            }
        }
    }
}

/// The part of the beam's mass that was kept.
fn keep(link: &Link, flexible: &mut FlexibleLink) -> Result<f64, String> {
    let parts = &mut flexible.parts;
    if parts.modal_inertia.is_some() {
        return Err("`keep_inertia` needs nodes with mass, not tables of inertia".into());
    }
    let whole =
        Inertia { mass: link.mass, moment: link.mass_centre.map(|x| x * link.mass), about_origin: link.inertia };
    let beam = of_nodes(&parts.nodes);
    let fits = |part: f64| is_possible(&without(&whole, &beam, part));
    let mut part = 1.0;
    if !fits(part) {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if fits(middle) { low = middle } else { high = middle }
        }
        part = low;
    }
    if part < LEAST {
        return Err(format!("the inertia of the link has room for {part:.3} of the beam's, {:.4} kg", beam.mass));
    }
    let rest = without(&whole, &beam, part);
    for node in &mut parts.nodes {
        node.mass *= part;
        node.inertia = node.inertia.map(|row| row.map(|x| x * part));
    }
    if rest.mass > 0.0 {
        let mass_centre = rest.moment.map(|x| x / rest.mass);
        parts.nodes.push(Node { mass: rest.mass, mass_centre, inertia: rest.about_origin, ..Node::default() });
    }
    // Ratios of the modes stay: they have less mass.
    if let ModalMatrix::Diagonal(damping) = &mut parts.modes.damping {
        damping.iter_mut().for_each(|d| *d *= part.sqrt());
    }
    Ok(part)
}

fn without(whole: &Inertia, beam: &Inertia, part: f64) -> Inertia {
    Inertia {
        mass: whole.mass - part * beam.mass,
        moment: std::array::from_fn(|i| whole.moment[i] - part * beam.moment[i]),
        about_origin: std::array::from_fn(|i| {
            std::array::from_fn(|j| whole.about_origin[i][j] - part * beam.about_origin[i][j])
        }),
    }
}

/// Undeformed, about the origin.
fn of_nodes(nodes: &[Node]) -> Inertia {
    let mut out = Inertia { mass: 0.0, moment: [0.0; 3], about_origin: [[0.0; 3]; 3] };
    for node in nodes {
        let (r, p, m) = (node.position, node.mass_centre, node.mass);
        let square: f64 = (0..3).map(|i| r[i] * (r[i] + 2.0 * p[i])).sum();
        out.mass += m;
        for i in 0..3 {
            out.moment[i] += m * (r[i] + p[i]);
            for j in 0..3 {
                let diagonal = if i == j { square } else { 0.0 };
                let shift = diagonal - (r[i] * r[j] + r[i] * p[j] + p[i] * r[j]);
                out.about_origin[i][j] += node.inertia[i][j] + m * shift;
            }
        }
    }
    out
}

/// Whether some mass distribution has it.
fn is_possible(inertia: &Inertia) -> bool {
    if inertia.mass <= 0.0 {
        return false;
    }
    let c = inertia.moment.map(|x| x / inertia.mass);
    let square: f64 = c.iter().map(|x| x * x).sum();
    let about_centre = |i: usize, j: usize| {
        let diagonal = if i == j { square } else { 0.0 };
        inertia.about_origin[i][j] - inertia.mass * (diagonal - c[i] * c[j])
    };
    let rows = (0..3).map(|i| (0..3).map(|j| about_centre(i, j)).collect()).collect();
    let (mut moments, _) = eigen::symmetric(rows);
    moments.sort_by(f64::total_cmp);
    // A margin: what is left is checked again, and its rounding is not this one's.
    let margin = 1e-9 * moments[2].abs();
    moments[0] > margin && moments[2] < moments[0] + moments[1] - margin
}
