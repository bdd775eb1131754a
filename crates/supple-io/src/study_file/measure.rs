//! Numbers that are taken from the rows of a run.

/// A number to extract from each run.
#[derive(Clone, Debug, PartialEq)]
pub struct Extract {
    /// How results call it.
    pub name: String,
    /// The column of the results.
    pub column: String,
    /// What is made of the column.
    pub measure: Measure,
    /// Rows from this time on count, s.
    pub from: Option<f64>,
    /// Rows up to this time count, s.
    pub to: Option<f64>,
    /// Whether small numbers are the worst ones.
    pub least_is_worst: bool,
}

/// What is made of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// First value.
    First,
    /// Last value.
    Last,
    /// Least value.
    Min,
    /// Greatest value.
    Max,
    /// Greatest magnitude.
    MaxAbs,
    /// Mean of the rows.
    Mean,
    /// Root of the mean square of the rows.
    Rms,
    /// Greatest less least value.
    PeakToPeak,
    /// Half of that: the residual vibration after a move, where `from` is its end.
    Amplitude,
    /// Integral over time by trapezia.
    Integral,
    /// Time of the greatest value.
    TimeOfMax,
    /// Time of the least value.
    TimeOfMin,
    /// Value at a time, between rows on a straight line.
    At {
        /// The time, s.
        time: f64,
    },
    /// Time from which on the column stays near its target, counted from the first row.
    SettlingTime {
        /// How near.
        band: f64,
        /// The target; the last value where there is none.
        target: Option<f64>,
    },
}

impl Measure {
    /// The word of the file.
    pub fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Last => "last",
            Self::Min => "min",
            Self::Max => "max",
            Self::MaxAbs => "max-abs",
            Self::Mean => "mean",
            Self::Rms => "rms",
            Self::PeakToPeak => "peak-to-peak",
            Self::Amplitude => "amplitude",
            Self::Integral => "integral",
            Self::TimeOfMax => "time-of-max",
            Self::TimeOfMin => "time-of-min",
            Self::At { .. } => "at",
            Self::SettlingTime { .. } => "settling-time",
        }
    }

    /// The unit of the number, of a column with this unit.
    pub fn unit(self, column: &str) -> String {
        match self {
            Self::TimeOfMax | Self::TimeOfMin | Self::SettlingTime { .. } => "s".into(),
            Self::Integral if column == "1" => "s".into(),
            Self::Integral => format!("{column} s"),
            _ => column.into(),
        }
    }
}
