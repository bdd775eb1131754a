//! One program for models that differ in numbers alone, as those of the runs of a study do.
//!
//! Which numbers those are follows from samples: whatever constant differs among them is an input of the program, whatever is equal in all of
//! them is folded away. So it makes no difference what varies: a payload, a stiffness, lengths that change modes and their integrals.
//! [`Family::write_numbers`] tells of each further model whether the program holds for it.

use std::cell::{Cell, RefCell};
use supple::spatial::{Force, Scalar, Traced, Vector3};
use supple::{DifferentStructure, EquationMotion, Inputs, Model, State, Workspace, Wrench, generic};

use crate::program::{Program, Signal};
use crate::recorder::{RecordError, Recorder};

/// How many samples there are at most.
pub const SAMPLES: usize = 16;
/// Samples and one more.
const WITH_ONE: usize = SAMPLES + 1;

/// Models of one structure, by samples.
#[derive(Clone, Debug)]
pub struct Family {
    /// The first one again where there are fewer.
    samples: [Model; SAMPLES],
}

/// What acts in all motions of a program: kinds and places, not numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Per body, whether the acceleration of its hinge is prescribed.
    pub prescribed: Vec<bool>,
    /// Wrenches by their places.
    pub wrenches: Vec<Wrench>,
    /// Which closures act.
    pub closed: Vec<bool>,
}

impl Setup {
    /// That of a state and what acts on it.
    pub fn of(state: &State, inputs: &Inputs) -> Self {
        let place = |wrench: &Wrench| Wrench { force: Force::ZERO, ..*wrench };
        Self {
            prescribed: inputs.prescribed.clone(),
            wrenches: inputs.wrenches.iter().map(place).collect(),
            closed: state.closed.clone(),
        }
    }

    /// Whether this is what acts. No allocation.
    pub fn holds(&self, state: &State, inputs: &Inputs) -> bool {
        let same = |(own, now): (&Wrench, &Wrench)| (own.body, own.node, own.frame) == (now.body, now.node, now.frame);
        self.prescribed == inputs.prescribed
            && self.closed == state.closed
            && state.held.iter().all(Option::is_none)
            && inputs.closure_rows.is_empty()
            && inputs.closure_motions.iter().all(|motion| *motion == EquationMotion::STILL)
            && self.wrenches.len() == inputs.wrenches.len()
            && self.wrenches.iter().zip(&inputs.wrenches).all(same)
    }
}

impl Setup {
    /// Takes what acts: per speed that something acts on its force, or its acceleration where that is prescribed, then forces of motors, then moment and
    /// force of each wrench.
    pub(crate) fn inputs(&self, model: &Model<Traced>, acting: &[bool], recorder: &mut Recorder<'_>) -> Inputs<Traced> {
        let mut inputs = Inputs::new(model);
        inputs.prescribed.copy_from_slice(&self.prescribed);
        let (forces, accelerations) = (recorder.forces(), recorder.accelerations());
        for (i, given) in given(model, &self.prescribed).iter().enumerate().filter(|(i, _)| acting[*i]) {
            match given {
                true => inputs.accelerations[i] = recorder.input(accelerations[i].clone(), 0.0),
                false => inputs.forces[i] = recorder.input(forces[i].clone(), 0.0),
            }
        }
        recorder.motors(&mut inputs);
        for (i, wrench) in self.wrenches.iter().enumerate() {
            let mut vector = |what: &str, unit: &'static str| {
                let axis = |axis| recorder.input(Signal::new(format!("wrench.{}.{what}.{axis}", i + 1), unit), 0.0);
                Vector3(["x", "y", "z"].map(axis))
            };
            let force = Force::new(vector("moment", "N m"), vector("force", "N"));
            inputs.wrenches.push(Wrench { body: wrench.body, node: wrench.node, frame: wrench.frame, force });
        }
        inputs
    }
}

impl Family {
    /// Of some of its models; all but the first [`SAMPLES`] are left out.
    ///
    /// # Errors
    /// [`DifferentStructure`] names the first one that differs from `models[0]` in more than numbers. No models at all are of different
    /// structure, too.
    pub fn new(models: &[Model]) -> Result<Self, DifferentStructure> {
        let first = models.first().ok_or(DifferentStructure { model: 0, body: None, difference: "it is missing, " })?;
        let sample = |i: usize| models.get(i).unwrap_or(first).clone().with_exact_quarter_turns();
        let own = Self { samples: std::array::from_fn(sample) };
        // Whatever their numbers are, they can be joined.
        Model::joined(own.samples.each_ref(), &|numbers| numbers[0])?;
        Ok(own)
    }

    /// The first sample.
    pub fn model(&self) -> &Model {
        &self.samples[0]
    }

    /// Appends the numbers of a model that are inputs of the program; false where it is none of the family, in numbers that all samples share or in structure.
    pub fn write_numbers(&self, model: &Model, out: &mut Vec<f64>) -> bool {
        let model = model.clone().with_exact_quarter_turns();
        let models: [&Model; WITH_ONE] = std::array::from_fn(|i| if i == 0 { &model } else { &self.samples[i - 1] });
        let (start, list, is_member) = (out.len(), RefCell::new(out), Cell::new(true));
        let joined = Model::joined(models, &|[own, samples @ ..]: [f64; WITH_ONE]| {
            match differ(&samples) {
                true => list.borrow_mut().push(own),
                false => is_member.set(is_member.get() && own == samples[0]),
            }
            own
        });
        let is_member = joined.is_ok() && is_member.get();
        if !is_member {
            list.borrow_mut().truncate(start);
        }
        is_member
    }

    /// The equations of motion: coordinates, components of attitudes and speeds go in, then per speed a force or, where its hinge is prescribed, the
    /// acceleration, then forces of motors, then moment and force of each wrench, then the numbers that differ among the models. Out come, per speed, the acceleration or the
    /// force that a prescribed hinge needs, then the powers of wrenches, damping, and of force elements: supplied, dissipated.
    ///
    /// # Errors
    /// A state that the equations refuse; force elements that cannot be recorded.
    pub fn dynamics(&self, state: &State, inputs: &Inputs) -> Result<Program, RecordError> {
        let setup = Setup::of(state, inputs);
        Recorder::new(self.model(), state, &[]).record("dynamics", |recorder| {
            let model = self.symbolic(recorder)?;
            trace(&model, &setup, recorder)?;
            recorder.suppose_finite();
            Ok(())
        })
    }

    /// The model whose numbers are symbols where samples differ.
    pub(crate) fn symbolic(&self, recorder: &mut Recorder<'_>) -> Result<Model<Traced>, RecordError> {
        let recorder = RefCell::new(recorder);
        let model = Model::joined(self.samples.each_ref(), &|samples: [f64; SAMPLES]| {
            if !differ(&samples) {
                return Traced::from_f64(samples[0]);
            }
            let mut recorder = recorder.borrow_mut();
            let name = format!("model.{}", recorder.symbols().len() + 1);
            recorder.number(Signal::new(name, "SI"), samples[0])
        });
        Ok(model?)
    }
}

fn differ(samples: &[f64]) -> bool {
    samples.iter().any(|sample| *sample != samples[0])
}

fn trace(model: &Model<Traced>, setup: &Setup, recorder: &mut Recorder<'_>) -> Result<(), RecordError> {
    let state = recorder.motion(model);
    let inputs = setup.inputs(model, &vec![true; model.speed_count()], recorder);
    let given = given(model, &setup.prescribed);
    let (forces, accelerations) = (recorder.forces(), recorder.accelerations());
    let mut workspace = Workspace::new(model);
    let solution = generic::hybrid_dynamics(model, &state, &inputs, &mut workspace)?;
    for (i, given) in given.iter().enumerate() {
        match given {
            true => recorder.output(forces[i].clone(), solution.forces()[i]),
            false => recorder.output(accelerations[i].clone(), solution.accelerations()[i]),
        }
    }
    let power = generic::power(model, &state, &inputs, &mut workspace)?;
    let powers = [
        ("wrenches", power.wrenches),
        ("damping", power.dissipated),
        ("elements_supplied", power.element_supplied),
        ("elements_dissipated", power.element_dissipated),
    ];
    powers.into_iter().for_each(|(name, power)| recorder.output(Signal::new(format!("power.{name}"), "W"), power));
    Ok(())
}

/// Per speed, whether its acceleration is given.
pub(crate) fn given<T: Scalar>(model: &Model<T>, prescribed: &[bool]) -> Vec<bool> {
    let mut given = vec![false; model.speed_count()];
    for body in model.body_indices().filter(|body| prescribed.get(body.0) == Some(&true)) {
        given[model.hinge_speeds(body)].fill(true);
    }
    given
}
