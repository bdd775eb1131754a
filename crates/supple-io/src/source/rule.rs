//! The rules that users' files must keep.

use super::folder::PathFault;
use super::number::NumberFault;
use crate::mesh::MeshError;

/// A broken rule, with the values that break it. Its message is in `message.rs`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Rule {
    /// The file gave no content, for a reason that is not listed.
    Unreadable,
    /// The file is longer than any sensible one.
    TooLarge {
        /// Its length.
        bytes: usize,
        /// Longest file that is read.
        limit: usize,
    },
    /// The bytes are not UTF-8.
    NotUtf8 {
        /// Position of the first bad byte, from zero.
        offset: usize,
    },
    /// There is nothing but white space.
    Empty,
    /// The text is not TOML, XML or CSV.
    Syntax {
        /// The language.
        language: &'static str,
        /// What the parser met.
        message: String,
    },
    /// A file of another format.
    Format {
        /// The format it names.
        found: String,
        /// The format that is read.
        expected: &'static str,
    },
    /// A key that the format does not know.
    UnknownKey {
        /// The key.
        key: String,
        /// The keys it knows here.
        known: Vec<&'static str>,
        /// Sibling tables that know it.
        tables: Vec<&'static str>,
    },
    /// A body that does not say on which of its parent's nodes it hangs.
    MissingNode {
        /// The parent.
        parent: String,
        /// Names of its nodes.
        known: Vec<String>,
    },
    /// A key that must be there is not.
    MissingKey {
        /// The key.
        key: &'static str,
        /// What it means.
        meaning: &'static str,
    },
    /// Of some keys, exactly one must be there.
    OneOf {
        /// The keys.
        keys: Vec<&'static str>,
        /// Those that are there.
        found: Vec<&'static str>,
    },
    /// Keys that exclude each other.
    Together {
        /// The keys.
        keys: Vec<&'static str>,
    },
    /// A value of another type was expected.
    Type {
        /// The type that belongs here.
        expected: String,
        /// The text found, shortened.
        found: String,
    },
    /// A word that the format does not know.
    UnknownWord {
        /// The word.
        word: String,
        /// The words it knows here.
        known: Vec<&'static str>,
    },
    /// A number that cannot be used.
    Number {
        /// The key or attribute.
        quantity: String,
        /// The text found, shortened.
        text: String,
        /// What is wrong with it.
        fault: NumberFault,
    },
    /// A number out of its range.
    Range {
        /// The key or attribute.
        quantity: String,
        /// The number.
        value: f64,
        /// The numbers that are accepted.
        expected: String,
    },
    /// A list of the wrong length.
    Length {
        /// The key or attribute.
        quantity: String,
        /// Its length.
        found: usize,
        /// The right length.
        expected: usize,
        /// What there must be one entry for.
        one_per: &'static str,
    },
    /// More of something than is accepted.
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many.
        found: usize,
        /// How many are accepted.
        limit: usize,
    },
    /// A name that nothing has.
    UnknownName {
        /// What is named: "body", "node", "hinge", "link".
        kind: &'static str,
        /// The name.
        name: String,
        /// Names that there are.
        known: Vec<String>,
    },
    /// A name that two things have.
    DuplicateName {
        /// What is named.
        kind: &'static str,
        /// The name.
        name: String,
        /// Line of the first.
        first_line: usize,
    },
    /// A name without characters.
    EmptyName {
        /// What should be named.
        kind: &'static str,
    },
    /// Things that carry each other in a circle.
    Cycle {
        /// What they are: "bodies", "links", "mimic joints".
        kind: &'static str,
        /// Their names.
        names: Vec<String>,
    },
    /// A quaternion that is not of unit length.
    NotUnit {
        /// Its length.
        norm: f64,
    },
    /// Something that has no meaning where it stands.
    Useless {
        /// The key, element or attribute.
        key: String,
        /// Why it has none.
        because: String,
    },
    /// Values that do not fit each other.
    Mismatch {
        /// What is wrong.
        what: String,
        /// What would be right.
        expected: String,
    },
    /// A hinge starts beyond one of its stops.
    BeyondStop {
        /// Which, where and how far.
        what: String,
        /// What to do about it.
        remedy: String,
    },
    /// The file that the user names cannot be opened.
    Open {
        /// Why.
        fault: PathFault,
    },
    /// A file that this file names is not opened.
    Path {
        /// The name, shortened.
        name: String,
        /// Why.
        fault: PathFault,
    },
    /// A mesh that this file names is not read.
    Mesh(MeshError),
    /// Numbers that make no motion or signal.
    Profile(supple_control::ProfileError),
    /// A folder that this file names is no place for results.
    ResultsFolder {
        /// The name, shortened.
        name: String,
        /// Why.
        fault: PathFault,
    },
    /// A text is no standard input data.
    StandardInputData(supple_bodies::sid::SidError),
    /// Standard input data make no body.
    StandardInputBody(supple_bodies::sid::SidBodyError),
    /// The engine refuses the system.
    Model(supple::Problem),
    /// A document type or entity declaration.
    DocumentType,
    /// Elements nested too deep.
    TooDeep {
        /// Greatest depth that is read.
        limit: usize,
    },
    /// An element that the format does not know.
    UnknownElement {
        /// Its name.
        element: String,
        /// The element it stands in.
        parent: String,
        /// The elements known there.
        known: &'static [&'static str],
    },
    /// An attribute that the format does not know.
    UnknownAttribute {
        /// Its name.
        attribute: String,
        /// Its element.
        element: String,
        /// The attributes known there.
        known: &'static [&'static str],
    },
    /// An element that may stand once stands twice.
    RepeatedElement {
        /// Its name.
        element: String,
    },
    /// An element that must be there is not.
    MissingElement {
        /// Its name.
        element: &'static str,
        /// Why it is needed.
        because: &'static str,
    },
    /// An attribute that must be there is not.
    MissingAttribute {
        /// Its name.
        attribute: &'static str,
        /// Its element.
        element: String,
    },
    /// A mass that is not positive on a link that moves.
    Mass {
        /// The value.
        mass: f64,
    },
    /// A link that moves has no inertia.
    NoInertia,
    /// A principal moment about the mass centre is negative.
    NegativeMoment {
        /// The least principal moment.
        moment: f64,
    },
    /// Principal moments break the triangle rule.
    Triangle {
        /// Principal moments, greatest last.
        moments: [f64; 3],
    },
    /// An axis of length zero.
    ZeroAxis,
    /// A joint between a link and itself.
    SelfLoop {
        /// The link.
        link: String,
    },
    /// A link that two joints carry.
    TwoParents {
        /// The link.
        link: String,
        /// The joint that carries it first.
        first: String,
    },
    /// More than one link is free of a parent.
    SeveralRoots {
        /// Their names.
        roots: Vec<String>,
    },
}

impl Rule {
    /// Whether its message may have numbers with units in it.
    pub(super) fn has_numbers(&self) -> bool {
        match self {
            Self::Mismatch { what, .. } | Self::BeyondStop { what, .. } => what.contains(|c: char| c.is_ascii_digit()),
            Self::Range { .. } | Self::Model(_) | Self::Profile(_) => true,
            _ => false,
        }
    }
}
