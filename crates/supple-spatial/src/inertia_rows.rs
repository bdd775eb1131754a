//! An inertia as rows of its upper triangle, for sums of many products.

use crate::{ArticulatedInertia, Force, Matrix3, Scalar, Symmetric3};

/// The twenty-one numbers of a symmetric inertia, four in a row where a row has them: products `u w*` then need no number of a register
/// moved to another place.
#[derive(Clone, Copy, Debug)]
pub struct InertiaRows<T> {
    /// Row 0: columns 0 to 3, then 4 and 5.
    first: ([T; 4], [T; 2]),
    /// Row 1: column 1, then 2 to 5.
    second: (T, [T; 4]),
    /// Row 2: columns 2 to 5.
    third: [T; 4],
    /// Rows 3 to 5.
    last: ([T; 3], [T; 2], T),
}

impl<T: Scalar> InertiaRows<T> {
    /// Of an inertia.
    #[inline(always)]
    pub fn new(p: &ArticulatedInertia<T>) -> Self {
        let ([xx, yy, zz, xy, xz, yz], [c0, c1, c2], m) = (p.angular.0, p.coupling.0, p.linear.0);
        Self {
            first: ([xx, xy, xz, c0[0]], [c0[1], c0[2]]),
            second: (yy, [yz, c1[0], c1[1], c1[2]]),
            third: [zz, c2[0], c2[1], c2[2]],
            last: ([m[0], m[3], m[4]], [m[1], m[5]], m[2]),
        }
    }

    /// The inertia.
    #[inline(always)]
    pub fn to_articulated(&self) -> ArticulatedInertia<T> {
        let Self { first: (a, b), second: (yy, c), third: d, last: (e, f, zz) } = *self;
        ArticulatedInertia {
            angular: Symmetric3([a[0], yy, d[0], a[1], a[2], c[0]]),
            coupling: Matrix3([[a[3], b[0], b[1]], [c[1], c[2], c[3]], [d[1], d[2], d[3]]]),
            linear: Symmetric3([e[0], f[0], zz, e[1], e[2], f[1]]),
        }
    }

    /// Subtracts `u w*` for a pair whose product is symmetric.
    #[inline(always)]
    pub fn sub_outer(&mut self, u: Force<T>, w: Force<T>) {
        let (u, w) = ((-u).to_array(), w.to_array());
        let (low, high) = ([w[0], w[1], w[2], w[3]], [w[2], w[3], w[4], w[5]]);
        let Self { first: (a, b), second: (yy, c), third: d, last: (e, f, zz) } = self;
        *a = T::mul_add_lanes([u[0]; 4], low, *a);
        *c = T::mul_add_lanes([u[1]; 4], high, *c);
        *d = T::mul_add_lanes([u[2]; 4], high, *d);
        *b = [u[0].mul_add(w[4], b[0]), u[0].mul_add(w[5], b[1])];
        *yy = u[1].mul_add(w[1], *yy);
        *e = [u[3].mul_add(w[3], e[0]), u[3].mul_add(w[4], e[1]), u[3].mul_add(w[5], e[2])];
        *f = [u[4].mul_add(w[4], f[0]), u[4].mul_add(w[5], f[1])];
        *zz = u[5].mul_add(w[5], *zz);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_the_blocks() {
        let mut blocks = ArticulatedInertia {
            angular: Symmetric3([3.0_f64, 4.0, 5.0, 0.1, 0.2, -0.3]),
            coupling: Matrix3([[0.3, -0.1, 0.7], [1.1, 0.4, 0.9], [-0.6, 0.2, 0.8]]),
            linear: Symmetric3([2.0, 1.0, 6.0, -0.4, 0.5, 0.6]),
        };
        let mut rows = InertiaRows::new(&blocks);
        assert_eq!(rows.to_articulated(), blocks);
        let u = Force::from_array([0.4, -1.1, 0.7, 0.2, 1.3, -0.5]);
        rows.sub_outer(u * 2.5, u);
        blocks.sub_outer(u * 2.5, u);
        assert_eq!(rows.to_articulated(), blocks);
    }
}
