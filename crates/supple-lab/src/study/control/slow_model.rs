//! The slow part of an arm: its hinges, and its slowest modes with the hinges locked.
//!
//! ```text
//! q = T r,  T = [hinges, locked modes]:   T* M T r̈ + T* C T ṙ + T* K T r = T* B u
//! ```
//!
//! Fast motions, in which stiff servos hold the light parts between two booms, are left out before anything is sampled.

use std::error::Error;

use supple::{Inputs, Model, Workspace, inverse_dynamics};
use supple_bodies::catalogue::shuttle_arm::LINKS;
use supple_linear::{Matrix, Selection, StateSpace, linearize, second_order, system_modes, zero_order_hold};

use super::arm::{places, posed};

/// The sampled model about a pose, with some locked modes, from torques at the hinges to outputs by name.
pub fn slow_model(
    model: &Model,
    pose: &[f64; LINKS],
    (modes, period): (usize, f64),
    outputs: Vec<String>,
) -> Result<StateSpace, Box<dyn Error>> {
    let (state, mut free) = (posed(model, pose), Inputs::new(model));
    // What the servos hold: without it the arm would not be at rest there.
    let mut workspace = Workspace::new(model);
    let held = inverse_dynamics(model, &state, &free, &mut workspace)?.forces().to_vec();
    free.forces.copy_from_slice(&held);
    let whole = second_order(model, &state, &free)?;
    let mut locked = Inputs::new(model);
    locked.prescribed.fill(true);
    let shapes = system_modes(model, &state, &locked)?.modes;
    let speeds = places(model).map(|place| place[1]);
    let (n, m) = (model.speed_count(), LINKS + modes.min(shapes.len()));
    let t = Matrix::from_fn(n, m, |i, j| match j.checked_sub(LINKS) {
        None => f64::from(u8::from(speeds[j] == i)),
        Some(k) => shapes[k].shape[i].re,
    });
    let [mass, damping, stiffness] = [&whole.mass, &whole.damping, &whole.stiffness].map(|full| both(&t, full));
    let inverse = inverse(&mass).ok_or("the mass of the slow part is not positive")?;
    let [by_speed, by_place] = [&damping, &stiffness].map(|part| product(&inverse, part));
    let selection = Selection { inputs: vec!["force.*".into()], outputs };
    let mut system = linearize(model, &state, &free, &selection)?;
    let c = Matrix::from_fn(system.c.rows(), 2 * m, |i, j| {
        let (first, column) = if j < m { (0, j) } else { (n, j - m) };
        (0..n).map(|k| system.c[(i, first + k)] * t[(k, column)]).sum()
    });
    system.a = Matrix::from_fn(2 * m, 2 * m, |i, j| match (i < m, j < m) {
        (true, _) => f64::from(u8::from(i + m == j)),
        (false, true) => -by_place[(i - m, j)],
        (false, false) => -by_speed[(i - m, j - m)],
    });
    system.b = Matrix::from_fn(2 * m, LINKS, |i, j| if i < m { 0.0 } else { inverse[(i - m, j)] });
    system.d = Matrix::zeros(c.rows(), LINKS);
    system.c = c;
    system.states =
        (1..=2 * m).map(|k| supple_linear::Signal { name: format!("slow.{k}"), unit: "1".into() }).collect();
    system.operating_point.x = vec![0.0; 2 * m];
    Ok(zero_order_hold(&system, period, 0.0)?)
}

/// `T* M T`.
fn both(t: &Matrix, m: &Matrix) -> Matrix {
    let mt = product(m, t);
    Matrix::from_fn(t.columns(), t.columns(), |i, j| (0..t.rows()).map(|k| t[(k, i)] * mt[(k, j)]).sum())
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    Matrix::from_fn(a.rows(), b.columns(), |i, j| (0..a.columns()).map(|k| a[(i, k)] * b[(k, j)]).sum())
}

/// The inverse of a small positive matrix, by Gauss and Jordan: no pivots are needed.
fn inverse(m: &Matrix) -> Option<Matrix> {
    let n = m.rows();
    let (mut a, mut x) = (m.clone(), Matrix::identity(n));
    for k in 0..n {
        let pivot = a[(k, k)];
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
        for j in 0..n {
            a[(k, j)] /= pivot;
            x[(k, j)] /= pivot;
        }
        for i in (0..n).filter(|i| *i != k) {
            let factor = a[(i, k)];
            for j in 0..n {
                a[(i, j)] -= factor * a[(k, j)];
                x[(i, j)] -= factor * x[(k, j)];
            }
        }
    }
    Some(x)
}
