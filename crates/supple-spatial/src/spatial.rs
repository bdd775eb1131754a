//! Spatial motions and forces, angular part first.
//!
//! A shift moves the point of reference and keeps the frame. With `l` the vector from `x` to
//! `y`, `φ*(x, y)` takes a motion of `x` to `y` and `φ(x, y)` a force at `y` to `x`.

use crate::{Matrix3, Scalar, Vector3};
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Velocity or acceleration of a frame: `[ω; v]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion<T> {
    /// Angular part.
    pub angular: Vector3<T>,
    /// Linear part, of the point of reference.
    pub linear: Vector3<T>,
}

/// Force on a frame: `[moment; force]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Force<T> {
    /// Moment about the point of reference.
    pub angular: Vector3<T>,
    /// Force.
    pub linear: Vector3<T>,
}

impl<T: Scalar> Motion<T> {
    /// `φ*(x, y)` with `l` from `x` to `y`: `[ω; v + ω × l]`.
    #[inline(always)]
    pub fn shift(self, l: Vector3<T>) -> Self {
        Self::new(self.angular, self.angular.cross_add(l, self.linear))
    }

    /// Power of `force` on this motion, and `start`.
    #[inline(always)]
    pub fn dot_add(self, force: Force<T>, start: T) -> T {
        self.angular.dot_add(force.angular, self.linear.dot_add(force.linear, start))
    }

    /// Power of `force` on this motion.
    #[inline(always)]
    pub fn dot(self, force: Force<T>) -> T {
        self.angular.dot(force.angular) + self.linear.dot(force.linear)
    }
}

impl<T: Scalar> Force<T> {
    /// `φ(x, y)` with `l` from `x` to `y`: `[n + l × f; f]`.
    #[inline(always)]
    pub fn shift(self, l: Vector3<T>) -> Self {
        Self::new(l.cross_add(self.linear, self.angular), self.linear)
    }
}

macro_rules! spatial_vector {
    ($name:ident) => {
        impl<T: Scalar> $name<T> {
            /// The zero vector.
            pub const ZERO: Self = Self { angular: Vector3::ZERO, linear: Vector3::ZERO };

            /// From its two parts.
            #[inline(always)]
            pub const fn new(angular: Vector3<T>, linear: Vector3<T>) -> Self {
                Self { angular, linear }
            }

            /// Constant vector.
            pub fn from_f64(v: [f64; 6]) -> Self {
                Self::from_array(v.map(T::from_f64))
            }

            /// From six components, angular first.
            #[inline(always)]
            pub const fn from_array(a: [T; 6]) -> Self {
                Self { angular: Vector3([a[0], a[1], a[2]]), linear: Vector3([a[3], a[4], a[5]]) }
            }

            /// Six components, angular first.
            #[inline(always)]
            pub const fn to_array(self) -> [T; 6] {
                let (a, l) = (self.angular.0, self.linear.0);
                [a[0], a[1], a[2], l[0], l[1], l[2]]
            }

            /// `R` on both parts.
            #[inline(always)]
            pub fn rotate(self, r: &Matrix3<T>) -> Self {
                Self::new(*r * self.angular, *r * self.linear)
            }

            /// `Rᵀ` on both parts.
            #[inline(always)]
            pub fn rotate_back(self, r: &Matrix3<T>) -> Self {
                Self::new(r.transpose_mul(self.angular), r.transpose_mul(self.linear))
            }

            /// `self · s + b`.
            #[inline(always)]
            pub fn scale_add(self, s: T, b: Self) -> Self {
                Self::new(self.angular.scale_add(s, b.angular), self.linear.scale_add(s, b.linear))
            }
        }

        impl<T: Scalar> Add for $name<T> {
            type Output = Self;
            #[inline(always)]
            fn add(self, b: Self) -> Self {
                Self::new(self.angular + b.angular, self.linear + b.linear)
            }
        }
        impl<T: Scalar> Sub for $name<T> {
            type Output = Self;
            #[inline(always)]
            fn sub(self, b: Self) -> Self {
                Self::new(self.angular - b.angular, self.linear - b.linear)
            }
        }
        impl<T: Scalar> Neg for $name<T> {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self::new(-self.angular, -self.linear)
            }
        }
        impl<T: Scalar> Mul<T> for $name<T> {
            type Output = Self;
            #[inline(always)]
            fn mul(self, s: T) -> Self {
                Self::new(self.angular * s, self.linear * s)
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

spatial_vector!(Motion);
spatial_vector!(Force);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_keep_power() {
        let v = Motion::from_array([1.0_f64, -2.0, 0.3, 0.7, 0.1, -0.4]);
        let f = Force::from_array([0.2, 0.5, -0.9, 1.3, -0.6, 0.8]);
        let l = Vector3([0.4, 1.7, -0.2]);
        assert!((v.shift(l).dot(f) - v.dot(f.shift(l))).abs() < 1e-15);
    }
}
