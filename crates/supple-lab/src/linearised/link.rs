//! Constants of a link: its integrals over the mass, and what its modes do to the next joint.

use std::ops::Range;

use supple::spatial::{Matrix3, Motion, Symmetric3, Vector3};
use supple::{Body, BodyIndex, HingeKind, ModalMatrix, Model, Node, NonlinearStiffness, Parent, System};

/// A model that these equations do not carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotCarried {
    /// The body at fault.
    pub body: String,
    /// What it should be.
    pub rule: &'static str,
}

impl std::fmt::Display for NotCarried {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the linearised equations do not carry body '{}': {}", self.body, self.rule)
    }
}

impl std::error::Error for NotCarried {}

/// Constants of a link. Its frame is at its joint.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub axis: Vector3<f64>,
    pub mass: f64,
    /// `c`, `J`.
    pub moment: Vector3<f64>,
    pub inertia: Matrix3<f64>,
    pub modes: Vec<Mode>,
    /// `M_ee`, by rows.
    pub modal_mass: Vec<f64>,
    /// `-Y_αβ`, symmetric part, and `ψ_α × ψ_β`, both integrated and by rows.
    pub pairs: Vec<(Matrix3<f64>, Vector3<f64>)>,
    /// `K_0`, by rows.
    pub stiffness: Vec<f64>,
    pub nonlinear: NonlinearStiffness,
    /// Where the next joint is.
    pub next: Vector3<f64>,
    /// Places of its numbers in coordinates and speeds.
    pub hinge: usize,
    pub elastic: Range<usize>,
}

/// Integrals of a mode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    /// `P`, `H`.
    pub momentum: Vector3<f64>,
    pub angular_momentum: Vector3<f64>,
    /// `∫ J λ`: the part of `H` of sections that turn.
    pub turning: Vector3<f64>,
    /// `∫ r ψᵀ dm`.
    pub first: Matrix3<f64>,
    /// `[θ; ψ]` at the next joint.
    pub tip: Motion<f64>,
}

impl Link {
    pub fn mode_count(&self) -> usize {
        self.modes.len()
    }

    /// `S_ee`: the elastic force on mode `i`.
    pub fn elastic_force(&self, i: usize, q: &[f64], terms: super::ElasticForce) -> f64 {
        use super::ElasticForce::{AxialLoad, Exact, Linear, ThirdOrder};
        let n = self.mode_count();
        let linear: f64 = (0..n).map(|j| self.stiffness[i * n + j] * q[j]).sum();
        let third = |entries: &[([usize; 3], f64)]| -> f64 {
            entries.iter().filter(|(at, _)| at[0] == i).map(|([_, j, k], g)| g * q[*j] * q[*k]).sum()
        };
        let fourth = |entries: &[([usize; 4], f64)]| -> f64 {
            entries.iter().filter(|(at, _)| at[0] == i).map(|([_, j, k, l], g)| g * q[*j] * q[*k] * q[*l]).sum()
        };
        let NonlinearStiffness { cubic, quartic, axial_load } = &self.nonlinear;
        linear
            + match terms {
                Linear => 0.0,
                AxialLoad => third(axial_load),
                ThirdOrder => third(cubic) / 2.0,
                Exact => third(cubic) / 2.0 + fourth(quartic) / 6.0,
            }
    }

    /// The energy that the elastic force derives from; that of the axial load has none of its own.
    pub fn elastic_energy(&self, q: &[f64], terms: super::ElasticForce) -> f64 {
        use super::ElasticForce::{Exact, ThirdOrder};
        let n = self.mode_count();
        let linear: f64 = (0..n * n).map(|e| self.stiffness[e] * q[e / n] * q[e % n]).sum();
        let product = |at: &[usize]| at.iter().map(|j| q[*j]).product::<f64>();
        let third = || self.nonlinear.cubic.iter().map(|(at, g)| g * product(at)).sum::<f64>() / 6.0;
        let fourth = || self.nonlinear.quartic.iter().map(|(at, g)| g * product(at)).sum::<f64>() / 24.0;
        0.5 * linear
            + match terms {
                ThirdOrder => third(),
                Exact => third() + fourth(),
                _ => 0.0,
            }
    }
}

/// The links of a chain; `model` is built from `system`.
pub(super) fn links(system: &System, model: &Model) -> Result<Vec<Link>, NotCarried> {
    let fault = |body: &Body, rule| Err(NotCarried { body: body.name.clone(), rule });
    let mut out = Vec::with_capacity(system.bodies.len());
    for (k, body) in system.bodies.iter().enumerate() {
        let HingeKind::Revolute { axis } = body.hinge.kind else {
            return fault(body, "its hinge must be revolute");
        };
        let carried = match body.parent {
            Parent::Ground => k == 0,
            Parent::Body(parent, _) => parent.0 + 1 == k,
        };
        let plain = body.hinge.position == [0.0; 3] && Matrix3(body.hinge.rotation) == Matrix3::IDENTITY;
        let root = &body.nodes[body.inboard_node.0];
        if !carried || !plain || root.position != [0.0; 3] || root.influence.iter().any(|c| *c != [0.0; 6]) {
            return fault(body, "it must sit on the body before it, at its own frame, clamped and without a mount");
        }
        let flexible = |node: &&Node| !node.influence.is_empty();
        if body.modal_inertia.is_some() || body.nodes.iter().filter(flexible).any(|n| n.mass_centre != [0.0; 3]) {
            return fault(body, "its inertia must be that of nodes, where it bends without offsets");
        }
        let carrier = match system.bodies.get(k + 1).map(|next| next.parent) {
            Some(Parent::Body(_, node)) => Some(&body.nodes[node.0]),
            _ => None,
        };
        out.push(link(body, Vector3(axis), carrier, (model, BodyIndex(k))));
    }
    Ok(out)
}

fn link(body: &Body, axis: Vector3<f64>, carrier: Option<&Node>, (model, index): (&Model, BodyIndex)) -> Link {
    let n = body.modes.count;
    let lever = |a: Vector3<f64>, b: Vector3<f64>| Matrix3::IDENTITY * a.dot(b) - Matrix3::outer(b, a);
    let (mut mass, mut moment, mut inertia) = (0.0, Vector3::ZERO, Matrix3::ZERO);
    let still = Motion::new(Vector3::ZERO, Vector3::ZERO);
    let mut modes: Vec<Mode> = (0..n)
        .map(|r| Mode {
            momentum: Vector3::ZERO,
            angular_momentum: Vector3::ZERO,
            turning: Vector3::ZERO,
            first: Matrix3::ZERO,
            tip: carrier.and_then(|node| node.influence.get(r)).map_or(still, |column| Motion::from_array(*column)),
        })
        .collect();
    let mut modal_mass = vec![0.0; n * n];
    let mut pairs = vec![(Matrix3::ZERO, Vector3::ZERO); n * n];
    for node in &body.nodes {
        let (m, l, p) = (node.mass, Vector3(node.position), Vector3(node.mass_centre));
        let own = Symmetric3::from_f64(node.inertia).to_matrix();
        mass += m;
        moment += (l + p) * m;
        inertia += own + (lever(l, l + p) + lever(p, l)) * m;
        let columns: Vec<Motion<f64>> = node.influence.iter().take(n).map(|c| Motion::from_array(*c)).collect();
        for (r, a) in columns.iter().enumerate() {
            let turned = own * a.angular;
            modes[r].momentum += a.linear * m;
            modes[r].turning += turned;
            modes[r].angular_momentum += turned + l.cross(a.linear) * m;
            modes[r].first += Matrix3::outer(l, a.linear) * m;
            for (s, b) in columns.iter().enumerate() {
                modal_mass[r * n + s] += m * a.linear.dot(b.linear) + a.angular.dot(own * b.angular);
                let (second, cross) = &mut pairs[r * n + s];
                *second += lever(a.linear, b.linear) * m;
                *cross += a.linear.cross(b.linear) * m;
            }
        }
    }
    let stiffness = (0..n * n).map(|e| match &body.modes.stiffness {
        ModalMatrix::Zero => 0.0,
        ModalMatrix::Diagonal(d) => {
            if e / n == e % n {
                d[e / n]
            } else {
                0.0
            }
        }
        ModalMatrix::Full(rows) => rows[e / n][e % n],
    });
    Link {
        axis,
        mass,
        moment,
        inertia,
        modes,
        modal_mass,
        pairs,
        stiffness: stiffness.collect(),
        nonlinear: body.modes.nonlinear.clone(),
        next: carrier.map_or(Vector3::ZERO, |node| Vector3(node.position)),
        hinge: model.hinge_speeds(index).start,
        elastic: model.modal_speeds(index),
    }
}
