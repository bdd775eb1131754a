//! Complex numbers as this crate gives them.

use faer::c64;

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Complex {
    /// From both parts.
    pub const fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    /// Absolute value.
    pub fn abs(self) -> f64 {
        self.re.hypot(self.im)
    }

    /// Angle from the positive real axis, above `-π` and up to `π`.
    pub fn arg(self) -> f64 {
        self.im.atan2(self.re)
    }
}

impl From<c64> for Complex {
    fn from(z: c64) -> Self {
        Self { re: z.re, im: z.im }
    }
}

impl From<Complex> for c64 {
    fn from(z: Complex) -> Self {
        c64::new(z.re, z.im)
    }
}
