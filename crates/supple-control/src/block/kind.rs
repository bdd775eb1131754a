//! What a kind of block is: its parameters, signals and law. Files, schemas and manuals are made from it.

use crate::linear::Schedule;
use crate::shaper::Shaper;
use crate::trajectory::Trajectory;
use std::collections::BTreeMap;
use std::fmt;
use supple::integrate::{Measured, Request, Role, Sampled};
use supple::spatial::Traced;
use supple::{Model, State};

/// Which numbers a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Any finite number.
    Any,
    /// Above zero.
    Positive,
    /// Zero or above.
    NotNegative,
}

/// What a parameter is, and what holds where it is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Takes {
    /// A number that must be there.
    Number(Bound),
    /// A number, or this one.
    NumberOr(Bound, f64),
    /// A number, or none.
    Maybe(Bound),
    /// True or false; false where left out.
    Flag,
    /// One of some words with their meanings; the first where left out.
    Word(&'static [(&'static str, &'static str)]),
    /// Numbers of any length that must be there.
    Numbers,
    /// Numbers of any length, or none.
    MaybeNumbers,
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its key.
    pub key: &'static str,
    /// What it is.
    pub takes: Takes,
    /// What it means, with its unit and default.
    pub meaning: &'static str,
}

/// What an input is connected to where nothing is said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Otherwise {
    /// It must be said.
    Required,
    /// This number.
    Number(f64),
    /// The coordinate of the hinge, measured without error.
    Coordinate,
    /// The speed of the hinge, measured without error.
    Speed,
    /// One signal for the whole block: an axis of a place in space, which stays where it is.
    Place(usize),
    /// A list of any length that must be said: what sensors measure.
    Measurements,
    /// All states of the model, coordinates before speeds: those of an observer by its name, or without error where nothing is said.
    States,
    /// What held at each hinge until this instant: the effort of the one block that acts there where nothing is said.
    EffortBefore,
}

/// An input: one signal for each hinge of the block, or one for all that it is [about a place](Otherwise::Place).
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// Its key.
    pub key: &'static str,
    /// Its default.
    pub otherwise: Otherwise,
    /// What it means, with its unit.
    pub meaning: &'static str,
}

impl Input {
    /// How many signals it is, of a block with some hinges; none where the file or the model says how many.
    pub fn count(&self, hinges: usize) -> Option<usize> {
        match self.otherwise {
            Otherwise::Place(_) => Some(1),
            Otherwise::Measurements | Otherwise::States => None,
            _ => Some(hinges.max(1)),
        }
    }
}

/// An output: one signal for each hinge of the block.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// Its name.
    pub name: &'static str,
    /// Its unit; that of a force or a coordinate where the hinge decides.
    pub unit: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// How many hinges a block is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hinges {
    /// None: it only passes signals on.
    None,
    /// One, on which its first output acts; or none, and another block reads its output.
    AtMostOne,
    /// One, on which its first output acts.
    One,
    /// One or more, on each of which its first output acts.
    Several,
}

/// What else a block is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// A motion over time.
    Trajectory,
    /// Impulses of a shaper.
    Shaper,
    /// A model of the plant.
    Model,
    /// A model of the plant, and one of its nodes.
    Node,
    /// A model of the plant with its modes, and gains designed from its linear model.
    Linear,
}

/// A kind of block.
pub struct Kind {
    /// Its name in files.
    pub name: &'static str,
    /// When it is called where connections leave a choice.
    pub role: Role,
    /// What it does.
    pub about: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Its inputs, each a list over the hinges of the block, one after the other in the signals that the law reads.
    pub inputs: &'static [Input],
    /// Its outputs, in the same order; the first acts on the hinges.
    pub outputs: &'static [Output],
    /// Its hinges.
    pub hinges: Hinges,
    /// What else it is made from.
    pub needs: Needs,
    /// Whether its outputs are all states of its model, coordinates before speeds, instead of [`outputs`](Self::outputs).
    pub gives_states: bool,
    /// Makes the law.
    pub make: fn(&Setting) -> Result<Box<dyn Sampled>, SettingError>,
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kind").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The law of a block, whatever its kind.
pub struct Law(pub Box<dyn Sampled>);

impl Sampled for Law {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        self.0.sample(measured, outputs);
    }

    fn ask(&mut self, measured: &Measured<'_>, requests: &mut Vec<Request>) {
        self.0.ask(measured, requests);
    }

    fn record(&self, memory: &mut [Traced], signals: &[Traced], outputs: &mut [Traced]) -> bool {
        self.0.record(memory, signals, outputs)
    }

    fn save(&self) -> Vec<f64> {
        self.0.save()
    }

    fn load(&mut self, from: &[f64]) -> bool {
        self.0.load(from)
    }
}

impl Kind {
    /// A law of this kind.
    ///
    /// # Errors
    /// Values that make no law.
    pub fn law(&self, setting: &Setting) -> Result<Law, SettingError> {
        (self.make)(setting).map(Law)
    }
}

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// Numbers.
    Numbers(Vec<f64>),
    /// True or false.
    Flag(bool),
    /// A word.
    Word(String),
}

/// A hinge of a block: places of its coordinate and speed, in the state of the plant and in that of the controller's model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HingePlace {
    /// In the plant.
    pub plant: [usize; 2],
    /// In the model of the controller.
    pub own: [usize; 2],
}

/// A model of the plant inside a controller.
#[derive(Clone, Debug)]
pub struct PlantModel {
    /// The model: that of the plant, or the same without modes, or another with the same hinges.
    pub model: Model,
    /// Coordinates and speeds that are those of the plant: places in the plant, places here.
    pub coordinates: Vec<[usize; 2]>,
    /// The same of speeds.
    pub speeds: Vec<[usize; 2]>,
    /// The node that matters, where one does.
    pub node: Option<(supple::BodyIndex, supple::NodeIndex)>,
}

/// All that a block is made from.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// Time between two calls, s.
    pub period: f64,
    /// Values of parameters; those left out have their defaults.
    pub values: BTreeMap<&'static str, Value>,
    /// Inputs that are connected to something, by key.
    pub connected: Vec<&'static str>,
    /// Hinges.
    pub hinges: Vec<HingePlace>,
    /// A motion over time.
    pub trajectory: Option<Trajectory>,
    /// Impulses.
    pub shaper: Option<Shaper>,
    /// A model of the plant.
    pub plant: Option<PlantModel>,
    /// Where the model of the plant starts.
    pub start: Option<State>,
    /// Names of what is measured, as linear models name their outputs.
    pub measured: Vec<String>,
    /// Standard deviations of what is measured.
    pub sensor_noise: Vec<f64>,
    /// Gains designed from a linear model.
    pub schedule: Option<Schedule>,
}

/// Why a block cannot be made of its values.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingError {
    /// The key at fault, where one is.
    pub key: &'static str,
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub expected: String,
}

impl SettingError {
    /// About a key.
    pub fn new(key: &'static str, what: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { key, what: what.into(), expected: expected.into() }
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}; expected {}", self.key, self.what, self.expected)
    }
}

impl std::error::Error for SettingError {}

impl Setting {
    /// With a period and nothing else.
    pub fn every(period: f64) -> Self {
        Self { period, ..Self::default() }
    }

    /// With a number.
    #[must_use]
    pub fn with(mut self, key: &'static str, number: f64) -> Self {
        self.values.insert(key, Value::Number(number));
        self
    }

    /// With a word.
    #[must_use]
    pub fn with_word(mut self, key: &'static str, word: &str) -> Self {
        self.values.insert(key, Value::Word(word.to_owned()));
        self
    }

    /// A number that must be there.
    ///
    /// # Errors
    /// It is not, or is not finite.
    pub fn number(&self, key: &'static str) -> Result<f64, SettingError> {
        match self.values.get(key) {
            Some(Value::Number(x)) if x.is_finite() => Ok(*x),
            Some(other) => Err(SettingError::new(key, format!("it is {other:?}"), "a finite number")),
            None => Err(SettingError::new(key, "it is missing", "a number")),
        }
    }

    /// A number, or another where it is left out.
    ///
    /// # Errors
    /// It is no finite number.
    pub fn number_or(&self, key: &'static str, otherwise: f64) -> Result<f64, SettingError> {
        if self.values.contains_key(key) { self.number(key) } else { Ok(otherwise) }
    }

    /// A number above zero.
    ///
    /// # Errors
    /// It is missing, or not above zero.
    pub fn positive(&self, key: &'static str) -> Result<f64, SettingError> {
        let x = self.number(key)?;
        if x > 0.0 { Ok(x) } else { Err(SettingError::new(key, format!("it is {x}"), "a number above zero")) }
    }

    /// A number above zero, or another where it is left out.
    ///
    /// # Errors
    /// It is not above zero.
    pub fn positive_or(&self, key: &'static str, otherwise: f64) -> Result<f64, SettingError> {
        if self.values.contains_key(key) { self.positive(key) } else { Ok(otherwise) }
    }

    /// A number that is not below zero, or another where it is left out.
    ///
    /// # Errors
    /// It is below zero.
    pub fn not_negative_or(&self, key: &'static str, otherwise: f64) -> Result<f64, SettingError> {
        let x = self.number_or(key, otherwise)?;
        if x >= 0.0 { Ok(x) } else { Err(SettingError::new(key, format!("it is {x}"), "a number not below zero")) }
    }

    /// Whether a flag is set.
    pub fn flag(&self, key: &'static str) -> bool {
        self.values.get(key) == Some(&Value::Flag(true))
    }

    /// A word, or another where it is left out.
    pub fn word<'s>(&'s self, key: &'static str, otherwise: &'s str) -> &'s str {
        match self.values.get(key) {
            Some(Value::Word(word)) => word,
            _ => otherwise,
        }
    }

    /// Whether an input is connected.
    pub fn is_connected(&self, key: &str) -> bool {
        self.connected.contains(&key)
    }

    /// Numbers, one for each of `count`; one number stands for all.
    ///
    /// # Errors
    /// They are missing, of another length, or not finite.
    pub fn numbers(&self, key: &'static str, count: usize) -> Result<Vec<f64>, SettingError> {
        let numbers = match self.values.get(key) {
            Some(Value::Number(x)) => vec![*x; count],
            Some(Value::Numbers(all)) if all.len() == count => all.clone(),
            Some(Value::Numbers(all)) => {
                return Err(SettingError::new(key, format!("there are {} numbers", all.len()), format!("{count}")));
            }
            _ => return Err(SettingError::new(key, "it is missing", "a number, or a list of them")),
        };
        if numbers.iter().all(|x| x.is_finite()) {
            Ok(numbers)
        } else {
            Err(SettingError::new(key, "a number is not finite", "finite numbers"))
        }
    }
}
