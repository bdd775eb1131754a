//! What is rounding in a curve: numbers far below the size that their unit has in this system and run, as pages have it.

use std::collections::HashMap;

use supple_io::results::plot::Series;

use crate::recording::Recording;

/// Parts of the size of a quantity below which a number is rounding.
const ROUNDING: f64 = 1e-10;

/// The same of a size that follows from a time: forces and rates of slow runs are no measure of those of short ones, and that time is at least this, s.
const BY_TIME: f64 = 1e-12;
const SHORTEST: f64 = 1.0;

/// Powers of mass, length and time in units.
const DIMENSIONS: [(&str, [i32; 3]); 13] = [
    ("1", [0, 0, 0]),
    ("rad", [0, 0, 0]),
    ("rad/s", [0, 0, -1]),
    ("rad/s²", [0, 0, -2]),
    ("m", [0, 1, 0]),
    ("m/s", [0, 1, -1]),
    ("m/s²", [0, 1, -2]),
    ("N", [1, 1, -2]),
    ("N m", [1, 2, -2]),
    ("J", [1, 2, -2]),
    ("W", [1, 2, -3]),
    ("kg m/s", [1, 1, -1]),
    ("kg m²/s", [1, 2, -1]),
];

/// The size of each unit: by mass and reach of the system and the duration of its motion, and by the greatest number that occurs.
pub struct Sizes {
    /// Mass, length, time.
    natural: [f64; 3],
    greatest: HashMap<String, f64>,
}

impl Sizes {
    /// Of a run.
    pub fn new(recording: &Recording) -> Self {
        let mass = recording.scene.bodies.iter().map(|body| body.mass.mass).sum();
        let duration = recording.motion.span().map_or(0.0, |[start, end]| end - start);
        Self { natural: [mass, recording.scene.reach(), duration.max(SHORTEST)], greatest: HashMap::new() }
    }

    /// Takes account of a number that occurs.
    pub fn take(&mut self, unit: &str, value: f64) {
        let size = value.abs();
        match self.greatest.get_mut(unit) {
            _ if !size.is_finite() => {}
            Some(own) => *own = own.max(size),
            None => drop(self.greatest.insert(unit.to_owned(), size)),
        }
    }

    /// Below it numbers of a unit are rounding. Places and angles are as far from zero as a system happens to be: only its own size tells for them.
    pub fn floor(&self, unit: &str) -> f64 {
        let powers = DIMENSIONS.iter().find(|(name, _)| *name == unit).map(|(_, powers)| powers);
        let natural = powers.map_or(0.0, |powers| self.natural.iter().zip(powers).map(|(x, p)| x.powi(*p)).product());
        let natural = if f64::is_finite(natural) { natural } else { 0.0 };
        let greatest = self.greatest.get(unit).copied().unwrap_or(0.0);
        match unit {
            "rad" | "m" => ROUNDING * natural,
            _ => (BY_TIME * natural).max(ROUNDING * greatest),
        }
    }

    /// Draws what is rounding as zero. Errors of the computation are what they are.
    pub fn flatten(&self, series: &mut Series) {
        if ["balance_error", "deviation"].iter().any(|error| series.label.contains(error)) {
            return;
        }
        let floor = self.floor(&series.unit);
        series.points.iter_mut().filter(|point| point[1].abs() < floor).for_each(|point| point[1] = 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Quanser link: 2 kg, no extent, 3 s. Angles end at 1e-5 µrad, rates at 1e-10 rad/s.
    #[test]
    fn the_tail_of_a_step_is_zero_and_small_numbers_are_not() {
        let mut sizes = Sizes { natural: [2.0, 0.0, 3.0], greatest: HashMap::new() };
        sizes.take("rad/s", -1.1);
        sizes.take("N m", 5.4);
        let drawn = |label: &str, unit: &str, value: f64| {
            let points = vec![[0.0, 0.06], [1.0, value], [2.0, f64::NAN]];
            let mut line = Series { label: label.into(), unit: unit.into(), points };
            sizes.flatten(&mut line);
            assert!(line.points[0][1] == 0.06 && line.points[2][1].is_nan());
            line.points[1][1]
        };
        for (unit, value) in [("rad", -1.23e-11), ("rad/s", 9e-11), ("N m", 5e-10)] {
            assert_eq!(drawn("hinge.spring", unit, value), 0.0, "{value} {unit}");
        }
        for (unit, value) in [("rad", 1e-9), ("rad/s", 1e-8), ("N m", -1e-8), ("m", 1e-15), ("furlong", 1e-15)] {
            assert_eq!(drawn("hinge.spring", unit, value), value, "{value} {unit}");
        }
        assert_eq!(drawn("energy.balance_error", "J", 1e-12), 1e-12);
    }

    /// What a spacecraft moves by rounding is nothing, also where nothing else has that unit.
    #[test]
    fn a_system_has_its_own_size() {
        let sizes = Sizes { natural: [100.0, 5.0, 60.0], greatest: HashMap::new() };
        assert!(sizes.floor("m") > 2e-17 && sizes.floor("m") < 1e-9);
        assert!(sizes.floor("m/s") > 2e-18 && sizes.floor("N m") > 1e-13);
        // A centimetre beside an orbit.
        let mut orbit = Sizes { natural: [100.0, 5.0, 60.0], greatest: HashMap::new() };
        orbit.take("m", 7e6);
        assert_eq!(orbit.floor("m"), sizes.floor("m"));
    }
}
