//! Sets of runs, by their numbers.

use std::ops::Range;

/// Numbers of runs, as ranges that do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunSet(Vec<Range<u64>>);

impl RunSet {
    /// How many runs.
    pub fn len(&self) -> u64 {
        self.0.iter().map(|range| range.end - range.start).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a run is among them.
    pub fn contains(&self, run: u64) -> bool {
        let after = self.0.partition_point(|range| range.start <= run);
        after.checked_sub(1).is_some_and(|i| self.0[i].contains(&run))
    }

    /// The runs of a range that are not among them.
    pub fn missing(&self, of: Range<u64>) -> Self {
        let mut missing = Vec::new();
        let mut from = of.start;
        for range in self.0.iter().filter(|range| range.end > of.start && range.start < of.end) {
            missing.push(from..range.start.max(from));
            from = range.end;
        }
        missing.push(from..of.end);
        missing.into_iter().filter(|range| range.start < range.end).collect()
    }

    /// The ranges, in ascending order.
    pub fn into_ranges(self) -> Vec<Range<u64>> {
        self.0
    }

    /// The ranges, in ascending order.
    pub fn ranges(&self) -> &[Range<u64>] {
        &self.0
    }
}

impl FromIterator<Range<u64>> for RunSet {
    fn from_iter<I: IntoIterator<Item = Range<u64>>>(ranges: I) -> Self {
        let mut all: Vec<Range<u64>> = ranges.into_iter().collect();
        all.sort_by_key(|range| range.start);
        let mut joined: Vec<Range<u64>> = Vec::new();
        for range in all {
            match joined.last_mut().filter(|last| range.start <= last.end) {
                Some(last) => last.end = last.end.max(range.end),
                None => joined.push(range),
            }
        }
        Self(joined)
    }
}

impl FromIterator<u64> for RunSet {
    fn from_iter<I: IntoIterator<Item = u64>>(runs: I) -> Self {
        runs.into_iter().map(|run| run..run + 1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_found() {
        let done: RunSet = [7, 3, 4, 5, 9, 3].into_iter().collect();
        assert_eq!(done.ranges(), [3..6, 7..8, 9..10]);
        assert_eq!((done.len(), done.contains(5), done.contains(6), done.contains(0)), (5, true, false, false));
        assert_eq!(done.missing(0..12).ranges(), [0..3, 6..7, 8..9, 10..12]);
        assert_eq!(done.missing(4..8).ranges(), std::slice::from_ref(&(6..7)));
        assert!(done.missing(3..6).is_empty());
        assert_eq!(RunSet::default().missing(2..4).len(), 2);
    }
}
