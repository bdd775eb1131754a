//! How the command ended.

/// Exit status of the command: 0 done, 1 invalid input or a run that ended early, 2 not supported or a mistake on the command line, 130 interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub u8);

impl Status {
    /// Done.
    pub const SUCCESS: Self = Self(0);
    /// Invalid input, or a run that ended early.
    pub const FAILURE: Self = Self(1);
}

impl From<u8> for Status {
    fn from(status: u8) -> Self {
        Self(status)
    }
}
