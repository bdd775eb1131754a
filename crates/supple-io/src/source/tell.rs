//! How a broken rule is told: what, what was expected, what to do.

use super::Rule;
use super::nearest;

/// Most names that are listed in a message.
const MAX_LISTED: usize = 24;

/// The three parts of a message.
pub(crate) struct Told {
    pub(crate) what: String,
    pub(crate) expected: Option<String>,
    pub(crate) remedy: Option<String>,
}

fn told(what: impl Into<String>, expected: impl Into<String>, remedy: impl Into<String>) -> Told {
    let some = |text: String| Some(text).filter(|text| !text.is_empty());
    Told { what: what.into(), expected: some(expected.into()), remedy: some(remedy.into()) }
}

fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let mut text = names.iter().take(MAX_LISTED).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    if names.len() > MAX_LISTED {
        text.push_str(&format!(" and {} more", names.len() - MAX_LISTED));
    }
    text
}

/// A number as a person would write it: no long rows of zeros.
fn number(value: f64) -> String {
    if value == 0.0 || (1e-4..1e10).contains(&value.abs()) { format!("{value}") } else { format!("{value:e}") }
}

/// "did you mean …", or the other remedy.
fn meant<S: AsRef<str>>(name: &str, known: &[S], otherwise: &str) -> String {
    match nearest(name, known.iter().map(AsRef::as_ref)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => otherwise.to_owned(),
    }
}

impl Rule {
    pub(crate) fn tell(&self) -> Told {
        self.tell_text().or_else(|| self.tell_table()).unwrap_or_else(|| self.tell_robot())
    }

    /// Rules about the file as a text.
    fn tell_text(&self) -> Option<Told> {
        Some(match self {
            Self::Unreadable => {
                told("the file could not be read", "", "report this file: it should have a better message")
            }
            Self::TooLarge { bytes, limit } => {
                told(format!("the file has {bytes} bytes"), format!("at most {limit}"), "split it or shorten it")
            }
            Self::NotUtf8 { offset } => {
                told(format!("byte {offset} is not UTF-8"), "UTF-8 text", "save the file as UTF-8")
            }
            Self::ByteOrderMark => {
                told("the file starts with a byte order mark", "plain UTF-8", "save the file as UTF-8 without it")
            }
            Self::Empty => told("the file is empty", "some content", "is it the right file?"),
            Self::Syntax { language, message } => told(format!("this is not {language}: {message}"), "", ""),
            Self::Format { found, expected: "supple-scenario-1" } if found == "supple-model-1" => told(
                "this is a model, not a scenario",
                "a scenario (`format = \"supple-scenario-1\"`), which names a model and says what drives it and for how long",
                "write one with `model = …`; `supple check` and `supple modes` take the model itself",
            ),
            Self::Format { found, expected } => {
                told(format!("the format `{found}` is not known"), format!("`{expected}`"), "is it the right file?")
            }
            Self::DocumentType => told(
                "a document type or entity declaration",
                "a plain XML document",
                "remove the `<!DOCTYPE …>` part: entities are never expanded",
            ),
            Self::TooDeep { limit } => {
                told("elements are nested too deep", format!("at most {limit} levels"), "is it a robot description?")
            }
            Self::Open { fault } => told(format!("the file cannot be read: {fault}"), "", "is its name right?"),
            Self::Path { name, fault } => told(
                format!("the file `{name}` is not opened: {fault}"),
                "a relative name below the folder of the file that names it",
                "put the file beside this one and give its name alone",
            ),
            Self::ResultsFolder { name, fault } => told(
                format!("results are not written to `{name}`: {fault}"),
                "a relative name below the folder of this file",
                "give such a name; a place elsewhere is chosen when the scenario is run",
            ),
            Self::StandardInputData(error) => told(
                format!("standard input data, {}: `{}`", error.field, error.value),
                error.rule.text(),
                error.rule.remedy(),
            ),
            Self::StandardInputBody(error) => {
                let text = error.to_string();
                let (what, remedy) = text.rsplit_once(": ").unwrap_or((&text, ""));
                told(format!("these standard input data make no body: {what}"), "", remedy)
            }
            _ => return None,
        })
    }

    /// Rules about keys and values.
    fn tell_table(&self) -> Option<Told> {
        Some(match self {
            Self::UnknownKey { key, known, tables } => told(
                format!("unknown key `{key}`"),
                format!("one of {}", listed(known)),
                match tables.first() {
                    Some(table) => format!("it belongs into the table `{table}`"),
                    None => meant(key, known, "remove it"),
                },
            ),
            Self::MissingNode { parent, known } => told(
                "the key `at` is missing",
                match known.is_empty() {
                    true => format!("`at`: index of a node of `{parent}`, which has more than one"),
                    false => format!("`at`: a node of `{parent}`, which has more than one: {}", listed(known)),
                },
                known.last().map_or("add `at = 0`".into(), |last| format!("add for instance `at = \"{last}\"`")),
            ),
            Self::MissingKey { key, meaning } => {
                told(format!("the key `{key}` is missing"), format!("`{key}`: {meaning}"), format!("add `{key} = …`"))
            }
            Self::OneOf { keys, found } if found.is_empty() => {
                told("one of the keys is missing", format!("one of {}", listed(keys)), "add one of them")
            }
            Self::OneOf { keys, found } => told(
                format!("{} are given together", listed(found)),
                format!("exactly one of {}", listed(keys)),
                "keep one of them",
            ),
            Self::Together { keys } => {
                told(format!("{} are given together", listed(keys)), "at most one of them", "keep one of them")
            }
            Self::Type { expected, found } => told(format!("`{found}` does not belong here"), expected, ""),
            Self::UnknownWord { word, known } => told(
                format!("unknown word `{word}`"),
                format!("one of {}", listed(known)),
                meant(word, known, "use one of these words"),
            ),
            Self::Number { quantity, text, fault } => told(
                format!("`{quantity}`: `{text}` {fault}"),
                "a finite decimal number",
                "write a number such as 1.5e-3",
            ),
            Self::Range { quantity, value, expected } => {
                told(format!("`{quantity}` is {}", number(*value)), expected, "correct the value")
            }
            Self::Length { quantity, found, expected, one_per } => told(
                format!("`{quantity}` has {found} entries"),
                format!("{expected}, one per {one_per}"),
                "make the list fit",
            ),
            Self::TooMany { what, found, limit } => {
                told(format!("{found} {what}"), format!("at most {limit}"), "reduce the number")
            }
            Self::UnknownName { kind, name, known } if known.is_empty() => told(
                format!("there is no {kind} `{name}`"),
                "",
                format!("and there is no {kind} with a name here; add one"),
            ),
            Self::UnknownName { kind, name, known } => told(
                format!("there is no {kind} `{name}`"),
                format!("one of {}", listed(known)),
                meant(name, known, "use one of these names"),
            ),
            Self::DuplicateName { kind, name, first_line } => told(
                format!("the {kind} name `{name}` is used twice"),
                format!("a name of its own (the first is in line {first_line})"),
                "rename one of them",
            ),
            Self::EmptyName { kind } => {
                told(format!("the name of the {kind} is empty"), "a name", "names identify things in results")
            }
            Self::Cycle { kind: "mimic joints", names } => told(
                format!("joints follow each other in a circle: {}", listed(names)),
                "a leader that moves on its own",
                "remove one `<mimic>`",
            ),
            Self::Cycle { kind, names } => told(
                format!("{kind} carry each other in a circle: {}", listed(names)),
                "a tree that starts at one root",
                "hang one of them on something outside of the circle",
            ),
            Self::NotUnit { norm } => told(
                format!("a quaternion of length {norm}"),
                "length 1, in the order x, y, z, w",
                "divide it by its length",
            ),
            Self::Useless { key, because } => {
                told(format!("`{key}` has no use here: {because}"), "", format!("remove `{key}`"))
            }
            Self::Mismatch { what, expected } => told(what.clone(), expected, ""),
            Self::Profile(error) => {
                let text = error.to_string();
                let (what, remedy) = text.split_once("; ").unwrap_or((&text, ""));
                told(what, "", remedy)
            }
            Self::Model(problem) => {
                let text = problem.to_string();
                let (what, remedy) = text.rsplit_once("; ").unwrap_or((&text, ""));
                told(what, "", remedy)
            }
            _ => return None,
        })
    }

    /// Rules about robot descriptions.
    fn tell_robot(&self) -> Told {
        match self {
            Self::UnknownElement { element, parent, known } => told(
                format!("unknown element `<{element}>` in `<{parent}>`"),
                format!("one of {}", listed(known)),
                meant(element, known, "remove it, or read the file leniently"),
            ),
            Self::UnknownAttribute { attribute, element, known } => told(
                format!("unknown attribute `{attribute}` of `<{element}>`"),
                format!("one of {}", listed(known)),
                meant(attribute, known, "remove it, or read the file leniently"),
            ),
            Self::RepeatedElement { element } => {
                told(format!("`<{element}>` stands here twice"), "at most one", "keep one of them")
            }
            Self::MissingElement { element, because } => {
                told(format!("`<{element}>` is missing"), because.to_string(), format!("add `<{element}>`"))
            }
            Self::MissingAttribute { attribute, element } => told(
                format!("the attribute `{attribute}` of `<{element}>` is missing"),
                "",
                format!("add {attribute}=\"…\""),
            ),
            Self::Mass { mass } => told(
                format!("the mass is {mass}"),
                "a positive mass on a link that moves",
                "give the link its mass, or fix its joint",
            ),
            Self::NoInertia => told(
                "the link moves and has no mass or inertia",
                "`<inertial>` with mass and inertia on every link that moves",
                "add `<inertial>`, or fix its joint",
            ),
            Self::NegativeMoment { moment } => told(
                format!("a principal moment of inertia about the mass centre is {moment:e}"),
                "no negative principal moment",
                "correct ixx … izz; products of inertia are matrix entries, with their sign",
            ),
            Self::Triangle { moments: [a, b, c] } => told(
                format!("principal moments {a:e}, {b:e}, {c:e} break the triangle rule by {:e}", c - a - b),
                "the greatest is at most the sum of the others",
                "no mass distribution has these: correct the inertia",
            ),
            Self::ZeroAxis => told("the axis has length zero", "a direction", "give the axis of the joint"),
            Self::SelfLoop { link } => told(
                format!("the joint joins link `{link}` to itself"),
                "two different links",
                "correct `<parent>` or `<child>`",
            ),
            Self::TwoParents { link, first } => told(
                format!("link `{link}` is carried by joint `{first}` already"),
                "one joint for every link but the root",
                "loops are not part of URDF: remove one of the joints",
            ),
            Self::SeveralRoots { roots } => told(
                format!("links {} are each the child of no joint", listed(roots)),
                "exactly one root link",
                "join the trees, or remove all but one",
            ),
            Self::Mimic { leader } => told(
                format!("the joint follows joint `{leader}`"),
                "joints that move on their own",
                "this version has no coupled joints; read the file leniently to let this joint move on its own",
            ),
            // Told above.
            _ => told(format!("{self:?}"), "", ""),
        }
    }
}
