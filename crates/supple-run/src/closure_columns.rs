//! Columns of closures.

use supple::integrate::Simulation;
use supple::model::VariableKind;
use supple::{ClosureHandle, DynamicsError, Model, Workspace, closure_deviations, closure_separation, reactions};

/// Writes the columns of closures.
pub struct ClosureColumns {
    closures: Vec<ClosureHandle>,
    /// Deviations of the equations, and their rates.
    deviations: [Vec<f64>; 2],
}

impl ClosureColumns {
    /// Of a model.
    pub fn new(model: &Model) -> Self {
        let deviations = [vec![0.0; model.equation_count()], vec![0.0; model.equation_count()]];
        Self { closures: model.closure_handles().collect(), deviations }
    }

    /// Appends variables of a kind, by their places, at the state reached.
    pub fn write(
        &mut self,
        (kind, places): (VariableKind, &[usize]),
        model: &Model,
        run: &mut Simulation,
        workspace: &mut Workspace,
        row: &mut Vec<f64>,
    ) -> Result<(), DynamicsError> {
        // What acts here, prescribed motions of closures included.
        run.dynamics()?;
        let (state, inputs) = (run.state(), run.inputs());
        match kind {
            VariableKind::ClosureState => row.extend(places.iter().map(|i| f64::from(u8::from(state.closed[*i])))),
            VariableKind::ClosureSeparation => {
                for i in places {
                    let apart = closure_separation(model, state, inputs, self.closures[*i / 2], workspace)?;
                    row.push([apart.distance, apart.angle][*i % 2]);
                }
            }
            VariableKind::ClosureDeviation => {
                let [deviations, rates] = &mut self.deviations;
                closure_deviations(model, state, inputs, workspace, deviations, rates)?;
                row.extend(places.iter().map(|i| deviations[*i]));
            }
            _ => {
                let other = |_| DynamicsError::OtherModel { what: "recorder" };
                let solution = reactions(model, state, inputs, workspace)?;
                for i in places {
                    row.push(if kind == VariableKind::ClosureWrench {
                        let [_, on_b] = solution.closure_wrenches(self.closures[*i / 6]).map_err(other)?;
                        on_b.to_array()[*i % 6]
                    } else {
                        solution.closure_forces(self.closures[*i]).map_err(other)?.iter().sum()
                    });
                }
            }
        }
        Ok(())
    }
}
