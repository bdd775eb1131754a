//! Whether a command prints what a page shows.

/// Whether `printed` are the `shown` lines, where `…` or `...` stands for any number of lines.
pub fn agrees(shown: &[&str], printed: &[&str], moves: bool) -> bool {
    match shown {
        [] => printed.is_empty(),
        [first, rest @ ..] if ["…", "..."].contains(&first.trim()) => {
            (0..=printed.len()).any(|skip| agrees(rest, &printed[skip..], moves))
        }
        [first, rest @ ..] => match printed {
            [next, others @ ..] => same_line(first, next, moves) && agrees(rest, others, moves),
            [] => false,
        },
    }
}

/// Lines are the same to the letter. Where a motion was followed, its numbers may differ in the last digits: results by 1e-4 of
/// themselves unless they are below 1e-9, numbers of steps by 5 %, balance errors by 1 % or, below 1e-6, by a factor of ten, the time it
/// took by anything.
fn same_line(shown: &str, printed: &str, moves: bool) -> bool {
    if shown.trim_end() == printed {
        return true;
    }
    if !moves {
        return false;
    }
    let close: fn(f64, f64) -> bool = if shown.contains(" of computing time") {
        |_, _| true
    } else if shown.contains(" steps, ") {
        |a, b| (a - b).abs() <= 0.05 * a.abs()
    } else if shown.contains("balance error") {
        |a, b| if a.abs() < 1e-6 { b.abs() <= 10.0 * a.abs() } else { (a - b).abs() <= 0.01 * a.abs() }
    } else {
        |a, b| (a - b).abs() <= 1e-4 * a.abs() || a.abs().max(b.abs()) < 1e-9
    };
    let words = |line: &str| -> Vec<String> {
        line.split([' ', ',', '(', ')', ';']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (shown, printed) = (words(shown), words(printed));
    shown.len() == printed.len()
        && shown
            .iter()
            .zip(&printed)
            .all(|(a, b)| a == b || a.parse().is_ok_and(|a: f64| b.parse().is_ok_and(|b: f64| close(a, b))))
}

/// Whether two pictures have the same elements, at places that differ by less than half a pixel.
pub fn same_picture(a: &str, b: &str) -> bool {
    let words = |text: &str| -> Vec<String> { text.split([' ', ',', '"', '<', '>']).map(str::to_owned).collect() };
    let (a, b) = (words(a), words(b));
    let close = |a: &str, b: &str| a.parse().is_ok_and(|a: f64| b.parse().is_ok_and(|b: f64| (a - b).abs() < 0.5));
    a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a == b || close(a, b))
}

#[test]
fn numbers_of_motions_may_differ_in_the_last_digits() {
    assert!(agrees(&["a 1.00000", "…"], &["a 1.00001", "b"], true));
    assert!(!agrees(&["a 1.00000"], &["a 1.00001"], false));
    assert!(!agrees(&["a 1.000"], &["a 1.001"], true));
    assert!(!agrees(&["a 1.0"], &["b 1.0"], true));
    assert!(!agrees(&["a"], &["a", "b"], true));
    assert!(agrees(&["    balance error  1e-8"], &["    balance error  5e-8"], true));
    assert!(!agrees(&["    balance error  1e-8"], &["    balance error  5e-7"], true));
    assert!(!agrees(&["    balance error  1e-2"], &["    balance error  1e-3"], true));
}

#[test]
fn pictures_may_differ_by_less_than_a_pixel() {
    assert!(same_picture("<line x=\"1.0\"/>", "<line x=\"1.2\"/>"));
    assert!(!same_picture("<line x=\"1.0\"/>", "<line x=\"2.0\"/>"));
    assert!(!same_picture("<line x=\"1.0\"/>", "<rect x=\"1.0\"/>"));
}
