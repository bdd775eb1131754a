//! `Λ = J 𝓜⁻¹ J*`: how nodes accelerate per unit wrench on nodes, everything free to move.

use crate::check;
use crate::error::DynamicsError;
use crate::method::Method;
use crate::model::{BodyIndex, Model, NodeIndex};
use crate::state::State;
use crate::sweep;
use crate::workspace::Workspace;
use supple_spatial::{Force, Mask, Matrix6, Motion, Scalar};

/// Writes `Λ` at `nodes`, `6 m × 6 m` by rows for `m` nodes, in inertial axes [SOA .43].
///
/// One O(bodies) solve for each of the `6 m` unit wrenches; no allocation.
///
/// # Errors
/// Sizes that do not fit, a node that does not exist, numbers that are not finite, or a singular configuration.
pub fn operational_compliance<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    nodes: &[(BodyIndex, NodeIndex)],
    workspace: &mut Workspace<T>,
    out: &mut [T],
) -> Result<(), DynamicsError> {
    let n = 6 * nodes.len();
    check::size("compliance", out.len(), n * n)?;
    factor(model, state, nodes, Method::Auto, workspace)?;
    workspace.second_result.fill(T::ZERO);
    for j in 0..n {
        let mut unit = [T::ZERO; 6];
        unit[j % 6] = T::ONE;
        apply_wrench(model, state, nodes[j / 6], Force::from_array(unit), workspace);
        let Workspace { configuration, modal, bias, articulated, residual, second_result: zero, .. } = workspace;
        sweep::articulation::solve::<T, true>(model, configuration, modal, articulated, bias, zero, zero, residual);
        workspace.accelerate::<false>(model);
        for (i, node) in nodes.iter().enumerate() {
            let alpha = node_acceleration(model, state, *node, workspace).to_array();
            for (r, value) in alpha.into_iter().enumerate() {
                out[(6 * i + r) * n + j] = value;
            }
        }
    }
    check::result("compliance", out, None)
}

/// Part of the largest compliance below which a direction has none.
const IMMOVABLE: f64 = 1e-13;

/// Writes `Λ⁻¹` at `nodes`, `6 m × 6 m` by rows for `m` nodes, in inertial axes: the inertia that they show to wrenches on them.
///
/// No allocation.
///
/// # Errors
/// As [`operational_compliance`]; [`DynamicsError::Immovable`] where the nodes cannot be accelerated in every direction by themselves.
pub fn operational_inertia<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    nodes: &[(BodyIndex, NodeIndex)],
    workspace: &mut Workspace<T>,
    out: &mut [T],
) -> Result<(), DynamicsError> {
    operational_compliance(model, state, nodes, workspace, out)?;
    let n = 6 * nodes.len();
    let largest = (0..n).map(|k| out[k * n + k]).fold(T::ZERO, |m, x| T::select(m.less_than(x), x, m));
    for k in 0..n {
        // The compliance in this direction with those before it held.
        let pivot = out[k * n + k];
        if !(largest * T::from_f64(IMMOVABLE)).less_than(pivot).all() {
            let (body, node) = nodes[k / 6];
            return Err(DynamicsError::Immovable { body, node });
        }
        out[k * n + k] = T::ONE;
        let inverse = pivot.recip();
        out[k * n..(k + 1) * n].iter_mut().for_each(|x| *x *= inverse);
        for i in (0..n).filter(|i| *i != k) {
            let factor = std::mem::replace(&mut out[i * n + k], T::ZERO);
            for j in 0..n {
                out[i * n + j] = (-factor).mul_add(out[k * n + j], out[i * n + j]);
            }
        }
    }
    check::result("inertia", out, None)
}

/// The blocks `Λ(i, i)` of single nodes, in inertial axes, by one outward recursion for all [SOA .43].
///
/// # Errors
/// As [`operational_compliance`].
pub fn node_compliances<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    nodes: &[(BodyIndex, NodeIndex)],
    workspace: &mut Workspace<T>,
    out: &mut [Matrix6<T>],
) -> Result<(), DynamicsError> {
    check::size("compliances", out.len(), nodes.len())?;
    factor(model, state, nodes, Method::Explicit, workspace)?;
    let Workspace { configuration: at, modal, articulated, bodies_compliance, carriers_compliance, .. } = workspace;
    sweep::compliance::compliance(model, at, modal, articulated, bodies_compliance, carriers_compliance);
    for (out, (body, node)) in out.iter_mut().zip(nodes) {
        let (k, top) = (body.0, &model.topology.bodies[body.0]);
        let data = &model.bodies[k].nodes[node.0];
        let second = at.slaves(top);
        let l = data.deformed(second, &state.coordinates[top.eta()]);
        // ζ_j* = Π(j) - φ*(k,j) Π_F
        for r in 0..top.modes {
            let own = if data.influence.is_empty() { Motion::ZERO } else { data.column(r, second) };
            modal.rows[r] = own - modal.inboard[top.modal.start + r].shift(l);
        }
        let local = sweep::compliance::at_node(model, k, articulated, &mut modal.rows, l, &bodies_compliance[k]);
        *out = local.rotate(&at.world_rotation[k]).to_matrix();
    }
    let sum = out.iter().fold(T::ZERO, |s, m| m.0.iter().flatten().fold(s, |s, x| s + *x));
    check::result("compliance", &[sum], None)
}

fn factor<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    nodes: &[(BodyIndex, NodeIndex)],
    method: Method,
    ws: &mut Workspace<T>,
) -> Result<(), DynamicsError> {
    for (body, node) in nodes {
        check::node(model, *body, *node)?;
    }
    check::state(model, state, ws.stamp)?;
    ws.poison(model);
    ws.place_and_weigh(model, state);
    sweep::pose::pose(model, &mut ws.configuration);
    ws.articulated.choose(model, method, None);
    ws.factor(model, state)
}

/// The only load is `force`, in inertial axes, at `node`.
fn apply_wrench<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    node: (BodyIndex, NodeIndex),
    force: Force<T>,
    ws: &mut Workspace<T>,
) {
    ws.bias.force.fill(Force::ZERO);
    ws.bias.modal.fill(T::ZERO);
    let wrench = crate::Wrench { body: node.0, node: node.1, frame: crate::WrenchFrame::Inertial, force };
    sweep::loads::subtract_wrenches(model, state, &[wrench], &ws.configuration, &mut ws.bias);
}

/// Acceleration of a node, in inertial axes, for the accelerations in `result`.
fn node_acceleration<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    (body, node): (BodyIndex, NodeIndex),
    ws: &Workspace<T>,
) -> Motion<T> {
    let (k, top) = (body.0, &model.topology.bodies[body.0]);
    let data = &model.bodies[k].nodes[node.0];
    let second = ws.configuration.slaves(top);
    let carried = ws.acceleration.body[k].shift(data.deformed(second, &state.coordinates[top.eta()]));
    data.combine(second, &ws.result[top.eta_dot()], carried).rotate(&ws.configuration.world_rotation[k])
}
