//! How a broken rule is told: the value, what was expected, what to do.

use std::fmt;

use super::error::Rule;

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::UnknownMember { member, known } => {
                write!(f, "member `{member}` is not known; remove it or use one of: {}", known.join(", "))
            }
            Self::MissingMember { member } => write!(f, "member `{member}` is missing; add it"),
            Self::RepeatedMember { member } => {
                write!(f, "member `{member}` is given twice; keep one of them")
            }
            Self::UselessMember { member, because } => {
                write!(f, "member `{member}` has no use here, because {because}; remove it")
            }
            Self::UnknownWord { found, known } => {
                write!(f, "`{found}` is not known; use one of: {}", known.join(", "))
            }
            Self::Overflow { found } => {
                write!(f, "{found} is beyond the largest number, 1.8e308; write a finite number")
            }
            Self::Underflow { found } => {
                write!(f, "{found} is below the smallest number, 4.9e-324; write 0 if that is meant")
            }
            Self::LongNumber { length, limit } => {
                write!(f, "a number of {length} characters, the limit is {limit}; 17 digits say all of it")
            }
            Self::Length { found, expected, one_per } => {
                write!(f, "{found} entries, expected {expected}, one per {one_per}; make the list fit")
            }
            Self::TooMany { found, limit, what } => {
                write!(f, "{found} {what}, expected 0 to {limit}; reduce the number")
            }
            Self::Index { found, lowest, end, what } => {
                if *lowest >= *end as i64 {
                    return write!(f, "{what} {found} does not exist, and there is none; add one");
                }
                write!(f, "{what} {found} does not exist; use {lowest} to {}", *end as i64 - 1)
            }
            Self::RepeatedEntry { what, first } => {
                write!(f, "{what} is listed before, at index {first}; keep one of them")
            }
            Self::Range { found, rule } => write!(f, "{found}: {rule}"),
            Self::ParentCycle { bodies } => {
                write!(f, "bodies carry each other in a circle: ")?;
                for body in bodies {
                    write!(f, "{body} on ")?;
                }
                let first = bodies.first().copied().unwrap_or_default();
                write!(f, "{first}; hang one of them on -1 (inertial space) or on a body outside the circle")
            }
            Self::ZeroAxis => write!(f, "a direction of length zero; give the direction of the axis"),
            Self::NotRotation { deviation, determinant } => write!(
                f,
                "no rotation matrix: |R*R - 1| reaches {deviation:.3e} and det R = {determinant:.6}; \
                 give orthonormal, right-handed axes as columns with all their digits"
            ),
            Self::NotUnit { norm } => {
                write!(f, "a quaternion of length {norm}, expected 1; divide it by its length")
            }
            Self::NotSymmetric { entry, difference } => write!(
                f,
                "not symmetric: entry {entry:?} differs by {difference:.3e} from a mirror image; list both with the same value"
            ),
            Self::MissingAttitude { body, node } => write!(
                f,
                "the attitude of node {node} of body {body} is missing; it carries a hinge and modes turn it, \
                 so add {{\"body\": {body}, \"node\": {node}, \"quat\": [w, x, y, z]}}"
            ),
            Self::UselessAttitude { because } => {
                write!(f, "this attitude has no use, because {because}; remove it")
            }
        }
    }
}
