//! A beam cut into elements: stations, sections, fittings.

use super::element::{Element, Theory};
use super::point_mass::PointMass;
use crate::beam::Fitting;
use crate::section::BeamProperties;
use std::fmt;
use std::ops::Range;

/// How the mass of the beam is spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MassModel {
    /// By the shape functions.
    #[default]
    Consistent,
    /// At the stations, by the lever rule.
    Lumped,
}

/// What is held at a station, in the order `[θ_x, θ_y, θ_z, u, v, w]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The station.
    pub station: usize,
    /// Which degrees of freedom are held.
    pub held: [bool; 6],
}

impl Condition {
    /// Everything is held.
    pub fn clamped(station: usize) -> Self {
        Self { station, held: [true; 6] }
    }

    /// Displacement and twist are held; the beam may turn about y and z.
    pub fn pinned(station: usize) -> Self {
        Self { station, held: [true, false, false, true, true, true] }
    }

    /// The displacement across the beam is held.
    pub fn sliding(station: usize) -> Self {
        Self { station, held: [false, false, false, false, true, true] }
    }

    /// The degrees of freedom that are held.
    pub fn dofs(self) -> impl Iterator<Item = usize> {
        (0..6).filter(move |&i| self.held[i]).map(move |i| 6 * self.station + i)
    }
}

/// What is wrong with a mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MeshError {
    /// Fewer than two stations.
    TooFewStations {
        /// How many there are.
        stations: usize,
    },
    /// An element without length.
    NoLength {
        /// The element.
        element: usize,
        /// Its length.
        length: f64,
    },
    /// Offsets that turn an element away from the x axis.
    Inclined {
        /// The element.
        element: usize,
    },
    /// A stiffness or a mass that is not positive, or not finite where it must be.
    BadProperty {
        /// The element.
        element: usize,
        /// The property.
        property: &'static str,
        /// Its value.
        value: f64,
    },
    /// A station that the mesh does not have.
    NoStation {
        /// The station asked for.
        station: usize,
        /// How many there are.
        stations: usize,
    },
}

impl MeshError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::TooFewStations { .. } => "a beam needs two or more",
            Self::NoLength { .. } => "stations and offsets must advance along x",
            Self::Inclined { .. } => "an element must stay along x",
            Self::BadProperty { .. } => "it must be positive and finite",
            Self::NoStation { .. } => "stations are counted from 0",
        }
    }

    /// What is wrong, without the remedy.
    pub fn what(&self) -> String {
        match self {
            Self::TooFewStations { stations } => format!("{stations} stations"),
            Self::NoLength { element, length } => format!("element {element} has length {length}"),
            Self::Inclined { element } => format!("offsets of element {element} differ in y or z"),
            Self::BadProperty { element, property, value } => format!("element {element}: {property} is {value}"),
            Self::NoStation { station, stations } => format!("there is no station {station}, only {stations}"),
        }
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what(), self.remedy())
    }
}

impl std::error::Error for MeshError {}

/// A beam along x, cut into elements.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamMesh {
    pub(super) origin: [f64; 3],
    pub(super) stations: Vec<f64>,
    pub(super) elements: Vec<Element>,
    pub(super) fittings: Vec<PointMass>,
    pub(super) mass: MassModel,
    pub(super) rotary: bool,
}

impl BeamMesh {
    /// A uniform beam in elements of one length.
    ///
    /// # Errors
    /// [`MeshError`] as for [`new`](Self::new).
    pub fn uniform(length: f64, elements: usize, properties: BeamProperties) -> Result<Self, MeshError> {
        Self::tapered(length, elements, |_| properties)
    }

    /// A beam whose section varies: `at(x)` from the root, in elements of one length.
    ///
    /// # Errors
    /// [`MeshError`] as for [`new`](Self::new).
    pub fn tapered(length: f64, elements: usize, at: impl Fn(f64) -> BeamProperties) -> Result<Self, MeshError> {
        let stations: Vec<f64> = (0..=elements).map(|i| length * i as f64 / elements.max(1) as f64).collect();
        Self::new(&stations, |element, x| at(stations[element] + x))
    }

    /// A beam in spans, each with its section at both ends and linear between them.
    ///
    /// # Errors
    /// [`MeshError`] as for [`new`](Self::new).
    ///
    /// # Panics
    /// If there is not one span between each two stations.
    #[track_caller]
    pub fn spans(stations: &[f64], spans: &[[BeamProperties; 2]]) -> Result<Self, MeshError> {
        assert!(spans.len() + 1 == stations.len().max(1), "one span between each two stations");
        Self::new(stations, |element, x| {
            let [start, end] = &spans[element];
            between(start, end, x / (stations[element + 1] - stations[element]))
        })
    }

    /// A beam with stations at these `x`; the section of `element` at `x` from its start is `at(element, x)`.
    ///
    /// # Errors
    /// [`MeshError`] names the element without length or the property that is not positive.
    pub fn new(stations: &[f64], at: impl Fn(usize, f64) -> BeamProperties) -> Result<Self, MeshError> {
        if stations.len() < 2 {
            return Err(MeshError::TooFewStations { stations: stations.len() });
        }
        let mut elements = Vec::with_capacity(stations.len() - 1);
        for (i, ends) in stations.windows(2).enumerate() {
            let length = ends[1] - ends[0];
            // Written so that a length that is not a number fails too.
            if !(length > 0.0 && length.is_finite()) {
                return Err(MeshError::NoLength { element: i, length });
            }
            let element = Element::new(length, Theory::EulerBernoulli, |x| at(i, x));
            element.points().iter().try_for_each(|p| check(i, &p.properties))?;
            elements.push(element);
        }
        Ok(Self {
            origin: [0.0; 3],
            stations: stations.to_vec(),
            elements,
            fittings: vec![PointMass::default(); stations.len()],
            mass: MassModel::Consistent,
            rotary: false,
        })
    }

    /// The same mesh with its coordinates starting at `origin` from `F_k`.
    pub fn with_origin(mut self, origin: [f64; 3]) -> Self {
        self.origin = origin;
        self
    }

    /// The same mesh with another beam theory.
    pub fn with_theory(mut self, theory: Theory) -> Self {
        self.elements = self.elements.into_iter().map(|element| element.with_theory(theory)).collect();
        self
    }

    /// The same mesh with another spread of mass.
    pub fn with_mass(mut self, mass: MassModel) -> Self {
        self.mass = mass;
        self
    }

    /// The same mesh with or without the rotary inertia of sections in bending.
    pub fn with_rotary_inertia(mut self, rotary: bool) -> Self {
        self.rotary = rotary;
        self
    }

    /// The same mesh with one more rigid mass at a station.
    ///
    /// # Errors
    /// [`MeshError::NoStation`].
    pub fn with_fitting(mut self, station: usize, fitting: Fitting) -> Result<Self, MeshError> {
        let stations = self.stations.len();
        let place = self.fittings.get_mut(station).ok_or(MeshError::NoStation { station, stations })?;
        place.add(&PointMass::from(fitting));
        Ok(self)
    }

    /// The same mesh with an element held away from its stations by rigid offsets, equal in y and z. The section keeps its course
    /// along the element, which may become longer or shorter.
    ///
    /// # Errors
    /// [`MeshError::Inclined`] and [`MeshError::NoLength`].
    ///
    /// # Panics
    /// If the mesh has no such element.
    #[track_caller]
    pub fn with_offsets(mut self, element: usize, offsets: [[f64; 3]; 2]) -> Result<Self, MeshError> {
        let [a, b] = offsets;
        if a[1] != b[1] || a[2] != b[2] {
            return Err(MeshError::Inclined { element });
        }
        let length = self.stations[element + 1] + b[0] - self.stations[element] - a[0];
        if !(length > 0.0 && length.is_finite()) {
            return Err(MeshError::NoLength { element, length });
        }
        self.elements[element] = self.elements[element].clone().with_offsets(length, offsets);
        Ok(self)
    }

    /// Number of stations.
    pub fn station_count(&self) -> usize {
        self.stations.len()
    }

    /// The last station.
    pub fn tip(&self) -> usize {
        self.stations.len() - 1
    }

    /// Elements, each between the stations of its index and the next.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// Position of a station from `F_k`.
    ///
    /// # Panics
    /// For a station that the mesh does not have.
    pub fn position(&self, station: usize) -> [f64; 3] {
        [self.origin[0] + self.stations[station], self.origin[1], self.origin[2]]
    }

    /// Degrees of freedom of a station: `[θ_x, θ_y, θ_z, u, v, w]`.
    pub fn dofs(&self, station: usize) -> Range<usize> {
        6 * station..6 * station + 6
    }

    /// Number of degrees of freedom.
    pub fn dof_count(&self) -> usize {
        6 * self.stations.len()
    }
}

/// Linear between two sections.
fn between(a: &BeamProperties, b: &BeamProperties, t: f64) -> BeamProperties {
    // Equal values pass unchanged, infinite ones too.
    let mix = |a: f64, b: f64| if a == b { a } else { a + t * (b - a) };
    BeamProperties {
        mass: mix(a.mass, b.mass),
        axial: mix(a.axial, b.axial),
        bending_y: mix(a.bending_y, b.bending_y),
        bending_z: mix(a.bending_z, b.bending_z),
        torsion: mix(a.torsion, b.torsion),
        shear: mix(a.shear, b.shear),
        rotary: std::array::from_fn(|i| mix(a.rotary[i], b.rotary[i])),
    }
}

fn check(element: usize, p: &BeamProperties) -> Result<(), MeshError> {
    let stiff = [
        ("axial stiffness", p.axial),
        ("bending stiffness in the x-y plane", p.bending_y),
        ("bending stiffness in the x-z plane", p.bending_z),
        ("torsional stiffness", p.torsion),
    ];
    for (property, value) in stiff {
        if !(value > 0.0 && value.is_finite()) {
            return Err(MeshError::BadProperty { element, property, value });
        }
    }
    // The shear stiffness may be infinite; mass may be absent.
    if p.shear.is_nan() || p.shear <= 0.0 {
        return Err(MeshError::BadProperty { element, property: "shear stiffness", value: p.shear });
    }
    for (property, value) in [
        ("mass", p.mass),
        ("rotary inertia about x", p.rotary[0]),
        ("rotary inertia about y", p.rotary[1]),
        ("rotary inertia about z", p.rotary[2]),
    ] {
        if !(value >= 0.0 && value.is_finite()) {
            return Err(MeshError::BadProperty { element, property, value });
        }
    }
    Ok(())
}
