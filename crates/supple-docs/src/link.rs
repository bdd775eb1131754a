//! Links and anchors of a page.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A link or picture.
#[derive(Debug, Clone)]
pub struct Link {
    /// Line of the page, from 1.
    pub line: usize,
    /// What it points at, as written.
    pub target: String,
}

/// Events of a page with their lines.
pub(crate) fn events(text: &str) -> impl Iterator<Item = (Event<'_>, usize)> {
    let parser = Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter();
    let (mut line, mut place) = (1, 0);
    parser.map(move |(event, range)| {
        // Events may step back, to the end of what holds them.
        if range.start >= place {
            line += text[place..range.start].matches('\n').count();
        } else {
            line -= text[range.start..place].matches('\n').count();
        }
        place = range.start;
        (event, line)
    })
}

/// Links and pictures of a page.
pub fn links(text: &str) -> Vec<Link> {
    let target = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    };
    events(text).filter_map(|(event, line)| target(event).map(|target| Link { line, target })).collect()
}

/// Anchors that the headings of a page make: words in lower case joined by hyphens, a number behind what occurs again.
pub fn anchors(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut heading: Option<String> = None;
    for (event, _) in events(text) {
        match (event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::Text(part) | Event::Code(part), Some(words)) => words.push_str(&part),
            (Event::End(TagEnd::Heading(_)), Some(words)) => {
                let anchor = anchor(words);
                let again = found.iter().filter(|other| **other == anchor).count();
                found.push(if again == 0 { anchor } else { format!("{anchor}-{again}") });
                heading = None;
            }
            _ => {}
        }
    }
    found
}

fn anchor(heading: &str) -> String {
    let letter = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '-' => c.to_lowercase().next(),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    };
    heading.trim().chars().filter_map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_their_lines() {
        let text = "# A\n\nsee [b](b.md#c),\nand ![d](d.svg)\n\n```text\n[no](no.md)\n```\n\n| [e](e.md) |\n|---|\n";
        let found: Vec<_> = links(text).into_iter().map(|link| (link.line, link.target)).collect();
        assert_eq!(found, [(3, "b.md#c".into()), (4, "d.svg".into()), (10, "e.md".into())]);
    }

    #[test]
    fn anchors_are_words_and_hyphens() {
        let text = "# Times: `supple bench`\n## 4.6 Modal condensation\n## Again\n## Again\n";
        assert_eq!(anchors(text), ["times-supple-bench", "46-modal-condensation", "again", "again-1"]);
    }
}
