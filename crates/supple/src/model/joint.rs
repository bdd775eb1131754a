//! What the joints of closures hold, equation by equation, and what they leave free.

use super::cast::Cast;
use super::closure::ClosureKind;
use supple_spatial::Scalar;

/// A rotation of `b` in `a` that an equation holds. The axis of the joint, where it has one, is `z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// That about an axis of `a`, of all three.
    About(usize),
    /// That of `z` across `z`, about x or y.
    Tilt(usize),
    /// That about `z`, where it is driven.
    Angle,
    /// The angle between `z` of both.
    Between,
}

/// A translation of `b` in `a` that an equation holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slide {
    /// Along an axis of `a`.
    Along(usize),
    /// Across `z`, along x or y.
    Across(usize),
    /// Along `z`, less the advance of a screw.
    Advance,
    /// That of the origins from each other.
    Distance,
}

/// What a joint holds: rotations first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joint<T> {
    pub turns: &'static [Turn],
    pub slides: &'static [Slide],
    /// Pitch of a screw, cosine between the axes of a universal joint, length of a distance.
    pub number: T,
}

impl<U: Scalar> Cast<U> for Joint<f64> {
    type Output = Joint<U>;
    fn cast(&self) -> Joint<U> {
        Joint { turns: self.turns, slides: self.slides, number: U::from_f64(self.number) }
    }
}

/// A relative motion of two frames that a closure leaves free, in the axes of `a` turned so that the axis of the closure is `z`; x and y are
/// those of a [planar hinge](super::HingeKind::plane_axes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosureCoordinate {
    /// Angle about `z`, within half a turn.
    Angle,
    /// Translation along x, y or z: 0, 1 or 2.
    Translation(usize),
}

const TURNS: [Turn; 3] = [Turn::About(0), Turn::About(1), Turn::About(2)];
const TILTS: [Turn; 3] = [Turn::Tilt(0), Turn::Tilt(1), Turn::Angle];
const ALONG: [Slide; 3] = [Slide::Along(0), Slide::Along(1), Slide::Along(2)];
const ACROSS: [Slide; 3] = [Slide::Across(0), Slide::Across(1), Slide::Along(2)];
const ADVANCE: [Slide; 3] = [Slide::Across(0), Slide::Across(1), Slide::Advance];
const X: ClosureCoordinate = ClosureCoordinate::Translation(0);
const Y: ClosureCoordinate = ClosureCoordinate::Translation(1);
const Z: ClosureCoordinate = ClosureCoordinate::Translation(2);

impl ClosureKind {
    /// What it leaves free and can be measured by one number each. Rotations about more than one axis have none.
    pub fn coordinates(&self) -> &'static [ClosureCoordinate] {
        use ClosureCoordinate::Angle;
        match self {
            Self::Revolute { .. } | Self::Screw { .. } => &[Angle],
            Self::Prismatic { .. } | Self::PointOnLine { .. } => &[Z],
            Self::Cylindrical { .. } => &[Angle, Z],
            Self::Planar { .. } => &[X, Y, Angle],
            Self::PointOnPlane { .. } => &[X, Y],
            Self::Weld | Self::Ball | Self::Universal { .. } | Self::Distance { .. } => &[],
        }
    }

    /// Its axis or normal, of unit length, where it has coordinates.
    pub(crate) fn axis(&self) -> Option<[f64; 3]> {
        let axis = match *self {
            Self::Revolute { axis }
            | Self::Prismatic { axis }
            | Self::Screw { axis, .. }
            | Self::Cylindrical { axis }
            | Self::PointOnLine { axis } => axis,
            Self::Planar { normal } | Self::PointOnPlane { normal } => normal,
            Self::Weld | Self::Ball | Self::Universal { .. } | Self::Distance { .. } => return None,
        };
        let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        Some(axis.map(|x| x / length))
    }

    /// The equation of a coordinate that is driven, among those of the closure.
    pub(crate) fn driven_equation(&self, coordinate: ClosureCoordinate) -> Option<usize> {
        let (turns, slides) = self.held(true);
        match coordinate {
            ClosureCoordinate::Angle => turns.iter().position(|turn| *turn == Turn::Angle),
            ClosureCoordinate::Translation(i) => {
                slides.iter().position(|slide| *slide == Slide::Along(i)).map(|place| turns.len() + place)
            }
        }
    }

    /// The equations that it has, with its coordinates where they are `driven`.
    pub(super) fn held(&self, driven: bool) -> (&'static [Turn], &'static [Slide]) {
        // The last entry of a list is that of the coordinate.
        let (tilts, across) = if driven { (&TILTS[..], &ACROSS[..]) } else { (&TILTS[..2], &ACROSS[..2]) };
        let in_plane = if driven { &ALONG[..] } else { &ALONG[2..] };
        match self {
            Self::Weld => (&TURNS, &ALONG),
            Self::Ball => (&[], &ALONG),
            Self::Revolute { .. } => (tilts, &ALONG),
            Self::Prismatic { .. } => (&TURNS, across),
            Self::Screw { .. } => (tilts, &ADVANCE),
            Self::Cylindrical { .. } => (tilts, across),
            Self::Universal { .. } => (&[Turn::Between], &ALONG),
            Self::Planar { .. } => (tilts, in_plane),
            Self::PointOnLine { .. } => (&[], across),
            Self::PointOnPlane { .. } => (&[], in_plane),
            Self::Distance { .. } => (&[], &[Slide::Distance]),
        }
    }
}
