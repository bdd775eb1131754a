//! From space to the plane of a picture: parallel projection, so that lengths across the view keep their scale.

use supple::spatial::Vector3;

/// Where a picture is seen from.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum View {
    /// Obliquely from above, as pages begin.
    #[default]
    Page,
    /// All three axes shortened alike.
    Isometric,
    /// From the end of the x axis.
    X,
    /// Against the y axis, x to the right where z is up.
    Y,
    /// From the end of the z axis, x to the right.
    Z,
    /// From a direction given by angles, degrees: about the vertical from the first horizontal axis, and above the horizontal plane.
    Angles {
        /// About the vertical.
        azimuth: f64,
        /// Above the horizontal.
        elevation: f64,
    },
}

/// Axes of a picture in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    right: Vector3<f64>,
    up: Vector3<f64>,
    /// Towards the eye.
    nearer: Vector3<f64>,
}

impl Camera {
    /// Of a view, in a world with a gravity; z is up where there is none.
    pub fn new(view: View, gravity: [f64; 3]) -> Self {
        let vertical = unit(Vector3(gravity.map(|g| -g))).unwrap_or(Vector3([0.0, 0.0, 1.0]));
        // Horizontal axes: with z up they are x and y, with y up z and x.
        let main = (0..3).max_by(|a, b| vertical.0[*a].abs().total_cmp(&vertical.0[*b].abs())).unwrap_or(2);
        let mut one = Vector3::ZERO;
        one.0[(main + 1) % 3] = 1.0;
        let one = unit(one - vertical * vertical.dot(one)).unwrap_or(Vector3([1.0, 0.0, 0.0]));
        let two = vertical.cross(one);
        let towards = |azimuth: f64, elevation: f64| {
            let (sa, ca) = azimuth.to_radians().sin_cos();
            let (se, ce) = elevation.to_radians().sin_cos();
            (one * ca + two * sa) * ce + vertical * se
        };
        let nearer = match view {
            View::Page => towards(-119.0, 25.7),
            View::Isometric => towards(-45.0, (0.5_f64).sqrt().atan().to_degrees()),
            View::X => Vector3([1.0, 0.0, 0.0]),
            View::Y => Vector3([0.0, -1.0, 0.0]),
            View::Z => Vector3([0.0, 0.0, 1.0]),
            View::Angles { azimuth, elevation } => towards(azimuth, elevation),
        };
        let nearer = unit(nearer).unwrap_or(vertical);
        // Straight from above or below the second horizontal axis points up.
        let level = nearer.dot(vertical).abs() > 1.0 - 1e-9;
        let steady = if level { two } else { vertical };
        let up = unit(steady - nearer * nearer.dot(steady)).unwrap_or(two);
        Self { right: up.cross(nearer), up, nearer }
    }

    /// Right, up and towards the eye.
    pub fn seen(&self, p: Vector3<f64>) -> [f64; 3] {
        [self.right.dot(p), self.up.dot(p), self.nearer.dot(p)]
    }
}

fn unit(v: Vector3<f64>) -> Option<Vector3<f64>> {
    let length = v.dot(v).sqrt();
    (length > 0.0 && length.is_finite()).then(|| v * (1.0 / length))
}

/// From the plane of the camera to the page: scaled evenly, `up` turned to the `down` of pages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Units of the page per metre.
    pub scale: f64,
    /// What of the plane is at `centre`.
    pub middle: [f64; 2],
    /// The middle of the room on the page.
    pub centre: [f64; 2],
}

impl Fit {
    /// All points within a rectangle of the page, given by its corner and size.
    pub fn new(points: &[[f64; 3]], corner: [f64; 2], size: [f64; 2]) -> Self {
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for p in points.iter().filter(|p| p.iter().all(|x| x.is_finite())) {
            for i in 0..2 {
                low[i] = low[i].min(p[i]);
                high[i] = high[i].max(p[i]);
            }
        }
        if low[0] > high[0] {
            (low, high) = ([-1.0; 2], [1.0; 2]);
        }
        let extent: [f64; 2] = std::array::from_fn(|i| high[i] - low[i]);
        let most = extent[0].max(extent[1]);
        // A point still needs room around it; a line needs none across.
        let scale = if most > 0.0 {
            (0..2).map(|i| size[i] / extent[i].max(1e-9 * most)).fold(f64::INFINITY, f64::min)
        } else {
            0.25 * size[0].min(size[1])
        };
        Self {
            scale,
            middle: std::array::from_fn(|i| 0.5 * (low[i] + high[i])),
            centre: std::array::from_fn(|i| corner[i] + 0.5 * size[i]),
        }
    }

    /// Where a point of the plane is on the page.
    pub fn page(&self, p: [f64; 3]) -> [f64; 2] {
        [self.centre[0] + self.scale * (p[0] - self.middle[0]), self.centre[1] - self.scale * (p[1] - self.middle[1])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: [f64; 3], b: [f64; 3]) -> bool {
        (0..3).all(|i| (a[i] - b[i]).abs() < 1e-12)
    }

    #[test]
    fn views_along_axes_show_the_other_two() {
        let p = Vector3([1.0, 2.0, 3.0]);
        let down = [0.0, 0.0, -9.81];
        assert!(near(Camera::new(View::X, down).seen(p), [2.0, 3.0, 1.0]));
        assert!(near(Camera::new(View::Y, down).seen(p), [1.0, 3.0, -2.0]));
        assert!(near(Camera::new(View::Z, down).seen(p), [1.0, 2.0, 3.0]));
        // With gravity along -y, planar systems stand upright in the view along z.
        assert!(near(Camera::new(View::Z, [0.0, -9.81, 0.0]).seen(p), [1.0, 2.0, 3.0]));
    }

    #[test]
    fn cameras_are_right_handed_and_iso_shortens_all_axes_alike() {
        for gravity in [[0.0; 3], [0.0, -9.81, 0.0], [3.0, 1.0, -2.0], [9.81, 0.0, 0.0]] {
            for view in [
                View::Page,
                View::Isometric,
                View::X,
                View::Y,
                View::Z,
                View::Angles { azimuth: 30.0, elevation: 90.0 },
            ] {
                let own = Camera::new(view, gravity);
                let apart = own.right.cross(own.up) - own.nearer;
                assert!(
                    apart.dot(apart) < 1e-24 && (own.right.dot(own.right) - 1.0).abs() < 1e-12,
                    "{view:?} {gravity:?}"
                );
            }
        }
        let iso = Camera::new(View::Isometric, [0.0; 3]);
        for i in 0..3 {
            let mut axis = Vector3::ZERO;
            axis.0[i] = 1.0;
            let [x, y, _] = iso.seen(axis);
            assert!((x.hypot(y) - (2.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        }
    }

    #[test]
    fn everything_fits_and_nothing_needs_nothing() {
        let fit = Fit::new(&[[-1.0, 0.0, 5.0], [3.0, 1.0, 0.0]], [10.0, 20.0], [200.0, 100.0]);
        assert_eq!(fit.scale, 50.0);
        assert_eq!(fit.page([-1.0, 0.5, 0.0]), [10.0, 70.0]);
        assert!(Fit::new(&[], [0.0; 2], [100.0; 2]).scale.is_finite());
        assert!(Fit::new(&[[1.0; 3]], [0.0; 2], [100.0; 2]).scale > 0.0);
        assert!(Fit::new(&[[0.0; 3], [1.0, 0.0, 0.0]], [0.0; 2], [100.0, 50.0]).scale == 100.0);
    }
}
