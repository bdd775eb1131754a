//! General 6 × 6 matrices between spatial vectors.

use crate::{Force, Matrix3, Motion, Scalar, Vector3};

/// General 6 × 6 matrix, by rows, angular first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix6<T>(pub [[T; 6]; 6]);

impl<T: Scalar> Matrix6<T> {
    /// All entries zero.
    pub const ZERO: Self = Self([[T::ZERO; 6]; 6]);

    /// The identity.
    pub fn identity() -> Self {
        Self::shift(Vector3::ZERO)
    }

    /// `φ = [I, l̃; 0, I]`.
    pub fn shift(l: Vector3<T>) -> Self {
        let skew = Matrix3::skew(l);
        let mut m = Self::ZERO;
        for i in 0..6 {
            m.0[i][i] = T::ONE;
        }
        for i in 0..3 {
            for j in 0..3 {
                m.0[i][j + 3] = skew.0[i][j];
            }
        }
        m
    }

    /// `self f` between forces.
    #[inline(always)]
    pub fn mul_force(&self, f: Force<T>) -> Force<T> {
        Force::from_array(self.apply(f.to_array()))
    }

    /// `selfᵀ a` between motions.
    #[inline(always)]
    pub fn transpose_mul_motion(&self, a: Motion<T>) -> Motion<T> {
        let a = a.to_array();
        let mut out = self.0[0].map(|x| x * a[0]);
        for i in 1..6 {
            for j in 0..6 {
                out[j] = self.0[i][j].mul_add(a[i], out[j]);
            }
        }
        Motion::from_array(out)
    }

    #[inline(always)]
    fn apply(&self, v: [T; 6]) -> [T; 6] {
        self.0.map(|row| {
            let mut s = row[0] * v[0];
            for j in 1..6 {
                s = row[j].mul_add(v[j], s);
            }
            s
        })
    }
}
