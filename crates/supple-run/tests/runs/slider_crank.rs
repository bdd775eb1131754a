//! The slider-crank of the examples against an integration of its own: crank angle and modal coordinates are independent, the loop is solved by hand,
//! and the equations of motion are integrals over the rod. Nothing of the engine takes part in the reference.

use super::Arm;
use std::f64::consts::PI;
use std::fs;
use std::ops::{Add, Mul, Neg, Sub};
use std::path::PathBuf;
use supple_run::{Options, Results, run};

/// A function of time: value, first and second derivative.
#[derive(Clone, Copy)]
struct Jet([f64; 3]);

impl Jet {
    fn constant(x: f64) -> Self {
        Self([x, 0.0, 0.0])
    }

    /// A function of a jet, by its value and its first two derivatives there.
    fn chain(self, f: f64, f1: f64, f2: f64) -> Self {
        let [_, d, dd] = self.0;
        Self([f, f1 * d, f1 * dd + f2 * d * d])
    }

    fn sin(self) -> Self {
        let (s, c) = self.0[0].sin_cos();
        self.chain(s, c, -s)
    }

    fn cos(self) -> Self {
        let (s, c) = self.0[0].sin_cos();
        self.chain(c, -s, -c)
    }

    fn asin(self) -> Self {
        let x = self.0[0];
        let c = (1.0 - x * x).sqrt();
        self.chain(x.asin(), 1.0 / c, x / c.powi(3))
    }

    fn inverse(self) -> Self {
        let x = self.0[0];
        self.chain(1.0 / x, -1.0 / (x * x), 2.0 / x.powi(3))
    }
}

impl Add for Jet {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl Neg for Jet {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl Sub for Jet {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Jet {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([a * x, a * y + b * x, a * z + 2.0 * b * y + c * x])
    }
}

impl Mul<f64> for Jet {
    type Output = Self;
    fn mul(self, x: f64) -> Self {
        Self(self.0.map(|y| y * x))
    }
}

const CRANK: f64 = 0.15;
const ROD: f64 = 0.3;
const SIDE: f64 = 0.008;
const YOUNG: f64 = 2e11;
const DENSITY: f64 = 7870.0;
const SLIDER: f64 = 0.075552;
/// Of the crank about its bearing.
const CRANK_INERTIA: f64 = 7.02e-4 + 0.36 * 0.075 * 0.075;
/// Crank angle, two sine waves, one quarter wave of stretch.
const N: usize = 4;

/// Functions of the place along the rod that its motion is made of: one, the place, two sine waves, by how much each product of their coordinates
/// shortens the rod up to there (first, mixed, second), stretch.
const SHAPES: usize = 8;

/// The mechanism in minimal coordinates.
struct Reduced {
    stretch: bool,
    damping_ratio: f64,
    /// Torque on the crank; none where its speed is prescribed.
    torque: Option<f64>,
    /// Integrals of products of shapes over the mass of the rod.
    integrals: [[f64; SHAPES]; SHAPES],
    /// The shapes at the end of the rod.
    end: [f64; SHAPES],
}

/// Where a motion has the mechanism: what shapes of the rod are multiplied by, the slider, the angle of the line between the pins.
struct Places {
    rod: [[Jet; 2]; SHAPES],
    slider: Jet,
    angle: Jet,
}

fn shapes(x: f64, foreshortening: bool) -> [f64; SHAPES] {
    let bending = |i: usize| wave(i).1 * (wave(i).0 * x).sin();
    let shortened = |i: usize, j: usize| {
        let ((k, size), (other, other_size)) = (wave(i), wave(j));
        if foreshortening { size * other_size * k * other * cosines(k, other, x) } else { 0.0 }
    };
    let stretch = scale() * (stretch_wave() * x).sin();
    [1.0, x, bending(0), bending(1), shortened(0, 0), shortened(0, 1), shortened(1, 1), stretch]
}

/// Scale of shapes `sin kx` whose modal mass is one.
fn scale() -> f64 {
    (2.0 / (DENSITY * SIDE * SIDE * ROD)).sqrt()
}

/// Bending shapes `sin kx`, with slope positive at the tip.
fn wave(i: usize) -> (f64, f64) {
    let sign = if i.is_multiple_of(2) { -1.0 } else { 1.0 };
    ((i + 1) as f64 * PI / ROD, sign * scale())
}

fn stretch_wave() -> f64 {
    0.5 * PI / ROD
}

/// `∫ cos ax cos bx` from 0 to `x`.
fn cosines(a: f64, b: f64, x: f64) -> f64 {
    let half = |k: f64| if k == 0.0 { 0.5 * x } else { 0.5 * (k * x).sin() / k };
    half(a - b) + half(a + b)
}

impl Reduced {
    fn new(foreshortening: bool, stretch: bool, damping_ratio: f64, torque: Option<f64>) -> Self {
        // Gauss-Legendre of five points in each of forty parts.
        let (a, b) = (5.0_f64, 2.0 * (10.0_f64 / 7.0).sqrt());
        let places = [0.0, (a - b).sqrt() / 3.0, -(a - b).sqrt() / 3.0, (a + b).sqrt() / 3.0, -(a + b).sqrt() / 3.0];
        let root = 13.0 * 70.0_f64.sqrt();
        let [inner, outer] = [(322.0 + root) / 900.0, (322.0 - root) / 900.0];
        let weights = [128.0 / 225.0, inner, inner, outer, outer];
        let half = 0.5 * ROD / 40.0;
        let mut integrals = [[0.0; SHAPES]; SHAPES];
        for i in 0..40 {
            for (place, weight) in places.iter().zip(weights) {
                let w = shapes(half * (f64::from(2 * i + 1) + place), foreshortening);
                let mass = half * weight * DENSITY * SIDE * SIDE;
                for (k, row) in integrals.iter_mut().enumerate() {
                    row.iter_mut().zip(w).for_each(|(entry, other)| *entry += mass * w[k] * other);
                }
            }
        }
        Self { stretch, damping_ratio, torque, integrals, end: shapes(ROD, foreshortening) }
    }

    /// The loop is closed by the sine of the angle of the line between the pins.
    fn places(&self, s: &[Jet; N]) -> Places {
        // Along the line between the pins.
        let along = [
            Jet::constant(0.0),
            Jet::constant(1.0),
            Jet::constant(0.0),
            Jet::constant(0.0),
            s[1] * s[1] * -0.5,
            -(s[1] * s[2]),
            s[2] * s[2] * -0.5,
            s[3],
        ];
        let distance = along.iter().zip(self.end).fold(Jet::constant(0.0), |sum, (part, shape)| sum + *part * shape);
        let (pin_x, pin_y) = (s[0].cos() * CRANK, s[0].sin() * CRANK);
        let angle = (-(pin_y * distance.inverse())).asin();
        let (sine, cosine) = (angle.sin(), angle.cos());
        let mut rod = along.map(|part| [part * cosine, part * sine]);
        rod[0] = [pin_x, pin_y];
        for i in 0..2 {
            rod[2 + i] = [-(s[1 + i] * sine), s[1 + i] * cosine];
        }
        Places { rod, slider: pin_x + distance * cosine, angle }
    }

    /// Accelerations of the coordinates: `Σ m J* (J a + γ) = Q`.
    fn accelerations(&self, q: &[f64; N], u: &[f64; N]) -> [f64; N] {
        let jets = |speed: &dyn Fn(usize) -> f64| std::array::from_fn(|i| Jet([q[i], speed(i), 0.0]));
        let drift = self.places(&jets(&|i| u[i]));
        let unit: Vec<Places> = (0..N).map(|j| self.places(&jets(&|i| f64::from(u8::from(i == j))))).collect();
        let rotary = DENSITY * SIDE.powi(4) / 12.0 * ROD;
        // Momentum, or its rate, of a motion in the direction of a coordinate.
        let product = |motion: &Places, order: usize, j: usize| {
            let direction = &unit[j];
            let mut sum = SLIDER * motion.slider.0[order] * direction.slider.0[1]
                + rotary * motion.angle.0[order] * direction.angle.0[1];
            for (row, of) in self.integrals.iter().zip(&motion.rod) {
                for (mass, to) in row.iter().zip(&direction.rod) {
                    sum += mass * (of[0].0[order] * to[0].0[1] + of[1].0[order] * to[1].0[1]);
                }
            }
            sum
        };
        let stiffness = |i: usize| match i {
            0 => 0.0,
            3 => stretch_wave().powi(2) * YOUNG / DENSITY,
            _ => wave(i - 1).0.powi(4) * YOUNG * SIDE * SIDE / 12.0 / DENSITY,
        };
        let mut matrix = [[0.0; N + 1]; N];
        for (j, row) in matrix.iter_mut().enumerate() {
            for (i, entry) in row[..N].iter_mut().enumerate() {
                *entry = product(&unit[i], 1, j);
            }
            let damping = 2.0 * self.damping_ratio * stiffness(j).sqrt();
            row[N] = -product(&drift, 2, j) - stiffness(j) * q[j] - damping * u[j];
        }
        matrix[0][0] += CRANK_INERTIA;
        match self.torque {
            Some(torque) => matrix[0][N] += torque,
            None => matrix[0] = [1.0, 0.0, 0.0, 0.0, 0.0],
        }
        if !self.stretch {
            matrix[3] = [0.0, 0.0, 0.0, 1.0, 0.0];
        }
        solve(matrix)
    }

    /// Follows the motion for `time` in `steps` of the midpoint rule, extrapolated to order 14 (Gragg, Bulirsch and Stoer).
    fn follow(&self, y: &mut [f64; 2 * N], time: f64, steps: usize) {
        let rates = |y: &[f64; 2 * N]| {
            let (q, u): ([f64; N], [f64; N]) = (std::array::from_fn(|i| y[i]), std::array::from_fn(|i| y[N + i]));
            let a = self.accelerations(&q, &u);
            std::array::from_fn::<f64, { 2 * N }, _>(|i| if i < N { u[i] } else { a[i - N] })
        };
        let moved = |y: &[f64; 2 * N], h: f64, f: &[f64; 2 * N]| std::array::from_fn(|i| y[i] + h * f[i]);
        let whole = time / steps as f64;
        for _ in 0..steps {
            let first = rates(y);
            let mut row: Vec<[f64; 2 * N]> = Vec::new();
            for level in 1..=7_usize {
                let h = whole / (2 * level) as f64;
                let (mut before, mut now) = (*y, moved(y, h, &first));
                for _ in 1..2 * level {
                    (before, now) = (now, moved(&before, 2.0 * h, &rates(&now)));
                }
                let last = rates(&now);
                let mut next = vec![std::array::from_fn(|i| 0.5 * (before[i] + now[i] + h * last[i]))];
                // Neville's scheme in h².
                for (k, coarse) in row.iter().enumerate() {
                    let (fine, ratio): (&[f64; 2 * N], f64) =
                        (&next[k], (level as f64 / (level - 1 - k) as f64).powi(2));
                    next.push(std::array::from_fn(|i| fine[i] + (fine[i] - coarse[i]) / (ratio - 1.0)));
                }
                row = next;
            }
            *y = row[row.len() - 1];
        }
    }
}

/// By elimination; the matrix of a positive definite system.
fn solve(mut a: [[f64; N + 1]; N]) -> [f64; N] {
    for k in 0..N {
        for i in k + 1..N {
            let share = a[i][k] / a[k][k];
            for j in k..=N {
                a[i][j] -= share * a[k][j];
            }
        }
    }
    let mut x = [0.0; N];
    for k in (0..N).rev() {
        x[k] = (a[k][N] - (k + 1..N).map(|j| a[k][j] * x[j]).sum::<f64>()) / a[k][k];
    }
    x
}

fn example(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/slider-crank").join(name)
}

/// The example for a while, its model and its drive changed.
fn run_example(duration: f64, changes: &[(&str, &str)], drive: &str) -> Results {
    let arm = Arm::new("");
    let mut model = fs::read_to_string(example("slider-crank.toml")).unwrap();
    for (from, to) in changes {
        assert!(model.contains(from), "{from}");
        model = model.replace(from, to);
    }
    let scenario = format!(
        r#"
        format = "supple-scenario-1"
        model = "model.toml"
        duration = {duration}
        output_interval = 0.005
        {drive}
        [integrator]
        kind = "prince-dormand8"
        relative_tolerance = 1e-12
        absolute_tolerance = 1e-14
        [results]
        columns = ["hinges", "modes", "energy"]
        "#
    );
    fs::write(arm.0.join("model.toml"), model).unwrap();
    fs::write(arm.scenario(), scenario).unwrap();
    run(arm.scenario(), &Options::default()).unwrap()
}

/// Compares rows of a run with the reduced equations: differences relative to the greatest value of each coordinate. Gives the bow of the rod
/// at the end, by the reduced equations.
fn compare(results: &Results, reduced: &Reduced, steps: usize) -> f64 {
    let modes = if reduced.stretch { 3 } else { 2 };
    let column = |name: &str| results.column(name).unwrap().to_vec();
    let found: Vec<Vec<f64>> = ["hinge.motor", "hinge.guide"]
        .map(str::to_owned)
        .into_iter()
        .chain((1..=modes).map(|i| format!("mode.rod.{i}")))
        .map(|name| column(&name))
        .collect();
    let times = column("time");
    let mut y = [0.0; 2 * N];
    y[N] = 150.0;
    let mut expected: Vec<Vec<f64>> = vec![Vec::new(); found.len()];
    for i in 0..times.len() {
        if i > 0 {
            reduced.follow(&mut y, times[i] - times[i - 1], steps);
        }
        let s = std::array::from_fn(|i| Jet::constant(y[i]));
        let slider = reduced.places(&s).slider.0[0];
        let values = [y[0], slider].into_iter().chain(y[1..=modes].iter().copied());
        expected.iter_mut().zip(values).for_each(|(list, value)| list.push(value));
    }
    assert!(times.len() > 6);
    for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let size = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let error = found.iter().zip(expected).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
        println!("coordinate {i}: {error:e} of {size:e}");
        assert!(size > 0.0 && error < 1e-8 * size, "coordinate {i}: {error:e} of {size:e}");
    }
    let closures = results.summary().closures.unwrap();
    assert!(closures.deviation < 1e-9 && closures.speed < 1e-9, "{closures:?}");
    // The second wave has a node in the middle.
    y[1] * wave(0).1
}

const PRESCRIBED: &str = "motion = [{ hinge = \"motor\", rate = 150 }]\ninitial.hinges.guide = 0.45\n\
                          initial.hinge_speeds = { \"crank pin\" = -225 }";
const FREE: &str = "torque = [{ hinge = \"motor\", constant = 8 }]\ninitial.hinges.guide = 0.45\n\
                    initial.hinge_speeds = { motor = 150, \"crank pin\" = -225 }";

#[test]
fn the_slider_crank_moves_as_in_minimal_coordinates() {
    let bow = compare(&run_example(0.1, &[], PRESCRIBED), &Reduced::new(true, false, 0.02, None), 20);
    // The number in the gallery.
    assert!((bow - 2.0169878e-4).abs() < 1e-11, "{bow}");
}

#[test]
fn so_does_a_crank_that_a_torque_drives() {
    let undamped = [("damping_ratio = 0.02", "fidelity = \"inconsistent\"")];
    compare(&run_example(0.1, &undamped, FREE), &Reduced::new(false, false, 0.0, Some(8.0)), 20);
}

/// As Simeon's rod, but with the mass that a rod has in stretch.
#[test]
fn so_does_a_rod_that_stretches() {
    let changes = [("damping_ratio = 0.02\n", ""), ("bending_y = 2", "bending_y = 2, stretch = 1")];
    compare(&run_example(0.03, &changes, FREE), &Reduced::new(true, true, 0.0, Some(8.0)), 100);
}
