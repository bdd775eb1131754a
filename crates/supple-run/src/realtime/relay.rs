//! Tells observers of a plant about it in a thread of their own: terminals and browsers may be slow, the plant may not.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use supple_io::results::{EventSummary, Warning};

use crate::{Observer, Progress, Row, Run};

/// What may be on its way. Where there is no room, observers miss rows; the files do not.
const ROOM: usize = 4096;

/// Something to tell.
enum News {
    Row(Option<Progress>, Vec<f64>, Vec<f32>),
    Warning(Warning),
    Event(EventSummary),
}

/// The end in the loop of the plant.
struct Relay {
    news: SyncSender<News>,
    /// Told with the next row.
    progress: Option<Progress>,
}

impl Observer for Relay {
    fn progress(&mut self, progress: Progress) {
        self.progress = Some(progress);
    }

    fn row(&mut self, row: Row<'_>) {
        let _ = self.news.try_send(News::Row(self.progress, row.values.to_vec(), row.frame.to_vec()));
    }

    fn warning(&mut self, warning: &Warning) {
        let _ = self.news.try_send(News::Warning(warning.clone()));
    }

    fn event(&mut self, event: &EventSummary) {
        let _ = self.news.try_send(News::Event(event.clone()));
    }
}

/// Advances a run to its end while the observer hears of it elsewhere.
pub(super) fn advance(run: &mut Run<'_>, observer: &mut (dyn Observer + Send)) {
    let (news, heard) = sync_channel(ROOM);
    thread::scope(|scope| {
        scope.spawn(move || tell(&heard, observer));
        // Dropped at the end, which ends the thread.
        let mut relay = Relay { news, progress: None };
        while run.advance(&mut relay) {}
    });
}

fn tell(heard: &Receiver<News>, observer: &mut dyn Observer) {
    for news in heard {
        match news {
            News::Row(progress, values, frame) => {
                progress.into_iter().for_each(|progress| observer.progress(progress));
                observer.row(Row { values: &values, frame: &frame });
            }
            News::Warning(warning) => observer.warning(&warning),
            News::Event(event) => observer.event(&event),
        }
    }
}
