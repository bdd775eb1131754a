//! How a system vibrated after its motion, in words: freely, with frequency and damping; or with the turning of a hinge, with period and harmonics.

use super::answers::{Answer, LISTED, Tone, percent, place, when};
use super::quantity::of;
use super::story::{DeflectionStory, PeriodicStory, Residual, Story, VibrationStory};

/// Vibrations below this part of the peak deflection are rounding.
const STILL: f64 = 1e-9;
/// Part by which an amplitude must change within the record for its damping to be told from none.
const UNCHANGED: f64 = 0.05;
/// Part of the greatest harmonic below which others are not listed.
const LEAST_HARMONIC: f64 = 0.01;

/// How it vibrated after the motion: the place that did so most.
pub(super) fn vibrated(story: &Story, start: f64) -> Option<Answer> {
    let free = if story.motion_end == Some(start) { "Vibration" } else { "Vibration after the motion" };
    let after = |one| -> Option<(&DeflectionStory, &Residual)> { Some((one, one.residual.as_ref()?)) };
    let places = story.deflections.iter().filter_map(after);
    let Some((one, residual)) = places.max_by(|a, b| a.1.amplitude.total_cmp(&b.1.amplitude)) else {
        story.deflections.first()?;
        let (headline, detail) = ("Cannot be determined".into(), story.motion_end_basis.clone());
        return Some(Answer { topic: free, headline, detail, tone: Tone::Plain });
    };
    let end = story.motion_end.unwrap_or(residual.span[0]);
    if residual.amplitude <= STILL * one.peak {
        return Some(Answer { topic: free, headline: "None".to_owned(), detail: place(one), tone: Tone::Plain });
    }
    let tone = if residual.grows() { Tone::Bad } else { Tone::Plain };
    Some(match &residual.periodic {
        Some(periodic) => {
            let (headline, detail) = forced(periodic, (one, residual), end);
            Answer { topic: "Periodic response", headline, detail, tone }
        }
        None => {
            let (headline, how) = ringing(residual);
            let detail =
                format!("{how}; {}; {}", place(one), settled(residual, end, ["the peak deflection", "the motion"]));
            Answer { topic: free, headline, detail, tone }
        }
    })
}

/// A free vibration: its size, then its frequencies and damping.
fn ringing(residual: &Residual) -> (String, String) {
    match residual.vibrations.as_slice() {
        [] => {
            let why = residual.not_told.clone().unwrap_or_default();
            (format!("±{}", of(residual.amplitude, "m")), format!("frequency and damping cannot be determined: {why}"))
        }
        all => (format!("±{} at {}", of(residual.amplitude, "m"), of(all[0].frequency, "Hz")), listed(residual)),
    }
}

fn listed(residual: &Residual) -> String {
    let told = residual
        .vibrations
        .iter()
        .take(LISTED)
        .map(|v| format!("{} ({})", of(v.frequency, "Hz"), damping(v, residual)));
    told.collect::<Vec<_>>().join(", ")
}

/// What repeats with every turn, and what does not.
fn forced(periodic: &PeriodicStory, (one, residual): (&DeflectionStory, &Residual), end: f64) -> (String, String) {
    let PeriodicStory { hinge, rate, amplitude, harmonics, rest } = periodic;
    let frequency = rate.abs() / std::f64::consts::TAU;
    let greatest = harmonics.iter().copied().fold(0.0, f64::max);
    let seen = harmonics.iter().enumerate().filter(|(_, size)| **size >= LEAST_HARMONIC * greatest);
    let list: Vec<String> = seen.take(2 * LISTED).map(|(k, size)| format!("{}× {}", k + 1, of(*size, "m"))).collect();
    let free = if *rest <= 0.01 * amplitude {
        format!("{} beside it at the end", of(*rest, "m"))
    } else if residual.vibrations.is_empty() {
        format!("±{} at the end beyond the harmonics that the rows resolve", of(*rest, "m"))
    } else {
        format!("a free vibration besides, ±{} at the end: {}", of(*rest, "m"), listed(residual))
    };
    let headline = format!("±{} in every turn", of(*amplitude, "m"));
    let detail = format!(
        "forced by the turning of {hinge}, so without damping of its own: period {}, {} or {} rpm; harmonics {}; {}; {free}; {}",
        of(1.0 / frequency, "s"),
        of(frequency, "Hz"),
        of(60.0 * frequency, "1"),
        list.join(", "),
        place(one),
        settled(residual, end, ["the peak deflection, about what repeats,", "the turning became steady"]),
    );
    (headline, detail)
}

fn settled(residual: &Residual, end: f64, [whole, since]: [&str; 2]) -> String {
    match residual.settling_time {
        Some(0.0) => format!("within 5 % of {whole} from {} on", when(end)),
        Some(span) => format!("within 5 % of {whole} from {} on, {} after {since}", when(end + span), of(span, "s")),
        None => format!("not within 5 % of {whole} by {}", when(residual.span[1])),
    }
}

fn damping(one: &VibrationStory, residual: &Residual) -> String {
    match one.damping_ratio {
        _ if residual.is_undamped(one) => "no damping seen".to_owned(),
        ratio if ratio < 0.0 => format!("grows, damping {}", percent(ratio)),
        ratio => format!("damping {}", percent(ratio)),
    }
}

impl Residual {
    /// The oscillation with the greatest energy.
    pub fn vibration(&self) -> Option<&VibrationStory> {
        self.vibrations.first()
    }

    /// Whether that grows.
    fn grows(&self) -> bool {
        self.vibration().is_some_and(|v| v.damping_ratio < 0.0 && !self.is_undamped(v))
    }

    /// Whether the amplitude of an oscillation hardly changes in the rows looked at.
    fn is_undamped(&self, one: &VibrationStory) -> bool {
        let periods = one.frequency * (self.span[1] - self.span[0]);
        one.damping_ratio.abs() * std::f64::consts::TAU * periods < UNCHANGED
    }
}
