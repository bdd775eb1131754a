//! Constants of several models of one structure, joined number by number.

use super::body::{BodyData, Flexible, SecondOrder};
use super::closing::{ClosureData, SideData};
use super::elastic::{Elastic, ModalOperator};
use super::frames::BodyAxes;
use super::hinge::{HingeData, HingeMotion};
use super::integrals::ModalIntegrals;
use super::joint::Joint;
use super::modal_mass::{ModalMass, TipModes};
use super::node::NodeData;
use super::sparse::SparseRows;
use crate::force::{ElementData, Elements, PortPlace};
use supple_spatial::block::Linear;
use supple_spatial::{Force, Matrix3, Motion, RigidInertia, Scalar, Symmetric3, Vector3};

/// How the numbers of some models become one.
pub(super) type Joined<'j, const W: usize, U> = &'j dyn Fn([f64; W]) -> U;

/// Force elements of the same laws at the same ports.
pub(super) fn gather_elements<U: Scalar, const W: usize>(
    of: [&Elements<f64>; W],
    number: Joined<'_, W, U>,
) -> Result<Elements<U>, Difference> {
    require(of, "the number of force elements is", |a, b| a.list.len() == b.list.len())?;
    let unlisted =
        |_| Difference { lane: 0, what: "the scalar is one for which force elements are not compiled, or the law is" };
    // The functions for the scalar; the numbers of the first model.
    let mut elements = of[0].cast::<U>().map_err(unlisted)?;
    for (i, out) in elements.list.iter_mut().enumerate() {
        let each: [&ElementData<f64>; W] = of.map(|elements| &elements.list[i]);
        require(each, "the law of a force element is", |a, b| a.law.as_any().type_id() == b.law.as_any().type_id())?;
        out.parameters = Gather::gather(each.map(|element| &element.parameters), number)?;
        out.ports = Gather::gather(each.map(|element| &element.ports), number)?;
        require(each, "a closure that carries a force element is", |a, b| a.seen == b.seen)?;
    }
    Ok(elements)
}

impl<U: Scalar, const W: usize> Gather<W, U> for PortPlace<f64> {
    type Output = PortPlace<U>;
    fn gather(of: [&Self; W], number: Joined<'_, W, U>) -> Result<Self::Output, Difference> {
        let point = |port: &Self| if let Self::Ground(point) = port { Some(*point) } else { None };
        require(of, "a port of a force element is", |a, b| {
            point(a).is_some() == point(b).is_some() && (point(a).is_some() || a == b)
        })?;
        Ok(match of[0] {
            Self::Hinge { coordinate, speed } => PortPlace::Hinge { coordinate: *coordinate, speed: *speed },
            Self::Node { body, node, attitude } => PortPlace::Node { body: *body, node: *node, attitude: *attitude },
            Self::Body(body) => PortPlace::Body(*body),
            Self::Ground(first) => {
                let points = of.map(|port| point(port).unwrap_or(*first));
                PortPlace::Ground(Gather::gather(points.each_ref(), number)?)
            }
        })
    }
}

/// The first lane that is not like lane 0, and in what.
#[derive(Debug)]
pub(super) struct Difference {
    pub lane: usize,
    pub what: &'static str,
}

/// Checks that `equal` holds for lane 0 and every other.
fn require<X: ?Sized, const W: usize>(
    of: [&X; W],
    what: &'static str,
    equal: impl Fn(&X, &X) -> bool,
) -> Result<(), Difference> {
    match of.iter().position(|other| !equal(of[0], other)) {
        None => Ok(()),
        Some(lane) => Err(Difference { lane, what }),
    }
}

/// Constants, or a structure of them, joined.
pub(super) trait Gather<const W: usize, U> {
    /// The same structure of the scalar `U`.
    type Output;
    /// Joins.
    fn gather(of: [&Self; W], number: Joined<'_, W, U>) -> Result<Self::Output, Difference>;
}

impl<U: Scalar, const W: usize> Gather<W, U> for f64 {
    type Output = U;
    fn gather(of: [&Self; W], number: Joined<'_, W, U>) -> Result<Self::Output, Difference> {
        Ok(number(of.map(|x| *x)))
    }
}

/// Arrays of numbers under a name.
macro_rules! gather_array {
    ($($type:ident),*) => {$(
        impl<U: Scalar, const W: usize> Gather<W, U> for $type<f64> {
            type Output = $type<U>;
            fn gather(of: [&Self; W], number: Joined<'_, W, U>) -> Result<Self::Output, Difference> {
                Ok($type(std::array::from_fn(|i| number(of.map(|x| x.0[i])))))
            }
        }
    )*};
}

gather_array!(Vector3, Symmetric3);

impl<U: Scalar, const W: usize> Gather<W, U> for Matrix3<f64> {
    type Output = Matrix3<U>;
    fn gather(of: [&Self; W], number: Joined<'_, W, U>) -> Result<Self::Output, Difference> {
        Ok(Matrix3(std::array::from_fn(|i| std::array::from_fn(|j| number(of.map(|x| x.0[i][j]))))))
    }
}

/// Structures: what must be equal, then what is joined.
macro_rules! gather_fields {
    ($type:ident { $($same:ident $what:literal),* } $($field:ident),*) => {
        impl<U: Scalar, const W: usize> Gather<W, U> for $type<f64> {
            type Output = $type<U>;
            fn gather(of: [&Self; W], number: Joined<'_, W, U>) -> Result<Self::Output, Difference> {
                $(require(of, $what, |a, b| a.$same == b.$same)?;)*
                Ok($type {
                    $($same: of[0].$same,)*
                    $($field: Gather::gather(of.map(|x| &x.$field), number)?,)*
                })
            }
        }
    };
}

gather_fields!(Motion {} angular, linear);
gather_fields!(Force {} angular, linear);
gather_fields!(RigidInertia {} mass, moment, inertia);
gather_fields!(HingeData {} motion, position, rotation);
gather_fields!(SideData {} position, rotation);
gather_fields!(NodeData {
    turns "whether a node turns with the modes is",
    slaves_turn "whether a node turns with second-order shapes is" }
    position, influence, mobility, slaves, inertia);
gather_fields!(Elastic {} stiffness, damping, cubic, quartic, axial_load);
gather_fields!(TipModes { rank "the number of tip modes is" } shapes, motions);
gather_fields!(SecondOrder {} gains, mass);
gather_fields!(ModalIntegrals {}
    moment, coupling, coupling_change, inertia_first, inertia_second, turning_first, turning_second, linear_rate,
    gyroscopic, angular_rates, angular_rates_change, linear_rates, modal_rates, offset);
gather_fields!(Flexible {
    fidelity "the fidelity is",
    constant "constant modal mass is",
    undeformed_bias "the undeformed bias is",
    still "the use of modal rates across hinges is",
    constant_hinge "whether hinges follow the deformation is",
    cheapest "the elimination of the modes is" }
    integrals, elastic, mass, second_order, hinge_mass, tip_modes);
gather_fields!(BodyData {
    hinge_at_origin "whether the hinge is at the origin is",
    has_tables "inertia given as tables is" }
    axes, hinge, rotor, inertia, nodes, flexible);

impl<U: Scalar, const W: usize> Gather<W, U> for BodyAxes<f64> {
    type Output = BodyAxes<U>;
    fn gather(of: [&Self; W], number: Joined<'_, W, U>) -> Result<Self::Output, Difference> {
        let turned = of.iter().any(|axes| axes.turned);
        Ok(BodyAxes { turned, rotation: Gather::gather(of.map(|axes| &axes.rotation), number)? })
    }
}

impl<U, X: Gather<W, U>, const W: usize> Gather<W, U> for Box<[X]> {
    type Output = Box<[X::Output]>;
    fn gather(of: [&Self; W], number: Joined<'_, W, U>) -> Result<Self::Output, Difference> {
        require(of, "the number of nodes, entries, drives or parameters is", |a, b| a.len() == b.len())?;
        (0..of[0].len()).map(|i| X::gather(of.map(|list| &list[i]), number)).collect()
    }
}

impl<U, X: Gather<W, U>, const W: usize> Gather<W, U> for Box<X> {
    type Output = Box<X::Output>;
    fn gather(of: [&Self; W], number: Joined<'_, W, U>) -> Result<Self::Output, Difference> {
        X::gather(of.map(|x| &**x), number).map(Box::new)
    }
}

impl<U, X: Gather<W, U>, const W: usize> Gather<W, U> for Option<X> {
    type Output = Option<X::Output>;
    fn gather(of: [&Self; W], number: Joined<'_, W, U>) -> Result<Self::Output, Difference> {
        require(of, "which terms are present is", |a, b| a.is_some() == b.is_some())?;
        let list: Vec<&X> = of.iter().filter_map(|x| x.as_ref()).collect();
        match <[&X; W]>::try_from(list) {
            Ok(of) => X::gather(of, number).map(Some),
            Err(_) => Ok(None),
        }
    }
}

/// Entries of a tensor with their indices.
impl<U: Scalar, const K: usize, const W: usize> Gather<W, U> for ([u32; K], f64) {
    type Output = ([u32; K], U);
    fn gather(of: [&Self; W], number: Joined<'_, W, U>) -> Result<Self::Output, Difference> {
        require(of, "which entries of the elastic force are zero is", |a, b| a.0 == b.0)?;
        Ok((of[0].0, number(of.map(|entry| entry.1))))
    }
}

impl<U, X: Gather<W, U> + Linear<f64> + PartialEq, const W: usize> Gather<W, U> for SparseRows<X, X> {
    type Output = SparseRows<X, X::Output>;
    fn gather(of: [&Self; W], number: Joined<'_, W, U>) -> Result<Self::Output, Difference> {
        require(of, "the number of modes is", |a, b| a.row_count() == b.row_count())?;
        SparseRows::join(of, |of| X::gather(of, number))
    }
}

impl<U, X: Gather<W, U>, const K: usize, const W: usize> Gather<W, U> for [X; K]
where
    X::Output: Copy,
{
    type Output = [X::Output; K];
    fn gather(of: [&Self; W], number: Joined<'_, W, U>) -> Result<Self::Output, Difference> {
        let mut out = [X::gather(of.map(|list| &list[0]), number)?; K];
        for i in 1..K {
            out[i] = X::gather(of.map(|list| &list[i]), number)?;
        }
        Ok(out)
    }
}

/// Variants: all lanes of one kind.
macro_rules! gather_variants {
    ($type:ident, $what:literal, $($variant:ident { $($i:tt: $x:ident),* })*) => {
        impl<U: Scalar, const W: usize> Gather<W, U> for $type<f64> {
            type Output = $type<U>;
            fn gather(of: [&Self; W], number: Joined<'_, W, U>) -> Result<Self::Output, Difference> {
                require(of, $what, |a, b| std::mem::discriminant(a) == std::mem::discriminant(b))?;
                match of[0] {
                    $($type::$variant { $($i: $x),* } => {
                        let first = ($($x,)*);
                        // All are of this kind.
                        let _all = of.map(|other| match other {
                            $type::$variant { $($i: $x),* } => ($($x,)*),
                            _ => first,
                        });
                        Ok($type::$variant { $($i: Gather::gather(_all.map(|fields| fields.$i), number)?),* })
                    })*
                }
            }
        }
    };
}

impl<U: Scalar, const W: usize> Gather<W, U> for Joint<f64> {
    type Output = Joint<U>;
    fn gather(of: [&Self; W], number: Joined<'_, W, U>) -> Result<Self::Output, Difference> {
        require(of, "the kind of a closure is", |a, b| (a.turns, a.slides) == (b.turns, b.slides))?;
        let number = Gather::gather(of.map(|joint| &joint.number), number)?;
        Ok(Joint { turns: of[0].turns, slides: of[0].slides, number })
    }
}

gather_variants!(ClosureData, "the kind of a closure is",
    Joint { 0: a, 1: b }
    Coupling { 0: a, 1: b });
gather_variants!(HingeMotion, "the kind of hinge is",
    Fixed {}
    Revolute { 0: a }
    Prismatic { 0: a }
    Screw { 0: a, 1: b }
    Universal { 0: a, 1: b }
    Cylindrical { 0: a }
    Planar { 0: a }
    Spherical {}
    Free {});
gather_variants!(ModalOperator, "the structure of the stiffness or damping is",
    Zero {}
    Diagonal { 0: a }
    Packed { 0: a });
gather_variants!(ModalMass, "the structure of the modal mass is",
    Identity {}
    Diagonal { 0: a, 1: b }
    Dense { 0: a, 1: b }
    Singular { 0: a });
