//! The brake of a drive in the safe state: a damper while the hinge moves, and a hold from where it comes to rest.
//!
//! With `q` and `v` of the hinge as they are in a cycle, and the effort held over it:
//!
//! ```text
//! moves:  τ = -b v
//! holds:  τ = -k (q - q₀) - b v,   k = b / 4T
//! ```
//!
//! A mass `m` under cycles of length `T` comes to rest for `T b < 2 m` and `T k < 2 b`: the first bounds the damper, the second holds by a factor of eight, and no number is left
//! to choose. The hold begins where the speed changes its sign, as sticking does: there it has nothing to stop, and does not ring. Neither part gives more than the greatest effort; a
//! hinge that is pushed harder slips, and is held where that ends. A damper alone gives way to whatever pushes, such as booms that ring out.

/// A brake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Brake {
    damping: f64,
    stiffness: f64,
    /// The greatest effort.
    most: f64,
    /// The speed in the cycle before, while it is on.
    before: Option<f64>,
    /// Where it holds the hinge.
    held: Option<f64>,
}

impl Brake {
    /// A brake that is off, with its damping, the greatest effort, and the time between cycles.
    pub fn new(damping: f64, most: f64, period: f64) -> Self {
        Self { damping, stiffness: 0.25 * damping / period, most, before: None, held: None }
    }

    /// Its effort in a cycle.
    pub fn effort(&mut self, position: f64, speed: f64) -> f64 {
        let rests = speed == 0.0 || self.before.is_some_and(|before| before * speed < 0.0);
        self.before = Some(speed);
        if self.held.is_none() && rests {
            self.held = Some(position);
        }
        let spring = self.held.map_or(0.0, |held| -self.stiffness * (position - held));
        let hold = spring.clamp(-self.most, self.most);
        if hold != spring {
            self.held = Some(position + hold / self.stiffness);
        }
        (hold - self.damping * speed).clamp(-self.most, self.most)
    }

    /// Takes it off.
    pub fn release(&mut self) {
        (self.before, self.held) = (None, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two masses that give way to each other's efforts, by `compliance`, under efforts that are held over a cycle.
    struct Pair {
        compliance: [[f64; 2]; 2],
        position: [f64; 2],
        speed: [f64; 2],
    }

    impl Pair {
        fn cycle(&mut self, brakes: &mut [Brake; 2], load: [f64; 2], period: f64) {
            let effort = |i: usize, brake: &mut Brake| load[i] + brake.effort(self.position[i], self.speed[i]);
            let [first, second] = brakes;
            let efforts = [effort(0, first), effort(1, second)];
            for i in 0..2 {
                let acceleration = self.compliance[i][0] * efforts[0] + self.compliance[i][1] * efforts[1];
                self.position[i] += period * (self.speed[i] + 0.5 * period * acceleration);
                self.speed[i] += period * acceleration;
            }
        }

        /// The share `λ` of the bound `T √B M⁻¹ √B ≤ 1` that brakes take.
        fn brakes(&self, share: f64, ratio: f64, most: f64, period: f64) -> [Brake; 2] {
            let [[a, c], [_, b]] = self.compliance;
            let largest = 0.5 * (a + ratio * b) + (0.25 * (a - ratio * b).powi(2) + ratio * c * c).sqrt();
            let damping = share / (period * largest);
            [1.0, ratio].map(|ratio| Brake::new(ratio * damping, most, period))
        }
    }

    fn pairs() -> impl Iterator<Item = [[f64; 2]; 2]> {
        [0.0, 0.5, -0.9].into_iter().flat_map(|coupling| {
            [1.0, 0.01_f64].map(|other| {
                let between = coupling * other.sqrt();
                [[1.0, between], [between, other]]
            })
        })
    }

    /// Up to the bound, coupled hinges end at rest where they were, within the way of the damper alone.
    #[test]
    fn brakes_up_to_the_bound_end_at_rest() {
        for (compliance, share) in pairs().flat_map(|c| [0.05, 0.5, 1.0].map(|share| (c, share))) {
            for (period, ratio) in [(1e-3, 1.0), (0.1, 1.0), (2e-3, 10.0)] {
                let mut pair = Pair { compliance, position: [0.3, -0.2], speed: [1.0, -0.7] };
                let mut brakes = pair.brakes(share, ratio, f64::INFINITY, period);
                // The slowest pair of eigenvalues is that of the direction that gives way least.
                let cycles = 40_000.0 / share;
                (0..cycles as u64).for_each(|_| pair.cycle(&mut brakes, [0.0; 2], period));
                let rest = pair.speed.iter().all(|v| v.abs() < 1e-6);
                assert!(rest, "{compliance:?} {share} {period} {ratio}: {:?}", pair.speed);
            }
        }
    }

    /// A load that a damper gives way to for ever is held, and one beyond the greatest effort is not.
    #[test]
    fn loads_are_held_up_to_the_greatest_effort() {
        let (period, most) = (2e-3, 10.0);
        let still = || Pair { compliance: [[1.0, 0.2], [0.2, 0.5]], position: [0.0; 2], speed: [0.0; 2] };
        let mut pair = still();
        let mut brakes = pair.brakes(0.9, 1.0, most, period);
        (0..5000).for_each(|_| pair.cycle(&mut brakes, [8.0, -3.0], period));
        let reached = pair.position;
        (0..5000).for_each(|_| pair.cycle(&mut brakes, [8.0, -3.0], period));
        assert!(pair.speed.iter().all(|v| v.abs() < 1e-12) && pair.position == reached, "{:?}", pair.speed);
        let give = 8.0 / brakes[0].stiffness;
        assert!((pair.position[0] - give).abs() < 1e-9 * give, "{} {give}", pair.position[0]);

        let mut pair = still();
        (0..500).for_each(|_| pair.cycle(&mut brakes, [25.0, 0.0], period));
        assert!(pair.speed[0] > 1.0, "pushed away: {:?}", pair.speed);
        // Without the load it ends at rest again, within the way back of the hold.
        (0..20_000).for_each(|_| pair.cycle(&mut brakes, [0.0; 2], period));
        assert!(pair.speed.iter().all(|v| v.abs() < 1e-9) && pair.position[0] > 0.1, "{:?}", pair.position);
    }

    /// It holds a hinge from where it comes to rest, and forgets where that was once it is released.
    #[test]
    fn moving_hinges_are_only_damped() {
        let mut brake = Brake::new(100.0, 50.0, 0.01);
        assert_eq!([brake.effort(0.0, 0.3), brake.effort(0.1, 0.8)], [-30.0, -50.0]);
        assert_eq!(brake.effort(0.2, -0.02), 2.0, "held here, with the effort of the damper");
        assert_eq!(brake.effort(0.2, 0.0), 0.0);
        assert!((brake.effort(0.201, 0.0) + 2.5).abs() < 1e-12);
        brake.release();
        assert_eq!(brake.effort(0.5, 0.0), 0.0);
    }
}
