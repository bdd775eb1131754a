//! What a document may hold.

/// A bound of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// Any finite number.
    Any,
    /// Above zero.
    Positive,
    /// Zero or above.
    NotNegative,
}

impl Bound {
    pub(crate) fn holds(self, value: f64) -> bool {
        match self {
            Self::Any => true,
            Self::Positive => value > 0.0,
            Self::NotNegative => value >= 0.0,
        }
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Any => "a number",
            Self::Positive => "a number above zero",
            Self::NotNegative => "a number not below zero",
        }
    }
}

/// What a value may be.
#[derive(Debug)]
pub(crate) enum Shape {
    /// A finite number.
    Number(Bound),
    /// A whole number from zero to the limit.
    Whole(usize),
    /// `true` or `false`.
    Flag,
    /// A string that is not empty.
    Text,
    /// One of some words, each with its meaning.
    Word(&'static [(&'static str, &'static str)]),
    /// A list of one kind of thing, of a given length or of any up to the limit of lists.
    List {
        /// Each entry.
        of: &'static Shape,
        /// The length, and what there is one entry for.
        length: Option<(usize, &'static str)>,
    },
    /// A table with known keys.
    Table(&'static TableShape),
    /// A table whose keys are found out when they are first asked for.
    Made(fn() -> &'static TableShape),
    /// A table whose keys are names that the user gives.
    Map(&'static Shape),
    /// Different kinds of value, distinguished by their type.
    Choice(&'static [&'static Shape]),
}

/// A table with known keys.
#[derive(Debug)]
pub(crate) struct TableShape {
    /// Name of the definition in the schema.
    pub(crate) name: &'static str,
    /// What the table is.
    pub(crate) doc: &'static str,
    /// Its keys.
    pub(crate) keys: &'static [Key],
    /// Groups of keys of which exactly one must be there.
    pub(crate) one_of: &'static [&'static [&'static str]],
    /// Groups of keys of which at most one may be there.
    pub(crate) at_most_one: &'static [&'static [&'static str]],
}

/// A key of a table.
#[derive(Debug)]
pub(crate) struct Key {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it means.
    pub(crate) doc: &'static str,
    /// What its value may be.
    pub(crate) shape: &'static Shape,
    /// Whether it must be there.
    pub(crate) required: bool,
    /// Unit of its numbers.
    pub(crate) unit: Unit,
}

/// The unit of the numbers of a key. Files may have other angles and lengths, [`units`](super::units).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A pure number, or a unit without angles and lengths.
    Plain,
    /// A unit; "rad or m" is that of a hinge that turns, then that of one that slides.
    Of(&'static str),
    /// That of the key whose table it is in.
    Inherited,
    /// Of damping among force elements: of stops s/rad or s/m, of all others N m s/rad or N s/m.
    ForceDamping,
    /// That of the quantity that an event watches.
    Quantity,
    /// What two coordinates are related by: the unit of the first per that of the second.
    Ratio,
    /// Of a 6 × 6 stiffness of a section: N, N m and N m².
    Section,
    /// Always SI: signals of control, tolerances of both angles and lengths.
    Si,
    /// Tables of modes, whose units depend on their normalisation; refused in files with other units.
    Modal,
}

impl Key {
    /// The same with a unit.
    pub(crate) const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = Unit::Of(unit);
        self
    }

    /// The same with a unit of another kind.
    pub(crate) const fn with(mut self, unit: Unit) -> Self {
        self.unit = unit;
        self
    }
}

/// A key that may be absent.
pub(crate) const fn key(name: &'static str, shape: &'static Shape, doc: &'static str) -> Key {
    Key { name, doc, shape, required: false, unit: Unit::Plain }
}

/// A key that must be there.
pub(crate) const fn need(name: &'static str, shape: &'static Shape, doc: &'static str) -> Key {
    Key { name, doc, shape, required: true, unit: Unit::Plain }
}

/// A table without rules about groups of keys.
pub(crate) const fn table(name: &'static str, doc: &'static str, keys: &'static [Key]) -> TableShape {
    TableShape { name, doc, keys, one_of: &[], at_most_one: &[] }
}

/// Any number.
pub(crate) static NUMBER: Shape = Shape::Number(Bound::Any);
/// A number above zero.
pub(crate) static POSITIVE: Shape = Shape::Number(Bound::Positive);
/// A number not below zero.
pub(crate) static NOT_NEGATIVE: Shape = Shape::Number(Bound::NotNegative);
/// A string.
pub(crate) static TEXT: Shape = Shape::Text;
/// True or false.
pub(crate) static FLAG: Shape = Shape::Flag;
/// A vector in space.
pub(crate) static VECTOR: Shape = Shape::List { of: &NUMBER, length: Some((3, "axis")) };
/// A list of numbers.
pub(crate) static NUMBERS: Shape = Shape::List { of: &NUMBER, length: None };
/// A 3 × 3 matrix by rows.
pub(crate) static MATRIX3: Shape = Shape::List { of: &VECTOR, length: Some((3, "row")) };
/// A matrix by rows.
pub(crate) static ROWS: Shape = Shape::List { of: &NUMBERS, length: None };
/// One number for all, or a list of them.
pub(crate) static NUMBER_OR_NUMBERS: Shape = Shape::Choice(&[&NUMBER, &NUMBERS]);
/// As above, none below zero.
pub(crate) static NOT_NEGATIVE_OR_LIST: Shape =
    Shape::Choice(&[&NOT_NEGATIVE, &Shape::List { of: &NOT_NEGATIVE, length: None }]);
