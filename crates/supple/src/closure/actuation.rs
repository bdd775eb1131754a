//! Inverse dynamics of closed chains: forces of actuators that give the accelerations wanted.
//!
//! With `r = 𝓜 u̇ + 𝓒` of the tree and the Jacobian `Φ` of the closures, forces `τ` of the actuators and `λ` of the closures obey
//! `τ + Φ* λ = r`. Speeds without an actuator have given forces; they determine as much of `λ` as they can. What is left of it makes the
//! forces of the actuators the least.

use super::jacobian::closure_jacobian;
use super::least_squares::Columns;
use crate::check;
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::inverse_dynamics::inverse_dynamics;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;

/// Memory of [`actuator_forces`].
#[derive(Clone, Debug)]
pub struct ActuationWorkspace {
    stamp: u64,
    jacobian: Vec<f64>,
    /// Makes rows of the Jacobian of unit length.
    scales: Vec<f64>,
    needed: Vec<f64>,
    forces: Vec<f64>,
    closure_forces: Vec<f64>,
    /// Of the speeds without and with actuators: equations of the closures, and what is on their right.
    passive: Columns,
    active: Columns,
    right: [Vec<f64>; 2],
    /// Solutions: what the passive speeds determine, and a column of how that depends on the rest.
    fixed: Vec<f64>,
    depends: Vec<f64>,
    scratch: Vec<f64>,
}

impl ActuationWorkspace {
    /// Memory for `model`.
    pub fn new(model: &Model) -> Self {
        let (n, m) = (model.speed_count(), model.equation_count());
        let zeros = |size: usize| vec![0.0; size];
        Self {
            stamp: model.topology.stamp,
            jacobian: zeros(n * m),
            scales: zeros(m),
            needed: zeros(n),
            forces: zeros(n),
            closure_forces: zeros(m),
            passive: Columns::new(n, m),
            active: Columns::new(n, m),
            right: [zeros(n), zeros(n)],
            fixed: zeros(m.max(n)),
            depends: zeros(m.max(n)),
            scratch: Vec::with_capacity(n * m),
        }
    }
}

/// What [`actuator_forces`] found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Actuation<'w> {
    /// Generalized forces, in the order of the speeds: of actuators as needed, of others as given.
    pub forces: &'w [f64],
    /// Forces of the equations of the closures, in the order of [`closure_jacobian`](crate::closure_jacobian).
    pub closure_forces: &'w [f64],
    /// Largest force that is missing on a speed without an actuator: zero, up to rounding, where the accelerations can be had.
    pub missing: f64,
}

/// Forces of the speeds marked in `actuated` that give a closed chain the accelerations of `inputs`; others have the forces of `inputs`.
///
/// As many actuators as degrees of freedom have one solution. With more, the forces are those with the least sum of squares; choose fewer in
/// `actuated` to choose among them. Modes count as speeds without actuators: accelerations that no motor can give them leave a force
/// [missing](Actuation::missing). Accelerations must obey the closures, see [`hybrid_dynamics`](crate::hybrid_dynamics). No allocation.
///
/// # Errors
/// Sizes that do not fit, another model, or numbers that are not finite.
pub fn actuator_forces<'w>(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    actuated: &[bool],
    workspace: &mut Workspace,
    memory: &'w mut ActuationWorkspace,
) -> Result<Actuation<'w>, DynamicsError> {
    if memory.stamp != model.topology.stamp {
        return Err(DynamicsError::WrongModel);
    }
    let n = model.speed_count();
    check::size("actuated", actuated.len(), n)?;
    check::finite("forces", &inputs.forces)?;
    memory.needed.copy_from_slice(inverse_dynamics(model, state, inputs, workspace)?.forces());
    closure_jacobian(model, state, workspace, &mut memory.jacobian)?;
    memory.solve(model, state, inputs, actuated);
    let ActuationWorkspace { forces, closure_forces, .. } = &*memory;
    check::result("forces", forces, Some(inputs))?;
    let missing = (0..n).filter(|i| !actuated[*i]).map(|i| memory.rest(i) - inputs.forces[i]);
    Ok(Actuation { missing: missing.fold(0.0, |m, x| m.max(x.abs())), forces, closure_forces })
}

impl ActuationWorkspace {
    fn solve(&mut self, model: &Model, state: &State, inputs: &Inputs, actuated: &[bool]) {
        let n = actuated.len();
        let equations = || {
            let closures = model.topology.closures.iter().zip(&state.closed);
            closures.flat_map(|(top, closed)| top.rows.clone().map(move |_| *closed)).enumerate()
        };
        let acting = || equations().filter(|(_, closed)| *closed).map(|(row, _)| row);
        let m = acting().count();
        let speeds = |wanted: bool| (0..n).filter(move |i| actuated[*i] == wanted);
        for (scale, row) in self.scales.iter_mut().zip(self.jacobian.chunks_exact(n.max(1))) {
            let size = row.iter().map(|x| x * x).sum::<f64>().sqrt();
            *scale = if size > 0.0 { size.recip() } else { 0.0 };
        }
        let [passive, active] = &mut self.right;
        for (columns, right, wanted) in [(&mut self.passive, passive, false), (&mut self.active, active, true)] {
            columns.resize(speeds(wanted).count(), m);
            for (j, row) in acting().enumerate() {
                let entries = speeds(wanted).map(|i| self.jacobian[row * n + i] * self.scales[row]);
                columns.column_mut(j).iter_mut().zip(entries).for_each(|(x, entry)| *x = entry);
            }
            let given = |i: usize| if wanted { 0.0 } else { inputs.forces[i] };
            right.iter_mut().zip(speeds(wanted)).for_each(|(x, i)| *x = self.needed[i] - given(i));
        }
        // Φ_N* λ = r_N - T_N: λ = [y₁; y₂] with y₁ = R⁻¹ (c - R₁₂ y₂)
        self.passive.triangularize(&mut self.right[0]);
        let rank = self.passive.rank();
        self.fixed[..rank].copy_from_slice(&self.right[0][..rank]);
        self.passive.solve(&mut self.fixed);
        self.eliminate(rank, m);
        // What is left of λ makes the rest of r_S the least.
        self.active.triangularize(&mut self.right[1]);
        let free = self.active.rank();
        self.depends.fill(0.0);
        self.depends[..free].copy_from_slice(&self.right[1][..free]);
        self.active.solve(&mut self.depends);
        self.closure_forces.fill(0.0);
        let row_of = |column: usize| acting().nth(column).unwrap_or(0);
        for k in 0..free {
            self.closure_forces[row_of(self.passive.order[rank + self.active.order[k]])] = self.depends[k];
        }
        for i in 0..rank {
            let known: f64 =
                (0..free).map(|k| self.passive.column(rank + self.active.order[k])[i] * self.depends[k]).sum();
            self.fixed[i] = self.right[0][i] - known;
        }
        self.passive.solve(&mut self.fixed);
        for i in 0..rank {
            self.closure_forces[row_of(self.passive.order[i])] = self.fixed[i];
        }
        self.closure_forces.iter_mut().zip(&self.scales).for_each(|(force, scale)| *force *= scale);
        for i in 0..n {
            self.forces[i] = if actuated[i] { self.rest(i) } else { inputs.forces[i] };
        }
    }

    /// The actuated speeds after the passive ones have determined `y₁`: `Φ₂ - Φ₁ R⁻¹ R₁₂` into `active`, `r_S - Φ₁ R⁻¹ c` on its right.
    fn eliminate(&mut self, rank: usize, m: usize) {
        let Self { passive, active, right, fixed, depends, scratch, .. } = self;
        for i in 0..rank {
            let column = active.column(passive.order[i]);
            right[1].iter_mut().zip(column).for_each(|(x, a)| *x -= a * fixed[i]);
        }
        for j in rank..m {
            depends[..rank].copy_from_slice(&passive.column(j)[..rank]);
            passive.solve(depends);
            for i in 0..active.column(passive.order[j]).len() {
                let known: f64 = (0..rank).map(|k| active.column(passive.order[k])[i] * depends[k]).sum();
                active.column_mut(passive.order[j])[i] -= known;
            }
        }
        active.keep(&passive.order[rank..m], scratch);
    }

    /// What closures leave of the force that a speed needs.
    fn rest(&self, i: usize) -> f64 {
        let n = self.needed.len();
        let rows = self.jacobian.chunks_exact(n.max(1)).zip(&self.closure_forces);
        self.needed[i] - rows.map(|(row, force)| row[i] * force).sum::<f64>()
    }
}
