//! A force, or any other input, as a function of time.

use crate::error::ProfileError;
use crate::rules;

/// A number at every time. At a jump it has the value after the jump.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    kind: Kind,
    times: Vec<f64>,
    values: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Constant,
    Steps,
    Linear,
}

impl Signal {
    /// The same value at all times.
    ///
    /// # Errors
    /// A value that is not finite.
    pub fn constant(value: f64) -> Result<Self, ProfileError> {
        rules::finite("value", &[value])?;
        Ok(Self { kind: Kind::Constant, times: Vec::new(), values: vec![value] })
    }

    /// Each value is held from its time to the next one, the last one for ever; zero before the first time.
    ///
    /// # Errors
    /// Times that do not increase, lists of different lengths, no step at all, numbers that are not finite.
    pub fn steps(times: &[f64], values: &[f64]) -> Result<Self, ProfileError> {
        rules::table(times, "values", values, 1)?;
        Ok(Self { kind: Kind::Steps, times: times.to_vec(), values: values.to_vec() })
    }

    /// Linear between the points, constant before the first and after the last.
    ///
    /// # Errors
    /// Times that do not increase, lists of different lengths, fewer than two points, numbers that are not finite, a
    /// slope beyond double precision.
    pub fn table(times: &[f64], values: &[f64]) -> Result<Self, ProfileError> {
        rules::table(times, "values", values, 2)?;
        for (t, x) in times.windows(2).zip(values.windows(2)) {
            rules::representable("slope", t[0], &[t[1] - t[0], x[1] - x[0], (x[1] - x[0]) / (t[1] - t[0])])?;
        }
        Ok(Self { kind: Kind::Linear, times: times.to_vec(), values: values.to_vec() })
    }

    /// The value at a time; a time that is not a number gives no number.
    pub fn value(&self, time: f64) -> f64 {
        if time.is_nan() {
            return f64::NAN;
        }
        let begun = self.times.partition_point(|t| *t <= time);
        match self.kind {
            Kind::Constant => self.values[0],
            Kind::Steps => begun.checked_sub(1).map_or(0.0, |last| self.values[last]),
            Kind::Linear if begun == 0 => self.values[0],
            Kind::Linear if begun == self.times.len() => self.values[begun - 1],
            Kind::Linear => {
                let (t, x) = (&self.times[begun - 1..=begun], &self.values[begun - 1..=begun]);
                let share = (time - t[0]) / (t[1] - t[0]);
                (1.0 - share) * x[0] + share * x[1]
            }
        }
    }

    /// Times at which the value jumps or turns, in order.
    pub fn breaks(&self) -> &[f64] {
        &self.times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_hold_from_their_time_on() {
        let signal = Signal::steps(&[1.0, 2.0, 5.0], &[3.0, -4.0, 0.0]).unwrap();
        for (time, value) in [(0.0, 0.0), (1.0_f64.next_down(), 0.0), (1.0, 3.0), (2.0, -4.0), (4.9, -4.0), (5.0, 0.0)]
        {
            assert_eq!(signal.value(time), value, "{time}");
        }
        assert_eq!(signal.value(f64::INFINITY), 0.0);
        assert_eq!(signal.breaks(), [1.0, 2.0, 5.0]);
    }

    #[test]
    fn tables_are_linear_between_points_and_exact_at_them() {
        let (times, values) = ([0.0, 0.1, 0.3, 1.0], [1.0, 0.7, -0.3, 0.1]);
        let signal = Signal::table(&times, &values).unwrap();
        for (t, x) in times.into_iter().zip(values) {
            assert_eq!(signal.value(t), x);
            // Continuous: nothing happens from one floating-point number to the next.
            assert!((signal.value(t.next_down()) - x).abs() < 1e-14);
        }
        assert!((signal.value(0.2) - 0.2).abs() < 1e-15);
        assert_eq!((signal.value(-5.0), signal.value(5.0)), (1.0, 0.1));
        assert_eq!(signal.breaks(), times);
    }

    #[test]
    fn a_constant_has_no_breaks() {
        let signal = Signal::constant(-2.5).unwrap();
        assert_eq!((signal.value(-1e300), signal.value(0.0), signal.breaks()), (-2.5, -2.5, &[][..]));
        assert!(signal.value(f64::NAN).is_nan());
    }

    #[test]
    fn senseless_lists_are_refused() {
        type E = ProfileError;
        assert!(matches!(Signal::constant(f64::INFINITY), Err(E::NotFinite { quantity: "value", .. })));
        assert_eq!(
            Signal::steps(&[0.0, 1.0, 1.0], &[1.0, 2.0, 3.0]),
            Err(E::NotIncreasing { index: 2, previous: 1.0, time: 1.0 })
        );
        assert_eq!(Signal::steps(&[], &[]), Err(E::TooFew { quantity: "values", found: 0, least: 1 }));
        assert_eq!(Signal::table(&[1.0], &[1.0]), Err(E::TooFew { quantity: "values", found: 1, least: 2 }));
        assert_eq!(
            Signal::table(&[0.0, 1.0], &[1.0, 2.0, 3.0]),
            Err(E::Lengths { times: 2, quantity: "values", found: 3 })
        );
        assert!(matches!(
            Signal::table(&[0.0, f64::NAN], &[1.0, 2.0]),
            Err(E::NotFinite { quantity: "time", index: 1, .. })
        ));
        assert!(matches!(Signal::table(&[1.0, 1.0 + 1e-15], &[1.0, 2.0]), Err(E::TooShort { index: 1, .. })));
        assert!(matches!(Signal::table(&[0.0, 1.0], &[-1e308, 1e308]), Err(E::Overflow { quantity: "slope", .. })));
    }
}
