//! One client, from the opening of its connection to its end.

use std::io::{self, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use supple_io::results::{foxglove, nanoseconds};

use super::Feed;
use super::player::{Next, Player};
use super::protocol::{self, Asked, Level, Subscription};
use super::websocket::{self, Fault, Message, Reader};
use crate::live::broadcast::Told;

/// Messages of a client that wait to be looked at; it cannot send more.
const MOST_WAITING: usize = 4;
/// Subscriptions of a client, for each channel.
const MOST_SUBSCRIPTIONS: usize = 4;
/// How often it is looked whether the server goes on.
const BEAT: Duration = Duration::from_millis(200);
/// How long a client that waits for a row is not looked at.
const PATIENCE: Duration = Duration::from_millis(20);
/// How long rows wait after the first subscription, so that those that come with it miss none.
const GRACE: Duration = Duration::from_millis(250);

/// A message of the client, or why there are no more.
type Heard = Result<Message, Fault>;

/// Serves a client that is let in until it goes or the server stops.
pub fn serve(mut stream: TcpStream, feed: &Feed, head: &str, stopped: &AtomicBool) -> io::Result<()> {
    stream.write_all(head.as_bytes())?;
    // Small messages are not to wait for each other; clients may be silent for as long as they like.
    stream.set_nodelay(true)?;
    stream.set_read_timeout(None)?;
    let ears = stream.try_clone()?;
    let (sender, heard) = sync_channel(MOST_WAITING);
    let listening = thread::Builder::new().name("foxglove client".into()).spawn(move || listen(ears, &sender))?;
    let mut client = Client {
        stream,
        feed,
        subscriptions: Vec::new(),
        playing: Playing::NotYet,
        last: None,
        warned: 0,
        told_of_times: false,
        buffer: Vec::new(),
    };
    let served = client.serve(&heard, stopped);
    // Ends the listening too, whatever it waits for.
    let _ = client.stream.shutdown(Shutdown::Both);
    drop(heard);
    let _ = listening.join();
    served
}

/// Hands on what the client says.
fn listen(stream: TcpStream, to: &SyncSender<Heard>) {
    let mut reader = Reader::new(stream);
    loop {
        let heard = reader.next();
        let is_last = heard.is_err();
        if to.send(heard).is_err() || is_last {
            return;
        }
    }
}

/// How far the client has heard the run.
enum Playing {
    /// It has not subscribed to anything yet.
    NotYet,
    Going(Player),
    /// There is nothing more to hear.
    Over,
}

struct Client<'f> {
    stream: TcpStream,
    feed: &'f Feed,
    /// Numbers of the client's choice with the channels, and whether they have heard anything.
    subscriptions: Vec<(u32, usize, bool)>,
    playing: Playing,
    /// The last row sent.
    last: Option<Arc<Told>>,
    /// Warnings sent.
    warned: usize,
    /// Whether the client was warned of times that the protocol lacks.
    told_of_times: bool,
    buffer: Vec<u8>,
}

impl Client<'_> {
    fn serve(&mut self, heard: &Receiver<Heard>, stopped: &AtomicBool) -> io::Result<()> {
        self.say(self.feed.info())?;
        self.say(&protocol::advertise(self.feed.channels()))?;
        while !stopped.load(Ordering::SeqCst) {
            let patience = match (&self.playing, self.subscriptions.is_empty()) {
                (Playing::NotYet, false) => GRACE,
                (Playing::Going(_), false) => Duration::ZERO,
                _ => BEAT,
            };
            match heard.recv_timeout(patience) {
                Ok(Ok(message)) => {
                    if !self.hear(message)? {
                        return Ok(());
                    }
                    continue;
                }
                Ok(Err(Fault::Wrong(status))) => return self.close(&status.to_be_bytes()),
                Ok(Err(Fault::Gone)) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if !self.subscriptions.is_empty() {
                self.play()?;
            }
        }
        self.close(&websocket::GOING_AWAY.to_be_bytes())
    }

    fn close(&mut self, reason: &[u8]) -> io::Result<()> {
        websocket::write_frame(&mut self.stream, websocket::CLOSE, reason)
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        websocket::write_frame(&mut self.stream, websocket::TEXT, text.as_bytes())
    }

    fn complain(&mut self, level: Level, text: &str) -> io::Result<()> {
        self.say(&protocol::status(level, text))
    }

    /// Does what the client asks; says whether it stays.
    fn hear(&mut self, message: Message) -> io::Result<bool> {
        match message {
            Message::Ping(payload) => websocket::write_frame(&mut self.stream, websocket::PONG, &payload)?,
            Message::Close(reason) => {
                self.close(&reason)?;
                return Ok(false);
            }
            Message::Binary(_) => self.complain(Level::Warning, "clients cannot publish to a run")?,
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(Asked::Subscribe { subscriptions }) => {
                    subscriptions.into_iter().try_for_each(|asked| self.subscribe(asked))?;
                }
                Ok(Asked::Unsubscribe { subscription_ids }) => {
                    self.subscriptions.retain(|(id, ..)| !subscription_ids.contains(id));
                }
                Ok(Asked::Other) => {
                    self.complain(Level::Warning, "not supported; only subscribe and unsubscribe are")?
                }
                Err(error) => self.complain(Level::Error, &format!("invalid message: {error}"))?,
            },
        }
        Ok(true)
    }

    fn subscribe(&mut self, asked: Subscription) -> io::Result<()> {
        let Subscription { id, channel_id } = asked;
        let channel = usize::try_from(channel_id).ok().filter(|channel| *channel < self.feed.channels().count());
        let Some(channel) = channel else {
            return self.complain(Level::Error, &format!("there is no channel {channel_id}"));
        };
        if self.subscriptions.iter().any(|(own, ..)| *own == id) {
            return self.complain(Level::Error, &format!("subscription {id} already exists"));
        }
        let most = MOST_SUBSCRIPTIONS * self.feed.channels().count();
        if self.subscriptions.len() >= most {
            return self.complain(
                Level::Error,
                &format!("the limit of {most} subscriptions is reached; unsubscribe from others first"),
            );
        }
        self.subscriptions.push((id, channel, false));
        // What was told last shows at once what the channel is about, also where nothing more comes.
        match self.last.clone() {
            Some(told) => self.tell(&told, self.subscriptions.len() - 1),
            None => Ok(()),
        }
    }

    /// Tells the next row to all subscriptions, or why there is none.
    fn play(&mut self) -> io::Result<()> {
        let next = match &mut self.playing {
            Playing::Going(player) => player.next(PATIENCE),
            Playing::Over => return self.warn(None),
            Playing::NotYet => match self.feed.player() {
                Ok(player) => {
                    self.playing = Playing::Going(player);
                    return Ok(());
                }
                Err(error) => Err(error),
            },
        };
        match next {
            Ok(Next::Row(told)) => {
                self.warn(told.row.first().copied())?;
                self.tell(&told, 0)?;
                self.last = Some(told);
                Ok(())
            }
            // The client is where the run is.
            Ok(Next::Nothing) => self.warn(None),
            Ok(Next::Over) => {
                self.warn(None)?;
                self.playing = Playing::Over;
                self.complain(Level::Information, self.feed.last_words())
            }
            Err(error) => {
                self.playing = Playing::Over;
                self.complain(Level::Error, &error.to_string())
            }
        }
    }

    /// Tells the warnings up to a time, or all of them, to who has subscribed to them.
    fn warn(&mut self, until: Option<f64>) -> io::Result<()> {
        let log = self.feed.log_channel();
        let asked = |(id, channel, _): &(u32, usize, bool)| (Some(*channel) == log).then_some(*id);
        let subscribed: Vec<u32> = self.subscriptions.iter().filter_map(asked).collect();
        if subscribed.is_empty() {
            return Ok(());
        }
        let news = self.feed.warnings(self.warned);
        let due = news.iter().take_while(|warning| until.is_none_or(|until| warning.time <= until));
        for warning in due {
            self.warned += 1;
            let Some(time) = nanoseconds(warning.time) else { continue };
            self.buffer.clear();
            websocket::push_frame(&mut self.buffer, websocket::BINARY, &[&protocol::time(time)]);
            let mut message = Vec::new();
            foxglove::write_warning(&mut message, &warning.text, time);
            for id in &subscribed {
                let head = protocol::message_head(*id, time);
                websocket::push_frame(&mut self.buffer, websocket::BINARY, &[&head, &message]);
            }
            self.stream.write_all(&self.buffer)?;
        }
        Ok(())
    }

    /// Tells a row to the subscriptions from one on, after its time.
    fn tell(&mut self, told: &Told, first: usize) -> io::Result<()> {
        let Some(time) = told.row.first().and_then(|time| nanoseconds(*time)) else {
            let first = !std::mem::replace(&mut self.told_of_times, true);
            let words = "rows at times before zero or after 570 years are not sent: the protocol has no such times";
            return if first { self.complain(Level::Warning, words) } else { Ok(()) };
        };
        self.buffer.clear();
        websocket::push_frame(&mut self.buffer, websocket::BINARY, &[&protocol::time(time)]);
        let mut message = Vec::new();
        for (id, channel, begun) in &mut self.subscriptions[first..] {
            message.clear();
            if self.feed.write(*channel, told, (time, !*begun), &mut message) {
                *begun = true;
                let head = protocol::message_head(*id, time);
                websocket::push_frame(&mut self.buffer, websocket::BINARY, &[&head, &message]);
            }
        }
        self.stream.write_all(&self.buffer)
    }
}
