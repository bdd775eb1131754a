//! One model of lanes from models that differ in numbers alone.
//!
//! Sweeps branch on structure: who carries whom, kinds of hinges, which matrices are diagonal, how modes are eliminated. All of that must
//! be equal; numbers go into their lanes, modal integrals that are zero in some of them too.

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
use super::topology::Topology;
use super::{BodyIndex, Model};
use crate::force::{ElementData, Elements, PortPlace};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use supple_spatial::block::Linear;
use supple_spatial::{Force, Lanes, Matrix3, Motion, RigidInertia, Symmetric3, Vector3};

/// Two models that cannot share a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferentStructure {
    /// The model that differs from the first one.
    pub model: usize,
    /// Its body that differs, where it is one body alone.
    pub body: Option<BodyIndex>,
    /// What differs.
    pub difference: &'static str,
}

impl fmt::Display for DifferentStructure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "model {}", self.model)?;
        if let Some(body) = self.body {
            write!(f, ", body {}", body.0)?;
        }
        write!(f, ": {} not as in model 0; models of one batch may differ in numbers alone", self.difference)
    }
}

impl std::error::Error for DifferentStructure {}

/// Tells models of lanes apart; [`Model::build`] counts from below.
static STAMP: AtomicU64 = AtomicU64::new(1 << 63);

impl Model<f64> {
    /// The model whose lane `l` has the constants of `models[l]`.
    ///
    /// # Errors
    /// [`DifferentStructure`] names the first model that differs from `models[0]` in more than numbers.
    pub fn gather<const W: usize>(models: [&Self; W]) -> Result<Model<Lanes<f64, W>>, DifferentStructure> {
        const { assert!(W > 0, "a model needs at least one lane") };
        let first = models[0];
        let structure = unnamed(&first.topology);
        for (model, other) in models.iter().enumerate().skip(1) {
            if let Some((body, difference)) = difference(&structure, &unnamed(&other.topology)) {
                return Err(DifferentStructure { model, body, difference });
            }
        }
        let body = |k: usize| {
            Gather::gather(models.map(|model| &model.bodies[k])).map_err(|Difference { lane, what }| {
                DifferentStructure { model: lane, body: Some(BodyIndex(k)), difference: what }
            })
        };
        let closure = |i: usize| {
            Gather::gather(models.map(|model| &model.closing[i]))
                .map_err(|Difference { lane, what }| DifferentStructure { model: lane, body: None, difference: what })
        };
        let elements = gather_elements(models.map(|model| &*model.elements))
            .map_err(|Difference { lane, what }| DifferentStructure { model: lane, body: None, difference: what })?;
        let stamp = STAMP.fetch_add(1, Ordering::Relaxed);
        Ok(Model {
            topology: Arc::new(Topology { stamp, ..Topology::clone(&first.topology) }),
            bodies: (0..first.body_count()).map(body).collect::<Result<_, _>>()?,
            gravity: Vector3(std::array::from_fn(|i| Lanes(models.map(|model| model.gravity.0[i])))),
            elements: Arc::new(elements),
            forces: Arc::clone(&first.forces),
            actuators: Arc::clone(&first.actuators),
            closing: (0..first.closing.len()).map(closure).collect::<Result<_, _>>()?,
            closures: Arc::clone(&first.closures),
            names: Arc::clone(&first.names),
            notes: Arc::clone(&first.notes),
        })
    }
}

/// Force elements of the same laws at the same ports.
fn gather_elements<const W: usize>(of: [&Elements<f64>; W]) -> Result<Elements<Lanes<f64, W>>, Difference> {
    require(of, "the number of force elements is", |a, b| a.list.len() == b.list.len())?;
    let unlisted = |_| Difference {
        lane: 0,
        what: "the number of lanes is one for which force elements are not compiled, or the law is",
    };
    // The functions for lanes; the numbers of the first model in all of them.
    let mut elements = of[0].cast::<Lanes<f64, W>>().map_err(unlisted)?;
    for (i, out) in elements.list.iter_mut().enumerate() {
        let each: [&ElementData<f64>; W] = of.map(|elements| &elements.list[i]);
        require(each, "the law of a force element is", |a, b| a.law.as_any().type_id() == b.law.as_any().type_id())?;
        out.parameters = Gather::gather(each.map(|element| &element.parameters))?;
        out.ports = Gather::gather(each.map(|element| &element.ports))?;
        require(each, "a closure that carries a force element is", |a, b| a.seen == b.seen)?;
    }
    Ok(elements)
}

impl<const W: usize> Gather<W> for PortPlace<f64> {
    type Output = PortPlace<Lanes<f64, W>>;
    fn gather(of: [&Self; W]) -> Result<Self::Output, Difference> {
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
                PortPlace::Ground(Gather::gather(points.each_ref())?)
            }
        })
    }
}

/// A topology without what no sweep looks at.
fn unnamed(topology: &Topology) -> Topology {
    let mut topology = Topology { stamp: 0, ..topology.clone() };
    topology.bodies.iter_mut().for_each(|body| body.name.clear());
    topology
}

/// What tells two topologies apart.
fn difference(a: &Topology, b: &Topology) -> Option<(Option<BodyIndex>, &'static str)> {
    let body = a.bodies.iter().zip(&b.bodies).position(|(a, b)| a != b).map(BodyIndex);
    match () {
        () if a == b => None,
        () if a.bodies.len() != b.bodies.len() => Some((None, "the number of bodies is")),
        () if a.elastic_rotation != b.elastic_rotation => Some((None, "the elastic rotation is")),
        () if a.inertia != b.inertia => Some((None, "the inertia convention is")),
        () if body.is_some() => Some((body, "its parent, axis of hinge, modes or moving nodes are")),
        () if a.closures != b.closures => Some((None, "what the closures connect is")),
        () => Some((None, "the tree is")),
    }
}

/// The first lane that is not like lane 0, and in what.
#[derive(Debug)]
struct Difference {
    lane: usize,
    what: &'static str,
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

/// Constants, or a structure of them, into lanes.
trait Gather<const W: usize> {
    /// The same structure of lanes.
    type Output;
    /// Joins.
    fn gather(of: [&Self; W]) -> Result<Self::Output, Difference>;
}

impl<const W: usize> Gather<W> for f64 {
    type Output = Lanes<f64, W>;
    fn gather(of: [&Self; W]) -> Result<Self::Output, Difference> {
        Ok(Lanes(of.map(|x| *x)))
    }
}

/// Arrays of numbers under a name.
macro_rules! gather_array {
    ($($type:ident),*) => {$(
        impl<const W: usize> Gather<W> for $type<f64> {
            type Output = $type<Lanes<f64, W>>;
            fn gather(of: [&Self; W]) -> Result<Self::Output, Difference> {
                Ok($type(std::array::from_fn(|i| Lanes(of.map(|x| x.0[i])))))
            }
        }
    )*};
}

gather_array!(Vector3, Symmetric3);

impl<const W: usize> Gather<W> for Matrix3<f64> {
    type Output = Matrix3<Lanes<f64, W>>;
    fn gather(of: [&Self; W]) -> Result<Self::Output, Difference> {
        Ok(Matrix3(std::array::from_fn(|i| std::array::from_fn(|j| Lanes(of.map(|x| x.0[i][j]))))))
    }
}

/// Structures: what must be equal, then what is joined.
macro_rules! gather_fields {
    ($type:ident { $($same:ident $what:literal),* } $($field:ident),*) => {
        impl<const W: usize> Gather<W> for $type<f64> {
            type Output = $type<Lanes<f64, W>>;
            fn gather(of: [&Self; W]) -> Result<Self::Output, Difference> {
                $(require(of, $what, |a, b| a.$same == b.$same)?;)*
                Ok($type {
                    $($same: of[0].$same,)*
                    $($field: Gather::gather(of.map(|x| &x.$field))?,)*
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

impl<const W: usize> Gather<W> for BodyAxes<f64> {
    type Output = BodyAxes<Lanes<f64, W>>;
    fn gather(of: [&Self; W]) -> Result<Self::Output, Difference> {
        let turned = of.iter().any(|axes| axes.turned);
        Ok(BodyAxes { turned, rotation: Gather::gather(of.map(|axes| &axes.rotation))? })
    }
}

impl<X: Gather<W>, const W: usize> Gather<W> for Box<[X]> {
    type Output = Box<[X::Output]>;
    fn gather(of: [&Self; W]) -> Result<Self::Output, Difference> {
        require(of, "the number of nodes, entries, drives or parameters is", |a, b| a.len() == b.len())?;
        (0..of[0].len()).map(|i| X::gather(of.map(|list| &list[i]))).collect()
    }
}

impl<X: Gather<W>, const W: usize> Gather<W> for Box<X> {
    type Output = Box<X::Output>;
    fn gather(of: [&Self; W]) -> Result<Self::Output, Difference> {
        X::gather(of.map(|x| &**x)).map(Box::new)
    }
}

impl<X: Gather<W>, const W: usize> Gather<W> for Option<X> {
    type Output = Option<X::Output>;
    fn gather(of: [&Self; W]) -> Result<Self::Output, Difference> {
        require(of, "which terms are present is", |a, b| a.is_some() == b.is_some())?;
        let list: Vec<&X> = of.iter().filter_map(|x| x.as_ref()).collect();
        match <[&X; W]>::try_from(list) {
            Ok(of) => X::gather(of).map(Some),
            Err(_) => Ok(None),
        }
    }
}

/// Entries of a tensor with their indices.
impl<const K: usize, const W: usize> Gather<W> for ([u32; K], f64) {
    type Output = ([u32; K], Lanes<f64, W>);
    fn gather(of: [&Self; W]) -> Result<Self::Output, Difference> {
        require(of, "which entries of the elastic force are zero is", |a, b| a.0 == b.0)?;
        Ok((of[0].0, Lanes(of.map(|entry| entry.1))))
    }
}

impl<X: Gather<W> + Linear<f64> + PartialEq, const W: usize> Gather<W> for SparseRows<X, X> {
    type Output = SparseRows<X, X::Output>;
    fn gather(of: [&Self; W]) -> Result<Self::Output, Difference> {
        require(of, "the number of modes is", |a, b| a.row_count() == b.row_count())?;
        SparseRows::join(of, X::gather)
    }
}

impl<X: Gather<W>, const K: usize, const W: usize> Gather<W> for [X; K]
where
    X::Output: Copy,
{
    type Output = [X::Output; K];
    fn gather(of: [&Self; W]) -> Result<Self::Output, Difference> {
        let mut out = [X::gather(of.map(|list| &list[0]))?; K];
        for i in 1..K {
            out[i] = X::gather(of.map(|list| &list[i]))?;
        }
        Ok(out)
    }
}

/// Variants: all lanes of one kind.
macro_rules! gather_variants {
    ($type:ident, $what:literal, $($variant:ident { $($i:tt: $x:ident),* })*) => {
        impl<const W: usize> Gather<W> for $type<f64> {
            type Output = $type<Lanes<f64, W>>;
            fn gather(of: [&Self; W]) -> Result<Self::Output, Difference> {
                require(of, $what, |a, b| std::mem::discriminant(a) == std::mem::discriminant(b))?;
                match of[0] {
                    $($type::$variant { $($i: $x),* } => {
                        let first = ($($x,)*);
                        // All are of this kind.
                        let _all = of.map(|other| match other {
                            $type::$variant { $($i: $x),* } => ($($x,)*),
                            _ => first,
                        });
                        Ok($type::$variant { $($i: Gather::gather(_all.map(|fields| fields.$i))?),* })
                    })*
                }
            }
        }
    };
}

impl<const W: usize> Gather<W> for Joint<f64> {
    type Output = Joint<Lanes<f64, W>>;
    fn gather(of: [&Self; W]) -> Result<Self::Output, Difference> {
        require(of, "the kind of a closure is", |a, b| (a.turns, a.slides) == (b.turns, b.slides))?;
        let number = Gather::gather(of.map(|joint| &joint.number))?;
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
