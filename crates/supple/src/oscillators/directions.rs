//! The directions that oscillators share: all modes, and the free hinges that force elements reach.

use crate::force::{ElementTangents, PortPlace};
use crate::model::Model;

/// Which speeds are directions of oscillators, and where.
#[derive(Clone, Debug, Default)]
pub(super) struct Directions {
    /// Per body: whether a force element acts on its hinge, or outboard of it at a node.
    reached: Vec<bool>,
    /// Places of displacement and speed in a flat vector, per direction.
    pub places: Vec<[usize; 2]>,
    /// Speeds of the directions.
    pub speeds: Vec<usize>,
    /// Per body: the first direction of its modes.
    pub modes: Vec<usize>,
    /// Hinges among them that turn by quaternions.
    pub turned: Vec<Turned>,
    /// Speeds of the free hinges that follow the directions.
    pub hinges: Vec<usize>,
}

/// A hinge with a quaternion.
#[derive(Clone, Debug)]
pub(super) struct Turned {
    body: usize,
    /// Its first direction.
    first: usize,
    /// Where its coordinates, and first among them the quaternion, start.
    start: usize,
}

impl Directions {
    /// Those of `model`, with no hinge prescribed: as many as there can be.
    pub fn new(model: &Model, elements: Option<&ElementTangents>) -> Self {
        let bodies = &model.topology.bodies;
        let mut reached = vec![false; bodies.len()];
        for block in elements.map_or(&[][..], ElementTangents::blocks) {
            for port in &model.elements.list[block.element].ports {
                match *port {
                    PortPlace::Hinge { speed, .. } => {
                        reached
                            .iter_mut()
                            .zip(bodies)
                            .for_each(|(reached, body)| *reached |= body.beta().contains(&speed));
                    }
                    PortPlace::Node { body, .. } | PortPlace::Body(body) => {
                        let mut inward = Some(body);
                        while let Some(body) = inward {
                            reached[body] = true;
                            inward = bodies[body].parent;
                        }
                    }
                    PortPlace::Ground(_) => {}
                }
            }
        }
        let mut out = Self { reached, ..Self::default() };
        out.choose(model, &vec![false; bodies.len()]);
        out
    }

    /// Number of directions.
    pub fn len(&self) -> usize {
        self.speeds.len()
    }

    /// Leaves out the hinges of bodies marked in `prescribed`.
    pub fn choose(&mut self, model: &Model, prescribed: &[bool]) {
        let Self { reached, places, speeds, modes, turned, hinges } = self;
        places.clear();
        speeds.clear();
        modes.clear();
        turned.clear();
        hinges.clear();
        let positions = model.coordinate_count() + 4 * model.attitude_nodes().len();
        for (k, body) in model.topology.bodies.iter().enumerate() {
            modes.push(speeds.len());
            speeds.extend(body.eta_dot());
            places.extend(body.eta().zip(body.eta_dot()).map(|(q, u)| [q, positions + u]));
            if prescribed[k] {
                continue;
            }
            if !reached[k] {
                hinges.extend(body.beta());
                continue;
            }
            let (theta, beta) = (body.theta(), body.beta());
            if theta.len() > beta.len() {
                turned.push(Turned { body: k, first: speeds.len(), start: theta.start });
            }
            speeds.extend(beta.clone());
            for (i, u) in beta.enumerate() {
                // The last number of the quaternion is spare.
                let gap = usize::from(theta.len() > body.hinge_speeds() && i >= 3);
                places.push([theta.start + i + gap, positions + u]);
            }
        }
    }
}

impl Turned {
    /// The displacement of a change `x` of the coordinates, at the place of its directions.
    pub fn displacement(&self, model: &Model, coordinates: &[f64], x: &[f64], out: &mut [f64]) {
        let body = &model.topology.bodies[self.body];
        let (theta, directions) = (body.theta(), self.first..self.first + body.hinge_speeds());
        let motion = &model.bodies[self.body].hinge.motion;
        motion.displacement(&coordinates[theta.clone()], &x[theta], &mut out[directions]);
    }

    /// The place that no direction needs: it takes the change of length of the quaternion.
    pub fn spare(&self) -> usize {
        self.start + 3
    }

    /// The change of length in a change `x` of the coordinates.
    pub fn stretch(&self, coordinates: &[f64], x: &[f64]) -> f64 {
        let quaternion = self.start..self.start + 4;
        coordinates[quaternion.clone()].iter().zip(&x[quaternion]).map(|(q, x)| q * x).sum()
    }

    /// Adds a change of length to a change `x` of the coordinates.
    pub fn add_stretch(&self, coordinates: &[f64], stretch: f64, x: &mut [f64]) {
        let quaternion = self.start..self.start + 4;
        x[quaternion.clone()].iter_mut().zip(&coordinates[quaternion]).for_each(|(x, q)| *x = stretch.mul_add(*q, *x));
    }
}
