//! Unit quaternions for attitudes, stored `(x, y, z, w)`.

use crate::{Matrix3, Scalar, Vector3};

/// A quaternion, vector part first. As an attitude it turns components in the moving frame
/// into components in the fixed one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion<T>(pub [T; 4]);

impl<T: Scalar> Quaternion<T> {
    /// No rotation.
    pub const IDENTITY: Self = Self([T::ZERO, T::ZERO, T::ZERO, T::ONE]);

    /// Vector part.
    #[inline(always)]
    pub fn vector(self) -> Vector3<T> {
        Vector3([self.0[0], self.0[1], self.0[2]])
    }

    /// Scalar part.
    #[inline(always)]
    pub fn scalar(self) -> T {
        self.0[3]
    }

    /// The rotation matrix of a unit quaternion.
    #[inline(always)]
    pub fn to_matrix(self) -> Matrix3<T> {
        let [x, y, z, w] = self.0;
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        let one = T::ONE;
        Matrix3([
            [one - (yy + zz), xy - wz, xz + wy],
            [xy + wz, one - (xx + zz), yz - wx],
            [xz - wy, yz + wx, one - (xx + yy)],
        ])
    }

    /// Hamilton product: first `b`, then `self`.
    #[inline(always)]
    pub fn product(self, b: Self) -> Self {
        let (u, s, v, t) = (self.vector(), self.scalar(), b.vector(), b.scalar());
        let vector = u.cross_add(v, v.scale_add(s, u * t));
        Self([vector[0], vector[1], vector[2], s * t - u.dot(v)])
    }

    /// Rate when the angular velocity is `w` in the moving frame: `q ∘ (w, 0) / 2`.
    #[inline(always)]
    pub fn rate_moving(self, w: Vector3<T>) -> Self {
        self.product(Self([w[0], w[1], w[2], T::ZERO])).halved()
    }

    /// Rate when the angular velocity is `w` in the fixed frame: `(w, 0) ∘ q / 2`.
    #[inline(always)]
    pub fn rate_fixed(self, w: Vector3<T>) -> Self {
        Self([w[0], w[1], w[2], T::ZERO]).product(self).halved()
    }

    /// Scaled to unit length.
    #[inline(always)]
    pub fn normalized(self) -> Self {
        let q = self.0;
        let n = q[3].mul_add(q[3], self.vector().norm_squared()).sqrt().recip();
        Self(q.map(|x| x * n))
    }

    #[inline(always)]
    fn halved(self) -> Self {
        let half = T::from_f64(0.5);
        Self(self.0.map(|x| x * half))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_of_quaternions_is_product_of_matrices() {
        let a = Quaternion([0.1_f64, -0.3, 0.5, 0.7]).normalized();
        let b = Quaternion([-0.2, 0.4, 0.1, 0.9]).normalized();
        let (dense, short) = (a.to_matrix() * b.to_matrix(), a.product(b).to_matrix());
        for i in 0..3 {
            for j in 0..3 {
                assert!((dense.0[i][j] - short.0[i][j]).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn rates_in_both_frames_agree() {
        let q = Quaternion([0.1_f64, -0.3, 0.5, 0.7]).normalized();
        let w = Vector3([0.4, 1.0, -2.0]);
        let (a, b) = (q.rate_moving(w), q.rate_fixed(q.to_matrix() * w));
        for i in 0..4 {
            assert!((a.0[i] - b.0[i]).abs() < 1e-15);
        }
    }
}
