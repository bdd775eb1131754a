//! What a row of a block may be: a number, or a spatial vector that stands for three or six.

use crate::{Force, Motion, Scalar, Symmetric3, Vector3};

/// An element of a vector space over `T`.
pub trait Linear<T: Scalar>: Copy {
    /// The zero element.
    const ZERO: Self;
    /// `self · s`.
    fn scale(self, s: T) -> Self;
    /// `self · s + b`.
    fn scale_add(self, s: T, b: Self) -> Self;
}

impl<T: Scalar> Linear<T> for T {
    const ZERO: Self = T::ZERO;
    #[inline(always)]
    fn scale(self, s: T) -> Self {
        self * s
    }
    #[inline(always)]
    fn scale_add(self, s: T, b: Self) -> Self {
        self.mul_add(s, b)
    }
}

macro_rules! linear {
    ($name:ident) => {
        impl<T: Scalar> Linear<T> for $name<T> {
            const ZERO: Self = $name::ZERO;
            #[inline(always)]
            fn scale(self, s: T) -> Self {
                self * s
            }
            #[inline(always)]
            fn scale_add(self, s: T, b: Self) -> Self {
                $name::scale_add(self, s, b)
            }
        }
    };
}

linear!(Vector3);
linear!(Motion);
linear!(Force);

impl<T: Scalar> Linear<T> for Symmetric3<T> {
    const ZERO: Self = Symmetric3::ZERO;
    #[inline(always)]
    fn scale(self, s: T) -> Self {
        self * s
    }
    #[inline(always)]
    fn scale_add(self, s: T, b: Self) -> Self {
        Symmetric3::scale_add(&self, s, &b)
    }
}

/// `Σ rows[i] · weights[i]`.
#[inline(always)]
pub fn combination<T: Scalar, R: Linear<T>>(rows: &[R], weights: &[T]) -> R {
    combination_add(rows, weights, R::ZERO)
}

/// `start + Σ rows[i] · weights[i]`.
#[inline(always)]
pub fn combination_add<T: Scalar, R: Linear<T>>(rows: &[R], weights: &[T], start: R) -> R {
    let mut sum = start;
    for (row, &w) in rows.iter().zip(weights) {
        sum = row.scale_add(w, sum);
    }
    sum
}
