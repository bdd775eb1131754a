//! Rigid masses at stations: fittings and lumped beam mass, summed into one.

use crate::beam::Fitting;
use supple::Node;

/// A rigid mass that moves with a station.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointMass {
    /// Mass `m`.
    pub mass: f64,
    /// First moment `m p` from the station.
    pub moment: [f64; 3],
    /// Inertia about the station.
    pub inertia: [[f64; 3]; 3],
}

impl PointMass {
    /// A mass at `offset` with its own inertia about axes through `offset`.
    pub fn at(mass: f64, offset: [f64; 3], own: [f64; 3]) -> Self {
        let square: f64 = offset.iter().map(|x| x * x).sum();
        let mut inertia = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                let diagonal = if i == j { own[i] + mass * square } else { 0.0 };
                inertia[i][j] = diagonal - mass * offset[i] * offset[j];
            }
        }
        Self { mass, moment: offset.map(|x| mass * x), inertia }
    }

    /// Adds another mass that moves with the same station.
    pub fn add(&mut self, other: &Self) {
        self.mass += other.mass;
        for i in 0..3 {
            self.moment[i] += other.moment[i];
            for j in 0..3 {
                self.inertia[i][j] += other.inertia[i][j];
            }
        }
    }

    /// `[ J, m p̃ ; -m p̃, m I ]`.
    pub fn matrix(&self) -> [[f64; 6]; 6] {
        let [x, y, z] = self.moment;
        let tilde = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
        let mut out = [[0.0; 6]; 6];
        for i in 0..3 {
            out[i + 3][i + 3] = self.mass;
            for j in 0..3 {
                out[i][j] = self.inertia[i][j];
                out[i][j + 3] = tilde[i][j];
                out[i + 3][j] = -tilde[i][j];
            }
        }
        out
    }

    /// Gives the mass to a node of the engine.
    pub fn load(&self, node: &mut Node) {
        node.mass = self.mass;
        node.inertia = self.inertia;
        node.mass_centre = if self.mass == 0.0 { [0.0; 3] } else { self.moment.map(|x| x / self.mass) };
    }
}

impl From<Fitting> for PointMass {
    fn from(fitting: Fitting) -> Self {
        let moment = fitting.mass_centre.map(|x| fitting.mass * x);
        Self { mass: fitting.mass, moment, inertia: fitting.inertia }
    }
}
