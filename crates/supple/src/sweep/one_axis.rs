//! Hinges with one speed about or along an axis of their own frame, known when compiled: `H*` is a unit vector, so that
//! products with it are reads of one component.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use supple_spatial::{ArticulatedInertia, Force, Matrix3, Motion, Scalar, Vector3};

/// A unit vector of motion.
pub(crate) trait OneAxis {
    /// The axis of `O`.
    const AXIS: usize;
    /// About the axis, or along it.
    const TURNS: bool;

    /// `H f`.
    #[inline(always)]
    fn power<T: Scalar>(f: Force<T>) -> T {
        if Self::TURNS { f.angular[Self::AXIS] } else { f.linear[Self::AXIS] }
    }

    /// `α + H* x`.
    #[inline(always)]
    fn add<T: Scalar>(alpha: Motion<T>, x: T) -> Motion<T> {
        let mut sum = alpha;
        let part = if Self::TURNS { &mut sum.angular } else { &mut sum.linear };
        part[Self::AXIS] += x;
        sum
    }

    /// `P H*`.
    #[inline(always)]
    fn column<T: Scalar>(P: &ArticulatedInertia<T>) -> Force<T> {
        let axis = Self::AXIS;
        match Self::TURNS {
            true => Force::new(P.angular.column(axis), P.coupling.row(axis)),
            false => Force::new(P.coupling.column(axis), P.linear.column(axis)),
        }
    }

    /// `P⁺ = P - G U*` in the parent's axes; nothing is left of it along the axis.
    fn released<T: Scalar>(
        P: &ArticulatedInertia<T>,
        G: Force<T>,
        U: Force<T>,
        R: &Matrix3<T>,
    ) -> ArticulatedInertia<T>;

    /// `R = A R_J` and `x + A d_J` at the coordinate `theta`.
    fn place<T: Scalar>(A: &Matrix3<T>, x: Vector3<T>, theta: T) -> (Matrix3<T>, Vector3<T>);

    /// `a` and what it keeps of `H* x` at the angular velocity `ω`: `ω × e x` about the axis `e`, `2 ω × e x` along it.
    #[inline(always)]
    fn add_turning<T: Scalar>(a: Motion<T>, w: Vector3<T>, x: T) -> Motion<T> {
        let turning = Self::cross(w, x);
        match Self::TURNS {
            true => Motion::new(a.angular + turning, a.linear),
            false => Motion::new(a.angular, a.linear + (turning + turning)),
        }
    }

    /// `ω × e x` with the axis `e`.
    #[inline(always)]
    fn cross<T: Scalar>(w: Vector3<T>, x: T) -> Vector3<T> {
        let (a, b) = ((Self::AXIS + 1) % 3, (Self::AXIS + 2) % 3);
        let mut out = Vector3::ZERO;
        out[a] = w[b] * x;
        out[b] = -(w[a] * x);
        out
    }
}

/// About axis `AXIS`.
pub(crate) struct Turn<const AXIS: usize>;
/// Along axis `AXIS`.
pub(crate) struct Slide<const AXIS: usize>;

impl<const AXIS: usize> OneAxis for Turn<AXIS> {
    const AXIS: usize = AXIS;
    const TURNS: bool = true;

    #[inline(always)]
    fn released<T: Scalar>(
        P: &ArticulatedInertia<T>,
        G: Force<T>,
        U: Force<T>,
        R: &Matrix3<T>,
    ) -> ArticulatedInertia<T> {
        P.released_turn::<AXIS>(G, U, R)
    }

    #[inline(always)]
    fn place<T: Scalar>(A: &Matrix3<T>, x: Vector3<T>, theta: T) -> (Matrix3<T>, Vector3<T>) {
        let (sine, cosine) = theta.sin_cos();
        (A.turned_about::<AXIS>(sine, cosine), x)
    }
}

impl<const AXIS: usize> OneAxis for Slide<AXIS> {
    const AXIS: usize = AXIS;
    const TURNS: bool = false;

    #[inline(always)]
    fn released<T: Scalar>(
        P: &ArticulatedInertia<T>,
        G: Force<T>,
        U: Force<T>,
        R: &Matrix3<T>,
    ) -> ArticulatedInertia<T> {
        P.released_slide::<AXIS>(G, U, R)
    }

    #[inline(always)]
    fn place<T: Scalar>(A: &Matrix3<T>, x: Vector3<T>, theta: T) -> (Matrix3<T>, Vector3<T>) {
        (*A, A.column(AXIS).scale_add(theta, x))
    }
}

/// Runs one of two expressions: the first with `$Axis` standing for the type of the hinge's only axis, where it has one and
/// `$when` holds, the last for any other hinge; an arm for balls may stand between.
macro_rules! by_axis {
    ($axis:expr, $Axis:ident $(if $when:expr)? => $one:expr, $(Ball $(if $only:expr)? => $ball:expr,)? _ => $other:expr) => {{
        use $crate::model::hinge::HingeAxis;
        use $crate::sweep::one_axis::{Slide, Turn};
        macro_rules! along {
            ($kind:ty) => {{
                type $Axis = $kind;
                $one
            }};
        }
        match $axis {
            HingeAxis::TurnX $(if $when)? => along!(Turn<0>),
            HingeAxis::TurnY $(if $when)? => along!(Turn<1>),
            HingeAxis::TurnZ $(if $when)? => along!(Turn<2>),
            HingeAxis::SlideX $(if $when)? => along!(Slide<0>),
            HingeAxis::SlideY $(if $when)? => along!(Slide<1>),
            HingeAxis::SlideZ $(if $when)? => along!(Slide<2>),
            $(HingeAxis::Ball $(if $only)? => $ball,)?
            _ => $other,
        }
    }};
}
pub(crate) use by_axis;
