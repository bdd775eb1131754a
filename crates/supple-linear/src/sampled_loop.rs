//! Motions of a system with its sampled controllers, by eigenvalues of the map from one common instant of all blocks to the next.
//!
//! ```text
//! x⁺ = exp(A dt) x + ∫ exp(A s) ds B f              between instants: exact, forces of blocks held
//! (f, m)⁺ = blocks(x, m)                             at instants: blocks called as in a run, changes by central differences
//! λ = log μ / T + 2πi k / T                          of the eigenvalues μ of one period T
//! ```
//!
//! `m` are the numbers that blocks remember, and outputs on their way. Discrete numbers among them, such as counters and flags, are held. Which `k` belongs to a motion
//! that is faster than the instants follows from its vector: displacements and speeds of a motion have `v = λ p`.

use std::fmt;

use faer::{Mat, c64};
use supple::integrate::{IntegrationError, Network};
use supple::{Inputs, Model, State, Workspace};

use crate::LinearError;
use crate::balance::balance;
use crate::held_plant::HeldPlant;
use crate::vibrations::{Pose, Vibration, share};

/// Longest common period of all blocks, in units of the longest of theirs, and most instants in it.
const LONGEST: usize = 100;
const MOST_INSTANTS: usize = 2000;
/// Most numbers that blocks remember: work grows with the cube.
const MOST_NUMBERS: usize = 400;
/// Parts of a period that are rounding.
const WHOLE: f64 = 1e-9;
/// Changes of numbers, coordinates and speeds.
const STEP: f64 = 1e-6;
/// Part by which changes ahead and behind may differ.
const ROUGH: f64 = 1e-3;
/// Eigenvalues nearer to one than this stand still.
const STILL: f64 = 1e-6;
/// Eigenvalues smaller than this die out within an instant.
const GONE: f64 = 1e-9;

/// Why there are no eigenvalues.
#[derive(Debug)]
#[non_exhaustive]
pub enum NoLoop {
    /// Of the system itself.
    System(LinearError),
    /// Of its blocks.
    Blocks(IntegrationError),
    /// Periods without a common multiple that is short enough.
    Periods,
    /// Blocks that remember too many numbers, outputs on their way included.
    Size(usize),
    /// Blocks whose answer to a small change is not small: dead zones, switches.
    Rough,
}

impl fmt::Display for NoLoop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(error) => error.fmt(f),
            Self::Blocks(error) => error.fmt(f),
            Self::Periods => f.write_str("the periods of the blocks have no short common multiple"),
            Self::Size(found) => write!(
                f,
                "the blocks remember {found} numbers, outputs that are delayed included, more than {MOST_NUMBERS}"
            ),
            Self::Rough => f.write_str("a block answers to small changes by jumps"),
        }
    }
}

impl std::error::Error for NoLoop {}

impl From<LinearError> for NoLoop {
    fn from(error: LinearError) -> Self {
        Self::System(error)
    }
}

impl From<IntegrationError> for NoLoop {
    fn from(error: IntegrationError) -> Self {
        Self::Blocks(error)
    }
}

/// Motions about a pose with the blocks of a controller at work, as [`vibrations`](crate::vibrations()) has them without: slowest first. References are those of the start; what an integrator has
/// gathered there counts as in balance.
///
/// # Errors
/// [`NoLoop`].
pub fn sampled_vibrations(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    network: Network,
) -> Result<Vec<Vibration>, NoLoop> {
    let pose = Pose::new(model, state, inputs)?;
    let mut walk = Walk::new(&pose, network)?;
    let (map, coordinates) = walk.map()?;
    let Walk { plant, period, .. } = walk;
    let mut balanced = map;
    let scales = balance(&mut balanced);
    let eigen = balanced.eigen().map_err(|_| LinearError::NoEigenvalues)?;
    let n = plant.rates.len();
    let strain = plant.basis.transpose() * pose.strain_matrix()? * &plant.basis;
    let unit = Mat::<f64>::identity(n, n);
    let mut out = Vec::new();
    for k in 0..coordinates {
        let (mu, at) = (eigen.S()[k], |i: usize| eigen.U()[(i, k)] * scales[i]);
        let moved: Vec<c64> = (0..n).map(|i| at(i) / plant.rates[i]).collect();
        let speeds: Vec<c64> = (0..n).map(|i| at(n + i)).collect();
        let size = |x: &[c64]| x.iter().map(|x| x.norm_sqr()).sum::<f64>();
        let whole: f64 = (0..coordinates).map(|i| eigen.U()[(i, k)].norm_sqr()).sum();
        let moves = size(&moved) > 0.0 && (0..2 * n).map(|i| eigen.U()[(i, k)].norm_sqr()).sum::<f64>() > GONE * whole;
        if mu.norm() <= GONE || !moves {
            continue;
        }
        let still = (mu - c64::new(1.0, 0.0)).norm() <= STILL;
        let aliased = c64::new(mu.norm().ln(), mu.arg()) / period;
        // v = λ p, weighted by the energy of p.
        let weight = |i: usize| plant.rates[i].powi(2);
        let told: c64 = (0..n).fold(c64::new(0.0, 0.0), |sum, i| sum + moved[i].conj() * speeds[i] * weight(i));
        let told = told / (0..n).map(|i| weight(i) * moved[i].norm_sqr()).sum::<f64>();
        let turns = ((told.im - aliased.im) * period / std::f64::consts::TAU).round();
        let value = c64::new(aliased.re, aliased.im + std::f64::consts::TAU * turns / period);
        let value = match (still && turns == 0.0, mu.im == 0.0) {
            (true, _) => c64::new(0.0, 0.0),
            // What changes its sign from instant to instant has no conjugate.
            (_, true) => c64::new(aliased.re, aliased.im.abs()),
            _ => value,
        };
        if value.im >= 0.0 {
            out.push(Vibration { eigenvalue: value.into(), strain: share(&strain, &unit, &moved, value) });
        }
    }
    let speed = |v: &Vibration| v.eigenvalue.re.hypot(v.eigenvalue.im);
    out.sort_by(|a, b| speed(a).total_cmp(&speed(b)));
    Ok(out)
}

/// One period, from just after an instant to just after the next.
struct Walk<'p> {
    pose: &'p Pose<'p>,
    plant: HeldPlant,
    network: Network,
    driven: Vec<usize>,
    start: f64,
    period: f64,
    /// Numbers of the blocks at the start.
    numbers: Vec<f64>,
    /// Accelerations in balance.
    accelerations: Vec<f64>,
    /// What acts between instants where nothing is changed.
    usual: Vec<Vec<f64>>,
    /// Times between instants, each with what it does.
    held: Vec<(f64, Mat<f64>)>,
}

impl<'p> Walk<'p> {
    fn new(pose: &'p Pose<'p>, mut network: Network) -> Result<Self, NoLoop> {
        let timing: Vec<[f64; 3]> = network.timing().collect();
        let period = common_period(&timing).ok_or(NoLoop::Periods)?;
        let driven = network.driven_speeds();
        let plant = HeldPlant::new(pose, &driven)?;
        // All blocks have been called, and outputs are on their way as always, after this.
        let begin =
            pose.state.time + timing.iter().fold(0.0_f64, |m, [t, phase, delay]| m.max(phase + delay + 2.0 * t));
        let accelerations = vec![0.0; pose.model.speed_count()];
        let mut start = pose.state.time;
        let still = |time: f64| State { time, ..pose.state.clone() };
        while let Some(next) = network.next_time().filter(|_| start < begin) {
            network.run(&still(next), &accelerations)?;
            start = next;
        }
        let numbers = network.save();
        if numbers.len() > MOST_NUMBERS {
            return Err(NoLoop::Size(numbers.len()));
        }
        let mut walk = Self {
            pose,
            plant,
            network,
            driven,
            start,
            period,
            numbers,
            accelerations,
            usual: Vec::new(),
            held: Vec::new(),
        };
        walk.accelerations = walk.unforced()?;
        Ok(walk)
    }

    /// Accelerations as blocks find them at the start, with what they do there.
    fn unforced(&mut self) -> Result<Vec<f64>, NoLoop> {
        if !self.network.needs_accelerations() {
            return Ok(Vec::new());
        }
        let mut inputs = self.pose.inputs.clone();
        self.network.act(&mut inputs);
        let mut workspace = Workspace::new(self.pose.model);
        let solution = supple::hybrid_dynamics(self.pose.model, &self.pose.state, &inputs, &mut workspace);
        Ok(solution.map_err(LinearError::from)?.accelerations().to_vec())
    }

    /// Forces of the blocks at the driven speeds.
    fn forces(&self) -> Vec<f64> {
        let mut inputs = Inputs { forces: vec![0.0; self.pose.model.speed_count()], ..self.pose.inputs.clone() };
        self.network.act(&mut inputs);
        self.driven.iter().map(|i| inputs.forces[*i]).collect()
    }

    /// The map of changes, discrete numbers left out, and its size.
    fn map(&mut self) -> Result<(Mat<f64>, usize), NoLoop> {
        let n = 2 * self.plant.rates.len();
        let rest = vec![0.0; n];
        self.usual = Vec::new();
        let usual = self.go(&rest, &self.numbers.clone())?.ok_or(NoLoop::Rough)?.numbers;
        let mut columns: Vec<Vec<f64>> = Vec::new();
        for i in 0..n {
            let step = self.step(i);
            let mut ends = Vec::new();
            for sign in [step, -step] {
                let mut x = rest.clone();
                x[i] = sign;
                ends.push(self.go(&x, &self.numbers.clone())?.ok_or(NoLoop::Rough)?);
            }
            columns.push(change(&ends, &usual, step).ok_or(NoLoop::Rough)?);
        }
        // The first number is the time at which instants begin.
        let mut kept = Vec::new();
        for m in 1..self.numbers.len() {
            let step = STEP * self.numbers[m].abs().max(1.0);
            let mut ends = Vec::new();
            for sign in [step, -step] {
                let mut numbers = self.numbers.clone();
                numbers[m] += sign;
                ends.extend(self.go(&rest, &numbers)?);
            }
            if ends.len() == 2
                && let Some(column) = change(&ends, &usual, step)
            {
                kept.push(m);
                columns.push(column);
            }
        }
        let row = |i: usize| if i < n { i } else { n + kept[i - n] };
        let size = n + kept.len();
        Ok((Mat::from_fn(size, size, |i, j| columns[j][row(i)]), size))
    }

    /// A change of coordinate `i` that moves nothing by more than a small step.
    fn step(&self, i: usize) -> f64 {
        let n = self.plant.rates.len();
        let largest =
            (0..self.plant.motion.nrows()).map(|k| self.plant.motion[(k, i % n)].abs()).fold(1e-300, f64::max);
        STEP / largest * if i < n { self.plant.rates[i] } else { 1.0 }
    }

    /// Where changes of the coordinates and the numbers of the blocks are after a period; none where the numbers cannot be those of the blocks.
    fn go(&mut self, x: &[f64], numbers: &[f64]) -> Result<Option<End>, NoLoop> {
        if !self.network.load(numbers) {
            self.network.load(&self.numbers.clone());
            return Ok(None);
        }
        let (mut x, mut time, end) = (x.to_vec(), self.start, self.start + self.period);
        let mut instant = 0;
        while let Some(next) = self.network.next_time().filter(|next| *next <= end + WHOLE * self.period) {
            let forces = self.forces();
            if self.usual.len() == instant {
                self.usual.push(forces.clone());
            }
            let Some(usual) = self.usual.get(instant) else { return Ok(None) };
            let more: Vec<f64> = forces.iter().zip(usual).map(|(f, usual)| f - usual).collect();
            let place = self.held_for(next - time);
            let both: Vec<f64> = x.iter().chain(&more).copied().collect();
            let (state, accelerations) = {
                let map = &self.held[place].1;
                x = (0..x.len()).map(|i| (0..both.len()).map(|j| map[(i, j)] * both[j]).sum()).collect();
                (self.displaced(&x, next), self.accelerated(&x, &more))
            };
            self.network.run(&state, &accelerations)?;
            time = next;
            instant += 1;
        }
        let found = self.network.save();
        Ok((found.len() == self.numbers.len()).then_some(End { x, numbers: found }))
    }

    fn held_for(&mut self, dt: f64) -> usize {
        let same = |(known, _): &(f64, Mat<f64>)| (known - dt).abs() <= WHOLE * self.period;
        self.held.iter().position(same).unwrap_or_else(|| {
            self.held.push((dt, self.plant.held(dt)));
            self.held.len() - 1
        })
    }

    fn displaced(&self, x: &[f64], time: f64) -> State {
        let HeldPlant { motion, rates, .. } = &self.plant;
        let n = rates.len();
        let whole = |of: &dyn Fn(usize) -> f64| -> Vec<f64> {
            (0..motion.nrows()).map(|k| (0..n).map(|i| motion[(k, i)] * of(i)).sum()).collect()
        };
        let mut state = State { time, ..self.pose.state.clone() };
        state.displace(self.pose.model, &whole(&|i| x[i] / rates[i]));
        state.speeds = whole(&|i| x[n + i]);
        state
    }

    fn accelerated(&self, x: &[f64], more: &[f64]) -> Vec<f64> {
        let HeldPlant { motion, rates, a, b, .. } = &self.plant;
        let n = rates.len();
        let rate = |i: usize| -> f64 {
            (0..2 * n).map(|j| a[(n + i, j)] * x[j]).sum::<f64>()
                + more.iter().enumerate().map(|(j, f)| b[(n + i, j)] * f).sum::<f64>()
        };
        if self.accelerations.is_empty() {
            return Vec::new();
        }
        let rates: Vec<f64> = (0..n).map(rate).collect();
        let all = self.accelerations.iter().enumerate();
        all.map(|(k, usual)| usual + (0..n).map(|i| motion[(k, i)] * rates[i]).sum::<f64>()).collect()
    }
}

/// Where a period ends.
struct End {
    /// Changes of the coordinates.
    x: Vec<f64>,
    /// Numbers of the blocks.
    numbers: Vec<f64>,
}

/// The derivative by what came of a step ahead and one behind; none where they do not agree.
fn change(ends: &[End], usual: &[f64], step: f64) -> Option<Vec<f64>> {
    let [End { x: x_ahead, numbers: ahead }, End { x: x_behind, numbers: behind }] = ends else { return None };
    let moved = |a: &[f64], b: &[f64], by: f64| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| (a - b) / by).collect() };
    let still = vec![0.0; x_ahead.len()];
    let one_sided = [moved(x_ahead, &still, step), moved(ahead, usual, step)].concat();
    let central = [moved(x_ahead, x_behind, 2.0 * step), moved(ahead, behind, 2.0 * step)].concat();
    let size = central.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let off = central.iter().zip(&one_sided).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    (off <= ROUGH * size).then_some(central)
}

/// The shortest time that is a whole number of every period.
fn common_period(timing: &[[f64; 3]]) -> Option<f64> {
    let longest = timing.iter().fold(0.0_f64, |m, [period, ..]| m.max(*period));
    let fits = |common: &f64| {
        timing.iter().all(|[period, ..]| {
            let times = common / period;
            (times - times.round()).abs() <= WHOLE * times
        })
    };
    let common = (1..=LONGEST).map(|k| k as f64 * longest).find(fits)?;
    let instants: f64 = timing.iter().map(|[period, ..]| 2.0 * common / period).sum();
    (common > 0.0 && instants <= MOST_INSTANTS as f64).then_some(common)
}
