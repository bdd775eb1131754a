//! What a beam is made of at each place along it.

use crate::section::{BeamProperties, Material, Section};

/// A 6 × 6 matrix of a section.
pub type SectionMatrix = [[f64; 6]; 6];

/// A section: its axes are x along the beam, y and z across it.
///
/// Stress resultants `[N, Q_y, Q_z, T, M_y, M_z]` and strains `[ε, γ_y, γ_z, κ_x, κ_y, κ_z]` belong to the reference line, on which the nodes are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionLaw {
    /// Strains per stress resultant; a row of zeros is rigid.
    pub compliance: SectionMatrix,
    /// Mass per length.
    pub mass: f64,
    /// Mass centre from the reference line along y and z.
    pub mass_centre: [f64; 2],
    /// Inertia per length about the reference line.
    pub inertia: [[f64; 3]; 3],
}

impl SectionLaw {
    /// Of a section whose mass centre, tension centre and shear centre are on the reference line; `shear` says whether it shears.
    pub fn symmetric(properties: &BeamProperties, shear: bool) -> Self {
        let p = properties;
        let soft = if shear { p.shear.recip() } else { 0.0 };
        let diagonal = [p.axial.recip(), soft, soft, p.torsion.recip(), p.bending_z.recip(), p.bending_y.recip()];
        let mut compliance = [[0.0; 6]; 6];
        (0..6).for_each(|i| compliance[i][i] = diagonal[i]);
        let mut inertia = [[0.0; 3]; 3];
        (0..3).for_each(|i| inertia[i][i] = p.rotary[i]);
        Self { compliance, mass: p.mass, mass_centre: [0.0; 2], inertia }
    }

    /// Whether families of stretch, twist and bending do not know of each other.
    pub fn is_uncoupled(&self) -> bool {
        // Shear along y goes with bending about z.
        let family = [0, 2, 3, 1, 3, 2];
        let apart = |i: usize, j: usize| family[i] != family[j] && self.compliance[i][j] != 0.0;
        let products = [(0, 1), (0, 2), (1, 2)].iter().any(|(i, j)| self.inertia[*i][*j] != 0.0);
        self.mass_centre == [0.0; 2] && !products && !(0..36).any(|k| apart(k / 6, k % 6))
    }

    fn between(&self, other: &Self, part: f64) -> Self {
        let mix = |a: f64, b: f64| a + part * (b - a);
        Self {
            compliance: std::array::from_fn(|i| {
                std::array::from_fn(|j| mix(self.compliance[i][j], other.compliance[i][j]))
            }),
            mass: mix(self.mass, other.mass),
            mass_centre: std::array::from_fn(|i| mix(self.mass_centre[i], other.mass_centre[i])),
            inertia: std::array::from_fn(|i| std::array::from_fn(|j| mix(self.inertia[i][j], other.inertia[i][j]))),
        }
    }
}

/// How a section is described: dimensions change linearly along the beam, and stiffness with them; or stiffness itself does.
#[derive(Clone, Copy, Debug, PartialEq)]
// A beam has few sections, and they are copied once.
#[allow(clippy::large_enum_variant)]
pub enum SectionKind {
    /// A cross-section of a material, which may shear.
    Shape {
        /// Its dimensions.
        section: Section,
        /// Its material.
        material: Material,
        /// Whether it shears.
        shear: bool,
    },
    /// Stiffness and mass per length: the inverse of `compliance` changes linearly.
    Law(SectionLaw),
}

impl SectionKind {
    /// Stiffness and mass.
    pub fn law(&self) -> SectionLaw {
        match self {
            Self::Shape { section, material, shear } => {
                SectionLaw::symmetric(&BeamProperties::new(*section, *material), *shear)
            }
            Self::Law(law) => *law,
        }
    }

    /// Whether two sections are of one kind, so that there is something between them.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Shape { section: a, .. }, Self::Shape { section: b, .. }) => {
                std::mem::discriminant(a) == std::mem::discriminant(b)
            }
            (Self::Law(_), Self::Law(_)) => true,
            _ => false,
        }
    }

    fn between(&self, other: &Self, part: f64) -> SectionLaw {
        match (self, other) {
            (Self::Shape { section: a, material, shear }, Self::Shape { section: b, .. }) => {
                let section = between(a, b, part);
                SectionLaw::symmetric(&BeamProperties::new(section, *material), *shear)
            }
            _ => {
                let (a, b) = (self.law(), other.law());
                if a.compliance == b.compliance {
                    return a.between(&b, part);
                }
                // Stiffness is linear, so its inverse is not; a row that is rigid at both ends stays so.
                let stiff = a.stiffness().between_matrices(&b.stiffness(), part);
                SectionLaw { compliance: stiff.inverse(), ..a.between(&b, part) }
            }
        }
    }
}

/// Dimensions between those of two sections of one kind; the first of two that are not.
fn between(a: &Section, b: &Section, part: f64) -> Section {
    let mix = |a: f64, b: f64| a + part * (b - a);
    match (*a, *b) {
        (Section::Tube { outer: o, inner: i }, Section::Tube { outer, inner }) => {
            Section::Tube { outer: mix(o, outer), inner: mix(i, inner) }
        }
        (Section::Box { width: w, height: h, wall: t }, Section::Box { width, height, wall }) => {
            Section::Box { width: mix(w, width), height: mix(h, height), wall: mix(t, wall) }
        }
        (Section::Rectangle { width: w, height: h }, Section::Rectangle { width, height }) => {
            Section::Rectangle { width: mix(w, width), height: mix(h, height) }
        }
        _ => *a,
    }
}

/// A symmetric matrix of some of the six directions; the others are rigid.
struct Partial {
    rows: Vec<usize>,
    matrix: Vec<Vec<f64>>,
}

impl SectionLaw {
    fn stiffness(&self) -> Partial {
        let rows: Vec<usize> = (0..6).filter(|i| self.compliance[*i][*i] != 0.0).collect();
        let matrix = rows.iter().map(|i| rows.iter().map(|j| self.compliance[*i][*j]).collect()).collect();
        let matrix = invert(matrix).unwrap_or_default();
        Partial { rows, matrix }
    }
}

impl Partial {
    fn between_matrices(&self, other: &Self, part: f64) -> Self {
        let mix = |(a, b): (&f64, &f64)| a + part * (b - a);
        let row = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(mix).collect();
        Self { rows: self.rows.clone(), matrix: self.matrix.iter().zip(&other.matrix).map(row).collect() }
    }

    fn inverse(&self) -> SectionMatrix {
        let mut out = [[0.0; 6]; 6];
        let inverse = invert(self.matrix.clone()).unwrap_or_default();
        for (i, row) in self.rows.iter().zip(&inverse) {
            self.rows.iter().zip(row).for_each(|(j, x)| out[*i][*j] = *x);
        }
        out
    }
}

/// The compliance of a stiffness matrix of a section; none where it is not symmetric and positive definite.
pub fn compliance_of(stiffness: &SectionMatrix) -> Option<SectionMatrix> {
    let scale: Vec<f64> = (0..6).map(|i| stiffness[i][i].sqrt()).collect();
    if !scale.iter().all(|s| s.is_finite() && *s > 0.0) {
        return None;
    }
    let unit = |i: usize, j: usize| stiffness[i][j] / (scale[i] * scale[j]);
    if (0..36).any(|k| (unit(k / 6, k % 6) - unit(k % 6, k / 6)).abs() > 1e-9) {
        return None;
    }
    let rows: Vec<Vec<f64>> = (0..6).map(|i| (0..6).map(|j| 0.5 * (unit(i, j) + unit(j, i))).collect()).collect();
    let (values, _) = crate::eigen::symmetric(rows.clone());
    if values.iter().any(|value| *value <= 1e-12) {
        return None;
    }
    let inverse = invert(rows)?;
    Some(std::array::from_fn(|i| std::array::from_fn(|j| inverse[i][j] / (scale[i] * scale[j]))))
}

/// The inverse of a definite matrix, by Gauss and Jordan; none where a pivot vanishes.
pub(super) fn invert(mut a: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = a.len();
    for k in 0..n {
        let pivot = a[k][k].recip();
        if !pivot.is_finite() {
            return None;
        }
        let own: Vec<f64> = (0..n).map(|j| if j == k { pivot } else { a[k][j] * pivot }).collect();
        for (i, row) in a.iter_mut().enumerate() {
            let factor = row[k];
            if i != k {
                row.iter_mut().zip(&own).enumerate().for_each(|(j, (x, y))| {
                    *x = if j == k { -factor * pivot } else { *x - factor * y };
                });
            }
        }
        a[k] = own;
    }
    Some(a)
}

/// A section at its place along a beam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Station {
    /// Distance from the root along the line.
    pub x: f64,
    /// Its section.
    pub kind: SectionKind,
    /// Rotation of its axes about the line, from the axes that the line carries along.
    pub twist: f64,
    /// Curvature of the line about its y and z axes, without load.
    pub curvature: [f64; 2],
}

/// Sections along a beam, one or more, the first place first; between them everything changes linearly, before the first and after the last nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Sections(pub Vec<Station>);

/// What a beam is at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    pub law: SectionLaw,
    pub twist: f64,
    pub curvature: [f64; 2],
}

impl Sections {
    /// At a place.
    pub(super) fn at(&self, x: f64) -> Local {
        let after = self.0.iter().position(|station| station.x > x);
        let one = |s: &Station| Local { law: s.kind.law(), twist: s.twist, curvature: s.curvature };
        match after {
            Some(0) => one(&self.0[0]),
            None => one(&self.0[self.0.len() - 1]),
            Some(k) => {
                let (a, b) = (&self.0[k - 1], &self.0[k]);
                let part = (x - a.x) / (b.x - a.x);
                let mix = |a: f64, b: f64| a + part * (b - a);
                Local {
                    law: a.kind.between(&b.kind, part),
                    twist: mix(a.twist, b.twist),
                    curvature: [mix(a.curvature[0], b.curvature[0]), mix(a.curvature[1], b.curvature[1])],
                }
            }
        }
    }

    /// Cross-section and twist at a place; none where only stiffness and mass are known.
    pub fn shape(&self, x: f64) -> Option<(Section, f64)> {
        let after = self.0.iter().position(|station| station.x > x).unwrap_or(self.0.len());
        let (b, a) = (self.0.get(after).or(self.0.last())?, self.0.get(after.saturating_sub(1))?);
        let (SectionKind::Shape { section: from, .. }, SectionKind::Shape { section: to, .. }) = (a.kind, b.kind)
        else {
            return None;
        };
        let part = if b.x > a.x { ((x - a.x) / (b.x - a.x)).clamp(0.0, 1.0) } else { 0.0 };
        Some((between(&from, &to, part), a.twist + part * (b.twist - a.twist)))
    }

    /// Places where something changes its slope.
    pub(super) fn breaks(&self) -> impl Iterator<Item = f64> {
        self.0.iter().map(|station| station.x)
    }

    /// Whether the line is straight.
    pub fn is_straight(&self) -> bool {
        self.0.iter().all(|station| station.curvature == [0.0; 2])
    }

    /// Whether stretch, twist and the two planes of bending do not know of each other, along the whole beam.
    pub fn is_uncoupled(&self) -> bool {
        self.is_straight() && self.0.iter().all(|s| s.twist == 0.0 && s.kind.law().is_uncoupled())
    }
}
