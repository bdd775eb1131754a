//! What is wrong with a text of standard input data, and where.

use std::fmt;

/// A rule that a text breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SidRule {
    /// The first line starts with the numbers of nodes and modes.
    Header,
    /// Only keys of the format, each in its block.
    KnownKey,
    /// Every key and block at most once.
    Once,
    /// Every block that the body needs is there.
    Present,
    /// Every block ends by its own `end`.
    Ended,
    /// A key is followed by `=` and a value.
    HasValue,
    /// A whole number that is not negative.
    WholeNumber,
    /// A finite number.
    FiniteNumber,
    /// The sizes of a block come before its entries.
    SizesFirst,
    /// Sizes as the number of modes demands.
    Size,
    /// Sizes within the limits of the reader.
    Limit,
    /// Order 0 or 1, and `m1` only at order 1.
    Order,
    /// Structure 0 to 4.
    StructureCode,
    /// Entries as the structure allows.
    Fits,
    /// An entry has two indices in `m0` and three in `m1`, a mode name one.
    IndexCount,
    /// Indices from 1 to the size.
    IndexRange,
    /// As many nodes, modes or names as announced.
    Count,
}

impl SidRule {
    /// The rule in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Header => "the first line starts with the numbers of nodes and modes",
            Self::KnownKey => "only keys of the format are allowed here",
            Self::Once => "every key, block and entry is given once",
            Self::Present => "the body needs this block",
            Self::Ended => "every block ends by its own `end`",
            Self::HasValue => "`=` and a value follow the key",
            Self::WholeNumber => "must be a non-negative integer",
            Self::FiniteNumber => "must be a finite number",
            Self::SizesFirst => "order, nrow, ncol, nq and structure come before the entries",
            Self::Size => "the size must fit the number of modes",
            Self::Limit => "the size exceeds the limits of the reader",
            Self::Order => "order is 0 or 1, and m1 is given at order 1 alone",
            Self::StructureCode => "structure is 0 zero, 1 diagonal, 2 symmetric, 3 full or 4 unit",
            Self::Fits => "the entry must agree with the structure of the block",
            Self::IndexCount => "m0 has two indices, m1 three, ielastq one",
            Self::IndexRange => "indices run from 1 to the size",
            Self::Count => "the number must be the one announced",
        }
    }

    /// What to do about it.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Header => "write `nodes modes : text`, or start with `part`",
            Self::KnownKey => "remove the line or correct its spelling; comments start with !, #, % or //",
            Self::Once => "remove one of the two",
            Self::Present => "add the block",
            Self::Ended => "add the missing `end` line or close the inner block first",
            Self::HasValue => "write `key = value`",
            Self::WholeNumber => "write digits only",
            Self::FiniteNumber => "write a number such as -1.5D+00",
            Self::SizesFirst => "move the sizes to the head of the block",
            Self::Size => "correct nrow, ncol, nq or nelastq",
            Self::Limit => "reduce the number of modes or nodes",
            Self::Order => "set order to 1, or leave m1 out",
            Self::StructureCode => "use 3 where in doubt",
            Self::Fits => "set structure to 3, or remove the entry",
            Self::IndexCount => "write m0( row, column) and m1( row, mode, column)",
            Self::IndexRange => "correct the index or the size",
            Self::Count => "correct the number or complete the list",
        }
    }
}

/// Why a text is no standard input data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SidError {
    /// Line, counted from 1; the last line where something is missing at the end.
    pub line: usize,
    /// Where in the tree: `frame node 3, phi.m1`.
    pub field: String,
    /// What stands there, shortened.
    pub value: String,
    /// The rule that is broken.
    pub rule: SidRule,
}

impl SidError {
    pub(super) fn new(line: usize, field: impl Into<String>, value: &str, rule: SidRule) -> Self {
        let mut short: String = value.chars().take(60).collect();
        if short.len() < value.len() {
            short.push('…');
        }
        Self { line, field: field.into(), value: short, rule }
    }
}

impl fmt::Display for SidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, {}: `{}`: {}; {}", self.line, self.field, self.value, self.rule.text(), self.rule.remedy())
    }
}

impl std::error::Error for SidError {}
