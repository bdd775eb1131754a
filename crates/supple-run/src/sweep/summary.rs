//! What the rows of a study say.

use serde::Serialize;

use super::statistics::{
    Estimate, MorrisEffect, SobolIndex, deviation, mean, morris_effects, percentile, proportion, sobol_indices,
    spearman,
};
use super::{Row, RunStatus, Sampling, Study};

/// Percentiles of a summary.
const PERCENTS: [f64; 7] = [1.0, 5.0, 25.0, 50.0, 75.0, 95.0, 99.0];
/// Worst cases, and failures, that are listed.
const LISTED: usize = 10;

/// Statistics of a study, or of the part of it that is there.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SweepSummary {
    /// Name of the study.
    pub study: String,
    /// How values follow from numbers of runs.
    pub sampling: &'static str,
    /// Runs of the study.
    pub runs: u64,
    /// Runs that are there.
    pub done: u64,
    /// Rows that were there a second time, and count once.
    pub again: u64,
    /// Of the runs, those that an event ended.
    pub stopped: u64,
    /// Of them, those that failed.
    pub failed: u64,
    /// The part that failed.
    pub failure: Estimate,
    /// The first failures.
    pub failures: Vec<Failure>,
    /// The extracted numbers.
    pub numbers: Vec<NumberSummary>,
}

/// A run that failed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// Its number.
    pub run: u64,
    /// Why.
    pub message: String,
    /// The command that repeats it.
    pub command: String,
}

/// Statistics of one extracted number.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct NumberSummary {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// How many runs have it.
    pub count: usize,
    /// Mean.
    pub mean: Estimate,
    /// Standard deviation.
    pub deviation: Estimate,
    /// Least.
    pub least: f64,
    /// Greatest.
    pub greatest: f64,
    /// Percentiles.
    pub percentiles: Vec<(f64, Estimate)>,
    /// What it depends on, the strongest first.
    pub influences: Influences,
    /// The worst first.
    pub worst: Vec<WorstCase>,
}

/// What a number depends on.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "method", content = "of", rename_all = "kebab-case")]
pub enum Influences {
    /// Elementary effects, where the sampling is for them.
    Morris(Vec<Influence<MorrisEffect>>),
    /// Shares of the variance, where the sampling is for them.
    SobolIndices(Vec<Influence<SobolIndex>>),
    /// Spearman's coefficients of values that are numbers.
    RankCorrelation(Vec<Influence<Estimate>>),
}

/// What depends on one value, or on several that are linked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Influence<T> {
    /// Name of the value.
    pub name: String,
    /// How much.
    pub strength: T,
}

/// A run to look at.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorstCase {
    /// Its number.
    pub run: u64,
    /// The number that is extreme.
    pub value: f64,
    /// What varied: names and values.
    pub values: Vec<(String, String)>,
    /// The command that repeats it.
    pub command: String,
}

impl SweepSummary {
    /// That of the rows of a study, in the order of their runs.
    pub fn of(study: &Study, rows: &[Row]) -> Self {
        let count = |status: RunStatus| rows.iter().filter(|row| row.status == status).count() as u64;
        let (done, failed) = (rows.len() as u64, count(RunStatus::Failed));
        let failures = rows.iter().filter(|row| row.status == RunStatus::Failed).take(LISTED);
        let failure =
            |row: &Row| Failure { run: row.run, message: row.message.clone(), command: study.repeat_command(row.run) };
        Self {
            study: study.name(),
            sampling: study.sampling().word(),
            runs: study.runs(),
            done,
            again: 0,
            stopped: count(RunStatus::Stopped),
            failed,
            failure: proportion(failed, done),
            failures: failures.map(failure).collect(),
            numbers: (0..study.extracted().len()).map(|i| number(study, rows, i)).collect(),
        }
    }
}

fn number(study: &Study, rows: &[Row], i: usize) -> NumberSummary {
    let column = &study.columns()[study.names().len() + i];
    let finite: Vec<&Row> = rows.iter().filter(|row| row.numbers[i].is_finite()).collect();
    let mut numbers: Vec<f64> = finite.iter().map(|row| row.numbers[i]).collect();
    let (mean, deviation) = (mean(&numbers), deviation(&numbers));
    numbers.sort_by(f64::total_cmp);
    NumberSummary {
        name: column.name.clone(),
        unit: column.unit.clone(),
        count: numbers.len(),
        mean,
        deviation,
        least: numbers.first().copied().unwrap_or(f64::NAN),
        greatest: numbers.last().copied().unwrap_or(f64::NAN),
        percentiles: PERCENTS.iter().map(|percent| (*percent, percentile(&numbers, *percent))).collect(),
        influences: influences(study, rows, i),
        worst: worst(study, finite, i),
    }
}

fn worst(study: &Study, mut rows: Vec<&Row>, i: usize) -> Vec<WorstCase> {
    let least = study.extracted()[i].least_is_worst;
    let key = |row: &Row| if least { row.numbers[i] } else { -row.numbers[i] };
    rows.sort_by(|a, b| key(a).total_cmp(&key(b)).then(a.run.cmp(&b.run)));
    let case = |row: &Row| WorstCase {
        run: row.run,
        value: row.numbers[i],
        values: study.names().map(str::to_owned).zip(row.values.iter().map(|value| value.text.clone())).collect(),
        command: study.repeat_command(row.run),
    };
    rows.iter().take(LISTED).map(|row| case(row)).collect()
}

fn influences(study: &Study, rows: &[Row], i: usize) -> Influences {
    let dimensions = study.file().dimensions;
    let name = |d: usize| {
        let varied = study.file().varied.iter().filter(|varied| varied.dimension == d);
        varied.map(|varied| varied.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    match study.sampling() {
        Sampling::Morris { .. } => {
            let outputs = by_run(study, rows, i);
            let positions: Vec<Vec<f64>> =
                (0..outputs.len() as u64).map(|run| study.positions(run).unwrap_or_default()).collect();
            let effects = morris_effects(dimensions, &positions, &outputs);
            Influences::Morris(ranked(effects.into_iter().enumerate().map(|(d, e)| (name(d), e)), |e| e.mu_star.value))
        }
        Sampling::SobolIndices => {
            let indices = sobol_indices(dimensions, &by_run(study, rows, i));
            Influences::SobolIndices(ranked(
                indices.into_iter().enumerate().map(|(d, index)| (name(d), index)),
                |index| index.total.value,
            ))
        }
        _ => {
            let coefficient = |(v, name): (usize, &str)| {
                let both = rows.iter().filter_map(|row| Some((row.values[v].number?, row.numbers[i])));
                let (x, y): (Vec<f64>, Vec<f64>) = both.filter(|(_, y)| y.is_finite()).unzip();
                (name.to_owned(), spearman(&x, &y))
            };
            let numeric = study.names().enumerate().filter(|(v, _)| study.is_number(*v));
            Influences::RankCorrelation(ranked(numeric.map(coefficient), |r| r.value.abs()))
        }
    }
}

/// A number of every run, NaN where there is none.
fn by_run(study: &Study, rows: &[Row], i: usize) -> Vec<f64> {
    let mut outputs = vec![f64::NAN; study.runs() as usize];
    for row in rows {
        if let Some(output) = outputs.get_mut(row.run as usize) {
            *output = row.numbers[i];
        }
    }
    outputs
}

/// The strongest first; what has no strength last.
fn ranked<T: Clone>(all: impl Iterator<Item = (String, T)>, strength: impl Fn(&T) -> f64) -> Vec<Influence<T>> {
    let mut all: Vec<Influence<T>> = all.map(|(name, strength)| Influence { name, strength }).collect();
    let key = |influence: &Influence<T>| Some(strength(&influence.strength)).filter(|s| s.is_finite()).unwrap_or(-1.0);
    all.sort_by(|a, b| key(b).total_cmp(&key(a)));
    all
}
