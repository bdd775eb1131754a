//! Damping ratios that a system has, beside those that its file asks for.

use std::f64::consts::TAU;
use std::fmt;

use supple::integrate::Network;
use supple::{Inputs, Model, State};
use supple_bodies::damping::MOST_MODES;
use supple_io::model_file::{BeamLine, SystemDamping};
use supple_io::results::{DampingSummary, GrowthSummary, ModeSummary};
use supple_io::scenario_file::Scenario;
use supple_linear::{Vibration, equilibrium, sampled_vibrations, vibrations};

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
const DRIVEN: &str = DampingSummary::DRIVEN;
const CONTROLLED: &str = DampingSummary::CONTROLLED;

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
                let matters = hz >= low && design.up_to.map_or(mode < MOST_MODES, |up_to| hz <= up_to);
                matters.then_some([ratio, ratio])
            }
            None => self.beams.filter(|_| mode < FIRST),
        }
    }
}

/// What drives a scenario at its start.
pub struct Driven<'d> {
    /// The state.
    pub state: &'d State,
    /// Torques, wrenches, and which hinges are prescribed: these are locked.
    pub inputs: &'d Inputs,
    /// Its sampled blocks, none where it has none, or why they cannot work.
    pub blocks: Option<Result<Network, String>>,
}

impl<'f> DampingRatios<'f> {
    /// Of a system, with its hinges locked and free where its file says, and as they are `driven` in a scenario, in that state. Cases without any motion, and systems that are too
    /// large, have none.
    pub fn new(model: &Model, asked: Asked<'f>, driven: Option<Driven<'_>>) -> Self {
        let mut cases = Vec::new();
        if model.speed_count() <= MOST_SPEEDS {
            let pose = pose(model, &asked).map(|pose| sagged(model, pose, &Inputs::new(model)));
            let moving = model.hinges().any(|hinge| !hinge.speeds().is_empty());
            let held = |locked: bool| Inputs { prescribed: vec![locked; model.body_count()], ..Inputs::new(model) };
            let of = |pose: &State, locked: bool| vibrations(model, pose, &held(locked)).ok();
            cases.extend(pose.as_ref().and_then(|pose| case(LOCKED, &of(pose, true)?)));
            cases.extend(pose.filter(|_| moving).and_then(|pose| case(FREE, &of(&pose, false)?)));
            cases.extend(driven.and_then(|driven| driven.case(model)));
        }
        Self { asked, cases }
    }

    /// Of a scenario: as it is driven at its start as well. None where its model asks for nothing, or where it cannot begin.
    pub fn of_scenario(scenario: &'f Scenario) -> Option<Self> {
        let asked = Asked::of(scenario.model.damping.as_ref(), &scenario.model.beams)?;
        let (_, _, told) = engine::start(scenario, &Formulation::default(), Part::Whole).ok()?;
        Some(Self { asked, cases: told.damping })
    }

    /// Of the run that `driven` belongs to, or of all cases where there is none: what is beyond a factor of two, one line for each case.
    pub fn warnings(&self) -> Vec<String> {
        let driven = self.cases.iter().any(DampingSummary::is_of_run);
        let cases = self.cases.iter().filter(|case| !driven || case.is_of_run());
        cases.filter_map(|case| self.warning(case)).collect()
    }

    fn warning(&self, case: &DampingSummary) -> Option<String> {
        // Motions of rigid bodies, and what only controllers or gravity make swing, are not asked about.
        let strained = case.modes.iter().filter(|mode| mode.is_vibration()).enumerate();
        let mut off = strained.filter_map(|(i, mode)| {
            let [least, most] = self.asked.range(i, mode.frequency)?;
            let fits = (least / FACTOR..=most * FACTOR).contains(&mode.damping_ratio);
            (!fits).then_some((i, mode, [least, most]))
        });
        let (i, mode, [least, most]) = off.next()?;
        let others = match off.count() {
            0 => String::new(),
            many => format!(" (and {many} more)"),
        };
        let told = if least == most { format!("{least}") } else { format!("{least} to {most}") };
        let remedy = match (self.asked.system, case.hinges.as_str()) {
            (None, _) => {
                format!(
                    "`damping_ratio` applies to a link alone; use `damping = {{ ratio = {least} }}` of the model for the system"
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
            "{}, mode {} at {:.4} Hz has a damping ratio of {:.4}, not {told}{others}: {remedy}",
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

impl Driven<'_> {
    /// Hinges that are prescribed are locked; blocks act as they are sampled.
    fn case(self, model: &Model) -> Option<DampingSummary> {
        let Self { state, inputs, blocks } = self;
        let inputs = &holding(model, state, inputs);
        let found = match blocks {
            None => return case(DRIVEN, &vibrations(model, state, inputs).ok()?),
            Some(blocks) => blocks
                .and_then(|blocks| sampled_vibrations(model, state, inputs, blocks).map_err(|why| why.to_string())),
        };
        match found {
            Ok(found) => case(CONTROLLED, &found),
            Err(why) => Some(DampingSummary {
                hinges: CONTROLLED.to_owned(),
                modes: Vec::new(),
                growing: Vec::new(),
                rigid: 0,
                not_computed: Some(why),
            }),
        }
    }
}

/// What holds a pose: wrenches count unless the system has motions that nothing resists, which they accelerate, so that there is no pose to be stable.
fn holding(model: &Model, state: &State, inputs: &Inputs) -> Inputs {
    let bare = Inputs { wrenches: Vec::new(), ..inputs.clone() };
    let floats = || vibrations(model, state, &bare).is_ok_and(|all| all.iter().any(|one| one.eigenvalue.abs() == 0.0));
    if !inputs.wrenches.is_empty() && floats() { bare } else { inputs.clone() }
}

/// The pose with bodies bent as they are at rest, hinges held where they are: what is not in balance says nothing about stability. As it was where nothing can be found.
fn sagged(model: &Model, pose: State, inputs: &Inputs) -> State {
    let held = Inputs { prescribed: vec![true; model.body_count()], ..inputs.clone() };
    let still = State { speeds: vec![0.0; pose.speeds.len()], ..pose.clone() };
    equilibrium(model, &still, &held).map_or(pose, |found| found.state)
}

/// Vibrations in one case, what grows, and what nothing resists; none where nothing moves.
fn case(hinges: &str, found: &[Vibration]) -> Option<DampingSummary> {
    let size = |motion: &Vibration| motion.eigenvalue.re.hypot(motion.eigenvalue.im);
    // What grows faster than rounding.
    let grows = |motion: &&Vibration| motion.eigenvalue.re > GROWTH * size(motion).max(1.0);
    // What does not swing is no vibration: rigid-body motions, what springs without mass do, and what relaxes, however rounding splits equal rates.
    let swings = |motion: &Vibration| motion.eigenvalue.im > (TAU * 1e-9_f64).max(CREEP * size(motion));
    let swinging = found.iter().filter(|motion| swings(motion) && !grows(motion));
    let modes: Vec<ModeSummary> = swinging
        .map(|motion| ModeSummary {
            frequency: size(motion) / TAU,
            damping_ratio: -motion.eigenvalue.re / size(motion),
            strain: motion.strain,
        })
        .collect();
    let growth = |motion: &Vibration| GrowthSummary {
        doubling_time: std::f64::consts::LN_2 / motion.eigenvalue.re,
        frequency: if swings(motion) { motion.eigenvalue.im / TAU } else { 0.0 },
    };
    let mut growing: Vec<GrowthSummary> = found.iter().filter(grows).map(growth).collect();
    growing.sort_by(|a, b| a.doubling_time.total_cmp(&b.doubling_time));
    let rigid = found.iter().filter(|motion| size(motion) == 0.0).count();
    let any = !modes.is_empty() || !growing.is_empty() || rigid > 0;
    any.then(|| DampingSummary { hinges: hinges.to_owned(), modes, growing, rigid, not_computed: None })
}

/// One line for each case: the first modes.
impl fmt::Display for DampingRatios<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cases.iter().enumerate().try_for_each(|(i, case)| write!(f, "{}{case}", if i > 0 { "\n" } else { "" }))
    }
}
