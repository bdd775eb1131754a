//! The Jacobian of the equations of closures, and how far and fast they are violated.

use super::{response, rows, side};
use crate::check;
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::kinematics::carry_inward;
use crate::model::closing::ClosureData;
use crate::model::topology::Side;
use crate::model::{ClosureHandle, ClosureKind, Constraint, Model};
use crate::state::State;
use crate::sweep::newton_euler::add_nodal_force;
use crate::workspace::Workspace;
use supple_spatial::Scalar;

impl<T> Model<T> {
    /// Number of equations of all closures.
    pub fn equation_count(&self) -> usize {
        self.topology.closure_groups.last().map_or(0, |group| group.rows.end)
    }

    /// The equation by which a closure moves as prescribed, a place in [`Inputs::closure_motions`]: that of coordinate `coordinate` of its
    /// [kind](crate::ClosureKind::coordinates) where it is driven, or, with 0, of a distance or coupling. Nothing where it holds still.
    pub fn driven_equation(&self, closure: ClosureHandle, coordinate: usize) -> Option<usize> {
        let described = self.closures().get(closure.closure()).filter(|_| closure.stamp() == self.stamp())?;
        let first = closure.rows().start;
        match &described.constraint {
            Constraint::Coupling { .. } | Constraint::Joint { kind: ClosureKind::Distance { .. }, .. } => {
                (coordinate == 0).then_some(first)
            }
            Constraint::Joint { kind, .. } if described.driven => {
                kind.driven_equation(*kind.coordinates().get(coordinate)?).map(|equation| first + equation)
            }
            Constraint::Joint { .. } => None,
        }
    }
}

/// Writes the Jacobian of the closures, one row per equation and one column per speed: closure after closure in the order of the
/// description. Closures that are not active are in it too.
///
/// No allocation.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn closure_jacobian<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    workspace: &mut Workspace<T>,
    out: &mut [T],
) -> Result<(), DynamicsError> {
    let n = model.speed_count();
    check::size("Jacobian", out.len(), model.equation_count() * n)?;
    crate::energy::move_without_mass(model, state, workspace)?;
    let Workspace { configuration, velocity, closing, .. } = workspace;
    side::sides(model, state, configuration, velocity, closing);
    rows::rows(model, state, configuration, closing);
    write(model, workspace, out);
    check::result("Jacobian", out, None)
}

/// The Jacobian, after the equations.
pub(super) fn write<T: Scalar>(model: &Model<T>, workspace: &Workspace<T>, out: &mut [T]) {
    let n = model.speed_count();
    out.fill(T::ZERO);
    let equations = model.topology.closures.iter().zip(model.closing.iter());
    let equations = equations.flat_map(|(top, data)| top.rows.clone().map(move |row| (top, data, row)));
    for ((top, data, row), out) in equations.zip(out.chunks_exact_mut(n.max(1))) {
        if let ClosureData::Coupling(factors, _) = data {
            factors.iter().zip(&top.hinges).for_each(|(factor, (_, speed))| out[*speed] += *factor);
        }
        for (s, side) in top.sides.iter().enumerate() {
            let Some(Side { body: k, carrier: c, .. }) = *side else { continue };
            let (f, at) = (workspace.closing.load[row][s], &workspace.configuration);
            let (body, place) = (&model.topology.bodies[k], &at.carrier[c]);
            let node = &model.bodies[k].nodes[model.topology.carriers[c].node];
            add_nodal_force(node, place, at.slaves(body), f, &mut out[body.eta_dot()]);
            carry_inward(model, k, f.shift(place.position), workspace, out);
        }
    }
}

/// Writes how far each equation of the closures is from where `inputs` prescribe it, m or rad, and how fast it departs, in the order of [`closure_jacobian`].
///
/// No allocation.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn closure_deviations(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    workspace: &mut Workspace,
    positions: &mut [f64],
    speeds: &mut [f64],
) -> Result<(), DynamicsError> {
    check::size("positions", positions.len(), model.equation_count())?;
    check::size("speeds", speeds.len(), model.equation_count())?;
    response::look(model, state, inputs, workspace)?;
    let rows = model.topology.closures.iter().flat_map(|top| top.rows.clone());
    for (row, (position, speed)) in rows.zip(positions.iter_mut().zip(speeds)) {
        (*position, *speed) = (workspace.closing.deviation[row], workspace.closing.speed[row]);
    }
    Ok(())
}
