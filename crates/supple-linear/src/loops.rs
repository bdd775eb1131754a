//! Loops of a plant with its controller: compensators, what is left open for margins, what is closed.

use faer::Mat;

use crate::parts::Parts;
use crate::{AnalysisError, KalmanFilter, Matrix, OperatingPoint, Regulator, Signal, StateSpace};

/// The loop of state feedback broken at the inputs, `K (s - A)⁻¹ B`: from what the plant gets to what the controller takes away.
pub fn state_feedback_loop(system: &StateSpace, regulator: &Regulator) -> Result<StateSpace, AnalysisError> {
    let (m, n) = (system.b.columns(), system.a.rows());
    if (regulator.gain.rows(), regulator.gain.columns()) != (m, n) {
        return Err(AnalysisError::Sizes);
    }
    let outputs = system.inputs.clone();
    let point = OperatingPoint { y: system.operating_point.u.clone(), ..system.operating_point.clone() };
    Ok(StateSpace {
        c: regulator.gain.clone(),
        d: Matrix::zeros(m, m),
        outputs,
        operating_point: point,
        ..system.clone()
    })
}

/// The compensator of a regulator and a filter: from measured outputs to inputs of the plant, `u = -K x̂`. In discrete time the estimate has the
/// output of its own instant, unless inputs reach the outputs at once.
///
/// # Errors
/// Gains that do not fit the plant.
pub fn lqg(system: &StateSpace, regulator: &Regulator, filter: &KalmanFilter) -> Result<StateSpace, AnalysisError> {
    let Parts { a, b, c, d } = Parts::of(system)?;
    let (k, l) = (regulator.gain.to_faer(), filter.gain.to_faer());
    let fits = (k.nrows(), k.ncols()) == (b.ncols(), a.nrows()) && (l.nrows(), l.ncols()) == (a.nrows(), c.nrows());
    if !fits {
        return Err(AnalysisError::Sizes);
    }
    let closed = &c - &d * &k;
    let is_direct = d.norm_max() > 0.0;
    let (ac, bc, cc, dc) = match system.dt {
        None => (&a - &b * &k - &l * &closed, l.clone(), k.clone(), Mat::zeros(k.nrows(), l.ncols())),
        // x̂ = x̄: the output that u itself changes comes too late.
        Some(_) if is_direct => {
            let late = &a * &l;
            (&a - &b * &k - &late * &closed, late, k.clone(), Mat::zeros(k.nrows(), l.ncols()))
        }
        // x̂ = x̄ + L (y - C x̄), x̄⁺ = (A - B K) x̂
        Some(_) => {
            let n = a.nrows();
            let update = Mat::<f64>::identity(n, n) - &l * &c;
            let next = &a - &b * &k;
            (&next * &update, &next * &l, &k * &update, &k * &l)
        }
    };
    let negative = |m: &Mat<f64>| Matrix::from_fn(m.nrows(), m.ncols(), |i, j| -m[(i, j)]);
    let point = &system.operating_point;
    Ok(StateSpace {
        a: Matrix::from_faer(ac.as_ref()),
        b: Matrix::from_faer(bc.as_ref()),
        c: negative(&cc),
        d: negative(&dc),
        dt: system.dt,
        states: system.states.iter().map(estimate).collect(),
        inputs: system.outputs.clone(),
        outputs: system.inputs.clone(),
        operating_point: OperatingPoint { x: point.x.clone(), u: point.y.clone(), y: point.u.clone() },
    })
}

fn estimate(state: &Signal) -> Signal {
    Signal { name: format!("estimate.{}", state.name), unit: state.unit.clone() }
}

/// A plant followed by a controller, broken at the inputs of the plant: from what the plant gets to what the controller takes away, the negative
/// of its output.
///
/// # Errors
/// Models that do not fit each other.
pub fn open_loop(plant: &StateSpace, controller: &StateSpace) -> Result<StateSpace, AnalysisError> {
    let (p, k) = (Parts::of(plant)?, Parts::of(controller)?);
    let (n, m, q) = (p.a.nrows(), p.b.ncols(), k.a.nrows());
    if k.b.ncols() != p.c.nrows() || k.c.nrows() != m || plant.dt != controller.dt {
        return Err(AnalysisError::Sizes);
    }
    let (carried, fed) = (&k.b * &p.c, &k.b * &p.d);
    let (direct, through) = (&k.d * &p.c, &k.d * &p.d);
    Ok(StateSpace {
        a: Matrix::from_fn(n + q, n + q, |i, j| match (i < n, j < n) {
            (true, true) => p.a[(i, j)],
            (false, true) => carried[(i - n, j)],
            (false, false) => k.a[(i - n, j - n)],
            _ => 0.0,
        }),
        b: Matrix::from_fn(n + q, m, |i, j| if i < n { p.b[(i, j)] } else { fed[(i - n, j)] }),
        c: Matrix::from_fn(m, n + q, |i, j| if j < n { -direct[(i, j)] } else { -k.c[(i, j - n)] }),
        d: Matrix::from_fn(m, m, |i, j| -through[(i, j)]),
        dt: plant.dt,
        states: plant.states.iter().chain(&controller.states).cloned().collect(),
        inputs: plant.inputs.clone(),
        outputs: plant.inputs.clone(),
        operating_point: OperatingPoint {
            x: plant.operating_point.x.iter().chain(&controller.operating_point.x).copied().collect(),
            u: plant.operating_point.u.clone(),
            y: plant.operating_point.u.clone(),
        },
    })
}

/// A loop closed at all inputs but those of `open`, which stay as they are, with negative feedback. All others are left out.
///
/// # Errors
/// A loop that has not as many outputs as inputs, or whose direct passage cannot be closed.
pub fn close_loops(system: &StateSpace, open: &[usize]) -> Result<StateSpace, AnalysisError> {
    use faer::linalg::solvers::Solve;
    let Parts { a, b, c, d } = Parts::of(system)?;
    let m = b.ncols();
    if c.nrows() != m || open.iter().any(|i| *i >= m) {
        return Err(AnalysisError::Sizes);
    }
    let shut: Vec<usize> = (0..m).filter(|i| !open.contains(i)).collect();
    let rows = |m: &Mat<f64>, list: &[usize]| Mat::from_fn(list.len(), m.ncols(), |i, j| m[(list[i], j)]);
    let columns = |m: &Mat<f64>, list: &[usize]| Mat::from_fn(m.nrows(), list.len(), |i, j| m[(i, list[j])]);
    let (bs, bo, cs, co) = (columns(&b, &shut), columns(&b, open), rows(&c, &shut), rows(&c, open));
    let [dss, dso] = [&shut, &open.to_vec()].map(|list| columns(&rows(&d, &shut), list));
    let [dos, doo] = [&shut, &open.to_vec()].map(|list| columns(&rows(&d, open), list));
    // u_s = -(1 + D_ss)⁻¹ (C_s x + D_so u_o)
    let inner = (Mat::<f64>::identity(shut.len(), shut.len()) + dss).partial_piv_lu();
    let (by_state, by_input) = (inner.solve(&cs), inner.solve(&dso));
    let pick = |all: &[Signal]| open.iter().map(|i| all[*i].clone()).collect();
    let values = |all: &[f64]| open.iter().map(|i| all.get(*i).copied().unwrap_or(0.0)).collect();
    let out = StateSpace {
        a: Matrix::from_faer((&a - &bs * &by_state).as_ref()),
        b: Matrix::from_faer((&bo - &bs * &by_input).as_ref()),
        c: Matrix::from_faer((&co - &dos * &by_state).as_ref()),
        d: Matrix::from_faer((&doo - &dos * &by_input).as_ref()),
        dt: system.dt,
        states: system.states.clone(),
        inputs: pick(&system.inputs),
        outputs: pick(&system.outputs),
        operating_point: OperatingPoint {
            x: system.operating_point.x.clone(),
            u: values(&system.operating_point.u),
            y: values(&system.operating_point.y),
        },
    };
    Parts::of(&out).map(|_| out)
}
