//! One program for models that differ in numbers.

use crate::agreement::{condition, difference};
use crate::code::{Folder, is_there};
use std::sync::Arc;
use supple::integrate::Formulation;
use supple::testkit::{Prepared, RandomOptions, RandomState, Worst, random_system, tolerance};
use supple::{ModalMatrix, System, Workspace, hybrid_dynamics, power};
use supple_compile::native::{Build, Cache};
use supple_compile::{Family, Program};

/// Systems with force elements, wrenches and prescribed hinges.
fn system(seed: u64) -> (System, RandomState) {
    let options = RandomOptions {
        bodies: 2..=5,
        modes: 4,
        mass_ratio: 10.0,
        singular: false,
        orthogonal_modes: seed.is_multiple_of(2),
        second_order: seed % 4 == 1,
        elements: seed.is_multiple_of(2),
        ..RandomOptions::default()
    };
    random_system(seed, &options)
}

/// The same system with other masses, places, stiffness and gravity, every third hinge prescribed.
fn member((system, state): &(System, RandomState), factor: f64) -> Prepared {
    let mut system = system.clone();
    system.gravity = system.gravity.map(|g| g * factor);
    for body in &mut system.bodies {
        body.hinge.position = body.hinge.position.map(|x| x * factor);
        if let ModalMatrix::Diagonal(stiffness) = &mut body.modes.stiffness {
            stiffness.iter_mut().for_each(|k| *k *= factor);
        }
        for node in body.nodes.iter_mut().filter(|_| body.modes.count == 0) {
            node.mass *= factor;
            node.inertia.iter_mut().flatten().for_each(|entry| *entry *= factor);
        }
    }
    let mut at = Prepared::new(&system, state);
    for (k, prescribed) in at.inputs.prescribed.iter_mut().enumerate() {
        *prescribed = k % 3 == 1;
    }
    at.inputs.accelerations.copy_from_slice(&state.accelerations);
    at
}

fn family(of: &(System, RandomState), factors: &[f64]) -> Family {
    let models: Vec<_> = factors.iter().map(|factor| member(of, *factor).model).collect();
    Family::new(&models).unwrap()
}

/// What goes into the program of a family for one of its models.
fn numbers(family: &Family, at: &Prepared) -> Option<Vec<f64>> {
    let given =
        |i: usize| at.model.body_indices().any(|b| at.inputs.prescribed[b.0] && at.model.hinge_speeds(b).contains(&i));
    let mut out = at.state.coordinates.clone();
    out.extend(at.state.attitudes.iter().flat_map(|q| q.0));
    out.extend(&at.state.speeds);
    out.extend(
        (0..at.state.speeds.len()).map(|i| if given(i) { at.inputs.accelerations[i] } else { at.inputs.forces[i] }),
    );
    out.extend(&at.inputs.element_forces);
    out.extend(at.inputs.wrenches.iter().flat_map(|wrench| wrench.force.to_array()));
    family.write_numbers(&at.model, &mut out).then_some(out)
}

/// Accelerations, forces of prescribed hinges, powers.
fn answer(at: &Prepared) -> Vec<f64> {
    let mut workspace = Workspace::new(&at.model);
    let solution = hybrid_dynamics(&at.model, &at.state, &at.inputs, &mut workspace).unwrap();
    let mut out = solution.accelerations().to_vec();
    for body in at.model.body_indices().filter(|body| at.inputs.prescribed[body.0]) {
        let speeds = at.model.hinge_speeds(body);
        out[speeds.clone()].copy_from_slice(&solution.forces()[speeds]);
    }
    let power = power(&at.model, &at.state, &at.inputs, &mut workspace).unwrap();
    out.extend([power.wrenches, power.dissipated, power.element_supplied, power.element_dissipated]);
    out
}

/// A program of three models holds for a fourth one, in accelerations, forces of prescribed hinges and powers.
#[test]
fn a_program_holds_for_further_models() {
    let (mut worst, mut symbols) = (Worst::new(), 0);
    for seed in 0..24 {
        let of = system(seed);
        let family = family(&of, &[1.0, 1.2, 0.9]);
        let first = member(&of, 1.0);
        let program: Program = family.dynamics(&first.state, &first.inputs).unwrap();
        let at = member(&of, 1.37);
        let numbers = numbers(&family, &at).unwrap_or_else(|| panic!("{seed}: no member"));
        assert_eq!(numbers.len(), program.inputs.len(), "{seed}");
        let mut found = vec![0.0; program.outputs.len()];
        program.interpreter().run(&numbers, &mut found).unwrap();
        let allowed = tolerance(condition(&at));
        let error = difference(&found, &answer(&at));
        assert!(error <= allowed, "{seed}: {error:e}, allowed {allowed:e}");
        worst.record("family", seed, error, allowed);
        symbols += usize::from(program.inputs.iter().any(|input| input.name.starts_with("model.")));
        // It is another one.
        let change = difference(&found, &answer(&first));
        assert!(change > 1e3 * allowed, "{seed}: {change:e}, allowed {allowed:e}");
    }
    worst.assert_within();
    assert_eq!(symbols, 24);
}

/// A number that all samples share, or another structure, is no member; what was appended is taken back.
#[test]
fn others_are_no_members() {
    let of = system(3);
    let family = family(&of, &[1.0, 1.2]);
    let mut other = of.clone();
    other.0.bodies[0].hinge.rotation = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let mut list = vec![7.0];
    assert!(!family.write_numbers(&member(&other, 1.1).model, &mut list));
    other = of.clone();
    other.0.bodies.pop();
    other.0.forces.clear();
    let smaller = supple::Model::build(&other.0).unwrap();
    assert!(!family.write_numbers(&smaller, &mut list));
    assert_eq!(list, [7.0]);
    assert!(Family::new(&[member(&of, 1.0).model, smaller]).is_err() && Family::new(&[]).is_err());
}

/// As equations of an integrator: by code, and by the sweeps where the code does not hold.
#[test]
fn compiled_equations_are_those_of_the_sweeps() {
    if !is_there("cc") {
        return;
    }
    let of = system(4);
    let first = member(&of, 1.0);
    let folder = Folder::new("family");
    let build = Build { cache: Some(Cache::at(&folder.0)), ..Build::default() };
    let compiled = Arc::new(build.family(family(&of, &[1.0, 1.2]), &first.state, &first.inputs).unwrap());
    let mut at = member(&of, 0.8);
    let mut equations = compiled.equations(&at.model).unwrap();
    let allowed = tolerance(condition(&at));
    for held in [false, true] {
        // Another hinge is held than where the code was recorded.
        at.inputs.prescribed[0] |= held;
        let n = at.model.speed_count();
        let (mut accelerations, mut forces) = (vec![0.0; n], vec![0.0; n]);
        equations.accelerations(&at.state, &at.inputs, &mut accelerations, &mut forces).unwrap();
        let found = equations.power(&at.state, &at.inputs).unwrap();
        let mut workspace = Workspace::new(&at.model);
        let solution = hybrid_dynamics(&at.model, &at.state, &at.inputs, &mut workspace).unwrap();
        assert!(difference(&accelerations, solution.accelerations()) <= allowed);
        assert!(difference(&forces, solution.forces()) <= allowed);
        let acting = supple::Inputs { forces: forces.clone(), ..at.inputs.clone() };
        let expected = power(&at.model, &at.state, &acting, &mut workspace).unwrap();
        assert!(
            (found.net() - expected.net()).abs() <= allowed * expected.net().abs().max(1.0),
            "{found:?} {expected:?}"
        );
    }
    // What the sweeps refuse is refused as they do.
    at.state.speeds[0] = f64::NAN;
    let n = at.model.speed_count();
    let refused = equations.accelerations(&at.state, &at.inputs, &mut vec![0.0; n], &mut vec![0.0; n]);
    assert!(matches!(refused, Err(supple::DynamicsError::NotFinite { .. })), "{refused:?}");
}
