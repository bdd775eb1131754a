//! 3 × 3 matrices: general (rotations, couplings) and symmetric (inertias).

use crate::{Scalar, Vector3};
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// General 3 × 3 matrix, by rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix3<T>(pub [[T; 3]; 3]);

/// Symmetric 3 × 3 matrix: `xx, yy, zz, xy, xz, yz`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Symmetric3<T>(pub [T; 6]);

impl<T: Scalar> Matrix3<T> {
    /// All entries zero.
    pub const ZERO: Self = Self([[T::ZERO; 3]; 3]);
    /// The identity.
    pub const IDENTITY: Self =
        Self([[T::ONE, T::ZERO, T::ZERO], [T::ZERO, T::ONE, T::ZERO], [T::ZERO, T::ZERO, T::ONE]]);

    /// Constant matrix.
    pub fn from_f64(m: [[f64; 3]; 3]) -> Self {
        Self(m.map(|row| row.map(T::from_f64)))
    }

    /// Row `i`.
    #[inline(always)]
    pub fn row(&self, i: usize) -> Vector3<T> {
        Vector3(self.0[i])
    }

    /// Column `j`.
    #[inline(always)]
    pub fn column(&self, j: usize) -> Vector3<T> {
        Vector3([self.0[0][j], self.0[1][j], self.0[2][j]])
    }

    /// From three columns.
    #[inline(always)]
    pub fn from_columns(x: Vector3<T>, y: Vector3<T>, z: Vector3<T>) -> Self {
        Self([[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]])
    }

    /// Transpose.
    #[inline(always)]
    pub fn transpose(&self) -> Self {
        Self::from_columns(self.row(0), self.row(1), self.row(2))
    }

    /// The cross matrix `ṽ`: `ṽ x = v × x`.
    #[inline(always)]
    pub fn skew(v: Vector3<T>) -> Self {
        let [x, y, z] = v.0;
        Self([[T::ZERO, -z, y], [z, T::ZERO, -x], [-y, x, T::ZERO]])
    }

    /// `selfᵀ v`.
    #[inline(always)]
    pub fn transpose_mul(&self, v: Vector3<T>) -> Vector3<T> {
        let r = self.row(0) * v[0];
        self.row(2).scale_add(v[2], self.row(1).scale_add(v[1], r))
    }

    /// `self v + w`.
    #[inline(always)]
    pub fn mul_add(&self, v: Vector3<T>, w: Vector3<T>) -> Vector3<T> {
        Vector3(core::array::from_fn(|i| {
            let r = self.0[i];
            r[2].mul_add(v[2], r[1].mul_add(v[1], r[0].mul_add(v[0], w[i])))
        }))
    }

    /// `a ⊗ b`.
    #[inline(always)]
    pub fn outer(a: Vector3<T>, b: Vector3<T>) -> Self {
        Self(core::array::from_fn(|i| core::array::from_fn(|j| a[i] * b[j])))
    }

    /// `self + a ⊗ b`.
    #[inline(always)]
    pub fn add_outer(&self, a: Vector3<T>, b: Vector3<T>) -> Self {
        let row = |i: usize| b.scale_add(a[i], self.row(i)).0;
        Self([row(0), row(1), row(2)])
    }

    /// `self` turned about its own axis `AXIS`: `self · R(AXIS, angle)`, from the sine and cosine of the angle.
    #[inline(always)]
    pub fn turned_about<const AXIS: usize>(&self, sine: T, cosine: T) -> Self {
        let (a, b) = ((AXIS + 1) % 3, (AXIS + 2) % 3);
        let mut out = *self;
        for i in 0..3 {
            let (x, y) = (self.0[i][a], self.0[i][b]);
            out.0[i][a] = x.mul_add(cosine, y * sine);
            out.0[i][b] = y.mul_add(cosine, -(x * sine));
        }
        out
    }

    /// `ṽ · self`: the cross product of `v` with every column.
    #[inline(always)]
    pub fn skew_mul(v: Vector3<T>, m: &Self) -> Self {
        let [x, y, z] = v.0;
        Self([
            core::array::from_fn(|j| y.mul_add(m.0[2][j], -(z * m.0[1][j]))),
            core::array::from_fn(|j| z.mul_add(m.0[0][j], -(x * m.0[2][j]))),
            core::array::from_fn(|j| x.mul_add(m.0[1][j], -(y * m.0[0][j]))),
        ])
    }

    /// `R self Rᵀ`.
    #[inline(always)]
    pub fn congruence(&self, r: &Self) -> Self {
        let a = *r * *self;
        Self(core::array::from_fn(|i| core::array::from_fn(|j| a.row(i).dot(r.row(j)))))
    }

    /// `½ (self + selfᵀ)`.
    pub fn symmetric_part(&self) -> Symmetric3<T> {
        let h = T::from_f64(0.5);
        let m = &self.0;
        Symmetric3([
            m[0][0],
            m[1][1],
            m[2][2],
            (m[0][1] + m[1][0]) * h,
            (m[0][2] + m[2][0]) * h,
            (m[1][2] + m[2][1]) * h,
        ])
    }
}

impl<T: Scalar> Symmetric3<T> {
    /// All entries zero.
    pub const ZERO: Self = Self([T::ZERO; 6]);

    /// `s` times the identity.
    pub fn isotropic(s: T) -> Self {
        Self([s, s, s, T::ZERO, T::ZERO, T::ZERO])
    }

    /// Constant matrix, from the mean of both triangles.
    pub fn from_f64(m: [[f64; 3]; 3]) -> Self {
        Matrix3::from_f64(m).symmetric_part()
    }

    /// As a general matrix.
    #[inline(always)]
    pub fn to_matrix(&self) -> Matrix3<T> {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        Matrix3([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    }

    /// The monomials of `w` with which `wᵀ S w` is a plain inner product.
    #[inline(always)]
    pub fn monomials(w: Vector3<T>) -> Self {
        let [x, y, z] = w.0;
        let (x2, y2) = (x + x, y + y);
        Self([x * x, y * y, z * z, x2 * y, x2 * z, y2 * z])
    }

    /// Inner product of the six entries.
    #[inline(always)]
    pub fn inner(&self, b: &Self) -> T {
        let (a, b) = (&self.0, &b.0);
        let mut s = a[0] * b[0];
        for i in 1..6 {
            s = a[i].mul_add(b[i], s);
        }
        s
    }

    /// `self · s + b`.
    #[inline(always)]
    pub fn scale_add(&self, s: T, b: &Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i].mul_add(s, b.0[i])))
    }

    /// `R self Rᵀ`.
    #[inline(always)]
    pub fn congruence(&self, r: &Matrix3<T>) -> Self {
        let a = *r * self.to_matrix();
        let e = |i: usize, j: usize| a.row(i).dot(r.row(j));
        Self([e(0, 0), e(1, 1), e(2, 2), e(0, 1), e(0, 2), e(1, 2)])
    }

    /// `self - u wᵀ` for a pair whose product is symmetric.
    #[inline(always)]
    pub fn sub_outer(&self, u: Vector3<T>, w: Vector3<T>) -> Self {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        let (u, w) = (-u, w);
        Self([
            u[0].mul_add(w[0], xx),
            u[1].mul_add(w[1], yy),
            u[2].mul_add(w[2], zz),
            u[0].mul_add(w[1], xy),
            u[0].mul_add(w[2], xz),
            u[1].mul_add(w[2], yz),
        ])
    }

    /// Entry `(i, j)`.
    #[inline(always)]
    pub fn entry(&self, i: usize, j: usize) -> T {
        if i == j { self.0[i] } else { self.0[i + j + 2] }
    }

    /// Column `j`.
    #[inline(always)]
    pub fn column(&self, j: usize) -> Vector3<T> {
        Vector3([self.entry(0, j), self.entry(1, j), self.entry(2, j)])
    }

    /// [`sub_outer`](Self::sub_outer) in the plane across `AXIS`: the entries `aa`, `bb`, `ab` of the axes that follow it.
    #[inline(always)]
    pub fn plane_sub_outer<const AXIS: usize>(&self, u: Vector3<T>, w: Vector3<T>) -> [T; 3] {
        let (a, b) = ((AXIS + 1) % 3, (AXIS + 2) % 3);
        [
            (-u[a]).mul_add(w[a], self.entry(a, a)),
            (-u[b]).mul_add(w[b], self.entry(b, b)),
            (-u[a]).mul_add(w[b], self.entry(a, b)),
        ]
    }

    /// `R S Rᵀ` of a matrix that is zero along `AXIS`, from its entries `aa`, `bb`, `ab` in the plane across.
    #[inline(always)]
    pub fn plane_congruence<const AXIS: usize>([aa, bb, ab]: [T; 3], r: &Matrix3<T>) -> Self {
        let (a, b) = (r.column((AXIS + 1) % 3), r.column((AXIS + 2) % 3));
        let (left_a, left_b) = (a.scale_add(aa, b * ab), a.scale_add(ab, b * bb));
        let e = |i: usize, j: usize| left_a[i].mul_add(a[j], left_b[i] * b[j]);
        Self([e(0, 0), e(1, 1), e(2, 2), e(0, 1), e(0, 2), e(1, 2)])
    }

    /// `½ (x yᵀ + y xᵀ)`.
    pub fn outer(x: Vector3<T>, y: Vector3<T>) -> Self {
        Matrix3::outer(x, y).symmetric_part()
    }

    /// `-½ (x̃ ỹ + ỹ x̃) = x·y I - ½ (x yᵀ + y xᵀ)`: the inertia of a unit product of lever arms.
    pub fn lever(x: Vector3<T>, y: Vector3<T>) -> Self {
        Self::isotropic(x.dot(y)) - Self::outer(x, y)
    }
}

impl<T: Scalar> Mul for Matrix3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        Self(core::array::from_fn(|i| {
            let r = self.0[i];
            core::array::from_fn(|j| r[2].mul_add(b.0[2][j], r[1].mul_add(b.0[1][j], r[0] * b.0[0][j])))
        }))
    }
}

impl<T: Scalar> Mul<Vector3<T>> for Matrix3<T> {
    type Output = Vector3<T>;
    #[inline(always)]
    fn mul(self, v: Vector3<T>) -> Vector3<T> {
        Vector3([self.row(0).dot(v), self.row(1).dot(v), self.row(2).dot(v)])
    }
}

impl<T: Scalar> Mul<Vector3<T>> for Symmetric3<T> {
    type Output = Vector3<T>;
    #[inline(always)]
    fn mul(self, v: Vector3<T>) -> Vector3<T> {
        self.to_matrix() * v
    }
}

impl<T: Scalar> Mul<T> for Symmetric3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        // One by one: `map` may pass lanes through memory.
        let [xx, yy, zz, xy, xz, yz] = self.0;
        Self([xx * s, yy * s, zz * s, xy * s, xz * s, yz * s])
    }
}

impl<T: Scalar> Mul<T> for Matrix3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        Self(self.0.map(|row| row.map(|x| x * s)))
    }
}

macro_rules! entrywise {
    ($name:ident, $map:expr) => {
        impl<T: Scalar> Add for $name<T> {
            type Output = Self;
            #[inline(always)]
            fn add(self, b: Self) -> Self {
                Self($map(self.0, b.0, |x: T, y: T| x + y))
            }
        }
        impl<T: Scalar> Sub for $name<T> {
            type Output = Self;
            #[inline(always)]
            fn sub(self, b: Self) -> Self {
                Self($map(self.0, b.0, |x: T, y: T| x - y))
            }
        }
        impl<T: Scalar> Neg for $name<T> {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self($map(self.0, self.0, |x: T, _: T| -x))
            }
        }
        impl<T: Scalar> AddAssign for $name<T> {
            #[inline(always)]
            fn add_assign(&mut self, b: Self) {
                *self = *self + b;
            }
        }
        impl<T: Scalar> SubAssign for $name<T> {
            #[inline(always)]
            fn sub_assign(&mut self, b: Self) {
                *self = *self - b;
            }
        }
    };
}

#[inline(always)]
fn zip6<T: Copy>(a: [T; 6], b: [T; 6], f: impl Fn(T, T) -> T) -> [T; 6] {
    core::array::from_fn(|i| f(a[i], b[i]))
}

#[inline(always)]
fn zip33<T: Copy>(a: [[T; 3]; 3], b: [[T; 3]; 3], f: impl Fn(T, T) -> T) -> [[T; 3]; 3] {
    core::array::from_fn(|i| core::array::from_fn(|j| f(a[i][j], b[i][j])))
}

entrywise!(Matrix3, zip33);
entrywise!(Symmetric3, zip6);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lever_is_the_symmetric_product_of_cross_matrices() {
        let (x, y) = (Vector3([1.0_f64, -2.0, 0.5]), Vector3([0.3, 0.7, -1.1]));
        let (a, b) = (Matrix3::skew(x), Matrix3::skew(y));
        let dense = ((a * b + b * a) * -0.5).symmetric_part();
        let short = Symmetric3::lever(x, y);
        for i in 0..6 {
            assert!((dense.0[i] - short.0[i]).abs() < 1e-15);
        }
    }

    #[test]
    fn monomials_give_the_quadratic_form() {
        let s = Symmetric3([2.0_f64, 3.0, 5.0, 0.1, -0.2, 0.3]);
        let w = Vector3([0.4, -1.0, 2.0]);
        assert!((Symmetric3::monomials(w).inner(&s) - w.dot(s * w)).abs() < 1e-13);
    }
}
