//! Default classes, and elements with the attributes that their class gives them.

use std::collections::{BTreeMap, HashMap};

use super::document::{Attribute, Element};
use super::known;
use crate::robot::{MAX_SHOWN, Reading};
use crate::source::{Rule, shorten};

/// Classes: the last one of the top level is that of elements without a class.
pub(super) struct Defaults<'d> {
    classes: Vec<Class<'d>>,
    names: BTreeMap<&'d str, usize>,
    main: usize,
}

/// What a class says, by kind of element and attribute, beyond the class that it is defined in.
#[derive(Default)]
struct Class<'d> {
    parent: Option<usize>,
    attributes: HashMap<(&'static str, &'d str), &'d Attribute>,
}

/// An element with the defaults of its class.
#[derive(Clone, Copy)]
pub(super) struct Tag<'d> {
    pub(super) element: &'d Element,
    defaults: &'d Defaults<'d>,
    class: usize,
    kind: &'static str,
}

impl<'d> Tag<'d> {
    /// An attribute: its own, or that of its class.
    pub(super) fn get(&self, name: &str) -> Option<&'d Attribute> {
        self.element.own(name).or_else(|| self.defaults.find(self.class, self.kind, name))
    }

    /// The same element with the defaults of another kind: a coupling of joints is called as a joint is.
    pub(super) fn of_kind(self, kind: &'static str) -> Self {
        Self { kind, ..self }
    }

    /// The text of an attribute.
    pub(super) fn text(&self, name: &str) -> Option<&'d str> {
        self.get(name).map(|attribute| attribute.value.as_str())
    }
}

impl<'d> Defaults<'d> {
    /// Reads all classes of a document.
    pub(super) fn read(root: &'d Element, reading: &mut Reading<'_>) -> Self {
        let mut defaults = Self { classes: vec![Class::default()], names: BTreeMap::new(), main: 0 };
        defaults.names.insert("main", 0);
        for element in root.all("default") {
            // A section that follows adds to what the main class has; classes defined before keep theirs.
            let main = defaults.add(element, Some(defaults.main), reading);
            defaults.main = main;
            let name = element.own("class").map_or("main", |class| &class.value);
            defaults.names.insert(name, main);
            defaults.names.insert("main", main);
            let mut open: Vec<(&Element, usize)> = nested(element, main);
            while let Some((element, parent)) = open.pop() {
                let Some(name) = element.own("class").filter(|class| !class.value.is_empty()) else {
                    let rule = Rule::MissingAttribute { attribute: "class", element: "default".into() };
                    reading.error(element.span.clone(), "default", rule);
                    continue;
                };
                if defaults.names.contains_key(name.value.as_str()) {
                    let what = format!("the default class `{}` is defined twice", shorten(&name.value, MAX_SHOWN));
                    let rule = Rule::Mismatch { what, expected: "one definition per class".into() };
                    reading.error(name.span.clone(), "default", rule);
                    continue;
                }
                let class = defaults.add(element, Some(parent), reading);
                defaults.names.insert(&name.value, class);
                open.extend(nested(element, class));
            }
        }
        defaults
    }

    /// One class, without those in it.
    fn add(&mut self, element: &'d Element, parent: Option<usize>, reading: &mut Reading<'_>) -> usize {
        let mut attributes = HashMap::new();
        for child in element.children.iter().filter(|child| child.tag != "default") {
            let Some(kind) = known::kind(&child.tag) else {
                let parent = "default".to_owned();
                let rule =
                    Rule::UnknownElement { element: shorten(&child.tag, MAX_SHOWN), parent, known: known::KINDS };
                reading.defect(child.span.clone(), "default", rule);
                continue;
            };
            known::check(child, "default", reading);
            attributes.extend(child.attributes.iter().map(|attribute| ((kind, attribute.name.as_str()), attribute)));
        }
        self.classes.push(Class { parent, attributes });
        self.classes.len() - 1
    }

    fn find(&self, class: usize, kind: &'static str, name: &str) -> Option<&'d Attribute> {
        let mut at = Some(class);
        while let Some(class) = at.map(|class| &self.classes[class]) {
            if let Some(found) = class.attributes.get(&(kind, name)) {
                return Some(found);
            }
            at = class.parent;
        }
        None
    }

    /// The class of elements that name none, outside of bodies that do.
    pub(super) fn main(&self) -> usize {
        self.main
    }

    /// The class that an attribute names, `otherwise` where it is absent.
    pub(super) fn class(
        &self,
        element: &Element,
        attribute: &str,
        otherwise: usize,
        reading: &mut Reading<'_>,
    ) -> Option<usize> {
        let Some(told) = element.own(attribute) else { return Some(otherwise) };
        let found = self.names.get(told.value.as_str()).copied();
        if found.is_none() {
            let known = reading.report.names(self.names.keys().copied());
            let rule = Rule::UnknownName { kind: "default class", name: shorten(&told.value, MAX_SHOWN), known };
            reading.error(told.span.clone(), &element.tag, rule);
        }
        found
    }

    /// An element with its defaults; `otherwise` is the class where it names none.
    pub(super) fn tag(&'d self, element: &'d Element, otherwise: usize, reading: &mut Reading<'_>) -> Option<Tag<'d>> {
        let class = self.class(element, "class", otherwise, reading)?;
        known::check(element, &element.tag, reading);
        Some(Tag { element, defaults: self, class, kind: known::kind(&element.tag).unwrap_or("") })
    }
}

fn nested(element: &Element, parent: usize) -> Vec<(&Element, usize)> {
    element.all("default").map(|child| (child, parent)).collect()
}
