//! Rows as JSON messages of topics, in logs and over live connections.
//!
//! Each [`Channel`](super::Channel) is a topic of JSON messages, one per row, with a number per column named by it; its JSON schema has units
//! and descriptions. Numbers that are not finite are `null`. [`Frame`](super::Frame)s become one topic `/tf` of `foxglove.FrameTransforms`. The
//! time of a message is that of the first column of the table, in nanoseconds since zero.

use super::error::ResultsError;
use super::foxglove;
use super::layout::{Channel, Frame, TopicLayout};
use super::table::Table;
use serde_json::{Value, json};

/// Latest time of a message, s: 2⁶⁴ ns are a little more.
const LATEST: f64 = 1.8e10;

/// What a topic is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its name, such as `/hinges`.
    pub name: String,
    /// Name of its schema.
    pub schema_name: String,
    /// Its JSON schema.
    pub schema: String,
}

/// The topics of a table.
#[derive(Clone, Debug)]
pub struct Topics {
    list: Vec<Topic>,
    contents: Vec<Content>,
}

#[derive(Clone, Debug)]
enum Content {
    /// Per column its index and its name as JSON.
    Numbers(Vec<(usize, String)>),
    Frames(Vec<Frame>),
}

impl Topics {
    /// Makes the topics.
    ///
    /// # Errors
    /// Columns that do not exist; a first column that is not a time in seconds; a topic without columns or of a name used twice.
    pub fn new(table: &Table, layout: &TopicLayout) -> Result<Self, ResultsError> {
        check(table, layout)?;
        let (mut list, mut contents) = (Vec::new(), Vec::new());
        for channel in &layout.channels {
            let schema_name = format!("supple{}", channel.topic.replace('/', "."));
            list.push(Topic { name: channel.topic.clone(), schema_name, schema: schema(table, channel).to_string() });
            let keys = channel.columns.iter().map(|i| (*i, foxglove::text(&table.columns()[*i].name)));
            contents.push(Content::Numbers(keys.collect()));
        }
        if !layout.frames.is_empty() {
            list.push(foxglove::transforms_topic("/tf"));
            contents.push(Content::Frames(layout.frames.clone()));
        }
        Ok(Self { list, contents })
    }

    /// What they are.
    pub fn list(&self) -> &[Topic] {
        &self.list
    }

    /// Appends the message of a topic for a row, which has a number per column of the table.
    pub fn write(&self, topic: usize, row: &[f64], time: u64, message: &mut Vec<u8>) {
        match &self.contents[topic] {
            Content::Numbers(keys) => {
                for (i, (column, key)) in keys.iter().enumerate() {
                    message.extend_from_slice(if i == 0 { b"{" } else { b"," });
                    message.extend_from_slice(key.as_bytes());
                    message.push(b':');
                    foxglove::number(message, row[*column]);
                }
                message.push(b'}');
            }
            Content::Frames(frames) => {
                let poses = frames.iter().map(|frame| {
                    let pose = std::array::from_fn(|i| row[frame.first_column + i]);
                    (frame.parent.as_str(), frame.child.as_str(), pose)
                });
                foxglove::write_transforms(message, poses, time);
            }
        }
    }
}

/// A time in nanoseconds; none where it is before zero, too late, or not a number.
pub fn nanoseconds(time: f64) -> Option<u64> {
    (0.0..=LATEST).contains(&time).then(|| (time * 1e9).round() as u64)
}

fn check(table: &Table, layout: &TopicLayout) -> Result<(), ResultsError> {
    let bad = |index: usize, name: &str, rule| Err(ResultsError::BadColumn { index, name: name.to_owned(), rule });
    let time = &table.columns()[0];
    if time.unit != "s" {
        return bad(0, &time.name, "the first column of a log must be the time, with unit `s`");
    }
    for (index, channel) in layout.channels.iter().enumerate() {
        table.check_indices(channel.columns.iter().copied())?;
        if channel.columns.is_empty() {
            return bad(index, &channel.topic, "a topic needs at least one column");
        }
        let repeated = layout.channels[..index].iter().any(|other| other.topic == channel.topic);
        if repeated || channel.topic == "/tf" || channel.topic.is_empty() {
            return bad(index, &channel.topic, "topics need different names, and `/tf` is that of the frames");
        }
    }
    table.check_indices(layout.frames.iter().map(|frame| frame.first_column.saturating_add(6)))
}

/// The JSON schema of a topic: what its numbers are.
fn schema(table: &Table, channel: &Channel) -> Value {
    let property = |index: &usize| {
        let column = &table.columns()[*index];
        let told = format!("{} [{}]", column.description, column.unit);
        (column.name.clone(), json!({"type": "number", "description": told, "unit": column.unit}))
    };
    let properties: serde_json::Map<_, _> = channel.columns.iter().map(property).collect();
    json!({"title": channel.topic, "type": "object", "properties": properties})
}
