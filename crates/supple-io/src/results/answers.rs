//! The story of a run in words: one answer to each question that people ask first. The command, the page and programs take them from here.

use super::story::{DeflectionStory, HingeStory, MotorStory, Residual, Story, TrackingStory, VibrationStory};
use super::summary::{Outcome, Summary};
use serde::Serialize;

/// How an answer is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// A fact.
    Plain,
    /// As it should be.
    Good,
    /// To be looked at.
    Fair,
    /// Not as it should be.
    Bad,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// What it is about, in a word or two.
    pub topic: &'static str,
    /// The answer at a glance.
    pub headline: String,
    /// Where, when, compared with what.
    pub detail: String,
    /// How it is meant.
    pub tone: Tone,
}

/// Balance errors, relative to the energy turned over, that are good and that are bad.
const BALANCE: [f64; 2] = [1e-4, 1e-2];
/// Parts of an effort limit from which on a motor has little to spare, and from which on it does not suffice.
const LOAD: [f64; 2] = [0.9, 1.0];
/// Travel, rad or m, below which a hinge does not move.
const AT_REST: f64 = 1e-9;
/// Hinges, motors and vibrations that a detail lists.
const LISTED: usize = 3;

impl Summary {
    /// What happened, one answer to each question; none before the run has ended, and of files of older versions.
    pub fn answers(&self) -> Vec<Answer> {
        let Some(story) = &self.story else { return Vec::new() };
        let mut out = vec![moved(story)];
        out.extend(bent(story));
        out.extend(vibrated(story, self.start_time));
        out.push(motors(&story.motors));
        out.extend(followed(&story.tracking));
        out.push(self.computed(story));
        out
    }

    /// Whether the run can be trusted: how it ended, its energy balance, its warnings.
    fn computed(&self, story: &Story) -> Answer {
        let share = self.ledger.as_ref().map(|ledger| (ledger.balance_error.abs(), story.energy));
        let counted = match self.warnings.len() {
            0 => "no warnings".to_owned(),
            1 => "1 warning".to_owned(),
            many => format!("{many} warnings"),
        };
        let s = &self.statistics;
        let steps =
            format!("{} steps of {}, {} rejected; {counted}", s.accepted_steps, self.integrator.name, s.rejected_steps);
        let (headline, mut tone, balance) = match share {
            Some((error, energy)) if error <= BALANCE[1] * energy || energy == 0.0 => {
                let good = error <= BALANCE[0] * energy;
                let part = if energy > 0.0 { error / energy } else { 0.0 };
                let told = format!("balance error {} of {} exchanged; ", of(error, "J"), of(energy, "J"));
                (format!("Energy balance to {part:.0e}"), if good { Tone::Good } else { Tone::Fair }, told)
            }
            Some((error, energy)) => {
                let told = format!("balance error {} of {} exchanged; ", of(error, "J"), of(energy, "J"));
                ("Energy does not balance".to_owned(), Tone::Bad, told)
            }
            None => ("Energy balance not followed".to_owned(), Tone::Fair, String::new()),
        };
        let mut headline = headline;
        if !self.warnings.is_empty() {
            headline = format!("{counted}; {}{}", headline[..1].to_lowercase(), &headline[1..]);
            tone = if tone == Tone::Good { Tone::Fair } else { tone };
        }
        let (headline, tone) = match &self.outcome {
            Outcome::Failed(_) => (format!("Failed at {}", of(self.end_time, "s")), Tone::Bad),
            Outcome::Interrupted => (format!("Interrupted at {}", of(self.end_time, "s")), Tone::Fair),
            _ => (headline, tone),
        };
        Answer { topic: "Computation", headline, detail: balance + &steps, tone }
    }
}

/// What moved, and until when.
fn moved(story: &Story) -> Answer {
    let moving: Vec<&HingeStory> = story.hinges.iter().filter(|hinge| hinge.travel() > AT_REST).collect();
    let headline = match moving.as_slice() {
        [] if story.hinges.is_empty() => "No hinge".to_owned(),
        [] => "No hinge moves".to_owned(),
        [one] => format!("{} moves by {}", one.hinge, of(one.travel(), &one.unit)),
        [first, ..] => format!("{} hinge coordinates move, up to {}", moving.len(), of(first.travel(), &first.unit)),
    };
    let each = |h: &&&HingeStory| format!("{} {} to {}", h.hinge, of(h.from_to[0], &h.unit), of(h.from_to[1], &h.unit));
    let list: Vec<String> = moving.iter().take(LISTED).map(|h| each(&h)).collect();
    let more = if moving.len() > LISTED { format!(" and {} more", moving.len() - LISTED) } else { String::new() };
    let list = list.join(", ") + &more;
    let joint = if list.is_empty() { "" } else { "; " };
    Answer { topic: "Motion", headline, detail: format!("{list}{joint}{}", story.motion_end_basis), tone: Tone::Plain }
}

/// How far it bent.
fn bent(story: &Story) -> Option<Answer> {
    let first = story.deflections.first()?;
    let detail = match story.deflections.iter().find(|other| other.whole_arm != first.whole_arm) {
        Some(other) => format!("{}; {}: {}", at(first), place(other), of(other.peak, "m")),
        None => at(first),
    };
    Some(Answer { topic: "Peak deflection", headline: of(first.peak, "m"), detail, tone: Tone::Plain })
}

fn at(one: &DeflectionStory) -> String {
    let share = one.share_of_length.map_or(String::new(), |part| format!(", {} of its length", percent(part)));
    format!("{} at {}{share}", place(one), of(one.time, "s"))
}

/// The place of a deflection in words.
fn place(one: &DeflectionStory) -> String {
    let DeflectionStory { body, node, whole_arm, .. } = one;
    if *whole_arm { format!("{body}, {node}, away from the rigid arm") } else { format!("{body}, {node}") }
}

/// How it vibrated after the motion: the place that did so most.
fn vibrated(story: &Story, start: f64) -> Option<Answer> {
    let topic = if story.motion_end == Some(start) { "Vibration" } else { "Vibration after the motion" };
    let Some(most) = story
        .deflections
        .iter()
        .filter_map(|one| Some((one, one.residual.as_ref()?)))
        .max_by(|a, b| a.1.amplitude.total_cmp(&b.1.amplitude))
    else {
        story.deflections.first()?;
        return Some(Answer {
            topic,
            headline: "Cannot be determined".into(),
            detail: story.motion_end_basis.clone(),
            tone: Tone::Plain,
        });
    };
    let (one, residual) = most;
    let settled = match residual.settling_time {
        Some(time) => format!("within 5 % of the peak deflection after {}", of(time, "s")),
        None => format!("not within 5 % of the peak deflection by {}", of(residual.span[1], "s")),
    };
    let (headline, how) = match residual.vibrations.as_slice() {
        [] => {
            let why = residual.not_told.clone().unwrap_or_default();
            (format!("±{}", of(residual.amplitude, "m")), format!("frequency and damping cannot be determined: {why}"))
        }
        all => {
            let told = all.iter().take(LISTED).map(|v| format!("{} ({})", hertz(v.frequency), damping(v, residual)));
            (
                format!("±{} at {}", of(residual.amplitude, "m"), hertz(all[0].frequency)),
                told.collect::<Vec<_>>().join(", "),
            )
        }
    };
    let still = residual.amplitude <= STILL * one.peak;
    let headline = if still { "None".to_owned() } else { headline };
    let detail = if still { place(one) } else { format!("{how}; {}; {settled}", place(one)) };
    let grows = residual.vibration().is_some_and(|v| v.damping_ratio < 0.0 && !residual.is_undamped(v)) && !still;
    Some(Answer { topic, headline, detail, tone: if grows { Tone::Bad } else { Tone::Plain } })
}

/// Vibrations below this part of the peak deflection are rounding.
const STILL: f64 = 1e-9;

/// Part by which an amplitude must change within the record for its damping to be told from none.
const UNCHANGED: f64 = 0.05;

impl Residual {
    /// The oscillation with the greatest energy.
    pub fn vibration(&self) -> Option<&VibrationStory> {
        self.vibrations.first()
    }

    /// Whether the amplitude of an oscillation hardly changes in the rows looked at.
    fn is_undamped(&self, one: &VibrationStory) -> bool {
        let periods = one.frequency * (self.span[1] - self.span[0]);
        one.damping_ratio.abs() * std::f64::consts::TAU * periods < UNCHANGED
    }
}

/// Whether the motors sufficed.
fn motors(all: &[MotorStory]) -> Answer {
    let answer = |headline: String, detail: String, tone: Tone| Answer { topic: "Motors", headline, detail, tone };
    let Some(first) = all.first() else {
        return answer("None".into(), "no hinge is driven".into(), Tone::Plain);
    };
    let line = |m: &MotorStory| {
        let whose = if m.clamped { " (`u_clamp`)" } else { "" };
        let limit = m.limit.map_or(String::new(), |limit| format!(" of {}{whose}", of(limit, &m.unit)));
        let beyond = if m.seconds_beyond > 0.0 {
            format!(", at or beyond its limit for {}", of(m.seconds_beyond, "s"))
        } else {
            String::new()
        };
        format!(
            "{} {}{limit} at {} (RMS {}){beyond}",
            m.hinge,
            of(m.peak, &m.unit),
            of(m.time, "s"),
            of(m.rms, &m.unit)
        )
    };
    let mut detail = all.iter().take(LISTED).map(line).collect::<Vec<_>>().join("; ");
    if all.len() > LISTED {
        detail += &format!("; and {} more", all.len() - LISTED);
    }
    let Some(load) = first.load() else {
        detail += "; the model gives no `effort_limit`, so whether they suffice is not known";
        return answer(format!("Peak {}", of(first.peak, &first.unit)), detail, Tone::Plain);
    };
    let unlimited = all.iter().filter(|m| m.limit.is_none()).count();
    if unlimited > 0 {
        detail += &format!("; {unlimited} without `effort_limit`");
    }
    let longest = all.iter().max_by(|a, b| a.seconds_beyond.total_cmp(&b.seconds_beyond)).unwrap_or(first);
    let (headline, tone) = if load > LOAD[1] * (1.0 + 1e-9) {
        ("Motors do not suffice".to_owned(), Tone::Bad)
    } else if longest.seconds_beyond > 0.0 {
        let tone = if longest.clamped { Tone::Fair } else { Tone::Bad };
        (format!("At the limit for {}", of(longest.seconds_beyond, "s")), tone)
    } else {
        let tone = if load > LOAD[0] { Tone::Fair } else { Tone::Good };
        (format!("At most {} of the limit", percent(load)), tone)
    };
    answer(headline, detail, tone)
}

/// How closely hinges followed their references.
fn followed(all: &[TrackingStory]) -> Option<Answer> {
    let first = all.first()?;
    let settled = match first.settling_time {
        Some(time) => format!("within 2 % of its way after {}", of(time, "s")),
        None => "not within 2 % of its way by the end".to_owned(),
    };
    let mut detail = format!(
        "{}, reference of {}, at {}; {} at the end, {settled}",
        first.hinge,
        first.reference,
        of(first.time, "s"),
        of(first.at_end, &first.unit)
    );
    let others = all[1..].iter().take(LISTED - 1).map(|one| format!("; {} {}", one.hinge, of(one.greatest, &one.unit)));
    detail.extend(others);
    let headline = of(first.greatest, &first.unit);
    Some(Answer { topic: "Largest tracking error", headline, detail, tone: Tone::Plain })
}

fn damping(one: &VibrationStory, residual: &Residual) -> String {
    match one.damping_ratio {
        _ if residual.is_undamped(one) => "no damping seen".to_owned(),
        ratio if ratio < 0.0 => format!("grows, damping {}", percent(ratio)),
        ratio => format!("damping {}", percent(ratio)),
    }
}

fn hertz(frequency: f64) -> String {
    of(frequency, "Hz")
}

fn percent(part: f64) -> String {
    format!("{} %", digits(100.0 * part))
}

/// A quantity as people read it: angles in degrees, lengths in mm where they are short, three digits.
pub fn of(value: f64, unit: &str) -> String {
    let size = value.abs();
    match unit {
        "rad" if size > 6.0 * std::f64::consts::PI => format!("{} turns", digits(value / std::f64::consts::TAU)),
        "rad" if size == 0.0 || size >= 1e-4 => format!("{}°", digits(value.to_degrees())),
        "rad" => format!("{} µrad", digits(1e6 * value)),
        "m" if size > 0.0 && size < 1e-9 => format!("{} m", digits(value)),
        "m" if size > 0.0 && size < 1e-4 => format!("{} µm", digits(1e6 * value)),
        "m" if size > 0.0 && size < 0.9995 => format!("{} mm", digits(1e3 * value)),
        "N" | "N m" | "J" | "W" if size >= 1e3 => format!("{} k{unit}", digits(1e-3 * value)),
        "Hz" => format!("{} Hz", significant(value, 4)),
        "s" => format!("{} s", significant(value, 4)),
        "1" | "" => digits(value),
        unit => format!("{} {unit}", digits(value)),
    }
}

fn digits(value: f64) -> String {
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
