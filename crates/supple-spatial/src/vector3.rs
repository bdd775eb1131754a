//! Vectors of three dimensions.

use crate::Scalar;
use core::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub, SubAssign};

/// Three components in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector3<T>(pub [T; 3]);

impl<T: Scalar> Vector3<T> {
    /// The zero vector.
    pub const ZERO: Self = Self([T::ZERO; 3]);

    /// From three components.
    #[inline(always)]
    pub const fn new(x: T, y: T, z: T) -> Self {
        Self([x, y, z])
    }

    /// Constant vector.
    #[inline(always)]
    pub fn from_f64(v: [f64; 3]) -> Self {
        Self(v.map(T::from_f64))
    }

    /// Inner product.
    #[inline(always)]
    pub fn dot(self, b: Self) -> T {
        let ([ax, ay, az], [bx, by, bz]) = (self.0, b.0);
        az.mul_add(bz, ay.mul_add(by, ax * bx))
    }

    /// Inner product and `start`.
    #[inline(always)]
    pub fn dot_add(self, b: Self, start: T) -> T {
        let ([ax, ay, az], [bx, by, bz]) = (self.0, b.0);
        az.mul_add(bz, ay.mul_add(by, ax.mul_add(bx, start)))
    }

    /// `self × b`.
    #[inline(always)]
    pub fn cross(self, b: Self) -> Self {
        let ([ax, ay, az], [bx, by, bz]) = (self.0, b.0);
        Self([ay.mul_add(bz, -(az * by)), az.mul_add(bx, -(ax * bz)), ax.mul_add(by, -(ay * bx))])
    }

    /// `self · s + b`.
    #[inline(always)]
    pub fn scale_add(self, s: T, b: Self) -> Self {
        let ([ax, ay, az], [bx, by, bz]) = (self.0, b.0);
        Self([ax.mul_add(s, bx), ay.mul_add(s, by), az.mul_add(s, bz)])
    }

    /// `self × b + c`.
    #[inline(always)]
    pub fn cross_add(self, b: Self, c: Self) -> Self {
        let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (self.0, b.0, c.0);
        Self([
            ay.mul_add(bz, (-az).mul_add(by, cx)),
            az.mul_add(bx, (-ax).mul_add(bz, cy)),
            ax.mul_add(by, (-ay).mul_add(bx, cz)),
        ])
    }

    /// Square of the length.
    #[inline(always)]
    pub fn norm_squared(self) -> T {
        self.dot(self)
    }
}

impl<T: Scalar> Add for Vector3<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self([self.0[0] + b.0[0], self.0[1] + b.0[1], self.0[2] + b.0[2]])
    }
}

impl<T: Scalar> Sub for Vector3<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self([self.0[0] - b.0[0], self.0[1] - b.0[1], self.0[2] - b.0[2]])
    }
}

impl<T: Scalar> Neg for Vector3<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self([-self.0[0], -self.0[1], -self.0[2]])
    }
}

impl<T: Scalar> Mul<T> for Vector3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        Self([self.0[0] * s, self.0[1] * s, self.0[2] * s])
    }
}

impl<T: Scalar> AddAssign for Vector3<T> {
    #[inline(always)]
    fn add_assign(&mut self, b: Self) {
        *self = *self + b;
    }
}

impl<T: Scalar> SubAssign for Vector3<T> {
    #[inline(always)]
    fn sub_assign(&mut self, b: Self) {
        *self = *self - b;
    }
}

impl<T> Index<usize> for Vector3<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, i: usize) -> &T {
        &self.0[i]
    }
}

impl<T> IndexMut<usize> for Vector3<T> {
    #[inline(always)]
    fn index_mut(&mut self, i: usize) -> &mut T {
        &mut self.0[i]
    }
}
