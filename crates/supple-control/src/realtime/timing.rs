//! How long cycles take, how late they begin, and what happens where one takes too long.

/// What a controller does where its result comes after the deadline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeadlinePolicy {
    /// Sends the command of the cycle before once more.
    #[default]
    Hold,
    /// Sends nothing in this cycle.
    Skip,
    /// Enters the safe state.
    Stop,
}

/// Parts of a doubling that are told apart.
const PARTS: usize = 32;
const OCTAVES: usize = 40;

/// How often something took how long, within 3 %. Allocates nothing after it is made.
#[derive(Clone, Debug)]
pub struct Histogram {
    counts: Vec<u64>,
    count: u64,
    worst: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: vec![0; PARTS * OCTAVES], count: 0, worst: 0 }
    }
}

impl Histogram {
    /// Something took so many nanoseconds.
    pub fn add(&mut self, nanoseconds: u64) {
        self.counts[place(nanoseconds)] += 1;
        self.count += 1;
        self.worst = self.worst.max(nanoseconds);
    }

    /// How often.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The longest, ns.
    pub fn worst(&self) -> u64 {
        self.worst
    }

    /// What `part` of all do not exceed, ns; zero where there is nothing.
    pub fn percentile(&self, part: f64) -> u64 {
        let wanted = (part * self.count as f64).ceil() as u64;
        let mut sum = 0;
        for (i, count) in self.counts.iter().enumerate() {
            sum += count;
            if sum >= wanted && sum > 0 {
                // The last place has no end.
                return if i + 1 == self.counts.len() { self.worst } else { upper(i).min(self.worst) };
            }
        }
        self.worst
    }
}

/// The place of a time: exact below `PARTS`, then `PARTS` for each doubling.
fn place(nanoseconds: u64) -> usize {
    let parts = PARTS as u64;
    if nanoseconds < parts {
        return nanoseconds as usize;
    }
    let octave = nanoseconds.ilog2() - parts.ilog2();
    let within = (nanoseconds >> octave) - parts;
    ((octave as usize + 1) * PARTS + within as usize).min(PARTS * OCTAVES - 1)
}

/// The longest time of a place.
fn upper(place: usize) -> u64 {
    let (octave, within) = (place / PARTS, (place % PARTS) as u64);
    if octave == 0 { within } else { ((PARTS as u64 + within + 1) << (octave - 1)) - 1 }
}

/// Times of the cycles of one side.
#[derive(Clone, Debug, Default)]
pub struct Timing {
    /// From what is received to what is sent.
    pub steps: Histogram,
    /// How far the distance of two cycles is from the period.
    pub jitter: Histogram,
    /// Cycles that missed their deadline.
    pub overruns: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_keep_their_order_and_size() {
        let mut last = 0;
        for time in (0..200).chain((1..45).flat_map(|k| [(1u64 << k) - 1, 1 << k, (1 << k) + 1])) {
            let mut one = Histogram::default();
            one.add(time);
            assert_eq!((one.percentile(0.5), one.worst(), one.count()), (time, time, 1));
            if time < 1 << 43 {
                assert!(upper(place(time)) >= time && upper(place(time)) as f64 <= 1.04 * time as f64 + 1.0, "{time}");
            }
            if time > last {
                assert!(place(time) >= place(last));
            }
            last = time;
        }
        let mut many = Histogram::default();
        (1..=1000).for_each(|time| many.add(1000 * time));
        for part in [0.01_f64, 0.5, 0.99, 0.9999] {
            let exact = (1e6 * part).max(1000.0);
            assert!((many.percentile(part) as f64 / exact - 1.0).abs() < 0.04, "{part}");
        }
        assert_eq!(Histogram::default().percentile(0.99), 0);
    }
}
