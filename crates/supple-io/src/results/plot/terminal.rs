//! Lines drawn in Braille characters, each in a panel of its own, since units and sizes differ.

use super::ticks::short;
use super::{Series, range};

/// Most panels, and lines of the whole picture.
const MOST_PANELS: usize = 4;
const MOST_LINES: usize = 20;
/// Characters left of the panels, for numbers.
const MARGIN: usize = 11;

/// Draws up to four series, one below the other, in at most 20 lines of `width` characters. Others are named only.
pub fn terminal(series: &[Series], width: usize) -> String {
    let drawn = &series[..series.len().min(MOST_PANELS)];
    if drawn.is_empty() {
        return String::new();
    }
    let columns = width.saturating_sub(MARGIN + 1).clamp(20, 400);
    // A title per panel, the line of times, and perhaps one for what is left out.
    let rows = (MOST_LINES - 2) / drawn.len() - 1;
    let times = range(drawn.iter(), 0);
    let mut text = String::new();
    for series in drawn {
        let values = range(std::iter::once(series), 1);
        text += &format!("{:MARGIN$} {} [{}]\n", "", series.label, series.unit);
        let canvas = drawn_line(series, [times, values], [columns, rows]);
        for (i, line) in canvas.iter().enumerate() {
            let number = if i == 0 {
                short(values[1])
            } else if i + 1 == rows {
                short(values[0])
            } else {
                String::new()
            };
            text += format!("{number:>MARGIN$} {line}").trim_end();
            text.push('\n');
        }
    }
    let (start, end) = (short(times[0]), format!("{} s", short(times[1])));
    text += &format!("{:MARGIN$} {start}{end:>pad$}\n", "", pad = columns.saturating_sub(start.len()));
    if series.len() > drawn.len() {
        text += &format!("{:MARGIN$} and {} more\n", "", series.len() - drawn.len());
    }
    text
}

/// The line of a series as rows of Braille characters, each of which holds 2 by 4 dots.
fn drawn_line(series: &Series, ranges: [[f64; 2]; 2], size: [usize; 2]) -> Vec<String> {
    let [columns, rows] = size;
    let (across, down) = (2 * columns, 4 * rows);
    let mut cells = vec![0_u8; columns * rows];
    let place = |p: [f64; 2]| {
        let share = |axis: usize| {
            let [low, high] = ranges[axis];
            ((p[axis] - low) / (high - low)).clamp(0.0, 1.0)
        };
        (share(0) * (across - 1) as f64, (1.0 - share(1)) * (down - 1) as f64)
    };
    for piece in series.pieces() {
        let mut from = place(piece[0]);
        for point in piece {
            let to = place(*point);
            let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().max(1.0);
            for i in 0..=steps as usize {
                let share = i as f64 / steps;
                let x = (from.0 + share * (to.0 - from.0)).round() as usize;
                let y = (from.1 + share * (to.1 - from.1)).round() as usize;
                cells[(y / 4) * columns + x / 2] |= DOTS[y % 4][x % 2];
            }
            from = to;
        }
    }
    let character = |cell: &u8| char::from_u32(0x2800 + u32::from(*cell)).unwrap_or(' ');
    let blank = |c: char| if c == '\u{2800}' { ' ' } else { c };
    cells.chunks(columns).map(|row| row.iter().map(|cell| blank(character(cell))).collect()).collect()
}

/// Bits of the dots of a Braille character, row by row.
const DOTS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
