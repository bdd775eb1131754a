//! Plain floating point: [`Scalar`] for `f64` and `f32`, [`Mask`] for `bool`.
//!
//! Elementary functions come from the standard library with feature `std`, from `libm` without.

use super::{Mask, Scalar, each, sine};

/// Whether the target rounds `a · b + c` once in one instruction.
const FUSED: bool = cfg!(any(target_feature = "fma", all(target_arch = "aarch64", target_feature = "neon")));

impl Mask for bool {
    #[inline(always)]
    fn splat(value: bool) -> Self {
        value
    }

    #[inline(always)]
    fn all(self) -> bool {
        self
    }

    #[inline(always)]
    fn any(self) -> bool {
        self
    }
}

/// Arithmetic of lanes, where the target has registers for it.
#[cfg(all(target_arch = "x86_64", target_feature = "avx", target_feature = "fma"))]
macro_rules! lanes_in_registers {
    (f64) => {
        lanes_in_registers! {
            add_lanes by add(a, b);
            sub_lanes by sub(a, b);
            mul_lanes by mul(a, b);
            div_lanes by div(a, b);
            neg_lanes by neg(a);
            mul_add_lanes by mul_add(a, b, c);
            sqrt_lanes by sqrt(a);
        }
        #[inline(always)]
        fn less_than_lanes<const N: usize>(a: [Self; N], b: [Self; N]) -> [bool; N] {
            super::register::less_than(a, b)
        }
    };
    (f32) => {};
    ($($method:ident by $function:ident($($x:ident),+);)*) => {$(
        #[inline(always)]
        fn $method<const N: usize>($($x: [Self; N]),+) -> [Self; N] {
            super::register::$function($($x),+)
        }
    )*};
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx", target_feature = "fma")))]
macro_rules! lanes_in_registers {
    ($float:ident) => {};
}

/// Implements [`Scalar`] for a float by the given elementary functions.
macro_rules! scalar {
    ($float:ident, $fused:path, $sqrt:path, $sin_cos:path, $sin_cos_each:path, $ln:path, $exp:path, $tanh:path, $atan2:path) => {
        impl Scalar for $float {
            type Mask = bool;

            const UNROLLS: bool = true;
            const EPSILON: f64 = <$float>::EPSILON as f64;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as $float
            }

            #[inline(always)]
            fn mul_add(self, factor: Self, addend: Self) -> Self {
                if FUSED { $fused(self, factor, addend) } else { self * factor + addend }
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                $sqrt(self)
            }

            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                $sin_cos(self)
            }

            #[inline(always)]
            fn sin_cos_each<const N: usize>(angles: [Self; N]) -> ([Self; N], [Self; N]) {
                $sin_cos_each(angles)
            }

            #[inline(always)]
            fn ln(self) -> Self {
                $ln(self)
            }

            #[inline(always)]
            fn exp(self) -> Self {
                $exp(self)
            }

            #[inline(always)]
            fn tanh(self) -> Self {
                $tanh(self)
            }

            #[inline(always)]
            fn atan2(self, abscissa: Self) -> Self {
                $atan2(self, abscissa)
            }

            #[inline(always)]
            fn less_than(self, other: Self) -> bool {
                self < other
            }

            #[inline(always)]
            fn is_finite(self) -> bool {
                $float::is_finite(self)
            }

            #[inline(always)]
            fn select(mask: bool, yes: Self, no: Self) -> Self {
                if mask { yes } else { no }
            }

            lanes_in_registers!($float);
        }
    };
}

/// For angles of any size.
#[cfg(feature = "std")]
const ANY_SIN_COS: fn(f64) -> (f64, f64) = f64::sin_cos;
#[cfg(not(feature = "std"))]
const ANY_SIN_COS: fn(f64) -> (f64, f64) = libm::sincos;

#[inline(always)]
fn one_by_one<const N: usize>(angles: [f32; N]) -> ([f32; N], [f32; N]) {
    each(angles, Scalar::sin_cos)
}

/// Whether [`sine`] may be used.
#[inline(always)]
fn is_moderate(x: f64) -> bool {
    FUSED && x.abs() <= sine::LARGEST
}

#[inline(always)]
fn sin_cos(x: f64) -> (f64, f64) {
    if is_moderate(x) { sine::sin_cos(x) } else { ANY_SIN_COS(x) }
}

#[inline(always)]
fn sin_cos_each<const N: usize>(angles: [f64; N]) -> ([f64; N], [f64; N]) {
    let moderate = angles.iter().fold(true, |all, x| all & is_moderate(*x));
    if moderate { each(angles, sine::sin_cos) } else { each(angles, sin_cos) }
}

#[cfg(feature = "std")]
scalar!(f64, f64::mul_add, f64::sqrt, sin_cos, sin_cos_each, f64::ln, f64::exp, f64::tanh, f64::atan2);
#[cfg(feature = "std")]
scalar!(f32, f32::mul_add, f32::sqrt, f32::sin_cos, one_by_one, f32::ln, f32::exp, f32::tanh, f32::atan2);
#[cfg(not(feature = "std"))]
scalar!(f64, libm::fma, libm::sqrt, sin_cos, sin_cos_each, libm::log, libm::exp, libm::tanh, libm::atan2);
#[cfg(not(feature = "std"))]
scalar!(f32, libm::fmaf, libm::sqrtf, libm::sincosf, one_by_one, libm::logf, libm::expf, libm::tanhf, libm::atan2f);

#[cfg(test)]
mod tests {
    use super::*;

    /// `(1 + e)(1 − e) − 1` is `−e²` when rounded once, 0 when rounded twice.
    #[test]
    fn mul_add_rounds_once_where_the_target_has_fma() {
        let e = f64::EPSILON;
        let expected = if FUSED { -e * e } else { 0.0 };
        assert_eq!(Scalar::mul_add(1.0 + e, 1.0 - e, -1.0), expected);
        let e = f32::EPSILON;
        let expected = if FUSED { -e * e } else { 0.0 };
        assert_eq!(Scalar::mul_add(1.0 + e, 1.0 - e, -1.0), expected);
    }

    #[test]
    fn elementary_functions() {
        let (sine, cosine) = Scalar::sin_cos(0.5_f64);
        assert!((sine - 0.479_425_538_604_203).abs() < 4.0 * f64::EPSILON);
        assert!((cosine - 0.877_582_561_890_372_8).abs() < 4.0 * f64::EPSILON);
        assert!((Scalar::ln(10.0_f64) - core::f64::consts::LN_10).abs() < 4.0 * f64::EPSILON);
        assert!((Scalar::exp(1.0_f64) - core::f64::consts::E).abs() < 4.0 * f64::EPSILON);
        assert!((Scalar::tanh(0.5_f64) - 0.462_117_157_260_009_76).abs() < 4.0 * f64::EPSILON);
        assert!((Scalar::atan2(1.0_f64, -1.0) - 0.75 * core::f64::consts::PI).abs() < 4.0 * f64::EPSILON);
        assert_eq!(Scalar::sqrt(2.0_f64), core::f64::consts::SQRT_2);
        assert_eq!(Scalar::sqrt(2.0_f32), core::f32::consts::SQRT_2);
        assert_eq!(<f32 as Scalar>::from_f64(0.1), 0.1);
    }

    #[test]
    fn comparisons_with_nan_do_not_hold() {
        assert!(1.0_f64.less_than(2.0) && !2.0_f64.less_than(2.0));
        assert!(!f64::NAN.less_than(1.0) && !1.0_f64.less_than(f64::NAN));
        assert!(!Scalar::is_finite(f64::NAN) && !Scalar::is_finite(f64::NEG_INFINITY));
        assert!(Scalar::is_finite(f64::MAX));
        assert_eq!(f64::select(false, 1.0, 2.0), 2.0);
    }
}
