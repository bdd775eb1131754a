//! Pictures of columns against time.
//!
//! [`Traces`] takes rows like any other writer and keeps what a picture can show, however many rows come;
//! [`terminal`] draws them in characters, [`drawing`] and [`svg()`] as a picture for papers and browsers.

mod svg;
mod terminal;
mod ticks;
mod trace;

pub use svg::{PlotLook, drawing, smallest, svg, write_svg};
pub use terminal::terminal;
pub use ticks::{Ticks, short, ticks};
pub use trace::Traces;

/// A line to draw.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Series {
    /// Its name.
    pub label: String,
    /// Its unit.
    pub unit: String,
    /// Times and values, in the order of time; a value that is not finite interrupts the line.
    pub points: Vec<[f64; 2]>,
}

impl Series {
    /// Points that can be drawn.
    fn finite(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.points.iter().copied().filter(|p| p[0].is_finite() && p[1].is_finite())
    }

    /// Pieces of the line without interruption.
    fn pieces(&self) -> impl Iterator<Item = &[[f64; 2]]> {
        self.points.split(|p| !(p[0].is_finite() && p[1].is_finite())).filter(|piece| !piece.is_empty())
    }
}

/// Least and greatest coordinate `axis` of some series; something of positive length whatever they are.
fn range<'a>(series: impl Iterator<Item = &'a Series>, axis: usize) -> [f64; 2] {
    let numbers = series.flat_map(Series::finite).map(|p| p[axis]);
    let [low, high] = numbers.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)]);
    if low > high {
        return [0.0, 1.0];
    }
    // A constant gets room on both sides. Beyond half the range of doubles differences would overflow.
    let limit = 0.25 * f64::MAX;
    let room = if high - low > 1e-12 * low.abs().max(high.abs()) { 0.0 } else { low.abs().max(high.abs()).max(1.0) };
    [(low - 0.5 * room).clamp(-limit, limit), (high + 0.5 * room).clamp(-limit, limit)]
}
