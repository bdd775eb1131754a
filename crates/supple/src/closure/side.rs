//! Where the frames of closures are and how they move: as frames of fixed hinges on their nodes.
//!
//! | symbol | meaning                                                                   |
//! |--------|---------------------------------------------------------------------------|
//! | `R`    | axes of the frame to those of its body, `R_e A`                           |
//! | `rho`  | from the carrier to its origin, in body axes                              |
//! | `W_k`  | axes of the body to inertial axes                                         |
//! | `W`    | axes of the frame to inertial axes                                        |

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::hold::Hold;
use crate::model::Model;
use crate::model::closing::{ClosureData, SideData};
use crate::model::description::ElasticRotation;
use crate::model::topology::Side;
use crate::state::State;
use crate::sweep::crossing::carried;
use crate::sweep::motion::link::link_node;
use crate::workspace::{Closing, Configuration, SidePlace, Velocity};
use supple_spatial::block::linear::combination;
use supple_spatial::{Matrix3, Motion, Scalar, Vector3};

/// Fills the frames of all closures, after poses and velocities.
pub(crate) fn sides<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    at: &Configuration<T>,
    velocity: &Velocity<T>,
    out: &mut Closing<T>,
) {
    let oblique = !model.topology.elastic_rotation.is_orthogonal();
    if oblique && !model.closing.is_empty() {
        attitude_rates(model, state, at, velocity, &mut out.attitude_rate);
    }
    for (i, data) in model.closing.iter().enumerate() {
        let ClosureData::Joint(_, sides) = data else { continue };
        for (s, side) in sides.iter().enumerate() {
            let moved = state.held[i].filter(|_| s == 1).map(|hold| side.held(&hold));
            let side = moved.as_ref().unwrap_or(side);
            out.sides[i][s] = match model.topology.closures[i].sides[s] {
                None => SidePlace { attitude: side.rotation, position: side.position, ..SidePlace::GROUND },
                Some(on) => place(model, on, side, at, velocity, oblique.then_some(&out.attitude_rate[..])),
            };
        }
    }
}

impl<T: Scalar> SideData<T> {
    /// The frame in which a closure holds it.
    fn held(&self, hold: &Hold<T>) -> Self {
        let (position, rotation) = (self.rotation.mul_add(hold.position, self.position), hold.rotation.to_matrix());
        Self { position, rotation: self.rotation * rotation }
    }
}

fn place<T: Scalar>(
    model: &Model<T>,
    Side { body: k, carrier: c, .. }: Side,
    side: &SideData<T>,
    at: &Configuration<T>,
    velocity: &Velocity<T>,
    rates: Option<&[Matrix3<T>]>,
) -> SidePlace<T> {
    let (carrier, W_k, V_k) = (&at.carrier[c], &at.world_rotation[k], velocity.body[k]);
    let (R, rho) = (carrier.attitude * side.rotation, carrier.attitude * side.position);
    let V = (V_k.shift(carrier.position) + velocity.carrier[c].motion).shift(rho);
    let node = model.topology.carriers[c].node;
    let t = link_node(model, k, node, carrier, &velocity.carrier[c]);
    let W = *W_k * R;
    let world = V.rotate(W_k);
    let (mut drift, attitude_rate) = match rates {
        None => (carried(V_k, &t, rho).rotate(W_k), Matrix3::skew(world.angular) * W),
        Some(rates) => {
            // (W_k x)˙ = W_k ẋ + Ẇ_k x, with v̇_k = - ω_k × v_k when α_k = 0                     [S3]
            let R_e_dot = elastic_rate(model, k, node, t.rate);
            let l_dot =
                if model.topology.elastic_rotation == ElasticRotation::None { Vector3::ZERO } else { t.rate.linear };
            let (w_k, omega) = (V_k.angular, V_k.angular + t.rate.angular);
            let mut v_dot = w_k.cross(l_dot - V_k.linear) + t.change.cross(rho) + omega.cross(R_e_dot * side.position);
            if let Some(second) = t.second {
                v_dot += second;
            }
            let kept = Motion::new(rates[k] * V.angular, rates[k] * V.linear);
            (Motion::new(t.change, v_dot).rotate(W_k) + kept, rates[k] * R + *W_k * (R_e_dot * side.rotation))
        }
    };
    // Gravity is an acceleration of the ground: what W_k* makes of it is in that of the carrier.
    drift.linear += *W_k * W_k.transpose_mul(model.gravity);
    SidePlace {
        attitude: W,
        attitude_rate,
        position: W_k.mul_add(carrier.position + rho, at.world_position[k]),
        offset: rho,
        velocity: world,
        drift,
    }
}

/// `Ṙ_e` of a node where it is not that of its angular velocity.
fn elastic_rate<T: Scalar>(model: &Model<T>, k: usize, node: usize, rate: Motion<T>) -> Matrix3<T> {
    let turns = model.bodies[k].nodes[node].turns;
    match model.topology.elastic_rotation {
        ElasticRotation::FirstOrder if turns => Matrix3::skew(rate.angular),
        _ => Matrix3::ZERO,
    }
}

/// Rates of the attitudes of all bodies, where they are not those of their angular velocities: with `C = R_e(t) A R_J R_e(d)*`,
/// `Ẇ_k = Ẇ_p C + W_p Ċ`.
fn attitude_rates<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    at: &Configuration<T>,
    velocity: &Velocity<T>,
    out: &mut [Matrix3<T>],
) {
    let top = &*model.topology;
    for (k, body) in top.bodies.iter().enumerate() {
        let data = &model.bodies[k];
        let (theta, beta) = (&state.coordinates[body.theta()], &state.speeds[body.beta()]);
        let place = data.hinge.motion.place(theta);
        let mut columns = [Motion::ZERO; 6];
        let columns = &mut columns[..beta.len()];
        data.hinge.motion.map(theta, &place, columns);
        let spin: Vector3<T> = combination(columns, beta).angular;
        let mounted = data.hinge.rotation * place.rotation;
        let (W_p, W_p_dot, R_t, R_t_dot) = match body.parent {
            None => (Matrix3::IDENTITY, Matrix3::ZERO, Matrix3::IDENTITY, Matrix3::ZERO),
            Some(p) => {
                let c = body.carrier;
                let rate = elastic_rate(model, p, top.carriers[c].node, velocity.carrier[c].motion);
                (at.world_rotation[p], out[p], at.carrier[c].attitude, rate)
            }
        };
        let R_d = at.inboard[k].attitude;
        let R_d_dot = elastic_rate(model, k, body.inboard_node, velocity.inboard[k].motion);
        let across = R_t * mounted;
        let C_dot = (R_t_dot * mounted + across * Matrix3::skew(spin)) * R_d.transpose() + across * R_d_dot.transpose();
        out[k] = W_p_dot * at.rotation[k] + W_p * C_dot;
    }
}
