//! From text to a checked [`Case`].

mod collect;
mod geometry;
mod loops;
mod model;
mod order;
mod place;
mod state;
mod tensor;
mod trajectory;
mod value;

use serde_json::value::RawValue;

use self::place::locate;
use self::value::{Members, Report, Value, read_all};
use super::Case;
use super::error::ReadError;
use super::schema::{MAX_BYTES, SCHEMA};
use super::trajectory::{AnyCase, TrajectoryCase};
use std::collections::BTreeMap;

/// Members of a case of kind `tree` or `closed`.
const MEMBERS: &[&str] =
    &["schema", "kind", "name", "features", "note", "cond_M", "model", "state", "wrenches", "T", "udot_in", "expected"];

/// Members of a case of kind `trajectory`.
const TRAJECTORY_MEMBERS: &[&str] = &[
    "schema",
    "kind",
    "name",
    "features",
    "note",
    "model",
    "state",
    "wrenches",
    "torque",
    "breaks",
    "sample_times",
    "channel_rtol",
    "convergence",
    "expected",
];

/// The kinds that can be evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Tree,
    Closed,
    Trajectory,
}

/// A case of kind `tree` or `closed`.
pub(super) fn read(text: &str) -> Result<Case, ReadError> {
    match read_any(text)? {
        AnyCase::Tree(case) => Ok(case),
        AnyCase::Trajectory(_) => Err(ReadError::Unsupported { kind: "trajectory".to_owned() }),
    }
}

/// The text of a file of bearable size.
pub(super) fn text_of(bytes: &[u8]) -> Result<&str, ReadError> {
    if bytes.len() > MAX_BYTES {
        return Err(ReadError::TooLarge { bytes: bytes.len(), limit: MAX_BYTES });
    }
    std::str::from_utf8(bytes).map_err(|error| ReadError::NotUtf8 { offset: error.valid_up_to() })
}

pub(super) fn read_any(text: &str) -> Result<AnyCase, ReadError> {
    if text.len() > MAX_BYTES {
        return Err(ReadError::TooLarge { bytes: text.len(), limit: MAX_BYTES });
    }
    if text.starts_with('\u{feff}') {
        return Err(ReadError::ByteOrderMark);
    }
    if text.trim().is_empty() {
        return Err(ReadError::Empty);
    }
    // One pass checks the syntax of everything; values are then read from pieces of the text.
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| syntax_error(text, &error))?;
    let report = Report::new(text);
    let case = read_case(Value::whole(&report, raw), &report)?;
    report.finish()?;
    // Whatever cannot be read is a problem, so the report has failed already if there is no case.
    case.ok_or(ReadError::Empty)
}

fn read_case(whole: Value<'_, '_>, report: &Report<'_>) -> Result<Option<AnyCase>, ReadError> {
    let Some(root) = whole.object() else { return Ok(None) };
    let kind = check_kind(&root)?;
    root.check_names(if kind == Kind::Trajectory { TRAJECTORY_MEMBERS } else { MEMBERS });
    let name = root.or("name", None, |v| v.word().map(Some));
    let features = root.or("features", Vec::new(), |v| read_all(&v.items()?, |word| word.word()));
    let note = root.or("note", None, |v| v.word().map(Some));
    let condition = root.or("cond_M", None, |v| v.number().map(Some));
    let expected = root.or("expected", None, |v| v.any().map(Some));
    let model = root.need("model").and_then(|v| model::read(v, kind == Kind::Closed));
    // Everything else is measured against the model.
    report.finish()?;
    let Some((model, order)) = model else { return Ok(None) };
    let state = root.need("state").and_then(|v| state::read(v, &model));
    let wrenches = root.or("wrenches", Vec::new(), |v| state::read_wrenches(v, &model));
    let speeds = model.bodies.iter().map(|body| body.nm + body.joint.sizes().1).sum();
    let moving = match kind {
        Kind::Tree | Kind::Closed => None,
        Kind::Trajectory => Some((
            root.need("torque").and_then(|v| trajectory::read_torque(v, speeds)),
            root.or("breaks", Vec::new(), trajectory::read_times),
            root.need("sample_times").and_then(trajectory::read_times),
            root.or("channel_rtol", BTreeMap::new(), trajectory::read_tolerances),
        )),
    };
    let per_speed = |name| match kind {
        Kind::Tree | Kind::Closed => root.need(name).and_then(|v| v.numbers(speeds, "generalized speed")),
        Kind::Trajectory => Some(vec![0.0; speeds]),
    };
    let (forces, accelerations) = (per_speed("T"), per_speed("udot_in"));
    let case = (|| {
        Some(Case {
            name: name?,
            features: features?,
            note: note?,
            condition: condition?,
            model,
            order,
            state: state?,
            wrenches: wrenches?,
            forces: forces?,
            accelerations: accelerations?,
            expected: expected?,
        })
    })();
    Ok((|| match moving {
        None => Some(AnyCase::Tree(case?)),
        Some((torque, breaks, sample_times, channel_tolerances)) => Some(AnyCase::Trajectory(TrajectoryCase {
            start: case?,
            torque: torque?,
            breaks: breaks?,
            sample_times: sample_times?,
            channel_tolerances: channel_tolerances?,
        })),
    })())
}

/// Refuses other schemas and kinds before looking at members that they may have.
fn check_kind(root: &Members<'_, '_>) -> Result<Kind, ReadError> {
    if let Some(found) = root.need("schema").and_then(|v| v.word())
        && found != SCHEMA
    {
        return Err(ReadError::Schema { found: place::shorten(&found, 60) });
    }
    Ok(match root.need("kind").and_then(|v| v.word()).as_deref() {
        Some("tree") | None => Kind::Tree,
        Some("closed") => Kind::Closed,
        Some("trajectory") => Kind::Trajectory,
        Some(kind) => return Err(ReadError::Unsupported { kind: place::shorten(kind, 60) }),
    })
}

fn syntax_error(text: &str, error: &serde_json::Error) -> ReadError {
    let line_start = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    let offset = (line_start + error.column().saturating_sub(1)).min(text.len());
    let place = locate(text, &[offset]).remove(0);
    let message = error.to_string();
    // The place tells line and column already.
    let message = message.split(" at line ").next().unwrap_or_default();
    let rest = text.as_bytes()[..offset].rsplit(|b| b",:[ \n\r\t".contains(b)).next();
    let start = offset - rest.map_or(0, <[u8]>::len);
    let word = text.get(start..).unwrap_or_default().trim_start_matches('-');
    let remedy = if ["NaN", "nan", "Inf", "inf"].iter().any(|bad| word.starts_with(bad)) {
        "; JSON has no NaN or infinity, write a finite number"
    } else {
        ""
    };
    ReadError::Syntax { place, message: format!("{message}{remedy}") }
}
