//! Matrices that are linear in the modal coordinates.

/// Which entries of a [`Taylor`] matrix need not be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Structure {
    /// 0: all zero.
    #[default]
    Zero,
    /// 1: zero off the diagonal.
    Diagonal,
    /// 2: symmetric; one triangle is enough.
    Symmetric,
    /// 3: no structure.
    Full,
    /// 4: the unit matrix.
    Unit,
}

impl Structure {
    /// Its number in a file.
    pub fn code(self) -> usize {
        self as usize
    }

    /// From its number in a file.
    pub fn from_code(code: usize) -> Option<Self> {
        [Self::Zero, Self::Diagonal, Self::Symmetric, Self::Full, Self::Unit].get(code).copied()
    }
}

/// A matrix and its change with each modal coordinate: `m0 + Σ m1(·, k, ·) q_k`.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Taylor {
    /// 0 for a constant, 1 where `m1` is given.
    pub order: usize,
    /// `nrow`.
    pub rows: usize,
    /// `ncol`.
    pub columns: usize,
    /// `nq`: number of modal coordinates.
    pub modes: usize,
    /// `nqn`: number of coordinates of higher order; kept, without data.
    pub higher: usize,
    /// Which entries are written.
    pub structure: Structure,
    /// Constant part by rows, `rows × columns` numbers.
    pub m0: Vec<f64>,
    /// Change by rows, then modes, `rows × modes × columns` numbers; empty at order 0.
    pub m1: Vec<f64>,
}

impl Taylor {
    /// A constant matrix given by its entries.
    pub fn constant(rows: usize, columns: usize, modes: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let m0 = (0..rows * columns).map(|p| entry(p / columns, p % columns)).collect();
        Self { order: 0, rows, columns, modes, higher: 0, structure: Structure::Full, m0, m1: Vec::new() }.stated()
    }

    /// A matrix linear in the modal coordinates; `change(i, k, j)` belongs to row `i`, mode `k`, column `j`.
    pub fn linear(
        rows: usize,
        columns: usize,
        modes: usize,
        entry: impl Fn(usize, usize) -> f64,
        change: impl Fn(usize, usize, usize) -> f64,
    ) -> Self {
        let m1 = (0..rows * modes * columns)
            .map(|p| change(p / (modes * columns), p / columns % modes, p % columns))
            .collect::<Vec<f64>>();
        if m1.iter().all(|x| *x == 0.0) {
            return Self::constant(rows, columns, modes, entry);
        }
        Self { order: 1, m1, ..Self::constant(rows, columns, modes, entry) }.stated()
    }

    /// The same matrix with the structure that its entries have.
    fn stated(mut self) -> Self {
        let fitting = [Structure::Zero, Structure::Unit, Structure::Diagonal, Structure::Symmetric];
        self.structure = fitting.into_iter().find(|s| self.fits(*s)).unwrap_or(Structure::Full);
        self
    }

    /// Entry of the constant part; zero where there is none.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        if row < self.rows && column < self.columns {
            self.m0.get(row * self.columns + column).copied().unwrap_or(0.0)
        } else {
            0.0
        }
    }

    /// Entry of the change with mode `mode`; zero where there is none.
    pub fn change(&self, row: usize, mode: usize, column: usize) -> f64 {
        if row < self.rows && mode < self.modes && column < self.columns {
            self.m1.get((row * self.modes + mode) * self.columns + column).copied().unwrap_or(0.0)
        } else {
            0.0
        }
    }

    /// Whether the entries are those of a structure.
    pub fn fits(&self, structure: Structure) -> bool {
        let unit = |i: usize, j: usize| -> f64 { if i == j { 1.0 } else { 0.0 } };
        match structure {
            Structure::Full => true,
            Structure::Zero => self.m0.iter().chain(&self.m1).all(|x| x.to_bits() == 0),
            Structure::Unit => {
                self.rows == self.columns
                    && self.m1.iter().all(|x| x.to_bits() == 0)
                    && self.places().all(|(i, j)| self.at(i, j).to_bits() == unit(i, j).to_bits())
            }
            Structure::Diagonal => {
                let rest = |i, j| (0..self.modes).all(|k| self.change(i, k, j).to_bits() == 0);
                self.places().all(|(i, j)| i == j || (self.at(i, j).to_bits() == 0 && rest(i, j)))
            }
            Structure::Symmetric => {
                let equal = |a: f64, b: f64| a.to_bits() == b.to_bits();
                let changes = |i, j| (0..self.modes).all(|k| equal(self.change(i, k, j), self.change(j, k, i)));
                self.rows == self.columns
                    && self.places().all(|(i, j)| equal(self.at(i, j), self.at(j, i)) && changes(i, j))
            }
        }
    }

    fn places(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.rows).flat_map(|i| (0..self.columns).map(move |j| (i, j)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_found() {
        let of = |m: &dyn Fn(usize, usize) -> f64| Taylor::constant(3, 3, 2, m).structure;
        assert_eq!(of(&|_, _| 0.0), Structure::Zero);
        assert_eq!(of(&|i, j| f64::from(i == j)), Structure::Unit);
        assert_eq!(of(&|i, j| if i == j { 1.0 + i as f64 } else { 0.0 }), Structure::Diagonal);
        assert_eq!(of(&|i, j| (i + j) as f64), Structure::Symmetric);
        assert_eq!(of(&|i, j| (i + 2 * j) as f64), Structure::Full);
        // A change off the diagonal is no diagonal matrix.
        let t = Taylor::linear(2, 2, 1, |i, j| f64::from(i == j), |i, _, j| (i + 2 * j) as f64);
        assert_eq!((t.order, t.structure), (1, Structure::Full));
        assert_eq!((t.at(0, 5), t.change(1, 0, 1), t.change(1, 7, 1)), (0.0, 3.0, 0.0));
    }
}
