//! Ranges of runs on the command line.

use std::ops::Range;

/// Runs from one number up to another, which is not among them; none where there is no bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    from: Option<u64>,
    to: Option<u64>,
}

impl Runs {
    /// The same of a study with so many runs.
    pub fn of(self, all: u64) -> Result<Range<u64>, String> {
        let (from, to) = (self.from.unwrap_or(0), self.to.unwrap_or(all));
        if from < to && to <= all {
            return Ok(from..to);
        }
        Err(format!("{from}:{to} is not a range of the {all} runs of the study; write A:B with 0 <= A < B <= {all}"))
    }
}

/// Reads `A:B`.
pub fn parse(text: &str) -> Result<Runs, String> {
    let bound = |text: &str| match text.trim() {
        "" => Ok(None),
        number => number.parse().map(Some).map_err(|_| format!("`{number}` is not the number of a run")),
    };
    let (from, to) = text.split_once(':').ok_or("write A:B, such as 1000:2000, :500 or 500:")?;
    Ok(Runs { from: bound(from)?, to: bound(to)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert_eq!(parse("10:20").unwrap().of(100), Ok(10..20));
        assert_eq!(parse(":20").unwrap().of(100), Ok(0..20));
        assert_eq!(parse("10:").unwrap().of(100), Ok(10..100));
        assert_eq!(Runs::default().of(7), Ok(0..7));
        assert!(parse("10").is_err() && parse("a:b").is_err() && parse("-1:2").is_err());
        for (text, all) in [("20:10", 100), ("0:101", 100), ("5:5", 100)] {
            assert!(parse(text).unwrap().of(all).unwrap_err().contains("write A:B"), "{text}");
        }
    }
}
