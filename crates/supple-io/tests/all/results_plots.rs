//! Pictures: small, well-formed, true to the numbers.

use crate::results_support::{Folder, row, table};
use std::fs;
use supple_io::drawing::Shape;
use supple_io::results::plot::{PlotLook, Series, Traces, drawing, smallest, svg, terminal, write_svg};
use supple_io::results::{Existing, RowSink};

fn series(label: &str, unit: &str, points: Vec<[f64; 2]>) -> Series {
    Series { label: label.to_owned(), unit: unit.to_owned(), points }
}

fn wave(count: usize) -> Series {
    series("wave", "rad", (0..count).map(|i| i as f64 / 100.0).map(|t| [t, t.sin()]).collect())
}

/// Checks that a text is XML: tags nest, attributes are quoted and not repeated, reserved characters are escaped.
fn check_xml(text: &str) -> Result<usize, String> {
    let (mut open, mut rest, mut elements) = (Vec::new(), text, 0);
    let plain = |text: &str| {
        let entities = ["amp;", "lt;", "gt;", "quot;"];
        let sound = text.split('&').skip(1).all(|after| entities.iter().any(|e| after.starts_with(e)));
        if sound && !text.contains('>') { Ok(()) } else { Err(format!("not escaped: {text}")) }
    };
    while let Some((before, after)) = rest.split_once('<') {
        plain(before)?;
        let (tag, after) = after.split_once('>').ok_or("a tag is not closed")?;
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
            continue;
        }
        elements += 1;
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        if !name.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(format!("name {name}"));
        }
        let mut seen = Vec::new();
        while !attributes.trim().is_empty() {
            let (key, after) = attributes.split_once("=\"").ok_or(format!("attributes {attributes}"))?;
            let (value, after) = after.split_once('"').ok_or(format!("attributes {attributes}"))?;
            plain(value)?;
            if seen.contains(&key.trim()) {
                return Err(format!("{key} twice"));
            }
            seen.push(key.trim());
            attributes = after;
        }
        if !empty {
            open.push(name);
        }
    }
    if open.is_empty() && rest.trim().is_empty() { Ok(elements) } else { Err(format!("left over: {open:?} {rest}")) }
}

#[test]
fn the_checker_finds_errors() {
    for text in ["<a><b></a></b>", "<a x=1/>", "<a x=\"1\" x=\"2\"/>", "<a>&</a>", "<a>", "<a/>b", "<a x=\"&\"/>"] {
        assert!(check_xml(text).is_err(), "{text}");
    }
    assert_eq!(check_xml("<a x=\"1\"><b/>&amp;</a>\n"), Ok(2));
}

/// The picture of three points, to the letter.
#[test]
fn a_small_picture_is_as_recorded() {
    let text = svg("demo", &[series("angle", "rad", vec![[0.0, 0.0], [1.0, 1.0], [2.0, 0.5]])]);
    check_xml(&text).unwrap();
    assert_eq!(text, include_str!("../results_support/three_points.svg"));
}

#[test]
fn pictures_of_all_kinds_of_numbers_are_well_formed() {
    let hard = [f64::NAN, f64::INFINITY, f64::MAX, f64::MIN, 5e-324, 0.0, 1.0];
    let cases = [
        Vec::new(),
        vec![series("nothing", "m", Vec::new())],
        vec![series("constant", "m", vec![[0.0, 3.0], [1.0, 3.0]])],
        vec![series("one point", "m", vec![[1.0, 2.0]])],
        vec![series("not finite", "m", vec![[0.0, f64::NAN], [f64::NAN, 1.0]])],
        vec![series("hard", "m", hard.iter().enumerate().map(|(i, x)| [i as f64, *x]).collect())],
        vec![series("far", "m", vec![[f64::MIN, f64::MIN], [f64::MAX, f64::MAX]])],
        vec![series("near", "m", vec![[1e9, 1.0], [1e9 + 1e-6, 1.0 + 1e-15]])],
        vec![series("a < b & \"c\" \u{1}", "<m>", vec![[0.0, 1.0], [1.0, 2.0]])],
        (0..40).map(|i| series(&format!("line {i} with a very long name indeed"), "m", vec![[0.0, 1.0]])).collect(),
        (0..9).map(|i| series("x", &format!("unit {i}"), vec![[0.0, 1.0], [1.0, f64::from(i)]])).collect(),
    ];
    for case in cases {
        let name = case.first().map_or("", |s| s.label.as_str());
        let text = svg("<title> & more", &case);
        check_xml(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        for word in ["NaN", "inf"] {
            assert!(!text.contains(word), "{name} holds {word}: {text}");
        }
        let drawn = terminal(&case, 80);
        assert!(drawn.lines().count() <= 20, "{name}:\n{drawn}");
        assert!(drawn.lines().all(|line| line.chars().count() <= 80), "{name}:\n{drawn}");
    }
}

/// Whatever the size, everything is on the page, panels do not overlap, and smaller ones than can be read are not drawn.
#[test]
fn plots_have_the_size_that_is_asked_for() {
    let lines: Vec<Series> = (0..9)
        .map(|i| series(&format!("line {i}"), ["m", "s", "rad"][i % 3], vec![[0.0, 1.0], [1.0, i as f64]]))
        .collect();
    let least = smallest(&lines);
    for (asked, made) in [([700.0, 500.0], [700.0, 500.0]), ([10.0, 10.0], least), ([3000.0, 400.0], [3000.0, 400.0])] {
        for dark in [false, true] {
            let out = drawing("sizes", &lines, &PlotLook { size: Some(asked), dark });
            assert_eq!([out.width, out.height], made);
            assert_eq!(out.background.0[0] < 50, dark);
            let mut bottom = 0.0;
            for item in &out.items {
                let points = match &item.shape {
                    Shape::Rectangle(corner, size) => {
                        assert!(corner[1] > bottom && size[0] >= 100.0 && size[1] >= 60.0, "{item:?}");
                        bottom = corner[1] + size[1];
                        vec![*corner, [corner[0] + size[0], bottom]]
                    }
                    Shape::Line(a, b) => vec![*a, *b],
                    Shape::Polyline(points) => points.clone(),
                    Shape::Text { at, .. } => vec![*at],
                    _ => Vec::new(),
                };
                let inside = |p: &[f64; 2]| (0..2).all(|i| p[i] >= 0.0 && p[i] <= made[i]);
                assert!(points.iter().all(inside), "{asked:?}: {item:?}");
            }
        }
    }
}

#[test]
fn a_gap_interrupts_the_line() {
    let points = vec![[0.0, 0.0], [1.0, 1.0], [2.0, f64::NAN], [3.0, 1.0], [4.0, 0.0]];
    assert_eq!(svg("gap", &[series("x", "m", points)]).matches("<polyline").count(), 2);
}

#[test]
fn a_terminal_plot_is_as_recorded() {
    let drawn = terminal(&[wave(629)], 50);
    println!("{drawn}");
    assert_eq!(drawn, include_str!("../results_support/wave.txt"));
    assert_eq!(terminal(&[], 80), "");
    // A terminal that says it has no width.
    assert!(terminal(&[wave(10)], 0).lines().count() <= 20);
}

/// Whatever the number of rows, extremes and ends stay.
#[test]
fn traces_keep_extremes_and_ends() {
    for bins in [2, 3, 7, 100] {
        for count in [1, 2, 3, 10, 99, 1000, 4321] {
            let mut traces = Traces::new(&table(), &[1, 3], bins).unwrap();
            for i in 0..count {
                traces.append(&row(i)).unwrap();
            }
            for (series, column) in traces.series().iter().zip([1, 3]) {
                let all: Vec<[f64; 2]> = (0..count).map(|i| [row(i)[0], row(i)[column]]).collect();
                let points = &series.points;
                assert!(points.len() <= 4 * bins, "{} points in {bins} bins", points.len());
                assert!(points.iter().all(|p| all.contains(p)), "a point that was none");
                assert!(points.windows(2).all(|pair| pair[0][0] < pair[1][0]), "out of order");
                assert_eq!((points[0], points[points.len() - 1]), (all[0], all[count - 1]));
                let extremes = |points: &[[f64; 2]]| {
                    let values = points.iter().map(|p| p[1]);
                    (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
                };
                assert_eq!(extremes(points), extremes(&all), "{count} rows in {bins} bins");
                if count <= bins {
                    assert_eq!(*points, all);
                }
            }
        }
    }
}

#[test]
fn pictures_are_written_whole() {
    let folder = Folder::new("svg");
    let path = folder.path("a.svg");
    write_svg(&path, "wave", &[wave(100)], Existing::Refuse).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), svg("wave", &[wave(100)]));
    assert_eq!(folder.names(), ["a.svg"]);
}
