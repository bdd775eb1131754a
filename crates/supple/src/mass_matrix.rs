//! The mass matrix, dense.

use crate::check;
use crate::error::DynamicsError;
use crate::model::{ElasticRotation, Model};
use crate::state::State;
use crate::sweep;
use crate::sweep::composite_inertia::CompositeScratch;
use crate::workspace::{DenseWorkspace, Workspace};
use supple_spatial::block::cholesky::row_start;
use supple_spatial::{Mask, Scalar};

/// Writes the mass matrix by composite bodies into `out`, `n × n` by rows.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn mass_matrix<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    workspace: &mut Workspace<T>,
    dense: &mut DenseWorkspace<T>,
    out: &mut [T],
) -> Result<(), DynamicsError> {
    let n = model.speed_count();
    check::size(QUANTITY, out.len(), n * n)?;
    if model.topology.elastic_rotation == ElasticRotation::FirstOrder {
        packed_mass_matrix(model, state, workspace, dense)?;
        for i in 0..n {
            for j in 0..=i {
                let value = dense.matrix[row_start(i) + j];
                out[i * n + j] = value;
                out[j * n + i] = value;
            }
        }
        check::result(QUANTITY, out, None)
    } else {
        check(model, state, workspace, dense)?;
        workspace.poison(model);
        let Workspace { configuration, modal, .. } = workspace;
        sweep::configuration::moving_nodes(model, state, configuration);
        sweep::modal_mass::modal_mass(model, state, configuration, modal);
        sweep::modal_mass::hinge_mass(model, state, configuration, None, modal);
        if !model.topology.serial {
            out.fill(T::ZERO);
        }
        let finite = sweep::composite_force::mass_matrix(model, state, configuration, modal, &mut dense.forces, out);
        if finite.all() { Ok(()) } else { Err(DynamicsError::Overflow { quantity: QUANTITY }) }
    }
}

const QUANTITY: &str = "mass matrix";

pub(crate) fn check<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    workspace: &Workspace<T>,
    dense: &DenseWorkspace<T>,
) -> Result<(), DynamicsError> {
    check::state(model, state, workspace.stamp)?;
    if dense.stamp != model.topology.stamp { Err(DynamicsError::WrongModel) } else { Ok(()) }
}

/// Places the bodies and fills `dense.matrix`, packed.
pub(crate) fn packed_mass_matrix<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    workspace: &mut Workspace<T>,
    dense: &mut DenseWorkspace<T>,
) -> Result<(), DynamicsError> {
    check(model, state, workspace, dense)?;
    workspace.poison(model);
    workspace.place_and_weigh(model, state);
    composite(model, state, workspace, dense);
    Ok(())
}

/// The composite-body sweep into `dense.matrix`, after `configuration` and `modal_mass`.
pub(crate) fn composite<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    ws: &mut Workspace<T>,
    dense: &mut DenseWorkspace<T>,
) {
    sweep::modal_mass::hinge_mass(model, state, &ws.configuration, None, &mut ws.modal);
    let DenseWorkspace { composite, columns, triangle, matrix, .. } = dense;
    matrix.fill(T::ZERO);
    let mut scratch = CompositeScratch { composite, columns, triangle };
    sweep::composite_inertia::mass_matrix(model, &ws.configuration, &ws.modal, &mut scratch, |i, j, value| {
        let (row, column) = if i < j { (j, i) } else { (i, j) };
        matrix[row_start(row) + column] = value;
    });
}
