//! Trajectory optimisation: moves from rest to rest of flexible arms, with residual vibration as a constraint.
//!
//! Hinges move in pieces of constant jerk. Efforts during the move, and the displacement of nodes after it, are simulated together with their derivatives by
//! every knot; the convex problem about the present move is solved by Clarabel, within a trust region, until nothing is gained any more.

mod convex;
mod plan;
mod rehearsal;
mod write;

use serde::Serialize;
use supple_io::change::Change;
use supple_io::optimisation_file::{Objective, Optimisation};

use crate::{Interrupt, RunError};
use convex::{Local, PENALTY};
use plan::Plan;
use rehearsal::{Played, Rehearsal};
pub use write::write_optimum;

/// Relative violation of a limit that counts as none.
const KEPT: f64 = 1e-3;
/// Most convex problems of a move of one duration, and the decrease of the merit at which it is done, relatively.
const ROUNDS: usize = 40;
const ENOUGH: f64 = 2e-3;
/// How durations are tried: by this factor until one fits or none does, then halved to this precision.
const FACTOR: f64 = 1.25;
const PRECISION: f64 = 0.005;
const MOST_FACTORS: usize = 12;

/// How an optimisation runs.
#[derive(Clone, Debug, Default)]
pub struct OptimiseOptions {
    /// Values of the scenario, or after `model.` of its model, in place of those of the files.
    pub changes: Vec<Change>,
    /// Ends it early, from another thread: the best move so far is returned.
    pub interrupt: Interrupt,
}

/// How far an optimisation is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Duration that is tried, s.
    pub duration: f64,
    /// Convex problems solved for it.
    pub round: usize,
    /// Mean square of the efforts, in units of their limits.
    pub effort: f64,
    /// By how much limits are exceeded at most, relatively; zero where all are kept.
    pub violation: f64,
}

/// A hinge as it moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MovedHinge {
    /// The hinge, as the file names it.
    pub hinge: String,
    /// Coordinates at the knots. The cubic spline through them, at rest at both ends, is the move exactly.
    pub positions: Vec<f64>,
    /// Speeds.
    pub speeds: Vec<f64>,
    /// Accelerations.
    pub accelerations: Vec<f64>,
    /// Torque or force of the drive.
    pub efforts: Vec<f64>,
    /// The greatest of these, also between knots.
    pub greatest_effort: f64,
}

/// What an optimisation found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Optimum {
    /// How long the move takes, s.
    pub duration: f64,
    /// Whether all limits are kept.
    pub feasible: bool,
    /// By how much limits are exceeded at most, relatively.
    pub violation: f64,
    /// Mean square of the efforts, in units of their limits.
    pub effort: f64,
    /// Greatest distance of each node from its place after the move, m.
    pub residuals: Vec<f64>,
    /// Times of the knots.
    pub times: Vec<f64>,
    /// The hinges.
    pub hinges: Vec<MovedHinge>,
    /// Convex problems solved.
    pub rounds: usize,
    /// Whether it was ended early.
    pub interrupted: bool,
}

/// A move with what it does.
struct Candidate {
    plans: Vec<Plan>,
    played: Played,
    effort: f64,
    violation: f64,
}

impl Candidate {
    fn merit(&self) -> f64 {
        self.effort + PENALTY * self.violation
    }

    fn fits(&self) -> bool {
        self.violation <= KEPT
    }
}

/// Finds the move; `observe` is shown each round.
///
/// # Errors
/// A scenario, hinge or node that is not there, or a move that cannot be simulated.
pub fn optimise(
    problem: &Optimisation,
    options: &OptimiseOptions,
    observe: &mut dyn FnMut(&Trial),
) -> Result<Optimum, RunError> {
    let rehearsal = Rehearsal::new(problem, &options.changes, &options.interrupt)?;
    let distances: Vec<f64> = problem.moves.iter().zip(&rehearsal.from).map(|(told, from)| told.to - from).collect();
    let mut search = Search { rehearsal, distances, observe, rounds: 0, units: Vec::new() };
    let first = search.first(problem.duration)?;
    let best = match problem.objective {
        Objective::Effort => search.settle(first)?,
        Objective::Time => search.shortest(first)?,
    };
    Ok(search.optimum(best, options.interrupt.is_set()))
}

struct Search<'s> {
    rehearsal: Rehearsal<'s>,
    distances: Vec<f64>,
    observe: &'s mut dyn FnMut(&Trial),
    rounds: usize,
    /// Units of the efforts: their limits, or what a smooth move needs.
    units: Vec<f64>,
}

impl Search<'_> {
    /// A smooth move, without regard to limits.
    fn first(&mut self, duration: f64) -> Result<Candidate, RunError> {
        let problem = self.rehearsal.problem;
        let plans: Vec<Plan> = self.distances.iter().map(|d| Plan::smooth(*d, duration, problem.knots)).collect();
        let played = self.rehearsal.play(&plans, true)?;
        let greatest = |h: usize| played.efforts.iter().fold(1e-300, |most: f64, now| most.max(now[h].abs()));
        let unit = |(h, limit): (usize, f64)| if limit.is_finite() { limit } else { greatest(h) };
        self.units = problem.moves.iter().map(|told| told.effort).enumerate().map(unit).collect();
        Ok(self.judged(plans, played))
    }

    fn judged(&self, plans: Vec<Plan>, played: Played) -> Candidate {
        let (effort, violation) = (self.effort(&played), self.violation(&plans, &played));
        Candidate { plans, played, effort, violation }
    }

    fn effort(&self, played: &Played) -> f64 {
        let square =
            |efforts: &Vec<f64>| efforts.iter().zip(&self.units).map(|(x, unit)| (x / unit).powi(2)).sum::<f64>();
        let count = played.efforts.len() * self.units.len();
        played.efforts.iter().map(square).sum::<f64>() / count as f64
    }

    /// By how much soft limits are exceeded at most, and by how much the end is missed.
    fn violation(&self, plans: &[Plan], played: &Played) -> f64 {
        let problem = self.rehearsal.problem;
        let step = plans[0].duration / (played.efforts.len() - 1) as f64;
        let mut worst: f64 = 0.0;
        for (h, told) in problem.moves.iter().enumerate() {
            for (i, now) in played.efforts.iter().enumerate() {
                worst = worst.max(now[h].abs() / told.effort - 1.0);
                if i > 0 {
                    worst = worst.max((now[h] - played.efforts[i - 1][h]).abs() / step / told.effort_rate - 1.0);
                }
            }
            let places = plans[h].places();
            let (end, scale) = (places[places.len() - 1], self.distances[h].abs().max(1e-9));
            let missed = (end.position - self.distances[h]).abs().max(end.speed.abs() * plans[h].duration) / scale;
            worst = worst.max(missed);
            worst = places.iter().fold(worst, |worst, place| worst.max(place.speed.abs() / told.speed - 1.0));
            for k in 0..=plans[h].pieces() {
                let (a, next) = (plans[h].knot(k), plans[h].knot(k + 1));
                worst = worst.max(a.abs() / told.acceleration - 1.0);
                worst = worst.max((next - a).abs() / plans[h].step() / told.jerk - 1.0);
            }
        }
        for (node, limit) in problem.residuals.iter().enumerate() {
            worst = worst.max(peak(played, node) / limit.amplitude - 1.0);
        }
        worst.max(0.0)
    }

    /// The best move of a duration, from one of the same duration; the best so far where it was ended early.
    fn settle(&mut self, mut best: Candidate) -> Result<Candidate, RunError> {
        let duration = best.plans[0].duration;
        let largest = |plan: &Plan| plan.inner.iter().fold(0.0_f64, |most, a| most.max(a.abs()));
        let unit = best.plans.iter().map(largest).fold(1e-12, f64::max);
        let mut trust = 2.0;
        for round in 0..ROUNDS {
            let Candidate { effort, violation, .. } = best;
            (self.observe)(&Trial { duration, round, effort, violation });
            let sample_step = duration / (best.played.efforts.len() - 1) as f64;
            let local = Local {
                problem: self.rehearsal.problem,
                plans: &best.plans,
                played: &best.played,
                distances: &self.distances,
                units: (&self.units, unit),
                sample_step,
            };
            let Some((change, slack)) = local.solve(trust) else {
                trust *= 0.3;
                if trust < 1e-4 { break } else { continue }
            };
            self.rounds += 1;
            let knots = best.plans[0].inner.len();
            let mut plans = best.plans.clone();
            for (plan, change) in plans.iter_mut().zip(change.chunks_exact(knots)) {
                plan.inner.iter_mut().zip(change).for_each(|(a, d)| *a += d);
            }
            let played = match self.rehearsal.play(&plans, false) {
                Ok(played) => played,
                Err(_) if self.rehearsal.is_interrupted() => return Ok(best),
                Err(_) => {
                    trust *= 0.3;
                    continue;
                }
            };
            let promised = best.merit() - (self.promised_effort(&best.played, &change) + PENALTY * slack);
            let tried = self.judged(plans, played);
            let gain = best.merit() - tried.merit();
            let size = change.iter().fold(0.0_f64, |most, d| most.max(d.abs())) / unit;
            if gain > 0.0 {
                let done = promised.abs() <= ENOUGH * best.merit().max(1e-6) || gain <= ENOUGH * best.merit();
                trust = if gain > 0.5 * promised { (2.0 * trust).min(10.0) } else { trust };
                best = tried;
                if done && (best.fits() || round > 4) {
                    break;
                }
                match self.rehearsal.play(&best.plans, true) {
                    Ok(played) => best.played = played,
                    Err(_) => break,
                }
            } else {
                if promised <= ENOUGH * best.merit() {
                    break;
                }
                trust = 0.3 * trust.min(size);
                if trust < 1e-4 {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// The mean square of the efforts that the linear model promises.
    fn promised_effort(&self, played: &Played, change: &[f64]) -> f64 {
        let hinges = self.units.len();
        let rows = played.effort_slopes.nrows();
        let of = |i: usize| {
            let moved: f64 = change.iter().enumerate().map(|(j, d)| played.effort_slopes[(i, j)] * d).sum();
            ((played.efforts[i / hinges][i % hinges] + moved) / self.units[i % hinges]).powi(2)
        };
        (0..rows).map(of).sum::<f64>() / rows as f64
    }

    /// The move in another duration.
    fn in_time(&mut self, from: &Candidate, duration: f64) -> Result<Candidate, RunError> {
        let plans: Vec<Plan> = from.plans.iter().map(|plan| plan.stretched(duration)).collect();
        let played = self.rehearsal.play(&plans, true)?;
        let start = self.judged(plans, played);
        self.settle(start)
    }

    /// The shortest move that fits; the one nearest to it where none does.
    fn shortest(&mut self, first: Candidate) -> Result<Candidate, RunError> {
        let mut best = self.settle(first)?;
        let grows = !best.fits();
        // Between a duration that does not fit and one that does.
        let mut too_short = if grows { best.plans[0].duration } else { 0.0 };
        for _ in 0..MOST_FACTORS {
            if self.rehearsal.is_interrupted() {
                return Ok(best);
            }
            let duration = best.plans[0].duration * if grows { FACTOR } else { 1.0 / FACTOR };
            let Ok(tried) = self.in_time(&best, duration) else { break };
            let fits = tried.fits();
            if fits || grows {
                best = tried;
            }
            if !fits {
                too_short = duration;
            }
            if fits == grows {
                break;
            }
        }
        while best.fits() && best.plans[0].duration - too_short > PRECISION * best.plans[0].duration {
            if self.rehearsal.is_interrupted() {
                break;
            }
            let middle = 0.5 * (best.plans[0].duration + too_short);
            match self.in_time(&best, middle) {
                Ok(tried) if tried.fits() => best = tried,
                _ => too_short = middle,
            }
        }
        Ok(best)
    }

    fn optimum(&self, best: Candidate, interrupted: bool) -> Optimum {
        let problem = self.rehearsal.problem;
        let Candidate { plans, played, effort, violation } = best;
        let pieces = plans[0].pieces();
        let every = (played.efforts.len() - 1) / pieces;
        let hinges = problem.moves.iter().zip(&plans).enumerate().map(|(h, (told, plan))| {
            let places = plan.places();
            MovedHinge {
                hinge: told.hinge.clone(),
                positions: places.iter().map(|place| self.rehearsal.from[h] + place.position).collect(),
                speeds: places.iter().map(|place| place.speed).collect(),
                accelerations: (0..=pieces).map(|k| plan.knot(k)).collect(),
                efforts: (0..=pieces).map(|k| played.efforts[k * every][h]).collect(),
                greatest_effort: played.efforts.iter().fold(0.0, |most: f64, now| most.max(now[h].abs())),
            }
        });
        Optimum {
            duration: plans[0].duration,
            feasible: violation <= KEPT,
            violation,
            effort,
            residuals: (0..problem.residuals.len()).map(|node| peak(&played, node)).collect(),
            times: (0..=pieces).map(|k| plans[0].step() * k as f64).collect(),
            hinges: hinges.collect(),
            rounds: self.rounds,
            interrupted,
        }
    }
}

/// Greatest distance of a node from its place.
fn peak(played: &Played, node: usize) -> f64 {
    let distance = |d: &[f64; 3]| d.iter().map(|x| x * x).sum::<f64>().sqrt();
    played.displacements.iter().fold(0.0, |most: f64, now| most.max(distance(&now[node])))
}
