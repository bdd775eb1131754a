//! The published problems.

use std::f64::consts::{FRAC_PI_4, PI};

use super::rod::Rod;
use supple_bodies::section::{BeamProperties, Material, Section};

/// A clamped beam with a dead load on its tip. The beam starts along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Géradin and Cardona: 5 m, 600 kN.
    ClampedBeam,
    /// Gerstmayr and Irschik: 2 m, tip force `3 EI / L²`.
    Cantilever,
    /// A tip moment `2 π EI / L`.
    RollUp,
    /// Bathe and Bolourchi: an eighth of a circle of radius 100, a force of 600 out of its plane.
    Bend,
    /// Dowell and Traybar: a flat bar under a tip load.
    Princeton {
        /// Millinewton.
        load: u32,
        /// Degrees from the stiff direction of the section.
        angle: u32,
    },
}

impl Problem {
    /// Its name in the rows.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClampedBeam => "geradin",
            Self::Cantilever => "gerstmayr",
            Self::RollUp => "roll-up",
            Self::Bend => "bend-45",
            Self::Princeton { .. } => "princeton",
        }
    }

    /// Length of the axis, m.
    pub fn length(self) -> f64 {
        match self {
            Self::ClampedBeam => 5.0,
            Self::Cantilever => 2.0,
            Self::RollUp => 10.0,
            Self::Bend => 100.0 * FRAC_PI_4,
            Self::Princeton { .. } => 0.508,
        }
    }

    /// Angle about z by which the undeformed axis turns.
    pub fn arc(self) -> f64 {
        if self == Self::Bend { -FRAC_PI_4 } else { 0.0 }
    }

    /// Stiffness as published. Masses have no part in statics; the engine wants some.
    pub fn properties(self) -> BeamProperties {
        let of = |axial: f64, shear: f64, torsion: f64, bending: f64| BeamProperties {
            mass: 1.0,
            axial,
            bending_y: bending,
            bending_z: bending,
            torsion,
            shear,
            rotary: [1e-3; 3],
        };
        match self {
            Self::ClampedBeam => of(4.8e8, 3.231e8, 1e6, 9.346e6),
            Self::Cantilever => {
                let (young, side) = (2.07e11, 0.1_f64);
                let bending = young * side.powi(4) / 12.0;
                of(young * side * side, f64::INFINITY, bending, bending)
            }
            // Only EI is published; the axis of a circle has neither stretch nor shear.
            Self::RollUp => of(86.9e7, f64::INFINITY, 86.9e3, 86.9e3),
            Self::Bend => of(1e7, 41.6667e5, 8.333e5, 8.333e5),
            Self::Princeton { .. } => {
                let bar = Section::Rectangle { width: 0.01237, height: 0.0032024 };
                let aluminium = Material { young: 71.7e9, poisson: 0.31, density: 2700.0 };
                BeamProperties { shear: f64::INFINITY, ..BeamProperties::new(bar, aluminium) }
            }
        }
    }

    /// Full force and moment on the tip.
    pub fn load(self) -> ([f64; 3], [f64; 3]) {
        let (p, l) = (self.properties(), self.length());
        match self {
            Self::ClampedBeam => ([0.0, 6e5, 0.0], [0.0; 3]),
            Self::Cantilever => ([0.0, 3.0 * p.bending_y / (l * l), 0.0], [0.0; 3]),
            Self::RollUp => ([0.0; 3], [0.0, 0.0, 2.0 * PI * p.bending_y / l]),
            Self::Bend => ([0.0, 0.0, 600.0], [0.0; 3]),
            Self::Princeton { load, angle } => {
                let (s, c) = if angle == 90 { (1.0, 0.0) } else { f64::from(angle).to_radians().sin_cos() };
                let force = 1e-3 * f64::from(load);
                ([0.0, force * c, force * s], [0.0; 3])
            }
        }
    }

    /// The exact rod, sheared where the problem is.
    pub fn rod(self) -> Rod {
        Rod { length: self.length(), arc: self.arc(), properties: self.properties() }
    }

    /// The exact rod without shear, as the bodies are.
    pub fn unsheared_rod(self) -> Rod {
        Rod { properties: BeamProperties { shear: f64::INFINITY, ..self.properties() }, ..self.rod() }
    }

    /// Where the tip of the unloaded beam is.
    pub fn undeformed_tip(self) -> [f64; 3] {
        let (l, arc) = (self.length(), self.arc());
        if arc == 0.0 { [l, 0.0, 0.0] } else { [l / arc * arc.sin(), l / arc * (1.0 - arc.cos()), 0.0] }
    }

    /// Published values in the order of [`quantities`](Self::quantities).
    pub fn published(self) -> [Option<f64>; 3] {
        match self {
            Self::ClampedBeam => [2.159, 0.596, 0.672].map(Some),
            Self::Cantilever => [Some(1.207_239_854_550), Some(0.508_537_304_326), None],
            Self::RollUp => [Some(0.0), Some(10.0), Some(2.0 * PI)],
            Self::Bend => [-23.5, 13.4, 53.4].map(Some),
            Self::Princeton { .. } => [None; 3],
        }
    }

    /// What is told about the tip.
    pub fn quantities(self) -> [&'static str; 3] {
        match self {
            Self::Bend => ["tip_x_m", "tip_y_m", "tip_z_m"],
            Self::Princeton { .. } => ["edge_m", "flap_m", "twist_rad"],
            _ => ["drop_m", "shortening_m", "slope_rad"],
        }
    }

    /// These quantities from the position and attitude of the tip.
    pub fn told(self, position: [f64; 3], attitude: [[f64; 3]; 3]) -> [f64; 3] {
        let start = self.undeformed_tip();
        let [x, y, z]: [f64; 3] = std::array::from_fn(|i| position[i] - start[i]);
        match self {
            Self::Bend => [x, y, z],
            // The y axis of the section out of the x-y plane.
            Self::Princeton { .. } => [y, z, attitude[2][1].atan2(attitude[1][1])],
            _ => {
                let angle = attitude[1][0].atan2(attitude[0][0]);
                // The roll-up ends at a full turn, not at none.
                let turns = if self == Self::RollUp && angle < 1e-3 { 2.0 * PI } else { 0.0 };
                [y, 0.0 - x, angle + turns]
            }
        }
    }
}
