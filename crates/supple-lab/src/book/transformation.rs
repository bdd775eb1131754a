//! 4 × 4 matrices of the formulation, stored without the rows that are always the same.
//!
//! A point is `[1 x y z]ᵀ` [B83 (1)]: the first row of a transformation is `[1 0 0 0]` and that of its derivatives zero, so only
//! the three rows below are kept, as a position (the first column) and axes (the other three).
//!
//! | type             | what it is                                                    | kept     |
//! |------------------|---------------------------------------------------------------|----------|
//! | [`Lower`]        | transformation `W`, `E`, or a derivative `Ẇ`, `M_k`           | 3 × 4    |
//! | [`Turn`]         | joint transformation `A`: a turn about `z` by the hinge angle | cos, sin |
//! | [`Rows`]         | `D_k`, `Q`, whose first column is zero                        | 4 × 3    |
//! | [`Moments`]      | `G`: mass, first and second moments, symmetric                | 10       |
//! | [`Matrix4`]      | `F̃_h`, `Φ_h`                                                  | 4 × 4    |

use supple::spatial::{Matrix3, Scalar, Symmetric3, Vector3};

/// The three lower rows `[position, axes]` of a transformation or of a derivative of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lower<T> {
    pub position: Vector3<T>,
    pub axes: Matrix3<T>,
}

impl<T: Scalar> Lower<T> {
    pub const ZERO: Self = Self { position: Vector3::ZERO, axes: Matrix3::ZERO };

    /// `self E` for a transformation `E`; `self` may be a derivative.
    #[inline(always)]
    pub fn then(&self, e: &Self) -> Self {
        Self { position: self.axes.mul_add(e.position, self.position), axes: self.axes * e.axes }
    }

    /// `self Ė` for a derivative `Ė`.
    #[inline(always)]
    pub fn then_rate(&self, e: &Self) -> Self {
        Self { position: self.axes * e.position, axes: self.axes * e.axes }
    }

    /// `self s + b`.
    #[inline(always)]
    pub fn scale_add(&self, s: T, b: &Self) -> Self {
        let row = |i: usize| self.axes.row(i).scale_add(s, b.axes.row(i)).0;
        Self { position: self.position.scale_add(s, b.position), axes: Matrix3([row(0), row(1), row(2)]) }
    }

    /// `self + b`.
    #[inline(always)]
    pub fn plus(&self, b: &Self) -> Self {
        Self { position: self.position + b.position, axes: self.axes + b.axes }
    }

    /// Column `c` of four: the position, then the axes.
    #[inline(always)]
    pub fn column(&self, c: usize) -> Vector3<T> {
        if c == 0 { self.position } else { self.axes.column(c - 1) }
    }

    /// `Σ K_cb self_bc`, a trace `Tr{self K}`.
    #[inline(always)]
    pub fn trace(&self, k: &Rows<T>) -> T {
        let mut sum = self.position.dot(k[0]);
        for b in 0..3 {
            for c in 0..3 {
                sum = self.axes.0[b][c].mul_add(k[c + 1][b], sum);
            }
        }
        sum
    }
}

impl Lower<f64> {
    pub fn cast<U: Scalar>(&self) -> Lower<U> {
        Lower { position: Vector3::from_f64(self.position.0), axes: Matrix3::from_f64(self.axes.0) }
    }
}

/// A turn about the `z` axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn<T> {
    pub cos: T,
    pub sin: T,
}

impl<T: Scalar> Turn<T> {
    /// The two rows or columns `x`, `y` of `A X` or `X Aᵀ`.
    #[inline(always)]
    fn mix(&self, x: T, y: T) -> (T, T) {
        (self.cos.mul_add(x, -(self.sin * y)), self.sin.mul_add(x, self.cos * y))
    }

    /// `X A`: the columns `x`, `y` turned.
    #[inline(always)]
    pub fn after(&self, w: &Lower<T>) -> Lower<T> {
        let mut out = *w;
        for row in &mut out.axes.0 {
            let (x, y) = (row[0], row[1]);
            row[0] = self.cos.mul_add(x, self.sin * y);
            row[1] = self.cos.mul_add(y, -(self.sin * x));
        }
        out
    }

    /// `A X`.
    #[inline(always)]
    pub fn of_lower(&self, x: &Lower<T>) -> Lower<T> {
        let mut out = *x;
        (out.position.0[0], out.position.0[1]) = self.mix(x.position[0], x.position[1]);
        for c in 0..3 {
            (out.axes.0[0][c], out.axes.0[1][c]) = self.mix(x.axes.0[0][c], x.axes.0[1][c]);
        }
        out
    }

    /// `A X`.
    #[inline(always)]
    pub fn of_rows(&self, x: &Rows<T>) -> Rows<T> {
        let mut out = *x;
        for c in 0..3 {
            (out[1].0[c], out[2].0[c]) = self.mix(x[1][c], x[2][c]);
        }
        out
    }

    /// `A v`.
    #[inline(always)]
    pub fn of_vector(&self, v: Vector3<T>) -> Vector3<T> {
        let (x, y) = self.mix(v[0], v[1]);
        Vector3([x, y, v[2]])
    }

    /// `A X`.
    #[inline(always)]
    pub fn of_matrix(&self, x: &Matrix4<T>) -> Matrix4<T> {
        let mut out = *x;
        for c in 0..4 {
            (out[1][c], out[2][c]) = self.mix(x[1][c], x[2][c]);
        }
        out
    }

    /// The row `r` of `X Aᵀ`.
    #[inline(always)]
    pub fn row(&self, r: &[T; 4]) -> [T; 4] {
        let (x, y) = self.mix(r[1], r[2]);
        [r[0], x, y, r[3]]
    }

    /// `X Aᵀ`.
    #[inline(always)]
    pub fn of_transposed(&self, x: &Matrix4<T>) -> Matrix4<T> {
        x.each_ref().map(|row| self.row(row))
    }
}

/// A 4 × 4 matrix whose first column is zero, by rows of the other three.
pub(super) type Rows<T> = [Vector3<T>; 4];

/// `E X` for a transformation `E`.
#[inline(always)]
pub(super) fn transformed_rows<T: Scalar>(e: &Lower<T>, x: &Rows<T>) -> Rows<T> {
    let row = |i: usize| {
        let [a, b, c] = e.axes.0[i];
        x[3].scale_add(c, x[2].scale_add(b, x[1].scale_add(a, x[0] * e.position[i])))
    };
    [x[0], row(0), row(1), row(2)]
}

/// `Σ a_cb b_cb`.
#[inline(always)]
pub(super) fn inner<T: Scalar>(a: &Rows<T>, b: &Rows<T>) -> T {
    a[3].dot(b[3]) + (a[2].dot(b[2]) + (a[1].dot(b[1]) + a[0].dot(b[0])))
}

/// `Σ a_ij b_ij`.
#[inline(always)]
pub(super) fn inner3<T: Scalar>(a: &Matrix3<T>, b: &Matrix3<T>) -> T {
    a.row(2).dot(b.row(2)) + (a.row(1).dot(b.row(1)) + a.row(0).dot(b.row(0)))
}

/// A general 4 × 4 matrix, by rows.
pub(super) type Matrix4<T> = [[T; 4]; 4];

/// `E X` for a transformation `E`.
#[inline(always)]
pub(super) fn transformed<T: Scalar>(e: &Lower<T>, x: &Matrix4<T>) -> Matrix4<T> {
    let entry = |i: usize, c: usize| {
        let [a, b, d] = e.axes.0[i];
        d.mul_add(x[3][c], b.mul_add(x[2][c], a.mul_add(x[1][c], e.position[i] * x[0][c])))
    };
    let row = |i: usize| std::array::from_fn(|c| entry(i, c));
    [x[0], row(0), row(1), row(2)]
}

/// `X Eᵀ` for a transformation `E`, where the product is known to be symmetric.
#[inline(always)]
pub(super) fn times_transposed<T: Scalar>(x: &Matrix4<T>, e: &Lower<T>) -> Matrix4<T> {
    let mut out = *x;
    for i in 1..4 {
        out[0][i] = x[i][0];
        for j in 1..=i {
            let ([a, b, c], row) = (e.axes.0[j - 1], &x[i]);
            let value = c.mul_add(row[3], b.mul_add(row[2], a.mul_add(row[1], e.position[j - 1] * row[0])));
            out[i][j] = value;
            out[j][i] = value;
        }
    }
    out
}

/// Mass, first moment and second moments `∫ x xᵀ dm` of a link about the origin of its frame: a symmetric 4 × 4 matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments<T> {
    pub mass: T,
    pub first: Vector3<T>,
    pub second: Symmetric3<T>,
}

impl<T: Scalar> Moments<T> {
    /// As a full matrix.
    #[inline(always)]
    pub fn to_matrix(self) -> Matrix4<T> {
        let ([x, y, z], s) = (self.first.0, self.second.to_matrix().0);
        let row = |first: T, s: [T; 3]| [first, s[0], s[1], s[2]];
        [[self.mass, x, y, z], row(x, s[0]), row(y, s[1]), row(z, s[2])]
    }

    /// `G Xᵀ` for a derivative `X`.
    #[inline(always)]
    pub fn times_transposed(&self, x: &Lower<T>) -> Rows<T> {
        let columns: [Vector3<T>; 4] = std::array::from_fn(|c| x.column(c));
        let row = |m: T, v: [T; 3]| {
            columns[3].scale_add(v[2], columns[2].scale_add(v[1], columns[1].scale_add(v[0], columns[0] * m)))
        };
        let s = self.second.to_matrix().0;
        [row(self.mass, self.first.0), row(self.first[0], s[0]), row(self.first[1], s[1]), row(self.first[2], s[2])]
    }
}

impl Moments<f64> {
    pub fn cast<U: Scalar>(&self) -> Moments<U> {
        Moments {
            mass: U::from_f64(self.mass),
            first: Vector3::from_f64(self.first.0),
            second: Symmetric3(self.second.0.map(U::from_f64)),
        }
    }
}
