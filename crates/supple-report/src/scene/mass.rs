//! Mass properties of a body, and the solid of the same mass properties that is drawn for it.

use serde::{Deserialize, Serialize};
use supple::Body;
use supple_bodies::eigen;

/// Mass, mass centre in the body frame, and inertia about the mass centre, undeformed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MassProperties {
    /// Mass, kg.
    pub mass: f64,
    /// Mass centre from the body frame, m.
    pub mass_centre: [f64; 3],
    /// Inertia about the mass centre in body axes, kg m².
    pub inertia: [[f64; 3]; 3],
}

/// `|a|² I − a a*`: inertia of a unit mass at `a`.
fn of_point(a: [f64; 3]) -> [[f64; 3]; 3] {
    let square: f64 = a.iter().map(|x| x * x).sum();
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { square } else { 0.0 } - a[i] * a[j]))
}

impl MassProperties {
    /// Of nodes and tables together.
    pub fn of(body: &Body) -> Self {
        let (mut mass, mut moment, mut about_origin) = (0.0, [0.0; 3], [[0.0; 3]; 3]);
        if let Some(tables) = &body.modal_inertia {
            (mass, moment, about_origin) = (tables.mass, tables.mass_moment, tables.inertia);
        }
        for node in &body.nodes {
            // The inertia of a node is about the node: by its mass centre to the origin (Steiner).
            let (p, m) = (node.mass_centre, node.mass);
            let at: [f64; 3] = std::array::from_fn(|i| node.position[i] + p[i]);
            let (own, moved) = (of_point(p), of_point(at));
            mass += m;
            for i in 0..3 {
                moment[i] += m * at[i];
                for j in 0..3 {
                    about_origin[i][j] += node.inertia[i][j] - m * own[i][j] + m * moved[i][j];
                }
            }
        }
        let mass_centre = if mass > 0.0 { moment.map(|x| x / mass) } else { [0.0; 3] };
        let moved = of_point(mass_centre);
        let inertia = std::array::from_fn(|i| std::array::from_fn(|j| about_origin[i][j] - mass * moved[i][j]));
        Self { mass, mass_centre, inertia }
    }
}

/// A homogeneous solid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solid {
    /// Its form.
    pub form: Form,
    /// Its centre in the body frame.
    pub centre: [f64; 3],
    /// Its axes as columns in the body frame.
    pub axes: [[f64; 3]; 3],
}

/// The form of a solid about its own axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Form {
    /// About the third axis.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length.
        length: f64,
    },
    /// Sides along the three axes.
    Box {
        /// Lengths of the sides.
        sides: [f64; 3],
    },
    /// A ball.
    Ball {
        /// Radius.
        radius: f64,
    },
}

/// How equal two principal moments must be for a body to be drawn round.
const ROUND: f64 = 0.01;

impl Solid {
    /// The solid with these mass properties: a cylinder where two principal moments are equal, a ball where all are, a box otherwise.
    /// None where there is no mass or no inertia.
    pub fn of(told: &MassProperties) -> Option<Self> {
        let rows = told.inertia.iter().map(|row| row.to_vec()).collect();
        let (values, vectors) = eigen::symmetric(rows);
        let size = values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        if told.mass <= 0.0 || size <= 0.0 || !size.is_finite() || values.len() != 3 {
            return None;
        }
        let equal = |i: usize, j: usize| (values[i] - values[j]).abs() <= ROUND * size;
        // The axis of the cylinder is the odd one out: it goes last.
        let odd = (0..3).find(|k| equal((k + 1) % 3, (k + 2) % 3));
        let order = odd.map_or([0, 1, 2], |k| [(k + 1) % 3, (k + 2) % 3, k]);
        let i = order.map(|k| values[k]);
        let m = told.mass;
        let form = if equal(0, 1) && equal(1, 2) {
            // I = 2/5 m r²
            Form::Ball { radius: (2.5 * i[2].max(0.0) / m).sqrt() }
        } else if odd.is_some() {
            // I₃ = m r²/2, I₁ = m (3 r² + l²)/12
            let square = 2.0 * i[2].max(0.0) / m;
            let across = 0.5 * (i[0] + i[1]);
            Form::Cylinder { radius: square.sqrt(), length: (12.0 * across / m - 3.0 * square).max(0.0).sqrt() }
        } else {
            // I₁ = m (b² + c²)/12 and round
            let half = 0.5 * (i[0] + i[1] + i[2]);
            Form::Box { sides: i.map(|own| (12.0 * (half - own).max(0.0) / m).sqrt()) }
        };
        // Eigenvectors are rows here; axes are columns, made right-handed.
        let [a, b, _] = order.map(|k| [vectors[k][0], vectors[k][1], vectors[k][2]]);
        let c = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        let axes = std::array::from_fn(|row| [a[row], b[row], c[row]]);
        Some(Self { form, centre: told.mass_centre, axes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::{Hinge, HingeKind, Parent};

    fn rigid(mass: f64, centre: [f64; 3], about_origin: [f64; 3]) -> Body {
        let [a, b, c] = about_origin;
        let inertia = [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]];
        Body::rigid("body", Parent::Ground, Hinge::new(HingeKind::Free), mass, centre, inertia)
    }

    /// The payload of the Shuttle arm is a drum of 10 m by 4 m held at the middle of one end.
    #[test]
    fn a_drum_is_drawn_as_the_drum_it_is() {
        let told = MassProperties::of(&rigid(15000.0, [5.0, 0.0, 0.0], [30000.0, 515_000.0, 515_000.0]));
        let solid = Solid::of(&told).unwrap();
        let Form::Cylinder { radius, length } = solid.form else { panic!("{solid:?}") };
        assert!((radius - 2.0).abs() < 1e-12 && (length - 10.0).abs() < 1e-12, "{radius} {length}");
        assert_eq!(solid.centre, [5.0, 0.0, 0.0]);
        assert!((solid.axes[0][2].abs() - 1.0).abs() < 1e-12, "{:?}", solid.axes);
    }

    #[test]
    fn boxes_and_balls() {
        // 12 kg with sides 1, 2, 3 m.
        let told = MassProperties::of(&rigid(12.0, [0.0; 3], [13.0, 10.0, 5.0]));
        let Some(Solid { form: Form::Box { mut sides }, .. }) = Solid::of(&told) else { panic!() };
        sides.sort_by(f64::total_cmp);
        for (side, true_side) in sides.iter().zip([1.0, 2.0, 3.0]) {
            assert!((side - true_side).abs() < 1e-12, "{sides:?}");
        }
        let told = MassProperties::of(&rigid(1.0, [0.0; 3], [0.4, 0.4, 0.4]));
        let Some(Solid { form: Form::Ball { radius }, .. }) = Solid::of(&told) else { panic!() };
        assert!((radius - 1.0).abs() < 1e-12);
        assert_eq!(Solid::of(&MassProperties::of(&rigid(1.0, [0.0; 3], [0.0; 3]))), None);
    }
}
