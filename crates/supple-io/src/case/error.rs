//! What can be wrong with the text of a case.

use std::fmt;

/// Why a text is not a case that can be used.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReadError {
    /// The text is longer than any sensible case.
    TooLarge {
        /// Length of the text.
        bytes: usize,
        /// Longest text that is read.
        limit: usize,
    },
    /// The bytes are not UTF-8.
    NotUtf8 {
        /// Position of the first bad byte, from zero.
        offset: usize,
    },
    /// There is nothing but white space.
    Empty,
    /// The text starts with a byte order mark.
    ByteOrderMark,
    /// The text is not JSON.
    Syntax {
        /// Where the reader stood.
        place: Place,
        /// What it met.
        message: String,
    },
    /// The text follows another schema.
    Schema {
        /// The schema it names.
        found: String,
    },
    /// A case of a kind that this version cannot evaluate.
    Unsupported {
        /// The kind.
        kind: String,
    },
    /// The text is JSON, but not a sound case.
    Invalid {
        /// What is wrong, in the order of the checks; never empty.
        problems: Vec<Problem>,
        /// How many further problems are not listed.
        omitted: usize,
    },
}

/// A place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Members and indices that lead there, such as `model.bodies[2].nodes[0].Pi`.
    pub path: String,
    /// Line, from one.
    pub line: usize,
    /// Column, from one, in bytes.
    pub column: usize,
}

/// One broken rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// Which rule, with the numbers.
    pub rule: Rule,
}

/// The rules a case must keep beyond JSON syntax.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Rule {
    /// A value of another type was expected.
    Type {
        /// The type that belongs here.
        expected: &'static str,
        /// The text found, shortened.
        found: String,
    },
    /// A member that the schema does not know.
    UnknownMember {
        /// Its name.
        member: String,
        /// The names the schema knows.
        known: &'static [&'static str],
    },
    /// A member that must be there is not.
    MissingMember {
        /// Its name.
        member: &'static str,
    },
    /// The same member twice in one object.
    RepeatedMember {
        /// Its name.
        member: String,
    },
    /// A member that has no meaning next to the others.
    UselessMember {
        /// Its name.
        member: &'static str,
        /// Why it has none.
        because: &'static str,
    },
    /// A word that the schema does not know.
    UnknownWord {
        /// The word.
        found: String,
        /// The words the schema knows.
        known: &'static [&'static str],
    },
    /// A number beyond the range of double precision.
    Overflow {
        /// The number as written, shortened.
        found: String,
    },
    /// A number so small that double precision turns it into zero.
    Underflow {
        /// The number as written, shortened.
        found: String,
    },
    /// A number written with more characters than any double needs.
    LongNumber {
        /// Characters.
        length: usize,
        /// Most characters that are read.
        limit: usize,
    },
    /// A list of the wrong length.
    Length {
        /// Its length.
        found: usize,
        /// The right length.
        expected: usize,
        /// What there must be one entry for.
        one_per: &'static str,
    },
    /// A count above the limit.
    TooMany {
        /// The count.
        found: i64,
        /// The limit.
        limit: usize,
        /// What is counted.
        what: &'static str,
    },
    /// An index that points nowhere.
    Index {
        /// The index.
        found: i64,
        /// Lowest index that is allowed.
        lowest: i64,
        /// One more than the highest.
        end: usize,
        /// What is indexed.
        what: &'static str,
    },
    /// The same entry twice in a list.
    RepeatedEntry {
        /// What is listed.
        what: &'static str,
        /// Index of the first of the two.
        first: usize,
    },
    /// A number outside its range.
    Range {
        /// The number.
        found: f64,
        /// The rule.
        rule: &'static str,
    },
    /// Bodies that carry each other in a circle.
    ParentCycle {
        /// The bodies, each the parent of the one before it.
        bodies: Vec<usize>,
    },
    /// A direction of length zero.
    ZeroAxis,
    /// A matrix that is no rotation.
    NotRotation {
        /// Largest entry of `|R* R - 1|`.
        deviation: f64,
        /// Determinant.
        determinant: f64,
    },
    /// A quaternion that is not of unit length.
    NotUnit {
        /// Its length.
        norm: f64,
    },
    /// A matrix or tensor that must be symmetric is not.
    NotSymmetric {
        /// Indices of an entry that differs from one of its mirror images.
        entry: Vec<usize>,
        /// Largest difference between the two.
        difference: f64,
    },
    /// A node whose elastic attitude is a state has none.
    MissingAttitude {
        /// The body.
        body: usize,
        /// The node.
        node: usize,
    },
    /// An attitude for a node that needs none.
    UselessAttitude {
        /// Why it needs none.
        because: &'static str,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "case" } else { &self.path };
        write!(f, "{path} (line {}, column {})", self.line, self.column)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.rule)
    }
}

impl ReadError {
    /// What to do about it. For [`Invalid`](Self::Invalid) every problem has its own.
    pub fn remedy(&self) -> Option<String> {
        let text = match self {
            Self::TooLarge { .. } => "split the system or shorten the file",
            Self::NotUtf8 { .. } => "save the file as UTF-8",
            Self::Empty => "write one JSON object",
            Self::ByteOrderMark => "save the file as UTF-8 without it",
            Self::Schema { .. } => return Some(format!("this version reads `{}`", super::schema::SCHEMA)),
            Self::Unsupported { .. } => "this version evaluates the kinds `tree`, `closed` and `trajectory`",
            Self::Syntax { .. } | Self::Invalid { .. } => return None,
        };
        Some(text.to_owned())
    }

    /// What is wrong, without the remedy.
    fn write_what(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { bytes, limit } => write!(f, "the case has {bytes} bytes or more, the limit is {limit}"),
            Self::NotUtf8 { offset } => write!(f, "byte {offset} is not UTF-8"),
            Self::Empty => write!(f, "the case is empty"),
            Self::ByteOrderMark => write!(f, "the text starts with a byte order mark"),
            Self::Syntax { place, message } => write!(f, "{place}: not JSON: {message}"),
            Self::Schema { found } => write!(f, "schema: unknown schema `{found}`"),
            Self::Unsupported { kind } => write!(f, "kind: cases of kind `{kind}` are not supported"),
            Self::Invalid { problems, omitted } => {
                for (i, problem) in problems.iter().enumerate() {
                    if i > 0 {
                        writeln!(f)?;
                    }
                    write!(f, "{problem}")?;
                }
                if *omitted > 0 {
                    write!(f, "\nand {omitted} more")?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_what(f)?;
        self.remedy().map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}

impl std::error::Error for ReadError {}
