//! A program as a device function that says itself what stays in registers.
//!
//! Compilers of kernels keep what does not fit into registers in the local memory of a thread, and choose badly in functions of some thousand
//! operations. Here at most so many numbers are held; of more, the one that is needed last leaves and is read back before its next use. Numbers that
//! leave go into slots: those with the most traffic for the time of their stay into shared memory, which is on the chip, the others into local memory.
//! Slots are `volatile`: the compiler leaves them as they are. Reading back begins some operations before the use, since memory takes its time.

use super::frame::REAL;
use super::{Language, Style};
use crate::program::{Program, is_truth, operands};
use std::fmt::Write as _;
use supple::spatial::scalar::traced::Operation;

/// Where a device function keeps its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Most numbers in registers at once.
    pub registers: usize,
    /// Slots of a thread in shared memory.
    pub shared: usize,
    /// Operations before its use at which a number begins to be read back, where registers are free.
    pub ahead: usize,
    /// Registers for numbers that are read back early, beside `registers`.
    pub early: usize,
    /// Operations after which the threads of a block wait for each other, so that they read instructions together; 0 for never.
    pub together: usize,
}

/// A device function.
#[derive(Clone, Debug)]
pub struct DeviceFunction {
    /// Its text: `supple_NAME(in, out, stride, room)`, where `room` is the first of its slots in shared memory, those of a thread `SUPPLE_BLOCK`
    /// numbers apart.
    pub text: String,
    /// Slots in shared memory that it uses.
    pub shared: usize,
}

/// What is done, one line of the text each.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Line {
    Compute(u32),
    /// From a slot, or from the inputs.
    Load(u32),
    /// Into a slot.
    Store(u32),
    Output(usize),
    Condition(usize),
}

/// Where a number stays while it is in no register.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Slot {
    Shared(usize),
    Local(usize),
}

impl Program {
    /// A device function of CUDA with room for so many numbers.
    pub fn device_function(&self, room: Room) -> DeviceFunction {
        let mut lines = Allocation::new(self, room.registers.max(4)).lines;
        let stays = Stays::new(self, &lines, room.shared);
        lines.retain(|line| !matches!(line, Line::Store(at) if stays.slots[*at as usize].is_none()));
        if room.ahead > 0 {
            lines = early(self, &lines, room);
        }
        let shared = stays.sizes[0];
        DeviceFunction { text: self.written(&lines, &stays, room.together), shared }
    }

    /// What device functions of any program need in front of them.
    pub fn device_prelude() -> &'static str {
        REAL
    }

    /// The text of the lines.
    fn written(&self, lines: &[Line], stays: &Stays, together: usize) -> String {
        let mut text = format!(
            "static __device__ __forceinline__ int supple_{}(const real *in, real *out, long long stride, volatile real *room)\n{{\n    \
             int status = 0;\n    (void)in;\n    (void)out;\n    (void)stride;\n    (void)room;\n",
            self.name
        );
        if stays.sizes[1] > 0 {
            let _ = writeln!(text, "    volatile real slot[{}];", stays.sizes[1]);
        }
        // Per operation: how many names it has had, and where it is kept by now.
        let mut names = vec![0_usize; self.operations.len()];
        let mut kept = vec![None; self.operations.len()];
        let name = |at: u32, names: &[usize]| match (self.operations[at as usize], names[at as usize]) {
            (Operation::Constant(value), _) => Language::Cuda.constant(value),
            (_, 1) => format!("v{at}"),
            (_, n) => format!("v{at}_{n}"),
        };
        let mut done = 0;
        for line in lines {
            let line = match *line {
                Line::Compute(at) => {
                    done += 1;
                    if together > 0 && done % together == 0 {
                        text += "    __syncthreads();\n";
                    }
                    let value = self.expression(Language::Cuda, Style::default(), at as usize, &|a| name(a, &names));
                    names[at as usize] += 1;
                    self.defined(at, &name(at, &names), &value)
                }
                Line::Load(at) => {
                    names[at as usize] += 1;
                    self.defined(at, &name(at, &names), &self.kept(at, kept[at as usize]))
                }
                Line::Store(at) => {
                    kept[at as usize] = stays.slots[at as usize];
                    let Some(slot) = kept[at as usize] else { continue };
                    format!("    {} = {};", place(slot), name(at, &names))
                }
                Line::Output(i) => Language::Cuda.output(i, &name(self.results[i], &names)),
                Line::Condition(i) => {
                    let condition = &self.conditions[i];
                    Language::Cuda.condition(i, &name(condition.operation, &names), condition.held)
                }
            };
            text += &line;
            text.push('\n');
        }
        text + "    return status;\n}\n\n"
    }

    fn defined(&self, at: u32, name: &str, value: &str) -> String {
        let kind = if is_truth(&self.operations[at as usize]) { "int" } else { "real" };
        format!("    const {kind} {name} = {value};")
    }

    /// A number in its slot; an input that has none, where it came from.
    fn kept(&self, at: u32, slot: Option<Slot>) -> String {
        let operation = &self.operations[at as usize];
        match (slot, operation) {
            (Some(slot), _) if is_truth(operation) => format!("{} != R(0.0)", place(slot)),
            (Some(slot), _) => place(slot),
            (None, Operation::Input(i)) => Language::Cuda.input(*i),
            (None, _) => unreachable!("what leaves its register has a slot"),
        }
    }
}

fn place(slot: Slot) -> String {
    match slot {
        Slot::Shared(i) => format!("room[{i} * SUPPLE_BLOCK]"),
        Slot::Local(i) => format!("slot[{i}]"),
    }
}

/// Lines with so many numbers in registers at most, and the numbers that are there.
struct Allocation<'p> {
    program: &'p Program,
    lines: Vec<Line>,
    /// Per operation: those that still read it, the next one last.
    uses: Vec<Vec<usize>>,
    held: Vec<u32>,
    inside: Vec<bool>,
    stored: Vec<bool>,
}

impl<'p> Allocation<'p> {
    fn new(program: &'p Program, registers: usize) -> Self {
        let count = program.operations.len();
        let mut uses: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (at, operation) in program.operations.iter().enumerate() {
            operands(operation).for_each(|a| uses[a as usize].push(at));
        }
        uses.iter_mut().for_each(|list| list.reverse());
        let mut ends = vec![Vec::new(); count];
        program.results.iter().enumerate().for_each(|(i, at)| ends[*at as usize].push(Line::Output(i)));
        program.conditions.iter().enumerate().for_each(|(i, c)| ends[c.operation as usize].push(Line::Condition(i)));
        let mut allocation = Self {
            program,
            lines: Vec::new(),
            uses,
            held: Vec::new(),
            inside: vec![false; count],
            stored: vec![false; count],
        };
        for (at, ends) in ends.into_iter().enumerate() {
            allocation.operation(at);
            allocation.ends(at as u32, ends);
            allocation.make_room(registers);
        }
        allocation
    }

    fn put(&mut self, line: Line, at: u32) {
        self.lines.push(line);
        self.inside[at as usize] = true;
        self.held.push(at);
    }

    /// Brings a number into a register.
    fn bring(&mut self, at: u32) {
        if !self.inside[at as usize] && !matches!(self.program.operations[at as usize], Operation::Constant(_)) {
            self.put(Line::Load(at), at);
        }
    }

    fn leave(&mut self, at: u32) {
        self.held.retain(|held| *held != at);
        self.inside[at as usize] = false;
    }

    fn operation(&mut self, at: usize) {
        let operation = self.program.operations[at];
        if matches!(operation, Operation::Input(_) | Operation::Constant(_)) {
            return;
        }
        operands(&operation).for_each(|a| self.bring(a));
        for a in operands(&operation) {
            let list = &mut self.uses[a as usize];
            while list.last().is_some_and(|user| *user <= at) {
                list.pop();
            }
            if list.is_empty() {
                self.leave(a);
            }
        }
        self.put(Line::Compute(at as u32), at as u32);
    }

    /// Results and conditions, where their numbers are made.
    fn ends(&mut self, at: u32, ends: Vec<Line>) {
        if !ends.is_empty() {
            self.bring(at);
        }
        self.lines.extend(ends);
        if self.uses[at as usize].is_empty() {
            self.leave(at);
        }
    }

    /// Lets those leave that are needed last.
    fn make_room(&mut self, registers: usize) {
        while self.held.len() > registers {
            let next = |at: &u32| self.uses[*at as usize].last().copied().unwrap_or(usize::MAX);
            let Some(farthest) = (0..self.held.len()).max_by_key(|i| next(&self.held[*i])) else { return };
            let at = self.held.swap_remove(farthest);
            self.inside[at as usize] = false;
            if !std::mem::replace(&mut self.stored[at as usize], true) {
                self.lines.push(Line::Store(at));
            }
        }
    }
}

/// The slots of numbers.
struct Stays {
    slots: Vec<Option<Slot>>,
    /// How many there are in shared and in local memory.
    sizes: [usize; 2],
}

/// From where a number is stored to where it is read for the last time.
struct Stay {
    at: u32,
    from: usize,
    to: usize,
    reads: usize,
}

impl Stays {
    fn new(program: &Program, lines: &[Line], shared: usize) -> Self {
        let mut open: Vec<Option<Stay>> = Vec::new();
        open.resize_with(program.operations.len(), || None);
        for (i, line) in lines.iter().enumerate() {
            match *line {
                Line::Store(at) => open[at as usize] = Some(Stay { at, from: i, to: i, reads: 0 }),
                Line::Load(at) => {
                    if let Some(stay) = &mut open[at as usize] {
                        (stay.to, stay.reads) = (i, stay.reads + 1);
                    }
                }
                _ => {}
            }
        }
        let mut stays: Vec<Stay> = open.into_iter().flatten().filter(|stay| stay.reads > 0).collect();
        // The most traffic for the time comes first.
        let worth = |stay: &Stay| (stay.reads + 1) as f64 / (stay.to - stay.from) as f64;
        stays.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        let mut taken = vec![0_usize; lines.len() + 1];
        let mut inside = Vec::new();
        let mut outside = Vec::new();
        for stay in stays {
            let span = &mut taken[stay.from..=stay.to];
            if span.iter().all(|n| *n < shared) {
                span.iter_mut().for_each(|n| *n += 1);
                inside.push(stay);
            } else if !matches!(program.operations[stay.at as usize], Operation::Input(_)) {
                // Inputs are in memory anyway.
                outside.push(stay);
            }
        }
        let mut slots = vec![None; program.operations.len()];
        let sizes = [(inside, Slot::Shared as fn(usize) -> Slot), (outside, Slot::Local)].map(|(mut list, kind)| {
            list.sort_by_key(|stay| stay.from);
            // Per slot: until when it is taken.
            let mut until: Vec<usize> = Vec::new();
            for stay in &list {
                let free = until.iter().position(|end| *end < stay.from).unwrap_or_else(|| {
                    until.push(0);
                    until.len() - 1
                });
                until[free] = stay.to;
                slots[stay.at as usize] = Some(kind(free));
            }
            until.len()
        });
        Self { slots, sizes }
    }
}

/// Operations that a line reads from registers.
fn read_by(program: &Program, line: &Line) -> Vec<u32> {
    match *line {
        Line::Compute(at) => operands(&program.operations[at as usize]).collect(),
        Line::Store(at) => vec![at],
        Line::Output(i) => vec![program.results[i]],
        Line::Condition(i) => vec![program.conditions[i].operation],
        Line::Load(_) => vec![],
    }
}

/// Numbers in registers after each line.
fn held_after(program: &Program, lines: &[Line]) -> Vec<usize> {
    let count = program.operations.len();
    // Per operation: the line that brought it into its register, and the last that read it there.
    let (mut born, mut last) = (vec![None; count], vec![0_usize; count]);
    let mut change = vec![0_isize; lines.len() + 1];
    let mut end = |born: Option<usize>, last: usize| {
        if let Some(born) = born {
            change[born] += 1;
            // The last reader takes its place.
            change[if last > born { last } else { born + 1 }] -= 1;
        }
    };
    for (i, line) in lines.iter().enumerate() {
        read_by(program, line).into_iter().for_each(|a| last[a as usize] = i);
        if let Line::Compute(at) | Line::Load(at) = *line {
            end(born[at as usize], last[at as usize]);
            (born[at as usize], last[at as usize]) = (Some(i), i);
        }
    }
    born.into_iter().zip(last).for_each(|(born, last)| end(born, last));
    let sums = change[..lines.len()].iter().scan(0_isize, |sum, x| {
        *sum += x;
        Some((*sum).max(0) as usize)
    });
    sums.collect()
}

/// The lines with numbers read back earlier, where registers are free for them and not before they were stored.
fn early(program: &Program, lines: &[Line], room: Room) -> Vec<Line> {
    let (most, count) = (room.registers + room.early, program.operations.len());
    let mut held = held_after(program, lines);
    // Where each load goes: before that line.
    let mut before: Vec<Vec<Line>> = vec![Vec::new(); lines.len() + 1];
    let mut moved = vec![false; lines.len()];
    // Per operation: the line behind that which stored it, and behind the last that read it.
    let (mut stored, mut left) = (vec![0_usize; count], vec![0_usize; count]);
    for (i, line) in lines.iter().enumerate() {
        read_by(program, line).into_iter().for_each(|a| left[a as usize] = i + 1);
        match *line {
            Line::Store(at) => stored[at as usize] = i + 1,
            Line::Load(at) => {
                // Not before it is stored, and not while its old name is in use.
                let least = stored[at as usize].max(left[at as usize]).max(i.saturating_sub(room.ahead));
                let mut to = i;
                while to > least && held[to - 1] < most {
                    to -= 1;
                    held[to] += 1;
                }
                moved[i] = to < i;
                if moved[i] {
                    before[to].push(*line);
                }
            }
            _ => {}
        }
    }
    let mut ordered = Vec::with_capacity(lines.len());
    for (i, line) in lines.iter().enumerate() {
        ordered.append(&mut before[i]);
        if !moved[i] {
            ordered.push(*line);
        }
    }
    ordered
}
