//! Numbers from the rows of a run.

use supple_io::study_file::{Extract, Measure};

/// Part of a bound by which a time may miss it and still count.
const SLACK: f64 = 1e-9;

/// Takes a number from a column.
///
/// # Errors
/// Why there is none.
pub fn extract(told: &Extract, times: &[f64], column: &[f64]) -> Result<f64, String> {
    if let Measure::At { time } = told.measure {
        return at(time, times, column);
    }
    let slack = |bound: f64| SLACK * bound.abs().max(1.0);
    let first = told.from.map_or(0, |from| times.partition_point(|time| *time < from - slack(from)));
    let end = told.to.map_or(times.len(), |to| times.partition_point(|time| *time <= to + slack(to)));
    if first >= end {
        let last = times.last().map_or("there is none".to_owned(), |time| format!("the last is at {time} s"));
        return Err(format!(
            "no rows between {} and {} s: {last}",
            shown(told.from, "the start"),
            shown(told.to, "the end")
        ));
    }
    let (times, values) = (&times[first..end], &column[first..end]);
    let count = values.len() as f64;
    let least = || values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = || values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let time_of = |value: f64| values.iter().position(|other| *other == value).map_or(f64::NAN, |i| times[i]);
    let number = match told.measure {
        Measure::First => values[0],
        Measure::Last | Measure::At { .. } => values[values.len() - 1],
        Measure::Min => least(),
        Measure::Max => greatest(),
        Measure::MaxAbs => values.iter().map(|value| value.abs()).fold(0.0, f64::max),
        Measure::Mean => values.iter().sum::<f64>() / count,
        Measure::Rms => (values.iter().map(|value| value * value).sum::<f64>() / count).sqrt(),
        Measure::PeakToPeak => greatest() - least(),
        Measure::Amplitude => (greatest() - least()) / 2.0,
        Measure::Integral => {
            times.windows(2).zip(values.windows(2)).map(|(t, y)| (t[1] - t[0]) * (y[0] + y[1]) / 2.0).sum()
        }
        Measure::TimeOfMax => time_of(greatest()),
        Measure::TimeOfMin => time_of(least()),
        Measure::SettlingTime { band, target } => return settling(times, values, band, target),
    };
    if number.is_finite() { Ok(number) } else { Err("the column has a value that is not finite".into()) }
}

fn shown(time: Option<f64>, otherwise: &str) -> String {
    time.map_or_else(|| otherwise.to_owned(), |time| time.to_string())
}

/// The value at a time, on a straight line between rows.
fn at(time: f64, times: &[f64], values: &[f64]) -> Result<f64, String> {
    let slack = SLACK * time.abs().max(1.0);
    let after = times.partition_point(|other| *other < time - slack);
    let none = || format!("no row at {time} s: the last is at {} s", times.last().copied().unwrap_or(f64::NAN));
    let next = *times.get(after).ok_or_else(none)?;
    if (next - time).abs() <= slack || after == 0 {
        return if (next - time).abs() <= slack { Ok(values[after]) } else { Err(none()) };
    }
    let part = (time - times[after - 1]) / (next - times[after - 1]);
    Ok(values[after - 1] + part * (values[after] - values[after - 1]))
}

/// Time from the first row until all rows are within the band.
fn settling(times: &[f64], values: &[f64], band: f64, target: Option<f64>) -> Result<f64, String> {
    let target = target.unwrap_or(values[values.len() - 1]);
    // What is not a number is not near either.
    let outside = values.iter().rposition(|value| value.is_nan() || (value - target).abs() > band);
    match outside.map_or(0, |last| last + 1) {
        first if first < times.len() => Ok(times[first] - times[0]),
        _ => Err(format!("it does not stay within {band} of {target} at the end")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: [f64; 5] = [0.0, 1.0, 2.0, 3.0, 4.0];
    const VALUES: [f64; 5] = [0.0, 3.0, -5.0, 1.0, 1.5];

    fn of(measure: Measure, from: Option<f64>, to: Option<f64>) -> Result<f64, String> {
        let told = Extract { name: String::new(), column: String::new(), measure, from, to, least_is_worst: false };
        extract(&told, &TIMES, &VALUES)
    }

    #[test]
    fn measures_of_a_column() {
        for (measure, expected) in [
            (Measure::First, 0.0),
            (Measure::Last, 1.5),
            (Measure::Min, -5.0),
            (Measure::Max, 3.0),
            (Measure::MaxAbs, 5.0),
            (Measure::Mean, 0.1),
            (Measure::Rms, (37.25_f64 / 5.0).sqrt()),
            (Measure::PeakToPeak, 8.0),
            (Measure::Amplitude, 4.0),
            (Measure::Integral, -0.25),
            (Measure::TimeOfMax, 1.0),
            (Measure::TimeOfMin, 2.0),
            (Measure::At { time: 1.25 }, 1.0),
            (Measure::At { time: 4.0 }, 1.5),
            (Measure::SettlingTime { band: 0.6, target: None }, 3.0),
            (Measure::SettlingTime { band: 1.0, target: Some(2.0) }, 3.0),
            (Measure::SettlingTime { band: 10.0, target: Some(2.0) }, 0.0),
        ] {
            let found = of(measure, None, None).unwrap();
            assert!((found - expected).abs() < 1e-15, "{measure:?}: {found} for {expected}");
        }
    }

    #[test]
    fn windows_have_both_ends() {
        assert_eq!(of(Measure::Mean, Some(3.0), None), Ok(1.25));
        assert_eq!(of(Measure::Max, Some(2.0), Some(3.0)), Ok(1.0));
        // A time that misses its bound by rounding counts.
        assert_eq!(of(Measure::First, Some(1.0 + 1e-12), None), Ok(3.0));
        assert_eq!(of(Measure::SettlingTime { band: 1.0, target: Some(1.0) }, Some(1.0), None), Ok(2.0));
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        assert!(of(Measure::Mean, Some(5.0), None).unwrap_err().contains("the last is at 4 s"));
        assert!(of(Measure::At { time: 4.5 }, None, None).unwrap_err().contains("the last is at 4 s"));
        assert!(of(Measure::SettlingTime { band: 0.1, target: Some(0.0) }, None, None).is_err());
        let (name, column) = (String::new(), String::new());
        let told = Extract { name, column, measure: Measure::Max, from: None, to: None, least_is_worst: false };
        assert!(extract(&told, &[], &[]).is_err());
        assert!(extract(&told, &[0.0], &[f64::INFINITY]).is_err());
    }
}
