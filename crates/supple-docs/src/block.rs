//! Blocks of code in a page, and what a test does with each.

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use crate::link::events;

/// A block of code.
#[derive(Debug, Clone)]
pub struct Block {
    /// Line of its fence, from 1.
    pub line: usize,
    /// First word behind the fence.
    pub language: String,
    /// What is in it.
    pub text: String,
    /// The comment `<!-- … -->` directly in front of it.
    pub comment: Option<String>,
}

/// What a test does with a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Use {
    /// `sh`: every line is a command that ends with status 0.
    Commands,
    /// `console`: commands behind `$ `, and what they print; `…` stands for lines left out.
    Session,
    /// `text` behind `<!-- supple ARGUMENTS -->`: what that command prints.
    Output(String),
    /// `toml` or `csv` behind `<!-- file: NAME -->`: a file that later commands of the page find; models and scenarios are checked.
    File(String),
    /// `toml` behind `<!-- file: NAME, from BASE -->`: a file made of another and these tables; bodies replace those of their name. With
    /// `without KEY` at the end that key of the other is dropped first.
    Change {
        /// The file that comes out.
        file: String,
        /// The file that it is made of.
        base: String,
        /// What is dropped from it.
        without: Option<String>,
    },
    /// `rust`: compiled and run as an example of this crate.
    Example,
    /// `python`: run where Python is there.
    Python,
    /// `text` without a comment: a formula or a drawing.
    Drawing,
    /// Behind `<!-- tested by: FILE::TEST -->`: another test does it.
    Tested {
        /// Path from the root.
        file: String,
        /// Name of the test.
        test: String,
    },
    /// Behind `<!-- not run: REASON -->`.
    NotRun(String),
}

impl Block {
    /// What a test does with it.
    ///
    /// # Errors
    /// If neither language nor comment say so; the text tells what to write.
    pub fn used(&self) -> Result<Use, String> {
        let words = |text: &str| text.trim().to_owned();
        if let Some(comment) = &self.comment {
            if let Some(reason) = comment.strip_prefix("not run:") {
                return if reason.trim().len() > 10 {
                    Ok(Use::NotRun(words(reason)))
                } else {
                    Err("why is it not run?".into())
                };
            }
            if let Some((file, test)) = comment.strip_prefix("tested by:").and_then(|place| place.split_once("::")) {
                return Ok(Use::Tested { file: words(file), test: words(test) });
            }
        }
        match (self.language.as_str(), self.comment.as_deref()) {
            ("sh", None) => Ok(Use::Commands),
            ("console", None) => Ok(Use::Session),
            ("rust", None) => Ok(Use::Example),
            ("python", None) => Ok(Use::Python),
            ("text", None) if !self.looks_like_a_session() => Ok(Use::Drawing),
            ("text", None) => Err("output is a block `console`, or `text` behind `<!-- supple ARGUMENTS -->`".into()),
            ("text", Some(comment)) if comment.starts_with("supple ") => Ok(Use::Output(words(&comment[7..]))),
            ("toml" | "csv", Some(comment)) if comment.starts_with("file:") => Ok(file(&comment[5..])),
            ("toml" | "csv", None) => Err("say which file it is: `<!-- file: NAME -->` in front of it".into()),
            (language, comment) => Err(format!("a test does not know what to do with `{language}` behind {comment:?}")),
        }
    }

    /// Whether it shows commands or messages.
    fn looks_like_a_session(&self) -> bool {
        self.text.lines().any(|line| ["$ ", "supple ", "error: "].iter().any(|start| line.starts_with(start)))
    }
}

/// `NAME`, `NAME, from BASE` or `NAME, from BASE without KEY`.
fn file(words: &str) -> Use {
    let Some((file, base)) = words.split_once(", from ") else { return Use::File(words.trim().to_owned()) };
    let (base, without) =
        base.split_once(" without ").map_or((base, None), |(base, key)| (base, Some(key.trim().to_owned())));
    Use::Change { file: file.trim().to_owned(), base: base.trim().to_owned(), without }
}

/// All blocks of a page.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut comment = None;
    let mut inside = false;
    for (event, line) in events(text) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match &kind {
                    CodeBlockKind::Fenced(words) => words.split([',', ' ']).next().unwrap_or_default().to_owned(),
                    CodeBlockKind::Indented => String::new(),
                };
                found.push(Block { line, language, text: String::new(), comment: comment.take() });
                inside = true;
            }
            Event::Text(part) if inside => found.last_mut().expect("a block is open").text.push_str(&part),
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Html(html) => {
                let words = html.trim().strip_prefix("<!--").and_then(|html| html.strip_suffix("-->"));
                comment = words.map(|words| words.trim().to_owned());
            }
            Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => {}
            _ => comment = None,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(text: &str) -> Vec<Result<Use, String>> {
        blocks(text).iter().map(Block::used).collect()
    }

    #[test]
    fn language_and_comment_say_what_is_done() {
        let text = "```sh\nsupple\n```\n\n<!-- supple cost -->\n```text\n1\n```\n\n<!-- file: a.toml, from b.toml without c -->\n```toml\nd = 1\n```\n";
        let change = Use::Change { file: "a.toml".into(), base: "b.toml".into(), without: Some("c".into()) };
        assert_eq!(used(text), [Ok(Use::Commands), Ok(Use::Output("cost".into())), Ok(change)]);
    }

    #[test]
    fn blocks_of_unknown_use_are_refused() {
        for text in [
            "```\nx\n```\n",
            "    indented\n",
            "```toml\na = 1\n```\n",
            "```text\n$ supple check\n```\n",
            "```matlab\nx = 1\n```\n",
            "<!-- not run: -->\n```sh\nx\n```\n",
            "<!-- a remark -->\n```sh\nx\n```\n",
        ] {
            assert!(used(text)[0].is_err(), "{text}");
        }
    }

    #[test]
    fn a_comment_belongs_to_the_block_behind_it_alone() {
        let text = "<!-- not run: needs another program -->\n\nwords\n\n```sh\nx\n```\n";
        assert_eq!(used(text), [Ok(Use::Commands)]);
    }
}
