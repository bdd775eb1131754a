//! The slew, what varies, and how it is run.

use std::error::Error;
use std::f64::consts::TAU;
use std::ops::Range;
use std::path::Path;
use supple::batch::States;
use supple::spatial::{Scalar, Traced};
use supple::{Inputs, Model, State, Workspace, inverse_dynamics, kinematics};
use supple_compile::{Parameter, Program, Verb, record};
use supple_gpu::law::one_axis;
use supple_gpu::{Acts, Draws, Law, LawSizes, Place, Plan, Ready};
use supple_io::load::{LoadOptions, load};

/// Duration of the move, and of the hold after it: half a period of the slowest vibration, s.
pub const MOVE: f64 = 20.0;
pub const HOLD: f64 = 12.0;
/// Time between updates of the servos, s.
pub const UPDATE: f64 = 0.01;
/// What every hinge turns by, rad.
const TURN: f64 = 0.1;
/// Hinges: name, nominal angle at the start, and servo: inertia of the geared rotor at the hinge, kg m², stiffness, N m/rad, and damping, N m s/rad.
pub const HINGES: [(&str, f64, [f64; 3]); 6] = [
    ("shoulder yaw", -0.3, [5000.0, 1e6, 2e5]),
    ("shoulder pitch", 0.8, [5000.0, 1e6, 2e5]),
    ("elbow pitch", -1.4, [5000.0, 1e6, 2e5]),
    ("wrist pitch", 0.6, [2000.0, 4e5, 8e4]),
    ("wrist yaw", 0.0, [2000.0, 4e5, 8e4]),
    ("wrist roll", 0.0, [2000.0, 4e5, 8e4]),
];
/// Numbers of the model that vary: the payload's mass and inertia, stiffness and damping of the booms.
pub const PARAMETERS: [&str; 8] = [
    "body.payload.mass",
    "body.payload.inertia.xx",
    "body.payload.inertia.yy",
    "body.payload.inertia.zz",
    "body.link 2.stiffness",
    "body.link 3.stiffness",
    "body.link 2.damping",
    "body.link 3.damping",
];

/// One slew of the study.
#[derive(Clone, Debug)]
pub struct Case {
    /// Payload, as a part of the nominal one.
    pub payload: f64,
    /// Factors of stiffness and damping of the booms.
    pub stiffness: [f64; 2],
    pub damping: [f64; 2],
    /// Angles at the start.
    pub start: [f64; 6],
}

/// What a slew ended with.
#[derive(Clone, Debug)]
pub struct Result {
    /// The payload, as a part of the nominal one.
    pub payload: f64,
    /// Largest distance of the payload's far end from where it comes to rest, after the move, m.
    pub vibration: f64,
    /// Where it is at the end.
    pub position: [f64; 3],
    /// Whether the instance failed.
    pub failed: bool,
}

/// The arm and its servos.
pub struct Study {
    pub model: Model,
    /// Place of the coordinate and the speed of each hinge, stiffness and damping of its servo.
    pub hinges: [(usize, usize); 6],
    pub gains: [[f64; 2]; 6],
    /// For each update: angle, speed and feedforward of each hinge, and whether the vibration counts.
    pub table: Vec<f64>,
    law: Law,
    draws: Draws,
    nominal: Vec<f64>,
}

/// Columns of the table.
pub const COLUMNS: usize = 3 * 6 + 1;

impl Study {
    /// The arm of a model file; that of the examples where the file is none.
    pub fn new(file: Option<&Path>) -> std::result::Result<Self, Box<dyn Error>> {
        let usual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/shuttle-arm/stiffened.toml");
        let file = file.unwrap_or(Path::new(usual));
        let damped = ["link 2", "link 3"].map(|link| format!("body.\"{link}\".beam.damping_ratio=0.005"));
        let driven =
            (1..).zip(HINGES).map(|(i, (_, _, [rotor, ..]))| format!("body.\"link {i}\".hinge.rotor_inertia={rotor}"));
        let changes = damped.into_iter().chain(driven).map(|text| supple_io::change::Change::parse(&text));
        let changes = changes.collect::<std::result::Result<_, _>>()?;
        let loaded = load(file, &LoadOptions { changes, ..LoadOptions::default() });
        let model = loaded.map_err(|refusal| format!("{}: {refusal}", file.display()))?.model;
        let places = HINGES.map(|(name, ..)| one_axis(&model, name));
        let mut hinges = [(0, 0); 6];
        for (to, from) in hinges.iter_mut().zip(places) {
            *to = from?;
        }
        let gains = HINGES.map(|(_, _, [_, stiffness, damping])| [stiffness, damping]);
        let table = table(&model, &hinges)?;
        let nominal = PARAMETERS.iter().take(4).map(|name| -> std::result::Result<f64, Box<dyn Error>> {
            Ok(name.parse::<Parameter>()?.signal(&model)?.1)
        });
        let nominal = nominal.collect::<std::result::Result<_, _>>()?;
        let law = law(&model, &hinges, &gains)?;
        Ok(Self { law, model, hinges, gains, table, draws: Draws { seed: 2026 }, nominal })
    }

    /// What instance `k` is, in every batch and on every machine.
    pub fn case(&self, k: usize) -> Case {
        let draw = |number: usize, range: [f64; 2]| self.draws.uniform(k, number, range);
        Case {
            payload: draw(0, [0.5, 1.5]),
            stiffness: [1, 2].map(|i| draw(i, [0.8, 1.2])),
            damping: [3, 4].map(|i| draw(i, [0.5, 2.0])),
            start: std::array::from_fn(|i| HINGES[i].1 + draw(5 + i, [-0.2, 0.2])),
        }
    }

    /// Values of [`PARAMETERS`].
    pub fn parameters(&self, case: &Case) -> Vec<f64> {
        let payload = self.nominal.iter().map(|value| value * case.payload);
        payload.chain(case.stiffness).chain(case.damping).collect()
    }

    /// The state at rest with these angles.
    pub fn state(&self, angles: [f64; 6]) -> State {
        let mut state = State::new(&self.model);
        self.hinges.iter().zip(angles).for_each(|((at, _), angle)| state.coordinates[*at] = angle);
        state
    }

    /// Where the payload's far end is.
    pub fn far_end(&self, state: &State, workspace: &mut Workspace) -> std::result::Result<[f64; 3], Box<dyn Error>> {
        let node = self.model.node("payload", "far end")?;
        Ok(kinematics(&self.model, state, workspace)?.node_position(node.body(), node.node()).0)
    }

    /// Where it comes to rest after the slew.
    pub fn rest(&self, case: &Case, workspace: &mut Workspace) -> std::result::Result<[f64; 3], Box<dyn Error>> {
        self.far_end(&self.state(case.start.map(|angle| angle + TURN)), workspace)
    }

    pub fn ready(&self, place: &Place, scheme: &Verb, step: f64) -> std::result::Result<Ready, Box<dyn Error>> {
        let parameters =
            PARAMETERS.iter().map(|name| name.parse()).collect::<std::result::Result<Vec<Parameter>, _>>()?;
        let law = self.law.clone().every(every(step)?)?;
        let plan = Plan { model: &self.model, state: None, step: scheme, parameters: &parameters, law: Some(&law) };
        Ok(plan.on(place)?)
    }

    /// Runs some instances; `progress` is given the share that is done.
    pub fn run(
        &self,
        ready: &Ready,
        step: f64,
        instances: Range<usize>,
        mut progress: impl FnMut(f64),
    ) -> std::result::Result<Vec<Result>, Box<dyn Error>> {
        let cases: Vec<Case> = instances.clone().map(|k| self.case(k)).collect();
        let mut fleet = ready.fleet(cases.len())?;
        let (mut coordinates, mut parameters, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        let mut workspace = Workspace::new(&self.model);
        for case in &cases {
            coordinates.extend(self.state(case.start).coordinates);
            parameters.extend(self.parameters(case));
            numbers.extend(case.start);
            numbers.extend(self.rest(case, &mut workspace)?);
        }
        let still = State::new(&self.model);
        let speeds = vec![0.0; cases.len() * still.speeds.len()];
        let attitudes: Vec<[f64; 4]> = still.attitudes.iter().map(|q| q.0).collect::<Vec<_>>().repeat(cases.len());
        fleet.set_states(States { coordinates: &coordinates, speeds: &speeds, attitudes: &attitudes })?;
        fleet.set_parameters(&parameters)?;
        fleet.set_numbers(&numbers)?;
        fleet.set_table(&self.table)?;
        // Sixteen launches, so that progress shows; the last update alone measures where the far end is.
        let updates = self.table.len() / COLUMNS;
        for part in 0..16 {
            let [from, to] = [part, part + 1].map(|i| i * (updates - 1) / 16);
            fleet.advance(step, (to - from) * every(step)?)?;
            progress((part + 1) as f64 / 16.0);
        }
        fleet.advance(step, 1)?;
        let (memory, outcomes) = (fleet.memory()?, fleet.outcomes()?);
        let result = |(k, case): (usize, &Case)| Result {
            payload: case.payload,
            vibration: memory[4 * k].sqrt(),
            position: [memory[4 * k + 1], memory[4 * k + 2], memory[4 * k + 3]],
            failed: outcomes[k].failed.is_some(),
        };
        Ok(cases.iter().enumerate().map(result).collect())
    }
}

/// Steps between updates.
fn every(step: f64) -> std::result::Result<usize, Box<dyn Error>> {
    let every = (UPDATE / step).round();
    if every < 1.0 || (every * step / UPDATE - 1.0).abs() > 1e-9 {
        return Err(format!("--step {step}: {UPDATE} s between updates are no whole number of steps").into());
    }
    Ok(every as usize)
}

/// The move of a hinge and its derivatives at a time: a cycloid.
fn motion(time: f64) -> [f64; 3] {
    let s = (time / MOVE).clamp(0.0, 1.0);
    let [sine, cosine] = [(TAU * s).sin(), (TAU * s).cos()];
    [TURN * (s - sine / TAU), TURN * (1.0 - cosine) / MOVE, TURN * TAU * sine / (MOVE * MOVE)]
}

/// The nominal move with the forces that the arm would need if nothing bent.
fn table(model: &Model, hinges: &[(usize, usize); 6]) -> std::result::Result<Vec<f64>, Box<dyn Error>> {
    let (mut state, mut inputs, mut workspace) = (State::new(model), Inputs::new(model), Workspace::new(model));
    let mut table = Vec::new();
    for update in 0..=((MOVE + HOLD) / UPDATE).round() as usize {
        let time = UPDATE * update as f64;
        let [angle, speed, acceleration] = motion(time);
        for ((at, of_speed), (_, start, _)) in hinges.iter().zip(HINGES) {
            state.coordinates[*at] = start + angle;
            state.speeds[*of_speed] = speed;
            inputs.accelerations[*of_speed] = acceleration;
        }
        let forces = inverse_dynamics(model, &state, &inputs, &mut workspace)?.forces().to_vec();
        hinges.iter().for_each(|(_, at)| table.extend([angle, speed, forces[*at]]));
        table.push(if time >= MOVE { 1.0 } else { 0.0 });
    }
    Ok(table)
}

/// Feedforward and PD; remembers the largest squared distance of the far end from where it comes to rest, and where it is.
fn law(model: &Model, hinges: &[(usize, usize); 6], gains: &[[f64; 2]; 6]) -> std::result::Result<Law, Box<dyn Error>> {
    let pose: Program = record(model, "node_pose:payload.far end".parse::<Verb>()?)?;
    let (sizes, forces) = (LawSizes { columns: COLUMNS, numbers: 9, noise: 0 }, model.speed_count());
    let law = Law::record(model, sizes, &[0.0; 4], |seen| {
        let mut acts = Acts { forces: vec![Traced::ZERO; forces], memory: Vec::new() };
        for (i, ((coordinate, speed), [stiffness, damping])) in hinges.iter().zip(gains).enumerate() {
            let [angle, rate, force] = [seen.row[3 * i], seen.row[3 * i + 1], seen.row[3 * i + 2]];
            let lag = seen.numbers[i] + angle - seen.coordinates[*coordinate];
            let slow = rate - seen.speeds[*speed];
            acts.forces[*speed] = force + Traced::from_f64(*stiffness) * lag + Traced::from_f64(*damping) * slow;
        }
        let place = pose.apply(&[seen.coordinates, seen.attitudes].concat()).unwrap_or_default();
        let away = (0..3).map(|i| place[i] - seen.numbers[6 + i]).fold(Traced::ZERO, |sum, d| sum + d * d);
        let counted = away * seen.row[COLUMNS - 1];
        let most = Traced::select(seen.memory[0].less_than(counted), counted, seen.memory[0]);
        acts.memory = vec![most, place[0], place[1], place[2]];
        acts
    });
    Ok(law?)
}
