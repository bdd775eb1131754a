//! Stiffness, mass and the motions that strain nothing.

use super::{SparseSymmetric, add_scaled, dot};

/// A finite-element model, nothing held.
#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    /// Stiffness `K`.
    pub stiffness: SparseSymmetric,
    /// Mass `M`.
    pub mass: SparseSymmetric,
    /// Motions without strain, one vector each.
    pub rigid: Vec<Vec<f64>>,
}

impl Structure {
    /// A model of nodes with six degrees of freedom `[θ; u]` each.
    ///
    /// # Panics
    /// If the matrices do not fit the nodes.
    #[track_caller]
    pub fn new(stiffness: SparseSymmetric, mass: SparseSymmetric, positions: &[[f64; 3]]) -> Self {
        let size = 6 * positions.len();
        assert!(stiffness.size() == size && mass.size() == size, "six degrees of freedom per node");
        Self { stiffness, mass, rigid: rigid_motions(positions) }
    }

    /// Number of degrees of freedom.
    pub fn size(&self) -> usize {
        self.stiffness.size()
    }
}

/// Turns about and shifts along x, y and z of nodes with six degrees of freedom `[θ; u]`.
pub fn rigid_motions(positions: &[[f64; 3]]) -> Vec<Vec<f64>> {
    let motion = |axis: usize| -> Vec<f64> {
        let mut unit = [0.0; 3];
        unit[axis % 3] = 1.0;
        let still = [0.0; 3];
        let node = |p: &[f64; 3]| {
            let [a, b, c] = unit;
            let turned = [b * p[2] - c * p[1], c * p[0] - a * p[2], a * p[1] - b * p[0]];
            if axis < 3 { [unit, turned] } else { [still, unit] }
        };
        positions.iter().flat_map(|p| node(p).concat()).collect()
    };
    (0..6).map(motion).collect()
}

/// Combinations of `motions` that vanish at the degrees of freedom `held`.
pub(super) fn compatible(motions: &[Vec<f64>], held: &[usize]) -> Vec<Vec<f64>> {
    // Each motion is scaled so that rotations and shifts of any unit compare.
    let mut left: Vec<Vec<f64>> = motions.iter().filter_map(|m| unit(m.clone())).collect();
    // Elimination: the motion that is largest at a held degree of freedom is spent to cancel the others there.
    while !left.is_empty() {
        let places = held.iter().flat_map(|&dof| (0..left.len()).map(move |m| (dof, m)));
        let Some((dof, m)) = places.max_by(|a, b| left[a.1][a.0].abs().total_cmp(&left[b.1][b.0].abs())) else { break };
        if left[m][dof].abs() < 1e-9 {
            break;
        }
        let spent = left.swap_remove(m);
        for motion in &mut left {
            let factor = -motion[dof] / spent[dof];
            add_scaled(motion, factor, &spent);
            motion[dof] = 0.0;
        }
        left = left.into_iter().filter_map(unit).collect();
    }
    for motion in &mut left {
        held.iter().for_each(|&dof| motion[dof] = 0.0);
    }
    left
}

/// Scaled to a largest entry of 1; nothing if it is zero.
fn unit(mut v: Vec<f64>) -> Option<Vec<f64>> {
    let size = v.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if size < 1e-12 {
        return None;
    }
    v.iter_mut().for_each(|x| *x /= size);
    Some(v)
}

/// Orthonormal in `mass`, twice for rounding; vectors that depend on earlier ones, or move no mass, go.
pub(super) fn mass_orthonormal(mass: &SparseSymmetric, vectors: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut out: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    for vector in vectors {
        let before = dot(vector, &mass.mul(vector));
        let mut v = vector.clone();
        for _ in 0..2 {
            for (q, mq) in &out {
                let along = dot(mq, &v);
                add_scaled(&mut v, -along, q);
            }
        }
        let mv = mass.mul(&v);
        let square = dot(&v, &mv);
        if square > 1e-18 * before && square > 0.0 {
            let scale = 1.0 / square.sqrt();
            out.push((v.iter().map(|x| x * scale).collect(), mv.iter().map(|x| x * scale).collect()));
        }
    }
    out.into_iter().map(|(q, _)| q).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clamp leaves nothing, a pin two turns, a free beam all six.
    #[test]
    fn what_supports_leave() {
        let motions = rigid_motions(&[[0.0; 3], [100.0, 0.0, 0.0], [200.0, 0.0, 0.0]]);
        assert_eq!(compatible(&motions, &[]).len(), 6);
        assert_eq!(compatible(&motions, &[0, 1, 2, 3, 4, 5]).len(), 0);
        let pinned = compatible(&motions, &[0, 3, 4, 5]);
        assert_eq!(pinned.len(), 2);
        assert!(pinned.iter().all(|m| [0, 3, 4, 5].iter().all(|&i| m[i] == 0.0)));
        // Pinned at both ends: nothing is left.
        assert_eq!(compatible(&motions, &[0, 3, 4, 5, 16, 17]).len(), 0);
    }
}
