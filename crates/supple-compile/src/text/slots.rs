//! A program as a device function that says itself what stays in registers.
//!
//! Compilers of kernels keep what does not fit into registers in the local memory of a thread, and choose badly in functions of some thousand
//! operations. Here at most so many numbers are held; of more, the one that is needed last goes into a slot of `volatile` local memory, which the
//! compiler leaves where it is, and is read back before its next use. Inputs are in memory anyway: they are read again.

use super::frame::REAL;
use super::{Language, Style};
use crate::program::{Program, is_truth, operands};
use std::fmt::Write as _;
use supple::spatial::scalar::traced::Operation;

/// Where the numbers of a program are while its text is written.
struct Writer<'p> {
    program: &'p Program,
    text: String,
    /// Per operation: those that still read it, the next one last.
    uses: Vec<Vec<usize>>,
    /// Per operation: under how many names it was known before the one that it has, where it has one.
    names: Vec<usize>,
    inside: Vec<bool>,
    /// What is in registers.
    held: Vec<u32>,
    /// Per operation: its slot.
    slots: Vec<Option<usize>>,
    free: Vec<usize>,
    size: usize,
}

impl Program {
    /// A device function of CUDA, `supple_NAME(in, out, stride)`, with at most so many numbers in registers.
    pub fn device_function(&self, registers: usize) -> String {
        let count = self.operations.len();
        let mut uses: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (at, operation) in self.operations.iter().enumerate() {
            operands(operation).for_each(|a| uses[a as usize].push(at));
        }
        uses.iter_mut().for_each(|list| list.reverse());
        let mut writer = Writer {
            program: self,
            text: String::new(),
            uses,
            names: vec![0; count],
            inside: vec![false; count],
            held: Vec::new(),
            slots: vec![None; count],
            free: Vec::new(),
            size: 0,
        };
        let mut ends = vec![Vec::new(); count];
        self.results.iter().enumerate().for_each(|(i, at)| ends[*at as usize].push(End::Output(i)));
        self.conditions.iter().enumerate().for_each(|(i, c)| ends[c.operation as usize].push(End::Condition(i)));
        for at in 0..count {
            writer.operation(at);
            writer.ends(at, &ends[at]);
            writer.make_room(registers.max(1));
        }
        let head = format!(
            "static __device__ int supple_{}(const real *__restrict__ in, real *__restrict__ out, long long stride)\n{{\n    int status = 0;\n    \
             (void)in;\n    (void)out;\n    (void)stride;\n",
            self.name
        );
        let slots = if writer.size > 0 { format!("    volatile real slot[{}];\n", writer.size) } else { String::new() };
        format!("{head}{slots}{}    return status;\n}}\n\n", writer.text)
    }

    /// What device functions of any program need in front of them.
    pub fn device_prelude() -> &'static str {
        REAL
    }
}

/// What is to be done where a number is made.
#[derive(Clone, Copy)]
enum End {
    Output(usize),
    Condition(usize),
}

impl Writer<'_> {
    fn name(&self, at: u32) -> String {
        match (self.program.operations[at as usize], self.names[at as usize]) {
            (Operation::Constant(value), _) => Language::Cuda.constant(value),
            (_, 1) => format!("v{at}"),
            (_, n) => format!("v{at}_{n}"),
        }
    }

    fn define(&mut self, at: u32, value: &str) {
        self.names[at as usize] += 1;
        let name = self.name(at);
        let kind = if is_truth(&self.program.operations[at as usize]) { "int" } else { "real" };
        let _ = writeln!(self.text, "    const {kind} {name} = {value};");
        self.inside[at as usize] = true;
        self.held.push(at);
    }

    /// Brings a number into a register.
    fn bring(&mut self, at: u32) {
        let operation = &self.program.operations[at as usize];
        if self.inside[at as usize] || matches!(operation, Operation::Constant(_)) {
            return;
        }
        let value = match (operation, self.slots[at as usize]) {
            (Operation::Input(i), _) => Language::Cuda.input(*i),
            (_, Some(slot)) if is_truth(operation) => format!("slot[{slot}] != R(0.0)"),
            (_, Some(slot)) => format!("slot[{slot}]"),
            // What is neither in a register nor in a slot is not needed any more.
            (_, None) => return,
        };
        self.define(at, &value);
    }

    fn operation(&mut self, at: usize) {
        let operation = self.program.operations[at];
        if matches!(operation, Operation::Input(_) | Operation::Constant(_)) {
            return;
        }
        operands(&operation).for_each(|a| self.bring(a));
        let value = self.program.expression(Language::Cuda, Style::default(), at, &|a| self.name(a));
        operands(&operation).for_each(|a| self.used(a, at));
        self.define(at as u32, &value);
    }

    /// A number has been read: what nobody reads again leaves its register and its slot.
    fn used(&mut self, a: u32, at: usize) {
        let list = &mut self.uses[a as usize];
        while list.last().is_some_and(|user| *user <= at) {
            list.pop();
        }
        if list.is_empty() {
            self.held.retain(|held| *held != a);
            self.inside[a as usize] = false;
            self.free.extend(self.slots[a as usize].take());
        }
    }

    fn ends(&mut self, at: usize, ends: &[End]) {
        if !ends.is_empty() {
            self.bring(at as u32);
        }
        for end in ends {
            let value = self.name(at as u32);
            let line = match end {
                End::Output(i) => Language::Cuda.output(*i, &value),
                End::Condition(i) => Language::Cuda.condition(*i, &value, self.program.conditions[*i].held),
            };
            let _ = writeln!(self.text, "{line}");
        }
        if self.uses[at].is_empty() {
            self.held.retain(|held| *held != at as u32);
            self.inside[at] = false;
        }
    }

    /// Puts what is needed last into slots.
    fn make_room(&mut self, registers: usize) {
        while self.held.len() > registers {
            let next = |at: &u32| self.uses[*at as usize].last().copied().unwrap_or(usize::MAX);
            let Some(farthest) = (0..self.held.len()).max_by_key(|i| next(&self.held[*i])) else { return };
            let at = self.held.swap_remove(farthest);
            self.inside[at as usize] = false;
            let is_input = matches!(self.program.operations[at as usize], Operation::Input(_));
            if !is_input && self.slots[at as usize].is_none() {
                let slot = self.free.pop().unwrap_or_else(|| {
                    self.size += 1;
                    self.size - 1
                });
                self.slots[at as usize] = Some(slot);
                let name = self.name(at);
                let _ = writeln!(self.text, "    slot[{slot}] = {name};");
            }
        }
    }
}
