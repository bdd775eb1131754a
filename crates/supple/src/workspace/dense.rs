//! Memory of the verbs whose result is a matrix.

use crate::model::Model;
use crate::model::topology::Topology;
use crate::sweep::composite_force::AboutRoot;
use supple_spatial::block::cholesky::packed_len;
use supple_spatial::{ArticulatedInertia, Force, Matrix3, Motion, RigidInertia, Scalar, Vector3};

/// Scratch memory quadratic in the number of speeds, kept apart from [`Workspace`](crate::Workspace).
#[derive(Clone, Debug)]
pub struct DenseWorkspace<T = f64> {
    pub(crate) stamp: u64,
    /// Per carrier: composite inertia that arrives at the node.
    pub(crate) composite: Vec<ArticulatedInertia<T>>,
    /// Columns that travel inward, one per speed of a body.
    pub(crate) columns: Vec<Force<T>>,
    /// Packed: `R_ff` of one body.
    pub(crate) triangle: Vec<T>,
    /// Of the mass matrix about one point.
    pub(crate) forces: CompositeForces<T>,
    /// Packed mass matrix, then its Cholesky factor.
    pub(crate) matrix: Vec<T>,
    /// Jacobian of the closures, and its rows solved with the mass matrix.
    pub(crate) jacobian: Vec<T>,
    pub(crate) solved: Vec<T>,
}

impl<T: Scalar> DenseWorkspace<T> {
    /// Memory for `model`.
    pub fn new(model: &Model<T>) -> Self {
        let top = &*model.topology;
        let most = top.bodies.iter().map(|b| b.speeds.len()).max().unwrap_or(0);
        Self {
            stamp: top.stamp,
            composite: vec![ArticulatedInertia::ZERO; top.carriers.len()],
            columns: vec![Force::ZERO; most],
            triangle: vec![T::ZERO; packed_len(top.sizes.most_modes)],
            forces: CompositeForces::new(top, most),
            matrix: vec![T::ZERO; packed_len(top.sizes.speeds)],
            jacobian: vec![T::ZERO; model.equation_count() * top.sizes.speeds],
            solved: vec![T::ZERO; model.equation_count() * top.sizes.speeds],
        }
    }
}

/// Filled by `sweep::composite_force`, in the axes of the root body.
#[derive(Clone, Debug)]
pub(crate) struct CompositeForces<T> {
    /// Per body: where it is.
    pub placed: Vec<Placed<T>>,
    /// Per carrier: inertia of all that it carries, at its place.
    pub arrived: Vec<RigidInertia<T>>,
    /// Per hinge speed: motion of `F_k`; not of one-axis hinges.
    pub hinge_motion: Vec<Motion<T>>,
    /// The same of hinge speeds and of modes at carriers, seen from the root.
    pub about_root: AboutRoot<T>,
    /// Columns of a body: force at `F_k` per unit of a speed.
    pub columns: Vec<Force<T>>,
    /// Motion of one carrier per mode.
    pub zeta: Vec<Motion<T>>,
}

/// A body seen from the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<T> {
    /// Its axes to those of the root.
    pub attitude: Matrix3<T>,
    /// Its `F` from that of the root.
    pub position: Vector3<T>,
    /// Its `F` from its carrier.
    pub lever: Vector3<T>,
    /// The only axis of its hinge, where it has one.
    pub axis: Vector3<T>,
}

impl<T: Scalar> Placed<T> {
    const ROOT: Self =
        Self { attitude: Matrix3::IDENTITY, position: Vector3::ZERO, lever: Vector3::ZERO, axis: Vector3::ZERO };
}

impl<T: Scalar> CompositeForces<T> {
    fn new(top: &Topology, most_speeds: usize) -> Self {
        let (bodies, carriers, sizes) = (top.bodies.len(), top.carriers.len(), top.sizes);
        Self {
            placed: vec![Placed::ROOT; bodies],
            arrived: vec![RigidInertia::ZERO; carriers],
            hinge_motion: vec![Motion::ZERO; sizes.hinge],
            about_root: AboutRoot::new(top),
            columns: vec![Force::ZERO; most_speeds],
            zeta: vec![Motion::ZERO; sizes.most_modes],
        }
    }
}
