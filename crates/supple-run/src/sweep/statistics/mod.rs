//! Statistics of columns of numbers, each with its confidence interval. Functions of slices; numbers that are not finite must be left out before.
//!
//! | module         | what it estimates                                                              | interval                     |
//! |----------------|--------------------------------------------------------------------------------|------------------------------|
//! | `moments`      | mean, standard deviation                                                       | Student's t; bootstrap       |
//! | `order`        | percentiles                                                                    | order statistics, exact      |
//! | `proportion`   | how often something happens                                                    | Wilson's                     |
//! | `correlation`  | Pearson's and Spearman's coefficients                                          | Fisher's transformation      |
//! | `morris`       | elementary effects of one value after the other                                | bootstrap over trajectories  |
//! | `sobol`        | shares of the variance, alone and with all interactions                        | bootstrap over base samples  |

mod bootstrap;
mod correlation;
mod moments;
mod morris;
mod order;
mod proportion;
mod sobol;

use serde::Serialize;

pub use correlation::{pearson, spearman};
pub use moments::{deviation, mean};
pub use morris::{MorrisEffect, morris_effects};
pub use order::percentile;
pub use proportion::proportion;
pub use sobol::{SobolIndex, sobol_indices};

/// An estimate, with the bounds of its 95 % confidence interval; NaN where a bound cannot be given.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

/// What an interval leaves out on each side: of 95 % intervals.
const TAIL: f64 = 0.025;

#[cfg(test)]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1.0), "{found} for {expected}");
}
