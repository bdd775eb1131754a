//! Closed chains with the dense mass matrix: `A 𝓜⁻¹ A*` from the Jacobian of the closures. A check on the recursions.

use super::{jacobian, rows, side, solve};
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use crate::sweep;
use crate::workspace::{DenseWorkspace, Workspace};
use supple_spatial::block::cholesky::{self, row_start};
use supple_spatial::{Mask, Scalar};

/// Makes the accelerations in `result` obey the closures; `dense` holds the factor of the mass matrix, and `workspace` the accelerations of
/// bodies at zero accelerations of the speeds, which `second_result` holds.
pub(crate) fn close<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &mut Workspace<T>,
    dense: &mut DenseWorkspace<T>,
) {
    let n = model.speed_count();
    let Workspace { configuration, velocity, closing, .. } = workspace;
    sweep::pose::pose(model, configuration);
    side::sides(model, state, configuration, velocity, closing);
    rows::rows(model, state, configuration, closing);
    jacobian::write(model, workspace, &mut dense.jacobian);
    let DenseWorkspace { matrix: mass, jacobian, solved, .. } = dense;
    solved.copy_from_slice(jacobian);
    solved.chunks_exact_mut(n.max(1)).for_each(|row| cholesky::solve(mass, row));
    let dot = |x: &[T], y: &[T]| x.iter().zip(y).fold(T::ZERO, |s, (x, y)| x.mul_add(*y, s));
    // Rows of the Jacobian are in the order of the closures, equations in that of the groups.
    let order = || model.topology.closures.iter().flat_map(|top| top.rows.clone()).enumerate();
    let (jacobian, solved) = (|i: usize| &jacobian[i * n..(i + 1) * n], |i: usize| &solved[i * n..(i + 1) * n]);
    let Workspace { acceleration, closing, result, second_result: still, .. } = workspace;
    for group in &model.topology.closure_groups {
        let matrix = &mut closing.matrix[group.triangle.clone()];
        for (i, row) in order().filter(|(_, row)| group.rows.contains(row)) {
            for (j, other) in order().filter(|(_, other)| group.rows.contains(other) && *other <= row) {
                let at = row_start(row - group.rows.start) + other - group.rows.start;
                matrix[at] = dot(jacobian(i), solved(j));
            }
        }
    }
    let lightest =
        (0..n).map(|i| cholesky::pivot_inverse(mass, i)).fold(T::ZERO, |m, x| T::select(m.less_than(x), x, m));
    for (_, row) in order() {
        let [a, b] = closing.wrench[row];
        let size = [a, b].into_iter().flat_map(|f| f.to_array()).fold(T::ZERO, |s, x| x.mul_add(x, s));
        closing.reach[row] = size * lightest;
    }
    // The accelerations of the frames are those at zero accelerations of the speeds.
    solve::deviations(model, acceleration, still, closing);
    solve::add_motions(&inputs.closure_motions, closing);
    for (i, row) in order() {
        closing.force[row] -= dot(jacobian(i), result);
    }
    let chosen = &inputs.closure_rows;
    for (i, top) in model.topology.closures.iter().enumerate() {
        closing.rows[top.rows.clone()].fill(state.closed[i]);
    }
    closing.rows.iter_mut().zip(chosen).for_each(|(row, chosen)| *row &= chosen);
    let no_speeds = T::Mask::splat(false);
    closing.by_speeds.fill(no_speeds);
    for group in &model.topology.closure_groups {
        solve::factor_group(model, &state.closed, group, (chosen.is_empty(), no_speeds), closing);
    }
    solve::forces(model, closing);
    for (i, row) in order() {
        for (x, a) in result.iter_mut().zip(solved(i)) {
            *x = a.mul_add(closing.force[row], *x);
        }
    }
}
