//! Damping by a loss factor: stiffness that relaxes, the same in every mode and pose, however hinges are held.
//!
//! Constant complex stiffness `K (1 + iχ)` would answer before it is asked. Over a band of frequencies it is what stiffness with relaxing branches is,
//!
//! ```text
//! K(s) = K (1 + Σ_j a_j h_j(s)),   h_j(s) = 1 - p_j P / ((s + p_j)(s + P)),   a_j ≥ 0
//! ```
//!
//! whose `p_j` are spread over the band, with the `a_j` of least squares that are not negative. `P` is beyond the band. Each branch is a mass on a
//! dashpot behind a spring, one for each mode of the body (Golla, Hughes and McTavish), so that it is part of the body as any mode is:
//!
//! ```text
//! M η̈ + K η + Σ_j a_j K (η - z_j) = f
//! a_j K (z̈_j / p_j P + (1/p_j + 1/P) ż_j + z_j - η) = 0
//! ```
//!
//! `z` are scaled to unit mass. Where `K` is not diagonal, they are in the directions of its eigenvectors. At rest `z = η`: stiffness at rest is what it was, and it rises with the
//! frequency, as causality demands.

use supple::{Body, ModalInertia, ModalMatrix};

use super::nonnegative::least_squares;
use super::{dense, relaxing};
use crate::eigen;

/// Branches per decade of the band, and one more.
const PER_DECADE: f64 = 1.5;
/// Factor by which their rates go beyond the band at both ends.
const MARGIN: f64 = 1.5;
/// `P` in units of the highest angular frequency of the band.
const FAST: f64 = 10.0;
/// Frequencies per branch at which the loss factor is fitted.
const SAMPLES: usize = 25;
/// Most that the loss factor may differ from what was asked for, relatively, anywhere in the band.
const CLOSE: f64 = 0.05;
/// Largest loss factor.
pub const MOST_LOSS: f64 = 0.3;
/// Widest band: the highest frequency in units of the lowest.
pub const WIDEST_BAND: f64 = 1e6;
/// Stiffness below this part of the largest is none.
const SOFT: f64 = 1e-12;

/// A loss factor within a band of frequencies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossFactor {
    /// Loss factor: the part `χ` of complex stiffness `K (1 + iχ)`. The damping ratio of a vibration whose stiffness is all elastic is half of it.
    pub factor: f64,
    /// The lowest and the highest frequency of the band, Hz.
    pub band: [f64; 2],
}

/// Stiffness that relaxes.
#[derive(Clone, Debug, PartialEq)]
pub struct Relaxation {
    branches: Vec<Branch>,
    /// `P`, rad/s.
    fast: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Branch {
    /// `a`.
    share: f64,
    /// `p`, rad/s.
    rate: f64,
}

impl LossFactor {
    /// The branches that have it; none where it is zero or more than [`MOST_LOSS`], where the band is empty or wider than [`WIDEST_BAND`], and where
    /// branches have it nowhere near.
    pub fn relaxation(&self) -> Option<Relaxation> {
        let [low, high] = self.band.map(|hz| std::f64::consts::TAU * hz);
        let width = high / low;
        let sound = self.factor > 0.0 && self.factor <= MOST_LOSS && low > 0.0 && width > 1.0 && width <= WIDEST_BAND;
        if !sound {
            return None;
        }
        let fast = FAST * high;
        let count = ((PER_DECADE * width.log10()).ceil() as usize + 1).max(2);
        let spread = |from: f64, to: f64, k: usize, n: usize| from * (to / from).powf(k as f64 / (n - 1) as f64);
        let rates: Vec<f64> = (0..count).map(|j| spread(low / MARGIN, high * MARGIN, j, count)).collect();
        let samples: Vec<f64> = (0..SAMPLES * count).map(|k| spread(low, high, k, SAMPLES * count)).collect();
        // Im K = χ Re K, linear in the shares.
        let missing = |omega: f64, rate: f64| {
            let [re, im] = answer(omega, rate, fast);
            im / self.factor - re
        };
        let column = |rate: &f64| -> Vec<f64> { samples.iter().map(|omega| missing(*omega, *rate)).collect() };
        let columns: Vec<Vec<f64>> = rates.iter().map(column).collect();
        let shares = least_squares(&columns, &vec![1.0; samples.len()]);
        let branches = rates.iter().zip(shares).map(|(&rate, share)| Branch { share, rate });
        let found = Relaxation { branches: branches.filter(|branch| branch.share > 0.0).collect(), fast };
        let off = |omega: &f64| (found.loss_factor(omega / std::f64::consts::TAU) / self.factor - 1.0).abs();
        samples.iter().all(|omega| off(omega) <= CLOSE).then_some(found)
    }
}

/// Real and imaginary part of `h(iω)`.
fn answer(omega: f64, rate: f64, fast: f64) -> [f64; 2] {
    // 1 / ((1 + iω/p)(1 + iω/P))
    let (a, b) = (omega / rate, omega / fast);
    let (re, im) = (1.0 - a * b, a + b);
    let size = re * re + im * im;
    [1.0 - re / size, im / size]
}

impl Relaxation {
    /// Real and imaginary part of the stiffness at a frequency in Hz, in units of that at rest.
    pub fn stiffness(&self, hz: f64) -> [f64; 2] {
        let omega = std::f64::consts::TAU * hz;
        self.branches.iter().fold([1.0, 0.0], |[re, im], branch| {
            let [x, y] = answer(omega, branch.rate, self.fast);
            [re + branch.share * x, im + branch.share * y]
        })
    }

    /// The loss factor at a frequency in Hz.
    pub fn loss_factor(&self, hz: f64) -> f64 {
        let [re, im] = self.stiffness(hz);
        im / re
    }

    /// How many branches there are.
    pub fn branches(&self) -> usize {
        self.branches.len()
    }

    /// Gives it to the modes of a body, which gets one coordinate more for each branch of each mode that has stiffness. Modal coordinates that relax
    /// already are left as they are.
    pub fn add_to(&self, body: &mut Body) {
        let n = body.modes.count;
        let kept = n - relaxing::count(body);
        let stiffness = dense(&body.modes.stiffness, n);
        let elastic: Vec<Vec<f64>> = stiffness[..kept].iter().map(|row| row[..kept].to_vec()).collect();
        let springs = springs(elastic);
        let added = self.branches.len() * springs.len();
        if added == 0 {
            return;
        }
        let wide = |rows: Vec<Vec<f64>>| -> Vec<Vec<f64>> {
            let old = rows.into_iter().map(|row| [row, vec![0.0; added]].concat());
            old.chain((0..added).map(|_| vec![0.0; n + added])).collect()
        };
        let (mut k, mut c) = (wide(stiffness), wide(dense(&body.modes.damping, n)));
        let mut tables = widened(body, added);
        let pairs = self.branches.iter().flat_map(|branch| springs.iter().map(move |spring| (branch, spring)));
        for (z, (branch, (spring, direction))) in (n..).zip(pairs) {
            let own = branch.share * spring;
            // In units in which its mass is one, as that of other modes.
            let mass = own / (branch.rate * self.fast);
            tables.modal_mass[z][z] = 1.0;
            k[z][z] = own / mass;
            c[z][z] = own / mass * (1.0 / branch.rate + 1.0 / self.fast);
            for i in 0..kept {
                k[i][z] -= own / mass.sqrt() * direction[i];
                k[z][i] = k[i][z];
                (0..kept).for_each(|j| k[i][j] += own * (direction[i] * direction[j]));
            }
        }
        for node in &mut body.nodes {
            if !node.influence.is_empty() {
                node.influence.splice(n..n, vec![[0.0; 6]; added]);
            }
            if !node.strain.is_empty() {
                node.strain.splice(n..n, vec![[0.0; 4]; added]);
            }
        }
        body.modes.count += added;
        body.modes.stiffness = ModalMatrix::Full(k);
        body.modes.damping = ModalMatrix::Full(c);
        body.modal_inertia = Some(tables);
    }
}

/// Stiffness as springs in directions at right angles to each other; those without stiffness are left out.
fn springs(stiffness: Vec<Vec<f64>>) -> Vec<(f64, Vec<f64>)> {
    let n = stiffness.len();
    let diagonal = (0..n).all(|i| (0..n).all(|j| i == j || stiffness[i][j] == 0.0));
    let unit = |i: usize| (0..n).map(|j| f64::from(i == j)).collect();
    let all: Vec<(f64, Vec<f64>)> = match diagonal {
        true => (0..n).map(|i| (stiffness[i][i], unit(i))).collect(),
        false => {
            let (values, vectors) = eigen::symmetric(stiffness);
            values.into_iter().zip(vectors).collect()
        }
    };
    let most = all.iter().fold(0.0_f64, |most, (value, _)| most.max(*value));
    all.into_iter().filter(|(value, _)| *value > SOFT * most).collect()
}

/// The tables of inertia of a body with so many modes more, which move nothing.
fn widened(body: &Body, added: usize) -> ModalInertia {
    let n = body.modes.count;
    let shapes = n + body.modes.second_order.len();
    let mut tables = body.modal_inertia.clone().unwrap_or_else(|| ModalInertia::zero(shapes));
    tables.moment_change.splice(n..n, vec![[0.0; 3]; added]);
    tables.coupling.splice(n..n, vec![[0.0; 6]; added]);
    tables.inertia_first.splice(n..n, vec![[[0.0; 3]; 3]; added]);
    let wide = shapes + added;
    tables.coupling_change.iter_mut().for_each(|row| drop(row.splice(n..n, vec![[0.0; 3]; added])));
    tables.coupling_change.splice(n..n, vec![vec![[0.0; 3]; wide]; added]);
    tables.inertia_second.iter_mut().for_each(|row| drop(row.splice(n..n, vec![[[0.0; 3]; 3]; added])));
    tables.inertia_second.splice(n..n, vec![vec![[[0.0; 3]; 3]; wide]; added]);
    tables.modal_mass.iter_mut().for_each(|row| drop(row.splice(n..n, vec![0.0; added])));
    tables.modal_mass.splice(n..n, vec![vec![0.0; wide]; added]);
    tables
}
