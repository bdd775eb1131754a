//! Damping ratios of a system, as a run and `supple check` tell them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Modes that are listed; the others are summed up.
const FIRST: usize = 6;

/// The vibrations of a system in one way of holding its hinges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DampingSummary {
    /// What the hinges do, in words.
    pub hinges: String,
    /// The modes, lowest first.
    pub modes: Vec<ModeSummary>,
    /// What grows, fastest first: the system is not stable where there is any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub growing: Vec<GrowthSummary>,
    /// Directions in which it moves as rigid bodies, and nothing resists: without frequency or damping ratio.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rigid: usize,
    /// Why there are no modes, where they could not be computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_computed: Option<String>,
}

/// A vibration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModeSummary {
    /// Frequency, Hz.
    pub frequency: f64,
    /// Damping ratio.
    pub damping_ratio: f64,
    /// Share of strain in its energy, of bodies and springs: about one for vibrations of links, another where gravity or a controller makes it swing.
    #[serde(default = "one")]
    pub strain: f64,
}

/// A motion that grows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrowthSummary {
    /// Time in which it doubles, s.
    pub doubling_time: f64,
    /// Frequency at which it swings meanwhile, Hz; zero where it does not swing.
    pub frequency: f64,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

fn one() -> f64 {
    1.0
}

/// Shares of strain in the energy of a vibration. Where links sag, gravity takes much of what strain gives in the swinging of a hinge.
const STRAINED: std::ops::RangeInclusive<f64> = 0.5..=2.0;

impl DampingSummary {
    /// What hinges do that nothing but the run itself drives, in words; and where controllers act as well.
    pub const DRIVEN: &str = "as driven at the start";
    /// The same with controllers.
    pub const CONTROLLED: &str = "as driven and controlled at the start";

    /// Whether it is that of the run, not one of hinges that are locked or free for comparison.
    pub fn is_of_run(&self) -> bool {
        [Self::DRIVEN, Self::CONTROLLED].contains(&self.hinges.as_str())
    }

    /// What grows fastest, in words: a small motion about the start, not one that is asked for.
    pub fn growth(&self) -> Option<String> {
        let GrowthSummary { doubling_time, frequency } = self.growing.first()?;
        let constant = time(doubling_time / std::f64::consts::LN_2);
        let others = match self.growing.len() {
            1 => String::new(),
            many => format!(" (the fastest of {many})"),
        };
        Some(match *frequency > 0.0 {
            true => {
                format!("an oscillation at {frequency:.4} Hz grows with a time constant of {constant} s{others}")
            }
            false => format!("it diverges with a time constant of {constant} s{others}"),
        })
    }
}

impl ModeSummary {
    /// Whether bodies and springs vibrate in it. Otherwise gravity or a controller makes links swing that hardly bend.
    pub fn is_vibration(&self) -> bool {
        STRAINED.contains(&self.strain)
    }
}

/// Ratios of some modes, as they are printed: the first one by one, the others summed up.
fn list(modes: &[&ModeSummary]) -> String {
    let ratio = |ratio: f64| if ratio.abs() < 5e-7 { 0.0 } else { ratio };
    let one = |mode: &&ModeSummary| format!("{:.4} at {:.4} Hz", ratio(mode.damping_ratio), mode.frequency);
    let first: Vec<String> = modes.iter().take(FIRST).map(one).collect();
    let rest = modes.get(FIRST..).unwrap_or_default();
    let Some(last) = rest.last() else { return first.join(", ") };
    let range = rest.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], mode| {
        [least.min(mode.damping_ratio), most.max(mode.damping_ratio)]
    });
    let [least, most] = range.map(ratio);
    format!("{}, {} more to {:.1} Hz: {least:.4} to {most:.4}", first.join(", "), rest.len(), last.frequency)
}

/// The first modes in one line, what nothing resists, and what grows.
impl fmt::Display for DampingSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "damping ratios, {}: ", self.hinges)?;
        if let Some(why) = &self.not_computed {
            return write!(f, "not computed, {why}");
        }
        let (vibrations, swings): (Vec<&ModeSummary>, Vec<&ModeSummary>) =
            self.modes.iter().partition(|mode| mode.is_vibration());
        f.write_str(if vibrations.is_empty() { "no vibration" } else { "" })?;
        f.write_str(&list(&vibrations))?;
        if !swings.is_empty() {
            write!(f, "; of swinging with links nearly rigid: {}", list(&swings))?;
        }
        match self.rigid {
            0 => {}
            1 => f.write_str("; one rigid-body motion that nothing resists, without frequency or ratio")?,
            many => write!(f, "; {many} rigid-body motions that nothing resists, without frequency or ratio")?,
        }
        self.growth().map_or(Ok(()), |growth| write!(f, "; unstable there: {growth}"))
    }
}

/// A time of any size, with digits enough.
fn time(seconds: f64) -> String {
    if (1e-2..1e4).contains(&seconds) { format!("{seconds:.3}") } else { format!("{seconds:.2e}") }
}
