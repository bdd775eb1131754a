//! Elastic forces of a beam: `U = ½ ∫ (EA ε² + EI_z v''² + EI_y w''² + GJ φ'²) dx` with Green's axial strain
//! `ε = u' + ½ (v'² + w'²)` [DS95 (18)].

use super::modal_beam::{ModalBeam, Sampled};
use supple::NonlinearStiffness;

/// Strains per mode at one point of a beam.
#[derive(Clone, Debug, PartialEq)]
pub struct StrainSample {
    /// Weight of the point in integrals along the beam.
    pub weight: f64,
    /// `EA`.
    pub axial: f64,
    /// `u'` per mode.
    pub stretch: Vec<f64>,
    /// `v'`, `w'` per mode.
    pub slope: Vec<[f64; 2]>,
}

/// `K0`.
pub(super) fn stiffness(beam: &ModalBeam, sampled: &Sampled) -> Vec<Vec<f64>> {
    let p = &beam.properties;
    let moduli = [p.bending_y, p.bending_z, p.axial, p.torsion];
    let n = sampled.shapes.len();
    let mut k = vec![vec![0.0; n]; n];
    for (x, w) in &sampled.points {
        let strains: Vec<[f64; 4]> = sampled.shapes.iter().map(|shape| shape.strains(*x)).collect();
        for i in 0..n {
            for j in 0..n {
                k[i][j] += w * (0..4).map(|e| moduli[e] * strains[i][e] * strains[j][e]).sum::<f64>();
            }
        }
    }
    k
}

/// `s_j · s_k`.
pub(super) fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// `K3`, `K4` of Green's strain, and the rows of `K3` that the axial load stiffens [DS95 (20)].
pub fn nonlinear(samples: &[StrainSample]) -> NonlinearStiffness {
    NonlinearStiffness { axial_load: axial_load(samples), ..greens_strain(samples) }
}

/// `K3` and `K4` of Green's strain.
///
/// ```text
/// K3(i,j,k)   = ∫ EA (u_i' s_j·s_k + u_j' s_i·s_k + u_k' s_i·s_j) dx
/// K4(i,j,k,l) = ∫ EA (s_i·s_j s_k·s_l + s_i·s_k s_j·s_l + s_i·s_l s_j·s_k) dx
/// ```
pub fn greens_strain(samples: &[StrainSample]) -> NonlinearStiffness {
    let n = samples.first().map_or(0, |s| s.stretch.len());
    let integral = |f: &dyn Fn(&StrainSample) -> f64| samples.iter().map(|s| s.weight * s.axial * f(s)).sum::<f64>();
    let mut out = NonlinearStiffness::default();
    let triples = (0..n).flat_map(|i| (i..n).flat_map(move |j| (j..n).map(move |k| [i, j, k])));
    for at @ [i, j, k] in triples {
        let value = integral(&|s| {
            let (u, v) = (&s.stretch, &s.slope);
            u[i] * dot(v[j], v[k]) + u[j] * dot(v[i], v[k]) + u[k] * dot(v[i], v[j])
        });
        if value != 0.0 {
            each_order(&at, &mut |p| out.cubic.push(([p[0], p[1], p[2]], value)));
        }
    }
    let quadruples =
        (0..n).flat_map(|i| (i..n).flat_map(move |j| (j..n).flat_map(move |k| (k..n).map(move |l| [i, j, k, l]))));
    for at @ [i, j, k, l] in quadruples {
        let value = integral(&|s| {
            let v = &s.slope;
            dot(v[i], v[j]) * dot(v[k], v[l]) + dot(v[i], v[k]) * dot(v[j], v[l]) + dot(v[i], v[l]) * dot(v[j], v[k])
        });
        if value != 0.0 {
            each_order(&at, &mut |p| out.quartic.push(([p[0], p[1], p[2], p[3]], value)));
        }
    }
    out
}

/// `N = EA u'` on the transverse rows: `∫ EA u_j' s_i·s_k dx` [DS95 (20)].
pub fn axial_load(samples: &[StrainSample]) -> Vec<([usize; 3], f64)> {
    let n = samples.first().map_or(0, |s| s.stretch.len());
    let entries = (0..n).flat_map(|i| (0..n).flat_map(move |j| (0..n).map(move |k| [i, j, k])));
    let value = |at @ [i, j, k]: [usize; 3]| {
        let integral = samples.iter().map(|s| s.weight * s.axial * (s.stretch[j] * dot(s.slope[i], s.slope[k])));
        (at, integral.sum::<f64>())
    };
    entries.map(value).filter(|(_, value)| *value != 0.0).collect()
}

/// Calls `visit` with every distinct order of sorted `indices`.
fn each_order(indices: &[usize], visit: &mut impl FnMut(&[usize])) {
    let mut order = indices.to_vec();
    loop {
        visit(&order);
        let Some(i) = (1..order.len()).rev().find(|&i| order[i - 1] < order[i]) else { return };
        let next = (i..order.len()).rev().find(|&j| order[j] > order[i - 1]).unwrap_or(i);
        order.swap(i - 1, next);
        order[i..].reverse();
    }
}
