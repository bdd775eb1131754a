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

mod chain;
mod paper;

pub use chain::standard_chain;

use crate::method::Method;
use crate::model::Model;
use crate::sweep;
use crate::terms::Terms;
use crate::workspace::{DenseWorkspace, Workspace};
use crate::{BuildError, Inputs, State, System};
use supple_spatial::{Counted, Operations};

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
/// [`BuildError`] if the chain cannot be built, which only an excessive number of modes can cause.
pub fn chain_cost(bodies: usize, modes: usize) -> Result<Vec<CostRow>, BuildError> {
    let mut rows = cost_of(|bodies| standard_chain(bodies, modes), bodies, modes)?;
    rows.extend(paper::rows(bodies, modes));
    Ok(rows)
}

/// Counts of every algorithm on the chain of `bodies` bodies that `chain` describes; `modes` only labels the rows.
///
/// # Errors
/// [`BuildError`] if the chain cannot be built.
pub fn cost_of(chain: impl Fn(usize) -> System, bodies: usize, modes: usize) -> Result<Vec<CostRow>, BuildError> {
    let model = Model::build(&chain(bodies))?.cast::<Counted>();
    let mut count = Counter {
        model: &model,
        chain: &chain,
        state: moving_state(&model),
        inputs: Inputs::new(&model),
        rows: Vec::new(),
        bodies,
        modes,
    };
    for (algorithm, method) in [
        ("articulated-auto", Method::Auto),
        ("articulated-condensed", Method::Condensed),
        ("articulated-indirect", Method::Indirect),
        ("articulated-explicit", Method::Explicit),
    ] {
        count.articulated(algorithm, method);
    }
    count.inverse();
    count.composite();
    Ok(count.rows)
}

/// A state in which nothing is zero, so that nothing is skipped. Counts do not depend on values.
fn moving_state(model: &Model<Counted>) -> State<Counted> {
    let mut state = State::new(model);
    for (i, x) in state.coordinates.iter_mut().chain(&mut state.speeds).enumerate() {
        *x = Counted(0.1 + 0.001 * (i % 7) as f64);
    }
    state
}

struct Counter<'a> {
    model: &'a Model<Counted>,
    chain: &'a dyn Fn(usize) -> System,
    state: State<Counted>,
    inputs: Inputs<Counted>,
    rows: Vec<CostRow>,
    bodies: usize,
    modes: usize,
}

impl Counter<'_> {
    fn stage(&mut self, algorithm: &'static str, stage: &'static str, work: impl FnOnce(&mut Self)) {
        let before = Counted::operations();
        work(self);
        let Operations { multiplications, additions, .. } = Counted::operations() - before;
        let other = (Counted::operations() - before).other();
        let (bodies, modes) = (self.bodies, self.modes);
        self.rows.push(CostRow { algorithm, stage, bodies, modes, multiplications, additions, other });
    }

    fn bias(&mut self, algorithm: &'static str, ws: &mut Workspace<Counted>) {
        self.stage(algorithm, "bias", |c| {
            let Workspace { configuration, modal, velocity, bias, .. } = ws;
            sweep::motion::motion(c.model, &c.state, Terms::ALL, configuration, modal, velocity, bias);
        });
    }

    fn articulated(&mut self, algorithm: &'static str, method: Method) {
        let mut ws = Workspace::new(self.model);
        self.bias(algorithm, &mut ws);
        let Workspace { configuration, modal, bias, articulated, residual, acceleration, result, .. } = &mut ws;
        articulated.choose(self.model, method, None);
        self.stage(algorithm, "inertia", |c| {
            sweep::articulation::factor(c.model, &c.state, configuration, modal, articulated);
        });
        self.stage(algorithm, "sweeps", |c| {
            let (forces, udot) = (&c.inputs.forces, &c.inputs.accelerations);
            sweep::articulation::factor_and_solve(
                c.model,
                &c.state,
                configuration,
                bias,
                forces,
                udot,
                modal,
                articulated,
                residual,
            );
            sweep::acceleration::acceleration::<_, true>(
                c.model,
                configuration,
                modal,
                articulated,
                residual,
                bias,
                acceleration,
                result,
            );
        });
        // Forward dynamics does both in one sweep: what is left for the forces.
        if let [.., inertia, sweeps] = &mut self.rows[..] {
            sweeps.multiplications -= inertia.multiplications;
            sweeps.additions -= inertia.additions;
            sweeps.other -= inertia.other;
        }
    }

    fn inverse(&mut self) {
        let mut ws = Workspace::new(self.model);
        self.bias("inverse", &mut ws);
        self.stage("inverse", "sweeps", |c| crate::inverse_dynamics::newton_euler::<_, true, true>(c.model, &mut ws));
    }

    /// Counts of the dense algorithm. Its mass matrix is counted on the chain itself while that is small, and on three
    /// shorter ones otherwise: the counts are a polynomial of second degree in the number of bodies. The solve of a long
    /// chain is counted by its loops.
    fn composite(&mut self) {
        let mut ws = Workspace::new(self.model);
        self.stage("composite", "bias", |c| {
            let Workspace { configuration, modal, velocity, bias, .. } = &mut ws;
            sweep::motion::motion(c.model, &c.state, Terms::ALL, configuration, modal, velocity, bias);
            crate::inverse_dynamics::newton_euler::<_, true, true>(c.model, &mut ws);
        });
        if self.model.speed_count() <= LARGEST_DENSE {
            let mut dense = DenseWorkspace::new(self.model);
            self.stage("composite", "inertia", |c| {
                crate::mass_matrix::composite(c.model, &c.state, &mut ws, &mut dense)
            });
            self.stage("composite", "sweeps", |c| {
                let solved = crate::forward_dynamics::composite_solve(c.model, &c.inputs, &mut ws, &mut dense);
                debug_assert!(solved.is_ok());
            });
        } else {
            self.long_composite();
        }
    }

    fn long_composite(&mut self) {
        const SHORT: u64 = 3;
        let short = [SHORT, SHORT + 1, SHORT + 2].map(|bodies| mass_matrix_count(&(self.chain)(bodies as usize)));
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
    }
}

/// Operations of the composite-body mass matrix of a short chain.
fn mass_matrix_count(system: &System) -> Operations {
    // A shorter chain of a kind that has been built before can be built.
    let Ok(model) = Model::build(system) else { return Operations::default() };
    let model = model.cast::<Counted>();
    let (mut ws, mut dense) = (Workspace::new(&model), DenseWorkspace::new(&model));
    let state = moving_state(&model);
    sweep::configuration::configuration(&model, &state, &mut ws.configuration);
    sweep::modal_mass::modal_mass(&model, &state, &ws.configuration, &mut ws.modal);
    let before = Counted::operations();
    crate::mass_matrix::composite(&model, &state, &mut ws, &mut dense);
    Counted::operations() - before
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
        let counter = || Counter {
            model: &model,
            chain: &chain,
            state: moving_state(&model),
            inputs: Inputs::new(&model),
            rows: Vec::new(),
            bodies: 12,
            modes: 4,
        };
        let (mut run, mut long) = (counter(), counter());
        run.composite();
        long.long_composite();
        assert_eq!(run.rows[1..], long.rows[..]);
    }
}
