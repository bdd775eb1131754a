//! A case in the engine's terms: bodies with parents first, quaternions `(x, y, z, w)`.

use std::collections::{BTreeMap, BTreeSet};

use supple::spatial::{Force, Quaternion};
use supple::{
    Body, BodyIndex, BuildError, Closure, Hinge, HingeKind, Inputs, ModalMatrix, Model, Modes, Mount, Node, NodeIndex,
    NonlinearStiffness, Parent, State, System, Wrench, WrenchFrame,
};

use super::Case;
use super::schema::{CaseBody, CaseFrame, CaseLoop, CaseNode, CaseSide};

/// A case ready for the verbs of the engine.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Prepared {
    /// The system.
    pub model: Model<f64>,
    /// Its state.
    pub state: State<f64>,
    /// Forces `T`, accelerations `udot_in` and the external wrenches.
    pub inputs: Inputs<f64>,
    /// The engine's body for each body of the file.
    pub bodies: Vec<BodyIndex>,
    /// The engine's speed for each speed of the file.
    pub speeds: Vec<usize>,
}

impl Case {
    /// The system as given to the engine, with parents first.
    pub fn system(&self) -> System {
        let places = self.engine_places();
        let mut names = BTreeSet::new();
        let bodies = self.order.iter().map(|&k| {
            let body = &self.model.bodies[k];
            let mut name = body.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| format!("bodies[{k}]"));
            // Files may use a name twice.
            while !names.insert(name.clone()) {
                name = format!("{name} (bodies[{k}])");
            }
            describe_body(body, name, &places)
        });
        System {
            gravity: self.model.gravity,
            elastic_rotation: self.model.tip_rotation,
            inertia: self.model.inertia,
            bodies: bodies.collect(),
            closures: self.model.loops.iter().enumerate().map(|(i, told)| describe_loop(i, told, &places)).collect(),
            ..System::default()
        }
    }

    /// Builds the model and fills its state and inputs.
    ///
    /// # Errors
    /// What the engine finds wrong with the system.
    pub fn prepare(&self) -> Result<Prepared, BuildError> {
        let model = Model::<f64>::build(&self.system())?;
        let bodies: Vec<BodyIndex> = self.engine_places().into_iter().map(BodyIndex).collect();
        let speeds: Vec<usize> =
            bodies.iter().flat_map(|&b| model.modal_speeds(b).chain(model.hinge_speeds(b))).collect();
        let state = self.fill_state(&model, &bodies);
        let mut inputs = Inputs::new(&model);
        for (file, &engine) in speeds.iter().enumerate() {
            inputs.forces[engine] = self.forces[file];
            inputs.accelerations[engine] = self.accelerations[file];
        }
        inputs.wrenches = self
            .wrenches
            .iter()
            .map(|wrench| Wrench {
                body: bodies[wrench.body],
                node: NodeIndex(wrench.node),
                frame: match wrench.frame {
                    CaseFrame::Body => WrenchFrame::Body,
                    CaseFrame::Inertial => WrenchFrame::Inertial,
                },
                force: Force::from_array(wrench.wrench),
            })
            .collect();
        Ok(Prepared { model, state, inputs, bodies, speeds })
    }

    /// The engine's number of each body of the file.
    fn engine_places(&self) -> Vec<usize> {
        let mut places = vec![0; self.order.len()];
        for (engine, &file) in self.order.iter().enumerate() {
            places[file] = engine;
        }
        places
    }

    fn fill_state(&self, model: &Model<f64>, bodies: &[BodyIndex]) -> State<f64> {
        let mut state = State::new(model);
        for (k, told) in self.state.bodies.iter().enumerate() {
            let b = bodies[k];
            state.coordinates[model.modal_coordinates(b)].copy_from_slice(&told.eta);
            let mut theta = told.theta.clone();
            if matches!(self.model.bodies[k].joint, HingeKind::Spherical | HingeKind::Free) {
                theta[..4].rotate_left(1);
            }
            state.coordinates[model.hinge_coordinates(b)].copy_from_slice(&theta);
            state.speeds[model.modal_speeds(b)].copy_from_slice(&told.etad);
            state.speeds[model.hinge_speeds(b)].copy_from_slice(&told.beta);
        }
        let told: BTreeMap<_, _> =
            self.state.node_attitudes.iter().map(|a| ((bodies[a.body], NodeIndex(a.node)), a.quat)).collect();
        for (attitude, place) in state.attitudes.iter_mut().zip(model.attitude_nodes()) {
            // A node that is not listed is one that no mode turns.
            *attitude = told.get(place).map_or(Quaternion::IDENTITY, |&[w, x, y, z]| Quaternion([x, y, z, w]));
        }
        state
    }
}

fn describe_body(body: &CaseBody, name: String, places: &[usize]) -> Body {
    Body {
        name,
        parent: match body.parent {
            Some(parent) => Parent::Body(BodyIndex(places[parent]), NodeIndex(body.parent_node)),
            None => Parent::Ground,
        },
        hinge: Hinge::new(body.joint.clone()).at(body.hinge_pos).turned(body.hinge_rot),
        inboard_node: NodeIndex(body.inboard_node),
        nodes: body.nodes.iter().map(describe_node).collect(),
        modal_inertia: None,
        modes: Modes {
            count: body.nm,
            stiffness: describe_matrix(body.stiffness.as_deref()),
            damping: describe_matrix(body.damping.as_deref()),
            nonlinear: NonlinearStiffness {
                cubic: body.cubic.clone(),
                quartic: body.quartic.clone(),
                ..NonlinearStiffness::default()
            },
            ..Modes::default()
        },
    }
}

fn describe_loop(index: usize, told: &CaseLoop, places: &[usize]) -> Closure {
    let mount = |side: &CaseSide| {
        let origin = match side.body {
            Some(body) => Mount::node(BodyIndex(places[body]), NodeIndex(side.node)),
            None => Mount::ground(),
        };
        origin.at(side.pos).turned(side.rot)
    };
    Closure::joint(told.kind.clone(), mount(&told.a), mount(&told.b)).named(format!("loops[{index}]"))
}

fn describe_node(node: &CaseNode) -> Node {
    let columns = node.influence.as_ref().map_or(0, |rows| rows[0].len());
    let column = |r: usize| std::array::from_fn(|i| node.influence.as_ref().map_or(0.0, |rows| rows[i][r]));
    Node {
        name: None,
        position: node.position,
        mass: node.mass,
        mass_centre: node.mass_centre,
        inertia: node.inertia,
        influence: (0..columns).map(column).collect(),
        strain: Vec::new(),
    }
}

/// Diagonal matrices are given as such: they cost less.
fn describe_matrix(matrix: Option<&[Vec<f64>]>) -> ModalMatrix {
    let Some(rows) = matrix else { return ModalMatrix::Zero };
    let diagonal = rows.iter().enumerate().all(|(i, row)| row.iter().enumerate().all(|(j, x)| i == j || *x == 0.0));
    if diagonal {
        ModalMatrix::Diagonal(rows.iter().enumerate().map(|(i, row)| row[i]).collect())
    } else {
        ModalMatrix::Full(rows.to_vec())
    }
}
