//! Entries of the mass matrix: products of motions about the root and of a force there.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::model::topology::Topology;
use std::ops::Range;
use supple_spatial::{Force, Motion, Scalar};

/// A symmetric matrix by rows.
pub(super) struct Symmetric<'a, T> {
    entries: &'a mut [T],
    size: usize,
    /// Sum of all entries times zero: not a number as soon as one of them is not finite.
    nothing: T,
}

impl<'a, T: Scalar> Symmetric<'a, T> {
    pub(super) fn new(entries: &'a mut [T], size: usize) -> Self {
        Self { entries, size, nothing: T::ZERO }
    }

    /// Whether all entries that were set are finite.
    pub(super) fn is_finite(&self) -> T::Mask {
        self.nothing.is_finite()
    }

    #[inline(always)]
    pub(super) fn get(&self, i: usize, j: usize) -> T {
        self.entries[i * self.size + j]
    }

    /// Sets an entry and its mirror image.
    #[inline(always)]
    pub(super) fn set(&mut self, i: usize, j: usize, value: T) {
        self.nothing = value.mul_add(T::ZERO, self.nothing);
        self.entries[i * self.size + j] = value;
        self.entries[j * self.size + i] = value;
    }

    /// `S(j)* F` of the speeds of body `above` and all its ancestors, in the rows from `i` on, one for each `F`; `carrier` is
    /// the one on `above`.
    #[inline(never)] // one loop that keeps its numbers in registers
    pub(super) fn set_path<const N: usize>(
        &mut self,
        top: &Topology,
        (mut above, mut carrier): (usize, usize),
        S: &AboutRoot<T>,
        F: [Force<T>; N],
        i: usize,
    ) {
        loop {
            let run = &top.runs[above];
            if run.modes > 0 {
                let ancestor = &top.bodies[above];
                let S = &S.carried[ancestor.modes_of_carrier(carrier)];
                self.set_products(i, ancestor.speeds.start, S, &F);
            }
            if run.hinge.len() < LONG_RUN {
                self.set_products(i, run.speed, &S.hinge[run.hinge.clone()], &F);
            } else {
                self.set_long_products(i, run.speed, run.hinge.clone(), S, &F);
            }
            match run.parent {
                Some(parent) => (above, carrier) = (parent, run.carrier),
                None => break,
            }
        }
    }

    /// `S* F` of the motions `S`, in the rows from `i` and the columns from `j` on.
    #[inline(always)]
    fn set_products<const N: usize>(&mut self, i: usize, j: usize, S: &[Motion<T>], F: &[Force<T>; N]) {
        for (column, S) in (j..).zip(S) {
            let entries = F.map(
                #[inline(always)]
                |F| S.dot(F),
            );
            for r in 0..N {
                self.nothing = entries[r].mul_add(T::ZERO, self.nothing);
                self.entries[(i + r) * self.size + column] = entries[r];
            }
            self.entries[column * self.size + i..][..N].copy_from_slice(&entries);
        }
    }

    /// The same of many motions, `WIDE` at a time.
    #[inline(never)]
    fn set_long_products<const N: usize>(
        &mut self,
        i: usize,
        j: usize,
        range: Range<usize>,
        S: &AboutRoot<T>,
        F: &[Force<T>; N],
    ) {
        let component = |c: usize| S.components[c][range.clone()].as_chunks::<WIDE>().0;
        let (a, b, c) = (component(0), component(1), component(2));
        let (x, y, z) = (component(3), component(4), component(5));
        let count = a.len();
        let ((a, b, c), (x, y, z)) = ((&a[..count], &b[..count], &c[..count]), (&x[..count], &y[..count], &z[..count]));
        let mut nothing = [T::ZERO; WIDE];
        for s in 0..count {
            let mut entries = [[T::ZERO; WIDE]; N];
            let first = j + s * WIDE;
            for r in 0..N {
                let f = F[r].to_array();
                for l in 0..WIDE {
                    let angular = c[s][l].mul_add(f[2], b[s][l].mul_add(f[1], a[s][l] * f[0]));
                    entries[r][l] = z[s][l].mul_add(f[5], y[s][l].mul_add(f[4], x[s][l].mul_add(f[3], angular)));
                    nothing[l] = entries[r][l].mul_add(T::ZERO, nothing[l]);
                }
                self.entries[(i + r) * self.size + first..][..WIDE].copy_from_slice(&entries[r]);
            }
            for (l, mirror) in self.entries[first * self.size..].chunks_exact_mut(self.size).take(WIDE).enumerate() {
                for (r, entry) in mirror[i..][..N].iter_mut().enumerate() {
                    *entry = entries[r][l];
                }
            }
        }
        self.nothing = nothing.into_iter().fold(self.nothing, |sum, x| sum + x);
        let done = count * WIDE;
        self.set_products(i, j + done, &S.hinge[range.start + done..range.end], F);
    }
}

/// Products that fill vector registers.
const WIDE: usize = 8;
/// From this length on, products of a run of motions are worth that.
const LONG_RUN: usize = 16;

/// Motions about the root.
#[derive(Clone, Debug)]
pub(crate) struct AboutRoot<T> {
    /// Per hinge speed.
    hinge: Vec<Motion<T>>,
    /// The same component by component, where a run is long; empty elsewhere.
    components: [Vec<T>; 6],
    /// Per carrier and mode.
    pub(super) carried: Vec<Motion<T>>,
}

impl<T: Scalar> AboutRoot<T> {
    pub(crate) fn new(top: &Topology) -> Self {
        let long = top.runs.iter().any(|run| run.hinge.len() >= LONG_RUN);
        let count = if long { top.sizes.hinge } else { 0 };
        Self {
            hinge: vec![Motion::ZERO; top.sizes.hinge],
            components: std::array::from_fn(|_| vec![T::ZERO; count]),
            carried: vec![Motion::ZERO; top.sizes.carried_modes],
        }
    }

    /// The motion of hinge speed `i`.
    #[inline(always)]
    pub(super) fn set(&mut self, i: usize, motion: Motion<T>) {
        self.hinge[i] = motion;
        if !self.components[0].is_empty() {
            for (row, value) in self.components.iter_mut().zip(motion.to_array()) {
                row[i] = value;
            }
        }
    }
}
