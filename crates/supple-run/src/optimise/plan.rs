//! A move as pieces of constant jerk: accelerations at equidistant knots, zero at both ends.
//!
//! Position and speed are linear in the accelerations. With speeds that are zero at both ends the plan is the cubic spline through its positions at
//! the knots, so that a table of these is the move exactly.

/// Coordinate, speed and acceleration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub position: f64,
    pub speed: f64,
}

/// Accelerations at the inner knots of a move of a duration.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub duration: f64,
    pub inner: Vec<f64>,
}

impl Plan {
    /// From one position to another by `s³ (10 - 15 s + 6 s²)`, about: the knots of its acceleration.
    pub fn smooth(distance: f64, duration: f64, pieces: usize) -> Self {
        let at = |s: f64| distance / (duration * duration) * s * (60.0 - 180.0 * s + 120.0 * s * s);
        Self { duration, inner: (1..pieces).map(|k| at(k as f64 / pieces as f64)).collect() }
    }

    pub fn pieces(&self) -> usize {
        self.inner.len() + 1
    }

    /// Length of a piece.
    pub fn step(&self) -> f64 {
        self.duration / self.pieces() as f64
    }

    /// Acceleration at knot `k`.
    pub fn knot(&self, k: usize) -> f64 {
        if k == 0 { 0.0 } else { self.inner.get(k - 1).copied().unwrap_or(0.0) }
    }

    /// Acceleration at a time; zero outside of the move.
    pub fn acceleration(&self, time: f64) -> f64 {
        let x = time / self.step();
        if !(0.0..=self.pieces() as f64).contains(&x) {
            return 0.0;
        }
        let k = (x as usize).min(self.pieces() - 1);
        let b = x - k as f64;
        (1.0 - b) * self.knot(k) + b * self.knot(k + 1)
    }

    /// How far it has come, and how fast it is, at each knot.
    pub fn places(&self) -> Vec<Place> {
        let (h, mut at) = (self.step(), Place { position: 0.0, speed: 0.0 });
        let mut out = vec![at];
        for k in 0..self.pieces() {
            let (a, b) = (self.knot(k), self.knot(k + 1));
            at = Place {
                position: at.position + h * at.speed + h * h * (2.0 * a + b) / 6.0,
                speed: at.speed + 0.5 * h * (a + b),
            };
            out.push(at);
        }
        out
    }

    /// The plan in which only one inner knot has an acceleration, of one: what a change of that knot does.
    pub fn unit(&self, which: usize) -> Self {
        let mut inner = vec![0.0; self.inner.len()];
        inner[which] = 1.0;
        Self { duration: self.duration, inner }
    }

    /// The same way in another time.
    pub fn stretched(&self, duration: f64) -> Self {
        let factor = (self.duration / duration).powi(2);
        Self { duration, inner: self.inner.iter().map(|a| factor * a).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_integrals_of_accelerations() {
        let plan = Plan { duration: 1.6, inner: vec![0.3, -0.8, 1.1, 0.2, -0.4] };
        let (mut position, mut speed, n) = (0.0, 0.0, 60_000);
        let h = plan.duration / f64::from(n);
        for i in 0..n {
            let middle = plan.acceleration((f64::from(i) + 0.5) * h);
            position += h * speed + 0.5 * h * h * middle;
            speed += h * middle;
        }
        let end = plan.places()[6];
        assert!((end.position - position).abs() < 1e-8 && (end.speed - speed).abs() < 1e-8);
        let sum: f64 = (0..5).map(|k| plan.inner[k] * plan.unit(k).places()[6].position).sum();
        assert!((sum - end.position).abs() < 1e-14);
        let slow = plan.stretched(3.2).places()[6];
        assert!((slow.position - end.position).abs() < 1e-14 && (slow.speed - 0.5 * end.speed).abs() < 1e-14);
        // Straight lines through a curve fall short of it by the square of the distance of the knots.
        let short = |pieces: usize| 0.7 - Plan::smooth(0.7, 2.0, pieces).places()[pieces].position;
        assert!((0.0..0.003).contains(&short(40)) && (short(40) / short(80) - 4.0).abs() < 0.05);
        assert!(Plan::smooth(0.7, 2.0, 40).places()[40].speed.abs() < 1e-12);
    }
}
