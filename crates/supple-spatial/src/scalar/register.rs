//! Arithmetic of four or eight lanes of `f64` in the registers of AVX and AVX-512.
//!
//! For the compiler lanes are then one value of a register type, not `N` numbers that it has to put together again: functions
//! stay as small as those of a plain `f64`, are inlined where those are, and keep lanes in registers. Each instruction rounds
//! every lane as the scalar one does, so lanes keep the bits of their scalar runs.

use core::arch::x86_64::*;
use core::mem::transmute_copy;

/// The bits of `lanes` as another type, or the other way round.
///
/// # Safety
/// Both types are made of numbers only, without padding: any bits are valid.
#[inline(always)]
unsafe fn bits_as<A: Copy, B: Copy>(lanes: A) -> B {
    assert!(size_of::<A>() == size_of::<B>());
    // SAFETY: the sizes are equal, and the caller promises that any bits are a value of `B`.
    unsafe { transmute_copy(&lanes) }
}

/// Defines an operation on lanes by its instructions on four and eight, and by `one` for other numbers of lanes.
macro_rules! operation {
    ($name:ident, |$($x:ident),+|, $four:expr, $eight:expr, $one:expr) => {
        #[inline(always)]
        pub(super) fn $name<const N: usize>($($x: [f64; N]),+) -> [f64; N] {
            // SAFETY: `[f64; 4]`, `__m256d` and their pairs, `[f64; 8]` and `__m512d` are numbers without padding, and this module is
            // compiled only for targets with AVX and FMA; the instructions of AVX-512F are used only where the target has it.
            unsafe {
                if N == 4 {
                    return bits_as($four($(bits_as::<_, __m256d>($x)),+));
                }
                #[cfg(target_feature = "avx512f")]
                if N == 8 {
                    return bits_as($eight($(bits_as::<_, __m512d>($x)),+));
                }
                #[cfg(not(target_feature = "avx512f"))]
                if N == 8 {
                    $(let $x = bits_as::<_, [__m256d; 2]>($x);)+
                    return bits_as([$four($($x[0]),+), $four($($x[1]),+)]);
                }
            }
            core::array::from_fn(
                #[inline(always)]
                |i| $one($($x[i]),+),
            )
        }
    };
}

operation!(add, |a, b|, _mm256_add_pd, _mm512_add_pd, |a: f64, b: f64| a + b);
operation!(sub, |a, b|, _mm256_sub_pd, _mm512_sub_pd, |a: f64, b: f64| a - b);
operation!(mul, |a, b|, _mm256_mul_pd, _mm512_mul_pd, |a: f64, b: f64| a * b);
operation!(div, |a, b|, _mm256_div_pd, _mm512_div_pd, |a: f64, b: f64| a / b);
operation!(mul_add, |a, b, c|, _mm256_fmadd_pd, _mm512_fmadd_pd, super::Scalar::mul_add);
operation!(sqrt, |a|, _mm256_sqrt_pd, _mm512_sqrt_pd, super::Scalar::sqrt);
operation!(
    neg,
    |a|,
    |a| _mm256_xor_pd(a, _mm256_set1_pd(-0.0)),
    |a| _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(a), _mm512_castpd_si512(_mm512_set1_pd(-0.0)))),
    |a: f64| -a
);

/// Where `a < b`, lane by lane.
#[inline(always)]
pub(super) fn less_than<const N: usize>(a: [f64; N], b: [f64; N]) -> [bool; N] {
    // SAFETY: as those of `operation`.
    unsafe {
        let four = |a, b| _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(a, b)) as u32;
        if N == 4 {
            return bools(four(bits_as(a), bits_as(b)));
        }
        #[cfg(target_feature = "avx512f")]
        if N == 8 {
            return bools(u32::from(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(bits_as(a), bits_as(b))));
        }
        #[cfg(not(target_feature = "avx512f"))]
        if N == 8 {
            let (a, b) = (bits_as::<_, [__m256d; 2]>(a), bits_as::<_, [__m256d; 2]>(b));
            return bools(four(a[0], b[0]) | four(a[1], b[1]) << 4);
        }
    }
    core::array::from_fn(
        #[inline(always)]
        |i| a[i] < b[i],
    )
}

/// The first `N` bits.
#[inline(always)]
fn bools<const N: usize>(bits: u32) -> [bool; N] {
    if N == 4 {
        // Bit i to byte i.
        let bytes = (bits.wrapping_mul(0x0020_4081) & 0x0101_0101).to_le_bytes();
        return core::array::from_fn(
            #[inline(always)]
            |i| bytes[i] != 0,
        );
    }
    core::array::from_fn(
        #[inline(always)]
        |i| bits >> i & 1 != 0,
    )
}
