//! Damping of a whole system: the table `damping` of models and side files.

use std::ops::Range;

use supple::{HingeHandle, Inputs, Model, State, System, assemble};
use supple_bodies::damping::{Design, LossFactor, NoDesign, design};

use super::loss_factor;
use crate::document::shape::{NOT_NEGATIVE_OR_LIST, NUMBER_OR_NUMBERS, POSITIVE, Shape, TEXT, TableShape, key};
use crate::document::{Table, Value};
use crate::source::{Report, Rule, Source};

/// The name that means every hinge, unless one is called so.
const ALL: &str = "all";
/// What to do about damping of a system without flexible bodies.
pub(super) const RIGID: &str = "a flexible body; leave the table out of a rigid system";
/// How far the length of a quaternion may be from one; it is scaled to one.
const UNIT_TOLERANCE: f64 = 1e-6;

static DAMPING: TableShape = TableShape {
    name: "system-damping",
    doc: "Damping of the flexible bodies of a system. `ratio`: damping ratios of the modes of the whole system, realised by one constant matrix per flexible body; damping in hinges, and of the bodies themselves, is taken into account. `loss_factor`: that of the material, valid in every pose, with any hinges locked.",
    one_of: &[&["ratio", "loss_factor"]],
    at_most_one: &[],
    keys: &[
        key(
            "ratio",
            &NOT_NEGATIVE_OR_LIST,
            "damping ratio of every mode, or measured ratios of the modes one by one, lowest first; the last one holds for all others",
        ),
        key(
            "loss_factor",
            &POSITIVE,
            "loss factor of all flexible bodies, up to 0.3: twice the damping ratio of elastic vibrations; the stiffness, which is given for slow loads, \
             increases with frequency",
        ),
        key(
            "from_hz",
            &POSITIVE,
            "lowest frequency at which the loss factor holds, Hz; default: half of the first frequency with all hinges locked",
        ),
        key("at", &Shape::Map(&NUMBER_OR_NUMBERS), "coordinates of hinges by name, rad or m; default: zero")
            .unit("rad or m"),
        key(
            "free",
            &Shape::List { of: &TEXT, length: None },
            "hinges that are free when the modes are computed, by name, \"all\" for all; default: all are locked",
        ),
        key(
            "up_to_hz",
            &POSITIVE,
            "the highest frequency whose ratio matters, Hz, default: that of the thirtieth mode; with `loss_factor` the highest at which it holds, default: a \
             hundred times the lowest",
        ),
    ],
};
pub(crate) static DAMPING_SHAPE: Shape = Shape::Table(&DAMPING);
pub(crate) const DAMPING_DOC: &str =
    "damping ratios of the modes of the whole system, or the loss factor of its flexible bodies";

/// What a file asks for, as it was understood.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SystemDamping {
    /// Ratios of the modes, the highest frequency that matters, and the hinges that are free. Of a loss factor, those that follow from it.
    pub design: Design,
    /// The loss factor, where it is one.
    pub loss: Option<LossFactor>,
    /// The configuration.
    pub pose: State,
}

/// A table `damping` as it stands in a file, each value with its place.
#[derive(Clone, Debug)]
pub(crate) struct DampingTable {
    ratios: Vec<f64>,
    pub(super) loss: Option<f64>,
    pub(super) from: Option<f64>,
    at: Vec<(String, Vec<f64>, Range<usize>)>,
    free: Vec<(String, Range<usize>)>,
    pub(super) up_to: Option<f64>,
    pub(super) spans: Spans,
}

/// Places of the keys, or of the table.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    pub(super) table: Range<usize>,
    ratio: Range<usize>,
    pub(super) loss: Range<usize>,
    pub(super) from: Range<usize>,
    at: Range<usize>,
    free: Range<usize>,
    pub(super) up_to: Range<usize>,
}

impl DampingTable {
    /// What a table says.
    pub(crate) fn new(table: Table<'_>) -> Option<Self> {
        let numbers = |value: Value<'_>| value.number().map(|x| vec![x]).or_else(|| value.numbers());
        let at = table.table("at").into_iter().flat_map(Table::entries);
        let free = table.get("free").and_then(Value::items).into_iter().flatten();
        let span = |key: &str| table.span_of(key);
        Some(Self {
            ratios: table.get("ratio").and_then(numbers).unwrap_or_default(),
            loss: table.number("loss_factor"),
            from: table.number("from_hz"),
            at: at.filter_map(|(name, _, value)| Some((name.to_owned(), numbers(value)?, value.span()))).collect(),
            free: free.filter_map(|value| Some((value.text()?.to_owned(), value.span()))).collect(),
            up_to: table.number("up_to_hz"),
            spans: Spans {
                table: table.span(),
                ratio: span("ratio"),
                loss: span("loss_factor"),
                from: span("from_hz"),
                at: span("at"),
                free: span("free"),
                up_to: span("up_to_hz"),
            },
        })
    }

    /// Gives the bodies of a system the damping that is asked for; problems are reported.
    pub(crate) fn apply(
        &self,
        (system, model): (&mut System, &mut Model),
        source: &Source,
        report: &mut Report,
    ) -> Option<SystemDamping> {
        self.report_useless(source, report)?;
        let asked = match self.loss {
            Some(factor) => loss_factor::apply(self, factor, (system, model), (source, report))?,
            None => self.apply_ratios((system, model), source, report)?,
        };
        match Model::build(system) {
            Ok(built) => *model = built,
            Err(error) => {
                for problem in error.problems() {
                    report.add(source, self.spans.table.clone(), Rule::Model(problem.clone()));
                }
                return None;
            }
        }
        // Of the model that was built; a loss factor gives it coordinates, and knows no pose.
        let SystemDamping { pose: State { coordinates, attitudes, .. }, .. } = asked;
        let pose = match self.loss {
            Some(_) => State::new(model),
            None => State { coordinates, attitudes, ..State::new(model) },
        };
        Some(SystemDamping { pose, design: asked.design, loss: asked.loss })
    }

    /// Keys of the other kind of damping.
    fn report_useless(&self, source: &Source, report: &mut Report) -> Option<()> {
        let spans = &self.spans;
        let holds = "a loss factor is that of the material: it holds in every pose, however hinges are held";
        let useless: Vec<(&str, &Range<usize>, &str)> = match self.loss {
            Some(_) => {
                [("at", &spans.at, holds, self.at.is_empty()), ("free", &spans.free, holds, self.free.is_empty())]
                    .into_iter()
                    .filter(|(.., absent)| !absent)
                    .map(|(key, span, because, _)| (key, span, because))
                    .collect()
            }
            None => self.from.iter().map(|_| ("from_hz", &spans.from, "it applies to `loss_factor`")).collect(),
        };
        for (key, span, because) in &useless {
            report.add(source, (*span).clone(), Rule::Useless { key: (*key).into(), because: (*because).into() });
        }
        useless.is_empty().then_some(())
    }

    fn apply_ratios(
        &self,
        (system, model): (&mut System, &Model),
        source: &Source,
        report: &mut Report,
    ) -> Option<SystemDamping> {
        let asked = Reader { model, source, report }.read(self)?;
        match design(system, &asked.pose, &asked.design) {
            Ok(found) => system.bodies.iter_mut().zip(found).for_each(|(body, found)| body.modes.damping = found),
            Err(why) => {
                let (span, expected) = match why {
                    NoDesign::Rigid => (&self.spans.table, RIGID),
                    NoDesign::NoneBelow(_) => (&self.spans.up_to, "a frequency above that"),
                    _ => (&self.spans.up_to, "a lower frequency, or fewer modes"),
                };
                let rule = Rule::Mismatch { what: why.to_string(), expected: expected.into() };
                report.add(source, span.clone(), rule);
                return None;
            }
        }
        Some(asked)
    }
}

/// Gives the bodies of a system the damping that a model file asks for, if it does; problems are reported.
pub(super) fn read(
    document: Table<'_>,
    (system, model): (&mut System, &mut Model),
    source: &Source,
    report: &mut Report,
) -> Option<SystemDamping> {
    DampingTable::new(document.table("damping")?)?.apply((system, model), source, report)
}

struct Reader<'r> {
    model: &'r Model,
    source: &'r Source,
    report: &'r mut Report,
}

impl Reader<'_> {
    fn wrong(&mut self, span: &Range<usize>, what: String, expected: &str) {
        self.report.add(self.source, span.clone(), Rule::Mismatch { what, expected: expected.into() });
    }

    fn read(&mut self, told: &DampingTable) -> Option<SystemDamping> {
        let before = self.report.count();
        let ratios = told.ratios.clone();
        if ratios.is_empty() || ratios.iter().any(|ratio| *ratio >= 1.0) {
            let what = "damping ratios must be below 1, and the list must not be empty".to_owned();
            self.wrong(&told.spans.ratio, what, "ratios from 0 to below 1, such as 0.01");
        }
        let (pose, placed) = self.pose(&told.at);
        let free = self.free(&told.free);
        if self.report.count() > before {
            return None;
        }
        let pose = self.closed(&told.spans.at, pose, placed)?;
        Some(SystemDamping { design: Design { ratios, up_to: told.up_to, free }, loss: None, pose })
    }

    /// The hinge of a name; unknown ones are reported.
    fn hinge(&mut self, name: &str, span: &Range<usize>) -> Option<HingeHandle> {
        let found = self.model.hinge(name).ok();
        if found.is_none() {
            let known: Vec<&str> = self.model.hinges().filter_map(|hinge| self.model.hinge_name(hinge)).collect();
            let known = self.report.names(known);
            let rule = Rule::UnknownName { kind: "hinge", name: name.to_owned(), known };
            self.report.add(self.source, span.clone(), rule);
        }
        found
    }

    /// The configuration, and per body whether the table says where its hinge is.
    fn pose(&mut self, at: &[(String, Vec<f64>, Range<usize>)]) -> (State, Vec<bool>) {
        let (mut state, mut placed) = (State::new(self.model), vec![false; self.model.body_count()]);
        for (name, numbers, span) in at {
            let Some(hinge) = self.hinge(name, span) else { continue };
            let target = &mut state.coordinates[hinge.coordinates()];
            if numbers.len() != target.len() {
                let (quantity, found, expected) = (name.clone(), numbers.len(), target.len());
                let rule = Rule::Length { quantity, found, expected, one_per: "coordinate of the hinge" };
                self.report.add(self.source, span.clone(), rule);
                continue;
            }
            target.copy_from_slice(numbers);
            // Only a quaternion has more coordinates than speeds.
            if target.len() != hinge.speeds().len() {
                let norm = target[..4].iter().map(|x| x * x).sum::<f64>().sqrt();
                target[..4].iter_mut().for_each(|x| *x /= norm);
                if (norm - 1.0).abs() > UNIT_TOLERANCE {
                    self.report.add(self.source, span.clone(), Rule::NotUnit { norm });
                }
            }
            placed[hinge.body().0] = true;
        }
        (state, placed)
    }

    fn free(&mut self, names: &[(String, Range<usize>)]) -> Vec<bool> {
        let mut free = vec![false; self.model.body_count()];
        for (name, span) in names {
            if name == ALL && self.model.hinge(ALL).is_err() {
                free.fill(true);
            } else if let Some(hinge) = self.hinge(name, span) {
                free[hinge.body().0] = true;
            }
        }
        free
    }

    /// The configuration with its closures closed; hinges that were placed move last.
    fn closed(&mut self, at: &Range<usize>, mut pose: State, placed: Vec<bool>) -> Option<State> {
        if !pose.closed.contains(&true) {
            return Some(pose);
        }
        let free = Inputs::new(self.model);
        let held = Inputs { prescribed: placed, ..free.clone() };
        let closed = assemble(self.model, &mut pose, &held).or_else(|_| assemble(self.model, &mut pose, &free));
        if let Err(error) = &closed {
            self.wrong(at, error.to_string(), "a configuration in which the closures can be closed");
        }
        closed.is_ok().then_some(pose)
    }
}
