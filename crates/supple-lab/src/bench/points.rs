//! Random states and inputs that timed calls visit in turn.

use super::generator::Generator;
use supple::spatial::{Lanes, Quaternion, Scalar};
use supple::{Inputs, Model, State};

/// Instances of a model that are visited: more than a branch predictor remembers, few enough for a cache.
const INSTANCES: usize = 256;
/// Hinge coordinates are between plus and minus this.
const HINGE: f64 = 1.2;
/// Modal coordinates are: mass-normalised modes that move bodies by some percent of their size.
const MODAL: f64 = 0.01;

/// A scalar that a benchmark can fill.
pub trait Filled: Scalar {
    /// Instances that it carries.
    const INSTANCES: usize;
    /// One value per instance, taken in turn from `next`.
    fn fill(next: &mut dyn FnMut() -> f64) -> Self;
}

impl Filled for f64 {
    const INSTANCES: usize = 1;
    fn fill(next: &mut dyn FnMut() -> f64) -> Self {
        next()
    }
}

impl Filled for f32 {
    const INSTANCES: usize = 1;
    fn fill(next: &mut dyn FnMut() -> f64) -> Self {
        next() as f32
    }
}

impl<const N: usize> Filled for Lanes<f64, N> {
    const INSTANCES: usize = N;
    fn fill(next: &mut dyn FnMut() -> f64) -> Self {
        Self(std::array::from_fn(|_| next()))
    }
}

/// A state with what acts on it.
#[derive(Clone, Debug)]
pub struct Point<T: Scalar> {
    /// The state.
    pub state: State<T>,
    /// Forces, wanted accelerations, every other hinge prescribed.
    pub inputs: Inputs<T>,
}

/// How many points have [`INSTANCES`] together.
pub const fn points_of<T: Filled>() -> usize {
    INSTANCES / T::INSTANCES
}

/// The points of a model, the same ones on every machine.
pub fn points<T: Filled>(model: &Model<T>) -> Vec<Point<T>> {
    let mut rng = Generator::new(7);
    (0..points_of::<T>()).map(|_| point(model, &mut rng)).collect()
}

fn point<T: Filled>(model: &Model<T>, rng: &mut Generator) -> Point<T> {
    let (mut state, mut inputs) = (State::new(model), Inputs::new(model));
    for body in model.body_indices() {
        let modal = model.modal_coordinates(body);
        state.coordinates[modal].iter_mut().for_each(|x| *x = T::fill(&mut || rng.between(-MODAL, MODAL)));
        let modal = model.modal_speeds(body);
        state.speeds[modal].iter_mut().for_each(|x| *x = T::fill(&mut || rng.between(-MODAL, MODAL)));
        let (theta, beta) = (model.hinge_coordinates(body), model.hinge_speeds(body));
        // One coordinate more than speeds: a quaternion comes first.
        let turned = if theta.len() > beta.len() { 4 } else { 0 };
        let (quaternion, rest) = state.coordinates[theta].split_at_mut(turned);
        rest.iter_mut().for_each(|x| *x = T::fill(&mut || rng.between(-HINGE, HINGE)));
        if turned > 0 {
            quaternion.copy_from_slice(&random_quaternion(|| rng.quaternion()).0);
        }
        state.speeds[beta].iter_mut().for_each(|x| *x = T::fill(&mut || rng.between(-1.0, 1.0)));
        inputs.prescribed[body.0] = body.0 % 2 == 1;
    }
    for attitude in &mut state.attitudes {
        *attitude = random_quaternion(|| {
            let [x, y, z] = rng.vector(MODAL);
            [x, y, z, (1.0 - x * x - y * y - z * z).sqrt()]
        });
    }
    for x in inputs.forces.iter_mut().chain(&mut inputs.accelerations) {
        *x = T::fill(&mut || rng.between(-1.0, 1.0));
    }
    Point { state, inputs }
}

/// One quaternion per instance, normalised in the scalar's own arithmetic.
fn random_quaternion<T: Filled>(mut draw: impl FnMut() -> [f64; 4]) -> Quaternion<T> {
    let drawn: Vec<[f64; 4]> = (0..T::INSTANCES).map(|_| draw()).collect();
    let part = |i: usize| {
        let mut instance = drawn.iter();
        T::fill(&mut || instance.next().map_or(0.0, |q| q[i]))
    };
    Quaternion(std::array::from_fn(part)).normalized()
}
