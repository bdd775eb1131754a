//! Articulated quantities with all freedoms of a body at once, and forward dynamics with them: the recursions of the paper before modes and hinge are
//! taken apart.

use super::{Dense, SpatialOperators, sum_of_powers};
use std::ops::Range;

/// `P`, `D`, `G`, `K`, `τ`, `E_ψ` and `ψ` [JR92 (51), (52), (53)].
#[derive(Clone, Debug)]
pub struct Articulated {
    /// Articulated inertias, block diagonal.
    pub P: Dense,
    /// `D = H P H*`, block diagonal.
    pub D: Dense,
    /// `D⁻¹`.
    pub D_inverse: Dense,
    /// `G = P H* D⁻¹`, block diagonal.
    pub G: Dense,
    /// `K = E_Φ G`.
    pub K: Dense,
    /// `τ̄ = I - G H`, block diagonal.
    pub tau: Dense,
    /// `E_ψ = E_Φ τ̄`.
    pub E_psi: Dense,
    /// `ψ = (I - E_ψ)⁻¹`.
    pub psi: Dense,
}

/// What the recursion of forward dynamics leaves.
#[derive(Clone, Debug)]
pub struct Unsplit {
    /// Rates of the speeds.
    pub accelerations: Vec<f64>,
    /// Residual forces `z`.
    pub z: Vec<f64>,
    /// Innovations `ε`.
    pub epsilon: Vec<f64>,
    /// Modal accelerations `α_m` of the bodies.
    pub alpha: Vec<f64>,
}

impl Articulated {
    /// By the recursion from tips to base; `None` where a `D(k)` is singular.
    pub fn new(of: &SpatialOperators) -> Option<Self> {
        let (rows, speeds) = (of.M.rows(), of.H.rows());
        let (mut P, mut tau) = (of.M.clone(), Dense::identity(rows));
        let (mut D, mut D_inverse) = (Dense::zeros(speeds, speeds), Dense::zeros(speeds, speeds));
        let mut G = Dense::zeros(rows, speeds);
        for place in of.places.iter().rev() {
            let (at, u) = (place.spatial.clone(), place.speeds.clone());
            let H = of.H.block(u.clone(), at.clone());
            let own = P.block(at.clone(), at.clone());
            let PH = &own * &H.transpose();
            let D_own = &H * &PH;
            let inverse = D_own.inverse()?;
            let G_own = &PH * &inverse;
            let tau_own = &Dense::identity(at.len()) - &(&G_own * &H);
            D.put(u.start, u.start, &D_own);
            D_inverse.put(u.start, u.start, &inverse);
            G.put(at.start, u.start, &G_own);
            tau.put(at.start, at.start, &tau_own);
            if let Some(parent) = place.parent.map(|p| of.places[p].spatial.clone()) {
                // P = Φ P⁺ Φ* + M with P⁺ = τ̄ P
                let Phi = of.E_Phi.block(parent.clone(), at);
                let arrived = &(&Phi * &(&tau_own * &own)) * &Phi.transpose();
                let sum = &P.block(parent.clone(), parent.clone()) + &arrived;
                P.put(parent.start, parent.start, &sum);
            }
        }
        let (K, E_psi) = (&of.E_Phi * &G, &of.E_Phi * &tau);
        let psi = sum_of_powers(&E_psi, of.places.len());
        Some(Self { P, D, D_inverse, G, K, tau, E_psi, psi })
    }

    /// Forward dynamics, two sweeps [JR92 (58)].
    pub fn forward_dynamics(&self, of: &SpatialOperators, forces: &[f64]) -> Unsplit {
        let Pa = self.P.times(&of.a);
        let mut z: Vec<f64> = Pa.iter().zip(&of.b).map(|(x, y)| x + y).collect();
        let (mut epsilon, mut nu) = (forces.to_vec(), vec![0.0; forces.len()]);
        for place in of.places.iter().rev() {
            let (at, u) = (place.spatial.clone(), place.speeds.clone());
            let Hz = of.H.block(u.clone(), at.clone()).times(&z[at.clone()]);
            epsilon[u.clone()].iter_mut().zip(Hz).for_each(|(e, x)| *e -= x);
            nu[u.clone()].copy_from_slice(&self.D_inverse.block(u.clone(), u.clone()).times(&epsilon[u.clone()]));
            let Ge = self.G.block(at.clone(), u.clone()).times(&epsilon[u]);
            if let Some(parent) = place.parent.map(|p| of.places[p].spatial.clone()) {
                let plus: Vec<f64> = z[at.clone()].iter().zip(Ge).map(|(z, g)| z + g).collect();
                let arrived = of.E_Phi.block(parent.clone(), at).times(&plus);
                z[parent].iter_mut().zip(arrived).for_each(|(z, x)| *z += x);
            }
        }
        let (mut accelerations, mut alpha) = (vec![0.0; forces.len()], vec![0.0; z.len()]);
        for place in &of.places {
            let (at, u) = (place.spatial.clone(), place.speeds.clone());
            let plus = carried(of, place.parent, at.clone(), &alpha);
            let back = self.G.block(at.clone(), u.clone()).transpose().times(&plus);
            let own: Vec<f64> = nu[u.clone()].iter().zip(back).map(|(nu, x)| nu - x).collect();
            let moved = of.H.block(u.clone(), at.clone()).transpose().times(&own);
            accelerations[u].copy_from_slice(&own);
            for (i, at) in at.enumerate() {
                alpha[at] = plus[i] + moved[i] + of.a[at];
            }
        }
        Unsplit { accelerations, z, epsilon, alpha }
    }
}

/// `α⁺ = Φ*(p,k) α(p)`.
fn carried(of: &SpatialOperators, parent: Option<usize>, at: Range<usize>, alpha: &[f64]) -> Vec<f64> {
    let Some(parent) = parent.map(|p| of.places[p].spatial.clone()) else { return vec![0.0; at.len()] };
    of.E_Phi.block(parent.clone(), at).transpose().times(&alpha[parent])
}
