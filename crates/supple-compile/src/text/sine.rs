//! Sine and cosine in C, as the engine has them (`crates/supple-spatial/src/scalar/sine.rs`): four angles at once, without calls and branches, where
//! the processor rounds `a · b + c` once, so that compilers put the four into a vector. Elsewhere those of `math.h`.

use super::Language;
use crate::program::Program;
use std::fmt::Write as _;
use supple::spatial::scalar::traced::{Operation, Unary};

/// Angles that are treated at once.
const BLOCK: usize = 4;

const FUNCTION: &str = "\
#include <string.h>

#if defined(__GNUC__)
#define SUPPLE_FMA __builtin_fma
#else
#define SUPPLE_FMA fma
#endif

/* Sines and cosines of `count` of four angles; where fused products are fast and |x| < 1e9 of all four: x = n pi/2 + r + t, |r| <= pi/4, then
   polynomials. */
static void supple_sines(int count, const double *restrict x, double *restrict sine, double *restrict cosine)
{
#if defined(FP_FAST_FMA) || defined(__FMA__)
    if (fabs(x[0]) < 1e9 && fabs(x[1]) < 1e9 && fabs(x[2]) < 1e9 && fabs(x[3]) < 1e9) {
        for (int i = 0; i < 4; i++) {
            const double shifted = SUPPLE_FMA(x[i], 0.63661977236758138, 6755399441055744.0), n = shifted - 6755399441055744.0;
            const double from = SUPPLE_FMA(n, -1.5707963267948966, x[i]), rest = n * 6.123233995736766e-17, r = from - rest;
            const double lost = SUPPLE_FMA(n, 6.123233995736766e-17, -rest);
            const double t = SUPPLE_FMA(n, 1.4973849048591698e-33, ((from - r) - rest) - lost);
            const double z = r * r, zz = z * z, half = 0.5 * z, head = 1.0 - half;
            const double q2 = SUPPLE_FMA(-1.135938805165153e-11, z, 2.0875718426620905e-9);
            const double q1 = SUPPLE_FMA(-2.755731431800774e-7, z, 2.4801587289368292e-5);
            const double q = SUPPLE_FMA(SUPPLE_FMA(q2, zz, q1), zz, SUPPLE_FMA(-0.001388888888887395, z, 0.0416666666666666));
            const double p2 = SUPPLE_FMA(1.5896416569370655e-10, z, -2.5050751788493372e-8);
            const double p1 = SUPPLE_FMA(2.755731365296367e-6, z, -0.0001984126982970003);
            const double p = SUPPLE_FMA(SUPPLE_FMA(p2, zz, p1), zz, SUPPLE_FMA(0.008333333333322285, z, -0.16666666666666632));
            const double c = head + SUPPLE_FMA(-r, t, SUPPLE_FMA(zz, q, (1.0 - head) - half));
            const double s = r + SUPPLE_FMA(r * z, p, t * c);
            unsigned long long quadrant, a, b, swap;
            memcpy(&quadrant, &shifted, sizeof quadrant);
            memcpy(&a, &s, sizeof a);
            memcpy(&b, &c, sizeof b);
            swap = (a ^ b) & (0 - (quadrant & 1));
            a ^= swap ^ ((quadrant & 2) << 62);
            b ^= swap ^ (((quadrant + 1) & 2) << 62);
            memcpy(sine + i, &a, sizeof a);
            memcpy(cosine + i, &b, sizeof b);
        }
        return;
    }
#endif
    for (int i = 0; i < count; i++) {
        sine[i] = sin(x[i]);
        cosine[i] = cos(x[i]);
    }
}

";

/// The angle of a sine or cosine.
fn angle(operation: &Operation) -> Option<u32> {
    match operation {
        Operation::Unary(Unary::Sine | Unary::Cosine, a) => Some(*a),
        _ => None,
    }
}

/// What programs in C with sines and cosines call.
pub(super) fn function(program: &Program) -> &'static str {
    if program.operations.iter().any(|operation| angle(operation).is_some()) { FUNCTION } else { "" }
}

/// Sines and cosines that stand together in a program.
pub(super) struct Sines {
    /// The operations.
    pub operations: Vec<usize>,
    /// Their angles, each once.
    pub angles: Vec<u32>,
}

impl Sines {
    /// Those that begin at an operation, in languages that treat them together.
    pub fn at(language: Language, program: &Program, at: usize, end: usize) -> Option<Self> {
        let most = match language {
            Language::C => BLOCK,
            // Lanes of one angle are treated together.
            Language::CLanes(_) => 1,
            Language::Rust | Language::Cuda => return None,
        };
        let mut found = Self { operations: Vec::new(), angles: Vec::new() };
        for (i, operation) in program.operations[..end].iter().enumerate().skip(at) {
            match (operation, angle(operation)) {
                (Operation::Input(_) | Operation::Constant(_), _) if i > at => continue,
                (_, Some(a)) if found.angles.contains(&a) => {}
                (_, Some(a)) if found.angles.len() < most && !found.operations.contains(&(a as usize)) => {
                    found.angles.push(a);
                }
                _ => break,
            }
            found.operations.push(i);
        }
        (!found.operations.is_empty()).then_some(found)
    }

    /// Computes and defines them.
    pub fn lines(&self, language: Language, program: &Program) -> String {
        let angles: Vec<_> = self.angles.iter().map(|a| program.name_of(language, *a as usize)).collect();
        let mut text = self.text(language, &angles);
        for at in self.operations.iter().copied() {
            let value = self.value(language, program, at);
            let _ = writeln!(text, "{}", language.definition(&program.operations[at], at, &value));
        }
        text
    }

    /// Computes them, with their angles by name, into arrays.
    fn text(&self, language: Language, angles: &[String]) -> String {
        let at = self.operations[0];
        let mut text = String::new();
        if let Language::CLanes(lanes) = language {
            let n = lanes.count();
            let _ = writeln!(text, "    double angle{at}[{n}], sine{at}[{n}], cosine{at}[{n}];");
            let _ = writeln!(text, "    *(U *)angle{at} = {};", angles[0]);
            for i in (0..n).step_by(BLOCK) {
                let _ = writeln!(text, "    supple_sines({BLOCK}, angle{at} + {i}, sine{at} + {i}, cosine{at} + {i});");
            }
        } else {
            let mut all = angles.to_vec();
            all.resize(BLOCK, "0.0".into());
            let list = all.join(", ");
            let _ = writeln!(text, "    const double angle{at}[{BLOCK}] = {{{list}}};");
            let _ = writeln!(text, "    double sine{at}[{BLOCK}], cosine{at}[{BLOCK}];");
            let _ = writeln!(text, "    supple_sines({}, angle{at}, sine{at}, cosine{at});", angles.len());
        }
        text
    }

    /// One of them, out of the arrays.
    fn value(&self, language: Language, program: &Program, at: usize) -> String {
        let (first, operation) = (self.operations[0], &program.operations[at]);
        let name = if matches!(operation, Operation::Unary(Unary::Sine, _)) { "sine" } else { "cosine" };
        let place = self.angles.iter().position(|a| angle(operation) == Some(*a)).unwrap_or(0);
        match language {
            Language::CLanes(_) => format!("*(const U *){name}{first}"),
            _ => format!("{name}{first}[{place}]"),
        }
    }
}
