//! Coordinates of a linear model: one small displacement and its rate for every speed of the model, with names.
//!
//! A hinge with a quaternion has no coordinate for each speed. Its small displacements are rotations `rx`, `ry`, `rz` and, for a free hinge, translations
//! `dx`, `dy`, `dz`, in the axes of the hinge's own frame as its speeds are.

use supple::model::{Variable, VariableKind};
use supple::{Model, State};

use crate::Signal;

/// The names of displacements, speeds, accelerations and forces, in the order of the speeds of a model.
#[derive(Clone, Debug)]
pub(crate) struct Coordinates {
    pub displacements: Vec<Signal>,
    pub speeds: Vec<Signal>,
    /// The body of each.
    pub bodies: Vec<usize>,
}

impl Coordinates {
    pub fn of(model: &Model) -> Self {
        let n = model.speed_count();
        let nameless = Signal { name: String::new(), unit: String::new() };
        let mut out = Self { displacements: vec![nameless.clone(); n], speeds: vec![nameless; n], bodies: vec![0; n] };
        for variable in model.variables() {
            let Variable { name, unit, kind, index, body, .. } = variable;
            if matches!(kind, VariableKind::HingeSpeed | VariableKind::ModalSpeed) {
                out.bodies[index] = body.map_or(0, |body| body.0);
                out.displacements[index] = displacement(&name, unit);
                out.speeds[index] = Signal { name, unit: unit.into() };
            }
        }
        out
    }

    /// The name of the input that accelerates a speed.
    pub fn acceleration(&self, speed: usize) -> String {
        let name = &self.speeds[speed].name;
        format!("acceleration.{}", name.strip_prefix("speed.").unwrap_or(name))
    }

    /// What a speed is the rate of, without prefix: for messages.
    pub fn name(&self, speed: usize) -> &str {
        let full = &self.displacements[speed].name;
        full.strip_prefix("hinge.").unwrap_or(full)
    }
}

/// The displacement whose rate is a speed.
fn displacement(speed: &str, unit: &str) -> Signal {
    let unit = match unit {
        "rad/s" => "rad",
        "m/s" => "m",
        _ => "1",
    };
    let name = match (speed.strip_prefix("speed."), speed.strip_prefix("mode_speed.")) {
        (Some(hinge), _) => match hinge.rsplit_once('.') {
            Some((hinge, part @ ("wx" | "wy" | "wz"))) => format!("hinge.{hinge}.r{}", &part[1..]),
            Some((hinge, part @ ("vx" | "vy" | "vz"))) => format!("hinge.{hinge}.d{}", &part[1..]),
            _ => format!("hinge.{hinge}"),
        },
        (None, Some(mode)) => format!("mode.{mode}"),
        _ => speed.into(),
    };
    Signal { name, unit: unit.into() }
}

/// The coordinate whose rate is a speed; zero for displacements of quaternions, which count from the state itself.
pub(crate) fn coordinate_of(model: &Model, state: &State, speed: usize) -> f64 {
    if let Some(hinge) = model.hinges().find(|hinge| hinge.speeds().contains(&speed)) {
        let (coordinates, speeds) = (hinge.coordinates(), hinge.speeds());
        let own = coordinates.len() == speeds.len();
        return if own { state.coordinates[coordinates.start + (speed - speeds.start)] } else { 0.0 };
    }
    let body = model.body_indices().find(|body| model.modal_speeds(*body).contains(&speed));
    body.map_or(0.0, |body| {
        state.coordinates[model.modal_coordinates(body).start + (speed - model.modal_speeds(body).start)]
    })
}

/// `G` in `δ̇ = δu + G δ`: how displacements along axes that turn with the present speeds change while nothing else does. Only hinges with
/// quaternions have such axes; there it is `-ad` of their speeds.
pub(crate) fn transport(model: &Model, state: &State) -> faer::Mat<f64> {
    let n = model.speed_count();
    let mut out = faer::Mat::zeros(n, n);
    let quaternions = model.hinges().filter(|hinge| hinge.coordinates().len() != hinge.speeds().len());
    for hinge in quaternions {
        let (first, beta) = (hinge.speeds().start, &state.speeds[hinge.speeds()]);
        let mut subtract_cross = |row: usize, column: usize, [x, y, z]: [f64; 3]| {
            let cross = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
            for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
                out[(first + row + i, first + column + j)] = -cross[i][j];
            }
        };
        let turn = [beta[0], beta[1], beta[2]];
        subtract_cross(0, 0, turn);
        if let [_, _, _, x, y, z] = *beta {
            subtract_cross(3, 3, turn);
            subtract_cross(3, 0, [x, y, z]);
        }
    }
    out
}
