//! Rigid trees as text, the format in which models are given to other engines too.
//!
//! First a line `NAME COUNT`, then a line per body: parent (−1 for the ground), kind of joint (`RX RY RZ PX PY PZ FF ZYX`), rotation of
//! the joint in the parent (nine numbers by rows, parent from child), its position, mass, mass centre, inertia about the mass
//! centre `xx xy yy xz yz zz`, number of spring stiffnesses and these. Stiffnesses are read and left out: no force acts in a hinge
//! here. `ZYX`, three angles elsewhere, is a spherical hinge: as many speeds.

use super::rigid::inertia_at_frame;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use supple::{Body, BodyIndex, Hinge, HingeKind, NodeIndex, Parent, System};

/// A tree with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Name.
    pub name: String,
    /// The system, in gravity along -z.
    pub system: System,
}

/// What is wrong with a file.
#[derive(Debug)]
pub enum TreeError {
    /// It cannot be read.
    Unreadable(std::io::Error),
    /// The file ends before everything is told.
    Short {
        /// Bodies announced.
        announced: usize,
        /// Bodies found.
        found: usize,
    },
    /// A line does not obey the format.
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong, and what would be right.
        problem: String,
    },
}

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "cannot be read: {error}"),
            Self::Short { announced, found } => {
                write!(f, "announces {announced} bodies and has {found}: a line per body is expected")
            }
            Self::Line { line, problem } => write!(f, "line {line}: {problem}"),
        }
    }
}

/// Files of a folder in the order of its `order.txt`, or by name without one; a file stands for itself.
pub fn files(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let file = |name: &str| path.join(format!("{name}.tree"));
    if let Ok(order) = std::fs::read_to_string(path.join("order.txt")) {
        return Ok(order.split_whitespace().map(file).collect());
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "tree") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads a file.
pub fn read(path: &Path) -> Result<Tree, TreeError> {
    parse(&std::fs::read_to_string(path).map_err(TreeError::Unreadable)?)
}

/// Reads the text of a file.
fn parse(text: &str) -> Result<Tree, TreeError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (at, head) = lines.next().unwrap_or((0, ""));
    let at_line = |at: usize| move |problem: String| TreeError::Line { line: at + 1, problem };
    let (name, announced) = head_line(head).map_err(at_line(at))?;
    let mut bodies = Vec::new();
    for (at, line) in lines {
        let k = bodies.len();
        if k == announced {
            return Err(at_line(at)(format!("a body more than the {announced} that the first line announces")));
        }
        bodies.push(Words(line.split_whitespace()).body(k).map_err(at_line(at))?);
    }
    if bodies.len() < announced {
        return Err(TreeError::Short { announced, found: bodies.len() });
    }
    Ok(Tree { name, system: System { gravity: [0.0, 0.0, -9.81], bodies, ..System::default() } })
}

fn head_line(line: &str) -> Result<(String, usize), String> {
    let mut words = Words(line.split_whitespace());
    let name = words.next("the name of the tree")?.to_owned();
    let count = words.parse("the number of bodies")?;
    words.end()?;
    Ok((name, count))
}

/// The words of a line.
struct Words<'a>(std::str::SplitWhitespace<'a>);

impl<'a> Words<'a> {
    fn next(&mut self, what: &str) -> Result<&'a str, String> {
        self.0.next().ok_or_else(|| format!("{what} is missing"))
    }

    fn parse<X: FromStr>(&mut self, what: &str) -> Result<X, String> {
        let word = self.next(what)?;
        word.parse().map_err(|_| format!("`{word}` is not {what}"))
    }

    fn number(&mut self, what: &str) -> Result<f64, String> {
        let value: f64 = self.parse(what)?;
        if value.is_finite() { Ok(value) } else { Err(format!("{what} is {value}, not a finite number")) }
    }

    fn numbers<const N: usize>(&mut self, what: &str) -> Result<[f64; N], String> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.number(what)?;
        }
        Ok(values)
    }

    fn end(mut self) -> Result<(), String> {
        self.0.next().map_or(Ok(()), |word| Err(format!("`{word}` is one word too many")))
    }

    /// Body `k` of the tree.
    fn body(mut self, k: usize) -> Result<Body, String> {
        let parent = match self.parse::<i64>("the number of the parent, -1 for the ground")? {
            -1 => Parent::Ground,
            p => match usize::try_from(p) {
                Ok(p) if p < k => Parent::Body(BodyIndex(p), NodeIndex(0)),
                _ => return Err(format!("parent {p} is not an earlier body; write -1 to {}", k as i64 - 1)),
            },
        };
        let kind = hinge_kind(self.next("the kind of joint")?)?;
        let [a, b, c, d, e, f, g, h, i] = self.numbers::<9>("an entry of the rotation")?;
        let position = self.numbers::<3>("a coordinate of the joint")?;
        let mass = self.number("the mass")?;
        let centre = self.numbers::<3>("a coordinate of the mass centre")?;
        let [xx, xy, yy, xz, yz, zz] = self.numbers::<6>("an entry of the inertia")?;
        let springs: usize = self.parse("the number of stiffnesses")?;
        for _ in 0..springs {
            self.number("a stiffness")?;
        }
        self.end()?;
        let hinge = Hinge::new(kind).at(position).turned([[a, b, c], [d, e, f], [g, h, i]]);
        let inertia = inertia_at_frame(mass, centre, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
        Ok(Body::rigid(format!("body {k}"), parent, hinge, mass, centre, inertia))
    }
}

fn hinge_kind(word: &str) -> Result<HingeKind, String> {
    let axis = |i: usize| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 });
    Ok(match word {
        "RX" => HingeKind::Revolute { axis: axis(0) },
        "RY" => HingeKind::Revolute { axis: axis(1) },
        "RZ" => HingeKind::Revolute { axis: axis(2) },
        "PX" => HingeKind::Prismatic { axis: axis(0) },
        "PY" => HingeKind::Prismatic { axis: axis(1) },
        "PZ" => HingeKind::Prismatic { axis: axis(2) },
        "FF" => HingeKind::Free,
        "ZYX" => HingeKind::Spherical,
        _ => return Err(format!("`{word}` is not a kind of joint; write RX, RY, RZ, PX, PY, PZ, FF or ZYX")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::Model;

    const UNIT: &str = "1 0 0 0 1 0 0 0 1";

    fn two_bodies() -> String {
        format!(
            "pair 2\n-1 FF {UNIT} 0 0 0 2 0 0 0 1 0 1 0 0 1 0\n0 ZYX {UNIT} 1 2 3 1.5 0.1 0 0 1 0 1 0 0 1 3 5 6 7\n"
        )
    }

    #[test]
    fn a_tree_is_read() {
        let tree = parse(&two_bodies()).unwrap();
        assert_eq!(tree.name, "pair");
        let model = Model::build(&tree.system).unwrap();
        assert_eq!((model.body_count(), model.speed_count(), model.coordinate_count()), (2, 9, 11));
        let second = &tree.system.bodies[1];
        assert_eq!((second.hinge.position, second.nodes[0].mass), ([1.0, 2.0, 3.0], 1.5));
        assert!((second.nodes[0].inertia[1][1] - 1.015).abs() < 1e-15);
        assert_eq!(second.nodes[0].inertia[0][0], 1.0);
    }

    #[test]
    fn mistakes_name_their_line() {
        let good = two_bodies();
        for (text, says) in [
            (String::new(), "line 1: the name of the tree is missing"),
            ("pair".into(), "line 1: the number of bodies is missing"),
            ("pair -1".into(), "line 1: `-1` is not the number of bodies"),
            ("pair 99999999999999999999".into(), "is not the number of bodies"),
            ("pair 1000000000".into(), "announces 1000000000 bodies and has 0"),
            (good.replace("pair 2", "pair 1"), "line 3: a body more than the 1"),
            (good.replace("0 ZYX", "1 ZYX"), "line 3: parent 1 is not an earlier body"),
            (good.replace("0 ZYX", "-2 ZYX"), "line 3: parent -2 is not"),
            (good.replace("FF", "XX"), "line 2: `XX` is not a kind of joint"),
            (good.replace("1.5", "nan"), "line 3: the mass is NaN"),
            (good.replace("1.5", "heavy"), "line 3: `heavy` is not the mass"),
            (good.replace("3 5 6 7", "3 5 6"), "line 3: a stiffness is missing"),
            (good.replace("3 5 6 7", "3 5 6 7 8"), "line 3: `8` is one word too many"),
        ] {
            let error = parse(&text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
