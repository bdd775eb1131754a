//! State-space models of a system about a state.

use faer::Mat;
use supple::spatial::{Force, Vector3};
use supple::{Inputs, Model, State, Workspace, Wrench, WrenchFrame};

use crate::coordinates::{Coordinates, coordinate_of};
use crate::differences::{Direction, derivative, reach, step_for};
use crate::measure::{Responses, exact_row, measure, node_jacobian};
use crate::reduction::solve_mass;
use crate::second_order::{Reduced, free_speeds};
use crate::signals::{self, Input, Output};
use crate::tangent::{Tangent, tangent};
use crate::{LinearError, Matrix, OperatingPoint, Signal, StateSpace};

/// Which inputs and outputs a linear model has, by name or pattern: see [`signals`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Inputs.
    pub inputs: Vec<String>,
    /// Outputs.
    pub outputs: Vec<String>,
}

impl Selection {
    /// From lists of names.
    pub fn new<I: Into<String>, O: Into<String>>(
        inputs: impl IntoIterator<Item = I>,
        outputs: impl IntoIterator<Item = O>,
    ) -> Self {
        Self {
            inputs: inputs.into_iter().map(Into::into).collect(),
            outputs: outputs.into_iter().map(Into::into).collect(),
        }
    }
}

/// The names that [`Selection::inputs`] may have, with units, in short form.
pub fn input_signals(model: &Model) -> Vec<Signal> {
    let short = |signal: Signal| match signal.name.strip_prefix("input.") {
        Some(name) => Signal { name: name.into(), ..signal },
        None => signal,
    };
    signals::inputs(model).into_iter().map(|(signal, _)| short(signal)).collect()
}

/// The names that [`Selection::outputs`] may have, with units.
pub fn output_signals(model: &Model) -> Vec<Signal> {
    signals::outputs(model).into_iter().map(|(signal, _)| signal).collect()
}

/// A linear model about a state: small displacements of the independent coordinates, then their speeds, as states.
///
/// Hinges that `inputs` prescribe are locked, or move on at the speeds that they have; a hinge whose acceleration is among the inputs of the model moves
/// as that says. All others are free. Closures leave independent coordinates, chosen among those of the model. Forces, wrenches and accelerations of
/// `inputs` act at the operating point.
///
/// ```
/// use supple::{Body, Hinge, HingeKind, Inputs, ModelBuilder, Parent, State};
/// use supple_linear::{Selection, linearize};
///
/// let mut builder = ModelBuilder::new();
/// builder.gravity([0.0, 0.0, -9.81]);
/// let hinge = Hinge { name: Some("pivot".into()), ..Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] }) };
/// let inertia = [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]];
/// builder.body(Body::rigid("bob", Parent::Ground, hinge, 2.0, [0.0, 0.0, -1.0], inertia));
/// let model = builder.build()?;
///
/// let selection = Selection::new(["force.pivot"], ["hinge.pivot"]);
/// let linear = linearize(&model, &State::new(&model), &Inputs::new(&model), &selection)?;
/// assert_eq!(linear.states[0].name, "hinge.pivot");
/// assert!((linear.a[(1, 0)] + 9.81).abs() < 1e-9); // -m g l / (m l²)
/// assert!((linear.b[(1, 0)] - 0.5).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Unknown names with the nearest known one, forces in hinges that are locked, nothing that can move, or what the engine says about the state.
pub fn linearize(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    selection: &Selection,
) -> Result<StateSpace, LinearError> {
    state.check(model)?;
    inputs.check(model)?;
    let known = signals::inputs(model);
    let takes = |input: Input| !is_locked(model, inputs, input) && !matches!(input, Input::Acceleration(_));
    let chosen = signals::choose("input", "input.", &known, &selection.inputs, takes)?;
    let driven = driven_speeds(&chosen);
    let mut held = inputs.clone();
    for hinge in model.hinges().filter(|hinge| driven.iter().any(|i| hinge.speeds().contains(i))) {
        held.prescribed[hinge.body().0] = true;
    }
    let locked = |(signal, input): &&(Signal, Input)| is_locked(model, &held, *input).then(|| signal.name.clone());
    if let Some(name) = chosen.iter().find_map(|input| locked(&input)) {
        return Err(LinearError::LockedInput { name });
    }
    let outputs = signals::choose("output", "", &signals::outputs(model), &selection.outputs, |_| true)?;
    let point = tangent(model, state, &held)?;
    let reduced = Reduced::new(model, &point, &free_speeds(model, &held), &driven)?;
    let plant = Plant { model, state, inputs: &held, point: &point, reduced: &reduced, driven: &driven };
    plant.state_space(chosen, outputs)
}

/// Speeds whose accelerations are inputs.
fn driven_speeds(chosen: &[(Signal, Input)]) -> Vec<usize> {
    let speed = |(_, input): &(Signal, Input)| match input {
        Input::Acceleration(i) => Some(*i),
        _ => None,
    };
    chosen.iter().filter_map(speed).collect()
}

/// Whether an input is a force in a hinge that is prescribed.
fn is_locked(model: &Model, inputs: &Inputs, input: Input) -> bool {
    let Input::Force(speed) = input else { return false };
    let mut hinges = model.hinges().zip(&inputs.prescribed);
    hinges.any(|(hinge, flag)| *flag && hinge.speeds().contains(&speed))
}

/// A system about a state.
struct Plant<'p> {
    model: &'p Model,
    state: &'p State,
    inputs: &'p Inputs,
    point: &'p Tangent,
    reduced: &'p Reduced,
    driven: &'p [usize],
}

impl Plant<'_> {
    fn state_space(
        &self,
        inputs: Vec<(Signal, Input)>,
        outputs: Vec<(Signal, Output)>,
    ) -> Result<StateSpace, LinearError> {
        let (input_list, output_list): (Vec<_>, Vec<_>) =
            (inputs.iter().map(|(_, input)| *input).collect(), outputs.iter().map(|(_, output)| *output).collect());
        let (a, b) = self.dynamics(&input_list)?;
        let (c, d) = self.measurements(&input_list, &output_list, &a, &b)?;
        let names = Coordinates::of(self.model);
        let kept = &self.reduced.reduction.kept;
        let displacements = kept.iter().map(|i| names.displacements[*i].clone());
        let states = displacements.chain(kept.iter().map(|i| names.speeds[*i].clone())).collect();
        let values = kept.iter().map(|i| coordinate_of(self.model, self.state, *i));
        Ok(StateSpace {
            a: Matrix::from_faer(a.as_ref()),
            b: Matrix::from_faer(b.as_ref()),
            c: Matrix::from_faer(c.as_ref()),
            d: Matrix::from_faer(d.as_ref()),
            dt: None,
            states,
            inputs: inputs.into_iter().map(|(signal, _)| signal).collect(),
            outputs: outputs.into_iter().map(|(signal, _)| signal).collect(),
            operating_point: OperatingPoint {
                x: values.chain(kept.iter().map(|i| self.state.speeds[*i])).collect(),
                u: input_list.iter().map(|input| self.input_value(*input)).collect(),
                y: measure(self.model, self.state, self.inputs, &output_list)?,
            },
        })
    }

    /// `A` and `B`.
    fn dynamics(&self, inputs: &[Input]) -> Result<(Mat<f64>, Mat<f64>), LinearError> {
        let Reduced { reduction, mass, damping, stiffness, transport } = self.reduced;
        let (n, free) = (reduction.kept.len(), reduction.free);
        let acts = reduction.shape.as_ref().subcols(0, free).transpose() * self.input_forces(inputs)?;
        // Accelerations of driven speeds, each an input.
        let driven = Mat::from_fn(self.driven.len(), inputs.len(), |i, j| {
            f64::from(inputs[j] == Input::Acceleration(self.driven[i]))
        });
        let carried = mass.as_ref().subcols(free, n - free) * &driven;
        let right = Mat::from_fn(free, 2 * n + inputs.len(), |i, j| match j {
            j if j < n => -stiffness[(i, j)],
            j if j < 2 * n => -damping[(i, j - n)],
            j => acts[(i, j - 2 * n)] - carried[(i, j - 2 * n)],
        });
        let own = mass.as_ref().subcols(0, free).to_owned();
        let accelerations = solve_mass(&own, &right).ok_or(LinearError::NoFreedom)?;
        let a = Mat::from_fn(2 * n, 2 * n, |i, j| match (i < n, j < n) {
            (true, true) => transport[(i, j)],
            (true, false) => f64::from(i + n == j),
            _ if i - n < free => accelerations[(i - n, j)],
            _ => 0.0,
        });
        let b = Mat::from_fn(2 * n, inputs.len(), |i, j| match i {
            i if i < n => 0.0,
            i if i - n < free => accelerations[(i - n, 2 * n + j)],
            i => driven[(i - n - free, j)],
        });
        Ok((a, b))
    }

    /// Generalized forces of unit inputs.
    fn input_forces(&self, inputs: &[Input]) -> Result<Mat<f64>, LinearError> {
        let mut out = Mat::zeros(self.model.speed_count(), inputs.len());
        for (j, input) in inputs.iter().enumerate() {
            match *input {
                Input::Force(speed) => out[(speed, j)] = 1.0,
                Input::Wrench(place, component) => {
                    let jacobian = node_jacobian(self.model, self.state, place)?;
                    (0..out.nrows()).for_each(|i| out[(i, j)] = jacobian[(component, i)]);
                }
                Input::Element(element) => {
                    // Elements' forces are linear in their inputs.
                    let with = |force: f64| -> Result<Vec<f64>, LinearError> {
                        let mut inputs = self.inputs.clone();
                        inputs.accelerations.fill(0.0);
                        inputs.element_forces[element] = force;
                        let mut workspace = Workspace::new(self.model);
                        let solution = supple::inverse_dynamics(self.model, self.state, &inputs, &mut workspace)?;
                        Ok(solution.forces().to_vec())
                    };
                    let (ahead, behind) = (with(1.0)?, with(-1.0)?);
                    (0..out.nrows()).for_each(|i| out[(i, j)] = 0.5 * (behind[i] - ahead[i]));
                }
                Input::Acceleration(_) => {}
            }
        }
        Ok(out)
    }

    /// `C` and `D`.
    fn measurements(
        &self,
        inputs: &[Input],
        outputs: &[Output],
        a: &Mat<f64>,
        b: &Mat<f64>,
    ) -> Result<(Mat<f64>, Mat<f64>), LinearError> {
        let (states, all) = (a.ncols(), a.ncols() + inputs.len());
        let responses = self.responses(a, b);
        let mut rows = Mat::zeros(outputs.len(), all);
        let mut rest = Vec::new();
        for (i, output) in outputs.iter().enumerate() {
            match exact_row(self.model, self.state, *output, &responses)? {
                Some(row) => row.iter().enumerate().for_each(|(j, x)| rows[(i, j)] = *x),
                None => rest.push(i),
            }
        }
        let measured: Vec<Output> = rest.iter().map(|i| outputs[*i]).collect();
        if !measured.is_empty() {
            let reach = reach(self.model, self.state)?;
            for j in 0..all {
                let column = if j < states {
                    self.by_state(j, &responses, &reach, &measured)?
                } else {
                    self.by_input(inputs[j - states], &measured)?
                };
                rest.iter().zip(&column).for_each(|(i, x)| rows[(*i, j)] = *x);
            }
        }
        let part = |first: usize, count: usize| rows.as_ref().subcols(first, count).to_owned();
        Ok((part(0, states), part(states, inputs.len())))
    }

    /// What all displacements, speeds and accelerations do.
    fn responses(&self, a: &Mat<f64>, b: &Mat<f64>) -> Responses {
        let reduction = &self.reduced.reduction;
        let (n, all) = (reduction.kept.len(), a.ncols() + b.ncols());
        let z = Mat::from_fn(n, all, |i, j| f64::from(i == j));
        let w = Mat::from_fn(n, all, |i, j| f64::from(i + n == j));
        let rates = Mat::from_fn(n, all, |i, j| if j < 2 * n { a[(n + i, j)] } else { b[(n + i, j - 2 * n)] });
        let [by_z, by_w] = &reduction.acceleration_by;
        Responses {
            displacements: &reduction.shape * &z,
            speeds: &reduction.shape * &w + &reduction.speed_by_displacement * &z,
            accelerations: &reduction.shape * &rates + by_z * &z + by_w * &w,
        }
    }

    /// Derivatives of outputs by a state, by differences.
    fn by_state(
        &self,
        j: usize,
        responses: &Responses,
        reach: &[f64],
        outputs: &[Output],
    ) -> Result<Vec<f64>, LinearError> {
        let column = |matrix: &Mat<f64>| (0..matrix.nrows()).map(|i| matrix[(i, j)]).collect::<Vec<f64>>();
        let (displacement, speeds) = (column(&responses.displacements), column(&responses.speeds));
        let size = |x: &[f64]| x.iter().zip(reach).fold(0.0_f64, |m, (x, reach)| m.max(x.abs() * reach.max(1.0)));
        let direction = Direction { displacement: &displacement, speeds: &speeds };
        derivative(step_for(size(&displacement).max(size(&speeds))), |h| {
            measure(self.model, &direction.from(self.model, self.state, h), self.inputs, outputs)
        })
    }

    /// Derivatives of outputs by an input, in which they are linear.
    fn by_input(&self, input: Input, outputs: &[Output]) -> Result<Vec<f64>, LinearError> {
        let at = |value: f64| -> Result<Vec<f64>, LinearError> {
            let mut inputs = self.inputs.clone();
            match input {
                Input::Force(i) => inputs.forces[i] += value,
                Input::Element(i) => inputs.element_forces[i] += value,
                Input::Acceleration(i) => inputs.accelerations[i] += value,
                Input::Wrench((body, node), component) => {
                    let mut numbers = [0.0; 6];
                    numbers[component] = value;
                    let [a, b, c, x, y, z] = numbers;
                    let force = Force::new(Vector3([a, b, c]), Vector3([x, y, z]));
                    inputs.wrenches.push(Wrench { body, node, frame: WrenchFrame::Inertial, force });
                }
            }
            measure(self.model, self.state, &inputs, outputs)
        };
        let (ahead, behind) = (at(1.0)?, at(-1.0)?);
        Ok(ahead.iter().zip(&behind).map(|(a, b)| 0.5 * (a - b)).collect())
    }

    /// An input at the operating point.
    fn input_value(&self, input: Input) -> f64 {
        match input {
            Input::Force(i) => self.inputs.forces[i],
            Input::Element(i) => self.inputs.element_forces[i],
            Input::Acceleration(i) => self.point.accelerations[i],
            Input::Wrench((body, node), component) => {
                let here = self.inputs.wrenches.iter().filter(|wrench| (wrench.body, wrench.node) == (body, node));
                let inertial = here.filter(|wrench| wrench.frame == WrenchFrame::Inertial);
                inertial.map(|wrench| wrench.force.to_array()[component]).sum()
            }
        }
    }
}
