//! Comparison of results, relative to their largest component.

/// Anything made of numbers: scalars, slices, vectors and arrays of them.
pub trait Components {
    /// Appends all numbers in order.
    fn append_to(&self, list: &mut Vec<f64>);
}

impl Components for f64 {
    fn append_to(&self, list: &mut Vec<f64>) {
        list.push(*self);
    }
}

impl<C: Components> Components for [C] {
    fn append_to(&self, list: &mut Vec<f64>) {
        self.iter().for_each(|c| c.append_to(list));
    }
}

impl<C: Components, const N: usize> Components for [C; N] {
    fn append_to(&self, list: &mut Vec<f64>) {
        self[..].append_to(list);
    }
}

impl<C: Components> Components for Vec<C> {
    fn append_to(&self, list: &mut Vec<f64>) {
        self[..].append_to(list);
    }
}

impl<C: Components + ?Sized> Components for &C {
    fn append_to(&self, list: &mut Vec<f64>) {
        (**self).append_to(list);
    }
}

/// What two algorithms may differ by, relative to the largest component: `1000 ε κ` for a mass
/// matrix whose condition number, scaled to unit diagonal, is `condition`, and no less than 1e-10.
pub fn tolerance(condition: f64) -> f64 {
    (1000.0 * f64::EPSILON * condition).max(1e-10)
}

/// Largest difference and where it is, with the largest component of `expected`.
fn compare(actual: &[f64], expected: &[f64]) -> (f64, usize, f64) {
    let size = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let mut worst = (0.0, 0);
    for (i, (a, b)) in actual.iter().zip(expected).enumerate() {
        let difference = (a - b).abs();
        if difference > worst.0 || difference.is_nan() {
            worst = (difference, i);
        }
        if difference.is_nan() {
            break;
        }
    }
    (worst.0, worst.1, size)
}

fn flat<C: Components + ?Sized>(c: &C) -> Vec<f64> {
    let mut list = Vec::new();
    c.append_to(&mut list);
    list
}

/// Largest difference relative to the largest component of `expected`, absolute where all of these
/// are zero.
///
/// # Panics
/// Where the two have different numbers of components.
#[track_caller]
pub fn relative_difference<A, B>(actual: &A, expected: &B) -> f64
where
    A: Components + ?Sized,
    B: Components + ?Sized,
{
    let (a, b) = (flat(actual), flat(expected));
    assert_eq!(a.len(), b.len(), "different numbers of components");
    let (difference, _, size) = compare(&a, &b);
    difference / if size > 0.0 { size } else { 1.0 }
}

/// Asserts that the [`relative_difference`] is at most `tolerance`.
///
/// # Panics
/// Where it is not, with the place and the size of the worst component.
#[track_caller]
pub fn assert_close<A, B>(actual: &A, expected: &B, tolerance: f64)
where
    A: Components + ?Sized,
    B: Components + ?Sized,
{
    let error = relative_difference(actual, expected);
    if error <= tolerance {
        return;
    }
    let (a, b) = (flat(actual), flat(expected));
    let (difference, i, size) = compare(&a, &b);
    panic!(
        "component {i} of {}: {:e} instead of {:e}, difference {difference:.3e}, largest component \
         {size:.3e}: relative error {error:.3e} exceeds {tolerance:.1e}",
        a.len(),
        a[i],
        b[i],
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_relative_to_the_largest_component() {
        assert_close(&[1e3, 1e-9], &vec![1e3, 0.0], 1e-11);
        assert_eq!(relative_difference(&[[1.0, 2.0]], &[1.0, 4.0]), 0.5);
        assert!(relative_difference(&f64::NAN, &1.0).is_nan());
    }

    #[test]
    #[should_panic(expected = "component 1 of 2")]
    fn the_worst_component_is_named() {
        assert_close(&[1.0, f64::NAN], &[1.0, 0.0], 1e-3);
    }
}
