//! `sweep.html`: the summary of a study with histograms and scatter plots.

use supple_report::SimplePage;
use supple_report::picture::{Axis, Chart, Curve, Mark, Panel, Scale, chart};

use super::statistics::Estimate;
use super::{Influences, NumberSummary, Row, Study, SweepSummary};

/// Bars of a histogram.
const MOST_BARS: usize = 60;
/// Points of a scatter plot.
const MOST_POINTS: usize = 2000;
/// Values that a number is plotted against.
const MOST_SCATTER: usize = 4;

/// The page of a study.
pub fn page(study: &Study, rows: &[Row], summary: &SweepSummary) -> String {
    let mut page = SimplePage::new(&format!("Study: {}", summary.study));
    let SweepSummary { sampling, runs, done, stopped, failed, .. } = summary;
    page.text(&format!("{done} of {runs} runs ({sampling}), {failed} failed, {stopped} ended by an event."));
    page.text(&format!("Part that failed: {}. All intervals are those of 95 % confidence.", shown(&summary.failure)));
    for (i, number) in summary.numbers.iter().enumerate() {
        page.heading(&titled(&number.name, &number.unit));
        statistics(&mut page, number);
        if number.count > 0 {
            page.drawing(&chart(&histogram(rows, i, number)));
        }
        sensitivity(&mut page, number);
        for name in strongest(number) {
            if let Some(value) = study.names().position(|other| other == name).filter(|value| study.is_number(*value)) {
                page.drawing(&chart(&scatter(rows, (value, &name), i, number)));
            }
        }
        worst(&mut page, number);
    }
    if !summary.failures.is_empty() {
        page.heading("First failures");
        let row =
            |failure: &super::Failure| vec![failure.run.to_string(), failure.message.clone(), failure.command.clone()];
        page.table(&["run", "why", "to repeat it"], &summary.failures.iter().map(row).collect::<Vec<_>>());
    }
    page.finish()
}

fn titled(name: &str, unit: &str) -> String {
    if unit == "1" { name.to_owned() } else { format!("{name} [{unit}]") }
}

/// An estimate with its interval.
fn shown(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = estimate;
    format!("{} ({} to {})", short(*value), short(*low), short(*high))
}

fn short(number: f64) -> String {
    match number {
        x if x.is_nan() => "–".into(),
        0.0 => "0".into(),
        x if (1e-3..1e6).contains(&x.abs()) => {
            let digits = (4 - x.abs().log10().floor() as i32).clamp(0, 8) as usize;
            format!("{x:.digits$}")
        }
        x => format!("{x:.4e}"),
    }
}

fn statistics(page: &mut SimplePage, number: &NumberSummary) {
    let row = |name: &str, estimate: &Estimate| {
        vec![name.to_owned(), short(estimate.value), short(estimate.low), short(estimate.high)]
    };
    let alone = |name: &str, value: f64| vec![name.to_owned(), short(value), String::new(), String::new()];
    let mut rows =
        vec![row("mean", &number.mean), row("standard deviation", &number.deviation), alone("least", number.least)];
    for (percent, estimate) in &number.percentiles {
        let name = if *percent == 50.0 { "median".to_owned() } else { format!("{percent} % are below") };
        rows.push(row(&name, estimate));
    }
    rows.push(alone("greatest", number.greatest));
    page.table(&[&format!("of {} runs", number.count), "value", "from", "to"], &rows);
}

/// Bars as one line.
fn histogram(rows: &[Row], i: usize, number: &NumberSummary) -> Chart {
    let numbers: Vec<f64> = rows.iter().map(|row| row.numbers[i]).filter(|x| x.is_finite()).collect();
    let bars = ((numbers.len() as f64).sqrt().ceil() as usize).clamp(1, MOST_BARS);
    let (low, width) = (number.least, (number.greatest - number.least) / bars as f64);
    let mut counts = vec![0_u32; bars];
    for x in &numbers {
        let bar = if width > 0.0 { ((x - low) / width) as usize } else { 0 };
        counts[bar.min(bars - 1)] += 1;
    }
    let mut points = vec![[low, 0.0]];
    for (k, count) in counts.iter().enumerate() {
        let edge = |k: usize| low + width * k as f64;
        points.extend([[edge(k), f64::from(*count)], [edge(k + 1), f64::from(*count)], [edge(k + 1), 0.0]]);
    }
    let curves = vec![Curve { label: "runs".into(), points, mark: Mark::Area }];
    Chart {
        title: format!("Distribution of {}", number.name),
        x: Axis::new(titled(&number.name, &number.unit), Scale::Linear),
        panels: vec![Panel { y: Axis::new("runs", Scale::Linear), curves }],
        equal: false,
    }
}

fn sensitivity(page: &mut SimplePage, number: &NumberSummary) {
    match &number.influences {
        Influences::Morris(effects) => {
            let rows = effects.iter().map(|of| {
                let e = &of.strength;
                vec![of.name.clone(), shown(&e.mu_star), short(e.mu), short(e.sigma)]
            });
            page.text("Elementary effects (Morris): change over the range of a value; sigma tells of curvature and interaction.");
            page.table(&["value", "mu*", "mu", "sigma"], &rows.collect::<Vec<_>>());
        }
        Influences::SobolIndices(indices) => {
            let rows =
                indices.iter().map(|of| vec![of.name.clone(), shown(&of.strength.first), shown(&of.strength.total)]);
            page.text("Shares of the variance (Sobol): of a value alone, and with all its interactions.");
            page.table(&["value", "first order", "total order"], &rows.collect::<Vec<_>>());
        }
        Influences::RankCorrelation(coefficients) if !coefficients.is_empty() => {
            let rows = coefficients.iter().map(|of| vec![of.name.clone(), shown(&of.strength)]);
            page.text("Rank correlation (Spearman): 1 where the number always rises with the value, -1 where it always falls.");
            page.table(&["value", "coefficient"], &rows.collect::<Vec<_>>());
        }
        Influences::RankCorrelation(_) => {}
    }
}

/// Names of what matters most.
fn strongest(number: &NumberSummary) -> Vec<String> {
    let names: Vec<&str> = match &number.influences {
        Influences::Morris(of) => of.iter().map(|of| of.name.as_str()).collect(),
        Influences::SobolIndices(of) => of.iter().map(|of| of.name.as_str()).collect(),
        Influences::RankCorrelation(of) => of.iter().map(|of| of.name.as_str()).collect(),
    };
    // Of values that are linked, the first.
    names.iter().take(MOST_SCATTER).map(|name| name.split(", ").next().unwrap_or(name).to_owned()).collect()
}

fn scatter(rows: &[Row], (value, name): (usize, &str), i: usize, number: &NumberSummary) -> Chart {
    let every = rows.len().div_ceil(MOST_POINTS).max(1);
    let point = |row: &Row| Some([row.values[value].number?, row.numbers[i]]);
    let points: Vec<[f64; 2]> = rows.iter().step_by(every).filter_map(point).collect();
    let label = titled(&number.name, &number.unit);
    let curves = vec![Curve { label: label.clone(), points, mark: Mark::Dots }];
    Chart {
        title: format!("{} over {name}", number.name),
        x: Axis::new(name, Scale::Linear),
        panels: vec![Panel { y: Axis::new(label, Scale::Linear), curves }],
        equal: false,
    }
}

fn worst(page: &mut SimplePage, number: &NumberSummary) {
    let Some(first) = number.worst.first() else { return };
    page.text("Worst cases:");
    let mut head = vec!["run", "value"];
    head.extend(first.values.iter().map(|(name, _)| name.as_str()));
    head.push("to repeat it");
    let row = |case: &super::WorstCase| {
        let mut row = vec![case.run.to_string(), short(case.value)];
        row.extend(case.values.iter().map(|(_, text)| text.parse().map_or_else(|_| text.clone(), short)));
        row.push(case.command.clone());
        row
    };
    page.table(&head, &number.worst.iter().map(row).collect::<Vec<_>>());
}
