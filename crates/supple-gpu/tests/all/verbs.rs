//! Verbs by kernels equal those of the engine, in the call shape of batches.

use crate::stand_in::runs_here;
use supple::batch::{Batch as OnProcessor, BatchError, States, StatesMut, StepScheme, Steps};
use supple::testkit::{Prepared, RandomOptions, random_system};
use supple::{DynamicsError, Model};
use supple_gpu::{Batch, GpuError, Place, Shape};

/// A random tree.
pub fn tree(seed: u64) -> Prepared {
    let options = RandomOptions {
        bodies: 2..=4,
        modes: 3,
        mass_ratio: 10.0,
        singular: false,
        elements: false,
        ..RandomOptions::default()
    };
    let (system, state) = random_system(seed, &options);
    Prepared::new(&system, &state)
}

/// Rows of instances about a state.
pub struct Rows {
    pub coordinates: Vec<f64>,
    pub speeds: Vec<f64>,
    pub attitudes: Vec<[f64; 4]>,
    pub forces: Vec<f64>,
}

impl Rows {
    /// Speeds and forces of each are its own.
    pub fn about(at: &Prepared, count: usize) -> Self {
        let factor = |k: usize| 1.0 + 0.1 * k as f64;
        Self {
            coordinates: at.state.coordinates.repeat(count),
            speeds: (0..count).flat_map(|k| at.state.speeds.iter().map(move |x| x * factor(k))).collect(),
            attitudes: at.state.attitudes.iter().map(|q| q.0).collect::<Vec<_>>().repeat(count),
            forces: (0..count).flat_map(|k| at.inputs.forces.iter().map(move |x| x * factor(k))).collect(),
        }
    }

    pub fn states(&self) -> States<'_> {
        States { coordinates: &self.coordinates, speeds: &self.speeds, attitudes: &self.attitudes }
    }

    pub fn states_mut(&mut self) -> StatesMut<'_> {
        StatesMut { coordinates: &mut self.coordinates, speeds: &mut self.speeds, attitudes: &mut self.attitudes }
    }

    pub fn all(&self) -> Vec<f64> {
        [&self.coordinates[..], self.attitudes.as_flattened(), &self.speeds].concat()
    }
}

pub fn difference(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let apart = |(a, b): (&f64, &f64)| if a == b { 0.0 } else { (a - b).abs() / size };
    // Not a number is a difference.
    found.iter().zip(expected).map(apart).fold(0.0, |most, x| if x <= most { most } else { x })
}

/// Few registers, so that slots are used, and many.
pub fn places() -> Vec<Place> {
    let Place::Cuda { device, precision, shape } = Place::cuda(0).unwrap() else { unreachable!() };
    let few = Shape { registers: 12, block: 32, shared: 24, together: 0 };
    [shape, few].map(|shape| Place::Cuda { device: device.clone(), precision, shape }).into()
}

#[test]
fn verbs_are_those_of_the_engine() {
    if !runs_here("verbs::verbs_are_those_of_the_engine") {
        return;
    }
    let mut worst = 0.0_f64;
    for (seed, place) in (0..6).zip(places().into_iter().cycle()) {
        let (at, count) = (tree(seed), 5);
        let (rows, n) = (Rows::about(&at, count), at.model.speed_count());
        let mut one = OnProcessor::new(&at.model, 1).unwrap();
        let mut other = Batch::new(&at.model, &place).unwrap();
        let (mut expected, mut found) = (vec![0.0; count * n], vec![0.0; count * n]);
        one.forward_dynamics(rows.states(), &rows.forces, &mut expected).unwrap();
        other.forward_dynamics(rows.states(), &rows.forces, &mut found).unwrap();
        worst = worst.max(difference(&found, &expected));
        one.inverse_dynamics(rows.states(), &rows.forces, &mut expected).unwrap();
        other.inverse_dynamics(rows.states(), &rows.forces, &mut found).unwrap();
        worst = worst.max(difference(&found, &expected));
        let (mut expected, mut found) = (vec![0.0; count * n * n], vec![0.0; count * n * n]);
        one.mass_matrix(rows.states(), &mut expected).unwrap();
        other.mass_matrix(rows.states(), &mut found).unwrap();
        worst = worst.max(difference(&found, &expected));
        assert!(worst < 1e-10, "seed {seed}: {worst:e}");
    }
    println!("worst relative difference {worst:e}");
    assert!(worst > 0.0);
}

/// An instance whose number is none has no result and says why; its neighbours have theirs.
#[test]
fn failures_stay_with_their_instances() {
    if !runs_here("verbs::failures_stay_with_their_instances") {
        return;
    }
    let (at, count) = (tree(1), 4);
    let (mut rows, n) = (Rows::about(&at, count), at.model.speed_count());
    let mut batch = Batch::new(&at.model, &Place::cuda(0).unwrap()).unwrap();
    let (mut whole, mut found) = (vec![0.0; count * n], vec![0.0; count * n]);
    batch.forward_dynamics(rows.states(), &rows.forces, &mut whole).unwrap();
    rows.speeds[2 * n] = f64::NAN;
    let told = batch.forward_dynamics(rows.states(), &rows.forces, &mut found);
    let Err(GpuError::Batch(BatchError::Instances(list))) = told else { panic!("{told:?}") };
    assert_eq!(list.len(), 1);
    assert_eq!(list[0].instance, 2);
    assert!(matches!(list[0].error, DynamicsError::NotFinite { .. }), "{:?}", list[0].error);
    assert!(found[2 * n..3 * n].iter().all(|x| x.is_nan()));
    assert_eq!((&found[..2 * n], &found[3 * n..]), (&whole[..2 * n], &whole[3 * n..]));
    // Rows that are not whole are refused before anything is computed.
    let told = batch.forward_dynamics(rows.states(), &rows.forces[1..], &mut found);
    assert!(matches!(told, Err(GpuError::Batch(BatchError::WrongSize { .. }))), "{told:?}");
}

/// Several steps in one launch, and one after the other by the engine.
#[test]
fn steps_are_those_of_batches() {
    if !runs_here("verbs::steps_are_those_of_batches") {
        return;
    }
    for (seed, place) in (0..2).zip(places()) {
        let at = tree(seed);
        for place in [place, Place::Processor { threads: 2 }] {
            let (mut found, mut expected) = (Rows::about(&at, 9), Rows::about(&at, 9));
            let forces = found.forces.clone();
            let mut one = OnProcessor::new(&at.model, 1).unwrap();
            let mut other = Batch::new(&at.model, &place).unwrap();
            for _ in 0..3 {
                one.step(expected.states_mut(), &forces, 1e-3).unwrap();
            }
            one.linearly_implicit_step(expected.states_mut(), &forces, 2e-3).unwrap();
            let explicit = Steps { scheme: StepScheme::RungeKutta, length: 1e-3, count: 3 };
            other.steps(found.states_mut(), &forces, explicit).unwrap();
            let implicit = Steps { scheme: StepScheme::LinearlyImplicit, length: 2e-3, count: 1 };
            other.steps(found.states_mut(), &forces, implicit).unwrap();
            let error = difference(&found.all(), &expected.all());
            assert!(error < 1e-10, "seed {seed}, {place:?}: {error:e}");
        }
    }
}

/// A batch that cannot be had on a device is had on the processor.
#[test]
fn places_are_a_choice() {
    let model: Model = tree(0).model;
    assert!(Batch::new(&model, &Place::Processor { threads: 1 }).is_ok());
    let told = Batch::new(&model, &Place::Processor { threads: 5000 });
    assert!(matches!(told, Err(GpuError::Batch(BatchError::TooManyThreads { .. }))), "{told:?}");
}
