//! Equations of motion as compiled code, for integrators: one program for a family of models.

use std::sync::Arc;
use supple::integrate::Formulation;
use supple::{DynamicsError, Energy, Inputs, Model, ModelStamp, Power, State, Workspace};

use super::{Build, CompileError, Native};
use crate::family::{Family, Setup, given};

/// Powers behind the accelerations: of wrenches, damping, and force elements.
const POWERS: usize = 4;

/// The equations of motion of a family of models as one function of this process; threads share it.
#[derive(Debug)]
pub struct CompiledFamily {
    family: Family,
    setup: Setup,
    /// Per speed, whether its acceleration is given.
    given: Vec<bool>,
    native: Native,
}

impl Build {
    /// Compiles the equations of motion of a family, for what acts in a state.
    ///
    /// # Errors
    /// As [`Family::dynamics`] and [`native`](Self::native).
    pub fn family(&self, family: Family, state: &State, inputs: &Inputs) -> Result<CompiledFamily, CompileError> {
        let native = self.native(&family.dynamics(state, inputs)?.scheduled())?;
        let setup = Setup::of(state, inputs);
        Ok(CompiledFamily { given: given(family.model(), &setup.prescribed), family, setup, native })
    }
}

impl CompiledFamily {
    /// The function, on plain numbers.
    pub fn native(&self) -> &Native {
        &self.native
    }

    /// The equations of a model; none where it differs from the samples of the family in structure, or in numbers that all of them share.
    pub fn equations(self: &Arc<Self>, model: &Model) -> Option<CompiledEquations> {
        let mut values = Vec::new();
        let is_member = self.family.write_numbers(model, &mut values);
        let size = self.native.inputs().len();
        if !is_member || values.len() > size {
            return None;
        }
        let mut numbers = vec![0.0; size - values.len()];
        numbers.append(&mut values);
        Some(CompiledEquations {
            family: Arc::clone(self),
            model: model.clone(),
            numbers,
            outputs: vec![0.0; self.native.outputs().len()],
            forces_power: 0.0,
            by_sweeps: false,
            workspace: Workspace::new(model),
        })
    }
}

/// The equations of motion of one model of a family by compiled code. Where a condition of the code does not hold, other closures act than where it was recorded or other hinges
/// are prescribed, the sweeps give them; so a state that has none is refused as ever.
#[derive(Debug)]
pub struct CompiledEquations {
    family: Arc<CompiledFamily>,
    model: Model,
    /// What goes in, the numbers of the model last.
    numbers: Vec<f64>,
    outputs: Vec<f64>,
    /// Power of generalized forces, and whether all of the last evaluation is that of the sweeps.
    forces_power: f64,
    by_sweeps: bool,
    workspace: Workspace,
}

impl CompiledEquations {
    /// Evaluates the code; false where it does not hold here.
    fn run(&mut self, state: &State, inputs: &Inputs) -> bool {
        let Self { family, numbers, outputs, .. } = self;
        if !family.setup.holds(state, inputs) {
            return false;
        }
        let attitudes = state.attitudes.iter().flat_map(|attitude| attitude.0);
        let motion = state.coordinates.iter().copied().chain(attitudes).chain(state.speeds.iter().copied());
        let lists = family.given.iter().zip(inputs.accelerations.iter().zip(&inputs.forces));
        let acting = lists.map(|(given, (acceleration, force))| if *given { *acceleration } else { *force });
        let wrenches = inputs.wrenches.iter().flat_map(|wrench| wrench.force.to_array());
        let all = motion.chain(acting).chain(inputs.element_forces.iter().copied()).chain(wrenches);
        numbers.iter_mut().zip(all).for_each(|(to, from)| *to = from);
        family.native.run(numbers, outputs).is_ok()
    }
}

impl Formulation for CompiledEquations {
    fn stamp(&self) -> ModelStamp {
        self.model.stamp()
    }

    fn is_that_of_sweeps(&self) -> bool {
        true
    }

    fn accelerations(
        &mut self,
        state: &State,
        inputs: &Inputs,
        accelerations: &mut [f64],
        forces: &mut [f64],
    ) -> Result<(), DynamicsError> {
        self.by_sweeps = !self.run(state, inputs);
        if self.by_sweeps {
            let solution = supple::hybrid_dynamics(&self.model, state, inputs, &mut self.workspace)?;
            accelerations.copy_from_slice(solution.accelerations());
            forces.copy_from_slice(solution.forces());
        } else {
            accelerations.copy_from_slice(&inputs.accelerations);
            forces.copy_from_slice(&inputs.forces);
            for (i, (given, found)) in self.family.given.iter().zip(&self.outputs).enumerate() {
                let to = if *given { &mut forces[i] } else { &mut accelerations[i] };
                *to = *found;
            }
        }
        self.forces_power = forces.iter().zip(&state.speeds).map(|(force, speed)| force * speed).sum();
        Ok(())
    }

    fn energy(&mut self, state: &State) -> Result<Energy, DynamicsError> {
        supple::energy(&self.model, state, &mut self.workspace)
    }

    fn power(&mut self, state: &State, inputs: &Inputs) -> Result<Power, DynamicsError> {
        let forces = self.forces_power;
        if self.by_sweeps {
            return Ok(Power { forces, ..supple::power(&self.model, state, inputs, &mut self.workspace)? });
        }
        let [wrenches, dissipated, element_supplied, element_dissipated] =
            std::array::from_fn(|i| self.outputs[self.outputs.len() - POWERS + i]);
        Ok(Power { forces, wrenches, dissipated, element_supplied, element_dissipated })
    }
}
