//! Places and scales of the parts of a mesh.

/// A linear map and a displacement: `x ↦ A x + b`, rows `[A | b]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Affine(pub(super) [[f64; 4]; 3]);

impl Affine {
    pub(super) const IDENTITY: Self = Self([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    /// Turns y up into z up: a quarter turn about x.
    pub(super) const Y_UP: Self = Self([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0]]);
    /// Turns x up into z up: a quarter turn about y.
    pub(super) const X_UP: Self = Self([[0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]);

    pub(super) fn scale([x, y, z]: [f64; 3]) -> Self {
        Self([[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0]])
    }

    pub(super) fn translation([x, y, z]: [f64; 3]) -> Self {
        Self([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]])
    }

    /// The rotation of a quaternion `(x, y, z, w)` of any length; the identity for one without length.
    pub(super) fn rotation(quaternion: [f64; 4]) -> Self {
        let norm = quaternion.iter().map(|q| q * q).sum::<f64>();
        if !(norm.is_normal()) {
            return Self::IDENTITY;
        }
        let [x, y, z, w] = quaternion;
        let k = 2.0 / norm;
        Self([
            [1.0 - k * (y * y + z * z), k * (x * y - z * w), k * (x * z + y * w), 0.0],
            [k * (x * y + z * w), 1.0 - k * (x * x + z * z), k * (y * z - x * w), 0.0],
            [k * (x * z - y * w), k * (y * z + x * w), 1.0 - k * (x * x + y * y), 0.0],
        ])
    }

    /// First `inner`, then this.
    pub(super) fn after(&self, inner: &Self) -> Self {
        let (a, b) = (&self.0, &inner.0);
        let entry = |i: usize, j: usize| {
            let own = if j == 3 { a[i][3] } else { 0.0 };
            own + (0..3).map(|k| a[i][k] * b[k][j]).sum::<f64>()
        };
        Self(std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j))))
    }

    pub(super) fn apply(&self, v: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|i| self.0[i][3] + (0..3).map(|j| self.0[i][j] * v[j]).sum::<f64>())
    }

    /// Whether it makes a left hand of a right one.
    pub(super) fn mirrors(&self) -> bool {
        let [a, b, c] = &self.0;
        let minor = |i: usize, j: usize| b[i] * c[j] - b[j] * c[i];
        a[0] * minor(1, 2) - a[1] * minor(0, 2) + a[2] * minor(0, 1) < 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_follow_each_other_and_mirrors_are_seen() {
        let half = 0.5_f64.sqrt();
        // A quarter turn about z, then a displacement.
        let map = Affine::translation([1.0, 2.0, 3.0]).after(&Affine::rotation([0.0, 0.0, 2.0 * half, 2.0 * half]));
        let [x, y, z] = map.apply([1.0, 0.0, 0.0]);
        assert!((x - 1.0).abs() < 1e-15 && (y - 3.0).abs() < 1e-15 && (z - 3.0).abs() < 1e-15);
        assert!(!map.mirrors() && Affine::scale([1.0, -1.0, 1.0]).after(&map).mirrors());
        assert_eq!(Affine::Y_UP.apply([0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
        assert_eq!(Affine::X_UP.apply([1.0, 0.0, 0.0]), [0.0, 0.0, 1.0]);
        assert!(!Affine::Y_UP.mirrors() && !Affine::X_UP.mirrors());
        assert_eq!(Affine::rotation([0.0; 4]), Affine::IDENTITY);
    }
}
