//! The algorithms stage by stage, for those who count or time their parts; the verbs run them as a whole.
//!
//! | algorithm         | stages, in this order                                                                     |
//! |-------------------|-------------------------------------------------------------------------------------------|
//! | articulated body  | [`bias`](Stages::bias), [`articulate`](Stages::articulate)                                |
//! | composite body    | `bias`, [`newton_euler`](Stages::newton_euler), [`composite`](Stages::composite), [`solve`](Stages::solve) |
//! | inverse dynamics  | `bias`, `newton_euler`                                                                    |
//! | derivatives       | `bias`, `articulate`, [`differentiate`](Stages::differentiate)                            |
//! | closed chains     | `bias`, `articulate`, [`closure_equations`](Stages::closure_equations), [`closure_compliance`](Stages::closure_compliance), [`closure_forces`](Stages::closure_forces), [`close`](Stages::close) |

use crate::closure;
use crate::derivative::stage::TreeDerivatives;
use crate::error::DynamicsError;
use crate::forward_dynamics::composite_solve;
use crate::inputs::Inputs;
use crate::inverse_dynamics;
use crate::mass_matrix;
use crate::method::Method;
use crate::model::Model;
use crate::state::State;
use crate::sweep;
use crate::terms::Terms;
use crate::workspace::{DenseWorkspace, Workspace};
use supple_spatial::Scalar;

/// A model at one state under given forces, with the memory that the stages share.
#[derive(Clone, Debug)]
pub struct Stages<'m, T: Scalar> {
    model: &'m Model<T>,
    state: State<T>,
    inputs: Inputs<T>,
    workspace: Workspace<T>,
    /// Once the mass matrix is asked for.
    dense: Option<Box<DenseWorkspace<T>>>,
    /// Once derivatives are asked for.
    derivatives: Option<Box<TreeDerivatives<T>>>,
}

impl<'m, T: Scalar> Stages<'m, T> {
    /// For a model at rest or in motion.
    ///
    /// # Errors
    /// A state or inputs that do not fit the model.
    pub fn new(model: &'m Model<T>, state: State<T>, inputs: Inputs<T>) -> Result<Self, DynamicsError> {
        state.check(model)?;
        inputs.check(model)?;
        Ok(Self { model, state, inputs, workspace: Workspace::new(model), dense: None, derivatives: None })
    }

    /// Kinematics, velocities, Coriolis and gyroscopic terms, elastic forces.
    pub fn bias(&mut self) {
        let Workspace { configuration, modal, velocity, bias, .. } = &mut self.workspace;
        sweep::motion::motion(self.model, &self.state, Terms::ALL, configuration, modal, velocity, bias);
    }

    /// Articulated inertias alone, after [`bias`](Self::bias).
    pub fn factor(&mut self, method: Method) {
        let Workspace { configuration, modal, articulated, .. } = &mut self.workspace;
        articulated.choose(self.model, method, None);
        sweep::articulation::factor(self.model, &self.state, configuration, modal, articulated);
    }

    /// Articulated inertias with the force sweep, as forward dynamics has them in one, then accelerations; after [`bias`](Self::bias).
    pub fn articulate(&mut self, method: Method) {
        let Self { model, state, inputs, workspace, .. } = self;
        let Workspace { configuration, modal, bias, articulated, residual, .. } = workspace;
        articulated.choose(model, method, None);
        sweep::articulation::factor_and_solve(
            model,
            state,
            configuration,
            bias,
            &inputs.forces,
            &inputs.accelerations,
            modal,
            articulated,
            residual,
        );
        workspace.accelerate::<true>(model);
    }

    /// Frames and equations of the closures: step B without the accelerations, after [`bias`](Self::bias).
    pub fn closure_equations(&mut self) {
        let Workspace { configuration, velocity, closing, .. } = &mut self.workspace;
        sweep::pose::pose(self.model, configuration);
        closure::side::sides(self.model, &self.state, configuration, velocity, closing);
        closure::rows::rows(self.model, &self.state, configuration, closing);
    }

    /// Compliance of the closures: step C, after [`articulate`](Self::articulate) and [`closure_equations`](Self::closure_equations).
    pub fn closure_compliance(&mut self) {
        let (model, active) = (self.model, &self.state.closed);
        let Workspace { configuration, modal, bias, articulated, closing, .. } = &mut self.workspace;
        closure::compliance::innovations(model, active, configuration, modal, articulated, bias, closing);
        closure::compliance::matrices(model, active, closing);
    }

    /// Forces of the closures: the rest of step B, and step D, after [`closure_compliance`](Self::closure_compliance).
    pub fn closure_forces(&mut self) {
        let (model, active) = (self.model, &self.state.closed);
        let Workspace { acceleration, closing, result, .. } = &mut self.workspace;
        closure::solve::deviations(model, acceleration, result, closing);
        closure::solve::factor_matrices(model, active, &[], closing);
        closure::solve::forces(model, closing);
    }

    /// Accelerations of the closed system: steps E and F, after [`closure_forces`](Self::closure_forces).
    pub fn close(&mut self) {
        let (model, active) = (self.model, &self.state.closed);
        let Workspace { articulated, residual, closing, .. } = &mut self.workspace;
        closure::solve::add_innovations(model, active, articulated, closing, residual);
        self.workspace.accelerate::<true>(model);
    }

    /// Accelerations, after [`articulate`](Self::articulate), [`solve`](Self::solve) or [`close`](Self::close).
    pub fn accelerations(&self) -> &[T] {
        &self.workspace.result
    }

    /// Derivatives of the accelerations of a tree with respect to displacements, speeds and forces, after [`articulate`](Self::articulate). Force
    /// elements and closures are left out.
    pub fn differentiate(&mut self) {
        let derivatives = self.derivatives.get_or_insert_with(|| Box::new(TreeDerivatives::unchecked(self.model)));
        derivatives.differentiate(self.model, &self.state, &self.inputs, &mut self.workspace);
    }

    /// Forces of all bodies, after [`bias`](Self::bias).
    pub fn newton_euler(&mut self) {
        inverse_dynamics::newton_euler::<_, true, true>(self.model, &mut self.workspace);
    }

    /// Composite inertias and the mass matrix, after [`bias`](Self::bias).
    pub fn composite(&mut self) {
        let dense = self.dense.get_or_insert_with(|| Box::new(DenseWorkspace::new(self.model)));
        mass_matrix::composite(self.model, &self.state, &mut self.workspace, dense);
    }

    /// Accelerations by the mass matrix, after [`composite`](Self::composite) and [`newton_euler`](Self::newton_euler).
    ///
    /// # Errors
    /// A mass matrix that is singular.
    pub fn solve(&mut self) -> Result<(), DynamicsError> {
        let dense = self.dense.get_or_insert_with(|| Box::new(DenseWorkspace::new(self.model)));
        composite_solve(self.model, &self.inputs, &mut self.workspace, dense)
    }
}
