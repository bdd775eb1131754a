//! Operation counts, found by running the real code on [`Counted`].
//!
//! The standard system is a serial chain of flexible bodies with rotary hinges, mass-normalised cantilever modes, diagonal
//! stiffness and damping, constant modal mass and no elastic rotation of the hinges: the one for which the counts of the
//! paper hold [JR92 8].
//!
//! | stage     | what it holds                                                                        |
//! |-----------|--------------------------------------------------------------------------------------|
//! | `bias`    | kinematics, velocities, Coriolis and gyroscopic terms, elastic forces; `𝓒` of the composite algorithm |
//! | `inertia` | articulated quantities, or composite inertias and mass matrix                        |
//! | `sweeps`  | force and acceleration sweeps, or the dense solve                                    |
//! | `columns` | all derivatives of forward dynamics, after it                                        |

use std::error::Error;

use supple::spatial::{Counted, Operations};
use supple::stages::Stages;
use supple::{DynamicsError, Inputs, Method, Model, State, System};
use supple_bodies::catalogue::standard_chain::{free_free_chain, standard_chain};

use super::paper;

/// Most speeds for which the dense algorithm is run as a whole.
const LARGEST_DENSE: usize = 600;

/// One row of the cost table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostRow {
    /// Algorithm.
    pub algorithm: &'static str,
    /// Stage of the algorithm.
    pub stage: &'static str,
    /// Number of bodies.
    pub bodies: usize,
    /// Number of modes of each body.
    pub modes: usize,
    /// Multiplications.
    pub multiplications: u64,
    /// Additions and subtractions.
    pub additions: u64,
    /// Divisions, square roots, sines, cosines, logarithms.
    pub other: u64,
}

/// Counts of every algorithm on the standard chain, and those that the paper gives.
///
/// # Errors
/// A chain that cannot be built, which only an excessive number of modes can cause.
pub fn chain_cost(bodies: usize, modes: usize) -> Result<Vec<CostRow>, Box<dyn Error>> {
    let mut rows = cost_of(|bodies| standard_chain(bodies, modes), bodies, modes)?;
    rows.extend(paper::rows(bodies, modes));
    Ok(rows)
}

/// The same with free-free modes, which the paper assumes.
///
/// # Errors
/// As [`chain_cost`].
pub fn free_chain_cost(bodies: usize, modes: usize) -> Result<Vec<CostRow>, Box<dyn Error>> {
    let mut rows = cost_of(|bodies| free_free_chain(bodies, modes), bodies, modes)?;
    rows.extend(paper::rows(bodies, modes));
    Ok(rows)
}

/// Counts of every algorithm on the chain of `bodies` bodies that `chain` describes; `modes` only labels the rows.
///
/// # Errors
/// A chain that cannot be built.
pub fn cost_of(chain: impl Fn(usize) -> System, bodies: usize, modes: usize) -> Result<Vec<CostRow>, Box<dyn Error>> {
    let model = Model::build(&chain(bodies))?.cast::<Counted>();
    let mut count = Counter { model: &model, chain: &chain, rows: Vec::new(), bodies, modes };
    for (algorithm, method) in [
        ("articulated-auto", Method::Auto),
        ("articulated-condensed", Method::Condensed),
        ("articulated-indirect", Method::Indirect),
        ("articulated-explicit", Method::Explicit),
    ] {
        count.articulated(algorithm, method)?;
    }
    count.inverse()?;
    count.derivatives()?;
    count.composite()?;
    Ok(count.rows)
}

/// Operations of forward dynamics, and of all its derivatives with it, of a tree without force elements.
///
/// # Errors
/// A state that does not fit the model.
pub fn derivative_cost(model: &Model) -> Result<[u64; 2], DynamicsError> {
    let model = model.cast::<Counted>();
    let mut run = stages(&model)?;
    let total = |operations: Operations| operations.multiplications + operations.additions + operations.other();
    let before = Counted::operations();
    run.bias();
    run.articulate(Method::Auto);
    let forward = total(Counted::operations() - before);
    run.differentiate();
    Ok([forward, total(Counted::operations() - before)])
}

/// The stages at a state in which nothing is zero, so that nothing is skipped. Counts do not depend on values.
fn stages(model: &Model<Counted>) -> Result<Stages<'_, Counted>, DynamicsError> {
    Stages::new(model, moving_state(model), Inputs::new(model))
}

/// A state in which nothing is zero.
pub(crate) fn moving_state(model: &Model<Counted>) -> State<Counted> {
    let mut state = State::new(model);
    for (i, x) in state.coordinates.iter_mut().chain(&mut state.speeds).enumerate() {
        *x = Counted(0.1 + 0.001 * (i % 7) as f64);
    }
    for body in model.body_indices() {
        let (theta, beta) = (model.hinge_coordinates(body), model.hinge_speeds(body));
        // One coordinate more than speeds: a quaternion comes first.
        if theta.len() > beta.len() {
            state.coordinates[theta.start..theta.start + 4].fill(Counted(0.5));
        }
    }
    state
}

struct Counter<'a> {
    model: &'a Model<Counted>,
    chain: &'a dyn Fn(usize) -> System,
    rows: Vec<CostRow>,
    bodies: usize,
    modes: usize,
}

impl Counter<'_> {
    fn stage<R>(&mut self, algorithm: &'static str, stage: &'static str, work: impl FnOnce() -> R) -> R {
        let before = Counted::operations();
        let done = work();
        let counted = Counted::operations() - before;
        let (Operations { multiplications, additions, .. }, other) = (counted, counted.other());
        let (bodies, modes) = (self.bodies, self.modes);
        self.rows.push(CostRow { algorithm, stage, bodies, modes, multiplications, additions, other });
        done
    }

    fn articulated(&mut self, algorithm: &'static str, method: Method) -> Result<(), DynamicsError> {
        let mut run = stages(self.model)?;
        self.stage(algorithm, "bias", || run.bias());
        self.stage(algorithm, "inertia", || run.factor(method));
        self.stage(algorithm, "sweeps", || run.articulate(method));
        // Forward dynamics does both in one sweep: what is left for the forces.
        if let [.., inertia, sweeps] = &mut self.rows[..] {
            sweeps.multiplications -= inertia.multiplications;
            sweeps.additions -= inertia.additions;
            sweeps.other -= inertia.other;
        }
        Ok(())
    }

    fn inverse(&mut self) -> Result<(), DynamicsError> {
        let mut run = stages(self.model)?;
        self.stage("inverse", "bias", || run.bias());
        self.stage("inverse", "sweeps", || run.newton_euler());
        Ok(())
    }

    /// Forward dynamics, and its derivatives with respect to displacements, speeds and forces; not of chains so long that matrices are.
    fn derivatives(&mut self) -> Result<(), DynamicsError> {
        if self.model.speed_count() > LARGEST_DENSE {
            return Ok(());
        }
        let mut run = stages(self.model)?;
        self.stage("derivatives", "bias", || run.bias());
        self.stage("derivatives", "sweeps", || run.articulate(Method::Auto));
        self.stage("derivatives", "columns", || run.differentiate());
        Ok(())
    }

    /// Counts of the dense algorithm. Its mass matrix is counted on the chain itself while that is small, and on three
    /// shorter ones otherwise: the counts are a polynomial of second degree in the number of bodies. The solve of a long
    /// chain is counted by its loops.
    fn composite(&mut self) -> Result<(), Box<dyn Error>> {
        let mut run = stages(self.model)?;
        self.stage("composite", "bias", || {
            run.bias();
            run.newton_euler();
        });
        if self.model.speed_count() > LARGEST_DENSE {
            return self.long_composite();
        }
        self.stage("composite", "inertia", || run.composite());
        Ok(self.stage("composite", "sweeps", || run.solve())?)
    }

    fn long_composite(&mut self) -> Result<(), Box<dyn Error>> {
        const SHORT: u64 = 3;
        let count = |bodies: u64| mass_matrix_count(&(self.chain)(bodies as usize));
        let short = [count(SHORT)?, count(SHORT + 1)?, count(SHORT + 2)?];
        let extended =
            |part: fn(&Operations) -> u64| second_degree(short.map(|o| part(&o)), self.bodies as u64 - SHORT);
        let row = |stage, multiplications, additions, other| CostRow {
            algorithm: "composite",
            stage,
            bodies: self.bodies,
            modes: self.modes,
            multiplications,
            additions,
            other,
        };
        let inertia =
            row("inertia", extended(|o| o.multiplications), extended(|o| o.additions), extended(Operations::other));
        let n = self.model.speed_count() as u64;
        let (mut multiplications, mut additions) = (0, n);
        for i in 0..n {
            // Row i of the factor, then of the two triangular solves and the diagonal one between them.
            let products = i * i.saturating_sub(1) / 2 + i;
            multiplications += products + i + 2 * i + 1;
            additions += products + 2 * i;
        }
        let solve = row("sweeps", multiplications, additions, n);
        self.rows.extend([inertia, solve]);
        Ok(())
    }
}

/// Operations of the composite-body mass matrix of a short chain.
fn mass_matrix_count(system: &System) -> Result<Operations, Box<dyn Error>> {
    let model = Model::build(system)?.cast::<Counted>();
    let mut run = stages(&model)?;
    run.bias();
    let before = Counted::operations();
    run.composite();
    Ok(Counted::operations() - before)
}

/// The value, `steps` beyond the first, of the polynomial of second degree through three neighbours.
fn second_degree(values: [u64; 3], steps: u64) -> u64 {
    let [a, b, c] = values;
    let (first, second) = (b - a, c + a - 2 * b);
    a + first * steps + second * (steps * (steps - 1) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands in for a long chain is what a chain of that length would count.
    #[test]
    fn long_chains_count_as_run() {
        let model = Model::build(&standard_chain(12, 4)).unwrap().cast::<Counted>();
        let chain = |bodies: usize| standard_chain(bodies, 4);
        let counter = || Counter { model: &model, chain: &chain, rows: Vec::new(), bodies: 12, modes: 4 };
        let (mut run, mut long) = (counter(), counter());
        run.composite().unwrap();
        long.long_composite().unwrap();
        assert_eq!(run.rows[1..], long.rows[..]);
    }
}
