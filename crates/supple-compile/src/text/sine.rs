//! Sine and cosine in C, as the engine has them (`crates/supple-spatial/src/scalar/sine.rs`): without calls and branches where the processor rounds
//! `a · b + c` once, so that compilers put both of one angle together and several into vectors. Elsewhere those of `math.h`.

use crate::program::Program;
use supple::spatial::scalar::traced::{Operation, Unary};

/// What both share: the angle in `±π/4`, what rounding took from it, and the quadrant.
const REDUCED: &str = "\
#include <string.h>

/* Sine and cosine of |x| < 1e9: x = n pi/2 + r + t, |r| <= pi/4, then polynomials. */
#if defined(FP_FAST_FMA)
static inline double supple_part(double x, unsigned long long quarter)
{
    const double shifted = fma(x, 0.63661977236758138, 6755399441055744.0), n = shifted - 6755399441055744.0;
    const double from = fma(n, -1.5707963267948966, x), rest = n * 6.123233995736766e-17, r = from - rest;
    const double lost = fma(n, 6.123233995736766e-17, -rest);
    const double t = fma(n, 1.4973849048591698e-33, ((from - r) - rest) - lost);
    const double z = r * r, zz = z * z, half = 0.5 * z, head = 1.0 - half;
    const double q = fma(fma(fma(-1.135938805165153e-11, z, 2.0875718426620905e-9), zz, fma(-2.755731431800774e-7, z, 2.4801587289368292e-5)), zz,
                         fma(-0.001388888888887395, z, 0.0416666666666666));
    const double p = fma(fma(fma(1.5896416569370655e-10, z, -2.5050751788493372e-8), zz, fma(2.755731365296367e-6, z, -0.0001984126982970003)), zz,
                         fma(0.008333333333322285, z, -0.16666666666666632));
    const double cosine = head + fma(-r, t, fma(zz, q, (1.0 - head) - half));
    const double sine = r + fma(r * z, p, t * cosine);
    unsigned long long quadrant, bits;
    double value;
    memcpy(&quadrant, &shifted, sizeof quadrant);
    quadrant += quarter;
    value = (quadrant & 1) != 0 ? cosine : sine;
    memcpy(&bits, &value, sizeof bits);
    bits ^= (quadrant & 2) << 62;
    memcpy(&value, &bits, sizeof value);
    return value;
}
#endif

";

/// The function of `math.h` and of the quadrant.
fn function(name: &str, quarter: u32) -> String {
    format!(
        "static inline double supple_{name}(double x)\n{{\n#if defined(FP_FAST_FMA)\n    if (fabs(x) < 1e9) return supple_part(x, {quarter});\n#endif\n    \
         return {name}(x);\n}}\n\n"
    )
}

/// Those that a program calls.
pub(super) fn functions(program: &Program) -> String {
    let uses =
        |f: Unary| program.operations.iter().any(|operation| matches!(operation, Operation::Unary(g, _) if *g == f));
    let used: Vec<String> = [(Unary::Sine, "sin", 0), (Unary::Cosine, "cos", 1)]
        .into_iter()
        .filter(|(f, ..)| uses(*f))
        .map(|(_, name, quarter)| function(name, quarter))
        .collect();
    if used.is_empty() { String::new() } else { REDUCED.to_owned() + &used.concat() }
}
