//! One model from models that differ in numbers alone: of lanes, or of dual numbers.
//!
//! Sweeps branch on structure: who carries whom, kinds of hinges, which matrices are diagonal, how modes are eliminated. All of that must
//! be equal; numbers are joined, modal integrals that are zero in some of them too.

use super::gather::{Difference, Gather, Joined, gather_elements};
use super::topology::Topology;
use super::{BodyIndex, Model};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use supple_spatial::{Dual, Lanes, Scalar, Vector3};

/// Two models that cannot share a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferentStructure {
    /// The model that differs from the first one.
    pub model: usize,
    /// Its body that differs, where it is one body alone.
    pub body: Option<BodyIndex>,
    /// What differs.
    pub difference: &'static str,
}

impl fmt::Display for DifferentStructure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "model {}", self.model)?;
        if let Some(body) = self.body {
            write!(f, ", body {}", body.0)?;
        }
        write!(f, ": {} not as in model 0; these models may differ in numbers alone", self.difference)
    }
}

impl std::error::Error for DifferentStructure {}

/// Tells joined models apart; [`Model::build`] counts from below.
static STAMP: AtomicU64 = AtomicU64::new(1 << 63);

impl Model<f64> {
    /// The model whose lane `l` has the constants of `models[l]`.
    ///
    /// # Errors
    /// [`DifferentStructure`] names the first model that differs from `models[0]` in more than numbers.
    pub fn gather<const W: usize>(models: [&Self; W]) -> Result<Model<Lanes<f64, W>>, DifferentStructure> {
        const { assert!(W > 0, "a model needs at least one lane") };
        join(models, &Lanes)
    }

    /// The model each of whose constants is `number` of those of `models`: symbols where they differ, say. Modal integrals that are equal in
    /// all models stay as they are, without a call.
    ///
    /// # Errors
    /// [`DifferentStructure`] names the first model that differs from `models[0]` in more than numbers.
    pub fn joined<U: Scalar, const W: usize>(
        models: [&Self; W],
        number: &dyn Fn([f64; W]) -> U,
    ) -> Result<Model<U>, DifferentStructure> {
        const { assert!(W > 0, "a model is joined from one at least") }
        join(models, number)
    }

    /// The first of three models in dual numbers, whose derivatives are `Σ weights[i] · models[i]`: with weights of a difference formula, those by
    /// the number in which the models differ.
    ///
    /// ```
    /// use supple::{Body, Hinge, HingeKind, Model, ModelBuilder, Parent};
    ///
    /// let built = |mass: f64| -> Result<Model, Box<dyn std::error::Error>> {
    ///     let mut builder = ModelBuilder::new();
    ///     let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
    ///     let inertia = [[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 1.0]];
    ///     builder.body(Body::rigid("bob", Parent::Ground, hinge, mass, [0.0, 0.0, -1.0], inertia));
    ///     Ok(builder.build()?)
    /// };
    /// let (here, ahead, behind) = (built(2.0)?, built(2.5)?, built(1.5)?);
    /// let model = Model::varied([&here, &ahead, &behind], [0.0, 1.0, -1.0])?;
    /// let mass = model.rigid_inertia(model.body_indices().next().ok_or("no body")?)?.mass;
    /// assert_eq!((mass.value, mass.derivative), (2.0, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DifferentStructure`] names the first model that differs from `models[0]` in more than numbers.
    pub fn varied(models: [&Self; 3], weights: [f64; 3]) -> Result<Model<Dual<f64>>, DifferentStructure> {
        join(models, &|x: [f64; 3]| {
            // Equal numbers cancel exactly where the weights do.
            let derivative = if x[0] == x[1] && x[0] == x[2] { 0.0 } else { (0..3).map(|i| weights[i] * x[i]).sum() };
            Dual { value: x[0], derivative }
        })
    }
}

/// The model whose constants are joined from those of `models`.
fn join<U: Scalar, const W: usize>(
    models: [&Model; W],
    number: Joined<'_, W, U>,
) -> Result<Model<U>, DifferentStructure> {
    let first = models[0];
    let structure = unnamed(&first.topology);
    for (model, other) in models.iter().enumerate().skip(1) {
        if let Some((body, difference)) = difference(&structure, &unnamed(&other.topology)) {
            return Err(DifferentStructure { model, body, difference });
        }
    }
    let body = |k: usize| {
        Gather::gather(models.map(|model| &model.bodies[k]), number).map_err(|Difference { lane, what }| {
            DifferentStructure { model: lane, body: Some(BodyIndex(k)), difference: what }
        })
    };
    let closure = |i: usize| {
        Gather::gather(models.map(|model| &model.closing[i]), number)
            .map_err(|Difference { lane, what }| DifferentStructure { model: lane, body: None, difference: what })
    };
    let elements = gather_elements(models.map(|model| &*model.elements), number)
        .map_err(|Difference { lane, what }| DifferentStructure { model: lane, body: None, difference: what })?;
    let stamp = STAMP.fetch_add(1, Ordering::Relaxed);
    Ok(Model {
        topology: Arc::new(Topology { stamp, ..Topology::clone(&first.topology) }),
        bodies: (0..first.body_count()).map(body).collect::<Result<_, _>>()?,
        gravity: Vector3(std::array::from_fn(|i| number(models.map(|model| model.gravity.0[i])))),
        elements: Arc::new(elements),
        forces: Arc::clone(&first.forces),
        actuators: Arc::clone(&first.actuators),
        closing: (0..first.closing.len()).map(closure).collect::<Result<_, _>>()?,
        closures: Arc::clone(&first.closures),
        names: Arc::clone(&first.names),
        notes: Arc::clone(&first.notes),
    })
}

/// A topology without what no sweep looks at.
fn unnamed(topology: &Topology) -> Topology {
    let mut topology = Topology { stamp: 0, ..topology.clone() };
    topology.bodies.iter_mut().for_each(|body| body.name.clear());
    topology
}

/// What tells two topologies apart.
fn difference(a: &Topology, b: &Topology) -> Option<(Option<BodyIndex>, &'static str)> {
    let body = a.bodies.iter().zip(&b.bodies).position(|(a, b)| a != b).map(BodyIndex);
    match () {
        () if a == b => None,
        () if a.bodies.len() != b.bodies.len() => Some((None, "the number of bodies is")),
        () if a.elastic_rotation != b.elastic_rotation => Some((None, "the elastic rotation is")),
        () if a.inertia != b.inertia => Some((None, "the inertia convention is")),
        () if body.is_some() => Some((body, "its parent, axis of hinge, modes or moving nodes are")),
        () if a.closures != b.closures => Some((None, "what the closures connect is")),
        () => Some((None, "the tree is")),
    }
}
