//! Numbers of a model that stay symbols in a program, so that one program serves a family of models.
//!
//! | name                                                | number                                                             |
//! |-----------------------------------------------------|--------------------------------------------------------------------|
//! | `gravity.x`, …                                      | component of the gravitational acceleration                        |
//! | `body.NAME.mass`                                    | mass of a rigid body                                               |
//! | `body.NAME.mass_centre.x`, …                        | its mass centre, from its frame                                    |
//! | `body.NAME.inertia.xx`, … `yy`, `zz`, `xy`, `xz`, `yz` | its inertia about the mass centre                               |
//! | `body.NAME.stiffness`, `body.NAME.damping`          | factors of the elastic forces and of the damping of its modes      |
//! | `hinge.NAME.position.x`, …                          | where a hinge is, from the node that carries it                    |
//! | `force.NAME.stiffness`, `force.NAME.1`, …           | a number of a force element, by name or counted from one           |

use crate::program::Signal;
use crate::recorder::RecordError;
use std::fmt;
use std::str::FromStr;
use supple::spatial::{RigidInertia, Scalar, Symmetric3, Vector3};
use supple::{BodyIndex, Model};

const AXES: [&str; 3] = ["x", "y", "z"];
const ENTRIES: [&str; 6] = ["xx", "yy", "zz", "xy", "xz", "yz"];

/// A number of a model by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Parameter {
    /// Component of the gravitational acceleration.
    Gravity(usize),
    /// A number of a body.
    Body {
        /// Name of the body.
        body: String,
        /// Which number.
        quantity: BodyQuantity,
    },
    /// Component of the position of a hinge from the node that carries it.
    HingePosition {
        /// Name of the hinge.
        hinge: String,
        /// Which component.
        axis: usize,
    },
    /// A number of the law of a force element.
    Force {
        /// Name of the element.
        element: String,
        /// Its name, where the law has names, or its number, counted from one.
        quantity: String,
    },
}

/// Numbers of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyQuantity {
    /// Mass; the inertia about the mass centre stays.
    Mass,
    /// Component of the mass centre from the frame of the body.
    MassCentre(usize),
    /// Entry of the inertia about the mass centre: `xx, yy, zz, xy, xz, yz`.
    Inertia(usize),
    /// Factor of all elastic forces of its modes.
    Stiffness,
    /// Factor of the damping of its modes.
    Damping,
}

/// A text that names no parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownParameter(pub String);

impl fmt::Display for UnknownParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there is no parameter '{}'; write gravity.x, body.NAME.mass, body.NAME.mass_centre.x, body.NAME.inertia.xx, \
             body.NAME.stiffness, body.NAME.damping, hinge.NAME.position.x or force.NAME.stiffness",
            self.0
        )
    }
}

impl std::error::Error for UnknownParameter {}

impl FromStr for Parameter {
    type Err = UnknownParameter;

    fn from_str(text: &str) -> Result<Self, UnknownParameter> {
        parsed(text).ok_or_else(|| UnknownParameter(text.into()))
    }
}

fn place(list: &[&str], name: &str) -> Option<usize> {
    list.iter().position(|known| *known == name)
}

/// Names of bodies may have dots: what follows them is read from the end.
fn parsed(text: &str) -> Option<Parameter> {
    let (kind, rest) = text.split_once('.')?;
    if kind == "gravity" {
        return place(&AXES, rest).map(Parameter::Gravity);
    }
    let (front, last) = rest.rsplit_once('.').filter(|(front, last)| !front.is_empty() && !last.is_empty())?;
    let inner = front.rsplit_once('.').filter(|(name, _)| !name.is_empty());
    let body = |name: &str, quantity| Some(Parameter::Body { body: name.into(), quantity });
    match (kind, inner, last) {
        ("force", _, _) => Some(Parameter::Force { element: front.into(), quantity: last.into() }),
        ("hinge", Some((name, "position")), _) => {
            Some(Parameter::HingePosition { hinge: name.into(), axis: place(&AXES, last)? })
        }
        ("body", Some((name, "mass_centre")), _) => body(name, BodyQuantity::MassCentre(place(&AXES, last)?)),
        ("body", Some((name, "inertia")), _) => body(name, BodyQuantity::Inertia(place(&ENTRIES, last)?)),
        ("body", _, "mass") => body(front, BodyQuantity::Mass),
        ("body", _, "stiffness") => body(front, BodyQuantity::Stiffness),
        ("body", _, "damping") => body(front, BodyQuantity::Damping),
        _ => None,
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |list: &'static [&str], i: usize| list.get(i).copied().unwrap_or("?");
        match self {
            Self::Gravity(axis) => write!(f, "gravity.{}", of(&AXES, *axis)),
            Self::Body { body, quantity } => match quantity {
                BodyQuantity::Mass => write!(f, "body.{body}.mass"),
                BodyQuantity::MassCentre(axis) => write!(f, "body.{body}.mass_centre.{}", of(&AXES, *axis)),
                BodyQuantity::Inertia(entry) => write!(f, "body.{body}.inertia.{}", of(&ENTRIES, *entry)),
                BodyQuantity::Stiffness => write!(f, "body.{body}.stiffness"),
                BodyQuantity::Damping => write!(f, "body.{body}.damping"),
            },
            Self::HingePosition { hinge, axis } => write!(f, "hinge.{hinge}.position.{}", of(&AXES, *axis)),
            Self::Force { element, quantity } => write!(f, "force.{element}.{quantity}"),
        }
    }
}

/// Names of the numbers of a law, where they have names.
fn law_names(law: &str) -> &'static [&'static str] {
    match law {
        "hinge spring" => &["stiffness", "rest"],
        "hinge damping" => &["damping"],
        "spring-damper" => &["length", "stiffness", "damping", "preload"],
        _ => &[],
    }
}

/// Mass, mass centre and inertia about it.
#[derive(Clone, Copy)]
struct Weight<T> {
    mass: T,
    centre: [T; 3],
    inertia: [T; 6],
}

/// `c² I - c c*` of a unit mass at `c`: `xx, yy, zz, xy, xz, yz`.
fn lever<T: Scalar>([x, y, z]: [T; 3]) -> [T; 6] {
    [y * y + z * z, x * x + z * z, x * x + y * y, -(x * y), -(x * z), -(y * z)]
}

impl Weight<f64> {
    fn of(model: &Model, body: BodyIndex) -> Result<Self, RecordError> {
        let RigidInertia { mass, moment, inertia } = model.rigid_inertia(body)?;
        let centre = if mass == 0.0 { [0.0; 3] } else { moment.0.map(|x| x / mass) };
        let about = lever(centre);
        Ok(Self { mass, centre, inertia: std::array::from_fn(|i| inertia.0[i] - mass * about[i]) })
    }

    fn cast<T: Scalar>(&self) -> Weight<T> {
        Weight {
            mass: T::from_f64(self.mass),
            centre: self.centre.map(T::from_f64),
            inertia: self.inertia.map(T::from_f64),
        }
    }
}

impl<T: Scalar> Weight<T> {
    fn about_frame(&self) -> RigidInertia<T> {
        let about = lever(self.centre);
        RigidInertia {
            mass: self.mass,
            moment: Vector3(self.centre.map(|x| x * self.mass)),
            inertia: Symmetric3(std::array::from_fn(|i| about[i].mul_add(self.mass, self.inertia[i]))),
        }
    }
}

impl Parameter {
    /// All that a model may have; [`signal`](Self::signal) tells which it has.
    pub fn all(model: &Model) -> Vec<Self> {
        let mut list: Vec<Self> = (0..3).map(Self::Gravity).collect();
        for body in model.body_indices() {
            let of = |quantity| Self::Body { body: model.name(body).into(), quantity };
            list.push(of(BodyQuantity::Mass));
            list.extend((0..3).map(|axis| of(BodyQuantity::MassCentre(axis))));
            list.extend((0..6).map(|entry| of(BodyQuantity::Inertia(entry))));
            list.extend([BodyQuantity::Stiffness, BodyQuantity::Damping].map(of));
            if let Some(hinge) = model.hinge_of(body).and_then(|hinge| model.hinge_name(hinge)) {
                list.extend((0..3).map(|axis| Self::HingePosition { hinge: hinge.into(), axis }));
            }
        }
        for (i, element) in model.forces().iter().enumerate() {
            let Some(name) = &element.name else { continue };
            let names = law_names(element.as_law().name());
            let quantity = |n: usize| names.get(n).map_or_else(|| (n + 1).to_string(), |name| (*name).to_owned());
            let of = |n| Self::Force { element: name.clone(), quantity: quantity(n) };
            list.extend((0..model.element_parameters(i).len()).map(of));
        }
        list
    }

    /// Its name and unit, and the value that the model has.
    ///
    /// # Errors
    /// Names that the model does not have, or a number that the part does not have.
    pub fn signal(&self, model: &Model) -> Result<(Signal, f64), RecordError> {
        let component = |list: &[f64], i: usize| list.get(i).copied().ok_or_else(|| self.refused("no such component"));
        let (unit, value) = match self {
            Self::Gravity(axis) => ("m/s²", component(&model.gravity().0, *axis)?),
            Self::HingePosition { hinge, axis } => {
                ("m", component(&model.hinge_position(model.hinge(hinge)?.body())?.0, *axis)?)
            }
            Self::Force { .. } => {
                let (element, number) = self.force(model)?;
                ("SI", model.element_parameters(element)[number])
            }
            Self::Body { body, quantity } => {
                let body = model.body(body)?;
                match quantity {
                    BodyQuantity::Stiffness | BodyQuantity::Damping if model.modes(body) == 0 => {
                        return Err(self.refused("the body has no modes"));
                    }
                    BodyQuantity::Stiffness | BodyQuantity::Damping => ("1", 1.0),
                    _ if model.modes(body) > 0 => {
                        return Err(self.refused(
                            "the body has modes, which depend on its mass; give the mass that changes a body of its own, on a fixed hinge",
                        ));
                    }
                    BodyQuantity::Mass => ("kg", Weight::of(model, body)?.mass),
                    BodyQuantity::MassCentre(axis) => ("m", component(&Weight::of(model, body)?.centre, *axis)?),
                    BodyQuantity::Inertia(entry) => ("kg m²", component(&Weight::of(model, body)?.inertia, *entry)?),
                }
            }
        };
        Ok((Signal::new(self.to_string(), unit), value))
    }

    fn refused(&self, reason: impl Into<String>) -> RecordError {
        RecordError::Parameter { parameter: self.to_string(), reason: reason.into() }
    }

    /// The force element of the model, and which of its numbers.
    fn force(&self, model: &Model) -> Result<(usize, usize), RecordError> {
        let Self::Force { element, quantity } = self else { return Err(self.refused("it is no force element")) };
        let found = model.forces().iter().position(|force| force.name.as_deref() == Some(element));
        let element = found.ok_or_else(|| self.refused("the model has no force element of this name"))?;
        let law = model.forces()[element].as_law();
        let names = law_names(law.name());
        let count = model.element_parameters(element).len();
        let number = place(names, quantity).or_else(|| quantity.parse::<usize>().ok()?.checked_sub(1));
        let known = || match names {
            [] => format!("a {} has numbers 1 to {count}", law.name()),
            names => format!("a {} has {}", law.name(), names.join(", ")),
        };
        number
            .filter(|number| *number < count && !law.has_input())
            .map(|n| (element, n))
            .ok_or_else(|| self.refused(known()))
    }
}

/// The model with these values of parameters; `of` is the one that it was cast from.
pub(crate) fn with<T: Scalar>(
    of: &Model,
    mut model: Model<T>,
    parameters: &[Parameter],
    values: &[T],
) -> Result<Model<T>, RecordError> {
    let mut gravity = of.gravity().0.map(T::from_f64);
    let mut weights: Vec<(BodyIndex, Weight<T>)> = Vec::new();
    let mut places: Vec<(BodyIndex, [T; 3])> = Vec::new();
    for (parameter, value) in parameters.iter().zip(values) {
        match parameter {
            Parameter::Gravity(axis) => gravity[*axis] = *value,
            Parameter::HingePosition { hinge, axis } => {
                let body = of.hinge(hinge)?.body();
                let start = of.hinge_position(body)?.0.map(T::from_f64);
                entry(&mut places, body, start)[*axis] = *value;
            }
            Parameter::Force { .. } => {
                let (element, number) = parameter.force(of)?;
                model = model.with_element_parameter(element, number, *value)?;
            }
            Parameter::Body { body, quantity } => {
                let body = of.body(body)?;
                let start = Weight::of(of, body)?.cast();
                match quantity {
                    BodyQuantity::Stiffness => model = model.with_scaled_stiffness(body, *value)?,
                    BodyQuantity::Damping => model = model.with_scaled_damping(body, *value)?,
                    BodyQuantity::Mass => entry(&mut weights, body, start).mass = *value,
                    BodyQuantity::MassCentre(axis) => entry(&mut weights, body, start).centre[*axis] = *value,
                    BodyQuantity::Inertia(at) => entry(&mut weights, body, start).inertia[*at] = *value,
                }
            }
        }
    }
    for (body, weight) in weights {
        model = model.with_rigid_inertia(body, weight.about_frame())?;
    }
    for (body, position) in places {
        model = model.with_hinge_position(body, Vector3(position))?;
    }
    Ok(model.with_gravity(Vector3(gravity)))
}

/// What a list has for a body; `start` where it has nothing yet.
fn entry<X>(list: &mut Vec<(BodyIndex, X)>, body: BodyIndex, start: X) -> &mut X {
    let at = list.iter().position(|(known, _)| *known == body).unwrap_or(list.len());
    if at == list.len() {
        list.push((body, start));
    }
    &mut list[at].1
}
