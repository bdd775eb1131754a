//! Shape functions inside an element: the static solutions between its ends, so that nodal values under nodal loads are exact.
//!
//! Without load between the ends a rod carries a constant force, a beam a constant shear force and a linear moment. Divided by the stiffness of the
//! section, which may vary, these are the strains, and their integrals the shape functions. With a uniform section they are the known ones: linear
//! for a rod, Hermite's cubics for Euler-Bernoulli, and for Timoshenko a cubic deflection and a quadratic rotation that share their
//! coordinates through `Φ = 12 EI / (κGA L²)`.
//!
//! Compliances are polynomials in `ξ = x / L`, fitted through the Gauss points.

/// A polynomial in `ξ`, lowest power first.
type Polynomial = Vec<f64>;

/// Shape functions of stretch or twist by the values `[u₁, u₂]` of both ends.
#[derive(Clone, Debug, PartialEq)]
pub struct RodShape {
    compliance: Polynomial,
    integral: Polynomial,
    length: f64,
}

impl RodShape {
    /// From compliances `1 / EA` or `1 / GJ` at places `ξ`.
    pub fn new(length: f64, xi: &[f64], compliance: &[f64]) -> Self {
        let compliance = fitted(xi, compliance);
        Self { integral: integrated(&compliance), compliance, length }
    }

    /// Displacement at `xi`.
    pub fn value(&self, xi: f64) -> [f64; 2] {
        let share = at(&self.integral, xi) / at(&self.integral, 1.0);
        [1.0 - share, share]
    }

    /// Strain at `xi`.
    pub fn strain(&self, xi: f64) -> [f64; 2] {
        self.force().map(|n| n * at(&self.compliance, xi))
    }

    /// Internal force, constant along the rod.
    pub fn force(&self) -> [f64; 2] {
        let stiffness = 1.0 / (self.length * at(&self.integral, 1.0));
        [-stiffness, stiffness]
    }
}

/// Shape functions of bending in one plane by deflection and rotation `[v₁, θ₁, v₂, θ₂]` of both ends.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneShape {
    length: f64,
    bending: Polynomial,
    shear: Polynomial,
    /// Once and twice integrated `1` and `ξ` times the bending compliance.
    once: [Polynomial; 2],
    twice: [Polynomial; 2],
    shear_integral: Polynomial,
    /// Moment `m₀ + m₁ ξ` by the coordinates.
    moment: [[f64; 4]; 2],
}

impl PlaneShape {
    /// From compliances `1 / EI` and `1 / κGA` at places `ξ`; the latter is zero for Euler-Bernoulli.
    pub fn new(length: f64, xi: &[f64], bending: &[f64], shear: &[f64]) -> Self {
        let (bending, shear) = (fitted(xi, bending), fitted(xi, shear));
        let times_xi: Polynomial = std::iter::once(0.0).chain(bending.iter().copied()).collect();
        let once = [integrated(&bending), integrated(&times_xi)];
        let twice = [integrated(&once[0]), integrated(&once[1])];
        let shear_integral = integrated(&shear);
        // θ₂ - θ₁ = L ∫ M/EI,  v₂ - v₁ - L θ₁ = L² ∬ M/EI + L ∫ Q/κGA  with Q = -m₁/L.
        let l = length;
        let a = [l * at(&once[0], 1.0), l * at(&once[1], 1.0)];
        let b = [l * l * at(&twice[0], 1.0), l * l * at(&twice[1], 1.0) - at(&shear_integral, 1.0)];
        let determinant = a[0] * b[1] - a[1] * b[0];
        let solved = |turn: f64, shift: f64| {
            [(turn * b[1] - a[1] * shift) / determinant, (a[0] * shift - turn * b[0]) / determinant]
        };
        let columns = [solved(0.0, -1.0), solved(-1.0, -l), solved(0.0, 1.0), solved(1.0, 0.0)];
        let moment = [columns.map(|c| c[0]), columns.map(|c| c[1])];
        Self { length, bending, shear, once, twice, shear_integral, moment }
    }

    /// Deflection `v` at `xi`.
    pub fn deflection(&self, xi: f64) -> [f64; 4] {
        let l = self.length;
        let (m0, m1) = (l * l * at(&self.twice[0], xi), l * l * at(&self.twice[1], xi) - at(&self.shear_integral, xi));
        self.combined(m0, m1, [1.0, l * xi])
    }

    /// Rotation `θ` of the section at `xi`.
    pub fn rotation(&self, xi: f64) -> [f64; 4] {
        let l = self.length;
        self.combined(l * at(&self.once[0], xi), l * at(&self.once[1], xi), [0.0, 1.0])
    }

    /// Slope `v'` at `xi`.
    pub fn slope(&self, xi: f64) -> [f64; 4] {
        let (rotation, shear) = (self.rotation(xi), self.shear(xi));
        std::array::from_fn(|i| rotation[i] + shear[i])
    }

    /// Curvature `θ'` at `xi`.
    pub fn curvature(&self, xi: f64) -> [f64; 4] {
        self.moment(xi).map(|m| m * at(&self.bending, xi))
    }

    /// Shear strain `v' - θ` at `xi`.
    pub fn shear(&self, xi: f64) -> [f64; 4] {
        self.shear_force().map(|q| q * at(&self.shear, xi))
    }

    /// Bending moment at `xi`.
    pub fn moment(&self, xi: f64) -> [f64; 4] {
        self.combined(1.0, xi, [0.0, 0.0])
    }

    /// Shear force, constant along the element.
    pub fn shear_force(&self) -> [f64; 4] {
        self.moment[1].map(|m| -m / self.length)
    }

    /// `a m₀ + b m₁` and what the near end's deflection and rotation add themselves.
    fn combined(&self, a: f64, b: f64, near: [f64; 2]) -> [f64; 4] {
        let own = [near[0], near[1], 0.0, 0.0];
        std::array::from_fn(|i| a * self.moment[0][i] + b * self.moment[1][i] + own[i])
    }
}

fn at(p: &[f64], x: f64) -> f64 {
    p.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

fn integrated(p: &[f64]) -> Polynomial {
    std::iter::once(0.0).chain(p.iter().enumerate().map(|(i, c)| c / (i + 1) as f64)).collect()
}

/// The polynomial through values at places, by Newton's differences; a constant stays exactly constant.
fn fitted(x: &[f64], values: &[f64]) -> Polynomial {
    let n = x.len();
    let mut d = values.to_vec();
    for order in 1..n {
        for i in (order..n).rev() {
            d[i] = (d[i] - d[i - 1]) / (x[i] - x[i - order]);
        }
    }
    // Horner's scheme on Newton's form.
    let mut p = vec![0.0; n];
    for i in (0..n).rev() {
        for k in (1..n).rev() {
            p[k] = p[k - 1] - x[i] * p[k];
        }
        p[0] = d[i] - x[i] * p[0];
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: [f64; 4] = [0.07, 0.33, 0.67, 0.93];

    /// Uniform: Hermite's cubics without shear, the functions of `Φ` with it.
    #[test]
    fn uniform_functions_are_the_known_ones() {
        let (l, ei, x) = (1.7, 35.0, 0.3_f64);
        for phi in [0.0, 0.8, 30.0] {
            let shear = phi * l * l / (12.0 * ei);
            let shape = PlaneShape::new(l, &PLACES, &[1.0 / ei; 4], &[shear; 4]);
            let s = 1.0 / (1.0 + phi);
            let known = [
                s * (1.0 - 3.0 * x * x + 2.0 * x.powi(3) + phi * (1.0 - x)),
                s * l * (x - 2.0 * x * x + x.powi(3) + 0.5 * phi * (x - x * x)),
                s * (3.0 * x * x - 2.0 * x.powi(3) + phi * x),
                s * l * (x.powi(3) - x * x - 0.5 * phi * (x - x * x)),
            ];
            for (a, b) in shape.deflection(x).iter().zip(known) {
                assert!((a - b).abs() < 1e-14, "{a} {b}");
            }
        }
        let rod = RodShape::new(l, &PLACES, &[0.2; 4]);
        assert!((rod.value(x)[1] - x).abs() < 1e-15 && (rod.strain(x)[1] - 1.0 / l).abs() < 1e-15);
    }

    /// Varying section: slopes and curvatures are the derivatives, the coordinates are the values at the ends.
    #[test]
    fn functions_belong_together() {
        let (l, h) = (1.7, 1e-5);
        let shape = PlaneShape::new(l, &PLACES, &[0.1, 0.12, 0.2, 0.4], &[0.01, 0.02, 0.02, 0.03]);
        for xi in [0.1, 0.5, 0.83] {
            let difference = |f: &dyn Fn(f64) -> [f64; 4], i: usize| (f(xi + h)[i] - f(xi - h)[i]) / (2.0 * h * l);
            for i in 0..4 {
                assert!((difference(&|x| shape.deflection(x), i) - shape.slope(xi)[i]).abs() < 1e-8);
                assert!((difference(&|x| shape.rotation(x), i) - shape.curvature(xi)[i]).abs() < 1e-8);
            }
        }
        for (end, own) in [(0.0, [0, 1]), (1.0, [2, 3])] {
            for i in 0..4 {
                let unit = |k: usize| if i == own[k] { 1.0 } else { 0.0 };
                assert!((shape.deflection(end)[i] - unit(0)).abs() < 1e-13);
                assert!((shape.rotation(end)[i] - unit(1)).abs() < 1e-13);
            }
        }
    }
}
