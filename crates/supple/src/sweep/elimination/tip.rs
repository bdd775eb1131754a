//! What arrives at the carriers of a body, seen from `F_k` with the modes frozen.

use super::Context;
use crate::workspace::Configuration;
use std::ops::Range;
use supple_spatial::block::linear::combination_add;
use supple_spatial::{ArticulatedInertia, Force, Motion, RigidInertia, Scalar};

/// `P_rr = M_rr + Σ φ(k,t) Γ φ*(k,t)`.
#[inline(always)]
pub(crate) fn frozen_inertia<T: Scalar>(
    own: RigidInertia<T>,
    carriers: Range<usize>,
    at: &Configuration<T>,
    gamma: &[ArticulatedInertia<T>],
) -> ArticulatedInertia<T> {
    let mut rest = carriers;
    let Some(first) = rest.next() else { return own.to_articulated() };
    let mut sum = gamma[first].shift(at.carrier[first].position);
    own.add_to(&mut sum);
    for c in rest {
        sum += gamma[c].shift(at.carrier[c].position);
    }
    sum
}

/// `b + Σ φ(k,t) z⁺`.
#[inline]
pub(crate) fn frozen_force<T: Scalar>(
    b: Force<T>,
    carriers: Range<usize>,
    at: &Configuration<T>,
    z_plus: &[Force<T>],
) -> Force<T> {
    let mut z = b;
    for c in carriers {
        z += z_plus[c].shift(at.carrier[c].position);
    }
    z
}

/// `α(t) = φ*(k,t) α' + ζ* η̈` of every carrier.
#[inline]
pub(crate) fn carrier_accelerations<T: Scalar>(
    context: Context<'_, T>,
    alpha: Motion<T>,
    eta_ddot: &[T],
    out: &mut [Motion<T>],
) {
    let Context { model, k, at, modal } = context;
    let body = &model.topology.bodies[k];
    for (out, c) in out.iter_mut().zip(body.carriers.clone()) {
        let zeta = &modal.influence[body.modes_of_carrier(c)];
        *out = combination_add(zeta, eta_ddot, alpha.shift(at.carrier[c].position));
    }
}
