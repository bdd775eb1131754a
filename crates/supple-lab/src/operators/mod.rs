//! The spatial operators of Jain and Rodriguez as dense matrices: what the recursions of the engine are proved with.
//!
//! | paper                | here                                                                |
//! |----------------------|---------------------------------------------------------------------|
//! | `E_Φ`, `Φ`, `H`, `M_m`, `a_m`, `b_m + K_m ϑ` | [`SpatialOperators`], from nodes and poses  |
//! | `P`, `D`, `G`, `K`, `τ`, `E_ψ`, `ψ` | [`Articulated`], all freedoms of a body at once      |
//! | the same, modes and hinge apart     | [`SpatialOperators::split`], a chain of twice as many bodies |
//! | `a_mR` and its orders                | [`Crossing`]                                         |
//! | modal integrals                     | [`ModalIntegrals`], of the Newton-Euler convention   |
//!
//! Spatial vectors are in inertial axes, so that `φ` is a shift alone. Bodies are numbered parents first, so that `E_Φ` is strictly *upper*
//! triangular: the papers number from the tips.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

mod articulated;
mod coriolis;
mod dense;
mod integrals;
mod nodes;

pub use articulated::{Articulated, Unsplit};
pub use coriolis::Crossing;
pub use dense::Dense;
pub use integrals::ModalIntegrals;
pub use nodes::{Deformation, NodalBody};

use std::ops::Range;

use supple::spatial::{Motion, Vector3};
use supple::{
    Body, BodyIndex, DynamicsError, ElasticRotation, InertiaConvention, ModalMatrix, Model, NodeIndex, Parent, State,
    System, Workspace, kinematics, kinematics_with,
};

use crate::LabError;

/// Where the variables of a body stand.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its parent.
    pub parent: Option<usize>,
    /// Its rows of the spatial operators: modes, then the six of its frame.
    pub spatial: Range<usize>,
    /// Its speeds: modes, then hinge.
    pub speeds: Range<usize>,
    /// The modes among them.
    pub modes: usize,
}

/// The operators at one state.
#[derive(Clone, Debug)]
pub struct SpatialOperators {
    /// Where each body stands.
    pub places: Vec<Place>,
    /// `E_Φ`: block `Φ(p,k)` in the rows of the parent and the columns of the body [JR92 (18)].
    pub E_Phi: Dense,
    /// `H`, block diagonal.
    pub H: Dense,
    /// `M_m`, block diagonal.
    pub M: Dense,
    /// `a_m`.
    pub a: Vec<f64>,
    /// `b_m + K_m ϑ`, damping of modes included.
    pub b: Vec<f64>,
}

impl SpatialOperators {
    /// The operators of a system in a state, from the definition: nodes of the description, poses and hinge velocities of
    /// [`kinematics`](supple::kinematics()).
    ///
    /// # Errors
    /// A system with what the papers do not have: elastic rotations that are not integrated, Lagrange's inertia, gravity, inertia as tables, second-order
    /// shapes, nonlinear stiffness, rotors, force elements or closures; or a state without kinematics.
    pub fn new(system: &System, model: &Model, state: &State) -> Result<Self, LabError> {
        supported(system)?;
        operators(system, model, state).map_err(|error| LabError::failed("operators", error))
    }

    fn empty(places: Vec<Place>) -> Self {
        let last = places.last();
        let (rows, speeds) = last.map_or((0, 0), |place| (place.spatial.end, place.speeds.end));
        let square = || Dense::zeros(rows, rows);
        Self {
            E_Phi: square(),
            M: square(),
            H: Dense::zeros(speeds, rows),
            a: vec![0.0; rows],
            b: vec![0.0; rows],
            places,
        }
    }

    /// `Φ = (I - E_Φ)⁻¹`, by the sum of powers: `E_Φ` is nilpotent [JR92 (19)].
    pub fn Phi(&self) -> Dense {
        sum_of_powers(&self.E_Phi, self.places.len())
    }

    /// `𝓜 = H Φ M_m Φ* H*` [JR92 (43)].
    pub fn mass_matrix(&self) -> Dense {
        let HPhi = &self.H * &self.Phi();
        &(&HPhi * &self.M) * &HPhi.transpose()
    }

    /// `Φ y`, tips to base, without `Φ`: one product with each `Φ(p,k)` [JR92 (19)].
    pub fn inward(&self, y: &[f64]) -> Vec<f64> {
        let mut out = y.to_vec();
        for place in self.places.iter().rev() {
            let Some(parent) = place.parent.map(|p| &self.places[p]) else { continue };
            let block = self.E_Phi.block(parent.spatial.clone(), place.spatial.clone());
            let carried = block.times(&out[place.spatial.clone()]);
            out[parent.spatial.clone()].iter_mut().zip(carried).for_each(|(sum, x)| *sum += x);
        }
        out
    }

    /// `Φ* y`, base to tips.
    pub fn outward(&self, y: &[f64]) -> Vec<f64> {
        let mut out = y.to_vec();
        for place in &self.places {
            let Some(parent) = place.parent.map(|p| &self.places[p]) else { continue };
            let block = self.E_Phi.block(parent.spatial.clone(), place.spatial.clone()).transpose();
            let carried = block.times(&out[parent.spatial.clone()]);
            out[place.spatial.clone()].iter_mut().zip(carried).for_each(|(sum, x)| *sum += x);
        }
        out
    }

    /// `V_m = Φ* H* χ` [JR92 (20)].
    pub fn velocities(&self, speeds: &[f64]) -> Vec<f64> {
        self.outward(&self.H.transpose().times(speeds))
    }

    /// Composite inertias `R`, block diagonal [JR92 (47)].
    pub fn composite(&self) -> Dense {
        let mut R = self.M.clone();
        for place in self.places.iter().rev() {
            let Some(parent) = place.parent.map(|p| &self.places[p]) else { continue };
            let Phi = self.E_Phi.block(parent.spatial.clone(), place.spatial.clone());
            let own = R.block(place.spatial.clone(), place.spatial.clone());
            let arrived = &(&Phi * &own) * &Phi.transpose();
            let sum = &R.block(parent.spatial.clone(), parent.spatial.clone()) + &arrived;
            R.put(parent.spatial.start, parent.spatial.start, &sum);
        }
        R
    }

    /// Each body as two: one without mass that has the hinge, and on it, in the same place, one with the mass of the body that has the modes. Articulated
    /// quantities of this chain are those of the paper before they are simplified [JR92 (62)].
    ///
    /// The paper prints the two the other way round [JR92 (61)]; only this order gives its recursion, which eliminates modes before the hinge.
    pub fn split(&self) -> Self {
        let mut places = Vec::new();
        let (mut row, mut speed) = (0, 0);
        let mut place = |parent: Option<usize>, rows: usize, speeds: usize, modes: usize| {
            let place = Place { parent, spatial: row..row + rows, speeds: speed..speed + speeds, modes };
            (row, speed) = (row + rows, speed + speeds);
            place
        };
        for (k, own) in self.places.iter().enumerate() {
            let parent = own.parent.map(|p| 2 * p + 1);
            places.push(place(parent, own.spatial.len(), own.speeds.len() - own.modes, 0));
            places.push(place(Some(2 * k), own.spatial.len(), own.modes, own.modes));
        }
        let mut out = Self::empty(places);
        for (k, own) in self.places.iter().enumerate() {
            let [hinge, modes] = [out.places[2 * k].clone(), out.places[2 * k + 1].clone()];
            if let Some(parent) = own.parent {
                let Phi = self.E_Phi.block(self.places[parent].spatial.clone(), own.spatial.clone());
                out.E_Phi.put(out.places[2 * parent + 1].spatial.start, hinge.spatial.start, &Phi);
            }
            out.E_Phi.put(hinge.spatial.start, modes.spatial.start, &Dense::identity(own.spatial.len()));
            let [H_f, H_r] =
                [own.speeds.start..own.speeds.start + own.modes, own.speeds.start + own.modes..own.speeds.end]
                    .map(|speeds| self.H.block(speeds, own.spatial.clone()));
            out.H.put(modes.speeds.start, modes.spatial.start, &H_f);
            out.H.put(hinge.speeds.start, hinge.spatial.start, &H_r);
            out.M.put(
                modes.spatial.start,
                modes.spatial.start,
                &self.M.block(own.spatial.clone(), own.spatial.clone()),
            );
            out.a[hinge.spatial].copy_from_slice(&self.a[own.spatial.clone()]);
            out.b[modes.spatial].copy_from_slice(&self.b[own.spatial.clone()]);
        }
        out
    }

    /// Speeds of the [split](Self::split) chain in the order of this one.
    pub fn joined(&self, split: &[f64]) -> Vec<f64> {
        let bodies = self.places.iter().flat_map(|place| {
            let (hinge, modes) = split[place.speeds.clone()].split_at(place.speeds.len() - place.modes);
            [modes, hinge].concat()
        });
        bodies.collect()
    }

    /// Speeds of this chain in the order of the [split](Self::split) one.
    pub fn parted(&self, speeds: &[f64]) -> Vec<f64> {
        let bodies = self.places.iter().flat_map(|place| {
            let (modes, hinge) = speeds[place.speeds.clone()].split_at(place.modes);
            [hinge, modes].concat()
        });
        bodies.collect()
    }
}

/// `I + E + E² + …` of a nilpotent matrix.
pub(crate) fn sum_of_powers(E: &Dense, most: usize) -> Dense {
    let (mut power, mut sum) = (Dense::identity(E.rows()), Dense::identity(E.rows()));
    for _ in 1..most {
        power = &power * E;
        sum = &sum + &power;
    }
    sum
}

fn supported(system: &System) -> Result<(), LabError> {
    let beyond = |body: &Body| {
        !body.hinge.rotor_inertia.is_empty()
            || body.modal_inertia.is_some()
            || !body.modes.second_order.is_empty()
            || body.modes.nonlinear != Default::default()
    };
    let plain = system.elastic_rotation == ElasticRotation::Integrated
        && system.inertia == InertiaConvention::NewtonEuler
        && system.gravity == [0.0; 3]
        && system.forces.is_empty()
        && system.closures.is_empty()
        && system.actuators.is_empty()
        && !system.bodies.iter().any(beyond);
    let message = "only what the papers have: integrated elastic rotations, Newton-Euler inertia of nodes, linear stiffness; no gravity, rotors, force elements \
                   or closures";
    if plain { Ok(()) } else { Err(LabError::unsupported("operators", message)) }
}

/// The product of a modal matrix with modal coordinates.
fn modal_product(matrix: &ModalMatrix, x: &[f64]) -> Vec<f64> {
    match matrix {
        ModalMatrix::Zero => vec![0.0; x.len()],
        ModalMatrix::Diagonal(diagonal) => diagonal.iter().zip(x).map(|(d, x)| d * x).collect(),
        ModalMatrix::Full(rows) => rows.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect(),
    }
}

/// `φ*(x,y) V` of a velocity: its six numbers after a shift.
fn shifted(column: Motion<f64>, lever: Vector3<f64>) -> [f64; 6] {
    column.shift(lever).to_array()
}

fn operators(system: &System, model: &Model, state: &State) -> Result<SpatialOperators, DynamicsError> {
    let mut places: Vec<Place> = Vec::new();
    for (k, body) in model.body_indices().enumerate() {
        let start = places.last().map_or(0, |place| place.spatial.end);
        let modes = model.modes(body);
        let parent = model.parent(body).map(|parent| parent.0);
        let speeds = model.modal_speeds(body).start..model.hinge_speeds(body).end;
        debug_assert!(parent.is_none_or(|parent| parent < k), "parents come first");
        places.push(Place { parent, spatial: start..start + modes + 6, speeds, modes });
    }
    let mut out = SpatialOperators::empty(places);
    let mut workspace = Workspace::new(model);
    let still = vec![0.0; model.speed_count()];
    let at = kinematics_with(model, state, &still, &mut workspace)?;
    let mut alpha = vec![0.0; out.a.len()];
    for (k, body) in system.bodies.iter().enumerate() {
        let (own, index) = (out.places[k].clone(), BodyIndex(k));
        let attitude = at.body_attitude(index);
        let nodes = NodalBody::new(body).turned(&attitude);
        let deformation = Deformation {
            eta: state.coordinates[model.modal_coordinates(index)].to_vec(),
            eta_dot: state.speeds[model.modal_speeds(index)].to_vec(),
            omega: at.body_velocity(index).angular,
        };
        out.M.put(own.spatial.start, own.spatial.start, &nodes.modal_mass(&deformation.eta));
        let mut b = nodes.bias(&deformation);
        let [stiff, damped] = [(&body.modes.stiffness, &deformation.eta), (&body.modes.damping, &deformation.eta_dot)]
            .map(|(matrix, x)| modal_product(matrix, x));
        b.iter_mut().zip(stiff.iter().zip(&damped)).for_each(|(b, (k, c))| *b += k + c);
        out.b[own.spatial.clone()].copy_from_slice(&b);
        // H_f = [I, -(φ*(d,k) Π(d))*]                                                [JR92 (17)]
        let inboard = body.inboard_node;
        let back = at.body_position(index) - at.node_position(index, inboard);
        for r in 0..own.modes {
            let moved = shifted(nodes.nodes[inboard.0].Pi[r], back);
            out.H.put(own.speeds.start + r, own.spatial.start + r, &Dense::identity(1));
            out.H.put(own.speeds.start + r, own.spatial.start + own.modes, &Dense::from_fn(1, 6, |_, i| -moved[i]));
        }
        // Φ(p,k) = [0, Π(t)* φ(t,k); 0, φ(p,k)]                                      [JR92 (12)]
        if let Parent::Body(parent, NodeIndex(t)) = body.parent {
            let carrier = NodalBody::new(&system.bodies[parent.0]).turned(&at.body_attitude(parent));
            let ahead = at.body_position(index) - at.node_position(parent, NodeIndex(t));
            let whole = at.body_position(index) - at.body_position(parent);
            let unit = |i: usize| Motion::from_array(std::array::from_fn(|j| f64::from(i == j)));
            let rows: Vec<[f64; 6]> = (carrier.nodes[t].Pi.iter().map(|column| shifted(*column, ahead)))
                .chain((0..6).map(|i| shifted(unit(i), whole)))
                .collect();
            let block = Dense::from_fn(rows.len(), 6, |i, j| rows[i][j]);
            let place = out.places[parent.0].clone();
            out.E_Phi.put(place.spatial.start, own.spatial.start + own.modes, &block);
        }
        let node = at.node_acceleration(index, inboard).map_or(Motion::ZERO, |a| a);
        let frame = nodes.frame_acceleration(inboard.0, &deformation, node).to_array();
        alpha[own.spatial.start + own.modes..own.spatial.end].copy_from_slice(&frame);
    }
    // a_m = α_m - E_Φ* α_m where speeds do not change                                [JR92 (26)]
    let carried = out.E_Phi.transpose().times(&alpha);
    out.a = alpha.iter().zip(carried).map(|(alpha, carried)| alpha - carried).collect();
    hinge_maps(model, state, &mut workspace, &mut out)?;
    Ok(out)
}

/// `H_r`: the velocity of a body's frame per unit speed of its own hinge, all others at rest.
fn hinge_maps(
    model: &Model,
    state: &State,
    workspace: &mut Workspace,
    out: &mut SpatialOperators,
) -> Result<(), DynamicsError> {
    let mut moved = state.clone();
    for body in model.body_indices() {
        let place = out.places[body.0].clone();
        for speed in model.hinge_speeds(body) {
            moved.speeds.fill(0.0);
            moved.speeds[speed] = 1.0;
            let velocity = kinematics(model, &moved, workspace)?.body_velocity(body).to_array();
            out.H.put(speed, place.spatial.start + place.modes, &Dense::from_fn(1, 6, |_, i| velocity[i]));
        }
    }
    Ok(())
}
