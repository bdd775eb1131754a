//! Modal feedback around the joint servos: regulators and filters at poses on the way, by the controller's own model, each chosen for what that model
//! may have wrong.

use std::error::Error;

use supple_bodies::catalogue::shuttle_arm::LINKS;
use supple_control::linear::{LinearDesign, Sizes};
use supple_linear::{
    KalmanFilter, Matrix, Regulator, Selection, StateSpace, close_loops, kalman, linearize, lqg, lqr, open_loop, poles,
    zero_order_hold,
};

use supple::{Inputs, Workspace, inverse_dynamics};

use super::arm::{Gains, posed};
use super::design::{Knowledge, PERIOD, on_the_way};
use super::slow_model::slow_model;

/// Parts of the way that feedback is designed for; the nearest one acts.
pub const POSES: [f64; 3] = [0.0, 0.5, 1.0];
/// Parts of the way on either side at which a design is checked.
const REACH: f64 = 0.25;
/// How far stiffnesses and payload may be from what the controller takes for true.
const UNKNOWN: f64 = 0.1;
/// Factor of the torques that weigh one from try to try, and tries.
const BACK_OFF: f64 = 0.7;
const TRIES: i32 = 10;

/// What regulator and filter are designed for.
struct Tuning {
    /// Locked modes that the regulator knows.
    modes: usize,
    /// Angle of a hinge, rad, displacement, m, and velocity, m/s, of the tip, and torque, N m, that weigh the same.
    hinge: f64,
    tip: [f64; 2],
    torque: f64,
    /// Torques, N m, and forces on modes of unit mass that the model does not know of, standard deviations.
    unknown: [f64; 2],
    /// Noise of encoders, rad, tachometers, rad/s, and deflections, m.
    sensors: [f64; 3],
}

/// That of the study.
const TUNING: Tuning = Tuning {
    modes: 5,
    hinge: 1e-3,
    tip: [0.01, 0.01],
    torque: 1000.0,
    unknown: [300.0, 3.0],
    sensors: [1e-3, 1e-3, 1e-2],
};
/// Outputs that are measured: angles, rates, deflections.
const MEASURED: usize = 2 * LINKS + 4;

/// A sampled model with regulator and filter.
type Design = (StateSpace, Regulator, KalmanFilter);

impl Knowledge {
    /// Feedback for each of [`POSES`], with the servos in place.
    pub fn feedback(
        &self,
        servos: [Gains; LINKS],
        start: &[f64; LINKS],
    ) -> Result<[LinearDesign; POSES.len()], Box<dyn Error>> {
        let mut out = Vec::new();
        for part in POSES {
            out.push(plain(&self.robust_design(servos, start, part)?));
        }
        <[LinearDesign; POSES.len()]>::try_from(out).map_err(|_| "a design for each pose".into())
    }

    /// The strongest regulator with which no motion of an arm that may be dies away more slowly than the slowest does with the servos alone; where there
    /// is none, the one with the fastest of these slowest motions.
    fn robust_design(&self, servos: [Gains; LINKS], start: &[f64; LINKS], part: f64) -> Result<Design, Box<dyn Error>> {
        let arms = self.arms_that_may_be(servos, start, part)?;
        let (model, pose) = (self.arm(Some(servos)).build()?, on_the_way(start, part));
        let slow = slow_model(&model, &pose, (TUNING.modes, PERIOD), measured_and_weighed())?;
        let mut alone = 0.0_f64;
        for arm in &arms {
            alone = alone.max(slowest_pole(arm)?);
        }
        let mut best: Option<(f64, Design)> = None;
        for k in 0..TRIES {
            let tried = design(&slow, TUNING.torque * BACK_OFF.powi(k))?;
            let slowest = slowest_with(&tried, &arms)?;
            if slowest <= alone {
                return Ok(tried);
            }
            if slowest < best.as_ref().map_or(1.0, |(least, _)| *least) {
                best = Some((slowest, tried));
            }
        }
        best.map(|(_, design)| design).ok_or_else(|| "no feedback bears what the controller may have wrong".into())
    }

    /// Sampled models with all modes that the controller knows, for every stiffness and payload at the ends of their ranges, around a pose.
    fn arms_that_may_be(
        &self,
        servos: [Gains; LINKS],
        start: &[f64; LINKS],
        part: f64,
    ) -> Result<Vec<StateSpace>, Box<dyn Error>> {
        let mut out = Vec::new();
        let ends = [1.0 / (1.0 + UNKNOWN), 1.0 / (1.0 - UNKNOWN)];
        for at in [part - REACH, part, part + REACH].into_iter().filter(|at| (0.0..=1.0).contains(at)) {
            for (stiffer, heavier) in ends.into_iter().flat_map(|k| ends.map(|m| (k, m))) {
                let knowledge = Self { payload: heavier * self.payload, stiffness: stiffer * self.stiffness };
                let model = knowledge.arm(Some(servos)).build()?;
                let (state, mut held) = (posed(&model, &on_the_way(start, at)), Inputs::new(&model));
                let mut workspace = Workspace::new(&model);
                let forces = inverse_dynamics(&model, &state, &held, &mut workspace)?.forces().to_vec();
                held.forces.copy_from_slice(&forces);
                let selection = Selection { inputs: vec!["force.*".into()], outputs: measured() };
                let system = linearize(&model, &state, &held, &selection)?;
                out.push(zero_order_hold(&system, PERIOD, 0.0)?);
            }
        }
        Ok(out)
    }
}

/// The greatest absolute value of the poles.
fn slowest_pole(system: &StateSpace) -> Result<f64, Box<dyn Error>> {
    Ok(poles(system)?.iter().map(|pole| pole.abs()).fold(0.0, f64::max))
}

/// The same over all arms with their feedback.
fn slowest_with((slow, regulator, filter): &Design, arms: &[StateSpace]) -> Result<f64, Box<dyn Error>> {
    let controller = lqg(slow, regulator, filter)?;
    let mut slowest = 0.0_f64;
    for arm in arms {
        slowest = slowest.max(slowest_pole(&close_loops(&open_loop(arm, &controller)?, &[])?)?);
    }
    Ok(slowest)
}

/// Regulator and filter for a slow model, with torques of this size weighing one.
fn design(system: &StateSpace, torque: f64) -> Result<Design, Box<dyn Error>> {
    let (n, p) = (system.a.rows(), MEASURED);
    let square = |x: f64| x * x;
    // Hinges, then displacement and velocity of the tip.
    let weight = |k: usize| match k {
        k if k < LINKS => square(TUNING.hinge).recip(),
        k if k < p => 0.0,
        k => square(TUNING.tip[(k - p) / 3]).recip(),
    };
    let q = Matrix::from_fn(n, n, |i, j| (0..p + 6).map(|k| system.c[(k, i)] * weight(k) * system.c[(k, j)]).sum());
    let own = StateSpace {
        c: Matrix::from_fn(p, n, |i, j| system.c[(i, j)]),
        d: Matrix::zeros(p, LINKS),
        outputs: system.outputs[..p].to_vec(),
        ..system.clone()
    };
    let regulator = lqr(&own, &q, &diagonal(LINKS, |_| square(torque).recip()))?;
    let w = Matrix::from_fn(n, n, |i, j| {
        let torques: f64 = (0..LINKS).map(|k| own.b[(i, k)] * square(TUNING.unknown[0]) * own.b[(j, k)]).sum();
        // Rates of the modes, which stand last in each half.
        let is_mode = i == j && i >= n / 2 + LINKS;
        torques + if is_mode { square(PERIOD * TUNING.unknown[1]) } else { 0.0 }
    });
    let filter = kalman(&own, &w, &diagonal(p, |i| square(TUNING.sensors[(i / LINKS).min(2)])))?;
    Ok((own, regulator, filter))
}

/// A design in the terms of controllers.
fn plain((system, regulator, filter): &Design) -> LinearDesign {
    let (n, p) = (system.a.rows(), system.c.rows());
    let plain = |matrix: &Matrix| matrix.as_slice().to_vec();
    LinearDesign {
        sizes: Sizes { states: n, inputs: LINKS, outputs: p },
        a: plain(&system.a),
        b: plain(&system.b),
        c: plain(&system.c),
        d: plain(&system.d),
        feedback: plain(&regulator.gain),
        correction: plain(&filter.gain),
        x: vec![0.0; n],
        u: vec![0.0; LINKS],
        y: vec![0.0; p],
    }
}

fn diagonal(n: usize, entry: impl Fn(usize) -> f64) -> Matrix {
    Matrix::from_fn(n, n, |i, j| if i == j { entry(i) } else { 0.0 })
}

/// Names of what is measured: angles, rates, deflections of both booms.
fn measured() -> Vec<String> {
    let mut outputs: Vec<String> = (1..=LINKS).map(|i| format!("hinge.hinge {i}")).collect();
    outputs.extend((1..=LINKS).map(|i| format!("speed.hinge {i}")));
    for link in [2, 3] {
        outputs.extend(["y", "z"].map(|axis| format!("deflection.link {link}.tip.{axis}")));
    }
    outputs
}

/// The same, and the motion of the tip.
fn measured_and_weighed() -> Vec<String> {
    let mut outputs = measured();
    outputs.extend(["x", "y", "z", "vx", "vy", "vz"].map(|part| format!("node.link 6.tip.{part}")));
    outputs
}
