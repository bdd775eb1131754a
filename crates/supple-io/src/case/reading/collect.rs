//! Entries of lists and members of objects as pieces of the text, up to a limit; the rest is
//! counted, not kept, so that memory follows what a case can use and not what a text holds.

use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// The first `limit` entries of a list and the number of all; nothing for other values.
pub(super) fn first_items(text: &str, limit: usize) -> Option<(Vec<&RawValue>, usize)> {
    serde_json::Deserializer::from_str(text).deserialize_seq(FirstItems { limit }).ok()
}

/// The first `limit` members of an object, in the order of the text, and the number of all;
/// nothing for other values.
pub(super) fn first_members(text: &str, limit: usize) -> Option<(Vec<(String, &RawValue)>, usize)> {
    serde_json::Deserializer::from_str(text).deserialize_map(FirstMembers { limit }).ok()
}

struct FirstItems {
    limit: usize,
}

impl<'de> Visitor<'de> for FirstItems {
    type Value = (Vec<&'de RawValue>, usize);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut first = Vec::new();
        while first.len() < self.limit {
            let Some(item) = list.next_element()? else { break };
            first.push(item);
        }
        let mut count = first.len();
        while list.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok((first, count))
    }
}

struct FirstMembers {
    limit: usize,
}

impl<'de> Visitor<'de> for FirstMembers {
    type Value = (Vec<(String, &'de RawValue)>, usize);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut first = Vec::new();
        while first.len() < self.limit {
            let Some(member) = map.next_entry()? else { break };
            first.push(member);
        }
        let mut count = first.len();
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok((first, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_first_and_counts_all() {
        let (items, count) = first_items(" [1, [2, 3], {}, \"x\"]", 2).unwrap();
        assert_eq!((items[1].get(), items.len(), count), ("[2, 3]", 2, 4));
        let (members, count) = first_members("{\"a\": 1, \"b\": [2], \"a\": 3}", 2).unwrap();
        assert_eq!((members[1].0.as_str(), members[1].1.get(), count), ("b", "[2]", 3));
        assert!(first_items("{}", 2).is_none() && first_members("[]", 2).is_none() && first_items("1", 2).is_none());
    }
}
