//! Numbers that a sweep can run on.
//!
//! [`Scalar`] has no ordering and no equality: a comparison gives a [`Mask`] and
//! [`Scalar::select`] chooses by it, so a kernel cannot branch on a value. The same
//! source then runs on every type of the table, and its timing does not depend on data.
//!
//! | type              | for                                                        |
//! |-------------------|------------------------------------------------------------|
//! | `f64`, `f32`      | plain evaluation                                           |
//! | [`Lanes`]`<T, N>` | `N` instances at once, each equal to its scalar run bit for bit |
//! | [`Dual`]`<T>`     | a value and its directional derivative                     |
//! | `Counted`         | an `f64` that counts the operations done on it             |
//! | `Traced`          | records what is done with it: a program for any values     |

use core::fmt::Debug;
use core::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, MulAssign, Neg, Not, Sub, SubAssign};

#[cfg(feature = "std")]
mod counted;
mod dual;
mod float;
mod lanes;
#[cfg(all(target_arch = "x86_64", target_feature = "avx", target_feature = "fma"))]
mod register;
mod sine;
#[cfg(feature = "std")]
pub mod traced;

#[cfg(feature = "std")]
pub use counted::{Counted, Operations};
pub use dual::Dual;
pub use lanes::{LaneMask, Lanes};
#[cfg(feature = "std")]
pub use traced::Traced;

/// The outcome of a comparison: one truth value per instance carried by the scalar.
pub trait Mask:
    Copy + Debug + Send + Sync + 'static + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// The same truth value for every instance.
    fn splat(value: bool) -> Self;
    /// True when it holds for every instance.
    fn all(self) -> bool;
    /// True when it holds for at least one instance.
    fn any(self) -> bool;
}

/// A number without ordering: arithmetic, elementary functions, masks.
pub trait Scalar:
    Copy
    + Debug
    + Send
    + Sync
    + 'static
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    /// What a comparison gives.
    type Mask: Mask;

    /// Whether loops over few modes are compiled for each number of modes: worth while for plain numbers, where a loop costs as much as
    /// what it does, and a waste of compiling for types whose operations are long.
    const UNROLLS: bool = false;

    /// Distance from one to the next number.
    const EPSILON: f64 = f64::EPSILON;

    /// The neutral element of addition.
    const ZERO: Self;
    /// The neutral element of multiplication.
    const ONE: Self;

    /// The constant nearest to `value`.
    fn from_f64(value: f64) -> Self;
    /// `self · factor + addend`: rounded once where the target has FMA, twice elsewhere.
    fn mul_add(self, factor: Self, addend: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);
    /// Sines and cosines of several angles: what [`sin_cos`](Self::sin_cos) gives, at once where the type can.
    #[inline(always)]
    fn sin_cos_each<const N: usize>(angles: [Self; N]) -> ([Self; N], [Self; N]) {
        each(angles, Self::sin_cos)
    }
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Exponential.
    fn exp(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Angle of the point with the ordinate `self` and the abscissa given, from -π to π.
    fn atan2(self, abscissa: Self) -> Self;
    /// Where `self < other`.
    fn less_than(self, other: Self) -> Self::Mask;
    /// Where the value is neither infinite nor NaN.
    fn is_finite(self) -> Self::Mask;
    /// `yes` where `mask` holds, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// `a + b` of `N` instances. This and what follows is for [`Lanes`]: the operation on each lane, unless the type knows registers
    /// that do several at once with the same roundings.
    #[inline(always)]
    fn add_lanes<const N: usize>(a: [Self; N], b: [Self; N]) -> [Self; N] {
        lanes::zip(a, b, Self::add)
    }

    /// `a - b` of `N` instances.
    #[inline(always)]
    fn sub_lanes<const N: usize>(a: [Self; N], b: [Self; N]) -> [Self; N] {
        lanes::zip(a, b, Self::sub)
    }

    /// `a · b` of `N` instances.
    #[inline(always)]
    fn mul_lanes<const N: usize>(a: [Self; N], b: [Self; N]) -> [Self; N] {
        lanes::zip(a, b, Self::mul)
    }

    /// `a / b` of `N` instances.
    #[inline(always)]
    fn div_lanes<const N: usize>(a: [Self; N], b: [Self; N]) -> [Self; N] {
        lanes::zip(a, b, Self::div)
    }

    /// `-a` of `N` instances.
    #[inline(always)]
    fn neg_lanes<const N: usize>(a: [Self; N]) -> [Self; N] {
        lanes::map(a, Self::neg)
    }

    /// `a · b + c` of `N` instances.
    #[inline(always)]
    fn mul_add_lanes<const N: usize>(a: [Self; N], b: [Self; N], c: [Self; N]) -> [Self; N] {
        core::array::from_fn(
            #[inline(always)]
            |i| a[i].mul_add(b[i], c[i]),
        )
    }

    /// Square roots of `N` instances.
    #[inline(always)]
    fn sqrt_lanes<const N: usize>(a: [Self; N]) -> [Self; N] {
        lanes::map(a, Self::sqrt)
    }

    /// Where `a < b`, of `N` instances.
    #[inline(always)]
    fn less_than_lanes<const N: usize>(a: [Self; N], b: [Self; N]) -> [Self::Mask; N] {
        lanes::zip(a, b, Self::less_than)
    }

    /// Where every one of `values` is neither infinite nor NaN.
    #[inline(always)]
    fn all_finite(values: &[Self]) -> Self::Mask {
        values.iter().fold(Self::Mask::splat(true), |all, x| all & x.is_finite())
    }

    /// `1 / self`.
    fn recip(self) -> Self {
        Self::ONE / self
    }
}

/// Both results of `function` for each angle, apart.
#[inline(always)]
fn each<T: Scalar, const N: usize>(angles: [T; N], function: impl Fn(T) -> (T, T)) -> ([T; N], [T; N]) {
    let (mut first, mut second) = (angles, angles);
    for i in 0..N {
        (first[i], second[i]) = function(angles[i]);
    }
    (first, second)
}
