//! Passivity of the Shuttle arm from Cartesian load to μ-tip rate (Damaren): with a payload that dominates the arm the map is positive real for `μ` below
//! a bound, and not above it.
//!
//! About a pose, `M q̈ + C q̇ + K q = [J_θ, 0]* u`, `y = J_θ θ̇ + μ J_e η̇`: `u` is the load at the tip that the hinges exert, `μ = 1` gives the true rate
//! of the tip and `μ = 0` that of an arm whose booms do not bend. The map is positive real where `G + G*` has no negative eigenvalue at any
//! frequency. In every vibration a heavy payload stays where it is: `J_e η̇ = -J_θ θ̇`, and `y = (1 - μ) J_θ θ̇`.

use std::error::Error;

use supple::{
    BodyIndex, Derivatives, ElasticRotation, Fidelity, Inputs, Model, NodeIndex, State, Workspace,
    inverse_dynamics_derivatives, node_jacobian,
};
use supple_bodies::catalogue::shuttle_arm::{LINKS, ShuttleArm};
use supple_control::inversion::symmetric_eigen;

use super::row::Value;
use super::svg::{Curve, Plot};
use super::{Case as StudyCase, Run};

/// A payload, as a multiple of 15 t.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    payload: f64,
}

const CASES: [Case; 4] = [
    Case { name: "payload-0.15t", payload: 0.01 },
    Case { name: "payload-15t", payload: 1.0 },
    Case { name: "payload-150t", payload: 10.0 },
    Case { name: "payload-1500t", payload: 100.0 },
];
/// Angles of the hinges, rad: no axis of the tip is out of reach.
const POSE: [f64; LINKS] = [0.0, 0.6, -1.2, 0.4, 0.5, 0.2];
/// Damping ratio of the modes of the booms, each by itself.
const DAMPING: f64 = 0.01;
/// Viscous friction of each hinge, N m s/rad.
const FRICTION: f64 = 100.0;
/// Values of `μ` in the picture.
const STEPS: usize = 24;
const STEP: f64 = 0.05;

/// All payloads.
pub fn runs() -> Vec<Run> {
    let run = |case| Run {
        case: StudyCase::Passivity(case),
        fidelity: Fidelity::Stiffened,
        tip: ElasticRotation::Integrated,
    };
    CASES.map(run).into()
}

type Rows = Vec<Vec<f64>>;

/// A complex number as real and imaginary part.
type Complex = [f64; 2];

/// `G` at one frequency as two parts: `G = G_θ + μ G_e`, six by six each.
struct Parts {
    omega: f64,
    of_hinges: Vec<Vec<Complex>>,
    of_modes: Vec<Vec<Complex>>,
}

/// The linear arm.
struct Arm {
    mass: Rows,
    damping: Rows,
    stiffness: Rows,
    /// Six rows: the Jacobian of the tip, scaled so that the inertia of the tip is one in every direction.
    jacobian: Rows,
    /// Whether each speed is one of a hinge.
    is_hinge: Vec<bool>,
}

fn rows(flat: &[f64], n: usize) -> Rows {
    flat.chunks_exact(n).map(<[f64]>::to_vec).collect()
}

impl Arm {
    fn new(case: Case) -> Result<Self, Box<dyn Error>> {
        let arm = ShuttleArm::flexible(Fidelity::Stiffened, ElasticRotation::Integrated);
        let model = arm.build_with_payload(case.payload)?;
        let mut state = State::new(&model);
        for (body, angle) in model.body_indices().zip(POSE) {
            state.coordinates[model.hinge_coordinates(body).start] = angle;
        }
        let (mut workspace, mut derivatives) = (Workspace::new(&model), Derivatives::new(&model));
        inverse_dynamics_derivatives(&model, &state, &Inputs::new(&model), &mut workspace, &mut derivatives)?;
        let n = model.speed_count();
        let (mass, stiffness) = (rows(derivatives.acceleration(), n), rows(derivatives.displacement(), n));
        let mut is_hinge = vec![false; n];
        model.body_indices().for_each(|body| is_hinge[model.hinge_speeds(body)].fill(true));
        let mut damping = vec![vec![0.0; n]; n];
        for (i, is_hinge) in is_hinge.iter().enumerate() {
            let own = 2.0 * DAMPING * (mass[i][i] * stiffness[i][i]).abs().sqrt();
            damping[i][i] = if *is_hinge { FRICTION } else { own };
        }
        let jacobian = scaled_jacobian(&model, &state, &mut workspace, &mass, &is_hinge)?;
        Ok(Self { mass, damping, stiffness, jacobian, is_hinge })
    }

    /// `G_θ = s J_θ X`, `G_e = s J_e X` with `(K + s C + s² M) X = [J_θ, 0]*`, at `s = iω`.
    fn at(&self, omega: f64) -> Option<Parts> {
        let n = self.mass.len();
        let mut system: Vec<Vec<Complex>> = (0..n)
            .map(|i| {
                let entry =
                    |j: usize| [self.stiffness[i][j] - omega * omega * self.mass[i][j], omega * self.damping[i][j]];
                let load = |row: &Vec<f64>| [if self.is_hinge[i] { row[i] } else { 0.0 }, 0.0];
                (0..n).map(entry).chain(self.jacobian.iter().map(load)).collect()
            })
            .collect();
        solve(&mut system)?;
        let part = |hinges: bool| -> Vec<Vec<Complex>> {
            let entry = |row: &Vec<f64>, column: usize| {
                let moving = (0..n).filter(|j| self.is_hinge[*j] == hinges);
                let sum = moving.fold([0.0; 2], |[a, b], j| {
                    let [re, im] = system[j][n + column];
                    [a + row[j] * re, b + row[j] * im]
                });
                [-omega * sum[1], omega * sum[0]]
            };
            self.jacobian.iter().map(|row| (0..6).map(|column| entry(row, column)).collect()).collect()
        };
        Some(Parts { omega, of_hinges: part(true), of_modes: part(false) })
    }

    /// Over the frequencies that matter: evenly on a logarithmic axis, and closely around each resonance.
    fn sweep(&self) -> Result<Vec<Parts>, Box<dyn Error>> {
        let (squares, _) = symmetric_eigen(&self.stiffness, &self.mass).ok_or("the arm has no modes")?;
        let mut all: Vec<f64> = (0..=400).map(|i| 10.0_f64.powf(-3.0 + 7.0 * f64::from(i) / 400.0)).collect();
        for omega in squares.iter().filter(|square| **square > 1e-3).map(|square| square.sqrt()) {
            all.extend((-10..=10).map(|i| omega * (1.0 + 0.5 * DAMPING * f64::from(i))));
        }
        let found = all.into_iter().map(|omega| self.at(omega)).collect::<Option<Vec<Parts>>>();
        found.ok_or_else(|| "a frequency is one of an undamped pole".into())
    }
}

/// The Jacobian of the tip of the last link, `S J` with `S* S` the inertia that the tip shows where booms are rigid. Where `u` is scaled by `S⁻*`, `G` is
/// turned by a congruence, which changes no sign.
fn scaled_jacobian(
    model: &Model,
    state: &State,
    workspace: &mut Workspace,
    mass: &Rows,
    is_hinge: &[bool],
) -> Result<Rows, Box<dyn Error>> {
    let n = model.speed_count();
    let mut flat = vec![0.0; 6 * n];
    node_jacobian(model, state, (BodyIndex(LINKS - 1), NodeIndex(1)), workspace, &mut flat)?;
    let jacobian = rows(&flat, n);
    let hinges: Vec<usize> = (0..n).filter(|i| is_hinge[*i]).collect();
    // S J_θ = L* with M_θθ = L L*, so S = L* J_θ⁻¹ and S J = L* (J_θ⁻¹ J).
    let mut system: Vec<Vec<Complex>> = jacobian
        .iter()
        .map(|row| hinges.iter().map(|i| row[*i]).chain(row.iter().copied()).map(|x| [x, 0.0]).collect())
        .collect();
    solve(&mut system).ok_or("the tip cannot move in every direction")?;
    let factor = cholesky(&hinges.iter().map(|i| hinges.iter().map(|j| mass[*i][*j]).collect()).collect())
        .ok_or("the mass matrix is not positive")?;
    let entry = |i: usize, j: usize| (0..6).map(|k| factor[k][i] * system[k][6 + j][0]).sum::<f64>();
    Ok((0..6).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect())
}

/// Elimination with pivots of `[A, B]`; `A⁻¹ B` stands in the place of `B`.
fn solve(system: &mut [Vec<Complex>]) -> Option<()> {
    let n = system.len();
    let size = |[a, b]: Complex| a * a + b * b;
    for i in 0..n {
        let pivot = (i..n).max_by(|p, q| size(system[*p][i]).total_cmp(&size(system[*q][i])))?;
        system.swap(i, pivot);
        let [a, b] = system[i][i];
        let square = size([a, b]);
        if square == 0.0 || !square.is_finite() {
            return None;
        }
        for x in &mut system[i][i..] {
            *x = [(x[0] * a + x[1] * b) / square, (x[1] * a - x[0] * b) / square];
        }
        let row = system[i].clone();
        for (_, other) in system.iter_mut().enumerate().filter(|(k, _)| *k != i) {
            let [c, d] = other[i];
            for (x, y) in other[i..].iter_mut().zip(&row[i..]) {
                *x = [x[0] - (c * y[0] - d * y[1]), x[1] - (c * y[1] + d * y[0])];
            }
        }
    }
    Some(())
}

fn cholesky(a: &Rows) -> Option<Rows> {
    let n = a.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let rest = a[i][j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
            l[i][j] = if i == j { rest.sqrt() } else { rest / l[j][j] };
        }
        // The root of what is negative is not a number, and not above zero either.
        let is_positive = l[i][i] > 0.0;
        if !is_positive {
            return None;
        }
    }
    Some(l)
}

impl Parts {
    /// `(G + G*)/2` as a real symmetric matrix of twice the size, over the size of `G`.
    fn hermitian(&self, mu: f64) -> Rows {
        let g = |i: usize, j: usize| {
            let (a, b) = (self.of_hinges[i][j], self.of_modes[i][j]);
            [a[0] + mu * b[0], a[1] + mu * b[1]]
        };
        let all = (0..36).map(|k| g(k / 6, k % 6));
        let size = all.map(|[re, im]| re * re + im * im).sum::<f64>().sqrt();
        let part = |i: usize, j: usize| {
            let (here, across) = (g(i % 6, j % 6), g(j % 6, i % 6));
            let (re, im) = (0.5 * (here[0] + across[0]) / size, 0.5 * (here[1] - across[1]) / size);
            match (i / 6, j / 6) {
                (0, 1) => -im,
                (1, 0) => im,
                _ => re,
            }
        };
        (0..12).map(|i| (0..12).map(|j| part(i, j)).collect()).collect()
    }

    fn is_positive(&self, mu: f64) -> bool {
        cholesky(&self.hermitian(mu)).is_some()
    }
}

/// The greatest `μ` up to which `G + G*` is positive at all frequencies, and where it is not just above: frequency in rad/s.
fn bound(sweep: &[Parts]) -> (f64, f64) {
    let fails = |mu: f64| sweep.iter().find(|parts| !parts.is_positive(mu)).map(|parts| parts.omega);
    let (mut low, mut high) = (0.0, 2.0);
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        *(if fails(middle).is_none() { &mut low } else { &mut high }) = middle;
    }
    (low, fails(high).unwrap_or(f64::NAN))
}

/// The most negative eigenvalue of `(G + G*)/2` over all frequencies, over the size of `G`; zero where there is none.
fn violation(sweep: &[Parts], mu: f64) -> f64 {
    let identity: Rows = (0..12).map(|i| (0..12).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let of = |parts: &Parts| match parts.is_positive(mu) {
        true => 0.0,
        false => symmetric_eigen(&parts.hermitian(mu), &identity).map_or(f64::NAN, |(values, _)| -values[0]),
    };
    sweep.iter().map(of).fold(0.0, f64::max)
}

/// The bound, what is above it, and how far the payload moves in a vibration.
pub fn values(case: Case) -> Result<Vec<Value>, Box<dyn Error>> {
    let sweep = Arm::new(case)?.sweep()?;
    let (bound, omega) = bound(&sweep);
    let value = |quantity: &str, ours: f64| Value::new(quantity, None, ours);
    Ok(vec![
        value("mu_bound", bound),
        value("frequency_above_bound_hz", omega / std::f64::consts::TAU),
        value("negative_part_at_0.5", violation(&sweep, 0.5)),
        value("negative_part_at_1", violation(&sweep, 1.0)),
        value("negative_part_at_1.1", violation(&sweep, 1.1)),
    ])
}

/// The negative part by `μ`, a curve for each payload.
pub fn picture() -> Result<String, Box<dyn Error>> {
    let mut curves = Vec::new();
    for case in CASES {
        let sweep = Arm::new(case)?.sweep()?;
        let (bound, _) = bound(&sweep);
        let values = (0..=STEPS).map(|i| violation(&sweep, STEP * i as f64)).collect();
        curves.push(Curve { name: format!("{}, μ &lt; {bound:.3}", case.name[8..].replace('t', " t")), values });
    }
    Ok(Plot {
        title: "Shuttle arm: most negative eigenvalue of (G + G*)/2 over |G|; none below the bound".into(),
        across: "μ",
        up: "negative part",
        unit: "= μ",
        label: |i| format!("{:.2}", STEP * i as f64),
        curves,
    }
    .to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Load and rate at the same place: passive whatever the payload. A payload that dominates brings the bound to one, and above one nothing is.
    #[test]
    fn a_dominating_payload_makes_the_map_positive_real_below_a_bound() {
        let bounds = CASES.map(|case| {
            let sweep = Arm::new(case).unwrap().sweep().unwrap();
            assert!(sweep.iter().all(|parts| parts.is_positive(0.0)), "{}", case.name);
            let (bound, _) = bound(&sweep);
            assert!(sweep.iter().all(|parts| parts.is_positive(0.99 * bound)), "{}: {bound}", case.name);
            for above in [1.01 * bound, 1.05, 1.5] {
                assert!(violation(&sweep, above.max(1.01 * bound)) > 0.0, "{}: {above}", case.name);
            }
            bound
        });
        println!("bounds {bounds:?}");
        assert!(bounds.windows(2).all(|pair| pair[1] > pair[0]), "{bounds:?}");
        assert!(bounds[1] > 0.7 && bounds[3] > 0.95 && bounds[3] <= 1.001, "{bounds:?}");
    }
}
