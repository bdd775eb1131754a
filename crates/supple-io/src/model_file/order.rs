//! Parents first.

/// Indices with parents first, in the given order where that is possible; or a circle of them.
pub(crate) fn parents_first(parents: &[Option<usize>]) -> Result<Vec<usize>, Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        Unseen,
        Open,
        Placed,
    }
    let mut marks = vec![Mark::Unseen; parents.len()];
    let mut order = Vec::with_capacity(parents.len());
    for start in 0..parents.len() {
        // Up to the first ancestor that has its place, then down again.
        let mut path = Vec::new();
        let mut at = Some(start);
        while let Some(k) = at {
            match marks[k] {
                Mark::Placed => break,
                Mark::Open => {
                    let first = path.iter().position(|other| *other == k).unwrap_or(0);
                    return Err(path.split_off(first));
                }
                Mark::Unseen => {
                    marks[k] = Mark::Open;
                    path.push(k);
                    at = parents[k];
                }
            }
        }
        for k in path.into_iter().rev() {
            marks[k] = Mark::Placed;
            order.push(k);
        }
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_kept_where_it_can_be() {
        assert_eq!(parents_first(&[None, Some(0), Some(0), Some(1)]), Ok(vec![0, 1, 2, 3]));
        assert_eq!(parents_first(&[Some(2), None, Some(1)]), Ok(vec![1, 2, 0]));
        assert_eq!(parents_first(&[None, Some(3), Some(1), Some(2)]), Err(vec![1, 3, 2]));
        assert_eq!(parents_first(&[Some(0)]), Err(vec![0]));
    }
}
