//! A meshed beam with two interface stations, reduced by Craig and Bampton's method: how fast its errors fall with the number of
//! fixed-interface modes.
//!
//! A cantilever of 24 elements, stiffer in one plane than in the other; its middle and its tip are the interface. The reduced model is
//! compared with the mesh it comes from.

use crate::beam::Fitting;
use crate::fe::{BeamMesh, Condition};
use crate::reduction::{ReducedModes, Reduction, ReductionError, Solver, SparseSymmetric, dot, eigenpairs};
use crate::section::BeamProperties;
use std::error::Error;

/// Elements of the mesh.
const ELEMENTS: usize = 24;
/// Lowest frequencies compared.
pub const FREQUENCIES: usize = 4;
/// Names of [`Errors::all`] in its order.
pub const NAMES: [&str; FREQUENCIES + 3] = [
    "frequency 1",
    "frequency 2",
    "frequency 3",
    "frequency 4",
    "frequency 1 with payload",
    "response between 2 and 3",
    "static deflection",
];

/// The beam.
#[derive(Clone, Debug)]
pub struct InterfaceBeam {
    mesh: BeamMesh,
    payload: Fitting,
}

/// What is asked of the full and of a reduced model.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Answers {
    frequencies: [f64; FREQUENCIES],
    /// Lowest frequency with the payload at the tip.
    loaded: f64,
    /// Deflection of the tip under a unit force there: half way between the second and third frequency, and at rest.
    response: f64,
    statics: f64,
}

/// Relative errors of a reduced model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Errors {
    /// Number of fixed-interface modes.
    pub modes: usize,
    /// Of everything in [`NAMES`].
    pub all: [f64; FREQUENCIES + 3],
}

impl InterfaceBeam {
    /// The beam, and a payload of twice its mass.
    ///
    /// # Errors
    /// None, unless the rules for meshes change.
    pub fn new() -> Result<Self, Box<dyn Error>> {
        let properties = BeamProperties {
            mass: 3.0,
            axial: 8.0e6,
            bending_y: 5.0e3,
            bending_z: 9.0e3,
            torsion: 6.0e3,
            shear: f64::INFINITY,
            rotary: [0.02, 0.0, 0.0],
        };
        let inertia = [[0.5, 0.0, 0.0], [0.0, 0.8, 0.0], [0.0, 0.0, 0.8]];
        let payload = Fitting { mass: 12.0, inertia, ..Fitting::default() };
        Ok(Self { mesh: BeamMesh::uniform(2.0, ELEMENTS, properties)?, payload })
    }

    /// Errors with `0..=most` fixed-interface modes.
    ///
    /// # Errors
    /// [`ReductionError`] if `most` is more than there are.
    pub fn convergence(&self, most: usize) -> Result<Vec<Errors>, Box<dyn Error>> {
        let structure = self.mesh.structure();
        let held = self.mesh.held(&[Condition::clamped(0)]);
        let all = self.mesh.dof_count() - held.len();
        let full = Reduction::eigenmodes(held.clone(), all).with_solver(Solver::Dense).reduce(&structure)?;
        let between = 0.5 * (full.frequencies[1] + full.frequencies[2]);
        let exact = self.answers(&full, between)?;
        let interface: Vec<usize> = self.mesh.dofs(ELEMENTS / 2).chain(self.mesh.dofs(ELEMENTS)).collect();
        let errors = |modes: usize| -> Result<Errors, Box<dyn Error>> {
            let reduction = Reduction::craig_bampton(held.clone(), interface.clone(), modes);
            let found = self.answers(&reduction.reduce(&structure)?, between)?;
            let pairs = found.list().into_iter().zip(exact.list());
            let relative: Vec<f64> = pairs.map(|(a, b)| (a / b - 1.0).abs()).collect();
            Ok(Errors { modes, all: std::array::from_fn(|i| relative[i]) })
        };
        (0..=most).map(errors).collect()
    }

    fn answers(&self, modes: &ReducedModes, frequency: f64) -> Result<Answers, ReductionError> {
        let tip = self.mesh.dofs(ELEMENTS);
        let squares: Vec<f64> = modes.frequencies.iter().map(|w| w * w).collect();
        // H = Σ φ² / (ω_r² - ω²) at the tip, across.
        let response = |square: f64| -> f64 {
            let across = modes.vectors.iter().map(|v| v[tip.start + 4]);
            across.zip(&squares).map(|(phi, own)| phi * phi / (own - square)).sum()
        };
        Ok(Answers {
            frequencies: std::array::from_fn(|i| modes.frequencies[i]),
            loaded: self.loaded(modes, &squares)?,
            response: response(frequency * frequency),
            statics: response(0.0),
        })
    }

    /// The lowest frequency of the modes with the payload at the tip: `K = diag ω²`, `M = I + Φ_t* M_p Φ_t`.
    fn loaded(&self, modes: &ReducedModes, squares: &[f64]) -> Result<f64, ReductionError> {
        let tip = self.mesh.dofs(ELEMENTS);
        let n = squares.len();
        let at_tip: Vec<&[f64]> = modes.vectors.iter().map(|v| &v[tip.clone()]).collect();
        let carried = |v: &[f64]| -> Vec<f64> {
            let turned = self.payload.inertia.iter().map(|row| dot(row, &v[..3]));
            turned.chain(v[3..].iter().map(|x| self.payload.mass * x)).collect()
        };
        let images: Vec<Vec<f64>> = at_tip.iter().map(|v| carried(v)).collect();
        let mut entries = Vec::with_capacity(n * n);
        for i in 0..n {
            for j in 0..n {
                entries.push((i, j, dot(at_tip[i], &images[j]) + if i == j { 1.0 } else { 0.0 }));
            }
        }
        let diagonal: Vec<_> = squares.iter().enumerate().map(|(i, k)| (i, i, *k)).collect();
        let (k, m) = (SparseSymmetric::from_triplets(n, &diagonal), SparseSymmetric::from_triplets(n, &entries));
        Ok(eigenpairs(&k, &m, &[], 1, Solver::Dense)?.squares[0].sqrt())
    }
}

impl Answers {
    fn list(&self) -> Vec<f64> {
        self.frequencies.into_iter().chain([self.loaded, self.response, self.statics]).collect()
    }
}
