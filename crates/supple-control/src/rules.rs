//! Rules that every list of times and numbers must keep.

use crate::error::ProfileError;

/// Shortest interval that counts, as a fraction of the times at its ends: some 2²⁰ floating-point numbers lie in it.
const SHORTEST: f64 = 1_048_576.0 * f64::EPSILON;

/// All numbers are finite.
pub(crate) fn finite(quantity: &'static str, values: &[f64]) -> Result<(), ProfileError> {
    match values.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(ProfileError::NotFinite { quantity, index, value: values[index] }),
        None => Ok(()),
    }
}

/// Times are finite, increase, and are not too close to each other.
pub(crate) fn increasing(times: &[f64]) -> Result<(), ProfileError> {
    finite("time", times)?;
    for (i, pair) in times.windows(2).enumerate() {
        let (index, previous, time) = (i + 1, pair[0], pair[1]);
        if time <= previous {
            return Err(ProfileError::NotIncreasing { index, previous, time });
        }
        let least = SHORTEST * previous.abs().max(time.abs());
        if time - previous < least {
            return Err(ProfileError::TooShort { index, previous, time, least });
        }
    }
    Ok(())
}

/// Whether two times differ by rounding only.
pub(crate) fn same_time(a: f64, b: f64) -> bool {
    (a - b).abs() < SHORTEST * a.abs().max(b.abs()) || a == b
}

/// One entry per time, and at least `least` of them.
pub(crate) fn table(times: &[f64], quantity: &'static str, values: &[f64], least: usize) -> Result<(), ProfileError> {
    if times.len() != values.len() {
        return Err(ProfileError::Lengths { times: times.len(), quantity, found: values.len() });
    }
    if times.len() < least {
        return Err(ProfileError::TooFew { quantity, found: times.len(), least });
    }
    finite(quantity, values)?;
    increasing(times)
}

/// A derived number did not overflow.
pub(crate) fn representable(quantity: &'static str, time: f64, values: &[f64]) -> Result<(), ProfileError> {
    if values.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(ProfileError::Overflow { quantity, time }) }
}
