//! Several instances at once: [`Lanes`] and their [`LaneMask`].
//!
//! Every operation is the scalar's own, lane by lane, so that each lane equals its scalar run
//! bit for bit; the loops have a fixed length and become vector instructions.

use core::array::from_fn;
use core::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, MulAssign, Neg, Not, Sub, SubAssign};

use super::{Mask, Scalar};

/// `N` instances of a scalar, aligned to a vector register of 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub struct Lanes<T, const N: usize>(pub [T; N]);

/// The outcome of comparing [`Lanes`]: one mask per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneMask<M, const N: usize>([M; N]);

impl<T: Scalar, const N: usize> Lanes<T, N> {
    /// The same value in every lane.
    #[inline(always)]
    pub fn splat(value: T) -> Self {
        Self([value; N])
    }

    /// The value in lane `i`.
    ///
    /// # Panics
    ///
    /// If `i` is not below `N`.
    #[inline(always)]
    #[track_caller]
    pub fn lane(&self, i: usize) -> T {
        self.0[i]
    }

    /// Puts `value` in lane `i`.
    ///
    /// # Panics
    ///
    /// If `i` is not below `N`.
    #[inline(always)]
    #[track_caller]
    pub fn set_lane(&mut self, i: usize, value: T) {
        self.0[i] = value;
    }
}

impl<T, const N: usize> From<[T; N]> for Lanes<T, N> {
    #[inline(always)]
    fn from(lanes: [T; N]) -> Self {
        Self(lanes)
    }
}

impl<M: Mask, const N: usize> LaneMask<M, N> {
    /// The mask of lane `i`.
    ///
    /// # Panics
    ///
    /// If `i` is not below `N`.
    #[inline(always)]
    #[track_caller]
    pub fn lane(&self, i: usize) -> M {
        self.0[i]
    }
}

/// `operation` on each lane.
#[inline(always)]
pub(super) fn map<A: Copy, R, const N: usize>(a: [A; N], operation: impl Fn(A) -> R) -> [R; N] {
    from_fn(
        #[inline(always)]
        |i| operation(a[i]),
    )
}

/// `operation` on each pair of lanes.
#[inline(always)]
pub(super) fn zip<A: Copy, B: Copy, R, const N: usize>(a: [A; N], b: [B; N], operation: impl Fn(A, B) -> R) -> [R; N] {
    from_fn(
        #[inline(always)]
        |i| operation(a[i], b[i]),
    )
}

/// Implements binary operators of [`Lanes`] lane by lane.
macro_rules! binary {
    ($($operator:ident::$method:ident by $lanes:ident),*) => {$(
        impl<T: Scalar, const N: usize> $operator for Lanes<T, N> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(T::$lanes(self.0, other.0))
            }
        }
    )*};
}

binary!(Add::add by add_lanes, Sub::sub by sub_lanes, Mul::mul by mul_lanes, Div::div by div_lanes);

impl<T: Scalar, const N: usize> AddAssign for Lanes<T, N> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<T: Scalar, const N: usize> SubAssign for Lanes<T, N> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<T: Scalar, const N: usize> MulAssign for Lanes<T, N> {
    #[inline(always)]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl<T: Scalar, const N: usize> Neg for Lanes<T, N> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(T::neg_lanes(self.0))
    }
}

impl<T: Scalar, const N: usize> Scalar for Lanes<T, N> {
    type Mask = LaneMask<T::Mask, N>;

    // Of more lanes the operations are long.
    const UNROLLS: bool = T::UNROLLS && N <= 4;
    const EPSILON: f64 = T::EPSILON;
    const ZERO: Self = Self([T::ZERO; N]);
    const ONE: Self = Self([T::ONE; N]);

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self::splat(T::from_f64(value))
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        Self(T::mul_add_lanes(self.0, factor.0, addend.0))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(T::sqrt_lanes(self.0))
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (sines, cosines) = T::sin_cos_each(self.0);
        (Self(sines), Self(cosines))
    }

    #[inline(always)]
    fn ln(self) -> Self {
        Self(map(self.0, T::ln))
    }

    #[inline(always)]
    fn exp(self) -> Self {
        Self(map(self.0, T::exp))
    }

    #[inline(always)]
    fn tanh(self) -> Self {
        Self(map(self.0, T::tanh))
    }

    #[inline(always)]
    fn atan2(self, abscissa: Self) -> Self {
        Self(zip(self.0, abscissa.0, T::atan2))
    }

    #[inline(always)]
    fn less_than(self, other: Self) -> Self::Mask {
        LaneMask(T::less_than_lanes(self.0, other.0))
    }

    #[inline(always)]
    fn is_finite(self) -> Self::Mask {
        LaneMask(map(self.0, T::is_finite))
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Self(from_fn(
            #[inline(always)]
            |i| T::select(mask.0[i], yes.0[i], no.0[i]),
        ))
    }

    /// `0 x` is a zero of either sign, or NaN: sums say the same as a mask per number. Four of them need not wait for one another.
    #[inline(always)]
    fn all_finite(values: &[Self]) -> Self::Mask {
        let (fours, rest) = values.as_chunks::<4>();
        let [mut a, mut b, mut c, mut d] = [Self::ZERO; 4];
        for four in fours {
            a = four[0].mul_add(Self::ZERO, a);
            b = four[1].mul_add(Self::ZERO, b);
            c = four[2].mul_add(Self::ZERO, c);
            d = four[3].mul_add(Self::ZERO, d);
        }
        rest.iter().fold((a + b) + (c + d), |sum, x| x.mul_add(Self::ZERO, sum)).is_finite()
    }
}

impl<M: Mask, const N: usize> BitAnd for LaneMask<M, N> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(zip(self.0, other.0, M::bitand))
    }
}

impl<M: Mask, const N: usize> BitOr for LaneMask<M, N> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(zip(self.0, other.0, M::bitor))
    }
}

impl<M: Mask, const N: usize> Not for LaneMask<M, N> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(map(self.0, M::not))
    }
}

impl<M: Mask, const N: usize> Mask for LaneMask<M, N> {
    #[inline(always)]
    fn splat(value: bool) -> Self {
        Self([M::splat(value); N])
    }

    #[inline(always)]
    fn all(self) -> bool {
        self.0.into_iter().fold(true, |all, lane| all & lane.all())
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0.into_iter().fold(false, |any, lane| any | lane.any())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs through the operations of [`Scalar`].
    fn mixture<T: Scalar>(x: T, y: T) -> T {
        let (sine, cosine) = x.sin_cos();
        // The rounding error of x y where the target has FMA, 0 elsewhere.
        let error = x.mul_add(y, -(x * y)) * T::from_f64(1e16);
        let mut z = sine / (cosine - y) + y.sqrt() * x.ln() + x.exp() * y.tanh() - x.atan2(y);
        z += x.recip();
        z -= error;
        z *= T::from_f64(0.3);
        T::select(x.less_than(y) & z.is_finite(), -z, z)
    }

    /// Runs `N` of some pairs of numbers, from small and large to those that overflow.
    fn compare<const N: usize>() {
        let x: [f64; 8] = [0.1, 7.3, 1e-300, 2.1, 1e-310, -0.0, 3.7, 1e17];
        let y: [f64; 8] = [0.7, 0.2, 3.3, 2.7, 5.1, 0.4, f64::NAN, 6.6];
        let (x, y): ([f64; N], [f64; N]) = (from_fn(|i| x[(i + N) % 8]), from_fn(|i| y[(i + N) % 8]));
        let lanes = mixture(Lanes(x), Lanes(y));
        for i in 0..N {
            let alone = mixture(x[i], y[i]);
            // A NaN of any sign will do.
            let same = lanes.lane(i).to_bits() == alone.to_bits() || (lanes.lane(i).is_nan() && alone.is_nan());
            assert!(same, "lane {i} of {N}: {:e} {alone:e}", lanes.lane(i));
        }
    }

    #[test]
    fn each_lane_equals_its_scalar_run_bit_for_bit() {
        compare::<1>();
        compare::<4>();
        compare::<5>();
        compare::<8>();
    }

    #[test]
    fn lists_are_finite_where_every_number_is() {
        let list = [Lanes([1.0, f64::INFINITY, -0.0, 1e308]), Lanes([f64::MIN_POSITIVE, 0.0, f64::NAN, 1e308])];
        assert_eq!(Lanes::all_finite(&list), LaneMask([true, false, false, true]));
        assert!(f64::all_finite(&[1.0, 2.0]) && !f64::all_finite(&[1.0, f64::NEG_INFINITY]));
        for place in 0..11 {
            let mut long = [Lanes([1.0, -2.0]); 11];
            assert!(Lanes::all_finite(&long).all());
            long[place].set_lane(1, f64::NAN);
            assert_eq!(Lanes::all_finite(&long), LaneMask([true, false]), "{place}");
        }
    }

    #[test]
    fn masks_combine_lane_by_lane() {
        let x = Lanes::from([1.0, 2.0, 3.0]);
        let mut y = Lanes::splat(2.0);
        y.set_lane(2, 4.0);
        let mask = x.less_than(y);
        assert_eq!(mask, LaneMask([true, false, true]));
        assert!(mask.any() && !mask.all() && (mask | !mask).all() && !(mask & !mask).any());
        assert!(!mask.lane(1) && LaneMask::<bool, 3>::splat(true).all());
        assert_eq!(Lanes::select(mask, x, y), Lanes([1.0, 2.0, 3.0]));
    }
}
