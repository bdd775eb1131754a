//! An extended Kalman filter: the estimate moves by the equations of motion themselves, its covariance by their derivatives.
//!
//! ```text
//! x̄ = f(x̂, u)          P̄ = F P F* + G W G*         F = ∂f/∂x, G = ∂f/∂u, by differences
//! K = P̄ C* (C P̄ C* + V)⁻¹      x̂ = x̄ + K (y - C x̄)      P = (1 - K C) P̄ (1 - K C)* + K V K*
//! ```
//!
//! `f` is a period of motion by the classical Runge-Kutta method. What is measured are coordinates and speeds, `C` picks them. Measurements are
//! taken one after the other: with independent noise that is the same, and nothing is inverted.

use super::kalman::{EFFORT, MEASURED, NOISE};
use super::kind::{Bound, Hinges, Kind, Needs, Parameter, Setting, SettingError, Takes};
use super::plant::Plant;
use supple::forward_dynamics;
use supple::integrate::{Measured, Role, Sampled};

/// The kind.
pub static KIND: Kind = Kind {
    name: "extended-kalman",
    role: Role::Observer,
    about: "extended Kalman filter on the equations of motion: coordinates and speeds of hinges and modes",
    parameters: &[
        NOISE[0],
        NOISE[1],
        NOISE[2],
        Parameter {
            key: "substeps",
            takes: Takes::NumberOr(Bound::Positive, 4.0),
            meaning: "steps of the estimate's motion in a period; the fastest mode must turn by less than 2 rad in a step; default: 4",
        },
        Parameter {
            key: "initial_deviation",
            takes: Takes::NumberOr(Bound::NotNegative, 1e-3),
            meaning: "standard deviation of every coordinate and speed at the first instant; default: 1e-3",
        },
    ],
    inputs: &[MEASURED, EFFORT],
    outputs: &[],
    hinges: Hinges::Several,
    needs: Needs::Model,
    gives_states: true,
    make,
};

/// Relative size of the differences.
const DIFFERENCE: f64 = 1e-6;

struct ExtendedKalman {
    plant: Plant,
    /// Which state each measurement is.
    measured: Vec<usize>,
    /// Variances of measurements, of efforts at the hinges, of forces on modes.
    sensor: Vec<f64>,
    process: Vec<f64>,
    modes: f64,
    period: f64,
    substeps: usize,
    begun: bool,
    x: Vec<f64>,
    p: Vec<f64>,
    scratch: Scratch,
}

struct Scratch {
    k: [Vec<f64>; 4],
    at: Vec<f64>,
    ahead: Vec<f64>,
    behind: Vec<f64>,
    f: Vec<f64>,
    g: Vec<f64>,
    fp: Vec<f64>,
    gain: Vec<f64>,
}

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let plant = Plant::new(setting)?;
    let model = &plant.own.model;
    let (m, q) = (model.speed_count(), model.coordinate_count());
    if m != q || model.equation_count() > 0 {
        let what = "the model has hinges with quaternions, or closures";
        return Err(SettingError::new("kind", what, "hinges of one to three angles or lengths in a tree"));
    }
    let n = 2 * m;
    let variables = model.variables();
    let mut measured = Vec::new();
    for name in &setting.measured {
        let found = variables.iter().find(|variable| variable.name == *name);
        let place = found.and_then(|variable| match variable.kind {
            supple::model::VariableKind::HingeCoordinate | supple::model::VariableKind::ModalCoordinate => {
                Some(variable.index)
            }
            supple::model::VariableKind::HingeSpeed | supple::model::VariableKind::ModalSpeed => {
                Some(m + variable.index)
            }
            _ => None,
        });
        let Some(place) = place else {
            return Err(SettingError::new(
                "measured",
                format!("`{name}` is no coordinate or speed"),
                "hinge.NAME, speed.NAME, mode.BODY.1 or mode_speed.BODY.1",
            ));
        };
        measured.push(place);
    }
    let substeps = setting.positive_or("substeps", 4.0)?;
    if substeps.fract() != 0.0 || substeps > 1e4 {
        return Err(SettingError::new("substeps", format!("it is {substeps}"), "a whole number up to 10000"));
    }
    let hinges = plant.hinges.len();
    let square = |all: Vec<f64>| all.into_iter().map(|x| x * x).collect::<Vec<f64>>();
    let process = match setting.values.contains_key("process_noise") {
        true => square(setting.numbers("process_noise", hinges)?),
        false => vec![1.0; hinges],
    };
    let mut p = vec![0.0; n * n];
    let initial = setting.not_negative_or("initial_deviation", 1e-3)?;
    (0..n).for_each(|i| p[i * n + i] = initial * initial);
    let zeros = |count: usize| vec![0.0; count];
    Ok(Box::new(ExtendedKalman {
        sensor: square(setting.sensor_noise.clone()),
        process,
        modes: setting.not_negative_or("mode_noise", 0.0)?.powi(2),
        period: setting.period,
        substeps: substeps as usize,
        begun: false,
        x: zeros(n),
        p,
        scratch: Scratch {
            k: [zeros(n), zeros(n), zeros(n), zeros(n)],
            at: zeros(n),
            ahead: zeros(n),
            behind: zeros(n),
            f: zeros(n * n),
            g: zeros(n * m),
            fp: zeros(n * n),
            gain: zeros(n),
        },
        plant,
        measured,
    }))
}

/// Rates of a state of coordinates and speeds.
fn rates(plant: &mut Plant, x: &[f64], out: &mut [f64]) {
    let m = x.len() / 2;
    plant.state.coordinates.copy_from_slice(&x[..m]);
    plant.state.speeds.copy_from_slice(&x[m..]);
    plant.state.turn_nodes(&plant.own.model);
    out[..m].copy_from_slice(&x[m..]);
    match forward_dynamics(&plant.own.model, &plant.state, &plant.inputs, &mut plant.workspace) {
        Ok(solution) => out[m..].copy_from_slice(solution.accelerations()),
        // What is not finite is reported by the network, with the name of the block.
        Err(_) => out.fill(f64::NAN),
    }
}

impl ExtendedKalman {
    /// A period of motion of `x`, by Runge and Kutta.
    fn advance(
        plant: &mut Plant,
        scratch: (&mut [Vec<f64>; 4], &mut [f64]),
        x: &mut [f64],
        (period, steps): (f64, usize),
    ) {
        let (k, at) = scratch;
        let h = period / steps as f64;
        for _ in 0..steps {
            rates(plant, x, &mut k[0]);
            for stage in 1..4 {
                let part = if stage == 3 { h } else { 0.5 * h };
                (0..x.len()).for_each(|i| at[i] = x[i] + part * k[stage - 1][i]);
                rates(plant, at, &mut k[stage]);
            }
            (0..x.len()).for_each(|i| x[i] += h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]));
        }
    }

    /// Mean and covariance go on by a period.
    fn predict(&mut self) {
        let (n, step) = (self.x.len(), (self.period, self.substeps));
        let m = n / 2;
        let Scratch { k, at, ahead, behind, f, g, fp, .. } = &mut self.scratch;
        for j in 0..n + m {
            // Columns of F by states, of G by forces at all speeds.
            let h = if j < n { DIFFERENCE * self.x[j].abs().max(1.0) } else { DIFFERENCE * 1e3 };
            for (end, sign) in [(&mut *ahead, 1.0), (&mut *behind, -1.0)] {
                end.copy_from_slice(&self.x);
                if j < n {
                    end[j] += sign * h;
                } else {
                    self.plant.inputs.forces[j - n] += sign * h;
                }
                Self::advance(&mut self.plant, (k, at), end, step);
                if j >= n {
                    self.plant.inputs.forces[j - n] -= sign * h;
                }
            }
            for i in 0..n {
                let slope = (ahead[i] - behind[i]) / (2.0 * h);
                if j < n { f[i * n + j] = slope } else { g[i * m + j - n] = slope }
            }
        }
        Self::advance(&mut self.plant, (k, at), &mut self.x, step);
        // F P F*
        for i in 0..n {
            for j in 0..n {
                fp[i * n + j] = (0..n).map(|l| f[i * n + l] * self.p[l * n + j]).sum();
            }
        }
        for i in 0..n {
            for j in 0..n {
                self.p[i * n + j] = (0..n).map(|l| fp[i * n + l] * f[j * n + l]).sum();
            }
        }
        // G W G*
        for l in 0..m {
            let hinge = self.plant.hinges.iter().position(|place| place.own[1] == l);
            let variance = hinge.map_or(self.modes, |hinge| self.process[hinge]);
            for i in 0..n {
                for j in 0..n {
                    self.p[i * n + j] += g[i * m + l] * variance * g[j * m + l];
                }
            }
        }
    }

    /// Takes a measurement of one state.
    fn correct(&mut self, state: usize, variance: f64, told: f64) {
        let n = self.x.len();
        let gain = &mut self.scratch.gain;
        let inner = self.p[state * n + state] + variance;
        if inner <= 0.0 {
            return;
        }
        (0..n).for_each(|i| gain[i] = self.p[i * n + state] / inner);
        let missed = told - self.x[state];
        (0..n).for_each(|i| self.x[i] += gain[i] * missed);
        // (1 - K C) P (1 - K C)* + K V K* = P - K p* - p K* + K (C P C* + V) K* with p the column of the state
        for i in 0..n {
            for j in 0..n {
                self.p[i * n + j] -= gain[i] * inner * gain[j];
            }
        }
    }
}

impl Sampled for ExtendedKalman {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let (told, efforts) = measured.signals.split_at(self.measured.len());
        for (place, effort) in self.plant.hinges.iter().zip(efforts) {
            self.plant.inputs.forces[place.own[1]] = *effort;
        }
        if self.begun {
            self.predict();
        } else {
            // The first estimate: hinges as measured, all else at rest.
            for (place, told) in self.measured.iter().zip(told) {
                self.x[*place] = *told;
            }
            self.begun = true;
        }
        for (i, told) in told.iter().enumerate() {
            self.correct(self.measured[i], self.sensor[i], *told);
        }
        outputs.copy_from_slice(&self.x);
    }

    fn save(&self) -> Vec<f64> {
        let begun = f64::from(u8::from(self.begun));
        self.x.iter().chain(&self.p).copied().chain([begun]).collect()
    }

    fn load(&mut self, from: &[f64]) -> bool {
        let n = self.x.len();
        if from.len() != n + n * n + 1 {
            return false;
        }
        self.x.copy_from_slice(&from[..n]);
        self.p.copy_from_slice(&from[n..n + n * n]);
        self.begun = from[n + n * n] != 0.0;
        true
    }
}
