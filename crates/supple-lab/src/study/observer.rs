//! A Kalman filter against truth: errors of its estimates over a hundred noisy runs, by their normalised squares.
//!
//! A strip on a hub, turned by random torques that hold from sample to sample; an encoder and a gauge of the tip's deflection, with noise. The truth
//! moves by the equations of motion. The squares of the errors, weighed with the covariance that the filter claims, have the mean `n` of its states
//! where it is honest; the mean over runs must be within the 95 % band of `χ²`.

use std::error::Error;
use std::f64::consts::TAU;

use supple::integrate::{Block, Blocks, Measured, Role, Sampled, Scheme, Simulation, Tolerance};
use supple::{ElasticRotation, Fidelity, Hinge, HingeKind, Inputs, Model, ModelBuilder, Parent, State};
use supple_bodies::beam::{Fitting, ModalBeam, ModeCounts, Support};
use supple_bodies::section::{BeamProperties, Material, Section};
use supple_control::linear::{Estimate, LinearDesign, Sizes, add};
use supple_linear::{Matrix, Selection, kalman, linearize, zero_order_hold};

use super::row::Value;
use super::svg::{Curve, Plot};
use super::{Case as StudyCase, Run};

/// Runs, and instants of each: errors of neighbouring instants are correlated over some tenths of a second, so that a run has to be long for the share
/// of instants within the band to mean something.
const RUNS: usize = 100;
const INSTANTS: usize = 1000;
/// Period, s.
const PERIOD: f64 = 0.01;
/// Standard deviations: of the torque, N m, the encoder, rad, and the gauge, m. Small, so that the motion is that of the linear model.
const TORQUE: f64 = 5e-4;
const SENSORS: [f64; 2] = [5e-7, 1.25e-7];
/// Normal distribution at 97.5 %.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// Which strip the filter takes for true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// That of the plant.
    Matched,
    /// One that is 20 % softer.
    Mismatched,
}

impl Case {
    /// The name in rows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Matched => "matched",
            Self::Mismatched => "mismatched",
        }
    }

    fn stiffness(self) -> f64 {
        match self {
            Self::Matched => 1.0,
            Self::Mismatched => 0.8,
        }
    }
}

/// Both.
pub fn runs() -> Vec<Run> {
    let run =
        |case| Run { case: StudyCase::Observer(case), fidelity: Fidelity::Stiffened, tip: ElasticRotation::Integrated };
    [Case::Matched, Case::Mismatched].map(run).into()
}

/// How good the estimates are.
pub fn values(case: Case) -> Result<Vec<Value>, Box<dyn Error>> {
    let nees = Nees::of(case, RUNS)?;
    let [low, high] = nees.band();
    let mean = nees.means.iter().sum::<f64>() / nees.means.len() as f64;
    Ok(vec![
        Value::new("states", None, nees.states as f64),
        Value::new("mean_nees", Some(nees.states as f64), mean),
        Value::new("band_low", None, low),
        Value::new("band_high", None, high),
        Value::new("inside_band_percent", Some(95.0), 100.0 * nees.inside()),
    ])
}

/// Normalised errors over time, of both filters.
pub fn picture() -> Result<String, Box<dyn Error>> {
    let mut curves = Vec::new();
    for case in [Case::Matched, Case::Mismatched] {
        let nees = Nees::of(case, RUNS)?;
        if case == Case::Matched {
            let [low, high] = nees.band();
            for (name, level) in [("95 % band, lower", low), ("95 % band, upper", high)] {
                curves.push(Curve { name: name.into(), values: vec![level; nees.means.len()] });
            }
        }
        curves.push(Curve { name: case.name().into(), values: nees.means });
    }
    let plot = Plot {
        title: "Normalised squared error of a Kalman filter, mean of 100 runs".into(),
        across: "time, s",
        up: "normalised squared error",
        unit: "samples",
        label: |k| format!("{:.2}", k as f64 * PERIOD),
        curves,
    };
    Ok(plot.to_string())
}

/// Normalised squares of errors.
struct Nees {
    states: usize,
    runs: usize,
    /// At each instant, the mean over the runs.
    means: Vec<f64>,
}

impl Nees {
    fn of(case: Case, runs: usize) -> Result<Self, Box<dyn Error>> {
        let plant = link(1.0)?;
        let filter = Filter::new(&link(case.stiffness())?)?;
        let n = filter.design.sizes.states;
        let mut means = vec![0.0; INSTANTS];
        for run in 0..runs {
            filter.follow(&plant, run as u64, &mut means)?;
        }
        means.iter_mut().for_each(|sum| *sum /= runs as f64);
        Ok(Self { states: n, runs, means })
    }

    /// Where 95 % of the means are: `χ²` of all runs together, by Wilson and Hilferty.
    fn band(&self) -> [f64; 2] {
        let (k, runs) = ((self.states * self.runs) as f64, self.runs as f64);
        let at = |z: f64| k * (1.0 - 2.0 / (9.0 * k) + z * (2.0 / (9.0 * k)).sqrt()).powi(3) / runs;
        [at(-QUANTILE), at(QUANTILE)]
    }

    /// Part of the instants within the band.
    fn inside(&self) -> f64 {
        let [low, high] = self.band();
        let count = self.means.iter().filter(|mean| (low..=high).contains(*mean)).count();
        count as f64 / self.means.len() as f64
    }
}

/// A strip of aluminium on a hub, with a mass at its tip.
fn link(stiffness: f64) -> Result<Model, Box<dyn Error>> {
    let material = Material { young: 7e10, poisson: 0.33, density: 2700.0 };
    let own = BeamProperties::new(Section::Rectangle { width: 0.003, height: 0.03 }, material);
    let properties =
        BeamProperties { bending_y: stiffness * own.bending_y, bending_z: stiffness * own.bending_z, ..own };
    let tip = Fitting { mass: 0.1, ..Fitting::default() };
    let modes = ModeCounts { bending_y: 2, ..ModeCounts::default() };
    let beam = ModalBeam {
        support: Support::ClampedLoaded,
        tip,
        damping_ratio: 0.005,
        ..ModalBeam::cantilever(0.6, properties, modes)
    };
    let hinge = Hinge { name: Some("hub".into()), ..Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] }) };
    let mut builder = ModelBuilder::new();
    let strip = builder.body(beam.body("strip", Parent::Ground, hinge));
    builder.actuator(supple::Actuator { rotor_inertia: 5e-3, ..supple::Actuator::new("motor", strip) });
    Ok(builder.build()?)
}

/// A filter with the covariance of its errors, before and after the update.
struct Filter {
    design: LinearDesign,
    before: Vec<f64>,
    after: Vec<f64>,
}

impl Filter {
    fn new(model: &Model) -> Result<Self, Box<dyn Error>> {
        let selection = Selection::new(["force.hub"], ["hinge.hub", "deflection.strip.tip.y"]);
        let system = linearize(model, &State::new(model), &Inputs::new(model), &selection)?;
        let system = zero_order_hold(&system, PERIOD, 0.0)?;
        let n = system.a.rows();
        let w = Matrix::from_fn(n, n, |i, j| TORQUE * TORQUE * system.b[(i, 0)] * system.b[(j, 0)]);
        let v = Matrix::from_fn(2, 2, |i, j| if i == j { SENSORS[i] * SENSORS[i] } else { 0.0 });
        let filter = kalman(&system, &w, &v)?;
        // P⁺ = (1 - L C) P
        let p = &filter.covariance;
        let taken = |i: usize, j: usize| -> f64 { (0..2).map(|k| filter.gain[(i, k)] * system.c[(k, j)]).sum() };
        let after = Matrix::from_fn(n, n, |i, j| p[(i, j)] - (0..n).map(|k| taken(i, k) * p[(k, j)]).sum::<f64>());
        let symmetric = Matrix::from_fn(n, n, |i, j| 0.5 * (after[(i, j)] + after[(j, i)]));
        let plain = |matrix: &Matrix| matrix.as_slice().to_vec();
        Ok(Self {
            design: LinearDesign {
                sizes: Sizes { states: n, inputs: 1, outputs: 2 },
                a: plain(&system.a),
                b: plain(&system.b),
                c: plain(&system.c),
                d: plain(&system.d),
                feedback: vec![0.0; n],
                correction: plain(&filter.gain),
                x: vec![0.0; n],
                u: vec![0.0],
                y: vec![0.0; 2],
            },
            before: factor(p.as_slice(), n).ok_or("the covariance is not positive")?,
            after: factor(symmetric.as_slice(), n).ok_or("the covariance is not positive")?,
        })
    }

    /// A run from an error that the covariance allows; adds the normalised squares of the errors.
    fn follow(&self, plant: &Model, run: u64, sums: &mut [f64]) -> Result<(), Box<dyn Error>> {
        let n = self.design.sizes.states;
        let mut noise = Noise { seed: run, count: 0 };
        let mut state = State::new(plant);
        let draws: Vec<f64> = (0..n).map(|_| noise.normal()).collect();
        for i in 0..n {
            let error: f64 = (0..=i).map(|j| self.before[i * n + j] * draws[j]).sum();
            match i < n / 2 {
                true => state.coordinates[i] = error,
                false => state.speeds[i - n / 2] = error,
            }
        }
        let hub = plant.hinge_speeds(supple::BodyIndex(0)).start;
        let torques = RandomTorque((0..sums.len()).map(|_| TORQUE * noise.normal()).collect());
        let mut blocks = Blocks::new();
        blocks.add(Block::new("torque", Role::Controller, PERIOD, 1, torques).acts(0, hub));
        let tolerance = Tolerance { relative: 1e-10, absolute: 1e-15 };
        let mut simulation =
            Simulation::new(plant, state, |_: &State, _: &mut Inputs| {}, Scheme::PrinceDormand8, tolerance)?;
        simulation.set_blocks(blocks)?;
        let mut estimate = Estimate::new(self.design.sizes);
        for (k, sum) in sums.iter_mut().enumerate() {
            simulation.advance(k as f64 * PERIOD)?;
            let now = simulation.state();
            let truth: Vec<f64> = now.coordinates.iter().chain(&now.speeds).copied().collect();
            let mut read = [0.0; 2];
            add(&self.design.c, &truth, &mut read);
            read.iter_mut().zip(SENSORS).for_each(|(read, deviation)| *read += deviation * noise.normal());
            estimate.correct(&self.design, &[0.0], &read);
            let error: Vec<f64> = truth.iter().zip(&estimate.state).map(|(x, y)| x - y).collect();
            *sum += squares(&self.after, &error);
            estimate.predict(&self.design, &[0.0]);
        }
        Ok(())
    }
}

/// Torques that hold from instant to instant, of which the filter does not know.
struct RandomTorque(Vec<f64>);

impl Sampled for RandomTorque {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        outputs[0] = self.0.get(measured.instant as usize).copied().unwrap_or(0.0);
    }
}

/// Cholesky's factor of a symmetric matrix.
fn factor(m: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut l = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let rest = m[i * n + j] - (0..j).map(|k| l[i * n + k] * l[j * n + k]).sum::<f64>();
            l[i * n + j] = if i == j { Some(rest).filter(|rest| *rest > 0.0)?.sqrt() } else { rest / l[j * n + j] };
        }
    }
    Some(l)
}

/// `e* P⁻¹ e` with `P = L L*`.
fn squares(l: &[f64], e: &[f64]) -> f64 {
    let n = e.len();
    let mut z = vec![0.0; n];
    for i in 0..n {
        z[i] = (e[i] - (0..i).map(|j| l[i * n + j] * z[j]).sum::<f64>()) / l[i * n + i];
    }
    z.iter().map(|z| z * z).sum()
}

/// Normal numbers that follow from a seed (SplitMix64; Box and Muller).
struct Noise {
    seed: u64,
    count: u64,
}

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.count += 1;
        let mut x = (self.seed + 1)
            .wrapping_mul(0xD1B5_4A32_D192_ED03)
            .wrapping_add(self.count.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) >> 11) as f64 * 2.0_f64.powi(-53)
    }

    fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (TAU * v).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An honest filter: of the normalised errors, means of 25 runs, nine tenths of the instants are within the 95 % band, and their mean is the number of states.
    #[test]
    fn the_filter_is_as_good_as_it_claims() {
        let nees = Nees::of(Case::Matched, 25).unwrap();
        let mean = nees.means.iter().sum::<f64>() / nees.means.len() as f64;
        assert!(nees.inside() >= 0.9, "{}", nees.inside());
        assert!((mean / nees.states as f64 - 1.0).abs() < 0.05, "{mean}");
    }
}
