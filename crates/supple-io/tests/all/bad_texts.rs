//! Texts that are not JSON, not this schema, too deep or too large.

use crate::support::{case, trees};
use serde_json::json;
use supple_io::case::{Case, MAX_BYTES, ReadError};

fn good() -> String {
    trees().remove(0).text
}

#[test]
fn not_a_text() {
    assert_eq!(Case::from_json(""), Err(ReadError::Empty));
    assert_eq!(Case::from_json(" \r\n\t"), Err(ReadError::Empty));
    assert_eq!(Case::from_json(&format!("\u{feff}{}", good())), Err(ReadError::ByteOrderMark));
    assert_eq!(Case::from_bytes(b"{\"a\": \"\xff\"}"), Err(ReadError::NotUtf8 { offset: 7 }));
    let utf16: Vec<u8> = "{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(matches!(Case::from_bytes(&utf16), Err(ReadError::Syntax { .. })));
    assert!(Case::from_bytes(good().as_bytes()).is_ok());
    let long = " ".repeat(MAX_BYTES + 1);
    let too_large = Err(ReadError::TooLarge { bytes: MAX_BYTES + 1, limit: MAX_BYTES });
    assert_eq!(Case::from_json(&long), too_large);
    assert_eq!(Case::from_bytes(long.as_bytes()), too_large);
}

#[test]
fn not_json() {
    let good = good();
    for (text, message) in [
        ("{", "EOF while parsing"),
        ("nonsense", "expected ident"),
        ("{\"schema\" 1}", "expected `:`"),
        ("{\"schema\": 'x'}", "expected value"),
        ("{} {}", "trailing characters"),
        ("[1, 2,]", "expected value"),
        ("{\"a\": 1,}", "key must be a string"),
        ("{\"a\": \"\u{1}\"}", "control character"),
        ("// comment\n{}", "expected value"),
        (&good[..good.len() / 2], "EOF while parsing"),
        (&format!("{good}]"), "trailing characters"),
    ] {
        match Case::from_json(text) {
            Err(ReadError::Syntax { place, message: found }) => {
                assert!(found.contains(message), "{found} for {message}");
                assert!(place.line >= 1 && place.column >= 1);
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    let error = Case::from_json("{\n \"model\": {\"bodies\": [1, }\n").unwrap_err();
    assert_eq!(error.to_string(), "model.bodies[1] (line 2, column 26): not JSON: expected value");
}

#[test]
fn not_this_schema() {
    let mut other = case("serial_2_flex");
    other["schema"] = json!("supple-oracle-2");
    assert_eq!(
        Case::from_json(&other.to_string()).unwrap_err().to_string(),
        "schema: unknown schema `supple-oracle-2`; this version reads `supple-oracle-1`"
    );
    let future = json!({"schema": "supple-oracle-1", "kind": "future", "model": {"loops": 5}, "more": 1}).to_string();
    assert_eq!(Case::from_json(&future), Err(ReadError::Unsupported { kind: "future".into() }));
    for text in ["[]", "1", "null", "\"x\"", "{}"] {
        assert!(matches!(Case::from_json(text), Err(ReadError::Invalid { .. })), "{text}");
    }
}

/// In a thread with little stack: depth must not cost stack.
fn with_little_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
}

#[test]
fn deep_texts_need_no_stack() {
    with_little_stack(|| {
        for depth in [200, 30_000, 1_000_000] {
            let nested = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            let objects = format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
            let model = trees().remove(0).json()["model"].to_string();
            for value in [&nested, &objects] {
                for text in [
                    value.clone(),
                    "[".repeat(depth),
                    format!("{{\"schema\": \"supple-oracle-1\", \"kind\": \"tree\", \"model\": {value}}}"),
                    format!("{{\"schema\": \"supple-oracle-1\", \"kind\": \"tree\", \"expected\": {value}}}"),
                    format!(
                        "{{\"schema\": \"supple-oracle-1\", \"kind\": \"tree\", \"model\": {model}, \"T\": [{value}]}}"
                    ),
                ] {
                    let error = Case::from_json(&text).unwrap_err();
                    assert!(error.to_string().len() < 10_000);
                }
            }
        }
    });
}

#[test]
fn wide_texts_are_refused_in_time() {
    let start = "{\"schema\": \"supple-oracle-1\", \"kind\": \"tree\", \"model\": ";
    let bodies = vec!["{}"; 100_000].join(",");
    let members: Vec<String> = (0..100_000).map(|i| format!("\"m{i}\": 0")).collect();
    for model in [
        format!("{{\"bodies\": [{bodies}]}}"),
        format!("{{{}}}", members.join(",")),
        format!("{{\"bodies\": [{}0]}}", "0,".repeat(1_000_001)),
        format!("{{\"gravity\": [{}0]}}", "0,".repeat(2_000_000)),
    ] {
        assert!(matches!(Case::from_json(&format!("{start}{model}}}")), Err(ReadError::Invalid { .. })));
    }
}

#[test]
fn a_long_chain_in_any_order() {
    let count = 20_000;
    let body = |parent: i64| {
        json!({"parent": parent, "parent_node": 0, "inboard_node": 0, "joint": {"type": "revolute", "axis": [0, 0, 1]},
               "nodes": [{"m": 1, "l0": [1, 0, 0]}]})
    };
    // Every body hangs on the next one.
    let bodies: Vec<_> = (1..=count).map(|k| body(if k < count { k } else { -1 })).collect();
    let state = json!({"theta": [0], "beta": [0]});
    let text = json!({
        "schema": "supple-oracle-1", "kind": "tree", "model": {"gravity": [0, 0, 0], "bodies": bodies},
        "state": {"bodies": vec![state; count as usize]}, "T": vec![0; count as usize], "udot_in": vec![0; count as usize],
    })
    .to_string();
    with_little_stack(move || {
        let case = Case::from_json(&text).unwrap();
        assert_eq!(case.system().bodies.len(), 20_000);
    });
}
