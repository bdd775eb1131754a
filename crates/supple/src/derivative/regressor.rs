//! The inverse-dynamics regressor: forces as a linear function of inertial, stiffness and damping parameters.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::check;
use crate::error::DynamicsError;
use crate::generic;
use crate::inputs::Inputs;
use crate::kinematics::carry_inward;
use crate::model::elastic::ModalOperator;
use crate::model::{BodyIndex, Model};
use crate::solution::Solution;
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::{Motion, RigidInertia, Symmetric3, Vector3};

/// A parameter on which the forces of inverse dynamics depend linearly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parameter {
    /// Mass, kg.
    Mass,
    /// Component 0, 1 or 2 of the first moment `m c` about the frame of the body, kg m.
    Moment(usize),
    /// Inertia about the frame of the body, kg m²: `xx, yy, zz, xy, xz, yz`.
    Inertia(usize),
    /// Inertia of the drive at a speed of the hinge.
    Rotor(usize),
    /// Entry of the modal stiffness, and the one across the diagonal.
    Stiffness(usize, usize),
    /// Entry of the modal damping, and the one across the diagonal.
    Damping(usize, usize),
}

/// A column of the regressor.
#[derive(Clone, Debug, PartialEq)]
pub struct RegressorColumn {
    /// The body.
    pub body: BodyIndex,
    /// Which of its parameters.
    pub parameter: Parameter,
    /// Name of the body and of the parameter: `boom.mass`, `boom.inertia.xy`, `boom.stiffness.0.1`.
    pub name: String,
    /// The value that the model has.
    pub value: f64,
}

/// `∂T/∂π` of inverse dynamics, with the memory to find it: `T = Y π + T₀`, and `T₀` depends on none of the parameters.
///
/// The inertia of a body with modes is that of the undeformed body, in the terms that it shares with a rigid one; modal masses and what follows from
/// deformation are in `T₀`, and so are wrenches, force elements and elastic forces of higher order. All is in the described axes of a body.
#[derive(Clone, Debug)]
pub struct Regressor {
    stamp: u64,
    columns: Vec<RegressorColumn>,
    matrix: Vec<f64>,
    forces: Vec<f64>,
}

impl Regressor {
    /// Memory for `model`; nothing is allocated after this.
    pub fn new(model: &Model) -> Self {
        let columns: Vec<_> = model.body_indices().flat_map(|body| columns(model, body)).collect();
        let n = model.speed_count();
        Self { stamp: model.topology.stamp, matrix: vec![0.0; n * columns.len()], forces: vec![0.0; n], columns }
    }

    /// The parameters, one for each column.
    pub fn columns(&self) -> &[RegressorColumn] {
        &self.columns
    }

    /// `Y`, a row for each speed and a column for each parameter, by rows.
    pub fn matrix(&self) -> &[f64] {
        &self.matrix
    }
}

/// [`inverse_dynamics`](crate::inverse_dynamics), and its derivatives with respect to the parameters of the bodies. No allocation.
///
/// # Errors
/// As [`inverse_dynamics`](crate::inverse_dynamics); a regressor made for another model.
pub fn inverse_dynamics_regressor<'w>(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    workspace: &'w mut Workspace,
    regressor: &mut Regressor,
) -> Result<Solution<'w>, DynamicsError> {
    if regressor.stamp != model.topology.stamp {
        return Err(DynamicsError::OtherModel { what: "regressor" });
    }
    generic::inverse_dynamics(model, state, inputs, workspace)?;
    let Regressor { columns, matrix, forces, .. } = regressor;
    let width = columns.len();
    for (i, column) in columns.iter().enumerate() {
        forces.fill(0.0);
        write(model, state, &inputs.accelerations, column, workspace, forces);
        forces.iter().enumerate().for_each(|(row, force)| matrix[row * width + i] = *force);
    }
    check::result("regressor", matrix, None)?;
    Ok(Solution::new(model, &workspace.second_result, &workspace.result).with_wrenches(workspace))
}

/// Forces per unit of one parameter.
fn write(model: &Model, state: &State, udot: &[f64], column: &RegressorColumn, ws: &Workspace, out: &mut [f64]) {
    let k = column.body.0;
    let body = &model.topology.bodies[k];
    let (eta, first) = (&state.coordinates[body.eta()], body.speeds.start);
    let mut symmetric = |r: usize, s: usize, x: &[f64]| {
        out[first + r] = x[s];
        out[first + s] = x[r];
    };
    match column.parameter {
        Parameter::Rotor(i) => out[body.beta().start + i] = udot[body.beta().start + i],
        Parameter::Stiffness(r, s) => symmetric(r, s, eta),
        Parameter::Damping(r, s) => symmetric(r, s, &state.speeds[body.eta_dot()]),
        inertial => {
            // M α + [ω × J ω; ω × (ω × c)] of a body that has this parameter alone.
            let axes = &model.bodies[k].axes;
            let to_user = |m: Motion<f64>| Motion::new(axes.vector_to_user(m.angular), axes.vector_to_user(m.linear));
            let (w, alpha) = (to_user(ws.velocity.body[k]).angular, to_user(ws.acceleration.body[k]));
            let I = unit_inertia(inertial);
            let f = I.mul(alpha) + crate::sweep::bias::gyroscopic(&I, w);
            carry_inward(model, k, axes.force_from_user(f), ws, out);
        }
    }
}

/// A body with one inertial parameter.
fn unit_inertia(parameter: Parameter) -> RigidInertia<f64> {
    let mut out = RigidInertia { mass: 0.0, moment: Vector3::ZERO, inertia: Symmetric3::ZERO };
    match parameter {
        Parameter::Mass => out.mass = 1.0,
        Parameter::Moment(i) => out.moment[i] = 1.0,
        Parameter::Inertia(i) => out.inertia.0[i] = 1.0,
        Parameter::Rotor(_) | Parameter::Stiffness(..) | Parameter::Damping(..) => {}
    }
    out
}

/// The columns of a body.
fn columns(model: &Model, body: BodyIndex) -> Vec<RegressorColumn> {
    let data = &model.bodies[body.0];
    // Q* J Q of the described axes
    let own = match data.axes.turned {
        true => data.inertia.rotate(&data.axes.rotation.transpose()),
        false => data.inertia,
    };
    let mut out = Vec::new();
    let mut push = |parameter: Parameter, name: String, value: f64| {
        out.push(RegressorColumn { body, parameter, name: format!("{}.{name}", model.name(body)), value });
    };
    push(Parameter::Mass, "mass".into(), own.mass);
    for (i, axis) in ["x", "y", "z"].into_iter().enumerate() {
        push(Parameter::Moment(i), format!("moment.{axis}"), own.moment[i]);
    }
    for (i, axes) in ["xx", "yy", "zz", "xy", "xz", "yz"].into_iter().enumerate() {
        push(Parameter::Inertia(i), format!("inertia.{axes}"), own.inertia.0[i]);
    }
    for (i, rotor) in data.rotor.iter().enumerate() {
        push(Parameter::Rotor(i), format!("rotor.{i}"), *rotor);
    }
    if let Some(flexible) = &data.flexible {
        let modes = model.modes(body);
        for (r, s) in entries(&flexible.elastic.stiffness, modes) {
            push(Parameter::Stiffness(r, s), format!("stiffness.{r}.{s}"), flexible.elastic.stiffness.entry(r, s));
        }
        for (r, s) in entries(&flexible.elastic.damping, modes) {
            push(Parameter::Damping(r, s), format!("damping.{r}.{s}"), flexible.elastic.damping.entry(r, s));
        }
    }
    out
}

/// Entries on and below the diagonal of a modal matrix; the diagonal alone where it has no others.
fn entries(matrix: &ModalOperator<f64>, modes: usize) -> impl Iterator<Item = (usize, usize)> {
    let full = matches!(matrix, ModalOperator::Packed(_));
    (0..modes).flat_map(move |r| (if full { 0 } else { r }..=r).map(move |s| (r, s)))
}
