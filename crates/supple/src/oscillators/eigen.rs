//! Eigenvalues and eigenvectors of a small dense symmetric matrix: Householder's tridiagonal form, then implicit QL steps. No allocation.

/// Turns the symmetric `a` (`n × n` by rows) into its eigenvectors, one per row, with their values in `values`; `off` is scratch.
pub(super) fn decompose(a: &mut [f64], n: usize, values: &mut [f64], off: &mut [f64]) {
    if n == 0 {
        return;
    }
    tridiagonal(a, n, values, off);
    // Rows lie together in memory: rotations of vectors are rotations of rows.
    transpose(a, n);
    for l in 0..n {
        // Rounding ends the iteration long before this bound.
        for _ in 0..60 {
            let m = (l..n - 1).find(|&m| off[m].abs() <= f64::EPSILON * (values[m].abs() + values[m + 1].abs()));
            let m = m.unwrap_or(n - 1);
            if m == l {
                break;
            }
            ql_step(a, n, values, off, l, m);
        }
    }
}

/// One implicit QL step on rows `l..=m`.
fn ql_step(a: &mut [f64], n: usize, d: &mut [f64], e: &mut [f64], l: usize, m: usize) {
    let half = (d[l + 1] - d[l]) / (2.0 * e[l]);
    let root = half.hypot(1.0);
    let mut g = d[m] - d[l] + e[l] / (half + root.copysign(half));
    let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
    for i in (l..m).rev() {
        let (f, b) = (s * e[i], c * e[i]);
        let r = (f * f + g * g).sqrt();
        e[i + 1] = r;
        if r == 0.0 {
            d[i + 1] -= p;
            e[m] = 0.0;
            return;
        }
        (s, c) = (f / r, g / r);
        g = d[i + 1] - p;
        let t = (d[i] - g) * s + 2.0 * c * b;
        p = s * t;
        d[i + 1] = g + p;
        g = c * t - b;
        let (before, after) = a.split_at_mut((i + 1) * n);
        for (x, y) in before[i * n..].iter_mut().zip(&mut after[..n]) {
            (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
        }
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0.0;
}

pub(super) fn transpose(a: &mut [f64], n: usize) {
    for i in 0..n {
        for j in 0..i {
            a.swap(i * n + j, j * n + i);
        }
    }
}

/// `a = Q T Q*`: `a` becomes `Q`, `d` the diagonal of `T`, `e[..n-1]` what is beside it.
fn tridiagonal(a: &mut [f64], n: usize, d: &mut [f64], e: &mut [f64]) {
    let at = |i: usize, j: usize| i * n + j;
    e.fill(0.0);
    for i in (1..n).rev() {
        // Reflect row i, columns 0..i, onto column i - 1.
        let scale: f64 = (0..i).map(|k| a[at(i, k)].abs()).sum();
        if i == 1 || scale == 0.0 {
            e[i] = a[at(i, i - 1)];
            d[i] = 0.0;
            continue;
        }
        let mut h = 0.0;
        for k in 0..i {
            a[at(i, k)] /= scale;
            h += a[at(i, k)] * a[at(i, k)];
        }
        let f = a[at(i, i - 1)];
        let g = -h.sqrt().copysign(f);
        e[i] = scale * g;
        h -= f * g;
        a[at(i, i - 1)] = f - g;
        let mut sum = 0.0;
        for j in 0..i {
            a[at(j, i)] = a[at(i, j)] / h;
            let mut g = 0.0;
            for k in 0..=j {
                g += a[at(j, k)] * a[at(i, k)];
            }
            for k in j + 1..i {
                g += a[at(k, j)] * a[at(i, k)];
            }
            e[j] = g / h;
            sum += e[j] * a[at(i, j)];
        }
        let half = sum / (2.0 * h);
        for j in 0..i {
            let f = a[at(i, j)];
            let g = e[j] - half * f;
            e[j] = g;
            for k in 0..=j {
                a[at(j, k)] -= f * e[k] + g * a[at(i, k)];
            }
        }
        d[i] = h;
    }
    d[0] = 0.0;
    for i in 0..n {
        if d[i] != 0.0 {
            for j in 0..i {
                let g: f64 = (0..i).map(|k| a[at(i, k)] * a[at(k, j)]).sum();
                for k in 0..i {
                    a[at(k, j)] -= g * a[at(k, i)];
                }
            }
        }
        d[i] = a[at(i, i)];
        a[at(i, i)] = 1.0;
        for j in 0..i {
            a[at(j, i)] = 0.0;
            a[at(i, j)] = 0.0;
        }
    }
    e.rotate_left(1);
    e[n - 1] = 0.0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_orthonormal_and_diagonalise() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        for n in 1..=16 {
            for stretch in [0.0, 3.0] {
                let mut a = vec![0.0; n * n];
                for i in 0..n {
                    for j in 0..=i {
                        let x = random() * (stretch * (i + j) as f64).exp2();
                        (a[i * n + j], a[j * n + i]) = (x, x);
                    }
                }
                let (mut v, mut values, mut off) = (a.clone(), vec![0.0; n], vec![0.0; n]);
                decompose(&mut v, n, &mut values, &mut off);
                let size = values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                for i in 0..n {
                    for j in 0..n {
                        let product: f64 = (0..n).map(|k| v[i * n + k] * v[j * n + k]).sum();
                        let back: f64 = (0..n).map(|k| v[k * n + i] * values[k] * v[k * n + j]).sum();
                        assert!((product - f64::from(u8::from(i == j))).abs() < 1e-14 * n as f64, "{n} {i} {j}");
                        assert!((back - a[i * n + j]).abs() < 1e-14 * n as f64 * size, "{n} {i} {j}");
                    }
                }
            }
        }
        let (mut a, mut values) = (vec![2.0, 0.0, 0.0, 3.0], [0.0; 2]);
        decompose(&mut a, 2, &mut values, &mut [0.0; 2]);
        assert_eq!(values, [2.0, 3.0]);
    }
}
