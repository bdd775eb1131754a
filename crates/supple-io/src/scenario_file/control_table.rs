//! The tables of sampled blocks.

/// Which table a block stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlTable {
    /// `[[sensor]]`.
    Sensor,
    /// `[[shaper]]`.
    Shaper,
    /// `[[observer]]`.
    Observer,
    /// `[[controller]]`.
    Controller,
}

impl ControlTable {
    /// Its key, which starts the names of its columns.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sensor => "sensor",
            Self::Shaper => "shaper",
            Self::Observer => "observer",
            Self::Controller => "controller",
        }
    }
}
