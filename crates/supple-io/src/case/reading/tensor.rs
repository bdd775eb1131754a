//! Sparse symmetric tensors of nonlinear stiffness: `[i, j, k, value]` entries.

use std::collections::BTreeMap;

use super::geometry::TOLERANCE;
use super::value::{Value, read_all};
use crate::case::error::Rule;

/// Entries of a symmetric tensor over `modes` modes.
pub(super) fn read<const N: usize>(list: Value<'_, '_>, modes: usize) -> Option<Vec<([usize; N], f64)>> {
    let items = list.items()?;
    let entries = read_all(&items, |item| read_entry::<N>(item, modes))?;
    let kept = check_repeated(&items, &entries) & check_symmetric(list, &entries);
    kept.then_some(entries)
}

fn read_entry<const N: usize>(item: Value<'_, '_>, modes: usize) -> Option<([usize; N], f64)> {
    let parts =
        item.items_per(N + 1, if N == 3 { "index of K3 and the value" } else { "index of K4 and the value" })?;
    let mut indices = [0; N];
    for (index, part) in indices.iter_mut().zip(&parts) {
        *index = part.place_in(modes, "mode")?;
    }
    Some((indices, parts[N].number()?))
}

fn check_repeated<const N: usize>(items: &[Value<'_, '_>], entries: &[([usize; N], f64)]) -> bool {
    let mut first = BTreeMap::new();
    let mut kept = true;
    for (i, (indices, _)) in entries.iter().enumerate() {
        let earlier = *first.entry(*indices).or_insert(i);
        kept &= items[i].check(earlier == i, || Rule::RepeatedEntry { what: "this entry", first: earlier });
    }
    kept
}

/// Every arrangement of the same indices must have the same value; one that is not listed is zero.
fn check_symmetric<const N: usize>(list: Value<'_, '_>, entries: &[([usize; N], f64)]) -> bool {
    let size = entries.iter().fold(0.0, |size: f64, (_, value)| size.max(value.abs()));
    let mut groups: BTreeMap<[usize; N], (usize, f64, f64)> = BTreeMap::new();
    for (indices, value) in entries {
        let mut sorted = *indices;
        sorted.sort_unstable();
        let group = groups.entry(sorted).or_insert((0, *value, *value));
        *group = (group.0 + 1, group.1.min(*value), group.2.max(*value));
    }
    groups.iter().all(|(sorted, &(count, least, most))| {
        let complete = count >= arrangements(sorted);
        let (least, most) = if complete { (least, most) } else { (least.min(0.0), most.max(0.0)) };
        let difference = most - least;
        list.check(difference <= TOLERANCE * size, || Rule::NotSymmetric { entry: sorted.to_vec(), difference })
    })
}

/// In how many ways sorted indices can be arranged.
fn arrangements(sorted: &[usize]) -> usize {
    let mut ways = 1;
    let mut run = 0;
    for (i, index) in sorted.iter().enumerate() {
        run = if i > 0 && sorted[i - 1] == *index { run + 1 } else { 1 };
        // The product stays whole: it is a multinomial coefficient at every step.
        ways = ways * (i + 1) / run;
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::arrangements;

    #[test]
    fn counts_arrangements() {
        for (sorted, ways) in
            [(&[1, 1, 1][..], 1), (&[0, 1, 1], 3), (&[0, 1, 2], 6), (&[0, 0, 1, 1], 6), (&[0, 1, 1, 2], 12)]
        {
            assert_eq!(arrangements(sorted), ways, "{sorted:?}");
        }
    }
}
