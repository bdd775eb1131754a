//! Hinges with one speed about or along an axis of their own frame, known when compiled: `H*` is a unit vector, so that
//! products with it are reads of one component.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::arrive;
use crate::model::topology::BodyTopology;
use crate::workspace::{Articulated, Configuration, Residual};
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
    fn add_motion<T: Scalar>(alpha: Motion<T>, x: T) -> Motion<T> {
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

/// `D_R⁻¹` and `G_R` of a hinge.
#[derive(Clone, Copy)]
pub(crate) struct Pivot<T> {
    inverse: T,
    gain: Force<T>,
}

impl<T: Scalar> Pivot<T> {
    /// As [`release`] left it.
    #[inline(always)]
    pub(crate) fn of(body: &BodyTopology, P: &Articulated<T>) -> Self {
        Self { inverse: P.hinge_factor[body.hinge_triangle.start], gain: P.gain[body.hinge.start] }
    }
}

/// `D_R`, `G_R`, and `P⁺` into `Γ`; with `DRIVEN` the hinge has an inertia of its own             [JR92 (63)]
#[inline(always)]
pub(crate) fn release<T: Scalar, Axis: OneAxis, const DRIVEN: bool>(
    body: &BodyTopology,
    k: usize,
    at: &Configuration<T>,
    out: &mut Articulated<T>,
) -> Pivot<T> {
    // D_R = H P_R H* (and what the drive adds),  G_R = P_R H* D_R⁻¹                         [JR92 (63)]
    let U = Axis::column(&out.current);
    let mut D = Axis::power(U);
    if DRIVEN {
        D += out.hinge_inertia[body.hinge.start];
    }
    let inverse = D.recip();
    let gain = U * inverse;
    out.gain[body.hinge.start] = gain;
    out.hinge_factor[body.hinge_triangle.start] = inverse;
    out.definite[k] = out.definite[k] & T::ZERO.less_than(D) & inverse.less_than(T::from_f64(f64::INFINITY));
    // P⁺ = P_R - G_R H P_R, of which nothing is left along the axis of a hinge without inertia of its own   [JR92 (63)]
    if body.parent.is_some() {
        let P_plus = match DRIVEN {
            true => out.current.less_outer(gain, U).rotate(&at.rotation[k]),
            false => Axis::released(&out.current, gain, U, &at.rotation[k]),
        };
        arrive(body, &P_plus, at.offset[k], &mut out.gamma[body.carrier]);
    }
    Pivot { inverse, gain }
}

/// `ν_R` and `z⁺`                                                                                    [JR92 (64)]
#[inline(always)]
pub(crate) fn innovate<T: Scalar, Axis: OneAxis>(
    body: &BodyTopology,
    Pivot { inverse, gain }: Pivot<T>,
    forces: &[T],
    z: Force<T>,
    nu: &mut [T],
) -> Force<T> {
    // ε_R = T_R - H z_R,  ν_R = D_R⁻¹ ε_R,  z⁺ = z_R + G_R ε_R                          [JR92 (64)]
    let epsilon = forces[body.beta().start] - Axis::power(z);
    nu[body.hinge.start] = epsilon * inverse;
    if body.parent.is_some() { gain.scale_add(epsilon, z) } else { z }
}

/// `β̇` and `α⁺ + H* β̇`                                                                              [JR92 (64)]
#[inline(always)]
pub(crate) fn accelerate<T: Scalar, Axis: OneAxis>(
    body: &BodyTopology,
    P: &Articulated<T>,
    z: &Residual<T>,
    alpha_plus: Motion<T>,
    result: &mut [T],
) -> Motion<T> {
    let beta_dot = z.hinge[body.hinge.start] - alpha_plus.dot(P.gain[body.hinge.start]);
    result[body.beta().start] = beta_dot;
    Axis::add_motion(alpha_plus, beta_dot)
}

/// Runs one of two expressions: the first with `$Axis` standing for the type of the hinge's only axis, where it has one and
/// `$when` holds, the last for any other hinge; an arm for balls may stand between.
macro_rules! by_axis {
    ($axis:expr, $Axis:ident $(if $when:expr)? => $one:expr, $(Ball $(if $only:expr)? => $ball:expr,)? _ => $other:expr) => {{
        use $crate::model::hinge::HingeAxis;
        use $crate::sweep::hinge::one_axis::{Slide, Turn};
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
