//! What a run offers to clients, and which of them are let in.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use supple_io::results::{CsvReader, ResultsError, Summary, Table, Topic, TopicLayout, Topics, Warning, foxglove};

use super::player::{LivePlayer, Player, RecordedPlayer, RecordedRun};
use super::protocol::{self, SUBPROTOCOLS};
use super::scene::Stage;
use super::websocket;
use crate::error::ReportError;
use crate::live::Broadcast;
use crate::live::broadcast::Told;
use crate::live::request::Upgrade;
use crate::report::{Run, described};
use crate::scene::Scene;

/// Rejected origins that were reported.
const MOST_REFUSED: usize = 16;

/// A run as Foxglove and Lichtblick see it.
#[derive(Debug)]
pub struct Feed {
    run: FeedRun,
    stage: Stage,
    topics: Topics,
    /// After those of the table: `/bodies` and `/scene`, and `/log` of a run that goes on.
    others: Vec<Topic>,
    info: String,
    origins: Vec<String>,
    refused: Mutex<BTreeSet<String>>,
    notice: fn(&str),
}

#[derive(Debug)]
enum FeedRun {
    Live(Arc<Broadcast>),
    Recorded(Arc<RecordedRun>),
}

/// Why a client is not let in.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub status: &'static str,
    pub text: String,
}

impl Feed {
    /// Of a run that goes on.
    ///
    /// # Errors
    /// Columns that are none.
    pub fn live(run: Arc<Broadcast>) -> Result<Self, ReportError> {
        let summary = run.summary();
        let table = Table::new(summary.model.clone(), summary.columns.clone())?;
        let scene = run.scene();
        Self::new(FeedRun::Live(run), &table, scene, &summary)
    }

    /// Of a run that has left its results in a folder: they are played at a speed, in simulated seconds per second of the clock, from the first
    /// subscription of a client on, again and again; once and at once if there is no speed.
    ///
    /// # Errors
    /// Results that cannot be read.
    pub fn recorded(folder: &Path, run: &Run, speed: Option<f64>) -> Result<Self, ReportError> {
        let csv = folder.join("results.csv");
        let heads = CsvReader::open(&csv)?.heads().clone();
        let table = Table::new(run.summary.model.clone(), described(&heads, &run.summary))?;
        let (scene, motion) = (run.recording.scene.clone(), run.recording.motion.clone());
        let recorded = RecordedRun { csv, heads, motion, frame_length: scene.frame_length(), speed };
        Self::new(FeedRun::Recorded(Arc::new(recorded)), &table, scene, &run.summary)
    }

    fn new(run: FeedRun, table: &Table, scene: Scene, summary: &Summary) -> Result<Self, ReportError> {
        let topics = Topics::new(table, &TopicLayout::of(table))?;
        let metadata = [("model", &*summary.model), ("scenario", &summary.scenario), ("version", &summary.supple)];
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let info = protocol::server_info("supple", &metadata, &since.as_nanos().to_string());
        let mut others = vec![foxglove::transforms_topic("/bodies"), foxglove::scene_topic("/scene")];
        if let FeedRun::Live(_) = run {
            others.push(foxglove::log_topic("/log"));
        }
        let refused = Mutex::new(BTreeSet::new());
        let stage = Stage::new(scene);
        Ok(Self { run, stage, topics, others, info, origins: Vec::new(), refused, notice: |_| {} })
    }

    /// Lets in pages of these sites too, such as `https://lichtblick.example.org`.
    #[must_use]
    pub fn with_origins(self, origins: Vec<String>) -> Self {
        Self { origins, ..self }
    }

    /// Tells once of each site that was not let in.
    #[must_use]
    pub fn with_notice(self, notice: fn(&str)) -> Self {
        Self { notice, ..self }
    }

    /// The head of the answer that opens a WebSocket, or why there is none.
    pub(crate) fn admit(&self, asked: &Upgrade, origin: Option<&str>) -> Result<String, Refusal> {
        let bad = |text: String| Refusal { status: "400 Bad Request", text };
        if !protocol::is_welcome(origin, &self.origins) {
            self.tell_refused(origin.unwrap_or_default());
            let text = "pages of this origin are not accepted; add it with --origin\n".to_owned();
            return Err(Refusal { status: "403 Forbidden", text });
        }
        let Some(accept) = websocket::accept(&asked.key).filter(|_| asked.version == "13") else {
            return Err(bad("not a WebSocket of version 13\n".to_owned()));
        };
        let known = asked.subprotocols.iter().find(|name| SUBPROTOCOLS.contains(&name.as_str()));
        let Some(subprotocol) = known else {
            return Err(bad(format!("the subprotocols spoken here are {}\n", SUBPROTOCOLS.join(" and "))));
        };
        Ok(format!(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\
             Sec-WebSocket-Protocol: {subprotocol}\r\n\r\n"
        ))
    }

    fn tell_refused(&self, origin: &str) {
        // Only letters that can stand in an address reach the terminal.
        let shown: String = origin.chars().filter(char::is_ascii_graphic).take(200).collect();
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if refused.len() < MOST_REFUSED && refused.insert(shown.clone()) {
            (self.notice)(&format!("a page of {shown} was rejected; to accept it, start with --origin {shown}"));
        }
    }

    /// What is said first.
    pub(crate) fn info(&self) -> &str {
        &self.info
    }

    /// Everything that can be subscribed to.
    pub(crate) fn channels(&self) -> impl Iterator<Item = &Topic> {
        self.topics.list().iter().chain(&self.others)
    }

    /// From the first row on.
    pub(crate) fn player(&self) -> Result<Player, ResultsError> {
        Ok(match &self.run {
            FeedRun::Live(run) => Player::Live(LivePlayer::new(Arc::clone(run))),
            FeedRun::Recorded(run) => Player::Recorded(Box::new(RecordedPlayer::new(Arc::clone(run))?)),
        })
    }

    /// Message at the end.
    pub(crate) fn last_words(&self) -> &'static str {
        match self.run {
            FeedRun::Live(_) => "the run has ended; replay its results with: supple view --foxglove FOLDER",
            FeedRun::Recorded(_) => "end of the recording",
        }
    }

    /// The warnings of a run that goes on, from number `from` on.
    pub(crate) fn warnings(&self, from: usize) -> Vec<Warning> {
        match &self.run {
            FeedRun::Live(run) => run.warnings(from),
            FeedRun::Recorded(_) => Vec::new(),
        }
    }

    /// The channel of warnings, where there is one.
    pub(crate) fn log_channel(&self) -> Option<usize> {
        self.channels().position(|topic| topic.name == "/log")
    }

    /// Appends the message of a channel for a row, `first` where it is the first of a subscription; says whether it has one.
    pub(crate) fn write(&self, channel: usize, told: &Told, (time, first): (u64, bool), message: &mut Vec<u8>) -> bool {
        let numbers = self.topics.list().len();
        if channel < numbers {
            self.topics.write(channel, &told.row, time, message);
            return true;
        }
        if told.frame.len() != self.stage.frame_length() {
            return false;
        }
        match channel - numbers {
            0 => self.stage.write_bodies(message, &told.frame, time),
            1 => self.stage.write_entities(message, &told.frame, time, first),
            _ => return false,
        }
        true
    }
}
