//! The tables `[[sensor]]`, `[[shaper]]`, `[[controller]]` and `[[observer]]`, made from the kinds of blocks that there are.

use std::sync::LazyLock;

use supple::integrate::Role;
use supple_control::block::{Bound, Hinges, KINDS, Kind, Needs, Takes};

use super::shapes::{CSV, JERK_LIMITED, MOVE, NODE, SAMPLES, TEXTS};
use crate::document::shape::{
    FLAG, Key, NOT_NEGATIVE, NUMBER, NUMBER_OR_NUMBERS, POSITIVE, Shape, TEXT, TableShape, Unit, key, need, table,
};

static SIGNAL: Shape = Shape::Choice(&[&TEXT, &NUMBER]);
static SIGNALS: Shape = Shape::Choice(&[&TEXT, &NUMBER, &Shape::List { of: &SIGNAL, length: None }]);
static RATE: &str = "calls per second, Hz";
static PHASE: &str = "time of the first call, s; default: 0";

/// Tables `[[sensor]]`.
pub(super) static SENSORS: Shape = Shape::List { of: &Shape::Made(sensor), length: None };
/// Tables `[[shaper]]`.
pub(super) static SHAPERS: Shape = Shape::List { of: &Shape::Made(shaper), length: None };
/// Tables `[[controller]]`.
pub(super) static CONTROLLERS: Shape = Shape::List { of: &Shape::Made(controller), length: None };
/// Tables `[[observer]]`.
pub(super) static OBSERVERS: Shape = Shape::List { of: &Shape::Made(observer), length: None };

/// Words of kinds of shapers.
static SHAPER_KINDS: &[(&str, &str)] = &[
    ("zv", "no vibration of the mode"),
    ("zvd", "zero derivative with respect to frequency as well"),
    ("zvdd", "zero first and second derivatives as well"),
    ("ei", "extra-insensitive: the tolerance at the mode, no vibration at frequencies on either side"),
    ("ei2", "extra-insensitive with two humps"),
    ("ei3", "extra-insensitive with three humps"),
    ("um-zv", "no vibration by impulses 1, -1, 1"),
];

static SHAPER_KIND: Shape = Shape::Word(SHAPER_KINDS);
static A_MOVE: Shape = Shape::Table(&MOVE);
static A_BOUNDED_MOVE: Shape = Shape::Table(&JERK_LIMITED);
static SOME_SAMPLES: Shape = Shape::Table(&SAMPLES);
static A_FILE: Shape = Shape::Table(&CSV);

/// Keys of curves that a trajectory may have.
pub(super) const CURVES: [&str; 5] = ["cycloid", "quintic", "jerk_limited", "table", "csv"];

/// The table of a sensor.
fn sensor() -> &'static TableShape {
    static SHAPE: LazyLock<TableShape> = LazyLock::new(|| {
        let mut keys = vec![
            need("name", &TEXT, "name of the sensor, unique among the blocks"),
            need("update_rate", &POSITIVE, RATE),
            key("phase", &NOT_NEGATIVE, PHASE),
            key("latency", &NOT_NEGATIVE, "time until a reading arrives, s; default: 0"),
        ];
        of_kinds(&mut keys, |kind| kind.name == "sensor");
        made("sensor", "A sensor: a measured quantity, for controllers and observers.", keys)
    });
    &SHAPE
}

/// The table of a shaper.
fn shaper() -> &'static TableShape {
    static SHAPE: LazyLock<TableShape> = LazyLock::new(|| {
        let mut keys = vec![
            need("name", &TEXT, "name of the shaper, unique among the blocks"),
            need("kind", &SHAPER_KIND, "which shaper"),
            need("update_rate", &POSITIVE, RATE),
            key("phase", &NOT_NEGATIVE, PHASE),
            key("delay", &NOT_NEGATIVE, "time until an output arrives, s; default: 0"),
            need("frequency", &NUMBER_OR_NUMBERS, "natural frequency of the mode, or of several, Hz"),
            key("damping", &NUMBER_OR_NUMBERS, "damping ratio of the mode, or of several; default: 0"),
            key(
                "tolerance",
                &POSITIVE,
                "vibration that ei, ei2 and ei3 allow, as a fraction of that without a shaper; default: 0.05",
            ),
        ];
        of_kinds(&mut keys, |kind| kind.needs == Needs::Shaper);
        made("shaper", "An input shaper: a command convolved with impulses that leave little vibration.", keys)
    });
    &SHAPE
}

/// Whether a kind of block is one of `[[controller]]`.
pub(super) fn is_controller(kind: &Kind) -> bool {
    kind.name != "sensor" && kind.needs != Needs::Shaper && !is_observer(kind)
}

/// Whether a kind of block is one of `[[observer]]`.
pub(super) fn is_observer(kind: &Kind) -> bool {
    kind.role == Role::Observer
}

/// Kinds with what they do, as words.
fn kind_words(is_one: fn(&Kind) -> bool) -> &'static Shape {
    let kinds: Vec<_> = KINDS.iter().filter(|kind| is_one(kind)).map(|kind| (kind.name, kind.about)).collect();
    kept(Shape::Word(Vec::leak(kinds)))
}

/// The table of an observer.
fn observer() -> &'static TableShape {
    static SHAPE: LazyLock<TableShape> = LazyLock::new(|| {
        let mut keys = vec![
            need("name", &TEXT, "name of the observer, unique among the blocks"),
            need("kind", kind_words(is_observer), "which observer"),
            need("update_rate", &POSITIVE, RATE),
            key("phase", &NOT_NEGATIVE, PHASE),
            key("delay", &NOT_NEGATIVE, "time until an output arrives, s; default: 0"),
            key("hinges", &TEXTS, "names of the hinges whose efforts it knows"),
        ];
        of_kinds(&mut keys, is_observer);
        let doc =
            "An observer: an estimate of all coordinates and speeds, hinges and modes, from measurements of sensors.";
        made("observer", doc, keys)
    });
    &SHAPE
}

/// The table of a controller.
fn controller() -> &'static TableShape {
    static SHAPE: LazyLock<TableShape> = LazyLock::new(|| {
        let mut keys = vec![
            need("name", &TEXT, "name of the controller, unique among the blocks"),
            need("kind", kind_words(is_controller), "which controller"),
            need("update_rate", &POSITIVE, RATE),
            key("phase", &NOT_NEGATIVE, PHASE),
            key("delay", &NOT_NEGATIVE, "time until an output arrives, s; default: 0"),
            key(
                "hinge",
                &TEXT,
                "name of the hinge on which it acts, or of its body; of a trajectory, the hinge whose initial coordinate it starts from",
            ),
            key("hinges", &TEXTS, "names of the hinges on which it acts, where there may be several"),
            key(
                "model",
                &Shape::Word(&[
                    ("rigid", "the model without its modes"),
                    ("flexible", "the model with its modes, whose state is known"),
                ]),
                "model inside the controller; default: rigid. Regulators take the flexible one",
            ),
            key(
                "body",
                &TEXT,
                "body of the node of an impedance, a weighted correction, or a feedback of strain or acceleration",
            ),
            key("node", &NODE, "this node, by name or index; required if the body has several"),
            key("cycloid", &A_MOVE, "cycloidal move of a trajectory"),
            key("quintic", &A_MOVE, "quintic move of a trajectory"),
            key("jerk_limited", &A_BOUNDED_MOVE, "fastest move of a trajectory within bounds"),
            key("table", &SOME_SAMPLES, "coordinates of a trajectory at times, rad or m, interpolated smoothly")
                .unit("rad or m"),
            key("csv", &A_FILE, "coordinates of a trajectory from a file, rad or m, interpolated smoothly")
                .unit("rad or m"),
        ];
        of_kinds(&mut keys, is_controller);
        made(
            "controller",
            "A controller, a filter, a servo or a trajectory. Which keys it takes depends on its kind.",
            keys,
        )
    });
    &SHAPE
}

fn made(name: &'static str, doc: &'static str, keys: Vec<Key>) -> TableShape {
    table(name, doc, Vec::leak(keys))
}

/// A shape that lives as long as the program; there is one of each.
fn kept(shape: Shape) -> &'static Shape {
    Box::leak(Box::new(shape))
}

/// What a key means, by the name of the kind.
type Meanings = Vec<(&'static str, &'static str)>;

/// Adds parameters and inputs of kinds; one that several have is one key with the meanings of all.
fn of_kinds(keys: &mut Vec<Key>, is_one: fn(&Kind) -> bool) {
    let kinds: Vec<&Kind> = KINDS.iter().copied().filter(|kind| is_one(kind)).collect();
    let mut found: Vec<(&'static str, &'static Shape, Meanings)> = Vec::new();
    for kind in &kinds {
        let parameters = kind.parameters.iter().map(|p| (p.key, shape_of(p.takes), p.meaning));
        let inputs = kind
            .inputs
            .iter()
            .map(|i| (i.key, if kind.hinges == Hinges::Several { &SIGNALS } else { &SIGNAL }, i.meaning));
        for (name, shape, meaning) in parameters.chain(inputs) {
            match found.iter_mut().find(|(known, ..)| *known == name) {
                Some((_, known, meanings)) => {
                    if takes_more(shape, known) {
                        *known = shape;
                    }
                    meanings.push((kind.name, meaning));
                }
                None => found.push((name, shape, vec![(kind.name, meaning)])),
            }
        }
    }
    for (name, shape, meanings) in found {
        let all_same = meanings.iter().all(|(_, meaning)| *meaning == meanings[0].1);
        let doc = if all_same {
            let kinds: Vec<&str> = meanings.iter().map(|(kind, _)| *kind).collect();
            format!("of {}: {}", kinds.join(", "), meanings[0].1)
        } else {
            meanings.iter().map(|(kind, meaning)| format!("of {kind}: {meaning}")).collect::<Vec<_>>().join(" | ")
        };
        keys.push(key(name, shape, String::leak(doc)).with(Unit::Si));
    }
}

/// Whether a shape takes more values than another of the same key.
fn takes_more(shape: &Shape, known: &Shape) -> bool {
    match (shape, known) {
        (Shape::Choice(all), Shape::Choice(known)) => all.len() > known.len(),
        (Shape::Choice(_), Shape::Number(_))
        | (Shape::Number(crate::document::shape::Bound::Any), Shape::Number(_)) => true,
        _ => false,
    }
}

fn shape_of(takes: Takes) -> &'static Shape {
    match takes {
        Takes::Number(bound) | Takes::NumberOr(bound, _) | Takes::Maybe(bound) => match bound {
            Bound::Any => &NUMBER,
            Bound::Positive => &POSITIVE,
            Bound::NotNegative => &NOT_NEGATIVE,
        },
        Takes::Flag => &FLAG,
        Takes::Word(words) => kept(Shape::Word(words)),
        Takes::Numbers | Takes::MaybeNumbers => &NUMBER_OR_NUMBERS,
    }
}
