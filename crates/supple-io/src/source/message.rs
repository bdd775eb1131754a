//! The message of a broken rule: what is wrong, what was expected, what to do.

use super::Rule;
use super::folder::PathFault;
use super::nearest;

/// What a robot description is called where a file of another format is expected.
pub(crate) const ROBOT: &str = "URDF";

/// Most names that are listed in a message.
const MAX_LISTED: usize = 24;

/// The three parts of a message.
pub(crate) struct Message {
    pub(crate) what: String,
    pub(crate) expected: Option<String>,
    pub(crate) remedy: Option<String>,
}

fn message(what: impl Into<String>, expected: impl Into<String>, remedy: impl Into<String>) -> Message {
    let some = |text: String| Some(text).filter(|text| !text.is_empty());
    Message { what: what.into(), expected: some(expected.into()), remedy: some(remedy.into()) }
}

fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let mut text = names.iter().take(MAX_LISTED).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    if names.len() > MAX_LISTED {
        text.push_str(&format!(" and {} more", names.len() - MAX_LISTED));
    }
    text
}

/// A number as a person would write it: no long rows of zeros.
pub(crate) fn number(value: f64) -> String {
    if value == 0.0 || (1e-4..1e10).contains(&value.abs()) { format!("{value}") } else { format!("{value:e}") }
}

/// What a file of a format is.
fn kind_of_format(format: &str) -> Option<&'static str> {
    Some(match format {
        "supple-model-1" => "a model",
        "supple-scenario-1" => "a scenario",
        "supple-study-1" => "a study",
        "supple-flexible-1" => "the side file of a robot",
        "supple-modes-1" => "a file of nodes and modes",
        _ => return None,
    })
}

/// "did you mean …", or the other remedy.
fn meant<S: AsRef<str>>(name: &str, known: &[S], otherwise: &str) -> String {
    match nearest(name, known.iter().map(AsRef::as_ref)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => otherwise.to_owned(),
    }
}

impl Rule {
    pub(crate) fn message(&self) -> Message {
        self.text_message().or_else(|| self.table_message()).unwrap_or_else(|| self.robot_message())
    }

    /// Rules about the file as a text.
    fn text_message(&self) -> Option<Message> {
        Some(match self {
            Self::Unreadable => message("the file could not be read", "", "please report this file as a bug"),
            Self::TooLarge { bytes, limit } => {
                message(format!("the file has {bytes} bytes"), format!("at most {limit}"), "split it or shorten it")
            }
            Self::NotUtf8 { offset } => {
                message(format!("byte {offset} is not UTF-8"), "UTF-8 text", "save the file as UTF-8")
            }
            Self::Empty => message("the file is empty", "content", "check that it is the right file"),
            Self::Syntax { language, message: cause } => message(format!("invalid {language}: {cause}"), "", ""),
            Self::Format { found, expected: "supple-scenario-1" } if found == "supple-model-1" => message(
                "this is a model, not a scenario",
                "a scenario (`format = \"supple-scenario-1\"`), which names a model and says what drives it and for how long",
                "write a scenario with `model = …`; `supple check` and `supple modes` read the model itself",
            ),
            Self::Format { found, expected: "supple-scenario-1" } if found == ROBOT => message(
                "this is a robot, not a scenario",
                "a scenario (`format = \"supple-scenario-1\"`), which names the robot and says what drives it and for how long",
                "write a scenario with `model = \"….urdf\"` or `\"….xml\"`; `supple check` and `supple import` read the robot itself",
            ),
            Self::Format { found, expected: "supple-scenario-1" } if found == "supple-study-1" => message(
                "this is a study, not a scenario",
                "a scenario (`format = \"supple-scenario-1\"`)",
                "run the study with `supple sweep`, or name the scenario of the study",
            ),
            Self::Format { found, expected } if kind_of_format(found).is_some() => message(
                format!(
                    "this is {}, not {}",
                    kind_of_format(found).unwrap_or_default(),
                    kind_of_format(expected).unwrap_or("what is read here")
                ),
                format!("`format = \"{expected}\"`"),
                "check that it is the right file",
            ),
            Self::Format { found, expected } => {
                message(format!("unknown format `{found}`"), format!("`{expected}`"), "check that it is the right file")
            }
            Self::DocumentType => message(
                "a document type or entity declaration",
                "a plain XML document",
                "remove the `<!DOCTYPE …>` part: entities are never expanded",
            ),
            Self::TooDeep { limit } => message(
                "elements are nested too deep",
                format!("at most {limit} levels"),
                "check that it is a robot description",
            ),
            Self::Open { fault } => message(format!("the file cannot be read: {fault}"), "", "check its name"),
            Self::Path { name, fault: PathFault::Upward } => message(
                format!("the file `{name}` cannot be opened: {}", PathFault::Upward),
                "a path relative to this file, in its folder or below",
                "put the file into the folder of this one; a scenario with `shared = true` takes models and side files from above",
            ),
            Self::Path { name, fault } => message(
                format!("the file `{name}` cannot be opened: {fault}"),
                "a path relative to this file, in its folder or below",
                "put the file into the folder of this one and give its name only",
            ),
            Self::Mesh(error) => message(error.message(), "", error.remedy.as_str()),
            Self::ResultsFolder { name, fault } => message(
                format!("results cannot be written to `{name}`: {fault}"),
                "a path relative to this file, in its folder or below",
                "give such a path; to write elsewhere, run with `-o FOLDER`",
            ),
            Self::StandardInputData(error) => message(
                format!("standard input data, {}: `{}`", error.field, error.value),
                error.rule.text(),
                error.rule.remedy(),
            ),
            Self::StandardInputBody(error) => {
                message(format!("these standard input data make no body: {}", error.what()), "", error.remedy())
            }
            _ => return None,
        })
    }

    /// Rules about keys and values.
    fn table_message(&self) -> Option<Message> {
        Some(match self {
            Self::UnknownKey { key, known, tables } => message(
                format!("unknown key `{key}`"),
                format!("one of {}", listed(known)),
                match tables.first() {
                    Some(table) => format!("it belongs in the table `{table}`"),
                    None => meant(key, known, "remove it, or use the version of Supple that the file is for"),
                },
            ),
            Self::MissingNode { parent, known } => message(
                "the key `at` is missing",
                match known.is_empty() {
                    true => format!("`at`: index of a node of `{parent}`, which has more than one"),
                    false => format!("`at`: a node of `{parent}`, which has more than one: {}", listed(known)),
                },
                known.last().map_or("add `at = 0`".into(), |last| format!("add for instance `at = \"{last}\"`")),
            ),
            Self::MissingKey { key, meaning } => message(
                format!("the key `{key}` is missing"),
                format!("`{key}`: {meaning}"),
                format!("add `{key} = …`"),
            ),
            Self::OneOf { keys, found } if found.is_empty() => {
                message("one of the keys is missing", format!("one of {}", listed(keys)), "add one of them")
            }
            Self::OneOf { keys, found } => message(
                format!("{} are given together", listed(found)),
                format!("exactly one of {}", listed(keys)),
                "keep one of them",
            ),
            Self::Together { keys } => {
                message(format!("{} are given together", listed(keys)), "at most one of them", "keep one of them")
            }
            Self::Type { expected, found } => message(format!("unexpected value `{found}`"), expected, ""),
            Self::UnknownWord { word, known } => message(
                format!("unknown value `{word}`"),
                format!("one of {}", listed(known)),
                meant(word, known, "use one of these values, or the version of Supple that the file is for"),
            ),
            Self::Number { quantity, text, fault } => message(
                format!("`{quantity}`: `{text}` {fault}"),
                "a finite decimal number",
                "write a number such as 1.5e-3",
            ),
            Self::Range { quantity, value, expected } => {
                message(format!("`{quantity}` is {}", number(*value)), expected, "correct the value")
            }
            Self::Length { quantity, found, expected, one_per } => message(
                format!("`{quantity}` has {found} entries"),
                format!("{expected}, one per {one_per}"),
                "correct the length of the list",
            ),
            Self::TooMany { what, found, limit } => {
                message(format!("{found} {what}"), format!("at most {limit}"), "reduce the number")
            }
            Self::UnknownName { kind, name, known } if known.is_empty() => {
                message(format!("there is no {kind} `{name}`"), "", format!("no {kind} has a name here; add one"))
            }
            Self::UnknownName { kind, name, known } => message(
                format!("there is no {kind} `{name}`"),
                format!("one of {}", listed(known)),
                meant(name, known, "use one of these names"),
            ),
            Self::DuplicateName { kind, name, first_line } => message(
                format!("the {kind} name `{name}` is used twice"),
                format!("a unique name (first used in line {first_line})"),
                "rename one of them",
            ),
            Self::EmptyName { kind } => {
                message(format!("the name of the {kind} is empty"), "a name", "names identify things in results")
            }
            Self::Cycle { kind: "mimic joints", names } => message(
                format!("`<mimic>` joints form a cycle: {}", listed(names)),
                "an independent joint to follow",
                "remove one `<mimic>`",
            ),
            Self::Cycle { kind, names } => message(
                format!("{kind} form a cycle: {}", listed(names)),
                "a tree with one root",
                "attach one of them to a parent outside the cycle",
            ),
            Self::NotUnit { norm } => message(
                format!("a quaternion of length {}", number(*norm)),
                "length 1, in the order x, y, z, w",
                "divide it by its length",
            ),
            Self::Useless { key, because } => {
                message(format!("`{key}` has no effect here: {because}"), "", format!("remove `{key}`"))
            }
            Self::Mismatch { what, expected } => message(what.clone(), expected, ""),
            Self::BeyondStop { what, remedy } => message(what.clone(), "", remedy),
            Self::Profile(error) => message(error.what(), "", error.remedy()),
            Self::Model(problem) => message(problem.what(), "", problem.remedy().unwrap_or_default()),
            _ => return None,
        })
    }

    /// Rules about robot descriptions.
    fn robot_message(&self) -> Message {
        match self {
            Self::UnknownElement { element, parent, known } => message(
                format!("unknown element `<{element}>` in `<{parent}>`"),
                format!("one of {}", listed(known)),
                meant(element, known, "remove it, or read the file with `--lenient`"),
            ),
            Self::UnknownAttribute { attribute, element, known } => message(
                format!("unknown attribute `{attribute}` of `<{element}>`"),
                format!("one of {}", listed(known)),
                meant(attribute, known, "remove it, or read the file with `--lenient`"),
            ),
            Self::RepeatedElement { element } => {
                message(format!("`<{element}>` is given twice"), "at most one", "keep one of them")
            }
            Self::MissingElement { element, because } => {
                message(format!("`<{element}>` is missing"), because.to_string(), format!("add `<{element}>`"))
            }
            Self::MissingAttribute { attribute, element } => message(
                format!("the attribute `{attribute}` of `<{element}>` is missing"),
                "",
                format!("add {attribute}=\"…\""),
            ),
            Self::Mass { mass } => message(
                format!("the mass is {}", number(*mass)),
                "a positive mass on every moving link",
                "give the link its mass, or fix its joint",
            ),
            Self::NoInertia => message(
                "the link moves and has no mass or inertia",
                "`<inertial>` with mass and inertia on every moving link",
                "add `<inertial>`, or fix its joint",
            ),
            Self::NegativeMoment { moment } => message(
                format!("a principal moment of inertia about the mass centre is {moment:e}"),
                "no negative principal moment",
                "correct ixx … izz; products of inertia are entries of the inertia matrix, with their sign",
            ),
            Self::Triangle { moments: [a, b, c] } => message(
                format!("principal moments {a:e}, {b:e}, {c:e} violate the triangle inequality by {:e}", c - a - b),
                "the greatest is at most the sum of the others",
                "no mass distribution has these moments: correct the inertia",
            ),
            Self::ZeroAxis => message("the axis has length zero", "a direction", "give the axis of the joint"),
            Self::SelfLoop { link } => message(
                format!("the joint joins link `{link}` to itself"),
                "two different links",
                "correct `<parent>` or `<child>`",
            ),
            Self::TwoParents { link, first } => message(
                format!("link `{link}` already has a parent joint, `{first}`"),
                "one parent joint per link, none for the root",
                "remove one of the joints, and close the loop by a `[[closure]]` in the side file",
            ),
            Self::SeveralRoots { roots } => message(
                format!("links {} have no parent joint", listed(roots)),
                "exactly one root link",
                "join the trees, or remove all but one",
            ),
            // Covered above.
            _ => message(format!("{self:?}"), "", ""),
        }
    }
}
