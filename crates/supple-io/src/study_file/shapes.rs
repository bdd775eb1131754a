//! The format of study files: keys, values, meanings.

use super::FORMAT;
use crate::document::shape::{
    FLAG, NOT_NEGATIVE, NUMBER, NUMBERS, POSITIVE, Shape, TEXT, TableShape, key, need, table,
};

/// Most dimensions of a sampling by Sobol's sequence.
pub const MAX_DIMENSIONS: usize = 64;
/// Most samples.
pub(super) const MAX_SAMPLES: usize = 1_000_000_000;

static TEXTS: Shape = Shape::List { of: &TEXT, length: None };
static TEXT_OR_TEXTS: Shape = Shape::Choice(&[&TEXT, &TEXTS]);
static ITEM: Shape = Shape::Choice(&[&NUMBER, &TEXT, &FLAG, &NUMBERS]);
static ITEMS: Shape = Shape::List { of: &ITEM, length: None };
static WEIGHTS: Shape = Shape::List { of: &NOT_NEGATIVE, length: None };
static PAIR: Shape = Shape::List { of: &NUMBER, length: Some((2, "bound")) };
static COUNT: Shape = Shape::Whole(1_000_000);

static SPACED: TableShape = table(
    "spaced",
    "Equally spaced values, including both ends.",
    &[
        need("from", &NUMBER, "first value"),
        need("to", &NUMBER, "last value"),
        need("count", &COUNT, "number of values, 2 or more"),
    ],
);
static NORMAL: TableShape = table(
    "normal",
    "Normal distribution. With bounds it is truncated: values beyond them do not occur, those between keep their proportions.",
    &[
        need("mean", &NUMBER, "mean of the whole distribution"),
        need("deviation", &POSITIVE, "its standard deviation"),
        key("from", &NUMBER, "lower bound; default: none"),
        key("to", &NUMBER, "upper bound; default: none"),
    ],
);
static LOGNORMAL: TableShape = table(
    "lognormal",
    "Distribution of positive values whose logarithm is normal. With bounds it is truncated.",
    &[
        need("median", &POSITIVE, "median of the whole distribution"),
        need("deviation", &POSITIVE, "standard deviation of the natural logarithm; 0.1 is about 10 % of the median"),
        key("from", &POSITIVE, "lower bound; default: none"),
        key("to", &POSITIVE, "upper bound; default: none"),
    ],
);
static TRIANGULAR: TableShape = table(
    "triangular",
    "Distribution with the shape of a triangle.",
    &[
        need("from", &NUMBER, "least value"),
        need("peak", &NUMBER, "most frequent value"),
        need("to", &NUMBER, "greatest value"),
    ],
);

static VARY: TableShape = TableShape {
    one_of: &[&["list", "linspace", "logspace", "uniform", "normal", "lognormal", "triangular"]],
    ..table(
        "vary",
        "A value of the scenario or its model that varies from run to run, in the units of the file that has the key.",
        &[
            need(
                "key",
                &TEXT_OR_TEXTS,
                "key as `--set` takes it, e.g. model.body.payload.rigid.mass; a list of keys gets the same value",
            ),
            key("name", &TEXT, "its name in results; default: the key"),
            key("list", &ITEMS, "one of these values: numbers, strings, booleans or lists of numbers"),
            key("weights", &WEIGHTS, "weights of the values of `list`; default: equal"),
            key("linspace", &Shape::Table(&SPACED), "equally spaced values"),
            key("logspace", &Shape::Table(&SPACED), "values with equal ratios, all above zero"),
            key("uniform", &PAIR, "bounds of a uniform distribution"),
            key("normal", &Shape::Table(&NORMAL), "normal distribution"),
            key("lognormal", &Shape::Table(&LOGNORMAL), "lognormal distribution"),
            key("triangular", &Shape::Table(&TRIANGULAR), "triangular distribution"),
            key(
                "with",
                &TEXT,
                "name of a value above that this one is linked to: lists advance together, distributions use the same quantile",
            ),
        ],
    )
};

pub(super) static MEASURES: &[(&str, &str)] = &[
    ("last", "last value"),
    ("first", "first value"),
    ("min", "least value"),
    ("max", "greatest value"),
    ("max-abs", "greatest magnitude"),
    ("mean", "mean of the rows"),
    ("rms", "root of the mean square of the rows"),
    ("peak-to-peak", "greatest minus least value"),
    ("amplitude", "half of peak-to-peak: residual vibration, where `from` is the end of the move"),
    ("integral", "integral over time, by the trapezoidal rule"),
    ("time-of-max", "time of the greatest value, s"),
    ("time-of-min", "time of the least value, s"),
    ("at", "value at `time`, interpolated linearly between rows"),
    ("settling-time", "time from the first row until the column stays within `band` of `target`, s"),
];

static WORST: &[(&str, &str)] = &[("max", "the greatest ones"), ("min", "the least ones")];

static EXTRACT: TableShape = table(
    "extract",
    "A number to extract from each run.",
    &[
        need("column", &TEXT, "column of the results, e.g. node.payload.tip.z; the scenario must record it"),
        key("name", &TEXT, "its name in results; default: the column and the measure"),
        key("measure", &Shape::Word(MEASURES), "measure of the column; default: last"),
        key("from", &NOT_NEGATIVE, "start of the time span, s; default: all rows"),
        key("to", &NOT_NEGATIVE, "end of the time span, s; default: all rows"),
        key("time", &NOT_NEGATIVE, "of measure at: the time, s"),
        key("band", &POSITIVE, "of measure settling-time: half the width of the band, in the unit of the column"),
        key("worst", &Shape::Word(WORST), "which numbers are the worst cases of the summary; default: max"),
        key("target", &NUMBER, "of measure settling-time: in the unit of the column; default: the last value"),
    ],
);

pub(super) static SAMPLINGS: &[(&str, &str)] = &[
    ("grid", "every combination of the values of lists; the last one changes fastest"),
    ("random", "independent random values; runs can be added later"),
    ("latin-hypercube", "each value has one sample in each of as many equally probable intervals as there are runs"),
    (
        "sobol-sequence",
        "evenly spread points (Sobol's sequence with a random shift); best for powers of two; runs can be added later",
    ),
    (
        "morris",
        "trajectories that change one value after the other, for elementary effects; `samples` × (number of values + 1) runs",
    ),
    (
        "sobol-indices",
        "two samples and their mixtures, for shares of the variance; `samples` × (number of values + 2) runs",
    ),
];

static NOISE: &[(&str, &str)] = &[
    ("own", "each run has its own, which depends on its number"),
    ("same", "all runs have that of the scenario, so that they differ only in the varied values"),
];

/// The format.
pub(super) static STUDY: TableShape = table(
    "study",
    "Many runs of a scenario: values that vary, and numbers to extract from each run. A run depends only on the study and its number.",
    &[
        need("format", &TEXT, FORMAT),
        key("name", &TEXT, "name of the study"),
        need("scenario", &TEXT, "scenario file, relative to this file"),
        key("set", &TEXTS, "values that are the same in all runs, each as `--set` takes it: KEY=VALUE"),
        key("sampling", &Shape::Word(SAMPLINGS), "how the values are sampled; default: random"),
        key(
            "samples",
            &Shape::Whole(MAX_SAMPLES),
            "number of runs; of morris: trajectories; of sobol-indices: base samples, best a power of two; none of a grid",
        ),
        key("levels", &Shape::Whole(1000), "of morris: levels of each value, an even number; default: 4"),
        key("seed", &Shape::Whole(9_007_199_254_740_991), "seed of all random values, a whole number; default: 0"),
        key(
            "noise",
            &Shape::Word(NOISE),
            "noise of sensors; default: own, but same where runs are compared with each other (grid, morris, sobol-indices)",
        ),
        key(
            "folder",
            &TEXT,
            "folder of the results, relative to this file; default: results/ and the name of this file",
        ),
        key("vary", &Shape::List { of: &Shape::Table(&VARY), length: None }, "values that vary"),
        need("extract", &Shape::List { of: &Shape::Table(&EXTRACT), length: None }, "numbers to extract from each run"),
    ],
);
