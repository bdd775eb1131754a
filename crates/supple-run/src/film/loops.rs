//! Hinges under control, with the columns that show them.

use supple::model::{Variable, VariableKind};
use supple_io::scenario_file::{Connection, ControlBlock, Scenario};
use supple_report::control_loop::{ControlLoop, Reference};

use crate::control::column_name;
use crate::story::{clamp, coordinate_of, measured, references};

/// All of a scenario, a loop for each hinge of each controller.
pub fn of(scenario: &Scenario) -> Vec<ControlLoop> {
    let variables = scenario.model.model.variables();
    let estimates = estimates(scenario, &variables);
    let of_block = |block: &ControlBlock| -> Vec<ControlLoop> {
        let own = |(i, speed): (usize, &usize)| one(scenario, block, (i, *speed), (&variables, &estimates));
        block.acts.iter().enumerate().filter_map(own).collect()
    };
    scenario.blocks.iter().flat_map(of_block).collect()
}

fn one(
    scenario: &Scenario,
    block: &ControlBlock,
    (i, speed): (usize, usize),
    (variables, estimates): (&[Variable], &[(String, String)]),
) -> Option<ControlLoop> {
    let of_kind = |kind: VariableKind, place: usize| variables.iter().find(|v| v.kind == kind && v.index == place);
    let force = of_kind(VariableKind::DriveForce, speed)?;
    let coordinate = coordinate_of(scenario, speed)?;
    let own = of_kind(VariableKind::HingeCoordinate, coordinate)?;
    // What is compared with the reference need not be the hinge that is driven.
    let seen = measured(scenario, block, coordinate).and_then(|place| of_kind(VariableKind::HingeCoordinate, place));
    let measured = seen.unwrap_or(own);
    let connection = references(scenario, block).into_iter().find(|(place, _)| *place == coordinate);
    let reference = connection.filter(|_| seen.is_some()).and_then(|(_, connection)| match connection {
        Connection::Output { block, output } => {
            let from = &scenario.blocks[block];
            Some(Reference::Column(column_name(from, &from.outputs[output][0])))
        }
        Connection::Constant(value) => Some(Reference::Constant(value)),
        _ => None,
    });
    let of_motor = crate::effort::limits(scenario).into_iter().find(|(limited, _)| *limited == speed).map(|(_, x)| x);
    let limit = [of_motor, clamp(scenario, speed)].into_iter().flatten().reduce(f64::min);
    Some(ControlLoop {
        controller: block.name.clone(),
        kind: block.kind.name.to_owned(),
        hinge: own.name.trim_start_matches("hinge.").to_owned(),
        unit: measured.unit.to_owned(),
        reference,
        measured: measured.name.clone(),
        effort: column_name(block, &block.outputs.get(i)?[0]),
        force: force.name.clone(),
        effort_unit: force.unit.to_owned(),
        limit,
        // Observers are told once, with the first loop.
        estimates: if i == 0 && is_first(scenario, block) { estimates.to_vec() } else { Vec::new() },
    })
}

fn is_first(scenario: &Scenario, block: &ControlBlock) -> bool {
    scenario.blocks.iter().find(|one| !one.acts.is_empty()).is_some_and(|one| one.name == block.name)
}

/// Columns of estimates that have the name of what they estimate.
fn estimates(scenario: &Scenario, variables: &[Variable]) -> Vec<(String, String)> {
    let of_block = |block: &ControlBlock| {
        let named = |output: &[String; 3]| variables.iter().find(|v| v.name == output[0]);
        let pairs = block
            .outputs
            .iter()
            .filter_map(|output| Some((column_name(block, &output[0]), named(output)?.name.clone())));
        pairs.collect::<Vec<_>>()
    };
    scenario.blocks.iter().filter(|block| block.kind.gives_states).flat_map(of_block).collect()
}
