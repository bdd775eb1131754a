//! Book's recursive Lagrangian dynamics: a second derivation, for serial chains with rotary hinges.
//!
//! W. J. Book, *Recursive Lagrangian Dynamics of Flexible Manipulator Arms via Transformation Matrices*, CMU-RI-TR-83-23, 1983,
//! by his own equations: 4 × 4 transformations of joints and links, Lagrange's equations, an inertia matrix assembled by
//! recursions and solved as a whole. No formula of dynamics is shared with the sweeps: both start from the same [`System`], and the
//! built [`Model`] gives the order of coordinates and speeds, and force elements.
//!
//! | file                   | equations        | what                                             |
//! |------------------------|------------------|--------------------------------------------------|
//! | `transformation`       | (1)              | 4 × 4 matrices by their structure                |
//! | `modal_matrix`         | (46)             | stiffness and damping of the modes               |
//! | `link`                 | (5) to (7), (25) to (30) | constants of a link                      |
//! | `kinematics`           | (9) to (16), (64), (65)  | transformations and their rates, outward |
//! | `inertia_terms`        | (36), (37)       | `D` and `G` of the deformed links                |
//! | `inertia_coefficients` | (66) to (81)     | the inertia matrix, inward                       |
//! | `remaining`            | (83) to (90)     | the right-hand side, inward                      |
//! | `wrench`               |                  | external wrenches                                |
//! | `solve`                | (82)             | accelerations                                    |
//! | `energy`               | (22), (46), (50) | energies                                         |
//! | `tables`               | (25), (28)       | integrals of a link from tables of its inertia   |
//! | `terms`                | (37), (72) to (75) | what the report drops and this code keeps      |
//!
//! Symbols, forms that hold where the paper is loose, and what differs from the sweeps: `docs/book-dynamics.md`.

mod answer;
mod count;
mod elements;
mod energy;
mod error;
mod inertia_coefficients;
mod inertia_terms;
mod kinematics;
mod link;
mod modal_matrix;
mod remaining;
mod solve;
mod tables;
mod terms;
mod transformation;
mod wrench;

pub use answer::{BookAnswer, BookEnergy};
pub use count::{BookOperations, CountedArm};
pub use error::{BookError, BookRule};
pub use terms::BookTerms;

use elements::BookElements;
use inertia_coefficients::{Recursion, Terms, inertia_coefficients};
use kinematics::LinkMotion;
use link::Link;
use solve::Equation;
use std::error::Error;
use supple::integrate::Formulation;
use supple::spatial::{Mask, Scalar, Vector3};
use supple::{DynamicsError, Energy, Inputs, Model, ModelStamp, Power, State, System};
use transformation::{Lower, Moments, Rows};

/// Book's formulation of a model, which is built from `system`, for [`Simulation::set_formulation`](supple::integrate::Simulation::set_formulation).
///
/// # Errors
/// [`BookError`], where the formulation does not carry the model.
pub fn formulation(
    system: &System,
    model: &Model,
) -> Result<Box<dyn Formulation + Send>, Box<dyn Error + Send + Sync>> {
    Ok(Box::new(BookDynamics::<f64>::new(system, model)?))
}

/// The equations of motion of a serial arm by Book's formulation, with the memory to evaluate them.
///
/// ```
/// use supple::{Body, Hinge, HingeKind, Inputs, Model, Parent, State, System};
/// use supple_lab::book::BookDynamics;
///
/// let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
/// let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]];
/// let bob = Body::rigid("bob", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], inertia);
/// let system = System { gravity: [0.0, 0.0, -9.81], bodies: vec![bob], ..System::default() };
/// let model = Model::build(&system)?;
///
/// let mut state = State::new(&model);
/// state.coordinates[0] = 0.5;
/// let mut book = BookDynamics::new(&system, &model)?;
/// let solution = book.accelerations(&state, &Inputs::new(&model))?;
/// assert!((solution.accelerations()[0] + 9.81 * 0.5_f64.sin()).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BookDynamics<T: Scalar = f64> {
    model: Model<T>,
    gravity: Vector3<T>,
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
    kept: BookTerms,
}

impl<T: Scalar> BookDynamics<T> {
    /// Prepares the constants of every link of `system`, in any scalar, for states of the `model` that is built from it.
    ///
    /// # Errors
    /// [`BookError`] names the first body that the formulation does not carry, and the rule.
    pub fn new(system: &System, model: &Model) -> Result<Self, BookError> {
        error::check(system, model)?;
        let (ground, links) = link::links(system, model);
        let (n, modes) = (links.len(), links.iter().map(Link::mode_count).sum());
        Ok(Self {
            gravity: Vector3::from_f64(system.gravity),
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
            kept: BookTerms::default(),
        })
    }

    /// The same with other terms than those that hold.
    pub fn with_terms(self, kept: BookTerms) -> Self {
        Self { kept, ..self }
    }

    /// Generalized accelerations and forces: those of `inputs.forces`, `inputs.wrenches`, force elements and gravity, with the accelerations of
    /// `inputs.prescribed` hinges as given, whose forces come out. No allocation.
    ///
    /// # Errors
    /// Sizes that do not fit, numbers that are not finite, or a singular inertia matrix.
    pub fn accelerations(
        &mut self,
        state: &State<T>,
        inputs: &Inputs<T>,
    ) -> Result<BookSolution<'_, T>, DynamicsError> {
        inputs.check(&self.model)?;
        self.place(state)?;
        self.assemble_matrix();
        self.assemble_rest(state, inputs);
        if let Some(elements) = &mut self.elements {
            elements.add_forces(&self.model, state, &mut self.equation.R)?;
        }
        self.equation.solve(&self.model, inputs)?;
        finite(&self.equation.accelerations, || {
            finite(&inputs.forces, || not_finite("forces", &inputs.forces))?;
            finite(&inputs.accelerations, || not_finite("accelerations", &inputs.accelerations))?;
            Err(DynamicsError::Overflow { quantity: "accelerations" })
        })?;
        Ok(BookSolution { accelerations: &self.equation.accelerations, forces: &self.equation.forces })
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
        let overflow = || Err(DynamicsError::Overflow { quantity: "energy" });
        finite(&[out.kinetic, out.elastic, out.gravitational, out.stored], overflow)?;
        Ok(out)
    }

    /// Rates at which energy enters and leaves, after [`accelerations`](Self::accelerations) at the same state and inputs.
    ///
    /// # Errors
    /// Force elements whose power is not finite.
    pub fn power(&mut self, state: &State<T>, inputs: &Inputs<T>) -> Result<Power<T>, DynamicsError> {
        let acting = self.equation.forces.iter().zip(&state.speeds);
        let mut power = Power {
            forces: acting.fold(T::ZERO, |sum, (force, speed)| sum + *force * *speed),
            wrenches: wrench::wrench_power((&self.links, &self.motion), state, &inputs.wrenches),
            dissipated: self
                .links
                .iter()
                .fold(T::ZERO, |sum, link| sum + link.damping.quadratic(link.deflections(state).1)),
            element_supplied: T::ZERO,
            element_dissipated: T::ZERO,
        };
        if let Some(elements) = &mut self.elements {
            let of_elements = elements.power(&self.model, state)?;
            power.element_supplied = of_elements.element_supplied;
            power.element_dissipated = of_elements.element_dissipated;
        }
        Ok(power)
    }

    /// Kinematics and inertia terms of a state.
    fn place(&mut self, state: &State<T>) -> Result<(), DynamicsError> {
        state.check(&self.model)?;
        kinematics::kinematics((&self.ground, &self.links), state, &mut self.motion);
        inertia_terms::inertia_terms(&self.links, state, self.kept, &mut self.couplings, &mut self.moments);
        Ok(())
    }

    fn terms(&self) -> Terms<'_, T> {
        Terms {
            gravity: self.gravity,
            links: &self.links,
            motion: &self.motion,
            D: &self.couplings,
            G: &self.moments,
            kept: self.kept,
        }
    }

    fn assemble_matrix(&mut self) {
        let Self { gravity, links, motion, couplings, moments, recursion, equation, kept, .. } = self;
        let terms = Terms { gravity: *gravity, links, motion, D: couplings, G: moments, kept: *kept };
        inertia_coefficients(&terms, recursion, &mut equation.J);
    }

    fn assemble_rest(&mut self, state: &State<T>, inputs: &Inputs<T>) {
        let Self { model, gravity, links, motion, couplings, moments, loads, equation, kept, .. } = self;
        equation.start(model, inputs);
        loads.fill([Vector3::ZERO; 4]);
        wrench::add_wrenches((links, motion), state, &inputs.wrenches, (loads, &mut equation.R));
        let terms = Terms { gravity: *gravity, links, motion, D: couplings, G: moments, kept: *kept };
        remaining::remaining(&terms, state, loads, &mut equation.R);
    }
}

impl Formulation for BookDynamics {
    fn stamp(&self) -> ModelStamp {
        self.model.stamp()
    }

    fn accelerations(
        &mut self,
        state: &State,
        inputs: &Inputs,
        accelerations: &mut [f64],
        forces: &mut [f64],
    ) -> Result<(), DynamicsError> {
        let expected = self.model.speed_count();
        for (quantity, found) in [("accelerations", accelerations.len()), ("forces", forces.len())] {
            if found != expected {
                return Err(DynamicsError::WrongSize { quantity, found, expected });
            }
        }
        let solution = self.accelerations(state, inputs)?;
        accelerations.copy_from_slice(solution.accelerations);
        forces.copy_from_slice(solution.forces);
        Ok(())
    }

    fn energy(&mut self, state: &State) -> Result<Energy, DynamicsError> {
        self.energy(state)
    }

    fn power(&mut self, state: &State, inputs: &Inputs) -> Result<Power, DynamicsError> {
        self.power(state, inputs)
    }
}

/// What [`BookDynamics::accelerations`] computed.
#[derive(Clone, Copy, Debug)]
pub struct BookSolution<'b, T> {
    accelerations: &'b [T],
    forces: &'b [T],
}

impl<'b, T> BookSolution<'b, T> {
    /// Generalized accelerations, in the order of the speeds.
    pub fn accelerations(&self) -> &'b [T] {
        self.accelerations
    }

    /// Generalized forces, in the order of the speeds.
    pub fn forces(&self) -> &'b [T] {
        self.forces
    }
}

/// Nothing to say of numbers that are all finite; of others what `error` says.
fn finite<T: Scalar>(values: &[T], error: impl FnOnce() -> Result<(), DynamicsError>) -> Result<(), DynamicsError> {
    if values.iter().all(|x| x.is_finite().all()) { Ok(()) } else { error() }
}

/// Names the first number that is not finite.
fn not_finite<T: Scalar>(quantity: &'static str, values: &[T]) -> Result<(), DynamicsError> {
    let index = values.iter().position(|x| !x.is_finite().all()).unwrap_or(0);
    Err(DynamicsError::NotFinite { quantity, index })
}
