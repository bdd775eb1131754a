//! Parents before children.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Bodies with every parent before its children, otherwise in the order given (`order[new] =
/// old`); or the bodies of a circle, each the child of the next, and the last of the first.
pub(super) fn parents_first(parents: &[Option<usize>]) -> Result<Vec<usize>, Vec<usize>> {
    let count = parents.len();
    let mut children = vec![Vec::new(); count];
    let mut ready = BinaryHeap::new();
    for (body, parent) in parents.iter().enumerate() {
        match parent {
            Some(parent) => children[*parent].push(body),
            None => ready.push(Reverse(body)),
        }
    }
    let mut order = Vec::with_capacity(count);
    let mut placed = vec![false; count];
    while let Some(Reverse(body)) = ready.pop() {
        order.push(body);
        placed[body] = true;
        ready.extend(children[body].iter().map(|&child| Reverse(child)));
    }
    let Some(stuck) = placed.iter().position(|placed| !placed) else { return Ok(order) };
    // Every stuck body has a stuck parent: going inward ends in a circle.
    let mut met = vec![usize::MAX; count];
    let mut way = Vec::new();
    let mut body = stuck;
    while met[body] == usize::MAX {
        met[body] = way.len();
        way.push(body);
        match parents[body] {
            Some(parent) => body = parent,
            None => break,
        }
    }
    Err(way.split_off(met[body]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order_that_is_right_and_mends_the_other() {
        assert_eq!(parents_first(&[None, Some(0), Some(0), Some(1)]), Ok(vec![0, 1, 2, 3]));
        assert_eq!(parents_first(&[Some(2), Some(0), None]), Ok(vec![2, 0, 1]));
        assert_eq!(parents_first(&[]), Ok(vec![]));
    }

    #[test]
    fn finds_the_circle_and_not_what_hangs_on_it() {
        assert_eq!(parents_first(&[Some(1), Some(2), Some(3), Some(1), None]), Err(vec![1, 2, 3]));
        assert_eq!(parents_first(&[Some(0)]), Err(vec![0]));
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let parents: Vec<_> = (0..200_000).map(|k| (k + 1 < 200_000).then_some(k + 1)).collect();
        assert_eq!(parents_first(&parents).unwrap()[0], 199_999);
    }
}
