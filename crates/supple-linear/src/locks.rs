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
    set(model, inputs, hinges, true)
}

/// Frees the hinges named and locks all others, as [`lock`] does.
///
/// # Errors
/// As [`lock`].
pub fn free(model: &Model, inputs: &mut Inputs, hinges: &[&str]) -> Result<(), LinearError> {
    set(model, inputs, hinges, false)
}

fn set(model: &Model, inputs: &mut Inputs, hinges: &[&str], flag: bool) -> Result<(), LinearError> {
    inputs.check(model)?;
    let mut flags = vec![!flag; model.body_count()];
    for name in hinges {
        let fits = model.hinges().filter(|hinge| model.hinge_name(*hinge).is_some_and(|known| matches(name, known)));
        let mut found = false;
        for hinge in fits {
            (flags[hinge.body().0], found) = (flag, true);
        }
        if !found {
            model.hinge(name)?;
        }
    }
    inputs.prescribed.copy_from_slice(&flags);
    Ok(())
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
    use super::matches;

    #[test]
    fn stars_stand_for_anything() {
        assert!(matches("hinge.*", "hinge.elbow") && matches("*", "") && matches("*.x", "node.a.b.x"));
        assert!(matches("a*b*c", "a--b-b-c") && matches("a*", "a"));
        assert!(!matches("hinge.*", "speed.elbow") && !matches("a*b", "a") && !matches("elbow", "elbows"));
    }
}
