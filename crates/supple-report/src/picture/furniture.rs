//! What stands around a view: axes, a length to compare with, what colours mean, times.

use supple::spatial::Vector3;
use supple_io::drawing::{Anchor, Colour, Drawing, Item, Shape, Stroke};

use super::camera::Camera;
use super::quantity::{Quantity, colour};

/// Distance from the edges of the page.
pub const MARGIN: f64 = 18.0;
/// Height of what stands below the view, and of the words above it.
pub const BELOW: f64 = 84.0;
pub const ABOVE: f64 = 30.0;
const AXES: [Colour; 3] = [Colour::hex(0xc6_3d_3d), Colour::hex(0x2f_8a_4a), Colour::hex(0x34_66_c2)];
const AXIS_LENGTH: f64 = 30.0;
const LEGEND: f64 = 220.0;
const STEPS: usize = 55;
/// Distance from one line of words to the next, and width of a letter, about.
pub const LINE: f64 = 17.0;
const LETTER: f64 = 7.2;

/// Axes of inertial space, at the lower left.
pub fn triad(out: &mut Drawing, camera: &Camera) {
    let origin = [MARGIN + AXIS_LENGTH + 6.0, out.height - MARGIN - AXIS_LENGTH];
    let axis = |i: usize| {
        let mut unit = Vector3::ZERO;
        unit.0[i] = 1.0;
        (i, camera.seen(unit))
    };
    let mut axes: Vec<(usize, [f64; 3])> = (0..3).map(axis).collect();
    axes.sort_by(|a, b| a.1[2].total_cmp(&b.1[2]));
    for (i, [x, y, _]) in axes {
        let class = format!("axis-{}", ["x", "y", "z"][i]);
        let tip = [origin[0] + AXIS_LENGTH * x, origin[1] - AXIS_LENGTH * y];
        let length = x.hypot(y);
        if length > 0.05 {
            out.add(Item::stroked(Shape::Polyline(vec![origin, tip]), Stroke::rounded(AXES[i], 2.0)).of(&class));
        } else {
            // Towards the eye or away from it.
            out.add(Item::filled(Shape::Circle(origin, 3.0), AXES[i]).of(&class));
        }
        let off = if length > 0.05 { [9.0 * x / length, -9.0 * y / length] } else { [-9.0, 9.0] };
        let name = Item::text([tip[0] + off[0], tip[1] + off[1] + 4.0], Anchor::Middle, ["x", "y", "z"][i]);
        out.add(Item { fill: Some(AXES[i]), ..name });
    }
}

/// A round length, next to the axes.
pub fn scale_bar(out: &mut Drawing, scale: f64) {
    let room = 0.16 * out.width;
    let length = round_length(room / scale);
    let width = length * scale;
    if !(width > 0.0 && width.is_finite()) {
        return;
    }
    let (x, y) = (MARGIN + 2.0 * AXIS_LENGTH + 44.0, out.height - MARGIN - 6.0);
    let stroke = Stroke::new(out.ink, 1.4);
    let bar = vec![[x, y - 5.0], [x, y], [x + width, y], [x + width, y - 5.0]];
    out.add(Item::stroked(Shape::Polyline(bar), stroke).of("scale-bar"));
    let (text, unit) = match length {
        l if l < 0.01 => (l * 1e3, "mm"),
        l if l < 1.0 => (l * 1e2, "cm"),
        l if l < 1e3 => (l, "m"),
        l => (l / 1e3, "km"),
    };
    out.add(Item::text([x + 0.5 * width, y - 9.0], Anchor::Middle, format!("{} {unit}", short(text))));
}

/// The greatest of 1, 2, 5 times a power of ten that is not above a length.
fn round_length(most: f64) -> f64 {
    let power = 10.0_f64.powf(most.log10().floor());
    [5.0, 2.0, 1.0].into_iter().map(|m| m * power).find(|x| *x <= most * (1.0 + 1e-9)).unwrap_or(power)
}

/// What the colours mean, at the lower right.
pub fn legend(out: &mut Drawing, quantity: Quantity, greatest: f64, partly: bool) {
    let (title, unit, factor) = quantity.words(greatest);
    let width = LEGEND.min(0.35 * out.width);
    let (x, y) = (out.width - MARGIN - width, out.height - MARGIN - 26.0);
    for i in 0..STEPS {
        let step = width / STEPS as f64;
        // A little over the next step, so that no seam is seen.
        let corner = [x + i as f64 * step, y];
        let size = [if i + 1 < STEPS { step + 0.7 } else { step }, 10.0];
        let share = (i as f64 + 0.5) / STEPS as f64;
        out.add(Item::filled(Shape::Rectangle(corner, size), colour(share)).of("legend"));
    }
    let told = match (partly, quantity) {
        (false, _) => title.to_owned(),
        (true, Quantity::Strain) => format!("{title}, of beams with a section"),
        (true, _) => format!("{title}, of bodies on a line"),
    };
    out.add(Item::text([x, y - 7.0], Anchor::Start, told).of("legend"));
    out.add(Item::text([x, y + 25.0], Anchor::Start, "0").of("legend"));
    out.add(
        Item::text([x + width, y + 25.0], Anchor::End, format!("{} {unit}", short(factor * greatest))).of("legend"),
    );
}

/// Some times in words.
pub fn when(times: &[f64]) -> String {
    let listed: Vec<String> = times.iter().map(|t| short(*t)).collect();
    match &listed[..] {
        [first, .., last] if listed.len() > 12 => format!("t = {first} … {last} s, {} times", listed.len()),
        all => format!("t = {} s", all.join(", ")),
    }
}

/// Lines of a caption: words about how a picture is drawn have one of their own where they do not fit behind those about when.
pub fn caption_lines(when: &str, how: &str, width: f64) -> usize {
    let letters = when.chars().count() + how.chars().count() + 2;
    if !how.is_empty() && LETTER * letters as f64 > width - 2.0 * MARGIN { 2 } else { 1 }
}

/// Words above the view.
pub fn caption(out: &mut Drawing, when: &str, how: &str, lines: usize) {
    let parts: Vec<&str> = [when, how].into_iter().filter(|part| !part.is_empty()).collect();
    let told = if lines > 1 { parts.iter().map(|part| (*part).to_owned()).collect() } else { vec![parts.join(", ")] };
    for (i, line) in told.into_iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let at = [MARGIN, MARGIN + 8.0 + LINE * i as f64];
        out.add(Item::text(at, Anchor::Start, line).of("caption"));
    }
}

/// Four digits, a power of ten where it saves room.
pub fn short(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".to_owned() } else { "–".to_owned() };
    }
    let rounded: f64 = format!("{x:.3e}").parse().unwrap_or(x);
    if (1e-3..1e5).contains(&x.abs()) { format!("{rounded}") } else { format!("{rounded:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_numbers_are_round() {
        for (most, length) in [(0.9, 0.5), (1.0, 1.0), (4.99, 2.0), (5.0, 5.0), (73.0, 50.0), (0.0012, 0.001)] {
            assert!((round_length(most) - length).abs() < 1e-12 * length, "{most}");
        }
        for (x, text) in [(0.0, "0"), (12.345_678, "12.35"), (1e-7, "1e-7"), (250_000.0, "2.5e5"), (-3.0, "-3")] {
            assert_eq!(short(x), text);
        }
    }
}
