//! What the engine gives for a verb, in the order of numbers that programs have.

use crate::recorder::RecordError;
use crate::verb::step::TURNS;
use crate::verb::{NodeName, Verb};
use supple::generic::StageInputs;
use supple::{
    DenseWorkspace, Derivatives, DynamicsError, Inputs, Model, State, StepWorkspace, Terms, Workspace, bias_forces,
    energy, forward_dynamics, forward_dynamics_derivatives, generic, hybrid_dynamics, inverse_dynamics, kinematics,
    mass_matrix, node_jacobian,
};

/// A state with what acts on it, and the length of a step for verbs that make one.
#[derive(Clone, Debug)]
pub struct Point {
    /// The state.
    pub state: State,
    /// Forces, wanted accelerations, forces of motors. Wrenches and prescribed hinges are not read.
    pub inputs: Inputs,
    /// Length of a step, s.
    pub step: f64,
}

/// A step of one of the schemes.
type Scheme =
    fn(&Model, (&mut State, f64), StageInputs<'_>, &mut Workspace, &mut StepWorkspace) -> Result<(), DynamicsError>;

/// The engine in place of a program: the same numbers in and out.
#[derive(Clone, Copy, Debug)]
pub struct Engine<'m> {
    /// The model.
    pub model: &'m Model,
    /// The verb.
    pub verb: &'m Verb,
}

impl Engine<'_> {
    /// Numbers that go into a program, parameters left out.
    ///
    /// # Errors
    /// Hinges that the model does not have.
    pub fn numbers(&self, at: &Point) -> Result<Vec<f64>, RecordError> {
        let mut out = Vec::new();
        self.write_numbers((&at.state, &at.inputs, at.step), &mut out)?;
        Ok(out)
    }

    /// The same behind what `out` has. No allocation where it has room, but for hybrid dynamics.
    pub(crate) fn write_numbers(
        &self,
        (state, inputs, step): (&State, &Inputs, f64),
        out: &mut Vec<f64>,
    ) -> Result<(), RecordError> {
        out.extend(&state.coordinates);
        out.extend(state.attitudes.iter().flat_map(|q| q.0));
        if self.verb.takes_speeds() {
            out.extend(&state.speeds);
        }
        match self.verb {
            Verb::InverseDynamics => out.extend(&inputs.accelerations),
            Verb::HybridDynamics { prescribed } => {
                let given = self.given(prescribed)?;
                let lists = given.iter().zip(inputs.accelerations.iter().zip(&inputs.forces));
                out.extend(lists.map(|(given, (acceleration, force))| if *given { acceleration } else { force }));
            }
            Verb::ForwardDynamics | Verb::Linearization(_) | Verb::Rk4Step | Verb::LinearlyImplicitStep => {
                out.extend(&inputs.forces);
            }
            _ => {}
        }
        if self.verb.takes_motors() {
            out.extend(&inputs.element_forces);
        }
        if matches!(self.verb, Verb::Rk4Step | Verb::LinearlyImplicitStep) {
            out.push(step);
        }
        Ok(())
    }

    /// Per speed, whether its acceleration is given.
    fn given(&self, prescribed: &[String]) -> Result<Vec<bool>, RecordError> {
        let mut given = vec![false; self.model.speed_count()];
        for name in prescribed {
            given[self.model.hinge(name)?.speeds()].fill(true);
        }
        Ok(given)
    }

    /// Numbers that the engine gives where a program gives its outputs.
    ///
    /// # Errors
    /// A state that the verb refuses; names that the model does not have.
    pub fn answer(&self, at: &Point) -> Result<Vec<f64>, RecordError> {
        let (model, state) = (self.model, &at.state);
        let mut workspace = Workspace::new(model);
        let (inputs, given) = self.prescribed(at)?;
        Ok(match self.verb {
            Verb::ForwardDynamics => forward_dynamics(model, state, &inputs, &mut workspace)?.accelerations().to_vec(),
            Verb::InverseDynamics => inverse_dynamics(model, state, &inputs, &mut workspace)?.forces().to_vec(),
            Verb::HybridDynamics { .. } => {
                let solution = hybrid_dynamics(model, state, &inputs, &mut workspace)?;
                let found = given.iter().zip(solution.forces().iter().zip(solution.accelerations()));
                found.map(|(given, (force, acceleration))| if *given { *force } else { *acceleration }).collect()
            }
            Verb::BiasForces => bias_forces(model, state, &inputs, Terms::ALL, &mut workspace)?.forces().to_vec(),
            Verb::GravityForces => {
                let terms = Terms { gravity: true, ..Terms::NONE };
                bias_forces(model, state, &inputs, terms, &mut workspace)?.forces().to_vec()
            }
            Verb::MassMatrix => {
                let mut out = vec![0.0; model.speed_count() * model.speed_count()];
                mass_matrix(model, state, &mut workspace, &mut DenseWorkspace::new(model), &mut out)?;
                out
            }
            Verb::Energy => {
                let e = energy(model, state, &mut workspace)?;
                vec![e.kinetic, e.elastic, e.gravitational, e.stored]
            }
            Verb::Linearization(_) => {
                let mut derivatives = Derivatives::new(model);
                let solution = forward_dynamics_derivatives(model, state, &inputs, &mut workspace, &mut derivatives)?;
                let mut out = solution.accelerations().to_vec();
                out.extend(derivatives.displacement().iter().chain(derivatives.speed()).chain(derivatives.force()));
                out
            }
            Verb::Rk4Step => self.stepped(at, generic::runge_kutta_step)?,
            Verb::LinearlyImplicitStep => self.stepped(at, generic::linearly_implicit_step)?,
            Verb::NodePose(name) => {
                let (body, node) = self.node(name)?;
                let kinematics = kinematics(model, state, &mut workspace)?;
                let mut out = kinematics.node_position(body, node).0.to_vec();
                out.extend(kinematics.node_attitude(body, node).0.iter().flatten());
                out
            }
            Verb::NodeVelocity(name) => {
                let (body, node) = self.node(name)?;
                kinematics(model, state, &mut workspace)?.node_velocity(body, node).to_array().to_vec()
            }
            Verb::NodeJacobian(name) => {
                let mut out = vec![0.0; 6 * model.speed_count()];
                node_jacobian(model, state, self.node(name)?, &mut workspace, &mut out)?;
                out
            }
        })
    }

    fn node(&self, name: &NodeName) -> Result<(supple::BodyIndex, supple::NodeIndex), RecordError> {
        let node = self.model.node(&name.body, &name.node)?;
        Ok((node.body(), node.node()))
    }

    /// The inputs with the hinges prescribed that the verb prescribes and no wrenches, and per speed whether its acceleration is given.
    fn prescribed(&self, at: &Point) -> Result<(Inputs, Vec<bool>), RecordError> {
        let mut inputs = at.inputs.clone();
        inputs.wrenches.clear();
        inputs.prescribed.fill(false);
        let Verb::HybridDynamics { prescribed } = self.verb else { return Ok((inputs, Vec::new())) };
        for name in prescribed {
            inputs.prescribed[self.model.hinge(name)?.body().0] = true;
        }
        Ok((inputs, self.given(prescribed)?))
    }

    fn stepped(&self, at: &Point, scheme: Scheme) -> Result<Vec<f64>, RecordError> {
        let (model, mut state, mut workspace) = (self.model, at.state.clone(), Workspace::new(self.model));
        let (inputs, _) = self.prescribed(at)?;
        scheme(
            model,
            (&mut state, at.step),
            StageInputs::held(&inputs),
            &mut workspace,
            &mut StepWorkspace::new(model),
        )?;
        if state.closed.contains(&true) {
            generic::settle(model, &mut state, &inputs, TURNS, &mut workspace)?;
        }
        let mut out = state.coordinates;
        out.extend(state.attitudes.iter().flat_map(|q| q.0));
        out.extend(&state.speeds);
        Ok(out)
    }
}
