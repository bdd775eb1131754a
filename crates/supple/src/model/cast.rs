//! Constants of a model in another scalar.

use supple_spatial::{ArticulatedInertia, Force, Matrix3, Motion, RigidInertia, Scalar, Symmetric3, Vector3};

/// Conversion of an `f64` constant, or a structure of them, to the scalar `U`.
pub(crate) trait Cast<U> {
    /// The same structure of `U`.
    type Output;
    /// Converts.
    fn cast(&self) -> Self::Output;
}

impl<U: Scalar> Cast<U> for f64 {
    type Output = U;
    #[inline(always)]
    fn cast(&self) -> U {
        U::from_f64(*self)
    }
}

impl<U: Scalar> Cast<U> for Vector3<f64> {
    type Output = Vector3<U>;
    #[inline(always)]
    fn cast(&self) -> Vector3<U> {
        // One by one: `map` would pass lanes through memory.
        let [x, y, z] = self.0;
        Vector3([U::from_f64(x), U::from_f64(y), U::from_f64(z)])
    }
}

impl<U: Scalar> Cast<U> for Matrix3<f64> {
    type Output = Matrix3<U>;
    fn cast(&self) -> Matrix3<U> {
        Matrix3(self.0.map(|row| row.map(U::from_f64)))
    }
}

impl<U: Scalar> Cast<U> for Symmetric3<f64> {
    type Output = Symmetric3<U>;
    #[inline(always)]
    fn cast(&self) -> Symmetric3<U> {
        // One by one, as vectors.
        let [xx, yy, zz, xy, xz, yz] = self.0;
        let from = U::from_f64;
        Symmetric3([from(xx), from(yy), from(zz), from(xy), from(xz), from(yz)])
    }
}

impl<U: Scalar> Cast<U> for Motion<f64> {
    type Output = Motion<U>;
    fn cast(&self) -> Motion<U> {
        Motion::new(self.angular.cast(), self.linear.cast())
    }
}

impl<U: Scalar> Cast<U> for Force<f64> {
    type Output = Force<U>;
    fn cast(&self) -> Force<U> {
        Force::new(self.angular.cast(), self.linear.cast())
    }
}

impl<U: Scalar> Cast<U> for RigidInertia<f64> {
    type Output = RigidInertia<U>;
    fn cast(&self) -> RigidInertia<U> {
        RigidInertia { mass: self.mass.cast(), moment: self.moment.cast(), inertia: self.inertia.cast() }
    }
}

impl<U: Scalar> Cast<U> for ArticulatedInertia<f64> {
    type Output = ArticulatedInertia<U>;
    fn cast(&self) -> ArticulatedInertia<U> {
        ArticulatedInertia { angular: self.angular.cast(), coupling: self.coupling.cast(), linear: self.linear.cast() }
    }
}

impl<U, X: Cast<U>> Cast<U> for Box<[X]> {
    type Output = Box<[X::Output]>;
    fn cast(&self) -> Self::Output {
        self.iter().map(Cast::cast).collect()
    }
}

impl<U, X: Cast<U>> Cast<U> for Option<X> {
    type Output = Option<X::Output>;
    fn cast(&self) -> Self::Output {
        self.as_ref().map(Cast::cast)
    }
}
