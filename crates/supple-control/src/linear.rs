//! Linear designs at work: estimates and state feedback from sampled linear models, scheduled over the pose.
//!
//! ```text
//! x̂ = x̄ + L (y - C x̄ - D u)          what is measured corrects the estimate
//! v = -K x̂                            state feedback
//! x̄ = A x̂ + B v                       where the plant will be at the next instant
//! ```
//!
//! All are deviations from an operating point. Designs come from elsewhere, `supple-linear` for one: here are their numbers only. Nothing allocates
//! after construction.

use supple::spatial::Scalar;

/// Numbers of states, inputs and outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Sizes {
    /// States.
    pub states: usize,
    /// Inputs.
    pub inputs: usize,
    /// Outputs.
    pub outputs: usize,
}

/// A sampled linear model with its gains; matrices row after row.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct LinearDesign {
    /// Its sizes.
    pub sizes: Sizes,
    /// `A`.
    pub a: Vec<f64>,
    /// `B`.
    pub b: Vec<f64>,
    /// `C`.
    pub c: Vec<f64>,
    /// `D`.
    pub d: Vec<f64>,
    /// `K`, a row per input; all zero where nothing is fed back.
    pub feedback: Vec<f64>,
    /// `L`, a row per state; all zero where nothing corrects the estimate.
    pub correction: Vec<f64>,
    /// Operating point: states.
    pub x: Vec<f64>,
    /// Operating point: inputs.
    pub u: Vec<f64>,
    /// Operating point: outputs.
    pub y: Vec<f64>,
}

impl LinearDesign {
    /// Whether all lists have the lengths that the sizes ask for, and all numbers are finite.
    pub fn is_sound(&self) -> bool {
        let Sizes { states: n, inputs: m, outputs: p } = self.sizes;
        let lengths = [n * n, n * m, p * n, p * m, m * n, n * p, n, m, p];
        self.parts()
            .iter()
            .zip(lengths)
            .all(|(part, length)| part.len() == length && part.iter().all(|x| x.is_finite()))
    }

    fn parts(&self) -> [&Vec<f64>; 9] {
        [&self.a, &self.b, &self.c, &self.d, &self.feedback, &self.correction, &self.x, &self.u, &self.y]
    }

    fn parts_mut(&mut self) -> [&mut Vec<f64>; 9] {
        [
            &mut self.a,
            &mut self.b,
            &mut self.c,
            &mut self.d,
            &mut self.feedback,
            &mut self.correction,
            &mut self.x,
            &mut self.u,
            &mut self.y,
        ]
    }
}

/// Designs at several poses, mixed in between by inverse squares of distances.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    poses: Vec<Vec<f64>>,
    designs: Vec<LinearDesign>,
    mixed: LinearDesign,
}

impl Schedule {
    /// Designs with the coordinates that they are for; one design holds everywhere. States and outputs deviate from the same point in all. None
    /// where there is no design, or they do not fit each other.
    pub fn new(designs: Vec<(Vec<f64>, LinearDesign)>) -> Option<Self> {
        let (pose, first) = designs.first()?;
        let fits = |(other, design): &(Vec<f64>, LinearDesign)| {
            let same_point = design.x == first.x && design.y == first.y;
            other.len() == pose.len() && design.sizes == first.sizes && design.is_sound() && same_point
        };
        if !designs.iter().all(fits) {
            return None;
        }
        let mixed = first.clone();
        let (poses, designs) = designs.into_iter().unzip();
        Some(Self { poses, designs, mixed })
    }

    /// Its sizes.
    pub fn sizes(&self) -> Sizes {
        self.mixed.sizes
    }

    /// The states that estimates deviate from: those of the first design, and of all others too.
    pub fn point(&self) -> &[f64] {
        &self.designs[0].x
    }

    /// The one design, where there are no others.
    pub fn only(&self) -> Option<&LinearDesign> {
        if self.designs.len() == 1 { self.designs.first() } else { None }
    }

    /// The design for a pose.
    pub fn at(&mut self, pose: &[f64]) -> &LinearDesign {
        if self.designs.len() == 1 {
            return &self.designs[0];
        }
        let distance = |other: &[f64]| other.iter().zip(pose).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        let share = |other: &[f64]| distance(other).max(1e-12).recip();
        let all: f64 = self.poses.iter().map(|other| share(other)).sum();
        for part in self.mixed.parts_mut() {
            part.fill(0.0);
        }
        for (other, design) in self.poses.iter().zip(&self.designs) {
            let share = share(other) / all;
            for (mixed, own) in self.mixed.parts_mut().into_iter().zip(design.parts()) {
                mixed.iter_mut().zip(own).for_each(|(mixed, own)| *mixed += share * own);
            }
        }
        &self.mixed
    }
}

/// An estimate of the states of a plant, as deviations.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate<T = f64> {
    /// `x̂`; between an instant and the next prediction.
    pub state: Vec<T>,
    next: Vec<T>,
    missed: Vec<T>,
}

impl<T: Scalar> Estimate<T> {
    /// Of no deviation.
    pub fn new(sizes: Sizes) -> Self {
        let (n, p) = (sizes.states, sizes.outputs);
        Self { state: vec![T::ZERO; n], next: vec![T::ZERO; n], missed: vec![T::ZERO; p] }
    }

    /// Corrects the estimate by outputs, with the inputs that held until now.
    pub fn correct(&mut self, design: &LinearDesign, inputs: &[T], outputs: &[T]) {
        self.missed.copy_from_slice(outputs);
        subtract(&design.c, &self.state, &mut self.missed);
        subtract(&design.d, inputs, &mut self.missed);
        add(&design.correction, &self.missed, &mut self.state);
    }

    /// Goes on to the next instant under inputs.
    pub fn predict(&mut self, design: &LinearDesign, inputs: &[T]) {
        self.next.fill(T::ZERO);
        add(&design.a, &self.state, &mut self.next);
        add(&design.b, inputs, &mut self.next);
        self.state.copy_from_slice(&self.next);
    }
}

/// `y += M x`.
pub fn add<T: Scalar>(m: &[f64], x: &[T], y: &mut [T]) {
    each_row(m, x, y, |y, product| *y += product);
}

/// `y -= M x`.
pub fn subtract<T: Scalar>(m: &[f64], x: &[T], y: &mut [T]) {
    each_row(m, x, y, |y, product| *y -= product);
}

fn each_row<T: Scalar>(m: &[f64], x: &[T], y: &mut [T], act: impl Fn(&mut T, T)) {
    if x.is_empty() {
        return;
    }
    for (row, y) in m.chunks_exact(x.len()).zip(y) {
        act(y, row.iter().zip(x).fold(T::ZERO, |sum, (m, x)| sum + T::from_f64(*m) * *x));
    }
}

/// A number brought between a limit and its negative.
pub(crate) fn clamped<T: Scalar>(x: T, limit: T) -> T {
    let least = T::select(x.less_than(-limit), -limit, x);
    T::select(limit.less_than(least), limit, least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(a: f64) -> LinearDesign {
        let one = |x: f64| vec![x];
        LinearDesign {
            sizes: Sizes { states: 1, inputs: 1, outputs: 1 },
            a: one(a),
            b: one(2.0),
            c: one(3.0),
            d: one(0.5),
            feedback: one(4.0),
            correction: one(0.1),
            x: one(0.0),
            u: one(0.0),
            y: one(0.0),
        }
    }

    #[test]
    fn an_estimate_follows_the_formula() {
        let design = number(0.9);
        let mut estimate = Estimate::<f64>::new(design.sizes);
        estimate.state[0] = 1.0;
        estimate.correct(&design, &[0.2], &[5.0]);
        let expected = 1.0 + 0.1 * (5.0 - 3.0 - 0.1);
        assert!((estimate.state[0] - expected).abs() < 1e-15);
        estimate.predict(&design, &[0.3]);
        assert!((estimate.state[0] - (0.9 * expected + 0.6)).abs() < 1e-15);
    }

    #[test]
    fn designs_are_mixed_between_poses_and_exact_at_them() {
        let poses = [vec![0.0, 0.0], vec![1.0, 0.0]];
        let designs = poses.iter().cloned().zip([number(1.0), number(3.0)]).collect();
        let mut schedule = Schedule::new(designs).unwrap();
        for (pose, a) in [([0.0, 0.0], 1.0), ([1.0, 0.0], 3.0), ([0.5, 0.0], 2.0), ([0.5, 7.0], 2.0)] {
            assert!((schedule.at(&pose).a[0] - a).abs() < 1e-9, "{pose:?}");
        }
        assert!(Schedule::new(Vec::new()).is_none());
        let other = LinearDesign { a: vec![1.0, 2.0], ..number(1.0) };
        assert!(Schedule::new(vec![(vec![0.0], other)]).is_none());
    }
}
