//! The message of a broken rule: the value, what was expected, what to do.

use std::fmt;

use super::error::Rule;

impl Rule {
    /// What to do about it, where there is more to say than what is wrong.
    pub fn remedy(&self) -> Option<String> {
        let text = match self {
            Self::Type { .. } | Self::Range { .. } => return None,
            Self::UnknownMember { known, .. } => return Some(format!("remove it or use one of: {}", known.join(", "))),
            Self::MissingMember { .. } => "add it",
            Self::RepeatedMember { .. } | Self::RepeatedEntry { .. } => "keep one of them",
            Self::UselessMember { .. } | Self::UselessAttitude { .. } => "remove it",
            Self::UnknownWord { known, .. } => return Some(format!("use one of: {}", known.join(", "))),
            Self::Overflow { .. } => "write a finite number",
            Self::Underflow { .. } => "write 0 if that is meant",
            Self::LongNumber { .. } => "17 digits are enough for any double",
            Self::Length { .. } => "correct the length of the list",
            Self::TooMany { .. } => "reduce the number",
            Self::Index { lowest, end, .. } if *lowest >= *end as i64 => "add one",
            Self::Index { lowest, end, .. } => return Some(format!("use {lowest} to {}", *end as i64 - 1)),
            Self::ParentCycle { .. } => "attach one of them to -1 (inertial space) or to a body outside the cycle",
            Self::ZeroAxis => "give the direction of the axis",
            Self::NotRotation { .. } => "give orthonormal, right-handed axes as columns, in full precision",
            Self::NotUnit { .. } => "divide it by its length",
            Self::NotSymmetric { .. } => "list both with the same value",
            Self::MissingAttitude { body, node } => {
                return Some(format!("add {{\"body\": {body}, \"node\": {node}, \"quat\": [w, x, y, z]}}"));
            }
        };
        Some(text.to_owned())
    }

    /// What is wrong, without the remedy.
    pub fn what(&self) -> String {
        match self {
            Self::Type { expected, found } => format!("expected {expected}, found {found}"),
            Self::UnknownMember { member, .. } => format!("unknown member `{member}`"),
            Self::MissingMember { member } => format!("member `{member}` is missing"),
            Self::RepeatedMember { member } => format!("member `{member}` is given twice"),
            Self::UselessMember { member, because } => {
                format!("member `{member}` has no effect here, because {because}")
            }
            Self::UnknownWord { found, .. } => format!("unknown value `{found}`"),
            Self::Overflow { found } => format!("{found} exceeds the largest double, 1.8e308"),
            Self::Underflow { found } => format!("{found} is below the smallest double, 4.9e-324"),
            Self::LongNumber { length, limit } => format!("a number of {length} characters, the limit is {limit}"),
            Self::Length { found, expected, one_per } => {
                format!("{found} entries, expected {expected}, one per {one_per}")
            }
            Self::TooMany { found, limit, what } => format!("{found} {what}, expected 0 to {limit}"),
            Self::Index { found, lowest, end, what } if *lowest >= *end as i64 => {
                format!("{what} {found} does not exist, and there is none")
            }
            Self::Index { found, what, .. } => format!("{what} {found} does not exist"),
            Self::RepeatedEntry { what, first } => format!("{what} is already listed, at index {first}"),
            Self::Range { found, rule } => format!("{found}: {rule}"),
            Self::ParentCycle { bodies } => {
                let mut text = String::from("bodies form a cycle: ");
                for body in bodies {
                    text.push_str(&format!("{body} on "));
                }
                text + &bodies.first().copied().unwrap_or_default().to_string()
            }
            Self::ZeroAxis => "a direction of length zero".into(),
            Self::NotRotation { deviation, determinant } => {
                format!("not a rotation matrix: |R*R - 1| reaches {deviation:.3e} and det R = {determinant:.6}")
            }
            Self::NotUnit { norm } => format!("a quaternion of length {norm}, expected 1"),
            Self::NotSymmetric { entry, difference } => {
                format!("not symmetric: entry {entry:?} differs by {difference:.3e} from its mirror image")
            }
            Self::MissingAttitude { body, node } => format!(
                "the attitude of node {node} of body {body} is missing: the node carries a hinge or a loop, and modes rotate it"
            ),
            Self::UselessAttitude { because } => format!("this attitude has no effect, because {because}"),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what())?;
        self.remedy().map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}
