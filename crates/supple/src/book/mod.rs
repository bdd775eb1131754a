//! Book's recursive Lagrangian dynamics: a second derivation, for serial chains with rotary hinges.
//!
//! W. J. Book, *Recursive Lagrangian Dynamics of Flexible Manipulator Arms via Transformation Matrices*, CMU-RI-TR-83-23, 1983,
//! by his own equations: 4 × 4 transformations of joints and links, Lagrange's equations, an inertia matrix assembled by
//! recursions and solved as a whole. No formula of dynamics is shared with the sweeps.
//!
//! | file                   | equations        | what                                             |
//! |------------------------|------------------|--------------------------------------------------|
//! | `transformation`       | (1)              | 4 × 4 matrices by their structure                |
//! | `link`                 | (5) to (7), (25) to (30) | constants of a link                      |
//! | `kinematics`           | (9) to (16), (64), (65)  | transformations and their rates, outward |
//! | `inertia_terms`        | (36), (37)       | `D` and `G` of the deformed links                |
//! | `inertia_coefficients` | (66) to (81)     | the inertia matrix, inward                       |
//! | `remaining`            | (83) to (90)     | the right-hand side, inward                      |
//! | `wrench`               |                  | external wrenches                                |
//! | `solve`                | (82)             | accelerations                                    |
//! | `energy`               | (22), (46), (50) | energies                                         |
//!
//! Symbols, forms that hold where the paper is loose, and what differs from the sweeps: `docs/book-dynamics.md`.

mod count;
mod elements;
mod energy;
mod error;
mod inertia_coefficients;
mod inertia_terms;
mod kinematics;
mod link;
mod remaining;
mod solve;
mod transformation;
mod wrench;

pub use count::{BookOperations, CountedArm};
pub use error::{BookError, BookRule};

use crate::check;
use crate::energy::Energy;
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::solution::Solution;
use crate::state::State;
use elements::BookElements;
use inertia_coefficients::{Recursion, Terms, inertia_coefficients};
use kinematics::LinkMotion;
use link::Link;
use solve::Equation;
use supple_spatial::{Scalar, Vector3};
use transformation::{Lower, Moments, Rows};

/// The equations of motion of a serial arm by Book's formulation, with the memory to evaluate them.
///
/// ```
/// use supple::book::BookDynamics;
/// use supple::{Body, Hinge, HingeKind, Inputs, ModelBuilder, Parent, State};
///
/// let mut builder = ModelBuilder::new();
/// builder.gravity([0.0, 0.0, -9.81]);
/// let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
/// let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
/// builder.body(Body::rigid("bob", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], inertia));
/// let model = builder.build()?;
///
/// let mut state = State::new(&model);
/// state.coordinates[0] = 0.5;
/// let mut book = BookDynamics::new(&model)?;
/// let solution = book.accelerations(&state, &Inputs::new(&model))?;
/// assert!((solution.accelerations()[0] + 9.81 * 0.5_f64.sin()).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BookDynamics<T: Scalar = f64> {
    model: Model<T>,
    /// `Ŵ₀`.
    ground: Lower<T>,
    links: Box<[Link<T>]>,
    motion: Vec<LinkMotion<T>>,
    /// `D` of all modes, `G` of all links.
    couplings: Vec<Rows<T>>,
    moments: Vec<Moments<T>>,
    /// Wrenches on every link.
    loads: Vec<Rows<T>>,
    recursion: Recursion<T>,
    equation: Equation<T>,
    elements: Option<Box<BookElements<T>>>,
}

impl<T: Scalar> BookDynamics<T> {
    /// Prepares the constants of every link, in any scalar.
    ///
    /// # Errors
    /// [`BookError`] names the first body that the formulation does not carry, and the rule.
    pub fn new(model: &Model) -> Result<Self, BookError> {
        error::check(model)?;
        let (ground, links) = link::links(model);
        let (n, modes) = (links.len(), model.topology.sizes.modal);
        Ok(Self {
            ground: ground.cast(),
            motion: vec![LinkMotion::ZERO; n],
            couplings: vec![[Vector3::ZERO; 4]; modes],
            moments: links.iter().map(|link| link.inertia.cast()).collect(),
            loads: vec![[Vector3::ZERO; 4]; n],
            recursion: Recursion::new(n),
            equation: Equation::new(model.speed_count()),
            links: links.iter().map(Link::cast).collect(),
            elements: BookElements::new(&model.cast()).map(Box::new),
            model: model.cast(),
        })
    }

    /// Generalized accelerations and forces: those of `inputs.forces`, `inputs.wrenches`, force elements and gravity, with the accelerations of
    /// `inputs.prescribed` hinges as given, whose forces come out. No allocation.
    ///
    /// # Errors
    /// Sizes that do not fit, numbers that are not finite, or a singular inertia matrix.
    pub fn accelerations(&mut self, state: &State<T>, inputs: &Inputs<T>) -> Result<Solution<'_, T>, DynamicsError> {
        check::inputs(&self.model, inputs)?;
        self.place(state)?;
        self.assemble_matrix();
        self.assemble_rest(state, inputs);
        if let Some(elements) = &mut self.elements {
            elements.add_forces(&self.model, state, &mut self.equation.R)?;
        }
        self.equation.solve(&self.model, inputs)?;
        check::result("accelerations", &self.equation.accelerations, Some(inputs))?;
        Ok(Solution::new(&self.model, &self.equation.accelerations, &self.equation.forces))
    }

    /// The inertia matrix at `state`, the packed lower triangle by rows in the order of the speeds.
    ///
    /// # Errors
    /// Sizes that do not fit or numbers that are not finite.
    pub fn inertia_matrix(&mut self, state: &State<T>) -> Result<&[T], DynamicsError> {
        self.place(state)?;
        self.assemble_matrix();
        Ok(&self.equation.J)
    }

    /// Kinetic, elastic and gravitational energy, from which the accelerations derive.
    ///
    /// # Errors
    /// Sizes that do not fit or numbers that are not finite.
    pub fn energy(&mut self, state: &State<T>) -> Result<Energy<T>, DynamicsError> {
        self.place(state)?;
        let mut out = energy::energy(&self.terms(), state);
        if let Some(elements) = &mut self.elements {
            out.stored = elements.stored(&self.model, state)?;
        }
        check::result("energy", &[out.kinetic, out.elastic, out.gravitational, out.stored], None)?;
        Ok(out)
    }

    /// Whether it was made for `model`.
    pub(crate) fn is_of(&self, model: &Model<T>) -> bool {
        self.model.topology.stamp == model.topology.stamp
    }

    /// Power of the wrenches, after [`accelerations`](Self::accelerations) at the same state.
    pub(crate) fn wrench_power(&self, state: &State<T>, inputs: &Inputs<T>) -> T {
        wrench::wrench_power(&self.model, (&self.links, &self.motion), state, &inputs.wrenches)
    }

    /// What force elements feed in and take, W.
    pub(crate) fn element_power(&mut self, state: &State<T>) -> Result<[T; 2], DynamicsError> {
        let Some(elements) = &mut self.elements else { return Ok([T::ZERO; 2]) };
        let power = elements.power(&self.model, state)?;
        Ok([power.element_supplied, power.element_dissipated])
    }

    /// Kinematics and inertia terms of a state.
    fn place(&mut self, state: &State<T>) -> Result<(), DynamicsError> {
        check::state(&self.model, state, self.model.topology.stamp)?;
        kinematics::kinematics(&self.model, (&self.ground, &self.links), state, &mut self.motion);
        inertia_terms::inertia_terms(&self.model, &self.links, state, &mut self.couplings, &mut self.moments);
        Ok(())
    }

    fn terms(&self) -> Terms<'_, T> {
        Terms { model: &self.model, links: &self.links, motion: &self.motion, D: &self.couplings, G: &self.moments }
    }

    fn assemble_matrix(&mut self) {
        let Self { model, links, motion, couplings, moments, recursion, equation, .. } = self;
        let terms = Terms { model, links, motion, D: couplings, G: moments };
        inertia_coefficients(&terms, recursion, &mut equation.J);
    }

    fn assemble_rest(&mut self, state: &State<T>, inputs: &Inputs<T>) {
        let Self { model, links, motion, couplings, moments, loads, equation, .. } = self;
        equation.start(model, inputs);
        loads.fill([Vector3::ZERO; 4]);
        wrench::add_wrenches(model, (links, motion), state, &inputs.wrenches, (loads, &mut equation.R));
        let terms = Terms { model, links, motion, D: couplings, G: moments };
        remaining::remaining(&terms, state, loads, &mut equation.R);
    }
}
