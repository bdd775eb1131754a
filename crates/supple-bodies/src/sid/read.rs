//! Reading standard input data.

use super::line::{Lead, Line, Lines, number};
use super::{Sid, SidError, SidNode, SidRule, Structure, Taylor};
use std::collections::HashSet;

/// Most modes that the reader takes.
pub const MODE_LIMIT: usize = 1000;
/// Most nodes that the reader takes.
pub const NODE_LIMIT: usize = 100_000;
/// Most numbers in all blocks together, zeros that are not written included.
pub const NUMBER_LIMIT: usize = 30_000_000;

type Read<T> = Result<T, SidError>;

impl Sid {
    /// Reads a text.
    ///
    /// Case, indentation, CRLF, comment lines (`!`, `#`, `%`, `//`) and exponents with `D` do not matter; entries that are not written
    /// are zero. The first line may be missing. Blocks `Gr`, `Ge`, `Oe`, `ksigma`, `De` and `sigma` may be missing.
    ///
    /// # Errors
    /// [`SidError`] names line, field, value and rule.
    pub fn read(text: &str) -> Result<Self, SidError> {
        Reader { lines: Lines::new(text), announced_nodes: None, modes: None, numbers: 0 }.file()
    }
}

struct Reader<'a> {
    lines: Lines<'a>,
    /// Number of nodes that the first line announces.
    announced_nodes: Option<(usize, usize)>,
    /// Number of modes, as soon as it is known.
    modes: Option<usize>,
    /// Numbers allocated so far.
    numbers: usize,
}

/// Sizes that a block must have.
#[derive(Clone, Copy)]
enum Shape {
    Exact(usize, usize),
    Inertia,
    Column,
}

/// A block while it is read.
#[derive(Default)]
struct Head {
    /// Values of order, nrow, ncol, nq, nqn and structure with their lines.
    values: [Option<(usize, usize)>; 6],
}

const HEAD: [&str; 6] = ["order", "nrow", "ncol", "nq", "nqn", "structure"];

impl<'a> Reader<'a> {
    fn file(mut self) -> Read<Sid> {
        let mut sid = Sid { title: self.header()?, ..Sid::default() };
        self.open(Lead::None, "part", "part")?;
        let modal = self.open(Lead::New, "modal", "part.modal")?;
        sid.name = modal.value.unwrap_or("").to_owned();
        self.modal(&mut sid)?;
        self.open(Lead::End, "part", "part")?;
        if let Some((line, text)) = self.lines.peek() {
            return Err(SidError::new(line, "after end part", text, SidRule::KnownKey));
        }
        Ok(sid)
    }

    /// `nodes modes : text`, if the file does not start with `part` at once.
    fn header(&mut self) -> Read<String> {
        let Some((line, text)) = self.lines.peek() else {
            return Err(SidError::new(self.lines.last, "first line", "", SidRule::Header));
        };
        if text.split_whitespace().next().is_some_and(|w| w.eq_ignore_ascii_case("part")) {
            return Ok(String::new());
        }
        self.lines.skip();
        let (numbers, rest) = text.split_once(':').unwrap_or((text, ""));
        let counts: Vec<usize> = numbers.split_whitespace().map_while(|w| w.parse().ok()).collect();
        let &[nodes, modes, ..] = counts.as_slice() else {
            return Err(SidError::new(line, "first line", text, SidRule::Header));
        };
        self.announced_nodes = Some((nodes, line));
        self.set_modes(modes, line, "first line")?;
        // The usual legend is no part of the free text.
        let title = match rest.split_once(':') {
            Some((legend, title)) if legend.to_lowercase().contains("nodes") => title,
            None if rest.to_lowercase().contains("no. nodes") => "",
            _ => rest,
        };
        Ok(title.trim().to_owned())
    }

    fn set_modes(&mut self, modes: usize, line: usize, field: &str) -> Read<()> {
        let broken = |rule| Err(SidError::new(line, field, &modes.to_string(), rule));
        if modes > MODE_LIMIT {
            return broken(SidRule::Limit);
        }
        match self.modes {
            Some(known) if known != modes => broken(SidRule::Count),
            _ => {
                self.modes = Some(modes);
                Ok(())
            }
        }
    }

    fn modal(&mut self, sid: &mut Sid) -> Read<()> {
        let mut seen = HashSet::new();
        loop {
            let line = self.within("modal")?;
            match line.lead {
                Lead::End => {
                    self.ended(&line, "modal")?;
                    return self.complete(&line, &seen);
                }
                _ if !seen.insert(line.key.clone()) => return Err(broken(&line, &line.key.clone(), SidRule::Once)),
                _ => self.block(&line, sid)?,
            }
        }
    }

    /// Blocks that no body can do without.
    fn complete(&self, end: &Line<'_>, seen: &HashSet<String>) -> Read<()> {
        for name in ["refmod", "frame", "mdCM", "J", "Ct", "Cr", "Me", "Ke"] {
            if !seen.contains(&name.to_lowercase()) {
                return Err(SidError::new(end.number, format!("modal.{name}"), end.text, SidRule::Present));
            }
        }
        Ok(())
    }

    fn block(&mut self, line: &Line<'a>, sid: &mut Sid) -> Read<()> {
        let shape = Shape::Exact;
        if line.key == "refmod" {
            return self.refmod(sid);
        }
        let Some(n) = self.modes else {
            return Err(SidError::new(line.number, "refmod", line.text, SidRule::Present));
        };
        match line.key.as_str() {
            "frame" => sid.nodes = self.frame(n)?,
            "mdcm" => sid.mass_moment = self.taylor("mdCM", "mdCM", shape(3, 1))?,
            "j" => sid.inertia = self.taylor("J", "J", Shape::Inertia)?,
            "ct" => sid.linear_coupling = self.taylor("Ct", "Ct", shape(n, 3))?,
            "cr" => sid.angular_coupling = self.taylor("Cr", "Cr", shape(n, 3))?,
            "me" => sid.modal_mass = self.taylor("Me", "Me", shape(n, n))?,
            "gr" => sid.angular_gyroscopic = Some(self.taylor("Gr", "Gr", shape(3, 3 * n))?),
            "ge" => sid.modal_gyroscopic = Some(self.taylor("Ge", "Ge", shape(n, 3 * n))?),
            "oe" => sid.centrifugal = Some(self.taylor("Oe", "Oe", shape(n, 6))?),
            "ksigma" => sid.rest_force = Some(self.taylor("ksigma", "ksigma", shape(n, 1))?),
            "ke" => sid.stiffness = self.taylor("Ke", "Ke", shape(n, n))?,
            "de" => sid.damping = Some(self.taylor("De", "De", shape(n, n))?),
            _ => return Err(broken(line, "modal", SidRule::KnownKey)),
        }
        Ok(())
    }

    fn refmod(&mut self, sid: &mut Sid) -> Read<()> {
        let mut mass = None;
        let mut announced = None;
        let mut names: Vec<Option<String>> = Vec::new();
        loop {
            let line = self.within("refmod")?;
            match (line.lead, line.key.as_str()) {
                (Lead::End, _) => {
                    self.ended(&line, "refmod")?;
                    let missing = |field: &str| SidError::new(line.number, field, line.text, SidRule::Present);
                    sid.mass = mass.ok_or_else(|| missing("refmod.mass"))?;
                    let count: usize = announced.ok_or_else(|| missing("refmod.nelastq"))?;
                    // Names are optional, but not some of them.
                    let given = names.iter().flatten().count();
                    if given != 0 && (given != count || names.len() != count) {
                        return Err(SidError::new(line.number, "refmod.ielastq", &given.to_string(), SidRule::Count));
                    }
                    names.resize(count, None);
                    sid.modes = names.into_iter().map(Option::unwrap_or_default).collect();
                    return Ok(());
                }
                (Lead::None, "mass") => once(&mut mass, finite(&line, "refmod.mass")?, &line, "refmod.mass")?,
                (Lead::None, "nelastq") => {
                    let count = whole(&line, "refmod.nelastq")?;
                    self.set_modes(count, line.number, "refmod.nelastq")?;
                    once(&mut announced, count, &line, "refmod.nelastq")?;
                }
                (Lead::None, "ielastq") => {
                    let [index] = indices(&line, "refmod.ielastq", [self.modes.unwrap_or(MODE_LIMIT)])?;
                    if names.len() <= index {
                        names.resize(index + 1, None);
                    }
                    let name = value(&line, "refmod.ielastq")?.to_owned();
                    once(&mut names[index], name, &line, "refmod.ielastq")?;
                }
                _ => return Err(broken(&line, "refmod", SidRule::KnownKey)),
            }
        }
    }

    fn frame(&mut self, n: usize) -> Read<Vec<SidNode>> {
        let mut nodes = Vec::new();
        let mut numbers = HashSet::new();
        loop {
            let line = self.within("frame")?;
            match (line.lead, line.key.as_str()) {
                (Lead::End, _) => {
                    self.ended(&line, "frame")?;
                    return match self.announced_nodes {
                        Some((count, at)) if count != nodes.len() => {
                            let given = format!("{count} announced, {} given", nodes.len());
                            Err(SidError::new(at, "first line", &given, SidRule::Count))
                        }
                        _ => Ok(nodes),
                    };
                }
                (Lead::New, "node") => {
                    let number = whole(&line, "frame node")? as u64;
                    if !numbers.insert(number) {
                        return Err(broken(&line, "frame node", SidRule::Once));
                    }
                    if nodes.len() == NODE_LIMIT {
                        return Err(broken(&line, "frame node", SidRule::Limit));
                    }
                    nodes.push(self.node(number, n)?);
                }
                _ => return Err(broken(&line, "frame", SidRule::KnownKey)),
            }
        }
    }

    fn node(&mut self, number: u64, n: usize) -> Read<SidNode> {
        let mut node = SidNode { number, ..SidNode::default() };
        let path = format!("frame node {number}");
        let mut seen = HashSet::new();
        loop {
            let line = self.within(&path)?;
            if line.lead == Lead::End {
                self.ended(&line, "node")?;
                for name in ["origin", "phi", "psi", "AP"] {
                    if !seen.contains(&name.to_lowercase()) {
                        let field = format!("{path}, {name}");
                        return Err(SidError::new(line.number, field, line.text, SidRule::Present));
                    }
                }
                return Ok(node);
            }
            let field = |name: &str| format!("{path}, {name}");
            if !seen.insert(line.key.clone()) {
                return Err(broken(&line, &field(&line.key), SidRule::Once));
            }
            match line.key.as_str() {
                "rframe" => node.frame = value(&line, &field("rframe"))?.to_owned(),
                "origin" => node.origin = self.taylor(&field("origin"), "origin", Shape::Exact(3, 1))?,
                "phi" => node.translation = self.taylor(&field("phi"), "phi", Shape::Exact(3, n))?,
                "psi" => node.rotation = self.taylor(&field("psi"), "psi", Shape::Exact(3, n))?,
                "ap" => node.axes = self.taylor(&field("AP"), "AP", Shape::Exact(3, 3))?,
                "sigma" => node.stress = Some(self.taylor(&field("sigma"), "sigma", Shape::Column)?),
                _ => return Err(broken(&line, &path, SidRule::KnownKey)),
            }
        }
    }

    /// A block of sizes and entries.
    fn taylor(&mut self, path: &str, name: &str, shape: Shape) -> Read<Taylor> {
        let mut head = Head::default();
        let mut matrix: Option<(Taylor, Entries)> = None;
        loop {
            let line = self.within(path)?;
            if line.lead == Lead::End {
                self.ended(&line, name)?;
                let (matrix, entries) = match matrix {
                    Some(m) => m,
                    None => self.empty(&head, path, shape, &line)?,
                };
                return Ok(entries.mirrored(matrix));
            }
            let field = format!("{path}.{}", line.key);
            match line.key.as_str() {
                "m0" | "m1" => {
                    let (m, entries) = match &mut matrix {
                        Some(m) => m,
                        None => matrix.insert(self.empty(&head, path, shape, &line)?),
                    };
                    entries.read(m, &line, &field)?;
                }
                key => {
                    let Some(at) = HEAD.iter().position(|h| *h == key).filter(|_| line.lead == Lead::None) else {
                        return Err(broken(&line, path, SidRule::KnownKey));
                    };
                    if matrix.is_some() {
                        return Err(broken(&line, &field, SidRule::SizesFirst));
                    }
                    let size = whole(&line, &field)?;
                    once(&mut head.values[at], (size, line.number), &line, &field)?;
                }
            }
        }
    }

    /// A block without entries yet; sizes are checked before anything is allocated.
    fn empty(&mut self, head: &Head, path: &str, shape: Shape, line: &Line<'_>) -> Read<(Taylor, Entries)> {
        let get = |at: usize| match head.values[at] {
            Some(x) => Ok(x),
            None => Err(SidError::new(line.number, format!("{path}.{}", HEAD[at]), line.text, SidRule::SizesFirst)),
        };
        let broken = |at: usize, (size, number): (usize, usize), rule| {
            Err(SidError::new(number, format!("{path}.{}", HEAD[at]), &size.to_string(), rule))
        };
        let (order, rows, columns, modes, code) = (get(0)?, get(1)?, get(2)?, get(3)?, get(5)?);
        let higher = head.values[4].unwrap_or((0, line.number));
        if order.0 > 1 {
            return broken(0, order, SidRule::Order);
        }
        let Some(structure) = Structure::from_code(code.0) else { return broken(5, code, SidRule::StructureCode) };
        // A constant may leave its number of modes at zero.
        let n = self.modes.unwrap_or(0);
        if modes.0 != n && (order.0 == 1 || modes.0 != 0) {
            return broken(3, modes, SidRule::Size);
        }
        let expected = match shape {
            Shape::Exact(r, c) => (r, c),
            Shape::Inertia if columns.0 == 1 => (6, 1),
            Shape::Inertia => (3, 3),
            Shape::Column => (rows.0.min(6 * MODE_LIMIT), 1),
        };
        if rows.0 != expected.0 {
            return broken(1, rows, SidRule::Size);
        }
        if columns.0 != expected.1 {
            return broken(2, columns, SidRule::Size);
        }
        let (rows, columns, modes) = (rows.0, columns.0, modes.0);
        let constant = rows * columns;
        let change = if order.0 == 1 { constant * modes } else { 0 };
        // Both fit: rows and columns are at most a few times MODE_LIMIT.
        if self.numbers + constant + change > NUMBER_LIMIT {
            return Err(SidError::new(line.number, path, &format!("{rows} x {columns} x {modes}"), SidRule::Limit));
        }
        self.numbers += constant + change;
        let mut m0 = vec![0.0; constant];
        if structure == Structure::Unit {
            (0..rows.min(columns)).for_each(|i| m0[i * columns + i] = 1.0);
        }
        let matrix =
            Taylor { order: order.0, rows, columns, modes, higher: higher.0, structure, m0, m1: vec![0.0; change] };
        Ok((matrix, Entries::default()))
    }

    /// The next line; the text must not end here.
    fn within(&mut self, path: &str) -> Read<Line<'a>> {
        let last = self.lines.last;
        self.lines.advance().ok_or_else(|| SidError::new(last, path, "end of text", SidRule::Ended))
    }

    /// The `end` line must be that of the block.
    fn ended(&self, line: &Line<'_>, name: &str) -> Read<()> {
        if line.key == name.to_lowercase() { Ok(()) } else { Err(broken(line, name, SidRule::Ended)) }
    }

    /// A line that must open or close a block.
    fn open(&mut self, lead: Lead, key: &str, path: &str) -> Read<Line<'a>> {
        let line = self.within(path)?;
        // `new part` and `part` are the same.
        let opens = line.lead == lead || (lead == Lead::None && line.lead == Lead::New);
        if opens && line.key == key {
            return Ok(line);
        }
        Err(broken(&line, path, if lead == Lead::End { SidRule::Ended } else { SidRule::KnownKey }))
    }
}

/// Which entries of a block are given.
#[derive(Default)]
struct Entries {
    given: HashSet<(bool, usize)>,
}

impl Entries {
    fn read(&mut self, m: &mut Taylor, line: &Line<'_>, field: &str) -> Read<()> {
        let change = line.key == "m1";
        if change && m.order == 0 {
            return Err(broken(line, field, SidRule::Order));
        }
        let (i, k, j) = if change {
            let [i, k, j] = indices(line, field, [m.rows, m.modes, m.columns])?;
            (i, k, j)
        } else {
            let [i, j] = indices(line, field, [m.rows, m.columns])?;
            (i, 0, j)
        };
        let x = finite(line, field)?;
        let allowed = match m.structure {
            Structure::Full | Structure::Symmetric => true,
            Structure::Zero => x == 0.0,
            Structure::Diagonal => i == j || x == 0.0,
            Structure::Unit => x == if i == j && !change { 1.0 } else { 0.0 },
        };
        if !allowed || (m.structure == Structure::Symmetric && m.rows != m.columns) {
            return Err(broken(line, field, SidRule::Fits));
        }
        let place = if change { (i * m.modes + k) * m.columns + j } else { i * m.columns + j };
        if !self.given.insert((change, place)) {
            return Err(broken(line, field, SidRule::Once));
        }
        if change {
            m.m1[place] = x
        } else {
            m.m0[place] = x
        }
        Ok(())
    }

    /// Of a symmetric matrix one triangle may be missing.
    fn mirrored(self, mut m: Taylor) -> Taylor {
        if m.structure != Structure::Symmetric || m.rows != m.columns {
            return m;
        }
        let n = m.columns;
        for &(change, place) in &self.given {
            let (i, k, j) = (place / if change { m.modes * n } else { n }, place / n % m.modes.max(1), place % n);
            let mirror = if change { (j * m.modes + k) * n + i } else { j * n + i };
            if !self.given.contains(&(change, mirror)) {
                if change { m.m1[mirror] = m.m1[place] } else { m.m0[mirror] = m.m0[place] }
            }
        }
        m
    }
}

fn broken(line: &Line<'_>, field: &str, rule: SidRule) -> SidError {
    SidError::new(line.number, field, line.text, rule)
}

fn once<T>(place: &mut Option<T>, x: T, line: &Line<'_>, field: &str) -> Read<()> {
    match place.replace(x) {
        None => Ok(()),
        Some(_) => Err(broken(line, field, SidRule::Once)),
    }
}

fn value<'a>(line: &Line<'a>, field: &str) -> Read<&'a str> {
    line.value.ok_or_else(|| broken(line, field, SidRule::HasValue))
}

fn whole(line: &Line<'_>, field: &str) -> Read<usize> {
    let text = value(line, field)?;
    text.parse().map_err(|_| SidError::new(line.number, field, text, SidRule::WholeNumber))
}

fn finite(line: &Line<'_>, field: &str) -> Read<f64> {
    let text = value(line, field)?;
    match number(text) {
        Some(x) if x.is_finite() => Ok(x),
        _ => Err(SidError::new(line.number, field, text, SidRule::FiniteNumber)),
    }
}

/// Indices of an entry, counted from 0.
fn indices<const N: usize>(line: &Line<'_>, field: &str, sizes: [usize; N]) -> Read<[usize; N]> {
    let text = line.indices.unwrap_or("");
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let Ok(parts) = <[&str; N]>::try_from(parts) else {
        return Err(broken(line, field, SidRule::IndexCount));
    };
    let mut out = [0; N];
    for ((place, part), size) in out.iter_mut().zip(parts).zip(sizes) {
        let index: usize = part.parse().map_err(|_| broken(line, field, SidRule::WholeNumber))?;
        if index == 0 || index > size {
            return Err(broken(line, field, SidRule::IndexRange));
        }
        *place = index - 1;
    }
    Ok(out)
}
