//! Steps under what follows the time, hinges that move as told among it, are those of the engine's integrators.

use supple::batch::StepScheme;
use supple::integrate::{Scheme, Simulation};
use supple::testkit::{Prepared, RandomOptions, random_system};
use supple::{Inputs, State};
use supple_compile::{DrivenStep, Family};

/// A tree some of whose hinges move as told, with forces in the others.
fn tree(seed: u64, elements: bool) -> Prepared {
    let options = RandomOptions {
        bodies: 2..=4,
        modes: 3,
        mass_ratio: 10.0,
        singular: false,
        elements,
        ..RandomOptions::default()
    };
    let (system, state) = random_system(seed, &options);
    let mut at = Prepared::new(&system, &state);
    for (k, prescribed) in at.inputs.prescribed.iter_mut().enumerate() {
        *prescribed = (k as u64 + seed).is_multiple_of(3);
    }
    at.inputs.accelerations.copy_from_slice(&state.accelerations);
    at
}

/// What acts at a time.
fn acting(of: &Inputs, time: f64) -> Inputs {
    let mut inputs = of.clone();
    let factor = 1.0 + 300.0 * time;
    inputs.forces.iter_mut().chain(&mut inputs.accelerations).for_each(|x| *x *= factor);
    inputs.element_forces.iter_mut().for_each(|x| *x *= factor);
    inputs.wrenches.iter_mut().for_each(|wrench| wrench.force = wrench.force * factor);
    inputs
}

fn flat(state: &State) -> Vec<f64> {
    let attitudes = state.attitudes.iter().flat_map(|attitude| attitude.0);
    state.coordinates.iter().copied().chain(attitudes).chain(state.speeds.iter().copied()).collect()
}

#[test]
fn steps_are_those_of_the_integrators() {
    let (mut moved, mut worst) = (0, 0.0_f64);
    for seed in 0..24 {
        let scheme = if seed % 2 == 0 { StepScheme::RungeKutta } else { StepScheme::LinearlyImplicit };
        // Of stiff elements linearly implicit steps of programs know nothing.
        let at = tree(seed, seed % 4 == 0);
        let (h, n) = (1e-3, at.model.speed_count());
        let driven = DrivenStep::new(scheme, &at.model, (&at.state, &at.inputs), &vec![true; n]);
        let family = Family::new(std::slice::from_ref(&at.model)).unwrap();
        let program = family.step(&driven, (&at.state, h)).unwrap().scheduled();
        let mut numbers = flat(&at.state);
        numbers.push(h);
        for place in driven.places() {
            driven.write(&acting(&at.inputs, at.state.time + place * h), &mut numbers);
        }
        assert_eq!(numbers.len(), flat(&at.state).len() + driven.width());
        let mut found = vec![0.0; program.outputs.len()];
        program.interpreter().run(&numbers, &mut found).unwrap();

        let inputs = at.inputs.clone();
        let drive = move |state: &State, to: &mut Inputs| *to = acting(&inputs, state.time);
        let of_engine = match scheme {
            StepScheme::RungeKutta => Scheme::RungeKutta4,
            StepScheme::LinearlyImplicit => Scheme::LinearlyImplicit,
        };
        let mut engine =
            Simulation::new(&at.model, at.state.clone(), drive, of_engine, supple::integrate::Stepping::Fixed(h))
                .unwrap();
        engine.prescribe(&at.inputs.prescribed).unwrap();
        engine.advance_step(at.state.time + h).unwrap();
        let expected = flat(engine.state());
        // Changes are compared, not what stays.
        let change: Vec<f64> = expected.iter().zip(flat(&at.state)).map(|(a, b)| a - b).collect();
        let size = change.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let error = found.iter().zip(&expected).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / size;
        assert!(error < 1e-9, "seed {seed}, {scheme:?}: {error:e}");
        worst = worst.max(error);
        moved += usize::from(at.inputs.prescribed.contains(&true));
    }
    println!("worst relative difference of a change {worst:e}");
    assert!(worst > 0.0 && moved > 12, "{worst:e} {moved}");
}
