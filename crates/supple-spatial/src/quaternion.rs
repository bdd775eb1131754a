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

    /// The unit quaternion, with a scalar part that is not negative, of a matrix that is a rotation but for rounding.
    ///
    /// Each of `4 x q`, `4 y q`, `4 z q`, `4 w q` is linear in the matrix; the one with the largest entry `4 x²` … `4 w²` has no cancellation.
    pub fn from_matrix(r: &Matrix3<T>) -> Self {
        let (m, one) = (&r.0, T::ONE);
        let (x, y, z) = (m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]);
        let (xy, yz, zx) = (m[0][1] + m[1][0], m[1][2] + m[2][1], m[2][0] + m[0][2]);
        let square = |i: usize, j: usize, k: usize| one + m[i][i] - (m[j][j] + m[k][k]);
        let (xx, yy, zz, ww) = (square(0, 1, 2), square(1, 2, 0), square(2, 0, 1), one + m[0][0] + m[1][1] + m[2][2]);
        let (mut q, mut largest) = ([x, y, z, ww], ww);
        for (row, square) in [([xx, xy, zx, x], xx), ([xy, yy, yz, y], yy), ([zx, yz, zz, z], zz)] {
            let larger = largest.less_than(square);
            largest = T::select(larger, square, largest);
            q = core::array::from_fn(|i| T::select(larger, row[i], q[i]));
        }
        let negative = q[3].less_than(T::ZERO);
        Self(q.map(|c| T::select(negative, -c, c))).normalized()
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
    use crate::Lanes;

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

    /// Numbers in `(-1, 1)` that look random.
    fn numbers() -> impl Iterator<Item = f64> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        core::iter::from_fn(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            Some((state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
        })
    }

    /// The same rotation: `q` and `-q` are one.
    fn distance(a: Quaternion<f64>, b: Quaternion<f64>) -> f64 {
        let apart = |sign: f64| a.0.iter().zip(b.0).map(|(x, y)| (x - sign * y).abs()).fold(0.0, f64::max);
        apart(1.0).min(apart(-1.0))
    }

    #[test]
    fn matrices_give_back_their_quaternions() {
        let mut random = numbers();
        let mut any = move || Quaternion([0; 4].map(|_| random.next().unwrap())).normalized();
        for i in 0..3000 {
            // Random ones; half turns, where the scalar part vanishes; those near to them, and near no turn at all.
            let Quaternion([x, y, z, w]) = any();
            let q = match i % 4 {
                0 => Quaternion([x, y, z, w]),
                1 => Quaternion([x, y, z, 0.0]).normalized(),
                2 => Quaternion([x, y, z, 1e-9 * w]).normalized(),
                _ => Quaternion([1e-9 * x, 1e-9 * y, 1e-9 * z, w]).normalized(),
            };
            let found = Quaternion::from_matrix(&q.to_matrix());
            assert!(distance(q, found) < 8.0 * f64::EPSILON, "{q:?} {found:?}");
            assert!(found.0[3] >= 0.0, "{found:?}");
        }
    }

    #[test]
    fn half_turns_about_the_axes_are_exact() {
        let diagonal = |d: [f64; 3]| Matrix3([[d[0], 0.0, 0.0], [0.0, d[1], 0.0], [0.0, 0.0, d[2]]]);
        for axis in 0..3 {
            let m = diagonal(core::array::from_fn(|i| if i == axis { 1.0 } else { -1.0 }));
            let unit = core::array::from_fn(|i| if i == axis { 1.0 } else { 0.0 });
            assert_eq!(Quaternion::from_matrix(&m).0, unit);
        }
        assert_eq!(Quaternion::from_matrix(&diagonal([1.0; 3])), Quaternion::IDENTITY);
    }

    /// A mask per lane: each lane takes the way of its own matrix.
    #[test]
    fn lanes_are_scalar_runs() {
        let mut random = numbers();
        let q: [Quaternion<f64>; 4] =
            core::array::from_fn(|_| Quaternion([0; 4].map(|_| random.next().unwrap())).normalized());
        let m = q.map(Quaternion::to_matrix);
        let lanes = Matrix3(core::array::from_fn(|i| core::array::from_fn(|j| Lanes(m.map(|m| m.0[i][j])))));
        let found = Quaternion::from_matrix(&lanes);
        for (lane, m) in m.iter().enumerate() {
            assert_eq!(found.0.map(|c: Lanes<f64, 4>| c.0[lane]), Quaternion::from_matrix(m).0);
        }
    }
}
