//! Modal integrals of the Newton-Euler convention, and mass and gyroscopic forces by their orders: Appendix C of US patent 5,546,508 in the forms that hold.

use super::Dense;
use super::nodes::{Deformation, NodalBody};
use supple::spatial::{Matrix3, Vector3};

type V = Vector3<f64>;
type M = Matrix3<f64>;

/// Tables by modes: one index `r`, two `r, s`, three `q, r, s`, the last one fastest.
#[derive(Clone, Debug)]
pub struct ModalIntegrals {
    modes: usize,
    /// Mass.
    pub m: f64,
    /// First moment `m p0` of the undeformed body, and its change `m p1(r)`.
    pub mp0: V,
    /// Change of the first moment.
    pub mp1: Vec<V>,
    /// Linear momentum of a mode.
    pub E: Vec<V>,
    /// Angular momentum of a mode, undeformed.
    pub F0: Vec<V>,
    /// Its change by the second mode.
    pub F1: Vec<V>,
    /// Modal mass.
    pub G: Vec<f64>,
    /// Inertia about the frame, undeformed.
    pub J0: M,
    /// Its change, half of it.
    pub J1: Vec<M>,
    /// Its second change.
    pub J2: Vec<M>,
    /// Gyroscopic forces on modes that offsets and inertias of nodes give.
    pub S1: Vec<M>,
    /// Their change.
    pub S2: Vec<M>,
    /// Gyroscopic moments of rates, from offsets and inertias of nodes.
    pub K1: Vec<M>,
    /// Their change.
    pub K2: Vec<M>,
    /// Moment of inertia of slopes.
    pub R1: Vec<V>,
    /// Moments of pairs of rates.
    pub R2: Vec<V>,
    /// Their change.
    pub R3: Vec<V>,
    /// Forces of pairs of rates.
    pub mL: Vec<V>,
    /// Gyroscopic forces of rates on modes, all that (109) adds.
    pub Q: Vec<V>,
    /// Forces of pairs of rates on modes.
    pub T3: Vec<f64>,
}

fn skew(v: V) -> M {
    Matrix3::skew(v)
}

impl ModalIntegrals {
    /// Sums over the nodes of a body [US508 C.1].
    pub fn new(body: &NodalBody) -> Self {
        let n = body.modes;
        let (zero, none) = (Vector3::ZERO, skew(Vector3::ZERO));
        let mut out = Self {
            modes: n,
            m: 0.0,
            mp0: zero,
            mp1: vec![zero; n],
            E: vec![zero; n],
            F0: vec![zero; n],
            F1: vec![zero; n * n],
            G: vec![0.0; n * n],
            J0: none,
            J1: vec![none; n],
            J2: vec![none; n * n],
            S1: vec![none; n],
            S2: vec![none; n * n],
            K1: vec![none; n],
            K2: vec![none; n * n],
            R1: vec![zero; n],
            R2: vec![zero; n * n],
            R3: vec![zero; n * n * n],
            mL: vec![zero; n * n],
            Q: vec![zero; n * n],
            T3: vec![0.0; n * n * n],
        };
        for node in &body.nodes {
            let (m, p, J, l) = (node.m, node.p, node.J, node.l0);
            let (p_, l_) = (skew(p), skew(l));
            out.m += m;
            out.mp0 += (p + l) * m;
            out.J0 += J - (l_ * l_ + p_ * l_ + l_ * p_) * m;
            for (r, a) in node.Pi.iter().enumerate() {
                let (lr, gr) = (a.angular, a.linear);
                let offset = skew(p.cross(lr) * m);
                out.mp1[r] += gr * m;
                out.E[r] += (gr - p.cross(lr)) * m;
                out.F0[r] += J * lr + (l + p).cross(gr) * m - l.cross(p.cross(lr)) * m;
                out.J1[r] -= skew(gr) * (l_ + p_) * m;
                out.S1[r] += offset * l_ - J * skew(lr);
                out.K1[r] += l_ * offset * 2.0 - J * skew(lr) + skew(lr) * J;
                out.R1[r] += J * lr;
                for (s, b) in node.Pi.iter().enumerate() {
                    let (at, ls, gs) = (r * n + s, b.angular, b.linear);
                    out.F1[at] += gs.cross(gr - p.cross(lr)) * m;
                    out.G[at] += lr.dot(J * ls) + (lr.dot(p.cross(gs)) + ls.dot(p.cross(gr)) + gr.dot(gs)) * m;
                    out.J2[at] -= skew(gr) * skew(gs) * m;
                    out.S2[at] += offset * skew(gs);
                    out.K2[at] += skew(gs) * offset * 2.0;
                    out.R2[at] += lr.cross(J * ls) - l.cross(lr.cross(p.cross(ls))) * m;
                    out.mL[at] -= lr.cross(p.cross(ls)) * m;
                    // T1(s,r) + T2(s,r) + W1(r,s) + W2(r,s) + 2 F1(s,r)                [US508 (109)]
                    let T1 = gs.cross(p.cross(lr)) * m + J * ls.cross(lr);
                    let T2 = p.cross(gs.cross(lr)) * m - ls.cross(J * lr);
                    let W = lr.cross(p.cross(gs)) * m + lr.cross(J * ls);
                    let F1 = gr.cross(gs - p.cross(ls)) * m;
                    out.Q[at] += T1 + T2 + W + F1 * 2.0;
                    for (q, c) in node.Pi.iter().enumerate() {
                        let lq = c.angular;
                        out.R3[(q * n + r) * n + s] -= c.linear.cross(lr.cross(p.cross(ls))) * m;
                        out.T3[(q * n + r) * n + s] += lq.dot(gr.cross(p.cross(ls)) * m + J * lr.cross(ls));
                    }
                }
            }
        }
        out
    }

    fn sum<T>(&self, x: &[f64], zero: T, table: impl Fn(usize) -> T) -> T
    where
        T: std::ops::Add<Output = T> + std::ops::Mul<f64, Output = T>,
    {
        x.iter().enumerate().fold(zero, |sum, (r, x)| sum + table(r) * *x)
    }

    fn pairs<T>(&self, x: &[f64], y: &[f64], zero: T, table: impl Fn(usize) -> T) -> T
    where
        T: std::ops::Add<Output = T> + std::ops::Mul<f64, Output = T>,
    {
        let n = self.modes;
        (0..n * n).fold(zero, |sum, at| sum + table(at) * (x[at / n] * y[at % n]))
    }

    /// `M⁰`, `M¹`, `M²` [US508 (86)].
    pub fn mass_orders(&self, eta: &[f64]) -> [Dense; 3] {
        let (n, none) = (self.modes, skew(Vector3::ZERO));
        let whole = |G: Option<&[f64]>, F: Vec<V>, E: Option<&[V]>, J: M, mp: V, m: f64| {
            let size = n + 6;
            let p = skew(mp);
            let rigid = |i: usize, j: usize| match (i < 3, j < 3) {
                (true, true) => J.0[i][j],
                (true, false) => p.0[i][j - 3],
                (false, true) => -p.0[i - 3][j],
                (false, false) => {
                    if i == j {
                        m
                    } else {
                        0.0
                    }
                }
            };
            let coupling = |r: usize, i: usize| if i < 3 { F[r][i] } else { E.map_or(0.0, |E| E[r][i - 3]) };
            Dense::from_fn(size, size, |i, j| match (i < n, j < n) {
                (true, true) => G.map_or(0.0, |G| G[i * n + j]),
                (true, false) => coupling(i, j - n),
                (false, true) => coupling(j, i - n),
                (false, false) => rigid(i - n, j - n),
            })
        };
        let F1 = (0..n).map(|r| self.sum(eta, Vector3::ZERO, |s| self.F1[r * n + s])).collect();
        let J1 = self.sum(eta, none, |r| self.J1[r] + self.J1[r].transpose());
        let mp1 = self.sum(eta, Vector3::ZERO, |r| self.mp1[r]);
        let J2 = self.pairs(eta, eta, none, |at| self.J2[at]);
        [
            whole(Some(&self.G), self.F0.clone(), Some(&self.E), self.J0, self.mp0, self.m),
            whole(None, F1, None, J1, mp1, 0.0),
            whole(None, vec![Vector3::ZERO; n], None, J2, Vector3::ZERO, 0.0),
        ]
    }

    /// `b⁰` to `b³` [US508 (130)].
    pub fn bias_orders(&self, at: &Deformation) -> [Vec<f64>; 4] {
        let n = self.modes;
        let (none, zero) = (skew(Vector3::ZERO), Vector3::ZERO);
        let Deformation { eta, eta_dot, omega } = at;
        let w = *omega;
        let J1 = self.sum(eta, none, |r| self.J1[r] + self.J1[r].transpose());
        let J2 = self.pairs(eta, eta, none, |at| self.J2[at]);
        let K1 = self.sum(eta_dot, none, |r| self.J1[r].transpose() * 2.0 + self.K1[r]);
        let K2 = self.pairs(eta_dot, eta, none, |at| self.J2[at].transpose() * 2.0 + self.K2[at]);
        let moment = |matrix: M| w.cross(matrix * w);
        let angular = [
            moment(self.J0),
            moment(J1) + K1 * w + w.cross(self.sum(eta_dot, zero, |r| self.R1[r])),
            moment(J2) + K2 * w + self.pairs(eta_dot, eta_dot, zero, |at| self.R2[at]),
            self.sum(eta, zero, |q| self.pairs(eta_dot, eta_dot, zero, |at| self.R3[q * n * n + at])),
        ];
        let p1 = self.sum(eta, zero, |r| self.mp1[r]);
        let linear = [
            w.cross(w.cross(self.mp0)),
            w.cross(w.cross(p1) + self.sum(eta_dot, zero, |r| self.E[r]) * 2.0),
            self.pairs(eta_dot, eta_dot, zero, |at| self.mL[at]),
            zero,
        ];
        let modal = |order: usize, r: usize| match order {
            0 => -w.dot((self.S1[r] + self.J1[r]) * w),
            1 => {
                let change = self.sum(eta, none, |s| self.S2[r * n + s] + self.J2[r * n + s]);
                -w.dot(self.sum(eta_dot, zero, |s| self.Q[r * n + s]) + change * w)
            }
            2 => (0..n * n).map(|at| self.T3[(at / n * n + r) * n + at % n] * eta_dot[at / n] * eta_dot[at % n]).sum(),
            _ => 0.0,
        };
        [0, 1, 2, 3].map(|order| {
            let modes = (0..n).map(|r| modal(order, r));
            modes.chain(angular[order].0).chain(linear[order].0).collect()
        })
    }
}
