//! Stiffness and damping of the modes of a link.

use supple::ModalMatrix;
use supple::spatial::Scalar;

/// A symmetric matrix on the modes of a link.
#[derive(Clone, Debug)]
pub(super) enum SymmetricMatrix<T> {
    /// Empty where all is zero.
    Diagonal(Box<[T]>),
    /// By rows.
    Full(Box<[T]>),
}

impl SymmetricMatrix<f64> {
    /// The symmetric part of a matrix of a description.
    pub fn new(matrix: &ModalMatrix, n: usize) -> Self {
        match matrix {
            ModalMatrix::Zero => Self::Diagonal(Box::default()),
            ModalMatrix::Diagonal(d) => Self::Diagonal(d.as_slice().into()),
            ModalMatrix::Full(rows) => {
                let pairs = || (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
                match pairs().all(|(i, j)| i == j || rows[i][j] == 0.0) {
                    true => Self::Diagonal((0..n).map(|i| rows[i][i]).collect()),
                    false => Self::Full(pairs().map(|(i, j)| 0.5 * (rows[i][j] + rows[j][i])).collect()),
                }
            }
        }
    }

    /// The same in another scalar.
    pub fn cast<U: Scalar>(&self) -> SymmetricMatrix<U> {
        let cast = |list: &[f64]| list.iter().map(|x| U::from_f64(*x)).collect();
        match self {
            Self::Diagonal(d) => SymmetricMatrix::Diagonal(cast(d)),
            Self::Full(rows) => SymmetricMatrix::Full(cast(rows)),
        }
    }
}

impl<T: Scalar> SymmetricMatrix<T> {
    /// `out ← out + A x`.
    pub fn add_mul(&self, x: &[T], out: &mut [T]) {
        match self {
            Self::Diagonal(d) => {
                for ((out, d), x) in out.iter_mut().zip(d).zip(x) {
                    *out = d.mul_add(*x, *out);
                }
            }
            Self::Full(rows) => {
                for (i, (out, row)) in out.iter_mut().zip(rows.chunks_exact(x.len())).enumerate() {
                    // The diagonal first.
                    *out = row[i].mul_add(x[i], *out);
                    for j in (0..x.len()).filter(|&j| j != i) {
                        *out = row[j].mul_add(x[j], *out);
                    }
                }
            }
        }
    }

    /// `xᵀ A x`.
    pub fn quadratic(&self, x: &[T]) -> T {
        let square = |sum: T, (a, (x, y)): (&T, (&T, &T))| (*a * *x).mul_add(*y, sum);
        match self {
            Self::Diagonal(d) => d.iter().zip(x.iter().zip(x)).fold(T::ZERO, square),
            Self::Full(rows) => {
                let pairs = x.iter().flat_map(|x_i| x.iter().map(move |x_j| (x_j, x_i)));
                rows.iter().zip(pairs).fold(T::ZERO, square)
            }
        }
    }
}
