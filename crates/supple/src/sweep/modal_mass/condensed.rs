//! What modal condensation needs of the modal mass.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::model::Model;
use crate::model::body::Flexible;
use crate::model::modal_mass::{ModalMass, TipModes};
use crate::model::topology::BodyTopology;
use crate::sweep::configuration::with_rate;
use crate::sweep::count::{Count, by_count};
use crate::workspace::{Configuration, Modal};
use supple_spatial::block::cholesky::row_start;
use supple_spatial::{ArticulatedInertia, Force, InertiaRows, RigidInertia, Scalar};

/// `C`, with the rate matrices of the carriers.
pub(super) fn tip_motions<T: Scalar>(
    model: &Model<T>,
    k: usize,
    tip: &TipModes<T>,
    at: &Configuration<T>,
    out: &mut Modal<T>,
) {
    let top = &*model.topology;
    let body = &top.bodies[k];
    for c in body.carriers.clone() {
        let range = body.tip_of_carrier(c);
        let constant = &tip.motions[range.start - body.carried_tip.start..][..tip.rank];
        for (motion, C0) in out.tip_motions[range].iter_mut().zip(constant) {
            *motion = with_rate(top.elastic_rotation, &at.carrier[c].rate, *C0);
        }
    }
}

/// `L⁻* Q` and `N - L⁻*Q Q*L⁻¹`, column by column; constants.
pub(super) fn tip_shapes<T: Scalar>(
    body: &BodyTopology,
    flexible: &Flexible<T>,
    tip: &TipModes<T>,
    out: &mut Modal<T>,
) {
    out.tip_shapes[body.tip_shapes.clone()].copy_from_slice(&tip.shapes);
    let (complement, column) = (&mut out.complement[body.modal_triangle.clone()], &mut out.column[..body.modes]);
    let shape = |r: usize| &tip.shapes[r * tip.rank..(r + 1) * tip.rank];
    for s in 0..body.modes {
        column.fill(T::ZERO);
        column[s] = T::ONE;
        flexible.hinge_mass.apply_inverse(column);
        for r in s..body.modes {
            let square = shape(r).iter().zip(shape(s)).fold(T::ZERO, |sum, (x, y)| x.mul_add(*y, sum));
            complement[row_start(r) + s] = column[r] - square;
        }
    }
}

/// `N M'_fr`, `B`, and the inertia with all but the tip modes free.
pub(super) fn condensed_mass<T: Scalar>(
    body: &BodyTopology,
    k: usize,
    flexible: &Flexible<T>,
    tip: &TipModes<T>,
    out: &mut Modal<T>,
) {
    let range = body.modal.clone();
    let coupling = if body.free_free { &out.free_coupling } else { &out.coupling };
    let (M, NM) = (&coupling[range.clone()], &mut out.inverse_coupling[range]);
    let B = &mut out.tip_coupling[body.tip.clone()];
    out.condensed_inertia[k] =
        by_count!(T, body.modes, n => condensed(n, &out.inertia[k], &flexible.hinge_mass, tip, M, NM, B));
}

/// `M_c = M_rr - M'_rf N M'_fr + B B*`                                                        [S4]
#[inline(never)] // a function of its own: its arguments are known not to overlap
fn condensed<T: Scalar>(
    n: impl Count,
    inertia: &RigidInertia<T>,
    mass: &ModalMass<T>,
    tip: &TipModes<T>,
    M: &[Force<T>],
    NM: &mut [Force<T>],
    B: &mut [Force<T>],
) -> ArticulatedInertia<T> {
    let (M, NM) = (&M[..n.get()], &mut NM[..n.get()]);
    NM.copy_from_slice(M);
    mass.apply_inverse(NM);
    B.fill(Force::ZERO);
    let mut P = InertiaRows::new(&inertia.to_articulated());
    for r in 0..n.get() {
        P.sub_outer(M[r], NM[r]);
        for (B, q) in B.iter_mut().zip(&tip.shapes[r * tip.rank..]) {
            *B = M[r].scale_add(*q, *B);
        }
    }
    for B in B.iter() {
        P.sub_outer(-*B, *B);
    }
    P.to_articulated()
}
