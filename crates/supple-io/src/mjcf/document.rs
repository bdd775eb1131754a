//! A document with its includes: elements and attributes with their places.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use roxmltree::{Document, Node, ParsingOptions};

use crate::robot::Written;
use crate::source::folder::Folder;
use crate::source::{MAX_FILE_BYTES, Report, Rule, Source, shorten};
use crate::urdf::scan::{self, MAX_DEPTH};

/// An element. Its places are those of the source, which has the included files behind the file itself.
#[derive(Default)]
pub(crate) struct Element {
    pub(super) tag: String,
    /// `<` and its name.
    pub(super) span: Range<usize>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) children: Vec<Element>,
}

/// An attribute.
pub(crate) struct Attribute {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) name_span: Range<usize>,
    pub(super) span: Range<usize>,
}

impl<'a> From<&'a Attribute> for Written<'a> {
    fn from(attribute: &'a Attribute) -> Self {
        Self { name: &attribute.name, value: &attribute.value, span: attribute.span.clone() }
    }
}

impl Element {
    /// An attribute of its own.
    pub(super) fn own(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// Its children of some name.
    pub(super) fn all<'e>(&'e self, tag: &'static str) -> impl Iterator<Item = &'e Element> {
        self.children.iter().filter(move |child| child.tag == tag)
    }
}

/// The document of a source. Files that it includes are appended to the source; each may be included once, below the folder of the file.
pub(crate) fn open(source: &mut Source, folder: &Folder, report: &mut Report) -> Option<Element> {
    let before = report.count();
    let mut root = parse(source, 0, report)?;
    let own = Path::new(&source.name).file_name().and_then(|name| folder.resolve(&name.to_string_lossy()).ok());
    let mut opening = Opening { source, folder, report, seen: own.into_iter().collect() };
    opening.splice(&mut root, 1);
    (report.count() == before).then_some(root)
}

struct Opening<'o> {
    source: &'o mut Source,
    folder: &'o Folder,
    report: &'o mut Report,
    seen: HashSet<std::path::PathBuf>,
}

impl Opening<'_> {
    /// Puts the content of included files in the place of `<include>`.
    fn splice(&mut self, element: &mut Element, depth: usize) {
        if depth > MAX_DEPTH {
            self.report.add(self.source, element.span.clone(), Rule::TooDeep { limit: MAX_DEPTH });
            return;
        }
        let children = std::mem::take(&mut element.children);
        for mut child in children {
            if child.tag != "include" {
                self.splice(&mut child, depth + 1);
                element.children.push(child);
            } else if let Some(mut included) = self.included(&child) {
                self.splice(&mut included, depth);
                element.children.append(&mut included.children);
            }
        }
    }

    fn included(&mut self, include: &Element) -> Option<Element> {
        let Some(file) = include.own("file") else {
            let rule = Rule::MissingAttribute { attribute: "file", element: "include".into() };
            self.report.add(self.source, include.span.clone(), rule);
            return None;
        };
        let found = self.folder.resolve(&file.value).and_then(|path| Ok((self.folder.files().read(&path)?, path)));
        let (bytes, path) = match found {
            Ok(found) => found,
            Err(fault) => {
                let rule = Rule::Path { name: shorten(&file.value, 80), fault };
                self.report.add(self.source, file.span.clone(), rule);
                return None;
            }
        };
        if !self.seen.insert(path) {
            let what = format!("the file `{}` is included a second time", shorten(&file.value, 80));
            let expected = "each file once; files must not include each other in a circle".into();
            self.report.add(self.source, file.span.clone(), Rule::Mismatch { what, expected });
            return None;
        }
        let bytes_of_all = self.source.text.len() + bytes.len();
        if bytes_of_all > MAX_FILE_BYTES {
            let rule = Rule::TooLarge { bytes: bytes_of_all, limit: MAX_FILE_BYTES };
            self.report.add(self.source, file.span.clone(), rule);
            return None;
        }
        let name = Path::new(&self.source.name).with_file_name(&file.value);
        let other = Source::from_bytes(&name.to_string_lossy(), bytes, self.report)?;
        let start = self.source.include(other);
        parse(self.source, start, self.report)
    }
}

/// The elements of the part of a source from `start` on.
fn parse(source: &Source, start: usize, report: &mut Report) -> Option<Element> {
    let text = &source.text[start..];
    if let Err((span, rule)) = scan::scan(text) {
        report.add(source, start + span.start..start + span.end, rule);
        return None;
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: 20_000_000, ..ParsingOptions::default() };
    match Document::parse_with_options(text, options) {
        Ok(document) => Some(element(document.root_element(), start)),
        Err(error) => {
            let at = error.pos();
            let offset = start + scan::offset(text, at.row as usize, at.col as usize);
            report.add(source, offset..offset + 1, Rule::Syntax { language: "XML", message: error.to_string() });
            None
        }
    }
}

/// Recursion is as deep as the elements, which [`scan::scan`] bounds.
fn element(node: Node<'_, '_>, start: usize) -> Element {
    let shift = |span: Range<usize>| start + span.start..start + span.end;
    let own = node.attributes().filter(|attribute| attribute.namespace().is_none());
    let attribute = |attribute: roxmltree::Attribute<'_, '_>| Attribute {
        name: attribute.name().to_owned(),
        value: attribute.value().to_owned(),
        name_span: shift(attribute.range_qname()),
        span: shift(attribute.range_value()),
    };
    let at = node.range().start;
    let children = node.children().filter(|child| child.is_element() && child.tag_name().namespace().is_none());
    Element {
        tag: node.tag_name().name().to_owned(),
        span: shift(at..at + 1 + node.tag_name().name().len()),
        attributes: own.map(attribute).collect(),
        children: children.map(|child| element(child, start)).collect(),
    }
}
