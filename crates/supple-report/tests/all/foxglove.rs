//! A run over Foxglove's protocol: what clients hear is what was recorded, and no client harms the others.

use std::fs;
use std::net::Ipv4Addr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::foxglove_support::{ACCEPT, Bending, Client, KEY, Said, head, usual};
use serde_json::Value;
use supple::{BodyIndex, NodeIndex, Workspace, kinematics};
use supple_io::results::{CsvWriter, Existing, Outcome, RowSink, TopicLayout, Topics, Warning};
use supple_report::foxglove::Feed;
use supple_report::live::{Server, Source};
use supple_report::{Origin, Recording, Run};

const NAMES: [&str; 2] = ["foxglove.sdk.v1", "foxglove.websocket.v1"];
/// Channels in the order of the table, then transforms of nodes and of bodies, shapes, warnings.
const TOPICS: [&str; 7] = ["/hinges", "/energy", "/nodes", "/tf", "/bodies", "/scene", "/log"];

#[test]
fn rows_reach_every_client_as_they_were_recorded() {
    let mut run = Bending::new();
    let broadcast = run.broadcast();
    let server =
        Server::start(0, Source::Live(broadcast.clone()), Some(Feed::live(broadcast.clone()).unwrap())).unwrap();
    let address = server.address();
    assert_eq!(address.ip(), Ipv4Addr::LOCALHOST);
    let rows: Vec<(Vec<f64>, Vec<f32>)> = (0..5).map(|i| run.row(i)).collect();
    rows[..3].iter().for_each(|(row, frame)| broadcast.tell(row, frame));

    let (mut one, channels) = Client::open(address, NAMES[0]);
    let (mut other, same) = Client::open(address, NAMES[1]);
    assert_eq!(channels, same);
    let topics: Vec<&str> = channels.iter().map(|channel| channel["topic"].as_str().unwrap()).collect();
    assert_eq!(topics, TOPICS);
    for (id, channel) in channels.iter().enumerate() {
        assert_eq!((&channel["id"], &channel["encoding"]), (&id.into(), &"json".into()));
        let schema: Value = serde_json::from_str(channel["schema"].as_str().unwrap()).unwrap();
        assert_eq!((&schema["type"], &channel["schemaEncoding"]), (&"object".into(), &"jsonschema".into()));
    }
    assert_eq!(channels[5]["schemaName"], "foxglove.SceneUpdate");

    one.subscribe(&[0, 1, 3]);
    other.subscribe(&[1]);
    rows[3..].iter().for_each(|(row, frame)| broadcast.tell(row, frame));
    let recorded = Topics::new(&run.table, &TopicLayout::of(&run.table)).unwrap();
    for (row, _) in &rows {
        let time = (row[0] * 1e9).round() as u64;
        let message = |channel: usize| {
            let mut message = Vec::new();
            recorded.write(channel, row, time, &mut message);
            Said::Message(channel as u32 + 10, time, message)
        };
        for (client, channels) in [(&mut one, &[0, 1, 3][..]), (&mut other, &[1])] {
            assert_eq!(client.next(), Said::Time(time));
            channels.iter().for_each(|channel| assert_eq!(client.next(), message(*channel)));
        }
    }
    // One that subscribes to more hears of the last row there.
    other.subscribe(&[0]);
    assert_eq!(other.next(), Said::Time(40_000_000));
    assert!(matches!(other.next(), Said::Message(10, 40_000_000, _)));
    other.text(r#"{"op":"unsubscribe","subscriptionIds":[10,11]}"#);
    // A ping is answered after what came before it.
    other.send(0x89, b"done?");
    assert_eq!(other.next(), Said::Pong(b"done?".to_vec()));
    let (row, frame) = run.row(5);
    broadcast.tell(&row, &frame);
    assert_eq!(one.next(), Said::Time(50_000_000));
    (0..3).for_each(|_| assert!(matches!(one.next(), Said::Message(..))));
    other.send(0x89, b"");
    assert_eq!(other.next(), Said::Pong(Vec::new()), "nothing is told that is not subscribed to");
    run.summary.outcome = Outcome::Finished;
    broadcast.end(&run.summary);
    let Said::Json(told) = one.next() else { panic!() };
    assert!(told["op"] == "status" && told["message"].as_str().unwrap().contains("has ended"), "{told}");
    drop(server);
    assert_eq!(one.next(), Said::Close(1001));
}

/// Warnings are heard when they come, and by late clients in their place among the rows.
#[test]
fn warnings_are_messages_of_the_log() {
    let mut run = Bending::new();
    let broadcast = run.broadcast();
    let server =
        Server::start(0, Source::Live(broadcast.clone()), Some(Feed::live(broadcast.clone()).unwrap())).unwrap();
    let mut tell = |i: usize| {
        let (row, frame) = run.row(i);
        broadcast.tell(&row, &frame);
    };
    (0..2).for_each(&mut tell);
    let (mut client, channels) = Client::open(server.address(), NAMES[0]);
    assert_eq!(channels[6]["schemaName"], "foxglove.Log");
    client.subscribe(&[0, 6]);
    let hear = |client: &mut Client, id: u32, milliseconds: u64| {
        let time = milliseconds * 1_000_000;
        assert_eq!(client.next(), Said::Time(time));
        match client.next() {
            Said::Message(heard, at, message) if (heard, at) == (id, time) => {
                serde_json::from_slice::<Value>(&message).unwrap()
            }
            other => panic!("{other:?}"),
        }
    };
    (0..2).for_each(|i| drop(hear(&mut client, 10, 10 * i)));
    // No row has come since: the warning does not wait for one.
    broadcast.warn(&Warning { time: 0.015, text: "hinge \"a\" is doubtful".into() });
    let told = hear(&mut client, 16, 15);
    assert_eq!((&told["message"], &told["level"]), (&"hinge \"a\" is doubtful".into(), &3.into()));
    assert_eq!((&told["timestamp"]["nsec"], &told["name"]), (&15_000_000.into(), &"supple".into()));
    tell(2);
    hear(&mut client, 10, 20);

    let (mut late, _) = Client::open(server.address(), NAMES[0]);
    late.subscribe(&[0, 6]);
    for (id, milliseconds) in [(10, 0), (10, 10), (16, 15), (10, 20)] {
        hear(&mut late, id, milliseconds);
    }
    assert_eq!(broadcast.summary().warnings, ["hinge \"a\" is doubtful"]);
}

/// Transforms and points are where the engine has bodies and nodes, to single precision.
#[test]
fn shapes_bend_with_the_bodies() {
    let mut run = Bending::new();
    let broadcast = run.broadcast();
    let server =
        Server::start(0, Source::Live(broadcast.clone()), Some(Feed::live(broadcast.clone()).unwrap())).unwrap();
    let (row, frame) = run.row(0);
    broadcast.tell(&row, &frame);
    let (mut client, _) = Client::open(server.address(), NAMES[0]);
    client.subscribe(&[4, 5]);
    assert_eq!(client.next(), Said::Time(0));
    let [bodies, scene] = [0, 1].map(|_| match client.next() {
        Said::Message(_, _, message) => serde_json::from_slice::<Value>(&message).unwrap(),
        other => panic!("{other:?}"),
    });
    let mut workspace = Workspace::new(&run.at.model);
    let engine = kinematics(&run.at.model, &run.at.state, &mut workspace).unwrap();
    let vector = |told: &Value| ["x", "y", "z"].map(|axis| told[axis].as_f64().unwrap());
    let size =
        run.at.model.body_indices().flat_map(|k| engine.body_position(k).0).fold(1.0, |m: f64, x| m.max(x.abs()));
    // As in the test of poses: sums of single precision along chains.
    let allowed = 200.0 * f64::from(f32::EPSILON) * size;
    let close = |a: [f64; 3], b: [f64; 3]| (0..3).all(|i| (a[i] - b[i]).abs() < allowed);
    let (mut points, mut solids) = (0, 0);
    for (k, body) in run.scene.bodies.iter().enumerate() {
        let transform = &bodies["transforms"][k];
        assert_eq!(transform["child_frame_id"], body.name);
        assert!(close(vector(&transform["translation"]), engine.body_position(BodyIndex(k)).0), "{transform}");
        let entity = &scene["entities"][k];
        assert_eq!((&entity["id"], &entity["frame_id"]), (&body.name.as_str().into(), &"world".into()));
        let solid = ["cubes", "spheres", "cylinders"].iter().map(|kind| entity[*kind].as_array().unwrap().len());
        solids += solid.sum::<usize>();
        for line in entity["lines"].as_array().unwrap() {
            let order = body.line.clone().unwrap_or_else(|| (0..body.node_names.len()).collect());
            assert_eq!(line["type"], if body.line.is_some() { 0 } else { 2 });
            for (point, node) in line["points"].as_array().unwrap().iter().zip(order) {
                let engine = engine.node_position(BodyIndex(k), NodeIndex(node)).0;
                assert!(close(vector(point), engine), "{point} {engine:?}");
                points += 1;
            }
        }
    }
    assert!(points > 4 && solids > 0, "{points} points, {solids} solids");
}

/// The protocol counts nanoseconds from zero on.
#[test]
fn times_before_zero_are_told_once_and_left_out() {
    let mut run = Bending::new();
    let broadcast = run.broadcast();
    let feed = Feed::live(broadcast.clone()).unwrap();
    let server = Server::start(0, Source::Live(broadcast.clone()), Some(feed)).unwrap();
    let (mut row, frame) = run.row(0);
    for time in [-2.0, -1.0, 0.5] {
        row[0] = time;
        broadcast.tell(&row, &frame);
    }
    let (mut client, _) = Client::open(server.address(), NAMES[0]);
    client.subscribe(&[0]);
    let Said::Json(told) = client.next() else { panic!() };
    assert!(told["level"] == 1 && told["message"].as_str().unwrap().contains("before zero"), "{told}");
    assert_eq!(client.next(), Said::Time(500_000_000));
}

static NOTICES: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[test]
fn strangers_are_refused() {
    let run = Bending::new();
    let broadcast = run.broadcast();
    let feed = Feed::live(broadcast.clone()).unwrap().with_origins(vec!["https://known.example".into()]);
    let feed = feed.with_notice(|text| NOTICES.lock().unwrap().push(text.to_owned()));
    let server = Server::start(0, Source::Live(broadcast), Some(feed)).unwrap();
    let key = format!("Sec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n");
    let subprotocol = "Sec-WebSocket-Protocol: foxglove.sdk.v1\r\n";
    let origin = |site: &str| head("localhost", &format!("{key}{subprotocol}Origin: {site}\r\n"));
    for (head, status) in [
        (usual("something, foxglove.websocket.v1"), "101"),
        (usual("something"), "400"),
        (head("localhost", &key), "400"),
        (head("localhost", subprotocol), "400"),
        (head("localhost", &format!("{}{subprotocol}", key.replace("13", "8"))), "400"),
        (head("example.org", &format!("{key}{subprotocol}")), "403"),
        (origin("https://example.org"), "403"),
        (origin("https://example.org"), "403"),
        (origin("https://known.example"), "101"),
        (origin("http://localhost:3000"), "101"),
    ] {
        let (_, answer) = Client::ask(server.address(), &head);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{head}{answer}");
        assert_eq!(answer.contains(ACCEPT), status == "101");
    }
    let told = NOTICES.lock().unwrap().clone();
    assert!(told.len() == 1 && told[0].contains("--origin https://example.org"), "{told:?}");
}

#[test]
fn nonsense_harms_nobody_else() {
    let mut run = Bending::new();
    let broadcast = run.broadcast();
    let feed = Feed::live(broadcast.clone()).unwrap();
    let server = Server::start(0, Source::Live(broadcast.clone()), Some(feed)).unwrap();
    let open = || Client::open(server.address(), NAMES[0]).0;
    let mut witness = open();
    witness.subscribe(&[0]);
    // What is not WebSocket ends the connection, with the reason where it can be told.
    for (first, payload, status) in
        [(0xc1, &b"x"[..], 1002), (0x83, b"x", 1002), (0x80, b"x", 1002), (0x81, b"\xff", 1007)]
    {
        let mut client = open();
        client.send(first, payload);
        assert_eq!(client.next(), Said::Close(status));
        assert!(client.is_over());
    }
    let mut noise = 1_u64;
    for _ in 0..20 {
        let mut client = open();
        let mut random = || {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (noise >> 56) as u8
        };
        let bytes: Vec<u8> = (0..300).map(|_| random()).collect();
        let _ = std::io::Write::write_all(&mut client.0, &bytes);
    }
    // What is not understood is told, and the connection stays.
    let mut client = open();
    for (text, level) in [
        ("not JSON", 2),
        (r#"{"op":"subscribe","subscriptions":[{"id":1,"channelId":99}]}"#, 2),
        (r#"{"op":"subscribe","subscriptions":"all"}"#, 2),
        (r#"{"op":"advertise","channels":[]}"#, 1),
    ] {
        client.text(text);
        let Said::Json(told) = client.next() else { panic!() };
        assert_eq!((&told["op"], &told["level"]), (&"status".into(), &level.into()), "{text}");
    }
    client.text(r#"{"op":"subscribe","subscriptions":[{"id":1,"channelId":0},{"id":1,"channelId":1}]}"#);
    let Said::Json(told) = client.next() else { panic!() };
    assert!(told["message"].as_str().unwrap().contains("already"), "{told}");
    let (row, frame) = run.row(0);
    broadcast.tell(&row, &frame);
    for (client, id) in [(&mut client, 1), (&mut witness, 10)] {
        assert_eq!(client.next(), Said::Time(0));
        assert!(matches!(client.next(), Said::Message(found, 0, _) if found == id));
    }
    client.send(0x88, &[3, 232]);
    assert_eq!(client.next(), Said::Close(1000));
    assert!(client.is_over());
}

/// One client cannot ask for the same again and again.
#[test]
fn subscriptions_are_limited() {
    let run = Bending::new();
    let broadcast = run.broadcast();
    let server = Server::start(0, Source::Live(broadcast.clone()), Some(Feed::live(broadcast).unwrap())).unwrap();
    let (mut client, channels) = Client::open(server.address(), NAMES[0]);
    let most = 4 * channels.len();
    let many: Vec<String> = (0..=most).map(|id| format!(r#"{{"id":{id},"channelId":0}}"#)).collect();
    client.text(&format!(r#"{{"op":"subscribe","subscriptions":[{}]}}"#, many.join(",")));
    let Said::Json(told) = client.next() else { panic!() };
    assert!(told["message"].as_str().unwrap().contains(&format!("limit of {most} subscriptions")), "{told}");
    // After one has ended there is room again.
    client.text(r#"{"op":"unsubscribe","subscriptionIds":[0]}"#);
    client.text(&format!(r#"{{"op":"subscribe","subscriptions":[{{"id":{most},"channelId":0}}]}}"#));
    client.send(0x89, b"done?");
    assert_eq!(client.next(), Said::Pong(b"done?".to_vec()));
}

/// The results of a run in a folder.
fn folder(name: &str, rows: usize) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("supple-foxglove-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut run = Bending::new();
    let mut csv = CsvWriter::create(&folder.join("results.csv"), &run.table, Existing::Replace).unwrap();
    (0..rows).for_each(|i| csv.append(&run.row(i).0).unwrap());
    Box::new(csv).finish().unwrap();
    run.summary.write(&folder.join("summary.json"), Existing::Replace).unwrap();
    let motion = run.recorder.motion().clone();
    Recording::new(run.scene.clone(), motion, Origin::default()).write(&folder).unwrap();
    folder
}

#[test]
fn results_are_played() {
    let rows = 4500;
    let folder = folder("whole", rows);
    let run = Run::read(&folder).unwrap();
    let feed = Feed::recorded(&folder, &run, None).unwrap();
    let server = Server::start(0, Source::Page("page".into()), Some(feed)).unwrap();
    let (mut client, _) = Client::open(server.address(), NAMES[0]);
    client.subscribe(&[0, 5]);
    let mut run = Bending::new();
    let recorded = Topics::new(&run.table, &TopicLayout::of(&run.table)).unwrap();
    let (mut shapes, mut last_has_shape) = (0, false);
    let mut said = client.next();
    for i in 0..rows {
        let row = run.row(i).0;
        let time = (row[0] * 1e9).round() as u64;
        assert_eq!(said, Said::Time(time));
        let mut message = Vec::new();
        recorded.write(0, &row, time, &mut message);
        assert_eq!(client.next(), Said::Message(10, time, message));
        said = client.next();
        last_has_shape = matches!(said, Said::Message(15, ..));
        if last_has_shape {
            shapes += 1;
            said = client.next();
        }
    }
    let Said::Json(told) = said else { panic!("{said:?}") };
    assert_eq!((&told["op"], &told["level"]), (&"status".into(), &0.into()));
    // The motion has at most 2001 frames: those are shown, with the last.
    assert!(shapes == run.recorder.motion().len() && shapes < rows && last_has_shape, "{shapes} shapes");
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn results_are_played_at_their_speed_again_and_again() {
    let folder = folder("again", 51);
    let run = Run::read(&folder).unwrap();
    let feed = Feed::recorded(&folder, &run, Some(1.0)).unwrap();
    let server = Server::start(0, Source::Page("page".into()), Some(feed)).unwrap();
    let (mut client, _) = Client::open(server.address(), NAMES[1]);
    client.subscribe(&[1]);
    let mut play = || {
        assert_eq!(client.next(), Said::Time(0));
        let begun = Instant::now();
        (0..50).for_each(|i| {
            assert!(matches!(client.next(), Said::Message(..)));
            assert_eq!(client.next(), Said::Time((i + 1) * 10_000_000));
        });
        assert!(matches!(client.next(), Said::Message(..)));
        begun.elapsed()
    };
    for _ in 0..2 {
        let took = play();
        assert!(took > Duration::from_millis(480), "half a second took {took:?}");
    }
    // Results that are replaced while they are looked at are told, not followed.
    fs::write(folder.join("results.csv"), "time[s],other[1]\n0.0,1.0\n").unwrap();
    let Said::Json(told) = client.next() else { panic!() };
    assert!(told["level"] == 2 && told["message"].as_str().unwrap().contains("results.csv"), "{told}");
    let _ = fs::remove_dir_all(&folder);
}
