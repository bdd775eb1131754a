//! Equilibria: states in which nothing accelerates, at rest or with hinges that turn steadily.
//!
//! The forces that are left are driven to zero along the manifold of configurations by Newton's method. With `q = Φ p` of
//! the eigenproblem a step is
//!
//! ```text
//! K z = f                        where K is definite: Newton
//! p = Φ* f / |κ|                 elsewhere: downhill along every coordinate, so that it ends where it is stable
//! ```
//!
//! Directions that nothing resists and no force acts in stay where they are: a pseudo-inverse. No direction turns anything by more than half a radian. A step is
//! shortened until the forces along it do not turn back by more than half: then energy has fallen. Closures are closed after every step; integrated
//! attitudes are `R = exp(λ η)`, so that the result does not depend on the path.

use faer::Mat;
use faer::linalg::solvers::Solve;
use supple::{HingeHandle, Inputs, Model, State, Workspace};

use crate::coordinates::{Coordinates, coordinate_of};
use crate::differences::reach;
use crate::second_order::{Reduced, free_speeds};
use crate::spectrum::{Basis, Eigenpair, basis, force_norm, spectrum};
use crate::tangent::{Point, Tangent, loads, tangent, tangent_at};
use crate::{LinearError, NoEquilibrium};

/// Steps that are taken at most.
const MOST_STEPS: usize = 200;
/// A residual below this part of the loads is an equilibrium; steps go on while they still make it smaller.
const BALANCED: f64 = 1e-10;
/// Steps that still make a balanced state better.
const FINISHING: usize = 3;
/// Steps after which a coordinate that nothing resists is given up.
const RUNNING_AWAY: usize = 20;
/// No step turns a node by more, rad.
const LONGEST_TURN: f64 = 0.5;
/// Forces below this part of the loads are rounding.
const ROUNDED: f64 = 1e-15;
/// Below this residual the work along a step is rounding, and the residual itself must fall.
const NEAR: f64 = 1e-8;
/// Coordinates with at least this part of the greatest kinetic energy are named.
const NOTABLE: f64 = 0.1;
/// The part of the forces along a step that may turn back.
const TURNED_BACK: f64 = 0.5;

/// A state in equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// The state; its time is that of the start.
    pub state: State,
    /// The inputs given, with the forces that hold the prescribed hinges in [`Inputs::forces`] and no accelerations: with these, and every hinge free,
    /// the state stays as well.
    pub inputs: Inputs,
    /// Forces of the drives at each speed: those given, and those that hold prescribed hinges.
    pub forces: Vec<f64>,
    /// Size of the forces that are left, as a part of the loads.
    pub residual: f64,
    /// Steps that were taken.
    pub iterations: usize,
    /// Whether no small motion about it grows. Directions that nothing resists do not count: see `neutral`.
    pub stable: bool,
    /// Directions in which nothing resists, so that it stays wherever it is put: the coordinates that move most, joined by `+`. Where there are any and nothing grows, the equilibrium is
    /// neutral, or marginally stable.
    pub neutral: Vec<String>,
    /// Largest real part of the eigenvalues of small motions, 1/s.
    pub growth: f64,
}

/// Finds an equilibrium from `start` on.
///
/// Hinges that `inputs` prescribe are held at their coordinates; where `start` has speeds for them, they turn steadily at these. All other speeds are taken
/// as zero, or as closures make them. Forces and wrenches of `inputs` act. The search goes downhill: it ends at a stable equilibrium, unless it starts at one
/// that is not. Dry friction is zero at rest, and stops that are in contact push.
///
/// ```
/// use supple::{Body, Hinge, HingeKind, Inputs, ModelBuilder, Parent, State};
/// use supple_linear::equilibrium;
///
/// let mut builder = ModelBuilder::new();
/// builder.gravity([0.0, 0.0, -9.81]);
/// let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
/// builder.body(Body::rigid("bob", Parent::Ground, hinge, 2.0, [0.0, 0.0, -1.0], [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0; 3]]));
/// let model = builder.build()?;
/// let mut start = State::new(&model);
/// start.coordinates[0] = 2.5;
/// let hanging = equilibrium(&model, &start, &Inputs::new(&model))?;
/// assert!(hanging.stable && hanging.state.coordinates[0].sin().abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LinearError::NoEquilibrium`] with the residual, what it belongs to and a remedy; [`LinearError::NotSteady`] where closures do not let a hinge turn
/// steadily without accelerations elsewhere; [`supple::DynamicsError::CannotClose`]; or what the engine says about
/// the state.
pub fn equilibrium(model: &Model, start: &State, inputs: &Inputs) -> Result<Equilibrium, LinearError> {
    start.check(model)?;
    inputs.check(model)?;
    let mut held = inputs.clone();
    held.accelerations.fill(0.0);
    let mut state = start.clone();
    for i in free_speeds(model, &held) {
        state.speeds[i] = 0.0;
    }
    let search = Search { model, inputs: &held, free: free_speeds(model, &held), names: Coordinates::of(model) };
    search.settle(&mut state)?;
    let (residual, iterations) = match search.run(&mut state) {
        // What cannot move is in balance.
        Err(LinearError::NoFreedom) => (0.0, 0),
        found => found?,
    };
    finish(model, state, held, residual, iterations)
}

/// Forces that hold it, and whether it is stable.
fn finish(
    model: &Model,
    state: State,
    mut inputs: Inputs,
    residual: f64,
    iterations: usize,
) -> Result<Equilibrium, LinearError> {
    let mut workspace = Workspace::new(model);
    let solution = supple::hybrid_dynamics(model, &state, &inputs, &mut workspace)?;
    require_constant_speeds(model, &state, &inputs, solution.accelerations())?;
    let forces = solution.forces().to_vec();
    let Stability { growth, neutral } = match stability(model, &state, &inputs) {
        Err(LinearError::NoFreedom) => Stability { growth: 0.0, neutral: Vec::new() },
        other => other?,
    };
    inputs.forces.copy_from_slice(&forces);
    Ok(Equilibrium { state, inputs, forces, residual, iterations, stable: growth <= 0.0, neutral, growth })
}

/// Refuses loops that a hinge cannot go through at a steady rate: forces balance there only for accelerations that are not zero.
fn require_constant_speeds(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    accelerations: &[f64],
) -> Result<(), LinearError> {
    let moves = |hinge: &HingeHandle| state.speeds[hinge.speeds()].iter().any(|u| *u != 0.0);
    let Some(hinge) = model.hinges().find(moves) else { return Ok(()) };
    let faster = Inputs { accelerations: accelerations.to_vec(), ..inputs.clone() };
    let mut workspace = Workspace::new(model);
    let mut needed = |inputs: &Inputs| -> Result<Vec<f64>, LinearError> {
        Ok(supple::inverse_dynamics(model, state, inputs, &mut workspace)?.forces().to_vec())
    };
    let (with, without) = (needed(&faster)?, needed(inputs)?);
    let loads = loads(model, state, inputs)?;
    let largest = loads.iter().fold(0.0_f64, |m, load| m.max(*load));
    let change =
        with.iter().zip(&without).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs())) / largest.max(f64::MIN_POSITIVE);
    let hinge = model.hinge_name(hinge).unwrap_or_default().to_owned();
    if change > 1e-8 { Err(LinearError::NotSteady { hinge, quantity: "forces", change }) } else { Ok(()) }
}

/// What small motions about an equilibrium do.
struct Stability {
    /// Largest real part of an eigenvalue; zero where rounding cannot tell it from that.
    growth: f64,
    neutral: Vec<String>,
}

fn stability(model: &Model, state: &State, inputs: &Inputs) -> Result<Stability, LinearError> {
    let tangent = tangent(model, state, inputs)?;
    let reduced = Reduced::new(model, &tangent, &free_speeds(model, inputs), &[])?;
    let [mass, damping, stiffness] = reduced.in_displacements();
    let pairs = spectrum(&mass, &damping, &stiffness, &reduced.loads(&tangent))?;
    let fastest = pairs.last().map_or(0.0, |pair| pair.value.norm());
    let largest = pairs.iter().fold(f64::NEG_INFINITY, |m, pair| m.max(pair.value.re));
    let growth = if largest.abs() <= 1e-12 * fastest { 0.0 } else { largest };
    let names = Coordinates::of(model);
    let direction = |pair: &Eigenpair| -> String {
        let share = |i: usize| mass[(i, i)] * pair.vector[i].norm_sqr();
        let most = (0..pair.vector.len()).map(share).fold(0.0, f64::max);
        let moved = (0..pair.vector.len()).filter(|i| share(*i) > NOTABLE * most);
        let moved: Vec<&str> = moved.map(|i| names.displacements[reduced.reduction.kept[i]].name.as_str()).collect();
        moved.join(" + ")
    };
    let neutral = pairs.iter().filter(|pair| pair.value.norm() == 0.0).map(direction).collect();
    Ok(Stability { growth, neutral })
}

/// A search under way.
struct Search<'s> {
    model: &'s Model,
    inputs: &'s Inputs,
    free: Vec<usize>,
    names: Coordinates,
}

/// Where a search stands.
struct Standing {
    tangent: Tangent,
    reduced: Reduced,
    /// Forces left at the independent coordinates.
    left: Vec<f64>,
    /// Size of the loads.
    load: f64,
    /// Size of the forces left as a part of the loads.
    residual: f64,
}

impl Search<'_> {
    /// The state and its residual, with the steps taken.
    fn run(&self, state: &mut State) -> Result<(f64, usize), LinearError> {
        let mut here = self.stand(state)?;
        let mut unresisted = None;
        let mut balanced = 0;
        for step in 0..MOST_STEPS {
            // Once it is balanced, a few steps go on to what rounding allows.
            balanced += usize::from(here.residual <= BALANCED);
            if here.residual == 0.0 || balanced > FINISHING {
                return Ok((here.residual, step));
            }
            let direction;
            (direction, unresisted) = self.direction(state, &here)?;
            if unresisted.is_some() && step > RUNNING_AWAY {
                return Err(self.failed(&here, step, unresisted));
            }
            match self.search_line(state, &here, &direction) {
                Some((moved, there)) => (*state, here) = (moved, there),
                None if here.residual <= BALANCED => return Ok((here.residual, step)),
                None => return Err(self.failed(&here, step, unresisted)),
            }
        }
        Err(self.failed(&here, MOST_STEPS, unresisted))
    }

    /// Closes closures and turns integrated attitudes by the slopes.
    fn settle(&self, state: &mut State) -> Result<(), LinearError> {
        state.turn_nodes(self.model);
        if state.closed.contains(&true) {
            supple::assemble(self.model, state, self.inputs)?;
            state.turn_nodes(self.model);
        }
        Ok(())
    }

    /// The forces that are left at a state, and how they change.
    fn stand(&self, state: &State) -> Result<Standing, LinearError> {
        let (model, inputs) = (self.model, self.inputs);
        let n = model.speed_count();
        let mut workspace = Workspace::new(model);
        let needed = supple::inverse_dynamics(model, state, inputs, &mut workspace)?.forces().to_vec();
        let lacking: Vec<f64> = inputs.forces.iter().zip(&needed).map(|(given, needed)| given - needed).collect();
        let mut jacobian = vec![0.0; model.equation_count() * n];
        supple::closure_jacobian(model, state, &mut workspace, &mut jacobian)?;
        let closure_forces = self.closure_forces(state, &jacobian, &lacking)?;
        let point = Point { accelerations: vec![0.0; n], closure_forces };
        let tangent = tangent_at(model, state, inputs, point)?;
        let reduced = Reduced::new(model, &tangent, &self.free, &[])?;
        let left = self.along(&reduced, &lacking);
        let size = force_norm(&reduced.mass, &left)?;
        let load = force_norm(&reduced.mass, &reduced.loads(&tangent))?;
        // Coordinates are rounded: where these forces are no more than that makes, nothing can be better.
        let resisted = force_norm(&reduced.mass, &self.resisted(state, &reduced))?;
        let scale = if size <= 16.0 * f64::EPSILON * resisted { load.max(resisted) } else { load.max(size) };
        let residual = if size > 0.0 { size / scale } else { 0.0 };
        Ok(Standing { tangent, reduced, left, load, residual })
    }

    /// Sizes of the forces that resist coordinates of the present size, angles of a radian at least.
    fn resisted(&self, state: &State, reduced: &Reduced) -> Vec<f64> {
        let coordinate = |i: usize| coordinate_of(self.model, state, i).abs();
        let turns = |i: usize| self.names.displacements[i].unit == "rad";
        let size = |i: usize| if turns(i) { coordinate(i).max(1.0) } else { coordinate(i) };
        let (k, kept) = (&reduced.stiffness, &reduced.reduction.kept);
        (0..kept.len()).map(|i| (0..kept.len()).map(|j| k[(i, j)].abs() * size(kept[j])).sum()).collect()
    }

    /// Forces of the equations of closures that come nearest to what is lacking.
    fn closure_forces(&self, state: &State, jacobian: &[f64], lacking: &[f64]) -> Result<Vec<f64>, LinearError> {
        let n = self.model.speed_count();
        let closures = self.model.closure_handles().filter(|closure| state.closed[closure.closure()]);
        let rows: Vec<usize> = closures.flat_map(|closure| closure.rows()).collect();
        let mut forces = vec![0.0; self.model.equation_count()];
        if rows.is_empty() {
            return Ok(forces);
        }
        let columns = Mat::from_fn(self.free.len(), rows.len(), |i, j| jacobian[rows[j] * n + self.free[i]]);
        let right = Mat::from_fn(self.free.len(), 1, |i, _| -lacking[self.free[i]]);
        let inverse = columns.thin_svd().map_err(|_| LinearError::NoEigenvalues)?.pseudoinverse();
        let answer = inverse * right;
        rows.iter().enumerate().for_each(|(i, row)| forces[*row] = answer[(i, 0)]);
        Ok(forces)
    }

    /// A force of all speeds along the independent ones.
    fn along(&self, reduced: &Reduced, force: &[f64]) -> Vec<f64> {
        let shape = &reduced.reduction.shape;
        (0..shape.ncols()).map(|j| (0..shape.nrows()).map(|i| shape[(i, j)] * force[i]).sum()).collect()
    }

    /// The step in independent coordinates, and the speed that a force moves against no resistance.
    fn direction(&self, state: &State, here: &Standing) -> Result<(Vec<f64>, Option<usize>), LinearError> {
        let Reduced { reduction, mass, stiffness, .. } = &here.reduced;
        let n = here.left.len();
        let Basis { vectors, stiffness: kappa } = basis(mass, stiffness, &here.reduced.loads(&here.tangent))?;
        let reach = reach(self.model, state)?;
        let column = |k: usize| (0..n).map(|i| vectors[(i, k)]).collect::<Vec<f64>>();
        let (mut step, mut unresisted, mut whole) = (vec![0.0; n], None, true);
        for k in 0..n {
            whole &= kappa[k] > 0.0;
            let unit = column(k);
            let force: f64 = unit.iter().zip(&here.left).map(|(x, f)| x * f).sum();
            if force.abs() <= ROUNDED * here.load {
                continue;
            }
            let far = if kappa[k] == 0.0 { f64::INFINITY } else { force.abs() / kappa[k].abs() };
            let most = LONGEST_TURN / self.turn(&reach, &reduction.shape, &unit);
            whole &= far <= most;
            step.iter_mut().zip(&unit).for_each(|(z, x)| *z += x * far.min(most).copysign(force));
            if kappa[k] == 0.0 {
                let share = |i: &usize| mass[(*i, *i)] * unit[*i].powi(2);
                let largest = (0..n).max_by(|i, j| share(i).total_cmp(&share(j)));
                unresisted = largest.map(|i| reduction.kept[i]);
            }
        }
        if whole {
            let right = Mat::from_fn(n, 1, |i, _| here.left[i]);
            let z = stiffness.partial_piv_lu().solve(&right);
            step = (0..n).map(|i| z[(i, 0)]).collect();
        }
        Ok((step, unresisted))
    }

    /// How far a step turns hinges and nodes, rad, or moves them, m.
    fn turn(&self, reach: &[f64], shape: &Mat<f64>, step: &[f64]) -> f64 {
        let whole = |i: usize| (0..step.len()).map(|j| shape[(i, j)] * step[j]).sum::<f64>().abs();
        let turns = |i: usize| self.names.displacements[i].unit == "rad";
        let size = |i: usize| if turns(i) { whole(i) } else { whole(i) * reach[i].min(1.0) };
        (0..shape.nrows()).map(size).fold(f64::MIN_POSITIVE, f64::max)
    }

    /// The state after as much of a step as lowers the energy; nothing where no part of it does.
    fn search_line(&self, state: &State, here: &Standing, step: &[f64]) -> Option<(State, Standing)> {
        let shape = &here.reduced.reduction.shape;
        let whole: Vec<f64> =
            (0..shape.nrows()).map(|i| (0..step.len()).map(|j| shape[(i, j)] * step[j]).sum()).collect();
        let downhill: f64 = step.iter().zip(&here.left).map(|(z, f)| z * f).sum();
        let mut fraction = 1.0;
        while fraction > 1e-6 {
            let mut moved = state.clone();
            let part: Vec<f64> = whole.iter().map(|x| fraction * x).collect();
            moved.displace(self.model, &part);
            let there = self.settle(&mut moved).and_then(|()| self.stand(&moved));
            if let Ok(there) = there {
                // The independent coordinates may be others there.
                let onward =
                    there.reduced.reduction.kept.iter().zip(&there.left).map(|(i, f)| whole[*i] * f).sum::<f64>();
                let accepted = if here.residual > NEAR {
                    onward >= -TURNED_BACK * downhill
                } else {
                    there.residual < here.residual
                };
                if accepted {
                    return Some((moved, there));
                }
            }
            fraction *= 0.5;
        }
        None
    }

    fn failed(&self, here: &Standing, iterations: usize, unresisted: Option<usize>) -> LinearError {
        let Reduced { reduction, mass, .. } = &here.reduced;
        let size = |i: &usize| here.left[*i].abs() / mass[(*i, *i)].sqrt();
        let largest = (0..here.left.len()).max_by(|i, j| size(i).total_cmp(&size(j))).unwrap_or(0);
        let at = unresisted.unwrap_or(reduction.kept[largest]);
        let place = reduction.kept.iter().position(|i| *i == at).unwrap_or(largest);
        LinearError::NoEquilibrium(NoEquilibrium {
            at: self.names.name(at).to_owned(),
            force: here.left[place],
            residual: here.residual,
            iterations,
            unresisted: unresisted.is_some(),
        })
    }
}
