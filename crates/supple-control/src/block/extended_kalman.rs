//! An extended Kalman filter: the estimate moves by the equations of motion themselves, its covariance by their derivatives.
//!
//! ```text
//! x̄ = f(x̂, u)          P̄ = F P F* + G W G*                      F = ∂f/∂x, G = ∂f/∂u
//! K = P̄ c* (c P̄ c* + v)⁻¹      x̂ = x̄ + K (y - h(x̄, u))      P = (1 - K c) P̄ (1 - K c)* + K v K*
//! ```
//!
//! `f` is a period of motion ([`Flow`]). Forces `w` that nobody knows of act with the efforts, and an accelerometer measures under both; so `x` and
//! `w` are estimated together, with the covariance `[P̄ GW; WG* W]`, and `w` is forgotten after the instant. Measurements are taken one after the other:
//! with independent noise that is the same, and nothing is inverted.

use super::flow::Flow;
use super::kalman::{EFFORT, MEASURED, NOISE};
use super::kind::{Bound, Hinges, Kind, Needs, Parameter, Setting, SettingError, Takes};
use super::plant::Plant;
use supple::integrate::{Measured, Role, Sampled};
use supple::{Measurement, forward_dynamics};

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

/// Relative size of the differences by which measurements of nodes are linearised.
const DIFFERENCE: f64 = 1e-6;

struct ExtendedKalman {
    plant: Plant,
    flow: Flow,
    measured: Vec<Measurement>,
    /// Variances of measurements, and of the forces at all speeds that nobody knows of.
    sensor: Vec<f64>,
    process: Vec<f64>,
    period: f64,
    substeps: usize,
    begun: bool,
    /// Coordinates and speeds, and their covariance.
    x: Vec<f64>,
    p: Vec<f64>,
    /// The efforts told, and the forces estimated to act with them.
    efforts: Vec<f64>,
    unknown: Vec<f64>,
    /// Covariance of states and unknown forces together.
    joint: Vec<f64>,
    scratch: Scratch,
}

struct Scratch {
    fp: Vec<f64>,
    row: Vec<f64>,
    gain: Vec<f64>,
    at: Vec<f64>,
    accelerations: Vec<f64>,
}

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let plant = Plant::new(setting)?;
    let model = &plant.own.model;
    let (m, q) = (model.speed_count(), model.coordinate_count());
    if m != q || model.equation_count() > 0 {
        let what = "the model has hinges with quaternions, or closures";
        return Err(SettingError::new("kind", what, "hinges of one to three angles or lengths in a tree"));
    }
    let find = |name: &String| {
        let expected = "hinge.NAME, speed.NAME, mode.BODY.1, strain.BODY.NODE.curvature_z, gyro.BODY.NODE.z, accelerometer.BODY.NODE.y";
        let missing = || SettingError::new("measured", format!("the model has no `{name}`"), expected);
        Measurement::find(model, name).ok_or_else(missing)
    };
    let measured = setting.measured.iter().map(find).collect::<Result<Vec<_>, _>>()?;
    let substeps = setting.positive_or("substeps", 4.0)?;
    if substeps.fract() != 0.0 || substeps > 1e4 {
        return Err(SettingError::new("substeps", format!("it is {substeps}"), "a whole number up to 10000"));
    }
    let hinges = plant.hinges.len();
    let of_hinges = match setting.values.contains_key("process_noise") {
        true => setting.numbers("process_noise", hinges)?,
        false => vec![1.0; hinges],
    };
    let mut process = vec![setting.not_negative_or("mode_noise", 0.0)?.powi(2); m];
    for body in model.body_indices() {
        process[model.hinge_speeds(body)].fill(0.0);
    }
    for (place, noise) in plant.hinges.iter().zip(of_hinges) {
        process[place.own[1]] = noise * noise;
    }
    let (n, all) = (2 * m, 3 * m);
    let zeros = |count: usize| vec![0.0; count];
    let mut p = zeros(n * n);
    let initial = setting.not_negative_or("initial_deviation", 1e-3)?;
    (0..n).for_each(|i| p[i * n + i] = initial * initial);
    Ok(Box::new(ExtendedKalman {
        sensor: setting.sensor_noise.iter().map(|noise| noise * noise).collect(),
        process,
        period: setting.period,
        substeps: substeps as usize,
        begun: false,
        x: zeros(n),
        p,
        efforts: zeros(m),
        unknown: zeros(m),
        joint: zeros(all * all),
        scratch: Scratch { fp: zeros(n * n), row: zeros(all), gain: zeros(all), at: zeros(n), accelerations: zeros(m) },
        flow: Flow::new(&plant),
        plant,
        measured,
    }))
}

impl ExtendedKalman {
    /// Mean and covariance go on by a period.
    fn predict(&mut self) {
        let (n, m) = (self.x.len(), self.efforts.len());
        let all = n + m;
        self.plant.inputs.forces.copy_from_slice(&self.efforts);
        self.flow.advance(&mut self.plant, &mut self.x, self.period, self.substeps);
        let f = |i: usize, j: usize| self.flow.along[i * all + j];
        let fp = &mut self.scratch.fp;
        for i in 0..n {
            for j in 0..n {
                fp[i * n + j] = (0..n).map(|l| f(i, l) * self.p[l * n + j]).sum();
            }
        }
        // F P F* + G W G*
        for i in 0..n {
            for j in 0..n {
                let carried: f64 = (0..n).map(|l| fp[i * n + l] * f(j, l)).sum();
                let noise: f64 = (0..m).map(|l| f(i, n + l) * self.process[l] * f(j, n + l)).sum();
                self.p[i * n + j] = carried + noise;
            }
        }
        self.join(|flow, process, i, l| flow.along[i * all + n + l] * process);
    }

    /// Covariance of states and unknown forces, of which `cross` is the part in common.
    fn join(&mut self, cross: impl Fn(&Flow, f64, usize, usize) -> f64) {
        let (n, m) = (self.x.len(), self.efforts.len());
        let all = n + m;
        self.unknown.fill(0.0);
        self.joint.fill(0.0);
        for i in 0..n {
            self.joint[i * all..i * all + n].copy_from_slice(&self.p[i * n..(i + 1) * n]);
            for l in 0..m {
                let common = cross(&self.flow, self.process[l], i, l);
                self.joint[i * all + n + l] = common;
                self.joint[(n + l) * all + i] = common;
            }
        }
        (0..m).for_each(|l| self.joint[(n + l) * all + n + l] = self.process[l]);
    }

    /// What is measured in a state; the plant has the forces that act.
    fn expected(plant: &mut Plant, measurement: Measurement, x: &[f64], accelerations: &mut [f64]) -> f64 {
        plant.place(x);
        let Plant { own, state, inputs, workspace, .. } = plant;
        if measurement.needs_accelerations() {
            match forward_dynamics(&own.model, state, inputs, workspace) {
                Ok(solution) => accelerations.copy_from_slice(solution.accelerations()),
                Err(_) => return f64::NAN,
            }
        }
        measurement.value(&own.model, state, accelerations, workspace).unwrap_or(f64::NAN)
    }

    /// Writes the derivatives of a measurement by states and forces, and gives what it should be.
    fn linearise(&mut self, measurement: Measurement) -> f64 {
        let n = self.x.len();
        let Self { plant, x, efforts, unknown, scratch: Scratch { row, at, accelerations, .. }, .. } = self;
        row.fill(0.0);
        for (force, (told, found)) in plant.inputs.forces.iter_mut().zip(efforts.iter().zip(unknown.iter())) {
            *force = told + found;
        }
        match measurement {
            Measurement::Coordinate(i) => row[i] = 1.0,
            Measurement::Speed(i) => row[n / 2 + i] = 1.0,
            _ => {
                let columns = if measurement.needs_accelerations() { row.len() } else { n };
                for j in 0..columns {
                    at.copy_from_slice(x);
                    let here = if j < n { x[j] } else { plant.inputs.forces[j - n] };
                    let h = DIFFERENCE * here.abs().max(1.0);
                    let ends = [h, -h].map(|h| {
                        if j < n {
                            at[j] = here + h
                        } else {
                            plant.inputs.forces[j - n] = here + h
                        }
                        Self::expected(plant, measurement, at, accelerations)
                    });
                    if j >= n {
                        plant.inputs.forces[j - n] = here;
                    }
                    row[j] = (ends[0] - ends[1]) / (2.0 * h);
                }
            }
        }
        Self::expected(plant, measurement, x, accelerations)
    }

    /// Takes a measurement.
    fn correct(&mut self, measurement: Measurement, variance: f64, told: f64) {
        let missed = told - self.linearise(measurement);
        let all = self.x.len() + self.efforts.len();
        let Scratch { row, gain, .. } = &mut self.scratch;
        for i in 0..all {
            gain[i] = (0..all).map(|j| self.joint[i * all + j] * row[j]).sum();
        }
        let inner = gain.iter().zip(row.iter()).map(|(g, c)| g * c).sum::<f64>() + variance;
        if inner <= 0.0 {
            return;
        }
        let (of_states, of_forces) = gain.split_at(self.x.len());
        self.x.iter_mut().zip(of_states).for_each(|(x, gain)| *x += gain * missed / inner);
        self.unknown.iter_mut().zip(of_forces).for_each(|(w, gain)| *w += gain * missed / inner);
        // (1 - K c) P (1 - K c)* + K v K* = P - P c* (c P c* + v)⁻¹ c P
        for i in 0..all {
            for j in 0..all {
                self.joint[i * all + j] -= gain[i] * gain[j] / inner;
            }
        }
    }
}

impl Sampled for ExtendedKalman {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let (told, efforts) = measured.signals.split_at(self.measured.len());
        for (place, effort) in self.plant.hinges.iter().zip(efforts) {
            self.efforts[place.own[1]] = *effort;
        }
        let (n, all) = (self.x.len(), self.x.len() + self.efforts.len());
        if self.begun {
            self.predict();
        } else {
            // The first estimate: hinges as measured, all else at rest.
            for (measurement, told) in self.measured.iter().zip(told) {
                match *measurement {
                    Measurement::Coordinate(i) => self.x[i] = *told,
                    Measurement::Speed(i) => self.x[n / 2 + i] = *told,
                    _ => {}
                }
            }
            self.join(|_, _, _, _| 0.0);
            self.begun = true;
        }
        for (i, told) in told.iter().enumerate() {
            self.correct(self.measured[i], self.sensor[i], *told);
        }
        for i in 0..n {
            self.p[i * n..(i + 1) * n].copy_from_slice(&self.joint[i * all..i * all + n]);
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
