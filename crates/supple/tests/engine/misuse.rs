//! What safe code can do wrong: every item gives a typed error, or panics where its documentation says so.

use std::panic::{AssertUnwindSafe, catch_unwind};
use supple::batch::{Batch, BatchError, MOST_THREADS};
use supple::integrate::{
    Drive, Equations, IntegrationError, Integrator, Limits, MotionEquations, Scheme, Simulation, Stepping, Tolerance,
};
use supple::spatial::Force;
use supple::testkit::{ChainOptions, Prepared, serial_chain};
use supple::{
    AccessError, BodyIndex, Departure, DynamicsError, Inputs, Model, NodeIndex, Sign, State, Validity, ValidityLimits,
    Workspace, WrenchFrame, forward_dynamics, kinematics,
};

/// Chains of flexible bodies: a small model and a bigger one.
fn chains() -> (Prepared, Prepared) {
    let of = |bodies| {
        let (system, random) = serial_chain(bodies, 2, &ChainOptions::default());
        Prepared::new(&system, &random)
    };
    (of(2), of(5))
}

/// Whether it panics; its documentation must say so.
fn panics<R>(function: impl FnOnce() -> R) -> bool {
    catch_unwind(AssertUnwindSafe(function)).is_err()
}

#[test]
fn an_index_that_is_not_the_models_panics_as_documented() {
    let (small, big) = chains();
    let (model, beyond) = (&small.model, BodyIndex(4));
    assert!(panics(|| model.name(beyond).len()));
    assert!(panics(|| model.parent(beyond)));
    assert!(panics(|| model.modes(beyond)));
    assert!(panics(|| model.node_count(beyond)));
    assert!(panics(|| model.modal_coordinates(beyond)));
    assert!(panics(|| model.hinge_coordinates(beyond)));
    assert!(panics(|| model.modal_speeds(beyond)));
    assert!(panics(|| model.hinge_speeds(beyond)));
    assert!(panics(|| model.fidelity(beyond)));
    assert!(panics(|| small.state.modal_coordinates(&big.model, beyond).len()));
    assert!(panics(|| small.state.hinge_coordinates(&big.model, beyond).len()));
    let mut ws = small.workspace();
    let solution = forward_dynamics(model, &small.state, &small.inputs, &mut ws).unwrap();
    assert!(panics(|| solution.modal_accelerations(&big.model, beyond).len()));
    assert!(panics(|| solution.hinge_accelerations(&big.model, beyond).len()));
    assert!(panics(|| solution.hinge_forces(&big.model, beyond).len()));
    assert!(panics(|| small.state.coordinate_rates(&big.model, &mut [], &mut [])));
    // What gives an option or an iterator does not panic.
    assert_eq!(model.hinge_of(beyond), None);
    assert_eq!((model.nodes_of(beyond).count(), model.modes_of(beyond).count()), (0, 0));
}

#[test]
fn kinematics_of_nodes_that_are_not_there_panics_as_documented() {
    let (small, _) = chains();
    let mut ws = small.workspace();
    let motion = kinematics(&small.model, &small.state, &mut ws).unwrap();
    let (body, beyond, node, far) = (BodyIndex(0), BodyIndex(9), NodeIndex(0), NodeIndex(99));
    assert!(panics(|| motion.body_position(beyond)));
    assert!(panics(|| motion.body_attitude(beyond)));
    assert!(panics(|| motion.body_velocity(beyond)));
    for (body, node) in [(beyond, node), (body, far)] {
        assert!(panics(|| motion.node_position(body, node)));
        assert!(panics(|| motion.node_deflection(body, node)));
        assert!(panics(|| motion.node_attitude(body, node)));
        assert!(panics(|| motion.node_velocity(body, node)));
        assert_eq!(motion.node_acceleration(body, node), None, "no accelerations were given");
    }
}

#[test]
fn handles_of_another_model_are_refused() {
    let (small, big) = chains();
    // The same system built again is another model, although every size fits.
    let (again, _) = chains();
    for other in [&big.model, &again.model] {
        let hinge = other.hinges().last().unwrap();
        let body = hinge.body();
        let (mode, node) = (other.modes_of(body).last().unwrap(), other.nodes_of(body).last().unwrap());
        let (mut state, mut inputs, mut ws) = (small.state.clone(), small.inputs.clone(), small.workspace());
        let wrong = |used_with| AccessError::WrongModel { used_with };
        assert_eq!(state.get(hinge), Err(wrong("state")));
        assert_eq!(state.set(mode, 1.0), Err(wrong("state")));
        assert_eq!(state.speed(mode), Err(wrong("state")));
        assert_eq!(state.set_speed(hinge, 1.0), Err(wrong("state")));
        assert_eq!(state.coordinates_of(hinge), Err(wrong("state")));
        assert_eq!(state.speeds_of_mut(mode), Err(wrong("state")));
        assert_eq!(inputs.add_force(hinge, 1.0), Err(wrong("inputs")));
        assert_eq!(inputs.set_force(mode, 1.0), Err(wrong("inputs")));
        assert_eq!(inputs.forces_of(hinge), Err(wrong("inputs")));
        assert_eq!(inputs.accelerations_of(hinge), Err(wrong("inputs")));
        assert_eq!(inputs.prescribe(hinge, &[0.0]), Err(wrong("inputs")));
        assert_eq!(inputs.release(hinge), Err(wrong("inputs")));
        assert_eq!(inputs.add_wrench(node, WrenchFrame::Body, Force::ZERO), Err(wrong("inputs")));
        assert_eq!((&state, &inputs), (&small.state, &small.inputs), "nothing is changed");
        let solution = forward_dynamics(&small.model, &state, &inputs, &mut ws).unwrap();
        assert_eq!(solution.acceleration(hinge), Err(wrong("solution")));
        assert_eq!(solution.force(mode), Err(wrong("solution")));
        assert_eq!(solution.hinge_wrench(hinge, WrenchFrame::Body), Err(wrong("solution")));
        assert_eq!(solution.node_wrench(node, WrenchFrame::Body), Err(wrong("solution")));
        assert_eq!((small.model.hinge_name(hinge), small.model.node_name(node)), (None, None));
        assert!(small.model.node_variables(node).is_empty());
    }
}

#[test]
fn handles_meet_lists_of_another_length() {
    let (small, _) = chains();
    let hinge = small.model.hinges().last().unwrap();
    let (mut state, mut inputs) = (small.state.clone(), small.inputs.clone());
    state.coordinates.truncate(1);
    inputs.forces.clear();
    inputs.prescribed.clear();
    assert!(matches!(state.get(hinge), Err(AccessError::WrongSize { found: 1, .. })));
    assert!(matches!(inputs.add_force(hinge, 1.0), Err(AccessError::WrongSize { found: 0, .. })));
    assert!(matches!(inputs.release(hinge), Err(AccessError::WrongSize { found: 0, .. })));
    assert_eq!(small.inputs.clone().prescribe(hinge, &[]), Err(AccessError::WrongSize { found: 0, expected: 1 }));
}

#[test]
fn validity_of_another_model_is_refused() {
    let (small, big) = chains();
    let mut validity = Validity::new(&big.model, ValidityLimits::default());
    let error = validity.observe(&small.model, &small.state, &mut small.workspace()).unwrap_err();
    assert_eq!(error, DynamicsError::OtherModel { what: "watch on validity" });
    assert!(validity.observe(&big.model, &big.state, &mut big.workspace()).is_ok());
    assert_eq!(
        validity.observe(&big.model, &big.state, &mut small.workspace()).unwrap_err(),
        DynamicsError::WrongModel,
        "a workspace of another model"
    );
}

#[test]
fn a_departure_is_described_by_any_model() {
    let (small, _) = chains();
    let node = NodeIndex(77);
    for sign in [
        Sign::Spin { value: 2.0, frequency: 1.0 },
        Sign::Slope { node, value: 1.0 },
        Sign::Deflection { node, value: 1.0, length: 0.0 },
    ] {
        let departure = Departure { time: 1.0, body: BodyIndex(40), sign };
        assert!(departure.describe(&small.model).contains("'number 40'"), "{}", departure.describe(&small.model));
        let known = Departure { body: BodyIndex(0), ..departure };
        assert!(known.describe(&small.model).contains(small.model.name(BodyIndex(0))));
    }
}

/// Equations that say of themselves what cannot be.
struct Boasting(usize);

impl Equations for Boasting {
    fn rates(&mut self, _: f64, _: &[f64], rates: &mut [f64]) -> Result<(), DynamicsError> {
        rates.fill(1.0);
        Ok(())
    }

    fn quadratures(&self) -> usize {
        self.0
    }

    fn speeds(&self) -> std::ops::Range<usize> {
        0..self.0
    }
}

fn schemes() -> [Scheme; 8] {
    [
        Scheme::DormandPrince,
        Scheme::PrinceDormand8,
        Scheme::RungeKutta4,
        Scheme::LinearlyImplicit,
        Scheme::Exponential,
        Scheme::ExponentialAdams,
        Scheme::gauss(2),
        Scheme::generalized_alpha(0.5),
    ]
}

#[test]
fn samples_into_slices_of_another_size_are_refused() {
    for scheme in schemes() {
        let mut integrator =
            Integrator::new(scheme, Stepping::Fixed(0.5), Limits::default(), 0.0, vec![0.0; 4]).unwrap();
        let mut equations = Boasting(2);
        integrator.advance(&mut equations, 1.0).unwrap();
        for time in [1.0, 0.75] {
            for size in [0, 3, 5] {
                let error = integrator.sample(&mut equations, time, &mut vec![0.0; size]).unwrap_err();
                assert!(matches!(error, IntegrationError::BadRequest { .. }), "{scheme:?}: {error}");
            }
            integrator.sample(&mut equations, time, &mut [0.0; 4]).unwrap();
        }
    }
}

#[test]
fn equations_that_do_not_fit_their_state_are_refused() {
    for scheme in schemes() {
        let mut integrator =
            Integrator::new(scheme, Stepping::Fixed(0.5), Limits::default(), 0.0, vec![0.0; 4]).unwrap();
        let error = integrator.advance(&mut Boasting(5), 1.0).unwrap_err();
        assert!(matches!(error, IntegrationError::BadRequest { .. }), "{scheme:?}: {error}");
        // No number at all.
        let error = Integrator::new(scheme, Stepping::Fixed(0.5), Limits::default(), 0.0, Vec::new()).unwrap_err();
        assert!(matches!(error, IntegrationError::BadRequest { .. }), "{scheme:?}: {error}");
        assert_eq!(Scheme::gauss(u32::MAX).order(), u32::MAX);
    }
}

#[test]
fn equations_of_a_model_refuse_states_of_another_size() {
    let (small, big) = chains();
    let idle = |_: &State, _: &mut Inputs| {};
    let mut equations = MotionEquations::new(&small.model, small.state.clone(), idle).unwrap();
    let y = equations.pack();
    let long = MotionEquations::new(&big.model, big.state.clone(), idle).unwrap().pack();
    let mut rates = vec![0.0; y.len()];
    equations.rates(0.0, &y, &mut rates).unwrap();
    let size = |result: Result<(), DynamicsError>| assert!(matches!(result, Err(DynamicsError::WrongSize { .. })));
    for bad in [&long[..], &y[1..], &[]] {
        size(equations.rates(0.0, bad, &mut rates));
        size(equations.rates(0.0, &y, &mut bad.to_vec()));
        size(equations.rates_along(0.0, bad, &y, &mut rates));
        size(equations.rates_along(0.0, &y, bad, &mut rates));
        size(equations.rates_along(0.0, &y, &y, &mut bad.to_vec()));
        size(equations.ledger(bad).map(drop));
        equations.project(&mut bad.to_vec());
        // Those that the documentation calls panics.
        if bad.is_empty() {
            assert!(panics(|| MotionEquations::unpack(0.0, bad, &mut small.state.clone())));
            assert!(panics(|| equations.settle(0.0, bad)));
        }
    }
    assert!(panics(|| equations.body_works(&[]).len()));
    // An integrator whose state is of another model.
    let mut integrator =
        Integrator::new(Scheme::DormandPrince, Stepping::Fixed(0.1), Limits::default(), 0.0, long).unwrap();
    let error = integrator.advance(&mut equations, 1.0).unwrap_err();
    assert!(matches!(error, IntegrationError::Dynamics { source: DynamicsError::WrongSize { .. }, .. }), "{error}");
}

/// Which list a drive spoils, and how long it makes it.
#[derive(Clone, Copy)]
struct Spoiling(usize, usize);

impl Drive for Spoiling {
    fn drive(&mut self, state: &State, inputs: &mut Inputs) {
        if state.time > 2.5e-6 {
            match self.0 {
                0 => inputs.forces.resize(self.1, 0.0),
                1 => inputs.accelerations.resize(self.1, 0.0),
                _ => inputs.prescribed.resize(self.1, false),
            }
        }
    }
}

#[test]
fn a_drive_that_changes_the_number_of_inputs_is_refused() {
    let (small, _) = chains();
    let model = &small.model;
    for scheme in schemes() {
        for list in 0..3 {
            for length in [0, 1, 99] {
                let start = State { time: 0.0, ..State::new(model) };
                let drive = Spoiling(list, length);
                let mut simulation = match scheme.estimates_error() {
                    true => Simulation::new(model, start, drive, scheme, Tolerance { relative: 1e-3, absolute: 1e-3 }),
                    false => Simulation::new(model, start, drive, scheme, Stepping::Fixed(1e-6)),
                }
                .unwrap();
                simulation.set_limits(Limits { steps: 10_000, ..Limits::default() }).unwrap();
                let error = simulation.advance(1e-5).unwrap_err();
                assert!(
                    matches!(error, IntegrationError::Dynamics { source: DynamicsError::WrongSize { .. }, .. }),
                    "{scheme:?}, list {list} of {length}: {error}"
                );
                assert!(simulation.prescribe(&vec![true; model.body_count()]).is_ok());
                assert!(simulation.ledger().is_ok() && simulation.inputs().forces.len() == model.speed_count());
            }
        }
    }
}

#[test]
fn a_batch_of_too_many_threads_is_refused() {
    let (small, _) = chains();
    for threads in [MOST_THREADS + 1, 20_000, usize::MAX] {
        let too_many = BatchError::TooManyThreads { asked: threads, most: MOST_THREADS };
        assert_eq!(Batch::new(&small.model, threads).unwrap_err(), too_many);
        assert_eq!(Batch::of_models(std::slice::from_ref(&small.model), threads).unwrap_err(), too_many);
    }
}

#[test]
fn names_that_are_not_there_name_the_nearest() {
    let (mut system, _) = serial_chain(2, 2, &ChainOptions::default());
    system.bodies[0].hinge.name = Some("shoulder".into());
    system.bodies[1].name = "boom".into();
    system.bodies[1].nodes[0].name = Some("root".into());
    let model = Model::build(&system).unwrap();
    assert_eq!(model.hinge("shoulder").unwrap().body(), BodyIndex(0));
    assert_eq!(model.hinge("boom").unwrap().body(), BodyIndex(1));
    assert_eq!(model.node("boom", "root").unwrap().node(), NodeIndex(0));
    assert_eq!(model.node("boom", "1").unwrap().node(), NodeIndex(1));
    assert_eq!(model.mode("boom", 2).unwrap().number(), 2);
    let error = model.hinge("sholder").unwrap_err();
    assert_eq!((error.nearest.as_deref(), error.remedy()), (Some("shoulder"), "did you mean 'shoulder'?".into()));
    assert_eq!(error.to_string(), "the model has no hinge 'sholder'; did you mean 'shoulder'?");
    assert_eq!(model.node("bom", "root").unwrap_err().to_string(), "the model has no body 'bom'; did you mean 'boom'?");
    let error = model.node("boom", "rot").unwrap_err();
    assert_eq!(error.to_string(), "body 'boom' has no node 'rot'; did you mean 'root'?");
    for number in [0, 3, usize::MAX] {
        let error = model.mode("boom", number).unwrap_err();
        assert_eq!(error.to_string(), format!("body 'boom' has no mode '{number}'; modes are 1 to 2"));
    }
}

/// Numbers through handles are those through indices.
#[test]
fn handles_read_and_write_what_indices_do() {
    let (small, _) = chains();
    let model = &small.model;
    let (mut state, mut inputs) = (State::new(model), Inputs::new(model));
    for hinge in model.hinges() {
        let body = hinge.body();
        state.set(hinge, 0.25).unwrap();
        state.set_speed(hinge, -0.5).unwrap();
        inputs.add_force(hinge, 2.0).unwrap();
        inputs.add_force(hinge, 1.0).unwrap();
        for mode in model.modes_of(body) {
            state.set(mode, 1e-3 * mode.number() as f64).unwrap();
            state.set_speed(mode, 2e-3).unwrap();
        }
        assert_eq!(state.coordinates[model.hinge_coordinates(body)], [0.25]);
        assert_eq!(state.speeds[model.hinge_speeds(body)], [-0.5]);
        assert_eq!(inputs.forces[model.hinge_speeds(body)], [3.0]);
        assert_eq!(state.coordinates[model.modal_coordinates(body)], [1e-3, 2e-3]);
        assert_eq!(state.speeds[model.modal_speeds(body)], [2e-3, 2e-3]);
    }
    let mut ws = Workspace::new(model);
    let solution = forward_dynamics(model, &state, &inputs, &mut ws).unwrap();
    for hinge in model.hinges() {
        let at = model.hinge_speeds(hinge.body()).start;
        assert_eq!(solution.acceleration(hinge).unwrap(), solution.accelerations()[at]);
        assert_eq!(solution.force(hinge).unwrap(), 3.0);
    }
}

/// Names are unique, and places those of the lists they count in.
#[test]
fn variables_have_names_and_places_of_their_own() {
    use supple::model::{Role, VariableKind};
    let (small, _) = chains();
    let model = &small.model;
    let variables = model.variables();
    let mut names: Vec<_> = variables.iter().map(|v| v.name.as_str()).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    let count = |kinds: &[VariableKind]| variables.iter().filter(|v| kinds.contains(&v.kind)).count();
    assert_eq!(count(&[VariableKind::HingeCoordinate, VariableKind::ModalCoordinate]), model.coordinate_count());
    assert_eq!(count(&[VariableKind::HingeSpeed, VariableKind::ModalSpeed]), model.speed_count());
    assert_eq!(count(&[VariableKind::HingeForceInput, VariableKind::ModalForceInput]), model.speed_count());
    assert_eq!(count(&[VariableKind::HingeAcceleration, VariableKind::ModalAcceleration]), model.speed_count());
    assert_eq!(count(&[VariableKind::Attitude]), 4 * model.attitude_nodes().len());
    assert_eq!(count(&[VariableKind::Reaction]), 6 * model.body_count());
    for variable in &variables {
        let size = match variable.kind.role() {
            Role::State | Role::Input => model.coordinate_count() + 4 * model.attitude_nodes().len(),
            Role::Output => usize::MAX,
        };
        assert!(variable.index < size && !variable.unit.is_empty() && !variable.description.is_empty());
    }
}
