//! The head of a request, as far as it is needed.

use std::io::{self, BufRead, BufReader, Read};

/// Longest head that is read.
const MOST_BYTES: u64 = 16 * 1024;

/// What a browser asks.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Such as `GET`.
    pub method: String,
    /// Without what follows a question mark.
    pub path: String,
    /// What follows the question mark.
    pub query: String,
    /// The names by which the browser knows the server; one, or something is wrong.
    pub hosts: Vec<String>,
    /// The last event that it has seen.
    pub last_event: Option<u64>,
    /// The site whose page asks.
    pub origin: Option<String>,
    /// What it asks to go on with instead of HTTP.
    pub upgrade: Option<Upgrade>,
}

/// A WebSocket that is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Upgrade {
    /// Names of what to go on with.
    pub to: String,
    /// The version of WebSocket.
    pub version: String,
    /// What the server has to prove itself with.
    pub key: String,
    /// Names of subprotocols, those liked best first.
    pub subprotocols: Vec<String>,
}

impl Request {
    /// Reads a head; none where it is not one, is too long or was cut.
    pub fn read(stream: &mut impl Read) -> io::Result<Option<Self>> {
        let mut lines = BufReader::new(stream.take(MOST_BYTES));
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let mut words = line.split_whitespace();
        let (Some(method), Some(target), Some(version)) = (words.next(), words.next(), words.next()) else {
            return Ok(None);
        };
        if !version.starts_with("HTTP/1.") {
            return Ok(None);
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut own =
            Self { method: method.to_owned(), path: path.to_owned(), query: query.to_owned(), ..Self::default() };
        loop {
            line.clear();
            if lines.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            let head = line.trim_end_matches(['\r', '\n']);
            if head.is_empty() {
                return Ok(Some(own));
            }
            let Some((name, value)) = head.split_once(':') else { return Ok(None) };
            own.take(&name.to_ascii_lowercase(), value.trim());
        }
    }

    /// Takes a line of the head.
    fn take(&mut self, name: &str, value: &str) {
        match name {
            "host" => self.hosts.push(value.to_owned()),
            "last-event-id" => self.last_event = value.parse().ok(),
            "origin" => self.origin = Some(value.to_owned()),
            "upgrade" => self.upgrade.get_or_insert_default().to = value.to_owned(),
            "sec-websocket-version" => self.upgrade.get_or_insert_default().version = value.to_owned(),
            "sec-websocket-key" => self.upgrade.get_or_insert_default().key = value.to_owned(),
            // May stand in several lines.
            "sec-websocket-protocol" => {
                let names = value.split(',').map(|name| name.trim().to_owned());
                self.upgrade.get_or_insert_default().subprotocols.extend(names);
            }
            _ => {}
        }
    }

    /// The number of a name in the query.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.query.split('&').find_map(|pair| pair.split_once('=').filter(|(key, _)| *key == name)?.1.parse().ok())
    }

    /// Whether the browser knows the server by a name of this machine alone. A page of another site that has its own name point here
    /// is refused by this.
    pub fn is_for_this_machine(&self) -> bool {
        // Of two names one may be read here and the other one elsewhere.
        let [host] = &self.hosts[..] else { return false };
        let name = match host.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        ["127.0.0.1", "localhost", "::1"].contains(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Request> {
        Request::read(&mut text.as_bytes()).unwrap()
    }

    #[test]
    fn heads_are_read() {
        let told =
            read("GET /events?from=12&x=y HTTP/1.1\r\nHost: localhost:8765\r\nLast-Event-ID: 40\r\n\r\n").unwrap();
        assert_eq!((told.method.as_str(), told.path.as_str()), ("GET", "/events"));
        assert_eq!((told.number("from"), told.number("to"), told.last_event), (Some(12), None, Some(40)));
        assert!(told.is_for_this_machine());
        for other in [
            "",
            "GET /\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a",
            "nonsense",
            "GET / HTTP/1.1\r\nx\r\n\r\n",
        ] {
            assert_eq!(read(other), None, "{other:?}");
        }
        assert_eq!(read(&format!("GET / HTTP/1.1\r\n{}", "a: b\r\n".repeat(10_000))), None);
    }

    #[test]
    fn upgrades_are_read() {
        let told = read(
            "GET / HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Key: abc\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Protocol: a, b\r\nsec-websocket-protocol: c\r\nOrigin: http://x\r\n\r\n",
        )
        .unwrap();
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let expected = Upgrade { to: "websocket".into(), version: "13".into(), key: "abc".into(), subprotocols: names };
        assert_eq!((told.upgrade, told.origin.as_deref()), (Some(expected), Some("http://x")));
    }

    #[test]
    fn other_names_are_not_of_this_machine() {
        for (host, own) in [
            ("127.0.0.1:80", true),
            ("localhost", true),
            ("[::1]:99", true),
            ("", false),
            ("example.org", false),
            ("localhost.example.org:8765", false),
            ("192.168.0.7:8765", false),
        ] {
            let request = |hosts: &[&str]| Request {
                hosts: hosts.iter().map(|host| (*host).to_owned()).collect(),
                ..Request::default()
            };
            assert_eq!(request(&[host]).is_for_this_machine(), own, "{host}");
            assert!(!request(&[host, "localhost"]).is_for_this_machine(), "two names");
            assert!(!request(&["localhost", host]).is_for_this_machine(), "two names");
        }
    }
}
