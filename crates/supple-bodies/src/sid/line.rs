//! Lines of a text: keys, indices, values.

/// A line that is neither blank nor a comment.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    /// Counted from 1.
    pub number: usize,
    /// The whole line without the space around it.
    pub text: &'a str,
    /// Begins with `new`, `end` or neither.
    pub lead: Lead,
    /// The key in lower case.
    pub key: String,
    /// What stands in brackets after the key.
    pub indices: Option<&'a str>,
    /// What stands after `=`.
    pub value: Option<&'a str>,
}

/// First word of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    New,
    End,
    None,
}

impl<'a> Line<'a> {
    fn new(number: usize, text: &'a str) -> Self {
        let (left, value) = match text.split_once('=') {
            Some((left, right)) => (left.trim(), Some(right.trim())),
            None => (text, None),
        };
        let (left, indices) = match left.split_once('(') {
            Some((name, rest)) => (name.trim(), Some(rest.trim_end().strip_suffix(')').unwrap_or(rest))),
            None => (left, None),
        };
        let lower = left.to_lowercase();
        let mut words = lower.split_whitespace();
        let first = words.next().unwrap_or("");
        let rest = || lower.split_whitespace().skip(1).collect::<Vec<_>>().join(" ");
        let (lead, key) = match first {
            "new" => (Lead::New, rest()),
            "end" => (Lead::End, rest()),
            _ => (Lead::None, lower.split_whitespace().collect::<Vec<_>>().join(" ")),
        };
        Self { number, text, lead, key, indices, value }
    }
}

/// Lines of a text, with the number of the last.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    lines: Vec<(usize, &'a str)>,
    next: usize,
    pub last: usize,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        let lines: Vec<(usize, &str)> = text.lines().enumerate().map(|(i, l)| (i + 1, l.trim())).collect();
        let last = lines.len().max(1);
        let comment = |l: &str| ["!", "#", "%", "//"].iter().any(|c| l.starts_with(c));
        Self { lines: lines.into_iter().filter(|(_, l)| !l.is_empty() && !comment(l)).collect(), next: 0, last }
    }

    /// The next line as it stands.
    pub fn peek(&self) -> Option<(usize, &'a str)> {
        self.lines.get(self.next).copied()
    }

    /// Passes over the next line.
    pub fn skip(&mut self) {
        self.next += 1;
    }

    /// The next line.
    pub fn advance(&mut self) -> Option<Line<'a>> {
        let (number, text) = self.peek()?;
        self.skip();
        Some(Line::new(number, text))
    }
}

/// A number with `E`, `D` or, before a signed exponent of three digits, no letter.
pub(super) fn number(text: &str) -> Option<f64> {
    let plain: String = text.trim().chars().map(|c| if matches!(c, 'd' | 'D') { 'e' } else { c }).collect();
    if let Ok(x) = plain.parse() {
        return Some(x);
    }
    let sign = plain.rfind(['+', '-']).filter(|&at| at > 0)?;
    let (mantissa, exponent) = plain.split_at(sign);
    if mantissa.ends_with(['e', 'E']) {
        return None;
    }
    format!("{mantissa}e{exponent}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_old_programs() {
        let cases = [
            ("-1.5D+02", -150.0),
            (" .25 ", 0.25),
            ("1.", 1.0),
            ("1.5d-3", 1.5e-3),
            ("1.0-105", 1e-105),
            ("+2E1", 20.0),
        ];
        cases.into_iter().for_each(|(text, x)| assert_eq!(number(text), Some(x), "{text}"));
        ["", "abc", "1.0 2.0", "1e--5", "1e+", "--1", "1.0-", "é-3"]
            .iter()
            .for_each(|t| assert_eq!(number(t), None, "{t}"));
    }

    #[test]
    fn keys_indices_values() {
        let text = "! note\r\n\r\n  New  Node   =  7 \r\n m1( 1, 2, 3) =-1.5D+00\r\nend modal\r\n";
        let mut lines = Lines::new(text);
        let a = lines.advance().unwrap();
        assert_eq!((a.number, a.lead, a.key.as_str(), a.value), (3, Lead::New, "node", Some("7")));
        let b = lines.advance().unwrap();
        assert_eq!((b.number, b.key.as_str(), b.indices, b.value), (4, "m1", Some(" 1, 2, 3"), Some("-1.5D+00")));
        let c = lines.advance().unwrap();
        assert_eq!((c.lead, c.key.as_str(), c.value), (Lead::End, "modal", None));
        assert!(lines.advance().is_none());
        assert_eq!(lines.last, 5);
    }
}
