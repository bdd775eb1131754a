//! Numbers of modes known when compiled: loops over few modes unroll and know where their slices end.

/// How many modes.
pub(crate) trait Count: Copy {
    /// The number.
    fn get(self) -> usize;
}

/// `N`, known when compiled.
#[derive(Clone, Copy)]
pub(crate) struct Known<const N: usize>;

impl<const N: usize> Count for Known<N> {
    #[inline(always)]
    fn get(self) -> usize {
        N
    }
}

impl Count for usize {
    #[inline(always)]
    fn get(self) -> usize {
        self
    }
}

/// Runs `$run` with `$n` standing for the number `$count`: a type of its own where it is usual and the scalar `$T` asks for it, the number
/// itself elsewhere.
macro_rules! by_count {
    ($T:ty, $count:expr, $n:ident => $run:expr) => {{
        use $crate::sweep::count::Known;
        macro_rules! known {
            ($number:literal) => {{
                let $n = Known::<$number>;
                $run
            }};
        }
        // A constant condition of its own: what it excludes is not compiled.
        if !<$T as supple_spatial::Scalar>::UNROLLS {
            let $n: usize = $count;
            $run
        } else {
            match $count {
                1 => known!(1),
                2 => known!(2),
                3 => known!(3),
                4 => known!(4),
                5 => known!(5),
                6 => known!(6),
                8 => known!(8),
                10 => known!(10),
                $n => $run,
            }
        }
    }};
}
pub(crate) use by_count;
