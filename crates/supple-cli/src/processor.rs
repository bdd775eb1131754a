//! Whether this processor has the instructions the program was compiled for.
//!
//! The question goes to the processor itself: `is_x86_feature_detected!` is answered at compile
//! time for features that the compiler may use anyway. Nothing here builds vectors or strings,
//! because the compiler would copy them with the very instructions in question.

use std::io::{self, Write};

#[cfg(target_arch = "x86_64")]
use self::x86_64::{FEATURES, missing};

#[cfg(not(target_arch = "x86_64"))]
static FEATURES: [(&str,); 0] = [];

#[cfg(not(target_arch = "x86_64"))]
fn missing() -> u32 {
    0
}

/// True if the program can run here; otherwise says on standard error what is missing and how to
/// build a program that can.
#[inline(never)]
pub fn is_sufficient() -> bool {
    let missing = missing();
    if missing != 0 {
        // If nobody listens, the exit status still tells.
        let _ = complain(missing);
    }
    missing == 0
}

#[inline(never)]
#[cold]
fn complain(missing: u32) -> io::Result<()> {
    let mut out = io::stderr();
    out.write_all(b"supple: this program was compiled for processors with instructions that this one lacks:")?;
    for (i, feature) in FEATURES.iter().enumerate() {
        if missing >> i & 1 == 1 {
            out.write_all(b" ")?;
            out.write_all(feature.0.as_bytes())?;
        }
    }
    out.write_all(b"\nsupple: build it for this machine: RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release\n")
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use core::arch::x86_64::{__cpuid, __cpuid_count};

    /// Registers of the processor that list its features.
    #[derive(Clone, Copy)]
    pub struct Processor {
        leaf_1_ecx: u32,
        leaf_7_ebx: u32,
        extended_1_ecx: u32,
    }

    /// Name, whether the compiler may use it, and how to find it.
    type Feature = (&'static str, bool, fn(Processor) -> bool);

    /// Features beyond the x86-64 baseline, up to level 3.
    pub static FEATURES: [Feature; 11] = [
        ("SSE3", cfg!(target_feature = "sse3"), |p| bit(p.leaf_1_ecx, 0)),
        ("SSE4.2", cfg!(target_feature = "sse4.2"), |p| bit(p.leaf_1_ecx, 20)),
        ("POPCNT", cfg!(target_feature = "popcnt"), |p| bit(p.leaf_1_ecx, 23)),
        ("AVX", cfg!(target_feature = "avx"), avx),
        ("AVX2", cfg!(target_feature = "avx2"), |p| avx(p) && bit(p.leaf_7_ebx, 5)),
        ("FMA", cfg!(target_feature = "fma"), |p| avx(p) && bit(p.leaf_1_ecx, 12)),
        ("F16C", cfg!(target_feature = "f16c"), |p| avx(p) && bit(p.leaf_1_ecx, 29)),
        ("MOVBE", cfg!(target_feature = "movbe"), |p| bit(p.leaf_1_ecx, 22)),
        ("BMI1", cfg!(target_feature = "bmi1"), |p| bit(p.leaf_7_ebx, 3)),
        ("BMI2", cfg!(target_feature = "bmi2"), |p| bit(p.leaf_7_ebx, 8)),
        ("LZCNT", cfg!(target_feature = "lzcnt"), |p| bit(p.extended_1_ecx, 5)),
    ];

    fn bit(register: u32, bit: u32) -> bool {
        register & 1 << bit != 0
    }

    /// AVX registers also need an operating system that saves them (bit 27).
    fn avx(processor: Processor) -> bool {
        bit(processor.leaf_1_ecx, 28) && bit(processor.leaf_1_ecx, 27)
    }

    /// One bit for each of the features that the program may use and the processor lacks.
    pub fn missing() -> u32 {
        missing_of(read(), |compiled| compiled)
    }

    fn read() -> Processor {
        let leaves = __cpuid(0).eax;
        let extended = __cpuid(0x8000_0000).eax;
        Processor {
            leaf_1_ecx: __cpuid(1).ecx,
            leaf_7_ebx: if leaves >= 7 { __cpuid_count(7, 0).ebx } else { 0 },
            extended_1_ecx: if extended > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 },
        }
    }

    fn missing_of(processor: Processor, needed: impl Fn(bool) -> bool) -> u32 {
        let mut missing = 0;
        for (i, (_, compiled, present)) in FEATURES.iter().enumerate() {
            if needed(*compiled) && !present(processor) {
                missing |= 1 << i;
            }
        }
        missing
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn names(missing: u32) -> Vec<&'static str> {
            let listed = FEATURES.iter().enumerate().filter(|(i, _)| bit(missing, *i as u32));
            listed.map(|(_, feature)| feature.0).collect()
        }

        #[test]
        fn this_machine_runs_its_own_tests() {
            assert_eq!(missing(), 0);
        }

        #[test]
        fn an_old_processor_is_told_what_it_lacks() {
            // Nehalem: SSE4.2 and POPCNT, no AVX.
            let nehalem = Processor { leaf_1_ecx: 0x0098_e3bd, leaf_7_ebx: 0, extended_1_ecx: 1 };
            let lacks = ["AVX", "AVX2", "FMA", "F16C", "MOVBE", "BMI1", "BMI2", "LZCNT"];
            assert_eq!(names(missing_of(nehalem, |_| true)), lacks);
            assert_eq!(missing_of(nehalem, |_| false), 0);
            // Sandy Bridge has AVX; without bit 27 the operating system does not save its registers.
            let sandy_bridge = Processor { leaf_1_ecx: 0x1fba_e3bf, ..nehalem };
            assert!(!names(missing_of(sandy_bridge, |_| true)).contains(&"AVX"));
            let unsaved = Processor { leaf_1_ecx: 0x1fba_e3bf & !(1 << 27), ..nehalem };
            assert!(names(missing_of(unsaved, |_| true)).contains(&"AVX"));
        }
    }
}
