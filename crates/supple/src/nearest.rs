//! Which known name a user may have meant.

/// Longest name that is compared.
const MAX_COMPARED: usize = 64;

/// The known name with the fewest edits, where they are few for its length; otherwise the only one that begins with the same word.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str> + Clone) -> Option<&'k str> {
    few_edits(name, known.clone()).or_else(|| {
        let first = |name: &str| name.split('_').next().unwrap_or_default().to_lowercase();
        let mut alike = known.into_iter().filter(|candidate| first(candidate) == first(name));
        alike.next().filter(|_| alike.next().is_none())
    })
}

fn few_edits<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let found: Vec<char> = name.to_lowercase().chars().collect();
    if found.len() > MAX_COMPARED {
        return None;
    }
    let close = |candidate: &'k str| {
        let other: Vec<char> = candidate.to_lowercase().chars().collect();
        if other.len() > MAX_COMPARED {
            return None;
        }
        let distance = edits(&found, &other);
        let most = found.len().max(other.len()).div_ceil(3);
        (distance <= most).then_some((distance, candidate))
    };
    known.into_iter().filter_map(close).min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one into the other.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_edits_are_a_slip_and_many_another_word() {
        let known = ["mass", "mass_centre", "inertia", "nodes"];
        assert_eq!(nearest("mas", known), Some("mass"));
        assert_eq!(nearest("msas", known), Some("mass"));
        assert_eq!(nearest("Mass_center", known), Some("mass_centre"));
        assert_eq!(nearest("temperature", known), None);
        assert_eq!(nearest("inertia_about_tip", known), Some("inertia"));
        assert_eq!(nearest("mass_of_everything", known), None, "two begin so");
        assert_eq!(edits(&['a', 'b', 'c'], &['c']), 2);
    }
}
