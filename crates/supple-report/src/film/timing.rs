//! Which time each frame of a film shows.

use super::{FilmError, FilmKind, Filming};
use crate::picture::{self, PictureError};

/// Seconds that a film takes, by default: real time, but long motions not longer and short ones not shorter.
const USUAL: [f64; 2] = [3.0, 30.0];
/// Longest film, s.
const LONGEST: f64 = 600.0;

/// How fast the motion of a film passes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Pace {
    /// In real time, but in 3 s at least and in 30 s at most.
    #[default]
    Fitting,
    /// The film takes so many seconds.
    Seconds(f64),
    /// A second of the film is so many of the motion.
    Speed(f64),
}

/// Times of the frames: equally spaced, the first and the last at the ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Time of the first frame, s.
    pub start: f64,
    /// Time of the last frame, s.
    pub end: f64,
    /// Frames per second of the film.
    pub rate: f64,
    /// Number of frames.
    pub frames: usize,
}

impl Timing {
    /// Of a film of a motion with these ends.
    pub fn new(span: [f64; 2], asked: &Filming, kind: FilmKind) -> Result<Self, FilmError> {
        let (start, end) = (asked.from.unwrap_or(span[0]), asked.to.unwrap_or(span[1]));
        picture::within(&[start, end], span)?;
        if start > end {
            return Err(FilmError::Backwards { from: start, to: end });
        }
        let (rate, most) = (asked.rate.unwrap_or(kind.usual_rate()), kind.most_rate());
        if !(rate >= 1.0 && rate <= most) {
            return Err(FilmError::Rate { rate, most });
        }
        let motion = end - start;
        let seconds = match asked.pace {
            Pace::Fitting => motion.clamp(USUAL[0], USUAL[1]),
            Pace::Seconds(seconds) => seconds,
            Pace::Speed(speed) => motion / speed,
        };
        if !(seconds > 0.0 || motion == 0.0) || seconds > LONGEST {
            return Err(FilmError::Length { seconds, least_speed: motion / LONGEST, most: LONGEST });
        }
        // A motion of one instant is one frame.
        let steps = if motion > 0.0 { (seconds * rate).round().max(1.0) as usize } else { 0 };
        Ok(Self { start, end, rate, frames: steps + 1 })
    }

    /// The time that a frame shows.
    pub fn time(&self, i: usize) -> f64 {
        let last = self.frames - 1;
        // The last frame is the end, not nearly so.
        if i == last { self.end } else { self.start + (self.end - self.start) * i as f64 / last as f64 }
    }

    /// From one frame to the next, s of the motion.
    fn step(&self) -> f64 {
        (self.end - self.start) / (self.frames - 1).max(1) as f64
    }

    /// Some frames evenly over the film.
    pub fn spread(&self, most: usize) -> Vec<usize> {
        let count = self.frames.min(most);
        (0..count).map(|i| i * (self.frames - 1) / (count - 1).max(1)).collect()
    }

    /// When a frame is, with digits that stay where they are, and how fast time passes.
    pub fn words(&self, i: usize) -> String {
        let step = self.step();
        let digits = if step > 0.0 { (-step.log10() - 1e-9).ceil().clamp(0.0, 9.0) as usize } else { 3 };
        let speed = step * self.rate;
        let rounded: f64 = format!("{speed:.1e}").parse().unwrap_or(speed);
        let how = if rounded == 1.0 || step == 0.0 { String::new() } else { format!(", {rounded}× real time") };
        format!("t = {:.digits$} s{how}", self.time(i))
    }
}

impl From<PictureError> for FilmError {
    fn from(error: PictureError) -> Self {
        Self::Picture(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::FramePicture;

    fn asked(pace: Pace) -> Filming {
        Filming { picture: FramePicture::default(), zoom: 1.0, from: None, to: None, pace, rate: None, mode: None }
    }

    fn timing(span: [f64; 2], asked: &Filming) -> Timing {
        Timing::new(span, asked, FilmKind::Mp4).unwrap()
    }

    #[test]
    fn motions_pass_in_real_time_or_in_as_long_as_people_look() {
        for (duration, seconds) in [(10.0, 10.0), (300.0, 30.0), (0.1, 3.0), (30.0, 30.0)] {
            let found = timing([5.0, 5.0 + duration], &asked(Pace::Fitting));
            assert_eq!(found.frames, (25.0 * seconds) as usize + 1, "{duration}");
            assert_eq!([found.time(0), found.time(found.frames - 1)], [5.0, 5.0 + duration]);
        }
        assert_eq!(timing([0.0, 8.0], &asked(Pace::Speed(4.0))).frames, 51);
        assert_eq!(timing([0.0, 8.0], &asked(Pace::Seconds(1.0))).frames, 26);
        assert_eq!(timing([2.0, 2.0], &asked(Pace::Fitting)).frames, 1);
        let part = Filming { from: Some(1.0), to: Some(2.0), ..asked(Pace::Speed(0.1)) };
        let part = timing([0.0, 8.0], &part);
        assert_eq!((part.frames, part.time(125)), (251, 1.5));
    }

    #[test]
    fn words_keep_their_width() {
        let real = timing([0.0, 10.0], &asked(Pace::Fitting));
        assert_eq!([real.words(0), real.words(50), real.words(250)], ["t = 0.00 s", "t = 2.00 s", "t = 10.00 s"]);
        let fast = timing([0.0, 300.0], &asked(Pace::Fitting));
        assert_eq!(fast.words(750), "t = 300.0 s, 10× real time");
        let slow = timing([0.0, 0.15], &asked(Pace::Fitting));
        assert_eq!(slow.words(1), "t = 0.002 s, 0.05× real time");
        assert_eq!(timing([2.0, 2.0], &asked(Pace::Fitting)).words(0), "t = 2.000 s");
    }

    #[test]
    fn what_makes_no_film_is_refused() {
        let refused = |asked: &Filming| Timing::new([0.0, 8.0], asked, FilmKind::Gif).unwrap_err().to_string();
        for (wrong, words) in [
            (Filming { from: Some(-1.0), ..asked(Pace::Fitting) }, "choose a time from 0 to 8 s"),
            (Filming { from: Some(3.0), to: Some(2.0), ..asked(Pace::Fitting) }, "from 3 to 2 s is backwards"),
            (Filming { rate: Some(51.0), ..asked(Pace::Fitting) }, "from 1 to 50"),
            (Filming { rate: Some(0.0), ..asked(Pace::Fitting) }, "from 1 to 50"),
            (Filming { rate: Some(f64::NAN), ..asked(Pace::Fitting) }, "from 1 to 50"),
            (asked(Pace::Seconds(0.0)), "at most 600 s"),
            (asked(Pace::Seconds(f64::NAN)), "at most 600 s"),
            (asked(Pace::Speed(1e-3)), "at most 600 s"),
            (asked(Pace::Speed(-1.0)), "at most 600 s"),
        ] {
            assert!(refused(&wrong).contains(words), "{}", refused(&wrong));
        }
    }

    #[test]
    fn samples_are_all_over_the_film() {
        let timing = Timing { start: 0.0, end: 1.0, rate: 25.0, frames: 101 };
        assert_eq!(timing.spread(5), [0, 25, 50, 75, 100]);
        assert_eq!(Timing { frames: 2, ..timing }.spread(5), [0, 1]);
        assert_eq!(Timing { frames: 1, ..timing }.spread(5), [0]);
    }
}
