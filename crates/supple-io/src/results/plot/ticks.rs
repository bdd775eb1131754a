//! Round numbers along an axis.

/// Marks of an axis and what to write there.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticks {
    /// Where the marks are.
    pub places: Vec<f64>,
    /// What is written at each.
    pub labels: Vec<String>,
}

/// Multiples of 1, 2 or 5 times a power of ten inside a range, about `count` of them.
pub fn ticks(range: [f64; 2], count: usize) -> Ticks {
    let [low, high] = range;
    let raw = (high - low) / count.max(1) as f64;
    let power = 10.0_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|step| *step >= 0.999 * raw).unwrap_or(raw);
    if !(step.is_finite() && step > 0.0) || low / step == high / step {
        return Ticks { places: vec![low], labels: vec![short(low)] };
    }
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    // Numbers whose ulp is beyond the step cannot be told apart.
    let number = if last - first < 10.0 * count as f64 { (last - first) as usize + 1 } else { 1 };
    let places: Vec<f64> = (0..number).map(|i| (first + i as f64) * step).collect();
    let largest = places.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let decimals = (-step.log10() + 1e-9).floor().max(0.0) as usize + usize::from(!is_power(step) && step < 1.0);
    let plain = (1e-4..1e6).contains(&largest) && step >= 1e-6;
    let label = |x: &f64| {
        let x = if *x == 0.0 { 0.0 } else { *x };
        if plain { trimmed(&format!("{x:.*}", decimals.min(8))) } else { short(x) }
    };
    let labels = places.iter().map(label).collect();
    Ticks { places, labels }
}

/// Whether a step is a power of ten.
fn is_power(step: f64) -> bool {
    (step.log10() - step.log10().round()).abs() < 1e-9
}

/// Without a sign before zero.
fn trimmed(text: &str) -> String {
    let zero = text.trim_start_matches('-').bytes().all(|b| b == b'0' || b == b'.');
    if zero { text.trim_start_matches('-').to_owned() } else { text.to_owned() }
}

/// A number in few characters: four digits, a power of ten where it saves room.
pub fn short(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    if (1e-3..1e5).contains(&x.abs()) {
        let decimals = (3 - x.abs().log10().floor() as i32).clamp(0, 6) as usize;
        let text = format!("{x:.decimals$}");
        return if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text };
    }
    let text = format!("{x:.3e}");
    match text.split_once('e') {
        Some((digits, power)) if digits.contains('.') => {
            format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        for (range, labels) in [
            ([0.0, 1.0], vec!["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
            ([0.0, 20.0], vec!["0", "5", "10", "15", "20"]),
            ([-0.13, 0.31], vec!["-0.1", "0.0", "0.1", "0.2", "0.3"]),
            ([0.0, 2e-7], vec!["0", "5e-8", "1e-7", "1.5e-7", "2e-7"]),
            ([-3e9, 1e9], vec!["-3e9", "-2e9", "-1e9", "0", "1e9"]),
            ([0.0, 0.05], vec!["0.00", "0.01", "0.02", "0.03", "0.04", "0.05"]),
            ([0.0, 0.1], vec!["0.00", "0.02", "0.04", "0.06", "0.08", "0.10"]),
        ] {
            assert_eq!(ticks(range, 5).labels, labels, "{range:?}");
        }
        for range in [[1e300, 2e300], [1.0, 1.0 + 1e-15], [-1e-300, 1e-300], [-4e307, 4e307], [5e-324, 1e-323]] {
            let ticks = ticks(range, 5);
            assert!(!ticks.places.is_empty() && ticks.places.len() < 50, "{ticks:?}");
        }
    }

    #[test]
    fn short_numbers() {
        for (x, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (-0.123_456, "-0.1235"),
            (12_345.678, "12346"),
            (1.5e-7, "1.5e-7"),
            (100.0, "100"),
            (f64::MAX, "1.798e308"),
        ] {
            assert_eq!(short(x), text);
        }
    }
}
