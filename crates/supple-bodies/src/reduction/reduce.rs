//! Eigenmodes, Craig-Bampton and static corrections in one description.

use super::eigen::{Solver, eigenpairs};
use super::orthonormal::{Dropped, Sourced, diagonalised, orthonormalised, projected};
use super::statics::{attachment_modes, complement, constraint_modes, named, spread};
use super::structure::compatible;
use super::{ReductionError, SparseSymmetric, Structure};
use crate::fe::PointMass;
use crate::fe::assembly::mass_entries;
use supple::ModalMatrix;

/// Where a vector of a reduction comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeSource {
    /// An eigenmode, with the interface held.
    Eigenmode,
    /// The static shape of a unit motion of an interface degree of freedom.
    Constraint,
    /// The static shape of a load.
    Static,
}

/// A load whose static shape the modes must contain: forces `(dof, value)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StaticLoad {
    /// Forces and moments.
    pub forces: Vec<(usize, f64)>,
}

impl StaticLoad {
    /// A unit force or moment at a degree of freedom.
    pub fn unit(dof: usize) -> Self {
        Self { forces: vec![(dof, 1.0)] }
    }
}

/// What is held, kept and added in a reduction.
///
/// - Clamped, pinned or free modes: `held` by [`Condition`](crate::fe::Condition)s, or nothing.
/// - Loaded modes: [`with_added_mass`](Self::with_added_mass) at the loaded interface.
/// - Craig-Bampton: `interface` degrees of freedom.
/// - Static correction: `loads`.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduction {
    /// Degrees of freedom at rest in every mode.
    pub held: Vec<usize>,
    /// Degrees of freedom whose unit motions are kept as constraint modes.
    pub interface: Vec<usize>,
    /// Number of eigenmodes.
    pub modes: usize,
    /// Loads whose static shapes are kept.
    pub loads: Vec<StaticLoad>,
    /// Entries added to the mass while eigenmodes are found.
    pub added_mass: Vec<(usize, usize, f64)>,
    /// Whether the modes are turned so that the stiffness is diagonal.
    pub diagonal: bool,
    /// A vector is dropped if less than this fraction of it is new.
    pub drop_tolerance: f64,
    /// Which way the eigenproblem is solved.
    pub solver: Solver,
}

/// Modes of a structure with `Φ* M Φ = I`.
#[derive(Clone, Debug, PartialEq)]
pub struct ReducedModes {
    /// One vector of all degrees of freedom per mode.
    pub vectors: Vec<Vec<f64>>,
    /// Modal stiffness `Φ* K Φ`.
    pub stiffness: ModalMatrix,
    /// Angular frequencies of the reduced model in ascending order; the modes' own where the stiffness is diagonal.
    pub frequencies: Vec<f64>,
    /// Vectors left out because others contain them.
    pub dropped: Vec<Dropped>,
    /// Rigid motions that the supports leave; no mode contains them.
    pub rigid: usize,
}

impl ReducedModes {
    /// Elastic forces `f_K = K u` at every degree of freedom of the structure that the modes were made from, for modal coordinates `eta`: forces that hold the
    /// deformation `u = Φ η`. They have no resultant, and their modal forces are `Φ* K Φ η`.
    ///
    /// # Panics
    /// For another structure, or another number of coordinates.
    pub fn elastic_forces(&self, structure: &Structure, eta: &[f64]) -> Vec<f64> {
        assert_eq!(eta.len(), self.vectors.len(), "one coordinate for each mode");
        let mut u = vec![0.0; structure.stiffness.size()];
        for (vector, eta) in self.vectors.iter().zip(eta) {
            assert_eq!(vector.len(), u.len(), "modes of this structure");
            u.iter_mut().zip(vector).for_each(|(u, v)| *u += eta * v);
        }
        structure.stiffness.mul(&u)
    }
}

impl Reduction {
    /// The lowest `modes` eigenmodes with `held` degrees of freedom at rest, diagonal.
    pub fn eigenmodes(held: Vec<usize>, modes: usize) -> Self {
        Self {
            held,
            interface: Vec::new(),
            modes,
            loads: Vec::new(),
            added_mass: Vec::new(),
            diagonal: true,
            drop_tolerance: 1e-6,
            solver: Solver::BySize,
        }
    }

    /// Craig-Bampton: constraint modes of `interface` and the lowest `modes` eigenmodes with the interface held.
    pub fn craig_bampton(held: Vec<usize>, interface: Vec<usize>, modes: usize) -> Self {
        Self { interface, ..Self::eigenmodes(held, modes) }
    }

    /// The same reduction with the static shapes of loads.
    pub fn with_loads(mut self, loads: impl IntoIterator<Item = StaticLoad>) -> Self {
        self.loads.extend(loads);
        self
    }

    /// The same reduction with a rigid mass at a node (of six degrees of freedom) while eigenmodes are found.
    pub fn with_added_mass(mut self, node: usize, mass: impl Into<PointMass>) -> Self {
        self.added_mass.extend(mass_entries(node, &mass.into()));
        self
    }

    /// The same reduction with the stiffness made diagonal or left as it comes.
    pub fn with_diagonal(mut self, diagonal: bool) -> Self {
        self.diagonal = diagonal;
        self
    }

    /// The same reduction with another solver.
    pub fn with_solver(mut self, solver: Solver) -> Self {
        self.solver = solver;
        self
    }

    /// Reduces a structure.
    ///
    /// # Errors
    /// [`ReductionError`] for degrees of freedom that do not exist, mechanisms, more modes than there are, or no convergence.
    pub fn reduce(&self, structure: &Structure) -> Result<ReducedModes, ReductionError> {
        self.check(structure.size())?;
        let rigid = compatible(&structure.rigid, &self.held);
        let (squares, eigenmodes) = self.fixed_interface_modes(structure)?;
        let pure = self.interface.is_empty() && self.loads.is_empty() && self.added_mass.is_empty();

        let mut candidates: Vec<Sourced> = sourced(ModeSource::Eigenmode, eigenmodes);
        if !self.interface.is_empty() {
            let shapes = constraint_modes(structure, &self.held, &self.interface)?;
            candidates.extend(sourced(ModeSource::Constraint, shapes));
        }
        let loads: Vec<Vec<f64>> = self.loads.iter().map(|load| self.load_vector(structure.size(), load)).collect();
        let shapes = attachment_modes(structure, &self.held, &rigid, &loads)?;
        candidates.extend(sourced(ModeSource::Static, shapes));

        let (vectors, dropped) = orthonormalised(&structure.mass, &rigid, candidates, self.drop_tolerance);
        let rigid = rigid.len();
        if pure {
            // The eigenvalues themselves: products of long vectors would lose digits.
            let frequencies = squares.iter().map(|s| s.max(0.0).sqrt()).collect();
            return Ok(ReducedModes {
                vectors,
                stiffness: ModalMatrix::Diagonal(squares),
                frequencies,
                dropped,
                rigid,
            });
        }
        let full = projected(&structure.stiffness, &vectors);
        let (squares, turned) = diagonalised(&full, &vectors)?;
        let frequencies = squares.iter().map(|s| s.max(0.0).sqrt()).collect();
        let (vectors, stiffness) =
            if self.diagonal { (turned, ModalMatrix::Diagonal(squares)) } else { (vectors, ModalMatrix::Full(full)) };
        Ok(ReducedModes { vectors, stiffness, frequencies, dropped, rigid })
    }

    /// Eigenmodes with held and interface degrees of freedom at rest.
    fn fixed_interface_modes(&self, structure: &Structure) -> Result<(Vec<f64>, Vec<Vec<f64>>), ReductionError> {
        let n = structure.size();
        let free = complement(n, &[&self.held, &self.interface]);
        let still: Vec<usize> = self.held.iter().chain(&self.interface).copied().collect();
        let restrict = |v: Vec<f64>| -> Vec<f64> { free.iter().map(|&i| v[i]).collect() };
        let rigid: Vec<Vec<f64>> = compatible(&structure.rigid, &still).into_iter().map(restrict).collect();
        let mass = if self.added_mass.is_empty() {
            structure.mass.restricted(&free)
        } else {
            structure.mass.plus(1.0, &SparseSymmetric::from_triplets(n, &self.added_mass)).restricted(&free)
        };
        let pairs = eigenpairs(&structure.stiffness.restricted(&free), &mass, &rigid, self.modes, self.solver)
            .map_err(|e| named(e, &free))?;
        let mut vectors: Vec<Vec<f64>> = pairs.vectors.iter().map(|v| spread(n, &free, v)).collect();
        vectors.iter_mut().for_each(|v| orient(v));
        Ok((pairs.squares, vectors))
    }

    fn load_vector(&self, size: usize, load: &StaticLoad) -> Vec<f64> {
        let mut vector = vec![0.0; size];
        load.forces.iter().for_each(|&(dof, force)| vector[dof] += force);
        self.held.iter().for_each(|&dof| vector[dof] = 0.0);
        vector
    }

    fn check(&self, dofs: usize) -> Result<(), ReductionError> {
        let loaded = self.loads.iter().flat_map(|l| l.forces.iter().map(|f| f.0));
        let massive = self.added_mass.iter().flat_map(|e| [e.0, e.1]);
        let mut all = self.held.iter().chain(&self.interface).copied().chain(loaded).chain(massive);
        if let Some(dof) = all.find(|&dof| dof >= dofs) {
            return Err(ReductionError::NoDof { dof, dofs });
        }
        match self.interface.iter().find(|dof| self.held.contains(dof)) {
            Some(&dof) => Err(ReductionError::HeldInterface { dof }),
            None => Ok(()),
        }
    }
}

fn sourced(source: ModeSource, vectors: Vec<Vec<f64>>) -> Vec<Sourced> {
    vectors.into_iter().enumerate().map(|(i, v)| (source, i, v)).collect()
}

/// The last entry that is not small is positive, so that coordinates read like deflections of the tip.
fn orient(v: &mut [f64]) {
    let largest = v.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if v.iter().rev().find(|x| x.abs() > 0.1 * largest).is_some_and(|x| *x < 0.0) {
        v.iter_mut().for_each(|x| *x = -*x);
    }
}
