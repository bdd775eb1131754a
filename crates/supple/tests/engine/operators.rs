//! The mass matrix and its inverse as operators: lemmas 6.1 to 6.3 on random trees.
//!
//! Rows and columns are compared after scaling the mass matrix to unit diagonal, so that a light body counts as much
//! as a heavy one; the tolerance is `max(1e-10, 1000 ε κ)` with the condition number `κ` of the scaled matrix.

use supple::spatial::{Matrix6, Motion};
use supple::testkit::{
    Answer, Generator, Prepared, RandomOptions, Worst, cholesky, random_system, relative_difference, solve, tolerance,
};
use supple::{
    BodyIndex, DynamicsError, MassOperator, NodeIndex, kinematics, mass_operator, node_compliances,
    operational_compliance,
};

struct Case {
    seed: u64,
    at: Prepared,
    answer: Answer,
    /// Roots of the diagonal of the mass matrix.
    scale: Vec<f64>,
    allowed: f64,
}

fn cases(count: u64) -> impl Iterator<Item = Case> {
    (0..count).map(|seed| {
        let options = RandomOptions {
            constant_terms: seed % 4 == 1,
            orthogonal_modes: seed.is_multiple_of(3),
            second_order: seed % 5 > 2,
            ..RandomOptions::default()
        };
        let (system, random) = random_system(seed, &options);
        let answer = random.answer(&system);
        Case {
            seed,
            at: Prepared::new(&system, &random),
            scale: (0..answer.mass.len()).map(|i| answer.mass[i][i].sqrt()).collect(),
            allowed: tolerance(answer.condition()),
            answer,
        }
    })
}

fn identity(n: usize) -> Vec<Vec<f64>> {
    (0..n).map(|i| (0..n).map(|j| f64::from(i == j)).collect()).collect()
}

/// `S a S` for a diagonal `S`.
fn scaled(matrix: &[Vec<f64>], scale: impl Fn(usize) -> f64) -> Vec<Vec<f64>> {
    let rows = matrix.iter().enumerate();
    rows.map(|(i, row)| row.iter().enumerate().map(|(j, x)| x * scale(i) * scale(j)).collect()).collect()
}

/// Columns of a linear map, `columns[j] = f(e_j)`.
fn columns(n: usize, mut f: impl FnMut(&[f64], &mut [f64]) -> Result<(), DynamicsError>) -> Vec<Vec<f64>> {
    let mut out = identity(n);
    for (unit, column) in identity(n).iter().zip(&mut out) {
        f(unit, column).unwrap();
    }
    out
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn both_factorizations_equal_the_dense_matrix() {
    let mut worst = Worst::new();
    for Case { seed, at, answer, scale, allowed } in cases(300) {
        let n = scale.len();
        let mut ws = at.workspace();
        let mut operator = mass_operator(&at.model, &at.state, &mut ws).unwrap();
        let expected = scaled(&answer.mass, |i| 1.0 / scale[i]);
        let newton_euler = columns(n, |x, out| operator.apply(x, out));
        let error = relative_difference(&scaled(&newton_euler, |i| 1.0 / scale[i]), &expected);
        worst.record("HΦMΦ*H*", seed, error, allowed);
        let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
        let innovations = columns(n, |x, out| {
            operator.apply_factor_transpose(x, &mut a)?;
            operator.apply_diagonal(&a, &mut b)?;
            operator.apply_factor(&b, out)
        });
        let error = relative_difference(&scaled(&innovations, |i| 1.0 / scale[i]), &expected);
        worst.record("[I+HφK] D [I+HφK]*", seed, error, allowed);
    }
    worst.assert_within();
}

#[test]
fn the_inverse_times_the_matrix_is_the_identity() {
    let mut worst = Worst::new();
    for Case { seed, at, answer, scale, allowed } in cases(300) {
        let n = scale.len();
        let mut ws = at.workspace();
        let mut operator = mass_operator(&at.model, &at.state, &mut ws).unwrap();
        let mut record = |what: &str, found: &[Vec<f64>], expected: &[Vec<f64>]| {
            worst.record(what, seed, relative_difference(found, expected), allowed);
        };
        let inverse = columns(n, |x, out| operator.solve(x, out));
        let mut product = columns(n, |_, _| Ok(()));
        for (column, out) in inverse.iter().zip(&mut product) {
            operator.apply(column, out).unwrap();
        }
        // S⁻¹ 𝓜 𝓜⁻¹ S, by columns
        for (j, column) in product.iter_mut().enumerate() {
            column.iter_mut().enumerate().for_each(|(i, x)| *x *= scale[j] / scale[i]);
        }
        record("𝓜 𝓜⁻¹ = I", &product, &identity(n));

        let dense: Vec<Vec<f64>> = identity(n).iter().map(|unit| solve(&answer.mass, unit).unwrap()).collect();
        let dense = scaled(&dense, |i| scale[i]);
        record("𝓜⁻¹ x", &scaled(&inverse, |i| scale[i]), &dense);
        let mut full = vec![0.0; n * n];
        operator.inverse(&mut full).unwrap();
        let full: Vec<Vec<f64>> = full.chunks_exact(n).map(<[f64]>::to_vec).collect();
        record("𝓜⁻¹ in full", &scaled(&full, |i| scale[i]), &dense);
        let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
        let lemma = columns(n, |x, out| {
            operator.solve_factor(x, &mut a)?;
            operator.solve_diagonal(&a, &mut b)?;
            operator.solve_factor_transpose(&b, out)
        });
        record("[I-HψK]* D⁻¹ [I-HψK]", &scaled(&lemma, |i| scale[i]), &dense);
    }
    worst.assert_within();
}

#[test]
fn the_factors_invert_and_transpose_each_other() {
    let mut worst = Worst::new();
    for Case { seed, at, scale, allowed, .. } in cases(300) {
        let n = scale.len();
        let mut rng = Generator::new(seed);
        let mut ws = at.workspace();
        let mut operator = mass_operator(&at.model, &at.state, &mut ws).unwrap();
        // Vectors of the size of forces and of the size of accelerations.
        let force: Vec<f64> = scale.iter().map(|s| s * rng.between(-1.0, 1.0)).collect();
        let motion: Vec<f64> = scale.iter().map(|s| rng.between(-1.0, 1.0) / s).collect();
        let (mut there, mut back) = (vec![0.0; n], vec![0.0; n]);
        let forces = |x: &[f64]| -> Vec<f64> { x.iter().zip(&scale).map(|(x, s)| x / s).collect() };
        let motions = |x: &[f64]| -> Vec<f64> { x.iter().zip(&scale).map(|(x, s)| x * s).collect() };
        let mut record = |what: &str, error: f64| worst.record(what, seed, error, allowed);

        operator.apply_factor(&force, &mut there).unwrap();
        operator.solve_factor(&there, &mut back).unwrap();
        record("[I-HψK] [I+HφK] = I", relative_difference(&forces(&back), &forces(&force)));
        operator.solve_factor(&force, &mut there).unwrap();
        operator.apply_factor(&there, &mut back).unwrap();
        record("[I+HφK] [I-HψK] = I", relative_difference(&forces(&back), &forces(&force)));
        operator.apply_factor_transpose(&motion, &mut there).unwrap();
        operator.solve_factor_transpose(&there, &mut back).unwrap();
        record("[I-HψK]* [I+HφK]* = I", relative_difference(&motions(&back), &motions(&motion)));
        operator.apply_diagonal(&motion, &mut there).unwrap();
        operator.solve_diagonal(&there, &mut back).unwrap();
        record("D⁻¹ D = I", relative_difference(&motions(&back), &motions(&motion)));

        // x · L y = L* x · y, relative to what the sum would be without cancellation
        let mut adjoint = |what: &str, left: &[f64], right: &[f64]| {
            let size: f64 = motion.iter().zip(left).map(|(x, y)| (x * y).abs()).sum();
            record(what, (dot(&motion, left) - dot(right, &force)).abs() / size);
        };
        operator.apply_factor(&force, &mut there).unwrap();
        operator.apply_factor_transpose(&motion, &mut back).unwrap();
        adjoint("transpose of [I+HφK]", &there, &back);
        operator.solve_factor(&force, &mut there).unwrap();
        operator.solve_factor_transpose(&motion, &mut back).unwrap();
        adjoint("transpose of [I-HψK]", &there, &back);
    }
    worst.assert_within();
}

#[test]
fn the_determinant_is_that_of_the_dense_matrix() {
    let mut worst = Worst::new();
    for Case { seed, at, answer, allowed, .. } in cases(300) {
        let factor = cholesky(&answer.mass).unwrap();
        let logarithms = factor.iter().enumerate().map(|(i, row)| 2.0 * row[i].ln());
        let size: f64 = logarithms.clone().map(f64::abs).sum();
        let expected: f64 = logarithms.sum();
        let mut ws = at.workspace();
        let found = mass_operator(&at.model, &at.state, &mut ws).unwrap().log_det();
        worst.record("ln det 𝓜", seed, (found - expected).abs() / size, allowed);
    }
    worst.assert_within();
}

/// `Λ = J 𝓜⁻¹ J*`, `6 m × 6 m`, from the dense Jacobians and mass matrix.
fn dense_compliance(at: &Prepared, answer: &Answer, nodes: &[(BodyIndex, NodeIndex)]) -> Vec<Vec<f64>> {
    let mut ws = at.workspace();
    let poses = kinematics(&at.model, &at.state, &mut ws).unwrap();
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for (k, j) in nodes {
        let columns: Vec<[f64; 6]> = (answer.node_jacobians[k.0][j.0].iter())
            .map(|column| Motion::from_array(*column).rotate(&poses.body_attitude(*k)).to_array())
            .collect();
        rows.extend((0..6).map(|i| columns.iter().map(|column| column[i]).collect()));
    }
    let solved: Vec<Vec<f64>> = rows.iter().map(|row| solve(&answer.mass, row).unwrap()).collect();
    rows.iter().map(|row| solved.iter().map(|column| dot(row, column)).collect()).collect()
}

#[test]
fn compliance_of_nodes_is_that_of_the_dense_calculation() {
    let mut worst = Worst::new();
    for Case { seed, at, answer, allowed, .. } in cases(300) {
        let mut rng = Generator::new(seed);
        let nodes: Vec<_> = (0..1 + rng.below(4))
            .map(|_| {
                let body = BodyIndex(rng.below(at.model.body_count()));
                (body, NodeIndex(rng.below(at.model.node_count(body))))
            })
            .collect();
        let expected = dense_compliance(&at, &answer, &nodes);
        let size = expected.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
        let n = expected.len();
        let mut ws = at.workspace();
        let mut found = vec![0.0; n * n];
        operational_compliance(&at.model, &at.state, &nodes, &mut ws, &mut found).unwrap();
        // Nodes that cannot move have a compliance of rounding size.
        let size = size.max(f64::EPSILON * answer.condition());
        let pairs = found.iter().zip(expected.iter().flatten());
        let error = pairs.fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
        worst.record("J 𝓜⁻¹ J*", seed, error / size, allowed);

        let mut blocks = vec![Matrix6::ZERO; nodes.len()];
        node_compliances(&at.model, &at.state, &nodes, &mut ws, &mut blocks).unwrap();
        let error = blocks.iter().enumerate().fold(0.0_f64, |m, (b, block)| {
            let entry = |m: f64, (i, j): (usize, usize)| m.max((block.0[i][j] - expected[6 * b + i][6 * b + j]).abs());
            (0..36).map(|ij| (ij / 6, ij % 6)).fold(m, entry)
        });
        worst.record("its diagonal blocks", seed, error / size, allowed);
    }
    worst.assert_within();
}

/// Products leave the factors alone: any order of calls gives the same bits.
#[test]
fn products_do_not_disturb_each_other() {
    for Case { seed, at, scale, .. } in cases(100) {
        type Product = fn(&mut MassOperator<'_>, &[f64], &mut [f64]) -> Result<(), DynamicsError>;
        let products: [Product; 8] = [
            |m, x, y| m.apply(x, y),
            |m, x, y| m.solve(x, y),
            |m, x, y| m.apply_factor(x, y),
            |m, x, y| m.apply_factor_transpose(x, y),
            |m, x, y| m.solve_factor(x, y),
            |m, x, y| m.solve_factor_transpose(x, y),
            |m, x, y| m.apply_diagonal(x, y),
            |m, x, y| m.solve_diagonal(x, y),
        ];
        let n = scale.len();
        let mut rng = Generator::new(seed);
        let x = rng.list(n, 1.0);
        let alone = products.map(|product| {
            let (mut ws, mut out) = (at.workspace(), vec![0.0; n]);
            let mut operator = mass_operator(&at.model, &at.state, &mut ws).unwrap();
            product(&mut operator, &x, &mut out).unwrap();
            (out, operator.log_det())
        });
        let (mut ws, mut out) = (at.workspace(), vec![0.0; n]);
        let mut operator = mass_operator(&at.model, &at.state, &mut ws).unwrap();
        for _ in 0..40 {
            let i = rng.below(products.len());
            products[i](&mut operator, &x, &mut out).unwrap();
            assert_eq!((&out, operator.log_det()), (&alone[i].0, alone[i].1), "seed {seed}, product {i}");
        }
    }
}
