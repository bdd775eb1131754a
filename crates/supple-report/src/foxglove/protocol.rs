//! The messages of Foxglove's WebSocket protocol, as far as a run needs them.
//!
//! Both names of the subprotocol mean the same messages; older clients know the second alone, servers of Foxglove's own SDK the first.
//! Texts are JSON objects distinguished by `op`, binary messages by their first byte, numbers in them are little-endian.

use serde::Deserialize;
use serde_json::json;
use supple_io::results::Topic;

/// Names of the subprotocol.
pub const SUBPROTOCOLS: [&str; 2] = ["foxglove.sdk.v1", "foxglove.websocket.v1"];

/// How serious a status is.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    /// To know.
    Information = 0,
    /// Something asked for is not there.
    Warning = 1,
    /// Something is wrong.
    Error = 2,
}

/// The first message: server information, with the capability `time`.
pub fn server_info(name: &str, metadata: &[(&str, &str)], session: &str) -> String {
    let metadata: serde_json::Map<_, _> =
        metadata.iter().map(|(key, value)| ((*key).to_owned(), json!(value))).collect();
    let told = json!({
        "op": "serverInfo", "name": name, "capabilities": ["time"], "supportedEncodings": [], "metadata": metadata,
        "sessionId": session,
    });
    told.to_string()
}

/// What can be subscribed to; the number of a channel is its place in the list.
pub fn advertise<'t>(topics: impl Iterator<Item = &'t Topic>) -> String {
    let channel = |(id, topic): (usize, &Topic)| {
        json!({
            "id": id, "topic": topic.name, "encoding": "json", "schemaName": topic.schema_name, "schema": topic.schema,
            "schemaEncoding": "jsonschema",
        })
    };
    json!({"op": "advertise", "channels": topics.enumerate().map(channel).collect::<Vec<_>>()}).to_string()
}

/// Something for the user of the client.
pub fn status(level: Level, message: &str) -> String {
    json!({"op": "status", "level": level as u8, "message": message}).to_string()
}

/// The time, which is that of the messages that follow.
pub fn time(nanoseconds: u64) -> [u8; 9] {
    let mut bytes = [2; 9];
    bytes[1..].copy_from_slice(&nanoseconds.to_le_bytes());
    bytes
}

/// What precedes a message of a subscription.
pub fn message_head(subscription: u32, nanoseconds: u64) -> [u8; 13] {
    let mut bytes = [1; 13];
    bytes[1..5].copy_from_slice(&subscription.to_le_bytes());
    bytes[5..].copy_from_slice(&nanoseconds.to_le_bytes());
    bytes
}

/// What a client asks.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "op", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Asked {
    /// Subscribe to channels.
    Subscribe {
        /// Each with a number of the client's choice.
        subscriptions: Vec<Subscription>,
    },
    /// Unsubscribe.
    Unsubscribe {
        /// The numbers of the client's choice.
        subscription_ids: Vec<u32>,
    },
    /// Something else, which is not offered.
    #[serde(other)]
    Other,
}

/// A channel that a client wants to hear of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscription {
    /// Number of the client's choice.
    pub id: u32,
    /// Number of the channel.
    pub channel_id: u64,
}

/// Whether a page of this origin may connect: any site can open a WebSocket to this machine, only the browser says which it is. Programs send
/// none or one that is no site; sites are let in that are on this machine, that are Foxglove's, or that were named.
pub fn is_welcome(origin: Option<&str>, named: &[String]) -> bool {
    const KNOWN: [&str; 1] = ["https://app.foxglove.dev"];
    let Some(origin) = origin.map(|origin| origin.trim_end_matches('/').to_ascii_lowercase()) else { return true };
    let Some((scheme, rest)) = origin.split_once(':') else { return false };
    if !["http", "https"].contains(&scheme) {
        return true;
    }
    let host = rest.trim_start_matches('/');
    let name = if host.starts_with('[') { host.split_inclusive(']').next() } else { host.split(':').next() };
    let own = name.is_some_and(|name| ["localhost", "127.0.0.1", "[::1]"].contains(&name));
    own || KNOWN.contains(&origin.as_str())
        || named.iter().any(|named| named.trim_end_matches('/').eq_ignore_ascii_case(&origin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_of_strangers_are_not_welcome() {
        let named = ["https://Lichtblick.example/".to_owned()];
        for (origin, welcome) in [
            (None, true),
            (Some("file://"), true),
            (Some("http://localhost:8080"), true),
            (Some("https://127.0.0.1"), true),
            (Some("http://[::1]:9"), true),
            (Some("https://app.foxglove.dev"), true),
            (Some("https://lichtblick.example"), true),
            (Some("null"), false),
            (Some(""), false),
            (Some("https://example.org"), false),
            (Some("https://localhost.example.org"), false),
            (Some("https://app.foxglove.dev.example.org"), false),
            (Some("http://app.foxglove.dev"), false),
        ] {
            assert_eq!(is_welcome(origin, &named), welcome, "{origin:?}");
        }
    }

    #[test]
    fn what_clients_ask_is_understood() {
        let read = |text: &str| serde_json::from_str::<Asked>(text);
        let asked = read(r#"{"op":"subscribe","subscriptions":[{"id":7,"channelId":3}]}"#).unwrap();
        assert_eq!(asked, Asked::Subscribe { subscriptions: vec![Subscription { id: 7, channel_id: 3 }] });
        let asked = read(r#"{"op":"unsubscribe","subscriptionIds":[7]}"#).unwrap();
        assert_eq!(asked, Asked::Unsubscribe { subscription_ids: vec![7] });
        assert_eq!(read(r#"{"op":"getParameters","parameterNames":[]}"#).unwrap(), Asked::Other);
        for wrong in
            ["", "[]", "{}", r#"{"op":"subscribe"}"#, r#"{"op":"subscribe","subscriptions":[{"id":-1,"channelId":0}]}"#]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
