//! Rotation matrices from angles, and the rates that go with them.
//!
//! Each family gives `R`, which turns moving components into fixed ones, and the matrix `E` of
//! its angular velocity `E θ̇` in fixed axes.

use crate::{Matrix3, Quaternion, Scalar, Vector3};

/// Rotation about a unit `axis` by an angle of given sine and cosine (Rodrigues' formula).
#[inline(always)]
pub fn about_axis<T: Scalar>(axis: Vector3<T>, sine: T, cosine: T) -> Matrix3<T> {
    let [x, y, z] = axis.0;
    let v = axis * (T::ONE - cosine);
    let s = axis * sine;
    Matrix3([
        [v[0].mul_add(x, cosine), v[0].mul_add(y, -s[2]), v[0].mul_add(z, s[1])],
        [v[0].mul_add(y, s[2]), v[1].mul_add(y, cosine), v[1].mul_add(z, -s[0])],
        [v[0].mul_add(z, -s[1]), v[1].mul_add(z, s[0]), v[2].mul_add(z, cosine)],
    ])
}

/// A rotation by parameters `θ`: the matrix and its rates along `θ̇`.
#[derive(Clone, Copy, Debug)]
pub struct Parametrised<T> {
    /// `R(θ)`.
    pub rotation: Matrix3<T>,
    /// `E(θ)`, with the angular velocity `E θ̇` in fixed axes.
    pub rate: Matrix3<T>,
}

/// Order of three elementary rotations by `θ₁` about x, `θ₂` about y, `θ₃` about z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EulerOrder {
    /// `R = Rz(θ₃) Ry(θ₂) Rx(θ₁)`.
    Zyx,
    /// `R = Rx(θ₁) Ry(θ₂) Rz(θ₃)`.
    Xyz,
}

/// Euler angles.
#[inline]
pub fn euler<T: Scalar>(order: EulerOrder, theta: Vector3<T>) -> Parametrised<T> {
    let ((s1, c1), (s2, c2), (s3, c3)) = (theta[0].sin_cos(), theta[1].sin_cos(), theta[2].sin_cos());
    let (o, l) = (T::ZERO, T::ONE);
    match order {
        EulerOrder::Zyx => Parametrised {
            rotation: Matrix3([
                [c3 * c2, c3 * s2 * s1 - s3 * c1, c3 * s2 * c1 + s3 * s1],
                [s3 * c2, s3 * s2 * s1 + c3 * c1, s3 * s2 * c1 - c3 * s1],
                [-s2, c2 * s1, c2 * c1],
            ]),
            // Columns: Rz Ry x, Rz y, z.
            rate: Matrix3([[c3 * c2, -s3, o], [s3 * c2, c3, o], [-s2, o, l]]),
        },
        EulerOrder::Xyz => Parametrised {
            rotation: Matrix3([
                [c2 * c3, -(c2 * s3), s2],
                [s1 * s2 * c3 + c1 * s3, c1 * c3 - s1 * s2 * s3, -(s1 * c2)],
                [s1 * s3 - c1 * s2 * c3, c1 * s2 * s3 + s1 * c3, c1 * c2],
            ]),
            // Columns: x, Rx y, Rx Ry z.
            rate: Matrix3([[l, o, s2], [o, c1, -(s1 * c2)], [o, s1, c1 * c2]]),
        },
    }
}

/// `Ė θ̇` of Euler angles: each axis of the sequence is turned by the rates before it.
#[inline]
pub fn euler_rate_change<T: Scalar>(order: EulerOrder, rate: &Matrix3<T>, theta_dot: Vector3<T>) -> Vector3<T> {
    let w: [Vector3<T>; 3] = core::array::from_fn(|i| rate.column(i) * theta_dot[i]);
    match order {
        EulerOrder::Zyx => (w[2] + w[1]).cross_add(w[0], w[2].cross(w[1])),
        EulerOrder::Xyz => (w[0] + w[1]).cross_add(w[2], w[0].cross(w[1])),
    }
}

/// Coefficients of the exponential map as functions of `s = θ·θ`.
struct Exponential<T> {
    /// `sin θ / θ`.
    sinc: T,
    /// `a = (1 - cos θ) / θ²`.
    a: T,
    /// `b = (θ - sin θ) / θ³`.
    b: T,
    /// `da/ds`.
    da: T,
    /// `db/ds`.
    db: T,
}

/// `Σ cᵢ sⁱ`.
#[inline(always)]
fn polynomial<T: Scalar>(c: &[f64], s: T) -> T {
    let mut sum = T::ZERO;
    for &x in c.iter().rev() {
        sum = sum.mul_add(s, T::from_f64(x));
    }
    sum
}

impl<T: Scalar> Exponential<T> {
    /// Power series below `s = 1/2`, closed forms above: both are exact to a few rounding errors.
    fn at(s: T) -> Self {
        const A: [f64; 9] = reciprocal_factorials::<9>(2);
        const B: [f64; 9] = reciprocal_factorials::<9>(3);
        const S: [f64; 9] = reciprocal_factorials::<9>(1);
        let small = s.less_than(T::from_f64(0.5));
        let large = T::select(small, T::ONE, s);
        let theta = large.sqrt();
        let (sine, cosine) = theta.sin_cos();
        let inverse = large.recip();
        let half = T::from_f64(0.5);
        let sinc = sine / theta;
        let a = (T::ONE - cosine) * inverse;
        let b = (T::ONE - sinc) * inverse;
        // da/ds = (sinc/2 - a)/s,  db/ds = (a - 3 b)/(2 s)
        let da = (sinc * half - a) * inverse;
        let db = (a - b * T::from_f64(3.0)) * half * inverse;
        let pick = |series: T, closed: T| T::select(small, series, closed);
        Self {
            sinc: pick(polynomial(&S, s), sinc),
            a: pick(polynomial(&A, s), a),
            b: pick(polynomial(&B, s), b),
            da: pick(polynomial(&derivative(&A), s), da),
            db: pick(polynomial(&derivative(&B), s), db),
        }
    }
}

/// `(-1)ⁱ / (first + 2 i)!`.
const fn reciprocal_factorials<const N: usize>(first: usize) -> [f64; N] {
    let mut c = [0.0; N];
    let mut i = 0;
    while i < N {
        let mut f = 1.0;
        let mut k = 2;
        while k <= first + 2 * i {
            f *= k as f64;
            k += 1;
        }
        c[i] = if i % 2 == 0 { 1.0 / f } else { -1.0 / f };
        i += 1;
    }
    c
}

fn derivative<const N: usize>(c: &[f64; N]) -> [f64; N] {
    core::array::from_fn(|i| if i + 1 < N { (i + 1) as f64 * c[i + 1] } else { 0.0 })
}

/// `θ̃²` times a factor, plus `θ̃` times another, plus the identity.
#[inline(always)]
fn combine<T: Scalar>(theta: Vector3<T>, first: T, second: T) -> Matrix3<T> {
    let skew = Matrix3::skew(theta);
    Matrix3::IDENTITY + skew * first + skew * skew * second
}

/// Rotation vector: `R = exp(θ̃)` and its left Jacobian `E = I + a θ̃ + b θ̃²`.
#[inline]
pub fn rotation_vector<T: Scalar>(theta: Vector3<T>) -> Parametrised<T> {
    let e = Exponential::at(theta.norm_squared());
    Parametrised { rotation: combine(theta, e.sinc, e.a), rate: combine(theta, e.a, e.b) }
}

/// `Ė θ̇` of the rotation vector.
#[inline]
pub fn rotation_vector_rate_change<T: Scalar>(theta: Vector3<T>, theta_dot: Vector3<T>) -> Vector3<T> {
    let e = Exponential::at(theta.norm_squared());
    let dot = theta.dot(theta_dot);
    let s_dot = dot + dot;
    let once = theta.cross(theta_dot);
    let twice = theta.cross(once);
    // d/dt (θ̇ + a θ×θ̇ + b θ×(θ×θ̇)) at constant θ̇
    once * (e.da * s_dot) + twice * (e.db * s_dot) + theta_dot.cross(once) * e.b
}

impl<T: Scalar> Quaternion<T> {
    /// The unit quaternion of a rotation vector.
    #[inline]
    pub fn exponential(theta: Vector3<T>) -> Self {
        let half = theta * T::from_f64(0.5);
        let square = half.norm_squared();
        let e = Exponential::at(square);
        let v = half * e.sinc;
        Self([v[0], v[1], v[2], T::ONE - e.a * square])
    }

    /// The rotation vector of a unit quaternion whose scalar part is not negative, of length up to π.
    ///
    /// `2 asin(h) / h · v` with `h = |v|`: by its series below `h² = 1/100`, by the arc tangent above.
    #[inline]
    pub fn logarithm(self) -> Vector3<T> {
        // (2 i)! / (4ⁱ i!² (2 i + 1))
        const SERIES: [f64; 9] = {
            let (mut c, mut factor, mut i) = ([1.0; 9], 1.0, 1);
            while i < 9 {
                factor *= (2 * i - 1) as f64 / (2 * i) as f64;
                c[i] = factor / (2 * i + 1) as f64;
                i += 1;
            }
            c
        };
        let (v, w) = (self.vector(), self.scalar());
        let square = v.norm_squared();
        let small = square.less_than(T::from_f64(0.01));
        let h = T::select(small, T::ONE, square).sqrt();
        let half = T::select(small, polynomial(&SERIES, square), h.atan2(w) / h);
        v * (half + half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dual;

    type D = Dual<f64>;

    fn moving(theta: [f64; 3], theta_dot: [f64; 3]) -> Vector3<D> {
        Vector3(core::array::from_fn(|i| D { value: theta[i], derivative: theta_dot[i] }))
    }

    /// Ṙ Rᵀ must be the cross matrix of E θ̇, and Ė θ̇ the derivative of E along θ̇.
    fn check(theta: [f64; 3], theta_dot: [f64; 3], p: Parametrised<D>, change: Vector3<f64>) {
        let value = |m: &Matrix3<D>| Matrix3(m.0.map(|r| r.map(|x| x.value)));
        let rate = |m: &Matrix3<D>| Matrix3(m.0.map(|r| r.map(|x| x.derivative)));
        let spin = rate(&p.rotation) * value(&p.rotation).transpose();
        let w = value(&p.rate) * Vector3(theta_dot);
        let expected = Matrix3::skew(w);
        let e_dot = rate(&p.rate) * Vector3(theta_dot);
        for i in 0..3 {
            assert!((e_dot[i] - change[i]).abs() < 1e-14, "{theta:?} {e_dot:?} {change:?}");
            for j in 0..3 {
                assert!((spin.0[i][j] - expected.0[i][j]).abs() < 1e-14, "{theta:?}");
            }
        }
    }

    #[test]
    fn quaternions_and_matrices_have_the_same_exponential() {
        for t in [[0.0; 3], [1e-5, 2e-6, -3e-5], [0.3, -0.2, 0.45], [1.0, -0.7, 2.0], [4.0, 3.0, -5.0]] {
            let q = Quaternion::<f64>::exponential(Vector3(t));
            let (a, b) = (q.to_matrix(), rotation_vector(Vector3(t)).rotation);
            assert!((q.0.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-15);
            for i in 0..3 {
                for j in 0..3 {
                    assert!((a.0[i][j] - b.0[i][j]).abs() < 1e-14, "{t:?}");
                }
            }
        }
    }

    #[test]
    fn the_logarithm_is_the_inverse_of_the_exponential() {
        for t in
            [[0.0; 3], [1e-5, 2e-6, -3e-5], [0.1, 0.1, 0.14], [0.12, 0.1, 0.14], [1.0, -0.7, 2.0], [0.0, 3.13, 0.0]]
        {
            let back = Quaternion::<f64>::exponential(Vector3(t)).logarithm();
            for i in 0..3 {
                assert!((back[i] - t[i]).abs() < 4e-15, "{t:?} {back:?}");
            }
            // Its derivative: θ̇ again, also where the series ends and at no rotation.
            let moved = Quaternion::<D>::exponential(moving(t, [0.7, -1.3, 0.4])).logarithm();
            for (x, rate) in moved.0.iter().zip([0.7, -1.3, 0.4]) {
                assert!((x.derivative - rate).abs() < 1e-13, "{t:?} {moved:?}");
            }
        }
    }

    #[test]
    fn rates_are_the_derivatives_of_the_rotations() {
        let v = [0.7, -1.3, 0.4];
        for t in [[0.0; 3], [1e-5, 2e-6, -3e-5], [0.3, -0.2, 0.45], [0.4, 0.5, 0.3], [1.0, -0.7, 2.0]] {
            let m = moving(t, v);
            for order in [EulerOrder::Zyx, EulerOrder::Xyz] {
                let e = euler(order, Vector3(t)).rate;
                check(t, v, euler(order, m), euler_rate_change(order, &e, Vector3(v)));
            }
            check(t, v, rotation_vector(m), rotation_vector_rate_change(Vector3(t), Vector3(v)));
        }
    }
}
