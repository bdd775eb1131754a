//! Positive definite matrices, one for each body, whose products with given shapes are as near to given numbers as such matrices can make them.
//!
//! ```text
//! a_e = Σ_k u_ik* G_k u_jk                                                  of equation e, for shapes i and j of the bodies k
//! least of   Σ_e w_e cost(a_e) + μ Σ_k (tr P_k⁻¹ G_k - log det G_k)         over positive definite G_k, for a first guess P_k
//! where      G_k = (P_k⁻¹ + Σ_e y_e (u_ik u_jk* + u_jk u_ik*)/2)⁻¹,   w_e cost'(a_e) = μ y_e
//! ```
//!
//! The smaller `μ`, the less the guess matters: of all ways to meet equations that can be met this is then the one nearest to it, and the cost of the others is
//! least over all semidefinite matrices. The problem is convex. Its dual, in one number `y_e` per equation, is smooth and concave, and Newton's steps solve it,
//! for one `μ` after another. A step takes operations in proportion to the cubes of the number of equations and of the modal coordinates of each body.

/// `μ` of the rounds: each begins where the last has ended.
const ROUNDS: [f64; 17] =
    [1.0, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 3e-8, 1e-8];
/// Newton's steps in a round; a round that needs more is left out, with all that follow.
const MOST_STEPS: usize = 40;
/// A step that would raise the dual by no more than this ends a round.
const SETTLED: f64 = 1e-8;
/// Part of what a step promises that it must bring.
const ENOUGH: f64 = 0.1;
/// Shortest part of a step that is tried.
const SHORTEST: f64 = 1e-9;
/// The power of a product in the cost of missing one: an error by a factor of two weighs little, one by more a lot.
const POWER: f64 = 4.0;

type Rows = Vec<Vec<f64>>;

/// A body.
pub(super) struct Part {
    /// `u_ik`, one row for each shape.
    pub shapes: Rows,
    /// `P_k`, positive definite.
    pub guess: Rows,
}

/// One equation.
pub(super) struct Equation {
    /// `i` and `j`.
    pub shapes: [usize; 2],
    /// What the product should be.
    pub aim: Aim,
    /// `w_e`, positive.
    pub weight: f64,
}

/// What a product should be, and what it costs if it is not.
#[derive(Clone, Copy)]
pub(super) enum Aim {
    /// One, with what is there already: `(x^p + x^-p - 2) / p²` of their sum `x`, the same for twice as much and half as much.
    One {
        /// Not negative.
        there: f64,
    },
    /// Nothing: `a²/2`.
    Nothing,
}

/// The product at which a cost has a certain slope.
struct Point {
    product: f64,
    /// Its rate of change with the slope.
    rate: f64,
    /// The conjugate of the cost: slope times product, less the cost.
    conjugate: f64,
}

impl Aim {
    fn at_slope(self, slope: f64) -> Point {
        let Self::One { there } = self else {
            return Point { product: slope, rate: 1.0, conjugate: 0.5 * slope * slope };
        };
        let log = logarithm_at_slope(slope);
        let power = |n: f64| (n * log).exp();
        let rate = POWER / ((POWER - 1.0) * power(POWER - 2.0) + (POWER + 1.0) * power(-POWER - 2.0));
        let cost = (power(POWER) + power(-POWER) - 2.0) / (POWER * POWER);
        let product = power(1.0) - there;
        Point { product, rate, conjugate: slope * product - cost }
    }
}

/// The `log x` of `(x^(p-1) - x^(-p-1)) / p = slope`, which rises with `x`: Newton's steps within bounds.
fn logarithm_at_slope(slope: f64) -> f64 {
    let [up, down] = [POWER - 1.0, POWER + 1.0];
    // Of the larger term alone, with room for the other.
    let far = (POWER * slope.abs() + 1.0).ln() / up;
    let (mut low, mut high) = (-far, far);
    let mut log = 0.0_f64;
    for _ in 0..100 {
        let [rise, fall] = [(up * log).exp(), (-down * log).exp()];
        let excess = (rise - fall) / POWER - slope;
        if excess > 0.0 {
            high = log
        } else {
            low = log
        }
        let newton = log - excess * POWER / (up * rise + down * fall);
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - log).abs() <= f64::EPSILON * (1.0 + log.abs()) {
            break;
        }
        log = next;
    }
    log
}

/// The matrices `G_k`; none where a guess is not positive definite.
pub(super) fn nearest(parts: &[Part], equations: &[Equation]) -> Option<Vec<Rows>> {
    let inverse = |part: &Part| Some(inverse(&factor(&part.guess)?));
    let guesses: Vec<Rows> = parts.iter().map(inverse).collect::<Option<_>>()?;
    let problem = Problem { parts, guesses, equations };
    let mut y = vec![0.0; equations.len()];
    let mut here = problem.at(&y)?;
    for mu in ROUNDS {
        match problem.round(&y, mu) {
            Some(settled) => (y, here) = settled,
            None => break,
        }
    }
    Some(here.into_iter().map(|body| body.matrix).collect())
}

struct Problem<'p> {
    parts: &'p [Part],
    /// `P_k⁻¹`.
    guesses: Vec<Rows>,
    equations: &'p [Equation],
}

/// A body where a search stands.
struct Standing {
    /// `G_k`.
    matrix: Rows,
    /// `u_ik* G_k u_jk`.
    products: Rows,
    /// `-log det G_k`.
    logarithm: f64,
}

impl Problem<'_> {
    /// All bodies; none where a matrix is not definite.
    fn at(&self, y: &[f64]) -> Option<Vec<Standing>> {
        self.parts.iter().zip(&self.guesses).map(|(part, guess)| self.body(part, guess, y)).collect()
    }

    fn body(&self, part: &Part, guess: &Rows, y: &[f64]) -> Option<Standing> {
        let mut sum = guess.clone();
        for (Equation { shapes: [i, j], .. }, y) in self.equations.iter().zip(y) {
            let (a, b) = (&part.shapes[*i], &part.shapes[*j]);
            for (row, (ai, bi)) in sum.iter_mut().zip(a.iter().zip(b)) {
                let (ai, bi) = (0.5 * y * ai, 0.5 * y * bi);
                row.iter_mut().zip(a.iter().zip(b)).for_each(|(entry, (aj, bj))| *entry += ai * bj + bi * aj);
            }
        }
        let l = factor(&sum)?;
        let logarithm = l.iter().enumerate().map(|(i, row)| 2.0 * row[i].ln()).sum();
        // Of L⁻¹ u: their products are those of G.
        let solved: Rows = part.shapes.iter().map(|u| forward(&l, u)).collect();
        let products = solved.iter().map(|a| solved.iter().map(|b| dot(a, b)).collect()).collect();
        Some(Standing { matrix: inverse(&l), products, logarithm })
    }

    /// Where the dual is greatest for a `μ`; none where the steps do not get there.
    fn round(&self, start: &[f64], mu: f64) -> Option<(Vec<f64>, Vec<Standing>)> {
        let mut y = start.to_vec();
        let mut here = self.at(&y)?;
        for _ in 0..MOST_STEPS {
            let points = self.points(&y, mu);
            let gradient = self.gradient(&here, &points);
            let step = self.newton(&here, &points, &gradient, mu)?;
            let promised = dot(&step, &gradient);
            if promised <= SETTLED {
                return Some((y, here));
            }
            let before = self.dual(&here, &points, mu);
            let mut part = 1.0;
            loop {
                let tried: Vec<f64> = y.iter().zip(&step).map(|(y, d)| y + part * d).collect();
                if let Some(there) = self.at(&tried)
                    && self.dual(&there, &self.points(&tried, mu), mu) >= before + ENOUGH * part * promised
                {
                    (y, here) = (tried, there);
                    break;
                }
                part *= 0.5;
                if part < SHORTEST {
                    return None;
                }
            }
        }
        None
    }

    fn points(&self, y: &[f64], mu: f64) -> Vec<Point> {
        self.equations.iter().zip(y).map(|(e, y)| e.aim.at_slope(mu * y / e.weight)).collect()
    }

    fn dual(&self, here: &[Standing], points: &[Point], mu: f64) -> f64 {
        let costs = self.equations.iter().zip(points).map(|(e, point)| point.conjugate * e.weight / mu);
        here.iter().map(|body| body.logarithm).sum::<f64>() - costs.sum::<f64>()
    }

    fn gradient(&self, here: &[Standing], points: &[Point]) -> Vec<f64> {
        let product = |[i, j]: [usize; 2]| here.iter().map(|body| body.products[i][j]).sum::<f64>();
        self.equations.iter().zip(points).map(|(e, point)| product(e.shapes) - point.product).collect()
    }

    /// Newton's step.
    fn newton(&self, here: &[Standing], points: &[Point], gradient: &[f64], mu: f64) -> Option<Vec<f64>> {
        let mut hessian = vec![vec![0.0; gradient.len()]; gradient.len()];
        for (e, (Equation { shapes: [i, j], weight, .. }, point)) in self.equations.iter().zip(points).enumerate() {
            for body in here {
                let (pi, pj) = (&body.products[*i], &body.products[*j]);
                for (entry, Equation { shapes: [k, l], .. }) in hessian[e].iter_mut().zip(self.equations).take(e + 1) {
                    *entry += 0.5 * (pi[*k] * pj[*l] + pi[*l] * pj[*k]);
                }
            }
            hessian[e][e] += point.rate * mu / weight;
        }
        let l = factor(&hessian)?;
        Some(backward(&l, forward(&l, gradient)))
    }
}

/// Cholesky's factor, of which the lower triangle is read; none where the matrix is not definite.
fn factor(a: &[Vec<f64>]) -> Option<Rows> {
    let n = a.len();
    let mut l: Rows = Vec::with_capacity(n);
    for (i, given) in a.iter().enumerate() {
        let mut row = vec![0.0; n];
        for j in 0..i {
            row[j] = (given[j] - dot(&row[..j], &l[j][..j])) / l[j][j];
        }
        let pivot = given[i] - dot(&row[..i], &row[..i]);
        if pivot.is_nan() || pivot <= f64::EPSILON * given[i].abs() {
            return None;
        }
        row[i] = pivot.sqrt();
        l.push(row);
    }
    Some(l)
}

/// `L⁻¹ b`.
fn forward(l: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let mut x: Vec<f64> = Vec::with_capacity(b.len());
    for (row, b) in l.iter().zip(b) {
        let i = x.len();
        x.push((b - dot(&row[..i], &x)) / row[i]);
    }
    x
}

/// `L⁻* b`.
fn backward(l: &[Vec<f64>], mut b: Vec<f64>) -> Vec<f64> {
    for i in (0..b.len()).rev() {
        b[i] /= l[i][i];
        let x = b[i];
        b[..i].iter_mut().zip(&l[i]).for_each(|(b, l)| *b -= l * x);
    }
    b
}

/// `(L L*)⁻¹`, exactly symmetric.
fn inverse(l: &[Vec<f64>]) -> Rows {
    let n = l.len();
    let unit = |i: usize| forward(l, &(0..n).map(|j| f64::from(i == j)).collect::<Vec<f64>>());
    let columns: Rows = (0..n).map(unit).collect();
    (0..n).map(|i| (0..n).map(|j| dot(&columns[i.max(j)], &columns[i.min(j)])).collect()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random() -> impl FnMut() -> f64 {
        let mut seed = 7_u64;
        move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        }
    }

    fn parts(random: &mut impl FnMut() -> f64, sizes: &[usize], shapes: usize) -> Vec<Part> {
        let part = |n: &usize| Part {
            shapes: (0..shapes).map(|_| (0..*n).map(|_| random()).collect()).collect(),
            guess: (0..*n).map(|i| (0..*n).map(|j| f64::from(i == j)).collect()).collect(),
        };
        sizes.iter().map(part).collect()
    }

    fn product(parts: &[Part], found: &[Rows], [i, j]: [usize; 2]) -> f64 {
        let of = |(part, g): (&Part, &Rows)| -> f64 {
            part.shapes[i].iter().zip(g).map(|(x, row)| x * dot(row, &part.shapes[j])).sum()
        };
        parts.iter().zip(found).map(of).sum()
    }

    /// Shapes that definite matrices give a product of one each: so does what is found.
    #[test]
    fn equations_that_can_be_met_are_met() {
        let mut random = random();
        let mut parts = parts(&mut random, &[4, 3], 7);
        let hidden: Vec<Rows> = [4, 3]
            .map(|n| {
                let a: Rows = (0..n).map(|_| (0..n).map(|_| random()).collect()).collect();
                (0..n).map(|i| (0..n).map(|j| dot(&a[i], &a[j]) + 0.1 * f64::from(i == j)).collect()).collect()
            })
            .to_vec();
        for i in 0..7 {
            let size = product(&parts, &hidden, [i, i]).sqrt();
            parts.iter_mut().for_each(|part| part.shapes[i].iter_mut().for_each(|x| *x /= size));
        }
        let one = |i: usize| Equation { shapes: [i, i], aim: Aim::One { there: 0.0 }, weight: 1.0 };
        let equations: Vec<Equation> = (0..7).map(one).collect();
        let found = nearest(&parts, &equations).unwrap();
        for i in 0..7 {
            let got = product(&parts, &found, [i, i]);
            assert!((got - 1.0).abs() < 1e-3, "{i}: {got}");
        }
    }

    /// Equations that contradict each other cost least: no dashpot in any direction, added or taken away, lowers the cost to first order, but for what
    /// the guess is worth. What is there already counts.
    #[test]
    fn other_equations_cost_least() {
        let mut random = random();
        let parts = parts(&mut random, &[3, 2], 9);
        let there = |i: usize| if i == 2 { 1.5 } else { 0.1 };
        let one = |i: usize| Equation { shapes: [i, i], aim: Aim::One { there: there(i) }, weight: 1.0 };
        let apart = Equation { shapes: [0, 5], aim: Aim::Nothing, weight: 2.0 };
        let equations: Vec<Equation> = (0..9).map(one).chain([apart]).collect();
        let found = nearest(&parts, &equations).unwrap();
        let slope = |e: &Equation| {
            let a = product(&parts, &found, e.shapes);
            match e.aim {
                Aim::One { there } => e.weight * ((a + there).powi(3) - (a + there).powi(-5)) / 4.0,
                Aim::Nothing => e.weight * a,
            }
        };
        let slopes: Vec<f64> = equations.iter().map(slope).collect();
        assert!(slopes.iter().any(|e| e.abs() > 0.1), "{slopes:?}");
        for (part, g) in parts.iter().zip(&found) {
            let added = |direction: &[f64]| -> f64 {
                let of = |(e, s): (&Equation, &f64)| {
                    e.shapes.map(|i| dot(&part.shapes[i], direction)).iter().product::<f64>() * s
                };
                equations.iter().zip(&slopes).map(of).sum()
            };
            for _ in 0..100 {
                let direction: Vec<f64> = part.guess.iter().map(|_| random()).collect();
                assert!(added(&direction) > -1e-3, "{}", added(&direction));
            }
            let (values, vectors) = crate::eigen::symmetric(g.clone());
            let gain: f64 = values.iter().zip(&vectors).map(|(x, v)| x * added(v)).sum();
            assert!(gain.abs() < 1e-3, "{gain}");
        }
    }

    #[test]
    fn slopes_have_their_points() {
        for slope in [-1e9, -30.0, -0.2, 0.0, 1e-7, 0.5, 12.0, 1e12] {
            let x = Aim::One { there: 0.3 }.at_slope(slope).product + 0.3;
            let back = (x.powi(3) - x.powi(-5)) / 4.0;
            assert!((back - slope).abs() <= 1e-12 * slope.abs().max(1.0), "{slope} {back}");
        }
    }
}
