//! Rows of matrix products as vectors.

use crate::code::{C, Folder, checked, is_there};
use supple::spatial::{Scalar, Traced};
use supple::{Fidelity, Model};
use supple_bodies::catalogue::beam_chain::beam_chain;
use supple_compile::native::{Build, Cache};
use supple_compile::package::{Target, Unit};
use supple_compile::text::Style;
use supple_compile::verb::Differentiation;
use supple_compile::{Language, Recording, Signal, Verb, record_function};

/// Rows and columns of the first factor.
const ROWS: usize = 3;

/// A product of matrices.
#[derive(Clone, Copy, Debug)]
struct Product {
    columns: usize,
    /// Whether the last column depends on the first result.
    chained: bool,
}

impl Product {
    /// `-A B` of the numbers of both.
    fn of<T: Scalar>(self, x: &[T], add: impl Fn(T, T, T) -> T) -> Vec<T> {
        let (a, b) = x.split_at(ROWS * ROWS);
        let mut out: Vec<T> = Vec::new();
        for row in a.chunks_exact(ROWS) {
            for j in 0..self.columns {
                let last = self.chained && j + 1 == self.columns;
                let other = |k: usize| if last { b[k * self.columns + j] * out[0] } else { b[k * self.columns + j] };
                let sum = (1..ROWS).fold(-(row[0] * other(0)), |sum, k| add(-row[k], other(k), sum));
                out.push(sum);
            }
        }
        out
    }
}

/// Whatever becomes a vector, the numbers are those of operations one by one, to the bit.
#[test]
fn rows_of_products_are_vectors_with_the_same_bits() {
    let is_here = is_there("cc");
    let folder = Folder::new("rows");
    for (columns, chained, vectors) in [(3, false, 0), (6, false, 3), (9, false, 3), (12, false, 6), (6, true, 2)] {
        let product = Product { columns, chained };
        let x: Vec<f64> = (0..ROWS * (ROWS + columns)).map(|i| (1.0 + 7.3 * i as f64).sin()).collect();
        let signals = |n: usize| (0..n).map(|i| Signal { name: format!("x{i}"), unit: "1".into() }).collect();
        let (inputs, outputs) = ((signals(x.len()), &x[..]), signals(ROWS * columns));
        let work = |x: &[Traced]| product.of(x, |a, b, c| a.mul_add(b, c));
        let program = record_function("product", inputs, outputs, work).unwrap();
        let source = program.write(Language::C).source;
        assert_eq!(source.matches("SUPPLE_FIRST(row").count(), vectors, "{product:?}:\n{source}");
        assert!(!program.write(Language::Rust).source.contains("row"));
        if is_here {
            let build = Build { cache: Some(Cache::at(&folder.0)), fma: false, ..Build::default() };
            let mut out = vec![0.0; ROWS * columns];
            build.native(&program).unwrap().run(&x, &mut out).unwrap();
            assert_eq!(out, product.of(&x, |a, b, c| a * b + c), "{product:?}");
        }
    }
}

/// Derivatives of six hinges, in one function with vectors and in several with what stands for vectors elsewhere.
#[test]
fn derivatives_are_the_engine_with_and_without_vectors() {
    if !is_there("cc") {
        return;
    }
    let model = Model::build(&beam_chain(6, 0, Fidelity::Exact)).unwrap();
    let verb = Verb::Linearization(Differentiation::Recursion);
    let recording = Recording { model: &model, state: None, verb: &verb, parameters: &[] };
    let program = recording.program().unwrap().scheduled();
    let unit = Unit { reference: recording.reference(&program, 3).unwrap(), program, memory: Vec::new() };
    let folder = Folder::new("rows-derivatives");
    let arrays = format!("sed -i.old 's/defined(__GNUC__)/0/' linearization*.c && {C}");
    for (name, part, build) in [("vectors", usize::MAX, C), ("arrays", 800, &arrays)] {
        let style = Style { part, ..Style::default() };
        let source = unit.program.write_as(Language::C, style).source;
        assert!(source.matches("SUPPLE_FIRST(row").count() >= 10, "{name}:\n{source}");
        let error = checked(&folder.0.join(name), std::slice::from_ref(&unit), Target::C, style, &[], build);
        assert!(error > 0.0 && error < 1e-10, "{name}: {error:e}");
    }
}
