//! Programs as text.
//!
//! One printer for all languages: straight-line code of theirs differs in words, not in structure. A long program becomes several
//! functions of bounded size, so that the time to compile it grows with its length and not faster.

pub(crate) mod frame;
mod language;
mod rows;
mod sine;
mod slots;

pub use slots::{DeviceFunction, Room};

pub use language::{Lanes, Language};
use rows::Rows;
use sine::Sines;

use crate::program::{Program, Signal, is_given, operands};
use crate::schedule::Parts;
use std::fmt::Write as _;
use supple::spatial::scalar::traced::Operation;

/// Generated code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Names of the files, without folder: header, where the language has any, and source.
    pub header_name: Option<String>,
    /// Declarations, where the language has a file for them.
    pub header: String,
    /// Name of the source file.
    pub source_name: String,
    /// Definitions.
    pub source: String,
}

/// How code is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether `a · b + c` is one rounding, by the `fma` of the language: seven times slower where the processor has none.
    pub fma: bool,
    /// Operations of one function at most.
    pub part: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self { fma: false, part: 8000 }
    }
}

impl Program {
    /// As code, in the default [`Style`].
    pub fn write(&self, language: Language) -> Code {
        self.write_as(language, Style::default())
    }

    /// As code.
    pub fn write_as(&self, language: Language, style: Style) -> Code {
        let parts = Parts::new(self, style.part);
        let rows = Rows::new(self, language, style, &parts);
        let mut source = language.opening(self) + rows.words();
        for index in 0..parts.ranges.len() {
            source += &self.part((language, style), &parts, &rows, index);
        }
        source += &language.closing(self, &parts);
        let name = format!("{}{}", self.name, language.suffix());
        Code {
            header_name: language.header_extension().map(|end| format!("{name}.{end}")),
            header: language.header(self, &parts),
            source_name: format!("{name}.{}", language.extension()),
            source,
        }
    }

    /// One function of the program.
    fn part(&self, (language, style): (Language, Style), parts: &Parts, rows: &Rows, index: usize) -> String {
        let range = parts.ranges[index].clone();
        let mut text = language.function_head(self, parts, index);
        // What earlier parts left, where this one first needs it.
        let mut known = vec![false; self.operations.len()];
        let mut filled = Vec::new();
        let name = |a: u32| self.name_of(language, a as usize);
        let line = |text: &mut String, at: usize, known: &mut Vec<bool>| {
            if !known[at] {
                known[at] = true;
                let value = match (self.operations[at], parts.slots[at]) {
                    (Operation::Input(_) | Operation::Constant(_), _) => self.expression(language, style, at, &name),
                    (_, Some(slot)) if !range.contains(&at) => language.kept(&self.operations[at], slot),
                    _ => self.expression(language, style, at, &name),
                };
                // Constants stand where they are used.
                if !matches!(self.operations[at], Operation::Constant(_)) {
                    let _ = writeln!(text, "{}", language.definition(&self.operations[at], at, &value));
                }
            }
        };
        for at in range.clone() {
            if !known[at]
                && let Some(sines) = Sines::at(language, self, at, range.end)
            {
                sines.angles.iter().for_each(|a| line(&mut text, *a as usize, &mut known));
                text += &sines.lines(language, self);
                sines.operations.iter().for_each(|at| known[*at] = true);
            }
            if is_given(&self.operations[at]) && parts.ranges.len() > 1 {
                continue;
            }
            if let Some(row) = rows.at(at) {
                // The place of a row makes all of it.
                let Some(row) = row else { continue };
                row.reads().for_each(|a| line(&mut text, a as usize, &mut known));
                text += &row.lines(self, &mut filled);
                row.numbers.iter().for_each(|number| known[*number as usize] = true);
                text += &self.leaving(language, parts, &row.numbers);
                continue;
            }
            operands(&self.operations[at]).for_each(|a| line(&mut text, a as usize, &mut known));
            line(&mut text, at, &mut known);
            text += &self.leaving(language, parts, &[at as u32]);
        }
        // Inputs and constants that are results themselves belong to the first part.
        let given = |at: u32| index == 0 && is_given(&self.operations[at as usize]);
        for (i, at) in self.results.iter().enumerate().filter(|(_, at)| given(**at)) {
            line(&mut text, *at as usize, &mut known);
            let _ = writeln!(text, "{}", language.output(i, &self.name_of(language, *at as usize)));
        }
        let mine = |at: u32| given(at) || range.contains(&(at as usize)) && !is_given(&self.operations[at as usize]);
        for (i, condition) in self.conditions.iter().enumerate().filter(|(_, c)| mine(c.operation)) {
            line(&mut text, condition.operation as usize, &mut known);
            let value = self.name_of(language, condition.operation as usize);
            let _ = writeln!(text, "{}", language.condition(i, &value, condition.held));
        }
        text + &language.function_end(parts.ranges.len() > 1)
    }

    /// Hands numbers on to later parts and to the results. They leave where they are made: none waits in a register, or is read back, for the end.
    fn leaving(&self, language: Language, parts: &Parts, numbers: &[u32]) -> String {
        let mut text = String::new();
        for at in numbers.iter().map(|at| *at as usize) {
            let (operation, name) = (&self.operations[at], self.name_of(language, at));
            if let Some(slot) = parts.slots[at] {
                let _ = writeln!(text, "{}", language.keep(operation, slot, &name));
            }
            for i in parts.outputs[at].iter().filter(|_| !is_given(operation)) {
                let _ = writeln!(text, "{}", language.output(*i, &name));
            }
        }
        text
    }

    /// How an operation is called where it is used.
    fn name_of(&self, language: Language, at: usize) -> String {
        match self.operations[at] {
            Operation::Constant(value) => language.constant(value),
            _ => format!("v{at}"),
        }
    }

    fn expression(&self, language: Language, style: Style, at: usize, name: &dyn Fn(u32) -> String) -> String {
        match self.operations[at] {
            Operation::Input(i) => language.input(i),
            Operation::Constant(value) => language.constant(value),
            Operation::Unary(f, a) => language.unary(f, &name(a)),
            Operation::Binary(f, a, b) => language.binary(f, &name(a), &name(b)),
            Operation::MulAdd(a, b, c) if style.fma => language.fused(&name(a), &name(b), &name(c)),
            Operation::MulAdd(a, b, c) => format!("{}*{} + {}", name(a), name(b), name(c)),
            Operation::Select(m, a, b) => language.select(&name(m), &name(a), &name(b)),
        }
    }
}

/// A table of signals for comments: number, name, unit.
fn table(signals: &[Signal], start: &str) -> String {
    let mut text = String::new();
    for (i, signal) in signals.iter().enumerate() {
        // Names are users' own: none of them may end a comment or a line.
        let name: String = signal.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let name = name.replace("*/", "* /").replace("/*", "/ *");
        let _ = writeln!(text, "{start}{i:5}  {name} [{}]", signal.unit);
    }
    text
}
