//! Algebra of motions and forces about one point, in axes that stand still.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use supple_spatial::{Force, Matrix3, Motion, RigidInertia, Scalar, Vector3};

/// `a × b`: how `b` changes when it is carried along by the motion `a`.
#[inline(always)]
pub(super) fn cross<T: Scalar>(a: Motion<T>, b: Motion<T>) -> Motion<T> {
    Motion::new(a.angular.cross(b.angular), a.angular.cross_add(b.linear, a.linear.cross(b.angular)))
}

/// `a ×* f`: how the force `f` changes when it is carried along by the motion `a`.
#[inline(always)]
pub(super) fn cross_force<T: Scalar>(a: Motion<T>, f: Force<T>) -> Force<T> {
    Force::new(a.angular.cross_add(f.angular, a.linear.cross(f.linear)), a.angular.cross(f.linear))
}

/// `B`: force per change of velocity that a body shows at the acceleration `ã = α + V × δV` held.
///
/// Velocities of translation do not matter, unless Lagrange's convention keeps mass-centre offsets in the axes of the body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate<T> {
    /// Moment per angular velocity.
    pub angular: Matrix3<T>,
    /// Force per angular velocity.
    pub linear: Matrix3<T>,
    /// Moment per velocity, where there is any.
    pub drag: Option<Matrix3<T>>,
}

impl<T: Scalar> Rate<T> {
    pub const ZERO: Self = Self { angular: Matrix3::ZERO, linear: Matrix3::ZERO, drag: None };

    /// Of a rigid body with inertia `I` and momentum `h = I V` about the point: `[J̇ - h̃_ω; -2 h̃_v]`.
    #[inline(always)]
    pub fn rigid(I: &RigidInertia<T>, V: Motion<T>, h: Force<T>) -> Self {
        // J̇ = 2 sym(ω̃ J) + 2 v·c 1 - v c* - c v*
        let (w, v, c) = (V.angular, V.linear, I.moment);
        let turning = (Matrix3::skew_mul(w, &I.inertia.to_matrix())).symmetric_part();
        let lever = supple_spatial::Symmetric3::lever(v, c);
        let J_dot = (turning + lever) * T::from_f64(2.0);
        let twice = -(h.linear + h.linear);
        Self { angular: J_dot.to_matrix() - Matrix3::skew(h.angular), linear: Matrix3::skew(twice), drag: None }
    }

    /// `B δV`.
    #[inline(always)]
    pub fn mul(&self, V: Motion<T>) -> Force<T> {
        let f = Force::new(self.angular * V.angular, self.linear * V.angular);
        match &self.drag {
            None => f,
            Some(drag) => Force::new(drag.mul_add(V.linear, f.angular), f.linear),
        }
    }

    /// `B* S`.
    #[inline(always)]
    pub fn transpose_mul(&self, S: Motion<T>) -> Force<T> {
        let angular = self.angular.transpose_mul(S.angular) + self.linear.transpose_mul(S.linear);
        Force::new(angular, self.drag.map_or(Vector3::ZERO, |drag| drag.transpose_mul(S.angular)))
    }

    /// From the axes of a body, about its frame, to axes turned by `R` and a point from which the frame is at `x`.
    pub fn seen_from(&self, R: &Matrix3<T>, x: Vector3<T>) -> Self {
        let linear = self.linear.congruence(R);
        let mut angular = self.angular.congruence(R) + Matrix3::skew_mul(x, &linear);
        let drag = self.drag.map(|drag| drag.congruence(R));
        if let Some(drag) = &drag {
            angular -= *drag * Matrix3::skew(x);
        }
        Self { angular, linear, drag }
    }

    #[inline(always)]
    pub fn add(&self, b: &Self) -> Self {
        let drag = match (self.drag, b.drag) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        Self { angular: self.angular + b.angular, linear: self.linear + b.linear, drag }
    }
}

/// How what lies outboard of a hinge, or of a node that a mode moves, is moved: about the root, by one speed or displacement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column<T> {
    /// `S`: motion per speed, and displacement.
    pub S: Motion<T>,
    /// `Ψ̇`: velocity that bodies see in their own axes, per displacement.
    pub V_d: Motion<T>,
    /// `Ψ̈`: the acceleration `ã`, per displacement.
    pub A_d: Motion<T>,
    /// The same per speed.
    pub A_u: Motion<T>,
}

impl<T: Scalar> Column<T> {
    pub const ZERO: Self = Self { S: Motion::ZERO, V_d: Motion::ZERO, A_d: Motion::ZERO, A_u: Motion::ZERO };

    #[inline(always)]
    pub fn minus(&self, b: &Self) -> Self {
        Self { S: self.S - b.S, V_d: self.V_d - b.V_d, A_d: self.A_d - b.A_d, A_u: self.A_u - b.A_u }
    }
}

/// What a speed and its displacement mean for the bodies inboard and what those do to it, about the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dof<T> {
    /// Generalized force per acceleration `ã`; force per acceleration of this speed.
    pub F: Force<T>,
    /// Generalized force per velocity.
    pub C: Force<T>,
    /// Generalized force per rotation, at velocity and acceleration held: of weights and loads that do not turn along.
    pub N: Vector3<T>,
    /// Force per displacement.
    pub G: Force<T>,
    /// Force per speed.
    pub D: Force<T>,
}

impl<T: Scalar> Dof<T> {
    pub const ZERO: Self = Self { F: Force::ZERO, C: Force::ZERO, N: Vector3::ZERO, G: Force::ZERO, D: Force::ZERO };
}

/// Force per rotation, at velocity and acceleration held, of loads in inertial axes: what turns along sees them turned back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn<T> {
    /// Moment.
    angular: Matrix3<T>,
    /// Force.
    linear: Matrix3<T>,
}

impl<T: Scalar> Turn<T> {
    /// Of the load `f` on a node at `x`, both seen from the root: `σ × f` is missing from the force that is needed.
    pub fn of(f: Force<T>, x: Vector3<T>) -> Self {
        let linear = -Matrix3::skew(f.linear);
        Self { angular: Matrix3::skew_mul(x, &linear) - Matrix3::skew(f.angular), linear }
    }

    fn mul(&self, turn: Vector3<T>) -> Force<T> {
        Force::new(self.angular * turn, self.linear * turn)
    }

    fn transpose_mul(&self, S: Motion<T>) -> Vector3<T> {
        self.angular.transpose_mul(S.angular) + self.linear.transpose_mul(S.linear)
    }

    fn add(self, b: Self) -> Self {
        Self { angular: self.angular + b.angular, linear: self.linear + b.linear }
    }
}

/// All that is outboard, about the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Composite<T> {
    /// Inertia, frozen.
    pub inertia: RigidInertia<T>,
    /// Force per velocity.
    pub rate: Rate<T>,
    /// Force that it needs.
    pub force: Force<T>,
    /// Force per rotation, where there is any.
    pub turn: Option<Turn<T>>,
}

impl<T: Scalar> Composite<T> {
    pub const ZERO: Self = Self { inertia: RigidInertia::ZERO, rate: Rate::ZERO, force: Force::ZERO, turn: None };

    #[inline(always)]
    pub fn add(&self, b: &Self) -> Self {
        let turn = match (self.turn, b.turn) {
            (Some(a), Some(b)) => Some(a.add(b)),
            (a, b) => a.or(b),
        };
        Self { inertia: self.inertia + b.inertia, rate: self.rate.add(&b.rate), force: self.force + b.force, turn }
    }

    /// The load `f` on a node at `x` in inertial axes, both seen from the root, without inertia.
    pub fn load(f: Force<T>, x: Vector3<T>) -> Self {
        Self { force: -f.shift(x), turn: Some(Turn::of(f, x)), ..Self::ZERO }
    }

    /// Force per displacement of a column that moves all of it: `I Ψ̈ + B Ψ̇ + S ×* f`.
    #[inline(always)]
    pub fn displaced(&self, column: &Column<T>) -> Force<T> {
        self.seen(column) + cross_force(column.S, self.force)
    }

    /// The same as seen by what moves along: `I Ψ̈ + B Ψ̇`.
    #[inline(always)]
    pub fn seen(&self, column: &Column<T>) -> Force<T> {
        let f = self.inertia.mul(column.A_d) + self.rate.mul(column.V_d);
        self.turn.map_or(f, |turn| f + turn.mul(column.S.angular))
    }

    /// Generalized force on the motion `S` per rotation.
    #[inline(always)]
    pub fn weight(&self, S: Motion<T>) -> Vector3<T> {
        self.turn.map_or(Vector3::ZERO, |turn| turn.transpose_mul(S))
    }

    /// Force per speed of such a column.
    #[inline(always)]
    pub fn moved(&self, column: &Column<T>) -> Force<T> {
        self.inertia.mul(column.A_u) + self.rate.mul(column.S)
    }
}
