//! Spatial inertias: of a rigid body (ten numbers) and articulated (twenty-one).

use crate::{Force, Matrix3, Matrix6, Motion, Scalar, Symmetric3, Vector3};
use core::ops::{Add, AddAssign, Sub, SubAssign};

/// Inertia of a rigid body about the origin of its frame: `[J, c̃; -c̃, m I]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidInertia<T> {
    /// Mass `m`.
    pub mass: T,
    /// First moment of mass `c`, mass times the position of the mass centre.
    pub moment: Vector3<T>,
    /// Inertia `J` about the origin.
    pub inertia: Symmetric3<T>,
}

/// General symmetric inertia `[J, C; C*, M]` in angular-first blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArticulatedInertia<T> {
    /// Angular block `J`.
    pub angular: Symmetric3<T>,
    /// Coupling block `C`: moment due to linear acceleration.
    pub coupling: Matrix3<T>,
    /// Linear block `M`.
    pub linear: Symmetric3<T>,
}

impl<T: Scalar> RigidInertia<T> {
    /// No mass.
    pub const ZERO: Self = Self { mass: T::ZERO, moment: Vector3::ZERO, inertia: Symmetric3::ZERO };

    /// `[J ω + c × v; m v - c × ω]`.
    #[inline(always)]
    pub fn mul(&self, v: Motion<T>) -> Force<T> {
        Force::new(
            self.moment.cross_add(v.linear, self.inertia * v.angular),
            v.angular.cross_add(self.moment, v.linear * self.mass),
        )
    }

    /// The force for a purely angular acceleration.
    #[inline(always)]
    pub fn mul_angular(&self, w: Vector3<T>) -> Force<T> {
        Force::new(self.inertia * w, w.cross(self.moment))
    }

    /// The force for a purely linear acceleration.
    #[inline(always)]
    pub fn mul_linear(&self, v: Vector3<T>) -> Force<T> {
        Force::new(self.moment.cross(v), v * self.mass)
    }

    /// The same body in axes turned by the orthogonal `r`.
    #[inline(always)]
    pub fn rotate(&self, r: &Matrix3<T>) -> Self {
        Self { mass: self.mass, moment: *r * self.moment, inertia: self.inertia.congruence(r) }
    }

    /// The same body seen from `x`, with `l` from `x` to the origin.
    #[inline(always)]
    pub fn shift(&self, l: Vector3<T>) -> Self {
        // J' = J + l·e I - ½ (l e* + e l*) with e = c + c',  c' = c + m l
        let moment = l.scale_add(self.mass, self.moment);
        let half = (self.moment + moment) * T::from_f64(0.5);
        let [x, y, z] = l.0;
        let [xx, yy, zz] = [x * half[0], y * half[1], z * half[2]];
        let twice = |a: T, b: T| {
            let sum = a + b;
            sum + sum
        };
        let across = |i: usize, j: usize| -(l[i].mul_add(half[j], l[j] * half[i]));
        let lever = [twice(yy, zz), twice(xx, zz), twice(xx, yy), across(0, 1), across(0, 2), across(1, 2)];
        Self { mass: self.mass, moment, inertia: self.inertia + Symmetric3(lever) }
    }

    /// As a general symmetric inertia.
    #[inline(always)]
    pub fn to_articulated(&self) -> ArticulatedInertia<T> {
        ArticulatedInertia {
            angular: self.inertia,
            coupling: Matrix3::skew(self.moment),
            linear: Symmetric3::isotropic(self.mass),
        }
    }

    /// The sum with a general inertia.
    #[inline(always)]
    pub fn added_to(&self, p: &ArticulatedInertia<T>) -> ArticulatedInertia<T> {
        let mut sum = *p;
        self.add_to(&mut sum);
        sum
    }

    /// Adds this inertia to a general one.
    #[inline(always)]
    pub fn add_to(&self, p: &mut ArticulatedInertia<T>) {
        let ([x, y, z], m) = (self.moment.0, self.mass);
        p.angular += self.inertia;
        let c = &mut p.coupling.0;
        c[0][1] -= z;
        c[0][2] += y;
        c[1][0] += z;
        c[1][2] -= x;
        c[2][0] -= y;
        c[2][1] += x;
        for i in 0..3 {
            p.linear.0[i] += m;
        }
    }
}

impl<T: Scalar> ArticulatedInertia<T> {
    /// All blocks zero.
    pub const ZERO: Self = Self { angular: Symmetric3::ZERO, coupling: Matrix3::ZERO, linear: Symmetric3::ZERO };

    /// `P α`.
    #[inline(always)]
    pub fn mul(&self, a: Motion<T>) -> Force<T> {
        let (j, m) = (self.angular.to_matrix(), self.linear.to_matrix());
        let c = &self.coupling;
        let transposed = c.row(0) * a.angular[0];
        let transposed = c.row(2).scale_add(a.angular[2], c.row(1).scale_add(a.angular[1], transposed));
        Force::new(c.mul_add(a.linear, j * a.angular), m.mul_add(a.linear, transposed))
    }

    /// `P [w; 0]`: the force for a purely angular acceleration.
    #[inline(always)]
    pub fn mul_angular(&self, w: Vector3<T>) -> Force<T> {
        Force::new(self.angular * w, self.coupling.transpose_mul(w))
    }

    /// `P [0; v]`: the force for a purely linear acceleration.
    #[inline(always)]
    pub fn mul_linear(&self, v: Vector3<T>) -> Force<T> {
        Force::new(self.coupling * v, self.linear * v)
    }

    /// The same symmetric matrix as a compliance, `Θ f`.
    #[inline(always)]
    pub fn mul_force(&self, f: Force<T>) -> Motion<T> {
        let f = self.mul(Motion::new(f.angular, f.linear));
        Motion::new(f.angular, f.linear)
    }

    /// `φ(x, y) P φ*(x, y)` with `l` from `x` to `y`: the same inertia seen from `x`.
    #[inline(always)]
    pub fn shift(&self, l: Vector3<T>) -> Self {
        // C' = C + l̃ M,  J' = J + l̃ C* + (l̃ C'*)*
        let coupling = self.coupling + Matrix3::skew_mul(l, &self.linear.to_matrix());
        let [x, y, z] = l.0;
        // Entry (i, j) of l̃ X* is (l × row j of X) at i.
        let e = |a: &Matrix3<T>, i: usize, j: usize| {
            let r = a.0[j];
            match i {
                0 => y.mul_add(r[2], -(z * r[1])),
                1 => z.mul_add(r[0], -(x * r[2])),
                _ => x.mul_add(r[1], -(y * r[0])),
            }
        };
        let f = |i: usize, j: usize| e(&self.coupling, i, j) + e(&coupling, j, i);
        let d = Symmetric3([f(0, 0), f(1, 1), f(2, 2), f(0, 1), f(0, 2), f(1, 2)]);
        Self { angular: self.angular + d, coupling, linear: self.linear }
    }

    /// `diag(R, R) P diag(R, R)*`.
    #[inline(always)]
    pub fn rotate(&self, r: &Matrix3<T>) -> Self {
        Self {
            angular: self.angular.congruence(r),
            coupling: self.coupling.congruence(r),
            linear: self.linear.congruence(r),
        }
    }

    /// `P - u w*` for a pair whose product is symmetric, such as `u = G`, `w = D G`.
    #[inline(always)]
    pub fn sub_outer(&mut self, u: Force<T>, w: Force<T>) {
        self.angular = self.angular.sub_outer(u.angular, w.angular);
        self.coupling = self.coupling.add_outer(-u.angular, w.linear);
        self.linear = self.linear.sub_outer(u.linear, w.linear);
    }

    /// `P - u w*` as [`sub_outer`](Self::sub_outer).
    #[inline(always)]
    pub fn less_outer(mut self, u: Force<T>, w: Force<T>) -> Self {
        self.sub_outer(u, w);
        self
    }

    /// `diag(R, R) (P - g u*) diag(R, R)*` for a symmetric `g u*` that takes all there is along the angular axis `AXIS`.
    #[inline(always)]
    pub fn released_turn<const AXIS: usize>(&self, g: Force<T>, u: Force<T>, r: &Matrix3<T>) -> Self {
        let (a, b) = ((AXIS + 1) % 3, (AXIS + 2) % 3);
        let row = |i: usize| u.linear.scale_add(-g.angular[i], self.coupling.row(i));
        let (left_a, left_b) = (*r * row(a), *r * row(b));
        let angular = self.angular.plane_sub_outer::<AXIS>(g.angular, u.angular);
        Self {
            angular: Symmetric3::plane_congruence::<AXIS>(angular, r),
            coupling: Matrix3::outer(r.column(a), left_a).add_outer(r.column(b), left_b),
            linear: self.linear.sub_outer(g.linear, u.linear).congruence(r),
        }
    }

    /// As [`released_turn`](Self::released_turn), along the linear axis `AXIS`.
    #[inline(always)]
    pub fn released_slide<const AXIS: usize>(&self, g: Force<T>, u: Force<T>, r: &Matrix3<T>) -> Self {
        let (a, b) = ((AXIS + 1) % 3, (AXIS + 2) % 3);
        let column = |i: usize| u.angular.scale_add(-g.linear[i], self.coupling.column(i));
        let (left_a, left_b) = (*r * column(a), *r * column(b));
        let linear = self.linear.plane_sub_outer::<AXIS>(g.linear, u.linear);
        Self {
            angular: self.angular.sub_outer(g.angular, u.angular).congruence(r),
            coupling: Matrix3::outer(left_a, r.column(a)).add_outer(left_b, r.column(b)),
            linear: Symmetric3::plane_congruence::<AXIS>(linear, r),
        }
    }

    /// `P + E S E*` for symmetric `S`.
    #[inline(always)]
    pub fn add_congruence(&mut self, e: &Matrix6<T>, s: &Self) {
        // Row i of E S is S times row i of E, because S is symmetric.
        let es = e.0.map(|row| s.mul(Motion::from_array(row)).to_array());
        self.add_symmetric_product(&Matrix6(es), e);
    }

    /// `P + A B*` for a pair whose product is symmetric.
    #[inline(always)]
    pub fn add_symmetric_product(&mut self, a: &Matrix6<T>, b: &Matrix6<T>) {
        let dot = |i: usize, j: usize, start: T| {
            let mut s = start;
            for k in 0..6 {
                s = a.0[i][k].mul_add(b.0[j][k], s);
            }
            s
        };
        let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
        for (entry, (i, j)) in pairs.into_iter().enumerate() {
            self.angular.0[entry] = dot(i, j, self.angular.0[entry]);
            self.linear.0[entry] = dot(i + 3, j + 3, self.linear.0[entry]);
        }
        for i in 0..3 {
            for j in 0..3 {
                self.coupling.0[i][j] = dot(i, j + 3, self.coupling.0[i][j]);
            }
        }
    }

    /// As a full 6 × 6 matrix.
    pub fn to_matrix(&self) -> Matrix6<T> {
        let mut m = Matrix6::ZERO;
        for j in 0..6 {
            let mut unit = [T::ZERO; 6];
            unit[j] = T::ONE;
            let column = self.mul(Motion::from_array(unit)).to_array();
            for i in 0..6 {
                m.0[i][j] = column[i];
            }
        }
        m
    }

    /// The symmetric part of a full 6 × 6 matrix.
    pub fn from_matrix(m: &Matrix6<T>) -> Self {
        let block =
            |i: usize, j: usize| Matrix3(core::array::from_fn(|r| core::array::from_fn(|c| m.0[3 * i + r][3 * j + c])));
        let half = T::from_f64(0.5);
        Self {
            angular: block(0, 0).symmetric_part(),
            coupling: (block(0, 1) + block(1, 0).transpose()) * half,
            linear: block(1, 1).symmetric_part(),
        }
    }
}

impl<T: Scalar> Add for RigidInertia<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self { mass: self.mass + b.mass, moment: self.moment + b.moment, inertia: self.inertia + b.inertia }
    }
}

impl<T: Scalar> AddAssign for RigidInertia<T> {
    #[inline(always)]
    fn add_assign(&mut self, b: Self) {
        *self = *self + b;
    }
}

impl<T: Scalar> Add for ArticulatedInertia<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self { angular: self.angular + b.angular, coupling: self.coupling + b.coupling, linear: self.linear + b.linear }
    }
}

impl<T: Scalar> Sub for ArticulatedInertia<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self { angular: self.angular - b.angular, coupling: self.coupling - b.coupling, linear: self.linear - b.linear }
    }
}

impl<T: Scalar> AddAssign for ArticulatedInertia<T> {
    #[inline(always)]
    fn add_assign(&mut self, b: Self) {
        *self = *self + b;
    }
}

impl<T: Scalar> SubAssign for ArticulatedInertia<T> {
    #[inline(always)]
    fn sub_assign(&mut self, b: Self) {
        *self = *self - b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> ArticulatedInertia<f64> {
        let mut m = Matrix6::ZERO;
        for i in 0..6 {
            for j in 0..6 {
                m.0[i][j] = ((i * 7 + j * 3) as f64).sin();
            }
        }
        ArticulatedInertia::from_matrix(&m)
    }

    #[test]
    fn shift_is_the_congruence_with_phi() {
        let (p, l) = (sample(), Vector3([0.3, -0.8, 1.1]));
        let mut dense = ArticulatedInertia::ZERO;
        dense.add_congruence(&Matrix6::shift(l), &p);
        let (a, b) = (p.shift(l).to_matrix(), dense.to_matrix());
        for i in 0..6 {
            for j in 0..6 {
                assert!((a.0[i][j] - b.0[i][j]).abs() < 1e-14, "{i} {j}");
            }
        }
    }

    #[test]
    fn released_axes_are_the_dense_elimination() {
        let mut p = sample();
        p.angular += Symmetric3::isotropic(9.0);
        p.linear += Symmetric3::isotropic(9.0);
        let r = crate::rotation::rotation_vector(Vector3([0.4, -1.1, 0.7])).rotation;
        for axis in 0..6 {
            let mut h = [0.0; 6];
            h[axis] = 1.0;
            let u = p.mul(Motion::from_array(h));
            let g = u * (1.0 / u.to_array()[axis]);
            let mut dense = p;
            dense.sub_outer(g, u);
            let (short, dense) = (released(&p, axis, g, u, &r).to_matrix(), dense.rotate(&r).to_matrix());
            for i in 0..6 {
                for j in 0..6 {
                    assert!((short.0[i][j] - dense.0[i][j]).abs() < 1e-14 * 20.0, "axis {axis}: {i} {j}");
                }
            }
        }
    }

    fn released(
        p: &ArticulatedInertia<f64>,
        axis: usize,
        g: Force<f64>,
        u: Force<f64>,
        r: &Matrix3<f64>,
    ) -> ArticulatedInertia<f64> {
        match axis {
            0 => p.released_turn::<0>(g, u, r),
            1 => p.released_turn::<1>(g, u, r),
            2 => p.released_turn::<2>(g, u, r),
            3 => p.released_slide::<0>(g, u, r),
            4 => p.released_slide::<1>(g, u, r),
            _ => p.released_slide::<2>(g, u, r),
        }
    }

    #[test]
    fn rigid_inertia_is_its_articulated_form() {
        let r = RigidInertia {
            mass: 2.0,
            moment: Vector3([0.1, -0.5, 0.7]),
            inertia: Symmetric3([3.0, 4.0, 5.0, 0.1, 0.2, -0.3]),
        };
        let v = Motion::from_array([1.0, 2.0, -0.5, 0.3, -0.2, 0.9]);
        let (a, b) = (r.mul(v), r.to_articulated().mul(v));
        let mut sum = sample();
        r.add_to(&mut sum);
        assert!((sum.mul(v) - sample().mul(v) - a).dot_self() < 1e-28);
        assert!((a - b).dot_self() < 1e-28);
        assert!((r.mul_angular(v.angular) + r.mul_linear(v.linear) - a).dot_self() < 1e-28);
        let l = Vector3([0.4, 1.7, -0.2]);
        let turn = crate::rotation::rotation_vector(Vector3([0.4, -1.1, 0.7])).rotation;
        let moved = r.rotate(&turn).shift(l).mul(v);
        assert!((moved - r.to_articulated().rotate(&turn).shift(l).mul(v)).dot_self() < 1e-26);
    }

    impl Force<f64> {
        fn dot_self(self) -> f64 {
            self.angular.norm_squared() + self.linear.norm_squared()
        }
    }
}
