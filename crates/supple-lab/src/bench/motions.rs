//! Motions of flexible systems that other engines are timed on, integrated as they integrate them.
//!
//! Rows have the names of the cases elsewhere, so that results stand side by side. Bodies are [`CHAIN_FIDELITY`], all inertial terms and
//! linear elasticity; where the other engine has a bushing for want of explicit joints, there is a hinge here.

use super::clock::now_ns;
use super::closed;
use super::flexible;
use super::row::Printer;
use super::systems::{CHAIN_BODIES, CHAIN_FIDELITY};
use std::error::Error;
use std::io;
use supple::integrate::{Scheme, Simulation, Statistics, Stepping, Tolerance};
use supple::{BodyIndex, Inputs, Model, NodeIndex, State, Workspace, kinematics};
use supple_bodies::catalogue::shuttle_arm;

/// Runs of each motion, of which the least and the median time are told.
const REPEATS: usize = 3;
/// Short runs are repeated for so long, nanoseconds, and not more often than [`MOST_REPEATS`] times.
const REPEATED: f64 = 1e8;
const MOST_REPEATS: usize = 100;
/// Steps of the implicit runs of the Shuttle arm, the first the reference of the others, and their names.
const ARM_STEPS: [(f64, &str); 5] =
    [(5e-4, "0.0005"), (1e-3, "0.001"), (2e-3, "0.002"), (5e-3, "0.005"), (1e-2, "0.01")];
/// Torques on the hinges of the arm, N m.
const ARM_TORQUES: [f64; shuttle_arm::LINKS] = [200.0, 350.0, 200.0, 100.0, 50.0, 1.0];

/// A motion, or several of one system.
pub struct Motion {
    /// The name of the case.
    pub name: String,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// The beam of 10 m under a torque of 40 N m.
    Beam { modes: usize },
    /// A hanging chain, 10 N m on its first hinge.
    Chain { bodies: usize, modes: usize },
    /// The Shuttle arm under constant torques.
    Arm { flexible: bool },
    /// The four-bar, which falls from rest; whether equations of its closure are redundant.
    FourBar { redundant: bool },
}

/// All of them.
pub fn all() -> Vec<Motion> {
    let modes = [1, 2, 5, 10];
    let beams = modes.map(|modes| Motion { name: format!("beam10_nm{modes}"), kind: Kind::Beam { modes } });
    let chains = CHAIN_BODIES.into_iter().flat_map(|bodies| {
        modes.map(|modes| Motion { name: format!("chain{bodies}_nm{modes}"), kind: Kind::Chain { bodies, modes } })
    });
    let arms = [("srms_6modes", true), ("srms_rigid", false)]
        .map(|(name, flexible)| Motion { name: name.into(), kind: Kind::Arm { flexible } });
    let four_bars = [("four_bar_revolute", true), ("four_bar_line", false)]
        .map(|(name, redundant)| Motion { name: name.into(), kind: Kind::FourBar { redundant } });
    beams.into_iter().chain(chains).chain(arms).chain(four_bars).collect()
}

/// How a motion is followed.
#[derive(Clone, Copy)]
struct Course<'a> {
    model: &'a Model,
    /// On the hinge of each of the first bodies.
    torques: &'a [f64],
    scheme: Scheme,
    stepping: Stepping,
    end: f64,
}

/// What a motion took.
struct Taken {
    /// CPU time of the runs, in nanoseconds, in ascending order.
    times: Vec<f64>,
    work: Statistics,
    state: State,
}

impl Course<'_> {
    fn follow(&self) -> Result<Taken, Box<dyn Error>> {
        let model = self.model;
        let hinge = |k: usize| model.hinge_speeds(BodyIndex(k)).start;
        let torques: Vec<_> = self.torques.iter().enumerate().map(|(k, torque)| (hinge(k), *torque)).collect();
        let drive = move |_: &State, inputs: &mut Inputs| {
            for (speed, torque) in &torques {
                inputs.forces[*speed] = *torque;
            }
        };
        let mut times = Vec::with_capacity(MOST_REPEATS);
        let (mut work, mut state) = (Statistics::default(), State::new(model));
        while times.len() < REPEATS || (times.len() < MOST_REPEATS && times.iter().sum::<f64>() < REPEATED) {
            let mut run = Simulation::new(model, State::new(model), drive.clone(), self.scheme, self.stepping)?;
            let start = now_ns();
            run.advance(self.end)?;
            times.push(now_ns() - start);
            (work, state) = (run.statistics(), run.state().clone());
        }
        times.sort_by(f64::total_cmp);
        Ok(Taken { times, work, state })
    }
}

impl Taken {
    fn steps(&self) -> f64 {
        self.work.accepted as f64
    }

    /// Two lines: least and median time over `share`.
    fn print(&self, printer: &mut Printer<'_>, name: &str, metric: &str, share: f64, unit: &str) -> io::Result<()> {
        printer.peer(name, &format!("{metric}_min"), self.times[0] / share, unit)?;
        printer.peer(name, &format!("{metric}_median"), self.times[self.times.len() / 2] / share, unit)
    }

    /// Of a run with implicit steps over `end` seconds.
    fn print_implicit(&self, printer: &mut Printer<'_>, name: &str, end: f64) -> io::Result<()> {
        self.print(printer, name, "per_step", self.steps(), "ns")?;
        self.print(printer, name, "per_simulated_s", 1e6 * end, "ms")?;
        printer.peer(name, "newton_per_step", self.work.solves as f64 / self.steps(), "1")?;
        printer.peer(name, "jacobians_total", self.work.factorisations as f64, "1")
    }
}

const ALPHA: Scheme = Scheme::generalized_alpha(0.8);

impl Motion {
    /// Follows the motion and prints what it took.
    pub fn time(&self, printer: &mut Printer<'_>) -> Result<(), Box<dyn Error>> {
        match self.kind {
            Kind::Beam { modes } => {
                let model = Model::build(&flexible::single_beam(modes, CHAIN_FIDELITY))?;
                self.time_beam(&model, printer)
            }
            Kind::Chain { bodies, modes } => {
                let model = Model::build(&flexible::chain(bodies, modes, CHAIN_FIDELITY))?;
                self.time_chain(&model, bodies, printer)
            }
            Kind::Arm { flexible } => {
                let model = flexible::shuttle_arm(flexible.then_some(CHAIN_FIDELITY))?;
                self.time_arm(&model, printer)
            }
            Kind::FourBar { redundant } => {
                let [revolute, _, line] = closed::cuts().map(|(_, cut)| cut);
                let model = Model::build(&closed::four_bar(if redundant { revolute } else { line }))?;
                self.time_four_bar(&model, printer)
            }
        }
    }

    fn time_beam(&self, model: &Model, printer: &mut Printer<'_>) -> Result<(), Box<dyn Error>> {
        let name = |suffix: &str| format!("supple/{}{suffix}", self.name);
        let angle = |taken: &Taken| taken.state.hinge_coordinates(model, BodyIndex(0))[0];
        let course = |scheme, stepping, end| Course { model, torques: &[40.0], scheme, stepping, end };

        let taken = course(Scheme::RungeKutta4, Stepping::Fixed(1e-4), 1.0).follow()?;
        taken.print(printer, &name("_RK44"), "per_step", taken.steps(), "ns")?;
        taken.print(printer, &name("_RK44"), "per_rhs", taken.work.evaluations as f64, "ns")?;
        printer.peer(&name("_explicit"), "check_angle_at_1s", angle(&taken), "rad")?;

        let tolerance = Stepping::Adaptive(Tolerance { relative: 1e-7, absolute: 1e-7 });
        let taken = course(Scheme::DormandPrince, tolerance, 10.0).follow()?;
        taken.print(printer, &name("_DOPRI5_rtol1e-7"), "per_simulated_s", 1e7, "ms")?;
        printer.peer(&name("_DOPRI5_rtol1e-7"), "steps_per_simulated_s", taken.steps() / 10.0, "1/s")?;

        let taken = course(ALPHA, Stepping::Fixed(1e-3), 10.0).follow()?;
        taken.print_implicit(printer, &name("_genalpha_h1e-3"), 10.0)?;
        // The other engine tells half turns of a quaternion: two turns are the same.
        let told = angle(&taken).rem_euclid(4.0 * std::f64::consts::PI);
        Ok(printer.peer(&name("_genalpha_h1e-3"), "check_angle_at_10s", told, "rad")?)
    }

    fn time_chain(&self, model: &Model, bodies: usize, printer: &mut Printer<'_>) -> Result<(), Box<dyn Error>> {
        let (explicit, implicit) = match bodies {
            1 => (3000.0, 2000.0),
            2 => (2000.0, 1000.0),
            5 => (800.0, 400.0),
            _ => (300.0, 200.0),
        };
        let course = |scheme, step, steps: f64| Course {
            model,
            torques: &[10.0],
            scheme,
            stepping: Stepping::Fixed(step),
            end: step * steps,
        };
        let taken = course(Scheme::RungeKutta4, 1e-6, explicit).follow()?;
        let name = format!("supple/{}_RK44_bushing", self.name);
        taken.print(printer, &name, "per_rhs", taken.work.evaluations as f64, "ns")?;
        let taken = course(ALPHA, 1e-3, implicit).follow()?;
        let name = format!("supple/{}_genalpha_h1e-3", self.name);
        Ok(taken.print_implicit(printer, &name, 1e-3 * implicit)?)
    }

    fn time_four_bar(&self, model: &Model, printer: &mut Printer<'_>) -> Result<(), Box<dyn Error>> {
        let end = 2.0;
        let stepping = Stepping::Fixed(1e-3);
        let taken = Course { model, torques: &[], scheme: ALPHA, stepping, end }.follow()?;
        let name = format!("supple/{}_genalpha_h1e-3", self.name);
        taken.print_implicit(printer, &name, end)?;
        let angle = taken.state.hinge_coordinates(model, BodyIndex(0))[0];
        Ok(printer.peer(&name, "check_crank_at_end", angle, "rad")?)
    }

    fn time_arm(&self, model: &Model, printer: &mut Printer<'_>) -> Result<(), Box<dyn Error>> {
        let end = 5.0;
        let mut reference = None;
        for (step, told) in ARM_STEPS {
            let stepping = Stepping::Fixed(step);
            let taken = Course { model, torques: &ARM_TORQUES, scheme: ALPHA, stepping, end }.follow()?;
            let name = format!("supple/{}_genalpha_h{told}", self.name);
            taken.print_implicit(printer, &name, end)?;
            let tip = tip(model, &taken.state)?;
            let from = *reference.get_or_insert(tip);
            let square: f64 = tip.iter().zip(from).map(|(a, b)| (a - b) * (a - b)).sum();
            printer.peer(&name, "tip_error_vs_h5e-4", square.sqrt(), "m")?;
        }
        Ok(())
    }
}

/// Position of the last node of the last body.
fn tip(model: &Model, state: &State) -> Result<[f64; 3], Box<dyn Error>> {
    let body = BodyIndex(model.body_count() - 1);
    let node = NodeIndex(model.node_count(body) - 1);
    Ok(kinematics(model, state, &mut Workspace::new(model))?.node_position(body, node).0)
}
