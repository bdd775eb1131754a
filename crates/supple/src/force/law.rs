//! The law of a force element: one function for every scalar, and the object that a description keeps of it.

use super::port::{Effect, Measured, PortKind};
use std::any::{Any, TypeId};
use std::fmt;
use supple_spatial::Scalar;

/// What an element does, as a function of what it measures at its ports and of its parameters.
///
/// A type that implements it has the parameters as fields; [`force_element!`](crate::force_element) makes an element of it.
///
/// ```
/// use supple::force::{Effect, ForceLaw, Measured, PortKind};
/// use supple::spatial::Scalar;
///
/// /// `-k θ³`
/// #[derive(Clone, Debug, PartialEq)]
/// struct CubicSpring {
///     stiffness: f64,
/// }
///
/// impl ForceLaw for CubicSpring {
///     const NAME: &'static str = "cubic spring";
///     const PORTS: &'static [PortKind] = &[PortKind::Coordinate];
///
///     fn parameters(&self) -> Vec<f64> {
///         vec![self.stiffness]
///     }
///
///     fn evaluate<T: Scalar>(p: &[T], at: &Measured<'_, T>, out: &mut Effect<'_, T>) {
///         let theta = at.coordinate(0);
///         let force = p[0] * theta * theta * theta;
///         out.push(0, -force);
///         out.store(force * theta * T::from_f64(0.25));
///     }
/// }
///
/// supple::force_element!(CubicSpring);
/// ```
pub trait ForceLaw: Clone + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// Name of the kind of element, for messages.
    const NAME: &'static str;
    /// Its ports.
    const PORTS: &'static [PortKind];

    /// Whether implicit schemes take its tangent. A soft field costs them more than it gives.
    const STIFF: bool = true;

    /// Whether [`evaluate`](Self::evaluate) gets a number of [`Inputs::element_forces`](crate::Inputs::element_forces) in place of parameters.
    const HAS_INPUT: bool = false;

    /// The numbers that [`evaluate`](Self::evaluate) gets; how many there are must not depend on their values.
    fn parameters(&self) -> Vec<f64>;

    /// Rules that the parameters must obey beyond being finite; `build()` reports those that are broken.
    fn rules(&self) -> Vec<Rule> {
        Vec::new()
    }

    /// Coordinates of the first port at which the force or its slope jumps: explicit schemes end their steps there.
    fn kinks(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Forces, stored energy and power, in any scalar. It must not branch on values: see [`Scalar`].
    fn evaluate<T: Scalar>(parameters: &[T], at: &Measured<'_, T>, out: &mut Effect<'_, T>);
}

/// A rule about a parameter, and whether it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// The quantity.
    pub quantity: &'static str,
    /// Its value.
    pub value: f64,
    /// Whether the rule holds.
    pub holds: bool,
    /// The rule, after "it must".
    pub rule: &'static str,
    /// What to do where it does not.
    pub remedy: &'static str,
}

impl Rule {
    /// `value` must not be negative.
    pub fn not_negative(quantity: &'static str, value: f64) -> Self {
        let remedy = "give zero or a positive number";
        Self { quantity, value, holds: value >= 0.0, rule: "not be negative", remedy }
    }

    /// `value` must be positive.
    pub fn positive(quantity: &'static str, value: f64) -> Self {
        Self { quantity, value, holds: value > 0.0, rule: "be positive", remedy: "give a positive number" }
    }

    /// `value` must be finite. Said of a parameter, it names the parameter; any other is checked without a name.
    pub fn finite(quantity: &'static str, value: f64) -> Self {
        Self { quantity, value, holds: value.is_finite(), rule: "be finite", remedy: "give a finite number" }
    }
}

/// [`ForceLaw::evaluate`] in one scalar.
pub(crate) type Evaluate<T> = fn(&[T], &Measured<'_, T>, &mut Effect<'_, T>);

/// A [`ForceLaw`] as an object; implemented by [`force_element!`](crate::force_element) alone.
pub trait Law: fmt::Debug + Send + Sync {
    /// [`ForceLaw::NAME`].
    fn name(&self) -> &'static str;
    /// [`ForceLaw::PORTS`].
    fn ports(&self) -> &'static [PortKind];
    /// [`ForceLaw::parameters`].
    fn parameters(&self) -> Vec<f64>;
    /// [`ForceLaw::rules`].
    fn rules(&self) -> Vec<Rule>;
    /// [`ForceLaw::kinks`].
    fn kinks(&self) -> Vec<f64>;
    /// The law itself.
    fn as_any(&self) -> &dyn Any;
    /// [`ForceLaw::STIFF`].
    fn is_stiff(&self) -> bool;
    /// [`ForceLaw::HAS_INPUT`].
    fn has_input(&self) -> bool;
    /// Whether `other` is of the same type with the same parameters.
    fn equals(&self, other: &dyn Law) -> bool;
    /// [`ForceLaw::evaluate`] for the scalar of this type, in an `Option<Evaluation<T>>`; nothing where the macro does not list it.
    #[doc(hidden)]
    fn evaluation(&self, scalar: TypeId) -> Option<Box<dyn Any>>;
}

/// [`ForceLaw::evaluate`] for one scalar, as [`Law::evaluation`] hands it out.
#[doc(hidden)]
pub struct Evaluation<T>(pub(crate) Evaluate<T>);

impl<T: Scalar> Evaluation<T> {
    /// That of a law, where `T` is the scalar asked for.
    pub fn boxed<L: ForceLaw>(scalar: TypeId) -> Option<Box<dyn Any>> {
        (scalar == TypeId::of::<T>()).then(|| Box::new(Self(L::evaluate::<T>)) as Box<dyn Any>)
    }
}

/// Makes elements of types that implement [`ForceLaw`](crate::force::ForceLaw). The scalars that elements can be evaluated in stand here
/// alone.
#[macro_export]
macro_rules! force_element {
    ($($law:ty),+ $(,)?) => {$(
        impl $crate::force::Law for $law {
            fn name(&self) -> &'static str {
                <$law as $crate::force::ForceLaw>::NAME
            }

            fn ports(&self) -> &'static [$crate::force::PortKind] {
                <$law as $crate::force::ForceLaw>::PORTS
            }

            fn parameters(&self) -> ::std::vec::Vec<f64> {
                $crate::force::ForceLaw::parameters(self)
            }

            fn rules(&self) -> ::std::vec::Vec<$crate::force::Rule> {
                $crate::force::ForceLaw::rules(self)
            }

            fn kinks(&self) -> ::std::vec::Vec<f64> {
                $crate::force::ForceLaw::kinks(self)
            }

            fn is_stiff(&self) -> bool {
                <$law as $crate::force::ForceLaw>::STIFF
            }

            fn has_input(&self) -> bool {
                <$law as $crate::force::ForceLaw>::HAS_INPUT
            }

            fn as_any(&self) -> &dyn ::std::any::Any {
                self
            }

            fn equals(&self, other: &dyn $crate::force::Law) -> bool {
                other.as_any().downcast_ref::<$law>() == ::std::option::Option::Some(self)
            }

            fn evaluation(
                &self,
                scalar: ::std::any::TypeId,
            ) -> ::std::option::Option<::std::boxed::Box<dyn ::std::any::Any>> {
                use $crate::spatial::{Counted, Dual, Lanes, Traced};
                $crate::force_element!(@scalars $law, scalar:
                    f64, f32, Counted, Traced, Dual<f64>, Dual<f32>, Dual<Traced>, Dual<Dual<f64>>,
                    Lanes<f64, 1>, Lanes<f64, 2>, Lanes<f64, 3>, Lanes<f64, 4>, Lanes<f64, 8>, Lanes<f64, 16>,
                    Dual<Lanes<f64, 4>>, Dual<Lanes<f64, 8>>)
            }
        }
    )+};
    (@scalars $law:ty, $scalar:ident: $($t:ty),+) => {
        ::std::option::Option::None
            $(.or_else(|| $crate::force::Evaluation::<$t>::boxed::<$law>($scalar)))+
    };
}
