//! What happened in a run, in the order in which people ask: what moved, how far it bent, how it vibrated afterwards, whether the motors sufficed, how closely it
//! followed, whether to trust it. In words: [`Summary::answers`](super::Summary::answers).

use serde::{Deserialize, Serialize};

/// What happened, looked at in every row of the results. Angles are in rad, lengths in m.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Story {
    /// When the motion ended: from then on nothing that is commanded changes. None where something changes until the end of the run.
    pub motion_end: Option<f64>,
    /// What that was taken from, in words.
    pub motion_end_basis: String,
    /// Coordinates of hinges, those that went farthest first.
    pub hinges: Vec<HingeStory>,
    /// Deflections, the greatest first.
    pub deflections: Vec<DeflectionStory>,
    /// Driven hinges, those nearest to their limits first.
    pub motors: Vec<MotorStory>,
    /// External wrenches, the greatest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<LoadStory>,
    /// Springs and bushings, that with the greatest energy first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<ElementStory>,
    /// Hinges with a reference, the greatest error first.
    pub tracking: Vec<TrackingStory>,
    /// How the strain energy of flexible bodies is spread over their modes, direction by direction, that with the most energy first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<ModesStory>,
    /// Greatest energy that was turned over, J: what the balance error is compared with.
    pub energy: f64,
}

/// A coordinate of a hinge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HingeStory {
    /// The hinge, with the coordinate where it has several.
    pub hinge: String,
    /// Its unit.
    pub unit: String,
    /// At the start and at the end.
    pub from_to: [f64; 2],
    /// The least and the greatest.
    pub range: [f64; 2],
}

impl HingeStory {
    /// From the least to the greatest.
    pub fn travel(&self) -> f64 {
        self.range[1] - self.range[0]
    }
}

/// How far a place of a body was from where it would be without deformation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeflectionStory {
    /// The body.
    pub body: String,
    /// The node, by its name or its place: the softest one of a flexible body, the far end of what an arm carries.
    pub node: String,
    /// Whether the deformations of all bodies that carry it count: it is compared with the rigid motion of the whole arm. Otherwise only its own body's.
    pub whole_arm: bool,
    /// The greatest, m.
    pub peak: f64,
    /// When it was.
    pub time: f64,
    /// Part of the length of the body; none where that has none.
    pub share_of_length: Option<f64>,
    /// After the motion; none where the motion did not end.
    pub residual: Option<Residual>,
}

/// A deflection after the motion has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Residual {
    /// From the first row to the last row that was looked at, s.
    pub span: [f64; 2],
    /// Half of the way from one extreme to the other along the direction in which it moves most, m.
    pub amplitude: f64,
    /// Its oscillations, that with the greatest energy first; none where they cannot be told.
    pub vibrations: Vec<VibrationStory>,
    /// Why they cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_told: Option<String>,
    /// The part that repeats with every turn of a hinge that turns steadily; the oscillations are those of the rest then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub periodic: Option<PeriodicStory>,
    /// Time from the end of the motion until it stays within a twentieth of the peak deflection of the run about its final value, or about what repeats; none where it does not
    /// in the rows looked at.
    pub settling_time: Option<f64>,
}

/// A forced response, which repeats with every turn of a hinge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeriodicStory {
    /// What turns.
    pub hinge: String,
    /// Its speed, rad/s.
    pub rate: f64,
    /// Half of the way from one extreme to the other within a turn, m.
    pub amplitude: f64,
    /// Amplitudes at once, twice, … per turn, m.
    pub harmonics: Vec<f64>,
    /// Half of the way between the extremes of what does not repeat, in the last turn, m.
    pub rest: f64,
}

/// A decaying oscillation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VibrationStory {
    /// Frequency, Hz.
    pub frequency: f64,
    /// Damping ratio; negative where it grows.
    pub damping_ratio: f64,
    /// Amplitude when the motion ended, m.
    pub amplitude: f64,
}

/// What a driven hinge took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotorStory {
    /// The hinge.
    pub hinge: String,
    /// N m, or N.
    pub unit: String,
    /// The greatest effort, either way.
    pub peak: f64,
    /// When it was.
    pub time: f64,
    /// Root of the mean square over the run.
    pub rms: f64,
    /// Its `effort_limit`, or that of the controller that drives it, `u_clamp`.
    pub limit: Option<f64>,
    /// Whether the limit is that of the controller.
    pub clamped: bool,
    /// How long it was at the limit, or asked for more, s.
    pub seconds_beyond: f64,
    /// Whether the hinge has a prescribed motion: the effort is what that takes.
    pub prescribed: bool,
}

impl MotorStory {
    /// The peak as a part of the limit.
    pub fn load(&self) -> Option<f64> {
        self.limit.map(|limit| self.peak / limit)
    }
}

/// An external wrench on a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadStory {
    /// The body.
    pub body: String,
    /// The node, by its name or number.
    pub node: String,
    /// Its force, N.
    pub force: LoadPeak,
    /// Its moment, N m.
    pub moment: LoadPeak,
}

/// The size of a vector over the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadPeak {
    /// The greatest.
    pub peak: f64,
    /// When it was.
    pub time: f64,
    /// Root of the mean square over the run.
    pub rms: f64,
}

/// What a spring, coupling or bushing took: its elastic part, without dampers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElementStory {
    /// The element by its name, or the hinge that it is in, or what it joins.
    pub element: String,
    /// Its kind.
    pub kind: String,
    /// Greatest elastic force or moment, either way, with its unit: N m, or N.
    pub load: f64,
    /// Its unit.
    pub load_unit: String,
    /// When it was.
    pub time: f64,
    /// Greatest deflection from its relaxed length, angle or place, either way.
    pub deflection: f64,
    /// Its unit: rad, or m.
    pub deflection_unit: String,
    /// Greatest energy stored, J.
    pub energy: f64,
}

/// Modes of a body that move in the same direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModesStory {
    /// The body.
    pub body: String,
    /// The direction, such as `along y` or `about x`, in the axes of the body.
    pub direction: String,
    /// How many modes there are.
    pub modes: usize,
    /// Their part in the strain energy of all bodies, mean over the rows.
    pub share: f64,
    /// Part of the stiffest of them in their strain energy: what is left out is of the same order or smaller. None where there is a single mode, or only static shapes of interfaces: that
    /// says nothing.
    pub highest: Option<f64>,
}

/// How closely a hinge followed its reference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrackingStory {
    /// The hinge that is measured.
    pub hinge: String,
    /// Its unit.
    pub unit: String,
    /// Where the reference comes from: a controller, or `feedforward`.
    pub reference: String,
    /// The greatest error, either way.
    pub greatest: f64,
    /// When it was.
    pub time: f64,
    /// The error at the end, reference less coordinate.
    pub at_end: f64,
    /// Time from the end of the motion until the error stays within a fiftieth of the way that the reference goes; none where it does not.
    pub settling_time: Option<f64>,
}
