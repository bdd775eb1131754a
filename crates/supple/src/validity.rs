//! Where a model stops being valid: a good energy balance does not show it, so somebody has to look.
//!
//! A linear elastic body in fast rotation runs away with its energy in perfect balance [DS95 4.1]. Three signs are watched:
//!
//! | sign       | limit                                             | why                                              |
//! |------------|---------------------------------------------------|--------------------------------------------------|
//! | deflection | 10 % of the length of the body                    | assumed modes are shapes of small displacements  |
//! | slope      | 0.2 rad                                           | so are slopes: `sin θ` is off by 0.7 % there     |
//! | spin       | half of the first frequency, without stiffening   | the centrifugal field changes the stiffness by a quarter |

use crate::energy::place_and_move;
use crate::error::DynamicsError;
use crate::model::body::Flexible;
use crate::model::elastic::ModalOperator;
use crate::model::{BodyIndex, Model, ModelStamp, NodeIndex};
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::block::cholesky;

/// Limits of validity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValidityLimits {
    /// Greatest displacement of a node, as a fraction of the length of its body.
    pub deflection: f64,
    /// Greatest slope of a node, rad.
    pub slope: f64,
    /// Greatest angular velocity of a body without stiffening, as a fraction of its first frequency.
    pub spin: f64,
}

impl Default for ValidityLimits {
    fn default() -> Self {
        Self { deflection: 0.1, slope: 0.2, spin: 0.5 }
    }
}

/// What is beyond its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Sign {
    /// A node is displaced far.
    Deflection {
        /// The node.
        node: NodeIndex,
        /// Its displacement, m.
        value: f64,
        /// Length of the body, m.
        length: f64,
    },
    /// A node is turned far.
    Slope {
        /// The node.
        node: NodeIndex,
        /// Its slope, rad.
        value: f64,
    },
    /// A body without stiffening spins fast.
    Spin {
        /// Its angular velocity, rad/s.
        value: f64,
        /// Its first frequency, rad/s.
        frequency: f64,
    },
}

/// The first time that a body was beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Departure {
    /// When.
    pub time: f64,
    /// The body.
    pub body: BodyIndex,
    /// The sign.
    pub sign: Sign,
}

impl Departure {
    /// What it means, and what to do. A body that `model` does not have goes by its number.
    pub fn describe(&self, model: &Model) -> String {
        let named = model.body_indices().find(|body| *body == self.body);
        let body = named.map_or_else(|| format!("number {}", self.body.0), |body| model.name(body).into());
        let fidelity = named.map(|body| model.fidelity(body));
        let time = self.time;
        let place = |node: NodeIndex| -> String {
            let handle = named.and_then(|body| model.nodes_of(body).find(|handle| handle.node() == node));
            let name = handle.and_then(|handle| model.node_name(handle));
            let name = name.filter(|name| name.parse::<usize>().is_err());
            match (name, named.and_then(|own| along(model, own.0, node.0))) {
                (Some(name), _) => format!("node '{name}' of body '{body}'"),
                (None, Some(part)) => format!("a point at {part:.2} of the length of body '{body}'"),
                (None, None) => format!("node {} of body '{body}'", node.0),
            }
        };
        match self.sign {
            Sign::Deflection { node, value, length } => format!(
                "at t = {time:.6} s {} is {value:.3e} m from its place, {:.0} % of the body's length {length:.3} m: \
                 small-deflection modes are not valid there; cut the body into several (beams of files: `pieces`), or stiffen it",
                place(node),
                100.0 * value / length
            ),
            Sign::Slope { node, value } => format!(
                "at t = {time:.6} s {} is turned by {value:.3} rad: \
                 small-deflection modes are not valid there; cut the body into several (beams of files: `pieces`), or stiffen it",
                place(node)
            ),
            Sign::Spin { value, frequency } => format!(
                "at t = {time:.6} s body '{body}' spins at {value:.3e} rad/s, {:.0} % of its first frequency {frequency:.3e} rad/s, \
                 {}which has no stiffening by motion: use 'stiffened'",
                100.0 * value / frequency,
                fidelity.map_or(String::new(), |fidelity| format!("with fidelity '{fidelity}', "))
            ),
        }
    }
}

/// Watches states of a model and tells each departure once. No allocation after [`new`](Self::new).
#[derive(Clone, Debug)]
pub struct Validity {
    stamp: ModelStamp,
    limits: ValidityLimits,
    watched: Vec<Watched>,
    departures: Vec<Departure>,
}

#[derive(Clone, Debug)]
struct Watched {
    body: usize,
    length: f64,
    frequency: Option<f64>,
    /// Deflection, slope, spin.
    told: [bool; 3],
    /// The greatest deflection or slope so far, in units of its limit.
    worst: f64,
}

impl Validity {
    /// For the flexible bodies of `model`.
    pub fn new(model: &Model, limits: ValidityLimits) -> Self {
        let flexible = model.bodies.iter().enumerate().filter_map(|(body, data)| Some((body, data.flexible.as_ref()?)));
        let watched: Vec<_> = flexible
            .map(|(body, flexible)| Watched {
                body,
                length: length(model, body),
                frequency: if is_stiffened(flexible) {
                    None
                } else {
                    first_frequency(flexible, model.modes(BodyIndex(body)))
                },
                told: [false; 3],
                worst: 0.0,
            })
            .collect();
        let departures = Vec::with_capacity(3 * watched.len());
        Self { stamp: model.stamp(), limits, watched, departures }
    }

    /// Looks at a state, and gives the departures that are new.
    ///
    /// # Errors
    /// Another model than that of [`new`](Self::new), sizes that do not fit or numbers that are not finite.
    pub fn observe(
        &mut self,
        model: &Model,
        state: &State,
        workspace: &mut Workspace,
    ) -> Result<&[Departure], DynamicsError> {
        if self.stamp != model.stamp() {
            return Err(DynamicsError::OtherModel { what: "watch on validity" });
        }
        place_and_move(model, state, workspace)?;
        let known = self.departures.len();
        for watched in &mut self.watched {
            let k = watched.body;
            let mut tell = |which: usize, beyond: bool, sign: Sign| {
                if beyond && !watched.told[which] {
                    watched.told[which] = true;
                    self.departures.push(Departure { time: state.time, body: BodyIndex(k), sign });
                }
            };
            let top = &model.topology.bodies[k];
            let (second, eta) = (workspace.configuration.slaves(top), &state.coordinates[top.eta()]);
            let (mut displaced, mut turned) = ((NodeIndex(0), 0.0), (NodeIndex(0), 0.0));
            for (j, node) in model.bodies[k].nodes.iter().enumerate() {
                let u = node.displacement(second, eta);
                let (translation, rotation) = (u.linear.norm_squared(), u.angular.norm_squared());
                displaced = if translation > displaced.1 { (NodeIndex(j), translation) } else { displaced };
                turned = if rotation > turned.1 { (NodeIndex(j), rotation) } else { turned };
            }
            let (length, value) = (watched.length, displaced.1.sqrt());
            let bent = (value / (self.limits.deflection * length)).max(turned.1.sqrt() / self.limits.slope);
            watched.worst = watched.worst.max(if length > 0.0 { bent } else { 0.0 });
            tell(0, value > self.limits.deflection * length, Sign::Deflection { node: displaced.0, value, length });
            let value = turned.1.sqrt();
            tell(1, value > self.limits.slope, Sign::Slope { node: turned.0, value });
            if let Some(frequency) = watched.frequency {
                let value = workspace.velocity.body[k].angular.norm_squared().sqrt();
                tell(2, value > self.limits.spin * frequency, Sign::Spin { value, frequency });
            }
        }
        Ok(&self.departures[known..])
    }

    /// Bodies that were deflected or turned beyond the limits, and into how many equal pieces each would have to be cut to stay within them:
    /// one of `n` pieces has an `n`-th of the slope, and of the deflection over its length.
    pub fn pieces(&self) -> impl Iterator<Item = (BodyIndex, usize)> {
        let beyond = self.watched.iter().filter(|watched| watched.worst > 1.0 && watched.worst.is_finite());
        beyond.map(|watched| (BodyIndex(watched.body), watched.worst.ceil() as usize))
    }

    /// All departures so far, in the order of time.
    pub fn departures(&self) -> &[Departure] {
        &self.departures
    }

    /// Goes on from departures told earlier: none of them is told again. Those of bodies that are not watched are passed over.
    pub fn restore(&mut self, departures: &[Departure]) {
        self.departures.clear();
        self.watched.iter_mut().for_each(|watched| watched.told = [false; 3]);
        for departure in departures {
            let which = match departure.sign {
                Sign::Deflection { .. } => 0,
                Sign::Slope { .. } => 1,
                Sign::Spin { .. } => 2,
            };
            let Some(watched) = self.watched.iter_mut().find(|watched| watched.body == departure.body.0) else {
                continue;
            };
            watched.worst = watched.worst.max(match departure.sign {
                Sign::Deflection { value, length, .. } => value / (self.limits.deflection * length),
                Sign::Slope { value, .. } => value / self.limits.slope,
                Sign::Spin { .. } => 0.0,
            });
            if !std::mem::replace(&mut watched.told[which], true) {
                self.departures.push(*departure);
            }
        }
    }
}

/// Whether the body knows of stiffening by motion.
fn is_stiffened(body: &Flexible<f64>) -> bool {
    body.second_order.is_some() || !body.elastic.cubic.is_empty() || !body.elastic.axial_load.is_empty()
}

/// Diagonal of the box around the undeformed nodes.
fn length(model: &Model, body: usize) -> f64 {
    let along = |axis: usize| {
        let coordinates = || model.bodies[body].nodes.iter().map(|n| n.position[axis]);
        coordinates().fold(f64::NEG_INFINITY, f64::max) - coordinates().fold(f64::INFINITY, f64::min)
    };
    (0..3).map(|axis| along(axis).powi(2)).sum::<f64>().sqrt()
}

/// Where a node is along a body whose nodes lie on a line, as a part of its length from the first.
fn along(model: &Model, body: usize, node: usize) -> Option<f64> {
    let (nodes, length) = (&model.bodies[body].nodes, length(model, body));
    let away = |n: usize| nodes[n].position - nodes[0].position;
    let last = away((0..nodes.len()).max_by(|a, b| away(*a).norm_squared().total_cmp(&away(*b).norm_squared()))?);
    let is_beside = |n: usize| last.cross(away(n)).norm_squared().sqrt() > 1e-6 * length * length;
    if length <= 0.0 || node >= nodes.len() || (0..nodes.len()).any(is_beside) {
        return None;
    }
    Some(away(node).dot(last) / (length * length))
}

/// The least frequency of the modes with the hinge held, rigid combinations left out. `None` where there is none.
///
/// Inverse iteration on `(K + σ M) x = μ M x`; the shift `σ` keeps the factor definite where modes have no stiffness.
fn first_frequency(body: &Flexible<f64>, n: usize) -> Option<f64> {
    let (stiffness, mass) = (&body.elastic.stiffness, &body.hinge_mass);
    let ratio = |i: usize| stiffness.entry(i, i) / mass.entry(i, i);
    if let ModalOperator::Zero = stiffness {
        return None;
    }
    let greatest = (0..n).map(ratio).fold(0.0, f64::max);
    let shift = 1e-9 * greatest;
    let mut factor: Vec<f64> = (0..n)
        .flat_map(|i| (0..=i).map(move |j| (i, j)))
        .map(|(i, j)| stiffness.entry(i, j) + shift * mass.entry(i, j))
        .collect();
    if !greatest.is_finite() || !cholesky::factor_in_place(&mut factor, n) {
        return None;
    }
    let stiff = (0..n).filter(|&i| ratio(i) > 1e-6 * greatest).count();
    if stiff < n {
        // Some modes have no stiffness of their own; the elastic ones are judged one by one.
        return (0..n).map(ratio).filter(|r| *r > 1e-6 * greatest).min_by(f64::total_cmp).map(f64::sqrt);
    }
    let mut x: Vec<f64> = (0..n).map(|i| 1.0 + (i as f64 * 0.618_034).fract()).collect();
    let mut square = f64::INFINITY;
    for _ in 0..200 {
        let mut product = vec![0.0; n];
        mass.add_mul(&x, &mut product);
        let inertia: f64 = x.iter().zip(&product).map(|(a, b)| a * b).sum();
        let next = stiffness.quadratic(&x) / inertia;
        let done = (square - next).abs() <= 1e-12 * next.abs();
        square = next;
        if done {
            break;
        }
        cholesky::solve(&factor, &mut product);
        let size = product.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        x = product.iter().map(|v| v / size).collect();
    }
    (square.is_finite() && square > 0.0).then(|| square.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Body, Hinge, HingeKind, ModelBuilder, Node, Parent};

    /// Nodes without names are called by their place along a body, where its nodes lie on a line.
    #[test]
    fn nodes_without_names_go_by_their_place() {
        let told = |places: &[[f64; 3]], node: usize| {
            let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
            let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            let mut body = Body::rigid("link 2", Parent::Ground, hinge, 1.0, [0.0; 3], inertia);
            body.nodes.extend(places.iter().map(|position| Node { position: *position, ..Node::default() }));
            body.nodes.push(Node { position: [2.0, 0.0, 0.0], name: Some("tip".into()), ..Node::default() });
            let mut builder = ModelBuilder::new();
            builder.body(body);
            let sign = Sign::Slope { node: NodeIndex(node), value: 0.3 };
            Departure { time: 0.0, body: BodyIndex(0), sign }.describe(&builder.build().unwrap())
        };
        let line = [[0.5, 0.0, 0.0], [0.88, 0.0, 0.0]];
        assert!(
            told(&line, 2).contains("a point at 0.44 of the length of body 'link 2' is turned"),
            "{}",
            told(&line, 2)
        );
        assert!(told(&line, 3).contains("node 'tip' of body 'link 2'"), "{}", told(&line, 3));
        let plate = [[0.5, 0.0, 0.0], [0.5, 1.0, 0.0]];
        assert!(told(&plate, 2).contains("node 2 of body 'link 2'"), "{}", told(&plate, 2));
    }
}
