//! Identification: parameters of a scenario from a recording of it, by nonlinear least squares, with bounds.
//!
//! ```no_run
//! let problem = supple_io::identification_file::read("swing.identify.toml".as_ref())?;
//! let found = supple_run::identify(&problem, &supple_run::IdentifyOptions::default(), &mut |_| ())?;
//! for parameter in &found.parameters {
//!     println!("{} = {} ± {:?}", parameter.name, parameter.value, parameter.bound);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod experiment;
mod least_squares;
mod statistics;
mod write;

use serde::Serialize;
use supple_io::change::Change;
use supple_io::identification_file::Identification;
use supple_io::scenario_file::Scenario;

use crate::{Interrupt, RunError, RunErrorKind};
use experiment::Experiment;
use least_squares::{Evaluation, Minimum, Residuals, minimise};
pub use statistics::Whiteness;
use statistics::{Spread, spread, students_t, whiteness};
pub use write::write_estimate;

/// Times that noise is found from what is left over, and how far it may still move, relatively.
const NOISE_ROUNDS: usize = 6;
const NOISE_SETTLED: f64 = 1e-3;
/// Decrease of the sum of squares, in units of the noise, that counts as none: parameters are within a ten-thousandth of their deviation then.
const ENOUGH: f64 = 1e-8;
/// Probability below which residuals do not count as white.
const NOT_WHITE: f64 = 1e-3;
/// Correlation from which on two parameters are named.
const CORRELATED: f64 = 0.95;

/// How an identification runs.
#[derive(Clone, Debug, Default)]
pub struct IdentifyOptions {
    /// Values of the scenario, or after `model.` of its model, in place of those of the files.
    pub changes: Vec<Change>,
    /// Ends it early, from another thread: the best values so far are returned.
    pub interrupt: Interrupt,
}

/// How far an identification is.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Steps taken so far, over all rounds of the noise.
    pub number: usize,
    /// Root mean square of the residuals, in units of the noise.
    pub residual: f64,
}

/// How sure a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Certainty {
    /// With the bound given.
    Bounded,
    /// It stands at a bound of the file, and its spread is not known.
    AtLimit,
    /// The measurements do not determine it.
    Undetermined,
}

/// A parameter as it was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimated {
    /// Its name.
    pub name: String,
    /// Keys of the scenario that have its value; none for the offset of a sensor.
    pub keys: Vec<String>,
    /// Its value.
    pub value: f64,
    /// The true value is within `value ± bound` with the probability asked for; none where that cannot be said.
    pub bound: Option<f64>,
    /// As `bound`, for all parameters at once: all true values are within theirs with at least that probability, by Bonferroni's inequality.
    pub joint_bound: Option<f64>,
    /// Standard deviation.
    pub deviation: Option<f64>,
    /// How sure it is.
    pub certainty: Certainty,
}

/// A measured column beside what the model gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FittedColumn {
    /// Its name.
    pub column: String,
    /// Times of the samples.
    pub times: Vec<f64>,
    /// What was measured.
    pub measured: Vec<f64>,
    /// What the model gives with the parameters found, offset of the sensor included.
    pub fitted: Vec<f64>,
    /// Standard deviation of the noise: that of the file, or the one found.
    pub noise: f64,
    /// Whether the noise was found from what is left over.
    pub noise_found: bool,
    /// Root mean square of the differences.
    pub residual: f64,
    /// Correlation of neighbouring differences, and probability that white noise is as correlated.
    pub whiteness: Option<[f64; 2]>,
}

/// What an identification found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Estimate {
    /// The parameters, in the order of the file; offsets of sensors last.
    pub parameters: Vec<Estimated>,
    /// Probability of the bounds.
    pub confidence: f64,
    /// Correlation of the parameters, by rows.
    pub correlation: Vec<Vec<f64>>,
    /// Condition of the problem: ratio of the singular values of the Jacobian with columns of unit length; none where it is infinite.
    pub condition: Option<f64>,
    /// Variance of the residuals in units of the noise: about 1 where model and noise are right.
    pub residual_variance: f64,
    /// Samples less parameters.
    pub degrees_of_freedom: usize,
    /// Steps taken.
    pub iterations: usize,
    /// Whether it is a minimum.
    pub converged: bool,
    /// Whether it was ended early.
    pub interrupted: bool,
    /// What to be careful about.
    pub warnings: Vec<String>,
    /// Measured columns.
    pub columns: Vec<FittedColumn>,
}

impl Estimate {
    /// The values found as changes of the scenario, `KEY=VALUE` as for `--set`.
    pub fn changes(&self) -> Vec<String> {
        let of = |parameter: &Estimated| {
            let value = parameter.value;
            parameter.keys.iter().map(|key| format!("{key}={value:e}")).collect::<Vec<_>>()
        };
        self.parameters.iter().flat_map(of).collect()
    }
}

/// Finds the parameters of an identification; `observe` is shown each step.
///
/// # Errors
/// A scenario, column or key that is not there, or that has no derivatives; a scenario that cannot be simulated at the first guess.
pub fn identify(
    problem: &Identification,
    options: &IdentifyOptions,
    observe: &mut dyn FnMut(&Iteration),
) -> Result<Estimate, RunError> {
    let mut experiment = Experiment::new(problem, &options.changes, &options.interrupt)?;
    let count = problem.parameters.len() + experiment.offsets.len();
    let mut x: Vec<f64> = problem.parameters.iter().map(|own| own.start / own.scale).collect();
    x.resize(count, 0.0);
    let mut bounds: Vec<[f64; 2]> = problem.parameters.iter().map(|own| own.bounds.map(|b| b / own.scale)).collect();
    bounds.resize(count, [f64::NEG_INFINITY, f64::INFINITY]);
    let unknown = problem.measured.iter().any(|measured| measured.noise.is_none());
    let mut steps = 0;
    for round in 0.. {
        let mut search = Search { experiment: &experiment, observe, best: (x.clone(), None), before: steps, steps };
        let found = minimise(&mut search, x.clone(), &bounds, (problem.iterations.saturating_sub(steps), ENOUGH));
        steps = search.steps;
        let best = search.best.0;
        let minimum = match found {
            Ok(minimum) => minimum,
            Err(_) if options.interrupt.is_set() => return interrupted(&mut experiment, best, steps),
            Err(error) => return Err(error),
        };
        x.clone_from(&minimum.x);
        let settled = !unknown || round + 1 >= NOISE_ROUNDS || !renew_noise(&mut experiment, &minimum.at);
        if settled {
            return Ok(estimate(&experiment, minimum, steps));
        }
    }
    unreachable!("the loop ends by itself")
}

/// The best values of a search that its user ended, without bounds where they would take another evaluation.
fn interrupted(experiment: &mut Experiment<'_>, x: Vec<f64>, steps: usize) -> Result<Estimate, RunError> {
    experiment.resume();
    let at = experiment.evaluate(&x, true)?;
    let held = vec![false; x.len()];
    let mut found = estimate(experiment, Minimum { x, at, held, converged: false }, steps);
    found.interrupted = true;
    found.warnings.insert(0, "the identification was interrupted: these are the best values so far".into());
    Ok(found)
}

/// A search as the least squares see it.
struct Search<'s, 'e> {
    experiment: &'s Experiment<'e>,
    observe: &'s mut dyn FnMut(&Iteration),
    /// Variables of the last step, and those tried last.
    best: (Vec<f64>, Option<Vec<f64>>),
    before: usize,
    steps: usize,
}

impl Residuals<RunError> for Search<'_, '_> {
    fn evaluate(&mut self, x: &[f64], jacobian: bool) -> Result<Evaluation, RunError> {
        self.best.1 = Some(x.to_vec());
        self.experiment.evaluate(x, jacobian)
    }

    fn ends(&self, error: &RunError) -> bool {
        // A file that is refused or a motion that fails shortens the step; a user who ends it does not.
        self.experiment.is_interrupted() || matches!(error.kind, RunErrorKind::File)
    }

    fn step(&mut self, iteration: usize, squares: f64) {
        if let Some(x) = self.best.1.take() {
            self.best.0 = x;
        }
        self.steps = self.before + iteration;
        let rows = self.experiment.residual_count() as f64;
        (self.observe)(&Iteration { number: self.steps, residual: (squares / rows).sqrt() });
    }
}

/// Finds the noise of columns of which it is not known from what is left over; tells whether it moved.
fn renew_noise(experiment: &mut Experiment<'_>, at: &Evaluation) -> bool {
    let mut moved = false;
    let rows = experiment.residual_count() as f64;
    let parameters = (experiment.problem.parameters.len() + experiment.offsets.len()) as f64;
    for (c, measured) in experiment.problem.measured.iter().enumerate().filter(|(_, m)| m.noise.is_none()) {
        let n = measured.values.len();
        let own = &at.residuals[experiment.starts[c]..experiment.starts[c] + n];
        // Each column pays its share of the parameters.
        let free = n as f64 * (1.0 - parameters / rows);
        let ratio = (own.iter().map(|r| r * r).sum::<f64>() / free).sqrt();
        let size = measured.values.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let noise = (experiment.noise[c] * ratio).max(1e-14 * size).max(f64::MIN_POSITIVE);
        moved |= (noise / experiment.noise[c] - 1.0).abs() > NOISE_SETTLED;
        experiment.noise[c] = noise;
    }
    moved
}

fn estimate(experiment: &Experiment<'_>, minimum: Minimum, iterations: usize) -> Estimate {
    let problem = experiment.problem;
    let Minimum { x, at, held, converged } = minimum;
    let empty = faer::Mat::new();
    let found = spread(at.jacobian.as_ref().unwrap_or(&empty), &at.residuals, &held);
    let t = students_t(problem.confidence, found.freedom);
    let joint = students_t(1.0 - (1.0 - problem.confidence) / x.len() as f64, found.freedom);
    let offsets = experiment
        .offsets
        .iter()
        .map(|c| (format!("offset of {}", problem.measured[*c].column), Vec::new(), experiment.offset_scale(*c)));
    let named = problem.parameters.iter().map(|own| (own.name.clone(), own.keys.clone(), own.scale));
    let parameters: Vec<Estimated> = named
        .chain(offsets)
        .enumerate()
        .map(|(i, (name, keys, scale))| {
            let deviation = Some(found.deviations[i] * scale).filter(|d| d.is_finite() && !held[i]);
            let certainty = match deviation {
                Some(_) => Certainty::Bounded,
                None if held[i] => Certainty::AtLimit,
                None => Certainty::Undetermined,
            };
            Estimated {
                name,
                keys,
                value: x[i] * scale,
                bound: deviation.map(|d| t * d),
                joint_bound: deviation.map(|d| joint * d),
                deviation,
                certainty,
            }
        })
        .collect();
    let columns = columns(experiment, &at);
    let warnings = warnings(&parameters, &found, &columns, converged);
    Estimate {
        parameters,
        confidence: problem.confidence,
        correlation: found.correlation,
        condition: Some(found.condition).filter(|c| c.is_finite()),
        residual_variance: found.variance,
        degrees_of_freedom: found.freedom,
        iterations,
        converged,
        interrupted: false,
        warnings,
        columns,
    }
}

fn columns(experiment: &Experiment<'_>, at: &Evaluation) -> Vec<FittedColumn> {
    let problem = experiment.problem;
    let column = |(c, measured): (usize, &supple_io::identification_file::Measured)| {
        let n = measured.values.len();
        let own = &at.residuals[experiment.starts[c]..experiment.starts[c] + n];
        let noise = experiment.noise[c];
        FittedColumn {
            column: measured.column.clone(),
            times: measured.times.clone(),
            measured: measured.values.clone(),
            fitted: measured.values.iter().zip(own).map(|(y, r)| y + noise * r).collect(),
            noise,
            noise_found: measured.noise.is_none(),
            residual: noise * (own.iter().map(|r| r * r).sum::<f64>() / n as f64).sqrt(),
            whiteness: whiteness(own).map(|Whiteness { neighbours, probability }| [neighbours, probability]),
        }
    };
    problem.measured.iter().enumerate().map(column).collect()
}

/// What to be careful about, in words.
fn warnings(parameters: &[Estimated], found: &Spread, columns: &[FittedColumn], converged: bool) -> Vec<String> {
    let mut out = Vec::new();
    if !converged {
        out.push("no minimum was reached: allow more iterations, or start nearer".to_owned());
    }
    let name = |i: usize| &parameters[i].name;
    for combination in &found.undetermined {
        out.push(match combination.as_slice() {
            [(one, _)] => format!("`{}` has no effect on what was measured", name(*one)),
            several => {
                let terms: Vec<String> = several.iter().map(|(i, w)| format!("{w:+.2} `{}`", name(*i))).collect();
                format!(
                    "the measurements cannot distinguish these: {}; fix one of them, or measure more",
                    terms.join(" ")
                )
            }
        });
    }
    for parameter in parameters {
        match (parameter.certainty, parameter.bound) {
            (Certainty::AtLimit, _) => {
                out.push(format!(
                    "`{}` is at its limit, {}; widen the limit unless you are sure of it",
                    parameter.name, parameter.value
                ));
            }
            (_, Some(bound)) if bound > parameter.value.abs() && !parameter.keys.is_empty() => {
                out.push(format!("`{}` is poorly determined: its bound exceeds its value", parameter.name));
            }
            _ => {}
        }
    }
    for i in 0..parameters.len() {
        for j in 0..i {
            let c = found.correlation[i][j];
            if c.abs() > CORRELATED {
                out.push(format!(
                    "`{}` and `{}` are correlated by {c:.3}: their bounds hold individually, not jointly",
                    name(j),
                    name(i)
                ));
            }
        }
    }
    for column in columns {
        if let Some([neighbours, probability]) = column.whiteness.filter(|[_, p]| *p < NOT_WHITE) {
            out.push(format!(
                "the residual of `{}` is not white noise (neighbours correlate by {neighbours:.2}, probability {probability:.0e}): the model lacks \
                 something, or the noise is coloured; the bounds are then too narrow",
                column.column
            ));
        }
    }
    out
}

/// The scenario of an identification with the values found, recorded inputs included.
///
/// # Errors
/// As of [`identify`].
pub fn identified_scenario(
    problem: &Identification,
    options: &IdentifyOptions,
    found: &Estimate,
) -> Result<Scenario, RunError> {
    let values: Vec<f64> = found.parameters.iter().map(|parameter| parameter.value).collect();
    Experiment::new(problem, &options.changes, &options.interrupt)?.scenario(&values[..problem.parameters.len()])
}
