//! Quantities as people read them.

/// Angles, rad, and lengths, m, below which a motion is rounding.
const ROUNDED: [f64; 2] = [1e-10, 1e-12];

/// A quantity as people read it: angles in degrees, lengths in mm where they are short, three digits. Angles and lengths at rounding level are zero.
pub fn of(value: f64, unit: &str) -> String {
    let size = value.abs();
    match unit {
        "rad" if size < ROUNDED[0] => "0°".to_owned(),
        "m" if size < ROUNDED[1] => "0 mm".to_owned(),
        "rad" if size > 6.0 * std::f64::consts::PI => format!("{} turns", digits(value / std::f64::consts::TAU)),
        "rad" if size >= 1e-4 => format!("{}°", digits(value.to_degrees())),
        "rad" => format!("{} µrad", digits(1e6 * value)),
        "m" if size < 1e-9 => format!("{} m", digits(value)),
        "m" if size < 1e-4 => format!("{} µm", digits(1e6 * value)),
        "m" if size < 0.9995 => format!("{} mm", digits(1e3 * value)),
        "N" | "N m" | "J" | "W" if size >= 1e3 => format!("{} k{unit}", digits(1e-3 * value)),
        "Hz" => format!("{} Hz", significant(value, 4)),
        "s" => format!("{} s", significant(value, 4)),
        "1" | "" => digits(value),
        unit => format!("{} {unit}", digits(value)),
    }
}

pub(super) fn digits(value: f64) -> String {
    significant(value, 3)
}

/// A number with a few significant digits, a power of ten where it saves room.
fn significant(value: f64, count: i32) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return "–".to_owned();
    }
    if size == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e5).contains(&size) {
        let (digits, power) = format!("{value:.*e}", count as usize - 1)
            .split_once('e')
            .map_or((String::new(), String::new()), |(d, p)| (d.to_owned(), p.to_owned()));
        return format!("{}e{power}", trimmed(&digits));
    }
    let places = (count - 1 - size.log10().floor() as i32).max(0) as usize;
    trimmed(&format!("{value:.places$}"))
}

/// Without zeros at the end of a fraction.
fn trimmed(text: &str) -> String {
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_as_people_read_them() {
        for (value, unit, text) in [
            (0.4, "rad", "22.9°"),
            (-3e-6, "rad", "-3 µrad"),
            (0.0, "rad", "0°"),
            (1e-11, "rad", "0°"),
            (-3e-14, "m", "0 mm"),
            (2e-10, "m", "2e-10 m"),
            (0.2655, "m", "266 mm"),
            (1.25, "m", "1.25 m"),
            (2.5e-6, "m", "2.5 µm"),
            (14_900.0, "J", "14.9 kJ"),
            (93.4, "N m", "93.4 N m"),
            (0.044_861, "Hz", "0.04486 Hz"),
            (1.2e-9, "J", "1.2e-9 J"),
            (40.0, "s", "40 s"),
            (999.96, "N", "1000 N"),
            (25.0 * std::f64::consts::TAU, "rad", "25 turns"),
        ] {
            assert_eq!(of(value, unit), text);
        }
    }
}
