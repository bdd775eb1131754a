//! Cross-sections, materials and the stiffness they give a beam. SI units; the beam runs along x.

/// An isotropic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus `E`.
    pub young: f64,
    /// Poisson's ratio `ν`.
    pub poisson: f64,
    /// Density `ρ`.
    pub density: f64,
}

impl Material {
    /// Shear modulus `G = E / 2(1 + ν)`.
    pub fn shear(&self) -> f64 {
        self.young / (2.0 * (1.0 + self.poisson))
    }
}

/// The shape of a cross-section, centred on the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Section {
    /// Circular tube.
    Tube {
        /// Outer radius.
        outer: f64,
        /// Inner radius; 0 for a solid rod.
        inner: f64,
    },
    /// Rectangular box with walls of one thickness.
    Box {
        /// Outer width along y.
        width: f64,
        /// Outer height along z.
        height: f64,
        /// Thickness of the walls.
        wall: f64,
    },
    /// Solid rectangle.
    Rectangle {
        /// Width along y.
        width: f64,
        /// Height along z.
        height: f64,
    },
}

/// Area, second moments and torsion constant of a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionProperties {
    /// Area `A`.
    pub area: f64,
    /// `I_y = ∫ z² dA`, bending in the x-z plane.
    pub moment_y: f64,
    /// `I_z = ∫ y² dA`, bending in the x-y plane.
    pub moment_z: f64,
    /// Torsion constant `J_t`.
    pub torsion: f64,
    /// Shear correction factor of Timoshenko's theory.
    pub shear_factor: f64,
}

impl Section {
    /// Properties of the section for a material of Poisson's ratio `poisson`, which the shear factor needs.
    pub fn properties(&self, poisson: f64) -> SectionProperties {
        use std::f64::consts::PI;
        match *self {
            Self::Tube { outer, inner } => {
                let moment = PI / 4.0 * (outer.powi(4) - inner.powi(4));
                // Cowper's factor for a hollow circle of radius ratio m.
                let m2 = (inner / outer).powi(2);
                let sum = (1.0 + m2).powi(2);
                let shear_factor =
                    6.0 * (1.0 + poisson) * sum / ((7.0 + 6.0 * poisson) * sum + (20.0 + 12.0 * poisson) * m2);
                let area = PI * (outer * outer - inner * inner);
                SectionProperties { area, moment_y: moment, moment_z: moment, torsion: 2.0 * moment, shear_factor }
            }
            Self::Box { width, height, wall } => {
                let (w, h) = (width - 2.0 * wall, height - 2.0 * wall);
                // Bredt's formula on the middle line of a thin closed wall.
                let (wm, hm) = (width - wall, height - wall);
                SectionProperties {
                    area: width * height - w * h,
                    moment_y: (width * height.powi(3) - w * h.powi(3)) / 12.0,
                    moment_z: (height * width.powi(3) - h * w.powi(3)) / 12.0,
                    torsion: 2.0 * wall * (wm * hm).powi(2) / (wm + hm),
                    shear_factor: 5.0 / 12.0,
                }
            }
            Self::Rectangle { width, height } => {
                let (long, short) = (width.max(height), width.min(height));
                SectionProperties {
                    area: width * height,
                    moment_y: width * height.powi(3) / 12.0,
                    moment_z: height * width.powi(3) / 12.0,
                    torsion: rectangle_torsion(long, short),
                    shear_factor: 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson),
                }
            }
        }
    }
}

/// Saint-Venant's series for a solid rectangle.
fn rectangle_torsion(long: f64, short: f64) -> f64 {
    use std::f64::consts::PI;
    let series: f64 =
        (0..40).map(|i| f64::from(2 * i + 1)).map(|n| (n * PI * long / (2.0 * short)).tanh() / n.powi(5)).sum();
    long * short.powi(3) * (1.0 / 3.0 - 64.0 / PI.powi(5) * short / long * series)
}

/// What a beam needs to know of its section and material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeamProperties {
    /// Mass per length.
    pub mass: f64,
    /// Axial stiffness `EA`.
    pub axial: f64,
    /// `EI_z`, bending in the x-y plane.
    pub bending_y: f64,
    /// `EI_y`, bending in the x-z plane.
    pub bending_z: f64,
    /// Torsional stiffness `GJ`.
    pub torsion: f64,
    /// Shear stiffness `κ GA` of Timoshenko's theory; infinite for Euler-Bernoulli.
    pub shear: f64,
    /// Rotary inertia per length about x, y and z.
    pub rotary: [f64; 3],
}

impl BeamProperties {
    /// From a section and a material.
    pub fn new(section: Section, material: Material) -> Self {
        let s = section.properties(material.poisson);
        let polar = material.density * (s.moment_y + s.moment_z);
        Self {
            mass: material.density * s.area,
            axial: material.young * s.area,
            bending_y: material.young * s.moment_z,
            bending_z: material.young * s.moment_y,
            torsion: material.shear() * s.torsion,
            shear: s.shear_factor * material.shear() * s.area,
            rotary: [polar, material.density * s.moment_y, material.density * s.moment_z],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The torsion constant of a square of side a is 0.1405770 a⁴ (Timoshenko and Goodier).
    #[test]
    fn known_torsion_constants() {
        let square = Section::Rectangle { width: 2.0, height: 2.0 }.properties(0.3);
        assert!((square.torsion / 16.0 - 0.140_577_0).abs() < 1e-6);
        let thin = Section::Rectangle { width: 1.0, height: 1e-3 }.properties(0.3);
        assert!((thin.torsion / (1e-9 / 3.0) - 1.0).abs() < 1e-3);
        let tube = Section::Tube { outer: 0.1, inner: 0.09 }.properties(0.3);
        assert!((tube.torsion - (tube.moment_y + tube.moment_z)).abs() < 1e-20);
    }
}
