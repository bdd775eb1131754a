//! Damping ratios that a system has, beside those that its file asks for.

use std::f64::consts::TAU;
use std::fmt;

use supple::{Inputs, Model, State};
use supple_io::model_file::{BeamLine, SystemDamping};
use supple_io::results::{DampingSummary, GrowthSummary, ModeSummary};
use supple_io::scenario_file::Scenario;
use supple_linear::{SystemMode, system_modes};

use crate::control::Part;
use crate::{Formulation, close_pose, engine};

/// Most speeds of a system whose ratios are computed: work grows with the cube.
const MOST_SPEEDS: usize = 200;
/// Modes that are looked at where the file does not say how far.
const FIRST: usize = 6;
/// Growth, in 1/s and as a part of the frequency, that is more than rounding.
const GROWTH: f64 = 1e-6;
/// Imaginary part of an eigenvalue, as a part of its size, that is no more than rounding.
const CREEP: f64 = 1e-4;
/// By which factor a ratio may differ.
const FACTOR: f64 = 2.0;
/// Names of closures that hold a hinge for a scenario begin so.
const LOCK: &str = "lock of ";
/// What hinges do, in words.
const LOCKED: &str = "all hinges locked";
const FREE: &str = "all hinges free";
const DRIVEN: &str = "as driven at the start";

/// What is asked for: by the model for the system, or by its beams for themselves.
#[derive(Clone, Debug)]
pub struct Asked<'f> {
    system: Option<&'f SystemDamping>,
    /// Of the beams, the least and the greatest.
    beams: Option<[f64; 2]>,
}

/// The ratios that a system has, in each way that its hinges may be held.
#[derive(Clone, Debug)]
pub struct DampingRatios<'f> {
    asked: Asked<'f>,
    /// One for each way.
    pub cases: Vec<DampingSummary>,
}

impl<'f> Asked<'f> {
    /// What a file asks for; none where it says nothing about damping.
    pub fn of(system: Option<&'f SystemDamping>, beams: &[BeamLine]) -> Option<Self> {
        let ratios = beams.iter().map(BeamLine::damping_ratio).filter(|ratio| *ratio > 0.0);
        let beams = ratios.fold(None, |range: Option<[f64; 2]>, x| {
            let [least, most] = range.unwrap_or([x, x]);
            Some([least.min(x), most.max(x)])
        });
        (system.is_some() || beams.is_some()).then_some(Self { system, beams })
    }

    /// Least and greatest ratio that a mode should have; none for modes that are not asked about.
    fn range(&self, mode: usize, hz: f64) -> Option<[f64; 2]> {
        match self.system {
            Some(SystemDamping { design, loss, .. }) => {
                let last = design.ratios.len().checked_sub(1)?;
                let ratio = design.ratios[mode.min(last)];
                let low = loss.map_or(0.0, |loss| loss.band[0]);
                let matters = hz >= low && design.up_to.map_or(mode < FIRST, |up_to| hz <= up_to);
                matters.then_some([ratio, ratio])
            }
            None => self.beams.filter(|_| mode < FIRST),
        }
    }
}

impl<'f> DampingRatios<'f> {
    /// Of a system, with its hinges locked and free where its file says, and as they are `driven` in a scenario, in that state. Cases that cannot be
    /// computed, and systems that are too large, have none.
    pub fn new(model: &Model, asked: Asked<'f>, driven: Option<(&State, &Inputs)>) -> Self {
        let mut cases = Vec::new();
        if model.speed_count() <= MOST_SPEEDS {
            let pose = pose(model, &asked);
            let moving = model.hinges().any(|hinge| !hinge.speeds().is_empty());
            let held = |locked: bool| Inputs { prescribed: vec![locked; model.body_count()], ..Inputs::new(model) };
            cases.extend(pose.as_ref().and_then(|pose| case(LOCKED, model, pose, &held(true))));
            cases.extend(pose.filter(|_| moving).and_then(|pose| case(FREE, model, &pose, &held(false))));
            if let Some((state, inputs)) = driven {
                let state = State { speeds: vec![0.0; state.speeds.len()], ..state.clone() };
                let inputs = Inputs { accelerations: vec![0.0; inputs.accelerations.len()], ..inputs.clone() };
                cases.extend(case(DRIVEN, model, &state, &inputs));
            }
        }
        Self { asked, cases }
    }

    /// Of a scenario: as it is driven at its start as well. None where its model asks for nothing, or where it cannot begin.
    pub fn of_scenario(scenario: &'f Scenario) -> Option<Self> {
        let asked = Asked::of(scenario.model.damping.as_ref(), &scenario.model.beams)?;
        let (_, _, told) = engine::start(scenario, Formulation::default(), Part::Whole).ok()?;
        Some(Self { asked, cases: told.damping })
    }

    /// Of the run that `driven` belongs to, or of all cases where there is none: what is beyond a factor of two, one line for each case.
    pub fn warnings(&self) -> Vec<String> {
        let driven = self.cases.iter().any(|case| case.hinges == DRIVEN);
        let cases = self.cases.iter().filter(|case| !driven || case.hinges == DRIVEN);
        cases.filter_map(|case| self.warning(case)).collect()
    }

    fn warning(&self, case: &DampingSummary) -> Option<String> {
        let (i, mode, [least, most]) = case.modes.iter().enumerate().find_map(|(i, mode)| {
            let [least, most] = self.asked.range(i, mode.frequency)?;
            // What grows has a partner that decays as fast: both say that the pose does not stay, and nothing about damping.
            let partner = !case.growing.is_empty() && mode.damping_ratio > std::f64::consts::FRAC_1_SQRT_2;
            let fits = partner || (least / FACTOR..=most * FACTOR).contains(&mode.damping_ratio);
            (!fits).then_some((i, mode, [least, most]))
        })?;
        let told = if least == most { format!("{least}") } else { format!("{least} to {most}") };
        let remedy = match (self.asked.system, case.hinges.as_str()) {
            (None, _) => {
                format!(
                    "`damping_ratio` is that of a link alone; `damping = {{ ratio = {least} }}` of the model is that of the system"
                )
            }
            (Some(SystemDamping { loss: Some(_), .. }), _) => {
                "the loss factor is that of bodies; damping and stiffness of other origin, such as springs and dashpots of hinges or gravity, have a share"
                    .into()
            }
            (Some(_), LOCKED) => "bodies cannot have these ratios together; ask for fewer modes with `up_to_hz`".into(),
            (Some(_), _) => {
                "damping fits the hinges that it is made for; `free` and `at` in `damping` say which".into()
            }
        };
        Some(format!(
            "{}, mode {} at {:.4} Hz has a damping ratio of {:.4}, not {told}: {remedy}",
            case.hinges,
            i + 1,
            mode.frequency,
            mode.damping_ratio
        ))
    }
}

/// The configuration of locked and free hinges: that of the file, or zero, closures closed; none where they do not close.
fn pose(model: &Model, asked: &Asked<'_>) -> Option<State> {
    let mut pose = State::new(model);
    if let Some(told) = asked.system {
        pose.coordinates.clone_from(&told.pose.coordinates);
        pose.attitudes.clone_from(&told.pose.attitudes);
    }
    // What a scenario locks is another case.
    let is_lock = |name: Option<&str>| name.is_some_and(|name| name.starts_with(LOCK));
    pose.closed = model.closures().iter().map(|closure| !is_lock(closure.name.as_deref())).collect();
    if pose.closed.contains(&true) {
        let placed = vec![false; model.body_count()];
        close_pose(model, &mut pose, &Inputs::new(model), &placed).ok()?;
    }
    Some(pose)
}

/// Vibrations in one case, and what grows; none where they cannot be computed.
fn case(hinges: &str, model: &Model, state: &State, inputs: &Inputs) -> Option<DampingSummary> {
    let found = system_modes(model, state, inputs).ok()?;
    // What grows faster than rounding.
    let grows = |mode: &SystemMode| mode.damping_ratio < -GROWTH && mode.eigenvalue.re > GROWTH;
    // What does not swing is no vibration: rigid-body motions, what springs without mass do, and what relaxes, however rounding splits equal rates.
    let swings = |mode: &SystemMode| mode.eigenvalue.im > TAU * (1e-9_f64).max(CREEP * mode.frequency);
    let swinging = found.modes.iter().filter(|mode| swings(mode) && !grows(mode));
    let modes: Vec<ModeSummary> =
        swinging.map(|mode| ModeSummary { frequency: mode.frequency, damping_ratio: mode.damping_ratio }).collect();
    let growth = |mode: &SystemMode| GrowthSummary {
        doubling_time: std::f64::consts::LN_2 / mode.eigenvalue.re,
        frequency: if swings(mode) { mode.eigenvalue.im / TAU } else { 0.0 },
    };
    let mut growing: Vec<GrowthSummary> = found.modes.iter().filter(|mode| grows(mode)).map(growth).collect();
    growing.sort_by(|a, b| a.doubling_time.total_cmp(&b.doubling_time));
    let any = !modes.is_empty() || !growing.is_empty();
    any.then(|| DampingSummary { hinges: hinges.to_owned(), modes, growing })
}

/// One line for each case: the first modes.
impl fmt::Display for DampingRatios<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cases.iter().enumerate().try_for_each(|(i, case)| write!(f, "{}{case}", if i > 0 { "\n" } else { "" }))
    }
}
