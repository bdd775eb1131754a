//! Forward dynamics by conjugate gradients on products `𝓜 x`, which Jain and Rodriguez mention in section 4: iterations and operations, with the
//! articulated inverse of a model nearby as preconditioner, beside the recursion itself.

use std::error::Error;

use super::row::Value;
use super::svg::{Curve, Plot};
use super::{Case, Run};
use crate::cost::moving_state;
use supple::spatial::{Counted, Operations, Scalar};
use supple::{
    DynamicsError, ElasticRotation, Fidelity, MassOperator, Model, State, System, Workspace, generic, mass_operator,
};
use supple_bodies::catalogue::standard_chain::standard_chain;

/// The name of the case.
pub const NAME: &str = "ten-bodies";
const BODIES: usize = 10;
const MODES: usize = 4;
/// Relative size of the residual at which the iteration ends.
const RESIDUAL: f64 = 1e-10;
/// Most iterations.
const MOST: usize = 2000;
/// By how much every hinge of the preconditioner is turned, rad: what changes while factors are kept.
const TURNS: [f64; 6] = [0.0, 1e-4, 1e-3, 1e-2, 1e-1, 1.0];
/// By how much the masses of the preconditioner are wrong.
const MASSES: [f64; 3] = [0.01, 0.1, 0.5];

/// The one run.
pub fn runs() -> Vec<Run> {
    vec![Run { case: Case::ConjugateGradients, fidelity: Fidelity::Inconsistent, tip: ElasticRotation::Integrated }]
}

/// How the residual is made into a direction.
enum Preconditioner<'a, 'w> {
    None,
    /// `D` of the articulated bodies themselves.
    Diagonal,
    /// `𝓜⁻¹` of another model or state.
    Inverse(&'a mut MassOperator<'w>),
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Number of iterations that `𝓜 x = b` takes, and the relative size of what is left.
fn solve(
    mass: &mut MassOperator<'_>,
    by: &mut Preconditioner<'_, '_>,
    b: &[f64],
) -> Result<(usize, f64), DynamicsError> {
    let n = b.len();
    let (mut x, mut r, mut z, mut product) = (vec![0.0; n], b.to_vec(), vec![0.0; n], vec![0.0; n]);
    let mut direct = |mass: &mut MassOperator<'_>, r: &[f64], z: &mut [f64]| match by {
        Preconditioner::None => {
            z.copy_from_slice(r);
            Ok(())
        }
        Preconditioner::Diagonal => mass.solve_diagonal(r, z),
        Preconditioner::Inverse(other) => other.solve(r, z),
    };
    direct(mass, &r, &mut z)?;
    let mut p = z.clone();
    let mut rz = dot(&r, &z);
    let size = dot(b, b).sqrt();
    for iteration in 1..=MOST {
        mass.apply(&p, &mut product)?;
        let step = rz / dot(&p, &product);
        for i in 0..n {
            x[i] += step * p[i];
            r[i] -= step * product[i];
        }
        if dot(&r, &r).sqrt() <= RESIDUAL * size {
            mass.apply(&x, &mut product)?;
            let left = product.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
            return Ok((iteration, left / size));
        }
        direct(mass, &r, &mut z)?;
        let next = dot(&r, &z);
        p.iter_mut().zip(&z).for_each(|(p, z)| *p = z + next / rz * *p);
        rz = next;
    }
    Ok((MOST, dot(&r, &r).sqrt() / size))
}

/// The chain with masses multiplied by `1 + wrong`, alternately more and less.
fn chain(wrong: f64) -> System {
    let standard = standard_chain(BODIES, MODES);
    let mut system = System { elastic_rotation: ElasticRotation::Integrated, ..standard };
    for (k, body) in system.bodies.iter_mut().enumerate() {
        body.modes.fidelity = Fidelity::Inconsistent;
        let factor = if k % 2 == 0 { 1.0 + wrong } else { 1.0 / (1.0 + wrong) };
        for node in &mut body.nodes {
            node.mass *= factor;
            node.inertia.iter_mut().flatten().for_each(|x| *x *= factor);
        }
    }
    system
}

/// The chain bent and deformed, with every hinge turned by `turn` more.
fn bent(model: &Model, turn: f64) -> State {
    let mut state = State::new(model);
    for (k, body) in model.body_indices().enumerate() {
        for (r, q) in model.modal_coordinates(body).enumerate() {
            state.coordinates[q] = 1e-3 * (1.0 + 2.3 * k as f64 + 1.7 * r as f64).sin();
        }
        for q in model.hinge_coordinates(body) {
            state.coordinates[q] = 0.4 + 0.1 * k as f64 + turn * (1.0 + k as f64).cos();
        }
    }
    state.turn_nodes(model);
    state
}

/// Operations of a product, of a solution with factors that are there, and of factors with their first solution.
fn operations(model: &Model) -> Result<[f64; 3], Box<dyn Error>> {
    let counted = model.cast::<Counted>();
    let state = moving_state(&counted);
    let mut workspace = Workspace::new(&counted);
    let n = counted.speed_count();
    let x = vec![Counted::from_f64(1.0); n];
    let mut out = x.clone();
    let since = |before: Operations| {
        let Operations { multiplications, additions, .. } = Counted::operations() - before;
        (multiplications + additions) as f64
    };
    let before = Counted::operations();
    let mut mass = generic::mass_operator(&counted, &state, &mut workspace)?;
    let factors = since(before);
    let before = Counted::operations();
    mass.apply(&x, &mut out)?;
    let product = since(before);
    let before = Counted::operations();
    mass.solve(&x, &mut out)?;
    let solution = since(before);
    Ok([product, solution, factors + solution])
}

/// Iterations with each preconditioner.
struct Found {
    plain: (usize, f64),
    diagonal: (usize, f64),
    turned: Vec<(usize, f64)>,
    heavier: Vec<(usize, f64)>,
}

fn iterations() -> Result<Found, Box<dyn Error>> {
    let model = Model::build(&chain(0.0))?;
    let state = bent(&model, 0.0);
    let b: Vec<f64> = (0..model.speed_count()).map(|i| (1.0 + 0.9 * i as f64).sin()).collect();
    let (mut workspace, mut nearby) = (Workspace::new(&model), Workspace::new(&model));
    let mut mass = mass_operator(&model, &state, &mut workspace)?;
    let plain = solve(&mut mass, &mut Preconditioner::None, &b)?;
    let diagonal = solve(&mut mass, &mut Preconditioner::Diagonal, &b)?;
    let mut turned = Vec::new();
    for turn in TURNS {
        let mut other = mass_operator(&model, &bent(&model, turn), &mut nearby)?;
        turned.push(solve(&mut mass, &mut Preconditioner::Inverse(&mut other), &b)?);
    }
    let mut heavier = Vec::new();
    for wrong in MASSES {
        let model = Model::build(&chain(wrong))?;
        let (state, mut nearby) = (bent(&model, 0.0), Workspace::new(&model));
        let mut other = mass_operator(&model, &state, &mut nearby)?;
        heavier.push(solve(&mut mass, &mut Preconditioner::Inverse(&mut other), &b)?);
    }
    Ok(Found { plain, diagonal, turned, heavier })
}

/// Iterations, errors and operations.
pub fn values() -> Result<Vec<Value>, Box<dyn Error>> {
    let [product, solution, direct] = operations(&Model::build(&chain(0.0))?)?;
    let found = iterations()?;
    let mut out = Vec::new();
    let mut row = |name: String, ours: f64| out.push(Value::new(name, None, ours));
    row("recursion_operations".into(), direct);
    row("product_operations".into(), product);
    row("solution_operations".into(), solution);
    let mut tell = |name: String, (count, left): (usize, f64), each: f64| {
        row(format!("{name}_iterations"), count as f64);
        row(format!("{name}_left"), left);
        row(format!("{name}_over_recursion"), count as f64 * each / direct);
    };
    tell("plain".into(), found.plain, product);
    tell("diagonal".into(), found.diagonal, product);
    for (turn, result) in TURNS.iter().zip(&found.turned) {
        tell(format!("turned_by_{turn}"), *result, product + solution);
    }
    for (wrong, result) in MASSES.iter().zip(&found.heavier) {
        tell(format!("masses_wrong_by_{wrong}"), *result, product + solution);
    }
    Ok(out)
}

/// Operations over those of the recursion, by how far the hinges of the preconditioner are turned.
pub fn picture() -> Result<String, Box<dyn Error>> {
    let [product, solution, direct] = operations(&Model::build(&chain(0.0))?)?;
    let found = iterations()?;
    let level = |(count, _): (usize, f64)| vec![count as f64 * product / direct; TURNS.len()];
    let turned = found.turned.iter().map(|(count, _)| *count as f64 * (product + solution) / direct).collect();
    Ok(Plot {
        title: "Conjugate gradients on ten bodies: operations over those of the recursion".into(),
        across: "hinges of the preconditioner turned by, rad",
        up: "operations / recursion",
        unit: "turn",
        label: |i| TURNS.get(i).map_or(String::new(), f64::to_string),
        curves: vec![
            Curve { name: "articulated inverse nearby".into(), values: turned },
            Curve { name: "diagonal D".into(), values: level(found.diagonal) },
            Curve { name: "none".into(), values: level(found.plain) },
            Curve { name: "recursion".into(), values: vec![1.0; TURNS.len()] },
        ],
    }
    .to_string())
}
