//! Static shapes: constraint modes of an interface and attachment modes of loads.

use super::eigen::{definite_factor, project_out};
use super::structure::mass_orthonormal;
use super::{ReductionError, Structure, add_scaled, dot};

/// Every degree of freedom that is in none of the lists, in ascending order.
pub(super) fn complement(size: usize, lists: &[&[usize]]) -> Vec<usize> {
    let mut taken = vec![false; size];
    lists.iter().flat_map(|list| list.iter()).for_each(|&dof| taken[dof] = true);
    (0..size).filter(|&dof| !taken[dof]).collect()
}

/// A vector of the kept degrees of freedom at its places in the whole.
pub(super) fn spread(size: usize, kept: &[usize], part: &[f64]) -> Vec<f64> {
    let mut whole = vec![0.0; size];
    kept.iter().zip(part).for_each(|(&dof, &x)| whole[dof] = x);
    whole
}

/// Shapes under a unit motion of each interface degree of freedom, the others held: `Ψ = -K_ii⁻¹ K_ib`.
pub(super) fn constraint_modes(
    structure: &Structure,
    held: &[usize],
    interface: &[usize],
) -> Result<Vec<Vec<f64>>, ReductionError> {
    let n = structure.size();
    let interior = complement(n, &[held, interface]);
    let factor = definite_factor(&structure.stiffness.restricted(&interior)).map_err(|e| named(e, &interior))?;
    let shape = |&dof: &usize| {
        let mut unit = vec![0.0; n];
        unit[dof] = 1.0;
        let force = structure.stiffness.mul(&unit);
        let load: Vec<f64> = interior.iter().map(|&i| -force[i]).collect();
        let mut whole = spread(n, &interior, &factor.solve(&load));
        whole[dof] = 1.0;
        whole
    };
    Ok(interface.iter().map(shape).collect())
}

/// Static deflections under loads, each a vector of all degrees of freedom. Where rigid motions are left, the load is balanced by
/// the inertia of a uniform acceleration (inertia relief).
pub(super) fn attachment_modes(
    structure: &Structure,
    held: &[usize],
    rigid: &[Vec<f64>],
    loads: &[Vec<f64>],
) -> Result<Vec<Vec<f64>>, ReductionError> {
    if loads.is_empty() {
        return Ok(Vec::new());
    }
    let n = structure.size();
    let rigid = mass_orthonormal(&structure.mass, rigid);
    // A balanced load needs no reaction: any support that stops the rigid motions will do.
    let anchors = anchors(&rigid);
    let free = complement(n, &[held, &anchors]);
    let factor = definite_factor(&structure.stiffness.restricted(&free)).map_err(|e| named(e, &free))?;
    let shape = |load: &Vec<f64>| {
        let mut balanced = load.clone();
        for r in &rigid {
            add_scaled(&mut balanced, -dot(r, load), &structure.mass.mul(r));
        }
        let part: Vec<f64> = free.iter().map(|&i| balanced[i]).collect();
        let mut whole = spread(n, &free, &factor.solve(&part));
        project_out(&mut whole, &structure.mass, &rigid);
        whole
    };
    Ok(loads.iter().map(shape).collect())
}

/// Degrees of freedom that stop all rigid motions, one each.
fn anchors(rigid: &[Vec<f64>]) -> Vec<usize> {
    let mut left = rigid.to_vec();
    let mut dofs = Vec::new();
    while let Some(motion) = left.pop() {
        let Some(dof) = (0..motion.len()).max_by(|&i, &j| motion[i].abs().total_cmp(&motion[j].abs())) else { break };
        for other in &mut left {
            let factor = -other[dof] / motion[dof];
            add_scaled(other, factor, &motion);
            other[dof] = 0.0;
        }
        dofs.push(dof);
    }
    dofs
}

/// An error in the kept degrees of freedom, in terms of those of the structure.
pub(super) fn named(error: ReductionError, kept: &[usize]) -> ReductionError {
    match error {
        ReductionError::Mechanism { dof } => ReductionError::Mechanism { dof: kept.get(dof).copied().unwrap_or(dof) },
        other => other,
    }
}
