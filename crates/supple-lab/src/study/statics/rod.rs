//! The exact rod: what the bodies are compared with. Nothing of the engine is in it.
//!
//! Reissner's beam, of which Bernoulli's elastica is the case without shear. With `R` the attitude of the section, `n` the constant
//! force of a dead load on the tip and `m` the internal moment, all in inertial axes and by the undeformed arc length:
//!
//! ```text
//! r' = R (e₁ + N⁻¹ R* n),   R' = R skew(κ₀ + C⁻¹ R* m),   m' = -r' × n
//! N = diag(EA, GA, GA),  C = diag(GJ, EI_y, EI_z),  κ₀ the curvature of the undeformed axis about z
//! ```
//!
//! Clamped at the root: the moment there is found by shooting, so that it is that of the load at the tip.

use super::linear::solve;
use supple_bodies::section::BeamProperties;

/// Steps of the fourth-order rule along the rod.
const STEPS: u32 = 2000;

/// A clamped rod.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod {
    /// Length of the undeformed axis.
    pub length: f64,
    /// Angle about z by which the undeformed axis turns.
    pub arc: f64,
    /// Stiffness; a finite shear stiffness is felt.
    pub properties: BeamProperties,
}

/// Where the tip is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tip {
    /// Position.
    pub position: [f64; 3],
    /// Axes of the section as columns.
    pub attitude: [[f64; 3]; 3],
}

/// Position, attitude and moment, by the arc length.
#[derive(Clone, Copy)]
struct Place {
    r: [f64; 3],
    attitude: [[f64; 3]; 3],
    m: [f64; 3],
}

impl Rod {
    /// The tip under a dead force and moment, followed from no load in `stages` equal parts.
    /// Nothing if the shooting misses.
    pub fn tip(&self, force: [f64; 3], moment: [f64; 3], stages: u32) -> Option<Tip> {
        let mut root = [0.0; 3];
        let mut end = None;
        for stage in 1..=stages {
            let part = f64::from(stage) / f64::from(stages);
            let (n, wanted) = (force.map(|x| part * x), moment.map(|x| part * x));
            let place = self.shoot(n, wanted, &mut root)?;
            end = Some(Tip { position: place.r, attitude: place.attitude });
        }
        end
    }

    /// Newton's iteration on the moment at the root.
    fn shoot(&self, n: [f64; 3], wanted: [f64; 3], root: &mut [f64; 3]) -> Option<Place> {
        let size = (norm(n) * self.length + norm(wanted)).max(f64::MIN_POSITIVE);
        let miss = |m0: &[f64; 3]| {
            let end = self.integrate(n, *m0);
            ((0..3).map(|i| end.m[i] - wanted[i]).collect::<Vec<f64>>(), end)
        };
        for _ in 0..40 {
            let (error, _) = miss(root);
            let step = 1e-5 * size;
            let mut slopes = vec![vec![0.0; 3]; 3];
            for j in 0..3 {
                let [mut up, mut down] = [*root; 2];
                up[j] += step;
                down[j] -= step;
                let (up, down) = (miss(&up).0, miss(&down).0);
                (0..3).for_each(|i| slopes[i][j] = (up[i] - down[i]) / (2.0 * step));
            }
            let correction = solve(slopes, error)?;
            (0..3).for_each(|i| root[i] -= correction[i]);
            if norm([correction[0], correction[1], correction[2]]) < 1e-13 * size {
                return Some(miss(root).1);
            }
        }
        None
    }

    /// The tip end for a moment at the root, by the classical rule of Runge and Kutta.
    fn integrate(&self, n: [f64; 3], m0: [f64; 3]) -> Place {
        let h = self.length / f64::from(STEPS);
        let mut at = Place { r: [0.0; 3], attitude: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], m: m0 };
        for _ in 0..STEPS {
            let k1 = self.slope(&at, n);
            let k2 = self.slope(&along(&at, &k1, 0.5 * h), n);
            let k3 = self.slope(&along(&at, &k2, 0.5 * h), n);
            let k4 = self.slope(&along(&at, &k3, h), n);
            for (k, weight) in [(k1, 1.0), (k2, 2.0), (k3, 2.0), (k4, 1.0)] {
                at = along(&at, &k, weight * h / 6.0);
            }
        }
        at
    }

    /// Derivatives along the rod.
    fn slope(&self, at: &Place, n: [f64; 3]) -> Place {
        let p = &self.properties;
        let (force, moment) = (turned_back(&at.attitude, n), turned_back(&at.attitude, at.m));
        let strain = [1.0 + force[0] / p.axial, force[1] / p.shear, force[2] / p.shear];
        // EI_y is the stiffness of bending in the x-z plane.
        let kappa = [moment[0] / p.torsion, moment[1] / p.bending_z, moment[2] / p.bending_y + self.arc / self.length];
        let r = turned(&at.attitude, strain);
        // Rows of R skew(κ): each row of R times κ.
        let attitude = at.attitude.map(|row| cross(row, kappa));
        Place { r, attitude, m: cross(n, r) }
    }
}

fn along(at: &Place, slope: &Place, step: f64) -> Place {
    let move3 = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|i| a[i] + step * b[i]);
    Place {
        r: move3(at.r, slope.r),
        attitude: std::array::from_fn(|i| move3(at.attitude[i], slope.attitude[i])),
        m: move3(at.m, slope.m),
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn turned(r: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| r[i][0] * v[0] + r[i][1] * v[1] + r[i][2] * v[2])
}

fn turned_back(r: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| r[0][i] * v[0] + r[1][i] * v[1] + r[2][i] * v[2])
}

fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::problem::Problem;
    use super::*;

    fn full(problem: Problem) -> Tip {
        let (force, moment) = problem.load();
        problem.rod().tip(force, moment, 8).unwrap()
    }

    /// Gerstmayr and Irschik's cantilever, to the printed digits.
    #[test]
    fn published_cantilever() {
        let tip = full(Problem::Cantilever).position;
        assert!((tip[0] - 2.0 + 0.508_537_304_326).abs() < 1e-10, "{tip:?}");
        assert!((tip[1] - 1.207_239_854_550).abs() < 1e-10, "{tip:?}");
    }

    /// Géradin's sheared beam, within what is printed.
    #[test]
    fn published_clamped_beam() {
        let Tip { position, attitude } = full(Problem::ClampedBeam);
        assert!((position[1] - 2.159).abs() < 0.01 && (5.0 - position[0] - 0.596).abs() < 0.001, "{position:?}");
        assert!((attitude[1][0].atan2(attitude[0][0]) - 0.672).abs() < 0.001);
    }

    /// A moment of `2 π EI / L` rolls the rod up into a circle.
    #[test]
    fn full_circle() {
        let tip = full(Problem::RollUp).position;
        assert!(tip.iter().all(|x| x.abs() < 1e-10), "{tip:?}");
    }

    /// Bathe and Bolourchi's bend.
    #[test]
    fn published_bend() {
        let tip = full(Problem::Bend).position;
        let start = Problem::Bend.undeformed_tip();
        let moved: [f64; 3] = std::array::from_fn(|i| tip[i] - start[i]);
        for (ours, printed) in moved.iter().zip([-23.5, 13.4, 53.4]) {
            assert!((ours / printed - 1.0).abs() < 0.02, "{moved:?}");
        }
    }
}
