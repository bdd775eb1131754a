//! Model, state and inputs of the engine from a described system.

use super::RandomState;
use crate::model::{BodyIndex, Model, NodeIndex, System};
use crate::{DenseWorkspace, EquationMotion, Hold, Inputs, State, Workspace, Wrench, WrenchFrame};
use supple_spatial::{Dual, Force, Quaternion, Scalar};

/// What the verbs take.
#[derive(Clone, Debug)]
pub struct Prepared<T: Scalar = f64> {
    /// The model.
    pub model: Model<T>,
    /// Its state.
    pub state: State<T>,
    /// What acts on it.
    pub inputs: Inputs<T>,
}

impl Prepared {
    /// The model of `system` in the state and under the loads of `random`.
    ///
    /// # Panics
    /// Where the system does not build or the state does not fit it.
    #[track_caller]
    pub fn new(system: &System, random: &RandomState) -> Self {
        let model = match Model::build(system) {
            Ok(model) => model,
            Err(error) => panic!("{error}"),
        };
        let mut state = State::new(&model);
        state.coordinates.copy_from_slice(&random.coordinates);
        state.speeds.copy_from_slice(&random.speeds);
        assert_eq!(state.attitudes.len(), random.attitudes.len(), "attitudes");
        state.attitudes = random.attitudes.iter().map(|q| Quaternion(*q)).collect();
        let mut inputs = Inputs::new(&model);
        inputs.forces.copy_from_slice(&random.forces);
        inputs.accelerations.copy_from_slice(&random.accelerations);
        inputs.wrenches = random
            .wrenches
            .iter()
            .map(|&(body, node, inertial, wrench)| Wrench {
                body: BodyIndex(body),
                node: NodeIndex(node),
                frame: match inertial {
                    true => WrenchFrame::Inertial,
                    false => WrenchFrame::Body,
                },
                force: Force::from_array(wrench),
            })
            .collect();
        Self { model, state, inputs }
    }

    /// The same with another scalar, every number by `convert`.
    pub fn map<U: Scalar>(&self, convert: impl Fn(f64) -> U) -> Prepared<U> {
        let list = |values: &[f64]| values.iter().map(|x| convert(*x)).collect();
        Prepared {
            model: self.model.cast(),
            state: State {
                stamp: self.state.stamp,
                time: convert(self.state.time),
                coordinates: list(&self.state.coordinates),
                speeds: list(&self.state.speeds),
                attitudes: (self.state.attitudes.iter()).map(|q| Quaternion(q.0.map(&convert))).collect(),
                closed: self.state.closed.clone(),
                held: (self.state.held.iter())
                    .map(|held| held.map(|hold| Hold::from_array(hold.to_array().map(&convert))))
                    .collect(),
            },
            inputs: Inputs {
                stamp: self.inputs.stamp,
                forces: list(&self.inputs.forces),
                accelerations: list(&self.inputs.accelerations),
                wrenches: (self.inputs.wrenches.iter())
                    .map(|w| Wrench {
                        body: w.body,
                        node: w.node,
                        frame: w.frame,
                        force: Force::from_array(w.force.to_array().map(&convert)),
                    })
                    .collect(),
                prescribed: self.inputs.prescribed.clone(),
                element_forces: list(&self.inputs.element_forces),
                closure_rows: self.inputs.closure_rows.clone(),
                closure_motions: (self.inputs.closure_motions.iter())
                    .map(|motion| EquationMotion {
                        displacement: convert(motion.displacement),
                        speed: convert(motion.speed),
                        acceleration: convert(motion.acceleration),
                    })
                    .collect(),
            },
        }
    }
}

impl<T: Scalar> Prepared<T> {
    /// A workspace for the model.
    pub fn workspace(&self) -> Workspace<T> {
        Workspace::new(&self.model)
    }

    /// A dense workspace for the model.
    pub fn dense_workspace(&self) -> DenseWorkspace<T> {
        DenseWorkspace::new(&self.model)
    }
}

/// The state with its rates while the speeds change at `accelerations`: anything computed from it
/// has its rate along the motion as derivative.
///
/// # Panics
/// Where the sizes do not fit the model.
pub fn moving(model: &Model, state: &State, accelerations: &[f64]) -> State<Dual<f64>> {
    let mut rates = vec![0.0; state.coordinates.len()];
    let mut turns = vec![Quaternion([0.0; 4]); state.attitudes.len()];
    state.coordinate_rates(model, &mut rates, &mut turns);
    assert_eq!(state.speeds.len(), accelerations.len(), "accelerations");
    let join = |x: &[f64], rates: &[f64]| {
        let pairs = x.iter().zip(rates);
        pairs.map(|(&value, &derivative)| Dual { value, derivative }).collect::<Vec<_>>()
    };
    State {
        stamp: state.stamp,
        time: Dual::variable(state.time),
        coordinates: join(&state.coordinates, &rates),
        speeds: join(&state.speeds, accelerations),
        attitudes: (state.attitudes.iter().zip(&turns))
            .map(|(q, rate)| Quaternion(std::array::from_fn(|i| Dual { value: q.0[i], derivative: rate.0[i] })))
            .collect(),
        closed: state.closed.clone(),
        held: (state.held.iter())
            .map(|held| held.map(|hold| Hold::from_array(hold.to_array().map(Dual::constant))))
            .collect(),
    }
}
