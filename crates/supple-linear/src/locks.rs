//! Hinges that are locked, by name.

use supple::{Inputs, Model};

use crate::LinearError;

/// Locks the hinges named and frees all others. A name may be a pattern: `*` stands for any number of characters.
///
/// A locked hinge keeps its coordinates; where the state has speeds for it, it goes on turning at them.
///
/// # Errors
/// [`LinearError::Name`] for a name or pattern that fits no hinge.
pub fn lock(model: &Model, inputs: &mut Inputs, hinges: &[&str]) -> Result<(), LinearError> {
    hold(model, inputs, (hinges, &[]), false)
}

/// Frees the hinges named and locks all others, as [`lock`] does.
///
/// # Errors
/// As [`lock`].
pub fn free(model: &Model, inputs: &mut Inputs, hinges: &[&str]) -> Result<(), LinearError> {
    hold(model, inputs, (&[], hinges), true)
}

/// Locks and frees the hinges named; all others are `otherwise` locked or free. What names a hinge alone decides before a pattern, and a longer pattern before a shorter one; which of
/// the two lists comes first, and what `otherwise` is, plays no part.
///
/// # Errors
/// [`LinearError::LockedAndFree`] where both lists name a hinge in the same words, or by patterns that say as much; otherwise as [`lock`].
pub fn hold(
    model: &Model,
    inputs: &mut Inputs,
    (locked, freed): (&[&str], &[&str]),
    otherwise: bool,
) -> Result<(), LinearError> {
    inputs.check(model)?;
    let mut flags = vec![otherwise; model.body_count()];
    for name in locked.iter().chain(freed) {
        if !model.hinges().any(|hinge| model.hinge_name(hinge).is_some_and(|known| matches(name, known))) {
            model.hinge(name)?;
        }
    }
    for hinge in model.hinges() {
        let Some(known) = model.hinge_name(hinge) else { continue };
        let nearest = |names: &[&str]| names.iter().filter(|name| matches(name, known)).map(|name| weight(name)).max();
        flags[hinge.body().0] = match (nearest(locked), nearest(freed)) {
            (Some(lock), Some(free)) if lock == free => {
                return Err(LinearError::LockedAndFree { hinge: known.to_owned() });
            }
            (lock, free) if lock != free => lock > free,
            _ => otherwise,
        };
    }
    inputs.prescribed.copy_from_slice(&flags);
    Ok(())
}

/// How much a name or pattern says: names more than any pattern, patterns the more letters they have.
fn weight(name: &str) -> (bool, usize) {
    (!name.contains('*'), name.len())
}

/// Whether a name fits a pattern, in which `*` stands for any number of characters.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == name };
    let (middle, tail) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(mut left) = name.strip_prefix(head) else { return false };
    // The first place of each part leaves most for those after it.
    for part in middle.split('*') {
        let Some(place) = left.find(part) else { return false };
        left = &left[place + part.len()..];
    }
    left.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::{matches, weight};

    #[test]
    fn a_name_says_more_than_a_pattern() {
        assert!(weight("elbow") > weight("shoulder*") && weight("wrist*") > weight("*"));
    }

    #[test]
    fn stars_stand_for_anything() {
        assert!(matches("hinge.*", "hinge.elbow") && matches("*", "") && matches("*.x", "node.a.b.x"));
        assert!(matches("a*b*c", "a--b-b-c") && matches("a*", "a"));
        assert!(!matches("hinge.*", "speed.elbow") && !matches("a*b", "a") && !matches("elbow", "elbows"));
    }
}
