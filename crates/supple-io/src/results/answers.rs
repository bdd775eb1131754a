//! The story of a run in words: one answer to each question that people ask first. The command, the page and programs take them from here.

use super::damping_summary::DampingSummary;
use super::quantity::{digits, of};
use super::story::{DeflectionStory, HingeStory, MotorStory, Story};
use super::summary::{Outcome, Summary};
use super::{load_answers, vibration_answer};
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
pub(super) const LISTED: usize = 3;

impl Summary {
    /// What happened, one answer to each question; none before the run has ended, and of files of older versions.
    pub fn answers(&self) -> Vec<Answer> {
        let Some(story) = &self.story else { return Vec::new() };
        let mut out = vec![moved(story)];
        out.extend(bent(story));
        out.extend(vibration_answer::vibrated(story, self.start_time));
        out.extend(load_answers::loads(&story.loads));
        // Where wrenches drive the system, that there is no motor is no news.
        out.extend((story.loads.is_empty() || !story.motors.is_empty()).then(|| motors(&story.motors)));
        out.extend(load_answers::springs(&story.elements));
        out.extend(followed(story));
        out.extend(load_answers::modes(&story.modes));
        out.extend(self.stability());
        out.push(self.computed(story));
        out
    }

    /// The damping of the system as this run drives it, where the model asks for any.
    pub fn own_damping(&self) -> Option<&DampingSummary> {
        self.damping.iter().find(|case| case.is_of_run())
    }

    /// That small motions about the start grow, where they do.
    fn stability(&self) -> Option<Answer> {
        let case = self.own_damping()?;
        let detail = format!("{}, small motions about the start: {}", case.hinges, case.growth()?);
        Some(Answer { topic: "Stability", headline: "Unstable at the start".into(), detail, tone: Tone::Fair })
    }

    /// How it was computed: how it ended, its energy balance, its warnings. The balance says whether the equations were solved, not whether they are the right ones.
    fn computed(&self, story: &Story) -> Answer {
        let share = self.ledger.as_ref().map(|ledger| (ledger.balance_error.abs(), story.energy));
        let counted = match self.warnings.len() {
            1 => "1 warning".to_owned(),
            many => format!("{many} warnings"),
        };
        // Warnings stand in the headline.
        let none = if self.warnings.is_empty() { "; no warnings" } else { "" };
        let s = &self.statistics;
        let proves = match (share, self.physics.bodies.is_empty()) {
            (Some(_), false) => {
                "the balance shows that the equations were solved, not that the model has enough modes; "
            }
            (Some(_), true) => {
                "the balance shows that the equations were solved, not that the model is the right one; "
            }
            (None, _) => "",
        };
        let steps = format!(
            "{proves}{} steps of {}, {} rejected{none}",
            s.accepted_steps, self.integrator.name, s.rejected_steps
        );
        let (headline, mut tone, balance) = match share {
            Some((error, energy)) if error <= BALANCE[1] * energy || energy == 0.0 => {
                let good = error <= BALANCE[0] * energy;
                let part = if energy > 0.0 { error / energy } else { 0.0 };
                let told = format!("balance error at the end {} of {} exchanged; ", of(error, "J"), of(energy, "J"));
                let size = if part > f64::EPSILON { format!("{part:.0e}") } else { "rounding".to_owned() };
                (format!("Energy balance to {size}"), if good { Tone::Good } else { Tone::Fair }, told)
            }
            Some((error, energy)) => {
                let told = format!("balance error at the end {} of {} exchanged; ", of(error, "J"), of(energy, "J"));
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
    format!("{} at {}{share}", place(one), when(one.time))
}

/// A simulated time: all times are counted as the results count them, from the start of the scenario; spans are told as such.
pub(super) fn when(time: f64) -> String {
    format!("t = {}", of(time, "s"))
}

/// The place of a deflection in words.
pub(super) fn place(one: &DeflectionStory) -> String {
    let DeflectionStory { body, node, whole_arm, .. } = one;
    if *whole_arm { format!("{body}, {node}, away from the rigid arm") } else { format!("{body}, {node}") }
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
        format!("{} {}{limit} at {} (RMS {}){beyond}", m.hinge, of(m.peak, &m.unit), when(m.time), of(m.rms, &m.unit))
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
fn followed(story: &Story) -> Option<Answer> {
    let all = &story.tracking;
    let first = all.first()?;
    let settled = match (first.settling_time, story.motion_end) {
        (Some(span), Some(end)) => format!("within 2 % of the distance moved from {} on", when(end + span)),
        _ => "not within 2 % of the distance moved by the end".to_owned(),
    };
    let mut detail = format!(
        "{}, reference of {}, at {}; {} at the end, {settled}",
        first.hinge,
        first.reference,
        when(first.time),
        of(first.at_end, &first.unit)
    );
    let others = all[1..].iter().take(LISTED - 1).map(|one| format!("; {} {}", one.hinge, of(one.greatest, &one.unit)));
    detail.extend(others);
    let headline = of(first.greatest, &first.unit);
    Some(Answer { topic: "Largest tracking error", headline, detail, tone: Tone::Plain })
}

pub(super) fn percent(part: f64) -> String {
    format!("{} %", digits(100.0 * part))
}
