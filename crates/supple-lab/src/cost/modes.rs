//! Lists of mode numbers such as `0,1,5..20,30..100:10`.

/// Most modes of a body.
const MAX_MODES: usize = 1000;
/// Most entries of a list.
const MAX_ENTRIES: usize = 10_000;

/// Numbers of modes, in the order given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeList(pub Vec<usize>);

/// Reads a list; ranges include both ends.
///
/// # Errors
/// What is wrong with the text, and what to write.
pub fn parse_modes(text: &str) -> Result<ModeList, String> {
    let mut list = Vec::new();
    for item in text.split(',') {
        let (range, step) = match item.split_once(':') {
            Some((range, step)) => (range, parse_step(step)?),
            None => (item, 1),
        };
        match range.split_once("..") {
            Some((first, last)) => {
                let (first, last) = (parse_count(first)?, parse_count(last)?);
                if first > last {
                    return Err(format!("range `{item}` runs backwards; write {last}..{first}"));
                }
                list.extend((first..=last).step_by(step));
            }
            None if item.contains(':') => return Err(format!("`{item}` has a step but no range; write 10..100:10")),
            None => list.push(parse_count(range)?),
        }
        if list.len() > MAX_ENTRIES {
            return Err(format!("more than {MAX_ENTRIES} entries; use a larger step, as in 10..100:10"));
        }
    }
    Ok(ModeList(list))
}

fn parse_count(text: &str) -> Result<usize, String> {
    match text.trim().parse::<usize>() {
        Ok(count) if count <= MAX_MODES => Ok(count),
        _ => Err(format!(
            "`{text}` is not a number of modes from 0 to {MAX_MODES}; write 0,1,5,10 or 1..20 or 10..100:10"
        )),
    }
}

fn parse_step(text: &str) -> Result<usize, String> {
    match text.trim().parse::<usize>() {
        Ok(step) if step > 0 => Ok(step),
        _ => Err(format!("step `{text}` is not a positive number; write 10..100:10")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges() {
        for (text, list) in [
            ("0,1,5,10", vec![0, 1, 5, 10]),
            ("1..5", vec![1, 2, 3, 4, 5]),
            ("10..100:30", vec![10, 40, 70, 100]),
            ("10..35:10", vec![10, 20, 30]),
            ("7", vec![7]),
            ("3..3", vec![3]),
            ("0, 2..3 ,5", vec![0, 2, 3, 5]),
        ] {
            assert_eq!(parse_modes(text), Ok(ModeList(list)), "{text}");
        }
    }

    #[test]
    fn mistakes_are_told() {
        for (text, says) in [
            ("", "not a number of modes"),
            ("1,,2", "not a number of modes"),
            ("-1", "`-1` is not"),
            ("1.5", "`1.5` is not"),
            ("1001", "from 0 to 1000"),
            ("99999999999999999999999", "from 0 to 1000"),
            ("5..1", "write 1..5"),
            ("1..", "is not a number"),
            ("1..5:0", "step `0`"),
            ("1..5:x", "step `x`"),
            ("5:2", "no range"),
            ("1..2..3", "is not a number"),
        ] {
            let error = parse_modes(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
        let long = ["0..1000"; 11].join(",");
        assert!(parse_modes(&long).unwrap_err().contains("larger step"));
    }
}
