//! Modal coordinates that relax: they move no mass but their own, and creep where others swing. [`LossFactor`](super::LossFactor) adds them.

use supple::{Body, ModalInertia, ModalMatrix, System};

use super::dense;

/// How many of the modal coordinates of a body relax: the last ones.
pub fn count(body: &Body) -> usize {
    let n = body.modes.count;
    // Without damping beside the others, and without tables of inertia, there is none.
    let (ModalMatrix::Full(_), Some(tables)) = (&body.modes.stiffness, &body.modal_inertia) else { return 0 };
    let [k, c] = [&body.modes.stiffness, &body.modes.damping].map(|matrix| dense(matrix, n));
    (0..n).rev().take_while(|z| relaxes(body, tables, *z, [&k, &c])).count()
}

fn relaxes(body: &Body, tables: &ModalInertia, z: usize, [k, c]: [&[Vec<f64>]; 2]) -> bool {
    let still = body.nodes.iter().all(|node| node.influence.get(z).is_none_or(|column| *column == [0.0; 6]));
    let bends = body.modes.second_order.iter().flat_map(|shape| &shape.quadratic);
    let unbent = bends.into_iter().all(|([r, s], _)| *r != z && *s != z);
    let alone =
        tables.coupling[z] == [0.0; 6] && (0..body.modes.count).all(|i| i == z || tables.modal_mass[z][i] == 0.0);
    // What is damped beyond its critical damping does not swing.
    let critical = 4.0 * k[z][z] * tables.modal_mass[z][z];
    still && unbent && alone && k[z][z] > 0.0 && c[z][z] * c[z][z] > critical
}

/// A system of which nothing relaxes: what does has come to rest, and its stiffness is that at rest. None where there is no such coordinate.
pub fn at_rest(system: &System) -> Option<System> {
    system.bodies.iter().any(|body| count(body) > 0).then(|| {
        let bodies = system.bodies.iter().map(|body| body_at_rest(body).unwrap_or_else(|| body.clone())).collect();
        System { bodies, ..system.clone() }
    })
}

/// The same for a body.
pub fn body_at_rest(body: &Body) -> Option<Body> {
    let (n, added) = (body.modes.count, count(body));
    if added == 0 {
        return None;
    }
    let kept = n - added;
    let mut stiffness = dense(&body.modes.stiffness, n);
    for z in (kept..n).rev() {
        let (pivot, row) = (stiffness[z][z], stiffness[z].clone());
        for i in 0..z {
            let part = row[i] / pivot;
            stiffness[i].iter_mut().zip(&row).for_each(|(entry, x)| *entry -= part * x);
        }
    }
    let first =
        |rows: Vec<Vec<f64>>| ModalMatrix::Full(rows.into_iter().take(kept).map(|row| row[..kept].to_vec()).collect());
    let mut out = body.clone();
    out.modes.damping = first(dense(&body.modes.damping, n));
    out.modes.stiffness = first(stiffness);
    out.modes.count = kept;
    for node in &mut out.nodes {
        if !node.influence.is_empty() {
            node.influence.drain(kept..n);
        }
        if !node.strain.is_empty() {
            node.strain.drain(kept..n);
        }
    }
    if let Some(tables) = &mut out.modal_inertia {
        tables.moment_change.drain(kept..n);
        tables.coupling.drain(kept..n);
        tables.inertia_first.drain(kept..n);
        tables.coupling_change.drain(kept..n);
        tables.coupling_change.iter_mut().for_each(|row| drop(row.drain(kept..n)));
        tables.inertia_second.drain(kept..n);
        tables.inertia_second.iter_mut().for_each(|row| drop(row.drain(kept..n)));
        tables.modal_mass.drain(kept..n);
        tables.modal_mass.iter_mut().for_each(|row| drop(row.drain(kept..n)));
    }
    Some(out)
}

/// Brings the coordinates of a body that relax to rest where the others are: modal coordinates, those that relax last.
pub fn relax(body: &Body, eta: &mut [f64]) {
    let (n, added) = (body.modes.count, count(body));
    if added == 0 {
        return;
    }
    let stiffness = dense(&body.modes.stiffness, n);
    for z in n - added..n {
        // Springs to the modes alone: a coordinate that relaxes knows no other.
        let pull: f64 = (0..n - added).map(|i| stiffness[z][i] * eta[i]).sum();
        eta[z] = -pull / stiffness[z][z];
    }
}
